"""Bootstrap weights of documents whose strata are small: their numbers in, weights of draws out."""

import numpy as np

from monitor.model import Floats, Ints


def rescaled_weights(strata: Ints, draws: int, rng: np.random.Generator) -> Floats:
    """(draws, documents) weights that sum to the size of each stratum.

    Of n documents n - 1 are drawn, and count n / (n - 1) each. Drawing n of n would give sums that
    vary (n - 1) / n as much as they should, half of it where a question has two texts. Rao,
    J. N. K., Wu, C. F. J. (1988). Resampling inference with complex survey data. JASA 83, 231-241.
    A document alone in its stratum stays.
    """
    weights = np.ones((draws, len(strata)))
    order = np.argsort(strata, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(strata[order])) + 1):
        if (n := len(at)) > 1:
            weights[:, at] = rng.multinomial(n - 1, np.full(n, 1 / n), size=draws) * (n / (n - 1))
    return weights
