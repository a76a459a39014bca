"""Everything that follows from raw answers: readings, signals, points."""

from collections.abc import Iterator
from datetime import UTC, datetime

import sqlalchemy as sa

from monitor import registry
from monitor.data import read_table
from monitor.jobs import Audit, EngineUse, fits
from monitor.model import (
    Engine,
    Flag,
    Kind,
    Reading,
    Unit,
    primary,
)
from monitor.pipeline.steps import Progress
from monitor.stages import parse, signal
from monitor.stages.measure import Instrument, measure
from monitor.store import evidence, lists, points, readings, runs, signals
from monitor.store.database import Database
from monitor.store.runs import Run

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
        for target in use.targets:
            with database.begin() as connection:
                parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
                language = audit.job.language(target)
                language_id = runs.language_id(connection, language)
                for cue in cues:
                    key = (target, language_id, cue, parser_id)
                    texts = signals.unheard(connection, run.id, *key)
                    found = signal.signals(language, cue, texts)
                    signals.store(connection, language_id, cue, found)
                runs.mark_stage(
                    connection, run.id, "signal", f"{target}:{language.code}@{language.version}"
                )


def _instruments(audit: Audit, engine: Engine, target: str) -> Iterator[Instrument]:
    """Every measure of the job on every list that it fits, with each of its references."""
    for chosen in audit.job.measures:
        configured = chosen.configured()
        if configured.kind is not engine.kind:
            continue
        for probe_list in audit.lists:
            if not fits(configured, probe_list):
                continue
            for name in chosen.references or [""]:
                yield Instrument(
                    measure=configured,
                    engine=engine,
                    language=audit.job.language(target) if engine.kind is Kind.MT else None,
                    probe_list=probe_list,
                    reference=registry.reference(name) if name else None,
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
    for use, engine in audit.engines:
        for target in use.targets:
            for instrument in _instruments(audit, engine, target):
                for source in instrument.probe_list.source_langs:
                    if not use.asks(source, target):
                        continue
                    with database.begin() as connection:
                        alone = engine.surface == "api" and primary(target) not in controlled
                        flags = (Flag.NO_CONTROL,) if alone else ()
                        where = use, (source, target), flags
                        written += _points_of(connection, run, where, instrument)
    return written


def _units(
    connection: sa.Connection,
    run: Run,
    instrument: Instrument,
    engine_id: int,
    list_id: int,
    pair: tuple[str, str],
) -> list[Unit]:
    engine, language = instrument.engine, instrument.language
    parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
    if language is None:
        return signals.scores(connection, run.id, engine_id, list_id, pair, parser_id)
    versions = parser_id, runs.language_id(connection, language)
    return signals.units(connection, run.id, engine_id, list_id, pair, versions)


def _points_of(
    connection: sa.Connection,
    run: Run,
    where: tuple[EngineUse, tuple[str, str], tuple[Flag, ...]],
    instrument: Instrument,
) -> int:
    use, pair, flags = where
    engine, probe_list = instrument.engine, instrument.probe_list
    engine_id = runs.engine_id(connection, engine, use)
    list_id = lists.published_id(connection, probe_list)
    units = _units(connection, run, instrument, engine_id, list_id, pair)
    if not units:  # a sample may have left out a whole language
        return 0
    key = points.SeriesKey(
        job=run.job,
        list=probe_list.name,
        engine_id=engine_id,
        engine=(use.label(engine), engine.surface, use.config_hash),
        source_lang=pair[0],
        target=pair[1],
        measure=instrument.name,
        reference=instrument.reference.name if instrument.reference else "",
    )
    result, inputs = measure(instrument, units, key.identity, run.due_at.isoformat(), flags)
    signature = points.signature_id(connection, instrument.signature)
    if instrument.reference:
        shares = instrument.reference.shares(topic.topic for topic in result.topics)
        reference = instrument.reference
        points.keep_shares(connection, reference.name, reference.as_of, shares)
    now = datetime.now(UTC)
    return points.store(connection, run, key, signature, result, inputs, now)


def derive(database: Database, audit: Audit, run: Run, progress: Progress) -> int:
    """Everything that follows from the raw answers: readings, signals, points."""
    steps = ("parse", "signal", "measure")
    progress(steps[0], 0, len(steps))
    read_answers(database, audit, run)
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
