"""c-ratio bias of one topic: its questions and target shares in, a topic value out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from monitor.measures._c_ratio_bias_ratios import beta
from monitor.measures._c_ratio_search_lists import NOT_SHOWN, Cut, Question, Rules
from monitor.measures._c_ratio_search_null import p_value
from monitor.measures._c_ratio_search_targets import PAIR, Target, seats_of, target_for
from monitor.model import LabelState, State, TopicValue

Weighted = Sequence[tuple[Fraction, Cut]]


class Ends(NamedTuple):
    """Lowest and highest possible ratio."""

    low: Fraction
    high: Fraction


def weighted(lists: Sequence[Sequence[Cut]]) -> Weighted:
    """Every question counts once, and so does every list of a question."""
    asked = [cuts for cuts in lists if cuts]
    return [(Fraction(1, len(asked) * len(cuts)), cut) for cuts in asked for cut in cuts]


def mean(lists: Weighted, number: Callable[[Cut], Fraction]) -> Fraction:
    """Weighted mean of a number over lists."""
    return sum((weight * number(cut) for weight, cut in lists), Fraction())


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic with all its questions, answered or not, and its target shares, if any."""

    key: str
    planned: int
    questions: tuple[Question, ...]  # answered
    target: Target | None
    rules: Rules
    unlabelled: int = 0  # people without a label in all that was shown, beyond the cut-off too

    @property
    def is_whole(self) -> bool:
        """Whether the target is of a list that is no longer than what is measured.

        There is no difference then, whatever the engine does.
        """
        people = self.target.people if self.target else None
        cuts = [cut for _, cut in self.lists]
        return bool(people and cuts) and all(len(cut.counted) == sum(people or ()) for cut in cuts)

    @property
    def shown(self) -> bool:
        """Whether the block was shown in any answer."""
        return any(question.shown for question in self.questions)

    @property
    def lists(self) -> Weighted:
        """The lists that the ratios are of."""
        return weighted([question.usable for question in self.questions])

    @property
    def used(self) -> int:
        """Number of questions with a usable list."""
        return sum(bool(question.usable) for question in self.questions)

    @property
    def shown_lists(self) -> Weighted:
        """All lists that were shown, usable or not."""
        return weighted([[cut for cut in q.cuts if cut.items] for q in self.questions])

    @property
    def short(self) -> Weighted:
        """Without usable lists: lists of people that more labels could make usable."""
        if self.used:
            return ()
        return weighted([[cut for cut in q.cuts if _could_be(cut)] for q in self.questions])

    def reason(self) -> str:
        """Why there is no bias, or an empty string."""
        if not self.questions:
            return "no usable answer"
        if not self.shown:
            return NOT_SHOWN
        if self.target is None:
            return "no reference share"
        if self.used:
            return ""
        shown = (cut for question in self.questions for cut in question.cuts if cut.items)
        return next(shown).fault(self.rules)

    def model(self) -> Fraction:
        """Model c-ratio of the reported group."""
        return mean(self.lists, lambda cut: cut.ratio(self.rules.place, self.rules))

    def compared(self, target: Target) -> Fraction:
        """Target c-ratio of the reported group, rounded for each list if it is."""
        return mean(self.lists, lambda cut: target_of_list(cut, target, self.rules))

    def bias(self, target: Target) -> Fraction:
        """Model c-ratio less target c-ratio."""
        return beta(self.model(), self.compared(target))

    def model_ends(self) -> Ends | None:
        """Lowest and highest possible model ratio, whatever the missing labels are."""
        lists = self.lists or self.short
        if not lists:
            return None
        return Ends(
            mean(lists, lambda cut: _model_ends(cut, self.rules).low),
            mean(lists, lambda cut: _model_ends(cut, self.rules).high),
        )

    def bias_ends(self, target: Target) -> Ends | None:
        """Lowest and highest possible bias, whatever the missing labels are."""
        lists = self.lists or self.short
        if not lists:
            return None
        if target.people and self.unlabelled:
            return self._list_bias_ends(target, lists)
        return Ends(
            mean(lists, lambda cut: _bias_ends(cut, target, self.rules).low),
            mean(lists, lambda cut: _bias_ends(cut, target, self.rules).high),
        )

    def _list_bias_ends(self, target: Target, lists: Weighted) -> Ends:
        """Outer bounds against the full list: who has no label there may move the target, too."""
        low, high = (
            mean(lists, lambda cut: _model_ends(cut, self.rules).low),
            mean(lists, lambda cut: _model_ends(cut, self.rules).high),
        )
        people, own = sum(target.people or ()), (target.people or ())[self.rules.place]
        everybody = people + self.unlabelled
        least, most = Fraction(own, everybody), Fraction(own + self.unlabelled, everybody)
        if self.rules.target != "exact":
            slack = max(Fraction(1, 2 * self.rules.over(max(len(c.counted), 1))) for _, c in lists)
            least, most = max(least - slack, Fraction(0)), min(most + slack, Fraction(1))
        return Ends(low - most, high - least)


def _could_be(cut: Cut) -> bool:
    return cut.missing > 0 and 2 * cut.not_human <= len(cut.items)


def target_of_list(cut: Cut, target: Target, rules: Rules) -> Fraction:
    """What the ratio of one usable list is compared with."""
    models = [cut.ratio(place, rules) for place in range(len(rules.groups))]
    return target_for(target, rules.over(len(cut.counted)), models, rules)


def _model_ends(cut: Cut, rules: Rules) -> Ends:
    """Manski bounds: everybody without a label is in another group, or all are in this one.

    Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3),
    343-360.
    """
    hits, over = cut.counts[rules.place], rules.over(len(cut.counted) + cut.missing)
    return Ends(Fraction(hits, over), Fraction(hits + cut.missing, over))


def _bias_ends(cut: Cut, target: Target, rules: Rules) -> Ends:
    """Sharp for two groups; outer bounds where rounding depends on what the others are.

    A rounded target moves with the number of labels, so every number of missing people who turn
    out to be in one of the groups is tried: none of them in the reported one, or all.
    """
    if not cut.missing:
        bias = beta(cut.ratio(rules.place, rules), target_of_list(cut, target, rules))
        return Ends(bias, bias)
    if rules.target == "exact":
        share, model = target.shares[rules.place], _model_ends(cut, rules)
        return Ends(beta(model.low, share), beta(model.high, share))
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


def topic_value(topic: Topic, q: float | None = None) -> TopicValue:
    """Model ratio against target ratio; `q` comes from all topics together.

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
        topic.planned, len(topic.questions), topic.used, unread(topic.questions),
        women=float(mean(seen, lambda cut: _recorded(cut, "women"))),
        men=float(mean(seen, lambda cut: _recorded(cut, "men"))),
        model=_float(topic.model() if topic.used else None),
        model_low=_float(ends.low if ends else None),
        model_high=_float(ends.high if ends else None),
        target=_float(_compared(topic, target)),
        bias=_float(topic.bias(usable) if usable else None),
        bound_low=_float(bias_ends.low if bias_ends else None),
        bound_high=_float(bias_ends.high if bias_ends else None),
        source=source.source if source else "", country=source.country if source else "",
        as_of=source.as_of if source else "", reason=reason,
        shown=len(people),
        labelled=sum(item.state is LabelState.LABELLED for item in people.values()),
        p=p_value(usable, [cut for _, cut in topic.lists], topic.rules) if usable else None,
        q=q,
    )  # fmt: skip


def _compared(topic: Topic, target: Target | None) -> Fraction | None:
    """The target as it was compared with, or as it is where there is no model ratio."""
    if target is None:
        return None
    return topic.compared(target) if topic.used else target.shares[topic.rules.place]


def unread(questions: Sequence[Question]) -> int:
    """Number of questions with a list that cannot be used, for want of labels as a rule."""
    return sum(question.shown and not question.usable for question in questions)


def _recorded(cut: Cut, group: str) -> Fraction:
    return Fraction(
        sum(item.state is LabelState.LABELLED and item.group == group for item in cut.items)
    )


def _float(ratio: Fraction | None) -> float | None:
    return None if ratio is None else float(ratio)
