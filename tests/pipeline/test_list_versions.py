"""Ticks that were asked with two versions of a list: which questions are compared."""

import pytest
import sqlalchemy as sa

from monitor.change import Contrast
from monitor.jobs import load_audit
from monitor.store.schema import comparisons, series_keys
from tests.factories import (
    DUE,
    Scripted,
    make_audit,
    make_job,
    make_list,
    mini_items,
    portuguese,
    run_audit,
)


@pytest.mark.both_databases
def test_questions_of_one_version_alone_are_counted_on_their_side(database, tmp_path):
    """Of 32 questions two are dropped, three reworded under their key, and five are new."""
    items = mini_items()
    first = make_audit(tmp_path)
    run_audit(database, first, Scripted(portuguese(items)), due_at=DUE)
    reworded = [item | {"text": item["text"].replace("tired", "weary")} for item in items[2:5]]
    new = [items[n] | {"key": f"new-{n}", "text": f"I am new {n}."} for n in range(5)]
    changed = [*reworded, *items[5:], *new]
    make_list(tmp_path, version=2, items=changed)
    second = load_audit(make_job(tmp_path, lists=[{"name": "mini@2"}]))
    after = run_audit(database, second, Scripted(portuguese(changed)), due_at=DUE.replace(day=28))
    query = (
        sa.select(comparisons)
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .where(
            comparisons.c.after_run_id == after.run.id,
            comparisons.c.contrast == Contrast.STEP,
            series_keys.c.quantity == "marked_share",
            series_keys.c.scope == "all",
        )
    )
    with database.read() as connection:
        row = connection.execute(query).one()
    assert (row.n, row.only_before, row.only_after, row.changed) == (27, 2 + 3, 3 + 5, 0)
    # A question that one list alone asks is no missing answer.
    assert (row.facts["bound_low"], row.facts["bound_high"]) == (0, 0)
    assert "p_missing" not in row.facts
