"""Series as pages show them: titles, newest value, small chart, siblings; and the list of all."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Query
from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor.model import Kind, Quantity, QuantityUnit, State, as_row
from monitor.roles import Permission
from monitor.stages.document.draw import path, place
from monitor.stages.reports import names
from monitor.stages.reports.names import SITE, KnownEngines, known_engines
from monitor.store.changes import series
from monitor.store.changes.series import ALL, Filters, Series, SeriesSummary, SparklineTick
from monitor.store.database import Connection
from monitor.text.quantity_values import say_question
from monitor.web.site.errors import Missing
from monitor.web.site.records import (
    ChoiceLabels,
    Described,
    Estimate,
    PagedContent,
    copy_record,
    count_pages,
    label_choices,
    list_choices,
    slice_page,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import PageNumber, make_router, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

_WIDTH, _HEIGHT, _EDGE = 96.0, 22.0, 3.0
_LEAST_RANGE = 0.02


def draw_spark(marks: Sequence[tuple[State, float | None]]) -> Markup:
    """Draw the newest runs of a series, the oldest first, with a mark at each gap.

    It stands beside the newest value in words, in a table of the class `values`, and is hidden from
    those who hear the page.
    """
    values = [value for _, value in marks if value is not None]
    if not values:
        return Markup("")
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE)
    bottom = (low + high - room) / 2
    step = (_WIDTH - 2 * _EDGE) / max(len(marks) - 1, 1)
    lines: list[list[tuple[float, float]]] = [[]]
    gaps = []
    for index, (_, value) in enumerate(marks):
        x = _EDGE + index * step
        if value is None:
            lines.append([])
            gaps.append(f"M{place(x)},{place(_HEIGHT)}v-4")
            continue
        y = _HEIGHT - _EDGE - (value - bottom) / room * (_HEIGHT - 2 * _EDGE)
        lines[-1].append((x, y))
    # a tick between two gaps is a line of no length, which round ends make a dot
    drawn = "".join(path(line if len(line) > 1 else line * 2) for line in lines if line)
    lost = f'<path class="gap" d="{"".join(gaps)}"/>' if gaps else ""
    return Markup(  # noqa: S704 - numbers alone
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" aria-hidden="true">'
        f'<path d="{drawn}"/>{lost}</svg>'
    )


#: Siblings that are named.
_SIBLINGS = 60


class Point(BaseModel):
    """A run of a small chart. `value` is null unless `state` is `measured`."""

    due_at: datetime
    state: State
    value: float | None


class SeriesCell(Estimate):
    """A series with its newest tick, and a chart of the newest ones.

    `value`, `low` and `high` are null unless `state` is `measured`; `reason` says why. `low` and
    `high` are the ends of the 95 % interval.
    """

    number: int
    """Of the series."""
    title: str
    quantity_title: str
    job: str
    list: str
    engine: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    scope: str
    due_at: datetime
    n_ticks: int
    """Due ticks since its first one, gaps included."""
    n_measured: int
    newest: Sequence[Point]

    @property
    def spark(self) -> Markup:
        """Return the newest runs as a small chart."""
        return draw_spark([(tick.state, tick.value) for tick in self.newest])


class SeriesDescription(Described):
    """Subject of a series: system, list, measure, quantity and part."""

    number: int
    key: str
    title: str
    quantity_title: str
    system: str
    """`DeepL, English to Czech`."""
    kind: Kind
    job: str
    """That began it."""
    list: str
    engine: str
    surface: str
    source_lang: str
    target: str
    measure: str
    method: str
    """The name that the measure is registered under."""
    quantity: str
    reference: str
    reference_title: str
    scope: str
    """`all`, or the part of the questions."""
    scope_title: str
    means: str
    """What the measure means; empty where this installation does not know it any more."""
    neutral: float | None
    """The value when nothing leans."""
    least: float | None
    most: float | None
    reference_short: str = Field(exclude=True)
    label: str = Field(exclude=True)
    """The quantity in plain words, and of which part of the questions."""
    unit: QuantityUnit = Field(exclude=True)
    question: str = Field(exclude=True)
    """That the series answers of the system."""


def require_series(connection: Connection, who: Visitor, number: int) -> Series:
    """Return a series by its number. Raise Missing if absent or under embargo."""
    stored = series.get_series(connection, number) if who.hidden.shows(number) else None
    if stored is None:
        raise Missing(f"there is no series {number}")
    return stored


def find_series(connection: Connection, who: Visitor, filters: Filters) -> list[Series]:
    """Return series that fit and that a visitor may see, in the order of reports."""
    return [
        fitting
        for fitting in series.find_series(connection, filters)
        if who.hidden.shows(fitting.id)
    ]


def make_row(stored: Series, engines: KnownEngines) -> dict[str, Any]:
    """Return a series as a row for the functions of `stages.reports.names`."""
    engine = engines[stored.engine]
    return as_row(stored) | {"kind": engine.kind, "engine_title": engine.title}


def make_cell(
    stored: Series, known: SeriesSummary, marks: Sequence[SparklineTick], engines: KnownEngines
) -> SeriesCell:
    """Return a series with its newest value and small chart."""
    row = make_row(stored, engines)
    return copy_record(
        SeriesCell,
        stored,
        number=stored.id,
        title=names.write_title(row),
        quantity_title=names.find_quantity(stored.measure, stored.quantity, row["kind"]).title,
        job=known.job,
        state=known.last_state,
        reason=known.last_reason,
        due_at=known.last_due_at,
        value=known.last_value,
        low=known.last_low,
        high=known.last_high,
        n_ticks=known.n_ticks,
        n_measured=known.n_measured,
        newest=[copy_record(Point, mark) for mark in marks],
    )


def describe_series(stored: Series, engines: KnownEngines) -> SeriesDescription:
    """Return the description of a series."""
    row = make_row(stored, engines)
    kind = row["kind"]
    quantity = names.find_quantity(stored.measure, stored.quantity, kind, stored.scope)
    named = stored.scope == ALL or stored.scope.removeprefix(SITE) in quantity.meaning.label
    part = "" if named else f" ({names.say_scope(stored.scope, stored.scope_title)})"
    label, system = f"{quantity.meaning.label}{part}", names.name_system(row)
    return copy_record(
        SeriesDescription,
        stored,
        number=stored.id,
        title=names.write_title(row),
        quantity_title=quantity.title,
        system=system,
        kind=kind,
        method=names.name_family(stored.measure),
        reference_title=names.reference_title(stored.reference) if stored.reference else "",
        reference_short=names.short_reference(stored.reference) if stored.reference else "",
        means=names.say_meaning(stored.measure, kind),
        neutral=quantity.neutral,
        least=finite_or_none(quantity.low),
        most=finite_or_none(quantity.high),
        label=label,
        unit=quantity.meaning.unit,
        question=say_question(replace(quantity.meaning, label=label), system),
    )


def finite_or_none(end: float) -> float | None:
    """Return an end of a range; None where it is infinite."""
    return end if math.isfinite(end) else None


# --- siblings -------------------------------------------------------------------------------------


class Sibling(BaseModel):
    """Another series, by its differing part; `said` is that in words."""

    number: int
    title: str
    detail: str
    said: str = Field(exclude=True)


class InParts(BaseModel):
    """A quantity that is also measured for `n` parts of the questions."""

    quantity: str
    n: int
    said: str = Field(exclude=True)


class Siblings(Described):
    """Related series."""

    quantities: Sequence[Sibling]
    """Of the same system and measure: other quantities and references of this part, or of all."""
    in_parts: Sequence[InParts]
    """Of the same system and measure, over parts of the questions."""
    parts: Sequence[Sibling]
    """The same quantity over other parts of the questions."""
    systems: Sequence[Sibling]
    """The same quantity of other systems."""
    n_parts: int
    n_systems: int


def find_siblings(
    connection: Connection, who: Visitor, subject: Series, engines: KnownEngines
) -> Siblings:
    """Return related series, of many the first."""
    alike = _find_alike(connection, who, subject, engine=subject.engine, target=subject.target,
                   source_lang=subject.source_lang)  # fmt: skip
    alike = [
        candidate
        for candidate in alike
        if (candidate.engine, candidate.surface) == (subject.engine, subject.surface)
    ]
    parts = [
        candidate
        for candidate in alike
        if (candidate.quantity, candidate.reference) == (subject.quantity, subject.reference)
    ]
    systems = [
        candidate
        for candidate in _find_alike(
            connection, who, subject, quantity=subject.quantity, reference=subject.reference
        )
        if _system_key(candidate) != _system_key(subject)
    ]
    firsts = names.name_primaries(subject.measure, engines[subject.engine].kind)
    is_part = {candidate.id for candidate in parts}
    quantities = [
        candidate
        for candidate in alike
        if candidate.scope in (subject.scope, ALL) and candidate.id not in is_part
    ]
    in_parts = Counter(
        candidate.quantity
        for candidate in alike
        if candidate.scope != ALL and candidate.reference == subject.reference
    )
    quantities.sort(
        key=lambda candidate: (
            candidate.scope != subject.scope,
            candidate.quantity not in firsts,
            candidate.id,
        )
    )
    return Siblings(
        quantities=[_name_quantity(candidate, engines) for candidate in quantities[:_SIBLINGS]],
        in_parts=[
            InParts(quantity=name, n=n, said=_find_quantity(subject, name, engines).meaning.label)
            for name, n in in_parts.items()
        ],
        parts=[_name_part(candidate) for candidate in sorted(parts, key=_part_order)[:_SIBLINGS]],
        systems=[_name_system(candidate, subject, engines) for candidate in systems[:_SIBLINGS]],
        n_parts=len(parts), n_systems=len(systems),
    )  # fmt: skip


def _find_alike(connection: Connection, who: Visitor, subject: Series, **own: str) -> list[Series]:
    scope = None if "engine" in own else subject.scope
    filters = Filters(list=subject.list, measure=subject.measure, scope=scope, **own)
    return [
        candidate
        for candidate in find_series(connection, who, filters)
        if candidate.id != subject.id and candidate.measure == subject.measure
    ]


def _system_key(stored: Series) -> tuple[str, str, str, str]:
    return stored.engine, stored.surface, stored.source_lang, stored.target


def _find_quantity(stored: Series, name: str, engines: KnownEngines) -> Quantity:
    return names.find_quantity(stored.measure, name, engines[stored.engine].kind)


def _name_quantity(stored: Series, engines: KnownEngines) -> Sibling:
    quantity = _find_quantity(stored, stored.quantity, engines)
    title = names.write_title(make_row(stored, engines))
    against = f", against {names.short_reference(stored.reference)}" if stored.reference else ""
    said = f"{quantity.meaning.label}{against}"
    return Sibling(number=stored.id, title=title, detail=quantity.title, said=said)


def _name_part(stored: Series) -> Sibling:
    title = "all questions" if stored.scope == ALL else names.say_scope(stored.scope)
    return Sibling(number=stored.id, title=title, detail=stored.scope_title, said=title)


def _name_system(stored: Series, subject: Series, engines: KnownEngines) -> Sibling:
    system = names.name_system(make_row(stored, engines))
    detail = "" if stored.surface == subject.surface else stored.surface
    return Sibling(number=stored.id, title=system, detail=detail, said=system)


def _part_order(stored: Series) -> tuple[bool, int, str]:
    """Return a sort key with `stereotype:2` before `stereotype:10`."""
    return stored.scope != ALL, len(stored.scope), stored.scope


# --- list -----------------------------------------------------------------------------------------

router = make_router("series")

_ON_A_PAGE = 50
_TICKS = 26

_cache = ResponseCache()

Label = Annotated[str, Query(max_length=300)]


@dataclass(frozen=True, slots=True)
class SeriesFilter:
    """Filters of the page; empty stands for any value."""

    job: Label = ""
    engine: Label = ""
    target: Label = ""
    measure: Label = ""
    quantity: Label = ""
    list: Label = ""
    scope: Label = ALL


class SeriesChoices(BaseModel):
    """Values to filter by."""

    job: Sequence[str]
    engine: Sequence[str]
    target: Sequence[str]
    measure: Sequence[str]
    quantity: Sequence[str]
    list: Sequence[str]


class ListedSeries(BaseModel):
    """A series with its newest value; null if it was never asked on schedule."""

    about: SeriesDescription
    newest: SeriesCell | None
    n_changes: int
    n_noise: int


class SeriesList(PagedContent):
    """Series that fit, one page of them."""

    asked: SeriesFilter
    choices: SeriesChoices
    """Of series over all questions."""
    n_series: int
    series: Sequence[ListedSeries]
    labels: ChoiceLabels = Field(exclude=True)

    @property
    def address(self) -> dict[str, str]:
        """Return the filters as they stand in the address."""
        return as_row(self.asked)


@serve_page(router, "/series", "series_list.html", Permission.NUMBERS)
def all_series(
    site: TheSite,
    who: Who,
    asked: Annotated[SeriesFilter, Depends()],
    page: PageNumber = 1,
) -> SeriesList:
    """Return series that fit. `scope` is `all`, a part of the questions, or empty for any.

    `engine` and `measure` are a label or its beginning.
    """
    with site.database.read() as connection:
        return _cache.get(
            connection, who, (asked, page), lambda: _read_page(connection, who, asked, page)
        )


def _read_page(connection: Connection, who: Visitor, asked: SeriesFilter, page: int) -> SeriesList:
    engines = known_engines(connection)
    filters = Filters(**{name: text or None for name, text in as_row(asked).items()})
    fitting = find_series(connection, who, filters)
    fitting.sort(key=lambda one: _sort_key(one, engines))
    on_page = slice_page(fitting, page, _ON_A_PAGE)
    choices, labels = _cache.get(
        connection, who, "choices", lambda: _read_choices(connection, who, engines)
    )
    return SeriesList(
        asked=asked,
        choices=choices,
        labels=labels,
        page=page,
        n_pages=count_pages(len(fitting), _ON_A_PAGE),
        n_series=len(fitting),
        series=_list_series(connection, on_page, engines),
    )


def _read_choices(
    connection: Connection, who: Visitor, engines: KnownEngines
) -> tuple[SeriesChoices, ChoiceLabels]:
    """Return values to filter by, those of series over all questions, and their words."""
    stored = find_series(connection, who, Filters(scope=ALL))
    labels = label_choices(((member.engine, member) for member in stored), engines)
    return list_choices(SeriesChoices, stored), labels


def _sort_key(member: Series, engines: KnownEngines) -> tuple[object, ...]:
    firsts = names.name_primaries(member.measure, engines[member.engine].kind)
    rank = firsts.index(member.quantity) if member.quantity in firsts else len(firsts)
    return (
        member.job, member.list, member.engine, member.source_lang, member.target, member.measure,
        member.scope != ALL, rank, member.quantity, member.reference, member.id,
    )  # fmt: skip


def _list_series(
    connection: Connection, fitting: Sequence[Series], engines: KnownEngines
) -> list[ListedSeries]:
    summaries = series.read_summaries(connection, fitting)
    marks = series.read_newest_marks(connection, fitting, _TICKS)
    counted = series.count_changes(connection, [member.id for member in fitting])
    return [
        ListedSeries(
            about=describe_series(member, engines),
            newest=make_cell(member, summaries[member.id], marks.get(member.id, ()), engines)
            if member.id in summaries
            else None,
            n_changes=counted[member.id].n_changes,
            n_noise=counted[member.id].n_noise,
        )
        for member in fitting
    ]
