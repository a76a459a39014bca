"""Romance languages: constructions in both genders, what shows none, what shows both.

`data/romance/CODE.toml` holds the project's own sentences of a language.
"""

import tomllib
from pathlib import Path

import pytest

from monitor import registry
from monitor.model import Cue, GenderClass
from tests.languages.classes import both_forms, both_genders, none_shown

FILES = sorted((Path(__file__).parent / "data" / "romance").glob("*.toml"))
SENTENCES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}
CODES = sorted(SENTENCES)


def _as_class(code, key, cls):
    language = registry.known_language(code)
    texts = SENTENCES[code][key].strip().splitlines()
    return [(text, language.signal(text)) for text in texts if language.signal(text).cls is not cls]


@pytest.mark.parametrize("code", CODES)
def test_constructions_are_read_in_both_genders(code):
    assert not both_forms(registry.known_language(code), SENTENCES[code]["constructions"])


@pytest.mark.parametrize("code", CODES)
def test_words_of_every_ending_are_read_in_both_genders(code):
    assert not both_genders(registry.known_language(code), SENTENCES[code]["words"])


@pytest.mark.parametrize("code", CODES)
def test_what_is_not_of_the_speaker_shows_nothing(code):
    assert not none_shown(registry.known_language(code), SENTENCES[code]["nothing"])


@pytest.mark.parametrize("code", CODES)
def test_spellings_of_both_genders_are_both(code):
    assert not _as_class(code, "both", GenderClass.BOTH)


@pytest.mark.parametrize("code", CODES)
def test_signs_for_any_gender_are_inclusive(code):
    assert not _as_class(code, "inclusive", GenderClass.INCLUSIVE)


@pytest.mark.parametrize("code", CODES)
def test_another_language_is_unidentified(code):
    language = registry.known_language(code)
    signals = [language.signal(text) for text in SENTENCES[code]["foreign"].strip().splitlines()]
    assert {signal.rule for signal in signals} == {f"not_{language.name.lower()}"}


@pytest.mark.parametrize("code", CODES)
def test_quotations_are_read_by_their_cue_alone(code):
    language = registry.known_language(code)
    for line in SENTENCES[code]["quoted"].strip().splitlines():
        letter, text = line.split(" ", 1)
        assert language.signal(text).cls is GenderClass.NONE, text
        quoted = language.signal(text, Cue.QUOTED).cls
        assert quoted is {"M": GenderClass.MASCULINE, "F": GenderClass.FEMININE}[letter], text
