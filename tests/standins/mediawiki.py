"""MediaWiki's search as Wikipedia runs it: `contracts.md` section B12."""

from tests.standins.faults import status
from tests.standins.results import SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of
from tests.standins.wire import Answer

FIELDS = {
    "action": one_of("query"),
    "list": one_of("search"),
    "srsearch": is_filled,
    "srlimit": number_between(1, 500),
    "sroffset": number_between(0),
    "srnamespace": number_between(0),
    "srinfo": is_filled,
    "format": one_of("json"),
    "formatversion": one_of("2"),
    "maxlag": number_between(0),
}
REQUIRED = ("action", "list", "srsearch", "format", "formatversion")


class MediaWiki(SearchService):
    """`GET /w/api.php`; errors come with the status 200. Of a hit's address nothing is used.

    Args (besides those of SearchService):
        contact: whether a client without a contact in its User-Agent is turned away.
        warning: what the search module warns of.
    """

    def __init__(self, *, contact=False, warning="", **settings):
        super().__init__(**settings)
        self.contact = contact
        self.warning = warning

    @staticmethod
    def maxlag():
        """B12: 200 with an error, and when to ask again."""
        info = "Waiting for db1: 7.2 seconds lagged."
        return _error("maxlag", info, {"Retry-After": "5"})

    @staticmethod
    def ratelimited():
        """B12: 200 with an error."""
        return _error("ratelimited", "You've exceeded your rate limit.")

    @staticmethod
    def too_many():
        """B12: 429 with Retry-After of 18 to 39 seconds, of the servers in front."""
        page = b"<!DOCTYPE html><html><title>Wikimedia Error</title>Too many requests</html>"
        return Answer(429, page, {"Content-Type": "text/html", "Retry-After": "18"})

    quota = too_many

    @staticmethod
    def robot_policy():
        """B12: 403 at the edge for a client that does not say who runs it."""
        words = b"Please set a user-agent and respect our robot policy https://w.wiki/4wJS."
        return Answer(403, words, {"Content-Type": "text/plain; charset=utf-8"})

    @staticmethod
    def failed():
        """200 with an error of the search behind it."""
        return _error("cirrussearch-too-busy-error", "Search is currently too busy.")

    def answer(self, request):
        if self.contact and "@" not in request.headers.get("user-agent", ""):
            raise Refused(self.robot_policy())
        if request.path != "/w/api.php":
            raise Refused(status(404, {"error": "not found"}))
        sent = self.fields(request, FIELDS, REQUIRED, _bad)
        start, size = int(sent.get("sroffset", 0)), int(sent.get("srlimit", 10))
        hits = self.found(sent["srsearch"])
        rows = [_row(number, hit) for number, hit in enumerate(hits, 1)]
        shown = {"search": rows[start : start + size]}
        if sent.get("srinfo") == "totalhits":
            shown["searchinfo"] = {"totalhits": len(hits)}
        more = {"continue": {"sroffset": start + size, "continue": "-||"}}
        warned = {"warnings": {"search": {"warnings": self.warning}}} if self.warning else {}
        follows = more if len(hits) > start + size else {}
        return status(200, {"batchcomplete": True, **follows, **warned, "query": shown})


def _row(number, hit):
    return {
        "ns": 0,
        "title": hit.title,
        "pageid": number,
        "size": 1,
        "wordcount": 1,
        "snippet": hit.text,
        "timestamp": "2026-01-01T00:00:00Z",
    }


def _error(code, info, headers=None):
    return status(200, {"error": {"code": code, "info": info}}, headers)


def _bad(problem):
    return _error("badvalue", f"Unrecognized value for parameter: {problem}.")
