"""Finds the studies: a file with the constant STUDY is one."""

import importlib
import pkgutil
from functools import cache

from monitor import studies
from monitor.model import InvalidInput
from monitor.studies.found import Study

#: Modules that every study uses; all others are one.
_SHARED = frozenset({"found", "known", "pages", "running"})


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
