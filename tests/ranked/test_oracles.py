"""Values of reference code and of independent implementations, as far as they are given."""

import json

import pytest

from monitor.measures import count_terms, parse
from tests.cases import check_each

EXACT, WITHIN = 1e-12, 1e-10
BACKGROUNDS = {"own_list": "list", "pool50": "union", "whole_collection": "collection"}


def read(folder, name):
    return json.loads((folder / "oracles" / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def lists(reference_data):
    return read(reference_data, "c1_nfairr_lee.json")


@pytest.fixture(scope="module")
def exposure(reference_data):
    return read(reference_data, "d1_texfair_lee.json")


@pytest.fixture(scope="module")
def words(lists):
    return {group: lists["word_list"][group] for group in "fm"}


@pytest.fixture(scope="module")
def counts(lists, words):
    return count_terms(lists["docs"], words)


def agree(found, expected, within):
    """Every query of the run that has an expected value; returns how many were compared."""
    shared = [query for query in found if query in expected]
    for query in shared:
        if expected[query] is None:
            assert found[query] is None, query
        else:
            assert found[query] == pytest.approx(expected[query], abs=within), query
    return len(shared)


@pytest.mark.parametrize("tau", [0, 1, 2, 5])
def test_neutrality_of_documents(lists, counts, tau):
    from monitor.measures.fairness._term_measures import neutrality

    expected = lists["results"]["tau"][str(tau)]["neutrality"]
    found = neutrality(counts.counts, (0.5, 0.5), tau, raw=False)
    assert dict(zip(counts.documents, found, strict=True)) == pytest.approx(expected, abs=EXACT)


@check_each("tau", [0, 1, 2, 5])
@check_each("background", BACKGROUNDS)
def test_fairr_and_nfairr_on_every_background(lists, counts, words, tau, background):
    expected = lists["results"]["tau"][str(tau)]["background"][background]
    beside = {"pool": lists["pool50"]} if background == "pool50" else {}
    for cutoff, values in expected["NFaiRR"].items():
        name = f"NFaiRR(tau={tau},background={BACKGROUNDS[background]})@{cutoff}"
        score = parse(name).score(lists["run"], counts, beside=beside, terms=words)
        assert agree(score.per_query, values, EXACT) == len(lists["run"])
        plain = parse(f"FaiRR(tau={tau})@{cutoff}").score(lists["run"], counts, terms=words)
        assert agree(plain.per_query, expected["FaiRR"][cutoff], EXACT) == len(lists["run"])
        ideal = {
            query: plain.per_query[query] / value
            for query, value in score.per_query.items()
            if value
        }
        assert agree(ideal, expected["IFaiRR"][cutoff], 1e-11) > 10


@pytest.mark.parametrize("tau", [0, 1, 2, 5])
def test_the_usual_background_is_the_collection_where_it_has_enough_neutral_documents(
    lists, counts, words, tau
):
    expected = lists["results"]["tau"][str(tau)]["background"]["whole_collection"]["NFaiRR"]
    for cutoff, values in expected.items():
        score = parse(f"NFaiRR(tau={tau})@{cutoff}").score(lists["run"], counts, terms=words)
        assert agree(score.per_query, values, EXACT) == len(lists["run"])


MEASURES = {
    "TED": "TED@{k}",
    "TED_plain": "TED(rbdf=False)@{k}",
    "TExFAIR": "TExFAIR@{k}",
    "TExFAIR_plain": "TExFAIR(rbdf=False)@{k}",
    "AWRF_eq14_half": "AWRF@{k}",
    "AWRF_eq14_skip_nonrep": "AWRF(nonrepresentative=skip)@{k}",
}


def compare(exposures, run, texts, cutoff, words, targets=None, strict=False):
    for column, pattern in MEASURES.items():
        name = pattern.format(k=cutoff)
        measure = parse(name)
        if strict and "strict" in measure.parameters:
            measure = measure.configure({"strict": True})
        score = measure.score(run, texts, terms=words, targets=targets)
        expected = {query: row[column] for query, row in exposures.items()}
        assert agree(score.per_query, expected, WITHIN) == len(run)
        for detail, other in (("rbdf", "RBDF"), ("ted_without_rbdf", "TED_plain")):
            known = [row[other] for row in exposures.values() if row[other] is not None]
            if name.startswith("TED@") and len(known) == len(run):
                mean = sum(exposures[query][other] for query in run) / len(run)
                assert score.details[detail] == pytest.approx(mean, abs=WITHIN)


def test_ted_texfair_awrf(exposure, lists, counts, words):
    assert exposure["target_half"]
    for cutoff, expected in exposure["target_half"].items():
        compare(expected, lists["run"], counts, int(cutoff), words)


def test_unequal_targets(exposure, lists, counts, words):
    assert exposure["target_unequal_k10"]
    for key, expected in exposure["target_unequal_k10"].items():
        targets = {part[0]: float(part[1:]) for part in key.split("_")}
        compare(expected, lists["run"], counts, 10, words, targets)


def test_short_lists_of_k_ranks(exposure, lists, counts, words):
    compare(exposure["strict_k20_denominator"], lists["run"], counts, 20, words, strict=True)


def test_edge_cases(exposure, words):
    for name, case in exposure["edge_cases"].items():
        groups = words if isinstance(case["groups"], str) else case["groups"]
        kinds = [(case["docs"], case["expected"], False)]
        if "strict_k_docs" in case:
            kinds.append((case["strict_k_docs"], case["strict_k_denominator"], True))
        for docs, expected, strict in kinds:
            texts = {f"{name} {at}": text for at, text in enumerate(docs)}
            run = {name: list(texts)}
            compare({name: expected}, run, texts, case["k"], groups, case["target"], strict)


def test_published_neutrality_can_be_negative():
    run, texts = {"q": ["d"]}, {"d": "she her hers"}
    quarter = {"women": 0.25, "men": 0.75}
    score = parse("NFaiRR(raw=True,tau=0)@1").score(run, texts, targets=quarter)
    assert score.value == pytest.approx(-0.5, abs=EXACT)
    three = {"f": ["she"], "m": ["he"], "n": ["they"]}
    score = parse("FaiRR(raw=True,tau=0)@1").score(run, {"d": "she"}, terms=three)
    assert score.value == pytest.approx(-1 / 3, abs=EXACT)
