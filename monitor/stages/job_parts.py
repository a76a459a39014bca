"""What a job consists of, part by part: what bears on its numbers, and what cannot.

In goes a job as it was stored, out come {part: {option: value}} with defaults filled in, so that a
default that somebody writes down is no difference. Two jobs are compared by `job_differences`.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from monitor import registry
from monitor.jobs import EngineUse, Job, LanguageUse, ListUse, MeasureUse
from monitor.jobs_tables import Confirm, Noise, Preregistration, Report, Schedule
from monitor.model import Json, Kind, MonitorError, digest
from monitor.store.jobs.run_inputs import RunInputs

Options = dict[str, Any]
Parts = dict[str, Options]

#: What stands for the content of a file, list or region that is not stored.
UNKNOWN = None
CONTENT = "content"
#: The part that is the order of lists and measures, among hashes.
ORDER = "order"

_DECLARATION = ("primaries", "targets", "alpha", "smallest_effect", "stop_rule")
_JOB = ("repeats", "tries", "synchronised", "label_days", "reference_days")
_TEXTS = ("description", "contact")
#: How fast an engine is asked, who owns it and what it is called: not what it is asked.
_PACE = ("pace", "in_flight", "own", "title")
_AT = "the config's "


def bearing(made: RunInputs) -> Parts:
    """All that bears on a number: what is asked, of whom, when, how often, and what is computed."""
    content = made.content
    parts: Parts = {"job": {name: _of(Job, content, name) for name in _JOB}}
    parts |= _numbered(_lists(made))
    parts |= _numbered((f"engine {label}", own) for label, own, _ in _engines(content))
    parts |= _numbered(_measures(content))
    for name, use in (content.get("languages") or {}).items():
        parts[f"language {name}"] = _filled(LanguageUse, use)
    parts |= {f"reference file {path}": {CONTENT: made.references.get(path, UNKNOWN)}
              for path in _reference_files(content)}  # fmt: skip
    parts |= {f"region {name}": {CONTENT: made.regions.get(name, UNKNOWN)}
              for name in _regions(content)}  # fmt: skip
    models: dict[str, type[BaseModel]] = {"schedule": Schedule, "noise": Noise, "confirm": Confirm}
    for name, model in models.items():
        if content.get(name) is not None:
            parts[name] = _filled(model, content[name])
    return parts | _first(content)


def aside(made: RunInputs) -> Parts:
    """The rest of a job: no number can be another one by it."""
    content = made.content
    parts: Parts = {"job": {name: content.get(name) or "" for name in _TEXTS}}
    parts |= _numbered((f"engine {label}", rest) for label, _, rest in _engines(content))
    if content.get("report") is not None:
        parts["report"] = _filled(Report, content["report"])
    if content.get("governance") is not None:
        parts["governance"] = dict(content["governance"])
    table = content.get("preregistration")
    if table is not None:
        parts["preregistration"] = {
            name: table.get(name) for name in Preregistration.model_fields
            if name not in _DECLARATION
        }  # fmt: skip
    return parts


def hashes(made: RunInputs) -> dict[str, str]:
    """{part: hash} of all that bears on a number, as a declaration holds them."""
    parts = {part: digest(options) for part, options in sorted(bearing(made).items())}
    return parts | {ORDER: digest(order(made.content))}


def order(content: Mapping[str, Any]) -> dict[str, list[str]]:
    """Lists and measures in their order: of each family the first four series are tested first."""
    return {
        "lists": [str(use.get("name", "")).partition("@")[0] for use in content.get("lists", ())],
        "measures": list(_numbered(_measures(content))),
    }


def _first(content: Mapping[str, Any]) -> Parts:
    """What is tested first, as the job says it; `families` says nothing beside a declaration."""
    table = content.get("preregistration")
    if table is not None:
        filled = _filled(Preregistration, table)
        return {"preregistration": {name: filled.get(name) for name in _DECLARATION}}
    families = content.get("families")
    return {"families": dict(families)} if families is not None else {}


def _numbered(some: Iterator[tuple[str, Options]]) -> Parts:
    """Parts by their names; a second one of a name is `NAME (2)`."""
    parts: Parts = {}
    for name, options in some:
        known, number = name, 1
        while known in parts:
            number += 1
            known = f"{name} ({number})"
        parts[known] = options
    return parts


def _default(model: type[BaseModel], name: str) -> Any:  # noqa: ANN401 - whatever a field holds
    field = model.model_fields[name]
    if field.is_required():
        return None
    if field.default_factory is None:
        return deepcopy(field.default)
    # not by `get_default`: to look at the signature of `dict` it copies the names of all modules
    return cast("Callable[[], Json]", field.default_factory)()


def _of(model: type[BaseModel], table: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401
    return table[name] if name in table else _default(model, name)


def _filled(model: type[BaseModel], table: Mapping[str, Any]) -> Options:
    """A table with the defaults of what it leaves out."""
    return {name: _default(model, name) for name in model.model_fields} | dict(table)


def _lists(made: RunInputs) -> Iterator[tuple[str, Options]]:
    for use in made.content.get("lists", ()):
        filled = _filled(ListUse, use)
        label = str(filled.pop("name"))
        name, _, version = label.partition("@")
        hashed = made.lists.get(label, UNKNOWN)
        yield f"list {name}", {"version": version, CONTENT: hashed} | filled


def _engines(content: Mapping[str, Any]) -> Iterator[tuple[str, Options, Options]]:
    """(label, what bears on a number, the rest) of each use of an engine."""
    for use in content.get("engines", ()):
        filled = _filled(EngineUse, use)
        rest = {name: filled.pop(name) for name in _PACE}
        config = dict(filled.pop("config") or {})
        label = str(filled.pop("name", ""))
        try:
            known = EngineUse.model_validate(use)
            plugin = registry.engine(known.name)
            label, settled = known.label(plugin), known.identity
            filled["repeats"] = known.times(plugin, int(content.get("repeats", 1)))
        except (ValidationError, MonitorError):  # of another version of this program
            settled = config
        # where a file is, or which variable holds a key: by its name, never by its value
        rest |= {f"{_AT}{name}": digest(v) for name, v in config.items() if name not in settled}
        yield label, filled | {f"{_AT}{name}": value for name, value in settled.items()}, rest


def _measures(content: Mapping[str, Any]) -> Iterator[tuple[str, Options]]:
    kinds = _kinds(content)
    for use in content.get("measures", ()):
        own = {name: _default(MeasureUse, name) for name in MeasureUse.model_fields}
        table = own | _parameters(use, kinds) | dict(use)
        yield f"measure {table.pop('name', '')}", table


def _kinds(content: Mapping[str, Any]) -> list[Kind]:
    found = set()
    for use in content.get("engines", ()):
        try:
            found.add(registry.engine(str(use.get("name", ""))).kind)
        except MonitorError:
            continue
    return sorted(found)


def _parameters(use: Mapping[str, Any], kinds: list[Kind]) -> dict[str, Json]:
    """What a measure takes where the job says nothing."""
    try:
        own = [Kind(use["kind"])] if use.get("kind") else kinds
        offered = [registry.measure(str(use.get("name", "")), kind) for kind in own]
    except (MonitorError, ValueError):
        return {}
    parameters: dict[str, Json] = {}
    for measure in offered:
        if measure.kind in own:
            parameters |= measure.parameters
    return parameters


def _reference_files(content: Mapping[str, Any]) -> list[str]:
    names = {str(name) for use in content.get("measures", ()) for name in use.get("references", ())}
    return sorted(f"references/{file}.csv" for name in names if (file := name.partition(":")[2]))


def _regions(content: Mapping[str, Any]) -> list[str]:
    return sorted({name for use in content.get("engines", ()) for name in use.get("regions", ())})
