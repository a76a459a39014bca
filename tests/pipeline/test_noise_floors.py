"""When a noise floor enters the p of a tick and of what is asked again, and when it is shown."""

import random
from datetime import timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Contrast, Status
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.pipeline import detecting
from monitor.stats.noise import Quiet, floor
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


@pytest.mark.parametrize(
    ("shared", "delta", "status"),
    [(6.0, 3.0, Status.REFUTED), (6.0, 40.0, Status.CONFIRMED), (0.5, 3.0, Status.CONFIRMED)],
    ids=["within the noise", "beyond it", "no shared noise"],
)
def test_asked_again_a_finding_has_to_be_beyond_the_noise_as_well(shared, delta, status):
    """Else a quarter of quiet differences is there again where sentences share a large noise."""
    known = floor([Quiet(shared * (-1) ** day, 1.0, 100) for day in range(8)], 100)
    assert known.counts is (shared > 1)
    declared = SimpleNamespace(within=timedelta(days=2), may_ask=True)
    test = SimpleNamespace(delta=40.0, due_at=DUE)
    again = SimpleNamespace(delta=delta, p=1e-6)
    assert detecting._status(declared, test, again, known, DUE) == (status, again)
    assert detecting._status(declared, test, again, None, DUE)[0] is Status.CONFIRMED
