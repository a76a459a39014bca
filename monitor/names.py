"""Canonical names of measures: `Name(parameter=value)@cut-off`, both ways."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from monitor.model import InvalidInput, Json, Measure, canonical_json, digest
from monitor.text.syntax import parse_literal

_NAME = re.compile(
    r"\s*(?P<name>[A-Za-z][\w-]*)\s*(\((?P<inside>.*)\))?\s*(@\s*(?P<at>\d{1,7}))?\s*"
)
_PARAMETER = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST = 60
#: The slope over titles and snippets; it is computed by GSR and has a name of its own.
SNIPPET = "GSR-snippet"


def base_name(label: str) -> str:
    """Return `masculine_rate` of `masculine_rate(floor=20)`, `c_ratio_bias` of `c_ratio_bias@10`.

    Of an engine's label likewise: `chat` of `chat:gpt-x`.
    """
    return re.split(r"[:(@]", label, maxsplit=1)[0]


def find_registered_name(family: str) -> str:
    """Return the name that a measure is registered by."""
    return "GSR" if family == SNIPPET else family


def format_name(measure: Measure, further: Mapping[str, Json] | None = None) -> str:
    """`Name(k=v)@cut-off` with the parameters that are not the default, in alphabetical order.

    `further` stands between the brackets as well: what is not the measure's own.
    """
    defaults = type(measure)().parameters
    parameters_set = {k: v for k, v in measure.parameters.items() if defaults[k] != v}
    cutoff = measure.parameters.get("cutoff")
    parameters_set.pop("cutoff", None)
    parameters_set |= further or {}
    inside = ",".join(
        f"{key}={_format_plain(value)}" for key, value in sorted(parameters_set.items())
    )
    cutoff_suffix = f"@{cutoff}" if cutoff is not None else ""
    return (f"{measure.name}({inside})" if inside else measure.name) + cutoff_suffix


def _format_plain(value: Json) -> str:
    """A value as it stands in a name; what is long, such as lists of words, by its digest."""
    if isinstance(value, bool):
        return str(value)
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _LONGEST else f"sha256-{digest(value)[:8]}"


def read_name(text: object) -> tuple[str, dict[str, Json]]:
    """(name, parameters with the cut-off) of a canonical name. Raises InvalidInput."""
    match = _NAME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidInput(f"measure {text!r}: write Name, Name@10 or Name(parameter=value)@10")
    parameters: dict[str, Json] = {}
    for part in _split_parts(match["inside"] or ""):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _PARAMETER.fullmatch(key) or key in parameters:
            raise InvalidInput(f"measure {text!r}: {part.strip()!r} is not parameter=value, once")
        parameters[key] = _parse_value(value)
    if match["at"] is not None:
        if "cutoff" in parameters:
            raise InvalidInput(f"measure {text!r}: names its cut-off twice")
        parameters["cutoff"] = int(match["at"])
    return match["name"], parameters


@dataclass(frozen=True, slots=True)
class ParsedName:
    """A measure by its canonical name."""

    name: str
    family: str
    cutoff: int | None
    lexicon: str
    text: str
    bare: str  # the name without the cut-off: what a curve is of
    parameters: Mapping[str, Any] = field(default_factory=dict)


def parse_name(measure: str) -> ParsedName:
    """Return what a canonical name says; of a name that cannot be read, the family alone."""
    family = base_name(measure)
    try:
        _, parameters = read_name(measure)
    except InvalidInput:
        parameters = {}
    cutoff, lexicon = parameters.get("cutoff"), parameters.get("lexicon", "")
    lexicons = lexicon if isinstance(lexicon, list | tuple) else [lexicon]
    return ParsedName(
        measure,
        family,
        cutoff if isinstance(cutoff, int) else None,
        ", ".join(map(str, lexicons)),
        str(parameters.get("text", "")),
        measure if cutoff is None else measure.rpartition("@")[0],
        parameters,
    )


def _split_parts(inside: str) -> Iterator[str]:
    """Split at commas that are in no bracket."""
    depth, start = 0, 0
    for position, letter in enumerate(inside):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield inside[start:position]
            start = position + 1
    if inside[start:].strip():
        yield inside[start:]


def _parse_value(text: str) -> Json:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        read = cast("Json", parse_literal(text))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return read
