"""Chapter about the people in one block of result pages."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from monitor.model import Outcome, digest
from monitor.stages.document import records as doc
from monitor.stages.document.notation import Piece, capped, chances, is_measured, number, span
from monitor.stages.reports import run_systems, shown_people
from monitor.stages.reports.occupations import write_target
from monitor.stages.reports.run_systems import Chapter, attempts_by_tag
from monitor.stages.reports.shown_people import Showing
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


def write_people_section(showing: Showing, facts: RunFacts, names: Names) -> Row:
    """Sentences, tables, charts and examples of one block."""
    topics = _map_topics(showing, facts)
    known_states = shown_people.count_states(showing, facts.people)
    references = [_against(showing, name, rows) for name, rows in topics.items()]
    first = next((rows for rows in topics.values() if rows), [])
    return {
        "known": known_states,
        "source": shown_people.name_source(known_states),
        "held": shown_people.say_withheld(showing),
        "findings": shown_people.write_sentences(showing, topics, known_states),
        "why": [] if showing.measured else shown_people.say_lacking(showing, topics),
        "listed": any(row["model"] is not None for row in first),
        "triggered": shown_people.say_triggered(showing),
        "lacking": shown_people.without_value(showing, first),
        "professions": len(first),
        "coverage": [
            {"cut": cut, "point": point}
            for cut in showing.cuts
            if (point := showing.value("label_coverage", cut)) and point["facts"]
        ],
        "biases": _list_biases(showing) if showing.measured else [],
        "changes": _list_changes(showing),
        "references": references,
        "examples": _list_examples(showing, topics, facts, names),
        **_draw_charts(showing, references),
    }


def _map_topics(showing: Showing, facts: RunFacts) -> dict[str, list[Row]]:
    """{reference: professions at the main cut-off, with the attempts behind them}."""
    system = showing.system
    attempts = attempts_by_tag(facts, "occupation")
    of_system = system.engine_id, system.source_lang, system.target, system.list_name
    return {
        reference: [
            row | {"attempts": attempts.get((*of_system, row["topic"]), "")}
            for row in shown_people.list_professions(system, reference, facts.topics)
        ]
        for reference in showing.references
    }


def _against(showing: Showing, reference: str, topics: Sequence[Row]) -> Row:
    return {
        "name": reference,
        "title": showing.reference_title(reference),
        "topics": topics,
        "tested": len(shown_people.read_tested(topics)),
        "beyond": shown_people.beyond_chance(topics),
        "sentence": shown_people.say_beyond_chance(topics),
        "point": topics[0]["point_id"] if topics else "",
    }


def _list_biases(showing: Showing) -> list[Row]:
    """One entry per cut-off with a row per reference."""
    return [
        {
            "cut": cut,
            "rows": [
                {
                    "reference": showing.reference_title(reference),
                    "values": showing.cuts[cut].values(reference),
                }
                for reference in showing.cuts[cut].references
            ],
        }
        for cut in showing.cuts
    ]


def _list_changes(showing: Showing) -> list[Row]:
    """Changes since the tick before; none where there is no such tick."""
    rows = []
    for reference in showing.references:
        mb, mab = (
            showing.value(f"{name}_change_panel", showing.main, reference) for name in ("mb", "mab")
        )
        if mb and mab and mb["reason"] != shown_people.NO_EARLIER:
            rows.append(
                {"reference": showing.reference_title(reference), "mb": mb, "mab": mab,
                 "n": mb["facts"].get("n_panel")}
            )  # fmt: skip
    return rows


def _draw_charts(showing: Showing, references: Sequence[Row]) -> dict[str, doc.Svg | None]:
    charts: dict[str, doc.Svg | None] = {"by_cutoff": None, "histogram": None}
    points = [
        {"reference": showing.short_title(reference), "cut": cut}
        | _describe_ends(showing, cut, reference)
        for reference in showing.references
        for cut in showing.cuts
    ]
    if len(showing.cuts) > 1 and any(row["mb"] is not None for row in points):
        title = f"Bias at each cut-off: {showing.label}"
        charts["by_cutoff"] = partial(_draw_cutoffs, points, f"cutoffs-{showing.place}", title)
    biases = [
        {
            "reference": showing.short_title(reference["name"]),
            "bias": row["bias"],
            "beyond": shown_people.is_beyond_chance(row),
        }
        for reference in references
        for row in reference["topics"]
        if row["bias"] is not None
    ]
    if biases and showing.measured:
        title = f"Bias of professions: {showing.label}"
        charts["histogram"] = partial(_draw_biases, biases, f"biases-{showing.place}", title)
    return charts


def _draw_cutoffs(rows: Sequence[Row], name: str, title: str) -> Markup:
    from monitor.stages.reports import ranked_charts  # noqa: PLC0415 - drawn where it is shown

    return ranked_charts.draw_cutoffs(rows, name, title)


def _draw_biases(rows: Sequence[Row], name: str, title: str) -> Markup:
    from monitor.stages.reports import ranked_charts  # noqa: PLC0415 - drawn where it is shown

    return ranked_charts.draw_biases(rows, name, title)


def _describe_ends(showing: Showing, cut: int, reference: str) -> Row:
    row: Row = {}
    for name, quantity in (("mb", "mb"), ("mab", "mab"), ("null", "mab_null")):
        point = showing.value(quantity, cut, reference) or {}
        row |= {name: point.get("value")}
        row |= {f"{name}_{end}": point.get(end) for end in ("low", "high")}
    return row


# --- examples -----------------------------------------------------------------------------------


def _list_examples(
    showing: Showing, topics: Mapping[str, Sequence[Row]], facts: RunFacts, names: Names
) -> list[Row]:
    """The first names of some professions, with counts that tell of nobody what is recorded.

    Lists whose people are all recorded alike are left out: there a count tells it of each.
    """
    first = next((rows for rows in topics.values() if rows), [])
    usable = [row for row in first if row["bias"] is not None]
    extreme = shown_people.beyond_chance(usable)[: _EXAMPLES // 2]
    all_rows = sorted(usable, key=lambda row: digest(["example", row["topic"]]))
    pages_of = _first_pages(showing, facts)
    result_rows: list[Row] = []
    choice = [*extreme, *(row for row in all_rows if row not in extreme)]
    for row in choice[:_TRIED]:
        attempt = pages_of.get(row["topic"])
        example = (
            _describe_example(row["name"], names(attempt, showing.block, showing.main))
            if attempt
            else None
        )
        if example and attempt:
            result_rows.append(example | {"attempt_id": attempt})
        if len(result_rows) == _EXAMPLES:
            break
    return result_rows


def _first_pages(showing: Showing, facts: RunFacts) -> dict[str, int]:
    """{profession: its first attempt with an answer}."""
    system, result = showing.system, dict[str, int]()
    for row in facts.attempts:
        if (
            row["engine_id"] == system.engine_id
            and (row["source_lang"], row["target"]) == (system.source_lang, system.target)
            and row["list"] == showing.list_label
            and row["outcome"] == Outcome.OK
            and "occupation" in row["tags"]
        ):
            result.setdefault(row["tags"]["occupation"], row["attempt_id"])
    return result


def _describe_example(profession: str, shown: Sequence[tuple[str, str]]) -> Row | None:
    counts = Counter(text for _, text in shown if text != _NO_PEOPLE)
    if counts.total() < _FEWEST or len(counts) < 2:  # noqa: PLR2004  one kind tells it of everybody
        return None
    recorded = {group: counts[group] for group in ("women", "men")}
    return {
        "name": profession,
        "shown": [name for name, _ in shown],
        **recorded,
        "rest": len(shown) - sum(recorded.values()),
    }


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
    return doc.Section(
        "people", "Who is shown", [*body, *run_systems.write_chapters(found, folded=folded)]
    )


def write_people_chapter(showing: Showing, facts: RunFacts, names: Names) -> Chapter:
    """Return what the report says of one block."""
    of = write_people_section(showing, facts, names)
    title = f"{showing.mark}: {showing.label}, {showing.system.list_name}"
    return Chapter(
        showing.label,
        title,
        of["findings"],
        _withheld(of["held"]) if of["held"] else _printed(showing, of),
        _write_annex(showing, of) if of["listed"] else [],
        numbers={
            "system": showing.label,
            "block": showing.block,
            "main_cutoff": showing.main,
            "people": of["known"]["people"],
            "states": of["known"]["states"],
            "labels": {"source": of["known"]["source"], "dates": of["known"]["dates"]},
            "references": {reference["name"]: reference["title"] for reference in of["references"]},
            "beyond_chance": {
                reference["name"]: [row["topic"] for row in reference["beyond"]]
                for reference in of["references"]
            },
            "without_value": of["lacking"],
        },
    )


def _withheld(held: str) -> list[doc.Block]:
    return [doc.Callout([doc.say(_WITHHELD, held=held[:1].upper() + held[1:])])]


def _printed(showing: Showing, of: Row) -> list[doc.Block]:
    body: list[doc.Block] = [doc.Words(of["triggered"])]
    if of["coverage"]:
        body.append(_write_entries(showing, of))
    body += (
        [_write_overall(showing, of), *_write_pictures(showing, of)]
        if of["biases"]
        else [doc.Callout([doc.Words(sentence) for sentence in of["why"]])]
    )
    if of["changes"]:
        body.append(_changed(of["changes"]))
    if of["biases"]:
        body += _most_biased(showing, of)
    if of["lacking"]:
        lacking = [
            (f"{entry['reason']} ({len(entry['names'])})", ", ".join(entry["names"]))
            for entry in of["lacking"]
        ]
        body += [doc.Heading("Professions without a value", 4), doc.Pairs(lacking)]
    return [*body, *_first_names(of["examples"])]


def _beside(showings: Sequence[Showing]) -> list[doc.Table]:
    """The main values of several blocks."""
    table = doc.table(
        "Engines, regions and blocks in the order of their names; nothing here is a ranking. In "
        "brackets: 95 % intervals. Trigger rate: share of the professions with an answer for which "
        "the block was shown.",
        ["~letter", "block", "#trigger rate",
         f"#share with a record, within the first {showings[0].main}"],
        [
            [run_systems.write_letter(showing.mark), showing.label,
             run_systems.write_value(showing.value("trigger_rate", showing.main)),
             run_systems.write_value(showing.value("label_coverage", showing.main))]
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


def _write_bias(showing: Showing, reference: str) -> list[doc.Cell | str]:
    mb, mab, null = (
        showing.value(name, showing.main, reference) for name in ("mb", "mab", "mab_null")
    )
    choice = f", {showing.chosen}" if showing.chosen else ""
    where = f"{showing.pair}, {showing.block_title}{choice}, first {showing.main}"
    values = (
        [run_systems.write_value(mab), run_systems.write_value(null), _counted(mb, "n_topics")]
        if is_measured(mb)
        else ["", "", ""]
    )
    return [
        run_systems.write_letter(showing.mark),
        doc.Cell(showing.system.title, where),
        run_systems.write_value(mb, sign=True),
        *values,
    ]


def _counted(point: Row | None, name: str) -> str:
    facts = point["facts"] if point else {}
    return f"{round(facts[name], 1):g}" if name in facts else "none"


def _write_entries(showing: Showing, of: Row) -> doc.Table:
    facts = [*(f"recorded_{group}" for group in showing.groups), *_ENTRIES]
    return doc.table(
        "Entries within the first places, added up over professions (repeats averaged): what "
        f"{of['source']} records.",
        ["~first", *(f"#{title}" for title in showing.groups),
         *(f"#{title}" for title in _ENTRY_TITLES), "#share with a record [95 %]", "#point"],
        [
            [str(row["cut"]), *(_counted(row["point"], name) for name in facts),
             run_systems.write_value(row["point"]), run_systems.point_id(row["point"])]
            for row in of["coverage"]
        ],
    )  # fmt: skip


def _write_overall(showing: Showing, of: Row) -> doc.Table:
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
                f"first {entry['cut']}"
                + (about if entry["cut"] == showing.main and len(of["biases"]) > 1 else ""),
                (_write_values(row["reference"], row["values"]) for row in entry["rows"]),
            )
            for entry in of["biases"]
        ],
    )  # fmt: skip


def _write_values(reference: str, values: Mapping[str, Row]) -> list[doc.Cell | str]:
    mb, mab, null, sb, excess = (
        values.get(name) for name in ("mb", "mab", "mab_null", "sb", "excess_mab")
    )
    cell = doc.Cell(reference, f"points {run_systems.point_id(mb, mab)}" if mb else "")
    if mb is None or not is_measured(mb):
        return [cell, run_systems.write_value(mb), "", "", "", "", "", ""]
    spread = doc.Cell("none")
    if sb and is_measured(sb):
        ends = span(sb["low"], sb["high"], 2) if sb["low"] is not None else ""
        spread = doc.Cell(number(sb["value"]), ends)
    return [
        cell,
        run_systems.write_value(
            mb, run_systems.write_bounded(mb, sign=True), run_systems.write_flags(mb), sign=True
        ),
        spread, run_systems.write_value(mab, run_systems.write_bounded(mab)),
        run_systems.write_value(null),
        run_systems.write_value(excess, sign=True) if excess else "", _counted(mab, "n_topics_q05"),
        f"{_counted(mb, 'n_topics')} / {_counted(mb, 'n_topics_planned')}",
    ]  # fmt: skip


def _write_pictures(showing: Showing, of: Row) -> list[doc.Block]:
    pictures: list[doc.Block] = []
    if of["by_cutoff"]:
        pictures.append(
            doc.Picture(
                of["by_cutoff"],
                "MB and MAB by the number of first places that count. Lines: 95 % intervals; grey "
                "bars: what chance alone makes of MAB.",
            )
        )
    if of["histogram"]:
        pictures.append(
            doc.Picture(
                of["histogram"],
                f"Professions by their bias within the first {showing.main}, to the nearest tenth. "
                "Filled: beyond what chance makes (q at most 0.05); open: not.",
            )
        )
    return [doc.Beside(pictures)] if pictures and len(of["references"]) == 1 else pictures


def _changed(rows: Sequence[Row]) -> doc.Table:
    return doc.table(
        "Change since the tick before, on the professions usable at both and with the exact "
        "reference of this run. Professions come and go, so that the difference of two ticks is "
        "not a change of what is shown for the same professions.",
        ["reference", "#professions at both", "#change of MB [95 %]", "#change of MAB [95 %]",
         "#points"],
        [
            [row["reference"], f"{row['n']:g}" if row["n"] is not None else "not known",
             run_systems.write_value(row["mb"], sign=True),
             run_systems.write_value(row["mab"], sign=True),
             run_systems.point_id(row["mb"], row["mab"])]
            for row in rows
        ],
    )  # fmt: skip


def _most_biased(showing: Showing, of: Row) -> list[doc.Block]:
    body: list[doc.Block] = [
        doc.Heading(f"Most biased professions, within the first {showing.main}", 4)
    ]
    for reference in of["references"]:
        body.append(
            doc.Words(f"Beyond chance against {reference['title']}: {reference['sentence']}.")
        )
        if len(reference["beyond"]) > MOST_BIASED:
            more = doc.prose(
                "The {n} with the largest bias; all: [annex A](#tables).", n=MOST_BIASED
            )
            body.append(doc.Words(more, "small"))
        if reference["beyond"]:
            body.append(_write_professions(showing, reference, reference["beyond"][:MOST_BIASED]))
    tested = doc.prose(
        "p: exact, of one profession alone, two-sided. q: the expected share of false finds among "
        "all professions with a q as low or lower (Benjamini-Hochberg over the professions "
        "tested). All {n} professions: [annex A](#tables).",
        n=of["professions"],
    )
    return [*body, doc.Words(tested, "small")]


def _write_professions(showing: Showing, reference: Row, rows: Sequence[Row]) -> doc.Table:
    return doc.table(
        f"Professions against {reference['title']}: point {reference['point']}. In brackets: "
        "bounds, whatever the missing records are.",
        ["profession", "#shown", "#with a record", f"#share recorded as {showing.group}",
         "#reference", "#bias", "#p", "#q", "~attempts"],
        [
            [
                row["name"], str(row["shown"]), str(row["labelled"]), run_systems.write_share(row),
                run_systems.write_optional(None) if row["target"] is None else write_target(row),
                _bias_of(row),
                chances(row["p"]), chances(row["q"]), row["attempts"],
            ]
            for row in rows
        ],
    )  # fmt: skip


def _bias_of(row: Row) -> doc.Cell:
    ends = run_systems.write_bounds(row, sign=True)
    if row["bias"] is not None:
        return doc.Cell(f"{number(row['bias'], 3, True)} {ends}")
    text = run_systems.INSUFFICIENT if row["model"] is None else run_systems.write_missing(row).text
    return doc.Cell(text, ends)


def _first_names(found: Sequence[Row]) -> list[doc.Block]:
    if not found:
        return []
    text = (
        "Up to three are among the most biased professions, the rest are drawn by a hash of the "
        "profession's name. The counts are of the list; what is recorded of one person is not "
        "shown. Left out are short lists, and lists whose people are all recorded alike: there a "
        "count would tell it of each. “Neither counted”: recorded in another group, without a "
        "record, or no person."
    )
    examples = [
        doc.Example(
            f"{row['name']}: of {len(row['shown'])} entries {row['women']} recorded as women, "
            f"{row['men']} as men, {row['rest']} neither counted",
            "en",
            [doc.Answer([Piece(" · ".join(map(capped, row["shown"])))])],
            "",
            f"attempt {row['attempt_id']}",
        )
        for row in found
    ]
    summary = f"The first names of {len(found)} professions, as the engine shows them"
    return [doc.Fold(summary, [doc.Words(text, "small"), doc.Examples(examples)])]


def _write_annex(showing: Showing, of: Row) -> list[doc.Block]:
    """All professions at the main cut-off, against every reference."""
    within = doc.prose(
        "Within the first {cut}. The view `topics_current` has the other cut-offs.",
        cut=showing.main,
    )
    is_short = len(of["references"]) == 1
    return [
        doc.Words(within, "small"),
        *(
            doc.Fold(
                f"All {len(reference['topics'])} professions against {reference['title']}",
                [_write_professions(showing, reference, reference["topics"])],
                is_open=is_short and len(reference["topics"]) <= MOST_BIASED,
            )
            for reference in of["references"]
        ),
    ]
