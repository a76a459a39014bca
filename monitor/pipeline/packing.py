"""Writes reproducibility packages: what is known of an archive in, a folder out.

Runs that somebody works on are left out, whatever their state: between the last answer and the
last finding a run has ended, and has not all of its numbers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from monitor import __version__, resources, settings
from monitor.model import InvalidInput
from monitor.pipeline.begin import turn_of_run
from monitor.pipeline.redoing import to_redo
from monitor.stages.publish.reproduction import About, Packed, package
from monitor.store import migrations
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import corpora
from monitor.store.publish import release, reproduction
from monitor.store.publish.reproduction import RunSelection
from monitor.store.schedule import leases

#: Told how many rows are written.
Counted: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Written:
    """A package, and the runs whose numbers are not what would be computed now, with reasons."""

    packed: Packed
    behind: dict[int, str]


def pack(database: Database, folder: Path, wanted: RunSelection, progress: Counted) -> Written:
    """Write a package of what is wanted.

    Raises InvalidInput for jobs that are not there, a folder that is not empty, and where no run
    has ended; StoreProblem for a damaged answer.
    """
    with database.read() as connection:
        release.check_jobs(connection, wanted.jobs)
        ended = reproduction.find_run_ids(connection, wanted)
        _check_sources(connection, wanted)
        busy = [one for one in ended if leases.find_holder(connection, turn_of_run(one))]
        busy += corpora.find_readers(connection, busy)
        wanted = replace(wanted, apart=busy)
        ours = set(ended) - set(busy)
        kept = [run for run in runs.list_ended(connection) if run.id in ours]
    behind = _behind(database, kept)
    about = About(
        wanted,
        __version__,
        migrations.read_revisions(database)[1],
        settings.load().home,
        behind,
        {"commit": resources.read_commit(), "source": resources.source_digest()},
    )
    with database.read() as connection:
        return Written(package(connection, database, folder, about, progress), behind)


def _check_sources(connection: Connection, wanted: RunSelection) -> None:
    """Raise InvalidInput for a job whose texts were collected by jobs that are left out."""
    for job, sources in corpora.find_sources(connection).items():
        lacking = sorted(sources - set(wanted.jobs))
        if job in wanted.jobs and lacking:
            raise InvalidInput(
                f"--job {job}: it read what {' and '.join(lacking)} collected, and cannot be "
                f"recomputed without: add {' '.join(f'--job {one}' for one in lacking)}"
            )


def _behind(database: Database, kept: Iterable[Run]) -> dict[int, str]:
    todo, left_out = to_redo(database, kept)
    behind = {one.run.id: "; ".join(one.why) for one in todo}
    return behind | {one.run.id: one.reason for one in left_out}
