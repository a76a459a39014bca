"""PMI, PPMI or SPPMI of a corpus in few dimensions, by singular value decomposition.

The matrix M of associations is nearly U S V' with the d largest singular values. Words get
U S^p, contexts V S^(1-p), so that first order, v_w . u_c, is the best approximation of M of rank d
whatever p is; p decides how much the large components count in the vectors of words: 0.5 is the
symmetric weighting, 0 and 1 the others of Levy, O., Goldberg, Y., Dagan, I. (2015). Improving
distributional similarity with lessons learned from word embeddings. TACL 3, 211-225.
"""

import numpy as np

from monitor.corpus.factors import Factors
from monitor.corpus.pmi import Pmi
from monitor.model import InvalidInput

DIMENSIONS = 300

#: Components of so small a share of the largest are noise of the arithmetic.
_NOTHING = 1e-10


def reduced(
    source: Pmi, dimensions: int = DIMENSIONS, weighting: float = 0.5, seed: int = 0
) -> Factors:
    """Both factors. The same seed gives the same vectors: it chooses where the search starts."""
    from scipy.sparse.linalg import svds  # noqa: PLC0415 - start-up time

    n = len(source.words)
    if not 1 <= dimensions < n:
        raise InvalidInput(
            f"svd: {dimensions:,} dimensions asked for, {n:,} words: at least 1 and fewer than "
            "there are words"
        )
    if not 0 <= weighting <= 1:
        raise InvalidInput(f"svd: weighting is {weighting}; it must be within 0 and 1")
    start = np.random.default_rng(seed).standard_normal(n)
    matrix = source.matrix()
    if not matrix.data.any():
        raise InvalidInput("svd: all associations are 0: take another representation or more text")
    left, sizes, right = svds(matrix, k=dimensions, v0=start, solver="arpack")
    order = np.argsort(-sizes, kind="stable")
    order = order[sizes[order] > _NOTHING * sizes.max()]
    left, sizes, right = left[:, order], sizes[order], right[order].T
    # the sign of a component is free: its largest entry is positive
    signs = np.sign(left[np.abs(left).argmax(axis=0), np.arange(len(order))])
    return Factors(
        source.words,
        left * signs * sizes**weighting,
        right * signs * sizes ** (1.0 - weighting),
    )
