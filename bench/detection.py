"""Change detection on simulated years whose truth is known: false alarms, and what is found.

    python bench/detection.py [--quick] [--years 100] [--processes 2]

128 systems of 3,000 sentences each, four primaries a system, 52 weekly steps. Noise is resampled
from two real implementations of one neural model, or made with 2 % of other answers between two
ticks; changes are put in by hand. Tests are those of `masculine_rate`, compared with the measure
itself in the run; decisions are those of `findings`, floors those of `noise`. Other rules, an
unpaired test and a control chart decide on the same answers. Years are independent of each other;
seeds are fixed.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench import _detection_answers as answers
from bench import _detection_rules as rules
from bench import _detection_tests as tests
from bench._detection_answers import TICKS, Noise
from bench._detection_power import WITH_FLOORS, Background, power
from bench._detection_said import row, share
from bench._detection_whole import odd, whole_series
from bench._detection_years import Changed, Effect, Years, changed, years
from bench._size import size
from monitor.stats.power import false_alarms

SYSTEMS = size(128, 8)
APART = Noise("2 % by themselves")
CLUSTERS = Noise("2 % by themselves, sub-stereotypes of 8", clusters=True)
TOGETHER = Noise("2 %, sub-stereotypes of 8 flip together", shared="cluster", clusters=True)
REAL = Noise("two real implementations", real=True)
REAL_RUNS = Noise("two real implementations, whole runs", shared="tick", real=True)
MIX = Noise("another mix of servers at each run", push=0.6, shared="mix")
DRIFT = Noise("a mix of servers that drifts", push=0.75, shared="drift")
#: Noise, and the part of the years that is simulated of it.
QUIET = ((APART, 1.0), (CLUSTERS, 0.4), (TOGETHER, 0.3), (REAL, 0.4))
SHARED = ((REAL_RUNS, 0.04), (MIX, 0.01), (DRIFT, 0.08))
EFFECTS = (
    Effect("f_s", 0.03), Effect("f_s", 0.05), Effect("f_s", 0.1), Effect("f_m", 0.03),
    Effect("f_s", 0.05, clusters=True), Effect("f_m", 0.03, clusters=True),
    Effect("p_i", 0.1), Effect("p_i", 0.2),
)  # fmt: skip
#: Changes elsewhere: so many systems, each at a tick of its own, or all at one.
ELSEWHERE, UPDATE_DAY = 26, 64
FALSE_BAR = 0.05


def _tally(rule, p, left_out=None, truth=None) -> rules.Tally:
    found_in = rules.Tally.of(len(p), TICKS)
    for number, one in enumerate(p):
        found = rules.applied(rule, one)
        if left_out is not None:
            found = [at for at in found if not left_out[number][at[1], at[0], at[2]]]
        found_in.add(number, found, None if truth is None else truth[number])
    return found_in


def _say(what: str, found: rules.Tally, is_bar: bool = False) -> None:
    per_look = found.per_look
    mean, worst = float(per_look.mean()), float(per_look.max())
    row(
        f"  {what}", f"per look {mean:.2%}, worst {worst:.1%}",
        f"years with a false alarm {share(*found.years_with)}",
        f"<= {FALSE_BAR:.0%} a look" if is_bar else "", worst <= FALSE_BAR if is_bar else None,
    )  # fmt: skip


# --- quiet years ----------------------------------------------------------------------------------


def quiet(made: dict[Noise, Years]) -> None:
    print(f"\nQuiet years, {SYSTEMS * 4} series: nothing changes")
    for noise, found in made.items():
        print(f" {noise.name}, {len(found.p)} years")
        rules.same_as_product(found.p[0])
        for name, rule in rules.RULES.items():
            if noise is not APART and name not in (rules.PRODUCT, rules.NO_LEDGER):
                continue
            _say(name, _tally(rule, found.p), is_bar=name == rules.PRODUCT)
            if name in (rules.PRODUCT, rules.NO_LEDGER):
                _say("  and asked again", _tally(rule, found.p, found.refuted))
        _say("unpaired test, LORD++ over ticks", _tally(rules.product, found.unpaired))
        _again(found)
    row("  in theory, years with a false alarm: weekly", f"{false_alarms(TICKS):.1%}",
        f"daily {false_alarms(365):.1%}; without a ledger {1 - 0.95**TICKS:.1%}")  # fmt: skip
    _dependent(made[APART])


def _again(found: Years) -> None:
    """How many quiet differences are there again."""
    some = found.p <= 0.001
    some[:, :, 0] = False  # no tick lies before the last then
    number = int(some.sum())
    still = [number - int(gone[some].sum()) for gone in (found.refuted, found.refuted_shared)]
    row(
        f"  p <= 0.001 ({number}): there again", share(still[0], max(number, 1)),
        f"against the tick before {share(still[1], max(number, 1))}",
    )  # fmt: skip


def _dependent(found: Years) -> None:
    """Steps of one series share the answers of a tick."""
    made = np.diff(found.values[:20], axis=2)
    found_in = [
        np.corrcoef(made[:, :, :-1, which].ravel(), made[:, :, 1:, which].ravel())[0, 1]
        for which in range(len(tests.QUANTITIES))
    ]
    row("  correlation of a step with the next one", " ".join(f"{one:+.2f}" for one in found_in))


# --- changes elsewhere ----------------------------------------------------------------------------


def elsewhere(found: Years, moved: dict[Effect, Changed], rng: np.random.Generator) -> None:
    print("\nTrue changes elsewhere; false are findings in series that did not change")
    plans = (
        (f"{ELSEWHERE} systems change f_s by 0.10 at ticks of their own", Effect("f_s", 0.1),
         lambda: [(s, int(rng.integers(TICKS))) for s in rng.permutation(SYSTEMS)[:ELSEWHERE]]),
        (f"{UPDATE_DAY} systems change f_s by 0.05 at tick 20", Effect("f_s", 0.05),
         lambda: [(s, 19) for s in rng.permutation(SYSTEMS)[:UPDATE_DAY]]),
    )  # fmt: skip
    for what, effect, drawn in plans:
        p, refuted = found.p.copy(), found.refuted.copy()
        truth = np.zeros(p.shape, np.int8)
        for number in range(len(p)):
            for system, t in drawn():
                one = int(rng.integers(len(moved[effect].p)))
                p[number, system, t] = moved[effect].p[one]
                refuted[number, system, t] = moved[effect].refuted[one]
                truth[number, system, t] = effect.truth
        print(f" {what}, {len(p)} years")
        for name, rule in rules.RULES.items():
            if name == "no correction":
                continue
            told = _tally(rule, p, truth=truth)
            _say(name, told, is_bar=name == rules.PRODUCT)
            row("    true changes found", f"{told.hits / told.there:.1%}")
        _say("the product, asked again", _tally(rules.product, p, refuted, truth), is_bar=True)


# --- shared noise ---------------------------------------------------------------------------------


def shared(made: dict[Noise, Years]) -> None:
    print("\nQuiet years whose noise all sentences of a system share; floors from 9 ticks on")
    for noise, found in made.items():
        print(f" {noise.name}, {len(found.p)} years")
        _say("no floor", _tally(rules.product, _late(found.p)))
        _say("  and asked again", _tally(rules.product, _late(found.p), found.refuted))
        for asked, noisy in found.floors.items():
            _say(f"  floor, A/A on {asked:.0%}", _tally(rules.product, _late(noisy)))


def _late(p):
    """Steps before which there are 8 A/A ticks."""
    late = p.copy()
    late[:, :, :7] = 1.0
    return late


# --- all ------------------------------------------------------------------------------------------


def _checked(real) -> None:
    """The arrays say what the measure says, on units."""
    compared = 0
    for noise in (APART, CLUSTERS, REAL):
        rng = np.random.default_rng(11)
        system = answers.resampled(real, rng) if noise.real else answers.synthetic(noise, rng)
        rows = answers.turned(system, "f_s", 0.05, rng)
        found = answers.year(system, noise, rng, (3, rows), ticks=4)
        compared += sum(tests.agrees(found, tick) for tick in (2, 3))
    row("numbers equal to those of measure.paired", f"{compared}")


def _said_of(real) -> None:
    one, two = real
    differ = one != two
    flips = (differ & (one >= 0) & (two >= 0)).mean()
    row("sentences of the shipped list", f"{len(one)}")
    row("read differently of two implementations of one model",
        f"{differ.sum()}: {differ.mean():.1%}", f"{flips:.1%} change the gender; halved between "
        "two ticks at random")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few years: one minute")
    parser.add_argument("--years", type=int, default=100)
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    number = 12 if chosen.quick else chosen.years
    times = size(40 if chosen.quick else 300, 4)
    started = time.perf_counter()
    real = answers.two_implementations()
    _said_of(real)
    _checked(real)
    with ProcessPoolExecutor(chosen.processes) as pool:
        tasks = {
            one: pool.submit(
                changed, one, CLUSTERS if one.clusters else APART, times, floors=one in WITH_FLOORS
            )
            for one in EFFECTS
        }
        made = {
            noise: years(pool, noise, max(2, round(part * number)), SYSTEMS, real)
            for noise, part in QUIET
        }
        moved = {one: task.result() for one, task in tasks.items()}
        quiet(made)
        elsewhere(made[APART], moved, np.random.default_rng(12))
        power(Background(made[APART]), moved)
        odd(pool, APART, times)
        whole_series(pool, APART, made[APART], times // 2)
        shared(
            {
                noise: years(pool, noise, max(1, round(part * number)), SYSTEMS, real, floors=True)
                for noise, part in SHARED
                if not chosen.quick or noise is not MIX
            }
        )
    row("\ntime", f"{time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
