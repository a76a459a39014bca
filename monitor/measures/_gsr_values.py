"""Slopes and comparisons of slopes in, values for points out."""

from collections.abc import Sequence

from monitor.measures._gsr_compared import Compared
from monitor.measures._ranked_values import answered
from monitor.measures._shared_values import Counts, exploratory, insufficient, measured
from monitor.model import Quantity, Result, Unit, Value

#: The queries that a list calls neutral: those that name no gender themselves.
NEUTRAL = "tag:gender_neutral=yes"


def neutral(units: Sequence[Unit]) -> list[Unit]:
    """The questions that a list says are not about women or men by themselves."""
    return [unit for unit in units if unit.tags.get("gender_neutral") == "yes"]


def value_of(quantity: str, units: Sequence[Unit], found: Compared) -> Value:
    """The value of a comparison, or why there is none."""
    counts = Counts(len(units), sum(map(answered, units)), found.used, 0)
    if found.value is None:
        return insufficient(quantity, "all", counts, found.reason, found.facts)
    return measured(
        quantity, "all", counts, found.value, found.interval, found.bounds, exploratory(counts),
        found.facts,
    )  # fmt: skip


def all_lacking(quantities: Sequence[Quantity], units: Sequence[Unit], reason: str) -> Result:
    """No value of any quantity."""
    nothing = Compared(None, None, None, 0, reason, ())
    return Result(tuple(value_of(quantity.name, units, nothing) for quantity in quantities))
