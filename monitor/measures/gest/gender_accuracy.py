"""Accuracy where the gender is said: classes of twin sentences in, shares of right gender out.

Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine Translation.
ACL 2019, 1679-1684. arXiv:1906.00591 (WinoMT).

Twins of a base sentence are a cluster. In the panel of changes masculine stands for right and
feminine for wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._matched_units import PairedStatistics, both_sides, class_changes
from monitor.measures._paired_panels import Means, Panel, change_of_share, too_few
from monitor.measures._shared import (
    GAP,
    MARKED,
    MASCULINE,
    BaseMeasure,
    Changes,
    Clustered,
    Col,
    Facts,
    Scope,
    Units,
    choice,
    in_order,
    insufficient_value,
    make_quantity,
    measured_value,
    probe_statistics,
    scope_of,
    share_quantity,
    share_value,
    statistics_matrix,
    sum_counts,
    tag_scopes,
    tag_values,
    whole,
)
from monitor.measures.gest._stereotype_rates import masculine_rates
from monitor.model import (
    Context,
    Cue,
    Floats,
    GenderClass,
    Ints,
    InvalidInput,
    Kind,
    Matrix,
    Result,
    State,
    Symmetry,
    Unit,
    Validity,
    Value,
)
from monitor.stats.intervals import METHODS, Limits, mover
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

FEMININE, MASCULINE_SAID = "feminine", "masculine"
WOMEN, MEN = "women", "men"

#: Of each accuracy in a gap: label, coefficient, rows.
Arms: TypeAlias = list[tuple[str, float, list[int]]]


#: Fewer base sentences give resamples too much alike.
_LEAST_BASES = 10


@dataclass(frozen=True, slots=True)
class Sorts:
    """The gender that each sentence says, and the stereotype that it is about."""

    said: Sequence[str]
    about: Sequence[str]

    @classmethod
    def of(cls, units: Sequence[Unit], tag: str) -> "Sorts":
        """Return what the tags say. Raises InvalidInput for a value that is none of theirs."""
        genders = tag_values(units, tag, (FEMININE, MASCULINE_SAID))
        return cls(genders, [_about_gender(unit) for unit in units])

    def saying(self, said: str, rows: Sequence[int]) -> list[int]:
        """The rows in which this gender is said."""
        return [row for row in rows if self.said[row] == said]

    def sides(self, rows: Sequence[int]) -> Arms:
        """Return label, coefficient and rows of the accuracies in accuracy_gap."""
        return [
            (f"{gender} said", sign, self.saying(gender, rows))
            for gender, sign in ((MASCULINE_SAID, 1.0), (FEMININE, -1.0))
        ]

    def stereotyped(self, rows: Sequence[int]) -> Arms:
        """Return the same of stereotype_gap."""
        return [
            (
                f"{gender} said, about {about}",
                0.5 if (gender == FEMININE) == (about == WOMEN) else -0.5,
                [row for row in self.saying(gender, rows) if self.about[row] == about],
            )
            for gender in (FEMININE, MASCULINE_SAID)
            for about in (WOMEN, MEN)
        ]


def _about_gender(unit: Unit) -> str:
    about = unit.tags.get("about", "")
    if about not in {"", WOMEN, MEN}:
        raise InvalidInput(
            f"probe {unit.key}: tag 'about' is {about!r}; it must be {WOMEN}, {MEN} or empty"
        )
    return about


def _resample_gap(arms: Arms, table: Matrix, bases: Ints, context: Context) -> Floats:
    """The gap in every draw of base sentences, each with all its twins: (draws,)."""
    rows, groups = _stack_rows(arms)
    usable = table[rows, Col.MARKED] > 0
    rows, groups = rows[usable], groups[usable]
    # Numbered in the order of rows, so that swapping women and men draws the same sentences.
    owner = np.unique(bases[rows], return_inverse=True)[1]
    drawn_bootstrap_weights = bootstrap_weights(
        np.zeros(int(owner.max()) + 1, np.int64), context.draws, generator(context.seed)
    )
    shares = masculine_rates(table[rows], groups, drawn_bootstrap_weights[:, owner])
    gaps: Floats = (shares * np.array([coefficient for _, coefficient, _ in arms])).sum(axis=1)
    return gaps


def _stack_rows(arms: Arms) -> tuple[Ints, Ints]:
    """Return (rows of all accuracies, the place among them of each)."""
    rows = np.concatenate([np.asarray(rows, np.int64) for _, _, rows in arms])
    return rows, np.repeat(np.arange(len(arms)), [len(rows) for _, _, rows in arms])


def compare_accuracies(both: PairedStatistics, sorts: Sorts, floor: int) -> Iterator[Paired]:
    """Every quantity over all sentences and per frame, the accuracies per topic."""
    cluster = clusters_of(both.units)
    right = both.panel(Col.MASCULINE, Col.MARKED, cluster)
    read = both.panel(Col.MARKED_SHARE, Col.READ, cluster)

    def accuracies(scope: str, rows: Sequence[int]) -> Iterator[Paired]:
        for name, gender in (("accuracy_f", FEMININE), ("accuracy_m", MASCULINE_SAID)):
            yield change_of_share(name, scope, right.some(sorts.saying(gender, rows)), floor)

    for scope, rows in [("all", range(len(both.units))), *tag_scopes(both.units, "frame")]:
        yield from accuracies(scope, rows)
        yield _change_of_gap("accuracy_gap", scope, sorts.sides(rows), right, floor)
        yield _change_of_gap("stereotype_gap", scope, sorts.stereotyped(rows), right, floor)
        facts = class_changes(both, rows)
        yield change_of_share("said_marked_share", scope, read.some(rows), floor, "read", facts)
    for scope, rows in tag_scopes(both.units, "topic"):
        yield from accuracies(scope, rows)


def _change_of_gap(name: str, scope: str, arms: Arms, right: Panel, floor: int) -> Paired:
    """Return the change of a sum of coefficients times accuracies."""
    rows, arm = _stack_rows(arms)
    panel = right.some(rows)
    accuracies = Means.of(panel, arm, len(arms), floor)
    if short := accuracies.short(slice(None)):
        labels = "; ".join(arms[index][0] for index in short)
        example = too_few(scope, int(accuracies.n[short[0]]), floor, "marked")
        reason = f"accuracy cannot be compared for {labels} ({example})"
        return panel.record(name, scope, reason=reason)
    c = np.array([coefficient for _, coefficient, _ in arms])
    ends = float(c @ accuracies.before), float(c @ accuracies.after)
    return accuracies.change(name, scope, ends, c, widest=2.0, facts=panel.flips())


QUANTITIES = (
    share_quantity(
        "accuracy_f", "share of feminine forms where a woman is said to speak",
        "feminine forms where a woman is said to speak", "keeps the gender of women",
        mirror="accuracy_m", rank=2,
    ),
    share_quantity(
        "accuracy_m", "share of masculine forms where a man is said to speak",
        "masculine forms where a man is said to speak", "keeps the gender of men",
        mirror="accuracy_f", rank=3,
    ),
    make_quantity(
        "accuracy_gap", "accuracy_m - accuracy_f", "lead of men in correct gender", GAP,
        "difference", "became more accurate for men than for women",
        "became more accurate for women than for men",
        explained="How often the gender that is said is kept where a man speaks, less how often "
            "where a woman does.",
        rank=1, parts=("accuracy_f", "accuracy_m"),
    ),
    make_quantity(
        "stereotype_gap", "accuracy on confirming minus accuracy on contradicting sentences",
        "lead of stereotypical sentences in correct gender", GAP._replace(symmetry=Symmetry.EVEN),
        "difference", "depends more on stereotypes for the correct gender",
        "depends less on stereotypes for the correct gender",
    ),
    share_quantity(
        "said_marked_share", "share of gender-marked outputs where the gender is said",
        "answers that show a gender where one is said", "shows a gender that is said",
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

    name = "gender_accuracy"
    title = "accuracy of the said gender"
    version = 2
    kind = Kind.MT
    cues = frozenset({Cue.AGREEMENT, Cue.QUOTED})
    tag = "said"
    resampling = "base sentences"
    citation = (
        "Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine "
        "Translation. ACL 2019, 1679-1684. arXiv:1906.00591"
    )
    quantities = QUANTITIES
    #: accuracy_gap is the difference of the first two.
    primaries = (
        "accuracy_f", "accuracy_m", "stereotype_gap", "said_marked_share",
    )  # fmt: skip
    validity = Validity(
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
        return masculine_rates(stats, groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """All quantities over all probes and per frame, the accuracies per topic."""
        ordered = in_order(units)
        sorts = Sorts.of(ordered, self.tag)
        table = statistics_matrix([turn_unit(unit) for unit in ordered])
        cluster, strata = clusters_of(ordered), np.zeros(len(table), np.int64)
        strata[sorts.saying(FEMININE, range(len(table)))] = 1
        # How alike the answers to the twins of a base sentence are.
        right = Clustered.of(RIGHT, table, cluster, strata)
        marked = Clustered.of(MARKED, table, cluster)
        read = _ReadProbes(self, table, sorts, right, marked, context)
        values = read.all_of("all", range(len(ordered)))
        for scope, rows in tag_scopes(ordered, "frame"):
            values += read.all_of(scope, rows)
        for scope, rows in tag_scopes(ordered, "topic"):
            values += read.accuracies(scope, rows)
        return Result(tuple(values))

    def paired(self, before: Units, after: Units, context: Context) -> Changes:  # noqa: ARG002
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
        """Sum of coefficient times accuracy; INSUFFICIENT when an accuracy is, naming which."""
        values = [self._accuracy_value("accuracy", scope, rows) for _, _, rows in arms]
        counts = sum_counts(values)
        lacking = [at for at, value in enumerate(values) if value.state is not State.MEASURED]
        if lacking:
            labels = "; ".join(arms[at][0] for at in lacking)
            reason = f"accuracy is insufficient for {labels} ({values[lacking[0]].reason})"
            return insufficient_value(name, scope, counts, reason)
        c = np.array([coefficient for _, coefficient, _ in arms])
        p, low, high, lowest, highest = (
            np.array([float(getattr(accuracy, field)) for accuracy in values])
            for field in ("value", "low", "high", "bound_low", "bound_high")
        )
        value = float(np.sum(c * p))
        rows, bases = _stack_rows(arms)[0], self.right.cluster
        n_bases = len(np.unique(bases[rows[self.table[rows, Col.MARKED] > 0]]))
        interval = None
        if n_bases >= _LEAST_BASES and ((p > 0) & (p < 1)).all():
            interval = percentile_interval(_resample_gap(arms, self.table, bases, self.context))
        by_mover = interval is None
        interval = interval or mover(c, p, low, high)
        # A percentile interval need not hold the value, which every reader expects of it.
        interval = Limits(max(min(interval.low, value), -1.0), min(max(interval.high, value), 1.0))
        ends = np.sort(np.stack([c * lowest, c * highest]), axis=0).sum(axis=1)
        facts = (
            ("effective_n", float(counts.used)),
            ("n_bases", float(n_bases)),
            ("mover", float(by_mover)),
        )
        flags = tuple(dict.fromkeys(flag for accuracy in values for flag in accuracy.flags))
        limits = Limits(float(ends[0]), float(ends[1]))
        return measured_value(name, scope, counts, value, interval, limits, facts, flags)

    def _accuracy_value(self, name: str, scope: str, rows: Sequence[int]) -> Value:
        probes = scope_of(scope, self.table, rows)
        floor, interval = self.measure.floor, self.measure.interval
        inflation = self.right.inflation(rows)
        return share_value(
            name, probes, RIGHT, floor, interval, facts=_class_facts(probes), inflation=inflation
        )


MEASURE = GenderAccuracy()
