"""Limits of requests to an engine: pace, requests in flight, back-off, suspension.

There is one lane for each service, or server of one's own. It records every request and every
answer, and returns the seconds that the next request has to wait. It neither sleeps nor uses the
network. A suspension outlives the run; the caller stores it in the database.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from threading import Lock
from time import monotonic

from monitor.faults import Suspension, Then, find_consequence
from monitor.model import Answer, Outcome, Reason

#: Headers with a moment or a number of seconds, the most binding first.
_RESETS = ("x-ratelimit-reset", "ratelimit-reset", "x-ratelimit-reset-requests")
#: A number above this is a moment (seconds since 1970), below it a duration.
_A_MOMENT = 1_000_000_000
#: A moment above this is in milliseconds, as OpenRouter gives it.
_IN_MS = 100_000_000_000
#: The longest window that services count in is a month; what is longer is a mistake of theirs.
LONGEST = 31 * 86_400.0


def parse_number(text: str) -> float | None:
    """A plain finite number that is not negative, else None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    in_ms = parse_number(headers.get("retry-after-ms", ""))
    if in_ms is not None:
        return in_ms / 1000
    text = headers.get("retry-after", "")
    seconds = parse_number(text)
    if seconds is not None or not text:
        return seconds
    try:
        moment = parsedate_to_datetime(text)
        return (moment - now).total_seconds()
    except (ValueError, TypeError, OverflowError):  # no date, or one without a zone
        return None


def _parse_reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Brave's header lists several windows, `1, 1419704`: only the first is short of requests."""
    for name in _RESETS:
        first = headers.get(name, "").split(",")[0].strip().removesuffix("s")
        value = parse_number(first)
        if value is not None:
            moment = value / 1000 if value > _IN_MS else value
            return moment - now.timestamp() if moment > _A_MOMENT else moment
    return None


def asked_delay(answer: Answer, until: datetime | None = None) -> float | None:
    """Seconds after the answer in which the service does not want to be asked; None if unsaid.

    Many services send the end of their window with every answer, so that it counts only where
    the window is what was wrong.
    """
    received = _received_at(answer)
    headers = {name.lower(): value for name, value in answer.headers}
    after = _retry_after(headers, received) if until is None else (until - received).total_seconds()
    if after is None and answer.outcome is Outcome.THROTTLED:
        after = _parse_reset(headers, received)
    return None if after is None else min(LONGEST, max(0.0, after))


#: Backing off: seconds after the first failure in a row, factor, and most.
FIRST_WAIT = 1.0
GROWTH = 2.0
LONGEST_WAIT = 120.0
#: A request that left late lets the next one leave earlier by so much of the time between two.
SLACK = 0.1
#: So many failures in a row open the circuit, and so many refusals from the start stop the run.
PATIENCE = 6
#: A wait that a service asks for is waited for up to here; a longer one is a suspension.
LONGEST_ASKED = 900.0
#: How long a suspension lasts where nobody says: this, doubled each time it comes again, at most a
#: day.
FIRST_SUSPENSION = timedelta(minutes=10)
LONGEST_SUSPENSION = timedelta(days=1)


@dataclass
class Lane:
    """The state of one engine's lane within a run. `pace` is in requests a second."""

    name: str = ""
    pace: float | None = None
    in_flight: int = 1
    polite: bool = True  # what runs in this machine needs no rest after a failure
    times_suspended: int = 0
    clock: Callable[[], float] = monotonic
    chance: Callable[[], float] = random.random
    stopped: str = ""  # why nothing more may leave; empty while the lane is open
    closed: dict[str, str] = field(default_factory=dict)  # targets that are not asked, and why
    unasked: list[str] = field(default_factory=list)  # what was left out though the lane is open
    suspension: Suspension | None = None  # concluded in this run
    remembered: bool = False  # whether the database holds one
    until: datetime | None = None  # when it can be asked again; None where nobody knows
    _flying: int = 0
    _failures: int = 0
    _refusals: int = 0  # in a row
    _unaware: int = 0  # requests in flight that left before the last failure was known
    _next_at: float = 0.0
    _proven: bool = False
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def resume_suspension(self, known: Suspension, now: datetime) -> None:
        """Go on from a suspension of an earlier run; until its end nothing may leave."""
        self.times_suspended, self.remembered = known.times, True
        if known.until > now:
            self.stopped, self.until = str(known), known.until

    def go_on(self, rest: float, failures: int) -> None:
        """Go on from where another, who asked this engine until now, left off."""
        if rest > 0:
            self._next_at = max(self._next_at, self.clock() + rest)
        self._failures = max(self._failures, failures)

    @property
    def rest(self) -> float:
        """Seconds before the next request may leave, whoever sends it."""
        return max(0.0, self._next_at - self.clock())

    @property
    def failures(self) -> int:
        """Return how often in a row it failed."""
        return self._failures

    def compute_wait(self) -> float:
        """Seconds until the next request may leave; 0 means now. Asked while the lane is open."""
        if self._flying >= self._most_in_flight:
            return LONGEST_WAIT
        return max(0.0, self._next_at - self.clock())

    @property
    def _most_in_flight(self) -> int:
        """One at a time after a failure, and until an engine that was suspended has answered."""
        careful = self._failures or (self.times_suspended and not self._proven)
        return 1 if careful else self.in_flight

    def try_leave(self) -> float:
        """0 where the request leaves now, else seconds that it has to wait.

        Looking and leaving are one step, because several uses of a lane may be asked together.
        """
        with self._lock:
            wait = self.compute_wait()
            if not wait:
                self.record_request()
            return wait

    def record_request(self) -> None:
        """A request left now."""
        self._flying += 1
        if self.pace is not None:
            now, step = self.clock(), 1 / self.pace
            self._next_at = max(self._next_at or now, now - SLACK * step) + step

    def record_loss(self, requests: int) -> None:
        """So many requests that left will never be answered."""
        self._flying -= requests
        self._unaware = min(self._unaware, self._flying)

    def record_answer(self, answer: Answer, target: str, until: datetime | None = None) -> None:
        """An answer came, its outcome judged. `until` is when the service answers again."""
        self._flying -= 1
        unaware, self._unaware = self._unaware > 0, max(0, self._unaware - 1)
        then = find_consequence(answer) if self.polite else Then.GO_ON
        if then is Then.GO_ON:
            self._failures = 0
            refused = self.polite and answer.reason is Reason.REFUSED
            self._refusals = self._refusals + 1 if refused else 0
            if self._refusals >= PATIENCE and not self._proven:  # address or config is wrong
                self.stopped = f"{self._refusals} requests in a row were refused: {answer.detail}"
            if answer.outcome is Outcome.OK and self.suspension is None:
                self._proven, self.times_suspended = True, 0
        elif then is Then.BACK_OFF:
            self._back_off(answer, until, unaware=unaware)
        elif then is Then.STOP_TARGET:
            self._failures = 0
            self.closed[target] = answer.detail or answer.reason
        elif then is Then.STOP:
            self.stopped = answer.detail or answer.reason
        else:
            self._suspend_until(answer, until)

    def _back_off(self, answer: Answer, until: datetime | None, *, unaware: bool) -> None:
        if not (unaware and self._failures):  # many in flight at once fail once
            self._failures += 1
            self._unaware = self._flying
        delay = asked_delay(answer, until) or 0.0
        if self._failures >= PATIENCE or delay > LONGEST_ASKED:
            end = _received_at(answer) + timedelta(seconds=delay)
            self._suspend_until(answer, end, at_least=delay <= LONGEST_ASKED)
            return
        grown = min(LONGEST_WAIT, FIRST_WAIT * GROWTH ** (self._failures - 1))
        wait = max(delay, grown * (0.5 + self.chance() / 2))
        self._next_at = max(self._next_at, self.clock() + wait)

    def _suspend_until(
        self, answer: Answer, until: datetime | None, *, at_least: bool = False
    ) -> None:
        """Stop until a time that was given, or `at_least` then; until one's own without it."""
        before = self.suspension
        self.times_suspended += before is None  # what is still in flight says the same again
        own_end = _received_at(answer) + min(
            LONGEST_SUSPENSION, FIRST_SUSPENSION * 2 ** min(self.times_suspended - 1, 10)
        )
        if answer.reason is Reason.QUOTA:  # not again today
            own_end = max(own_end, _next_day(_received_at(answer)))
        given_end = until if until and until > _received_at(answer) else None
        end = max(given_end or own_end, own_end) if at_least else given_end or own_end
        if before is not None and (given_end is None or end <= before.until):
            return
        reason = answer.reason or answer.outcome
        self.remembered = True
        self.suspension = Suspension(end, reason, answer.detail, self.times_suspended)
        self.stopped, self.until = str(self.suspension), end


def _received_at(answer: Answer) -> datetime:
    return answer.asked_at + timedelta(seconds=answer.took)


def _next_day(moment: datetime) -> datetime:
    """The midnight after a moment, UTC."""
    day = moment.astimezone(UTC) + timedelta(days=1)
    return day.replace(hour=0, minute=0, second=0, microsecond=0)
