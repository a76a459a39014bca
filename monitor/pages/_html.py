"""Result pages as trees: decoded with care, texts without scripts, links made whole."""

import codecs
import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from monitor.pages._depth import shallow

#: A page is read up to here; no result page is that long.
MOST_BYTES = 16 * 2**20
_CHARSET = re.compile(rb"(?i)<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]{2,40})")
#: Spellings of text that no page is in, some of them with side effects.
_NOT_OF_PAGES = frozenset({"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode"})
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Document:
    """A page: its bytes, its address (empty where unknown), its text and its tree."""

    body: bytes
    url: str
    source: str
    tree: LexborHTMLParser

    @property
    def host(self) -> str:
        """Host of the address, lower case."""
        try:
            return (urlsplit(self.url).hostname or "").lower()
        except ValueError:
            return ""


def document(body: bytes, url: str = "") -> Document:
    """Read a page; any bytes make a tree, and none a deep one."""
    source = shallow(decoded(body[:MOST_BYTES]))
    return Document(body, url, source, LexborHTMLParser(source))


def decoded(body: bytes) -> str:
    """The text of a page: by its mark, as UTF-8 where that is possible, else as it declares."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        declared = _CHARSET.search(body[:4096])
    name = declared[1].decode("ascii") if declared else "utf-8"
    try:
        if codecs.lookup(name).name.replace("_", "-") in _NOT_OF_PAGES:
            name = "utf-8"
        return body.decode(name, "replace")
    except (LookupError, ValueError):
        return body.decode("utf-8", "replace")


def each(root: LexborHTMLParser | LexborNode, selector: str) -> list[LexborNode]:
    """The elements that fit, in the order of the page, once each.

    `css` returns an element as often as selectors of a comma list fit it.
    """
    return list({node.mem_id: node for node in root.css(selector)}.values())


def words(node: LexborNode | None) -> str:
    """The text of a node in one line; empty for none."""
    return "" if node is None else " ".join(node.text(deep=True, separator="").split())


def absolute(href: str | None, base: str) -> str:
    """A link as a whole address; empty where it is none of the web."""
    if not href:
        return ""
    try:
        found = urljoin(base, href.strip())
        parts = urlsplit(found)
    except ValueError:
        return ""
    return found if parts.scheme in ("http", "https") and parts.netloc else ""
