"""Counts of terms in batches are those of one token at a time."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from monitor.ranked.texts import count_terms, counts_of_words
from monitor.ranked.words import tokenise
from monitor.text.terms import Terms, default_terms
from monitor.text.tokens import tokens

TERMS = Terms.of(
    {
        "a": ["she", "grandmother", "grandmothers", "élan", "a1"],
        "b": ["he", "grandmothering", "s", "2", "schoolgirl"],
        "c": ["grandmot", "tür"],
    }
)
PIECES = st.sampled_from(
    ["she", "She", "HE", "he's", "grandmother", "GRANDMOTHERS", "grandmot", "grandmothering", "a1",
     "A1_s", "s", " ", "  ", "\n", "\t", ".", "-", "_", "\0", "\x1c", "\x85", "x", "élan", "Élan",
     "tür", "TÜR", "İ", "ſhe", "ﬁ", "²", "她", "0123456789", "schoolgirl", "schoolgirls", "\x7f"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=30)


def one_by_one(texts, terms):
    rows = []
    for text in texts:
        found = tokens(text or "")
        rows.append([sum(word in group for word in found) for _, group in terms.groups])
    return rows


@given(st.lists(st.none() | TEXTS, max_size=20))
@example(["she"])
@example(["", None, "she", "", "he", ""])
@example(["grandmother"] * 3)
@example([" she ", "she ", " she"])
@settings(max_examples=300, deadline=None)
def test_every_text_is_counted_as_by_its_tokens(texts):
    found = count_terms([(str(at), text) for at, text in enumerate(texts)], TERMS)
    assert found.counts.shape == (len(texts), 3)
    assert found.counts.tolist() == one_by_one(texts, TERMS)
    assert found.lengths.tolist() == [len(tokens(text or "")) for text in texts]
    assert found.known.tolist() == [text is not None for text in texts]
    assert found.counts.dtype == found.lengths.dtype == np.int64


def test_more_texts_than_one_batch():
    words = sorted(word for _, group in default_terms().groups for word in group)
    texts = {str(at): f"{words[at % len(words)]} stands here, {at}" for at in range(1500)}
    texts["700"], texts["701"], texts["702"] = None, "", "élan of HER"
    found = count_terms(texts, default_terms())
    assert found.counts.tolist() == one_by_one(texts.values(), default_terms())
    again = counts_of_words(tokenise(texts), default_terms())
    assert (found.counts == again.counts).all()
    assert (found.lengths == again.lengths).all()
