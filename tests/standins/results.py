"""What the stand-ins of search engines share: the results they know, and how a page is cut."""

from typing import NamedTuple

from tests.standins.service import Refused, Service, problem

#: Results that are made up for a question that a stand-in was told nothing about.
MADE_UP = 30


class Hit(NamedTuple):
    """One result: the link's text, the link, the snippet."""

    title: str
    url: str
    text: str = ""


class SearchService(Service):
    """A stand-in of a search engine: subclasses give `answer(request)` and `quota()`.

    Args (besides those of Service):
        results: {question: [Hit]}; an empty list is a question that nothing is found for, and
            what is not in it is answered with made-up results.
        quota_requests: requests per day (`new_day()` begins one), then `quota()`.
    """

    def __init__(self, *, results=None, quota_requests=None, **settings):
        super().__init__(quota_characters=quota_requests, **settings)
        self.results = dict(results or {})

    def found(self, question):
        """All results of a question, best first."""
        if question in self.results:
            return list(self.results[question])
        return [made_up(question, number) for number in range(1, MADE_UP + 1)]

    def fields(self, request, fields, required, refuse):
        """The query of a request, or `refuse(problem)` raised where it is not as documented."""
        query = request.query
        if len(query) != len(request.pairs):
            raise Refused(refuse("a parameter was given twice"))
        if found := problem(query, fields, required):
            raise Refused(refuse(found))
        self.spend(1)
        return query


def made_up(question, number):
    slug = "-".join(question.lower().split())
    return Hit(
        f"{question}, {number}", f"https://www.example.org/{slug}/{number}", f"About {question}."
    )


def number_between(low, high=None):
    """Return a predicate of whole numbers as they stand in an address."""

    def fulfils(value):
        return value.isdecimal() and low <= int(value) and (high is None or int(value) <= high)

    return fulfils
