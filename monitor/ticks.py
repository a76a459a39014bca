"""Due ticks of a schedule in a stretch of time, and what to do about missed ones.

No clock is read here, and no randomness is used but a hash.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from heapq import heappop, heappush
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from apscheduler.triggers.cron import CronTrigger

from monitor.jobs_tables import Schedule, times_of_day
from monitor.model import TickState, digest

CatchUp: TypeAlias = Literal["latest", "none", "all"]
_T = TypeVar("_T")

#: A tick that is not older than this when it is found was not missed.
GRACE = timedelta(minutes=5)
#: Of the ticks that were missed, the newest so many are written down one by one.
MOST_MISSED = 10_000

_DAY = timedelta(days=1)
_MILLISECOND = timedelta(milliseconds=1)
#: The rarest date is a leap day that has to be a given weekday: round 2100 it takes 40 years to
#: come back. What has not come by then never does.
_RAREST = 41 * 366 * _DAY


class MissedTick(NamedTuple):
    """A decision about a missed tick; the reason is empty if it is still in time."""

    due_at: datetime
    state: TickState
    reason: str


class Decision(NamedTuple):
    """Rows to write, by time, and how many missed ticks get no row of their own."""

    rows: list[MissedTick]
    unwritten: int


def due_ticks(schedule: Schedule, after: datetime, until: datetime) -> Iterator[datetime]:
    """The ticks t of a schedule with after < t <= until, in UTC, without jitter, increasing.

    The cron expression says what the clock on the wall of the schedule's zone shows at a tick, as
    APScheduler reads it.

    - A time that the wall clock shows twice, because it is put back, is one tick: the first.
    - A time that it never shows, because it is put forward, is due as much later as the clock is
      put forward, counted on the wall: in Berlin 02:30 becomes 03:30. Where the schedule has a
      tick at that instant anyway, the two are one.

    So a tick every minute rests for the hour that comes twice.
    """
    after, until = _require_utc(after), _require_utc(until)
    last = after
    for tick in _yield_instants(schedule, after, until):
        if tick > until:
            return
        if tick > last:
            yield tick
            last = tick


def next_tick(schedule: Schedule, after: datetime) -> datetime | None:
    """The first tick after a time; None where the expression names no date that ever comes."""
    return next(due_ticks(schedule, after, _require_utc(after) + _RAREST), None)


def start_of(job_name: str, schedule: Schedule, due_at: datetime) -> datetime:
    """Return the start of a tick: its due time and a delay of 0 to `jitter` seconds, in whole ms.

    The delay is a hash of the job's name and the due time: uniform over the ticks, and the same
    after a restart and on every machine.
    """
    due_at = _require_utc(due_at)
    longest = timedelta(seconds=schedule.jitter) // _MILLISECOND
    delay = int(digest([job_name, due_at.isoformat()]), 16) % (longest + 1)
    return due_at + delay * _MILLISECOND


def is_late(start_at: datetime, now: datetime, grace: timedelta = GRACE) -> bool:
    """Return whether a tick was missed: a run that starts now starts too late for it."""
    return now - start_at > grace


def to_catch_up(late: Sequence[_T], policy: CatchUp, *, is_newer: bool) -> Sequence[_T]:
    """Return which of the late ticks, given by time, are begun all the same.

    `none` begins nothing, `latest` the newest if no newer tick is begun, `all` everything.
    """
    if policy == "all":
        return late
    return late[-1:] if policy == "latest" and not is_newer else late[:0]


def say_missed(policy: CatchUp, since: str, grace: timedelta = GRACE) -> str:
    """Return why a tick is missed; `since` is what it is late for."""
    return f"not begun within {_format_length(grace)} of {since}; catch-up is {policy}"


def decide_missed(
    owed: Iterable[datetime],
    policy: CatchUp,
    now: datetime,
    grace: timedelta = GRACE,
    pause: str = "",
) -> Decision:
    """Return what becomes of ticks, given by time, that came due while nothing could begin them.

    What is due within `grace` of now was not missed and is begun under every policy, the rest as
    `to_catch_up` says. `pause` is why the job rests: then all are missed, for that reason. Of the
    missed ones the newest `MOST_MISSED` get a row; the oldest of these says how many went before.
    """
    in_time: list[datetime] = []
    is_all_kept = policy == "all" and not pause
    missed_ticks: deque[datetime] = deque(maxlen=None if is_all_kept else MOST_MISSED + 1)
    first, n_late = None, 0
    for due_at in owed:
        if not pause and not is_late(due_at, now, grace):
            in_time.append(due_at)
        else:
            first = first or due_at
            n_late += 1
            missed_ticks.append(due_at)
    late = list(missed_ticks)
    caught_up = [] if pause else to_catch_up(late, policy, is_newer=bool(in_time))
    missed = late[: len(late) - len(caught_up)][-MOST_MISSED:]
    unwritten = n_late - len(caught_up) - len(missed)
    reason = pause or say_missed(policy, "its time", grace)
    rows = [MissedTick(due_at, TickState.MISSED, reason) for due_at in missed]
    if unwritten and first is not None:
        before = f"; so were {unwritten} before it, from {first.isoformat()}, that have no row"
        rows[0] = rows[0]._replace(reason=f"{reason}{before}")
    rows += [MissedTick(due_at, TickState.DUE, reason) for due_at in caught_up]
    rows += [MissedTick(due_at, TickState.DUE, "") for due_at in in_time]
    return Decision(rows, unwritten)


def _yield_instants(schedule: Schedule, after: datetime, until: datetime) -> Iterator[datetime]:
    """Instants of all times on the wall from a day before to a day after, never decreasing.

    Times that a wall clock never shows come due after later times that it does show, so they wait
    until nothing earlier can come.
    """
    zone = schedule.zone
    first = after.astimezone(zone).date() - _DAY  # no clock is ever put forward by more
    last = until.astimezone(zone).date() + _DAY
    waiting: list[datetime] = []
    for wall_time in _on_the_wall(schedule.cron, first, last):
        # fold 0: the first of two, and by the offset before a gap; fold 1: by that after it
        instant = wall_time.replace(tzinfo=zone, fold=0).astimezone(UTC)
        no_later = wall_time.replace(tzinfo=zone, fold=1).astimezone(UTC)
        heappush(waiting, instant)
        earliest = min(instant, no_later)  # what later times on the wall can become
        while waiting and waiting[0] <= earliest:
            yield heappop(waiting)
    yield from sorted(waiting)


def _on_the_wall(cron: str, first: date, last: date) -> Iterator[datetime]:
    """The naive times that an expression names on these days, both included.

    Days are found apart from times of day: neither depends on the other, and a schedule by the
    minute is quick.
    """
    minute, hour, *days = cron.split()
    trigger = CronTrigger.from_crontab(f"0 0 {' '.join(days)}", timezone=UTC)
    trigger.end_date = datetime.combine(last, time(), UTC)  # or 31 February is looked for for long
    times = times_of_day(minute, hour)
    day = trigger.get_next_fire_time(None, datetime.combine(first, time(), UTC))
    while day is not None:
        midnight = day.replace(tzinfo=None)
        yield from (midnight + since for since in times)
        day = trigger.get_next_fire_time(None, day + _DAY)


def _require_utc(moment: datetime) -> datetime:
    """Refuses naive times: they mean different instants on different machines."""
    if moment.tzinfo is None:
        raise ValueError(f"naive time {moment!r}; pass an aware one")
    return moment.astimezone(UTC)


def _format_length(length: timedelta) -> str:
    seconds = length.total_seconds()
    number, unit = (seconds / 60, "minute") if seconds % 60 == 0 else (seconds, "second")
    return f"{number:g} {unit}" if number == 1 else f"{number:g} {unit}s"
