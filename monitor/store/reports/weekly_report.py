"""Rows that the weekly report reads: jobs, due ticks, series, changes and load.

The number of queries for a job does not depend on how many series it has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast, Status
from monitor.model import Outcome, State
from monitor.store.changes.findings import ListedChange, select_columns
from monitor.store.changes.series import ALL
from monitor.store.collect import run_progress
from monitor.store.rows import UtcDateTime, group_rows, read_plain_rows
from monitor.store.schema import (
    agents,
    alarms,
    bodies,
    changes,
    comparisons,
    engines,
    events,
    exchanges,
    jobs,
    lists,
    looks,
    lookups,
    points,
    run_lists,
    runs,
    series_keys,
    signatures,
    suspensions,
    switches,
    ticks,
)
from monitor.store.selectables import DUE_TICKS, SERIES_POINTS, UNFINISHED

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReportedTick:
    """One due tick of a job with its state; `run_id` is that of a run with values."""

    due_at: datetime
    run_id: int | None
    state: str
    reason: str
    is_open: bool = False  # it has not ended yet


# --- jobs and ticks -------------------------------------------------------------------------------


def list_jobs(connection: sa.Connection, until: datetime | None = None) -> list[str]:
    """Return jobs with a run or a due tick up to a time, by name."""
    names: set[str] = set()
    for table in (runs, ticks):
        query = sa.select(table.c.job).distinct()
        if until is not None:
            query = query.where(table.c.due_at <= until)
        names.update(connection.execute(query).scalars())
    return sorted(names)


def find_newest_due(connection: sa.Connection, names: Sequence[str]) -> datetime | None:
    """Return the newest due tick of some jobs that has ended, else of their runs."""
    on_grid = sa.select(sa.func.max(DUE_TICKS.c.due_at)).where(DUE_TICKS.c.job.in_(names))
    of_runs = sa.select(sa.func.max(runs.c.due_at)).where(runs.c.job.in_(names))
    newest: datetime | None = connection.execute(on_grid).scalar()
    return newest or connection.execute(of_runs).scalar()


def find_first_due(connection: sa.Connection, names: Sequence[str]) -> datetime | None:
    """Return the first due tick or run of some jobs."""
    first_times = [
        connection.execute(
            sa.select(sa.func.min(table.c.due_at)).where(table.c.job.in_(names))
        ).scalar()
        for table in (runs, ticks)
    ]
    return min(filter(None, first_times), default=None)


def read_due_ticks(
    connection: sa.Connection, names: Sequence[str], until: datetime
) -> dict[str, list[ReportedTick]]:
    """Return {job: its due ticks up to a time, the oldest first}, also open ones."""
    ticks_of: dict[str, dict[datetime, ReportedTick]] = {name: {} for name in names}
    for table, is_open in UNFINISHED:
        of = table.c
        query = sa.select(of.job, of.due_at, of.state).where(is_open)
        for row in connection.execute(query.where(of.job.in_(names), of.due_at <= until)):
            tick = ReportedTick(row.due_at, None, row.state, "", is_open=True)
            ticks_of[row.job][row.due_at] = tick
    query = sa.select(DUE_TICKS).where(DUE_TICKS.c.job.in_(names), DUE_TICKS.c.due_at <= until)
    for row in connection.execute(query):
        state = row.run_state if row.state == "unnoted" else row.state
        ticks_of[row.job][row.due_at] = ReportedTick(
            row.due_at, row.run_id if row.is_derived else None, state, row.reason
        )
    return {
        name: [by_time[due_at] for due_at in sorted(by_time)] for name, by_time in ticks_of.items()
    }


def read_runs(
    connection: sa.Connection, names: Sequence[str], after: datetime, until: datetime
) -> list[Row]:
    """Return all runs of some jobs in a stretch of time, also those off the grid."""
    columns = ("id", "job", "due_at", "kind", "state", "code_version", "created_at", "finished_at")
    query = sa.select(*(runs.c[name] for name in columns)).where(
        runs.c.job.in_(names), runs.c.due_at > after, runs.c.due_at <= until
    )
    return read_plain_rows(connection, query.order_by(runs.c.job, runs.c.due_at, runs.c.id))


def read_contents(
    connection: sa.Connection, names: Sequence[str], until: datetime
) -> dict[str, Row]:
    """Return {job: what its newest run up to a time was made from}."""
    newest = (
        sa.select(runs.c.job, sa.func.max(runs.c.id).label("run_id"))
        .where(runs.c.job.in_(names), runs.c.due_at <= until)
        .group_by(runs.c.job)
        .subquery()
    )
    query = (
        sa.select(
            runs.c.job, runs.c.id.label("run_id"), runs.c.code_version, runs.c.packages,
            jobs.c.content, jobs.c.content_hash,
        )
        .join(newest, newest.c.run_id == runs.c.id)
        .join(jobs, jobs.c.id == runs.c.job_id)
    )  # fmt: skip
    return {row["job"]: row for row in read_plain_rows(connection, query)}


# --- series ---------------------------------------------------------------------------------------


def read_series(connection: sa.Connection) -> list[Row]:
    """Return every series over all questions, in the order that reports show them.

    Without a job: several can ask for the same series, and `read_lengths` says which do.
    """
    s, e = series_keys, engines
    query = (
        sa.select(
            s.c.id.label("series_id"), s.c.list, s.c.engine_id, e.c.name.label("engine"),
            e.c.kind, e.c.surface, e.c.config, s.c.source_lang, s.c.target, s.c.measure,
            s.c.quantity, s.c.reference, s.c.signature_id,
        )
        .join(e, e.c.id == s.c.engine_id)
        .where(s.c.scope == ALL)
        .order_by(
            s.c.list, e.c.name, e.c.id, s.c.source_lang, s.c.target, s.c.measure, s.c.reference,
            s.c.id,
        )
    )  # fmt: skip
    return read_plain_rows(connection, query)


def count_other_scopes(connection: sa.Connection, names: Sequence[str]) -> int:
    """Return how many series that these jobs asked for are about a part of the questions."""
    asked_points = (
        sa.select(points.c.id)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current, runs.c.job.in_(names))
        .exists()
    )
    query = sa.select(sa.func.count()).select_from(series_keys)
    query = query.where(series_keys.c.scope != ALL, asked_points)
    return int(connection.execute(query).scalar_one())


class SeriesLength(NamedTuple):
    """The due ticks of a series from its first point on, up to a time."""

    n_due: int
    n_measured: int
    first_at: datetime
    last_at: datetime | None  # the last measured
    asked_at: datetime  # the last that asked it


def read_lengths(
    connection: sa.Connection, names: Sequence[str], until: datetime
) -> dict[tuple[str, int], SeriesLength]:
    """Return {(job, series): its length} over the job's own ticks.

    As the view `series_points` counts, which would look into the answers of each tick.
    """
    is_measured = sa.and_(
        DUE_TICKS.c.is_derived,
        points.c.state == State.MEASURED,
        points.c.signature_id == series_keys.c.signature_id,
    )
    last = sa.func.max(sa.case((is_measured, DUE_TICKS.c.due_at)))
    query = (
        sa.select(
            DUE_TICKS.c.job, points.c.series_id, sa.func.count(),
            sa.func.sum(sa.case((is_measured, 1), else_=0)), sa.func.min(DUE_TICKS.c.due_at),
            sa.type_coerce(last, UtcDateTime), sa.func.max(DUE_TICKS.c.due_at),
        )
        .join(series_keys, series_keys.c.id == points.c.series_id)
        .join(DUE_TICKS, DUE_TICKS.c.basis_run_id == points.c.run_id)
        .where(DUE_TICKS.c.job.in_(names), series_keys.c.scope == ALL, points.c.is_current,
               DUE_TICKS.c.due_at <= until)
        .group_by(DUE_TICKS.c.job, points.c.series_id)
    )  # fmt: skip
    return {
        (row[0], row[1]): SeriesLength(int(row[2]), int(row[3]), row[4], row[5], row[6])
        for row in connection.execute(query)
    }


#: Ids of the series over all questions.
_OVERALL_SERIES = sa.select(series_keys.c.id).where(series_keys.c.scope == ALL)


_STANDING = (
    "series_id", "due_at", "state", "reason", "value", "low", "high", "bound_low", "bound_high",
    "flags", "planned", "answered", "used", "unidentified", "point_id", "signature",
)  # fmt: skip


def read_tick(connection: sa.Connection, job: str, due_at: datetime) -> dict[int, Row]:
    """Return {series over all questions: its values at a due tick}, if asked."""
    query = sa.select(*(SERIES_POINTS.c[name] for name in _STANDING)).where(
        SERIES_POINTS.c.job == job, SERIES_POINTS.c.due_at == due_at, SERIES_POINTS.c.scope == ALL
    )
    return {row["series_id"]: row for row in read_plain_rows(connection, query)}


def read_history(
    connection: sa.Connection, series_ids: Sequence[int], after: datetime, until: datetime
) -> dict[int, list[Row]]:
    """Return {series: its due ticks in a stretch of time, gaps included, the oldest first}."""
    # little text, and put in order here: both take databases and drivers long
    of = SERIES_POINTS.c
    state = sa.func.nullif(of.state, State.MEASURED)
    query = sa.select(of.series_id, of.due_at, state, of.value, of.low, of.high).where(
        of.series_id.in_(series_ids), of.due_at > after, of.due_at <= until
    )
    names = ("series_id", "due_at", "state", "value", "low", "high")
    rows = [dict(zip(names, row, strict=True)) for row in connection.execute(query)]
    for row in rows:
        row["state"] = row["state"] or State.MEASURED.value
    return group_rows(sorted(rows, key=itemgetter("due_at")), itemgetter("series_id"))


def read_signature_parts(
    connection: sa.Connection, ids: Sequence[int], hashes: Sequence[str]
) -> dict[int, Row]:
    """Return {signature: its hash and parts}, of some by their ids and others by their hashes."""
    query = sa.select(signatures).where(signatures.c.id.in_(ids) | signatures.c.hash.in_(hashes))
    return {row["id"]: row for row in read_plain_rows(connection, query.order_by(signatures.c.id))}


def read_switches(connection: sa.Connection, until: datetime) -> list[Row]:
    """Return when series over all questions went over to another signature, the oldest first."""
    query = (
        sa.select(
            switches.c.series_id, switches.c.from_id, switches.c.to_id, switches.c.switched_at
        )
        .where(switches.c.series_id.in_(_OVERALL_SERIES), switches.c.switched_at <= until)
        .order_by(switches.c.switched_at, switches.c.id)
    )
    return read_plain_rows(connection, query)


def read_comparisons(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Return comparisons of some runs, over all questions, with the time of the run before."""
    before = runs.alias()
    query = (
        sa.select(comparisons, before.c.due_at.label("before_due_at"))
        .join(before, before.c.id == comparisons.c.before_run_id)
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .where(
            comparisons.c.after_run_id.in_(run_ids), comparisons.c.is_current,
            comparisons.c.contrast.in_(
                [Contrast.STEP, Contrast.WEEK, Contrast.FIRST, Contrast.ENGINES]
            ),
            series_keys.c.scope == ALL,
        )
        .order_by(comparisons.c.series_id, comparisons.c.contrast, comparisons.c.id)
    )  # fmt: skip
    return read_plain_rows(connection, query)


def read_list_versions(
    connection: sa.Connection, run_ids: Iterable[int]
) -> dict[tuple[int, str], str]:
    """Return {(run, list): label of the version that it asked}."""
    query = (
        sa.select(run_lists.c.run_id, lists.c.name, lists.c.version)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .where(run_lists.c.run_id.in_(sorted(set(run_ids))))
    )
    return {(run, name): f"{name}@{version}" for run, name, version in connection.execute(query)}


def read_noise(
    connection: sa.Connection, until: datetime
) -> dict[int, dict[str, list[tuple[float, int, float | None]]]]:
    """Return {series: {contrast: (difference, questions, spread) of each tick}}.

    Of what was asked again at once (minutes), and a day later (days).
    """
    columns = ("series_id", "contrast", "delta", "n", "facts")
    query = (
        sa.select(*(comparisons.c[name] for name in columns))
        .where(
            comparisons.c.series_id.in_(_OVERALL_SERIES),
            comparisons.c.is_current,
            comparisons.c.contrast.in_([Contrast.MINUTES, Contrast.DAYS]),
            comparisons.c.state == State.MEASURED,
            comparisons.c.due_at <= until,
        )
        .order_by(comparisons.c.due_at, comparisons.c.id)
    )
    noise_of: dict[int, dict[str, list[tuple[float, int, float | None]]]] = {}
    for series_id, contrast, delta, n, facts in connection.execute(query):
        contrast_values = delta, n, facts.get("spread")
        noise_of.setdefault(series_id, {}).setdefault(contrast, []).append(contrast_values)
    return noise_of


#: Columns of the comparison that tested a change, and of the one that asked again.
_TESTED = ("test", "n", "changed", "only_before", "only_after", "facts")
_AGAIN = ("due_at", "delta", "low", "high", "n", "reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekChange(ListedChange):
    """A finding with all that a report says of it; `runs` are those that it rests on.

    `tested` is the comparison that tested it, `again` the one that asked again, None without one.
    """

    engine_id: int
    engine_kind: str
    family: str
    before: float | None
    after: float | None
    p: float | None
    statistic: float | None
    before_run_id: int
    after_run_id: int
    comparison_id: int | None
    confirm_id: int | None
    facts: Mapping[str, float]
    tested: Row | None
    again: Row | None
    runs: tuple[int, ...] = ()

    @property
    def is_confirmed(self) -> bool:
        """Return whether it is a finding, and no signal."""
        return self.status == Status.CONFIRMED


def read_changes(
    connection: sa.Connection, names: Sequence[str], until: datetime
) -> list[WeekChange]:
    """Return changes in force that were known at a time, with their comparisons.

    Of any scope: a change may be that of one stereotype. Their order does not depend on their
    numbers, which differ where a package is recomputed.
    """
    tested, again = comparisons.alias("tested"), comparisons.alias("again")
    own = [name for name in WeekChange.__slots__ if name not in ("tested", "again", "runs")]
    of = series_keys.c
    query = (
        select_columns((*ListedChange.__slots__, *own))
        .add_columns(*(tested.c[name].label(f"tested_{name}") for name in _TESTED))
        .add_columns(*(again.c[name].label(f"again_{name}") for name in _AGAIN))
        .outerjoin(tested, tested.c.id == changes.c.comparison_id)
        .outerjoin(again, again.c.id == changes.c.confirm_id)
        .where(runs.c.job.in_(names), changes.c.detected_at <= until)
        .order_by(
            changes.c.detected_at, changes.c.changed_at, runs.c.job, engines.c.name, of.source_lang,
            of.target, of.list, of.measure, of.quantity, of.scope, changes.c.kind, changes.c.id)
    )  # fmt: skip
    week_changes = []
    for row in read_plain_rows(connection, query):
        tests = {name: row.pop(f"tested_{name}") for name in _TESTED}
        repeat = {name: row.pop(f"again_{name}") for name in _AGAIN}
        week_changes.append(
            WeekChange(
                **row,
                tested=tests if tests["n"] is not None else None,
                again=repeat if repeat["due_at"] is not None else None,
            )
        )
    return week_changes


def read_ledger(
    connection: sa.Connection, names: Sequence[str], after: datetime, until: datetime
) -> list[Row]:
    """Return the ledger of some jobs in a stretch of time."""
    query = sa.select(looks).where(
        looks.c.job.in_(names), looks.c.due_at > after, looks.c.due_at <= until
    )
    return read_plain_rows(connection, query.order_by(looks.c.job, looks.c.due_at))


_ABOUT_CLOCKS = ("clock_jumped", "clock_trusted", "ticks_taken_back")


def count_requests(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Return what was asked of each engine: requests, bytes of answers, seconds, by run."""
    by = (engines.c.id, engines.c.name, engines.c.kind, engines.c.surface, exchanges.c.run_id)
    query = (
        sa.select(
            *by,
            sa.func.count().label("requests"),
            sa.func.coalesce(sa.func.sum(bodies.c.size), 0).label("bytes"),
            sa.func.sum(exchanges.c.took).label("seconds"),
            sa.func.min(exchanges.c.asked_at).label("first_at"),
            sa.func.max(exchanges.c.asked_at).label("last_at"),
        )
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(exchanges.c.run_id.in_(run_ids))
        .group_by(*by)
        .order_by(engines.c.name, engines.c.id, exchanges.c.run_id)
    )
    return read_plain_rows(connection, query)


def read_identities(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Return what answered, as it says of itself: one row per engine and identity."""
    used = (
        sa.select(exchanges.c.engine_id, exchanges.c.agent_id, sa.func.count().label("requests"))
        .where(exchanges.c.run_id.in_(run_ids), exchanges.c.agent_id.is_not(None))
        .group_by(exchanges.c.engine_id, exchanges.c.agent_id)
        .subquery()
    )
    query = (
        sa.select(used.c.engine_id, engines.c.name, agents.c.identity, used.c.requests)
        .join(engines, engines.c.id == used.c.engine_id)
        .join(agents, agents.c.id == used.c.agent_id)
        .order_by(engines.c.name, engines.c.id, agents.c.id)
    )
    return read_plain_rows(connection, query)


def count_outcomes(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Return what became of the questions of some runs together, by engine, outcome and reason."""
    read_group = attrgetter("engine", "engine_id", "outcome", "reason", "kind")
    questions: Counter[tuple[str, int, str, str, str]] = Counter()
    for run_id in run_ids:
        for counted in run_progress.count_outcomes(connection, run_id):
            questions[read_group(counted)] += counted.questions
    return [
        {
            "id": engine_id, "name": name, "kind": kind, "outcome": outcome, "reason": reason,
            "questions": count,
        }
        for (name, engine_id, outcome, reason, kind), count in sorted(questions.items())
    ]  # fmt: skip


def count_lookups(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Return questions to public services beside the engines, by purpose."""
    failed = sa.case((lookups.c.outcome == Outcome.OK, 0), else_=1)
    query = (
        sa.select(
            lookups.c.purpose, sa.func.count().label("requests"),
            sa.func.sum(failed).label("failed"), sa.func.sum(lookups.c.took).label("seconds"),
        )
        .where(lookups.c.run_id.in_(run_ids))
        .group_by(lookups.c.purpose)
        .order_by(lookups.c.purpose)
    )  # fmt: skip
    return read_plain_rows(connection, query)


def read_suspensions(connection: sa.Connection, after: datetime, until: datetime) -> list[Row]:
    """Return suspensions in a stretch of time, the newest one of each engine."""
    columns = ("lane", "exit", "since", "until", "reason", "detail", "times")
    query = sa.select(*(suspensions.c[name] for name in columns)).where(
        suspensions.c.since <= until, suspensions.c.until > after
    )
    return read_plain_rows(connection, query.order_by(suspensions.c.lane, suspensions.c.exit))


def read_alarms(connection: sa.Connection, after: datetime, until: datetime) -> list[Row]:
    """Return alarms that stood at some time of a stretch."""
    columns = ("kind", "subject", "detail", "since", "resolved_at")
    query = sa.select(*(alarms.c[name] for name in columns)).where(
        alarms.c.since <= until, alarms.c.resolved_at.is_(None) | (alarms.c.resolved_at > after)
    )
    return read_plain_rows(connection, query.order_by(alarms.c.since, alarms.c.id))


def read_clock_events(connection: sa.Connection, after: datetime, until: datetime) -> list[Row]:
    """Return what the daemon wrote down about a clock that was wrong, in a stretch of time."""
    columns = ("at", "kind", "subject", "detail")
    query = sa.select(*(events.c[name] for name in columns)).where(
        events.c.kind.in_(_ABOUT_CLOCKS), events.c.at > after, events.c.at <= until
    )
    return read_plain_rows(connection, query.order_by(events.c.at, events.c.id))
