"""Run a tick: ask, derive readings, signals and points, look up, and close the run."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from monitor.fetch.landing import LandingFetcher
from monitor.jobs import Audit
from monitor.model import (
    Answer,
    Fetcher,
    InvalidInput,
    MonitorError,
    Outcome,
    Purpose,
    RunState,
)
from monitor.pipeline.changes.conclusion import conclude
from monitor.pipeline.collect.lookups import label_people, look_up_shares
from monitor.pipeline.collect.provenance import note_exit
from monitor.pipeline.collect.run_context import Progress, RunContext, Stop, never
from monitor.pipeline.collect.run_lanes import LaneRemainder, ask
from monitor.pipeline.collect.run_starts import resume_command, turn_of_run
from monitor.pipeline.derive.corpora import gather_texts
from monitor.pipeline.derive.lexicons import landing_collection
from monitor.pipeline.derive.readings import find_signals, read_answers
from monitor.pipeline.derive.recomputation import measure_mark
from monitor.pipeline.derive.values import (
    WITH_POINTS,
    changed_controls,
    compute_points,
    keep_titles,
)
from monitor.pipeline.schedule.leases import Turn, Turns, alone, lane_turn
from monitor.stages.jobs.plan import landing_depth
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import readings, texts
from monitor.store.derive.texts import StoredDocument
from monitor.store.maintenance import erasure


def derive_run(
    database: Database,
    audit: Audit,
    run: Run,
    progress: Progress,
    look_up: Callable[[], None] | None = None,
    stop: Stop = never,
) -> int:
    """Everything that follows from the raw answers: readings, signals, points.

    `look_up` finds out what answers alone do not say, once they were read. Returns how many points
    are new. Raises KeyboardInterrupt after a step once `stop` says so; what was derived is kept.
    """
    steps = ("parse", "signal", "measure")
    progress(steps[0], 0, len(steps))
    read_answers(database, audit, run)
    _heed(stop)
    if look_up:
        look_up()
        _heed(stop)
    progress(steps[1], 1, len(steps))
    find_signals(database, audit, run)
    _heed(stop)
    progress(steps[2], 2, len(steps))
    written = 0
    if run.kind in WITH_POINTS:
        with database.begin() as connection:
            keep_titles(connection)
            mark = measure_mark(connection, audit, run)
        written = compute_points(database, audit, run, stop)
        with database.begin() as connection:
            runs.mark_stage(connection, run.id, "measure", mark)
        _heed(stop)
    progress(steps[2], 3, len(steps))
    return written


def _heed(stop: Stop) -> None:
    if stop():
        raise KeyboardInterrupt


#: Pages stored in one transaction: what is lost when a machine dies.
_AT_ONCE = 10


def read_pages(
    database: Database, audit: Audit, run: Run, around: RunContext, progress: Progress, stop: Stop
) -> list[str]:
    """Ask for every page once, keep it as evidence and its text as a document.

    A page that a site does not give, or that holds no text, is a missing document. Raises
    KeyboardInterrupt when a person wants to stop; what came is kept, and a resumed run goes on.
    """
    most = landing_depth(audit)
    if not most or around.landings is None:
        return []
    with database.read() as connection:
        known = texts.read_stored_keys(connection, landing_collection(run.id))
        names = [url for url in texts.list_addresses(connection, run.id, most) if url not in known]
        try:
            erased = erasure.find_erased(connection, names, around.address_key)
        except InvalidInput as error:  # what must not come back cannot be told from the rest
            return [f"pages are not asked for: {error}"]
        names = [url for url in names if url not in erased]
    if not names:
        return []
    with alone(database, lane_turn("landing", around.exit), stop) as halted:
        _read(database, run, around.landings(), names, progress, halted)
    _heed(stop)
    return []


def _read(
    database: Database,
    run: Run,
    landings: LandingFetcher,
    wanted: list[str],
    progress: Progress,
    stop: Stop,
) -> None:
    done = 0
    pages = landings.fetch(wanted, stop)
    progress("pages", done, len(wanted))
    while part := list(islice(pages, _AT_ONCE)):
        with database.begin() as connection:
            stored = []
            for url, page in part:
                answer = Answer(
                    page.outcome, page.asked_at, page.took, page.reason, page.detail, page.status,
                    page.final_url, body=page.body,
                )  # fmt: skip
                request = {"method": "GET", "url": url, "redirects": list(page.redirects)}
                lookup = evidence.store_lookup(
                    connection, database, run.id, Purpose.LANDING, request, answer
                )
                is_bare = page.outcome is Outcome.OK and not page.text
                outcome = Outcome.UNREADABLE if is_bare else page.outcome
                stored.append(
                    StoredDocument(
                        url, page.text, outcome, page.reason, page.detail, page.extractor, lookup
                    )
                )
            now = max(page.asked_at for _, page in part)
            texts.store_documents(connection, database, landing_collection(run.id), stored, now)
        done += len(part)
        progress("pages", done, len(wanted))


class Interrupted(MonitorError):
    """Stopped by a person; what was collected is kept."""

    exit_code = 130


@dataclass(frozen=True, slots=True)
class Summary:
    """Result of a run."""

    run: Run
    state: RunState
    planned: int
    answered: int
    points: int
    stopped: tuple[str, ...] = ()  # what could not be asked to the end, and why


def run(
    database: Database,
    audit: Audit,
    tick: Run,
    fetcher: Fetcher,
    progress: Progress,
    stop: Stop = never,
    around: RunContext | None = None,
) -> Summary:
    """Ask, derive and close a run that was started or resumed.

    Raises Interrupted after Ctrl-C, with everything collected so far kept, InvalidInput where
    another process works on the run, and TurnLost where another has taken it over meanwhile.
    """
    around = around or RunContext()
    with take_run(database, tick) as taken:
        if taken is None:
            raise InvalidInput(f"run {tick.id} of {tick.job} is being worked on already")
        fenced, _ = taken
        try:
            stopped: list[str] = []
            if audit.job.corpus is None:
                remaining, exits = ask_run(database, audit, tick, fetcher, around, progress, stop)
                stopped = [*(str(item) for item in remaining if item.reasons), *exits]
            return finish(fenced, audit, tick, fetcher, around, progress, stop, stopped)
        except KeyboardInterrupt:
            with fenced.begin() as connection:
                runs.set_state(connection, tick.id, RunState.INTERRUPTED)
                planned, answered = evidence.count_progress(connection, tick.id)
            raise Interrupted(
                f"stopped: {answered:,} of {planned:,} answers are kept; go on with: "
                f"{resume_command(tick, audit)}"
            ) from None


@contextmanager
def take_run(database: Database, run: Run) -> Iterator[tuple[Database, Turn] | None]:
    """Take the turn of a run: the database that only its holder can write to, and the turn.

    None where another process has it.
    """
    with Turns(database) as turns:
        turn = turns.take(turn_of_run(run.id))
        yield None if turn is None else (turns.fenced(database, turn), turn)


def ask_run(
    database: Database,
    audit: Audit,
    run: Run,
    fetcher: Fetcher,
    around: RunContext,
    progress: Progress,
    stop: Stop = never,
    lanes: AbstractSet[str] | None = None,
    *,
    once: bool = False,
) -> tuple[list[LaneRemainder], list[str]]:
    """Ask lanes of a run, or all: what is left of each, and what is wrong with where we left from.

    `once` is for one turn of each lane.
    """
    exits = note_exit(database, audit, run, fetcher, around, lanes)
    remaining = ask(database, audit, run, fetcher, progress, stop, around.exit, lanes, once=once)
    return remaining, exits + note_exit(database, audit, run, fetcher, around, lanes)


def finish(
    database: Database,
    audit: Audit,
    tick: Run,
    fetcher: Fetcher,
    around: RunContext,
    progress: Progress,
    stop: Stop = never,
    stopped: Sequence[str] = (),
) -> Summary:
    """Everything after asking: derive, look up what answers do not say, and close the run.

    `stopped` says why not everything was asked. Raises KeyboardInterrupt once `stop` says so, until
    all values are there.
    """
    lacking: list[str] = []

    def look_up() -> None:
        lacking.extend(
            label_people(database, audit, tick, fetcher, around, progress, stop)
            + look_up_shares(database, audit, tick, fetcher, around, stop)
            + read_pages(database, audit, tick, around, progress, stop)
            + gather_texts(database, audit, tick)
        )

    written = derive_run(database, audit, tick, progress, look_up, stop)
    progress("compare", 0, 1)  # from here on the run is finished, whatever `stop` says
    with database.read() as connection:
        controls = changed_controls(connection, audit, tick)
        shapes = readings.read_changes(connection, tick.id)
    changed = [
        f"{label}: the control is not what it was in the run before (library or model)"
        for label in sorted(controls)
    ]
    changed += [
        f"{label}: {change}. Its values carry the flag answers_changed"
        for label, change in shapes.items()
        if change
    ]
    with database.begin() as connection:
        planned, answered = evidence.count_progress(connection, tick.id)
        complete = answered == planned and not lacking
        state = RunState.DONE if complete else RunState.PARTIAL
        runs.set_state(connection, tick.id, state, datetime.now(UTC))
    conclude(database, audit, tick, progress)
    text = tuple(dict.fromkeys([*stopped, *changed, *lacking]))
    return Summary(tick, state, planned, answered, written, text)
