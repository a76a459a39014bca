"""What different rules make of the p values of a year: (systems, ticks, 4) in, findings out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench._detection_answers import TICKS
from bench._detection_tests import QUANTITIES
from monitor.change import Role
from monitor.stages import findings
from monitor.stages.findings import Candidate
from monitor.stats.chance import benjamini_hochberg
from monitor.stats.discovery import e_lond, gamma, inside_level, lord, simes
from monitor.stats.evalues import from_p

ALPHA = findings.ALPHA
#: (tick from 0, system, which quantity) of everything that is announced.
Found = list[tuple[int, int, int]]


def of_families(p):
    """(systems, ticks, 4) to Simes' p of each system at each tick."""
    ranks = np.arange(1, p.shape[-1] + 1)
    return (np.sort(p, axis=-1) * (p.shape[-1] / ranks)).min(axis=-1).clip(max=1.0)


def of_ticks(families):
    """(systems, ticks) to Simes' p of each tick: what `findings.look` says."""
    return of_families(families.T)


def candidates(p_of_tick, secondary=None):
    """Of one tick: (systems, 4) primaries and (system: p values) secondaries."""
    found = [
        Candidate(system * 100 + which, f"{system:03d}", Role.PRIMARY, float(p))
        for system, row in enumerate(p_of_tick)
        for which, p in enumerate(row)
    ]
    for system, row in (secondary or {}).items():
        found += [
            Candidate(system * 100 + 4 + number, f"{system:03d}", Role.SECONDARY, float(p))
            for number, p in enumerate(row)
        ]
    return found


def selected(p_of_tick, level, secondary=None):
    """(system, which) of a tick at a level, by the product's selection."""
    chosen, _ = findings.select(candidates(p_of_tick, secondary), level)
    return [divmod(one.series, 100) for one in chosen]


def same_as_product(p) -> None:
    """Assert that looks and levels here are those of `findings` for a year."""
    ticks = of_ticks(of_families(p))
    looks = [findings.look(candidates(p[:, t])) for t in range(p.shape[1])]
    assert np.allclose([one.p for one in looks], ticks, rtol=1e-12)
    assert findings.levels(looks) == list(lord(ticks.tolist(), ALPHA).levels)
    table = p[:, 0].ravel()
    assert abs(simes(table) - benjamini_hochberg(table).min()) < 1e-15


def spending(ticks, alpha, wealth, first, earnings=None):
    """LORD++ levels where `first` (ticks,) spends the wealth and `earnings` what discoveries earn.

    With `gamma` for both the same as `lord`. Each sequence sums to at most 1, which is all that the
    bound on the estimated false discovery proportion needs.
    """
    levels, hits = np.array(first) * wealth, 0
    later = np.array(first if earnings is None else earnings)
    for t, p in enumerate(ticks):
        if p <= levels[t]:
            hits += 1
            earned = alpha - wealth if hits == 1 else alpha
            levels[t + 1 :] += earned * later[: len(levels) - t - 1]
    return levels


def evenly(ticks):
    """Levels of a ledger that spends over 52 ticks alike, and nothing after them."""
    return spending(ticks, ALPHA, ALPHA / 2, [1 / TICKS] * len(ticks))


def wealth_evenly(ticks):
    """Levels of a ledger that spends its wealth over 52 ticks alike, and earnings as `lord`."""
    slowly = [gamma(j) for j in range(1, len(ticks) + 1)]
    return spending(ticks, ALPHA, ALPHA / 2, [1 / TICKS] * len(ticks), slowly)


# --- rules ----------------------------------------------------------------------------------------


def _by_levels(p, ticks, levels):
    return [
        (t, *one) for t in np.flatnonzero(ticks <= levels) for one in selected(p[:, t], levels[t])
    ]


def product(p, _families, ticks) -> Found:
    return _by_levels(p, ticks, np.array(lord(ticks.tolist(), ALPHA).levels))


def horizon(p, _families, ticks) -> Found:
    return _by_levels(p, ticks, evenly(ticks))


def first_evenly(p, _families, ticks) -> Found:
    return _by_levels(p, ticks, wealth_evenly(ticks))


def all_wealth(p, _families, ticks) -> Found:
    return _by_levels(p, ticks, np.array(lord(ticks.tolist(), ALPHA, ALPHA).levels))


def by_e_values(p, _families, ticks) -> Found:
    levels = e_lond([from_p(float(one)) for one in ticks], ALPHA)
    return [
        (t, *one)
        for t in np.flatnonzero(levels.rejected)
        for one in selected(p[:, t], levels.levels[t])
    ]


def no_ledger(p, _families, ticks) -> Found:
    """Each tick for itself: families, then series, at 5 %."""
    return _by_levels(p, ticks, np.full(len(ticks), ALPHA))


def flat(p, _families, _ticks) -> Found:
    """Each tick for itself: Benjamini-Hochberg over all series at 5 %."""
    found: Found = []
    for t in np.flatnonzero(p.min(axis=(0, 2)) <= ALPHA):
        q = benjamini_hochberg(p[:, t].ravel())
        found += [(t, *divmod(int(one), p.shape[2])) for one in np.flatnonzero(q <= ALPHA)]
    return found


def ledger_each(p, families, _ticks) -> Found:
    """A ledger for each system, its four series by Benjamini-Hochberg at its level."""
    found: Found = []
    for system in np.flatnonzero(families.min(axis=1) <= ALPHA * gamma(1)):
        ledger = lord(families[system].tolist(), ALPHA)
        for t in np.flatnonzero(ledger.rejected):
            q = benjamini_hochberg(p[system, t])
            found += [(t, system, int(one)) for one in np.flatnonzero(q <= ledger.levels[t])]
    return found


def stream(p, _families, _ticks) -> Found:
    """Every series of every tick a hypothesis of its own, in order."""
    rows = p.transpose(1, 0, 2).reshape(-1)
    ledger = lord(rows.tolist(), ALPHA)
    per_tick = p.shape[0] * p.shape[2]
    return [
        (int(at // per_tick), *divmod(int(at % per_tick), p.shape[2]))
        for at in np.flatnonzero(ledger.rejected)
    ]


def uncorrected(p, _families, _ticks) -> Found:
    return [(int(t), int(s), int(k)) for s, t, k in np.argwhere(p <= ALPHA)]


Rule = Callable[[np.ndarray, np.ndarray, np.ndarray], Found]
PRODUCT = "LORD++ over ticks (the product)"
EVENLY = "LORD++, wealth spent evenly over 52 ticks"
RULES: dict[str, Rule] = {
    PRODUCT: product,
    EVENLY: first_evenly,
    "LORD++, all spent evenly over 52 ticks": horizon,
    "LORD++, wealth alpha": all_wealth,
    "e-LOND over ticks": by_e_values,
    "LORD++ over series in a row": stream,
    "LORD++ for each family": ledger_each,
    "no ledger: families, then series": no_ledger,
    "no ledger: all series by BH": flat,
    "no correction": uncorrected,
}


def applied(rule: Rule, p) -> Found:
    families = of_families(p)
    return rule(p, families, of_ticks(families))


# --- what is counted ------------------------------------------------------------------------------


@dataclass
class Tally:
    """Of many years: false ones and all at each tick."""

    false: np.ndarray  # (years, ticks)
    every: np.ndarray
    hits: int = 0  # true changes found
    there: int = 0

    @classmethod
    def of(cls, years: int, ticks: int) -> "Tally":
        return cls(np.zeros((years, ticks), int), np.zeros((years, ticks), int))

    def add(self, year: int, found: Found, truth=None) -> None:
        """`truth` (systems, ticks, 4) is 1 where it changed, 0 where not, -1 where not counted."""
        for t, system, which in found:
            known = 0 if truth is None else truth[system, t, which]
            self.every[year, t] += known >= 0
            self.false[year, t] += known == 0
            self.hits += known == 1
        if truth is not None:
            self.there += int((truth == 1).sum())

    @property
    def per_look(self):
        """(ticks,) mean share of false ones among those announced, 0 where none was."""
        return (self.false / np.maximum(self.every, 1)).mean(axis=0)

    @property
    def years_with(self):
        """(years with a false alarm, years)."""
        return int(self.false.any(axis=1).sum()), len(self.false)


assert len(QUANTITIES) == findings.MOST_PRIMARIES
assert inside_level(ALPHA, 1, 2) == ALPHA / 2
