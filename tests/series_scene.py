"""Writes series, runs, ticks and points as a daemon would have left them, row by row."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from monitor.model import digest
from monitor.store import rows, schema

FIRST = datetime(2025, 1, 6, 5, tzinfo=UTC)


def week(number):
    """The due time of a tick."""
    return FIRST + timedelta(weeks=number)


class Scene:
    """One job's runs and ticks by the number of their week; ids are the database's own."""

    def __init__(self, database, job="audit"):
        self.database, self.job = database, job
        self.runs = {}
        parts = {"of": "scene", "version": 1}
        with database.begin() as connection:
            self.signature = self._signature(connection, parts)
            self.list_id = rows.get_or_insert(
                connection,
                schema.lists,
                {"name": "mini", "version": "1"},
                {
                    "content_hash": "x", "source_lang": "en", "title": "Mini",
                    "status": "unvalidated", "licence": "CC0-1.0", "description": "",
                    "published_at": FIRST,
                },
            )  # fmt: skip
        self.job_id = self._job(job)

    @staticmethod
    def _signature(connection, parts):
        return rows.get_or_insert(
            connection, schema.signatures, {"hash": digest(parts)}, {"parts": parts}
        )

    def another_signature(self, version=2, **parts):
        with self.database.begin() as connection:
            return self._signature(connection, {"of": "scene", "version": version, **parts})

    def _job(self, name):
        with self.database.begin() as connection:
            return rows.get_or_insert(
                connection,
                schema.jobs,
                {"name": name, "content_hash": digest(name)},
                {"content": {"name": name}, "first_seen_at": FIRST},
            )

    def add(self, table, **values):
        with self.database.begin() as connection:
            return rows.insert_returning(connection, table, [values])[0]

    def engine(self, label="deepl"):
        with self.database.begin() as connection:
            return rows.get_or_insert(
                connection,
                schema.engines,
                {"name": label, "surface": "api", "config_hash": digest(label)},
                {"kind": "mt", "config": {}},
            )

    def series(self, label="deepl", target="cs", quantity="f_s", scope="all", **changes):
        engine_id = self.engine(label)
        row = {
            "job": self.job, "list": "mini", "engine_id": engine_id, "source_lang": "en",
            "target": target, "measure": "masculine_rate", "quantity": quantity, "reference": "",
            "scope": scope, "signature_id": self.signature,
        } | changes  # fmt: skip
        known = [str(row[name]) for name in sorted(row) if name != "signature_id"]
        return self.add(schema.series_keys, key=digest(known), **row)

    def run(self, number, kind="scheduled", state="done", job=None, **changes):
        """A run without a tick, as `monitor run` and importers make them."""
        finished = week(number) if state in ("done", "partial") else None
        run_id = self.add(
            schema.runs, job_id=self._job(job or self.job), job=job or self.job, kind=kind,
            due_at=week(number), state=state, finished_at=finished, code_version="x", packages={},
            created_at=week(number), **changes,
        )  # fmt: skip
        with self.database.begin() as connection:
            content = {"run_id": run_id, "list_id": self.list_id}
            connection.execute(sa.insert(schema.run_lists), [content])
        return run_id

    def tick(self, number, state="done", reason="", run_id=None, noted=None, job=None):
        is_open = state in ("due", "running")
        return self.add(
            schema.ticks, job=job or self.job, due_at=week(number), start_at=week(number),
            state=state, reason=reason, run_id=run_id, noted_at=noted or week(number),
            ended_at=None if is_open else week(number),
        )  # fmt: skip

    def done(self, number, **run):
        """A tick with its run; returns the run."""
        run_id = self.run(number, **run)
        self.tick(number, run_id=run_id, job=run.get("job"))
        return run_id

    def missed(self, number, reason="nobody was there"):
        return self.tick(number, "missed", reason)

    def asked(self, run_id, label="deepl", target="cs", final=True):
        """One question of a run to an engine."""
        key = digest([target, "question"])[:32]
        with self.database.begin() as connection:
            probe_id = rows.get_or_insert(
                connection,
                schema.probes,
                {"key": key},
                {
                    "text": "I am tired.", "source_lang": "en", "target_lang": target,
                    "region": "", "parameters": {},
                },
            )  # fmt: skip
        return self.add(
            schema.attempts, run_id=run_id, engine_id=self.engine(label), probe_id=probe_id,
            repeat=0, n=1, final=final,
        )  # fmt: skip

    def point(self, series_id, run_id, value=0.5, **changes):
        is_measured = value is not None
        due_at = self.due_of(run_id)
        row = {
            "series_id": series_id, "run_id": run_id, "signature_id": self.signature,
            "due_at": due_at, "state": "measured" if is_measured else "insufficient",
            "reason": "" if is_measured else "2 of 40 usable, floor 10", "value": value,
            "low": value - 0.1 if is_measured else None,
            "high": value + 0.1 if is_measured else None, "bound_low": 0.25, "bound_high": 0.75,
            "flags": ["exploratory"], "planned": 40, "answered": 39, "used": 30 if value else 2,
            "unidentified": 1, "inputs_digest": "one", "computed_at": due_at,
            "is_current": True, "is_newest": True,
        } | changes  # fmt: skip
        return self.add(schema.points, **row)

    def due_of(self, run_id):
        with self.database.read() as connection:
            query = sa.select(schema.runs.c.due_at).where(schema.runs.c.id == run_id)
            return connection.execute(query).scalar_one()

    def compared(self, series_id, before, after, **changes):
        row = {
            "series_id": series_id, "contrast": "step", "before_run_id": before,
            "after_run_id": after, "signature_id": self.signature, "due_at": self.due_of(after),
            "method_version": 1, "state": "measured", "reason": "", "test": "mcnemar", "n": 38,
            "only_before": 1, "only_after": 2, "changed": 9, "before": 0.5, "after": 0.75,
            "delta": 0.25, "low": 0.125, "high": 0.375, "p": 0.0004, "facts": {},
            "inputs_digest": "one", "computed_at": self.due_of(after), "is_current": True,
        } | changes  # fmt: skip
        return self.add(schema.comparisons, **row)

    def changed(self, series_id, before, after, **changes):
        row = {
            "series_id": series_id, "kind": "step", "role": "primary", "family": "deepl cs",
            "changed_at": self.due_of(after), "detected_at": self.due_of(after),
            "before_run_id": before, "after_run_id": after, "before": 0.5, "after": 0.75,
            "effect": 0.25, "low": 0.125, "high": 0.375, "p": 0.0004, "q": 0.002, "alpha": 0.01,
            "status": "confirmed", "cause": "engine", "because": "the control stood still",
            "sentence": "f_s rose from 0.500 to 0.750", "facts": {}, "inputs_digest": "one",
            "computed_at": self.due_of(after), "is_current": True,
        } | changes  # fmt: skip
        return self.add(schema.changes, **row)
