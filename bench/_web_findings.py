"""A small archive with findings: some systems, asked 1,260 questions at each of four ticks.

In goes the address of a database that is not there yet, out come words for what it holds. Each
step of a series is a finding of it, with the answers of both its sides.
"""

from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from bench._points_rows import FIRST_TICK, Size
from bench.many_points import generate
from monitor.change import Cause, ChangeKind, Role, Status
from monitor.model import digest
from monitor.store import migrations
from monitor.store.changes import findings
from monitor.store.changes.findings import StoredChange
from monitor.store.database import connect
from monitor.store.schema import comparisons

SIZE = Size(series=120, ticks=4, jobs=1, questions=1_260, is_compared=True, has_items=True)
NOW = FIRST_TICK + timedelta(weeks=SIZE.ticks)


def fill(url):
    """Make it."""
    database = connect(url, Path("bodies"))
    try:
        migrations.upgrade(database)
        n_points = list(generate(database, SIZE))[-1]
        with database.begin() as connection:
            found = [finding(row) for row in connection.execute(sa.select(comparisons)).mappings()]
            findings.replace_changes(connection, found, (), frozenset(), NOW)
            n_answers = connection.execute(sa.text("SELECT COUNT(*) FROM attempts")).scalar()
            where = connection.dialect.name
        return f"{n_answers:,} answers, {n_points:,} points, {len(found):,} findings, on {where}"
    finally:
        database.close()


def finding(row):
    """A step as if it had been selected."""
    due_at = row["due_at"]
    return StoredChange(
        series_id=row["series_id"], kind=ChangeKind.STEP, role=Role.PRIMARY, family="bench",
        changed_at=due_at, detected_at=due_at, before_run_id=row["before_run_id"],
        after_run_id=row["after_run_id"], comparison_id=row["id"], confirm_id=None,
        before=row["before"], after=row["after"], effect=row["delta"], low=row["low"],
        high=row["high"], p=row["p"], q=row["p"], alpha=0.05, p_beyond=None,
        alpha_beyond=None, noise=None, statistic=None, status=Status.CANDIDATE,
        cause=Cause.OPEN, because="no control",
        sentence="It is another value than a week before.", facts={},
        inputs_digest=digest([row["id"]]),
    )  # fmt: skip
