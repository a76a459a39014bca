"""Values of a kept run, computed by any process that can read the database; nothing is written."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from monitor.jobs import Audit
from monitor.model import InvalidInput
from monitor.pipeline.begin import audit_of, audit_of_run
from monitor.pipeline.computing import Computed, values
from monitor.pipeline.lacking import Step, marks
from monitor.store import runs
from monitor.store.database import Database, connect
from monitor.store.runs import Run

#: Runs of one job mostly have the same files.
_JOBS_KEPT = 8


class Audits:
    """Jobs as they stood when runs were begun; those of the same files are read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of_bundle = lru_cache(_JOBS_KEPT)(lambda number: audit_of(database, number))

    def of(self, run: Run) -> Audit:
        """The job of a run. Raises InvalidInput, StoreProblem."""
        with self._database.read() as connection:
            bundle_id = runs.bundle_of(connection, run.id)
        if bundle_id is None:
            return audit_of_run(self._database, run)
        return self._of_bundle(bundle_id)


@dataclass(frozen=True, slots=True)
class ToCompute:
    """A run whose values are wanted, and by which versions it was read."""

    url: str = field(repr=False)  # it may hold a password
    bodies: Path
    run_id: int
    read_by: tuple[str, ...]


def computed(order: ToCompute) -> list[Computed]:
    """The values of a run. Raises InvalidInput where the versions here are others."""
    database, audits = _opened(order.url, order.bodies)
    with database.read() as connection:
        run = runs.get(connection, order.run_id)
        audit = audits.of(run)
        here = marks(connection, audit, run)
    if (*here[Step.PARSE], *here[Step.SIGNAL]) != order.read_by:
        raise InvalidInput("this program was updated meanwhile; start again")
    return list(values(database, audit, run))


@lru_cache(1)
def _opened(url: str, folder: Path) -> tuple[Database, Audits]:
    database = connect(url, folder)
    return database, Audits(database)
