"""Google's Custom Search JSON API: legacy; a question in, the web results of an engine out.

Closed to new customers, and it ends on 2027-01-01. Its ranking is not that of google.com, and it
has neither carousels nor panels. https://developers.google.com/custom-search/v1/overview
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

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
    Reason,
    Region,
    Trouble,
)

_KEY = "GOOGLE_API_KEY"
#: Stands in everything that this engine says of itself and of what went wrong.
_ENDING = "Custom Search JSON API is closed to new customers and ends on 2027-01-01"

_PARAMETERS = (
    _http.base_url("https://customsearch.googleapis.com"),
    _http.key_name(_KEY),
    Parameter("cx", "id of the Programmable Search Engine that is asked", required=True),
    Parameter("num", "results a page", int, default=10, low=1, high=10),
    Parameter("start", "the first result to show, counted from 1", int, default=1, low=1, high=91),
    Parameter("safe", "filter of explicit results", default="off", choices=("off", "active")),
    Parameter("omit_similar", "whether Google may leave out similar results", bool, default=False),
    Parameter("lr", "only pages in a language: lang_de"),
    Parameter("cr", "only pages of a country: countryDE"),
    Parameter("hl", "instead of the region's language: a code of Google's own, as zh-TW"),
    Parameter("gl", "instead of the region's country: a code of Google's own, as uk"),
)
_KIND = "customsearch#search"
#: Quotas of a day begin anew at midnight there.
_PACIFIC = ZoneInfo("America/Los_Angeles")
_KEY_REASONS = frozenset({"keyInvalid", "API_KEY_INVALID", "accessNotConfigured", "keyExpired"})
_DAY_REASONS = frozenset({"dailyLimitExceeded", "quotaExceeded"})
_RATE_REASONS = frozenset({"userRateLimitExceeded", "rateLimitExceeded", "RATE_LIMIT_EXCEEDED"})
_PER_DAY = re.compile(r"\bper ?day\b|\bdaily\b", re.IGNORECASE)
_BAD_KEY = re.compile(r"\bAPI key (?:not valid|expired|not found)\b", re.IGNORECASE)
_TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class GoogleCse:
    """The engine. One that searches the entire web is asked the same as one of a few sites."""

    name: str = "google_cse"
    title: str = "Google Programmable Search (legacy: closed to new customers, ends 2027-01-01)"
    version: int = 1
    kind: Kind = Kind.SEARCH
    surface: str = "api"
    extra: str = ""
    batch: int = 1
    pace: float = 1.0
    in_flight: int = 1
    repeats: int = 1
    price: float = 0.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "cx"
    needs: Needs = Needs(
        secrets=(_KEY,),
        independence=_search.INDEPENDENCE,
        price="100 questions a day are free, then 5 US dollars per 1,000, 10,000 a day at most",
        limits="100 questions a day unless billing is on; the first 100 results of a question",
        notes=f"{_ENDING}: start no new series with it. What an engine searches is set in Google's "
        "control panel and cannot be seen here; the ranking is not that of google.com, and there "
        "are no carousels, panels or AI overviews; promotions are not read",
    )

    def check(self, source_lang: str, region_name: str, config: Mapping[str, Json]) -> str:  # noqa: ARG002
        """Refuse what the config cannot be."""
        found = _search.checked(self.parameters, config)
        return f"{found} ({_ENDING})" if found else ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET /customsearch/v1 with language and country of the region."""
        [probe] = probes
        config = parameters.completed(self.parameters, config)
        region = Region.of(probe)
        query: dict[str, Json] = {
            "cx": config["cx"],
            "q": probe.text,
            "num": config["num"],
            "start": config["start"],
            "hl": config.get("hl") or region.language,
            "gl": config.get("gl") or region.country.lower(),
            "lr": config.get("lr"),
            "cr": config.get("cr"),
            "safe": config["safe"],
            "filter": int(bool(config["omit_similar"])),
        }
        url = _http.under(config["base_url"], "customsearch/v1")
        return _search.get(url, query, query_secrets=[("key", str(config["key"]))])

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:  # noqa: ARG002
        """The documented errors, and a success that is no list."""
        found = _search.trouble(answer, "error", "message")
        if found is not None:
            found = _sharpened(found, answer)
        elif _read(answer) is None:
            found = Trouble(Fault.DRIFT, f"no results in it: {_search.words(answer)}")
        return replace(found, words=f"{found.words} ({_ENDING})") if found else None

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """An answer does not say which version of the index gave it."""
        return ()

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read `items` in their order."""
        found = _read(answer)
        return _search.each(probes, found or _search.unreadable(f"no results in it ({_ENDING})"))


def _reasons(answer: Answer) -> set[str]:
    """What an error names as its reasons, in both of its shapes."""
    error = (_search.content(answer) or {}).get("error")
    rows = [*(_search.rows(error, "errors") or []), *(_search.rows(error, "details") or [])]
    return {_search.text_of(row, "reason") for row in rows}


def _sharpened(found: Trouble, answer: Answer) -> Trouble:
    """A status with what its reasons add; 403 and 429 can mean a day's quota."""
    reasons = _reasons(answer)
    if reasons & _KEY_REASONS or _BAD_KEY.search(found.words):
        return replace(found, fault=Fault.AUTH)
    limited = answer.status == _TOO_MANY or bool(reasons & (_RATE_REASONS | _DAY_REASONS))
    if not limited:
        return found
    if reasons & _DAY_REASONS or _PER_DAY.search(found.words):
        return replace(found, fault=Fault.QUOTA, until=_next_day(answer.asked_at))
    return replace(found, fault=Fault.RATE)


def _next_day(at: datetime) -> datetime:
    """When the next day begins where Google counts days."""
    day = at.astimezone(_PACIFIC).date() + timedelta(days=1)
    return datetime.combine(day, time(), _PACIFIC)


def _read(answer: Answer) -> Reading | None:
    """The reading of an answer that is a list of results; None for any other."""
    content = _search.content(answer)
    if content is None or content.get("kind") != _KIND:
        return None
    about = content.get("searchInformation")
    total = _search.text_of(about, "totalResults") if isinstance(about, dict) else ""
    if "items" in content:
        rows = _search.rows(content, "items")
        return _search.reading(_organic(rows)) if rows else None
    if total == "0":
        return _search.reading(())
    suspect = f"{total} results found and none listed"
    return _search.unreadable(suspect, Reason.SUSPECT_EMPTY) if total else None


def _organic(rows: Sequence[Mapping[str, Json]]) -> Iterator[Found]:
    for row in rows:
        title, text = _search.text_of(row, "title"), _search.text_of(row, "snippet")
        yield Found(Block.ORGANIC, title, _search.text_of(row, "link"), text)


ENGINE = GoogleCse()
