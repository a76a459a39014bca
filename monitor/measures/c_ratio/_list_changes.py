"""Changes of the c-ratio bias of ranked lists, on the occupations usable at two ticks.

The targets are those of after on both sides and exact, so that neither a newer reference
nor a rounding that follows the lists shows as a change of the engine.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from monitor.change import Paired, Test
from monitor.measures._paired_panels import (
    IS_CHANGE,
    Panel,
    Possible,
    cluster_facts,
    missing_facts,
    of_flips,
)
from monitor.measures._query_means import shares_of
from monitor.measures._shared import Facts, ProbeCounts, measured_value
from monitor.measures.c_ratio._bias_statistics import (
    DISTANCE,
    MEAN,
    SPREAD,
    STATISTICS,
    weighted_mean,
)
from monitor.measures.c_ratio._list_topics import (
    ListQuestion,
    ListTopic,
    mean_of_lists,
)
from monitor.measures.c_ratio._list_values import (
    OVER_TOPICS,
    bias_draws,
    lacking_values,
    topic_weights,
    weigh_topic,
)
from monitor.model import OF_DONOR, Context, Direction, Floats, Value
from monitor.stats.intervals import (
    IntervalMethod,
    Limits,
    absolute_limits,
)
from monitor.stats.paired import FlipTest, mean_bounds, sign_flip, wider_flip
from monitor.stats.resampling import (
    percentile_interval,
    recentre_draws,
)

_SHIFT = replace(
    MEAN, name="mb_change_panel", low=-2.0, high=2.0, meaning=replace(MEAN.meaning, rank=0),
    title="change of the mean bias on the occupations of both ticks",
)  # fmt: skip
_SIZE = replace(
    DISTANCE, name="mab_change_panel", direction=Direction.SIGNED, neutral=0.0, low=-1.0,
    title="change of the mean absolute bias on the occupations of both ticks",
)  # fmt: skip
CHANGES = (_SHIFT, _SIZE)
#: The questions of each topic before and after.
Questions = Sequence[tuple[Sequence[ListQuestion], Sequence[ListQuestion]]]
_NONE = (np.nan, np.nan)
#: Why a quantity has no change of its own.
_UNCHANGED = {
    statistic.baseline.name: "is what chance alone would make of the lists, and no answer of the "
    "system"
    for statistic in STATISTICS
    if statistic.baseline
} | {
    # On the same lists' lengths chance makes the same of both sides.
    statistic.excess.name: f"changes by as much as {statistic.name}, less what chance alone makes "
    "of the lists"
    for statistic in STATISTICS
    if statistic.excess
}


@dataclass(frozen=True, slots=True)
class TopicPair:
    """A topic at two ticks, on the questions that have a usable list at both."""

    now: ListTopic
    before: ListTopic


def pair_topics(topics: Sequence[ListTopic], before: Sequence[ListTopic]) -> list[TopicPair]:
    """Return the fixed panel; targets are exact, because rounded ones follow the model on ties."""
    earlier = {topic.key: topic for topic in before}
    panel = [
        _pair_topic(topic, earlier[topic.key])
        for topic in topics
        if topic.key in earlier and topic.target is not None
    ]
    return [pair for pair in panel if pair.now.used]


def _pair_topic(now: ListTopic, before: ListTopic) -> TopicPair:
    usable = [{q.key for q in topic.questions if q.usable} for topic in (now, before)]
    common = usable[0] & usable[1]
    rules = replace(now.rules, target="exact")

    def kept(topic: ListTopic) -> ListTopic:
        questions = tuple(q for q in topic.questions if q.key in common)
        return ListTopic(topic.key, topic.planned, questions, now.target, rules)

    return TopicPair(kept(now), kept(before))


def values_of_changes(
    found: Sequence[TopicPair], floor: int, counts: ProbeCounts, context: Context
) -> list[Value]:
    """The quantities of `CHANGES`: the bias now less the bias before, over the same topics."""
    used = sum(pair.now.used for pair in found)
    counts = ProbeCounts(counts.planned, counts.answered, used, counts.unidentified)
    facts = (("n_panel", float(len(found))),)
    if not context.before:
        return lacking_values(CHANGES, counts, "no earlier tick")
    if len(found) < floor:
        reason = f"{len(found)} topics usable at both ticks, floor {floor}"
        return lacking_values(CHANGES, counts, reason, facts)
    return _measure_pairs(found, counts, facts, context)


def _measure_pairs(
    topic_pairs: Sequence[TopicPair], counts: ProbeCounts, facts: Facts, context: Context
) -> list[Value]:
    n = len(topic_pairs)
    sides = [pair.now for pair in topic_pairs], [pair.before for pair in topic_pairs]
    lists = [
        topic_list
        for column, topic in enumerate((*sides[0], *sides[1]))
        for topic_list in weigh_topic(topic, column % n, column)
    ]
    drawn_biases = bias_draws(lists, context)
    now, before = drawn_biases[:, :n], drawn_biases[:, n:]
    weights = topic_weights(n, context) * np.isfinite(now + before)
    bias_now, bias_before = (np.array(list(map(panel_bias, side)), np.float64) for side in sides)
    ends = [_bias_limits(side) for side in sides]
    sizes = [absolute_limits(*side) for side in ends]
    numbers = (
        (_SHIFT, bias_now - bias_before, now - before, ends),
        (_SIZE, np.abs(bias_now) - np.abs(bias_before), np.abs(now) - np.abs(before), sizes),
    )
    return [
        measured_value(
            quantity.name, "all", counts, float(changed.mean()),
            percentile_interval(
                recentre_draws(
                    weighted_mean(draws, weights), weighted_mean(changed, weights),
                    quantity.low, quantity.high,
                )
            ),
            # Outer limits: nothing ties the labels of the two ticks together.
            Limits(
                float((later.low - earlier.high).mean()), float((later.high - earlier.low).mean())
            ),
            facts,
        )
        for quantity, changed, draws, (later, earlier) in numbers
    ]  # fmt: skip


def _bias_limits(topics: Sequence[ListTopic]) -> IntervalMethod:
    ends = [topic.bias_ends(topic.target) for topic in topics if topic.target]
    low: Floats = np.array([float(end.low) for end in ends if end])
    high: Floats = np.array([float(end.high) for end in ends if end])
    return IntervalMethod(low, high)


def panel_bias(topic: ListTopic) -> Fraction:
    """Model ratio less target ratio of a topic of a panel, which has both."""
    return topic.bias(topic.target) if topic.target else Fraction()


def by_topics_and_people(found: Sequence[TopicPair], factors: Sequence[Fraction]) -> FlipTest:
    """The change of the mean of factor times bias, with the larger p and the wider interval of two.

    Once every occupation is a cluster, and once everybody who came or went in several of them: one
    person who leaves ten lists is one event and not ten. Of clusters in two ways the larger error
    is taken; Cameron, A. C., Gelbach, J. B., Miller, D. L. (2011). Robust inference with multiway
    clustering. Journal of Business & Economic Statistics 29(2), 238-249, have both in one variance,
    for which there is no sign-flip test.
    """
    n = len(found)
    moved = [
        float(factor * _change_of_bias(pair) / n)
        for pair, factor in zip(found, factors, strict=True)
    ]
    parts = people_parts(found, factors)
    number = {key: index for index, key in enumerate(sorted({key for key, _ in parts}))}
    by_person = sign_flip(
        np.array([float(part / n) for _, part in parts]),
        np.array([number[key] for key, _ in parts], np.int64),
    )
    flip = wider_flip(sign_flip(np.array(moved)), by_person)
    return widen_by_donors(flip, _bias_parts(found, [float(factor) for factor in factors]))


#: (question, what it adds to a change).
_QuestionPart = tuple[str, float]


def widen_by_donors(flip: FlipTest, parts: Iterable[_QuestionPart]) -> FlipTest:
    """Return a test with the larger p and the wider interval of itself and a flip of donors.

    Pages of a donor are one cluster whatever they are about. Questions that nobody donated an
    answer to leave the test as it is.
    """
    by_donor: dict[str, float] = defaultdict(float)
    for key, part in parts:
        if donor := key.partition(OF_DONOR)[2]:
            by_donor[donor] += part
    return wider_flip(flip, sign_flip(np.array(list(by_donor.values())))) if by_donor else flip


def _bias_parts(pairs: Sequence[TopicPair], factors: Sequence[float]) -> Iterator[_QuestionPart]:
    """Yield what each question adds to the mean of factor times change of bias."""
    for pair, factor in zip(pairs, factors, strict=True):
        for topic, sign in ((pair.now, 1), (pair.before, -1)):
            for question in topic.questions:
                ratio = float(question.ratio(topic.rules))
                yield question.key, sign * factor * ratio / (topic.used * len(pairs))


def _change_of_bias(pair: TopicPair) -> Fraction:
    return panel_bias(pair.now) - panel_bias(pair.before)


def people_parts(
    pairs: Sequence[TopicPair], factors: Sequence[Fraction]
) -> list[tuple[tuple[int, str], Fraction]]:
    """((-1, person) or (topic, ""), their part of factor times change of bias), the sum the same.

    Who came or went in several topics has what they themselves add to the ratio, and what is left
    of a topic's change in equal parts, for who takes a place that was left has come with whoever
    left it. A topic without anybody like that keeps its change.
    """
    movers = movers_of(pairs)
    several = people_in_several(movers)
    parts: list[tuple[tuple[int, str], Fraction]] = []
    for index, (pair, factor) in enumerate(zip(pairs, factors, strict=True)):
        change, people = _change_of_bias(pair), sorted(movers[index] & several)
        if not people:
            parts.append(((index, ""), factor * change))
            continue
        person_parts = _own_parts(pair)
        rest = (change - sum(person_parts[person] for person in people)) / len(people)
        parts += [((-1, person), factor * (person_parts[person] + rest)) for person in people]
    return parts


def _own_parts(pair: TopicPair) -> dict[str, Fraction]:
    """Return what each person adds to the change of the model ratio: (1 or 0, less its middle)/m.

    Over the cut-off instead of the people shown, 1/n or nothing.
    """
    rules = pair.now.rules
    middle = (pair.now.model() + pair.before.model()) / 2
    centre = middle if rules.denominator == "shown" else Fraction()
    parts = defaultdict[str, Fraction](Fraction)
    for topic, sign in ((pair.now, 1), (pair.before, -1)):
        for weight, cut in topic.lists:
            over = rules.over(len(cut.counted))
            for item in cut.counted:
                parts[item.entity] += (
                    sign * weight * (int(item.group == rules.group) - centre) / over
                )
    return parts


def people_in_several(movers: Sequence[set[str]]) -> set[str]:
    """Return who came or went in more than one topic."""
    topics = Counter(person for people in movers for person in people)
    return {person for person, n in topics.items() if n > 1}


def movers_of(found: Sequence[TopicPair]) -> list[set[str]]:
    """By topic, who came, went, or has another group; people without an identity are left out."""
    sides = [(_list_shares(pair.before), _list_shares(pair.now)) for pair in found]
    return [
        {key[0] for key in {**then, **now} if key[0] and then.get(key) != now.get(key)}
        for then, now in sides
    ]


def _list_shares(topic: ListTopic) -> dict[tuple[str, str], Fraction]:
    """Return in which share of the lists each person counts, by person and group."""
    shares = defaultdict[tuple[str, str], Fraction](Fraction)
    for weight, cut in topic.lists:
        for item in cut.counted:
            shares[item.entity, item.group] += weight
    return shares


def spread_parts(before: Floats, after: Floats, ddof: int) -> Floats:
    """(topics,) what each adds to the change of the standard deviation.

    s - s' = (s^2 - s'^2)/(s + s'), and a variance is a sum over topics.
    """
    degrees = len(before) - ddof
    s = float(before.std(ddof=ddof) + after.std(ddof=ddof))
    if not s:
        return np.zeros(len(before))
    squares = (after - after.mean()) ** 2 - (before - before.mean()) ** 2
    return np.asarray(squares / (degrees * s), np.float64)


def coverage_parts(panel: Questions) -> tuple[Floats, tuple[float, float]] | None:
    """((topics,) what each adds to the change of label coverage, (coverage before, after)).

    A ratio of sums: a topic adds (labelled - r people)/all people on either side, with r halfway
    between the two ratios. None where nobody was shown on a side.
    """
    sides = [[_count_labelled(pair[side]) for pair in panel] for side in (0, 1)]
    labelled, people = (
        [sum((counts[column] for counts in side), Fraction()) for side in sides]
        for column in (0, 1)
    )
    if not all(people):
        return None
    ratio = [known / total for known, total in zip(labelled, people, strict=True)]
    middle = (ratio[0] + ratio[1]) / 2
    then, now = (
        [(known - middle * shown) / total for known, shown in side]
        for side, total in zip(sides, people, strict=True)
    )
    terms = [float(after - before) for before, after in zip(then, now, strict=True)]
    return np.array(terms), (float(ratio[0]), float(ratio[1]))


def _coverage_by_question(panel: Questions, ends: tuple[float, float]) -> Iterator[_QuestionPart]:
    """Yield what each question adds to the change of label coverage, as `coverage_parts` does."""
    middle = (ends[0] + ends[1]) / 2
    for side, sign in ((0, -1), (1, 1)):
        total = float(sum((_count_labelled(pair[side])[1] for pair in panel), Fraction()))
        for pair in panel:
            for question in pair[side]:
                labelled, people = map(float, _count_labelled([question]))
                part = (labelled - middle * people) / (len(pair[side]) * total)
                yield question.key, sign * part


def _count_labelled(questions: Sequence[ListQuestion]) -> tuple[Fraction, Fraction]:
    """(people with a recorded group, people) within the cut-off, lists of a question averaged."""
    lists = []
    for question in questions:
        shown_cuts = [cut for cut in question.cuts if cut.items]
        lists += [(Fraction(1, len(questions) * len(shown_cuts)), cut) for cut in shown_cuts]
    return (
        mean_of_lists(lists, lambda cut: Fraction(cut.labelled)),
        mean_of_lists(lists, lambda cut: Fraction(cut.people)),
    )


def missing_of_bias(
    panel_pairs: Sequence[TopicPair], before: Sequence[ListTopic], after: Sequence[ListTopic]
) -> Mapping[str, Callable[[float], Facts]]:
    """Return by quantity (mb, mab) what computes the facts of its change.

    Over the topics planned at both ticks that have a target: those of the panel, and those without
    a usable list at a tick because an answer or labels are missing. A block that was not shown is
    no missing answer.
    """
    pairs = {pair.now.key: pair for pair in panel_pairs}
    earlier = {topic.key: topic for topic in before}
    planned = [topic for topic in after if topic.key in earlier and topic.target is not None]
    sides = [
        (pairs[now.key].before, pairs[now.key].now)
        if now.key in pairs
        else (_set_target(earlier[now.key], now), _set_target(now, now))
        for now in planned
    ]
    values, ends, possible = _read_sides(
        sides, lambda topic: float(panel_bias(topic)) if topic.used else np.nan, _bias_ends
    )
    in_panel = np.array([now.key in pairs for now in planned], np.bool_)
    weights = np.full(len(planned), 1 / max(len(panel_pairs), 1))
    # Of a topic that is usable on both sides, but by other questions, nothing is missing.
    apart = ~in_panel & np.isfinite(values[0] + values[1])
    values_apart = np.where(apart, np.nan, values[0]), np.where(apart, np.nan, values[1])
    total = np.abs(values_apart[0]) + np.abs(values_apart[1])
    signs = np.divide(
        values_apart[0] + values_apart[1], total, out=np.ones(len(planned)), where=total > 0
    )

    def mab_bounds() -> Limits:
        sizes = [_size_bounds(low, high, in_panel) for low, high in ends]
        return Limits(sizes[1].low - sizes[0].high, sizes[1].high - sizes[0].low)

    return {
        "mb": lambda delta: missing_facts(values_apart, possible, delta, weights),
        "mab": lambda delta: missing_facts(
            values_apart, possible, delta, signs * weights, bounds=mab_bounds
        ),
    }


def missing_of_trigger(
    before: Sequence[ListTopic], after: Sequence[ListTopic], delta: float
) -> Facts:
    """Return the facts of the change of the trigger rate: topics without an answer at a tick."""
    earlier = {topic.key: topic for topic in before}
    sides = [(earlier[now.key], now) for now in after if now.key in earlier]
    values, _, possible = _read_sides(
        sides,
        lambda one: float(one.shown) if one.questions else np.nan,
        lambda one: (float(one.shown), float(one.shown or len(one.questions) < one.planned)),
    )
    answered = np.isfinite(values[0] + values[1])
    weights = np.full(len(sides), 1 / max(int(answered.sum()), 1))
    return missing_facts(values, possible, delta, weights)


def _set_target(topic: ListTopic, now: ListTopic) -> ListTopic:
    """Return the topic held against the exact target of now, as those of the panel are."""
    return replace(topic, target=now.target, rules=replace(now.rules, target="exact"))


def _read_sides(
    sides: Sequence[tuple[ListTopic, ListTopic]],
    number: Callable[[ListTopic], float],
    ends_of: Callable[[ListTopic], tuple[float, float]],
) -> tuple[tuple[Floats, Floats], list[Floats], Possible]:
    """Return by side a number of each topic, and its lowest and highest: (2, topics)."""
    then, now = (np.array([number(pair[side]) for pair in sides]) for side in (0, 1))
    ends: list[Floats] = [
        np.array([ends_of(pair[side]) for pair in sides], np.float64).reshape(-1, 2).T
        for side in (0, 1)
    ]
    return (then, now), ends, Possible((ends[0][0], ends[0][1]), (ends[1][0], ends[1][1]))


def _bias_ends(topic: ListTopic) -> tuple[float, float]:
    """Return the lowest and highest possible bias of a topic on one side."""
    if topic.target is None:
        return _NONE
    ends = topic.bias_ends(topic.target)
    if ends is not None:
        return float(ends.low), float(ends.high)
    if len(topic.questions) == topic.planned:
        return _NONE
    share = float(topic.target.shares[topic.rules.place])
    return -share, 1 - share


def _size_bounds(low: Floats, high: Floats, known: np.ndarray) -> Limits:
    """Return the lowest and highest mean of |bias| of the known topics and any of the others."""
    rows = ~np.isnan(low) & ~np.isnan(high)
    return mean_bounds(*absolute_limits(low[rows], high[rows]), known[rows])


def compare_topics(
    before: Sequence[ListTopic], after: Sequence[ListTopic], floor: int, ddof: int
) -> Iterator[Paired]:
    """Yield the changes of all quantities; at least `floor` topics, `ddof` of the deviation."""
    panel, _ = _make_panel(
        before, after, lambda topic, q: topic.target is not None and bool(q.usable), other_people
    )
    topic_pairs = pair_topics(after, before)
    missing = missing_of_bias(topic_pairs, before, after) if topic_pairs else {}
    for record in _over_topics(topic_pairs, panel, floor, ddof):
        bound_facts = (
            missing[record.name](record.delta)
            if record.name in missing and record.delta is not None
            else ()
        )
        yield replace(record, facts=(*record.facts, *bound_facts))
    for quantity in CHANGES:
        yield panel.record(quantity.name, reason=IS_CHANGE)
    yield _compare_trigger_rate(before, after, floor)
    yield _compare_coverage(before, after)


def _make_panel(
    before: Sequence[ListTopic],
    after: Sequence[ListTopic],
    usable: Callable[[ListTopic, ListQuestion], bool],
    is_changed: Callable[[ListQuestion, ListQuestion], bool],
) -> tuple[Panel, Questions]:
    """Return the panel of the questions usable on a side, and by topic those usable on both."""
    then, now = (
        {q.key: q for topic in topics for q in topic.questions if usable(topic, q)}
        for topics in (before, after)
    )
    common = then.keys() & now.keys()
    keys = [*then, *(now.keys() - then.keys())]
    changed = np.array(
        [key in common and is_changed(then[key], now[key]) for key in keys], np.bool_
    )
    sides = (np.array([1.0 if key in side else np.nan for key in keys]) for side in (then, now))
    earlier = {topic.key: topic for topic in before}
    questions = [
        tuple(
            [q for q in topic_side.questions if q.key in common]
            for topic_side in (earlier[topic.key], topic)
        )
        for topic in after
        if topic.key in earlier
    ]
    panel = Panel.of(next(sides), next(sides), changed=changed)
    return panel, [(earlier_ones, later) for earlier_ones, later in questions if earlier_ones]


def other_people(before: ListQuestion, after: ListQuestion) -> bool:
    """Return whether others are shown within the cut-off, or in another order, labels aside."""
    lists_before, lists_after = (
        shares_of([tuple(item.entity for item in cut.items) for cut in question.cuts])
        for question in (before, after)
    )
    return lists_before != lists_after


def _over_topics(
    topic_pairs: Sequence[TopicPair], panel: Panel, floor: int, ddof: int
) -> Iterator[Paired]:
    facts: Facts = (("n_topics", float(len(topic_pairs))),)
    if len(topic_pairs) < floor:
        reason = f"{len(topic_pairs)} occupations usable on both sides, floor {floor}"
        yield from (
            panel.record(quantity.name, reason=reason, facts=facts) for quantity in OVER_TOPICS
        )
        return
    several = people_in_several(movers_of(topic_pairs))
    facts += (("n_people_moved_in_several_topics", float(len(several))),)
    ends, flips = _end_values(topic_pairs, ddof), _test_flips(topic_pairs, ddof)
    for quantity in OVER_TOPICS:
        name = quantity.name
        # An extreme is of one occupation, perhaps of another one on each side: no test fits.
        reason = _UNCHANGED.get(name, "")
        flip, quantity_facts = flips.get(name), facts
        if flip is not None:
            quantity_facts += cluster_facts(flip)
        yield panel.record(
            name,
            ends=ends.get(name),
            flip=flip,
            widest=quantity.high - quantity.low,
            reason=reason,
            facts=quantity_facts,
        )


def _end_values(topic_pairs: Sequence[TopicPair], ddof: int) -> dict[str, tuple[float, float]]:
    """Return the values before and after by quantity, on the panel."""
    before = [panel_bias(pair.before) for pair in topic_pairs]
    now = [panel_bias(pair.now) for pair in topic_pairs]
    return {one.name: (one.exact(before, ddof), one.exact(now, ddof)) for one in STATISTICS}


def _test_flips(topic_pairs: Sequence[TopicPair], ddof: int) -> dict[str, FlipTest]:
    sides = [(panel_bias(pair.before), panel_bias(pair.now)) for pair in topic_pairs]
    before, after = (np.array(side, np.float64) for side in zip(*sides, strict=True))
    flips = {
        statistic.name: by_topics_and_people(
            topic_pairs, [statistic.factor(*biases) for biases in sides]
        )
        for statistic in STATISTICS
        if statistic.factor
    }
    # The change of a deviation is no sum of factors: each topic moves the mean of all.
    flips[SPREAD.name] = widen_by_donors(
        sign_flip(spread_parts(before, after, ddof)),
        _bias_parts(topic_pairs, _spread_factors(before, after, ddof)),
    )
    return flips


def _spread_factors(before: Floats, after: Floats, ddof: int) -> list[float]:
    """Return what a change of bias of a topic times the number of topics adds to a deviation."""
    degrees, s = len(before) - ddof, float(before.std(ddof=ddof) + after.std(ddof=ddof))
    sums = (before - before.mean()) + (after - after.mean())
    return list((sums * len(before) / (degrees * s)).tolist()) if s else [0.0] * len(before)


def _compare_trigger_rate(
    before: Sequence[ListTopic], after: Sequence[ListTopic], floor: int
) -> Paired:
    """Test whether the block was shown in any answer, by McNemar over occupations.

    Of an occupation with several questions those count that were answered on both sides.
    """
    panel, questions = _make_panel(
        before, after, lambda _, q: bool(q.cuts), lambda sides, later: sides.shown != later.shown
    )
    shown = [(any(q.shown for q in then), any(q.shown for q in now)) for then, now in questions]
    n, gained, lost = len(shown), shown.count((False, True)), shown.count((True, False))
    facts: Facts = (("n_topics", float(n)), ("gained", float(gained)), ("lost", float(lost)))
    if n < floor:
        reason = f"{n} occupations answered on both sides, floor {floor}"
        return panel.record("trigger_rate", reason=reason, facts=facts)
    then, now = (sum(sides[side] for sides in shown) / n for side in (0, 1))
    flip = widen_by_donors(
        of_flips(gained, lost, n),
        (
            (question.key, sign * question.shown / (n * len(side)))
            for pair in questions
            for side, sign in zip(pair, (-1, 1), strict=True)
            for question in side
        ),
    )
    facts = (*facts, *missing_of_trigger(before, after, flip.total))
    return panel.record("trigger_rate", ends=(then, now), flip=flip, test=Test.MCNEMAR, facts=facts)


def _compare_coverage(before: Sequence[ListTopic], after: Sequence[ListTopic]) -> Paired:
    """Compare the share of people shown whose group is recorded, in lists shown at both ticks."""
    panel, questions = _make_panel(before, after, lambda _, q: q.shown, other_people)
    coverage = coverage_parts(questions)
    facts: Facts = (("n_topics", float(len(questions))),)
    if coverage is None:
        return panel.record("label_coverage", reason="no people shown on both sides", facts=facts)
    flip = sign_flip(coverage[0])
    flip = widen_by_donors(flip, _coverage_by_question(questions, coverage[1]))
    return panel.record(
        "label_coverage",
        ends=coverage[1],
        flip=flip,
        widest=1.0,
        facts=(*facts, *cluster_facts(flip)),
    )
