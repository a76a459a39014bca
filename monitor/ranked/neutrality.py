"""How neutral documents are, and what is left of it down a ranked list.

Rekabsaz, N., Kopeinik, S., Schedl, M. (2021). Societal biases in retrieved contents: Measurement
framework and adversarial mitigation of BERT rankers. SIGIR '21, equations 1 to 4.
"""

from collections.abc import Sequence

import numpy as np

from monitor.model import Floats, Ints

_ROUNDING = 1e-12


def widest(targets: Sequence[float]) -> float:
    """The largest possible sum of |p_g - J_g|: 2 (1 - min J), where one group has everything."""
    return 2.0 * (1.0 - min(targets))


def least_neutral(targets: Sequence[float], *, raw: bool) -> float:
    """The lowest neutrality of any document; below 0 only in the published form."""
    return 1.0 - widest(targets) if raw else 0.0


def neutrality(counts: Ints, targets: Sequence[float], tau: int, *, raw: bool) -> Floats:
    """(...) omega of documents from the magnitudes of their groups, (..., G).

    1 where all groups together have at most `tau` terms, else 1 - sum_g |M_g / sum M - J_g| / max,
    with max = 2 (1 - min J), so that it lies in [0, 1]. `raw` leaves the division out, as published
    for two groups of equal shares, where it makes no difference.
    """
    total = counts.sum(axis=-1)
    shares = counts / np.maximum(total, 1)[..., None]
    distance = np.abs(shares - np.asarray(targets)).sum(axis=-1)
    # max is 1 for two equal shares, and divides nothing there
    scale = 1.0 if raw else widest(targets)
    omega = 1.0 - distance / scale
    # the last bit of a document of one group alone is no neutrality, and would be one to a ratio
    omega = np.where(np.abs(omega) < _ROUNDING, 0.0, omega)
    return np.asarray(np.where(total <= tau, 1.0, omega), dtype=np.float64)
