"""Write and open the files of a reproducibility package.

Rows are lines of JSON, packed; the same rows give the same bytes. A package that is opened may be
by anybody, and nothing in it is believed: every file is one that a package can have, is named in
SHA256SUMS with its digest, and no other is there. Names and sizes are looked at before any file is
opened.
"""

import gzip
import json
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from monitor.input_files import load_json, say_first_fault
from monitor.model import InvalidInput
from monitor.stages.publish.release import hash_file
from monitor.store.publish.reproduction import list_packed_tables

Row: TypeAlias = dict[str, Any]

SUFFIX = ".jsonl.gz"
#: Packs nearly as well as the best level, in a third of the time.
_LEVEL = 6
#: The longest line is a page of the web in base64 with what is known of it.
MOST_LINE = 256 * 2**20
#: Rows that are in memory at once, and bytes.
_PORTION, _PORTION_BYTES = 1_000, 32 * 2**20


@dataclass(frozen=True, slots=True)
class File:
    """A file as the manifest has it: bytes on the disk and unpacked, rows, SHA-256."""

    path: str
    size: int
    unpacked: int
    rows: int
    sha256: str


def write_file(folder: Path, path: str, portions: Iterable[Sequence[Mapping[str, Any]]]) -> File:
    """Write rows as lines; one portion is in memory at a time."""
    this_path = folder / path
    this_path.parent.mkdir(parents=True, exist_ok=True)
    rows = size = 0
    # neither a name nor a time in its header
    with (
        this_path.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file,
    ):
        for portion in portions:
            for row in portion:
                line = _encode_line(row)
                file.write(line)
                size += len(line)
                rows += 1
    return _describe_file(folder, path, size, rows)


def _encode_line(row: Mapping[str, Any]) -> bytes:
    text = json.dumps(
        row, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
    )
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _describe_file(folder: Path, path: str, unpacked: int, rows: int) -> File:
    size, sha256 = hash_file(folder / path)
    return File(path, size, unpacked, rows, sha256)


def write_plain(folder: Path, path: str, content: bytes) -> File:
    """Write a file as it is."""
    this_path = folder / path
    this_path.parent.mkdir(parents=True, exist_ok=True)
    this_path.write_bytes(content)
    return _describe_file(folder, path, len(content), 0)


def read_rows(folder: Path, known: File) -> Iterator[list[Row]]:
    """Portions of the rows of a file. Raises InvalidInput where it is not what it says it is."""
    rows = size = first_side = 0
    group: list[Row] = []
    for line in _list_lines(folder / known.path, known):
        size += len(line)
        rows += 1
        if size > known.unpacked or rows > known.rows:
            raise InvalidInput(f"{known.path}: holds more than the manifest says")
        group.append(_describe_row(line, known.path, rows))
        first_side += len(line)
        if len(group) >= _PORTION or first_side >= _PORTION_BYTES:
            yield group
            group, first_side = [], 0
    if (size, rows) != (known.unpacked, known.rows):
        raise InvalidInput(f"{known.path}: holds less than the manifest says")
    if group:
        yield group


def _list_lines(place: Path, known: File) -> Iterator[bytes]:
    try:
        with gzip.open(place, "rb") as file:
            while line := file.readline(MOST_LINE + 1):
                if len(line) > MOST_LINE or not line.endswith(b"\n"):
                    raise InvalidInput(f"{known.path}: a line that is cut off, or too long")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"{known.path}: cannot be unpacked: {error}") from error


def _describe_row(line: bytes, path: str, number: int) -> Row:
    try:
        row = load_json(line.decode("utf-8"), constant=_refuse)
    except ValueError as error:
        raise InvalidInput(f"{path}: line {number} is no JSON") from error
    if not isinstance(row, dict):
        raise InvalidInput(f"{path}: line {number} is no row")
    return row


def _refuse(word: str) -> float:
    raise ValueError(word)


#: Of a package: goes up when a file or a row of one means something else.
FORMAT = 2

INPUTS = tuple(table.name for table in list_packed_tables())
PUBLISHED = ("points", "comparisons", "looks", "changes", "reports")

_SUMS, _MANIFEST = "SHA256SUMS", "manifest.json"
_PAPERS = ("README.md", "LICENSE.md", "CITATION.cff", "requirements.lock", _MANIFEST)
_NAME = r"\w[\w.@+=,-]{0,120}"
_ALLOWED = re.compile(
    rf"(?:inputs/(?:{'|'.join(INPUTS)})|published/(?:{'|'.join(PUBLISHED)})){re.escape(SUFFIX)}"
    rf"|jobs/[0-9]{{1,18}}/{_NAME}(?:/{_NAME}){{0,2}}"
    rf"|lexicons/[a-z0-9][a-z0-9._-]{{0,120}}\.lexicon"
)
_LINE = re.compile(r"([0-9a-f]{64})  ([^\n\r\\]+)")

#: What no package of ours has more of.
_MOST_FILES, _MOST_DEPTH = 200_000, 5
_MOST_PAPER = 512 * 2**20
_MOST_BYTES = 2**40


def is_safe(path: str) -> bool:
    """Whether a package can have a file of this name: no way out of it, and nothing hidden."""
    return path in _PAPERS or path == _SUMS or _ALLOWED.fullmatch(path) is not None


_Count = Annotated[int, Field(ge=0, lt=2**53)]


class Elsewhere(BaseModel):
    """Ticks of which an audit that is not in the package says something, both ends included."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    language: str
    since: str | None
    until: str | None
    jobs: list[str]


class Manifest(BaseModel):
    """Manifest of a package."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: int
    program: str = Field(max_length=100)
    commit: str = Field(max_length=100)
    source: str = Field(max_length=100)
    schema_: str = Field(alias="schema", max_length=100)
    full: bool
    people: bool
    jobs: list[str]
    chosen_jobs: list[str]
    until: str | None
    runs: _Count
    unfinished: dict[str, str]
    withheld_lists: list[str]
    behind: dict[str, str]
    erased: dict[str, str]
    worked_on: dict[str, str]
    doubts: list[Elsewhere]
    signatures: dict[str, dict[str, Any]]
    measures: dict[str, dict[str, Any]]
    signed: dict[str, dict[str, list[str]]]
    decided: dict[str, dict[str, str]]
    report_times: dict[str, list[str]]
    reports_left_out: dict[str, dict[str, str]]
    seeds: dict[str, str]
    lexicons: list[str]
    files: dict[str, tuple[_Count, _Count, _Count]]


@dataclass(frozen=True, slots=True)
class Package:
    """An open package."""

    folder: Path
    manifest: Manifest
    files: Mapping[str, File]

    @property
    def unpacked(self) -> int:
        """Bytes of all its rows."""
        return sum(file.unpacked for file in self.files.values())

    def rows(self, name: str) -> Iterator[list[Row]]:
        """Portions of the rows of `inputs/NAME` or `published/NAME`. Raises InvalidInput."""
        return read_rows(self.folder, self.files[name + SUFFIX])

    def content(self, path: str) -> bytes:
        """A file of a job, or a lexicon. Raises InvalidInput for one that is not in it."""
        if path not in self.files:
            raise InvalidInput(f"{path[:200]!r}: is not in the package")
        return (self.folder / path).read_bytes()


def open_package(folder: Path, progress: Callable[[int], None]) -> Package:
    """A package whose every file is what it was; `progress` is told how many were checked.

    Raises InvalidInput with the first fault.
    """
    sizes = _map_sizes(folder)
    listed = _listed(folder, sizes)
    for done, (path, expected) in enumerate(listed.items(), 1):
        if hash_file(folder / path)[1] != expected:
            raise InvalidInput(f"{path}: is not what SHA256SUMS says: changed, or cut off")
        progress(done)
    manifest = _make_manifest(folder)
    files = {
        path: File(path, *manifest.files[path], listed[path])
        for path in manifest.files
        if path in listed
    }
    names = {f"inputs/{item}{SUFFIX}" for item in INPUTS}
    names |= {f"published/{item}{SUFFIX}" for item in PUBLISHED}
    if lacking := sorted(names - set(files)):
        raise InvalidInput(f"{lacking[0]}: is missing in the package")
    if other_files := sorted(set(manifest.files) ^ (set(listed) - {_MANIFEST})):
        raise InvalidInput(f"{other_files[0][:200]!r}: is not in both manifest and package")
    for path, file in files.items():
        if file.size != sizes[path]:
            raise InvalidInput(f"{path}: has another size than the manifest says")
    return Package(folder, manifest, files)


def _map_sizes(folder: Path) -> dict[str, int]:
    """{path: bytes} of every file, none of them opened."""
    try:
        is_folder = stat.S_ISDIR(folder.stat().st_mode)
    except OSError as error:
        raise InvalidInput(f"{folder}: cannot be read: {error.strerror}") from error
    if not is_folder:
        raise InvalidInput(f"{folder}: is no folder")
    sizes: dict[str, int] = {}
    waiting = [("", 0)]
    while waiting:
        under, depth = waiting.pop()
        with os.scandir(folder / under) as entries:
            for entry in entries:
                path = f"{under}{entry.name}"
                facts = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(facts.st_mode) and depth < _MOST_DEPTH:
                    waiting.append((f"{path}/", depth + 1))
                    continue
                if not stat.S_ISREG(facts.st_mode) or not is_safe(path):
                    raise InvalidInput(f"{path[:200]!r}: no package has such a file")
                sizes[path] = facts.st_size
                # a file that is not of rows is read at once
                is_large = not path.endswith(SUFFIX) and facts.st_size > _MOST_PAPER
                if len(sizes) > _MOST_FILES or is_large:
                    raise InvalidInput(f"{path}: more, or larger, files than a package has")
    if sum(sizes.values()) > _MOST_BYTES:
        raise InvalidInput(f"{folder}: is larger than a package is")
    return sizes


def _listed(folder: Path, sizes: Mapping[str, int]) -> dict[str, str]:
    """{path: SHA-256} of SHA256SUMS: all files, each once, and no others."""
    if _SUMS not in sizes:
        raise InvalidInput(f"{folder}: has no {_SUMS}; it is no package, or not whole")
    entries: dict[str, str] = {}
    for line in (folder / _SUMS).read_text("utf-8", "replace").splitlines():
        match = _LINE.fullmatch(line)
        if match is None or not is_safe(match[2]) or match[2] in (_SUMS, *entries):
            raise InvalidInput(f"{_SUMS}: {line[:80]!r} is no line of it")
        entries[match[2]] = match[1]
    if other_sizes := sorted(set(entries) ^ (set(sizes) - {_SUMS})):
        raise InvalidInput(f"{other_sizes[0]!r}: is not in both {_SUMS} and folder")
    return entries


def _make_manifest(folder: Path) -> Manifest:
    try:
        content = load_json((folder / _MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{_MANIFEST}: cannot be read as JSON") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        text = content.get("format") if isinstance(content, dict) else None
        raise InvalidInput(
            f"{_MANIFEST}: format {str(text)[:20]} is not that of this version, {FORMAT}; install "
            "the version that the package names"
        )
    try:
        return Manifest.model_validate_json(json.dumps(content))
    except ValidationError as error:
        raise InvalidInput(f"{_MANIFEST}: {say_first_fault(error)}") from error
