"""Logging in and out, and the account page: roles, password, and tokens for programs.

Failed logins are counted in the archive, so that a restart resets nothing: by name and network, by
network, and by name. The last limit is so high that one network cannot lock out users of others.
"""

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from monitor.model import InvalidInput, digest
from monitor.roles import Permission
from monitor.store.access import users
from monitor.store.access.users import User
from monitor.store.database import Connection
from monitor.store.journal import events
from monitor.web import passwords
from monitor.web.connections import find_client_network
from monitor.web.site.errors import Busy, Forbidden, LoginNeeded, Missing, TooMany
from monitor.web.site.rendering import render_page
from monitor.web.site.routes import Number
from monitor.web.site.site_state import Site, TheSite, get_cookie_name
from monitor.web.site.visitors import Visitor, Who, require_form_mark, require_permission

#: Failures that count, and how many there may be in that time.
FAILURE_WINDOW = timedelta(minutes=15)
MOST_OF_BOTH = 5
MOST_OF_ADDRESS = 30
MOST_OF_NAME = 100
router = APIRouter(include_in_schema=False)
_LONGEST_NAME = 200
_LONGEST_AFTER = 4_000
_RETRY_AFTER = 3
_TOKEN_DAYS = 365
Password = Annotated[str, Form(max_length=passwords.MOST)]


def find_subjects(name: str, address: str) -> dict[str, int]:
    """Return {digest that a failed login is stored under: failures that it may have}.

    Digests, because a name could be written so that it looks like another with an address.
    """
    name, address = name.casefold()[:200], find_client_network(address)
    return {
        digest(["both", name, address]): MOST_OF_BOTH,
        digest(["address", address]): MOST_OF_ADDRESS,
        digest(["name", name]): MOST_OF_NAME,
    }


def find_delay(connection: Connection, name: str, address: str, now: datetime) -> int:
    """Return the seconds until the next login may be tried; 0 if it may be now."""
    delays = [0]
    for subject, most in find_subjects(name, address).items():
        failed = users.list_failures(connection, subject, now - FAILURE_WINDOW)
        if len(failed) >= most:
            seconds = (failed[-most] + FAILURE_WINDOW - now).total_seconds()
            delays.append(max(1, int(seconds) + 1))
    return max(delays)


def find_path(request: Request) -> str:
    """Return what was asked for: the path with its query."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def find_login_address(request: Request) -> str:
    """Return the address of the login page, which leads back to the requested page."""
    after = find_path(request)
    if whole := request.headers.get("hx-current-url"):
        after = "/" + whole.partition("://")[2].partition("/")[2]
    return f"/login?after={quote(after, safe='')}" if len(after) <= _LONGEST_AFTER else "/login"


def _check_inside(after: str) -> str:
    """Return a path of this site; `/` for any other address."""
    is_ours = after.startswith("/") and not after.startswith("//") and "\\" not in after
    return after if is_ours and after.isprintable() else "/"


@router.get("/login")
def show_form(
    request: Request, who: Who, after: Annotated[str, Query(max_length=_LONGEST_AFTER)] = "/"
) -> HTMLResponse:
    """Return the login form."""
    return render_page(
        request, who, "login.html", {"after": _check_inside(after), "wrong": "", "name": ""}
    )


@router.post("/login")
def log_in(
    request: Request,
    site: TheSite,
    who: Who,
    name: Annotated[str, Form(max_length=_LONGEST_NAME)],
    password: Password,
    after: Annotated[str, Form(max_length=_LONGEST_AFTER)] = "/",
) -> Response:
    """Check a password; a cookie that scripts cannot read is all that the browser holds."""
    user = check_login(request, site, name, password)
    if user is None:
        content = {"after": _check_inside(after), "name": name,
                   "wrong": "this name and password do not belong together"}  # fmt: skip
        return render_page(request, who, "login.html", content, HTTPStatus.UNAUTHORIZED)
    answer = RedirectResponse(_check_inside(after), HTTPStatus.SEE_OTHER)
    with site.database.begin() as connection:
        # what failed there under other names counts on: who knows one password could guess others
        subject, _, _ = find_subjects(name, _client_address(request))
        users.forget_failures(connection, subject)
        if before := request.cookies.get(get_cookie_name(site), ""):
            users.close_session(connection, before)  # whoever else holds it holds nothing now
        begin_session(connection, site, user, answer)
    return answer


def begin_session(connection: Connection, site: Site, user: User, answer: Response) -> None:
    """Start a session, and set its cookie in the answer."""
    secret = users.open_session(connection, user, site.now())
    answer.set_cookie(
        get_cookie_name(site), secret, max_age=int(users.LONGEST.total_seconds()), path="/",
        secure=site.access.is_secure, httponly=True, samesite="lax",
    )  # fmt: skip


def _client_address(request: Request) -> str:
    return request.client.host if request.client else ""


def check_login(request: Request, site: Site, name: str, password: str) -> User | None:
    """Return the user if the password is right. Raise TooMany after too many failures."""
    where, now = _client_address(request), site.now()
    with site.database.read() as connection:
        seconds = find_delay(connection, name, where, now)
        user = users.find_user(connection, name)
    if seconds:
        raise TooMany(f"too many logins failed; try again in {seconds // 60 + 1} minutes", seconds)
    active_user = user if user and user.is_active else None
    try:
        if passwords.check_password(password, active_user.password_hash if active_user else None):
            return active_user
    except passwords.TooManyAtOnce:
        raise Busy(
            "many are logging in just now; try again in some seconds", _RETRY_AFTER
        ) from None
    with site.database.begin() as connection:
        users.record_failure(connection, find_subjects(name, where), now, FAILURE_WINDOW)
    return None


@router.post("/logout", dependencies=[Depends(require_form_mark)])
def log_out(request: Request, site: TheSite) -> Response:
    """End the session of the visitor."""
    if secret := request.cookies.get(get_cookie_name(site), ""):
        with site.database.begin() as connection:
            users.close_session(connection, secret)
    answer = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
    answer.delete_cookie(
        get_cookie_name(site), path="/", secure=site.access.is_secure, httponly=True
    )
    return answer


@router.get("/account")
def show_account(request: Request, site: TheSite, who: Who) -> HTMLResponse:
    """Return the account page with the tokens of the visitor. Raise LoginNeeded."""
    return render_page(request, who, "account.html", _read_account(site, who))


@router.post("/account/password", dependencies=[Depends(require_form_mark)])
def change_password(
    request: Request, site: TheSite, who: Who, old: Password, new: Password, again: Password
) -> Response:
    """Change the password; all sessions end, and a new one starts."""
    user = _require_user(site, who)
    if check_login(request, site, user.name, old) is None:
        return _refuse_change(request, site, who, "that is not your password until now")
    if new != again:
        return _refuse_change(request, site, who, "the new password was not written twice alike")
    try:
        hashed = passwords.hash_password(new)
    except InvalidInput as error:
        return _refuse_change(request, site, who, str(error))
    answer = RedirectResponse("/account?changed=password", HTTPStatus.SEE_OTHER)
    with site.database.begin() as connection:
        users.change_user(connection, user, hashed=hashed)
        subject = f"user {user.id}"
        events.add_event(
            connection, "user_changed", subject, "password, by themselves", now=site.now()
        )
        begin_session(connection, site, user, answer)
    return answer


def _refuse_change(request: Request, site: Site, who: Visitor, words: str) -> HTMLResponse:
    content = _read_account(site, who) | {"wrong": words}
    return render_page(request, who, "account.html", content, HTTPStatus.BAD_REQUEST)


@router.post(
    "/account/tokens",
    dependencies=[Depends(require_permission(Permission.RAW)), Depends(require_form_mark)],
)
def make_token(
    request: Request,
    site: TheSite,
    who: Who,
    name: Annotated[str, Form(min_length=1, max_length=_LONGEST_NAME)],
    days: Annotated[int, Form(ge=1, le=_TOKEN_DAYS)] = 90,
) -> HTMLResponse:
    """Create a token; only the answer shows it."""
    user = _require_user(site, who)
    with site.database.begin() as connection:
        until = site.now() + timedelta(days=days)
        secret = users.add_token(connection, user, name, until, site.now())
        subject, detail = f"user {user.id}", f"{days} days"
        events.add_event(connection, "token_made", subject, detail, now=site.now())
    return render_page(request, who, "account.html", _read_account(site, who) | {"secret": secret})


@router.post("/account/tokens/{number}/revoke", dependencies=[Depends(require_form_mark)])
def revoke_token(number: Number, site: TheSite, who: Who) -> Response:
    """Revoke a token of the visitor."""
    user = _require_user(site, who)
    with site.database.begin() as connection:
        if not users.revoke_token(connection, user, number, site.now()):
            raise Missing(f"you have no token {number} that counts")
        subject, detail = f"user {user.id}", f"token {number}"
        events.add_event(connection, "token_revoked", subject, detail, now=site.now())
    return RedirectResponse("/account", HTTPStatus.SEE_OTHER)


def _require_user(site: Site, who: Visitor) -> User:
    if not who.name:
        raise LoginNeeded("log in to see your account")
    if who.is_program:
        raise Forbidden("a token changes nothing of its user; log in with a browser")
    with site.database.read() as connection:
        return users.get_user(connection, who.name)


def _read_account(site: Site, who: Visitor) -> dict[str, object]:
    user = _require_user(site, who)
    with site.database.read() as connection:
        tokens = users.list_tokens(connection, user)
    return {"user": user, "tokens": tokens, "secret": "", "wrong": "", "now": site.now()}
