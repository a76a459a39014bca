"""One job in a week: its ticks, its engines, and what was declared of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from monitor import registry
from monitor.cron import longest_wait
from monitor.jobs import EngineUse
from monitor.model import MonitorError
from monitor.stages.as_declared import Declaration
from monitor.store.reports.weekly_report import ReportedTick

Row = dict[str, Any]

#: What changes of a week are since.
LAST_WEEK, TICK_BEFORE = "last week", "the run before"
_WEEK = timedelta(days=7)
#: How a series stands that its job does not ask any more.
ENDED = "ended"


@dataclass(frozen=True, slots=True)
class JobWeek:
    """One job in the week: its due ticks so far, and the newest that has ended."""

    name: str
    content: Mapping[str, Any]
    made_of: Row = field(repr=False)  # its newest run: code version, packages
    ticks: Sequence[ReportedTick] = field(repr=False)
    in_week: Sequence[ReportedTick]
    newest: ReportedTick | None
    #: What was declared of it first, and which of its runs were not asked so.
    declaration: Declaration = field(default_factory=Declaration)
    #: How often each engine, by its label, is asked the same in one tick.
    repeats: Mapping[str, int] = field(default_factory=dict)
    #: Points of the newest tick, of all scopes.
    points: Sequence[Row] = field(default=(), repr=False)

    @property
    def uses(self) -> list[tuple[str, EngineUse]]:
        """Its engines by the labels that series have; without those of another version."""
        uses = []
        for use in self.content.get("engines", ()):
            try:
                known = EngineUse.model_validate(use)
                uses.append((known.label(registry.engine(known.name)), known))
            except (ValidationError, MonitorError):
                continue
        return uses

    @property
    def run_id(self) -> int | None:
        """The run of its newest tick."""
        return self.newest.run_id if self.newest else None

    @property
    def ended_at(self) -> datetime | None:
        """The newest due tick that has ended, also before the week."""
        return next((tick.due_at for tick in reversed(self.ticks) if not tick.is_open), None)

    @property
    def is_not_asked(self) -> bool:
        """Whether ticks of the week are over, and none of them was run."""
        ended = [one for one in self.in_week if not one.is_open]
        return bool(ended) and all(one.run_id is None for one in ended)

    @property
    def is_declared_before(self) -> bool:
        """Whether what is primary was written down before its first tick was begun."""
        return self.declaration.is_before_first_tick

    @property
    def earlier(self) -> str:
        """What its newest tick is compared with, in words: rarer ticks with the one before."""
        if not self.content:  # no run so far, and so nothing to compare
            return LAST_WEEK
        wait = longest_wait(self.content["schedule"]["cron"])
        return TICK_BEFORE if wait is None or wait > _WEEK else LAST_WEEK

    def number(self, due_at: datetime) -> int:
        """The number of a tick among those that were due, counted from 1."""
        return sum(tick.due_at <= due_at for tick in self.ticks)
