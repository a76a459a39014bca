"""A mail server and a web hook on loopback, for what tells people: they keep what they are sent."""

import base64
import email
import email.policy
import re
import socketserver
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: The one login that the mail server takes.
USER, PASSWORD = "mailer", "pa55-w0rd-of-mail"


class _Mail(socketserver.StreamRequestHandler):
    """As much of RFC 5321 and RFC 4954 as a client needs that sends one letter."""

    def handle(self):
        self.server.n += 1
        self._say(220, "here")
        is_known = False
        while line := self.rfile.readline():
            verb, _, rest = line.decode().strip().partition(" ")
            match verb.upper():
                case "EHLO":
                    self.wfile.write(b"250-here\r\n250 AUTH PLAIN LOGIN\r\n")
                case "AUTH":
                    is_known = self._login(rest)
                    self._say(*((235, "welcome") if is_known else (535, f"who is {USER}?")))
                case "MAIL" if not is_known:
                    self._say(530, "log in")
                case "DATA":
                    self._say(354, "go on")
                    self._letter()
                case "QUIT":
                    self._say(221, "bye")
                    return
                case _:
                    self._say(250, "ok")

    def _say(self, code, words):
        self.wfile.write(f"{code} {words}\r\n".encode())

    def _login(self, rest):
        way, _, given = rest.partition(" ")
        if way == "PLAIN":
            _, user, password = base64.b64decode(given).decode().split("\0")
        else:
            user = base64.b64decode(given).decode() if given else self._ask("Username:")
            password = self._ask("Password:")
        return (user, password) == (USER, PASSWORD)

    def _ask(self, words):
        self._say(334, base64.b64encode(words.encode()).decode())
        return base64.b64decode(self.rfile.readline()).decode()

    def _letter(self):
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        if self.server.refuses:
            self._say(554, "not this one")
            return
        letter = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        self.server.letters.append(letter)
        self._say(250, "kept")


class MailServer(socketserver.ThreadingTCPServer):
    """`letters` are those that were taken, `n` counts who called."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Mail)
        self.letters, self.refuses, self.n = [], False, 0

    def url(self, password=PASSWORD, form="text"):
        place = f"127.0.0.1:{self.server_address[1]}"
        people = "from=monitor@sender.test&to=editor@paper.test"
        return f"mailto://{USER}:{password}@{place}?{people}&mode=insecure&format={form}"


class _Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.posts.append((self.path, body))
            status = self.server.script.pop(0) if self.server.script else self.server.status
            if asked := re.match(r"/status/(\d+)", self.path):
                status = int(asked[1])
        self.server.asked.release()
        self.server.open.wait(60)
        if status == "drip":
            self._drip()
            return
        said = body if status >= 400 else b""  # as rude as can be: all that it knows of the request
        self.send_response(status, f"{self.path} {self.headers.get('Authorization')}")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def _drip(self):
        """A header a moment, so that no time limit of a socket is ever reached."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not self.server.over.is_set():
            try:
                self.wfile.write(b"X-More: yes\r\n")
            except OSError:
                return
            time.sleep(0.2)

    def log_message(self, *_):
        pass


class Hook(ThreadingHTTPServer):
    """`script` are the statuses of the next answers, then `status`; `open` holds them back."""

    daemon_threads = True
    request_queue_size = 128  # with the usual five, many callers at once are turned away

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Hook)
        self.posts, self.script, self.status = [], [], 200
        self.lock, self.asked = threading.Lock(), threading.Semaphore(0)
        self.open, self.over = threading.Event(), threading.Event()
        self.open.set()

    def url(self, path="hook", login=""):
        return f"json://{login}127.0.0.1:{self.server_address[1]}/{path}"


@contextmanager
def serving(server):
    """The server, until it is left."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        if isinstance(server, Hook):
            server.over.set()
            server.open.set()
        server.shutdown()
        thread.join()
        server.server_close()


def nobody():
    """A port on which nobody listens."""
    with socketserver.TCPServer(("127.0.0.1", 0), _Mail) as server:
        return server.server_address[1]
