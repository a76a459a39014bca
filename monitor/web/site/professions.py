"""Professions of one system in one run: their share in the answers, in the reference, the bias."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends
from fastapi.responses import Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.model import Kind
from monitor.roles import Permission
from monitor.stages import _corpus_sides as sides
from monitor.stages import _report_names as titles
from monitor.stages import _report_words as words
from monitor.stages._report_text import visible
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.share_chart import Dot
from monitor.stages.weekly import names
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.reports import topic_values
from monitor.store.reports.topic_values import OverallPoint
from monitor.web.site import _chart_shares, _download
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import PageNumber, Run, Text
from monitor.web.site._kept import Kept
from monitor.web.site._professions import (
    Example,
    Profession,
    Total,
    examples,
    is_of_corpus,
    quantities,
    read,
)
from monitor.web.site._routes import page, pages
from monitor.web.site._run_texts import SNIPPET, ReadText, behind
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("professions")

#: Other tables that fit what was chosen.
_OTHERS = 12
_ON_A_PAGE = 100
#: Professions with the largest and with the smallest bias that come first.
_MOST, _LEAST = 4, 2

#: Translators first, whose answers can be read.
_KINDS = (Kind.MT, Kind.LM, Kind.SEARCH)

_kept = Kept(most=128)

SortBy = Literal["profession", "model", "target", "bias", "p", "q", "n", "women", "men"]


class Choice(BaseModel):
    """A table that there is: of a run, a system, a measure and a reference."""

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


class Professions(BaseModel):
    """The professions of one table, and which others there are."""

    model_config = ConfigDict(use_attribute_docstrings=True, arbitrary_types_allowed=True)

    chosen: Choice | None
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
    page: int
    n_pages: int
    rows: Sequence[Profession]
    totals: Sequence[Total]
    most: Sequence[Profession]
    """Those with the largest bias, the largest first."""
    least: Sequence[Profession]
    """Those with the smallest bias, the smallest first; none of them is among the largest."""
    examples: Mapping[str, Sequence[Example]]
    """Answers about these, by profession."""
    asked: Mapping[str, str]
    engines: Sequence[str]
    targets: Sequence[str]
    measures: Sequence[str]
    references: Sequence[str]
    passed_over: int
    """Tables that fit and would come first, had they values as this one has."""
    others: Sequence[Choice]
    """Other tables that fit."""
    earlier: Sequence[tuple[int, datetime]]
    """(run, due) of the same table."""

    dots: Sequence[Dot] = Field(exclude=True)
    sides: Markup | None = Field(default=None, exclude=True)
    """Of a corpus both sides of each word, with the unbiased area."""
    area: str = Field(default="", exclude=True)
    """What that area is, or why there is none."""

    @property
    def chart(self) -> Markup:
        """Shares in answers against those of the reference, of all pages."""
        if self.of_corpus:
            return _chart_shares.leaning(self.dots, "Bias of words against the reference share")
        title = "Share in the answers against the reference, profession by profession"
        return _chart_shares.against(self.dots, self.group, title)


class Asked(BaseModel):
    """What was chosen; empty stands for anything, the newest run for none."""

    run: int | None
    engine: str
    target: str
    measure: str
    reference: str
    list: str
    source_lang: str
    sort: SortBy
    down: bool


def _asked(
    run: Run = None,
    engine: Text = "",
    target: Text = "",
    measure: Text = "",
    reference: Text = "",
    list: Text = "",  # noqa: A002 - as it stands in the address
    source_lang: Text = "",
    sort: SortBy = "bias",
    down: bool = True,
) -> Asked:
    return Asked(
        run=run, engine=engine, target=target, measure=measure, reference=reference, list=list,
        source_lang=source_lang, sort=sort, down=down,
    )  # fmt: skip


TheAsked = Annotated[Asked, Depends(_asked)]
_CHOSEN_BY = ("engine", "target", "measure", "reference", "list", "source_lang")


@page(router, "/professions", "professions.html", Permission.NUMBERS)
def professions(
    site: TheSite, who: Who, asked: TheAsked,
    page: PageNumber = 1,
) -> Professions:  # fmt: skip
    """Professions of one system in one run, by default the newest."""
    found = _found(site, who, asked)
    found.page, found.n_pages = page, max(1, -(-len(found.rows) // _ON_A_PAGE))
    found.rows = found.rows[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    return found


def _found(site: Site, who: Visitor, asked: Asked) -> Professions:
    """A table with all its rows."""
    with site.database.read() as connection:
        contents = declarations.read_job_contents(connection)
        engines = known_engines(connection, contents)
        controls = {label for content in contents for label in titles.control_labels(content)}
        every = _tables(connection, who, asked.run, controls)
        fitting = [
            one for one in every
            if all(getattr(asked, by) in ("", getattr(one, by)) for by in _CHOSEN_BY)
        ]  # fmt: skip
        one = fitting[0] if fitting else None
        text = _read_by(connection, who, one) if one else None
        found = Professions(
            chosen=_choice(one, engines) if one else None, series=one.series if one else None,
            kind=one.kind if one else None, of_corpus=one is not None and is_of_corpus(one),
            method=words.named(one.measure).family if one else "",
            read=text,
            has_words=text is not None and text.text == SNIPPET and who.may(Permission.CAPTURED),
            group=_group(one) if one else "women",
            sort=asked.sort, down=asked.down, page=1, n_pages=1, rows=[], totals=[], dots=[],
            most=[], least=[], examples={},
            asked={by: getattr(asked, by) for by in _CHOSEN_BY},
            engines=_values(every, "engine"), targets=_values(every, "target"),
            measures=_values(every, "measure"), references=_values(every, "reference"),
            passed_over=_passed_over(one, fitting, controls) if one else 0,
            others=[_choice(other, engines) for other in fitting[1 : _OTHERS + 1]], earlier=[],
        )  # fmt: skip
        if one:
            table = _kept.get(connection, who, one.point, lambda: read(connection, who, one))
            rows, found.totals, found.earlier = table
            found.rows = _sorted(rows, asked.sort, down=asked.down)
            found.dots = _dots(rows)
            found.most, found.least = _extremes(rows)
            if found.of_corpus:
                found.sides, found.area = _kept.get(
                    connection, who, ("sides", one.point), lambda: _sides(connection, one, rows)
                )
            else:
                topics = {row.topic for row in (*found.most, *found.least)}
                found.examples = _kept.get(
                    connection, who, ("examples", one.point),
                    lambda: examples(connection, one, topics),
                )  # fmt: skip
    return found


def _read_by(connection: Connection, who: Visitor, one: OverallPoint) -> ReadText | None:
    pair = one.source_lang, one.target
    return behind(connection, who, one.run, one.engine_id, pair, one.measure)


def _sides(
    connection: Connection, one: OverallPoint, rows: Sequence[Profession]
) -> tuple[Markup | None, str]:
    told = topic_values.read_facts(connection, one.point)
    words = [row.topic for row in rows if row.bias is not None]
    system = names.system(_about(one))
    return sides.picture(words, told, "sides", system, "sides"), sides.said(told)


def _extremes(rows: Sequence[Profession]) -> tuple[list[Profession], list[Profession]]:
    """Return the professions with the largest bias, and those with the smallest."""
    known = [(abs(row.bias), row.topic, row) for row in rows if row.bias is not None]
    by_size = [row for *_, row in sorted(known, key=lambda entry: (-entry[0], entry[1]))]
    return by_size[:_MOST], by_size[_MOST:][-_LEAST:][::-1]


def _dots(rows: Sequence[Profession]) -> list[Dot]:
    """Shares in answers, or of words their bias, against those of the reference."""
    drawn = ((one, one.bias if one.women is not None else one.model) for one in rows)
    return [
        Dot(one.target, at, bool(one.is_biased), one.topic.replace("_", " "))
        for one, at in drawn
        if one.target is not None and at is not None and one.bias is not None
    ]


def _passed_over(
    one: OverallPoint, fitting: Iterable[OverallPoint], controls: Collection[str]
) -> int:
    """Return how many tables would come before one, had they values as this one has."""
    return sum(_place(other, controls) < _place(one, controls) for other in fitting)


def _tables(
    connection: Connection, who: Visitor, run: int | None, controls: Collection[str]
) -> Sequence[OverallPoint]:
    """All tables of a run, or the newest of each series; the one to show first comes first."""

    def all_of_them() -> Sequence[OverallPoint]:
        found = (
            topic_values.find_newest(connection, who.hidden, quantities())
            if run is None
            else topic_values.find_in_run(connection, who.hidden, quantities(), run)
        )
        valued = topic_values.filter_with_values(connection, [one.point for one in found])
        return sorted(found, key=lambda one: (one.point not in valued, *_place(one, controls)))

    return _kept.get(connection, who, ("tables", run), all_of_them)


def _place(one: OverallPoint, controls: Collection[str]) -> tuple[Any, ...]:
    cut = words.named(one.measure).cutoff or words.MAIN
    return (
        -one.due_at.timestamp(), one.engine in controls, _KINDS.index(one.kind),
        abs(cut - words.MAIN), one.reference == "parity", one.list,
        one.engine, one.target, one.source_lang, one.measure, one.reference,
    )  # fmt: skip


def _values(every: Iterable[OverallPoint], name: str) -> list[str]:
    return sorted({getattr(one, name) for one in every})


def _about(one: OverallPoint) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("engine", "source_lang", "target", "kind")}


def _choice(one: OverallPoint, engines: KnownEngines) -> Choice:
    system = names.system_words(_about(one) | {"engine_title": engines[one.engine].title})
    return Choice(
        run=one.run, job=one.job, due_at=one.due_at, engine=one.engine, system=system,
        list=one.list, source_lang=one.source_lang, target=one.target, measure=one.measure,
        reference=one.reference, reference_title=titles.reference_title(one.reference),
        reference_short=titles.short_reference(one.reference),
    )  # fmt: skip


def _group(one: OverallPoint) -> str:
    return str(words.named(one.measure).parameters.get("group", "women"))


def _sorted(rows: Sequence[Profession], by: SortBy, *, down: bool) -> list[Profession]:
    """In order of one column; what has no value there comes last either way."""
    ordered = sorted(rows, key=lambda one: one.topic)
    if by == "profession":
        return ordered[::-1] if down else ordered
    known = [one for one in ordered if getattr(one, by) is not None]
    known.sort(key=lambda one: getattr(one, by), reverse=down)
    return [*known, *(one for one in ordered if getattr(one, by) is None)]


_COLUMNS = tuple(name for name in Profession.model_fields if name != "key")


@router.get("/professions.csv", include_in_schema=False,
            dependencies=[Depends(needs(Permission.NUMBERS))])  # fmt: skip
def professions_csv(site: TheSite, who: Who, asked: TheAsked) -> Response:
    """The same table, with what it is of in every row."""
    found = _found(site, who, asked)
    if found.chosen is None:
        raise Missing("no profession fits")
    about = found.chosen.model_dump(mode="json")
    rows = (
        [*map(_cell, about.values()), *(_cell(getattr(one, name)) for name in _COLUMNS)]
        for one in found.rows
    )
    return _download.csv(site, [[*about, *_COLUMNS], *rows], f"professions-run-{found.chosen.run}")


def _cell(value: object) -> object:
    return visible(value) if isinstance(value, str) else value
