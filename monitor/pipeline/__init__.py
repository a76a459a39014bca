"""Runs a tick of a job from plan to points. The only place that opens transactions."""

from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.jobs import Audit
from monitor.model import Fetcher, MonitorError, RunState
from monitor.pipeline.around import Around
from monitor.pipeline.asking import ask, by_lane, suspended
from monitor.pipeline.begin import resume, sample_requests, start
from monitor.pipeline.deriving import (
    changed_controls,
    compute_points,
    derive,
    find_signals,
    read_answers,
)
from monitor.pipeline.landing import depth as landing_depth
from monitor.pipeline.landing import read_pages
from monitor.pipeline.leaving import note_exit
from monitor.pipeline.looking_up import label_people, look_up_shares
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.wording import check_lexicons
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

    Raises Interrupted after Ctrl-C, with everything collected so far kept.
    """
    around = around or Around()
    stopped: list[str] = []

    lacking: list[str] = []

    def look_up() -> None:
        lacking.extend(
            label_people(database, audit, tick, fetcher, around, progress, stop)
            + look_up_shares(database, audit, tick, fetcher, around, stop)
            + read_pages(database, audit, tick, around, progress, stop)
        )

    try:
        stopped += note_exit(database, audit, tick, fetcher, around)
        stopped += ask(database, audit, tick, fetcher, progress, stop, around.exit)
        stopped += note_exit(database, audit, tick, fetcher, around)
        written = derive(database, audit, tick, progress, look_up)
    except KeyboardInterrupt:
        with database.begin() as connection:
            runs.set_state(connection, tick.id, RunState.INTERRUPTED)
            planned, answered = evidence.progress(connection, tick.id)
        raise Interrupted(
            f"stopped: {answered:,} of {planned:,} answers are kept; go on with: "
            f"monitor run {audit.path} --resume"
        ) from None
    stopped += [
        f"{label}: the control is not what it was in the run before (library or model)"
        for label in sorted(changed_controls(database, audit, tick))
    ]
    with database.begin() as connection:
        planned, answered = evidence.progress(connection, tick.id)
        complete = answered == planned and not lacking
        state = RunState.DONE if complete else RunState.PARTIAL
        runs.set_state(connection, tick.id, state, datetime.now(UTC))
    return Summary(tick, state, planned, answered, written, tuple(dict.fromkeys(stopped + lacking)))


__all__ = [
    "Around",
    "Interrupted",
    "Progress",
    "Stop",
    "Summary",
    "ask",
    "by_lane",
    "changed_controls",
    "check_lexicons",
    "compute_points",
    "derive",
    "find_signals",
    "landing_depth",
    "read_answers",
    "resume",
    "run",
    "sample_requests",
    "start",
    "suspended",
]
