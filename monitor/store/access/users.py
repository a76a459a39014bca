"""Users with their roles, passwords, sessions and tokens."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from unicodedata import is_normalized

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.roles import Role, check_rater
from monitor.store import rows
from monitor.store.schema import api_tokens, login_failures, users, web_sessions
from monitor.text.near_names import hint

_NAME = re.compile(r"[\w.@+-]{1,100}")


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may log in. `password_hash` is empty where only a proxy names them."""

    id: int
    name: str
    roles: tuple[Role, ...]
    password_hash: str
    created_at: datetime
    disabled_at: datetime | None

    @property
    def is_active(self) -> bool:
        """Return whether they may come in."""
        return self.disabled_at is None


def check_name(name: str, roles: Iterable[Role]) -> str:
    """Return a name to log in as. Raises InvalidInput; a rater is named as such."""
    if not _NAME.fullmatch(name) or not is_normalized("NFC", name):
        raise InvalidInput(
            f"{name!r}: a user's name has up to 100 letters, digits, dots, dashes, @ and +"
        )
    if Role.LABELLER in roles:
        try:
            check_rater(name)
        except InvalidInput:
            raise InvalidInput(
                f"{name!r}: what a labeller says is kept under their name: initials or a code "
                "name, up to 40 letters, digits, dots and dashes"
            ) from None
    return name


def refuse_taken(connection: sa.Connection, name: str) -> None:
    """Raise InvalidInput where a user has this name, or one that differs in capitals only."""
    if any(user.name.casefold() == name.casefold() for user in list_users(connection)):
        raise _has_name(name)


def _has_name(name: str) -> InvalidInput:
    return InvalidInput(f"{name!r}: there is a user of this name already; see `monitor users list`")


def add_user(
    connection: sa.Connection, name: str, roles: Iterable[Role], hashed: str, now: datetime
) -> int:
    """Return a new user's number. Raises InvalidInput where the name is taken."""
    row = {
        "name": name, "roles": sorted({role.value for role in roles}), "password_hash": hashed,
        "created_at": now,
    }  # fmt: skip
    number = rows.insert_new(connection, users, row)
    if number is None:
        raise _has_name(name)
    return number


def list_users(connection: sa.Connection) -> list[User]:
    """Return all users by name, those too who may not come in any more."""
    return [make_user(row) for row in connection.execute(sa.select(users).order_by(users.c.name))]


def has_users(connection: sa.Connection) -> bool:
    """Return whether there are users, those too who may not come in any more."""
    return connection.execute(sa.select(users.c.id).limit(1)).scalar() is not None


def find_user(connection: sa.Connection, name: str) -> User | None:
    """Return a user by name; None where there is none."""
    row = connection.execute(sa.select(users).where(users.c.name == name)).one_or_none()
    return None if row is None else make_user(row)


def get_user(connection: sa.Connection, name: str) -> User:
    """Return a user by name. Raises InvalidInput where there is none."""
    stored_user = find_user(connection, name)
    if stored_user is None:
        names = [user.name for user in list_users(connection)]
        raise InvalidInput(f"{name!r}: no user of this name; {hint(name, names)}")
    return stored_user


def change_user(
    connection: sa.Connection,
    user: User,
    *,
    roles: Iterable[Role] | None = None,
    hashed: str | None = None,
) -> None:
    """Give a user other roles or another password. Whoever is logged in as them is logged out."""
    new: dict[str, Any] = {} if hashed is None else {"password_hash": hashed}
    if roles is not None:
        new["roles"] = sorted({role.value for role in roles})
    connection.execute(sa.update(users).where(users.c.id == user.id).values(new))
    log_out(connection, user)


def disable_user(connection: sa.Connection, user: User, now: datetime) -> None:
    """Let a user in no more: sessions end, and tokens are revoked."""
    connection.execute(sa.update(users).where(users.c.id == user.id).values(disabled_at=now))
    log_out(connection, user)
    active_tokens = api_tokens.c.user_id == user.id, api_tokens.c.revoked_at.is_(None)
    connection.execute(sa.update(api_tokens).where(*active_tokens).values(revoked_at=now))


def enable_user(connection: sa.Connection, user: User) -> None:
    """Let a user in again; tokens stay revoked."""
    connection.execute(sa.update(users).where(users.c.id == user.id).values(disabled_at=None))


def log_out(connection: sa.Connection, user: User) -> None:
    """End all sessions of a user."""
    connection.execute(sa.delete(web_sessions).where(web_sessions.c.user_id == user.id))


def make_user(row: sa.Row[Any]) -> User:
    """Return a user out of a row with the columns of the table."""
    user = rows.make_record(row, User)
    return replace(user, roles=tuple(map(Role, row.roles)))


#: A session ends when nothing was asked for so long, and at the latest after so long.
IDLE = timedelta(hours=12)
LONGEST = timedelta(days=7)
#: When a session or token was last used is written down so often only: reading shall not write.
_NOTED = timedelta(minutes=5)
#: What a token begins with, so that it is known where it was left lying about.
TOKEN_MARK = "gbm_"  # noqa: S105 - no secret


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a user, without what it is."""

    id: int
    name: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None

    def counts(self, now: datetime) -> bool:
        """Return whether a program can still log in with it."""
        return self.revoked_at is None and self.expires_at > now


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


# --- sessions -------------------------------------------------------------------------------------


def open_session(connection: sa.Connection, user: User, now: datetime) -> str:
    """Log a user in; what the browser is to hold. Sessions that have ended are removed."""
    ended = (web_sessions.c.seen_at < now - IDLE) | (web_sessions.c.created_at < now - LONGEST)
    connection.execute(sa.delete(web_sessions).where(ended))
    secret = secrets.token_urlsafe(32)
    row = {"user_id": user.id, "digest": _hash_secret(secret), "created_at": now, "seen_at": now}
    connection.execute(sa.insert(web_sessions).values(row))
    return secret


def find_session_user(
    connection: sa.Connection, secret: str, now: datetime
) -> tuple[User, bool] | None:
    """Return (user, is use to be noted) of a session that has not ended, or None."""
    session = web_sessions.c
    counts = (session.seen_at >= now - IDLE) & (session.created_at >= now - LONGEST)
    return _find_by_secret(connection, session.seen_at, secret, now, counts)


def _find_by_secret(
    connection: sa.Connection, used_at: sa.Column[datetime], secret: str, now: datetime,
    counts: sa.ColumnElement[bool],
) -> tuple[User, bool] | None:  # fmt: skip
    of = used_at.table.c
    query = (
        sa.select(users, used_at.label("used_at"))
        .join(used_at.table, of.user_id == users.c.id)
        .where(of.digest == _hash_secret(secret), counts, users.c.disabled_at.is_(None))
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return make_user(row), row.used_at is None or row.used_at < now - _NOTED


def note_session(connection: sa.Connection, secret: str, now: datetime) -> None:
    """Write down that a session was used."""
    condition = web_sessions.c.digest == _hash_secret(secret)
    connection.execute(sa.update(web_sessions).where(condition).values(seen_at=now))


def close_session(connection: sa.Connection, secret: str) -> None:
    """Log out."""
    connection.execute(sa.delete(web_sessions).where(web_sessions.c.digest == _hash_secret(secret)))


# --- tokens ---------------------------------------------------------------------------------------


def add_token(
    connection: sa.Connection, user: User, name: str, until: datetime, now: datetime
) -> str:
    """Return a new token for a user's programs; it is shown once and cannot be found out again."""
    secret = TOKEN_MARK + secrets.token_urlsafe(32)
    row = {
        "user_id": user.id, "name": name, "digest": _hash_secret(secret), "created_at": now,
        "expires_at": until,
    }  # fmt: skip
    connection.execute(sa.insert(api_tokens).values(row))
    return secret


def find_token_user(
    connection: sa.Connection, secret: str, now: datetime
) -> tuple[User, bool] | None:
    """Return (user, whether the use is to be noted) of a token that counts; None otherwise."""
    token = api_tokens.c
    counts = (token.expires_at > now) & token.revoked_at.is_(None)
    return _find_by_secret(connection, token.used_at, secret, now, counts)


def note_token(connection: sa.Connection, secret: str, now: datetime) -> None:
    """Write down that a token was used."""
    condition = api_tokens.c.digest == _hash_secret(secret)
    connection.execute(sa.update(api_tokens).where(condition).values(used_at=now))


def list_tokens(connection: sa.Connection, user: User) -> list[Token]:
    """Return the tokens of a user, the newest first."""
    query = sa.select(api_tokens).where(api_tokens.c.user_id == user.id)
    return rows.read_records(connection, query.order_by(api_tokens.c.id.desc()), Token)


def revoke_token(connection: sa.Connection, user: User, number: int, now: datetime) -> bool:
    """End a token of a user; False where there is none of this number that counts."""
    condition = (
        api_tokens.c.id == number,
        api_tokens.c.user_id == user.id,
        api_tokens.c.revoked_at.is_(None),
    )
    change = sa.update(api_tokens).where(*condition).values(revoked_at=now)
    return bool(connection.execute(change).rowcount)


# --- logins that failed ---------------------------------------------------------------------------


def record_failure(
    connection: sa.Connection, subjects: Iterable[str], now: datetime, keep: timedelta
) -> None:
    """Write down a failed login of a name and an address; older ones than `keep` are removed."""
    connection.execute(sa.delete(login_failures).where(login_failures.c.at < now - keep))
    content = [{"subject": subject, "at": now} for subject in subjects]
    connection.execute(sa.insert(login_failures), content)


def list_failures(connection: sa.Connection, subject: str, since: datetime) -> list[datetime]:
    """Return when logins of a name or an address failed, the oldest first."""
    conditions = login_failures.c.subject == subject, login_failures.c.at >= since
    query = sa.select(login_failures.c.at).where(*conditions).order_by(login_failures.c.at)
    return list(connection.execute(query).scalars())


def forget_failures(connection: sa.Connection, subject: str) -> None:
    """Forget the failures of a name, after a login that did not fail."""
    connection.execute(sa.delete(login_failures).where(login_failures.c.subject == subject))
