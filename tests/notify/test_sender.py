"""Messages that go out over real sockets, and faults of which no word of an address is said."""

import json
import logging
import socket
import subprocess
import sys

import pytest

from monitor.notify import Delivery, Message, child, is_known, still_without, words
from monitor.notify.sender import AppriseSender
from monitor.settings import Settings
from tests.cases import check_each
from tests.standins.mailbox import PASSWORD, Hook, MailServer, nobody, serving

MESSAGE = Message("Alarm disk: <b>quota</b>", "Detail: [all](http://x) of it\nMore: monitor status")
TOKEN = "t0ken-that-nobody-sees"


@pytest.fixture
def hook():
    with serving(Hook()) as server:
        yield server


@pytest.fixture
def mail():
    with serving(MailServer()) as server:
        yield server


def sent(*urls, seconds=60.0, places=()):
    return AppriseSender({"findings": list(urls)}, seconds).send("findings", MESSAGE, places)


def test_a_message_goes_to_every_address_as_it_is(hook, mail):
    delivery = sent(hook.url(), mail.url())
    assert delivery.is_complete
    assert (delivery.n, str(delivery)) == (2, "")
    [(_, body)] = hook.posts
    said = json.loads(body)
    assert (said["title"], said["message"]) == (MESSAGE.title, MESSAGE.body)
    [letter] = mail.letters
    assert letter["Subject"] == MESSAGE.title
    assert letter["To"] == "editor@paper.test"
    assert letter.get_content().splitlines() == MESSAGE.body.splitlines()


def test_html_letters_show_the_text_and_obey_none_of_it(mail):
    assert sent(mail.url(form="html")).is_complete
    [letter] = mail.letters
    html = letter.get_body(("html",)).get_content()
    assert "<a " not in html
    assert sent(mail.url(form="markdown")).is_complete


def test_only_the_places_that_are_named_are_sent_to(hook):
    delivery = sent(hook.url("1"), hook.url("2"), hook.url("3"), places=(2,))
    assert delivery.is_complete
    assert [path.strip("/") for path, _ in hook.posts] == ["2"]


def test_faults_are_told_apart_and_named_by_their_place(hook, mail):
    hook.script = [500]
    delivery = sent(
        hook.url(),
        f"json://127.0.0.1:{nobody()}/x",
        "no address at all",
        f"jsons://127.0.0.1:{hook.server_address[1]}/x",
        mail.url(password="another"),
        mail.url(),
    )
    mail.refuses = True
    refused = sent(mail.url())
    assert delivery.n == 6
    assert delivery.faults == {1: "http_500", 2: "unreachable", 3: "unusable", 4: "tls", 5: "login"}
    assert str(delivery).startswith("address 1 of 6: HTTP 500; address 2 of 6: nobody could")
    assert refused.faults == {1: "refused"}


def test_a_status_is_named_and_nothing_else_of_an_answer(hook):
    known = [301, 400, 401, 403, 404, 429, 503]
    delivery = sent(*(hook.url(f"status/{status}") for status in known))
    assert list(delivery.faults.values()) == [f"http_{status}" for status in known]


def test_a_server_that_says_nothing_is_late():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        delivery = sent(
            f"json://{place}/x?rto=0.5&cto=0.5", f"mailto://u:p@{place}?from=b@b.test&to=a@b.test&cto=0.5&mode=insecure"
        )  # fmt: skip
    assert set(delivery.faults.values()) == {"late"}


def test_a_server_that_never_ends_costs_its_time_and_holds_up_no_other(hook):
    hook.script = ["drip"]
    with serving(Hook()) as other:
        delivery = sent(hook.url(), other.url(), seconds=3.0)
        assert len(other.posts) == 1
    assert delivery.faults == {1: "late"}


def test_no_word_of_an_address_is_said_wherever_one_looks(hook, capfd, caplog, monkeypatch):
    """User, password, path and query hold secrets; the server repeats what it knows of them."""
    caplog.set_level(logging.DEBUG)
    hook.status = 500
    login = f"{TOKEN}-user:{TOKEN}-password@"
    urls = [
        hook.url(f"{TOKEN}?+X-Key={TOKEN}", login),
        f"jsons://{login}127.0.0.1:{nobody()}/{TOKEN}",
        f"json://{TOKEN}.invalid/{TOKEN}",
        f"mailto://{login}127.0.0.1:{nobody()}?from=b@b.test&to=a@b.test&mode=insecure",
        f"nothing://{TOKEN}",
        f"slack://{TOKEN}",
    ]
    monkeypatch.setenv("MONITOR_NOTIFY_FINDINGS", "  ".join(urls[:3]) + "\n" + " ".join(urls[3:]))
    sender = AppriseSender.from_settings(Settings.of_environment())
    delivery = sender.send("findings", MESSAGE)
    out, err = capfd.readouterr()
    assert len(delivery.faults) == len(urls) == 6
    for said in (str(delivery), repr(delivery), repr(sender), str(sender), out, err, caplog.text):
        assert TOKEN not in said
        assert PASSWORD not in said
        assert ".invalid" not in said
    assert repr(Settings.of_environment()).count(TOKEN) == 0


def test_routes_are_those_with_an_address(monkeypatch):
    monkeypatch.setenv("MONITOR_NOTIFY_OPERATIONS", " json://a/b\tjson://c/d\n")
    sender = AppriseSender.from_settings(Settings.of_environment())
    assert sender.routes == ("operations",)
    assert (sender.count_addresses("operations"), sender.count_addresses("findings")) == (2, 0)
    assert AppriseSender.from_settings(Settings.of_environment(notify_operations="")).routes == ()


# --- the process that sends -----------------------------------------------------------------------


def run_child(given):
    return subprocess.run(
        [sys.executable, "-P", "-m", "monitor.notify.child"],
        input=given, capture_output=True, timeout=120, check=False,
    )  # fmt: skip


def test_the_process_says_codes_and_nothing_else(hook):
    wanted = {"addresses": [hook.url(TOKEN)], "title": "t", "body": "b", "seconds": 30}
    hook.status = 500
    done = run_child(json.dumps(wanted).encode())
    assert (json.loads(done.stdout), done.stderr, done.returncode) == (["http_500"], b"", 0)


def test_many_addresses_at_once_each_keep_their_fault(hook):
    addresses = [hook.url(f"{TOKEN}{n}") for n in range(60)]
    wanted = {"addresses": addresses, "title": "t", "body": "b", "seconds": 60}
    hook.status = 403
    hurried = (
        "import sys; sys.setswitchinterval(1e-6); from monitor.notify import child; child.main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", hurried],
        input=json.dumps(wanted).encode(), capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == ["http_403"] * len(addresses)


def test_a_process_that_dies_is_a_fault_and_says_nothing(monkeypatch):
    broken = ["/bin/sh", "-c", f"echo {TOKEN}; kill -9 $$"]
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda _command, **more: real(broken, **more))
    assert sent("json://127.0.0.1:1/x", "json://127.0.0.1:1/y").faults == {1: "broken", 2: "broken"}


@pytest.mark.parametrize("said", ["[]", '["", ""]', "{}", '[{"a": 1}]', '["a"', '["t0ken"]', "[7]"])
def test_what_is_no_code_is_not_repeated(monkeypatch, said):
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda _c, **more: real(["/bin/echo", said], **more))
    faults = sent("json://127.0.0.1:1/x").faults
    assert set(faults) == {1}
    assert is_known(faults[1])


def test_one_that_hangs_is_ended(monkeypatch):
    from monitor.notify import sender

    real = subprocess.run
    monkeypatch.setattr(sender, "_TO_START", 0.2)
    monkeypatch.setattr(subprocess, "run", lambda _c, **more: real(["/bin/sleep", "60"], **more))
    assert sent("json://127.0.0.1:1/x", seconds=0.2).faults == {1: "late"}


def test_one_that_cannot_be_started_is_a_fault(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert sent("json://127.0.0.1:1/x").faults == {1: "broken"}


def test_ctrl_c_in_the_terminal_does_not_end_it(monkeypatch):
    """It has a session of its own: the signal goes to the group of the terminal."""
    looks = "import os; print('[\"\"]' if os.getsid(0) == os.getpid() else '[\"late\"]')"
    real = subprocess.run
    command = [sys.executable, "-c", looks]
    monkeypatch.setattr(subprocess, "run", lambda _command, **more: real(command, **more))
    assert sent("json://127.0.0.1:1/x").is_complete


# --- faults by what is logged of them -------------------------------------------------------------


@check_each(
    ("logged", "code"),
    [
        ([("WARNING", "Failed to send JSON: Too many., error=429.")], "http_429"),
        ([("DEBUG", "Socket Exception: (535, b'5.7.8 bad')")], "login"),
        ([("DEBUG", "Socket Exception: [Errno -2] Name or service not known")], "unknown_host"),
        ([("DEBUG", "Socket Exception: STARTTLS extension not supported by server.")], "tls"),
        ([("DEBUG", "Socket Exception: [Errno 113] No route to host")], "unreachable"),
        ([("DEBUG", "Socket Exception: x with url: /ssl?timed out (Caused by y)")], "refused"),
        ([("DEBUG", "JSON Payload: {'message': 'error=500 timed out'}")], "refused"),
        ([("DEBUG", "Response Details: error=500")], "refused"),
        ([("ERROR", "something new")], "refused"),
        ([], "refused"),
    ],
)
def test_codes(logged, code):
    assert child.find_code(logged) == code
    assert is_known(code)


def test_a_fault_of_a_library_is_one_of_a_single_address(monkeypatch):
    def hand_over(address, _title, _body):
        if address == "good":
            return ""
        raise {"bad": RuntimeError, "without": ImportError}[address](TOKEN)

    monkeypatch.setattr(child, "send_to_address", hand_over)
    assert child.send_to_all(["bad", "good", "without"], "t", "b", 30) == [
        "broken", "", "missing",
    ]  # fmt: skip


@check_each(
    ("trouble", "n", "places"),
    [
        ("", 3, (1, 2, 3)),
        ("address 2 of 3: HTTP 500", 3, (2,)),
        ("address 1 of 3: HTTP 500; address 3 of 3: no answer in time", 3, (1, 3)),
        ("address 2 of 3: HTTP 500", 2, (1, 2)),
        ("address 2 of 3: HTTP 500", 4, (1, 2, 3, 4)),
        ("address 9 of 3: HTTP 500", 3, (1, 2, 3)),
        ("something else", 1, (1,)),
        ("", 0, ()),
    ],
)
def test_who_is_still_without(trouble, n, places):
    assert still_without(trouble, n) == places


def test_what_is_written_of_a_try_is_read_again():
    delivery = Delivery(4, {2: "http_503", 4: "late"})
    assert still_without(str(delivery), 4) == (2, 4)
    assert words("anything else") == "the message was not taken"
