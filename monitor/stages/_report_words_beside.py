"""Puts the ranked lists of several systems side by side: their headline values in, rows out.

Systems stand in the order of their names, and never in the order of a value.
"""

from collections.abc import Sequence
from typing import Any

from monitor.stages import _report_words as words
from monitor.stages._report_words import Heard, Listing

Row = dict[str, Any]


def _names(some: Sequence[Listing], families: Sequence[str]) -> list[str]:
    """Names of the main measures of some families, those of all systems together."""
    found = (
        one.named.name for family in families for listing in some for one in listing.mains(family)
    )
    return list(dict.fromkeys(found))


def beside(some: Sequence[Listing]) -> Row:
    """The headline values of the systems that were asked the same in the same region."""
    slopes = [one.named.name for listing in some for one in listing.of(*words.SLOPES)]
    fairness = _names(some, words.MAINS)
    others = _names(some, (*words.COUNTERFACTUAL, *words.EFFECTIVENESS))
    return {
        "title": f"{some[0].list_label}, {some[0].pair}",
        "main": _cells(some, list(dict.fromkeys([*slopes, *fairness]))),
        "others": _cells(some, others) if others else None,
    }


def _cells(some: Sequence[Listing], chosen: Sequence[str]) -> Row:
    """A row per system with a cell per measure."""
    rows = []
    for listing in some:
        of = {one.named.name: one for one in listing.heard}
        exposed = (v for one in listing.of(*words.FAIRNESS) if (v := _rbdf(one)) is not None)
        cells = [of.get(name) for name in chosen]
        rows.append(
            {"system": listing, "cells": cells, "rbdf": next(exposed, None), **told(listing)}
        )
    signed = [words.is_signed(words.named(name).family) for name in chosen]
    return {
        "columns": [
            {"name": name, "signed": sign} for name, sign in zip(chosen, signed, strict=True)
        ],
        "rows": rows,
    }


def _rbdf(one: Heard) -> float | None:
    """RBDF at the cut-off that stands beside it."""
    return one.fact("rbdf") if one.named.cutoff == words.MAIN else None


def told(listing: Listing) -> Row:
    """Queries asked and answered, and documents that could not be read."""
    points = [one.point for one in listing.of(*words.READERS) if one.point is not None]
    most = words.most_documents(listing)
    return {
        "planned": max((p["planned"] for p in points), default=0),
        "answered": max((p["answered"] for p in points), default=0),
        **{
            name: sum(one.fact(fact) or 0 for one in most) if most else None
            for name, fact in (
                ("documents", "documents"),
                ("missing", "documents_missing"),
                ("empty", "documents_empty"),
            )
        },
    }
