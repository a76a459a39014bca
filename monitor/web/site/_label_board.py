"""Who is offered to whom: entities, their states and what raters said in, the next person out.

It is kept in memory, because each answer asks for the next person: everything is read again after
some minutes, and what was said meanwhile at every look.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from threading import RLock
from time import monotonic

from monitor.labels.sheets import blind_key
from monitor.model import LabelState, digest
from monitor.store import site_labels
from monitor.store.database import Connection
from monitor.store.site_labels import Said

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


@dataclass(slots=True)
class Board:
    """What is known of everybody. `said` is {entity: {rater: their newest rating}}."""

    states: dict[str, LabelState | None] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    said: dict[str, dict[str, Said]] = field(default_factory=dict)
    _orders: dict[str, list[str]] = field(default_factory=dict)
    _own: dict[str, dict[str, Said]] = field(default_factory=dict)
    _passed: dict[str, set[str]] = field(default_factory=dict)
    _newest: int = 0
    _read_at: float = 0.0
    _lock: RLock = field(default_factory=RLock)

    def refresh(self, connection: Connection) -> None:
        """Read what is new."""
        with self._lock:
            if not self._read_at or monotonic() - self._read_at > _OLD:
                self._reload(connection)
            for one in site_labels.said_after(connection, max(0, self._newest - _OVERLAP)):
                self._note(one)

    def _reload(self, connection: Connection) -> None:
        found = site_labels.states(connection)
        self.states = {one: found.get(one) for one in site_labels.everybody(connection)}
        known = {entity: key for key, entity in self.keys.items()}
        self.keys = {known.get(one) or blind_key(one): one for one in self.states}
        self.said, self._own, self._orders, self._newest = {}, {}, {}, 0
        self._read_at = monotonic()

    def _note(self, one: Said) -> None:
        given = self.said.setdefault(one.entity, {})
        if one.rater not in given or given[one.rater].number < one.number:
            given[one.rater] = one
            self._own.setdefault(one.rater, {})[one.entity] = one
        self._newest = max(self._newest, one.number)

    def forget(self, entity: str) -> None:
        """Offer somebody no more: they were erased."""
        with self._lock:
            self.states.pop(entity, None)
            self._orders.clear()

    def put_back(self, rater: str, entity: str) -> None:
        """Offer somebody to a rater after all others."""
        with self._lock:
            self._passed.setdefault(rater, set()).add(entity)

    def own(self, rater: str) -> list[Said]:
        """What a rater says of people, each the newest, in the order in which it was said."""
        with self._lock:
            return sorted(self._own.get(rater, {}).values(), key=lambda one: one.number)

    def n_since(self, rater: str, begin: datetime) -> int:
        """Of how many people a rater has said something since a time."""
        return sum(one.at >= begin for one in self.own(rater))

    def turn(self, rater: str, ask: Ask) -> Turn:
        """The next person for a rater; the order is another for each, and always the same."""
        with self._lock:
            passed = self._passed.get(rater, set())
            best, chosen, waiting = 2 * _LAST, "", 0
            for entity in self._order(rater):
                place = self._place(entity, rater, ask)
                if place is None:
                    continue
                waiting += 1
                if entity in passed:
                    place += _LAST
                if place < best:
                    best, chosen = place, entity
            return Turn(chosen, waiting)

    def _order(self, rater: str) -> list[str]:
        if rater not in self._orders:
            self._orders[rater] = sorted(self.states, key=lambda one: digest([rater, one]))
        return self._orders[rater]

    def _place(self, entity: str, rater: str, ask: Ask) -> int | None:
        """How late somebody's turn is, 0 first; None where a rater is not asked about them.

        Whom one other has rated comes first, so that two have rated as many as possible.
        """
        given = self.said.get(entity)
        state = self.states[entity]
        if ask is Ask.CONFLICT:
            return _contradiction(given or {}, rater, state)
        if not given:
            if state in (None, LabelState.UNRESOLVED):
                return 1
            if state is LabelState.CONFLICT:
                return 2
            return 3 if ask is Ask.ALL else None
        if rater in given:
            return None
        if len(given) == 1:
            return 0
        return 4 if ask is Ask.ALL else None


def _contradiction(given: dict[str, Said], rater: str, state: LabelState | None) -> int | None:
    """Raters who differ may each say it again, in turn, until they agree."""
    if not given:
        return 1 if state is LabelState.CONFLICT else None
    if len({one.group for one in given.values()}) == 1:
        return None
    if rater not in given:
        return 2
    newer = any(one.number > given[rater].number for one in given.values())
    return 0 if newer else None
