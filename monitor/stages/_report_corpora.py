"""The section of a report about the texts that a run has read: its corpora, and what they gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from markupsafe import Markup

from monitor.stages import _corpus_charts as charts
from monitor.stages import _corpus_sides as sides
from monitor.stages import _report_names as names
from monitor.stages import _report_systems
from monitor.stages._report_systems import System
from monitor.stages.engine_titles import engine_title
from monitor.store.corpora import Listed
from monitor.store.report import RunFacts

Row = dict[str, Any]

_LEAST_POINTS = 3


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
    """What one measure makes of the texts of one system: its quantities, and every occupation.

    `words` have a bias, from the one furthest towards women on; `lacking` have none. `sides` and
    `labour` are their charts, None where there is too little to draw; `area` says of which area
    the first is, or why there is none.
    """

    system: System
    reference: str
    titles: Mapping[str, str]
    points: Sequence[Row] = field(repr=False)
    words: Sequence[Row] = field(repr=False)
    lacking: Sequence[Row] = field(repr=False)
    sides: Markup | None = field(repr=False)
    area: str
    labour: Markup | None = field(repr=False)


def gathered(corpora: Sequence[Listed]) -> list[Gathered]:
    """The corpora of a run as its report lists them."""
    return [
        Gathered(
            engine_title(one.engine),
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


def measured(systems: Sequence[System], facts: RunFacts) -> list[Measured]:
    """The values over all texts of every system, by measure and reference, and those by word."""
    return [
        _measured(system, reference, facts)
        for system in systems
        for reference in system.references or [""]
    ]


def _measured(system: System, reference: str, facts: RunFacts) -> Measured:
    rows = _report_systems.topic_rows(system, reference, facts)
    words = [row for row in rows if row["bias"] is not None]
    words.sort(key=lambda row: (-row["bias"], row["topic"]))
    place = f"{system.place}-{reference}"
    values = system.values(reference)
    told = values[f"{system.family}_mean"]["facts"]
    return Measured(
        system,
        reference,
        names.quantity_titles(system.measure),
        list(values.values()),
        words,
        [row for row in rows if row["bias"] is None],
        sides.picture([row["topic"] for row in words], told, f"sides-{place}", system.label),
        sides.said(told),
        _against(words, f"labour-{place}", system.label, names.reference_title(reference)),
    )


def _against(words: Sequence[Row], name: str, label: str, reference: str) -> Markup | None:
    drawn = [
        {"word": row["name"], "share": row["target"], "bias": row["bias"],
         "low": row["model_low"], "high": row["model_high"]}
        for row in words if row["target"] is not None
    ]  # fmt: skip
    if len({row["share"] for row in drawn}) < _LEAST_POINTS:
        return None
    x, y = ([row[of] for row in drawn] for of in ("share", "bias"))
    slope, intercept = np.polyfit(x, y, 1)
    axes = f"share of women: {reference.split(',', 1)[0]}", "bias of the word: men < 0 < women"
    title = f"Bias of words for occupations against the share of women in them: {label}"
    return charts.against(drawn, (float(intercept), float(slope)), name, title, axes)
