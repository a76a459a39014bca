"""What goes over the wire: a recorded request in, an answer or a fault out."""

import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import responses
from urllib.parse import parse_qsl, unquote, urlsplit

#: How often a waiting answer looks whether the client or the server has gone.
STEP_SECONDS = 0.02


@dataclass(frozen=True)
class Request:
    """One request as it arrived; `target` is the request line's, undecoded."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self):
        return unquote(urlsplit(self.target).path)

    @property
    def pairs(self):
        """Query parameters in their order, repeated ones repeated."""
        return parse_qsl(urlsplit(self.target).query, keep_blank_values=True)

    @property
    def query(self):
        """Query parameters by name; of repeated ones the last."""
        return dict(self.pairs)

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def form(self):
        """Pairs of a form body."""
        return parse_qsl(self.body.decode(), keep_blank_values=True)

    @property
    def media_type(self):
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self):
        """Charset that the content type names, or None."""
        _, _, parameters = self.headers.get("content-type", "").lower().partition(";")
        name, _, value = parameters.strip().partition("=")
        return value.strip('"') if name == "charset" else None


@dataclass(frozen=True)
class Answer:
    """A whole answer. In a script it is sent instead of the proper one."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    def play(self, wire, _proper):
        wire.send(self)

    def adding(self, headers):
        """Return this answer with more headers."""
        return Answer(self.status, self.body, {**self.headers, **headers})

    @property
    def json(self):
        return json.loads(self.body)


def json_answer(status, data, headers=None, content_type="application/json; charset=utf-8"):
    """Return an answer with a JSON body."""
    body = json.dumps(data, ensure_ascii=False).encode()
    return Answer(status, body, {"Content-Type": content_type, **(headers or {})})


class Wire:
    """The connection of one request: sends whole answers, or whatever a fault makes of them."""

    def __init__(self, handler, stopping):
        self._handler = handler
        self._stopping = stopping

    def send(self, answer):
        headers = {**answer.headers, "Content-Length": str(len(answer.body))}
        body = b"" if self._handler.command == "HEAD" else answer.body
        self.write(head(answer.status, headers) + body)

    def write(self, data):
        self._handler.wfile.write(data)

    def wait(self, seconds):
        """Wait, and return whether the client or the server went meanwhile.

        Steps are counted instead of read from a clock, which a test may have stopped.
        """
        while seconds > 0:
            if self._stopping.wait(min(seconds, STEP_SECONDS)) or self._client_gone():
                return True
            seconds -= STEP_SECONDS
        return False

    def drop(self):
        """Close the connection after what has been sent."""
        self._handler.close_connection = True

    def reset(self):
        """Close the connection at once with an RST."""
        self.drop()
        linger = struct.pack("ii", 1, 0)
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._handler.rfile.close()
        self._handler.connection.close()

    def _client_gone(self):
        try:
            seen = self._handler.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return seen == b""


def head(status, headers):
    """Return the status line and the headers as they are sent."""
    lines = [f"HTTP/1.1 {status} {responses.get(status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
