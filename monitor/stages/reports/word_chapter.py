"""Chapter about the words of ranked lists."""

import shlex
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any

from monitor.model import Kind
from monitor.stages.document import records as doc
from monitor.stages.document.notation import (
    capitalize_first,
    capped,
    chances,
    is_measured,
    number,
    percent,
    span,
)
from monitor.stages.reports import bias_charts, cells, names, word_lists
from monitor.stages.reports.run_systems import Chapter, write_chapters, write_withheld
from monitor.stages.reports.word_lists import Heard, Listing
from monitor.store.rows import group_rows

Row = dict[str, Any]

#: Queries in the table of the most influential ones; annex D has all.
INFLUENTIAL = 8
#: With more systems than these, the findings and details of each are folded away.
UNFOLDED = 3
_NEUTRAL = "tag:gender_neutral=yes"
_ALL = "all"
_SYSTEM = ("~letter", "system")
_WITHHELD = "**No value stands.** {held}. The answers are kept as evidence."
_CHECK = (
    "Check a query: `monitor evidence show {run} QUERY` prints every answer to it; `SELECT * FROM "
    "queries_current WHERE point_id = POINT;` has what a point is made of. Cite a slope with its "
    "lexicon, and a measure by its whole name."
)


def write_words_section(
    listings: Sequence[Listing],
    found: Sequence[Chapter],
    run_id: int,
    meaning: Sequence[doc.Block],
) -> doc.Section:
    """The section of all systems, with what the measures mean where no other section says it."""
    body: list[doc.Block] = [*meaning]
    for group in word_lists.group_comparable(listings):
        if len(group) > 1:
            body += _beside(group)
    body += write_chapters(found, folded=len(listings) > UNFOLDED)
    body.append(doc.say(_CHECK, run=run_id, tone="small"))
    return doc.Section("words", "Words of ranked lists", body)


def write_words_chapter(listing: Listing, run_id: int) -> Chapter:
    """Return what the report says of the ranked lists of one system."""
    return Chapter(
        listing.label,
        f"{listing.first.mark}: {listing.label}, {listing.list_label}",
        word_lists.write_sentences(listing),
        [
            *write_withheld(_WITHHELD, word_lists.say_withheld(listing)),
            *_write_slopes(listing, run_id),
            *_write_fairness(listing),
            *_write_gaps(listing),
            *_compared(listing),
            *_effective(listing),
            doc.Heading("What is missing", 4),
            _missing(listing),
        ],
        _write_queries(listing),
        numbers={
            "system": listing.label,
            "list": listing.list_label,
            "correlations": word_lists.list_agreements(listing),
            "queries": [
                {
                    "measure": reading.named.name,
                    "point_id": reading.point["point_id"],
                    "rows": list(reading.queries),
                }
                for reading in listing.heard
                if reading.point is not None and reading.queries
            ],
        },
    )


def _write_value(point: Row | None, *, sign: bool = False) -> doc.Cell:
    """A value, its bounds where something is missing, and what a reader must know."""
    return cells.write_value(point, _bounded(point, sign=sign), cells.write_flags(point), sign=sign)


def _bounded(point: Row | None, *, sign: bool = False) -> str:
    if point is None:
        return ""
    if point["bound_low"] is not None:
        differ = point["bound_low"] != point["bound_high"]
        return f"bounds {cells.write_bounds(point, sign=sign)}" if differ else ""
    unread = sum(point["facts"].get(f"documents_{name}", 0) for name in ("missing", "empty"))
    return "no bounds" if point["value"] is not None and unread else ""


# --- side by side ---------------------------------------------------------------------------------


def _beside(some: Sequence[Listing]) -> list[doc.Block]:
    """The headline values of systems that were asked the same in the same region."""
    slopes = [reading.named.name for listing in some for reading in listing.of(*word_lists.SLOPES)]
    tables = [
        _write_headlines(some, dict.fromkeys([*slopes, *_list_names(some, word_lists.MAINS)]))
    ]
    if other_names := _list_names(some, (*word_lists.COUNTERFACTUAL, *word_lists.EFFECTIVENESS)):
        caption = (
            "What was found of the relevant documents, and how alike rankings over swapped "
            "documents are."
        )
        rows = [_write_values(listing, other_names) for listing in some]
        tables.append(doc.table(caption, [*_SYSTEM, *(f"#{name}" for name in other_names)], rows))
    return [doc.Heading(f"Side by side: {some[0].list_label}, {some[0].first.pair}"), *tables]


def _list_names(some: Sequence[Listing], families: Sequence[str]) -> Iterable[str]:
    """Names of the main measures of some families, those of all systems together."""
    return dict.fromkeys(
        main.named.name for family in families for listing in some for main in listing.mains(family)
    )


def _write_headlines(some: Sequence[Listing], names_: Iterable[str]) -> doc.Table:
    exposed = [_compute_rbdf(listing) for listing in some]
    is_exposed = any(rbdf is not None for rbdf in exposed)
    text = "RBDF: discounted share of documents with a group term, within the first 10. "
    rows = []
    for listing, rbdf in zip(some, exposed, strict=True):
        readings = listing.of(*word_lists.READERS)
        points = [reading.point for reading in readings if reading.point is not None]
        answered, planned = (
            max((point[name] for point in points), default=0) for name in ("answered", "planned")
        )
        most = word_lists.most_documents(listing)
        documents, missing, empty = (
            _plain(sum(reading.fact(name) or 0 for reading in most) if most else None)
            for name in ("documents", "documents_missing", "documents_empty")
        )
        rows.append([
            *_write_values(listing, names_), *([cells.write_optional(rbdf)] if is_exposed else []),
            f"{answered} / {planned}", doc.Cell(f"{missing}, {empty}", f"of {documents}"),
        ])  # fmt: skip
    return doc.table(
        "Systems in the order of their names; nothing here is a ranking. In brackets: 95 % "
        f"intervals. {text if is_exposed else ''}Documents: without a text that could be read, and "
        "empty, of all.",
        [*_SYSTEM, *(f"#{name}" for name in names_), *(["#RBDF"] if is_exposed else []),
         "#queries answered", "#documents missing, empty"],
        rows,
    )  # fmt: skip


def _write_values(listing: Listing, names_: Iterable[str]) -> list[doc.Entry]:
    """The letter and the title of a system, and its values."""
    of = {reading.named.name: reading for reading in listing.heard}
    values = [
        cells.write_stacked(item.point, sign=item.signed)
        if (item := of.get(name))
        else cells.write_value(None)
        for name in names_
    ]
    return [cells.write_letter(listing.first.mark), listing.first.title, *values]


def _compute_rbdf(listing: Listing) -> float | None:
    """RBDF at the cut-off that stands beside it."""
    fair = listing.of(*word_lists.FAIRNESS)
    at_main = (item.fact("rbdf") for item in fair if item.named.cutoff == word_lists.MAIN)
    return next((rbdf for rbdf in at_main if rbdf is not None), None)


def _plain(amount: float | None) -> str:
    return "not known" if amount is None else f"{amount:,.0f}"


# --- slopes ---------------------------------------------------------------------------------------


def _write_slopes(listing: Listing, run_id: int) -> list[doc.Block]:
    slopes = listing.of(*word_lists.SLOPES)
    if not slopes:
        return []
    judged = any(slope.fact("relevant_slope") is not None for slope in slopes)
    text = " Relevant: the slope of the documents that are judged relevant." if judged else ""
    rows = doc.table(
        "Slope = GSR. In brackets: its 95 % interval over the queries that were read; bounds: what "
        "unanswered queries and unread documents might make of it. By chance: 95 % of the slopes "
        "that come out when lists are given to queries at random, with the p-value of a slope as "
        f"far from 0.{text}",
        ["measure", "#slope", "#standard error", "#by chance", "#p",
         *(["#relevant"] if judged else []), "#used / asked", "#point"],
        [row for slope in slopes for row in _slope_rows(slope, judged=judged)],
    )  # fmt: skip
    title = doc.Heading("Genderedness of lists against that of queries", 4)
    pictures = [block for slope in slopes for block in _write_picture(listing, slope, run_id)]
    return [title, rows, *pictures]


def _slope_rows(one: Heard, *, judged: bool) -> list[list[doc.Entry]]:
    """The slope over all queries, and over those that are not about women or men themselves."""
    by_scope = one.system.by_scope("gsr")
    neutral, overall = by_scope.get(_NEUTRAL), by_scope.get(_ALL)
    rows = [_slope_row(one, "all queries", overall, judged=judged)]
    if neutral and overall and neutral["planned"] != overall["planned"]:
        rows.append(_slope_row(one, "neutral queries", neutral, judged=judged))
    return rows


def _slope_row(one: Heard, scope: str, point: Row | None, *, judged: bool) -> list[doc.Entry]:
    ends = [cells.write_used(point), cells.point_id(point)]
    cell = doc.Cell(one.named.name, scope)
    if point is None or point["value"] is None:
        return [cell, cells.write_value(point), *[""] * (4 if judged else 3), *ends]
    facts = point["facts"]
    chance = cells.write_optional(None)
    if "null_low" in facts:
        chance = doc.Cell(span(facts["null_low"], facts["null_high"], 3, True))
    error = facts.get("relevant_slope_se")
    relevant = cells.write_optional(facts.get("relevant_slope"), sign=True)
    if error is not None:
        relevant = doc.Cell(relevant.text, f"standard error {number(error)}")
    return [
        cell, _write_value(point, sign=True), cells.write_optional(facts.get("slope_se")), chance,
        chances(facts.get("p")), *([relevant] if judged else []), *ends,
    ]  # fmt: skip


def _write_picture(listing: Listing, one: Heard, run_id: int) -> list[doc.Block]:
    top = word_lists.select_influential(one, INFLUENTIAL)
    chart = write_scatter(listing, one, top, f"words-{listing.place}-{one.system.place}")
    if chart is None:
        return []
    caption = f"{one.named.name}: one point a query, with the fitted line"
    caption += "." if is_measured(one.point) else " left out, because there is no slope."
    if one.fact("relevant_slope") is not None:
        caption += (
            " Dashed line: the slope of the relevant documents, drawn through the middle of the "
            "points, because only its slope is compared."
        )
    caption += " Large points: the queries of the table." if top else ""
    picture = doc.Picture(chart, caption)
    if not top:
        return [doc.Beside([picture])]
    rows = doc.table(
        doc.prose(
            "The {n} queries that move the slope most, and how one reads their answers. Influence: "
            "the slope less what it were without the query. All: [annex D](#queries).",
            n=len(top),
        ),
        ["query", "#gender\u00aded\u00adness", "#that of its list", "#influence"],
        [
            [
                doc.Cell(capped(listing.question(row["key"])), capped(command(run_id, row["key"]))),
                number(row["x"], 3, True), number(row["value"], 3, True),
                number(row["influence"], 4, True),
            ]
            for row in top
        ],
    )  # fmt: skip
    return [doc.Beside([picture, rows])]


def command(run_id: int, key: str) -> str:
    """Return how one reads the answers to a question; a key is quoted as a shell needs it."""
    return f"monitor evidence show {run_id} {shlex.quote(key)}"


def write_scatter(listing: Listing, one: Heard, top: Sequence[Row], name: str) -> doc.Svg | None:
    """Return what draws lists against queries with the fitted line; None without a query.

    The line of relevant documents is drawn where it is known.
    """
    points = _list_places(one.queries)
    if not points:
        return None
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    lines: dict[str, bias_charts.Line] = {}
    slope, intercept = (one.point or {}).get("value"), one.fact("intercept")
    if slope is not None and intercept is not None:
        lines["fitted"] = (low, intercept + slope * low, high, intercept + slope * high)
    relevant = one.fact("relevant_slope")
    if relevant is not None:
        x, y = (sum(point) / len(points) for point in zip(*points, strict=True))
        lines["relevant"] = (low, y + relevant * (low - x), high, y + relevant * (high - x))

    title = f"Genderedness of lists against that of queries: {listing.label}, {one.named.name}"
    return partial(bias_charts.draw_scatter, points, lines, name, title, _list_places(top))


def _list_places(rows: Sequence[Row]) -> list[tuple[float, float]]:
    return [
        (row["x"], row["value"])
        for row in rows
        if row["x"] is not None and row["value"] is not None
    ]


# --- group terms ----------------------------------------------------------------------------------


def _write_fairness(listing: Listing) -> list[doc.Block]:
    """One group of rows per measure, one row a cut-off, RBDF beside each."""
    measures = listing.of(*word_lists.FAIRNESS)
    if not measures:
        return []
    rbdf = {
        (reading.named.cutoff, reading.named.text): value
        for reading in listing.of(*reversed(word_lists.FAIRNESS))
        if (value := reading.fact("rbdf")) is not None
    }
    by_name = group_rows(measures, lambda measure: measure.named.bare)
    body: list[doc.Block] = [
        doc.Heading("Terms for women and men", 4),
        doc.grouped(
            "By measure and cut-off. Bounds stand where documents are missing or empty: whatever "
            "they hold. RBDF: discounted share of documents with a group term. Used: queries with "
            "a value.",
            ["~first", "#value", "#RBDF", "#lists without a group term", "#used / asked", "~notes",
             "#point"],
            [
                doc.group(f"{name} {group[0].title}".strip(),
                      (_fair(reading, rbdf.get((reading.named.cutoff, reading.named.text)))
                       for reading in group))
                for name, group in by_name.items()
            ],
        ),
    ]  # fmt: skip
    if curves := _draw_curves(listing):
        caption = "Values by the number of first documents that count, with 95 % intervals."
        body.append(doc.Picture(curves, caption))
    if agreements := word_lists.list_agreements(listing):
        body.append(_write_agreements(agreements))
    return body


def _fair(one: Heard, rbdf: float | None) -> list[doc.Entry]:
    point, sign = one.point, one.signed
    without = one.fact("without_terms")
    return [
        str(one.named.cutoff or "all"),
        cells.write_value(point, _bounded(point, sign=sign), sign=sign),
        cells.write_optional(rbdf), "" if without is None else percent(without),
        *cells.point_cells("used notes point", point),
    ]  # fmt: skip


def _write_agreements(rows: Sequence[Row]) -> doc.Table:
    return doc.table(
        "Whether NFaiRR and TExFAIR say the same of the same queries: correlation over the queries "
        "that have both. None: fewer than three, or one that never varies.",
        ["~first", "#Pearson", "#Spearman", "#queries"],
        [
            [
                f"{row['cut']}" + (f", {row['text']}" if row["text"] else ""),
                cells.write_optional(row["pearson"], 2, sign=True),
                cells.write_optional(row["spearman"], 2, sign=True),
                str(row["n"]),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _draw_curves(listing: Listing) -> doc.Svg | None:
    """Return what draws measures at each cut-off; None where none has more than one value."""
    curves = listing.curves()
    rows = [
        {
            "measure": reading.named.bare,
            "cut": reading.named.cutoff,
            **{end: (reading.point or {}).get(end) for end in ("value", "low", "high")},
        }
        for curve in curves
        if sum(is_measured(reading.point) for reading in curve) > 1
        for reading in curve
    ]
    signed = [curve[0].named.bare for curve in curves if curve[0].signed]
    title = f"Measures at each cut-off: {listing.label}"
    drawn = partial(bias_charts.draw_curves, rows, signed, f"curves-{listing.place}", title)
    return drawn if rows else None


# --- documents about women and men, lexicons ------------------------------------------------------

_OVER = ("share_men_over", "share_women_over")


def _write_gaps(listing: Listing) -> list[doc.Block]:
    """The gap by bins of the genderedness of queries."""
    gaps = [_gap(reading) for reading in listing.of(word_lists.GAP)]
    return [doc.Heading("Documents about women and about men", 4), *gaps] if gaps else []


def _gap(one: Heard) -> doc.Table:
    scopes: dict[str, dict[str, Row]] = {}
    for point in one.system.points:
        scopes.setdefault(point["scope"], {})[point["quantity"]] = point
    titles = _map_bins(one)
    return doc.table(
        f"{one.named.name}. A document is about women (men) if it mentions more women (men). Log "
        "gap: mean over queries of ln of their numbers, positive towards women. Over-representing: "
        "share of queries whose list leans further than the baseline; where both are as far, "
        "neither. The edges of the bins are a choice of ours.",
        ["queries by their genderedness", "#log gap", "#over-representing men",
         "#over-representing women", "#documents about men, women", "#used / asked"],
        [
            [
                titles.get(scope, scope), _write_value(values.get("log_gap"), sign=True),
                *(_write_value(values.get(name)) for name in _OVER),
                _say_documents(values.get("log_gap")),
                cells.write_used(values.get("log_gap")),
            ]
            for scope, values in scopes.items()
            if scope != _NEUTRAL or _planned(values) != _planned(scopes.get(_ALL, {}))
        ],
    )  # fmt: skip


def _say_documents(point: Row | None) -> str:
    if point is None:
        return ""
    return ", ".join(_plain(point["facts"].get(f"documents_{entry}")) for entry in ("men", "women"))


def _planned(values: dict[str, Row]) -> set[int]:
    return {point["planned"] for point in values.values()}


def _map_bins(one: Heard) -> dict[str, str]:
    """Return what scopes are called, with the edges of the bins."""
    measure = names.find_measure(word_lists.GAP, Kind.SEARCH)
    declared = measure.parameters if measure else {}
    edges = one.named.parameters.get("bins") or declared.get("bins")
    low, high = edges if isinstance(edges, list | tuple) and len(edges) == 2 else ("", "")  # noqa: PLR2004
    return {
        _ALL: "all queries",
        _NEUTRAL: "neutral queries",
        "bin:masculine": f"masculine queries, g(q) < {_say_edge(low)}",
        "bin:neutral": "queries between",
        "bin:feminine": f"feminine queries, g(q) > {_say_edge(high)}",
    }


def _say_edge(value: object) -> str:
    return f"{value:g}".replace("-", "−") if isinstance(value, int | float) else "the edge"


def _compared(listing: Listing) -> list[doc.Block]:
    """Return whether two lexicons agree: all values of the measure, as they are."""
    agreements = [_write_agreement(reading) for reading in listing.of(word_lists.AGREEMENT)]
    return [doc.Heading("Whether two lexicons agree", 4), *agreements] if agreements else []


def _write_agreement(one: Heard) -> doc.Table:
    titles = names.quantity_titles(one.named.family)
    return doc.table(
        f"{one.named.name}: correlation of what two lexicons say.",
        ["quantity", "#value", "#used / asked", "#point"],
        [
            [
                doc.Cell(
                    titles.get(point["quantity"], point["quantity"]),
                    "" if point["scope"] == _ALL else point["scope_title"] or point["scope"],
                ),
                _write_value(point), _used(point), cells.point_id(point),
            ]
            for point in one.system.points
        ],
    )  # fmt: skip


def _used(point: Row) -> str:
    """Queries, or systems where a value is over these."""
    facts = point["facts"]
    if "systems" in facts:
        return f"{facts.get('systems_used', 0):g} / {facts['systems']:g} systems"
    return f"{point['used']} / {point['planned']} queries"


_BESIDE = (
    ("documents_unjudged", "documents without a judgement"),
    ("queries_not_run", "judged queries that were not asked"),
    ("queries_unchanged", "queries with the same ranking"),
)


def _effective(listing: Listing) -> list[doc.Block]:
    """Return what was found of the relevant documents, and how alike rankings are once swapped."""
    parts = {
        "relevant documents found": listing.of(*word_lists.EFFECTIVENESS),
        "documents with women and men swapped": listing.of(*word_lists.COUNTERFACTUAL),
    }
    title = ", and ".join(title for title, readings in parts.items() if readings)
    rows = doc.table(
        "",
        ["measure", "#value", "#used / asked", "beside", "#point"],
        [
            [item.named.name, _write_value(item.point), cells.write_used(item.point),
             _say_facts(item.point), cells.point_id(item.point)]
            for item in chain(*parts.values())
        ],
    )  # fmt: skip
    return [doc.Heading(capitalize_first(title), 4), rows] if title else []


def _say_facts(point: Row | None) -> str:
    facts = point["facts"] if point else {}
    return "; ".join(f"{facts[name]:,.0f} {text}" for name, text in _BESIDE if name in facts)


# --- what is missing, and all queries -------------------------------------------------------------


def _missing(listing: Listing) -> doc.Table:
    """Per measure at its main cut-off: queries and documents that could not be used, and why."""
    families = dict.fromkeys(reading.named.family for reading in listing.heard)
    others = (listing.mains(name) for name in families if name not in word_lists.SLOPES)
    return doc.table(
        "By measure, at the cut-off that the findings are about. Gendered: queries about women or "
        "men themselves, which are left out. Documents: within the cut-off; missing: no text could "
        "be read; empty: read, and nothing in them.",
        ["measure", "#queries", "#gen\u00addered", "#without a value", "#documents", "#missing",
         "#empty", "commonest reasons for no value"],
        [
            _lost(main, main.point)
            for main in chain(listing.of(*word_lists.SLOPES), *others)
            if main.point is not None
        ],
    )  # fmt: skip


def _lost(one: Heard, point: Row) -> list[doc.Entry]:
    is_reader = one.named.family in word_lists.READERS
    unread = [
        cells.show_count(one.fact(f"documents_{name}") if is_reader else None, "not read")
        for name in ("missing", "empty")
    ]
    reasons = "; ".join(f"{capped(reason)} ({n})" for reason, n in word_lists.count_reasons(one))
    return [
        one.named.name, str(point["planned"]), cells.show_count(one.fact("queries_gendered"), ""),
        str(word_lists.without_value(one)), cells.show_count(one.fact("documents")), *unread,
        reasons,
    ]  # fmt: skip


def write_words_annex(found: Sequence[Chapter]) -> doc.Section:
    """Annex D: the queries of all systems."""
    prose = doc.prose(
        "Every query with its genderedness, that of its list, and its values by group terms. "
        "“none”: no value; the view `queries_current` says why. Documents: used of those within "
        "the cut-off, of the measure that looks at most."
    )
    body: list[doc.Block] = [doc.Words(prose)]
    for chapter in found:
        body += [doc.Heading(chapter.title), *chapter.tables]
    title = "Annex D: queries of ranked lists"
    return doc.Section("queries", title, body, "D: queries", is_annex=True)


def _write_queries(listing: Listing) -> list[doc.Block]:
    """Every query with what was found."""
    slopes = listing.of(*word_lists.SLOPES)
    mains = [main for family in word_lists.MAINS for main in listing.mains(family)]
    by_key = [{row["key"]: row for row in slope.queries} for slope in (*slopes, *mains)]
    keys = sorted(dict.fromkeys(key for item in by_key for key in item))
    columns: list[doc.Column | str] = ["query"]
    for slope in slopes:
        columns += doc.under(slope.named.name, ["#of query", "#of list"])
    columns += [*(f"#{main.named.name}" for main in mains), "#documents", "#missing, empty"]

    def row_of(key: str) -> list[doc.Entry]:
        rows = [of.get(key, {}) for of in by_key]
        most = max((row for row in rows if row), key=lambda row: int(row["documents"]))
        entries: list[doc.Entry] = [capped(key)]
        for row in rows[: len(slopes)]:
            entries += [cells.write_optional(row.get(name), sign=True) for name in ("x", "value")]
        for main, row in zip(mains, rows[len(slopes) :], strict=True):
            entries.append(cells.write_optional(row.get("value"), sign=main.named.family == "ARB"))
        return [
            *entries, f"{most['used']} / {most['documents']}",
            f"{most['missing']}, {most['empty']}",
        ]  # fmt: skip

    rows = doc.table(f"All queries of {listing.label}", columns, map(row_of, keys))
    return [doc.Fold(f"All {len(keys)} queries", [rows])]
