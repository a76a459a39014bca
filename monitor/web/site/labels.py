"""Saying who somebody is: one person at a time, blind to engines, ranks, and what others say.

What is shown is what a sheet of `monitor label export` shows; what is said is kept as an import
keeps it: who said what and when, the newest of each rater counts, raters who differ leave no label.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from monitor.labels import settle, sheets
from monitor.labels.seen import Seen, public_link
from monitor.model import InvalidInput
from monitor.roles import Permission
from monitor.store.database import Connection
from monitor.store.derive import people
from monitor.store.derive.people import StoredRating
from monitor.web.site._errors import Forbidden, Missing
from monitor.web.site._label_board import Ask, Board
from monitor.web.site._render import render
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, acts, needs

router = APIRouter(include_in_schema=False)

#: As many a day as the guide advises.
A_DAY = 50
_SKIP = "skip"
_SEEN = "monitor-labels"
_LONGEST_KEY = 32
#: {what may be said: (words on its button, keys)}.
_WORDS = {
    "women": ("Woman", "1 w"),
    "men": ("Man", "2 m"),
    "other": ("Another gender", "3 o"),
    settle.UNKNOWN: ("No record found", "4 k"),
    settle.NOT_HUMAN: ("No human", "5 n"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be said, and the keys that say it."""

    value: str
    words: str
    keys: str


CHOICES = tuple(Choice(value, *_WORDS[value]) for value in settle.allowed())


@dataclass(frozen=True, slots=True)
class Shown:
    """A person as a rater sees them.

    Where their public page is, is not said: the form of an address tells which engine showed them.
    """

    key: str
    name: str
    profession: str
    annotation: str
    has_page: bool


@dataclass(frozen=True, slots=True)
class Done:
    """What a rater has said of somebody."""

    key: str
    name: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Labels:
    """The page. `person` is None where nobody waits, `mine` what was said of them before."""

    is_warned: bool
    ask: Ask
    person: Shown | None = None
    mine: str = ""
    last: Done | None = None
    n_today: int = 0
    n_waiting: int = 0
    a_day: int = A_DAY
    choices: Sequence[Choice] = CHOICES
    most_comment: int = sheets.MOST_COMMENT


def board(request: Request) -> Board:
    """What this site knows of everybody, kept in memory."""
    state = request.app.state
    if not hasattr(state, "label_board"):
        state.label_board = Board()
    found: Board = state.label_board
    return found


TheBoard = Annotated[Board, Depends(board)]
Key = Annotated[str, Query(max_length=_LONGEST_KEY)]


@router.get("/labels", dependencies=[Depends(needs(Permission.LABEL))])
def labels(
    request: Request, site: TheSite, who: Who, known: TheBoard, ask: Ask = Ask.OPEN, back: Key = ""
) -> Response:
    """The next person, or `back` to one of whom the rater has said something."""
    rater = _rater(who)
    if not _is_warned(request, who):
        return render(request, who, "labels.html", Labels(False, ask))
    with site.database.read() as connection:
        known.refresh(connection)
        content = _turn(connection, site, known, rater, ask, back)
    return render(request, who, "labels.html", content)


def _rater(who: Visitor) -> str:
    """The name that ratings are kept under. Raises Forbidden."""
    try:
        return sheets.checked_rater(who.name)
    except InvalidInput:
        raise Forbidden(
            f"what you say is kept under your name, and {who.name!r} cannot stand for a rater: "
            "initials or a code name, up to 40 letters, digits, dots and dashes. Ask an operator "
            "for a user of such a name: monitor users add NAME --role labeller"
        ) from None


def _turn(
    connection: Connection, site: Site, known: Board, rater: str, ask: Ask, back: str
) -> Labels:
    own = known.own(rater)
    behind = own
    mine = ""
    if back:
        entity = known.keys.get(back, "")
        said = next((one for one in own if one.entity == entity), None)
        if said is None:
            raise Missing("you have said nothing of this person")
        behind = [one for one in own if one.number < said.number]
        mine = said.group
        turn = known.turn(rater, ask)
    else:
        turn = known.turn(rater, ask)
        entity = turn.entity
    person = _shown(connection, entity) if entity else None
    while person is None and entity and not back:
        known.forget(entity)
        turn = known.turn(rater, ask)
        entity = turn.entity
        person = _shown(connection, entity) if entity else None
    today = datetime.combine(site.now().astimezone(site.zone), time.min, site.zone)
    return Labels(
        True, ask, person, mine, _done(connection, behind), known.n_since(rater, today),
        turn.n_waiting,
    )  # fmt: skip


def _shown(connection: Connection, entity: str) -> Shown | None:
    """Somebody as a sheet shows them; None for whom nobody knows any more."""
    found = people.read_shown_entities(connection, [entity]).get(entity)
    if found is None:
        return None
    whom, _ = found
    asked = people.read_professions(connection, [entity]).get(entity, [])
    return Shown(
        key=sheets.blind_key(entity),
        name=whom.name,
        profession="; ".join(asked),
        annotation=sheets.blinded(whom.annotation),
        has_page=bool(_page_of(*found)),
    )


def _page_of(whom: Seen, item: str) -> str:
    """The address of somebody's public page; empty where none is known."""
    return _web(public_link(whom, item))


def _web(address: str) -> str:
    """An address on the web; empty for whatever else it is."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.hostname else ""


def _done(connection: Connection, own: Sequence[StoredRating]) -> Done | None:
    if not own:
        return None
    last = own[-1]
    found = people.read_shown_entities(connection, [last.entity]).get(last.entity)
    words = _WORDS.get(last.group, (last.group, ""))[0]
    name = found[0].name if found else ""
    return Done(sheets.blind_key(last.entity), name, words, last.at) if found else None


@router.get("/labels/page", dependencies=[Depends(needs(Permission.LABEL))])
def public_page(site: TheSite, known: TheBoard, key: Key = "") -> Response:
    """Lead a rater to the public page of a person."""
    entity = known.keys.get(key, "")
    with site.database.read() as connection:
        found = people.read_shown_entities(connection, [entity]).get(entity) if entity else None
    address = _page_of(*found) if found else ""
    if not address:
        raise Missing("no public page of this person is known here")
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


# --- what raters do -------------------------------------------------------------------------------


@router.post("/labels/begin", dependencies=[Depends(needs(Permission.LABEL)), Depends(acts)])
def begin(site: TheSite, who: Who, ask: Annotated[Ask, Form()] = Ask.OPEN) -> Response:
    """Note for this session that the rater knows what will be shown."""
    answer = _onward(ask)
    answer.set_cookie(
        _SEEN, _seen(who), path="/labels", secure=site.access.is_secure, httponly=True,
        samesite="lax",
    )  # fmt: skip
    return answer


def _is_warned(request: Request, who: Visitor) -> bool:
    return hmac.compare_digest(request.cookies.get(_SEEN, "").encode(), _seen(who).encode())


def _seen(who: Visitor) -> str:
    """Says that a session was warned, and tells nothing of its mark."""
    return sha256(f"warned {who.mark}".encode()).hexdigest()[:32]


@router.post("/labels", dependencies=[Depends(needs(Permission.LABEL)), Depends(acts)])
def say(
    site: TheSite,
    who: Who,
    known: TheBoard,
    key: Annotated[str, Form(max_length=_LONGEST_KEY)],
    said: Annotated[str, Form(max_length=_LONGEST_KEY)],
    comment: Annotated[str, Form(max_length=2 * sheets.MOST_COMMENT)] = "",
    ask: Annotated[Ask, Form()] = Ask.OPEN,
) -> Response:
    """Keep what a rater says of a person, or put the person back."""
    rater, now = _rater(who), site.now()
    if said != _SKIP and said not in settle.allowed():
        raise InvalidInput(f"{said!r}: say one of {', '.join(settle.allowed())}, or skip")
    words = comment.strip().replace("\r\n", "\n")
    if len(words) > sheets.MOST_COMMENT:
        raise InvalidInput(f"a comment has at most {sheets.MOST_COMMENT:,} characters")
    with site.database.read() as connection:
        known.refresh(connection)
    entity = known.keys.get(key, "")
    if not entity:
        raise Missing("this person is not known here, or not any more")
    if said == _SKIP:
        known.put_back(rater, entity)
        return _onward(ask)
    with site.database.begin() as connection:
        if entity not in people.read_shown_entities(connection, [entity]):
            raise Missing("this person is not known here any more")
        people.store_ratings(connection, [settle.Rating(entity, said, rater, now, words)])
        people.publish_labels(connection, [entity], now)
    return _onward(ask)


def _onward(ask: Ask) -> RedirectResponse:
    address = "/labels" if ask is Ask.OPEN else f"/labels?ask={ask}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)
