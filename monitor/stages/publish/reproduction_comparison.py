"""Compare recomputed numbers with published ones. Pure.

In go an open transaction and a job, out come the values of its reports as of the ticks at which one
was made, and as of its newest tick. Row numbers are left out: they are those of one database.

Two sets of values under the same names give those that differ; what could not be compared is
counted with the reason. A number that rests on something that is not in the package may differ.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from monitor.change import ChangeKind
from monitor.model import InvalidInput, canonical_json
from monitor.stages.publish.package_files import Elsewhere, Manifest, Row
from monitor.store.database import Connection
from monitor.store.publish.reproduction import parse_time
from monitor.store.publish.reproduction_numbers import Numbers, Value

# --- numbers of weekly reports --------------------------------------------------------------------

_ZONE = ZoneInfo("UTC")
_CLOCK = "it depends on when the daemon of an installation looked, and at what"
_APART = "look-ups are in no package"
_DECIDED = "it depends on when an installation decided its ticks"
_SWITCHED = "it depends on when an installation computed, and its charts went over"
#: What a report lists of an installation: folders and hosts are in it, so that only how many there
#: were is in a package; and why that number may be another. Numbers of lists are left out of names.
INSTALLATION = {
    "missing.alarms": _CLOCK,
    "missing.clock": _CLOCK,
    "load.suspensions": _CLOCK,
    "load.lookups": _APART,
    "missing.charts_behind": _SWITCHED,
    "missing.undecided": _DECIDED,
    "headline.ours": _SWITCHED,
    "origin.switches": _SWITCHED,
    "charts.charts.switches": _SWITCHED,
}
_NUMBER = re.compile(r"\[\d+\]")


def name_installation(name: str) -> str:
    """Return why a value of a report may be another in every installation; or ""."""
    return INSTALLATION.get(_NUMBER.sub("", name), "")


def reports_of_job(
    connection: Connection, job: str, times: Iterable[datetime]
) -> Iterator[Numbers]:
    """The values of the weekly reports of a job; none where there is nothing to report."""
    from monitor.stages.reports.weekly.report import make_weekly  # noqa: PLC0415 - only where one is computed

    for moment in times:
        try:
            result = make_weekly(connection, [job], moment, _ZONE)
        except InvalidInput:
            continue
        when = moment.isoformat()
        values = dict(_flat(json.loads(result.json), ""))
        yield Numbers("reports", (job, when), f"weekly report of {job}", when, job, "", values)


def _flat(value: Any, place: str) -> Iterator[tuple[str, Value]]:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, dict):
        for name, part in value.items():
            inner = f"{place}.{name}" if place else str(name)
            if name_installation(inner):
                yield inner, len(part)
            elif name != "id" and not name.endswith("_id"):
                yield from _flat(part, inner)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _flat(part, f"{place}[{number}]")
    elif isinstance(value, bool):
        yield place, str(value).lower()
    else:
        yield place, value


# --- comparison -----------------------------------------------------------------------------------

#: Numbers with a point may differ by so much of the larger one; counts and texts not at all.
TOLERANCE = 1e-12
#: And by so much in any case: an end of an interval beside 0 is the difference of larger numbers,
#: whose last bits depend on the processor.
FLOOR = 1e-15
#: So many differences are named, of all kinds together; of others it is known how many there are.
MOST_NAMED = 100_000


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """One value that is not what was published.

    None of both: `n` values of a row that only one side has, and `name` says which.
    """

    kind: str
    of: str
    at: str
    name: str
    published: Value
    recomputed: Value
    n: int = 1


@dataclass(slots=True)
class ValueTally:
    """Numbers of compared values of a kind, by result.

    `missing` should be there and are not; `closed` cannot be recomputed from such a package.
    """

    equal: int = 0
    different: int = 0
    missing: int = 0
    closed: int = 0


@dataclass(slots=True)
class ComparisonResult:
    """Comparison of all values, by kind; `reasons` says why values are missing or closed."""

    tallies: dict[str, ValueTally] = field(default_factory=dict)
    differences: list[ValueDifference] = field(default_factory=list)
    unnamed: Counter[str] = field(default_factory=Counter)  # differences by kind beyond the most
    reasons: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # kind, what, why

    def of(self, kind: str) -> ValueTally:
        """The tally of a kind."""
        return self.tallies.setdefault(kind, ValueTally())

    @property
    def is_equal(self) -> bool:
        """Return whether all that can be recomputed is there and equal."""
        return not any(tally.different or tally.missing for tally in self.tallies.values())

    @property
    def n(self) -> int:
        """Values of all kinds, whatever became of them."""
        return sum(sum(astuple(tally)) for tally in self.tallies.values())

    @property
    def n_closed(self) -> int:
        """Values that were not recomputed, because the package says that they cannot be."""
        return sum(tally.closed for tally in self.tallies.values())

    def hold(
        self,
        kind: str,
        of: str,
        at: str,
        published: Mapping[str, Value],
        recomputed: Mapping[str, Value],
        excuse: Callable[[str], str] = lambda _name: "",
    ) -> None:
        """Compare values that have the same name; a name that only one side has differs.

        `excuse` says of a name why a difference is none; or "".
        """
        tally = self.of(kind)
        for name in [*published, *(name for name in recomputed if name not in published)]:
            value, this_value = recomputed.get(name), published.get(name)
            if name in published and name in recomputed and is_same(this_value, value):
                tally.equal += 1
            elif why := excuse(name):
                self.leave(kind, 1, why, closed=True)
            else:
                self._differ(ValueDifference(kind, of, at, name, this_value, value))

    def absent(self, kind: str, of: str, at: str, said: str, n: int = 1) -> None:
        """Values that only one of the two sides has: `said` is which."""
        self._differ(ValueDifference(kind, of, at, said, None, None, n))

    def _differ(self, one: ValueDifference) -> None:
        self.of(one.kind).different += one.n
        if len(self.differences) < MOST_NAMED:
            self.differences.append(one)
        else:
            self.unnamed[one.kind] += one.n

    def leave(self, kind: str, n: int, why: str, *, closed: bool) -> None:
        """Count values that nothing can be held against, with the reason."""
        tally, what = self.of(kind), "closed" if closed else "missing"
        setattr(tally, what, getattr(tally, what) + n)
        self.reasons[kind, what, why] += n


def is_same(one: Value, other: Value) -> bool:
    """Return whether two values are the same number, or the same text."""
    if isinstance(one, float) or isinstance(other, float):
        if isinstance(one, str | None) or isinstance(other, str | None):
            return False
        return abs(one - other) <= max(TOLERANCE * max(abs(one), abs(other)), FLOOR)
    return one == other


class Published(BaseModel):
    """A row of published values."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: str
    key: Annotated[list[str], Field(min_length=1, max_length=4)]
    of: str
    at: str
    job: str
    signature: str
    values: dict[str, str | int | float | None]

    @property
    def name(self) -> tuple[str, ...]:
        """The key, as a name that a table can have."""
        return tuple(self.key)


def list_published(row: Mapping[str, Any]) -> Published:
    """A row as it was read. Raises InvalidInput."""
    try:
        return Published.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput(f"published: a row that is none: {first['msg']}") from error


def read_values(row: Mapping[str, Any], heard: Sequence[int]) -> tuple[dict[str, Value], ...]:
    """(what was read, what was heard) of a reading as values; of these versions of languages.

    Of erased texts nothing is heard again.
    """
    read: dict[str, Value] = {
        "outcome": row["outcome"], "reason": row["reason"], "results": len(row["items"]),
    }  # fmt: skip
    signals: dict[str, Value] = {}
    for item in row["items"]:
        position = f"{item['block']} {item['rank']}"
        read |= {f"{position} {name}": item[name] for name in ("text", "url", "title", "entity")}
        read |= {f"{position} {name}": value for name, value in (item["score"] or {}).items()}
        for entry in [] if item["erased"] else item["signals"]:
            if entry["language_id"] in heard:
                where = f"{position} {entry['cue']} {entry['language_id']}"
                signals |= {
                    f"{where} {name}": entry[name]
                    for name in ("class", "masculine", "feminine", "rule")
                }
                signals[f"{where} witnesses"] = canonical_json(entry["witnesses"])
    return read, signals


class Groups:
    """Published rows by what their key begins with: a run or a job, in their order."""

    def __init__(self, portions: Iterator[list[Row]], kind: str) -> None:
        self._rows = (list_published(row) for rows in portions for row in rows)
        self._kind = kind
        self._next: Published | None = next(self._rows, None)

    def take(self, group: str) -> dict[tuple[str, ...], Published]:
        """The rows of a group, by key. Raises InvalidInput for one that is there twice."""
        entries: dict[tuple[str, ...], Published] = {}
        while self._next is not None and self._next.key[0] == group:
            item = self._next
            if item.name in entries or item.kind != self._kind:
                raise InvalidInput(f"published/{self._kind}: a row that is there twice")
            entries[item.name] = item
            self._next = next(self._rows, None)
        return entries

    def end(self) -> None:
        """Raise InvalidInput for rows of a run or job that the package does not have."""
        if self._next is not None:
            raise InvalidInput(
                f"published/{self._kind}: rows of something that is not in the package, or not in "
                "order"
            )


ERASED = "computed before something that it may rest on was erased"
WORKED_ON = "may rest on a run that was worked on while the package was written"
AUDITED = "said by an audit of the instrument that is not in this package"

#: What an audit says of a finding.
_CAUSE = frozenset({"cause", "because"})
_BACK = frozenset({ChangeKind.SHIFT})


class Excuses:
    """Reasons by what is not in a package."""

    def __init__(self, manifest: Manifest) -> None:
        self._since = [
            (why, {job: parse_time(position, why) for job, position in group.items()})
            for why, group in ((ERASED, manifest.erased), (WORKED_ON, manifest.worked_on))
        ]
        self._doubts = manifest.doubts
        self._signatures = manifest.signatures

    def of_row(self, one: Published | Numbers) -> str:
        """Return why all of a row may differ, or be on one side alone; or ""."""
        back = not _BACK.isdisjoint(one.key)
        for why, group in self._since:
            since = group.get(one.job)
            if since is not None and (back or parse_time(one.at, "at") >= since):
                return why
        text = one.kind == "reports" and any(one.job in doubt.jobs for doubt in self._doubts)
        return AUDITED if text else ""

    def of_value(self, one: Published | Numbers, name: str) -> str:
        """Return why a value may differ; or ""."""
        if one.kind == "reports" and (why := name_installation(name)):
            return why
        in_doubt = (one.kind == "points" and name == "flags") or (
            one.kind == "changes" and name in _CAUSE
        )
        if in_doubt and any(self._is_about(doubt, one) for doubt in self._doubts):
            return AUDITED
        return self.of_row(one)

    def _is_about(self, known: Elsewhere, one: Published | Numbers) -> bool:
        if one.job not in known.jobs:
            return False
        parts: Mapping[str, object] = self._signatures.get(one.signature, {})
        if one.signature and parts.get("language") != known.language:
            return False
        moment = parse_time(one.at, "at")
        is_early = known.since is not None and moment < parse_time(known.since, "doubts")
        return not (
            is_early or (known.until is not None and moment > parse_time(known.until, "doubts"))
        )
