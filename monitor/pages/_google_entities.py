"""Entities on a page of Google: the carousel of people, works or places, and the knowledge panel.

The markup of the carousel changed about once a year, and old and new layouts are served side by
side, so a carousel is found by where it stands and what its tiles carry, not by the date:

- the bar above the results (2013 to 2024): `klitem`, `klitem-tr`, `rl_item`, `uais2d`, list items;
- a list of entities above the results (since 2022), one element with an entity id for each;
- the list that answers the query inside a panel over the whole page (since 2021): strips, walls of
  images, `wp-grid-tile`.

Strips of images, videos, news, posts and related searches stand elsewhere and have no entities.
A carousel has two tiles or more, and three where only its links say that they are entries of a
list; one tile alone is a card, wherever it stands.

The panel stands to the right of the results or, since 2021, over the whole page. Its first item is
the entity (name, line beneath it, id); the further ones are facts (label, value). A fact is a short
text that ends with a colon and has a value beside it, in every layout since 2012.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile

from selectolax.lexbor import LexborNode

from monitor.model import Block, Item
from monitor.pages import _google_tiles
from monitor.pages._google_tiles import (
    ENTITIES,
    GOOGLE,
    Tile,
    entity_id,
    link_parameter,
    mend_text,
    read_stick,
    read_tile,
    visible_lines,
)
from monitor.pages._html import (
    PageDocument,
    absolute_link,
    class_names,
    link_href,
    node_words,
    select_nodes,
    walk_up,
)

_BARS = (
    "#appbar g-scrolling-carousel",
    "#appbar [role=list]",
    "#appbar .klbar",
    "#extabar .klcc",
)
#: Classes of tiles, for bars that have lost what they stood in.
_OLD_TILES = "a.klitem, .klitem-tr, .uais2d, a.rl_item"
#: Parts of a page whose strips belong to something else than the query.
_ASIDE = frozenset({"rhs", "rhs_block", "rhscol", "bres", "botstuff", "tads", "tadsb", "taw"})
_COLLECTIONS = ("kc:/", "hw:/", "ss:/", "ok:/")
_RELATED = "sideways"
_FEWEST = 2
#: Limits for pages that are made to be slow to read; carousels have 51 tiles at most.
_MOST_TILES = 1000
_DEEPEST = 200
_FEWEST_IN_PANEL = 3
_IMAGE = "img, wp-grid-tile, [role=heading]"


@dataclass(frozen=True, slots=True)
class _Carousel:
    """A container: its tiles, and how many there are by its structure."""

    tiles: Sequence[Tile]
    visible: int


def read_carousel(document: PageDocument) -> tuple[Item, ...] | None:
    """All tiles in the order of the page; None without a carousel.

    Empty where there is one that cannot be read: no tile has a name, or fewer than half have.
    """
    tiles_found = _find_carousel(document)
    if tiles_found is None:
        return None
    read = (read_tile(tile, document.url) for tile in tiles_found.tiles)
    items = [item for _, item in read if item]
    if 2 * len(items) < tiles_found.visible:
        return ()
    return tuple(replace(item, rank=rank) for rank, item in enumerate(items, 1))


def _find_carousel(document: PageDocument) -> _Carousel | None:
    for find in _PLACES:
        if (candidate := find(document)) is not None and candidate.visible != 1:
            return candidate  # one tile alone is a card: nothing is ranked
    return None


# --- the bar above the results ------------------------------------------------------------------


def _in_bar(document: PageDocument) -> _Carousel | None:
    bar = _find_bar(document)
    if bar is None:
        return None
    links = _leading_links(bar.css("a[href], a[data-url]")[:_MOST_TILES])
    named_nodes = bar.css("[data-entityname]")[:_MOST_TILES]
    listed = bar.css("[role=listitem]")[:_MOST_TILES]
    family = _largest_family(bar)
    cores = _outermost_nodes(_select_cores(named_nodes, listed, links) or family)
    tiles = [Tile(node, node) for node in cores]
    if tiles and not any(map(_of_entity, tiles)):
        return None
    return _Carousel(_similar_tiles(tiles), max(map(len, (named_nodes, listed, links, family))))


def _select_cores(*groups: list[LexborNode]) -> list[LexborNode]:
    """The first group that is not empty, or a later one that holds all of it and more."""
    selected: list[LexborNode] = []
    for group in groups:
        if len(group) > len(selected) and _node_ids(selected) <= _node_ids(group):
            selected = group
    return selected


def _outermost_nodes(nodes: list[LexborNode]) -> list[LexborNode]:
    """Elements that stand in none of the others; tiles never hold tiles."""
    ids = _node_ids(nodes)
    return [
        node
        for node in nodes
        if node.parent is None or all(up.mem_id not in ids for up in _with_above(node.parent))
    ]


def _node_ids(nodes: Iterable[LexborNode]) -> set[int]:
    return {node.mem_id for node in nodes}


def _find_bar(document: PageDocument) -> LexborNode | None:
    for selector in _BARS:
        if (node := document.tree.css_first(selector)) is not None:
            return node
    tile = document.tree.css_first(_OLD_TILES)
    if tile is None or _is_aside(tile):
        return None
    return next(
        (
            node
            for node in _with_above(tile)
            if node.tag == "g-scrolling-carousel" or node.attributes.get("role") == "list"
        ),
        None,
    )


def _leading_links(links: Iterable[LexborNode]) -> list[LexborNode]:
    """One link a tile: of an image and a name that lead to the same, the name."""
    leading: list[LexborNode] = []
    last: tuple[str, bool] = ("", False)
    for link in links:
        href = link.attributes.get("href") or link.attributes.get("data-url") or ""
        aim = (link_parameter(href, "q") or href, link.css_first("img") is not None)
        if leading and aim == (last[0], not last[1]):
            leading[-1] = leading[-1] if aim[1] else link
        else:
            leading.append(link)
        last = aim
    return leading


def _largest_family(bar: LexborNode) -> list[LexborNode]:
    """The largest group of siblings that show something: tiles that are neither links nor items."""
    groups: dict[int, dict[int, LexborNode]] = {}
    for node in bar.css("img, [aria-label]")[:_MOST_TILES]:
        for above in _with_above(node):
            if above.mem_id == bar.mem_id:
                break
            if above.parent is not None:
                groups.setdefault(above.parent.mem_id, {})[above.mem_id] = above
    best = max(groups.values(), key=len, default={})
    return list(best.values()) if len(best) > 1 else []


def _of_entity(tile: Tile) -> bool:
    """Return whether a tile looks like one of an entity; chips of filters are bare texts."""
    return (
        tile.core.css_first(ENTITIES) is not None
        or tile.core.css_first("img") is not None
        or bool({"aria-label", "data-entityid", "data-entityname"} & tile.core.attributes.keys())
        or tile.stick.purpose != 0
    )


def _similar_tiles(tiles: list[Tile]) -> list[Tile]:
    """Tiles without the "more" beside them, where nearly all say which entity they lead to."""
    members = [tile for tile in tiles if tile.stick.item]
    return members if len(tiles) - len(members) == 1 and len(members) > 1 else tiles


# --- a list above the results -------------------------------------------------------------------


def _in_list(document: PageDocument) -> _Carousel | None:
    groups: dict[tuple[str, str | None], list[LexborNode]] = {}
    for node in select_nodes(document.tree, ENTITIES, _MOST_TILES):
        if not _is_aside(node):
            groups.setdefault((node.tag or "", node.attributes.get("data-attrid")), []).append(node)
    cores = _outermost_nodes(max(groups.values(), key=len, default=[]))
    names = ("data-entityid", "data-entityname")
    entities = {next(filter(None, map(core.attributes.get, names)), None) for core in cores}
    if len(entities) < _FEWEST:
        return None
    tiles = _whole_tiles(cores)
    return _Carousel(tiles, max(len(tiles), _count_siblings(tiles[0])))


def _whole_tiles(cores: list[LexborNode]) -> list[Tile]:
    """Tiles with the elements of the list: the outermost ones that hold no second entity."""
    above = {core.mem_id: list(_with_above(core)) for core in cores}
    held = Counter(node.mem_id for nodes in above.values() for node in nodes)
    return [
        Tile(core, [node for node in above[core.mem_id] if held[node.mem_id] == 1][-1])
        for core in cores
    ]


def _count_siblings(tile: Tile) -> int:
    """Return how many siblings of the first tile are built as it is."""
    parent, attributes = tile.whole.parent, tile.whole.attributes
    if parent is None or tile.whole.mem_id == tile.core.mem_id:
        return 0
    return sum(
        child.tag == tile.whole.tag and child.attributes.get("class") == attributes.get("class")
        for child in parent.iter()
    )


def _in_links(document: PageDocument) -> _Carousel | None:
    """Links that say themselves that they are entries of a list, in markup that says nothing."""
    tiles: list[Tile] = []
    last = ""
    for link in document.tree.css('a[href*="stick="]')[:_MOST_TILES]:
        aim = read_stick(link.attributes.get("href"))
        is_listed = aim.purpose == _google_tiles.LISTED and aim.item
        if is_listed and aim.item != last and not _is_aside(link):
            tiles.append(Tile(link, link))
            last = aim.item
    return _Carousel(tiles, len(tiles)) if len(tiles) >= _FEWEST_IN_PANEL else None


def _with_above(node: LexborNode) -> Iterator[LexborNode]:
    """The node and all that it stands in, from the inside."""
    return islice(chain([node], walk_up(node)), _DEEPEST)


def _is_aside(node: LexborNode) -> bool:
    return any(
        above.id in _ASIDE or above.attributes.get("role") == "complementary"
        for above in _with_above(node)
    )


# --- the list that answers the query in a panel -------------------------------------------------


def _in_panel(document: PageDocument) -> _Carousel | None:
    """The first collection of the main column, above the first result, if the query asks for it."""
    for collection, nodes in _find_collections(document).items():
        # trailers and pictures lead elsewhere than to searches
        tiles = [
            Tile(link, link)
            for node in nodes
            for link in select_nodes(node, "a[href]", _MOST_TILES)
            if _to_search(link) and link.css_first(_IMAGE) is not None
        ]
        if len(tiles) < _FEWEST_IN_PANEL or _RELATED in collection.casefold():
            continue
        if not _google_tiles.asks_for_collection(document, nodes[0]):
            return None
        parts = [node.css("[role=listitem]") or node.css("wp-grid-tile") for node in nodes]
        return _Carousel(tiles, max(len(tiles), sum(map(len, parts))))
    return None


def _find_collections(document: PageDocument) -> dict[str, list[LexborNode]]:
    """Outermost elements of each collection in the main column, up to the first result.

    Grids count below it as well: they are only made for lists.
    """
    nodes_by_collection: dict[str, list[LexborNode]] = {}
    seen: set[int] = set()
    below = False
    for node in document.tree.css("[data-attrid], #search a h3")[:_MOST_TILES]:
        below = below or node.tag == "h3"
        if below and node.css_first("wp-grid-tile") is None:
            continue
        kind = node.attributes.get("data-attrid") or ""
        if (
            not kind.startswith(_COLLECTIONS)
            or _is_aside(node)
            or any(above.mem_id in seen for above in _with_above(node))
        ):
            continue
        seen.add(node.mem_id)
        nodes_by_collection.setdefault(kind, []).append(node)
    return nodes_by_collection


def _to_search(link: LexborNode) -> bool:
    href = link.attributes.get("href") or ""
    if "/search?" not in href or not link_parameter(href, "q"):
        return False
    return not link_parameter(href, "tbm") and not link_parameter(href, "udm")


_PLACES: tuple[Callable[[PageDocument], _Carousel | None], ...] = (
    _in_bar,
    _in_list,
    _in_panel,
    _in_links,
)


_COLUMNS = "#rhs, #rhs_block, .kp-wholepage"
_TITLES = "[data-attrid=title], .kno-ecr-pt"
_SUBTITLES = "[data-attrid=subtitle], .kno-ecr-st, .wwUB2c"
_LABELS = "span, b, dt"
#: What a panel may hold that has colons and is no fact: advertisements, results, other lists.
_FOREIGN = frozenset({"rhsads", "tads", "tadsb", "bres", "botstuff", "mbEnd"})
_COLON = re.compile(r"\s*[:\uff1a]$")
_UNSEEN = frozenset({"-comment", "script", "style"})
_LONGEST_LABEL = 60
_LONGEST_SUBTITLE = 120
_MOST_FACTS = 60
_MOST_LABELS = 2000
_FARTHEST = 12
_LONGEST_VALUE = 1000
_MOST_MARKED = 20
_MOST_PARTS = 300
_MOST_NEIGHBOURS = 60


def read_panel(document: PageDocument) -> tuple[Item, ...]:
    """The panel and its facts in the order of the page; empty without a panel."""
    columns = [  # none in another one, or in results rather than beside them
        node
        for node in document.tree.css(_COLUMNS)
        if not any(
            above.id in ("rhs", "rhs_block") or "kp-wholepage" in class_names(above)
            for above in walk_up(node)
        )
    ]
    facts = list(islice(_read_facts(columns), _MOST_FACTS))
    title, node = _find_title(document, columns, bool(facts))
    if not title:
        return ()
    base = document.url or GOOGLE
    subtitle = _find_subtitle(document, node, title, facts)
    panel = Item(1, subtitle, Block.KNOWLEDGE, "", title, _panel_entity(columns))
    block = (
        Item(rank, value, Block.KNOWLEDGE, absolute_link(href, base), label)
        for rank, (label, value, href) in enumerate(facts, 2)
    )
    return (panel, *block)


def _find_title(
    document: PageDocument, columns: list[LexborNode], has_facts: bool
) -> tuple[str, LexborNode | None]:
    """The name of the entity and the element it was found in."""
    for node in document.tree.css(_TITLES)[:_MOST_MARKED]:
        if title := mend_text(node_words(node)):
            return title, node
    if not has_facts:
        return "", None
    for column in columns:
        for line in visible_lines(column):
            return line.text, None
    return "", None


def _find_subtitle(
    document: PageDocument,
    node: LexborNode | None,
    title: str,
    facts: list[tuple[str, str, str]],
) -> str:
    """The line beneath the name: where it is marked, else the one that follows."""
    for marked in document.tree.css(_SUBTITLES)[:_MOST_MARKED]:
        if text := mend_text(node_words(marked)):
            return text
    around = _title_container(node, document)
    line_texts = [line.text for line in visible_lines(around)] if around is not None else []
    after = line_texts[line_texts.index(title) + 1 :] if title in line_texts else []
    labels = {label for label, _, _ in facts}
    for text in after[:1]:
        if len(text) <= _LONGEST_SUBTITLE and text.split(":")[0].strip() not in labels:
            return text
    return ""


def _title_container(node: LexborNode | None, document: PageDocument) -> LexborNode | None:
    """Return the nearest element with a second line around the title, or the column."""
    for above in islice(walk_up(node), _FARTHEST) if node is not None else ():
        if len(visible_lines(above)) > 1:
            return above
    return document.tree.css_first(_COLUMNS)


def _read_facts(columns: list[LexborNode]) -> Iterator[tuple[str, str, str]]:
    """Label, value and link of each fact, once."""
    seen: set[tuple[str, str]] = set()
    for column in columns:
        results = {
            above.mem_id
            for head in column.css("h3")[:_MOST_LABELS]
            for above in _ancestors_between(head, column)
        }
        for node in column.css(_LABELS)[:_MOST_LABELS]:
            text = mend_text(_short_text(node, _LONGEST_LABEL))
            label = _COLON.sub("", text) if _COLON.search(text) else ""
            if not label or _is_foreign(node, column, results):
                continue
            value, href = _value_of_label(node)
            if value and (label, value) not in seen:
                seen.add((label, value))
                yield label, value, href


def _value_of_label(label: LexborNode) -> tuple[str, str]:
    """All that follows the label in the element it stands in, and the first link there."""
    texts: list[str] = []
    href = ""
    node = label.next
    while node is not None and len(texts) < _MOST_NEIGHBOURS:
        text = _short_text(node, _LONGEST_VALUE)
        texts.append(text)
        if text and not href and node.tag != "-text":
            href = link_href(node if node.tag == "a" else node.css_first("a[href]")) or ""
        node = node.next
    return mend_text("".join(texts)), href


def _short_text(node: LexborNode, longest: int) -> str:
    """The text of a small element; nothing for one that is too large for a label or a value."""
    texts: list[str] = []
    size = 0
    for count, inner in enumerate(node.traverse(include_text=True)):
        if inner.tag == "-text" and (inner.parent is None or inner.parent.tag not in _UNSEEN):
            texts.append(inner.text_content or "")
            size += len(texts[-1].strip())
        if size > longest or count > _MOST_PARTS:
            return ""
    return "".join(texts)


def _ancestors_between(node: LexborNode, column: LexborNode) -> Iterator[LexborNode]:
    """Yield the ancestors of a node up to the column and without it."""
    above = islice(walk_up(node), _DEEPEST)
    return takewhile(lambda parent: parent.mem_id != column.mem_id, above)


def _is_foreign(node: LexborNode, column: LexborNode, results: set[int]) -> bool:
    """Return whether a node stands in a result, an advertisement or a list."""
    for parent in _ancestors_between(node, column):
        if parent.id in _FOREIGN or parent.tag == "g-scrolling-carousel":
            return True
        if "data-attrid" in parent.attributes:
            return False
        if parent.attributes.get("role") == "list" or parent.mem_id in results:
            return True
    return False


def _panel_entity(columns: list[LexborNode]) -> str:
    """The id of the entity: in a link to the panel itself, else the subject of most links."""
    subjects: Counter[str] = Counter()
    for column in columns:
        for link in column.css('a[href*="kgmid="]'):
            if entity := entity_id(link_parameter(link.attributes.get("href"), "kgmid")):
                return entity
        for link in column.css('a[href*="stick="]'):
            if subject := read_stick(link.attributes.get("href")).subject:
                subjects[subject] += 1
    if subjects:
        return subjects.most_common(1)[0][0]
    held = {
        entity_id(node.attributes.get("data-entityid"))
        for column in columns
        for node in column.css(ENTITIES)
    } - {""}
    return held.pop() if len(held) == 1 else ""
