"""The page of one series: its question and answer, chart, events, every run, siblings, CSV, PNG."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from operator import itemgetter
from threading import Lock
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Query, Request
from fastapi.responses import Response
from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor.change import Cause, ChangeKind, Status
from monitor.model import QuantityUnit, RunKind, State, as_row
from monitor.roles import Permission
from monitor.stages import alarm_rules
from monitor.stages.changes import statements
from monitor.stages.document.notation import capitalize_first
from monitor.stages.document.time_chart import (
    ChartLine,
    Marker,
    TimeChart,
    draw_saved_chart,
    draw_time_chart,
    say_gap,
)
from monitor.stages.publish.release import LICENCE
from monitor.stages.reports import names
from monitor.stages.reports.coverage import Refusals
from monitor.stages.reports.names import known_engines, subject_columns
from monitor.store.changes import changed_answers, series
from monitor.store.changes.series import GridTick as Tick
from monitor.store.changes.series import Series, SeriesHistory
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import (
    say_change,
    say_change_interval,
    say_day,
    say_interval,
    say_short_day,
    say_value,
)
from monitor.web.site import rendering
from monitor.web.site.errors import Missing
from monitor.web.site.pages.series_answers import RunPair, compare_runs
from monitor.web.site.pages.series_list import (
    SeriesDescription,
    Siblings,
    describe_series,
    find_siblings,
    make_row,
    require_series,
)
from monitor.web.site.records import (
    Estimate,
    PagedContent,
    PointEstimate,
    copy_record,
    count_pages,
    slice_page,
)
from monitor.web.site.rendering import format_day
from monitor.web.site.response_cache import ResponseCache, hold_lock
from monitor.web.site.routes import (
    Number,
    PageNumber,
    Run,
    SignatureHash,
    add_api,
    make_router,
    serve_file,
    serve_page,
)
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("series")

_ON_A_PAGE = 30
#: Ticks that can be chosen to be compared, and runs off the grid that are named.
_CHOICES, _OFF_GRID = 200, 12
#: Pixels of the chart.
_SIZE = (760, 300)

#: Why the newest run has no value, by the words of its gap.
_GAP_REASONS = {
    "refused": "it refused our questions",
    "not asked": "it was not asked",
    "not finished": "the run was not finished",
    "no answer": "it gave no answer",
    "other questions": "it was asked other questions",
    "other reference": "it was held against other shares",
    "not computed": "its answers are not computed yet",
    "too few answers": "too few of its answers can be used",
}
_cache = ResponseCache(most=128)
#: Pixels of the picture per unit of the drawing.
_SHARPNESS = 2.0
_picture_cache = ResponseCache(most=64)
_painting_lock = Lock()
#: What has become of a change, as it stands beside its line in a chart.
_EVENT_WORDS = {
    Status.CONFIRMED: "confirmed",
    Status.CANDIDATE: "unconfirmed",
    Status.REFUTED: "not reproduced",
    Status.UNCONFIRMED: "not confirmed",
    Status.RETROSPECTIVE: "in retrospect",
}


# --- history --------------------------------------------------------------------------------------


def require_history(
    connection: Connection, who: Visitor, number: int, beginning: str
) -> SeriesHistory:
    """Return the history of a series that a visitor may see. Raise Missing or InvalidInput."""
    return series.read_history(connection, require_series(connection, who, number), beginning)


def say_undecided(connection: Connection, history: SeriesHistory) -> str:
    """Return which ticks of a series are not decided; empty where all are."""
    times = {tick.due_at for tick in history.ticks if tick.run_id is not None}
    undecided = runs.find_undecided(connection, history.series.job)
    of_series = [run for run in undecided if run.due_at in times]
    return alarm_rules.undecided_ticks(of_series) if of_series else ""


def _make_chart(
    history: SeriesHistory,
    about: SeriesDescription,
    zone: ZoneInfo,
    chosen: Sequence[datetime] = (),
) -> TimeChart:
    """Return the chart, with changes and new method versions as events; one event a day."""
    quantity = names.find_quantity(about.measure, about.quantity, about.kind)
    events = [(event.changed_at, _EVENT_WORDS[event.status]) for event in history.changes]
    drifts = {
        say_day(event.changed_at, zone)
        for event in history.changes
        if event.kind is ChangeKind.DRIFT
    }
    events += [
        (event.switched_at, "new method version") for event in history.switches if event.before
    ]
    by_day: dict[str, list[tuple[datetime, str]]] = {}
    for moment, words in sorted(events, key=itemgetter(0)):
        by_day.setdefault(say_day(moment, zone), []).append((moment, words))
    markers = []
    for day, of_day in by_day.items():
        parts = list(dict.fromkeys(words for _, words in of_day))
        kind = ChangeKind.DRIFT if day in drifts else ChangeKind.STEP
        when = statements.say_when(kind, say_short_day(of_day[0][0], zone))
        marker_words = f"{when}: {', '.join(parts)}"
        markers.append(Marker(of_day[0][0], marker_words, _EVENT_WORDS[Status.CONFIRMED] in parts))
    title = f"{capitalize_first(about.label)}: {about.system}"
    return TimeChart(title, quantity, [ChartLine("", history.ticks)], zone, markers, chosen)


class SinceBefore(BaseModel):
    """Change since the run before, on the questions usable in both."""

    run: int
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    reason: str


class SeriesTick(PointEstimate):
    """One scheduled run. `value` is null unless `state` is `measured`; see `reason`.

    `low` and `high` are the ends of the 95 % interval, `bound_low` and `bound_high` hold whatever
    is missing. Counts are null where nothing was computed.
    """

    due_at: datetime
    job: str
    tick_state: str
    run: int | None
    point: int | None
    planned: int | None
    answered: int | None
    used: int | None
    unidentified: int | None
    computed_at: datetime | None
    since: SinceBefore | None
    """Against the newest earlier tick that was measured."""
    changes: Sequence[int]
    """Numbers of changes that begin here."""

    @property
    def gap(self) -> str:
        """Return in two words why there is no value."""
        return say_gap(self.state, self.reason)


def list_ticks(history: SeriesHistory) -> list[SeriesTick]:
    """Return every tick, the oldest first."""
    compared = history.steps
    changes: dict[datetime, list[int]] = {}
    for change in history.changes:
        changes.setdefault(change.changed_at, []).append(change.id)
    return [
        copy_record(
            SeriesTick,
            tick,
            run=tick.run_id,
            point=tick.point_id,
            since=copy_record(SinceBefore, step, run=step.before_run_id)
            if (step := compared.get(tick.run_id or 0))
            else None,
            changes=changes.get(tick.due_at, []),
        )
        for tick in history.ticks
    ]


@serve_file(router, "/series/{number}.csv")
def series_csv(number: Number, site: TheSite, who: Who, signature: SignatureHash = "") -> Response:
    """Return all ticks as CSV, with the columns of `monitor series show --csv`."""
    with site.database.read() as connection:
        history = require_history(connection, who, number, signature)
        subject = subject_columns(make_row(history.series, known_engines(connection)))
    columns = [*(column.name for column in fields(Tick)), *subject]
    rows = (list((as_row(tick) | subject).values()) for tick in history.ticks)
    return rendering.make_csv(site, [columns, *rows], f"series-{number}")


@serve_file(router, "/series/{number}.png")
def series_png(
    request: Request, number: Number, site: TheSite, who: Who, signature: SignatureHash = ""
) -> Response:
    """Return the chart as a picture with title, source and licence."""
    address = str(request.url_for("one_series_page", number=number))
    with site.database.read() as connection:
        painted = _picture_cache.get(
            connection,
            who,
            (number, signature, address),
            lambda: _paint_picture(
                _draw_picture(
                    connection, site, require_history(connection, who, number, signature), address
                )
            ),
        )
    return rendering.make_file(painted, f"series-{number}.png", "image/png")


def _draw_picture(connection: Connection, site: Site, history: SeriesHistory, address: str) -> str:
    """Return the chart as SVG. Raise Missing if there is no value to draw."""
    description = describe_series(history.series, known_engines(connection))
    invented = "INVENTED DATA. " if site.is_invented().jobs else ""
    newest = say_day(history.ticks[-1].due_at, site.zone) if history.ticks else ""
    method = f"{description.measure}, method {history.signature[:12]}"
    source = f"{description.quantity} of list {description.list}, {method}"
    notes = [
        f"{invented}Values with 95 % intervals until {newest}. Source: {source}.",
        f"{address}  Data: {LICENCE}",
    ]
    svg = draw_saved_chart(_make_chart(history, description, site.zone), notes)
    if not svg:
        raise Missing(f"series {history.series.id} has no value to draw")
    return svg


def _paint_picture(svg: str) -> bytes:
    import vl_convert  # noqa: PLC0415 - slow to load, and only pictures need it

    with hold_lock(_painting_lock, "picture"):
        return bytes(vl_convert.svg_to_png(svg, scale=_SHARPNESS))


# --- page -----------------------------------------------------------------------------------------


class SeriesFinding(BaseModel):
    """A change of this series, with its size and 95 % interval where it has one."""

    number: int
    kind: ChangeKind
    changed_at: datetime
    detected_at: datetime
    effect: float | None
    low: float | None
    high: float | None
    status: Status
    cause: Cause
    sentence: str

    @property
    def cause_said(self) -> str:
        """Return the cause in words."""
        return statements.CAUSE[self.cause]


class Switched(BaseModel):
    """A change of the method version, with its differences."""

    switched_at: datetime
    before: str
    after: str
    differences: Sequence[str]


class SignatureParts(BaseModel):
    """A method version: its parts with versions, and the number of its points."""

    hash: str
    n_points: int
    parts: dict[str, Any]


class OffGridRun(Estimate):
    """Value of the series in a run that is not scheduled."""

    run: int
    kind: RunKind
    due_at: datetime
    point: int


class TickChoice(BaseModel):
    """A tick that can be compared with another."""

    run: int
    due_at: datetime
    value: float | None
    state: State
    label: str


class ChartEvent(BaseModel):
    """Words beside a line of the chart."""

    at: datetime
    words: str


class OneSeries(PagedContent):
    """One series under one signature."""

    about: SeriesDescription
    signature: str
    """Hash of the signature of these values; empty before the first."""
    is_shown: bool
    """Whether that is the signature that the series shows, and not another one."""
    n_ticks: int
    n_measured: int
    n_not_asked: int
    """Due ticks of the job, from its first one on, that did not ask it."""
    still: str
    undecided: str
    """Which of its ticks were measured and are not decided; empty where all are."""
    ticks: Sequence[SeriesTick]
    """The newest first, one page of them; `/series/{number}/points` has all."""
    findings: Sequence[SeriesFinding]
    switches: Sequence[Switched]
    signatures: Sequence[SignatureParts]
    off_grid: Sequence[OffGridRun]
    n_noise: int
    """Comparisons that show how much moves when nothing changes."""
    siblings: Siblings
    has_answers: bool
    """Whether the visitor may see the answers behind the ticks."""
    choices: Sequence[TickChoice]
    pair: RunPair | None
    answer: str = Field(exclude=True)
    """The newest value in words, or why there is none."""
    change: str = Field(exclude=True)
    """The last confirmed change, or that there is none, as a sentence."""
    change_number: int | None = Field(exclude=True)
    picture: Markup = Field(exclude=True)
    axis: str = Field(exclude=True)
    neutral_words: str = Field(exclude=True)
    events: Sequence[ChartEvent] = Field(exclude=True)


class Points(BaseModel):
    """Every due tick of a series, the oldest first."""

    number: int
    signature: str
    ticks: Sequence[SeriesTick]


@serve_page(router, "/series/{number}", "series.html", Permission.NUMBERS)
def one_series(
    number: Number,
    site: TheSite,
    who: Who,
    signature: SignatureHash = "",
    page: PageNumber = 1,
    before: Annotated[Run, Query(alias="from")] = None,
    after: Annotated[Run, Query(alias="to")] = None,
    flips: PageNumber = 1,
) -> OneSeries:
    """Return a series; `from` and `to` are two runs to compare, `flips` a page of answers."""
    pair = (before, after) if before is not None and after is not None else None
    cache_key = (number, signature, page, pair, flips, who.permissions)
    with site.database.read() as connection:
        return _cache.get(
            connection, who, cache_key,
            lambda: _read_page(
                connection, site, who, require_history(connection, who, number, signature), pair,
                (page, flips),
            ),
        )  # fmt: skip


def points(number: Number, site: TheSite, who: Who, signature: SignatureHash = "") -> Points:
    """Return every scheduled run of a series, gaps included, under one method version."""
    with site.database.read() as connection:
        history = require_history(connection, who, number, signature)
        return Points(number=number, signature=history.signature, ticks=list_ticks(history))


add_api(router, "/series/{number}/points", points, Permission.NUMBERS)


def _read_page(
    connection: Connection,
    site: Site,
    who: Visitor,
    history: SeriesHistory,
    pair: tuple[int, int] | None,
    page_numbers: tuple[int, int],
) -> OneSeries:
    engines = known_engines(connection)
    description = describe_series(history.series, engines)
    all_ticks = list_ticks(history)[::-1]
    compared = compare_runs(connection, who, history, pair, page_numbers[1]) if pair else None
    compared_at = (compared.before_due_at, compared.after_due_at) if compared else ()
    of = changed_answers.find_scope(connection, history.series.id)
    has_answers = who.hidden.shows_answers(of.engine_id, of.target)
    counted = series.count_changes(connection, [history.series.id])[history.series.id]
    chart = _make_chart(history, description, site.zone, compared_at)
    newest, stale = history.ticks[-1] if history.ticks else None, history.stale
    undecided = say_undecided(connection, history)
    change, change_number = _say_last_change(history, description.unit, undecided, site.zone)
    refused = _say_refusal(connection, history.series, newest) if newest and has_answers else ""
    return OneSeries(
        about=description,
        signature=history.signature,
        is_shown=history.signature == history.series.signature,
        n_ticks=len(all_ticks),
        n_measured=sum(item.value is not None for item in all_ticks),
        n_not_asked=len(history.not_asked),
        still=f"{alarm_rules.stood_still(stale)}; remedy: {alarm_rules.say_remedy(stale)}"
        if stale
        else "",
        undecided=undecided,
        page=page_numbers[0],
        n_pages=count_pages(len(all_ticks), _ON_A_PAGE),
        ticks=slice_page(all_ticks, page_numbers[0], _ON_A_PAGE),
        findings=_list_findings(history, hides=not has_answers),
        switches=_list_switches(history),
        signatures=[
            copy_record(SignatureParts, item, parts=dict(item.parts)) for item in history.signatures
        ],
        off_grid=[
            copy_record(OffGridRun, run, run=run.run_id, point=run.point_id)
            for run in series.read_off_grid(connection, history.series.id, _OFF_GRID)
        ],
        n_noise=counted.n_noise,
        siblings=find_siblings(connection, who, history.series, engines),
        has_answers=has_answers,
        choices=_list_choices(all_ticks, description.unit, site.zone),
        pair=compared,
        answer=_say_answer(description, newest, refused, site.zone),
        change=change,
        change_number=change_number,
        picture=draw_time_chart(chart, "series", _SIZE),
        axis=chart.axis,
        neutral_words=chart.dotted,
        events=[copy_record(ChartEvent, marker) for marker in chart.markers],
    )


def _say_answer(about: SeriesDescription, newest: Tick | None, refused: str, zone: ZoneInfo) -> str:
    """Return `Stereotype gap: +41 points (95 % interval ...) on 2 March 2026`, or why not.

    Where the question names the quantity, the answer does not.
    """
    is_named = about.label in about.question
    label = "" if is_named else f"{capitalize_first(about.label)}: "
    if newest is None:
        return f"{label or 'It was '}never asked on schedule"
    date = say_day(newest.due_at, zone)
    if newest.value is None:
        words = say_gap(newest.state, newest.reason)
        why = refused or _GAP_REASONS.get(words, newest.reason)
        return f"{label}{'not' if label else 'Not'} measured on {date}: {why}"
    interval = say_interval(about.unit, newest.low, newest.high)
    interval_said = f" (95 % interval {interval})" if interval else ""
    return f"{label}{say_value(about.unit, newest.value)}{interval_said} on {date}"


def _say_refusal(connection: Connection, series: Series, newest: Tick) -> str:
    """Return what a system did in a run without a value; empty where it answered most questions."""
    if newest.value is not None:
        return ""
    system = series.engine, series.source_lang, series.target
    deed = Refusals(connection).in_run(system, newest.run_id)
    return f"it {deed}" if deed else ""


def _say_last_change(
    history: SeriesHistory, unit: QuantityUnit, undecided: str, zone: ZoneInfo
) -> tuple[str, int | None]:
    """Return the last confirmed change in a sentence with its number, or that there is none."""
    changes = [change for change in history.changes if change.status is Status.CONFIRMED]
    if changes:
        last = changes[-1]
        size = f"{say_change(unit, last.effect)} " if last.effect is not None else ""
        interval = say_change_interval(unit, last.low, last.high)
        interval_said = f"(95 % interval {interval}) " if interval else ""
        cause = statements.CAUSE[last.cause]
        date = say_day(last.changed_at, zone)
        when = f"{statements.say_began(last.kind)} {date}"
        return f"Last confirmed change: {size}{interval_said}{when}. Cause: {cause}.", last.id
    measured = [tick for tick in history.ticks if tick.value is not None]
    if len(measured) < 2:  # noqa: PLR2004 - a change needs two
        return "", None
    signals = sum(change.status is Status.CANDIDATE for change in history.changes)
    more = f" {several(signals, 'signal')} not yet confirmed." if signals else ""
    more += " Some of them are not decided yet." if undecided else ""
    since = say_day(measured[0].due_at, zone)
    return f"No confirmed change in {len(measured):,} runs since {since}.{more}", None


def _list_findings(history: SeriesHistory, *, hides: bool) -> list[SeriesFinding]:
    """Return changes, without sentences that could tell of a series under embargo."""
    return [
        copy_record(
            SeriesFinding, change, number=change.id, sentence="" if hides else change.sentence
        )
        for change in reversed(history.changes)
    ]


def _list_switches(history: SeriesHistory) -> list[Switched]:
    parts = {item.hash: dict(item.parts) for item in history.signatures}
    return [
        copy_record(
            Switched,
            item,
            differences=names.say_differences(parts.get(item.before, {}), parts.get(item.after, {}))
            if item.before
            else [],
        )
        for item in reversed(history.switches)
    ]


def _list_choices(
    all_ticks: Sequence[SeriesTick], unit: QuantityUnit, zone: ZoneInfo
) -> list[TickChoice]:
    answered = [
        tick for tick in all_ticks if tick.run is not None and tick.state is not State.MISSED
    ]
    return [
        TickChoice(
            run=tick.run or 0, due_at=tick.due_at, value=tick.value, state=tick.state,
            label=f"{format_day(tick.due_at, zone)}: "
            f"{tick.gap if tick.value is None else say_value(unit, tick.value)}",
        )
        for tick in answered[:_CHOICES]
    ]  # fmt: skip
