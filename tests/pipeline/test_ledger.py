"""The false-discovery ledger: what is written of ticks that could not be tested."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from monitor.pipeline import detecting
from monitor.stages.findings import Look
from monitor.store import changes

FIRST = datetime(2025, 1, 6, 5, tzinfo=UTC)


def test_a_tick_without_a_test_has_no_number_and_is_counted_by_nobody(sqlite_database):
    """As where an engine took the place of another one: its first tick is held against nothing."""
    declared = SimpleNamespace(alpha=0.05)
    with sqlite_database.begin() as connection:
        for week, p in enumerate((None, 0.9, None, 0.8)):
            look = Look(p, int(p is not None), int(p is not None))
            tick = SimpleNamespace(
                due_at=FIRST + timedelta(weeks=week), look=look, declared=declared, digest="0" * 64
            )
            for _, looked in detecting._to_decide(connection, None, "mini", tick):
                changes.keep_look(connection, "mini", looked, FIRST)
        ledger = changes.ledger(connection, "mini")
        assert [one.number for one in ledger] == [0, 1, 0, 2]
        assert [one.alpha is None for one in ledger] == [True, False, True, False]
        assert changes.n_tested(connection, "mini") == 2
