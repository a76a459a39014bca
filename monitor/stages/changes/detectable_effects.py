"""Compute how small a change of a quantity can be found.

Pure. Only of quantities whose test is a sum over answers that flip or do not; of the others nobody
can say before there are answers.
"""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np

from monitor.lists import ListItem
from monitor.model import Measure
from monitor.stages.changes import decisions
from monitor.stages.changes.decisions import SeriesWatch, WholeRunValue
from monitor.stats import power as powers
from monitor.stats.series import runs_needed, smallest_shift
from monitor.store.changes import comparisons
from monitor.store.database import Connection

# --- effects by questions and runs ----------------------------------------------------------------

#: Powers that are said of every level.
POWERS = (0.8, 0.9)
#: The share of probes with another answer although nothing changed, where nobody has seen it.
ASSUMED_FLIPS = 0.02
#: Stereotypes 1 to 7 of GEST are about women, 8 to 16 about men.
_WOMEN, _ALL = 7, 16
_STEREOTYPES = tuple(str(number) for number in range(1, _ALL + 1))
_SHARES = {
    "f_s": powers.F_S,
    "f_m": powers.F_M,
    "p_f": (1 / _WOMEN,) * _WOMEN + (0.0,) * (_ALL - _WOMEN),
    "p_m": (0.0,) * _WOMEN + (1 / (_ALL - _WOMEN),) * (_ALL - _WOMEN),
}
NO_FORMULA = "its test has no distribution that is known before there are answers"


@dataclass(frozen=True, slots=True)
class EffectRule:
    """Rule for a change of one quantity: (share of flips, level, power) to the smallest effect.

    `probes` count if every answer can be used. `squares` times the share of flips is the variance
    of a difference while nothing changes, `step` the least that one flip changes the quantity by.
    Without a rule the `reason` says why.
    """

    probes: int
    least: Callable[[float, float, float], float | None] | None = None
    squares: float = 0.0
    step: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest change that is found with a probability; None: none is.

    `claim` is "list" (its answers to these questions changed) or "beyond" (also beyond this list).
    """

    claim: str
    power: float
    effect: float | None


#: Ticks of a level before a change, where nothing else is said.
TICKS_BEFORE = 12


@dataclass(frozen=True, slots=True)
class Deciding:
    """Plan of a decision after a level of `ticks_before` ticks: runs before, runs since.

    `since` is None where more runs would be needed than are counted.
    """

    hypotheses: int
    ticks_before: int
    before: int
    since: int | None


def make_deciding(
    hypotheses: int, runs_a_tick: int, alpha: float, ticks: int = TICKS_BEFORE
) -> Deciding:
    """Return how many runs decide a change after a level of so many ticks.

    The first tick is what others are compared with, so that its first run does not count.
    """
    before = max(ticks * runs_a_tick - 1, 1)
    level = decisions.step_level(alpha / (2 * hypotheses), before)
    since = runs_needed(before, level) if level else None
    return Deciding(hypotheses, ticks, before, since)


def compute_changes(rule: EffectRule, flips: float, how: Deciding) -> list[Smallest]:
    """Return the smallest change by claim and power. Empty where there is no rule.

    A run varies with half of the variance of the difference of two runs. Equal values do not lie
    beyond each other, which costs half a step; less than one step is no change. Beyond the list the
    test is the paired one, as if each side were one run.
    """
    if rule.least is None:
        return []
    level = decisions.event_level(1, 1)
    deviation = math.sqrt(rule.squares * flips / 2)
    smallest = []
    for power in POWERS:
        effect = None
        if how.since is not None:
            shift = deviation * smallest_shift(how.before, how.since, power)
            effect = max(shift + rule.step / 2, rule.step)
        smallest.append(Smallest("list", power, effect))
    return smallest + [
        Smallest("beyond", power, rule.least(flips, level, power)) for power in POWERS
    ]


def of_runs(values: Sequence[float], hypotheses: int, alpha: float) -> float | None:
    """Return the smallest change that is found with a probability of 80 % after these runs.

    `values` are those of the runs of a level. None where they are fewer than a decision needs.
    """
    if len(values) < decisions.LEAST_RUNS:
        return None
    level = decisions.step_level(alpha / (2 * max(hypotheses, 1)), len(values))
    since = runs_needed(len(values), level)
    if since is None:
        return None
    return statistics.stdev(values) * smallest_shift(len(values), since, POWERS[0])


def rule_of(measure: Measure, quantity: str, items: Sequence[ListItem]) -> EffectRule:
    """The rule for a quantity of a measure over these questions, each put to one target."""
    rules = _RULES.get((measure.name, quantity))
    if rules is None or not items:
        reason = NO_FORMULA if items else "nothing is asked"
        return EffectRule(len(items), reason=reason)
    return rules(measure, items)


# --- rules ----------------------------------------------------------------------------------------

_Make: TypeAlias = Callable[[Measure, Sequence[ListItem]], EffectRule]


def _compute_floor(measure: Measure) -> int:
    """The usable answers that a share needs at least."""
    floor = measure.parameters.get("floor", 1)
    return floor if isinstance(floor, int) else 1


def _of_stereotypes(quantity: str, measure: Measure, items: Sequence[ListItem]) -> EffectRule:
    """A sum of the masculine rates of stereotypes: the sign-flip test over probes."""
    counts = Counter(item.tags[measure.tag] for item in items)
    needed = [key for key, share in zip(_STEREOTYPES, _SHARES[quantity], strict=True) if share]
    sizes = [counts[key] for key in needed]
    floor = max(_compute_floor(measure), 1)
    if short := [key for key in needed if counts[key] < floor]:
        few = f"stereotype {short[0]} has {counts[short[0]]}"
        return EffectRule(sum(sizes), reason=f"too few questions: {few}, the floor is {floor}")
    shares = tuple(share for share in _SHARES[quantity] if share)
    return _weighted(tuple(sizes), shares, 1.0, sum(sizes))


def _over_all(measure: Measure, items: Sequence[ListItem]) -> EffectRule:
    """A share of all probes: mid-p McNemar."""
    return _make_share(len(items), _compute_floor(measure))


def _said(gender: str, measure: Measure, items: Sequence[ListItem]) -> EffectRule:
    """A share of the probes in which one gender is said."""
    return _make_share(
        sum(item.tags.get(measure.tag) == gender for item in items), _compute_floor(measure)
    )


def _make_share(n: int, floor: int) -> EffectRule:
    if n < max(floor, 1):
        return EffectRule(n, reason=f"too few questions: {n}, the floor is {floor}")
    return EffectRule(n, partial(_compute_mcnemar, n), 1 / n, 1 / n)


def _over_topics(measure: Measure, items: Sequence[ListItem]) -> EffectRule:
    """A mean over occupations: the sign-flip test over whole occupations.

    As if all questions of one flip together, which is the most that can be lost by asking in
    clusters: the design factor 1 + (m - 1) icc at icc = 1.
    """
    sizes = tuple(sorted(Counter(item.tags[measure.tag] for item in items).values()))
    return _clustered(sizes, tuple(1 / len(sizes) for _ in sizes))


def _marked_of_topics(measure: Measure, items: Sequence[ListItem]) -> EffectRule:
    """A share of all probes, tested over whole occupations in the same way."""
    sizes = tuple(sorted(Counter(item.tags[measure.tag] for item in items).values()))
    return _clustered(sizes, tuple(size / sum(sizes) for size in sizes))


def _clustered(sizes: tuple[int, ...], shares: tuple[float, ...]) -> EffectRule:
    design = sum(size * size for size in sizes) / sum(sizes)
    return _weighted(sizes, shares, design, len(sizes))


def _weighted(
    sizes: tuple[int, ...], shares: tuple[float, ...], design: float, signs: int
) -> EffectRule:
    squares = design * sum(share**2 / size for size, share in zip(sizes, shares, strict=True))
    step = design * min(abs(share) / size for size, share in zip(sizes, shares, strict=True))
    return EffectRule(sum(sizes), partial(_sum, sizes, shares, design, signs), squares, step)


@lru_cache(maxsize=4096)
def _sum(
    sizes: tuple[int, ...],
    shares: tuple[float, ...],
    design: float,
    signs: int,
    flips: float,
    alpha: float,
    power: float,
) -> float | None:
    if alpha < 2.0 ** (1 - signs):  # all signs alike are not rarer than that
        return None
    weights = np.asarray(powers.probe_weights(sizes, shares))
    return powers.smallest_detectable_sum(weights, flips, alpha, power, design)


@lru_cache(maxsize=4096)
def _compute_mcnemar(n: int, flips: float, alpha: float, power: float) -> float | None:
    return powers.smallest_detectable(n, flips, alpha, power)


_RULES: Mapping[tuple[str, str], _Make] = {
    **{("masculine_rate", name): partial(_of_stereotypes, name) for name in _SHARES},
    ("masculine_rate", "marked_share"): _over_all,
    ("gender_accuracy", "accuracy_f"): partial(_said, "feminine"),
    ("gender_accuracy", "accuracy_m"): partial(_said, "masculine"),
    ("gender_accuracy", "said_marked_share"): _over_all,
    ("c_ratio_bias", "mb"): _over_topics,
    ("c_ratio_bias", "occupation_marked_share"): _marked_of_topics,
}


# --- effects by series ----------------------------------------------------------------------------


def smallest_changes(
    connection: Connection, job: str, series: Sequence[int], alpha: float, until: datetime
) -> dict[int, float | None]:
    """Return {series: smallest change found with a probability of 80 %}; None with too few runs.

    `series` are all primary series of the job, `alpha` is the level of their tests together. Runs
    that were due after `until` do not count.
    """
    asked_runs = [
        run for run in comparisons.list_asked_runs(connection, job) if run.due_at <= until
    ]
    positions = {
        position: index for index, position in enumerate(sorted({run.due_at for run in asked_runs}))
    }
    values = comparisons.find_first_differences(connection, series, {run.id for run in asked_runs})
    effects = {}
    for series_id in series:
        by_run = values.get(series_id, {})
        watch = SeriesWatch()
        for run in asked_runs:
            if run.id in by_run:
                value = WholeRunValue(run.id, positions[run.due_at], by_run[run.id].delta)
                watch.add(value, alpha / (2 * len(series)))
        # runs of a signal that is not decided are no noise
        ends = min((len(signal.before) for signal in watch.raised()), default=len(watch.level))
        level = [run.value for run in watch.level[:ends]]
        effects[series_id] = of_runs(level, len(series), alpha)
    return effects
