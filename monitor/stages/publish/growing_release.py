"""Write a release that grows: Parquet files by table, job and month, each written once.

`latest.json` names the files that make up the release, with their digests. New files are written
beside their names, moved when all are whole, and then `latest.json` is replaced: whoever reads what
it names has the release before or the one after. Files of rows that were recomputed are replaced;
of a run from which something was erased, the file of its answers is, with the rows that lost
nothing copied from the old one. Old files are deleted. A run of the command that dies is taken up
by the next.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias
from urllib.parse import quote

from monitor.fetch.release_places import UNFINISHED, HashedFile, ReleasePlace, StoredFile
from monitor.model import InvalidInput, StoreProblem, as_row, digest
from monitor.stages.publish.release import ParquetTable, Progress, replace_rows
from monitor.stages.publish.release_papers import (
    ReleaseFacts,
    WrittenTable,
    list_papers,
    write_checksums,
)
from monitor.store.database import Connection
from monitor.store.publish import release
from monitor.store.publish.release import ReleasePart, Resource, Row

MANIFEST = "latest.json"
FORMAT = 1
_DIGEST = re.compile(r"[0-9a-f]{64}")
#: The key of `latest.json` with the digest of all others.
_DIGEST_KEY = "digest"
#: The name of a file that is whole and waits to be moved ends like this.
_WAITING = ".part"
#: The table with what engines wrote, the only one that an erasure changes.
_ANSWERS = "answers"


#: The files of a part, by table.
_Files: TypeAlias = dict[str, WrittenTable]


@dataclass(frozen=True, slots=True)
class _KnownPart:
    token: str
    erased: int
    files: _Files


@dataclass(frozen=True, slots=True)
class Increment:
    """Result of writing: rows and files that are new, and all that is released.

    `replaced` counts old files whose rows were recomputed or erased, `erased` those of them with a
    tombstone. `repaired` are files that were missing or had another size, `changed` those with
    other bytes; both were written again.
    """

    rows: int
    files: int
    replaced: int
    repaired: tuple[str, ...]
    changed: tuple[str, ...]
    erased: int
    total_rows: int
    total_files: int
    sha256: str  # of latest.json


def write_increment(
    connection: Connection, place: ReleasePlace, about: ReleaseFacts, progress: Progress
) -> Increment:
    """Write what the release of a place lacks. `progress` is told how many rows are written.

    Raises InvalidInput for a place that holds something else, StoreProblem where it refuses.
    """
    resources = release.list_growing_resources(full=about.wanted.full)
    described = _describe(about, resources)
    before = place.list_files()
    manifest = _read_manifest(place, before, about, described)
    known = _read_parts(place, manifest)
    _check_digest(place, manifest)
    digests = {file.path: file.sha256 for part in known.values() for file in part.files.values()}
    writer = _PartWriter(connection, place, about, resources, dict(before), digests, progress)
    written: dict[str, tuple[ReleasePart, _Files]] = {}
    repaired, changed = list[str](), list[str]()
    for part in release.list_parts(connection, about.wanted, about.schema):
        same = known.get(part.name)
        if same and same.token == part.token:
            lost, spoiled = _find_damage(place, before, same.files)
            repaired += lost
            changed += spoiled
            if not lost and not spoiled:
                written[part.name] = part, same.files
                continue
        elif (
            same
            and same.token in part.tokens_before
            and (files := writer.erase_answers(part, same.files))
        ):
            written[part.name] = part, files
            continue
        written[part.name] = part, writer.write_part(part)
    tombstones = [*manifest.get("tombstones", []), *_list_tombstones(known, written)]
    tables = [
        (resource, [files[name] for _, files in written.values() if name in files])
        for name, resource in resources.items()
    ]
    content = {
        **described,
        "parts": {
            part.name: {
                "token": part.token,
                "erased": part.erased,
                "files": {table: as_row(file) for table, file in files.items()},
            }
            for part, files in written.values()
        },
        "tombstones": tombstones,
    }
    kept = {file.path for _, files in written.values() for file in files.values()}
    old = {file.path for part in known.values() for file in part.files.values()} - kept
    sha256 = _publish(place, about, tables, content, writer.waiting)
    for path in writer.left:
        if path.startswith("data/") and path not in kept:
            place.delete(path)
    return Increment(
        rows=writer.rows,
        files=len(writer.waiting),
        replaced=len(old),
        repaired=tuple(repaired),
        changed=tuple(changed),
        erased=len(tombstones) - len(manifest.get("tombstones", [])),
        total_rows=sum(file.rows for _, files in tables for file in files),
        total_files=len(kept),
        sha256=sha256,
    )


def _describe(about: ReleaseFacts, resources: Mapping[str, Resource]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "program": about.version,
        "database_schema": about.schema,
        "answers": "full" if about.wanted.full else "redacted",
        "jobs": list(about.wanted.jobs),
        "newest_due_at": about.until,
        "invented": about.invented.share,
        "tables": {
            name: {"key": list(table.key), "columns": [asdict(column) for column in table.columns]}
            for name, table in resources.items()
        },
    }


def _read_manifest(
    place: ReleasePlace,
    before: Mapping[str, StoredFile],
    about: ReleaseFacts,
    described: Mapping[str, Any],
) -> dict[str, Any]:
    """Return `latest.json`; of an empty place, one without parts, which is written first.

    A first release that dies leaves files in a place that is known by it.
    """
    if MANIFEST not in before:
        if before.keys() - {MANIFEST + UNFINISHED}:
            raise InvalidInput(
                f"{place.address}: holds files and no {MANIFEST}; name a new folder, or that of a "
                "release that grows"
            )
        with place.write(MANIFEST) as file:
            file.write(json.dumps({**described, "parts": {}, "tombstones": []}).encode())
        return {}
    where = f"{place.address}/{MANIFEST}"
    try:
        manifest = json.loads(place.read(MANIFEST))
        form, schema = int(manifest["format"]), str(manifest["database_schema"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidInput(
            f"{where}: is not the list of a release ({type(error).__name__}: {error}); bring back "
            "a copy of it, or release to a new folder"
        ) from None
    if form > FORMAT or schema > about.schema:
        raise InvalidInput(
            f"{where}: was written by a newer version (format {form}, schema {schema}; this one "
            f"knows {FORMAT} and {about.schema}); upgrade this program and the database"
        )
    for key, words in (("answers", "--full or --redacted"), ("jobs", "--job")):
        if manifest.get(key) != described[key]:
            raise InvalidInput(
                f"{where}: has {key} {json.dumps(manifest.get(key))}, and {words} asks for "
                f"{json.dumps(described[key])}; write the same, or release to a new folder"
            )
    return dict(manifest)


def _read_parts(place: ReleasePlace, manifest: Mapping[str, Any]) -> dict[str, _KnownPart]:
    try:
        return {
            str(name): _KnownPart(
                str(part["token"]),
                int(part["erased"]),
                {str(table): _read_file(file) for table, file in part["files"].items()},
            )
            for name, part in manifest.get("parts", {}).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"{place.address}/{MANIFEST}: its parts cannot be read ({type(error).__name__}: "
            f"{error}); bring back a copy of it, or release to a new folder"
        ) from None


def _check_digest(place: ReleasePlace, manifest: Mapping[str, Any]) -> None:
    """Raise InvalidInput where somebody has changed `latest.json`. A first one has no digest."""
    content = {key: value for key, value in manifest.items() if key != _DIGEST_KEY}
    if content.get("parts") and manifest.get(_DIGEST_KEY) != digest(content):
        raise InvalidInput(
            f"{place.address}/{MANIFEST}: was changed since it was written, so what it says of "
            "files may be wrong; bring back a copy of it, or release to a new folder"
        )


def _find_damage(
    place: ReleasePlace, before: Mapping[str, StoredFile], files: _Files
) -> tuple[list[str], list[str]]:
    """Return the files of a part that are missing or cut off, and those with other bytes.

    Bytes are compared of files that were written after `latest.json`, which is written last.
    """
    lost, spoiled = [], []
    for file in files.values():
        stored = before.get(file.path)
        if stored is None or stored.size != file.size:
            lost.append(file.path)
        elif (
            stored.written_at > before[MANIFEST].written_at
            and place.hash_file(file.path) != file.sha256
        ):
            spoiled.append(file.path)
    return lost, spoiled


def _read_file(file: Mapping[str, Any]) -> WrittenTable:
    read = WrittenTable(
        str(file["path"]), int(file["size"]), str(file["sha256"]), int(file["rows"])
    )
    if not read.path.startswith("data/") or ".." in read.path or not _DIGEST.fullmatch(read.sha256):
        raise ValueError(f"{read.path!r} is no file of a release")
    return read


@dataclass(slots=True)
class _PartWriter:
    """Writes files of parts beside their names, and takes up those that a run left whole.

    `left` are the files of the place that were there before, under the names that they have now.
    """

    connection: Connection
    place: ReleasePlace
    about: ReleaseFacts
    resources: Mapping[str, Resource]
    left: dict[str, StoredFile]
    digests: Mapping[str, str]
    progress: Progress
    rows: int = 0
    waiting: list[str] = field(default_factory=list)

    def write_part(self, part: ReleasePart) -> _Files:
        """Write the tables of a part. A table without rows has no file."""
        files = {}
        for table in part.tables:
            path = name_file(part, table)
            file = self._take_up(path) or self._write(path, self.resources[table], part)
            if file.rows:
                files[table] = file
                self.waiting.append(path)
        return files

    def erase_answers(self, part: ReleasePart, files: _Files) -> _Files | None:
        """Write the answers of a part whose other rows are as in its files.

        Rows from which nothing was erased are copied. Returns None where they cannot be: the file
        is damaged, or has other rows than the database.
        """
        resource, old = self.resources[_ANSWERS], files.get(_ANSWERS)
        portions = release.read_erased(self.connection, resource, part, self.about.wanted)
        names = [column.name for column in resource.columns]
        find_key = itemgetter(*(names.index(name) for name in resource.key))
        erased = {find_key(row): row for rows in portions for row in rows}
        if not old or not erased:
            return files
        path = name_file(part, _ANSWERS)
        new = self._take_up(path) or self._copy(old, path, resource, erased)
        if not new:
            return None
        self.waiting.append(path)
        return {**files, _ANSWERS: new}

    def _copy(
        self,
        old: WrittenTable,
        path: str,
        resource: Resource,
        erased: Mapping[tuple[Any, ...], Row],
    ) -> WrittenTable | None:
        if old.path not in self.left:
            return None
        content = self.place.read(old.path)
        if hashlib.sha256(content).hexdigest() != old.sha256:
            return None
        try:
            with self._write_waiting(path) as file:
                replace_rows(content, file, resource.columns, resource.key, erased)
        except ValueError:
            return None
        self.rows += old.rows
        self.progress(self.rows)
        return WrittenTable(path, file.size, file.sha256, old.rows)

    @contextmanager
    def _write_waiting(self, path: str) -> Iterator[HashedFile]:
        """Write a file beside its name, in the place of one that a run left there."""
        with self.place.write(path + _WAITING) as file:
            yield file
        for end in (_WAITING, _WAITING + UNFINISHED):
            self.left.pop(path + end, None)

    def _take_up(self, path: str) -> WrittenTable | None:
        for there in (path, path + _WAITING):
            if there not in self.left:
                continue
            try:
                rows = self.place.count_rows(there)
            except (ValueError, StoreProblem):  # cut off
                self.place.delete(there)
                del self.left[there]
                continue
            sha256 = self.place.hash_file(there)
            if sha256 != self.digests.get(path, sha256):  # changed by somebody else
                continue
            if there == path:
                self.place.move(path, path + _WAITING)
            size = self.left.pop(there).size
            return WrittenTable(path, size, sha256, rows)
        return None

    def _write(self, path: str, resource: Resource, part: ReleasePart) -> WrittenTable:
        portions = release.read_part(self.connection, resource, part, self.about.wanted)
        first = next(portions, [])
        if not first:
            return WrittenTable(path, 0, "", 0)
        before = self.rows
        with (
            self._write_waiting(path) as file,
            ParquetTable(file, resource.columns) as table,
        ):
            for rows in chain([first], portions):
                table.add(rows)
                self.rows += len(rows)
                self.progress(self.rows)
        return WrittenTable(path, file.size, file.sha256, self.rows - before)


def name_file(part: ReleasePart, table: str) -> str:
    """Return the path of a file. The rows of a path never change: it has their token."""
    name = f"{part.token[:12]}.parquet"
    if part.run is not None:
        name = f"run-{part.run:06}-{name}"
    where = f"job={quote(part.job, safe='')}/month={part.month}/" if part.month else ""
    return f"data/{table}/{where}{name}"


def _list_tombstones(
    known: Mapping[str, _KnownPart], written: Mapping[str, tuple[ReleasePart, _Files]]
) -> Iterator[dict[str, Any]]:
    """Yield what says of files that something was erased from their rows."""
    for part, files in written.values():
        earlier = known.get(part.name)
        if not earlier or part.erased <= earlier.erased or part.erased_at is None:
            continue
        for table, file in earlier.files.items():
            if file in files.values():  # nothing was in it
                continue
            yield {
                "path": file.path,
                "sha256": file.sha256,
                "rows_before": file.rows,
                "rows_after": files[table].rows if table in files else 0,
                "erased_on": part.erased_at.date().isoformat(),
            }


def _publish(
    place: ReleasePlace,
    about: ReleaseFacts,
    tables: Sequence[tuple[Resource, Sequence[WrittenTable]]],
    content: Mapping[str, Any],
    waiting: Sequence[str],
) -> str:
    """Move what was written to its names, `latest.json` last. Returns the digest of that."""
    papers = list_papers(about, tables)
    sums = [(file.path, file.sha256) for _, files in tables for file in files]
    for name, text in papers.items():
        with place.write(name + _WAITING) as file:
            file.write(text.encode())
        sums.append((name, file.sha256))
    papers["SHA256SUMS"] = write_checksums(sums)
    with place.write("SHA256SUMS" + _WAITING) as file:
        file.write(papers["SHA256SUMS"].encode())
    content = {**content, _DIGEST_KEY: digest(content)}
    with place.write(MANIFEST + _WAITING) as file:
        file.write((json.dumps(content, ensure_ascii=False) + "\n").encode())
    for path in (*waiting, *papers, MANIFEST):
        place.move(path + _WAITING, path)
    return file.sha256
