"""Lanes that wait for each other before each step, in real threads."""

import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.stages.collect.synchronization import Rendezvous

LIMIT = 30.0
LONG = 1000.0


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Threads:
    """Threads whose exceptions are kept, and which have to end."""

    def __init__(self):
        self.errors, self._threads = [], []

    def start(self, function, *args):
        def run():
            try:
                function(*args)
            except Exception as error:  # noqa: BLE001 - looked at by the test
                self.errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread

    def join(self):
        until = time.monotonic() + LIMIT
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        assert not any(thread.is_alive() for thread in self._threads), "a lane waits for ever"


@pytest.fixture
def threads():
    found = Threads()
    yield found
    found.join()


def eventually(condition):
    until = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.002)


def arrive(meeting, lane, step):
    """Wait until a lane may take a step."""
    eventually(lambda: meeting.ready(lane, step))


def walk(meeting, lane, steps, log):
    """Take steps; the log has (lane, step) in the order of going on."""
    with meeting.member(lane):
        for step in steps:
            arrive(meeting, lane, step)
            log.append((lane, step))


# --- without threads ----------------------------------------------------------------------------


def test_the_last_to_come_lets_all_go():
    meeting = Rendezvous({"a": "xy", "b": "xy", "c": "y"}, LONG)
    assert not meeting.ready("a", "x")
    assert not meeting.ready("a", "x")
    assert meeting.ready("b", "x")
    assert meeting.ready("a", "x")
    assert not meeting.ready("a", "y")
    assert not meeting.ready("b", "y")
    assert meeting.ready("c", "y")
    assert meeting.ready("a", "y")
    assert meeting.ready("b", "y")


def test_who_has_come_to_a_later_step_has_passed_the_earlier_ones():
    meeting = Rendezvous({"a": "wxyz", "b": "wxyz"}, LONG)
    assert not meeting.ready("b", "y")  # of w and x nothing was left to ask
    assert meeting.ready("a", "w")
    assert meeting.ready("a", "x")
    assert meeting.ready("a", "y")
    assert meeting.ready("b", "y")
    assert not meeting.ready("a", "z")
    assert meeting.ready("a", "w")  # asked again, long after


def test_who_left_is_not_waited_for_and_waits_for_nobody():
    meeting = Rendezvous({"a": "x", "b": "x", "c": "x"}, LONG)
    assert not meeting.ready("a", "x")
    meeting.leave("b")
    assert not meeting.ready("a", "x")
    meeting.leave("c")
    assert meeting.ready("a", "x")
    assert meeting.ready("b", "x")
    meeting.leave("of another run")


def test_a_step_or_a_lane_that_nobody_knows_of_waits_for_nobody():
    meeting = Rendezvous({"a": "x", "b": "x"}, LONG)
    assert meeting.ready("a", "unknown")
    assert meeting.ready("unknown", "x")
    assert not meeting.ready("a", "x")
    assert Rendezvous({"a": "x"}, LONG).ready("a", "x")


def test_patience_is_of_the_step_and_begins_with_the_first_arrival():
    clock = Clock()
    meeting = Rendezvous({"a": "xy", "b": "xy", "c": "xy"}, 10, clock)
    assert not meeting.ready("a", "x")
    clock.now = 9.9
    assert not meeting.ready("b", "x")
    clock.now = 10.0
    assert meeting.ready("a", "x")
    assert meeting.ready("b", "x")  # together with a, though it came later
    assert not meeting.ready("a", "y")
    clock.now = 15.0
    assert meeting.ready("c", "x")  # the others have taken it without c
    assert meeting.ready("a", "x")
    assert not meeting.ready("c", "y")
    assert meeting.ready("b", "y")


def test_without_patience_everybody_goes_alone():
    meeting = Rendezvous({"a": "x", "b": "x"}, 0)
    assert meeting.ready("a", "x")
    assert meeting.ready("b", "x")


def test_a_step_that_stands_twice_is_one():
    meeting = Rendezvous({"a": "xyx", "b": "xy"}, LONG)
    assert not meeting.ready("a", "x")
    assert meeting.ready("b", "x")
    assert meeting.ready("a", "x")
    assert not meeting.ready("a", "y")
    assert meeting.ready("b", "y")


@settings(deadline=None)
@given(st.data())
def test_lanes_that_ask_again_and_again_never_wait_for_each_other_all(data):
    """Some lane can go on at any time, whatever each takes part in, skips, or ends with."""
    common = range(12)
    members = {
        lane: data.draw(st.sets(st.sampled_from(common)).map(sorted), label=lane) for lane in "abc"
    }
    todo = {
        lane: [step for step in steps if data.draw(st.booleans())]
        for lane, steps in members.items()
    }
    meeting = Rendezvous(members, LONG)
    while any(todo.values()):
        moved = False
        for lane in data.draw(st.permutations("abc")):
            if not todo[lane]:
                meeting.leave(lane)
            elif meeting.ready(lane, todo[lane][0]):
                step = todo[lane].pop(0)
                others = (one for one in members if step in members[one])
                assert all(todo[one][:1] >= [step] or not todo[one] for one in others)
                moved = True
        if not moved and not any(meeting.ready(lane, todo[lane][0]) for lane in todo if todo[lane]):
            pytest.fail(f"all wait: {todo}")


# --- in threads ---------------------------------------------------------------------------------


def test_nobody_takes_a_step_before_all_have_come(threads):
    """What went on is in the log in the order of the steps, however long each takes for one."""
    lanes = {
        "a": range(30),
        "b": range(30),
        "c": range(0, 30, 3),
        "d": range(10, 25),
        "e": [],
    }
    meeting, came, log = Rendezvous(lanes, LONG), [], []
    lock = threading.Lock()

    def lane(name, steps, chance):
        with meeting.member(name):
            for step in steps:
                time.sleep(chance.random() / 500)
                with lock:
                    came.append((name, step))
                arrive(meeting, name, step)
                with lock:
                    log.append((step, set(came)))

    for seed, (name, steps) in enumerate(lanes.items()):
        threads.start(lane, name, steps, random.Random(seed))  # noqa: S311
    threads.join()
    assert threads.errors == []
    assert len(log) == 30 + 30 + 10 + 15
    for step, known in log:
        assert known >= {(name, step) for name, steps in lanes.items() if step in steps}


def test_a_lane_that_leaves_in_the_middle_lets_the_others_go_on(threads):
    meeting, log = Rendezvous({"a": range(10), "b": range(10)}, LONG), []
    threads.start(walk, meeting, "a", range(10), log)
    threads.start(walk, meeting, "b", range(4), log)
    threads.join()
    assert threads.errors == []
    assert [step for lane, step in log if lane == "a"] == list(range(10))


def test_a_lane_that_raises_lets_the_others_go_on(threads):
    meeting, log = Rendezvous({"a": range(10), "b": range(10)}, LONG), []

    def spoilt():
        with meeting.member("b"):
            for step in range(10):
                if step == 5:
                    raise ValueError("of the lane")
                arrive(meeting, "b", step)

    threads.start(walk, meeting, "a", range(10), log)
    threads.start(spoilt)
    threads.join()
    assert [str(error) for error in threads.errors] == ["of the lane"]
    assert len(log) == 10


def test_a_lane_that_is_slow_is_not_waited_for_beyond_patience(threads):
    meeting, log = Rendezvous({"a": "xyz", "b": "xyz", "slow": "xyz"}, 0.05), []
    for lane in "ab":
        threads.start(walk, meeting, lane, "xyz", log)
    eventually(lambda: len(log) == 6)
    assert [step for _, step in log] == list("xxyyzz")
    assert all(meeting.ready("slow", step) for step in "xyz")
    threads.join()
    assert threads.errors == []


def test_a_lane_that_comes_late_meets_the_others_again(threads):
    """It catches up without waiting, and they wait for it at the next step."""
    clock, log = Clock(), []
    meeting = Rendezvous({"a": "wxy", "late": "wxy"}, 10, clock)
    threads.start(walk, meeting, "a", "wxy", log)
    eventually(lambda: meeting._until)
    clock.now = 10.0
    eventually(lambda: len(log) == 1)
    eventually(lambda: "x" in meeting._until)
    walk(meeting, "late", "wxy", log)
    threads.join()
    assert log[0] == ("a", "w")
    assert log.index(("late", "w")) < log.index(("a", "x"))


def test_orders_that_contradict_each_other_cost_patience_but_end(threads):
    meeting, log = Rendezvous({"a": "xy", "b": "yx"}, 0.05), []
    for lane, steps in (("a", "xy"), ("b", "yx")):
        threads.start(walk, meeting, lane, steps, log)
    threads.join()
    assert threads.errors == []
    assert len(log) == 4
