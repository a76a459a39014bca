"""The items of a page of Google as DataForSEO lists them: their lists, blocks and what is left."""

from collections.abc import Iterator, Mapping, Sequence

from monitor.engines import _search
from monitor.engines._search import ShownItem
from monitor.engines.search import _google_lists
from monitor.engines.search._google_lists import List
from monitor.model import Block, Json, OverviewState

_Row = Mapping[str, Json]
#: Parts of a panel that are lists of entities.
_PANEL_LISTS = ("knowledge_graph_carousel_item", "knowledge_graph_list_item")
_ORGANIC = "organic"
_READ = frozenset(
    {_ORGANIC, "paid", "featured_snippet", "answer_box", "carousel", "multi_carousel"}
    | {"knowledge_graph", "ai_overview"}
)


def read_lists(items: Sequence[_Row]) -> list[List]:
    """Every list of entities on the page.

    Suggestions in several rows (`multi_carousel`) stand below the results as a rule and lead to
    other questions; above them, they answer this one.
    """
    lists = []
    for item in items:
        kind = item.get("type")
        if kind == "carousel":
            lists.append(_read_list(item, "items", top=True))
        elif kind == "multi_carousel":
            rows = _search.read_rows(item, "items") or []
            above = _is_above(item, items)
            lists += [_read_list(row, "multi_carousel_snippets", top=above) for row in rows]
        elif kind == "knowledge_graph":
            parts = _search.read_rows(item, "items") or []
            lists += [
                _read_list(part, "items") for part in parts if part.get("type") in _PANEL_LISTS
            ]
    return lists


def _read_list(row: _Row, key: str, *, top: bool = False) -> List:
    rows = _search.read_rows(row, key) or []
    return List(_search.text_of(row, "title"), tuple(map(_read_tile, rows)), top)


def _read_tile(row: _Row) -> ShownItem:
    url = _search.text_of(row, "url")
    name, text = _search.text_of(row, "title"), _search.text_of(row, "subtitle")
    return ShownItem(Block.CAROUSEL, name, url, text, _google_lists.entity_id(url))


def _read_rank(item: _Row, key: str) -> int | None:
    rank = item.get(key)
    return rank if isinstance(rank, int) and not isinstance(rank, bool) else None


def _is_above(item: _Row, items: Sequence[_Row]) -> bool:
    """Return whether an item stands above the first result."""
    item_rank = _read_rank(item, "rank_absolute")
    ranks = [_read_rank(row, "rank_absolute") for row in items if row.get("type") == _ORGANIC]
    result_ranks = [rank for rank in ranks if rank is not None]
    return item_rank is not None and bool(result_ranks) and item_rank < min(result_ranks)


def panel_title(items: Sequence[_Row]) -> str:
    """The title of the knowledge panel; empty without one."""
    titles = [
        _search.text_of(row, "title") for row in items if row.get("type") == "knowledge_graph"
    ]
    return next(filter(None, titles), "")


def read_items(items: Sequence[_Row], answering: List | None) -> list[ShownItem]:
    """Return all that is read of a page, results in the order of their ranks."""
    results = [item for item in items if item.get("type") == _ORGANIC]
    ranks = [_read_rank(item, "rank_group") for item in results]
    if None not in ranks:
        results.sort(key=lambda item: _read_rank(item, "rank_group") or 0)
    overviews = [_read_overview(item) for item in items if item.get("type") == "ai_overview"]
    overviews.sort(key=lambda overview: overview.state is not OverviewState.SHOWN)
    blocks = [block_item for item in items for block_item in _read_block(item)] + overviews[:1]
    carousel = answering.tiles if answering else ()
    return [*(_make_result(Block.ORGANIC, item) for item in results), *carousel, *blocks]


def _make_result(block: Block, item: _Row) -> ShownItem:
    title, text = _search.text_of(item, "title"), _search.text_of(item, "description")
    return ShownItem(block, title, _search.text_of(item, "url"), text)


def _read_block(item: _Row) -> Iterator[ShownItem]:
    """Yield what an item shows that is neither a web result nor a list."""
    kind = item.get("type")
    if kind == "paid":
        yield _make_result(Block.AD, item)
    elif kind == "featured_snippet":
        title = _search.text_of(item, "featured_title") or _search.text_of(item, "title")
        text = _search.text_of(item, "description")
        yield ShownItem(Block.ANSWER, title, _search.text_of(item, "url"), text)
    elif kind == "answer_box":
        yield ShownItem(Block.ANSWER, "", "", " ".join(_read_texts(item.get("text"))))
    elif kind == "knowledge_graph" and _search.text_of(item, "title"):
        yield from _panel_facts(item)


def _read_texts(value: Json) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for element in values if (text := _search.text_of({"": element}, ""))]


def _panel_facts(item: _Row) -> Iterator[ShownItem]:
    """The panel, and its facts after it."""
    text = _search.text_of(item, "subtitle") or _search.text_of(item, "sub_title")
    yield ShownItem(
        Block.KNOWLEDGE,
        _search.text_of(item, "title"),
        _search.text_of(item, "url"),
        text or _search.text_of(item, "description"),
        _google_lists.entity_id("", item.get("card_id")),
    )
    for part in _search.read_rows(item, "items") or []:
        if part.get("type") == "knowledge_graph_row_item":
            label, value = _search.text_of(part, "title"), _search.text_of(part, "text")
            yield ShownItem(Block.KNOWLEDGE, label, "", value)


def _read_overview(item: _Row) -> ShownItem:
    """The AI overview; without text it was not loaded, or there was none to load."""
    elements = _search.read_rows(item, "items") or []
    lines = [line for element in elements for line in _element_lines(element)]
    if not any(lines):
        lines = _read_lines(item.get("markdown"))
    references = _search.read_rows(item, "references") or [
        row for element in elements for row in _search.read_rows(element, "references") or []
    ]
    is_late = item.get("asynchronous_ai_overview") is True
    state = OverviewState.LOADING if is_late else OverviewState.UNAVAILABLE
    return _search.make_overview(lines, _search.read_sources(references, "url"), state)


def _element_lines(element: _Row) -> list[str]:
    """Return title and text of an element, and the cells of its table."""
    lines = _read_lines(element.get("text"))
    title = _search.text_of(element, "title")
    table = element.get("table")
    cells = [*(_search.read_rows(element, "items") or [])]
    rows = table.get("table_content") if isinstance(table, dict) else None
    texts = [cell for row in rows or [] if isinstance(row, list) for cell in _read_texts(row)]
    inner = [line for cell in cells for line in _read_lines(cell.get("text"))]
    headed = [title] if title and not (lines and lines[0].startswith(title)) else []
    return [*headed, *lines, *inner, *texts]


def _read_lines(value: Json) -> list[str]:
    """Return the lines of a text, or of the texts of a list, that are not empty."""
    values = value if isinstance(value, list) else [value]
    raw = [line for text in values if isinstance(text, str) for line in text.splitlines()]
    return _read_texts(raw)


def left_out(items: Sequence[_Row]) -> str:
    """Kinds of items that are not read."""
    kinds = {kind for item in items if isinstance(kind := item.get("type"), str)} - _READ
    return f"not read: {', '.join(sorted(map(_search.plain_text, kinds)))}" if kinds else ""
