"""What follows from a run that was derived: what has changed, and whether it is a finding.

A run that was concluded has a mark, of what its values and those of the runs before were made with;
when runs are derived anew, those that come after them are concluded anew as well.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeAlias

from monitor.jobs import Audit
from monitor.model import (
    InvalidInput,
    MissingPart,
    StoreBusy,
    StoreFull,
    StoreGone,
    digest,
)
from monitor.pipeline import undecided
from monitor.pipeline.begin import turn_of_run
from monitor.pipeline.comparing import compare
from monitor.pipeline.detecting import detect
from monitor.pipeline.staleness import Audits, without_doubts
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import TurnLost, Turns
from monitor.stages.changes import attribution, comparisons, decisions
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database

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
    written = _concluded(database, audit, run, progress, now, [])
    if written is None:
        return 0
    with database.read() as connection:
        left = undecided.others(connection, run)
    if left:
        _conclude_each(database, left, progress)
    return written


def _concluded(
    database: Database,
    audit: Audit,
    run: Run,
    progress: Progress,
    now: datetime | None,
    compared: list[tuple[Run, str]],
    *,
    decides: bool = True,
) -> int | None:
    """Conclude one run. Returns the findings written; None, with an alarm, where it fails.

    Deciding is of the whole job, so that of several runs the last one decides for all: `compared`
    are those before it with their marks, and takes this one where it does not decide.
    """
    try:
        with database.read() as connection:
            mark = _mark(connection, run)
        compare(database, audit, run, progress)
        compared.append((run, mark))
        if not decides:
            return 0
        written = detect(database, audit, run, now)
        with database.begin() as connection:
            for one, its_mark in compared:
                runs.mark_stage(connection, one.id, runs.COMPARE, its_mark)
            undecided.end_alarm(connection, run.job)
        compared.clear()
    except _ELSEWHERE:
        raise
    except Exception as error:  # noqa: BLE001 - a fault in deciding must never pass unnoticed
        undecided.raise_alarm(database, run, error)
        return None
    return written


def _mark(connection: Connection, run: Run) -> str:
    """A digest of what the values of a run, and of its job's runs before it, were made with."""
    made = [(n, without_doubts(one)) for n, one in runs.read_marks(connection, run, "measure")]
    return digest([comparisons.VERSION, decisions.VERSION, attribution.VERSION, made])


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
            for run in runs.list_ended(connection, job)
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
    lacking = _lacking(database, some)
    last = {run.job: run.id for run in lacking}
    compared: dict[str, list[tuple[Run, str]]] = {}
    with Turns(database) as turns:
        for number, run in enumerate(lacking):
            progress(runs.COMPARE, number, len(lacking))
            if stop():
                raise KeyboardInterrupt
            turn = turns.take(turn_of_run(run.id))
            if turn is None:
                continue
            try:
                fenced = turns.fenced(database, turn)
                before = compared.setdefault(run.job, [])
                decides = last[run.job] == run.id
                written = _concluded(
                    fenced, audits.of(run), run, progress, at(run), before, decides=decides
                )
                done += written is not None
            except (InvalidInput, MissingPart, TurnLost):
                continue
            finally:
                turns.give_back(turn)
    progress(runs.COMPARE, len(lacking), len(lacking))
    return done


def _lacking(database: Database, some: Sequence[Run]) -> list[Run]:
    """Those of some runs that were not concluded by the present versions, or not decided."""
    with database.read() as connection:
        left = {run.id for run in runs.find_undecided(connection)}
        return [
            run
            for run in some
            if run.id in left
            or not runs.is_stage_done(connection, run.id, runs.COMPARE, _mark(connection, run))
        ]
