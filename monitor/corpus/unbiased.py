"""The unbiased area: how far words lie from neither side on the whole, as a band around 0.

Associations with either side are brought to 0 to 1 by the least and the largest that any word of
the vocabulary has with either of them. The threshold is the mean of |women - men| over the
vocabulary: biases between -threshold and +threshold are as large as those of any word. [Rekabsaz et
al. 2021, Figures 2 and 3]. (The code that the authors published takes the least association off the
threshold as well; a difference does not change by what is taken off both sides.)
"""

from dataclasses import dataclass

import numpy as np

from monitor.corpus.bias import Biases


@dataclass(frozen=True, slots=True)
class Unbiased:
    """The threshold on the scale from 0 to 1, and the associations that lie at its ends.

    `n` of the `n_total` words have a bias.
    """

    threshold: float
    low: float
    high: float
    n: int
    n_total: int

    def association(self, value: float) -> float:
        """An association with one side, on the scale."""
        return (value - self.low) / (self.high - self.low)

    def bias(self, value: float) -> float:
        """A difference of two associations, on the scale."""
        return value / (self.high - self.low)


def unbiased(every: Biases) -> Unbiased | None:
    """The area of the biases of all words of a vocabulary.

    None where no word has one, where all associations are the same, and for measures without sides.
    """
    found = np.array(
        [
            [one.women, one.men]
            for one in every.words
            if one.women is not None and one.men is not None
        ]
    ).reshape(-1, 2)
    if not len(found) or found.min() == found.max():
        return None
    low, high = float(found.min()), float(found.max())
    threshold = float(np.abs(found[:, 0] - found[:, 1]).mean()) / (high - low)
    return Unbiased(threshold, low, high, len(found), len(every.words))
