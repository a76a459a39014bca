"""Texts that Google's model writes for a query: their state, their words, the pages that they cite.

An overview is told by the attributes of its frame, else by its heading, in whatever language; one
that answers a further question ("people also ask") is no overview of the query. Google sends the
messages that none is available with every overview, hidden: they count where one can be seen and
no text stands beside it. What the button "Show more" unfolds is on the page before it is pressed,
so that hidden parts of the text belong to it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from selectolax.lexbor import LexborNode

from monitor.model import Block, OverviewState, Source, make_storable
from monitor.pages._google_elements import (
    MENUS,
    Zone,
    is_advert,
    is_hidden,
    is_own,
    link_target,
    text_pieces,
    visible_text,
    zone_of_element,
)
from monitor.pages._html import (
    PAGE_WORDS,
    PageDocument,
    absolute_link,
    class_names,
    link_href,
    select_nodes,
    walk_up,
)
from monitor.pages._results import Hit

#: Frames of an overview since 2023, the outermost first.
_FRAMES = (
    "[data-mcpr]",
    "#m-x-content",
    "[data-subtree=mfc]",
    "[data-attrid=SGE]",
    "[data-subtree=aio]",
    "[data-subtree=aimc]",
    ".LT6XE",
)
#: The column of the words in a frame, the narrowest first.
_BODIES = (
    "[data-container-id='main-col']",
    "[data-xid=VpUvz]",
    ".mZJni",
    "[data-subtree=aimc]",
    ".LT6XE",
    ".pOOWX",
)
_COLUMN = ", ".join(_BODIES[:3])
_BODY_PARTS = ", ".join((*_BODIES, "p", "ul", "ol", "table"))
_TURN = "[data-scope-id=turn]"
_TITLES = "[role=heading], h1, h2, [role=region][aria-label], section[aria-label]"
#: "AI Overview" in the languages of Google: an abbreviation, and a word for overview.
_ARTIFICIAL = f"(?:{'|'.join(PAGE_WORDS['overview_artificial'])})"
_OVERVIEW = f"(?:{'|'.join(PAGE_WORDS['overview_name'])})"
_HEADING = re.compile(rf"(?=.*{_ARTIFICIAL}).*{_OVERVIEW}|yapay zek.*{_OVERVIEW}", re.IGNORECASE)
_LONGEST_HEADING, _MOST_TITLES = 60, 10
#: What a page of results has beside an overview.
_RESULTS = "#rso, #search, #res, .MjjYud, [data-rpos], .tF2Cxc, div.g"
_ROOTS = frozenset({"rcnt", "center_col", "main", "rso", "res", "search", "taw", "botstuff"})
_FARTHEST = 60

_DECLINED = re.compile("|".join(PAGE_WORDS["overview_declined"]), re.IGNORECASE)
_UNAVAILABLE = re.compile("|".join(PAGE_WORDS["overview_unavailable"]), re.IGNORECASE)
_LOADING = re.compile(
    rf"(?:{'|'.join(PAGE_WORDS['overview_loading'])})[^.…]{{0,30}}[.… ]*", re.IGNORECASE
)
_BUSY = "[aria-busy=true], [role=progressbar], progress, g-loading-icon"
_SHORTEST_MESSAGE, _LONGEST_MESSAGE = 8, 200

#: Elements that stand in an overview and are no words of it: feedback, dialogs, the trays of
#: sources, buttons with the number of sources, the warning under program code, links to AI Mode.
_APART = (
    "button, form, select, textarea, nav, aside, [data-subtree=dfa], [data-subtree=aimq], "
    "[role=dialog], [role=tooltip], [role=alert], [role=status], [aria-modal=true], "
    "[data-xid='aim-aside-initial-corroboration-container'], [data-container-id='rhs-col'], "
    ".LIBz9e, a[href*='udm=50']"
)
_HELP = "a[href*='//support.google.'], a[href*='//policies.google.']"
_BLOCKS = "div, p, h3, h4, [role=heading]"
_BLOCK_TAGS = frozenset({"div", "p", "ul", "ol", "h2", "h3", "section", "table"})
_MOST_LINKS = 1000
_SHORTEST_TITLE, _LONGEST_CARD = 3, 1000
_MOST_CARDS, _MOST_PIECES, _MOST_STEPS = 200, 40, 3
#: The end of a label that tells where a link opens.
_NEW_TAB = re.compile(
    rf"[.。,]?\s*(?:{'|'.join(PAGE_WORDS['new_tab'])})[^.。]*[.。]?\s*$", re.IGNORECASE
)
#: The end of a citation's label, with how many pages more are cited: "The Page (+2) - related".
_FURTHER = re.compile(r"\s*(?:\(\+\d+\))?\s+[-\u2013\u2014]\s+[^-\u2013\u2014]*$")
_COMMENT = re.compile(r"<!--(.{1,20000}?)-->", re.DOTALL)
_MOST_COMMENTS = 500
_PAYLOAD = re.compile(r"^[A-Za-z0-9]{4,10}\|{0,2}(?=\[)")
_URL_AT, _DOMAIN_AT = 5, 3


def find_overviews(document: PageDocument) -> list[LexborNode]:
    """Return the outermost frames of overviews of the query, surest first."""
    frames: dict[int, LexborNode] = {}
    known = [node for css in _FRAMES for node in document.tree.css(css)]
    for node in (*known, *_find_by_heading(document)):
        above = list(_walk_up(node))
        if not any(parent.mem_id in frames for parent in (node, *above)) and not _is_asked(above):
            frames[node.mem_id] = node
    return list(frames.values())


def _is_asked(above: Sequence[LexborNode]) -> bool:
    """Return whether one of the elements is a further question with its answer."""
    return any(zone_of_element(node) is Zone.QUESTION for node in above)


def _find_by_heading(document: PageDocument) -> Iterator[LexborNode]:
    """Yield the blocks under headings that say that a model has written them."""
    titles = (
        node
        for node in document.tree.css(_TITLES)[:_MOST_LINKS]
        if _is_heading(
            (node.attributes.get("aria-label") if _is_region(node) else None) or _brief_text(node)
        )
    )
    for title in islice(titles, _MOST_TITLES):
        above = list(_walk_up(title))
        if title.css_first("a") or _is_asked(above) or any(node.tag == "a" for node in above):
            continue
        block = title
        for parent in above:
            is_root = (
                parent.attributes.get("id") in _ROOTS or parent.css_first(_RESULTS) is not None
            )
            if parent.tag in ("body", "html") or is_root:
                break  # it holds more than one block of the page
            block = parent
        if block.mem_id != title.mem_id or _is_region(title):
            yield block


def _is_region(node: LexborNode) -> bool:
    return node.tag == "section" or node.attributes.get("role") == "region"


def _is_heading(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_HEADING and _HEADING.match(text) is not None


def _walk_up(node: LexborNode) -> Iterator[LexborNode]:
    return islice(walk_up(node), _FARTHEST)


@dataclass(frozen=True, slots=True)
class _Overview:
    """A frame, its title, and the elements in it that are no words of the text."""

    frame: LexborNode
    document: PageDocument
    title: LexborNode | None
    cards: dict[int, tuple[LexborNode, LexborNode]] = field(default_factory=dict)

    @property
    def bar(self) -> LexborNode | None:
        """The line that the title stands in, with messages and buttons; None without a title."""
        bar = self.title.parent if self.title is not None else None
        if bar is None or bar.mem_id == self.frame.mem_id or bar.css_first(_BODY_PARTS) is not None:
            return self.title
        return bar if _brief_text(bar, 3 * _LONGEST_MESSAGE) else self.title


def read_overview(document: PageDocument, frames: Sequence[LexborNode]) -> list[Hit]:
    """Return the overview of a page; none where the page only has room for it."""
    for frame in frames:
        if hit := _read_frame(document, frame):
            return [hit]
    return []


def _read_frame(document: PageDocument, frame: LexborNode) -> Hit | None:
    titles = (
        node for node in frame.css("[role=heading], h1, h2") if _is_heading(visible_text(node))
    )
    title = next(titles, None)
    title = title or frame.css_first("[role=heading][aria-level='2']")
    overview = _Overview(frame, document, title)
    overview.cards.update(_find_cards(overview))
    text = _read_text(overview)
    name = visible_text(title)
    if text and not _LOADING.fullmatch(text):
        if frame.css_first("[aria-busy=true]") is not None:
            return Hit(Block.AI_OVERVIEW, name, state=OverviewState.LOADING)
        shown = OverviewState.SHOWN
        return Hit(Block.AI_OVERVIEW, name, "", text, shown, _read_sources(overview))
    state = _find_message(overview)
    is_announced = title is not None and not _is_unseen(title, frame, document)
    if state is None and (text or is_announced or frame.css_first(_BUSY) is not None):
        state = OverviewState.LOADING  # it neither came nor was taken back
    return None if state is None else Hit(Block.AI_OVERVIEW, name, state=state)


# --- words ----------------------------------------------------------------------------------------


def _read_text(overview: _Overview) -> str:
    """Return the words of an overview, a paragraph or an entry of a list a line."""
    frame = overview.frame
    body = next((node for css in _BODIES if (node := frame.css_first(css))), frame)
    apart = {node.mem_id for node in body.css(_APART)} | set(overview.cards)
    for link in body.css(_HELP)[:_MOST_PIECES]:
        # the note that it ends: "AI answers may be wrong. Learn more"
        is_note = link.parent is not None and _brief_text(link.parent)
        apart.add(link.parent.mem_id if link.parent is not None and is_note else link.mem_id)
    bar = overview.bar
    if bar is not None:
        apart |= {bar.mem_id, overview.title.mem_id if overview.title else 0}
    if body.mem_id == frame.mem_id:
        apart |= {node.mem_id for node, _ in _list_messages(overview)}

    def is_left_out(node: LexborNode) -> bool:
        is_menu = node.attributes.get("role") in MENUS
        return node.mem_id in apart or (is_menu and node.css_first("[role=heading]") is None)

    lines = "".join(text_pieces(body, is_left_out, "\n")).split("\n")
    return "\n".join(line for raw in lines if (line := " ".join(raw.split())))


def _list_messages(overview: _Overview) -> list[tuple[LexborNode, OverviewState]]:
    """Return the messages that there is no overview, in whatever language.

    They stand in the line of the title before it: first that there is none for this query, then
    that it could not be written now. Elsewhere they are known by their words.
    """
    messages: dict[int, tuple[LexborNode, OverviewState]] = {}
    bar, title = overview.bar, overview.title
    if bar is not None and title is not None and bar.mem_id != title.mem_id:
        before = takewhile(lambda node: node.mem_id != title.mem_id, bar.iter())
        spans = [n for n in before if n.tag == "span" and len(_brief_text(n)) >= _SHORTEST_MESSAGE]
        states = (OverviewState.DECLINED, OverviewState.UNAVAILABLE)
        messages |= {n.mem_id: (n, state) for n, state in zip(spans, states, strict=False)}
    for node in islice(overview.frame.css("span, div, p"), _MOST_LINKS):
        if node.mem_id in messages or any(part.tag in _BLOCK_TAGS for part in node.iter()):
            continue
        text = _brief_text(node)
        if _UNAVAILABLE.search(text):
            messages[node.mem_id] = node, OverviewState.UNAVAILABLE
        elif _DECLINED.search(text):
            messages[node.mem_id] = node, OverviewState.DECLINED
    return list(messages.values())


def _brief_text(node: LexborNode, longest: int = _LONGEST_MESSAGE) -> str:
    """Return the text of an element, hidden or not; empty where it is longer."""
    text = "".join(islice(text_pieces(node, lambda _: False), longest))
    return " ".join(text.split()) if len(text) <= longest else ""


def _find_message(overview: _Overview) -> OverviewState | None:
    """Return the state that a visible message tells; of several the first."""
    for node, state in _list_messages(overview):
        texts = [node, *node.css("span")]
        if not any(_is_unseen(part, overview.frame, overview.document) for part in texts):
            return state
    return None


def _is_unseen(node: LexborNode, frame: LexborNode, document: PageDocument | None = None) -> bool:
    """Return whether an element, or one around it in the frame, is not displayed."""
    for current in (node, *_walk_up(node)):
        attributes = current.attributes
        if is_hidden(current) or "hidden" in attributes or attributes.get("aria-hidden") == "true":
            return True
        if document is not None and any(
            re.search(rf"\.{re.escape(name)}\s*\{{[^}}]*display:\s*none", document.source)
            for name in class_names(current)
        ):
            return True
        if current.mem_id == frame.mem_id:
            break
    return False


# --- sources --------------------------------------------------------------------------------------


def _find_cards(overview: _Overview) -> Iterator[tuple[int, tuple[LexborNode, LexborNode]]]:
    """Yield (id of a card, (card, its link)): what shows a cited page by its title."""
    seen: set[int] = set()
    columns = frozenset(node.mem_id for node in overview.frame.css(_COLUMN))
    for link in overview.frame.css("a[href]")[:_MOST_LINKS]:
        card = _card_of(link, overview, columns) if len(seen) < _MOST_CARDS else None
        if card is not None and card.mem_id not in seen:
            seen.add(card.mem_id)
            yield card.mem_id, (card, link)


def _card_of(link: LexborNode, overview: _Overview, columns: frozenset[int]) -> LexborNode | None:
    if not _leads_outside(link, overview.document):
        return None
    entry: LexborNode | None = None
    for node in (link, *_walk_up(link)):
        if node.mem_id == overview.frame.mem_id:
            break
        if "data-src-id" in node.attributes:
            return node
        if entry is None and (node.tag == "li" or node.attributes.get("role") == "listitem"):
            entry = node
    if _is_citation(link):
        return None
    if entry is not None and _heads_entry(link, entry, columns):
        return entry
    return link if link.css_first(_BLOCKS) is not None else None


def _leads_outside(link: LexborNode, document: PageDocument) -> bool:
    """Return whether a link leads to a page outside, if by a redirect that does not tell which."""
    href = link_href(link)
    if is_advert(href, document):
        return False
    return bool(link_target(href, document)) or (href or "").startswith("/goto?")


def _is_citation(link: LexborNode) -> bool:
    """Return whether a link lies over a mark in the text that tells how many pages are cited."""
    mark = link.next
    for _ in range(_MOST_STEPS):
        if mark is None or "data-icl-uuid" in mark.attributes or "data-amic" in mark.attributes:
            return mark is not None
        mark = mark.next
    return False


def _heads_entry(link: LexborNode, entry: LexborNode, columns: frozenset[int]) -> bool:
    """Return whether an entry of a list is a card.

    It is where its link holds blocks or lies over its title, or where all entries outside the
    column of the words begin with links.
    """
    if not _brief_text(entry, _LONGEST_CARD):
        return False
    label, own = (link.attributes.get("aria-label") or "").strip(), visible_text(link)
    if link.css_first(_BLOCKS) is not None:
        return True
    if label and not own:
        return any(map(label.startswith, _pieces_of(entry)))
    above = entry.parent
    if above is None or any(node.mem_id in columns for node in _walk_up(entry)):
        return False
    entries = (node for node in above.iter() if node.tag == entry.tag)
    for node in islice(entries, _MOST_PIECES):
        first = node.css_first("a[href]")
        text = "" if first is None else _brief_text(first)
        if not text or not _brief_text(node, _LONGEST_CARD).startswith(text):
            return False
    return True


def _pieces_of(card: LexborNode) -> list[str]:
    """Return the texts of the elements of a card, longest first; none of a letter or two."""
    texts = {_brief_text(node) for node in islice(card.css("*"), _MOST_PIECES)}
    return sorted((text for text in texts if len(text) >= _SHORTEST_TITLE), key=len, reverse=True)


def _read_sources(overview: _Overview) -> tuple[Source, ...]:
    """Return the cited pages in the order in which they are listed, each once.

    Those are the cards of the page; without any what the page would make cards of, and without
    that the links in the text.
    """
    sources: dict[tuple[str, str], Source] = {}
    for card, link in overview.cards.values():
        title = _title_of(card, link)
        url = link_target(link_href(link), overview.document)
        number = card.attributes.get("data-src-id") or ""
        if title or url:
            key = ("number", number) if number else (title, url)
            sources.setdefault(key, Source.of_page(make_storable(title), make_storable(url)))
    if sources:
        return tuple(dict.fromkeys(sources.values()))
    return _read_payloads(overview) or _read_links(overview)


def _title_of(card: LexborNode, link: LexborNode) -> str:
    heading = card.css_first("[role=heading], h3, h4")
    if heading is not None and (text := visible_text(heading)):
        return text
    label = " ".join((link.attributes.get("aria-label") or "").split())
    if label:
        named = filter(label.startswith, _pieces_of(card))
        return next(named, "") or _NEW_TAB.sub("", label).strip()
    leaves = (_brief_text(node) for node in link.css("*") if not list(node.iter()))
    return next(filter(None, leaves), "") or visible_text(link) or _brief_text(card)


def _read_links(overview: _Overview) -> tuple[Source, ...]:
    """Return the pages that links in the text lead to."""
    sources: dict[str, Source] = {}
    for link in islice(overview.frame.css("a[href]"), _MOST_LINKS):
        url = link_target(link_href(link), overview.document)
        label = " ".join((link.attributes.get("aria-label") or "").split())
        title = visible_text(link) or _NEW_TAB.sub("", _FURTHER.sub("", label)).strip()
        source = Source.of_page(make_storable(title), make_storable(url))
        if url and title and not is_own(source.domain):
            sources.setdefault(url, source)
    return tuple(sources.values())


def _read_payloads(overview: _Overview) -> tuple[Source, ...]:
    """Return the pages in the comments that scripts make cards of."""
    sources: dict[str, Source] = {}
    for comment in islice(_COMMENT.finditer(overview.frame.html or ""), _MOST_COMMENTS):
        content = comment[1]
        match = _PAYLOAD.match(content)
        if match is None:
            continue
        try:
            value = json.loads(content[match.end() :].removeprefix("|"))
        except (ValueError, RecursionError):
            continue
        for title, url in _find_pages(value):
            sources.setdefault(url, Source.of_page(make_storable(title), make_storable(url)))
    return tuple(sources.values())


def _find_pages(value: object) -> Iterator[tuple[str, str]]:
    """Yield (title, address) of the pages in a value: [title, snippet, icon, host, _, address]."""
    stack = [value]
    for _ in range(_MOST_LINKS):
        if not stack:
            return
        node = stack.pop()
        if not isinstance(node, list):
            continue
        if len(node) > _URL_AT and isinstance(node[0], str):
            url = node[_URL_AT]
            is_page = isinstance(url, str) and isinstance(node[_DOMAIN_AT], str)
            if is_page and absolute_link(url, ""):
                yield node[0], url
                continue
        stack.extend(reversed(node))


# --- AI Mode --------------------------------------------------------------------------------------

_AI_MODE = re.compile(r"[?&]udm=50(?:&|#|$)|//(?:www\.)?google\.[a-z.]+/(?:ai|aimode)(?:[/?#]|$)")


def is_ai_mode(document: PageDocument) -> bool:
    """Return whether a page is one of AI Mode: by its address, or a conversation and no results."""
    if is_own(document.host) and _AI_MODE.search(document.url):
        return True
    has_turn = any(document.tree.css_first(css) for css in (_TURN, *_BODIES[:4]))
    is_results = document.tree.css_first(f"{_RESULTS}, {_FRAMES[0]}, {_FRAMES[1]}") is not None
    return has_turn and not is_results


def read_ai_mode(document: PageDocument) -> Hit | None:
    """Return the answer of AI Mode to the first question; None where there is no conversation."""
    turns = select_nodes(document.tree, _TURN)
    frame = turns[0] if turns else next(iter(find_overviews(document)), None)
    frame = frame or next((node for css in _BODIES if (node := document.tree.css_first(css))), None)
    if frame is None:
        return None
    if len(turns) <= 1 and document.tree.body is not None:
        frame = document.tree.body  # the tray of sources stands beside the answer
    return _read_frame(document, frame)
