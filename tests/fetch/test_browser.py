"""A real Chromium on loopback: what is read, what is seen, and all that pages do to a browser."""

import json
import logging
import os
import signal
import socket
import threading
import time
from collections import deque
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from monitor import parameters
from monitor.engines.search import google_web
from monitor.fetch import _browser_watch
from monitor.fetch import browser as chromium
from monitor.fetch._browser_pool import Display
from monitor.fetch.browser import BrowserFetcher, BrowserWay
from monitor.model import HttpRequest, Outcome, PageRequest, Pause, Probe, Reason, Region
from monitor.pages._google_overview import find_overviews, read_overview
from monitor.pages._html import read_document
from tests.browser import required
from tests.cases import check_each
from tests.standins import http2, serve
from tests.standins.sites import Site

AUSTIN = Region(
    "us", "US", "en", "en-US", "America/Chicago", "en-US,en;q=0.9", 30.27, -97.74
)  # fmt: skip
WAY = BrowserWay(seconds=20, patience=3)
BUTTONS = (("reject", "#reject"), ("accept", "#accept"))
LIMIT = 60.0

OK = (Outcome.OK, Reason.NONE)
REFUSED = (Outcome.FAILED, Reason.REFUSED)
UNREACHABLE = (Outcome.FAILED, Reason.UNREACHABLE)
TRUNCATED = (Outcome.FAILED, Reason.TRUNCATED)
CRASHED = (Outcome.FAILED, Reason.CRASHED)
MALFORMED = (Outcome.UNREADABLE, Reason.MALFORMED)
OVERSIZE = (Outcome.UNREADABLE, Reason.OVERSIZE)
TIMEOUT = (Outcome.TIMEOUT, Reason.NONE)


@pytest.fixture(scope="module", autouse=True)
def browser():
    """Without a browser this module has nothing to say; where it is required that is a failure."""
    return required()


@pytest.fixture(scope="module")
def site():
    with serve(Site()) as running:
        yield running


def page(site, path, region=AUSTIN, **fields):
    return PageRequest(site.url + path, region, **{"consent": BUTTONS, **fields})


def ask(*requests, way=WAY):
    """The answers in the order of their requests."""
    found = dict(BrowserFetcher(way).fetch(requests))
    return [found[index] for index in sorted(found)]


def said(answer):
    return answer.outcome, answer.reason


def seen(answer, name):
    return dict(answer.observed)[name]


def alive(pid):
    """Whether a process runs; one that nobody has taken note of the end of does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def descendants(root=None):
    """Processes that this one has started, and theirs: {pid: command}."""
    parents, commands = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            commands[int(folder.name)] = (
                (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            )
        except OSError:
            continue
        parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
    found, ours = {}, {root or os.getpid()}
    while new := {pid for pid, parent in parents.items() if parent in ours and pid not in found}:
        found |= {pid: commands.get(pid, "") for pid in new}
        ours |= new
    return {pid: command for pid, command in found.items() if alive(pid)}


def browsers():
    """The browsers' own processes: not those that a browser has started itself."""
    return [
        pid
        for pid, command in descendants().items()
        if "--remote-debugging-pipe" in command and "--type=" not in command
        and not command.startswith("/bin/sh")
    ]  # fmt: skip


class KeptBrowser:
    """A browser that stays open from test to test: to start one takes longer than a page."""

    def __init__(self):
        self._waiting, self._answers, self._before = deque(), None, set()

    def read(self, *requests):
        """The answers in the order of their requests."""
        if self._answers is None:
            self._before = set(descendants())
            self._answers = BrowserFetcher(replace(WAY, pages=1_000)).fetch(self._requests())
        self._waiting.extend(requests)
        answers = dict(next(self._answers) for _ in requests)
        return [answers[index] for index in sorted(answers)]

    def _requests(self):
        while True:
            yield self._waiting.popleft() if self._waiting else Pause(0.05)

    def close(self):
        """End it and see that nothing of it is left."""
        if self._answers is not None:
            self._answers.close()
            self._answers = None
            wait_until_ended(self._before)


def wait_until_ended(before):
    """Wait until there are no more processes than these."""
    until = time.monotonic() + 10
    while left := {pid: c for pid, c in descendants().items() if pid not in before}:
        assert time.monotonic() < until, left
        time.sleep(0.05)


@pytest.fixture(scope="module")
def kept_browser():
    browser = KeptBrowser()
    yield browser
    browser.close()


@pytest.fixture
def read(kept_browser):
    """Reads pages as `ask` does, in the browser of the tests before: for pages that harm none."""
    return kept_browser.read


@pytest.fixture(autouse=True)
def nothing_is_left(request, caplog, kept_browser):
    """No test leaves a browser, a driver or a complaint of the event loop behind.

    The browser of `read` is the exception, and ends before a test that does not use it.
    """
    is_kept = "read" in request.fixturenames
    if not is_kept:
        kept_browser.close()
    before = set(descendants())
    yield
    assert not [
        record
        for record in caplog.records
        if record.name == "asyncio" and record.levelno >= logging.ERROR
    ]
    if not is_kept:
        wait_until_ended(before)


# --- what is kept of a page ---------------------------------------------------------------------


def test_a_result_page(site, read):
    began = datetime.now(UTC)
    [answer] = read(page(site, "/result", ready=("#never", "#search")))
    assert said(answer) == OK
    assert (answer.status, answer.url, answer.egress) == (200, site.url + "/result", "direct")
    assert answer.body.startswith(b"<!DOCTYPE html><html")
    assert b'data-ran="yes"' in answer.body  # its script has run
    assert answer.screenshot.startswith(b"\x89PNG")
    assert width_and_height(answer.screenshot)[0] == 1366
    assert 900 < width_and_height(answer.screenshot)[1] < 8000
    assert began <= answer.asked_at <= began + timedelta(seconds=answer.took + 30)
    assert 0 < answer.took < LIMIT
    facts = dict(answer.observed)
    assert int(facts.pop("bytes")) > 7000
    assert facts == {
        "consent": "none", "dialogs": "0", "downloads": "0", "lang": "en", "loaded": "yes",
        "navigations": "1", "popups": "0", "redirects": "0", "requests": "4", "screenshot": "yes",
        "stopped": "no", "viewport": "1366x900",
    }  # fmt: skip
    agent = dict(answer.agent)
    assert agent["browser"].partition("/")[0] in ("HeadlessChrome", "Chrome")
    assert agent["shown"] == "headless"
    assert "HeadlessChrome" in agent["user_agent"]  # it says what it is
    assert agent["user_agent"] == site.requests[0].headers["user-agent"]


def width_and_height(png):
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_from_where_in_which_language_and_on_which_screen(site, read):
    vienna = Region(
        "at", "AT", "de", "de-AT", "Europe/Vienna", "de-AT,de;q=0.9", 48.2, 16.37, 800, 600
    )  # fmt: skip
    [answer] = read(page(site, "/place", vienna, ready=("#there",)))
    assert b">48.2,16.37,Europe/Vienna,de-AT,de,800,true</p>" in answer.body
    assert site.requests[-1].headers["accept-language"] == "de-AT,de;q=0.9"
    assert seen(answer, "viewport") == "800x600"


def test_a_region_that_does_not_exist(site, read):
    nowhere = Region("xx", "XX", "xx", "en-US", "Mars/Olympus", "en", 0, 0)
    far = Region("xx", "XX", "xx", "en-US", "UTC", "en", 400, 0)
    first, second, third = read(*(page(site, "/plain", one) for one in (nowhere, far, AUSTIN)))
    assert said(first) == said(second) == REFUSED
    assert "Mars/Olympus" in first.detail
    assert said(third) == OK


def test_each_page_is_a_strangers(site, read):
    answers = read(page(site, "/strangers"), page(site, "/strangers"), page(site, "/strangers"))
    assert all(b"<title>,0</title>" in answer.body for answer in answers)
    assert all("cookie" not in request.headers for request in site.requests)


def test_headers_without_what_names_us(site, read):
    [answer] = read(page(site, "/headers"))
    headers = dict(answer.headers)
    assert headers["x-kept"] == "yes"
    assert "set-cookie" not in headers


def test_redirections_are_counted(site, read):
    [answer] = read(page(site, "/once"))
    assert (said(answer), answer.url) == (OK, site.url + "/plain")
    assert (seen(answer, "redirects"), answer.status) == ("2", 200)


def test_no_service_worker(site, read):
    [answer] = read(page(site, "/worker"))
    assert b"<title>none</title>" in answer.body
    assert not any("service-worker" in request.headers for request in site.requests)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/latin", "caf\u00e9"),
        ("/broken-utf8", "\ufffd\ufffd caf\ufffd"),
        ("/nul", "<p>ab</p>"),
        ("/names", "\u05de\u05e8\u05d9\u05dd \u202e \u0641\u0627\u0637\u0645\u0629"),
        ("/half-pairs", "a\ufffdb"),
        ("/clobbered", "kept"),
    ],
)
def test_odd_texts_come_as_utf_8(site, read, path, part):
    [answer] = read(page(site, path, ready=("p", "body")))
    assert said(answer) == OK
    assert part in answer.body.decode()


# --- consent ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/dialog", "/wall"])
@pytest.mark.parametrize("choice", ["reject", "accept"])
def test_the_first_choice_is_made_and_recorded(site, read, path, choice):
    buttons = BUTTONS if choice == "reject" else BUTTONS[::-1]
    [answer] = read(page(site, path, consent=buttons, ready=("#search",)))
    assert said(answer) == OK
    assert seen(answer, "consent") == choice
    assert b"Result 19" in answer.body
    chosen = f'data-chosen="{choice}"'.encode() in answer.body
    assert chosen or answer.url.endswith(f"/result?chosen={choice}")


def test_a_wall_that_comes_late(site, read):
    [answer] = read(page(site, "/late-dialog"))
    assert seen(answer, "consent") == "reject"
    assert b"<title>chosen</title>" in answer.body


def test_a_wall_without_a_known_button_is_left_to_the_reader_of_the_page(site, read):
    [answer] = read(page(site, "/wall-without-button", ready=("#search",)))
    assert said(answer) == OK
    assert seen(answer, "consent") == "none"
    assert b"Before you continue" in answer.body


@pytest.mark.parametrize(
    ("path", "words"), [("/covered", "reject (failed)"), ("/stubborn", "reject (without effect)")]
)
def test_a_button_that_does_nothing(site, read, path, words, monkeypatch):
    monkeypatch.setattr("monitor.fetch._browser_visit._CLICK_SECONDS", 1.0)
    [answer] = read(page(site, path))
    assert said(answer) == OK
    assert seen(answer, "consent") == words


# --- connections --------------------------------------------------------------------------------


def test_what_cannot_be_reached(read, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and never listens
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        answers = read(PageRequest(closed, AUSTIN), PageRequest("http://nowhere.invalid/", AUSTIN))
    assert [said(answer) for answer in answers] == [UNREACHABLE, UNREACHABLE]
    assert [answer.detail for answer in answers] == [
        "ERR_CONNECTION_REFUSED",
        "ERR_NAME_NOT_RESOLVED",
    ]
    assert [(answer.body, answer.status) for answer in answers] == [(b"", None)] * 2
    assert answers[0].url == closed


def test_a_certificate_of_nobody(read, tmp_path):
    with http2.serve(http2.certificate(tmp_path), 1) as running:
        [answer] = read(PageRequest(f"{running.url}/", AUSTIN))
    assert (said(answer), answer.detail) == (UNREACHABLE, "ERR_CERT_AUTHORITY_INVALID")


@pytest.mark.parametrize(
    ("path", "outcome", "detail", "part"),
    [
        ("/loop", REFUSED, "ERR_TOO_MANY_REDIRECTS", b""),
        ("/to-file", REFUSED, "ERR_UNSAFE_REDIRECT", b""),
        ("/half-a-page", TRUNCATED, "ERR_CONTENT_LENGTH_MISMATCH", b"half of it"),
        ("/half-a-chunk", TRUNCATED, "ERR_INCOMPLETE_CHUNKED_ENCODING", b"half of it"),
        ("/cut", TRUNCATED, "ERR_EMPTY_RESPONSE", b""),
        ("/garbage", MALFORMED, "ERR_CONTENT_DECODING_FAILED", b""),
    ],
)
def test_connections_that_go_wrong(site, read, path, outcome, detail, part):
    [answer] = read(page(site, path))
    assert (said(answer), answer.detail) == (outcome, detail)
    assert part in answer.body


@check_each("url", ["file:///etc/passwd", "chrome://crash", "data:text/html,x",
                                 "http://", "http://[", "about:blank", ""])  # fmt: skip
def test_what_is_not_the_web_is_not_opened(read, url):
    [answer] = read(PageRequest(url, AUSTIN))
    assert (said(answer), answer.body, answer.url) == (REFUSED, b"", url)


@pytest.mark.parametrize("path", ["/files", "/settings", "/to-data"])
def test_a_page_cannot_lead_out_of_the_web(site, read, path):
    [answer] = read(page(site, path))
    assert (said(answer), answer.url) == (OK, site.url + path)
    assert b"root:" not in answer.body


def test_a_page_that_makes_its_own_successor(site, read):
    [answer] = read(page(site, "/to-blob"))
    assert said(answer) == MALFORMED
    assert "blob:" in answer.detail


# --- what is no page ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/pdf", "a download (application/pdf)"),
        ("/download", "a download (application/octet-stream)"),
        ("/picture", "'image/png' in the place"),
        ("/text", "'text/plain' in the place"),
    ],
)
def test_other_kinds_of_answers(site, read, path, words):
    [answer] = read(page(site, path))
    assert (said(answer), answer.status) == (MALFORMED, 200)
    assert words in answer.detail
    assert dict(answer.headers)["content-type"]


@pytest.mark.parametrize(
    ("path", "status", "part"),
    [
        ("/missing", 404, b"not here"),
        ("/limited", 429, b"slow down"),
        ("/broken", 500, b""),
        ("/locked", 401, b"who?"),
        ("/nothing", 204, b""),
        ("/empty", 200, b"<body></body>"),
    ],
)
def test_the_engine_judges_by_the_status(site, read, path, status, part):
    [answer] = read(page(site, path))
    assert (said(answer), answer.status) == (OK, status)
    assert part in answer.body
    assert answer.body == b"" or status != 204


def test_an_old_answer_out_of_a_cache(site, read):
    [answer] = read(page(site, "/stale"))
    assert said(answer) == (Outcome.UNREADABLE, Reason.STALE)


# --- time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "part"),
    [("/hang", b""), ("/begun", b"the beginning"), ("/hog", b"before"), ("/late-hog", b"all")],
)
def test_what_takes_too_long_is_kept_as_far_as_it_came(site, path, part, monkeypatch):
    monkeypatch.setattr("monitor.fetch._browser_visit._READ_SECONDS", 2.0)
    began = time.monotonic()
    hard, easy = ask(page(site, path), page(site, "/plain"), way=BrowserWay(seconds=4))
    assert said(hard) == TIMEOUT
    assert part in hard.body
    assert said(easy) == OK
    assert time.monotonic() - began < LIMIT


def test_a_part_that_never_comes_is_not_waited_for(site):
    [answer] = ask(page(site, "/never-ready"), way=BrowserWay(patience=0.5))
    assert (said(answer), seen(answer, "loaded")) == (OK, "no")
    assert answer.took < 20


def test_a_page_that_is_never_ready_is_read_all_the_same(site):
    [answer] = ask(page(site, "/plain", ready=("#search",)), way=BrowserWay(patience=0.5))
    assert said(answer) == OK


@check_each(
    ("path", "words", "outcome", "text"),
    [
        ("/overview-late", "came after ", "shown", "Ada wove."),
        ("/overview-never", "did not come within 1.5 s", "loading", ""),
        ("/overview-declined", "none announced", "declined", ""),
        ("/overview-there", "none announced", "shown", "Ada wove."),
        ("/plain", "none announced", None, None),
    ],
)
def test_an_overview_that_is_loaded_after_the_page_is_waited_for(
    site, read, path, words, outcome, text
):
    probe = Probe("x", "en", region=AUSTIN.name, parameters=AUSTIN.parameters)
    config = parameters.fill_defaults(
        google_web.ENGINE.parameters, {"opt_in": True, "overview_wait": 1.5}
    )
    awaited = google_web.ENGINE.request([probe], config).awaited
    [answer] = read(page(site, path, ready=("body",), awaited=awaited))
    assert said(answer) == OK
    assert seen(answer, "ai_overview").startswith(words)
    hits = read_overview(document := read_document(answer.body), find_overviews(document))
    assert [(hit.state, hit.text) for hit in hits] == ([(outcome, text)] if outcome else [])


def test_a_page_that_moves_on(site, read):
    [answer] = read(page(site, "/moves"))
    assert (said(answer), answer.url) == (OK, site.url + "/plain")
    assert b"hello" in answer.body


@pytest.mark.parametrize("path", ["/refresh", "/restless"])
def test_a_page_that_moves_on_for_ever(site, path):
    # never ready, and awaited for long: only the count of its moves ends it, however slow they are
    [answer] = ask(
        page(site, path, ready=("#never",)), way=BrowserWay(seconds=LIMIT, patience=LIMIT)
    )
    assert said(answer) == REFUSED
    assert "more than 20 times" in answer.detail


# --- excess -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "limit"),
    [("/alerts", "dialogs"), ("/popups", "popups"), ("/many-parts", "requests"),
     ("/frames", "frames")],
)  # fmt: skip
def test_a_storm_is_stopped_and_the_page_read(site, path, limit):
    [answer] = ask(page(site, path, ready=("#never",)))
    assert (said(answer), seen(answer, "stopped")) == (OK, limit)
    assert b"<p>all</p>" in answer.body


def test_many_parts_are_not_all_asked_for(site):
    before = len(site.requests)
    ask(page(site, "/many-parts"), way=BrowserWay(most_requests=20))
    assert len(site.requests) - before < 800


@pytest.mark.parametrize("path", ["/fat-parts", "/fat-frame"])
def test_the_bytes_of_all_parts_are_counted(site, path):
    way = BrowserWay(most_page_bytes=4_000_000, seconds=20)
    [answer] = ask(page(site, path, ready=("#never",)), way=way)
    assert (said(answer), seen(answer, "stopped")) == (OK, "bytes")
    assert b"all" in answer.body
    assert int(seen(answer, "bytes")) > 4_000_000


@pytest.mark.parametrize("path", ["/big", "/bomb", "/grows"])
def test_a_document_without_end_is_cut(site, path):
    [answer] = ask(page(site, path), way=BrowserWay(most_bytes=1_000_000, seconds=20))
    assert said(answer) == OVERSIZE
    assert answer.detail == "cut at 1,000,000 bytes"
    assert len(answer.body) <= 1_000_000
    assert answer.body or path != "/grows"
    assert int(seen(answer, "bytes")) < 1_000_000_000  # of two, however quick the machine


def test_a_page_without_end_has_a_picture_with_one(site):
    [answer] = ask(page(site, "/endless-scroll"))
    assert said(answer) == OK
    assert width_and_height(answer.screenshot) == (1366, 8000)


@pytest.mark.parametrize(
    ("path", "name", "number"),
    [("/one-alert", "dialogs", "2"), ("/one-popup", "popups", "1"),
     ("/starts-download", "downloads", "1")],
)  # fmt: skip
def test_what_pages_want_and_do_not_get(site, path, name, number):
    [answer] = ask(page(site, path))
    assert (said(answer), seen(answer, name)) == (OK, number)
    assert seen(answer, "stopped") == "no"


# --- browsers -----------------------------------------------------------------------------------


def test_answers_come_as_they_arrive_with_the_number_of_their_request(site):
    asked = [page(site, "/hang"), page(site, "/plain"), HttpRequest("GET", site.url)]
    with pytest.raises(TypeError, match="not a request of this kind, PageRequest"):
        list(BrowserFetcher(WAY).fetch(asked))
    order = [index for index, _ in BrowserFetcher(BrowserWay(seconds=3)).fetch(asked[:2])]
    assert order == [1, 0]


def test_what_comes_during_a_pause_is_handed_over_before_its_end(site):
    story = []

    def requests():
        yield page(site, "/plain")
        yield Pause(LIMIT)
        story.append("asked again")
        yield Pause(0.01)
        yield page(site, "/plain")

    began = time.monotonic()
    for index, _ in BrowserFetcher(WAY).fetch(requests()):
        story.append(index)
    assert story == [0, "asked again", 1]
    assert time.monotonic() - began < LIMIT / 2


def test_nothing_asked_starts_nothing():
    assert list(BrowserFetcher(WAY).fetch([Pause(0.01)])) == []


def test_no_more_pages_at_a_time_than_allowed():
    lock, most, now = threading.Lock(), [0], [0]
    inner = Site()

    def counting(request, wire):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.6)  # two pages open that far apart on a busy machine
        with lock:
            now[0] -= 1
        inner(request, wire)

    with serve(counting) as running:
        answers = ask(*[page(running, "/plain")] * 5, way=BrowserWay(in_flight=2))
    assert [said(answer) for answer in answers] == [OK] * 5
    assert most[0] == 2


def test_a_browser_is_replaced_after_so_many_pages(site):
    pids = []

    def requests():
        for _ in range(5):
            yield page(site, "/plain")
            yield Pause(LIMIT)

    for _, answer in BrowserFetcher(BrowserWay(pages=2)).fetch(requests()):
        assert said(answer) == OK
        pids += browsers()
    assert len(set(pids)) == 3


def test_a_browser_that_is_killed(site):
    hanging = threading.Event()

    def requests():
        yield page(site, "/hang")
        until = time.monotonic() + LIMIT
        while not any(request.path == "/hang" for request in site.requests[before:]):
            assert time.monotonic() < until
            yield Pause(0.05)
        [pid] = browsers()
        os.kill(pid, signal.SIGKILL)
        hanging.set()
        yield Pause(LIMIT)
        yield page(site, "/plain")

    before = len(site.requests)
    killed, following = [answer for _, answer in BrowserFetcher(WAY).fetch(requests())]
    assert hanging.is_set()
    assert (said(killed), said(following)) == (CRASHED, OK)
    assert killed.took < WAY.seconds


def test_a_driver_that_is_killed(site):
    def requests():
        yield page(site, "/plain")
        yield Pause(LIMIT)
        [driver] = [pid for pid, command in descendants().items() if "run-driver" in command]
        os.kill(driver, signal.SIGKILL)
        yield page(site, "/plain")
        yield Pause(LIMIT)
        yield page(site, "/plain")

    first, second, third = [answer for _, answer in BrowserFetcher(WAY).fetch(requests())]
    assert (said(first), said(third)) == (OK, OK)
    assert said(second) == CRASHED


def test_a_pages_process_that_dies(site):
    def requests():
        yield page(site, "/hang")
        yield page(site, "/never-ready")
        until = time.monotonic() + LIMIT
        while sum(request.path == "/hang" for request in site.requests[before:]) < 2:
            assert time.monotonic() < until
            yield Pause(0.05)
        for pid, command in descendants().items():
            if "--type=renderer" in command:
                os.kill(pid, signal.SIGKILL)
        yield Pause(LIMIT)
        yield Pause(LIMIT)
        yield page(site, "/plain")

    before = len(site.requests)
    way = BrowserWay(seconds=8, patience=8)
    found = dict(BrowserFetcher(way).fetch(requests()))
    assert said(found[1]) == CRASHED
    assert said(found[2]) == OK


def test_a_browser_that_does_not_start(site, tmp_path):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho no such library >&2\nexit 1\n")
    broken.chmod(0o755)
    [answer] = ask(page(site, "/plain"), way=BrowserWay(chromium=str(broken)))
    assert said(answer) == CRASHED
    assert answer.detail.startswith("no browser: ")


def test_a_browser_that_is_gone(site, tmp_path):
    [answer] = ask(page(site, "/plain"), way=BrowserWay(chromium=str(tmp_path / "none")))
    assert said(answer) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "MONITOR_CHROMIUM" in answer.detail


def test_who_stops_listening_leaves_no_browser(site):
    """The fixture around every test looks for what is left."""
    found = BrowserFetcher(WAY).fetch(page(site, path) for path in ("/plain", "/hang", "/hog"))
    assert next(found)[0] == 0
    assert browsers()
    found.close()
    assert not browsers()


def test_who_goes_away_while_a_browser_starts_leaves_none(site):
    def requests():
        yield page(site, "/plain")
        yield Pause(0.02)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        list(BrowserFetcher(WAY).fetch(requests()))
    assert not browsers()


def test_no_page_logs_its_address(site, caplog):
    with caplog.at_level(logging.DEBUG):
        ask(page(site, "/plain?q=a-question"))
    assert "a-question" not in caplog.text


def test_everything_goes_through_the_proxy(site):
    asked = []

    def proxy(request, wire):
        asked.append(request.target)
        Site()(request, wire)

    with serve(proxy) as running:
        way = BrowserWay(proxy=running.url, exit="lab")
        [answer] = ask(PageRequest("http://nowhere.invalid/result", AUSTIN), way=way)
    assert (said(answer), answer.egress) == (OK, "lab")
    assert "http://nowhere.invalid/style.css" in asked
    assert len(asked) == 4


def test_the_environment_names_no_proxy(site, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:1")
    [answer] = ask(page(site, "/plain"))
    assert said(answer) == OK


# --- with a window ------------------------------------------------------------------------------


@pytest.fixture
def lookalike(tmp_path, monkeypatch):
    """A stand-in of Xvfb, and a browser that shows which display it was given."""
    xvfb = tmp_path / "Xvfb"
    xvfb.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/asked\necho 98 > /proc/self/fd/$2\nexec sleep 600\n'
    )
    chrome = tmp_path / "chromium"
    chrome.write_text(
        f'#!/bin/sh\necho "$DISPLAY" > {tmp_path}/display\nexec {chromium.find_chromium()} "$@"\n'
    )
    for path in (xvfb, chrome):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def test_a_display_is_started_given_and_stopped(site, lookalike):
    way = BrowserWay(chromium=str(lookalike / "chromium"))
    asked = [page(site, "/plain", headed=True), page(site, "/plain")]
    found = dict(BrowserFetcher(way).fetch(asked[:1]))
    assert said(found[0]) == OK
    assert dict(found[0].agent)["shown"] == "headed"
    assert (lookalike / "display").read_text() == ":98\n"
    assert "-terminate" in (lookalike / "asked").read_text()


def test_a_display_that_does_not_start(site, lookalike):
    (lookalike / "Xvfb").write_text("#!/bin/sh\nexit 1\n")
    way = BrowserWay(chromium=str(lookalike / "chromium"))
    [answer] = ask(page(site, "/plain", headed=True), way=way)
    assert (said(answer), answer.detail) == (CRASHED, "no browser: OSError: Xvfb did not start")


def test_a_display_that_does_not_want_to_stop(tmp_path, monkeypatch):
    monkeypatch.setattr("monitor.fetch._browser_pool._DISPLAY_STOP_SECONDS", 0.1)
    xvfb = tmp_path / "Xvfb"
    xvfb.write_text(
        "#!/bin/sh\ntrap '' TERM\necho 97 > /proc/self/fd/$2\nwhile :; do sleep 0.05; done\n"
    )
    xvfb.chmod(0o755)
    display = Display(xvfb)
    assert display.name == ":97"
    display.close()


def test_a_real_browser_with_a_window(site):
    required(headed=True)
    for _ in range(3):  # on a busy machine a browser with a window may end while it starts
        [answer] = ask(page(site, "/result", headed=True))
        if not answer.detail.startswith("no browser"):
            break
    assert said(answer) == OK, answer.detail
    assert "Headless" not in json.dumps(dict(answer.agent))


# --- the table of faults ------------------------------------------------------------------------


@check_each(
    ("words", "name", "outcome"),
    [
        ("net::ERR_TIMED_OUT", "ERR_TIMED_OUT", TIMEOUT),
        ("net::ERR_PROXY_CONNECTION_FAILED at x", "ERR_PROXY_CONNECTION_FAILED", UNREACHABLE),
        ("net::ERR_SSL_PROTOCOL_ERROR", "ERR_SSL_PROTOCOL_ERROR", UNREACHABLE),
        ("net::ERR_INVALID_RESPONSE", "ERR_INVALID_RESPONSE", MALFORMED),
        ("net::ERR_HTTP2_PROTOCOL_ERROR", "ERR_HTTP2_PROTOCOL_ERROR", TRUNCATED),
        ("net::ERR_BLOCKED_BY_CLIENT", "ERR_BLOCKED_BY_CLIENT", REFUSED),
        ("what else", "", (Outcome.FAILED, Reason.EXCEPTION)),
    ],
)
def test_net_errors(words, name, outcome):
    assert _browser_watch.net_error(words) == name
    assert _browser_watch.outcome_of_error(name) == outcome
