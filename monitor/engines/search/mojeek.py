"""Mojeek Search API: an index of its own; a question in, its web results out.

https://www.mojeek.com/support/api/search/. The key goes in the address: the fetcher puts it there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _http, _search
from monitor.engines._search import SearchApi, ShownItem
from monitor.model import (
    Answer,
    Block,
    Fault,
    HttpRequest,
    Json,
    Needs,
    Parameter,
    Probe,
    Reading,
    Reason,
    Region,
    Trouble,
    primary,
)

_KEY = "MOJEEK_API_KEY"
_SINCE = "day, month, year or YYYYMMDD"

_PARAMETERS = (
    _http.base_url("https://api.mojeek.com"),
    _http.key_name(_KEY),
    Parameter("count", "results a page", int, default=10, low=1, high=100),
    Parameter("start", "the first result to show, counted from 1", int, default=1, low=1),
    Parameter("safe", "filter for adult content", bool, default=False),
    Parameter(
        "language_boost", "how much the region's language is preferred", int, low=1, high=100
    ),
    Parameter("region_boost", "how much the region's country is preferred", int, low=1, high=100),
    Parameter("since", f"only pages since: {_SINCE}"),
    Parameter("before", f"only pages before: {_SINCE}"),
)
#: What an error that comes with the status 200 is about, by its words.
_SAID = (
    (re.compile(r"too many|\brate\b|slow down", re.IGNORECASE), Fault.RATE),
    (re.compile(r"limit|quota|credit", re.IGNORECASE), Fault.QUOTA),
    (re.compile(r"\bkey\b|authori[sz]|access|denied|\bIP\b", re.IGNORECASE), Fault.AUTH),
    (re.compile(r"query|parameter|invalid|missing", re.IGNORECASE), Fault.BAD_REQUEST),
)


@dataclass(frozen=True, slots=True)
class Mojeek(SearchApi):
    """The engine. Results count from 1; 0 is answered with a rate limit."""

    name: str = "mojeek"
    title: str = "Mojeek"
    pace: float = 0.5
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        secrets=(_KEY,),
        independence=_search.INDEPENDENCE,
        price="by plan, on Mojeek's page of prices",
        limits="a number of requests a day, by plan",
        notes="language and country of the region are preferences and filter nothing; how strong "
        "they are is Mojeek's choice unless the boosts are set; the key goes in the address and "
        "is kept as its name; the words of errors are not documented but for the daily limit",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET /search as JSON."""
        [probe] = probes
        region = Region.from_probe(probe)
        query: dict[str, Json] = {
            "q": probe.text,
            "fmt": "json",
            "t": config["count"],
            "s": config["start"],
            "safe": int(bool(config["safe"])),
            "lb": primary(region.language),
            "lbb": config.get("language_boost"),
            "rb": region.country,
            "rbb": config.get("region_boost"),
            "since": config.get("since"),
            "before": config.get("before"),
        }
        url = _http.join_path(config["base_url"], "search")
        return _search.make_get(url, query, query_secrets=[("api_key", str(config["key"]))])

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """The status, and the one that a success carries inside."""
        trouble = _search.answer_trouble(answer, "response", "status")
        if trouble is not None:
            return trouble
        text = _search.text_of(_read_response(answer), "status")
        if text and text != "OK":
            fault = next((fault for pattern, fault in _SAID if pattern.search(text)), None)
            return Trouble(fault or Fault.TRANSIENT, text)
        return self.drift(answer)

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read `response.results` in their order, where the status is OK."""
        response = _read_response(answer)
        if response.get("status") != "OK":
            return None
        head = response.get("head")
        total = head.get("results") if isinstance(head, dict) else None
        rows = _search.read_rows(response, "results")
        if rows is None and ("results" in response or total != 0):
            return None
        if not rows and total:
            detail = f"{total} results found and none listed"
            return _search.unreadable_reading(detail, Reason.SUSPECT_EMPTY)
        return _search.make_reading(_organic_results(rows or []))


def _read_response(answer: Answer) -> Mapping[str, Json]:
    response = (_search.read_content(answer) or {}).get("response")
    return response if isinstance(response, dict) else {}


def _organic_results(rows: Sequence[Mapping[str, Json]]) -> Iterator[ShownItem]:
    for row in rows:
        title, text = _search.plain_text(row.get("title")), _search.plain_text(row.get("desc"))
        yield ShownItem(Block.ORGANIC, title, _search.text_of(row, "url"), text)


ENGINE = Mojeek()
