"""Comparison of systems in one run: paired differences, adjusted for all tests of the run."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from typing import Annotated

from fastapi import Depends
from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor.model import Kind, Quantity, QuantityUnit, as_row
from monitor.roles import Permission
from monitor.stages.changes.comparisons import LEVEL, AdjustedComparison, adjust_together
from monitor.stages.document.draw import Scale
from monitor.stages.document.notation import capitalize_first
from monitor.stages.reports import cells, names
from monitor.stages.reports.names import KnownEngines, known_engines
from monitor.store.changes import comparisons as engine_comparisons
from monitor.store.changes.comparisons import EngineComparison
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.text.quantity_values import say_values
from monitor.web.site.errors import Missing
from monitor.web.site.records import (
    ChoiceLabels,
    PagedContent,
    copy_record,
    count_pages,
    draw_estimate,
    label_choices,
    list_choices,
    slice_page,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import PageNumber, Run, Text, make_router, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

#: Places of the ends of the small charts.
_ENDS = 5.0, 155.0
_LEAST = 0.01
router = make_router("compare")
_ON_A_PAGE = 50
#: Ticks to choose from.
_TICKS = 60
_cache = ResponseCache(most=64)


def find_scale_end(numbers: Iterable[float | None]) -> float:
    """Return the end of a scale that is symmetric about zero and holds all numbers."""
    return max([_LEAST, *(abs(number) for number in numbers if number is not None)])


@dataclass(frozen=True, slots=True)
class ComparisonFilter:
    """Filters of the page; empty stands for any value."""

    list: Text = ""
    target: Text = ""
    measure: Text = ""
    quantity: Text = ""


class ComparisonChoices(BaseModel):
    """Values of this run to filter by."""

    list: Sequence[str]
    target: Sequence[str]
    measure: Sequence[str]
    quantity: Sequence[str]


class TickOf(BaseModel):
    """A run in which systems were compared."""

    run: int
    job: str
    due_at: datetime


class SystemPair(BaseModel):
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


class ComparisonGroup(BaseModel):
    """Pairs that are compared in the same quantity, on one scale from -`end` to `end`."""

    title: str
    quantity: str
    measure: str
    list: str
    pair: str
    """Languages or region in words."""
    source_lang: str
    target: str
    end: float
    pairs: Sequence[SystemPair]
    label: str = Field(exclude=True)
    """The quantity in words, and against which reference."""
    unit: QuantityUnit = Field(exclude=True)

    @property
    def is_compared(self) -> bool:
        """Return whether a pair has a difference."""
        return any(pair.delta is not None for pair in self.pairs)

    def say_sides(self, pair: SystemPair) -> tuple[str, ...]:
        """Return the values of both systems in words."""
        return say_values(self.unit, pair.value_first, pair.value_second)

    def drawn(self, pair: SystemPair) -> Markup:
        """Return a difference as a small chart."""
        scale = Scale(-self.end, self.end, *_ENDS)
        return draw_estimate(pair.delta, pair.low, pair.high, scale, 0.0, is_open=not pair.differ)


class MissingReason(BaseModel):
    """Reason why `n` comparisons have no result."""

    reason: str
    n: int
    said: str = Field(exclude=True)
    """The reason without codes."""
    quantities: Sequence[str] = Field(exclude=True)
    """The quantities that were to be compared, in words."""


class SystemComparison(PagedContent):
    """Compared systems of one run; `tick` is null where there is none."""

    jobs: Sequence[str]
    job: str
    ticks: Sequence[TickOf]
    tick: TickOf | None
    asked: ComparisonFilter
    choices: ComparisonChoices
    level: float
    """The greatest adjusted p that is called a difference."""
    n_tests: int
    """Of the whole tick, as far as it is public; p is adjusted for these."""
    n_differ: int
    """Among those that fit."""
    n_pairs: int
    """That fit, with a test or without."""
    n_tested: int = Field(exclude=True)
    """Those that fit and have a test."""
    n_missing: int = Field(exclude=True)
    """Those that fit and could not be compared."""
    labels: ChoiceLabels = Field(exclude=True)
    missing: Sequence[MissingReason]
    """What could not be compared of those that fit, and why."""
    groups: Sequence[ComparisonGroup]


@serve_page(router, "/compare", "compare.html", Permission.NUMBERS)
def compare(
    site: TheSite, who: Who, asked: Annotated[ComparisonFilter, Depends()], job: Text = "",
    run: Run = None, page: PageNumber = 1,
) -> SystemComparison:  # fmt: skip
    """Compare the systems of the newest run of a job, or of one that is named."""
    with site.database.read() as connection:
        return _cache.get(
            connection, who, (job, run, asked, page),
            lambda: _read_page(connection, who, (job, run), asked, page),
        )  # fmt: skip


def _read_page(
    connection: Connection,
    who: Visitor,
    which: tuple[str, int | None],
    asked: ComparisonFilter,
    page: int,
) -> SystemComparison:
    job, run = which
    ticks = engine_comparisons.find_runs(connection, job, _TICKS, who.hidden)
    tick = ticks[0] if ticks else None
    if run is not None:
        tick = engine_comparisons.find_run(connection, run, who.hidden)
        if tick is None:
            raise Missing(f"there is no run {run}")
    tested = _read_tests(connection, who, tick)
    fitting = _sort_comparisons(one for one in tested if _is_fitting(one, asked))
    on_page = slice_page(fitting, page, _ON_A_PAGE)
    engines = known_engines(connection)
    missing = _list_missing(fitting, engines)
    comparisons = [one.comparison for one in tested]
    return SystemComparison(
        jobs=engine_comparisons.find_jobs(connection, who.hidden),
        job=job,
        ticks=[_make_tick(compared) for compared in ticks],
        tick=_make_tick(tick) if tick else None,
        asked=asked,
        choices=list_choices(ComparisonChoices, comparisons),
        labels=label_choices(
            ((label, one) for one in comparisons for label in (one.first, one.second)), engines
        ),
        level=LEVEL,
        n_tests=sum(comparison.q is not None for comparison in tested),
        n_differ=sum(comparison.differ for comparison in fitting),
        n_pairs=len(fitting),
        n_tested=sum(comparison.q is not None for comparison in fitting),
        n_missing=sum(comparison.comparison.delta is None for comparison in fitting),
        missing=missing,
        page=page,
        n_pages=count_pages(len(fitting), _ON_A_PAGE),
        groups=[
            _make_group(list(group), engines) for _, group in groupby(on_page, key=_quantity_key)
        ],
    )


def _list_missing(
    fitting: Sequence[AdjustedComparison], engines: KnownEngines
) -> list[MissingReason]:
    """Return why comparisons have no result, with their quantities; the most frequent first."""
    missing: dict[str, MissingReason] = {}
    for comparison in (one.comparison for one in fitting):
        if comparison.delta is None and comparison.reason:
            kind, reason = engines[comparison.first].kind, comparison.reason
            said = names.spell_quantities(reason, comparison.measure, kind)
            label = _find_quantity(comparison, engines).meaning.label
            known = missing.setdefault(reason, MissingReason(
                reason=cells.shorten_reason(reason), n=0, quantities=[],
                said=cells.shorten_reason(said),
            ))  # fmt: skip
            known.n += 1
            known.quantities = list(dict.fromkeys([*known.quantities, label]))
    return sorted(missing.values(), key=lambda reason: -reason.n)


def _find_quantity(comparison: EngineComparison, engines: KnownEngines) -> Quantity:
    return names.find_quantity(
        comparison.measure, comparison.quantity, engines[comparison.first].kind
    )


def _make_tick(run: runs.Run) -> TickOf:
    return copy_record(TickOf, run, run=run.id)


def _read_tests(
    connection: Connection, who: Visitor, tick: runs.Run | None
) -> Sequence[AdjustedComparison]:
    """Return all comparisons of a run that a visitor may see, with p adjusted for all of them.

    Adjusted for those too that are hidden it would tell how many there are, and of their size.
    """

    def read() -> Sequence[AdjustedComparison]:
        if tick is None:
            return []
        comparisons = engine_comparisons.find_comparisons(connection, tick.id, who.hidden)
        return adjust_together(comparisons)

    return _cache.get(connection, who, ("tests", tick.id if tick else 0), read)


def _is_fitting(adjusted: AdjustedComparison, asked: ComparisonFilter) -> bool:
    filters = asdict(asked)
    return all(getattr(adjusted.comparison, name) == text for name, text in filters.items() if text)


_QUANTITY = ("list", "source_lang", "target", "measure", "quantity", "reference")


def _quantity_key(adjusted: AdjustedComparison) -> tuple[str, ...]:
    return tuple(getattr(adjusted.comparison, name) for name in _QUANTITY)


def _sort_comparisons(fitting: Iterable[AdjustedComparison]) -> list[AdjustedComparison]:
    """Return comparisons by quantity: primary quantities first, those never compared last."""
    comparisons = list(fitting)
    has_value = {_quantity_key(one) for one in comparisons if one.comparison.delta is not None}

    def sort_key(adjusted: AdjustedComparison) -> tuple[object, ...]:
        comparison, key = adjusted.comparison, _quantity_key(adjusted)
        firsts = {name for kind in Kind for name in names.name_primaries(comparison.measure, kind)}
        is_second = comparison.quantity not in firsts
        return key not in has_value, is_second, *key, comparison.comparison_id

    return sorted(comparisons, key=sort_key)


def _make_group(group: Sequence[AdjustedComparison], engines: KnownEngines) -> ComparisonGroup:
    first = group[0].comparison
    kind, quantity = engines[first.first].kind, _find_quantity(first, engines)
    against = f", against {names.short_reference(first.reference)}" if first.reference else ""
    ends = (
        x for adjusted in group
        for x in (adjusted.comparison.delta, adjusted.comparison.low, adjusted.comparison.high)
    )  # fmt: skip
    return copy_record(
        ComparisonGroup, first, title=names.write_title(as_row(first)),
        pair=names.pair_words(first.source_lang, first.target, kind),
        label=f"{capitalize_first(quantity.meaning.label)}{against}",
        unit=quantity.meaning.unit, end=find_scale_end(ends),
        pairs=[_make_pair(adjusted, engines) for adjusted in group],
    )  # fmt: skip


def _make_pair(adjusted: AdjustedComparison, engines: KnownEngines) -> SystemPair:
    comparison = adjusted.comparison
    return copy_record(
        SystemPair,
        comparison,
        adjusted,
        comparison=comparison.comparison_id,
        reason=cells.shorten_reason(comparison.reason),
        first_series=comparison.other_id,
        second_series=comparison.series_id,
        first_title=engines[comparison.first].title,
        second_title=engines[comparison.second].title,
    )
