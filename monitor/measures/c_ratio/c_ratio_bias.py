"""c-ratio bias for translations: classes by occupation and reference shares in, bias out.

Lipani, A., Piroi, F., Yilmaz, E. (2021). Towards more accountable search engines: Online
evaluation of representation bias. arXiv:2110.08835.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.clusters import templates_of
from monitor.measures._matched_units import both_sides
from monitor.measures._shared import (
    MARKED,
    BaseMeasure,
    Changes,
    Col,
    Units,
    choice,
    in_order,
    probe_statistics,
    rows_by,
    scope_of,
    share_by_group,
    share_quantity,
    share_value,
    statistics_matrix,
    tag_values,
    whole,
)
from monitor.measures.c_ratio._occupation_topics import (
    OVER_TOPICS,
    OutputRules,
    Outputs,
    OutputTopic,
    compare_outputs,
    make_panel,
    summarise_topics,
    topic_value,
)
from monitor.model import Context, Cue, Floats, Ints, Kind, Matrix, Result, Unit, Validity
from monitor.stats.clustered import Crossed

QUANTITIES = (
    *OVER_TOPICS,
    share_quantity(
        "occupation_marked_share", "share of gender-marked outputs on occupations",
        "answers on occupations that show a gender", "shows a gender of occupations",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CRatioBias(BaseMeasure):
    """Bias of the share of women in the gender-marked translations of an occupation.

    For an occupation: model = F/(F + M) over the marked outputs of its templates, target = mu, the
    reference share of women, beta = model - target in [-1, 1], neutral 0, positive = more women
    than in the reference. Over occupations: MB = mean of beta, SB = its standard deviation,
    MAB = mean of |beta|. MAB and SB are not 0 without bias: excess_mab and excess_sb are what they
    have beyond those of outputs drawn at the reference shares (mab_null), and only these have an
    interval. Beside MAB stand the MAB of a system that always answers in the masculine, and the
    mean MAB against references permuted over the same occupations, whose low and high are the
    central 95 % of permutations (a range under chance, not a confidence interval). Templates put
    to one engine are not independent draws: no p-value per occupation, instead the correlations
    with the reference over occupations. Intervals of mb and of the excesses are about occupations
    and templates of this kind, those of correlations and extremes about occupations.

    Marked is what the list's cue finds: the form that agrees with the speaker ("Sou enfermeira"),
    or the pronoun of a third person whose own language leaves the gender open ("O bir hemşire." ->
    "She is a nurse."). F counts she, M counts he; "he or she", singular they, "it", and no pronoun
    at all are unmarked, so that an engine that avoids the choice lowers occupation_marked_share
    and moves no ratio.

    `target`: "exact" compares with mu, "rounded" with the nearest ratio that the outputs can show
    (Definition 2.3). `min_templates`: planned templates, and `floor`: marked outputs, below which
    an occupation is INSUFFICIENT. `topics_floor`: usable occupations below which all is.
    `ddof`: 0 for the population standard deviation, 1 for the sample one.
    """

    target: str = choice("exact", ("exact", "rounded"))
    min_templates: int = whole(10, 1)
    floor: int = whole(8, 1)
    topics_floor: int = whole(10, 3)
    ddof: int = whole(0, 0, 1)

    name = "c_ratio_bias"
    title = "c-ratio bias of translations"
    version = 2
    kind = Kind.MT
    cues = frozenset({Cue.AGREEMENT, Cue.ENTITY, Cue.PRONOUN})
    tag = "occupation"
    resampling = "occupations"
    citation = (
        "Lipani, A., Piroi, F., Yilmaz, E. (2021). Towards more accountable search engines: "
        "Online evaluation of representation bias. arXiv:2110.08835"
    )
    quantities = QUANTITIES
    needs_reference = True
    primaries = ("mb", "mab", "occupation_marked_share")
    validity = Validity(
        means=(
            "How far the share of feminine forms in marked translations about an occupation lies "
            "from a reference share of women: MB with its sign, MAB without, as means over "
            "occupations."
        ),
        does_not_mean=(
            "A bias of 0 is not equality: it says as skewed as that reference. MAB is not 0 "
            "without bias; read it beside its baselines. The shares are of these templates, not of "
            "all that an engine writes about an occupation, and no single occupation is tested."
        ),
        assumes=(
            "That the reference, of its country and year, describes the occupation that the word "
            "stands for, that the templates leave the gender open, and that the rules read the "
            "forms rightly. Between two dates the target and the set of outputs are held fixed."
        ),
        harm=(
            "Representational: an occupation is shown as one of men or of women more than it is. "
            "It may become allocational where such texts are job advertisements or profiles. It "
            "concerns women and men in the occupation; labour tables know nobody else."
        ),
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """The columns of `_shared.Col`; None when no repeat has a usable answer."""
        return probe_statistics(unit.classes)

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Women's share per occupation; NaN where no marked output has weight."""
        return share_by_group(stats[:, Col.FEMININE], stats[:, Col.MARKED], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return a topic value per occupation and the quantities over occupations."""
        ordered = in_order(units)
        rows = rows_by(tag_values(ordered, self.tag))
        table = statistics_matrix(ordered)
        rules = OutputRules(self.target, self.min_templates, self.floor)
        topics = [
            OutputTopic(key, scope_of(key, table, rows[key]), context.shares.get(key), rules)
            for key in sorted(rows)
        ]
        values = tuple(topic_value(topic) for topic in topics)
        overall = scope_of("all", table, range(len(ordered)))
        number_of = {topic.key: number for number, topic in enumerate(topics)}
        occupation = np.array([number_of[unit.tags[self.tag]] for unit in ordered], np.int64)
        template = templates_of(ordered)
        outputs = Outputs(occupation, template, table[:, Col.FEMININE], table[:, Col.MARKED] > 0)
        usable = make_panel(topics, values, overall.counts(Col.MARKED), context, outputs)
        if len(usable.topics) < self.topics_floor:
            reason = (
                f"{len(usable.topics)} usable occupations of {len(topics)} planned, "
                f"floor {self.topics_floor}"
            )
            over_topics = [usable.lacking(quantity.name, reason) for quantity in OVER_TOPICS]
        else:
            over_topics = summarise_topics(usable, self.ddof, context)
        facts = overall.class_facts()
        read = table[:, Col.READ] > 0
        crossed = Crossed(occupation[read], template[read])
        inflation = crossed.inflation(table[read, Col.MARKED_SHARE])
        marked = share_value(
            "occupation_marked_share", overall, MARKED, self.floor, "wilson", (), facts, inflation
        )
        return Result((*over_topics, marked), values)

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """Compare by sign-flip over occupations, on the exact target that `context` has."""
        sides = both_sides(before, after, statistics_matrix)
        rules = OutputRules("exact", self.min_templates, self.floor)
        occupations = tag_values(sides.units, self.tag)
        records = compare_outputs(
            sides, occupations, context.shares, rules, self.topics_floor, self.ddof
        )
        return tuple(records)


MEASURE = CRatioBias()
