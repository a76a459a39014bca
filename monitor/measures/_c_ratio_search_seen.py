"""What was shown at all: topics in, trigger rate and label coverage out."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from monitor.measures._c_ratio_search_draws import COVERAGE, topic_weights
from monitor.measures._c_ratio_search_lists import Cut
from monitor.measures._c_ratio_search_topics import Topic, Weighted, mean
from monitor.measures._shared_values import Counts, Facts, exploratory, insufficient, measured
from monitor.model import Context, Value
from monitor.stats.intervals import Limits, wilson
from monitor.stats.resampling import percentile_interval


def trigger_rate(topics: Sequence[Topic], floor: int, counts: Counts) -> Value:
    """Share of the answered topics for which any answer had the block.

    The bounds let the topics without an answer have it, or not.
    """
    answered = [topic for topic in topics if topic.questions]
    shown, n, planned = sum(topic.shown for topic in answered), len(answered), len(topics)
    counts = Counts(counts.planned, counts.answered, counts.answered, counts.unidentified)
    facts = (
        ("n_topics_shown", float(shown)),
        ("n_topics_answered", float(n)),
        ("n_topics_planned", float(planned)),
    )
    limits = Limits(shown / planned, (shown + planned - n) / planned) if n else None
    if n < floor:
        reason = f"{n} answered occupations of {planned} planned, floor {floor}"
        return insufficient("trigger_rate", "all", counts, reason, facts, limits)
    low, high = wilson(shown, n)
    return measured(
        "trigger_rate", "all", counts, shown / n, Limits(float(low), float(high)), limits,
        exploratory(counts), facts,
    )  # fmt: skip


def coverage(topics: Sequence[Topic], counts: Counts, context: Context) -> Value:
    """Share of the people shown within the cut-off whose group is recorded, whichever it is.

    Lists of a topic are averaged first. The facts are the numbers behind it: people of each
    group, of other groups and without a label, and what is not human and counts in neither number.
    """
    shown = [lists for topic in topics if (lists := topic.shown_lists)]
    used = sum(question.shown for topic in topics for question in topic.questions)
    counts = Counts(counts.planned, counts.answered, used, counts.unidentified)
    labelled = [mean(lists, lambda cut: Fraction(cut.labelled)) for lists in shown]
    people = [mean(lists, lambda cut: Fraction(cut.people)) for lists in shown]
    facts = _facts(shown, topics)
    if not sum(people):
        return insufficient("label_coverage", "all", counts, "no people shown", facts)
    above, below = np.array(labelled, np.float64), np.array(people, np.float64)
    weights = topic_weights(len(shown), context, COVERAGE)
    totals = (weights * below).sum(axis=1)
    draws = np.divide(
        (weights * above).sum(axis=1), totals, out=np.full(len(totals), np.nan), where=totals > 0
    )
    value = float(sum(labelled, Fraction()) / sum(people, Fraction()))
    return measured(
        "label_coverage", "all", counts, value, percentile_interval(draws), None,
        exploratory(counts), facts,
    )  # fmt: skip


def _facts(shown: Sequence[Weighted], topics: Sequence[Topic]) -> Facts:
    """Items within the cut-off, lists of a topic averaged and topics added up."""
    if not shown:
        return ()

    def total(number: Callable[[Cut], int]) -> float:
        of_topics = (mean(lists, lambda cut: Fraction(number(cut))) for lists in shown)
        return float(sum(of_topics, Fraction()))

    return (
        *((f"recorded_{g}", total(partial(_of_group, g))) for g in topics[0].rules.groups),
        ("other_groups", total(lambda cut: cut.other)),
        ("unresolved", total(lambda cut: cut.missing - cut.conflicts)),
        ("conflict", total(lambda cut: cut.conflicts)),
        ("not_human", total(lambda cut: cut.not_human)),
    )


def _of_group(group: str, cut: Cut) -> int:
    return sum(item.group == group for item in cut.counted)
