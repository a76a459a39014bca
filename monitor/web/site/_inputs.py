"""What many pages are asked with: numbers of rows, times, words to look for, and how far to turn.

Numbers are those that a database has; text has no NUL, which none can hold. Numbers and times are
taken as their schema describes them and in no other spelling: `1_0` is no number, `0.5` no time.
"""

import re
from datetime import datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import BeforeValidator, WithJsonSchema

_DIGITS = re.compile(r"-?[0-9]{1,20}")
_DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"
_ZONE = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_MOMENT = rf"^{_DATE}([T ]{_TIME}{_ZONE}?)?$"
_WRITTEN = re.compile(_MOMENT)


def _digits(given: object) -> object:
    """Return a number that is written in digits. Raises ValueError for any other text."""
    if isinstance(given, str) and not _DIGITS.fullmatch(given):
        raise ValueError("write a whole number in digits")
    return given


def _moment(given: object) -> object:
    """Return a date or time as it is written. Raises ValueError for any other text."""
    if isinstance(given, str) and not _WRITTEN.fullmatch(given):
        raise ValueError("write a date, 2026-05-31, or a time with its zone, 2026-05-31T12:00:00Z")
    return given


Whole = Annotated[int, BeforeValidator(_digits)]
Number = Annotated[Whole, Path(ge=1, le=2**63 - 1)]
Run = Annotated[Whole | None, Query(ge=1, le=2**63 - 1)]
Text = Annotated[str, Query(max_length=300, pattern=r"^[^\x00]*$")]
Signature = Annotated[str, Query(max_length=64, pattern="^[0-9a-f]*$")]
PageNumber = Annotated[Whole, Query(ge=1, le=10_000)]
Moment = Annotated[
    datetime, BeforeValidator(_moment), WithJsonSchema({"type": "string", "pattern": _MOMENT})
]
