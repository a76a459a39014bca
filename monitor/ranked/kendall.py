"""Pairs of ranked lists in, how many pairs of documents they order otherwise out.

Fagin, R., Kumar, R., Sivakumar, D. (2003). Comparing top k lists. SIAM Journal on Discrete
Mathematics 17(1), 134-160: the Kendall distance with penalty 1/2, as a share of all pairs.
"""

from collections.abc import Sequence

import numpy as np

_LEAST = 2


def kendall_distance(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Share of the pairs of documents of either list that stand the other way round, in [0, 1].

    A document that a list lacks stands behind all that it has; a pair that a list lacks whole is in
    no order there and counts one half. 0 is the same list, 1 the reverse; None below two documents.
    """
    every = list(dict.fromkeys((*first, *second)))
    if len(every) < _LEAST:
        return None
    orders = []
    for one in (first, second):
        place = {document: rank for rank, document in enumerate(one)}
        ranks = np.array([place.get(document, len(one)) for document in every])
        orders.append(np.sign(ranks[:, None] - ranks[None, :]))
    above = np.triu_indices(len(every), 1)
    return float(np.mean((1 - orders[0][above] * orders[1][above]) / 2))
