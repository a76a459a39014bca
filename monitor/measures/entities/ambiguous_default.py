"""GATE: which gender translations choose for a person whose gender the source leaves open.

Rarrick, S., Naik, R., Mathur, V., Poudel, S., Chowdhary, V. (2023). GATE: A Challenge Set for
Gender-Ambiguous Translation Examples. arXiv:2303.03975.
"""

from dataclasses import dataclass
from enum import IntEnum, auto

from monitor.measures._shared import share_quantity, tag_values
from monitor.measures.entities._entity_sums import EntitySums, Ratio, class_shares
from monitor.model import GenderClass, Unit, Validity

AMBIGUOUS_TAG = "ambiguous"


class _Sum(IntEnum):
    """Columns of the sums."""

    MASCULINE = 0
    MARKED = auto()
    OFFERED = auto()  # both genders, or a form made to name none
    READ = auto()


_SHARES = {
    "masculine_default": Ratio(_Sum.MASCULINE, _Sum.MARKED, is_of_marked=True),
    "offered_share": Ratio(_Sum.OFFERED, _Sum.READ, is_of_marked=True),
    "chosen_share": Ratio(_Sum.MARKED, _Sum.READ, is_of_marked=True),
}

QUANTITIES = (
    share_quantity(
        "masculine_default", "share of masculine among masculine and feminine translations",
        "masculine choices where the gender is open", "makes persons of open gender men",
        neutral=0.5, rank=1,
    ),
    share_quantity(
        "offered_share", "share of translations that offer both genders or name none",
        "translations that offer both genders", "offers both genders", rank=2,
    ),
    share_quantity(
        "chosen_share", "share of translations that choose a gender",
        "translations that choose a gender", "chooses a gender",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AmbiguousDefault(EntitySums):
    """The gender that a system chooses where the source leaves it open.

    masculine_default = masculine/(masculine + feminine), neutral 0.5; offered_share = both and
    inclusive over read; chosen_share = masculine and feminine over read. All lie in [0, 1]. A
    choice is no error here: the source leaves it open. GATE has a translation of each gender for
    every sentence; these shares need none.

    Tags: `ambiguous` (what GATE says of the sentence, for example SUBJ;PROF).
    """

    name = "ambiguous_default"
    title = "masculine default (GATE)"
    version = 1
    tag = AMBIGUOUS_TAG
    resampling = "sentences"
    citation = (
        "Rarrick, S., Naik, R., Mathur, V., Poudel, S., Chowdhary, V. (2023). GATE: A Challenge "
        "Set for Gender-Ambiguous Translation Examples. arXiv:2303.03975"
    )
    quantities = QUANTITIES
    primaries = ("masculine_default", "offered_share", "chosen_share")
    columns = len(_Sum)
    shares = _SHARES
    validity = Validity(
        means=(
            "Which gender a translation chooses for a person where the source leaves it open, and "
            "how often it offers both."
        ),
        does_not_mean=(
            "No choice is an error. An even share of men and women does not show that persons and "
            "occupations are treated alike."
        ),
        assumes="That the source leaves the gender open and the named person is found.",
        harm="Representational: masculine as the default makes women invisible.",
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return what one sentence adds to each sum; None without a usable answer.

        Raises InvalidInput where the tag is missing.
        """
        tag_values([unit], AMBIGUOUS_TAG)
        shares = class_shares(unit)
        if shares is None:
            return None
        masculine = shares[GenderClass.MASCULINE]
        offered = shares[GenderClass.BOTH] + shares[GenderClass.INCLUSIVE]
        read = 1.0 - shares[GenderClass.UNIDENTIFIED]
        return (masculine, masculine + shares[GenderClass.FEMININE], offered, read)


MEASURE = AmbiguousDefault()
