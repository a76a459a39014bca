"""Whether two measures say the same of the same queries."""

from typing import NamedTuple

from monitor.ranked.score import Score
from monitor.stats.correlation import pearson, spearman


class Correlation(NamedTuple):
    """Over the `n` queries that have a value of both; None below 3, or where one never varies."""

    pearson: float | None
    spearman: float | None
    n: int


def per_query_correlation(a: Score, b: Score) -> Correlation:
    """Correlation of two measures over queries."""
    pairs = [
        (one, other)
        for query, one in a.per_query.items()
        if one is not None and (other := b.per_query.get(query)) is not None
    ]
    x, y = [one for one, _ in pairs], [other for _, other in pairs]
    return Correlation(pearson(x, y), spearman(x, y), len(pairs))
