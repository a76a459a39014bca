"""Gender of a named person in Hebrew, Arabic and Hindi: sentences of our own, and bad input."""

import csv
import unicodedata
from pathlib import Path

import pytest

from monitor import registry
from monitor.model import EntityText, GenderClass

FOLDER = Path(__file__).parent
CODES = ("he", "ar", "hi")


def read_rows(code):
    with (FOLDER / f"{code}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("code", CODES)
def test_sentences(code):
    reader = registry.entity_reader(code)
    differences = []
    for line, row in enumerate(read_rows(code), start=2):
        index = int(row["index"]) if row["index"] else None
        text = EntityText(row["source"], row["entity"], row["translation"], index)
        signal = reader.signal(text)
        for witness in signal.witnesses:
            assert row["translation"][witness.start : witness.end] == witness.text
        if signal.cls.value != row["class"]:
            words = [witness.text for witness in signal.witnesses]
            differences.append((line, row["entity"], row["translation"], signal, words))
    assert not differences


@pytest.mark.parametrize("code", CODES)
def test_the_normal_form_of_letters_changes_nothing(code):
    reader = registry.entity_reader(code)
    for row in read_rows(code):
        index = int(row["index"]) if row["index"] else None
        readings = {
            reader.signal(
                EntityText(
                    row["source"],
                    row["entity"],
                    unicodedata.normalize(form, row["translation"]),
                    index,
                )
            ).cls
            for form in ("NFC", "NFD")
        }
        assert len(readings) == 1, row


@pytest.mark.parametrize("code", CODES)
def test_a_word_of_100_kilobytes_and_nothing_but_signs(code):
    reader = registry.entity_reader(code)
    letter = {"he": "א", "ar": "ب", "hi": "क"}[code]
    for translation in (
        letter * 100_000,
        f"{letter} " * 50_000,
        "\u0301\u200f" * 99,
        "123 ??",
        "\0",
    ):
        signal = reader.signal(EntityText("The doctor left.", "doctor", translation, 1))
        assert signal.cls is GenderClass.UNIDENTIFIED


@pytest.mark.parametrize("code", CODES)
def test_the_gender_that_the_source_states_is_not_read(code):
    reader = registry.entity_reader(code)
    for row in read_rows(code):
        if row["source"] and row["entity"] and " she " in row["source"] and row["entity"] != "she":
            index = int(row["index"]) if row["index"] else None
            swapped = row["source"].replace(" she ", " he ")
            readings = {
                reader.signal(EntityText(source, row["entity"], row["translation"], index)).cls
                for source in (row["source"], swapped)
            }
            assert len(readings) == 1, row
