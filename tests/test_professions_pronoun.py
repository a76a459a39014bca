"""The list professions-pronoun@1: made by its generator, complete, and free of gender."""

import csv
import importlib.util
import re
import subprocess
import sys
import tomllib
import unicodedata
from collections import Counter
from pathlib import Path

from tests.cases import check_each

ROOT = Path(__file__).parent.parent
GENERATOR = ROOT / "docs" / "professions_pronoun.py"
LIST = ROOT / "jobs" / "lists" / "professions-pronoun@1.csv"
LANGUAGES = ("tr", "fi", "hu", "et", "fa", "bn")

#: What every character of a sentence is: letters of the alphabet, marks and punctuation.
ALPHABETS = {
    "tr": r"[a-zçğıöşüâîûA-ZÇĞİÖŞÜ ,.]+",
    "fi": r"[a-zäöåšžA-ZÄÖ .]+",
    "hu": r"[a-záéíóöőúüűA-ZÁÉÍÓÖŐÚÜŰ .-]+",
    "et": r"[a-zäöõüšžA-ZÄÖÕÜŠŽ .]+",
    # Persian letters (no Arabic kaf or yeh), tanwin, shadda, hamza, zero width non-joiner
    "fa": "[آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیئؤأ\u064b\u0651\u0654\u200c .]+",
    "bn": "[\u0981-\u09ce\u09d7\u09e6-\u09ef \u0964]+",
}

#: Pieces of words that name a woman or a man.
GENDERED = {
    "tr": "adam|kadın|hanım|bayan|erkek|kız|abla|abi$|barmen|şovmen|kameraman|dansöz|hostes|ebe$",
    "fi": "mies|nais|nainen|rouva|neiti|emän|isän|tyttö|poika|mikko|tar$|kätilö",
    "hu": "nő$|nővér|férfi|asszony|lány|fiú|úr$|hölgy|apáca|bába",
    "et": "mees|mehe|naine|naise|õde|daam|neiu|nna$|tar$|härra|proua|poiss|tüdruk",
    "fa": "^زن$|^مرد$|خانم|آقا|بانو|دختر|پسر|خواهر|برادر|ماما$|مرد$",
    "bn": "নারী|মহিলা|পুরুষ|মেয়ে|ছেলে|বোন$|ভাই$|িকা$|িনী$|িণী$|ত্রী$|ওয়ালা$|ওয়ালি$|কর্তী$",
}
#: Words that end like a feminine form and are none.
NOT_GENDERED = {"আলোকচিত্রী"}


def table(path):
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle, strict=True))


ITEMS = table(LIST)
NOUNS = table(ROOT / "monitor" / "data" / "occupations_neutral_pronoun.csv")
HEADER = tomllib.loads(LIST.with_suffix(".toml").read_text(encoding="utf-8"))
OCCUPATIONS = {row["occupation"] for row in table(ROOT / "monitor" / "data" / "occupations.csv")}


def of(language, rows, column):
    return [row for row in rows if row[column] == language]


def words(text):
    """Words in lower case. Not \\w: it splits Bengali at its vowel signs."""
    return [word.strip(",.।").lower() for word in text.split()]


def test_the_list_is_what_the_generator_makes():
    spec = importlib.util.spec_from_file_location("professions_pronoun", GENERATOR)
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert LIST.read_bytes() == generator.page().encode()


def test_the_generator_tells_a_list_that_differs(tmp_path):
    copies = [GENERATOR, LIST, LIST.with_suffix(".toml")]
    copies.append(ROOT / "monitor" / "data" / "occupations_neutral_pronoun.csv")
    for path in copies:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    script = tmp_path / GENERATOR.relative_to(ROOT)
    made = tmp_path / LIST.relative_to(ROOT)

    def run(*flags):
        command = [sys.executable, script, *flags]
        return subprocess.run(command, check=False, capture_output=True).returncode

    assert run("--check") == 0
    made.write_bytes(made.read_bytes().replace(b"bir", b"Bir", 1))
    assert run("--check") == 1
    assert run() == 0
    assert made.read_bytes() == LIST.read_bytes()


def test_the_header_says_what_the_list_is():
    assert (HEADER["name"], HEADER["version"], HEADER["cue"]) == (
        "professions-pronoun",
        1,
        "pronoun",
    )
    assert (HEADER["status"], HEADER["licence"]) == ("unvalidated", "CC-BY-4.0")
    assert "source_lang" not in HEADER
    assert "repeated_texts" not in HEADER
    for part in ("templates", "left_out", "pronouns"):
        assert tuple(HEADER[part]) == LANGUAGES


def test_the_keys_are_unique_and_say_what_the_row_is():
    keys = [item["key"] for item in ITEMS]
    assert len(set(keys)) == len(keys)
    for item in ITEMS:
        parts = ("pp", item["source_lang"], item["occupation"], item["template"])
        assert item["key"] == "-".join(parts)


def test_everything_is_in_composed_form():
    for path in (LIST, LIST.with_suffix(".toml")):
        assert unicodedata.is_normalized("NFC", path.read_text(encoding="utf-8"))
    for row in NOUNS:
        assert all(unicodedata.is_normalized("NFC", value) for value in row.values())
        assert all(value == value.strip() for value in row.values())


def test_every_occupation_has_a_share():
    shares = {row["occupation"] for row in table(ROOT / "monitor" / "data" / "us_labour.csv")}
    assert {item["occupation"] for item in ITEMS} <= shares & OCCUPATIONS


@check_each("language", LANGUAGES)
def test_an_occupation_is_asked_or_left_out_with_a_reason(language):
    asked = [row["occupation"] for row in of(language, NOUNS, "language")]
    left_out = HEADER["left_out"][language]
    assert len(set(asked)) == len(asked)
    assert not set(asked) & set(left_out)
    assert set(asked) | set(left_out) == OCCUPATIONS
    assert all(len(reason) > 5 for reason in left_out.values())


@check_each("language", LANGUAGES)
def test_ten_sentences_per_occupation(language):
    templates = HEADER["templates"][language]
    assert list(templates) == [f"t{number:02}" for number in range(1, 11)]
    assert len(set(templates.values())) == 10
    assert all(text.count("{noun}") == 1 for text in templates.values())
    items = of(language, ITEMS, "source_lang")
    counts = Counter(item["occupation"] for item in items)
    assert set(counts) == {row["occupation"] for row in of(language, NOUNS, "language")}
    assert set(counts.values()) == {10}


@check_each("language", LANGUAGES)
def test_no_noun_and_no_sentence_stands_twice(language):
    for rows, column, field in ((NOUNS, "language", "noun"), (ITEMS, "source_lang", "text")):
        values = [row[field] for row in of(language, rows, column)]
        assert [value for value, count in Counter(values).items() if count > 1] == []


@check_each("language", LANGUAGES)
def test_every_sentence_has_the_pronoun_once_and_the_noun_uninflected(language):
    pronoun = HEADER["pronouns"][language]
    nouns = {row["occupation"]: row["noun"] for row in of(language, NOUNS, "language")}
    for item in of(language, ITEMS, "source_lang"):
        assert words(item["text"]).count(pronoun) == 1, item
        noun = [word.lower() for word in nouns[item["occupation"]].split()]
        found = words(item["text"])
        starts = range(len(found) - len(noun) + 1)
        assert any(found[at : at + len(noun)] == noun for at in starts), item


@check_each("language", LANGUAGES)
def test_one_sentence_in_the_letters_of_its_language(language):
    end = "।" if language == "bn" else "."
    for item in of(language, ITEMS, "source_lang"):
        assert re.fullmatch(ALPHABETS[language], item["text"]), item
        assert item["text"].endswith(end)
        assert item["text"].count(end) == 1
        assert "  " not in item["text"]


@check_each("language", LANGUAGES)
def test_no_word_names_a_gender(language):
    pattern = re.compile(unicodedata.normalize("NFC", GENDERED[language]))
    allowed = {unicodedata.normalize("NFC", word) for word in NOT_GENDERED}
    used = {word for item in of(language, ITEMS, "source_lang") for word in words(item["text"])}
    assert {word for word in used - allowed if pattern.search(word)} == set()
    english = {"he", "she", "his", "her", "him", "man", "woman", "mr", "mrs", "ms"}
    assert used & english == set()


@check_each(
    ("language", "word"),
    [
        ("tr", "adamı"), ("tr", "barmen"), ("fi", "palomies"), ("fi", "baarimikko"),
        ("hu", "titkárnő"), ("et", "meremees"), ("et", "meditsiiniõde"), ("fa", "خانم"),
        ("bn", "শিক্ষিকা"), ("bn", "অভিনেত্রী"), ("bn", "রুটিওয়ালা"),
    ],
)  # fmt: skip
def test_a_word_that_names_a_gender_would_be_seen(language, word):
    pattern = unicodedata.normalize("NFC", GENDERED[language])
    assert re.search(pattern, unicodedata.normalize("NFC", word))


def test_the_table_is_named_with_its_source():
    path = ROOT / "monitor" / "data" / "sources.toml"
    sources = tomllib.loads(path.read_text(encoding="utf-8"))
    entry = sources["files"]["occupations_neutral_pronoun.csv"]
    assert (entry["sources"], entry["licence"]) == (["monitor"], "CC-BY-4.0")
