"""Stand-in of Wikidata: its API and its query service, answering from a small table of items.

    with serve(Wikidata([Item("Q7259", "Ada Lovelace", genders=["Q6581072"])])) as running:
        resolve(wanted, asker(), services(running))

The query service knows the shapes of queries that the program sends and refuses every other text,
so that a name which breaks out of its literal shows.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from monitor.faults import judge_answer
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import Services
from monitor.wikidata.requests import answer_trouble
from tests.standins.service import Service
from tests.standins.wire import Answer, json_answer

ENTITY = "http://www.wikidata.org/entity/"
_DATES = ("P569", "P570")
SOMEVALUE, NOVALUE = "somevalue", "novalue"
_DIRECT = "http://www.wikidata.org/prop/direct/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_PREFIXES = r"(?:PREFIX \w+: <[^<>]+>\n)*"
_LITERAL = r'"((?:[^"\\\n]|\\["\\nrt])*)"'
_IDS = re.compile(
    _PREFIXES + r"SELECT \?id \?item WHERE \{\n  VALUES \(\?property \?id\) \{ "
    rf"((?:\(wdt:P\d+ {_LITERAL}\) ?)+)\}}\n  \?item \?property \?id \.\n\}}"
)
_FACTS = re.compile(
    _PREFIXES + r"SELECT \?item \?property \?value \(LANG\(\?value\) AS \?language\) WHERE \{\n"
    r"  VALUES \?item \{ ((?:wd:Q\d+ ?)+)\}\n"
    r"  VALUES \?property \{ ((?:\w+:\w+ ?)+)\}\n  \?item \?property \?value \.\n\}"
)
_SUBCLASSES = re.compile(
    _PREFIXES + r"SELECT \?occupation \?within WHERE \{\n"
    r"  VALUES \?occupation \{ ((?:wd:Q\d+ ?)+)\}\n  \?within wdt:P279\* \?occupation \.\n\}"
)
_SEARCH = re.compile(r'"([^"]*)" haswbstatement:P31=Q5(?: haswbstatement:((?:P106=Q\d+\|?)+))?')


@dataclass(frozen=True)
class Item:
    """One item. Values are ids, `somevalue`, `novalue`, or pairs (value, rank)."""

    id: str
    label: str = ""
    aliases: tuple = ()
    classes: tuple = ("Q5",)
    genders: tuple = ()
    occupations: tuple = ()
    ids: dict = field(default_factory=dict)  # {"P646": "/m/0291j3"}
    sitelinks: dict = field(default_factory=dict)  # {"enwiki": "Ada Lovelace"}
    language: str = "en"
    born: tuple = ()  # times: "+1815-12-10T00:00:00Z"
    died: tuple = ()

    def statements(self, name):
        """[(value, rank)] of a property."""
        values = {
            "P31": self.classes,
            "P21": self.genders,
            "P106": self.occupations,
            "P569": self.born,
            "P570": self.died,
        }[name]
        return [value if isinstance(value, tuple) else (value, "normal") for value in values]

    def best(self, name):
        """What `wdt:` holds: values of the best rank; a value that there is not is none."""
        found = self.statements(name)
        preferred = [value for value, rank in found if rank == "preferred"]
        best = preferred or [value for value, rank in found if rank == "normal"]
        return [value for value in best if value != NOVALUE]


class Wikidata(Service):
    """See the module.

    Args:
        items: the items that there are.
        merged: {id that is no more: id of the item that it was merged into}.
        moved: {(site, title): title that it redirects to}.
        within: {occupation: ids of its subclasses}.
        unindexed: ids that the query service does not know, though the API does.
        script, always, latency: as of every stand-in.
    """

    def __init__(self, items=(), *, merged=None, moved=None, within=None, unindexed=(), **options):
        super().__init__(**options)
        self.items = {item.id: item for item in items}
        self.merged = merged or {}
        self.moved = moved or {}
        self.within = within or {}
        self.unindexed = set(unindexed)

    def answer(self, request):
        text = request.body.decode() if request.method == "POST" else request.target.split("?")[1]
        form = {k: v[-1] for k, v in parse_qs(text, keep_blank_values=True).items()}
        if request.path == "/sparql":
            return self._sparql(form["query"])
        actions = {
            "wbgetentities": self._entities,
            "wbsearchentities": self._prefix_search,
            "query": self._search,
        }
        return json_answer(200, actions[form["action"]](form))

    # --- query service

    def _sparql(self, query):
        for shape, rows in ((_IDS, self._ids), (_FACTS, self._facts), (_SUBCLASSES, self._within)):
            if found := shape.fullmatch(query):
                return bindings(rows(found))
        body = f"SPARQL-QUERY: queryStr={query}\nMalformedQueryException".encode()
        return Answer(400, body, {"Content-Type": "text/plain"})

    def _indexed(self):
        return [item for item in self.items.values() if item.id not in self.unindexed]

    def _ids(self, found):
        asked = re.findall(rf"wdt:(P\d+) {_LITERAL}", found[1])
        return [
            {"id": value, "item": ENTITY + item.id}
            for name, value in asked
            for item in self._indexed()
            if item.ids.get(name) == value
        ]

    def _facts(self, found):
        asked = set(re.findall(r"Q\d+", found[1]))
        for item in self._indexed():
            if item.id not in asked:
                continue
            about = {"item": ENTITY + item.id}
            for name in re.findall(r"wdt:(P\d+)", found[2]):
                for value in item.best(name):
                    yield about | {"property": _DIRECT + name, "value": _uri(item, name, value)}
            if item.label:
                texts = [(f"{_RDFS}label", item.label)]
                texts += [(f"{_SKOS}altLabel", alias) for alias in item.aliases]
                for name, text in texts:
                    yield about | {"property": name, "value": text, "language": item.language}

    def _within(self, found):
        return [
            {"occupation": ENTITY + asked, "within": ENTITY + one}
            for asked in re.findall(r"Q\d+", found[1])
            for one in (asked, *self.within.get(asked, ()))
        ]

    # --- API

    def _entities(self, form):
        if "ids" in form:
            asked = form["ids"].split("|")
            if len(asked) > 50:
                return _error("toomanyvalues", "too many values")
            bad = [one for one in asked if not re.fullmatch(r"Q[1-9]\d*", one)]
            if bad or any(int(one[1:]) > 2**31 - 1 for one in asked):
                return _error("no-such-entity", "Could not find an entity with that ID.")
            return {"entities": {one: self._entity(one) for one in asked}, "success": 1}
        return self._by_title(form)

    def _entity(self, asked):
        item = self.items.get(self.merged.get(asked, asked))
        if item is None:
            return {"id": asked, "missing": True}
        found = {"type": "item", "id": item.id, "claims": _claims(item)}
        if item.id != asked:
            found["redirects"] = {"from": asked, "to": item.id}
        texts = [{"language": item.language, "value": alias} for alias in item.aliases]
        label = {item.language: {"language": item.language, "value": item.label}}
        return found | {
            "labels": label if item.label else [],
            "aliases": {item.language: texts} if texts else [],
        }

    def _by_title(self, form):
        site, titles = form["sites"], form["titles"]
        separator = "\x1f" if titles.startswith("\x1f") else "|"
        asked = titles.removeprefix("\x1f").split(separator)
        if len(asked) > 50:
            return _error("toomanyvalues", "too many values")
        by_title = {item.sitelinks.get(site): item for item in self.items.values()}
        found = {}
        for number, title in enumerate(asked, 1):
            target = self.moved.get((site, title), title) if "normalize" in form else title
            item = by_title.get(target)
            if item is None:
                found[f"-{number}"] = {"site": site, "title": title, "missing": True}
            else:
                link = {"site": site, "title": target, "badges": []}
                found[item.id] = {"type": "item", "id": item.id, "sitelinks": {site: link}}
        return {"entities": found, "success": 1}

    def _search(self, form):
        query = form["srsearch"]
        if len(query) > 300:
            return _error("cirrussearch-query-too-long", "Search request is longer than allowed.")
        found = _SEARCH.fullmatch(query)
        if found is None:
            return _error("cirrussearch-parse-error", f"not understood: {query}")
        wanted = set(re.findall(r"Q\d+", found[2] or ""))
        hits = [
            item
            for item in self.items.values()
            if found[1].casefold() in " / ".join((item.label, *item.aliases)).casefold()
            and any(value == "Q5" for value, _ in item.statements("P31"))
            and (not wanted or wanted & {value for value, _ in item.statements("P106")})
        ]
        shown = [{"ns": 0, "title": item.id} for item in hits[: int(form["srlimit"])]]
        return {
            "batchcomplete": True,
            "query": {"searchinfo": {"totalhits": len(hits)}, "search": shown},
        }

    def _prefix_search(self, form):
        asked = form["search"].casefold()
        hits = [
            {"id": item.id, "label": item.label}
            for item in self.items.values()
            if any(name.casefold().startswith(asked) for name in (item.label, *item.aliases))
        ]
        return {"searchinfo": {"search": form["search"]}, "search": hits, "success": 1}


def _uri(item, name, value):
    if name in _DATES and value != SOMEVALUE:
        return value.removeprefix("+")
    if value == SOMEVALUE:
        return f"http://www.wikidata.org/.well-known/genid/{item.id}{name}"
    return ENTITY + value


def _claims(item):
    claims = {}
    for name in ("P31", "P21", "P106", *_DATES):
        for value, rank in item.statements(name):
            snak = {"snaktype": "value", "property": name}
            if value in (SOMEVALUE, NOVALUE):
                snak["snaktype"] = value
            else:
                inner = {"entity-type": "item", "id": value}
                snak["datavalue"] = {"value": inner, "type": "wikibase-entityid"}
                if name in _DATES:
                    snak["datavalue"] = {"value": {"time": value, "precision": 11}, "type": "time"}
            claims.setdefault(name, []).append({"mainsnak": snak, "rank": rank})
    return claims or []


def _error(code, info):
    return {"error": {"code": code, "info": info}, "servedby": "mw-api-ext"}


def bindings(rows, blanks=()):
    """A SPARQL result of {name: value}; addresses become uris, `blanks` blank nodes."""

    def cell(value):
        is_uri = value.startswith("http://")
        kind = "bnode" if value in blanks else "uri" if is_uri else "literal"
        return {"type": kind, "value": value}

    rows = [{name: cell(value) for name, value in row.items()} for row in rows]
    names = list(dict.fromkeys(name for row in rows for name in row))
    data = {"head": {"vars": names}, "results": {"bindings": rows}}
    return json_answer(200, data, content_type="application/sparql-results+json;charset=utf-8")


def timed_out():
    """The query service gives up after 60 seconds: 500, as text."""
    body = b"SPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException\n\tat java.util"
    return Answer(500, body, {"Content-Type": "text/plain"})


def cut_short():
    """The query service gives up in the midst of its answer: 200, and the trace within it."""
    body = b'{"head":{"vars":["item"]},"results":{"bindings":[{"item":\njava.util.concurrent.Time'
    return Answer(200, body, {"Content-Type": "application/sparql-results+json"})


def qlever_exception(status=400):
    """QLever's error."""
    return json_answer(status, {"exception": "out of memory", "query": "", "status": "ERROR"})


def too_many(seconds=18):
    """429 with Retry-After."""
    return json_answer(429, {"httpCode": 429}, {"Retry-After": str(seconds)})


def lagging():
    """The API asks to come back when its servers' copies have caught up: 200."""
    data = _error("maxlag", "Waiting for 10.64.48.35: 7.2 seconds lagged")
    return json_answer(200, data, {"Retry-After": "5"})


def services(running):
    """The addresses of a stand-in that is being served."""
    return Services(f"{running.url}/w/api.php", f"{running.url}/sparql")


def asker(**way):
    """Ask over HTTP, once; the answer carries the outcome that its content means."""

    def ask(request):
        ((_, answer),) = HttpFetcher(Way(**way)).fetch([request])
        return judge_answer(answer, answer_trouble(answer)) if answer.outcome == "ok" else answer

    return ask
