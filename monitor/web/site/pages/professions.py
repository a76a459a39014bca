"""Professions of one system in one run: share in answers, share in the reference, and bias."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from os.path import commonprefix
from typing import Annotated, Any, Literal

from fastapi import Depends
from fastapi.responses import Response
from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor import registry
from monitor.model import GenderClass, Kind, State
from monitor.names import parse_name
from monitor.roles import Permission
from monitor.stages.document import draw, notation
from monitor.stages.document.notation import Piece
from monitor.stages.document.share_chart import Dot, describe_shares, draw_leanings, draw_shares
from monitor.stages.document.system_tiles import say_measured
from monitor.stages.reports import corpus_page, names, shown_people, word_lists
from monitor.stages.reports.names import KnownEngines, known_engines
from monitor.store.changes import changed_answers
from monitor.store.changes.changed_answers import AnswerScope, TickAnswer
from monitor.store.changes.series import ALL
from monitor.store.database import Connection
from monitor.store.derive.signals import read_asked_items
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import find_list_versions
from monitor.store.reports import topic_values
from monitor.store.reports.topic_values import OverallPoint
from monitor.text.quantity_values import say_interval
from monitor.web.site import rendering
from monitor.web.site.errors import Missing
from monitor.web.site.pages.corpus_texts import SNIPPET, ReadText, find_texts
from monitor.web.site.records import (
    ChoiceLabels,
    Described,
    Estimate,
    PagedContent,
    copy_record,
    count_pages,
    label_choices,
    slice_page,
    sort_by_value,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import PageNumber, Run, Text, make_router, serve_file, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who

#: Of the chart for wide and for narrow columns, of which the page shows one.
_SIZES = (
    ((520, 420), "professions", "full"), ((360, 340), "professions-phone", "phone"),
)  # fmt: skip
#: Earlier runs that are offered.
_EARLIER = 12
router = make_router("professions")
#: Other tables that fit what was chosen.
_OTHERS = 12
_ON_A_PAGE = 100
#: Professions with the largest and with the smallest bias that come first.
_MOST, _LEAST = 4, 2
#: Translators first, whose answers can be read.
_KINDS = (Kind.MT, Kind.LM, Kind.SEARCH)
_cache = ResponseCache(most=128)
SortBy = Literal["profession", "model", "target", "bias", "p", "q", "n", "women", "men"]
_CHOSEN_BY = ("engine", "target", "measure", "reference", "list", "source_lang")


class Profession(Described):
    """A profession: shares from 0 to 1; `bias` is the share in answers less the reference.

    Of a corpus, `bias` is how much more strongly its word is tied to words for women than to those
    for men, and there is no share in answers. Numbers are null unless they are known; where `state`
    is not `measured`, `reason` says why.
    """

    topic: str
    state: State
    reason: str
    model: float | None
    low: float | None
    high: float | None
    target: float | None
    bias: float | None
    bias_low: float | None
    bias_high: float | None
    p: float | None
    """Exact, of this profession alone; null where no test fits."""
    q: float | None
    """Adjusted over the professions of this table (Benjamini and Hochberg)."""
    is_biased: bool | None
    """Whether q is at most 0.05; null where there is none."""
    n: int
    """What it is of: answers with a marked gender, people with a record, texts with the word."""
    n_of: int
    """Of so many planned questions, shown entries, or texts."""
    women: float | None
    """Pairs of the word with words for women that were seen; null but of a corpus."""
    men: float | None
    """The same of words for men."""
    source: str
    country: str
    as_of: str
    key: str
    """How the keys of its questions begin; empty where they have nothing in common."""

    @property
    def source_title(self) -> str:
        """Return the title of the source of the reference share; its name where it has none."""
        return str(names.read_sources().get(self.source, {}).get("title", self.source))


class ProfessionTotal(Estimate):
    """A number over all professions; `said` and `interval_said` are as people read it."""

    series: int
    quantity: str
    title: str
    is_main: bool
    said: str
    interval_said: str


class AnswerExample(BaseModel):
    """An answer about a profession, and the words that its gender was read from."""

    topic: str
    attempt: int
    question: str
    text: str
    gender: str
    pieces: Sequence[Piece] = Field(exclude=True)


TableContent = tuple[list[Profession], list[ProfessionTotal], list[tuple[int, datetime]]]


def list_anchors() -> list[str]:
    """Return the quantity over all professions of every measure that has one."""
    return ["mb", *(f"{name}_mean" for name in _list_corpus_measures())]


def is_of_corpus(table: OverallPoint) -> bool:
    """Return whether a table is about words in texts, and not about shares."""
    return parse_name(table.measure).family in _list_corpus_measures()


def _list_corpus_measures() -> list[str]:
    measures = registry.discover("measures")
    return [name for name, measure in measures.items() if getattr(measure, "of_corpus", False)]


def read_table(connection: Connection, who: Visitor, table: OverallPoint) -> TableContent:
    """Return the rows of a table, its totals, and its earlier runs."""
    topics = topic_values.read_topics(connection, table.point)
    if is_of_corpus(table):
        rows = [_make_word_row(row) for row in topics]
    else:
        keys = topic_values.read_keys(connection, table.run, table.list, _find_tag(table))
        rows = [_make_row(row, table.kind, keys.get(row["topic"], ())) for row in topics]
    measure = registry.measure(parse_name(table.measure).family, table.kind)
    order = [quantity.name for quantity in measure.quantities]
    totals = [
        _make_total(table, row)
        for row in topic_values.find_companions(connection, who.hidden, [table], order)
        if row.scope == ALL
    ]
    totals.sort(key=lambda total: (not total.is_main, order.index(total.quantity)))
    return rows, totals, topic_values.find_earlier(connection, table.series, _EARLIER)


def _find_tag(table: OverallPoint) -> str:
    return str(registry.measure(shown_people.FAMILY, table.kind).tag)


def _make_total(table: OverallPoint, row: topic_values.CompanionPoint) -> ProfessionTotal:
    meaning = names.find_quantity(table.measure, row.quantity, table.kind).meaning
    return copy_record(
        ProfessionTotal,
        row,
        title=meaning.label,
        is_main=meaning.rank > 0,
        said=say_measured(meaning.unit, row.value),
        interval_said=say_interval(meaning.unit, row.low, row.high),
    )


def find_examples(
    connection: Connection, table: OverallPoint, topics: Collection[str]
) -> dict[str, list[AnswerExample]]:
    """Return {profession: an answer with masculine and one with feminine forms, where there are}.

    Of translators alone: pages of search engines show people, and models give numbers.
    """
    of = AnswerScope(table.engine_id, table.kind, table.list, table.source_lang, table.target, ALL)
    number = find_list_versions(connection, [table.run], table.list).get(table.run)
    if table.kind is not Kind.MT or number is None:
        return {}
    tag = _find_tag(table)
    questions = [
        item
        for item in read_asked_items(connection, number, (table.source_lang, table.target))
        if item.tags.get(tag) in topics
    ]
    topic_of = {item.key: item.tags[tag] for item in questions}
    by_topic: dict[tuple[str, str], TickAnswer] = {}
    for answer in changed_answers.read_answers(connection, of, table.run, questions):
        if answer.cls in (GenderClass.MASCULINE, GenderClass.FEMININE):
            by_topic.setdefault((topic_of[answer.key], answer.cls), answer)
    words = changed_answers.read_words(connection, of, [*by_topic.values()])
    examples: dict[str, list[AnswerExample]] = {}
    for (topic, cls), answer in sorted(by_topic.items()):
        quote = words[answer.attempt]
        part = next((part for part in quote.parts if part["cls"] == cls), None)
        if part and part["text"]:
            examples.setdefault(topic, []).append(AnswerExample(
                topic=topic, attempt=answer.attempt, question=quote.question, text=part["text"],
                gender=cls, pieces=notation.pieces(part["text"], part["witnesses"] or ()),
            ))  # fmt: skip
    return examples


#: Fields of a row that are stored as they are shown.
_STORED = ("topic", "reason", "target", "bias", "source", "country", "as_of")


def _make_word_row(row: Mapping[str, Any]) -> Profession:
    return Profession(
        **{name: row[name] for name in _STORED}, state=State(row["state"]), model=None, low=None,
        high=None, bias_low=row["model_low"], bias_high=row["model_high"], p=None, q=None,
        is_biased=None, n=row["used"], n_of=row["planned"], women=row["women"], men=row["men"],
        key="",
    )  # fmt: skip


def _make_row(row: Mapping[str, Any], kind: Kind, keys: Sequence[str]) -> Profession:
    """Return the row of a profession; limits of bias are those of its share less the reference.

    Of lists of people they are bounds for whatever people without a record are.
    """
    low, high, target = row["model_low"], row["model_high"], row["target"]
    bias_low, bias_high = row["bound_low"], row["bound_high"]
    of_people = kind is Kind.SEARCH
    if not of_people:
        is_known = None not in (low, high, target, row["bias"])
        bias_low, bias_high = (low - target, high - target) if is_known else (None, None)
    n, n_of = ("labelled", "shown") if of_people else ("used", "planned")
    is_biased = None if row["q"] is None else shown_people.is_beyond_chance(dict(row))
    return Profession(
        **{name: row[name] for name in (*_STORED, "model", "p", "q")}, state=State(row["state"]),
        low=low, high=high, bias_low=bias_low, bias_high=bias_high, is_biased=is_biased,
        n=row[n], n_of=row[n_of], women=None, men=None, key=commonprefix(keys),  # noqa: RUF071
    )  # fmt: skip


class ProfessionTable(BaseModel):
    """A table: run, system, measure and reference."""

    run: int
    job: str
    due_at: datetime
    engine: str
    system: str
    list: str
    source_lang: str
    target: str
    measure: str
    reference: str
    reference_title: str
    reference_short: str = Field(exclude=True)
    cutoff: int | None = Field(exclude=True)
    """The number of results of a page that count; null where that does not apply."""


class Professions(PagedContent):
    """Professions of one table, and other tables to choose."""

    chosen: ProfessionTable | None
    """Null where nothing was asked of professions, or nothing fits."""
    series: int | None
    """Of the mean bias, whose answers these are."""
    kind: Kind | None
    of_corpus: bool
    """Whether it is about words in texts: then there is a bias, and no share."""
    method: str
    """The name that the measure is registered under; empty where nothing was chosen."""
    read: ReadText | None
    """The texts, where the run asked nothing and read those that other jobs had collected."""
    has_words: bool
    """Whether words lead to the texts that hold them: titles and snippets, of users."""
    group: str
    """Whose share it is: women, or another group that the measure names."""
    sort: SortBy
    down: bool
    rows: Sequence[Profession]
    totals: Sequence[ProfessionTotal]
    most: Sequence[Profession]
    """Those with the largest bias, the largest first."""
    least: Sequence[Profession]
    """Those with the smallest bias, the smallest first; none of them is among the largest."""
    examples: Mapping[str, Sequence[AnswerExample]]
    """Answers about these, by profession."""
    asked: Mapping[str, str]
    engines: Sequence[str]
    targets: Sequence[str]
    measures: Sequence[str]
    references: Sequence[str]
    passed_over: int
    """Tables that fit and would come first, had they values as this one has."""
    others: Sequence[ProfessionTable]
    """Other tables that fit."""
    earlier: Sequence[tuple[int, datetime]]
    """(run, due) of the same table."""

    labels: ChoiceLabels = Field(exclude=True)
    dots: Sequence[Dot] = Field(exclude=True)
    sides: Markup | None = Field(default=None, exclude=True)
    """Of a corpus both sides of each word, with the unbiased area."""
    area: str = Field(default="", exclude=True)
    """What that area is, or why there is none."""

    @property
    def choices(self) -> Mapping[str, Sequence[str]]:
        """Return the values to filter by, by field."""
        return {
            "engine": self.engines, "target": self.targets, "measure": self.measures,
            "reference": self.references,
        }  # fmt: skip

    @property
    def chart(self) -> Markup:
        """Return the chart of the professions of all pages."""
        if not self.dots:
            return Markup("")
        if self.of_corpus:
            title = "Bias of words against the reference share"
            sentence = (
                f"{len(self.dots)} words for professions with a bias and a reference share: "
                f"{sum(dot.model > 0 for dot in self.dots)} towards women, "
                f"{sum(dot.model < 0 for dot in self.dots)} towards men."
            )
        else:
            title = "Share in the answers against the reference, profession by profession"
            sentence = describe_shares(self.dots, self.group)
        pictures = []
        for size, name, class_name in _SIZES:
            drawn = (
                draw_leanings(self.dots, size)
                if self.of_corpus
                else draw_shares(self.dots, self.group, size)
            )
            pictures.append(draw.picture(drawn, size, name, title, sentence, class_name))
        return Markup('<div class="time-chart">{}{}</div>').format(*pictures)


@dataclass(frozen=True, slots=True)
class ProfessionFilter:
    """Filters of the page; empty stands for any value, no run for the newest."""

    run: Run = None
    engine: Text = ""
    target: Text = ""
    measure: Text = ""
    reference: Text = ""
    list: Text = ""
    source_lang: Text = ""
    sort: SortBy = "bias"
    down: bool = True


TheFilter = Annotated[ProfessionFilter, Depends()]


@serve_page(router, "/professions", "professions.html", Permission.NUMBERS)
def professions(
    site: TheSite, who: Who, asked: TheFilter,
    page: PageNumber = 1,
) -> Professions:  # fmt: skip
    """Return the professions of one system in one run, by default the newest."""
    content = _read_page(site, who, asked)
    content.page, content.n_pages = page, count_pages(len(content.rows), _ON_A_PAGE)
    content.rows = slice_page(content.rows, page, _ON_A_PAGE)
    return content


def _read_page(site: Site, who: Visitor, asked: ProfessionFilter) -> Professions:
    with site.database.read() as connection:
        contents = declarations.read_job_contents(connection)
        engines = known_engines(connection, contents)
        controls = {label for content in contents for label in names.control_labels(content)}
        tables = _list_tables(connection, who, asked.run, controls)
        fitting = [
            anchor for anchor in tables
            if all(getattr(asked, by) in ("", getattr(anchor, by)) for by in _CHOSEN_BY)
        ]  # fmt: skip
        anchor = fitting[0] if fitting else None
        text = None
        if anchor:
            pair = anchor.source_lang, anchor.target
            text = find_texts(connection, who, anchor.run, anchor.engine_id, pair, anchor.measure)
        content = _read_content(connection, who, anchor) if anchor else _NOTHING
        return Professions(
            chosen=_describe_table(anchor, engines) if anchor else None,
            series=anchor.series if anchor else None,
            kind=anchor.kind if anchor else None,
            of_corpus=anchor is not None and is_of_corpus(anchor),
            method=parse_name(anchor.measure).family if anchor else "",
            read=text,
            has_words=text is not None and text.text == SNIPPET and who.may(Permission.CAPTURED),
            group=str(parse_name(anchor.measure).parameters.get("group", "women"))
            if anchor
            else "women",
            sort=asked.sort,
            down=asked.down,
            page=1,
            n_pages=1,
            asked={by: getattr(asked, by) for by in _CHOSEN_BY},
            engines=_list_values(tables, "engine"),
            targets=_list_values(tables, "target"),
            measures=_list_values(tables, "measure"),
            references=_list_values(tables, "reference"),
            labels=label_choices(((table.engine, table) for table in tables), engines),
            passed_over=sum(
                _table_order(table, controls) < _table_order(anchor, controls) for table in fitting
            )
            if anchor
            else 0,
            others=[_describe_table(further, engines) for further in fitting[1 : _OTHERS + 1]],
            **{**content, "rows": _sort_rows(content["rows"], asked.sort, down=asked.down)},
        )


#: The content of a page without a table.
_NOTHING: Mapping[str, Any] = {
    "rows": [], "totals": [], "earlier": [], "dots": [], "most": [], "least": [], "examples": {},
}  # fmt: skip


def _read_content(connection: Connection, who: Visitor, table: OverallPoint) -> Mapping[str, Any]:
    """Return the fields of Professions that are of one table: its rows, totals, charts."""

    def read() -> Mapping[str, Any]:
        rows, totals, earlier = read_table(connection, who, table)
        most, least = _find_extremes(rows)
        content = dict(_NOTHING, rows=rows, totals=totals, earlier=earlier, most=most, least=least)
        content["dots"] = _make_dots(rows)
        if is_of_corpus(table):
            content["sides"], content["area"] = _draw_sides(connection, table, rows)
        else:
            topics = {row.topic for row in (*most, *least)}
            content["examples"] = find_examples(connection, table, topics)
        return content

    return _cache.get(connection, who, table.point, read)


def _draw_sides(
    connection: Connection, table: OverallPoint, rows: Sequence[Profession]
) -> tuple[Markup | None, str]:
    point_facts = topic_values.read_facts(connection, table.point)
    words = [row.topic for row in rows if row.bias is not None]
    system = names.name_system(_system_row(table))
    return corpus_page.draw_picture(
        words, point_facts, "sides", system, "sides"
    ), corpus_page.say_area(point_facts)


def _find_extremes(rows: Sequence[Profession]) -> tuple[list[Profession], list[Profession]]:
    biased = [(abs(row.bias), row.topic, row) for row in rows if row.bias is not None]
    by_size = [row for *_, row in sorted(biased, key=lambda entry: (-entry[0], entry[1]))]
    return by_size[:_MOST], by_size[_MOST:][-_LEAST:][::-1]


def _make_dots(rows: Sequence[Profession]) -> list[Dot]:
    heights = ((row, row.bias if row.women is not None else row.model) for row in rows)
    return [
        Dot(row.target, height, bool(row.is_biased), row.topic.replace("_", " "))
        for row, height in heights
        if row.target is not None and height is not None and row.bias is not None
    ]


def _list_tables(
    connection: Connection, who: Visitor, run: int | None, controls: Collection[str]
) -> Sequence[OverallPoint]:
    """Return the tables of a run, or the newest of each series, the default one first."""

    def all_of_them() -> Sequence[OverallPoint]:
        tables = topic_values.find_anchors(connection, who.hidden, list_anchors(), run)
        valued = topic_values.filter_with_values(connection, [table.point for table in tables])
        return sorted(
            tables, key=lambda table: (table.point not in valued, *_table_order(table, controls))
        )

    return _cache.get(connection, who, ("tables", run), all_of_them)


def _table_order(table: OverallPoint, controls: Collection[str]) -> tuple[Any, ...]:
    cut = parse_name(table.measure).cutoff or word_lists.MAIN
    return (
        -table.due_at.timestamp(), table.engine in controls, _KINDS.index(table.kind),
        abs(cut - word_lists.MAIN), table.reference == "parity", table.list,
        table.engine, table.target, table.source_lang, table.measure, table.reference,
    )  # fmt: skip


def _list_values(tables: Iterable[OverallPoint], name: str) -> list[str]:
    return sorted({getattr(table, name) for table in tables})


def _system_row(table: OverallPoint) -> dict[str, Any]:
    return {name: getattr(table, name) for name in ("engine", "source_lang", "target", "kind")}


def _describe_table(table: OverallPoint, engines: KnownEngines) -> ProfessionTable:
    system = names.name_system(_system_row(table) | {"engine_title": engines[table.engine].title})
    return copy_record(
        ProfessionTable,
        table,
        system=system,
        reference_title=names.reference_title(table.reference),
        reference_short=names.short_reference(table.reference),
        cutoff=parse_name(table.measure).cutoff,
    )


def _sort_rows(rows: Sequence[Profession], by: SortBy, *, down: bool) -> list[Profession]:
    """Return rows sorted by one column, rows without a value last."""
    ordered = sorted(rows, key=lambda row: row.topic)
    if by == "profession":
        return ordered[::-1] if down else ordered
    return sort_by_value(ordered, attrgetter(by), down=down)


_COLUMNS = tuple(name for name in Profession.model_fields if name != "key")


@serve_file(router, "/professions.csv")
def professions_csv(site: TheSite, who: Who, asked: TheFilter) -> Response:
    """Return the table as CSV, with run and system in every row."""
    content = _read_page(site, who, asked)
    if content.chosen is None:
        raise Missing("no profession fits")
    about = content.chosen.model_dump(mode="json")
    rows = ([*about.values(), *(getattr(row, name) for name in _COLUMNS)] for row in content.rows)
    return rendering.make_csv(
        site, [[*about, *_COLUMNS], *rows], f"professions-run-{content.chosen.run}"
    )
