"""Checks of parameters that only GSR has: values of a job file in, checked ones out."""

import re

from monitor.model import InvalidInput

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*|")


def named(measure: str, parameter: str, given: object) -> None:
    """Raise InvalidInput unless `given` is the name of a lexicon, or empty."""
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        raise InvalidInput(
            f"{measure}: {parameter} is {given!r}; it must be a name of lower-case letters, "
            "digits, '.', '_' and '-'"
        )


def labels(measure: str, parameter: str, given: object) -> tuple[str, ...]:
    """Labels of systems, each once. Raises InvalidInput."""
    if isinstance(given, list | tuple):
        found = [one for one in given if isinstance(one, str) and one]
        if len(set(found)) == len(given):
            return tuple(found)
    raise InvalidInput(
        f"{measure}: {parameter} is {given!r}; it must be a list of labels of systems, each once"
    )
