"""Decide which series of a job have changed: all runs in the order of asking, changes stored.

The whole job is decided anew whenever a run was compared; what comes out the same stays as it is.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from statistics import stdev
from typing import TypeAlias

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Paired, Role, Status
from monitor.jobs import Audit
from monitor.model import InvalidInput, RunKind, digest
from monitor.pipeline.changes.comparisons import RunPool
from monitor.pipeline.changes.tested_series import (
    Declarations,
    TestedSeries,
    Witnesses,
    is_primary,
    look_back,
    member_of,
    moved_of,
    where_of,
)
from monitor.stages.changes import decisions, series_roles, statements
from monitor.stages.changes.decisions import (
    ChangeSignal,
    DecisionRule,
    SeriesWatch,
    SignalStanding,
    WholeRunValue,
)
from monitor.stages.changes.series_roles import Selected
from monitor.stages.changes.statements import QuantityMove, say_change, suspect_words
from monitor.store.changes import comparisons
from monitor.store.changes import findings as changes
from monitor.store.changes.comparisons import FirstTickDifference, TestedComparison
from monitor.store.changes.findings import LedgerRow, StoredChange
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database

log = logging.getLogger(__name__)

#: A secondary series has to be there again by itself when it is asked again.
_AGAIN = 0.05
_STATUS = {
    SignalStanding.RAISED: Status.CANDIDATE,
    SignalStanding.DECIDED: Status.CONFIRMED,
    SignalStanding.DROPPED: Status.REFUTED,
}
_KIND = {DecisionRule.STEP: ChangeKind.STEP, DecisionRule.DRIFT: ChangeKind.DRIFT}


#: A signal of a series, with the runs that its size comes from.
_Key: TypeAlias = tuple[int, ChangeSignal, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _AskedTick:
    """One tick of a job: what its own job declares, and its steps over all questions."""

    position: int
    run_id: int
    due_at: datetime
    declared: TestedSeries
    tests: Sequence[TestedComparison]

    @property
    def hypotheses(self) -> int:
        """Number of primary series that the job of this tick declares, at least 1."""
        return max(len(self.declared.primaries), 1)

    def test_of(self, series_id: int) -> TestedComparison | None:
        """The comparison of a series with the tick before; None where there is none."""
        return next((test for test in self.tests if test.series_id == series_id), None)


@dataclass(frozen=True, slots=True)
class _SeriesLook:
    """A signal of one series, with what is needed to say what it was."""

    test: TestedComparison  # at the tick of the change
    tick: _AskedTick  # of the change
    decided: _AskedTick  # with which the standing came about
    signal: ChangeSignal
    later: tuple[int, ...]  # runs that decided nothing: those of the first tick after the decision
    values: Mapping[int, FirstTickDifference]  # of all runs of the series
    watch: SeriesWatch

    @property
    def is_decided(self) -> bool:
        return self.signal.standing is SignalStanding.DECIDED

    @property
    def size_runs(self) -> tuple[int, ...]:
        """The runs that the announced size is taken from."""
        return self.later or self.signal.since


@dataclass(slots=True)
class _JobHistory:
    """All ticks and signals of a job, as of now."""

    ticks: list[_AskedTick] = field(default_factory=list)
    seen: list[_SeriesLook] = field(default_factory=list)
    primary: dict[int, TestedComparison] = field(
        default_factory=dict
    )  # newest test of each primary series


@dataclass(frozen=True, slots=True)
class _Size:
    """The announced size of a change, and what is known of it beyond the list."""

    of_quantity: Paired | None = None
    beside: Mapping[str, Paired] = field(default_factory=dict)
    p_beyond: float | None = None
    alpha_beyond: float | None = None
    is_read: bool = True  # False: the present rules have not read the answers yet


def detect_changes(database: Database, audit: Audit, run: Run, now: datetime | None = None) -> int:
    """Decide the whole job of a run anew. Returns the number of rows written.

    `audit` is the job of the run; each tick is decided by its own. Raises InvalidInput where that
    of no tick can be read.
    """
    if run.kind is RunKind.MANUAL:
        return 0
    now = now or datetime.now(UTC)
    with database.read() as connection:
        declarations = Declarations(connection, database, run, audit)
        job = _read_job(connection, declarations, audit, run)
    pool = RunPool(database, audit)
    sizes = _map_sizes(job, pool)
    with database.begin() as connection:
        changes.lock_ledger(connection)
        job = _read_job(connection, declarations, audit, run)
        runs_of_job = [tick.run_id for tick in job.ticks]
        all_keys = _unread(job, sizes) & changes.find_confirmed(connection, runs_of_job)
        this_changes = list(_read_changes(connection, job, sizes))
        fresh = [
            item
            for item in this_changes
            if (item.series_id, item.kind, item.changed_at) not in all_keys
        ]
        written = changes.replace_changes(connection, fresh, runs_of_job, all_keys, now)
        written += _keep_looks(connection, run.job, job, this_changes, now)
        if job.ticks:
            newest = job.ticks[-1]
            tests = list(job.primary.values())
            written += look_back(connection, newest.declared, run.job, tests, newest.due_at, now)
    return written


# --- what there is ----------------------------------------------------------------------------


def _read_job(
    connection: sa.Connection, declarations: Declarations, audit: Audit, run: Run
) -> _JobHistory:
    """Read the ticks of a job and watch each of its primary series."""
    job = _JobHistory(_read_ticks(connection, declarations, run))
    if not job.ticks:
        return job
    for tick in job.ticks:
        for test in tick.tests:
            if is_primary(tick.declared, test):
                job.primary[test.series_id] = test
    all_asked_runs = comparisons.list_asked_runs(connection, run.job)
    if audit.job.is_recorded:  # asked when the tick was due, whenever it was read in
        all_asked_runs.sort(key=lambda item: item.due_at)
    asked_positions = _with_positions(all_asked_runs, job.ticks)
    run_ids = {asked_run.id for asked_run, _ in asked_positions}
    values = comparisons.find_first_differences(connection, job.primary, run_ids)
    for series_id, test in job.primary.items():
        job.seen += _watch(job, asked_positions, test, values.get(series_id, {}))
    return job


def _read_ticks(
    connection: sa.Connection, declarations: Declarations, run: Run
) -> list[_AskedTick]:
    """The ticks of a job that have ended, each with its own declaration, in their order."""
    steps = comparisons.find_job_comparisons(connection, run.job)
    ticks: list[_AskedTick] = []
    problem: InvalidInput | None = None
    for this_run in runs.list_ended(connection, run.job):
        if this_run.kind is not RunKind.SCHEDULED:
            continue
        try:
            declared = declarations.of(connection, this_run)
        except InvalidInput as error:
            problem = error
            log.warning("the tick of run %s is not decided: %s", this_run.id, error)
            continue
        tests = steps.get(this_run.id, ())
        ticks.append(_AskedTick(len(ticks), this_run.id, this_run.due_at, declared, tests))
    if problem and not ticks:
        raise problem
    return ticks


def _with_positions(asked: Sequence[Run], ticks: Sequence[_AskedTick]) -> list[tuple[Run, int]]:
    """Every run with the position of the newest tick that had begun when it was asked."""
    position_of = {tick.run_id: tick.position for tick in ticks}
    rows, position = [], -1
    for asked_run in asked:
        if asked_run.kind is RunKind.SCHEDULED:
            if asked_run.id not in position_of:
                continue
            position = max(position, position_of[asked_run.id])
        if position >= 0:
            rows.append((asked_run, position))
    return rows


def _watch(
    job: _JobHistory,
    asked: Sequence[tuple[Run, int]],
    test: TestedComparison,
    values: Mapping[int, FirstTickDifference],
) -> Iterator[_SeriesLook]:
    """Watch one series run by run; yield what was decided, was dropped, or stands."""
    watch = SeriesWatch()
    for asked_run, position in asked:
        first_tick_difference = values.get(asked_run.id)
        if first_tick_difference is not None:
            tick = job.ticks[position]
            per_test = tick.declared.alpha / (2 * tick.hypotheses)
            value = WholeRunValue(asked_run.id, position, first_tick_difference.delta)
            watch.add(value, per_test)
    for signal in (*watch.signals, *watch.raised()):
        tick = job.ticks[signal.at]
        tested_comparison = tick.test_of(test.series_id) or job.primary[test.series_id]
        later = _later(watch, signal)
        yield _SeriesLook(
            tested_comparison, tick, job.ticks[signal.decided_at], signal, later, values, watch
        )


def _later(watch: SeriesWatch, signal: ChangeSignal) -> tuple[int, ...]:
    """Runs of the first tick after a decision, as far as no other change was decided by then."""
    if signal.standing is not SignalStanding.DECIDED:
        return ()
    after = [run for run in watch.runs if run.tick > signal.decided_at]
    begun = min((other.at for other in watch.signals if other.at > signal.at), default=None)
    first = after[0].tick if after else None
    if first is None or (begun is not None and begun <= first):
        return ()
    return tuple(item.run for item in after if item.tick == first)


# --- sizes, and what holds beyond the list -----------------------------------------------------


def _map_sizes(job: _JobHistory, pool: RunPool) -> dict[_Key, _Size]:
    """The size of every decided change, with the test of the claim beyond the list."""
    decided = [look for look in job.seen if look.is_decided]
    decided.sort(key=_event)
    sizes = {}
    for number, (_, group) in enumerate(groupby(decided, key=_event), 1):
        members = list(group)
        level = decisions.event_level(number, len(members))
        for member in members:
            sizes[_make_key(member)] = _make_size(job, member, pool, level)
    return sizes


def _event(one: _SeriesLook) -> tuple[int, str]:
    """Return what is one event: the series of a family that are decided at one tick."""
    return one.signal.decided_at, member_of(one.test).family


def _unread(job: _JobHistory, sizes: Mapping[_Key, _Size]) -> set[changes.Key]:
    """Decided changes whose answers the present rules have not read yet.

    After an update of ours that takes until they are derived anew; what was confirmed stays as it
    is until then.
    """
    return {
        (look.test.series_id, _KIND[look.signal.rule], look.tick.due_at)
        for look in job.seen
        if look.is_decided and not sizes.get(_make_key(look), _Size()).is_read
    }


def _make_key(one: _SeriesLook) -> _Key:
    return one.test.series_id, one.signal, one.later


def _make_size(job: _JobHistory, one: _SeriesLook, pool: RunPool, level: float) -> _Size:
    """Size and claim beyond the list of one decided change."""
    before = one.signal.before[-decisions.POOLED_BEFORE :]
    size = pool.compare(one.test, before, one.size_runs)
    deciding = pool.compare(one.test, before, one.signal.since)
    change = deciding.get(one.test.quantity)
    p, alpha = None, None
    if change is not None and change.p is not None and change.delta is not None:
        least = decisions.least_effect(
            [one.values[run].delta for run in one.signal.before],
            [one.values[run].delta for run in one.signal.since],
            up=one.signal.up,
            exceptions=one.signal.exceptions,
        )
        spread = dict(change.facts).get("spread", 0.0)
        p = decisions.conditional_p(change.p, change.delta, spread, least)
        alpha = level
    if p is None or alpha is None or p > alpha:
        later = _since_first(job, one, pool)
        p, alpha = later or (p, alpha)
    is_read = change is not None and change.n > 0
    return _Size(size.get(one.test.quantity), size, p, alpha, is_read)


def _since_first(job: _JobHistory, one: _SeriesLook, pool: RunPool) -> tuple[float, float] | None:
    """(p, level) of the first comparison with the first runs that holds; None without one."""
    all_runs = one.watch.runs
    first = all_runs[: decisions.FIRST_RUNS]
    if len(first) < decisions.FIRST_RUNS:
        return None
    begin = first[-1].tick
    for look, position in enumerate(
        range(begin + decisions.EVERY, all_runs[-1].tick + 1, decisions.EVERY), 1
    ):
        if position < one.signal.decided_at:
            continue
        late = [run for run in all_runs if begin < run.tick <= position]
        late = late[-decisions.POOLED_LATE :]
        if not late:
            continue
        changes = pool.compare(one.test, [run.run for run in first], [run.run for run in late])
        result = changes.get(one.test.quantity)
        level = decisions.origin_level(look, job.ticks[position].hypotheses)
        if result is None or result.p is None or result.delta is None:
            continue
        if result.p <= level and (result.delta > 0) is one.signal.up:
            return result.p, level
    return None


# --- changes -----------------------------------------------------------------------------------


def _read_changes(
    connection: sa.Connection,
    job: _JobHistory,
    sizes: Mapping[_Key, _Size],
) -> Iterator[StoredChange]:
    """Every change of the job: primary series, and secondary ones beside decided steps."""
    ordered = sorted(job.seen, key=lambda stored_look: stored_look.tick.position)
    for _, group in groupby(ordered, key=lambda item: item.tick.position):
        members = list(group)
        tests = comparisons.find_run_comparisons(connection, members[0].tick.run_id, Contrast.STEP)
        tick = replace(members[0].tick, tests=tests)  # of all scopes
        witnesses = Witnesses(connection, tick.declared, tick.run_id, tick.tests)
        again = _asked_again(connection, tick)
        # of the signals of a series and kind at one tick the last one
        newest = {(member.test.series_id, member.signal.rule): member for member in members}
        for look in newest.values():
            yield _make_primary(look, witnesses, again, sizes.get(_make_key(look), _Size()))
        steps = [
            member
            for member in members
            if member.is_decided and member.signal.rule is DecisionRule.STEP
        ]
        yield from _list_secondary(tick, steps, witnesses, again)


def _asked_again(connection: sa.Connection, tick: _AskedTick) -> dict[int, TestedComparison]:
    """Return what was found when the questions of a tick were asked again, by series."""
    job = tick.declared.audit.job.name
    run_id = runs.find_scheduled(connection, job, tick.due_at, RunKind.CONFIRM)
    if run_id is None:
        return {}
    again = comparisons.find_run_comparisons(connection, run_id, Contrast.CONFIRM)
    return {test.series_id: test for test in again}


def _make_primary(
    one: _SeriesLook, witnesses: Witnesses, again: Mapping[int, TestedComparison], size: _Size
) -> StoredChange:
    """A change of a primary series."""
    signal, test, declared = one.signal, one.test, one.tick.declared
    cause, because = _cause(test, witnesses)
    moved = _moved(declared, test, size.of_quantity)
    suffix = {
        name: _moved(declared, other_name, size.beside.get(name))
        for name, other_name in _beside(one.tick, test).items()
    }
    words = say_change(moved, where_of(test), suffix, declared.alpha)
    if one.is_decided:
        holds = statements.holds_beyond(size.p_beyond, size.alpha_beyond)
        text = statements.HOLDS_BEYOND if holds else statements.NOT_SHOWN_BEYOND
        words = f"{words} {text}."
    before = [one.values[run].delta for run in signal.before]
    noise = (stdev(before) or None) if len(before) > 1 else None
    facts = _map_facts(one, size)
    confirming = again.get(test.series_id)
    q = min(declared.alpha * signal.chance / signal.level, 1.0) if signal.level else 1.0
    content = [
        decisions.VERSION, test.inputs_digest, _STATUS[signal.standing], cause, because, words,
        signal.chance, q, one.decided.due_at.isoformat(), size.p_beyond, size.alpha_beyond,
        moved.before, moved.after, moved.low, moved.high, sorted(facts.items()),
        sorted(one.values[run].inputs_digest for run in (*signal.before, *signal.since)),
        confirming.inputs_digest if confirming else "",
    ]  # fmt: skip
    return StoredChange(
        series_id=test.series_id,
        kind=_KIND[signal.rule],
        role=Role.PRIMARY,
        family=member_of(test).family,
        changed_at=one.tick.due_at,
        detected_at=one.decided.due_at,
        before_run_id=test.before_run,
        after_run_id=test.after_run,
        comparison_id=test.id,
        confirm_id=confirming.id if confirming else None,
        before=moved.before,
        after=moved.after,
        effect=moved.delta,
        low=moved.low,
        high=moved.high,
        p=min(2 * signal.chance, 1.0),
        q=q,
        alpha=declared.alpha,
        p_beyond=size.p_beyond,
        alpha_beyond=size.alpha_beyond,
        noise=noise,
        statistic=abs(moved.delta) / noise if noise else None,
        status=_STATUS[signal.standing],
        cause=cause,
        because=because,
        sentence=words,
        facts=facts,
        inputs_digest=digest(content),
    )


def _cause(test: TestedComparison, witnesses: Witnesses) -> tuple[Cause, str]:
    """The cause of a change; not the engine where missing answers may have made it."""
    cause, because = witnesses.attribute(test)
    suspect = suspect_words(test.facts)
    return (Cause.OPEN, suspect) if suspect and cause is Cause.ENGINE else (cause, because)


def _moved(declared: TestedSeries, test: TestedComparison, size: Paired | None) -> QuantityMove:
    """A change as sentences take it: the answers that changed at its tick, the size of its runs."""
    moved = moved_of(declared, test)
    if size is None or size.delta is None or size.before is None or size.after is None:
        return moved
    return replace(
        moved, before=size.before, after=size.after, delta=size.delta, low=size.low,
        high=size.high, p=size.p,
    )  # fmt: skip


def _beside(tick: _AskedTick, test: TestedComparison) -> dict[str, TestedComparison]:
    """The other quantities of the same measure of the same system, over all questions."""
    alike = replace(member_of(test), quantity="")
    return {
        other_test.quantity: other_test
        for other_test in tick.tests
        if other_test.scope == "all" and replace(member_of(other_test), quantity="") == alike
    }


def _map_facts(one: _SeriesLook, size: _Size) -> dict[str, float]:
    """Return what else is known of a change.

    `runs_before` and `runs_since` are the runs that its order rests on, `runs_needed` how many
    since decide, `chance` the probability of such an order while nothing changes (one direction).
    `up` is 1 where the runs since lie above, and `exceptions` runs before may lie among them.
    `by_ticks` is 1 where runs of a tick are so alike that ticks are counted. `size_from_later` is 1
    where the size comes from runs that decided nothing, `size_runs` is how many there are.
    """
    signal = one.signal
    facts = {
        "n": float(one.test.n),
        "changed": float(one.test.changed),
        "runs_before": float(len(signal.before)),
        "runs_since": float(len(signal.since)),
        "chance": signal.chance,
        "up": float(signal.up),
        "exceptions": float(signal.exceptions),
        "by_ticks": float(signal.by_ticks),
    }
    if signal.needed is not None:
        facts["runs_needed"] = float(signal.needed)
    if size.of_quantity is not None:
        facts |= {"size_from_later": float(bool(one.later)), "size_runs": float(len(one.size_runs))}
    return facts


def _list_secondary(
    tick: _AskedTick,
    steps: Sequence[_SeriesLook],
    witnesses: Witnesses,
    again: Mapping[int, TestedComparison],
) -> Iterator[StoredChange]:
    """Secondary series of the families that have a decided step at this tick."""
    families = {member_of(step.test).family: step for step in steps}
    tests = {test.series_id: test for test in tick.tests}
    candidates = [
        series_roles.Candidate(test.series_id, member_of(test).family, test.p)
        for test in tick.tests
        if test.engine not in tick.declared.witnesses
        and not is_primary(tick.declared, test)
        and member_of(test).family in families
    ]
    for selected in series_roles.select_findings(candidates, tick.declared.alpha):
        test = tests[selected.series]
        step = families[selected.family]
        yield _beside_change(tick, selected, test, step, witnesses, again.get(test.series_id))


def _beside_change(
    tick: _AskedTick,
    selected: Selected,
    test: TestedComparison,
    step: _SeriesLook,
    witnesses: Witnesses,
    again: TestedComparison | None,
) -> StoredChange:
    """A change of a secondary series, by its paired test."""
    cause, because = _cause(test, witnesses)
    moves = {
        name: moved_of(tick.declared, other_name)
        for name, other_name in _beside(tick, test).items()
    }
    words = say_change(moved_of(tick.declared, test), where_of(test), moves, selected.alpha)
    status = Status.UNCONFIRMED
    if again is not None and again.p is not None:
        stands = again.delta * test.delta > 0 and again.p <= _AGAIN
        status = Status.CONFIRMED if stands else Status.REFUTED
    facts = {"n": float(test.n), "changed": float(test.changed)}
    content = [
        decisions.VERSION, test.inputs_digest, selected.q, status, cause, because, words,
        step.decided.due_at.isoformat(), again.inputs_digest if again else "",
    ]  # fmt: skip
    return StoredChange(
        series_id=test.series_id, kind=ChangeKind.STEP, role=Role.SECONDARY,
        family=selected.family, changed_at=tick.due_at, detected_at=step.decided.due_at,
        before_run_id=test.before_run, after_run_id=test.after_run, comparison_id=test.id,
        confirm_id=again.id if again else None, before=test.before, after=test.after,
        effect=test.delta, low=test.low, high=test.high, p=selected.p, q=selected.q,
        alpha=selected.alpha, p_beyond=None, alpha_beyond=None, noise=None, statistic=None,
        status=status, cause=cause, because=because, sentence=words, facts=facts,
        inputs_digest=digest(content),
    )  # fmt: skip


def _keep_looks(
    connection: sa.Connection,
    name: str,
    job: _JobHistory,
    found: Sequence[StoredChange],
    now: datetime,
) -> int:
    """Record every tick as decided. Returns the number of rows written."""
    stored = {look.due_at: look for look in changes.read_ledger(connection, name)}
    primaries = [change for change in found if change.role is Role.PRIMARY]
    number = written = 0
    for tick in job.ticks:
        tested = [test for test in tick.tests if is_primary(tick.declared, test)]
        number += bool(tested)
        standing = [
            primary
            for primary in primaries
            if primary.changed_at <= tick.due_at <= primary.detected_at
        ]
        decided = [
            change for change in standing
            if change.detected_at == tick.due_at and change.status is Status.CONFIRMED
        ]  # fmt: skip
        q = min((change.q for change in standing if change.q is not None), default=1.0)
        look = LedgerRow(
            due_at=tick.due_at,
            number=number if tested else 0,
            families=len({member_of(test).family for test in tested}),
            hypotheses=tick.hypotheses,
            p=q if tested else None,
            alpha=tick.declared.alpha if tested else None,
            selected=len({change.family for change in decided}),
            rule=decisions.RULE,
            inputs_digest=digest(
                [decisions.VERSION, q, sorted(test.inputs_digest for test in tested)]
            ),
        )
        if stored.get(tick.due_at) != look:
            changes.store_ledger_row(connection, name, look, now)
            written += 1
    return written
