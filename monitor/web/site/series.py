"""One series: its chart, every tick with its interval or why there is none, what changed, siblings.

In go a series' number, perhaps another signature and two ticks; out comes all that is known of it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Depends, Query
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.change import Cause, ChangeKind, Status
from monitor.model import RunKind, State
from monitor.roles import Permission
from monitor.stages import _report_text as text
from monitor.stages.engine_titles import known_engines
from monitor.stages.weekly import names
from monitor.store import series_shown, tick_answers
from monitor.store.database import Connection
from monitor.web.site import _chart_series, _series_read
from monitor.web.site._about import About, about
from monitor.web.site._inputs import Number, PageNumber, Run, Signature
from monitor.web.site._kept import Kept
from monitor.web.site._render import day
from monitor.web.site._routes import add_api, page, pages
from monitor.web.site._series import seen
from monitor.web.site._series_pair import Pair, pair
from monitor.web.site._series_read import Known
from monitor.web.site._series_siblings import Siblings, siblings
from monitor.web.site._series_ticks import SeriesTick, ticks
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("series")

_ON_A_PAGE = 30
#: Ticks that can be chosen to be compared, and runs off the grid that are named.
_CHOICES, _OFF_GRID = 200, 12

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
    chart: str = Field(exclude=True)

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
        known = _series_read.read(connection, seen(connection, who, number), signature)
        return Points(number=number, signature=known.signature, ticks=ticks(known))


add_api(router, "/series/{number}/points", points, [Depends(needs(Permission.NUMBERS))])


def _read(
    connection: Connection,
    site: Site,
    who: Visitor,
    asked: tuple[int, str],
    runs: tuple[int, int] | None,
    at: tuple[int, int],
) -> OneSeries:
    known = _series_read.read(connection, seen(connection, who, asked[0]), asked[1])
    engines = known_engines(connection)
    it = about(known.series, engines)
    every = ticks(known)[::-1]
    compared = pair(connection, who, known, runs, at[1]) if runs else None
    chosen = (compared.before_due_at, compared.after_due_at) if compared else ()
    of = tick_answers.behind(connection, known.series.id)
    has_answers = who.hidden.shows_answers(of.engine_id, of.target)
    counted = series_shown.counted(connection, [known.series.id])[known.series.id]
    return OneSeries(
        about=it,
        signature=known.signature,
        is_shown=known.signature == known.series.signature,
        n_ticks=len(every),
        n_measured=sum(one.value is not None for one in every),
        n_not_asked=len(known.not_asked),
        still=known.still,
        undecided=known.undecided,
        page=at[0],
        n_pages=max(1, -(-len(every) // _ON_A_PAGE)),
        ticks=every[(at[0] - 1) * _ON_A_PAGE : at[0] * _ON_A_PAGE],
        findings=_findings(known, hides=not has_answers),
        switches=_switches(known),
        signatures=[
            SignatureParts(hash=one.hash, n_points=one.n_points, parts=dict(one.parts))
            for one in known.signatures
        ],
        off_grid=_off_grid(connection, known.series.id),
        n_noise=counted.n_noise,
        siblings=siblings(connection, who, known.series, engines),
        has_answers=has_answers,
        choices=_choices(every, site.zone),
        pair=compared,
        chart=_chart_series.chart(known.drawn(it, site.zone, chosen)),
    )


def _findings(known: Known, *, hides: bool) -> list[Finding]:
    """What was found, without its sentence where that could tell of a series under embargo."""
    found = [
        Finding(number=one.id, **{
            name: getattr(one, name) for name in Finding.model_fields if name != "number"
        })
        for one in reversed(known.changes)
    ]  # fmt: skip
    return [one.model_copy(update={"sentence": ""}) for one in found] if hides else found


def _switches(known: Known) -> list[Switched]:
    parts = {one.hash: dict(one.parts) for one in known.signatures}
    return [
        Switched(
            switched_at=one.switched_at, before=one.before, after=one.after,
            differences=names.differences(parts.get(one.before, {}), parts.get(one.after, {}))
            if one.before
            else [],
        )
        for one in reversed(known.switches)
    ]  # fmt: skip


def _off_grid(connection: Connection, number: int) -> list[Other]:
    return [
        Other(run=one.run_id, kind=one.kind, due_at=one.due_at, point=one.point_id,
              state=State(one.state), reason=one.reason, value=one.value, low=one.low,
              high=one.high)
        for one in series_shown.off_grid(connection, number, _OFF_GRID)
    ]  # fmt: skip


def _choices(every: Sequence[SeriesTick], zone: ZoneInfo) -> list[Choice]:
    """Ticks of which there are answers, the newest first."""
    some = [one for one in every if one.run is not None and one.state is not State.MISSED]
    return [
        Choice(
            run=one.run or 0, due_at=one.due_at, value=one.value, state=one.state,
            label=f"{day(one.due_at, zone)}: "
            f"{one.state if one.value is None else text.number(one.value)}",
        )
        for one in some[:_CHOICES]
    ]  # fmt: skip
