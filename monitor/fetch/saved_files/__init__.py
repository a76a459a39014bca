"""Pages of files that people save, one module a format.

Files are not trusted: every record is read to its end within limits, so that a cut or broken file
is found. Broken, cut or oversized files are refused with the name of the file and the record.
"""

from collections.abc import Iterator
from pathlib import Path

from monitor.fetch.saved_files.archive import Reader, file_source, read_folder, read_zip
from monitor.fetch.saved_files.har import read_har
from monitor.fetch.saved_files.messages import (
    BrokenFile,
    NumberedPage,
    SavedFileSource,
    SavedPage,
    read_whole,
)
from monitor.fetch.saved_files.mhtml import read_mhtml
from monitor.fetch.saved_files.warc import read_warc
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
            yield from read_folder(path, _find_reader)
            return
        source = file_source(path)
        form = file_form(path.name)
        if form in ("zip", "wacz"):
            yield from read_zip(source, _find_reader)
        else:
            yield from _READERS[form](source)
    except BrokenFile as broken:
        raise InvalidInput(f"{name}{broken}") from None
    except OSError as error:
        raise InvalidInput(f"{name}: cannot be read: {error.strerror or error}") from None


def _read_html(source: SavedFileSource) -> Iterator[NumberedPage]:
    yield NumberedPage(0, SavedPage(read_whole(source)))


_READERS: dict[str, Reader] = {
    "html": _read_html,
    "mhtml": read_mhtml,
    "har": read_har,
    "warc": read_warc,
}


def _find_reader(name: str) -> Reader | None:
    """Return the reader of a member of an archive; an archive within an archive has none."""
    return _READERS.get(file_form(name))
