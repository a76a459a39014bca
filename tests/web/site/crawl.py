"""Looks at every page that a link leads to, a few of each kind, from the first one and the menu."""

import re
from collections import Counter
from urllib.parse import parse_qsl, urlsplit

from tests.web.site.routes import known


class Crawl:
    """`visit(address)` is given the address within the site, and returns (answer, links)."""

    def __init__(self, application, visit, of_a_kind):
        self.answers = {}
        self._visit, self._of_a_kind, self._seen = visit, of_a_kind, Counter()
        gets = [route.path for route in known(application) if route.method == "GET"]
        self._routes = [
            (re.compile(re.sub(r"\{\w+(:\w+)?\}", "[^/]+", path)), path) for path in gets
        ]
        plain = {path for path in gets if "{" not in path and path != "/static"}
        waiting = ["/", *sorted(plain - {"/"})]
        while waiting:
            waiting += self._look(waiting.pop(0))

    def _look(self, address):
        kind = self._kind(address)
        if address in self.answers or self._seen[kind] >= self._of_a_kind:
            return []
        self._seen[kind] += 1
        self.answers[address], links = self._visit(address)
        return links

    def _kind(self, address):
        """Visits of one route with the same parameters; the pages of one are alike."""
        parts = urlsplit(address)
        names = frozenset(name for name, value in parse_qsl(parts.query) if value)
        return self.route(address), names

    def route(self, address):
        """The route that answers at an address, as it is declared."""
        path = urlsplit(address).path
        return next((known for form, known in self._routes if form.fullmatch(path)), path)

    def visited(self):
        """Every route that was asked."""
        return {self.route(address) for address in self.answers}
