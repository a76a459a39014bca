"""TED: how far the exposure of groups' terms is from the groups' target shares."""

from dataclasses import dataclass

from monitor.measures._shared import SCORE, make_quantity
from monitor.measures.fairness._term_measures import OfExposure
from monitor.model import Validity


@dataclass(frozen=True, slots=True)
class TED(OfExposure):
    """Term exposure-based divergence of a list from target shares.

    TE@k(g) = sum over ranks r <= k of (M_g / |d|) / log2(r + 1), |d| being all words of a document;
    p(g) = share of g in all term exposure; TED = sum_g |p(g) - J_g|, times RBDF, the discounted
    share of documents with any group term, unless `rbdf` is off. From 0, which is neutral, to
    2 (1 - min J): 1 for two equal groups. Without a representative document it is 0 with RBDF and
    has no value without.

    A list shorter than k counts with the ranks that it has; `strict` divides RBDF by the discounts
    of all k ranks. Missing documents are left out with their ranks, and the others must hold
    `coverage` of the discounts. An empty document adds nothing and is not representative. The
    bounds, which are exact, let both hold any words. Beside stand the mean RBDF, and TED with
    RBDF where it is off, and without where it is on.
    """

    name = "TED"
    title = "distance from target shares (TED)"
    version = 2
    citation = (
        "Abolghasemi, A., Azzopardi, L., Askari, A., de Rijke, M., Verberne, S. (2024). Measuring "
        "bias in a ranked list using term-based representations. ECIR '24"
    )
    quantities = (
        make_quantity(
            "ted", "distance of exposed terms from target shares",
            "distance of words from the target", SCORE._replace(neutral=0.0, high=2.0), "score",
            "moved away from the target shares", "moved towards the target shares", rank=1,
        ),
    )  # fmt: skip
    validity = Validity(
        means=(
            "How far the exposure of the words for each group, the more the higher their "
            "documents stand, lies from the target shares; 0 is at the target."
        ),
        does_not_mean=(
            "It does not say which group is ahead nor what is said of it; with lists that hardly "
            "name anybody it is near 0 whatever they say."
        ),
        assumes=(
            "The questions name no gender themselves, the word lists stand for the groups, and "
            "attention falls with the logarithm of the rank."
        ),
        harm=(
            "Representational: the words for a group are exposed less than its target, which "
            "concerns the people of that group, as far as the word lists name them."
        ),
    )


MEASURE = TED()
