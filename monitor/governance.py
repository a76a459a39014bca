"""The table `[governance]` of a job file: why, by whom and by what right others are asked.

In goes the table, out comes a validated `Governance`, or what it lacks before an engine that is not
one's own may be asked.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta, timezone
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from monitor.addresses import is_near, parse_host
from monitor.model import OWN_SURFACES, Engine, Json

#: Terms of services change; a review that is older is worth a reminder.
REVIEW_DAYS = 366
_LONGEST = 2_000
_LONGEST_CONTACT = 200
_MOST_DAYS = 36_500
_LONGEST_SHOWN = 40
#: Characters that act without being seen; line breaks and tabs are harmless.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff]"
)
#: Somewhere on Earth it is this date already: whoever writes the date of today is right.
_EASTERNMOST = timezone(timedelta(hours=14))
#: What to do about an empty purpose, controller, legal basis and contact.
_REMEDIES = (
    "governance.purpose: say what this audit is for",
    "governance.controller: name who is responsible for this audit, a person or an organisation",
    "governance.legal_basis: say by what right answers are collected and kept",
    "governance.contact: name whom one can write to; or contact in the job file, MONITOR_CONTACT",
)
#: The parameters that say where an engine is.
_ADDRESSES = ("base_url", "url")


def _check_readable(value: str) -> str:
    match = _HIDDEN.search(value)
    if match:
        raise ValueError(f"holds the invisible character U+{ord(match[0]):04X}; take it out")
    return value


def read_date(value: object) -> object:
    """Return a date of TOML or ISO 8601; numbers and times raise ValueError."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError("must be a date such as 2026-10-01") from None


def require_past(remedy: str) -> AfterValidator:
    """Return a validator that refuses dates still to come everywhere; faults end in `remedy`."""

    def check(value: date) -> date:
        if value > datetime.now(_EASTERNMOST).date():
            raise ValueError(f"is still to come; {remedy}")
        return value

    return AfterValidator(check)


Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=_LONGEST),
    AfterValidator(_check_readable),
]
ContactText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=_LONGEST_CONTACT),
    AfterValidator(_check_readable),
]
ReviewDate = Annotated[
    date, BeforeValidator(read_date), require_past("write the date on which the review was made")
]
Days = Annotated[int, Field(strict=True, ge=1, le=_MOST_DAYS)]


class Retention(BaseModel):
    """Days after which the bodies of a class are removed; a class left out is kept for ever."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    answer: Days | None = None
    screenshot: Days | None = None
    lookup: Days | None = None
    document: Days | None = None

    @model_validator(mode="before")
    @classmethod
    def _known_classes(cls, given: Any) -> Any:  # noqa: ANN401 - whatever stands in the file
        if not isinstance(given, dict):
            return given
        unknown = [name for name in given if name not in cls.model_fields]
        if unknown:
            names = ", ".join(repr(str(name)[:_LONGEST_SHOWN]) for name in unknown)
            raise ValueError(
                f"unknown class {names}; allowed: "
                f"{', '.join(cls.model_fields)} (points are kept for ever)"
            )
        return given

    @property
    def days(self) -> dict[str, int]:
        """{class: days}; classes that are kept for ever are not in it."""
        return {name: days for name, days in self if days is not None}


class Governance(BaseModel):
    """The purpose of an audit, who answers for it, its legal basis, and how long data are kept.

    Every key may be empty: what an audit needs depends on whom it asks, see `lacking`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    purpose: Text = ""
    controller: Text = ""
    legal_basis: Text = ""
    contact: ContactText = ""
    #: {engine: when its terms and its robots.txt were last read}
    reviews: dict[str, ReviewDate] = Field(default_factory=dict)
    retention: Retention = Retention()

    def find_lacking(self, asked: Iterable[Engine], contact: str) -> list[str]:
        """Return what has to be said before these engines are asked, each with the remedy.

        `contact` is the address that holds where the table has none.
        """
        statements = (self.purpose, self.controller, self.legal_basis, self.contact or contact)
        missing = [remedy for text, remedy in zip(statements, _REMEDIES, strict=True) if not text]
        return missing + [
            f"governance.reviews.{engine.name}: read its terms and its robots.txt, then write the "
            f"date: {engine.name} = YYYY-MM-DD{_or_own(engine)}"
            for engine in asked
            if engine.name not in self.reviews
        ]

    def old_reviews(self, asked: Iterable[Engine], today: date) -> list[str]:
        """A sentence for each review of these engines that should be made again."""
        ages = {
            engine.name: (today - self.reviews[engine.name]).days
            for engine in asked
            if engine.name in self.reviews
        }
        return [
            f"review of the terms of {name} is {days} days old"
            for name, days in ages.items()
            if days > REVIEW_DAYS
        ]


def _or_own(engine: Engine) -> str:
    """The other remedy, where an engine is what somebody runs, not a service with an address."""
    takes_url = any(
        parameter.required and parameter.name in _ADDRESSES for parameter in engine.parameters
    )
    return "; or own = true at the engine, if that server is yours" if takes_url else ""


def find_address(engine: Engine, config: Mapping[str, Json]) -> str:
    """Return the address of the engine from its config or its defaults; else empty."""
    for parameter in engine.parameters:
        if parameter.name in _ADDRESSES:
            stated = config.get(parameter.name, parameter.default)
            return stated if isinstance(stated, str) else ""
    return ""


def own_fault(engine: Engine, config: Mapping[str, Json]) -> str:
    """Return why an engine cannot be called one's own, or an empty string."""
    addresses_given = [name for name in _ADDRESSES if name in config]
    if not any(parameter.name in _ADDRESSES for parameter in engine.parameters):
        return "own = true is for engines that take an address in their config"
    if not addresses_given:
        return "own = true needs the address of your server in the config"
    if not parse_host(find_address(engine, config)):
        return "own = true needs an address with a host and no name or password"
    if parse_host(find_address(engine, config)) == parse_host(find_address(engine, {})):
        return "own = true needs the address of your server, not that of the service"
    return ""


def is_own(engine: Engine, config: Mapping[str, Json], *, own: bool) -> bool:
    """Return whether requests to the engine affect nobody else.

    It runs here, was recorded before, answers in one's own network, or is said to be one's own.
    """
    return own or engine.surface in OWN_SURFACES or is_near(find_address(engine, config))
