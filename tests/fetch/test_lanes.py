"""Pace, backing off and giving up, by a clock and a chance that the tests hold."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.faults import Suspension
from monitor.fetch import lanes
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Outcome, Reason
from tests.cases import check_each

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTES = timedelta(minutes=1)


class Clock:
    def __init__(self, now=1000.0):
        self.now = now

    def __call__(self):
        return self.now


def answer(outcome=Outcome.OK, reason=Reason.NONE, detail="", at=AT, **headers):
    pairs = tuple((name.replace("_", "-"), str(text)) for name, text in headers.items())
    return Answer(outcome, at, 0.0, reason, detail, headers=pairs)


def failed(**headers):
    return answer(Outcome.FAILED, **headers)


def quota():
    return answer(Outcome.THROTTLED, Reason.QUOTA, "quota exceeded")


def lane(chance=1.0, **settings):
    return Lane("service", clock=Clock(), chance=lambda: chance, **settings)


def came(one, *answers, until=None, target="en-pt"):
    """Each asked as soon as the lane allows, and answered at once."""
    for given_ in answers:
        one.clock.now += one.compute_wait()
        one.record_request()
        one.record_answer(given_, target, until)


# --- pace and requests in flight ----------------------------------------------------------------


def departures(one, seconds, tick=0.001, idle=()):
    """When requests leave, each answered at once; nobody asks within the spans of `idle`."""
    began, found = one.clock.now, []
    for step in range(int(seconds / tick)):
        passed = step * tick
        one.clock.now = began + passed
        if any(low <= passed < high for low, high in idle) or one.compute_wait() > 0:
            continue
        came(one, answer())
        found.append(passed)
    return found


@check_each("pace", [0.5, 1, 3, 20])
def test_the_pace_is_kept_on_average(pace):
    found = departures(lane(pace=pace), 10)
    assert len(found) == pytest.approx(10 * pace, abs=1)


@check_each("idle", [(), ((2.05, 2.95),), ((1.5, 6.5),), ((0.1, 1.1), (3.3, 4.4))])
def test_no_burst_follows_a_rest(idle):
    """What was not asked in time is not asked all the faster afterwards."""
    found = departures(lane(pace=2), 10, idle=idle)
    gaps = [after - before for before, after in pairwise(found)]
    assert min(gaps) >= 0.5 * (1 - lanes.SLACK) - 0.0011


@given(st.lists(st.floats(0, 3), min_size=1, max_size=30))
def test_no_window_holds_more_than_the_pace(rests):
    one, left = lane(pace=1), []
    for rest in rests:
        one.clock.now += one.compute_wait() + rest
        came(one, answer())
        left.append(one.clock.now)
    for start in left:
        window = 1 - lanes.SLACK - 1e-6
        assert sum(start <= moment < start + window for moment in left) == 1


def test_no_pace_is_no_wait():
    one = lane(in_flight=5)
    for _ in range(5):
        assert one.compute_wait() == 0
        one.record_request()


@pytest.mark.parametrize("most", [1, 2, 7])
def test_no_more_than_so_many_are_in_flight(most):
    one = lane(in_flight=most)
    for _ in range(most):
        assert one.compute_wait() == 0
        one.record_request()
    assert one.compute_wait() == lanes.LONGEST_WAIT
    one.record_answer(answer(), "en-pt")
    assert one.compute_wait() == 0


def test_what_is_lost_makes_room():
    one = lane(in_flight=2)
    one.record_request()
    one.record_request()
    one.record_loss(2)
    one.record_request()
    assert one.compute_wait() == 0


# --- backing off --------------------------------------------------------------------------------


@pytest.mark.parametrize(("chance", "share"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)])
def test_the_wait_grows_with_every_failure_in_a_row(chance, share):
    one, waits = lane(chance), []
    for _ in range(lanes.PATIENCE - 1):
        came(one, failed())
        waits.append(one.compute_wait())
    assert waits == [pytest.approx(share * 2**n) for n in range(lanes.PATIENCE - 1)]


def test_no_wait_is_longer_than_the_longest(monkeypatch):
    monkeypatch.setattr(lanes, "PATIENCE", 1000)
    one = lane()
    came(one, *[failed() for _ in range(500)])
    assert one.compute_wait() == lanes.LONGEST_WAIT


def test_a_success_begins_anew():
    one = lane()
    came(one, failed(), failed(), failed(), answer(), failed())
    assert one.compute_wait() == pytest.approx(1.0)
    assert not one.stopped


@pytest.mark.parametrize(
    "given_",
    [answer(Outcome.FAILED, Reason.REFUSED), answer(Outcome.FAILED, Reason.UNSUPPORTED)],
    ids=["refused", "unsupported"],
)
def test_a_refusal_is_an_answer_of_a_service_that_is_well(given_):
    one = lane()
    came(one, *[failed()] * (lanes.PATIENCE - 1), given_, failed())
    assert not one.stopped
    assert one.compute_wait() == pytest.approx(1.0)


@check_each(
    ("outcome", "reason"),
    [
        (Outcome.FAILED, Reason.NONE),
        (Outcome.FAILED, Reason.UNREACHABLE),
        (Outcome.FAILED, Reason.TRUNCATED),
        (Outcome.TIMEOUT, Reason.NONE),
        (Outcome.THROTTLED, Reason.RATE),
        (Outcome.UNREADABLE, Reason.MALFORMED),
        (Outcome.UNREADABLE, Reason.POISONED),
    ],
)
def test_these_are_backed_off_from(outcome, reason):
    one = lane()
    came(one, answer(outcome, reason))
    assert one.compute_wait() == pytest.approx(1.0)
    came(one, *[answer(outcome, reason)] * (lanes.PATIENCE - 1))
    assert one.suspension.until == one.suspension.until.replace(tzinfo=UTC) == AT + 10 * MINUTES


def test_one_at_a_time_after_a_failure():
    one = lane(in_flight=4)
    for _ in range(4):
        one.record_request()
    one.record_answer(failed(), "en-pt")
    one.clock.now += 100
    for _ in range(3):
        assert one.compute_wait() == lanes.LONGEST_WAIT
        one.record_answer(failed(), "en-pt")
        one.clock.now += 100
    one.record_request()
    assert one.compute_wait() == lanes.LONGEST_WAIT
    one.record_answer(answer(), "en-pt")
    assert one.compute_wait() == 0


def test_many_in_flight_that_fail_together_are_one_failure():
    """A hiccup of a second must not cost a suspension."""
    one = lane(in_flight=16)
    for _ in range(16):
        one.record_request()
    for _ in range(16):
        one.record_answer(failed(), "en-pt")
    assert not one.stopped
    assert one.compute_wait() == pytest.approx(1.0)
    came(one, *[failed()] * (lanes.PATIENCE - 2))
    assert not one.stopped
    came(one, failed())
    assert one.stopped


# --- what the service asks for ------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [5, 300, lanes.LONGEST_ASKED])
def test_what_the_service_asks_for_is_kept_though_longer_than_ours(seconds):
    one = lane()
    came(one, failed(Retry_After=seconds))
    assert one.compute_wait() == pytest.approx(seconds)
    assert not one.stopped


def test_a_shorter_wish_does_not_shorten_ours():
    one = lane()
    came(one, failed(), failed(), failed(Retry_After=1))
    assert one.compute_wait() == pytest.approx(4.0)


def test_a_wish_beyond_what_is_waited_for_is_a_suspension_until_then():
    one = lane()
    came(one, failed(Retry_After=lanes.LONGEST_ASKED + 1))
    assert one.suspension.until == AT + timedelta(seconds=lanes.LONGEST_ASKED + 1)
    assert one.stopped.startswith("suspended until 2026-11-21 05:15 UTC")


@pytest.mark.parametrize("wish", ["1e18", "9" * 300, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_wish_without_end_is_a_month(wish):
    one = lane()
    came(one, failed(Retry_After=wish))
    assert one.suspension.until == AT + timedelta(seconds=lanes.LONGEST)


def test_a_window_counts_only_where_it_was_used_up():
    """Many services send the end of their window with every answer."""
    one = lane()
    came(one, failed(X_RateLimit_Reset=86_400))
    assert not one.stopped
    came(one, answer(Outcome.THROTTLED, Reason.RATE, X_RateLimit_Reset=86_400))
    assert one.suspension.until == AT + DAY


@pytest.mark.parametrize(("wish", "minutes"), [(1, 10), (0, 10), (840, 14)])
def test_after_all_patience_a_short_wish_is_not_believed(wish, minutes):
    one = lane()
    came(one, *[failed(Retry_After=wish)] * lanes.PATIENCE)
    assert one.suspension.until == AT + minutes * MINUTES


# --- suspensions --------------------------------------------------------------------------------


def test_a_suspension_doubles_each_time_it_comes_again_up_to_a_day():
    known, lasted = None, []
    for _ in range(12):
        one = lane()
        if known:
            one.resume_suspension(known, known.until)
        came(one, *[failed()] * lanes.PATIENCE)
        known = one.suspension
        lasted.append((known.until - AT) / MINUTES)
        assert known.times == len(lasted)
    assert lasted == [10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440, 1440, 1440]


def test_a_quota_lasts_until_the_time_that_is_given():
    one = lane()
    came(one, quota(), until=AT + 3 * MINUTES)
    assert one.suspension == Suspension(AT + 3 * MINUTES, "quota", "quota exceeded", 1)
    assert one.stopped == "suspended until 2026-11-21 05:03 UTC (quota: quota exceeded)"
    assert one.remembered


@pytest.mark.parametrize("until", [None, AT, AT - DAY])
def test_a_quota_until_nobody_knows_when_is_not_asked_again_that_day(until):
    one = lane()
    came(one, quota(), until=until)
    assert one.suspension.until == datetime(2026, 11, 22, tzinfo=UTC)


@pytest.mark.parametrize("reason", [Reason.NONE, Reason.CAPTCHA, Reason.CONSENT])
def test_a_block_is_a_suspension_whoever_found_it(reason):
    one = lane()
    came(one, answer(Outcome.BLOCKED, reason))
    assert one.suspension.until == AT + 10 * MINUTES
    assert one.suspension.reason in ("captcha", "consent", "blocked")


def test_many_in_flight_without_quota_are_one_suspension():
    one = lane(in_flight=8)
    for _ in range(8):
        one.record_request()
    one.record_answer(quota(), "en-pt")
    first = one.suspension
    for seconds in range(1, 8):
        one.record_answer(
            answer(Outcome.THROTTLED, Reason.QUOTA, at=AT + timedelta(seconds=seconds)), "en-pt"
        )
    assert one.suspension is first
    assert one.times_suspended == 1


def test_a_later_time_that_is_given_counts():
    one = lane(in_flight=3)
    for _ in range(3):
        one.record_request()
    one.record_answer(quota(), "en-pt", AT + 5 * MINUTES)
    one.record_answer(quota(), "en-pt", AT + DAY)
    one.record_answer(quota(), "en-pt", AT + MINUTES)
    assert one.suspension == Suspension(AT + DAY, "quota", "quota exceeded", 1)


def test_an_answer_that_was_on_its_way_does_not_end_a_suspension():
    one = lane(in_flight=2)
    one.record_request()
    one.record_request()
    one.record_answer(quota(), "en-pt")
    one.record_answer(answer(), "en-pt")
    assert one.stopped
    assert one.times_suspended == 1


def test_until_its_end_a_known_suspension_stops_the_lane():
    known = Suspension(AT + MINUTES, "quota", "words", 3)
    one = lane()
    one.resume_suspension(known, AT)
    assert one.stopped == str(known)
    assert one.suspension is None  # nothing new to remember
    after = lane()
    after.resume_suspension(known, AT + MINUTES)
    assert not after.stopped


def test_after_a_suspension_one_at_a_time_until_one_is_ok():
    one = lane(in_flight=4)
    one.resume_suspension(Suspension(AT, "quota", "", 2), AT)
    assert one.compute_wait() == 0
    one.record_request()
    assert one.compute_wait() == lanes.LONGEST_WAIT
    one.record_answer(answer(Outcome.FAILED, Reason.REFUSED), "en-pt")
    one.record_request()
    assert one.compute_wait() == lanes.LONGEST_WAIT
    one.record_answer(answer(), "en-pt")
    for _ in range(4):
        assert one.compute_wait() == 0
        one.record_request()
    one.record_answer(quota(), "en-pt")
    assert one.suspension.times == 1


# --- stopping -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("detail", "stopped"), [("wrong key", "wrong key"), ("", "auth")])
def test_a_wrong_key_stops_without_a_suspension(detail, stopped):
    one = lane()
    came(one, answer(Outcome.FAILED, Reason.AUTH, detail))
    assert one.stopped == stopped
    assert one.suspension is None
    assert not one.remembered


def test_what_is_not_offered_closes_that_target_only():
    one = lane()
    came(one, answer(Outcome.FAILED, Reason.UNSUPPORTED), target="en-xx")
    assert set(one.closed) == {"en-xx"}
    assert not one.stopped
    assert one.compute_wait() == 0


@check_each(
    "given_",
    [
        failed(Retry_After=100),
        quota(),
        answer(Outcome.BLOCKED),
        answer(Outcome.TIMEOUT),
        answer(Outcome.FAILED, Reason.CRASHED),
        answer(Outcome.FAILED, Reason.AUTH),
        answer(Outcome.FAILED, Reason.UNSUPPORTED),
    ],
)
def test_what_runs_here_never_rests(given_):
    one = lane(polite=False, in_flight=3)
    came(one, *[given_] * 20)
    assert (one.compute_wait(), one.stopped, one.closed, one.suspension) == (0, "", {}, None)
    for _ in range(3):
        assert one.compute_wait() == 0
        one.record_request()


KINDS = [
    answer(), failed(), failed(Retry_After=3), quota(), answer(Outcome.BLOCKED),
    answer(Outcome.TIMEOUT), answer(Outcome.FAILED, Reason.REFUSED),
    answer(Outcome.FAILED, Reason.UNSUPPORTED), answer(Outcome.UNREADABLE, Reason.MALFORMED),
]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 5)), max_size=60))
def test_whatever_comes_the_lane_neither_overfills_nor_gets_stuck(story):
    """Every wait ends; no more than allowed are ever in flight."""
    one, flying = lane(in_flight=3, pace=5.0), 0
    for given_, order in story:
        while not one.stopped and flying < 1 + order % 3 and one.compute_wait() == 0:
            one.record_request()
            flying += 1
            assert flying <= 3
        if flying:
            one.record_answer(given_, "en-pt")
            flying -= 1
        one.clock.now += lanes.LONGEST_WAIT
    for _ in range(flying):
        one.record_answer(answer(), "en-pt")
    one.clock.now += lanes.LONGEST_WAIT
    assert one.stopped or one.compute_wait() == 0


# --- nothing but refusals -----------------------------------------------------------------------


def refused():
    return answer(Outcome.FAILED, Reason.REFUSED, "HTTP 404: no such address")


def test_a_service_that_refuses_from_the_start_is_left_alone():
    one = lane()
    came(one, *[refused()] * (lanes.PATIENCE - 1))
    assert not one.stopped
    came(one, refused())
    assert "6 requests in a row were refused: HTTP 404" in one.stopped
    assert one.suspension is None


def test_refusals_of_single_questions_do_not_stop_a_service_that_answers():
    one = lane()
    came(one, answer(), *[refused()] * (3 * lanes.PATIENCE))
    assert not one.stopped
