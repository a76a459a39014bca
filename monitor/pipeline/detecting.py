"""From comparisons to findings: the ledger of a job computed anew, ticks decided in their order."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status
from monitor.jobs import Audit
from monitor.model import InvalidInput, RunKind, digest
from monitor.pipeline.begin import audit_of_run
from monitor.pipeline.declared import Declarations, Declared, member_of, moved_of, where_of
from monitor.pipeline.looking_back import look_back
from monitor.pipeline.noise import floors
from monitor.pipeline.witnesses import Witnesses
from monitor.stages import findings
from monitor.stages.change_wording import Moved, sentence
from monitor.stages.findings import Candidate, Look, Selected
from monitor.stats.noise import Floor
from monitor.store import changes, comparisons, runs
from monitor.store.changes import Change, Looked
from monitor.store.comparisons import Tested
from monitor.store.database import Database
from monitor.store.runs import Run

log = logging.getLogger(__name__)

#: Asked again, a finding has to be there by itself: one test, not many.
_AGAIN = 0.05
_SHARED = (
    "Asked again, it was held against the same tick before, because there is no earlier one: if "
    "that tick was odd, both comparisons show it."
)


@dataclass(frozen=True, slots=True)
class _Tick:
    """One tick of a job with all that was compared at it, and what its own job declares."""

    declared: Declared
    run_id: int
    due_at: datetime
    tests: Sequence[Tested]
    candidates: Sequence[Candidate]
    noise: Mapping[int, Floor]  # by primary series
    digest: str

    @property
    def look(self) -> Look:
        """As the ledger has it."""
        return findings.look(self.candidates)


def detect(database: Database, audit: Audit, run: Run, now: datetime | None = None) -> int:
    """Decide the tick of a run, and others whose level is another now. Returns rows written.

    `audit` is the job of the run; each tick is decided by its own. Raises InvalidInput where that
    of the run's tick cannot be read.
    """
    if run.kind not in (RunKind.SCHEDULED, RunKind.CONFIRM):
        return 0
    now = now or datetime.now(UTC)
    with database.begin() as connection:
        changes.alone(connection)
        declarations = Declarations(connection, database, run, audit)
        tick = _tick(connection, declarations, run.job, run.due_at)
        if tick is None:
            return 0
        written = 0
        for decided, entry in _to_decide(connection, declarations, run.job, tick):
            found, selected = _found(connection, run.job, decided, entry, now)
            changes.keep_look(connection, run.job, replace(entry, selected=selected), now)
            series = [one.series_id for one in decided.tests]
            kinds = [ChangeKind.STEP]
            written += changes.replace(connection, found, kinds, series, decided.due_at, now)
        if run.kind is RunKind.SCHEDULED:
            written += look_back(connection, tick.declared, run.job, tick.tests, tick.due_at, now)
    return written


def expire(database: Database, now: datetime) -> int:
    """Decide findings anew that wait to be asked again: their time may be over. Rows written."""
    with database.read() as connection:
        waiting = [runs.get(connection, one) for one in changes.waiting(connection, now)]
    written = 0
    for run in waiting:
        try:
            written += detect(database, audit_of_run(database, run), run, now)
        except InvalidInput as error:
            log.warning("findings of run %s stay as they are: %s", run.id, error)
    return written


def _tick(
    connection: sa.Connection, declarations: Declarations, job: str, due_at: datetime
) -> _Tick | None:
    """What was compared at a tick; None where there is no run."""
    run_id = runs.scheduled_at(connection, job, due_at)
    if run_id is None:
        return None
    declared = declarations.of(runs.get(connection, run_id))
    tests = comparisons.of_run(connection, run_id, Contrast.STEP)
    noise = floors(connection, declared, tests, run_id)
    candidates = [_candidate(declared, one, noise) for one in tests]
    known = [[c.series, c.family, c.role, c.p] for c in candidates]
    inputs = digest([findings.VERSION, known, sorted(one.inputs_digest for one in tests)])
    return _Tick(declared, run_id, due_at, tests, candidates, noise, inputs)


def _candidate(declared: Declared, one: Tested, noise: Mapping[int, Floor]) -> Candidate:
    """A series with its role."""
    member = member_of(one)
    role = Role.SECONDARY
    if one.engine in declared.witnesses:
        role = Role.WITNESS
    elif one.scope == "all" and member in declared.primaries:
        role = Role.PRIMARY
    return Candidate(one.series_id, member.family, role, _p(one, noise.get(one.series_id)))


def _p(one: Tested, noise: Floor | None) -> float | None:
    """The p of a comparison. Where probes share a noise it is the larger of two."""
    beyond = noise.p(one.delta) if noise else None
    return one.p if one.p is None or beyond is None else max(one.p, beyond)


def _to_decide(
    connection: sa.Connection, declarations: Declarations, job: str, tick: _Tick
) -> Iterator[tuple[_Tick, Looked]]:
    """The tick, and those whose level changed, each with its new row in the ledger."""
    before = {one.due_at: one for one in changes.ledger(connection, job)}
    looks = {due_at: Look(one.p, one.families, one.hypotheses) for due_at, one in before.items()}
    looks[tick.due_at] = tick.look
    times = sorted(looks)
    levels = findings.levels([looks[at] for at in times], tick.declared.alpha)
    tested = 0
    for at, level in zip(times, levels, strict=True):
        tested += level is not None
        number = 0 if level is None else tested
        if at != tick.due_at and before[at].alpha == level and before[at].number == number:
            continue
        decided = tick if at == tick.due_at else _other(connection, declarations, job, at)
        if decided is None:
            continue
        look = looks[at]
        yield (
            decided,
            Looked(
                at, number, look.families, look.hypotheses, look.p, level, 0, findings.RULE,
                decided.digest,
            ),
        )  # fmt: skip


def _other(
    connection: sa.Connection, declarations: Declarations, job: str, due_at: datetime
) -> _Tick | None:
    """A tick whose level is another now; None where it has no run, or no job that can be read."""
    try:
        return _tick(connection, declarations, job, due_at)
    except InvalidInput as error:
        log.warning("findings of %s at %s stay as they are: %s", job, due_at, error)
        return None


def _found(
    connection: sa.Connection,
    job: str,
    tick: _Tick,
    entry: Looked,
    now: datetime,
) -> tuple[list[Change], int]:
    """(findings of a tick at its level, number of families selected)."""
    if entry.alpha is None:
        return [], 0
    selected, n_families = findings.select(tick.candidates, entry.alpha)
    if not selected:
        return [], 0
    declared = tick.declared
    by_series = {one.series_id: one for one in tick.tests}
    again = _again(connection, job, tick.due_at)
    witness = Witnesses(connection, declared, tick.run_id, tick.tests)
    found = []
    for one in selected:
        test = by_series[one.series]
        noise = tick.noise.get(one.series)
        status, confirm = _status(declared, test, again.get(one.series), noise, now)
        cause, because = witness.attribute(test)
        if confirm and confirm.before_run == test.before_run:
            because = f"{because} {_SHARED}"
        words = sentence(moved_of(declared, test), where_of(test), _beside(tick, test), one.alpha)
        found.append(_change(tick, one, test, (status, confirm), (cause, because), words))
    return found, n_families


def _again(connection: sa.Connection, job: str, due_at: datetime) -> dict[int, Tested]:
    """What was found when a tick's questions were asked again, by series."""
    run_id = runs.scheduled_at(connection, job, due_at, RunKind.CONFIRM)
    if run_id is None:
        return {}
    found = comparisons.of_run(connection, run_id, Contrast.CONFIRM)
    return {one.series_id: one for one in found}


def _status(
    declared: Declared, test: Tested, again: Tested | None, noise: Floor | None, now: datetime
) -> tuple[Status, Tested | None]:
    """What has become of a finding, and what was found when it was asked again."""
    p = None if again is None else _p(again, noise)
    if again is not None and p is not None:
        stands = again.delta * test.delta > 0 and p <= _AGAIN
        return (Status.CONFIRMED if stands else Status.REFUTED), again
    late = now > test.due_at + declared.within
    return (Status.UNCONFIRMED if late or not declared.may_ask else Status.CANDIDATE), None


def _beside(tick: _Tick, one: Tested) -> dict[str, Moved]:
    """The other quantities of the same measure of the same system, over all probes."""
    alike = replace(member_of(one), quantity="")
    return {
        other.quantity: moved_of(tick.declared, other)
        for other in tick.tests
        if other.scope == "all" and replace(member_of(other), quantity="") == alike
    }


def _change(
    tick: _Tick,
    selected: Selected,
    test: Tested,
    confirmed: tuple[Status, Tested | None],
    attributed: tuple[Cause, str],
    words: str,
) -> Change:
    (status, again), (cause, because) = confirmed, attributed
    noise = tick.noise.get(test.series_id)
    sd = noise.sd_of_difference if noise else None
    facts = _facts(test, again, noise)
    content = [
        findings.VERSION, test.inputs_digest, selected.q, selected.alpha, selected.role, status,
        cause, because, words, sd, sorted(facts.items()), again.inputs_digest if again else "",
    ]  # fmt: skip
    return Change(
        series_id=test.series_id,
        kind=ChangeKind.STEP,
        role=selected.role,
        family=selected.family,
        changed_at=test.due_at,
        detected_at=test.due_at,
        before_run_id=test.before_run,
        after_run_id=test.after_run,
        comparison_id=test.id,
        confirm_id=again.id if again else None,
        before=test.before,
        after=test.after,
        effect=test.delta,
        low=test.low,
        high=test.high,
        p=selected.p,
        q=selected.q,
        alpha=selected.alpha,
        e_value=test.facts.get("e_value"),
        noise=sd,
        statistic=noise.statistic(test.delta) if noise else None,
        status=status,
        cause=cause,
        because=because,
        sentence=words,
        facts=facts,
        inputs_digest=digest(content),
    )


def _facts(test: Tested, again: Tested | None, noise: Floor | None) -> dict[str, float]:
    """What else is known of a finding.

    `confirm_shares_before`: asked again it was held against the same run as at first (1), or
    against one that the finding does not rest on (0). `shared_noise` is the standard deviation of
    what all probes share at a tick, at most `shared_noise_high`; p is also that against the noise
    where `noise_counts` is 1.
    """
    facts: dict[str, float] = {"n": test.n, "changed": test.changed}
    if again:
        facts["confirm_shares_before"] = float(again.before_run == test.before_run)
    if noise and noise.s_b is not None:
        facts |= {"shared_noise": noise.s_b, "noise_counts": float(noise.counts)}
        if noise.s_b_high is not None:
            facts["shared_noise_high"] = noise.s_b_high
    return facts
