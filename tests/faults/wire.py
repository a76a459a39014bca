"""What goes wrong on the wire: one entry per fault of `expected.toml`, with how it is put on.

Five questions are answered before most faults, so that what was answered has to survive. What
comes once (`script`) lets the run go on afterwards, `always` does not.
"""

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from tests.standins import faults
from tests.standins.faults import Fault
from tests.standins.libretranslate import LibreTranslate
from tests.standins.wire import Answer, head

#: The key that the job sends; it may be found nowhere afterwards.
KEY = "s3cret-of-the-fault-matrix"
#: Answered before a fault.
BEFORE = (None,) * 5
#: Bytes after which an answer is cut off.
MOST_BYTES = 2**20
#: Names that lead to the stand-in once the fault is over; a key over http needs a name of loopback.
NAMED, UNKNOWN = "service.localhost", "service.invalid"
#: Nobody listens there on the stand-in's port.
NOBODY = "127.0.0.2"

_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Wrong:
    """How one fault is put on."""

    script: tuple = ()
    always: object = None
    seconds: float = 20.0  # limit of a whole answer
    host: str = "127.0.0.1"  # by which the job knows the service
    leads_to: str | None = "127.0.0.1"  # where that name leads meanwhile; None: nobody knows it
    certificate: str = ""  # of TLS: "untrusted" or "of another host"


def once(*some, **fields):
    """These, after five good answers; then all is well again."""
    return Wrong(script=(*BEFORE, *some), **fields)


def for_ever(one, **fields):
    """This, after five good answers, until somebody mends it."""
    return Wrong(script=BEFORE, always=one, **fields)


def body(content, status=200, **headers):
    """An answer with this text or these bytes."""
    data = content.encode() if isinstance(content, str) else content
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, data, {**_JSON, **named})


def like(change):
    """The proper answer, changed."""
    return Fault("like", lambda wire, proper: wire.send(change(proper())))


def called(content_type):
    """The proper answer under another type of content."""
    return like(lambda answer: answer.adding({"Content-Type": content_type}))


def half(end):
    """The headers and half of the proper body, then `end(wire)`."""

    def play(wire, proper):
        answer = proper()
        announced = {**answer.headers, "Content-Length": str(len(answer.body))}
        wire.write(head(answer.status, announced) + answer.body[: len(answer.body) // 2])
        end(wire)

    return Fault("half", play)


def stall(wire):
    wire.wait(60)
    wire.drop()


def reset(wire):
    wire.wait(0.05)  # until the headers have been read: a reset may overtake them
    wire.reset()


def again_at(seconds):
    """429 with a date so many seconds from now."""

    def play(wire, _proper):
        moment = datetime.now(UTC) + timedelta(seconds=seconds)
        wire.send(LibreTranslate.rate_limited(format_datetime(moment, usegmt=True)))

    return Fault("again at", play)


#: An operator who repeats the key in an error.
DOWN = faults.status(503, {"error": f"overloaded; you sent {KEY}"})
PORTAL = body("<html><title>Log in to the network</title></html>", Content_Type="text/html")
#: One to a thousand, as well as gzip can.
_BOMB = body(
    gzip.compress(b'{"translatedText":"%s"}' % (b"x" * 20_000_000), mtime=0),
    Content_Encoding="gzip",
)
_PACKED_TWICE = Answer(200, gzip.compress(_BOMB.body, mtime=0), dict(_BOMB.headers))
#: A limit that silence soon exceeds. No good answer is waited for under it.
SOON = 0.15

WRONG = {
    "refused": Wrong(host=NAMED, leads_to=NOBODY),
    "name_unknown": Wrong(host=UNKNOWN, leads_to=None),
    "certificate_untrusted": Wrong(certificate="untrusted"),
    "certificate_of_another_host": Wrong(certificate="of another host"),
    "reset_before_headers": once(faults.reset()),
    "reset_after_headers": once(half(reset)),
    "reset_for_ever": for_ever(faults.reset()),
    "truncated": once(faults.truncated()),
    "slow_drip_within_the_limit": once(faults.slow_drip(bytes_per_second=100)),
    "slow_drip_over_the_limit": Wrong(always=faults.slow_drip(), seconds=SOON),
    "stall": Wrong(always=faults.silence(), seconds=SOON),
    "stall_within_the_body": Wrong(always=half(stall), seconds=SOON),
    "too_many_in_seconds": once(LibreTranslate.rate_limited(1)),
    "too_many_until_a_date": once(again_at(2)),
    "too_many_for_a_year": once(LibreTranslate.rate_limited(365 * 86_400)),
    "too_many_unsaid": once(LibreTranslate.rate_limited()),
    "too_many_for_ever": for_ever(LibreTranslate.rate_limited()),
    "burst_of_1": once(DOWN),
    "burst_of_3": once(DOWN, DOWN, DOWN),
    "burst_beyond_patience": for_ever(DOWN),
    "json_cut": once(faults.malformed()),
    "json_cut_for_ever": for_ever(faults.malformed()),
    "json_of_another_shape": once(body(json.dumps({"translation": "Estou cansado."}))),
    "json_null": once(body("null")),
    "json_nested_without_end": once(body("[" * 200_000)),
    "text_that_is_a_number": once(body(json.dumps({"translatedText": 0}))),
    "empty": once(faults.empty()),
    "bomb": once(_BOMB),
    "bomb_in_a_bomb": once(_PACKED_TWICE),
    "packed_twice": once(_PACKED_TWICE.adding({"Content-Encoding": "gzip, gzip"})),
    "huge": once(faults.huge(2)),
    "huge_unannounced": once(faults.huge(2, announced=False)),
    "json_called_plain_text": once(called("text/plain")),
    "json_called_a_page": once(called("text/html")),
    "picture": once(body(b"\x89PNG\r\n\x1a\n" + bytes(64), Content_Type="image/png")),
    "block_page": once(faults.html_block()),
    "portal_page": once(PORTAL),
    "redirect_loop": Wrong(always=faults.redirect("/translate", 307)),
    "redirect_to_another_host": once(faults.redirect("http://127.0.0.2:9/translate", 308)),
}
