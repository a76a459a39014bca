import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.lexicons.lexicon import Lexicon
from monitor.measures import parse
from monitor.measures.gsr.gsr import MEASURE, Gsr
from monitor.model import Context, InvalidInput
from monitor.names import format_name
from monitor.ranked.lists import lists_of
from monitor.ranked.texts import count_terms
from monitor.ranked.words import tokenise
from monitor.stats.regression import fit_line
from monitor.text.terms import default_terms
from monitor.text.tokens import stop_words
from tests.cases import check_each
from tests.measures.gsr import LEXICON, SCORES, by_hand, made, scored, steep


@check_each(
    ("chosen", "hand"),
    [
        ({}, {}),
        ({"exclude": "exact"}, {"exclude": "exact"}),
        ({"exclude": "none"}, {"exclude": "none"}),
        ({"stopwords": "published"}, {"stops": stop_words(published=True)}),
        ({"discount": "none"}, {"weight": lambda _: 1}),
        ({"discount": "code"}, {"weight": lambda r: 1 / max(1, math.log2(r))}),
    ],
)
@check_each("seed", range(3))
def test_the_slope_is_that_of_the_formulas(seed, chosen, hand):
    given = made(seed)
    x, y = by_hand(*given, **hand)
    found = scored(*given, measure=Gsr(floor=3, **chosen))
    assert list(found.per_query.values()) == pytest.approx(y, abs=1e-11)
    assert found.value == pytest.approx(fit_line(x, y).slope, abs=1e-11)
    assert found.slope_se == pytest.approx(fit_line(x, y).se, abs=1e-11)
    assert found.details["slope_se_hc3"] == pytest.approx(fit_line(x, y).hc3, abs=1e-11)
    assert (found.planned, found.used, found.documents, found.missing) == (12, 12, 72, 0)
    assert found.low < found.value < found.high
    assert found.bound_low == found.value == found.bound_high


def test_a_document_of_many_queries_leaves_out_the_terms_of_each():
    _, texts, asked = made(1)
    run = {query: list(texts)[n:] + list(texts)[:n] for n, query in enumerate(asked)}
    x, y = by_hand(run, texts, asked)
    assert scored(run, texts, asked).value == pytest.approx(fit_line(x, y).slope, abs=1e-11)


def test_a_cut_off_looks_at_the_first_ranks():
    run, texts, asked = made(2)
    cut = {query: some[:3] for query, some in run.items()}
    assert scored(run, texts, asked, measure=Gsr(floor=3, cutoff=3)).value == pytest.approx(
        scored(cut, texts, asked).value, abs=1e-14
    )


def test_the_slope_does_not_change_when_the_direction_turns_round():
    turned = Lexicon.of("turned", {word: -score for word, score in SCORES.items()})
    found, other = scored(*made(3)), scored(*made(3), lexicon=turned)
    assert other.value == pytest.approx(found.value, abs=1e-12)
    assert (other.low, other.high) == pytest.approx((found.low, found.high), abs=1e-12)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_repeating_every_text_changes_nothing(seed, times):
    run, texts, asked = made(seed)
    more = {key: " ".join([text] * times) for key, text in texts.items()}
    found, other = scored(run, texts, asked, draws=0), scored(run, more, asked, draws=0)
    assert other.value == pytest.approx(found.value, abs=1e-12)


def test_words_read_before_give_the_same():
    run, texts, asked = made(4)
    found, other = scored(run, tokenise(texts), asked), scored(run, texts, asked)
    assert (found.value, found.low, found.per_query) == (other.value, other.low, other.per_query)


def test_counts_of_group_terms_are_no_words():
    run, texts, asked = made(4)
    with pytest.raises(InvalidInput, match="where words are needed"):
        scored(run, count_terms(texts, default_terms()), asked)


def test_documents_without_a_word_that_counts_are_dropped_and_the_others_keep_their_ranks():
    run, texts, asked = made(5)
    texts = dict(texts)
    for query in run:
        texts[run[query][1]] = "unknown the 42"
        texts[run[query][2]] = ""
        texts[run[query][3]] = asked[query]  # nothing but the query itself
    found = scored(run, texts, asked)
    kept = [0, 4, 5]
    for query, value in found.per_query.items():
        weights = [1 / math.log2(rank + 2) for rank in kept]
        single = [by_hand({query: [run[query][r]]}, texts, asked)[1][0] for r in kept]
        assert value == pytest.approx(np.average(single, weights=weights), abs=1e-12)
    assert found.details["documents_dropped"] == 36
    assert (found.missing, found.empty) == (0, 12)
    assert found.bound_low == found.value == found.bound_high


def missing_in(run, texts, gone):
    return {key: None if key in gone else text for key, text in texts.items()}


def test_missing_documents_are_bounded_exactly():
    run, texts, asked = made(6, queries=6, documents=3)
    gone = {run["q00"][0], run["q03"][2]}
    found = scored(run, missing_in(run, texts, gone), asked)
    values = []
    for first, second in itertools.product((LEXICON.low, LEXICON.high), repeat=2):
        ends = dict(zip(sorted(gone), (first, second), strict=True))
        y = []
        for query, some in run.items():
            g = [ends.get(one) for one in some]
            known = [by_hand({query: [one]}, texts, asked)[1][0] for one in some]
            g = [k if e is None else e for e, k in zip(g, known, strict=True)]
            y.append(np.average(g, weights=[1 / math.log2(r + 2) for r in range(3)]))
        values.append(fit_line([SCORES[asked[q]] for q in run], y).slope)
    assert (found.bound_low, found.bound_high) == pytest.approx(
        (min(values), max(values)), abs=1e-12
    )
    assert found.missing == 2
    assert found.bound_low < found.value < found.bound_high
    assert found.low < scored(run, texts, asked).low
    full = scored(run, texts, asked).value
    assert found.bound_low <= full <= found.bound_high


def test_documents_that_nobody_gave_are_missing_and_not_neutral():
    run, texts, asked = made(6)
    gone = {run["q00"][0]}
    absent = {key: text for key, text in texts.items() if key not in gone}
    one, two = scored(run, absent, asked), scored(run, missing_in(run, texts, gone), asked)
    assert (one.value, one.bound_low, one.missing) == (two.value, two.bound_low, 1)


def test_a_query_whose_documents_are_all_missing_has_no_value_but_bounds():
    run, texts, asked = made(7)
    found = scored(run, missing_in(run, texts, set(run["q01"])), asked)
    assert found.per_query["q01"] is None
    assert "6 could not be read" in found.reasons["q01"]
    assert (found.planned, found.used) == (12, 11)
    assert found.bound_low < found.value < found.bound_high


def test_queries_without_a_known_word_are_dropped_and_counted():
    run, texts, asked = made(8)
    found = scored(run, texts, asked | {"q00": "unknown thing", "q01": "the"})
    assert (found.used, found.details["queries_dropped"]) == (10, 2)
    assert "no word of the query counts in lexicon toy" in found.reasons["q00"]
    assert found.per_query["q01"] is None


@pytest.mark.parametrize("floor", [13, 30])
def test_too_few_queries_have_no_slope_and_the_reason_has_the_numbers(floor):
    found = scored(*made(9), measure=Gsr(floor=floor))
    assert found.value is found.low is found.high is found.bound_low is found.slope_se is None
    assert f"12 usable queries of 12 planned, floor {floor}" in found.reason


def test_one_query_has_no_slope():
    run, texts, asked = made(9, queries=1)
    assert "1 usable queries of 1 planned, floor 3" in scored(run, texts, asked).reason
    assert scored({}, {}, {}).value is None


def test_constant_genderedness_of_queries_has_no_slope():
    run, texts, asked = made(9)
    found = scored(run, texts, dict.fromkeys(asked, "nurse"))
    assert found.value is None
    assert "constant" in found.reason
    assert "12 queries" in found.reason


def test_details_say_what_chance_would_make():
    details = scored(*made(10), draws=500).details
    assert details["null_low"] < details["null_mean"] < details["null_high"]
    assert 0 < details["p"] <= 1
    x, _ = by_hand(*made(10))
    assert details["query_mean"] == pytest.approx(x.mean())
    assert details["query_variance"] == pytest.approx(x.var())


def test_influences_of_documents_sum_to_the_slope():
    run, texts, asked = made(11)
    texts[run["q02"][0]] = None
    measure = Gsr(floor=3)
    rows = measure.document_influence(run, texts, queries=asked, lexicon=LEXICON)
    found = scored(run, texts, asked)
    assert math.fsum(row.influence for row in rows) == pytest.approx(found.value, abs=1e-12)
    assert [(row.query, row.rank) for row in rows[:2]] == [("q00", 1), ("q00", 2)]
    of_third = [row for row in rows if row.query == "q02"]
    assert [row.rank for row in of_third] == [2, 3, 4, 5, 6]
    assert sum(row.weight for row in of_third) == pytest.approx(1)
    assert sum(row.weight * row.g for row in of_third) == pytest.approx(found.per_query["q02"])


def test_no_influence_without_a_slope():
    run, texts, asked = made(11)
    with pytest.raises(InvalidInput, match="no slope that a document could move: 12 usable"):
        Gsr().document_influence(run, texts, queries=asked, lexicon=LEXICON)


def test_equal_scores_share_a_rank_where_asked():
    run, texts, asked = made(12)
    given = [5.0, 4.0, 4.0, 4.0, 1.0, 0.5]
    lists = lists_of(run.items(), dict.fromkeys(run, given))
    found = scored(lists, texts, asked, measure=Gsr(floor=3, ties="competition"))
    ranks = [1, 2, 2, 2, 5, 6]
    x, y = by_hand(run, texts, asked, weight=lambda r: 1 / math.log2(ranks[r - 1] + 1))
    assert found.value == pytest.approx(fit_line(x, y).slope, abs=1e-11)
    coded = scored(lists, texts, asked, measure=Gsr(floor=3, ties="competition", discount="code"))
    x, y = by_hand(run, texts, asked, weight=lambda r: 1 / max(1, math.log2(ranks[r - 1])))
    assert coded.value == pytest.approx(fit_line(x, y).slope, abs=1e-11)


def test_the_scores_of_a_table_count_for_ties_as_those_of_a_run_do():
    run, texts, asked = made(12)
    given = [5.0, 4.0, 4.0, 4.0, 1.0, 0.5]
    measure = Gsr(floor=3, ties="competition")
    expected = scored(
        lists_of(run.items(), dict.fromkeys(run, given)), texts, asked, measure=measure
    )
    rows = [
        {"query_id": query, "doc_id": document, "score": score, "rank": rank}
        for query, documents in run.items()
        for rank, (document, score) in enumerate(zip(documents, given, strict=True), 1)
    ]
    for columns in (["query_id", "doc_id", "score", "rank"], ["query_id", "doc_id", "score"]):
        found = scored(pd.DataFrame(rows)[columns], texts, asked, measure=measure)
        assert found.value == pytest.approx(expected.value, abs=1e-12)


def test_ties_need_scores():
    with pytest.raises(InvalidInput, match="needs the ranker's scores"):
        scored(*made(12), measure=Gsr(floor=3, ties="competition"))
    run, texts, asked = made(12)
    lists = lists_of(run.items(), dict.fromkeys(run, [1.0] * 5 + [math.nan]))
    with pytest.raises(InvalidInput, match="has no score"):
        scored(lists, texts, asked, measure=Gsr(floor=3, ties="competition"))


def test_relevant_documents_give_the_slope_of_the_collection():
    run, texts, asked = made(13)
    qrels = {query: {one: int(n < 3) for n, one in enumerate(some)} for query, some in run.items()}
    found = scored(run, texts, asked, qrels=qrels)
    best = {query: some[:3] for query, some in run.items()}
    x, y = by_hand(best, texts, asked, weight=lambda _: 1)
    assert found.details["relevant_slope"] == pytest.approx(fit_line(x, y).slope, abs=1e-11)
    assert found.details["relevant_slope_se"] == pytest.approx(fit_line(x, y).se, abs=1e-11)
    assert found.details["judged_queries"] == 12
    to_depth = scored(run, texts, asked, qrels=qrels, measure=Gsr(floor=3, relevant=True))
    x, y = by_hand(best, texts, asked)
    assert to_depth.value == pytest.approx(fit_line(x, y).slope, abs=1e-11)
    assert to_depth.name == "GSR(floor=3,lexicon=toy,relevant=True)"
    with pytest.raises(InvalidInput, match="relevant=True needs"):
        scored(run, texts, asked, measure=Gsr(floor=3, relevant=True))


def test_too_few_judged_queries_have_no_slope_of_their_own():
    run, texts, asked = made(13)
    found = Gsr().score(run, texts, queries=asked, qrels={"q00": {run["q00"][0]: 1}})
    assert found.value is None
    assert "relevant_slope" not in found.details
    assert found.details["relevant_documents"] == 1
    assert found.details["toy_slope"] == pytest.approx(0.632256, abs=1e-6)
    assert "relative_to_toy" not in found.details


def test_a_query_without_relevant_documents_is_dropped_where_these_set_the_depth():
    run, texts, asked = made(13)
    qrels = {query: {some[0]: 1} for query, some in run.items() if query != "q05"}
    found = scored(run, texts, asked, qrels=qrels, measure=Gsr(floor=3, relevant=True))
    assert found.used == 11
    assert found.reasons["q05"] == "no relevant document is known"


def test_relative_gsr_has_the_ratio_and_its_fieller_interval():
    scores = steep(0.5) | {k.replace("text", "base"): v for k, v in steep(0.25).items()}
    lexicon = Lexicon.of("steep", scores)
    jobs = [word for word in scores if word.startswith("job")]
    run, base = ({job: [job.replace("job", kind)] for job in jobs} for kind in ("text", "base"))
    texts = {word: word for word in scores}
    found = Gsr(floor=3).score(
        run, texts, queries={job: job for job in jobs}, lexicon=lexicon, baseline=base
    )
    details = found.details
    kinds = ("job", "text", "base")
    x, y, z = ([scores[job.replace("job", kind)] for job in jobs] for kind in kinds)
    assert details["base_slope"] == pytest.approx(fit_line(x, z).slope, abs=1e-9)
    ratio = fit_line(x, y).slope / fit_line(x, z).slope - 1
    assert details["relative_gsr"] == pytest.approx(ratio, abs=1e-9)
    assert 0.5 < details["relative_low"] < ratio < details["relative_high"] < 1.6
    same = Gsr(floor=3).score(
        run, texts, queries={job: job for job in jobs}, lexicon=lexicon, baseline={"own": run}
    )
    assert same.details["relative_gsr"] == pytest.approx(0, abs=1e-12)
    assert same.details["relative_high"] == pytest.approx(0, abs=1e-6)


def test_nothing_is_relative_to_a_slope_that_could_be_0():
    run, texts, asked = made(14)
    found = scored(run, texts, asked, baseline=made(14)[0])
    assert "base_slope" in found.details
    assert "relative_gsr" not in found.details


def test_the_baseline_can_be_the_relevant_documents():
    run, texts, asked = made(13)
    qrels = {query: dict.fromkeys(some[:3], 1) for query, some in run.items()}
    found = scored(run, texts, asked, qrels=qrels, baseline="qrels")
    assert found.details["base_slope"] == pytest.approx(found.details["relevant_slope"])


def test_a_lexicon_of_another_language_is_refused():
    with pytest.raises(InvalidInput, match="language 'pt'"):
        scored(*made(), lexicon=Lexicon.of("toy", SCORES, "pt"))
    with pytest.raises(InvalidInput, match="language 'pt'"):
        Gsr().derive([], Context(1, lexicons=(Lexicon.of("toy", SCORES, "pt"),)))


def test_what_is_no_lexicon_and_what_lacks_queries_is_refused():
    run, texts, asked = made()
    with pytest.raises(InvalidInput, match="lexicon: int is none"):
        Gsr().score(run, texts, queries=asked, lexicon=3)
    with pytest.raises(InvalidInput, match="give the words of the queries"):
        Gsr().score(run, texts)
    with pytest.raises(InvalidInput, match="not installed"):
        Gsr(lexicon="nowhere").score(run, texts, queries=asked)


def test_a_lexicon_can_be_given_as_a_table_or_a_file(tmp_path):
    path = tmp_path / "own.lexicon"
    path.write_bytes(LEXICON.pack())
    expected = scored(*made()).value
    for lexicon in (SCORES, path, str(path)):
        assert scored(*made(), lexicon=lexicon).value == expected
    run, texts, asked = made()
    named = Gsr(floor=3).score(run, texts, queries=asked, lexicon="glove-6b-50d")
    assert named.value == Gsr(floor=3).score(run, texts, queries=asked).value
    with pytest.raises(InvalidInput, match="queries: 'q00' has 3"):
        scored(run, texts, asked | {"q00": 3})


def test_the_built_in_lexicon_serves_where_none_is_given():
    run, texts, asked = made()
    found = Gsr(floor=3).score(run, texts, queries=asked, draws=0)
    named = Gsr(floor=3, lexicon="glove-6b-50d").score(run, texts, queries=asked, draws=0)
    assert found.value == named.value
    assert (found.name, named.name) == ("GSR(floor=3)", "GSR(floor=3,lexicon=glove-6b-50d)")


def test_names_and_parameters():
    assert parse("GSR(floor=3,exclude=exact)@10") == Gsr(floor=3, exclude="exact", cutoff=10)
    assert format_name(Gsr(cutoff=10, baseline=("a", "b"))) == 'GSR(baseline=["a","b"])@10'
    assert parse('GSR(baseline=["a","b"])@10') == Gsr(cutoff=10, baseline=("a", "b"))
    assert MEASURE.configure(MEASURE.parameters) == MEASURE


@check_each(
    ("name", "value"),
    [
        *itertools.product(["cutoff", "floor"], [0, True, 2.5, "x", []]),
        *itertools.product(["discount", "exclude", "stopwords", "ties"], [None, "x", 1]),
        *itertools.product(["lexicon"], [None, 3, "no such", "A"]),
        *itertools.product(["relevant"], [None, 1, "yes"]),
        *itertools.product(["baseline"], [None, "one", [""], ["a", "a"], [3]]),
        ("floor", 2),
    ],
)
def test_bad_parameters_are_refused(name, value):
    with pytest.raises(InvalidInput, match=f"GSR: {name}"):
        MEASURE.configure({name: value})
