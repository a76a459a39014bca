"""What questions were answered with, before and after: units in, which answers are others out."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from monitor.model import Document, Unit
from monitor.ranked.asked import once

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question was answered with, its repeats together.

    `orders` is how often each list of documents came, of all answered repeats; `words` the texts
    that were read of each document, empty where words have no part in the measure.
    """

    orders: Mapping[Hashable, Fraction]
    words: Mapping[str, frozenset[str]]


def shares_of(lists: Sequence[Hashable]) -> dict[Hashable, Fraction]:
    """How often each of some lists comes among them."""
    return {one: Fraction(n, len(lists)) for one, n in Counter(lists).items()}


def answer(unit: Unit, depth: int | None, *, words: bool) -> Answer:
    """The documents of a question as far as the cut-off, in their order."""
    lists = [once(some)[:depth] for some in unit.documents if some is not None]
    return Answer(
        shares_of([tuple(one.key for one in some) for some in lists]),
        _texts([one for some in lists for one in some]) if words else {},
    )


def _texts(documents: Sequence[Document]) -> dict[str, frozenset[str]]:
    found = defaultdict[str, set[str]](set)
    for one in documents:
        if one.text is not None:
            found[one.key].add(one.text)
    return {key: frozenset(texts) for key, texts in found.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Which of Q queries were answered otherwise: other documents or another order, or any words.

    A text that could not be read on one of the two sides is missing, and no other words.
    """

    lists: Flags
    anything: Flags


def moved(
    before: Mapping[str, Answer], after: Mapping[str, Answer], planned: Sequence[str]
) -> Moved:
    """False for queries that were answered on one side alone."""
    lists, words = (np.zeros(len(planned), np.bool_) for _ in range(2))
    for row, key in enumerate(planned):
        if key in before and key in after:
            one, other = before[key], after[key]
            lists[row] = one.orders != other.orders
            words[row] = any(one.words[k] != other.words[k] for k in one.words.keys() & other.words)
    return Moved(lists, lists | words)


def moved_units(
    before: Sequence[Unit],
    after: Sequence[Unit],
    planned: Sequence[str],
    depth: int | None,
    *,
    words: bool = True,
) -> Moved:
    """The same of units."""
    sides = ({u.key: answer(u, depth, words=words) for u in some} for some in (before, after))
    return moved(next(sides), next(sides), planned)
