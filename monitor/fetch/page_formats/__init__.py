"""Pages of files that people save: HTML and MHTML, archives of such files, WARC and HAR.

Files are not trusted: every record is read to its end within limits, so that a cut or broken file
is found. Broken, cut or oversized files are refused with the name of the file and the record. A
folder that a browser saved beside a page (`page_files`) holds pieces of it, which are no pages.
"""

import email
import email.message
import email.utils
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.errors import MessageError
from functools import partial
from pathlib import Path, PurePosixPath
from typing import cast

from monitor.fetch.page_formats.har import read_har
from monitor.fetch.page_formats.page import (
    BrokenFile,
    NumberedPage,
    SavedFileSource,
    SavedPage,
    read_whole,
)
from monitor.fetch.page_formats.warc import read_warc
from monitor.input_files import BROKEN_ZIP
from monitor.model import InvalidInput

_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".mhtml": "mhtml",
    ".mht": "mhtml",
    ".warc": "warc",
    ".warc.gz": "warc",
    ".har": "har",
    ".wacz": "wacz",
    ".zip": "zip",
}
#: The files that hold pages, for messages.
KINDS = ".html, .mhtml, .warc, .warc.gz, .wacz, .har or .zip"
#: Forms that hold many pages, so that a page in them has a number.
MANY = ("warc", "har", "wacz", "zip")
_MOST_MEMBERS = 20_000
#: How much longer members are than the archive, at most.
_LEAST_UNPACKED, _MOST_RATIO = 2**27, 200
#: Endings of folders with pieces of a page, in languages of browsers.
_PIECES = tuple("_files -files .files _dateien -dateien _fichiers _archivos _arquivos".split())
_WACZ = "datapackage.json"


def file_form(name: str) -> str:
    """html, mhtml, warc, har, wacz or zip; empty for a file that holds no pages."""
    lower = name.lower()
    return next((form for suffix, form in _SUFFIXES.items() if lower.endswith(suffix)), "")


def read_pages(path: Path, name: str) -> Iterator[NumberedPage]:
    """The pages of a file, or of the files in a folder, which messages call `name`.

    Raises InvalidInput.
    """
    try:
        if path.is_dir():
            yield from _read_folder(path)
            return
        source = _file_source(path)
        form = file_form(path.name)
        if form in ("zip", "wacz"):
            yield from _read_zip(source)
        else:
            yield from _READERS[form](source)
    except BrokenFile as broken:
        raise InvalidInput(f"{name}{broken}") from None
    except OSError as error:
        raise InvalidInput(f"{name}: cannot be read: {error.strerror or error}") from None


def _read_html(source: SavedFileSource) -> Iterator[NumberedPage]:
    yield NumberedPage(0, SavedPage(read_whole(source)))


def _read_mhtml(source: SavedFileSource) -> Iterator[NumberedPage]:
    """Yield the page of a file. Raises BrokenFile, OSError."""
    try:
        message = email.message_from_bytes(read_whole(source))
        part = next(p for p in message.walk() if p.get_content_type() == "text/html")
        body = cast("bytes", part.get_payload(decode=True) or b"")
    except (StopIteration, MessageError, ValueError, LookupError, AttributeError):
        raise BrokenFile(": no page in it can be read; save the page as HTML instead") from None
    if not body.strip():
        raise BrokenFile(": the page in it is empty; save the page as HTML instead")
    url = _mail_header(message, "Snapshot-Content-Location") or _mail_header(
        part, "Content-Location"
    )
    yield NumberedPage(0, SavedPage(body, url, _mail_date(_mail_header(message, "Date"))))


def _mail_header(message: "email.message.Message[str, str]", name: str) -> str:
    return "".join(str(message.get(name) or "").split("\n")).strip()


def _mail_date(text: str) -> datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return None


def _read_folder(folder: Path) -> Iterator[NumberedPage]:
    """Yield the pages of the files in a folder, numbered from 1. Raises BrokenFile, OSError."""
    members: dict[str, SavedFileSource] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            name = path.relative_to(folder).as_posix()
            members[name] = _file_source(path)
    yield from _read_members(members)


def _file_source(path: Path) -> SavedFileSource:
    """Return a file as a source. Raises OSError."""
    return SavedFileSource(path.name, path.stat().st_size, lambda: path.open("rb"))


def _read_zip(source: SavedFileSource) -> Iterator[NumberedPage]:
    """Yield the pages of a zip file, numbered from 1; of a WACZ, those of its WARC files.

    Raises BrokenFile, also for what unpacks to far more than pages do, and OSError.
    """
    try:
        with source.open() as file, zipfile.ZipFile(file) as archive:
            yield from _read_members(_list_members(archive, source.size))
    except BROKEN_ZIP as error:
        raise BrokenFile(f": broken archive: {error}; it may have been cut off") from None


def _list_members(archive: zipfile.ZipFile, size: int) -> dict[str, SavedFileSource]:
    infos = [info for info in archive.infolist() if not info.is_dir()]
    unpacked = sum(info.file_size for info in infos)
    if len(infos) > _MOST_MEMBERS or unpacked > _LEAST_UNPACKED + _MOST_RATIO * size:
        raise BrokenFile(
            f": unpacks to {len(infos):,} files with {unpacked:,} bytes, which no saved pages do; "
            "nothing of it was read"
        )
    if _WACZ in archive.namelist():
        infos = [info for info in infos if PurePosixPath(info.filename).parts[0] == "archive"]
    return {
        info.filename: SavedFileSource(info.filename, info.file_size, partial(archive.open, info))
        for info in sorted(infos, key=lambda info: info.filename)
    }


def _read_members(members: Mapping[str, SavedFileSource]) -> Iterator[NumberedPage]:
    number = pages = 0
    for name, source in members.items():
        reader = _READERS.get(file_form(name))  # an archive within an archive has none
        if reader is None or _is_piece(name):
            continue
        pages += 1
        try:
            for numbered in reader(source):
                number += 1
                yield NumberedPage(
                    number, numbered.page, f"{name}:{numbered.record}" if numbered.record else name
                )
        except BrokenFile as broken:
            raise BrokenFile(f": {name}{broken}") from None
    if not pages:
        raise BrokenFile(": no saved page in it")


def _is_piece(name: str) -> bool:
    """Return whether a file stands in a folder with pieces of a page, or is of a system."""
    folders = PurePosixPath(name).parts
    return any(
        part.lower().endswith(_PIECES) or part.startswith((".", "__MACOSX")) for part in folders
    )


_READERS: dict[str, Callable[[SavedFileSource], Iterator[NumberedPage]]] = {
    "html": _read_html,
    "mhtml": _read_mhtml,
    "har": read_har,
    "warc": read_warc,
}
