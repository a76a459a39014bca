"""A run as lists and its own pages begin: what it is, and how far it has come."""

from datetime import datetime

from pydantic import BaseModel

from monitor.model import RunKind, RunState
from monitor.store.collect import evidence
from monitor.store.database import Connection
from monitor.store.reports import run_list
from monitor.store.reports.run_list import ListedRun
from monitor.web.site._errors import Missing
from monitor.web.site._kept import MOVING, Kept
from monitor.web.site._visitor import Visitor

_kept = Kept(longest=MOVING)


class RunRow(BaseModel):
    """A run in a list. `settled` of `planned` questions have ended, with an answer or without."""

    number: int
    job: str
    due_at: datetime
    kind: RunKind
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    code_version: str
    settled: int | None
    planned: int | None


def found(connection: Connection, who: Visitor, number: int) -> ListedRun:
    """A run that a visitor may see. Raises Missing."""
    known = run_list.find_run(connection, who.hidden, number)
    if known is None:
        raise Missing(f"there is no run {number}")
    return known


def row(connection: Connection, who: Visitor, one: ListedRun) -> RunRow:
    """A run; how far it has come is counted only while it goes on, twice a minute at most."""
    is_open = one.state in (RunState.RUNNING, RunState.INTERRUPTED)
    planned, settled = (
        _kept.get(
            connection, who, ("progress", one.id),
            lambda: evidence.count_progress(connection, one.id, who.hidden),
        )
        if is_open
        else (None, None)
    )  # fmt: skip
    return RunRow(
        number=one.id, job=one.job, due_at=one.due_at, kind=one.kind, state=one.state,
        created_at=one.created_at, finished_at=one.finished_at, code_version=one.code_version,
        settled=settled, planned=planned,
    )  # fmt: skip
