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
from monitor.stats.chance import hypergeometric_law
from monitor.store.derive.readings import PART, ShapeTally
from monitor.text.counted_nouns import several

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


def compare_shape(
    engine: str, shape: frozenset[str], readings: Sequence[Reading]
) -> ShapeDifference:
    """Return how an answer of this shape differs from those that the engine's parser was tested on.

    A part is missing where the key that holds it is there, and the answer has results.
    """
    known = read_known_shapes().get(engine, KnownShape(frozenset(), frozenset()))
    is_empty = bool(readings) and all(reading.outcome is Outcome.EMPTY for reading in readings)
    missing = () if is_empty else sorted(known.needed - shape)
    parents = {part: part.rpartition(".")[0].removesuffix("[]") for part in missing}
    missing = [part for part, parent in parents.items() if not parent or parent in shape]
    return ShapeDifference(tuple(missing), tuple(sorted(shape - known.known)))


#: Traits of an answer that can become more frequent, with their words.
TRAITS = {
    "unread": "cannot be read",
    "lacking": "lack a part that the parser needs",
    "new": "have parts that no recorded answer has",
}


def find_traits(engine: str, body: bytes, readings: Sequence[Reading]) -> frozenset[str] | None:
    """Return the traits and parts of an answer; None for a wall, no answer of the engine."""
    if any(reading.outcome is Outcome.BLOCKED for reading in readings):
        return None
    shape = find_shape(body, readings)
    difference = compare_shape(engine, shape, readings)
    is_read = any(reading.outcome in ANSWERED_OUTCOMES for reading in readings)
    holds = {"unread": not is_read, "lacking": difference.missing, "new": difference.new}
    traits = [name for name, is_so in holds.items() if is_so]
    return frozenset([*traits, *(f"{PART}{part}" for part in shape)])


# --- change ---------------------------------------------------------------------------------------

#: The test is exact: it needs no more answers, requests with many questions among them.
LEAST_SHAPES = 5
#: A change of fewer points is no redesign. The chance is for the traits, and for all parts at once.
MOST_CHANCE, LEAST_RISE = 0.001, 0.10
#: Parts that a sentence names.
_MOST_NAMED = 3


def find_change(now: ShapeTally, before: Sequence[ShapeTally]) -> str | None:
    """Return how the answers of a run differ in shape from those of the runs before, in sentences.

    A trait or part counts where its share moves by more than `LEAST_RISE` and an exact test gives
    at most `MOST_CHANCE`: of traits a rise, of parts a rise or a fall. Empty where nothing moved;
    None for fewer than `LEAST_SHAPES` answers on either side.
    """
    if min(now.answers, sum(tally.answers for tally in before)) < LEAST_SHAPES:
        return None
    sentences = [
        _compare_share(name, words, now, before, MOST_CHANCE) for name, words in TRAITS.items()
    ]
    with_parts = [tally for tally in before if any(map(_is_part, tally.traits))]
    parts = sorted({n for tally in (now, *with_parts) for n in tally.traits if _is_part(n)})
    if with_parts and any(map(_is_part, now.traits)):
        moved = [
            sentence
            for name in parts
            for words in (f"have the {name}", f"lack the {name}")
            if (sentence := _compare_share(name, words, now, with_parts, MOST_CHANCE / len(parts)))
        ]
        sentences += moved[:_MOST_NAMED]
        sentences += [f"{len(moved) - _MOST_NAMED} more parts"] * (len(moved) > _MOST_NAMED)
    return "; ".join(filter(None, sentences))


def _is_part(name: str) -> bool:
    return name.startswith(PART)


def _compare_share(
    name: str, words: str, now: ShapeTally, before: Sequence[ShapeTally], most_chance: float
) -> str:
    """Return a sentence where more answers have, or for `lack` have not, a trait; else empty."""
    has, has_not = (f"not {name}", name) if words.startswith(f"lack the {PART}") else (
        name, f"not {name}",
    )  # fmt: skip
    n_before = sum(tally.answers for tally in before)
    k, k_before = now.count(has), sum(tally.count(has) for tally in before)
    if k / now.answers - k_before / n_before <= LEAST_RISE:
        return ""
    law = hypergeometric_law(now.answers + n_before, k + k_before, now.answers)
    if float(law[k:].sum()) > most_chance:
        return ""
    now_one, usual = _find_example([now], has), _find_example(before, has_not)
    return (
        f"{k} of {now.answers} answers {words}, against {k_before} of {n_before} in "
        f"{several(len(before), 'run')} before (attempt {now_one}, before: attempt {usual}; side "
        f"by side: monitor evidence show {now_one} --beside {usual})"
    )


def _find_example(tallies: Sequence[ShapeTally], name: str) -> int | str:
    """Return an attempt with a trait; a part that no answer has lacks in each of them."""
    examples = [tally.examples for tally in tallies]
    named = (attempts[name] for attempts in examples if name in attempts)
    return next(named, None) or next((n for one in examples for n in one.values()), "")
