"""All routes of the web pages, with paths that can be asked for."""

import re
from dataclasses import dataclass

import pytest
from fastapi.routing import APIRoute

from monitor.roles import Permission
from monitor.web.site.visitors import require_form_mark

#: For tests whose numbers come from SQL.
ON_BOTH = pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)

#: What stands for the parts of a path; numbers unless they are here.
PARTS = {
    "measure": "masculine_rate",
    "name": "x",
    "file": "x",
    "week": "2025-W05",
    "job": "mt-weekly",
    "form": "html",
}
#: Open to everybody: who is not let in has to be able to log in; what runs us asks for a sign of
#: life; the shape of the API tells nothing of what is in it.
OPEN = {"/login", "/logout", "/site.css", "/static", "/healthz", "/api/v1/openapi.json"}
#: Of whoever has logged in, whatever their roles.
OWN = {"/account", "/account/password", "/account/tokens/{number}/revoke"}
#: What all others need, by what is asked for: a route is written here before it is served. Pages
#: are read by programs as well, below /api/v1; whatever else has no twin there.
PAGES = {
    Permission.NUMBERS: """
        /changes /changes/{number} /compare /evidence/{number} /methods /methods/{measure}
        /points/{number} /professions /query /reports /runs /runs/{number} /runs/{number}/answers
        /runs/{number}/texts/{corpus} /search
        /series /series/{number} /series/{number}/ticks/{run} /stereotypes
    """,
    Permission.EMBARGOED: "/labels/agreement",
    Permission.OPERATE: "/operations",
}
OTHERS = {
    Permission.NUMBERS: """
        GET /changes.atom GET / GET /api/v1/overview GET /api/v1/series/{number}/points
        GET /changes/{number}/card/{form} GET /points/{number}/card/{form} GET /professions.csv
        GET /reports/{number}/{form} GET /runs/{number}/report GET /series/{number}.csv
        GET /series/{number}.png GET /stereotypes.csv
    """,
    Permission.EMBARGOED: """
        GET /labels/agreement.csv GET /labels/disagreements.csv GET /metrics GET /readyz
    """,
    Permission.CAPTURED: "GET /evidence/{number}/screenshot",
    Permission.RAW: "GET /api/v1/evidence/{number}/body POST /account/tokens",
    Permission.LABEL: "GET /labels GET /labels/page POST /labels POST /labels/begin",
    Permission.DONATE: """
        GET /donate POST /donate/add POST /donate/check POST /donate/discard POST /donate/erase
    """,
    Permission.OPERATE: "GET /operations/{action} POST /operations/pause POST /operations/resume",
}
#: What changes something without the mark of a form: nobody has one yet, or it is looked for in a
#: form with a file, which is read only after it is known who sends it.
UNMARKED = {"/login", "/donate/check"}


@dataclass(frozen=True)
class Known:
    """A route: its path as it is declared, one that fits, and what it needs."""

    method: str
    path: str
    sample: str
    permissions: frozenset
    is_marked: bool

    def __str__(self):
        return f"{self.method} {self.path}"


def declared():
    """{(method, path): permission} of the tables above."""
    found = {}
    for permission, paths in PAGES.items():
        for path in paths.split():
            found |= {("GET", path): permission, ("GET", f"/api/v1{path}"): permission}
    for permission, words in OTHERS.items():
        one = words.split()
        found |= dict.fromkeys(zip(one[::2], one[1::2], strict=True), permission)
    return found


def app_of(application):
    """The application within the guard and the finished pages."""
    return application._app._app


def known(application):
    """Every route of an application with each of its methods."""
    for route in app_of(application).routes:
        if not isinstance(route, APIRoute):
            path = getattr(route, "path", "?")
            yield Known("GET", path, path, frozenset(), False)
            continue
        calls = set(_calls(route.dependant))
        needed = frozenset(
            call.permission for call in calls if getattr(call, "permission", None) is not None
        )
        for method in sorted(route.methods - {"HEAD"}):
            yield Known(method, route.path, sample(route.path), needed, require_form_mark in calls)


def _calls(dependant):
    for one in dependant.dependencies:
        yield one.call
        yield from _calls(one)


def sample(path, number="1"):
    """A path with something in place of its parts."""
    return re.sub(r"\{(\w+)(:\w+)?\}", lambda found: PARTS.get(found[1], number), path)
