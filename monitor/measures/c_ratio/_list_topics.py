"""c-ratio bias of one occupation in ranked lists: cut lists, exact targets, chance, topic values.

Targets are those of Lipani et al. (2021), Definition 2.3. The paper has a group and the rest; more
groups are given whole numbers of items by largest remainder (Hamilton's method of apportionment),
with the paper's rule where remainders tie.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from monitor.measures.c_ratio._bias_statistics import (
    rounded_target,
    share_fraction,
    topic_bias,
)
from monitor.model import Floats, LabelState, Share, Shown, State, TopicValue, Unit
from monitor.stats.chance import binomial_law, hypergeometric_law, two_sided

NOT_SHOWN = "not shown"
#: Source of shares that are counts over a finite list, from which what is shown is drawn.
FULL_LIST = "result_list"
#: A group and the rest, as in the paper.
PAIR = 2
#: Digits of a share: 1 - 0.85 then is 0.15 and not 0.15000000000000002, which would be no tie; and
#: of an absolute bias.
_DIGITS = 12
#: How far from 1 the shares of all known groups may add up when nobody else is left.
_WHOLE = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class ListRules:
    """Parameters by which a list is cut and counted, and by which its target is taken."""

    cutoff: int
    denominator: str
    target: str
    group: str
    groups: tuple[str, ...]
    floor: float

    @property
    def place(self) -> int:
        """Return the position of the reported group among the groups."""
        return self.groups.index(self.group)

    def over(self, counted: int) -> int:
        """Number of items that ratios are over when so many count: these, or the cut-off.

        "shown" makes the bias of a group and of its complement opposite exactly; "cutoff" is what
        the paper did, where missing items count as belonging to neither group.
        """
        return self.cutoff if self.denominator == "cutoff" else min(counted, self.cutoff)


@dataclass(frozen=True, slots=True)
class Cut:
    """The first items of one list.

    The cut is by rank as a reader sees it; what is not human is taken out after it, and moves
    nobody up, so that a corrected label changes no other item.
    """

    items: tuple[Shown, ...]
    counted: tuple[Shown, ...]  # recorded in one of the groups of the measure
    counts: tuple[int, ...]  # of these, per group
    other: int  # recorded in another group
    missing: int  # people without a usable label; a conflict of sources is one
    not_human: int

    @property
    def conflicts(self) -> int:
        """People whom sources disagree about."""
        return sum(item.state is LabelState.CONFLICT for item in self.items)

    @property
    def labelled(self) -> int:
        """People with a recorded group, whichever it is."""
        return len(self.counted) + self.other

    @property
    def people(self) -> int:
        """Everybody in the list, labelled or not."""
        return self.labelled + self.missing

    def ratio(self, place: int, rules: ListRules) -> Fraction:
        """The model c-ratio of the group at this place."""
        return Fraction(self.counts[place], rules.over(len(self.counted)))

    def fault(self, rules: ListRules) -> str:
        """Return why the list has no ratio, or an empty string."""
        if not self.items:
            return NOT_SHOWN
        if 2 * self.not_human > len(self.items):
            return f"not a list of people: {self.not_human} of {len(self.items)} are not human"
        if self.labelled / self.people < rules.floor:
            return f"{self.labelled} of {self.people} people labelled, floor {rules.floor:g}"
        if not self.counted:
            return f"nobody is recorded as {' or '.join(rules.groups)}"
        return ""


def cut_list(items: Sequence[Shown], rules: ListRules) -> Cut:
    """The list as far as the cut-off, counted."""
    first = tuple(items[: rules.cutoff])
    labelled = [item for item in first if item.state is LabelState.LABELLED]
    counted = tuple(item for item in labelled if item.group in rules.groups)
    not_human = sum(item.state is LabelState.NOT_HUMAN for item in first)
    return Cut(
        first,
        counted,
        tuple(sum(item.group == group for item in counted) for group in rules.groups),
        len(labelled) - len(counted),
        len(first) - len(labelled) - not_human,
        not_human,
    )


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """One probe with the lists of those repeats that were answered."""

    key: str
    cuts: tuple[Cut, ...]
    usable: tuple[Cut, ...]  # those that have a ratio

    @property
    def shown(self) -> bool:
        """Return whether the block was shown in any answer."""
        return any(cut.items for cut in self.cuts)

    def ratio(self, rules: ListRules) -> Fraction:
        """The model c-ratio of the reported group, averaged over the usable lists."""
        ratios = (cut.ratio(rules.place, rules) for cut in self.usable)
        return sum(ratios, Fraction()) / len(self.usable)


def cut_question(unit: Unit, rules: ListRules) -> ListQuestion:
    """Cut and count the lists of a probe."""
    cuts = tuple(cut_list(items, rules) for items in unit.lists if items is not None)
    return ListQuestion(unit.key, cuts, tuple(cut for cut in cuts if not cut.fault(rules)))


def unlabelled(units: Iterable[Unit]) -> int:
    """People without a usable label in the whole lists of some probes, each once."""
    missing = (LabelState.UNRESOLVED, LabelState.CONFLICT)
    return len(
        {
            (item.entity or (unit.key, index, rank))
            for unit in units
            for index, items in enumerate(unit.lists)
            for rank, item in enumerate(items or ())
            if item.state in missing
        }
    )


@dataclass(frozen=True, slots=True)
class Target:
    """Target shares of all groups, which add up to 1, and where they are from."""

    shares: tuple[Fraction, ...]
    source: Share
    people: tuple[int, ...] | None  # of each group, where the shares are of a finite list


def target_of(shares: Sequence[Share], rules: ListRules) -> Target | None:
    """Return the shares of the measure's groups among themselves; None if the reference lacks one.

    People of other groups leave both ratios. A group that is not named has no member where the
    named ones add up to everybody, and is unknown otherwise.
    """
    recorded = {
        share.group: share_fraction(replace(share, value=round(share.value, _DIGITS)))
        for share in reversed(shares)
    }
    complete = sum(recorded.values()) >= 1 - _WHOLE
    group_shares = [
        recorded.get(group, Fraction(0) if complete else None) for group in rules.groups
    ]
    recorded_shares = [share for share in group_shares if share is not None]
    total = sum(recorded_shares)
    if len(recorded_shares) < len(group_shares) or not total:
        return None
    reported = next((share for share in shares if share.group == rules.group), shares[0])
    return Target(
        tuple(share / total for share in recorded_shares),
        reported,
        _count_people(shares, recorded_shares),
    )


def _count_people(shares: Sequence[Share], fractions: Sequence[Fraction]) -> tuple[int, ...] | None:
    """Number of people per group behind shares of a full list; None for any other source."""
    total = shares[0].n
    if not total or any((share.source, share.n) != (FULL_LIST, total) for share in shares):
        return None
    counts = [share * total for share in fractions]
    if any(count.denominator != 1 for count in counts):
        return None
    return tuple(int(count) for count in counts)


@dataclass(frozen=True, slots=True)
class Seats:
    """Items out of n that each group is due: whole ones, and those that tied remainders leave."""

    n: int
    whole: tuple[int, ...]
    tied: tuple[int, ...]  # places of the groups that compete for the seats left
    left: int


def allot_seats(shares: Sequence[Fraction], n: int) -> Seats:
    """Compute largest remainders: seats that are certain, and the tie for the last ones, if any."""
    if n < 1:
        raise ValueError(f"a ratio over {n} items does not exist")
    parts = [divmod(share * n, 1) for share in shares]
    whole, rests = [int(part) for part, _ in parts], [rest for _, rest in parts]
    open_seats = n - sum(whole)
    if not open_seats:
        return Seats(n, tuple(whole), (), 0)
    last = sorted(rests, reverse=True)[open_seats - 1]
    tied = tuple(index for index, rest in enumerate(rests) if rest == last)
    for index, rest in enumerate(rests):
        if rest > last:
            whole[index] += 1
            open_seats -= 1
    if len(tied) == open_seats:
        for tied_index in tied:
            whole[tied_index] += 1
        return Seats(n, tuple(whole), (), 0)
    return Seats(n, tuple(whole), tied, open_seats)


def rounded_targets(
    shares: Sequence[Fraction], n: int, models: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Return ratios x/n that add up to 1 and are nearest to the shares; ties go towards the models.

    Of groups that tie, those take a seat whose model ratio is nearest to the ratio with it, seen
    from the one without; equal ones in the order of the groups.
    """
    due = allot_seats(shares, n)

    def gain(index: int) -> Fraction:
        lower, upper = Fraction(due.whole[index], n), Fraction(due.whole[index] + 1, n)
        return abs(models[index] - upper) - abs(models[index] - lower)

    def excess(index: int) -> Fraction:
        return models[index] - shares[index]

    by_gain = sorted(due.tied, key=lambda index: (gain(index), -excess(index), index))
    winners = set(by_gain[: due.left])
    return tuple(Fraction(whole + (i in winners), n) for i, whole in enumerate(due.whole))


def seats_of(target: Target, n: int, rules: ListRules) -> tuple[int, int]:
    """Return the fewest and most of n items that the reported group is due, whatever is shown."""
    due, index = allot_seats(target.shares, n), rules.place
    return due.whole[index], due.whole[index] + (index in due.tied)


def target_for(target: Target, n: int, models: Sequence[Fraction], rules: ListRules) -> Fraction:
    """Return the target of the model ratio of the reported group over n items."""
    index = rules.place
    if rules.target == "exact":
        return target.shares[index]
    if len(rules.groups) == PAIR:  # each by itself: over the cut-off the two leave a rest
        return rounded_target(target.shares[index], n, models[index])
    return rounded_targets(target.shares, n, models)[index]


@dataclass(frozen=True, slots=True)
class Law:
    """Values of an absolute bias in ascending order, with their probabilities."""

    sizes: Floats
    chances: Floats

    @property
    def mean(self) -> float:
        """Expected absolute bias."""
        return float((self.sizes * self.chances).sum())

    @property
    def mean_square(self) -> float:
        """Expected square of the bias."""
        return float((self.sizes**2 * self.chances).sum())

    def drawn(self, uniform: Floats) -> Floats:
        """Return the law's quantiles at numbers within [0, 1)."""
        indices = np.searchsorted(np.cumsum(self.chances), uniform, side="right")
        quantiles: Floats = self.sizes[np.minimum(indices, len(self.sizes) - 1)]
        return quantiles


def count_law(target: Target, cut: Cut, rules: ListRules) -> Floats:
    """Probability of each number of items of the reported group in a list without bias.

    Every counted item is of the group with the target share. Where the target is the engine's own
    full list, the counted items are drawn from it without replacement; a list that cannot have
    been (somebody stands in it twice) is drawn with replacement all the same.
    """
    n, hits = len(cut.counted), cut.counts[rules.place]
    if target.people is not None:
        total, marked = sum(target.people), target.people[rules.place]
        if hits <= marked and n - hits <= total - marked:
            return hypergeometric_law(total, marked, n)
    return binomial_law(n, float(target.shares[rules.place]))


def p_value(target: Target, cuts: Sequence[Cut], rules: ListRules) -> float:
    """Exact two-sided p-value of a topic: the largest one of its lists.

    Repeats show the same people again, so lists of one topic do not add up; the largest p-value is
    valid however they depend on each other.
    """
    return max(two_sided(count_law(target, cut, rules), cut.counts[rules.place]) for cut in cuts)


def bias_law(target: Target, weighted: Sequence[tuple[Fraction, Cut]], rules: ListRules) -> Law:
    """Law of a topic's absolute bias without bias, its lists moving together.

    The target is rounded anew for every count, as it is for the list itself.
    """
    sizes: dict[int, Fraction] = defaultdict(Fraction)
    sample: dict[int, Cut] = {}
    for weight, cut in weighted:
        sizes[len(cut.counted)] += weight
        sample.setdefault(len(cut.counted), cut)
    laws = [count_law(target, sample[n], rules) for n in sorted(sizes)]
    biases = [float(sizes[n]) * _possible_biases(target, n, rules) for n in sorted(sizes)]
    if len(laws) == 1:
        return _make_law(biases[0], laws[0])
    steps = [np.minimum(np.cumsum(law), 1.0) for law in laws]
    edges = np.unique(np.concatenate([[0.0, 1.0], *steps]))
    middles = (edges[1:] + edges[:-1]) / 2
    together = np.zeros(len(middles))
    for step, bias in zip(steps, biases, strict=True):
        places = np.searchsorted(step, middles, side="right")
        together += bias[np.minimum(places, len(bias) - 1)]
    return _make_law(together, np.diff(edges))


def _possible_biases(target: Target, n: int, rules: ListRules) -> Floats:
    """Bias of a list of n counted items for each number of items of the group."""
    hits, over = np.arange(n + 1), rules.over(n)
    if rules.target == "exact":
        exact: Floats = hits / over - float(target.shares[rules.place])
        return exact
    # On a tie the target is the nearer of two neighbours: the lower one for all hits up to it.
    fewest, most = seats_of(target, over, rules)
    rounded: Floats = (hits - np.where(hits <= fewest, fewest, most)) / over
    return rounded


def _make_law(biases: Floats, chances: Floats) -> Law:
    sizes, places = np.unique(np.round(np.abs(biases), _DIGITS), return_inverse=True)
    summed = np.bincount(places, chances, len(sizes))
    return Law(sizes.astype(np.float64), summed.astype(np.float64))


Weighted = Sequence[tuple[Fraction, Cut]]


class Ends(NamedTuple):
    """Lowest and highest possible ratio."""

    low: Fraction
    high: Fraction


def weigh_lists(lists: Sequence[Sequence[Cut]]) -> Weighted:
    """Every question counts once, and so does every list of a question."""
    asked_lists = [cuts for cuts in lists if cuts]
    return [
        (Fraction(1, len(asked_lists) * len(cuts)), cut) for cuts in asked_lists for cut in cuts
    ]


def mean_of_lists(lists: Weighted, number: Callable[[Cut], Fraction]) -> Fraction:
    """Weighted mean of a number over lists."""
    return sum((weight * number(cut) for weight, cut in lists), Fraction())


def _mean_ends(lists: Weighted, ends: Callable[[Cut], Ends]) -> Ends:
    """Weighted mean of both ends over lists."""
    return Ends(
        mean_of_lists(lists, lambda cut: ends(cut).low),
        mean_of_lists(lists, lambda cut: ends(cut).high),
    )


@dataclass(frozen=True, slots=True)
class ListTopic:
    """A topic with all its questions, answered or not, and its target shares, if any."""

    key: str
    planned: int
    questions: tuple[ListQuestion, ...]  # answered
    target: Target | None
    rules: ListRules
    unlabelled: int = 0  # people without a label in all that was shown, beyond the cut-off too

    @property
    def is_whole(self) -> bool:
        """Return whether the target is of a list that is no longer than what is measured.

        There is no difference then, whatever the engine does.
        """
        people = self.target.people if self.target else None
        cuts = [cut for _, cut in self.lists]
        return bool(people and cuts) and all(len(cut.counted) == sum(people or ()) for cut in cuts)

    @property
    def shown(self) -> bool:
        """Return whether the block was shown in any answer."""
        return any(question.shown for question in self.questions)

    @property
    def lists(self) -> Weighted:
        """The lists that the ratios are of."""
        return weigh_lists([question.usable for question in self.questions])

    @property
    def used(self) -> int:
        """Number of questions with a usable list."""
        return sum(bool(question.usable) for question in self.questions)

    @property
    def shown_lists(self) -> Weighted:
        """All lists that were shown, usable or not."""
        return weigh_lists([[cut for cut in q.cuts if cut.items] for q in self.questions])

    @property
    def short(self) -> Weighted:
        """Without usable lists: lists of people that more labels could make usable."""
        if self.used:
            return ()
        return weigh_lists([[cut for cut in q.cuts if _could_be(cut)] for q in self.questions])

    def reason(self) -> str:
        """Return why there is no bias, or an empty string."""
        if not self.questions:
            return "no usable answer"
        if not self.shown:
            return NOT_SHOWN
        if self.target is None:
            return "no reference share"
        if self.used:
            return ""
        shown_cuts = (cut for question in self.questions for cut in question.cuts if cut.items)
        return next(shown_cuts).fault(self.rules)

    def model(self) -> Fraction:
        """Model c-ratio of the reported group."""
        return mean_of_lists(self.lists, lambda cut: cut.ratio(self.rules.place, self.rules))

    def compared(self, target: Target) -> Fraction:
        """Target c-ratio of the reported group, rounded for each list if it is."""
        return mean_of_lists(self.lists, lambda cut: target_of_list(cut, target, self.rules))

    def bias(self, target: Target) -> Fraction:
        """Model c-ratio less target c-ratio."""
        return topic_bias(self.model(), self.compared(target))

    def model_ends(self) -> Ends | None:
        """Lowest and highest possible model ratio, whatever the missing labels are."""
        lists = self.lists or self.short
        return _mean_ends(lists, lambda cut: _model_ends(cut, self.rules)) if lists else None

    def bias_ends(self, target: Target) -> Ends | None:
        """Lowest and highest possible bias, whatever the missing labels are."""
        lists = self.lists or self.short
        if not lists:
            return None
        if target.people and self.unlabelled:
            return self._list_bias_ends(target, lists)
        return _mean_ends(lists, lambda cut: _bias_ends(cut, target, self.rules))

    def _list_bias_ends(self, target: Target, lists: Weighted) -> Ends:
        """Return outer bounds against the full list: unlabelled people may move the target, too."""
        low, high = _mean_ends(lists, lambda cut: _model_ends(cut, self.rules))
        people, in_group = sum(target.people or ()), (target.people or ())[self.rules.place]
        everybody = people + self.unlabelled
        least, most = Fraction(in_group, everybody), Fraction(in_group + self.unlabelled, everybody)
        if self.rules.target != "exact":
            slack = max(Fraction(1, 2 * self.rules.over(max(len(c.counted), 1))) for _, c in lists)
            least, most = max(least - slack, Fraction(0)), min(most + slack, Fraction(1))
        return Ends(low - most, high - least)


def _could_be(cut: Cut) -> bool:
    return cut.missing > 0 and 2 * cut.not_human <= len(cut.items)


def target_of_list(cut: Cut, target: Target, rules: ListRules) -> Fraction:
    """Return the target of the ratio of one usable list."""
    models = [cut.ratio(index, rules) for index in range(len(rules.groups))]
    return target_for(target, rules.over(len(cut.counted)), models, rules)


def _model_ends(cut: Cut, rules: ListRules) -> Ends:
    """Manski bounds: everybody without a label is in another group, or all are in this one.

    Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3),
    343-360.
    """
    hits, over = cut.counts[rules.place], rules.over(len(cut.counted) + cut.missing)
    return Ends(Fraction(hits, over), Fraction(hits + cut.missing, over))


def _bias_ends(cut: Cut, target: Target, rules: ListRules) -> Ends:
    """Sharp for two groups; outer bounds where rounding depends on what the others are.

    A rounded target moves with the number of labels, so every number of missing people who turn
    out to be in one of the groups is tried: none of them in the reported one, or all.
    """
    if not cut.missing:
        bias = topic_bias(cut.ratio(rules.place, rules), target_of_list(cut, target, rules))
        return Ends(bias, bias)
    if rules.target == "exact":
        share, model = target.shares[rules.place], _model_ends(cut, rules)
        return Ends(topic_bias(model.low, share), topic_bias(model.high, share))
    hits, counted = cut.counts[rules.place], len(cut.counted)
    lows, highs = [], []
    for more in range(0 if counted else 1, cut.missing + 1):
        over = rules.over(counted + more)
        fewest, most = seats_of(target, over, rules)
        if len(rules.groups) == PAIR:
            lows.append(Fraction(hits - (fewest if hits <= fewest else most), over))
            highs.append(Fraction(hits + more - (fewest if hits + more <= fewest else most), over))
        else:
            lows.append(Fraction(hits - most, over))
            highs.append(Fraction(hits + more - fewest, over))
    return Ends(min(lows), max(highs))


def topic_value(topic: ListTopic) -> TopicValue:
    """Model ratio against target ratio, without its q, which comes from all topics together.

    The limits of the model ratio and of the bias are Manski bounds: what is missing is labels, not
    a larger sample. Without a target the model ratio still stands.
    """
    reason, target = topic.reason(), topic.target
    usable = None if reason else target
    seen = topic.lists or topic.shown_lists
    ends, bias_ends = topic.model_ends(), topic.bias_ends(target) if target else None
    source = target.source if target else None
    people = {item.entity: item for q in topic.questions for cut in q.cuts for item in cut.items}
    return TopicValue(
        topic.key, State.MEASURED if usable else State.INSUFFICIENT,
        topic.planned, len(topic.questions), topic.used, count_unread(topic.questions),
        women=float(mean_of_lists(seen, lambda cut: _count_recorded(cut, "women"))),
        men=float(mean_of_lists(seen, lambda cut: _count_recorded(cut, "men"))),
        model=_as_float(topic.model() if topic.used else None),
        model_low=_as_float(ends.low if ends else None),
        model_high=_as_float(ends.high if ends else None),
        target=_as_float(_compared_target(topic, target)),
        bias=_as_float(topic.bias(usable) if usable else None),
        bound_low=_as_float(bias_ends.low if bias_ends else None),
        bound_high=_as_float(bias_ends.high if bias_ends else None),
        source=source.source if source else "", country=source.country if source else "",
        as_of=source.as_of if source else "", reason=reason,
        shown=len(people),
        labelled=sum(item.state is LabelState.LABELLED for item in people.values()),
        p=p_value(usable, [cut for _, cut in topic.lists], topic.rules) if usable else None,
    )  # fmt: skip


def _compared_target(topic: ListTopic, target: Target | None) -> Fraction | None:
    """The target as it was compared with, or as it is where there is no model ratio."""
    if target is None:
        return None
    return topic.compared(target) if topic.used else target.shares[topic.rules.place]


def count_unread(questions: Sequence[ListQuestion]) -> int:
    """Number of questions with a list that cannot be used, for want of labels as a rule."""
    return sum(question.shown and not question.usable for question in questions)


def _count_recorded(cut: Cut, group: str) -> Fraction:
    return Fraction(
        sum(item.state is LabelState.LABELLED and item.group == group for item in cut.items)
    )


def _as_float(ratio: Fraction | None) -> float | None:
    return None if ratio is None else float(ratio)
