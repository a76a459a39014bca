"""Faults that can be put in front of any service: `script=[malformed(), None, reset()]`.

A script's entries are used up one per request. Those that spoil an answer (`malformed`,
`truncated`, `slow_drip`) let the service work out the proper one first; the others do not.
Everything is bounded in time, and ends early when the client goes away or the stand-in stops.
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tests.standins.wire import Answer, Wire, head, json_answer

MEGABYTE = 1_000_000
_JSON = {"Content-Type": "application/json; charset=utf-8"}

CAPTCHA = """<!DOCTYPE html><html><head><title>Are you a robot?</title></head><body>
<h1>Our systems have detected unusual traffic from your computer network.</h1>
<form id="captcha-form" action="/sorry"><div class="g-recaptcha"></div></form></body></html>"""


@dataclass(frozen=True)
class Fault:
    """What happens on the wire instead of the proper answer, which `play` may ask for."""

    name: str
    play: Callable[[Wire, Callable[[], Answer]], None]


def status(code, json_body, headers=None):
    """Any status with any JSON body."""
    return json_answer(code, json_body, headers)


def with_retry_after(answer, seconds):
    """Return the answer with a Retry-After header (seconds or a date), or as it is for None."""
    return answer if seconds is None else answer.adding({"Retry-After": str(seconds)})


def malformed():
    """200 with the first half of the proper JSON."""

    def play(wire, proper):
        body = proper().body
        wire.send(Answer(200, body[: len(body) // 2], _JSON))

    return Fault("malformed", play)


def truncated():
    """The proper answer, whose connection closes after half of the announced body."""

    def play(wire, proper):
        answer = proper()
        announced = {**answer.headers, "Content-Length": str(len(answer.body))}
        wire.write(head(answer.status, announced) + answer.body[: len(answer.body) // 2])
        wire.drop()

    return Fault("truncated", play)


def slow_drip(bytes_per_second=10, seconds=60):
    """The proper answer byte by byte; cut off after `seconds` in all."""

    def play(wire, proper):
        answer = proper()
        # Said before, or the next question may go out on a connection that is about to close.
        announced = {"Connection": "close", "Content-Length": str(len(answer.body))}
        wire.write(head(answer.status, {**answer.headers, **announced}))
        for position in range(min(len(answer.body), int(bytes_per_second * seconds))):
            if wire.wait(1 / bytes_per_second):
                wire.drop()
                return
            wire.write(answer.body[position : position + 1])
        wire.drop()

    return Fault("slow drip", play)


def huge(megabytes=10, announced=True):
    """200 with a valid JSON body of that size; chunked, if its size is not announced."""

    def play(wire, _proper):
        size = {"Content-Length": str(megabytes * MEGABYTE)} if announced else {}
        chunked = {} if announced else {"Transfer-Encoding": "chunked"}
        wire.write(head(200, {**_JSON, **size, **chunked}))
        for piece in _padding(megabytes * MEGABYTE):
            wire.write(piece if announced else f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        if not announced:
            wire.write(b"0\r\n\r\n")

    return Fault("huge", play)


def silence(seconds=60):
    """No byte of an answer; the connection closes after `seconds`."""

    def play(wire, _proper):
        wire.wait(seconds)
        wire.drop()

    return Fault("silence", play)


def reset():
    """The connection is reset instead of an answer."""
    return Fault("reset", lambda wire, _proper: wire.reset())


def redirect(to, code=302):
    """A redirection to another address."""
    return Answer(code, b"", {"Location": to})


def html_block():
    """200 with a page that asks for a CAPTCHA."""
    return Answer(200, CAPTCHA.encode(), {"Content-Type": "text/html; charset=utf-8"})


def empty():
    """200 without a body."""
    return Answer(200, b"", _JSON)


def gzip_bomb(megabytes=50):
    """200 with a small compressed body that expands to valid JSON of that size."""
    return Answer(200, _compressed(megabytes), {**_JSON, "Content-Encoding": "gzip"})


@lru_cache
def _compressed(megabytes):
    return gzip.compress(b"".join(_padding(megabytes * MEGABYTE)), compresslevel=1, mtime=0)


def _padding(size):
    """Yield a JSON object of `size` bytes in pieces."""
    opening, closing = b'{"padding":"', b'"}'
    left = size - len(opening) - len(closing)
    yield opening
    while left > 0:
        yield b"x" * min(left, 65536)
        left -= 65536
    yield closing
