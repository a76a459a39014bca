"""The list of series, with filters, newest values, and numbers of measured runs."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict

from monitor.roles import Permission
from monitor.stages.reports import series_text
from monitor.stages.reports.names import KnownEngines, known_engines
from monitor.store.changes import series, series_summaries
from monitor.store.changes.series import ALL, Filters, Series
from monitor.store.database import Connection
from monitor.web.site.pages.series_descriptions import (
    SeriesCell,
    SeriesDescription,
    describe_series,
    find_series,
    make_cell,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import PageNumber, count_pages, make_router, serve_page, slice_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("series")

_ON_A_PAGE = 50
_TICKS = 26

_cache = ResponseCache()

Label = Annotated[str, Query(max_length=300)]


class SeriesFilter(BaseModel):
    """Filters of the page; empty stands for any value."""

    job: str
    engine: str
    target: str
    measure: str
    quantity: str
    list: str
    scope: str


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


class SeriesList(BaseModel):
    """Series that fit, one page of them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    asked: SeriesFilter
    choices: SeriesChoices
    """Of series over all questions."""
    page: int
    n_pages: int
    n_series: int
    series: Sequence[ListedSeries]


def _make_filter(
    job: Label = "",
    engine: Label = "",
    target: Label = "",
    measure: Label = "",
    quantity: Label = "",
    list: Label = "",  # noqa: A002 - as it stands in the address
    scope: Label = ALL,
) -> SeriesFilter:
    return SeriesFilter(
        job=job, engine=engine, target=target, measure=measure, quantity=quantity, list=list,
        scope=scope,
    )  # fmt: skip


@serve_page(router, "/series", "series_list.html", Permission.NUMBERS)
def all_series(
    site: TheSite,
    who: Who,
    asked: Annotated[SeriesFilter, Depends(_make_filter)],
    page: PageNumber = 1,
) -> SeriesList:
    """Return series that fit. `scope` is `all`, a part of the questions, or empty for any.

    `engine` and `measure` are a label or its beginning.
    """
    about_what = (*asked.model_dump().values(), page)
    with site.database.read() as connection:
        return _cache.get(
            connection, who, about_what, lambda: _read_page(connection, who, asked, page)
        )


def _read_page(connection: Connection, who: Visitor, asked: SeriesFilter, page: int) -> SeriesList:
    engines = known_engines(connection)
    filters = Filters(**{name: text or None for name, text in asked.model_dump().items()})
    fitting = find_series(connection, who, filters)
    fitting.sort(key=lambda one: _sort_key(one, engines))
    on_page = slice_page(fitting, page, _ON_A_PAGE)
    return SeriesList(
        asked=asked,
        choices=_cache.get(connection, who, "choices", lambda: _list_choices(connection, who)),
        page=page,
        n_pages=count_pages(len(fitting), _ON_A_PAGE),
        n_series=len(fitting),
        series=_list_series(connection, on_page, engines),
    )


def _sort_key(member: Series, engines: KnownEngines) -> tuple[object, ...]:
    """Return the sort key: by system, primary quantities first."""
    firsts = series_text.name_primaries(member.measure, engines[member.engine].kind)
    rank = firsts.index(member.quantity) if member.quantity in firsts else len(firsts)
    return (
        member.job,
        member.list,
        member.engine,
        member.source_lang,
        member.target,
        member.measure,
        member.scope != ALL,
        rank,
        member.quantity,
        member.reference,
        member.id,
    )


def _list_series(
    connection: Connection, fitting: Sequence[Series], engines: KnownEngines
) -> list[ListedSeries]:
    summaries = series_summaries.read_summaries(connection, fitting)
    marks = series_summaries.read_newest_marks(connection, fitting, _TICKS)
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


def _list_choices(connection: Connection, who: Visitor) -> SeriesChoices:
    all_fitting = find_series(connection, who, Filters(scope=ALL))
    return SeriesChoices(
        **{
            name: sorted({getattr(member, name) for member in all_fitting})
            for name in SeriesChoices.model_fields
        }
    )
