"""Tables of a job file that follow from its ticks.

What needs the rest of the job, such as its quantities and targets, is checked by `monitor.jobs`.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Annotated, Literal, TypeVar
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from monitor import resources
from monitor.governance import Text, read_date, require_past

#: The fields of a cron expression by apscheduler's names, and what each may say.
_CRON_FIELDS = {
    "minute": "0 to 59, */15, 0,30 or *",
    "hour": "0 to 23, */6, 5,17 or *",
    "day": "1 to 31, */2, 1,15 or *",
    "month": "1 to 12, jan to dec or *",
    "day_of_week": "mon to sun, mon-fri or *",
}
_DAY = timedelta(days=1)
#: Days are looked at from here on over so many years, which have three leap days.
_FIRST, _YEARS = datetime(2024, 1, 1, tzinfo=UTC), 12
#: A family with more primaries would make each of them harder to see.
MOST_PRIMARIES = 4
_LONGEST_FOLDER = 200
_MONTHS = {"month": 1, "quarter": 3}
_Names = TypeVar("_Names", bound=Sequence[str])


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


def _check_cron(value: str) -> str:
    """Five fields; weekdays by name, because digits mean different days to different programs."""
    fields = value.split()
    if len(fields) != len(_CRON_FIELDS):
        raise ValueError(
            "needs five fields: minute hour day month weekday, such as 0 5 * * mon for Mondays at "
            "5:00"
        )
    faults = []
    from apscheduler.triggers.cron import CronTrigger  # noqa: PLC0415 - only where a job is read

    for (name, allowed), field in zip(_CRON_FIELDS.items(), fields, strict=True):
        if name == "day_of_week" and re.search(r"\d", field):
            faults.append("name weekdays (mon, tue, ... sun) instead of numbering them")
            continue
        try:
            CronTrigger(**{name: field}, timezone="UTC")
        except ValueError:
            title = name.replace("day_of_week", "weekday")
            faults.append(f"{title} cannot be {field!r}; write {allowed}")
    if faults:
        raise ValueError("; ".join(faults))
    return value


def require_different(values: _Names) -> _Names:
    """Return the values if no two are the same. Raises ValueError."""
    if len(set(values)) < len(values):
        raise ValueError("names one of them twice")
    return values


def _own_folder(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value or not path.parts:
        raise ValueError("must be a folder below the one that the program works in")
    return value


def _stop_rule(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 1:
            raise ValueError("must be a number of ticks, 1 or more, or a text")
        return value
    if isinstance(value, str) and value.strip():
        return value
    raise ValueError("must be a number of ticks, 1 or more, or a text")


Cron = Annotated[str, AfterValidator(_check_cron)]
TimeZone = Annotated[str, AfterValidator(resources.check_time_zone)]
JobName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
SomeText = Annotated[Text, Field(min_length=1)]
Format = Literal["html", "pdf", "json"]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Day = Annotated[
    date, BeforeValidator(read_date), require_past("write the date on which this was decided")
]
Count = Annotated[int, Field(strict=True, ge=1)]
Primaries = Annotated[
    list[str], Field(min_length=1, max_length=MOST_PRIMARIES), AfterValidator(require_different)
]


class JobTable(BaseModel):
    """A table without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Schedule(JobTable):
    """The due times of a job. `jitter` delays the start by up to so many seconds."""

    cron: Cron
    timezone: TimeZone = "UTC"
    jitter: int = Field(0, ge=0, le=86_400)
    catch_up: Literal["latest", "none", "all"] = "latest"

    @property
    def zone(self) -> ZoneInfo:
        """The schedule's time zone."""
        return ZoneInfo(self.timezone)

    @property
    def longest_wait(self) -> timedelta | None:
        """The longest time between two ticks that follow each other; None: no two for years."""
        return longest_wait(self.cron)


class Noise(JobTable):
    """A share of the questions of every tick is asked again: how much changes when nothing does.

    `after_hours` are counted from the due time of the tick.
    """

    share: Number = Field(default=0.1, gt=0, le=1)
    after_hours: Number = Field(default=24, gt=0, le=8_784)

    @property
    def after(self) -> timedelta:
        """Return the time after a tick when its questions are asked again."""
        return timedelta(hours=self.after_hours)


class Confirm(JobTable):
    """Confirming runs of findings: from so long after the end of their run on.

    `within_hours` are counted from the due time of the tick. `daily_budget` are questions of this
    job's confirming runs per UTC day; None: no limit but those of the engines.
    """

    within_hours: Number = Field(default=48, gt=0, le=720)
    after_hours: Number = Field(default=1, ge=0, le=720)
    daily_budget: Count | None = None

    @property
    def after(self) -> timedelta:
        """Return the least time from the end of its run until a finding is asked again."""
        return timedelta(hours=self.after_hours)

    @property
    def within(self) -> timedelta:
        """Return the most time from the due tick until a finding is asked again."""
        return timedelta(hours=self.within_hours)


class CorpusPeriod(JobTable):
    """The jobs and the period whose answers are read by a job that asks nothing.

    The period is the last of the calendar, in the zone of the schedule, that was over when the tick
    was due: the month before, the week from Monday on, the quarter.
    """

    jobs: Annotated[list[JobName], Field(min_length=1), AfterValidator(require_different)]
    period: Literal["week", "month", "quarter"] = "month"

    def compute_span(self, due_at: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return the beginnings of the period and of the next one, which is not in it."""
        today = due_at.astimezone(zone).date()
        if self.period == "week":
            end = today - timedelta(days=today.weekday())
            begin = end - timedelta(days=7)
        else:
            months = _MONTHS[self.period]
            end = today.replace(month=today.month - (today.month - 1) % months, day=1)
            begin = end
            for _ in range(months):
                begin = (begin - timedelta(days=1)).replace(day=1)
        return _find_midnight(begin, zone), _find_midnight(end, zone)

    def format_title(self, begins_at: datetime, zone: ZoneInfo) -> str:
        """Return the name of the period that begins then: 2026-10, the week of 2026-10-05."""
        first = begins_at.astimezone(zone).date()
        if self.period == "week":
            return f"the week of {first}"
        if self.period == "month":
            return f"{first:%Y-%m}"
        return f"quarter {(first.month + 2) // _MONTHS[self.period]} of {first.year}"


def _find_midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


class ReportSchedule(JobTable):
    """A report of several ticks: when it is due, what it covers, and its folder."""

    cron: Cron
    timezone: TimeZone = "UTC"
    folder: Annotated[
        Text, Field(min_length=1, max_length=_LONGEST_FOLDER), AfterValidator(_own_folder)
    ] = "reports"
    formats: Annotated[list[Format], Field(min_length=1), AfterValidator(require_different)] = [
        "html",
        "pdf",
        "json",
    ]
    covers: Literal["job", "all"] = "job"

    @property
    def schedule(self) -> Schedule:
        """The same as a schedule without jitter."""
        return Schedule(cron=self.cron, timezone=self.timezone, jitter=0)


class Families(JobTable):
    """The quantities whose changes are tested first, of every engine and target."""

    primaries: Primaries


class Preregistration(JobTable):
    """Declarations before the first tick: `monitor preregister` hashes and dates them.

    `stop_rule` is a number of ticks, or a text. `date` is when it was decided.
    """

    hypothesis: SomeText
    primaries: Primaries
    targets: Annotated[list[str], Field(min_length=1), AfterValidator(require_different)]
    alpha: Number = Field(default=0.05, gt=0, le=0.5)
    smallest_effect: dict[str, Annotated[Number, Field(gt=0)]]
    stop_rule: Annotated[int | SomeText, BeforeValidator(_stop_rule)]
    date: Day | None = None
