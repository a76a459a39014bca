"""Mean likeness of occupations to each word for women and for men: AVERAGE_HIGH."""

from dataclasses import dataclass

from monitor.corpus.bias import Method
from monitor.measures.corpus._corpus_measure import OfCorpus, quantities, vector_validity


@dataclass(frozen=True, slots=True)
class AverageHigh(OfCorpus):
    """Similarity of occupations to each of the women's words, less that to each of the men's.

    bias(w) = mean over women's words c of cos(w, c) - mean over men's words of cos(w, c), from -2
    to 2; 0 is no difference, above 0 towards women.

    A word's vector is its associations with all words of the texts (`representation`: "ppmi", "pmi"
    or "sppmi"). All texts of all questions are one corpus in which the same words count once.
    average_high_mean is the mean over occupations that have support, average_high_pearson and
    average_high_spearman are the correlations with the reference's shares of women. Parameters,
    intervals and floors are those of first_order.
    """

    name = "average_high"
    title = "AVERAGE_HIGH word bias"
    version = 2
    method = Method.AVERAGE_HIGH
    quantities = quantities("average_high", "likeness to single words", 2.0)
    validity = vector_validity(
        "How much more the company that words for occupations keep is like that of each word "
        "for women, on the mean, than like that of each word for men."
    )


MEASURE = AverageHigh()
