"""AWRF: how far the attention that groups' documents get is from the groups' target shares."""

from dataclasses import dataclass

import numpy as np

from monitor.measures._shared import SCORE, choice, make_quantity, ratio_of, share
from monitor.measures.fairness._term_measures import (
    DISTANCES,
    OfTerms,
    most_distance,
    reachable_corners,
    shares_of,
    term_associations,
)
from monitor.model import Validity
from monitor.ranked.inputs import RankedInput
from monitor.ranked.score import ListValues, PerList, RankWeights, per_list
from monitor.ranked.texts import Held


@dataclass(frozen=True, slots=True)
class AWRF(OfTerms):
    """Attention-weighted rank fairness with associations by terms.

    A document is associated with group g by M_g / sum M. The exposure of g is the mean association
    over ranks r <= k, weighted by 1 / log2(r + 1), and the value its distance from the target
    shares. `nonrepresentative`: documents without group terms count 1/N for each of N groups
    ("half"), or are left out ("skip"). `distance`: "L1" = sum of |differences|, "L2", "JS" =
    Jensen-Shannon divergence in bits. From 0, which is neutral, to its value where one group has
    everything: 2 (1 - min J) for L1, 1 for two equal groups.

    Missing documents are left out with their ranks, and the others must hold `coverage` of the
    discounts. An empty document has no group term. The bounds, which are exact, let both hold any
    words. Beside stands the mean discounted share of documents with any group term (`rbdf`).
    """

    coverage: float = share(0.5)
    nonrepresentative: str = choice("half", ("half", "skip"))
    distance: str = choice("L1", DISTANCES)

    name = "AWRF"
    title = "attention to groups (AWRF)"
    version = 2
    citation = (
        "Sapiezynski, P., Zeng, W., Robertson, R. E., Mislove, A., Wilson, C. (2019). Quantifying "
        "the impact of user attention on fair group representation in ranked lists. WWW '19 "
        "Companion; with the associations of Abolghasemi et al. (2024), equation 14"
    )
    quantities = (
        make_quantity(
            "awrf", "distance of attention from target shares",
            "distance of attention from the target", SCORE._replace(neutral=0.0, high=2.0), "score",
            "moved away from the target shares", "moved towards the target shares", rank=1,
        ),
    )  # fmt: skip
    validity = Validity(
        means=(
            "How far the attention that documents about each group get from readers lies from the "
            "target shares; 0 is at the target."
        ),
        does_not_mean=(
            "It does not say which group is ahead nor how it is spoken of, and 0 is nearness to a "
            "target that somebody chose, not proof that nobody is harmed."
        ),
        assumes=(
            "The questions name no gender themselves, the word lists stand for the groups, "
            "attention falls with the rank as assumed, and a document without group words is "
            "about all alike or about none."
        ),
        harm=(
            "Representational: a group gets less of the attention of readers than its target, "
            "which concerns the people of that group, as far as the word lists name them."
        ),
    )

    def limits(self) -> tuple[float, float]:
        return 0.0, most_distance(DISTANCES[self.distance][0], self.words.targets)

    def per_list(self, ranked: RankedInput) -> PerList:
        targets = self.words.targets
        distance, nearest = DISTANCES[self.distance]
        magnitudes = ranked.texts.magnitudes(ranked.lists.cut(self.cutoff), self.words)
        seen = RankWeights.discounted(magnitudes.held)
        text = seen.of(Held.TEXT)
        exposure = np.einsum(
            "lkg,lk->lg", term_associations(magnitudes.counts, half=self._half), text
        )
        unknown = seen.weight(Held.MISSING, Held.EMPTY)
        # an empty document is one without terms, although it may have held some
        empty = seen.weight(Held.EMPTY)[:, None] / len(targets) if self._half else 0.0
        term = text * (magnitudes.counts.sum(axis=2) > 0)
        far = distance(reachable_corners(exposure, unknown), targets)
        formula = ListValues(
            values=distance(shares_of(exposure + empty), targets),
            low=distance(nearest(exposure, unknown, targets), targets),
            high=np.fmax.reduce(far, axis=1),
            certain=unknown == 0,
            undefined="no document has a group term",
            further={"rbdf": ratio_of(term.sum(axis=1), seen.weight(Held.TEXT, Held.EMPTY))},
        )
        return per_list(seen, formula, self.coverage, Held.TEXT, Held.EMPTY)

    @property
    def _half(self) -> bool:
        return self.nonrepresentative == "half"


MEASURE = AWRF()
