"""Change detection on simulated years whose truth is known: false alarms, and what is found.

    python bench/detection.py [--quick] [--years 200] [--processes 2]

128 systems of 3,000 sentences each, four primaries a system, 52 weekly steps. Noise is resampled
from two real implementations of one neural model, or made with 2 % of other answers between two
ticks; changes are put in by hand. Tests are those of `masculine_rate`, compared with the measure
itself in the run; decisions are those of `findings`. Other rules, an unpaired test and control
charts decide on the same answers. Years are independent of each other; seeds are fixed.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench import _detection_answers as answers
from bench import _detection_charts as charts
from bench import _detection_rules as rules
from bench import _detection_tests as tests
from bench._detection_answers import TICKS, Noise
from bench._detection_years import (
    Changed,
    Effect,
    Years,
    changed,
    series_of,
    years,
)
from monitor.change import ChangeKind
from monitor.stats.chance import benjamini_hochberg
from monitor.stats.discovery import e_lond, gamma, lord
from monitor.stats.evalues import from_p
from monitor.stats.intervals import wilson

SYSTEMS = 128
APART = Noise("2 % by themselves")
CLUSTERS = Noise("2 % by themselves, sub-stereotypes of 8", clusters=True)
TOGETHER = Noise("2 %, sub-stereotypes of 8 flip together", shared="cluster", clusters=True)
REAL = Noise("two real implementations", real=True)
REAL_RUNS = Noise("two real implementations, whole runs", shared="tick", real=True)
MIX = Noise("another mix of servers at each run", push=0.6, shared="mix")
DRIFT = Noise("a mix of servers that drifts", push=0.75, shared="drift")
#: Noise, and the part of the years that is simulated of it.
QUIET = ((APART, 1.0), (CLUSTERS, 0.3), (TOGETHER, 0.2), (REAL, 0.4))
SHARED = ((REAL_RUNS, 0.03), (MIX, 0.01), (DRIFT, 0.06))
EFFECTS = (
    Effect("f_s", 0.03), Effect("f_s", 0.05), Effect("f_s", 0.05, 3_200), Effect("f_s", 0.1),
    Effect("f_m", 0.03), Effect("f_m", 0.05), Effect("f_s", 0.05, clusters=True),
    Effect("f_m", 0.03, clusters=True), Effect("p_i", 0.1), Effect("p_i", 0.2),
)  # fmt: skip
WITH_FLOORS = EFFECTS[0], EFFECTS[1], EFFECTS[4]
AT = (1, 13, 26, 52)
#: Changes elsewhere: so many systems, each at a tick of its own, or all at one.
ELSEWHERE, UPDATE_DAY = 26, 64
FALSE_BAR, POWER_BAR = 0.05, 0.9
BARS = {("f_m", 0.03): POWER_BAR, ("f_s", 0.05): POWER_BAR}


def row(what: str, ours: str, beside: str = "", bar: str = "", met: object = None) -> None:
    said = "" if met is None else "met" if met else "MISSED"
    print(f"{what:<62}{ours:>26}  {beside:<44}{bar:<16}{said}".rstrip(), flush=True)


def share(hits: int, n: int) -> str:
    """`3 of 200: 1.5 % [0.5, 4.3]`."""
    limits = wilson(float(hits), float(n))
    return f"{hits / n:.1%} [{float(limits.low):.1%}, {float(limits.high):.1%}]"


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
    worst = float(per_look.max())
    looks = f"per look {per_look.mean():.2%}, worst {worst:.1%}"
    row(
        f"  {what}", looks, f"years with a false alarm {share(*found.years_with)}",
        f"<= {FALSE_BAR:.0%} a look" if is_bar else "", worst <= FALSE_BAR if is_bar else None,
    )  # fmt: skip


# --- quiet years ----------------------------------------------------------------------------------


def quiet(made: dict[Noise, Years]) -> None:
    print(f"\nQuiet years, {SYSTEMS * 4} series: nothing changes")
    for noise, found in made.items():
        print(f" {noise.name}, {len(found.p)} years")
        for one in found.p[: 2 if noise is APART else 1]:
            rules.same_as_product(one)
        for name, rule in rules.RULES.items():
            if noise is not APART and name not in _SHORT:
                continue
            _say(name, _tally(rule, found.p), is_bar=name == rules.PRODUCT)
            if name in _SHORT:
                _say("  and asked again", _tally(rule, found.p, found.refuted))
                again = _tally(rule, found.p, found.refuted_apart)
                _say("  and asked again, against the tick before last", again)
        _say("unpaired test, LORD++ over ticks", _tally(rules.product, found.unpaired))
    found = made[APART]
    small = found.p[:, :10]
    print(" 40 of these series, as many years")
    _say("no ledger: all series by BH", _tally(rules.flat, small))
    row("    of independent tests", f"{1 - 0.95**TICKS:.1%}")
    _say(rules.PRODUCT, _tally(rules.product, small), is_bar=True)
    _again(made)
    _dependent(found)


_SHORT = (rules.PRODUCT, "no ledger: all series by BH")


def _again(made: dict[Noise, Years]) -> None:
    """How many quiet differences are there again."""
    for noise, found in made.items():
        some = found.p <= 0.001
        some[:, :, 0] = False  # no tick lies before the last then
        number = int(some.sum())
        still = [number - int(gone[some].sum()) for gone in (found.refuted, found.refuted_apart)]
        row(
            f"  p <= 0.001 by {noise.name}: there again", share(still[0], max(number, 1)),
            f"against the tick before last {share(still[1], max(number, 1))}",
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


# --- power ----------------------------------------------------------------------------------------


def _level_rules(ticks) -> dict[str, np.ndarray]:
    told = ticks.tolist()
    return {
        rules.PRODUCT: np.array(lord(told, rules.ALPHA).levels),
        rules.EVENLY: rules.wealth_evenly(ticks),
        "LORD++, wealth alpha": np.array(lord(told, rules.ALPHA, rules.ALPHA).levels),
        "e-LOND over ticks": np.array(e_lond([from_p(one) for one in told], rules.ALPHA).levels),
        "no ledger: families, then series": np.full(len(ticks), rules.ALPHA),
    }


class Background:
    """Quiet years into which a change is put, at a tick."""

    def __init__(self, found: Years) -> None:
        self.p = found.p
        self.families = [rules.of_families(one) for one in found.p]
        self.levels = [_level_rules(rules.of_ticks(one)) for one in self.families]

    def hits(self, name: str, p, tick: int, which: int, stereotypes=None) -> int:
        """In how many of the changed systems (n, 4) the rule finds it; of p_i by `stereotypes`."""
        return sum(
            self._is_found(name, one, number, tick, which, stereotypes)
            for number, one in enumerate(p)
        )

    def _is_found(self, name, one, number, tick, which, stereotypes) -> bool:
        year, t = number % len(self.p), tick - 1
        families = self.families[year][:, t].copy()
        families[0] = rules.of_families(one)
        p, level = float(rules.of_families(families)), self.levels[year][name][t]
        is_told = from_p(p) * level >= 1 if name.startswith("e-LOND") else p <= level
        if not is_told:
            return False
        table = self.p[year][:, t].copy()
        table[0] = one
        beside = None if stereotypes is None else {0: stereotypes[number]}
        return (0, which) in rules.selected(table, level, beside)


def power(back: Background, moved: dict[Effect, Changed]) -> None:
    print("\nPower: one system of 128 changes at a tick, and nothing was found before")
    for effect, found in moved.items():
        is_single = effect.quantity == "p_i"
        # The fourth stereotype follows the four primaries.
        which = 4 + 3 if is_single else effect.watched
        beside = found.stereotypes if is_single else None
        n = len(found.p)
        beside_each = ", sub-stereotypes of 8" if effect.clusters else ""
        print(f" {effect.quantity} by {effect.size:.2f}, {effect.probes:,} sentences{beside_each}")
        single = found.stereotypes[:, 3] if is_single else found.p[:, effect.watched]
        row("  one test at 5 %, paired", share(int((single <= 0.05).sum()), n))
        for name in back.levels[0]:
            for tick in AT if name in _OVER_TIME else (26,):
                hits = back.hits(name, found.p, tick, which, beside)
                bar = BARS.get((effect.quantity, effect.size)) if name == rules.PRODUCT else None
                said = f">= {bar:.0%}" if bar else ""
                row(f"  {name}, tick {tick}", share(hits, n), "", said, bar and hits / n >= bar)
        if not is_single:
            _other_ways(back, effect, found)


_OVER_TIME = (rules.PRODUCT, rules.EVENLY)


def _other_ways(back: Background, effect: Effect, found: Changed) -> None:
    n, which = len(found.p), effect.watched
    flat = sum(_by_flat(back, one, number, which) for number, one in enumerate(found.p))
    row("  no ledger: all series by BH", share(flat, n))
    level = rules.ALPHA / 2 * gamma(26)
    own = sum(bool(benjamini_hochberg(one)[which] <= level) for one in found.p)
    row("  LORD++ for each family, tick 26", share(own, n))
    at = 25 * SYSTEMS * 4 + SYSTEMS * 2  # in the middle of the tick
    single = int((found.p[:, which] <= rules.ALPHA / 2 * gamma(at)).sum())
    row("  LORD++ over series in a row, tick 26", share(single, n))
    hits = back.hits(rules.PRODUCT, found.unpaired, 26, which)
    alone = int((found.unpaired[:, which] <= 0.05).sum())
    row("  unpaired test, LORD++ over ticks, tick 26", share(hits, n),
        f"one test at 5 % {share(alone, n)}")  # fmt: skip
    row("  asked again, it is there", share(int((~found.refuted[:, which]).sum()), n))
    if effect in WITH_FLOORS:
        _with_floors(back, found, which)


def _with_floors(back: Background, found: Changed, which: int) -> None:
    for (asked, ticks), (always, shown) in found.floors.items():
        gate = np.where(always <= 0.05, 0.0, 1.0)
        for what, noisy in (
            ("", always),
            (", where it is shown", shown),
            (" as a gate at 5 %", gate),
        ):
            hits = back.hits(rules.PRODUCT, np.maximum(found.p, noisy[:, None]), 26, which)
            told = f"  floor of {ticks} A/A ticks on {asked:.0%}{what}, tick 26"
            row(told, share(hits, len(found.p)))


def _by_flat(back: Background, one, number: int, which: int) -> bool:
    table = back.p[number % len(back.p)][:, 25].copy()
    table[0] = one
    return bool(benjamini_hochberg(table.ravel())[which] <= rules.ALPHA)


# --- shared noise ---------------------------------------------------------------------------------


def shared(made: dict[Noise, Years]) -> None:
    print("\nQuiet years whose noise all sentences of a system share; with a floor from tick 9 on")
    for noise, found in made.items():
        print(f" {noise.name}, {len(found.p)} years")
        _say(rules.PRODUCT, _tally(rules.product, found.p))
        _say("  and asked again", _tally(rules.product, found.p, found.refuted))
        for asked, (always, shown) in found.floors.items():
            gate = np.where(always <= 0.05, found.p, 1.0)
            _say(f"  floor, A/A on {asked:.0%}", _after(always))
            _say(f"  floor, A/A on {asked:.0%}, where it is shown", _after(shown))
            _say(f"  floor, A/A on {asked:.0%} as a gate at 5 %", _after(gate))


def _after(p) -> rules.Tally:
    """Ticks from the ninth on, before which there is no floor."""
    late = p.copy()
    late[:, :, :8] = 1.0
    return _tally(rules.product, late)


# --- whole series ---------------------------------------------------------------------------------

_CHARTS = {
    "Shewhart, 3 standard deviations": charts.shewhart,
    "Shewhart, 4.88 standard deviations": partial(charts.shewhart, limit=charts.CORRECTED),
    "EWMA of values, deviation of 8 ticks": charts.by_ewma,
}
_BACK = {
    "EWMA of steps (the product)": charts.seen(ChangeKind.DRIFT),
    "PELT of steps (the product)": charts.seen(ChangeKind.SHIFT),
}
_CHANGES_AT = 26


def whole_series(pool: ProcessPoolExecutor, found: Years, number: int) -> None:
    print("\nWhole series, each for itself; charts have a target of 8 ticks")
    some = found.values[: max(2, number // 10)]
    for name, chart in _CHARTS.items():
        outside = np.array(
            [[[len(chart(one)) > 0 for one in system.T] for system in year] for year in some]
        )
        of_years = int(outside.any(axis=(1, 2)).sum())
        _quiet_series(name, outside, f"years with any {share(of_years, len(some))}")
    made = list(pool.map(partial(series_of, None, APART, 0), range(number * 2)))
    for name, back in _BACK.items():
        outside = np.array([[len(back(one)) > 0 for one in steps] for steps, _ in made])
        _quiet_series(name, outside, "")
    for effect in (Effect("f_s", 0.03), Effect("f_s", 0.05), Effect("f_m", 0.03)):
        made = list(pool.map(partial(series_of, effect, APART, _CHANGES_AT), range(number)))
        _delays_of(effect, made)


def _quiet_series(name: str, outside, beside: str) -> None:
    hits, n = int(outside.sum()), outside.size
    row(f"  {name}", share(hits, n), f"of quiet series signal in a year; {beside}".rstrip("; "))


def _delays_of(effect: Effect, made) -> None:
    at, which = _CHANGES_AT, effect.watched
    print(f" {effect.quantity} changes by {effect.size} at tick {at}, {len(made)} times")
    for name, chart in _CHARTS.items():
        _delays(name, [charts.first_at_or_after(chart(value[:, which]), at) for _, value in made])
    drifts = _BACK["EWMA of steps (the product)"]
    found = [charts.first_at_or_after(drifts(steps[which]), at) for steps, _ in made]
    _delays("EWMA of steps (the product)", found)
    shifts = [charts.shift_delay(steps[which], at) for steps, _ in made]
    _delays("PELT of steps (the product), week by week", [one for _, one in shifts])
    near = sum(is_near for is_near, _ in shifts)
    row("    at the end of the year, within a tick", share(near, len(made)))


def _delays(what: str, delays: list[int | None]) -> None:
    known = sorted(one for one in delays if one is not None)
    median = f"median delay {known[len(known) // 2]} ticks" if known else "never"
    at_once, soon = (sum(one <= most for one in known) / len(delays) for most in (0, 3))
    row(f"  {what}", f"at the tick {at_once:.0%}", f"{median}, within 4 {soon:.0%}")


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
    parser.add_argument("--years", type=int, default=200)
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    number = 12 if chosen.quick else chosen.years
    times = 40 if chosen.quick else 300
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
        whole_series(pool, made[APART], times // 2)
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
