"""A series under one method version: its ticks, steps and changes, for its pages and files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from monitor.change import Contrast, Status
from monitor.model import State
from monitor.stages import _report_names as titles
from monitor.stages import supervise
from monitor.stages.time_chart import Line, Marker, TimeChart, gap_words
from monitor.stages.weekly import names
from monitor.store.changes import series
from monitor.store.changes.series import (
    Comparison,
    GridTick,
    Series,
    SeriesChange,
    Signature,
    Switch,
)
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.store.derive.stale_series import find_stale
from monitor.text.dates import say_day, say_short_day
from monitor.web.site._series import About

#: What has become of a change, as it stands beside its line in a chart.
_EVENTS = {
    Status.CONFIRMED: "confirmed",
    Status.CANDIDATE: "unconfirmed",
    Status.REFUTED: "not reproduced",
    Status.UNCONFIRMED: "not confirmed",
    Status.RETROSPECTIVE: "in retrospect",
}


@dataclass(frozen=True, slots=True)
class SeriesHistory:
    """One series under one signature; the ticks with the oldest first."""

    series: Series
    ticks: Sequence[GridTick]
    not_asked: Sequence[datetime]
    comparisons: Sequence[Comparison]
    changes: Sequence[SeriesChange]
    switches: Sequence[Switch]
    signatures: Sequence[Signature]
    signature: str
    still: str  # why the chart does not go on, where it does not
    undecided: str  # which of its ticks are not decided, where some are not

    def chart(self, about: About, zone: ZoneInfo, chosen: Sequence[datetime] = ()) -> TimeChart:
        """Return its chart, with changes and new method versions as events; one event a day."""
        quantity = names.about(about.measure, about.quantity, about.kind)
        events = [(one.changed_at, _EVENTS[one.status]) for one in self.changes]
        events += [(one.switched_at, "new method version") for one in self.switches if one.before]
        by_day: dict[str, list[tuple[datetime, str]]] = {}
        for at, words in sorted(events, key=itemgetter(0)):
            by_day.setdefault(say_day(at, zone), []).append((at, words))
        markers = []
        for of_day in by_day.values():
            parts = list(dict.fromkeys(words for _, words in of_day))
            said = f"{say_short_day(of_day[0][0], zone)}: {', '.join(parts)}"
            markers.append(Marker(of_day[0][0], said, _EVENTS[Status.CONFIRMED] in parts))
        title = f"{about.label[:1].upper()}{about.label[1:]}: {about.system_words}"
        return TimeChart(title, quantity, [Line("", self.ticks)], zone, markers, chosen)


def read(connection: Connection, one: Series, beginning: str = "") -> SeriesHistory:
    """All that is known of a series; `beginning` is that of another signature than it shows.

    Raises InvalidInput where no signature begins so, or several do.
    """
    known = series.list_signatures(connection, one.id)
    chosen = series.find_signature(one.id, known, beginning) if beginning else one.signature
    ticks = series.read_grid(
        connection, one.id, signature=chosen if chosen != one.signature else ""
    )
    first, last = (ticks[0].due_at, ticks[-1].due_at) if ticks else (None, None)
    still = find_stale(connection, [one.id])
    times = {tick.due_at for tick in ticks if tick.run_id is not None}
    left = [run for run in runs.find_undecided(connection, one.job) if run.due_at in times]
    return SeriesHistory(
        series=one,
        ticks=ticks,
        not_asked=series.find_not_asked(connection, ticks),
        comparisons=[
            step
            for step in series.read_comparisons(connection, [one.id])
            if step.signature == chosen
        ],
        changes=[
            change
            for change in series.read_changes(connection, [one.id])
            if first and last and first <= change.changed_at <= last
        ],
        switches=series.read_switches(connection, [one.id]),
        signatures=known,
        signature=chosen,
        still=f"{supervise.stood_still(still)}; remedy: {supervise.remedy(still)}" if still else "",
        undecided=supervise.undecided_ticks(left) if left else "",
    )


def steps(history: SeriesHistory) -> dict[int, Comparison]:
    """{run: its comparison with the tick before}."""
    return {one.after_run_id: one for one in history.comparisons if one.contrast is Contrast.STEP}


class SinceBefore(BaseModel):
    """What has changed since an earlier tick, on the questions that both can be used of."""

    run: int
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    reason: str


class SeriesTick(BaseModel):
    """One due tick. `value` is null unless `state` is `measured`; `reason` says why.

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
        """In two words why there is no value."""
        return gap_words(self)

    @property
    def flagged(self) -> str:
        """The flags in words."""
        return titles.flags(self.flags)


_ALIKE = ("due_at", "job", "tick_state", "state", "reason", "value", "low", "high", "bound_low",
          "bound_high", "flags", "planned", "answered", "used", "unidentified", "signature",
          "computed_at")  # fmt: skip


def ticks(history: SeriesHistory) -> list[SeriesTick]:
    """Every tick, the oldest first."""
    compared = steps(history)
    changes: dict[datetime, list[int]] = {}
    for change in history.changes:
        changes.setdefault(change.changed_at, []).append(change.id)
    return [
        SeriesTick(
            **{name: getattr(one, name) for name in _ALIKE},
            run=one.run_id,
            point=one.point_id,
            since=_since(compared.get(one.run_id or 0)),
            changes=changes.get(one.due_at, []),
        )
        for one in history.ticks
    ]


def _since(step: Comparison | None) -> SinceBefore | None:
    if step is None:
        return None
    own = {name: getattr(step, name) for name in SinceBefore.model_fields if name != "run"}
    return SinceBefore(run=step.before_run_id, **own)
