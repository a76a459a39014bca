"""Reads the documents of a collection one after the other: a file or folder in, documents out.

Five forms: a folder with a text or HTML file for each document, JSON lines, CSV, columns with tabs,
and the marked text of TREC collections. Files may be packed with gzip. A text that is empty is a
document all the same; one that is missing is an error that names its line.
"""

import gzip
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from monitor.input_files import LONGEST_DOCUMENT, decoded, parse_json, read_table
from monitor.model import InvalidInput, Json, storable
from monitor.rankers import _html_text, _trec
from monitor.rankers._trec import Marked

_SUFFIXES = frozenset({".txt", ".html", ".htm"})
#: How collections in the field call the same three things.
_KEYS = ("id", "docno", "docid", "_id")
_TEXTS = ("text", "contents", "content")
_LONGEST_KEY = 500
_SNIFFED = 4096
_TSV_COLUMNS = (2, 3)


class Form(StrEnum):
    """How documents are written down."""

    FOLDER = "folder"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    TREC = "trec"


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of a collection. `place` is where it stands, for messages."""

    key: str
    title: str
    text: str
    place: str


def read(source: Path, form: Form | None = None) -> Iterator[Entry]:
    """Yield the documents of a file or folder. Raises InvalidInput naming file and line.

    The form is found by the name and the beginning of the file unless it is said.
    """
    if not source.exists():
        raise InvalidInput(f"{source}: no such file or folder")
    seen: set[str] = set()
    for entry in _entries(source, form or form_of(source)):
        checked = _checked(entry)
        if checked.key in seen:
            raise InvalidInput(f"{entry.place}: document id {checked.key!r} stands twice")
        seen.add(checked.key)
        yield checked
    if not seen:
        raise InvalidInput(f"{source}: holds no document")


def form_of(source: Path) -> Form:
    """The form of a collection by its name, else by how it begins. Raises InvalidInput."""
    if source.is_dir():
        return Form.FOLDER
    suffix = Path(source.name.removesuffix(".gz")).suffix.lower()
    by_name = {".jsonl": Form.JSONL, ".ndjson": Form.JSONL, ".csv": Form.CSV, ".tsv": Form.TSV}
    if suffix in by_name:
        return by_name[suffix]
    start = b"".join(_first(source)).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] == b"{":
        return Form.JSONL
    if start[:4].upper() == b"<DOC":
        return Form.TREC
    raise InvalidInput(
        f"{source}: nobody can tell what it is; say --format {', '.join(Form)}, where folder is "
        "one file a document; a command without --format goes by the end of the name"
    )


def _first(source: Path) -> Iterator[bytes]:
    """The beginning of a file."""
    size = 0
    for line in _lines(source):
        yield line
        size += len(line)
        if size > _SNIFFED:
            return


def _entries(source: Path, form: Form) -> Iterator[Entry]:
    if form is Form.FOLDER:
        if not source.is_dir():
            raise InvalidInput(f"{source}: is a file; --format folder takes a folder")
        yield from _folder(source)
        return
    readers = {Form.JSONL: _jsonl, Form.CSV: _csv, Form.TSV: _tsv, Form.TREC: _marked}
    for path in _files(source) if source.is_dir() else [source]:
        yield from readers[form](path)


def _files(folder: Path) -> list[Path]:
    """Every file beneath a folder but hidden ones, in the order of their names."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(
        path
        for path in found
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _checked(entry: Entry) -> Entry:
    key = storable(entry.key).strip()
    if not key:
        raise InvalidInput(f"{entry.place}: a document without an id")
    if len(key) > _LONGEST_KEY or not key.isprintable():
        raise InvalidInput(
            f"{entry.place}: {key[:40]!r} is no document id: at most {_LONGEST_KEY} characters "
            "that can be printed"
        )
    return Entry(key, storable(" ".join(entry.title.split())), storable(entry.text), entry.place)


# --- files --------------------------------------------------------------------------------------


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as handle:
        try:
            yield from gzip.GzipFile(fileobj=handle) if path.suffix == ".gz" else handle
        except (EOFError, gzip.BadGzipFile) as error:
            raise InvalidInput(f"{path}: not a whole gzip file: {error}") from error


def _decoded(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, with or without a byte order mark."""
    return decoded(_lines(path), str(path), document=True)


def _folder(folder: Path) -> Iterator[Entry]:
    for path in _files(folder):
        suffix = path.suffix.lower()
        if suffix not in _SUFFIXES:
            continue
        text = "".join(_decoded(path))
        title = ""
        if suffix != ".txt":
            title, text = _html_text.title_and_text(text)
        key = path.relative_to(folder).with_suffix("").as_posix()
        yield Entry(key, title, text, str(path))


def _jsonl(path: Path) -> Iterator[Entry]:
    for number, line in enumerate(_decoded(path), start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        row = parse_json(line, place, document=True)
        if not isinstance(row, dict):
            raise InvalidInput(f"{place}: {type(row).__name__} where an object was expected")
        title = _cell(row, ("title",), place)
        yield Entry(_need(row, _KEYS, place), title or "", _need(row, _TEXTS, place), place)


def _cell(row: Mapping[str, Json], names: Iterable[str], place: str) -> str | None:
    """The text under the first of some names; a number is an id as well."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None:
            raise InvalidInput(f"{place}: {name} is a {type(value).__name__}, and not a text")
    return None


def _need(row: Mapping[str, Json], names: tuple[str, ...], place: str) -> str:
    found = _cell(row, names, place)
    if found is None:
        raise InvalidInput(f"{place}: no {names[0]!r} (also read: {', '.join(names[1:])})")
    return found


def _csv(path: Path) -> Iterator[Entry]:
    lines = _decoded(path)
    table = read_table(lines, str(path), ("id", "text"), longest=LONGEST_DOCUMENT)
    for place, cells in table.records():
        yield Entry(cells["id"], cells.get("title", ""), cells["text"], place)


def _tsv(path: Path) -> Iterator[Entry]:
    """Lines of id and text, or id, title and text, with tabs between: the form of MS MARCO."""
    for number, line in enumerate(_decoded(path), start=1):
        if not line.strip():
            continue
        cells = line.rstrip("\r\n").split("\t")
        if not _TSV_COLUMNS[0] <= len(cells) <= _TSV_COLUMNS[1]:
            raise InvalidInput(
                f"{path}:{number}: has {len(cells)} columns; id, title if there is one, and text "
                "are separated by tabs"
            )
        if number == 1 and cells[0].lower() in (*_KEYS, "doc_id", "pid"):
            continue  # names of columns
        title = cells[1] if len(cells) == _TSV_COLUMNS[1] else ""
        yield Entry(cells[0], title, cells[-1], f"{path}:{number}")


def _marked(path: Path) -> Iterator[Entry]:
    for found in _trec.documents(_decoded(path), str(path)):
        yield _entry(found)


def _entry(found: Marked) -> Entry:
    return Entry(found.key, found.title, found.text, found.place)
