"""How often causes are right: `python bench/causes.py [TRIES]`.

Controls of 224 answers that flip by themselves, quiet and moved, beside a system of which 20 % of
the answers changed. Then a change of a share over 640 questions that came with other software of
ours, with 2 % of flips by themselves, where old and new were asked side by side. It leaves with 1
where a change that the software made is attributed to the engine in more than 2.5 % of the tries,
or a control with noise runs on all questions is taken for moved in more than 15 %.
"""

import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench._size import SHORT, size
from monitor.stages.changes.attribution import Control, is_less
from monitor.stats.paired import flip_interval, mcnemar

TRIES, SEED = size(2_000, 20), 20_261_127
ANSWERS, SYSTEM, QUESTIONS, FLIPS = 224, 0.2, 640, 0.02
MOST_WRONG, MOST_QUIET = 0.025, 0.15


class Difference(NamedTuple):
    delta: float
    low: float
    high: float
    p: float


def moved(draw, flips, more, ticks, share, tries):
    """How often a control is taken for moved, of whose answers `more` change beside its flips."""
    asked, n = round(share * ANSWERS), 0
    for _ in range(tries):
        own, other = draw.binomial(ANSWERS, [flips, more])
        gained = draw.binomial(own, 0.5) + other
        noise = [(int(k), asked) for k in draw.binomial(asked, flips, ticks)]
        p = mcnemar(int(gained), int(own + other - gained))
        n += Control("", ANSWERS, int(own + other), p, noise).moved(SYSTEM)
    return n / tries


def compared(draw, n, change):
    """A paired difference of a share over n questions."""
    gained, lost = (int(k) for k in draw.binomial(n, [FLIPS / 2 + change, FLIPS / 2]))
    low, high = flip_interval(gained, lost, n)
    return Difference((gained - lost) / n, low, high, mcnemar(gained, lost))


def cleared(draw, change, part, share, tries):
    """How often a change is attributed to the engine of which the software made a part."""
    n = 0
    for _ in range(tries):
        beside = compared(draw, round(share * QUESTIONS), part * change)
        n += is_less(beside, compared(draw, QUESTIONS, change))
    return n / tries


def main(tries):
    draw = np.random.default_rng(SEED)
    print("noise runs   flips   quiet   2 % moved one way   5 % one way")
    is_fine = True
    for ticks, share in ((0, 0.0), (8, 0.1), (8, 1.0), (52, 0.1), (52, 1.0)):
        for flips in (0.0, 0.02, 0.05):
            found = [moved(draw, flips, more, ticks, share, tries) for more in (0, 0.02, 0.05)]
            what = f"{ticks} on {share:.0%}" if ticks else "none"
            said = "".join(f"{one:>14.1%}" for one in found)
            print(f"{what:<12}{flips:>6.0%}{said}")
            is_fine &= not ticks or found[0] <= MOST_QUIET
    print("change   asked side by side   cleared: not ours   half ours   all ours")
    for change in (0.03, 0.06, 0.10):
        for share in (0.1, 1.0):
            found = [cleared(draw, change, part, share, tries) for part in (0, 0.5, 1)]
            said = "".join(f"{one:>14.1%}" for one in found)
            print(f"{change:<12}{share:>6.0%}{said}")
            is_fine &= found[2] <= MOST_WRONG
    return 0 if is_fine or SHORT else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIES))
