"""Topics of a test collection, and relevance judgements: a file in, words or grades by query out.

Three forms, told apart by how the file begins: the marked text of TREC (<top> with <num> and
<title>, or <topic number="..."> with <query> or <title>), JSON lines, and two columns with a tab
between them. Ids stay as they are written: 051 is not 51.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from monitor.input_files import parse_json
from monitor.model import InvalidInput, make_storable
from monitor.trec.run import decode_column, read_blocks, read_integers, read_rows, shorten_line

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
        for number, line in enumerate(lines, first):
            size += len(line)
            if size > _MOST:
                raise InvalidInput(f"{path}: more than {_MOST:,} bytes; topics are a short file")
            try:
                yield number, line.decode()
            except UnicodeDecodeError as error:
                raise InvalidInput(
                    f"{path}:{number}: not UTF-8 ({error.reason}): {shorten_line(line)}; save the "
                    "file as UTF-8"
                ) from error


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


_COLUMNS = "query 0 document grade"


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """{query: {document: grade}}; the lines may stand in any order.

    Raises InvalidInput naming the line: other columns, a grade that is no whole number, or a second
    and different grade of one document.
    """
    grades_by_query: dict[str, dict[str, int]] = {}
    location = str(path)
    for block in read_rows(path, _COLUMNS):
        query_ids, _, document_ids, graded = zip(*block.fields, strict=True)
        queries = decode_column(location, block.numbers, query_ids)
        documents = decode_column(location, block.numbers, document_ids)
        grades = read_integers(location, block.numbers, "grade", graded)
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
