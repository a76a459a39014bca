"""The first page: systems by measure with their newest values, last changes, what is stuck."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict

from monitor.change import Cause, Role, Status
from monitor.roles import Permission
from monitor.stages import _report_names as titles
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.weekly import names
from monitor.store import changes_shown, events, series_summaries
from monitor.store.changes_together import Wanted, together
from monitor.store.database import Connection
from monitor.store.series import ALL, Filters, Series
from monitor.web.site._inputs import PageNumber
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._series import SeriesCell, cell, described, find
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("overview")

#: Systems on one page, ticks of a small chart, changes that are shown.
SYSTEMS = 20
TICKS = 26
_CHANGES = 6
#: What changes that stand together have in common, beside their tick.
_ENTRY = ("engine", "source_lang", "target", "list", "cause")

_kept = Kept()


class System(BaseModel):
    """A system by its newest values: one cell per quantity of its group, null where not asked."""

    name: str
    engine: str
    source_lang: str
    target: str
    cells: list[SeriesCell | None]


class Group(BaseModel):
    """Systems that were asked the same and are measured alike."""

    list: str
    measure: str
    method: str
    """The name that the measure is registered under."""
    quantities: Sequence[str]
    means: Sequence[str]
    """What each of them is."""
    systems: Sequence[System]


class Moved(BaseModel):
    """A quantity that is found to have changed, by how much, with its 95 % interval."""

    number: int
    quantity: str
    effect: float | None
    low: float | None
    high: float | None
    status: Status


class Found(BaseModel):
    """What changed of one system at one tick, its primary quantities first."""

    system: str
    engine: str
    target: str
    detected_at: datetime
    cause: Cause
    moved: Sequence[Moved]

    @property
    def is_hint(self) -> bool:
        """Whether all of it was seen by looking back, which claims nothing."""
        return all(one.status is Status.RETROSPECTIVE for one in self.moved)


class Stuck(BaseModel):
    """Something that is not as it should be."""

    kind: str
    subject: str
    detail: str
    since: datetime


class Overview(BaseModel):
    """What there is at a glance. `alarms` are null for those who may not see them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    jobs: list[str]
    job: str
    """The job that is shown; empty for all."""
    groups: list[Group]
    page: int
    n_pages: int
    n_systems: int
    changes: list[Found]
    n_changes: int
    alarms: list[Stuck] | None


@page(router, "/", "overview.html", Permission.NUMBERS, api="/overview")
def overview(
    site: TheSite,
    who: Who,
    job: Annotated[str, Query(max_length=200)] = "",
    page: PageNumber = 1,
) -> Overview:
    """Every system by measure with its newest primary values, and the last changes."""
    with site.database.read() as connection:
        found = _kept.get(connection, who, (job, page), lambda: _read(connection, who, job, page))
    return found if who.may(Permission.EMBARGOED) else found.model_copy(update={"alarms": None})


def _read(connection: Connection, who: Visitor, job: str, page: int) -> Overview:
    engines = known_engines(connection)
    everything = find(connection, who, Filters(scope=ALL))
    shown = [one for one in everything if not job or one.job == job]
    firsts = [one for one in shown if one.quantity in _primaries(one, engines)]
    systems = _systems(firsts)
    last = max(1, -(-len(systems) // SYSTEMS))
    some = systems[(page - 1) * SYSTEMS : page * SYSTEMS]
    moved = together(
        connection, who.hidden, Wanted(job=job, scope=ALL), _ENTRY, page=1, size=_CHANGES
    )
    return Overview(
        jobs=sorted({one.job for one in everything}),
        job=job,
        groups=_groups(connection, some, engines),
        page=page,
        n_pages=last,
        n_systems=len(systems),
        changes=[_found(connection, numbers, engines) for numbers in moved.entries],
        n_changes=moved.n_entries,
        alarms=[
            Stuck(kind=one.kind, subject=one.subject, detail=one.detail, since=one.since)
            for one in events.open_alarms(connection)
        ],
    )


def _primaries(one: Series, engines: KnownEngines) -> Sequence[str]:
    return names.primaries(one.measure, engines[one.engine].kind)


def _systems(some: Iterable[Series]) -> list[list[Series]]:
    """Series by system, those that were asked and measured alike beside each other."""
    ordered = sorted(some, key=lambda one: (*_group(one), *_system(one), one.reference, one.id))
    return [list(own) for _, own in groupby(ordered, key=lambda one: (*_group(one), *_system(one)))]


def _group(one: Series) -> tuple[str, str]:
    return one.list, one.measure


def _system(one: Series) -> tuple[str, str, str]:
    return one.engine, one.source_lang, one.target


def _groups(
    connection: Connection, systems: Sequence[Sequence[Series]], engines: KnownEngines
) -> list[Group]:
    chosen = [one for own in systems for one in own]
    known = series_summaries.summaries(connection, chosen)
    marks = series_summaries.newest(connection, chosen, TICKS)
    groups = []
    for (of_list, measure), some in groupby(systems, key=lambda own: _group(own[0])):
        rows = list(some)
        cells = [
            {
                names.title(described(one, engines)): cell(
                    one, known[one.id], marks.get(one.id, ()), engines
                )
                for one in own
                if one.id in known
            }
            for own in rows
        ]
        means = {title: one.quantity_title for by_title in cells for title, one in by_title.items()}
        systems_ = [
            System(
                name=_name(own[0].engine, own[0].source_lang, own[0].target, engines),
                engine=own[0].engine,
                source_lang=own[0].source_lang,
                target=own[0].target,
                cells=[by_title.get(title) for title in means],
            )
            for own, by_title in zip(rows, cells, strict=True)
        ]
        groups.append(Group(
            list=of_list, measure=measure, method=names.family(measure), quantities=list(means),
            means=list(means.values()), systems=systems_,
        ))  # fmt: skip
    return [group for group in groups if group.quantities]


def _name(engine: str, source: str, target: str, engines: KnownEngines) -> str:
    """`DeepL, en→cs`: a system as tables name it."""
    known = engines[engine]
    return f"{known.title}, {titles.short_pair(source, target, known.kind)}"


def _found(connection: Connection, numbers: Sequence[int], engines: KnownEngines) -> Found:
    """What stands together of one system at one tick."""
    own = [one.listed for one in changes_shown.findings(connection, numbers)]
    first = own[0]
    return Found(
        system=_name(first.engine, first.source_lang, first.target, engines),
        engine=first.engine,
        target=first.target,
        detected_at=first.detected_at,
        cause=Cause(first.cause),
        moved=[
            Moved(
                number=one.change_id, quantity=one.quantity, effect=one.effect, low=one.low,
                high=one.high, status=Status(one.status),
            )
            for one in sorted(own, key=lambda one: one.role != Role.PRIMARY)
        ],
    )  # fmt: skip
