"""When a noise floor enters the p of a tick, and when it is only shown."""

import random
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Contrast
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.store import claims, comparisons, runs
from monitor.store.schema import changes as changes_table
from tests.factories import (
    DUE,
    Scripted,
    make_job,
    make_list,
    mini_items,
    portuguese,
    quiet,
    run_audit,
)

WEEKS = 8
#: Sentences that flip by themselves, and others that are answered by one of two servers at a run.
APART = mini_items(5)
TOGETHER = [one | {"key": f"t{one['key']}", "text": f"We {one['text']}"} for one in APART]
SERVERS = random.Random(3)  # noqa: S311 - no secret
ODD = [SERVERS.random() < 0.5 for _ in range(2 * WEEKS)]
ODD.append(not ODD[-2])  # the last tick is answered by another server than the one before


def drawn(*what):
    return random.Random(" ".join(map(str, what))).random()  # noqa: S311 - no secret


def is_feminine(item, run):
    """In runs 0, 2, ... of ticks and 1, 3, ... for noise; single sentences change in the last."""
    women = int(item["stereotype"]) <= 7
    moved = ODD[run] if item in TOGETHER else run == 2 * WEEKS
    limit = (0.9 if moved else 0.3) if women else 0.1
    flips = 0.02 if item in TOGETHER else 0.05
    return (drawn(item["key"]) < limit) != (drawn(item["key"], run) < flips)


def answers(run):
    return Scripted(portuguese([*APART, *TOGETHER], lambda item: is_feminine(item, run)))


def asked(database, folder):
    """Eight ticks, each with a noise run on all questions, and one more; the steps of f_s there."""
    make_list(folder, "apart", items=APART)
    make_list(folder, "together", items=TOGETHER)
    lists = [{"name": "apart@1"}, {"name": "together@1"}]
    audit = load_audit(make_job(folder, lists=lists, noise={"share": 1.0}))
    for week in range(WEEKS + 1):
        due_at = DUE + timedelta(weeks=week)
        run_audit(database, audit, answers(2 * week), due_at)
        if week < WEEKS:
            noise = pipeline.start_noise(database, audit, due_at)
            pipeline.run(database, audit, noise, answers(2 * week + 1), quiet)
    with database.read() as connection:
        tick = runs.scheduled_at(connection, "mini", due_at, RunKind.SCHEDULED)
        steps = comparisons.of_run(connection, tick, Contrast.STEP)
    return {one.list: one for one in steps if (one.quantity, one.scope) == ("f_s", "all")}


def found(database, step):
    with database.read() as connection:
        query = sa.select(changes_table.c.id).where(
            changes_table.c.series_id == step.series_id, changes_table.c.is_current,
            changes_table.c.kind == "step", changes_table.c.after_run_id == step.after_run,
        )  # fmt: skip
        number = connection.execute(query).scalar_one_or_none()
        return number and claims.change(connection, number)


def test_a_floor_counts_where_sentences_move_together_and_is_shown_where_not(
    sqlite_database, tmp_path
):
    f_s = asked(sqlite_database, tmp_path)
    assert max(one.p for one in f_s.values()) < 1e-4
    assert found(sqlite_database, f_s["together"]) is None
    change = found(sqlite_database, f_s["apart"])
    assert change["p"] == f_s["apart"].p
    assert change["facts"]["noise_counts"] == 0
    assert 0 <= change["facts"]["shared_noise"] < change["facts"]["shared_noise_high"]
    assert change["noise"] > 0
    assert change["statistic"] == pytest.approx(abs(f_s["apart"].delta) / change["noise"])
