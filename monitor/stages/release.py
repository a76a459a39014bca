"""Writes what of an archive may be given to everybody, as a folder that can be checked and cited.

In go an open transaction and what is wanted, out comes a folder: tables as CSV and Parquet, their
descriptor, README, licences, citation, checksums. It appears whole or not at all, and the same
database gives the same bytes.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from monitor.model import InvalidInput
from monitor.stages import _release_papers as papers
from monitor.stages._release_papers import About, Tables
from monitor.stages._release_tables import digest, parquet, write
from monitor.store import invented
from monitor.store import release as facts
from monitor.store import release as store
from monitor.store.database import Connection
from monitor.store.release import Row, Wanted

Progress = Callable[[int], None]

#: Of the numbers, where nobody says otherwise.
LICENCE = "CC-BY-4.0"
_SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,63}")


@dataclass(frozen=True, slots=True)
class Released:
    """What was written: tables, rows, files, and the SHA-256 of the checksums of all."""

    tables: int
    rows: int
    files: int
    sha256: str


def check(folder: Path, *, with_parquet: bool) -> None:
    """Raise InvalidInput for a folder that is not empty, MissingPart without the library."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder}: is there already and not empty; name a new folder")
    if with_parquet:
        parquet()


def release(
    connection: Connection,
    folder: Path,
    wanted: Wanted,
    version: str,
    schema: str,
    progress: Progress,
    *,
    licence: str = LICENCE,
    with_parquet: bool = True,
) -> Released:
    """Write a release; `progress` is told how many rows are written. Raises as `check`."""
    check(folder, with_parquet=with_parquet)
    if not _SPDX.fullmatch(licence):
        raise InvalidInput(f"--licence {licence!r}: write an SPDX name, such as {LICENCE}")
    facts.check_jobs(connection, wanted.jobs)
    about = About(
        wanted, version, schema, licence, facts.newest_due(connection, wanted),
        facts.asked_lists(connection, wanted), facts.references(connection, wanted),
        invented.read(connection, wanted.jobs),
    )  # fmt: skip
    with appearing(folder) as place:
        tables = []
        done = _Counted(progress)
        for resource in store.resources(full=wanted.full):
            portions = done.through(store.rows(connection, resource, wanted))
            files = write(
                place, resource.name, resource.columns, portions, with_parquet=with_parquet
            )
            tables.append((resource, files))
        known = [(one.path, one.sha256) for _, files in tables for one in files]
        known += _beside(place, about, tables)
        sums = place / "SHA256SUMS"
        sums.write_text(papers.checksums(known), encoding="utf-8", newline="")
        return Released(len(tables), done.rows, len(known) + 1, digest(sums)[1])


def _beside(place: Path, about: About, tables: Tables) -> Iterator[tuple[str, str]]:
    """Write what stands beside the tables; (name, SHA-256) of each."""
    for name, text in (
        ("datapackage.json", papers.descriptor(about, tables)),
        ("README.md", papers.readme(about, tables)),
        ("LICENSE.md", papers.licences(about)),
        ("CITATION.cff", papers.citation(about)),
    ):
        (place / name).write_text(text, encoding="utf-8", newline="")
        yield name, digest(place / name)[1]


class _Counted:
    """Counts rows on their way."""

    def __init__(self, progress: Progress) -> None:
        self.rows = 0
        self._progress = progress

    def through(self, portions: Iterator[list[Row]]) -> Iterator[Sequence[Row]]:
        """The same portions."""
        for some in portions:
            self.rows += len(some)
            self._progress(self.rows)
            yield some


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """A folder to be filled, which takes the place of `folder` when the block ends well."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        yield part
        part.chmod(0o755)
        if folder.exists():
            folder.rmdir()  # empty, or this fails and nothing was changed
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
