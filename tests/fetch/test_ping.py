"""The sign of life: asked while all is well, silent otherwise, and no word of its address."""

import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from monitor.fetch.heartbeat import Heartbeat
from monitor.fetch.http import Way
from monitor.model import InvalidInput
from tests.cases import check_each

LONG = 30.0
TOKEN = "t0ken-of-the-dead-man"


class Listener:
    """Somebody who waits to be asked."""

    def __init__(self):
        self.asked = []
        self.status = 200
        self.more = threading.Semaphore(0)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append((self.path, self.headers["User-Agent"]))
                self.send_response(outer.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()
                outer.more.release()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/{TOKEN}"

    def wait(self):
        assert self.more.acquire(timeout=LONG)

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def listener():
    made = Listener()
    yield made
    made.close()


@pytest.fixture
def begin():
    """Starts pings, and stops them in the end."""
    begun = []

    def start(*args, **kwargs):
        begun.append(Heartbeat(*args, **kwargs))
        begun[-1].start()
        return begun[-1]

    yield start
    for one in begun:
        one.stop()


def test_it_asks_at_once_and_again(listener, begin):
    begin(listener.url, 0.01, lambda: True, Way(contact="who@monitor.test"))
    for _ in range(3):
        listener.wait()
    path, agent = listener.asked[0]
    assert path == f"/{TOKEN}"
    assert agent.startswith("monitor/")
    assert "who@monitor.test" in agent


def test_it_is_silent_while_something_is_wrong(listener, begin):
    well, looked = threading.Event(), threading.Semaphore(0)

    def is_well():
        looked.release()
        if len(listener.asked) > 10**6:  # who cannot say so is not well
            return True
        if not well.is_set():
            raise RuntimeError("cannot say")
        return True

    begin(listener.url, 0.01, is_well)
    for _ in range(5):
        assert looked.acquire(timeout=LONG)
    assert listener.asked == []
    well.set()
    listener.wait()


def test_it_stops(listener, begin):
    ping = begin(listener.url, 0.01, lambda: True)
    listener.wait()
    ping.stop()
    ping.stop()
    assert not ping._thread.is_alive()


def test_one_that_was_never_started_is_stopped(listener):
    Heartbeat(listener.url, 1, lambda: True).stop()


def test_a_fault_is_logged_once_and_so_is_its_end(listener, begin, caplog):
    caplog.set_level(logging.DEBUG)
    listener.status = 302
    begin(listener.url, 0.01, lambda: True)
    for _ in range(5):
        listener.wait()
    listener.status = 204
    for _ in range(5):
        listener.wait()
    assert [
        one.getMessage() for one in caplog.records if one.name == "monitor.fetch.heartbeat"
    ] == [
        "MONITOR_PING_URL: nobody heard that this process is well: HTTP 302",
        "MONITOR_PING_URL: heard again",
    ]
    assert {path for path, _ in listener.asked} == {f"/{TOKEN}"}  # nobody is followed elsewhere
    assert TOKEN not in caplog.text


def test_nobody_listening_disturbs_nobody(begin, caplog):
    caplog.set_level(logging.DEBUG)
    looked = threading.Semaphore(0)

    def is_well():
        looked.release()
        return True

    begin(f"http://127.0.0.1:1/{TOKEN}", 0.01, is_well)
    for _ in range(4):
        assert looked.acquire(timeout=LONG)
    said = [one.getMessage() for one in caplog.records if one.name == "monitor.fetch.heartbeat"]
    assert said == ["MONITOR_PING_URL: nobody heard that this process is well: ConnectError"]
    assert TOKEN not in caplog.text


@check_each(
    "url", [f"ftp://x/{TOKEN}", f"/{TOKEN}", f"http:///{TOKEN}", f"http://x\0/{TOKEN}", TOKEN]
)
def test_what_is_no_address_is_refused_without_a_word_of_it(url):
    with pytest.raises(InvalidInput, match="MONITOR_PING_URL") as refused:
        Heartbeat(url, 1, lambda: True)
    assert TOKEN not in str(refused.value)
    assert refused.value.__cause__ is None
