"""Visitors: identified by session cookie, API token or header of a proxy, or anonymous.

Every route names the permission that it requires (`require_permission`). A request that changes
anything also needs the mark of a form of this site (`require_form_mark`).
"""

import hmac
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Form, Header, Request

from monitor.model import StoreProblem, make_storable
from monitor.roles import LOCAL, PUBLIC, Permission, Role, find_permissions
from monitor.stages.changes.attribution import AUDIT_FELL
from monitor.stages.changes.claims import Declared, InstrumentAudit
from monitor.stages.reports.claim_content import NOT_AUDITED
from monitor.store.access import embargoes as hidden
from monitor.store.access import users
from monitor.store.access.embargoes import NOTHING, EmbargoFilter
from monitor.store.access.users import User
from monitor.store.changes import findings
from monitor.store.database import Connection
from monitor.store.journal.events import Stamp, read_cache_version
from monitor.web.site.errors import Forbidden, LoginNeeded
from monitor.web.site.middleware import PROXIED, read_token
from monitor.web.site.site_state import EntryRule, Site, TheSite, get_cookie_name

#: Seconds for which what is under embargo is kept: one that ends stands so much longer.
_EMBARGO_SECONDS = 30
#: Seconds that others are waited for who write while a use is to be noted.
_NOTE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor. `name` is empty without a login, `mark` where none is needed.

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
    #: State of the archive by which somebody without a login was identified; None for users.
    as_of: Stamp | None = None

    def may(self, permission: Permission) -> bool:
        """Return whether the visitor has a permission."""
        return permission in self.permissions


#: Stands for whoever cannot be told apart now.
SHUT_OUT = Visitor("", (), frozenset(), is_shut_out=True)


def identify_visitor(request: Request, site: TheSite) -> Visitor:
    """Return the visitor of a request. Raise LoginNeeded for an invalid token."""
    if secret := read_token(request.headers):
        return _identify_program(site, secret)
    if proxy_user := _find_proxy_user(request, site):
        return _make_visitor(proxy_user, _sign_mark(site.key, proxy_user.name))
    if secret := request.cookies.get(get_cookie_name(site), ""):
        with site.database.read() as connection:
            session = users.find_session_user(connection, secret, site.now())
        if session is not None:
            user, is_noted = session
            if is_noted:
                _note_use(site, users.note_session, secret)
            return _make_visitor(user, make_session_mark(secret))
    return identify_anonymous(site)


def _identify_program(site: Site, secret: str) -> Visitor:
    with site.database.read() as connection:
        token_user = users.find_token_user(connection, secret, site.now())
    if token_user is None:
        raise LoginNeeded("this token is not known, has ended, or was revoked")
    user, is_noted = token_user
    if is_noted:
        _note_use(site, users.note_token, secret)
    return Visitor(user.name, user.roles, find_permissions(user.roles), is_program=True)


def _note_use(site: Site, note: Callable[[Connection, str, datetime], None], secret: str) -> None:
    """Store that a session or token was used, if the database is free at once.

    Reading a page shall not wait until a run is written, nor need a disk that has room.
    """
    with suppress(StoreProblem), site.database.begin(_NOTE_SECONDS) as connection:
        note(connection, secret, site.now())


def _find_proxy_user(request: Request, site: Site) -> User | None:
    """Return the user whom a trusted proxy names. Raise Forbidden for others."""
    header = site.access.user_header
    if not header or not request.scope.get(PROXIED):
        return None
    names = request.headers.getlist(header)
    if not any(names):
        return None
    if len(names) > 1:
        raise Forbidden(
            f"two headers {header}: one of them is not the proxy's; it is to replace it"
        )
    name = names[0].encode("latin-1").decode(errors="replace")
    with site.database.read() as connection:
        user = users.find_user(connection, make_storable(name))
    if user is None or not user.is_active:
        raise Forbidden(f"{name!r} is no user here; an operator adds users: monitor users add")
    return user


def _make_visitor(user: User, mark: str) -> Visitor:
    return Visitor(user.name, user.roles, find_permissions(user.roles), mark=mark)


def identify_anonymous(site: Site) -> Visitor:
    """Return the visitor without a login.

    The state of the archive is read first: whatever the visitor may see is as new, or newer.
    """
    if site.access.entry is EntryRule.LOGIN:
        return Visitor("", (), frozenset())
    now = site.now()
    with site.database.read() as connection:
        as_of = (*read_cache_version(connection), now.timestamp() // _EMBARGO_SECONDS)
        if site.access.entry is EntryRule.PUBLIC:
            return Visitor("", (), PUBLIC, _read_embargoes(connection, site, as_of), as_of=as_of)
        if users.has_users(connection):
            return Visitor("", (), frozenset())
    return Visitor("", (), LOCAL, as_of=as_of)


def _read_embargoes(connection: Connection, site: Site, as_of: Stamp) -> EmbargoFilter:
    """Return what is under embargo, read again after changes and every half minute."""
    embargoes = site.hidden.get(as_of)
    if embargoes is None:
        embargoes = hidden.find_hidden(connection, site.now())
        site.hidden.clear()
        site.hidden[as_of] = embargoes
    return embargoes


def make_session_mark(secret: str) -> str:
    """Return the mark of a session's forms, which reveals nothing of its cookie."""
    return _sign_mark(secret.encode(), "session")


def _sign_mark(key: bytes, about: str) -> str:
    return hmac.new(key, f"form of {about}".encode(), sha256).hexdigest()


Who = Annotated[Visitor, Depends(identify_visitor)]


def require_permission(permission: Permission) -> Callable[[Visitor], Awaitable[Visitor]]:
    """Return a dependency that requires a permission.

    It raises LoginNeeded or Forbidden.
    """

    async def check(who: Who) -> Visitor:  # async: it takes no thread
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


def require_form_mark(
    who: Who,
    mark: Annotated[str, Form()] = "",
    x_mark: Annotated[str, Header()] = "",
) -> None:
    """Check that a request comes from a form of this site, or from a program.

    Another site's page can make a browser send a request with our cookie, but cannot read the mark.
    Programs send no cookie. Raises Forbidden.
    """
    if who.is_program:
        return
    sent_mark = (mark or x_mark).encode()
    if not who.mark or not hmac.compare_digest(sent_mark, who.mark.encode()):
        raise Forbidden("this form is too old, or from elsewhere: load the page again")


class Redaction:
    """Texts of findings as a visitor may read them, without words that give hidden numbers away.

    A finding may name other quantities of its system, and its cause rests on controls. Audits of
    the instrument draw from several systems, and a declaration is about a whole job.
    """

    def __init__(self, connection: Connection, who: Visitor) -> None:
        self._hidden = who.hidden
        numbers = {engine for engine, _ in who.hidden.evidence}
        self._labels = findings.read_engine_labels(connection, numbers) if numbers else []

    def hides(self, engine_id: int, target: str) -> bool:
        """Return whether answers of this system are not public."""
        return not self._hidden.shows_answers(engine_id, target)

    def sentence(self, words: str, engine_id: int, target: str) -> str:
        """Return the sentence of a finding; empty if it may name hidden quantities."""
        return "" if self.hides(engine_id, target) else words

    def because(self, words: str) -> str:
        """Return the reason of a cause; empty if it tells of a hidden engine."""
        tells = any(label in words for label in self._labels)
        return "" if tells or (self._hidden.evidence and AUDIT_FELL in words) else words

    def audit(self, known: InstrumentAudit | None) -> InstrumentAudit | None:
        """Return the result of audits; None if they may use hidden answers."""
        rests = known is not None and known.said != [NOT_AUDITED]
        return None if rests and self._hidden.evidence else known

    def declared(self, known: Declared) -> Declared:
        """Return the declaration, without departures that may name hidden parts."""
        if not self._hidden.evidence:
            return known
        return replace(known, departures=[], departures_said=[])
