"""Places that a release grows in: a folder, or a bucket that speaks S3."""

import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from monitor.model import InvalidInput, MissingPart, StoreProblem

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_S3 = "s3://"
#: The name of a file that is being written ends like this.
UNFINISHED = ".tmp"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a place: its bytes, and when it was written, in nanoseconds since 1970."""

    size: int
    written_at: int


class ReleasePlace:
    """Files below one address, by paths with `/`.

    A file is whole or not there: it is written beside its name and moved. Every method raises
    StoreProblem, with the address and the path, where the place refuses.
    """

    def __init__(self, address: str, files: "FileSystem") -> None:
        self.address = address
        self._files = files

    def list_files(self) -> dict[str, StoredFile]:
        """Return all files by path."""
        fs = import_module("pyarrow.fs")
        every_file = fs.FileSelector("", recursive=True, allow_not_found=True)
        with self._saying(""):
            entries = self._files.get_file_info(every_file)
        return {
            entry.path.lstrip("/"): StoredFile(entry.size, entry.mtime_ns)
            for entry in entries
            if entry.is_file
        }

    def read(self, path: str) -> bytes:
        """Return the content of a file."""
        with self._saying(path), self._files.open_input_stream(path) as file:
            return bytes(file.read())

    def hash_file(self, path: str) -> str:
        """Return the SHA-256 of a file."""
        with self._saying(path), self._files.open_input_stream(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def count_rows(self, path: str) -> int:
        """Return the rows of a Parquet file. Raises ValueError for a file that is none."""
        parquet = import_module("pyarrow.parquet")
        with self._saying(path), self._files.open_input_file(path) as file:
            return int(parquet.ParquetFile(file).metadata.num_rows)

    @contextmanager
    def write(self, path: str) -> Iterator["HashedFile"]:
        """Write a file, which is there once the block has ended well."""
        beside = path + UNFINISHED
        with self._saying(path):
            self._make_folder(path)
            with HashedFile(self._files.open_output_stream(beside)) as file:
                yield file
            self._files.move(beside, path)

    def move(self, path: str, to: str) -> None:
        """Move a file, in the place of another that is there."""
        with self._saying(to):
            self._make_folder(to)
            self._files.move(path, to)

    def delete(self, path: str) -> None:
        """Delete a file."""
        with self._saying(path):
            self._files.delete_file(path)

    def _make_folder(self, path: str) -> None:
        """Make the folder of a file; a bucket has none."""
        if not self.address.startswith(_S3) and "/" in path:
            self._files.create_dir(path.rpartition("/")[0], recursive=True)

    @contextmanager
    def _saying(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreProblem(
                f"{self.address}{'/' if path else ''}{path}: {error}; the release is still what "
                "its latest.json names; run the command again when this is mended"
            ) from error


class HashedFile:
    """A file that is written once from its beginning, with the SHA-256 of what was written."""

    def __init__(self, file: object) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0
        self.closed = False

    def write(self, block: bytes) -> int:
        """Append bytes."""
        self._file.write(block)  # type: ignore[attr-defined]
        self._digest.update(block)
        self.size += len(block)
        return len(block)

    @property
    def sha256(self) -> str:
        """SHA-256 of what was written, in hexadecimal digits."""
        return self._digest.hexdigest()

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self.size

    def flush(self) -> None:
        """Do nothing: the file is flushed when it is closed."""

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._file.close()  # type: ignore[attr-defined]
            self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


@contextmanager
def open_place(address: str, environment: Mapping[str, str]) -> Iterator[ReleasePlace]:
    """Open a folder, or `s3://BUCKET/FOLDER`, and hold it against other releases.

    S3 takes its credentials as other programs do (`AWS_ACCESS_KEY_ID`, profiles), and the address
    of a server from `AWS_ENDPOINT_URL`. Raises InvalidInput, MissingPart and StoreProblem.
    """
    try:
        fs = import_module("pyarrow.fs")
    except ImportError:
        raise MissingPart(
            "pyarrow is not installed; install it: pip install 'gbmonitor[parquet]'"
        ) from None
    if "://" in address and not address.startswith(_S3):
        raise InvalidInput(f"{address}: name a folder, or a bucket: s3://BUCKET/FOLDER")
    if not address.startswith(_S3):
        with _lock_folder(Path(address)):
            yield ReleasePlace(address, fs.SubTreeFileSystem(address, fs.LocalFileSystem()))
        return
    below = address.removeprefix(_S3).strip("/")
    if not below:
        raise InvalidInput(f"{address}: name a bucket: s3://BUCKET/FOLDER")
    server = urlsplit(environment.get("AWS_ENDPOINT_URL", ""))
    server_choice = (
        {"scheme": server.scheme, "endpoint_override": server.netloc} if server.netloc else {}
    )
    files = fs.S3FileSystem(request_timeout=60, connect_timeout=10, **server_choice)
    yield ReleasePlace(address, fs.SubTreeFileSystem(below, files))


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Hold a folder; its lock goes with the process that holds it, however it ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise StoreProblem(f"{folder}: cannot be used as a folder: {error.strerror}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreProblem(
                f"{folder}: another release is being written there; run the command again when it "
                "has ended"
            ) from None
        yield
    finally:
        os.close(lock)
