"""How far every document moves a slope: lists with their genderedness in, one row each out."""

from dataclasses import dataclass

import numpy as np

from monitor.model import InvalidInput
from monitor.ranked.asked import Asked
from monitor.ranked.genderedness_lists import Gendered
from monitor.ranked.slope import Slope, usable


@dataclass(frozen=True, slots=True)
class DocumentInfluence:
    """One document in one list: `influence` = (g(q) - mean g) / Sxx * weight * g.

    The slope is the sum of all influences (Fabris et al. 2020, equation 5): a positive one raises
    it. `weight` is the share of the rank in its list; a query with several lists shares it among
    them.
    """

    query: str
    document: str
    rank: int
    g: float
    weight: float
    influence: float


def document_influence(given: Asked, found: Gendered, slope: Slope) -> list[DocumentInfluence]:
    """Every document that counts, in the order of the lists. Raises InvalidInput without slope."""
    if slope.line is None:
        raise InvalidInput(f"no slope that a document could move: {slope.reason}")
    kept = usable(slope.found)
    pull = np.zeros(len(kept))
    pull[kept] = slope.line.centred / slope.line.sxx
    number = {key: row for row, key in enumerate(given.planned)}
    row = np.array([number[query] for query in found.lists.queries], np.int64)
    valued = np.isfinite(found.per_list.values)
    lists = np.bincount(row[valued], minlength=len(kept))
    list_no, rank = np.nonzero(np.isfinite(found.documents) & kept[row][:, None])
    g = found.documents[list_no, rank]
    query = row[list_no]
    weight = found.shares[list_no, rank] / lists[query]
    influence = pull[query] * weight * g
    names = found.lists.documents
    return [
        DocumentInfluence(given.planned[q], names[document], place, *numbers)
        for q, document, place, *numbers in zip(
            query.tolist(),
            found.lists.table[list_no, rank].tolist(),
            (rank + 1).tolist(),
            g.tolist(),
            weight.tolist(),
            influence.tolist(),
            strict=True,
        )
    ]
