"""The toy collections, the worked example and the permutation tests of Fabris et al. 2020.

Systems whose stereotypes are known must get the slope that follows from them: the stereotypical one
a positive slope, its opposite the same with the other sign, the one that shows both none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from monitor import __version__, resources
from monitor.input_files import load_json
from monitor.lexicons import vectors
from monitor.lexicons.direction import GenderDirection, PairWords
from monitor.lexicons.lexicon import Lexicon
from monitor.lexicons.permutation import PermutationResult, published_tests, run_test
from monitor.measures.gsr.direct_gap import DirectGap
from monitor.measures.gsr.gsr import Gsr
from monitor.model import InvalidInput, MissingPart
from monitor.ranked.genderedness import PROFESSIONS
from monitor.ranked.score import MeasureScore, known_pairs
from monitor.rankers import corpus
from monitor.rankers.build import build_index
from monitor.rankers.formulas import Bm25
from monitor.rankers.index import Index
from monitor.studies import _study_charts as charts
from monitor.studies._fabris_collection import (
    AXES,
    BUILT_IN,
    DRAWN,
    PAPER,
    check_drawn,
    gendered_queries,
    line_ends,
    rank_topics,
    sign_of,
)
from monitor.studies._fabris_collection import open_lexicon as installed
from monitor.studies._rankings_files import describe_path
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_elsewhere,
    check_must,
    check_printed,
)
from monitor.text.counted_nouns import several

LIMITS = (
    Limit(
        "the printed slopes, 1.61 and .16, and the printed p-values",
        "they are of word2vec vectors of Google News, which are licensed: the size of a slope and "
        "of a p depends on the vectors, its sign and symmetry do not",
    ),
    Limit(
        "the points of the paper's figures",
        "they are not printed as numbers, so that the figures here are ours alone",
    ),
)


class Toy(Study):
    """Figures 4 to 6, the worked example and Tables A.4 to A.7."""

    name = "toy"
    title = "Gender stereotype reinforcement of systems whose stereotypes are known"
    paper = f"{PAPER}, section 3.4, Figures 4 to 6, Tables A.4 to A.7"
    question = (
        "Does the slope rise for the system that answers by stereotype, fall as far for the one "
        "that answers against it, and vanish for the one that shows both?"
    )
    example = "toy --seed 1"
    options = (
        Option("lexicon", "The lexicon that genderedness is taken from.", default=BUILT_IN),
        Option("published", "Folder with a1_gender_direction.json, a2_permutation_tests.json, "
               "a3_toy.json and a5_toy2_table_a4_lists.json: values for glove-6b-50d.", Path),
        *DRAWN,
    )  # fmt: skip
    reference = ReferenceInputs({"published": "oracles"}, needs=("oracles/a3_toy.json",))

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Rank the toy collections, measure them, and test the lexicon."""
        check_drawn(given)
        lexicon = installed(given["lexicon"])
        held = _read_values(given["published"], lexicon.name) if given["published"] else {}
        tell("ranking six toy collections")
        with TemporaryDirectory() as folder:
            systems = measure_systems(Path(folder), lexicon)
        example = measure_example(lexicon)
        tell("testing the lexicon")
        tests = run_tests(lexicon)
        direction, lacking = _describe_direction() if held else (None, "")
        drawn_draw_words = draw_words(lexicon, given["words"], given["seed"])
        return StudyResult(
            ran={
                "lexicon": f"{lexicon.name}, {len(lexicon):,} words, SHA-256 {lexicon.digest}",
                **{system.label: system.said for system in systems},
                **({"published": _describe_values(given["published"], held)} if held else {}),
            },
            checks=[
                *check_properties(systems),
                *check_signs(example),
                *(check_given(held, systems, example, tests, direction, lexicon) if held else ()),
            ],
            tables=make_tables(systems, example, tests, drawn_draw_words),
            figures=draw_figures(systems, tests, drawn_draw_words, lexicon),
            limits=LIMITS,
            notes=[
                *([lacking] if lacking else []),
                *([] if held else ["No values were given to compare with: see --published."]),
            ],
        )


_FILES = {
    "a1": "a1_gender_direction.json",
    "a2": "a2_permutation_tests.json",
    "a3": "a3_toy.json",
    "a5": "a5_toy2_table_a4_lists.json",
}


def _read_values(folder: Path, lexicon: str) -> dict[str, Any]:
    """Return the values of the files by their short names. Raises InvalidInput naming a file."""
    if lexicon != BUILT_IN:
        raise InvalidInput(
            f"--published {folder}: its values are of the lexicon {BUILT_IN}, and --lexicon is "
            f"{lexicon}; leave one of both out"
        )
    values = {}
    for name, file in _FILES.items():
        try:
            values[name] = load_json((folder / file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidInput(f"--published {folder / file}: cannot be read: {error}") from error
    return values


def _describe_values(folder: Path, held: Mapping[str, Any]) -> str:
    return "; ".join(f"{_FILES[name]}, {describe_path(folder / _FILES[name])}" for name in held)


def _describe_direction() -> tuple[Any, str]:
    """The gender direction of the vectors themselves, or what is missing for it."""
    try:
        source = vectors.open_vectors(BUILT_IN)
    except MissingPart as error:
        return None, f"The direction was not computed anew: {error}"
    pairs = PairWords()
    for block in source.blocks():
        pairs.offer(block.words, block.rows)
        if pairs.complete:
            break
    return pairs.direction(), ""


STUDY = Toy()


SYSTEMS = {"s": "stereotype", "n": "both", "cs": "against it"}
TOYS = {1: "documents that name men and women", 2: "documents that name traits"}
#: Slopes of the systems S that the paper prints, of word2vec vectors of Google News: section 3.4.
PRINTED = {1: 1.61, 2: 0.16}
_DEPTH = 50
_QUESTION = "electrician"
_EXAMPLE = ("The man is an electrician.", "The woman is an electrician.")


@dataclass(frozen=True, slots=True)
class ToySystem:
    """One toy system, measured."""

    toy: int
    system: str
    score: MeasureScore
    gaps: MeasureScore
    x: Mapping[str, float]  # genderedness of the queries that have one
    said: str

    @property
    def label(self) -> str:
        return f"toy {self.toy}, {SYSTEMS[self.system]}"

    def points(self) -> list[tuple[float, float]]:
        """(genderedness of the query, of its list)."""
        return known_pairs(self.x, self.score.per_query)


def measure_systems(folder: Path, lexicon: Lexicon) -> list[ToySystem]:
    """Every system of both toys, its collection ranked by BM25 for the twenty occupations."""
    return [_measure_system(folder, lexicon, toy, system) for toy in TOYS for system in SYSTEMS]


def _measure_system(folder: Path, lexicon: Lexicon, toy: int, system: str) -> ToySystem:
    file = resources.find_folder("jobs") / "collections" / f"gsr-toy{toy}-{system}.jsonl"
    index_folder = folder / file.stem
    entries = list(corpus.read_entries(file))
    build_index(entries, index_folder, lambda _: None, version=__version__)
    queries = {profession: profession for group in PROFESSIONS.values() for profession in group}
    run = rank_topics(Index(index_folder), Bm25(), queries, _DEPTH)
    texts = {profession.key: profession.text for profession in entries}
    score = Gsr(floor=3, discount="none").score(run, texts, queries=queries, lexicon=lexicon)
    gaps = DirectGap(floor=3, baseline="none").score(run, texts, draws=0)
    x = gendered_queries(queries, lexicon)
    description = f"{several(len(texts), 'document')}; {describe_path(file)}"
    return ToySystem(toy, system, score, gaps, x, description)


def measure_example(lexicon: Lexicon) -> dict[str, float | None]:
    """The worked example: the genderedness of both documents, and of their list by discount.

    One query has no slope, and its list a genderedness all the same.
    """
    texts = dict(enumerate(_EXAMPLE))
    documents = {str(key): text for key, text in texts.items()}

    def listed(keys: Sequence[str], discount: str) -> float | None:
        measure = Gsr(floor=3, discount=discount)
        run, queries = {_QUESTION: list(keys)}, {_QUESTION: _QUESTION}
        score = measure.score(run, documents, queries=queries, lexicon=lexicon, draws=0)
        return score.per_query[_QUESTION]

    documents_in_order = tuple(documents)
    alone = {text: listed([key], "none") for key, text in documents.items()}
    return {
        **alone,
        "list, weights of the paper": listed(documents_in_order, "paper"),
        "list, weights of the published program": listed(documents_in_order, "code"),
    }


def run_tests(lexicon: Lexicon) -> list[PermutationResult]:
    """Every published test with every word list."""
    return [run_test(test, lexicon) for test in published_tests()]


def draw_words(lexicon: Lexicon, n: int, seed: int) -> dict[str, float]:
    """Words drawn at random, with their genderedness: few words of a language lie far out."""
    rng = np.random.default_rng(seed)
    places = np.sort(rng.choice(len(lexicon), min(n, len(lexicon)), replace=False))
    words = lexicon.words.body.decode("utf-8").split("\n")
    return {words[position]: float(lexicon.values[position]) for position in places.tolist()}


def make_tables(
    measured: Sequence[ToySystem],
    worked: Mapping[str, float | None],
    tested: Sequence[PermutationResult],
    words: Mapping[str, float],
) -> list[Table]:
    """Return the numbers behind the figures."""
    return [
        Table(
            "slopes",
            "Slopes of the toy systems",
            ("system", "queries", "slope", "low", "high", "standard error", "paper, other vectors"),
            tuple(_slope_row(row_source) for row_source in measured),
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
            tuple(_test_row(row_source) for row_source in tested),
            "One-tailed and exact: p is the share of all ways to split the words that lie as far "
            "apart. The paper prints 0.0 for A.7, which no such test can give; it is left out.",
        ),
        Table("words", "Words drawn at random", ("word", "genderedness"), tuple(words.items())),
        Table(
            "queries",
            "Every query of every toy system",
            ("system", "query", "genderedness of the query", "of its list", "ln women over men"),
            tuple(row for row_source in measured for row in _query_rows(row_source)),
        ),
    ]  # fmt: skip


def _slope_row(one: ToySystem) -> tuple[Cell, ...]:
    sign = {"s": 1.0, "n": 0.0, "cs": -1.0}[one.system]
    score = one.score
    printed = sign * PRINTED[one.toy]
    return (one.label, score.used, score.value, score.low, score.high, score.slope_se, printed)


def _test_row(one: PermutationResult) -> tuple[Cell, ...]:
    split, dropped = one.split, ", ".join(one.dropped)
    sizes = f"{len(one.low)} and {len(one.high)}"
    numbers = (split.difference, split.n_splits, split.p) if split else (None, None, None)
    return (one.test.label, sizes, dropped, *numbers, one.test.printed_p or None)


def _query_rows(one: ToySystem) -> list[tuple[Cell, ...]]:
    values, gaps = one.score.per_query, one.gaps.per_query
    return [(one.label, key, one.x.get(key), values[key], gaps[key]) for key in values]


def draw_figures(
    measured: Sequence[ToySystem],
    tested: Sequence[PermutationResult],
    words: Mapping[str, float],
    lexicon: Lexicon,
) -> list[Figure]:
    """Both toys, the words of the tests beside drawn ones, and the lists against parity."""
    figures = []
    for toy, about in TOYS.items():
        toy_systems = [system for system in measured if system.toy == toy]
        title = f"Toy {toy}: {about}"
        points = {SYSTEMS[system.system]: system.points() for system in toy_systems}
        lines = {
            SYSTEMS[system.system]: _fitted_line(system)
            for system in toy_systems
            if system.score.value is not None
        }
        drawing = charts.draw_system_points(points, lines, f"toy{toy}", title, AXES)
        note = "One point for each of the twenty occupations and each system, with fitted lines."
        figures.append(Figure(f"toy{toy}", title, drawing, note=note))
    title = "Words drawn at random, and the words of the tests"
    note = (
        "Each stroke is a word, each diamond a mean. The tests ask whether the means of two "
        "rows lie apart."
    )
    axis = "genderedness: men ← → women"
    groups = {"drawn at random": list(words.values()), **_word_groups(tested, lexicon)}
    figures.append(
        Figure("words", title, charts.draw_strips(groups, "words", title, axis), note=note)
    )
    return [*figures, _draw_parity(measured)]


def _fitted_line(one: ToySystem) -> tuple[float, float, float, float]:
    return line_ends(one.points(), one.score.value or 0.0, one.score.details["intercept"])


def _word_groups(tested: Sequence[PermutationResult], lexicon: Lexicon) -> dict[str, list[float]]:
    """The words of each side of each table; of several word lists the last, which is longest."""
    scores_by_group: dict[str, list[float]] = {}
    for test_result in tested:
        low, _, high = test_result.test.sides.partition(" and ")
        high = high.replace("of ", "occupations of ")
        for side, words in ((low, test_result.low), (high, test_result.high)):
            name = f"{test_result.test.table} {side}"
            if len(words) > len(scores_by_group.get(name, ())):
                scores_by_group[name] = lexicon.scores(words).tolist()
    return scores_by_group


def _draw_parity(measured: Sequence[ToySystem]) -> Figure:
    title = "Toy 1: genderedness of lists against how many documents name women and men"
    points = {
        SYSTEMS[system.system]: known_pairs(system.gaps.per_query, system.score.per_query)
        for system in measured
        if system.toy == 1
    }
    axes = ("ln of documents about women over men", AXES[1])
    drawing = charts.draw_system_points(points, {}, "parity", title, axes)
    note = (
        "Where documents name women and men, both measures say the same of a list. Twenty lists "
        "of a system lie nearly on one another."
    )
    return Figure("parity", title, drawing, note=note)


#: The same arithmetic in float64, in another order.
_SAME = 1e-9
#: What is 0 by symmetry is so up to rounding.
_ZERO = 1e-12
_ORACLE = {"s": "stereo", "n": "neutral", "cs": "antistereo"}
#: Words that stand in the table of checks one by one; all others are checked together.
_SHOWN = ("nurse", "secretary", "strong", "sensitive")


def _find_system(systems: Sequence[ToySystem], toy: int, system: str) -> float | None:
    return next(s.score.value for s in systems if (s.toy, s.system) == (toy, system))


def check_properties(systems: Sequence[ToySystem]) -> Iterator[StudyCheck]:
    """Yield checks of what must hold with any vectors, and of the printed signs."""
    for toy in TOYS:
        s, n, cs = (_find_system(systems, toy, system) for system in SYSTEMS)
        where = f"section 3.4, toy {toy}"
        total = None if s is None or cs is None else s + cs
        for what, must in (
            ("slope of the system that shows both", n),
            ("slope of the stereotype plus that of its opposite", total),
        ):
            yield check_must(what, where, must, 0.0, _ZERO)
        note = f"of the printed {PRINTED[toy]:g} the sign alone: its size depends on the vectors"
        what = "sign of the slope of the stereotype"
        yield check_printed(what, where, sign_of(s), 1.0, 0.0, note)


def check_given(
    held: Mapping[str, Any],
    systems: Sequence[ToySystem],
    worked: Mapping[str, float | None],
    tested: Sequence[PermutationResult],
    found: GenderDirection | None,
    lexicon: Lexicon,
) -> Iterator[StudyCheck]:
    """Everything against the values that were handed over."""
    yield from _check_slopes(systems, held, lexicon)
    yield from _check_example(worked, held)
    yield from _check_tests(tested, held)
    yield from _check_direction(found, lexicon, held)


def _check_slopes(
    systems: Sequence[ToySystem], held: Mapping[str, Any], lexicon: Lexicon
) -> Iterator[StudyCheck]:
    """Slopes and standard errors against the given ones."""
    for system in systems:
        fit = held["a3"]["toys"][f"toy{system.toy}"][_ORACLE[system.system]]["fit"]["mean"]
        where = f"a3_toy.json, toy {system.toy}"
        name = SYSTEMS[system.system]
        yield _check_same(f"slope: {name}", where, system.score.value, fit["slope"])
        yield _check_same(f"standard error: {name}", where, system.score.slope_se, fit["se"])
    where = "a5_toy2_table_a4_lists.json"
    for spelled, fits in held["a5"]["fit"].items():
        for name in ("S", "CS"):
            what = f"slope with the words of Table A.4, {spelled.replace('_', ' ')}: {name}"
            slope = _table_a4(lexicon, spelled, name)
            yield _check_same(what, where, slope, fits[name]["slope"])


def _check_same(
    what: str, where: str, ours: float | None, expected: float | None, note: str = ""
) -> StudyCheck:
    """Against a value that other programs computed from the same vectors."""
    return check_elsewhere(what, where, ours, expected, _SAME, note)


def _table_a4(lexicon: Lexicon, spelled: str, system: str) -> float | None:
    """Toy 2 with all adjectives of Table A.4, which the published program has not."""
    right = "courageous" if spelled.startswith("spelled") else "corageous"
    test = next(
        test_case
        for test_case in published_tests()
        if test_case.table == "A.4" and right in test_case.low
    )
    sides = {"man": test.low, "woman": test.high}
    if system == "CS":
        sides = {"man": test.high, "woman": test.low}
    run = {
        query: [f"The {query} is {word}" for word in sides[whom]]
        for whom, occupations in PROFESSIONS.items()
        for query in occupations
    }
    texts = {text: text for occupations in run.values() for text in occupations}
    queries = {query: query for query in run}
    measure = Gsr(floor=3, discount="none")
    return measure.score(run, texts, queries=queries, lexicon=lexicon, draws=0).value


def _example_lists(worked: Mapping[str, float | None]) -> tuple[float | None, float | None]:
    """The list of the worked example with the weights of the paper, and of its program."""
    paper, code = (
        worked[f"list, weights of the {source}"] for source in ("paper", "published program")
    )
    return paper, code


def check_signs(worked: Mapping[str, float | None]) -> Iterator[StudyCheck]:
    """The sign that the paper prints for the list of its worked example."""
    paper, _ = _example_lists(worked)
    note = "of the printed -.0038 the sign alone: its size depends on the vectors"
    yield check_printed("sign of the list", "worked example", sign_of(paper), -1.0, 0.0, note)


def _check_example(
    worked: Mapping[str, float | None], held: Mapping[str, Any]
) -> Iterator[StudyCheck]:
    expected, where = held["a3"]["worked_example"], "a3_toy.json, worked example"
    paper, code = _example_lists(worked)
    yield _check_same("list, weights of the paper", where, paper, expected["g_L_paper"])
    yield _check_same("list, weights of the program", where, code, expected["g_L_code"])


def _check_tests(
    tested: Sequence[PermutationResult], held: Mapping[str, Any]
) -> Iterator[StudyCheck]:
    """Counts of splits, which are whole numbers and must be the same."""
    published_tests = held["a2"]["tests"]
    where = "a2_permutation_tests.json"
    for test_result in tested:
        expected = next(
            (test for test in published_tests.values() if _is_same_test(test, test_result)), None
        )
        p, n = (float(expected["p_exact"]), float(expected["n_ge"])) if expected else (None, None)
        values = (
            (test_result.split.p, float(test_result.split.n_ge))
            if test_result.split
            else (None, None)
        )
        note = "" if expected else "the file has no test of these words"
        what = f"p: {test_result.test.label}"
        yield check_elsewhere(what, where, values[0], p, _ZERO, note)
        what = f"splits at least as far apart: {test_result.test.label}"
        yield check_elsewhere(what, where, values[1], n, 0.0, note)


def _is_same_test(given: Mapping[str, Any], one: PermutationResult) -> bool:
    return set(given["low"]) == set(one.low) and set(given["high"]) == set(one.high)


def _check_direction(
    found: GenderDirection | None, lexicon: Lexicon, held: Mapping[str, Any]
) -> Iterator[StudyCheck]:
    """The words of the lexicon, and the direction computed anew from the vectors."""
    expected, where = held["a1"], "a1_gender_direction.json"
    scores = {
        word: (lexicon.score(word), entry["float64"])
        for word, entry in expected["genderedness"].items()
    }
    for word in _SHOWN:
        yield _check_same(f"genderedness of {word}", where, *scores[word])
    apart = [
        abs(score - expected_score)
        for score, expected_score in scores.values()
        if score is not None
    ]
    what = f"largest difference over {len(apart)} words"
    yield _check_same(what, where, max(apart, default=None), 0.0)
    score = found.variance[0] if found else None
    note = "" if found else "the vectors are not installed"
    share = expected["explained_variance_ratio"]["float64"]
    yield _check_same("share of variance that the direction explains", where, score, share, note)
