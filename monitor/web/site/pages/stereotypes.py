"""Stereotypes by systems: how often the masculine form was chosen, and in which order.

Pikuliak et al. (2023): 16 stereotypes, 1 to 7 about women, 8 to 16 about men.
"""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated

from fastapi import Query
from fastapi.responses import Response
from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor.roles import Permission
from monitor.stages.document.draw import Scale
from monitor.stages.reports import names
from monitor.stages.reports.names import known_engines
from monitor.store.database import Connection
from monitor.store.reports import run_report, topic_values
from monitor.store.reports.topic_values import CompanionPoint, OverallPoint
from monitor.store.rows import group_rows
from monitor.web.site import rendering
from monitor.web.site.errors import Missing
from monitor.web.site.records import (
    ChoiceLabels,
    Estimate,
    PagedContent,
    copy_record,
    count_pages,
    draw_estimate,
    label_choices,
    slice_page,
    sort_by_value,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import (
    PageNumber,
    Run,
    Text,
    Whole,
    make_router,
    serve_file,
    serve_page,
)
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("stereotypes")

#: Systems beside each other on one page.
SYSTEMS = 5
_ANCHOR, _RATE, _RANK = "f_s", "p_i", "feminine_rank"
_SCOPE = "stereotype:"
#: Of the small charts of rates.
_SCALE = Scale(0, 1, 5, 91)

_cache = ResponseCache(most=128)

Ident = Annotated[Whole, Query(ge=0, le=2**63 - 1)]
_COLUMNS = ("state", "reason", "value", "low", "high", "marked", "planned", "rank")


class StereotypeTable(BaseModel):
    """A table of one run, list and measure."""

    run: int
    job: str
    due_at: datetime
    list: str
    measure: str
    n_systems: int


class StereotypeSystem(Estimate):
    """A system with its stereotype rate f_s; null unless `state` is `measured`."""

    series: int
    name: str
    engine: str
    source_lang: str
    target: str


class StereotypeCell(Estimate):
    """Masculine rate of a stereotype in a system, of `marked` answers.

    `rank` is 1 for the smallest rate of the system; null where there is none, as `marked` is where
    the point does not say it.
    """

    series: int
    marked: int | None
    planned: int
    """Questions."""
    rank: float | None

    @property
    def chart(self) -> Markup:
        """Return the rate with its interval beside one half, as a small chart."""
        return draw_estimate(self.value, self.low, self.high, _SCALE, 0.5)


class Stereotype(BaseModel):
    """A stereotype with a cell for each system, null where it was not asked."""

    number: int
    about: str
    title: str
    cells: Sequence[StereotypeCell | None]


class Stereotypes(PagedContent):
    """Stereotypes by systems. `by` is the series of the system that they are in order of, or 0."""

    chosen: StereotypeTable | None
    tables: Sequence[StereotypeTable]
    by: int
    down: bool
    systems: Sequence[StereotypeSystem]
    stereotypes: Sequence[Stereotype]
    labels: ChoiceLabels = Field(exclude=True)


@serve_page(router, "/stereotypes", "stereotypes.html", Permission.NUMBERS)
def stereotypes(
    site: TheSite, who: Who, run: Run = None, list: Text = "",  # noqa: A002
    measure: Text = "", by: Ident = 0, down: bool = False,
    page: PageNumber = 1,
) -> Stereotypes:  # fmt: skip
    """Return masculine rates of stereotypes by system in one run, by default the newest."""
    with site.database.read() as connection:
        tables, labels = _list_tables(connection, who, run)
        group = _find_table(tables, list, measure)
        last = count_pages(len(group), SYSTEMS)
        on_page = slice_page(group, page, SYSTEMS)
        systems, rows = _cache.get(
            connection, who, tuple(anchor.point for anchor in on_page),
            lambda: _read_table(connection, who, on_page),
        )  # fmt: skip
    return Stereotypes(
        chosen=_describe_table(group) if group else None,
        tables=[_describe_table(anchor) for anchor in tables],
        by=by,
        down=down,
        page=page,
        n_pages=last,
        systems=systems,
        stereotypes=_sort_rows(rows, [anchor.series for anchor in systems], by, down=down),
        labels=labels,
    )


def _list_tables(
    connection: Connection, who: Visitor, run: int | None
) -> tuple[list[list[OverallPoint]], ChoiceLabels]:
    """Return systems of one run with the same list and measure, the newest run first.

    Beside them stand the words of the filters.
    """

    def read() -> tuple[list[list[OverallPoint]], ChoiceLabels]:
        anchors = topic_values.find_anchors(connection, who.hidden, [_ANCHOR], run)
        tables = group_rows(anchors, attrgetter("run", "list", "measure"))
        asked = ((anchor.engine, anchor) for anchor in anchors)
        return list(tables.values()), label_choices(asked, known_engines(connection))

    return _cache.get(connection, who, ("tables", run), read)


def _find_table(
    tables: Sequence[list[OverallPoint]], of_list: str, measure: str
) -> list[OverallPoint]:
    for group in tables:
        if of_list in ("", group[0].list) and measure in ("", group[0].measure):
            return group
    return []


def _describe_table(group: Sequence[OverallPoint]) -> StereotypeTable:
    anchor = group[0]
    return copy_record(StereotypeTable, anchor, n_systems=len(group))


# --- one table ------------------------------------------------------------------------------------


def _system_key(anchor: OverallPoint | CompanionPoint) -> tuple[int, str, str]:
    return anchor.engine_id, anchor.source_lang, anchor.target


def _read_table(
    connection: Connection, who: Visitor, anchors: Sequence[OverallPoint]
) -> tuple[list[StereotypeSystem], list[Stereotype]]:
    points = topic_values.find_companions(connection, who.hidden, anchors, (_ANCHOR, _RATE, _RANK))
    of = {(_system_key(row), row.quantity, row.scope): row for row in points}
    anchors = [
        anchor for anchor in anchors if (_system_key(anchor), _ANCHOR, "all") in of
    ]  # computed anew just now?
    rates = [row.point for row in points if row.quantity == _RATE]
    marked = topic_values.count_marked(connection, rates)
    about = {row["scope"]: row for row in run_report.read_stereotypes(connection)}
    scopes = {row.scope for row in points if row.scope.startswith(_SCOPE)}
    rows = []
    for scope in sorted(scopes, key=_find_number):
        cells: list[StereotypeCell | None] = []
        for anchor in anchors:
            rate = of.get((_system_key(anchor), _RATE, scope))
            rank = of.get((_system_key(anchor), _RANK, scope))
            cells.append(rate and copy_record(
                StereotypeCell, rate, marked=marked.get(rate.point), rank=rank and rank.value,
            ))  # fmt: skip
        description = about.get(scope, {})
        rows.append(Stereotype(number=_find_number(scope), about=description.get("about", ""),
                               title=description.get("title") or scope, cells=cells))  # fmt: skip
    engines = known_engines(connection)
    return [
        _make_system(anchor, of[_system_key(anchor), _ANCHOR, "all"], engines[anchor.engine].title)
        for anchor in anchors
    ], rows


def _find_number(scope: str) -> int:
    suffix = scope.removeprefix(_SCOPE)
    return int(suffix) if suffix.isascii() and suffix.isdigit() else 0


def _make_system(anchor: OverallPoint, total: CompanionPoint, title: str) -> StereotypeSystem:
    pair = names.pair_words(anchor.source_lang, anchor.target, anchor.kind)
    name = f"{title}, {pair}"
    return copy_record(StereotypeSystem, total, anchor, series=anchor.series, name=name)


def _sort_rows(
    rows: Sequence[Stereotype], systems: Sequence[int], by: int, *, down: bool
) -> list[Stereotype]:
    """Return rows sorted by one system's rates, or by number."""
    if by not in systems:
        return sorted(rows, key=lambda row: row.number, reverse=down)
    column = systems.index(by)
    return sort_by_value(
        rows, lambda row: cell.value if (cell := row.cells[column]) else None, down=down
    )


@serve_file(router, "/stereotypes.csv")
def stereotypes_csv(
    site: TheSite, who: Who, run: Run = None, list: Text = "",  # noqa: A002
    measure: Text = "",
) -> Response:  # fmt: skip
    """Return one table as CSV, a row for each stereotype of each system."""
    with site.database.read() as connection:
        tables, _ = _list_tables(connection, who, run)
        group = _find_table(tables, list, measure)
        if not group:
            raise Missing("no stereotype fits")
        systems, stereotypes = _read_table(connection, who, group)
    anchor = group[0]
    of_run = ("run", "job", "due_at", "list", "measure")
    of_system = ("engine", "source_lang", "target")
    head = [*of_run, *of_system, "stereotype", "about", "title", *_COLUMNS]
    rows = (
        [
            anchor.run, anchor.job, anchor.due_at.isoformat(), anchor.list, anchor.measure,
            *(getattr(system, name) for name in of_system),
            row.number, row.about, row.title, *(getattr(cell, name) for name in _COLUMNS),
        ]
        for column, system in enumerate(systems)
        for row in stereotypes
        if (cell := row.cells[column]) is not None
    )  # fmt: skip
    return rendering.make_csv(site, [head, *rows], f"stereotypes-run-{anchor.run}")
