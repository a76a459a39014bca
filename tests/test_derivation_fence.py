"""Two processes derive one run: the one that stood still stores nothing once another has it."""

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.model import RunKind
from monitor.pipeline.changes import conclusion
from monitor.pipeline.derive import readings, values
from monitor.pipeline.schedule.leases import TurnLost
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows

ITEMS = mini_items(2)
TABLES = ("readings", "items", "agreements", "points", "stages_done", "looks", "changes")


@pytest.fixture
def audit(tmp_path):
    return make_audit(tmp_path, items=ITEMS)


def derived(database):
    """All that was derived, as it stands, with ids and times."""
    return {name: rows(database, f"SELECT * FROM {name} ORDER BY 1, 2") for name in TABLES}


def expire(database):
    """The process stood still for longer than its lease."""
    with database.begin() as connection:
        connection.execute(sa.text("UPDATE leases SET until = '2000-01-01 00:00:00.000000'"))


def collected(database, audit):
    """A run that was asked and not derived from yet."""
    run = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    fetcher = Scripted(portuguese(ITEMS))
    pipeline.ask(database, audit, run, fetcher, quiet)
    return run, fetcher


def frozen_in(monkeypatch, module, name, meanwhile):
    """Let something happen, once, between reading and storing in a step."""
    real = getattr(module, name)
    happened = []

    def late(*args, **named):
        result = real(*args, **named)
        if not happened:
            happened.append(name)
            meanwhile()
        return result

    monkeypatch.setattr(module, name, late)
    return happened


STEPS = [
    (readings, "parse_portion"),
    (readings, "hear_portion"),
    (values, "measure_values"),
    (conclusion, "compare_run"),
]


@pytest.mark.parametrize(("module", "step"), STEPS, ids=[name for _, name in STEPS])
def test_the_late_one_stores_nothing_and_says_so(database, audit, monkeypatch, module, step):
    run, fetcher = collected(database, audit)
    seen = {}

    def other():
        expire(database)
        pipeline.run(database, audit, run, fetcher, quiet)
        seen.update(derived(database))

    happened = frozen_in(monkeypatch, module, step, other)
    with pytest.raises(TurnLost, match="another process works on this now"):
        pipeline.run(database, audit, run, fetcher, quiet)
    assert happened
    assert seen["points"]
    assert derived(database) == seen
    assert rows(database, "SELECT state FROM runs") == [{"state": "done"}]
