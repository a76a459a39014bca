"""Real sentences and translations, so that what is measured is as varied as what people collect."""

import csv
from itertools import cycle, islice
from pathlib import Path


def read_sentences(data: Path) -> list[tuple[str, str]]:
    """Return (text, stereotype) of the sentences of GEST, from its folder."""
    with (data / "gest.csv").open(encoding="utf-8", newline="") as file:
        return [(row["sentence"], row["stereotype"]) for row in csv.DictReader(file)]


def read_translations(data: Path, sentences: list[str], target: str) -> list[list[str]]:
    """Return the translations of the sentences, by system.

    A language that nobody translated into gets the words of another one in its own order: as many
    different texts, of the same length.
    """
    systems = []
    for path in sorted(data.glob(f"translations/*/{target}.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            pairs = {row["source"]: row["translation"] for row in csv.DictReader(file)}
        systems.append([pairs.get(text) or text for text in sentences])
    if systems:
        return systems
    words = [text.split() for text in read_translations(data, sentences, "sk")[0]]
    later = islice(cycle(words), sum(map(ord, target)) % len(words), None)
    return [[" ".join([*a[::2], *b[1::2]]) for a, b in zip(words, later, strict=False)]]
