"""What one probe says about gender, repeats averaged: classes in, sufficient statistics out.

Every probe counts once, however often it was asked. A repeat is *unknown* when it has no usable
answer or its class is unidentified; it is *read* otherwise, and *marked* when it is masculine or
feminine.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum, auto

import numpy as np

from monitor.model import Floats, GenderClass, Ints, InvalidInput, Matrix, Unit


class Col(IntEnum):
    """Columns of the statistics of one probe; all lie in [0, 1]."""

    MASCULINE = 0  # share of masculine among the marked repeats
    FEMININE = auto()  # share of feminine among the marked repeats
    MARKED = auto()  # 1 if any repeat is marked: the probe is usable
    READ = auto()  # 1 if any repeat is read
    MARKED_SHARE = auto()  # share of marked among the read repeats
    ANSWERED = auto()  # 1 if any repeat has a usable answer
    POSSIBLE = auto()  # 1 if any repeat is marked or unknown: the probe could be usable
    MASCULINE_LOW = auto()  # share of masculine if every unknown repeat were feminine
    MASCULINE_HIGH = auto()  # share of masculine if every unknown repeat were masculine
    MARKED_LOW = auto()  # share of marked if every unknown repeat were unmarked
    MARKED_HIGH = auto()  # share of marked if every unknown repeat were marked
    N_MASCULINE = auto()  # shares of the seven classes among the answered repeats
    N_FEMININE = auto()
    N_BOTH = auto()
    N_INCLUSIVE = auto()
    N_MIXED = auto()
    N_NONE = auto()
    N_UNIDENTIFIED = auto()


_CLASSES = tuple(GenderClass)

#: So many draws of some thousands of units stay in the cache of a processor.
_DRAWS_AT_ONCE = 32

#: A planned probe without any usable answer: nothing but its bounds.
_UNANSWERED = tuple(float(c in {Col.POSSIBLE, Col.MASCULINE_HIGH, Col.MARKED_HIGH}) for c in Col)


def statistics(classes: tuple[GenderClass | None, ...]) -> tuple[float, ...] | None:
    """The columns of `Col` for one probe, or None when none of its repeats has a usable answer."""
    count = Counter(classes)
    answered = len(classes) - count[None]
    if answered == 0:
        return None
    men, women = count[GenderClass.MASCULINE], count[GenderClass.FEMININE]
    marked = men + women
    read = answered - count[GenderClass.UNIDENTIFIED]
    unknown = len(classes) - read
    possible = marked + unknown
    return (
        men / marked if marked else 0.0,
        women / marked if marked else 0.0,
        float(marked > 0),
        float(read > 0),
        marked / read if read else 0.0,
        1.0,
        float(possible > 0),
        men / possible if possible else 0.0,
        (men + unknown) / possible if possible else 0.0,
        marked / len(classes),
        (marked + unknown) / len(classes),
        *(count[cls] / answered for cls in _CLASSES),
    )


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Units sorted by key (and by all else where a key stands twice): sums then never vary."""
    return sorted(
        units, key=lambda u: (u.key, sorted(u.tags.items()), [c or "" for c in u.classes])
    )


def matrix(units: Sequence[Unit]) -> Matrix:
    """One row of columns per planned probe: (units, len(Col))."""
    known: dict[tuple[GenderClass | None, ...], tuple[float, ...]] = {}
    for unit in units:
        if unit.classes not in known:
            known[unit.classes] = statistics(unit.classes) or _UNANSWERED
    rows = [known[unit.classes] for unit in units]
    return np.array(rows, np.float64).reshape(len(rows), len(Col))


def tag_values(units: Sequence[Unit], tag: str, known: Sequence[str] = ()) -> list[str]:
    """The tag of every unit. Raises InvalidInput where it is missing or not among `known`."""
    values = [unit.tags.get(tag, "") for unit in units]
    for unit, value in zip(units, values, strict=True):
        if not value or (known and value not in known):
            allowed = f"one of {', '.join(known)}" if known else "not empty"
            raise InvalidInput(f"probe {unit.key}: tag {tag!r} is {value!r}; it must be {allowed}")
    return values


def rows_by(values: Iterable[str]) -> Mapping[str, list[int]]:
    """Row numbers of each value, in ascending order."""
    found: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        found.setdefault(value, []).append(row)
    return found


def share_by_group(numerator: Floats, denominator: Floats, groups: Ints, weights: Floats) -> Floats:
    """Weighted sum of one column over that of another per group: (draws, groups).

    Groups are 0..max(groups). NaN stands where a group has no weight; it means "undefined" between
    arrays only and never reaches a record. Plain sums instead of a matrix product, because the
    last bits of that depend on the linear algebra library and its threads.
    """
    order = np.argsort(groups, kind="stable")
    present, starts = np.unique(groups[order], return_index=True)
    shares = np.full((len(weights), int(groups.max(initial=-1)) + 1), np.nan)
    if len(present) == 0:
        return shares
    is_ordered = np.array_equal(order, np.arange(len(order)))
    numerator, denominator = numerator[order], denominator[order]
    for first in range(0, len(weights), _DRAWS_AT_ONCE):
        some = weights[first : first + _DRAWS_AT_ONCE]
        ordered = some if is_ordered else some[:, order]
        above = np.add.reduceat(ordered * numerator, starts, axis=1)
        below = np.add.reduceat(ordered * denominator, starts, axis=1)
        # Thirds and fifths add up to a little more than the whole now and then.
        above = np.minimum(above, below)
        found = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        shares[first : first + len(some), present] = found
    return shares
