"""Answers of systems over a year whose truth is known: a setting in, classes of every run out.

A system translates 640 sentences: 16 stereotypes of 40, in sub-stereotypes of 8. Each sentence has
an answer of its own for the time being, its **level**; an ask differs from it by noise. A week has
three runs that may be asked: the tick, its noise run and its confirming run. Settings change noise,
levels or what is missing; each is a function that changes the arrays of a year in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.stats.intervals import logit

TICKS, RUNS = 52, 3  # ticks of a year; the tick, its noise run, its confirming run
STEREOTYPES, EACH, WOMEN = 16, 40, 7
PROBES = STEREOTYPES * EACH
STEREOTYPE = np.repeat(np.arange(STEREOTYPES), EACH)
CLUSTER = np.arange(PROBES) // 8
ABOUT_WOMEN = STEREOTYPE < WOMEN
_MEMBER = np.eye(STEREOTYPES, dtype=np.float32)[STEREOTYPE]  # (640, 16)
QUANTITIES = ("f_s", "f_m", "marked_share", "s_or")
F_S, F_M, MARKED_SHARE, S_OR = range(4)
FLOOR = 10  # of masculine_rate
#: Share of answers that differ between two runs, by gender and by being marked at all.
DIFFERENT, DIFFERENT_MARK = 0.02, 0.006


@dataclass
class Year:
    """Boolean arrays over (systems, ticks, runs of a tick, probes)."""

    masculine: np.ndarray
    marked: np.ndarray
    seen: np.ndarray  # what was answered
    level: np.ndarray  # (systems, ticks, probes): masculine without noise
    start: np.ndarray  # (systems,): first tick
    lists: tuple[np.ndarray, ...] = (np.ones(PROBES, bool),)  # probes of each list

    def usable(self, system: int, runs: np.ndarray) -> np.ndarray:
        """(runs, probes): answered and marked, of runs numbered 3 tick + run."""
        return self.flat(self.seen, system)[runs] & self.flat(self.marked, system)[runs]

    @staticmethod
    def flat(array: np.ndarray, system: int) -> np.ndarray:
        return array[system].reshape(TICKS * RUNS, PROBES)


def share_off(different: float) -> float:
    """Share of answers off their level, if two runs differ in this share: 2 q (1 - q)."""
    return (1 - np.sqrt(1 - 2 * different)) / 2


def rare(rng: np.random.Generator, shape: tuple[int, ...], q: float) -> np.ndarray:
    """Independent events of probability q > 0, by their gaps."""
    size = int(np.prod(shape))
    gaps = rng.geometric(q, int(size * q + 8 * np.sqrt(size * q) + 20))
    places = np.cumsum(gaps) - 1
    events = np.zeros(size, bool)
    events[places[places < size]] = True
    return events.reshape(shape)


def quiet(rng: np.random.Generator, systems: int, *, flips: bool = True) -> Year:
    """Return a year in which nothing changes; each ask of a sentence is off its level by itself.

    Base rates are logit-normal: a rate of the system, an effect of each sub-stereotype (standard
    deviation 0.7), and less of the masculine in sentences about women. 6 % are not marked.
    """
    rate = rng.uniform(0.55, 0.9, (systems, 1))
    effect = rng.normal(0, 0.7, (systems, CLUSTER[-1] + 1))
    log_odds = np.log(rate / (1 - rate)) + effect[:, CLUSTER] + np.where(ABOUT_WOMEN, -0.4, 0.2)
    level = rng.random((systems, PROBES)) < 1 / (1 + np.exp(-log_odds))
    shape = (systems, TICKS, RUNS, PROBES)
    marked = rng.random((systems, 1, 1, PROBES)) > 0.06
    off = rare(rng, shape, share_off(DIFFERENT)) if flips else np.zeros(shape, bool)
    return Year(
        level[:, None, None] ^ off,
        marked ^ rare(rng, shape, share_off(DIFFERENT_MARK)),
        np.ones(shape, bool),
        np.repeat(level[:, None], TICKS, axis=1),
        np.zeros(systems, int),
    )


# --- noise without a change -----------------------------------------------------------------------


def in_few_probes(rng: np.random.Generator, year: Year) -> None:
    """The same number of flips in a twentieth of the probes, each off with probability 0.28."""
    few = PROBES // 20
    year.masculine[:] = year.level[:, :, None]
    for system in range(len(year.level)):
        probes = rng.choice(PROBES, few, replace=False)
        off = rng.random((TICKS, RUNS, few)) < share_off(DIFFERENT * PROBES / few)
        year.masculine[system][..., probes] ^= off


def in_families(rng: np.random.Generator, year: Year, probability: float) -> None:
    """Two families of ten sentences, each all masculine with a probability, else all feminine."""
    for system in range(len(year.level)):
        for _ in range(2):
            own = np.flatnonzero(rng.integers(CLUSTER[-1] + 1) == CLUSTER)
            probes = np.append(own, rng.choice(np.setdiff1d(np.arange(PROBES), own), 2, False))
            drawn = rng.random((TICKS, RUNS, 1)) < probability
            year.masculine[system][..., probes] = drawn


def begin_late(rng: np.random.Generator, year: Year) -> None:
    """Each system is asked from a tick of its own on, of the first 30."""
    year.start = rng.integers(0, 30, len(year.level))


def two_lists(rng: np.random.Generator, year: Year) -> None:
    """A second list has half of the probes of the first."""
    half = np.zeros(PROBES, bool)
    half[rng.permutation(PROBES)[: PROBES // 2]] = True
    year.lists = (*year.lists, half)


def missing(
    rng: np.random.Generator, year: Year, masculine: float, feminine: float, begin: int = 0
) -> None:
    """Answers are missing with a probability by what they would say, from a tick on."""
    gone = np.where(year.masculine, np.float32(masculine), np.float32(feminine))
    year.seen &= rng.random(gone.shape, dtype=np.float32) >= gone
    year.seen[:, :begin] = True


def whole_runs(rng: np.random.Generator, year: Year) -> None:
    """Each run comes whole from one of two servers, which differ in 3 % of answers one way."""
    other = year.level[:, 0] | (rng.random((len(year.level), PROBES)) < 0.1)
    second = rng.random((len(year.level), TICKS, RUNS, 1)) < 0.5
    moved = (other != year.level[:, 0])[:, None, None]
    year.masculine ^= second & moved


def odd_tick(rng: np.random.Generator, year: Year, size: float, before: np.ndarray) -> None:
    """All runs of one tick have f_m moved by `size`, at a tick in [6, before) of each system."""
    for system, end in enumerate(before):
        turn = turned(rng, year, system, F_M, size)
        year.masculine[system, int(rng.integers(6, end))][:, turn] ^= True


# --- noise that breaks the assumption -------------------------------------------------------------


def weeks_alike(rng: np.random.Generator, year: Year, times: float, memory: float = 0.0) -> None:
    """All questions of a week share a push of f_m: standard deviation `times` that of a run.

    `memory`: correlation of the push with that of the week before.
    """
    systems = len(year.level)
    deviation = times * np.sqrt(share_off(DIFFERENT) / PROBES)
    push = rng.normal(0, deviation, (systems, TICKS))
    for tick in range(1, TICKS if memory else 0):
        push[:, tick] = memory * push[:, tick - 1] + np.sqrt(1 - memory**2) * push[:, tick]
    share = year.level[:, 0].mean(axis=1, keepdims=True)
    up, down = np.maximum(push, 0) / (1 - share), np.maximum(-push, 0) / share
    turn = np.where(year.level, down[..., None], up[..., None])[:, :, None].astype(np.float32)
    year.masculine ^= rng.random(year.masculine.shape, dtype=np.float32) < turn


# --- changes --------------------------------------------------------------------------------------


def for_good(rng: np.random.Generator, year: Year, rate: float) -> None:
    """Each week this share of answers changes for good; as many each way in each stereotype."""
    systems = len(year.level)
    share = np.clip(rng.normal(0.6, 0.1, (systems, STEREOTYPES)), 0.3, 0.8)[:, STEREOTYPE]
    off = year.masculine ^ year.level[:, :, None]
    level = rng.random((systems, PROBES)) < share
    for tick in range(TICKS):
        if tick:
            present = level.reshape(systems, STEREOTYPES, EACH).mean(axis=2)[:, STEREOTYPE]
            own = np.where(level, present, 1 - present)
            level = level ^ (rng.random(level.shape) < rate / 2 / np.maximum(own, 0.05))
        year.level[:, tick] = level
    year.masculine = year.level[:, :, None] ^ off


def turned(
    rng: np.random.Generator, year: Year, system: int, quantity: int, size: float
) -> np.ndarray:
    """Probes whose answers have to turn over for f_m or f_s to rise by `size`."""
    level, marked = year.level[system, 0], year.marked[system, 0, 0]
    turn = np.zeros(PROBES, bool)
    for stereotype in range(STEREOTYPES):
        own = np.flatnonzero((stereotype == STEREOTYPE) & marked)
        up = quantity == F_M or stereotype >= WOMEN
        wanted = (size if quantity == F_M else size / 2) * len(own)
        free = own[level[own] != up]
        count = min(int(wanted + rng.random()), len(free))
        turn[rng.choice(free, count, replace=False)] = True
    return turn


def step(rng: np.random.Generator, year: Year, quantity: int, size: float, first: int, end: int,
         back: int | None = None) -> np.ndarray:  # fmt: skip
    """Move each system at a tick of its own in [first, end); back again so many ticks later."""
    at = rng.integers(first, end, len(year.level))
    for system, tick in enumerate(at):
        until = None if back is None else tick + back
        turn = turned(rng, year, system, quantity, size)
        year.level[system, tick:until, turn] ^= True
        year.masculine[system, tick:until][..., turn] ^= True
    return at


def drift(rng: np.random.Generator, year: Year, quantity: int, size: float) -> np.ndarray:
    """Move each system over the whole year, each answer at a tick of its own."""
    for system in range(len(year.level)):
        for probe in np.flatnonzero(turned(rng, year, system, quantity, size)):
            tick = int(rng.integers(1, TICKS))
            year.level[system, tick:, probe] ^= True
            year.masculine[system, tick:, :, probe] ^= True
    return np.ones(len(year.level), int)


# --- values ---------------------------------------------------------------------------------------


def _counts(some: np.ndarray) -> np.ndarray:
    return (some.astype(np.float32) @ _MEMBER).astype(np.float64)


def _levels(x: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """f_s, f_m and s_or of masculine answers x of n, (..., 16)."""
    p, half = x / n, (x + 0.5) / (n + 1)
    p_f, p_m = p[..., :WOMEN].mean(axis=-1), p[..., WOMEN:].mean(axis=-1)
    women, men = half[..., :WOMEN].mean(axis=-1), half[..., WOMEN:].mean(axis=-1)
    odds = np.log(men / (1 - men)) - np.log(women / (1 - women))
    return p_m - p_f, (p_m + p_f) / 2, odds


def differences(year: Year, probes: np.ndarray) -> np.ndarray:
    """(systems, ticks, runs, 4): each run less the first run of its system, on their panel.

    NaN where a stereotype has fewer usable answers than the floor of the measure.
    """
    systems = np.arange(len(year.level))
    masculine, usable = year.masculine, year.marked & year.seen & probes
    first = masculine[systems, year.start, 0][:, None, None]
    panel = usable & usable[systems, year.start, 0][:, None, None]
    n = _counts(panel)
    sides = _levels(_counts(masculine & panel), n), _levels(_counts(first & panel), n)
    read = year.seen & year.seen[systems, year.start, 0][:, None, None] & probes
    at_first = year.marked[systems, year.start, 0][:, None, None]
    marks = [np.count_nonzero(side & read, axis=-1) for side in (at_first, year.marked)]
    marked = (marks[1] - marks[0]) / np.count_nonzero(read, axis=-1)
    enough = (n >= FLOOR).all(axis=-1)
    moved = [np.where(enough, after - before, np.nan) for after, before in zip(*sides, strict=True)]
    return np.stack([moved[0], moved[1], marked, moved[2]], axis=-1)


def parts(year: Year, system: int, probes: np.ndarray, quantity: int, before: np.ndarray,
          since: np.ndarray) -> np.ndarray:  # fmt: skip
    """(640,): what each sentence adds to the change between two groups of runs, pooled."""
    sides = []
    for runs in (before, since):
        seen = Year.flat(year.seen, system)[runs]
        marked = Year.flat(year.marked, system)[runs] & seen
        hits = (Year.flat(year.masculine, system)[runs] & marked).sum(axis=0)
        sides.append((seen.sum(axis=0), marked.sum(axis=0), hits))
    if quantity == MARKED_SHARE:
        panel = (sides[0][0] > 0) & (sides[1][0] > 0) & probes
        old, new = (marked / np.maximum(seen, 1) for seen, marked, _ in sides)
        return np.where(panel, new - old, 0.0) / np.count_nonzero(panel)
    panel = (sides[0][1] > 0) & (sides[1][1] > 0) & probes
    old, new = (np.where(panel, hits / np.maximum(n, 1), 0.0) for _, n, hits in sides)
    n = np.bincount(STEREOTYPE[panel], minlength=STEREOTYPES)
    weight = np.where(np.arange(STEREOTYPES) < WOMEN, 1 / WOMEN, 1 / (STEREOTYPES - WOMEN))
    if quantity == F_M:
        slopes = weight / 2 / n
    elif quantity == F_S:
        slopes = np.where(np.arange(STEREOTYPES) < WOMEN, -weight, weight) / n
    else:
        slopes = _chords(old, new, n) * weight / (n + 1)
    return (new - old) * slopes[STEREOTYPE]


def _chords(old: np.ndarray, new: np.ndarray, n: np.ndarray) -> np.ndarray:
    """(16,): signed slope of the logit of p_f or p_m between its two values."""
    ends = [(np.bincount(STEREOTYPE, side) + 0.5) / (n + 1) for side in (old, new)]
    slopes = np.empty(STEREOTYPES)
    for part, sign in ((slice(WOMEN), -1), (slice(WOMEN, None), 1)):
        one, two = (float(end[part].mean()) for end in ends)
        middle = (one + two) / 2
        chord = (logit(two) - logit(one)) / (two - one) if abs(two - one) > 1e-9 else (
            1 / (middle * (1 - middle)))  # fmt: skip
        slopes[part] = sign * chord
    return slopes


def level_change(
    year: Year, system: int, quantity: int, before: Sequence[int], since: Sequence[int]
) -> float:
    """What the expected f_s or f_m changes by between some ticks.

    Noise brings every expected rate nearer to one half: by the share of answers off their level.
    """
    marked = year.marked[system, 0, 0]
    n = _counts(marked)
    of_tick = [
        [_levels(_counts(year.level[system, at] & marked), n)[quantity] for at in ticks]
        for ticks in (before, since)
    ]
    change = np.mean(of_tick[1]) - np.mean(of_tick[0])
    return float(change * (1 - 2 * share_off(DIFFERENT)))
