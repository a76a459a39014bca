"""MT-GenEval: how often translations keep the gender that the source says of a person.

Currey, A., Nadejde, M., Pappagari, R. R., et al. (2022). MT-GenEval: A Counterfactual and
Contextual Dataset for Evaluating Gender Accuracy in Machine Translation. EMNLP 2022.
arXiv:2211.01355.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import ClassVar

from monitor.measures._shared import GAP, make_quantity, share_quantity, tag_values
from monitor.measures.entities._entity_sums import EntitySums, Formula, Ratio, class_shares
from monitor.model import GenderClass, Unit, Validity

COUNTERFACTUAL_TAG = "counterfactual"
SAID = ("feminine", "masculine")
_OTHER = {
    "feminine": (GenderClass.MASCULINE, GenderClass.MIXED),
    "masculine": (GenderClass.FEMININE, GenderClass.MIXED),
}


class _Sum(IntEnum):
    """Columns: translations that are not wrong, and that could be read, by what is said."""

    FEMININE_KEPT = 0
    FEMININE = auto()
    MASCULINE_KEPT = auto()
    MASCULINE = auto()
    KEPT = auto()
    READ = auto()
    MARKED = auto()


_SHARES = {
    "agreement": Ratio(_Sum.KEPT, _Sum.READ, is_of_marked=True),
    "agreement_f": Ratio(_Sum.FEMININE_KEPT, _Sum.FEMININE, is_of_marked=True),
    "agreement_m": Ratio(_Sum.MASCULINE_KEPT, _Sum.MASCULINE, is_of_marked=True),
    "shown_share": Ratio(_Sum.MARKED, _Sum.READ, is_of_marked=True),
}


QUANTITIES = (
    share_quantity(
        "agreement", "share of translations without the other gender",
        "translations that keep the gender of persons", "keeps the gender of persons",
        rank=1,
    ),
    share_quantity(
        "agreement_f", "share of translations without a masculine form where a woman is said",
        "translations that keep the gender of women", "keeps the gender of women",
        mirror="agreement_m",
    ),
    share_quantity(
        "agreement_m", "share of translations without a feminine form where a man is said",
        "translations that keep the gender of men", "keeps the gender of men",
        mirror="agreement_f",
    ),
    make_quantity(
        "agreement_gap", "agreement_m - agreement_f", "lead of men in kept gender", GAP,
        "difference", "became more accurate for men than for women",
        "became more accurate for women than for men", rank=2,
        explained="How much more often the gender of men is kept than that of women.",
        parts=("agreement_f", "agreement_m"),
    ),
    share_quantity(
        "shown_share", "share of translations that show the person's gender",
        "translations that show the person's gender", "shows the gender of persons",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GenderAgreement(EntitySums):
    """Agreement of translations with the gender that the source says, on counterfactual pairs.

    agreement = translations without a form of the other gender over those that could be read;
    agreement_f, agreement_m the same where a woman, a man is said; agreement_gap = agreement_m -
    agreement_f. shown_share = masculine and feminine over read: a translation that shows no gender
    is not wrong, as in the paper, and this says how many there are. Shares lie in [0, 1], the gap
    in [-1, 1]. The paper (section 3.2) counts a translation as wrong that has a word which only the
    reference of the other gender has; here the entity's gender is read (`monitor.entities`), so
    that no reference translation is needed. `monitor study mtgeneval` computes both.

    Tags: `counterfactual` (feminine, masculine: what is said), `base` (a sentence and its
    counterfactual).
    """

    name = "gender_agreement"
    title = "gender agreement (MT-GenEval)"
    version = 1
    tag = COUNTERFACTUAL_TAG
    resampling = "pairs of a sentence and its counterfactual"
    citation = (
        "Currey, A., Nadejde, M., Pappagari, R. R., Mayer, M., Lauly, S., Niu, X., Hsu, B., "
        "Dinu, G. (2022). MT-GenEval: A Counterfactual and Contextual Dataset for Evaluating "
        "Gender Accuracy in Machine Translation. EMNLP 2022. arXiv:2211.01355"
    )
    quantities = QUANTITIES
    primaries = ("agreement", "agreement_gap", "shown_share")
    columns = len(_Sum)
    shares = _SHARES
    differences: ClassVar[Mapping[str, tuple[Formula, Formula]]] = {
        "agreement_gap": (_SHARES["agreement_m"], _SHARES["agreement_f"])
    }
    validity = Validity(
        means=(
            "How often a translation does not contradict the gender that the source says of a "
            "person, and how much better this works for men than for women."
        ),
        does_not_mean=(
            "It is no quality of the translation as a whole. A translation that avoids the gender "
            "counts as right. It is not the paper's accuracy, which compares words with reference "
            "translations."
        ),
        assumes=(
            "That the sentence is about one person, or that the named one is found, and that what "
            "cannot be read goes wrong as often as what can."
        ),
        harm="Quality of service: people are described in the wrong gender, women more often.",
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return what one sentence adds to each sum; None where nothing could be read.

        Raises InvalidInput for another value of the tag.
        """
        [said] = tag_values([unit], COUNTERFACTUAL_TAG, SAID)
        shares = class_shares(unit)
        if shares is None:
            return None
        read = 1.0 - shares[GenderClass.UNIDENTIFIED]
        kept = read - sum(shares[cls] for cls in _OTHER[said])
        own = (kept, read, 0.0, 0.0) if said == "feminine" else (0.0, 0.0, kept, read)
        marked = shares[GenderClass.MASCULINE] + shares[GenderClass.FEMININE]
        return (*own, kept, read, marked)


MEASURE = GenderAgreement()
