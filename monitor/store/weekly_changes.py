"""What the weekly report reads of changes: comparisons, noise, findings, ledger, as plain rows.

So many queries for each job as there are here, however many series it has.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import State
from monitor.store.schema import (
    changes,
    comparisons,
    engines,
    lists,
    looks,
    run_lists,
    runs,
    series_keys,
)
from monitor.store.weekly import ALL, Row, over_all, plain_rows


def compared(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Comparisons of some runs, over all questions, with the time of the run before."""
    before = runs.alias()
    query = (
        sa.select(comparisons, before.c.due_at.label("before_due_at"))
        .join(before, before.c.id == comparisons.c.before_run_id)
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .where(
            comparisons.c.after_run_id.in_(run_ids), comparisons.c.is_current,
            comparisons.c.contrast.in_(
                [Contrast.STEP, Contrast.WEEK, Contrast.FIRST, Contrast.ENGINES]
            ),
            series_keys.c.scope == ALL,
        )
        .order_by(comparisons.c.series_id, comparisons.c.contrast, comparisons.c.id)
    )  # fmt: skip
    return plain_rows(connection, query)


def list_versions(connection: sa.Connection, run_ids: Iterable[int]) -> dict[tuple[int, str], str]:
    """{(run, list): label of the version that it asked}."""
    query = (
        sa.select(run_lists.c.run_id, lists.c.name, lists.c.version)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .where(run_lists.c.run_id.in_(sorted(set(run_ids))))
    )
    return {(run, name): f"{name}@{version}" for run, name, version in connection.execute(query)}


def noise(
    connection: sa.Connection, until: datetime
) -> dict[int, dict[str, list[tuple[float, int, float | None]]]]:
    """{series: {contrast: (difference, questions, spread) of each tick}} when nothing changed.

    Of what was asked again at once (minutes), and a day later (days).
    """
    columns = ("series_id", "contrast", "delta", "n", "facts")
    query = (
        sa.select(*(comparisons.c[name] for name in columns))
        .where(
            comparisons.c.series_id.in_(over_all()),
            comparisons.c.is_current,
            comparisons.c.contrast.in_([Contrast.MINUTES, Contrast.DAYS]),
            comparisons.c.state == State.MEASURED,
            comparisons.c.due_at <= until,
        )
        .order_by(comparisons.c.due_at, comparisons.c.id)
    )
    found: dict[int, dict[str, list[tuple[float, int, float | None]]]] = {}
    for series_id, contrast, delta, n, facts in connection.execute(query):
        known = delta, n, facts.get("spread")
        found.setdefault(series_id, {}).setdefault(contrast, []).append(known)
    return found


def found_changes(connection: sa.Connection, names: Sequence[str], until: datetime) -> list[Row]:
    """Changes in force that were known at a time, with the comparisons that they come from.

    Of any scope: a change may be that of one stereotype. Their order does not depend on their
    numbers, which differ where a package is recomputed.
    """
    tested, again = comparisons.alias("tested"), comparisons.alias("again")
    s, e = series_keys, engines
    query = (
        sa.select(
            changes, runs.c.job, s.c.list, s.c.engine_id, e.c.name.label("engine"), e.c.kind.label(
                "engine_kind"), s.c.source_lang, s.c.target, s.c.measure, s.c.quantity,
            s.c.reference, s.c.scope,
            *(tested.c[name].label(f"tested_{name}")
              for name in ("test", "n", "changed", "only_before", "only_after", "facts")),
            *(again.c[name].label(f"again_{name}")
              for name in ("due_at", "delta", "low", "high", "n", "state", "reason")),
        )
        .join(s, s.c.id == changes.c.series_id)
        .join(e, e.c.id == s.c.engine_id)
        .join(runs, runs.c.id == changes.c.after_run_id)
        .outerjoin(tested, tested.c.id == changes.c.comparison_id)
        .outerjoin(again, again.c.id == changes.c.confirm_id)
        .where(runs.c.job.in_(names), changes.c.is_current, changes.c.detected_at <= until)
        .order_by(
            changes.c.detected_at, changes.c.changed_at, runs.c.job, e.c.name, s.c.source_lang,
            s.c.target, s.c.list, s.c.measure, s.c.quantity, s.c.scope, changes.c.kind,
            changes.c.id)
    )  # fmt: skip
    return plain_rows(connection, query)


def ledger(
    connection: sa.Connection, names: Sequence[str], after: datetime, until: datetime
) -> list[Row]:
    """The ledger of some jobs in a stretch of time."""
    query = sa.select(looks).where(
        looks.c.job.in_(names), looks.c.due_at > after, looks.c.due_at <= until
    )
    return plain_rows(connection, query.order_by(looks.c.job, looks.c.due_at))
