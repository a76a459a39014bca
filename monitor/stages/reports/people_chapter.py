"""Chapter about the people in one block of result pages."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from monitor.model import Direction, Kind, Outcome, digest
from monitor.stages.document import records as doc
from monitor.stages.document.notation import Piece, capped, chances, is_measured, number, span
from monitor.stages.reports import bias_charts, cells, names, shown_people
from monitor.stages.reports.occupations import write_target
from monitor.stages.reports.run_systems import (
    INSUFFICIENT,
    Chapter,
    is_of,
    topic_rows,
    write_chapters,
    write_withheld,
)
from monitor.stages.reports.shown_people import PanelChange, Showing
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]
#: (attempt, block, how many) -> (name as shown, what is known) of the first entries.
Names = Callable[[int, str, int], Sequence[tuple[str, str]]]

#: Professions in the list of the most biased ones; annex A has all.
MOST_BIASED = 15
#: Professions whose first names are printed, the fewest people in such a list, and how many
#: professions are looked at for that.
_EXAMPLES, _FEWEST, _TRIED = 6, 5, 40
_NO_PEOPLE = "not_human"


@dataclass(frozen=True, slots=True)
class PeopleBlock:
    """One block with what is known of its professions at the main cut-off.

    `topics` are the professions by reference, with the attempts behind them; `states` says how many
    people stood in the block, and where their groups are recorded.
    """

    showing: Showing
    topics: Mapping[str, Sequence[Row]]
    states: Row

    @property
    def first(self) -> Sequence[Row]:
        """The professions against the first reference that has any."""
        return next((rows for rows in self.topics.values() if rows), [])

    @property
    def findings(self) -> list[str]:
        """Return what the block shows, as sentences."""
        return shown_people.write_sentences(self.showing, self.topics, self.states)

    @property
    def changes(self) -> list[PanelChange]:
        """Changes since the tick before; none where there is no such tick."""
        return [
            change
            for change in shown_people.list_panel_changes(self.showing)
            if change.mab and change.mb["reason"] != shown_people.NO_EARLIER
        ]


def gather_block(showing: Showing, facts: RunFacts) -> PeopleBlock:
    """Return one block of a run with its professions."""
    topics = {
        reference: topic_rows(showing.system, reference, facts) for reference in showing.references
    }
    return PeopleBlock(showing, topics, shown_people.count_states(showing, facts.people))


# --- charts ---------------------------------------------------------------------------------------


def draw_cutoffs(showing: Showing) -> list[doc.Picture]:
    """Draw MB and MAB by cut-off, where there are several with a value."""
    points: list[Row] = []
    for reference, cut in product(showing.references, showing.cuts):
        row: Row = {"reference": showing.short_title(reference), "cut": cut}
        for name, quantity in (("mb", "mb"), ("mab", "mab"), ("null", "mab_null")):
            point = showing.value(quantity, cut, reference) or {}
            row |= {name: point.get("value")}
            row |= {f"{name}_{end}": point.get(end) for end in ("low", "high")}
        points.append(row)
    if len(showing.cuts) == 1 or all(row["mb"] is None for row in points):
        return []
    title = f"Bias at each cut-off: {showing.label}"
    drawn = partial(bias_charts.draw_cutoffs, points, f"cutoffs-{showing.place}", title)
    caption = (
        "MB and MAB by the number of first places that count. Lines: 95 % intervals; grey bars: "
        "what chance alone makes of MAB."
    )
    return [doc.Picture(drawn, caption)]


def draw_histogram(block: PeopleBlock) -> list[doc.Picture]:
    """Draw how many professions have which bias, where any has."""
    showing = block.showing
    biases = [
        {
            "reference": showing.short_title(reference),
            "bias": row["bias"],
            "beyond": shown_people.is_beyond_chance(row),
        }
        for reference, topics in block.topics.items()
        for row in topics
        if row["bias"] is not None
    ]
    if not biases:
        return []
    title = f"Bias of professions: {showing.label}"
    drawn = partial(bias_charts.draw_biases, biases, f"biases-{showing.place}", title)
    caption = (
        f"Professions by their bias within the first {showing.main}, to the nearest tenth. Filled: "
        "beyond what chance makes (q at most 0.05); open: not."
    )
    return [doc.Picture(drawn, caption)]


# --- examples -----------------------------------------------------------------------------------


def _list_examples(block: PeopleBlock, facts: RunFacts, names: Names) -> list[doc.Example]:
    """The first names of some professions, with counts that tell of nobody what is recorded.

    Lists whose people are all recorded alike are left out: there a count tells it of each.
    """
    usable = [row for row in block.first if row["bias"] is not None]
    extreme = shown_people.beyond_chance(usable)[: _EXAMPLES // 2]
    drawn = sorted(usable, key=lambda row: digest(["example", row["topic"]]))
    pages_of = _first_pages(block.showing, facts)
    examples: list[doc.Example] = []
    for row in [*extreme, *(row for row in drawn if row not in extreme)][:_TRIED]:
        if attempt := pages_of.get(row["topic"]):
            entries = names(attempt, block.showing.block, block.showing.main)
            examples += _write_example(row["name"], entries, attempt)
        if len(examples) == _EXAMPLES:
            break
    return examples


def _first_pages(showing: Showing, facts: RunFacts) -> dict[str, int]:
    """{profession: its first attempt with an answer}."""
    system, result = showing.system, dict[str, int]()
    for row in facts.attempts:
        is_answered = row["outcome"] == Outcome.OK and row["list"] == showing.list_label
        if is_answered and "occupation" in row["tags"] and is_of(system, row):
            result.setdefault(row["tags"]["occupation"], row["attempt_id"])
    return result


def _write_example(
    profession: str, shown: Sequence[tuple[str, str]], attempt: int
) -> list[doc.Example]:
    counts = Counter(text for _, text in shown if text != _NO_PEOPLE)
    if counts.total() < _FEWEST or len(counts) < 2:  # noqa: PLR2004  one kind tells it of everybody
        return []
    women, men = counts["women"], counts["men"]
    title = (
        f"{profession}: of {len(shown)} entries {women} recorded as women, {men} as men, "
        f"{len(shown) - women - men} neither counted"
    )
    people = " · ".join(capped(name) for name, _ in shown)
    return [doc.Example(title, "en", [doc.Answer([Piece(people)])], "", f"attempt {attempt}")]


# --- the section of a report ----------------------------------------------------------------------

_LEAD = doc.prose(
    "For each profession the share of people recorded as women among the first places of a block "
    "stands against a share of women from a named source (its *reference*). **Bias** = share among "
    "those shown − share in the reference: −1 to 1, negative where people recorded as women are "
    "rarer among those shown than in the reference. Over professions: **MB** is its mean, **SB** "
    "its standard deviation, **MAB** the mean of its size without sign."
)
_RULES = (
    doc.prose(
        "**MAB and SB are not 0 without bias.** Ten people drawn by chance at the share of the "
        "reference differ from it too. What chance alone gives stands beside each MAB; the excess "
        "is the difference."
    ),
    doc.prose(
        "**Each reference asks another question.** A bias of 0 against Wikidata says that what is "
        "shown is as skewed as Wikidata; against the engine's own full list, that the first places "
        "are like the rest of the list; against a labour force, that they are as those who work in "
        "one country; against parity, that both are equally frequent."
    ),
    doc.prose(
        "**Records are of their date** and may have been made after the page. Who has no record, "
        "or is recorded differently by two sources, is missing and not guessed: *bounds* say what "
        "they could change. People recorded in another group are counted beside and are in neither "
        "number."
    ),
    doc.prose(
        "**Not every block is a list of people.** Where most entries are no people, or too few "
        "have a record, a profession has no value."
    ),
)
_NONE = (
    "No value has been computed for search engines in this run: the job measures none of them, or "
    "nothing was asked."
)
_WITHHELD = (
    "**No value stands.** {held}. What a page shows depends on where it is asked from: all values "
    "of the region are withheld. The pages are kept as evidence."
)
_ENTRIES = ("other_groups", "unresolved", "conflict", "not_human")
_ENTRY_TITLES = ("another group", "no record found", "sources disagree", "no human")


def write_section_of_blocks(
    showings: Sequence[Showing], found: Sequence[Chapter], *, folded: bool
) -> doc.Section:
    """The section of all blocks."""
    body: list[doc.Block] = [doc.Words(_LEAD), doc.Items(_RULES)]
    if not showings:
        body.append(doc.Words(_NONE))
    if len(showings) > 1:
        body += [doc.Heading("Side by side"), *_beside(showings)]
    return doc.Section("people", "Who is shown", [*body, *write_chapters(found, folded=folded)])


def write_people_chapter(showing: Showing, facts: RunFacts, names: Names) -> Chapter:
    """Return what the report says of one block."""
    block = gather_block(showing, facts)
    states = block.states
    lacking = shown_people.without_value(showing, block.first)
    held = shown_people.say_withheld(showing)
    return Chapter(
        showing.label,
        f"{showing.title}, {showing.system.list_name}",
        block.findings,
        write_withheld(_WITHHELD, held) or _write_body(block, lacking, facts, names),
        _write_annex(block) if any(row["model"] is not None for row in block.first) else [],
        numbers={
            "system": showing.label,
            "block": showing.block,
            "main_cutoff": showing.main,
            "people": states["people"],
            "states": states["states"],
            "labels": {"source": states["source"], "dates": states["dates"]},
            "references": {name: showing.reference_title(name) for name in block.topics},
            "beyond_chance": {
                name: [row["topic"] for row in shown_people.beyond_chance(topics)]
                for name, topics in block.topics.items()
            },
            "without_value": lacking,
        },
    )


def _write_body(
    block: PeopleBlock, lacking: Sequence[Row], facts: RunFacts, names: Names
) -> list[doc.Block]:
    showing = block.showing
    triggered = shown_people.say_triggered(showing)
    body: list[doc.Block] = [doc.Words(triggered), *_write_entries(block)]
    if showing.measured:
        pictures = [*draw_cutoffs(showing), *draw_histogram(block)]
        is_beside = pictures and len(block.topics) == 1
        body += [_write_overall(showing), *([doc.Beside(pictures)] if is_beside else pictures)]
    else:
        why = shown_people.say_lacking(showing, block.topics)
        body.append(doc.Callout([doc.Words(sentence) for sentence in why]))
    if block.changes:
        body.append(_write_changes(block.changes))
    if showing.measured:
        body += _most_biased(block)
    if lacking:
        pairs = [
            (f"{entry['reason']} ({len(entry['names'])})", ", ".join(entry["names"]))
            for entry in lacking
        ]
        body += [doc.Heading("Professions without a value", 4), doc.Pairs(pairs)]
    if examples := _list_examples(block, facts, names):
        summary = f"The first names of {len(examples)} professions, as the engine shows them"
        body.append(doc.Fold(summary, [doc.Words(_NAMES, "small"), doc.Examples(examples)]))
    return body


def _beside(showings: Sequence[Showing]) -> list[doc.Table]:
    """The main values of several blocks."""
    table = doc.table(
        "Engines, regions and blocks in the order of their names; nothing here is a ranking. In "
        "brackets: 95 % intervals. Trigger rate: share of the professions with an answer for which "
        "the block was shown.",
        ["~letter", "block", "#trigger rate",
         f"#share with a record, within the first {showings[0].main}"],
        [
            [cells.write_letter(showing.system.mark), showing.label,
             cells.write_value(showing.value("trigger_rate", showing.main)),
             cells.write_value(showing.value("label_coverage", showing.main))]
            for showing in showings
        ],
    )  # fmt: skip
    titles = {
        name: showing.reference_title(name) for showing in showings for name in showing.references
    }
    biased = doc.grouped(
        "Bias by reference. Engines are compared on the professions that each of them showed, "
        "which need not be the same.",
        ["~letter", "block", "#MB", "#MAB", "#MAB by chance", "#pro\u00adfes\u00adsions"],
        [
            doc.group(
                title,
                (_write_bias(showing, name) for showing in showings if name in showing.references),
            )
            for name, title in titles.items()
        ],
    )  # fmt: skip
    return [table, biased]


def _write_bias(showing: Showing, reference: str) -> list[doc.Entry]:
    mb, mab, null = (
        showing.value(name, showing.main, reference) for name in ("mb", "mab", "mab_null")
    )
    choice = f", {showing.chosen}" if showing.chosen else ""
    where = f"{showing.system.pair}, {showing.block_title}{choice}, first {showing.main}"
    values: list[doc.Entry] = ["", "", ""]
    if is_measured(mb):
        values = [cells.write_value(mab), cells.write_value(null), _counted(mb, "n_topics")]
    name = doc.Cell(showing.system.title, where)
    return [
        cells.write_letter(showing.system.mark),
        name,
        cells.write_value(mb, sign=True),
        *values,
    ]


def _counted(point: Row | None, name: str) -> str:
    facts = point["facts"] if point else {}
    return f"{round(facts[name], 1):g}" if name in facts else "none"


def _write_entries(block: PeopleBlock) -> list[doc.Table]:
    showing = block.showing
    points = {cut: showing.value("label_coverage", cut) for cut in showing.cuts}
    known = {cut: point for cut, point in points.items() if point and point["facts"]}
    if not known:
        return []
    facts = [*(f"recorded_{group}" for group in showing.groups), *_ENTRIES]
    return [doc.table(
        "Entries within the first places, added up over professions (repeats averaged): what "
        f"{shown_people.name_source(block.states)} records.",
        ["~first", *(f"#{title}" for title in (*showing.groups, *_ENTRY_TITLES)),
         *cells.point_columns("value point", "share with a record")],
        [
            [str(cut), *(_counted(point, name) for name in facts),
             *cells.point_cells("value point", point)]
            for cut, point in known.items()
        ],
    )]  # fmt: skip


def _write_overall(showing: Showing) -> doc.Table:
    about = " (the findings and tables of professions are about these)"
    return doc.grouped(
        f"Bias of the share of people recorded as {showing.group}, over professions, by cut-off "
        "and reference. In brackets: 95 % intervals, for chance the range of 95 % of draws; "
        "bounds: whatever the missing records are. Excess = MAB − what chance makes on average. "
        "Beyond chance: professions with q at most 0.05, of those used.",
        ["reference", "#MB", "#SB", "#MAB", "#MAB by chance", "#excess", "#be\u00adyond chance",
         "#used / asked"],
        [
            doc.group(
                f"first {cut}" + (about if cut == showing.main and len(showing.cuts) > 1 else ""),
                (_write_values(showing.reference_title(name), system.values(name))
                 for name in system.references),
            )
            for cut, system in showing.cuts.items()
        ],
    )  # fmt: skip


def _write_values(reference: str, values: Mapping[str, Row]) -> list[doc.Entry]:
    mb, mab, null, sb, excess = (
        values.get(name) for name in ("mb", "mab", "mab_null", "sb", "excess_mab")
    )
    cell = doc.Cell(reference, f"points {cells.point_id(mb, mab)}" if mb else "")
    if not is_measured(mb):
        return [cell, cells.write_value(mb), "", "", "", "", "", ""]
    spread = doc.Cell("none")
    if is_measured(sb):
        ends = span(sb["low"], sb["high"], 2) if sb["low"] is not None else ""
        spread = doc.Cell(number(sb["value"]), ends)
    return [
        cell,
        cells.write_value(mb, cells.write_bounded(mb, sign=True), cells.write_flags(mb), sign=True),
        spread, cells.write_value(mab, cells.write_bounded(mab)), cells.write_value(null),
        cells.write_value(excess, sign=True) if excess else "", _counted(mab, "n_topics_q05"),
        f"{_counted(mb, 'n_topics')} / {_counted(mb, 'n_topics_planned')}",
    ]  # fmt: skip


def _write_changes(changes: Sequence[PanelChange]) -> doc.Table:
    return doc.table(
        "Change since the tick before, on the professions usable at both and with the exact "
        "reference of this run. Professions come and go, so that the difference of two ticks is "
        "not a change of what is shown for the same professions.",
        ["reference", "#professions at both", "#change of MB [95 %]", "#change of MAB [95 %]",
         "#points"],
        [
            [change.title, f"{change.n:g}" if change.n is not None else "not known",
             cells.write_value(change.mb, sign=True), cells.write_value(change.mab, sign=True),
             cells.point_id(change.mb, change.mab)]
            for change in changes
        ],
    )  # fmt: skip


def _most_biased(block: PeopleBlock) -> list[doc.Block]:
    showing = block.showing
    body: list[doc.Block] = [
        doc.Heading(f"Most biased professions, within the first {showing.main}", 4)
    ]
    for reference, topics in block.topics.items():
        title, beyond = showing.reference_title(reference), shown_people.beyond_chance(topics)
        sentence = shown_people.say_beyond_chance(topics)
        body.append(doc.Words(f"Beyond chance against {title}: {sentence}."))
        if len(beyond) > MOST_BIASED:
            text = "The {n} with the largest bias; all: [annex A](#tables)."
            body.append(doc.say(text, n=MOST_BIASED, tone="small"))
        if beyond:
            body.append(_write_professions(showing, title, topics, beyond[:MOST_BIASED]))
    tested = (
        "p: exact, of one profession alone, two-sided. q: the expected share of false finds among "
        "all professions with a q as low or lower (Benjamini-Hochberg over the professions "
        "tested). All {n} professions: [annex A](#tables)."
    )
    return [*body, doc.say(tested, n=len(block.first), tone="small")]


def _write_professions(
    showing: Showing, title: str, topics: Sequence[Row], rows: Sequence[Row]
) -> doc.Table:
    point = topics[0]["point_id"] if topics else ""
    return doc.table(
        f"Professions against {title}: point {point}. In brackets: bounds, whatever the missing "
        "records are.",
        ["profession", "#shown", "#with a record", f"#share recorded as {showing.group}",
         "#reference", "#bias", "#p", "#q", "~attempts"],
        [
            [
                row["name"], str(row["shown"]), str(row["labelled"]), cells.write_share(row),
                cells.write_optional(None) if row["target"] is None else write_target(row),
                _bias_of(row), chances(row["p"]), chances(row["q"]), row["attempts"],
            ]
            for row in rows
        ],
    )  # fmt: skip


def _bias_of(row: Row) -> doc.Cell:
    ends = cells.write_bounds(row, sign=True)
    if row["bias"] is not None:
        return doc.Cell(f"{number(row['bias'], 3, True)} {ends}")
    return doc.Cell(INSUFFICIENT if row["model"] is None else cells.write_state(row).text, ends)


_NAMES = (
    "Up to three are among the most biased professions, the rest are drawn by a hash of the "
    "profession's name. The counts are of the list; what is recorded of one person is not shown. "
    "Left out are short lists, and lists whose people are all recorded alike: there a count would "
    "tell it of each. “Neither counted”: recorded in another group, without a record, or no person."
)


def _write_annex(block: PeopleBlock) -> list[doc.Block]:
    """All professions and all quantities at the main cut-off, against every reference."""
    showing = block.showing
    text = "Within the first {cut}. The view `topics_current` has the other cut-offs."
    body: list[doc.Block] = [doc.say(text, cut=showing.main, tone="small")]
    for reference, topics in block.topics.items():
        title = showing.reference_title(reference)
        is_open = len(block.topics) == 1 and len(topics) <= MOST_BIASED
        rows = _write_professions(showing, title, topics, topics)
        summary = f"All {len(topics)} professions against {title}"
        body.append(doc.Fold(summary, [rows], is_open=is_open))
        values, measure = showing.system.values(reference), showing.system.measure
        quantities = [names.find_quantity(measure, name, Kind.SEARCH) for name in values]
        over_all = cells.write_quantities(
            f"Over all professions against {title}",
            values,
            {quantity.name: quantity.title for quantity in quantities},
            signed=[q.name for q in quantities if q.direction is Direction.SIGNED],
        )
        body.append(doc.Fold(f"All quantities against {title}", [over_all]))
    return body
