"""Input files of the studies after GEST: sentences, translations, stereotypes."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.data import read_table
from monitor.input_files import open_table
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several


@dataclass(frozen=True, slots=True)
class Sentence:
    """One row of the list: a sentence may stand in two rows and counts in both."""

    text: str
    stereotype: str


def read_csv_rows(path: Path, needed: Sequence[str]) -> Iterator[dict[str, str]]:
    """Rows of a UTF-8 CSV that has the needed columns. Raises InvalidInput with file and line."""
    with open_table(path, needed) as table:
        yield from (row for _, row in table.records())


def read_sentences(path: Path) -> list[Sentence]:
    """The published file (sentence, stereotype) or the list made of it (text, stereotype)."""
    rows = list(read_csv_rows(path, ["stereotype"]))
    if not rows:
        raise InvalidInput(f"{path}: no sentences; fetch them with: monitor lists fetch gest")
    column = next((name for name in ("sentence", "text") if name in rows[0]), None)
    if column is None:
        raise InvalidInput(f"{path}: no column 'sentence' or 'text'; it has {', '.join(rows[0])}")
    return [Sentence(row[column].strip(), row["stereotype"].strip()) for row in rows]


def read_translations(path: Path) -> dict[str, str]:
    """{source: translation}. Raises InvalidInput where a sentence has two different ones."""
    translations: dict[str, str] = {}
    for row in read_csv_rows(path, ["source", "translation"]):
        source = row["source"].strip()
        if translations.setdefault(source, row["translation"]) != row["translation"]:
            raise InvalidInput(f"{path}: {source!r} has two different translations; keep one")
    return translations


PAPER = (
    "Pikuliak, Hrckova, Oresko and Simko (2023), Women are beautiful, men are leaders "
    "(arXiv:2311.18711)"
)
STEREOTYPES = tuple(str(number) for number in range(1, 17))
#: How many of them, which come first, are about women.
ABOUT_WOMEN = 7


def stereotype_titles() -> dict[str, str]:
    """{stereotype: its number and name}."""
    return {row["id"]: f"{row['id']} {row['name']}" for row in read_table("gest_stereotypes")}


def is_about_men(stereotype: str) -> bool:
    """Return whether a stereotype is about men; all others are about women."""
    return int(stereotype) > ABOUT_WOMEN


def describe_files(files: Sequence[Path]) -> str:
    """Return the number of files, their size, and one digest of all."""
    total, size = hashlib.sha256(), 0
    for path in sorted(files):
        size += path.stat().st_size
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
        if len(files) == 1:
            total = digest
        else:
            name = f"{path.parent.name}/{path.name}"
            total.update(f"{digest.hexdigest()}  {name}\n".encode())
    return f"{several(len(files), 'file')}, {size:,} bytes, SHA-256 {total.hexdigest()}"
