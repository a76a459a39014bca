"""Reads all that is known of one series under one signature, for its pages and files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from monitor.change import Contrast
from monitor.stages import supervise
from monitor.store import runs, series, series_history
from monitor.store.database import Connection
from monitor.store.series import Series, Tick
from monitor.store.series_history import Changed, Comparison, Signature, Switch
from monitor.store.standing import standing
from monitor.web.site._about import About
from monitor.web.site._chart_series import Drawn


@dataclass(frozen=True, slots=True)
class Known:
    """One series under one signature; the ticks with the oldest first."""

    series: Series
    ticks: Sequence[Tick]
    not_asked: Sequence[datetime]
    comparisons: Sequence[Comparison]
    changes: Sequence[Changed]
    switches: Sequence[Switch]
    signatures: Sequence[Signature]
    signature: str
    still: str  # why the chart does not go on, where it does not
    undecided: str  # which of its ticks are not decided, where some are not

    def drawn(self, it: About, zone: ZoneInfo, chosen: Sequence[datetime] = ()) -> Drawn:
        """What its chart shows."""
        infinite = float("inf")
        ends = (
            -infinite if it.least is None else it.least, infinite if it.most is None else it.most
        )  # fmt: skip
        return Drawn(
            f"{it.title}{f' ({it.scope_title or it.scope})' if it.scope != series.ALL else ''}: "
            f"{it.system}",
            self.ticks, self.changes, self.switches, it.neutral, ends, zone, chosen,
        )  # fmt: skip


def read(connection: Connection, one: Series, beginning: str = "") -> Known:
    """All that is known of a series; `beginning` is that of another signature than it shows.

    Raises InvalidInput where no signature begins so, or several do.
    """
    known = series_history.known_signatures(connection, one.id)
    chosen = series_history.signature_of(one.id, known, beginning) if beginning else one.signature
    ticks = series.grid(connection, one.id, signature=chosen if chosen != one.signature else "")
    first, last = (ticks[0].due_at, ticks[-1].due_at) if ticks else (None, None)
    still = standing(connection, [one.id])
    times = {tick.due_at for tick in ticks if tick.run_id is not None}
    left = [run for run in runs.undecided(connection, one.job) if run.due_at in times]
    return Known(
        series=one,
        ticks=ticks,
        not_asked=series.not_asked(connection, ticks),
        comparisons=[
            step
            for step in series_history.compared(connection, [one.id])
            if step.signature == chosen
        ],
        changes=[
            change
            for change in series_history.changed(connection, [one.id])
            if first and last and first <= change.changed_at <= last
        ],
        switches=series_history.switched(connection, [one.id]),
        signatures=known,
        signature=chosen,
        still=f"{supervise.stood_still(still)}; remedy: {supervise.remedy(still)}" if still else "",
        undecided=supervise.undecided_ticks(left) if left else "",
    )


def steps(known: Known) -> dict[int, Comparison]:
    """{run: its comparison with the tick before}."""
    return {one.after_run_id: one for one in known.comparisons if one.contrast is Contrast.STEP}
