"""One row per ranked list, made from what was read of it: value, bounds, counts, reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats
from monitor.ranked.lists import rank_discounts
from monitor.ranked.score import PerList
from monitor.ranked.texts import Held

_PERCENT = 100


@dataclass(frozen=True, slots=True, eq=False)
class RankWeights:
    """Reading state at each rank of L lists, (L, K), and the weight of each rank."""

    held: NDArray[np.int8]
    weights: Floats  # (L, K) of the ranks that a list has, 0 behind its end

    @classmethod
    def discounted(cls, held: NDArray[np.int8]) -> "RankWeights":
        """With the weights 1/log2(r + 1)."""
        return cls(held, np.where(held != Held.NOTHING, rank_discounts(held.shape[1]), 0.0))

    def weight(self, *which: Held) -> Floats:
        """(L,) sum of the weights of ranks where one of these is held."""
        return np.asarray(self.of(*which).sum(axis=1), dtype=np.float64)

    def of(self, *which: Held) -> Floats:
        """(L, K) weights of ranks where one of these is held, 0 elsewhere."""
        is_chosen = self.held == which[0]
        for value in which[1:]:
            is_chosen |= self.held == value
        return np.where(is_chosen, self.weights, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class ListValues:
    """Values and bounds of L lists as a formula gives them, before too little was read.

    `certain` (L,) is where nothing that is unknown can move the value: it is its own bounds.
    """

    values: Floats
    low: Floats
    high: Floats
    certain: NDArray[np.bool_]
    #: Why a list that was read has no value.
    undefined: str
    further: Mapping[str, Floats] = field(default_factory=dict)


def per_list(seen: RankWeights, found: ListValues, coverage: float, *readable: Held) -> PerList:
    """Values of lists of which enough was read.

    `readable` are what counts as read; it must hold `coverage` of all weight of a list.
    """
    documents = (seen.held != Held.NOTHING).sum(axis=1)
    total = seen.weights.sum(axis=1)
    share = seen.weight(*readable) / np.where(total > 0, total, 1.0)
    used = (seen.held == Held.TEXT).sum(axis=1)
    enough = (used > 0) & (share >= coverage)
    values = np.where(enough, found.values, np.nan)
    low = np.where(found.certain, values, np.fmin(found.low, values))
    high = np.where(found.certain, values, np.fmax(found.high, values))
    reasons = {
        row: _reason_for_none(int(documents[row]), int(used[row]), float(share[row]), coverage)
        or found.undefined
        for row in np.flatnonzero(~np.isfinite(values)).tolist()
    }
    return PerList(
        values,
        np.where(documents > 0, low, np.nan),
        np.where(documents > 0, high, np.nan),
        documents.astype(np.int64),
        used.astype(np.int64),
        (seen.held == Held.MISSING).sum(axis=1).astype(np.int64),
        (seen.held == Held.EMPTY).sum(axis=1).astype(np.int64),
        reasons,
        further={
            name: np.where(enough, further_values, np.nan)
            for name, further_values in found.further.items()
        },
    )


def _reason_for_none(documents: int, used: int, share: float, coverage: float) -> str:
    """Return why so little gives no value; empty where it is enough."""
    if not documents:
        return "its list is empty"
    if not used:
        return f"none of its {documents} documents has a text"
    if share < coverage:
        return (
            f"what could be read has {_PERCENT * share:.0f} % of the weight of its ranks; "
            f"{_PERCENT * coverage:.0f} % is needed"
        )
    return ""
