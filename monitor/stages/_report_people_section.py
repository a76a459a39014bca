"""What the page shows of one block of result pages: points and topics in, tables and charts out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from monitor.model import Outcome, digest
from monitor.stages import _report_people as people
from monitor.stages import _report_people_charts as charts
from monitor.stages import _report_people_findings as findings
from monitor.stages import _report_people_pages as pages
from monitor.stages._report_people import Showing
from monitor.stages._report_systems import attempts_by_tag
from monitor.store.report import RunFacts

Row = dict[str, Any]
#: (attempt, block, how many) -> (name as shown, what is known) of the first entries.
Names = Callable[[int, str, int], Sequence[tuple[str, str]]]

#: Professions in the list of the most biased ones; annex A has all.
MOST_BIASED = 15
#: Professions whose first names are printed, the fewest people in such a list, and how many
#: professions are looked at for that.
_EXAMPLES, _FEWEST, _TRIED = 6, 5, 40
_NO_PEOPLE = "not_human"


def section(showing: Showing, facts: RunFacts, names: Names) -> Row:
    """Sentences, tables, charts and examples of one block."""
    topics = _topics(showing, facts)
    known = pages.states(showing, facts.people)
    references = [_against(showing, name, rows) for name, rows in topics.items()]
    first = next((rows for rows in topics.values() if rows), [])
    return {
        "system": showing,
        "known": known,
        "source": findings.source(known),
        "held": people.withheld(showing),
        "findings": findings.sentences(showing, topics, known),
        "why": [] if showing.measured else findings.lacking(showing, topics),
        "listed": any(row["model"] is not None for row in first),
        "triggered": findings.triggered(showing),
        "lacking": people.without_value(showing, first),
        "professions": len(first),
        "coverage": [
            {"cut": cut, "point": point}
            for cut in showing.cuts
            if (point := showing.value("label_coverage", cut)) and point["facts"]
        ],
        "biases": _biases(showing) if showing.measured else [],
        "changes": _changes(showing),
        "references": references,
        "examples": _examples(showing, topics, facts, names),
        **_charts(showing, references),
    }


def _topics(showing: Showing, facts: RunFacts) -> dict[str, list[Row]]:
    """{reference: professions at the main cut-off, with the attempts behind them}."""
    system = showing.system
    attempts = attempts_by_tag(facts, "occupation")
    of_system = system.engine_id, system.source_lang, system.target, system.list_name
    return {
        reference: [
            row | {"attempts": attempts.get((*of_system, row["topic"]), "")}
            for row in people.professions(system, reference, facts.topics)
        ]
        for reference in showing.references
    }


def _against(showing: Showing, reference: str, topics: Sequence[Row]) -> Row:
    return {
        "name": reference,
        "title": showing.reference_title(reference),
        "topics": topics,
        "tested": len(people.tested(topics)),
        "beyond": people.beyond_chance(topics),
        "sentence": findings.beyond(topics),
        "point": topics[0]["point_id"] if topics else "",
    }


def _biases(showing: Showing) -> list[Row]:
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


def _changes(showing: Showing) -> list[Row]:
    """Changes since the tick before; none where there is no such tick."""
    rows = []
    for reference in showing.references:
        mb, mab = (
            showing.value(f"{name}_change_panel", showing.main, reference) for name in ("mb", "mab")
        )
        if mb and mab and mb["reason"] != findings.NO_EARLIER:
            rows.append(
                {"reference": showing.reference_title(reference), "mb": mb, "mab": mab,
                 "n": mb["facts"].get("n_panel")}
            )  # fmt: skip
    return rows


def _charts(showing: Showing, references: Sequence[Row]) -> dict[str, Markup | None]:
    drawn: dict[str, Markup | None] = {"by_cutoff": None, "histogram": None}
    points = [
        {"reference": showing.short_title(reference), "cut": cut} | _ends(showing, cut, reference)
        for reference in showing.references
        for cut in showing.cuts
    ]
    if len(showing.cuts) > 1 and any(row["mb"] is not None for row in points):
        title = f"Bias at each cut-off: {showing.label}"
        drawn["by_cutoff"] = charts.cutoffs(points, f"cutoffs-{showing.place}", title)
    biases = [
        {
            "reference": showing.short_title(one["name"]),
            "bias": row["bias"],
            "beyond": people.is_beyond_chance(row),
        }
        for one in references
        for row in one["topics"]
        if row["bias"] is not None
    ]
    if biases and showing.measured:
        title = f"Bias of professions: {showing.label}"
        drawn["histogram"] = charts.biases(biases, f"biases-{showing.place}", title)
    return drawn


def _ends(showing: Showing, cut: int, reference: str) -> Row:
    found: Row = {}
    for name, quantity in (("mb", "mb"), ("mab", "mab"), ("null", "mab_null")):
        point = showing.value(quantity, cut, reference) or {}
        found |= {name: point.get("value")}
        found |= {f"{name}_{end}": point.get(end) for end in ("low", "high")}
    return found


# --- examples -----------------------------------------------------------------------------------


def _examples(
    showing: Showing, topics: Mapping[str, Sequence[Row]], facts: RunFacts, names: Names
) -> list[Row]:
    """The first names of some professions, with counts that tell of nobody what is recorded.

    Lists whose people are all recorded alike are left out: there a count tells it of each.
    """
    first = next((rows for rows in topics.values() if rows), [])
    usable = [row for row in first if row["bias"] is not None]
    extreme = people.beyond_chance(usable)[: _EXAMPLES // 2]
    drawn = sorted(usable, key=lambda row: digest(["example", row["topic"]]))
    pages_of = _first_pages(showing, facts)
    found: list[Row] = []
    chosen = [*extreme, *(one for one in drawn if one not in extreme)]
    for row in chosen[:_TRIED]:
        attempt = pages_of.get(row["topic"])
        example = (
            _example(row["name"], names(attempt, showing.block, showing.main)) if attempt else None
        )
        if example and attempt:
            found.append(example | {"attempt_id": attempt})
        if len(found) == _EXAMPLES:
            break
    return found


def _first_pages(showing: Showing, facts: RunFacts) -> dict[str, int]:
    """{profession: its first attempt with an answer}."""
    system, found = showing.system, dict[str, int]()
    for row in facts.attempts:
        if (
            row["engine_id"] == system.engine_id
            and (row["source_lang"], row["target"]) == (system.source_lang, system.target)
            and row["list"] == showing.list_label
            and row["outcome"] == Outcome.OK
            and "occupation" in row["tags"]
        ):
            found.setdefault(row["tags"]["occupation"], row["attempt_id"])
    return found


def _example(profession: str, shown: Sequence[tuple[str, str]]) -> Row | None:
    counts = Counter(known for _, known in shown if known != _NO_PEOPLE)
    if counts.total() < _FEWEST or len(counts) < 2:  # noqa: PLR2004  one kind tells it of everybody
        return None
    recorded = {group: counts[group] for group in ("women", "men")}
    return {
        "name": profession,
        "shown": [name for name, _ in shown],
        **recorded,
        "rest": len(shown) - sum(recorded.values()),
    }


# --- all of them --------------------------------------------------------------------------------


def side_by_side(showings: Sequence[Showing]) -> Row:
    """The main values of several blocks; no rows where there is but one."""
    if len(showings) < 2:  # noqa: PLR2004  nothing to compare
        return {"references": [], "rows": []}
    titles = {name: one.reference_title(name) for one in showings for name in one.references}
    return {
        "references": [
            {
                "title": title,
                "rows": [_row(one, name) for one in showings if name in one.references],
            }
            for name, title in titles.items()
        ],
        "rows": [
            {
                "mark": one.mark,
                "label": one.label,
                "main": one.main,
                "trigger": one.value("trigger_rate", one.main),
                "coverage": one.value("label_coverage", one.main),
            }
            for one in showings
        ],
    }


def _row(showing: Showing, reference: str) -> Row:
    chosen = f", {showing.chosen}" if showing.chosen else ""
    return {
        "mark": showing.mark,
        "title": showing.system.title,
        "where": f"{showing.pair}, {showing.block_title}{chosen}, first {showing.main}",
        **{
            name: showing.value(quantity, showing.main, reference)
            for name, quantity in (("mb", "mb"), ("mab", "mab"), ("null", "mab_null"))
        },
    }


def numbers(section_: Row) -> Row:
    """What `--json` has of one block beside its points and professions; no name is in it."""
    known = section_["known"]
    return {
        "system": section_["system"].label,
        "block": section_["system"].block,
        "main_cutoff": section_["system"].main,
        "people": known["people"],
        "states": known["states"],
        "labels": {"source": known["source"], "dates": known["dates"]},
        "references": {one["name"]: one["title"] for one in section_["references"]},
        "beyond_chance": {
            one["name"]: [row["topic"] for row in one["beyond"]] for one in section_["references"]
        },
        "without_value": section_["lacking"],
    }
