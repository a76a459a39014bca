"""Holds what is recomputed against what was published, number by number. Pure.

In go two sets of values under the same names, out come those that differ; what could not be held
against anything is counted with the reason.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from monitor.model import InvalidInput, canonical_json

Value: TypeAlias = str | int | float | None

#: Numbers with a point may differ by so much of the larger one; counts and texts not at all.
TOLERANCE = 1e-12
#: So many differences are named, of all kinds together; of others it is known how many there are.
MOST_NAMED = 100_000


@dataclass(frozen=True, slots=True)
class Difference:
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


def _never(_name: str) -> str:
    return ""


@dataclass(slots=True)
class Tally:
    """How many values of a kind were held against each other, and with what result.

    `missing` should be there and are not; `closed` cannot be recomputed from such a package.
    """

    equal: int = 0
    different: int = 0
    missing: int = 0
    closed: int = 0


@dataclass(slots=True)
class Result:
    """What became of all values, by kind; `reasons` says why values are missing or closed."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    unnamed: Counter[str] = field(default_factory=Counter)  # differences by kind beyond the most
    reasons: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # kind, what, why

    def of(self, kind: str) -> Tally:
        """The tally of a kind."""
        return self.tallies.setdefault(kind, Tally())

    @property
    def is_equal(self) -> bool:
        """Whether all that can be recomputed is there and equal."""
        return not any(one.different or one.missing for one in self.tallies.values())

    @property
    def n(self) -> int:
        """Values of all kinds, whatever became of them."""
        return sum(sum(astuple(one)) for one in self.tallies.values())

    @property
    def n_closed(self) -> int:
        """Values that were not recomputed, because the package says that they cannot be."""
        return sum(one.closed for one in self.tallies.values())

    def hold(
        self,
        kind: str,
        of: str,
        at: str,
        published: Mapping[str, Value],
        recomputed: Mapping[str, Value],
        excuse: Callable[[str], str] = _never,
    ) -> None:
        """Compare values that have the same name; a name that only one side has differs.

        `excuse` says of a name why a difference is none; or "".
        """
        tally = self.of(kind)
        for name in [*published, *(name for name in recomputed if name not in published)]:
            mine, theirs = recomputed.get(name), published.get(name)
            if name in published and name in recomputed and same(theirs, mine):
                tally.equal += 1
            elif why := excuse(name):
                self.leave(kind, 1, why, closed=True)
            else:
                self._differ(Difference(kind, of, at, name, theirs, mine))

    def absent(self, kind: str, of: str, at: str, said: str, n: int = 1) -> None:
        """Values that only one of the two sides has: `said` is which."""
        self._differ(Difference(kind, of, at, said, None, None, n))

    def _differ(self, one: Difference) -> None:
        self.of(one.kind).different += one.n
        if len(self.differences) < MOST_NAMED:
            self.differences.append(one)
        else:
            self.unnamed[one.kind] += one.n

    def leave(self, kind: str, n: int, why: str, *, closed: bool) -> None:
        """Count values that nothing can be held against, with the reason."""
        tally = self.of(kind)
        if closed:
            tally.closed += n
        else:
            tally.missing += n
        self.reasons[kind, "closed" if closed else "missing", why] += n


def same(one: Value, other: Value) -> bool:
    """Whether two values are the same number, or the same text."""
    if isinstance(one, float) or isinstance(other, float):
        if isinstance(one, str | None) or isinstance(other, str | None):
            return False
        return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))
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


def published(row: Mapping[str, Any]) -> Published:
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
        place = f"{item['block']} {item['rank']}"
        read |= {f"{place} {name}": item[name] for name in ("text", "url", "title", "entity")}
        read |= {f"{place} {name}": value for name, value in (item["score"] or {}).items()}
        for one in [] if item["erased"] else item["signals"]:
            if one["language_id"] in heard:
                where = f"{place} {one['cue']} {one['language_id']}"
                signals |= {
                    f"{where} {name}": one[name]
                    for name in ("class", "masculine", "feminine", "rule")
                }
                signals[f"{where} witnesses"] = canonical_json(one["witnesses"])
    return read, signals
