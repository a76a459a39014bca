"""Whether the answers of an archive were made up, as those of an example: what jobs declare."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import sqlalchemy as sa

from monitor.store.schema import jobs

#: What invented data do not show.
NOT_REAL = "They say nothing about any real system."


@dataclass(frozen=True, slots=True)
class Invented:
    """The jobs that declare `invented = true`; `is_all` where there are no others."""

    jobs: tuple[str, ...] = ()
    is_all: bool = False

    @property
    def share(self) -> str:
        """How much of the archive is invented: `all`, `some`, or nothing."""
        return ("all" if self.is_all else "some") if self.jobs else ""

    def marked(self, rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        """Yield the rows of a table, header first; a last column says that data are invented."""
        marks = chain(["invented"], repeat(self.share))
        for row, mark in zip(rows, marks, strict=False):
            yield [*row, mark] if self.share else row

    def sentence(self, *, names_jobs: bool) -> str:
        """Say that data are invented; empty where none are."""
        if not self.jobs:
            return ""
        which = f" (jobs: {', '.join(self.jobs)})" if names_jobs else ""
        what = "All answers here are" if self.is_all else f"Some answers here{which} are"
        return f"Invented data: {what} made up. {NOT_REAL}"


def read(connection: sa.Connection, of: Collection[str] = ()) -> Invented:
    """Return what jobs declare, by every version that they had; all jobs where `of` names none."""
    declared = jobs.c.content["invented"].as_boolean()
    query = sa.select(jobs.c.name, declared).order_by(jobs.c.name)
    if of:
        query = query.where(jobs.c.name.in_(of))
    rows = [(name, bool(is_invented)) for name, is_invented in connection.execute(query)]
    names = dict.fromkeys(name for name, is_invented in rows if is_invented)
    return Invented(tuple(names), all(is_invented for _, is_invented in rows))
