"""Documents from one's own files: text or JSON lines, plain or packed, one after the other.

A document is a pair of its key, `file:line` or `file`, and its text. Files are read as a stream;
only one document is held at a time.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from monitor.input_files import decode_lines, parse_json, text_of
from monitor.model import InvalidInput

#: Bytes of a file that are in memory at once, apart from the document.
_PART = 2**20
#: The same of packed ones: a hostile file holds thirty thousand times as much.
_PACKED_PART = 2**12
#: A document of more bytes is none, but a file without lines, or one made to fill the memory.
_LONGEST = 2**28

_TEXT, _JSON = ".txt", ".jsonl"
_PACKED = (".gz", ".zst")
_KNOWN = tuple(kind + packing for kind in (_TEXT, _JSON) for packing in ("", *_PACKED))


@dataclass(frozen=True, slots=True)
class TextForm:
    """The unit of the files that is a document."""

    lines: bool = True  # of .txt: each line, else each file
    field: str = "text"  # of .jsonl: where the text of a line stands


def read_documents(paths: Iterable[Path], form: TextForm) -> Iterator[tuple[str, str]]:
    """(key, text) of every document, in order. Raises InvalidInput naming file and line."""
    for path in paths:
        for file in _known_files(path) if path.is_dir() else [path]:
            yield from _read_documents(file, form)


def _known_files(folder: Path) -> list[Path]:
    """Every file of a known kind beneath a folder, but hidden ones, in the order of their names."""
    paths = [path for path in list_files(folder) if path.name.endswith(_KNOWN)]
    if not paths:
        raise InvalidInput(f"{folder}: holds no file of {', '.join(_KNOWN)}")
    return paths


def list_files(folder: Path) -> list[Path]:
    """Every file beneath a folder but hidden ones, in the order of their names."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _read_documents(path: Path, form: TextForm) -> Iterator[tuple[str, str]]:
    if not path.name.endswith(_KNOWN):
        raise InvalidInput(f"{path}: is none of {', '.join(_KNOWN)}; rename or convert it")
    kind = Path(path.name.removesuffix(".gz").removesuffix(".zst")).suffix
    if kind == _TEXT and not form.lines:
        yield str(path), _read_whole(path)
        return
    lines = decode_lines(_read_lines(path), str(path), document=True)
    for number, text in enumerate(lines, start=1):
        location = f"{path}:{number}"
        if kind == _TEXT:
            yield location, text
        elif text.strip():
            yield location, _read_field(text, form.field, location)


def _read_field(line: str, name: str, place: str) -> str:
    row = parse_json(line, place, document=True)
    if not isinstance(row, dict):
        raise InvalidInput(f"{place}: is no object; write one a line, such as {{{name!r}: ...}}")
    text = row.get(name)
    if not isinstance(text, str):
        fields = ", ".join(repr(key[:40]) for key in list(row)[:10]) or "none"
        raise InvalidInput(
            f"{place}: has no text in the field {name!r}; its fields are {fields}. Name the one "
            "with the text"
        )
    return text


def _read_whole(path: Path) -> str:
    content = bytearray()
    for part in _read_parts(path):
        content += part
        _check_length(len(content), str(path))
    return text_of(bytes(content), str(path), document=True)


def _check_length(size: int, place: str) -> None:
    if size > _LONGEST:
        raise InvalidInput(
            f"{place}: a document of more than {_LONGEST:,} bytes; part it into lines, and take "
            "each line as a document"
        )


def _read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file without their ends."""
    rest, number = bytearray(), 1
    for part in _read_parts(path):
        rest += part
        if b"\n" in part:
            *whole, last = bytes(rest).split(b"\n")
            yield from (line.removesuffix(b"\r") for line in whole)
            number += len(whole)
            rest = bytearray(last)
        _check_length(len(rest), f"{path}:{number}")
    if rest:
        yield bytes(rest)


def _read_parts(path: Path) -> Iterator[bytes]:
    """The bytes of a file, unpacked as its name says. Raises InvalidInput."""
    try:
        with path.open("rb") as file:
            if path.suffix == ".zst":
                yield from _read_zstandard(file)
                return
            unpacked = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
            while part := unpacked.read(_PART):
                yield part
    except FileNotFoundError as error:
        raise InvalidInput(f"{path}: no such file") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidInput(f"{path}: not a whole packed file: {error}; fetch it anew") from error
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _read_zstandard(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of the frames of a file. Raises where the last one is cut."""
    import zstandard  # noqa: PLC0415 - few files need it

    frame = zstandard.ZstdDecompressor().decompressobj()
    fresh = True
    try:
        while rest := file.read(_PACKED_PART):
            while rest:
                yield frame.decompress(rest)
                fresh, rest = frame.eof, frame.unused_data
                if fresh:
                    frame = zstandard.ZstdDecompressor().decompressobj()
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from error
    if not fresh:
        raise EOFError("its last frame is cut")
