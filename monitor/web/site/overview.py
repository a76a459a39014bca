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
from monitor.stages import as_declared
from monitor.stages.change_events import (
    ChangeEvent,
    EventChange,
    describe_event,
    group_findings,
    say_asked_in,
)
from monitor.stages.claim_support import Support
from monitor.stages.claim_words import say_unknown_cause
from monitor.stages.decisions import ALPHA
from monitor.stages.detectable_effects import smallest_changes
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.event_details import EventDetails, Example, Figure, read_details
from monitor.stages.refusals import say_refusal
from monitor.stages.series_roles import series_roles
from monitor.stages.time_chart import Line, Marker, TimeChart, draw_time_chart
from monitor.stages.weekly import names
from monitor.store import changes, engines_known, events, series_summaries
from monitor.store import overview as run_views
from monitor.store.changes import Wanted
from monitor.store.changes import find as findings
from monitor.store.database import Connection
from monitor.store.series import ALL, Filters, Series, grid
from monitor.store.series import find as find_series
from monitor.store.series_summaries import Mark, Summary
from monitor.text.dates import say_day, say_short_day
from monitor.text.quantity_values import neutral_words, say_interval, say_size, say_value
from monitor.ticks import next_tick
from monitor.web.site import _charts
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
    """A recent event with the numbers that matter, one pair of answers, and what supports it."""

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
    engines = known_engines(connection)
    stored = find_series(connection, Filters(scope=ALL))
    everything = [series for series in stored if who.hidden.shows(series.id)]
    chosen = [series for series in everything if not job or series.job == job]
    firsts = [series for series in chosen if series.quantity in _primaries(series, engines)]
    systems = _systems(firsts)
    contents = engines_known.job_contents(connection)
    on_page = systems[(page - 1) * SYSTEMS : page * SYSTEMS]
    summaries = series_summaries.summaries(connection, firsts)
    marks = series_summaries.newest(connection, firsts, TICKS)
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
    tiles = _tile_groups(firsts, engines, summaries, marks, found, contents, tests, site.zone)
    tiles = _with_reasons(connection, firsts, tiles)
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
            for alarm in events.open_alarms(connection)
        ],
    )


def _primaries(series: Series, engines: KnownEngines) -> Sequence[str]:
    return names.primaries(series.measure, engines[series.engine].kind)


# --- events ---------------------------------------------------------------------------------------


def read_events(
    connection: Connection, who: Visitor, engines: KnownEngines, job: str = ""
) -> list[ChangeEvent]:
    """Return the events of a job or of all that a visitor may see, the newest first."""
    listed = findings(connection, who.hidden, Wanted(job=job))
    values = changes.ends(connection, [finding.change_id for finding in listed])
    return [describe_event(group, values, engines) for group in group_findings(listed)]


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
        "effect_in": _say_target(event, event.leading),
        "moved": [_moved(change) for change in event.changes],
    }  # fmt: skip


def _say_target(event: ChangeEvent, change: EventChange) -> str:
    """Return `Czech`, or `region us-en`."""
    is_region = event.kind is Kind.SEARCH
    return f"region {change.target}" if is_region else titles.language_name(change.target)


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
        **_line_fields(event),
        figures=details.figures, explained=details.explained,
        figures_of=details.axis if len(details.figures) > 1 else "",
        others=[
            f"In {_say_target(event, change)}: {change.said_effect}"
            for change in event.other_languages
        ],
        n_changed=details.n_changed, n_questions=details.n_questions, supports=details.supports,
        example=details.example, chart=_event_chart(event, details, site),
    )  # fmt: skip


def _event_chart(event: ChangeEvent, details: EventDetails, site: Site) -> str:
    """Draw exactly the numbers of a card over time, with the event in it."""
    words = f"{say_short_day(event.changed_at, site.zone)}: changed"
    chart = TimeChart(
        title=event.headline,
        axis_title=details.axis_title,
        quantity=details.quantity,
        lines=[Line(course.label, course.ticks) for course in details.courses],
        markers=[Marker(event.changed_at, words, event.status is Status.CONFIRMED)],
        zone=site.zone,
    )
    return str(draw_time_chart(chart, f"event-{event.number}"))


# --- tiles ----------------------------------------------------------------------------------------


def _tile_groups(
    firsts: Sequence[Series],
    engines: KnownEngines,
    summaries: Mapping[int, Summary],
    marks: Mapping[int, Sequence[Mark]],
    found: Sequence[ChangeEvent],
    contents: Sequence[Mapping[str, Any]],
    tests: Mapping[int, Tested],
    zone: ZoneInfo,
) -> list[TileGroup]:
    """Return systems by what they were asked and how they are measured, each on one scale."""
    asked = [series for series in firsts if series.id in summaries]
    ordered = sorted(asked, key=lambda series: (*_group(series), *_system(series), series.id))
    groups = []
    for (of_list, measure), members in groupby(ordered, key=_group):
        alike = list(members)
        kind = engines[alike[0].engine].kind
        quantity = _main_quantity(measure, kind)
        own = [
            series
            for series in alike
            if series.quantity == quantity.name and series.reference == alike[0].reference
        ]
        if not own:
            continue
        own.sort(key=lambda series: (tests[series.id].is_control, *_system(series)))
        scale = _charts.common_scale([marks.get(series.id, ()) for series in own], quantity.neutral)
        groups.append((_place(alike[0], kind, contents), TileGroup(
            title=f"{_KINDS[kind]} now: {quantity.meaning.label}",
            means=quantity.meaning.explained or names.means(measure, kind),
            scale_said=_scale_said(quantity), measure=measure, list=of_list,
            n_more=max(0, len(own) - _MOST_TILES),
            tiles=[
                _tile(series, quantity, engines, summaries[series.id], marks.get(series.id, ()),
                      scale, is_control=tests[series.id].is_control,
                      note=_note(series, quantity, marks.get(series.id, ()), found,
                                 tests[series.id], zone))
                for series in own[:_MOST_TILES]
            ],
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


def _scale_said(quantity: Quantity) -> str:
    if quantity.neutral is None:
        return "The same scale for all."
    meaning = neutral_words(quantity.meaning.unit, quantity.neutral)
    return f"The same scale for all. Dotted line: {meaning}."


def _tile(
    series: Series,
    quantity: Quantity,
    engines: KnownEngines,
    summary: Summary,
    marks: Sequence[Mark],
    scale: tuple[float, float],
    *,
    is_control: bool,
    note: str,
) -> Tile:
    unit = quantity.meaning.unit
    is_measured = summary.last_value is not None
    return Tile(
        series=series.id, system=engines[series.engine].title,
        asked_in=say_asked_in(
            [(series.source_lang, series.target)], engines[series.engine].kind
        ), is_control=is_control, state=summary.last_state,
        due_at=summary.last_due_at, value=summary.last_value, low=summary.last_low,
        high=summary.last_high,
        said=say_value(unit, summary.last_value) if summary.last_value is not None else "no data",
        interval_said=say_interval(unit, summary.last_low, summary.last_high),
        note=note if is_measured else summary.last_reason,
        chart=_charts.tile(marks, scale, quantity.neutral),
    )  # fmt: skip


def _note(
    series: Series,
    quantity: Quantity,
    marks: Sequence[Mark],
    found: Sequence[ChangeEvent],
    tested: Tested,
    zone: ZoneInfo,
) -> str:
    """Return when a system changed last, else which changes could have been missed."""
    for event in found:
        its_own = any(
            change.series == series.id and change.status is Status.CONFIRMED
            for change in event.changes
        )
        if its_own and marks and event.changed_at >= marks[0].due_at:
            return f"changed on {say_day(event.changed_at, zone)}"
    if tested.role is Role.WITNESS:
        return "not tested: it shows whether our own software moved"
    if tested.role is not Role.PRIMARY:
        return "tested only where a main quantity changes"
    if tested.smallest is None:
        return "no change found; too few runs so far to decide"
    size = say_size(quantity.meaning.unit, tested.smallest)
    if size == say_size(quantity.meaning.unit, 0.0):
        return "no change found"
    return f"no change found; one under {size} could have been missed"


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


def _with_reasons(
    connection: Connection, firsts: Sequence[Series], groups: Sequence[TileGroup]
) -> list[TileGroup]:
    """Return the same with what a system did where its newest run has no value for that."""
    by_number = {series.id: series for series in firsts}
    endings: dict[int, list[dict[str, Any]]] = {}
    for tile in (tile for group in groups for tile in group.tiles):
        if tile.state is State.MEASURED:
            continue
        newest = grid(connection, tile.series)[-1:]
        run_id = newest[0].run_id if newest else None
        if run_id is None:
            continue
        if run_id not in endings:
            endings[run_id] = run_views.endings(connection, run_id)
        system = _system(by_number[tile.series])
        own = [row for row in endings[run_id] if _asked_system(row) == system]
        tile.note = say_refusal(own) or tile.note
    return list(groups)


def _asked_system(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["engine"], row["source_lang"], row["target"]


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
    summaries: Mapping[int, Summary],
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
