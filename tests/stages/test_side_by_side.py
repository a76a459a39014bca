"""Streams in threads: order, marks, exceptions, and that no thread stays behind."""

import threading
import time

import pytest

from monitor.stages.collect import synchronization
from monitor.stages.collect.synchronization import SideBySide, StreamMark

LIMIT = 5.0


@pytest.fixture(autouse=True)
def no_thread_is_left():
    """Whatever a test does, its threads have ended when the context was left."""
    before = set(threading.enumerate())
    began = time.monotonic()
    yield
    assert set(threading.enumerate()) <= before
    assert time.monotonic() - began < 12 * LIMIT, "it hung"


def listen(side, each):
    with side:
        for some in side:
            each(some)


def all_of(streams):
    found = []
    listen(SideBySide(streams), found.extend)
    return found


def closing(stream, closed):
    """The stream, and where it was closed."""
    try:
        yield from stream
    finally:
        closed.append(threading.current_thread())


def test_no_stream_is_nothing():
    assert all_of([]) == []
    assert all_of([iter(()), iter(())]) == []


@pytest.mark.parametrize("count", [1, 64, 1000])
def test_the_order_within_a_stream_is_kept(count):
    assert all_of([iter(range(count))]) == list(range(count))


def test_several_streams_give_everything_each_in_its_order():
    found = all_of([zip(name * 300, range(300), strict=True) for name in "abc"])
    assert len(found) == 900
    for name in "abc":
        assert [n for stream, n in found if stream == name] == list(range(300))


def test_streams_run_at_the_same_time():
    """Each waits for the other: one after the other they would never end."""
    met = threading.Barrier(3)

    def stream():
        met.wait(LIMIT)
        yield 1

    assert all_of([stream(), stream(), stream()]) == [1, 1, 1]


def test_what_came_meanwhile_is_handed_over_together_and_bounded():
    """While the first is dealt with the stream fills the queue, but not more than that."""
    made = []

    def stream():
        for n in range(1000):
            made.append(n)
            yield n

    sizes = []
    with SideBySide([stream()]) as side:
        for some in side:
            sizes.append(len(some))
            if len(sizes) == 1:
                until = time.monotonic() + LIMIT
                while len(made) < synchronization._WAITING and time.monotonic() < until:
                    time.sleep(0.001)
            waiting = len(made) - sum(sizes)
            assert waiting <= synchronization._WAITING + 2
    assert sum(sizes) == 1000
    assert max(sizes) == synchronization._AT_ONCE


# --- marks --------------------------------------------------------------------------------------


def test_a_mark_says_that_all_before_it_was_dealt_with():
    dealt_with, seen = [], []

    def stream():
        for n in range(200):
            yield n
            if n % 50 == 49:
                mark = StreamMark()
                yield mark
                assert mark.wait()
                seen.append(list(dealt_with))

    with SideBySide([stream(), iter("x" * 500)]) as side:
        for some in side:
            time.sleep(0.001)
            dealt_with += [one for one in some if one != "x"]
    assert seen == [list(range(50 * n)) for n in (1, 2, 3, 4)]


def test_a_mark_alone_is_heard():
    heard = []

    def stream():
        mark = StreamMark()
        yield mark
        heard.append(mark.wait())

    assert all_of([stream()]) == []
    assert heard == [True]


# --- exceptions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_a_stream_raises_is_raised_where_it_is_listened_to(kind):
    def stream():
        yield from range(3)
        raise kind("of the stream")

    found = []
    with pytest.raises(kind, match="of the stream"):
        listen(SideBySide([stream()]), found.extend)
    assert found == [0, 1, 2]


def test_an_exception_ends_the_other_streams():
    closed = []

    def endless():
        while True:
            yield 0

    def failing():
        yield 1
        raise ValueError("of the stream")

    with pytest.raises(ValueError, match="of the stream"):
        all_of([closing(endless(), closed), failing(), closing(endless(), closed)])
    assert len(closed) == 2
    assert threading.main_thread() not in closed


# --- leaving early ------------------------------------------------------------------------------


class Left(Exception):
    """What the one who listens leaves with."""


def leave(side, when=lambda: True):
    """Leave as soon as something came and something else is so."""

    def each(_some):
        until = time.monotonic() + LIMIT
        while not when() and time.monotonic() < until:
            time.sleep(0.001)
        raise Left

    with pytest.raises(Left):
        listen(side, each)


def test_leaving_ends_a_stream_that_waits_on_a_full_queue():
    closed = []

    def endless():
        n = 0
        while True:
            yield (n := n + 1)

    streams = [closing(endless(), closed) for _ in range(3)]
    side = SideBySide(streams)
    leave(side, side._queue.full)
    assert len(closed) == 3
    assert threading.main_thread() not in closed


@pytest.mark.parametrize("together", [True, False], ids=["with the mark", "before the mark"])
def test_leaving_ends_a_stream_that_waits_on_a_mark(together):
    """Whether the mark was handed over with the last things or still waits to be."""
    told, asked, heard = [], threading.Event(), threading.Event()

    def stream():
        mark = StreamMark()
        yield 1
        if not together:
            heard.wait(LIMIT)
        yield mark
        asked.set()
        told.append(mark.wait())

    side = SideBySide([stream()])
    ready = side._ready

    def all_at_once():
        asked.wait(LIMIT)  # both are there before anybody listens
        return ready()

    def waits():
        heard.set()
        return asked.is_set()

    if together:
        side._ready = all_at_once
    leave(side, waits)
    assert told == [False]


def test_a_mark_after_the_last_one_left_ends_the_stream():
    """The stream is busy while it is left, and then wants to know."""
    busy, told, closed = threading.Event(), [], []

    def stream():
        yield 1
        busy.wait(LIMIT)
        mark = StreamMark()
        yield mark
        told.append(mark.wait())

    timer = threading.Timer(0.3, busy.set)  # long after the queue was emptied
    timer.start()
    leave(SideBySide([closing(stream(), closed)]))
    timer.join()
    assert told == []
    assert len(closed) == 1


def test_a_stream_that_raises_while_it_is_left_is_silent():
    busy = threading.Event()

    def stream():
        yield 1
        busy.wait(LIMIT)
        raise ValueError("too late")

    timer = threading.Timer(0.05, busy.set)
    timer.start()
    leave(SideBySide([stream()]))
    timer.join()


def test_who_is_busy_for_too_long_does_not_hold_up_the_end(monkeypatch):
    monkeypatch.setattr(synchronization, "_FAREWELL", 0.05)
    busy = threading.Event()

    def stream():
        yield 1
        busy.wait(LIMIT)

    began = time.monotonic()
    side = SideBySide([stream() for _ in range(20)])
    leave(side)
    assert time.monotonic() - began < LIMIT
    busy.set()
    for thread in side._threads:
        thread.join(LIMIT)


def test_not_listening_at_all_ends_the_threads():
    closed = []
    with SideBySide([closing(iter(range(1000)), closed) for _ in range(3)]):
        pass
    assert len(closed) == 3
