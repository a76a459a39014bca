"""The toy systems ranked and measured, the worked example, the tests; and what a page shows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monitor.studies._fabris_collection import AXES, ends, ranked
from monitor.studies._rankings_given import described
from monitor.studies.found import Cell, Figure, Table
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.lexicons.lexicon import Lexicon
    from monitor.lexicons.permutation import Tested
    from monitor.ranked.score import Score

SYSTEMS = {"s": "stereotype", "n": "both", "cs": "against it"}
TOYS = {1: "documents that name men and women", 2: "documents that name traits"}
#: Slopes of the systems S that the paper prints, of word2vec vectors of Google News: section 3.4.
PRINTED = {1: 1.61, 2: 0.16}
_DEPTH = 50
_QUESTION = "electrician"
_EXAMPLE = ("The man is an electrician.", "The woman is an electrician.")


@dataclass(frozen=True, slots=True)
class System:
    """One toy system, measured."""

    toy: int
    system: str
    score: "Score"
    gaps: "Score"
    x: Mapping[str, float]  # genderedness of the queries that have one
    said: str

    @property
    def label(self) -> str:
        return f"toy {self.toy}, {SYSTEMS[self.system]}"

    def points(self) -> list[tuple[float, float]]:
        """(genderedness of the query, of its list)."""
        values = self.score.per_query
        return [(self.x[q], y) for q, y in values.items() if y is not None]


def systems(folder: Path, lexicon: "Lexicon") -> list[System]:
    """Every system of both toys, its collection ranked by BM25 for the twenty occupations."""
    return [_system(folder, lexicon, toy, system) for toy in TOYS for system in SYSTEMS]


def _system(folder: Path, lexicon: "Lexicon", toy: int, system: str) -> System:
    from monitor import __version__, resources
    from monitor.measures.gsr.direct_gap import DirectGap
    from monitor.measures.gsr.gsr import Gsr
    from monitor.ranked.genderedness import query_genderedness
    from monitor.ranked.genderedness_toy import PROFESSIONS
    from monitor.rankers import corpus
    from monitor.rankers.bm25 import Bm25
    from monitor.rankers.build import build
    from monitor.rankers.index import Index

    file = resources.shipped("jobs") / "collections" / f"gsr-toy{toy}-{system}.jsonl"
    place = folder / file.stem
    entries = list(corpus.read(file))
    build(entries, place, lambda _: None, version=__version__)
    queries = {one: one for some in PROFESSIONS.values() for one in some}
    run = ranked(Index(place), Bm25(), queries, _DEPTH)
    texts = {one.key: one.text for one in entries}
    score = Gsr(floor=3, discount="none").score(run, texts, queries=queries, lexicon=lexicon)
    gaps = DirectGap(floor=3, baseline="none").score(run, texts, draws=0)
    g = query_genderedness(list(queries), lexicon).tolist()
    x = {query: one for query, one in zip(queries, g, strict=True) if not math.isnan(one)}
    said = f"{several(len(texts), 'document')}; {described(file)}"
    return System(toy, system, score, gaps, x, said)


def example(lexicon: "Lexicon") -> dict[str, float | None]:
    """The worked example: the genderedness of both documents, and of their list by discount.

    One query has no slope, and its list a genderedness all the same.
    """
    from monitor.measures.gsr.gsr import Gsr

    texts = dict(enumerate(_EXAMPLE))
    documents = {str(key): text for key, text in texts.items()}

    def listed(keys: Sequence[str], discount: str) -> float | None:
        measure = Gsr(floor=3, discount=discount)
        run, asked = {_QUESTION: list(keys)}, {_QUESTION: _QUESTION}
        found = measure.score(run, documents, queries=asked, lexicon=lexicon, draws=0)
        return found.per_query[_QUESTION]

    both = tuple(documents)
    alone = {text: listed([key], "none") for key, text in documents.items()}
    return {
        **alone,
        "list, weights of the paper": listed(both, "paper"),
        "list, weights of the published program": listed(both, "code"),
    }


def tests(lexicon: "Lexicon") -> "list[Tested]":
    """Every published test with every word list."""
    from monitor.lexicons.permutation import published, run

    return [run(test, lexicon) for test in published()]


def drawn(lexicon: "Lexicon", n: int, seed: int) -> dict[str, float]:
    """Words drawn at random, with their genderedness: few words of a language lie far out."""
    import numpy as np

    rng = np.random.default_rng(seed)
    places = np.sort(rng.choice(len(lexicon), min(n, len(lexicon)), replace=False))
    every = lexicon.words.body.decode("utf-8").split("\n")
    return {every[at]: float(lexicon.values[at]) for at in places.tolist()}


def tables(
    measured: Sequence[System],
    worked: Mapping[str, float | None],
    tested: "Sequence[Tested]",
    words: Mapping[str, float],
) -> list[Table]:
    """What the figures show, in numbers."""
    return [
        Table(
            "slopes",
            "Slopes of the toy systems",
            ("system", "queries", "slope", "low", "high", "standard error", "paper, other vectors"),
            tuple(_slope_row(one) for one in measured),
            "The last column has the slopes printed in section 3.4, of vectors that are not here: "
            "their size cannot be compared, their sign can.",
        ),
        Table(
            "example",
            "The worked example: two documents for the query electrician",
            ("what", "genderedness"),
            tuple(worked.items()),
            "The list is negative with the weights of the paper alone: the first rank counts more.",
        ),
        Table(
            "tests",
            "Permutation tests of Tables A.4 to A.7",
            ("test and word list", "words", "dropped", "difference", "splits", "p",
             "paper, other vectors"),
            tuple(_test_row(one) for one in tested),
            "One-tailed and exact: p is the share of all ways to split the words that lie as far "
            "apart. The paper prints 0.0 for A.7, which no such test can give; it is left out.",
        ),
        Table("words", "Words drawn at random", ("word", "genderedness"), tuple(words.items())),
        Table(
            "queries",
            "Every query of every toy system",
            ("system", "query", "genderedness of the query", "of its list", "ln women over men"),
            tuple(row for one in measured for row in _query_rows(one)),
        ),
    ]  # fmt: skip


def _slope_row(one: System) -> tuple[Cell, ...]:
    sign = {"s": 1.0, "n": 0.0, "cs": -1.0}[one.system]
    score = one.score
    printed = sign * PRINTED[one.toy]
    return (one.label, score.used, score.value, score.low, score.high, score.slope_se, printed)


def _test_row(one: "Tested") -> tuple[Cell, ...]:
    split, dropped = one.split, ", ".join(one.dropped)
    sizes = f"{len(one.low)} and {len(one.high)}"
    found = (split.difference, split.n_splits, split.p) if split else (None, None, None)
    return (one.test.label, sizes, dropped, *found, one.test.printed_p or None)


def _query_rows(one: System) -> list[tuple[Cell, ...]]:
    values, gaps = one.score.per_query, one.gaps.per_query
    return [(one.label, key, one.x.get(key), values[key], gaps[key]) for key in values]


def figures(
    measured: Sequence[System],
    tested: "Sequence[Tested]",
    words: Mapping[str, float],
    lexicon: "Lexicon",
) -> list[Figure]:
    """Both toys, the words of the tests beside drawn ones, and the lists against parity."""
    from monitor.studies import _fabris_charts as charts

    found = []
    for toy, about in TOYS.items():
        some = [one for one in measured if one.toy == toy]
        title = f"Toy {toy}: {about}"
        points = {SYSTEMS[one.system]: one.points() for one in some}
        lines = {SYSTEMS[one.system]: _line(one) for one in some if one.score.value is not None}
        drawing = charts.scatter(points, lines, f"toy{toy}", title, AXES)
        note = "One point for each of the twenty occupations and each system, with fitted lines."
        found.append(Figure(f"toy{toy}", title, drawing, note=note))
    title = "Words drawn at random, and the words of the tests"
    note = (
        "Each stroke is a word, each diamond a mean. The tests ask whether the means of two "
        "rows lie apart."
    )
    axis = "genderedness: men ← → women"
    groups = {"drawn at random": list(words.values()), **_groups(tested, lexicon)}
    found.append(Figure("words", title, charts.strips(groups, "words", title, axis), note=note))
    return [*found, _parity(measured)]


def _line(one: System) -> tuple[float, float, float, float]:
    return ends(one.points(), one.score.value or 0.0, one.score.details["intercept"])


def _groups(tested: "Sequence[Tested]", lexicon: "Lexicon") -> dict[str, list[float]]:
    """The words of each side of each table; of several word lists the last, which is longest."""
    found: dict[str, list[float]] = {}
    for one in tested:
        low, _, high = one.test.sides.partition(" and ")
        high = high.replace("of ", "occupations of ")
        for side, some in ((low, one.low), (high, one.high)):
            name = f"{one.test.table} {side}"
            if len(some) > len(found.get(name, ())):
                found[name] = lexicon.scores(some).tolist()
    return found


def _parity(measured: Sequence[System]) -> Figure:
    from monitor.studies import _fabris_charts as charts

    title = "Toy 1: genderedness of lists against how many documents name women and men"
    points = {
        SYSTEMS[one.system]: [(gap, value) for gap, value in _pairs(one)]
        for one in measured
        if one.toy == 1
    }
    axes = ("ln of documents about women over men", AXES[1])
    drawing = charts.scatter(points, {}, "parity", title, axes)
    note = (
        "Where documents name women and men, both measures say the same of a list. Twenty lists "
        "of a system lie nearly on one another."
    )
    return Figure("parity", title, drawing, note=note)


def _pairs(one: System) -> list[tuple[float, float]]:
    both: list[tuple[Any, Any]] = [
        (one.gaps.per_query[key], value) for key, value in one.score.per_query.items()
    ]
    return [(a, b) for a, b in both if a is not None and b is not None]
