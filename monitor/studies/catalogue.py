"""Find studies by name and run them: a module with the constant STUDY is a study."""

import importlib
import pkgutil
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

from monitor import __version__, studies
from monitor.model import InvalidInput
from monitor.studies.records import Finished, Study, Tell

#: Modules that every study uses; all others are one.
_SHARED = frozenset({"catalogue", "labelled", "pages", "records"})


@cache
def known() -> dict[str, Study]:
    """Every study by its name. Raises TypeError for a module without one, or of another name."""
    found: dict[str, Study] = {}
    for info in pkgutil.iter_modules(studies.__path__):
        if info.name.startswith("_") or info.name in _SHARED:
            continue
        study = getattr(importlib.import_module(f"monitor.studies.{info.name}"), "STUDY", None)
        if study is None:
            raise TypeError(f"monitor/studies/{info.name}.py defines no STUDY")
        if study.name.replace("-", "_") != info.name:
            raise TypeError(f"monitor/studies/{info.name}.py calls itself {study.name!r}")
        found[study.name] = study
    return dict(sorted(found.items()))


def study(name: str) -> Study:
    """The study of this name. Raises InvalidInput listing those that there are."""
    if name not in known():
        raise InvalidInput(f"unknown study {name!r}; known: {', '.join(known())}")
    return known()[name]


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
