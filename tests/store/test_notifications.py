"""Notices are written, claimed, settled and counted, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor.store.journal import notifications
from monitor.store.journal.notifications import NewNotice

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def add(database, subject="alarm:1", kind="raised", route="operations", at=AT):
    with database.begin() as connection:
        notifications.lock_notices(connection)
        return notifications.add_notice(connection, NewNotice(route, kind, subject, "t", "b"), at)


def change(database, what, number, *args):
    with database.begin() as connection:
        what(connection, notifications.find_notices(connection, [number])[0], *args)


def get(database, number):
    with database.read() as connection:
        return notifications.find_notices(connection, [number])[0]


def test_a_notice_is_open_until_it_is_settled(database):
    number = add(database)
    one = get(database, number)
    assert (one.state, one.tries, one.next_at, one.members) == ("open", 0, None, ())
    assert not one.waits(AT)
    change(database, notifications.claim_notice, number, AT + MINUTE)
    one = get(database, number)
    assert (one.tries, one.was_left, one.last_trouble) == (1, True, "")
    assert one.waits(AT)
    assert not one.waits(AT + MINUTE)
    change(database, notifications.mark_sent, number, AT + MINUTE)
    one = get(database, number)
    assert (one.state, one.sent_at, one.next_at, one.was_left) == ("sent", AT + MINUTE, None, False)


def test_what_went_wrong_is_kept_while_it_is_tried_again(database):
    number = add(database)
    change(database, notifications.claim_notice, number, AT + MINUTE)
    change(database, notifications.postpone_notice, number, "address 1 of 2: HTTP 500", AT + MINUTE)
    assert not get(database, number).was_left
    change(database, notifications.claim_notice, number, AT + HOUR)
    one = get(database, number)
    assert (one.tries, one.was_left, one.last_trouble) == (2, True, "address 1 of 2: HTTP 500")


def test_others_on_the_route_wait_as_long_but_not_what_is_under_way(database):
    tried, other, later, flying = (add(database, f"alarm:{n}") for n in range(4))
    elsewhere = add(database, route="findings")
    change(database, notifications.postpone_notice, later, "", AT + HOUR)
    change(database, notifications.claim_notice, flying, AT + 2 * MINUTE)
    for number in (tried, other):
        change(database, notifications.claim_notice, number, AT)
        change(database, notifications.postpone_notice, number, "", AT)
    change(database, notifications.postpone_notice, tried, "x", AT + 5 * MINUTE)
    waits = [get(database, n).next_at for n in (tried, other, later, flying, elsewhere)]
    assert waits[0] == waits[1] == AT + 5 * MINUTE
    assert waits[2] == AT + HOUR
    assert waits[3] != AT + 5 * MINUTE
    assert waits[4] is None


def test_a_time_that_is_too_far_off_was_written_by_a_wrong_clock(database):
    number = add(database)
    change(database, notifications.claim_notice, number, AT + timedelta(days=400))
    assert not get(database, number).waits(AT)


def test_some_are_put_together_and_again(database):
    first = [get(database, add(database, f"alarm:{n}")) for n in range(2)]
    with database.begin() as connection:
        number = notifications.combine_notices(
            connection, first, notifications.FAMILY, "2 more", "b", AT
        )
    summary = get(database, number)
    assert summary.members == tuple(one.id for one in first)
    another = get(database, add(database, "alarm:9"))
    with database.begin() as connection:
        again = notifications.combine_notices(
            connection, [another, summary], notifications.SUMMARY, "3 more", "b", AT
        )
    assert get(database, again).members == (*summary.members, another.id)
    states = [get(database, n).state for n in (*summary.members, number, another.id, again)]
    assert states == ["dropped"] * 4 + ["open"]
    assert get(database, first[0].id).trouble == f"told in notice {again}"
    change(database, notifications.give_up_notice, again, "HTTP 500")
    assert get(database, first[0].id).state == "failed"


def test_messages_of_an_hour_are_counted_by_route(database):
    times = [AT - HOUR, AT - 59 * MINUTE, AT, AT + MINUTE]
    for n, at in enumerate(times):
        change(database, notifications.mark_sent, add(database, f"alarm:{n}"), at)
    change(database, notifications.mark_sent, add(database, route="findings"), AT)
    add(database, "alarm:9")
    with database.read() as connection:
        assert notifications.count_sent(connection, "operations", AT - HOUR, AT) == 2
        assert notifications.count_sent(connection, "findings", AT - HOUR, AT) == 1


def test_notices_are_found_by_what_they_are_about(database):
    one, two, change_, odd = (
        add(database, "alarm:1"), add(database, "alarm:1", "resolved"),
        add(database, "change:1/step/x", "finding", "findings"), add(database, "chang_:2"),
    )  # fmt: skip
    with database.read() as connection:
        found = notifications.find_by_subject(connection, ["alarm:1", "alarm:2"])
        assert {key: [n.id for n in some] for key, some in found.items()} == {"alarm:1": [one, two]}
        assert notifications.find_by_subject(connection, []) == {}
        assert list(notifications.find_by_subject_prefix(connection, "change:")) == [
            "change:1/step/x"
        ]
        assert list(notifications.find_by_subject_prefix(connection, "chang_:")) == ["chang_:2"]
        assert [n.id for n in notifications.list_waiting(connection, "findings")] == [change_]
        assert [n.id for n in notifications.list_newest(connection, 2)] == [odd, change_]
    change(database, notifications.mark_sent, odd, AT)
    change(database, notifications.drop_notice, change_, "why")
    change(database, notifications.give_up_notice, one, "")
    with database.read() as connection:
        assert [n.id for n in notifications.list_newest(connection, 9, unsent=True)] == [two, one]


@pytest.mark.parametrize("words", ["a\x00b", "half \ud800 of a pair"])
def test_hostile_words_are_stored(database, words):
    with database.begin() as connection:
        number = notifications.add_notice(
            connection, NewNotice("findings", "k", words, words, words), AT
        )
    change(database, notifications.postpone_notice, number, words, AT)
    one = get(database, number)
    assert "\x00" not in one.title + one.body + one.subject + one.trouble
