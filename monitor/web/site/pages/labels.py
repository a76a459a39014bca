"""Labelling people: one person at a time, blind to engines, ranks, and labels of other raters.

A person is shown as in a sheet of `monitor label export`, and ratings are stored as by an import.
The queue is kept in memory, because each answer asks for the next person; it is read again
after some minutes, and new ratings are read at every request.
"""

import hmac
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum
from hashlib import blake2b, sha256
from http import HTTPStatus
from threading import Lock
from time import monotonic
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from numpy.typing import NDArray

from monitor.labels import settle, sheets
from monitor.labels.sheets import blind_key
from monitor.labels.shown_entities import ShownEntity, public_link
from monitor.model import InvalidInput, LabelState
from monitor.roles import Permission, check_rater
from monitor.store.database import Connection
from monitor.store.derive import people
from monitor.store.derive.people import StoredRating
from monitor.web.site.errors import Forbidden, Missing
from monitor.web.site.rendering import render_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who, require_form_mark, require_permission

#: Seconds after which everything is read again.
_OLD = 300.0
#: Ratings that are looked at again: of two transactions the earlier number may come in later.
_OVERLAP = 200
_LAST = 9
router = APIRouter(
    include_in_schema=False, dependencies=[Depends(require_permission(Permission.LABEL))]
)
#: As many a day as the guide advises.
A_DAY = 50
_SKIP = "skip"
_WARNED_COOKIE = "monitor-labels"
_LONGEST_KEY = 32
_WITH_MARK = [Depends(require_form_mark)]
#: {what may be said: (words on its button, keys)}.
_CHOICE_WORDS = {
    "women": ("Woman", "1 w"),
    "men": ("Man", "2 m"),
    "other": ("Another gender", "3 o"),
    settle.UNKNOWN: ("No record found", "4 k"),
    settle.NOT_HUMAN: ("No human", "5 n"),
}
Key = Annotated[str, Query(max_length=_LONGEST_KEY)]


class Ask(StrEnum):
    """Groups of people to ask about."""

    OPEN = "open"  # whoever has no label, and whoever one other rated
    CONFLICT = "conflict"  # whose sources or raters contradict each other, one's own as well
    ALL = "all"  # also whoever has a label


class NextPerson(NamedTuple):
    """The next person for a rater, and the number of people waiting; the entity may be empty."""

    entity: str
    n_waiting: int


@dataclass(frozen=True, slots=True)
class _Everybody:
    """All people, each with a number that the order of each rater is computed from."""

    entities: tuple[str, ...] = ()
    marks: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))


@dataclass(slots=True)
class LabelBoard:
    """Labels and ratings of all people, in memory. `said` is {entity: {rater: rating}}."""

    states: dict[str, LabelState | None] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    said: dict[str, dict[str, StoredRating]] = field(default_factory=dict)
    _everybody: _Everybody = field(default_factory=_Everybody)
    _counts: Counter[LabelState | None] = field(default_factory=Counter)
    _orders: dict[str, tuple[_Everybody, list[str]]] = field(default_factory=dict)
    _own: dict[str, dict[str, StoredRating]] = field(default_factory=dict)
    _passed: dict[str, set[str]] = field(default_factory=dict)
    _newest: int = 0
    _read_at: float = 0.0
    _lock: Lock = field(default_factory=Lock)  # held for what is in memory alone
    _reading: Lock = field(default_factory=Lock)  # held by who reads everything

    def refresh(self, connection: Connection) -> None:
        """Read what is new; only the first of all has to wait for everything."""
        if self._is_old() and self._reading.acquire(blocking=not self._read_at):
            try:
                if self._is_old():
                    self._reload(connection)
            finally:
                self._reading.release()
        ratings = list(people.read_ratings_after(connection, max(0, self._newest - _OVERLAP)))
        with self._lock:
            for rating in ratings:
                self._note(rating)

    def _is_old(self) -> bool:
        return not self._read_at or monotonic() - self._read_at > _OLD

    def _reload(self, connection: Connection) -> None:
        stored_states = people.read_label_states(connection)
        states = {person: stored_states.get(person) for person in people.list_entities(connection)}
        known_keys = {entity: key for key, entity in self.keys.items()}
        keys = {known_keys.get(person) or blind_key(person): person for person in states}
        ratings = list(people.read_ratings_after(connection, 0))
        with self._lock:
            self.keys, self.said, self._own, self._newest = keys, {}, {}, 0
            self._set(states)
            for rating in ratings:
                self._note(rating)
            self._read_at = monotonic()

    def _set(self, states: dict[str, LabelState | None]) -> None:
        self.states, self._counts = states, Counter(states.values())
        if self._everybody.entities != (everybody := tuple(states)):
            marks = {entity: int(key, 16) for key, entity in self.keys.items()}
            numbers = np.array([marks[person] for person in everybody], np.uint64)
            self._everybody = _Everybody(everybody, numbers)

    def _note(self, rating: StoredRating) -> None:
        ratings = self.said.setdefault(rating.entity, {})
        if rating.rater not in ratings or ratings[rating.rater].number < rating.number:
            ratings[rating.rater] = rating
            self._own.setdefault(rating.rater, {})[rating.entity] = rating
        self._newest = max(self._newest, rating.number)

    def forget(self, entity: str) -> None:
        """Remove a person who was erased."""
        with self._lock:
            self._set({other: state for other, state in self.states.items() if other != entity})

    def put_back(self, rater: str, entity: str) -> None:
        """Offer a person to a rater after all others."""
        with self._lock:
            self._passed.setdefault(rater, set()).add(entity)

    def own(self, rater: str) -> list[StoredRating]:
        """Return the newest rating of each person by a rater, in order of time."""
        with self._lock:
            return sorted(self._own.get(rater, {}).values(), key=lambda one: one.number)

    def n_since(self, rater: str, begin: datetime) -> int:
        """Return how many people a rater has rated since a time."""
        return sum(rating.at >= begin for rating in self.own(rater))

    def turn(self, rater: str, ask: Ask) -> NextPerson:
        """Return the next person for a rater, in an order that is fixed for each rater.

        Whom one other has rated comes first, so that two have rated as many as possible.
        """
        with self._lock:
            order = self._order(rater)
            passed = self._passed.get(rater, set())
            rated = {
                entity: place
                for entity, ratings in self.said.items()
                if entity in self.states
                and (place := _place_rated(ratings, rater, ask)) is not None
            }
            rest = self._counts - Counter(
                self.states[person] for person in self.said if person in self.states
            )
            places = {
                state: rank for state in rest if (rank := _place_unrated(state, ask)) is not None
            }
            late = {person: rank + _LAST * (person in passed) for person, rank in rated.items()}
            best = min(late.values(), default=2 * _LAST)
            first = {person for person, rank in late.items() if rank == best}
            next_person = next((person for person in order if person in first), "")
            earliest = min(places.values(), default=2 * _LAST)
            for entity in order if earliest < best else ():
                if entity in self.said or entity not in self.states:
                    continue
                rank = places.get(self.states[entity], 2 * _LAST) + _LAST * (entity in passed)
                if rank < best:
                    best, next_person = rank, entity
                    if best == earliest:
                        break
            return NextPerson(next_person, len(rated) + sum(rest[state] for state in places))

    def _order(self, rater: str) -> list[str]:
        everybody = self._everybody
        of, order = self._orders.get(rater, (None, []))
        if of is not everybody:
            places = np.argsort(_mix_marks(everybody.marks, rater))
            order = [everybody.entities[index] for index in places.tolist()]
            self._orders[rater] = everybody, order
        return order


def _mix_marks(marks: NDArray[np.uint64], rater: str) -> NDArray[np.uint64]:
    """Return pseudorandom numbers of all people, different for each rater.

    By the last steps of SplitMix64 (Steele, Lea and Flood 2014), in a hundredth of the time that
    a digest of each takes.
    """
    of_rater = int.from_bytes(blake2b(rater.encode(), digest_size=8).digest())
    mixed = marks ^ np.uint64(of_rater)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _place_unrated(state: LabelState | None, ask: Ask) -> int | None:
    """Return the place in the queue of an unrated person; None if they are not offered."""
    if ask is Ask.CONFLICT:
        return 1 if state is LabelState.CONFLICT else None
    if state in (None, LabelState.UNRESOLVED):
        return 1
    if state is LabelState.CONFLICT:
        return 2
    return 3 if ask is Ask.ALL else None


def _place_rated(ratings: dict[str, StoredRating], rater: str, ask: Ask) -> int | None:
    """Return the place in the queue of a rated person; None if they are not offered."""
    if ask is Ask.CONFLICT:  # raters take turns
        if len({rating.group for rating in ratings.values()}) == 1:
            return None
        if rater not in ratings:
            return 2
        newer = any(rating.number > ratings[rater].number for rating in ratings.values())
        return 0 if newer else None
    if rater in ratings:
        return None
    if len(ratings) == 1:
        return 0
    return 4 if ask is Ask.ALL else None


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """A label that can be given, with its keys."""

    value: str
    words: str
    keys: str


CHOICES = tuple(LabelChoice(value, *_CHOICE_WORDS[value]) for value in settle.allowed_values())


@dataclass(frozen=True, slots=True)
class ShownPerson:
    """A person as shown to a rater.

    Where their public page is, is not said: the form of an address tells which engine showed them.
    """

    key: str
    name: str
    profession: str
    annotation: str
    has_page: bool


@dataclass(frozen=True, slots=True)
class LastRating:
    """The last rating of a rater."""

    key: str
    name: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Labels:
    """Content of the page. `person` is None if nobody waits; `mine` is the earlier rating."""

    is_warned: bool
    ask: Ask
    person: ShownPerson | None = None
    mine: str = ""
    last: LastRating | None = None
    n_today: int = 0
    n_waiting: int = 0
    a_day: int = A_DAY
    choices: Sequence[LabelChoice] = CHOICES
    most_comment: int = sheets.MOST_COMMENT


def get_board(request: Request) -> LabelBoard:
    """Return the label board of this site, kept in memory."""
    board: LabelBoard = request.app.state.label_board
    return board


TheBoard = Annotated[LabelBoard, Depends(get_board)]


@router.get("/labels")
def labels(
    request: Request, site: TheSite, who: Who, known: TheBoard, ask: Ask = Ask.OPEN, back: Key = ""
) -> Response:
    """Return the page of the next person, or of `back`, whom the rater has rated."""
    rater = _find_rater(who)
    if not _is_warned(request, who):
        return render_page(request, who, "labels.html", Labels(False, ask))
    with site.database.read() as connection:
        known.refresh(connection)
        content = _read_turn(connection, site, known, rater, ask, back)
    return render_page(request, who, "labels.html", content)


def _find_rater(who: Visitor) -> str:
    """Return the name that ratings are stored under. Raise Forbidden."""
    try:
        return check_rater(who.name)
    except InvalidInput:
        raise Forbidden(
            f"what you say is kept under your name, and {who.name!r} cannot stand for a rater: "
            "initials or a code name, up to 40 letters, digits, dots and dashes. Ask an operator "
            "for a user of such a name: monitor users add NAME --role labeller"
        ) from None


def _read_turn(
    connection: Connection, site: Site, board: LabelBoard, rater: str, ask: Ask, back: str
) -> Labels:
    ratings = board.own(rater)
    behind = ratings
    entity = group = ""
    if back:
        entity = board.keys.get(back, "")
        rating = next((earlier for earlier in ratings if earlier.entity == entity), None)
        if rating is None:
            raise Missing("you have said nothing of this person")
        behind = [earlier for earlier in ratings if earlier.number < rating.number]
        group = rating.group
    turn = board.turn(rater, ask)
    person = _read_person(connection, entity or turn.entity)
    while person is None and turn.entity and not back:
        board.forget(turn.entity)
        turn = board.turn(rater, ask)
        person = _read_person(connection, turn.entity)
    today = datetime.combine(site.now().astimezone(site.zone), time.min, site.zone)
    return Labels(
        True, ask, person, group, _describe_last(connection, behind), board.n_since(rater, today),
        turn.n_waiting,
    )  # fmt: skip


def _read_person(connection: Connection, entity: str) -> ShownPerson | None:
    """Return a person as a sheet shows them; None if they were erased."""
    seen = people.read_shown_entities(connection, [entity]).get(entity)
    if seen is None:
        return None
    whom, _ = seen
    professions = people.read_professions(connection, [entity]).get(entity, [])
    return ShownPerson(
        key=sheets.blind_key(entity),
        name=whom.name,
        profession="; ".join(professions),
        annotation=sheets.blind_annotation(whom.annotation),
        has_page=bool(_find_page(*seen)),
    )


def _find_page(whom: ShownEntity, item: str) -> str:
    """Return the address of a person's public page; empty if none is known on the web."""
    address = public_link(whom, item)
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.hostname else ""


def _describe_last(connection: Connection, ratings: Sequence[StoredRating]) -> LastRating | None:
    if not ratings:
        return None
    last = ratings[-1]
    seen = people.read_shown_entities(connection, [last.entity]).get(last.entity)
    words = _CHOICE_WORDS.get(last.group, (last.group, ""))[0]
    name = seen[0].name if seen else ""
    return LastRating(sheets.blind_key(last.entity), name, words, last.at) if seen else None


@router.get("/labels/page")
def public_page(site: TheSite, known: TheBoard, key: Key = "") -> Response:
    """Redirect to the public page of a person."""
    entity = known.keys.get(key, "")
    with site.database.read() as connection:
        seen = people.read_shown_entities(connection, [entity]).get(entity) if entity else None
    address = _find_page(*seen) if seen else ""
    if not address:
        raise Missing("no public page of this person is known here")
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


# --- what raters do -------------------------------------------------------------------------------


@router.post("/labels/begin", dependencies=_WITH_MARK)
def begin_labelling(site: TheSite, who: Who, ask: Annotated[Ask, Form()] = Ask.OPEN) -> Response:
    """Note for this session that the rater knows what will be shown."""
    answer = _lead_on(ask)
    answer.set_cookie(
        _WARNED_COOKIE,
        _make_warned_mark(who),
        path="/labels",
        secure=site.access.is_secure,
        httponly=True,
        samesite="lax",
    )
    return answer


def _is_warned(request: Request, who: Visitor) -> bool:
    return hmac.compare_digest(
        request.cookies.get(_WARNED_COOKIE, "").encode(), _make_warned_mark(who).encode()
    )


def _make_warned_mark(who: Visitor) -> str:
    """Return a cookie value that proves the warning was shown in this session."""
    return sha256(f"warned {who.mark}".encode()).hexdigest()[:32]


@router.post("/labels", dependencies=_WITH_MARK)
def store_rating(
    site: TheSite,
    who: Who,
    known: TheBoard,
    key: Annotated[str, Form(max_length=_LONGEST_KEY)],
    said: Annotated[str, Form(max_length=_LONGEST_KEY)],
    comment: Annotated[str, Form(max_length=2 * sheets.MOST_COMMENT)] = "",
    ask: Annotated[Ask, Form()] = Ask.OPEN,
) -> Response:
    """Store the rating of a person, or put the person back."""
    rater, now = _find_rater(who), site.now()
    if said != _SKIP and said not in settle.allowed_values():
        raise InvalidInput(f"{said!r}: say one of {', '.join(settle.allowed_values())}, or skip")
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
        return _lead_on(ask)
    with site.database.begin() as connection:
        if entity not in people.read_shown_entities(connection, [entity]):
            raise Missing("this person is not known here any more")
        people.store_ratings(connection, [settle.Rating(entity, said, rater, now, words)])
        people.publish_labels(connection, [entity], now)
    return _lead_on(ask)


def _lead_on(ask: Ask) -> RedirectResponse:
    address = "/labels" if ask is Ask.OPEN else f"/labels?ask={ask}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)
