"""Chooses the answers that the report prints in full, and cuts them at their witness words."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from monitor.model import digest
from monitor.stages._report_systems import System
from monitor.stages._report_text import capped, pieces
from monitor.store.report import RunFacts

Row = dict[str, Any]

#: Translations printed per stereotype: (systems in the report up to, translations).
_PER_STEREOTYPE = ((2, 10), (6, 4), (12, 2))

#: Variants of one answer that are printed.
_VARIANTS = 4


def per_stereotype(n_systems: int) -> int:
    """So many that the report of many systems stays one that can be opened."""
    return next((most for systems, most in _PER_STEREOTYPE if n_systems <= systems), 1)


def _mine(system: System, facts: RunFacts) -> list[Row]:
    return [
        row
        for row in facts.attempts
        if row["engine_id"] == system.engine_id
        and (row["source_lang"], row["target"]) == (system.source_lang, system.target)
        and row["list"].rsplit("@", 1)[0] == system.list_name
        and row["class"] is not None
    ]


def choose(system: System, facts: RunFacts, tag: str, most: int) -> dict[str, list[Row]]:
    """{tag value: answers}: at most so many, by a hash of the question's key.

    The draw does not look at what was answered, so that it can stand for the rest, and it is the
    same in every run and for every system, so that answers to one question can be compared.
    """
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in _mine(system, facts):
        if row["repeat"] == 0 and tag in row["tags"]:
            grouped[row["tags"][tag]].append(row)
    return {
        value: sorted(
            sorted(some, key=lambda row: digest(["example", row["item_key"]]))[:most],
            key=lambda row: int(row["attempt_id"]),
        )
        for value, some in grouped.items()
    }


def described(chosen: Sequence[Row], texts: Mapping[int, Sequence[Row]]) -> list[Row]:
    """The chosen answers with question, and each variant that was offered: its pieces and class."""
    rows = []
    for row in chosen:
        variants = [one for one in texts[row["attempt_id"]] if one["item_key"] == row["item_key"]]
        first = variants[0]
        rows.append(
            {
                "attempt_id": row["attempt_id"],
                "item_key": row["item_key"],
                "source_lang": first["source_lang"],
                "target": first["target"],
                "probe": capped(first["probe"]),
                "variants": [_variant(one) for one in variants[:_VARIANTS]],
                "more": max(0, len(variants) - _VARIANTS),
            }
        )
    return rows


def _variant(text: Row) -> Row:
    return {
        "pieces": pieces(text["text"] or "", text["witnesses"] or []),
        "class": text["class"],
        "rule": text["rule"],
    }
