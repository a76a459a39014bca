"""Agreement of two raters with its limits: their names and ratings in, one row out."""

from collections.abc import Sequence
from typing import TypedDict

from monitor.stats.agreement import Rating, cohen_kappa, pairs_of, raw_agreement
from monitor.stats.agreement_limits import kappa_limits, raw_limits
from monitor.stats.intervals import Limits


class AgreedPair(TypedDict):
    """Raw agreement and Cohen's kappa of two raters over the `n` items that both rated."""

    first: str
    second: str
    n: int
    agreement: float | None
    agreement_limits: Limits | None
    kappa: float | None
    kappa_limits: Limits | None


def agreed_pair(
    first: tuple[str, Sequence[Rating]], second: tuple[str, Sequence[Rating]]
) -> AgreedPair:
    """Each rater is (name, one entry per item, None where there is no rating)."""
    two = first[1], second[1]
    return {
        "first": first[0],
        "second": second[0],
        "n": pairs_of(*two).total(),
        "agreement": raw_agreement(two),
        "agreement_limits": raw_limits(*two),
        "kappa": cohen_kappa(*two),
        "kappa_limits": kappa_limits(*two),
    }
