"""From the stored values of one run to its report: one HTML file that needs nothing else.

The page has no script and fetches nothing, and the same database gives the same bytes: every time
in it is a time of the run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment
from markupsafe import Markup

from monitor import registry
from monitor.model import Cue, Flag, InvalidInput, Kind, RunState
from monitor.stages import (
    _charts,
    _pages,
    _report_accuracy,
    _report_compare,
    _report_corpora,
    _report_coverage,
    _report_examples,
    _report_findings,
    _report_governance,
    _report_models,
    _report_people,
    _report_people_findings,
    _report_people_pages,
    _report_people_section,
    _report_ratios,
    _report_systems,
    _report_words,
    _report_words_section,
)
from monitor.stages import _report_names as names
from monitor.stages import _report_text as text
from monitor.stages._report_ratios import Texts
from monitor.stages._report_systems import System
from monitor.stages.engine_titles import titles_in
from monitor.store import overview
from monitor.store import report as store
from monitor.store.database import Connection
from monitor.store.report import RunFacts

Row = dict[str, Any]

#: Measures with a section of their own; the values of all others are listed in annex A.
_KNOWN = ("masculine_rate", "c_ratio_bias", "gender_accuracy", "lm_ratio")
#: With more systems than these, the findings and details of each are folded away.
_UNFOLDED = 4


@dataclass(frozen=True, slots=True)
class Report:
    """The page, and the numbers in it for programs."""

    html: str
    numbers: dict[str, Any]


def report(connection: Connection, run_id: int, zone: ZoneInfo) -> Report:
    """The report of one run. Times are printed in `zone`."""
    facts = store.facts(connection, run_id)
    every = _report_systems.systems(facts.points, facts.run["content"], facts.cues)
    showings = _report_people.showings(every, facts.signatures)
    systems = [
        system
        for system in every
        if not _report_people.is_people(system) and not _report_words.is_words(system)
    ]
    in_lists = [] if facts.corpora else every
    listings = _report_words.listings(in_lists, facts.lists, facts.queries, facts.questions)
    words = _report_words_section.content(listings, facts.run["id"])
    searches = bool(facts.pages) and (bool(showings) or not listings)
    by_family = {
        family: [system for system in systems if system.family == family] for family in _KNOWN
    }
    gest, ratios, accuracies, models = by_family.values()
    chosen = _chosen(gest, ratios, facts)
    wanted = [row["attempt_id"] for c in chosen.values() for row in chain(*c.values())]
    texts = store.texts(connection, wanted)
    sections = {
        "stereotypes": [_stereotypes(s, facts, chosen[s.place], texts) for s in gest],
        "professions": [_report_ratios.section(s, facts, chosen[s.place], texts) for s in ratios],
        "accuracies": [
            _report_accuracy.section(s) | {"findings": _report_findings.accuracy(s)}
            for s in accuracies
        ],
        "models": [
            _report_models.section(s, facts) | {"findings": _report_findings.model(s)}
            for s in models
        ],
        "people": [
            _report_people_section.section(one, facts, partial(overview.names, connection))
            for one in showings
        ],
    }
    engine_title = titles_in(facts.run["content"])
    content = {
        "run": facts.run,
        "heading": _heading(facts, systems, searches=searches),
        "searches": searches,
        "translates": _translates(facts),
        "asked": _report_people_pages.asked(facts.pages),
        "listed": [one for one in sections["people"] if one["listed"]],
        "side_by_side": _report_people_section.side_by_side(showings),
        "most_biased": _report_people_section.MOST_BIASED,
        "partial": facts.run["state"] != RunState.DONE,
        "facts": facts,
        "folded": len(systems) + len(showings) > _UNFOLDED,
        "missing": [
            row | {"sentence": _report_coverage.sentence(row)}
            for row in _report_coverage.missing(facts.endings, engine_title)
        ],
        "answered_by": _report_coverage.engines(facts),
        "counts": _report_coverage.counts(facts),
        "unvalidated": [row for row in facts.lists if row["status"] != "validated"],
        "compared": _report_compare.groups(systems, facts),
        "uncontrolled": [system for system in systems if system.uncontrolled],
        "shown_per_stereotype": _report_examples.per_stereotype(len(gest)),
        "others": [system for system in systems if system.family not in _KNOWN],
        "sources": _sources(facts),
        "governance": _report_governance.section(facts.run["content"]),
        "citations": _citations(every),
        "corpora": _report_corpora.gathered(facts.corpora),
        "of_corpora": _report_corpora.measured(every if facts.corpora else [], facts),
        **sections,
        **words,
        "words_alone": bool(listings) and not searches and not _translates(facts),
    }
    html = _environment(zone, engine_title).get_template("report.html").render(content)
    return Report(html, _numbers(facts, list(chain(*sections.values(), words["words"]))))


def _chosen(
    gest: Sequence[System], ratios: Sequence[System], facts: RunFacts
) -> dict[int, dict[str, list[Row]]]:
    """{place of a system: {stereotype or occupation: answers that are printed}}."""
    most = _report_examples.per_stereotype(len(gest))
    return {
        system.place: _report_examples.choose(system, facts, tag, n)
        for some, tag, n in ((gest, "stereotype", most), (ratios, "occupation", 1))
        for system in some
    }


def _translates(facts: RunFacts) -> bool:
    """Whether anything but search engines was asked; a run without any answer counts as that."""
    kinds = {row["kind"] for row in (*facts.engines, *facts.coverage)}
    return kinds != {Kind.SEARCH} and not facts.corpora


def _heading(facts: RunFacts, systems: Sequence[System], *, searches: bool) -> str:
    if facts.corpora:
        return "Women and men in the texts of results"
    if not facts.pages:
        return _heading_of_texts(facts, systems)
    if not _translates(facts) and searches:
        return "Whom search engines show: people recorded as women and as men"
    if not _translates(facts):
        return "Women and men in the words of ranked lists"
    shown = "whom search engines show" if searches else "the words of ranked lists"
    return f"{_heading_of_texts(facts, systems)}, and {shown}"


def _heading_of_texts(facts: RunFacts, systems: Sequence[System]) -> str:
    kinds = {row["kind"] for row in facts.engines} | {system.kind for system in systems}
    kinds -= {Kind.SEARCH}
    if kinds == {Kind.LM}:
        return "Women and men in language models"
    cues = set().union(*facts.cues.values()) - {Cue.PEOPLE}
    if cues == {"pronoun"}:
        return "“He” and “she” in machine translation"
    if "pronoun" in cues:
        return "Masculine and feminine forms and pronouns in machine translation"
    return "Masculine and feminine forms in machine translation"


def _environment(zone: ZoneInfo, engine_title: Callable[[str], str]) -> Environment:
    environment = _pages.environment(
        number=text.number,
        percent=text.percent,
        percent_span=text.percent_span,
        chances=text.chances,
        cut_name=text.capped,
        capitalize_first=lambda words: words[:1].upper() + words[1:],
        span=text.span,
        spelt=text.spelt,
        when=lambda moment: text.when(moment, zone),
        flags=names.flags,
        breakable=_report_words_section.breakable,
    )
    environment.globals.update(
        zone=zone.key,
        saturated=Flag.SATURATED,
        no_control=names.NO_CONTROL,
        engine_title=engine_title,
        reference_title=names.reference_title,
        short_pair=names.short_pair,
        is_measured=_report_people.is_measured,
        chance=_report_people_findings.chance,
        pairs_of=names.pairs_of,
    )
    return environment


def _stereotypes(
    system: System, facts: RunFacts, chosen: Mapping[str, Sequence[Row]], texts: Texts
) -> Row:
    """What the page shows of one system's stereotype sentences."""
    rows = _report_systems.stereotype_rows(system, facts)
    values = system.values()
    for row in rows:
        row["examples"] = _report_examples.described(chosen.get(str(row["number"]), []), texts)
    return {
        "system": system,
        "findings": _report_findings.stereotypes(system),
        "rows": rows,
        "values": values,
        "titles": names.quantity_titles(system.measure),
        "tags": _report_systems.tag_rows(system),
        "chart": _rates_chart(system, rows, values),
    }


def _rates_chart(system: System, rows: Sequence[Row], values: Mapping[str, Row]) -> Markup:
    means = {
        "women": values["p_f"]["value"] if "p_f" in values else None,
        "men": values["p_m"]["value"] if "p_m" in values else None,
    }
    drawn = [
        {name: row["rate"][name] for name in ("value", "low", "high")}
        | {
            "about": row["about"],
            "label": f"{row['number']} {row['label']}",
            "mean": means.get(row["about"]),
        }
        for row in rows
    ]
    name = f"rates-{system.place}"
    return _charts.rates(drawn, name, f"Masculine rate by stereotype: {system.label}")


def _sources(facts: RunFacts) -> list[Row]:
    """Where the reference shares of the run come from, as the shipped table of sources says."""
    used = sorted({row["source"] for row in facts.topics if row["source"]})
    asked = {"wikidata", "result_list"}  # of search engines: no table that ships
    return [
        {"name": name}
        | ({"title": names.reference_title(name)} if name in asked else {})
        | names.sources().get(name, {})
        for name in used
    ]


def _citations(systems: Sequence[System]) -> list[str]:
    def cited() -> Iterator[str]:
        for system in systems:
            try:
                searches = system.kind == Kind.SEARCH
                family = _report_words.registered(system.family)
                of = (family, Kind.SEARCH) if searches else (family,)
                yield registry.measure(*of).citation
            except InvalidInput:
                continue

    return list(dict.fromkeys(cited()))


def _numbers(facts: RunFacts, sections: Sequence[Row]) -> dict[str, Any]:
    """The numbers of the page as rows, for `--json`."""
    return {
        "run": facts.run,
        "governance": _report_governance.section(facts.run["content"]),
        "findings": [{"system": s["system"].label, "findings": s["findings"]} for s in sections],
        "lists": facts.lists,
        "engines": facts.engines,
        "coverage": facts.coverage,
        "endings": facts.endings,
        "suspensions": facts.suspensions,
        "corpora": [asdict(one) for one in _report_corpora.gathered(facts.corpora)],
        "points": facts.points,
        "topics": facts.topics,
        "pages": facts.pages,
        "blocks": facts.blocks,
        "people": [_report_people_section.numbers(one) for one in sections if "lacking" in one],
        "words": [_report_words_section.numbers(one) for one in sections if "slopes" in one],
        "signatures": facts.signatures,
    }
