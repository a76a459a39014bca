"""`monitor notify test` and `monitor notify list`, as a shell runs them; no address is shown."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from monitor import settings
from monitor.store.journal import notifications
from monitor.store.journal.notifications import NewNotice
from tests.command import program
from tests.standins.mailbox import Hook, MailServer, nobody, serving

AT = datetime(2026, 3, 2, 5, tzinfo=UTC)
SECRET = "t0ken-of-the-editors"


@pytest.fixture
def monitor(sqlite_database, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def set_to(monkeypatch, **variables):
    for name, value in variables.items():
        monkeypatch.setenv(f"MONITOR_NOTIFY_{name.upper()}", value)
    settings.load.cache_clear()


def test_a_test_message_goes_to_every_address_of_its_route(monitor, monkeypatch, sqlite_database):
    with serving(Hook()) as hook, serving(MailServer()) as mail:
        set_to(monkeypatch, findings=f"{hook.url(SECRET)} {mail.url()}", operations=hook.url("no"))
        code, out, err = monitor("notify", "test", "findings")
        assert [path.strip("/") for path, _ in hook.posts] == [SECRET]
        assert mail.letters[0]["Subject"] == "Test of the route findings"
    assert code == 0
    assert all("so far" in line for line in err.splitlines())  # progress, where it takes long
    assert out == "findings, address 1 of 2: sent\nfindings, address 2 of 2: sent\n"
    with sqlite_database.read() as connection:
        assert notifications.list_newest(connection, 9) == []


def test_what_did_not_go_out_is_said_without_the_address(monitor, monkeypatch):
    with serving(Hook()) as hook, serving(MailServer()) as mail:
        hook.status = 403
        addresses = [
            hook.url(SECRET, f"{SECRET}:{SECRET}@"), mail.url(password=SECRET),
            f"json://127.0.0.1:{nobody()}/{SECRET}", f"tgram://{SECRET}", SECRET,
        ]  # fmt: skip
        set_to(monkeypatch, operations="\n".join(addresses))
        monkeypatch.setenv("MONITOR_LOG_LEVEL", "debug")
        settings.load.cache_clear()
        code, out, err = monitor("notify", "test", "operations")
    assert code == 5
    assert out.splitlines() == [
        "operations, address 1 of 5: not sent: HTTP 403",
        "operations, address 2 of 5: not sent: the login was refused",
        "operations, address 3 of 5: not sent: nobody could be reached there",
        "operations, address 4 of 5: not sent: Apprise makes nothing of it",
        "operations, address 5 of 5: not sent: Apprise makes nothing of it",
    ]
    assert "5 of 5 addresses did not take the message" in err
    for said in (out, err):
        assert SECRET not in said
        assert "127.0.0.1" not in said


def test_a_route_that_is_not_set_is_named(monitor):
    code, out, err = monitor("notify", "test", "findings")
    assert (code, out) == (2, "")
    assert "MONITOR_NOTIFY_FINDINGS is not set" in err
    assert monitor("notify", "test", "elsewhere")[0] == 2


def test_notices_are_listed_the_newest_first(monitor, sqlite_database):
    assert monitor("notify", "list")[1] == "nothing was told yet\n"
    assert monitor("notify", "list", "--unsent")[1] == "nothing waits\n"
    with sqlite_database.begin() as connection:
        for n, state in enumerate(("sent", "open", "failed")):
            new = NewNotice("operations", "raised", f"alarm:{n}", f"Alarm {state} \x1b[31m", "b\nb")
            number = notifications.add_notice(connection, new, AT + timedelta(hours=n))
            [one] = notifications.find_notices(connection, [number])
            if state == "sent":
                notifications.mark_sent(connection, one, AT)
            if state == "failed":
                notifications.give_up_notice(connection, one, "address 1 of 1: HTTP 500")
    code, out, err = monitor("notify", "list")
    assert code == 0
    lines = [line for line in out.splitlines() if "Alarm" in line]
    assert [line.split("Alarm ")[1].split()[0] for line in lines] == ["failed", "open", "sent"]
    assert "\x1b" not in out
    assert "1 notice was never told" in err
    assert "HTTP 500" in " ".join(out.split())
    _, out, _ = monitor("notify", "list", "--unsent", "--json", "--limit", 5)
    assert "\x1b" not in out
    found = json.loads(out)
    assert [one["state"] for one in found] == ["failed", "open"]
    assert found[0]["body"] == "b\nb"
    assert found[0]["created_at"] == "2026-03-02 07:00:00+00:00"


def test_a_notice_is_shown_with_its_whole_text(monitor, sqlite_database):
    with sqlite_database.begin() as connection:
        new = NewNotice("operations", "raised", "alarm:1", "Alarm \x1b[31m", "first\nsecond")
        number = notifications.add_notice(connection, new, AT)
    code, out, _ = monitor("notify", "show", number)
    assert code == 0
    assert out.splitlines() == [
        "2026-03-02 05:00, operations: open, 0 tries", "Alarm \\u001b[31m", "first", "second",
    ]  # fmt: skip
    assert json.loads(monitor("notify", "show", number, "--json")[1])["body"] == "first\nsecond"
    code, _, err = monitor("notify", "show", "99")
    assert code == 2
    assert "no notice 99; see `monitor notify list`" in err
