"""Sections about the newest run: systems compared, slopes, stereotypes, professions.

The difference is that of `series compare`: the second system's value less the first's.

The scatter is that of the report of a run, with both lines: the fitted one, and that of the
documents judged relevant where there are judgements.

The feminine rank of a stereotype in one system is its place when stereotypes are ordered by their
share of masculine forms, the most feminine first. All systems of one list stand in one chart.

Lipani, Piroi and Yilmaz (2021), Figures 2 and 3 and Tables 1 to 3: the histogram of |bias| and the
grid of reference against answers, one cell for each system and reference.
"""

from collections.abc import Sequence
from itertools import chain, groupby
from statistics import median
from typing import Any

from markupsafe import Markup

from monitor.change import Role
from monitor.names import base_name, parse_name
from monitor.stages.changes import comparisons
from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, SECOND, Scale
from monitor.stages.document.notation import capitalize_first, chances, estimate, format_day, number
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Group,
    Panel,
    Panels,
    Picture,
    Section,
    Table,
    Words,
    fold_rest,
    table,
)
from monitor.stages.document.share_chart import Dot, describe_shares, draw_shares
from monitor.stages.reports import (
    names,
    run_systems,
    shown_people,
    word_chapter,
    word_lists,
)
from monitor.stages.reports.cells import write_cell
from monitor.stages.reports.weekly.week import JobWeek, ReportedWeek
from monitor.stages.reports.word_lists import Heard, Listing
from monitor.store.database import Connection
from monitor.store.reports import run_report
from monitor.store.reports.weekly_report import Row as Row_of_weekly_report
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_value

# --- systems --------------------------------------------------------------------------------------

#: Rows that are shown at once.
_UNFOLDED = 40


def describe_comparisons(
    week: ReportedWeek, rows: Sequence[Row_of_weekly_report]
) -> list[dict[str, Any]]:
    """One entry per comparison of two engines in a primary quantity."""
    of_series = {(row["job"], row["series_id"]): row for row in rows}
    job_of = {job.run_id: job.name for job in week.jobs}
    result_rows = []
    for engine in week.engines:
        job = job_of[engine["after_run_id"]]
        own_rows, other_name = (
            of_series.get((job, engine["series_id"])),
            of_series.get((job, engine["other_id"])),
        )
        if own_rows is None or other_name is None:
            continue
        columns = ("state", "reason", "before", "after", "delta", "low", "high", "p", "test", "n",
                "only_before", "only_after", "changed", "due_at")  # fmt: skip
        result_rows.append(
            {name: engine[name] for name in columns}
            | {
                "comparison_id": engine["id"],
                "job": job,
                "list": own_rows["list"],
                "measure": own_rows["measure"],
                "quantity": own_rows["quantity"],
                "title": own_rows["title"],
                "label": own_rows["label"],
                "kind": own_rows["kind"],
                "source_lang": own_rows["source_lang"],
                "target": own_rows["target"],
                "engine": own_rows["engine"],
                "other": other_name["engine"],
                "is_primary": Role.PRIMARY in (own_rows["role"], other_name["role"]),
            }
        )
    return sorted(
        _adjusted(result_rows),
        key=lambda row: (row["job"], row["list"], row["measure"], row["title"], row["source_lang"],
                         row["target"], row["engine"], row["other"], row["comparison_id"]),
    )  # fmt: skip


def _adjusted(found: Sequence[Row_of_weekly_report]) -> list[Row_of_weekly_report]:
    """The same with p adjusted over all pairs of a job in its primary quantities."""
    of_job: dict[str, dict[int, float | None]] = {}
    for row in found:
        if row["is_primary"]:
            of_job.setdefault(row["job"], {})[row["comparison_id"]] = row["p"]
    q = {
        number: value
        for p in of_job.values()
        for number, value in comparisons.adjust_p_values(p).items()
    }
    return [row | {"q": q.get(row["comparison_id"])} for row in found]


# --- printed --------------------------------------------------------------------------------------


def _write_comparisons(week: ReportedWeek, rows: Sequence[dict[str, Any]], caption: str) -> Table:
    return comparisons.write_comparison_table(caption, rows, week.engine_title, week.zone)


def write_comparisons_section(week: ReportedWeek, found: Sequence[dict[str, Any]]) -> Section:
    """The table, quantity by quantity."""
    title = "Engines side by side"
    displayed = [row for row in found if row["is_primary"]]
    if not displayed:
        why = "no comparison of two systems in the same run is stored for this week"
        return Section("engines", title, [Words(f"Not compared: {why}.")])
    blocks: list[Block] = [
        Words(
            "Two systems on the same questions in the same run. The adjusted p (Benjamini and "
            "Hochberg) controls false discoveries over all pairs of a job in its main "
            "quantities; p is of that pair alone.",
            "small",
        )
    ]
    blocks.append(
        _write_comparisons(
            week, displayed[:_UNFOLDED], "Differences between systems in main quantities"
        )
    )
    if displayed[_UNFOLDED:]:
        rest = displayed[_UNFOLDED:]
        summary = f"{several(len(rest), 'further pair')} of systems"
        blocks.append(
            Fold(summary, [_write_comparisons(week, rest, "Further pairs")], is_printed=True)
        )
    n_left = len(found) - len(displayed)
    if n_left:
        words = f"{several(n_left, 'comparison')} of other quantities: in the JSON of this report."
        blocks.append(Words(words, "small"))
    return Section("engines", title, blocks)


# --- slopes of words ------------------------------------------------------------------------------

Row = dict[str, Any]

#: Scatters that are shown at once, and that are drawn at all.
UNFOLDED_SLOPES, DRAWN_SLOPES = 4, 24


def describe_slopes(connection: Connection, week: ReportedWeek) -> list[Row]:
    """One entry per slope of each system, with its queries and its picture."""
    rows = []
    for job in week.jobs:
        apt = any(parse_name(p["measure"]).family in word_lists.SLOPES for p in job.points)
        if apt and job.run_id is not None:
            rows += _describe_job_slopes(connection, job, job.run_id)
    return rows


def _describe_job_slopes(connection: Connection, job: JobWeek, run_id: int) -> list[Row]:
    all_systems = run_systems.sort_systems(
        job.points, job.content, run_report.read_cues(connection, run_id)
    )
    queries = run_report.read_queries(connection, run_id)
    listings = word_lists.group_listings(
        all_systems, [], queries, run_report.read_questions(connection, run_id)
    )
    return [
        _describe_slope(job, listing, reading)
        for listing in listings
        for reading in listing.of(*word_lists.SLOPES)
        if reading.point is not None
    ]


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


def write_slopes_section(week: ReportedWeek, slopes: Sequence[Row]) -> Section | None:
    """The scatters; None where no slope is measured."""
    if not slopes:
        return None
    printed = [_write_slopes(week, row) for row in slopes[:DRAWN_SLOPES]]
    blocks = fold_rest(printed, UNFOLDED_SLOPES, "slopes", lambda part: [*chain(*part)])
    if len(slopes) > DRAWN_SLOPES:
        blocks.append(
            Words(f"{len(slopes) - DRAWN_SLOPES:,} further slopes are not drawn.", "small")
        )
    return Section("slopes", "Gender stereotype reinforcement of ranked lists", blocks)


def _write_slopes(week: ReportedWeek, row: Row) -> list[Block]:
    where = f"{row['system']}, {row['measure']}, job {row['job']}"
    if row["due_at"] is None or row["value"] is None:
        return [Words(f"{where}: not measured, {row['reason'] or 'no reason is stored'}.")]
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
    return [Words(words)] if row["picture"] is None else [Picture(row["picture"], words, 90.0)]


# --- stereotypes ----------------------------------------------------------------------------------

_QUANTITY = "feminine_rank"
_WIDTH, _NAMES, _STEP, _TOP = 520, 250, 19, 22


def describe_stereotypes(connection: Connection, week: ReportedWeek) -> list[Row]:
    """One entry per job, list and measure with a row per stereotype: its rank in every system."""
    rows = []
    for job in week.jobs:
        points = [p for p in job.points if p["quantity"] == _QUANTITY]
        if points:
            about = {row["scope"]: row for row in run_report.read_stereotypes(connection)}
            rows += _describe_job_stereotypes(job, points, about)
    return rows


def _describe_job_stereotypes(
    job: JobWeek, points: Sequence[Row], about: dict[str, Row]
) -> list[Row]:
    grouped: dict[tuple[str, str], list[Row]] = {}
    for point in points:
        grouped.setdefault((point["list"], point["measure"]), []).append(point)
    return [
        {
            "job": job.name, "list": key[0], "measure": key[1], "due_at": group[0]["due_at"],
            "systems": sorted({names.name_system(point) for point in group}),
            "stereotypes": _list_stereotypes(group, about),
        }
        for key, group in grouped.items()
    ]  # fmt: skip


def _list_stereotypes(points: Sequence[Row], about: dict[str, Row]) -> list[Row]:
    of_scope: dict[str, list[Row]] = {}
    for point in points:
        of_scope.setdefault(point["scope"], []).append(point)
    rows = []
    for scope, group in of_scope.items():
        this_row = about.get(scope, {})
        ranks = [
            {"system": names.name_system(p), "rank": p["value"], "point_id": p["point_id"]}
            for p in group if p["value"] is not None
        ]  # fmt: skip
        rows.append(
            {
                "scope": scope,
                "about": this_row.get("about", ""),
                "title": this_row.get("title", scope),
                "ranks": ranks,
                "n_without": len(group) - len(ranks),
                "median": median(rank["rank"] for rank in ranks) if ranks else None,
            }
        )
    return sorted(rows, key=lambda row: (row["median"] is None, row["median"] or 0, row["scope"]))


# --- printed --------------------------------------------------------------------------------------


def write_stereotypes_section(week: ReportedWeek, groups: Sequence[Row]) -> Section | None:
    """A chart and a table for each list; None where no stereotype is asked."""
    if not groups:
        return None
    blocks: list[Block] = []
    for index, group in enumerate(groups):
        blocks += _write_stereotypes(week, group, index)
    return Section("stereotypes", "Stereotypes by feminine rank", blocks)


def _write_stereotypes(week: ReportedWeek, group: Row, place: int) -> list[Block]:
    this_day = format_day(group["due_at"], week.zone)
    n = several(len(group["systems"]), "system")
    parameters = names.say_parameters(group["measure"])
    of = f", {parameters}" if parameters else ""
    where = f"job {group['job']}, list {group['list']}{of}, {n}, run of {this_day}"
    stereotypes = [row for row in group["stereotypes"] if row["ranks"]]
    if not stereotypes:
        return [Words(f"No stereotype has a rank: {where}.")]
    caption = (
        f"Feminine rank of each stereotype ({where}). 1 has the smallest share of masculine forms. "
        "A point is a system, circles stereotypes about women and squares about men; the stroke is "
        "the median. Ranks have no interval: what they rest on stands in the table of all series."
    )
    picture = Picture(_drawn(stereotypes, group, f"r{place}"), caption, 100.0)
    return [
        picture,
        Fold(f"Feminine ranks as a table ({where})", [_write_stereotype_table(group, where)]),
    ]


def _write_stereotype_table(group: Row, where: str) -> Block:
    columns = (
        Column("stereotype", width=3), Column("about"), Column("median rank", is_number=True),
        Column("ranks from, to", is_number=True), Column("systems", is_number=True),
        Column("without a rank", is_number=True),
    )  # fmt: skip
    rows = []
    for row in group["stereotypes"]:
        ranks = [rank["rank"] for rank in row["ranks"]]
        ends = f"{number(min(ranks), 1)}, {number(max(ranks), 1)}" if ranks else "none"
        middle = number(row["median"], 1) if ranks else "not measured"
        rows.append(
            [
                Cell(row["title"].removeprefix(f"{row['about']} are ")), Cell(row["about"]),
                Cell(middle, is_missing=not ranks), Cell(ends), Cell(f"{len(ranks):,}"),
                Cell(f"{row['n_without']:,}"),
            ]
        )  # fmt: skip
    return table(f"Feminine ranks: {where}", columns, rows)


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
    label = row["title"].removeprefix(f"{row['about']} are ")
    text = label if len(label) <= 42 else f"{label[:41]}…"  # noqa: PLR2004 - what there is room for
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
    of_point: dict[int, list[Row]] = {}
    for row in topics:
        of_point.setdefault(row["point_id"], []).append(row)
    systems: dict[tuple[Any, ...], dict[int, list[Row]]] = {}
    for point in points:
        about = parse_name(point["measure"])
        key = (
            point["list"], point["engine"], point["engine_id"], point["source_lang"],
            point["target"], about.bare, point["reference"],
        )  # fmt: skip
        systems.setdefault(key, {}).setdefault(about.cutoff or 0, []).append(point)
    result_rows = []
    for by_cut in systems.values():
        cut = min(by_cut, key=lambda item: (abs(item - word_lists.MAIN), item))
        all_rows = by_cut[cut]
        rows = [row for point in all_rows for row in of_point.get(point["point_id"], ())]
        if rows:
            result_rows.append(_describe_system(job, all_rows, rows, cut))
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


def write_professions_section(week: ReportedWeek, systems: Sequence[Row]) -> Section | None:
    """Return who is biased after correction, and the two figures.

    None where no profession is asked.
    """
    if not systems:
        return None
    blocks: list[Block] = [*_biased(systems)]
    for job, group in groupby(systems, key=lambda row: row["job"]):
        blocks += _write_figures(week, job, list(group))
    return Section("professions", "Professions", blocks)


def _write_figures(week: ReportedWeek, job: str, mine: Sequence[Row]) -> list[Block]:
    rows = [row for row in mine if any(t["bias"] is not None for t in row["topics"])]
    varied = [row for row in rows if _varies(row)]
    grids = [_draw_grid(row, index) for index, row in enumerate(varied[:DRAWN_PROFESSIONS])]
    where = f"run of {format_day(mine[0]['due_at'], week.zone)}, job {job}"
    bars = "bars: professions with a bias of that size; rule: their mean"
    rings = "a ring is a profession, a filled one is biased after correction; on the diagonal both "
    return [
        *_write_charts(f"Size of the bias, |bias|, over professions, {where} ({bars}).",
                 rows, _draw_histograms(rows[:DRAWN_PROFESSIONS])),
        *([Fold("Share of women against the reference, profession by profession", _write_charts(
            f"Share of women in the answers (upward) against that of the reference, {where} "
            f"({rings}are the same).", varied, grids))] if varied else []),
        *(Words(f"{row['system']}, against {row['against']}: no profession has a value.", "small")
          for row in mine if row not in rows),
    ]  # fmt: skip


def _biased(systems: Sequence[Row]) -> list[Block]:
    tested = [row for row in systems if row["n_tested"]]
    blocks: list[Block] = []
    if len(tested) < len(systems):
        n = len(systems) - len(tested)
        which = several(n, "system and reference has", "systems and references have")
        blocks.append(
            Words(f"{which} no p values, because no exact test fits its answers: no profession of "
                  "these is called biased.", "small")
        )  # fmt: skip
    if not tested:
        return blocks
    blocks.append(
        Words(
            "Biased after correction are professions whose adjusted p (Benjamini and Hochberg over "
            "the professions of one system and reference) is at most "
            f"{shown_people.FALSE_DISCOVERIES}."
        )
    )
    silent = [
        f"{row['system']}, against {row['against']} ({several(row['n_tested'], 'profession')})"
        for row in tested
        if not row["beyond"]
    ]
    if silent:
        blocks.append(Words(f"None is biased after correction: {'; '.join(silent)}."))
    groups = [_group(row) for row in tested if row["beyond"]]
    if not groups:
        return blocks
    columns = (
        Column("profession", width=1.6), Column("share of women shown", is_number=True, width=1.4),
        Column("reference", is_number=True), Column("bias", is_number=True, width=1.4),
        Column("p", is_number=True), Column("adjusted p", is_number=True),
    )  # fmt: skip
    return [*blocks, Table("Professions that are biased after correction", columns, groups)]


def _group(row: Row) -> Group:
    n, beyond = row["n_tested"], row["beyond"]
    heading = (
        f"{row['system']}, first {row['cut']}, against {row['against']}: {len(beyond):,} of "
        f"{several(n, 'profession')} tested"
    )
    of = {topic["topic"]: topic for topic in row["topics"]}
    rows = [_write_topic(of[name]) for name in beyond[:MOST_BIASED]]
    if len(beyond) > MOST_BIASED:
        heading += f"; the {MOST_BIASED} with the largest bias"
    return Group(heading, rows)


def _write_topic(topic: Row) -> list[Cell]:
    text = f"{topic['labelled']:,} of {topic['shown']:,} shown are recorded"
    share = {"value": topic["model"], "low": topic["model_low"], "high": topic["model_high"],
             "reason": topic["reason"]}  # fmt: skip
    bounds = (
        f"bounds {number(topic['bound_low'], 3, True)} to {number(topic['bound_high'], 3, True)}"
        if topic["bound_low"] is not None and topic["bound_high"] is not None
        else ""
    )
    return [
        Cell(topic["topic"].replace("_", " "), text),
        write_cell(share),
        Cell(number(topic["target"]), topic["as_of"]),
        Cell(number(topic["bias"], 3, sign=True), bounds),
        Cell(chances(topic["p"])),
        Cell(chances(topic["q"])),
    ]


def _write_charts(caption: str, rows: Sequence[Row], drawn: Sequence[Markup]) -> list[Block]:
    if not rows:
        return []
    panels = [
        Panel(row["short"], svg, f"against {row['against']}{_first(row)}{_mab(row)}")
        for row, svg in zip(rows, drawn, strict=False)  # at most DRAWN are drawn
    ]
    what = f"charts: {caption.partition(',')[0].lower()}"
    blocks = fold_rest(panels, UNFOLDED_PROFESSIONS, what, lambda part: [Panels(caption, part)])
    if len(rows) > DRAWN_PROFESSIONS:
        blocks.append(
            Words(f"{len(rows) - DRAWN_PROFESSIONS:,} further systems are not drawn.", "small")
        )
    return blocks


def _mab(row: Row) -> str:
    mab = row["values"].get("mab")
    if not mab or mab["value"] is None:
        return ""
    meaning = names.find_quantity(row["measure"], "mab", row["kind"]).meaning
    return f"; {meaning.label} {say_value(meaning.unit, mab['value'])}"


def _first(row: Row) -> str:
    return f", first {row['cut']}" if row["cut"] else ""


def _varies(row: Row) -> bool:
    """A target that is the same for all professions, as parity is, has no grid."""
    return len({t["target"] for t in row["topics"] if t["target"] is not None}) > 1


def _draw_histograms(rows: Sequence[Row]) -> list[Markup]:
    counted = []
    for row in rows:
        bins = [0] * _BINS
        for topic in row["topics"]:
            if topic["bias"] is not None:
                bins[min(_BINS - 1, int(abs(topic["bias"]) * _BINS))] += 1
        counted.append(bins)
    most = max((n for bins in counted for n in bins), default=1)
    return [
        _draw_histogram(row, bins, most, index)
        for index, (row, bins) in enumerate(zip(rows, counted, strict=True))
    ]


def _draw_histogram(row: Row, bins: Sequence[int], most: int, place: int) -> Markup:
    x, y = Scale(0, 1, 34, 228), Scale(0, most, 96, 14)
    name = f"h{row['job']}-{place}"
    parts = [
        draw.stroke(f"M34,{draw.place(y(this_position))}H228", GRID) for this_position in (0, most)
    ]
    parts += [
        draw.text(30, y(this_position) + 4, f"{this_position:,}", "end")
        for this_position in (0, most)
    ]
    parts += [
        draw.text(x(this_position), 111, number(this_position, 1), "middle")
        for this_position in (0.0, 0.5, 1.0)
    ]
    bars = "".join(
        f"M{draw.place(x(n / _BINS) + 1)},{draw.place(y(0))}V{draw.place(y(count))}"
        f"H{draw.place(x((n + 1) / _BINS) - 1)}V{draw.place(y(0))}Z"
        for n, count in enumerate(bins)
        if count
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
    this_text = ", ".join(f"{n / _BINS:.1f}: {count}" for n, count in enumerate(bins) if count)
    title = f"Size of bias: {row['system']}, against {row['against']}"
    return draw.picture(
        parts,
        _SIZE,
        name,
        title,
        f"{capitalize_first(text)}. Professions by |bias| from {this_text}.",
    )


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
