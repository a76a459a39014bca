"""Clusters: which questions of a list are about the same thing, for intervals and tests alike.

The list declares it, by a tag. Questions of one cluster do not count as independent: intervals of
levels and tests of changes both take the clusters from here.
"""

from collections.abc import Sequence

import numpy as np

from monitor.model import Ints, Unit

#: Tags whose values are clusters. The first that a question has decides; `cluster` is for lists
#: that mean something else than the named ones.
CLUSTER_TAGS = ("cluster", "base", "sub_stereotype", "occupation", "trait", "topic")

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
