"""Compare the answers of several runs with those of several others: pooled units of each side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from statistics import fmean

import sqlalchemy as sa

from monitor.change import Contrast, Paired
from monitor.jobs import Audit
from monitor.model import Unit
from monitor.pipeline.comparing import Reader, asked_systems, key_of
from monitor.pipeline.computing import Asked
from monitor.pipeline.instruments import with_extractors
from monitor.stages.changes import comparisons as stage
from monitor.stages.derive.measurement import Instrument
from monitor.store.changes import baseline_runs, comparisons
from monitor.store.changes.comparisons import TestedComparison
from monitor.store.collect import runs
from monitor.store.database import Database
from monitor.store.derive.points import SeriesKey
from monitor.store.jobs import lists


@dataclass(frozen=True, slots=True)
class PooledSeries:
    """One system under one instrument, whose runs are pooled."""

    key: SeriesKey
    asked: Asked
    instrument: Instrument


@dataclass(slots=True)
class Pool:
    """Pools runs of the series of a job; what was read and compared is kept until the end."""

    database: Database
    audit: Audit
    _readers: dict[str, Reader] = field(default_factory=dict)
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
        for asked, instrument in asked_systems(self.database, self.audit, target):
            key = key_of(self.audit.job.name, asked, instrument)
            for quantity in instrument.measure.quantities:
                row = key.row(quantity.name, "all")
                by_key[str(row["key"])] = PooledSeries(key, asked, instrument)
        with self.database.read() as connection:
            ids = comparisons.find_series_ids(connection, by_key)
        self._series[target] = {number: by_key[key] for key, number in ids.items()}
        return self._series[target]

    def _contrast(
        self, series: PooledSeries, before: Sequence[int], since: Sequence[int]
    ) -> dict[str, Paired]:
        reader = self._readers.setdefault(series.asked.target, Reader(self.database))
        with self.database.read() as connection:
            run = runs.get_run(connection, since[-1])
            instrument = with_extractors(connection, run, series.instrument)
            series = replace(series, instrument=instrument)
            old, new = (self._units(connection, reader, series, some) for some in (before, since))
        paired, _ = stage.contrast(
            instrument, Contrast.FIRST, old, new, series.key.identity, run.due_at
        )
        return {one.name: one for one in paired if one.scope == "all"}

    def _units(
        self,
        connection: sa.Connection,
        reader: Reader,
        series: PooledSeries,
        run_ids: Iterable[int],
    ) -> list[Unit]:
        """Return the units of several runs, each question with the repeats of all of them."""
        label = series.instrument.probe_list
        present = lists.find_list_id(connection, label)
        repeats: dict[str, list[Unit]] = {}
        for run_id in run_ids:
            list_id = baseline_runs.find_list_version(connection, run_id, label.name) or present
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
