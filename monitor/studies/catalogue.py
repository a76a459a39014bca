"""Find studies by name and run them: a module with the constant STUDY is a study."""

import importlib
import pkgutil
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

from monitor import __version__, studies
from monitor.model import InvalidInput
from monitor.studies.records import Finished, ReportStep, Study

#: Modules that every study uses; all others are one.
_SHARED = frozenset({"catalogue", "labelled", "pages", "records"})


@cache
def list_studies() -> dict[str, Study]:
    """Every study by its name. Raises TypeError for a module without one, or of another name."""
    studies_by_name: dict[str, Study] = {}
    for info in pkgutil.iter_modules(studies.__path__):
        if info.name.startswith("_") or info.name in _SHARED:
            continue
        study = getattr(importlib.import_module(f"monitor.studies.{info.name}"), "STUDY", None)
        if study is None:
            raise TypeError(f"monitor/studies/{info.name}.py defines no STUDY")
        if study.name.replace("-", "_") != info.name:
            raise TypeError(f"monitor/studies/{info.name}.py calls itself {study.name!r}")
        studies_by_name[study.name] = study
    return dict(sorted(studies_by_name.items()))


def complete_options(study: Study, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a study with defaults. Raises InvalidInput naming what is wrong."""
    options = {option.name: option for option in study.options}
    for name in given:
        if name not in options:
            raise InvalidInput(
                f"study {study.name}: unknown option {name!r}; known: {', '.join(options)}"
            )
    options_given = {name: given.get(name, option.default) for name, option in options.items()}
    for name, option in options.items():
        if option.required and options_given[name] in (None, ()):
            raise InvalidInput(f"study {study.name}: give --{name}: {option.help}")
    return options_given


def run_study(study: Study, given: Mapping[str, Any], tell: ReportStep) -> Finished:
    """Run a study. Raises InvalidInput, MissingPart."""
    options = complete_options(study, given)
    begun = time.monotonic()
    result = study.run(options, tell)
    described = {
        name: _format_option(value)
        for name, value in options.items()
        if value not in (None, (), "")
    }
    return Finished(study, described, result, __version__, time.monotonic() - begun)


def _format_option(value: object) -> str:
    """A value of an option as text; of a path its name alone."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_option, value))
    return getattr(value, "name", "") or str(value)
