"""Permissions of each role on the web pages, which nothing else decides, and names of raters."""

import re
from collections.abc import Iterable
from enum import StrEnum

from monitor.model import InvalidInput

_RATER = re.compile(r"[\w.-]{1,40}")


def check_rater(name: str, option: str = "--rater") -> str:
    """Return the code name of a rater. Raises InvalidInput."""
    if not _RATER.fullmatch(name):
        raise InvalidInput(
            f"{option} {name[:40]!r}: initials or a code name, up to 40 letters, digits, dots and "
            "dashes"
        )
    return name


class Permission(StrEnum):
    """A permission that a page or an action needs."""

    NUMBERS = "numbers"  # see numbers, their series, and what they rest on as words
    EMBARGOED = "embargoed"  # see series that are not public yet
    CAPTURED = "captured"  # see what was captured of others: pictures, names of people, bodies
    RAW = "raw"  # take raw answers away, and make tokens for programs
    LABEL = "label"  # say who somebody is
    OPERATE = "operate"  # pause and resume engines
    DONATE = "donate"  # take in pages that people donate, and erase those of a donor


class Role(StrEnum):
    """A role of a user; one user may have several."""

    VIEWER = "viewer"
    ANALYST = "analyst"
    LABELLER = "labeller"
    OPERATOR = "operator"
    COLLECTOR = "collector"


_SEES = frozenset({Permission.NUMBERS, Permission.EMBARGOED, Permission.CAPTURED})

#: Who labels only sees no engine and no number: that would tell what is expected of them.
PERMISSIONS = {
    Role.VIEWER: _SEES,
    Role.ANALYST: _SEES | {Permission.RAW},
    Role.LABELLER: frozenset({Permission.LABEL}),
    Role.OPERATOR: _SEES | {Permission.OPERATE},
    Role.COLLECTOR: frozenset({Permission.DONATE}),
}

#: Of everybody, where pages are public.
PUBLIC = frozenset({Permission.NUMBERS})
#: Of everybody at the machine itself, as long as it has no users: reading, as who has the database.
LOCAL = _SEES | {Permission.RAW}


def find_permissions(roles: Iterable[Role]) -> frozenset[Permission]:
    """All that any of these roles allows."""
    return frozenset().union(*(PERMISSIONS[role] for role in roles))
