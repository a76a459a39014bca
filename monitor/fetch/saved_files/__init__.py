"""Pages of files that people save, one module a format.

Files are not trusted: every record is read to its end within limits, so that a cut or broken file
is found. Broken, cut or oversized files are refused with the name of the file and the record.
"""

from collections.abc import Iterator
from pathlib import Path

from monitor.fetch.saved_files.har import read_har
from monitor.fetch.saved_files.messages import BrokenFile, NumberedPage, SavedPage, read_whole
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
}
#: Forms that hold many pages, so that a page in them has a number.
MANY = ("warc", "har")


def file_form(name: str) -> str:
    """html, mhtml, warc or har; empty for a file that holds no pages."""
    lower = name.lower()
    return next((form for suffix, form in _SUFFIXES.items() if lower.endswith(suffix)), "")


def read_pages(path: Path, name: str) -> Iterator[NumberedPage]:
    """The pages of a file, which messages call `name`. Raises InvalidInput."""
    try:
        yield from _READERS[file_form(name)](path)
    except BrokenFile as broken:
        raise InvalidInput(f"{name}{broken}") from None
    except OSError as error:
        raise InvalidInput(f"{name}: cannot be read: {error.strerror or error}") from None


def _read_html(path: Path) -> Iterator[NumberedPage]:
    yield NumberedPage(0, SavedPage(read_whole(path)))


_READERS = {"html": _read_html, "mhtml": read_mhtml, "har": read_har, "warc": read_warc}
