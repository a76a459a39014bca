"""What a user sees and changes of themselves: roles, their password, and tokens for programs."""

from datetime import timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from monitor.model import InvalidInput
from monitor.roles import Permission
from monitor.store.access import users
from monitor.store.access.users import User
from monitor.store.journal import events
from monitor.web import passwords
from monitor.web.site._errors import Forbidden, LoginNeeded, Missing
from monitor.web.site._inputs import Number
from monitor.web.site._render import render
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, acts, needs
from monitor.web.site.login import begin_session, checked

router = APIRouter(include_in_schema=False)

_LONGEST_NAME = 200
_TOKEN_DAYS = 365

Password = Annotated[str, Form(max_length=passwords.MOST)]


@router.get("/account")
def account(request: Request, site: TheSite, who: Who) -> HTMLResponse:
    """Who one is here, and one's tokens. Raises LoginNeeded."""
    return render(request, who, "account.html", _account(site, who))


@router.post("/account/password", dependencies=[Depends(acts)])
def change_password(
    request: Request, site: TheSite, who: Who, old: Password, new: Password, again: Password
) -> Response:
    """Another password; all sessions end but this one, which goes on as a new one."""
    user = _user(site, who)
    if checked(request, site, user.name, old) is None:
        return _wrong(request, site, who, "that is not your password until now")
    if new != again:
        return _wrong(request, site, who, "the new password was not written twice alike")
    try:
        hashed = passwords.hashed(new)
    except InvalidInput as error:
        return _wrong(request, site, who, str(error))
    answer = RedirectResponse("/account?changed=password", HTTPStatus.SEE_OTHER)
    with site.database.begin() as connection:
        users.change_user(connection, user, hashed=hashed)
        subject = f"user {user.id}"
        events.add_event(
            connection, "user_changed", subject, "password, by themselves", now=site.now()
        )
        begin_session(connection, site, user, answer)
    return answer


def _wrong(request: Request, site: Site, who: Visitor, words: str) -> HTMLResponse:
    content = _account(site, who) | {"wrong": words}
    return render(request, who, "account.html", content, HTTPStatus.BAD_REQUEST)


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
        secret = users.add_token(connection, user, name, until, site.now())
        subject, said = f"user {user.id}", f"{days} days"
        events.add_event(connection, "token_made", subject, said, now=site.now())
    return render(request, who, "account.html", _account(site, who) | {"secret": secret})


@router.post("/account/tokens/{number}/revoke", dependencies=[Depends(acts)])
def revoke_token(number: Number, site: TheSite, who: Who) -> Response:
    """End a token of one's own."""
    user = _user(site, who)
    with site.database.begin() as connection:
        if not users.revoke_token(connection, user, number, site.now()):
            raise Missing(f"you have no token {number} that counts")
        subject, said = f"user {user.id}", f"token {number}"
        events.add_event(connection, "token_revoked", subject, said, now=site.now())
    return RedirectResponse("/account", HTTPStatus.SEE_OTHER)


def _user(site: Site, who: Visitor) -> User:
    if not who.name:
        raise LoginNeeded("log in to see your account")
    if who.is_program:
        raise Forbidden("a token changes nothing of its user; log in with a browser")
    with site.database.read() as connection:
        return users.get_user(connection, who.name)


def _account(site: Site, who: Visitor) -> dict[str, object]:
    user = _user(site, who)
    with site.database.read() as connection:
        tokens = users.list_tokens(connection, user)
    return {"user": user, "tokens": tokens, "secret": "", "wrong": "", "now": site.now()}
