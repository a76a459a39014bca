"""Results of the study `toy`: systems, worked example, tests, checks, tables and figures."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monitor.studies._fabris_collection import AXES, ends, ranked
from monitor.studies._rankings_files import described
from monitor.studies.records import Against, Cell, Check, Figure, Table
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
    from monitor.ranked.genderedness import PROFESSIONS, query_genderedness
    from monitor.rankers import corpus
    from monitor.rankers.build import build
    from monitor.rankers.index import Index
    from monitor.rankers.lexical import Bm25

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
    from monitor.studies import _study_charts as charts

    found = []
    for toy, about in TOYS.items():
        some = [one for one in measured if one.toy == toy]
        title = f"Toy {toy}: {about}"
        points = {SYSTEMS[one.system]: one.points() for one in some}
        lines = {SYSTEMS[one.system]: _line(one) for one in some if one.score.value is not None}
        drawing = charts.draw_system_points(points, lines, f"toy{toy}", title, AXES)
        note = "One point for each of the twenty occupations and each system, with fitted lines."
        found.append(Figure(f"toy{toy}", title, drawing, note=note))
    title = "Words drawn at random, and the words of the tests"
    note = (
        "Each stroke is a word, each diamond a mean. The tests ask whether the means of two "
        "rows lie apart."
    )
    axis = "genderedness: men ← → women"
    groups = {"drawn at random": list(words.values()), **_groups(tested, lexicon)}
    found.append(
        Figure("words", title, charts.draw_strips(groups, "words", title, axis), note=note)
    )
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
    from monitor.studies import _study_charts as charts

    title = "Toy 1: genderedness of lists against how many documents name women and men"
    points = {
        SYSTEMS[one.system]: [(gap, value) for gap, value in _pairs(one)]
        for one in measured
        if one.toy == 1
    }
    axes = ("ln of documents about women over men", AXES[1])
    drawing = charts.draw_system_points(points, {}, "parity", title, axes)
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


if TYPE_CHECKING:
    from monitor.lexicons.direction import Direction
    from monitor.lexicons.lexicon import Lexicon
    from monitor.lexicons.permutation import Tested

#: The same arithmetic in float64, in another order.
_SAME = 1e-9
#: What is 0 by symmetry is so up to rounding.
_ZERO = 1e-12
_ORACLE = {"s": "stereo", "n": "neutral", "cs": "antistereo"}
#: Words that stand in the table of checks one by one; all others are checked together.
_SHOWN = ("nurse", "secretary", "strong", "sensitive")


def _one(systems: Sequence[System], toy: int, system: str) -> float | None:
    return next(s.score.value for s in systems if (s.toy, s.system) == (toy, system))


def properties(systems: Sequence[System]) -> Iterator[Check]:
    """What must hold with any vectors, and the signs that the paper prints."""
    for toy in TOYS:
        s, n, cs = (_one(systems, toy, system) for system in SYSTEMS)
        where = f"section 3.4, toy {toy}"
        both = None if s is None or cs is None else s + cs
        for what, must in (
            ("slope of the system that shows both", n),
            ("slope of the stereotype plus that of its opposite", both),
        ):
            yield Check(what, where, must, 0.0, _ZERO, against=Against.MUST)
        sign = None if s is None else float((s > 0) - (s < 0))
        note = f"of the printed {PRINTED[toy]:g} the sign alone: its size depends on the vectors"
        what = "sign of the slope of the stereotype"
        yield Check(what, where, sign, 1.0, 0.0, note, against=Against.PRINTED)


def given(
    held: Mapping[str, Any],
    systems: Sequence[System],
    worked: Mapping[str, float | None],
    tested: "Sequence[Tested]",
    found: "Direction | None",
    lexicon: "Lexicon",
) -> Iterator[Check]:
    """Everything against the values that were handed over."""
    yield from _slopes(systems, held, lexicon)
    yield from _example(worked, held)
    yield from _tests(tested, held)
    yield from _direction(found, lexicon, held)


def _slopes(
    systems: Sequence[System], held: Mapping[str, Any], lexicon: "Lexicon"
) -> Iterator[Check]:
    """Slopes and standard errors against the given ones."""
    for one in systems:
        fit = held["a3"]["toys"][f"toy{one.toy}"][_ORACLE[one.system]]["fit"]["mean"]
        where = f"a3_toy.json, toy {one.toy}"
        name = SYSTEMS[one.system]
        yield _same(f"slope: {name}", where, one.score.value, fit["slope"])
        yield _same(f"standard error: {name}", where, one.score.slope_se, fit["se"])
    where = "a5_toy2_table_a4_lists.json"
    for spelled, fits in held["a5"]["fit"].items():
        for name in ("S", "CS"):
            what = f"slope with the words of Table A.4, {spelled.replace('_', ' ')}: {name}"
            ours = _table_a4(lexicon, spelled, name)
            yield _same(what, where, ours, fits[name]["slope"])


def _same(
    what: str, where: str, ours: float | None, expected: float | None, note: str = ""
) -> Check:
    """Against a value that other programs computed from the same vectors."""
    return Check(what, where, ours, expected, _SAME, note, against=Against.ELSEWHERE)


def _table_a4(lexicon: "Lexicon", spelled: str, system: str) -> float | None:
    """Toy 2 with all adjectives of Table A.4, which the published program has not."""
    from monitor.lexicons.permutation import published
    from monitor.measures.gsr.gsr import Gsr
    from monitor.ranked.genderedness import PROFESSIONS

    right = "courageous" if spelled.startswith("spelled") else "corageous"
    test = next(one for one in published() if one.table == "A.4" and right in one.low)
    sides = {"man": test.low, "woman": test.high}
    if system == "CS":
        sides = {"man": test.high, "woman": test.low}
    run = {
        query: [f"The {query} is {word}" for word in sides[whom]]
        for whom, some in PROFESSIONS.items()
        for query in some
    }
    texts = {text: text for some in run.values() for text in some}
    queries = {query: query for query in run}
    measure = Gsr(floor=3, discount="none")
    return measure.score(run, texts, queries=queries, lexicon=lexicon, draws=0).value


def _listed(worked: Mapping[str, float | None]) -> tuple[float | None, float | None]:
    """The list of the worked example with the weights of the paper, and of its program."""
    paper, code = (worked[f"list, weights of the {one}"] for one in ("paper", "published program"))
    return paper, code


def signs(worked: Mapping[str, float | None]) -> Iterator[Check]:
    """The sign that the paper prints for the list of its worked example."""
    paper, _ = _listed(worked)
    sign = None if paper is None else float((paper > 0) - (paper < 0))
    note = "of the printed -.0038 the sign alone: its size depends on the vectors"
    yield Check(
        "sign of the list", "worked example", sign, -1.0, 0.0, note, against=Against.PRINTED
    )


def _example(worked: Mapping[str, float | None], held: Mapping[str, Any]) -> Iterator[Check]:
    told, where = held["a3"]["worked_example"], "a3_toy.json, worked example"
    paper, code = _listed(worked)
    yield _same("list, weights of the paper", where, paper, told["g_L_paper"])
    yield _same("list, weights of the program", where, code, told["g_L_code"])


def _tests(tested: "Sequence[Tested]", held: Mapping[str, Any]) -> Iterator[Check]:
    """Counts of splits, which are whole numbers and must be the same."""
    told = held["a2"]["tests"]
    where = "a2_permutation_tests.json"
    for one in tested:
        given = next((test for test in told.values() if _is(test, one)), None)
        p, n = (float(given["p_exact"]), float(given["n_ge"])) if given else (None, None)
        ours = (one.split.p, float(one.split.n_ge)) if one.split else (None, None)
        note = "" if given else "the file has no test of these words"
        what = f"p: {one.test.label}"
        yield Check(what, where, ours[0], p, _ZERO, note, against=Against.ELSEWHERE)
        what = f"splits at least as far apart: {one.test.label}"
        yield Check(what, where, ours[1], n, 0.0, note, against=Against.ELSEWHERE)


def _is(given: Mapping[str, Any], one: "Tested") -> bool:
    return set(given["low"]) == set(one.low) and set(given["high"]) == set(one.high)


def _direction(
    found: "Direction | None", lexicon: "Lexicon", held: Mapping[str, Any]
) -> Iterator[Check]:
    """The words of the lexicon, and the direction computed anew from the vectors."""
    told, where = held["a1"], "a1_gender_direction.json"
    known = {word: (lexicon.score(word), one["float64"]) for word, one in _scores(told)}
    for word in _SHOWN:
        yield _same(f"genderedness of {word}", where, *known[word])
    apart = [abs(ours - theirs) for ours, theirs in known.values() if ours is not None]
    what = f"largest difference over {len(apart)} words"
    yield _same(what, where, max(apart, default=None), 0.0)
    ours = found.variance[0] if found else None
    note = "" if found else "the vectors are not installed"
    share = told["explained_variance_ratio"]["float64"]
    yield _same("share of variance that the direction explains", where, ours, share, note)


def _scores(told: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, float]]]:
    yield from told["genderedness"].items()
