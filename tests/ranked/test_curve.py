"""Many cut-offs over texts that are read once, and two measures on the same queries."""

import pytest

from monitor.measures import count_terms, parse, ranked_lists, tokenise
from monitor.measures.fairness._term_measures import curve
from monitor.model import InvalidInput
from monitor.ranked import texts as counting
from monitor.ranked.score import per_query_correlation
from tests.cases import check_each
from tests.ranked.completions import GROUPS, a_world

RUN = {"a": ["1", "2", "3"], "b": ["3", "2"], "c": ["2"], "d": ["4", "3"]}
TEXTS = {"1": "she her x", "2": "he x she", "3": "stone she her", "4": None, "5": "rock"}


@check_each(
    "name",
    ["NFaiRR", "NFaiRR(background=list)@7", "NFaiRR(background=union)",
     "NFaiRR(background=collection)", "TExFAIR", "TED(strict=True)", "AWRF", "ARB", "FaiRR"],
)  # fmt: skip
def test_a_curve_is_the_scores_at_its_cut_offs(name):
    beside = {"other": {"a": ["5"]}}
    found = curve(name, RUN, TEXTS, cutoffs=[3, 1, 2, 20], beside=beside)
    assert list(found) == [1, 2, 3, 20]
    for cutoff, score in found.items():
        alone = parse(f"{name.split('@')[0]}@{cutoff}").score(RUN, TEXTS, beside=beside)
        assert score.name == alone.name
        assert score.per_query == alone.per_query
        assert (score.low, score.high) == (alone.low, alone.high)
        assert score.details == alone.details


def test_texts_are_read_once(monkeypatch):
    read = []
    count_terms = counting.count_terms

    def counted(texts, terms):
        kept = list(texts)
        read.extend(key for key, _ in kept)
        return count_terms(kept, terms)

    monkeypatch.setattr("monitor.ranked.texts.count_terms", counted)
    curve("TExFAIR", RUN, TEXTS)
    assert sorted(read) == ["1", "2", "3", "4"]


def test_own_terms_and_targets_and_no_cut_off():
    groups, targets = {"a": ["stone"], "b": ["she"]}, {"a": 0.25, "b": 0.75}
    found = curve("TED", RUN, TEXTS, [2], terms=groups, targets=targets)
    expected = parse("TED@2").score(RUN, TEXTS, terms=groups, targets=targets)
    assert found[2].per_query == expected.per_query
    assert curve("TED", RUN, TEXTS, []) == {}
    with pytest.raises(InvalidInput, match="only those of group terms"):
        curve("GSR", RUN, TEXTS)
    with pytest.raises(InvalidInput, match="cutoff"):
        curve("TED", RUN, TEXTS, [0])


def test_correlation_over_the_queries_that_both_have():
    nfairr, texfair = (parse(name).score(RUN, TEXTS) for name in ("NFaiRR@1", "TExFAIR@1"))
    found = per_query_correlation(nfairr, texfair)
    assert found == per_query_correlation(texfair, nfairr)
    assert found.n == 3  # the first document of d is missing
    assert found.pearson == pytest.approx(1.0, abs=0.1)
    assert found.spearman == pytest.approx(1.0)
    few = per_query_correlation(nfairr, parse("TExFAIR@1").score({"a": ["1"]}, TEXTS))
    assert few == (None, None, 1)


def test_counts_serve_every_order_of_the_groups_and_refuse_other_words():
    turned = {"m": ["he"], "f": ["she"]}
    counts = count_terms(TEXTS, {"f": ["she"], "m": ["he"]})
    assert parse("TED").score(RUN, counts, terms=turned).value is not None
    targets = {"f": 0.9, "m": 0.1}
    first = parse("TED").score(RUN, counts, terms=turned, targets=targets)
    second = parse("TED").score(RUN, TEXTS, terms=turned, targets=targets)
    assert first.per_query == second.per_query
    with pytest.raises(InvalidInput, match="counted with other terms"):
        parse("TED").score(RUN, counts)
    with pytest.raises(InvalidInput, match="counts already"):
        count_terms(counts)
    assert (count_terms(tokenise(TEXTS)).counts == count_terms(TEXTS).counts).all()
    assert count_terms({"d": "Mary"}, names=True).counts.sum() == 1


def test_forms_of_a_run():
    expected = parse("NFaiRR@2").score(RUN, TEXTS).per_query
    assert parse("NFaiRR@2").score(ranked_lists(RUN), TEXTS).per_query == expected
    numbers = {query: [int(one) for one in some] for query, some in RUN.items()}
    assert parse("NFaiRR@2").score(numbers, TEXTS).per_query == expected
    for bad in ({"q": "abc"}, {"q": 3}, 5):
        with pytest.raises(InvalidInput, match="run"):
            parse("NFaiRR@2").score(bad, TEXTS)
    for twice in (["1", "2", "3", "1"], [1, "1", 2], ["1", "2", "2"]):
        with pytest.raises(InvalidInput, match=r"query 'q': document '\d' stands twice"):
            parse("NFaiRR@4").score({"q": twice}, TEXTS)
    with pytest.raises(InvalidInput, match="texts: document '1' has 5"):
        parse("NFaiRR@2").score(RUN, {"1": 5})


def test_a_run_of_nothing():
    backgrounds = ("ideal", "shown", "list", "union", "run", "collection")
    names = [f"NFaiRR(background={one})" for one in backgrounds]
    for name in (*names, "FaiRR", "TED", "TExFAIR", "AWRF", "ARB"):
        assert parse(name).score({}, TEXTS).reason == "no query was asked"
        empty = parse(name).score({"q": []}, {})
        assert empty.reasons == {"q": "its list is empty"}
        unknown = parse(name).score({"q": ["nobody"]}, {})
        assert unknown.reasons["q"].startswith("none of its 1 documents has a text")
        assert unknown.missing == 1


def test_a_random_world_has_one_query_per_list():
    run, _, texts, _ = a_world(4, GROUPS[2])
    assert set(parse("TED").score(run, texts).per_query) == set(run)
