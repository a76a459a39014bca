"""Completions of Google, Bing and DuckDuckGo, as each answers browsers (OpenSearch suggestions)."""

from tests.standins.faults import status
from tests.standins.service import Refused, Service, is_filled, one_of, problem

#: {path: (the parameter with the question, {further parameter: predicate})}
SERVICES = {
    "/complete/search": (
        "q",
        {"client": one_of("firefox"), "hl": is_filled, "gl": is_filled, "ie": one_of("utf-8"),
         "oe": one_of("utf-8")},
    ),
    "/osjson.aspx": ("query", {"mkt": is_filled}),
    "/ac/": ("q", {"type": one_of("list"), "kl": is_filled}),
}  # fmt: skip


class Suggestions(Service):
    """All three services at their paths.

    Args (besides those of Service):
        completions: {question: [completion]}; what is not in it has none.
    """

    def __init__(self, completions=None, **settings):
        super().__init__(**settings)
        self.completions = dict(completions or {})

    def answer(self, request):
        if request.method != "GET" or request.path not in SERVICES:
            raise Refused(status(404, {"error": "not found"}))
        name, further = SERVICES[request.path]
        if problem(request.query, {name: is_filled, **further}, (name,)):
            raise Refused(status(400, {"error": "bad request"}))
        question = request.query[name]
        content = [question, self.completions.get(question, [])]
        if request.path == "/complete/search":
            content += [[], {"google:suggestsubtypes": [[512] for _ in content[1]]}]
        return status(200, content)
