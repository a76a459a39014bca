"""Gender-swapped twins in a corpus: which documents get one, and what is left of a bias."""

import pytest

from monitor.corpus.augment import SHARES, augment_documents, change_of_biases, inexact

DOCUMENTS = [(str(n), f"he saw word{n} and his sister") for n in range(400)]


def test_every_document_is_followed_by_its_twin():
    found = list(augment_documents(DOCUMENTS[:2], SHARES["full"]))
    assert found == [
        ("0", "he saw word0 and his sister"),
        ("0#swapped", "she saw word0 and her brother"),
        ("1", "he saw word1 and his sister"),
        ("1#swapped", "she saw word1 and her brother"),
    ]


def test_half_of_the_documents_get_a_twin_and_none_is_replaced():
    found = list(augment_documents(DOCUMENTS, SHARES["half"], seed=3))
    assert [one for one in found if not one[0].endswith("#swapped")] == DOCUMENTS
    assert 160 < len(found) - len(DOCUMENTS) < 240
    assert found == list(augment_documents(DOCUMENTS, SHARES["half"], seed=3))
    assert found != list(augment_documents(DOCUMENTS, SHARES["half"], seed=4))


def test_words_that_the_swap_does_not_exchange_one_for_one_are_named():
    women = ["she", "her", "hers", "woman", "gal", "madam"]
    men = ["he", "him", "his", "man", "lad", "sir"]
    assert inexact(women, men) == ("her", "hers", "gal", "madam", "him", "his", "lad", "sir")


def test_changes_are_those_of_the_words_that_both_have():
    found = change_of_biases(
        {"a": 1.0, "b": -2.0, "c": 0.0, "gone": 9.0}, {"c": 1.0, "b": 2.0, "a": 0.5}
    )
    assert found.words == ("a", "b", "c")
    assert found.absolute == pytest.approx((0.5 + 4 + 1) / 3)
    assert found.spread == pytest.approx(((0.5**2 + 4**2 + 1) / 3 - (5.5 / 3) ** 2) ** 0.5)
    assert found.relative == pytest.approx((0.5 + 2) / 2)
    assert found.largest[0] == ("b", -2.0, 2.0)
    assert change_of_biases({"a": 1.0}, {"b": 1.0}) is None
    assert change_of_biases({"a": 0.0}, {"a": 1.0}).relative is None
