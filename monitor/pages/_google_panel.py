"""The knowledge panel on a page of Google: the entity that the page is about, and facts about it.

It stands to the right of the results or, since 2021, over the whole page. Its first item is the
entity (name, line beneath it, id); the further ones are facts (label, value). A fact is a short
text that ends with a colon and has a value beside it, in every layout since 2012.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from monitor.model import Block, Item
from monitor.pages._google_stick import entity, parameter, stick
from monitor.pages._google_tiles import ENTITIES, GOOGLE, lines, mended
from monitor.pages._html import Document, absolute, words

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
_DEEPEST = 200


def knowledge(document: Document) -> tuple[Item, ...]:
    """The panel and its facts in the order of the page; empty without a panel."""
    columns = [node for node in document.tree.css(_COLUMNS) if not _inside(node)]
    facts = list(islice(_facts(columns), _MOST_FACTS))
    title, node = _title(document, columns, bool(facts))
    if not title:
        return ()
    base = document.url or GOOGLE
    panel = Item(
        1, _subtitle(document, node, title, facts), Block.KNOWLEDGE, "", title, _entity(columns)
    )
    told = (
        Item(rank, value, Block.KNOWLEDGE, absolute(href, base), label)
        for rank, (label, value, href) in enumerate(facts, 2)
    )
    return (panel, *told)


def _inside(node: LexborNode) -> bool:
    """Whether a column stands in another one, or in results rather than beside them."""
    parent = node.parent
    while parent is not None:
        classes = (parent.attributes.get("class") or "").split()
        if parent.id in ("rhs", "rhs_block") or "kp-wholepage" in classes:
            return True
        parent = parent.parent
    return False


def _title(
    document: Document, columns: list[LexborNode], has_facts: bool
) -> tuple[str, LexborNode | None]:
    """The name of the entity and the element it was found in."""
    for node in document.tree.css(_TITLES)[:_MOST_MARKED]:
        if title := mended(words(node)):
            return title, node
    if not has_facts:
        return "", None
    for column in columns:
        for line in lines(column):
            return line.text, None
    return "", None


def _subtitle(
    document: Document,
    node: LexborNode | None,
    title: str,
    facts: list[tuple[str, str, str]],
) -> str:
    """The line beneath the name: where it is marked, else the one that follows."""
    for marked in document.tree.css(_SUBTITLES)[:_MOST_MARKED]:
        if text := mended(words(marked)):
            return text
    around = _around(node, document)
    shown = [line.text for line in lines(around)] if around is not None else []
    after = shown[shown.index(title) + 1 :] if title in shown else []
    labels = {label for label, _, _ in facts}
    for text in after[:1]:
        if len(text) <= _LONGEST_SUBTITLE and text.split(":")[0].strip() not in labels:
            return text
    return ""


def _around(node: LexborNode | None, document: Document) -> LexborNode | None:
    """What stands around the title: the nearest element with a second line, or the column."""
    for _ in range(_FARTHEST):
        node = node.parent if node is not None else None
        if node is not None and len(lines(node)) > 1:
            return node
    return document.tree.css_first(_COLUMNS)


def _facts(columns: list[LexborNode]) -> Iterator[tuple[str, str, str]]:
    """Label, value and link of each fact, once."""
    seen: set[tuple[str, str]] = set()
    for column in columns:
        results = {
            above.mem_id
            for head in column.css("h3")[:_MOST_LABELS]
            for above in _between(head, column)
        }
        for node in column.css(_LABELS)[:_MOST_LABELS]:
            label = _label(node)
            if not label or _foreign(node, column, results):
                continue
            value, href = _value(node)
            if value and (label, value) not in seen:
                seen.add((label, value))
                yield label, value, href


def _label(node: LexborNode) -> str:
    text = mended(_short_text(node, _LONGEST_LABEL))
    return _COLON.sub("", text) if _COLON.search(text) else ""


def _value(label: LexborNode) -> tuple[str, str]:
    """All that follows the label in the element it stands in, and the first link there."""
    texts: list[str] = []
    href = ""
    node = label.next
    while node is not None and len(texts) < _MOST_NEIGHBOURS:
        text = _short_text(node, _LONGEST_VALUE)
        texts.append(text)
        if text and not href and node.tag != "-text":
            link = node if node.tag == "a" else node.css_first("a[href]")
            href = (link.attributes.get("href") or "") if link is not None else ""
        node = node.next
    return mended("".join(texts)), href


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


def _between(node: LexborNode, column: LexborNode) -> Iterator[LexborNode]:
    """What a node stands in, up to the column and without it."""
    parent = node.parent
    for _ in range(_DEEPEST):
        if parent is None or parent.mem_id == column.mem_id:
            return
        yield parent
        parent = parent.parent


def _foreign(node: LexborNode, column: LexborNode, results: set[int]) -> bool:
    """Whether it stands in a result, an advertisement or a list, not in the panel itself."""
    for parent in _between(node, column):
        if parent.id in _FOREIGN or parent.tag == "g-scrolling-carousel":
            return True
        if "data-attrid" in parent.attributes:
            return False
        if parent.attributes.get("role") == "list" or parent.mem_id in results:
            return True
    return False


def _entity(columns: list[LexborNode]) -> str:
    """The id of the entity: in a link to the panel itself, else the subject of most links."""
    subjects: Counter[str] = Counter()
    for column in columns:
        for link in column.css('a[href*="kgmid="]'):
            if found := entity(parameter(link.attributes.get("href"), "kgmid")):
                return found
        for link in column.css('a[href*="stick="]'):
            if subject := stick(link.attributes.get("href")).subject:
                subjects[subject] += 1
    if subjects:
        return subjects.most_common(1)[0][0]
    held = {
        entity(node.attributes.get("data-entityid"))
        for column in columns
        for node in column.css(ENTITIES)
    } - {""}
    return held.pop() if len(held) == 1 else ""
