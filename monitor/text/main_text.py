"""The main text of a web page: bytes in, its words without menus and footers out.

Nothing that a page holds raises. A page of which no text can be told from its surroundings has
None, and never an empty text. How long it takes grows with the page and can reach some seconds a
megabyte, so that whoever has pages of strangers reads them in a process that can be ended.
"""

import codecs
import logging
import re
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from monitor.model import MissingPart, make_storable

#: What plain text and HTML are called in a Content-Type header.
HTML, PLAIN = "text/html", "text/plain"
MOST_BYTES = 4 * 2**20
_PLAIN_EXTRACTOR = "plain text 1"
_MOST_DETAIL = 300
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
#: What browsers know. Python has more, some of which are no charsets.
_KNOWN = re.compile(
    r"(?:utf-?(?:8|16|16-?le|16-?be)|us-ascii|ascii|iso-?8859-?\d{1,2}|latin-?\d|windows-?\d{3,4}"
    r"|cp125\d|koi8-?[ru]|gb2312|gbk|gb18030|big5|euc-?(?:jp|kr)|shift[_-]jis|iso-2022-jp|tis-620)"
)
#: Browsers read these names as the larger charset that Windows made of each.
_LARGER = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030"}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MISSING = (
    "the text of pages that results lead to is found by the library 'trafilatura'; install it "
    "with: pip install 'gbmonitor[landing]'"
)


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a page and what found it, or None and the detail why."""

    text: str | None
    extractor: str
    detail: str = ""


@cache
def _load_library() -> ModuleType:
    try:
        import trafilatura  # noqa: PLC0415 - optional library
    except ImportError as error:
        raise MissingPart(f"{_MISSING} ({' '.join(str(error).split())})") from error
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it complains of each bad page
    return trafilatura


def check_library() -> None:
    """Raise MissingPart, saying what to install, unless texts can be extracted here."""
    _load_library()


def extract_text(body: bytes, url: str, content_type: str) -> Extracted:
    """The main text of a page. Raises MissingPart, and nothing for what a page holds."""
    if media_type(content_type) == PLAIN:
        return _plain_text(body, content_type)
    library = _load_library()
    name = f"trafilatura {library.__version__}"
    if len(body) > MOST_BYTES:
        return Extracted(None, name, f"more than {MOST_BYTES:,} bytes")
    charset = _declared_charset(content_type)
    try:
        content = body if charset is None else body.decode(charset, "replace")
        text_found = library.extract(content, url=url, include_comments=False)
    except Exception as error:  # noqa: BLE001 - whatever a page does to the library
        message = " ".join(str(error).split())
        return Extracted(None, name, f"{type(error).__name__}: {message}"[:_MOST_DETAIL])
    text = make_storable(text_found).strip() if isinstance(text_found, str) else ""
    return Extracted(text, name) if text else Extracted(None, name, "no main text found")


def media_type(content_type: str) -> str:
    """The sort of content that a header names, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def _declared_charset(content_type: str) -> str | None:
    """The charset of a Content-Type header; None where it names none that browsers know."""
    match = _CHARSET.search(content_type)
    if not match or not _KNOWN.fullmatch(match[1].lower()):
        return None
    try:
        name = codecs.lookup(match[1]).name
    except LookupError:
        return None
    return _LARGER.get(name, name)


def _plain_text(body: bytes, content_type: str) -> Extracted:
    """Return a text as it stands; none in a charset that is not named and is not UTF-8."""
    if len(body) > MOST_BYTES:
        return Extracted(None, _PLAIN_EXTRACTOR, f"more than {MOST_BYTES:,} bytes")
    marked = next(
        (marked_charset for mark, marked_charset in _MARKS if body.startswith(mark)), None
    )
    charset = marked or _declared_charset(content_type)
    try:
        text = body.decode(charset, "replace") if charset else body.decode()
    except UnicodeDecodeError:
        return Extracted(None, _PLAIN_EXTRACTOR, "names no charset, and is not UTF-8")
    text = make_storable(text).strip()
    return Extracted(text, _PLAIN_EXTRACTOR) if text else Extracted(None, _PLAIN_EXTRACTOR, "empty")
