"""Times of day and distances of days in a cron expression, without time zone and clock."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

_DAY = timedelta(days=1)
#: Days are looked at over so many years, which have three leap days.
_YEARS = 12
_FIRST = datetime(2024, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=512)
def times_of_day(minute: str, hour: str) -> tuple[timedelta, ...]:
    """The times of any day, counted from its midnight."""
    from apscheduler.triggers.cron import CronTrigger  # noqa: PLC0415 - only where a job is read

    trigger = CronTrigger.from_crontab(f"{minute} {hour} * * *", timezone=UTC)
    trigger.end_date = _FIRST + _DAY - timedelta(milliseconds=1)
    times = []
    moment = trigger.get_next_fire_time(None, _FIRST)
    while moment is not None:
        times.append(moment - _FIRST)
        moment = trigger.get_next_fire_time(None, moment + timedelta(minutes=1))
    return tuple(times)


@lru_cache(maxsize=512)
def most_apart(days: str) -> timedelta | None:
    """The longest time between two days that follow each other; None where there are no two.

    `days` are the fields day, month and weekday. Asks each field by itself: to look for the next
    time that all of them name is a hundred times as slow.
    """
    from apscheduler.triggers.cron import CronTrigger  # noqa: PLC0415 - as above

    trigger = CronTrigger.from_crontab(f"0 0 {days}", timezone=UTC)
    date_fields = [
        field for field in trigger.fields if field.name in ("month", "day", "day_of_week")
    ]
    fields = [field for field in date_fields if str(field) != "*"]
    calendar_days = (_FIRST + n * _DAY for n in range(_YEARS * 366))
    days_due = [
        day
        for day in calendar_days
        if all(field.get_next_value(day) == field.get_value(day) for field in fields)
    ]
    return max((later - field for field, later in pairwise(days_due)), default=None)


def longest_wait(cron: str) -> timedelta | None:
    """The longest time between two ticks that follow each other, by a clock that nobody sets.

    None where there are no two in twelve years.
    """
    minute, hour, days = cron.split(maxsplit=2)
    apart, times = most_apart(days), times_of_day(minute, hour)
    if apart is None:
        return None
    within = [later - earlier for earlier, later in pairwise(times)]
    return max(apart - (times[-1] - times[0]), *within, timedelta())
