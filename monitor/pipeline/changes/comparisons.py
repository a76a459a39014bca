"""Compare runs: the same questions at two ticks, in repeats, of two engines, and pooled runs.

Both sets of answers are read by the present versions of everything of ours, so that an update of
ours shows in neither. Units are read and compared outside of write transactions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, combinations
from statistics import fmean
from typing import TypeAlias

import sqlalchemy as sa

from monitor.change import Contrast, Paired
from monitor.clusters import has_donors, hide_few_donors
from monitor.jobs import Audit
from monitor.model import RunKind, Unit, digest
from monitor.pipeline.collect.run_context import Progress
from monitor.pipeline.derive.values import (
    AskedSystem,
    date_instrument,
    list_instruments,
    read_units,
    same_questions,
    take_repeat,
    with_extractors,
)
from monitor.stages.changes import comparisons as stage
from monitor.stages.derive.measurement import Instrument
from monitor.store.changes import comparisons
from monitor.store.changes.comparisons import BaselineRun, ComparedAnswers, TestedComparison
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import points, signals, signatures
from monitor.store.derive.points import SeriesKey
from monitor.store.jobs import declarations

# --- runs -----------------------------------------------------------------------------------------

#: The quantities that a comparison is stored of; None: all.
_Names: TypeAlias = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two sets of answers."""

    run_id: int
    units: Sequence[Unit]


@dataclass(frozen=True, slots=True)
class _SidePair:
    """Two sets of answers that are compared, for which quantities, and the first one's series.

    `other` is the series of `before` where that is another one than `key`.
    """

    what: Contrast
    key: SeriesKey
    instrument: Instrument
    before: _Side
    after: _Side
    names: _Names = None
    other: SeriesKey | None = None


@dataclass(frozen=True, slots=True)
class UnitReader:
    """Reads units of a run once for all measures that are read from the same answers.

    Items of a list are read once for all runs and systems that were asked them.
    """

    database: Database
    known: dict[tuple[object, ...], list[Unit]] = field(default_factory=dict)
    items: dict[tuple[int, tuple[str, str]], list[signals.AskedItem]] = field(default_factory=dict)

    def read(
        self,
        connection: sa.Connection,
        run_id: int,
        asked: AskedSystem,
        instrument: Instrument,
        list_id: int,
    ) -> list[Unit]:
        """The units of a run, matched by key with the questions of the present list."""
        seen = instrument.block, instrument.text
        key = run_id, asked.engine_id, list_id, *asked.pair, *seen
        if key not in self.known:
            read_items = self._read_items
            this_units = read_units(
                connection, self.database, run_id, asked, instrument, list_id, read_items
            )
            present = declarations.find_list_id(connection, instrument.probe_list)
            self.known[key] = same_questions(
                connection, asked, (list_id, this_units), present, read_items
            )
        return self.known[key]

    def _read_items(
        self, connection: sa.Connection, list_id: int, pair: tuple[str, str]
    ) -> list[signals.AskedItem]:
        key = list_id, pair
        if key not in self.items:
            self.items[key] = signals.read_asked_items(connection, *key)
        return self.items[key]


def compare_run(database: Database, audit: Audit, run: Run, progress: Progress) -> int:
    """Compare a run with those that its kind is to be compared with. Returns the rows written.

    A scheduled run with the ticks before, its own repeats and, of several engines, each with each;
    a noise run with its tick; a confirming run with one that the finding does not rest on, or with
    the tick before its own where there is no other; both, where they asked all questions, with the
    first tick. Others not at all.
    """
    if run.kind is RunKind.MANUAL:
        return 0
    written = 0
    targets = list(dict.fromkeys(target for use, _ in audit.engines for target in use.wanted))
    for done, target in enumerate(targets):
        progress("compare", done, len(targets))
        reader = UnitReader(database)  # anew for each target: memory stays bounded
        systems = list(asked_systems(database, audit, target))
        for question, instrument in systems:
            written += _of_system(reader, audit, run, question, instrument)
        if run.kind is RunKind.SCHEDULED:
            written += _side_by_side(reader, run, systems)
    progress("compare", len(targets), len(targets))
    return written


def asked_systems(
    database: Database, audit: Audit, target: str
) -> Iterator[tuple[AskedSystem, Instrument]]:
    """Every system that is asked for a target, with every instrument, as of now."""
    for use, engine in audit.engines:
        if target not in use.wanted:
            continue
        with database.begin() as connection:
            engine_id = runs.ensure_engine(connection, engine, use)
            all_instruments = [
                date_instrument(connection, instrument)
                for instrument in list_instruments(audit, engine, target)
            ]
        for instrument in all_instruments:
            for source in instrument.probe_list.source_langs:
                if use.asks_for(source, target):
                    yield AskedSystem(use, engine, engine_id, source, target), instrument


def asks_everything(audit: Audit, run: Run) -> bool:
    """Return whether a run asks all questions of a tick again."""
    if run.kind is RunKind.NOISE:
        return audit.job.noise is not None and audit.job.noise.share == 1
    return run.kind is RunKind.CONFIRM


def key_of(job: str, asked: AskedSystem, instrument: Instrument) -> SeriesKey:
    """Return the key of the series of one system under one instrument."""
    return points.make_series_key(
        job, asked.use, asked.engine, asked.engine_id, asked.pair, instrument
    )


def _of_system(
    reader: UnitReader, audit: Audit, run: Run, asked: AskedSystem, instrument: Instrument
) -> int:
    """All contrasts of one system under one instrument."""
    key = key_of(run.job, asked, instrument)
    with reader.database.read() as connection:
        instrument = with_extractors(connection, run, instrument)
        list_id = declarations.find_list_id(connection, instrument.probe_list)
        after = reader.read(connection, run.id, asked, instrument, list_id)
        if not after:
            return 0
        pairs = [
            _SidePair(
                what,
                key,
                instrument,
                _Side(
                    before.run_id,
                    reader.read(connection, before.run_id, asked, instrument, before.list_id),
                ),
                _Side(run.id, after),
                names,
            )
            for what, before, names in _list_before(connection, audit, run, instrument, key)
        ]
    repeats = [(take_repeat(unit, 0), take_repeat(unit, 1)) for unit in after]
    whole = [(first, second) for first, second in repeats if first and second]
    if whole and run.kind is RunKind.SCHEDULED and not instrument.text:
        first, second = (_Side(run.id, units) for units in zip(*whole, strict=True))
        pairs.append(_SidePair(Contrast.MINUTES, key, instrument, first, second))
    return _store(reader.database, run, pairs)


def _list_before(
    connection: sa.Connection, audit: Audit, run: Run, instrument: Instrument, key: SeriesKey
) -> Iterator[tuple[Contrast, BaselineRun, _Names]]:
    """The runs that this one is held against, and for which quantities."""
    all_names = [quantity.name for quantity in instrument.measure.quantities]
    if run.kind is RunKind.NOISE:
        tick = comparisons.find_scheduled_run(connection, run.job, run.due_at, key.list)
        if tick:
            yield Contrast.DAYS, tick, None
    else:
        of_ticks = comparisons.find_baselines(connection, key, all_names, run.due_at)
        if run.kind is not RunKind.CONFIRM:
            yield from ((what, of_tick, None) for what, of_tick in of_ticks.items())
        elif step := of_ticks.get(Contrast.STEP):
            for before, names in _apart(connection, run, key, all_names, step).items():
                yield Contrast.CONFIRM, before, names
    if asks_everything(audit, run):
        first = comparisons.find_first_run(connection, key, all_names, run.due_at)
        if first:
            yield Contrast.AGAIN, first, None


def _apart(
    connection: sa.Connection, run: Run, key: SeriesKey, every: Sequence[str], step: BaselineRun
) -> dict[BaselineRun, frozenset[str]]:
    """{run that findings of a tick are held against when it is asked again: of which quantities}.

    Each quantity goes by its own values: a run that has one may lack another. Those that are
    of parts of the questions alone, such as p_i, go with whatever the measure has over all: their
    findings are looked at beside those.
    """
    times = step.due_at, run.due_at
    entries: dict[BaselineRun, set[str]] = {}
    whole = comparisons.find_rerun_baselines(connection, key, every, *times) or step
    over_all = comparisons.filter_overall(connection, key, every)
    for name in every:
        baseline = whole
        if name in over_all:
            own = comparisons.find_rerun_baselines(connection, key, [name], *times)
            baseline = own or step
        entries.setdefault(baseline, set()).add(name)
    return {baseline: frozenset(names) for baseline, names in entries.items()}


def _side_by_side(
    reader: UnitReader, run: Run, systems: Sequence[tuple[AskedSystem, Instrument]]
) -> int:
    """Each two engines of a kind on the same questions of one tick."""
    pairs = []
    for (first, item), (second, two) in combinations(systems, 2):
        alike = first.engine.kind is second.engine.kind and first.source == second.source
        key, other = key_of(run.job, second, two), key_of(run.job, first, item)
        same = item.name == two.name and item.probe_list.label == two.probe_list.label
        same = same and key.reference == other.reference
        if not alike or not same or first.engine_id == second.engine_id:
            continue
        with reader.database.read() as connection:
            list_id = declarations.find_list_id(connection, item.probe_list)
            before = reader.read(connection, run.id, first, item, list_id)
            after = reader.read(connection, run.id, second, two, list_id)
        if before and after:
            sides = _Side(run.id, before), _Side(run.id, after)
            pairs.append(_SidePair(Contrast.ENGINES, key, two, *sides, other=other))
    return _store(reader.database, run, pairs)


def _store(database: Database, run: Run, pairs: Sequence[_SidePair]) -> int:
    """Compare pairs, and store what came out in one transaction. Returns the rows written."""
    results = [(pair, *_compare(run, pair)) for pair in pairs]
    if not results:
        return 0
    written, now = 0, datetime.now(UTC)
    with database.begin() as connection:
        for pair, paired, made_of in results:
            signature = signatures.ensure_signature(connection, pair.instrument.signature)
            compared = ComparedAnswers(
                pair.what, pair.before.run_id, pair.after.run_id, run.due_at, signature,
                stage.VERSION, pair.other,
            )  # fmt: skip
            written += comparisons.store_comparisons(
                connection, pair.key, compared, paired, made_of, now
            )
    return written


def _compare(run: Run, pair: _SidePair) -> tuple[Sequence[Paired], str]:
    """(changes, digest of the inputs) of two sets of answers; nothing is read or written."""
    sides = pair.before.units, pair.after.units
    if any(map(has_donors, sides)):
        sides = hide_few_donors(sides[0], sides[1]), hide_few_donors(sides[1], sides[0])
    paired, inputs = stage.contrast_answers(
        pair.instrument, pair.what, *sides, pair.key.identity, run.due_at
    )
    if pair.names is not None:
        paired = tuple(item for item in paired if item.name in pair.names)
    return paired, digest([inputs, pair.before.run_id])


# --- pooled runs ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PooledSeries:
    """One system under one instrument, whose runs are pooled."""

    key: SeriesKey
    asked: AskedSystem
    instrument: Instrument


@dataclass(slots=True)
class RunPool:
    """Pools runs of the series of a job; what was read and compared is kept until the end."""

    database: Database
    audit: Audit
    _readers: dict[str, UnitReader] = field(default_factory=dict)
    _series: dict[str, dict[int, PooledSeries]] = field(default_factory=dict)
    _compared: dict[tuple[object, ...], dict[str, Paired]] = field(default_factory=dict)

    def compare(
        self, tested: TestedComparison, before: Sequence[int], since: Sequence[int]
    ) -> dict[str, Paired]:
        """Return {quantity: its paired change over all questions} of two groups of runs.

        `tested` names the series, `before` and `since` are ids of runs. Empty where the job does
        not ask the system any more, and for texts of corpora, which have no repeats.
        """
        series = self._of(tested.target).get(tested.series_id)
        if series is None or series.instrument.corpus:
            return {}
        identity = (series.asked.engine_id, series.asked.pair, series.instrument.name)
        key = (*identity, tested.list, tested.reference, tuple(before), tuple(since))
        if key not in self._compared:
            self._compared[key] = self._contrast(series, before, since)
        return self._compared[key]

    def _of(self, target: str) -> dict[int, PooledSeries]:
        """Return {series: what is pooled of it} of a target."""
        if target in self._series:
            return self._series[target]
        by_key: dict[str, PooledSeries] = {}
        for question, instrument in asked_systems(self.database, self.audit, target):
            key = key_of(self.audit.job.name, question, instrument)
            for quantity in instrument.measure.quantities:
                row = key.row(quantity.name, "all")
                by_key[str(row["key"])] = PooledSeries(key, question, instrument)
        with self.database.read() as connection:
            ids = points.find_series_ids(connection, by_key)
        self._series[target] = {number: by_key[key] for key, number in ids.items()}
        return self._series[target]

    def _contrast(
        self, series: PooledSeries, before: Sequence[int], since: Sequence[int]
    ) -> dict[str, Paired]:
        reader = self._readers.setdefault(series.asked.target, UnitReader(self.database))
        with self.database.read() as connection:
            run = runs.get_run(connection, since[-1])
            instrument = with_extractors(connection, run, series.instrument)
            series = replace(series, instrument=instrument)
            old, new = (
                self._units(connection, reader, series, numbers) for numbers in (before, since)
            )
        paired, _ = stage.contrast_answers(
            instrument, Contrast.FIRST, old, new, series.key.identity, run.due_at
        )
        return {item.name: item for item in paired if item.scope == "all"}

    def _units(
        self,
        connection: sa.Connection,
        reader: UnitReader,
        series: PooledSeries,
        run_ids: Iterable[int],
    ) -> list[Unit]:
        """Return the units of several runs, each question with the repeats of all of them."""
        label = series.instrument.probe_list
        present = declarations.find_list_id(connection, label)
        run_ids = list(run_ids)
        versions = declarations.find_list_versions(connection, run_ids, label.name)
        repeats: dict[str, list[Unit]] = {}
        for run_id in run_ids:
            list_id = versions.get(run_id, present)
            for unit in reader.read(connection, run_id, series.asked, series.instrument, list_id):
                repeats.setdefault(unit.key, []).append(unit)
        return [merge_repeats(units) for units in repeats.values()]


def merge_repeats(units: Sequence[Unit]) -> Unit:
    """Return one unit with the repeats of the same question in several runs.

    What is known of the question itself is that of the last one. Scores are averaged by template.
    """
    scores: dict[str, list[float]] = {}
    for unit in units:
        for template, score in unit.scores:
            scores.setdefault(template, []).append(score)
    return replace(
        units[-1],
        classes=tuple(chain.from_iterable(unit.classes for unit in units)),
        scores=tuple((template, fmean(values)) for template, values in scores.items()),
        lists=tuple(chain.from_iterable(unit.lists for unit in units)),
        documents=tuple(chain.from_iterable(unit.documents for unit in units)),
        swapped=tuple(chain.from_iterable(unit.swapped for unit in units)),
    )
