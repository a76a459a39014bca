"""DataForSEO, live results of Google: `contracts.md` section B11."""

import base64

from tests.standins.faults import status
from tests.standins.results import SearchService
from tests.standins.service import Refused, is_filled, one_of, problem

PATH = "/v3/serp/google/organic/live/advanced"
LOGIN = "audit@lab.test"
FIELDS = {
    "keyword": lambda text: is_filled(text) and len(text) <= 700,
    "location_code": lambda code: code in (2840, 2276, 2620),
    "location_name": lambda name: name.split(",")[-1] in ("United States", "Germany"),
    "language_code": lambda code: code in ("en", "de", "pt"),
    "device": one_of("desktop", "mobile"),
    "os": one_of("windows", "macos", "android", "ios"),
    "depth": lambda depth: isinstance(depth, int) and 10 <= depth <= 200,
    "se_domain": is_filled,
    "search_param": is_filled,
    "load_async_ai_overview": lambda value: value is True,
}


class DataForSeo(SearchService):
    """`POST /v3/serp/google/organic/live/advanced`: one task, errors inside successes.

    Args (besides those of SearchService, whose key is the password):
        items: {question: [item]} that stand before the results.
        spells: {question: question} that Google makes of it.
        own: the task's code and words in place of an answer.
    """

    def __init__(self, *, items=None, spells=None, own=None, **settings):
        super().__init__(**settings)
        self.items = dict(items or {})
        self.spells = dict(spells or {})
        self.own = own

    @staticmethod
    def unauthorized():
        """B11: one of the few errors with a status of its own."""
        return status(401, _whole(40100, "You are not Authorized to Access this Resource."))

    @staticmethod
    def unpaid():
        """402: the account's balance."""
        return status(402, _whole(40200, "Payment Required."))

    @staticmethod
    def failed():
        return status(500, _whole(50000, "Internal Error."))

    @staticmethod
    def quota():
        """A day's limit of costs: the status says nothing of it."""
        return task(40203, "The cost limit has been exceeded.")

    def answer(self, request):
        if (request.method, request.path) != ("POST", PATH):
            raise Refused(status(404, _whole(40400, "Not Found.")))
        allowed = base64.b64encode(f"{LOGIN}:{self.key}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {allowed}":
            raise Refused(self.unauthorized())
        tasks = request.json
        if not isinstance(tasks, list) or len(tasks) != 1:
            raise Refused(task(40000, "You can set only one task at a time."))
        if found := problem(tasks[0], FIELDS, ("keyword", "language_code")):
            raise Refused(task(40501, f"Invalid Field: '{found.field}'."))
        self.spend(1)
        if self.own:
            return task(*self.own)
        return self._page(tasks[0])

    def _page(self, sent):
        question = _decoded(sent["keyword"])
        hits = self.found(question)[: sent["depth"]]
        before = self.items.get(question, [])
        if not hits and not before:
            return task(40102, "No Search Results.")
        start = len(before) + 1
        items = [*before, *(_organic(n, n + start - 1, hit) for n, hit in enumerate(hits, 1))]
        spell = self.spells.get(question)
        result = {
            "keyword": question,
            "se_domain": sent["se_domain"],
            "check_url": "https://www.google.com/search?q=",
            "datetime": "2026-11-21 05:00:00 +00:00",
            "spell": spell and {"keyword": spell, "type": "showing_results_for"},
            "item_types": sorted({item["type"] for item in items}),
            "se_results_count": len(hits),
            "items_count": len(items),
            "items": items,
        }
        return task(20000, "Ok.", [result])


def task(code, words, result=None):
    """200 with one task."""
    one = {"id": "11210500-1535-0139", "status_code": code, "status_message": words}
    whole = _whole(20000, "Ok.") | {"tasks_error": int(code != 20000)}
    return status(200, whole | {"tasks": [{**one, "cost": 0.002, "result": result}]})


def carousel(title, names, kind="carousel", rank=1):
    """A strip of the page's own."""
    tiles = [
        {"type": "carousel_element", "title": name, "subtitle": text, "image_url": None}
        for name, text in names
    ]
    return {"type": kind, "rank_group": 1, "rank_absolute": rank, "title": title, "items": tiles}


def _whole(code, words):
    return {"version": "0.1.20260717", "status_code": code, "status_message": words, "tasks": []}


def _organic(group, absolute, hit):
    return {
        "type": "organic",
        "rank_group": group,
        "rank_absolute": absolute,
        "url": hit.url,
        "title": hit.title,
        "description": hit.text,
    }


def _decoded(keyword):
    return keyword.replace("+", " ").replace("%2B", "+").replace("%25", "%")
