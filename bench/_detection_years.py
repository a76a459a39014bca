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

#: Shares of the questions that are asked again a day later.
ASKED_AGAIN = (0.1, 1.0)
_LEAST = 8


@dataclass
class Years:
    """p values (years, systems, ticks, 4) by several ways to them.

    `floors` by share asked again: with the floor of noise, and with it only where it is shown.
    `refuted`: asked again, it was not there, against the tick before; `refuted_apart`, against the
    one before that, which the finding did not rest on.
    """

    p: np.ndarray
    unpaired: np.ndarray
    refuted: np.ndarray
    refuted_apart: np.ndarray
    floors: dict[float, tuple[np.ndarray, np.ndarray]]
    values: np.ndarray  # (years, systems, 53, 4)


def _rng(noise: Noise, seed: int) -> np.random.Generator:
    return np.random.default_rng([zlib.crc32(noise.name.encode()), seed])


def _system(noise: Noise, real, rng):
    return answers.resampled(real, rng) if noise.real else answers.synthetic(noise, rng)


def a_year(noise: Noise, systems: int, real, with_floors: bool, seed: int) -> Years:
    rng = _rng(noise, seed)
    shape = (systems, TICKS, 4)
    p, unpaired, values = np.ones(shape), np.ones(shape), np.zeros((systems, TICKS + 1, 4))
    refuted, apart = np.zeros(shape, bool), np.zeros(shape, bool)
    floors = {share: (np.zeros(shape), np.zeros(shape)) for share in ASKED_AGAIN}
    for number in range(systems):
        found = answers.year(_system(noise, real, rng), noise, rng)
        step = tests.steps(found)
        value, variance = tests.values(found)
        p[number], values[number] = step.p, value
        unpaired[number] = tests.unpaired(value, variance)
        spots = np.argwhere(step.p <= tests.SMALL)
        if len(spots):
            refuted[number] = _refuted(found, step, spots, 0)
            apart[number] = _refuted(found, step, spots, 1)
        for share, (always, shown) in floors.items():
            always[number], shown[number] = step.p, step.p
            late = [spot for spot in spots if spot[0] + 1 >= _LEAST]
            if not with_floors or not late:
                continue
            quiet = tests.noise_of_days(found, share, rng)
            for t, k in late:
                noisy = tests.against_noise(quiet, t + 1, k, step.n[t, k], step.delta[t, k])
                always[number, t, k] = max(step.p[t, k], noisy[0])
                shown[number, t, k] = max(step.p[t, k], noisy[1])
    return Years(p, unpaired, refuted, apart, floors, values)


def _refuted(found, step, spots, earlier: int):
    ticks = np.unique(spots[:, 0])
    again = tests.confirming(found, ticks, earlier)
    refuted = np.zeros(step.p.shape, bool)
    refuted[ticks] = (again.delta * step.delta[ticks] <= 0) | (again.p > 0.05)
    return refuted & (step.p <= tests.SMALL)


def years(
    pool: ProcessPoolExecutor, noise: Noise, number: int, systems: int, real, floors: bool = False
) -> Years:
    """So many independent years."""
    one = partial(a_year, noise, systems, real, floors)
    made = list(pool.map(one, range(number)))
    return Years(
        np.stack([one.p for one in made]),
        np.stack([one.unpaired for one in made]),
        np.stack([one.refuted for one in made]),
        np.stack([one.refuted_apart for one in made]),
        {
            share: tuple(np.stack([one.floors[share][k] for one in made]) for k in (0, 1))
            for share in ASKED_AGAIN
        },
        np.stack([one.values for one in made]),
    )


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
    """p of a step with a true change in it, in so many systems."""

    p: np.ndarray  # (systems, 4)
    unpaired: np.ndarray
    stereotypes: np.ndarray  # (systems, 16)
    refuted: np.ndarray  # (systems, 4)
    floors: dict[
        tuple[float, int], tuple[np.ndarray, np.ndarray]
    ]  # by share, A/A ticks: (systems,)


def changed(effect: Effect, noise: Noise, number: int, *, floors: bool) -> Changed:
    rng = _rng(noise, 1_000_000)
    p, unpaired = np.ones((number, 4)), np.ones((number, 4))
    stereotypes, refuted = np.ones((number, 16)), np.zeros((number, 4), bool)
    against = {
        (share, ticks): (np.zeros(number), np.zeros(number))
        for share in ASKED_AGAIN
        for ticks in (_LEAST, TICKS - 1)
    }
    for one in range(number):
        system = answers.synthetic(noise, rng, effect.probes)
        rows = answers.turned(system, effect.quantity, effect.size, rng)
        found = answers.year(system, noise, rng, (1, rows), ticks=1)
        step, again = tests.steps(found), tests.confirming(found, [0])
        p[one], unpaired[one] = step.p[0], tests.unpaired(*tests.values(found))[0]
        refuted[one] = (again.delta[0] * step.delta[0] <= 0) | (again.p[0] > 0.05)
        stereotypes[one] = tests.of_stereotypes(
            system, found.active, found.answers[:1], found.answers[1:]
        )[0]
        if floors:
            _against(against, one, system, noise, rng, (step, effect.watched))
    return Changed(p, unpaired, stereotypes, refuted, against)


def _against(against, one, system, noise, rng, watched) -> None:
    """How the change stands out from what the A/A ticks before it have shown."""
    step, which = watched
    before = answers.year(system, noise, rng)
    quiet = {share: tests.noise_of_days(before, share, rng) for share in ASKED_AGAIN}
    for (share, ticks), (always, shown) in against.items():
        always[one], shown[one] = tests.against_noise(
            quiet[share], ticks, which, step.n[0, which], step.delta[0, which]
        )


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
