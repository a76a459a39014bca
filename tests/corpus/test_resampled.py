"""Biases in resamples of documents: parts, groups, and the corpus itself."""

import numpy as np
import pytest

from monitor.corpus import resampled
from monitor.corpus.bias import first_order
from monitor.corpus.concepts import Concepts
from monitor.corpus.counting import count
from monitor.corpus.encoding import EncodingRules, encode_documents
from monitor.corpus.pmi import AssociationKind, Pmi
from tests.corpus.small import number_texts

WORDS = ("nurse", "plumber")
LISTS = Concepts.of(["she", "her"], ["he", "his"])


@pytest.fixture(scope="module")
def corpus():
    draw = np.random.default_rng(5)
    some = np.array([*WORDS, *LISTS.women, *LISTS.men, "town", "said"])
    texts = [" ".join(some[draw.integers(len(some), size=9)]) for _ in range(120)]
    return encode_documents(number_texts(texts), EncodingRules(unique=False))


@pytest.fixture(params=[1.0, 0.75])
def asked(corpus, request):
    pmi = Pmi(count(corpus), AssociationKind.PMI, request.param)
    return resampled.ResampleOrder(pmi, WORDS, [True, True], LISTS.women, LISTS.men)


def quiet(_what, _done, _of):
    """Nobody is told."""


def test_every_document_once_gives_the_bias_of_the_corpus(corpus, asked, monkeypatch):
    monkeypatch.setattr(resampled, "bootstrap_weights", lambda g, n, _: np.ones((n, len(g))))
    values = first_order(asked.pmi, WORDS, LISTS).values
    found = resampled.resample_biases(corpus, asked, 3, 0, quiet)
    assert found == pytest.approx(np.array([[values[word] for word in WORDS]] * 3), abs=1e-12)


def test_neither_parts_nor_draws_at_a_time_change_the_draws(corpus, asked, monkeypatch):
    at_once = resampled.resample_biases(corpus, asked, 40, 7, quiet)
    monkeypatch.setattr(resampled, "_TOKENS_AT_ONCE", 50)
    monkeypatch.setattr(resampled, "_NUMBERS_AT_ONCE", 32 * 120)  # blocks of random numbers
    said = []
    found = resampled.resample_biases(corpus, asked, 40, 7, lambda *one: said.append(one))
    assert found == pytest.approx(at_once, abs=1e-12)
    assert said.count(("drawing documents anew", 32, 40)) == 1
    assert len(said) > 20


def test_groups_of_documents_vary_as_documents_do(corpus, asked, monkeypatch):
    single = resampled.resample_biases(corpus, asked, 400, 1, quiet).std(axis=0)
    monkeypatch.setattr(resampled, "GROUPS", 40)
    grouped = resampled.resample_biases(corpus, asked, 400, 1, quiet).std(axis=0)
    assert grouped == pytest.approx(single, rel=0.35)
