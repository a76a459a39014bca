"""Result pages as trees: decoded with care, texts without scripts, links made whole.

A page is cut where elements lie within each other deeper than on any page that people made: the
tree builder needs time with the square of the depth, so a few hundred kilobytes of nothing but
openings would stop a run. It also opens every unclosed <b>, <a> or <font> again in each new
paragraph, so that a page of n bytes can make a tree of n * n elements.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from monitor.data import read_toml

#: Words on pages, by what they say.
PAGE_WORDS = read_toml("page_words")
#: Result pages are less than two hundred elements deep.
DEEPEST = 1000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
#: Elements that hold nothing, or whose closing tags are usually left out.
_FLAT = frozenset(
    "area base br col embed hr img input link meta source track wbr p li dt dd option td tr "
    "th".split()
)
#: Elements that are opened again after what they stand in was closed.
_FORMATS = frozenset("a b big code em font i nobr s small strike strong tt u".split())
#: A page is cut once so many elements may have been opened again, and so many more for each tag.
#: Pages that people made have two or three unclosed at a time.
_MOST_AGAIN, _AGAIN_A_TAG = 50_000, 5
#: Each "<" with the slash after it, if it closes.
_AFTER_LESS_THAN = re.compile("<(?=(/?))")


def cut_depth(source: str) -> str:
    """The page up to the tag that would lie deeper than `DEEPEST`, or be one too many again."""
    if not _may_be_deep(source):
        return source
    depth = end = again = 0
    unclosed: Counter[str] = Counter()
    n_unclosed = 0
    for number, tag in enumerate(_TAG.finditer(source)):
        name = tag[2].lower()
        if name in _FORMATS and (unclosed[name] or not tag[1]):
            step = -1 if tag[1] else 1
            unclosed[name] += step
            n_unclosed += step
        again += n_unclosed
        if again > _MOST_AGAIN + _AGAIN_A_TAG * number:
            return source[: tag.start()]
        if name in _FLAT:
            continue
        if end < tag.end():  # looked for once: many openings can lie before one far end
            tag_end = source.find(">", tag.end())
            end = tag_end if tag_end >= 0 else len(source)
        if source[end - 1] != "/":
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > DEEPEST:
            return source[: tag.start()]
    return source


def _may_be_deep(source: str) -> bool:
    """Return whether openings outnumber closings by so many somewhere."""
    if source.count("<") <= DEEPEST:
        return False
    depth = 0
    for mark in _AFTER_LESS_THAN.findall(source):
        depth = max(0, depth - 1) if mark == "/" else depth + 1
        if depth > DEEPEST:
            return True
    return False


#: A page is read up to here; no result page is that long.
MOST_BYTES = 16 * 2**20
_CHARSET = re.compile(rb"(?i)<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]{2,40})")
#: Spellings of text that no page is in, some of them with side effects.
_NOT_OF_PAGES = frozenset({"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode"})
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class PageDocument:
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


def read_document(body: bytes, url: str = "") -> PageDocument:
    """Read a page; any bytes make a tree, and none a deep one."""
    source = cut_depth(decode_page(body[:MOST_BYTES]))
    return PageDocument(body, url, source, LexborHTMLParser(source))


def decode_page(body: bytes) -> str:
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


def select_nodes(
    root: LexborHTMLParser | LexborNode, selector: str, most: int | None = None
) -> list[LexborNode]:
    """The elements that fit, in the order of the page, once each.

    `css` returns an element as often as selectors of a comma list fit it, at `most` so many times.
    """
    return list({node.mem_id: node for node in root.css(selector)[:most]}.values())


def has_element(page: PageDocument, selector: str) -> bool:
    """Return whether a page has an element."""
    return page.tree.css_first(selector) is not None


def class_names(node: LexborNode) -> list[str]:
    """The classes of an element."""
    return (node.attributes.get("class") or "").split()


def link_href(node: LexborNode | None) -> str | None:
    """Return the address of a link as it is written; None without one."""
    return None if node is None else node.attributes.get("href")


def walk_up(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around one, the nearest first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def node_words(node: LexborNode | None) -> str:
    """The text of a node in one line; empty for none."""
    return "" if node is None else " ".join(node.text(deep=True, separator="").split())


def absolute_link(href: str | None, base: str) -> str:
    """A link as a whole address; empty where it is none of the web."""
    if not href:
        return ""
    try:
        address = urljoin(base, href.strip())
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.netloc else ""
