"""The page of one series: its question and answer, chart, events, every run, and siblings."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Depends, Query
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.change import Cause, ChangeKind, Status
from monitor.model import QuantityUnit, RunKind, State
from monitor.roles import Permission
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.refusals import Refusals
from monitor.stages.time_chart import draw_time_chart, gap_words
from monitor.stages.weekly import changed, names
from monitor.store.changes import series, tick_answers
from monitor.store.changes.series import ALL, Filters, GridTick, Series
from monitor.store.database import Connection
from monitor.text.counted_nouns import several
from monitor.text.dates import say_day
from monitor.text.quantity_values import (
    say_change,
    say_change_interval,
    say_interval,
    say_value,
)
from monitor.web.site import _series_history
from monitor.web.site._inputs import Number, PageNumber, Run, Signature
from monitor.web.site._kept import Kept
from monitor.web.site._render import day
from monitor.web.site._routes import add_api, page, pages
from monitor.web.site._series import About, about, described, find, seen
from monitor.web.site._series_history import SeriesHistory, SeriesTick, ticks
from monitor.web.site._series_pair import Pair, pair
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("series")

_ON_A_PAGE = 30
#: Ticks that can be chosen to be compared, and runs off the grid that are named.
_CHOICES, _OFF_GRID = 200, 12
#: Siblings that are named.
_SIBLINGS = 60
#: Pixels of the chart.
_SIZE = (760, 300)

#: Why the newest run has no value, by the words of its gap.
_WHY = {
    "refused": "it refused our questions",
    "not asked": "it was not asked",
    "not finished": "the run was not finished",
    "no answer": "it gave no answer",
    "other questions": "it was asked other questions",
    "other reference": "it was held against other shares",
    "not computed": "its answers are not computed yet",
    "too few answers": "too few of its answers can be used",
}
_kept = Kept(most=128)


class Finding(BaseModel):
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


class Switched(BaseModel):
    """When the series went over to another signature, and what differs."""

    switched_at: datetime
    before: str
    after: str
    differences: Sequence[str]


class SignatureParts(BaseModel):
    """All of ours that decides a value, with versions; so many ticks are computed with it."""

    hash: str
    n_points: int
    parts: dict[str, Any]


class Other(BaseModel):
    """The series in a run that is no due tick."""

    run: int
    kind: RunKind
    due_at: datetime
    point: int
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None


class Choice(BaseModel):
    """A tick that can be compared with another."""

    run: int
    due_at: datetime
    value: float | None
    state: State
    label: str


class Sibling(BaseModel):
    """Another series, by what tells it apart."""

    number: int
    title: str
    detail: str


class InParts(BaseModel):
    """A quantity that is measured of so many parts of the questions."""

    quantity: str
    n: int


class Siblings(BaseModel):
    """Other series to go on with."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    quantities: Sequence[Sibling]
    """Of the same system and measure: other quantities and references of this part, or of all."""
    in_parts: Sequence[InParts]
    """Of the same system and measure, over parts of the questions."""
    parts: Sequence[Sibling]
    """The same quantity over other parts of the questions."""
    systems: Sequence[Sibling]
    """The same quantity of other systems."""
    n_parts: int
    n_systems: int


class Event(BaseModel):
    """What stands beside a line of the chart."""

    at: datetime
    words: str


class OneSeries(BaseModel):
    """One series under one signature."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    about: About
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
    page: int
    n_pages: int
    ticks: Sequence[SeriesTick]
    """The newest first, one page of them; `/series/{number}/points` has all."""
    findings: Sequence[Finding]
    switches: Sequence[Switched]
    signatures: Sequence[SignatureParts]
    off_grid: Sequence[Other]
    n_noise: int
    """Comparisons that show how much moves when nothing changes."""
    siblings: Siblings
    has_answers: bool
    """Whether the visitor may see the answers behind the ticks."""
    choices: Sequence[Choice]
    pair: Pair | None
    answer: str = Field(exclude=True)
    """The newest value in words, or why there is none."""
    change: str = Field(exclude=True)
    """The last confirmed change, or that there is none, as a sentence."""
    change_number: int | None = Field(exclude=True)
    chart: str = Field(exclude=True)
    axis: str = Field(exclude=True)
    neutral_words: str = Field(exclude=True)
    events: Sequence[Event] = Field(exclude=True)

    @property
    def picture(self) -> Markup:
        """The chart as it stands in the page."""
        return Markup(self.chart)  # noqa: S704 - drawn by ourselves, element by element


class Points(BaseModel):
    """Every due tick of a series, the oldest first."""

    number: int
    signature: str
    ticks: Sequence[SeriesTick]


@page(router, "/series/{number}", "series.html", Permission.NUMBERS)
def one_series(
    number: Number,
    site: TheSite,
    who: Who,
    signature: Signature = "",
    page: PageNumber = 1,
    before: Annotated[Run, Query(alias="from")] = None,
    after: Annotated[Run, Query(alias="to")] = None,
    flips: PageNumber = 1,
) -> OneSeries:
    """A series; `from` and `to` are runs of two ticks to be compared, `flips` a page of those."""
    runs = (before, after) if before is not None and after is not None else None
    asked = (number, signature, page, runs, flips, who.permissions)
    with site.database.read() as connection:
        return _kept.get(
            connection, who, asked,
            lambda: _read(connection, site, who, (number, signature), runs, (page, flips)),
        )  # fmt: skip


def points(number: Number, site: TheSite, who: Who, signature: Signature = "") -> Points:
    """Every due tick of a series, gaps included, under the signature that it shows or another."""
    with site.database.read() as connection:
        history = _series_history.read(connection, seen(connection, who, number), signature)
        return Points(number=number, signature=history.signature, ticks=ticks(history))


add_api(router, "/series/{number}/points", points, [Depends(needs(Permission.NUMBERS))])


def _read(
    connection: Connection,
    site: Site,
    who: Visitor,
    asked: tuple[int, str],
    runs: tuple[int, int] | None,
    at: tuple[int, int],
) -> OneSeries:
    history = _series_history.read(connection, seen(connection, who, asked[0]), asked[1])
    engines = known_engines(connection)
    it = about(history.series, engines)
    every = ticks(history)[::-1]
    compared = pair(connection, who, history, runs, at[1]) if runs else None
    chosen = (compared.before_due_at, compared.after_due_at) if compared else ()
    of = tick_answers.find_scope(connection, history.series.id)
    has_answers = who.hidden.shows_answers(of.engine_id, of.target)
    counted = series.count_changes(connection, [history.series.id])[history.series.id]
    chart = history.chart(it, site.zone, chosen)
    newest = history.ticks[-1] if history.ticks else None
    change, change_number = _last_change(history, it.unit, site.zone)
    refused = _refused(connection, history.series, newest) if newest and has_answers else ""
    return OneSeries(
        about=it,
        signature=history.signature,
        is_shown=history.signature == history.series.signature,
        n_ticks=len(every),
        n_measured=sum(one.value is not None for one in every),
        n_not_asked=len(history.not_asked),
        still=history.still,
        undecided=history.undecided,
        page=at[0],
        n_pages=max(1, -(-len(every) // _ON_A_PAGE)),
        ticks=every[(at[0] - 1) * _ON_A_PAGE : at[0] * _ON_A_PAGE],
        findings=_findings(history, hides=not has_answers),
        switches=_switches(history),
        signatures=[
            SignatureParts(hash=one.hash, n_points=one.n_points, parts=dict(one.parts))
            for one in history.signatures
        ],
        off_grid=_off_grid(connection, history.series.id),
        n_noise=counted.n_noise,
        siblings=siblings(connection, who, history.series, engines),
        has_answers=has_answers,
        choices=_choices(every, it.unit, site.zone),
        pair=compared,
        answer=_answer(it, newest, refused, site.zone),
        change=change,
        change_number=change_number,
        chart=draw_time_chart(chart, "series", _SIZE),
        axis=chart.axis,
        neutral_words=chart.dotted,
        events=[Event(at=marker.at, words=marker.words) for marker in chart.markers],
    )


def _answer(about: About, newest: GridTick | None, refused: str, zone: ZoneInfo) -> str:
    """Return `Stereotype gap: +41 points (95 % interval ...) on 2 March 2026`, or why not.

    Where the question names the quantity, the answer does not.
    """
    is_named = about.label in about.question
    label = "" if is_named else f"{about.label[:1].upper()}{about.label[1:]}: "
    if newest is None:
        return f"{label or 'It was '}never asked on schedule"
    date = say_day(newest.due_at, zone)
    if newest.value is None:
        words = gap_words(newest)
        why = refused or _WHY.get(words, newest.reason)
        return f"{label}{'not' if label else 'Not'} measured on {date}: {why}"
    interval = say_interval(about.unit, newest.low, newest.high)
    beside = f" (95 % interval {interval})" if interval else ""
    return f"{label}{say_value(about.unit, newest.value)}{beside} on {date}"


def _refused(connection: Connection, series: Series, newest: GridTick) -> str:
    """Return what a system did in a run without a value; empty where it answered most questions."""
    if newest.value is not None:
        return ""
    deed = Refusals(connection).in_run(series, newest.run_id)
    return f"it {deed}" if deed else ""


def _last_change(
    history: SeriesHistory, unit: QuantityUnit, zone: ZoneInfo
) -> tuple[str, int | None]:
    """Return the last confirmed change in a sentence with its number, or that there is none."""
    changes = [one for one in history.changes if one.status is Status.CONFIRMED]
    if changes:
        last = changes[-1]
        size = f"{say_change(unit, last.effect)} " if last.effect is not None else ""
        interval = say_change_interval(unit, last.low, last.high)
        beside = f"(95 % interval {interval}) " if interval else ""
        cause = changed.CAUSE[last.cause]
        date = say_day(last.changed_at, zone)
        return f"Last confirmed change: {size}{beside}on {date}. Cause: {cause}.", last.id
    measured = [tick for tick in history.ticks if tick.value is not None]
    if len(measured) < 2:  # noqa: PLR2004 - a change needs two
        return "", None
    signals = sum(one.status is Status.CANDIDATE for one in history.changes)
    more = f" {several(signals, 'signal')} not yet confirmed." if signals else ""
    more += " Some of them are not decided yet." if history.undecided else ""
    since = say_day(measured[0].due_at, zone)
    return f"No confirmed change in {len(measured):,} runs since {since}.{more}", None


def _findings(history: SeriesHistory, *, hides: bool) -> list[Finding]:
    """What was found, without its sentence where that could tell of a series under embargo."""
    found = [
        Finding(number=one.id, **{
            name: getattr(one, name) for name in Finding.model_fields if name != "number"
        })
        for one in reversed(history.changes)
    ]  # fmt: skip
    return [one.model_copy(update={"sentence": ""}) for one in found] if hides else found


def _switches(history: SeriesHistory) -> list[Switched]:
    parts = {one.hash: dict(one.parts) for one in history.signatures}
    return [
        Switched(
            switched_at=one.switched_at, before=one.before, after=one.after,
            differences=names.differences(parts.get(one.before, {}), parts.get(one.after, {}))
            if one.before
            else [],
        )
        for one in reversed(history.switches)
    ]  # fmt: skip


def _off_grid(connection: Connection, number: int) -> list[Other]:
    return [
        Other(run=one.run_id, kind=one.kind, due_at=one.due_at, point=one.point_id,
              state=State(one.state), reason=one.reason, value=one.value, low=one.low,
              high=one.high)
        for one in series.read_off_grid(connection, number, _OFF_GRID)
    ]  # fmt: skip


def _choices(every: Sequence[SeriesTick], unit: QuantityUnit, zone: ZoneInfo) -> list[Choice]:
    """Ticks of which there are answers, the newest first."""
    some = [one for one in every if one.run is not None and one.state is not State.MISSED]
    return [
        Choice(
            run=one.run or 0, due_at=one.due_at, value=one.value, state=one.state,
            label=f"{day(one.due_at, zone)}: "
            f"{one.gap if one.value is None else say_value(unit, one.value)}",
        )
        for one in some[:_CHOICES]
    ]  # fmt: skip


# --- siblings -------------------------------------------------------------------------------------


def siblings(connection: Connection, who: Visitor, one: Series, engines: KnownEngines) -> Siblings:
    """What stands beside a series; of many, the first are named."""
    alike = _alike(connection, who, one, engine=one.engine, target=one.target,
                   source_lang=one.source_lang)  # fmt: skip
    alike = [other for other in alike if (other.engine, other.surface) == (one.engine, one.surface)]
    parts = [
        other
        for other in alike
        if (other.quantity, other.reference) == (one.quantity, one.reference)
    ]
    systems = [
        other
        for other in _alike(connection, who, one, quantity=one.quantity, reference=one.reference)
        if _system_key(other) != _system_key(one)
    ]
    firsts = names.primaries(one.measure, engines[one.engine].kind)
    is_part = {other.id for other in parts}
    quantities = [
        other for other in alike if other.scope in (one.scope, ALL) and other.id not in is_part
    ]
    in_parts = Counter(
        other.quantity for other in alike if other.scope != ALL and other.reference == one.reference
    )
    quantities.sort(
        key=lambda other: (other.scope != one.scope, other.quantity not in firsts, other.id)
    )
    return Siblings(
        quantities=[_named(other, engines) for other in quantities[:_SIBLINGS]],
        in_parts=[InParts(quantity=name, n=n) for name, n in in_parts.items()],
        parts=[_named_part(other) for other in sorted(parts, key=_part_order)[:_SIBLINGS]],
        systems=[
            Sibling(number=other.id, title=names.system(described(other, engines)),
                    detail="" if other.surface == one.surface else other.surface)
            for other in systems[:_SIBLINGS]
        ],
        n_parts=len(parts), n_systems=len(systems),
    )  # fmt: skip


def _alike(connection: Connection, who: Visitor, one: Series, **own: str) -> list[Series]:
    """Others of the same list and measure: of a system all parts, of other systems this part."""
    scope = None if "engine" in own else one.scope
    filters = Filters(list=one.list, measure=one.measure, scope=scope, **own)
    return [
        other
        for other in find(connection, who, filters)
        if other.id != one.id and other.measure == one.measure
    ]


def _system_key(one: Series) -> tuple[str, str, str, str]:
    return one.engine, one.surface, one.source_lang, one.target


def _named(one: Series, engines: KnownEngines) -> Sibling:
    row = described(one, engines)
    known = names.about(one.measure, one.quantity, row["kind"])
    return Sibling(number=one.id, title=names.title(row), detail=known.title)


def _named_part(one: Series) -> Sibling:
    title = "all questions" if one.scope == ALL else one.scope
    return Sibling(number=one.id, title=title, detail=one.scope_title)


def _part_order(one: Series) -> tuple[bool, int, str]:
    """`stereotype:2` before `stereotype:10`."""
    return one.scope != ALL, len(one.scope), one.scope
