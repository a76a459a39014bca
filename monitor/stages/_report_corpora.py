"""The section of a report about the texts that a run has read: its corpora, and what they gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.store.corpora import Listed

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Gathered:
    """One corpus: of whom, of which time, and how much there is of it."""

    engine: str
    pair: str
    text: str
    period: str
    begins_at: datetime
    ends_at: datetime
    jobs: Sequence[str]
    runs: Sequence[int]
    left_out: Mapping[str, str]
    answers: int
    documents: int
    repeats: int
    missing: int
    reason: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What one measure makes of the texts of one system, quantity by quantity."""

    system: System
    reference: str
    titles: Mapping[str, str]
    points: Sequence[Row] = field(repr=False)


def gathered(corpora: Sequence[Listed]) -> list[Gathered]:
    """The corpora of a run as its report lists them."""
    return [
        Gathered(
            names.engine_title(one.engine),
            names.short_pair(one.corpus.source_lang, one.corpus.region, one.kind),
            one.corpus.text,
            str(one.corpus.query["period"]),
            one.corpus.begins_at,
            one.corpus.ends_at,
            one.corpus.query["jobs"],
            one.runs,
            one.corpus.query["left_out"],
            one.corpus.answers,
            one.corpus.documents,
            one.corpus.repeats,
            one.corpus.missing,
            one.corpus.reason,
        )
        for one in corpora
    ]


def measured(systems: Sequence[System]) -> list[Measured]:
    """The values over all texts of every system, by measure and reference."""
    found = []
    for system in systems:
        titles = names.quantity_titles(system.measure)
        for reference in system.references or [""]:
            points = list(system.values(reference).values())
            found.append(Measured(system, reference, titles, points))
    return found
