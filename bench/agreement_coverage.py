"""How often limits of agreement hold the truth: `python bench/agreement_coverage.py [TRIES]`.

Items have a true value with the shares of a setting; each rater says it with a chance, and else any
value with those shares, so that kappa and alpha of all items are known. Beside the limits that are
published stand those of the percentile bootstrap over items, from the same ratings. It leaves with
1 where published limits hold less than 0.83 in a setting in which most tries have limits.
"""

import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench._size import SHORT, size
from monitor.stats.agreement import (
    alpha_limits,
    alpha_of,
    kappa_limits,
    krippendorff_alpha,
    units_of,
)

TRIES, DRAWS, SEED = size(400, 4), size(200, 20), 20_261_123
#: Shares of the values, and the chance that a rater says the true one.
SHARES = ((0.5, 0.5), (0.8, 0.2), (0.95, 0.05), (0.6, 0.3, 0.1))
SAY_IT = (0.3, 0.775, 0.9, 0.98)
ITEMS = (30, 100, 300)
LEAST_HELD = 0.83
_COLUMNS = (("alpha", 7), ("kappa", 7), ("bootstrap", 11))


def rated(draw, n, shares, say_it, raters=2):
    """What so many raters said of n items."""
    values = range(len(shares))
    true = draw.choices(values, shares, k=n)
    return [
        [one if draw.random() < say_it else draw.choices(values, shares)[0] for one in true]
        for _ in range(raters)
    ]


def bootstrap(ratings, draws):
    """Percentiles of alpha over items drawn again."""
    units = units_of(ratings)
    kinds, n = list(units), sum(units.values())
    found = []
    for counts in draws.multinomial(n, np.array(list(units.values())) / n, DRAWS):
        alpha = alpha_of(Counter(dict(zip(kinds, counts.tolist(), strict=True))))
        if alpha is not None:
            found.append(alpha)
    return np.quantile(found, [0.025, 0.975]) if found else None


def holds(limits, truth):
    return limits[0] - 1e-12 <= truth <= limits[1] + 1e-12


def setting(shares, say_it, n, tries):
    """(tries with limits, how often those of alpha, of kappa, and the bootstrap hold)."""
    draw, draws = random.Random(f"{SEED} {shares} {say_it} {n}"), np.random.default_rng(SEED)  # noqa: S311
    truth, held, told = say_it**2, Counter(), 0
    for _ in range(tries):
        ratings = rated(draw, n, shares, say_it)
        if krippendorff_alpha(ratings) is None or (limits := alpha_limits(ratings)) is None:
            continue
        told += 1
        held["alpha"] += holds(limits, truth)
        held["kappa"] += holds(kappa_limits(*ratings), truth)
        held["bootstrap"] += holds(bootstrap(ratings, draws), truth)
    return told, {name: held[name] / told for name in ("alpha", "kappa", "bootstrap") if told}


def main():
    tries = int(sys.argv[1]) if len(sys.argv) > 1 else TRIES
    print(
        f"{'shares':18}{'truth':>6}{'items':>7}{'told':>7}{'alpha':>7}{'kappa':>7}{'bootstrap':>11}"
    )
    worst = 1.0
    for shares in SHARES:
        for say_it in SAY_IT:
            for n in ITEMS:
                told, held = setting(shares, say_it, n, tries)
                if not held:
                    continue
                line = f"{'/'.join(map(str, shares)):18}{say_it**2:>6.2f}{n:>7}{told / tries:>7.2f}"
                line += "".join(f"{held[name]:>{width}.3f}" for name, width in _COLUMNS)
                print(line, flush=True)
                if told > tries / 2:  # of rare tries with limits only the unusual ones are seen
                    worst = min(worst, held["alpha"], held["kappa"])
    print(f"least of alpha and kappa where most tries have limits: {worst:.3f}, bar {LEAST_HELD}")
    return int(worst < LEAST_HELD and not SHORT)


if __name__ == "__main__":
    sys.exit(main())
