"""An index of one's own in OpenSearch or Elasticsearch: a question in, its best documents out.

https://docs.opensearch.org/latest/api-reference/search-apis/search/. The answer has the documents
as they are stored: which of their fields are title, address and text is said in the config.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from monitor import parameters
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
    Trouble,
)

_PARAMETERS = (
    _http.base_url(),
    Parameter("index", "name of the index, or of several with commas", required=True),
    Parameter("fields", "what is searched, with weights: title^2,text", default="title,text"),
    Parameter("operator", "how many words have to fit", default="or", choices=("or", "and")),
    Parameter("size", "documents to list", int, default=10, low=1, high=10_000),
    Parameter("title_field", "the document's title; a dot leads into an object", default="title"),
    Parameter("url_field", "its web address", default="url"),
    Parameter("text_field", "its text", default="text"),
    Parameter(
        "key", "environment variable that holds an API key, if one is needed",
        place=True, variable=True,
    ),
    Parameter(
        "login", "environment variable that holds a name, where a password is needed",
        place=True, variable=True,
    ),
    Parameter(
        "password", "environment variable that holds its password", place=True, variable=True
    ),
)  # fmt: skip
_INDEX = re.compile(r"[^\s\\/*?\"<>|#:_+-][^\s\\/?\"<>|#:]*")
_FIELD = re.compile(r"[^\s,^*]+(\^\d{1,4}(\.\d{1,4})?)?")
_MOST_TEXT = 1000
_NO_INDEX = "index_not_found_exception"


@dataclass(frozen=True, slots=True)
class OpenSearch(SearchApi):
    """The engine. A list that a part of the index is missing from is no list."""

    name: str = "opensearch"
    title: str = "OpenSearch or Elasticsearch, an index of one's own"
    pace: float = 5.0
    in_flight: int = 4
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "index"
    needs: Needs = Needs(
        independence="a question is scored by the index alone",
        price="none on a server of one's own",
        limits="what the server can do; 10,000 documents a question",
        notes="every region gets the same list; each document needs a title and a web address; "
        "documents of the same score can change places between copies of the index; the index is "
        "audited as it is at the time: what was added since is part of the change; asked in "
        "plain JSON, which OpenSearch and Elasticsearch 7 to 9 take",
    )
    reads: tuple[str, str, str] = ("title", "url", "text")

    def configured(self, config: Mapping[str, Json]) -> "OpenSearch":
        """The engine that reads documents as the config says."""
        settled = parameters.fill_defaults(self.parameters, config)
        title, url, text = (str(settled[f"{part}_field"]) for part in ("title", "url", "text"))
        return replace(self, reads=(title, url, text))

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse names that cannot be, and two ways to log in."""
        if not all(_INDEX.fullmatch(name) for name in str(config["index"]).split(",")):
            return f"config: index = {config['index']!r}: no name of an index"
        if not all(_FIELD.fullmatch(field) for field in _list_fields(config)):
            return f"config: fields = {config['fields']!r}: names with commas, as title^2,text"
        if ("login" in config) != ("password" in config):
            return "config: login and password belong together"
        if "key" in config and "login" in config:
            return "config: either key or login and password"
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST /index/_search of a `match` or, over several fields, a `multi_match`."""
        [probe] = probes
        body: dict[str, Json] = {
            "query": _make_query(probe.text, config),
            "size": config["size"],
            "_source": [config[f"{part}_field"] for part in ("title", "url", "text")],
        }
        path = f"{quote(str(config['index']), safe=',*')}/_search"
        url = _http.join_path(config["base_url"], path)
        key, login = config.get("key"), config.get("login")
        headers = [("Authorization", f"ApiKey secret:{key}")] if key else []
        # the service's default is to leave out what failed, without an error
        sent = _http.post_json(f"{url}?allow_partial_search_results=false", body, headers)
        return replace(sent, signer=f"basic:{login}/{config['password']}") if login else sent

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return errors, and successes with a part of the index missing."""
        words = _error_words(answer)
        general = (
            _search.guard_trouble(answer)
            or _http.by_status(answer, words)
            or _search.answer_trouble(answer)
        )
        if general is not None:
            remedy = "; create it or correct `index`" if _NO_INDEX in words else ""
            return replace(general, words=f"{general.words}{remedy}")
        reading = self.configured(config).read(answer)
        if reading.reason is Reason.SHORT:
            return Trouble(Fault.TRANSIENT, reading.detail)
        if reading.reason is Reason.MALFORMED:
            remedy = "see title_field and url_field if the documents have both"
            return Trouble(Fault.DRIFT, f"{reading.detail}; {remedy}: {words}")
        return None

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading:
        """Return the reading of an answer; one with a part of the index missing is unreadable."""
        content = _http.read_object(answer)
        rows = _search.read_rows(content, "hits", "hits")
        if rows is None:
            return _search.unreadable_reading("no results in it")
        if partial := _describe_partial(content):
            return _search.unreadable_reading(partial, Reason.SHORT)
        total = _http.whole_at(content, "hits", "total")  # a number before version 7
        if total is None:
            total = _http.whole_at(content, "hits", "total", "value")
        if not rows and total != 0:
            number = "an unknown number of" if total is None else f"{total:,}"
            detail = f"{number} documents found and none listed"
            return _search.unreadable_reading(detail, Reason.SUSPECT_EMPTY)
        texts = ([_text_at(row.get("_source"), path) for path in self.reads] for row in rows)
        return _search.make_reading(
            ShownItem(Block.ORGANIC, title, url, text[:_MOST_TEXT]) for title, url, text in texts
        )


def _list_fields(config: Mapping[str, Json]) -> list[str]:
    return [field.strip() for field in str(config["fields"]).split(",")]


def _make_query(text: str, config: Mapping[str, Json]) -> Json:
    fields, operator = _list_fields(config), config["operator"]
    if len(fields) == 1 and "^" not in fields[0]:
        return {"match": {fields[0]: {"query": text, "operator": operator}}}
    return {"multi_match": {"query": text, "fields": fields, "operator": operator}}


def _error_words(answer: Answer) -> str:
    """Type and reason of an error, which can also be a text alone."""
    error = _http.value_at(_http.read_json(answer), "error")
    if not isinstance(error, dict):
        return _search.service_words(answer, "error")
    parts = [_search.text_of(error, "type"), _search.text_of(error, "reason")]
    return ": ".join(filter(None, parts)) or _search.service_words(answer)


def _describe_partial(content: Mapping[str, Json]) -> str:
    """Return a note about a list that a part of the index is missing from; "" of a whole one."""
    if _http.value_at(content, "timed_out") is not False:
        return "a partial ranking: the search ran out of time"
    failed = _http.whole_at(content, "_shards", "failed")
    if failed != 0:
        return f"a partial ranking: {'some' if failed is None else failed} shards failed"
    if any(_http.whole_at(content, "_clusters", key) for key in ("skipped", "failed")):
        return "a partial ranking: clusters were left out"
    return ""


def _text_at(source: Json, path: str) -> str:
    """Return the text of a field, or the first of several; a dot leads into an object."""
    if isinstance(source, dict) and path in source:
        value = source[path]
    else:
        value = _http.value_at(source, *path.split("."))
    text = value[0] if isinstance(value, list) and value else value
    return _search.clean_text(text)


ENGINE = OpenSearch()
