"""Who is offered to whom: the quick way finds what the slow one does; nobody waits for others."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Event

import pytest

from monitor.model import LabelState
from monitor.web.site.pages import labels
from monitor.web.site.pages.labels import Ask, LabelBoard

NOW = datetime(2025, 2, 3, tzinfo=UTC)
LONG = 30.0


class Stored:
    """What the board reads, from lists."""

    def __init__(self, states, said=()):
        self._states, self._said = states, list(said)
        self.waits, self.reads = Event(), Event()
        self.waits.set()

    def list_entities(self, _connection):
        self.reads.set()
        assert self.waits.wait(LONG)
        return sorted(self._states)

    def read_label_states(self, _connection):
        return {one: state for one, state in self._states.items() if state}

    def read_ratings_after(self, _connection, number):
        return iter([one for one in self._said if one.number > number])

    def say(self, entity, rater, group="women"):
        number = len(self._said) + 1
        self._said.append(labels.StoredRating(number, entity, rater, group, NOW))


@pytest.fixture
def board_of(monkeypatch):
    def make(stored):
        monkeypatch.setattr(labels, "people", stored)
        board = LabelBoard()
        board.refresh(None)
        return board

    return make


def place(board, entity, rater, ask):
    """How late somebody's turn is, as it was written down first."""
    given, state = board.said.get(entity, {}), board.states[entity]
    if ask is Ask.CONFLICT:
        if not given:
            return 1 if state is LabelState.CONFLICT else None
        if len({one.group for one in given.values()}) == 1:
            return None
        if rater not in given:
            return 2
        newer = any(one.number > given[rater].number for one in given.values())
        return 0 if newer else None
    if not given:
        early = {None: 1, LabelState.UNRESOLVED: 1, LabelState.CONFLICT: 2}
        return early.get(state, 3 if ask is Ask.ALL else None)
    if rater in given:
        return None
    return 0 if len(given) == 1 else (4 if ask is Ask.ALL else None)


@pytest.mark.parametrize("seed", range(40))
def test_the_next_person_is_the_earliest_of_all(board_of, seed):
    draw = random.Random(seed)  # noqa: S311 - no secret
    states = {f"kg:/m/{n}": draw.choice([None, *LabelState]) for n in range(draw.randrange(1, 12))}
    stored = Stored(states)
    for _ in range(draw.randrange(15)):
        stored.say(
            draw.choice([*states, "gone"]), draw.choice("abc"), draw.choice(["men", "other"])
        )
    board = board_of(stored)
    passed = {one for one in states if draw.random() < 0.3}
    for one in passed:
        board.put_back("a", one)
    for ask in Ask:
        late = {e: p for e in states if (p := place(board, e, "a", ask)) is not None}
        turn = board.turn("a", ask)
        assert turn.n_waiting == len(late)
        assert bool(turn.entity) == bool(late)
        if late:
            shifted = {e: (e in passed, p) for e, p in late.items()}
            assert shifted[turn.entity] == min(shifted.values())


def test_raters_have_orders_of_their_own_that_stay(board_of):
    states = {f"kg:/m/{n}": None for n in range(30)}

    def offered(rater):
        board, found = board_of(Stored(states)), []
        for _ in states:
            found.append(board.turn(rater, Ask.OPEN).entity)
            board.put_back(rater, found[-1])
        return found

    assert set(offered("a")) == set(states)
    assert offered("a") == offered("a") != offered("b")
    assert list(states) not in (offered("a"), offered("b"))


def test_who_was_erased_is_not_offered(board_of):
    board = board_of(Stored({"kg:/m/1": None, "kg:/m/2": None}))
    first = board.turn("a", Ask.OPEN)
    board.forget(first.entity)
    second = board.turn("a", Ask.OPEN)
    assert (first.n_waiting, second.n_waiting) == (2, 1)
    assert second.entity not in ("", first.entity)


def test_nobody_waits_while_one_reads_everything(board_of, monkeypatch):
    stored = Stored({"kg:/m/1": None, "kg:/m/2": None})
    board = board_of(stored)
    monkeypatch.setattr(labels, "_OLD", -1.0)
    stored.waits.clear()
    stored.reads.clear()

    def another():
        board.refresh(None)
        return board.turn("b", Ask.OPEN)

    with ThreadPoolExecutor(2) as threads:
        reading = threads.submit(board.refresh, None)
        try:
            assert stored.reads.wait(LONG)
            stored.say("kg:/m/1", "a")
            assert threads.submit(another).result(LONG / 3).entity == "kg:/m/1"
        finally:
            stored.waits.set()
        reading.result(LONG)
    assert board.turn("b", Ask.OPEN).entity == "kg:/m/1"
