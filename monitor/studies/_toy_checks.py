"""The toy systems, the worked example and the tests, held against published and given values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from monitor.studies._toy_runs import PRINTED, SYSTEMS, TOYS, System
from monitor.studies.found import Against, Check

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
    from monitor.ranked.genderedness_toy import PROFESSIONS

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
