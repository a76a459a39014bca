"""Shapes of answers: their keys and block types, compared with those that a parser was tested on.

The known shapes are in `data/answer_shapes.toml`, computed from the recorded answers of
`tests/engines/recordings` by `python -m tests.answer_shapes`. A part is needed where the reading of
every recorded answer that has it changes without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from monitor.data import read_toml
from monitor.input_files import load_json
from monitor.model import ANSWERED_OUTCOMES, Json, Outcome, Reading

#: Keys beneath each other, and parts of one answer, that are looked at.
_DEEPEST, _MOST_PARTS = 12, 2_000


@dataclass(frozen=True, slots=True)
class KnownShape:
    """The parts of an engine's recorded answers, and those that its parser needs."""

    known: frozenset[str]
    needed: frozenset[str]


@dataclass(frozen=True, slots=True)
class ShapeDifference:
    """Parts that a parser needs and an answer lacks, and parts that no recorded answer has."""

    missing: tuple[str, ...]
    new: tuple[str, ...]


@cache
def read_known_shapes() -> Mapping[str, KnownShape]:
    """Return the known shape of each engine by its name."""
    return {
        name: KnownShape(frozenset(shape["known"]), frozenset(shape["needed"]))
        for name, shape in read_toml("answer_shapes").items()
    }


def find_shape(body: bytes, readings: Sequence[Reading]) -> frozenset[str]:
    """Return the parts of an answer: keys of its JSON as `results[].title`, and blocks read."""
    parts = {f"block {item.block}" for reading in readings for item in reading.items}
    try:
        content = load_json(body)
    except (ValueError, UnicodeDecodeError):
        return frozenset(parts)
    for path, _ in walk_parts(content):
        parts.add(path)
        if len(parts) >= _MOST_PARTS:
            break
    return frozenset(parts)


def walk_parts(content: Json, path: str = "", depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Yield (path, container) of every key of a JSON value; a list is one step `[]`."""
    if depth > _DEEPEST:
        return
    if isinstance(content, list):
        for value in content:
            yield from walk_parts(value, f"{path}[]", depth + 1)
    elif isinstance(content, dict):
        for key, value in content.items():
            name = f"{path}.{key}" if path else str(key)
            yield name, content
            yield from walk_parts(value, name, depth + 1)


def find_parent(part: str) -> str:
    """Return the key that holds a part; empty at the top and for a block."""
    return part.rpartition(".")[0].removesuffix("[]")


def compare_shape(engine: str, body: bytes, readings: Sequence[Reading]) -> ShapeDifference:
    """Return how an answer differs from those that the engine's parser was tested on.

    A part is missing where the key that holds it is there, and the answer has results.
    """
    known = read_known_shapes().get(engine, KnownShape(frozenset(), frozenset()))
    shape = find_shape(body, readings)
    is_empty = bool(readings) and all(reading.outcome is Outcome.EMPTY for reading in readings)
    missing = () if is_empty else sorted(known.needed - shape)
    missing = [part for part in missing if not (parent := find_parent(part)) or parent in shape]
    return ShapeDifference(tuple(missing), tuple(sorted(shape - known.known)))


#: Traits of an answer that can become more frequent, with their words.
TRAITS = {
    "unread": "cannot be read",
    "lacking": "lack a part that the parser needs",
    "new": "have parts that no recorded answer has",
}


def find_traits(engine: str, body: bytes, readings: Sequence[Reading]) -> frozenset[str] | None:
    """Return the traits of an answer; None for a wall, which is no answer of the engine."""
    if any(reading.outcome is Outcome.BLOCKED for reading in readings):
        return None
    difference = compare_shape(engine, body, readings)
    is_read = any(reading.outcome in ANSWERED_OUTCOMES for reading in readings)
    holds = {"unread": not is_read, "lacking": difference.missing, "new": difference.new}
    return frozenset(name for name, is_so in holds.items() if is_so)
