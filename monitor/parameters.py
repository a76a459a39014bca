"""The config of an engine in a job file: declared once, checked, and completed by its defaults."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from monitor.model import Json, Parameter, canonical_json, digest
from monitor.text.near_names import hint

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_LONGEST_IN_LABEL = 48
_WORDS = {
    str: "a text that is not empty",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _has_type(parameter: Parameter, value: Json) -> bool:
    if parameter.kind is bool or isinstance(value, bool):
        return isinstance(value, bool) and parameter.kind is bool
    if parameter.kind is float:
        return isinstance(value, int | float)
    return isinstance(value, parameter.kind)


def _is_within(parameter: Parameter, value: Json) -> bool:
    if isinstance(value, str):
        return bool(value.strip()) and (not parameter.choices or value in parameter.choices)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = parameter.low is None or value >= parameter.low
        return abs(value) < math.inf and low and (parameter.high is None or value <= parameter.high)
    return True


def _describe_allowed(parameter: Parameter) -> str:
    if parameter.choices:
        return f"one of {', '.join(parameter.choices)}"
    bounds = [
        f"{word} {limit:g}"
        for word, limit in (("at least", parameter.low), ("at most", parameter.high))
        if limit is not None
    ]
    return " ".join([_WORDS[parameter.kind], *bounds])


def find_fault(parameters: Sequence[Parameter], config: Mapping[str, Json]) -> str:
    """One sentence about the first thing in `config` that cannot be, or an empty string."""
    return next((words for _, words in find_faults(parameters, config)), "")


def find_faults(
    parameters: Sequence[Parameter], config: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    """Yield (key, sentence) for each thing in `config` that cannot be."""
    parameters_by_name = {parameter.name: parameter for parameter in parameters}
    for name, value in config.items():
        parameter = parameters_by_name.get(name)
        if parameter is None:
            takes = hint(name, parameters_by_name) if parameters else "this engine takes none"
            yield name, f"config has an unknown key {name!r}; {takes}"
        elif parameter.variable and not (isinstance(value, str) and _VARIABLE.fullmatch(value)):
            words = "must be the name of an environment variable, in capitals, not the key itself"
            yield name, f"config: {name} {words}"
        elif not (_has_type(parameter, value) and _is_within(parameter, value)):
            yield name, f"config: {name} = {value!r}: must be {_describe_allowed(parameter)}"
    for parameter in parameters:
        if parameter.required and parameter.name not in config:
            yield parameter.name, f"config needs {parameter.name!r}: {parameter.meaning}"


def fill_defaults(parameters: Sequence[Parameter], config: Mapping[str, Json]) -> dict[str, Json]:
    """`config` with the defaults of what it leaves out; what has no default stays out."""
    defaults = {p.name: p.default for p in parameters if p.default is not None}
    return {**defaults, **config}


def make_identity(parameters: Sequence[Parameter], config: Mapping[str, Json]) -> dict[str, Json]:
    """Every parameter that can change the answer, defaults included."""
    places = {parameter.name for parameter in parameters if parameter.place}
    values = fill_defaults(parameters, config)
    return {name: value for name, value in values.items() if name not in places}


class Labelled(Protocol):
    """Parts of an engine that its label is made of."""

    @property
    def name(self) -> str: ...
    @property
    def label_by(self) -> str: ...
    @property
    def parameters(self) -> tuple[Parameter, ...]: ...


def label_engine(engine: Labelled, config: Mapping[str, Json]) -> str:
    """Return the label in series and reports: engine, system, parameters that are not default.

    `chat:gpt-x`, `recorded:amazon`, `azure_translator(gender=female)`.
    """
    identity = make_identity(engine.parameters, config)
    defaults = {p.name: p.default for p in engine.parameters if not p.place}
    system = identity.get(engine.label_by, "") if engine.label_by else ""
    options_set = [
        f"{name}={_shorten_value(value)}"
        for name, value in sorted(identity.items())
        if name != engine.label_by and value != defaults.get(name)
    ]
    label = f"{engine.name}:{_shorten_value(system)}" if system else engine.name
    return f"{label}({','.join(options_set)})" if options_set else label


def _shorten_value(value: Json) -> str:
    """A value as part of a label: long ones, such as a prompt, by their digest."""
    text = value if isinstance(value, str) else canonical_json(value)
    short = len(text) <= _LONGEST_IN_LABEL and text.isprintable()
    return text if short else f"sha256-{digest(text)[:8]}"
