"""Documents of a collection, read one after the other from a file or folder.

There are five forms: a folder with a text or HTML file for each document, JSON lines, CSV, columns
with tabs, and the marked text of TREC collections. Files may be packed with gzip. An empty text is
a document; a missing one is an error that names its line. In TREC's form a document stands between
<DOC> and </DOC>, its id in <DOCNO>, its title in <TITLE> or <HEADLINE>, its text in one or more
<TEXT>; other elements are ignored. Tags may be written in lower case.
"""

import gzip
import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from html.parser import HTMLParser
from pathlib import Path

from monitor.corpus.reading import list_files
from monitor.input_files import LONGEST_DOCUMENT, decode_lines, parse_json, read_table
from monitor.model import InvalidInput, Json, make_storable

#: What nobody reads on a page.
_HIDDEN = frozenset({"script", "style", "noscript", "template"})
#: Words on both sides of these do not touch.
_INLINE = frozenset("a abbr b bdi bdo cite code em i mark q s small span strong sub sup u".split())
#: Tags, comments and the like without an end, after which the rest of a page is no text: to look
#: for each end takes a walk through all that follows.
_MOST_UNENDED = 8
#: Characters by a number of which Python makes no int. No character has so many digits.
_HUGE_NUMBER = re.compile(r"&#[0-9]{1000,};?")


def without_huge_numbers(text: str) -> str:
    """A text whose references to characters can all be looked up."""
    return _HUGE_NUMBER.sub("\ufffd", text)


class _PageWords(HTMLParser):
    """Collects texts of any input."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.text: list[str] = []
        self._hidden = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in _HIDDEN
        self._in_title = self._in_title or tag == "title"
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        self._in_title = self._in_title and tag != "title"
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            (self.title if self._in_title else self.text).append(data)

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Read <![...]>; the standard library raises for names that it does not know."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i)

    def read(self, page: str) -> None:
        """Read a whole page. What has no end is text, up to the next place where a tag may be."""
        self.feed(page)
        for _ in range(_MOST_UNENDED):
            rest, self.rawdata = self.rawdata, ""
            if not rest.startswith("<"):
                self.rawdata = rest
                self.close()
                return
            offset = rest.find(">", 1) + 1 or rest.find("<", 1)
            offset = offset if offset > 0 else 1
            self.handle_data(rest[:offset] if self.cdata_elem else html.unescape(rest[:offset]))
            self.feed(rest[offset:])

    def _part(self, tag: str) -> None:
        if tag not in _INLINE:
            self.text.append(" ")


def title_and_text(page: str) -> tuple[str, str]:
    """(title, text) of a page with single blanks."""
    words = _PageWords()
    words.read(without_huge_numbers(page))
    return " ".join("".join(words.title).split()), " ".join("".join(words.text).split())


_START = re.compile(r"<DOC\s*>", re.IGNORECASE)
_END = re.compile(r"</DOC\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_COMMENT, _COMMENT_END = "<!--", "-->"


@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """One document of a collection. `place` is where it stands, for messages."""

    key: str
    title: str
    text: str
    place: str


class _Sections:
    """The parts of a document that stand between a tag and its end."""

    def __init__(self, name: str) -> None:
        self._start = re.compile(rf"<{name}\s*>", re.IGNORECASE)
        self._end = re.compile(rf"</{name}\s*>", re.IGNORECASE)

    def within(self, content: str) -> Iterator[str]:
        """Yield them in their order. Where one end is missing, no later tag has one either."""
        offset = 0
        while start := self._start.search(content, offset):
            end = self._end.search(content, start.end())
            if end is None:
                return
            yield content[start.end() : end.start()]
            offset = end.end()


_KEY, _TITLE, _TEXT = _Sections("DOCNO"), _Sections("(?:TITLE|HEADLINE)"), _Sections("TEXT")


def marked_documents(lines: Iterable[str], path: str) -> Iterator[CorpusEntry]:
    """Yield the documents of a file. Raises InvalidInput for one without an id or an end."""
    within: list[str] | None = None
    began = 0
    for number, line in enumerate(lines, start=1):
        offset = 0
        while offset < len(line):
            if within is None:
                start = _START.search(line, offset)
                if start is None:
                    break
                within, began, offset = [], number, start.end()
            end = _END.search(line, offset)
            if end is None:
                within.append(line[offset:])
                break
            within.append(line[offset : end.start()])
            yield _parse_document("".join(within), f"{path}:{began}")
            within, offset = None, end.end()
    if within is not None:
        raise InvalidInput(f"{path}:{began}: <DOC> without </DOC>")


def _parse_document(content: str, place: str) -> CorpusEntry:
    key = next(_KEY.within(content), None)
    if _START.search(content):  # two documents would become one
        raise InvalidInput(f"{place}: <DOC> without </DOC>")
    if key is None:
        raise InvalidInput(f"{place}: a document without <DOCNO>")
    title = " ".join(_plain_text(title_part) for title_part in _TITLE.within(content))
    text = "\n".join(_plain_text(title_part) for title_part in _TEXT.within(content))
    return CorpusEntry(_plain_text(key).strip(), title, text, place)


def _plain_text(marked: str) -> str:
    return html.unescape(without_huge_numbers(_remove_tags(marked))).strip()


def _remove_tags(marked: str) -> str:
    """A text with a blank for each tag and each comment. A comment without an end is none."""
    pieces: list[str] = []
    offset = 0
    while (start := marked.find(_COMMENT, offset)) >= 0:
        end = marked.find(_COMMENT_END, start + len(_COMMENT))
        if end < 0:
            break
        pieces.append(_TAG.sub(" ", marked[offset:start]))
        offset = end + len(_COMMENT_END)
    pieces.append(_TAG.sub(" ", marked[offset:]))
    return " ".join(pieces)


_SUFFIXES = frozenset({".txt", ".html", ".htm"})
#: How collections in the field call the same three things.
_KEYS = ("id", "docno", "docid", "_id")
_TEXTS = ("text", "contents", "content")
_LONGEST_KEY = 500
_SNIFFED = 4096
_TSV_COLUMNS = (2, 3)


class CollectionForm(StrEnum):
    """The format in which documents are written."""

    FOLDER = "folder"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    TREC = "trec"


def read_entries(source: Path, form: CollectionForm | None = None) -> Iterator[CorpusEntry]:
    """Yield the documents of a file or folder. Raises InvalidInput naming file and line.

    The form is found by the name and the beginning of the file unless it is said.
    """
    if not source.exists():
        raise InvalidInput(f"{source}: no such file or folder")
    seen: set[str] = set()
    for entry in _read_form(source, form or form_of(source)):
        checked = _check_entry(entry)
        if checked.key in seen:
            raise InvalidInput(f"{entry.place}: document id {checked.key!r} stands twice")
        seen.add(checked.key)
        yield checked
    if not seen:
        raise InvalidInput(f"{source}: holds no document")


def form_of(source: Path) -> CollectionForm:
    """The form of a collection by its name, else by how it begins. Raises InvalidInput."""
    if source.is_dir():
        return CollectionForm.FOLDER
    suffix = Path(source.name.removesuffix(".gz")).suffix.lower()
    by_name = {
        ".jsonl": CollectionForm.JSONL,
        ".ndjson": CollectionForm.JSONL,
        ".csv": CollectionForm.CSV,
        ".tsv": CollectionForm.TSV,
    }
    if suffix in by_name:
        return by_name[suffix]
    start, lines = b"", _open_lines(source)
    while len(start) <= _SNIFFED and (line := next(lines, b"")):
        start += line
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] == b"{":
        return CollectionForm.JSONL
    if start[:4].upper() == b"<DOC":
        return CollectionForm.TREC
    raise InvalidInput(
        f"{source}: nobody can tell what it is; say --format {', '.join(CollectionForm)}, where "
        "folder is one file a document; a command without --format goes by the end of the name"
    )


def _read_form(source: Path, form: CollectionForm) -> Iterator[CorpusEntry]:
    if form is CollectionForm.FOLDER:
        if not source.is_dir():
            raise InvalidInput(f"{source}: is a file; --format folder takes a folder")
        yield from _folder_entries(source)
        return
    readers = {
        CollectionForm.JSONL: _jsonl_entries,
        CollectionForm.CSV: _csv_entries,
        CollectionForm.TSV: _tsv_entries,
        CollectionForm.TREC: _trec_entries,
    }
    for path in list_files(source) if source.is_dir() else [source]:
        yield from readers[form](path)


def _check_entry(entry: CorpusEntry) -> CorpusEntry:
    key = make_storable(entry.key).strip()
    if not key:
        raise InvalidInput(f"{entry.place}: a document without an id")
    if len(key) > _LONGEST_KEY or not key.isprintable():
        raise InvalidInput(
            f"{entry.place}: {key[:40]!r} is no document id: at most {_LONGEST_KEY} characters "
            "that can be printed"
        )
    return CorpusEntry(
        key, make_storable(" ".join(entry.title.split())), make_storable(entry.text), entry.place
    )


# --- files --------------------------------------------------------------------------------------


def _open_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as handle:
        try:
            yield from gzip.GzipFile(fileobj=handle) if path.suffix == ".gz" else handle
        except (EOFError, gzip.BadGzipFile) as error:
            raise InvalidInput(f"{path}: not a whole gzip file: {error}") from error


def _decode_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, with or without a byte order mark."""
    return decode_lines(_open_lines(path), str(path), document=True)


def _folder_entries(folder: Path) -> Iterator[CorpusEntry]:
    for path in list_files(folder):
        suffix = path.suffix.lower()
        if suffix not in _SUFFIXES:
            continue
        text = "".join(_decode_lines(path))
        title = ""
        if suffix != ".txt":
            title, text = title_and_text(text)
        key = path.relative_to(folder).with_suffix("").as_posix()
        yield CorpusEntry(key, title, text, str(path))


def _jsonl_entries(path: Path) -> Iterator[CorpusEntry]:
    for number, line in enumerate(_decode_lines(path), start=1):
        if not line.strip():
            continue
        location = f"{path}:{number}"
        row = parse_json(line, location, document=True)
        if not isinstance(row, dict):
            raise InvalidInput(f"{location}: {type(row).__name__} where an object was expected")
        title = _optional_cell(row, ("title",), location)
        yield CorpusEntry(
            _required_cell(row, _KEYS, location),
            title or "",
            _required_cell(row, _TEXTS, location),
            location,
        )


def _optional_cell(row: Mapping[str, Json], names: Iterable[str], place: str) -> str | None:
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


def _required_cell(row: Mapping[str, Json], names: tuple[str, ...], place: str) -> str:
    cell = _optional_cell(row, names, place)
    if cell is None:
        raise InvalidInput(f"{place}: no {names[0]!r} (also read: {', '.join(names[1:])})")
    return cell


def _csv_entries(path: Path) -> Iterator[CorpusEntry]:
    lines = _decode_lines(path)
    table = read_table(lines, str(path), ("id", "text"), longest=LONGEST_DOCUMENT)
    for location, cells in table.records():
        yield CorpusEntry(cells["id"], cells.get("title", ""), cells["text"], location)


def _tsv_entries(path: Path) -> Iterator[CorpusEntry]:
    """Lines of id and text, or id, title and text, with tabs between: the form of MS MARCO."""
    for number, line in enumerate(_decode_lines(path), start=1):
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
        yield CorpusEntry(cells[0], title, cells[-1], f"{path}:{number}")


def _trec_entries(path: Path) -> Iterator[CorpusEntry]:
    return marked_documents(_decode_lines(path), str(path))
