"""Marginalia Search: an index of small, text-heavy sites; a question in, its web results out.

https://about.marginalia-search.com/article/api/
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
    Region,
    Trouble,
)

_PUBLIC = "public"

_PARAMETERS = (
    _http.base_url("https://api2.marginalia-search.com"),
    Parameter(
        "key",
        "environment variable that holds the key; if left out, the public one that all share",
        place=True,
        variable=True,
    ),
    Parameter("count", "results a page", int, default=20, low=1, high=100),
    Parameter("page", "page of the list", int, default=1, low=1),
    Parameter("nsfw", "whether extreme results are reduced (an experiment)", bool, default=False),
    Parameter(
        "timeout",
        "milliseconds a search may take; a shorter one finds less",
        int,
        default=250,
        low=50,
        high=250,
    ),
    Parameter(
        "dc", "most results of one domain; the service's choice if left out", int, low=1, high=100
    ),
    Parameter("filter", "name of a filter that was set up for the key"),
)
_OVERLOADED = 503
_SHARED = "the public key is shared and usually exhausted: ask for a key by e-mail and set `key`"


@dataclass(frozen=True, slots=True)
class Marginalia(SearchApi):
    """The engine. It knows no regions: every one gets the same list."""

    name: str = "marginalia"
    title: str = "Marginalia Search"
    path: str = "search"
    pace: float = 0.2
    parameters: tuple[Parameter, ...] = _PARAMETERS
    words_at: tuple[str, ...] = ("message",)
    needs: Needs = Needs(
        independence=_search.INDEPENDENCE,
        price="none for non-commercial use",
        limits="a rate by key, which is not published; over it the answer is 503; " + _SHARED,
        notes="results are under CC BY-NC-SA 4.0; regions and languages are not distinguished; a "
        "search ends after `timeout`, so that lists of the same minute can differ; a key is sent "
        "only where `key` names a variable",
    )

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query of /search."""
        return {
            "query": text,
            "count": config["count"],
            "page": config["page"],
            "nsfw": int(bool(config["nsfw"])),
            "timeout": config["timeout"],
            "dc": config.get("dc"),
            "filter": config.get("filter"),
        }

    def headers(self, region: Region, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        return [("API-Key", f"secret:{config['key']}" if config.get("key") else _PUBLIC)]

    def refined(self, found: Trouble, answer: Answer, config: Mapping[str, Json]) -> Trouble:
        """503 is the rate limit."""
        if answer.status != _OVERLOADED or found.fault is Fault.BLOCKED:
            return found
        hint = "" if config.get("key") else f"; {_SHARED}"
        return replace(found, fault=Fault.RATE, words=f"{found.words}{hint}")

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read `results` in their order."""
        rows = _search.read_rows(_http.read_json(answer), "results")
        if rows is None:
            return None
        results = _search.list_results(rows, "description", read=_search.plain_text)
        return _search.make_reading(results)


ENGINE = Marginalia()
