"""SearXNG: a server of one's own that asks other search engines; a question in, its list out.

https://docs.searxng.org/dev/search_api.html. Which engines it asks is part of what is audited, and
so is the address. An engine that failed is missing data, although the answer is a success.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

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
    Reason,
    Region,
    Trouble,
)

_PARAMETERS = (
    _http.base_url(),
    Parameter("engines", "whom to ask, by their names in settings.yml: google,mojeek"),
    Parameter("categories", "whom to ask where no engines are named; general if left out"),
    Parameter("pageno", "page of the list", int, default=1, low=1),
    Parameter("safesearch", "0 none, 1 moderate, 2 strict", int, default=0, low=0, high=2),
    Parameter("time_range", "only pages of that time", choices=("day", "week", "month", "year")),
    Parameter("timeout_limit", "seconds that engines may take", float, low=0.1, high=60),
)
#: What failed engines are said to have met, in English because that is asked for.
#: https://github.com/searxng/searxng/blob/master/searx/webapp.py, exception_classname_to_text
_BLOCKED = re.compile(r"captcha|access denied|cloudflare", re.IGNORECASE)
_RATE = re.compile(r"too many requests", re.IGNORECASE)
_ENTITY = re.compile(r"https?://www\.wikidata\.org/(?:wiki|entity)/(Q[1-9]\d*)", re.ASCII)
_FORBIDDEN, _TOO_MANY = 403, 429
_NO_JSON = "list json under search: formats: in settings.yml of the server, and restart it"
_LIMITER = (
    "with limiter: true JSON is limited to 4 requests an hour: set limiter: false under server: in "
    "settings.yml of a server of your own"
)


@dataclass(frozen=True, slots=True)
class SearXNG(SearchApi):
    """The engine. What its own engines could not answer is never read as nothing found."""

    name: str = "searxng"
    title: str = "SearXNG"
    path: str = "search"
    pace: float = 0.5
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "engines"
    needs: Needs = Needs(
        independence=_search.INDEPENDENCE + " that the server would pass on",
        price="none on a server of one's own",
        limits="what the engines behind it allow an address: they suspend it for minutes to days; "
        "public servers refuse programs as a rule",
        notes="the server has to list json under search.formats, and its limiter has to be off; "
        "engines that failed are named in the reading's detail, and an answer without one that "
        "`engines` names is no answer; the order mixes the ranks of several engines, so that a "
        "list of one engine is asked for with `engines`; of the region only the locale is used",
    )

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query of /search as JSON; categories beside engines would add theirs."""
        engines = config.get("engines")
        return {
            "q": text,
            "format": "json",
            "language": region.locale,
            "engines": engines,
            "categories": None if engines else config.get("categories") or "general",
            "pageno": config["pageno"],
            "safesearch": config["safesearch"],
            "time_range": config.get("time_range"),
            "timeout_limit": config.get("timeout_limit"),
        }

    def headers(self, region: Region, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        return (("Accept-Language", "en"),)

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return errors with their remedies; of a success the faults of the engines behind it."""
        trouble = _search.answer_trouble(answer, "error")
        if trouble is not None:
            return _with_remedy(trouble, answer)
        content = _http.read_object(answer)
        results, failed = _search.read_rows(content, "results"), _failed_engines(content)
        if results is None or failed is None:
            return Trouble(Fault.DRIFT, f"no results in it: {_search.service_words(answer)}")
        if failed and not results:
            return Trouble(_choose_fault(failed), f"no engine answered: {_name_failures(failed)}")
        asked_names = _split_names(config.get("engines"))
        if lost := _describe_lost(failed, asked_names):
            return Trouble(Fault.DRIFT, lost)
        unasked = _describe_unasked(results, asked_names)
        return Trouble(Fault.UNSUPPORTED, unasked) if unasked else None

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read results, infoboxes and answers in the order in which they are listed."""
        content = _http.read_object(answer)
        results, failed = _search.read_rows(content, "results"), _failed_engines(content)
        if results is None or failed is None:
            return None
        if failed and not results:
            detail = f"no engine answered: {_name_failures(failed)}"
            return _search.unreadable_reading(detail, Reason.SUSPECT_EMPTY)
        engines = _asked_engines(answer)
        if difference := _describe_lost(failed, engines) or _describe_unasked(results, engines):
            return _search.unreadable_reading(difference, Reason.SHORT)
        items = [
            *_search.list_results(results, "content"),
            *_infobox_items(content),
            *_answer_items(content),
        ]
        return _search.make_reading(items, f"failed: {_name_failures(failed)}" if failed else "")


def _failed_engines(content: Json) -> list[tuple[str, str]] | None:
    """Return (engine, fault) of the engines that failed; None where the answer lacks them."""
    unresponsive = _http.list_at(content, "unresponsive_engines")
    if unresponsive is None:
        return None
    rows = [row if isinstance(row, list) and row else [row] for row in unresponsive]
    return [(str(row[0]), ": ".join(str(part) for part in row[1:])) for row in rows]


def _name_failures(failed: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{engine} ({words})" if words else engine for engine, words in failed)


def _choose_fault(failed: Sequence[tuple[str, str]]) -> Fault:
    """Return the fault that passes soonest: a time-out, then a rate, then a block."""
    if all(_BLOCKED.search(words) for _, words in failed):
        return Fault.BLOCKED
    if all(_BLOCKED.search(words) or _RATE.search(words) for _, words in failed):
        return Fault.RATE
    return Fault.TRANSIENT


def _with_remedy(found: Trouble, answer: Answer) -> Trouble:
    if found.fault is Fault.BLOCKED:
        return found
    remedy = {_FORBIDDEN: _NO_JSON, _TOO_MANY: _LIMITER}.get(answer.status or 0)
    return replace(found, words=f"{found.words}; {remedy}") if remedy else found


def _split_names(engines: Json) -> set[str]:
    """The engines of a list with commas; empty where the server chooses them."""
    words = engines.split(",") if isinstance(engines, str) else []
    return {name.strip().casefold() for name in words} - {""}


def _asked_engines(answer: Answer) -> set[str]:
    """The engines that an answer was to be of, out of the address that was asked."""
    try:
        query = parse_qs(urlsplit(answer.url).query)
    except ValueError:
        return set()
    return _split_names(",".join(query.get("engines", [])))


def _describe_lost(failed: Sequence[tuple[str, str]], names: set[str]) -> str:
    """Return a note about a list without an engine that was asked for by name."""
    lost = [engine for engine in failed if engine[0].casefold() in names]
    return f"not the list that was asked for: {_name_failures(lost)}" if lost else ""


def _describe_unasked(results: Sequence[Mapping[str, Json]], asked: set[str]) -> str:
    """Return a note about a list with engines that were not asked.

    A name that the server does not know is dropped silently, and others are asked instead.
    """
    names = (name for row in results for name in _http.list_at(row, "engines") or [])
    others = {name.casefold() for name in names if isinstance(name, str)} - asked
    if not asked or not others:
        return ""
    who = f"{', '.join(sorted(others))} answered instead of {', '.join(sorted(asked))}"
    return f"{who}: the names are those in settings.yml of the server"


def _infobox_items(content: Mapping[str, Json]) -> Iterator[ShownItem]:
    """Each panel, and its facts after it."""
    for row in _search.read_rows(content, "infoboxes") or []:
        entity = _ENTITY.fullmatch(_search.text_of(row, "id"))
        links = _search.read_rows(row, "urls") or [{}]
        yield ShownItem(
            Block.KNOWLEDGE,
            _search.text_of(row, "infobox"),
            _search.text_of(links[0], "url") if links else "",
            _search.text_of(row, "content"),
            entity[1] if entity else "",
        )
        for fact in _search.read_rows(row, "attributes") or []:
            label, value = _search.text_of(fact, "label"), _search.text_of(fact, "value")
            yield ShownItem(Block.KNOWLEDGE, label, "", value)


def _answer_items(content: Mapping[str, Json]) -> Iterator[ShownItem]:
    """Yield instant answers: objects since 2025, texts before."""
    for answer in _http.list_at(content, "answers") or []:
        row = answer if isinstance(answer, dict) else {"answer": answer}
        yield ShownItem(
            Block.ANSWER, "", _search.text_of(row, "url"), _search.text_of(row, "answer")
        )


ENGINE = SearXNG()
