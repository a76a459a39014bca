"""SearXNG of 2026: `contracts.md` section B4."""

from tests.standins.faults import status
from tests.standins.results import Hit, SearchService, number_between
from tests.standins.service import Refused, is_filled, one_of
from tests.standins.wire import Answer

FIELDS = {
    "q": is_filled,
    "format": one_of("html", "json", "csv", "rss"),
    "language": is_filled,
    "engines": is_filled,
    "categories": is_filled,
    "pageno": number_between(1),
    "safesearch": one_of("0", "1", "2"),
    "time_range": one_of("day", "week", "month", "year"),
    "timeout_limit": is_filled,
}


class SearXNG(SearchService):
    """`GET /search`.

    Args (besides those of SearchService, whose results every engine finds):
        engines: {engine: {question: [Hit]}} of what each of them finds beside that.
        failing: {engine: what it met}: listed among the unresponsive, with the status 200.
        formats: what settings.yml allows; the shipped default is html alone.
        infoboxes, answers: {question: [...]} as they are listed.
    """

    def __init__(
        self,
        *,
        engines=None,
        failing=None,
        formats=("html", "json"),
        infoboxes=None,
        answers=None,
        **settings,
    ):
        super().__init__(**settings)
        self.engines = dict(engines or {"brave": {}, "mojeek": {}})
        self.failing = dict(failing or {})
        self.formats = formats
        self.infoboxes = dict(infoboxes or {})
        self.answers = dict(answers or {})

    @staticmethod
    def no_json():
        """B4: 403, a page, where settings.yml does not list the format."""
        page = "<!doctype html><html lang=en><title>403 Forbidden</title><h1>Forbidden</h1></html>"
        return Answer(403, page.encode(), {"Content-Type": "text/html; charset=utf-8"})

    @staticmethod
    def limited():
        """B4: 429 as text, of the limiter."""
        return Answer(429, b"Too Many Requests", {"Content-Type": "text/plain; charset=utf-8"})

    quota = limited

    @staticmethod
    def failed():
        """B4: 500."""
        return status(500, {"error": "search error"})

    def answer(self, request):
        if request.path != "/search":
            raise Refused(status(404, {"error": "not found"}))
        if request.query.get("format", "html") not in self.formats:
            raise Refused(self.no_json())
        if not request.query.get("q"):
            raise Refused(status(400, {"error": "No query"}))
        sent = self.fields(request, FIELDS, ("q",), _invalid)
        asked = [name.strip() for name in sent.get("engines", "").split(",")]
        # a name that is not known is dropped; without any the category's engines are asked
        chosen = [name for name in asked if name in self.engines] or list(self.engines)
        question = sent["q"]
        return status(
            200,
            {
                "query": question,
                "results": self._merged(question, [e for e in chosen if e not in self.failing]),
                "answers": self.answers.get(question, []),
                "corrections": [],
                "infoboxes": self.infoboxes.get(question, []),
                "suggestions": [],
                "unresponsive_engines": [
                    [name, words] for name, words in self.failing.items() if name in chosen
                ],
            },
        )

    def _merged(self, question, chosen):
        places = {}
        for engine in chosen:
            hits = self.engines[engine].get(question) or self.found(question)
            for position, hit in enumerate(hits, 1):
                places.setdefault(hit.url, []).append((engine, position, Hit(*hit)))
        rows = [_row(found) for found in places.values()]
        return sorted(rows, key=lambda row: -row["score"])


def _row(found):
    """B4: the score is the number of engines times the sum of their inverse positions."""
    [engine, _, hit], *_ = found
    positions = [position for _, position, _ in found]
    return {
        "url": hit.url,
        "title": hit.title,
        "content": hit.text,
        "engine": engine,
        "engines": [name for name, _, _ in found],
        "positions": positions,
        "score": len(positions) * sum(1 / position for position in positions),
        "category": "general",
        "template": "default.html",
        "thumbnail": "",
        "priority": "",
        "publishedDate": None,
    }


def _invalid(problem):
    return status(400, {"error": f"Invalid value of parameter {problem}"})
