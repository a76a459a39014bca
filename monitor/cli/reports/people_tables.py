"""Whom search engines show, for a terminal of 80 columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from monitor.cli.console import out, say_wrapped
from monitor.stages import _report_people as people
from monitor.stages import _report_people_findings as findings
from monitor.stages import _report_people_pages as pages
from monitor.stages._report_people import Showing
from monitor.stages._report_text import is_measured, visible
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Of parity the occupations are not printed: all shares are held against 1/2; the report has them.
IN_REPORT_ONLY = ("parity",)
#: Professions in a list of the most biased ones; the report has all.
_MOST_BIASED = 15
#: Blocks that are printed with sentences and professions; of more, the tables alone.
_IN_FULL = 2
_CHANCE = (
    "share of people recorded as {group} among the first n, less that of the reference. MB: mean; "
    "SB: spread; MAB: mean size, which is not 0 without bias: beside it what chance alone makes, "
    "and what is beyond it. n: professions"
)
_AS_SKEWED = ". wikidata: 0 = as skewed as Wikidata"


def print_people(
    found: Sequence[Showing], asked: Sequence[Row], known: Sequence[Row], topics: Sequence[Row]
) -> None:
    """Print every block of every search engine of a run, and what became of the questions."""
    for showing in found:
        _printed(showing, known, topics, in_full=len(found) <= _IN_FULL)
    if len(found) > _IN_FULL:
        say_wrapped("Professions and sentences, engine by engine: monitor report")
    for row in pages.asked(asked):
        say_wrapped(f"{row['list']} {row['engine']}, {row['pair']}: {pages.sentence(row)}")


def _printed(
    showing: Showing, known: Sequence[Row], topics: Sequence[Row], *, in_full: bool
) -> None:
    recorded = pages.states(showing, known)
    by_reference = {
        reference: people.professions(showing.system, reference, topics)
        for reference in showing.references
    }
    title = f"Who is shown: {showing.system.engine}, {showing.pair}, {showing.block_title}"
    chosen = f", {showing.chosen}" if showing.chosen else ""
    out.print()
    out.print(visible(title + chosen), style="bold", markup=False)
    if showing.measured:
        shown = _people(showing, recorded)
        if shown.row_count:
            out.print(shown)
        out.print(_biases(showing))
        for note in _notes(showing):
            say_wrapped(note)
    said = findings.sentences(showing, by_reference, recorded, brief=True)
    for sentence in said if in_full or not showing.measured else said[:1]:
        say_wrapped(f"- {sentence}")
    if in_full and showing.measured:
        shown_for = [r for r in by_reference if r not in IN_REPORT_ONLY] or list(by_reference)
        for reference in shown_for:
            _most_biased(showing, reference, by_reference[reference])


def _grid(heads: Sequence[str], caption: str) -> Table:
    grid = Table(
        caption=caption or None, caption_justify="left", caption_style="dim",
        box=box.SIMPLE_HEAD, pad_edge=False, padding=0,
    )  # fmt: skip
    first, *others = heads
    grid.add_column(first, overflow="fold")
    for head in others:
        grid.add_column(head, justify="right", no_wrap=True)
    return grid


def _people(showing: Showing, known: Row) -> Table:
    """Entries within the first places by what is recorded of them, one row a cut-off."""
    caption = (
        "people within the first n places, added up over professions; recorded in "
        f"{findings.source(known)}; no record: not found there, nobody is guessed"
    )
    grid = _grid(
        ["first", *showing.groups, "other", "no record", "disagree", "no human", "recorded"],
        caption,
    )
    for cut in showing.cuts:
        point = showing.value("label_coverage", cut)
        if point is None or not point["facts"]:
            continue
        facts = point["facts"]
        names = [f"recorded_{group}" for group in showing.groups]
        names += ["other_groups", "unresolved", "conflict", "not_human"]
        share = f"{100 * point['value']:.0f} %" if is_measured(point) else "none"
        grid.add_row(str(cut), *(f"{facts.get(name, 0):.4g}" for name in names), share)
    return grid


def _biases(showing: Showing) -> Table:
    """MB, SB and MAB beside chance: one row per cut-off and reference."""
    skewed = _AS_SKEWED if "wikidata" in showing.references else ""
    grid = _grid(
        ["reference", "MB [95 %]", "SB", "MAB", "by chance", "beyond [95 %]", "n"],
        _CHANCE.format(group=showing.group) + skewed,
    )
    for cut, system in showing.cuts.items():
        grid.add_row(f"[bold]first {cut}[/bold]")
        for reference in system.references:
            grid.add_row(escape(visible(reference)), *_cells(system.values(reference)))
        grid.add_section()
    return grid


def _cells(values: Mapping[str, Row]) -> list[str]:
    mb = values.get("mb")
    if mb is None or not is_measured(mb):
        return ["not computed" if mb is None else str(mb["state"]).upper(), "", "", "", "", ""]
    sb, mab, null, excess = (values.get(n) for n in ("sb", "mab", "mab_null", "excess_mab"))
    return [
        _number(mb, "+"),
        f"{sb['value']:.2f}" if sb and is_measured(sb) else "",
        _number(mab),
        f"{null['value']:.2f}" if null and is_measured(null) else "",
        _number(excess, "+"),
        f"{mb['facts'].get('n_topics', 0):g}",
    ]


def _number(point: Row | None, sign: str = "") -> str:
    if point is None or point["value"] is None:
        return "no value"
    value = f"{point['value']:{sign}.2f}"
    if point["low"] is None or point["high"] is None:
        return value
    return f"{value} \\[{point['low']:{sign}.2f}, {point['high']:{sign}.2f}]"


def _notes(showing: Showing) -> Iterator[str]:
    """Why a row has no value, each reason once."""
    for reason, where in people.reasons(showing).items():
        said = "; ".join(f"{name}, first {_listed(cuts)}" for name, cuts in where.items())
        yield f"INSUFFICIENT ({said}): {reason}"


def _listed(cuts: Sequence[int]) -> str:
    return ", ".join(map(str, cuts))


def _most_biased(showing: Showing, reference: str, topics: Sequence[Row]) -> None:
    found = people.beyond_chance(topics)
    if not found:
        return
    tested = len(people.tested(topics))
    more = f"; the report has all {len(found)}" if len(found) > _MOST_BIASED else ""
    grid = _grid(
        ["profession", "bias", showing.group, "recorded", "reference", "p", "q"],
        f"beyond chance: q at most 0.05, of {several(tested, 'profession')} tested{more}",
    )
    grid.title, grid.title_justify, grid.title_style = (
        f"Most biased professions, first {showing.main}, against {escape(visible(reference))}",
        "left",
        "bold",
    )
    for row in found[:_MOST_BIASED]:
        grid.add_row(
            escape(visible(row["name"])), f"{row['bias']:+.2f}",
            f"{row['model']:.2f}", str(row["labelled"]), f"{row['target']:.2f}",
            _p(row["p"]), _p(row["q"]),
        )  # fmt: skip
    out.print(grid)


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}"  # noqa: PLR2004  fewer digits say less
