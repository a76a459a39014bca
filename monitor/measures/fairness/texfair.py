"""TExFAIR: how near the exposure of groups' terms is to the groups' target shares."""

from dataclasses import dataclass

from monitor.measures._shared import SCORE, make_quantity
from monitor.measures.fairness._term_measures import OfExposure
from monitor.model import Validity


@dataclass(frozen=True, slots=True)
class TExFAIR(OfExposure):
    """Term exposure-based fairness: max(TED) - TED, with max(TED) = 2 (1 - min J).

    TE@k(g) = sum over ranks r <= k of (M_g / |d|) / log2(r + 1), |d| being all words of a document;
    p(g) = share of g in all term exposure; TED = sum_g |p(g) - J_g|, times RBDF, the discounted
    share of documents with any group term, unless `rbdf` is off. From 0 to max(TED), which is
    neutral: 1 for two equal groups, 4/3 for three. Without a representative document it is
    max(TED) with RBDF and has no value without: read it beside the mean RBDF.

    A list shorter than k counts with the ranks that it has; `strict` divides RBDF by the discounts
    of all k ranks. Missing documents are left out with their ranks, and the others must hold
    `coverage` of the discounts. An empty document adds nothing and is not representative. The
    bounds, which are exact, let both hold any words.
    """

    is_nearness = True
    name = "TExFAIR"
    title = "nearness to target shares (TExFAIR)"
    version = 2
    citation = (
        "Abolghasemi, A., Azzopardi, L., Askari, A., de Rijke, M., Verberne, S. (2024). Measuring "
        "bias in a ranked list using term-based representations. ECIR '24"
    )
    #: The neutral value depends on the target shares.
    quantities = (
        make_quantity(
            "texfair", "nearness of exposed terms to target shares",
            "nearness of words to the target", SCORE._replace(high=2.0), "score",
            "moved towards the target shares", "moved away from the target shares", rank=1,
        ),
    )  # fmt: skip
    validity = Validity(
        means=(
            "How near the exposure of the words for each group, the more the higher their "
            "documents stand, comes to the target shares; the highest value is at the target."
        ),
        does_not_mean=(
            "The highest value can mean that no document names any group, which the share of "
            "representative documents beside it tells; it says nothing of what is told about a "
            "group."
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


MEASURE = TExFAIR()
