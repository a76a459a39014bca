"""w2v_add: the cosine between the mean vector of a question's words and that of a document's.

score(q, d) = cos(sum over q of n_q(t) v(t), sum over d of f v(t)), in [-1, 1]; v(t) is the vector
of a word. Every document with a vector is listed, whether or not it shares a word with the
question; words of the question need not stand in the collection.

Vulic, I., Moens, M.-F. (2015). Monolingual and cross-lingual information retrieval models based on
(bilingual) word embeddings. doi:10.1145/2766462.2767752. Fabris et al. (2020), section 4.1.
"""

import numpy as np

from monitor.model import Floats
from monitor.rankers._means import Means, Vectors
from monitor.rankers.index import Index


def _equal(index: Index) -> Floats:
    return np.ones(len(index.words))


def w2v_add(vectors: Vectors) -> Means:
    """The ranker with these vectors."""
    return Means(vectors, "w2v_add", _equal, own_words=True)
