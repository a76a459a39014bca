"""What follows from a run that was derived: what has changed, and whether it is a finding.

A run that was concluded has a mark, of what its values and those of the runs before were made with;
when runs are derived anew, those that come after them are concluded anew as well.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeAlias

from monitor.jobs import Audit
from monitor.model import InvalidInput, MissingPart, RunKind, digest
from monitor.pipeline.begin import turn_of_run
from monitor.pipeline.comparing import compare
from monitor.pipeline.detecting import detect
from monitor.pipeline.lacking import without_doubts
from monitor.pipeline.recomputing import Audits
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import TurnLost, Turns
from monitor.stages import contrast, decisions
from monitor.store import runs
from monitor.store.database import Connection, Database
from monitor.store.runs import Run

#: When a run is decided; None is now.
At: TypeAlias = Callable[[Run], datetime | None]

_STAGE = "compare"
#: Manual runs are not on the grid of ticks.
_COMPARED = frozenset({RunKind.SCHEDULED, RunKind.NOISE, RunKind.CONFIRM})


def _now(_run: Run) -> None:
    pass


def conclude(
    database: Database, audit: Audit, run: Run, progress: Progress, now: datetime | None = None
) -> int:
    """Compare a run with others and decide its tick. Returns the number of findings written.

    The same run concluded again writes nothing new. Whether a finding still waits to be asked again
    depends on `now`.
    """
    if run.kind not in _COMPARED:
        return 0
    with database.read() as connection:
        mark = _mark(connection, run)
    compare(database, audit, run, progress)
    written = detect(database, audit, run, now)
    with database.begin() as connection:
        runs.mark_stage(connection, run.id, _STAGE, mark)
    return written


def _mark(connection: Connection, run: Run) -> str:
    """A digest of what the values of a run, and of its job's runs before it, were made with."""
    made = [(n, without_doubts(one)) for n, one in runs.marks_until(connection, run, "measure")]
    return digest([contrast.VERSION, decisions.VERSION, made])


def conclude_after(
    database: Database,
    redone: Iterable[Run],
    progress: Progress,
    stop: Stop = never,
    at: At = _now,
) -> int:
    """Conclude anew what runs that were derived anew, and those after them, lack.

    The oldest first; a run that another process works on, or whose job cannot be read any more, is
    left to the next time. `at` says when each is decided. Returns how many were. Raises
    KeyboardInterrupt once `stop` says so.
    """
    first: dict[str, datetime] = {}
    for run in redone:
        first[run.job] = min(first.get(run.job, run.due_at), run.due_at)
    with database.read() as connection:
        later = [
            run
            for job, since in sorted(first.items())
            for run in runs.kept(connection, job)
            if run.due_at >= since and run.kind in _COMPARED
        ]
    audits, done = Audits(database), 0
    with Turns(database) as turns:
        for number, run in enumerate(later):
            progress(_STAGE, number, len(later))
            if stop():
                raise KeyboardInterrupt
            with database.read() as connection:
                if runs.stage_done(connection, run.id, _STAGE, _mark(connection, run)):
                    continue
            turn = turns.take(turn_of_run(run.id))
            if turn is None:
                continue
            try:
                fenced = turns.fenced(database, turn)
                conclude(fenced, audits.of(run), run, progress, at(run))
                done += 1
            except (InvalidInput, MissingPart, TurnLost):
                continue
            finally:
                turns.give_back(turn)
    progress(_STAGE, len(later), len(later))
    return done
