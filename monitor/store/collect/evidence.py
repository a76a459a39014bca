"""Attempts, exchanges and look-ups: planned questions and raw answers.

Each is stored in one transaction. Look-ups about people go to the restricted tables.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import zstandard

from monitor.model import (
    ANSWERED_OUTCOMES,
    FINAL_OUTCOMES,
    HOPELESS_REASONS,
    Answer,
    Json,
    Outcome,
    Probe,
    Purpose,
    RunKind,
    digest,
    make_storable,
)
from monitor.store import rows
from monitor.store.access.embargoes import NOTHING, EmbargoFilter
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.schema import (
    agents,
    attempts,
    egresses,
    engines,
    exchanges,
    lookups,
    people_lookups,
    probes,
    runs,
)
from monitor.store.selectables import IS_LAST_TRY, TARGET, engine_of_label


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at one question."""

    id: int
    engine_id: int
    probe_id: int
    probe: Probe
    repeat: int
    n: int


def plan_attempts(
    connection: sa.Connection, run_id: int, new_attempts: Sequence[tuple[int, int, int]]
) -> None:
    """Write the first attempt of every (engine_id, probe_id, repeat)."""
    content = [
        {"run_id": run_id, "engine_id": engine, "probe_id": probe, "repeat": repeat, "n": 1}
        for engine, probe, repeat in new_attempts
    ]
    rows.insert_ignore(connection, attempts, content)


_PROBE = [probes.c[name] for name in Probe.__slots__]


def find_open_attempts(
    connection: sa.Connection, run_id: int, engine_id: int, after: int = 0, most: int | None = None
) -> list[Attempt]:
    """Return attempts of a run that have no answer yet, in the order they were planned.

    Those with an id of more than `after`, at most so many.
    """
    query = (
        sa.select(attempts, *_PROBE)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.engine_id == engine_id,
            attempts.c.exchange_id.is_(None),
            attempts.c.id > after,
        )
        .order_by(attempts.c.id)
        .limit(most)
    )
    return [
        Attempt(row.id, row.engine_id, row.probe_id, make_probe(row), row.repeat, row.n)
        for row in connection.execute(query)
    ]


def make_probe(row: Any) -> Probe:  # noqa: ANN401 - a row of probes
    """Return a probe as it was planned."""
    parameters = tuple(sorted(row.parameters.items()))
    return Probe(row.text, row.source_lang, row.target_lang, row.region, parameters)


@dataclass(frozen=True, slots=True)
class SettledAnswer:
    """One raw answer with its request and the attempts that it settles, in their order."""

    attempts: tuple[Attempt, ...]
    request: Mapping[str, Json]
    answer: Answer


_SETTLE = (
    sa.update(attempts)
    .where(attempts.c.id == sa.bindparam("attempt"), attempts.c.exchange_id.is_(None))
    .values(
        exchange_id=sa.bindparam("exchange"),
        position=sa.bindparam("place"),
        final=sa.bindparam("settles"),
    )
)


class Recorder:
    """Stores the answers of one run, in the caller's transactions."""

    def __init__(self, database: Database, run_id: int, tries: int) -> None:
        self._database, self._run_id, self._tries = database, run_id, tries
        self._agents: dict[str, int] = {}  # by digest; rows of this table never go away

    def record(self, connection: sa.Connection, answers: Sequence[SettledAnswer]) -> list[int]:
        """Store answers and settle their attempts; what may be asked again gets a next attempt.

        The caller's transaction makes this exactly once: attempts that have an answer already are
        refused. Returns the ids of the exchanges.
        """
        contents = [settled.answer.body for settled in answers]
        contents += [settled.answer.screenshot for settled in answers]
        moments = [_compute_receipt(settled.answer) for settled in answers]
        kinds = ["answer"] * len(answers) + ["screenshot"] * len(answers)
        body_ids = bodies.store_bodies(
            connection, self._database, list(zip(contents, kinds, moments * 2, strict=True))
        )
        halves = body_ids[: len(answers)], body_ids[len(answers) :]
        content = [
            self._exchange_row(connection, *one) for one in zip(answers, *halves, strict=True)
        ]
        ids = rows.insert_returning(connection, exchanges, content)
        self._settle_attempts(connection, list(zip(ids, answers, strict=True)))
        again = [
            attempt
            for settled in answers
            for attempt in settled.attempts
            if not _is_final(settled.answer) and attempt.n < self._tries
        ]
        _plan_retries(connection, self._run_id, again)
        return ids

    def forget(self) -> None:
        """Look up anew what a transaction that came to nothing may have inserted."""
        self._agents.clear()

    @staticmethod
    def is_stored(connection: sa.Connection, settled: SettledAnswer) -> bool:
        """Return whether an answer was stored: asked where a commit's own answer did not arrive."""
        query = sa.select(attempts.c.id).where(
            attempts.c.id == settled.attempts[0].id, attempts.c.exchange_id.is_not(None)
        )
        return connection.execute(query).scalar() is not None

    def _exchange_row(
        self,
        connection: sa.Connection,
        settled: SettledAnswer,
        body: int | None,
        screenshot: int | None,
    ) -> dict[str, object]:
        answer = settled.answer
        identity = {name: make_storable(value) for name, value in answer.agent}
        return rows.make_row(
            exchanges,
            answer,
            run_id=self._run_id,
            engine_id=settled.attempts[0].engine_id,
            purpose=Purpose.PROBE,
            request=dict(settled.request),
            headers=[[make_storable(part) for part in pair] for pair in answer.headers],
            body_id=body,
            screenshot_id=screenshot,
            agent_id=self._agent_id(connection, identity),
            observed={name: make_storable(text) for name, text in answer.observed} or None,
        )

    def _settle_attempts(
        self, connection: sa.Connection, settled_answers: Sequence[tuple[int, SettledAnswer]]
    ) -> None:
        changes = [
            {
                "attempt": attempt.id,
                "exchange": exchange_id,
                "place": position,
                "settles": _is_final(settled.answer) or attempt.n >= self._tries,
            }
            for exchange_id, settled in settled_answers
            for position, attempt in enumerate(settled.attempts)
        ]
        if connection.execute(_SETTLE, changes).rowcount != len(changes):
            raise RuntimeError(
                f"an attempt of exchange {settled_answers[0][0]} or later has an answer already"
            )

    def _agent_id(self, connection: sa.Connection, identity: dict[str, str]) -> int | None:
        if not identity:
            return None
        key = digest(identity)
        if key not in self._agents:
            self._agents[key] = rows.get_or_insert(
                connection, agents, {"key": key}, {"identity": identity}
            )
        return self._agents[key]


def _compute_receipt(answer: Answer) -> datetime:
    return answer.asked_at + timedelta(seconds=answer.took)


def _is_final(answer: Answer) -> bool:
    """Return whether a further try in this run could not help."""
    return answer.outcome in FINAL_OUTCOMES or answer.reason in HOPELESS_REASONS


def _plan_retries(connection: sa.Connection, run_id: int, failed: Sequence[Any]) -> None:
    """Add a further attempt to each of these, which are records or rows of attempts."""
    again = [(attempt.engine_id, attempt.probe_id, attempt.repeat, attempt.n) for attempt in failed]
    content = [
        {"run_id": run_id, "engine_id": engine, "probe_id": probe, "repeat": repeat, "n": n + 1}
        for engine, probe, repeat, n in again
    ]
    rows.insert_ignore(connection, attempts, content)


def count_requests_by_engine(connection: sa.Connection, since: datetime) -> Counter[str]:
    """Return {name of an engine: exchanges since a time}, over all its models and addresses.

    Each engine's are found by its own index.
    """
    n_requests = (
        sa.select(sa.func.count())
        .where(exchanges.c.engine_id == engines.c.id, exchanges.c.asked_at >= since)
        .scalar_subquery()
    )
    counts: Counter[str] = Counter()
    for name, n in connection.execute(sa.select(engines.c.name, n_requests)):
        counts[engine_of_label(name)] += int(n)
    return counts


def read_identities(connection: sa.Connection, job: str, due_at: datetime) -> list[dict[str, str]]:
    """Return what answered the questions of a job's tick, as each said of itself."""
    answering = (
        sa.select(exchanges.c.agent_id)
        .join(runs, runs.c.id == exchanges.c.run_id)
        .where(runs.c.job == job, runs.c.due_at == due_at)
    )
    return _read_agents(connection, answering)


def _read_agents(connection: sa.Connection, numbers: sa.Select[Any]) -> list[dict[str, str]]:
    query = sa.select(agents.c.identity).where(agents.c.id.in_(numbers)).order_by(agents.c.id)
    return [dict(identity) for identity in connection.execute(query).scalars()]


def find_answerers(
    connection: sa.Connection, run_id: int, job: str, engine_id: int
) -> tuple[set[int], set[int]]:
    """Return ids of who answered for an engine: (in the job's run before this one, in this one).

    Runs that ask a part of a tick again come before none.
    """
    previous = (
        sa.select(sa.func.max(runs.c.id))
        .join(exchanges, exchanges.c.run_id == runs.c.id)
        .where(
            runs.c.job == job,
            runs.c.id < run_id,
            runs.c.kind.not_in((RunKind.NOISE, RunKind.CONFIRM)),
            exchanges.c.engine_id == engine_id,
            exchanges.c.outcome == Outcome.OK,
        )
    )
    before = connection.execute(previous).scalar()
    in_previous, in_this = (
        set(connection.execute(_select_agents(number, engine_id)).scalars())
        for number in (before or 0, run_id)
    )
    return in_previous, in_this


def read_answering_identity(
    connection: sa.Connection, run_id: int, engine_id: int
) -> list[dict[str, str]]:
    """Return the identities that answered for an engine in a run: `{"model_reported": "m-1"}`."""
    return _read_agents(connection, _select_agents(run_id, engine_id))


def _select_agents(run_id: int, engine_id: int) -> sa.Select[Any]:
    is_answer = (exchanges.c.engine_id == engine_id) & (exchanges.c.outcome == Outcome.OK)
    query = sa.select(exchanges.c.agent_id).where(exchanges.c.run_id == run_id, is_answer)
    return query.where(exchanges.c.agent_id.is_not(None)).distinct()


def reopen_attempts(connection: sa.Connection, run_id: int) -> int:
    """Give questions whose last attempt ended without an answer one more attempt.

    Used when a person resumes a run. Returns how many were reopened.
    """
    settled = (
        sa.select(attempts)
        .join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.final,
            exchanges.c.outcome.not_in(ANSWERED_OUTCOMES),
        )
    )
    lost = connection.execute(settled).all()
    change = sa.update(attempts).values(final=False)
    rows.change_in_parts(connection, change, attempts.c.id, [row.id for row in lost])
    _plan_retries(connection, run_id, lost)
    return len(lost)


def count_unasked(connection: sa.Connection, run_id: int, engine_ids: Sequence[int]) -> int:
    """Return how many questions of a run these engines still have to be asked."""
    query = sa.select(sa.func.count()).where(
        attempts.c.run_id == run_id,
        attempts.c.engine_id.in_(engine_ids),
        attempts.c.exchange_id.is_(None),
    )
    return int(connection.execute(query).scalar_one())


def count_progress(
    connection: sa.Connection, run_id: int, hidden: EmbargoFilter = NOTHING
) -> tuple[int, int]:
    """Return (planned, answered) questions of a run, as far as it is shown."""
    answered = sa.case((attempts.c.final & exchanges.c.outcome.in_(ANSWERED_OUTCOMES), 1), else_=0)
    query = (
        sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(answered), 0))
        .select_from(attempts.outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id))
        .where(attempts.c.run_id == run_id, IS_LAST_TRY)
    )
    if hidden.evidence:
        query = query.join(probes, probes.c.id == attempts.c.probe_id)
        query = query.where(hidden.answers_shown(attempts.c.engine_id, TARGET))
    planned, done = connection.execute(query).one()
    return int(planned), int(done)


# --- look-ups -------------------------------------------------------------------------------------

_LEVEL = 9


def store_lookup(
    connection: sa.Connection,
    database: Database,
    run_id: int | None,
    purpose: Purpose,
    request: Mapping[str, Json],
    answer: Answer,
) -> int:
    """Keep one question and its answer; returns the row's id.

    It is one of `people_lookups` for labels, and for requests that are restricted.
    """
    row: dict[str, object] = {"run_id": run_id, "purpose": purpose, "request": dict(request)}
    if is_restricted(purpose, request):
        table = people_lookups
        packed = zstandard.ZstdCompressor(level=_LEVEL).compress(answer.body)
        row |= {"sha256": hashlib.sha256(answer.body).hexdigest(), "body": packed}
    else:
        table, received = lookups, _compute_receipt(answer)
        row["body_id"] = bodies.store_body(connection, database, answer.body, "lookup", received)
    return rows.insert_returning(connection, table, [rows.make_row(table, answer, **row)])[0]


def is_restricted(purpose: Purpose, request: Mapping[str, Json]) -> bool:
    """Return whether what comes back tells of single people."""
    return purpose is Purpose.LABEL or bool(request.get("restricted"))


@dataclass(frozen=True, slots=True)
class ExitAddress:
    """From where a run's requests left: the country, and a keyed hash of the address."""

    exit: str
    service: str
    outcome: Outcome
    detail: str
    country: str
    address_hash: str
    asked_at: datetime


def store_exit(connection: sa.Connection, run_id: int, seen: ExitAddress) -> None:
    """Keep what a look-up of our own address said."""
    row = rows.make_row(egresses, seen, run_id=run_id)
    connection.execute(sa.insert(egresses).values(row))


def list_countries(connection: sa.Connection, run_id: int) -> tuple[str, ...]:
    """Return the countries from which a run's requests were seen to leave, each once, in order."""
    query = (
        sa.select(egresses.c.country)
        .where(egresses.c.run_id == run_id, egresses.c.country != "")
        .order_by(egresses.c.id)
    )
    return tuple(dict.fromkeys(connection.execute(query).scalars()))
