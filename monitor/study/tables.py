"""Reads the tables that studies are made of: sentences, translations, labels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.input_files import open_table
from monitor.model import InvalidInput


@dataclass(frozen=True, slots=True)
class Sentence:
    """One row of the list: a sentence may stand in two rows and counts in both."""

    text: str
    stereotype: str


def read_table(path: Path, needed: Sequence[str]) -> Iterator[dict[str, str]]:
    """Rows of a UTF-8 CSV that has the needed columns. Raises InvalidInput with file and line."""
    with open_table(path, needed) as table:
        yield from (row for _, row in table.records())


def read_sentences(path: Path) -> list[Sentence]:
    """The published file (sentence, stereotype) or the list made of it (text, stereotype)."""
    rows = list(read_table(path, ["stereotype"]))
    if not rows:
        raise InvalidInput(f"{path}: no sentences; fetch them with: monitor lists fetch gest")
    column = next((name for name in ("sentence", "text") if name in rows[0]), None)
    if column is None:
        raise InvalidInput(f"{path}: no column 'sentence' or 'text'; it has {', '.join(rows[0])}")
    return [Sentence(row[column].strip(), row["stereotype"].strip()) for row in rows]


def read_translations(path: Path) -> dict[str, str]:
    """{source: translation}. Raises InvalidInput where a sentence has two different ones."""
    found: dict[str, str] = {}
    for row in read_table(path, ["source", "translation"]):
        source = row["source"].strip()
        if found.setdefault(source, row["translation"]) != row["translation"]:
            raise InvalidInput(f"{path}: {source!r} has two different translations; keep one")
    return found
