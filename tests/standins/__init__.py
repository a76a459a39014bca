"""Loopback stand-ins of translation services: a request comes in, its documented answer goes out.

One module per service (`deepl`, `google`, `amazon`, `azure`, `libretranslate`, `apertium`, `chat`),
shaped after `contracts.md` sections 0, A1-A7 and A11; `faults` go in front of any of them:

    with serve(DeepL(key="k", script=[faults.malformed(), None])) as running:
        httpx.post(running.url + "/v2/translate", ...)
    assert running.requests[0].json["target_lang"] == "PT-BR"
"""

import socket
import ssl
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer

from tests.standins.wire import Request, Wire

#: How long a stopped stand-in may take until it counts as leaked.
STOP_SECONDS = 5
#: Name of every thread of a stand-in.
THREAD_NAME = "stand-in"
#: How soon a stand-in that accepts connections notices that it shall stop.
POLL_SECONDS = 0.005


@dataclass(frozen=True)
class Running:
    """A stand-in that is being served, and what it was asked."""

    url: str
    requests: list[Request]
    app: Callable[[Request, Wire], None]


@contextmanager
def serve(app, tls=None, host="127.0.0.1"):
    """Serve `app(request, wire)` on a free port of a host until the block ends.

    With `tls`, an SSLContext of a server, over https. An exception inside the stand-in itself
    closes the connection and is raised here at the end.
    """
    server = _Server(app, tls, host)
    scheme = "http" if tls is None else "https"
    try:
        yield Running(f"{scheme}://{host}:{server.server_port}", server.requests, app)
    except BaseException as error:
        for failure in server.failures:
            error.add_note(f"the stand-in itself failed: {failure!r}")
        raise
    finally:
        server.stop()
    if server.failures:
        raise server.failures[0]


class _Server(ThreadingHTTPServer):
    """Remembers requests, connections and failures, and ends every thread when it stops."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, app, tls, host):
        self.app = app
        self.tls = tls
        self.requests = []
        self.failures = []
        self.stopping = threading.Event()
        self._connections = {}
        super().__init__((host, 0), _Handler)
        self._accepting = _thread(self.serve_forever, POLL_SECONDS)
        self._accepting.start()

    def server_bind(self):
        """Bind without the look-up of a host name that HTTPServer does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address

    def get_request(self):
        """Accept a connection. Its handshake is left to its own thread."""
        connection, address = super().get_request()
        if self.tls is not None:
            connection = self.tls.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, address

    def process_request(self, request, client_address):
        thread = _thread(self.process_request_thread, request, client_address)
        self._connections[request] = thread
        thread.start()

    def shutdown_request(self, request):
        super().shutdown_request(request)
        self._connections.pop(request, None)

    def handle_error(self, *_whose):
        error = sys.exception()
        # a client may go away at any time; everything else is a mistake of the stand-in
        if not isinstance(error, ConnectionError | ssl.SSLError):
            self.failures.append(error)

    def stop(self):
        self.stopping.set()
        self.shutdown()
        connections = dict(self._connections)
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in (self._accepting, *connections.values()):
            thread.join(STOP_SECONDS)
            if thread.is_alive():
                self.failures.append(RuntimeError("a thread of the stand-in did not end"))
        self.server_close()


def _thread(target, *args):
    return threading.Thread(target=target, args=args, name=THREAD_NAME, daemon=True)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # answers of a few bytes on a kept connection would wait 40 ms for the client's ACK
    disable_nagle_algorithm = True

    def log_message(self, *_args):
        """Stay quiet."""

    def answer(self):
        headers = {}
        for name, value in self.headers.items():
            known = headers.get(name.lower())
            headers[name.lower()] = value if known is None else f"{known}, {value}"
        request = Request(self.command, self.path, headers, self._body())
        self.server.requests.append(request)
        self.server.app(request, Wire(self, self.server.stopping))

    def _body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return b"".join(self._chunks())
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def _chunks(self):
        while size := int(self.rfile.readline().partition(b";")[0] or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass


for _method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
    setattr(_Handler, f"do_{_method}", _Handler.answer)
