"""Tables of a job file that follow from its ticks, and the faults of a job file in plain words.

What needs the rest of the job, such as its quantities and targets, is checked by `monitor.jobs`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeVar, get_args
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from monitor import resources
from monitor.cron import longest_wait
from monitor.data import read_toml
from monitor.governance import Text, read_date, require_past
from monitor.model import InvalidInput
from monitor.text.near_names import hint

#: The fields of a cron expression by apscheduler's names, and what each may say.
_CRON_FIELDS = {
    "minute": "0 to 59, */15, 0,30 or *",
    "hour": "0 to 23, */6, 5,17 or *",
    "day": "1 to 31, */2, 1,15 or *",
    "month": "1 to 12, jan to dec or *",
    "day_of_week": "mon to sun, mon-fri or *",
}
#: A family with more primaries would make each of them harder to see.
MOST_PRIMARIES = 4
_LONGEST_FOLDER = 200
_MONTHS = {"month": 1, "quarter": 3}
_Names = TypeVar("_Names", bound=Sequence[str])


def _check_cron(value: str) -> str:
    """Five fields; weekdays by name, because digits mean different days to different programs."""
    fields = value.split()
    if len(fields) != len(_CRON_FIELDS):
        raise ValueError("needs five fields: minute hour day month weekday")
    if re.search(r"\d", fields[4]):
        raise ValueError("name weekdays (mon, tue, ... sun) instead of numbering them")
    from apscheduler.triggers.cron import CronTrigger  # noqa: PLC0415 - only where a job is read

    for (name, allowed), field in zip(_CRON_FIELDS.items(), fields, strict=True):
        try:
            CronTrigger(**{name: field}, timezone="UTC")
        except ValueError:
            title = name.replace("day_of_week", "weekday")
            raise ValueError(f"{title} cannot be {field!r}; write {allowed}") from None
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


# --- faults ---------------------------------------------------------------------------------------

_LONGEST_SAID = 200
_KEY = r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'"""
_DOTTED = rf"(?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(rf"\s*({_DOTTED})\s*=(.*)$")
_ONE_KEY = re.compile(_KEY)
_BLOCK_STRING = re.compile(r'"""|' + "'''")
#: The key that a message begins with.
_PLACE = re.compile(r"[a-z][\w-]*(?:\[\d+\]|\.[\w-]+)*(?=: | = )")

#: Examples of what is missing, forms of names, and what is allowed.
_SAID = read_toml("job_faults")


def quote_value(value: object) -> str:
    """Return what stands in the file, as part of a message."""
    text = value.isoformat() if isinstance(value, date) else repr(value)
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]} ..."


def translate_faults(
    error: ValidationError, model: type[BaseModel], values: Mapping[str, Any]
) -> list[str]:
    """Return a message for each fault that pydantic found in `values`, beginning with its key."""
    faults: dict[str, str] = {}
    for fault_found in error.errors(include_url=False):
        fault_place = _format_place(fault_found["loc"], values)
        faults[fault_place] = f"{fault_place}: {_make_message(fault_found, fault_place, model)}"
    return list(faults.values())


def _make_message(found: Mapping[str, Any], place: str, model: type[BaseModel]) -> str:
    kind, value, ctx = found["type"], found["input"], found.get("ctx", {})
    general = re.sub(r"\[\d+\]", "", place)
    if kind == "missing":
        example = _SAID["examples"].get(general)
        return f"is missing; write {example}" if example else "is missing"
    if kind == "extra_forbidden":
        return f"unknown key; {hint(str(found['loc'][-1]), _keys_beside(found['loc'], model))}"
    if kind in ("literal_error", "enum"):
        allowed = re.findall(r"'([^']*)'", ctx["expected"]) or [ctx["expected"].lower()]
        words = f"must be {'one of ' if len(allowed) > 1 else ''}{', '.join(allowed)}"
    elif kind == "string_pattern_mismatch":
        words = _SAID["names"].get(general, "is not written as it must be; see docs/jobs.md")
    elif kind == "too_short" and isinstance(value, str):
        words = "must not be empty"
    else:
        words = _SAID["allowed"].get(kind, "cannot be used; see docs/jobs.md").format(**ctx)
    if isinstance(value, dict | list) or (isinstance(value, str) and quote_value(value) in words):
        return words
    return f"{words} (it says {quote_value(value)})"


def _format_place(loc: Sequence[int | str], values: object) -> str:
    """`engines[0].pace`: as far as the place is one of the file, but for a key that is missing."""
    path, current = "", values
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
            current = current[part] if isinstance(current, list) and part < len(current) else None
        elif isinstance(current, dict):
            path += f".{part}" if path else part
            current = current.get(part)
    return path


def _keys_beside(loc: Sequence[int | str], model: type[BaseModel]) -> list[str]:
    """Return the keys that the table of a place takes."""
    table = model
    for part in loc[:-1]:
        if isinstance(part, str) and part in table.model_fields:
            table = _model_of(table.model_fields[part].annotation) or table
    return list(table.model_fields)


def _model_of(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_of, get_args(annotation))), None)


# --- lines ----------------------------------------------------------------------------------------


def locate_faults(faults: Iterable[str], text: str) -> list[str]:
    """Put the line of the file before each fault that begins with a key; in the order of lines."""
    lines = _key_lines(text)
    faults_by_line: list[tuple[int, str]] = []
    for fault in dict.fromkeys(faults):
        match = _PLACE.match(fault)
        line = _find_line(match[0], lines) if match else 0
        faults_by_line.append((line, f"line {line}, {fault}" if line else fault))
    return [fault for _, fault in sorted(faults_by_line, key=lambda one: one[0])]


def _find_line(parent_place: str, lines: Mapping[str, int]) -> int:
    """The line of a key, or that of the table that it is in; 0 where there is none."""
    while parent_place and parent_place not in lines:
        parent_place = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]*)$", "", parent_place)
    return lines.get(parent_place, 0)


def _key_lines(text: str) -> dict[str, int]:
    """{`engines[0].pace`: line} of a file that is valid TOML; inline tables are one key."""
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, end = "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        if end:  # within a text of several lines
            end = "" if end in line else end
            continue
        if header := _HEADER.match(line):
            table = _format_key(header[2], counts)
            if header[1] == "[[":
                lines.setdefault(table, number)
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{counts[table]}]"
            lines.setdefault(table, number)
        elif pair := _PAIR.match(line):
            key = _format_key(pair[1], {})
            lines.setdefault(f"{table}.{key}" if table else key, number)
            quote = _BLOCK_STRING.search(pair[2])
            if quote and pair[2].count(quote[0]) == 1:
                end = quote[0]
    return lines


def _format_key(key: str, counts: Mapping[str, int]) -> str:
    """A key without quotation marks; in the newest table of an array, as `engines[1].config`."""
    path = ""
    parts = [part.strip("\"'") for part in _ONE_KEY.findall(key)]
    for index, part in enumerate(parts):
        path += f".{part}" if path else part
        if index < len(parts) - 1 and path in counts:
            path += f"[{counts[path]}]"
    return path


class Faults(InvalidInput):
    """Several things that do not fit, each beginning with its key."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__("; ".join(self.faults))


# --- collecting -----------------------------------------------------------------------------------


def catch_fault(
    check: Callable[..., object], *values: object, place: str = "", **named: object
) -> Iterator[str]:
    """Call a check and yield its fault, with the place in front, if it raises InvalidInput."""
    try:
        check(*values, **named)
    except InvalidInput as error:
        words = str(error)
        table = place.partition("[")[0]
        yield f"{place}: {words.removeprefix(f'{table}: ')}" if place else words
