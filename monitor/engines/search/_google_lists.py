"""Lists of entities in what providers of Google's results pass on: which one answers the query.

In go the lists of a page and the question, out comes at most one of them. A page shows the strip
that answers the query, strips that belong to the entity in the panel, and what other people search
for. They are told apart by the links of their tiles, which say it (`stick`); else by their names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from monitor.engines._search import Found
from monitor.model import Json
from monitor.pages import _google_tiles
from monitor.pages._google_tiles import Stick, link_parameter, read_stick

_WORDS = re.compile(r"[^\W_]+")
_RELATED_NAME = re.compile(
    r"also[ _](?:search|ask|view|buy)|^related\b|^related_|see[ _]results[ _]about|"
    r"(?:^|[ _])(?:profiles|refine|images|videos|news|reviews)$",
    re.IGNORECASE,
)
_RELATED_COLLECTION = "sideways"
_GOOGLE = re.compile(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?", re.IGNORECASE)
_FEWEST = 2
_SHORTEST_PLURAL = 4


@dataclass(frozen=True, slots=True)
class List:
    """A list of entities under its name. `top` says that the provider calls it the page's own."""

    name: str
    tiles: tuple[Found, ...]
    top: bool = False

    @property
    def sticks(self) -> list[Stick]:
        """What the tiles' links say, of those that say something."""
        return [found for tile in self.tiles if (found := read_stick(tile.url)).purpose]

    @property
    def related(self) -> bool:
        """Whether it shows what else people search for."""
        if _RELATED_NAME.search(self.name):
            return True
        aside = [_RELATED_COLLECTION in found.collection.casefold() for found in self.sticks]
        return 2 * sum(aside) > len(self.tiles)

    @property
    def listed(self) -> bool:
        """Whether its tiles say that they stand in the list that answers the query."""
        listed = [found.purpose == _google_tiles.LISTED for found in self.sticks]
        return 2 * sum(listed) > len(self.tiles)


def entity(url: str, given: Json = None) -> str:
    """The id of the knowledge graph: as it is given, else as the link says."""
    known = _google_tiles.entity_id(given) if isinstance(given, str) else ""
    return known or _google_tiles.entity_id(link_parameter(url, "kgmid")) or read_stick(url).item


def is_search(url: str) -> bool:
    """Whether a link leads to a web search of Google, as tiles of entities do."""
    try:
        parts = urlsplit(url)
        query = parse_qs(parts.query, max_num_fields=100)
        host = parts.hostname or ""
    except ValueError:
        return False
    to_search = _GOOGLE.fullmatch(host) is not None and parts.path == "/search"
    return to_search and not {"tbm", "udm"} & query.keys()


def answering(lists: Sequence[List], question: str, panel: str) -> List | None:
    """The list that answers the question; None where there is none.

    `panel` is the title of the knowledge panel, empty without one. Lists of a panel belong to its
    entity, unless the question names them.
    """
    some = [one for one in lists if len(one.tiles) >= _FEWEST and not one.related]
    asked_words = _words(question)
    for found in (
        [one for one in some if one.top],
        [one for one in some if one.listed],
        [one for one in some if (named_words := _words(one.name)) and named_words <= asked_words],
        [] if panel else some,
    ):
        if found:
            return found[0]
    return None


def named(lists: Sequence[List], chosen: List | None) -> str:
    """What to say of the lists of a page: which one is read, and which are not."""
    other_names = [one.name for one in lists if one is not chosen]
    notes = [f"carousel: {chosen.name}"] if chosen and chosen.name else []
    return "; ".join(notes + ([f"lists not read: {', '.join(other_names)}"] if other_names else []))


def _words(text: str) -> set[str]:
    """The words of a text, plurals in s as singulars."""
    found = _WORDS.findall(text.casefold())
    return {
        word[:-1] if len(word) >= _SHORTEST_PLURAL and word[-1] == "s" else word for word in found
    }
