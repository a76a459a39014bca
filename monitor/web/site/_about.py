"""What a page about one series says of it first: what it is about, and what its measure means."""

import math

from pydantic import BaseModel, ConfigDict

from monitor.model import Kind
from monitor.stages import _report_names as titles
from monitor.stages.engine_titles import KnownEngines
from monitor.stages.weekly import names
from monitor.store.series import Series
from monitor.web.site._series import described


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


def about(one: Series, engines: KnownEngines) -> About:
    """A series as its pages begin."""
    row = described(one, engines)
    kind = row["kind"]
    known = names.about(one.measure, one.quantity, kind)
    return About(
        number=one.id, key=one.key, title=names.title(row), quantity_title=known.title,
        system=names.system(row), kind=kind, job=one.job, list=one.list, engine=one.engine,
        surface=one.surface, source_lang=one.source_lang, target=one.target, measure=one.measure,
        method=names.family(one.measure), quantity=one.quantity, reference=one.reference,
        reference_title=titles.reference_title(one.reference) if one.reference else "",
        scope=one.scope, scope_title=one.scope_title,
        means=names.means(one.measure, kind), neutral=known.neutral, least=_finite(known.low),
        most=_finite(known.high),
    )  # fmt: skip


def _finite(end: float) -> float | None:
    return end if math.isfinite(end) else None
