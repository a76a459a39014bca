"""Decide simulated years as the product does: `Watch` for claim A, `generalisation` for claim B."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench._change_years import CLUSTER, QUANTITIES, RUNS, TICKS, Year, differences, parts
from monitor.stages.changes import decisions
from monitor.stages.changes.decisions import (
    ALPHA,
    FIRST_RUNS,
    ChangeSignal,
    SeriesWatch,
    WholeRunValue,
)
from monitor.stats.paired import FlipTest, sign_flip

TICK, NOISE, CONFIRM = range(RUNS)
#: Below so many standard deviations no look at the first runs can hold: p > 1e-3.
_NEVER = 3.0


@dataclass(frozen=True)
class Asking:
    """Which runs a job asks beside its ticks, and the number of primary series that it tests."""

    hypotheses: int
    noise: bool = True
    confirm: bool = True


@dataclass(frozen=True)
class Finding:
    """A decided change. `beyond` is the tick at which it was shown beyond the list, or None."""

    system: int
    series: int  # 4 list + quantity
    signal: ChangeSignal
    size: float  # from runs of the tick after the decision, NaN where there is none
    size_of_deciding: float
    beyond: int | None
    by_first_runs: bool = False  # shown only by comparison with the first runs

    @property
    def quantity(self) -> int:
        return self.series % len(QUANTITIES)


@dataclass
class Decided:
    """What came of one system: a watch of each series, and how often it was asked again."""

    watches: list[SeriesWatch]
    values: np.ndarray  # (runs, series), runs numbered 3 tick + run
    confirming: int = 0


def watch(values: np.ndarray, asking: Asking, start: int = 0) -> Decided:
    """Watch all series of a system; `values` are (ticks, runs, series).

    The first run is what others are held against. A confirming run is asked once a tick, as soon as
    a signal of the system stands: after the tick or after its noise run.
    """
    series = values.shape[-1]
    decided = Decided([SeriesWatch() for _ in range(series)], values.reshape(-1, series))
    per_test = ALPHA / (2 * asking.hypotheses)
    for tick in range(start, TICKS):
        confirmed = not asking.confirm
        for run in (TICK, NOISE) if asking.noise else (TICK,):
            if tick > start or run != TICK:
                _add(decided, tick, run, per_test)
            if not confirmed and any(one.raised() for one in decided.watches):
                confirmed = True
                decided.confirming += 1
                _add(decided, tick, CONFIRM, per_test)
    return decided


def _add(decided: Decided, tick: int, run: int, per_test: float) -> None:
    number = tick * RUNS + run
    for one, value in zip(decided.watches, decided.values[number].tolist(), strict=True):
        if not math.isnan(value):
            one.add(WholeRunValue(number, tick, value), per_test)


# --- findings -------------------------------------------------------------------------------------


def findings(year: Year, asking: Asking, *, apart: bool = False) -> tuple[list[Finding], int]:
    """Return the decided changes of a job of all systems, and its number of confirming runs.

    `apart`: each system is the only one of the job that changes, so that it has events of its own.
    """
    values = np.concatenate([differences(year, probes) for probes in year.lists], axis=-1)
    of_system = {
        system: watch(values[system], asking, int(start)) for system, start in enumerate(year.start)
    }
    confirming = sum(decided.confirming for decided in of_system.values())
    jobs = [{one: of_system[one]} for one in of_system] if apart else [of_system]
    return [one for job in jobs for one in _of_job(year, job, asking)], confirming


def _of_job(year: Year, job: dict[int, Decided], asking: Asking) -> Iterator[Finding]:
    """Decided changes with claim B: events in their order, each shared by its series."""
    events: dict[tuple[int, int], list[tuple[int, ChangeSignal]]] = {}
    for system, decided in job.items():
        for series, one in enumerate(decided.watches):
            for signal in one.signals:
                if signal.standing is decisions.SignalStanding.DECIDED:
                    events.setdefault((signal.decided_at, system), []).append((series, signal))
    for number, ((_, system), members) in enumerate(sorted(events.items(), key=lambda e: e[0]), 1):
        level = decisions.event_level(number, len(members))
        looks: dict[int, list[tuple[int, float, float, bool]]] = {}
        for series, signal in members:
            yield _finding(year, job[system], system, series, signal, level, asking, looks)


def _finding(year, decided, system, series, signal, level, asking, looks) -> Finding:
    one = decided.watches[series]
    pooled = signal.before[-decisions.POOLED_BEFORE :]
    change, p = _beyond(year, decided, system, series, signal)
    beyond, by_first = (signal.decided_at, False) if p <= level else (None, False)
    if beyond is None:
        if series not in looks:
            looks[series] = list(_looks(year, one, system, series, asking))
        for position, p, of_look, up in looks[series]:
            if position >= signal.decided_at and p <= of_look and up is signal.up:
                beyond, by_first = position, True
                break
    later = _later(one, signal)
    size = np.nan
    if later:
        size = _change(year, system, series, pooled, later).total
    return Finding(system, series, signal, size, change.total, beyond, by_first)


def _change(year: Year, system: int, series: int, before: Sequence[int],
            since: Sequence[int]) -> FlipTest:  # fmt: skip
    which, quantity = divmod(series, len(QUANTITIES))
    terms = parts(year, system, year.lists[which], quantity, np.array(before), np.array(since))
    return sign_flip(terms, CLUSTER)


def _beyond(year: Year, decided: Decided, system: int, series: int,
            signal: ChangeSignal) -> tuple[FlipTest, float]:  # fmt: skip
    """The pooled change of the runs that decided, and its p given that it was large enough."""
    before = signal.before[-decisions.POOLED_BEFORE :]
    change = _change(year, system, series, before, signal.since)
    sides = [decided.values[list(runs), series].tolist() for runs in (signal.before, signal.since)]
    least = decisions.least_effect(*sides, up=signal.up, exceptions=signal.exceptions)
    return change, decisions.conditional_p(change.p, change.total, change.spread, least)


def _looks(year: Year, one: SeriesWatch, system: int, series: int,
           asking: Asking) -> Iterator[tuple[int, float, float, bool]]:  # fmt: skip
    """(tick, p, level, up) of every comparison with the first runs."""
    first = one.runs[:FIRST_RUNS]
    if len(first) < FIRST_RUNS:
        return
    begin = first[-1].tick
    ticks = range(begin + decisions.EVERY, one.runs[-1].tick + 1, decisions.EVERY)
    for look, position in enumerate(ticks, 1):
        late = [run.run for run in one.runs if begin < run.tick <= position]
        late = late[-decisions.POOLED_LATE :]
        which, quantity = divmod(series, len(QUANTITIES))
        terms = parts(year, system, year.lists[which], quantity,
                      np.array([run.run for run in first]), np.array(late))  # fmt: skip
        spread = np.sqrt((np.bincount(CLUSTER, terms) ** 2).sum())
        if abs(terms.sum()) >= _NEVER * spread > 0:
            change = sign_flip(terms, CLUSTER)
            level = decisions.origin_level(look, asking.hypotheses)
            yield position, change.p, level, change.total > 0


def _later(one: SeriesWatch, signal: ChangeSignal) -> list[int]:
    """Runs of the first tick after the decision, unless another change was decided by then."""
    after = [run for run in one.runs if run.tick > signal.decided_at]
    begun = min((other.at for other in one.signals if other.at > signal.at), default=TICKS)
    if not after or begun <= after[0].tick:
        return []
    return [run.run for run in after if run.tick == after[0].tick]
