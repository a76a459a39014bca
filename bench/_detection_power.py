"""How often a true change is found, by the product and in other ways: p values in, lines out."""

import numpy as np

from bench import _detection_rules as rules
from bench._detection_said import row, share
from bench._detection_years import Changed, Effect, Years
from monitor.stats.chance import benjamini_hochberg
from monitor.stats.discovery import e_lond, lord
from monitor.stats.evalues import from_p

AT = (1, 13, 26, 52)
BAR = 0.9
BARS = {Effect("f_m", 0.03), Effect("f_s", 0.05)}
WITH_FLOORS = BARS | {Effect("f_s", 0.03)}


class Background:
    """Quiet years into which a change is put, at a tick."""

    def __init__(self, found: Years) -> None:
        self.p = found.p
        self.families = [rules.of_families(one) for one in found.p]
        ticks = [rules.of_ticks(one).tolist() for one in self.families]
        self.levels = [lord(one, rules.ALPHA).levels for one in ticks]
        self.e_levels = [e_lond([from_p(p) for p in one], rules.ALPHA).levels for one in ticks]

    def hits(self, p, tick: int, which: int, stereotypes=None) -> int:
        """In how many of the changed systems (n, 4) it is found; of p_i by `stereotypes`."""
        return sum(
            (0, which) in self._found(one, number, tick, self.levels, stereotypes)
            for number, one in enumerate(p)
        )

    def e_hits(self, p, tick: int, which: int) -> int:
        return sum(
            (0, which) in self._found(one, number, tick, self.e_levels, is_e=True)
            for number, one in enumerate(p)
        )

    def _found(self, one, number, tick, levels, stereotypes=None, is_e=False):
        year, t = number % len(self.p), tick - 1
        families = self.families[year][:, t].copy()
        families[0] = rules.of_families(one)
        p, level = float(rules.of_families(families)), levels[year][t]
        if not (from_p(p) * level >= 1 if is_e else p <= level):
            return ()
        table = self.p[year][:, t].copy()
        table[0] = one
        beside = None if stereotypes is None else {0: stereotypes[number]}
        return rules.selected(table, level, beside)

    def flat(self, one, number: int) -> np.ndarray:
        """Of all series of tick 26 with one changed system, by Benjamini-Hochberg at 5 %."""
        table = self.p[number % len(self.p)][:, 25].copy()
        table[0] = one
        return benjamini_hochberg(table.ravel()) <= rules.ALPHA


def power(back: Background, moved: dict[Effect, Changed]) -> None:
    print("\nPower: one system of 128 changes at a tick, and nothing was found before")
    for effect, found in moved.items():
        is_single = effect.quantity == "p_i"
        # The fourth stereotype follows the four primaries.
        which = 4 + 3 if is_single else effect.watched
        beside = found.stereotypes if is_single else None
        n = len(found.p)
        each = ", sub-stereotypes of 8" if effect.clusters else ""
        print(f" {effect.quantity} by {effect.size:.2f}, {effect.probes:,} sentences{each}")
        single = found.stereotypes[:, 3] if is_single else found.p[:, effect.watched]
        for tick in AT:
            hits = back.hits(found.p, tick, which, beside)
            met = hits / n >= BAR if effect in BARS else None
            bar = "" if met is None else f">= {BAR:.0%}"
            row(f"  the product, tick {tick}", share(hits, n), "", bar, met)
        row("  without correction: one test at 5 %", share(int((single <= 0.05).sum()), n))
        if is_single:
            _single_without(back, found)
        else:
            _other_ways(back, effect, found)


def _single_without(back: Background, found: Changed) -> None:
    """A p_i among all series of a tick that has its 16 in each of 128 systems besides."""
    hits = 0
    for number, one in enumerate(found.p):
        table = back.p[number % len(back.p)][:, 25].copy()
        table[0] = one
        # Other p_i stand still: their p are those of a uniform law at worst.
        others = 16 * (back.p.shape[1] - 1)
        rest = (np.arange(others) + 0.5) / others
        every = np.concatenate([found.stereotypes[number], table.ravel(), rest])
        hits += bool(benjamini_hochberg(every)[3] <= rules.ALPHA)
    row("  no ledger: all series and p_i by BH", share(hits, len(found.p)))


def _other_ways(back: Background, effect: Effect, found: Changed) -> None:
    n, which = len(found.p), effect.watched
    flat = sum(bool(back.flat(one, number)[which]) for number, one in enumerate(found.p))
    row("  no ledger: all series by BH", share(flat, n))
    row("  e-LOND over ticks, tick 26", share(back.e_hits(found.p, 26, which), n))
    hits = back.hits(found.unpaired, 26, which)
    alone = int((found.unpaired[:, which] <= 0.05).sum())
    row("  unpaired test, LORD++ over ticks, tick 26", share(hits, n),
        f"one test at 5 % {share(alone, n)}")  # fmt: skip
    row("  asked again, it is there", share(int((~found.refuted[:, which]).sum()), n))
    if effect in WITH_FLOORS:
        for (asked, ticks), noisy in found.floors.items():
            hits = back.hits(np.maximum(found.p, noisy[:, None]), 26, which)
            row(f"  floor of {ticks} A/A ticks on {asked:.0%}, tick 26", share(hits, n))
