"""SerpApi: result pages of Google that others fetch; a question in, the blocks of the page out.

https://serpapi.com/search-api. The key goes in the address: the fetcher puts it there.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.engines import _http, _search
from monitor.engines._search import SearchApi, ShownItem
from monitor.engines.search import _google_lists
from monitor.model import (
    Answer,
    Block,
    Fault,
    HttpRequest,
    Json,
    LaterPart,
    Needs,
    OverviewState,
    Parameter,
    Probe,
    Reading,
    Region,
    Trouble,
)

_KEY = "SERPAPI_KEY"

_PARAMETERS = (
    _http.base_url("https://serpapi.com"),
    _http.key_name(_KEY),
    Parameter("google_domain", "which of Google's domains", default="google.com"),
    Parameter("start", "results to skip; a page has ten", int, default=0, low=0, high=990),
    Parameter(
        "device",
        "the screen that pages are made for",
        default="desktop",
        choices=("desktop", "mobile", "tablet"),
    ),
    Parameter("safe", "filter of explicit results", default="off", choices=("off", "active")),
    Parameter("spellcheck", "whether Google may rewrite the question", bool, default=False),
    Parameter("omit_similar", "whether Google may leave out similar results", bool, default=False),
    Parameter("hl", "instead of the region's language: a code of Google's own, as zh-tw"),
    Parameter("gl", "instead of the region's country: a code of Google's own, as uk"),
)
_SUCCESS = "Success"
_GOING_ON = ("Error", "Processing", "Queued")
_NOTHING = re.compile(r"hasn.t returned any results", re.IGNORECASE)
_SPENT = re.compile(r"run out of searches", re.IGNORECASE)
_UNSUPPORTED = re.compile(r"unsupported\b", re.IGNORECASE)
_TOO_MANY = 429
_WHICH = (
    "that is the hourly limit or the end of the plan's searches: "
    "https://serpapi.com/account.json?api_key=... says which (this_hour_searches, "
    "account_rate_limit_per_hour, total_searches_left)"
)
#: Texts of a panel that are no facts about its entity.
_NO_FACTS = frozenset(
    "title type entity_type kgmid image thumbnail description website knowledge_graph_search_link "
    "serpapi_knowledge_graph_search_link local_map place_id".split()
)
#: Parts of an overview within each other, in the order in which they stand.
_PARTS = ("list", "table", "text_blocks", "product_labels", "comparison", "values")
_DEEPEST = 20
_DECLINED = re.compile(r"not available for", re.IGNORECASE)
_DECODER = json.JSONDecoder()
_NO_FACT_ENDS = ("_link", "_links", "_stick", "_token", "_id")


@dataclass(frozen=True, slots=True)
class SerpApi(SearchApi):
    """The engine. Every question is asked anew: an answer out of the cache is a past one."""

    name: str = "serpapi"
    title: str = "Google Search by SerpApi"
    path: str = "search.json"
    version: int = 3
    pace: float = 0.1
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        secrets=(_KEY,),
        independence="each question by another of the provider's addresses, as far as it says",
        price="by plan, on SerpApi's page of prices; 250 searches a month are free (2026)",
        limits="searches an hour and a month, by plan; both are answered with 429",
        notes="the page as SerpApi reads it: what it does not recognise is missing, and nobody "
        "sees that; without a `place` in the region the page is that of a proxy somewhere in the "
        "country; an AI overview that Google loads later is fetched at once and counts as "
        "one more search; Google sued SerpApi in "
        "December 2025, so that it may end",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET /search.json, and later the overview that it announces."""
        overview: dict[str, Json] = {"engine": "google_ai_overview", "no_cache": True}
        url = _http.join_path(config["base_url"], self.path)
        second = _search.make_get(url, overview, (), self.query_secrets(config))
        later = LaterPart(("ai_overview", "page_token"), "page_token", second)
        return replace(SearchApi.request(self, probes, config), later=later)

    def query_secrets(self, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        return [("api_key", str(config["key"]))]

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query with language, country and place of the region."""
        return {
            "engine": "google",
            "q": text,
            "google_domain": config["google_domain"],
            "hl": config.get("hl") or region.language,
            "gl": config.get("gl") or region.country.lower(),
            "location": region.place or None,
            "device": config["device"],
            "safe": config["safe"],
            "nfpr": int(not config["spellcheck"]),
            "filter": int(bool(config["omit_similar"])),
            "start": config["start"],
            "no_cache": True,
        }

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """The documented errors, and a search that did not come to its end."""
        trouble = _search.answer_trouble(answer, "error")
        if trouble is not None:
            return _sharpen_trouble(trouble, answer)
        content = _read_whole(answer) or {}
        text = _search.text_of(content, "error")
        status = _read_status(content)
        if status in _GOING_ON:
            return Trouble(Fault.TRANSIENT, f"search {status}: {text or 'no reason given'}")
        if _read_results(content) is not None:
            return None
        if text and status == _SUCCESS:
            return Trouble(Fault.TRANSIENT, text)
        return Trouble(Fault.DRIFT, f"no results in it: {_search.service_words(answer, 'error')}")

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read results, carousel, panel, advertisements, answer box and AI overview."""
        content = _read_whole(answer) or {}
        rows = _read_results(content)
        if rows is None:
            return None
        panel = _http.object_at(content, "knowledge_graph")
        title = _search.text_of(panel, "title")
        lists = _read_lists(panel)
        answering = _google_lists.find_answering(lists, probe.text if probe else "", title)
        items = [
            *_search.list_results(rows, "snippet", url_key="link"),
            *(answering.tiles if answering else ()),
            *(_panel_facts(panel) if title else ()),
            *_search.list_results(
                _search.read_rows(content, "ads") or [],
                "description",
                url_key="link",
                block=Block.AD,
            ),
            *_answer_box(content),
            *_overview_items(content),
        ]
        notes = (
            _altered_note(content),
            _google_lists.describe_lists(lists, answering),
            _left_out(content),
        )
        return _search.make_reading(items, *notes)


# --- what went wrong ----------------------------------------------------------------------------


def _sharpen_trouble(found: Trouble, answer: Answer) -> Trouble:
    """A status with what its words add."""
    if answer.status == _TOO_MANY and found.fault is Fault.RATE:
        if _SPENT.search(found.words):
            return replace(found, fault=Fault.QUOTA)
        return replace(found, words=f"{found.words}; {_WHICH}")
    if found.fault is Fault.BAD_REQUEST and _UNSUPPORTED.search(found.words):
        return replace(found, fault=Fault.UNSUPPORTED)
    return found


def _read_status(content: Json) -> str:
    return _search.clean_text(_http.value_at(content, "search_metadata", "status"))


def _read_results(content: Mapping[str, Json]) -> list[Mapping[str, Json]] | None:
    """The web results of a search that came to its end; empty where it says that there are none.

    None for any other answer: results that are left out without a word are missing data.
    """
    if _read_status(content) != _SUCCESS:
        return None
    if "organic_results" in content:
        rows = _search.read_rows(content, "organic_results")
        return rows or (rows if _says_nothing(content) else None)
    return [] if _says_nothing(content) else None


def _says_nothing(content: Mapping[str, Json]) -> bool:
    state = _read_about(content, "organic_results_state").casefold()
    return bool(_NOTHING.search(_search.text_of(content, "error"))) or state == "fully empty"


def _read_about(content: Json, key: str) -> str:
    return _search.clean_text(_http.value_at(content, "search_information", key))


def _altered_note(content: Mapping[str, Json]) -> str:
    """Return what Google searched for instead of the question, where it reports so."""
    if "fixed spelling" not in _read_about(content, "organic_results_state").casefold():
        return ""
    return f"altered: {_read_about(content, 'spelling_fix') or 'the spelling'}"


def _left_out(content: Mapping[str, Json]) -> str:
    """Return the blocks of the page that are not read, apart from those about the search itself."""
    read = {"organic_results", "knowledge_graph", "ads", "answer_box", "ai_overview"}
    about = {"search_metadata", "search_parameters", "search_information", "error"}
    pages = {"pagination", "serpapi_pagination"}
    blocks = [key for key, value in content.items() if isinstance(value, list | dict) and value]
    unread = sorted(_search.plain_text(key) for key in set(blocks) - read - about - pages)
    return f"not read: {', '.join(unread)}" if unread else ""


# --- reading ------------------------------------------------------------------------------------


def _read_lists(panel: Mapping[str, Json]) -> list[_google_lists.List]:
    """Every list of objects that lead to searches, under whatever key."""
    lists = []
    for key, value in panel.items():
        if not isinstance(value, list) or key.endswith(_NO_FACT_ENDS):
            continue
        rows = [row if isinstance(row, dict) else {} for row in value]
        leading = [_google_lists.is_search(_search.text_of(row, "link")) for row in rows]
        if 2 * sum(leading) > len(rows):
            lists.append(_google_lists.List(_search.plain_text(key), tuple(map(_read_tile, rows))))
    return lists


def _read_tile(row: Mapping[str, Json]) -> ShownItem:
    link = _search.text_of(row, "link")
    name = _search.text_of(row, "name") or _search.text_of(row, "title")
    entity = _google_lists.entity_id(link, row.get("kgmid"))
    return ShownItem(Block.CAROUSEL, name, link, _join_texts(row.get("extensions")), entity)


def _join_texts(value: Json) -> str:
    """Return a text, or the texts of a list, in one line."""
    values = value if isinstance(value, list) else [value]
    return " · ".join(text for element in values if (text := _search.clean_text(element)))


def _panel_facts(panel: Mapping[str, Json]) -> Iterator[ShownItem]:
    """The panel, and its facts after it."""
    yield ShownItem(
        Block.KNOWLEDGE,
        _search.text_of(panel, "title"),
        _search.text_of(panel, "website"),
        _search.text_of(panel, "type") or _search.text_of(panel, "description"),
        _google_lists.entity_id("", panel.get("kgmid")),
    )
    for key, value in panel.items():
        if key in _NO_FACTS or key.endswith(_NO_FACT_ENDS) or not isinstance(value, str):
            continue
        label = " ".join(_search.plain_text(key).replace("_", " ").split())
        yield ShownItem(Block.KNOWLEDGE, label, "", _search.text_of(panel, key))


def _answer_box(content: Mapping[str, Json]) -> Iterator[ShownItem]:
    box = content.get("answer_box")
    if not isinstance(box, dict):
        return
    texts = [_search.text_of(box, key) for key in ("answer", "result", "snippet")]
    text = next(filter(None, texts), "") or _join_texts(box.get("list"))
    yield ShownItem(Block.ANSWER, _search.text_of(box, "title"), _search.text_of(box, "link"), text)


def _overview_items(content: Mapping[str, Json]) -> Iterator[ShownItem]:
    """The AI overview; one that Google loads later and SerpApi did not hand out is loading."""
    overview = content.get("ai_overview")
    if not isinstance(overview, dict):
        return
    text = _search.text_of(overview, "error")
    failed = OverviewState.DECLINED if _DECLINED.search(text) else OverviewState.UNAVAILABLE
    state = failed if text or "page_token" not in overview else OverviewState.LOADING
    sources = _search.read_sources(_search.read_rows(overview, "references") or [], "link")
    yield _search.make_overview(_overview_lines(overview), sources, state)


def _overview_lines(part: Json, depth: int = 0) -> Iterator[str]:
    """Yield the paragraphs, headings, entries of lists and rows of tables of an overview."""
    if isinstance(part, list):
        for inner in part:
            if isinstance(inner, str):
                yield _search.clean_text(inner)
            elif depth < _DEEPEST:
                yield from _overview_lines(inner, depth + 1)
    elif isinstance(part, dict):
        title, snippet = _search.text_of(part, "title"), _search.text_of(part, "snippet")
        yield snippet if snippet.startswith(title) else f"{title} {snippet}".strip()
        for key in _PARTS:
            yield from _overview_lines(part.get(key), depth + 1)


def _read_whole(answer: Answer) -> Mapping[str, Json] | None:
    """The JSON object of an answer with the overview that came later in its place, else None."""
    documents: list[Json] = []
    text = answer.body.decode("utf-8", "replace").strip()
    try:
        while text and len(documents) <= 1:
            value, end = _DECODER.raw_decode(text)
            documents.append(value)
            text = text[end:].lstrip()
    except (ValueError, RecursionError):
        return None
    first, *later = documents or [None]
    if text or not isinstance(first, dict):
        return None
    overviews = [part.get("ai_overview") for part in later if isinstance(part, dict)]
    return {**first, "ai_overview": overviews[0]} if overviews and overviews[0] else first


ENGINE = SerpApi()
