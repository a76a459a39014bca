"""Wikipedia's own search (MediaWiki action API): a question in, articles of one language out.

https://www.mediawiki.org/wiki/API:Search. Errors come with the status 200.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlsplit

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

_LANG = "{lang}"
_PARAMETERS = (
    Parameter(
        "base_url",
        "address of a Wikipedia; {lang} in it stands for the region's language",
        default=f"https://{_LANG}.wikipedia.org",
    ),
    Parameter("count", "articles a page", int, default=20, low=1, high=500),
    Parameter("offset", "articles to skip", int, default=0, low=0, high=9_500),
)
#: Languages whose Wikipedia has another name.
_EDITIONS = {"nb": "no"}
_HOST = re.compile(r"[a-z][a-z-]*\.wikipedia\.org")
_FAULTS = {
    "maxlag": Fault.TRANSIENT,
    "readonly": Fault.TRANSIENT,
    "ratelimited": Fault.RATE,
    "blocked": Fault.BLOCKED,
    "autoblocked": Fault.BLOCKED,
    "globalblocking-blockedtext-range": Fault.BLOCKED,
    "readapidenied": Fault.AUTH,
    "permissiondenied": Fault.AUTH,
}
#: Codes of what broke over there: internal_api_error_DBQueryError, cirrussearch-too-busy-error.
_BROKEN = re.compile(r"^internal_api_error|^cirrussearch-|^search-error|timeout")
_PARTIAL = re.compile(r"\bpartial|\btimed[ -]out|\btime-?out", re.IGNORECASE)
_FORBIDDEN = 403
_POLICY = re.compile(rb"robot policy|user-agent", re.IGNORECASE)
_CONTACT = "Wikimedia refuses clients without the contact of who runs them: set MONITOR_CONTACT"
#: Characters that MediaWiki leaves as they are in addresses.
_PLAIN = "/:@$!*(),;~"


@dataclass(frozen=True, slots=True)
class Wikipedia(SearchApi):
    """The engine. Only the language of a region matters: there is one index for all countries."""

    name: str = "wikipedia"
    title: str = "Wikipedia search"
    path: str = "w/api.php"
    pace: float = 2.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        independence=_search.INDEPENDENCE,
        limits="200 requests a minute with MONITOR_CONTACT set, 10 without; 3 at a time",
        notes="of the region only the language is used; articles only (namespace 0); the API "
        "leaves a question as it is; links are those of the articles, whatever the address asked",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET /w/api.php of the Wikipedia of the region's language."""
        language = _edition_name(Region.from_probe(probes[0]).language)
        base = str(config["base_url"]).replace(_LANG, language)
        return SearchApi.request(self, probes, {**config, "base_url": base})

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query; `maxlag` asks to be turned away while the servers are behind."""
        return {
            "action": "query",
            "list": "search",
            "srsearch": text,
            "srlimit": config["count"],
            "sroffset": config["offset"],
            "srnamespace": 0,
            "srinfo": "totalhits",
            "format": "json",
            "formatversion": 2,
            "maxlag": 5,
        }

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Errors inside a success, the status, the refusal of an unknown client, half a list."""
        code, info = _read_error(answer)
        trouble = _search.answer_trouble(answer, "error", "info")
        if trouble is not None and answer.status == _FORBIDDEN and _POLICY.search(answer.body):
            return Trouble(Fault.BLOCKED, f"{trouble.words}; {_CONTACT}")
        if code:
            fault = _FAULTS.get(code, Fault.TRANSIENT if _BROKEN.search(code) else None)
            trouble = trouble or Trouble(Fault.BAD_REQUEST, f"HTTP {answer.status}: {code}: {info}")
            return replace(trouble, fault=fault or trouble.fault)
        if trouble is not None:
            return trouble
        if drift := self.drift(answer):
            return drift
        warning = _read_warnings(answer)
        return Trouble(Fault.TRANSIENT, warning) if _PARTIAL.search(warning) else None

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read the titles in their order, each with the address of its article."""
        rows = _search.read_rows(_http.read_json(answer), "query", "search")
        if rows is None:
            return None
        total = _http.value_at(_http.read_json(answer), "query", "searchinfo", "totalhits")
        if not rows and isinstance(total, int) and total:
            detail = f"{total} articles found and none listed"
            return _search.unreadable_reading(detail, Reason.SUSPECT_EMPTY)
        host = _article_host(answer, probe) if probe else ""
        articles = []
        for row in rows:
            title = _search.text_of(row, "title")
            url = f"https://{host}/wiki/{quote(title.replace(' ', '_'), safe=_PLAIN)}"
            text = _search.plain_text(row.get("snippet"))
            articles.append(ShownItem(Block.ORGANIC, title, url, text))
        return _search.make_reading(articles, _read_warnings(answer))


def _edition_name(language: str) -> str:
    code = primary(language)
    return _EDITIONS.get(code, code)


def _article_host(answer: Answer, probe: Probe) -> str:
    """Return the Wikipedia of the articles: the one that was asked, or that a mirror stands for."""
    try:
        host = urlsplit(answer.url).hostname or ""
    except ValueError:
        host = ""
    if _HOST.fullmatch(host):
        return host
    language = dict(probe.parameters).get("language", probe.source_lang)
    return f"{_edition_name(language)}.wikipedia.org"


def _read_error(answer: Answer) -> tuple[str, str]:
    """Return (code, words) of an error."""
    row = _search.read_error(answer)
    words = _search.text_of(row, "info") or _search.text_of(row, "text")
    return _search.text_of(row, "code"), words


def _read_warnings(answer: Answer) -> str:
    """Return the warnings of the API, module by module."""
    rows = _http.object_at(_http.read_json(answer), "warnings").values()
    texts = [_search.text_of(row, "warnings") for row in rows if isinstance(row, dict)]
    return "; ".join(text for text in texts if text)


ENGINE = Wikipedia()
