"""Marginalia Search API: `contracts.md` section B7."""

from tests.standins.faults import status
from tests.standins.results import SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of
from tests.standins.wire import Answer

FIELDS = {
    "query": is_filled,
    "count": number_between(1, 100),
    "page": number_between(1),
    "dc": number_between(1, 100),
    "nsfw": one_of("0", "1"),
    "timeout": number_between(50, 250),
    "filter": is_filled,
}


class Marginalia(SearchService):
    """`GET /search`; the key `public` is that of everybody.

    Args (besides those of SearchService):
        exhausted: whether the public key is used up, as it usually is.
    """

    def __init__(self, *, exhausted=False, **settings):
        super().__init__(**settings)
        self.exhausted = exhausted

    @staticmethod
    def quota():
        """B7: 503 is the rate limit."""
        return Answer(503, b"Rate limit exceeded", {"Content-Type": "text/plain"})

    rate_limited = quota

    @staticmethod
    def wrong_key():
        """A key that nobody was given."""
        return status(401, {"message": "Invalid API key"})

    def answer(self, request):
        if request.path != "/search":
            raise Refused(status(404, {"message": "not found"}))
        key = request.headers.get("api-key")
        if key == "public" and self.exhausted:
            raise Refused(self.quota())
        if key not in ("public", self.key):
            raise Refused(self.wrong_key())
        sent = self.fields(request, FIELDS, ("query",), _bad)
        size, page = int(sent.get("count", 20)), int(sent.get("page", 1))
        hits = self.found(sent["query"])[size * (page - 1) : size * page]
        rows = [
            {
                "url": hit.url,
                "title": hit.title,
                "description": hit.text,
                "quality": 3.1,
                "format": "html",
                "details": [],
            }
            for hit in hits
        ]
        return status(200, {"license": "CC-BY-NC-SA 4.0", "query": sent["query"], "results": rows})


def _bad(problem):
    return status(400, {"message": str(problem)})
