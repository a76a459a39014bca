"""Rows of answers, runs and points written straight into the tables, for what looks after them."""

import itertools
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from monitor.jobs import Job
from monitor.model import Purpose, Reason, RunState, State
from monitor.store import rows, schema
from monitor.store.changes import findings
from monitor.store.collect import runs
from monitor.store.journal import events
from monitor.store.schedule import ticks
from tests.factories import job_content

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
SECOND = timedelta(seconds=1)
_NUMBERS = itertools.count(1)


def _add(connection, table, **row):
    return rows.insert_returning(connection, table, [row])[0]


def _job(connection, name, **changes):
    content = job_content(name=name, **changes)
    return runs.ensure_job(connection, Job.model_validate(content), AT)


def new_run(database, job="mini", due_at=AT, created_at=None, **changes):
    """A run that is being asked."""
    with database.begin() as connection:
        return _add(
            connection,
            schema.runs,
            job_id=_job(connection, job, **changes),
            job=job,
            due_at=due_at,
            kind="scheduled",
            code_version="1",
            packages={},
            created_at=created_at or due_at,
            state=RunState.RUNNING,
        )


def end_run(database, run_id, at, state=RunState.DONE):
    """Let a run end, and its tick be decided."""
    with database.begin() as connection:
        runs.set_state(connection, run_id, state, at)
        runs.mark_stage(connection, run_id, runs.COMPARE, "")
        run = runs.get_run(connection, run_id)
        findings.store_ledger_row(
            connection, run.job, findings.LedgerRow(run.due_at, 0, 0, 0, None, None, 0, "", ""), at
        )


def _engine(connection, name, kind="mt", config="hash"):
    key = {"name": name, "surface": "api", "config_hash": config}
    return rows.get_or_insert(connection, schema.engines, key, {"kind": kind, "config": {}})


def engine(database, name, **fields):
    with database.begin() as connection:
        return _engine(connection, name, **fields)


def _parser(connection, version):
    key = {"kind": "engines", "name": "p", "version": version, "fingerprint": ""}
    return rows.get_or_insert(connection, schema.versions, key, {})


def _probe(connection):
    text = f"q{next(_NUMBERS)}"
    return _add(
        connection,
        schema.probes,
        key=text,
        text=text,
        source_lang="en",
        target_lang="pt",
        region="",
        parameters=[],
    )


def ask(
    database,
    run_id,
    name,
    outcome,
    *,
    n=1,
    batch=1,
    kind="mt",
    config="hash",
    reason=Reason.NONE,
    at=AT,
    took=0.1,
    purpose=Purpose.PROBE,
    final=True,
    read=(),
):
    """`n` exchanges of `batch` questions each; no outcome: planned and not asked.

    `read` are (outcome, reason) by parsers of version 1, 2 ...
    """
    with database.begin() as connection:
        engine_id = _engine(connection, name, kind, config)
        for _ in range(n):
            exchange = None
            if outcome is not None:
                exchange = _exchange(
                    connection, run_id, engine_id, outcome, reason, at, took, purpose
                )
            if purpose is not Purpose.PROBE:
                continue
            for position in range(batch):
                attempt = _add(
                    connection,
                    schema.attempts,
                    run_id=run_id,
                    engine_id=engine_id,
                    probe_id=_probe(connection),
                    repeat=0,
                    n=1,
                    exchange_id=exchange,
                    position=None if exchange is None else position,
                    final=final and exchange is not None,
                )
                for version, (what, why) in enumerate(read, 1):
                    _add(
                        connection,
                        schema.readings,
                        attempt_id=attempt,
                        parser_id=_parser(connection, version),
                        outcome=what,
                        reason=why,
                        detail="",
                    )


def _exchange(connection, run_id, engine_id, outcome, reason, at, took, purpose):
    return _add(
        connection,
        schema.exchanges,
        run_id=run_id,
        engine_id=engine_id,
        purpose=purpose,
        request={},
        outcome=outcome,
        reason=reason,
        detail="",
        status=200,
        url="",
        headers=[],
        egress="direct",
        asked_at=at,
        took=took,
    )


def measure(database, run_id, name, quantity, value, scope="all", list_name="mini", **numbers):
    """One current point of a run."""
    with database.begin() as connection:
        run = runs.get_run(connection, run_id)
        key = f"{name} {quantity} {scope} {list_name}"
        content = {
            "job": run.job,
            "list": list_name,
            "engine_id": _engine(connection, name),
            "source_lang": "en",
            "target": "pt",
            "measure": "m",
            "quantity": quantity,
            "reference": "parity",
            "scope": scope,
        }
        series = rows.get_or_insert(connection, schema.series_keys, {"key": key}, content)
        signature = rows.get_or_insert(connection, schema.signatures, {"hash": "s"}, {"parts": {}})
        state = State.INSUFFICIENT if value is None else State.MEASURED
        _add(
            connection,
            schema.points,
            series_id=series,
            run_id=run_id,
            signature_id=signature,
            due_at=run.due_at,
            state=state,
            reason="",
            value=value,
            **({"low": None, "high": None, "bound_low": None, "bound_high": None} | numbers),
            flags=[],
            planned=1,
            answered=1,
            used=1,
            unidentified=0,
            inputs_digest=str(next(_NUMBERS)),
            computed_at=AT,
            is_current=True,
        )


def watch(database, name, since=AT, cron="0 5 * * mon", **changes):
    """Watch a job."""
    with database.begin() as connection:
        schedule = {"cron": cron} | changes.pop("schedule", {})
        job_id = _job(connection, name, schedule=schedule, **changes)
        bundle = _add(
            connection,
            schema.bundles,
            job_id=job_id,
            digest=f"{name} {job_id}",
            path="",
            stored_at=AT,
        )
        ticks.watch_job(connection, name, f"jobs/{name}.toml", bundle, since)


def alarms(database):
    """{(kind, subject)} of all that stand."""
    with database.read() as connection:
        return {(one.kind, one.subject) for one in events.list_open_alarms(connection)}


def count(database, table):
    with database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
