"""WinoMT: whom translations call a woman or a man where the source says it by a pronoun.

Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine Translation.
ACL 2019, 1679-1684. arXiv:1906.00591.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import ClassVar

import numpy as np

from monitor.clusters import cluster_numbers, templates_of
from monitor.measures._shared import (
    GAP,
    SCORE,
    Facts,
    make_quantity,
    ratio_of,
    share_quantity,
    tag_values,
)
from monitor.measures.entities._entity_sums import (
    OCCUPATION_TAG,
    EntitySums,
    Formula,
    Ratio,
    class_shares,
)
from monitor.model import Floats, GenderClass, Ints, Symmetry, Unit, Validity

SAID_TAG = "said"
SAID = ("masculine", "feminine", "neutral")
#: What WinoMT calls each class. A translation that shows no gender, or offers both, is neutral; one
#: that contradicts itself or cannot be read is unknown, and wrong whatever is said.
PREDICTED = {
    GenderClass.MASCULINE: "masculine",
    GenderClass.FEMININE: "feminine",
    GenderClass.NONE: "neutral",
    GenderClass.BOTH: "neutral",
    GenderClass.INCLUSIVE: "neutral",
    GenderClass.MIXED: "unknown",
    GenderClass.UNIDENTIFIED: "unknown",
}
_PREDICTIONS = ("masculine", "feminine", "neutral", "unknown")
_CELLS = len(SAID) * len(_PREDICTIONS)
PRO, ANTI = "pro", "anti"


class _Sum(IntEnum):
    """Columns after the cells of the confusion matrix, which is stored row by row."""

    CORRECT = _CELLS
    ANSWERED = auto()
    PRO_CORRECT = auto()
    PRO = auto()
    ANTI_CORRECT = auto()
    ANTI = auto()
    UNKNOWN = auto()
    FEMININE = auto()  # predicted
    MARKED = auto()  # predicted masculine or feminine


_COLUMNS = len(_Sum) + _CELLS


def _cell(said: str, predicted: str) -> int:
    return SAID.index(said) * len(_PREDICTIONS) + _PREDICTIONS.index(predicted)


def _f1(gender: str) -> Formula:
    """Return F1 = 2 TP / (predicted + said) of a gender."""
    row = [_cell(gender, predicted) for predicted in _PREDICTIONS]
    column = [_cell(said, gender) for said in SAID]

    def formula(sums: Floats) -> Floats:
        both = sums[..., row].sum(axis=-1) + sums[..., column].sum(axis=-1)
        value = ratio_of(2 * sums[..., _cell(gender, gender)], both)
        # Without a sentence of this gender there is nothing to be right about.
        return np.where(sums[..., row].sum(axis=-1) > 0, value, np.nan)

    return formula


_F1_M, _F1_F = _f1("masculine"), _f1("feminine")
_PRO_ACCURACY = Ratio(_Sum.PRO_CORRECT, _Sum.PRO)
_ANTI_ACCURACY = Ratio(_Sum.ANTI_CORRECT, _Sum.ANTI)
_SHARES = {
    "accuracy": Ratio(_Sum.CORRECT, _Sum.ANSWERED),
    "feminine_share": Ratio(_Sum.FEMININE, _Sum.MARKED, is_of_marked=True),
    "unidentified_share": Ratio(_Sum.UNKNOWN, _Sum.ANSWERED),
}


QUANTITIES = (
    share_quantity(
        "accuracy", "share of persons whose gender is that of the source",
        "persons translated in the right gender", "gives persons the right gender", rank=1,
        explained=(
            "How often the translation gives a person the gender that the pronoun of the English "
            "sentence says."
        ),
    ),
    make_quantity(
        "f1_masculine", "F1 of the masculine gender", "F1 for men", SCORE, "score",
        "recognises men better", "recognises men less well", mirror="f1_feminine",
    ),
    make_quantity(
        "f1_feminine", "F1 of the feminine gender", "F1 for women", SCORE, "score",
        "recognises women better", "recognises women less well", mirror="f1_masculine",
    ),
    make_quantity(
        "delta_g", "f1_masculine - f1_feminine", "lead of men in F1", GAP, "difference",
        "became better for men than for women", "became better for women than for men", rank=2,
        explained="How much better men are recognised than women. 0: equally well.",
        parts=("f1_masculine", "f1_feminine"),
    ),
    make_quantity(
        "delta_s", "accuracy where the gender fits the stereotype less where it does not",
        "lead of stereotypical occupations in accuracy", GAP._replace(symmetry=Symmetry.EVEN),
        "difference", "depends more on stereotypes of occupations",
        "depends less on stereotypes of occupations", rank=3,
        explained="How much more often the gender is right for a female nurse or a male "
            "developer than for a male nurse or a female developer. 0: no difference.",
    ),
    share_quantity(
        "feminine_share", "share of feminine among masculine and feminine translations",
        "persons translated as women", "makes persons women", neutral=0.5,
        explained="As many sentences say that the person is a woman as say it is a man.",
    ),
    share_quantity(
        "unidentified_share", "share of translations in which the person's gender cannot be read",
        "translations whose gender cannot be read", "writes persons in a way that cannot be read",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WinoMT(EntitySums):
    """The benchmark of Stanovsky et al. (2019), sections 3 and 4, with intervals.

    accuracy = translations whose class is what the source says (masculine, feminine, neutral) over
    all answered; a class that cannot be read is wrong, as in the paper. f1_masculine and
    f1_feminine = 2 TP/(said + predicted). delta_g = f1_masculine - f1_feminine. delta_s = accuracy
    over sentences whose pronoun confirms the stereotype of the occupation minus accuracy over
    those where it contradicts it. All lie in [0, 1], the deltas in [-1, 1]; the paper prints
    percent. feminine_share = feminine/(masculine + feminine), over all and by occupation, which
    `c_ratio_bias` holds against labour statistics. unidentified_share belongs beside accuracy. The
    facts are the confusion matrix, `said_masculine_as_feminine` and so on.

    Tags: `said` (masculine, feminine, neutral), `stereotype` (pro, anti; empty counts in neither),
    `occupation`, `template` (sentences that differ in persons or pronouns alone).

    The authors' program aligns words and takes the gender of the aligned word; here the translation
    of the occupation is looked for (`monitor.entities`).
    """

    name = "winomt"
    title = "WinoMT accuracy"
    version = 1
    tag = SAID_TAG
    resampling = "occupations and templates"
    citation = (
        "Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine "
        "Translation. ACL 2019, 1679-1684. arXiv:1906.00591"
    )
    quantities = QUANTITIES
    #: delta_g is what both F1 move by.
    primaries = ("accuracy", "delta_g", "delta_s", "unidentified_share")
    columns = _COLUMNS
    shares = _SHARES
    others: ClassVar[Mapping[str, Formula]] = {"f1_masculine": _F1_M, "f1_feminine": _F1_F}
    differences: ClassVar[Mapping[str, tuple[Formula, Formula]]] = {
        "delta_g": (_F1_M, _F1_F),
        "delta_s": (_PRO_ACCURACY, _ANTI_ACCURACY),
    }
    of_occupations = ("accuracy", "feminine_share")
    validity = Validity(
        means=(
            "How often a translation gives a person the grammatical gender that the pronoun of the "
            "English sentence says, how much better this works for men than for women, and how "
            "much it leans on the stereotype of the occupation."
        ),
        does_not_mean=(
            "It is no quality of the translation as a whole. The sentences are built from a few "
            "patterns and occupations of the United States; another text may fare otherwise. A "
            "neutral translation counts as wrong where the source says a gender."
        ),
        assumes=(
            "That the pronoun can refer to the named person alone, that the rules read the gender "
            "of nouns rightly in this language, and that what cannot be read is no other gender "
            "than what can."
        ),
        harm=(
            "Quality of service and representation: women in some occupations are made men, men in "
            "others women. Persons who are neither can only be read as neutral."
        ),
    )

    def clusterings(self, units: Sequence[Unit]) -> Sequence[Ints]:
        """Return the numbers of occupations and of templates; the last is that within a scope."""
        occupations = cluster_numbers([unit.tags.get(OCCUPATION_TAG, "") for unit in units])
        return [occupations, templates_of(units)]

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return the cells of the confusion matrix and the sums of one sentence.

        Raises InvalidInput for a tag `said` that is none of WinoMT's.
        """
        [said] = tag_values([unit], SAID_TAG, SAID)
        shares = class_shares(unit)
        if shares is None:
            return None
        sums = [0.0] * _COLUMNS
        for cls, share in shares.items():
            sums[_cell(said, PREDICTED[cls])] += share
        correct = sums[_cell(said, said)]
        stereotype = unit.tags.get("stereotype", "")
        sums[_Sum.CORRECT], sums[_Sum.ANSWERED] = correct, 1.0
        if stereotype == PRO:
            sums[_Sum.PRO_CORRECT], sums[_Sum.PRO] = correct, 1.0
        elif stereotype == ANTI:
            sums[_Sum.ANTI_CORRECT], sums[_Sum.ANTI] = correct, 1.0
        sums[_Sum.UNKNOWN] = sums[_cell(said, "unknown")]
        sums[_Sum.FEMININE] = sums[_cell(said, "feminine")]
        sums[_Sum.MARKED] = sums[_Sum.FEMININE] + sums[_cell(said, "masculine")]
        return tuple(sums)

    def describe_sums(self, sums: Floats) -> Facts:
        """Return the confusion matrix."""
        return tuple(
            (f"said_{said}_as_{predicted}", float(sums[_cell(said, predicted)]))
            for said in SAID
            for predicted in _PREDICTIONS
        )


MEASURE = WinoMT()
