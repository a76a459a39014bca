"""Google's Custom Search JSON API: `contracts.md` section B1."""

from tests.standins.faults import status
from tests.standins.results import SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of

PATH = "/customsearch/v1"
CX = "c12d44082c3dc15fe"
FIELDS = {
    "key": is_filled,
    "cx": one_of(CX),
    "q": is_filled,
    "num": number_between(1, 10),
    "start": number_between(1, 91),
    "hl": is_filled,
    "gl": lambda text: len(text) == 2 and text.islower(),
    "lr": lambda text: text.startswith("lang_"),
    "cr": lambda text: text.startswith("country"),
    "safe": one_of("off", "active"),
    "filter": one_of("0", "1"),
}


class GoogleCse(SearchService):
    """`GET /customsearch/v1`. Without results `items` is left out."""

    @staticmethod
    def invalid_key():
        """400 for a bad key, not 401."""
        words = "API key not valid. Please pass a valid API key."
        return _error(400, words, "badRequest", "INVALID_ARGUMENT", "API_KEY_INVALID")

    @staticmethod
    def quota():
        """B1: 429 for a day's quota."""
        words = (
            "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service "
            "'customsearch.googleapis.com'"
        )
        return _error(429, words, "rateLimitExceeded", "RESOURCE_EXHAUSTED")

    @staticmethod
    def old_quota():
        """B1: the older 403."""
        return _error(403, "This API requires billing.", "dailyLimitExceeded", "PERMISSION_DENIED")

    @staticmethod
    def rate_limited():
        """The same status for a minute's quota."""
        words = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'"
        return _error(429, words, "rateLimitExceeded", "RESOURCE_EXHAUSTED")

    @staticmethod
    def refused():
        """403 for a project without the service."""
        words = "This project does not have the access to Custom Search JSON API."
        return _error(403, words, "forbidden", "PERMISSION_DENIED")

    @staticmethod
    def failed():
        return _error(503, "Service unavailable.", "backendError", "UNAVAILABLE")

    def answer(self, request):
        if (request.method, request.path) != ("GET", PATH):
            raise Refused(_error(404, "Not found.", "notFound", "NOT_FOUND"))
        if request.query.get("key") != self.key:
            raise Refused(self.invalid_key())
        sent = self.fields(request, FIELDS, ("cx", "q"), _bad)
        start, num = int(sent.get("start", 1)), int(sent.get("num", 10))
        hits = self.found(sent["q"])
        shown = hits[start - 1 : start - 1 + num]
        page = {
            "kind": "customsearch#search",
            "queries": {"request": [{"searchTerms": sent["q"], "startIndex": start}]},
            "searchInformation": {"searchTime": 0.2, "totalResults": str(len(hits))},
        }
        if shown:
            page["items"] = [
                {"kind": "customsearch#result", "title": hit.title, "link": hit.url,
                 "snippet": hit.text}
                for hit in shown
            ]  # fmt: skip
        return status(200, page)


def _error(code, words, reason, name, detail=None):
    error = {
        "code": code,
        "message": words,
        "errors": [{"message": words, "domain": "global", "reason": reason}],
        "status": name,
    }
    if detail:
        kind = "type.googleapis.com/google.rpc.ErrorInfo"
        error["details"] = [{"@type": kind, "reason": detail}]
    return status(code, {"error": error})


def _bad(found):
    return _error(400, f"Request contains an {found}.", "badRequest", "INVALID_ARGUMENT")
