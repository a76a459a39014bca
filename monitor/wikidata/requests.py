"""Requests to Wikidata and their answers: queries in, requests, rows and ids out.

The queries are plain SPARQL 1.1, so that another store with the same data (QLever) answers them.
`monitor.wikidata.entities` reads the answers of the API.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from monitor import faults
from monitor.model import Answer, Fault, HttpRequest, Json, Outcome, Trouble, make_storable

#: What queries of ours begin with where they need it; every store knows these, but says so or not.
PREFIXES = (
    "PREFIX wd: <http://www.wikidata.org/entity/>\n"
    "PREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
    "PREFIX skos: <http://www.w3.org/2004/02/skos/core#>\n"
)
HUMAN = "Q5"
#: Items or titles in one request to the API.
MOST_IDS = 50
#: Hits that a search returns; of more, nobody can say that a name is unique among them.
MOST_HITS = 50
#: Longer texts are no names of people.
MOST_NAME = 200
#: The search of Wikidata refuses longer queries.
_MOST_QUERY = 300
#: Seconds that the servers' copies may lag behind before we are asked to come back later.
_MAX_LAG = "5"

_ITEM = re.compile(r"Q[1-9][0-9]{0,9}")
_ITEM_URI = re.compile(r"https?://www\.wikidata\.org/(?:entity|wiki)/(Q[1-9][0-9]{0,9})")
#: The number of an item has 31 bits.
_LARGEST = 2**31 - 1
_SITE = re.compile(r"[a-z][a-z0-9_]{0,31}wiki")
_BLANK = "_:"
_GENID = "/.well-known/genid/"
#: What means something to the search engine even inside quotation marks.
_SEARCH_SIGNS = re.compile(r'["\\*?~\x00-\x1f\x7f]+')
_LITERAL = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

_FIRST_REDIRECT, _FIRST_REFUSAL, _FIRST_TRANSIENT = 300, 400, 500
#: What Blazegraph says of a query that took longer than it allows.
_TOO_SLOW = b"java.util.concurrent.TimeoutException"
_BY_STATUS = {
    403: Fault.BLOCKED,  # a User-Agent that names nobody, or one that was banned
    408: Fault.TRANSIENT,
    429: Fault.RATE,
}
_RATE_CODES = {"maxlag", "ratelimited", "actionthrottledtext"}
_MOST_WORDS = 300


class NotReadable(Exception):
    """An answer that holds no result: an error, a time-out, or something else in its place."""


# --- SPARQL ---------------------------------------------------------------------------------------


def sparql_request(endpoint: str, query: str) -> HttpRequest:
    """A SPARQL query as a form, so that its length does not matter."""
    headers = (
        ("Accept", "application/sparql-results+json"),
        ("Content-Type", "application/x-www-form-urlencoded"),
    )
    return HttpRequest(
        "POST", endpoint, headers, urlencode({"query": query}, errors="replace").encode()
    )


def sparql_literal(text: str) -> str:
    """A text as a SPARQL literal, whatever it contains. Characters that no literal holds go."""
    return '"' + "".join(_LITERAL.get(sign, sign) for sign in _CONTROL.sub("", text)) + '"'


def item_iris(items: Iterable[str]) -> str:
    """Items for a VALUES clause: `wd:Q5 wd:Q42`. Raises ValueError for what is no item."""
    return " ".join(f"wd:{_check_item(item)}" for item in items)


def read_rows(answer: Answer) -> list[dict[str, str]]:
    """The rows of a SELECT, values as plain text; what a row does not bind is absent.

    Blank nodes begin with `_:`; `is_unknown` tells them and the names that stand for them. Raises
    NotReadable for anything but a complete result.
    """
    content = check_mapping(_read_content(answer), "a result")
    bindings = check_mapping(content.get("results"), "results").get("bindings")
    if not isinstance(bindings, list):
        raise NotReadable("no bindings in the answer")
    return [
        {name: _read_value(cell) for name, cell in check_mapping(row, "a row").items()}
        for row in bindings
    ]


def _read_value(cell: object) -> str:
    cell_mapping = check_mapping(cell, "a value")
    kind, value = cell_mapping.get("type"), cell_mapping.get("value")
    if not isinstance(value, str):
        raise NotReadable(f"a value of type {kind!r} without text")
    return make_storable(_BLANK + value if kind == "bnode" else value)


def is_unknown(value: str) -> bool:
    """Return whether a value says that there is one and nobody knows which (a blank node)."""
    return value.startswith(_BLANK) or _GENID in value


# --- the API --------------------------------------------------------------------------------------


def entities_request(api: str, ids: Sequence[str]) -> HttpRequest:
    """Claims, labels and aliases of at most 50 items. Raises ValueError."""
    if not 0 < len(ids) <= MOST_IDS:
        raise ValueError(f"{len(ids)} items; a request takes 1 to {MOST_IDS}")
    joined_ids = "|".join(_check_item(item) for item in ids)
    return _api_request(
        api, {"action": "wbgetentities", "ids": joined_ids, "props": "claims|labels|aliases"}
    )


def sitelinks_request(api: str, site: str, titles: Sequence[str]) -> HttpRequest:
    """The items of at most 50 articles of one site (`enwiki`). Raises ValueError.

    A title that is asked alone is normalised by the site itself, which follows redirects.
    """
    if not 0 < len(titles) <= MOST_IDS:
        raise ValueError(f"{len(titles)} titles; a request takes 1 to {MOST_IDS}")
    if not _SITE.fullmatch(site):
        raise ValueError(f"{site!r} is no site of Wikidata")
    if any("\x1f" in title for title in titles):
        raise ValueError("a title holds a control character")
    # a list that begins with this sign is separated by it, so that no title can add another
    joined_titles = "\x1f" + "\x1f".join(titles)
    options = {"action": "wbgetentities", "sites": site, "titles": joined_titles}
    options |= {"props": "info|sitelinks", "sitefilter": site}
    return _api_request(api, options | ({"normalize": "1"} if len(titles) == 1 else {}))


def people_search(api: str, name: str, *occupations: str) -> HttpRequest:
    """Humans with the words of a name, with one of the occupations if any is given.

    Occupations are left out where the query would be too long: who asks has to check them anyway.
    Raises ValueError for a text that is no name.
    """
    words = search_words(name)
    if not words:
        raise ValueError("no name to search for")
    query = f'"{words}" haswbstatement:P31={HUMAN}'
    clauses = "|".join(f"P106={_check_item(item)}" for item in occupations if item)
    narrow = f"{query} haswbstatement:{clauses}"
    if clauses and len(narrow) <= _MOST_QUERY:
        query = narrow
    options = {"action": "query", "list": "search", "srsearch": query, "srnamespace": "0"}
    options |= {"srlimit": str(MOST_HITS), "srinfo": "totalhits", "srprop": ""}
    return _api_request(api, options)


def search_words(name: str) -> str:
    """The words of a name as they stand in a search; empty for what is none or too long."""
    words = " ".join(_SEARCH_SIGNS.sub(" ", name).split())
    is_name = any(sign.isalnum() for sign in words) and len(name) <= MOST_NAME
    return words if is_name else ""


def _api_request(api: str, options: Mapping[str, str]) -> HttpRequest:
    """A read of the API; as a POST, so that names stand in no address and no list is too long."""
    form = {"format": "json", "formatversion": "2", "maxlag": _MAX_LAG, **options}
    headers = (
        ("Accept", "application/json"),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Promise-Non-Write-API-Action", "true"),  # any of its sites may answer
    )
    return HttpRequest("POST", api, headers, urlencode(form, errors="replace").encode())


def api_content(answer: Answer) -> Mapping[str, Json]:
    """The JSON object of an answer of the API. Raises NotReadable, also for its error messages."""
    content = check_mapping(_read_content(answer), "an answer")
    if "error" in content:
        raise NotReadable(_read_error(content)[1])
    return content


# --- both -----------------------------------------------------------------------------------------


def is_item(text: str) -> bool:
    """Return whether a text is the id of an item: `Q42`. One bad id spoils a whole request."""
    return _ITEM.fullmatch(text) is not None and int(text[1:]) <= _LARGEST


def item_id(uri: str) -> str:
    """The id in the address of an item; empty for any other text."""
    match = _ITEM_URI.fullmatch(uri)
    return match[1] if match and is_item(match[1]) else ""


def answer_trouble(answer: Answer) -> Trouble | None:
    """Return what a complete answer says went wrong, to decide when to ask again."""
    if page_fault := faults.find_page_trouble(answer):
        return page_fault
    status = answer.status or 0
    if status >= _FIRST_REDIRECT:
        default = Fault.TRANSIENT if status >= _FIRST_TRANSIENT else Fault.BAD_REQUEST
        words = answer.body[:_MOST_WORDS].decode("utf-8", "replace").strip()
        return Trouble(_BY_STATUS.get(status, default), f"HTTP {status}: {words}")
    try:
        content = json.loads(answer.body)
    except (ValueError, RecursionError):
        return Trouble(Fault.TRANSIENT, "the answer is no JSON, or ends too early")
    if not isinstance(content, dict):
        return Trouble(Fault.DRIFT, "the answer is no JSON object")
    if "error" in content:
        code, words = _read_error(content)
        return Trouble(_error_fault(code), words)
    if "exception" in content:
        return Trouble(Fault.BAD_REQUEST, str(content["exception"])[:_MOST_WORDS])
    return None


def trouble_of_query(answer: Answer) -> Trouble | None:
    """The same for who asks a query that was too slow in halves: as a whole it is of no use."""
    fault = answer_trouble(answer)
    if fault is not None and _TOO_SLOW in answer.body:
        return replace(fault, fault=Fault.BAD_REQUEST)
    return fault


def _error_fault(code: str) -> Fault:
    if code in _RATE_CODES:
        return Fault.RATE
    passing = code == "readonly" or code.startswith(("internal_api_error", "cirrussearch-too-busy"))
    return Fault.TRANSIENT if passing else Fault.BAD_REQUEST


def _read_error(content: Mapping[str, Json]) -> tuple[str, str]:
    """(code, code and words) of an error message of the API."""
    error = content["error"]
    if not isinstance(error, Mapping):
        return "", f"error: {str(error)[:_MOST_WORDS]}"
    code, info = str(error.get("code", "")), str(error.get("info", ""))
    return code, make_storable(f"{code}: {info}"[:_MOST_WORDS])


def _read_content(answer: Answer) -> object:
    if answer.outcome is not Outcome.OK:
        raise NotReadable(f"no answer: {answer.outcome} {answer.detail}".rstrip())
    if (answer.status or 0) >= _FIRST_REDIRECT:
        raise NotReadable(f"HTTP {answer.status}")
    try:
        content: object = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"the answer is no JSON, or ends too early: {error}") from error
    if isinstance(content, dict) and "exception" in content:
        raise NotReadable(f"{str(content['exception'])[:_MOST_WORDS]}")
    return content


def check_mapping(value: object, what: str = "a part") -> Mapping[str, Json]:
    """Return a JSON object. Raises NotReadable for any other value."""
    if not isinstance(value, Mapping):
        raise NotReadable(f"{what} is no JSON object")
    return value


def _check_item(item: str) -> str:
    if not is_item(item):
        raise ValueError(f"{item!r} is no item of Wikidata")
    return item
