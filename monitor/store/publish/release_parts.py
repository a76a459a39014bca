"""Parts of a release that grows: the rows of a table by run, or by job and month.

A part is written once. Its token is a digest of what its rows follow from, read from tables that
have a few rows for each run, so that finding what is new takes no longer as an archive grows.
"""

import hashlib
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from monitor.store.maintenance.erasure import ERASE_STAGE
from monitor.store.publish import release
from monitor.store.publish.release import ReleaseSelection, Resource, Row
from monitor.store.rows import UtcDateTime, split_values
from monitor.store.schema import (
    attempts,
    changes,
    items,
    looks,
    runs,
    signatures,
    stages_done,
    switches,
    ticks,
)
from monitor.store.selectables import READ_ITEMS

#: The column with the run of a row, of tables that are parted by run.
_RUN_COLUMNS = {
    "points_current": "run_id", "masculine_rates": "run_id", "topics_current": "run_id",
    "queries_current": "run_id", "pronouns": "run_id", "coverage": "run_id", "requests": "run_id",
    "corpora_current": "run_id", "answers": "run_id", "comparisons_current": "after_run_id",
}  # fmt: skip
#: Tables that are parted by job and month.
_BY_MONTH = ("series_points", "changes_current", "ledger", "due_ticks")
_BY_ARCHIVE = ("series_switches", "instruments")
#: Items that one query names.
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ReleasePart:
    """Tables whose rows follow from the same things: those of a run, of a month, of the archive.

    `tokens_before` are those that it had before each erasure that took something from its run, in
    their order; `erased_at` is the time of the last.
    """

    job: str
    month: str  # such as 2026-11; empty: of the archive
    run: int | None
    tables: tuple[str, ...]
    token: str
    tokens_before: tuple[str, ...] = ()
    erased_at: datetime | None = None

    @property
    def erased(self) -> int:
        """The number of erasures that took something from its run."""
        return len(self.tokens_before)

    @property
    def name(self) -> str:
        """The name of this part, which stays when its rows change."""
        return f"{self.job}/{self.month}/{'' if self.run is None else self.run}"


def list_resources(*, full: bool) -> dict[str, Resource]:
    """Return {name: table} of a release that grows. `series` is a view of its `series_points`."""
    names = (*_RUN_COLUMNS, *_BY_MONTH, *_BY_ARCHIVE)
    return {table.name: table for table in release.list_resources(full=full) if table.name in names}


def list_parts(
    connection: sa.Connection, selection: ReleaseSelection, schema: str
) -> list[ReleasePart]:
    """Return the parts of an archive, by job, month and run. Runs that have not ended have none."""
    resources = list_resources(full=selection.full)
    shape = [schema, {name: [c.name for c in table.columns] for name, table in resources.items()}]
    parts = []
    months: dict[tuple[str, str], list[Any]] = defaultdict(list)
    basis: dict[str, list[tuple[datetime, str]]] = defaultdict(list)  # ended runs of a job
    marks = _read_marks(connection)
    every_run = connection.execute(_select_runs(selection)).all()
    last_end = {run.job: run.due_at for run in every_run if run.finished_at}
    for run in every_run:
        month, stages = _say_month(run.due_at), marks.get(run.id, [])
        if not run.finished_at:  # a due tick once a later one has ended
            months[run.job, month].append([run.id, run.state, last_end.get(run.job) or ""])
            continue
        seen = [mark for mark in stages if mark[0] != ERASE_STAGE]
        erasures = sorted((mark for mark in stages if mark[0] == ERASE_STAGE), key=itemgetter(2))
        about = [run.id, run.state, run.finished_at, run.due_at]
        *before, token = (
            _hash([shape, [*about, *sorted([*seen, *erasures[:n]])]])
            for n in range(len(erasures) + 1)
        )
        erased_at = erasures[-1][2] if erasures else None
        part = ReleasePart(
            run.job, month, run.id, tuple(_RUN_COLUMNS), token, tuple(before), erased_at
        )
        parts.append(part)
        unerased = [*before, token][0]  # what is erased is in answers alone
        months[run.job, month].append(unerased)
        basis[run.job].append((run.due_at, unerased))
    for job, at, content in _read_dated(connection, selection):
        months[job, _say_month(at)].append(content)
    switched = _read_newest(connection, switches)
    for (job, month), contents in sorted(months.items()):
        # a tick without a run is shown by what the run before it asked
        n_earlier = bisect_left(basis[job], (_find_month(month)[0], ""))
        earlier = [token for _, token in basis[job][max(0, n_earlier - 1) : n_earlier]]
        token = _hash([shape, switched, earlier, *contents])
        parts.append(ReleasePart(job, month, None, _BY_MONTH, token))
    token = _hash([shape, switched, _read_newest(connection, signatures)])
    return [*parts, ReleasePart("", "", None, _BY_ARCHIVE, token)]


def read_part(
    connection: sa.Connection, resource: Resource, part: ReleasePart, selection: ReleaseSelection
) -> Iterator[list[Row]]:
    """Yield portions of the rows of a table that a part holds."""
    where = []
    if part.run is not None:
        where.append(sa.column(_RUN_COLUMNS[resource.name]) == part.run)
    elif part.month:
        first, after = _find_month(part.month)
        column = sa.column(resource.time, UtcDateTime)
        where += [column >= first, column < after]
        selection = replace(selection, jobs=(part.job,))
    yield from release.read_rows(connection, resource, selection, where)


def read_erased(
    connection: sa.Connection, resource: Resource, part: ReleasePart, selection: ReleaseSelection
) -> Iterator[list[Row]]:
    """Yield portions of the answers of a run from which something was erased, as they are now."""
    of_run = sa.select(items.c.id).select_from(READ_ITEMS).where(
        attempts.c.run_id == part.run, items.c.erasure_id.is_not(None)
    )  # fmt: skip
    ids = connection.execute(of_run).scalars().all()
    for some in split_values(ids, _AT_ONCE):
        where = [sa.column("run_id") == part.run, sa.column("item_id").in_(some)]
        yield from release.read_rows(connection, resource, selection, where)


def _select_runs(selection: ReleaseSelection) -> sa.Select[Any]:
    query = sa.select(
        runs.c.id, runs.c.job, runs.c.due_at, runs.c.state, runs.c.finished_at
    ).order_by(runs.c.due_at, runs.c.id)
    return query.where(runs.c.job.in_(selection.jobs)) if selection.jobs else query


def _read_marks(connection: sa.Connection) -> dict[int, list[tuple[str, str, datetime]]]:
    """Return (stage, version, time) of everything that has seen a run, by run."""
    marks: dict[int, list[tuple[str, str, datetime]]] = defaultdict(list)
    query = sa.select(stages_done).order_by(*stages_done.primary_key)
    for row in connection.execute(query):
        marks[row.run_id].append((row.stage, row.version, row.done_at))
    return marks


def _read_dated(
    connection: sa.Connection, selection: ReleaseSelection
) -> Iterator[tuple[str, datetime, list[Any]]]:
    """Yield (job, time, content) of ticks, decided ticks and changes."""
    of_change = sa.join(changes, runs, runs.c.id == changes.c.after_run_id)
    for job, at, query in (
        (ticks.c.job, ticks.c.due_at, sa.select(ticks.c.state, ticks.c.reason, ticks.c.run_id)),
        (looks.c.job, looks.c.due_at, sa.select(looks.c.inputs_digest, looks.c.computed_at)),
        (
            runs.c.job,
            changes.c.detected_at,
            sa.select(changes.c.id).select_from(of_change).where(changes.c.is_current),
        ),
    ):
        dated = query.add_columns(job.label("of_job"), at.label("at")).order_by(job, at)
        if selection.jobs:
            dated = dated.where(job.in_(selection.jobs))
        for row in connection.execute(dated.order_by(*query.selected_columns)):
            yield row.of_job, row.at, list(row)


def _read_newest(connection: sa.Connection, table: sa.Table) -> int:
    return connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0


def _hash(content: Sequence[Any]) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, default=_say_time)
    return hashlib.sha256(text.encode()).hexdigest()


def _say_time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat()


def _say_month(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m")


def _find_month(month: str) -> tuple[datetime, datetime]:
    """Return the beginning of a month and of the next, UTC."""
    year, number = map(int, month.split("-"))
    after = (year + number // 12, number % 12 + 1, 1)
    return datetime(year, number, 1, tzinfo=UTC), datetime(*after, tzinfo=UTC)
