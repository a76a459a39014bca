"""When a job is due: the days on which clocks change, and ticks that nobody began."""

import itertools
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from apscheduler.triggers.cron import CronTrigger
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.jobs import Schedule
from monitor.model import TickState
from monitor.ticks import (
    GRACE,
    MOST_MISSED,
    MissedTick,
    decide_missed,
    due_ticks,
    next_tick,
    start_of,
)
from tests.cases import check_each

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
NOW = datetime(2026, 11, 21, 5, tzinfo=UTC)
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
         "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll",
         "America/St_Johns"]  # fmt: skip


def schedule(cron, zone="UTC", **rest):
    return Schedule(cron=cron, timezone=zone, **rest)


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def on(cron, zone, day):
    """What is due on a day of a zone: [(UTC, what the wall shows)]."""
    start = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone))
    end = (start + DAY).astimezone(UTC) - SECOND  # a day on the wall
    found = due_ticks(schedule(cron, zone), start.astimezone(UTC) - SECOND, end)
    return [(f"{tick:%d %H:%M}", f"{tick.astimezone(ZoneInfo(zone)):%d %H:%M}") for tick in found]


# --- the clock is put forward ---------------------------------------------------------------------


@check_each(
    ("zone", "day", "cron", "expected"),
    [
        ("Europe/Berlin", "2026-03-29", "30 2 * * *", [("29 01:30", "29 03:30")]),
        ("Europe/Berlin", "2026-03-29", "30 2,3 * * *", [("29 01:30", "29 03:30")]),
        ("Europe/Berlin", "2026-03-29", "59 1 * * *", [("29 00:59", "29 01:59")]),
        ("Europe/Berlin", "2026-03-29", "0 2 * * *", [("29 01:00", "29 03:00")]),
        ("Europe/Berlin", "2026-03-29", "0 3 * * *", [("29 01:00", "29 03:00")]),
        ("Europe/Berlin", "2026-03-29", "0 5 * * sun", [("29 03:00", "29 05:00")]),
        # 02:45 is due later than 03:15, though the wall would have shown it before
        (
            "Europe/Berlin",
            "2026-03-29",
            "15,45 2-3 * * *",
            [("29 01:15", "29 03:15"), ("29 01:45", "29 03:45")],
        ),
        ("America/New_York", "2026-03-08", "30 2 * * *", [("08 07:30", "08 03:30")]),
        ("America/New_York", "2026-03-08", "15 2,3 * * *", [("08 07:15", "08 03:15")]),
        ("Australia/Lord_Howe", "2026-10-04", "10 2 * * *", [("03 15:40", "04 02:40")]),
        # 02:10 and 02:40 are one instant; 02:35 is due before what 02:20 has become
        ("Australia/Lord_Howe", "2026-10-04", "10,40 2 * * *", [("03 15:40", "04 02:40")]),
        (
            "Australia/Lord_Howe",
            "2026-10-04",
            "20,35 2 * * *",
            [("03 15:35", "04 02:35"), ("03 15:50", "04 02:50")],
        ),
        ("UTC", "2026-03-29", "30 2 * * *", [("29 02:30", "29 02:30")]),
        # a day that was left out: 30 December 2011
        ("Pacific/Apia", "2011-12-31", "0 5 30 12 *", [("30 15:00", "31 05:00")]),
        ("Pacific/Apia", "2011-12-31", "0 5 * * fri", [("30 15:00", "31 05:00")]),
        ("Pacific/Apia", "2011-12-31", "0 5 * * *", [("30 15:00", "31 05:00")]),
        (
            "Pacific/Apia",
            "2011-12-31",
            "0 5,9 30,31 12 *",
            [("30 15:00", "31 05:00"), ("30 19:00", "31 09:00")],
        ),
    ],
)
def test_a_time_that_the_wall_never_shows_is_due_later_by_the_gap(zone, day, cron, expected):
    assert on(cron, zone, day) == expected


def test_a_tick_in_a_gap_is_found_from_any_moment_inside_it():
    daily = schedule("30 2 * * *", "Europe/Berlin")
    due = utc("2026-03-29T01:30")
    for minutes in range(120):
        after = utc("2026-03-29T00:00") + minutes * MINUTE
        expected = due if after < due else utc("2026-03-30T00:30")
        assert next_tick(daily, after) == expected


def test_a_tick_on_a_day_that_was_left_out_is_found_from_just_before_it():
    fridays = schedule("0 5 * * fri", "Pacific/Apia")
    due = utc("2011-12-30T15:00")
    assert next_tick(fridays, due - SECOND) == due
    assert next_tick(fridays, due) == utc("2012-01-05T15:00")


# --- the clock is put back ------------------------------------------------------------------------


@check_each(
    ("zone", "day", "cron", "expected"),
    [
        ("Europe/Berlin", "2026-10-25", "30 2 * * *", [("25 00:30", "25 02:30")]),
        ("Europe/Berlin", "2026-10-25", "0 2 * * *", [("25 00:00", "25 02:00")]),
        ("Europe/Berlin", "2026-10-25", "0 3 * * *", [("25 02:00", "25 03:00")]),
        (
            "Europe/Berlin",
            "2026-10-25",
            "0 1-3 * * *",
            [("24 23:00", "25 01:00"), ("25 00:00", "25 02:00"), ("25 02:00", "25 03:00")],
        ),
        ("America/New_York", "2026-11-01", "30 1 * * *", [("01 05:30", "01 01:30")]),
        ("America/New_York", "2026-11-01", "0 2 * * *", [("01 07:00", "01 02:00")]),
        # half an hour: 01:30 to 01:59 come twice
        ("Australia/Lord_Howe", "2026-04-05", "45 1 * * *", [("04 14:45", "05 01:45")]),
        (
            "Australia/Lord_Howe",
            "2026-04-05",
            "15,45 1 * * *",
            [("04 14:15", "05 01:15"), ("04 14:45", "05 01:45")],
        ),
        ("Australia/Lord_Howe", "2026-04-05", "0 2 * * *", [("04 15:30", "05 02:00")]),
        ("UTC", "2026-10-25", "30 2 * * *", [("25 02:30", "25 02:30")]),
    ],
)
def test_a_time_that_the_wall_shows_twice_is_one_tick(zone, day, cron, expected):
    assert on(cron, zone, day) == expected


def test_the_second_of_two_same_times_is_not_found_from_in_between():
    daily = schedule("30 2 * * *", "Europe/Berlin")
    first = utc("2026-10-25T00:30")
    for minutes in range(180):
        after = utc("2026-10-25T00:00") + minutes * MINUTE
        expected = first if after < first else utc("2026-10-26T01:30")
        assert next_tick(daily, after) == expected


def test_a_clock_that_is_put_back_over_midnight():
    """In St. John's one minute after midnight became 23:01 of the day before, in 2010."""
    daily = schedule("0 0 * * *", "America/St_Johns")
    midnight = utc("2010-11-07T02:30")
    found = due_ticks(daily, midnight - HOUR, midnight + 15 * MINUTE)  # until then it is 23:15
    assert list(found) == [midnight]
    assert next_tick(daily, midnight) == utc("2010-11-08T03:30")


@check_each(
    ("zone", "day", "hourly", "by_the_minute"),
    [
        ("Europe/Berlin", "2026-03-29", 23, 23 * 60),
        ("Europe/Berlin", "2026-10-25", 24, 24 * 60),
        ("America/New_York", "2026-03-08", 23, 23 * 60),
        ("America/New_York", "2026-11-01", 24, 24 * 60),
        # 02:00 becomes 02:30, so no hour is without its tick
        ("Australia/Lord_Howe", "2026-10-04", 24, 23 * 60 + 30),
        ("Australia/Lord_Howe", "2026-04-05", 24, 24 * 60),
        ("UTC", "2026-03-29", 24, 24 * 60),
    ],
)
def test_how_many_ticks_a_day_has(zone, day, hourly, by_the_minute):
    assert len(on("0 * * * *", zone, day)) == hourly
    assert len(on("* * * * *", zone, day)) == by_the_minute


# --- far away, rare and never ---------------------------------------------------------------------


def test_leap_days():
    found = due_ticks(schedule("0 5 29 feb *"), utc("2096-01-01"), utc("2106-01-01"))
    assert list(found) == [utc("2096-02-29T05:00"), utc("2104-02-29T05:00")]


def test_the_rarest_date_is_found():
    """2100 is no leap year, so 29 February is a Monday in 2072 and again in 2112."""
    rare = schedule("0 5 29 feb mon")
    assert next_tick(rare, utc("2072-02-29T05:00")) == utc("2112-02-29T05:00")


@pytest.mark.parametrize("cron", ["0 5 31 feb *", "0 5 30 2 *", "0 5 31 4,6,9,11 *"])
def test_a_date_that_never_comes_is_never_due(cron):
    assert list(due_ticks(schedule(cron), utc("1970-01-01"), utc("2470-01-01"))) == []
    assert next_tick(schedule(cron, "Europe/Berlin"), NOW) is None


def test_a_job_by_the_minute_streams_from_far_in_the_past():
    found = due_ticks(schedule("* * * * *", "Europe/Berlin"), utc("1970-01-01"), NOW)
    assert list(itertools.islice(found, 3)) == [utc("1970-01-01") + n * MINUTE for n in (1, 2, 3)]


def test_a_yearly_job_over_ten_years():
    yearly = schedule("0 5 1 jan *", "Europe/Berlin")
    found = list(due_ticks(yearly, utc("2016-06-01"), utc("2026-06-01")))
    assert found == [utc(f"{year}-01-01T04:00") for year in range(2017, 2027)]


def test_nothing_is_due_where_until_is_not_later_than_after():
    always = schedule("* * * * *")
    assert list(due_ticks(always, NOW, NOW)) == []
    assert list(due_ticks(always, NOW, NOW - DAY)) == []
    assert list(due_ticks(always, NOW - SECOND, NOW)) == [NOW]


def test_times_of_any_zone_are_taken_and_naive_ones_refused():
    daily, there = schedule("0 5 * * *"), NOW.astimezone(ZoneInfo("Asia/Kathmandu"))
    [tick] = due_ticks(daily, there - SECOND, there)
    assert tick == NOW
    assert tick.tzinfo is UTC
    naive = NOW.replace(tzinfo=None)
    for call in (lambda: next_tick(daily, naive), lambda: list(due_ticks(daily, NOW, naive))):
        with pytest.raises(ValueError, match="naive"):
            call()


# --- properties -----------------------------------------------------------------------------------

_NUMBERS = st.sets(st.integers(0, 59), min_size=1, max_size=4).map(
    lambda chosen: ",".join(map(str, sorted(chosen)))
)
MINUTES = st.one_of(st.sampled_from(["*", "*/7", "10-50/20", "0"]), _NUMBERS)
HOURS = st.sampled_from(["*", "*/5", "0", "1-3", "2", "2,3", "0,12,23", "3"])
DAYS = st.sampled_from(["* * *", "1 * *", "last * *", "* * mon,thu", "13 * fri", "*/9 3,10 *",
                        "30,31 12 *", "* * sun", "1-7 * sat"])  # fmt: skip
CRONS = st.builds(lambda *fields: " ".join(fields), MINUTES, HOURS, DAYS)
#: Starts near the days on which some clock changes, and anywhere.
CHANGES = [utc("2026-03-29T01:00"), utc("2026-10-25T01:00"), utc("2026-03-08T07:00"),
           utc("2026-11-01T06:00"), utc("2026-10-03T15:30"), utc("2026-04-04T15:00"),
           utc("2011-12-30T10:00"), utc("2026-02-15T02:00"),
           utc("2010-11-07T02:31")]  # fmt: skip
NEAR = st.builds(
    lambda change, minutes: change + minutes * MINUTE,
    st.sampled_from(CHANGES),
    st.integers(-3 * 1440, 3 * 1440),
)
ANYWHERE = st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
STARTS = st.one_of(NEAR, ANYWHERE)


@settings(max_examples=150, deadline=None)
@given(CRONS, st.sampled_from(ZONES), STARTS, st.integers(0, 4 * 1440), st.integers(0, 4 * 1440))
def test_ticks_increase_and_are_the_same_in_pieces(cron, zone, after, first, second):
    plan = schedule(cron, zone)
    middle = after + first * MINUTE
    until = middle + second * MINUTE
    whole = list(due_ticks(plan, after, until))
    assert all(after < tick <= until for tick in whole)
    assert all(one < other for one, other in itertools.pairwise(whole))
    parts = [*due_ticks(plan, after, middle), *due_ticks(plan, middle, until)]
    assert parts == whole
    if whole:
        assert next_tick(plan, after) == whole[0]


def _offset(zone, moment):
    return moment.astimezone(zone).utcoffset()


@settings(max_examples=150, deadline=None)
@given(CRONS, st.sampled_from(ZONES), STARTS, st.integers(1, 3 * 1440))
def test_away_from_changes_of_the_clock_it_is_what_apscheduler_says(cron, zone, after, minutes):
    until = after + minutes * MINUTE
    there = ZoneInfo(zone)
    steps = itertools.count()
    around = itertools.takewhile(
        lambda moment: moment < until + 2 * DAY, (after - 2 * DAY + n * HOUR for n in steps)
    )
    if len({_offset(there, moment) for moment in around}) > 1:
        return
    trigger = CronTrigger.from_crontab(cron, timezone=zone)
    trigger.end_date = until.astimezone(there)
    expected, last = [], after
    while (
        tick := trigger.get_next_fire_time(
            None, (last + timedelta(microseconds=1)).astimezone(there)
        )
    ) is not None:
        last = tick.astimezone(UTC)
        expected.append(last)
    assert list(due_ticks(schedule(cron, zone), after, until)) == expected


@settings(max_examples=100, deadline=None)
@given(CRONS, st.sampled_from(ZONES), NEAR)
def test_every_time_on_the_wall_is_one_tick_on_any_day(cron, zone, around):
    """By another way: each time that the expression names, put on the line of time by itself."""
    there = ZoneInfo(zone)
    after, until = around - DAY, around + DAY
    naive = CronTrigger.from_crontab(cron, timezone=UTC)
    naive.end_date = until + 3 * DAY
    expected, shown = set(), naive.get_next_fire_time(None, after - 3 * DAY)
    while shown is not None:
        instant = shown.replace(tzinfo=there).astimezone(UTC)
        if after < instant <= until:
            expected.add(instant)
        shown = naive.get_next_fire_time(None, shown + MINUTE)
    assert list(due_ticks(schedule(cron, zone), after, until)) == sorted(expected)


# --- jitter ---------------------------------------------------------------------------------------


def test_without_jitter_a_tick_starts_when_it_is_due():
    assert start_of("mini", schedule("0 5 * * *"), NOW) == NOW


def test_a_start_is_the_same_after_a_restart_and_named_by_job_and_due_time():
    plan = schedule("0 5 * * *", jitter=600)
    start = start_of("mini", plan, NOW)
    assert start == NOW + timedelta(milliseconds=335_704)  # also on every other machine
    assert start_of("mini", plan, NOW.astimezone(ZoneInfo("Asia/Kathmandu"))) == start
    assert start_of("other", plan, NOW) != start
    assert start_of("mini", plan, NOW + DAY) - DAY != start


def test_starts_are_spread_evenly_over_whole_milliseconds():
    plan = schedule("* * * * *", jitter=10)
    delays = [start_of("mini", plan, NOW + n * MINUTE) - (NOW + n * MINUTE) for n in range(4000)]
    assert min(delays) >= timedelta(0)
    assert max(delays) <= timedelta(seconds=10)
    assert all(delay.microseconds % 1000 == 0 for delay in delays)
    tenths = [
        sum(delay // timedelta(seconds=1) == second for delay in delays) for second in range(10)
    ]
    assert all(330 < count < 470 for count in tenths)  # 400 each, within 3.7 standard deviations


def test_the_longest_jitter_can_be_drawn():
    plan = schedule("* * * * *", jitter=1)
    delays = {start_of("mini", plan, NOW + n * MINUTE) - (NOW + n * MINUTE) for n in range(20_000)}
    assert max(delays) == timedelta(seconds=1)
    assert len(delays) == 1001


def test_a_naive_due_time_is_refused():
    with pytest.raises(ValueError, match="naive"):
        start_of("mini", schedule("0 5 * * *"), NOW.replace(tzinfo=None))


# --- catching up ----------------------------------------------------------------------------------

LATE = [NOW - 3 * HOUR, NOW - 2 * HOUR, NOW - HOUR]
FRESH = [NOW - GRACE, NOW - MINUTE]


def states(owed, policy, **rest):
    decision = decide_missed(owed, policy, NOW, **rest)
    assert decision.unwritten == 0
    return [(row.due_at, str(row.state)) for row in decision.rows]


def test_none_begins_nothing_that_is_late():
    reason = "not begun within 5 minutes of its time; catch-up is none"
    assert decide_missed(LATE, "none", NOW).rows == [
        MissedTick(due_at, TickState.MISSED, reason) for due_at in LATE
    ]


def test_latest_begins_the_newest():
    reason = "not begun within 5 minutes of its time; catch-up is latest"
    expected = [TickState.MISSED, TickState.MISSED, TickState.DUE]
    assert decide_missed(LATE, "latest", NOW).rows == [
        MissedTick(due_at, state, reason) for due_at, state in zip(LATE, expected, strict=True)
    ]


def test_latest_begins_nothing_late_where_something_newer_is_begun():
    assert states(LATE + FRESH, "latest") == [
        *((due_at, "missed") for due_at in LATE), *((due_at, "due") for due_at in FRESH),
    ]  # fmt: skip


def test_all_begins_all_the_oldest_first():
    assert states(LATE + FRESH, "all") == [(due_at, "due") for due_at in LATE + FRESH]


@pytest.mark.parametrize("policy", ["latest", "none", "all"])
def test_what_is_in_time_was_not_missed(policy):
    decision = decide_missed(FRESH, policy, NOW)
    assert decision.rows == [MissedTick(due_at, TickState.DUE, "") for due_at in FRESH]
    assert decide_missed([], policy, NOW) == ([], 0)
    after_all = [NOW + HOUR]  # the clock went back
    assert states(after_all, policy) == [(NOW + HOUR, "due")]


@check_each(
    ("grace", "words"),
    [
        (MINUTE, "within 1 minute of"),
        (timedelta(seconds=90), "within 90 seconds of"),
        (SECOND, "within 1 second of"),
        (2 * HOUR, "within 120 minutes of"),
    ],
)
def test_another_grace(grace, words):
    just, too_late = NOW - grace, NOW - grace - timedelta(microseconds=1)
    late, fresh = decide_missed([too_late, just], "none", NOW, grace).rows
    assert (late.state, fresh.state) == (TickState.MISSED, TickState.DUE)
    assert words in late.reason


@pytest.mark.parametrize(("policy", "caught_up"), [("none", 0), ("latest", 1)])
def test_of_very_many_missed_ticks_the_newest_are_written(policy, caught_up):
    plan = schedule("* * * * *")
    now = NOW + GRACE + SECOND  # so that the newest is late as well
    owed = list(due_ticks(plan, NOW - 30 * DAY, NOW))
    rows, unwritten = decide_missed(iter(owed), policy, now)
    assert len(owed) == 30 * 1440
    assert unwritten == len(owed) - MOST_MISSED - caught_up
    assert [row.due_at for row in rows] == owed[-MOST_MISSED - caught_up :]
    assert [row.state for row in rows].count(TickState.MISSED) == MOST_MISSED
    assert rows[0].reason == (
        f"not begun within 5 minutes of its time; catch-up is {policy}; so were {unwritten} before"
        f" it, from {owed[0].isoformat()}, that have no row"
    )
    assert {row.reason for row in rows[1:]} == {
        f"not begun within 5 minutes of its time; catch-up is {policy}"
    }


@check_each(("policy", "caught_up"), [("none", 0), ("latest", 1)])
@check_each("more", [-1, 0, 1])
def test_the_last_number_of_missed_ticks_that_are_all_written(policy, caught_up, more):
    n = MOST_MISSED + caught_up + more
    owed = [NOW - HOUR - (n - number) * MINUTE for number in range(n)]
    rows, unwritten = decide_missed(owed, policy, NOW)
    assert unwritten == max(0, more)
    assert len(rows) + unwritten == n


def test_all_leaves_nothing_out():
    owed = [NOW - HOUR - number * MINUTE for number in range(MOST_MISSED + 5, 0, -1)]
    rows, unwritten = decide_missed(owed, "all", NOW)
    assert ([row.due_at for row in rows], unwritten) == (owed, 0)
    assert {row.state for row in rows} == {TickState.DUE}


@given(
    st.lists(st.integers(-600, 7 * 1440 * 60), unique=True, max_size=60),
    st.sampled_from(["latest", "none", "all"]),
)
def test_every_owed_tick_gets_one_row(ages, policy):
    owed = sorted(NOW - age * SECOND for age in ages)
    rows, unwritten = decide_missed(owed, policy, NOW)
    assert ([row.due_at for row in rows], unwritten) == (owed, 0)
    begun = [row.due_at for row in rows if row.state == TickState.DUE]
    assert {tick for tick in owed if NOW - tick <= GRACE} <= set(begun)
    if policy == "latest" and owed:
        assert begun[-1] == owed[-1]
    assert (policy != "all") or begun == owed


def test_fixed_offsets_are_taken():
    moment = NOW.astimezone(timezone(timedelta(hours=5, minutes=45)))
    assert next_tick(schedule("0 5 * * *"), moment - SECOND) == NOW
