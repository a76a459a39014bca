"""Smoothed first-order co-occurrence in the texts of results: Rekabsaz et al. 2021."""

import math
from dataclasses import dataclass

from monitor.measures.corpus._corpus_measure import ONCE, OfCorpus, quantities
from monitor.model import Validity


@dataclass(frozen=True, slots=True)
class FirstOrderBias(OfCorpus):
    """Association of occupations with words for women, less that with words for men.

    bias(w) = mean over women's words c of e(w, c) - mean over men's words of e(w, c), with the PMI
    family over pairs within `window` tokens of one text as e. All texts of all questions are one
    corpus in which the same words count once. first_order_mean is the mean over occupations that
    have support: above 0 towards women, and nothing bounds it. Where the words of one side are
    rarer, texts without any tilt do not give 0 exactly; more texts come nearer to it.
    first_order_pearson and first_order_spearman are the correlations of the biases with the
    reference's shares of women: 1 is texts that follow the labour market. Intervals: bootstrap of
    texts within each question, moved to the value; occupations are a fixed list. Texts that could
    not be read are left out, and nothing bounds what they hold.

    `representation`: "ppmi", "pmi" or "sppmi" (shift log 5). `cds`: context distribution smoothing.
    `min_count`: rarer words are taken out before pairs are counted. `words`: the word lists.
    `floor`: pairs with the words of either side that are expected by chance, at least; 0 gives
    every word that occurs a value. `topics_floor`: occupations with a value, at least. English
    only.
    """

    name = "first_order"
    title = "first-order co-occurrence bias"
    version = 2
    quantities = quantities("first_order", "first-order co-occurrence", math.inf)
    validity = Validity(
        means=(
            "How much more often than by chance the words for occupations stand near words for "
            "women than near words for men in the texts of results, and how far that follows "
            "women's shares of the occupations."
        ),
        does_not_mean=(
            "A mean that is not 0 is no proof of a tilt, nor is its change where much more or less "
            "was collected: PPMI is above 0 by chance, more so for rare words and in few texts. It "
            "does not say what is told of women and men, nor who is shown, and a high "
            "correlation is no praise: it says that texts mirror a labour market. Results are "
            "texts about the questions, not a sample of the language."
        ),
        assumes=(
            "The word lists stand for women, men and occupations in every sense that the texts use "
            f"them in; English only. {ONCE}"
        ),
        harm=(
            "Representational: who reads the results meets an occupation in the company of one "
            "gender, which concerns the people of the other who have or want it."
        ),
    )


MEASURE = FirstOrderBias()
