"""Shares in a file of one's own: CSV text in, a source of reference shares out.

A job names `csv:NAME` for the file `references/NAME.csv` beside it. One row per topic and group:

    topic,group,share,count,n,source,country,as_of,word
    nurse,women,0.87,,,my survey,DE,2024,Krankenpflege
    baker,women,,120,400,my survey,DE,2024,
    baker,men,,280,400,my survey,DE,2024,

Columns `topic` (or `occupation`), `group`, `source` and `as_of` (2024, 2024-05 or 2024-05-31) are
needed, and `share` or both `count` and `n`; `country`, `word` and `note` may be left out. Where
women alone are given, men are the rest; otherwise every group has to be given, so that shares add
up to 1 within rounding. What a spreadsheet program may have changed is named and never guessed.
"""

import csv
import hashlib
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from monitor.model import InvalidInput, Origin, Reference, Share
from monitor.references._reference import BaseReference

_TOPICS = ("topic", "occupation")
_NEEDED = ("group", "source", "as_of")
_COLUMNS = frozenset(
    (*_TOPICS, *_NEEDED, "share", "count", "n", "country", "word", "note"),
)
_NUMBER = re.compile(r"(?:[0-9]{1,12}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE]-?[0-9]{1,2})?")
_COUNT = re.compile(r"[0-9]{1,10}")
_DATE = re.compile(r"(?:19|20)[0-9]{2}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
_GROUP = re.compile(r"[a-z][a-z0-9_]{0,31}")
_COMMA = re.compile(r"[0-9]*,[0-9]+")
#: What the database keeps a number of people in.
_MOST = 2**31 - 1
#: A share that was rounded to whole percent is off by at most so much.
_ROUNDING = 0.005
_LONGEST = 500
_DIGEST = 8
#: Names of sources in a title; of more, their number is given.
_NAMED = 2


@dataclass(frozen=True, slots=True)
class Csv(BaseReference):
    """A reader of files of shares; it has no shares itself."""

    name: ClassVar[str] = "csv"
    title: ClassVar[str] = "shares in a file of one's own"
    origin: ClassVar[Origin] = Origin.FILE

    def read(self, text: str, name: str) -> Reference:
        """The source that a file describes. Raises InvalidInput naming line, column and value.

        Its `as_of` is the newest date in the file and the beginning of the text's SHA-256,
        `2024+sha256-0123abcd`, so that a file that was changed is another reference.
        """
        shares_by_topic = dict(_read_topics(_read_rows(text)))
        return SharesFile(
            name,
            _check_title(name, shares_by_topic),
            _as_of(text, shares_by_topic),
            shares_by_topic,
        )


@dataclass(frozen=True, slots=True)
class SharesFile:
    """One file of shares."""

    name: str
    title: str
    as_of: str
    known: Mapping[str, tuple[Share, ...]] = field(hash=False)  # the digest in as_of stands for it
    version: ClassVar[int] = Csv.version
    origin: ClassVar[Origin] = Origin.FILE

    def shares(self, topics: Iterable[str]) -> dict[str, Share]:
        return {
            topic: share
            for topic, topic_shares in self.targets(topics).items()
            for share in topic_shares
            if share.group == "women"
        }

    def targets(self, topics: Iterable[str]) -> dict[str, tuple[Share, ...]]:
        return {topic: self.known[topic] for topic in topics if topic in self.known}


def _check_title(name: str, known: Mapping[str, tuple[Share, ...]]) -> str:
    shares = [share for topic_shares in known.values() for share in topic_shares]
    sources = sorted({share.source for share in shares})
    places = sorted({share.country for share in shares if share.country})
    dates = sorted({share.as_of for share in shares})
    source_list = "; ".join(sources) if len(sources) <= _NAMED else f"{len(sources)} sources"
    span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return ", ".join([f"{name.partition(':')[2] or name} ({source_list})", *places[:_NAMED], span])


def _as_of(text: str, known: Mapping[str, tuple[Share, ...]]) -> str:
    newest = max(share.as_of for topic_shares in known.values() for share in topic_shares)
    content = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{newest}+sha256-{content[:_DIGEST]}"


# --- rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _CsvRow:
    """One line with its cells; says where a fault is."""

    line: int
    cells: Mapping[str, str]

    def fault(self, column: str, remedy: str) -> InvalidInput:
        value = self.cells.get(column, "")
        return InvalidInput(f"line {self.line}: {column} {value[:80]!r}: {remedy}")

    def text(self, column: str, *, needed: bool = True) -> str:
        """A cell as it stands. Raises InvalidInput for what is empty or cannot be printed."""
        value = self.cells.get(column, "")
        if needed and not value:
            raise self.fault(column, "is needed")
        if value != value.strip() or not value.isprintable() or len(value) > _LONGEST:
            raise self.fault(column, f"write up to {_LONGEST} plain letters, no blanks around them")
        return value


def _read_rows(text: str) -> Iterator[_CsvRow]:
    """The lines that hold anything. Raises InvalidInput."""
    reader = csv.reader(io.StringIO(_check_text(text), newline=""), strict=True)
    try:
        header = next(reader, [])
        _check_header(header)
        has_rows = False
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) != len(header):
                raise InvalidInput(
                    f"line {reader.line_num}: {len(cells)} cells under {len(header)} columns; "
                    "write 0.5 and not 0,5, and quotation marks around texts with commas"
                )
            has_rows = True
            yield _CsvRow(reader.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise InvalidInput(f"line {reader.line_num}: {error}; save the table as CSV") from error
    if not has_rows:
        raise InvalidInput("no row below the header; name a topic and its share in each")


def _check_text(text: str) -> str:
    if text.startswith("\ufeff"):
        raise InvalidInput("line 1: begins with a byte order mark (BOM); save as UTF-8 without it")
    if "\0" in text:
        raise InvalidInput("holds NUL characters, as UTF-16 does; save as UTF-8")
    return text


def _check_header(header: list[str]) -> None:
    line = ",".join(header)
    if line.lower().startswith("sep="):
        raise InvalidInput(f"line 1: {line!r} is a spreadsheet program's; remove the line")
    for sign, separator_name in ((";", "semicolons"), ("\t", "tabs")):
        if sign in line:
            raise InvalidInput(
                f"line 1: columns are separated by {separator_name}; save the table with commas"
            )
    unknown = [column for column in header if column not in _COLUMNS]
    if unknown:
        column_list = ", ".join(sorted(_COLUMNS))
        raise InvalidInput(f"line 1: unknown column {unknown[0][:80]!r}; known: {column_list}")
    twice = [column for column in header if header.count(column) > 1]
    if twice:
        raise InvalidInput(f"line 1: column {twice[0]!r} stands twice; leave one of them")
    if sum(column in header for column in _TOPICS) != 1:
        raise InvalidInput("line 1: needs one of the columns topic and occupation")
    missing = [column for column in _NEEDED if column not in header]
    if missing:
        raise InvalidInput(f"line 1: column {missing[0]!r} is missing")
    if "share" not in header and not {"count", "n"} <= set(header):
        raise InvalidInput("line 1: needs the column share, or the columns count and n")


def _read_share(row: _CsvRow) -> Share:
    """The share of one row, as a number between 0 and 1."""
    topic = row.text("topic" if "topic" in row.cells else "occupation")
    group = row.text("group")
    if not _GROUP.fullmatch(group):
        raise row.fault("group", "small letters, digits and underscores, a letter first: women")
    as_of = row.text("as_of")
    if not _DATE.fullmatch(as_of):
        raise row.fault("as_of", "write the date as 2024, 2024-05 or 2024-05-31")
    count, n = _read_people(row, "count"), _read_people(row, "n")
    value = _read_value(row, count, n)
    country, word = row.text("country", needed=False), row.text("word", needed=False)
    return Share(topic, value, row.text("source"), country, as_of, n, word, group)


def _read_value(row: _CsvRow, count: int | None, n: int | None) -> float:
    if n == 0:
        raise row.fault("n", "of nobody there are no shares; leave the row out")
    if count is not None and (n is None or count > n):
        raise row.fault("n", f"the number of all people is needed beside count {count}")
    counted = count / n if count is not None and n else None
    stated = _read_number(row)
    if stated is None and counted is None:
        raise row.fault("share", "is needed, or count and n")
    if stated is not None and counted is not None and abs(stated - counted) > _ROUNDING:
        raise row.fault("share", f"{count} of {n} are {counted:.4f}; leave out what is wrong")
    return counted if counted is not None else stated or 0.0


def _read_number(row: _CsvRow) -> float | None:
    text = row.cells.get("share", "")
    if not text:
        return None
    if _COMMA.fullmatch(text):
        raise row.fault("share", f"is written with a comma; write {text.replace(',', '.')}")
    if not _NUMBER.fullmatch(text):
        raise row.fault("share", "is no number; write a share from 0 to 1, such as 0.61")
    value = float(text)
    if value > 1:
        raise row.fault("share", "is not within 0 and 1; write 61 percent as 0.61")
    return value


def _read_people(row: _CsvRow, column: str) -> int | None:
    text = row.cells.get(column, "")
    if not text:
        return None
    if not _COUNT.fullmatch(text) or int(text) > _MOST:
        raise row.fault(column, f"write a number of people up to {_MOST} in digits alone: 1200")
    return int(text)


# --- topics ---------------------------------------------------------------------------------------


def _read_topics(rows: Iterable[_CsvRow]) -> Iterator[tuple[str, tuple[Share, ...]]]:
    """Each topic with the shares of all its groups. Raises InvalidInput."""
    shares_by_topic: dict[str, dict[str, tuple[int, Share]]] = defaultdict(dict)
    for row in rows:
        share = _read_share(row)
        groups = shares_by_topic[share.key]
        if share.group in groups:
            first = groups[share.group][0]
            raise row.fault("group", f"stands for {share.key!r} in line {first} already")
        for _, other_share in groups.values():
            _same_origin(row, share, other_share)
        groups[share.group] = row.line, share
    for topic, groups in shares_by_topic.items():
        yield topic, _check_whole(topic, max(line for line, _ in groups.values()), groups)


def _same_origin(row: _CsvRow, share: Share, other: Share) -> None:
    for column in ("source", "country", "as_of", "n"):
        own_value, other_value = getattr(share, column), getattr(other, column)
        if own_value != other_value:
            origin = "" if other_value is None else other_value
            raise row.fault(
                column, f"is {origin!r} for another group of {share.key!r}; one for all"
            )


def _check_whole(
    topic: str, line: int, groups: Mapping[str, tuple[int, Share]]
) -> tuple[Share, ...]:
    shares = tuple(share for _, share in groups.values())
    if len(shares) == 1:
        only = shares[0]
        if only.group != "women":
            raise InvalidInput(
                f"line {line}: {topic!r} has the group {only.group!r} alone; "
                "give the share of women, or of every group"
            )
        return only, replace(only, value=1 - only.value, group="men")
    total = sum(share.value for share in shares)
    if abs(total - 1) > _ROUNDING * len(shares) + 1e-9:
        raise InvalidInput(
            f"line {line}: the shares of {topic!r} add up to {total:.4g}; "
            "give every group, so that they add up to 1"
        )
    return shares


REFERENCE = Csv()
