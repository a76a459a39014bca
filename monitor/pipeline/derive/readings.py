"""From raw answers to readings, and from readings to signals, in portions that are each stored.

In goes a run; out come rows of the present versions of its parsers and languages. Answers and texts
are read, and rows written, in this process; what is pure may be done by others (`hands`). Each
portion is one transaction: what was done stays done, and nothing is done twice.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple, cast

from monitor import registry
from monitor.fetch.local import Hands
from monitor.jobs import Audit, EngineUse, as_configured
from monitor.live_record import NETWORK_SURFACES
from monitor.model import (
    Cue,
    Engine,
    EntityText,
    GenderReader,
    InvalidInput,
    Json,
    Kind,
    Reading,
)
from monitor.stages.collect.answer_shapes import TRAITS, find_change, find_traits
from monitor.stages.derive import measurement
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import readings, signals
from monitor.store.derive.readings import ShapeTally, UnreadAnswer
from monitor.store.derive.signals import Heard

#: Texts that one process is handed at a time, and signals in one transaction.
_TEXTS_AT_ONCE = 4_000
#: So many texts of one language are remembered with what was heard in them: some tens of megabytes.
_REMEMBERED = 50_000
#: Of a fingerprint so many digits tell two contents of one version apart.
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Work:
    """Means of the work: executor and progress callback."""

    hands: Hands = field(default_factory=Hands)
    told: Callable[[int], None] = lambda _n: None


# --- readings -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToParse:
    """Answers for a parser, which is named, not handed over."""

    engine: str
    config: Mapping[str, Json]
    version: int
    unread: tuple[UnreadAnswer, ...]


class ParsedAnswer(NamedTuple):
    """The readings of an answer, and the traits of its shape; None where none are looked for."""

    readings: list[Reading]
    traits: frozenset[str] | None


def parse_portion(order: ToParse) -> list[ParsedAnswer]:
    """The readings of each answer. Raises InvalidInput where the parser is of another version."""
    engine = as_configured(registry.engine(order.engine), order.config)
    _check_version(order.engine, engine.version, order.version)
    is_networked = engine.surface in NETWORK_SURFACES
    parsed = []
    for item in order.unread:
        item_readings = measurement.parse_answer(engine, item.answer, item.probes)
        traits = find_traits(engine.name, item.answer.body, item_readings) if is_networked else None
        parsed.append(ParsedAnswer(item_readings, traits))
    return parsed


def tally_shapes(order: ToParse, parsed: Sequence[ParsedAnswer]) -> ShapeTally:
    """Count the traits and parts of a portion of answers."""
    answers = [
        (item.attempt_ids[0], answer.traits)
        for item, answer in zip(order.unread, parsed, strict=True)
        if answer.traits is not None and item.attempt_ids
    ]
    counts = Counter(trait for _, traits in answers for trait in traits)
    examples: dict[str, int] = {}
    for attempt, traits in answers:
        for name in {*TRAITS, *counts}:
            examples.setdefault(name if name in traits else f"not {name}", attempt)
    return ShapeTally(len(answers), counts, examples)


#: A season's runs of a weekly job, of those of a year that are like each other.
_RUNS_BEFORE, _RUNS_LOOKED_AT = 8, 52


def judge_shapes(database: Database, run: Run) -> None:
    """Keep how the answers of a run differ in shape from the runs before that the parser read.

    A run that differs is no measure for later ones, or what is broken would be usual after a while.
    """
    with database.read() as connection:
        shapes = readings.read_tallies(connection, run.id)
        if not shapes:
            return
        usual: dict[str, list[ShapeTally]] = {engine: [] for engine in shapes}
        for number in readings.list_runs_before(connection, run, _RUNS_LOOKED_AT):
            if all(len(tallies) >= _RUNS_BEFORE for tallies in usual.values()):
                break
            differing = readings.read_changes(connection, number)
            for engine, (parser, tally) in readings.read_tallies(connection, number).items():
                is_same = engine in shapes and shapes[engine][0] == parser
                if is_same and not differing.get(engine):
                    usual[engine].append(tally)
    changes = {
        engine: change
        for engine, (_, tally) in shapes.items()
        if (change := find_change(tally, usual[engine][:_RUNS_BEFORE])) is not None
    }
    with database.begin() as connection:
        readings.store_changes(connection, run.id, changes)


def _check_version(name: str, here: int, wanted: int) -> None:
    if here != wanted:
        raise InvalidInput(
            f"{name}: was updated from version {wanted} to {here} meanwhile; start again"
        )


def parser_mark(engine: Engine) -> str:
    """A parser with its version and content, as stages name it."""
    return f"{engine.name}@{engine.version}+{_content('engines', engine.name)}"


def _content(folder: str, name: str) -> str:
    return registry.compute_fingerprint(folder, name)[:_DIGITS]


def read_answers(database: Database, audit: Audit, run: Run, work: Work | None = None) -> None:
    """Parse every answer of a run that the current parser versions have not read."""
    work = work or Work()
    for use, engine in audit.engines:
        with database.begin() as connection:
            engine_id = runs.ensure_engine(connection, engine, use)
            parser_id = runs.ensure_plugin(connection, "engines", engine.name, engine.version)
        with database.read() as connection:
            portions = readings.find_unread_ids(connection, run.id, engine_id, parser_id)
        orders = _to_parse(database, use, engine, portions)
        for order, result in work.hands.compute_each(parse_portion, orders):
            pairs = [
                (attempt, reading)
                for item, parsed in zip(order.unread, result, strict=True)
                for attempt, reading in zip(item.attempt_ids, parsed.readings, strict=True)
            ]
            shapes = tally_shapes(order, result)
            with database.begin() as connection:
                readings.store_readings(connection, parser_id, pairs)
                if shapes.answers:
                    readings.add_tally(connection, run.id, use.label(engine), parser_id, shapes)
            work.told(len(pairs))
        with database.begin() as connection:
            runs.mark_stage(connection, run.id, "parse", parser_mark(engine))
    judge_shapes(database, run)


def _to_parse(
    database: Database, use: EngineUse, engine: Engine, portions: list[list[int]]
) -> Iterator[ToParse]:
    config = dict(use.fill_config(engine))
    for ids in portions:
        with database.read() as connection:
            unread_answers = readings.read_unread(connection, database, ids)
        yield ToParse(engine.name, config, engine.version, tuple(unread_answers))


# --- signals --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToHear:
    """Texts for a language, which is named, not handed over."""

    target: str
    nouns: bool
    version: int
    cue: Cue
    item_ids: tuple[int, ...]
    texts: tuple[str, ...] | tuple[EntityText, ...]


def hear_portion(order: ToHear) -> list[Heard]:
    """What is heard in each text. Raises InvalidInput where the language is of another version."""
    language = _language_of(order)
    found = measurement.find_signals(language, order.cue, order.texts)
    return [signals.encode_signal(signal) for signal in found]


def _language_of(order: ToHear) -> GenderReader:
    language = registry.gender_reader(order.target, [order.cue], nouns=order.nouns)
    _check_version(language.name, language.version, order.version)
    return language


def heard_again(order: ToHear) -> list[Heard]:
    """The same in a process that lives for one redo: from week to week most texts are the same."""
    _language_of(order)
    hear = _remembering(order.target, order.nouns, order.cue)
    return [hear(text) for text in order.texts]


@cache
def _remembering(target: str, nouns: bool, cue: Cue) -> Callable[[str | EntityText], Heard]:
    language = registry.gender_reader(target, [cue], nouns=nouns)

    @lru_cache(_REMEMBERED)
    def hear(text: str | EntityText) -> Heard:
        [found] = measurement.find_signals(language, cue, cast("Sequence[str]", [text]))
        return signals.encode_signal(found)

    return hear


def signal_mark(target: str, language: GenderReader, engine: Engine) -> str:
    """A language as a target is read, with its version and content, on what a parser read."""
    folder = registry.folder_of(language)
    is_own_choice = language.nouns == registry.gender_reader(target, language.cues).nouns
    variant = "(entity)" if folder == "entities" else "" if is_own_choice else "(nouns)"
    own = f"{language.code}{variant}@{language.version}+{_content(folder, language.code)}"
    return f"{target}:{own} of {parser_mark(engine)}"


def list_readers(audit: Audit) -> Iterator[tuple[Engine, str, GenderReader]]:
    """Yield (engine, target, reader) for each way in which a job's translations are read."""
    for use, engine in audit.engines:
        if engine.kind is Kind.MT:
            for target in use.wanted:
                for language in audit.languages(target):
                    yield engine, target, language


def find_signals(database: Database, audit: Audit, run: Run, work: Work | None = None) -> None:
    """Find the signals that the job's measures need in every item that lacks them."""
    work = work or Work()
    hear = hear_portion if work.hands.processes <= 1 else heard_again
    cues = sorted({cue for probe_list in audit.lists for cue in probe_list.cues})
    for engine, target, language in list_readers(audit):
        with database.begin() as connection:
            parser_id = runs.ensure_plugin(connection, "engines", engine.name, engine.version)
            language_id = runs.ensure_language(connection, language)
        for cue in (cue for cue in cues if cue in language.cues):
            with database.read() as connection:
                wanted = signals.find_unheard(
                    connection, run.id, target, language_id, cue, parser_id
                )
            orders = _to_hear(database, run, target, language, cue, wanted)
            for order, found in work.hands.compute_each(hear, orders):
                with database.begin() as connection:
                    signals.store_signals(connection, language_id, cue, order.item_ids, found)
                work.told(len(found))
        with database.begin() as connection:
            runs.mark_stage(connection, run.id, "signal", signal_mark(target, language, engine))


def _to_hear(
    database: Database,
    run: Run,
    target: str,
    language: GenderReader,
    cue: Cue,
    wanted: list[int],
) -> Iterator[ToHear]:
    for start in range(0, len(wanted), _TEXTS_AT_ONCE):
        portion = wanted[start : start + _TEXTS_AT_ONCE]
        found: Sequence[tuple[int, str]] | Sequence[tuple[int, EntityText]]
        with database.read() as connection:
            found = (
                signals.read_entity_texts(connection, run.id, portion)
                if cue is Cue.ENTITY
                else signals.read_texts(connection, portion)
            )
        ids, texts = zip(*found, strict=True)
        yield ToHear(target, language.nouns, language.version, cue, ids, texts)
