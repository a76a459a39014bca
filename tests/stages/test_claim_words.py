"""The sentences of both claims: what changed on the list, and what holds beyond it."""

import pytest

from monitor.change import ChangeKind, Role, Status
from monitor.stages.changes import statements
from monitor.stages.changes.due_times import UNKNOWN, DueTimes
from monitor.stages.changes.statements import holds_beyond, say_beyond, say_order, say_size

STEP = {
    "runs_before": 20.0, "runs_since": 4.0, "chance": 1 / 10_626, "by_ticks": 0.0, "up": 1.0,
    "exceptions": 0.0,
}  # fmt: skip
CLAIMED = (ChangeKind.STEP, Role.PRIMARY, Status.CONFIRMED)


def test_every_status_has_words_and_only_one_is_confirmed():
    assert set(statements.STATUS) == set(Status)
    assert [one for one in Status if statements.STATUS[one].startswith("Confirmed:")] == [
        Status.CONFIRMED
    ]
    for status in (Status.CANDIDATE, Status.RETROSPECTIVE):
        assert statements.STATUS[status].startswith("Unconfirmed signal")
    assert statements.STATUS[Status.REFUTED].startswith("Not reproduced")
    assert statements.STATUS[Status.UNCONFIRMED].startswith("Unconfirmed:")


@pytest.mark.parametrize(
    ("p", "alpha", "holds"),
    [(0.01, 0.015, True), (0.015, 0.015, True), (0.016, 0.015, False), (None, 0.015, False),
     (0.01, None, False), (None, None, False)],
)  # fmt: skip
def test_a_change_holds_beyond_the_list_where_p_is_within_its_level(p, alpha, holds):
    assert holds_beyond(p, alpha) is holds
    said = say_beyond(*CLAIMED, p, alpha)
    assert said.startswith(statements.HOLDS_BEYOND) is holds
    assert said.startswith(statements.NOT_SHOWN_BEYOND) is not holds


def test_p_and_level_stand_beside_the_claim():
    assert say_beyond(*CLAIMED, 0.012, 0.015) == (
        "Also holds beyond this list: p 0.012, level 0.015, clustered by what sentences are about."
    )
    assert say_beyond(*CLAIMED, 0.4, 0.015).startswith("Not shown beyond this list: p 0.400, level")
    assert say_beyond(*CLAIMED, None, None) == (
        "Not shown beyond this list: there is no test of it."
    )


@pytest.mark.parametrize(
    ("kind", "role", "status"),
    [
        (ChangeKind.SHIFT, Role.PRIMARY, Status.RETROSPECTIVE),
        (ChangeKind.STEP, Role.SECONDARY, Status.CONFIRMED),
        *((ChangeKind.STEP, Role.PRIMARY, one) for one in Status if one != Status.CONFIRMED),
    ],
)
def test_what_is_not_confirmed_claims_nothing_beyond_the_list(kind, role, status):
    assert say_beyond(kind, role, status, 1e-9, 0.015) == ""


#: A p is of the order of runs: it must not be read as the chance that a finding is wrong.
NO_CHANCE_OF_ERROR = (
    "orders of these runs would look like that; this is not the chance that the finding is wrong."
)


def order(kind=ChangeKind.STEP, status=Status.CONFIRMED, times=UNKNOWN, **facts):
    return say_order(kind, status, STEP | facts, times)


def test_the_order_of_a_step_is_said_with_its_chance():
    assert order(runs_needed=4.0) == (
        "All 4 runs since lie above the 20 runs before. "
        f"If nothing had changed, 1 in 10,626 {NO_CHANCE_OF_ERROR}"
    )
    assert order(up=0.0).startswith("All 4 runs since lie below the 20 runs before.")


def test_a_drift_is_the_last_runs_against_the_first():
    assert order(ChangeKind.DRIFT, up=0.0).startswith(
        "The last 4 runs lie below the first 20 runs. If nothing"
    )
    assert order(ChangeKind.DRIFT, exceptions=2.0).startswith(
        "The last 4 runs lie above all but 2 of the first 20 runs. If nothing"
    )


def test_due_times_are_counted_and_repeated_runs_said_apart():
    times = DueTimes(before=9, since=2)
    before = "9 due times before (20 runs with repeats)"
    assert order(times=times).startswith(
        f"All 2 due times since (4 runs with repeats) lie above the {before}. If nothing"
    )
    assert order(ChangeKind.DRIFT, times=times, up=0.0, exceptions=3.0).startswith(
        "The last 2 due times (4 runs with repeats) lie below all but 3 runs of the first 9 due "
        "times (20 runs with repeats). If nothing"
    )
    assert order(times=DueTimes(before=20, since=4)) == order()
    refuted = order(status=Status.REFUTED, times=DueTimes(9, 1))
    assert refuted.startswith(
        f"1 due time since (4 runs with repeats) lay above the {before}, the next one did not"
    )
    size = say_size(STEP | {"size_runs": 2.0, "size_from_later": 1.0}, times)
    assert size.startswith("Size: from 2 runs (repeats included) after the decision")


def test_runs_before_that_lie_among_those_since_are_not_left_out():
    assert order(exceptions=2.0).startswith(
        "All 4 runs since lie above all but 2 of the 20 runs before. If nothing"
    )


def test_a_signal_says_how_many_runs_decide():
    waiting = {"runs_since": 2.0, "chance": 1 / 231}
    assert order(status=Status.CANDIDATE, **waiting, runs_needed=4.0).endswith(
        f"1 in 231 {NO_CHANCE_OF_ERROR} 4 runs decide."
    )
    assert "decide" not in order(status=Status.CANDIDATE, **waiting)
    assert "decide" not in order(runs_needed=4.0)


def test_of_a_refuted_signal_it_is_not_said_that_all_runs_lie_beyond():
    said = order(status=Status.REFUTED, runs_since=2.0, chance=1 / 231, runs_needed=4.0)
    assert said == (
        "2 runs since lay above the 20 runs before, the next one did not. "
        f"If nothing had changed, 1 in 231 {NO_CHANCE_OF_ERROR}"
    )


def test_runs_of_a_tick_that_are_alike_are_said_to_be_counted_by_ticks():
    assert (
        "before, counted by due time, because runs of one due time are alike. If nothing"
        in order(by_ticks=1.0)
    )
    assert "ticks" not in order()


def test_one_run_is_said_in_the_singular():
    assert order(status=Status.CANDIDATE, runs_since=1.0).startswith(
        "The run since lies above the 20 runs before."
    )


def test_without_an_order_there_is_nothing_to_say():
    assert say_order(*CLAIMED[::2], {"n": 300.0, "changed": 12.0}) == ""
    assert say_size({"n": 300.0, "changed": 12.0}) == ""


def test_it_is_said_which_runs_the_size_comes_from():
    later = {"size_runs": 2.0, "size_from_later": 1.0}
    assert say_size(later) == "Size: from 2 runs after the decision, which decided nothing."
    deciding = {"size_runs": 4.0, "size_from_later": 0.0}
    assert say_size(deciding) == (
        "Size: from the 4 runs that decided, until the next scheduled run; it may be slightly "
        "too large."
    )
    assert say_size(later | {"size_runs": 1.0}).startswith("Size: from 1 run after the decision")
