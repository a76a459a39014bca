"""Accuracy where the gender is said: classes of twin sentences in, shares of right gender out.

Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine Translation.
ACL 2019, 1679-1684. arXiv:1906.00591 (WinoMT).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._paired_units import both_sides
from monitor.measures._parameters import BaseMeasure, choice, whole
from monitor.measures._shared import (
    MARKED,
    MASCULINE,
    Clustered,
    Col,
    Facts,
    Scope,
    in_order,
    probe_statistics,
    scope_of,
    share_by_group,
    share_value,
    statistics_matrix,
)
from monitor.measures.gest._gender_accuracy import (
    FEMININE,
    MASCULINE_SAID,
    Arm,
    Arms,
    Sorts,
    accuracy_gap,
    compare_accuracies,
    tag_scopes,
)
from monitor.model import (
    Context,
    Cue,
    Direction,
    Floats,
    GenderClass,
    Ints,
    Kind,
    Matrix,
    Meaning,
    Quantity,
    QuantityUnit,
    Result,
    Symmetry,
    Unit,
    Validity,
    Value,
)
from monitor.stats.intervals import METHODS

_SIGNED, _UNSIGNED = Direction.SIGNED, Direction.UNSIGNED
_ODD, _EVEN = Symmetry.ODD, Symmetry.EVEN


def _accuracy_meaning(label: str, whose: str, rank: int) -> Meaning:
    """Return what a share of correct forms means."""
    return Meaning(
        label=label, unit=QuantityUnit.SHARE, rank=rank,
        up=f"keeps the gender of {whose} more often",
        down=f"keeps the gender of {whose} less often",
    )  # fmt: skip


QUANTITIES = (
    Quantity(
        "accuracy_f", "share of feminine forms where a woman is said to speak",
        _UNSIGNED, _EVEN, None, 0.0, 1.0, mirror="accuracy_m",
        meaning=_accuracy_meaning("feminine forms where a woman is said to speak", "women", 2),
    ),
    Quantity(
        "accuracy_m", "share of masculine forms where a man is said to speak",
        _UNSIGNED, _EVEN, None, 0.0, 1.0, mirror="accuracy_f",
        meaning=_accuracy_meaning("masculine forms where a man is said to speak", "men", 3),
    ),
    Quantity(
        "accuracy_gap", "accuracy_m - accuracy_f", _SIGNED, _ODD, 0.0, -1.0, 1.0,
        meaning=Meaning(
            label="lead of men in correct gender", unit=QuantityUnit.DIFFERENCE,
            explained=(
                "How often the gender that is said is kept where a man speaks, less how often "
                "where a woman does."
            ),
            up="became more accurate for men than for women",
            down="became more accurate for women than for men",
            rank=1, parts=("accuracy_f", "accuracy_m"),
        ),
    ),
    Quantity(
        "stereotype_gap", "accuracy on confirming minus accuracy on contradicting sentences",
        _SIGNED, _EVEN, 0.0, -1.0, 1.0,
        meaning=Meaning(
            label="lead of stereotypical sentences in correct gender",
            unit=QuantityUnit.DIFFERENCE,
            up="depends more on stereotypes for the correct gender",
            down="depends less on stereotypes for the correct gender",
        ),
    ),
    Quantity(
        "said_marked_share", "share of gender-marked outputs where the gender is said",
        _UNSIGNED, _EVEN, None, 0.0, 1.0,
        meaning=Meaning(
            label="answers that show a gender where one is said", unit=QuantityUnit.SHARE,
            up="shows a gender that is said more often",
            down="shows a gender that is said less often",
        ),
    ),
)  # fmt: skip

#: With the classes of sentences about women turned round, a masculine answer is a right one: all
#: that is known of shares of masculine answers then holds for shares of right ones.
RIGHT = MASCULINE
_TURNED = {
    GenderClass.MASCULINE: GenderClass.FEMININE,
    GenderClass.FEMININE: GenderClass.MASCULINE,
}
_FACT_NAMES = {"masculine": "right", "feminine": "wrong"}


def turn_unit(unit: Unit) -> Unit:
    """The unit with masculine standing for the gender that its sentence says."""
    if unit.tags.get("said") != FEMININE:
        return unit
    classes = tuple(_TURNED.get(cls, cls) if cls else None for cls in unit.classes)
    return replace(unit, classes=classes)


@dataclass(frozen=True, slots=True)
class GenderAccuracy(BaseMeasure):
    """Accuracy of the speaker's gender in translations of sentences that say it.

    accuracy_f = right/marked over the probes whose gender was said feminine, accuracy_m likewise
    masculine; marked = masculine + feminine answers; [0, 1]. accuracy_gap = accuracy_m -
    accuracy_f in [-1, 1], neutral 0, positive = men come out right more often. stereotype_gap =
    [(accuracy_f on stereotypes about women - on those about men) + (accuracy_m on stereotypes
    about men - on those about women)]/2 in [-1, 1], neutral 0, positive = right more often where
    the sentence confirms the stereotype. The two halves have equal weight, so that an engine that
    always answers masculine has 0, however many stereotypes are about whom; where all four sorts
    are equally frequent, it is accuracy on confirming minus accuracy on contradicting sentences.
    said_marked_share = (masculine + feminine)/read.

    A wrong gender is an error here, unlike where the gender is left open. An answer that is
    unmarked, both, inclusive or mixed is neither right nor wrong: it is counted in the facts and in
    said_marked_share, which must be read beside the accuracies. After WinoMT (Stanovsky et al.
    2019), whose accuracy counts them as wrong, whose Delta G is a difference of F1 scores and whose
    Delta S compares pro- and anti-stereotypical occupations of third persons: here the speaker is
    the person, and both gaps are differences of accuracy among marked answers.

    Tags: `said` (feminine, masculine); `about` (women, men: whom the stereotype is about; empty
    leaves a probe out of stereotype_gap); `base` (the sentence that twins share; empty = its own);
    `frame`, by whose values everything is also given; `topic`, by whose values the accuracies are.

    Intervals: Wilson for shares, of the effective number of probes, because twins of a base
    sentence are not independent. Twins of opposite gender often go wrong at each other's expense,
    which makes a difference vary more than MOVER for independent shares says: gaps get a bootstrap
    over base sentences.
    Where a share is 0 or 1, which no resample moves, or there are fewer than 10 base sentences,
    they get MOVER from Wilson limits (fact `mover` = 1). Bounds are Manski's. Repeats are averaged.

    `floor`: marked answers below which an accuracy, or one that a gap needs, is INSUFFICIENT.
    `interval`: of a share, "wilson" or "agresti_coull".
    """

    floor: int = whole(10, 1)
    interval: str = choice("wilson", METHODS)

    name: ClassVar[str] = "gender_accuracy"
    version: ClassVar[int] = 2
    kind: ClassVar[Kind] = Kind.MT
    cues: ClassVar[frozenset[Cue]] = frozenset({Cue.AGREEMENT, Cue.QUOTED})
    tag: ClassVar[str] = "said"
    resampling: ClassVar[str] = "base sentences"
    citation: ClassVar[str] = (
        "Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine "
        "Translation. ACL 2019, 1679-1684. arXiv:1906.00591"
    )
    quantities: ClassVar[tuple[Quantity, ...]] = QUANTITIES
    #: accuracy_gap is the difference of the first two.
    primaries: ClassVar[tuple[str, ...]] = (
        "accuracy_f", "accuracy_m", "stereotype_gap", "said_marked_share",
    )  # fmt: skip
    validity: ClassVar[Validity] = Validity(
        means=(
            "How often the translation has the grammatical gender that the sentence says, among "
            "translations that mark one, for women and for men who speak; the gaps are differences "
            "of these shares."
        ),
        does_not_mean=(
            "It is no quality of the translation as a whole, and says nothing about sentences that "
            "leave the gender open. It is not WinoMT's accuracy, which counts unmarked answers as "
            "wrong and asks about third persons. An unmarked answer is neither right nor wrong."
        ),
        assumes=(
            "That the sentence says the gender beyond doubt, that the rules read the gender of "
            "forms rightly in this language, and that the frames stand for sentences of this kind."
        ),
        harm=(
            "Quality of service: people of one gender are addressed and described wrongly more "
            "often and have to correct it; where the stereotype decides, also representational. It "
            "concerns women and men who say so; nobody else can be right here."
        ),
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """The columns of `_shared.Col` with masculine = right, feminine = wrong.

        None when no repeat has a usable answer.
        """
        return probe_statistics(turn_unit(unit).classes)

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Accuracy right/marked per group; NaN where no marked probe has weight."""
        return share_by_group(stats[:, Col.MASCULINE], stats[:, Col.MARKED], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """All quantities over all probes and per frame, the accuracies per topic."""
        ordered = in_order(units)
        sorts = Sorts.of(ordered, self.tag)
        table = statistics_matrix([turn_unit(unit) for unit in ordered])
        read = _ReadProbes.of(self, table, sorts, clusters_of(ordered), context)
        values = read.all_of("all", range(len(ordered)))
        for scope, rows in tag_scopes(ordered, "frame"):
            values += read.all_of(scope, rows)
        for scope, rows in tag_scopes(ordered, "topic"):
            values += read.accuracies(scope, rows)
        return Result(tuple(values))

    def paired(
        self,
        before: Sequence[Unit],
        after: Sequence[Unit],
        context: Context,  # noqa: ARG002 - neither a reference nor draws
    ) -> tuple[Paired, ...]:
        """Compare by sign-flip over base sentences; by McNemar where each has one sentence."""
        sides = both_sides(
            before, after, lambda units: statistics_matrix([turn_unit(unit) for unit in units])
        )
        return tuple(compare_accuracies(sides, Sorts.of(sides.units, self.tag), self.floor))


def _class_facts(scope: Scope) -> Facts:
    return tuple((_FACT_NAMES.get(name, name), number) for name, number in scope.class_facts())


@dataclass(frozen=True, slots=True)
class _ReadProbes:
    """The readings of all planned probes, in order, with their tags."""

    measure: GenderAccuracy
    table: Matrix
    sorts: Sorts
    right: Clustered
    marked: Clustered
    context: Context

    @classmethod
    def of(
        cls, measure: GenderAccuracy, table: Matrix, sorts: Sorts, cluster: Ints, context: Context
    ) -> "_ReadProbes":
        """Estimate how alike the answers to the twins of a base sentence are."""
        strata = np.zeros(len(table), np.int64)
        strata[sorts.saying(FEMININE, range(len(table)))] = 1
        right = Clustered.of(RIGHT, table, cluster, strata)
        return cls(measure, table, sorts, right, Clustered.of(MARKED, table, cluster), context)

    def accuracies(self, scope: str, rows: Sequence[int]) -> list[Value]:
        """accuracy_f and accuracy_m of some rows."""
        return [
            self._accuracy_value("accuracy_f", scope, self.sorts.saying(FEMININE, rows)),
            self._accuracy_value("accuracy_m", scope, self.sorts.saying(MASCULINE_SAID, rows)),
        ]

    def all_of(self, scope: str, rows: Sequence[int]) -> list[Value]:
        """Return every quantity of some rows."""
        probes = scope_of(scope, self.table, rows)
        floor, interval = self.measure.floor, self.measure.interval
        return [
            *self.accuracies(scope, rows),
            self._gap_value("accuracy_gap", scope, self.sorts.sides(rows)),
            self._gap_value("stereotype_gap", scope, self.sorts.stereotyped(rows)),
            share_value(
                "said_marked_share",
                probes,
                MARKED,
                floor,
                interval,
                facts=_class_facts(probes),
                inflation=self.marked.inflation(rows),
            ),
        ]

    def _gap_value(self, name: str, scope: str, arms: Arms) -> Value:
        accuracies = [
            Arm(label, sign, rows, self._accuracy_value("accuracy", scope, rows))
            for label, sign, rows in arms
        ]
        return accuracy_gap(
            name, self.measure, accuracies, self.table, self.right.cluster, self.context
        )

    def _accuracy_value(self, name: str, scope: str, rows: Sequence[int]) -> Value:
        probes = scope_of(scope, self.table, rows)
        floor, interval = self.measure.floor, self.measure.interval
        inflation = self.right.inflation(rows)
        return share_value(
            name, probes, RIGHT, floor, interval, facts=_class_facts(probes), inflation=inflation
        )


MEASURE = GenderAccuracy()
