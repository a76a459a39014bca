"""Dates as people read them: in the zone of the archive, on one line."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from monitor.text.quantity_values import say_day, say_short_day

LATE = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)


def test_a_day_is_that_of_the_zone():
    assert say_day(LATE, ZoneInfo("UTC")) == "1\u00a0March\u00a02026"
    assert say_day(LATE, ZoneInfo("Europe/Prague")) == "2\u00a0March\u00a02026"
    assert say_short_day(LATE, ZoneInfo("Europe/Prague")) == "2\u00a0Mar"
