"""English pronouns: labelled translations of professions, traps, classes, hostile input."""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.languages.en import LANGUAGE
from monitor.model import Cue, Gender, GenderClass, InvalidInput
from tests.cases import check_each
from tests.languages.classes import LETTERS

# letter, rule, text: translations of "O bir hemşire." and the like, as engines give them
SENTENCES = """
M he He is a carpenter.
F she She is a nurse.
F she She's a nurse.
M he He’s an engineer.
M he He'd like to be a doctor.
F she She'll soon be a teacher.
M he He’ll be a pilot soon.
F she She has been a librarian for two years.
M he He worked as a plumber in another city before.
F she She wants to become a dentist.
M he He has been working here as an electrician since Monday.
M he he is now a chief
F she SHE IS A HAIRDRESSER.
M he HE IS AN ARCHITECT.
F she **She** is a nurse.
M he _He_ is a miner.
F she "She is a secretary."
M he “He is still a soldier.”
F she - She is a nurse
F she 1. She is a nurse.
M he He — an analyst — works here.
F she Now she works here as a manager.
M he Two years ago, he became a police officer.
F she The nurse says that she works here.
M he His job is gardener.
F she Her profession is nursing assistant.
M he The company made him a manager two years ago.
F she They made her a manager two years ago.
M he The job is his.
F she That job is hers.
M he He calls himself a painter.
F she She calls herself a writer.
F she She is a nurse and loves her job.
M he He is a doctor, and his work never ends.
M he He is an IT specialist.
M he He works in IT.
F she She worked in the US as an analyst.
F she It is she who works here as a pharmacist.
F she She is a mail carrier and likes it.
M he He is a teacher and helps them.
F she She is a waitress.
M he He is the businessman of the year.
F she Ms. Kaya: she is a lawyer.
B he_or_she He or she is a nurse.
B he_or_she She or he is a nurse.
B he_or_she He/she is a nurse.
B he_or_she He/She is a nurse.
B he_or_she She/he works here as a cook.
B he_or_she She / he is a nurse.
B he_or_she S/he is a nurse.
B he_or_she s/he's a nurse.
B he_or_she (S)he is a nurse.
B he_or_she (s)he will be a lawyer soon.
B he_or_she He (or she) is a nurse.
B he_or_she He (she) is a nurse.
B he_or_she He's/she's a nurse.
B he_or_she He/she/it is a nurse.
B he_or_she He, she or it is a nurse.
B he_or_she His/her job is accountant.
B he_or_she His or her profession is accountant.
B he_or_she They made him/her a manager.
B he_or_she He or she calls him- or herself a painter.
B he_or_she He or she is a nurse, and his or her job is hard.
B he_or_she He or she is a nurse and does their job.
B he_or_she He-or-she is a nurse.
B he_or_she He is a nurse. / She is a nurse.
B he_or_she She is a nurse. (feminine) He is a nurse. (masculine)
B he_or_she He's a nurse or she's a nurse.
B he_or_she He is new. He is a nurse. / She is new. She is a nurse.
I they They are a nurse.
I they They're a software developer.
I they They have been a clerk for many years.
I they Their profession is nurse.
I they They call themself a painter.
I they They work here as nurses.
I they They like it.
I ze Ze is a nurse.
I xe Xe is a nurse, and the job is xyrs.
N it It is a nurse.
N it It's a baker.
N it It’s an accountant.
N it IT IS A NURSE.
N it Its profession is carpenter.
N it It is said that this person is a pilot.
N avoided A nurse works here.
N avoided The nurse is still here.
N avoided Nurse.
N avoided This person is a nurse.
N avoided I am a nurse.
N avoided You are a nurse.
N avoided O is a nurse.
N avoided This woman is a nurse.
N avoided The man is a nurse.
N avoided A policewoman has been here for two years.
N avoided The lady is a waitress.
N avoided IT specialist for many years.
X mixed He is a nurse and she works here.
X mixed She is a doctor, and his work never ends.
X mixed He is a nurse and loves her job.
X mixed He or she is a nurse, but he works here.
X mixed He or her brother is a nurse.
X mixed She is a nurse. The pronoun can also mean he or she.
U not_english O bir hemşire.
U not_english O, her gün burada çalışıyor.
U not_english Hän on nyt opettaja.
U not_english He ovat hoitajia.
U not_english Ő itt tanár.
U not_english Ta on nüüd õpetaja.
U not_english او پرستار است.
U not_english তিনি একজন শিক্ষক।
U not_english He trabajado como enfermera.
U not_english Ze is een verpleegkundige.
U not_english Hun er sykepleier her.
U not_english Sie will Krankenschwester werden.
U not_english Er war hier Lehrer.
U not_english Ele é um enfermeiro e trabalha as noites.
U not_english Ez most egy orvos.
U not_english He.
U not_english 12345 !!!
U not_english asdf qwer
"""

# letter, text: letters that are in a pronoun and are none
TRAPS = """
N The sheet is there.
N These are their-like words of the theory.
N The ashes are here.
N This is a she-wolf.
N He-Man is a hero of the year.
N HER2 is a protein for a chemist.
N The hérbs are here for the cook.
N Theirry is a sheriff.
N The hes are here.
N The items are in the kit.
F She2 is here, but she works.
F The nurse's she is here.
"""


def cases(table):
    for line in table.strip().splitlines():
        yield line.split(maxsplit=1)


RULED = [(letter, *rest.split(maxsplit=1)) for letter, rest in cases(SENTENCES)]


def read(text):
    """The signal, with what must hold for every text."""
    signal = LANGUAGE.signal(text, Cue.PRONOUN)
    assert signal.rule
    for witness in signal.witnesses:
        assert 0 <= witness.start < witness.end <= len(text)
        assert text[witness.start : witness.end] == witness.text
        assert witness.rule
    return signal


@check_each(("letter", "rule", "text"), RULED)
def test_labelled_translations(letter, rule, text):
    signal = read(text)
    assert (signal.cls, signal.rule) == (LETTERS[letter], rule)


@check_each(("letter", "text"), list(cases(TRAPS)))
def test_letters_inside_other_words_are_no_pronoun(letter, text):
    assert read(text).cls is LETTERS[letter]


@check_each("text", ["", " ", "\n\t", "\u200b", "\ufeff \u00a0"])
def test_nothing_is_unidentified(text):
    signal = read(text)
    assert (signal.cls, signal.rule) == (GenderClass.UNIDENTIFIED, "empty")


def test_witnesses_are_the_pronouns_and_their_places():
    signal = read("Now he's a nurse, and HIS job is hard.")
    assert [(w.text, w.start, w.gender, w.rule) for w in signal.witnesses] == [
        ("he", 4, Gender.MASCULINE, "he"),
        ("HIS", 22, Gender.MASCULINE, "he"),
    ]
    assert (signal.masculine, signal.feminine) == (2, 0)
    [offer] = read("Now he's / she's a nurse.").witnesses
    assert (offer.text, offer.gender) == ("he's / she", Gender.BOTH)
    [offer] = read("Now (s)he is a nurse.").witnesses
    assert (offer.text, offer.gender, offer.rule) == ("(s)he", Gender.BOTH, "he_or_she")
    mixed = read("He is a nurse and she works here.")
    assert [w.rule for w in mixed.witnesses] == ["he", "she"]
    assert read("It is a nurse.").witnesses == ()


def test_invisible_characters_are_skipped_and_counted():
    [witness] = read("\ufeffNow s\u00adhe is\u200b a nurse.").witnesses
    assert (witness.text, witness.start, witness.end) == ("s\u00adhe", 5, 9)


@check_each("text", [text for letter, _, text in RULED if "IT " not in text])
def test_case_and_composition_change_nothing(text):
    expected = read(text)
    for variant in (text.lower(), unicodedata.normalize("NFD", text), f"🙂 {text}\n"):
        assert (read(variant).cls, read(variant).rule) == (expected.cls, expected.rule)
    if " IT" not in text and " US" not in text:
        assert read(text.upper()).cls is expected.cls


def test_english_has_no_other_cue():
    assert LANGUAGE.cues == {Cue.PRONOUN}
    for cue in set(Cue) - {Cue.PRONOUN}:
        signal = LANGUAGE.signal("She is a nurse.", cue)
        assert (signal.cls, signal.rule) == (GenderClass.UNIDENTIFIED, "no_such_cue")
    assert LANGUAGE.signal("She is a nurse.").rule == "no_such_cue"


def test_nouns_are_not_counted():
    assert LANGUAGE.nouns is False
    assert LANGUAGE.counting(nouns=False) is LANGUAGE
    with pytest.raises(InvalidInput, match="by its pronouns"):
        LANGUAGE.counting(nouns=True)


PIECES = st.sampled_from(
    "he She HIS her's himself they them it IT its is a nurse or / ( ) (s)he s/he , - ’ ' * _ | \n "
    "bir and/or he-or-she hıs ſhe İT \u0301 \u200b \u00ad . ze".split(" ")
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=40), st.sampled_from(["", " "]))
def test_any_text_is_read(pieces, between):
    text = between.join(pieces)
    signal = read(text)
    genders = {witness.gender for witness in signal.witnesses}
    if signal.cls is GenderClass.MASCULINE:
        assert genders == {Gender.MASCULINE}
    if signal.cls is GenderClass.FEMININE:
        assert genders == {Gender.FEMININE}
    assert bool(genders) == (signal.cls not in {GenderClass.NONE, GenderClass.UNIDENTIFIED})


UNITS = ["he ", "he/", "she or ", "(s)he ", "it ", "IT ", "they/", "he, ", "he (", "h", "-", "'"]


@check_each("unit", [*UNITS, "a\u0301", "\u200b", "he is. she is. ", "he is / "])
def test_long_input_takes_steps_in_proportion(unit):
    """Counted in function calls, not seconds: twice the text, at most about twice the work."""
    whole = ("She is " + unit * 10_000)[:10_000]
    assert _calls(whole) <= 3 * _calls(whole[:5_000]) + 1_000


def _calls(text):
    count = 0

    def step(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(step)
    try:
        LANGUAGE.signal(text, Cue.PRONOUN)
    finally:
        sys.setprofile(None)
    return count
