"""Pages that results lead to: asked politely, at public addresses only, and never an exception."""

import gzip
import re
import socket
import ssl
import threading
import time
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from monitor.fetch.http import Way
from monitor.fetch.landing import LandingFetcher, is_public
from monitor.fetch.landing_tour import LandedPage
from monitor.model import Answer, Outcome, Pause, Reason
from monitor.text.main_text import Extracted
from tests.cases import check_each
from tests.standins import faults, serve
from tests.standins.wire import Answer as Said

LIMIT = 10.0
HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = b"<!doctype html><html><body><p>She is a nurse.</p></body></html>"
AT = datetime(2026, 1, 5, tzinfo=UTC)


def words(body, url, content_type):
    """A stand-in for trafilatura: what stands between tags."""
    text = re.sub(rb"<[^>]*>", b" ", body).decode("utf-8", "replace").strip()
    return Extracted(text or None, "words 1", "" if text else "no main text found")


class Site:
    """A web site on loopback: {path: answer}, robots.txt among them; else 404."""

    def __init__(self, pages=None, robots=None):
        self.pages = dict(pages or {})
        if robots is not None:
            self.pages["/robots.txt"] = Said(200, robots.encode(), {"Content-Type": "text/plain"})

    def __call__(self, request, wire):
        answer = self.pages.get(request.target, Said(404, b"<html>not here</html>", HTML))
        answer.play(wire, lambda: Said(200, PAGE, HTML))


def page(body=PAGE, status=200, **headers):
    return Said(status, body, HTML | {k.replace("_", "-"): v for k, v in headers.items()})


async def everywhere_here(name, port):
    return ["127.0.0.1"]


def fetcher(way=None, **settings):
    known = {"rest": 0.0, "extract": words, "loopback": True, "lookup": everywhere_here}
    return LandingFetcher(way or Way(seconds=5), **(known | settings))


def fetch(*urls, way=None, **settings):
    return dict(fetcher(way, **settings).fetch(urls))


def one(site, path="/", way=None, **settings):
    """(page, targets that were asked for)."""
    with serve(site) as running:
        url = running.url + path
        found = fetch(url, way=way, **settings)
        return found[url], [request.target for request in running.requests]


def said(found):
    return (found.outcome, found.reason)


# --- a page -------------------------------------------------------------------------------------


def test_a_page_and_its_text():
    with serve(Site({"/a": page()})) as running:
        url = f"{running.url}/a#part"
        found = fetch(url, way=Way(contact="mailto:a@b.invalid", seconds=5, exit="vienna"))[url]
        headers = running.requests[-1].headers
    assert said(found) == (Outcome.OK, Reason.NONE)
    assert (found.text, found.extractor) == ("She is a nurse.", "words 1")
    assert (found.status, found.body, found.final_url) == (200, PAGE, f"{running.url}/a")
    assert (found.content_type, found.redirects, found.egress) == (
        HTML["Content-Type"],
        (),
        "vienna",
    )
    assert 0 <= found.took < LIMIT
    assert found.asked_at.tzinfo is UTC
    assert headers["user-agent"].startswith("monitor/")
    assert "(+mailto:a@b.invalid)" in headers["user-agent"]
    assert headers["accept"].startswith("text/html")
    assert "cookie" not in headers


def test_an_address_is_asked_once():
    with serve(Site({"/a": page()})) as running:
        url = f"{running.url}/a"
        found = list(fetcher().fetch([url, url, url]))
        targets = [request.target for request in running.requests]
    assert len(found) == 1
    assert targets == ["/robots.txt", "/a"]


def test_a_page_without_a_text_has_none_and_not_an_empty_one():
    found, _ = one(Site({"/": page(b"<html><body></body></html>")}))
    assert (found.outcome, found.text, found.detail) == (
        Outcome.UNREADABLE,
        None,
        "no main text found",
    )
    assert found.body


@check_each(
    ("answer", "outcome", "reason", "detail"),
    [
        (page(status=404), Outcome.FAILED, Reason.REFUSED, "HTTP 404"),
        (page(status=403), Outcome.BLOCKED, Reason.NONE, "HTTP 403"),
        (page(status=500), Outcome.FAILED, Reason.NONE, "HTTP 500"),
        (page(status=429), Outcome.THROTTLED, Reason.RATE, "HTTP 429"),
        (page(status=304), Outcome.FAILED, Reason.NONE, "HTTP 304"),
        (page(b" "), Outcome.UNREADABLE, Reason.NONE, "nothing came"),
        (
            Said(200, b"%PDF", {"Content-Type": "application/pdf"}),
            Outcome.UNREADABLE,
            Reason.UNSUPPORTED,
            "application/pdf",
        ),
        (Said(200, b"words"), Outcome.UNREADABLE, Reason.UNSUPPORTED, "not said"),
        (faults.truncated(), Outcome.FAILED, Reason.TRUNCATED, ""),
        (faults.reset(), Outcome.FAILED, Reason.TRUNCATED, ""),
        (page(b"x", Content_Encoding="gzip"), Outcome.UNREADABLE, Reason.MALFORMED, ""),
        (page(status=302), Outcome.FAILED, Reason.NONE, "HTTP 302"),
    ],
)
def test_what_is_no_page(answer, outcome, reason, detail):
    found, _ = one(Site({"/": answer}))
    assert said(found) == (outcome, reason)
    assert detail in found.detail
    assert found.text is None


@check_each(
    "answer",
    [
        page(Age="86400"),
        page(gzip.compress(PAGE, mtime=0), Content_Encoding="gzip"),
        Said(200, PAGE),
        Said(200, b"She is a nurse.", {"Content-Type": "Text/Plain"}),
    ],
)
def test_what_is_a_page(answer):
    found, _ = one(Site({"/": answer}))
    assert (found.outcome, found.text) == (Outcome.OK, "She is a nurse.")


def test_what_is_no_page_is_not_read():
    endless = {"Content-Type": "video/mp4", "Content-Length": "1000000000000"}

    class Endless(Site):
        def __call__(self, request, wire):
            if request.target == "/":
                from tests.standins.wire import head

                wire.write(head(200, endless))
                wire.wait(LIMIT)
                wire.drop()
                return
            super().__call__(request, wire)

    began = time.monotonic()
    found, _ = one(Endless())
    assert said(found) == (Outcome.UNREADABLE, Reason.UNSUPPORTED)
    assert time.monotonic() - began < LIMIT / 2
    assert found.body == b""


def test_an_endless_page_is_cut():
    class Endless(Site):
        def __call__(self, request, wire):
            if request.target == "/":
                from tests.standins.wire import head

                wire.write(head(200, HTML | {"Content-Length": "1000000000000"}))
                while not wire.wait(0.02):
                    wire.write(b"x" * 100_000)
                return
            super().__call__(request, wire)

    found, _ = one(Endless(), way=Way(seconds=LIMIT, most_bytes=50_000))
    assert said(found) == (Outcome.UNREADABLE, Reason.OVERSIZE)
    assert (len(found.body), found.text) == (50_000, None)


def test_a_silent_page_is_given_up():
    found, _ = one(Site({"/": faults.silence()}), way=Way(seconds=0.3))
    assert said(found) == (Outcome.TIMEOUT, Reason.NONE)


@check_each(
    "url",
    [
        "", "nonsense", "ftp://a.test/", "javascript:alert(1)", "http://", "http://[::1",
        "http://a.test:99999/", "http://u:p@a.test/", "http://u@a.test/", "http://a b.test/",
        "file:///etc/passwd", "http://a.test/" + "x" * 5000, "http://a.test/\x00",
        "http://2130706433/", "http://0x7f.1/", "http://127.1/",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_not_asked(url):
    [(given, found)] = fetcher().fetch([url])
    assert (given, said(found)) == (url, (Outcome.FAILED, Reason.REFUSED))
    assert found.detail


# --- private addresses --------------------------------------------------------------------------


@check_each(
    ("address", "public"),
    [
        ("8.8.8.8", True), ("2001:4860:4860::8888", True), ("64:ff9b::808:808", True),
        ("127.0.0.1", False), ("10.1.2.3", False), ("172.16.0.1", False), ("192.168.1.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("0.0.0.0", False),  # noqa: S104
        ("224.0.0.1", False), ("255.255.255.255", False), ("240.0.0.1", False),
        ("::1", False), ("::", False), ("fe80::1", False), ("fe80::1%eth0", False),
        ("fc00::1", False), ("::ffff:127.0.0.1", False), ("::ffff:8.8.8.8", True),
        ("fec0::1", False), ("feff::1", False),
        ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False), ("ff02::1", False), ("x", False),
    ],
)  # fmt: skip
def test_which_addresses_are_public(address, public):
    assert is_public(address) is public


def test_loopback_is_for_tests():
    assert is_public("127.0.0.1", loopback=True)
    assert is_public("::1", loopback=True)
    assert not is_public("10.0.0.1", loopback=True)


@check_each("host", ["127.0.0.1", "localhost", "printer", "[::1]", "wiki.local"])
def test_this_machine_is_not_asked(host):
    with serve(Site({"/": page()})) as running:
        url = f"{running.url}/".replace("127.0.0.1", host)
        [found] = fetch(url, loopback=False).values()
        assert running.requests == []
    assert found.outcome in (Outcome.FAILED, Outcome.BLOCKED)
    assert "no address of the internet" in found.detail or "no name of the internet" in found.detail


def test_a_name_of_a_private_address_is_not_asked():
    async def inside(name, port):
        return ["8.8.8.8", "10.0.0.1"]

    found = fetch("http://a.test/", lookup=inside)["http://a.test/"]
    assert found.outcome is Outcome.BLOCKED
    assert "a.test is at 10.0.0.1, which is no address of the internet" in found.detail


def test_a_redirection_inside_is_not_followed():
    """The name of the second step is resolved as well."""

    async def lookup(name, port):
        return ["192.168.0.1"] if name == "inside.test" else ["127.0.0.1"]

    for to in ("http://inside.test/", "http://10.0.0.1/", "http://169.254.169.254/latest"):
        site = Site({"/": page(status=302, Location=to)})
        found, _ = one(site, lookup=lookup)
        assert found.outcome is Outcome.BLOCKED
        assert "no address of the internet" in found.detail
        assert found.final_url == to
        assert len(found.redirects) == 1


@check_each("port", [0, 22, 25, 79, 444, 6379, 8081, 65535])
@check_each("through", ["", "http://127.0.0.1:9"])
def test_a_port_of_another_service_is_not_asked(port, through):
    async def outside(name, port):
        return ["8.8.8.8"]

    url = f"http://a.test:{port}/"
    way = Way(seconds=5, proxy=through)
    found = fetch(url, loopback=False, lookup=outside, way=way)[url]
    assert found.outcome is Outcome.BLOCKED
    said_of_it = f"port {port} of a.test is not asked; only 80, 443, 8080, 8443 are"
    assert said_of_it in found.detail
    assert found.status is None


@check_each(
    "site", ["http://a.test", "https://a.test", *(f"http://a.test:{n}" for n in (80, 443, 8080)),
             "https://a.test:8443"],
)  # fmt: skip
def test_ports_of_web_sites_are_asked(site):
    """Through a proxy that is not there, so that nothing leaves."""
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    way = Way(seconds=5, proxy=f"http://127.0.0.1:{port}")
    found = fetch(f"{site}/", loopback=False, way=way)[f"{site}/"]
    assert found.outcome is Outcome.BLOCKED
    assert "port" not in found.detail
    assert "connect" in found.detail.lower()


def test_a_name_that_nobody_knows():
    async def nobody(name, port):
        raise OSError(-2, "Name or service not known")

    found = fetch("http://a.test/", lookup=nobody)["http://a.test/"]
    assert found.outcome is Outcome.BLOCKED
    assert "Name or service not known" in found.detail


def test_the_second_address_of_a_name_is_tried():
    async def two(name, port):
        return ["::1", "127.0.0.1"]

    with serve(Site({"/": page()})) as running:
        url = running.url.replace("127.0.0.1", "a.test") + "/"
        found = fetch(url, lookup=two)[url]
        assert running.requests[-1].headers["host"] == url.split("/")[2]
    assert found.outcome is Outcome.OK


def test_through_a_proxy_names_are_its_own_business():
    def lookup(name, port):
        raise AssertionError

    with serve(Site({"http://a.test/": page()})) as proxy:
        way = Way(seconds=5, proxy=proxy.url)
        found = fetch("http://a.test/", "http://10.0.0.1/", "http://intranet/", way=way,
                      lookup=lookup, loopback=False)  # fmt: skip
        targets = {request.target for request in proxy.requests}
    assert found["http://a.test/"].outcome is Outcome.OK
    assert found["http://10.0.0.1/"].outcome is Outcome.BLOCKED
    assert said(found["http://intranet/"]) == (Outcome.FAILED, Reason.REFUSED)
    assert targets == {"http://a.test/robots.txt", "http://a.test/"}


# --- certificates -------------------------------------------------------------------------------


class Secure:
    """A site over TLS with a certificate of a.test: what it was asked, and by which name."""

    def __init__(self, folder):
        self.pem = named_certificate(folder, "a.test")
        self.names, self.asked = [], []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.pem)
        context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self._context, self._socket = context, socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(LIMIT)

    def _serve(self):
        while True:
            try:
                plain, _ = self._socket.accept()
            except OSError:
                return
            with suppress(OSError), self._context.wrap_socket(plain, server_side=True) as wire:
                self.asked.append(wire.recv(65_536).decode().split("\r\n"))
                content = PAGE if self.asked[-1][0].startswith("GET / ") else b""
                status = "200 OK" if content else "404 Not Found"
                wire.sendall(
                    f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nConnection: close\r\n"
                    f"Content-Length: {len(content)}\r\n\r\n".encode()
                    + content
                )


def named_certificate(folder, name):
    """Write a self-signed certificate of a name with its key; returns the path of the PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = folder / "site.pem"
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


def test_the_certificate_of_the_name_counts_though_an_address_is_connected_to(tmp_path):
    with Secure(tmp_path) as site:
        way = Way(seconds=5, authorities=site.pem)
        good, bad = (f"https://{name}:{site.port}/" for name in ("a.test", "b.test"))
        found = fetch(good, bad, way=way)
        stranger = fetch(good)
    assert (found[good].outcome, found[good].text) == (Outcome.OK, "She is a nurse.")
    assert found[bad].outcome is Outcome.BLOCKED
    assert "certificate" in found[bad].detail.lower()
    assert stranger[good].outcome is Outcome.BLOCKED
    assert set(site.names) == {"a.test", "b.test"}
    assert f"Host: a.test:{site.port}" in site.asked[0]


# --- redirections -------------------------------------------------------------------------------


def test_redirections_are_followed_and_each_site_is_heard():
    with serve(Site({"/end": page()})) as last, serve(Site()) as first:
        elsewhere = last.url.replace("127.0.0.1", "b.test")
        first.app.pages |= {
            "/": page(status=301, Location="/next"),
            "/next": page(status=307, Location=f"{elsewhere}/end#x"),
        }
        url = f"{first.url}/"
        found = fetch(url)[url]
        asked = [request.target for request in last.requests]
    assert found.outcome is Outcome.OK
    assert found.final_url == f"{elsewhere}/end"
    assert found.redirects == (url, f"{first.url}/next")
    assert asked == ["/robots.txt", "/end"]


@pytest.mark.parametrize(("steps", "outcome"), [(5, Outcome.OK), (6, Outcome.FAILED)])
def test_at_most_five_redirections(steps, outcome):
    chain = {f"/{n}": page(status=302, Location=f"/{n + 1}") for n in range(steps)}
    found, _ = one(Site(chain | {f"/{steps}": page()}), "/0")
    assert found.outcome is outcome


def test_a_site_that_is_led_to_may_refuse():
    robots = "User-agent: *\nDisallow: /private"
    with serve(Site({"/private": page()}, robots)) as last:
        to = last.url.replace("127.0.0.1", "b.test") + "/private"
        found, _ = one(Site({"/": page(status=302, Location=to)}))
        assert [request.target for request in last.requests] == ["/robots.txt"]
    assert found.outcome is Outcome.BLOCKED
    assert found.detail.startswith("robots.txt of http://b.test")


@check_each("to", ["http://[::1", "ftp://x.test/", "mailto:a@b", "http://u:p@x.test/"])
def test_a_redirection_to_nowhere(to):
    found, _ = one(Site({"/": page(status=302, Location=to)}))
    assert found.outcome is Outcome.FAILED
    assert found.reason in (Reason.REFUSED, Reason.TRUNCATED)  # httpx itself takes offence


# --- robots.txt ---------------------------------------------------------------------------------


def test_what_a_site_disallows_is_not_asked():
    site = Site({"/a": page(), "/no/b": page()}, "User-agent: *\nDisallow: /no/")
    with serve(site) as running:
        good, bad = f"{running.url}/a", f"{running.url}/no/b"
        found = fetch(bad, good)
        targets = [request.target for request in running.requests]
    assert targets == ["/robots.txt", "/a"]
    assert found[good].outcome is Outcome.OK
    assert said(found[bad]) == (Outcome.BLOCKED, Reason.NONE)
    assert (found[bad].status, found[bad].body, found[bad].took) == (None, b"", 0.0)


@check_each(
    ("robots", "outcome"),
    [
        (page(status=404), Outcome.OK),
        (page(status=401), Outcome.OK),
        (page(b"<html>no rules here</html>"), Outcome.OK),
        (Said(200, b"User-agent: *\nDisallow: /", {"Content-Type": "x/y"}), Outcome.BLOCKED),
        (page(b"User-agent: *\nDisallow: /", Age="90000"), Outcome.BLOCKED),
        (page(status=500), Outcome.BLOCKED),
        (page(status=429), Outcome.BLOCKED),
        (faults.reset(), Outcome.BLOCKED),
        (faults.silence(), Outcome.BLOCKED),
        (page(status=302, Location="/robots.txt"), Outcome.OK),
        (page(status=302, Location="http://10.0.0.1/robots.txt"), Outcome.BLOCKED),
        (page(status=302, Location="ftp://x/"), Outcome.BLOCKED),
    ],
)
def test_no_file_allows_all_and_no_answer_allows_nothing(robots, outcome):
    found, _ = one(Site({"/": page(), "/robots.txt": robots}), way=Way(seconds=0.5))
    assert found.outcome is outcome
    assert (outcome is Outcome.OK) or "robots.txt" in found.detail


def test_a_moved_robots_txt_counts_for_the_site_that_was_asked():
    rules = Said(200, b"User-agent: monitor\nDisallow: /a", {"Content-Type": "text/plain"})
    site = Site({"/a": page(), "/robots.txt": page(status=301, Location="/r"), "/r": rules})
    found, targets = one(site, "/a")
    assert found.outcome is Outcome.BLOCKED
    assert targets == ["/robots.txt", "/r"]


def test_a_huge_robots_txt_is_read_to_its_limit():
    robots = "User-agent: *\nDisallow: /a\n" + "# x\n" * 100_000
    site = Site({"/a": page(), "/b": page()}, robots)
    with serve(site) as running:
        found = fetch(f"{running.url}/a", f"{running.url}/b", way=Way(seconds=5, most_bytes=9999))
    assert [one.outcome for one in found.values()].count(Outcome.BLOCKED) == 1


# --- pace ---------------------------------------------------------------------------------------


class Clocked:
    """A network whose time passes in pauses only: {host: answers}, each after `took` seconds."""

    def __init__(self, pages, took=0.5):
        self.pages, self.took, self.now = pages, took, 0.0
        self.left = defaultdict(list)  # host -> times
        self.most = 0

    def clock(self):
        return self.now

    def fetch(self, requests):
        flying, index = [], 0
        for request in requests:
            if isinstance(request, Pause):
                until = self.now + request.seconds
                if flying and flying[0][0] <= until:
                    self.now = max(self.now, flying[0][0])
                    yield flying.pop(0)[1:]
                else:
                    self.now = until
                time.sleep(0.0002)  # texts are found meanwhile
                continue
            host, _, path = request.url.removeprefix("http://").partition("/")
            self.left[host].append(self.now)
            flying.append((self.now + self.took, index, self.answer(host, "/" + path)))
            self.most = max(self.most, len(flying))
            index += 1
        for due, *rest in flying:
            self.now = max(self.now, due)
            yield tuple(rest)

    def answer(self, host, path):
        status, body, headers = self.pages.get(host + path, (200, PAGE, ()))
        return Answer(Outcome.OK, AT, self.took, status=status, body=body,
                      headers=(("content-type", "text/html"), *headers))  # fmt: skip

    def close(self):
        pass


NO_RULES = (404, b"", ())


def paced(http, urls, **settings):
    settings = {"rest": 2.0, "hosts": 16} | settings
    tested = LandingFetcher(Way(), extract=words, http=http, clock=http.clock, **settings)
    return dict(tested.fetch(urls))


def rests(times):
    return [round(b - a, 3) for a, b in pairwise(times)]


def test_one_host_rests_between_requests_and_others_do_not_wait():
    hosts = ("a.test", "b.test", "c.test")
    http = Clocked({f"{host}/robots.txt": NO_RULES for host in hosts})
    found = paced(http, [f"http://{host}/{n}" for n in range(4) for host in hosts])
    assert len(found) == 12
    for host in hosts:
        assert len(http.left[host]) == 5
        assert min(rests(http.left[host])) >= 2.5  # the answer takes half a second
    assert http.now < 12
    assert http.most == 3


def test_so_many_hosts_at_a_time():
    http = Clocked({f"h{n}.test/robots.txt": NO_RULES for n in range(10)})
    paced(http, [f"http://h{n}.test/" for n in range(10)], hosts=4)
    assert http.most == 4


def test_a_longer_rest_that_a_site_wishes_for():
    robots = b"User-agent: *\nCrawl-delay: 7"
    http = Clocked({"a.test/robots.txt": (200, robots, ())})
    found = paced(http, ["http://a.test/1", "http://a.test/2"])
    assert [page.outcome for page in found.values()] == [Outcome.OK] * 2
    assert min(rests(http.left["a.test"])) >= 7.5


def test_a_rest_longer_than_we_wait_for_is_no():
    robots = b"User-agent: *\nCrawl-delay: 3600"
    http = Clocked({"a.test/robots.txt": (200, robots, ())})
    [found] = paced(http, ["http://a.test/1"]).values()
    assert found.outcome is Outcome.BLOCKED
    assert "3,600 s" in found.detail
    assert len(http.left["a.test"]) == 1


def test_a_busy_site_is_given_its_rest():
    busy = (503, b"", (("retry-after", "30"),))
    http = Clocked({"a.test/robots.txt": NO_RULES, "a.test/1": busy})
    found = paced(http, ["http://a.test/1", "http://a.test/2"])
    assert said(found["http://a.test/1"]) == (Outcome.THROTTLED, Reason.RATE)
    assert found["http://a.test/2"].outcome is Outcome.OK
    assert rests(http.left["a.test"])[-1] >= 30


def test_a_site_that_wants_a_long_rest_is_left_alone():
    busy = (429, b"", (("retry-after", "3600"),))
    http = Clocked({"a.test/robots.txt": NO_RULES, "a.test/1": busy})
    found = paced(http, [f"http://a.test/{n}" for n in (1, 2, 3)] + ["http://b.test/"])
    assert len(http.left["a.test"]) == 2
    assert said(found["http://a.test/3"]) == (Outcome.THROTTLED, Reason.RATE)
    assert found["http://b.test/"].outcome is Outcome.OK


def test_two_ports_of_a_host_take_turns():
    http = Clocked({f"a.test{port}/robots.txt": NO_RULES for port in (":81", ":82", "")})
    found = paced(http, ["http://a.test:81/", "http://a.test:82/", "http://a.test/"])
    assert len(found) == 3
    everything = sorted(time for times in http.left.values() for time in times)
    assert len(everything) == 6
    assert min(rests(everything)) >= 2.5


def test_stopping_leaves_out_what_was_not_asked():
    http = Clocked({"a.test/robots.txt": NO_RULES})
    tested = LandingFetcher(Way(), extract=words, http=http, clock=http.clock)
    urls = [f"http://a.test/{n}" for n in range(5)]
    found = dict(tested.fetch(urls, stop=lambda: len(http.left["a.test"]) == 3))
    assert list(found) == urls[:2]
    again = dict(tested.fetch(urls[2:]))
    assert list(again) == urls[2:]
    assert len(http.left["a.test"]) == 6  # its rules were known
    assert min(rests(http.left["a.test"])) >= 2.5


def test_rests_are_kept_on_the_wire():
    times = []

    class Timed(Site):
        def __call__(self, request, wire):
            times.append(time.monotonic())
            super().__call__(request, wire)

    with serve(Timed({f"/{n}": page() for n in range(3)})) as running:
        found = fetch(*(f"{running.url}/{n}" for n in range(3)), rest=0.1)
    assert len(found) == 3
    assert len(times) == 4
    assert min(b - a for a, b in pairwise(times)) >= 0.1


def test_hosts_are_asked_together():
    met = threading.Barrier(4)

    class Meeting(Site):
        def __call__(self, request, wire):
            if request.target == "/":
                met.wait(LIMIT)
            super().__call__(request, wire)

    with serve(Meeting({"/": page()})) as running:
        hosts = [running.url.replace("127.0.0.1", f"h{n}.test") + "/" for n in range(4)]
        found = fetch(*hosts)
    assert [page.outcome for page in found.values()] == [Outcome.OK] * 4


def test_leaving_in_the_middle_ends_everything():
    with serve(Site({f"/{n}": page() for n in range(9)})) as running:
        pages = fetcher().fetch(f"{running.url}/{n}" for n in range(9))
        assert isinstance(next(pages)[1], LandedPage)
        pages.close()
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPoolExecutor")]


def test_texts_that_take_long_end_no_request_that_is_in_flight():
    """Each page is there at once; the texts of all take many times what one request may take."""

    def slowly(body, url, content_type):
        time.sleep(0.15)
        return words(body, url, content_type)

    with serve(Site({"/": page()})) as running:
        urls = [running.url.replace("127.0.0.1", f"h{n}.test") + "/" for n in range(30)]
        found = fetch(*urls, way=Way(seconds=1), extract=slowly)
    assert {url: page.detail for url, page in found.items() if page.outcome is not Outcome.OK} == {}
    assert sorted(found) == sorted(urls)


def test_few_pages_wait_for_their_texts():
    """While texts are not found nothing new is asked, and what is in flight comes in."""
    go_on, found, waits = threading.Event(), [], 0

    def held(body, url, content_type):
        assert go_on.wait(LIMIT)
        return words(body, url, content_type)

    hosts = [f"h{n}.test" for n in range(60)]
    http = Clocked({f"{host}/robots.txt": NO_RULES for host in hosts})

    def stream(requests):
        nonlocal waits
        for request in requests:
            waits = waits + 1 if isinstance(request, Pause) else 0
            if waits == 50 and not go_on.is_set():
                found.append(sum(len(times) == 2 for times in http.left.values()))
                go_on.set()
            yield request

    class Watched(Clocked):
        def fetch(self, requests):
            return super().fetch(stream(requests))

    http = Watched(http.pages)
    tested = LandingFetcher(Way(), extract=held, http=http, clock=http.clock, rest=0.0, hosts=4)
    pages = dict(tested.fetch([f"http://{host}/" for host in hosts]))
    assert len(found) == 1
    assert 8 <= found[0] <= 8 + 4
    assert [page.outcome for page in pages.values()] == [Outcome.OK] * 60


def test_stopping_is_heard_while_pages_wait_for_their_texts():
    go_on = threading.Event()

    def held(body, url, content_type):
        assert go_on.wait(LIMIT)
        return words(body, url, content_type)

    def stop():
        if http.now > 60:
            go_on.set()
        return go_on.is_set()

    hosts = [f"h{n}.test" for n in range(60)]
    http = Clocked({f"{host}/robots.txt": NO_RULES for host in hosts})
    tested = LandingFetcher(Way(), extract=held, http=http, clock=http.clock, hosts=4)
    pages = dict(tested.fetch([f"http://{host}/" for host in hosts], stop=stop))
    assert 8 <= len(pages) <= 8 + 4
    assert all(page.text for page in pages.values())
