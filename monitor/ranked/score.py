"""What a measure makes of ranked lists: one number per list, and a summary over queries."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from monitor.model import Floats, Ints
from monitor.stats.intervals import Limits


@dataclass(frozen=True, slots=True, eq=False)
class PerList:
    """One quantity of L ranked lists; every array has shape (L,).

    `values` are NaN where there is no value, for which `reasons` (by row) has a sentence; `low` and
    `high` the lowest and highest that each could be whatever the missing and empty documents hold,
    infinite where nothing bounds it. `documents` of the list within the cut-off, of which `used`
    were read and count, `missing` could not be read and `empty` hold nothing.
    """

    values: Floats
    low: Floats
    high: Floats
    documents: Ints
    used: Ints
    missing: Ints
    empty: Ints
    reasons: Mapping[int, str] = field(default_factory=dict)
    x: Floats | None = None  # genderedness of the query
    influence: Floats | None = None  # how far the summary moves without this query
    #: Further numbers of each list by name, NaN where there is none; their means are `details`.
    further: Mapping[str, Floats] = field(default_factory=dict)
    #: Of queries: which of them are about the same thing (`monitor.clusters`).
    cluster: Ints | None = None


@dataclass(frozen=True, eq=False)
class Score:
    """A measure over the lists of a run.

    `value` is None where there is none, and `reason` says why. `low` and `high`: 95 % interval over
    queries of this kind, that of a mean widened to the lowest and highest value that missing and
    empty documents allow. `bound_low` and `bound_high` are these alone. `per_query` has every query
    of the run, None where it has no value (see `reasons`). `planned` queries, of which `used` have
    a value. `details` are further numbers of the measure, by name.
    """

    name: str
    value: float | None
    per_query: dict[str, float | None]
    planned: int
    used: int
    bound_low: float | None
    bound_high: float | None
    documents: int
    missing: int
    empty: int
    reason: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, float] = field(default_factory=dict)
    #: Computes the interval when it is first asked for.
    limits: Callable[[], Limits | None] = field(default=lambda: None, repr=False)

    @cached_property
    def _interval(self) -> Limits | None:
        return None if self.value is None else self.limits()

    @property
    def low(self) -> float | None:
        """Lower limit; None where one query alone gives no interval."""
        return self._interval.low if self._interval else None

    @property
    def high(self) -> float | None:
        """Upper limit."""
        return self._interval.high if self._interval else None

    @property
    def slope_se(self) -> float | None:
        """Standard error of a slope (GSR); None for other measures."""
        return self.details.get("slope_se")


def finite(value: float | np.floating) -> float | None:
    """A plain number, None for what is not one."""
    return float(value) if np.isfinite(value) else None
