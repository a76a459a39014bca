"""What the page shows of one system's ranked lists: points and queries in, tables out."""

import re
import shlex
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from monitor import registry
from monitor.model import InvalidInput
from monitor.stages import _report_names as names
from monitor.stages import _report_words as words
from monitor.stages import _report_words_beside as beside
from monitor.stages import _report_words_charts as charts
from monitor.stages import _report_words_findings as findings
from monitor.stages._report_text import visible
from monitor.stages._report_words import Heard, Listing

Row = dict[str, Any]

#: Queries in the table of the most influential ones; annex D has all.
INFLUENTIAL = 8
#: With more systems than these, the findings and details of each are folded away.
_UNFOLDED = 3
_NEUTRAL = "tag:gender_neutral=yes"
_ALL = "all"


def content(systems: Sequence[Listing], run_id: int) -> Row:
    """Everything that the templates need of ranked lists; no sections where there are none."""
    families = {one.named.family for listing in systems for one in listing.heard}
    return {
        "words": [section(one, run_id) for one in systems],
        "words_folded": len(systems) > _UNFOLDED,
        "words_beside": [beside.beside(some) for some in words.beside(systems) if len(some) > 1],
        "words_families": families,
        "words_by_terms": not families.isdisjoint(words.FAIRNESS),
    }


def section(listing: Listing, run_id: int) -> Row:
    """Sentences, tables and charts of one system."""
    slopes = listing.of(*words.SLOPES)
    return {
        "system": listing,
        "held": findings.withheld(listing),
        "findings": findings.sentences(listing),
        "slopes": [_slope(listing, one, run_id) for one in slopes],
        "slope_rows": [row for one in slopes for row in _slope_rows(one)],
        "fairness": _fairness(listing),
        "curves": _curves(listing),
        "agreements": words.agreements(listing),
        "gaps": [_gaps(one) for one in listing.of(words.GAP)],
        "compared": [_compared(one) for one in listing.of(words.AGREEMENT)],
        "effective": listing.of(*words.EFFECTIVENESS),
        "swapped": listing.of(*words.COUNTERFACTUAL),
        "lost": _missing(listing),
        "queries": _queries(listing),
    }


# --- slopes -------------------------------------------------------------------------------------


def _slope_rows(one: Heard) -> list[Row]:
    """The slope over all queries, and over those that are not about women or men themselves."""
    by_scope = {p["scope"]: p for p in one.system.points if p["quantity"] == "gsr"}
    rows = [{"scope": "all queries", "point": by_scope.get(_ALL), "named": one.named}]
    neutral, every = by_scope.get(_NEUTRAL), by_scope.get(_ALL)
    if neutral and every and neutral["planned"] != every["planned"]:
        rows.append({"scope": "neutral queries", "point": neutral, "named": one.named})
    return rows


def _slope(listing: Listing, one: Heard, run_id: int) -> Row:
    top = words.influential(one, INFLUENTIAL)
    return {
        "heard": one,
        "chart": scatter(listing, one, top, f"words-{listing.place}-{one.system.place}"),
        "relevant": one.fact("relevant_slope") is not None,
        "top": [
            row | {"question": listing.question(row["key"]), "command": command(run_id, row["key"])}
            for row in top
        ],
    }


def breakable(name: str) -> Markup:
    """The name of a measure, which may be broken after a bracket or a comma."""
    return Markup("<wbr>").join(re.split(r"(?<=[(,])", visible(name)))


def command(run_id: int, key: str) -> str:
    """How one reads the answers to a question; a key is quoted as a shell needs it."""
    return f"monitor evidence show {run_id} {shlex.quote(key)}"


def scatter(listing: Listing, one: Heard, top: Sequence[Row], name: str) -> Markup | None:
    """Lists against queries with the fitted line, and that of relevant documents where known."""
    points = _places(one.queries)
    if not points:
        return None
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    lines: dict[str, charts.Line] = {}
    slope, intercept = (one.point or {}).get("value"), one.fact("intercept")
    if slope is not None and intercept is not None:
        lines["fitted"] = (low, intercept + slope * low, high, intercept + slope * high)
    relevant = one.fact("relevant_slope")
    if relevant is not None:
        x, y = (sum(some) / len(points) for some in zip(*points, strict=True))
        lines["relevant"] = (low, y + relevant * (low - x), high, y + relevant * (high - x))
    return charts.scatter(
        points,
        lines,
        name,
        f"Genderedness of lists against that of queries: {listing.label}, {one.named.name}",
        _places(top),
    )


def _places(rows: Sequence[Row]) -> list[tuple[float, float]]:
    return [
        (row["x"], row["value"])
        for row in rows
        if row["x"] is not None and row["value"] is not None
    ]


# --- group terms --------------------------------------------------------------------------------


def _fairness(listing: Listing) -> list[Row]:
    """One entry per measure with a row per cut-off, RBDF beside each."""
    rbdf = {
        (one.named.cutoff, one.named.text): value
        for one in listing.of(*reversed(words.FAIRNESS))
        if (value := one.fact("rbdf")) is not None
    }
    found: dict[str, list[Row]] = {}
    for one in listing.of(*words.FAIRNESS):
        beside_ = rbdf.get((one.named.cutoff, one.named.text))
        found.setdefault(one.named.bare, []).append({"heard": one, "rbdf": beside_})
    return [
        {
            "name": name,
            "title": _title(rows[0]["heard"]),
            "signed": words.is_signed(rows[0]["heard"].named.family),
            "rows": rows,
        }
        for name, rows in found.items()
    ]


def _title(one: Heard) -> str:
    known = words.quantity(one.named.family)
    return known.title if known else ""


def _curves(listing: Listing) -> Markup | None:
    """Measures at each of several cut-offs; None where none has more than one value."""
    rows = [
        {
            "measure": one.named.bare,
            "cut": one.named.cutoff,
            **{end: (one.point or {}).get(end) for end in ("value", "low", "high")},
        }
        for some in listing.curves()
        if sum(one.measured for one in some) > 1
        for one in some
    ]
    if not rows:
        return None
    signed = [some[0].named.bare for some in listing.curves() if _signed(some[0])]
    name, title = f"curves-{listing.place}", f"Measures at each cut-off: {listing.label}"
    return charts.curves(rows, signed, name, title)


def _signed(one: Heard) -> bool:
    return words.is_signed(one.named.family)


# --- documents about women and men, lexicons ----------------------------------------------------


def _gaps(one: Heard) -> Row:
    """The gap of one system by bins of the genderedness of queries."""
    scopes: dict[str, dict[str, Row]] = {}
    for point in one.system.points:
        scopes.setdefault(point["scope"], {})[point["quantity"]] = point
    kept = {
        scope: values
        for scope, values in scopes.items()
        if scope != _NEUTRAL or _planned(values) != _planned(scopes.get(_ALL, {}))
    }
    titles = _bins(one)
    return {
        "heard": one,
        "rows": [
            {"title": titles.get(scope, scope), "values": values} for scope, values in kept.items()
        ],
    }


def _planned(values: dict[str, Row]) -> set[int]:
    return {point["planned"] for point in values.values()}


def _bins(one: Heard) -> dict[str, str]:
    """What scopes are called, with the edges of the bins."""
    edges = one.named.parameters.get("bins")
    if edges is None:
        try:
            edges = registry.measure(words.GAP).parameters.get("bins")
        except InvalidInput:
            edges = None
    low, high = edges if isinstance(edges, list | tuple) and len(edges) == 2 else ("", "")  # noqa: PLR2004
    return {
        _ALL: "all queries",
        _NEUTRAL: "neutral queries",
        "bin:masculine": f"masculine queries, g(q) < {_edge(low)}",
        "bin:neutral": "queries between",
        "bin:feminine": f"feminine queries, g(q) > {_edge(high)}",
    }


def _edge(value: object) -> str:
    return f"{value:g}".replace("-", "−") if isinstance(value, int | float) else "the edge"


def _compared(one: Heard) -> Row:
    """All values of a measure, as they are."""
    titles = names.quantity_titles(one.named.family)
    return {
        "heard": one,
        "rows": [
            {
                "title": titles.get(point["quantity"], point["quantity"]),
                "scope": "" if point["scope"] == _ALL else point["scope_title"] or point["scope"],
                "point": point,
                "used": _used(point),
            }
            for point in one.system.points
        ],
    }


def _used(point: Row) -> str:
    """Queries, or systems where a value is over these."""
    facts = point["facts"]
    if "systems" in facts:
        return f"{facts.get('systems_used', 0):g} / {facts['systems']:g} systems"
    return f"{point['used']} / {point['planned']} queries"


# --- what is missing, and all queries -----------------------------------------------------------


def _missing(listing: Listing) -> list[Row]:
    """Per measure at its main cut-off: queries and documents that could not be used, and why."""
    families = dict.fromkeys(one.named.family for one in listing.heard)
    mains = [
        one for family in families if family not in words.SLOPES for one in listing.mains(family)
    ]
    return [
        {
            "heard": one,
            "without": words.without_value(one),
            "reasons": words.reasons(one),
            "documents": one.fact("documents"),
            "gendered": one.fact("queries_gendered"),
            **{
                name: one.fact(f"documents_{name}") if one.named.family in words.READERS else None
                for name in ("missing", "empty")
            },
        }
        for one in (*listing.of(*words.SLOPES), *mains)
        if one.point is not None
    ]


def _queries(listing: Listing) -> Row:
    """Every query with what was found: one row each, for the annex."""
    slopes = listing.of(*words.SLOPES)
    mains = [one for family in words.MAINS for one in listing.mains(family)]
    by_key = [{row["key"]: row for row in one.queries} for one in (*slopes, *mains)]
    keys = sorted(dict.fromkeys(key for one in by_key for key in one))
    return {
        "slopes": slopes,
        "mains": mains,
        "rows": [
            {
                "key": key,
                "question": listing.question(key),
                "slopes": [of.get(key, {}) for of in by_key[: len(slopes)]],
                "mains": [of.get(key, {}) for of in by_key[len(slopes) :]],
                "most": max(
                    (of[key] for of in by_key if key in of), key=lambda row: int(row["documents"])
                ),
            }
            for key in keys
        ],
    }


def numbers(section_: Row) -> Row:
    """What `--json` has of one system beside its points."""
    return {
        "system": section_["system"].label,
        "list": section_["system"].list_label,
        "correlations": section_["agreements"],
        "queries": [
            {
                "measure": one.named.name,
                "point_id": one.point["point_id"],
                "rows": list(one.queries),
            }
            for one in section_["system"].heard
            if one.point is not None and one.queries
        ],
    }
