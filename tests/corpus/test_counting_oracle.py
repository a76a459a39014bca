"""Counts of 106 articles of Wikipedia against the oracle, exactly."""

import gzip
import json

import pytest

from monitor.corpus.counting import count
from monitor.corpus.encoding import EncodingRules, Tokens, encode_documents
from tests.corpus.small import number_texts


@pytest.fixture(scope="module")
def oracle(reference_data):
    return json.loads((reference_data / "oracles" / "g1_counts_pmi.json").read_text())


@pytest.fixture(scope="module")
def articles(reference_data):
    with gzip.open(reference_data / "oracles" / "enwiki106.json.gz") as file:
        texts = json.load(file)
    return encode_documents(number_texts(texts), EncodingRules(Tokens.BLANKS, min_count=3))


@pytest.mark.parametrize("threads", [1, 2])
def test_counts_are_those_of_the_oracle(articles, oracle, threads):
    found = count(articles, threads=threads)
    ids = articles.vocabulary.ids
    assert len(found.vocabulary) == oracle["vocab_size"]
    assert found.total == oracle["total_pairs"] == found.matrix.sum()
    totals = {word: found.row_totals[ids[word]] for word in oracle["row_totals"]}
    assert totals == oracle["row_totals"]
    gendered = oracle["female_words"] + oracle["male_words"]
    for word, cells in oracle["cell_counts"].items():
        row = found.matrix[[ids[word]]].toarray()[0]
        assert {one: row[ids[one]] for one in gendered if row[ids[one]]} == cells
    assert (
        articles.vocabulary.missing(oracle["missing_gender_words"])
        == (oracle["missing_gender_words"])
    )
