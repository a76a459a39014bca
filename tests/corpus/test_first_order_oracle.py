"""Equal to published values: bias of 140 occupations in 106 encyclopaedia articles."""

import csv
import gzip
import json

import pytest

from monitor.corpus.bias import Method, first_order, high_order
from monitor.corpus.concepts import correlate_shares, default_concepts
from monitor.corpus.counting import count
from monitor.corpus.encoding import EncodingRules, Tokens, encode_documents
from monitor.corpus.pmi import AssociationKind, Pmi
from tests.corpus.small import number_texts


@pytest.fixture(scope="module")
def oracle(reference_data):
    return json.loads((reference_data / "oracles" / "g1_counts_pmi.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def counts(reference_data):
    path = reference_data / "oracles" / "enwiki106.json.gz"
    articles = json.loads(gzip.decompress(path.read_bytes()))
    rules = EncodingRules(tokens=Tokens.BLANKS, min_count=3)
    return count(encode_documents(number_texts(articles), rules), window=5)


@pytest.fixture(scope="module")
def targets(reference_data):
    """Shares of women as the oracle took them, by word."""
    files = {"labor_winobias": "labour_us_cps_winobias", "census": "labour_us_census_2015"}
    found = {}
    for name, file in files.items():
        with (reference_data / "data" / f"{file}.csv").open(encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        found[name] = {row["occupation"]: float(row["share_women"]) for row in rows}
    return found


def agrees(biases, told, targets):
    """Correlations with both targets are the oracle's."""
    for name, expected in told.items():
        by_name = {one.name: one for one in correlate_shares(biases, targets[name])}
        for coefficient, one in by_name.items():
            assert one.value == pytest.approx(expected[coefficient], abs=1e-9)
            assert (one.n, one.n_total) == (expected["n"], expected["n_total"])
            assert list(one.missing) == expected["missing"]
        assert set(by_name) == {"spearman", "pearson"}


@pytest.mark.parametrize("cds", [1.0, 0.75])
@pytest.mark.parametrize("kind", list(AssociationKind))
def test_average_first(oracle, counts, targets, kind, cds):
    told = oracle["average_first"][f"{kind.name}_cds{cds}"]
    concepts = default_concepts()
    found = first_order(Pmi(counts, kind, cds), concepts.occupations, concepts, floor=None)
    measured = {one.word: one for one in found.words if one.value is not None}
    assert set(measured) == set(told["per_word"])
    assert sorted(found.women) == oracle["female_words"]
    assert sorted(found.men) == oracle["male_words"]
    for word, values in told["per_word"].items():
        one = measured[word]
        got = [one.women, one.men, one.value]
        assert got == pytest.approx([values["f"], values["m"], values["bias"]], abs=1e-9)
    agrees(found.values, told["correlation"], targets)


@pytest.mark.parametrize("method", list(Method))
def test_high_order(oracle, counts, targets, method):
    told = oracle["high_order_on_PPMI"]
    concepts = default_concepts()
    found = high_order(Pmi(counts), concepts.occupations, concepts, method)
    assert found.values == pytest.approx(told["per_method"][method], abs=1e-9)
    agrees(found.values, told["correlation"][method], targets)
    if method is Method.DIRECTIONAL:
        assert found.explained == pytest.approx(told["per_method"]["explained"], abs=1e-9)
        assert [list(pair[::-1]) for pair in found.pairs] == oracle["pairs_used"]
