"""Declares what a job will test before its first tick: hashed, dated, and never changed.

In goes a job with its table `preregistration`, out comes the declaration as it is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from monitor import __version__
from monitor.jobs import Audit, files_of
from monitor.model import InvalidInput, Json, RunKind, digest
from monitor.pipeline.collect.run_starts import keep_files
from monitor.stages.jobs import preregistration
from monitor.stages.jobs.preregistration import DepartureStretch, Differences
from monitor.store.database import Connection, Database
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import BegunRun, Registration
from monitor.store.jobs.run_inputs import RunInputs

#: Of the content of a declaration. 1 had no hashes of parts.
FORMAT = 2
_TABLE = "preregistration"


@dataclass(frozen=True, slots=True)
class JobRegistration:
    """A declaration that counts, and whether it was made just now.

    `seen` are runs made by hand before it: somebody may have known their answers. `now` is what is
    different in the job file of today, `stretches` are ticks that were not asked as declared.
    """

    registered: Registration
    is_new: bool
    seen: BegunRun | None
    now: Differences = field(default_factory=Differences)
    stretches: Sequence[DepartureStretch] = ()


def content_of(audit: Audit) -> dict[str, Json]:
    """All that is declared, the same whenever it is asked for. Raises InvalidInput."""
    table = audit.job.preregistration
    if table is None:
        raise InvalidInput(
            f"{audit.path}: has no table [preregistration]; write down hypothesis, primaries, "
            "targets, smallest_effect and stop_rule first"
        )
    run_inputs = made_of(audit)
    return {
        "format": FORMAT,
        "job": audit.job.name,
        "job_hash": audit.job.content_hash,
        "declared": table.model_dump(mode="json"),
        "lists": dict(run_inputs.lists),
        "references": dict(run_inputs.references),
        "regions": dict(run_inputs.regions),
        "parts": dict(preregistration.hash_parts(run_inputs)),
        "code": __version__,
    }


def made_of(audit: Audit) -> RunInputs:
    """Return what a job asks as its files stand now. Raises OSError."""
    return RunInputs(
        content=audit.job.model_dump(mode="json"),
        lists={probe_list.label: probe_list.content_hash for probe_list in audit.lists},
        references={
            path: sha256(content).hexdigest()
            for path, content in files_of(audit).items()
            if path.startswith("references/")
        },
        regions={
            name: digest([list(parameter) for parameter in region.parameters])
            for name, region in audit.regions.items()
        },
    )


def register_job(
    database: Database, audit: Audit, now: datetime, recorded: datetime | None = None
) -> JobRegistration:
    """Write the declaration of a job down, unless that was done before.

    `recorded` is the first date of which answers are there already. Raises InvalidInput where there
    is one, another declaration was made before, or the job has a scheduled run.
    """
    content = content_of(audit)
    name = audit.job.name
    with database.begin() as connection:
        first = declarations.find_first_runs(connection, name)
        registration = declarations.find_registration(connection, name)
        if registration is not None:
            return _again(audit, _held(connection, registration, audit))
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
        this_registration = declarations.add_registration(connection, name, content, now)
    if this_registration is None:
        raise InvalidInput(f"{audit.path}: is being declared by another process; look at --show")
    return JobRegistration(this_registration, is_new=True, seen=first.get(RunKind.MANUAL))


def _again(audit: Audit, found: JobRegistration) -> JobRegistration:
    """Return what was declared before, if it is the same. Raises InvalidInput if not."""
    registered = found.registered
    differing = [*found.now.bearing, *_list_table(registered, audit, found.now)]
    if differing:
        raise InvalidInput(
            f"{audit.path}: {audit.job.name} was declared on "
            f"{registered.registered_at:%Y-%m-%d %H:%M} UTC with the hash "
            f"{registered.hash}; the first declaration counts. Different now: "
            f"{'; '.join(differing)}"
        )
    return found


def _list_table(known: Registration, audit: Audit, now: Differences) -> list[str]:
    """Texts of the declaration that are others now: they bear on no number, but are declared."""
    table = audit.job.preregistration
    if table is None or table.model_dump(mode="json") == known.content["declared"]:
        return []
    texts = [item for item in now.aside if item.startswith(_TABLE)]
    is_said = any(item.startswith(_TABLE) for item in now.bearing)
    return texts or ([] if is_said else [f"{_TABLE}: another one than declared"])


def _held(connection: Connection, known: Registration, audit: Audit) -> JobRegistration:
    """A declaration with what is different since: in the file of today, and in what was asked."""
    manual = declarations.find_first_runs(connection, known.job).get(RunKind.MANUAL)
    source = preregistration.source_of(connection, known)
    run_inputs = made_of(audit)
    now = preregistration.since_declared(known, source, run_inputs)
    return JobRegistration(
        known,
        is_new=False,
        seen=manual if manual and manual.created_at < known.registered_at else None,
        now=Differences(now.bearing, (*now.aside, *_list_program(known))),
        stretches=preregistration.of_job(connection, known.job).stretches,
    )


def _list_program(known: Registration) -> list[str]:
    """The version of this program is in the signature of each value."""
    old = str(known.content.get("code", "unknown"))
    return [] if old == __version__ else [f"program: version {old} -> {__version__}"]


def find_stored(database: Database, audit: Audit) -> JobRegistration:
    """Return what counts of a job. Raises InvalidInput where nothing was declared."""
    with database.read() as connection:
        registration = declarations.find_registration(connection, audit.job.name)
        result = None if registration is None else _held(connection, registration, audit)
    if result is None:
        raise InvalidInput(
            f"{audit.path}: nothing was declared for {audit.job.name}; declare it with: "
            f"monitor preregister {audit.path}"
        )
    return result
