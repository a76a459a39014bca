"""Choose the size of a bench: whole, or short to see that it still runs."""

import os
from typing import TypeVar

#: Set by `bench/short.py` for the processes that it starts.
SHORT = "MONITOR_BENCH_SHORT" in os.environ
Size = TypeVar("Size")


def size(whole: Size, short: Size) -> Size:
    """Return `short` in a short run. Its figures say nothing, so no bar is held then."""
    return short if SHORT else whole
