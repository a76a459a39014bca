"""Asks for a password: at a terminal twice, elsewhere from where it is piped or kept."""

import os
import sys
from getpass import getpass

from monitor.model import InvalidInput

_MOST = 10_000


def new_password(variable: str) -> str:
    """A password for somebody. `variable` names one of the environment, empty for none.

    Raises InvalidInput where there is none, or where two that were typed differ.
    """
    if variable:
        found = os.environ.get(variable, "")
        if not found:
            raise InvalidInput(f"--password-from {variable}: the environment has nothing there")
        return found
    if not sys.stdin.isatty():
        found = sys.stdin.readline(_MOST).rstrip("\r\n")
        if not found:
            raise InvalidInput("a password is wanted on standard input, or by --password-from")
        return found
    first = getpass("new password: ")
    if getpass("once more: ") != first:
        raise InvalidInput("the two passwords differ; nothing was changed")
    return first
