"""Logging in and out, and what a user sees of themselves: roles, and tokens for programs."""

from datetime import timedelta
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from monitor.roles import Permission
from monitor.store import events, logins, users
from monitor.store.users import User
from monitor.web import passwords
from monitor.web.site import _limits
from monitor.web.site._errors import Busy, Forbidden, LoginNeeded, Missing, TooMany
from monitor.web.site._render import render
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, acts, cookie_name, needs

router = APIRouter(include_in_schema=False)

_LONGEST_NAME = 200
_LONGEST_AFTER = 4_000
_TOKEN_DAYS = 365
_MOMENT = 3
_LARGEST = 2**63 - 1


def address(request: Request) -> str:
    """Where to log in, to come back to what was asked for, or to the page that it is a part of."""
    query = f"?{request.url.query}" if request.url.query else ""
    after = request.url.path + query
    if whole := request.headers.get("hx-current-url"):
        after = "/" + whole.partition("://")[2].partition("/")[2]
    return f"/login?after={quote(after, safe='')}" if len(after) <= _LONGEST_AFTER else "/login"


def _inside(after: str) -> str:
    """A path of ours to go on to; `/` for whatever leads elsewhere."""
    is_ours = after.startswith("/") and not after.startswith("//") and "\\" not in after
    return after if is_ours and after.isprintable() else "/"


@router.get("/login")
def form(
    request: Request, who: Who, after: Annotated[str, Query(max_length=_LONGEST_AFTER)] = "/"
) -> HTMLResponse:
    """The form."""
    return render(request, who, "login.html", {"after": _inside(after), "wrong": "", "name": ""})


@router.post("/login")
def log_in(
    request: Request,
    site: TheSite,
    who: Who,
    name: Annotated[str, Form(max_length=_LONGEST_NAME)],
    password: Annotated[str, Form(max_length=passwords.MOST)],
    after: Annotated[str, Form(max_length=_LONGEST_AFTER)] = "/",
) -> Response:
    """Check a password; a cookie that scripts cannot read is all that the browser holds."""
    where = request.client.host if request.client else ""
    user = _checked(site, name, password, where)
    if user is None:
        content = {"after": _inside(after), "name": name,
                   "wrong": "this name and password do not belong together"}  # fmt: skip
        return render(request, who, "login.html", content, HTTPStatus.UNAUTHORIZED)
    with site.database.begin() as connection:
        _limits.forgive(connection, name, where)
        if before := request.cookies.get(cookie_name(site), ""):
            logins.close_session(connection, before)  # whoever else holds it holds nothing now
        secret = logins.open_session(connection, user, site.now())
    answer = RedirectResponse(_inside(after), HTTPStatus.SEE_OTHER)
    answer.set_cookie(
        cookie_name(site), secret, max_age=int(logins.LONGEST.total_seconds()), path="/",
        secure=site.access.is_secure, httponly=True, samesite="lax",
    )  # fmt: skip
    return answer


def _checked(site: Site, name: str, password: str, where: str) -> User | None:
    """The user, if the password is theirs. Raises TooMany after too many that were not."""
    now = site.now()
    with site.database.read() as connection:
        seconds = _limits.wait(connection, name, where, now)
        user = users.by_name(connection, name)
    if seconds:
        raise TooMany(f"too many logins failed; try again in {seconds // 60 + 1} minutes", seconds)
    known = user if user and user.is_active else None
    try:
        if passwords.fits(password, known.password_hash if known else None):
            return known
    except passwords.TooManyAtOnce:
        raise Busy("many are logging in just now; try again in some seconds", _MOMENT) from None
    with site.database.begin() as connection:
        _limits.fail(connection, name, where, now)
    return None


@router.post("/logout", dependencies=[Depends(acts)])
def log_out(request: Request, site: TheSite) -> Response:
    """End the session."""
    if secret := request.cookies.get(cookie_name(site), ""):
        with site.database.begin() as connection:
            logins.close_session(connection, secret)
    answer = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
    answer.delete_cookie(cookie_name(site), path="/", secure=site.access.is_secure, httponly=True)
    return answer


# --- one's own account ----------------------------------------------------------------------------


@router.get("/account")
def account(request: Request, site: TheSite, who: Who) -> HTMLResponse:
    """Who one is here, and one's tokens. Raises LoginNeeded."""
    return render(request, who, "account.html", _account(site, who))


@router.post("/account/tokens", dependencies=[Depends(needs(Permission.RAW)), Depends(acts)])
def make_token(
    request: Request,
    site: TheSite,
    who: Who,
    name: Annotated[str, Form(min_length=1, max_length=_LONGEST_NAME)],
    days: Annotated[int, Form(ge=1, le=_TOKEN_DAYS)] = 90,
) -> HTMLResponse:
    """A new token; the page that answers is the only one that shows it."""
    user = _user(site, who)
    with site.database.begin() as connection:
        until = site.now() + timedelta(days=days)
        secret = logins.add_token(connection, user, name, until, site.now())
        subject, said = f"user {user.id}", f"{days} days"
        events.add(connection, "token_made", subject, said, now=site.now())
    return render(request, who, "account.html", _account(site, who) | {"secret": secret})


@router.post("/account/tokens/{number}/revoke", dependencies=[Depends(acts)])
def revoke_token(
    number: Annotated[int, Path(ge=1, le=_LARGEST)], site: TheSite, who: Who
) -> Response:
    """End a token of one's own."""
    user = _user(site, who)
    with site.database.begin() as connection:
        if not logins.revoke(connection, user, number, site.now()):
            raise Missing(f"you have no token {number} that counts")
        subject, said = f"user {user.id}", f"token {number}"
        events.add(connection, "token_revoked", subject, said, now=site.now())
    return RedirectResponse("/account", HTTPStatus.SEE_OTHER)


def _user(site: Site, who: Visitor) -> User:
    if not who.name:
        raise LoginNeeded("log in to see your account")
    if who.is_program:
        raise Forbidden("a token cannot make or end tokens; log in with a browser")
    with site.database.read() as connection:
        return users.named(connection, who.name)


def _account(site: Site, who: Visitor) -> dict[str, object]:
    user = _user(site, who)
    with site.database.read() as connection:
        tokens = logins.tokens_of(connection, user)
    return {"user": user, "tokens": tokens, "secret": "", "now": site.now()}
