"""c-ratio bias for search engines: ranked lists by occupation and target shares in, bias out.

Lipani, A., Piroi, F., Yilmaz, E. (2021). Towards more accountable search engines: Online
evaluation of representation bias. arXiv:2110.08835.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.measures._shared import (
    SCORE,
    BaseMeasure,
    Changes,
    ProbeCounts,
    Units,
    check_choice,
    check_share,
    checked,
    choice,
    in_order,
    make_quantity,
    rows_by,
    share_by_group,
    tag_values,
    whole,
)
from monitor.measures.c_ratio._list_changes import (
    CHANGES,
    compare_topics,
    pair_topics,
    values_of_changes,
)
from monitor.measures.c_ratio._list_topics import (
    ListRules,
    ListTopic,
    count_unread,
    cut_question,
    target_of,
    topic_value,
    unlabelled,
)
from monitor.measures.c_ratio._list_values import (
    OVER_TOPICS,
    label_coverage,
    lacking_values,
    make_panel,
    summarise_topics,
    trigger_rate,
)
from monitor.model import (
    Context,
    Cue,
    Floats,
    Ints,
    InvalidInput,
    Kind,
    Matrix,
    Result,
    State,
    TopicValue,
    Unit,
    Validity,
)
from monitor.ranked.inputs import pin_units
from monitor.stats.chance import benjamini_hochberg

_FEWEST_GROUPS = 2

QUANTITIES = (
    *OVER_TOPICS,
    *CHANGES,
    make_quantity(
        "trigger_rate", "share of occupations for which the block was shown",
        "questions that show the block", SCORE, "share", "shows the block for more questions",
        "shows the block for fewer questions",
    ),
    make_quantity(
        "label_coverage", "share of the people shown whose group is recorded",
        "people whose gender is recorded", SCORE, "share",
        "shows more people whose gender is recorded", "shows fewer people whose gender is recorded",
    ),
)  # fmt: skip


def _check_groups(measure: str, name: str, value: object) -> tuple[str, ...]:
    names = tuple(value) if isinstance(value, list | tuple) else ()
    texts = all(isinstance(text, str) and text for text in names)
    if not texts or len(names) < _FEWEST_GROUPS or len(set(names)) < len(names):
        raise InvalidInput(
            f"{measure}: {name} is {value!r}; it must be a list of two or more different names"
        )
    return names


@dataclass(frozen=True, slots=True)
class CRatioBiasSearch(BaseMeasure):
    """Bias of a group's share in the ranked lists that a search engine shows for an occupation.

    For an occupation: model = m_c/m over the first `cutoff` items, of which m people are recorded
    in one of `groups` and m_c in `group`; target = mu, the group's reference share among `groups`;
    beta = model - target in [-1, 1], neutral 0, positive = more of the group than in the
    reference. Over occupations: MB = mean of beta, SB = its standard deviation, MAB = mean of
    |beta|. MAB and SB are not 0 without bias: mab_null is the expected MAB of lists whose people
    are drawn at the target shares (binomial; hypergeometric where the target is the engine's own
    full list), its low and high the central 95 % under chance, not a confidence interval. A topic
    has an exact two-sided p-value of its count (all outcomes no more probable than the one seen)
    and a q-value (Benjamini-Hochberg over the topics measured).

    `denominator`: "shown" divides by m, so that beta of women is minus beta of men exactly;
    "cutoff" divides by `cutoff`, as the paper did. `target`: "rounded" compares with the nearest
    ratio that the list can show (Definition 2.3; largest remainder for more than two groups),
    "exact" with mu. `floor`: share of the people with a label below which a list is not used.
    `topics_floor`: usable occupations below which the whole is INSUFFICIENT. `ddof`: 0 for the
    population standard deviation, 1 for the sample one.

    Ratios are averaged over the repeats with a usable list, then over the questions of an
    occupation. The cut is by rank as shown; what is not human is left out after it. People
    recorded in other groups leave both numbers; people without a label, or with sources that
    disagree, are missing and give Manski bounds. Without answer, block or people an occupation is
    INSUFFICIENT; bounds speak of missing labels alone.

    Intervals are about occupations of this kind: a bootstrap over them in which people who stand
    in the lists of several are drawn too (Owen 2007). Changes compare the same questions at the
    tick before and always take the exact target.
    """

    cutoff: int = whole(10, 1)
    denominator: str = choice("shown", ("shown", "cutoff"))
    target: str = choice("rounded", ("rounded", "exact"))
    group: str = "women"
    groups: Sequence[str] = checked(("women", "men"), _check_groups)
    floor: float = checked(0.5, check_share)
    topics_floor: int = whole(10, 3)
    ddof: int = whole(0, 0, 1)

    name = "c_ratio_bias"
    title = "c-ratio bias of search results"
    version = 2
    kind = Kind.SEARCH
    cues = frozenset({Cue.PEOPLE})
    tag = "occupation"
    resampling = "occupations, and people in several of them"
    citation = (
        "Lipani, A., Piroi, F., Yilmaz, E. (2021). Towards more accountable search engines: "
        "Online evaluation of representation bias. arXiv:2110.08835"
    )
    quantities = QUANTITIES
    needs_reference = True
    primaries = ("mb", "mab", "trigger_rate")
    validity = Validity(
        means=(
            "How far the share of people recorded as women, or of the group that is named, among "
            "those whom the lists for occupations show lies above or below a reference share."
        ),
        does_not_mean=(
            "A bias of 0 is not balance: it is as skewed as the reference, whose choice alone "
            "moves the number; and a mean absolute bias above 0 is expected of short lists by "
            "chance."
        ),
        assumes=(
            "What the source records of people holds, gender has no part in who is without a "
            "record, and the reference describes those who could have been shown."
        ),
        harm=(
            "Representational: a group is shown less than it is there, which concerns people of "
            "the occupation who are looked for, and whoever learns from the list who does the work."
        ),
    )

    def __post_init__(self) -> None:
        BaseMeasure.__post_init__(self)
        check_choice(self.name, "group", self.group, self.groups)

    @property
    def _rules(self) -> ListRules:
        groups = tuple(self.groups)
        return ListRules(self.cutoff, self.denominator, self.target, self.group, groups, self.floor)

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return (model ratio over usable lists, 1 if there are any); None without an answer."""
        read_question = cut_question(unit, self._rules)
        if not read_question.cuts:
            return None
        return (
            (float(read_question.ratio(self._rules)), 1.0) if read_question.usable else (0.0, 0.0)
        )

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """The group's ratio per occupation; NaN where no usable list has weight."""
        return share_by_group(stats[:, 0], stats[:, 1], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return a topic value per occupation and the quantities over occupations."""
        topics = self._read_topics(units, context)
        values = _with_q(topics)
        questions = [question for topic in topics for question in topic.questions]
        counts = ProbeCounts(len(units), len(questions), 0, count_unread(questions))
        usable = [value for value in values if value.state is State.MEASURED]
        if len(usable) < self.topics_floor:
            reason = (
                f"{len(usable)} usable occupations of {len(topics)} planned, "
                f"floor {self.topics_floor}"
            )
            used = replace(counts, used=sum(value.used for value in usable))
            over_topics = lacking_values(OVER_TOPICS, used, reason)
        else:
            over_topics = summarise_topics(
                make_panel(topics, values, counts, context), self.ddof, context
            )
        topic_pairs = pair_topics(topics, self._read_topics(context.before, context))
        return Result(
            (
                *over_topics,
                *values_of_changes(topic_pairs, self.topics_floor, counts, context),
                trigger_rate(topics, self.topics_floor, counts),
                label_coverage(topics, counts, context),
            ),
            tuple(values),
        )

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """Changes on the occupations usable on both sides, against the exact targets of after."""
        then, now = (
            self._read_topics(units, context) for units in (pin_units(before, after), after)
        )
        changes = compare_topics(then, now, self.topics_floor, self.ddof)
        return tuple(changes)

    def _read_topics(self, units: Sequence[Unit], context: Context) -> list[ListTopic]:
        ordered, rules = in_order(units), self._rules
        questions = [cut_question(unit, rules) for unit in ordered]
        rows = rows_by(tag_values(ordered, self.tag))
        return [
            ListTopic(
                key,
                len(rows[key]),
                tuple(questions[row] for row in rows[key] if questions[row].cuts),
                target_of(context.targets.get(key, ()), rules),
                rules,
                unlabelled(ordered[row] for row in rows[key]),
            )
            for key in sorted(rows)
        ]


def _with_q(topics: Sequence[ListTopic]) -> list[TopicValue]:
    values = [topic_value(topic) for topic in topics]
    tested = [row for row, value in enumerate(values) if value.p is not None]
    adjusted = benjamini_hochberg(np.array([values[row].p for row in tested], np.float64))
    for row, q in zip(tested, adjusted.tolist(), strict=True):
        values[row] = replace(values[row], q=q)
    return values


MEASURE = CRatioBiasSearch()
