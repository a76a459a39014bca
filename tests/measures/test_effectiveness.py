"""AP, P, nDCG and RR as measures: what has a value, what has none, and why."""

import pytest

from monitor.measures.effectiveness.ap import AP
from monitor.measures.effectiveness.ndcg import NDCG
from monitor.measures.effectiveness.p import P
from monitor.measures.effectiveness.rr import RR
from monitor.model import Context, Document, InvalidInput, State, Unit
from tests.cases import check_each

QRELS = {
    "q1": {"a": 1, "b": 2, "c": 0, "z": 1},
    "q2": {"a": 0, "b": 0},
    "q3": {"a": 1},
    "q4": {"a": -1, "b": 3, "c": 1},
}
RUN = {"q1": ["a", "x", "b"], "q2": ["a"], "q4": ["a", "c", "y", "b"], "q5": ["a"]}
#: What ir_measures 0.4.3 gives for q1 and q4.
EXPECTED = {
    "AP": (AP(), 0.5555555555555555, 0.5),
    "AP@2": (AP(cutoff=2), 0.3333333333333333, 0.25),
    "P@10": (P(), 0.2, 0.2),
    "P@2": (P(cutoff=2), 0.5, 0.5),
    "nDCG@10": (NDCG(), 0.6387878864795979, 0.5296052411645183),
    "nDCG@2": (NDCG(cutoff=2), 0.38009376671593426, 0.17376534287144002),
    "RR": (RR(), 1.0, 0.5),
    "AP(rel=2)": (AP(rel=2), 1 / 3, 0.25),
    "RR(rel=2)": (RR(rel=2), 1 / 3, 0.25),
}
MEASURES = [AP(), P(), NDCG(), RR()]


def unit(key, documents, judgements, texts=""):
    lists = None if documents is None else tuple(Document(one, texts) for one in documents)
    return Unit(key, {}, (), documents=(lists,), query=key, judgements=judgements)


def units(text=""):
    return [unit(key, found, QRELS.get(key), text + key) for key, found in RUN.items()]


@check_each("name", EXPECTED)
def test_as_a_library(name):
    measure, q1, q4 = EXPECTED[name]
    score = measure.score(RUN, qrels=QRELS)
    assert score.name == name
    assert [key for key, one in score.per_query.items() if one is not None] == ["q1", "q4"]
    assert score.per_query["q1"] == pytest.approx(q1, abs=1e-12)
    assert score.per_query["q4"] == pytest.approx(q4, abs=1e-12)
    assert score.value == pytest.approx((q1 + q4) / 2)
    assert score.used == 2


def test_what_has_no_value_and_why():
    score = AP().score(RUN, qrels=QRELS)
    assert score.planned == 5
    assert score.reasons == {
        "q2": "none of the judged documents is relevant",
        "q3": "no usable answer",
        "q5": "no relevance judgements are known",
    }
    assert score.details["queries_not_run"] == 1
    assert score.details["documents_unjudged"] == 3  # x, y, and the document of q5
    # q3 could be anything from 0 to 1
    known = 0.5555555555555555 + 0.5
    assert (score.bound_low, score.bound_high) == pytest.approx((known / 3, (known + 1) / 3))


@check_each("measure", MEASURES)
def test_points_equal_the_library_and_need_no_text(measure):
    result = measure.derive(units(), Context(1, draws=100))
    (value,) = result.values
    assert value.state is State.MEASURED
    assert value.value == pytest.approx(measure.score(RUN, qrels=QRELS).value)
    assert (value.planned, value.answered, value.used) == (4, 4, 2)
    assert 0 <= value.low <= value.value <= value.high <= 1
    shuffled = [units()[n] for n in (2, 0, 3, 1)]
    assert measure.derive(shuffled, Context(1, draws=100)) == result
    assert measure.quantities[0].neutral is None


@check_each("measure", MEASURES)
def test_without_judgements_there_is_no_number(measure):
    with pytest.raises(InvalidInput, match="qrels"):
        measure.score(RUN)
    bare = [unit(key, found, None) for key, found in RUN.items()]
    (value,) = measure.derive(bare, Context(1)).values
    assert value.state is State.INSUFFICIENT
    assert "no relevance judgements" in value.reason
    assert value.value is value.bound_low is value.bound_high is None


@check_each("measure", MEASURES)
@check_each("given", [[], [unit("q", None, {"a": 1})]])
def test_nothing_in_no_number_out(measure, given):
    (value,) = measure.derive(given, Context(1)).values
    assert value.state is State.INSUFFICIENT
    assert value.reason
    assert (value.value, value.low, value.high, value.bound_low, value.bound_high) == (None,) * 5


@check_each("measure", MEASURES)
def test_an_answer_without_documents_found_nothing(measure):
    (value,) = measure.derive([unit("q", [], {"a": 1})], Context(1)).values
    assert (value.value, value.used) == (0.0, 1)


def test_an_unanswered_question_is_planned_and_said():
    given = [*units(), unit("q6", None, {"a": 1})]
    (value,) = AP().derive(given, Context(1, draws=0)).values
    assert (value.planned, value.answered, value.used) == (5, 4, 2)
    assert dict(value.facts)["queries_not_run"] == 1


@check_each("grade", ["1", 1.5, None, True, 10**6])
def test_a_grade_that_is_none_is_refused(grade):
    with pytest.raises(InvalidInput, match="query 'q1', document 'a'"):
        NDCG().score({"q1": ["a"]}, qrels={"q1": {"a": grade}})


def test_judgements_of_other_queries_are_refused():
    with pytest.raises(InvalidInput, match="judge none of the run's queries"):
        AP().score({"1": ["a"]}, qrels={"q1": {"a": 1}})


def test_a_gain_changes_graded_values():
    run, qrels = {"q": ["a", "b"]}, {"q": {"a": 1, "b": 3}}
    assert NDCG(gain="exp").score(run, qrels=qrels).value < NDCG().score(run, qrels=qrels).value
    assert NDCG(gain="exp").score(run, qrels=qrels).name == "nDCG(gain=exp)@10"


def test_a_document_under_several_texts_is_judged_by_its_address():
    given = [unit("q1", ["a"], {"a": 1}, "one"), unit("q2", ["a"], {"a": 1}, "two")]
    (value,) = AP().derive(given, Context(1, draws=0)).values
    assert (value.value, value.used) == (1.0, 2)


@check_each("measure", MEASURES)
def test_parameters(measure):
    assert measure.configure(measure.parameters) == measure
    for name in measure.parameters:
        for bad in (True, -1, 0, "no such", 2.5, []):
            with pytest.raises(InvalidInput, match=name):
                measure.configure({name: bad})
