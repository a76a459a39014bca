"""The report of one run: its stored values as a document, and as numbers for programs.

The same database gives the same bytes: every time in it is a time of the run.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, repeat
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from monitor import registry
from monitor.model import Cue, InvalidInput, Kind
from monitor.names import find_registered_name
from monitor.stages.document import records as doc
from monitor.stages.document.html import html
from monitor.stages.document.notation import when
from monitor.stages.reports import (
    cells,
    corpus_page,
    coverage,
    names,
    occupations,
    people_chapter,
    quantity_chapters,
    run_annexes,
    run_systems,
    shown_people,
    side_by_side,
    stereotypes,
    word_chapter,
    word_lists,
)
from monitor.stages.reports.run_systems import Chapter, MeasuredSystem
from monitor.stages.reports.shown_people import Showing
from monitor.stages.reports.word_lists import Listing
from monitor.store.collect import run_progress
from monitor.store.database import Connection
from monitor.store.reports import run_report as store
from monitor.store.reports.run_report import RunFacts
from monitor.text.counted_nouns import several


class ChapterKind(NamedTuple):
    """Chapters of one sort: what findings call them, their measures, and what their section has.

    `lead` stands before the chapters, `end` after them. Without a title the section is made by the
    module of the chapters.
    """

    findings: str
    families: tuple[str, ...] = ()
    title: str = ""
    lead: Sequence[doc.Prose] = ()
    end: Sequence[doc.Block] = ()


#: By the key of their section, in the order of the report.
_KINDS: Mapping[str, ChapterKind] = {
    "named_persons": ChapterKind(
        "named persons", ("winomt", "gender_agreement", "ambiguous_default"), "Named persons",
        [quantity_chapters.PERSONS_LEAD],
    ),
    "stereotypes": ChapterKind(
        "stereotype sentences", ("masculine_rate",), "Stereotypes", end=[stereotypes.COMPARED]
    ),
    "professions": ChapterKind("occupations", ("c_ratio_bias",), "Occupations", occupations.LEAD),
    "accuracy": ChapterKind(
        "sentences that say the gender", ("gender_accuracy",), "Where the gender is said",
        [stereotypes.ACCURACY_LEAD],
    ),
    "models": ChapterKind(
        "language model", ("lm_ratio",), "Language models", [stereotypes.MODELS_LEAD]
    ),
    "people": ChapterKind("who is shown"),
    "overviews": ChapterKind(
        "AI overviews", ("overview_rate", "cited_domains"), "AI overviews",
        [quantity_chapters.OVERVIEWS_LEAD],
    ),
}  # fmt: skip
#: Measures with a section of their own; the values of all others are listed in annex A.
_KNOWN = frozenset(family for kind in _KINDS.values() for family in kind.families)
#: With more systems than these, the findings of each can be folded, and its details are.
_UNFOLDED = 4
_IN_FULL = 3  # on a terminal
#: Sections of the summary: of all systems together, and of each by itself.
_BESIDE = ("texts", "coverage", "compare", "people", "overviews", "words")
_TABLES = ("texts", "compare", "people", "words")
_CHAPTERS = ("named_persons", "stereotypes", "professions", "accuracy", "models")


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
    #: Those that are measured neither by people nor by the words of ranked lists.
    systems: Sequence[MeasuredSystem] = field(repr=False)
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
        spread = run_progress.summarize_spreads(run_progress.measure_spreads(connection, run_id))
        if spread is not None:
            blocks.append(doc.Words(
                f"Asked together: of {several(spread.n, 'question')} to several engines, half left "
                f"within {spread.median:.2f} s of each other, 95 % within {spread.p95:.2f} s, all "
                f"within {spread.most:.2f} s."
            ))  # fmt: skip
    sections = [section for section in document.sections if section.key in keys]
    return replace(document, page_one=blocks, sections=sections, closing="")


def _content(connection: Connection, run_id: int, zone: ZoneInfo) -> Content:
    """Return what a run asked and measured."""
    facts = store.read_run_facts(connection, run_id)
    every = run_systems.sort_systems(facts.points, facts.run["content"], facts.cues)
    systems = [
        system
        for system in every
        if not shown_people.is_people(system) and not word_lists.is_words(system)
    ]
    showings = shown_people.list_showings(every, facts.signatures)
    in_lists = [] if facts.corpora else every
    listings = word_lists.group_listings(in_lists, facts.lists, facts.queries, facts.questions)
    of = {
        key: [system for system in systems if system.family in kind.families]
        for key, kind in _KINDS.items()
    }
    most = stereotypes.per_stereotype(len(of["stereotypes"]))
    chosen = {
        system.place: stereotypes.choose_examples(system, facts, tag, n)
        for key, tag, n in (("stereotypes", "stereotype", most), ("professions", "occupation", 1))
        for system in of[key]
    }
    shown = [quantity_chapters.shown_occupations(s, facts) for s in of["named_persons"]]
    printed = [row for rows in chosen.values() for row in chain(*rows.values())]
    printed += [one.example for one in chain(*shown)]
    answers = store.read_texts(connection, [row["attempt_id"] for row in printed])
    tables = map(quantity_chapters.write_occupations, of["named_persons"], shown, repeat(answers))
    first, *others = list(tables) or [[]]  # those of the first system stand on page one
    read_names = partial(store.read_names, connection)
    chapters: dict[str, list[Chapter]] = {
        "stereotypes": [
            stereotypes.write_stereotypes_chapter(s, facts, chosen[s.place], answers)
            for s in of["stereotypes"]
        ],
        "professions": [
            occupations.write_occupations_chapter(s, facts, chosen[s.place], answers)
            for s in of["professions"]
        ],
        "accuracy": list(map(stereotypes.write_accuracy_chapter, of["accuracy"])),
        "models": [stereotypes.write_model_chapter(system, facts) for system in of["models"]],
        "named_persons": list(
            map(quantity_chapters.write_persons_chapter, of["named_persons"], [[], *others])
        ),
        "people": [
            people_chapter.write_people_chapter(showing, facts, read_names) for showing in showings
        ],
        "overviews": list(map(quantity_chapters.write_overviews_chapter, of["overviews"])),
        "words": [word_chapter.write_words_chapter(listing, run_id) for listing in listings],
    }
    return Content(facts, zone, every, systems, showings, listings, chapters, first)


def _write_document(content: Content) -> doc.Document:
    run = content.facts.run
    invented = "Invented data: all answers are made up. They say nothing about any real system."
    return doc.Document(
        title=_say_title(content),
        kicker=f"Run {run['id']} of job {run['job']}",
        banner=invented if run["content"].get("invented") else "",
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
    end = run["finished_at"]
    finished = f"finished {when(end, zone)}" if end else "not finished"
    described = run["content"].get("description")
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
    for key, kind in _KINDS.items():
        chapters = content.chapters[key]
        if content.folded and chapters:
            summary = f"{kind.findings.capitalize()}: {len(chapters)} systems"
            body.append(doc.Fold(summary, _list_findings(chapters), is_open=True))
        else:
            body += _list_findings(chapters, f": {kind.findings}")
    if content.folded and content.translates:
        body.append(doc.say("All systems in one table each: [side by side](#compare)."))
    body.append(doc.Words(_list_brackets(content, "", "meaning", "next section"), "small"))
    return doc.Callout(body, "findings", "Key findings", "findings")


def _list_findings(found: Sequence[Chapter], ending: str = "") -> list[doc.Block]:
    body: list[doc.Block] = []
    for chapter in found:
        body += [doc.Heading(f"{chapter.label}{ending}"), *map(doc.Words, chapter.findings)]
    return body


def _findings_of_words(content: Content) -> doc.Callout:
    chapters = [replace(each, label=each.title) for each in content.chapters["words"]]
    body = _list_findings(chapters)
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
        yield corpus_page.write_corpora_section(content.every, facts, content.zone)
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
    alone, said = content.words_alone, _list_said(content)
    meaning = doc.Section("meaning", "What the numbers mean", of_words)
    yield meaning if alone else run_annexes.write_meaning(said)
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
    if chapters["overviews"]:
        yield _write_section("overviews", content, said)
    if content.listings:
        yield word_chapter.write_words_section(
            content.listings, chapters["words"], facts.run["id"], () if alone else of_words
        )
    yield from (_write_section(key, content, said) for key in _CHAPTERS if chapters[key])


def _write_section(key: str, content: Content, said: set[str]) -> doc.Section:
    kind = _KINDS[key]
    lead = [text for text in kind.lead if text is not occupations.PRONOUNS or "spoken" in said]
    chapters = run_systems.write_chapters(content.chapters[key], folded=content.folded)
    return doc.Section(key, kind.title, [*map(doc.Words, lead), *chapters, *kind.end])


def _write_annexes(content: Content) -> Iterator[doc.Section]:
    chapters = content.chapters
    if content.translates or any(chapter.tables for chapter in chapters["people"]):
        yield _write_annex(content)
    if chapters["stereotypes"]:
        yield stereotypes.write_examples_annex(chapters["stereotypes"], folded=content.folded)
    yield run_annexes.write_origin_section(content.facts, content.zone)
    if content.listings:
        yield word_chapter.write_words_annex(chapters["words"])


def _list_said(content: Content) -> set[str]:
    """The sorts of questions and measures that the first section has to explain."""
    pronouns = {s.pronoun for s in content.systems if s.family == "c_ratio_bias"}
    has = {
        "translates": content.translates,
        "searches": content.searches,
        "spoken": True in pronouns,
        "written": False in pronouns,
        "measured": content.systems,
        **{key: content.chapters[key] for key in ("stereotypes", "accuracy", "models")},
    }
    return {name for name, is_there in has.items() if is_there}


def _write_pages(content: Content) -> list[doc.Block]:
    stored = []
    for showing in content.showings:
        states = shown_people.count_states(showing, content.facts.people)
        stored.append((showing.title, states, shown_people.name_source(states)))
    return shown_people.write_tables(content.facts.pages, stored)


def _write_annex(content: Content) -> doc.Section:
    """Annex A: the tables of all systems that are too long for their sections."""
    body: list[doc.Block] = []
    for key in ("named_persons", "stereotypes", "professions", "people", "accuracy"):
        for chapter in content.chapters[key]:
            body += [doc.Heading(chapter.title), *chapter.tables] if chapter.tables else []
    for system in content.systems:
        if system.family not in _KNOWN:
            body += _other(system)
    return doc.Section("tables", "Annex A: tables", body, "A: tables", is_annex=True)


def _other(system: MeasuredSystem) -> list[doc.Block]:
    """All values of a measure that has no section of its own."""
    parts = "value bounds used notes point"
    rows = doc.table(
        f"Values of {system.measure_title}",
        ["~quantity", "~scope", "~reference", *cells.point_columns(parts)],
        [
            [
                doc.prose("`{name}`", name=point["quantity"]),
                point["scope_title"] or point["scope"],
                names.reference_title(point["reference"]) if point["reference"] else "none",
                *cells.point_cells(parts, point),
            ]
            for point in system.points
        ],
    )
    return [doc.Heading(f"{run_systems.chapter_title(system)}, {system.measure_title}"), rows]


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
        "corpora": corpus_page.list_gathered(facts.corpora),
        "points": facts.points,
        "topics": facts.topics,
        "pages": facts.pages,
        "blocks": facts.blocks,
        "people": [chapter.numbers for chapter in chapters["people"]],
        "words": [chapter.numbers for chapter in chapters["words"]],
        "signatures": facts.signatures,
    }
