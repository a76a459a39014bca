"""Files that appear whole, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

#: Only its owner reads and writes it.
PRIVATE = 0o600
#: Of a new file, less what the mask of the process takes away.
_PLAIN = 0o666


@contextmanager
def write_whole(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` on the disk when the block ends, or not at all.

    Its folder is made. Without a mode it is as readable as any new file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{token_hex(4)}")
    handle = os.open(
        part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PLAIN if mode is None else PRIVATE
    )
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if mode is not None:
                os.fchmod(handle, mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
