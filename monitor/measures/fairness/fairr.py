"""FaiRR: the neutrality of documents, summed down a ranked list."""

import math
from dataclasses import dataclass

import numpy as np

from monitor.measures._shared import SCORE, flag, make_quantity, ratio_of, whole
from monitor.measures.fairness._term_measures import OfTerms, least_neutral, neutrality
from monitor.model import Validity
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import rank_discounts
from monitor.ranked.score import ListValues, PerList, RankWeights, per_list
from monitor.ranked.texts import Held


@dataclass(frozen=True, slots=True)
class FaiRR(OfTerms):
    """Discounted sum of the neutrality of the documents of a list.

    FaiRR@k = sum over ranks r <= k of omega(d_r) / log2(r + 1). omega is 1 for a document with at
    most `tau` group terms, else 1 - sum_g |M_g / sum M - J_g| / max with max = 2 (1 - min J), or
    without max where `raw` is set, as published. From 0 (below 0 where `raw` and targets are
    unequal) to the sum of discounts; without a neutral value, because longer lists have more.

    A sum over fewer documents cannot be compared with one over all. Where a document is missing or
    empty there is no value, but the lowest and highest that it can be, which are exact.
    """

    tau: int = whole(1, 0)
    raw: bool = flag(default=False)

    name = "FaiRR"
    title = "neutrality (FaiRR)"
    version = 2
    citation = (
        "Rekabsaz, N., Kopeinik, S., Schedl, M. (2021). Societal biases in retrieved contents: "
        "Measurement framework and adversarial mitigation of BERT rankers. SIGIR '21"
    )
    quantities = (
        make_quantity(
            "fairr", "sum of discounted neutrality", "neutrality of the results (sum)",
            SCORE._replace(high=math.inf), "score", "shows more neutral results",
            "shows less neutral results", rank=1,
        ),
    )  # fmt: skip
    validity = Validity(
        means=(
            "How much of what stands high in a list is neutral, that is names no group or the "
            "groups at their target shares; longer lists have more."
        ),
        does_not_mean=(
            "Neutral is not free of stereotypes: a list without any group word has the highest "
            "value, and nothing is said of what documents tell about a group."
        ),
        assumes=(
            "The questions name no gender themselves, the word lists stand for the groups, and "
            "attention falls with the logarithm of the rank."
        ),
        harm=(
            "Representational: documents that speak of one group alone crowd out the other, which "
            "concerns the people of the groups, as far as the word lists name them."
        ),
    )

    def limits(self) -> tuple[float, float]:
        highest = float(rank_discounts(self.cutoff).sum())
        return min(0.0, least_neutral(self.words.targets, raw=self.raw) * highest), highest

    def per_list(self, ranked: RankedInput) -> PerList:
        words = self.words
        magnitudes = ranked.texts.magnitudes(ranked.lists.cut(self.cutoff), words)
        seen = RankWeights.discounted(magnitudes.held)
        text = seen.of(Held.TEXT)
        omega = neutrality(magnitudes.counts, words.targets, self.tau, raw=self.raw)
        total, unknown = (text * omega).sum(axis=1), seen.weight(Held.MISSING, Held.EMPTY)
        term = text * (magnitudes.counts.sum(axis=2) > 0)
        formula = ListValues(
            values=np.where(unknown > 0, np.nan, total),
            low=total + least_neutral(words.targets, raw=self.raw) * unknown,
            high=total + unknown,
            certain=unknown == 0,
            undefined="a sum needs every document, and some are missing or empty",
            further={"rbdf": ratio_of(term.sum(axis=1), text.sum(axis=1))},
        )
        return per_list(seen, formula, 0.0, Held.TEXT)


MEASURE = FaiRR()
