"""What pages say of a series wherever it is named: titles, meaning, newest value, a small chart."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.model import Kind, QuantityUnit, State
from monitor.stages import _report_names as titles
from monitor.stages.engine_titles import KnownEngines
from monitor.stages.weekly import names
from monitor.store.changes import series
from monitor.store.changes.series import ALL, Filters, Series, as_row
from monitor.store.changes.series_summaries import Mark, SeriesSummary
from monitor.store.database import Connection
from monitor.text.quantity_values import say_question
from monitor.web.site import _charts
from monitor.web.site._errors import Missing
from monitor.web.site._visitor import Visitor


class Point(BaseModel):
    """A tick of a small chart. `value` is null unless `state` is `measured`."""

    due_at: datetime
    state: State
    value: float | None


class SeriesCell(BaseModel):
    """A series with its newest tick, and a chart of the newest ones.

    `value`, `low` and `high` are null unless `state` is `measured`; `reason` says why. `low` and
    `high` are the ends of the 95 % interval.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)

    number: int
    """Of the series."""
    title: str
    quantity_title: str
    job: str
    list: str
    engine: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    scope: str
    state: State
    reason: str
    due_at: datetime
    value: float | None
    low: float | None
    high: float | None
    n_ticks: int
    """Due ticks since its first one, gaps included."""
    n_measured: int
    newest: Sequence[Point]

    @property
    def spark(self) -> Markup:
        """The newest ticks as a small chart."""
        return _charts.spark([(one.state, one.value) for one in self.newest])


class About(BaseModel):
    """A series by what it is about."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    number: int
    key: str
    title: str
    quantity_title: str
    system: str
    kind: Kind
    job: str
    """That began it."""
    list: str
    engine: str
    surface: str
    source_lang: str
    target: str
    measure: str
    method: str
    """The name that the measure is registered under."""
    quantity: str
    reference: str
    reference_title: str
    scope: str
    """`all`, or the part of the questions."""
    scope_title: str
    means: str
    """What the measure means; empty where this installation does not know it any more."""
    neutral: float | None
    """The value when nothing leans."""
    least: float | None
    most: float | None
    label: str = Field(exclude=True)
    """The quantity in plain words, and of which part of the questions."""
    unit: QuantityUnit = Field(exclude=True)
    system_words: str = Field(exclude=True)
    """`DeepL, English to Czech`."""
    question: str = Field(exclude=True)
    """That the series answers of the system."""


def seen(connection: Connection, who: Visitor, number: int) -> Series:
    """A series by its number. Raises Missing where there is none, or it is under embargo."""
    found = series.get_series(connection, number) if who.hidden.shows(number) else None
    if found is None:
        raise Missing(f"there is no series {number}")
    return found


def find(connection: Connection, who: Visitor, filters: Filters) -> list[Series]:
    """Series that fit and that a visitor may see, in the order of reports."""
    return [one for one in series.find_series(connection, filters) if who.hidden.shows(one.id)]


def described(one: Series, engines: KnownEngines) -> dict[str, Any]:
    """A series as a row that the names of the weekly report understand."""
    known = engines[one.engine]
    return as_row(one) | {"kind": known.kind, "engine_title": known.title}


def cell(
    one: Series, known: SeriesSummary, marks: Sequence[Mark], engines: KnownEngines
) -> SeriesCell:
    """A series as pages name it."""
    row = described(one, engines)
    return SeriesCell(
        number=one.id, title=names.title(row),
        quantity_title=names.about(one.measure, one.quantity, row["kind"]).title,
        job=known.job, list=one.list, engine=one.engine, source_lang=one.source_lang,
        target=one.target, measure=one.measure, quantity=one.quantity,
        reference=one.reference, scope=one.scope, state=known.last_state, reason=known.last_reason,
        due_at=known.last_due_at, value=known.last_value, low=known.last_low, high=known.last_high,
        n_ticks=known.n_ticks, n_measured=known.n_measured,
        newest=[Point(due_at=m.due_at, state=m.state, value=m.value) for m in marks],
    )  # fmt: skip


def about(one: Series, engines: KnownEngines) -> About:
    """A series as its pages begin."""
    row = described(one, engines)
    kind = row["kind"]
    known = names.about(one.measure, one.quantity, kind)
    part = f" ({one.scope_title or one.scope})" if one.scope != ALL else ""
    label, words = f"{known.meaning.label}{part}", names.system_words(row)
    return About(
        number=one.id, key=one.key, title=names.title(row), quantity_title=known.title,
        system=names.system(row), kind=kind, job=one.job, list=one.list, engine=one.engine,
        surface=one.surface, source_lang=one.source_lang, target=one.target, measure=one.measure,
        method=names.family(one.measure), quantity=one.quantity, reference=one.reference,
        reference_title=titles.reference_title(one.reference) if one.reference else "",
        scope=one.scope, scope_title=one.scope_title,
        means=names.means(one.measure, kind), neutral=known.neutral, least=_finite(known.low),
        most=_finite(known.high), label=label, unit=known.meaning.unit,
        system_words=words, question=say_question(replace(known.meaning, label=label), words),
    )  # fmt: skip


def _finite(end: float) -> float | None:
    return end if math.isfinite(end) else None
