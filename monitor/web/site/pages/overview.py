"""The first page: recent changes, current values of systems, and missing values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Query
from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor.change import Cause, Role, Status
from monitor.jobs_tables import Schedule
from monitor.model import InvalidInput, Kind, Meaning, Quantity, State
from monitor.roles import Permission
from monitor.stages.changes.claim_support import EventExample, EventFigure, Support, read_details
from monitor.stages.changes.decisions import ALPHA
from monitor.stages.changes.detectable_effects import smallest_changes
from monitor.stages.changes.events import ChangeEvent, EventChange, say_systems
from monitor.stages.changes.series_roles import series_roles
from monitor.stages.changes.statements import UNTOLD, say_moved, say_unknown_cause
from monitor.stages.document import system_tiles
from monitor.stages.document.draw import Scale
from monitor.stages.document.html import html_blocks
from monitor.stages.document.notation import capitalize_first, join_names
from monitor.stages.document.system_tiles import TileChange, TileChart
from monitor.stages.document.time_chart import draw_time_chart
from monitor.stages.jobs import preregistration
from monitor.stages.reports import names, side_by_side
from monitor.stages.reports.coverage import Refusals, is_deed, say_missing
from monitor.stages.reports.names import KnownEngines, known_engines
from monitor.stages.reports.run_systems import sort_systems
from monitor.store.changes.series import (
    ALL,
    Filters,
    Series,
    SeriesSummary,
    SparklineTick,
    find_series,
    read_newest_marks,
    read_summaries,
)
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.journal import events
from monitor.store.reports import run_report, topic_values
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import PERCENT, say_interval, say_short_day
from monitor.ticks import next_tick
from monitor.web.site.pages.changes import EventSummary, list_later, read_events
from monitor.web.site.pages.claim_cards import read_public_claim
from monitor.web.site.pages.series_list import SeriesCell, make_cell, make_row
from monitor.web.site.records import Described, copy_record, count_pages, slice_page
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import PageNumber, make_router, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("overview")


@dataclass(frozen=True, slots=True)
class SeriesTest:
    """Role of a series in testing, and its smallest detectable change; None: too few runs."""

    role: Role
    smallest: float | None

    @property
    def is_control(self) -> bool:
        """Return whether the series is a control, which is never tested."""
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

_cache = ResponseCache()


class SystemRow(BaseModel):
    """A system by its newest values: one cell per quantity of its group, null where not asked."""

    name: str
    engine: str
    source_lang: str
    target: str
    cells: list[SeriesCell | None]

    @property
    def runs(self) -> SeriesCell | None:
        """Return a cell whose runs are those of all cells; None where they differ."""
        cells = [cell for cell in self.cells if cell]
        runs = {(cell.n_measured, cell.n_ticks, cell.due_at) for cell in cells}
        return cells[0] if len(runs) == 1 else None


class SystemGroup(BaseModel):
    """Systems that were asked the same and are measured alike."""

    list: str
    measure: str
    method: str
    """The name that the measure is registered under."""
    quantities: Sequence[str]
    means: Sequence[str]
    """What each of them is."""
    systems: Sequence[SystemRow]


class MovedQuantity(BaseModel):
    """A quantity that is found to have changed, by how much, with its 95 % interval."""

    number: int
    quantity: str
    effect: float | None
    low: float | None
    high: float | None
    status: Status


class EventLine(EventSummary):
    """A change event in one line; `said` is what the leading finding says of its quantity."""

    said: str
    cause: Cause
    cause_said: str
    """What caused it, in words, for each group of languages where the causes differ."""
    effect_said: str
    """How much it changed, with its interval, in words."""
    effect_in: str
    """In which language or region it changed so."""
    moved: Sequence[MovedQuantity]


class EventCard(EventLine):
    """A recent event with the numbers that matter, one pair of answers, and what supports it.

    `method` is the name that its measure is registered under.
    """

    method: str

    figures: Sequence[EventFigure]
    explained: str
    """What the quantity compares, in a sentence; may be empty."""
    subject: str
    """The subject of chart and figures, with its language or region."""
    counted: str
    """The noun that the rows of figures above the last one count; may be empty."""
    sides: tuple[str, str]
    """The heads of the columns of the figures."""
    newest_side: str
    """The head of their newest values; empty where these are those after the event."""
    newest_said: str = Field(exclude=True)
    notes: Sequence[str]
    """How much the means of runs changed, here and in other languages, in words."""
    n_changed: int | None
    n_questions: int | None
    differing_said: str
    """How many answers differ, with the dates of both runs; may be empty."""
    supports: Sequence[Support]
    example: EventExample | None
    picture: Markup = Field(exclude=True)


class SystemTile(Described):
    """A system with the newest value of the main quantity; `note` describes changes."""

    series: int
    system: str
    asked_in: str
    is_control: bool
    is_tested: bool
    """True if it can be told that it did not change: it has a newest value and enough runs."""
    state: State
    due_at: datetime
    value: float | None
    low: float | None
    high: float | None
    said: str
    interval_said: str
    note: str
    missing_since: datetime | None
    """First run without a value after the last one with a value."""
    undecided_since: datetime | None
    """Since when it may have changed, where more runs have to decide that."""
    picture: Markup = Field(exclude=True)


class TileGroup(BaseModel):
    """Systems on one common scale."""

    title: str
    means: str
    scale_said: str
    measure: str
    list: str
    tiles: Sequence[SystemTile]
    legend: str = Field(exclude=True)
    n_more: int


class UnmeasuredSystems(BaseModel):
    """Systems whose newest run has no value, with the reason."""

    systems: Sequence[str]
    since: datetime | None
    reason: str


class LanguageTables(Described):
    """Values by language and system in the newest run of a job; its numbers are in the series."""

    run: int
    job: str
    due_at: datetime
    markup: Markup = Field(exclude=True)


class Freshness(BaseModel):
    """Time of the newest run, how many values of systems it measured, and which it did not."""

    data_until: datetime | None
    n_measured: int
    n_systems: int
    unmeasured: list[str]
    next_at: datetime | None


class Stuck(BaseModel):
    """An open alarm."""

    kind: str
    subject: str
    detail: str
    since: datetime


class Overview(Described):
    """Content of the first page. `alarms` are null without permission."""

    jobs: list[str]
    job: str
    """The job that is shown; empty for all."""
    headline: str
    lead: str
    """Unknowns where no change was confirmed."""
    freshness: Freshness
    cards: list[EventCard]
    changes: list[EventLine]
    """Further events that were tested, the newest first."""
    signals: list[EventLine]
    """Events of which nothing is confirmed."""
    n_changes: int
    """All events."""
    languages: list[LanguageTables]
    """Runs whose languages stand side by side."""
    tiles: list[TileGroup]
    missing: list[UnmeasuredSystems]
    groups: list[SystemGroup]
    page: int
    n_pages: int
    n_systems: int
    alarms: list[Stuck] | None

    @property
    def band(self) -> str:
        """Return what the bands of tiles are."""
        return system_tiles.BAND


@serve_page(router, "/", "overview.html", Permission.NUMBERS, api="/overview")
def overview(
    site: TheSite,
    who: Who,
    job: Annotated[str, Query(max_length=200)] = "",
    page: PageNumber = 1,
) -> Overview:
    """Return recent changes, the newest values of every system, and missing values."""
    with site.database.read() as connection:
        about = job, page, who.may(Permission.CAPTURED)
        content = _cache.get(
            connection, who, about, lambda: _read_page(connection, site, who, job, page)
        )
    return content if who.may(Permission.EMBARGOED) else content.model_copy(update={"alarms": None})


def _read_page(connection: Connection, site: Site, who: Visitor, job: str, page: int) -> Overview:
    contents = declarations.read_job_contents(connection)
    engines = known_engines(connection, contents)
    stored = find_series(connection, Filters(scope=ALL))
    everything = [series for series in stored if who.hidden.shows(series.id)]
    of_job = [series for series in everything if not job or series.job == job]
    firsts = [series for series in of_job if series.quantity in _list_primaries(series, engines)]
    systems = _group_by_system(firsts)
    on_page = slice_page(systems, page, SYSTEMS)
    summaries = read_summaries(connection, firsts)
    marks = read_newest_marks(connection, firsts, TICKS)
    newest = max((summary.last_due_at for summary in summaries.values()), default=None)
    change_events = read_events(connection, who, engines, site.zone, job)
    recent = sorted(
        (
            event
            for event in change_events
            if newest and event.status is Status.CONFIRMED and event.detected_at >= newest - _RECENT
        ),
        key=lambda event: not event.is_of_system,  # else as they came
    )
    cards = [_make_card(connection, site, who, event) for event in recent[:_CARDS]]
    later = [event for event in change_events if event not in recent[:_CARDS]]
    tests = _read_tests(connection, stored, engines, contents, newest)
    printed = {
        event.leading.series: card.newest_said
        for event, card in reversed([*zip(recent, cards, strict=False)])
    }
    standing = _Standing(
        engines, summaries, marks, tests, change_events, recent, printed, Refusals(connection),
        site.zone,
    )  # fmt: skip
    tiles = _make_tile_groups(firsts, standing, contents)
    all_tiles = [tile for group in tiles for tile in group.tiles]
    audited = [tile for tile in all_tiles if not tile.is_control]
    tested = [series for series in firsts if standing.is_tested(series)]
    gaps = _find_gaps(all_tiles, newest, site.zone)
    suspects = _find_suspects(all_tiles, newest, site.zone)
    signals = [_make_line(event) for event in later if event.status is not Status.CONFIRMED]
    return Overview(
        jobs=sorted({series.job for series in everything}),
        job=job,
        headline=_say_headline(recent, newest, [*suspects, *gaps.values()], all_tiles, site.zone),
        lead=""
        if cards
        else _say_unknown(len(suspects), list(gaps), _say_missed(tested, engines, tests), signals),
        freshness=Freshness(
            data_until=newest,
            n_measured=sum(tile.state is State.MEASURED for tile in audited),
            n_systems=len(audited),
            unmeasured=list(
                dict.fromkeys(tile.system for tile in all_tiles if tile.state is not State.MEASURED)
            ),
            next_at=_find_next_run(contents, newest, job),
        ),
        cards=cards,
        changes=[_make_line(event) for event in later if event.status is Status.CONFIRMED][:_LINES],
        signals=signals[:_LINES],
        n_changes=len(change_events),
        languages=_read_language_tables(connection, who, job, contents),
        tiles=tiles,
        missing=_list_unmeasured(all_tiles),
        groups=_make_groups(on_page, engines, summaries, marks),
        page=page,
        n_pages=count_pages(len(systems), SYSTEMS),
        n_systems=len(systems),
        alarms=[copy_record(Stuck, alarm) for alarm in events.list_open_alarms(connection)],
    )


def _list_primaries(series: Series, engines: KnownEngines) -> Sequence[str]:
    return names.name_primaries(series.measure, engines[series.engine].kind)


# --- events ---------------------------------------------------------------------------------------


def _say_headline(
    recent: Sequence[ChangeEvent],
    newest: datetime | None,
    open_ends: Sequence[str],
    tiles: Sequence[SystemTile],
    zone: ZoneInfo,
) -> str:
    """Return what happened in the last four weeks, in one sentence.

    Where no change is confirmed, `open_ends` come first: what is not decided or not measured.
    `tiles` say how many values could not be tested.
    """
    if newest is None:
        return "Nothing was measured on schedule yet"
    system_events = [event for event in recent if not event.is_ours]
    if not system_events and open_ends:
        more = f" and {len(open_ends) - 2} more" if len(open_ends) > 2 else ""  # noqa: PLR2004
        return f"{'; '.join(open_ends[:2])}{more}; {_say_none(tiles)}"
    if not system_events:
        untested = _say_untested(tiles)
        suffix = f" ({untested})" if untested else ""
        return f"No system was found to have changed {_RECENTLY}{suffix}"
    changed = [event for event in system_events if event.is_of_system]
    if not changed:
        moved_said = say_systems(system_events, "The numbers of {} moved", zone)
        return f"{moved_said}{_WITH_OURS}; {UNTOLD}"
    is_open = all(event.cause is Cause.OPEN for event in changed)
    unknown = say_unknown_cause(Cause.OPEN) if is_open else ""
    days = list(dict.fromkeys(say_short_day(event.detected_at, zone) for event in changed))
    confirmed = join_names(days) if len(days) <= 2 else _RECENTLY  # noqa: PLR2004 - else too many
    moved = [event for event in system_events if not event.is_of_system]
    said = f"{say_systems(changed, '{} changed', zone)} (confirmed {confirmed}){unknown}"
    if moved:
        said += f"; {say_systems(moved, 'the numbers of {} moved', zone)}{_WITH_OURS}: {UNTOLD}"
    return said


_RECENTLY = "in the last four weeks"
_WITH_OURS = ", when our own software was updated"


def _say_none(tiles: Sequence[SystemTile]) -> str:
    """Return `no change found in the 2 values that could be tested; 15 could not`."""
    tested = [tile.is_tested for tile in tiles if not tile.is_control]
    n = tested.count(True)
    if n == len(tested):
        return f"no change found elsewhere {_RECENTLY}"
    rest = len(tested) - n
    return (
        f"no change found in the {several(n, 'value')} that could be tested; {rest} could not"
        if n
        else "no value could be tested"
    )


def _say_untested(tiles: Sequence[SystemTile]) -> str:
    """Return `2 of the 5 values below could not be tested`; empty where all could."""
    tested = [tile.is_tested for tile in tiles if not tile.is_control]
    n = tested.count(False)
    values = several(len(tested), "value")
    if n == len(tested):
        return f"none of the {values} below could be tested" if n else ""
    return f"{n} of the {values} below could not be tested" if n else ""


def _say_since(moment: datetime, newest: datetime, zone: ZoneInfo) -> str:
    return f"{'on' if moment == newest else 'since'} {say_short_day(moment, zone)}"


def _find_suspects(
    tiles: Sequence[SystemTile], newest: datetime | None, zone: ZoneInfo
) -> list[str]:
    """Return, for each system that may have changed in the last four weeks, since when."""
    suspects: dict[str, str] = {}
    for tile in tiles:
        since = tile.undecided_since
        if since and newest and since > newest - _RECENT:
            when = _say_since(since, newest, zone)
            suspects.setdefault(tile.system, f"{tile.system} may have changed {when}")
    return list(suspects.values())


def _find_gaps(
    tiles: Sequence[SystemTile], newest: datetime | None, zone: ZoneInfo
) -> dict[str, str]:
    """Return, for each system without a newest value, what it did and since when."""
    gaps: dict[str, str] = {}
    for tile in tiles:
        if tile.value is None and not tile.is_control and tile.missing_since and newest:
            deed = tile.note if is_deed(tile.note) else "could not be measured"
            when = _say_since(tile.missing_since, newest, zone)
            gaps.setdefault(tile.system, f"{tile.system} {deed} {when}")
    return gaps


def _say_unknown(
    n_suspects: int, gaps: list[str], missed: str, signals: Sequence[EventLine]
) -> str:
    """Return what is not known while no change is confirmed."""
    parts = ["More runs have to decide."] if n_suspects else []
    if gaps:
        parts.append(f"Unknown: whether {join_names(gaps)} changed.")
    if missed:
        parts.append(f"{capitalize_first(missed)}.")
    if signals:
        verb = "is no finding" if len(signals) == 1 else "are no findings"
        systems = ", ".join(dict.fromkeys(signal.system for signal in signals))
        parts.append(f"{several(len(signals), 'unconfirmed signal')} ({systems}) {verb}.")
    return " ".join(parts)


def _say_missed(
    firsts: Sequence[Series], engines: KnownEngines, tests: Mapping[int, SeriesTest]
) -> str:
    """Return which changes of systems could have been missed; empty where that is not known."""
    largest: dict[tuple[str, str, str], tuple[float, Meaning]] = {}
    for series in firsts:
        kind, size = engines[series.engine].kind, tests[series.id].smallest
        meaning = names.find_quantity(series.measure, series.quantity, kind).meaning
        key, is_percent = _system_key(series), meaning.unit in PERCENT
        if is_percent and size is not None and (key not in largest or size > largest[key][0]):
            largest[key] = size, meaning
    return system_tiles.say_missed((meaning, size) for size, meaning in largest.values())


def _make_line(event: ChangeEvent) -> EventLine:
    leading = event.leading
    return copy_record(
        EventLine,
        event,
        said=leading.said,
        target=leading.target,
        effect_said=leading.said_effect,
        effect_in=names.target_words(leading.target, event.kind),
        later=list_later(event),
        moved=[copy_record(MovedQuantity, change) for change in event.changes],
    )


def _make_card(connection: Connection, site: Site, who: Visitor, event: ChangeEvent) -> EventCard:
    claim, is_partial = read_public_claim(connection, site, who, event.number)
    quotes = event.kind is not Kind.SEARCH and not is_partial
    details = read_details(connection, event, claim, quotes=quotes)
    return copy_record(
        EventCard,
        details,
        **dict(_make_line(event)), method=names.name_family(event.leading.measure),
        subject=f"{details.where}: {details.subject}",
        sides=details.name_sides(event, site.zone), newest_side=details.name_newest(site.zone),
        differing_said=details.say_differing(site.zone),
        picture=draw_time_chart(details.chart(event, site.zone), f"event-{event.number}"),
    )  # fmt: skip


# --- tiles ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Standing:
    """State of series: newest run, runs of the chart, and how they are tested.

    `printed` are newest values as cards print them.
    """

    engines: KnownEngines
    summaries: Mapping[int, SeriesSummary]
    marks: Mapping[int, Sequence[SparklineTick]]
    tests: Mapping[int, SeriesTest]
    events: Sequence[ChangeEvent]
    recent: Sequence[ChangeEvent]
    printed: Mapping[int, str]
    refusals: Refusals
    zone: ZoneInfo

    def changes(self, series: Series) -> list[tuple[ChangeEvent, EventChange]]:
        """Return the confirmed changes in the chart of a series, the newest first."""
        marks = self.marks.get(series.id)
        in_chart = [event for event in self.events if marks and event.changed_at >= marks[0].due_at]
        return [
            (event, change)
            for event in in_chart
            for change in event.changes
            if change.series == series.id and change.status is Status.CONFIRMED
        ]

    def chart(self, series: Series, quantity: Quantity) -> TileChart:
        """Return the chart of the newest runs of a series; its tile names the system."""
        changes = [
            TileChange(event.changed_at, bool(change.our_part), event in self.recent)
            for event, change in self.changes(series)
        ]
        return TileChart(quantity.meaning.label, quantity,
                         self.marks.get(series.id, ()), changes, self.zone)  # fmt: skip

    def undecided(self, series: Series) -> datetime | None:
        """Return since when a series may have changed, where more runs have to decide that."""
        last = max((event.changed_at for event, _ in self.changes(series)), default=None)
        candidates = (
            event.changed_at
            for event in self.events
            if (last is None or event.changed_at > last)
            and any(change.series == series.id and change.status is Status.CANDIDATE
                    for change in event.changes)
        )  # fmt: skip
        return max(candidates, default=None)

    def is_tested(self, series: Series) -> bool:
        """Return whether a change of the newest value of a series could have been found."""
        tested, summary = self.tests[series.id], self.summaries[series.id]
        is_told = tested.role is Role.PRIMARY and tested.smallest is not None
        return is_told and summary.last_value is not None

    def asked_in(self, series: Series) -> str:
        """Return the languages of a series, or its region."""
        kind = self.engines[series.engine].kind
        return names.pair_words(series.source_lang, series.target, kind)


def _make_tile_groups(
    firsts: Sequence[Series], standing: _Standing, contents: Sequence[Mapping[str, Any]]
) -> list[TileGroup]:
    """Return systems by what they were asked and how they are measured, each on one scale."""
    summarized = [series for series in firsts if series.id in standing.summaries]
    ordered = sorted(
        summarized, key=lambda series: (*_group_key(series), *_system_key(series), series.id)
    )
    groups = []
    for (of_list, measure), members in groupby(ordered, key=_group_key):
        alike = list(members)
        kind = standing.engines[alike[0].engine].kind
        quantity = names.find_main_quantity(measure, kind)
        main_series = [
            series
            for series in alike
            if series.quantity == quantity.name and series.reference == alike[0].reference
        ]
        if not main_series:
            continue
        main_series.sort(
            key=lambda series: (standing.tests[series.id].is_control, *_system_key(series))
        )
        scales = system_tiles.common_scales(
            [standing.marks.get(series.id, ()) for series in main_series], quantity.neutral
        )
        drawn = [series.id for series in main_series if standing.marks.get(series.id)]
        scale = ("The same scale for all.", system_tiles.say_neutral(quantity))
        groups.append(
            (
                _tile_order(alike[0], kind, contents),
                TileGroup(
                    title=f"{_KINDS[kind]} now: {quantity.meaning.label}",
                    means=quantity.meaning.explained or names.say_meaning(measure, kind),
                    scale_said=" ".join(filter(None, scale)),
                    measure=measure,
                    list=of_list,
                    legend=system_tiles.say_legend(
                        (standing.chart(series, quantity) for series in main_series[:_MOST_TILES]),
                        _RECENTLY,
                    ),
                    n_more=max(0, len(main_series) - _MOST_TILES),
                    tiles=[
                        _make_tile(series, quantity, standing, scales, drawn[:1])
                        for series in main_series[:_MOST_TILES]
                    ],
                ),
            )
        )
    return [group for _, group in sorted(groups, key=itemgetter(0))]


def _tile_order(
    series: Series, kind: Kind, contents: Sequence[Mapping[str, Any]]
) -> tuple[int, int, str]:
    """Return where a group stands: translators first, measures as their job names them."""
    of_job = next((content for content in contents if content.get("name") == series.job), {})
    measures = [str(use.get("name")) for use in of_job.get("measures") or ()]
    family = names.name_family(series.measure)
    index = measures.index(family) if family in measures else len(measures)
    return list(_KINDS).index(kind), index, series.list


def _make_tile(
    series: Series,
    quantity: Quantity,
    standing: _Standing,
    scales: tuple[Scale, Scale] | None,
    first_drawn: Sequence[int],
) -> SystemTile:
    """Return a tile; it shows the frame of the first tile of its group that has a chart."""
    frame_of = next((f"t{number}" for number in first_drawn if number != series.id), "")
    unit, summary = quantity.meaning.unit, standing.summaries[series.id]
    return SystemTile(
        series=series.id, system=standing.engines[series.engine].title,
        asked_in=standing.asked_in(series),
        is_control=standing.tests[series.id].is_control,
        is_tested=standing.is_tested(series), state=summary.last_state,
        due_at=summary.last_due_at, value=summary.last_value, low=summary.last_low,
        high=summary.last_high,
        said=standing.printed.get(series.id)
        or system_tiles.say_measured(unit, summary.last_value),
        interval_said=say_interval(unit, summary.last_low, summary.last_high),
        note=_say_note(series, quantity, standing),
        undecided_since=standing.undecided(series),
        missing_since=_find_missing(standing.marks.get(series.id, ())),
        picture=system_tiles.draw_tile(
            standing.chart(series, quantity), scales, f"t{series.id}", frame_of
        ),
    )  # fmt: skip


def _find_missing(marks: Sequence[SparklineTick]) -> datetime | None:
    """Return since when a series has no value; None where its newest run has one."""
    gap = [*takewhile(lambda mark: mark.value is None, reversed(marks))]
    return gap[-1].due_at if gap else None


def _say_note(series: Series, quantity: Quantity, standing: _Standing) -> str:
    """Return why a system was not measured, when it changed, or what could have been missed."""
    summary, tested = standing.summaries[series.id], standing.tests[series.id]
    if summary.last_value is None:
        deed = standing.refusals.at(series, summary.last_due_at)
        return say_missing(deed, summary.last_state, summary.last_reason)
    changes, undecided = standing.changes(series), standing.undecided(series)
    notes = [
        say_moved(change.kind, change.our_part, say_short_day(event.changed_at, standing.zone))
        for event, change in changes[:1]
    ]
    notes += [system_tiles.say_undecided(undecided, standing.zone)] if undecided else []
    if notes:
        return "; ".join(notes)
    if tested.role is Role.WITNESS:
        return "our own fixed system: its level is no finding; a move of it comes from our side"
    if tested.role is not Role.PRIMARY:
        return "not tested: its job tests other numbers"
    if tested.smallest is None:
        return "not tested: too few runs so far"
    found = system_tiles.say_found([(quantity.meaning, tested.smallest)])
    return "; ".join(filter(None, ("no change found", found)))


def _read_tests(
    connection: Connection,
    stored: Sequence[Series],
    engines: KnownEngines,
    contents: Sequence[Mapping[str, Any]],
    newest: datetime | None,
) -> dict[int, SeriesTest]:
    """Return {series over all questions: how it is tested}; `stored` are all of these."""
    content_of = {str(content.get("name")): content for content in contents}
    by_job: dict[str, list[dict[str, Any]]] = {}
    for series in stored:
        row = make_row(series, engines) | {"series_id": series.id}
        by_job.setdefault(series.job, []).append(row)
    tests: dict[int, SeriesTest] = {}
    for job, rows in by_job.items():
        declared = preregistration.of_job(connection, job, newest).declared if newest else {}
        roles = series_roles(rows, content_of.get(job, {}), declared)
        primary = [number for number, role in roles.items() if role is Role.PRIMARY]
        alpha = float(declared.get("alpha", ALPHA))
        smallest = smallest_changes(connection, job, primary, alpha, newest) if newest else {}
        tests |= {number: SeriesTest(role, smallest.get(number)) for number, role in roles.items()}
    return tests


def _list_unmeasured(tiles: Sequence[SystemTile]) -> list[UnmeasuredSystems]:
    """Return what the newest runs did not measure, systems with the same reason together."""
    by_reason: dict[tuple[str, datetime], list[str]] = {}
    for tile in tiles:
        if tile.state is not State.MEASURED:
            since = tile.missing_since or tile.due_at
            by_reason.setdefault((tile.note, since), []).append(f"{tile.system}, {tile.asked_in}")
    return [
        UnmeasuredSystems(systems=list(dict.fromkeys(systems)), since=due_at, reason=reason)
        for (reason, due_at), systems in by_reason.items()
    ]


def _find_next_run(
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
    return min((moment for moment in times if moment is not None), default=None)


# --- the table of all quantities ------------------------------------------------------------------


def _group_by_system(firsts: Iterable[Series]) -> list[list[Series]]:
    """Return series by system, those with the same list and measure together."""

    def place(series: Series) -> tuple[str, ...]:
        return (*_group_key(series), *_system_key(series))

    ordered = sorted(firsts, key=lambda series: (*place(series), series.reference, series.id))
    return [list(members) for _, members in groupby(ordered, key=place)]


def _group_key(series: Series) -> tuple[str, str]:
    return series.list, series.measure


def _system_key(series: Series) -> tuple[str, str, str]:
    return series.engine, series.source_lang, series.target


def _make_groups(
    systems: Sequence[Sequence[Series]],
    engines: KnownEngines,
    summaries: Mapping[int, SeriesSummary],
    marks: Mapping[int, Sequence[SparklineTick]],
) -> list[SystemGroup]:
    groups = []
    for (of_list, measure), members in groupby(
        systems, key=lambda system_series: _group_key(system_series[0])
    ):
        rows = list(members)
        cells = [
            {
                names.write_title(make_row(series, engines)): make_cell(
                    series, summaries[series.id], marks.get(series.id, ()), engines
                )
                for series in system_series
                if series.id in summaries
            }
            for system_series in rows
        ]
        means = {
            title: series_cell.quantity_title
            for by_title in cells
            for title, series_cell in by_title.items()
        }
        groups.append(
            SystemGroup(
                list=of_list,
                measure=measure,
                method=names.name_family(measure),
                quantities=list(means),
                means=list(means.values()),
                systems=[
                    SystemRow(
                        name=names.name_system(make_row(system_series[0], engines)),
                        engine=system_series[0].engine,
                        source_lang=system_series[0].source_lang,
                        target=system_series[0].target,
                        cells=[by_title.get(title) for title in means],
                    )
                    for system_series, by_title in zip(rows, cells, strict=True)
                ],
            )
        )
    return [group for group in groups if group.quantities]


# --- languages side by side -----------------------------------------------------------------------


def _read_language_tables(
    connection: Connection, who: Visitor, job: str, contents: Sequence[Mapping[str, Any]]
) -> list[LanguageTables]:
    """Return the tables of a job, or of every job, whose newest run has at least three languages.

    `contents` are those of the jobs.
    """
    anchors = topic_values.find_anchors(connection, who.hidden, side_by_side.QUANTITIES)
    newest = {anchor.job: anchor for anchor in reversed(anchors) if job in ("", anchor.job)}
    content_of = {str(content.get("name")): content for content in contents}
    tables = []
    for anchor in sorted(newest.values(), key=lambda anchor: anchor.job):
        points = [
            point
            for point in run_report.read_points(connection, anchor.run, ALL)
            if who.hidden.shows(point["series_id"])
        ]
        cues = run_report.read_cues(connection, anchor.run)
        of_run = sort_systems(points, content_of.get(anchor.job, {}), cues)
        section = side_by_side.write_languages_section(of_run)
        if section is not None:
            tables.append(
                LanguageTables(
                    run=anchor.run, job=anchor.job, due_at=anchor.due_at,
                    markup=html_blocks(section.blocks),
                )
            )  # fmt: skip
    return tables
