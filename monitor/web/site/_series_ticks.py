"""The ticks of a series as its pages say them: value, interval, counts, and the step before."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from monitor.model import State
from monitor.stages import _report_names as titles
from monitor.store.series_history import Comparison
from monitor.web.site._series_read import Known, steps


class SinceBefore(BaseModel):
    """What has changed since an earlier tick, on the questions that both can be used of."""

    run: int
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    reason: str


class SeriesTick(BaseModel):
    """One due tick. `value` is null unless `state` is `measured`; `reason` says why.

    `low` and `high` are the ends of the 95 % interval, `bound_low` and `bound_high` hold whatever
    is missing. Counts are null where nothing was computed.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)

    due_at: datetime
    job: str
    tick_state: str
    run: int | None
    point: int | None
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    flags: Sequence[str]
    planned: int | None
    answered: int | None
    used: int | None
    unidentified: int | None
    signature: str
    computed_at: datetime | None
    since: SinceBefore | None
    """Against the newest earlier tick that was measured."""
    changes: Sequence[int]
    """Numbers of changes that begin here."""

    @property
    def flagged(self) -> str:
        """The flags in words."""
        return titles.flags(self.flags)


_ALIKE = ("due_at", "job", "tick_state", "state", "reason", "value", "low", "high", "bound_low",
          "bound_high", "flags", "planned", "answered", "used", "unidentified", "signature",
          "computed_at")  # fmt: skip


def ticks(known: Known) -> list[SeriesTick]:
    """Every tick, the oldest first."""
    compared = steps(known)
    changes: dict[datetime, list[int]] = {}
    for change in known.changes:
        changes.setdefault(change.changed_at, []).append(change.id)
    return [
        SeriesTick(
            **{name: getattr(one, name) for name in _ALIKE},
            run=one.run_id,
            point=one.point_id,
            since=_since(compared.get(one.run_id or 0)),
            changes=changes.get(one.due_at, []),
        )
        for one in known.ticks
    ]


def _since(step: Comparison | None) -> SinceBefore | None:
    if step is None:
        return None
    own = {name: getattr(step, name) for name in SinceBefore.model_fields if name != "run"}
    return SinceBefore(run=step.before_run_id, **own)
