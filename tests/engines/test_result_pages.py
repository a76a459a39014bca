"""Engines that read result pages: a page that answers another question is no answer."""

from pathlib import Path

import pytest

from monitor.engines import _pages
from monitor.engines.search import bing_web, google_web
from monitor.model import Outcome
from tests.cases import check_each
from tests.engines import searching
from tests.engines.services import said
from tests.standins.web import BingLike, GoogleLike
from tests.standins.wire import Request

ASKED = "list of nurses"
FOUND = {ASKED: [("Nurses", "https://nurses.test/", "About")]}


def page_of(app, question):
    answer = app.answer(Request("GET", f"/search?q={question.replace(' ', '+')}", {}, b""))
    return said(answer.status, answer.body, answer.headers.items())


@pytest.mark.parametrize(
    ("engine", "app"),
    [(google_web.ENGINE, GoogleLike({}, FOUND)), (bing_web.ENGINE, BingLike(FOUND))],
)
def test_a_page_about_something_else_is_unreadable(engine, app):
    [right] = engine.parse(page_of(app, ASKED), searching.probes(("List of  NURSES",)))
    [wrong] = engine.parse(page_of(app, ASKED), searching.probes(("list of judges",)))
    assert right.outcome is Outcome.OK
    assert (wrong.outcome, wrong.items) == (Outcome.UNREADABLE, ())
    assert "another question: list of nurses" in wrong.detail


@check_each(
    ("field", "found"),
    [
        (b'<input name="q" value="cats &amp; dogs">', "cats & dogs"),
        (b"<input value='cats' type=text name='q'>", "cats"),
        (b"<textarea class=x name=q>cats</textarea>", "cats"),
        (b'<input name="q" value="list of nurses">', ""),
        (b'<input name="q">', ""),
        (b'<input name="query" value="cats">', ""),
        (b"<p>no field</p>", ""),
    ],
)
def test_what_stands_in_the_search_field(field, found):
    assert _pages.find_other_question(b"<form>" + field + b"</form>", ASKED) == found


def test_real_pages_are_about_what_was_asked(reference_data):
    """Every captured page whose index says what was asked, as the field of the page says it."""
    index = Path(reference_data, "serps", "INDEX.tsv").read_text("utf-8").splitlines()
    rows = [dict(zip(index[0].split("\t"), line.split("\t"), strict=False)) for line in index[1:]]
    kept = [
        r
        for r in rows
        if r["engine"] in ("google", "google-carousel", "bing") and r["state"] == "ok"
    ]
    wrong = {
        row["file"]: found
        for row in kept
        if (
            found := _pages.find_other_question(
                Path(reference_data, "serps", row["file"]).read_bytes(), row["query"].strip('"')
            )
        )
    }
    assert len(kept) > 30
    assert wrong == {}
