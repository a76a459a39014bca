"""Clusters: which questions of a list are about the same thing, for intervals and tests alike.

The list declares it, by a tag. Questions of one cluster do not count as independent: intervals of
levels and tests of changes both take the clusters from here. Pages of one donor are a cluster
whatever they are about.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from monitor.model import DONOR, FEWEST_DONORS, OF_DONOR, Ints, Unit

#: Tags whose values are clusters. The first that a question has decides; `cluster` is for lists
#: that mean something else than the named ones.
CLUSTER_TAGS = (DONOR, "cluster", "base", "sub_stereotype", "occupation", "trait", "topic")

#: The tag of the sentence frames in which every cluster is asked.
TEMPLATE_TAG = "template"


def cluster_name(unit: Unit) -> str:
    """Return the name of a question's cluster; empty where the question stands for itself.

    Without a tag, search queries about the same words are one cluster: "ambitious people" and "how
    to be ambitious" are not two independent questions about ambition.
    """
    tags = (unit.tags[tag] for tag in CLUSTER_TAGS if unit.tags.get(tag))
    return next(tags, "") or query_words(unit)


def query_words(unit: Unit) -> str:
    """Return the words of a query; of a pattern ("list of {plural}") those put into it.

    A word that every query shares would halve the spread of their genderedness.
    """
    pattern = unit.tags.get("pattern", "")
    words = [value for tag, value in unit.tags.items() if f"{{{tag}}}" in pattern]
    return " ".join(words) or unit.query


def cluster_numbers(names: Sequence[str]) -> Ints:
    """Number clusters from 0 in their order: (n,). An empty name is a cluster of its own."""
    numbers: dict[str, int] = {}
    distinct_names = (name or f"\0{position}" for position, name in enumerate(names))
    return np.array([numbers.setdefault(name, len(numbers)) for name in distinct_names], np.int64)


def templates_of(units: Sequence[Unit]) -> Ints:
    """Number the template of each question: (n,). One without a template has its own."""
    return cluster_numbers([unit.tags.get(TEMPLATE_TAG, "") for unit in units])


def clusters_of(units: Sequence[Unit]) -> Ints:
    """Number the cluster of each question: (n,)."""
    return cluster_numbers([cluster_name(unit) for unit in units])


# --- donors ---------------------------------------------------------------------------------------


def is_answered(unit: Unit) -> bool:
    """Return whether a unit has a usable answer."""
    parts = (unit.classes, unit.lists, unit.documents)
    return any(part is not None for answers in parts for part in answers)


def hide_few_donors(units: Sequence[Unit], others: Sequence[Unit] | None = None) -> list[Unit]:
    """Return units in which every question has enough donors for a number about it.

    A question that fewer than `FEWEST_DONORS` have answered becomes one unit without an answer, so
    that it is missing and nothing tells how many gave it. With `others`, answers that the same
    donors gave at another time or of another system, only donors of both count.
    """
    shared = None if others is None else {unit.key for unit in others if is_answered(unit)}
    by_question: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_question[unit.key.partition(OF_DONOR)[0]].append(unit)
    kept: list[Unit] = []
    for key, answers in by_question.items():
        donors = {
            unit.tags[DONOR]
            for unit in answers
            if DONOR in unit.tags and is_answered(unit) and (shared is None or unit.key in shared)
        }
        if len(donors) >= FEWEST_DONORS or not any(DONOR in unit.tags for unit in answers):
            kept += answers
        else:
            kept.append(_hide(key, answers[0]))
    return kept


def _hide(key: str, unit: Unit) -> Unit:
    """Return a question without an answer and without a donor."""
    tags = {name: value for name, value in unit.tags.items() if name != DONOR}
    return replace(
        unit,
        key=key,
        tags=tags,
        classes=(None,),
        lists=(None,) if unit.lists else (),
        documents=(None,) if unit.documents else (),
        swapped=(None,) if unit.swapped else (),
        scores=(),
    )


def has_donors(units: Sequence[Unit]) -> bool:
    """Return whether any unit is of a donor."""
    return any(DONOR in unit.tags for unit in units)
