"""A site with a search of its own, as a shop or an archive has one."""

import html

from tests.standins.results import SearchService
from tests.standins.service import Refused
from tests.standins.web import page


class Site(SearchService):
    """`GET /search?q=&lang=&c=`.

    Args (besides those of SearchService):
        layout: what a result is: `hit`, or another class after a redesign.
    """

    def __init__(self, *, layout="hit", **settings):
        super().__init__(**settings)
        self.layout = layout

    @staticmethod
    def wall():
        """A wall of the site's own make, with the status of a success."""
        return page("One moment", '<body><div id="gate">Please press and hold.</div></body>')

    @staticmethod
    def quota():
        return page("Slow down", "<body><h1>Too many requests</h1></body>", 429)

    @staticmethod
    def failed():
        return page("Oops", "<body><h1>Out of order</h1></body>", 500)

    def answer(self, request):
        if (request.method, request.path) != ("GET", "/search") or "q" not in request.query:
            raise Refused(page("Not found", "<body><h1>404</h1></body>", 404))
        self.spend(1)
        question = request.query["q"]
        rows = "".join(self._row(hit) for hit in self.found(question))
        none = "<p class='none'>Nothing fits.</p>"
        # one for scripts is always there, and not to be seen
        ready = f"<template>{none}</template><div hidden>{none}</div>"
        body = f"<body><main>{rows or none}</main>{ready}</body>"
        return page(f"{question} - search", body)

    def _row(self, hit):
        title, url, text = map(html.escape, hit)
        return (
            f"<article class='{self.layout}'><h2><a href='{url}'>{title}</a></h2>"
            f"<p class='about'>{text}</p></article>"
        )
