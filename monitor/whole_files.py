"""Files that appear whole, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast

#: Only its owner reads and writes it.
PRIVATE = 0o600


@contextmanager
def write_whole(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` on the disk when the block ends, or not at all.

    Its folder is made. Without a mode it is as readable as any new file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        part = Path(file.name)
        try:
            yield cast("BinaryIO", file.file)
            file.flush()
            os.fsync(file.fileno())
            if mode is None:
                umask = os.umask(0)
                os.umask(umask)
                mode = 0o666 & ~umask
            part.chmod(mode)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
