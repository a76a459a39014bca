"""Simulated years and single changes, one worker process at a time: noise in, p values out."""

import zlib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from bench import _detection_answers as answers
from bench import _detection_charts as charts
from bench import _detection_tests as tests
from bench._detection_answers import TICKS, Noise
from monitor.stats.noise import LEAST

#: Shares of the questions that are asked again a day later.
ASKED_AGAIN = (0.1, 1.0)


@dataclass
class Years:
    """p values (years, systems, ticks, 4).

    `floors`: with the floor of noise, by the share of questions asked again. `refuted`: asked
    again, it was not there, against the tick before last; `refuted_shared`, against the tick
    before, which the finding shares.
    """

    p: np.ndarray
    unpaired: np.ndarray
    refuted: np.ndarray
    refuted_shared: np.ndarray
    floors: dict[float, np.ndarray]
    values: np.ndarray  # (years, systems, 53, 4)


def _rng(noise: Noise, seed: int) -> np.random.Generator:
    return np.random.default_rng([zlib.crc32(noise.name.encode()), seed])


def _system(noise: Noise, real, rng):
    return answers.resampled(real, rng) if noise.real else answers.synthetic(noise, rng)


def a_year(noise: Noise, systems: int, real, with_floors: bool, seed: int) -> Years:
    rng = _rng(noise, seed)
    shape = (systems, TICKS, 4)
    p, unpaired, values = np.ones(shape), np.ones(shape), np.zeros((systems, TICKS + 1, 4))
    refuted, shared = np.zeros(shape, bool), np.zeros(shape, bool)
    floors = {share: np.zeros(shape) for share in ASKED_AGAIN}
    for number in range(systems):
        found = answers.year(_system(noise, real, rng), noise, rng)
        step = tests.steps(found)
        value, variance = tests.values(found)
        p[number], values[number] = step.p, value
        unpaired[number] = tests.unpaired(value, variance)
        spots = np.argwhere(step.p <= tests.SMALL)
        if len(spots):
            refuted[number] = _refuted(found, step, spots, 1)
            shared[number] = _refuted(found, step, spots, 0)
        for share, noisy in floors.items():
            noisy[number] = step.p
            late = [spot for spot in spots if spot[0] + 1 >= LEAST]
            if not with_floors or not late:
                continue
            quiet = tests.noise_of_days(found, share, rng)
            for t, k in late:
                against = tests.against_noise(quiet, t + 1, k, step.n[t, k], step.delta[t, k])
                noisy[number, t, k] = max(step.p[t, k], against)
    return Years(p, unpaired, refuted, shared, floors, values)


def _refuted(found, step, spots, earlier: int):
    ticks = np.unique(spots[:, 0])
    gone = is_refuted(tests.confirming(found, ticks, earlier), step.delta[ticks])
    refuted = np.zeros(step.p.shape, bool)
    refuted[ticks] = gone
    return refuted & (step.p <= tests.SMALL)


def is_refuted(again, delta):
    """(steps, 4) whether what was found is not there when it is asked again."""
    return (again.delta * delta <= 0) | (again.p > 0.05)


def years(
    pool: ProcessPoolExecutor, noise: Noise, number: int, systems: int, real, floors: bool = False
) -> Years:
    """So many independent years."""
    one = partial(a_year, noise, systems, real, floors)
    made = list(pool.map(one, range(number)))
    stacked = {
        name: np.stack([getattr(one, name) for one in made])
        for name in ("p", "unpaired", "refuted", "refuted_shared", "values")
    }
    by_share = {share: np.stack([one.floors[share] for one in made]) for share in ASKED_AGAIN}
    return Years(**stacked, floors=by_share)


# --- changes --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """A true change of a system, and which of the primaries it is looked for in."""

    quantity: str
    size: float
    probes: int = answers.PROBES
    clusters: bool = False

    @property
    def watched(self) -> int:
        return 1 if self.quantity == "f_m" else 0

    @property
    def truth(self) -> Sequence[int]:
        """For each primary 1 where it changes, 0 where not, -1 where it does by the way."""
        return {"f_s": (1, 0, 0, 1), "f_m": (0, 1, 0, -1), "p_i": (1, -1, 0, -1)}[self.quantity]


@dataclass
class Changed:
    """p of a step with a true change in it, in so many systems.

    `refuted`: asked again it was not there. `floors` by the share asked again and the A/A ticks,
    (systems,).
    """

    p: np.ndarray  # (systems, 4)
    unpaired: np.ndarray
    stereotypes: np.ndarray  # (systems, 16)
    refuted: np.ndarray  # (systems, 4)
    floors: dict[tuple[float, int], np.ndarray]


def changed(effect: Effect, noise: Noise, number: int, *, floors: bool) -> Changed:
    rng = _rng(noise, 1_000_000)
    p, unpaired = np.ones((number, 4)), np.ones((number, 4))
    stereotypes, refuted = np.ones((number, 16)), np.zeros((number, 4), bool)
    against = {
        (share, ticks): np.zeros(number) for share in ASKED_AGAIN for ticks in (LEAST, TICKS - 1)
    }
    for one in range(number):
        system = answers.synthetic(noise, rng, effect.probes)
        rows = answers.turned(system, effect.quantity, effect.size, rng)
        found = answers.year(system, noise, rng, (2, rows), ticks=2)
        step, again = tests.steps(found), tests.confirming(found, [1])
        p[one], unpaired[one] = step.p[1], tests.unpaired(*tests.values(found))[1]
        refuted[one] = is_refuted(again, step.delta[1:])[0]
        stereotypes[one] = tests.of_stereotypes(
            system, found.active, found.answers[1:2], found.answers[2:]
        )[0]
        if floors:
            before = answers.year(system, noise, rng)
            quiet = {share: tests.noise_of_days(before, share, rng) for share in ASKED_AGAIN}
            for (share, ticks), found_p in against.items():
                found_p[one] = tests.against_noise(
                    quiet[share], ticks, effect.watched,
                    step.n[1, effect.watched], step.delta[1, effect.watched],
                )  # fmt: skip
    return Changed(p, unpaired, stereotypes, refuted, against)


def returned(effect: Effect, noise: Noise, stays: bool, number: int):
    """(changes, 2) p of a change that lasts one tick and of its return, and whether each is there.

    `stays`: it is there still when it is asked again, and has gone at the next tick. What asks the
    return again is held against what asked the change again, as there is such a run.
    """
    rng = _rng(noise, 3_000_000)
    p, there = np.ones((number, 2)), np.zeros((number, 2), bool)
    for one in range(number):
        system = answers.synthetic(noise, rng, effect.probes)
        rows = answers.turned(system, effect.quantity, effect.size, rng)
        found = answers.year(system, noise, rng, (2, rows), ticks=3)
        at = np.searchsorted(found.active, rows)
        for side in (found.answers[3:], found.again[2 + stays :]):
            side[:, at] = np.where(side[:, at] >= 0, 1 - side[:, at], side[:, at])
        step, which = tests.steps(found), effect.watched
        gone = tests.confirming(found, [1])
        back = tests.compared(
            system, found.active, found.still(), found.again[2:3], found.again[3:]
        )
        p[one] = step.p[1:, which]
        there[one] = [
            not is_refuted(again, step.delta[row])[0, which]
            for row, again in ((1, gone), (2, back))
        ]
    return p, there


def series_of(effect: Effect | None, noise: Noise, at: int, seed: int):
    """(steps, values) of one system over a year, which changes at a tick where there is an effect.

    The steps are those of f_s, f_m and the marked share.
    """
    rng = _rng(noise, 2_000_000 + seed)
    system = answers.synthetic(noise, rng)
    rows = answers.turned(system, effect.quantity, effect.size, rng) if effect else None
    found = answers.year(system, noise, rng, None if rows is None else (at, rows))
    step, (values, _) = tests.steps(found), tests.values(found)
    clusters = int(step.n[0, 0])
    return [charts.steps_of(step, float(values[0, k]), k, clusters) for k in range(3)], values
