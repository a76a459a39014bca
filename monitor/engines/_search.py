"""Base of search engines behind APIs: results as a service shows them in, readings out.

A file of an engine subclasses `SearchApi`: parameters, the request, and how an answer is read.

A list that lost results on the way is no shorter list: where fewer than half of the results of a
block can be used the reading is unreadable, and what little was left out is said in its detail.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from monitor import faults
from monitor.addresses import is_web
from monitor.engines import _http
from monitor.engines._engine import BaseEngine
from monitor.model import (
    Answer,
    Block,
    Fault,
    HttpRequest,
    Item,
    Json,
    Kind,
    Outcome,
    OverviewState,
    Probe,
    Reading,
    Reason,
    Region,
    Source,
    Trouble,
    make_storable,
)
from monitor.text.person_names import add_overview_people

#: For `Needs.independence`: nothing of one question reaches another one.
INDEPENDENCE = "one question a request, without cookies and without an account's history"
#: Blocks in which a result that is lost moves the ones after it.
_LISTS = (Block.ORGANIC, Block.CAROUSEL, Block.AD)
MOST_DETAIL = 500
_LONGEST_PAGE = 100_000

_BREAK = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[^<>]*-->")
_TITLE = re.compile(rb"<title[^<>]*>([^<]{0,300})", re.IGNORECASE)
#: What stands on the pages of guards in front of a service, beside the words that all pages share.
_GUARDS = (
    b"just a moment...",
    b"verifying your request",
    b"checking your browser",
    b"attention required! | cloudflare",
    b"anubis_challenge",
)


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One thing that a service shows, before it is known whether it can be used."""

    block: Block
    title: str
    url: str = ""
    text: str = ""
    entity: str = ""
    state: OverviewState | None = None  # of a text by a model
    sources: tuple[Source, ...] = ()

    @property
    def usable(self) -> bool:
        """A result has a title and a link, a tile its name, anything else something to read."""
        if self.block in (Block.ORGANIC, Block.AD):
            return bool(self.title) and is_web(self.url)
        if self.block is Block.CAROUSEL:
            return bool(self.title)
        return bool(self.title or self.text or self.state)


# --- asking -------------------------------------------------------------------------------------


def query_value(value: Json) -> str:
    """A value as it stands in a query: true and false in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def make_get(
    url: str,
    query: Mapping[str, Json],
    headers: Sequence[tuple[str, str]] = (),
    query_secrets: Sequence[tuple[str, str]] = (),
) -> HttpRequest:
    """A GET; what is None is left out of the query. Keys go into `query_secrets` only."""
    pairs = [(name, query_value(value)) for name, value in query.items() if value is not None]
    return HttpRequest(
        "GET",
        f"{url}?{urlencode(pairs)}",
        (("Accept", "application/json"), *headers),
        query_secrets=tuple(query_secrets),
    )


#: Codes of DuckDuckGo's regions that are not country-language.
_DUCKDUCKGO_REGIONS = {"gb-en": "uk-en"}


def duckduckgo_region(region: Region) -> str:
    """Return DuckDuckGo's code of a region: us-en."""
    code = f"{region.country.lower()}-{region.language}"
    return _DUCKDUCKGO_REGIONS.get(code, code)


# --- what went wrong ----------------------------------------------------------------------------


def service_words(answer: Answer, *path: str) -> str:
    """The service's own words: what stands at `path` in its JSON, a page's title, else the text."""
    title = _TITLE.search(answer.body[:_LONGEST_PAGE]) if faults.is_page(answer) else None
    if title and title[1].strip():
        return plain_text(title[1].decode("utf-8", "replace"))
    return _http.service_words(answer, *path)


def guard_trouble(answer: Answer) -> Trouble | None:
    """Return the trouble of a guard's page in front of the service, at any status."""
    if not faults.is_page(answer):
        return None
    fault = faults.find_page_trouble(replace(answer, status=200))
    lower = answer.body[:_LONGEST_PAGE].lower()
    if any(marker in lower for marker in _GUARDS):
        fault = Trouble(Fault.BLOCKED, f"a page of a guard: {service_words(answer)}")
    if fault is None or fault.fault is not Fault.BLOCKED:
        return None
    return replace(fault, words=f"HTTP {answer.status}: {fault.words}")


def answer_trouble(answer: Answer, *path: str) -> Trouble | None:
    """Return the trouble of any answer: a guard, a status, or a page in place of JSON."""
    return (
        guard_trouble(answer)
        or _http.by_status(answer, service_words(answer, *path))
        or faults.find_page_trouble(answer)
    )


# --- reading ------------------------------------------------------------------------------------


def read_rows(value: object, *path: str) -> list[Mapping[str, Json]] | None:
    """Return the list of objects at `path`, or None where there is no list.

    What is no object among them is an empty one: a result that cannot be used, not one fewer.
    """
    rows = _http.list_at(value, *path)
    return None if rows is None else [row if isinstance(row, dict) else {} for row in rows]


def read_error(answer: Answer) -> Mapping[str, Json]:
    """Return the error of an answer: `error`, or the first of `errors`; empty without one."""
    content = _http.read_object(answer)
    error = content.get("error")
    return error if isinstance(error, dict) else (read_rows(content, "errors") or [{}])[0]


def clean_text(value: Json) -> str:
    """A text with single blanks; empty for what is no text."""
    return make_storable(" ".join(value.split())) if isinstance(value, str) else ""


def text_of(row: Mapping[str, Json], key: str) -> str:
    """The plain text at a key with single blanks; empty where there is none."""
    return clean_text(row.get(key))


def make_overview(
    lines: Iterable[str], sources: Iterable[Source], without_text: OverviewState
) -> ShownItem:
    """Return a text by a model with its cited pages, each once; its state where it has no text."""
    text = "\n".join(filter(None, lines))
    state = OverviewState.SHOWN if text else without_text
    cited = dict.fromkeys(sources) if text else {}
    return ShownItem(Block.AI_OVERVIEW, "", "", text, state=state, sources=tuple(cited))


def read_sources(rows: Sequence[Mapping[str, Json]], url_key: str) -> list[Source]:
    """Return the cited pages of a list of references; what names no page is none."""
    cited = [Source.of_page(text_of(row, "title"), text_of(row, url_key)) for row in rows]
    return [source for source in cited if source.title or source.domain]


def plain_text(markup: Json) -> str:
    """A text without its HTML tags and entities; empty for what is no text."""
    if not isinstance(markup, str):
        return ""
    bare = _TAG.sub("", _BREAK.sub(" ", markup))
    return make_storable(" ".join(html.unescape(bare).split()))


def list_results(
    rows: Iterable[Mapping[str, Json]],
    text_key: str,
    *,
    url_key: str = "url",
    block: Block = Block.ORGANIC,
    read: Callable[[Json], str] = clean_text,
) -> Iterator[ShownItem]:
    """Yield what a list of results shows; `read` reads titles and texts, which may be markup."""
    for row in rows:
        title, text = read(row.get("title")), read(row.get(text_key))
        yield ShownItem(block, title, text_of(row, url_key), text)


def make_reading(found: Iterable[ShownItem], *notes: str) -> Reading:
    """Return all that was found, in the order in which it is shown, ranked from 1 within its block.

    None at all is EMPTY: for an answer in which the service says so, and for no other.
    """
    shown = list(found)
    detail = [note for note in notes if note]
    if not shown:
        return Reading(Outcome.EMPTY, detail=_join_notes(detail))
    short = False
    for block in dict.fromkeys(item.block for item in shown):
        usable = [item.usable for item in shown if item.block is block]
        lost = usable.count(False)
        if lost:
            detail.append(f"{lost} of {len(usable)} {block} without a title or link")
        short = short or (block in _LISTS and 2 * lost > len(usable))
    items = _rank_items(shown)
    if short or not items:
        return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=_join_notes(detail))
    return add_overview_people(Reading(Outcome.OK, items, detail=_join_notes(detail)))


def _rank_items(things: Iterable[ShownItem]) -> tuple[Item, ...]:
    ranks: dict[Block, int] = {}
    items = []
    for thing in things:
        if thing.usable:
            ranks[thing.block] = rank = ranks.get(thing.block, 0) + 1
            item = Item(rank, thing.text, thing.block, thing.url, thing.title, thing.entity)
            items.append(replace(item, state=thing.state, sources=thing.sources))
    return tuple(items)


def _join_notes(notes: Sequence[str]) -> str:
    return "; ".join(notes)[:MOST_DETAIL]


def unreadable_reading(detail: str, reason: Reason = Reason.MALFORMED) -> Reading:
    """A reading of what is no list of results."""
    return Reading(Outcome.UNREADABLE, reason=reason, detail=detail[:MOST_DETAIL])


def single_reading(probes: Sequence[Probe], one: Reading) -> list[Reading]:
    """The reading of the one question of a request; of more questions nobody knows whose it is."""
    if len(probes) == 1:
        return [one]
    return [unreadable_reading("one answer to many questions", Reason.SHORT)] * len(probes)


# --- the engine ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchApi(BaseEngine):
    """A search engine behind an API; a subclass says what it is asked and how its list is read."""

    kind: Kind = Kind.SEARCH
    #: Path of the request below the base address.
    path: str = ""
    #: Where the service's own words about an error stand in its JSON.
    words_at: tuple[str, ...] = ()

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query of the address; what is None is left out of it."""
        raise NotImplementedError

    def headers(self, region: Region, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        """Return the headers of a request."""
        return ()

    def query_secrets(self, config: Mapping[str, Json]) -> Sequence[tuple[str, str]]:
        """Return (key, variable) of what is secret in the query."""
        return ()

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET the page of one question."""
        [probe] = probes
        region = Region.from_probe(probe)
        return make_get(
            _http.join_path(config["base_url"], self.path),
            self.query(probe.text, region, config),
            self.headers(region, config),
            self.query_secrets(config),
        )

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Return the reading of an answer; None for one that has no list of results."""
        raise NotImplementedError

    def refined(self, found: Trouble, answer: Answer, config: Mapping[str, Json]) -> Trouble:
        """Return the trouble of a status with what this service means by it."""
        return found

    def drift(self, answer: Answer) -> Trouble | None:
        """Return the trouble of a success that has no list of results."""
        if self.read(answer) is not None:
            return None
        return Trouble(Fault.DRIFT, f"no results in it: {service_words(answer)}")

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the trouble of a guard's page, of a status, or of a success without a list."""
        general = answer_trouble(answer, *self.words_at)
        return self.refined(general, answer, config) if general else self.drift(answer)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Return the reading of the one question of a request."""
        return single_reading(
            probes, self.read(answer, probes[0]) or unreadable_reading("no results in it")
        )
