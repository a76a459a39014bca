"""What services ask for in headers, and what they cannot mean."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from monitor.fetch.lanes import LONGEST, asked_delay
from monitor.model import Answer, Outcome
from tests.cases import check_each

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
RECEIVED = AT + timedelta(seconds=2)
EPOCH = RECEIVED.timestamp()


def delay(*headers, outcome=Outcome.THROTTLED, until=None):
    return asked_delay(Answer(outcome, AT, 2.0, headers=headers), until)


@check_each(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("Sat, 21 Nov 2026 05:01:02 GMT", 60.0),
        ("Sat, 21 Nov 2026 06:01:02 +0100", 60.0),
        ("Saturday, 21-Nov-26 05:01:02 GMT", 60.0),
        ("Sat, 21 Nov 2026 04:00:00 GMT", 0.0),
        ("9" * 12, LONGEST),
        ("9" * 400, None),
        ("1e18", LONGEST),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST),
        ("", None),
        ("-1", None),
        ("inf", None),
        ("-inf", None),
        ("nan", None),
        ("soon", None),
        ("1;", None),
        ("0x10", None),
        ("Sat, 21 Nov 2026 05:01:02 -0000", None),  # names no zone
        ("Sat, 99999999999999999999 Nov 2026 05:01:02 GMT", None),
        ("Sat, 21 Nov 99999999999 05:01:02 GMT", None),
        ("Sat, 21 Nov 2026 05:01:02 +99999999999999999", None),
    ],
)
def test_retry_after(text, seconds):
    for outcome in (Outcome.THROTTLED, Outcome.FAILED):
        assert delay(("Retry-After", text), outcome=outcome) == seconds


@check_each(
    ("text", "seconds"), [("1500", 1.5), ("0", 0.0), ("-5", None), ("nan", None), ("x", None)]
)
def test_milliseconds(text, seconds):
    assert delay(("retry-after-ms", text)) == seconds
    assert delay(("retry-after-ms", text), ("retry-after", "9")) == (
        9.0 if seconds is None else seconds
    )


@check_each("name", ["X-RateLimit-Reset", "RateLimit-Reset"])
@check_each(
    ("text", "seconds"),
    [
        ("30", 30.0),
        ("1, 1419704", 1.0),
        ("6s", 6.0),
        (f"{EPOCH + 30:.0f}", 30.0),
        (f"{EPOCH - 30:.0f}", 0.0),
        (f"{(EPOCH + 30) * 1000:.0f}", 30.0),
        (f"{EPOCH + 10**9:.0f}", LONGEST),
        ("1419704", 1419704.0),
        ("1m30s", None),
        ("", None),
        (",5", None),
        ("-5", None),
        ("inf", None),
        ("9" * 300, LONGEST),
    ],
)
def test_the_end_of_a_window(name, text, seconds):
    assert delay((name, text)) == seconds


def test_the_end_of_a_window_that_is_not_used_up_says_nothing():
    assert delay(("X-RateLimit-Reset", "30"), outcome=Outcome.FAILED) is None
    assert delay(("X-RateLimit-Reset", "30"), outcome=Outcome.UNREADABLE) is None


def test_the_more_binding_header_counts():
    assert delay(("x-ratelimit-reset", "30"), ("retry-after", "5")) == 5.0
    assert delay(("x-ratelimit-reset", "30"), ("retry-after", "soon")) == 30.0
    assert delay(("ratelimit-reset", "40"), ("x-ratelimit-reset", "30")) == 30.0


@check_each(("after", "seconds"), [(60, 60.0), (-60, 0.0), (10**10, LONGEST), (0, 0.0)])
def test_what_the_engine_knows_is_believed_first(after, seconds):
    until = RECEIVED + timedelta(seconds=after)
    assert delay(("retry-after", "5"), until=until) == seconds


def test_no_header_is_no_wish():
    assert delay() is None
    assert delay(("date", "Sat, 21 Nov 2026 05:01:02 GMT")) is None


NAMES = st.sampled_from(["retry-after", "Retry-After-Ms", "X-RateLimit-Reset", "ratelimit-reset"])
DATES = st.from_regex(
    r"\A[A-Z][a-z]{2}, [0-9]{1,25} [A-Z][a-z]{2} [0-9]{1,25} [0-9]{1,25}:[0-9]{1,4}:[0-9]{1,25} "
    r"([+-][0-9]{1,25}|GMT|)\Z"
)
VALUES = st.one_of(st.text(max_size=40), DATES, st.floats().map(str), st.integers().map(str))


@given(st.lists(st.tuples(NAMES, VALUES), max_size=4))
def test_no_header_breaks_anything(headers):
    found = delay(*headers)
    assert found is None or 0 <= found <= LONGEST
    assert RECEIVED + timedelta(seconds=found or 0.0)
