"""Brave Search API: an index of its own; a question in, its web results and infobox out.

https://api-dashboard.search.brave.com/app/documentation/web-search/get-started
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from monitor.engines import _http, _search
from monitor.engines._search import SearchApi, ShownItem
from monitor.model import (
    Answer,
    Block,
    Fault,
    Json,
    Needs,
    Parameter,
    Probe,
    Reading,
    Region,
    Trouble,
)

_KEY = "BRAVE_API_KEY"

_PARAMETERS = (
    _http.base_url("https://api.search.brave.com"),
    _http.key_name(_KEY),
    Parameter("count", "results a page", int, default=20, low=1, high=20),
    Parameter("offset", "pages to skip, not results", int, default=0, low=0, high=9),
    Parameter(
        "safesearch",
        "filter for adult content; moderate is what people get unasked",
        default="moderate",
        choices=("off", "moderate", "strict"),
    ),
    Parameter("spellcheck", "whether Brave may rewrite the question", bool, default=False),
    Parameter("freshness", "only pages found since: pd, pw, pm, py or 2026-01-01to2026-06-30"),
    Parameter("country", "instead of the region's, where Brave has none of it: ALL or a code"),
    Parameter("search_lang", "instead of the region's language: a code of Brave's own, as jp"),
    Parameter("api_version", "YYYY-MM-DD; the newest if left out"),
)
#: Languages that Brave calls otherwise; of those with a script or country the locale decides.
_LANGUAGES = {
    "ja": "jp",
    "no": "nb",
    "pt": "pt-pt",
    "pt-br": "pt-br",
    "zh": "zh-hans",
    "zh-tw": "zh-hant",
    "zh-hk": "zh-hant",
    "en-gb": "en-gb",
}
_FAULTS = {
    "SUBSCRIPTION_TOKEN_INVALID": Fault.AUTH,
    "SUBSCRIPTION_NOT_FOUND": Fault.AUTH,
    "RESOURCE_NOT_ALLOWED": Fault.AUTH,
    "OPTION_NOT_IN_PLAN": Fault.AUTH,
    "RATE_LIMITED": Fault.RATE,
    "QUOTA_LIMITED": Fault.QUOTA,
}
#: Where a VALIDATION error says it is, when it is about the region.
_OF_REGION = ("country", "search_lang", "ui_lang")
_KEY_HEADER = "x-subscription-token"
#: Digits of the seconds of a month; what is longer is no window.
_MOST_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Brave(SearchApi):
    """The engine. The order is that of the page (`mixed`), not that of Brave's lists."""

    name: str = "brave"
    title: str = "Brave Search"
    path: str = "res/v1/web/search"
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        secrets=(_KEY,),
        independence=_search.INDEPENDENCE,
        price="5 US dollars per 1,000 requests, no free plan (2026); a card is required",
        limits="50 requests a second and what the plan allows a month; questions of up to 400 "
        "characters and 50 words; 10 pages of 20 results",
        notes="cached answers are the default, so that no-cache is always asked for, which Brave "
        "honours as well as it can; the User-Agent can change results; the region's coordinates "
        "and time zone are sent; a question that Brave rewrote is named in the reading's detail; "
        "videos, news and discussions are not read; "
        'not every country is offered: set country = "ALL" for the others',
    )

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query of /res/v1/web/search."""
        return {
            "q": text,
            "country": config.get("country") or region.country,
            "search_lang": config.get("search_lang") or _search_lang(region),
            "ui_lang": region.locale,
            "count": config["count"],
            "offset": config["offset"],
            "safesearch": config["safesearch"],
            "freshness": config.get("freshness"),
            "spellcheck": config["spellcheck"],
            "text_decorations": False,
        }

    def headers(self, region: Region, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        """Return the key, the region's place and that nothing is wanted out of a cache."""
        version = config.get("api_version")
        return [
            ("X-Subscription-Token", f"secret:{config['key']}"),
            ("Cache-Control", "no-cache"),
            ("X-Loc-Lat", str(region.latitude)),
            ("X-Loc-Long", str(region.longitude)),
            ("X-Loc-Timezone", region.timezone),
            ("X-Loc-Country", region.country),
            *([("Api-Version", str(version))] if version else []),
        ]

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """The documented errors, whatever the status, and a success without a list."""
        trouble = _search.guard_trouble(answer)
        if trouble is not None:
            return trouble
        error = _search.read_error(answer)
        if error:
            return _error_trouble(answer, error)
        return _search.answer_trouble(answer) or self.drift(answer)

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read web results and the infobox in the order in which the page shows them."""
        page = _read_page(answer)
        if page is None:
            return None
        altered = _search.clean_text(_http.value_at(page, "query", "altered"))
        notes = (f"altered: {altered}" if altered else "", _left_out(page))
        results = _search.read_rows(page, "web", "results") or []
        order = _result_order(page, len(results))
        rows = (results[index] if 0 <= index < len(results) else {} for index in order)
        listed = _search.list_results(rows, "description", read=_search.plain_text)
        return _search.make_reading([*listed, *_infobox_items(page)], *notes)


def _search_lang(region: Region) -> str:
    locale, language = region.locale.lower(), region.language.lower()
    return _LANGUAGES.get(locale) or _LANGUAGES.get(language) or language


def _error_trouble(answer: Answer, error: Mapping[str, Json]) -> Trouble:
    """Return the trouble of a documented error: the key that failed, the end of a quota."""
    code = _search.text_of(error, "code")
    words = ": ".join(filter(None, (code, _search.text_of(error, "detail"))))
    trouble = _http.by_status(answer, words) or Trouble(Fault.TRANSIENT, words)
    trouble = replace(trouble, fault=_FAULTS.get(code, trouble.fault))
    if trouble.fault is Fault.QUOTA:
        return replace(trouble, until=_new_window(answer))
    if code == "VALIDATION":
        locations = [
            str(row.get("loc")).lower() for row in _search.read_rows(error, "meta", "errors") or []
        ]
        if any(_KEY_HEADER in location for location in locations):
            return replace(trouble, fault=Fault.AUTH)
        if any(name in location for location in locations for name in _OF_REGION):
            return Trouble(Fault.UNSUPPORTED, f"{trouble.words}: {'; '.join(locations)}")
    return trouble


def _new_window(answer: Answer) -> datetime | None:
    """Return when the longest window ends: `X-RateLimit-Reset: 1, 1419704` are seconds of each."""
    headers = {name.lower(): text for name, text in answer.headers}
    seconds = headers.get("x-ratelimit-reset", "").split(",")[-1].strip()
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= _MOST_DIGITS):
        return None
    return answer.asked_at + timedelta(seconds=answer.took + int(seconds))


def _read_page(answer: Answer) -> Mapping[str, Json] | None:
    """The JSON of an answer that says what there is, else None.

    Without any web result the list is left out: then only the page's order says that there is none.
    """
    content = _http.read_object(answer)
    if not isinstance(content.get("query"), dict):
        return None
    listed = _search.read_rows(content, "web", "results")
    placed = _search.read_rows(content, "mixed", "main")
    if listed is None and ("web" in content or placed is None):
        return None
    return content


def _page_rows(shown: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Return what the page shows above, in and beside the main column."""
    return [
        row
        for part in ("top", "main", "side")
        for row in _search.read_rows(shown, "mixed", part) or []
    ]


def _result_order(shown: Mapping[str, Json], n: int) -> list[int]:
    """Return the places of web results in the order of the page, else as they are listed."""
    order: dict[int, None] = {}
    everything = False
    for row in _page_rows(shown):
        if row.get("type") != "web":
            continue
        index = row.get("index")
        if row.get("all") is True and not everything:
            order |= dict.fromkeys(range(n))
            everything = True
        elif isinstance(index, int) and not isinstance(index, bool):
            order[index] = None
    return list(order) or list(range(n))


def _left_out(shown: Mapping[str, Json]) -> str:
    """Return what the page shows beside the blocks that are read, and what it hides."""
    kinds = {row.get("type") for row in _page_rows(shown)} - {"web", "infobox"}
    n = len(_search.read_rows(shown, "web", "results") or [])
    hidden = n - len({index for index in _result_order(shown, n) if 0 <= index < n})
    notes = (
        [f"not read: {', '.join(sorted(k for k in kinds if isinstance(k, str)))}"] if kinds else []
    )
    notes += [f"{hidden} results not on the page"] if hidden else []
    return "; ".join(notes)


def _infobox_items(shown: Mapping[str, Json]) -> Iterator[ShownItem]:
    """The panel, and its facts after it."""
    for row in _search.read_rows(shown, "infobox", "results") or []:
        title = _search.plain_text(row.get("title")) or _search.plain_text(row.get("label"))
        text = _search.plain_text(row.get("long_desc")) or _search.plain_text(
            row.get("description")
        )
        url = _search.text_of(row, "url") or _search.text_of(row, "website_url")
        yield ShownItem(
            Block.KNOWLEDGE, title, url, text or _search.plain_text(row.get("category"))
        )
        for pair in _http.list_at(row, "attributes") or []:
            if isinstance(pair, list) and len(pair) == len(("name", "value")):
                yield ShownItem(
                    Block.KNOWLEDGE, _search.plain_text(pair[0]), "", _search.plain_text(pair[1])
                )


ENGINE = Brave()
