"""Logging in and out: a name and its password in, a session out."""

from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from monitor.store.access import users
from monitor.store.access.users import User
from monitor.store.database import Connection
from monitor.web import passwords
from monitor.web.site import _limits
from monitor.web.site._errors import Busy, TooMany
from monitor.web.site._render import render
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Who, acts, cookie_name

router = APIRouter(include_in_schema=False)

_LONGEST_NAME = 200
_LONGEST_AFTER = 4_000
_MOMENT = 3


def path_of(request: Request) -> str:
    """Return what was asked for: the path with its query."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def address(request: Request) -> str:
    """Where to log in, to come back to what was asked for, or to the page that it is a part of."""
    after = path_of(request)
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
    user = checked(request, site, name, password)
    if user is None:
        content = {"after": _inside(after), "name": name,
                   "wrong": "this name and password do not belong together"}  # fmt: skip
        return render(request, who, "login.html", content, HTTPStatus.UNAUTHORIZED)
    answer = RedirectResponse(_inside(after), HTTPStatus.SEE_OTHER)
    with site.database.begin() as connection:
        _limits.forgive(connection, name, _where(request))
        if before := request.cookies.get(cookie_name(site), ""):
            users.close_session(connection, before)  # whoever else holds it holds nothing now
        begin_session(connection, site, user, answer)
    return answer


def begin_session(connection: Connection, site: Site, user: User, answer: Response) -> None:
    """A new session, and its cookie in the answer."""
    secret = users.open_session(connection, user, site.now())
    answer.set_cookie(
        cookie_name(site), secret, max_age=int(users.LONGEST.total_seconds()), path="/",
        secure=site.access.is_secure, httponly=True, samesite="lax",
    )  # fmt: skip


def _where(request: Request) -> str:
    return request.client.host if request.client else ""


def checked(request: Request, site: Site, name: str, password: str) -> User | None:
    """The user, if the password is theirs. Raises TooMany after too many that were not."""
    where, now = _where(request), site.now()
    with site.database.read() as connection:
        seconds = _limits.wait(connection, name, where, now)
        user = users.find_user(connection, name)
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
            users.close_session(connection, secret)
    answer = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
    answer.delete_cookie(cookie_name(site), path="/", secure=site.access.is_secure, httponly=True)
    return answer
