"""Walls are told by their own elements, each make by its name; results are stronger than all."""

from monitor.model import Outcome, Reading, Reason
from monitor.pages._html import read_document
from monitor.pages._walls import find_wall, state_of
from tests.cases import check_each

RESULTS = (
    "<input name='q'><div id='search'><div id='rso'><p>a captcha, unusual traffic</p></div></div>"
)
WALLS = [
    ("google_sorry", "<img src='/sorry/image?id=1'><form action='CaptchaRedirect'></form>", ""),
    ("google_sorry", "<form id='captcha-form'><input name='continue' value='x'></form>", ""),
    ("google_sorry", "<p>Weiter</p>", "https://www.google.de/sorry/index?continue=x"),
    ("google_sorry", "<p>x</p>", "http://sorry.google.com/sorry/?continue=x"),
    ("google_sorry", "<a href='https://www.google.com/sorry/index?continue=x'>here</a>", ""),
    (
        "google_enablejs",
        "<noscript><meta http-equiv='refresh' content='0;url=/httpservice/retry/enablejs?sei=x'>",
        "",
    ),
    ("google_enablejs", "<a href='/search?q=x&amp;emsg=SG_REL'>x</a>", ""),
    ("consent", "<p>Avant de continuer</p>", "https://consent.google.com/m?continue=x"),
    ("consent", "<form action='https://consent.google.com/save'><button>x</button></form>", ""),
    ("consent", "<p>x</p>", "https://consent.yahoo.com/v2/collectConsent"),
    ("consent", "<form class='consent-form' method='post'><button>x</button></form>", ""),
    ("ddg_anomaly", "<form id='challenge-form' action='//duckduckgo.com/anomaly.js?x'></form>", ""),
    ("cloudflare", "<script>window._cf_chl_opt={};</script>", ""),
    ("cloudflare", "<input type='hidden' name='cf-turnstile-response'>", ""),
    ("antibot", "<script id='anubis_challenge' type='application/json'>{}</script>", ""),
    ("antibot", "<title>x.example | Verifying your request</title><p>Wait.</p>", ""),
    ("captcha", "<form action='/checkcaptcha?key=x'><input type='submit'></form>", ""),
    ("captcha", "<div class='h-captcha' data-sitekey='x'></div>", ""),
    ("captcha", "<iframe src='https://geo.captcha-delivery.com/captcha/?x'></iframe>", ""),
    ("captcha", "<p>x</p>", "https://search.example/showcaptcha?x=1"),
    ("captcha", "<title>百度安全验证</title><p>…</p>", ""),
    ("rate", "<title>429 Too Many Requests</title><h1>429</h1>", ""),
    ("denied", "<title>403 Forbidden</title>", ""),
]


@check_each(("kind", "body", "url"), WALLS)
def test_each_make_of_wall(kind, body, url):
    page = read_document(body.encode(), url)
    found = find_wall(page, 0)
    assert found is not None
    assert found.outcome is Outcome.BLOCKED
    assert found.detail == kind
    assert found.items == ()
    assert state_of(found) == f"blocked:{kind}"


@check_each(("kind", "body", "url"), WALLS)
def test_a_page_with_results_is_no_wall(kind, body, url):
    assert find_wall(read_document(body.encode(), url), 1) is None, kind


@check_each(
    ("kind", "reason"),
    [
        ("google_sorry", Reason.CAPTCHA),
        ("google_enablejs", Reason.JS_SHELL),
        ("consent", Reason.CONSENT),
        ("rate", Reason.RATE),
    ],
)
def test_reasons(kind, reason):
    body, url = next((body, url) for found, body, url in WALLS if found == kind)
    assert find_wall(read_document(body.encode(), url), 0).reason is reason


@check_each(
    "extra",
    [
        "",
        "<form action='https://consent.google.com/save'></form>",
        "<noscript><a href='/httpservice/retry/enablejs?sei=x'>x</a></noscript>",
        "<script>var a = 'captcha cf-turnstile g-recaptcha /sorry/ enablejs';</script>",
        "<h1>captcha</h1>",
        "<h2>403</h2>",
    ],
)
def test_the_frame_of_a_result_page_is_no_wall_without_results_either(extra):
    assert find_wall(read_document((RESULTS + extra).encode()), 0) is None


def test_an_ordinary_page_is_no_wall():
    assert (
        find_wall(read_document(b"<h1>Wind</h1><form action='/go'><input name='q'></form>"), 0)
        is None
    )
    assert find_wall(read_document(b"x", "http://[broken"), 0) is None


@check_each(
    ("reading", "state"),
    [
        (Reading(Outcome.OK), "ok"),
        (Reading(Outcome.EMPTY, reason=Reason.SUSPECT_EMPTY), "no_results"),
        (Reading(Outcome.BLOCKED, detail="captcha; in a frame"), "blocked:captcha"),
        (Reading(Outcome.UNREADABLE, reason=Reason.JS_SHELL), "js_shell"),
        (Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED), "unreadable"),
    ],
)
def test_states(reading, state):
    assert state_of(reading) == state
