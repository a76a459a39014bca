"""Due times of the runs that a change rests on: charts show these, orders count repeats."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor.change import ChangeKind
from monitor.stages.changes.due_times import DueTimes, OrderedChange, _count

FIRST = datetime(2026, 1, 5, tzinfo=UTC)
#: Ten due times; each is asked twice, but for the first one.
TIMES = [FIRST + timedelta(weeks=week) for week in range(10) for _ in range(1 if week == 0 else 2)]


def change(week, n_before, n_since, kind=ChangeKind.STEP, until=9):
    facts = {"chance": 0.001, "runs_before": float(n_before), "runs_since": float(n_since)}
    at = [FIRST + timedelta(weeks=number) for number in (week, until)]
    return OrderedChange(1, 1, kind, *at, facts)


@pytest.mark.parametrize(
    ("ordered", "bases", "counted"),
    [
        (change(8, 15, 4), [0], DueTimes(8, 2)),
        (change(8, 6, 3), [9], DueTimes(3, 2)),  # of the level since an earlier change
        (change(8, 40, 4), [0], DueTimes(None, 2)),  # runs that are not known here
        (change(8, 16, 3, ChangeKind.DRIFT), [0], DueTimes(9, 2)),
        (change(9, 16, 1, ChangeKind.DRIFT), [1, 2], DueTimes(None, 1)),  # a level begins at either
        (change(9, 15, 5), [0], DueTimes(8, None)),
        (change(20, 15, 4), [0], DueTimes()),
    ],
)
def test_runs_of_one_due_time_count_once(ordered, bases, counted):
    assert _count(ordered, TIMES, bases) == counted
