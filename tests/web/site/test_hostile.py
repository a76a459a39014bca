"""Every page, its JSON and its files, of an archive in which everybody attacks, stay inert."""

import csv
import io
import json
import re
from urllib.parse import urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from monitor.roles import Role
from monitor.web.connections import POLICY
from monitor.web.site.rendering import SHUT
from monitor.web.site.site_state import EntryRule
from tests.web.site.conftest import client_of, log_in
from tests.web.site.crawl import Crawl
from tests.web.site.hostile import TEXTS, add_user
from tests.web.site.routes import known

#: Elements that pages consist of; any other was made by somebody else.
ELEMENTS = frozenset("""
    html head meta title link script body a header nav ul ol li div span main footer p h1 h2 h3 h4
    table caption thead tbody tfoot tr th td form label input select option optgroup button textarea
    fieldset legend details summary section article aside code pre mark b i em strong small sub sup
    bdi
    abbr time dl dt dd figure figcaption img br hr svg g path line rect circle text tspan title desc
    polyline polygon defs use blockquote q kbd var output progress meter colgroup col u s template
""".split())  # fmt: skip
OURS = re.compile(r"(/(?![/\\])|#|\?)[^\s<>\\]*")
LEADS_OUT = re.compile(r"https?://[^\s<>\"'\\]+")
#: Attributes that lead somewhere, or load.
LEADING = frozenset(
    "href src action formaction data poster background cite xlink:href ping".split()
)
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
#: What spreadsheet programs take for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_OF_A_KIND = 3


def visit(client):
    """Asks as a client; links are those of the HTML, and what the API says of the same."""

    def look(address):
        answer = client.get(address)
        if not answer.headers.get("Content-Type", "").startswith("text/html"):
            return answer, []
        links = [] if address.startswith("/api/") else [f"/api/v1{address}"]
        for node in LexborHTMLParser(answer.text).css("[href], [src], [hx-get]"):
            for name in ("href", "src", "hx-get"):
                leads = (node.attributes.get(name) or "").partition("#")[0]
                if leads.startswith("?"):
                    leads = urlsplit(address).path + leads
                if leads.startswith("/") and not leads.startswith("//"):
                    links.append(leads)
        return answer, links

    return look


@pytest.fixture(scope="module")
def crawls(poisoned):
    """{who: what they found}: all that any role may see, and what the public may."""
    everybody = client_of(poisoned(EntryRule.LOGIN), raises=False)
    log_in(everybody, add_user(everybody.site, "all", list(Role)))
    public = client_of(poisoned(EntryRule.PUBLIC), raises=False)
    return {
        who: Crawl(client.app, visit(client), _OF_A_KIND)
        for who, client in (("all", everybody), ("public", public))
    }


@pytest.fixture
def routes(poisoned):
    return list(known(client_of(poisoned(EntryRule.LOGIN)).app))


@pytest.fixture(params=["all", "public"])
def answers(request, crawls):
    return crawls[request.param].answers


def of_type(answers, *types):
    return {
        address: answer
        for address, answer in answers.items()
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith(types)
    }


def test_every_route_was_visited(crawls, routes):
    """Links lead everywhere; whatever none leads to is not looked at here."""
    gets = {route.path for route in routes if route.method == "GET"}
    assert crawls["all"].visited() >= gets - {"/static"}


def test_nothing_fails(answers):
    failed = {a: one.status_code for a, one in answers.items() if one.status_code >= 500}
    assert not failed


def test_links_lead_somewhere(crawls):
    for crawl in crawls.values():
        allowed = {404, 405} if crawl is crawls["public"] else set()
        lost = [
            address
            for address, answer in crawl.answers.items()
            if answer.status_code in {404, 405, 422, 400} - allowed
            and not address.startswith("/api/")  # not every page has one
            and address != "/labels/page"  # leads on from the person that it is given
        ]
        assert not lost


def test_attacks_are_there_to_be_seen(crawls):
    shown = "".join(one.text for one in of_type(crawls["all"].answers, "text/html").values())
    missing = [text for text in TEXTS if "script" in text and "alert(1)" not in shown]
    assert not missing
    assert shown.count("&lt;script&gt;") > 50
    assert "7*7" in shown
    assert "[U+202E]" in shown


def pages(answers):
    """{address: page} of the site itself; others are documents that are shut in a sandbox."""
    return {
        address: LexborHTMLParser(answer.text)
        for address, answer in of_type(answers, "text/html").items()
        if answer.headers["Content-Security-Policy"] == POLICY
    }


def test_documents_of_their_own_are_shut_in(answers):
    """Reports and claim cards are files with their own style sheet; tests/report attacks them."""
    own = pages(answers)
    for address, answer in of_type(answers, "text/html").items():
        if address not in own:
            policy = answer.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'"), address
            assert "sandbox" in policy, address
            assert "script-src" not in policy, address
            assert not LexborHTMLParser(answer.text).css("script, iframe, object, embed, base")


def test_pages_consist_of_our_elements(answers):
    for address, page in pages(answers).items():
        for node in page.css("*"):
            assert node.tag in ELEMENTS, (address, node.tag, node.html[:200])


def test_no_attribute_does_anything(answers):
    for address, page in pages(answers).items():
        for node in page.css("*"):
            for name, value in node.attributes.items():
                place = (address, node.tag, name, value)
                assert not name.startswith(("on", "hx-on")), place
                assert name not in ("style", "srcdoc", "http-equiv", "is", "nonce"), place
                assert re.fullmatch(r"[a-zA-Z][a-zA-Z0-9:_-]*", name), place
                if name in LEADING or name in ("hx-get", "hx-post"):
                    _leads_well(node, value or "", place)
                if name in ("class", "id", "for", "name", "hx-target", "hx-trigger", "hx-swap"):
                    assert not re.search(r"[<>]|alert|evil", value or ""), place


def _leads_well(node, value, place):
    if OURS.fullmatch(value) or value == "":
        return
    assert LEADS_OUT.fullmatch(value), place
    assert node.tag == "a", place
    assert {"noopener", "noreferrer", "nofollow"} <= set(node.attributes["rel"].split()), place


def test_scripts_and_sheets_are_ours(answers):
    for address, page in pages(answers).items():
        for node in page.css("script"):
            assert (node.attributes.get("src") or "").startswith("/static/"), address
            assert not node.text().strip(), address
        for node in page.css("link"):
            ours = ("/static/", "/site.css", "/changes.atom")
            assert node.attributes["href"].startswith(ours), address
        assert not page.css("base, iframe, object, embed, frame, meta[http-equiv]"), address


def test_what_moves_a_terminal_or_turns_text_is_shown_by_its_code(answers):
    for address, answer in of_type(answers, "text/html").items():
        found = UNSEEN.search(answer.text)
        around = answer.text[max(0, found.start() - 80) : found.end() + 20] if found else ""
        assert not found, (address, around)


def test_json_is_nothing_else(answers):
    found = of_type(answers, "application/json")
    assert found
    for answer in found.values():
        json.loads(answer.text)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_cell_is_a_formula(answers):
    for address, answer in of_type(answers, "text/csv").items():
        assert answer.headers["Content-Disposition"].startswith("attachment; ")
        assert answer.headers["Content-Security-Policy"] == SHUT
        rows = list(csv.reader(io.StringIO(answer.text, newline="")))
        assert len({len(row) for row in rows}) == 1, address
        for row in rows:
            for cell in row:
                assert not cell.startswith(FORMULA) or _is_number(cell), (address, cell)


def _is_number(cell):
    return re.fullmatch(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", cell) is not None


def test_whatever_is_sent_has_a_type_and_a_policy(answers):
    for address, answer in answers.items():
        kind = answer.headers.get("Content-Type", "")
        policy = answer.headers["Content-Security-Policy"]
        if answer.status_code == 200 and answer.content:
            assert kind, address
        if kind.startswith(("text/html", "image/svg", "application/xml", "text/xml")):
            is_ours = address.startswith(("/static/", "/api/"))
            assert policy == POLICY or "sandbox" in policy or is_ours, (address, policy)
