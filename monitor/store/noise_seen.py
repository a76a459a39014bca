"""How often answers differed while nothing changed: what repeats and noise runs of a job showed."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import State
from monitor.store.schema import comparisons, engines, runs, series_keys


class SeriesName(NamedTuple):
    """A series over all probes, as people name it."""

    engine: str
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str


@dataclass(frozen=True, slots=True)
class Flips:
    """Of `n` probes asked twice `changed` had another answer, over all ticks; n is above 0."""

    contrast: Contrast
    changed: int
    n: int


def flips(
    connection: sa.Connection, job: str, until: datetime | None = None
) -> dict[SeriesName, Flips]:
    """{series over all probes: its flips}, of a day apart where there are any, else of minutes.

    Of the ticks up to a time, or of all.
    """
    keys = series_keys.c
    named = (
        engines.c.name,
        keys.list,
        keys.source_lang,
        keys.target,
        keys.measure,
        keys.quantity,
        keys.reference,
    )
    query = (
        sa.select(
            *named,
            comparisons.c.contrast,
            sa.func.sum(comparisons.c.changed),
            sa.func.sum(comparisons.c.n),
        )
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .join(runs, runs.c.id == comparisons.c.after_run_id)
        .where(
            runs.c.job == job,  # another may have begun the series
            keys.scope == "all",
            comparisons.c.contrast.in_((Contrast.DAYS, Contrast.MINUTES)),
            comparisons.c.is_current,
            comparisons.c.state == State.MEASURED,
            comparisons.c.n > 0,
            sa.true() if until is None else comparisons.c.due_at <= until,
        )
        .group_by(*named, comparisons.c.contrast)
        .order_by(comparisons.c.contrast.desc())  # minutes first, so that days take their place
    )
    return {
        SeriesName(*name): Flips(Contrast(contrast), int(changed), int(n))
        for *name, contrast, changed, n in connection.execute(query)
    }
