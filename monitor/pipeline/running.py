"""Run a tick: ask, derive, look up, and close the run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.jobs import Audit
from monitor.model import Fetcher, InvalidInput, MonitorError, RunState
from monitor.pipeline.around import Around
from monitor.pipeline.asking import ask
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
from monitor.pipeline.turns import Turns
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
    with Turns(database) as turns:
        turn = turns.take(turn_of_run(tick.id))
        if turn is None:
            raise InvalidInput(f"run {tick.id} of {tick.job} is being worked on already")
        fenced = turns.fenced(database, turn)
        try:
            stopped: list[str] = []
            if audit.job.corpus is None:
                stopped += note_exit(database, audit, tick, fetcher, around)
                left = ask(database, audit, tick, fetcher, progress, stop, around.exit)
                stopped += [str(one) for one in left if one.reasons]
                stopped += note_exit(database, audit, tick, fetcher, around)
            return finish(fenced, audit, tick, fetcher, around, progress, stop, stopped)
        except KeyboardInterrupt:
            with fenced.begin() as connection:
                runs.set_state(connection, tick.id, RunState.INTERRUPTED)
                planned, answered = evidence.progress(connection, tick.id)
            raise Interrupted(
                f"stopped: {answered:,} of {planned:,} answers are kept; go on with: "
                f"{resume_command(tick, audit)}"
            ) from None


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
