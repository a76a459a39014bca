"""What occupations and people add to a change of c-ratio bias: pairs of topics in, terms out.

All terms add up to the change exactly, and turn their signs when before and after change places.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from monitor.measures._c_ratio_search_change import Pair
from monitor.measures._c_ratio_search_lists import Question
from monitor.measures._c_ratio_search_topics import Topic, mean
from monitor.model import Floats
from monitor.stats.paired import Flip, sign_flip, wider


def bias(topic: Topic) -> Fraction:
    """Model ratio less target ratio of a topic of a panel, which has both."""
    return topic.bias(topic.target) if topic.target else Fraction()


def by_topics_and_people(found: Sequence[Pair], factors: Sequence[Fraction]) -> Flip:
    """The change of the mean of factor times bias, with the larger p and the wider interval of two.

    Once every occupation is a cluster, and once everybody who came or went in several of them: one
    person who leaves ten lists is one event and not ten. Of clusters in two ways the larger error
    is taken; Cameron, A. C., Gelbach, J. B., Miller, D. L. (2011). Robust inference with multiway
    clustering. Journal of Business & Economic Statistics 29(2), 238-249, have both in one variance,
    for which there is no sign-flip test.
    """
    n = len(found)
    moved = [float(factor * _change(pair) / n) for pair, factor in zip(found, factors, strict=True)]
    parts = people_parts(found, factors)
    number = {key: at for at, key in enumerate(sorted({key for key, _ in parts}))}
    by_person = sign_flip(
        np.array([float(part / n) for _, part in parts]),
        np.array([number[key] for key, _ in parts], np.int64),
    )
    return wider(sign_flip(np.array(moved)), by_person)


def _change(pair: Pair) -> Fraction:
    return bias(pair.now) - bias(pair.before)


def people_parts(
    found: Sequence[Pair], factors: Sequence[Fraction]
) -> list[tuple[tuple[int, str], Fraction]]:
    """((-1, person) or (topic, ""), their part of factor times change of bias), the sum the same.

    Who came or went in several topics has what they themselves add to the ratio, and what is left
    of a topic's change in equal parts, for who takes a place that was left has come with whoever
    left it. A topic without anybody like that keeps its change.
    """
    movers = movers_of(found)
    several = people_in_several(movers)
    parts: list[tuple[tuple[int, str], Fraction]] = []
    for at, (pair, factor) in enumerate(zip(found, factors, strict=True)):
        change, people = _change(pair), sorted(movers[at] & several)
        if not people:
            parts.append(((at, ""), factor * change))
            continue
        own = _own_parts(pair)
        rest = (change - sum(own[one] for one in people)) / len(people)
        parts += [((-1, one), factor * (own[one] + rest)) for one in people]
    return parts


def _own_parts(pair: Pair) -> dict[str, Fraction]:
    """What everybody adds to the change of the model ratio: (1 or 0, less its middle)/m by person.

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
    """Who came or went in more than one topic."""
    topics = Counter(person for some in movers for person in some)
    return {person for person, n in topics.items() if n > 1}


def movers_of(found: Sequence[Pair]) -> list[set[str]]:
    """By topic, who came, went, or has another group; people without an identity are left out."""
    return [_movers(pair) for pair in found]


def _movers(pair: Pair) -> set[str]:
    before, after = _present(pair.before), _present(pair.now)
    return {
        person
        for person, group in before.keys() | after.keys()
        if person and before.get((person, group)) != after.get((person, group))
    }


def _present(topic: Topic) -> dict[tuple[str, str], Fraction]:
    """In which share of the lists each person counts, by person and group."""
    found = defaultdict[tuple[str, str], Fraction](Fraction)
    for weight, cut in topic.lists:
        for item in cut.counted:
            found[item.entity, item.group] += weight
    return found


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


Panel = Sequence[tuple[Sequence[Question], Sequence[Question]]]


def coverage_parts(panel: Panel) -> tuple[Floats, tuple[float, float]] | None:
    """((topics,) what each adds to the change of label coverage, (coverage before, after)).

    A ratio of sums: a topic adds (labelled - r people)/all people on either side, with r halfway
    between the two ratios. None where nobody was shown on a side.
    """
    sides = [[_labelled(pair[side]) for pair in panel] for side in (0, 1)]
    labelled, people = (
        [sum((one[at] for one in side), Fraction()) for side in sides] for at in (0, 1)
    )
    if not all(people):
        return None
    ratio = [some / total for some, total in zip(labelled, people, strict=True)]
    middle = (ratio[0] + ratio[1]) / 2
    then, now = (
        [(some - middle * n) / total for some, n in side]
        for side, total in zip(sides, people, strict=True)
    )
    terms = [float(after - before) for before, after in zip(then, now, strict=True)]
    return np.array(terms), (float(ratio[0]), float(ratio[1]))


def _labelled(questions: Sequence[Question]) -> tuple[Fraction, Fraction]:
    """(people with a recorded group, people) within the cut-off, lists of a question averaged."""
    lists = []
    for question in questions:
        shown = [cut for cut in question.cuts if cut.items]
        lists += [(Fraction(1, len(questions) * len(shown)), cut) for cut in shown]
    return (
        mean(lists, lambda cut: Fraction(cut.labelled)),
        mean(lists, lambda cut: Fraction(cut.people)),
    )
