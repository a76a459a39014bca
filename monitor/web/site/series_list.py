"""All series: found by what they are about, each with its newest value and how much of it is there.

Parts of the questions, such as single stereotypes, are found where a part is asked for.
"""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict

from monitor.roles import Permission
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.weekly import names
from monitor.store.changes import series, series_summaries
from monitor.store.changes.series import ALL, Filters, Series
from monitor.store.database import Connection
from monitor.web.site._inputs import PageNumber
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._series import About, SeriesCell, about, cell, find
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("series")

_ON_A_PAGE = 50
_TICKS = 26

_kept = Kept()

Label = Annotated[str, Query(max_length=300)]


class Asked(BaseModel):
    """What was looked for; empty stands for anything."""

    job: str
    engine: str
    target: str
    measure: str
    quantity: str
    list: str
    scope: str


class Choices(BaseModel):
    """What may be looked for."""

    job: Sequence[str]
    engine: Sequence[str]
    target: Sequence[str]
    measure: Sequence[str]
    quantity: Sequence[str]
    list: Sequence[str]


class Listed(BaseModel):
    """A series with its newest tick; `newest` is null where it was never asked on schedule."""

    about: About
    newest: SeriesCell | None
    n_changes: int
    n_noise: int


class SeriesList(BaseModel):
    """Series that fit, one page of them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    asked: Asked
    choices: Choices
    """Of series over all questions."""
    page: int
    n_pages: int
    n_series: int
    series: Sequence[Listed]


def _asked(
    job: Label = "",
    engine: Label = "",
    target: Label = "",
    measure: Label = "",
    quantity: Label = "",
    list: Label = "",  # noqa: A002 - as it stands in the address
    scope: Label = ALL,
) -> Asked:
    return Asked(
        job=job, engine=engine, target=target, measure=measure, quantity=quantity, list=list,
        scope=scope,
    )  # fmt: skip


@page(router, "/series", "series_list.html", Permission.NUMBERS)
def all_series(
    site: TheSite,
    who: Who,
    asked: Annotated[Asked, Depends(_asked)],
    page: PageNumber = 1,
) -> SeriesList:
    """Series by what they are about. `scope` is `all`, a part of the questions, or empty for any.

    `engine` and `measure` are a label or its beginning.
    """
    about_what = (*asked.model_dump().values(), page)
    with site.database.read() as connection:
        return _kept.get(connection, who, about_what, lambda: _read(connection, who, asked, page))


def _read(connection: Connection, who: Visitor, asked: Asked, page: int) -> SeriesList:
    engines = known_engines(connection)
    filters = Filters(**{name: text or None for name, text in asked.model_dump().items()})
    fitting = find(connection, who, filters)
    fitting.sort(key=lambda one: _place(one, engines))
    some = fitting[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    return SeriesList(
        asked=asked,
        choices=_kept.get(connection, who, "choices", lambda: _choices(connection, who)),
        page=page,
        n_pages=max(1, -(-len(fitting) // _ON_A_PAGE)),
        n_series=len(fitting),
        series=_listed(connection, some, engines),
    )


def _place(one: Series, engines: KnownEngines) -> tuple[object, ...]:
    """Systems beside each other, of each what is tested first before the rest."""
    firsts = names.primaries(one.measure, engines[one.engine].kind)
    at = firsts.index(one.quantity) if one.quantity in firsts else len(firsts)
    return (
        one.job, one.list, one.engine, one.source_lang, one.target, one.measure, one.scope != ALL,
        at, one.quantity, one.reference, one.id,
    )  # fmt: skip


def _listed(connection: Connection, some: Sequence[Series], engines: KnownEngines) -> list[Listed]:
    summaries = series_summaries.read_summaries(connection, some)
    marks = series_summaries.read_newest_marks(connection, some, _TICKS)
    counted = series.count_changes(connection, [one.id for one in some])
    return [
        Listed(
            about=about(one, engines),
            newest=cell(one, summaries[one.id], marks.get(one.id, ()), engines)
            if one.id in summaries
            else None,
            n_changes=counted[one.id].n_changes,
            n_noise=counted[one.id].n_noise,
        )
        for one in some
    ]


def _choices(connection: Connection, who: Visitor) -> Choices:
    known = find(connection, who, Filters(scope=ALL))
    return Choices(
        **{name: sorted({getattr(one, name) for one in known}) for name in Choices.model_fields}
    )
