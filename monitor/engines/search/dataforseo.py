"""DataForSEO: result pages of Google that others fetch; a question in, the page's blocks out.

https://docs.dataforseo.com/v3/serp/google/organic/live/advanced/. One task a request. Errors come
with the status 200, for the whole request or for its task.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import cache

from monitor import faults
from monitor.data import read_table
from monitor.engines import _http, _search
from monitor.engines._search import SearchApi, ShownItem
from monitor.engines.search import _google_lists
from monitor.engines.search._google_lists import List
from monitor.model import (
    Answer,
    Block,
    Fault,
    HttpRequest,
    Json,
    Needs,
    OverviewState,
    Parameter,
    Probe,
    Reading,
    Reason,
    Region,
    Trouble,
)

_LOGIN, _PASSWORD = "DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"
_PATH = "v3/serp/google/organic/live/advanced"
_MOST = 700
_SYSTEMS = {"desktop": ("windows", "macos"), "mobile": ("android", "ios")}

_PARAMETERS = (
    _http.base_url("https://api.dataforseo.com"),
    _http.key_name(_LOGIN, "login"),
    _http.key_name(_PASSWORD, "password"),
    Parameter("depth", "results to fetch; every ten are paid", int, default=10, low=10, high=200),
    Parameter(
        "device", "the screen that pages are made for", default="desktop", choices=(*_SYSTEMS,)
    ),
    Parameter(
        "os",
        "windows or macos of a desktop, android or ios of a mobile; windows, android if left out",
        choices=tuple(name for names in _SYSTEMS.values() for name in names),
    ),
    Parameter("se_domain", "which of Google's domains", default="google.com"),
    Parameter("load_ai_overview", "fetch overviews that Google loads later; paid", bool, False),
    Parameter("search_param", "further parameters of the address", default="&safe=off&nfpr=1"),
    Parameter("language_code", "instead of the region's language: a code of Google's own"),
)
_OK, _NO_RESULTS = 20000, 40102
#: Internal codes (https://docs.dataforseo.com/v3/appendix/errors/); of the others their hundreds.
_FAULTS = {
    40201: Fault.AUTH,  # account paused
    40202: Fault.RATE,  # a minute's limit
    40203: Fault.QUOTA,  # the day's limit of costs
    40204: Fault.AUTH,  # no subscription
    40207: Fault.AUTH,  # address not allowed
    40209: Fault.RATE,  # too many at the same time
    40100: Fault.AUTH,
    40104: Fault.AUTH,  # account not verified
}
_BY_HUNDREDS = {
    400: Fault.BAD_REQUEST,
    401: Fault.TRANSIENT,  # of the search engine
    402: Fault.QUOTA,
    403: Fault.AUTH,
    404: Fault.BAD_REQUEST,
    405: Fault.BAD_REQUEST,
    406: Fault.TRANSIENT,  # still in the queue
}
_DAY_LIMIT = 40203
_FIRST_OWN_FAULT = 50000
_HUNDRED = 100
#: What Google adds to the number of a country.
_FIRST_COUNTRY = 2000
_Row = Mapping[str, Json]
#: Parts of a panel that are lists of entities.
_PANEL_LISTS = ("knowledge_graph_carousel_item", "knowledge_graph_list_item")
_ORGANIC = "organic"
_READ = frozenset(
    {_ORGANIC, "paid", "featured_snippet", "answer_box", "carousel", "multi_carousel"}
    | {"knowledge_graph", "ai_overview"}
)
#: Fields that an invalid one is named after, where it comes from the region.
_OF_REGION = ("location", "language")


@dataclass(frozen=True, slots=True)
class DataForSeo(SearchApi):
    """The engine. Results are asked for live, never taken from what was collected before."""

    name: str = "dataforseo"
    title: str = "Google Search by DataForSEO"
    version: int = 3
    in_flight: int = 4
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        secrets=(_LOGIN, _PASSWORD),
        independence="each question by another of the provider's addresses, as far as it says",
        price="from 2 US dollars per 1,000 questions of ten results, live (2026); questions with "
        "operators such as intitle: cost five times as much, AI overviews that load later more",
        limits="2,000 requests a minute; questions of up to 700 characters; a limit of costs a day "
        "where the account has set one",
        notes="the page as DataForSEO reads it: what it does not recognise is missing, and nobody "
        "sees that; tiles of carousels come without links, so that people are known by their "
        "names; without a `place` the region's country is the place; a question that the search "
        "engine fails at may be paid all the same",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse a system that the device does not have."""
        device, system = str(config["device"]), config.get("os")
        if system and system not in _SYSTEMS[device]:
            return f"config: os = {system!r}: of a {device} {' or '.join(_SYSTEMS[device])}"
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST of exactly one task. Raises ValueError for a question that is too long."""
        [probe] = probes
        if len(probe.text) > _MOST:
            raise ValueError(f"a question of {len(probe.text)} characters; at most {_MOST}")
        region = Region.from_probe(probe)
        task: dict[str, Json] = {
            # it decodes the question as if it stood in an address
            "keyword": probe.text.replace("%", "%25").replace("+", "%2B"),
            **_make_location(region),
            "language_code": config.get("language_code") or region.language,
            "device": config["device"],
            "os": config.get("os") or _SYSTEMS[str(config["device"])][0],
            "depth": config["depth"],
            "se_domain": config["se_domain"],
            "search_param": config["search_param"],
        }
        if config["load_ai_overview"]:
            task["load_async_ai_overview"] = True
        sent = _http.post_json(_http.join_path(config["base_url"], _PATH), [task])
        return replace(sent, signer=f"basic:{config['login']}/{config['password']}")

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """The codes of the request and of its task, then the status, then what cannot be read."""
        trouble = _search.guard_trouble(answer)
        if trouble is not None:
            return trouble
        content = _http.read_object(answer)
        task = _read_task(content)
        for part in (content, task or {}):
            code = _http.whole_at(part, "status_code")
            if code not in (None, _OK, _NO_RESULTS):
                return _code_trouble(answer, code, _search.text_of(part, "status_message"))
        words = _search.service_words(answer, "status_message")
        trouble = _http.by_status(answer, words) or faults.find_page_trouble(answer)
        if (
            trouble is None
            and _http.whole_at(task or {}, "status_code") != _NO_RESULTS
            and _read_items(task) is None
        ):
            return Trouble(Fault.DRIFT, f"no results in it: {words}")
        return trouble

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read results, carousel, panel, advertisements, snippets and AI overview."""
        task = _read_task(_http.read_object(answer))
        if _http.whole_at(task or {}, "status_code") == _NO_RESULTS:
            return _search.make_reading((), "No Search Results")
        items = _read_items(task)
        if items is None:
            return None
        if not items:
            detail = "the page has nothing on it, and no word that nothing was found"
            return _search.unreadable_reading(detail, Reason.SUSPECT_EMPTY)
        lists = _list_entities(items)
        question = probe.text if probe else ""
        answering = _google_lists.find_answering(lists, question, _panel_title(items))
        blocks = _make_blocks(items, answering)
        notes = (*_altered_notes(task), _google_lists.describe_lists(lists, answering))
        return _search.make_reading(blocks, *notes, _left_out(items))


@cache
def _country_numbers() -> Mapping[str, int]:
    """{country code: its number in ISO 3166-1 and what Google adds}."""
    rows = read_table("country_numbers")
    return {row["code"]: _FIRST_COUNTRY + int(row["number"]) for row in rows}


def country_number(country: str) -> int | None:
    """Return the number under which Google knows a country (US: 2840); None for an unknown code.

    https://developers.google.com/google-ads/api/data/geotargets
    """
    return _country_numbers().get(country.upper())


def _make_location(region: Region) -> dict[str, Json]:
    """Return the place, else the country, to ask from. An unknown country code is refused."""
    number = country_number(region.country)
    if region.place or number is None:
        return {"location_name": region.place or region.country}
    return {"location_code": number}


# --- what went wrong ----------------------------------------------------------------------------


def _code_trouble(answer: Answer, code: int | None, said: str) -> Trouble:
    """The trouble of a code; what is invalid about the region concerns all its questions."""
    code = code or 0
    words = f"HTTP {answer.status}: {code}: {said or 'no reason given'}"
    fault = _FAULTS.get(code) or _BY_HUNDREDS.get(code // _HUNDRED)
    if fault is None:
        fault = Fault.TRANSIENT if code >= _FIRST_OWN_FAULT else Fault.DRIFT
    if fault is Fault.BAD_REQUEST and any(field in said.lower() for field in _OF_REGION):
        fault = Fault.UNSUPPORTED
    return Trouble(fault, words, _next_day(answer.asked_at) if code == _DAY_LIMIT else None)


def _next_day(at: datetime) -> datetime:
    """Return when the next day begins in UTC, by which costs are counted."""
    day = at.astimezone(UTC).date() + timedelta(days=1)
    return datetime.combine(day, time(), UTC)


# --- reading ------------------------------------------------------------------------------------


def _read_task(content: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The one task of an answer that was taken on."""
    tasks = (
        _search.read_rows(content, "tasks")
        if _http.whole_at(content, "status_code") == _OK
        else None
    )
    return tasks[0] if tasks and len(tasks) == 1 else None


def _read_items(task: Mapping[str, Json] | None) -> list[Mapping[str, Json]] | None:
    """Return the items on the page, in its order; None where the answer does not list them."""
    results = (
        _search.read_rows(task, "result")
        if task and _http.whole_at(task, "status_code") == _OK
        else None
    )
    if not results or len(results) != 1:
        return None
    return _search.read_rows(results[0], "items")


def _altered_notes(task: Mapping[str, Json] | None) -> Iterator[str]:
    """Yield what Google searched for instead of the question, where it reports so."""
    for result in _search.read_rows(task, "result") or []:
        spell = result.get("spell")
        if isinstance(spell, dict) and (keyword := _search.text_of(spell, "keyword")):
            yield f"{_search.text_of(spell, 'type') or 'altered'}: {keyword}"


def _list_entities(items: Sequence[_Row]) -> list[List]:
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


def _is_above(item: _Row, items: Sequence[_Row]) -> bool:
    """Return whether an item stands above the first result."""
    item_rank = _http.whole_at(item, "rank_absolute")
    ranks = [_http.whole_at(row, "rank_absolute") for row in items if row.get("type") == _ORGANIC]
    result_ranks = [rank for rank in ranks if rank is not None]
    return item_rank is not None and bool(result_ranks) and item_rank < min(result_ranks)


def _panel_title(items: Sequence[_Row]) -> str:
    """The title of the knowledge panel; empty without one."""
    titles = [
        _search.text_of(row, "title") for row in items if row.get("type") == "knowledge_graph"
    ]
    return next(filter(None, titles), "")


def _make_blocks(items: Sequence[_Row], answering: List | None) -> list[ShownItem]:
    """Return all that is read of a page, results in the order of their ranks."""
    results = [item for item in items if item.get("type") == _ORGANIC]
    ranks = [_http.whole_at(item, "rank_group") for item in results]
    if None not in ranks:
        results.sort(key=lambda item: _http.whole_at(item, "rank_group") or 0)
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
    return [text for element in values if (text := _search.clean_text(element))]


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


def _left_out(items: Sequence[_Row]) -> str:
    """Kinds of items that are not read."""
    kinds = {kind for item in items if isinstance(kind := item.get("type"), str)} - _READ
    return f"not read: {', '.join(sorted(map(_search.plain_text, kinds)))}" if kinds else ""


ENGINE = DataForSeo()
