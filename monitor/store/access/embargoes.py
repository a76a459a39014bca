"""Store embargoes, and find what they hide from the public: series, answers and runs.

The smallest unit is a measure with any parameters, because its quantities reveal each other.
Questions are hidden from the plan of a run on, before any value exists.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor import registry
from monitor.model import DONATED
from monitor.store import rows
from monitor.store.schema import (
    attempts,
    corpora,
    corpus_runs,
    embargoes,
    engines,
    jobs,
    points,
    probes,
    runs,
    series_keys,
    watched_jobs,
)
from monitor.store.selectables import TARGET, asked_by, is_any_of

#: What an embargo is about; empty fits anything.
ABOUT = ("job", "engine", "target", "measure", "quantity")


@dataclass(frozen=True, slots=True)
class Embargo:
    """Results that are not public, with reason, author and end (None: until it is lifted)."""

    id: int
    job: str
    engine: str
    target: str
    measure: str
    quantity: str
    reason: str
    by: str
    added_at: datetime
    until: datetime | None
    lifted_at: datetime | None

    @property
    def about(self) -> dict[str, str]:
        """Return what it names."""
        return {name: value for name in ABOUT if (value := getattr(self, name))}

    def stands(self, now: datetime) -> bool:
        """Return whether it is in force."""
        return self.lifted_at is None and (self.until is None or self.until > now)


def add_embargo(
    connection: sa.Connection,
    about: dict[str, str],
    *,
    reason: str,
    by: str,
    until: datetime | None,
    now: datetime,
) -> int:
    """Return a new embargo's number. What it is about need not be there yet."""
    row = {name: about.get(name, "") for name in ABOUT} | {"reason": reason, "by": by}
    statement = sa.insert(embargoes).values(**row, until=until, added_at=now)
    return int(connection.execute(statement.returning(embargoes.c.id)).scalar_one())


def lift_embargo(connection: sa.Connection, number: int, now: datetime) -> bool:
    """Lift an embargo; False where there is none of this number that stands."""
    condition = embargoes.c.id == number, embargoes.c.lifted_at.is_(None)
    change = sa.update(embargoes).where(*condition).values(lifted_at=now)
    return bool(connection.execute(change).rowcount)


def list_embargoes(connection: sa.Connection) -> list[Embargo]:
    """Return all embargoes, the newest first; those too that stand no more."""
    query = sa.select(embargoes).order_by(embargoes.c.id.desc())
    return rows.read_records(connection, query, Embargo)


#: Where the configuration of an engine begins in its label, and the parameters of a measure.
_MARKS = "(:@"

#: (engine, target) whose answers are hidden; of an empty target those to whatever target.
System = tuple[int, str]


@dataclass(frozen=True, slots=True)
class EmbargoFilter:
    """Rows that embargoes hide from the public; `is_any` where an embargo may fit later rows."""

    series: frozenset[int] = frozenset()
    evidence: frozenset[System] = frozenset()
    runs: frozenset[int] = frozenset()
    is_any: bool = False

    def shows(self, series_id: int) -> bool:
        """Return whether a series may be seen."""
        return series_id not in self.series

    def shows_answers(self, engine_id: int, target: str) -> bool:
        """Return whether the answers of an engine to a target may be seen."""
        return self.evidence.isdisjoint(((engine_id, target), (engine_id, "")))

    def shows_run(self, run_id: int) -> bool:
        """Return whether a run may be seen; parts of it may be hidden."""
        return run_id not in self.runs

    def series_shown(self, number: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
        """Return `shows` as a condition in SQL."""
        return ~is_any_of(number, self.series) if self.series else sa.true()

    def runs_shown(self, number: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
        """Return `shows_run` as a condition in SQL."""
        return ~is_any_of(number, self.runs) if self.runs else sa.true()

    def answers_shown(
        self, engine: sa.ColumnElement[int], target: sa.ColumnElement[str]
    ) -> sa.ColumnElement[bool]:
        """Return `shows_answers` as a condition in SQL."""
        conditions = (
            (engine != number) | (sa.false() if "" in targets else target.not_in(targets))
            for number, targets in rows.group_pairs(sorted(self.evidence)).items()
        )
        return sa.and_(sa.true(), *conditions)


NOTHING = EmbargoFilter()


def find_hidden(connection: sa.Connection, now: datetime) -> EmbargoFilter:
    """Return what the public does not see at a time.

    Answers are hidden by engine and target, and in all jobs: they would give any number of it away.
    So are the pages that donors gave, of which each is of one person.
    """
    standing = [embargo for embargo in list_embargoes(connection) if embargo.stands(now)]
    given = sa.select(engines.c.id).where(engines.c.surface == DONATED)
    donated = {(int(number), "") for number in connection.execute(given).scalars()}
    if not standing and not donated:
        return NOTHING
    labels = connection.execute(sa.select(engines.c.id, engines.c.name)).all()
    series: set[int] = set()
    evidence: set[System] = donated
    for embargo in standing:
        of_engine = [number for number, name in labels if is_named(name, embargo.engine)]
        for row in connection.execute(_find_series(connection, embargo, of_engine)):
            series.add(row.id)
            evidence.add((row.engine_id, row.target))
        evidence |= _find_asked(connection, embargo, of_engine)
    hidden = EmbargoFilter(frozenset(series), frozenset(evidence), is_any=bool(standing))
    whole = [embargo.job for embargo in standing if embargo.about == {"job": embargo.job}]
    hidden_runs = frozenset(connection.execute(_find_runs(hidden, whole)).scalars())
    return replace(hidden, runs=hidden_runs)


def is_named(label: str, name: str) -> bool:
    """Return whether a label is of the named engine; an empty name matches any."""
    label, name = label.lower(), name.lower()
    return not name or label == name or label.startswith(tuple(name + mark for mark in _MARKS))


def measure_family(measure: str) -> str:
    """Return a measure without its parameters, in small letters."""
    return re.split(f"[{_MARKS}-]", measure, maxsplit=1)[0].lower()


def find_families(connection: sa.Connection, about: Mapping[str, str]) -> frozenset[str]:
    """Return the measures that an embargo names.

    Where it names a quantity, all measures that have it.
    """
    if measure_name := about.get("measure"):
        return frozenset({measure_family(measure_name)})
    quantity = about.get("quantity", "")
    query = sa.select(series_keys.c.measure).where(series_keys.c.quantity == quantity)
    stored = connection.execute(query.distinct()).scalars()
    registered = (
        measure.name
        for measure in registry.discover("measures").values()
        if any(of_measure.name == quantity for of_measure in measure.quantities)
    )
    return frozenset(measure_family(name) for name in (*stored, *registered))


def find_absent(connection: sa.Connection, about: Mapping[str, str]) -> dict[str, str]:
    """Return the names in an embargo that nothing in the archive has.

    What they name is to come, or the name is wrong.
    """
    queries: dict[str, sa.Executable] = {
        "job": sa.select(runs.c.job).union(sa.select(watched_jobs.c.job)),
        "engine": sa.select(engines.c.name).distinct(),
        **{
            name: sa.select(series_keys.c[name]).distinct()
            for name in ("target", "measure", "quantity")
        },
    }
    return {
        name: value
        for name, value in about.items()
        if value
        and not any(
            _fits(name, stored, value) for stored in connection.execute(queries[name]).scalars()
        )
    }


def _fits(name: str, label: str, value: str) -> bool:
    if name == "engine":
        return is_named(label, value)
    return measure_family(label) == measure_family(value) if name == "measure" else label == value


def _find_series(
    connection: sa.Connection, embargo: Embargo, of_engine: Collection[int]
) -> sa.Select[Any]:
    query = sa.select(series_keys.c.id, series_keys.c.engine_id, series_keys.c.target)
    if embargo.engine:
        query = query.where(series_keys.c.engine_id.in_(of_engine))
    if embargo.target:
        query = query.where(series_keys.c.target == embargo.target)
    if embargo.job:
        query = query.where(
            (series_keys.c.job == embargo.job) | asked_by(embargo.job) | _read_from(embargo.job)
        )
    if embargo.measure or embargo.quantity:
        families = find_families(connection, embargo.about)
        labels = connection.execute(sa.select(series_keys.c.measure).distinct()).scalars()
        query = query.where(
            series_keys.c.measure.in_([x for x in labels if measure_family(x) in families])
        )
    return query


def _read_from(job: str) -> sa.ColumnElement[bool]:
    """Return the condition for series that have values over texts which a job collected.

    Such values tell of the answers of that job.
    """
    source = runs.alias()
    return (
        sa.select(points.c.id)
        .join(corpora, corpora.c.run_id == points.c.run_id)
        .join(corpus_runs, corpus_runs.c.corpus_id == corpora.c.id)
        .join(source, source.c.id == corpus_runs.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current, source.c.job == job)
        .exists()
    )


def _find_asked(
    connection: sa.Connection, embargo: Embargo, of_engine: Collection[int]
) -> set[System]:
    """Return whose answers are hidden whether or not a series was made of them.

    Of a job or measure those that the newest runs ask for; older ones have series.
    """
    is_of_measure = bool(embargo.measure or embargo.quantity)
    if not embargo.job and not is_of_measure:
        return {(number, embargo.target) for number in of_engine}
    families = find_families(connection, embargo.about)
    concerned = [
        number
        for number, content in _find_newest_runs(connection, embargo.job).items()
        if not is_of_measure or not _list_measures(content).isdisjoint(families)
    ]
    query = (
        sa.select(attempts.c.engine_id, TARGET.label("target"))
        .distinct()
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(attempts.c.run_id.in_(concerned), attempts.c.engine_id.in_(of_engine))
    )
    read = (
        sa.select(corpora.c.engine_id, corpora.c.region.label("target"))
        .distinct()
        .where(corpora.c.run_id.in_(concerned), corpora.c.engine_id.in_(of_engine))
    )
    if embargo.target:
        query = query.where(TARGET.in_([embargo.target]))
        read = read.where(corpora.c.region == embargo.target)
    return {(row.engine_id, row.target) for query_part in (query, read)
            for row in connection.execute(query_part)}  # fmt: skip


def _find_newest_runs(connection: sa.Connection, job: str) -> dict[int, Mapping[str, Any]]:
    """Return {run: its job} of the newest of each kind, of a job or of all."""
    newest = sa.select(sa.func.max(runs.c.id)).group_by(runs.c.job, runs.c.kind)
    query = sa.select(runs.c.id, jobs.c.content).join(jobs, jobs.c.id == runs.c.job_id)
    query = query.where(runs.c.id.in_(newest))
    if job:
        query = query.where(runs.c.job == job)
    return {row.id: row.content for row in connection.execute(query)}


def _list_measures(content: Mapping[str, Any]) -> set[str]:
    return {measure_family(str(use.get("name", ""))) for use in content.get("measures") or ()}


def _find_runs(hidden: EmbargoFilter, whole: Collection[str]) -> sa.Select[Any]:
    """Return the runs that are hidden completely.

    These are runs of hidden jobs, and runs that ask hidden engines alone.

    What else is measured of such engines shows a run; until it is, all of the run is hidden.
    """
    touched = sorted({engine for engine, _ in hidden.evidence})
    asks_hidden = (attempts.c.run_id == runs.c.id) & (attempts.c.engine_id == engines.c.id)
    read = (corpora.c.run_id == runs.c.id) & (corpora.c.engine_id == engines.c.id)
    asks = sa.select(engines.c.id).where(
        sa.exists().where(asks_hidden).correlate(engines, runs)
        | sa.exists().where(read).correlate(engines, runs)
    )
    asks = asks.correlate(runs)
    is_measured = sa.exists().where(
        points.c.run_id == runs.c.id, points.c.is_current, hidden.series_shown(points.c.series_id)
    )
    return sa.select(runs.c.id).where(
        runs.c.job.in_(whole)
        | (
            asks.where(engines.c.id.in_(touched)).exists()
            & ~asks.where(engines.c.id.not_in(touched)).exists()
            & ~is_measured
        )
    )
