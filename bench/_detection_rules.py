"""What different rules make of the p values of a year: (systems, ticks, 4) in, findings out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench._detection_tests import QUANTITIES
from monitor.change import Role
from monitor.stages import findings
from monitor.stages.findings import Candidate
from monitor.stats.chance import benjamini_hochberg
from monitor.stats.discovery import e_lond, inside_level, lord, simes
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


# --- rules ----------------------------------------------------------------------------------------


def _by_levels(p, ticks, levels):
    return [
        (t, *one) for t in np.flatnonzero(ticks <= levels) for one in selected(p[:, t], levels[t])
    ]


def product(p, _families, ticks) -> Found:
    return _by_levels(p, ticks, np.array(lord(ticks.tolist(), ALPHA).levels))


def by_e_values(p, _families, ticks) -> Found:
    levels = e_lond([from_p(float(one)) for one in ticks], ALPHA)
    return [
        (t, *one)
        for t in np.flatnonzero(levels.rejected)
        for one in selected(p[:, t], levels.levels[t])
    ]


def flat(p, _families, _ticks) -> Found:
    """Each tick for itself: Benjamini-Hochberg over all series at 5 %."""
    found: Found = []
    for t in np.flatnonzero(p.min(axis=(0, 2)) <= ALPHA):
        q = benjamini_hochberg(p[:, t].ravel())
        found += [(t, *divmod(int(one), p.shape[2])) for one in np.flatnonzero(q <= ALPHA)]
    return found


def uncorrected(p, _families, _ticks) -> Found:
    return [(int(t), int(s), int(k)) for s, t, k in np.argwhere(p <= ALPHA)]


Rule = Callable[[np.ndarray, np.ndarray, np.ndarray], Found]
PRODUCT = "LORD++ over ticks (the product)"
NO_LEDGER = "no ledger: all series by BH"
RULES: dict[str, Rule] = {
    PRODUCT: product,
    "e-LOND over ticks": by_e_values,
    NO_LEDGER: flat,
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
