"""Sheets of an audit of the instrument: drawn texts in, rows out, and filled rows back. Pure.

A sheet shows a text and what to look at in it, in random order. It hides who translated it, what
was asked, and what our rules made of it.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from monitor.model import Cue, GenderClass, InvalidInput, digest
from monitor.store.validation.audits import SheetEntry
from monitor.text.cells import make_inert, plain

COLUMNS = ("key", "language", "look_at", "text", "class")
#: What has to stand in a filled sheet.
NEEDED = frozenset({"key", "class"})
CLASSES = tuple(cls.value for cls in GenderClass)

_LOOK_AT = {
    Cue.AGREEMENT: "the speaker",
    Cue.QUOTED: "the speaker inside the quotation",
    Cue.PRONOUN: "the pronoun",
}
_RATER = re.compile(r"[\w.-]{1,40}")
GUIDE = """\
How to fill this sheet

Write one of the seven words below into the column "class" of every row. Leave the cell empty where
you cannot decide; never guess. Change nothing else, and sort whole rows only. Judge the text
alone, by its grammar: what the sentence is about, or who usually says it, does not count. Do not
talk about single rows with others who fill the same sheet until all sheets are in.

The column "look_at" says whose gender is meant:

  the speaker                       the first person (I), never a person who is quoted
  the speaker inside the quotation  the first person of what is quoted, nothing outside of it
  the pronoun                       the English pronoun for the one person spoken of

  masculine     all words about this person that show a gender are masculine (he, his)
  feminine      all of them are feminine (she, her)
  both          both forms are offered, side by side or with a stroke or "or" (tired m/f, he or she)
  inclusive     a form beyond the two, such as -e, @, * (of pronouns: they, ze, xe)
  mixed         words about this person contradict each other
  none          readable, and nothing shows the gender (of pronouns: it, or no pronoun)
  unidentified  cannot be read: empty, garbled, or not in the language of the column "language"

A masculine form counts as masculine also where grammar uses it for everybody.
"""


def checked_rater(name: str) -> str:
    """The code name of who reads. Raises InvalidInput."""
    if not _RATER.fullmatch(name):
        raise InvalidInput(
            f"--by {name[:40]!r}: initials or a code name, up to 40 letters, digits, dots, dashes"
        )
    return name


def order(seed: str, what: str, numbers: Iterable[int]) -> list[int]:
    """Numbers in random order, the same for the same seed on every machine."""
    key = digest(["instrument audit", seed, what])[:32].encode()
    return sorted(
        numbers, key=lambda one: blake2b(str(one).encode(), key=key, digest_size=16).digest()
    )


def rows(entries: Iterable[SheetEntry]) -> list[tuple[str, ...]]:
    """The rows of a sheet. What was erased meanwhile has no text to judge and is left out."""
    return [
        (
            sheet_entry.key,
            sheet_entry.target,
            _LOOK_AT[Cue(sheet_entry.cue)],
            make_inert(sheet_entry.text),
            "",
        )
        for sheet_entry in entries
        if not sheet_entry.is_erased
    ]


@dataclass(frozen=True, slots=True)
class Filled:
    """What one row says; no class where it was left empty."""

    entry: SheetEntry
    cls: GenderClass | None


def read(
    filled: Sequence[tuple[str, Mapping[str, str | None]]], known: Mapping[str, SheetEntry]
) -> list[Filled]:
    """What the rows of a sheet say, as (place, row). Raises InvalidInput naming place and value.

    `known` are entries by key. All rows have to be of one audit, each once, with their own text.
    """
    found: dict[str, Filled] = {}
    for place, row in filled:
        one = _read(place, row, known)
        if one.entry.key in found:
            raise InvalidInput(f"{place}: key {one.entry.key!r} stands twice; keep one of them")
        found[one.entry.key] = one
    if not found:
        raise InvalidInput("no row of a sheet in this file")
    audits = {one.entry.audit_id for one in found.values()}
    if len(audits) > 1:
        numbers = ", ".join(map(str, sorted(audits)))
        raise InvalidInput(f"rows of several audits ({numbers}) in one file; import each by itself")
    return list(found.values())


def key_of(row: Mapping[str, str | None]) -> str:
    """The key of a row."""
    return (row.get("key") or "").strip()


def _read(place: str, row: Mapping[str, str | None], known: Mapping[str, SheetEntry]) -> Filled:
    key = key_of(row)
    if key not in known:
        raise InvalidInput(
            f"{place}: key {key[:40]!r} is no row of an audit in this database; leave the column "
            "key as it was written, and import into the database that it was drawn from"
        )
    entry = known[key]
    if row.get("text") is not None and not entry.is_erased:
        said = _same(plain(row["text"] or ""))
        if said not in (_same(entry.text), _same(plain(entry.text))):
            raise InvalidInput(
                f"{place}: the text is not that of its key; was a column sorted by itself, or "
                "the text changed? Take the labels over into a new sheet (monitor audit draw)"
            )
    said = plain((row.get("class") or "").strip()).strip().casefold()
    if said and said not in CLASSES:
        raise InvalidInput(
            f"{place}: class {said[:40]!r}; write one of {', '.join(CLASSES)}, or nothing"
        )
    return Filled(entry, GenderClass(said) if said else None)


def _same(text: str) -> str:
    """A text without what spreadsheet programs change: blanks, line ends, composed letters."""
    return " ".join(unicodedata.normalize("NFC", text).split())
