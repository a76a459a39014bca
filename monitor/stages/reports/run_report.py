"""The report of one run: its stored values as a document, and as numbers for programs.

The same database gives the same bytes: every time in it is a time of the run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from monitor import registry
from monitor.model import Cue, InvalidInput, Kind
from monitor.names import find_registered_name
from monitor.stages.document import records as doc
from monitor.stages.document.html import html
from monitor.stages.document.notation import when
from monitor.stages.reports import (
    corpora,
    coverage,
    named_persons,
    names,
    occupations,
    overview_chapter,
    people_chapter,
    run_annexes,
    run_systems,
    shown_people,
    side_by_side,
    stereotypes,
    word_chapter,
    word_lists,
)
from monitor.stages.reports.run_annexes import Contents
from monitor.stages.reports.run_systems import (
    Chapter,
    MeasuredSystem,
    point_cells,
    point_columns,
)
from monitor.stages.reports.shown_people import Showing
from monitor.stages.reports.stereotypes import Texts
from monitor.stages.reports.word_lists import Listing
from monitor.store.collect import run_progress
from monitor.store.database import Connection
from monitor.store.reports import run_report as store
from monitor.store.reports.run_report import RunFacts
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Measures with a section of their own; the values of all others are listed in annex A.
_KNOWN = (
    "masculine_rate", "c_ratio_bias", "gender_accuracy", "lm_ratio", *named_persons.FAMILIES,
    *overview_chapter.FAMILIES,
)  # fmt: skip
#: With more systems than these, the findings of each can be folded, and its details are.
_UNFOLDED = 4
_IN_FULL = 3  # on a terminal
#: Sections of the summary: of all systems together, and of each by itself.
_BESIDE = ("texts", "coverage", "compare", "people", "overviews", "words")
_TABLES = ("texts", "compare", "people", "words")
_CHAPTERS = ("named_persons", "stereotypes", "professions", "accuracy", "models")
_FINDINGS_OF = {
    "named_persons": "named persons",
    "stereotypes": "stereotype sentences",
    "professions": "occupations",
    "accuracies": "sentences that say the gender",
    "models": "language model",
    "people": "who is shown",
    "overviews": "AI overviews",
}


@dataclass(frozen=True, slots=True)
class RunReport:
    """Report of a run, and its numbers for programs."""

    document: doc.Document
    numbers: dict[str, Any]

    @property
    def html(self) -> str:
        """The page: one file that needs nothing else."""
        return html(self.document)


@dataclass(frozen=True, slots=True)
class Content:
    """Questions and values of one run, by the kind of its systems."""

    facts: RunFacts
    zone: ZoneInfo
    every: Sequence[MeasuredSystem] = field(repr=False)
    systems: Sequence[MeasuredSystem] = field(
        repr=False
    )  # neither people nor words of ranked lists
    showings: Sequence[Showing] = field(repr=False)
    listings: Sequence[Listing] = field(repr=False)
    chapters: Mapping[str, Sequence[Chapter]] = field(repr=False)
    #: The occupations of the first system that was asked about named persons, for page one.
    occupations: Sequence[doc.Block] = field(default=(), repr=False)
    unfolded: int = _UNFOLDED  # the details of more systems are folded away

    @property
    def searches(self) -> bool:
        """Return whether people on pages of search engines are counted."""
        others = self.listings or self.chapters.get("overviews")
        return bool(self.facts.pages) and (bool(self.showings) or not others)

    @property
    def translates(self) -> bool:
        """Return whether anything but search engines was asked.

        A run without answers counts as that.
        """
        kinds = {row["kind"] for row in (*self.facts.engines, *self.facts.coverage)}
        return kinds != {Kind.SEARCH} and not self.facts.corpora

    @property
    def words_alone(self) -> bool:
        """Return whether only the words of ranked lists are measured."""
        others = self.searches or self.translates or self.chapters.get("overviews")
        return bool(self.listings) and not others

    @property
    def folded(self) -> bool:
        """Return whether there are so many systems that the details of each are folded away."""
        return len(self.systems) + len(self.showings) > self.unfolded


def make_report(connection: Connection, run_id: int, zone: ZoneInfo) -> RunReport:
    """Return the report of one run. Times are printed in `zone`."""
    content = _content(connection, run_id, zone)
    return RunReport(_write_document(content), _map_numbers(content))


def make_summary(
    connection: Connection, run_id: int, zone: ZoneInfo, *, findings_only: bool = False
) -> doc.Document:
    """Return what a terminal has room for: of many systems their tables side by side alone.

    With `findings_only` the key findings stand alone; of many systems, the tables.
    """
    content = replace(_content(connection, run_id, zone), unfolded=_IN_FULL)
    document = _write_document(content)
    keys: tuple[str, ...] = _BESIDE if content.folded else (*_BESIDE, *_CHAPTERS)
    if findings_only:
        keys = _TABLES if content.folded or content.facts.corpora else ()
    blocks = [
        block
        for block in document.page_one
        if not (content.folded and isinstance(block, doc.Callout) and block.title)
    ]
    if content.facts.run["content"].get("synchronised"):
        blocks += _asked_together(run_progress.measure_spreads(connection, run_id))
    sections = [section for section in document.sections if section.key in keys]
    return replace(document, page_one=blocks, sections=sections, closing="")


def _asked_together(seconds: Sequence[float]) -> list[doc.Block]:
    """Return how long after each other engines were asked the same question."""
    spread = run_progress.summarize_spreads(seconds)
    if spread is None:
        return []
    text = (
        f"Asked together: of {several(spread.n, 'question')} to several engines, half left within "
        f"{spread.median:.2f} s of each other, 95 % within {spread.p95:.2f} s, all within "
        f"{spread.most:.2f} s."
    )
    return [doc.Words(text)]


def _content(connection: Connection, run_id: int, zone: ZoneInfo) -> Content:
    """Return what a run asked and measured."""
    facts = store.read_run_facts(connection, run_id)
    all_systems = run_systems.sort_systems(facts.points, facts.run["content"], facts.cues)
    in_lists = [] if facts.corpora else all_systems
    systems = [
        system
        for system in all_systems
        if not shown_people.is_people(system) and not word_lists.is_words(system)
    ]
    showings = shown_people.list_showings(all_systems, facts.signatures)
    listings = word_lists.group_listings(in_lists, facts.lists, facts.queries, facts.questions)
    of_people = partial(
        people_chapter.write_people_chapter,
        facts=facts,
        names=partial(store.read_names, connection),
    )
    named = [system for system in systems if system.family in named_persons.FAMILIES]
    first, *others = _occupations_of(connection, named, facts) or [()]
    chapters = {
        **_of_texts(connection, systems, facts),
        "named_persons": list(map(named_persons.write_chapter, named, [(), *others])),
        "people": list(map(of_people, showings)),
        "overviews": [
            overview_chapter.write_chapter(system)
            for system in systems
            if system.family in overview_chapter.FAMILIES
        ],
        "words": [word_chapter.write_words_chapter(listing, run_id) for listing in listings],
    }
    return Content(facts, zone, all_systems, systems, showings, listings, chapters, first)


def _occupations_of(
    connection: Connection, systems: Sequence[MeasuredSystem], facts: RunFacts
) -> list[Sequence[doc.Block]]:
    """The table of occupations of each system that was asked about named persons."""
    shown = [named_persons.shown_occupations(system, facts) for system in systems]
    wanted = [one.example["attempt_id"] for occupations in shown for one in occupations]
    answers: Texts = store.read_texts(connection, wanted)
    return [
        named_persons.write_occupations(system, occupations, answers)
        for system, occupations in zip(systems, shown, strict=True)
    ]


def _of_texts(
    connection: Connection, systems: Sequence[MeasuredSystem], facts: RunFacts
) -> dict[str, Sequence[Chapter]]:
    """The chapters of all systems that answer in texts of their own, by what was measured."""
    gest, ratios, accuracies, models = (
        [system for system in systems if system.family == family] for family in _KNOWN[:4]
    )
    most = stereotypes.per_stereotype(len(gest))
    rows = {
        system.place: stereotypes.choose_examples(system, facts, tag, n)
        for group, tag, n in ((gest, "stereotype", most), (ratios, "occupation", 1))
        for system in group
    }
    needed = [row["attempt_id"] for c in rows.values() for row in chain(*c.values())]
    answers: Texts = store.read_texts(connection, needed)
    return {
        "stereotypes": [
            stereotypes.write_stereotypes_chapter(s, facts, rows[s.place], answers) for s in gest
        ],
        "professions": [
            occupations.write_occupations_chapter(s, facts, rows[s.place], answers) for s in ratios
        ],
        "accuracies": [stereotypes.write_accuracy_chapter(s) for s in accuracies],
        "models": [stereotypes.write_model_chapter(s, facts) for s in models],
    }


def _write_document(content: Content) -> doc.Document:
    run = content.facts.run
    invented = (
        "Invented data: all answers are made up. They say nothing about any real system."
        if run["content"].get("invented")
        else ""
    )
    return doc.Document(
        title=_say_title(content),
        kicker=f"Run {run['id']} of job {run['job']}",
        banner=invented,
        page_one=_page_one(content),
        sections=list(_write_sections(content)),
        generator=f"monitor {run['code_version']}",
        closing=f"End of the report of run {run['id']} of job {run['job']}. Times are in "
        f"{content.zone.key}.",
    )


def _say_title(content: Content) -> str:
    facts = content.facts
    if facts.corpora:
        return "Women and men in the texts of results"
    if not facts.pages:
        return _title_of_texts(content)
    if not content.translates and content.searches:
        return "Whom search engines show: people recorded as women and as men"
    if not content.translates and content.chapters["overviews"]:
        return "AI overviews: how often they are shown, and whom they cite"
    if not content.translates:
        return "Women and men in the words of ranked lists"
    text = "whom search engines show" if content.searches else "the words of ranked lists"
    return f"{_title_of_texts(content)}, and {text}"


def _title_of_texts(content: Content) -> str:
    facts = content.facts
    kinds = {row["kind"] for row in facts.engines} | {s.kind for s in content.systems}
    if kinds - {Kind.SEARCH} == {Kind.LM}:
        return "Women and men in language models"
    cues = set().union(*facts.cues.values()) - {Cue.PEOPLE}
    if cues == {"pronoun"}:
        return "“He” and “she” in machine translation"
    if "pronoun" in cues:
        return "Masculine and feminine forms and pronouns in machine translation"
    return "Masculine and feminine forms in machine translation"


# --- the first screen -----------------------------------------------------------------------------


def _page_one(content: Content) -> list[doc.Block]:
    run, zone = content.facts.run, content.zone
    finished = (
        f"finished {when(run['finished_at'], zone)}" if run["finished_at"] else "not finished"
    )
    described = run["content"].get("description") or ""
    body: list[doc.Block] = [doc.Words(described)] if described else []
    body += [
        doc.Words(
            f"{str(run['kind']).capitalize()} run, {run['state']}. Due "
            f"{when(run['due_at'], zone)}, begun {when(run['created_at'], zone)}, {finished}. Made "
            f"with monitor {run['code_version']}.",
            "small",
        ),
        *coverage.write_notice(content.facts, zone),
    ]
    listings, systems = content.listings, content.systems
    if not content.facts.corpora and (not listings or systems or content.showings):
        body += [_write_findings(content), *content.occupations]
    if listings:
        body.append(_findings_of_words(content))
    return body


def _write_findings(content: Content) -> doc.Callout:
    body: list[doc.Block] = []
    if not content.systems and not content.showings:
        body.append(doc.Words(side_by_side.NOTHING_COMPUTED))
    for kind, name in _FINDINGS_OF.items():
        chapters = content.chapters[kind]
        if content.folded and chapters:
            summary = f"{name.capitalize()}: {len(chapters)} systems"
            body.append(doc.Fold(summary, _said(chapters), is_open=True))
        else:
            body += _said(chapters, f": {name}")
    if content.folded and content.translates:
        body.append(doc.say("All systems in one table each: [side by side](#compare)."))
    body.append(doc.Words(_list_brackets(content, "", "meaning", "next section"), "small"))
    return doc.Callout(body, "findings", "Key findings", "findings")


def _said(found: Sequence[Chapter], ending: str = "") -> list[doc.Block]:
    body: list[doc.Block] = []
    for chapter in found:
        body += [doc.Heading(f"{chapter.label}{ending}"), *map(doc.Words, chapter.findings)]
    return body


def _findings_of_words(content: Content) -> doc.Callout:
    chapters = content.chapters["words"]
    body: list[doc.Block] = []
    for chapter in chapters:
        body += [doc.Heading(chapter.title), *map(doc.Words, chapter.findings)]
    if len(chapters) > word_chapter.UNFOLDED:
        body = [doc.Fold(f"Words of ranked lists: {len(chapters)} systems", body, is_open=True)]
    if any(len(group) > 1 for group in word_lists.group_comparable(content.listings)):
        body.append(doc.say("All systems in one table: [words of ranked lists](#words)."))
    of = (
        " over queries of this kind; those of means are widened by what documents that could not "
        "be read might hold"
    )
    alone = content.words_alone
    to = ("meaning", "next section") if alone else ("words", "words of ranked lists")
    body.append(doc.Words(_list_brackets(content, of, *to), "small"))
    title = "Key findings" if alone else "Key findings: words of ranked lists"
    return doc.Callout(body, "findings", title, "words-findings")


def _list_brackets(content: Content, of: str, key: str, title: str) -> Sequence[Any]:
    unvalidated = (
        " The probe lists are unvalidated ([see there](#coverage))."
        if coverage.say_unvalidated(content.facts)
        else ""
    )
    return doc.prose(
        f"In brackets: 95 % intervals{of}.{unvalidated} What the numbers do not say: "
        f"[{title}](#{key})."
    )


# --- sections -------------------------------------------------------------------------------------


def _write_sections(content: Content) -> Iterator[doc.Section]:
    facts = content.facts
    requested = {"translates": content.translates, "searches": content.searches}
    due = when(facts.run["due_at"], content.zone)
    if facts.corpora:
        yield corpora.write_corpora_section(content.every, facts, content.zone)
    else:
        yield from _measured(content)
    yield run_annexes.write_governance_section(facts.run["content"], facts.seen_live)
    yield run_annexes.write_checks(facts.run["id"], **requested)
    yield run_annexes.write_citation(facts, _list_citations(content.every), due, **requested)
    yield from _write_annexes(content)


def _measured(content: Content) -> Iterator[doc.Section]:
    """Yield what the values mean, what they rest on, and all of them."""
    facts, chapters, folded = content.facts, content.chapters, content.folded
    families = {reading.named.family for listing in content.listings for reading in listing.heard}
    of_words = run_annexes.meaning_of_words(families)
    about, alone = _make_contents(content), content.words_alone
    meaning = doc.Section("meaning", "What the numbers mean", of_words)
    yield meaning if alone else run_annexes.write_meaning(about)
    yield coverage.write_coverage_section(
        facts, content.systems, _write_pages(content), translates=content.translates
    )
    if content.translates:
        if languages := side_by_side.write_languages_section(content.systems):
            yield languages
        yield side_by_side.write_systems_section(content.systems, facts)
    if content.searches:
        people = chapters["people"]
        yield people_chapter.write_section_of_blocks(content.showings, people, folded=folded)
    if overviews := chapters["overviews"]:
        yield overview_chapter.write_section(overviews, folded=folded)
    if content.listings:
        yield word_chapter.write_words_section(
            content.listings, chapters["words"], facts.run["id"], () if alone else of_words
        )
    sections: dict[str, Callable[..., doc.Section]] = {
        "named_persons": named_persons.write_section,
        "stereotypes": stereotypes.write_stereotypes_section,
        "professions": partial(occupations.write_occupations_section, spoken=about.spoken),
        "accuracies": stereotypes.write_accuracy_section,
        "models": stereotypes.write_models_section,
    }
    for kind, section in sections.items():
        if chapters[kind]:
            yield section(chapters[kind], folded=folded)


def _write_annexes(content: Content) -> Iterator[doc.Section]:
    chapters = content.chapters
    if content.translates or any(chapter.tables for chapter in chapters["people"]):
        yield _write_annex(content)
    if chapters["stereotypes"]:
        yield stereotypes.write_examples_annex(chapters["stereotypes"], folded=content.folded)
    yield run_annexes.write_origin_section(content.facts, content.zone)
    if content.listings:
        yield word_chapter.write_words_annex(chapters["words"])


def _make_contents(content: Content) -> Contents:
    ratios = [s for s in content.systems if s.family == "c_ratio_bias"]
    return Contents(
        translates=content.translates,
        searches=content.searches,
        stereotypes=bool(content.chapters["stereotypes"]),
        spoken=any(system.pronoun for system in ratios),
        written=any(not system.pronoun for system in ratios),
        accuracies=bool(content.chapters["accuracies"]),
        models=bool(content.chapters["models"]),
        measured=bool(content.systems),
    )


def _write_pages(content: Content) -> list[doc.Block]:
    states = [
        (showing, shown_people.count_states(showing, content.facts.people))
        for showing in content.showings
    ]
    stored = [
        (f"{item.mark}: {item.label}", of, shown_people.name_source(of)) for item, of in states
    ]
    return shown_people.write_tables(content.facts.pages, stored)


def _write_annex(content: Content) -> doc.Section:
    """Annex A: the tables of all systems that are too long for their sections."""
    body: list[doc.Block] = []
    for kind in ("named_persons", "stereotypes", "professions", "people", "accuracies"):
        for one in content.chapters[kind]:
            body += [doc.Heading(one.title), *one.tables] if one.tables else []
    for system in content.systems:
        if system.family not in _KNOWN:
            body += _other(system)
    return doc.Section("tables", "Annex A: tables", body, "A: tables", is_annex=True)


def _other(system: MeasuredSystem) -> list[doc.Block]:
    """All values of a measure that has no section of its own."""
    parts = "value bounds used notes point"
    rows = doc.table(
        f"Values of {system.measure}",
        ["~quantity", "~scope", "~reference", *point_columns(parts)],
        [
            [
                doc.prose("`{name}`", name=point["quantity"]),
                point["scope_title"] or point["scope"],
                names.reference_title(point["reference"]) if point["reference"] else "none",
                *point_cells(parts, point),
            ]
            for point in system.points
        ],
    )
    return [doc.Heading(f"{run_systems.chapter_title(system)}, {system.measure}"), rows]


def _list_citations(systems: Sequence[MeasuredSystem]) -> list[str]:
    def cited() -> Iterator[str]:
        for system in systems:
            try:
                family = find_registered_name(system.family)
                of = (family, Kind.SEARCH) if system.kind == Kind.SEARCH else (family,)
                yield registry.measure(*of).citation
            except InvalidInput:
                continue

    return list(dict.fromkeys(cited()))


def _map_numbers(content: Content) -> dict[str, Any]:
    """The numbers of the page as rows, for `--json`."""
    facts, chapters = content.facts, content.chapters
    return {
        "run": facts.run,
        "governance": run_annexes.write_governance_lines(facts.run["content"]),
        "findings": [
            {"system": chapter.label, "findings": chapter.findings}
            for chapter in chain(*chapters.values())
        ],
        "lists": facts.lists,
        "engines": facts.engines,
        "coverage": facts.coverage,
        "endings": facts.endings,
        "suspensions": facts.suspensions,
        "corpora": corpora.list_gathered(facts.corpora),
        "points": facts.points,
        "topics": facts.topics,
        "pages": facts.pages,
        "blocks": facts.blocks,
        "people": [chapter.numbers for chapter in chapters["people"]],
        "words": [chapter.numbers for chapter in chapters["words"]],
        "signatures": facts.signatures,
    }
