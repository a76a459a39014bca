"""Decide when a series has changed, and whether a change holds beyond the list. Pure.

Claim A, "its answers to these questions changed". The values of all runs that asked all questions
(the tick, its noise run, its confirming run) are put in the order in which they were asked. Two
rules look at that order, and count the runs that raised a suspicion like any others:

- a **step** at a tick: all runs since lie above (or below) the runs before it;
- a **drift**: all runs of late lie above (or below) the first runs.

What is decided here is stored as confirmed, what only raised a suspicion as a candidate
(`pipeline.changes.detection`).

While nothing changes each has an exact probability (`run_order.order_chance`). A rule decides where
that is at most its share of alpha; the shares of all boundaries, rules, directions and series of a
job add up to alpha, however long the job goes on. So the probability that a job in which nothing
changes ever has a finding is at most alpha, also where asking again depends on what was seen: the
bound holds for a boundary after any number of runs.

Claim B, "it treats sentences like these differently", is tested only where claim A was decided. Its
test is the paired one over clusters of questions, of the answers of several runs on each side. Two
ways, whose levels add up to `ALPHA_EVENTS` + `ALPHA_ORIGIN`, less than 0.05:

- **when the change was decided.** It was looked at because it was large, so its p is divided by the
  probability that a change without direction would have been large enough. The j-th event of the
  job has the level ALPHA_EVENTS / (j (j + 1)), shared evenly by the series of the event.
- **since the first runs.** At every fourth tick the runs of late are compared with the first runs
  of the series, whatever was decided in between. The look does not depend on what was seen, so that
  the p stands as it is; its j-th look has ALPHA_ORIGIN / (j (j + 1)) over all primary series.

Levels are sums of the paired differences: what other questions do to a value is in none of them.
What is found is told in levels that agree with the value of its own tick, because values of ticks
with other questions lie elsewhere. Retrospective, so that nothing here is a finding by itself.
"""

import math
from bisect import insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import fmean

from monitor.stats.series import chain_levels, find_breaks, order_chance, runs_needed, tick_effect

# --- run by run -----------------------------------------------------------------------------------

#: Of the rules: goes up whenever other findings can come out.
VERSION = 6
#: A job in which nothing changes ever has a finding of claim A with at most this probability.
ALPHA = 0.05
#: Ticks that were asked twice without which each tick counts as one run.
LEAST_TICKS = 8
#: Runs without which nothing is decided: those of 8 ticks that were asked twice.
LEAST_RUNS = 2 * LEAST_TICKS
#: Fewest runs of the level before a change.
LEAST_BEFORE = 4
#: Runs of the first level that a drift is held against.
FIRST_RUNS = 16
#: One odd tick, its noise run and its confirming run may lie beyond the runs since.
EXCEPTIONS = 3
#: A signal is raised where the order of the runs has at most this probability, of both directions,
#: and so many runs agree: one odd run is not worth asking everything again.
RAISED = 0.05
LEAST_SINCE = 2
#: Runs of a tick are more alike than others: a tick counts as one run then.
ALIKE = 0.05
#: Shares of alpha: (rule, exceptions) -> share.
_STEP, _STEP_ODD, _DRIFT, _DRIFT_ODD = 0.70, 0.15, 0.10, 0.05
#: Share of a step's level that boundaries after fewer than LEAST_RUNS runs have together.
_EARLY = 0.2
RULE = "exact order of whole runs, 5 % over all series, directions and boundaries of the job"


class DecisionRule(StrEnum):
    """Rule by which a change was decided."""

    STEP = "step"
    DRIFT = "drift"


class SignalStanding(StrEnum):
    """Status of a signal."""

    RAISED = "raised"  # not enough runs yet
    DECIDED = "decided"
    DROPPED = "dropped"  # a later run lay among those before


@dataclass(frozen=True, slots=True)
class WholeRunValue:
    """Value of one whole run: paired difference to the first tick of the series."""

    run: int
    tick: int  # position of its tick on the grid of due ticks
    value: float


@dataclass(frozen=True, slots=True)
class ChangeSignal:
    """One change of a series, or the suspicion of one.

    `at` is the tick of the first run on the new level, `decided_at` that of the run with which the
    standing came about. `before` and `since` are the runs that the decision rests on, in the order
    of asking: of a dropped signal those that lay beyond. `needed` is how many runs since decide.
    `chance` is the probability of their order while nothing changes, of one direction; `level` what
    it may be.
    """

    rule: DecisionRule
    up: bool
    at: int
    standing: SignalStanding
    decided_at: int
    before: tuple[int, ...]
    since: tuple[int, ...]
    needed: int | None
    chance: float
    level: float
    exceptions: int = 0
    by_ticks: bool = False


def share_of_boundary(before: int) -> float:
    """Share of a step's level that the boundary after so many runs of a level has; all add to 1.

    A fifth for boundaries after 4 to 15 runs alike, the rest after m >= 16 runs as 16/(m (m + 1)).
    """
    if before < LEAST_BEFORE:
        return 0.0
    if before < LEAST_RUNS:
        return _EARLY / (LEAST_RUNS - LEAST_BEFORE)
    return (1 - _EARLY) * LEAST_RUNS / (before * (before + 1))


def step_level(per_test: float, before: int, exceptions: int = 0) -> float:
    """Level of a step at the boundary after so many runs; `per_test` as `Watch.add` has it."""
    share = _STEP_ODD if exceptions else _STEP
    return per_test * share * share_of_boundary(before)


def share_of_length(runs: int) -> float:
    """Share of a drift's level that a look at a level of so many runs has; all add to 1."""
    return FIRST_RUNS / (runs * (runs - 1)) if runs > FIRST_RUNS else 0.0


@dataclass(slots=True)
class _Boundary:
    """A tick after which every run so far lies on one side of the runs before."""

    start: int  # position in the runs of the series
    up: bool
    exceptions: int
    limit: float
    raised: bool = False


@dataclass(slots=True)
class SeriesWatch:
    """Watches one series run by run."""

    runs: list[WholeRunValue] = field(default_factory=list)
    signals: list[ChangeSignal] = field(default_factory=list)  # dropped and decided, in their order
    _base: int = 0  # first run of the present level
    _per_test: float = 0.0  # of the newest run
    _values: list[float] = field(default_factory=list)  # of all runs of the level, sorted
    _alive: list[_Boundary] = field(default_factory=list)
    _first: list[float] = field(default_factory=list)  # values of its first runs, sorted
    _beyond: dict[tuple[bool, int], int] = field(
        default_factory=dict
    )  # where a late stretch begins

    @property
    def level(self) -> list[WholeRunValue]:
        """The runs since the last change that was decided."""
        return self.runs[self._base :]

    def raised(self) -> list[ChangeSignal]:
        """Signals that stand and are not decided."""
        return [
            self._signal(boundary, SignalStanding.RAISED)
            for boundary in self._alive
            if boundary.raised and not boundary.exceptions
        ]

    def add(self, run: WholeRunValue, per_test: float) -> ChangeSignal | None:
        """Take the next run, in the order of asking; return the change that it decides, if any.

        `per_test` is alpha divided by the number of series and directions that the job tests.
        """
        position = len(self.runs)
        self._per_test = per_test
        if not self.runs or run.tick != self.runs[-1].tick:
            self._open(position, run.value)
        self.runs.append(run)
        insort(self._values, run.value)
        self._drop(run.value)
        decided = self._decide_step() or self._decide_drift(run.value)
        if decided:
            self.signals.append(decided)
            start = next(n for n, run in enumerate(self.runs) if run.run == decided.since[0])
            self._rebase(start)
        return decided

    def _open(self, position: int, value: float) -> None:
        """Begin a boundary in each direction in which the first run of a tick lies beyond."""
        before = position - self._base
        if before < LEAST_BEFORE:
            return
        values = self._values
        for exceptions in (0, EXCEPTIONS):
            if before <= exceptions + 1:
                continue
            if value > values[-1 - exceptions]:
                self._alive.append(_Boundary(position, True, exceptions, values[-1 - exceptions]))
            if value < values[exceptions]:
                self._alive.append(_Boundary(position, False, exceptions, values[exceptions]))

    def _drop(self, value: float) -> None:
        """End boundaries that the newest run does not lie beyond; raise those that go on."""
        stored_rows = []
        for boundary in self._alive:
            if (value > boundary.limit) if boundary.up else (value < boundary.limit):
                since, before = len(self.runs) - boundary.start, boundary.start - self._base
                is_enough = since >= LEAST_SINCE and 2 * order_chance(before, since) <= RAISED
                boundary.raised = boundary.raised or is_enough
                stored_rows.append(boundary)
            elif boundary.raised and not boundary.exceptions:
                self.signals.append(
                    self._signal(boundary, SignalStanding.DROPPED, len(self.runs) - 1)
                )
        self._alive = stored_rows

    def _decide_step(self) -> ChangeSignal | None:
        for boundary in self._alive:
            before, since = boundary.start - self._base, len(self.runs) - boundary.start
            level = step_level(self._per_test, before, boundary.exceptions)
            if (
                since + before < LEAST_RUNS
                or order_chance(before, since, boundary.exceptions) > level
            ):
                continue
            signal = self._signal(boundary, SignalStanding.DECIDED)
            if not self._alike(signal.at):
                return signal
            by_ticks = self._decided_by_ticks(signal, boundary)
            if by_ticks:
                return by_ticks
        return None

    def _decide_drift(self, value: float) -> ChangeSignal | None:
        """All runs of late beyond the first ones of the present level."""
        length = len(self.runs) - self._base
        if length <= FIRST_RUNS:
            return None
        if not self._first:
            known_runs = self.runs[self._base : self._base + FIRST_RUNS]
            self._first = sorted(known_run.value for known_run in known_runs)
        for up in (True, False):
            for exceptions in (0, EXCEPTIONS):
                limit = self._first[-1 - exceptions] if up else self._first[exceptions]
                key = (up, exceptions)
                if not ((value > limit) if up else (value < limit)):
                    self._beyond.pop(key, None)
                    continue
                start = self._beyond.setdefault(key, len(self.runs) - 1)
                signal = self._drift(up, exceptions, start, length)
                if signal:
                    return signal
        return None

    def _drift(self, up: bool, exceptions: int, start: int, length: int) -> ChangeSignal | None:
        share = _DRIFT_ODD if exceptions else _DRIFT
        level = self._per_test * share * share_of_length(length)
        needed = runs_needed(FIRST_RUNS, level, exceptions)
        if needed is None or len(self.runs) - start < needed:
            return None
        end = self._base + FIRST_RUNS
        late = _Boundary(len(self.runs) - needed, up, exceptions, 0.0)
        signal = replace(
            self._signal(late, SignalStanding.DECIDED),
            rule=DecisionRule.DRIFT,
            before=tuple(run.run for run in self.runs[self._base : end]),
            needed=needed,
            chance=order_chance(FIRST_RUNS, needed, exceptions),
            level=level,
        )
        if not self._alike():
            return signal
        n_before = len({run.tick for run in self.runs[self._base : end]})
        n_since = len({run.tick for run in self.runs[start:]})
        odd = exceptions // EXCEPTIONS
        chance = order_chance(n_before, n_since, odd)
        if chance > level or self._ticks_beyond(end, start, up) > odd:
            return None
        since = tuple(run.run for run in self.runs[start:])
        return replace(signal, by_ticks=True, chance=chance, needed=n_since, since=since)

    def _alike(self, step: int | None = None) -> bool:
        """Return whether runs of one tick may be more alike than those of different ticks.

        Of the runs of the present level, with a step at the tick `step` or a drift. So it is until
        `LEAST_TICKS` ticks were asked twice.
        """
        runs = self.runs[self._base :]
        ticks = [run.tick for run in runs]
        if sum(count > 1 for count in Counter(ticks).values()) < LEAST_TICKS:
            return True
        p = tick_effect([run.value for run in runs], ticks, step)
        return p is not None and p <= ALIKE

    def _decided_by_ticks(self, signal: ChangeSignal, one: _Boundary) -> ChangeSignal | None:
        """The same, each tick counted once."""
        before = len({run.tick for run in self.runs[self._base : one.start]})
        since = len({run.tick for run in self.runs[one.start :]})
        level = step_level(self._per_test, one.start - self._base, one.exceptions)
        odd = one.exceptions // EXCEPTIONS
        chance = order_chance(before, since, odd)
        if chance > level or self._ticks_beyond(one.start, one.start, one.up) > odd:
            return None
        return replace(signal, by_ticks=True, chance=chance)

    def _ticks_beyond(self, end: int, start: int, up: bool) -> int:
        """Ticks of the level before `end` of which a run does not lie on this side of all since."""
        since = [run.value for run in self.runs[start:]]
        return len({
            run.tick for run in self.runs[self._base : end]
            if (run.value >= min(since) if up else run.value <= max(since))
        })  # fmt: skip

    def _signal(
        self, one: _Boundary, standing: SignalStanding, end: int | None = None
    ) -> ChangeSignal:
        """A signal of a step; the runs from `end` on are not among those since."""
        before, since = self.runs[self._base : one.start], self.runs[one.start : end]
        level = step_level(self._per_test, len(before), one.exceptions)
        return ChangeSignal(
            DecisionRule.STEP,
            one.up,
            since[0].tick,
            standing,
            self.runs[-1].tick,
            tuple(run.run for run in before),
            tuple(run.run for run in since),
            runs_needed(len(before), level, one.exceptions),
            order_chance(len(before), len(since), one.exceptions),
            level,
            one.exceptions,
        )

    def _rebase(self, start: int) -> None:
        """Begin the new level with the first run since the change."""
        self._base = start
        self._values = sorted(run.value for run in self.runs[start:])
        self._alive, self._first, self._beyond = [], [], {}


# --- beyond the list ------------------------------------------------------------------------------

#: Level of all events of a job together.
ALPHA_EVENTS = 0.03
#: Level of all comparisons with the first runs together.
ALPHA_ORIGIN = 0.005
#: Ticks from one comparison with the first runs to the next.
EVERY = 4
#: Runs on each side at most.
POOLED_BEFORE, POOLED_LATE = 16, 10


def event_level(number: int, series: int) -> float:
    """Level of one series of the event with this number, from 1; `series` are in the event."""
    return ALPHA_EVENTS / (number * (number + 1)) / series


def origin_level(look: int, hypotheses: int) -> float:
    """Level of one series at the look with this number, from 1."""
    return ALPHA_ORIGIN / (look * (look + 1)) / hypotheses


def least_effect(
    before: Sequence[float], since: Sequence[float], *, up: bool, exceptions: int
) -> float:
    """Return the smallest shift of the mean that would have been decided, at least 0.

    `before` and `since` are the values of the runs. The noise of each run about the mean of its own
    side stays as it is; the shift is just large enough for all runs since to lie beyond those
    before, but for the `exceptions`.
    """
    sign = 1 if up else -1
    old = sorted((sign * value for value in before), reverse=True)
    new = [sign * value for value in since]
    limit = old[min(exceptions, len(old) - 1)]
    centre = fmean([sign * value for value in before[-POOLED_BEFORE:]])
    return max((limit - centre) - (min(new) - fmean(new)), 0.0)


def conditional_p(p: float, effect: float, spread: float, least: float) -> float:
    """Return p given that the effect is at least `least`, in [0, 1].

    p / P(|S| >= least), where S is the sum of the clusters' parts with random signs and standard
    deviation `spread`, taken as normal. The effect itself is the most that `least` can be.
    """
    if spread <= 0:
        return 1.0
    reached = math.erfc(min(least, abs(effect)) / (spread * math.sqrt(2)))
    return 1.0 if reached <= 0 else min(p / reached, 1.0)


# --- in retrospect --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunStep:
    """A change between two neighbouring measured ticks, by their positions on the grid."""

    at: int  # position of after
    run: int  # after
    before_run: int
    before: float
    delta: float


@dataclass(frozen=True, slots=True)
class SeenShift:
    """A shift: the first tick on the new level, and the level before and after.

    Both are as of that tick, on its questions.
    """

    at: int
    run: int
    before_run: int
    before: float
    after: float
    why: str


def look_back(steps: Sequence[RunStep], first_at: int) -> list[SeenShift]:
    """Return shifts by PELT; `first_at` is the position of the first measured tick."""
    if not steps:
        return []
    levels = chain_levels(steps[0].before, [step.delta for step in steps]).tolist()
    found = find_breaks(levels, [first_at, *(step.at for step in steps)])
    # how far the value of a tick is from its level: by what other questions did to it
    by_position = {
        step.at: (step, step.before + step.delta - level)
        for step, level in zip(steps, levels[1:], strict=True)
    }
    return [
        SeenShift(
            entry.first, step.run, step.before_run, entry.before + away, entry.after + away,
            f"PELT over {found.n} ticks (noise {found.sigma:.2g}, memory {found.rho:.2f}).",
        )
        for entry in found.found
        for step, away in [by_position[entry.first]]
    ]  # fmt: skip


def first_found_at(steps: Sequence[RunStep], first_at: int, shift_at: int) -> int:
    """Return the tick from which on looking back at every tick finds a shift at `shift_at`.

    `steps` end with a tick that finds it. The same answers give the same tick, whenever the series
    is looked back over.
    """
    found_at = steps[-1].at
    for n in range(len(steps) - 1, 0, -1):
        known_steps = steps[:n]
        if known_steps[-1].at < shift_at or shift_at not in [
            shift.at for shift in look_back(known_steps, first_at)
        ]:
            break
        found_at = known_steps[-1].at
    return found_at
