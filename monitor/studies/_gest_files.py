"""What the studies after GEST are given: names of stereotypes, and what a file was."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from monitor.data import read_table
from monitor.text.counted_nouns import several

PAPER = (
    "Pikuliak, Hrckova, Oresko and Simko (2023), Women are beautiful, men are leaders "
    "(arXiv:2311.18711)"
)
STEREOTYPES = tuple(str(number) for number in range(1, 17))
#: How many of them, which come first, are about women.
ABOUT_WOMEN = 7


def titles() -> dict[str, str]:
    """{stereotype: its number and name}."""
    return {row["id"]: f"{row['id']} {row['name']}" for row in read_table("gest_stereotypes")}


def about_men(stereotype: str) -> bool:
    """Whether a stereotype is about men; all others are about women."""
    return int(stereotype) > ABOUT_WOMEN


def described(files: Sequence[Path]) -> str:
    """How many files, their size, and one digest of all: of the lines that `sha256sum` writes."""
    total, size = hashlib.sha256(), 0
    for path in sorted(files):
        size += path.stat().st_size
        with path.open("rb") as file:
            one = hashlib.file_digest(file, "sha256")
        if len(files) == 1:
            total = one
        else:
            name = f"{path.parent.name}/{path.name}"
            total.update(f"{one.hexdigest()}  {name}\n".encode())
    return f"{several(len(files), 'file')}, {size:,} bytes, SHA-256 {total.hexdigest()}"
