"""Faults of a job file: all of them, in words of our own, each with line, key and what is allowed.

Where a part cannot be used, the rest is kept and checked, so that no fault hides another one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from monitor.data import read_toml
from monitor.model import InvalidInput
from monitor.text.near_names import hint

_Read = TypeVar("_Read", bound=BaseModel)
_LONGEST_SAID = 200
_KEY = r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'"""
_DOTTED = rf"(?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(rf"\s*({_DOTTED})\s*=(.*)$")
_ONE_KEY = re.compile(_KEY)
_BLOCK_STRING = re.compile(r'"""|' + "'''")
#: The key that a message begins with.
_PLACE = re.compile(r"[a-z][\w-]*(?:\[\d+\]|\.[\w-]+)*(?=: | = )")

#: Examples of what is missing, forms of names, and what is allowed.
_SAID = read_toml("job_faults")


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
        example = _SAID["examples"].get(general)
        return f"is missing; write {example}" if example else "is missing"
    if kind == "extra_forbidden":
        return f"unknown key; {hint(str(found['loc'][-1]), _keys_beside(found['loc'], model))}"
    if kind in ("literal_error", "enum"):
        allowed = re.findall(r"'([^']*)'", ctx["expected"]) or [ctx["expected"].lower()]
        words = f"must be {'one of ' if len(allowed) > 1 else ''}{', '.join(allowed)}"
    elif kind == "string_pattern_mismatch":
        words = _SAID["names"].get(general, "is not written as it must be; see docs/jobs.md")
    elif kind == "too_short" and isinstance(value, str):
        words = "must not be empty"
    else:
        words = _SAID["allowed"].get(kind, "cannot be used; see docs/jobs.md").format(**ctx)
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


# --- what is right beside faults ------------------------------------------------------------------


def keep_usable(
    values: Mapping[str, Any], model: type[_Read], stand_ins: Mapping[str, Any]
) -> tuple[_Read, dict[str, list[int]]]:
    """Return what of a file can be used, and {array: places of its kept tables in the file}.

    Everything that pydantic refuses is left out, or replaced by its stand-in of {key: value}.
    """
    usable = deepcopy(dict(values))
    kept = {key: list(range(len(part))) for key, part in usable.items() if isinstance(part, list)}
    while True:
        try:
            return model.model_validate(usable), kept
        except ValidationError as error:
            locations = {
                fault["loc"][:-1] if fault["type"] == "missing" else fault["loc"]
                for fault in error.errors(include_url=False)
            }
        # the last of a list first, so that the places of the others hold
        for loc in sorted(
            locations,
            key=lambda loc: [(0, p) if isinstance(p, str) else (1, p) for p in loc],
            reverse=True,
        ):
            _leave_out(loc, usable, kept, stand_ins)


def _leave_out(
    loc: Sequence[int | str],
    usable: dict[str, Any],
    kept: Mapping[str, list[int]],
    stand_ins: Mapping[str, Any],
) -> None:
    container: Any = None
    current: Any = usable
    path: list[int | str] = []
    for part in loc:
        inside = isinstance(current, dict) and part in current
        if not inside and not (isinstance(current, list) and isinstance(part, int)):
            break  # not of the file: pydantic's name of a kind of value
        container, current = current, current[part]
        path.append(part)
    key = ".".join(part for part in path if isinstance(part, str))
    if key in stand_ins and isinstance(path[-1], str) and current != stand_ins[key]:
        container[path[-1]] = deepcopy(stand_ins[key])
        return
    del container[path[-1]]
    array = str(path[0])
    if container is usable.get(array) and isinstance(path[-1], int):
        del kept[array][path[-1]]


def find_place(fault: str) -> str:
    """Return the key that a fault begins with, or an empty string."""
    match = _PLACE.match(fault)
    return match[0] if match else ""


#: A table of an array that a fault is about.
_TABLE = re.compile(r"(engines|lists|measures)\[(\d+)\]")


def restore_index(fault: str, kept: Mapping[str, Sequence[int]]) -> str:
    """Return a fault with the place of its table in the file, of which some tables are left out."""
    match = _TABLE.match(fault)
    if match is None:
        return fault
    return f"{match[1]}[{kept[match[1]][int(match[2])]}]{fault[match.end() :]}"


def is_within(place: str, at_fault: str) -> bool:
    """Return whether a key is at fault already: itself, a part of it, or what it is part of."""
    inner, outer = sorted((place, at_fault), key=len, reverse=True)
    is_table = _TABLE.fullmatch(outer) is not None  # one of its other keys may be wrong
    return inner == outer or (not is_table and inner.startswith((f"{outer}.", f"{outer}[")))


def has_lists(entry: object) -> bool:
    """Return whether what an engine is asked for is written as lists."""
    table = entry if isinstance(entry, dict) else {"targets": None}
    return all(isinstance(table.get(key, []), list) for key in ("targets", "regions"))


def list_left_out_names(
    entries: object, kept: Mapping[str, Sequence[int]]
) -> Iterator[tuple[int, str, str]]:
    """Yield (index, key, name) of the targets and regions of engines that are left out."""
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        table = entry if isinstance(entry, dict) and index not in kept["engines"] else {}
        for key in ("targets", "regions"):
            names = table.get(key)
            for name in names if isinstance(names, list) else ():
                if isinstance(name, str):
                    yield index, key, name


# --- lines ----------------------------------------------------------------------------------------


def locate_faults(faults: Iterable[str], text: str) -> list[str]:
    """Put the line of the file before each fault that begins with a key; in the order of lines."""
    lines = _key_lines(text)
    faults_by_line: list[tuple[int, str]] = []
    for fault in dict.fromkeys(faults):
        line = _find_line(find_place(fault), lines)
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
