"""What operators see and do: what `monitor status` says, and resting engines and jobs."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from monitor.model import InvalidInput
from monitor.roles import Permission
from monitor.store.collect import pauses
from monitor.store.collect.pauses import PauseKind
from monitor.store.database import Connection
from monitor.store.derive.stale_series import StaleSeries
from monitor.store.schedule import ticks
from monitor.web.site import _operations as state
from monitor.web.site._errors import Missing
from monitor.web.site._render import render
from monitor.web.site._routes import page, pages
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, acts, needs

router = pages("operations")

_LONGEST_NAME = 300
_LONGEST_REASON = 500

Name = Annotated[str, Query(min_length=1, max_length=_LONGEST_NAME)]
FormName = Annotated[str, Form(min_length=1, max_length=_LONGEST_NAME)]
Reason = Annotated[str, Form(max_length=_LONGEST_REASON)]
_OPERATES = needs(Permission.OPERATE)


def kept(request: Request) -> dict[object, Sequence[StaleSeries]]:
    """The charts of this site that stand still, until anything is added."""
    own = request.app.state
    if not hasattr(own, "standing"):
        own.standing = {}
    found: dict[object, Sequence[StaleSeries]] = own.standing
    return found


@page(router, "/operations", "operations.html", Permission.OPERATE)
def operations(
    site: TheSite, standing: Annotated[dict[object, Sequence[StaleSeries]], Depends(kept)]
) -> state.Operations:
    """Who is at work, what is due, what rests and why, and what is wrong."""
    with site.database.read() as connection:
        return state.read(connection, site.now(), state.standing_now(connection, standing))


@router.get("/operations/{action}", dependencies=[Depends(_OPERATES)], include_in_schema=False)
def ask(
    request: Request,
    site: TheSite,
    who: Who,
    action: Literal["pause", "resume"],
    kind: PauseKind,
    name: Name,
) -> HTMLResponse:
    """Ask why, and say what will follow."""
    with site.database.read() as connection:
        _check(connection, kind, name)
        rest = pauses.find_pause(connection, kind, name)
        suspended = _suspended(connection, site, name) if kind == "engine" else []
    content = {"action": action, "kind": kind, "name": name, "rest": rest, "suspended": suspended,
               "most": _LONGEST_REASON}  # fmt: skip
    return render(request, who, "rest.html", content)


def _suspended(connection: Connection, site: Site, name: str) -> list[dict[str, object]]:
    """The suspensions that resuming an engine or lane can lift."""
    now = site.now()
    found = [state.Suspended.model_validate(row) for row in pauses.list_suspensions(connection)]
    lanes = [str(row["lane"]) for row in pauses.list_suspensions(connection)]
    return [
        {"lane": lane, **one.model_dump()}
        for lane, one in zip(lanes, found, strict=True)
        if one.until > now and name in (lane, lane.partition("@")[0])
    ]


def _check(connection: Connection, kind: PauseKind, name: str) -> None:
    """Raise Missing for an engine, lane or job that nobody knows."""
    known = {one.name for one in pauses.list_pauses(connection) if one.kind == kind}
    if kind == "job":
        known |= set(ticks.list_jobs(connection))
    else:
        lanes = {*ticks.list_lanes(connection)}
        lanes |= {str(row["lane"]) for row in pauses.list_suspensions(connection)}
        known |= lanes | {lane.partition("@")[0] for lane in lanes}
    if name not in known:
        raise Missing(f"no {kind} {name!r} is known here")


@router.post(
    "/operations/pause", dependencies=[Depends(_OPERATES), Depends(acts)], include_in_schema=False
)
def pause(
    site: TheSite,
    who: Who,
    kind: Annotated[PauseKind, Form()],
    name: FormName,
    reason: Reason = "",
) -> Response:
    """Put an engine or a job to rest, as `monitor engines pause` and `monitor jobs pause` do."""
    said = _said(who, reason)
    with site.database.begin() as connection:
        _check(connection, kind, name)
        pauses.add_pause(connection, kind, name, said, site.now())
    return RedirectResponse("/operations", HTTPStatus.SEE_OTHER)


@router.post(
    "/operations/resume", dependencies=[Depends(_OPERATES), Depends(acts)], include_in_schema=False
)
def resume(
    site: TheSite,
    who: Who,
    kind: Annotated[PauseKind, Form()],
    name: FormName,
    reason: Reason = "",
    *,
    lift: Annotated[bool, Form()] = False,
) -> Response:
    """Let an engine or a job go on; `lift` also forgets an engine's suspension."""
    said = _said(who, reason)
    with site.database.begin() as connection:
        _check(connection, kind, name)
        pauses.end_pause(connection, kind, name, site.now(), said)
        if lift and kind == "engine":
            pauses.lift_suspensions(connection, name, site.now(), said)
    return RedirectResponse("/operations", HTTPStatus.SEE_OTHER)


def _said(who: Visitor, reason: str) -> str:
    """The reason, and who gave it. Raises InvalidInput where there is none."""
    words = " ".join(reason.split())
    if not words:
        raise InvalidInput("A reason is required; it is shown to all users.")
    return f"{words} ({who.name})"
