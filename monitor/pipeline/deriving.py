"""Everything that follows from raw answers: readings, signals, points."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import product

import sqlalchemy as sa

from monitor.data import read_table
from monitor.jobs import Audit, EngineUse, fits, reads_words
from monitor.model import (
    Engine,
    Flag,
    Kind,
    Origin,
    Reading,
    Region,
    Unit,
    digest,
    primary,
)
from monitor.pipeline.leaving import elsewhere
from monitor.pipeline.looking_up import snapshot_of
from monitor.pipeline.steps import Progress
from monitor.pipeline.wording import landing_collection, of_documents, of_words, source_of
from monitor.stages import parse, signal
from monitor.stages.measure import DOCUMENT, LANDING, Instrument, measure, withheld
from monitor.store import (
    evidence,
    lists,
    lookups,
    points,
    readings,
    runs,
    shares,
    shown,
    signals,
    texts,
)
from monitor.store.database import Database
from monitor.store.runs import Run

#: Where of more people than this share nobody could say anything, because a service was gone, the
#: values would be those of whom it happened to answer for.
_UNKNOWN_MOST = 0.02

#: Readings are stored so many at a time: one statement each time, and memory stays bounded.
_READINGS_AT_ONCE = 2_000


def read_answers(database: Database, audit: Audit, run: Run) -> None:
    """Parse every answer of a run that the current parser versions have not read."""
    for use, engine in audit.engines:
        with database.begin() as connection:
            engine_id = runs.engine_id(connection, engine, use)
            parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
            pairs: list[tuple[int, Reading]] = []
            for unread in readings.unread(connection, database, run.id, engine_id, parser_id):
                read = parse.parse(engine, unread.answer, unread.probes)
                pairs += zip(unread.attempt_ids, read, strict=True)
                if len(pairs) >= _READINGS_AT_ONCE:
                    readings.store(connection, parser_id, pairs)
                    pairs = []
            readings.store(connection, parser_id, pairs)
            runs.mark_stage(connection, run.id, "parse", f"{engine.name}@{engine.version}")


def find_signals(database: Database, audit: Audit, run: Run) -> None:
    """Find the signals that the job's measures need in every item that lacks them."""
    cues = sorted({cue for probe_list in audit.lists for cue in probe_list.cues})
    for use, engine in audit.engines:
        if engine.kind is not Kind.MT:
            continue
        for target in use.wanted:
            with database.begin() as connection:
                parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
                language = audit.job.language(target)
                language_id = runs.language_id(connection, language)
                for cue in cues:
                    key = (target, language_id, cue, parser_id)
                    unheard = signals.unheard(connection, run.id, *key)
                    found = signal.signals(language, cue, unheard)
                    signals.store(connection, language_id, cue, found)
                runs.mark_stage(
                    connection, run.id, "signal", f"{target}:{language.code}@{language.version}"
                )


def _instruments(audit: Audit, engine: Engine, target: str) -> Iterator[Instrument]:
    """Every measure of the job on every list that it fits, with each of its references."""
    for chosen in audit.job.measures:
        for configured, probe_list in product(chosen.configured(engine.kind), audit.lists):
            if configured.kind is not engine.kind or not fits(configured, probe_list):
                continue
            if reads_words(configured):
                yield from of_words(chosen, configured, engine, probe_list)
                continue
            for name in chosen.references or [""]:
                yield Instrument(
                    measure=configured,
                    engine=engine,
                    language=audit.job.language(target) if engine.kind is Kind.MT else None,
                    probe_list=probe_list,
                    reference=audit.references[name] if name else None,
                    block=chosen.block if engine.kind is Kind.SEARCH else "",
                )


def changed_controls(database: Database, audit: Audit, run: Run) -> set[str]:
    """Labels of control engines whose library or model is not that of the run before."""
    found = set()
    for use, engine in audit.engines:
        if use.control:
            with database.begin() as connection:
                engine_id = runs.engine_id(connection, engine, use)
                before, now = evidence.answered_by(connection, run.id, run.job, engine_id)
            if before and now and before != now:
                found.add(use.label(engine))
    return found


def controlled_targets(audit: Audit, changed: set[str]) -> set[str]:
    """Primary subtags of the languages for which a control stood still."""
    return {
        primary(target)
        for use, engine in audit.engines
        if use.control and use.label(engine) not in changed
        for target in use.targets
    }


def compute_points(database: Database, audit: Audit, run: Run) -> int:
    """Compute and store the points of a run. Returns how many were new.

    Points of services are flagged `no_control` where no pinned local engine was asked beside them.
    """
    controlled = controlled_targets(audit, changed_controls(database, audit, run))
    written = 0
    words: dict[tuple[object, ...], list[Unit]] = {}
    for use, engine in audit.engines:
        for target in use.wanted:
            alone = (
                engine.kind is not Kind.SEARCH
                and engine.surface == "api"
                and primary(target) not in controlled
            )
            flags = (Flag.NO_CONTROL,) if alone else ()
            with database.read() as connection:
                reason = _from_elsewhere(connection, run, engine, audit.regions.get(target))
                unknown = reason or _people_unknown(connection, run, engine)
            others = [(u, e) for u, e in audit.engines if e.kind is engine.kind and u is not use]
            where = _Where(database, use, target, flags, reason, unknown, others, words)
            for instrument in _instruments(audit, engine, target):
                for source in instrument.probe_list.source_langs:
                    if use.asks(source, target):
                        with database.begin() as connection:
                            written += _points_of(connection, run, where, source, instrument)
    return written


@dataclass(frozen=True, slots=True)
class _Where:
    """Which answers of a run: the use of an engine, and the target language or region.

    `withheld` says why none of them can have a value, `unlabelled` why none about people can.
    Measures and references of a job differ while the answers are the same, so `known` holds what
    was read of them, and `words` the same of `others`, which are compared with each other.
    """

    database: Database
    use: EngineUse
    target: str
    flags: tuple[Flag, ...]
    withheld: str
    unlabelled: str
    others: Sequence[tuple[EngineUse, Engine]]
    words: dict[tuple[object, ...], list[Unit]]
    known: dict[tuple[int, str, str, str], list[Unit]] = field(default_factory=dict)


def _known_units(
    connection: sa.Connection,
    run_id: int,
    where: _Where,
    source: str,
    instrument: Instrument,
    engine_id: int,
) -> list[Unit]:
    """The units of an instrument, read once for all that are read from the same answers."""
    if instrument.text:
        use, engine = where.use, instrument.engine
        return _read_words(connection, run_id, where, source, instrument, (use, engine, engine_id))
    key = run_id, instrument.probe_list.label, source, instrument.block
    if key not in where.known:
        list_id = lists.published_id(connection, instrument.probe_list)
        pair = source, where.target
        where.known[key] = _units(connection, run_id, instrument, engine_id, list_id, pair)
    return where.known[key]


def _units(
    connection: sa.Connection,
    run_id: int,
    instrument: Instrument,
    engine_id: int,
    list_id: int,
    pair: tuple[str, str],
) -> list[Unit]:
    engine, language = instrument.engine, instrument.language
    parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
    if instrument.block:
        block = instrument.block
        return shown.units(connection, run_id, engine_id, list_id, pair, parser_id, block)
    if language is None:
        return signals.scores(connection, run_id, engine_id, list_id, pair, parser_id)
    versions = parser_id, runs.language_id(connection, language)
    return signals.units(connection, run_id, engine_id, list_id, pair, versions)


def _read_words(
    connection: sa.Connection,
    run_id: int,
    where: _Where,
    source: str,
    instrument: Instrument,
    asked: tuple[EngineUse, Engine, int],
) -> list[Unit]:
    """The units of a system by their words, read once for all measures and comparisons."""
    use, engine, engine_id = asked
    pair, label = (source, where.target), instrument.probe_list.label
    key = run_id, engine_id, label, *pair, instrument.text
    if key not in where.words:
        list_id = lists.published_id(connection, instrument.probe_list)
        parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
        texts_from = source_of(use, instrument.text, run_id)
        found = (engine_id, list_id, pair, parser_id, texts_from)
        where.words[key] = texts.units(connection, where.database, run_id, *found)
    return where.words[key]


def _beside(
    connection: sa.Connection, run_id: int, where: _Where, source: str, instrument: Instrument
) -> dict[str, Sequence[Unit]]:
    """The units of the job's other systems on the same questions, by their labels.

    Whole documents are not compared with titles and snippets.
    """
    if not instrument.text:
        return {}
    found: dict[str, Sequence[Unit]] = {}
    for use, engine in where.others:
        alike = of_documents(engine) == (instrument.text == DOCUMENT)
        if alike and use.asks(source, where.target):
            asked = use, engine, runs.engine_id(connection, engine, use)
            units = _read_words(connection, run_id, where, source, instrument, asked)
            if units:
                found[use.label(engine)] = units
    return found


def _points_of(
    connection: sa.Connection, run: Run, where: _Where, source: str, instrument: Instrument
) -> int:
    use, engine = where.use, instrument.engine
    engine_id = runs.engine_id(connection, engine, use)
    read = where, source, instrument, engine_id
    units = _known_units(connection, run.id, *read)
    if not units:  # a sample may have left out a whole language
        return 0
    instrument = _dated(connection, instrument)
    if instrument.text == LANDING:
        found = texts.extractors(connection, landing_collection(run.id))
        instrument = replace(instrument, extractors=tuple(found))
    key = points.SeriesKey(
        job=run.job,
        list=instrument.probe_list.name,
        engine_id=engine_id,
        engine=(use.label(engine), engine.surface, use.config_hash),
        source_lang=source,
        target=where.target,
        measure=instrument.name,
        reference=instrument.reference.name if instrument.reference else "",
    )
    # changes on a fixed panel are those of search engines
    searched = instrument.block or instrument.text
    earlier = runs.before(connection, run) if searched else None
    before = _known_units(connection, earlier, *read) if earlier else []
    due_at = run.due_at.isoformat()
    result, inputs = measure(
        instrument,
        units,
        key.identity,
        due_at,
        where.flags,
        before,
        _beside(connection, run.id, where, source, instrument),
        _beside(connection, earlier, where, source, instrument) if earlier else {},
        use.label(engine),
    )
    if reason := where.withheld if instrument.text else where.unlabelled:
        result, inputs = withheld(result, reason), digest([inputs, reason])
    signature = points.signature_id(connection, instrument.signature)
    if instrument.reference and instrument.reference.origin is not Origin.LISTS:
        reference, topics = instrument.reference, [topic.topic for topic in result.topics]
        used = reference.targets(topics)
        if not instrument.block:  # translations are compared with the share of women alone
            used = {topic: (share,) for topic, share in reference.shares(topics).items()}
        shares.keep(connection, reference.name, reference.as_of, used)
    now = datetime.now(UTC)
    return points.store(connection, run, key, signature, result, inputs, now)


def _dated(connection: sa.Connection, instrument: Instrument) -> Instrument:
    """The instrument with the newest snapshot of a source that is asked."""
    source = instrument.reference
    if source is None or source.origin is not Origin.OUTSIDE:
        return instrument
    topics = {item.tags[instrument.measure.tag] for item in instrument.probe_list.items}
    return replace(instrument, reference=snapshot_of(connection, source, topics))


def _from_elsewhere(
    connection: sa.Connection, run: Run, engine: Engine, region: Region | None
) -> str:
    """Why pages have no value: asked for from another country than was declared; or ""."""
    if engine.kind is not Kind.SEARCH or region is None or engine.surface != "ui":
        return ""
    return elsewhere(lookups.countries(connection, run.id), region.country, region.name)


def _people_unknown(connection: sa.Connection, run: Run, engine: Engine) -> str:
    """Why nothing can be said of who was shown: people not looked up yet; or ""."""
    if engine.kind is not Kind.SEARCH:
        return ""
    missing, everybody = shown.unknown(connection, run.id)
    if missing > _UNKNOWN_MOST * everybody:
        return f"{missing:,} of {everybody:,} people could not be looked up yet"
    return ""


def derive(
    database: Database,
    audit: Audit,
    run: Run,
    progress: Progress,
    look_up: Callable[[], None] | None = None,
) -> int:
    """Everything that follows from the raw answers: readings, signals, points.

    `look_up` finds out what answers alone do not say, once they were read.
    """
    steps = ("parse", "signal", "measure")
    progress(steps[0], 0, len(steps))
    read_answers(database, audit, run)
    if look_up:
        look_up()
    progress(steps[1], 1, len(steps))
    find_signals(database, audit, run)
    progress(steps[2], 2, len(steps))
    with database.begin() as connection:
        points.keep_scopes(connection, _stereotype_titles())
    written = compute_points(database, audit, run)
    progress(steps[2], 3, len(steps))
    return written


def _stereotype_titles() -> list[tuple[str, str, str]]:
    rows = read_table("gest_stereotypes")
    return [
        (f"stereotype:{row['id']}", row["about"], f"{row['about']} are {row['name']}")
        for row in rows
    ]
