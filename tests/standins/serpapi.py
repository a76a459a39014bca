"""SerpApi, Google: `contracts.md` section B10."""

import base64
import gzip
from urllib.parse import urlencode

from tests.standins.faults import status
from tests.standins.results import SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of

PATH = "/search.json"
LISTED, MEMBER = 5, 3
FIELDS = {
    "engine": one_of("google"),
    "q": is_filled,
    "google_domain": is_filled,
    "hl": lambda text: 2 <= len(text) <= 5,
    "gl": lambda text: len(text) == 2 and text.islower(),
    "location": is_filled,
    "device": one_of("desktop", "mobile", "tablet"),
    "safe": one_of("off", "active"),
    "nfpr": one_of("0", "1"),
    "filter": one_of("0", "1"),
    "start": number_between(0, 990),
    "no_cache": one_of("true", "false"),
    "api_key": is_filled,
}
LATER_FIELDS = {
    "engine": one_of("google_ai_overview"),
    "page_token": is_filled,
    "no_cache": one_of("true", "false"),
    "api_key": is_filled,
}
NOTHING = "Google hasn't returned any results for this query."


class SerpApi(SearchService):
    """`GET /search.json`; ten results a page, and answers out of a cache unless told otherwise.

    Args (besides those of SearchService):
        panels: {question: knowledge_graph}.
        others: {question: further blocks of the answer}.
        overviews: {token: the AI overview that is handed out for it}.
        places: the only locations that are known; None knows all.
    """

    def __init__(self, *, panels=None, others=None, places=None, overviews=None, **settings):
        super().__init__(**settings)
        self.panels = dict(panels or {})
        self.others = dict(others or {})
        self.places = places
        self.overviews = dict(overviews or {})
        self._kept = {}

    @staticmethod
    def invalid_key():
        """B10: 401."""
        words = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
        return status(401, {"error": words})

    @staticmethod
    def rate_limited():
        """B10: 429, of an hour's limit or of the plan's end."""
        return status(429, {"error": "Your account has exceeded its limit of searches."})

    @staticmethod
    def quota():
        """B10: 429, in words that say which."""
        return status(429, {"error": "Your account has run out of searches."})

    @staticmethod
    def gone():
        """B10: 410."""
        return status(410, {"error": "The search expired and has been deleted from the archive."})

    @staticmethod
    def failed():
        """A search that met an error on its way."""
        about = {"id": "6233bba5", "status": "Error"}
        return status(503, {"search_metadata": about, "error": "We couldn't get valid results."})

    def answer(self, request):
        if (request.method, request.path) != ("GET", PATH):
            raise Refused(status(404, {"error": "Not found"}))
        if request.query.get("api_key") != self.key:
            raise Refused(self.invalid_key())
        if request.query.get("engine") == "google_ai_overview":
            return self._later(request)
        place = request.query.get("location")
        if self.places is not None and place is not None and place not in self.places:
            raise Refused(_bad(f"Unsupported `{place}` location - location parameter."))
        sent = self.fields(request, FIELDS, ("engine", "q", "api_key"), _bad)
        if sent.get("no_cache") != "true" and request.target in self._kept:
            return status(200, self._kept[request.target])
        self._kept[request.target] = page = self._page(sent)
        return status(200, page)

    def _later(self, request):
        sent = self.fields(request, LATER_FIELDS, ("engine", "page_token", "api_key"), _bad)
        if sent["page_token"] not in self.overviews:
            raise Refused(_bad("The page token has expired."))
        about = {"search_metadata": {"status": "Success"}}
        return status(200, about | {"ai_overview": self.overviews[sent["page_token"]]})

    def _page(self, sent):
        question, start = sent["q"], int(sent.get("start", 0))
        hits = self.found(question)[start : start + 10]
        page = {
            "search_metadata": {
                "id": "6233bba5d04d6d63bb714e6f",
                "status": "Success",
                "created_at": "2026-11-21 05:00:00 UTC",
                "google_url": f"https://www.google.com/search?{urlencode({'q': question})}",
            },
            "search_parameters": {k: v for k, v in sent.items() if k != "api_key"},
            "search_information": {
                "query_displayed": question,
                "organic_results_state": "Results for exact spelling" if hits else "Fully empty",
            },
            **self.others.get(question, {}),
        }
        if question in self.panels:
            page["knowledge_graph"] = self.panels[question]
        if hits:
            page["organic_results"] = [_result(n, hit) for n, hit in enumerate(hits, 1)]
        else:
            page["error"] = NOTHING
        return page


def stick(item, purpose=LISTED, subject="", collection=""):
    """The parameter in a link of Google that says which entity it leads to."""
    data = bytes([8, purpose])
    for number, text in ((2, subject), (4, item), (5, collection)):
        value = text.encode()
        data += bytes([number << 3 | 2, len(value)]) + value if value else b""
    return base64.urlsafe_b64encode(gzip.compress(data, mtime=0)).decode().rstrip("=")


def tile(name, item="", text="", **sticks):
    """One tile of a strip, as SerpApi lists it."""
    query = {"q": name, **({"stick": stick(item, **sticks)} if item else {})}
    link = f"https://www.google.com/search?{urlencode(query)}"
    return {"name": name, "extensions": [text] if text else [], "link": link}


def _result(position, hit):
    return {
        "position": position,
        "title": hit.title,
        "link": hit.url,
        "displayed_link": hit.url,
        "snippet": hit.text,
    }


def _bad(words):
    return status(400, {"error": str(words)})
