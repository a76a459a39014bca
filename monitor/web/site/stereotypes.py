"""Stereotypes by systems: how often the masculine form was chosen, and in which order.

Pikuliak et al. (2023): 16 stereotypes, 1 to 7 about women, 8 to 16 about men.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from fastapi import Depends, Query
from fastapi.responses import Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from monitor.model import State
from monitor.roles import Permission
from monitor.stages._report_text import visible
from monitor.stages.weekly import names
from monitor.store.database import Connection
from monitor.store.reports import run_report, topic_values
from monitor.store.reports.topic_values import CompanionPoint, OverallPoint
from monitor.web.site import _chart_shares, _download
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import PageNumber, Run, Text, Whole
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("stereotypes")

#: Systems beside each other on one page.
SYSTEMS = 5
_ANCHOR, _RATE, _RANK = "f_s", "p_i", "feminine_rank"
_SCOPE = "stereotype:"

_kept = Kept(most=128)

Ident = Annotated[Whole, Query(ge=0, le=2**63 - 1)]


class Chosen(BaseModel):
    """A table that there is: of one run, list and measure."""

    run: int
    job: str
    due_at: datetime
    list: str
    measure: str
    n_systems: int


class System(BaseModel):
    """A system, and its stereotype rate f_s; null numbers where `state` is not `measured`."""

    series: int
    name: str
    engine: str
    source_lang: str
    target: str
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None


class Cell(BaseModel):
    """The masculine rate of a stereotype in a system, of `marked` answers with a marked gender.

    `rank` is 1 for the smallest rate of the system; null where there is none, as `marked` is where
    the point does not say it.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)

    series: int
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    marked: int | None
    planned: int
    """Questions."""
    rank: float | None

    @property
    def chart(self) -> Markup:
        """The rate with its interval, beside one half."""
        if self.value is None:
            return Markup("")
        return _chart_shares.rate(self.value, self.low, self.high)


class Stereotype(BaseModel):
    """A stereotype with a cell for each system, null where it was not asked."""

    number: int
    about: str
    title: str
    cells: Sequence[Cell | None]


class Stereotypes(BaseModel):
    """Stereotypes by systems. `by` is the series of the system that they are in order of, or 0."""

    chosen: Chosen | None
    tables: Sequence[Chosen]
    by: int
    down: bool
    page: int
    n_pages: int
    systems: Sequence[System]
    stereotypes: Sequence[Stereotype]


@page(router, "/stereotypes", "stereotypes.html", Permission.NUMBERS)
def stereotypes(
    site: TheSite, who: Who, run: Run = None, list: Text = "",  # noqa: A002
    measure: Text = "", by: Ident = 0, down: bool = False,
    page: PageNumber = 1,
) -> Stereotypes:  # fmt: skip
    """Masculine rates of stereotypes by system in one run, by default the newest."""
    with site.database.read() as connection:
        tables = _tables(connection, who, run)
        group = _fitting(tables, list, measure)
        last = max(1, -(-len(group) // SYSTEMS))
        some = group[(page - 1) * SYSTEMS : page * SYSTEMS]
        systems, rows = _kept.get(
            connection, who, tuple(one.point for one in some),
            lambda: _read(connection, who, some),
        )  # fmt: skip
    return Stereotypes(
        chosen=_chosen(group) if group else None, tables=[_chosen(one) for one in tables],
        by=by, down=down, page=page, n_pages=last, systems=systems,
        stereotypes=_sorted(rows, [one.series for one in systems], by, down=down),
    )  # fmt: skip


def _tables(connection: Connection, who: Visitor, run: int | None) -> list[list[OverallPoint]]:
    """Systems that one run asked with one list and measure, together; the newest run first."""

    def read() -> list[list[OverallPoint]]:
        every = (
            topic_values.find_newest(connection, who.hidden, [_ANCHOR])
            if run is None
            else topic_values.find_in_run(connection, who.hidden, [_ANCHOR], run)
        )
        groups: dict[tuple[int, str, str], list[OverallPoint]] = {}
        for one in every:
            groups.setdefault((one.run, one.list, one.measure), []).append(one)
        return list(groups.values())

    return _kept.get(connection, who, ("tables", run), read)


def _fitting(
    tables: Sequence[list[OverallPoint]], of_list: str, measure: str
) -> list[OverallPoint]:
    """The first table that fits, or nothing."""
    for group in tables:
        if of_list in ("", group[0].list) and measure in ("", group[0].measure):
            return group
    return []


def _chosen(group: Sequence[OverallPoint]) -> Chosen:
    one = group[0]
    return Chosen(run=one.run, job=one.job, due_at=one.due_at, list=one.list,
                  measure=one.measure, n_systems=len(group))  # fmt: skip


# --- one table ------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A system in the table."""

    engine_id: int
    source_lang: str
    target: str


def _place(one: OverallPoint | CompanionPoint) -> Place:
    return Place(one.engine_id, one.source_lang, one.target)


def _read(
    connection: Connection, who: Visitor, some: Sequence[OverallPoint]
) -> tuple[list[System], list[Stereotype]]:
    found = topic_values.find_companions(connection, who.hidden, some, (_ANCHOR, _RATE, _RANK))
    of = {(_place(row), row.quantity, row.scope): row for row in found}
    some = [one for one in some if (_place(one), _ANCHOR, "all") in of]  # computed anew just now?
    rates = [row.point for row in found if row.quantity == _RATE]
    marked = topic_values.count_marked(connection, rates)
    about = {row["scope"]: row for row in run_report.read_stereotypes(connection)}
    scopes = {row.scope for row in found if row.scope.startswith(_SCOPE)}
    rows = []
    for scope in sorted(scopes, key=_number):
        cells = [
            _cell(of.get((_place(one), _RATE, scope)), of.get((_place(one), _RANK, scope)), marked)
            for one in some
        ]
        known = about.get(scope, {})
        rows.append(Stereotype(number=_number(scope), about=known.get("about", ""),
                               title=known.get("title") or scope, cells=cells))  # fmt: skip
    return [_system(one, of[_place(one), _ANCHOR, "all"]) for one in some], rows


def _number(scope: str) -> int:
    told = scope.removeprefix(_SCOPE)
    return int(told) if told.isascii() and told.isdigit() else 0


def _system(one: OverallPoint, total: CompanionPoint) -> System:
    row = {"engine": one.engine, "source_lang": one.source_lang, "target": one.target,
           "kind": one.kind}  # fmt: skip
    return System(
        series=one.series, name=names.short_system(row), engine=one.engine,
        source_lang=one.source_lang, target=one.target, state=total.state, reason=total.reason,
        value=total.value, low=total.low, high=total.high,
    )  # fmt: skip


def _cell(
    rate: CompanionPoint | None, rank: CompanionPoint | None, marked: Mapping[int, int]
) -> Cell | None:
    if rate is None:
        return None
    return Cell(
        series=rate.series, state=rate.state, reason=rate.reason, value=rate.value, low=rate.low,
        high=rate.high, marked=marked.get(rate.point), planned=rate.planned,
        rank=rank.value if rank else None,
    )  # fmt: skip


def _sorted(
    rows: Sequence[Stereotype], systems: Sequence[int], by: int, *, down: bool
) -> list[Stereotype]:
    """In order of one system's rates, those without one last; or by number."""
    if by not in systems:
        return sorted(rows, key=lambda row: row.number, reverse=down)
    at = systems.index(by)
    values = {
        row.number: cell.value
        for row in rows
        if (cell := row.cells[at]) is not None and cell.value is not None
    }
    known = [row for row in rows if row.number in values]
    known.sort(key=lambda row: values[row.number], reverse=down)
    return [*known, *(row for row in rows if row.number not in values)]


_COLUMNS = ("state", "reason", "value", "low", "high", "marked", "planned", "rank")


@router.get("/stereotypes.csv", include_in_schema=False,
            dependencies=[Depends(needs(Permission.NUMBERS))])  # fmt: skip
def stereotypes_csv(
    site: TheSite, who: Who, run: Run = None, list: Text = "",  # noqa: A002
    measure: Text = "",
) -> Response:  # fmt: skip
    """One table with all its systems, a row for each stereotype of each system."""
    with site.database.read() as connection:
        group = _fitting(_tables(connection, who, run), list, measure)
        if not group:
            raise Missing("no stereotype fits")
        systems, stereotypes = _read(connection, who, group)
    about = ["run", "job", "due_at", "list", "measure", "engine", "source_lang", "target"]
    one = group[0]
    rows = (
        [one.run, one.job, one.due_at.isoformat(), one.list, one.measure, system.engine,
         system.source_lang, system.target, row.number, row.about, row.title,
         *(getattr(cell, name) for name in _COLUMNS)]
        for at, system in enumerate(systems)
        for row in stereotypes
        if (cell := row.cells[at]) is not None
    )  # fmt: skip
    shown = ([visible(c) if isinstance(c, str) else c for c in row] for row in rows)
    head = [*about, "stereotype", "about", "title", *_COLUMNS]
    return _download.csv(site, [head, *shown], f"stereotypes-run-{one.run}")
