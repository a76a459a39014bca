"""The first page: what changed, how systems stand now, and what was not measured."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Query
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.change import Cause, Role, Status
from monitor.jobs_tables import Schedule
from monitor.model import InvalidInput, Kind, Quantity, State
from monitor.roles import Permission
from monitor.stages import _report_names as titles
from monitor.stages import as_declared, system_tiles
from monitor.stages.change_events import (
    ChangeEvent,
    EventChange,
    describe_events,
)
from monitor.stages.claim_support import Support
from monitor.stages.claim_words import say_unknown_cause
from monitor.stages.decisions import ALPHA
from monitor.stages.detectable_effects import smallest_changes
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.event_details import Example, Figure, read_details
from monitor.stages.refusals import Refusals
from monitor.stages.series_roles import series_roles
from monitor.stages.system_tiles import LEGEND, TileChart
from monitor.stages.time_chart import draw_time_chart
from monitor.stages.weekly import names
from monitor.stages.weekly.draw import Scale
from monitor.store.changes import findings as changes
from monitor.store.changes import series_summaries
from monitor.store.changes.findings import ChangeFilter
from monitor.store.changes.findings import find_changes as findings
from monitor.store.changes.series import ALL, Filters, Series, find_series
from monitor.store.changes.series_summaries import Mark, SeriesSummary
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.journal import events
from monitor.text.quantity_values import say_interval, say_size
from monitor.ticks import next_tick
from monitor.web.site._inputs import PageNumber
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._series import SeriesCell, cell, described
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who
from monitor.web.site.claim_cards import public_content

router = pages("overview")


@dataclass(frozen=True, slots=True)
class Tested:
    """How a series is tested for changes, and the smallest one found; None: too few runs."""

    role: Role
    smallest: float | None

    @property
    def is_control(self) -> bool:
        """Whether it is a control, which is never tested."""
        return self.role is Role.WITNESS


#: Systems on one page of the table, and runs in a small chart.
SYSTEMS = 20
TICKS = 26
#: An event is recent for so long; so many recent ones have a card, and so many lines follow.
_RECENT = timedelta(weeks=4)
_CARDS, _LINES = 3, 8
_MOST_TILES = 24
_KINDS = {
    Kind.MT: "Translators", Kind.LM: "Language models", Kind.SEARCH: "Search engines",
}  # fmt: skip

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


class EventLine(BaseModel):
    """A change event in one line: what moved in one system since one day, the leading one first.

    `number` is that of the leading finding; `said` is what it says of its quantity.
    """

    number: int
    headline: str
    said: str
    system: str
    engine: str
    asked_in: str
    target: str
    changed_at: datetime
    detected_at: datetime
    status: Status
    cause: Cause
    cause_said: str
    """What caused it, in words, for each group of languages where the causes differ."""
    effect_said: str
    """How much it changed, with its interval, in words."""
    effect_in: str
    """In which language or region it changed so."""
    moved: Sequence[Moved]


class EventCard(EventLine):
    """A recent event with the numbers that matter, one pair of answers, and what supports it.

    `method` is the name that its measure is registered under.
    """

    method: str

    figures: Sequence[Figure]
    explained: str
    """What the quantity compares, in a sentence; may be empty."""
    figures_of: str
    """The words that belong before the labels of all figures but the last; may be empty."""
    others: Sequence[str]
    """The same quantity in other languages, in words."""
    n_changed: int | None
    n_questions: int | None
    supports: Sequence[Support]
    example: Example | None
    chart: str = Field(exclude=True)

    @property
    def picture(self) -> Markup:
        """The chart as it stands in the page."""
        return Markup(self.chart)  # noqa: S704 - drawn by ourselves, element by element


class Tile(BaseModel):
    """A system by the newest value of the main quantity; `note` says what became of it."""

    series: int
    system: str
    asked_in: str
    is_control: bool
    state: State
    due_at: datetime
    value: float | None
    low: float | None
    high: float | None
    said: str
    interval_said: str
    note: str
    chart: str = Field(exclude=True)

    @property
    def picture(self) -> Markup:
        """The small chart as it stands in the page."""
        return Markup(self.chart)  # noqa: S704 - numbers alone


class TileGroup(BaseModel):
    """Systems on one common scale."""

    title: str
    means: str
    scale_said: str
    measure: str
    list: str
    tiles: Sequence[Tile]
    n_more: int


class Missing(BaseModel):
    """Systems whose newest run has no value, and why."""

    systems: Sequence[str]
    since: datetime | None
    reason: str


class Freshness(BaseModel):
    """How fresh the data are: the newest run, and how many of the tiles it measured."""

    data_until: datetime | None
    n_measured: int
    n_systems: int
    next_at: datetime | None


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
    headline: str
    freshness: Freshness
    cards: list[EventCard]
    changes: list[EventLine]
    """Further events that were tested, the newest first."""
    signals: list[EventLine]
    """Events of which nothing is confirmed."""
    n_changes: int
    """All events."""
    tiles: list[TileGroup]
    legend: str = Field(default=LEGEND, exclude=True)
    missing: list[Missing]
    groups: list[Group]
    page: int
    n_pages: int
    n_systems: int
    alarms: list[Stuck] | None


@page(router, "/", "overview.html", Permission.NUMBERS, api="/overview")
def overview(
    site: TheSite,
    who: Who,
    job: Annotated[str, Query(max_length=200)] = "",
    page: PageNumber = 1,
) -> Overview:
    """What changed lately, every system with its newest values, and what was not measured."""
    with site.database.read() as connection:
        about = job, page, who.may(Permission.CAPTURED)
        content = _kept.get(connection, who, about, lambda: _read(connection, site, who, job, page))
    return content if who.may(Permission.EMBARGOED) else content.model_copy(update={"alarms": None})


def _read(connection: Connection, site: Site, who: Visitor, job: str, page: int) -> Overview:
    contents = declarations.read_job_contents(connection)
    engines = known_engines(connection, contents)
    stored = find_series(connection, Filters(scope=ALL))
    everything = [series for series in stored if who.hidden.shows(series.id)]
    chosen = [series for series in everything if not job or series.job == job]
    firsts = [series for series in chosen if series.quantity in _primaries(series, engines)]
    systems = _systems(firsts)
    on_page = systems[(page - 1) * SYSTEMS : page * SYSTEMS]
    summaries = series_summaries.read_summaries(connection, firsts)
    marks = series_summaries.read_newest_marks(connection, firsts, TICKS)
    newest = max((summary.last_due_at for summary in summaries.values()), default=None)
    found = read_events(connection, who, engines, job)
    recent = [
        event
        for event in found
        if newest and event.status is Status.CONFIRMED and event.detected_at > newest - _RECENT
    ]
    cards = [_card(connection, site, who, event) for event in recent[:_CARDS]]
    later = [event for event in found if event not in recent[:_CARDS]]
    tests = _tests(connection, stored, engines, contents, newest)
    standing = _Standing(engines, summaries, marks, tests, found, Refusals(connection), site.zone)
    tiles = _tile_groups(firsts, standing, contents)
    shown = [tile for group in tiles for tile in group.tiles]
    return Overview(
        jobs=sorted({series.job for series in everything}),
        job=job,
        headline=_headline(recent, newest),
        freshness=Freshness(
            data_until=newest,
            n_measured=sum(tile.state is State.MEASURED for tile in shown),
            n_systems=len(shown),
            next_at=_next_run(contents, newest, job),
        ),
        cards=cards,
        changes=[_line(event) for event in later if event.status is Status.CONFIRMED][:_LINES],
        signals=[_line(event) for event in later if event.status is not Status.CONFIRMED][:_LINES],
        n_changes=len(found),
        tiles=tiles,
        missing=_missing(shown),
        groups=_groups(on_page, engines, summaries, marks),
        page=page,
        n_pages=max(1, -(-len(systems) // SYSTEMS)),
        n_systems=len(systems),
        alarms=[
            Stuck(kind=alarm.kind, subject=alarm.subject, detail=alarm.detail, since=alarm.since)
            for alarm in events.list_open_alarms(connection)
        ],
    )


def _primaries(series: Series, engines: KnownEngines) -> Sequence[str]:
    return names.primaries(series.measure, engines[series.engine].kind)


# --- events ---------------------------------------------------------------------------------------


def read_events(
    connection: Connection, who: Visitor, engines: KnownEngines, job: str = ""
) -> list[ChangeEvent]:
    """Return the events of a job or of all that a visitor may see, the newest first."""
    listed = findings(connection, who.hidden, ChangeFilter(job=job))
    values = changes.read_end_values(connection, [finding.change_id for finding in listed])
    return describe_events(listed, values, engines)


def _headline(recent: Sequence[ChangeEvent], newest: datetime | None) -> str:
    """Return what happened in the last four weeks, in one sentence."""
    if newest is None:
        return "Nothing was measured on schedule yet"
    system_events = [event for event in recent if _is_theirs(event)]
    systems = list(dict.fromkeys(event.system for event in system_events))
    if not systems:
        return "No change of a system was confirmed in the last four weeks"
    n_systems = len(systems)
    small = {1: "One system", 2: "Two systems", 3: "Three systems"}
    said = f"{small.get(n_systems, f'{n_systems} systems')} changed in the last four weeks"
    is_open = all(event.cause is Cause.OPEN for event in system_events)
    return f"{said}{say_unknown_cause(Cause.OPEN)}" if is_open else said


def _is_theirs(event: ChangeEvent) -> bool:
    """Return whether nothing on our own side explains an event."""
    return event.cause in (Cause.ENGINE, Cause.OPEN)


def _line_fields(event: ChangeEvent) -> dict[str, Any]:
    return {
        "number": event.number, "headline": event.headline, "said": event.leading.said,
        "system": event.system, "engine": event.engine, "asked_in": event.asked_in,
        "target": event.leading.target, "changed_at": event.changed_at,
        "detected_at": event.detected_at, "status": event.status, "cause": event.cause,
        "cause_said": event.cause_said,
        "effect_said": event.leading.said_effect,
        "effect_in": titles.target_words(event.leading.target, event.kind),
        "moved": [_moved(change) for change in event.changes],
    }  # fmt: skip


def _line(event: ChangeEvent) -> EventLine:
    return EventLine(**_line_fields(event))


def _moved(change: EventChange) -> Moved:
    return Moved(
        number=change.number, quantity=change.quantity, effect=change.effect, low=change.low,
        high=change.high, status=change.status,
    )  # fmt: skip


def _card(connection: Connection, site: Site, who: Visitor, event: ChangeEvent) -> EventCard:
    content, is_partial = public_content(connection, site, who, event.number)
    quotes = event.kind is not Kind.SEARCH and not is_partial
    details = read_details(connection, event, content, quotes=quotes)
    return EventCard(
        **_line_fields(event), method=names.family(event.leading.measure),
        figures=details.figures, explained=details.explained,
        figures_of=details.axis if len(details.figures) > 1 else "",
        others=[
            f"In {titles.target_words(change.target, event.kind)}: change {change.said_effect}"
            for change in event.other_languages
        ],
        n_changed=details.n_changed, n_questions=details.n_questions, supports=details.supports,
        example=details.example,
        chart=str(draw_time_chart(details.chart(event, site.zone), f"event-{event.number}")),
    )  # fmt: skip


# --- tiles ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Standing:
    """How series stand by their numbers: newest run, runs of the chart, and how they are tested."""

    engines: KnownEngines
    summaries: Mapping[int, SeriesSummary]
    marks: Mapping[int, Sequence[Mark]]
    tests: Mapping[int, Tested]
    events: Sequence[ChangeEvent]
    refusals: Refusals
    zone: ZoneInfo

    def changes(self, series: Series) -> list[datetime]:
        """Return the confirmed changes in the chart of a series, the newest first."""
        marks = self.marks.get(series.id)
        return [
            event.changed_at
            for event in self.events
            if marks and event.changed_at >= marks[0].due_at
            and any(change.series == series.id and change.status is Status.CONFIRMED
                    for change in event.changes)
        ]  # fmt: skip

    def undecided(self, series: Series) -> datetime | None:
        """Return since when a series may have changed, where more runs have to decide that."""
        last = max(self.changes(series), default=None)
        candidates = (
            event.changed_at
            for event in self.events
            if (last is None or event.changed_at > last)
            and any(change.series == series.id and change.status is Status.CANDIDATE
                    for change in event.changes)
        )  # fmt: skip
        return max(candidates, default=None)

    def asked_in(self, series: Series) -> str:
        """Return the languages of a series, or its region."""
        kind = self.engines[series.engine].kind
        return titles.pair_words(series.source_lang, series.target, kind)


def _tile_groups(
    firsts: Sequence[Series], standing: _Standing, contents: Sequence[Mapping[str, Any]]
) -> list[TileGroup]:
    """Return systems by what they were asked and how they are measured, each on one scale."""
    asked = [series for series in firsts if series.id in standing.summaries]
    ordered = sorted(asked, key=lambda series: (*_group(series), *_system(series), series.id))
    groups = []
    for (of_list, measure), members in groupby(ordered, key=_group):
        alike = list(members)
        kind = standing.engines[alike[0].engine].kind
        quantity = _main_quantity(measure, kind)
        own = [
            series
            for series in alike
            if series.quantity == quantity.name and series.reference == alike[0].reference
        ]
        if not own:
            continue
        own.sort(key=lambda series: (standing.tests[series.id].is_control, *_system(series)))
        scales = system_tiles.common_scales(
            [standing.marks.get(series.id, ()) for series in own], quantity.neutral
        )
        scale = ("The same scale for all.", system_tiles.say_neutral(quantity))
        groups.append((_place(alike[0], kind, contents), TileGroup(
            title=f"{_KINDS[kind]} now: {quantity.meaning.label}",
            means=quantity.meaning.explained or names.means(measure, kind),
            scale_said=" ".join(filter(None, scale)), measure=measure, list=of_list,
            n_more=max(0, len(own) - _MOST_TILES),
            tiles=[_tile(series, quantity, standing, scales) for series in own[:_MOST_TILES]],
        )))  # fmt: skip
    return [group for _, group in sorted(groups, key=itemgetter(0))]


def _place(
    series: Series, kind: Kind, contents: Sequence[Mapping[str, Any]]
) -> tuple[int, int, str]:
    """Return where a group stands: translators first, measures as their job names them."""
    of_job = next((content for content in contents if content.get("name") == series.job), {})
    measures = [str(use.get("name")) for use in of_job.get("measures") or ()]
    family = names.family(series.measure)
    at = measures.index(family) if family in measures else len(measures)
    return list(_KINDS).index(kind), at, series.list


def _main_quantity(measure: str, kind: Kind) -> Quantity:
    """Return the quantity of a measure that is said first among those that are tested."""
    primaries = [names.about(measure, name, kind) for name in names.primaries(measure, kind)]
    return min(primaries, key=lambda quantity: quantity.meaning.rank or len(primaries) + 1)


def _tile(
    series: Series, quantity: Quantity, standing: _Standing, scales: tuple[Scale, Scale] | None
) -> Tile:
    unit, summary = quantity.meaning.unit, standing.summaries[series.id]
    system, asked_in = standing.engines[series.engine].title, standing.asked_in(series)
    chart = TileChart(
        f"{quantity.meaning.label}: {system}, {asked_in}", quantity,
        standing.marks.get(series.id, ()), standing.changes(series), standing.zone,
    )  # fmt: skip
    return Tile(
        series=series.id, system=system, asked_in=asked_in,
        is_control=standing.tests[series.id].is_control, state=summary.last_state,
        due_at=summary.last_due_at, value=summary.last_value, low=summary.last_low,
        high=summary.last_high, said=system_tiles.say_measured(unit, summary.last_value),
        interval_said=say_interval(unit, summary.last_low, summary.last_high),
        note=_note(series, quantity, standing),
        chart=system_tiles.draw_tile(chart, scales, f"tile-{series.id}"),
    )  # fmt: skip


def _note(series: Series, quantity: Quantity, standing: _Standing) -> str:
    """Return why a system was not measured, when it changed, or what could have been missed."""
    summary, tested = standing.summaries[series.id], standing.tests[series.id]
    if summary.last_value is None:
        return standing.refusals.at(series, summary.last_due_at) or summary.last_reason
    changes, undecided = standing.changes(series), standing.undecided(series)
    said = [system_tiles.say_changed(changes[0], standing.zone)] if changes else []
    said += [system_tiles.say_undecided(undecided, standing.zone)] if undecided else []
    if said:
        return "; ".join(said)
    if tested.role is Role.WITNESS:
        return "not tested: it shows whether our own software moved"
    if tested.role is not Role.PRIMARY:
        return "tested only where a main quantity changes"
    if tested.smallest is None:
        return "no change found; too few runs so far to decide"
    size = say_size(quantity.meaning.unit, tested.smallest)
    if size == say_size(quantity.meaning.unit, 0.0):
        return "no change found"
    return f"no change found; {system_tiles.say_missed(size)}"


def _tests(
    connection: Connection,
    stored: Sequence[Series],
    engines: KnownEngines,
    contents: Sequence[Mapping[str, Any]],
    newest: datetime | None,
) -> dict[int, Tested]:
    """Return {series over all questions: how it is tested}; `stored` are all of these."""
    content_of = {str(content.get("name")): content for content in contents}
    by_job: dict[str, list[dict[str, Any]]] = {}
    for series in stored:
        row = described(series, engines) | {"series_id": series.id}
        by_job.setdefault(series.job, []).append(row)
    tests: dict[int, Tested] = {}
    for job, rows in by_job.items():
        declared = as_declared.of_job(connection, job, newest).declared if newest else {}
        roles = series_roles(rows, content_of.get(job, {}), declared)
        primary = [number for number, role in roles.items() if role is Role.PRIMARY]
        alpha = float(declared.get("alpha", ALPHA))
        smallest = smallest_changes(connection, job, primary, alpha, newest) if newest else {}
        tests |= {number: Tested(role, smallest.get(number)) for number, role in roles.items()}
    return tests


def _missing(tiles: Sequence[Tile]) -> list[Missing]:
    """Return what the newest runs did not measure, systems with the same reason together."""
    by_reason: dict[tuple[str, datetime], list[str]] = {}
    for tile in tiles:
        if tile.state is not State.MEASURED:
            reason = tile.note or "no reason is stored"
            by_reason.setdefault((reason, tile.due_at), []).append(
                f"{tile.system}, {tile.asked_in}"
            )
    return [
        Missing(systems=list(dict.fromkeys(systems)), since=at, reason=reason)
        for (reason, at), systems in by_reason.items()
    ]


def _next_run(
    contents: Iterable[Mapping[str, Any]], newest: datetime | None, job: str
) -> datetime | None:
    """Return when a job is due next after the newest run; None where that is not known."""
    times = []
    for content in contents:
        table = content.get("schedule")
        if newest is None or not table or (job and content.get("name") != job):
            continue
        try:
            times.append(next_tick(Schedule.model_validate(table), newest))
        except (ValueError, InvalidInput):  # of another version of this program
            continue
    return min((at for at in times if at is not None), default=None)


# --- the table of all quantities ------------------------------------------------------------------


def _systems(firsts: Iterable[Series]) -> list[list[Series]]:
    """Series by system, those that were asked and measured alike beside each other."""

    def place(series: Series) -> tuple[str, ...]:
        return (*_group(series), *_system(series))

    ordered = sorted(firsts, key=lambda series: (*place(series), series.reference, series.id))
    return [list(own) for _, own in groupby(ordered, key=place)]


def _group(series: Series) -> tuple[str, str]:
    return series.list, series.measure


def _system(series: Series) -> tuple[str, str, str]:
    return series.engine, series.source_lang, series.target


def _groups(
    systems: Sequence[Sequence[Series]],
    engines: KnownEngines,
    summaries: Mapping[int, SeriesSummary],
    marks: Mapping[int, Sequence[Mark]],
) -> list[Group]:
    groups = []
    for (of_list, measure), members in groupby(systems, key=lambda own: _group(own[0])):
        rows = list(members)
        cells = [
            {
                names.title(described(series, engines)): cell(
                    series, summaries[series.id], marks.get(series.id, ()), engines
                )
                for series in own
                if series.id in summaries
            }
            for own in rows
        ]
        means = {title: one.quantity_title for by_title in cells for title, one in by_title.items()}
        groups.append(Group(
            list=of_list, measure=measure, method=names.family(measure), quantities=list(means),
            means=list(means.values()),
            systems=[
                System(
                    name=names.short_system(described(own[0], engines)), engine=own[0].engine,
                    source_lang=own[0].source_lang, target=own[0].target,
                    cells=[by_title.get(title) for title in means],
                )
                for own, by_title in zip(rows, cells, strict=True)
            ],
        ))  # fmt: skip
    return [group for group in groups if group.quantities]
