"""The stop list, and the gendered words that stay."""

from importlib.resources import files

from monitor.text.tokens import KEPT, STOP, stop_words, tokens
from tests.cases import check_each


def test_the_list_is_whole_and_every_kept_word_is_on_it():
    listed = files("monitor.data").joinpath("english_stopwords.txt").read_text().split()
    assert len(listed) == len(set(listed)) == 418
    assert set(listed) >= KEPT
    assert set(listed) - KEPT == STOP


@check_each("word", ["she", "her", "hers", "herself", "he", "him", "his", "himself"])
def test_gendered_words_are_no_stop_words(word):
    assert word not in stop_words()


def test_the_published_numbers_drop_him_alone_in_addition():
    assert stop_words(published=True) - stop_words() == {"him"}
    assert stop_words() <= stop_words(published=True)


def test_one_word_of_the_list_is_never_a_token():
    assert [word for word in sorted(STOP) if tokens(word) != [word]] == ["doesn't"]
