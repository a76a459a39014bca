"""Passwords, hashed with argon2id (RFC 9106, section 4, second choice)."""

from functools import cache
from secrets import token_urlsafe
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from monitor.model import InvalidInput

LEAST = 12
MOST = 1_024
#: Each check takes 64 MiB and a moment of a core; who floods us with logins shall not have more.
_AT_ONCE = BoundedSemaphore(2)
#: Threads that wait for that are missing elsewhere: pages are to be answered meanwhile.
_WAITING = BoundedSemaphore(5)


class TooManyAtOnce(Exception):
    """Too many passwords are being checked at the same time."""


@cache
def _make_hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _make_dummy_hash() -> str:
    return _make_hasher().hash(token_urlsafe(16))


def hash_password(password: str) -> str:
    """Return the hash to store. Raise InvalidInput if the password is too short or too long."""
    if not LEAST <= len(password) <= MOST:
        raise InvalidInput(
            f"a password has {LEAST} to {MOST:,} characters, this one {len(password)}"
        )
    with _AT_ONCE:
        return _make_hasher().hash(password)


def check_password(password: str, stored: str | None) -> bool:
    """Return whether a password is the stored one.

    Without a stored one it takes as long: whether there is such a user cannot be told by time.
    Raises TooManyAtOnce.
    """
    against = stored or _make_dummy_hash()
    if not _WAITING.acquire(blocking=False):
        raise TooManyAtOnce
    try:
        with _AT_ONCE:
            _make_hasher().verify(against, password[:MOST])
    except (VerificationError, InvalidHashError):
        return False
    finally:
        _WAITING.release()
    return bool(stored)
