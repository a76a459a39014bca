"""What pages keep: until something is computed, for each archive and each visitor's view apart."""

from threading import Barrier, Thread

import pytest

from monitor.roles import PUBLIC
from monitor.store.access import embargoes
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.journal import events
from monitor.web.site import response_cache
from monitor.web.site.errors import Busy
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.visitors import Visitor
from tests.web.site.routes import ON_BOTH

SOMEBODY = Visitor("ada", (), PUBLIC)
NOBODY = Visitor("", (), PUBLIC, EmbargoFilter(frozenset({1})))


class Counted:
    """Counts how often it is read."""

    def __init__(self):
        self.n = 0

    def __call__(self):
        self.n += 1
        return self.n


def get(kept, database, read, who=SOMEBODY, about="it"):
    with database.read() as connection:
        return kept.get(connection, who, about, read)


@ON_BOTH
def test_it_is_read_once_until_something_happens(database, clock):
    kept, read = ResponseCache(), Counted()
    assert [get(kept, database, read) for _ in range(3)] == [1, 1, 1]
    with database.begin() as connection:
        events.raise_alarm(connection, "charts_behind", "j", "d", clock())
    assert get(kept, database, read) == 2


def test_a_stamp_that_is_known_is_not_asked_for_again(database, monkeypatch):
    kept, read = ResponseCache(), Counted()
    with database.read() as connection:
        at = response_cache.read_cache_version(connection)
        monkeypatch.delattr(response_cache, "read_cache_version")
        assert [kept.get(connection, SOMEBODY, "it", read, at) for _ in range(2)] == [1, 1]
        assert kept.get(connection, SOMEBODY, "it", read, (*at, "later")) == 2


def test_what_one_may_see_is_not_shown_to_another(database):
    kept, read = ResponseCache(), Counted()
    assert get(kept, database, read) == 1
    assert get(kept, database, read, NOBODY) == 2
    assert get(kept, database, read) == 1


def test_a_failure_leaves_nothing(database):
    kept, read = ResponseCache(), Counted()
    with pytest.raises(ZeroDivisionError):
        get(kept, database, lambda: 1 // 0)
    assert get(kept, database, read) == 1


def test_the_least_used_goes_first(database):
    kept, read = ResponseCache(most=2), Counted()
    for about in ("a", "b", "a", "c"):
        get(kept, database, read, about=about)
    assert read.n == 3
    get(kept, database, read, about="a")
    assert read.n == 3
    get(kept, database, read, about="b")
    assert read.n == 4


def test_who_asks_at_once_waits_for_the_one_that_reads(database):
    kept, inside, found = ResponseCache(), Barrier(2), []

    def slow():
        inside.wait()
        inside.wait()
        return "read once"

    first = Thread(target=lambda: found.append(get(kept, database, slow)))
    first.start()
    inside.wait()  # the first one reads
    second = Thread(target=lambda: found.append(get(kept, database, lambda: "read again")))
    second.start()
    inside.wait()
    first.join()
    second.join()
    assert found == ["read once", "read once"]


def test_nobody_waits_for_ever(database, monkeypatch):
    monkeypatch.setattr(response_cache, "_READ_SECONDS", 0.05)
    kept, inside = ResponseCache(), Barrier(2)

    def slow():
        inside.wait()
        inside.wait()

    first = Thread(target=lambda: get(kept, database, slow))
    first.start()
    inside.wait()
    with pytest.raises(Busy):
        get(kept, database, Counted())
    inside.wait()
    first.join()


def test_an_embargo_is_news(archive, clock):
    kept, read = ResponseCache(), Counted()
    get(kept, archive, read)
    with archive.begin() as connection:
        about = {"measure": "masculine_rate"}
        embargoes.add_embargo(connection, about, reason="r", by="b", until=None, now=clock())
    assert get(kept, archive, read) == 2
