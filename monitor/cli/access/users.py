"""Commands about users of the web pages: roles, passwords, tokens."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from getpass import getpass
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer
from rich.text import Text

from monitor import settings
from monitor.cli.console import AsJson, emit_json, err, out, print_facts, read_secret, say, table
from monitor.cli.database import database
from monitor.model import InvalidInput
from monitor.roles import Role
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.store.access.users import Token, User

_MOST = 10_000


def new_password(variable: str) -> str:
    """A password for somebody. `variable` names one of the environment, empty for none.

    Raises InvalidInput where there is none, or where two that were typed differ.
    """
    if variable:
        return read_secret("--password-from", variable)
    if not sys.stdin.isatty():
        password = sys.stdin.readline(_MOST).rstrip("\r\n")
        if not password:
            raise InvalidInput("a password is wanted on standard input, or by --password-from")
        return password
    first = getpass("new password: ")
    if getpass("once more: ") != first:
        raise InvalidInput("the two passwords differ; nothing was changed")
    return first


users_commands = typer.Typer()

Name = Annotated[str, typer.Argument(help="A user of `monitor users list`.")]
Roles = Annotated[
    list[Role],
    typer.Option("--role", help="What they may do (docs/web.md); may be given often."),
]
PasswordFrom = Annotated[
    str, typer.Option(metavar="NAME", help="Variable of the environment that holds the password.")
]


@users_commands.command()
def add(
    name: Annotated[str, typer.Argument(help="What they log in as; no full name.")],
    role: Roles,
    password_from: PasswordFrom = "",
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Only a proxy says who they are (--user-header).")
    ] = False,
) -> None:
    """Add a user. From the first one on, whoever opens the pages logs in.

    The password is asked for twice at a terminal; elsewhere it is the first line of standard
    input, or comes from --password-from. Every role adds to what the others allow, but whoever
    labels should have no other: what is known of engines would tell what is expected.
    """
    from monitor.store.access import users
    from monitor.store.journal import events
    from monitor.web import passwords

    users.check_name(name, role)
    if no_password and password_from:
        raise InvalidInput("--no-password and --password-from exclude each other")
    now = datetime.now(UTC)
    with database() as opened:
        with opened.read() as connection:
            users.refuse_taken(connection, name)
        hashed = "" if no_password else passwords.hash_password(new_password(password_from))
        with opened.begin() as connection:
            number = users.add_user(connection, name, role, hashed, now)
            events.add_event(connection, "user_added", f"user {number}", _listed(role), now=now)
    say(f"{name} is user {number}: {_listed(role)}")


@users_commands.command("list")
def list_users(as_json: AsJson = False) -> None:
    """List users: roles, since when, whether they may come in, and tokens that count."""
    from monitor.store.access import users

    zone, now = settings.load().zone, datetime.now(UTC)
    with database() as opened, opened.read() as connection:
        rows = [
            _describe(user, users.list_tokens(connection, user), zone, now)
            for user in users.list_users(connection)
        ]
    if as_json:
        emit_json(rows)
        return
    if not rows:
        say("there are no users; monitor users add NAME --role viewer adds one")
        return
    columns = ("name", "no.", "roles", "since", "tokens", "state")
    lines = [
        (
            Text(row["name"]), str(row["number"]), ", ".join(row["roles"]),
            f"{row['created_at']:%Y-%m-%d}", str(row["tokens"]), _state(row),
        )
        for row in rows
    ]  # fmt: skip
    out.print(table("", columns, lines))


def _describe(
    user: "User", tokens: Sequence["Token"], zone: ZoneInfo, now: datetime
) -> dict[str, Any]:
    return {
        "number": user.id,
        "name": user.name,
        "roles": [str(role) for role in user.roles],
        "password": bool(user.password_hash),
        "created_at": user.created_at.astimezone(zone),
        "disabled_at": user.disabled_at and user.disabled_at.astimezone(zone),
        "tokens": sum(token.counts(now) for token in tokens),
    }


@users_commands.command("show")
def show_user(name: Name, as_json: AsJson = False) -> None:
    """Show a user: roles, since when, whether they may come in, and tokens that count."""
    from monitor.store.access import users

    zone, now = settings.load().zone, datetime.now(UTC)
    with database() as opened, opened.read() as connection:
        user = users.get_user(connection, name)
        facts = _describe(user, users.list_tokens(connection, user), zone, now)
    if as_json:
        emit_json(facts)
        return
    print_facts(f"{name}: {_state(facts)}", facts, leave_out=("name", "password"))
    say(f"tokens: monitor users token {name}")


def _state(one: dict[str, Any]) -> str:
    if one["disabled_at"]:
        return f"disabled {one['disabled_at']:%Y-%m-%d}"
    return "may come in" if one["password"] else "by proxy only"


@users_commands.command()
def roles(name: Name, role: Roles) -> None:
    """Give a user these roles instead of the ones they have, and end their sessions."""
    from monitor.store.access import users
    from monitor.store.journal import events

    now = datetime.now(UTC)
    with database() as opened, opened.begin() as connection:
        user = users.get_user(connection, name)
        users.check_name(name, role)
        users.change_user(connection, user, roles=role)
        words = f"{_listed(user.roles)} before, now {_listed(role)}"
        events.add_event(connection, "user_changed", f"user {user.id}", words, now=now)
    say(f"{name}: {words}")


@users_commands.command()
def password(name: Name, password_from: PasswordFrom = "") -> None:
    """Give a user another password, and end their sessions. Their tokens go on."""
    from monitor.store.access import users
    from monitor.store.journal import events
    from monitor.web import passwords

    now = datetime.now(UTC)
    with database() as opened:
        with opened.read() as connection:
            user = users.get_user(connection, name)
            n_tokens = sum(token.counts(now) for token in users.list_tokens(connection, user))
        hashed = passwords.hash_password(new_password(password_from))
        with opened.begin() as connection:
            users.change_user(connection, user, hashed=hashed)
            events.add_event(connection, "user_changed", f"user {user.id}", "password", now=now)
    left = f"; {several(n_tokens, 'token')} still count (monitor users token {name})"
    say(f"{name} has another password, and is logged out{left if n_tokens else ''}")


@users_commands.command()
def disable(name: Name) -> None:
    """Let a user in no more: sessions end, tokens are revoked. What they did stays theirs."""
    from monitor.store.access import users
    from monitor.store.journal import events

    now = datetime.now(UTC)
    with database() as opened, opened.begin() as connection:
        user = users.get_user(connection, name)
        if user.is_active:
            users.disable_user(connection, user, now)
            events.add_event(connection, "user_disabled", f"user {user.id}", "", now=now)
    say(f"{name} may not come in any more" if user.is_active else f"{name} was disabled already")


@users_commands.command()
def enable(name: Name) -> None:
    """Let a user in again with the password they had; tokens stay revoked."""
    from monitor.store.access import users
    from monitor.store.journal import events

    with database() as opened, opened.begin() as connection:
        user = users.get_user(connection, name)
        if not user.is_active:
            users.enable_user(connection, user)
            now = datetime.now(UTC)
            events.add_event(connection, "user_enabled", f"user {user.id}", "", now=now)
    say(f"{name} may come in")


@users_commands.command()
def token(
    name: Name,
    purpose: Annotated[str, typer.Option("--for", help="Make one: what it is for.")] = "",
    days: Annotated[int, typer.Option(min=1, max=365, help="Days until it ends.")] = 90,
    revoke: Annotated[int, typer.Option(min=0, help="End the token of this number.")] = 0,
) -> None:
    """List a user's tokens, make one for a program (--for), or end one (--revoke).

    A new token is printed once, alone on standard output, and cannot be found out again. A program
    sends it as `Authorization: Bearer TOKEN`; it may read what the user may, and acts as them.
    """
    from monitor.store.access import users
    from monitor.store.journal import events

    if purpose and revoke:
        raise InvalidInput("--for makes a token, --revoke ends one: not both at once")
    zone, now = settings.load().zone, datetime.now(UTC)
    with database() as opened, opened.begin() if purpose or revoke else opened.read() as connection:
        user = users.get_user(connection, name)
        if purpose:
            if not user.is_active:
                raise InvalidInput(f"{name} is disabled; see `monitor users enable`")
            secret = users.add_token(connection, user, purpose, now + timedelta(days=days), now)
            events.add_event(connection, "token_made", f"user {user.id}", f"{days} days", now=now)
        elif revoke:
            if not users.revoke_token(connection, user, revoke, now):
                raise InvalidInput(f"{name} has no token {revoke} that counts")
            words = f"token {revoke}"
            events.add_event(connection, "token_revoked", f"user {user.id}", words, now=now)
        tokens = users.list_tokens(connection, user)
    if purpose:
        err.print("the new token, shown this once:", markup=False)
        typer.echo(secret)
    elif revoke:
        say(f"token {revoke} of {name} counts no more")
    elif not tokens:
        say(f"{name} has no token; monitor users token {name} --for PURPOSE makes one")
    else:
        lines = [
            (
                Text(token.name), str(token.id), f"{token.created_at.astimezone(zone):%Y-%m-%d}",
                f"{token.expires_at.astimezone(zone):%Y-%m-%d}",
                f"{token.used_at.astimezone(zone):%Y-%m-%d}" if token.used_at else "never",
                "counts" if token.counts(now) else "revoked" if token.revoked_at else "ended",
            )
            for token in tokens
        ]  # fmt: skip
        out.print(table("", ("for", "no.", "made", "ends", "last used", "state"), lines))


def _listed(some: Sequence[Role]) -> str:
    return ", ".join(sorted({str(role) for role in some}))
