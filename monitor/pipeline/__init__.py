"""Runs a tick of a job from plan to points. The only place that opens transactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.jobs import Audit
from monitor.model import Fetcher, InvalidInput, MonitorError, RunState
from monitor.pipeline.again import (
    Begun,
    Pair,
    lanes_of,
    pairs_of,
    start_confirm,
    start_noise,
    still_asked,
    to_confirm,
)
from monitor.pipeline.around import Around
from monitor.pipeline.asking import Left, ask, by_lane, suspended
from monitor.pipeline.begin import (
    audit_of,
    audit_of_run,
    keep_files,
    resume,
    resume_command,
    sample_requests,
    start,
    turn_of_run,
)
from monitor.pipeline.computing import WITH_POINTS
from monitor.pipeline.concluding import conclude, conclude_after
from monitor.pipeline.deriving import (
    changed_controls,
    compute_points,
    derive,
    find_signals,
    read_answers,
    switch,
)
from monitor.pipeline.gathering import expected, gather
from monitor.pipeline.governed import check_governance
from monitor.pipeline.lacking import Lack, Step
from monitor.pipeline.landing import depth as landing_depth
from monitor.pipeline.landing import read_pages
from monitor.pipeline.leaving import note_exit
from monitor.pipeline.looking_up import label_people, look_up_shares
from monitor.pipeline.recomputing import Audits
from monitor.pipeline.redoing import LeftOut, Redone, redo, redo_run, to_redo, would_lose
from monitor.pipeline.replanning import plan_redo, redo_progress
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import TurnLost, Turns, alone
from monitor.pipeline.wording import check_lexicons
from monitor.store import evidence, runs
from monitor.store.database import Connection, Database
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


__all__ = [
    "WITH_POINTS",
    "Around",
    "Audits",
    "Begun",
    "Connection",
    "Interrupted",
    "Lack",
    "Left",
    "LeftOut",
    "Pair",
    "Progress",
    "Redone",
    "Step",
    "Stop",
    "Summary",
    "TurnLost",
    "Turns",
    "alone",
    "ask",
    "audit_of",
    "audit_of_run",
    "by_lane",
    "changed_controls",
    "check_governance",
    "check_lexicons",
    "compute_points",
    "conclude",
    "conclude_after",
    "derive",
    "expected",
    "find_signals",
    "finish",
    "keep_files",
    "landing_depth",
    "lanes_of",
    "never",
    "note_exit",
    "pairs_of",
    "plan_redo",
    "read_answers",
    "redo",
    "redo_progress",
    "redo_run",
    "resume",
    "resume_command",
    "run",
    "sample_requests",
    "start",
    "start_confirm",
    "start_noise",
    "still_asked",
    "suspended",
    "switch",
    "to_confirm",
    "to_redo",
    "turn_of_run",
    "would_lose",
]
