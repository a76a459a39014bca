"""Mojeek Search API: an index of its own; a question in, its web results out.

https://www.mojeek.com/support/api/search/. The key goes in the address: the fetcher puts it there.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _http, _search
from monitor.engines._search import SearchApi
from monitor.model import (
    Answer,
    Fault,
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
    path: str = "search"
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

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query of /search as JSON."""
        return {
            "q": text,
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

    def query_secrets(self, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        return [("api_key", str(config["key"]))]

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
        total = _http.value_at(response, "head", "results")
        rows = _search.read_rows(response, "results")
        if rows is None and ("results" in response or total != 0):
            return None
        if not rows and total:
            detail = f"{total} results found and none listed"
            return _search.unreadable_reading(detail, Reason.SUSPECT_EMPTY)
        results = _search.list_results(rows or [], "desc", read=_search.plain_text)
        return _search.make_reading(results)


def _read_response(answer: Answer) -> Mapping[str, Json]:
    return _http.object_at(_http.read_json(answer), "response")


ENGINE = Mojeek()
