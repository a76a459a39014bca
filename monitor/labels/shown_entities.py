"""Persons and other entities that items of ranked lists show, by key, and their names as text.

The key says how the entity is known: `kg:/m/0291j3` (the engine's knowledge graph), `wd:Q7259`
(Wikidata), `wiki:en:Ada_Lovelace` (an article of Wikipedia), else name and occupation. Names are
compared strictly to find somebody and leniently to doubt; no name says anything about a gender.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qs, quote, unquote, urlsplit

from monitor.model import Block, Item, make_storable
from monitor.wikidata.requests import MOST_NAME, is_item, item_id

#: Controls and what is no character: they part words.
_BLANKS = ("Cc", "Cs", "Co")
#: Marks of direction, joiners, soft hyphens: they stand within words.
_FORMAT = "Cf"
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_CUT = ("…", "...")


def clean_text(text: str) -> str:
    """Text in NFC with single blanks and without characters that nobody sees."""
    kinds = ((sign, unicodedata.category(sign)) for sign in make_storable(text))
    seen = (" " if kind in _BLANKS else sign for sign, kind in kinds if kind != _FORMAT)
    return unicodedata.normalize("NFC", " ".join("".join(seen).split()))


def person_name(text: str) -> str:
    """The cleaned name; empty for what cannot be one: no letter in it, or far too long."""
    if len(text) > 4 * MOST_NAME:
        return ""
    name = clean_text(text)
    has_letter = any(sign.isalpha() for sign in name)
    return name if has_letter and len(name) <= MOST_NAME else ""


def fold_name(name: str) -> str:
    """The name as entity keys hold it."""
    return unicodedata.normalize("NFC", clean_text(name).casefold())


def strict_name(name: str) -> str:
    """Names are the same person's name where this is equal; diacritics tell people apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean_text(name)).casefold())


def _loose_name(name: str) -> str:
    plain = unicodedata.normalize("NFKD", _BRACKETED.sub(" ", clean_text(name)).casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def may_be(shown: str, names: frozenset[str]) -> bool:
    """Return whether what a page shows can be one of these names, spelling aside.

    A name that the page cut short has to begin one of them.
    """
    name_shown = _loose_name(shown)
    names_known = {_loose_name(name) for name in names}
    if clean_text(shown).endswith(_CUT):
        return any(name.startswith(name_shown) for name in names_known)
    return name_shown in names_known


_GRAPH_ID = re.compile(r"(?:kg:)?(/[mg]/[a-z0-9_]{2,20})")
_ITEM = re.compile(r"(?:wd:)?(Q[0-9]+)")
_HOST = re.compile(r"([a-z][a-z0-9-]{1,19})\.(?:m\.)?wikipedia\.org")
#: Portals of Wikipedia that are no language.
_NO_LANGUAGE = frozenset({"www", "api", "meta", "test", "commons"})
#: Beginnings of titles of what is no article; other languages' find no person either.
_NO_ARTICLE = frozenset(
    "category draft file help image media mediawiki module portal special talk template user "
    "user_talk wikipedia wp".split()
)
#: No title of MediaWiki holds them.
_NEVER = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f\ufffd]")
#: Marks of direction, which MediaWiki takes out of titles.
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e]")
_MOST_TITLE = 255  # bytes
_MOST_ANNOTATION = 300
_LINKED_PAGE = "https://www.wikidata.org/wiki/Special:GoToLinkedPage/enwiki/"

#: Blocks of people whom a text by a model names.
_NAMED_BLOCKS = frozenset({Block.PEOPLE, Block.OVERVIEW_PEOPLE})
#: Blocks whose items are entities by themselves; of the others only a link says who is meant.
_ENTITY_BLOCKS = frozenset({Block.CAROUSEL, Block.KNOWLEDGE}) | _NAMED_BLOCKS
_LINK_BLOCKS = _ENTITY_BLOCKS | {Block.ORGANIC, Block.ANSWER}


@dataclass(frozen=True, slots=True)
class ShownEntity:
    """An entity as a page shows it. `occupations` are the items that were asked about.

    `annotation` is the line beneath the name; of a person whom a text names, the years of life.
    """

    entity: str
    name: str
    occupations: tuple[str, ...] = ()
    link: str = ""
    annotation: str = ""

    @property
    def kind(self) -> str:
        """Return how the entity is known: kg, wd, wiki or name."""
        return self.entity.partition(":")[0]


def shown_entity(item: Item, occupations: tuple[str, ...] = ()) -> ShownEntity | None:
    """Return the entity that an item shows; None where it names no entity.

    That is a result that is no article of Wikipedia, an advertisement, a text that a model wrote,
    a fact of a knowledge panel, and what has neither an id nor a name.
    """
    if item.block not in _LINK_BLOCKS:
        return None
    tile = item.block in _ENTITY_BLOCKS
    article = _article_of_url(item.url)
    name = person_name(item.title) if tile else _title_name(article)
    occupation_items = tuple(sorted({item_id for item_id in occupations if is_item(item_id)}))
    entity = _known_entity(item.entity) or (f"wiki:{article[0]}:{article[1]}" if article else "")
    first = item.block != Block.KNOWLEDGE or item.rank == 1
    if not entity and tile and first and name:
        years = say_years(life_years(item.text)) if item.block in _NAMED_BLOCKS else ""
        entity = f"name:{fold_name(name)}|{','.join(occupation_items)}"
        entity += f"|{years}" if years else ""
    if not entity:
        return None
    link = item.url if item.url.startswith(("https://", "http://")) else ""
    annotation = clean_text(item.text[: 4 * _MOST_ANNOTATION])[:_MOST_ANNOTATION] if tile else ""
    if item.block in _NAMED_BLOCKS:  # what a text says besides may be about somebody else
        annotation = say_years(life_years(item.text))
    return ShownEntity(entity, name, occupation_items, link, annotation)


#: Dates of life behind a name: (1815-1852), (c. 428 - 348 BC), (born 1935), * 1815.
_LIFE = re.compile(
    r"^\W{0,3}(?P<begin>c\.|ca\.|circa|\*|b\.|born|geb\.|geboren|née?|nacid[ao]|nat[ao]"
    r"|nascid[ao]|ur\.|nar\.|род\.|р\.)?"
    r"\s*(?P<born>\d{1,4})\s*(?P<early>BCE?|v\. ?Chr\.?)?"
    r"(?:\s*[-\u2012-\u2015\u2212]\s*(?:c\.|ca\.|circa)?"
    r"\s*(?P<died>\d{1,4})\s*(?P<late>BCE?|v\. ?Chr\.?)?)?",
    re.IGNORECASE,
)
_FEWEST_DIGITS = 3
Years: TypeAlias = tuple[int | None, int | None]


def life_years(text: str) -> Years:
    """Return (born, died) that stand directly behind a name; years BC are negative."""
    match = _LIFE.match(clean_text(text[:100]))
    if not match or (not match["died"] and not match["begin"]):
        return None, None
    if len(max(match["born"], match["died"] or "", key=len)) < _FEWEST_DIGITS:
        return None, None
    early = bool(match["early"] or match["late"])
    falls = bool(match["died"]) and int(match["born"]) > int(match["died"])
    born = -int(match["born"]) if match["early"] or (early and falls) else int(match["born"])
    died = int(match["died"]) if match["died"] else None
    return born, -died if died and match["late"] else died


def say_years(years: Years) -> str:
    """Return years of life as entity keys hold them: 1815/1852, -428/-348, 1935/."""
    return (
        "" if years == (None, None) else "/".join(map(str, ("" if y is None else y for y in years)))
    )


def read_years(said: str) -> Years:
    """Return the years of `say_years`; none of any other text."""
    match = re.fullmatch(r"(-?\d{1,4})?/(-?\d{1,4})?", said)
    if not match:
        return None, None
    born, died = (int(year) if year else None for year in match.groups())
    return born, died


def _known_entity(entity: str) -> str:
    text = entity.strip()
    if match := _GRAPH_ID.fullmatch(text):
        return f"kg:{match[1]}"
    item = match[1] if (match := _ITEM.fullmatch(text)) else item_id(text)
    return f"wd:{item}" if is_item(item) else ""


def _article_of_url(url: str) -> tuple[str, str] | None:
    """(language, title with underscores) of a link to an article of Wikipedia."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    match = _HOST.fullmatch(host)
    if parts.scheme not in ("http", "https") or not match or match[1] in _NO_LANGUAGE:
        return None
    title = _article_title(_title_of_address(parts.path, parts.query))
    return (match[1], title) if title else None


def _title_of_address(path: str, query: str) -> str:
    """The title in an address: /wiki/T, /zh-tw/T (a variant of the script), index.php?title=T."""
    if path == "/w/index.php":
        try:
            return next(iter(parse_qs(query, max_num_fields=50).get("title", [])), "")
        except ValueError:
            return ""
    match = re.fullmatch(r"/(?:wiki|[a-z]{2,3}-[a-z]{2,4})/(.+)", path)
    return unquote(match[1]) if match else ""


def _article_title(written: str) -> str:
    """The title as MediaWiki keys it; empty where it is none, or none of an article."""
    if _NEVER.search(written):
        return ""
    visible = _DIRECTION.sub("", written.replace("_", " "))
    plain = unicodedata.normalize("NFC", "_".join(visible.split()))
    if not plain or len(plain.encode()) > _MOST_TITLE:
        return ""
    before, colon, _ = plain.partition(":")
    if colon and before.strip("_").lower() in _NO_ARTICLE:
        return ""
    first = plain[0].upper()
    # the upper case of a few letters is two letters, which titles do not follow
    return (first if len(first) == 1 else plain[0]) + plain[1:]


def _title_name(article: tuple[str, str] | None) -> str:
    """The name in a title, without what tells it from namesakes: Ada_Lovelace_(film)."""
    if article is None:
        return ""
    return person_name(re.sub(r"_\([^()]*\)$", "", article[1]).replace("_", " "))


def article_of(entity: str) -> tuple[str, str] | None:
    """(language, title with blanks) of an entity that is known by its article."""
    kind, _, rest = entity.partition(":")
    language, _, title = rest.partition(":")
    return (language, title.replace("_", " ")) if kind == "wiki" and title else None


def public_link(shown: ShownEntity, item: str = "") -> str:
    """An address where a person can read who it is: the article on Wikipedia.

    Of an item, Wikidata leads to the English article, without showing the record itself.
    """
    if article := article_of(shown.entity):
        language, title = article
        return f"https://{language}.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"
    item_known = item or (shown.entity[3:] if shown.kind == "wd" else "")
    return f"{_LINKED_PAGE}{item_known}" if item_known else ""
