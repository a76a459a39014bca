"""Noun lemmas, and the words that a query excludes."""

import gzip
import subprocess
import sys
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from monitor.text.nouns import _ENDINGS, _load_table, forms_to_exclude, noun_lemmas, same_noun
from tests.cases import check_each

LEMMAS = {
    "women": {"woman"},
    "policemen": {"policeman"},
    "nurses": {"nurse"},
    "ladies": {"lady"},
    "wolves": {"wolf"},
    "knives": {"knife"},
    "boxes": {"box"},
    "churches": {"church"},
    "dishes": {"dish"},
    "waltzes": {"waltz"},
    "glasses": {"glass", "glasses"},
    "axes": {"ax", "axe", "axis"},
    "mice": {"mouse"},
    "data": {"data", "datum"},
    "nurse": {"nurse"},
    "quickly": {"quickly"},
    "zzxqs": {"zzxqs"},
    "": {""},
}


@check_each(("word", "lemmas"), LEMMAS.items())
def test_lemmas(word, lemmas):
    assert noun_lemmas(word) == lemmas


@check_each(
    ("a", "b", "same"),
    [
        ("nurse", "nurses", True),
        ("woman", "women", True),
        ("axes", "axis", True),
        ("quickly", "quickly", True),
        ("nurse", "nursing", False),
        ("woman", "man", False),
        ("zzxq", "zzxqs", False),
    ],
)
def test_same_noun(a, b, same):
    assert same_noun(a, b) is same
    assert same_noun(b, a) is same


def test_a_query_excludes_its_words_and_their_other_forms():
    vocabulary = {"nurse", "nurses", "nursing", "women", "woman", "man", "wage", "of"}
    excluded = forms_to_exclude(["wages", "of", "women", "nurses"], vocabulary)
    assert excluded == {"nurse", "nurses", "women", "woman", "wage", "of"}
    assert forms_to_exclude([], vocabulary) == set()
    assert forms_to_exclude(["nurse"], set()) == set()


def _variants(word):
    """A word, what it could be a form of, and what could be a form of it."""
    yield word
    for old, new in _ENDINGS:
        yield word + old
        if word.endswith(old):
            yield word[: -len(old)] + new
        if new and word.endswith(new):
            yield word[: -len(new)] + old


_KNOWN = st.sampled_from(sorted(_load_table().nouns)) | st.sampled_from(
    sorted(_load_table().lemmas)
)
_ANY = _KNOWN | st.text("aeimnsvxyz", max_size=6)


@given(st.lists(_ANY, max_size=3), st.lists(_ANY, max_size=8))
def test_exclusion_is_the_pairwise_definition(query, others):
    vocabulary = {form for word in [*query, *others] for form in _variants(word)}
    vocabulary |= {form for word in list(vocabulary) for form in noun_lemmas(word)}
    pairwise = {w for w in vocabulary if any(same_noun(token, w) for token in query)}
    assert forms_to_exclude(query, vocabulary) == pairwise


def test_exclusion_over_every_irregular_form():
    vocabulary = set(_load_table().lemmas) | {
        lemma for ls in _load_table().lemmas.values() for lemma in ls
    }
    by_lemma = {}
    for word in vocabulary:
        for lemma in noun_lemmas(word):
            by_lemma.setdefault(lemma, set()).add(word)
    for word in vocabulary:
        pairwise = set().union(*(by_lemma[lemma] for lemma in noun_lemmas(word)))
        assert forms_to_exclude([word], vocabulary) == pairwise | {word}


def test_the_table_is_read_only_when_a_word_is_looked_up():
    code = (
        "from monitor.text import nouns\n"
        "assert nouns._load_table.cache_info().currsize == 0\n"
        "nouns.noun_lemmas('women')\n"
        "assert nouns._load_table.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_notice_of_wordnet_is_in_the_table():
    packed = files("monitor.data").joinpath("english_nouns.txt.gz").read_bytes()
    notice = gzip.decompress(packed).decode("ascii").split("\n\n")[0]
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in notice
    assert 'THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS"' in notice
