"""The history of a series under one method version: ticks, steps and changes; CSV and picture."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from operator import itemgetter
from threading import Lock
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from monitor.change import ChangeKind, Contrast, Status
from monitor.model import State
from monitor.roles import Permission
from monitor.stages import schedule
from monitor.stages.changes import statements
from monitor.stages.document.time_chart import (
    ChartLine,
    Marker,
    TimeChart,
    draw_saved_chart,
    say_gap,
)
from monitor.stages.publish.release import LICENCE
from monitor.stages.reports import names, series_text
from monitor.stages.reports.names import known_engines
from monitor.stages.reports.series_text import subject_columns
from monitor.store.changes import series
from monitor.store.changes.series import Comparison, Series, SeriesChange, Signature, Switch, as_row
from monitor.store.changes.series import GridTick as Tick
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.store.derive.signatures import find_stale
from monitor.text.dates import say_day, say_short_day
from monitor.web.site import rendering
from monitor.web.site.errors import Missing
from monitor.web.site.pages.series_descriptions import (
    SeriesDescription,
    describe_series,
    make_row,
    require_series,
)
from monitor.web.site.response_cache import ResponseCache, hold_lock
from monitor.web.site.routes import Number, SignatureHash, copy_record, make_router
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who, require_permission

#: What has become of a change, as it stands beside its line in a chart.
_EVENT_WORDS = {
    Status.CONFIRMED: "confirmed",
    Status.CANDIDATE: "unconfirmed",
    Status.REFUTED: "not reproduced",
    Status.UNCONFIRMED: "not confirmed",
    Status.RETROSPECTIVE: "in retrospect",
}
router = make_router("series")
#: Pixels of the picture per unit of the drawing.
_SHARPNESS = 2.0
_picture_cache = ResponseCache(most=64)
_painting_lock = Lock()
_NEEDS_NUMBERS = [Depends(require_permission(Permission.NUMBERS))]


@dataclass(frozen=True, slots=True)
class SeriesHistory:
    """One series under one method version; the oldest tick first."""

    series: Series
    ticks: Sequence[Tick]
    not_asked: Sequence[datetime]
    comparisons: Sequence[Comparison]
    changes: Sequence[SeriesChange]
    switches: Sequence[Switch]
    signatures: Sequence[Signature]
    signature: str
    still: str  # why the chart does not go on, where it does not
    undecided: str  # which of its ticks are not decided, where some are not

    def chart(
        self, about: SeriesDescription, zone: ZoneInfo, chosen: Sequence[datetime] = ()
    ) -> TimeChart:
        """Return its chart, with changes and new method versions as events; one event a day."""
        quantity = series_text.find_quantity(about.measure, about.quantity, about.kind)
        events = [(event.changed_at, _EVENT_WORDS[event.status]) for event in self.changes]
        drifts = {
            say_day(event.changed_at, zone)
            for event in self.changes
            if event.kind is ChangeKind.DRIFT
        }
        events += [
            (event.switched_at, "new method version") for event in self.switches if event.before
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
            markers.append(
                Marker(of_day[0][0], marker_words, _EVENT_WORDS[Status.CONFIRMED] in parts)
            )
        title = f"{about.label[:1].upper()}{about.label[1:]}: {about.system_words}"
        return TimeChart(title, quantity, [ChartLine("", self.ticks)], zone, markers, chosen)


def read_history(connection: Connection, stored: Series, beginning: str = "") -> SeriesHistory:
    """Return the history of a series; `beginning` selects another method version.

    Raises InvalidInput where no signature begins so, or several do.
    """
    signatures = series.list_signatures(connection, stored.id)
    signature = (
        series.find_signature(stored.id, signatures, beginning) if beginning else stored.signature
    )
    ticks = series.read_grid(
        connection, stored.id, signature=signature if signature != stored.signature else ""
    )
    first, last = (ticks[0].due_at, ticks[-1].due_at) if ticks else (None, None)
    still = find_stale(connection, [stored.id])
    times = {tick.due_at for tick in ticks if tick.run_id is not None}
    undecided = [run for run in runs.find_undecided(connection, stored.job) if run.due_at in times]
    return SeriesHistory(
        series=stored,
        ticks=ticks,
        not_asked=series.find_not_asked(connection, ticks),
        comparisons=[
            step
            for step in series.read_comparisons(connection, [stored.id])
            if step.signature == signature
        ],
        changes=[
            change
            for change in series.read_changes(connection, [stored.id])
            if first and last and first <= change.changed_at <= last
        ],
        switches=series.read_switches(connection, [stored.id]),
        signatures=signatures,
        signature=signature,
        still=f"{schedule.stood_still(still)}; remedy: {schedule.say_remedy(still)}"
        if still
        else "",
        undecided=schedule.undecided_ticks(undecided) if undecided else "",
    )


def require_history(
    connection: Connection, who: Visitor, number: int, beginning: str
) -> SeriesHistory:
    """Return the history of a series that a visitor may see. Raise Missing or InvalidInput."""
    return read_history(connection, require_series(connection, who, number), beginning)


def find_steps(history: SeriesHistory) -> dict[int, Comparison]:
    """Return {run: its comparison with the run before}."""
    return {
        comparison.after_run_id: comparison
        for comparison in history.comparisons
        if comparison.contrast is Contrast.STEP
    }


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


class SeriesTick(BaseModel):
    """One scheduled run. `value` is null unless `state` is `measured`; see `reason`.

    `low` and `high` are the ends of the 95 % interval, `bound_low` and `bound_high` hold whatever
    is missing. Counts are null where nothing was computed.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)

    due_at: datetime
    job: str
    tick_state: str
    run: int | None
    point: int | None
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    flags: Sequence[str]
    planned: int | None
    answered: int | None
    used: int | None
    unidentified: int | None
    signature: str
    computed_at: datetime | None
    since: SinceBefore | None
    """Against the newest earlier tick that was measured."""
    changes: Sequence[int]
    """Numbers of changes that begin here."""

    @property
    def gap(self) -> str:
        """Return in two words why there is no value."""
        return say_gap(self.state, self.reason)

    @property
    def flagged(self) -> str:
        """Return the flags in words."""
        return names.say_flags(self.flags)


def list_ticks(history: SeriesHistory) -> list[SeriesTick]:
    """Return every tick, the oldest first."""
    compared = find_steps(history)
    changes: dict[datetime, list[int]] = {}
    for change in history.changes:
        changes.setdefault(change.changed_at, []).append(change.id)
    return [
        copy_record(
            SeriesTick,
            tick,
            run=tick.run_id,
            point=tick.point_id,
            since=_make_since(compared.get(tick.run_id or 0)),
            changes=changes.get(tick.due_at, []),
        )
        for tick in history.ticks
    ]


def _make_since(step: Comparison | None) -> SinceBefore | None:
    if step is None:
        return None
    return copy_record(SinceBefore, step, run=step.before_run_id)


@router.get("/series/{number}.csv", include_in_schema=False, dependencies=_NEEDS_NUMBERS)
def series_csv(number: Number, site: TheSite, who: Who, signature: SignatureHash = "") -> Response:
    """Return all ticks as CSV, with the columns of `monitor series show --csv`."""
    with site.database.read() as connection:
        history = require_history(connection, who, number, signature)
        subject = subject_columns(make_row(history.series, known_engines(connection)))
    columns = [*(column.name for column in fields(Tick)), *subject]
    rows = (list((as_row(tick) | subject).values()) for tick in history.ticks)
    return rendering.make_csv(site, [columns, *rows], f"series-{number}")


@router.get("/series/{number}.png", include_in_schema=False, dependencies=_NEEDS_NUMBERS)
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
    svg = draw_saved_chart(history.chart(description, site.zone), notes)
    if not svg:
        raise Missing(f"series {history.series.id} has no value to draw")
    return svg


def _paint_picture(svg: str) -> bytes:
    import vl_convert  # noqa: PLC0415 - slow to load, and only pictures need it

    with hold_lock(_painting_lock, "picture"):
        return bytes(vl_convert.svg_to_png(svg, scale=_SHARPNESS))
