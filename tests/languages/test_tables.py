"""Sentences of each language's own test module: rules, traps and spellings, a language a node."""

from importlib import import_module

import pytest

from tests.languages.classes import LETTERS, both_forms, both_genders, none_shown

#: Languages whose first witness has the rule, and the others, of which any witness has it.
FIRST = ("ca", "el", "es", "lt", "lv", "pt")
ANY = ("be", "cs", "hr", "pl", "ru", "sk", "sl", "uk")


def tables(code):
    """The reader and the tables of a language."""
    return import_module(f"tests.languages.test_{code}")


def cases(table, fields=2):
    """Lines as (letter, text) or (letter, rule, text); "U" alone is an empty text."""
    lines = [line.split(maxsplit=fields - 1) for line in table.strip().splitlines()]
    return [(*line, "") if len(line) < fields else tuple(line) for line in lines]


@pytest.mark.parametrize("code", FIRST + ANY)
def test_rules(code):
    """Each finds the speaker, and its witnesses stand where they say."""
    language = tables(code)
    failures = []
    for letter, rule, text in cases(language.RULES, 3):
        signal = language.LANGUAGE.signal(text)
        rules = [signal.rule] if code in FIRST else [w.rule for w in signal.witnesses]
        misplaced = [w for w in signal.witnesses if text[w.start : w.end] != w.text]
        if signal.cls is not LETTERS[letter] or rule not in rules or misplaced:
            failures.append(f"{text} {signal}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("code", ["be", "ru", "uk"])
def test_capitals_change_nothing(code):
    language = tables(code)
    rows = cases(language.RULES, 3)
    failures = [
        text for letter, _, text in rows
        if language.LANGUAGE.signal(text.upper()).cls is not LETTERS[letter]
    ]  # fmt: skip
    assert not failures


@pytest.mark.parametrize("code", ["be", "ca", "cs", "es", "pl", "pt", "ru", "sk", "uk"])
def test_traps(code):
    """None is the speaker; those of the East have other classes too."""
    language = tables(code)
    failures = []
    for letter, text in cases(language.TRAPS):
        signal = language.LANGUAGE.signal(text)
        shown = (signal.masculine, signal.feminine, signal.rule) != (0, 0, "no_cue")
        if signal.cls is not LETTERS[letter] or (shown and code not in ("be", "ru", "uk")):
            failures.append(f"{text} {signal}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        *((code, "FORMS SENTENCES") for code in ("ca", "es")),
        *((code, "FORMS") for code in ("cs", "pl", "pt", "sk")),
        *((code, "OTHERS") for code in ("hr", "sl", "sr")),
    ],
)
def test_forms_and_other_languages(code, names):
    language = tables(code)
    failures = []
    for name in names.split():
        for letter, text in cases(getattr(language, name)):
            signal = language.LANGUAGE.signal(text)
            if signal.cls is not LETTERS[letter]:
                failures.append(f"{text} {signal}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("code", ["ca", "cs", "es", "pl", "pt", "sk"])
def test_every_class_is_reached(code):
    language = tables(code)
    names = ("RULES", "TRAPS", "FORMS", "SENTENCES")
    rows = [row for name in names for row in cases(getattr(language, name, "N x"))]
    assert {letter for letter, _ in rows} == set(LETTERS)


@pytest.mark.parametrize("code", ["be", "cs", "pl", "ru", "sk", "uk"])
def test_a_class_of_words_is_read_in_both_genders(code):
    failures = both_genders(tables(code).LANGUAGE, tables(code).PAIRS)
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        *((code, "BOTH") for code in ("el", "lt", "lv")),
        *((code, "MIRRORED") for code in ("hr", "sl", "sr")),
    ],
)
def test_both_genders_of_one_sentence(code, name):
    assert not both_forms(tables(code).LANGUAGE, getattr(tables(code), name))


@pytest.mark.parametrize(
    ("code", "name"),
    [
        *((code, "NEITHER") for code in ("be", "cs", "pl", "ru", "sk", "uk")),
        *((code, "NONE") for code in ("bg", "de", "el", "hr", "lt", "lv", "mt", "sl")),
        *((code, "SOMEBODY_ELSE") for code in ("hr", "sl", "sr")),
    ],
)
def test_what_shows_nothing(code, name):
    failures = none_shown(tables(code).LANGUAGE, getattr(tables(code), name))
    assert not failures, "\n".join(failures)
