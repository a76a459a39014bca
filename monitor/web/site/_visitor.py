"""Who asks: a session's cookie, a program's token, a proxy's header, or nobody in particular.

In goes a request, out comes a visitor with what they may do. Every route names the permission that
it needs (`needs`); what changes anything also needs the mark of a form that we have sent.
"""

import hmac
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Form, Header, Request

from monitor.model import StoreProblem, storable
from monitor.roles import LOCAL, PUBLIC, Permission, Role, permissions
from monitor.store.access import embargoes, users
from monitor.store.access.embargoes import NOTHING, EmbargoFilter
from monitor.store.access.users import User
from monitor.store.database import Connection
from monitor.store.journal.events import read_cache_version
from monitor.web.site._errors import Forbidden, LoginNeeded
from monitor.web.site._guard import PROXIED, token
from monitor.web.site._site import Entry, Site, TheSite

#: The prefix binds the cookie to this host and to TLS; browsers refuse it over plain HTTP.
SECURE_COOKIE, PLAIN_COOKIE = "__Host-monitor", "monitor"
#: Seconds for which what is under embargo is kept: one that ends stands so much longer.
_KEPT = 30
#: Seconds that others are waited for who write while a use is to be noted.
_MOMENT = 0.05


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever asks. `name` is empty for those who have not logged in, `mark` where none is needed.

    `hidden` is what the public does not see, empty for everybody else.
    """

    name: str
    roles: tuple[Role, ...]
    permissions: frozenset[Permission]
    hidden: EmbargoFilter = NOTHING
    mark: str = ""
    is_program: bool = False
    #: No page can be opened as this visitor: a proxy names nobody known, or the database is away.
    is_shut_out: bool = False

    def may(self, permission: Permission) -> bool:
        """Whether they have a permission."""
        return permission in self.permissions


#: Stands for whoever cannot be told apart now.
SHUT_OUT = Visitor("", (), frozenset(), is_shut_out=True)


def cookie_name(site: Site) -> str:
    """What our cookie is called."""
    return SECURE_COOKIE if site.access.is_secure else PLAIN_COOKIE


def visitor(request: Request, site: TheSite) -> Visitor:
    """Who asks. Raises LoginNeeded for a token that does not count."""
    if secret := token(request.headers):
        return _program(site, secret)
    if named := _named_by_proxy(request, site):
        return _of_user(named, _mark(site.key, named.name))
    if secret := request.cookies.get(cookie_name(site), ""):
        with site.database.read() as connection:
            found = users.find_session_user(connection, secret, site.now())
        if found is not None:
            user, is_noted = found
            if is_noted:
                _note(site, users.note_session, secret)
            return _of_user(user, session_mark(secret))
    return _nobody(site)


def _program(site: Site, secret: str) -> Visitor:
    with site.database.read() as connection:
        found = users.find_token_user(connection, secret, site.now())
    if found is None:
        raise LoginNeeded("this token is not known, has ended, or was revoked")
    user, is_noted = found
    if is_noted:
        _note(site, users.note_token, secret)
    return Visitor(user.name, user.roles, permissions(user.roles), is_program=True)


def _note(site: Site, note: Callable[[Connection, str, datetime], None], secret: str) -> None:
    """Write down a use if that can be done at once; else the next request tries again.

    Reading a page shall not wait until a run is written, nor need a disk that has room.
    """
    with suppress(StoreProblem), site.database.begin(_MOMENT) as connection:
        note(connection, secret, site.now())


def _named_by_proxy(request: Request, site: Site) -> User | None:
    """The user whom a proxy names, which has checked who they are. Raises Forbidden for others."""
    header = site.access.user_header
    if not header or not request.scope.get(PROXIED):
        return None
    given = request.headers.getlist(header)
    if not any(given):
        return None
    if len(given) > 1:
        raise Forbidden(
            f"two headers {header}: one of them is not the proxy's; it is to replace it"
        )
    name = given[0].encode("latin-1").decode(errors="replace")
    with site.database.read() as connection:
        found = users.find_user(connection, storable(name))
    if found is None or not found.is_active:
        raise Forbidden(f"{name!r} is no user here; an operator adds users: monitor users add")
    return found


def _of_user(user: User, mark: str) -> Visitor:
    return Visitor(user.name, user.roles, permissions(user.roles), mark=mark)


def _nobody(site: Site) -> Visitor:
    if site.access.entry is Entry.PUBLIC:
        return Visitor("", (), PUBLIC, _hidden(site))
    if site.access.entry is Entry.LOCAL:
        with site.database.read() as connection:
            is_open = not users.has_users(connection)
        if is_open:
            return Visitor("", (), LOCAL)
    return Visitor("", (), frozenset())


def _hidden(site: Site) -> EmbargoFilter:
    """What is under embargo: looked up when anything was added or ended, and every half minute."""
    now = site.now()
    with site.database.read() as connection:
        known_at = (read_cache_version(connection), now.timestamp() // _KEPT)
        found = site.hidden.get(known_at)
        if found is None:
            found = embargoes.find_hidden(connection, now)
            site.hidden.clear()
            site.hidden[known_at] = found
    return found


def session_mark(secret: str) -> str:
    """The mark in forms of a session; it tells nothing of what the browser holds."""
    return _mark(secret.encode(), "session")


def _mark(key: bytes, about: str) -> str:
    return hmac.new(key, f"form of {about}".encode(), sha256).hexdigest()


Who = Annotated[Visitor, Depends(visitor)]


def needs(permission: Permission) -> Callable[[Visitor], Visitor]:
    """A dependency: lets in only who has a permission. Raises LoginNeeded or Forbidden."""

    def check(who: Who) -> Visitor:
        if who.may(permission):
            return who
        if not who.name:
            raise LoginNeeded("log in to see this")
        raise Forbidden(
            f"this needs a user with the permission {permission}; {who.name} has the roles "
            f"{', '.join(who.roles) or 'none'}"
        )

    check.permission = permission  # type: ignore[attr-defined]
    return check


def acts(
    who: Who,
    mark: Annotated[str, Form()] = "",
    x_mark: Annotated[str, Header()] = "",
) -> None:
    """A dependency of whatever changes anything: the request comes from a form that we have sent.

    Another site's page can make a browser send a request with our cookie, but cannot read the mark.
    Programs send no cookie. Raises Forbidden.
    """
    if who.is_program:
        return
    given = (mark or x_mark).encode()
    if not who.mark or not hmac.compare_digest(given, who.mark.encode()):
        raise Forbidden("this form is too old, or from elsewhere: load the page again")
