"""Changes of c-ratio bias of ranked lists: topics before and after in, records of change out.

Targets are those of after on both sides and exact, so that neither a newer reference nor a rounding
that follows the lists shows as a change of the engine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from monitor.change import Paired, Test
from monitor.measures._c_ratio_search_change import CHANGES, Pair, pairs
from monitor.measures._c_ratio_search_lists import Question
from monitor.measures._c_ratio_search_missing import missing_of_bias, missing_of_trigger
from monitor.measures._c_ratio_search_parts import (
    Panel,
    bias,
    by_topics_and_people,
    coverage_parts,
    movers_of,
    people_in_several,
    spread_parts,
)
from monitor.measures._c_ratio_search_summary import OVER_TOPICS
from monitor.measures._c_ratio_search_topics import Topic
from monitor.measures._ranked_answers import shares_of
from monitor.measures._ranked_paired import IS_CHANGE, clipped
from monitor.measures._shared_values import Facts
from monitor.stats.paired import Flip, flip_evidence, flip_interval, mcnemar, sign_flip

_CHANCE = "is what chance alone would make of the lists, and no answer of the system"
#: On the same lists' lengths chance makes the same of both sides.
_AS_WITHOUT = {
    f"excess_{name}": f"changes by as much as {name}, less what chance alone makes of the lists"
    for name in ("sb", "mab")
}
_ONE = Fraction(1)
#: The largest change there can be.
_WIDEST = {"mb": 2.0, "sb": 2.0, "mab": 1.0, "label_coverage": 1.0}


@dataclass(frozen=True, slots=True)
class Probes:
    """The questions that are usable before and after, as one quantity uses them.

    `is_changed` says whether two answers to a question are not the same.
    """

    before: dict[str, Question]
    after: dict[str, Question]
    is_changed: Callable[[Question, Question], bool]

    @property
    def both(self) -> set[str]:
        """Keys of those of the panel."""
        return self.before.keys() & self.after.keys()

    def record(
        self,
        name: str,
        *,
        ends: tuple[float, float] | None = None,
        flip: Flip | None = None,
        reason: str = "",
        facts: Facts = (),
    ) -> Paired:
        """The record of a quantity over all probes. With ends and no flip it has no test."""
        both, told = self.both, facts
        delta = None if ends is None else ends[1] - ends[0]
        flip = None if flip is None else clipped(flip, _WIDEST[name])
        if flip is not None:
            delta = flip.total
            told += (("clusters", float(flip.clusters)), ("clusters_moved", float(flip.moved)))
            told += flip.evidence
        return Paired(
            name,
            "all",
            n=len(both),
            only_before=len(self.before) - len(both),
            only_after=len(self.after) - len(both),
            changed=sum(self.is_changed(self.before[key], self.after[key]) for key in both),
            before=None if ends is None else ends[0],
            after=None if ends is None else ends[1],
            delta=delta,
            low=None if flip is None else flip.low,
            high=None if flip is None else flip.high,
            p=None if flip is None else flip.p,
            test=Test.NONE if flip is None else Test.SIGN_FLIP,
            reason=reason,
            facts=told,
        )


def changes(
    before: Sequence[Topic], after: Sequence[Topic], floor: int, ddof: int
) -> Iterator[Paired]:
    """All quantities; `floor` topics at least, `ddof` as of the standard deviation."""
    probes = _probes(before, after, _has_bias, other_people)
    found = pairs(after, before)
    missing = missing_of_bias(found, before, after) if found else {}
    for one in _over_topics(found, probes, floor, ddof):
        told = missing[one.name](one.delta) if one.name in missing and one.delta is not None else ()
        yield replace(one, facts=(*one.facts, *told))
    for name in CHANGES:
        yield probes.record(name, reason=IS_CHANGE)
    yield _trigger_rate(before, after, floor)
    yield _coverage(before, after)


def _probes(
    before: Sequence[Topic],
    after: Sequence[Topic],
    usable: Callable[[Topic, Question], bool],
    is_changed: Callable[[Question, Question], bool],
) -> Probes:
    sides = (
        {q.key: q for topic in topics for q in topic.questions if usable(topic, q)}
        for topics in (before, after)
    )
    return Probes(next(sides), next(sides), is_changed)


def _has_bias(topic: Topic, question: Question) -> bool:
    return topic.target is not None and bool(question.usable)


def other_people(before: Question, after: Question) -> bool:
    """Whether others are shown within the cut-off, or in another order; labels do not matter."""
    one, other = (
        shares_of([tuple(item.entity for item in cut.items) for cut in question.cuts])
        for question in (before, after)
    )
    return one != other


def _over_topics(found: Sequence[Pair], probes: Probes, floor: int, ddof: int) -> Iterator[Paired]:
    facts: Facts = (("n_topics", float(len(found))),)
    if len(found) < floor:
        reason = f"{len(found)} occupations usable on both sides, floor {floor}"
        yield from (probes.record(name, reason=reason, facts=facts) for name in OVER_TOPICS)
        return
    several = people_in_several(movers_of(found))
    facts += (("n_people_moved_in_several_topics", float(len(several))),)
    ends, flips = _ends(found, ddof), _flips(found, ddof)
    for name in OVER_TOPICS:
        # An extreme is of one occupation, perhaps of another one on each side: no test fits.
        reason = "" if name in ends else _AS_WITHOUT.get(name, _CHANCE)
        yield probes.record(
            name, ends=ends.get(name), flip=flips.get(name), reason=reason, facts=facts
        )


def _ends(found: Sequence[Pair], ddof: int) -> dict[str, tuple[float, float]]:
    """Values before and after by quantity, on the panel."""
    sides = [[bias(pair.before) for pair in found], [bias(pair.now) for pair in found]]
    made = [
        {
            "mb": float(sum(side, Fraction()) / len(side)),
            "sb": float(np.std([float(one) for one in side], ddof=ddof)),
            "mab": float(sum(map(abs, side), Fraction()) / len(side)),
            "min_beta": float(min(side)),
            "max_beta": float(max(side)),
        }
        for side in sides
    ]
    return {name: (made[0][name], made[1][name]) for name in made[0]}


def _flips(found: Sequence[Pair], ddof: int) -> dict[str, Flip]:
    before, after = (
        np.array([float(bias(getattr(pair, side))) for pair in found]) for side in ("before", "now")
    )
    return {
        "mb": by_topics_and_people(found, [_ONE] * len(found)),
        "sb": sign_flip(spread_parts(before, after, ddof)),
        "mab": by_topics_and_people(found, [_size(pair) for pair in found]),
    }


def _size(pair: Pair) -> Fraction:
    """|b| - |a| = (b - a) times this."""
    before, after = bias(pair.before), bias(pair.now)
    total = abs(before) + abs(after)
    return (before + after) / total if total else Fraction()


def _trigger_rate(before: Sequence[Topic], after: Sequence[Topic], floor: int) -> Paired:
    """Whether the block was shown in any answer, by McNemar over occupations.

    Of an occupation with several questions those count that were answered on both sides.
    """
    probes = _probes(
        before, after, lambda _, q: bool(q.cuts), lambda one, two: one.shown != two.shown
    )
    shown = [
        (any(q.shown for q in then), any(q.shown for q in now))
        for then, now in _panel(before, after, probes.both)
    ]
    n, gained, lost = len(shown), shown.count((False, True)), shown.count((True, False))
    facts: Facts = (("n_topics", float(n)), ("gained", float(gained)), ("lost", float(lost)))
    if n < floor:
        reason = f"{n} occupations answered on both sides, floor {floor}"
        return probes.record("trigger_rate", reason=reason, facts=facts)
    then, now = (sum(one[side] for one in shown) / n for side in (0, 1))
    low, high, delta = *flip_interval(gained, lost, n), (gained - lost) / n
    facts = (*facts, *flip_evidence(gained, lost, n), *missing_of_trigger(before, after, delta))
    return replace(
        probes.record("trigger_rate", ends=(then, now), facts=facts),
        delta=delta,
        low=low,
        high=high,
        p=mcnemar(gained, lost),
        test=Test.MCNEMAR,
    )


def _panel(before: Sequence[Topic], after: Sequence[Topic], both: set[str]) -> Panel:
    """The questions of each topic that are in both, before and after."""
    earlier = {topic.key: topic for topic in before}
    made = (
        tuple([q for q in topic.questions if q.key in both] for topic in (earlier[now.key], now))
        for now in after
        if now.key in earlier
    )
    return [(then, now) for then, now in made if then]


def _coverage(before: Sequence[Topic], after: Sequence[Topic]) -> Paired:
    """Share of the people shown whose group is recorded, in the lists shown on both sides."""
    probes = _probes(before, after, lambda _, q: q.shown, other_people)
    panel = _panel(before, after, probes.both)
    found = coverage_parts(panel)
    facts = (("n_topics", float(len(panel))),)
    if found is None:
        return probes.record("label_coverage", reason="no people shown on both sides", facts=facts)
    terms, ends = found
    return probes.record("label_coverage", ends=ends, flip=sign_flip(terms), facts=facts)
