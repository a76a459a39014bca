"""Biases of occupations against women's shares in them: two columns in, correlations out.

The shares are those that ship: the words of WinoBias and of the US census 2015, as Rekabsaz et al.
2021 take them. Correlations keep their sign: above 0 where words for occupations of many women
stand nearer to words for women. (The code that the authors published prints absolute values.)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from monitor.data import read_table
from monitor.stats.correlation import fisher_interval, pearson, spearman

#: Name of a target, and its source in `monitor/data/sources.toml`.
TARGETS = {"winobias": "cps_winobias", "census": "census2015_garg"}

#: What people call them.
TITLES = {"census": "US census 2015", "winobias": "US labour force (WinoBias, 2018)"}

_TOO_FEW = "fewer than 3 words have a bias and a share, or one of the columns is constant"


@dataclass(frozen=True, slots=True)
class LabourCorrelation:
    """One coefficient over the `n` of `n_total` words of a target that have a bias.

    The interval is Fisher's: words are taken for a sample, the corpus as given.
    """

    name: str  # spearman, pearson
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_total: int
    missing: tuple[str, ...]
    reason: str = ""


@cache
def target_shares(name: str) -> Mapping[str, float]:
    """Women's share by the word of a source that ships: a name of `TARGETS`."""
    rows = (*read_table("us_labour"), *read_table("us_labour_words"))
    source = TARGETS[name]
    return {row["word"]: float(row["share"]) for row in rows if row["source"] == source}


def correlate_shares(
    biases: Mapping[str, float], shares: Mapping[str, float]
) -> tuple[LabourCorrelation, ...]:
    """Spearman's and Pearson's correlation over the words that have both."""
    words = [word for word in shares if word in biases]
    missing = tuple(word for word in shares if word not in biases)
    x, y = [biases[word] for word in words], [shares[word] for word in words]
    results = []
    for name, coefficient in (("spearman", spearman), ("pearson", pearson)):
        value = coefficient(x, y)
        limits = None if value is None else fisher_interval(value, len(x), ranks=name == "spearman")
        low, high = (None, None) if limits is None else (limits.low, limits.high)
        reason = _TOO_FEW if value is None else ""
        results.append(
            LabourCorrelation(name, value, low, high, len(words), len(shares), missing, reason)
        )
    return tuple(results)
