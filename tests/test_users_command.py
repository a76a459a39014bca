"""`monitor users` and `monitor embargo`: who may come in, and what the public does not see."""

import io
import json
import sys
from datetime import UTC, datetime, timedelta

import pytest

from monitor import settings
from monitor.roles import Role
from monitor.store.access import embargoes as hiding
from monitor.store.access import users
from monitor.store.database import connect
from monitor.store.journal import events
from monitor.web import passwords
from tests.cases import check_each
from tests.command import program
from tests.demo import made_once

SECRET = "correct horse battery"


class Typed(io.StringIO):
    """Standard input as a pipe, or as a terminal at which nobody types into it."""

    def __init__(self, text="", is_terminal=False):
        super().__init__(text)
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal


@pytest.fixture
def place(database_url, tmp_path, monkeypatch, capsys):
    """A function that runs commands on a database of either kind, and that database."""
    monkeypatch.setenv("MONITOR_DATABASE_URL", database_url)
    settings.load.cache_clear()
    database = connect(database_url, tmp_path / "bodies")
    with program(tmp_path, monkeypatch, capsys) as command:

        def run(*arguments, stdin=""):
            monkeypatch.setattr(sys, "stdin", Typed(stdin))
            return command(*arguments)

        yield run, database
    database.close()


def user(database, name):
    with database.read() as connection:
        return users.find_user(connection, name)


def happened(database):
    with database.read() as connection:
        return [(one.kind, one.subject, one.detail) for one in events.list_newest(connection, 50)][
            ::-1
        ]


def test_a_user_is_added_with_a_password_of_standard_input(place):
    run, database = place
    code, said, _ = run("users", "add", "ada", "--role", "analyst", "--role", "viewer",
                        stdin=f"{SECRET}\n")  # fmt: skip
    assert (code, said) == (0, "ada is user 1: analyst, viewer\n")
    found = user(database, "ada")
    assert found.roles == (Role.ANALYST, Role.VIEWER)
    assert passwords.check_password(SECRET, found.password_hash)
    assert SECRET not in found.password_hash
    assert found.password_hash.startswith("$argon2id$")
    assert happened(database) == [("user_added", "user 1", "analyst, viewer")]  # without the name


def test_a_password_of_the_environment(place, monkeypatch):
    run, database = place
    monkeypatch.setenv("NEW_ONE", SECRET)
    assert run("users", "add", "ada", "--role", "viewer", "--password-from", "NEW_ONE")[0] == 0
    assert passwords.check_password(SECRET, user(database, "ada").password_hash)
    code, _, said = run("users", "add", "bob", "--role", "viewer", "--password-from", "OTHER")
    assert (code, "--password-from OTHER" in said) == (2, True)
    assert user(database, "bob") is None


def test_a_password_is_typed_twice_at_a_terminal(place, monkeypatch):
    run, database = place
    typed = iter([SECRET, SECRET, SECRET, f"{SECRET}x"])
    asked = []
    monkeypatch.setattr(
        "monitor.cli.access.users.getpass", lambda prompt: asked.append(prompt) or next(typed)
    )
    monkeypatch.setattr(Typed, "isatty", lambda _self: True)
    assert run("users", "add", "ada", "--role", "viewer")[0] == 0
    code, _, said = run("users", "password", "ada")
    assert (code, "the two passwords differ; nothing was changed" in said) == (2, True)
    assert asked == ["new password: ", "once more: "] * 2
    assert passwords.check_password(SECRET, user(database, "ada").password_hash)


@pytest.mark.parametrize(
    ("stdin", "words"),
    [("", "a password is wanted"), ("short\n", "12 to 1,024 characters, this one 5"),
     ("x" * 2000, "12 to 1,024 characters")],
)  # fmt: skip
def test_passwords_that_are_none_are_refused(place, stdin, words):
    run, database = place
    code, _, said = run("users", "add", "ada", "--role", "viewer", stdin=stdin)
    assert code == 2
    assert words in said
    assert user(database, "ada") is None


@check_each(
    ("name", "role"),
    [("", "viewer"), ("a b", "viewer"), ("<b>", "viewer"), ("a\nb", "viewer"),
     ("a" * 101, "viewer"), ("e\u0301va", "viewer"), ("\u202eada", "viewer"),
     ("ada@example.org", "labeller"), ("a" * 41, "labeller")],
)  # fmt: skip
def test_names_that_cannot_be_are_refused(place, name, role):
    run, database = place
    code, _, said = run("users", "add", name, "--role", role, stdin=f"{SECRET}\n")
    assert code == 2
    assert "up to" in said
    with database.read() as connection:
        assert users.list_users(connection) == []


def test_names_are_taken_whatever_their_capitals(place):
    run, _ = place
    assert run("users", "add", "ada", "--role", "viewer", stdin=f"{SECRET}\n")[0] == 0
    for name in ("ada", "Ada"):
        code, _, said = run("users", "add", name, "--role", "viewer", stdin=f"{SECRET}\n")
        assert (code, "a user of this name already" in said) == (2, True)


def test_a_user_of_a_proxy_has_no_password(place):
    run, database = place
    assert run("users", "add", "ada@example.org", "--role", "viewer", "--no-password")[0] == 0
    found = user(database, "ada@example.org")
    assert found.password_hash == ""
    assert not passwords.check_password("", found.password_hash)
    assert json.loads(run("users", "list", "--json")[1])[0]["password"] is False
    code, _, said = run(
        "users", "add", "b", "--role", "viewer", "--no-password", "--password-from", "X"
    )
    assert (code, "exclude each other" in said) == (2, True)


def test_other_roles_and_passwords_end_sessions(place):
    run, database = place
    run("users", "add", "ada", "--role", "viewer", stdin=f"{SECRET}\n")
    now = datetime.now(UTC)

    def session():
        with database.begin() as connection:
            return users.open_session(connection, users.get_user(connection, "ada"), now)

    def counts(secret):
        with database.read() as connection:
            return users.find_session_user(connection, secret, now) is not None

    first = session()
    assert counts(first)
    assert run("users", "roles", "ada", "--role", "operator")[1] == (
        "ada: viewer before, now operator\n"
    )
    assert not counts(first)
    second = session()
    assert run("users", "password", "ada", stdin="another long password\n")[0] == 0
    assert not counts(second)
    assert user(database, "ada").roles == (Role.OPERATOR,)
    assert not passwords.check_password(SECRET, user(database, "ada").password_hash)
    third = session()
    assert run("users", "disable", "ada")[0] == 0
    assert not counts(third)
    assert run("users", "disable", "ada")[1] == "ada was disabled already\n"
    assert run("users", "enable", "ada")[0] == 0
    assert user(database, "ada").is_active
    assert [kind for kind, _, _ in happened(database)] == [
        "user_added", "user_changed", "user_changed", "user_disabled", "user_enabled",
    ]  # fmt: skip


def test_a_labeller_needs_the_name_of_a_rater(place):
    run, _ = place
    run("users", "add", "ada@example.org", "--role", "viewer", "--no-password")
    code, _, said = run("users", "roles", "ada@example.org", "--role", "labeller")
    assert (code, "initials or a code name" in said) == (2, True)


def test_tokens_are_made_listed_and_revoked(place):
    run, database = place
    run("users", "add", "ada", "--role", "analyst", stdin=f"{SECRET}\n")
    code, secret, said = run("users", "token", "ada", "--for", "weekly [red]script", "--days", "2")
    assert (code, "shown this once" in said) == (0, True)
    secret = secret.strip()
    assert secret.startswith("gbm_")
    now = datetime.now(UTC)
    with database.read() as connection:
        assert users.find_token_user(connection, secret, now)[0].name == "ada"
        assert users.find_token_user(connection, secret, now + timedelta(days=3)) is None
    shown = run("users", "token", "ada")[1]
    assert "weekly [red]script" in shown
    assert secret not in shown
    assert run("users", "token", "ada", "--revoke", "1")[0] == 0
    with database.read() as connection:
        assert users.find_token_user(connection, secret, now) is None
    code, _, said = run("users", "token", "ada", "--revoke", "1")
    assert (code, "no token 1 that counts" in said) == (2, True)
    assert "revoked" in run("users", "token", "ada")[1]
    run("users", "disable", "ada")
    assert run("users", "token", "ada", "--for", "x")[0] == 2
    assert not [one for one in happened(database) if secret in str(one)]


def test_users_are_listed(place):
    run, _ = place
    assert "there are no users" in run("users", "list")[1]
    run("users", "add", "ada", "--role", "viewer", stdin=f"{SECRET}\n")
    run("users", "token", "ada", "--for", "x")
    (found,) = json.loads(run("users", "list", "--json")[1])
    assert (found["name"], found["roles"], found["tokens"], found["disabled_at"]) == (
        "ada", ["viewer"], 1, None,
    )  # fmt: skip
    assert "may come in" in run("users", "list")[1]
    run("users", "disable", "ada")
    assert "disabled 20" in run("users", "list")[1]
    assert json.loads(run("users", "list", "--json")[1])[0]["tokens"] == 0


@pytest.mark.parametrize(
    "words",
    [["roles", "x", "--role", "viewer"], ["password", "x"], ["disable", "x"], ["enable", "x"],
     ["token", "x"]],
    ids=range(5),
)  # fmt: skip
def test_who_is_unknown_is_named(place, words):
    code, _, said = place[0]("users", *words, stdin=f"{SECRET}\n")
    assert (code, "no user of this name" in said) == (2, True)


# --- embargoes ------------------------------------------------------------------------------------


@pytest.fixture
def archive(sqlite_template, tmp_path_factory, tmp_path, monkeypatch, capsys):
    """Commands on a copy of the demo archive."""
    from tests.conftest import copy_sqlite

    folder = made_once(sqlite_template, tmp_path_factory)
    copy_sqlite(folder / "monitor.db", tmp_path / "monitor.db")
    settings.load.cache_clear()
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", folder / "bodies")
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command, database
    database.close()


def hidden(database, now=None):
    with database.read() as connection:
        return hiding.find_hidden(connection, now or datetime.now(UTC))


def test_an_embargo_hides_until_it_ends_or_is_lifted(archive):
    run, database = archive
    assert run("embargo", "list")[1] == "there is no embargo\n"
    code, said, _ = run("embargo", "add", "--job", "mt-weekly", "--reason", "paper", "--by", "ada")
    found = hidden(database)
    assert code == 0
    assert found.series
    assert said == (
        f"embargo 1: {len(found.series)} more series hidden, {len(found.series)} in all\n"
    )
    assert run("embargo", "add", "--job", "mt-weekly", "--measure", "masculine_rate",
               "--until", "2999-01-31", "--reason", "later")[0] == 0  # fmt: skip
    first = json.loads(run("embargo", "list", "--json")[1])[-1]
    assert (first["job"], first["reason"], first["by"], first["stands"]) == (
        "mt-weekly", "paper", "ada", True,
    )  # fmt: skip
    assert "2999-02-01" in run("embargo", "list")[1]  # the day is the whole of it
    assert run("embargo", "lift", "1")[0] == 0
    assert 0 < len(hidden(database).series) < len(found.series)
    assert not hidden(database, datetime(2999, 2, 1, tzinfo=UTC)).series
    code, _, said = run("embargo", "lift", "1")
    assert (code, "no embargo 1 that stands" in said) == (2, True)
    with database.read() as connection:
        kinds = [one.kind for one in events.list_newest(connection, 3)]
    assert kinds == ["embargo_lifted", "embargo_added", "embargo_added"]


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--reason", "x"], "name at least one of"),
     (["--job", "mt-weekly", "--reason", " "], "say why"),
     (["--job", "mt-weekly", "--reason", "x", "--until", "2020-01-01"], "is past"),
     (["--job", "mt-weekly", "--reason", "x", "--until", "soon"], "write 2027-01-31")],
    ids=range(4),
)  # fmt: skip
def test_embargoes_that_hide_nothing_are_refused(archive, words, said):
    run, database = archive
    code, _, error = run("embargo", "add", *words)
    assert code == 2
    assert said in error
    assert not hidden(database).series


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--job", "none"], "warning: no job 'none' is known here"),
     (["--engine", "depl"], "monitor embargo lift 1"),
     (["--engine", "deepl"], "engine 'deepl' is not in the archive yet: it is hidden from its"),
     (["--quantity", "f_m"], "all of masculine_rate is hidden, with all quantities"),
     (["--measure", "masculine_rate(floor=4)"], "all of masculine_rate is hidden"),
     (["--engine", "libretranslate", "--measure", "Masculine_Rate"], "")],
    ids=range(6),
)  # fmt: skip
def test_an_embargo_says_what_it_means(archive, words, said):
    run, database = archive
    code, _, error = run("embargo", "add", *words, "--reason", "r", "--by", "b")
    assert code == 0
    assert said in error
    assert bool(error) == bool(said)
    assert hidden(database).is_any


def test_what_is_listed_is_shown_and_a_near_name_is_suggested(place):
    run, _database = place
    run("users", "add", "ada", "--role", "viewer", stdin=f"{SECRET}\n")
    run("embargo", "add", "--job", "j", "--reason", "why so", "--by", "b")
    assert "roles: viewer" in run("users", "show", "ada")[1]
    assert json.loads(run("users", "show", "ada", "--json")[1])["roles"] == ["viewer"]
    assert run("users", "show", "adda")[0::2] == (
        2, "monitor: 'adda': no user of this name; did you mean ada?"
    )  # fmt: skip
    assert "reason: why so" in run("embargo", "show", "1")[1]
    assert run("embargo", "show", "7")[0::2] == (2, "monitor: no embargo '7'; known: 1")
