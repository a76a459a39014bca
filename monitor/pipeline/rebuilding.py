"""Builds an archive anew from a reproducibility package, by the steps that derive kept runs anew.

In go a checked package and an empty folder, out comes a database whose readings, signals, points,
comparisons and findings were all made here. Nobody is asked.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from monitor import registry, settings
from monitor.model import InvalidInput, Origin
from monitor.pipeline.concluding import conclude_after
from monitor.pipeline.redoing import LeftOut, redo, to_redo
from monitor.pipeline.staleness import Step
from monitor.pipeline.steps import Progress, Stop
from monitor.stages.publish.package_files import Package, Row
from monitor.store import migrations
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database, connect
from monitor.store.jobs import bundles
from monitor.store.maintenance import erasure
from monitor.store.publish import reproduction as inputs
from monitor.store.publish import reproduction_answers as answers
from monitor.store.publish.reproduction import parse_time

#: Keys the hashes of erasures of an archive that is made here; nobody is in them.
_KEY = "reproduction"
_SHARES = "reference_shares"
_OURS = ("MONITOR_HOME", "MONITOR_DATABASE_URL", "MONITOR_ADDRESS_KEY")


@dataclass(slots=True)
class Rebuilt:
    """What was made: runs derived, readings taken over as they were, runs that could not be."""

    runs: int = 0
    given: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    #: versions of languages of which signals were found here, or are all given
    heard: frozenset[int] = frozenset()
    #: (attempt, parser) of readings that are here only because people read them in an audit
    audited: frozenset[tuple[int, int]] = frozenset()


@contextmanager
def archive(place: Path) -> Iterator[Database]:
    """An empty archive in a folder, which is the home of the program as long as it is open.

    What is installed elsewhere, lexicons above all, decides which series there are; so it must not
    be seen. Raises StoreProblem.
    """
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    before = {name: os.environ.get(name) for name in _OURS}
    url = settings.sqlite_url(place / "monitor.db")
    os.environ |= dict(zip(_OURS, (str(place), url, _KEY), strict=True))
    settings.load.cache_clear()
    database = connect(url, place / "bodies")
    try:
        migrations.upgrade(database)
        yield database
    finally:
        database.close()
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        settings.load.cache_clear()


def rebuild(
    database: Database,
    package: Package,
    progress: Progress,
    stop: Stop,
    processes: int = 0,
) -> Rebuilt:
    """Fill an empty archive from a package, and derive everything that follows.

    Raises InvalidInput for rows that do not fit, KeyboardInterrupt once `stop` says so.
    """
    rebuilt = Rebuilt()
    loading = _Loading(database, package, progress, stop)
    rebuilt.given = loading.everything()
    with database.read() as connection:
        kept = runs.list_ended(connection)
    waves = _Waves(package, kept)
    if package.manifest.full:
        todo, _ = to_redo(database, kept, Step.PARSE)
        redo(database, todo, progress, stop, processes, last=Step.SIGNAL)
    with database.read() as connection:
        rebuilt.heard = frozenset(answers.find_languages(connection))
    rebuilt.audited = loading.audits()  # values are flagged by what they say
    for day in waves.days:
        loading.shares(day)
        first = Step.PARSE if package.manifest.full else Step.MEASURE
        todo, left_out = to_redo(database, waves.measured(day), first)
        done = redo(database, todo, progress, stop, processes)
        rebuilt.left_out += [*left_out, *done.left_out]
        rebuilt.runs += done.runs
        conclude_after(database, waves.concluded(day), progress, stop, _decided(package))
    return rebuilt


def _decided(package: Package) -> Callable[[Run], datetime | None]:
    """When each tick was decided: whether a finding still waits depends on that alone."""
    known = package.manifest.decided

    def at(run: Run) -> datetime | None:
        found = known.get(run.job, {}).get(run.due_at.isoformat())
        return None if found is None else parse_time(found, "decided")

    return at


# --- rows -----------------------------------------------------------------------------------------


class _Loading:
    """Takes the rows of a package over, a portion in each transaction."""

    def __init__(
        self, database: Database, package: Package, progress: Progress, stop: Stop
    ) -> None:
        self._database, self._package = database, package
        self._progress, self._stop = progress, stop
        self._planned = sum(
            file.rows for path, file in package.files.items() if path.startswith("inputs/")
        )
        self._done = 0

    def _each(self, name: str, keep: Callable[[Connection, list[Row]], int | None]) -> int:
        """How many rows were kept, as `keep` says."""
        found = 0
        for row in self._package.rows(f"inputs/{name}"):
            with self._database.begin() as connection:
                found += keep(connection, row) or 0
            self._done += len(row)
            self._progress("load", self._done, self._planned)
            if self._stop():
                raise KeyboardInterrupt
        return found

    def _as_they_are(self, name: str) -> None:
        self._each(name, lambda connection, some: inputs.load_rows(connection, name, some))

    def everything(self) -> int:
        """All rows but shares; how many readings were taken over as they were read."""
        package, database = self._package, self._database
        full = package.manifest.full
        with database.begin() as connection:
            nobody = erasure.record_empty_erasure(connection, _KEY, datetime.now(UTC))
        later = {_SHARES, "bundle_files", "readings", *answers.TABLES}
        if full:
            later.add("stages_done")
        for table in inputs.list_packed_tables():
            if table.name == "bodies":
                self._each("bodies", lambda c, some: answers.load_bodies(c, database, some))
            elif table.name not in later:
                self._as_they_are(table.name)
        given = self._each(
            "readings",
            lambda c, some: answers.load_readings(c, some, nobody, with_signals=not full),
        )
        self._bundles()
        with database.read() as connection:
            if full and (odd := answers.count_readings_with_answer(connection)):
                raise InvalidInput(
                    f"inputs/readings: {odd:,} are given of answers that are in the package"
                )
        return given

    def audits(self) -> frozenset[tuple[int, int]]:
        """Audits of the instrument, once signals are there.

        Calls of versions that are not here are taken over as they were; (attempt, parser) of those
        whose reading was as well. Raises InvalidInput.
        """
        lacking: list[Row] = []
        new: frozenset[tuple[int, int]] = frozenset()
        for name in answers.TABLES:
            if name == answers.ITEMS:
                self._each(name, lambda c, some: lacking.extend(answers.load_drawn(c, some)))
                new = self._called(lacking) if lacking else new
            else:
                self._as_they_are(name)
        return new

    def _called(self, lacking: list[Row]) -> frozenset[tuple[int, int]]:
        wanted, new = answers.group_missing_calls(lacking), set()
        for some in self._package.rows("inputs/readings"):
            with self._database.begin() as connection:
                for row in some:
                    key = row.get("attempt_id"), row.get("parser_id")
                    if key in wanted and answers.load_calls(connection, row, wanted[key]):
                        new.add(key)
        with self._database.begin() as connection:
            if odd := answers.load_drawn(connection, lacking):
                raise InvalidInput(
                    f"inputs/{answers.ITEMS}: {len(odd):,} are of calls that are not in the package"
                )
        return frozenset(new)

    def _bundles(self) -> None:
        """The files of jobs, and lexicons beside them."""
        files: dict[int, dict[str, bytes]] = {}
        for some in self._package.rows("inputs/bundle_files"):
            for row in some:
                number, path = row.get("bundle_id"), str(row.get("path"))
                if not isinstance(number, int):
                    raise InvalidInput("inputs/bundle_files: a row that is none")
                content = self._package.content(f"jobs/{number}/{path}")
                files.setdefault(number, {})[path] = content
        for number, some_files in files.items():
            with self._database.begin() as connection:
                bundles.restore_bundle(connection, self._database, number, some_files)
        home = settings.load().home
        for path in self._package.manifest.lexicons:
            goal = home / "lexicons" / Path(path).name
            goal.parent.mkdir(exist_ok=True)
            goal.write_bytes(self._package.content(path))

    def shares(self, day: str) -> None:
        """The shares that somebody was asked for on a day; the others come with the program."""

        def keep(connection: Connection, some: list[Row]) -> None:
            ours = [
                row
                for row in some
                if row.get("as_of") == day and _is_outside(str(row.get("reference")))
            ]
            inputs.load_rows(connection, _SHARES, ours)

        self._each(_SHARES, keep)


def _is_outside(name: str) -> bool:
    """Whether the shares of a source were asked for, so that their date decides."""
    try:
        return registry.reference(name).origin is Origin.OUTSIDE
    except InvalidInput:
        return False


# --- in which order -------------------------------------------------------------------------------


class _Waves:
    """Runs by the day of the shares that they were computed with: the newest there is counts.

    So shares come day by day, and after each the values that were computed with them.
    """

    def __init__(self, package: Package, kept: Iterable[Run]) -> None:
        self._kept = list(kept)
        self._days = {
            sha256: day
            for sha256, parts in package.manifest.signatures.items()
            if (day := _day(parts.get("reference")))
        }
        self._signed = package.manifest.signed
        self.days = sorted(set(self._days.values())) or [""]

    def _of(self, run: Run, kind: str) -> set[str]:
        some = self._signed.get(str(run.id), {}).get(kind, [])
        return {self._days[one] for one in some if one in self._days}

    def measured(self, day: str) -> list[Run]:
        """The runs of which values with shares of this day were published."""
        last = {self.days[-1]}
        return [run for run in self._kept if day in (self._of(run, "points") or last)]

    def concluded(self, day: str) -> list[Run]:
        """The runs that were compared last with shares of this day."""
        last = self.days[-1]
        return [
            run
            for run in self._kept
            if day == max(self._of(run, "comparisons") or self._of(run, "points") or {last})
        ]


def _day(reference: object) -> str:
    """The day of a reference that was asked for; empty for others."""
    name, _, day = str(reference or "").partition("@")
    return day if _is_outside(name) else ""
