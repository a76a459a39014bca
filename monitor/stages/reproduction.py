"""Writes a reproducibility package: all that the numbers of an archive are computed from, and them.

In go an open transaction and what is wanted, out comes a folder that `monitor reproduce` recomputes
every number of. It appears whole or not at all, and the same database gives the same bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from monitor import resources
from monitor.lexicons import installed
from monitor.model import InvalidInput, MissingPart, StoreProblem
from monitor.stages import _reproduction_manifest as papers
from monitor.stages._reproduction_manifest import Known, Reports, made, reports_of_jobs
from monitor.stages.release import appearing, check, checksums
from monitor.stages.reproduction_folder import SUFFIX, File, is_safe, plain, write
from monitor.stages.reproduction_reports import reports_of_job
from monitor.store.collect import bodies
from monitor.store.database import Connection, Database
from monitor.store.jobs import bundles
from monitor.store.publish import reproduction as inputs
from monitor.store.publish import reproduction_answers as answers
from monitor.store.publish import reproduction_numbers as numbers
from monitor.store.publish.reproduction import RunSelection, UnfinishedRun
from monitor.store.publish.reproduction_numbers import Numbers

Progress: TypeAlias = Callable[[int], None]
Rows: TypeAlias = Iterator[Sequence[Mapping[str, Any]]]

LOCK = "requirements.lock"
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a package beside its rows.

    `behind` says of runs why what they show now is not what would be computed now; `source` is
    the commit of the program, empty where it is not known, and the digest of its files.
    """

    wanted: RunSelection
    version: str  # of the program
    schema: str  # of the database
    home: Path  # where lexicons of one's own are
    behind: Mapping[int, str]
    source: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Packed:
    """What was written: runs, rows, files, and the SHA-256 of the checksums of all.

    `unfinished` are runs that are not in it.
    """

    runs: int
    rows: int
    files: int
    sha256: str
    unfinished: Sequence[UnfinishedRun] = ()


def package(
    connection: Connection, database: Database, folder: Path, about: About, progress: Progress
) -> Packed:
    """Write a package; `progress` is told how many rows are written.

    Raises InvalidInput for a folder that is not empty and where no run has ended, StoreProblem for
    a damaged answer.
    """
    check(folder, with_parquet=False)
    lock = _lock()
    run_ids = inputs.find_run_ids(connection, about.wanted)
    if not run_ids:
        raise InvalidInput("no run that is wanted has ended; see `monitor status`")
    unfinished = inputs.find_unfinished(connection, about.wanted)
    times = reports_of_jobs(connection, about.wanted, unfinished)
    with appearing(folder) as place:
        writing = _Writing(connection, database, place, about, run_ids, times, progress)
        writing.inputs()
        writing.published()
        files = writing.files
        files += _job_files(connection, database, place, about.wanted)
        signatures = numbers.read_signatures(connection, about.wanted)
        lexicons = _lexicons(place, signatures, about.home)
        files += lexicons
        files.append(plain(place, LOCK, lock))
        lexicon_files = [lexicon.path for lexicon in lexicons]
        known = Known(run_ids, unfinished, times, signatures, lexicon_files, about.behind)
        manifest = made(connection, about.wanted, known) | {
            "program": about.version, "schema": about.schema, **about.source,
        }  # fmt: skip
        files += [
            plain(place, name, text.encode())
            for name, text in papers.papers(connection, manifest, about.wanted).items()
        ]
        manifest["files"] = {file.path: [file.size, file.unpacked, file.rows] for file in files}
        files.append(plain(place, "manifest.json", papers.spelt(manifest).encode()))
        sums = checksums([(file.path, file.sha256) for file in files])
        last = plain(place, "SHA256SUMS", sums.encode())
        return Packed(len(run_ids), writing.rows, len(files) + 1, last.sha256, unfinished)


def _lock() -> bytes:
    path = resources.shipped("requirements") / "run.lock"
    try:
        return path.read_bytes()
    except OSError:
        raise MissingPart(
            f"{path}: the lock of this version is not installed; install the program again"
        ) from None


class _Writing:
    """Writes the rows of a package, file by file."""

    def __init__(
        self,
        connection: Connection,
        database: Database,
        place: Path,
        about: About,
        run_ids: Sequence[int],
        times: Reports,
        progress: Progress,
    ) -> None:
        self._connection, self._database, self._place = connection, database, place
        self._wanted, self._run_ids, self._progress = about.wanted, run_ids, progress
        self._times = times
        self.files: list[File] = []
        self.rows = 0

    def _write(self, path: str, portions: Rows) -> None:
        self.files.append(write(self._place, path + SUFFIX, self._counted(portions)))

    def _counted(self, portions: Rows) -> Rows:
        for some in portions:
            self.rows += len(some)
            self._progress(self.rows)
            yield some

    def _by_run(self, of_run: Callable[[int], Iterable[Any]]) -> Iterator[Any]:
        return chain.from_iterable(map(of_run, self._run_ids))

    def inputs(self) -> None:
        """What values are computed from."""
        connection, wanted = self._connection, self._wanted
        for table in inputs.list_packed_tables():
            policy = inputs.POLICIES[table.fullname]
            if isinstance(policy, inputs.CopiedRows):
                copied = inputs.read_rows(connection, table, policy, wanted, self._run_ids)
                self._write(f"inputs/{table.name}", copied)
        bodies_of = answers.read_bodies(connection, self._database, self._run_ids, wanted)
        self._write("inputs/bodies", bodies_of)
        everybody = answers.read_entities(connection, wanted)
        alias = _alias(everybody, full=wanted.full)
        labels = answers.read_labels(connection, everybody, alias, reasons=wanted.full)
        self._write("inputs/labels", labels)
        self._write(
            "inputs/readings",
            self._by_run(lambda one: answers.read_run_readings(connection, one, wanted, alias)),
        )
        self._write(f"inputs/{answers.ITEMS}", answers.read_drawn(connection, wanted))
        self._write(f"inputs/{answers.LABELS}", answers.read_audit_labels(connection, wanted))

    def published(self) -> None:
        """The numbers as they stand."""
        connection, until = self._connection, self._wanted.until
        jobs = numbers.list_jobs(connection, self._wanted)
        apart = self._wanted.apart
        found = {
            "points": self._by_run(lambda one: numbers.read_points(connection, one)),
            "comparisons": self._by_run(lambda one: numbers.read_comparisons(connection, one)),
            "looks": chain.from_iterable(
                numbers.read_ledger(connection, job, until, apart) for job in jobs
            ),
            "changes": chain.from_iterable(
                numbers.read_changes(connection, job, until, apart) for job in jobs
            ),
            "reports": chain.from_iterable(
                reports_of_job(connection, job, times) for job, times in self._times.made.items()
            ),
        }
        for kind, group in found.items():
            self._write(f"published/{kind}", _portions(group))


def _alias(everybody: Sequence[str], *, full: bool) -> Callable[[str], str]:
    """What people are called: numbers in the order of their keys where texts are left out."""
    if full:
        return str
    width = len(str(len(everybody)))
    number = {entity: f"person:{n:0{width}d}" for n, entity in enumerate(everybody, 1)}
    return number.__getitem__


def _portions(some: Iterator[Numbers]) -> Rows:
    """The same number of a run twice is one too many: nothing could be held against it."""
    while part := list(islice(some, _AT_ONCE)):
        yield [one.row() for one in part]


# --- files ----------------------------------------------------------------------------------------


def _job_files(
    connection: Connection, database: Database, place: Path, wanted: RunSelection
) -> list[File]:
    """The files of jobs as they stood, each bundle in a folder of its own, and a table of them."""
    found, table = [], []
    for bundled_file in bundles.list_bundled_files(connection, wanted.runs):
        relative = f"jobs/{bundled_file.bundle_id}/{PurePosixPath(bundled_file.path)}"
        if not is_safe(relative):
            raise StoreProblem(
                f"{bundled_file.path!r}: a file of a job with a name that no package has"
            )
        content = bodies.read_body(connection, database, bundled_file.body_id)
        found.append(plain(place, relative, content))
        table.append({"bundle_id": bundled_file.bundle_id, "path": bundled_file.path})
    return [write(place, f"inputs/bundle_files{SUFFIX}", [table]), *found]


def _lexicons(place: Path, signatures: Mapping[str, Mapping[str, Any]], home: Path) -> list[File]:
    """The lexicons of one's own that numbers were made with; the others come with the program."""
    wanted = {
        name: str(sha256)
        for parts in signatures.values()
        for name, sha256 in dict(parts.get("lexicons") or {}).items()
    }
    lexicons = []
    for name in sorted(set(wanted) - set(installed.built_in())):
        path = installed.lexicon_path(name, home)
        if path.is_file() and installed.find(name, home).digest == wanted[name]:
            lexicons.append(plain(place, f"lexicons/{path.name}", path.read_bytes()))
    return lexicons
