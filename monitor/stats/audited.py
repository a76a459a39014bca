"""Shares of an audited output: answers by called class and what people read in, shares out.

So many answers of each *called* class were drawn at random and read. How often a call is right is
then known of each class, and the share of a truth in the whole output is the sum over called
classes of their share times that (Tenenbein 1972). The classes called and the truths need not be
the same, shares may be of a part (masculine among marked), and a class that has hardly any answers
may be read whole.

Of two classes it is what Rogan & Gladen (1978) correct to, with the sensitivity and the specificity
in the whole output; those of the sheet itself are others, because of rare calls as many are drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from monitor.model import Floats
from monitor.stats.chance import hypergeometric_law
from monitor.stats.intervals import Z95

#: Answers of a called class that have to be read; below that nothing is corrected.
LEAST_AUDITED = 10


@dataclass(frozen=True, slots=True)
class Corrected:
    """A share as it was called, and as people read it with its 95 % interval, all in [0, 1].

    Without a `rate` the `reason` says why.
    """

    raw: float | None
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class SharePlace(Enum):
    """Position of a class in a share of top among top and rest."""

    TOP = auto()
    REST = auto()
    OUTSIDE = auto()


#: Truths that are told apart: one item is added to each before limits are taken, so that an audit
#: without an error is not taken for an instrument without one.
_TRUTHS = len(SharePlace)
#: Parts of answers add up to whole ones but for rounding.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Called:
    """Answers of one called class: their number, and what people read in those drawn of them.

    An answer that people read in different ways counts in parts.
    """

    name: str
    answers: int
    place: SharePlace  # of the class as it was called
    top: float = 0
    rest: float = 0
    outside: float = 0

    def __post_init__(self) -> None:
        if min(self.top, self.rest, self.outside) < 0 or self.read > self.answers + _ROUNDING:
            raise ValueError(f"nobody can read more than there is: {self!r}")

    @property
    def read(self) -> float:
        """Answers that people read."""
        return self.top + self.rest + self.outside

    @property
    def least(self) -> int:
        """Return how many have to be read: all of a class that has hardly any."""
        return min(LEAST_AUDITED, self.answers)


def audited_share(called: Sequence[Called]) -> Corrected:
    """Return the share of top among top and rest, as called and as people read, with 95 % limits.

    rate = sum_j q_j P(top | j) / sum_j q_j P(top or rest | j) over the called classes j, q_j their
    shares. Tenenbein, A. (1972). A double sampling scheme for estimating from misclassified
    multinomial data with applications to sampling inspection. Technometrics 14(1), 187-202. Limits
    by the delta method for a ratio, from counts with one item added to each truth of each class. It
    holds for the output that was drawn from, where each answer counts once.
    """
    called_classes = [called_class for called_class in called if called_class.answers]
    raw = _raw_share(called_classes)
    if not called_classes:
        return Corrected(raw, reason="nothing was measured")
    for called_class in called_classes:
        if called_class.read < called_class.least - _ROUNDING:
            return Corrected(
                raw,
                reason=f"{called_class.read:.0f} of at least {called_class.least} read of what was "
                f"called {called_class.name}",
            )
    answers = np.array([called_class.answers for called_class in called_classes], np.float64)
    top = np.array([called_class.top for called_class in called_classes], np.float64)
    both_rests = top + [called_class.rest for called_class in called_classes]
    read = np.array([called_class.read for called_class in called_classes], np.float64)
    of_both = float((answers * both_rests / read).sum())
    if not of_both:
        return Corrected(raw, reason="people read none of these classes in it")
    rate = float((answers * top / read).sum()) / of_both
    half, centre = _ratio_limits(answers, top, both_rests, read)
    return Corrected(
        raw,
        rate,
        low=min(max(centre - half, 0.0), rate),
        high=max(min(centre + half, 1.0), rate),
    )


def _raw_share(classes: Sequence[Called]) -> float | None:
    top = sum(
        called_class.answers for called_class in classes if called_class.place is SharePlace.TOP
    )
    rest = sum(
        called_class.answers for called_class in classes if called_class.place is SharePlace.REST
    )
    return top / (top + rest) if top + rest else None


def _ratio_limits(
    answers: Floats,
    top: Floats,
    both: Floats,
    read: Floats,
) -> tuple[float, float]:
    """(half width, centre) of the limits."""
    size = read + _TRUTHS
    p_top, p_both = (top + 1) / size, (both + 2) / size
    counts = answers + Z95 * Z95 / len(answers)
    shares = counts / counts.sum()
    of_both = float((shares * p_both).sum())
    ratio = float((shares * p_top).sum()) / of_both
    mean = p_top - ratio * p_both
    within = p_top * (1 - ratio) ** 2 + (p_both - p_top) * ratio**2 - mean**2
    between = (shares * mean**2).sum() - (shares * mean).sum() ** 2
    variance = (shares**2 * within / size).sum() + between / counts.sum()
    return Z95 * float(variance) ** 0.5 / of_both, ratio


def drop_within(classes: Sequence[tuple[int, int, int, int]]) -> float | None:
    """Return the one-sided p of "calls are as often right as at the audit before, in every class".

    `classes` are (right before, read before, right after, read after). Fisher's exact test where
    there is one class; with more the right ones are spread by chance within each, so that other
    numbers drawn of a class are no fall. Birch, M. W. (1964). The detection of partial association,
    I: the 2 x 2 case. Journal of the Royal Statistical Society B 26(2), 313-324. None where no
    class was read both times.
    """
    law = np.ones(1)
    right = 0
    is_known = False
    for right_before, n_before, right_after, n_after in classes:
        if not (0 <= right_before <= n_before and 0 <= right_after <= n_after):
            raise ValueError("an audit cannot have more right ones than items")
        if n_before and n_after:
            is_known = True
            right += right_after
            class_law = hypergeometric_law(n_before + n_after, right_before + right_after, n_after)
            law = np.convolve(law, class_law)
    return min(float(law[: right + 1].sum()), 1.0) if is_known else None
