"""Who is offered to whom: entities, their states and what raters said in, the next person out.

It is kept in memory, because each answer asks for the next person: everything is read again after
some minutes, and what was said meanwhile at every look. Nobody waits for the database but who reads
it: while one reads everything, all others go on with what is known.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from threading import Lock
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from monitor.labels.sheets import blind_key
from monitor.model import LabelState
from monitor.store.database import Connection
from monitor.store.derive import people
from monitor.store.derive.people import StoredRating

#: Seconds after which everything is read again.
_OLD = 300.0
#: Ratings that are looked at again: of two transactions the earlier number may come in later.
_OVERLAP = 200
_LAST = 9


class Ask(StrEnum):
    """Whom to ask about."""

    OPEN = "open"  # whoever has no label, and whoever one other rated
    CONFLICT = "conflict"  # whose sources or raters contradict each other, one's own as well
    ALL = "all"  # also whoever has a label


@dataclass(frozen=True, slots=True)
class Turn:
    """The next person for a rater, and how many wait with them. No entity: nobody waits."""

    entity: str
    n_waiting: int


@dataclass(frozen=True, slots=True)
class _Everybody:
    """Everybody, each with a number that a rater's order is made of."""

    entities: tuple[str, ...] = ()
    marks: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))


@dataclass(slots=True)
class Board:
    """What is known of everybody. `said` is {entity: {rater: their newest rating}}."""

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
        said = list(people.read_ratings_after(connection, max(0, self._newest - _OVERLAP)))
        with self._lock:
            for one in said:
                self._note(one)

    def _is_old(self) -> bool:
        return not self._read_at or monotonic() - self._read_at > _OLD

    def _reload(self, connection: Connection) -> None:
        found = people.read_label_states(connection)
        states = {one: found.get(one) for one in people.list_entities(connection)}
        known = {entity: key for key, entity in self.keys.items()}
        keys = {known.get(one) or blind_key(one): one for one in states}
        said = list(people.read_ratings_after(connection, 0))
        with self._lock:
            self.keys, self.said, self._own, self._newest = keys, {}, {}, 0
            self._set(states)
            for one in said:
                self._note(one)
            self._read_at = monotonic()

    def _set(self, states: dict[str, LabelState | None]) -> None:
        self.states, self._counts = states, Counter(states.values())
        if self._everybody.entities != (everybody := tuple(states)):
            marks = {entity: int(key, 16) for key, entity in self.keys.items()}
            numbers = np.array([marks[one] for one in everybody], np.uint64)
            self._everybody = _Everybody(everybody, numbers)

    def _note(self, one: StoredRating) -> None:
        given = self.said.setdefault(one.entity, {})
        if one.rater not in given or given[one.rater].number < one.number:
            given[one.rater] = one
            self._own.setdefault(one.rater, {})[one.entity] = one
        self._newest = max(self._newest, one.number)

    def forget(self, entity: str) -> None:
        """Offer somebody no more: they were erased."""
        with self._lock:
            self._set({one: state for one, state in self.states.items() if one != entity})

    def put_back(self, rater: str, entity: str) -> None:
        """Offer somebody to a rater after all others."""
        with self._lock:
            self._passed.setdefault(rater, set()).add(entity)

    def own(self, rater: str) -> list[StoredRating]:
        """What a rater says of people, each the newest, in the order in which it was said."""
        with self._lock:
            return sorted(self._own.get(rater, {}).values(), key=lambda one: one.number)

    def n_since(self, rater: str, begin: datetime) -> int:
        """Of how many people a rater has said something since a time."""
        return sum(one.at >= begin for one in self.own(rater))

    def turn(self, rater: str, ask: Ask) -> Turn:
        """The next person for a rater; the order is another for each, and always the same.

        Whom one other has rated comes first, so that two have rated as many as possible.
        """
        with self._lock:
            order = self._order(rater)
            passed = self._passed.get(rater, set())
            rated = self._rated(rater, ask)
            rest = self._counts - Counter(
                self.states[one] for one in self.said if one in self.states
            )
            places = {state: place for state in rest if (place := _unrated(state, ask)) is not None}
            late = {one: place + _LAST * (one in passed) for one, place in rated.items()}
            best = min(late.values(), default=2 * _LAST)
            first = {one for one, place in late.items() if place == best}
            chosen = next((one for one in order if one in first), "")
            earliest = min(places.values(), default=2 * _LAST)
            for entity in order if earliest < best else ():
                if entity in self.said or entity not in self.states:
                    continue
                place = places.get(self.states[entity], 2 * _LAST) + _LAST * (entity in passed)
                if place < best:
                    best, chosen = place, entity
                    if best == earliest:
                        break
            return Turn(chosen, len(rated) + sum(rest[state] for state in places))

    def _rated(self, rater: str, ask: Ask) -> dict[str, int]:
        """{entity: how late their turn is} of those of whom somebody said something."""
        return {
            entity: place
            for entity, given in self.said.items()
            if entity in self.states and (place := _again(given, rater, ask)) is not None
        }

    def _order(self, rater: str) -> list[str]:
        """Everybody in the order of a rater."""
        everybody = self._everybody
        of, order = self._orders.get(rater, (None, []))
        if of is not everybody:
            places = np.argsort(_mixed(everybody.marks, rater))
            order = [everybody.entities[place] for place in places.tolist()]
            self._orders[rater] = everybody, order
        return order


def _mixed(marks: NDArray[np.uint64], rater: str) -> NDArray[np.uint64]:
    """Marks as they are for a rater: other ones for each, as if they were drawn.

    By the last steps of SplitMix64 (Steele, Lea and Flood 2014), in a hundredth of the time that
    a digest of each takes.
    """
    of_rater = int.from_bytes(blake2b(rater.encode(), digest_size=8).digest())
    mixed = marks ^ np.uint64(of_rater)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _unrated(state: LabelState | None, ask: Ask) -> int | None:
    """How late somebody's turn is of whom nobody said anything; None where nobody is asked."""
    if ask is Ask.CONFLICT:
        return 1 if state is LabelState.CONFLICT else None
    if state in (None, LabelState.UNRESOLVED):
        return 1
    if state is LabelState.CONFLICT:
        return 2
    return 3 if ask is Ask.ALL else None


def _again(given: dict[str, StoredRating], rater: str, ask: Ask) -> int | None:
    """The same of somebody of whom something was said."""
    if ask is Ask.CONFLICT:
        return _contradiction(given, rater)
    if rater in given:
        return None
    if len(given) == 1:
        return 0
    return 4 if ask is Ask.ALL else None


def _contradiction(given: dict[str, StoredRating], rater: str) -> int | None:
    """Raters who differ may each say it again, in turn, until they agree."""
    if len({one.group for one in given.values()}) == 1:
        return None
    if rater not in given:
        return 2
    newer = any(one.number > given[rater].number for one in given.values())
    return 0 if newer else None
