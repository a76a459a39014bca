"""How long a service asks to be left alone, out of the headers of its answer."""

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from monitor.model import Answer, Outcome

#: Headers with a moment or a number of seconds, the most binding first.
_RESETS = ("x-ratelimit-reset", "ratelimit-reset", "x-ratelimit-reset-requests")
#: A number above this is a moment (seconds since 1970), below it a duration.
_A_MOMENT = 1_000_000_000
#: A moment above this is in milliseconds, as OpenRouter gives it.
_IN_MS = 100_000_000_000
#: The longest window that services count in is a month; what is longer is a mistake of theirs.
LONGEST = 31 * 86_400.0


def _number(text: str) -> float | None:
    """A plain finite number that is not negative, else None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    in_ms = _number(headers.get("retry-after-ms", ""))
    if in_ms is not None:
        return in_ms / 1000
    text = headers.get("retry-after", "")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        moment = parsedate_to_datetime(text)
        return (moment - now).total_seconds()
    except (ValueError, TypeError, OverflowError):  # no date, or one without a zone
        return None


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Brave's header lists several windows, `1, 1419704`: only the first is short of requests."""
    for name in _RESETS:
        first = headers.get(name, "").split(",")[0].strip().removesuffix("s")
        value = _number(first)
        if value is not None:
            moment = value / 1000 if value > _IN_MS else value
            return moment - now.timestamp() if moment > _A_MOMENT else moment
    return None


def asked_delay(answer: Answer, until: datetime | None = None) -> float | None:
    """Seconds after the answer in which the service does not want to be asked; None if unsaid.

    Many services send the end of their window with every answer, so that it counts only where
    the window is what was wrong.
    """
    received = answer.asked_at + timedelta(seconds=answer.took)
    headers = {name.lower(): value for name, value in answer.headers}
    after = _retry_after(headers, received) if until is None else (until - received).total_seconds()
    if after is None and answer.outcome is Outcome.THROTTLED:
        after = _reset(headers, received)
    return None if after is None else min(LONGEST, max(0.0, after))
