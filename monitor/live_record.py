"""The record of when engines were last asked live, as it ships with the release."""

from functools import cache
from typing import NamedTuple

from monitor.data import read_toml

#: Words for an engine without an entry.
NEVER = "tested on recordings only"


class SeenLive(NamedTuple):
    """The last live test of an engine before the release: day, answers understood, version."""

    date: str
    answers: int
    version: str

    def __str__(self) -> str:
        return f"seen live {self.date} ({self.answers} answers, version {self.version})"


@cache
def read_seen_live() -> dict[str, SeenLive]:
    """Return the last live test of each engine that has one."""
    return {
        name: SeenLive(str(entry["date"]), int(entry["answers"]), str(entry["version"]))
        for name, entry in read_toml("seen_live").items()
    }


def say_seen_live(engine: str) -> str:
    """Return when an engine was last seen live, or that it was tested on recordings only."""
    return str(read_seen_live().get(engine, NEVER))
