"""Write reproducibility packages, rebuild archives from them, and compare their numbers.

Runs that somebody works on are left out, whatever their state: between the last answer and the
last finding a run has ended, and has not all of its numbers.

In go a checked package and an empty folder, out comes a database whose readings, signals, points,
comparisons and findings were all made here. Nobody is asked.

In go a checked package and a folder for the archive that is made of it, out comes how many numbers
of each kind are equal, which differ, and which could not be recomputed and why. Published rows are
read run by run, in the order in which they were written.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from monitor import __version__, registry, resources, settings
from monitor.model import InvalidInput, Origin
from monitor.pipeline.changes.conclusion import conclude_after
from monitor.pipeline.collect.run_context import Progress, Stop, never
from monitor.pipeline.collect.run_starts import turn_of_run
from monitor.pipeline.derive.recomputation import DerivationStep, LeftOut, redo, to_redo
from monitor.stages.publish.package_files import Package, Row
from monitor.stages.publish.reproduction import PackageFacts, Packed
from monitor.stages.publish.reproduction import write_package as write_package_of_reproduction
from monitor.stages.publish.reproduction_comparison import (
    ComparisonResult,
    Excuses,
    Groups,
    Published,
    read_values,
    reports_of_job,
)
from monitor.store import migrations
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database, connect
from monitor.store.derive import corpora
from monitor.store.jobs import declarations
from monitor.store.maintenance import erasure
from monitor.store.publish import release, reproduction
from monitor.store.publish import reproduction_answers as answers
from monitor.store.publish import reproduction_numbers as numbers
from monitor.store.publish.reproduction import RunSelection, parse_time
from monitor.store.publish.reproduction_numbers import Numbers
from monitor.store.schedule import leases

# --- writing --------------------------------------------------------------------------------------

#: Told how many rows are written.
Counted: TypeAlias = Callable[[int], None]


def write_package(
    database: Database, folder: Path, wanted: RunSelection, progress: Counted
) -> Packed:
    """Write a package of what is wanted.

    Raises InvalidInput for jobs that are not there, a folder that is not empty, and where no run
    has ended; StoreProblem for a damaged answer.
    """
    with database.read() as connection:
        release.check_jobs(connection, wanted.jobs)
        ended = reproduction.find_run_ids(connection, wanted)
        _check_sources(connection, wanted)
        busy = [run_id for run_id in ended if leases.find_holder(connection, turn_of_run(run_id))]
        busy += corpora.find_readers(connection, busy)
        wanted = replace(wanted, apart=busy)
        written = set(ended) - set(busy)
        all_runs = [run for run in runs.list_ended(connection) if run.id in written]
    todo, left_out = to_redo(database, all_runs)
    behind = {lack.run.id: "; ".join(lack.why) for lack in todo}
    behind |= {left.run.id: left.reason for left in left_out}
    source = {"commit": resources.read_commit(), "source": resources.source_digest()}
    schema, home = migrations.read_revisions(database)[1], settings.load().home
    about = PackageFacts(wanted, __version__, schema, home, behind, source)
    with database.read() as connection:
        return write_package_of_reproduction(connection, database, folder, about, progress)


def _check_sources(connection: Connection, wanted: RunSelection) -> None:
    """Raise InvalidInput for a job whose texts were collected by jobs that are left out."""
    for job, sources in corpora.find_sources(connection).items():
        lacking = sorted(sources - set(wanted.jobs))
        if job in wanted.jobs and lacking:
            raise InvalidInput(
                f"--job {job}: it read what {' and '.join(lacking)} collected, and cannot be "
                f"recomputed without: add {' '.join(f'--job {name}' for name in lacking)}"
            )


# --- rebuilding -----------------------------------------------------------------------------------

#: Keys the hashes of erasures of an archive that is made here; nobody is in them.
_KEY = "reproduction"
_SHARES = "reference_shares"
_OURS = ("MONITOR_HOME", "MONITOR_DATABASE_URL", "MONITOR_ADDRESS_KEY")


@dataclass(slots=True)
class Rebuilt:
    """Result of a rebuild: derived runs, readings taken over, and runs that were left out."""

    runs: int = 0
    given: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    #: versions of languages of which signals were found here, or are all given
    heard: frozenset[int] = frozenset()
    #: (attempt, parser) of readings that are here only because people read them in an audit
    audited: frozenset[tuple[int, int]] = frozenset()


@contextmanager
def open_archive(place: Path) -> Iterator[Database]:
    """An empty archive in a folder, which is the home of the program as long as it is open.

    What is installed elsewhere, lexicons above all, decides which series there are; so it must not
    be seen. Raises StoreProblem.
    """
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    before = {name: os.environ[name] for name in _OURS if name in os.environ}
    url = settings.sqlite_url(place / "monitor.db")
    os.environ |= dict(zip(_OURS, (str(place), url, _KEY), strict=True))
    settings.load.cache_clear()
    database = connect(url, place / "bodies")
    try:
        migrations.upgrade(database)
        yield database
    finally:
        database.close()
        for name in _OURS:
            os.environ.pop(name, None)
        os.environ |= before
        settings.load.cache_clear()


def rebuild_archive(
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
        all_runs = runs.list_ended(connection)
    waves = _Waves(package, all_runs)
    if package.manifest.full:
        todo, _ = to_redo(database, all_runs, DerivationStep.PARSE)
        redo(database, todo, progress, stop, processes, last=DerivationStep.SIGNAL)
    with database.read() as connection:
        rebuilt.heard = frozenset(answers.find_languages(connection))
    rebuilt.audited = loading.audits()  # values are flagged by what they say
    for day in waves.days:
        loading.shares(day)
        first = DerivationStep.PARSE if package.manifest.full else DerivationStep.MEASURE
        todo, left_out = to_redo(database, waves.measured(day), first)
        done = redo(database, todo, progress, stop, processes)
        rebuilt.left_out += [*left_out, *done.left_out]
        rebuilt.runs += done.runs
        conclude_after(database, waves.concluded(day), progress, stop, _decided(package))
    return rebuilt


def _decided(package: Package) -> Callable[[Run], datetime | None]:
    """Return when each tick was decided: whether a finding still waits depends on that alone."""

    def at(run: Run) -> datetime | None:
        moment = package.manifest.decided.get(run.job, {}).get(run.due_at.isoformat())
        return None if moment is None else parse_time(moment, "decided")

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
        """Return how many rows were kept, as `keep` says."""
        count = 0
        for portion in self._package.rows(f"inputs/{name}"):
            with self._database.begin() as connection:
                count += keep(connection, portion) or 0
            self._done += len(portion)
            self._progress("load", self._done, self._planned)
            if self._stop():
                raise KeyboardInterrupt
        return count

    def _as_they_are(self, name: str) -> None:
        self._each(name, lambda connection, group: reproduction.load_rows(connection, name, group))

    def everything(self) -> int:
        """All rows but shares; how many readings were taken over as they were read."""
        package, database = self._package, self._database
        full = package.manifest.full
        with database.begin() as connection:
            nobody = erasure.record_empty_erasure(connection, _KEY, datetime.now(UTC))
        later = {_SHARES, "bundle_files", "readings", *answers.TABLES}
        if full:
            later.add("stages_done")
        for table in reproduction.list_packed_tables():
            if table.name == "bodies":
                self._each("bodies", lambda c, group: answers.load_bodies(c, database, group))
            elif table.name not in later:
                self._as_they_are(table.name)
        value = self._each(
            "readings",
            lambda c, group: answers.load_readings(c, group, nobody, with_signals=not full),
        )
        self._bundles()
        with database.read() as connection:
            if full and (odd := answers.count_readings_with_answer(connection)):
                raise InvalidInput(
                    f"inputs/readings: {odd:,} are given of answers that are in the package"
                )
        return value

    def audits(self) -> frozenset[tuple[int, int]]:
        """Audits of the instrument, once signals are there.

        Calls of versions that are not here are taken over as they were; (attempt, parser) of those
        whose reading was as well. Raises InvalidInput.
        """
        lacking: list[Row] = []
        new: frozenset[tuple[int, int]] = frozenset()
        for name in answers.TABLES:
            if name == answers.ITEMS:
                self._each(name, lambda c, group: lacking.extend(answers.load_drawn(c, group)))
                new = self._called(lacking) if lacking else new
            else:
                self._as_they_are(name)
        return new

    def _called(self, lacking: list[Row]) -> frozenset[tuple[int, int]]:
        needed, new = answers.group_missing_calls(lacking), set()
        for this_row in self._package.rows("inputs/readings"):
            with self._database.begin() as connection:
                for row in this_row:
                    key = row.get("attempt_id"), row.get("parser_id")
                    if key in needed and answers.load_calls(connection, row, needed[key]):
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
        for row in chain.from_iterable(self._package.rows("inputs/bundle_files")):
            number, path = row.get("bundle_id"), str(row.get("path"))
            if not isinstance(number, int):
                raise InvalidInput("inputs/bundle_files: a row that is none")
            content = self._package.content(f"jobs/{number}/{path}")
            files.setdefault(number, {})[path] = content
        for number, some_files in files.items():
            with self._database.begin() as connection:
                declarations.restore_bundle(connection, self._database, number, some_files)
        home = settings.load().home
        for path in self._package.manifest.lexicons:
            goal = home / "lexicons" / Path(path).name
            goal.parent.mkdir(exist_ok=True)
            goal.write_bytes(self._package.content(path))

    def shares(self, day: str) -> None:
        """The shares that somebody was asked for on a day; the others come with the program."""

        def keep(connection: Connection, some: list[Row]) -> None:
            of_day = [row for row in some if row.get("as_of") == day]
            rows = [row for row in of_day if _is_outside(str(row.get("reference")))]
            reproduction.load_rows(connection, _SHARES, rows)

        self._each(_SHARES, keep)


def _is_outside(name: str) -> bool:
    """Return whether the shares of a source were asked for, so that their date decides."""
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
        self._days: dict[str, str] = {}  # of the references that were asked for
        for sha256, parts in package.manifest.signatures.items():
            name, _, day = str(parts.get("reference") or "").partition("@")
            if day and _is_outside(name):
                self._days[sha256] = day
        self._signed = package.manifest.signed
        self.days = sorted(set(self._days.values())) or [""]

    def _of(self, run: Run, kind: str) -> set[str]:
        signed = self._signed.get(str(run.id), {}).get(kind, [])
        return {self._days[item] for item in signed if item in self._days}

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


# --- comparison -----------------------------------------------------------------------------------

_PEOPLE = "made of the recorded groups of people, which this package leaves out"
_TEXTS = "made of words of results, which this package leaves out"
_TOGETHER = "its job has values that this package cannot recompute, and all are tested together"
_REPORTED = "its job has values that this package cannot recompute, and the report prints them"
_CUT = "found by looking back over a series whose later ticks are not in the package"
_OLDER = "read or heard by another version than that of this program"
_ERASED = "their texts were erased"
_NO_FILES = "imported, or of before job files were kept: the package has none"


@dataclass(slots=True)
class Reproduced:
    """Recomputed numbers and their comparison."""

    rebuilt: Rebuilt
    result: ComparisonResult


def reproduce_package(
    package: Package,
    place: Path,
    progress: Progress,
    stop: Stop = never,
    processes: int = 0,
) -> Reproduced:
    """Recompute a package in an archive in `place`, and compare.

    Raises InvalidInput for a package whose rows do not fit together.
    """
    with open_archive(place) as database:
        rebuilt = rebuild_archive(database, package, progress, stop, processes)
        result = ComparisonResult()
        holding = _Holding(database, package, rebuilt, result, progress, stop)
        holding.everything()
    return Reproduced(rebuilt, result)


class _Holding:
    """Holds the numbers of an archive against those of the package that it was made from."""

    def __init__(
        self,
        database: Database,
        package: Package,
        rebuilt: Rebuilt,
        result: ComparisonResult,
        progress: Progress,
        stop: Stop,
    ) -> None:
        self._database, self._package, self._result = database, package, result
        self._rebuilt = rebuilt
        self._progress, self._stop = progress, stop
        self._manifest = package.manifest
        cut = self._manifest.until
        self._until = parse_time(cut, "until") if cut else None
        with database.read() as connection:
            everything = RunSelection(full=True)
            self._runs = reproduction.find_run_ids(connection, everything)
            self._jobs = numbers.list_jobs(connection, everything)
            signatures = frozenset(numbers.read_signatures(connection, everything))
            without = frozenset(
                left.run.id for left in rebuilt.left_out if left.run.bundle_id is None
            )
        self._made = signatures
        self._without_files = without  # runs
        #: jobs of which some points, or comparisons, cannot be recomputed
        self._tainted: dict[str, set[str]] = {"points": set(), "comparisons": set()}
        self._excuses = Excuses(self._manifest)

    def everything(self) -> None:
        """All kinds of numbers, those first that others are made of."""
        if self._manifest.full:
            self._readings()
        run_names = [str(run) for run in self._runs]
        self._each("points", run_names, lambda c, item: numbers.read_points(c, int(item)))
        self._each("comparisons", run_names, lambda c, item: numbers.read_comparisons(c, int(item)))
        until = self._until
        self._each("looks", self._jobs, lambda c, job: numbers.read_ledger(c, job, until))
        self._each("changes", self._jobs, lambda c, job: numbers.read_changes(c, job, until))
        times = {
            job: [parse_time(moment, "reports") for moment in moments]
            for job, moments in self._manifest.report_times.items()
        }
        self._each("reports", self._jobs, lambda c, job: reports_of_job(c, job, times.get(job, [])))
        for group in self._manifest.reports_left_out.values():
            for why in group.values():
                self._result.leave("reports", 1, why, closed=True)

    # --- numbers ---------------------------------------------------------------------------------

    def _each(
        self,
        kind: str,
        groups: list[str],
        read: Callable[[Connection, str], Iterator[Numbers]],
    ) -> None:
        """One kind of numbers, a run or a job at a time."""
        self._result.of(kind)
        waiting = Groups(self._package.rows(f"published/{kind}"), kind)
        for done, group in enumerate(groups):
            self._progress("hold", done, len(groups))
            if self._stop():
                raise KeyboardInterrupt
            published = waiting.take(group)
            with self._database.read() as connection:
                own_ids = {entry.key: entry for entry in read(connection, group)}
            for key, item in published.items():
                self._hold(item, own_ids.pop(key, None))
            for remaining in own_ids.values():
                self._beyond(remaining)
        waiting.end()
        self._progress("hold", len(groups), len(groups))

    def _hold(self, theirs: Published, mine: Numbers | None) -> None:
        """One row of published values."""
        result, n = self._result, len(theirs.values)
        if why := self._closed(theirs):
            if theirs.kind in ("points", "comparisons"):
                self._tainted[theirs.kind].add(theirs.job)
            result.leave(theirs.kind, n, why, closed=True)
        elif mine is not None and mine.signature == theirs.signature:
            excuse = partial(self._excuses.of_value, theirs)
            result.hold(theirs.kind, theirs.of, theirs.at, theirs.values, mine.values, excuse)
        elif why := self._excuses.of_row(theirs):
            result.leave(theirs.kind, n, why, closed=True)
        elif why := self._lacking(theirs):
            result.leave(theirs.kind, n, why, closed=False)
        else:
            result.absent(theirs.kind, theirs.of, theirs.at, "published, and not recomputed", n)

    def _closed(self, one: Published | Numbers) -> str:
        """Return why a number cannot be recomputed from such a package, whatever is in it.

        Or "".
        """
        manifest = self._manifest
        if one.signature and int(one.key[0]) in self._without_files:
            return f"run {one.key[0]} was {_NO_FILES}"
        if not one.signature and (left := self._find_left_out(one.job, imported=True)):
            return f"run {left.run.id} was {_NO_FILES}"
        if one.signature:
            parts = manifest.signatures.get(one.signature, {})
            of_people = parts.get("block") or parts.get("list") in manifest.withheld_lists
            if of_people and not manifest.people:
                return _PEOPLE
            return _TEXTS if parts.get("text") and not manifest.full else ""
        if one.job in self._tainted["comparisons"]:
            return _TOGETHER
        if one.kind == "reports" and one.job in self._tainted["points"]:
            return _REPORTED
        back = one.kind == "changes" and not set(one.key).isdisjoint(numbers.BACK)
        return _CUT if back and self._until else ""

    def _find_left_out(
        self, job: str = "", run_id: int | None = None, *, imported: bool = False
    ) -> LeftOut | None:
        """Return the last run that was left out of a job, or of this number; one without files."""
        for left in reversed(self._rebuilt.left_out):
            is_it = left.run.job == job if run_id is None else left.run.id == run_id
            if is_it and (left.run.id in self._without_files or not imported):
                return left
        return None

    def _lacking(self, one: Published) -> str:
        """Return why this program has not made a number; empty where it should have."""
        if not one.signature:
            left = self._find_left_out(one.job)
        elif (left := self._find_left_out(run_id=int(one.key[0]))) is None:
            parts = self._manifest.signatures.get(one.signature)
            if parts is not None and one.signature not in self._made:
                return f"this program has other versions than {_say_versions(parts)}"
        return f"run {left.run.id}: {left.reason}" if left else ""

    def _beyond(self, one: Numbers) -> None:
        """A recomputed row that was not published."""
        if self._closed(one) or self._excuses.of_row(one):
            return
        if one.signature:
            signed = self._manifest.signed.get(one.key[0], {}).get(one.kind, [])
            if one.signature not in signed:
                return  # made with shares of another day, or by another version
        elif self._find_left_out(one.job):
            return
        self._result.absent(
            one.kind, one.of, one.at, "recomputed, and not published", len(one.values)
        )

    # --- readings --------------------------------------------------------------------------------

    def _readings(self) -> None:
        """What was read in raw answers, and heard in what was read."""
        result = self._result
        result.of("readings"), result.of("signals")
        heard = sorted(self._rebuilt.heard)
        planned = self._package.files["inputs/readings.jsonl.gz"].rows
        parsers: set[int] = set()
        done = matched = 0
        for portion in self._package.rows("inputs/readings"):
            with self._database.read() as connection:
                attempt_ids = sorted({int(row["attempt_id"]) for row in portion})
                own_rows = {
                    (row["attempt_id"], row["parser_id"]): row
                    for row in answers.read_attempt_readings(connection, attempt_ids)
                }
            for row in portion:
                own_row = own_rows.get((row["attempt_id"], row["parser_id"]))
                matched += own_row is not None
                parsers.add(row["parser_id"])
                self._hold_reading(row, own_row, heard)
            done += len(portion)
            self._progress("hold", done, planned)
        with self._database.read() as connection:
            more = answers.count_readings(connection, sorted(parsers)) - matched
        if more:
            result.absent("readings", "answers", "", "recomputed, and not published", more)

    def _hold_reading(self, row: Row, mine: Row | None, heard: list[int]) -> None:
        result = self._result
        read, signals = read_values(row, heard)
        erased = sum(len(item["signals"]) for item in row["items"] if item["erased"])
        if erased:
            result.leave("signals", erased, _ERASED, closed=True)
        if mine is None or (row["attempt_id"], row["parser_id"]) in self._rebuilt.audited:
            result.leave("readings", len(read), _OLDER, closed=True)
            return
        of = f"attempt {row['attempt_id']}"
        my_read, my_signals = read_values(mine, heard)
        if row["given"]:
            result.leave(
                "readings", len(read), "their raw answers are not in the package", closed=True
            )
        else:
            result.hold("readings", of, "", read, my_read)
        result.hold("signals", of, "", signals, my_signals)


def _say_versions(parts: Mapping[str, Any]) -> str:
    """The versions of a signature, in words."""
    versions = [
        f"{parts[name]}@{parts[f'{name}_version']}"
        for name in ("measure", "parser", "language")
        if parts.get(name) and f"{name}_version" in parts
    ]
    words = [*versions, str(parts.get("list", "")), str(parts.get("reference") or "")]
    return ", ".join(words).strip(", ")
