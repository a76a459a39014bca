"""The paired tests of `masculine_rate` on arrays, and beside them tests that ignore the pairing.

In go answers of the questions that move, (runs, U), and counts of the still; out come changes and
p values, (runs, quantities). Beyond three standard deviations (p = 0.0027) every p is that of the
product's own functions; nearer, where no rule here decides anything, the normal tail stands for the
sign-flip test.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from bench._detection_answers import MASCULINE, STEREOTYPES, UNMARKED, WOMEN, System, Year
from monitor.measures import masculine_rate
from monitor.model import Context, GenderClass, Unit
from monitor.stats import signed_sums
from monitor.stats.noise import Quiet, floor
from monitor.stats.paired import mcnemar

QUANTITIES = ("f_s", "f_m", "marked_share", "s_or")
_F_S, _F_M, _MARKED, _S_OR = range(4)
_WEIGHT = np.where(np.arange(STEREOTYPES) < WOMEN, 1 / WOMEN, 1 / (STEREOTYPES - WOMEN))
_SIGN = np.where(np.arange(STEREOTYPES) < WOMEN, -1.0, 1.0)
#: Beyond so many standard deviations the p is computed exactly.
_LOOKED_AT = 3.0
#: A p above this decides nothing: noise and confirmation are not looked at there.
SMALL = 0.003


@dataclass(frozen=True)
class Changes:
    """(runs, 4) of `QUANTITIES`: difference, variance of it by random signs, p; and the panel."""

    delta: np.ndarray
    variance: np.ndarray
    p: np.ndarray
    n: np.ndarray  # (runs, 4) questions usable on both sides


def _logit(p):
    return np.log(p / (1 - p))


def _chord(one, two):
    """Slope of the logit between two proportions; its derivative where they are one."""
    same = np.abs(two - one) < 1e-9
    middle = (one + two) / 2
    apart = np.where(same, 1.0, two - one)
    return np.where(same, 1 / (middle * (1 - middle)), (_logit(two) - _logit(one)) / apart)


def _by_stereotype(values, group):
    """(runs, U) to sums (runs, 16)."""
    return values @ np.eye(STEREOTYPES)[group]


def _clustered(terms, cluster):
    """(runs, U) to sums of clusters (runs, G); the columns are in the order of their clusters."""
    if cluster is None or not terms.shape[1]:
        return terms
    starts = np.flatnonzero(np.r_[True, cluster[1:] != cluster[:-1]])
    sums = np.add.reduceat(terms, starts, axis=1)
    size = np.add.reduceat(np.abs(terms), starts, axis=1)
    return np.where(np.abs(sums) > 1e-12 * size, sums, 0.0)


def _tested(sums, total):
    """(variance, p) of runs, by the signs of clusters."""
    variance = (sums**2).sum(axis=1)
    z = np.abs(total) / np.sqrt(np.where(variance > 0, variance, 1.0))
    p = np.where(variance > 0, 2 * ndtr(-z), 1.0)
    for run in np.flatnonzero(z > _LOOKED_AT):
        p[run] = signed_sums.two_sided(sums[run])
    return variance, p


def compared(system: System, active, still, before, after, some=None) -> Changes:
    """Changes of each run from `before` to `after`, both (runs, U).

    `some` is (runs, U): which of the moving questions were asked; `still` are then (runs, 16).
    """
    group = system.stereotype[active]
    cluster = None if system.cluster is None else system.cluster[active]
    asked = np.ones(before.shape, bool) if some is None else some
    both = asked & (before >= 0) & (after >= 0)
    n = _by_stereotype(both.astype(float), group) + still[0]
    x = [
        _by_stereotype((both & (side == MASCULINE)).astype(float), group) + still[1]
        for side in (before, after)
    ]
    moved = np.where(both, after - before, 0).astype(float)
    runs = len(before)
    delta, variance, p, used = (np.zeros((runs, 4)) for _ in range(4))
    p_one, p_two = x[0] / n, x[1] / n
    used[:] = n.sum(axis=1, keepdims=True)
    slopes = {_F_S: _SIGN * _WEIGHT / n, _F_M: _WEIGHT / 2 / n, _S_OR: _by_chords(x, n)}
    ends = [[(s * _WEIGHT * one).sum(axis=1) for s in (_SIGN, 0.5)] for one in (p_one, p_two)]
    halves = [[_half(one, n, part) for part in _PARTS] for one in x]
    delta[:, _F_S], delta[:, _F_M] = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
    delta[:, _S_OR] = (_logit(halves[1][1]) - _logit(halves[1][0])) - (
        _logit(halves[0][1]) - _logit(halves[0][0])
    )
    for which, slope in slopes.items():
        terms = slope[:, group] * moved
        sums = _clustered(terms, cluster)
        variance[:, which], p[:, which] = _tested(sums, sums.sum(axis=1))
    _marks(before, after, asked, still, cluster, (delta, variance, p, used))
    return Changes(delta, variance, p, used)


_PARTS = (slice(0, WOMEN), slice(WOMEN, STEREOTYPES))


def _half(x, n, part):
    return ((x[:, part] + 0.5) / (n[:, part] + 1)).mean(axis=1)


def _by_chords(x, n):
    found = np.zeros(n.shape)
    for part, sign in zip(_PARTS, (-1.0, 1.0), strict=True):
        chord = _chord(_half(x[0], n, part), _half(x[1], n, part))
        found[:, part] = sign * chord[:, None] / (n[:, part] + 1) / (part.stop - part.start)
    return found


def _marks(before, after, asked, still, cluster, into):
    """The change of the marked share, by McNemar's test where no clusters are."""
    delta, variance, p, used = into
    read = asked & (before >= UNMARKED) & (after >= UNMARKED)
    n = read.sum(axis=1) + still[2].sum(axis=-1)
    moved = np.where(read, (after >= 0).astype(float) - (before >= 0), 0.0)
    sums = _clustered(moved, cluster) / n[:, None]
    delta[:, _MARKED], used[:, _MARKED] = moved.sum(axis=1) / n, n
    variance[:, _MARKED], p[:, _MARKED] = _tested(sums, sums.sum(axis=1))
    if cluster is None:
        gained, lost = (moved > 0).sum(axis=1), (moved < 0).sum(axis=1)
        p[:, _MARKED] = [mcnemar(int(g), int(v)) for g, v in zip(gained, lost, strict=True)]


def of_stereotypes(system: System, active, before, after):
    """(runs, 16) p of each p_i, by McNemar's test."""
    group = np.eye(STEREOTYPES)[system.stereotype[active]]
    both = (before >= 0) & (after >= 0)
    gained, lost = ((both & (sign * (after - before) > 0)) @ group for sign in (1, -1))
    return np.array(
        [
            [mcnemar(int(g), int(v)) for g, v in zip(up, down, strict=True)]
            for up, down in zip(gained, lost, strict=True)
        ]
    )


# --- a year ---------------------------------------------------------------------------------------


def steps(found: Year) -> Changes:
    """Every tick against the one before."""
    return compared(
        found.system, found.active, found.still(), found.answers[:-1], found.answers[1:]
    )


def per_answer(found: Changes, which: int):
    """(runs,) mean square of what one answer that turns over moves a quantity by: f_s, f_m, share.

    Stereotypes count as equally large.
    """
    n = found.n[:, which]
    if which == _MARKED:
        return 1 / n**2
    weights = _WEIGHT / (1 if which == _F_S else 2)
    return (weights**2).mean() * (STEREOTYPES / n) ** 2


def confirming(found: Year, at, earlier: int = 1) -> Changes:
    """The tick before the last of each of some steps, and what was said when it was asked again.

    At the first step, or with `earlier` = 0, the tick before, which the step shares.
    """
    rows = np.asarray(at)
    before = found.answers[np.maximum(rows - earlier, 0)]
    return compared(found.system, found.active, found.still(), before, found.again[rows + 1])


def values(found: Year):
    """(53, 4) values by the answers of each tick alone, and their sampling variances."""
    group = found.system.stereotype[found.active]
    marked, masculine, read = found.still()
    n = _by_stereotype((found.answers >= 0).astype(float), group) + marked
    x = _by_stereotype((found.answers == MASCULINE).astype(float), group) + masculine
    p, half = x / n, (x + 0.5) / (n + 1)
    of_p, of_half = p * (1 - p) / n, half * (1 - half) / n
    value, variance = np.zeros((len(n), 4)), np.zeros((len(n), 4))
    value[:, _F_S], variance[:, _F_S] = p @ (_SIGN * _WEIGHT), of_p @ _WEIGHT**2
    value[:, _F_M], variance[:, _F_M] = p @ _WEIGHT / 2, of_p @ _WEIGHT**2 / 4
    share = n.sum(axis=1) / ((found.answers >= UNMARKED).sum(axis=1) + read.sum())
    value[:, _MARKED] = share
    variance[:, _MARKED] = share * (1 - share) / n.sum(axis=1) * share
    for part, sign in zip(_PARTS, (-1.0, 1.0), strict=True):
        mean, size = half[:, part].mean(axis=1), part.stop - part.start
        value[:, _S_OR] += sign * _logit(mean)
        spread = of_half[:, part].sum(axis=1) / size**2
        variance[:, _S_OR] += spread / (mean * (1 - mean)) ** 2
    return value, variance


def unpaired(value, variance):
    """(52, 4) p of each step as if other questions had been asked: two independent samples."""
    z = np.abs(np.diff(value, axis=0)) / np.sqrt(variance[1:] + variance[:-1])
    return 2 * ndtr(-z)


def noise_of_days(found: Year, share: float, rng: np.random.Generator) -> Changes:
    """Every tick and a part of its questions asked again a day later."""
    marked, masculine, read = found.still()
    shape = (len(found.answers), STEREOTYPES)
    hits = rng.binomial(masculine, share, shape)
    n = hits + rng.binomial(marked - masculine, share, shape)
    still = (n, hits, n + rng.binomial(read - marked, share, shape))
    some = rng.random(found.answers.shape) < share
    return compared(found.system, found.active, still, found.answers, found.next_day, some)


def against_noise(quiet: Changes, ticks: int, which: int, n: float, delta: float) -> float:
    """p against the floor that so many first ticks have shown; 0 where it does not count."""
    days = [
        Quiet(float(quiet.delta[t, which]), float(quiet.variance[t, which]), int(n_of))
        for t, n_of in enumerate(quiet.n[:ticks, which])
    ]
    return floor(days, int(n)).p(delta) or 0.0


# --- the same as the product ----------------------------------------------------------------------

_CLASSES = {1: GenderClass.MASCULINE, 0: GenderClass.FEMININE, -1: GenderClass.NONE}


def units(system: System, answers) -> list[Unit]:
    found = []
    for row, code in enumerate(answers):
        tags = {"stereotype": str(system.stereotype[row] + 1)}
        if system.cluster is not None:
            tags["sub_stereotype"] = str(system.cluster[row])
        said = _CLASSES.get(int(code), GenderClass.UNIDENTIFIED)
        found.append(Unit(f"k{row:05d}", tags, (said,)))
    return found


def agrees(found: Year, tick: int) -> int:
    """Compare one step with `measure.paired` on units; returns the numbers compared."""
    sides = []
    for t in (tick - 1, tick):
        answers = found.system.one.copy()
        answers[found.active] = found.answers[t]
        sides.append(units(found.system, answers))
    said = {
        (one.name, one.scope): one for one in masculine_rate.MEASURE.paired(*sides, Context(seed=0))
    }
    ours = steps(found)
    for which, name in enumerate(QUANTITIES):
        theirs = said[name, "all"]
        assert abs(ours.delta[tick - 1, which] - theirs.delta) < 1e-12, name
        assert ours.n[tick - 1, which] == theirs.n, name
        assert theirs.p is not None
        spread = dict(theirs.facts)["spread"]
        assert abs(ours.variance[tick - 1, which] ** 0.5 - spread) < 1e-12, name
        if theirs.p < 0.001:
            assert abs(ours.p[tick - 1, which] / theirs.p - 1) < 1e-9, name
        else:
            assert ours.p[tick - 1, which] > 0.0005, name
    single = of_stereotypes(
        found.system, found.active, found.answers[tick - 1 : tick], found.answers[tick : tick + 1]
    )[0]
    for group in range(STEREOTYPES):
        assert abs(single[group] - said["p_i", f"stereotype:{group + 1}"].p) < 1e-9
    return len(QUANTITIES) + STEREOTYPES
