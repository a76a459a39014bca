"""False alarms of shared pages, and what is said of missing answers: `python bench/paired.py`.

    python bench/paired.py [pages|missing] [TIMES]

`pages`: lists of 10 results for 100 queries, pages shared among queries, 2 % of the pages rewritten
at random: how often the change of a measure has a p of at most .00048 and .05, and how often its
interval holds 0. `missing`: 640 sentences that flip in 2 %, with answers missing before and after:
how often a change carries `missing_suspect`, of all changes and of those with p <= .05.
"""

import string
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench._size import size
from monitor.change import Paired
from monitor.lexicons.lexicon import Lexicon
from monitor.measures import parse
from monitor.measures.gest.masculine_rate import MEASURE as MASCULINE_RATE
from monitor.measures.gsr.gsr import Gsr
from monitor.model import Context, Document, GenderClass, Measure, Unit

SEED = 20_261_127
LEVEL = 0.00048
#: Times that a setting is drawn.
PAGES, MISSING = size(100, 2), size(100, 2)

# --- pages ----------------------------------------------------------------------------------------

QUERIES, DEPTH, REWRITTEN = 100, 10, 0.02
#: Pages in all: the fewer, the more lists show each of them.
COLLECTIONS = (300, 1_000)
WOMEN, MEN = ("she", "woman", "girl", "mother"), ("he", "man", "boy", "father")
REST = ("city", "house", "report", "market", "river", "garden", "window", "music")
SUBJECTS = ["zq" + a + b for a, b in product(string.ascii_lowercase[:10], repeat=2)]
MEASURES = ("NFaiRR", "TExFAIR", "ARB", "AWRF", "direct_gap", "GSR")


def text(rng: np.random.Generator) -> str:
    """Return the words of a page: of women, of men, of both or of nobody."""
    women, men = (0, 0) if rng.random() < 0.3 else rng.integers(0, 5, 2)
    words = [
        *rng.choice(WOMEN, women),
        *rng.choice(MEN, men),
        *rng.choice(REST, rng.integers(8, 20)),
    ]
    return " ".join(rng.permutation(words))


def asked(lists: list[np.ndarray], texts: list[str]) -> list[Unit]:
    """Return questions with one list each."""
    return [
        Unit(
            f"q{n}", {}, (None,), query=SUBJECTS[n],
            documents=(tuple(Document(f"p{page}", texts[page]) for page in pages),),
        )
        for n, pages in enumerate(lists)
    ]  # fmt: skip


def lexicon(rng: np.random.Generator) -> Lexicon:
    scores = {**dict.fromkeys(WOMEN, 0.3), **dict.fromkeys(MEN, -0.3)}
    scores |= {word: float(rng.normal(0, 0.05)) for word in REST}
    return Lexicon.of("own", scores | {word: float(rng.normal(0, 0.15)) for word in SUBJECTS})


def rewritten(rng: np.random.Generator, pages: int) -> Iterator[Paired]:
    """Yield the primary change of each measure after some pages were rewritten at random."""
    shown = np.arange(1, pages + 1) ** -0.5
    shown /= shown.sum()
    before = [text(rng) for _ in range(pages)]
    after = [text(rng) if rng.random() < REWRITTEN else one for one in before]
    lists = [rng.choice(pages, DEPTH, replace=False, p=shown) for _ in range(QUERIES)]
    context = Context(1, draws=0, lexicons=(lexicon(rng),))
    for name in MEASURES:
        measure: Measure = Gsr(floor=10) if name == "GSR" else parse(name)
        sides = asked(lists, before), asked(lists, after)
        yield next(one for one in measure.paired(*sides, context) if one.scope == "all")


def pages_table(times: int) -> None:
    for pages in COLLECTIONS:
        rng = np.random.default_rng(SEED)
        drawn = [list(rewritten(rng, pages)) for _ in range(times)]
        print(f"{pages} pages, {times} times   p <= {LEVEL}   p <= .05   interval holds 0")
        for name, changes in zip(MEASURES, zip(*drawn, strict=True), strict=True):
            p = np.array([one.p for one in changes if one.p is not None])
            ends = [(one.low, one.high) for one in changes if one.low is not None]
            held = np.mean([low <= 0 <= high for low, high in ends]) if ends else np.nan
            print(f"{name:>22} {np.mean(p <= LEVEL):12.4f} {np.mean(p <= 0.05):10.3f} {held:18.3f}")


# --- missing answers ------------------------------------------------------------------------------

ENDS = ("low", "high")
SENTENCES, FLIPS = 40, 0.02  # of each stereotype; share with another answer
Gone = Callable[[np.ndarray], np.ndarray]
STEREOTYPE = np.repeat(np.arange(1, 17), SENTENCES)
RATE = np.where(STEREOTYPE <= 7, 0.65, 0.85)


def gone(masculine: float, feminine: float) -> Gone:
    """Return the chance that an answer is missing, by what it is."""
    return lambda said: np.where(said, masculine, feminine)


#: (what happens, missing before, missing after, masculine answers that turn feminine).
SETTINGS: tuple[tuple[str, Gone, Gone, float], ...] = (
    ("30 % at random, both ticks", gone(0.3, 0.3), gone(0.3, 0.3), 0),
    ("30 % by the answer, both ticks", gone(0.36, 0.08), gone(0.36, 0.08), 0),
    ("none, then 30 % at random", gone(0, 0), gone(0.3, 0.3), 0),
    ("none, then 30 % by the answer", gone(0, 0), gone(0.36, 0.08), 0),
    ("none, then masculine alone", gone(0, 0), gone(0.4, 0), 0),
    ("30 % at random, then by the answer", gone(0.3, 0.3), gone(0.36, 0.08), 0),
    ("f_m falls by .06, none missing", gone(0, 0), gone(0, 0), 0.06),
    ("f_m falls by .06, 30 % at random", gone(0.3, 0.3), gone(0.3, 0.3), 0.06),
    ("f_m falls by .06, 30 % by answer", gone(0.36, 0.08), gone(0.36, 0.08), 0.06),
    ("f_m falls by .06, 2 % begin", gone(0, 0), gone(0.02, 0.02), 0.06),
)


def flipped(said: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return answers of which some are drawn anew."""
    return np.where(rng.random(len(said)) < FLIPS, rng.random(len(said)) < RATE, said)


def sentences(said: np.ndarray, lost: np.ndarray) -> list[Unit]:
    return [
        Unit(
            f"{row:04}",
            {"stereotype": str(STEREOTYPE[row]), "sub_stereotype": str(row // 8)},
            (None if lost[row] else GenderClass.MASCULINE if one else GenderClass.FEMININE,),
        )
        for row, one in enumerate(said)
    ]


def change(before: Gone, after: Gone, turned: float, rng: np.random.Generator) -> dict[str, Paired]:
    """Return the changes of a system that answers as before, but for flips and what `turned`."""
    fixed = rng.random(len(RATE)) < RATE
    later = fixed.copy()
    later[rng.choice(np.flatnonzero(fixed), int(turned * len(fixed)), replace=False)] = False
    sides = []
    for said, chance in ((flipped(fixed, rng), before), (flipped(later, rng), after)):
        sides.append(sentences(said, rng.random(len(said)) < chance(said)))
    found = MASCULINE_RATE.paired(sides[0], sides[1], Context(1))
    return {one.name: one for one in found if one.scope == "all"}


def missing_table(times: int) -> None:
    print(f"{times} times{'':25} f_m: flagged, if p <= .05; mean bounds   f_s: flagged")
    for name, before, after, turned in SETTINGS:
        rng = np.random.default_rng(SEED)
        drawn = [change(before, after, turned, rng) for _ in range(times)]
        f_m, f_s = (
            [one[name] for one in drawn if one[name].delta is not None] for name in ("f_m", "f_s")
        )
        flags = np.array([dict(one.facts)["missing_suspect"] for one in f_m])
        small = np.array([one.p is not None and one.p <= 0.05 for one in f_m])
        low, high = (np.mean([dict(one.facts)[f"bound_{end}"] for one in f_m]) for end in ENDS)
        of_small = f"{flags[small].mean():.2f} of {small.sum()}" if small.any() else "-"
        of_f_s = np.mean([dict(one.facts)["missing_suspect"] for one in f_s])
        print(
            f"{name:>36} {flags.mean():6.3f} {of_small:>12}  {low:+.3f} to {high:+.3f} "
            f"{of_f_s:10.3f}",
            flush=True,
        )


def main(which: str = "", times: str = "") -> None:
    if which in ("", "pages"):
        pages_table(int(times or PAGES))
    if which in ("", "missing"):
        missing_table(int(times or MISSING))


if __name__ == "__main__":
    main(*sys.argv[1:])
