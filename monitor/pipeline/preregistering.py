"""Declares what a job will test before its first tick: hashed, dated, and never changed.

In goes a job with its table `preregistration`, out comes the declaration as it is stored.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from monitor import __version__
from monitor.jobs import Audit, files_of
from monitor.model import InvalidInput, Json, RunKind, digest
from monitor.pipeline.begin import keep_files
from monitor.store import preregistrations
from monitor.store.database import Database
from monitor.store.preregistrations import Begun, Registered

#: Of the content of a declaration.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration that counts, and whether it was made just now.

    `seen` are runs made by hand before it: somebody may have known their answers.
    """

    registered: Registered
    is_new: bool
    seen: Begun | None


def content_of(audit: Audit) -> dict[str, Json]:
    """All that is declared, the same whenever it is asked for. Raises InvalidInput."""
    table = audit.job.preregistration
    if table is None:
        raise InvalidInput(
            f"{audit.path}: has no table [preregistration]; write down hypothesis, primaries, "
            "targets, smallest_effect and stop_rule first"
        )
    files = files_of(audit)
    return {
        "format": FORMAT,
        "job": audit.job.name,
        "job_hash": audit.job.content_hash,
        "declared": table.model_dump(mode="json"),
        "lists": {one.label: one.content_hash for one in audit.lists},
        "references": {
            path: sha256(content).hexdigest()
            for path, content in files.items()
            if path.startswith("references/")
        },
        "regions": {
            name: digest([list(one) for one in region.parameters])
            for name, region in audit.regions.items()
        },
        "code": __version__,
    }


def register(
    database: Database, audit: Audit, now: datetime, recorded: datetime | None = None
) -> Declared:
    """Write the declaration of a job down, unless that was done before.

    `recorded` is the first date of which answers are there already. Raises InvalidInput where there
    is one, another declaration was made before, or the job has a scheduled run.
    """
    content = content_of(audit)
    name = audit.job.name
    with database.begin() as connection:
        first = preregistrations.first_runs(connection, name)
        known = preregistrations.of_job(connection, name)
        if known is not None:
            return _again(audit, known, content, first.get(RunKind.MANUAL))
        if run := first.get(RunKind.SCHEDULED):
            raise InvalidInput(
                f"{audit.path}: run {run.id} of the tick of {run.due_at:%Y-%m-%d %H:%M} UTC was "
                f"begun on {run.created_at:%Y-%m-%d %H:%M} UTC; what is declared after the first "
                "tick is no preregistration"
            )
        if recorded is not None:
            raise InvalidInput(
                f"{audit.path}: answers of {recorded:%Y-%m-%d} are recorded already; what is "
                "declared after them is no preregistration"
            )
        keep_files(connection, database, audit)
        made = preregistrations.add(connection, name, content, now)
    if made is None:
        raise InvalidInput(f"{audit.path}: is being declared by another process; look at --show")
    return Declared(made, is_new=True, seen=first.get(RunKind.MANUAL))


def _again(
    audit: Audit, known: Registered, content: dict[str, Json], manual: Begun | None
) -> Declared:
    """What was declared before, if it is the same. Raises InvalidInput if not."""
    if known.hash != digest(content):
        raise InvalidInput(
            f"{audit.path}: {audit.job.name} was declared on {known.registered_at:%Y-%m-%d %H:%M} "
            f"UTC with the hash {known.hash}; the first declaration counts. Different now: "
            f"{', '.join(differences(known, content))}"
        )
    seen = manual if manual and manual.created_at < known.registered_at else None
    return Declared(known, is_new=False, seen=seen)


def differences(known: Registered, content: dict[str, Json]) -> list[str]:
    """The parts of a declaration that are another now, by their names."""
    return sorted(
        name for name in {*known.content, *content} if known.content.get(name) != content.get(name)
    )


def stored(database: Database, audit: Audit) -> Declared:
    """What counts of a job. Raises InvalidInput where nothing was declared."""
    with database.read() as connection:
        known = preregistrations.of_job(connection, audit.job.name)
        manual = preregistrations.first_runs(connection, audit.job.name).get(RunKind.MANUAL)
    if known is None:
        raise InvalidInput(
            f"{audit.path}: nothing was declared for {audit.job.name}; declare it with: "
            f"monitor preregister {audit.path}"
        )
    seen = manual if manual and manual.created_at < known.registered_at else None
    return Declared(known, is_new=False, seen=seen)
