"""The engine of a saved page: the reader that is surest of it reads it."""

from dataclasses import dataclass
from typing import cast

from monitor import registry
from monitor.model import Kind, Page, Reading
from monitor.pages._html import read_document
from monitor.pages._results import malformed_reading
from monitor.pages._walls import find_wall

#: From here on a page is taken for that of an engine, whatever else is said of it.
SURE = 0.5


@dataclass(frozen=True, slots=True)
class PageOwner:
    """The reader of a page and how sure it is; no name where no reader knows the page."""

    name: str
    sure: float


def reader_of(name: str) -> str:
    """The reader that its own name, or that of an engine, stands for; empty where none does.

    Engines that open pages are named for the reader and the way: google_web, duckduckgo_html.
    """
    readers, engine = registry.discover("pages"), registry.discover("engines").get(name)
    if name in readers:
        return name
    base = name.rpartition("_")[0]
    return base if base in readers and engine and engine.kind is Kind.SEARCH else ""


def find_owner(body: bytes, url: str = "") -> PageOwner:
    """The surest reader; of equally sure ones the first by name."""
    best = PageOwner("", 0.0)
    for name, reader in registry.discover("pages").items():
        sure = cast("Page", reader).sniff(body, url)
        if sure > best.sure:
            best = PageOwner(name, sure)
    return best


def read_page(body: bytes, url: str = "", system: str = "") -> tuple[str, Reading]:
    """(name of the reader, what it reads); `system` names the reader instead of asking all.

    A page that no reader knows may still be a wall. Otherwise it is unreadable, never empty.
    """
    name = system or find_owner(body, url).name
    if name:
        return name, registry.page(name).parse(body, url)
    names = ", ".join(registry.discover("pages"))
    nothing = malformed_reading(f"a page of no engine that is known: {names}")
    return "", find_wall(read_document(body, url), 0) or nothing
