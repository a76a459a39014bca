"""A SPARQL service that knows the occupations of Wikidata: `contracts.md` section C1.

It reads of a query what it needs (classes, floor, LIMIT, OFFSET) and answers that page.
"""

import re
from urllib.parse import parse_qs

from tests.standins.faults import status
from tests.standins.service import Service
from tests.standins.wire import Answer, json_answer

ENTITY = "http://www.wikidata.org/entity/"
RESULTS = "application/sparql-results+json;charset=utf-8"


class SparqlOccupations(Service):
    """`POST /sparql`. Args (besides those of Service): `items`: (id, label, articles, aliases)."""

    def __init__(self, items, **settings):
        super().__init__(key=None, languages={}, **settings)
        self.items = sorted(items, key=lambda item: ENTITY + item[0])
        self.queries = []

    @staticmethod
    def too_many(seconds):
        """C1: 429 with Retry-After."""
        return status(429, {"message": "Too Many Requests"}, {"Retry-After": str(seconds)})

    @staticmethod
    def timed_out():
        """C1: 500, the stack of the time-out as text."""
        body = b"SPARQL-QUERY: ...\njava.util.concurrent.TimeoutException\n\tat java.base/..."
        return Answer(500, body, {"Content-Type": "text/plain"})

    def answer(self, request):
        if request.method != "POST" or request.path != "/sparql":
            return status(404, {"message": "Not Found"})
        form = parse_qs(request.body.decode())
        (query,) = form["query"]
        self.queries.append(query)
        limit, offset = (int(re.search(rf"{word} (\d+)", query)[1]) for word in ("LIMIT", "OFFSET"))
        floor = int(re.search(r"\?sitelinks >= (\d+)", query)[1])
        found = [item for item in self.items if item[2] >= floor]
        bindings = [self.row(*item) for item in self.page(found, limit, offset)]
        head = {"vars": ["item", "label", "sitelinks", "aliases"]}
        return json_answer(
            200, {"head": head, "results": {"bindings": bindings}}, content_type=RESULTS
        )

    def page(self, found, limit, offset):
        return found[offset : offset + limit]

    @staticmethod
    def row(item, label, articles, aliases=()):
        number = "http://www.w3.org/2001/XMLSchema#integer"
        return {
            "item": {"type": "uri", "value": ENTITY + item},
            "label": {"type": "literal", "value": label, "xml:lang": "en"},
            "sitelinks": {"type": "literal", "value": str(articles), "datatype": number},
            "aliases": {"type": "literal", "value": "|".join(aliases)},
        }
