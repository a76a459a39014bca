"""Arrays of whole numbers that wait in a file without a name, so that they are not in memory."""

import os
from tempfile import TemporaryFile
from threading import Lock

import numpy as np

from monitor.model import Ints, StoreProblem


class Spill:
    """A list of arrays; several threads may add and read."""

    def __init__(self) -> None:
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - it is closed with the list
        self._lock = Lock()
        self._places: list[tuple[int, int]] = []
        self._end = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, numbers: Ints) -> int:
        """Keep an array; its place in the list. Raises StoreProblem where there is no room."""
        content = numbers.view(np.uint8).data
        with self._lock:
            begin = self._end
            self._end += len(content)
            self._places.append((begin, len(content)))
            place = len(self._places) - 1
        try:
            while content:
                written = os.pwrite(self._file.fileno(), content, begin)
                content, begin = content[written:], begin + written
        except OSError as error:
            raise StoreProblem(
                f"counts wait in a file that cannot be written: {error.strerror or error}; about "
                "40 bytes are needed for each token: name a folder with room in TMPDIR"
            ) from error
        return place

    def read(self, place: int) -> Ints:
        """The array at a place."""
        begin, size = self._places[place]
        content = bytearray(size)
        rest = memoryview(content)
        while rest:
            got = os.preadv(self._file.fileno(), [rest], begin)
            rest, begin = rest[got:], begin + got
        return np.frombuffer(content, np.int64)

    def close(self) -> None:
        """Give the room back."""
        self._file.close()
