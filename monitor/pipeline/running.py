"""Run a tick: ask, derive, look up, and close the run."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.jobs import Audit
from monitor.model import Fetcher, InvalidInput, MonitorError, RunState
from monitor.pipeline.around import Around
from monitor.pipeline.asking import Left, ask
from monitor.pipeline.begin import (
    resume_command,
    turn_of_run,
)
from monitor.pipeline.concluding import conclude
from monitor.pipeline.deriving import (
    changed_controls,
    derive,
)
from monitor.pipeline.gathering import gather
from monitor.pipeline.landing import read_pages
from monitor.pipeline.leaving import note_exit
from monitor.pipeline.looking_up import label_people, look_up_shares
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import Turn, Turns
from monitor.store import evidence, runs
from monitor.store.database import Database
from monitor.store.runs import Run


class Interrupted(MonitorError):
    """Stopped by a person; what was collected is kept."""

    exit_code = 130


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended."""

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
    around: Around | None = None,
) -> Summary:
    """Ask, derive and close a run that was started or resumed.

    Raises Interrupted after Ctrl-C, with everything collected so far kept, InvalidInput where
    another process works on the run, and TurnLost where another has taken it over meanwhile.
    """
    around = around or Around()
    with take_run(database, tick) as taken:
        if taken is None:
            raise InvalidInput(f"run {tick.id} of {tick.job} is being worked on already")
        fenced, _ = taken
        try:
            stopped: list[str] = []
            if audit.job.corpus is None:
                left, exits = ask_run(database, audit, tick, fetcher, around, progress, stop)
                stopped = [*(str(one) for one in left if one.reasons), *exits]
            return finish(fenced, audit, tick, fetcher, around, progress, stop, stopped)
        except KeyboardInterrupt:
            with fenced.begin() as connection:
                runs.set_state(connection, tick.id, RunState.INTERRUPTED)
                planned, answered = evidence.progress(connection, tick.id)
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
    around: Around,
    progress: Progress,
    stop: Stop = never,
    lanes: AbstractSet[str] | None = None,
    *,
    once: bool = False,
) -> tuple[list[Left], list[str]]:
    """Ask lanes of a run, or all: what is left of each, and what is wrong with where we left from.

    `once` is for one turn of each lane.
    """
    exits = note_exit(database, audit, run, fetcher, around, lanes)
    left = ask(database, audit, run, fetcher, progress, stop, around.exit, lanes, once=once)
    return left, exits + note_exit(database, audit, run, fetcher, around, lanes)


def finish(
    database: Database,
    audit: Audit,
    tick: Run,
    fetcher: Fetcher,
    around: Around,
    progress: Progress,
    stop: Stop = never,
    stopped: Sequence[str] = (),
) -> Summary:
    """Everything after asking: derive, look up what answers do not say, and close the run.

    `stopped` says why not everything was asked. Raises KeyboardInterrupt once `stop` says so.
    """
    lacking: list[str] = []

    def look_up() -> None:
        lacking.extend(
            label_people(database, audit, tick, fetcher, around, progress, stop)
            + look_up_shares(database, audit, tick, fetcher, around, stop)
            + read_pages(database, audit, tick, around, progress, stop)
            + gather(database, audit, tick)
        )

    written = derive(database, audit, tick, progress, look_up)
    changed = [
        f"{label}: the control is not what it was in the run before (library or model)"
        for label in sorted(_changed(database, audit, tick))
    ]
    with database.begin() as connection:
        planned, answered = evidence.progress(connection, tick.id)
        complete = answered == planned and not lacking
        state = RunState.DONE if complete else RunState.PARTIAL
        runs.set_state(connection, tick.id, state, datetime.now(UTC))
    conclude(database, audit, tick, progress)
    said = tuple(dict.fromkeys([*stopped, *changed, *lacking]))
    return Summary(tick, state, planned, answered, written, said)


def _changed(database: Database, audit: Audit, tick: Run) -> set[str]:
    with database.read() as connection:
        return changed_controls(connection, audit, tick)
