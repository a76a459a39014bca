"""Readers of German, Dutch, Russian and Ukrainian translations, by sentences and human judgements.

`sentences_CODE.csv` are sentences of this project: source, entity, index, translation, class.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from monitor import registry
from monitor.model import EntityText, GenderClass

HERE = Path(__file__).parent
LANGUAGES = ("de", "nl", "ru", "uk")
#: Share of the cells that are read which agree with the human judge, and of those that are not.
AGREEMENT, UNREAD = 0.95, 0.05


@pytest.mark.parametrize("code", LANGUAGES)
def test_sentences(code: str) -> None:
    reader = registry.entity_reader(code)
    failures = []
    with (HERE / f"sentences_{code}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            index = int(row["index"]) if row["index"] else None
            text = EntityText(row["source"], row["entity"], row["translation"], index)
            signal = reader.signal(text)
            if signal.cls != row["class"]:
                failures.append((row["entity"], row["translation"], row["class"], signal))
            failures += [
                ("witness", row["translation"], witness)
                for witness in signal.witnesses
                if row["translation"][witness.start : witness.end] != witness.text
            ]
    assert failures == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_reasons_of_what_is_not_read(code: str) -> None:
    reader = registry.entity_reader(code)
    source = "The teacher opened the window."
    translations = {"": "no_translation", source: "untranslated", "私は教師です": "other_language"}
    reasons = {
        translation: reader.signal(EntityText(source, "teacher", translation)).rule
        for translation in translations
    }
    assert reasons == translations
    assert reader.signal(EntityText(source, "", "x")).rule == "no_entity"
    assert reader.signal(EntityText(source, "baker", "x")).rule == "entity_not_in_source"
    assert reader.signal(EntityText(source, "teacher", "x", 9)).rule == "index_out_of_range"


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_the_source_says_of_the_gender_changes_nothing(code: str) -> None:
    reader = registry.entity_reader(code)
    with (HERE / f"sentences_{code}.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["entity"].lower() not in _SWAPPED]
    failures = []
    for row in rows:
        index = int(row["index"]) if row["index"] else None
        swapped = re.sub(r"\w+", lambda match: _SWAPPED.get(match[0], match[0]), row["source"])
        texts = [
            EntityText(source, row["entity"], row["translation"], index)
            for source in (row["source"], swapped)
        ]
        classes = [reader.signal(text).cls for text in texts]
        if classes[0] != classes[1]:
            failures.append((row, classes))
    assert failures == []


_SWAPPED = {
    "she": "he", "She": "He", "he": "she", "He": "She", "him": "her", "her": "his", "Her": "His",
    "his": "her", "His": "Her",
}  # fmt: skip


@pytest.mark.parametrize("code", LANGUAGES)
def test_long_texts_of_one_word(code: str) -> None:
    """A reader that takes quadratic time would need hours for these."""
    reader = registry.entity_reader(code)
    word = {"de": "Lehrerin", "nl": "lerares", "ru": "учительница", "uk": "вчителька"}[code]
    classes = {
        filler: reader.signal(EntityText("The teacher left.", "teacher", filler * 20_000)).cls
        for filler in (word, f"{word}-", f"de {word} ", f"{word}/", f"{word} она вона ")
    }
    assert set(classes.values()) <= {GenderClass.FEMININE, GenderClass.UNIDENTIFIED}, classes


@pytest.mark.parametrize("code", ["ru"])
def test_human_judgements(code: str, reference_data: Path) -> None:
    reader = registry.entity_reader(code)
    lines = (reference_data / "winomt" / "en.txt").read_text(encoding="utf-8").splitlines()
    (path,) = (reference_data / "winomt" / "human").glob(f"*{code}.in.csv")
    cells: Counter[str] = Counter()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            judged = {"M": "masculine", "F": "feminine"}.get(row["Gender? [M/F/N]"].strip())
            if row["Find entity? [Y/N]"].strip() != "Y" or not judged:
                continue
            _, index, source, entity = lines[int(row["Index"])].split("\t")
            read = reader.signal(EntityText(source, entity, row["Sentence"], int(index))).cls
            unread = read not in (GenderClass.MASCULINE, GenderClass.FEMININE)
            cells["unread" if unread else "agree" if read == judged else "differ"] += 1
    assert cells["agree"] >= AGREEMENT * (cells["agree"] + cells["differ"]), cells
    assert cells["unread"] <= UNREAD * cells.total(), cells
