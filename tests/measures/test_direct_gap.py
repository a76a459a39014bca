"""direct_gap: documents about women and men in ranked lists, by hand."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from monitor.lexicons.lexicon import Lexicon
from monitor.measures.gsr.direct_gap import MEASURE, DirectGap
from monitor.model import Context, Document, InvalidInput, State, Unit
from tests.cases import check_each

#: Documents by their letter: about women, men, nobody, both alike, without words, not read.
TEXTS = {"w": "She met her sister and him", "m": "He said so", "n": "Rain", "b": "she and he"}
TEXTS |= {"e": "", "?": None}
LEXICON = Lexicon.of("tiny", {"nurse": 0.5, "captain": -0.5, "person": 0.05})
ANY = DirectGap(floor=1)


def documents(letters):
    if letters is None:
        return None
    return tuple(Document(f"{one}{n}", TEXTS[one]) for n, one in enumerate(letters))


def unit(key, *lists, query="person", **tags):
    return Unit(key, tags, (), documents=tuple(map(documents, lists)), query=query)


def library(lists, measure=ANY, **further):
    run = {q: [f"{one}{n}" for n, one in enumerate(letters)] for q, letters in lists.items()}
    texts = {f"{one}{n}": text for one, text in TEXTS.items() for n in range(20)}
    return measure.score(run, texts, **further)


def derive(units, measure=ANY, beside=None, lexicons=(LEXICON,), draws=200):
    context = Context(4, beside=beside or {}, lexicons=lexicons, draws=draws)
    return {(one.name, one.scope): one for one in measure.derive(units, context).values}


@check_each(
    ("letters", "women", "men"),
    [("wwm", 2, 1), ("mmm", 0, 3), ("nb", 0, 0), ("wmwm", 2, 2), ("w", 1, 0), ("wwe?", 2, 0)],
)
def test_log_gap_counts_documents(letters, women, men):
    score = library({"q": letters})
    assert score.value == pytest.approx(math.log((women + 0.5) / (men + 0.5)))
    assert score.details["gap"] == pytest.approx((men + 0.5) / (women + 0.5))
    assert score.details["documents_women"] == women
    assert score.details["documents_men"] == men


def test_it_is_the_mean_over_queries_and_cuts_lists():
    score = library({"q1": "wwm", "q2": "mn"}, DirectGap(cutoff=1, floor=1))
    assert score.value == pytest.approx((math.log(3) + math.log(1 / 3)) / 2)
    assert score.name == "direct_gap(floor=1)@1"


def test_zero_counts_as_in_the_paper_have_no_logarithm_but_a_side():
    paper = DirectGap(zero="paper", floor=1)
    score = library({"q1": "wwm", "q2": "mm", "q3": "n"}, paper, beside={})
    assert score.per_query == {"q1": pytest.approx(math.log(2)), "q2": None, "q3": None}
    assert "no logarithm" in score.reasons["q2"]
    assert "0/0" in score.reasons["q3"]
    none = DirectGap(zero="paper", floor=1, baseline="none")
    details = library({"q1": "wwm", "q2": "mm", "q3": "n"}, none).details
    assert details["share_men_over"] == details["share_women_over"] == 0.5


def test_the_way_with_zeros_can_turn_a_sign():
    """3:1 is more than 14:5 as it is, and with a half on both sides less: 2.33 and 2.64."""
    units, other = [unit("q", "wwwm")], {"other": [unit("q", "w" * 14 + "mmmmm")]}
    half = derive(units, beside=other)
    assert half["share_men_over", "all"].value == 1.0
    paper = derive(units, DirectGap(floor=1, zero="paper"), other)
    assert paper["share_women_over", "all"].value == 1.0
    endless = {"other": [unit("q", "www")]}
    same = derive([unit("q", "w")], DirectGap(floor=1, zero="paper"), endless)
    assert same["share_women_over", "all"].value == same["share_men_over", "all"].value == 0.0


def test_the_baseline_is_the_geometric_mean_of_the_others():
    """Gaps of the others 2.5/.5 and .5/2.5, so 1 together; of three alike there is no rounding."""
    beside = {"x": [unit("q", "ww")], "y": [unit("q", "mm")]}
    found = derive([unit("q", "w")], beside=beside)
    assert found["share_women_over", "all"].value == 1.0
    assert found["share_men_over", "all"].value == 0.0
    assert dict(found["share_men_over", "all"].facts)["baseline_systems"] == 2
    alike = {name: [unit("q", "wwm")] for name in "xyz"}
    found = derive([unit("q", "wwm")], beside=alike)
    assert found["share_women_over", "all"].value == found["share_men_over", "all"].value == 0.0


def test_bins_of_genderedness():
    lists = {"q1": "ww", "q2": "mm", "q3": "wm", "q4": "w"}
    words = {"q1": "the nurse", "q2": "captain", "q3": "person", "q4": "unknown"}
    units = [unit(key, found, query=words[key]) for key, found in lists.items()]
    found = derive(units, DirectGap(floor=1, baseline="none"))
    assert found["share_women_over", "bin:feminine"].value == 1.0
    assert found["share_men_over", "bin:masculine"].value == 1.0
    assert found["share_men_over", "bin:neutral"].value == 0.0
    assert found["log_gap", "bin:feminine"].value == pytest.approx(math.log(5))
    planned = {scope: one.planned for (name, scope), one in found.items() if name == "log_gap"}
    assert planned == {"all": 4, "bin:masculine": 1, "bin:neutral": 1, "bin:feminine": 1}
    score = library(
        lists, DirectGap(floor=1, baseline="none"), queries=words, lexicon=LEXICON, draws=50
    )
    assert score.details["share_women_over:feminine"] == 1.0
    assert score.details["share_men_over:masculine"] == 1.0
    assert score.details["log_gap:feminine"] == pytest.approx(math.log(5))
    moved = derive(units, DirectGap(floor=1, baseline="none", bins=(-0.1, 0.01)))
    assert moved["log_gap", "bin:feminine"].planned == 2


def test_without_a_lexicon_there_are_no_bins():
    found = derive([unit("q", "w")], lexicons=())
    assert found["log_gap", "all"].state is State.MEASURED
    assert found["log_gap", "bin:feminine"].state is State.INSUFFICIENT
    assert "no lexicon" in found["log_gap", "bin:feminine"].reason


def test_relevant_documents_as_the_baseline():
    qrels = {"q": {"m1": 1, "m2": 2, "w3": 0}}
    judged = DirectGap(floor=1, baseline="relevant")
    details = library({"q": "wm"}, judged, qrels=qrels).details
    assert details["share_women_over"] == 1.0
    with pytest.raises(InvalidInput, match="qrels"):
        library({"q": "wm"}, judged)
    units = [replace(unit("q", "wm"), judgements={"m1": 1, "m2": 1})]
    found = derive(units, judged)["share_women_over", "all"]
    # m1 was read with the list, m2 was not: relevant documents are 1 to 2 about men, 0 to 1 women
    assert found.value == 1.0
    assert (found.bound_low, found.bound_high) == (0.0, 1.0)
    bare = derive([unit("q", "wm")], judged)["share_women_over", "all"]
    assert bare.reason == "no relevance judgements are known"


def test_missing_and_empty_documents_bound_the_gap():
    score = library({"q": "wwme?"})
    assert score.value == pytest.approx(math.log(2.5 / 1.5))
    assert score.bound_low == pytest.approx(math.log(2.5 / 3.5))
    assert score.bound_high == pytest.approx(math.log(4.5 / 1.5))
    assert (score.missing, score.empty) == (1, 1)
    unread = library({"q": "??"})
    assert unread.value is None
    assert "none of 2 documents has a text" in unread.reason


def test_missing_documents_bound_the_shares():
    units = [unit("q1", "w?"), unit("q2", "w"), unit("q3", None)]
    found = derive(units, DirectGap(floor=1, baseline="none"))
    women, men = found["share_women_over", "all"], found["share_men_over", "all"]
    assert (women.value, women.bound_low, women.bound_high) == pytest.approx((1, 1 / 3, 1))
    assert (men.value, men.bound_low, men.bound_high) == pytest.approx((0, 0, 1 / 3))
    assert (women.planned, women.answered, women.used) == (3, 2, 2)
    gap = found["log_gap", "all"]
    assert gap.bound_low is None  # a list that nobody saw could hold anything
    cut = derive(units, DirectGap(cutoff=2, floor=1))["log_gap", "all"]
    assert cut.bound_high == pytest.approx((math.log(5) + math.log(3) + math.log(5)) / 3)


def test_a_query_that_a_member_of_the_baseline_lacks_is_not_compared():
    units = [unit("q1", "w"), unit("q2", "w")]
    beside = {"x": [unit("q1", "m"), unit("q2", "m")], "y": [unit("q1", "m"), unit("q2", None)]}
    found = derive(units, beside=beside)["share_women_over", "all"]
    assert (found.used, found.value) == (1, 1.0)
    assert (found.bound_low, found.bound_high) == (0.5, 1.0)
    silent = {"x": beside["x"], "z": [unit("q1", None), unit("q2", None)]}
    found = derive(units, beside=silent)["share_women_over", "all"]
    assert found.used == 2
    assert dict(found.facts)["baseline_systems"] == 1


def test_below_the_floor_there_is_no_value():
    found = derive([unit(f"q{n}", "w") for n in range(9)], DirectGap(baseline="none"))
    for name in ("log_gap", "share_men_over"):
        assert found[name, "all"].state is State.INSUFFICIENT
        assert "floor 10" in found[name, "all"].reason
    found = derive([unit(f"q{n}", "w") for n in range(10)], DirectGap(baseline="none"))
    assert found["log_gap", "all"].state is State.MEASURED


@check_each("units", [[], [unit("q", None)]])
@check_each("measure", [ANY, MEASURE, DirectGap(baseline="none", cutoff=3)])
def test_nothing_in_no_number_out(units, measure):
    found = derive(units, measure)
    assert {name for name, _ in found} == {one.name for one in measure.quantities}
    for value in found.values():
        assert value.state is State.INSUFFICIENT
        assert value.reason
        assert (value.value, value.low, value.high, value.bound_low, value.bound_high) == (
            None,
        ) * 5
        assert value.answered == value.used == 0


def drawn(seed, n=40):
    rng = random.Random(seed)  # noqa: S311 - no secret
    return [
        unit(
            f"q{at:02}",
            *("".join(rng.choices("wwmmnbe?", k=rng.randint(0, 6))) for _ in range(2)),
            None,
            query=rng.choice(["nurse", "captain", "person", "thing", "captain nurse"]),
            gender_neutral=rng.choice(["yes", "no"]),
        )
        for at in range(n)
    ]


TURNED = str.maketrans("wm", "mw")


def turned(units):
    """Women and men change places in every document."""
    letters = {text: one for one, text in TEXTS.items()}
    return [
        replace(
            one,
            documents=tuple(
                None
                if some is None
                else tuple(
                    Document(each.key, TEXTS[letters[each.text].translate(TURNED)]) for each in some
                )
                for some in one.documents
            ),
        )
        for one in units
    ]


@pytest.mark.parametrize("measure", [ANY, DirectGap(baseline="none", floor=1, zero="paper")])
def test_swapping_women_and_men_is_the_declared_symmetry(measure):
    units, beside = drawn(1), {"x": drawn(2), "y": drawn(3)}
    plain = derive(units, measure, beside)
    swap = derive(turned(units), measure, {name: turned(some) for name, some in beside.items()})
    partner = {"share_men_over": "share_women_over", "share_women_over": "share_men_over"}
    ends = (("value", "value"), ("low", "high"), ("bound_low", "bound_high"))
    assert plain
    for (name, scope), value in plain.items():
        other = swap[partner.get(name, name), scope]
        assert (other.state, other.used) == (value.state, value.used)
        for one, two in ends:
            odd = name == "log_gap"
            before, after = getattr(value, one), getattr(other, two if odd else one)
            expected = -before if odd and before is not None else before
            assert after == pytest.approx(expected, abs=1e-9), (name, scope, one)


def test_order_of_units_does_not_matter_and_bounds_hold():
    units, beside = drawn(5), {"x": drawn(6)}
    context = Context(1, beside=beside, lexicons=(LEXICON,), draws=100)
    expected = ANY.derive(units, context)
    shuffled = random.Random(9).sample(units, len(units))  # noqa: S311
    assert ANY.derive(shuffled, context) == expected
    assert {one.scope for one in expected.values} == {
        "all", "tag:gender_neutral=yes", "bin:masculine", "bin:neutral", "bin:feminine",
    }  # fmt: skip
    ranges = {one.name: (one.low, one.high) for one in ANY.quantities}
    for value in expected.values:
        low, high = ranges[value.name]
        assert value.planned >= value.answered >= value.used
        for number in (value.value, value.low, value.high, value.bound_low, value.bound_high):
            assert number is None or (type(number) is float and low <= number <= high)
        if value.value is not None and value.bound_low is not None:
            assert value.bound_low <= value.value <= value.bound_high
        assert all(math.isfinite(number) for _, number in value.facts)
    gaps = {one.key: one for one in expected.queries}
    assert len(gaps) == 40
    assert gaps["q00"].quantity == "log_gap"


def test_unit_is_the_gap_of_a_query():
    assert MEASURE.unit(unit("q", "ww", "mm")) == pytest.approx((0.0,))
    assert MEASURE.unit(unit("q", None)) is None
    assert MEASURE.unit(unit("q", "??")) is None


def test_reduce_is_the_weighted_mean_of_each_group():
    table, groups = np.array([[1.0], [3.0], [5.0]]), np.array([0, 0, 2])
    found = MEASURE.reduce(table, groups, np.array([[1.0, 3.0, 1.0]]))
    assert found[0, [0, 2]].tolist() == [2.5, 5.0]
    assert np.isnan(found[0, 1])
    assert MEASURE.reduce(table[:0], groups[:0], np.zeros((2, 0))).shape == (2, 0)


def test_a_lexicon_of_another_language_is_refused():
    other = Lexicon.of("pt", {"enfermeira": 0.5}, language="pt")
    with pytest.raises(InvalidInput, match="language 'pt'"):
        derive([unit("q", "w")], lexicons=(other,))
    with pytest.raises(InvalidInput, match="language 'pt'"):
        library({"q": "w"}, queries={"q": "enfermeira"}, lexicon=other)


@check_each(
    ("name", "bad"),
    [
        *(
            ("bins", bad)
            for bad in (None, [], [0.1], [0.1, -0.1], [0, 2], "no", [0, "1"], [0, True])
        ),
        *(("zero", bad) for bad in (None, 1, "no such")),
        *(("baseline", bad) for bad in (None, "all", 3)),
        *(("cutoff", bad) for bad in (0, -1, True, 2.5, "10", [])),
        *(("floor", bad) for bad in (None, 0, True, 2.5, [])),
        *(("lexicon", bad) for bad in (None, 1, "no such", [])),
    ],
)
def test_bad_parameters(name, bad):
    with pytest.raises(InvalidInput, match=name):
        MEASURE.configure({name: bad})


def test_parameters_round_trip():
    assert MEASURE.configure(MEASURE.parameters) == MEASURE
    changed = MEASURE.configure({"bins": [-0.2, 0.3], "zero": "paper"})
    assert changed.configure(changed.parameters) == changed
    assert changed != MEASURE


def test_the_words_of_a_share_are_about_the_gender_of_its_name():
    words = {quantity.name: quantity.meaning for quantity in MEASURE.quantities}
    for who in ("men", "women"):
        meaning = words[f"share_{who}_over"]
        assert f"too many {who}" in meaning.label
        assert f"too many {who} for more" in meaning.up
