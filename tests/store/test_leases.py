"""One holder at a time, tokens that grow, and nothing in the name of who was left behind."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import sqlalchemy as sa

from monitor.store.schedule import leases
from monitor.store.schedule.leases import is_at_work, this_process
from tests.cases import check_each
from tests.store.test_database import in_threads

ELSEWHERE = "another-machine/1:17:99"


def take(database, holder=None, seconds=30, name="lane:x@direct"):
    with database.begin() as connection:
        return leases.take_lease(connection, name, holder or this_process(), seconds)


def age(database, seconds):
    """Let every lease be so much older."""
    with database.begin() as connection:
        past = datetime.now(UTC) - timedelta(seconds=seconds)
        connection.execute(sa.update(leases.leases).values(until=past))


def test_a_name_is_held_by_one_at_a_time(database):
    assert take(database).token == 1
    assert take(database) is None
    assert take(database, ELSEWHERE) is None
    assert take(database, name="lane:y@direct").token == 1


def test_what_was_given_back_can_be_taken_and_tells_the_next_holder(database):
    lease = take(database)
    with database.begin() as connection:
        leases.note_rest(connection, lease, 7, 3)
        moment = leases.read_clock(connection) + timedelta(seconds=7)
        leases.release_lease(connection, lease)
        assert leases.find_holder(connection, lease.name) == ""
    again = take(database, ELSEWHERE)
    assert (again.token, again.failures) == (2, 3)
    assert abs(again.next_at - moment) < timedelta(seconds=2)


def test_what_ran_out_can_be_taken_and_the_former_holder_has_lost_it(database):
    first = take(database, ELSEWHERE)
    age(database, 1)
    second = take(database)
    assert second.token == first.token + 1
    with database.begin() as connection:
        assert leases.find_lost(connection, [first]) == {first.name}
        assert leases.find_lost(connection, [second]) == set()
        assert leases.renew_leases(connection, [first, second], 30) == {first.name}
        leases.release_lease(connection, first)
        assert leases.find_holder(connection, second.name) == second.holder


def test_who_was_late_but_alone_goes_on(database):
    lease = take(database, ELSEWHERE)
    age(database, 1)
    with database.begin() as connection:
        assert leases.find_lost(connection, [lease]) == set()
        assert leases.renew_leases(connection, [lease], 30) == set()
        assert leases.find_holder(connection, lease.name) == ELSEWHERE


def test_what_a_dead_process_of_this_machine_held_is_free_at_once(database):
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    began = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[19]
    name = f"{this_process().rsplit(':', 2)[0]}:{child.pid}:{began}"
    assert is_at_work(name) is True
    assert take(database, name).token == 1
    assert take(database) is None
    child.communicate(b"\n")
    assert is_at_work(name) is False
    assert take(database).token == 2


@check_each(
    ("name", "expected"),
    [(ELSEWHERE, None), ("", None), ("x", None), ("machine:12", None)],
)
def test_of_other_machines_nobody_can_say(name, expected):
    assert is_at_work(name) is expected


def test_a_number_that_was_used_again_is_another_process():
    machine, number, began = this_process().rsplit(":", 2)
    assert is_at_work(f"{machine}:{number}:{began}") is True
    assert is_at_work(f"{machine}:{number}:{int(began) + 1}") is False
    assert is_at_work(f"{machine}:99999999:1") is False


def test_of_many_who_try_one_has_it(database):
    many = 8
    barrier = Barrier(many)

    found = []

    def attempt(number):
        def try_it():
            barrier.wait()
            found.append(take(database, f"{ELSEWHERE}{number}"))

        return try_it

    in_threads(*[attempt(number) for number in range(many)])
    assert len([lease for lease in found if lease]) == 1


def test_nobody_takes_it_while_something_is_stored_in_its_name(database):
    """Between the look at the token and the end of the transaction nothing can come."""
    lease = take(database, ELSEWHERE)
    age(database, 1)
    order = []

    def other():
        taken = take(database)
        order.append("taken")
        return taken

    from threading import Thread

    with database.begin() as connection:
        assert leases.find_lost(connection, [lease]) == set()
        thread = Thread(target=other)
        thread.start()
        thread.join(0.3)
        order.append("stored")
    thread.join(30)
    assert order == ["stored", "taken"]


def test_after_an_outage_who_held_a_name_goes_first(database, monkeypatch):
    """Nobody could renew while the server was away, and the holder may have answers to store."""
    lease = take(database, ELSEWHERE)
    age(database, 1)
    monkeypatch.setattr(leases, "since_away", lambda: 2.0)
    assert take(database) is None
    with database.begin() as connection:
        assert leases.renew_leases(connection, [lease], 30) == set()
    age(database, 1)
    monkeypatch.setattr(leases, "since_away", lambda: 31.0)
    assert take(database).token == 2
