"""Professions in the newest run: who is biased after correction, how much, against what.

Lipani, Piroi and Yilmaz (2021), Figures 2 and 3 and Tables 1 to 3: the histogram of |bias| and the
grid of reference against answers, one cell for each system and reference.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup

from monitor.names import base_name
from monitor.stages import _report_names as titles
from monitor.stages import _report_people as people
from monitor.stages import _report_words as words
from monitor.stages._report_text import chances, number
from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, SECOND, Scale
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Group,
    Panel,
    Panels,
    Section,
    Table,
    Words,
)
from monitor.stages.share_chart import Dot, describe_shares, draw_shares
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import JobWeek, Week
from monitor.stages.weekly.wording import cell, day
from monitor.store.database import Connection
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_value

Row = dict[str, Any]

#: Professions that are named for one system and target; all are in the database.
MOST_BIASED = 15
#: Charts that are shown at once, and that are drawn at all.
UNFOLDED, DRAWN = 12, 60
_BINS = 10
_SIZE, _SQUARE = (240, 120), (240, 214)
_VALUES = ("mb", "mab", "mab_null")


def content(connection: Connection, week: Week) -> list[Row]:
    """One entry per system and target at the newest tick of each job, at the cut-off near 10."""
    found = []
    for job in week.jobs:
        apt = [p for p in job.points if p["scope"] == "all" and base_name(p["measure"]) ==
               people.FAMILY]  # fmt: skip
        if apt and job.run_id is not None:
            topics = run_report.read_topics(connection, job.run_id)
            found += _of_job(job, apt, topics)
    return found


def _of_job(job: JobWeek, points: Sequence[Row], topics: Sequence[Row]) -> list[Row]:
    of_point: dict[int, list[Row]] = {}
    for row in topics:
        of_point.setdefault(row["point_id"], []).append(row)
    systems: dict[tuple[Any, ...], dict[int, list[Row]]] = {}
    for point in points:
        about = words.named(point["measure"])
        key = (
            point["list"], point["engine"], point["engine_id"], point["source_lang"],
            point["target"], about.bare, point["reference"],
        )  # fmt: skip
        systems.setdefault(key, {}).setdefault(about.cutoff or 0, []).append(point)
    found = []
    for by_cut in systems.values():
        cut = min(by_cut, key=lambda one: (abs(one - words.MAIN), one))
        mine = by_cut[cut]
        rows = [row for point in mine for row in of_point.get(point["point_id"], ())]
        if rows:
            found.append(_system(job, mine, rows, cut))
    return found


def _system(job: JobWeek, points: Sequence[Row], topics: Sequence[Row], cut: int) -> Row:
    first, of = points[0], {point["quantity"]: point for point in points}
    kept = (
        "topic", "state", "reason", "model", "model_low", "model_high", "target", "bias",
        "bound_low", "bound_high", "planned", "answered", "used", "shown", "labelled", "p", "q",
        "as_of", "source",
    )  # fmt: skip
    beyond = people.beyond_chance(topics)
    return {
        "job": job.name,
        "due_at": first["due_at"],
        **{name: first[name] for name in (
            "list", "engine", "engine_id", "kind", "source_lang", "target", "measure", "reference",
        )},
        "cut": cut,
        "system": names.system(first),
        "short": names.short_system(first),
        "against": titles.short_reference(first["reference"]),
        "values": {
            name: {key: of[name][key] for key in ("value", "low", "high", "state", "reason")}
            for name in _VALUES if name in of
        },
        "n_tested": len(people.tested(topics)),
        "beyond": [row["topic"] for row in beyond],
        "topics": [{name: row[name] for name in kept} for row in topics],
    }  # fmt: skip


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, systems: Sequence[Row]) -> Section | None:
    """Who is biased after correction, and the two figures; None where no profession is asked."""
    if not systems:
        return None
    blocks: list[Block] = [*_biased(systems)]
    for job, group in groupby(systems, key=lambda row: row["job"]):
        blocks += _figures(week, job, list(group))
    return Section("professions", "Professions", blocks)


def _figures(week: Week, job: str, mine: Sequence[Row]) -> list[Block]:
    known = [row for row in mine if any(t["bias"] is not None for t in row["topics"])]
    varied = [row for row in known if _varies(row)]
    grids = [_grid(row, index) for index, row in enumerate(varied[:DRAWN])]
    where = f"run of {day(mine[0]['due_at'], week.zone)}, job {job}"
    bars = "bars: professions with a bias of that size; rule: their mean"
    rings = "a ring is a profession, a filled one is biased after correction; on the diagonal both "
    return [
        *_charts(f"Size of the bias, |bias|, over professions, {where} ({bars}).",
                 known, _histograms(known[:DRAWN])),
        *([Fold("Share of women against the reference, profession by profession", _charts(
            f"Share of women in the answers (upward) against that of the reference, {where} "
            f"({rings}are the same).", varied, grids))] if varied else []),
        *(Words(f"{row['system']}, against {row['against']}: no profession has a value.", "small")
          for row in mine if row not in known),
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
            f"the professions of one system and reference) is at most {people.FALSE_DISCOVERIES}."
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
    rows = [_topic(of[name]) for name in beyond[:MOST_BIASED]]
    if len(beyond) > MOST_BIASED:
        heading += f"; the {MOST_BIASED} with the largest bias"
    return Group(heading, rows)


def _topic(topic: Row) -> list[Cell]:
    shown = f"{topic['labelled']:,} of {topic['shown']:,} shown are recorded"
    share = {"value": topic["model"], "low": topic["model_low"], "high": topic["model_high"],
             "reason": topic["reason"]}  # fmt: skip
    bounds = (
        f"bounds {number(topic['bound_low'], 3, True)} to {number(topic['bound_high'], 3, True)}"
        if topic["bound_low"] is not None and topic["bound_high"] is not None
        else ""
    )
    return [
        Cell(topic["topic"].replace("_", " "), shown),
        cell(share),
        Cell(number(topic["target"]), topic["as_of"]),
        Cell(number(topic["bias"], 3, sign=True), bounds),
        Cell(chances(topic["p"])),
        Cell(chances(topic["q"])),
    ]


def _charts(caption: str, rows: Sequence[Row], drawn: Sequence[Markup]) -> list[Block]:
    if not rows:
        return []
    panels = [
        Panel(row["short"], svg, f"against {row['against']}{_first(row)}{_mab(row)}")
        for row, svg in zip(rows, drawn, strict=False)  # at most DRAWN are drawn
    ]
    blocks: list[Block] = [Panels(caption, panels[:UNFOLDED])]
    if panels[UNFOLDED:]:
        summary = f"{len(panels) - UNFOLDED:,} further charts: {caption.partition(',')[0].lower()}"
        blocks.append(Fold(summary, [Panels(caption, panels[UNFOLDED:])]))
    if len(rows) > DRAWN:
        blocks.append(Words(f"{len(rows) - DRAWN:,} further systems are not drawn.", "small"))
    return blocks


def _mab(row: Row) -> str:
    found = row["values"].get("mab")
    if not found or found["value"] is None:
        return ""
    meaning = names.about(row["measure"], "mab", row["kind"]).meaning
    return f"; {meaning.label} {say_value(meaning.unit, found['value'])}"


def _first(row: Row) -> str:
    return f", first {row['cut']}" if row["cut"] else ""


def _varies(row: Row) -> bool:
    """A target that is the same for all professions, as parity is, has no grid."""
    return len({t["target"] for t in row["topics"] if t["target"] is not None}) > 1


def _histograms(rows: Sequence[Row]) -> list[Markup]:
    counted = []
    for row in rows:
        bins = [0] * _BINS
        for topic in row["topics"]:
            if topic["bias"] is not None:
                bins[min(_BINS - 1, int(abs(topic["bias"]) * _BINS))] += 1
        counted.append(bins)
    most = max((n for bins in counted for n in bins), default=1)
    return [
        _histogram(row, bins, most, index)
        for index, (row, bins) in enumerate(zip(rows, counted, strict=True))
    ]


def _histogram(row: Row, bins: Sequence[int], most: int, place: int) -> Markup:
    x, y = Scale(0, 1, 34, 228), Scale(0, most, 96, 14)
    name = f"h{row['job']}-{place}"
    parts = [draw.stroke(f"M34,{draw.place(y(at))}H228", GRID) for at in (0, most)]
    parts += [draw.text(30, y(at) + 4, f"{at:,}", "end") for at in (0, most)]
    parts += [draw.text(x(at), 111, number(at, 1), "middle") for at in (0.0, 0.5, 1.0)]
    bars = "".join(
        f"M{draw.place(x(n / _BINS) + 1)},{draw.place(y(0))}V{draw.place(y(count))}"
        f"H{draw.place(x((n + 1) / _BINS) - 1)}V{draw.place(y(0))}Z"
        for n, count in enumerate(bins)
        if count
    )
    parts.append(draw.fill(bars, FIRST, 0.75))
    mab = row["values"].get("mab", {}).get("value")
    said = "Their mean is not measured"
    if mab is not None:
        said = f"mean {number(mab)}"
        at = draw.place(x(mab))
        parts.append(draw.stroke(f"M{at},10V96", SECOND, 1.8))
        side = "start" if mab < 0.6 else "end"  # noqa: PLR2004 - on the side with room
        parts.append(draw.text(x(mab) + (4 if side == "start" else -4), 18, said, side, INK))
    told = ", ".join(f"{n / _BINS:.1f}: {count}" for n, count in enumerate(bins) if count)
    title = f"Size of bias: {row['system']}, against {row['against']}"
    return draw.picture(
        parts,
        _SIZE,
        name,
        title,
        f"{said[:1].upper()}{said[1:]}. Professions by |bias| from {told}.",
    )


def _grid(row: Row, place: int) -> Markup:
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
