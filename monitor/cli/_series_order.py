"""Which series of one system come first, and which are told of together.

In go series as the database gives them, system by system, out they come in the order in which the
measure names its quantities, those that are tested first before all.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, Protocol

from monitor import registry
from monitor.model import InvalidInput, Kind
from monitor.names import base_name
from monitor.stages import _report_words as words
from monitor.store.changes.series import ALL, Series
from monitor.store.changes.series_summaries import SeriesSummary

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Folded:
    """Parts of the questions of which one quantity never had a value."""

    quantity: str
    n: int


def system(one: Series) -> tuple[str, ...]:
    """What the series of one table have in common."""
    return (
        one.job, one.list, one.engine, one.surface, one.source_lang, one.target, one.measure,
        one.reference,
    )  # fmt: skip


def ordered(series: Sequence[Series]) -> list[Series]:
    """Series of one system after the other, as they came; in each the primaries first."""
    found: list[Series] = []
    for _, some in groupby(series, key=system):
        found += sorted(some, key=system_place)
    return found


class _About(Protocol):
    """What has a place: a series, or a finding about one."""

    @property
    def measure(self) -> str: ...
    @property
    def quantity(self) -> str: ...
    @property
    def scope(self) -> str: ...


def system_place(one: _About) -> tuple[Any, ...]:
    """Where it stands among others of its system: all questions before parts of them."""
    known = _known(one.measure, one.quantity)
    at = known.index(one.quantity) if known else 0
    return one.scope != ALL, not known, at, one.quantity, _natural(one.scope)


@cache
def _known(measure: str, quantity: str) -> tuple[str, ...]:
    """The quantities of the measure that has this one, primaries first; empty for old names.

    A measure that is computed for two kinds of engines may have others for each.
    """
    family = words.registered(base_name(measure))
    for kind in Kind:
        try:
            found = registry.measure(family, kind)
        except InvalidInput:
            continue
        own = [one.name for one in found.quantities]
        if quantity in own:
            return tuple(dict.fromkeys([*found.primaries, *own]))
    return ()


def _natural(scope: str) -> list[tuple[int, str]]:
    """`stereotype:2` before `stereotype:10`."""
    return [(int(one), "") if one.isdecimal() else (0, one) for one in _DIGITS.split(scope)]


def folded(
    series: Sequence[Series], summaries: Mapping[int, SeriesSummary]
) -> tuple[list[Series], list[Folded]]:
    """(series of a system to be shown, those over parts that never had a value, by quantity)."""
    empty = [
        one
        for one in series
        if one.scope != ALL and (of := summaries.get(one.id)) is not None and not of.n_measured
    ]
    left = {one.id for one in empty}
    by_quantity: dict[str, int] = {}
    for one in empty:
        by_quantity[one.quantity] = by_quantity.get(one.quantity, 0) + 1
    shown = [one for one in series if one.id not in left]
    return shown, [Folded(name, n) for name, n in by_quantity.items()]
