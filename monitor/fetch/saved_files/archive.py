"""Pages of WACZ files, and of zip files and folders with saved pages.

A folder that a browser saved beside a page (`page_files`) holds pieces of it, which are no pages.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from monitor.fetch.saved_files.messages import BrokenFile, NumberedPage, SavedFileSource
from monitor.input_files import BROKEN_ZIP

Reader: TypeAlias = Callable[[SavedFileSource], Iterator[NumberedPage]]
FindReader: TypeAlias = Callable[[str], Reader | None]

_MOST_MEMBERS = 20_000
#: How much longer members are than the archive, at most.
_LEAST_UNPACKED, _MOST_RATIO = 2**27, 200
#: Endings of folders with pieces of a page, in languages of browsers.
_PIECES = tuple("_files -files .files _dateien -dateien _fichiers _archivos _arquivos".split())
_WACZ = "datapackage.json"


def read_folder(folder: Path, find_reader: FindReader) -> Iterator[NumberedPage]:
    """Yield the pages of the files in a folder, numbered from 1. Raises BrokenFile, OSError."""
    members: dict[str, SavedFileSource] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            name = path.relative_to(folder).as_posix()
            members[name] = file_source(path)
    yield from _read_members(members, find_reader)


def file_source(path: Path) -> SavedFileSource:
    """Return a file as a source. Raises OSError."""
    return SavedFileSource(path.name, path.stat().st_size, lambda: path.open("rb"))


def read_zip(source: SavedFileSource, find_reader: FindReader) -> Iterator[NumberedPage]:
    """Yield the pages of a zip file, numbered from 1; of a WACZ, those of its WARC files.

    Raises BrokenFile, also for what unpacks to far more than pages do, and OSError.
    """
    try:
        with source.open() as file, zipfile.ZipFile(file) as archive:
            yield from _read_members(_list_members(archive, source.size), find_reader)
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


def _read_members(
    members: Mapping[str, SavedFileSource], find_reader: FindReader
) -> Iterator[NumberedPage]:
    number = pages = 0
    for name, source in members.items():
        reader = find_reader(name)
        if reader is None or _is_piece(name):
            continue
        pages += 1
        try:
            for numbered in reader(source):
                number += 1
                yield NumberedPage(number, numbered.page, f"{name}{_say_record(numbered)}")
        except BrokenFile as broken:
            raise BrokenFile(f": {name}{broken}") from None
    if not pages:
        raise BrokenFile(": no saved page in it")


def _say_record(numbered: NumberedPage) -> str:
    return f":{numbered.record}" if numbered.record else ""


def _is_piece(name: str) -> bool:
    """Return whether a file stands in a folder with pieces of a page, or is of a system."""
    folders = PurePosixPath(name).parts
    return any(
        part.lower().endswith(_PIECES) or part.startswith((".", "__MACOSX")) for part in folders
    )
