"""`monitor serve` as a shell runs it: the pages, TLS, proxies, the refusals, the graceful end."""

import os
import re
import signal
import socket
import ssl
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from monitor.roles import Role
from monitor.store.access import users
from monitor.store.database import connect
from monitor.web import passwords
from tests import warm
from tests.command import program
from tests.conftest import copy_sqlite

LONG = 60.0
PASSWORD = "a long enough password"
FORM = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def folder(sqlite_template, tmp_path):
    copy_sqlite(sqlite_template, tmp_path / "monitor.db")
    return tmp_path


@pytest.fixture(scope="module")
def stored():
    return passwords.hash_password(PASSWORD)


def add_user(folder, name, role, stored=""):
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    with database.begin() as connection:
        users.add_user(connection, name, [role], stored, datetime.now(UTC))
        user = users.get_user(connection, name)
        now = datetime.now(UTC)
        token = users.add_token(connection, user, "x", now + timedelta(days=1), now)
    database.close()
    return token


def key_pair():
    """A key and a certificate of this machine that it has made itself, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    return key, made.public_bytes(serialization.Encoding.PEM)


def pem(key, password=None):
    how = (
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption()
    )
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how)


@pytest.fixture
def certificate(folder):
    key, made = key_pair()
    (folder / "key.pem").write_bytes(pem(key))
    (folder / "cert.pem").write_bytes(made)
    return ("--certificate", "cert.pem", "--key", "key.pem")


def clean():
    return {name: value for name, value in os.environ.items() if not name.startswith("MONITOR_")}


@contextmanager
def begun(folder, *arguments, scheme="http"):
    """(process, its output, the address at which it serves the pages); killed if it goes on."""
    words = ("serve", "--port", "0", *arguments)
    reading, writing = os.pipe()
    with os.fdopen(writing) as said:
        process = warm.begin("monitor.cli", words, folder=folder, environment=clean(), said=said)
    with os.fdopen(reading) as output:
        try:
            line = output.readline()
            address = re.fullmatch(rf"serving ({scheme}://\S+:\d+)/\n", line)
            assert address, line + output.read()
            assert output.readline().endswith(". Ctrl-C ends it\n")
            yield process, output, address[1]
        finally:
            process.kill()
            process.wait(LONG)


@contextmanager
def serving(folder, *arguments, scheme="http"):
    """The address at which the pages are served; afterwards the end was graceful."""
    with begun(folder, *arguments, scheme=scheme) as (process, output, address):
        try:
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(LONG)
        rest = output.read()
    assert code == 0, rest
    assert rest.endswith("stopping after what is in flight; once more to stop at once\n")
    assert "Traceback" not in rest


def client(url, **more):
    return httpx.Client(base_url=url, timeout=LONG, trust_env=False, **more)


@pytest.fixture
def refused(folder, monkeypatch, capsys):
    """Runs the command in this process, in the folder: it serves nothing. (exit code, words)."""
    with program(folder, monkeypatch, capsys) as monitor:

        def run(where, *arguments):
            monkeypatch.chdir(where)
            code, _, why = monitor("serve", *arguments)
            return code, why

        yield run


def test_everybody_at_this_machine_reads_until_there_are_users(folder, stored):
    with serving(folder) as url, client(url) as browser:
        report = browser.get("/")
        assert report.status_code == 200
        assert report.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        assert "server" not in report.headers
        assert browser.get("/healthz").json()["alive"] is True
        assert browser.get("/readyz").json()["ready"] is True
        assert browser.get("/metrics").text.startswith("# HELP gbmonitor_")
        assert browser.get("/api/v1/overview").json()["groups"] == []
        assert browser.get("/monitor.db").status_code == 404
        assert browser.post("/", content=b"x").status_code == 403
        passed_on = browser.get("/", headers={"X-Forwarded-For": "192.0.2.1"})
        assert (passed_on.status_code, "name it with --proxy" in passed_on.text) == (403, True)

        token = add_user(folder, "ada", Role.VIEWER, stored)
        answer = browser.get("/")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/login?after=%2F")
        assert browser.get("/metrics").status_code == 303
        assert browser.get("/api/v1/overview").status_code == 401
        assert browser.get("/healthz").status_code == 200  # whoever restarts us has no password
        bearer = {"Authorization": f"Bearer {token}"}
        assert browser.get("/metrics", headers=bearer).status_code == 200
        done = browser.post("/login", data={"name": "ada", "password": PASSWORD}, headers=FORM)
        assert (done.status_code, done.headers["Location"]) == (303, "/")
        assert browser.get("/").status_code == 200


def test_tls_with_a_certificate(folder, certificate, stored):
    add_user(folder, "ada", Role.VIEWER, stored)
    trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    with (
        serving(folder, "--host", "0.0.0.0", *certificate, scheme="https") as url,  # noqa: S104
        client(url.replace("0.0.0.0", "localhost"), verify=trust) as browser,  # noqa: S104
    ):
        answer = browser.get("/")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/login?after=%2F")
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        form = {"name": "ada", "password": PASSWORD}
        done = browser.post("/login", data=form, headers={"Origin": str(browser.base_url)})
        cookie = done.headers["Set-Cookie"]
        assert cookie.startswith("__Host-monitor=")
        for part in ("HttpOnly", "Path=/", "SameSite=lax", "Secure"):
            assert f"; {part}" in cookie
        assert "Domain" not in cookie
        assert browser.get("/").status_code == 200
        other = browser.get("/", headers={"Host": "evil.test"})
        assert (other.status_code, "--name" in other.text) == (421, True)
        slashed = browser.get("/login/")
        assert slashed.headers["Location"] == f"{browser.base_url}/login"
        with pytest.raises(httpx.HTTPError):
            client(url.replace("https", "http").replace("0.0.0.0", "localhost")).get("/")  # noqa: S104


def test_behind_a_proxy_that_says_who_somebody_is(folder):
    add_user(folder, "ada", Role.VIEWER)
    words = ("--proxy", "127.0.0.1", "--user-header", "X-User", "--name", "monitor.example.org")
    with (
        serving(folder, *words) as url,
        client(url, headers={"Host": "monitor.example.org"}) as proxy,
    ):
        assert proxy.get("/").status_code == 303
        assert proxy.get("/", headers={"X-User": "ada"}).status_code == 200
        assert proxy.get("/", headers={"X-User": "eve"}).status_code == 403
        twice = [("X-User", "ada"), ("X-User", "eve")]
        assert proxy.get("/", headers=twice).status_code == 403
        assert "Secure" in _cookie(proxy, folder)


def _cookie(proxy, folder):
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    with database.begin() as connection:
        user = users.get_user(connection, "ada")
        users.change_user(connection, user, hashed=passwords.hash_password(PASSWORD))
    database.close()
    form = {"name": "ada", "password": PASSWORD}
    return proxy.post("/login", data=form, headers=FORM).headers["Set-Cookie"]


def test_nobody_comes_past_the_proxy(folder):
    with serving(folder, "--proxy", "192.0.2.0/24") as url, client(url) as browser:
        answer = browser.get("/", headers={"X-Forwarded-For": "192.0.2.7"})
        assert (answer.status_code, answer.text) == (403, "come through the proxy")
        assert browser.get("/healthz").status_code == 200


def test_public_pages_need_no_login(folder):
    with serving(folder, "--public") as url, client(url) as browser:
        assert browser.get("/").status_code == 200
        assert browser.get("/metrics").status_code == 303
        assert browser.get("/account").status_code == 303


def test_heads_that_are_too_long_are_refused(folder):
    with serving(folder) as url, client(url) as browser:
        address = (browser.base_url.host, browser.base_url.port)
        with socket.create_connection(address, timeout=LONG) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 40_000)
            assert plain.recv(1_000).startswith(b"HTTP/1.1 400 ")
        assert browser.get("/healthz").status_code == 200


def answering_process(url):
    """The id of the process that answers a new connection."""
    answer = httpx.get(f"{url}/readyz", timeout=LONG, trust_env=False)
    return int(answer.json()["process"]["name"].split(":")[1])


def other_process(url, process):
    """The id of the process that answers while this one is stopped."""
    os.kill(process, signal.SIGSTOP)
    try:
        return answering_process(url)
    finally:
        os.kill(process, signal.SIGCONT)


def test_several_processes_answer_at_one_address(folder):
    with serving(folder, "--processes", "2") as url:
        first = answering_process(url)
        second = other_process(url, first)
        assert second != first
        assert other_process(url, second) == first


def test_a_process_that_dies_ends_the_others(folder):
    with begun(folder, "--processes", "3") as (process, output, url):
        os.kill(other_process(url, process.pid), signal.SIGKILL)
        assert process.wait(LONG) == 1
        said = " ".join(output.read().split())
        assert "a process of the pages ended by itself; the log says why" in said
        with pytest.raises(httpx.ConnectError):
            answering_process(url)


def test_a_process_that_does_not_end_is_killed(folder):
    with begun(folder, "--processes", "2") as (process, output, url):
        child = other_process(url, process.pid)
        os.kill(child, signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        code, said = process.wait(LONG), " ".join(output.read().split())
        assert (code, f"process {child} does not end: it is killed" in said) == (0, True), said


def test_no_process_outlives_the_first(folder):
    with begun(folder, "--processes", "2") as (process, output, url):
        other_process(url, process.pid)
        process.kill()
        output.read()  # until the last process has closed it
        with pytest.raises(httpx.ConnectError):
            answering_process(url)


@pytest.mark.parametrize("host", ["::", "192.0.2.1"])
def test_other_machines_need_tls(folder, host, refused):
    code, said = refused(folder, "--host", host)
    assert code == 2
    assert f"--host {host}: passwords and answers would cross the network in the clear" in said
    assert "--certificate and --key, or --proxy" in said


def test_a_port_that_is_taken(folder, refused):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = refused(folder, "--port", str(port))
    assert code == 2
    assert f"127.0.0.1:{port}: cannot listen there: Address already in use" in said
    assert "name another one with --port" in said


def test_certificates_that_cannot_be_used(folder, certificate, refused):
    name, cert, option, key = certificate
    other, _ = key_pair()
    (folder / "other.pem").write_bytes(pem(other))
    (folder / "closed.pem").write_bytes(pem(other, b"secret"))
    (folder / "none.pem").write_text("hello")
    for words, said in (
        ([name, cert], "belong together: name both"),
        ([name, "gone.pem", option, key], "gone.pem: No such file or directory"),
        ([name, cert, option, "gone.pem"], "gone.pem: No such file or directory"),
        ([name, "none.pem", option, key], "PEM"),
        ([name, cert, option, "none.pem"], "PEM"),
        ([name, cert, option, "other.pem"], "the key is not that of the certificate"),
        ([name, cert, option, "closed.pem"], "key"),
    ):
        code, error = refused(folder, "--port", "0", *words)
        assert code == 2, error
        assert said in error
        assert "unexpected" not in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "my.host"], "--host: 'my.host' is no IP address, nor localhost"),
        (["--user-header", "X-User"], "anybody could send it; name the proxy"),
        (["--proxy", "my.proxy"], "--proxy my.proxy: is no address or network"),
        (["--name", "https://a.test/"], "a host's name alone"),
    ],
    ids=range(4),
)
def test_what_cannot_be_is_refused(folder, words, said, refused):
    code, error = refused(folder, *words)
    assert code == 2
    assert said in error


def test_without_a_database_there_is_nothing_to_serve(tmp_path, refused):
    (tmp_path / "empty").mkdir()
    code, said = refused(tmp_path / "empty")
    assert code == 4
    assert "make one with `monitor init`" in said
