"""Nouns for the first person in the nine Slavic languages: labelled sentences, symmetry, tables."""

import csv
import random
import re
import time
import tomllib
from pathlib import Path

from monitor import registry
from monitor.languages.slavic import _slavic_people as people
from monitor.languages.slavic._slavic_people import inflect
from monitor.model import Gender, GenderClass
from tests.cases import check_each
from tests.languages.classes import LETTERS
from tests.patience import HANGS

HERE = Path(__file__).parent / "data" / "professions"
FRAMES = tomllib.loads((HERE / "frames.toml").read_text("utf-8"))
CODES = sorted(FRAMES)
COUNTING = {code: registry.known_language(code, nouns=True) for code in CODES}
PLAIN = {code: registry.known_language(code, nouns=False) for code in CODES}
GENDERS = {"M": GenderClass.MASCULINE, "F": GenderClass.FEMININE}
NOUN_RULES = {"noun", "noun_attribute"}
METHODS = Path(__file__).parents[2] / "docs" / "methods.md"
OCCUPATIONS = Path(people.__file__).parents[2] / "data" / "occupations.csv"


def _labelled(code):
    lines = (HERE / f"{code}.txt").read_text("utf-8").splitlines()
    return [(line[0], line[2:]) for line in lines if not line.startswith("#")]


LABELLED = [(code, letter, text) for code in CODES for letter, text in _labelled(code)]


def _frames(code):
    return [(template, frame) for template, frames in FRAMES[code].items() for frame in frames]


def _sentence(frame, letter, nominative, instrumental):
    chosen = re.sub(r"\[(.*?)\|(.*?)\]", lambda m: m["MF".index(letter) + 1], frame)
    capital = nominative[:1].upper() + nominative[1:]
    return chosen.format(n=nominative, N=capital, i=instrumental)


def _sentences(code, frame, letter, noun):
    """Every sentence that a frame gives for a noun in one gender."""
    table = COUNTING[code].people
    if letter == "M" or noun.kind != "pair":
        forms = {noun.masculine: table.instrumentals(noun)[0]}
    else:
        forms = {form: inflect(form, table.instrumental_f) for form in noun.feminine}
    for nominative, instrumentals in forms.items():
        for instrumental in instrumentals if "{i}" in frame else ("",):
            yield _sentence(frame, letter, nominative, instrumental)


@check_each(("code", "letter", "text"), LABELLED)
def test_labelled_sentences(code, letter, text):
    signal = COUNTING[code].signal(text)
    assert signal.cls is LETTERS[letter], signal


@check_each("code", CODES)
def test_there_are_enough_labelled_sentences(code):
    labels = [letter for letter, _ in _labelled(code)]
    assert len(labels) >= 60
    assert min(labels.count(letter) for letter in "MFN") >= 10


@check_each("code", CODES)
def test_every_template_has_a_frame(code):
    assert list(FRAMES[code]) == [f"t{n:02}" for n in range(1, 11)]


@check_each("code", CODES)
def test_both_genders_of_every_pair_are_read_in_every_frame(code):
    language = COUNTING[code]
    pairs = [noun for noun in language.people.entries() if noun.kind == "pair"]
    wrong = [
        (sentence, language.signal(sentence).cls)
        for noun in pairs
        for _, frame in _frames(code)
        for letter, gender in GENDERS.items()
        for sentence in _sentences(code, frame, letter, noun)
        if language.signal(sentence).cls is not gender
    ]
    assert not wrong


@check_each("code", CODES)
def test_a_noun_without_a_feminine_shows_nothing(code):
    language = COUNTING[code]
    singles = [noun for noun in language.people.entries() if noun.kind == "single"]
    wrong = [
        (sentence, language.signal(sentence).cls)
        for noun in singles
        for template, frame in _frames(code)
        if template != "t10"  # "wrote" shows the gender
        for letter in GENDERS
        for sentence in _sentences(code, frame, letter, noun)
        if language.signal(sentence).cls is not GenderClass.NONE
    ]
    assert not wrong


@check_each("code", CODES)
def test_an_attribute_decides_where_the_noun_has_one_form(code):
    language = COUNTING[code]
    common = [noun for noun in language.people.entries() if noun.kind == "common"]
    for noun in common:
        for template, frame in _frames(code):
            shows = template in ("t07", "t08", "t10")
            if not shows and "[" in frame:
                continue  # the pronoun may agree with the noun alone
            for letter, gender in GENDERS.items():
                for sentence in _sentences(code, frame, letter, noun):
                    wanted = gender if shows else GenderClass.NONE
                    assert language.signal(sentence).cls is wanted, sentence


@check_each(("code", "letter", "text"), LABELLED)
def test_nouns_are_read_only_when_asked(code, letter, text):
    assert not {w.rule for w in PLAIN[code].signal(text).witnesses} & NOUN_RULES


@check_each("code", CODES)
def test_the_table_covers_the_occupations(code):
    with OCCUPATIONS.open(encoding="utf-8") as rows:
        occupations = {row["occupation"] for row in csv.DictReader(rows)}
    named = {noun.occupation for noun in COUNTING[code].people.entries()}
    assert named - {"-"} == occupations


def test_the_documented_counts_are_those_of_the_tables():
    counts = []
    for code in CODES:
        usual = {}
        for noun in COUNTING[code].people.entries():
            usual.setdefault(noun.occupation, noun.kind)
        usual.pop("-")
        counts.append(list(usual.values()).count("pair"))
    rows = [CODES, ["---"] * len(CODES), [str(count) for count in counts]]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    assert table in METHODS.read_text("utf-8")


@check_each("code", CODES)
def test_no_form_says_two_things(code):
    table = COUNTING[code].people
    kinds = {}
    for noun in table.entries():
        assert kinds.setdefault(noun.masculine, noun.kind) == noun.kind, noun
    masculine = people.PERSON_M | people.ROLE_M
    feminine = people.PERSON_F | people.ROLE_F
    neither = people.COMMON | people.COMMON_INS | people.SINGLE
    for form, tags in table.forms.items():
        shown = [bool(tags & group) for group in (masculine, feminine, neither)]
        assert sum(shown) <= 1, form


def test_rules_inflect_by_the_longest_ending():
    endings = {"": "ka", "ík": "ička", "ník": "nice"}
    assert inflect("lékař", endings) == ("lékařka",)
    assert inflect("technik", {"ik": "ička", "": "ka"}) == ("technička",)
    assert inflect("úředník", endings) == ("úřednice",)
    assert inflect("čaj", {"ik": "ička"}) == ()


def test_witnesses_are_the_noun_and_its_attribute():
    text = "Jsem tu nová zdravotní sestra."
    signal = COUNTING["cs"].signal(text)
    assert [(text[w.start : w.end], w.rule) for w in signal.witnesses] == [
        ("nová", "noun_attribute"),
        ("sestra", "noun"),
    ]
    assert {w.gender for w in signal.witnesses} == {Gender.FEMININE}


def test_a_pair_of_forms_is_one_witness():
    signal = COUNTING["pl"].signal("Jestem lekarzem/lekarką.")
    assert [(w.text, w.gender) for w in signal.witnesses] == [("lekarzem/lekarką", Gender.BOTH)]


@check_each("code", CODES)
def test_a_long_text_is_read_in_linear_time(code):
    language = COUNTING[code]
    _, text = _labelled(code)[0]
    for long in (text * 3000, text.rstrip(".").replace(" ", " , ") * 3000):
        started = time.process_time()
        language.signal(long)
        assert time.process_time() - started < HANGS


@check_each("code", CODES)
def test_words_in_any_order_do_no_harm(code):
    shuffle = random.Random(code).shuffle  # noqa: S311 - no secret
    words = [word for _, text in _labelled(code) for word in re.findall(r"\w+|[^\w\s]", text)]
    for _ in range(200):
        shuffle(words)
        text = " ".join(words[:20])
        for witness in COUNTING[code].signal(text).witnesses:
            assert text[witness.start : witness.end] == witness.text
