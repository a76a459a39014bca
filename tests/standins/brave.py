"""Brave Search API: `contracts.md` section B2."""

import re

from tests.standins.faults import status
from tests.standins.results import SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of

PATH = "/res/v1/web/search"
COUNTRIES = ("US", "GB", "DE", "FR", "BR", "PT", "ALL")
LANGUAGES = ("en", "en-gb", "de", "fr", "jp", "pt-br", "pt-pt", "zh-hans", "zh-hant", "sk")
RESET = "1, 1419704"

_BOOL = one_of("true", "false")
FIELDS = {
    "q": lambda text: 0 < len(text) <= 400 and len(text.split()) <= 50,
    "country": one_of(*COUNTRIES),
    "search_lang": one_of(*LANGUAGES),
    "ui_lang": lambda text: re.fullmatch("[a-z]{2}-[A-Z]{2}", text) is not None,
    "count": number_between(1, 20),
    "offset": number_between(0, 9),
    "safesearch": one_of("off", "moderate", "strict"),
    "freshness": lambda text: re.fullmatch(r"p[dwmy]|[\d-]{10}to[\d-]{10}", text) is not None,
    "text_decorations": _BOOL,
    "spellcheck": _BOOL,
    "result_filter": is_filled,
}


class Brave(SearchService):
    """`GET /res/v1/web/search`.

    Args (besides those of SearchService):
        infoboxes: {question: infobox result} that stand beside the results.
        order: {question: [index]} of the results on the page; as they are listed if left out.
        videos: whether a block of videos stands after the first result.
        rewrites: {question: question} that spellcheck makes of it.
    """

    def __init__(self, *, infoboxes=None, order=None, videos=False, rewrites=None, **settings):
        super().__init__(**settings)
        self.infoboxes = dict(infoboxes or {})
        self.order = dict(order or {})
        self.videos = videos
        self.rewrites = dict(rewrites or {})
        self._kept = {}

    @staticmethod
    def invalid_token():
        """B2: 422 for a bad key."""
        detail = "The provided subscription token is invalid."
        return _error(422, "SUBSCRIPTION_TOKEN_INVALID", detail, {"component": "authentication"})

    @staticmethod
    def no_subscription():
        """B2: 404."""
        return _error(404, "SUBSCRIPTION_NOT_FOUND", "No subscription was found.", {})

    @staticmethod
    def rate_limited(listed=False):
        """B2: 429, literally B2's body; the examples of the documentation have a list."""
        detail = "Request rate limit exceeded for plan."
        return _error(429, "RATE_LIMITED", detail, {"component": "rate_limiter"}, listed)

    @staticmethod
    def quota():
        """B2: the same status; only the code tells that the month is used up."""
        detail = "Request quota limit exceeded for plan."
        return _error(429, "QUOTA_LIMITED", detail, {"component": "rate_limiter"})

    @staticmethod
    def failed():
        """500 with the shape of every error."""
        return _error(500, "INTERNAL", "Internal server error.", {})

    def answer(self, request):
        if (request.method, request.path) != ("GET", PATH):
            raise Refused(_error(404, "NOT_FOUND", "Not found.", {}))
        token = request.headers.get("x-subscription-token")
        if token is None:
            raise Refused(_invalid("missing", ["header", "x-subscription-token"]))
        if token != self.key:
            raise Refused(self.invalid_token())
        sent = self.fields(request, FIELDS, ("q",), _refused)
        # B2: cached by default
        fresh = request.headers.get("cache-control") == "no-cache"
        if fresh or request.target not in self._kept:
            self._kept[request.target] = self._page(sent)
        return status(200, self._kept[request.target], _limits(49))

    def _page(self, sent):
        question = sent["q"]
        altered = self.rewrites.get(question) if sent.get("spellcheck", "true") == "true" else None
        size, skipped = int(sent.get("count", 20)), int(sent.get("offset", 0))
        hits = self.found(altered or question)[size * skipped : size * (skipped + 1)]
        order = self.order.get(question, range(len(hits)))
        main = [{"type": "web", "index": index, "all": False} for index in order]
        main[1:1] = [{"type": "videos", "all": True}] if self.videos else []
        page = {
            "type": "search",
            "query": {
                "original": question,
                "altered": altered,
                "country": sent.get("country", "us").lower(),
                "more_results_available": len(hits) == size,
            },
            "mixed": {"type": "mixed", "main": main, "top": [], "side": []},
        }
        if hits:
            page["web"] = {"type": "search", "results": [_result(hit) for hit in hits]}
        if question in self.infoboxes:
            page["infobox"] = {"type": "graph", "results": [self.infoboxes[question]]}
            page["mixed"]["side"] = [{"type": "infobox", "index": 0, "all": True}]
        return page


def _result(hit):
    return {
        "type": "search_result",
        "title": hit.title,
        "url": hit.url,
        "description": hit.text,
        "language": "en",
        "family_friendly": True,
    }


def _limits(left):
    return {
        "X-RateLimit-Limit": "50, 15000",
        "X-RateLimit-Policy": "50;w=1, 15000;w=2592000",
        "X-RateLimit-Remaining": f"{left}, 14523",
        "X-RateLimit-Reset": RESET,
    }


def _error(code, name, detail, meta, listed=False):
    error = {"id": "6d3c", "code": name, "detail": detail, "status": code, "meta": meta}
    shape = {"errors": [error]} if listed else {"error": error}
    return status(code, {"type": "ErrorResponse", **shape, "time": 1763700000}, _limits(0))


def _invalid(kind, where):
    errors = [{"type": kind, "loc": where, "msg": "Input is not as documented", "input": None}]
    detail = "Unable to validate request parameter(s)"
    return _error(422, "VALIDATION", detail, {"errors": errors})


def _refused(problem):
    return _invalid("literal_error", ["query", getattr(problem, "field", str(problem))])
