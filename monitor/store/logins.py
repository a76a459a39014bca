"""Who is logged in: sessions of browsers, tokens of programs, and logins that failed.

What a browser or a program holds is never stored, only its SHA-256: who reads the database cannot
log in with it.
"""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from monitor.store.schema import api_tokens, login_failures, users, web_sessions
from monitor.store.users import User, of_row

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
        """Whether a program can still log in with it."""
        return self.revoked_at is None and self.expires_at > now


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


# --- sessions -------------------------------------------------------------------------------------


def open_session(connection: sa.Connection, user: User, now: datetime) -> str:
    """Log a user in; what the browser is to hold. Sessions that have ended are removed."""
    ended = (web_sessions.c.seen_at < now - IDLE) | (web_sessions.c.created_at < now - LONGEST)
    connection.execute(sa.delete(web_sessions).where(ended))
    secret = secrets.token_urlsafe(32)
    row = {"user_id": user.id, "digest": _digest(secret), "created_at": now, "seen_at": now}
    connection.execute(sa.insert(web_sessions).values(row))
    return secret


def of_session(connection: sa.Connection, secret: str, now: datetime) -> tuple[User, bool] | None:
    """(user, whether the use is to be noted) of a session that has not ended; None otherwise."""
    query = (
        sa.select(users, web_sessions.c.seen_at)
        .join(web_sessions, web_sessions.c.user_id == users.c.id)
        .where(
            web_sessions.c.digest == _digest(secret),
            web_sessions.c.seen_at >= now - IDLE,
            web_sessions.c.created_at >= now - LONGEST,
            users.c.disabled_at.is_(None),
        )
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else (of_row(row), row.seen_at < now - _NOTED)


def note_session(connection: sa.Connection, secret: str, now: datetime) -> None:
    """Write down that a session was used."""
    mine = web_sessions.c.digest == _digest(secret)
    connection.execute(sa.update(web_sessions).where(mine).values(seen_at=now))


def close_session(connection: sa.Connection, secret: str) -> None:
    """Log out."""
    connection.execute(sa.delete(web_sessions).where(web_sessions.c.digest == _digest(secret)))


# --- tokens ---------------------------------------------------------------------------------------


def add_token(
    connection: sa.Connection, user: User, name: str, until: datetime, now: datetime
) -> str:
    """A new token for a user's programs; it is shown once and cannot be found out again."""
    secret = TOKEN_MARK + secrets.token_urlsafe(32)
    row = {
        "user_id": user.id, "name": name, "digest": _digest(secret), "created_at": now,
        "expires_at": until,
    }  # fmt: skip
    connection.execute(sa.insert(api_tokens).values(row))
    return secret


def of_token(connection: sa.Connection, secret: str, now: datetime) -> tuple[User, bool] | None:
    """(user, whether the use is to be noted) of a token that counts; None otherwise."""
    query = (
        sa.select(users, api_tokens.c.used_at)
        .join(api_tokens, api_tokens.c.user_id == users.c.id)
        .where(
            api_tokens.c.digest == _digest(secret),
            api_tokens.c.expires_at > now,
            api_tokens.c.revoked_at.is_(None),
            users.c.disabled_at.is_(None),
        )
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return of_row(row), row.used_at is None or row.used_at < now - _NOTED


def note_token(connection: sa.Connection, secret: str, now: datetime) -> None:
    """Write down that a token was used."""
    mine = api_tokens.c.digest == _digest(secret)
    connection.execute(sa.update(api_tokens).where(mine).values(used_at=now))


def tokens_of(connection: sa.Connection, user: User) -> list[Token]:
    """The tokens of a user, the newest first."""
    columns = (api_tokens.c[name] for name in Token.__dataclass_fields__)
    query = sa.select(*columns).where(api_tokens.c.user_id == user.id)
    return [Token(*row) for row in connection.execute(query.order_by(api_tokens.c.id.desc()))]


def revoke(connection: sa.Connection, user: User, number: int, now: datetime) -> bool:
    """End a token of a user; False where there is none of this number that counts."""
    mine = (
        api_tokens.c.id == number,
        api_tokens.c.user_id == user.id,
        api_tokens.c.revoked_at.is_(None),
    )
    change = sa.update(api_tokens).where(*mine).values(revoked_at=now)
    return bool(connection.execute(change).rowcount)


# --- logins that failed ---------------------------------------------------------------------------


def fail(
    connection: sa.Connection, subjects: Iterable[str], now: datetime, keep: timedelta
) -> None:
    """Write down a failed login of a name and an address; older ones than `keep` are removed."""
    connection.execute(sa.delete(login_failures).where(login_failures.c.at < now - keep))
    given = [{"subject": subject, "at": now} for subject in subjects]
    connection.execute(sa.insert(login_failures), given)


def failures(connection: sa.Connection, subject: str, since: datetime) -> list[datetime]:
    """When logins of a name or an address failed, the oldest first."""
    mine = login_failures.c.subject == subject, login_failures.c.at >= since
    query = sa.select(login_failures.c.at).where(*mine).order_by(login_failures.c.at)
    return list(connection.execute(query).scalars())


def forgive(connection: sa.Connection, subject: str) -> None:
    """Forget the failures of a name, after a login that did not fail."""
    connection.execute(sa.delete(login_failures).where(login_failures.c.subject == subject))
