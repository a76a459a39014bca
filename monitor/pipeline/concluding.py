"""What follows from a run that was derived: what has changed, and whether it is a finding.

A run that was concluded has a mark, of what its values and those of the runs before were made with;
when runs are derived anew, those that come after them are concluded anew as well.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeAlias

from monitor.jobs import Audit
from monitor.model import (
    InvalidInput,
    MissingPart,
    RunKind,
    StoreBusy,
    StoreFull,
    StoreGone,
    digest,
)
from monitor.pipeline import undecided
from monitor.pipeline.begin import audit_of_run, turn_of_run
from monitor.pipeline.comparing import compare
from monitor.pipeline.detecting import detect
from monitor.pipeline.lacking import without_doubts
from monitor.pipeline.recomputing import Audits
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import TurnLost, Turns
from monitor.stages import attribution, contrast, findings
from monitor.store import changes, runs
from monitor.store.database import Connection, Database
from monitor.store.runs import Run

log = logging.getLogger(__name__)

#: When a run is decided; None is now.
At: TypeAlias = Callable[[Run], datetime | None]

#: What ends the whole, and is tried again by whoever began it.
_ELSEWHERE = (StoreBusy, StoreFull, StoreGone, TurnLost)


def _now(_run: Run) -> None:
    pass


def conclude(
    database: Database, audit: Audit, run: Run, progress: Progress, now: datetime | None = None
) -> int:
    """Compare a run with others and decide its tick. Returns the number of findings written.

    The same run concluded again writes nothing new. Whether a finding still waits to be asked again
    depends on `now`. A failure raises the alarm `undecided` and no exception; each later run of the
    job tries again.
    """
    if run.kind not in runs.COMPARED:
        return 0
    written = _concluded(database, audit, run, progress, now)
    if written is None:
        return 0
    with database.read() as connection:
        left = undecided.others(connection, run)
    if left:
        _conclude_each(database, left, progress)
    return written


def _concluded(
    database: Database, audit: Audit, run: Run, progress: Progress, now: datetime | None
) -> int | None:
    """Conclude one run. Returns the findings written; None, with an alarm, where it fails."""
    try:
        with database.read() as connection:
            mark = _mark(connection, run)
            is_first = all(stage != runs.COMPARE for stage, _ in runs.stages(connection, run.id))
        compare(database, audit, run, progress)
        written = detect(database, audit, run, now)
        if run.kind is RunKind.NOISE and is_first:
            written += _decide_late(database, run, now)
        with database.begin() as connection:
            runs.mark_stage(connection, run.id, runs.COMPARE, mark)
            undecided.end_alarm(connection, run.job)
    except _ELSEWHERE:
        raise
    except Exception as error:  # noqa: BLE001 - a fault in deciding must never pass unnoticed
        undecided.raise_alarm(database, run, error)
        return None
    return written


def _decide_late(database: Database, noise: Run, now: datetime | None) -> int:
    """Decide ticks that a noise run counts for and that were decided before it was compared."""
    with database.begin() as connection:
        changes.alone(connection)  # who decides a tick just now may not have seen the noise run
        at = runs.finished(connection, [noise.id]).get(noise.id)
        late = runs.decided_after(connection, noise.job, at) if at else []
    written = 0
    audits = Audits(database)
    for run in late:
        try:
            written += detect(database, audits.of(run), run, now)
        except InvalidInput as error:
            log.warning("findings of run %s stay as they are: %s", run.id, error)
    return written


def _mark(connection: Connection, run: Run) -> str:
    """A digest of what the values of a run, and of its job's runs before it, were made with."""
    made = [(n, without_doubts(one)) for n, one in runs.marks_until(connection, run, "measure")]
    return digest([contrast.VERSION, findings.VERSION, attribution.VERSION, made])


def expire(database: Database, now: datetime) -> int:
    """Decide findings anew that wait to be asked again: their time may be over. Rows written."""
    with database.read() as connection:
        waiting = [runs.get(connection, one) for one in changes.waiting(connection, now)]
    written = 0
    for run in waiting:
        try:
            written += detect(database, audit_of_run(database, run), run, now)
        except _ELSEWHERE:
            raise
        except InvalidInput as error:
            log.warning("findings of run %s stay as they are: %s", run.id, error)
        except Exception as error:  # noqa: BLE001 - see above
            undecided.raise_alarm(database, run, error)
    return written


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
            if run.due_at >= since and run.kind in runs.COMPARED
        ]
    return _conclude_each(database, later, progress, stop, at)


def _conclude_each(
    database: Database,
    some: Sequence[Run],
    progress: Progress,
    stop: Stop = never,
    at: At = _now,
) -> int:
    """Conclude those of some runs that lack it, in their order. Returns how many were."""
    audits, done = Audits(database), 0
    with database.read() as connection:
        left = {run.id for run in runs.undecided(connection)}
    with Turns(database) as turns:
        for number, run in enumerate(some):
            progress(runs.COMPARE, number, len(some))
            if stop():
                raise KeyboardInterrupt
            with database.read() as connection:
                is_done = runs.stage_done(connection, run.id, runs.COMPARE, _mark(connection, run))
            if is_done and run.id not in left:
                continue
            turn = turns.take(turn_of_run(run.id))
            if turn is None:
                continue
            try:
                fenced = turns.fenced(database, turn)
                done += _concluded(fenced, audits.of(run), run, progress, at(run)) is not None
            except (InvalidInput, MissingPart, TurnLost):
                continue
            finally:
                turns.give_back(turn)
    progress(runs.COMPARE, len(some), len(some))
    return done
