"""Compute values of a run: the instruments of its job, applied to what is known of each question.

Units are read and values are computed while nothing is locked, by any process that can read the
database; points are stored in a short transaction for each measure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import product

from monitor.clusters import has_donors, hide_few_donors
from monitor.data import read_table
from monitor.jobs import Audit, EngineUse, is_applicable, reads_overviews, reads_words
from monitor.model import (
    DONATED,
    FEWEST_DONORS,
    Engine,
    Flag,
    Json,
    Kind,
    Origin,
    Result,
    RunKind,
    Share,
    Unit,
    digest,
    primary,
)
from monitor.pipeline.collect.lookups import snapshot_of
from monitor.pipeline.collect.run_context import Stop, never
from monitor.pipeline.derive.corpora import collections_of
from monitor.pipeline.derive.lexicons import landing_collection, of_documents, of_words, source_of
from monitor.pipeline.derive.readings import list_readers
from monitor.pipeline.derive.withheld_values import say_elsewhere, say_removed, say_unknown_people
from monitor.stages.derive.measurement import (
    DOCUMENT,
    LANDING,
    Instrument,
    measure_values,
    own_topics,
    withhold_result,
)
from monitor.stages.validation import ReadingDoubt, known_doubts
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import (
    corpora,
    people,
    points,
    readings,
    signals,
    signatures,
    texts,
)
from monitor.store.derive.points import SeriesKey
from monitor.store.derive.signals import ReadItems
from monitor.store.jobs import declarations
from monitor.store.selectables import ListAnswers

# --- instruments ----------------------------------------------------------------------------------


def list_instruments(audit: Audit, engine: Engine, target: str) -> Iterator[Instrument]:
    """Every measure of the job on every list that it fits, with each of its references."""
    for measure in audit.job.measures:
        for configured, probe_list in product(measure.configure_for(engine.kind), audit.lists):
            if configured.kind is not engine.kind or not is_applicable(configured, probe_list):
                continue
            for name in measure.references or [""]:
                reference = audit.references[name] if name else None
                if reads_words(configured):
                    for word in of_words(measure, configured, engine, probe_list):
                        yield replace(word, reference=reference, corpus=audit.job.corpus)
                    continue
                language, block = None, ""
                if engine.kind is Kind.MT:
                    language = audit.job.find_language(target, probe_list.cues)
                elif engine.kind is Kind.SEARCH and not reads_overviews(configured):
                    block = measure.block
                yield Instrument(configured, engine, language, probe_list, reference, block)


def date_instrument(connection: Connection, instrument: Instrument) -> Instrument:
    """The instrument with the newest snapshot of a source that is asked."""
    source = instrument.reference
    if source is None or source.origin is not Origin.OUTSIDE:
        return instrument
    measure = instrument.measure
    topics = set(own_topics(measure)) or {
        item.tags[measure.tag] for item in instrument.probe_list.items
    }
    return replace(instrument, reference=snapshot_of(connection, source, topics))


def with_extractors(connection: Connection, run: Run, instrument: Instrument) -> Instrument:
    """The instrument with what took the words out of the pages of a run."""
    if instrument.text != LANDING:
        return instrument
    extractors = {
        extractor
        for number in corpora.find_runs_read(connection, run.id)
        for extractor in texts.list_extractors(connection, landing_collection(number))
    }
    return replace(instrument, extractors=tuple(sorted(extractors)))


# --- values ---------------------------------------------------------------------------------------

#: Why nothing is said of donated pages.
FEW_DONORS = f"no question has pages of {FEWEST_DONORS} donors"

#: Follows the key of a question that another version of the list asks otherwise.
_OTHER_VERSION = " of another version"


@dataclass(frozen=True, slots=True)
class AskedSystem:
    """A system as a job asks it, and the pair of languages (or source language and region)."""

    use: EngineUse
    engine: Engine
    engine_id: int
    source: str
    target: str

    @property
    def pair(self) -> tuple[str, str]:
        """Source language, and target language or region."""
        return self.source, self.target


def read_units(
    connection: Connection,
    database: Database,
    run_id: int,
    asked: AskedSystem,
    instrument: Instrument,
    list_id: int | None = None,
    read_items: ReadItems | None = None,
) -> list[Unit]:
    """The units of a run as the present versions of parser and language read them.

    `list_id` is the version of the list that the run asked; that of the instrument if left out.
    `read_items` gives the items of the list, by default from the database.
    Nothing that was not read by these versions has a usable answer. Of pages that donors gave, a
    question of too few donors has none either.
    """
    engine = instrument.engine
    if list_id is None:
        list_id = declarations.find_list_id(connection, instrument.probe_list)
    if instrument.corpus:
        read = corpora.find_runs_read(connection, run_id)
        pages = collections_of(read, instrument.text)
        of = asked.engine_id, list_id, asked.pair, instrument.text
        units = corpora.read_units(connection, database, run_id, *of, pages)
    else:
        parser_id = runs.ensure_plugin(connection, "engines", engine.name, engine.version)
        answers = ListAnswers(run_id, asked.engine_id, list_id, asked.pair, parser_id)
        if reads_overviews(instrument.measure):
            units = texts.read_overview_units(connection, answers)
        elif instrument.text:
            texts_from = source_of(asked.use, instrument.text, run_id)
            units = texts.read_units(connection, database, answers, texts_from)
        elif instrument.block:
            units = people.read_units(connection, answers, instrument.block)
        elif instrument.language is None:
            units = signals.read_scores(connection, answers, read_items)
        else:
            language_id = runs.ensure_language(connection, instrument.language)
            units = signals.read_units(connection, answers, language_id, read_items)
    return hide_few_donors(units) if engine.surface == DONATED else units


def same_questions(
    connection: Connection,
    asked: AskedSystem,
    before: tuple[int, Sequence[Unit]],
    now: int,
    read_items: ReadItems,
) -> list[Unit]:
    """Return units of another version of the list, to be matched by key with those of the present.

    `before` is the version that they were asked under with the units, `now` the present one. A
    question whose key asks something else now gets a key of its own: like a question that only one
    version has, it is usable at one side alone and stays in the counts.
    """
    list_id, units_before = before
    if list_id == now:
        return list(units_before)
    first_side, second_side = (
        {item.key: item.probe for item in read_items(connection, version, asked.pair)}
        for version in (now, list_id)
    )
    return [
        replace(unit, key=f"{unit.key}{_OTHER_VERSION}")
        if unit.key in first_side and second_side.get(unit.key) != first_side[unit.key]
        else unit
        for unit in units_before
    ]


def take_repeat(unit: Unit, number: int) -> Unit | None:
    """The unit with one of its repeats alone, counted from 0; None where it has not so many."""
    planned = max(map(len, (unit.classes, unit.lists, unit.documents, unit.overviews)))
    if number >= planned:
        return None
    names = ("classes", "lists", "documents", "swapped", "overviews")
    return replace(unit, **{name: getattr(unit, name)[number : number + 1] for name in names})


#: Runs that are on a grid or stand by themselves; the others ask a part of the questions again, so
#: that they have answers and signals, and no points.
WITH_POINTS = frozenset({RunKind.SCHEDULED, RunKind.MANUAL})


# --- controls -------------------------------------------------------------------------------------


def changed_controls(connection: Connection, audit: Audit, run: Run) -> set[str]:
    """Labels of control engines whose library or model is not that of the run before."""
    changed_controls = set()
    for use, engine in audit.engines:
        if use.control:
            engine_id = runs.ensure_engine(connection, engine, use)
            before, now = evidence.find_answerers(connection, run.id, run.job, engine_id)
            if before and now and before != now:
                changed_controls.add(use.label(engine))
    return changed_controls


def controlled_targets(audit: Audit, changed: set[str]) -> set[str]:
    """Primary subtags of the languages for which a control stood still."""
    return {
        primary(target)
        for use, engine in audit.engines
        if use.control and use.label(engine) not in changed
        for target in use.targets
    }


# --- computing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Computed:
    """Values of a measure for one system, list and pair of languages, as they are stored.

    `shares` are the reference shares that it was computed with, of the source and the date named.
    """

    key: SeriesKey
    signature: Mapping[str, Json]
    result: Result
    inputs: str
    reference: tuple[str, str] = ("", "")
    shares: Mapping[str, tuple[Share, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Where:
    """Selection of answers of a run: the use of an engine, and the target language or region.

    `withheld` says why none of them can have a value, `unlabelled` why none about people can.
    Measures and references of a job differ while the answers are the same, so `known` holds what
    was read of them, and `words` the same of `others`, which are compared with each other.
    """

    database: Database
    use: EngineUse
    engine: Engine
    engine_id: int
    target: str
    flags: tuple[Flag, ...]
    doubts: Sequence[ReadingDoubt]
    withheld: str
    unlabelled: str
    others: Sequence[tuple[EngineUse, Engine]]
    words: dict[tuple[object, ...], list[Unit]]
    known: dict[tuple[object, ...], list[Unit]] = field(default_factory=dict)

    def flags_at(self, run: Run, instrument: Instrument) -> tuple[Flag, ...]:
        parts = instrument.signature
        in_doubt = any(doubt.holds(self.target, run.due_at, parts) for doubt in self.doubts)
        return self.flags + (Flag.INSTRUMENT_SUSPECT,) * in_doubt

    def asked(self, source: str) -> AskedSystem:
        return AskedSystem(self.use, self.engine, self.engine_id, source, self.target)


def compute_values(database: Database, audit: Audit, run: Run) -> Iterator[Computed]:
    """All values of a run, as the present versions of everything give them. Writes nothing.

    What was asked, parsers and languages have to be known to the database: see `ensure`. Services
    are flagged `no_control` where no pinned local engine was asked beside them, translations
    `instrument_suspect` where an audit has put the rules of their language in doubt,
    `answers_changed` where the answers of a system have another shape than in the runs before.
    """
    with database.read() as connection:
        controlled = controlled_targets(audit, changed_controls(connection, audit, run))
        doubted = known_doubts(connection)
        changed = readings.read_changes(connection, run.id)
    words: dict[tuple[object, ...], list[Unit]] = {}
    for use, engine in audit.engines:
        for target in use.wanted:
            alone = (
                engine.kind is not Kind.SEARCH
                and engine.surface == "api"
                and primary(target) not in controlled
            )
            flags = (Flag.NO_CONTROL,) * alone + (Flag.ANSWERS_CHANGED,) * bool(
                changed.get(use.label(engine))
            )
            read_by_rules = doubted if engine.kind is Kind.MT else ()
            with database.read() as connection:
                engine_id = runs.ensure_engine(connection, engine, use)
                reason = say_elsewhere(connection, run, engine, audit.regions.get(target))
                reason = reason or say_removed(connection, run, engine, engine_id, target)
                unknown = reason or say_unknown_people(connection, run, engine)
            other_rows = [
                (u, e) for u, e in audit.engines if e.kind is engine.kind and u is not use
            ]
            where = _Where(
                database, use, engine, engine_id, target, flags, read_by_rules, reason, unknown,
                other_rows, words,
            )  # fmt: skip
            for instrument in list_instruments(audit, engine, target):
                for source in instrument.probe_list.source_langs:
                    if use.asks_for(source, target):
                        computed = _compute(run, where, source, instrument)
                        if computed is not None:
                            yield computed


def _compute(run: Run, where: _Where, source: str, instrument: Instrument) -> Computed | None:
    """Compute the values of one system; None where a sample has left out a whole language.

    While they are computed nothing is read.
    """
    with where.database.read() as connection:
        units = _known(connection, where, run.id, source, instrument)
        if not units:
            return None
        instrument = with_extractors(connection, run, date_instrument(connection, instrument))
        # changes on a fixed panel are those of search engines
        of_overviews = reads_overviews(instrument.measure)
        searched = instrument.block or instrument.text or of_overviews
        earlier = runs.find_previous(connection, run) if searched else None
        before = _known(connection, where, earlier, source, instrument) if earlier else []
        beside = _beside(connection, where, run.id, source, instrument)
        beside_before: Mapping[str, Sequence[Unit]] = {}
        if earlier:
            beside_before = _beside(connection, where, earlier, source, instrument)
        pair, reason = (source, where.target), ""
        if instrument.corpus:
            of_corpus = where.engine_id, pair, instrument.text
            corpus = corpora.find_corpus(connection, run.id, *of_corpus)
            reason = corpus.reason if corpus else ""
        key = points.make_series_key(
            run.job, where.use, where.engine, where.engine_id, pair, instrument
        )
    reason = reason or (where.withheld if instrument.text or of_overviews else where.unlabelled)
    if instrument.engine.surface == DONATED:
        before = hide_few_donors(before, units)  # those with enough donors of both
        reason = reason or ("" if has_donors(units) else FEW_DONORS)
    result, inputs = measure_values(
        instrument, units, key.identity, run.due_at.isoformat(), where.flags_at(run, instrument),
        before, beside, beside_before, where.use.label(where.engine),
    )  # fmt: skip
    if has_donors(units):
        result = replace(result, queries=())  # each would be of one donor
    if reason:
        result, inputs = withhold_result(result, reason), digest([inputs, reason])
    computed = Computed(key, instrument.signature, result, inputs)
    return _with_shares(computed, instrument)


def _with_shares(computed: Computed, instrument: Instrument) -> Computed:
    reference = instrument.reference
    if reference is None or reference.origin is Origin.LISTS:
        return computed
    topics = [topic.topic for topic in computed.result.topics]
    if instrument.block:
        used = reference.targets(topics)
    else:  # translations are compared with the share of women alone
        used = {topic: (share,) for topic, share in reference.shares(topics).items()}
    return replace(computed, reference=(reference.name, reference.as_of), shares=used)


def _known(
    connection: Connection, where: _Where, run_id: int, source: str, instrument: Instrument
) -> list[Unit]:
    """The units of an instrument, read once for all that are read from the same answers."""
    requested = where.asked(source)
    if instrument.text:
        return _read_words(connection, where, run_id, requested, instrument)
    key = run_id, instrument.probe_list.label, source, instrument.block
    if key not in where.known:
        where.known[key] = read_units(connection, where.database, run_id, requested, instrument)
    return where.known[key]


def _read_words(
    connection: Connection, where: _Where, run_id: int, asked: AskedSystem, instrument: Instrument
) -> list[Unit]:
    """The units of a system by their words, read once for all measures and comparisons."""
    label = instrument.probe_list.label
    key = run_id, asked.engine_id, label, *asked.pair, instrument.text
    if key not in where.words:
        own = instrument
        if asked.engine is not instrument.engine:
            own = Instrument(
                instrument.measure, asked.engine, None, instrument.probe_list,
                text=instrument.text, corpus=instrument.corpus,
            )  # fmt: skip
        where.words[key] = read_units(connection, where.database, run_id, asked, own)
    return where.words[key]


def _beside(
    connection: Connection, where: _Where, run_id: int, source: str, instrument: Instrument
) -> dict[str, Sequence[Unit]]:
    """The units of the job's other systems on the same questions, by their labels.

    Whole documents are not compared with titles and snippets.
    """
    if not instrument.text:
        return {}
    grouped_units: dict[str, Sequence[Unit]] = {}
    for use, engine in where.others:
        alike = of_documents(engine) == (instrument.text == DOCUMENT)
        if alike and use.asks_for(source, where.target):
            engine_id = runs.ensure_engine(connection, engine, use)
            question = AskedSystem(use, engine, engine_id, source, where.target)
            words = _read_words(connection, where, run_id, question, instrument)
            if words:
                grouped_units[use.label(engine)] = words
    return grouped_units


# --- storing --------------------------------------------------------------------------------------


def ensure_points(connection: Connection, audit: Audit) -> None:
    """Make the job's engines, parsers and languages known to the database."""
    for use, engine in audit.engines:
        runs.ensure_engine(connection, engine, use)
        runs.ensure_plugin(connection, "engines", engine.name, engine.version)
    for _, _, language in list_readers(audit):
        runs.ensure_language(connection, language)


def store_value(connection: Connection, run: Run, one: Computed) -> tuple[int, list[int]]:
    """Store values as points; (how many are new, ids of their series)."""
    signature = signatures.ensure_signature(connection, one.signature)
    if one.shares:
        people.store_shares(connection, *one.reference, one.shares)
    now = datetime.now(UTC)
    written = points.store_result(connection, run, one.key, signature, one.result, one.inputs, now)
    return written, points.ensure_series(connection, one.key, one.result.values)


def compute_points(database: Database, audit: Audit, run: Run, stop: Stop = never) -> int:
    """Compute and store the points of a run, and let series go over to their new signatures.

    Returns how many points were new. Runs that ask a part of the questions again have none. Raises
    KeyboardInterrupt after a value was stored, once `stop` says so.
    """
    if run.kind not in WITH_POINTS:
        return 0
    with database.begin() as connection:
        ensure_points(connection, audit)
    written = 0
    series: set[int] = set()
    for value in compute_values(database, audit, run):
        if stop():
            raise KeyboardInterrupt
        with database.begin() as connection:
            new, group = store_value(connection, run, value)
        written += new
        series.update(group)
    switch(database, series)
    return written


def switch(database: Database, series: set[int] | None = None) -> int:
    """Let series go over to the signature of their newest tick where it is complete.

    Of these series, or of all, in one transaction. Returns how many went over.
    """
    with database.read() as connection:
        if not signatures.find_pending(connection, series):
            return 0
    with database.begin() as connection:
        return len(signatures.switch_series(connection, datetime.now(UTC), series))


def keep_titles(connection: Connection) -> None:
    """Keep what the scopes of stereotypes and of occupations stand for."""
    titles = [
        (f"stereotype:{row['id']}", row["about"], f"{row['about']} are {row['name']}")
        for row in read_table("gest_stereotypes")
    ]
    titles += [
        (f"tag:occupation={row['occupation']}", "", row["noun"])
        for row in read_table("occupations")
    ]
    points.store_scopes(connection, titles)
