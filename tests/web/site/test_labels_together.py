"""Raters who work at once, on PostgreSQL: no answer fails, nothing that was said is lost."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.labels import sheets
from monitor.roles import Role
from monitor.store.derive import people
from monitor.store.schema import labels, people_ratings

#: How many people each rater says something of.
EACH = 4
LONG = 60.0


@pytest.fixture(params=["postgresql"])
def dialect(request):
    return request.param


@pytest.fixture
def raters(archive, make_client):
    """Two browsers of each of two raters, all of whom were warned; one process serves them."""
    ada, bo = (make_client(archive, Role.LABELLER, name=name) for name in ("ada", "bo"))
    for client in (ada, bo):
        client.post("/labels/begin", data={"mark": client.mark})
    return ada, bo


def at_once(*calls):
    """What functions return that all begin at the same time."""
    start = Barrier(len(calls))

    def begun(call):
        start.wait(LONG)
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [one.result(LONG) for one in [threads.submit(begun, call) for call in calls]]


def key_of(answer):
    assert answer.status_code == 200, answer.text
    return HTMLParser(answer.text).css_first("input[name=key]").attributes["value"]


def say(client, key, said):
    return client.post("/labels", data={"mark": client.mark, "key": key, "said": said})


def said_of(archive):
    """{key: {rater: (how often they said something, what counts)}}."""
    with archive.read() as connection:
        rows = connection.execute(sa.select(people_ratings.c.entity, people_ratings.c.rater)).all()
        times = Counter((row.entity, row.rater) for row in rows)
        newest = people.read_ratings(connection)
    return {
        sheets.blind_key(entity): {one.by: (times[entity, one.by], one.group) for one in given}
        for entity, given in newest.items()
    }


def current(archive):
    """{key: (state, group) of the label that counts}; more than one would be a fault."""
    with archive.read() as connection:
        rows = connection.execute(sa.select(labels).where(labels.c.is_current)).all()
    assert len({row.entity for row in rows}) == len(rows)
    return {sheets.blind_key(row.entity): (row.state, row.grouping) for row in rows}


def test_two_who_say_something_of_the_same_person_at_once(archive, raters):
    ada, bo = raters
    keys = [key_of(ada.get("/labels"))]
    for _ in range(EACH):
        key = keys[-1]
        other = "women" if len(keys) % 2 else "men"
        answers = at_once(lambda: say(ada, key, "women"), lambda: say(bo, key, other))  # noqa: B023
        assert [one.status_code for one in answers] == [303, 303]
        keys.append(key_of(ada.get("/labels")))
    said, known = said_of(archive), current(archive)
    assert len(set(keys)) == EACH + 1
    for place, key in enumerate(keys[:-1]):
        other = "men" if place % 2 else "women"
        assert said[key] == {"ada": (1, "women"), "bo": (1, other)}
        expected = ("labelled", "women") if other == "women" else ("conflict", "")
        assert known[key] == expected


def test_a_form_that_is_sent_twice_counts_once(archive, raters):
    ada, _ = raters
    key = key_of(ada.get("/labels"))
    answers = at_once(*[lambda: say(ada, key, "women")] * 4)
    assert [one.status_code for one in answers] == [303] * 4
    assert {rater: group for rater, (_, group) in said_of(archive)[key].items()} == {"ada": "women"}
    assert current(archive)[key] == ("labelled", "women")
    assert "1 of 50 today" in ada.get("/labels").text


def test_one_who_goes_back_while_another_goes_on(archive, raters):
    ada, bo = raters
    first = key_of(ada.get("/labels"))
    for n in range(EACH):
        say(ada, first, "women" if n % 2 else "men")
        theirs = key_of(bo.get("/labels"))
        assert theirs == first or n
        answers = at_once(
            lambda: ada.get(f"/labels?back={first}"),
            lambda: say(bo, theirs, "women"),  # noqa: B023
            lambda: ada.get("/labels"),
            lambda: say(ada, first, "unknown"),
        )
        assert [one.status_code for one in answers] == [200, 303, 200, 303]
        assert key_of(answers[0]) == first
    said = said_of(archive)
    assert said[first]["ada"] == (2 * EACH, "unknown")
    assert sum("bo" in given for given in said.values()) == EACH
