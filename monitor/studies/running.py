"""Runs a study with what it is given: what is left out has its default, what must be given is."""

import time
from collections.abc import Mapping
from typing import Any

from monitor import __version__
from monitor.model import InvalidInput
from monitor.studies.found import Finished, Study, Tell


def settled(study: Study, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a study is run with, defaults included. Raises InvalidInput naming what is wrong."""
    options = {option.name: option for option in study.options}
    for name in given:
        if name not in options:
            raise InvalidInput(
                f"study {study.name}: unknown option {name!r}; known: {', '.join(options)}"
            )
    found = {name: given.get(name, option.default) for name, option in options.items()}
    for name, option in options.items():
        if option.required and found[name] in (None, ()):
            raise InvalidInput(f"study {study.name}: give --{name}: {option.help}")
    return found


def run(study: Study, given: Mapping[str, Any], tell: Tell) -> Finished:
    """Run a study. Raises InvalidInput, MissingPart."""
    chosen = settled(study, given)
    begun = time.monotonic()
    found = study.run(chosen, tell)
    said = {name: _said(value) for name, value in chosen.items() if value not in (None, (), "")}
    return Finished(study, said, found, __version__, time.monotonic() - begun)


def _said(value: object) -> str:
    """A value of an option as text; of a path its name alone."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_said, value))
    return getattr(value, "name", "") or str(value)
