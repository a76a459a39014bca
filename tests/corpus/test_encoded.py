"""Texts become ids: what is kept, what is left out, and folders that are whole or refused."""

import json
from itertools import pairwise

import numpy as np
import pytest

from monitor.corpus import encoding
from monitor.corpus.encoding import (
    EncodingRules,
    Tokens,
    build_corpus,
    encode_documents,
    read_corpus,
)
from monitor.model import InvalidInput
from tests.cases import check_each
from tests.corpus.small import number_texts

TEXTS = [
    "The nurse saw the doctor.",
    "the NURSE saw; the doctor",  # the same tokens
    " ... ",  # none
    "A doctor saw a rare bird",
    "zyzzyva",
    "the doctor",
]


def spelled(corpus):
    words = corpus.vocabulary.words
    ends = corpus.offsets.tolist()
    tokens = corpus.tokens.tolist()
    return [" ".join(words[token] for token in tokens[begin:end]) for begin, end in pairwise(ends)]


def test_rare_words_go_before_windows_and_repeats_count_once():
    found = encode_documents(number_texts(TEXTS), EncodingRules(min_count=2))
    assert found.vocabulary.words == ("doctor", "the", "a", "saw")
    assert found.vocabulary.counts.tolist() == [3, 3, 2, 2]
    assert spelled(found) == ["the saw the doctor", "a doctor saw a", "", "the doctor"]
    assert found.document_keys() == ["1", "4", "5", "6"]
    assert found.documents == 4
    read = found.read
    assert (read.texts, read.empty, read.repeats, read.tokens, read.words) == (6, 1, 1, 14, 8)


def test_repeats_may_be_kept_and_the_vocabulary_capped():
    found = encode_documents(number_texts(TEXTS), EncodingRules(unique=False, most=2))
    assert (found.vocabulary.words, found.read.repeats) == (("the", "doctor"), 0)
    assert spelled(found) == ["the the doctor", "the the doctor", "doctor", "", "the doctor"]


def test_tokens_by_blanks_stay_as_they_are():
    found = encode_documents(
        number_texts(["It's 5 o'clock", "It's late\ud800"]), EncodingRules(Tokens.BLANKS)
    )
    assert found.vocabulary.words == ("It's", "5", "late\ufffd", "o'clock")


@pytest.mark.parametrize("block", [4, 12, 2**23])
def test_blocks_of_any_size_give_the_same(monkeypatch, block):
    whole = encode_documents(number_texts(TEXTS), EncodingRules(min_count=2, subsample=0.2, seed=4))
    monkeypatch.setattr(encoding, "_BLOCK", block)
    again = encode_documents(
        number_texts(iter(TEXTS)), EncodingRules(min_count=2, subsample=0.2, seed=4)
    )
    assert spelled(again) == spelled(whole)
    assert again.digest == whole.digest
    assert again.document_keys() == whole.document_keys()


def test_frequent_words_are_thinned_as_the_threshold_says():
    texts = [f"common common common common rare{number}" for number in range(3000)]
    rules = EncodingRules(subsample=0.2, seed=1)
    found = encode_documents(number_texts(texts), rules)
    stays = np.bincount(found.tokens)[0] / found.vocabulary.counts[0]
    assert stays == pytest.approx(np.sqrt(0.2 / 0.8), abs=0.02)
    assert (np.bincount(found.tokens)[1:] == 1).all()  # shares below the threshold: all stay
    assert found.vocabulary.counts[0] == 12_000
    assert encode_documents(number_texts(texts), rules).digest == found.digest
    assert (
        encode_documents(number_texts(texts), EncodingRules(subsample=0.2, seed=2)).digest
        != found.digest
    )


def test_a_folder_holds_the_same_as_memory(tmp_path):
    told = []
    rules = EncodingRules(min_count=2)
    folder = tmp_path / "corpora" / "small"
    built = build_corpus(number_texts(TEXTS), rules, folder, lambda *done: told.append(done))
    memory = encode_documents(number_texts(TEXTS), rules)
    assert built.digest == memory.digest
    assert (built.rules, built.read) == (rules, memory.read)
    assert spelled(read_corpus(folder)) == spelled(memory)
    assert told[-1] == (4, 14)
    names = ["corpus.json", "keys.txt", "offsets.npy", "tokens.npy", "vocabulary.tsv"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert [path.name for path in folder.parent.iterdir()] == ["small"]
    assert np.load(folder / "tokens.npy").tolist() == memory.tokens.tolist()


def test_a_folder_appears_whole_or_not_at_all(tmp_path):
    def broken():
        yield from number_texts(TEXTS)
        raise OSError("gone")

    folder = tmp_path / "small"
    with pytest.raises(OSError, match="gone"):
        build_corpus(broken(), EncodingRules(), folder)
    assert list(tmp_path.iterdir()) == []
    first = build_corpus(number_texts(TEXTS), EncodingRules(), folder)
    with pytest.raises(InvalidInput, match="is there already; remove it"):
        build_corpus(number_texts(TEXTS), EncodingRules(), folder)
    with pytest.raises(OSError, match="gone"):
        build_corpus(broken(), EncodingRules(), folder, replace=True)
    assert read_corpus(folder).digest == first.digest
    second = build_corpus(number_texts(TEXTS[1:]), EncodingRules(min_count=2), folder, replace=True)
    assert read_corpus(folder).digest == second.digest != first.digest
    (tmp_path / "other").mkdir()
    with pytest.raises(InvalidInput, match="is no corpus and is not replaced"):
        build_corpus(number_texts(TEXTS), EncodingRules(), tmp_path / "other", replace=True)


@check_each(
    ("texts", "rules", "message"),
    [
        ([], EncodingRules(), "corpus is empty: none of 0 texts"),
        (["...", ""], EncodingRules(), "corpus is empty: none of 2 texts"),
        (["one text", "One text!"], EncodingRules(), r"one document only, of 2 tokens \(1 repeats"),
        (
            ["a b", "a c"],
            EncodingRules(min_count=3),
            "no word occurs 3 times: .* of 3 words, 'a', occurs 2",
        ),
    ],
)
def test_what_is_no_corpus_is_said(texts, rules, message):
    with pytest.raises(InvalidInput, match=message):
        encode_documents(number_texts(texts), rules)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"min_count": 0}, "minimum count 0: it must be 1"),
        ({"most": 0}, "largest vocabulary 0: it must be 1"),
        ({"subsample": 1.0}, "subsampling threshold 1.0: it is a share"),
    ],
)
def test_rules_that_cannot_be_are_refused(rule, message):
    with pytest.raises(InvalidInput, match=message):
        EncodingRules(**rule)


@pytest.fixture
def folder(tmp_path):
    build_corpus(number_texts(TEXTS), EncodingRules(), tmp_path / "small")
    return tmp_path / "small"


def _about(folder, **changed):
    path = folder / "corpus.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))


def _signed(folder, name, content):
    """A file of another's making, with the digest that fits."""
    from hashlib import sha256

    (folder / name).write_bytes(content)
    files = json.loads((folder / "corpus.json").read_text())["files"]
    _about(folder, files={**files, name: sha256(content).hexdigest()})


def _arrays(folder, tokens):
    np.save(folder / "made.npy", np.array(tokens))
    _signed(folder, "tokens.npy", (folder / "made.npy").read_bytes())


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "corpus.json").unlink(), "is no corpus, corpus.json is missing"),
        (lambda folder: (folder / "keys.txt").unlink(), "cannot be read: No such file"),
        (lambda folder: _about(folder, format=2), "of format 2, this program reads format 1"),
        (lambda folder: (folder / "corpus.json").write_text("{"), "is damaged"),
        (lambda folder: (folder / "vocabulary.tsv").write_text("a\t1\n"), "vocabulary.tsv: is not"),
        (lambda folder: _signed(folder, "keys.txt", b"1\n"), "keys.txt has another number"),
        (lambda folder: _arrays(folder, np.zeros(13, np.int32)), "offsets.npy does not fit"),
        (lambda folder: _arrays(folder, np.full(14, 8, np.int32)), "ids of no word"),
        (lambda folder: _arrays(folder, np.full(14, -1, np.int32)), "ids of no word"),
        (lambda folder: _arrays(folder, np.zeros(14)), "not rows of whole numbers"),
        (lambda folder: _signed(folder, "tokens.npy", b"no array"), "is damaged"),
    ],
)
def test_a_broken_folder_says_what_is_wrong_and_what_to_do(folder, spoil, message):
    spoil(folder)
    with pytest.raises(InvalidInput, match=message) as raised:
        read_corpus(folder)
    assert "monitor corpus build" in str(raised.value)
