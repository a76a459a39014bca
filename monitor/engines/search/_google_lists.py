"""Lists of entities in what providers of Google's results pass on: which one answers the query.

At most one list of a page answers the question. A page shows the strip that answers the query,
strips that belong to the entity in the panel, and what other people search for. They are told apart
by the links of their tiles, which say it (`stick`); else by their names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from monitor.engines._search import ShownItem
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
    tiles: tuple[ShownItem, ...]
    top: bool = False

    @property
    def sticks(self) -> list[Stick]:
        """Return what the tiles' links carry, of those that carry something."""
        return [stick for tile in self.tiles if (stick := read_stick(tile.url)).purpose]

    @property
    def related(self) -> bool:
        """Return whether it shows what else people search for."""
        if _RELATED_NAME.search(self.name):
            return True
        aside = [_RELATED_COLLECTION in stick.collection.casefold() for stick in self.sticks]
        return 2 * sum(aside) > len(self.tiles)

    @property
    def listed(self) -> bool:
        """Return whether its tiles declare that they stand in the list that answers the query."""
        listed = [stick.purpose == _google_tiles.LISTED for stick in self.sticks]
        return 2 * sum(listed) > len(self.tiles)


def entity_id(url: str, given: Json = None) -> str:
    """Return the id in the knowledge graph: as given, else from the link."""
    given_id = _google_tiles.entity_id(given) if isinstance(given, str) else ""
    return given_id or _google_tiles.entity_id(link_parameter(url, "kgmid")) or read_stick(url).item


def is_search(url: str) -> bool:
    """Return whether a link leads to a web search of Google, as tiles of entities do."""
    try:
        parts = urlsplit(url)
        query = parse_qs(parts.query, max_num_fields=100)
        host = parts.hostname or ""
    except ValueError:
        return False
    to_search = _GOOGLE.fullmatch(host) is not None and parts.path == "/search"
    return to_search and not {"tbm", "udm"} & query.keys()


def find_answering(lists: Sequence[List], question: str, panel: str) -> List | None:
    """Return the list that answers the question; None where there is none.

    `panel` is the title of the knowledge panel, empty without one. Lists of a panel belong to its
    entity, unless the question names them.
    """
    candidates = [
        candidate
        for candidate in lists
        if len(candidate.tiles) >= _FEWEST and not candidate.related
    ]
    asked_words = _singular_words(question)
    for matches in (
        [candidate for candidate in candidates if candidate.top],
        [candidate for candidate in candidates if candidate.listed],
        [
            candidate
            for candidate in candidates
            if (named_words := _singular_words(candidate.name)) and named_words <= asked_words
        ],
        [] if panel else candidates,
    ):
        if matches:
            return matches[0]
    return None


def describe_lists(lists: Sequence[List], answering: List | None) -> str:
    """Return a note about the lists of a page: the one that is read, and those that are not."""
    other_names = [other.name for other in lists if other is not answering]
    notes = [f"carousel: {answering.name}"] if answering and answering.name else []
    return "; ".join(notes + ([f"lists not read: {', '.join(other_names)}"] if other_names else []))


def _singular_words(text: str) -> set[str]:
    """Return the words of a text, plurals in s as singulars."""
    words = _WORDS.findall(text.casefold())
    return {
        word[:-1] if len(word) >= _SHORTEST_PLURAL and word[-1] == "s" else word for word in words
    }
