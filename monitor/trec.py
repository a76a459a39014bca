"""Files as TREC and its tools write them: runs, topics of a test collection, relevance judgements.

A run has six columns, `query Q0 document rank score tag`, and gives one ranking a query. A ranking
is in the order of its scores, best first, as in trec_eval. Documents with the same score stand in
the order of the rank column, then of their lines; trec_eval orders them by their ids instead and
never looks at ranks, which throws away what the run says. Scores are read in double precision,
trec_eval's are single. Where scores and ranks say different things the scores decide, and the
ranking's notes say so.

Files may be packed with gzip, whatever they are called. What is held in memory does not grow with
the file. Fields stay bytes until somebody needs them as text: a column is decoded at once.

Topics have three forms, told apart by how the file begins: the marked text of TREC (<top> with
<num> and <title>, or <topic number="..."> with <query> or <title>), JSON lines, and two columns
with a tab between them. Ids stay as they are written: 051 is not 51.
"""

import gzip
import html
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import groupby, islice
from math import isfinite
from operator import eq, ge, gt, itemgetter, lt
from pathlib import Path
from typing import IO, NamedTuple, TextIO, TypeVar, cast
from urllib.parse import quote

from monitor.input_files import check_bytes, parse_json
from monitor.model import InvalidInput, make_storable

Number = TypeVar("Number", int, float)

_BLOCK = 2**16
#: A file without line ends is none of ours, and must not fill the memory.
_LONGEST_LINE = 8 * 2**20
_SHOWN = 60
_MOST_DIGITS = 18
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"
_COLUMNS = "query Q0 document rank score tag"
#: What ends a field, and what no file of text holds.
_UNWRITABLE = re.compile("[\0- \x7f-\x9f\ufeff\ud800-\udfff]")


# --- lines of a file ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rows:
    """Some lines in their order, cut at blanks, without the empty ones. `lines` as they came."""

    fields: list[list[bytes]]
    numbers: Sequence[int]
    lines: list[bytes]


@contextmanager
def _open_file(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as raw:
            if raw.peek(len(_GZIP))[: len(_GZIP)] == _GZIP:
                with gzip.open(raw) as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield raw
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: is a folder; name a file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidInput(f"{path}: not a whole gzip file: {error}") from error


def read_blocks(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield (number of the first, lines without their ends). Raises InvalidInput."""
    rest, number = b"", 1
    with _open_file(path) as file:
        while block := file.read(_BLOCK):
            check_bytes(block, str(path), number)
            whole, end, rest = (rest + block).rpartition(b"\n")
            if len(rest) > _LONGEST_LINE:
                raise InvalidInput(
                    f"{path}: a line of more than {_LONGEST_LINE:,} bytes: {shorten_line(rest)}"
                )
            if end:
                lines = whole.split(b"\n")
                yield number, _skip_mark(lines) if number == 1 else lines
                number += len(lines)
        if rest:
            yield number, _skip_mark([rest]) if number == 1 else [rest]


def _skip_mark(lines: list[bytes]) -> list[bytes]:
    """The first lines of a file, without a byte order mark."""
    return [lines[0].removeprefix(_MARK), *lines[1:]]


def read_rows(path: Path, columns: str) -> Iterator[Rows]:
    """Yield the rows of a file with these columns. Raises InvalidInput, also for no row at all."""
    has_rows = False
    for number, lines in read_blocks(path):
        block = split_lines(str(path), number, lines, columns)
        if block.fields:
            has_rows = True
            yield block
    if not has_rows:
        raise InvalidInput(f"{path}: is empty; each line has {columns}")


def split_lines(place: str, number: int, lines: list[bytes], columns: str) -> Rows:
    """Lines from `number` on as rows. Raises InvalidInput naming one with other columns."""
    width = len(columns.split())
    fields = list(map(bytes.split, lines))
    numbers: Sequence[int] = range(number, number + len(lines))
    if set(map(len, fields)) == {width}:
        return Rows(fields, numbers, lines)
    filled = [index for index, row_fields in enumerate(fields) if row_fields]
    for index in filled:
        if len(fields[index]) != width:
            raise InvalidInput(
                f"{place}:{numbers[index]}: {len(fields[index])} columns, and {width} belong there "
                f"({columns}): {shorten_line(lines[index])}"
            )
    return Rows(
        [fields[index] for index in filled],
        [numbers[index] for index in filled],
        [lines[index] for index in filled],
    )


def shorten_line(content: bytes) -> str:
    """The beginning of a line, for a message."""
    return repr(content[: 4 * _SHOWN].decode("utf-8", "replace").strip()[:_SHOWN])


def decode_column(place: str, numbers: Sequence[int], column: Sequence[bytes]) -> list[str]:
    """The fields of a column as texts. Raises InvalidInput naming the line."""
    try:
        return b"\n".join(column).decode().split("\n")
    except UnicodeDecodeError:
        for number, field in zip(numbers, column, strict=True):
            try:
                field.decode()
            except UnicodeDecodeError as error:
                raise InvalidInput(
                    f"{place}:{number}: not UTF-8 ({error.reason}): {shorten_line(field)}; save "
                    "the file as UTF-8"
                ) from error
        raise


def _read_numbers(
    place: str,
    numbers: Sequence[int],
    name: str,
    column: Sequence[bytes],
    read: Callable[[bytes], Number],
) -> list[Number]:
    """The fields of a column as numbers, finite and of few digits. Raises InvalidInput.

    Python would read 1_000 as a number, which no other program does.
    """
    is_float = read is float

    def fits(fields: Sequence[bytes]) -> list[Number] | None:
        with suppress(ValueError):
            values = list(map(read, fields))
            if b"_" not in b"".join(fields) and (
                all(map(isfinite, values)) if is_float else max(map(len, fields)) <= _MOST_DIGITS
            ):
                return values
        return None

    if (values := fits(column)) is not None:
        return values
    index = next(index for index, field in enumerate(column) if fits([field]) is None)
    kind = "finite" if is_float else "whole"
    raise InvalidInput(
        f"{place}:{numbers[index]}: {name} {shorten_line(column[index])} is no {kind} number"
    )


# --- one query ------------------------------------------------------------------------------------


class RunEntry(NamedTuple):
    """One document of a ranking. A tuple: a run has millions of them."""

    document: str
    rank: int
    score: float


#: Twice as quick as calling the class.
_entry: Callable[[tuple[str, int, float]], RunEntry] = partial(tuple.__new__, RunEntry)


class Note(StrEnum):
    """A remark on how a ranking was written."""

    UNSORTED = "unsorted"  # lines in another order than that of the scores
    TIED_SCORES = "tied_scores"  # ranks, else lines, decided
    TIED_RANKS = "tied_ranks"  # one rank stands twice
    RANKS_DIFFER = "ranks_differ"  # ranks in another order than scores, which decided


@dataclass(frozen=True, slots=True)
class Ranking:
    """The documents of one query, best first. Ranks and scores stand as they were written."""

    query: str
    tag: str
    entries: list[RunEntry]
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, query: str, tag: str, documents: Sequence[str]) -> "Ranking":
        """A ranking of documents without scores: their order is all that is known."""
        n = len(documents)
        entries = [
            RunEntry(document, index + 1, float(n - index))
            for index, document in enumerate(documents)
        ]
        return cls(query, tag, entries)


# --- reading ------------------------------------------------------------------------------------


def read_run(path: Path) -> Iterator[Ranking]:
    """Yield the ranking of each query, in the order of the file. Memory holds one at a time.

    Raises InvalidInput naming the line: other columns, a score that is no finite number, a document
    that stands twice, or a query whose lines do not stand together.
    """
    for group in _read_groups(path):
        yield group.ranking()


def read_raw(path: Path) -> Iterator[tuple[Ranking, bytes]]:
    """As `read_run`, each with its lines as they stand in the file."""
    for group in _read_groups(path):
        yield group.ranking(), b"".join(line + b"\n" for line in group.lines)


def of_lines(lines: bytes, place: str) -> Ranking:
    """The ranking that the lines of one query are. Raises InvalidInput."""
    block = split_lines(place, 1, lines.split(b"\n"), _COLUMNS)
    if not block.fields:
        raise InvalidInput(f"{place}: is empty; each line has {_COLUMNS}")
    queries = {fields[0] for fields in block.fields}
    if len(queries) > 1:
        raise InvalidInput(f"{place}: the lines of {len(queries)} queries, and not of one")
    group = _QueryGroup(place, block.fields[0][0])
    group.add(block.fields, block.numbers, block.lines)
    return group.ranking()


def _read_groups(path: Path) -> Iterator["_QueryGroup"]:
    """Yield the lines of each query."""
    seen: set[bytes] = set()
    group: _QueryGroup | None = None
    for block in read_rows(path, _COLUMNS):
        start = 0
        for query, query_rows in groupby(block.fields, itemgetter(0)):
            span = slice(start, start + len(list(query_rows)))
            start = span.stop
            if group is None or group.query != query:
                if group is not None:
                    yield group
                group = _QueryGroup(str(path), query)
                if query in seen:
                    raise InvalidInput(
                        f"{path}:{block.numbers[span.start]}: query {shorten_line(query)} stands "
                        "further up already, with another one in between; the lines of a query "
                        f"must stand together: sort -s -k1,1 {path.name} > sorted.run"
                    )
                seen.add(query)
            group.add(block.fields[span], block.numbers[span], block.lines[span])
    if group is not None:
        yield group


@dataclass(slots=True)
class _QueryGroup:
    """All lines of one query."""

    place: str
    query: bytes
    fields: list[list[bytes]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)

    def add(
        self, fields: list[list[bytes]], numbers: Sequence[int], lines: Sequence[bytes]
    ) -> None:
        self.fields += fields
        self.numbers += numbers
        self.lines += lines

    def ranking(self) -> Ranking:
        _, _, document_ids, ranked, scored, tagged = zip(*self.fields, strict=True)
        documents = decode_column(self.place, self.numbers, document_ids)
        ranks = _read_numbers(self.place, self.numbers, "rank", ranked, int)
        scores = _read_numbers(self.place, self.numbers, "score", scored, float)
        self._check_group(documents, tagged)
        [query] = decode_column(self.place, self.numbers[:1], [self.query])
        [tag] = decode_column(self.place, self.numbers[:1], tagged[:1])
        order = _rank_order(scores, ranks)
        if order is not None:
            documents = [documents[index] for index in order]
            ranks, scores = [ranks[index] for index in order], [scores[index] for index in order]
        entries = list(map(_entry, zip(documents, ranks, scores, strict=True)))
        return Ranking(query, tag, entries, tuple(_list_notes(order, ranks, scores)))

    def _check_group(self, documents: list[str], tags: Sequence[bytes]) -> None:
        """Refuse what would be two lists, or two ranks of one document."""
        if len(set(documents)) < len(documents):
            first: dict[str, int] = {}
            for number, document in zip(self.numbers, documents, strict=True):
                if first.setdefault(document, number) != number:
                    raise InvalidInput(
                        f"{self.place}:{number}: document {document[:60]!r} of query "
                        f"{shorten_line(self.query)} stands in line {first[document]} already; "
                        "keep one"
                    )
        if len(set(tags)) > 1:
            other_index = next(index for index, tag in enumerate(tags) if tag != tags[0])
            raise InvalidInput(
                f"{self.place}:{self.numbers[other_index]}: tag {shorten_line(tags[other_index])}, "
                f"but {shorten_line(tags[0])} in line {self.numbers[0]} for the same query; one "
                "file holds the run of one system"
            )


def _rank_order(scores: list[float], ranks: list[int]) -> list[int] | None:
    """The places of the documents, best first; None where they stand so already."""
    if all(map(gt, scores, islice(scores, 1, None))):
        return None
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], ranks[at]))
    return None if order == list(range(len(order))) else order


def _list_notes(order: list[int] | None, ranks: list[int], scores: list[float]) -> Iterator[Note]:
    """Notes on a ranking in its final order."""
    if order is not None:
        yield Note.UNSORTED
    if any(map(eq, scores, islice(scores, 1, None))):
        yield Note.TIED_SCORES
    if all(map(lt, ranks, islice(ranks, 1, None))):
        return
    if len(set(ranks)) < len(ranks):
        yield Note.TIED_RANKS
    if any(map(gt, ranks, islice(ranks, 1, None))):
        yield Note.RANKS_DIFFER


# --- writing ------------------------------------------------------------------------------------


def write_run(rankings: Iterable[Ranking], file: TextIO) -> int:
    """Write rankings so that `read_run` gives them back; returns the number of lines.

    A query without documents leaves no line: the format has no way to say it. Raises InvalidInput
    for what would come back as something else.
    """
    lines, seen = 0, set[str]()
    for ranking in rankings:
        _check_writable(ranking, seen)
        seen.add(ranking.query)
        start, end = f"{ranking.query} Q0 ", f" {ranking.tag}\n"
        file.writelines(
            f"{start}{document} {rank} {score!r}{end}" for document, rank, score in ranking.entries
        )
        lines += len(ranking.entries)
    return lines


def _check_writable(ranking: Ranking, seen: set[str]) -> None:
    query = ranking.query
    if query in seen:
        raise InvalidInput(f"query {query!r} has two rankings; a run has one for each query")
    documents = [entry.document for entry in ranking.entries]
    for name, value in (
        ("query", query),
        ("tag", ranking.tag),
        *(("document", d) for d in documents),
    ):
        if not value or _UNWRITABLE.search(value):
            raise InvalidInput(
                f"{name} {value[:60]!r} cannot stand in a run: it is empty or holds a blank, which "
                "separates columns"
            )
    if len(set(documents)) < len(documents):
        raise InvalidInput(f"query {query!r}: a document stands twice in its ranking")
    scores = [entry.score for entry in ranking.entries]
    if not all(map(isfinite, scores)):
        raise InvalidInput(f"query {query!r}: a score is no finite number")
    in_order = all(map(ge, scores, islice(scores, 1, None)))
    if not in_order or _rank_order(scores, [entry.rank for entry in ranking.entries]) is not None:
        raise InvalidInput(
            f"query {query!r}: documents are not in the order of their scores, then ranks"
        )


_escaped = partial(quote, safe="")


def as_field(text: str) -> str:
    """A name as it can stand in a run: what separates columns is written as in addresses, %20."""
    return _UNWRITABLE.sub(lambda found: _escaped(found[0], errors="replace"), text)


_KEYS = ("id", "_id", "qid", "query_id", "topic_id", "number")
_TEXTS = ("text", "query", "title", "question", "description")
_MOST = 2**28
_BEGINS = re.compile(r"<(top(?:ic)?)\b([^<>]*)>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
#: A field of classic topics ends where the next one begins.
_FIELD = re.compile(r"<(num|title|query)\b[^<>]*>([^<]*)", re.IGNORECASE)
_NUMBER = re.compile(r"""\b(?:number|id)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
_LABEL = {"num": "number:", "title": "topic:"}


def read_topics(path: Path) -> dict[str, str]:
    """{query id: its words}, in the order of the file.

    Raises InvalidInput naming the line: no id, no words, or an id that stands twice.
    """
    lines = list(_read_lines(path))
    start = next((text.lstrip()[:1] for _, text in lines if text.strip()), "")
    if not start:
        raise InvalidInput(f"{path}: is empty; each topic has an id and words")
    readers = {"<": _read_marked, "{": _read_jsonl}
    topics: dict[str, str] = {}
    for number, name, text in readers.get(start, _read_columns)(path, lines):
        key, words = make_storable(name).strip(), make_storable(" ".join(text.split()))
        if not key or not words:
            missing = "words" if key else "id"
            raise InvalidInput(
                f"{path}:{number}: a topic without {missing}: {(key or words)[:60]!r}"
            )
        if key in topics:
            raise InvalidInput(f"{path}:{number}: topic {key[:60]!r} stands twice; keep one")
        topics[key] = words
    if not topics:
        raise InvalidInput(f"{path}: holds no topic; <top> with <num> and <title> was expected")
    return topics


def _read_lines(path: Path) -> Iterator[tuple[int, str]]:
    size = 0
    for first, lines in read_blocks(path):
        size += sum(map(len, lines))
        if size > _MOST:
            raise InvalidInput(f"{path}: more than {_MOST:,} bytes; topics are a short file")
        numbers = range(first, first + len(lines))
        yield from zip(numbers, decode_column(str(path), numbers, lines), strict=True)


def _read_columns(path: Path, lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        if not line.strip():
            continue
        key, tab, text = line.partition("\t")
        if not tab:
            raise InvalidInput(
                f"{path}:{number}: no tab between an id and words: {shorten_line(line.encode())}"
            )
        if number == 1 and key.strip().lower() in _KEYS and text.strip().lower() in _TEXTS:
            continue  # names of columns
        yield number, key, text


def _read_jsonl(path: Path, lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        if not line.strip():
            continue
        row = parse_json(line, f"{path}:{number}")
        if not isinstance(row, dict):
            raise InvalidInput(f"{path}:{number}: not an object: {shorten_line(line.encode())}")
        yield number, _optional_cell(row, _KEYS), _optional_cell(row, _TEXTS)


def _optional_cell(row: dict[str, object], names: tuple[str, ...]) -> str:
    """Return the text under the first of some names; a number is an id as well."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            return str(value)
    return ""


def _read_marked(_path: Path, lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """Topics from one <top> to the next: their tags need no end in the classic files."""
    whole = "\n".join(text for _, text in lines)
    starts = list(_BEGINS.finditer(whole))
    number, counted = lines[0][0], 0
    for index, start in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(whole)
        number += whole.count("\n", counted, start.start())
        counted = start.start()
        yield number, *_read_topic(start[2], whole[start.end() : end])


def _read_topic(attributes: str, content: str) -> tuple[str, str]:
    """(id, words) of one topic; empty where there are none."""
    fields: dict[str, str] = {}
    for name, text in _FIELD.findall(content):
        fields.setdefault(name.lower(), _plain_field(name.lower(), text))
    match = _NUMBER.search(attributes)
    key = match[1] if match else fields.get("num", "")
    return html.unescape(key), fields.get("title") or fields.get("query", "")


def _plain_field(name: str, text: str) -> str:
    """The text of a field without the label that old topics put before it: `Number: 301`."""
    plain = html.unescape(_TAG.sub(" ", text)).strip()
    label = _LABEL.get(name, "")
    return plain[len(label) :].strip() if label and plain.lower().startswith(label) else plain


_QRELS_COLUMNS = "query 0 document grade"


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """{query: {document: grade}}; the lines may stand in any order.

    Raises InvalidInput naming the line: other columns, a grade that is no whole number, or a second
    and different grade of one document.
    """
    grades_by_query: dict[str, dict[str, int]] = {}
    location = str(path)
    for block in read_rows(path, _QRELS_COLUMNS):
        query_ids, _, document_ids, graded = zip(*block.fields, strict=True)
        queries = decode_column(location, block.numbers, query_ids)
        documents = decode_column(location, block.numbers, document_ids)
        grades = _read_numbers(location, block.numbers, "grade", graded, int)
        entries = zip(queries, documents, grades, strict=True)
        for index, (query, document, grade) in enumerate(entries):
            earlier_grade = grades_by_query.setdefault(query, {}).setdefault(document, grade)
            if earlier_grade != grade:
                raise InvalidInput(
                    f"{location}:{block.numbers[index]}: document {document[:60]!r} "
                    f"has grade {grade} for query {query[:60]!r}, and "
                    f"{earlier_grade} further up; keep one"
                )
    return grades_by_query
