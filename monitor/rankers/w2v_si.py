"""w2v_si: as w2v_add, but a word weighs as much as it surprises in the collection.

score(q, d) = cos(sum over q of n_q(t) s(t) v(t), sum over d of f s(t) v(t)), in [-1, 1];
s(t) = -ln p(t) with p(t) = share of t among all tokens of the collection. Words of the question
that the collection lacks are left out: nothing is known of how much they surprise.

Vulic, I., Moens, M.-F. (2015). Monolingual and cross-lingual information retrieval models based on
(bilingual) word embeddings. doi:10.1145/2766462.2767752. Fabris et al. (2020), section 4.1.
"""

import numpy as np

from monitor.model import Floats
from monitor.rankers._means import Means, Vectors
from monitor.rankers.index import Index


def _surprise(index: Index) -> Floats:
    return np.asarray(-np.log(index.frequencies / max(index.meta.tokens, 1)))


def w2v_si(vectors: Vectors) -> Means:
    """The ranker with these vectors."""
    return Means(vectors, "w2v_si", _surprise, own_words=False)
