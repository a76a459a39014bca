"""Pairs of sentences out of translations of gender-inducing prompts."""

from hypothesis import given
from hypothesis import strategies as st

from monitor.text.sentence_pairs import (
    Refusal,
    SentencePair,
    cut_quotation,
    find_variants,
    has_variants,
    make_pair,
)
from tests.cases import check_each

#: One translation of `He said: "I am tired."` per language and usage of quotation marks.
QUOTED = {
    "be": ("Ён сказаў: «Я стаміўся».", "Я стаміўся"),
    "hr": ("Rekao je: „Umoran sam.”", "Umoran sam."),
    "hr, guillemets": ("Rekao je: »Umoran sam.«", "Umoran sam."),
    "cs": ("Řekl: „Jsem unavený.“", "Jsem unavený."),
    "cs, said after": ("„Jsem unavený,“ řekl.", "Jsem unavený"),
    "cs, single": ("Řekl: ‚Jsem unavený.‘", "Jsem unavený."),
    "pl": ("Powiedział: „Jestem zmęczony”.", "Jestem zmęczony"),
    "pl, commas": ("Powiedział: ,,Jestem zmęczony''.", "Jestem zmęczony"),
    "ru": ("Он сказал: «Я устал».", "Я устал"),
    "ru, straight": ('Он сказал: "Я устал."', "Я устал."),
    "ru, nested": ("Он сказал: «Я читал «Идиота» дома».", "Я читал «Идиота» дома"),
    "sr": ("Рекао је: „Уморан сам.“", "Уморан сам."),
    "sk": ("Povedal: „Som unavený.“", "Som unavený."),
    "sl": ("Rekel je: »Utrujen sem.«", "Utrujen sem."),
    "sl, low": ("Rekel je: „Utrujen sem.“", "Utrujen sem."),
    "uk": ("Він сказав: «Я втомився».", "Я втомився"),
    "uk, curly": ("Він сказав: “Я втомився.”", "Я втомився."),
    "straight in curly": ('Řekl: “Jsem unavený."', "Jsem unavený."),
}


@check_each(("translation", "inside"), QUOTED.values())
def test_the_quotation_is_cut_out(translation, inside):
    assert cut_quotation(translation) == inside


@check_each(
    "translation", ["", "Řekl, že je unavený.", "Řekl: „Jsem unavený.", 'Řekl: "', "„“", "“ „"]
)
def test_without_a_whole_quotation_there_is_nothing(translation):
    assert cut_quotation(translation) == ""
    assert make_pair(translation, "Řekla: „Jsem unavená.“") is Refusal.NO_QUOTATION


@check_each(
    ("masculine", "feminine", "text"),
    [
        ("Řekl: „Jsem unavený.“", "Řekla: „Jsem unavená.“", "Jsem [unavený|unavená]."),
        ("Он сказал: «Я устал».", "Она сказала: «Я устала».", "Я [устал|устала]"),
        ("Povedal: „Rád spím.“", 'Povedala: "Rada  spím."', None),
        ("Povedal: „Rád spím.“", 'Povedala: "Ráda  spím."', "[Rád|Ráda] spím."),
        ('R: "„Sám, sám“ jsem"', 'R: "„Sama, sám“ jsem"', "„[Sám|Sama], sám“ jsem"),
    ],
)
def test_two_sentences_that_differ_in_one_word_make_a_pair(masculine, feminine, text):
    found = make_pair(masculine, feminine)
    if text is None:
        text = "[Rád|Rada] spím."
    assert isinstance(found, SentencePair)
    assert found.text == text
    assert found.sentences == (
        cut_quotation(masculine).replace("  ", " "),
        cut_quotation(feminine),
    )


@check_each(
    ("masculine", "feminine", "refusal"),
    [
        ("Píšu dopis.", "Píšu dopis.", Refusal.SAME),
        ("Byl jsem unavený.", "Byla jsem unavená.", Refusal.WORDS),
        ("Jsem unavený.", "Jsem moc unavená.", Refusal.LENGTH),
        ("Jsem muž.", "Jsem žena.", Refusal.LETTER),
        ("Unavený jsem.", "unavená jsem.", Refusal.LETTER),
        ("Jsem unavený.", "Jsem unavený!", Refusal.PUNCTUATION),
        ("Jsem unavený.", "Jsem unavená!", Refusal.PUNCTUATION),
        ("Jsem - tu.", "Jsem a tu.", Refusal.PUNCTUATION),
        ("Jsem [unavený].", "Jsem [unavená].", Refusal.MARKS),
        ("Jsem a|b.", "Jsem a|c.", Refusal.MARKS),
    ],
)
def test_everything_else_is_refused_with_its_reason(masculine, feminine, refusal):
    assert make_pair(f"Řekl: „{masculine}“", f"Řekla: „{feminine}“") is refusal
    assert " " in refusal


def test_a_text_gives_back_its_variants():
    found = find_variants("Jsem [unavený|unavená].")
    assert found == SentencePair("Jsem ", "unavený", "unavená", ".")
    assert find_variants(found.text) == found
    for text in ("Jsem tu.", "[a]", "[a|]", "[|b]", "[a|b|c]", "a|b"):
        assert find_variants(text) is None
        assert not has_variants(text)
    assert find_variants("[a|b] [c|d]") is None
    assert has_variants("[a|b] [c|d]")


words = st.text("abčд", min_size=1, max_size=4)


@given(before=st.lists(words, max_size=3), after=st.lists(words, max_size=3), stem=words)
def test_what_is_written_is_read_back(before, after, stem):
    masculine, feminine = (" ".join([*before, stem + end, *after]) for end in ("l", "la"))
    found = make_pair(f"R: „{masculine}“", f"R: „{feminine}“")
    assert found.sentences == (masculine, feminine)
    assert find_variants(found.text) == found


@given(first=st.text(max_size=30), second=st.text(max_size=30))
def test_any_two_texts_give_a_pair_or_a_reason(first, second):
    found = make_pair(f'"{first}"', f'"{second}"')
    if isinstance(found, SentencePair):
        assert find_variants(found.text) == found
        assert found.sentences == (cut_quotation(f'"{first}"'), cut_quotation(f'"{second}"'))
    else:
        assert found in set(Refusal)
