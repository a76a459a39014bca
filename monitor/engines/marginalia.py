"""Marginalia Search: an index of small, text-heavy sites; a question in, its web results out.

https://about.marginalia-search.com/article/api/
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from monitor import parameters
from monitor.engines import _http, _search
from monitor.engines._search import Found
from monitor.model import (
    Answer,
    Block,
    Fault,
    HttpRequest,
    Json,
    Kind,
    Needs,
    Parameter,
    Probe,
    Reading,
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
class Marginalia:
    """The engine. It knows no regions: every one gets the same list."""

    name: str = "marginalia"
    title: str = "Marginalia Search"
    version: int = 1
    kind: Kind = Kind.SEARCH
    surface: str = "api"
    extra: str = ""
    batch: int = 1
    pace: float = 0.2
    in_flight: int = 1
    repeats: int = 1
    price: float = 0.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = ""
    needs: Needs = Needs(
        independence=_search.INDEPENDENCE,
        price="none for non-commercial use",
        limits="a rate by key, which is not published; over it the answer is 503; " + _SHARED,
        notes="results are under CC BY-NC-SA 4.0; regions and languages are not distinguished; a "
        "search ends after `timeout`, so that lists of the same minute can differ; a key is sent "
        "only where `key` names a variable",
    )

    def check(self, source_lang: str, region_name: str, config: Mapping[str, Json]) -> str:  # noqa: ARG002
        """Refuse what the config cannot be."""
        return _search.checked(self.parameters, config, secret="key" in config)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET /search with the key in a header."""
        [probe] = probes
        config = parameters.completed(self.parameters, config)
        query: dict[str, Json] = {
            "query": probe.text,
            "count": config["count"],
            "page": config["page"],
            "nsfw": int(bool(config["nsfw"])),
            "timeout": config["timeout"],
            "dc": config.get("dc"),
            "filter": config.get("filter"),
        }
        key = f"secret:{config['key']}" if config.get("key") else _PUBLIC
        return _search.get(_http.under(config["base_url"], "search"), query, [("API-Key", key)])

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """The status, of which 503 is the rate limit, and a success without a list."""
        found = _search.trouble(answer, "message")
        if found is not None:
            if answer.status != _OVERLOADED or found.fault is Fault.BLOCKED:
                return found
            hint = "" if config.get("key") else f"; {_SHARED}"
            return replace(found, fault=Fault.RATE, words=f"{found.words}{hint}")
        if _rows(answer) is None:
            return Trouble(Fault.DRIFT, f"no results in it: {_search.words(answer)}")
        return None

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """An answer does not say which version of the index gave it."""
        return ()

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read `results` in their order."""
        rows = _rows(answer)
        if rows is None:
            return _search.each(probes, _search.unreadable("no results in it"))
        return _search.each(probes, _search.reading(_organic(rows)))


def _rows(answer: Answer) -> list[Mapping[str, Json]] | None:
    return _search.rows(_search.content(answer), "results")


def _organic(rows: Sequence[Mapping[str, Json]]) -> Iterator[Found]:
    for row in rows:
        title, text = _search.plain(row.get("title")), _search.plain(row.get("description"))
        yield Found(Block.ORGANIC, title, _search.text_of(row, "url"), text)


ENGINE = Marginalia()
