"""Sections about the newest run: systems compared, slopes, stereotypes, professions.

The difference is that of `series compare`: the second system's value less the first's.

The scatter is that of the report of a run, with both lines: the fitted one, and that of the
documents judged relevant where there are judgements.

The feminine rank of a stereotype in one system is its place when stereotypes are ordered by their
share of masculine forms, the most feminine first. All systems of one list stand in one chart.

Lipani, Piroi and Yilmaz (2021), Figures 2 and 3 and Tables 1 to 3: the histogram of |bias| and the
grid of reference against answers, one cell for each system and reference.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, groupby
from operator import itemgetter
from statistics import median
from typing import Any

from markupsafe import Markup

from monitor.change import Role
from monitor.names import base_name, parse_name
from monitor.stages.changes import comparisons
from monitor.stages.document import draw
from monitor.stages.document import records as doc
from monitor.stages.document.draw import FIRST, GRID, INK, SECOND, Scale
from monitor.stages.document.notation import (
    capitalize_first,
    chances,
    estimate,
    format_day,
    is_measured,
    number,
    shorten,
)
from monitor.stages.document.share_chart import Dot, describe_shares, draw_shares
from monitor.stages.reports import (
    cells,
    names,
    run_systems,
    shown_people,
    word_chapter,
    word_lists,
)
from monitor.stages.reports.weekly.week import JobWeek, ReportedWeek
from monitor.stages.reports.word_lists import Heard, Listing
from monitor.store.database import Connection
from monitor.store.reports import run_report
from monitor.store.rows import group_rows
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_value

# --- systems --------------------------------------------------------------------------------------

Row = dict[str, Any]

#: Rows that are shown at once.
_UNFOLDED = 40


def describe_comparisons(week: ReportedWeek, rows: Sequence[Row]) -> list[Row]:
    """One entry per comparison of two engines in a primary quantity.

    p is adjusted over all pairs of a job in its primary quantities.
    """
    of_series = {(row["job"], row["series_id"]): row for row in rows}
    job_of = {job.run_id: job.name for job in week.jobs}
    compared = ("state", "reason", "before", "after", "delta", "low", "high", "p", "test", "n",
                "only_before", "only_after", "changed", "due_at")  # fmt: skip
    of_both = ("job", "list", "measure", "quantity", "title", "label", "kind", "source_lang",
               "target", "engine")  # fmt: skip
    result_rows: list[Row] = []
    for engine in week.engines:
        job = job_of[engine["after_run_id"]]
        series = of_series.get((job, engine["series_id"]))
        other = of_series.get((job, engine["other_id"]))
        if series is not None and other is not None:
            result_rows.append(
                {name: engine[name] for name in compared}
                | {name: series[name] for name in of_both}
                | {"comparison_id": engine["id"], "other": other["engine"],
                   "is_primary": Role.PRIMARY in (series["role"], other["role"])}
            )  # fmt: skip
    q: dict[int, float] = {}
    for of_job in group_rows(result_rows, itemgetter("job")).values():
        p = {row["comparison_id"]: row["p"] for row in of_job if row["is_primary"]}
        q |= comparisons.adjust_p_values(p)
    return sorted(
        (row | {"q": q.get(row["comparison_id"])} for row in result_rows),
        key=itemgetter("job", "list", "measure", "title", "source_lang", "target", "engine",
                       "other", "comparison_id"),
    )  # fmt: skip


# --- printed --------------------------------------------------------------------------------------


def write_comparisons_section(week: ReportedWeek, found: Sequence[Row]) -> doc.Section:
    """The table, quantity by quantity."""

    def write_table(caption: str, rows: Sequence[Row]) -> doc.Table:
        return comparisons.write_comparison_table(caption, rows, week.engine_title, week.zone)

    title = "Engines side by side"
    displayed = [row for row in found if row["is_primary"]]
    if not displayed:
        why = "no comparison of two systems in the same run is stored for this week"
        return doc.Section("engines", title, [doc.Words(f"Not compared: {why}.")])
    lead = (
        "Two systems on the same questions in the same run. The adjusted p (Benjamini and "
        "Hochberg) controls false discoveries over all pairs of a job in its main quantities; p is "
        "of that pair alone."
    )
    caption = "Differences between systems in main quantities"
    blocks: list[doc.Block] = [
        doc.Words(lead, "small"), write_table(caption, displayed[:_UNFOLDED]),
    ]  # fmt: skip
    if rest := displayed[_UNFOLDED:]:
        summary = f"{several(len(rest), 'further pair')} of systems"
        table = write_table("Further pairs", rest)
        blocks.append(doc.Fold(summary, [table], is_printed=True))
    if n_left := len(found) - len(displayed):
        words = f"{several(n_left, 'comparison')} of other quantities: in the JSON of this report."
        blocks.append(doc.Words(words, "small"))
    return doc.Section("engines", title, blocks)


# --- slopes of words ------------------------------------------------------------------------------

#: Scatters that are shown at once, and that are drawn at all.
UNFOLDED_SLOPES, DRAWN_SLOPES = 4, 24


def describe_slopes(connection: Connection, week: ReportedWeek) -> list[Row]:
    """One entry per slope of each system, with its queries and its picture."""
    rows = []
    for job in week.jobs:
        apt = any(parse_name(p["measure"]).family in word_lists.SLOPES for p in job.points)
        if not apt or job.run_id is None:
            continue
        listings = word_lists.group_listings(
            run_systems.sort_systems(
                job.points, job.content, run_report.read_cues(connection, job.run_id)
            ),
            [],
            run_report.read_queries(connection, job.run_id),
            run_report.read_questions(connection, job.run_id),
        )
        rows += [
            _describe_slope(job, listing, reading)
            for listing in listings
            for reading in listing.of(*word_lists.SLOPES)
            if reading.point is not None
        ]
    return rows


def _describe_slope(job: JobWeek, listing: Listing, one: Heard) -> Row:
    point = one.point or {}
    name = f"s{job.name}-{listing.place}-{one.system.place}"
    top = word_lists.select_influential(one, word_chapter.INFLUENTIAL)
    columns = ("point_id", "state", "reason", "value", "low", "high", "due_at", "used", "planned")
    return {
        "job": job.name,
        "system": listing.label,
        "measure": one.named.name,
        **{key: point.get(key) for key in columns},
        "intercept": one.fact("intercept"),
        "relevant_slope": one.fact("relevant_slope"),
        "queries": [
            {"key": row["key"], "x": row["x"], "y": row["value"]}
            for row in one.queries
            if row["x"] is not None and row["value"] is not None
        ],
        "n_without": word_lists.without_value(one),
        "picture": word_chapter.write_scatter(listing, one, top, name),
    }


# --- printed --------------------------------------------------------------------------------------


def write_slopes_section(week: ReportedWeek, slopes: Sequence[Row]) -> doc.Section | None:
    """The scatters; None where no slope is measured."""
    if not slopes:
        return None
    printed = [_write_slopes(week, row) for row in slopes[:DRAWN_SLOPES]]
    blocks = doc.fold_rest(printed, UNFOLDED_SLOPES, "slopes", lambda part: [*chain(*part)])
    blocks += _note_rest(slopes, DRAWN_SLOPES, "slopes")
    return doc.Section("slopes", "Gender stereotype reinforcement of ranked lists", blocks)


def _write_slopes(week: ReportedWeek, row: Row) -> list[doc.Block]:
    where = f"{row['system']}, {row['measure']}, job {row['job']}"
    if row["due_at"] is None or row["value"] is None:
        return [doc.Words(f"{where}: not measured, {row['reason'] or 'no reason is stored'}.")]
    judged = (
        f"; of documents judged relevant (dashed line) {number(row['relevant_slope'], 3, True)}"
        if row["relevant_slope"] is not None
        else "; there are no judgements, and so no second line"
    )
    words = (
        f"{where}, run of {format_day(row['due_at'], week.zone)}: slope "
        f"{estimate(row, sign=True)} over "
        f"{several(len(row['queries']), 'query', 'queries')}{judged}."
    )
    if row["n_without"]:
        words += f" {several(row['n_without'], 'query has', 'queries have')} no value."
    return (
        [doc.Words(words)] if row["picture"] is None else [doc.Picture(row["picture"], words, 90.0)]
    )


# --- stereotypes ----------------------------------------------------------------------------------

_QUANTITY = "feminine_rank"
_WIDTH, _NAMES, _STEP, _TOP = 520, 250, 19, 22
#: Characters of a name that there is room for.
_LONGEST_NAME = 42


def describe_stereotypes(connection: Connection, week: ReportedWeek) -> list[Row]:
    """One entry per job, list and measure with a row per stereotype: its rank in every system."""
    rows: list[Row] = []
    about: dict[str, Row] = {}
    for job in week.jobs:
        points = [p for p in job.points if p["quantity"] == _QUANTITY]
        for (list_name, measure), group in group_rows(
            points, itemgetter("list", "measure")
        ).items():
            about = about or {row["scope"]: row for row in run_report.read_stereotypes(connection)}
            rows.append({
                "job": job.name, "list": list_name, "measure": measure,
                "due_at": group[0]["due_at"], "systems": sorted(set(map(names.name_system, group))),
                "stereotypes": _list_stereotypes(group, about),
            })  # fmt: skip
    return rows


def _list_stereotypes(points: Sequence[Row], about: dict[str, Row]) -> list[Row]:
    rows = []
    for scope, group in group_rows(points, itemgetter("scope")).items():
        stereotype = about.get(scope, {})
        ranks = [
            {"system": names.name_system(p), "rank": p["value"], "point_id": p["point_id"]}
            for p in group if p["value"] is not None
        ]  # fmt: skip
        rows.append({
            "scope": scope, "about": stereotype.get("about", ""),
            "title": stereotype.get("title", scope), "ranks": ranks,
            "n_without": len(group) - len(ranks),
            "median": median(rank["rank"] for rank in ranks) if ranks else None,
        })  # fmt: skip
    return sorted(rows, key=lambda row: (row["median"] is None, row["median"] or 0, row["scope"]))


# --- printed --------------------------------------------------------------------------------------


def write_stereotypes_section(week: ReportedWeek, groups: Sequence[Row]) -> doc.Section | None:
    """A chart and a table for each list; None where no stereotype is asked."""
    if not groups:
        return None
    parts = (_write_stereotypes(week, group, index) for index, group in enumerate(groups))
    return doc.Section("stereotypes", "Stereotypes by feminine rank", [*chain(*parts)])


def _write_stereotypes(week: ReportedWeek, group: Row, place: int) -> list[doc.Block]:
    this_day = format_day(group["due_at"], week.zone)
    n = several(len(group["systems"]), "system")
    parameters = names.say_parameters(group["measure"])
    of = f", {parameters}" if parameters else ""
    where = f"job {group['job']}, list {group['list']}{of}, {n}, run of {this_day}"
    stereotypes = [row for row in group["stereotypes"] if row["ranks"]]
    if not stereotypes:
        return [doc.Words(f"No stereotype has a rank: {where}.")]
    caption = (
        f"Feminine rank of each stereotype ({where}). 1 has the smallest share of masculine forms. "
        "A point is a system, circles stereotypes about women and squares about men; the stroke is "
        "the median. Ranks have no interval: what they rest on stands in the table of all series."
    )
    picture = doc.Picture(_drawn(stereotypes, group, f"r{place}"), caption, 100.0)
    return [
        picture,
        doc.Fold(f"Feminine ranks as a table ({where})", [_write_stereotype_table(group, where)]),
    ]


def _write_stereotype_table(group: Row, where: str) -> doc.Table:
    return doc.table(
        f"Feminine ranks: {where}",
        [doc.Column("stereotype", width=3), "about", "#median rank", "#ranks from, to", "#systems",
         "#without a rank"],
        map(_write_stereotype, group["stereotypes"]),
    )  # fmt: skip


def _write_stereotype(row: Row) -> list[doc.Entry]:
    ranks = [rank["rank"] for rank in row["ranks"]]
    middle, ends = doc.Cell("not measured", is_missing=True), "none"
    if ranks:
        middle = doc.Cell(number(row["median"], 1))
        ends = f"{number(min(ranks), 1)}, {number(max(ranks), 1)}"
    title = row["title"].removeprefix(f"{row['about']} are ")
    return [title, row["about"], middle, ends, f"{len(ranks):,}", f"{row['n_without']:,}"]


def _drawn(rows: Sequence[Row], group: Row, name: str) -> Markup:
    highest = max(rank["rank"] for row in rows for rank in row["ranks"])
    last = max(len(group["stereotypes"]), int(highest), 2)
    x = Scale(1, last, _NAMES + 10, _WIDTH - 12)
    foot = _TOP + _STEP * len(rows)
    steps = sorted({1, last, *range(4, last, 4)})
    parts = [
        draw.stroke(f"M{draw.place(x(position))},{_TOP - 6}V{foot}", GRID) for position in steps
    ]
    parts += [draw.text(x(position), _TOP - 10, str(position), "middle") for position in steps]
    for index, row in enumerate(rows):
        parts += _list_line(row, x, _TOP + _STEP * (index + 0.5))
    title = f"Feminine rank by stereotype: job {group['job']}, list {group['list']}"
    words = "; ".join(f"{row['title']}: median {number(row['median'], 1)}" for row in rows)
    return draw.picture(parts, (_WIDTH, int(foot + 6)), name, title, f"{words}.")


def _list_line(row: Row, x: Scale, y: float) -> list[str]:
    text = shorten(row["title"].removeprefix(f"{row['about']} are "), _LONGEST_NAME)
    women = row["about"] == "women"
    ranks = [rank["rank"] for rank in row["ranks"]]
    marks = "".join(
        draw.dot(x(rank), y, 3)
        if women
        else f"M{draw.place(x(rank) - 2.7)},{draw.place(y - 2.7)}h5.4v5.4h-5.4Z"
        for rank in ranks
    )
    position = draw.place(x(row["median"]))
    return [
        draw.text(_NAMES, y + 4, text, "end", INK),
        draw.fill(marks, FIRST if women else SECOND, 0.45),
        draw.stroke(f"M{position},{draw.place(y - 7)}v14", INK, 1.6),
    ]


# --- professions ----------------------------------------------------------------------------------

#: Professions that are named for one system and target; all are in the database.
MOST_BIASED = 15
#: Charts that are shown at once, and that are drawn at all.
UNFOLDED_PROFESSIONS, DRAWN_PROFESSIONS = 12, 60
_BINS = 10
_SIZE, _SQUARE = (240, 120), (240, 214)
_VALUES = ("mb", "mab", "mab_null")


def describe_professions(connection: Connection, week: ReportedWeek) -> list[Row]:
    """One entry per system and target at the newest tick of each job, at the cut-off near 10."""
    rows = []
    for job in week.jobs:
        apt = [p for p in job.points if p["scope"] == "all" and base_name(p["measure"]) ==
               shown_people.FAMILY]  # fmt: skip
        if apt and job.run_id is not None:
            topics = run_report.read_topics(connection, job.run_id)
            rows += _describe_job_professions(job, apt, topics)
    return rows


def _describe_job_professions(
    job: JobWeek, points: Sequence[Row], topics: Sequence[Row]
) -> list[Row]:
    of_point = group_rows(topics, itemgetter("point_id"))
    systems = group_rows(points, lambda point: (
        point["list"], point["engine"], point["engine_id"], point["source_lang"], point["target"],
        parse_name(point["measure"]).bare, point["reference"],
    ))  # fmt: skip
    result_rows = []
    for of_system in systems.values():
        by_cut = group_rows(of_system, lambda point: parse_name(point["measure"]).cutoff or 0)
        cut = min(by_cut, key=lambda item: (abs(item - word_lists.MAIN), item))
        rows = [row for point in by_cut[cut] for row in of_point.get(point["point_id"], ())]
        if rows:
            result_rows.append(_describe_system(job, by_cut[cut], rows, cut))
    return result_rows


def _describe_system(job: JobWeek, points: Sequence[Row], topics: Sequence[Row], cut: int) -> Row:
    first, of = points[0], {point["quantity"]: point for point in points}
    columns = (
        "topic", "state", "reason", "model", "model_low", "model_high", "target", "bias",
        "bound_low", "bound_high", "planned", "answered", "used", "shown", "labelled", "p", "q",
        "as_of", "source",
    )  # fmt: skip
    beyond = shown_people.beyond_chance(topics)
    return {
        "job": job.name,
        "due_at": first["due_at"],
        **{name: first[name] for name in (
            "list", "engine", "engine_id", "kind", "source_lang", "target", "measure", "reference",
        )},
        "cut": cut,
        "system": names.name_system(first),
        "short": names.name_system(first),
        "against": names.short_reference(first["reference"]),
        "values": {
            name: {key: of[name][key] for key in ("value", "low", "high", "state", "reason")}
            for name in _VALUES if name in of
        },
        "n_tested": len(shown_people.read_tested(topics)),
        "beyond": [row["topic"] for row in beyond],
        "topics": [{name: row[name] for name in columns} for row in topics],
    }  # fmt: skip


# --- printed --------------------------------------------------------------------------------------


def write_professions_section(week: ReportedWeek, systems: Sequence[Row]) -> doc.Section | None:
    """Return who is biased after correction, and the two figures.

    None where no profession is asked.
    """
    if not systems:
        return None
    blocks: list[doc.Block] = [*_biased(systems)]
    for job, group in groupby(systems, key=lambda row: row["job"]):
        blocks += _write_figures(week, job, list(group))
    return doc.Section("professions", "Professions", blocks)


def _write_figures(week: ReportedWeek, job: str, mine: Sequence[Row]) -> list[doc.Block]:
    rows = [row for row in mine if any(t["bias"] is not None for t in row["topics"])]
    # a target that is the same for all professions has no grid
    varied = [row for row in rows if not run_systems.same_for_all(row["topics"])]
    grids = [_draw_grid(row, index) for index, row in enumerate(varied[:DRAWN_PROFESSIONS])]
    where = f"run of {format_day(mine[0]['due_at'], week.zone)}, job {job}"
    bars = _write_charts(
        f"Size of the bias, |bias|, over professions, {where} (bars: professions with a bias of "
        "that size; rule: their mean).",
        rows, _draw_histograms(rows[:DRAWN_PROFESSIONS]),
    )  # fmt: skip
    rings = _write_charts(
        f"Share of women in the answers (upward) against that of the reference, {where} (a ring is "
        "a profession, a filled one is biased after correction; on the diagonal both are the "
        "same).",
        varied, grids,
    )  # fmt: skip
    fold = "Share of women against the reference, profession by profession"
    return [
        *bars,
        *([doc.Fold(fold, rings)] if rings else []),
        *(doc.Words(f"{_say_against(row)}: no profession has a value.", "small")
          for row in mine if row not in rows),
    ]  # fmt: skip


def _say_against(row: Row) -> str:
    return f"{row['system']}, against {row['against']}"


def _biased(systems: Sequence[Row]) -> list[doc.Block]:
    tested = [row for row in systems if row["n_tested"]]
    blocks: list[doc.Block] = []
    if n := len(systems) - len(tested):
        which = several(n, "system and reference has", "systems and references have")
        words = (
            f"{which} no p values, because no exact test fits its answers: no profession of these "
            "is called biased."
        )
        blocks.append(doc.Words(words, "small"))
    if not tested:
        return blocks
    words = (
        "Biased after correction are professions whose adjusted p (Benjamini and Hochberg over the "
        "professions of one system and reference) is at most "
        f"{shown_people.FALSE_DISCOVERIES}."
    )
    blocks.append(doc.Words(words))
    silent = [
        f"{_say_against(row)} ({several(row['n_tested'], 'profession')})"
        for row in tested
        if not row["beyond"]
    ]
    if silent:
        blocks.append(doc.Words(f"None is biased after correction: {'; '.join(silent)}."))
    if len(silent) == len(tested):
        return blocks
    table = doc.grouped(
        "Professions that are biased after correction",
        [doc.Column("profession", width=1.6),
         doc.Column("share of women shown", is_number=True, width=1.4), "#reference",
         doc.Column("bias", is_number=True, width=1.4), "#p", "#adjusted p"],
        [_group(row) for row in tested if row["beyond"]],
    )  # fmt: skip
    return [*blocks, table]


def _group(row: Row) -> doc.Group:
    n, beyond = row["n_tested"], row["beyond"]
    heading = (
        f"{row['system']}, first {row['cut']}, against {row['against']}: {len(beyond):,} of "
        f"{several(n, 'profession')} tested"
    )
    of = {topic["topic"]: topic for topic in row["topics"]}
    rows = [_write_topic(of[name]) for name in beyond[:MOST_BIASED]]
    if len(beyond) > MOST_BIASED:
        heading += f"; the {MOST_BIASED} with the largest bias"
    return doc.group(heading, rows)


def _write_topic(topic: Row) -> list[doc.Entry]:
    shown = f"{topic['labelled']:,} of {topic['shown']:,} shown are recorded"
    share = {"value": topic["model"], "low": topic["model_low"], "high": topic["model_high"],
             "reason": topic["reason"]}  # fmt: skip
    return [
        doc.Cell(topic["topic"].replace("_", " "), shown),
        cells.write_cell(share),
        doc.Cell(number(topic["target"]), topic["as_of"]),
        doc.Cell(number(topic["bias"], 3, sign=True), cells.write_bounded(topic, sign=True)),
        chances(topic["p"]),
        chances(topic["q"]),
    ]


def _write_charts(caption: str, rows: Sequence[Row], drawn: Sequence[Markup]) -> list[doc.Block]:
    panels = [
        doc.Panel(row["short"], svg, _note_chart(row))
        for row, svg in zip(rows, drawn, strict=False)  # at most DRAWN are drawn
    ]
    what = f"charts: {caption.partition(',')[0].lower()}"
    blocks = doc.fold_rest(
        panels, UNFOLDED_PROFESSIONS, what, lambda part: [doc.Panels(caption, part)]
    )
    return [*blocks, *_note_rest(rows, DRAWN_PROFESSIONS, "systems")]


def _note_rest(rows: Sequence[Row], n_drawn: int, what: str) -> list[doc.Block]:
    """Return that the others are not drawn; no blocks where all are."""
    n_left = len(rows) - n_drawn
    return [doc.Words(f"{n_left:,} further {what} are not drawn.", "small")] if n_left > 0 else []


def _note_chart(row: Row) -> str:
    first = f", first {row['cut']}" if row["cut"] else ""
    mab = row["values"].get("mab")
    mean = ""
    if is_measured(mab):
        meaning = names.find_quantity(row["measure"], "mab", row["kind"]).meaning
        mean = f"; {meaning.label} {say_value(meaning.unit, mab['value'])}"
    return f"against {row['against']}{first}{mean}"


def _draw_histograms(rows: Sequence[Row]) -> list[Markup]:
    counted = [
        Counter(
            min(_BINS - 1, int(abs(topic["bias"]) * _BINS))
            for topic in row["topics"]
            if topic["bias"] is not None
        )
        for row in rows
    ]
    most = max(chain.from_iterable(bins.values() for bins in counted), default=1)
    return [
        _draw_histogram(row, bins, most, index)
        for index, (row, bins) in enumerate(zip(rows, counted, strict=True))
    ]


def _draw_histogram(row: Row, bins: Counter[int], most: int, place: int) -> Markup:
    x, y = Scale(0, 1, 34, 228), Scale(0, most, 96, 14)
    parts = [draw.stroke(f"M34,{draw.place(y(n))}H228", GRID) for n in (0, most)]
    parts += [draw.text(30, y(n) + 4, f"{n:,}", "end") for n in (0, most)]
    parts += [draw.text(x(size), 111, number(size, 1), "middle") for size in (0.0, 0.5, 1.0)]
    bars = "".join(
        f"M{draw.place(x(n / _BINS) + 1)},{draw.place(y(0))}V{draw.place(y(count))}"
        f"H{draw.place(x((n + 1) / _BINS) - 1)}V{draw.place(y(0))}Z"
        for n, count in sorted(bins.items())
    )
    parts.append(draw.fill(bars, FIRST, 0.75))
    mab = row["values"].get("mab", {}).get("value")
    text = "Their mean is not measured"
    if mab is not None:
        text = f"mean {number(mab)}"
        position = draw.place(x(mab))
        parts.append(draw.stroke(f"M{position},10V96", SECOND, 1.8))
        side = "start" if mab < 0.6 else "end"  # noqa: PLR2004 - on the side with room
        parts.append(draw.text(x(mab) + (4 if side == "start" else -4), 18, text, side, INK))
    sizes = ", ".join(f"{n / _BINS:.1f}: {count}" for n, count in sorted(bins.items()))
    title = f"Size of bias: {row['system']}, against {row['against']}"
    words = f"{capitalize_first(text)}. Professions by |bias| from {sizes}."
    return draw.picture(parts, _SIZE, f"h{row['job']}-{place}", title, words)


def _draw_grid(row: Row, place: int) -> Markup:
    dots = [
        Dot(t["target"], t["model"], t["topic"] in row["beyond"], t["topic"].replace("_", " "))
        for t in row["topics"]
        if t["bias"] is not None
    ]
    title = f"Share of women, reference against answers: {row['system']}, against {row['against']}"
    words = (
        f"{describe_shares(dots, 'women')} Filled: {len(row['beyond'])} biased after correction."
    )
    parts = draw_shares(dots, "women", _SQUARE)
    return draw.picture(parts, _SQUARE, f"g{row['job']}-{place}", title, words)
