"""Place of occupations along the direction from words for men to words for women: DIRECTIONAL."""

import math
from dataclasses import dataclass

from monitor.corpus.bias import Method
from monitor.measures.corpus._corpus_measure import OfCorpus, quantities, vector_validity


@dataclass(frozen=True, slots=True)
class Directional(OfCorpus):
    """Position of the vectors of occupations along the direction from men's words to women's.

    bias(w) = w . g, g the first principal component, about the origin, of the differences of pairs
    (her - him, woman - man, ...), at unit length; w is not brought to unit length. 0 is no tilt,
    above 0 towards women, and nothing bounds it.

    A word's vector is its associations with all words of the texts (`representation`: "ppmi", "pmi"
    or "sppmi"). All texts of all questions are one corpus in which the same words count once.
    directional_mean is the mean over occupations that have support, directional_pearson and
    directional_spearman are the correlations with the reference's shares of women. Parameters,
    intervals and floors are those of first_order.
    """

    name = "directional"
    title = "DIRECTIONAL word bias"
    version = 2
    method = Method.DIRECTIONAL
    quantities = quantities("directional", "place along the gender direction", math.inf)
    validity = vector_validity(
        "How far the company that words for occupations keep lies towards that of the words "
        "for women, along the line that tells pairs such as her and him apart best."
    )


MEASURE = Directional()
