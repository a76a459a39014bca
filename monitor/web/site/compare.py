"""Engine against engine in one tick: paired differences, corrected for all tests of the tick."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from monitor.model import Kind
from monitor.roles import Permission
from monitor.stages import _report_names as titles
from monitor.stages import rivals as stage
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.weekly import names, wording
from monitor.store import engine_comparisons
from monitor.store.database import Connection
from monitor.store.engine_comparisons import Rivals, Tick, Tried
from monitor.store.series import as_row
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


@dataclass(frozen=True, slots=True)
class _Tests:
    """All comparisons of a tick that a visitor may see, with p adjusted for all of them.

    Adjusted for those too that are hidden it would tell how many there are, and of their size.
    """

    some: Sequence[Tried]
    q: Mapping[int, float]
    choices: Choices


@page(router, "/compare", "compare.html", Permission.NUMBERS)
def compare(
    site: TheSite, who: Who, job: Text = "",
    run: Run = None,
    list: Text = "",  # noqa: A002 - as it stands in the address
    target: Text = "", measure: Text = "", quantity: Text = "",
    page: PageNumber = 1,
) -> Comparison:  # fmt: skip
    """Engine against engine in the newest tick of a job, or in one that is named."""
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
    ticks = engine_comparisons.ticks(connection, who.hidden, job, _TICKS)
    tick = ticks[0] if ticks else None
    if run is not None:
        tick = engine_comparisons.tick(connection, who.hidden, run)
        if tick is None:
            raise Missing(f"there is no run {run}")
    known = _tests(connection, who, tick)
    fitting = [one for one in known.some if _fits(one, asked)]
    fitting.sort(key=_place)
    shown = fitting[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    reasons = Counter(one.reason for one in fitting if one.reason)
    return Comparison(
        jobs=engine_comparisons.jobs(connection, who.hidden), job=job,
        ticks=[_tick(one) for one in ticks],
        tick=_tick(tick) if tick else None, asked=asked, choices=known.choices, level=stage.LEVEL,
        n_tests=len(known.q),
        n_differ=sum(known.q.get(one.comparison_id, 1.0) <= stage.LEVEL for one in fitting),
        n_pairs=len(fitting),
        missing=[Reason(reason=wording.brief(words), n=n) for words, n in reasons.most_common()],
        page=page, n_pages=max(1, -(-len(fitting) // _ON_A_PAGE)),
        groups=_groups(connection, tick, shown, known.q) if tick else [],
    )  # fmt: skip


def _tick(one: Tick) -> TickOf:
    return TickOf(run=one.run_id, job=one.job, due_at=one.due_at)


def _tests(connection: Connection, who: Visitor, tick: Tick | None) -> _Tests:
    def read() -> _Tests:
        some = engine_comparisons.tests(connection, who.hidden, tick.run_id) if tick else []
        return _Tests(
            some,
            stage.adjusted({one.comparison_id: one.p for one in some}) if some else {},
            Choices(**{
                name: sorted({getattr(one, name) for one in some}) for name in Choices.model_fields
            }),
        )  # fmt: skip

    return _kept.get(connection, who, ("tests", tick.run_id if tick else 0), read)


def _fits(one: Tried, asked: Asked) -> bool:
    wanted = asked.model_dump()
    return all(getattr(one, name) == text for name, text in wanted.items() if text)


def _place(one: Tried) -> tuple[object, ...]:
    """What is tested first of a measure before its other quantities."""
    firsts = {name for kind in Kind for name in names.primaries(one.measure, kind)}
    return (
        one.quantity not in firsts, one.list, one.source_lang, one.target, one.measure,
        one.quantity, one.comparison_id,
    )  # fmt: skip


def _groups(
    connection: Connection, tick: Tick, shown: Sequence[Tried], q: Mapping[int, float]
) -> list[Group]:
    numbers = [one.comparison_id for one in shown]
    compared = engine_comparisons.rivals(connection, tick.run_id, numbers)
    known = {one.comparison_id: one for one in compared}
    engines = known_engines(connection)
    some = [known[number] for number in numbers if number in known]
    return [
        _group(list(own), engines, q)
        for _, own in groupby(some, key=lambda one: (one.list, one.source_lang, one.target,
                                                     one.measure, one.quantity, one.reference))
    ]  # fmt: skip


def _group(some: Sequence[Rivals], engines: KnownEngines, q: Mapping[int, float]) -> Group:
    first = some[0]
    return Group(
        title=names.title(as_row(first)), quantity=first.quantity, measure=first.measure,
        list=first.list,
        pair=titles.short_pair(first.source_lang, first.target, engines[first.first].kind),
        source_lang=first.source_lang, target=first.target,
        end=_chart_pairs.reach(x for one in some for x in (one.delta, one.low, one.high)),
        pairs=[_pair(one, engines, q.get(one.comparison_id)) for one in some],
    )  # fmt: skip


def _pair(one: Rivals, engines: KnownEngines, q: float | None) -> Pair:
    same: dict[str, Any] = {
        name: getattr(one, name)
        for name in ("first", "second", "value_first", "value_second", "delta", "low", "high", "p",
                     "test", "n", "only_first", "only_second", "changed")
    }  # fmt: skip
    return Pair(
        **same, reason=wording.brief(one.reason), comparison=one.comparison_id,
        first_series=one.other_id, second_series=one.series_id,
        first_title=engines[one.first].title, second_title=engines[one.second].title,
        q=q, differ=stage.Held(one, q).differ,
    )  # fmt: skip
