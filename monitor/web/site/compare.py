"""Comparison of systems in one run: paired differences, corrected for all tests of the run."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from monitor.model import Kind
from monitor.roles import Permission
from monitor.stages import _report_names as titles
from monitor.stages.engine_comparisons import LEVEL, AdjustedComparison, adjust_together
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.weekly import names, wording
from monitor.store.changes import engine_comparisons
from monitor.store.changes.engine_comparisons import ComparedRun
from monitor.store.changes.series import as_row
from monitor.store.database import Connection
from monitor.web.site import _chart_pairs
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import PageNumber, Run, Text
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("compare")

_ON_A_PAGE = 50
#: Ticks to choose from.
_TICKS = 60

_kept = Kept(most=64)


class Asked(BaseModel):
    """What was looked for; empty stands for anything."""

    model_config = ConfigDict(frozen=True)

    list: str
    target: str
    measure: str
    quantity: str


class Choices(BaseModel):
    """What may be looked for in this tick."""

    list: Sequence[str]
    target: Sequence[str]
    measure: Sequence[str]
    quantity: Sequence[str]


class TickOf(BaseModel):
    """A run in which engines were held against each other."""

    run: int
    job: str
    due_at: datetime


class Pair(BaseModel):
    """Two engines in one quantity: `delta` is the second's value less the first's.

    On the `n` questions that both answered usably. `q` is p adjusted for all tests of the tick,
    `differ` whether it is at most the level. Without a `delta` the `reason` says why.
    """

    comparison: int
    first: str
    second: str
    first_title: str
    second_title: str
    first_series: int
    second_series: int
    value_first: float | None
    value_second: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    differ: bool
    test: str
    n: int
    only_first: int
    only_second: int
    changed: int
    reason: str


class Group(BaseModel):
    """Pairs that are compared in the same quantity, on one scale from -`end` to `end`."""

    title: str
    quantity: str
    measure: str
    list: str
    pair: str
    source_lang: str
    target: str
    end: float
    pairs: Sequence[Pair]

    def drawn(self, one: Pair) -> Markup:
        """A difference as a small chart."""
        return _chart_pairs.difference(one.delta, one.low, one.high, self.end, differ=one.differ)


class Reason(BaseModel):
    """Why so many comparisons could not be made."""

    reason: str
    n: int


class Comparison(BaseModel):
    """Engines of one tick held against each other; `tick` is null where there is none."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    jobs: Sequence[str]
    job: str
    ticks: Sequence[TickOf]
    tick: TickOf | None
    asked: Asked
    choices: Choices
    level: float
    """The greatest adjusted p that is called a difference."""
    n_tests: int
    """Of the whole tick, as far as it is public; p is adjusted for these."""
    n_differ: int
    """Among those that fit."""
    n_pairs: int
    """That fit."""
    missing: Sequence[Reason]
    """What could not be compared of those that fit, and why."""
    page: int
    n_pages: int
    groups: Sequence[Group]


@page(router, "/compare", "compare.html", Permission.NUMBERS)
def compare(
    site: TheSite, who: Who, job: Text = "",
    run: Run = None,
    list: Text = "",  # noqa: A002 - as it stands in the address
    target: Text = "", measure: Text = "", quantity: Text = "",
    page: PageNumber = 1,
) -> Comparison:  # fmt: skip
    """Compare the systems of the newest run of a job, or of one that is named."""
    asked = Asked(list=list, target=target, measure=measure, quantity=quantity)
    with site.database.read() as connection:
        return _kept.get(
            connection, who, (job, run, asked, page),
            lambda: _read(connection, who, (job, run), asked, page),
        )  # fmt: skip


def _read(
    connection: Connection, who: Visitor, which: tuple[str, int | None], asked: Asked, page: int
) -> Comparison:
    job, run = which
    ticks = engine_comparisons.find_runs(connection, job, _TICKS, who.hidden)
    tick = ticks[0] if ticks else None
    if run is not None:
        tick = engine_comparisons.find_run(connection, run, who.hidden)
        if tick is None:
            raise Missing(f"there is no run {run}")
    tested = _tested(connection, who, tick)
    fitting = sorted((one for one in tested if _fits(one, asked)), key=_place)
    shown = fitting[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    reasons = Counter(
        one.comparison.reason for one in fitting
        if one.comparison.delta is None and one.comparison.reason
    )  # fmt: skip
    return Comparison(
        jobs=engine_comparisons.find_jobs(connection, who.hidden), job=job,
        ticks=[_tick(one) for one in ticks],
        tick=_tick(tick) if tick else None, asked=asked, choices=_choices(tested), level=LEVEL,
        n_tests=sum(one.q is not None for one in tested),
        n_differ=sum(one.differ for one in fitting),
        n_pairs=len(fitting),
        missing=[Reason(reason=wording.brief(words), n=n) for words, n in reasons.most_common()],
        page=page, n_pages=max(1, -(-len(fitting) // _ON_A_PAGE)),
        groups=_groups(shown, known_engines(connection)),
    )  # fmt: skip


def _tick(one: ComparedRun) -> TickOf:
    return TickOf(run=one.run_id, job=one.job, due_at=one.due_at)


def _tested(
    connection: Connection, who: Visitor, tick: ComparedRun | None
) -> Sequence[AdjustedComparison]:
    """Return all comparisons of a run that a visitor may see, with p adjusted for all of them.

    Adjusted for those too that are hidden it would tell how many there are, and of their size.
    """

    def read() -> Sequence[AdjustedComparison]:
        if tick is None:
            return []
        shown = engine_comparisons.find_comparisons(connection, tick.run_id, who.hidden)
        return adjust_together(shown)

    return _kept.get(connection, who, ("tests", tick.run_id if tick else 0), read)


def _choices(tested: Sequence[AdjustedComparison]) -> Choices:
    return Choices(**{
        name: sorted({getattr(one.comparison, name) for one in tested})
        for name in Choices.model_fields
    })  # fmt: skip


def _fits(one: AdjustedComparison, asked: Asked) -> bool:
    wanted = asked.model_dump()
    return all(getattr(one.comparison, name) == text for name, text in wanted.items() if text)


def _quantity(one: AdjustedComparison) -> tuple[str, ...]:
    own = one.comparison
    return own.list, own.source_lang, own.target, own.measure, own.quantity, own.reference


def _place(one: AdjustedComparison) -> tuple[object, ...]:
    """What is tested first of a measure before its other quantities."""
    own = one.comparison
    firsts = {name for kind in Kind for name in names.primaries(own.measure, kind)}
    return own.quantity not in firsts, *_quantity(one), own.comparison_id


def _groups(shown: Sequence[AdjustedComparison], engines: KnownEngines) -> list[Group]:
    return [_group(list(own), engines) for _, own in groupby(shown, key=_quantity)]


def _group(some: Sequence[AdjustedComparison], engines: KnownEngines) -> Group:
    first = some[0].comparison
    ends = (
        x for one in some
        for x in (one.comparison.delta, one.comparison.low, one.comparison.high)
    )  # fmt: skip
    return Group(
        title=names.title(as_row(first)), quantity=first.quantity, measure=first.measure,
        list=first.list,
        pair=titles.short_pair(first.source_lang, first.target, engines[first.first].kind),
        source_lang=first.source_lang, target=first.target, end=_chart_pairs.reach(ends),
        pairs=[_pair(one, engines) for one in some],
    )  # fmt: skip


def _pair(one: AdjustedComparison, engines: KnownEngines) -> Pair:
    own = one.comparison
    same: dict[str, Any] = {
        name: getattr(own, name)
        for name in ("first", "second", "value_first", "value_second", "delta", "low", "high", "p",
                     "test", "n", "only_first", "only_second", "changed")
    }  # fmt: skip
    return Pair(
        **same, reason=wording.brief(own.reason), comparison=own.comparison_id,
        first_series=own.other_id, second_series=own.series_id,
        first_title=engines[own.first].title, second_title=engines[own.second].title,
        q=one.q, differ=one.differ,
    )  # fmt: skip
