"""What is known of a release beside its rows: jobs, lists of questions, references, newest tick."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.store.release import Wanted
from monitor.store.schema import lists, run_lists, runs
from monitor.store.types import UtcDateTime
from monitor.text.near_names import hint


def check_jobs(connection: sa.Connection, names: Sequence[str]) -> None:
    """Raise InvalidInput for a job that never ran."""
    known = list(
        connection.execute(sa.select(runs.c.job).distinct().order_by(runs.c.job)).scalars()
    )
    for name in names:
        if name not in known:
            raise InvalidInput(f"--job {name}: no run of it here; {hint(name, known)}")


@dataclass(frozen=True, slots=True)
class ListFacts:
    """A list of questions of the release, with the licence that it came with."""

    label: str
    title: str
    licence: str
    source_lang: str


def asked_lists(connection: sa.Connection, wanted: Wanted) -> list[ListFacts]:
    """The lists that the runs of a release asked, by name and version."""
    query = (
        sa.select(
            lists.c.name, lists.c.version, lists.c.title, lists.c.licence, lists.c.source_lang
        )
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(runs, runs.c.id == run_lists.c.run_id)
        .distinct()
    )
    if wanted.jobs:
        query = query.where(runs.c.job.in_(wanted.jobs))
    if wanted.until:
        query = query.where(runs.c.due_at <= wanted.until)
    found = [
        ListFacts(f"{row.name}@{row.version}", row.title, row.licence, row.source_lang)
        for row in connection.execute(query)
    ]
    return sorted(found, key=lambda one: one.label)


def references(connection: sa.Connection, wanted: Wanted) -> list[tuple[str, str, str, str]]:
    """(reference, source, country, as of) of the shares that values were compared with."""
    names = ("reference", "source", "country", "as_of", "job")
    view = sa.table("topics_current", *map(sa.column, names), sa.column("due_at", UtcDateTime))
    query = sa.select(*(view.c[name] for name in names[:4])).distinct()
    if wanted.jobs:
        query = query.where(view.c.job.in_(wanted.jobs))
    if wanted.until:
        query = query.where(view.c.due_at <= wanted.until)
    return sorted(tuple(map(str, row)) for row in connection.execute(query))  # type: ignore[misc]


def newest_due(connection: sa.Connection, wanted: Wanted) -> datetime | None:
    """The newest due time of the runs of a release."""
    query = sa.select(sa.func.max(runs.c.due_at))
    if wanted.jobs:
        query = query.where(runs.c.job.in_(wanted.jobs))
    if wanted.until:
        query = query.where(runs.c.due_at <= wanted.until)
    return connection.execute(query).scalar()
