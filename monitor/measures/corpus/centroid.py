"""Likeness of occupations to the mean vector of words for women and for men: CENTROID."""

from dataclasses import dataclass

from monitor.corpus.bias import Method
from monitor.measures.corpus._corpus_measure import OfCorpus, quantities, vector_validity


@dataclass(frozen=True, slots=True)
class Centroid(OfCorpus):
    """Similarity of the vectors of occupations to women's words, less that to men's words.

    bias(w) = cos(w, mean vector of the women's words) - cos(w, that of the men's), from -2 to 2; 0
    is no difference, above 0 towards women.

    A word's vector is its associations with all words of the texts (`representation`: "ppmi", "pmi"
    or "sppmi"). All texts of all questions are one corpus in which the same words count once.
    centroid_mean is the mean over occupations that have support, centroid_pearson and
    centroid_spearman are the correlations with the reference's shares of women. Parameters,
    intervals and floors are those of first_order.
    """

    name = "centroid"
    title = "CENTROID word bias"
    version = 2
    method = Method.CENTROID
    quantities = quantities("centroid", "likeness to the mean vector", 2.0)
    validity = vector_validity(
        "How much more the company that words for occupations keep is like that of the words "
        "for women, taken together, than like that of the words for men."
    )


MEASURE = Centroid()
