"""What people hand to measures of ranked lists, and what must never become a number."""

import pandas as pd
import pytest

from monitor.measures import parse
from monitor.measures._library_input import ranked_lists
from monitor.model import InvalidInput
from tests.cases import check_each

TEXTS = {"a": "she", "b": "he", "c": "the north", "d": ""}
SCORES = {"nurse": 0.4, "engineer": -0.3, "typist": 0.2, "she": 0.5, "he": -0.5}


def test_a_list_without_any_document_has_no_genderedness():
    queries = dict(zip("qrst", ("nurse", "engineer", "typist", "nurse typist"), strict=True))
    empty = {query: [] for query in queries}
    found = parse("GSR(floor=3)").score(empty, {}, queries=queries, lexicon=SCORES)
    assert (found.value, found.low, found.used) == (None, None, 0)
    assert set(found.per_query.values()) == {None}
    assert "an empty list" in found.reasons["q"]


def test_the_last_bit_of_one_sided_documents_is_no_neutrality():
    groups = {"f": ["she"], "m": ["he"], "n": ["they"]}
    for background in ("list", "run", "union"):
        measure = parse(f"NFaiRR(tau=0,background={background})@10")
        found = measure.score({"q": ["a"]}, TEXTS, terms=groups)
        assert found.value is None
        assert found.reason


def test_an_interval_holds_the_value_whatever_is_missing():
    texts = {"d0": "", "d1": "she he", "d2": "he x"}
    run = {
        "q0": ["d0", "d2", "d1"], "q1": ["d1", "d2", "d0"], "q2": ["d2", "d1", "d0"], "q3": ["d1"],
    }  # fmt: skip
    for name in ("FaiRR@10", "NFaiRR@10", "TExFAIR@10", "TED@10", "AWRF@10"):
        found = parse(name).score(run, texts)
        assert found.low <= found.value <= found.high, name


def test_whole_numbers_are_ids_everywhere():
    run, texts = {1: [1, 2, 3]}, {1: "she", 2: "he", 3: "north"}
    named = {"1": ["1", "2", "3"]}, {"1": "she", "2": "he", "3": "north"}
    one, two = (parse("TExFAIR@3").score(*given) for given in ((run, texts), named))
    assert one.value == two.value
    assert one.missing == 0
    judged = parse("P@3").score(run, qrels={1: {1: 1}})
    assert judged.value == pytest.approx(1 / 3)


@check_each(
    ("run", "words"),
    [
        ({1: ["a"], "1": ["b"]}, "two queries have one id"),
        ({"q": [None]}, "id None"),
        ({"q": [["b"]]}, r"id \['b'\]"),
        ({"q": [float("nan")]}, "id nan"),
    ],
)
def test_what_is_no_id_is_refused(run, words):
    with pytest.raises(InvalidInput, match=words):
        parse("NFaiRR@10").score(run, TEXTS)


def table(**columns):
    return pd.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], **columns})


def test_ranks_written_as_text_are_numbers():
    plain = parse("NFaiRR(tau=0)@3").score(table(rank=[1, 10, 2]), TEXTS)
    assert parse("NFaiRR(tau=0)@3").score(table(rank=["1", "10", "2"]), TEXTS).value == plain.value


@pytest.mark.parametrize("columns", [{"rank": [1, None, 2]}, {"score": [1.0, float("nan"), 2.0]}])
def test_a_rank_or_score_that_is_no_number_is_refused(columns):
    with pytest.raises(InvalidInput, match="is no finite number"):
        parse("NFaiRR@3").score(table(**columns), TEXTS)


def test_two_texts_of_one_document_are_refused():
    texts = pd.DataFrame({"doc_id": ["a", "a"], "text": ["she", "he"]})
    with pytest.raises(InvalidInput, match="document 'a' has two texts"):
        parse("NFaiRR@3").score({"q": ["a"]}, texts)


def test_names_may_have_blanks_and_must_be_texts():
    assert parse("TExFAIR( rbdf = false ) @ 20") == parse("TExFAIR(rbdf=False)@20")
    with pytest.raises(InvalidInput, match="measure None"):
        parse(None)


def test_judgements_are_by_query_and_document():
    with pytest.raises(InvalidInput, match="qrels: give"):
        parse("AP").score({"q": ["a"]}, qrels={"q": ["a"]})


@pytest.mark.parametrize("columns", [("score",), ("rank", "score")])
def test_a_table_with_scores_keeps_them_beside_its_documents(columns):
    given = {"rank": [2, 1, 3], "score": [4.0, 9.5, 4.0]}
    table = pd.DataFrame(
        {"query_id": "q", "doc_id": ["a", "b", "c"], **{name: given[name] for name in columns}}
    )
    lists = ranked_lists(table)
    assert lists.scores.tolist() == [[9.5, 4.0, 4.0]]
    assert [lists.documents[one] for one in lists.table[0]] == ["b", "a", "c"]


def test_a_table_of_ranks_alone_has_no_scores():
    table = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "rank": [1, 2]})
    assert ranked_lists(table).scores is None
