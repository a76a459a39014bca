"""Users of the web pages: who they are, what they may do, and how their password is checked.

They stand in the restricted schema, so that no export, query or Datasette shows them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from unicodedata import is_normalized

import sqlalchemy as sa

from monitor.labels.sheets import checked_rater
from monitor.model import InvalidInput
from monitor.roles import Role
from monitor.store import rows
from monitor.store.schema import api_tokens, users, web_sessions
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
        """Whether they may come in."""
        return self.disabled_at is None


def checked_name(name: str, roles: Iterable[Role]) -> str:
    """A name to log in as. Raises InvalidInput; who labels is a rater, and is named as one."""
    if not _NAME.fullmatch(name) or not is_normalized("NFC", name):
        raise InvalidInput(
            f"{name!r}: a user's name has up to 100 letters, digits, dots, dashes, @ and +"
        )
    if Role.LABELLER in roles:
        try:
            checked_rater(name)
        except InvalidInput:
            raise InvalidInput(
                f"{name!r}: what a labeller says is kept under their name: initials or a code "
                "name, up to 40 letters, digits, dots and dashes"
            ) from None
    return name


def refuse_taken(connection: sa.Connection, name: str) -> None:
    """Raise InvalidInput where a user has this name, or one that differs in capitals only."""
    if any(user.name.casefold() == name.casefold() for user in everybody(connection)):
        raise _taken(name)


def _taken(name: str) -> InvalidInput:
    return InvalidInput(f"{name!r}: there is a user of this name already; see `monitor users list`")


def add(
    connection: sa.Connection, name: str, roles: Iterable[Role], hashed: str, now: datetime
) -> int:
    """A new user's number. Raises InvalidInput where the name is taken."""
    row = {
        "name": name,
        "roles": sorted({role.value for role in roles}),
        "password_hash": hashed,
        "created_at": now,
    }
    number = rows.insert_new(connection, users, row)
    if number is None:
        raise _taken(name)
    return number


def everybody(connection: sa.Connection) -> list[User]:
    """All users by name, those too who may not come in any more."""
    return [of_row(row) for row in connection.execute(sa.select(users).order_by(users.c.name))]


def any_at_all(connection: sa.Connection) -> bool:
    """Whether there are users, those too who may not come in any more."""
    return connection.execute(sa.select(users.c.id).limit(1)).scalar() is not None


def by_name(connection: sa.Connection, name: str) -> User | None:
    """A user by name; None where there is none."""
    row = connection.execute(sa.select(users).where(users.c.name == name)).one_or_none()
    return None if row is None else of_row(row)


def named(connection: sa.Connection, name: str) -> User:
    """A user by name. Raises InvalidInput where there is none."""
    found = by_name(connection, name)
    if found is None:
        names = [user.name for user in everybody(connection)]
        raise InvalidInput(f"{name!r}: no user of this name; {hint(name, names)}")
    return found


def change(
    connection: sa.Connection,
    user: User,
    *,
    roles: Iterable[Role] | None = None,
    hashed: str | None = None,
) -> None:
    """Give a user other roles or another password. Whoever is logged in as them is logged out."""
    new: dict[str, Any] = {}
    if roles is not None:
        new["roles"] = sorted({role.value for role in roles})
    if hashed is not None:
        new["password_hash"] = hashed
    connection.execute(sa.update(users).where(users.c.id == user.id).values(new))
    log_out(connection, user)


def disable(connection: sa.Connection, user: User, now: datetime) -> None:
    """Let a user in no more: sessions end, and tokens are revoked."""
    connection.execute(sa.update(users).where(users.c.id == user.id).values(disabled_at=now))
    log_out(connection, user)
    own = api_tokens.c.user_id == user.id, api_tokens.c.revoked_at.is_(None)
    connection.execute(sa.update(api_tokens).where(*own).values(revoked_at=now))


def enable(connection: sa.Connection, user: User) -> None:
    """Let a user in again; tokens stay revoked."""
    connection.execute(sa.update(users).where(users.c.id == user.id).values(disabled_at=None))


def log_out(connection: sa.Connection, user: User) -> None:
    """End all sessions of a user."""
    connection.execute(sa.delete(web_sessions).where(web_sessions.c.user_id == user.id))


def of_row(row: sa.Row[Any]) -> User:
    """A user out of a row with the columns of the table."""
    return User(
        row.id, row.name, tuple(Role(one) for one in row.roles), row.password_hash,
        row.created_at, row.disabled_at,
    )  # fmt: skip
