"""What every language of the clause reader must stand: hostile input, offsets, wrong languages."""

import time
import tomllib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import registry
from monitor.data import read_toml
from monitor.languages._clauses import DAT_M, FEMININE, INS_M, MASCULINE, ROLE_M, ClauseReader
from monitor.model import Cue, Gender, GenderClass
from tests.cases import check_each
from tests.patience import HANGS

LANGUAGES = {
    code: language
    for code, language in registry.discover("languages").items()
    if isinstance(language, ClauseReader)
}
# "I felt very tired yesterday", masculine and feminine.
PAIRS = {
    "el": ("Χθες ένιωθα πολύ κουρασμένος.", "Χθες ένιωθα πολύ κουρασμένη."),
    "lt": ("Vakar jaučiausi labai pavargęs.", "Vakar jaučiausi labai pavargusi."),
    "lv": ("Vakar es jutos ļoti nogurdināts.", "Vakar es jutos ļoti nogurdināta."),
}
FOREIGN = {
    "en": "I am tired and I have been working all day.",
    "el": "Δεν ξέρω τι είναι αυτό και δεν μου αρέσει.",
    "lt": "Nežinau, kas tai yra, bet man tai labai nepatinka, nes esu pavargusi.",
    "lv": "Es nezinu, kas tas ir, bet man tas ļoti nepatīk, jo esmu nogurusi.",
    "pl": "Nie wiem, co to jest, ale bardzo się cieszę, że to moje.",
    "et": "Ma ei tea, mis see on, aga see meeldib mulle väga.",
    "de": "Ich bin müde und ich weiß nicht, was das ist.",
    "ru": "Я не знаю, что это такое, и мне очень нравится работать.",
}
_PIECES = st.sampled_from(
    [
        *"esu buvau jaučiuosi pavargęs pavargusi laiminga mokytoja save man būti kaip ir".split(),
        *"es esmu biju noguris nogurusi laimīga skolotāja par man būt vienai kā un pati".split(),
        *"εγώ είμαι ήμουν κουρασμένη κουρασμένος μόνη μου ο η ίδια ως και με κάνει που".split(),
        *"laimīgs/a pavargęs(-usi) κουρασμένος/η noguris*usi aš , . : ; ! – ( ) / * „ “ «".split(),
        *["\u200b", "\u0301", "e\u0301", "我", "\n", "\U0001f600", "\u00ad", "2x", "γι'", "'"],
    ]
)
_NOISE = st.lists(st.one_of(_PIECES, st.text(max_size=6)), max_size=40).map(" ".join)
PROFESSIONS = tomllib.loads(
    (Path(__file__).parent / "data" / "professions" / "clauses.toml").read_text("utf-8")
)
every_language = pytest.mark.parametrize("code", sorted(LANGUAGES))


def read(code, text, cue=Cue.AGREEMENT):
    signal = LANGUAGES[code].signal(text, cue)
    for witness in signal.witnesses:
        assert 0 <= witness.start < witness.end <= len(text)
        assert text[witness.start : witness.end] == witness.text
        assert witness.rule
    assert signal.rule
    return signal


def test_every_language_of_the_reader_has_its_sentences():
    assert LANGUAGES.keys() == PAIRS.keys()


@every_language
@check_each("text", ["", "   ", "\n\t", "\u200b \ufeff"])
def test_an_empty_text_cannot_say(code, text):
    signal = read(code, text)
    assert (signal.cls, signal.rule) == (GenderClass.UNIDENTIFIED, "empty")


@check_each(
    ("code", "other"), [(code, other) for code in PAIRS for other in FOREIGN if other != code]
)
def test_another_language_cannot_say(code, other):
    signal = read(code, FOREIGN[other])
    assert signal.cls is GenderClass.UNIDENTIFIED
    assert signal.rule == f"not_{LANGUAGES[code].name.lower()}"


@every_language
def test_quotations(code):
    masculine, feminine = PAIRS[code]
    for opening, closing in ["“”", '""', "„“", "«»"]:
        text = f"{opening}{feminine}{closing} {masculine}"
        assert read(code, text).cls is GenderClass.MASCULINE
        assert read(code, text, Cue.QUOTED).cls is GenderClass.FEMININE
    assert read(code, masculine, Cue.QUOTED).cls is GenderClass.NONE


@every_language
def test_spellings_read_the_same(code):
    for text in PAIRS[code]:
        expected = read(code, text).cls
        assert expected in {GenderClass.MASCULINE, GenderClass.FEMININE}
        for spelling in (
            unicodedata.normalize("NFD", text),
            text.upper(),
            "\ufeff" + text,
            f"<p>{text}</p>",
            text.replace("r", "r\u00ad").replace("ρ", "ρ\u200b"),
        ):
            assert read(code, spelling).cls is expected, spelling


@every_language
def test_offsets_are_those_of_the_text_as_given(code):
    text = "\u200b 17 – " + unicodedata.normalize("NFD", PAIRS[code][1])
    witness = read(code, text).witnesses[-1]
    assert witness.gender is Gender.FEMININE
    assert text.index(witness.text) == witness.start


@every_language
@settings(max_examples=150, deadline=None)
@given(text=_NOISE)
def test_offsets_hold_for_any_text(code, text):
    read(code, text)
    read(code, text, Cue.QUOTED)


@every_language
@check_each(
    "unit",
    [
        "a", "ą", "α ", "ή ", "esu geras, ", "geras ir ", "labai ", "esu ", "geras ", "pati ",
        "noguris un ", "kā ", "esmu labs ", "viens ", "ļoti ", "είμαι καλή και ", "καλή ", "μόνη ",
        "πολύ ", "ο ", "είμαι ", "ως ", "γι' ", '"', "(", "/", "a/b ", "laimīgs(a) ", "*", " - ",
        "sakė: ", "teica: ", "είπε: ", "a\u0301", "\u200b", "b'", "μ'", "8x", "dirbdama ",
    ],
)  # fmt: skip
def test_long_input_takes_linear_time(code, unit):
    text = (PAIRS[code][1] + " " + unit * 30_000)[:30_000]
    start = time.process_time()
    read(code, text)
    read(code, text, Cue.QUOTED)
    assert time.process_time() - start < HANGS


@every_language
def test_nouns_can_be_left_out(code):
    sentence = {
        "el": "Είμαι φοιτήτρια.", "lt": "Esu mokytoja.", "lv": "Es esmu skolotāja.",
    }[code]  # fmt: skip
    assert read(code, sentence).cls is GenderClass.FEMININE
    without = LANGUAGES[code].counting(nouns=False)
    assert without.signal(sentence).cls is GenderClass.NONE
    assert without.counting(nouns=True) == LANGUAGES[code]


@every_language
def test_many_different_words_do_not_fill_the_memory(code):
    for start in range(0, 40_000, 1000):  # more than are kept
        read(code, " ".join(f"w{chr(97 + n % 26)}o{n}" for n in range(start, start + 1000)))


def listed_pairs(code):
    """Every adjective and noun of a language's word list with its feminine."""
    data = read_toml(f"person_words_{code}")
    for pair in data["nouns"].split() + data.get("irregular", "").split():
        yield tuple(pair.split("/"))
    if code == "lt":
        yield from ((f"{w[:-2]}as", f"{w[:-2]}a") for w in data["adjectives_as"].split())
        yield from ((f"{w[:-2]}us", f"{w[:-2]}i") for w in data["adjectives_us"].split())
    elif code == "lv":
        yield from ((w, f"{w[:-1]}a") for w in data["adjectives"].split())
    else:
        for word in data["adjectives"].split():
            yield word, f"{word[:-2]}{'α' if word[-3] in 'αεηιουωάέήίόύώϊϋΐ' else 'η'}"


@every_language
def test_both_forms_of_a_listed_word_say_the_same(code):
    language, oblique = LANGUAGES[code], DAT_M | INS_M | ROLE_M
    one_sided = []
    for masculine, feminine in listed_pairs(code):
        says = language.look_up(masculine) & MASCULINE & ~oblique
        if says != (language.look_up(feminine) & FEMININE) >> 1 & ~oblique:
            one_sided.append(masculine)
    # "βέβαια" is the adverb "of course"; the feminine is "βέβαιη".
    assert one_sided == (["βέβαιος"] if code == "el" else [])


@every_language
def test_nouns_of_occupations_are_read_in_both_genders(code):
    misread = []
    for line in PROFESSIONS[code]["nouns"].strip().splitlines():
        masculine, _, feminine = line.partition(": ")[2].partition("/")
        expected = (GenderClass.MASCULINE, GenderClass.FEMININE)
        if not feminine:
            feminine, expected = masculine, (GenderClass.NONE, GenderClass.NONE)
        for frame in PROFESSIONS[code]["frames"]:
            classes = tuple(read(code, frame.format(n=n)).cls for n in (masculine, feminine))
            if classes != expected:
                misread.append((frame, line, classes))
    assert not misread
