"""The faults of a job file in words of our own: line, key, what is allowed, what it says.

pydantic finds them; its sentences are about types of Python, and are never shown.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from monitor.model import InvalidInput
from monitor.text.near_names import hint

_LONGEST_SAID = 200
_KEY = r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'"""
_DOTTED = rf"(?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(rf"\s*({_DOTTED})\s*=(.*)$")
_ONE_KEY = re.compile(_KEY)
_BLOCK_STRING = re.compile(r'"""|' + "'''")
#: The key that a message begins with.
_PLACE = re.compile(r"[a-z][\w-]*(?:\[\d+\]|\.[\w-]+)*(?=: | = )")

#: What is written where something is missing.
_EXAMPLES = {
    "name": 'name = "my-audit"',
    "description": 'description = "What this audit is about"',
    "schedule": '[schedule] with cron = "0 5 * * mon"',
    "schedule.cron": 'cron = "0 5 * * mon"',
    "report.cron": 'cron = "0 7 * * mon"',
    "lists": '[[lists]] with name = "stereotypes@1"',
    "lists.name": 'name = "stereotypes@1"',
    "engines": '[[engines]] with name = "deepl" and targets = ["cs"]',
    "engines.name": 'name = "deepl"; `monitor engines list` names all',
    "measures": '[[measures]] with name = "masculine_rate"',
    "measures.name": 'name = "masculine_rate"; `monitor measures list` names all',
    "families.primaries": 'primaries = ["f_s"]',
    "preregistration.hypothesis": 'hypothesis = "What is expected to change, and how"',
    "preregistration.primaries": 'primaries = ["f_s"]',
    "preregistration.targets": 'targets = ["cs"]',
    "preregistration.smallest_effect": "smallest_effect = { f_s = 0.05 }",
    "preregistration.stop_rule": "stop_rule = 52, a number of ticks, or a text",
    "corpus.jobs": 'jobs = ["gsr-web-weekly"]',
}
#: What names look like, by the key that has one.
_NAMES = {
    "lists.name": "must be NAME@VERSION, such as stereotypes@1",
    "name": "must be small letters, digits and hyphens, such as gest-weekly",
    "corpus.jobs": "must be names of jobs, such as gsr-web-weekly",
}


_WHOLE, _NUMBER = "must be a whole number", "must be a number"
_TRUTH, _TABLE = "must be true or false", "must be a table"
#: What is allowed, by pydantic's names of faults and with its numbers.
_WORDS = {
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "string_type": "must be a text, in quotation marks",
    "list_type": "must be a list, in square brackets",
    "dict_type": _TABLE,
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length:,} characters",
    "too_short": "must name at least {min_length}",
    "too_long": "must name at most {max_length}",
    "value_error": "{error}",
}


def quote_value(value: object) -> str:
    """Return what stands in the file, as part of a message."""
    text = value.isoformat() if isinstance(value, date) else repr(value)
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]} ..."


def translate_faults(
    error: ValidationError, model: type[BaseModel], values: Mapping[str, Any]
) -> list[str]:
    """Return a message for each fault that pydantic found in `values`, beginning with its key."""
    faults: dict[str, str] = {}
    for fault_found in error.errors(include_url=False):
        fault_place = _format_place(fault_found["loc"], values)
        faults[fault_place] = f"{fault_place}: {_make_message(fault_found, fault_place, model)}"
    return list(faults.values())


def _make_message(found: Mapping[str, Any], place: str, model: type[BaseModel]) -> str:
    kind, value, ctx = found["type"], found["input"], found.get("ctx", {})
    general = re.sub(r"\[\d+\]", "", place)
    if kind == "missing":
        example = _EXAMPLES.get(general)
        return f"is missing; write {example}" if example else "is missing"
    if kind == "extra_forbidden":
        return f"unknown key; {hint(str(found['loc'][-1]), _keys_beside(found['loc'], model))}"
    if kind in ("literal_error", "enum"):
        allowed = re.findall(r"'([^']*)'", ctx["expected"]) or [ctx["expected"].lower()]
        words = f"must be {'one of ' if len(allowed) > 1 else ''}{', '.join(allowed)}"
    elif kind == "string_pattern_mismatch":
        words = _NAMES.get(general, "is not written as it must be; see docs/jobs.md")
    elif kind == "too_short" and isinstance(value, str):
        words = "must not be empty"
    else:
        words = _WORDS.get(kind, "cannot be used; see docs/jobs.md").format(**ctx)
    if isinstance(value, dict | list) or (isinstance(value, str) and quote_value(value) in words):
        return words
    return f"{words} (it says {quote_value(value)})"


def _format_place(loc: Sequence[int | str], values: object) -> str:
    """`engines[0].pace`: as far as the place is one of the file, but for a key that is missing."""
    path, current = "", values
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
            current = current[part] if isinstance(current, list) and part < len(current) else None
        elif isinstance(current, dict):
            path += f".{part}" if path else part
            current = current.get(part)
    return path


def _keys_beside(loc: Sequence[int | str], model: type[BaseModel]) -> list[str]:
    """Return the keys that the table of a place takes."""
    table = model
    for part in loc[:-1]:
        if isinstance(part, str) and part in table.model_fields:
            table = _model_of(table.model_fields[part].annotation) or table
    return list(table.model_fields)


def _model_of(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_of, get_args(annotation))), None)


# --- lines ----------------------------------------------------------------------------------------


def locate_faults(faults: Iterable[str], text: str) -> list[str]:
    """Put the line of the file before each fault that begins with a key; in the order of lines."""
    lines = _key_lines(text)
    faults_by_line: list[tuple[int, str]] = []
    for fault in dict.fromkeys(faults):
        match = _PLACE.match(fault)
        line = _find_line(match[0], lines) if match else 0
        faults_by_line.append((line, f"line {line}, {fault}" if line else fault))
    return [fault for _, fault in sorted(faults_by_line, key=lambda one: one[0])]


def _find_line(parent_place: str, lines: Mapping[str, int]) -> int:
    """The line of a key, or that of the table that it is in; 0 where there is none."""
    while parent_place and parent_place not in lines:
        parent_place = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]*)$", "", parent_place)
    return lines.get(parent_place, 0)


def _key_lines(text: str) -> dict[str, int]:
    """{`engines[0].pace`: line} of a file that is valid TOML; inline tables are one key."""
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, end = "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        if end:  # within a text of several lines
            end = "" if end in line else end
            continue
        if header := _HEADER.match(line):
            table = _format_key(header[2], counts)
            if header[1] == "[[":
                lines.setdefault(table, number)
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{counts[table]}]"
            lines.setdefault(table, number)
        elif pair := _PAIR.match(line):
            key = _format_key(pair[1], {})
            lines.setdefault(f"{table}.{key}" if table else key, number)
            quote = _BLOCK_STRING.search(pair[2])
            if quote and pair[2].count(quote[0]) == 1:
                end = quote[0]
    return lines


def _format_key(key: str, counts: Mapping[str, int]) -> str:
    """A key without quotation marks; in the newest table of an array, as `engines[1].config`."""
    path = ""
    parts = [part.strip("\"'") for part in _ONE_KEY.findall(key)]
    for index, part in enumerate(parts):
        path += f".{part}" if path else part
        if index < len(parts) - 1 and path in counts:
            path += f"[{counts[path]}]"
    return path


class Faults(InvalidInput):
    """Several things that do not fit, each beginning with its key."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__("; ".join(self.faults))


# --- collecting -----------------------------------------------------------------------------------


def catch_fault(
    check: Callable[..., object], *values: object, place: str = "", **named: object
) -> Iterator[str]:
    """Call a check and yield its fault, with the place in front, if it raises InvalidInput."""
    try:
        check(*values, **named)
    except InvalidInput as error:
        words = str(error)
        table = place.partition("[")[0]
        yield f"{place}: {words.removeprefix(f'{table}: ')}" if place else words
