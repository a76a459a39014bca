"""Mojeek Search API: `contracts.md` section B6."""

import re

from tests.standins.faults import status
from tests.standins.results import SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of

_DATE = re.compile(r"day|month|year|\d{8}")
FIELDS = {
    "api_key": is_filled,
    "q": is_filled,
    "fmt": one_of("json"),
    "t": number_between(1, 100),
    "s": number_between(1),
    "safe": one_of("0", "1"),
    "lb": lambda text: re.fullmatch("[A-Za-z]{2}", text) is not None,
    "lbb": number_between(1, 100),
    "rb": lambda text: re.fullmatch("[A-Z]{2}", text) is not None,
    "rbb": number_between(1, 100),
    "since": lambda text: _DATE.fullmatch(text) is not None,
    "before": lambda text: _DATE.fullmatch(text) is not None,
}


class Mojeek(SearchService):
    """`GET /search`."""

    @staticmethod
    def error(words):
        """B6: 200 with a status that begins with ERROR."""
        return status(200, {"response": {"status": f"ERROR: {words}"}})

    @staticmethod
    def quota():
        """The one error that Mojeek's documentation gives the words of."""
        return Mojeek.error("Daily Limit Reached.")

    @staticmethod
    def rate_limited():
        """What `s=0` is answered with."""
        return status(429, {"response": {"status": "ERROR: Too Many Requests"}})

    def answer(self, request):
        if request.path != "/search":
            raise Refused(status(404, {"response": {"status": "ERROR: Not Found"}}))
        if request.query.get("s") == "0":
            raise Refused(self.rate_limited())
        if request.query.get("api_key") != self.key:
            raise Refused(self.error("Invalid API Key"))
        sent = self.fields(request, FIELDS, ("q", "fmt"), _bad)
        start, size = int(sent.get("s", 1)), int(sent.get("t", 10))
        hits = self.found(sent["q"])
        shown = hits[start - 1 : start - 1 + size]
        head = {"query": sent["q"], "results": len(hits), "start": start, "return": len(shown)}
        rows = [
            {"url": hit.url, "title": hit.title, "desc": hit.text, "score": 1.2} for hit in shown
        ]
        return status(200, {"response": {"status": "OK", "head": head, "results": rows}})


def _bad(problem):
    return Mojeek.error(f"Invalid parameter: {problem}")
