"""Backups in a folder: one sub-folder each, and the files of answers that they share.

A backup is made under another name and gets its own when it is complete. Its manifest, with the
digest of every file, is written last.
"""

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

import zstandard

from monitor.input_files import load_json
from monitor.model import InvalidInput, StoreProblem, digest
from monitor.store.collect.bodies import SUFFIX

MANIFEST, BODIES, BODY_LIST = "manifest.json", "bodies", "bodies.sha256"
_FORMAT = 1
#: Stands in a folder of backups, so that nothing is ever pruned anywhere else; it is the lock too.
_MARK = ".monitor-backups"
_PARTIAL = ".partial-"
#: What the root of a disk has of its own.
_NOT_OURS = {"lost+found"}
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700
_PIECE = 2**20

Progress: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """The content of a backup: database, time, and {file: (size, digest)}.

    `unusable` are the answers that were missing or damaged already when it was made.
    """

    kind: str  # sqlite, postgresql
    version: str
    schema: str
    made_at: str
    counts: Mapping[str, int]
    files: Mapping[str, tuple[int, str]]
    bodies: int = 0
    body_bytes: int = 0
    unusable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackupBodies:
    """The files of answers in a backup: {digest of the answer: digest of its file}."""

    digests: Mapping[str, str]
    size: int
    copied: int
    gone: tuple[str, ...]  # there is no file
    damaged: tuple[str, ...]


# --- the folder -----------------------------------------------------------------------------------


@contextmanager
def create_backup(folder: Path, now: datetime) -> Iterator[Path]:
    """Return the folder of a new backup, not yet named. Raises StoreProblem."""
    with _lock_folder(folder):
        for path in folder.glob(f"{_PARTIAL}*"):  # of one that was cut off
            shutil.rmtree(path)
        name = f"{now:%Y-%m-%dT%H-%M-%S-%f}Z"
        if (folder / name).exists():
            raise StoreProblem(f"{folder / name}: is there already")
        partial = folder / f"{_PARTIAL}{name}"
        partial.mkdir(mode=_PRIVATE_FOLDER)
        try:
            yield partial
            os.sync()  # once for all files; a backup has to outlive a power cut
            partial.rename(folder / name)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    mark = folder / _MARK
    try:
        if not folder.exists():
            folder.mkdir(parents=True, mode=_PRIVATE_FOLDER)
        if not mark.exists() and {path.name for path in folder.iterdir()} - _NOT_OURS:
            raise InvalidInput(f"{folder}: holds other things; name a new or an empty folder")
        handle = os.open(mark, os.O_RDWR | os.O_CREAT, _PRIVATE)
    except OSError as error:
        raise StoreProblem(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreProblem(f"{folder}: another backup is being made there now") from None
        yield
    finally:
        os.close(handle)


def list_backups(folder: Path) -> list[Path]:
    """Return the whole backups of a folder, the oldest first."""
    backups = (path.parent for path in folder.glob(f"*/{MANIFEST}"))
    return sorted(path for path in backups if not path.name.startswith(_PARTIAL))


def find_backup(folder: Path) -> Path:
    """Return the backup that is meant: this folder, or the newest in it. Raises StoreProblem."""
    if (folder / MANIFEST).is_file():
        return folder
    backups = list_backups(folder)
    if not backups:
        raise StoreProblem(f"{folder}: no backup is there; make one with `monitor db backup`")
    return backups[-1]


def prune_backups(folder: Path, keep: int) -> tuple[int, int]:
    """Remove all but the newest backups, and answers of none; how many of each were removed."""
    with _lock_folder(folder):
        old = list_backups(folder)[:-keep]
        for path in old:
            (path / MANIFEST).unlink()  # from here on it is none
            shutil.rmtree(path)
        used_digests = {sha256 for path in list_backups(folder) for sha256 in read_body_list(path)}
        unused = [
            path
            for path in (folder / BODIES).glob("*/*")
            if path.name.removesuffix(SUFFIX) not in used_digests
        ]
        for path in unused:
            path.unlink()
    return len(old), len(unused)


# --- files ----------------------------------------------------------------------------------------


def create_private_file(path: Path) -> Path:
    """Make an empty file that only its owner can read."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    return path


def measure_file(path: Path) -> tuple[int, str]:
    """Return (size, digest) of a file."""
    hashed, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            hashed.update(piece)
            size += len(piece)
    return size, hashed.hexdigest()


def copy_bodies(
    source: Path,
    folder: Path,
    new_bodies: Iterable[tuple[str, int]],
    progress: Progress = lambda _done: None,
) -> BackupBodies:
    """Copy the files of (digest, size) of answers that `folder` does not have yet.

    They are copies, never links: what damages the one must not damage the other.
    """
    newest = _read_newest_bodies(folder)
    digests: dict[str, str] = {}
    gone: list[str] = []
    damaged: list[str] = []
    size = copied = 0
    for done, (sha256, length) in enumerate(new_bodies, 1):
        goal = folder / BODIES / sha256[:2] / f"{sha256}{SUFFIX}"
        is_there = sha256 in newest and goal.is_file()
        if not is_there:
            packed = _read_file(source / sha256[:2] / goal.name)
            if packed is None or not _is_whole(packed, sha256, length):
                (gone if packed is None else damaged).append(sha256)
                continue
            _write_file(goal, packed)
            copied += 1
        digests[sha256] = newest[sha256] if is_there else hashlib.sha256(packed or b"").hexdigest()
        size += goal.stat().st_size
        progress(done)
    return BackupBodies(digests, size, copied, tuple(gone), tuple(damaged))


def _read_newest_bodies(folder: Path) -> dict[str, str]:
    """Return the body files of the newest backup; others are copied again."""
    backups = list_backups(folder)
    return read_body_list(backups[-1]) if backups else {}


def _read_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _is_whole(packed: bytes, sha256: str, size: int) -> bool:
    """Return whether this is the answer with this digest; unpacks no more than its size."""
    try:
        if zstandard.frame_content_size(packed) != size:
            return False
        body = zstandard.ZstdDecompressor().decompress(packed, max_output_size=size)
    except zstandard.ZstdError:
        return False
    return hashlib.sha256(body).hexdigest() == sha256


def _write_file(goal: Path, content: bytes) -> None:
    for part in (goal.parent.parent, goal.parent):
        part.mkdir(exist_ok=True, mode=_PRIVATE_FOLDER)
    handle, temporary = tempfile.mkstemp(dir=goal.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(goal)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_body_list(backup: Path, bodies: BackupBodies) -> None:
    """Write which files of answers belong to a backup, as `sha256sum --check` reads it."""
    with create_private_file(backup / BODY_LIST).open("w", encoding="ascii") as file:
        for sha256, packed in bodies.digests.items():
            file.write(f"{packed}  {sha256[:2]}/{sha256}{SUFFIX}\n")


def read_body_list(backup: Path) -> dict[str, str]:
    """Return {digest of the answer: digest of its file} of a backup. Raises StoreProblem."""
    path = backup / BODY_LIST
    if not path.exists():
        return {}
    bodies = {}
    for line in path.read_text("ascii", "replace").splitlines():
        packed, _, name = line.partition("  ")
        sha256 = name[3:].removesuffix(SUFFIX)
        if len(packed) != len(sha256) or not sha256.isalnum():
            raise StoreProblem(f"{path}: is damaged: {line[:80]!r} is no line of it")
        bodies[sha256] = packed
    return bodies


# --- the manifest ---------------------------------------------------------------------------------


def write_manifest(backup: Path, manifest: BackupManifest) -> None:
    """Write the manifest, with its own digest."""
    content: dict[str, Any] = {"format": _FORMAT, **asdict(manifest)}
    content["files"] = {name: list(measured) for name, measured in manifest.files.items()}
    content["unusable"] = list(manifest.unusable)
    content["sha256"] = digest(content)
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    create_private_file(backup / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(backup: Path) -> BackupManifest:
    """Return the manifest of a backup. Raises StoreProblem where it is not as it was written."""
    path = backup / MANIFEST
    try:
        content = load_json(path.read_text("utf-8"))
        expected = content.pop("sha256")
        if expected != digest(content):
            raise StoreProblem(f"{path}: is damaged: its digest does not match")
        version = content.pop("format")
        if version != _FORMAT:
            raise StoreProblem(
                f"{path}: format {version} is unknown here; use a newer version of monitor"
            )
        files = {
            name: (int(size), str(sha256)) for name, (size, sha256) in content["files"].items()
        }
        return BackupManifest(**{**content, "files": files, "unusable": tuple(content["unusable"])})
    except OSError as error:
        raise StoreProblem(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreProblem(f"{path}: is damaged: it is no manifest") from error


def check_backup(backup: Path, progress: Progress = lambda _done: None) -> BackupManifest:
    """Compare every file of a backup with its digest. Raises StoreProblem with the first fault."""
    manifest = read_manifest(backup)
    for name, expected in manifest.files.items():
        _check_file(backup / name, expected[1])
    listed = read_body_list(backup)
    if len(listed) != manifest.bodies:
        raise StoreProblem(
            f"{backup / BODY_LIST}: is damaged: {len(listed):,} answers, not {manifest.bodies:,}"
        )
    for done, (sha256, packed) in enumerate(listed.items(), 1):
        _check_file(body_file(backup, sha256), packed)
        progress(done)
    return manifest


def body_file(backup: Path, sha256: str) -> Path:
    """Return where a backup has the file of an answer."""
    return backup.parent / BODIES / sha256[:2] / f"{sha256}{SUFFIX}"


def _check_file(path: Path, expected: str) -> None:
    try:
        _, actual = measure_file(path)
    except OSError as error:
        raise StoreProblem(
            f"{path}: the backup is damaged: cannot be read: {error.strerror}"
        ) from error
    if actual != expected:
        raise StoreProblem(f"{path}: the backup is damaged: sha256 {actual}, not {expected}")
