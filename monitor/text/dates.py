"""Dates as people read them, in a time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def say_day(moment: datetime, zone: ZoneInfo) -> str:
    """Return `2 March 2026`, on one line."""
    local = moment.astimezone(zone)
    return f"{local.day}\N{NO-BREAK SPACE}{_MONTHS[local.month - 1]}\N{NO-BREAK SPACE}{local.year}"


def say_short_day(moment: datetime, zone: ZoneInfo) -> str:
    """Return `2 Mar`, on one line."""
    local = moment.astimezone(zone)
    return f"{local.day}\N{NO-BREAK SPACE}{_MONTHS[local.month - 1][:3]}"
