"""One series for people: its chart, its ticks, what changed, and what it was computed with."""

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from monitor.cli.console import say, visible
from monitor.model import State
from monitor.stages.changes import statements
from monitor.stages.changes.statements import missing_words
from monitor.store.changes.series import (
    Comparison,
    GridTick,
    SeriesHistory,
    SparklineTick,
    Switch,
)
from monitor.text.counted_nouns import several

_WIDTH = 80
_INDENT = " " * 20
_HEADER = "  due               value  95% interval      bounds            used of planned"


def print_series(history: SeriesHistory, zone: ZoneInfo) -> None:
    """Print it; whatever was captured or named by others is shown by its codes."""
    for line in _lines(history, zone):
        say(line)


def _lines(history: SeriesHistory, zone: ZoneInfo) -> Iterator[str]:
    series = history.series
    title = f" ({visible(series.scope_title)})" if series.scope_title else ""
    yield from _wrapped(f"series {series.id}: {visible(series)}{title}", "")
    yield f"key {series.key[:12]}"
    if not history.ticks:
        yield from _wrapped(
            "no due tick: only scheduled runs are on the grid (monitor daemon); what a manual run "
            "measured is in its report (monitor report --run N)",
            "",
        )
        return
    yield ""
    yield from plot(history.ticks, [change.changed_at for change in history.changes], zone)
    yield ""
    yield _HEADER
    steps, marks = history.steps, _marks(history, zone)
    for tick in history.ticks:
        yield from _tick(tick, zone, marks.get(tick.due_at, []), steps.get(tick.run_id or 0))
    yield ""
    yield from _wrapped(_counted(history, zone), "")
    yield from _still(history)
    yield from _other_switches(history, zone)
    yield from _signature(history)


def _wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _time(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def _tick(
    tick: GridTick, zone: ZoneInfo, marks: Sequence[str], step: Comparison | None
) -> Iterator[str]:
    sign = "*" if marks else " "
    due = f"{sign} {_time(tick.due_at, zone)}"
    if tick.value is None:
        yield from _wrapped(visible(f"{tick.state}: {tick.reason}"), _INDENT, f"{due}  ")
    else:
        counts = f"{tick.used:,} of {tick.planned:,}" if tick.planned is not None else ""
        bounds = interval(tick.bound_low, tick.bound_high)
        inside = interval(tick.low, tick.high)
        yield f"{due} {number(tick.value):>6}  {inside:<16}  {bounds:<16}  {counts}".rstrip()
    if step is not None:
        yield from _wrapped(_step(step, zone), _INDENT + "  ", _INDENT)
    for mark in marks:
        yield from _wrapped(visible(mark), _INDENT + "  ", _INDENT)


def _step(one: Comparison, zone: ZoneInfo) -> str:
    since = f"since {_time(one.before_due_at, zone)[:10]}"
    if one.delta is None:
        return visible(f"change {since} cannot be said: {one.reason}")
    p = "" if one.p is None else f", p {_p(one.p)}"
    answers = f"{one.changed:,} of {several(one.n, 'question')} with another answer"
    words = f"change {since}: {one.delta:+.3f} {interval(one.low, one.high)}{p}; {answers}"
    missing = missing_words(one.facts)
    return f"{words}. {missing}" if missing else words


def _p(value: float) -> str:
    least = 0.001
    return "< 0.001" if value < least else f"{value:.3f}"


def _marks(history: SeriesHistory, zone: ZoneInfo) -> Mapping[datetime, list[str]]:
    """What is said beneath the tick that it belongs to: changes."""
    marks: dict[datetime, list[str]] = {}
    for change in history.changes:
        known = (
            f", known {_time(change.detected_at, zone)}"
            if change.detected_at > change.changed_at
            else ""
        )
        effect = (
            ""
            if change.effect is None
            else f" {change.effect:+.3f} {interval(change.low, change.high)}"
        )
        statement = f": {change.sentence}" if change.sentence else ""
        cause = f"cause: {statements.CAUSE[change.cause]}"
        text = f"{change.kind}{effect}, {change.status}, {cause}{known}{statement}"
        marks.setdefault(change.changed_at, []).append(text)
    for switch in history.switches:
        later = [tick.due_at for tick in history.ticks if tick.due_at >= switch.switched_at]
        if later:
            marks.setdefault(later[0], []).append(_switch(switch, zone))
    return marks


def _switch(one: Switch, zone: ZoneInfo) -> str:
    before = f"from {one.before[:12]} " if one.before else ""
    return (
        f"signature {before}to {one.after[:12]} on {_time(one.switched_at, zone)}: the chart "
        "has values of the newer one only, no step of the chart comes from it"
    )


def _other_switches(history: SeriesHistory, zone: ZoneInfo) -> Iterator[str]:
    """Switches that no tick stands after."""
    last = history.ticks[-1].due_at
    for switch in history.switches:
        if switch.switched_at > last:
            yield from _wrapped(_switch(switch, zone), "  ", "")


def _counted(history: SeriesHistory, zone: ZoneInfo) -> str:
    counts = {state: sum(tick.state is state for tick in history.ticks) for state in State}
    text = f"{several(len(history.ticks), 'due tick')}: " + ", ".join(
        f"{n:,} {state}" for state, n in counts.items()
    )
    last = history.ticks[-1].due_at
    between = [due for due in history.not_asked if due < last]
    if between:
        text += f"; {several(len(between), 'more tick')} of the job in between did not ask it"
    if any(due > last for due in history.not_asked):
        text += f"; not asked since {_time(last, zone)}"
    return text


def _still(history: SeriesHistory) -> Iterator[str]:
    """That newer ticks are not on the chart, why, and what is to be done about it."""
    if history.stale:
        from monitor.stages import alarm_rules

        alarm_words = alarm_rules.stood_still(history.stale[:1])
        text = f"this chart has {alarm_words}; remedy: {alarm_rules.say_remedy(history.stale[:1])}"
        yield from _wrapped(visible(text), "  ", "")


def _signature(history: SeriesHistory) -> Iterator[str]:
    for signature in history.signatures:
        if signature.hash == history.signature:
            yield f"signature {signature.hash[:12]}:"
            for name, value in sorted(signature.parts.items()):
                yield from _wrapped(visible(f"{name}: {value}"), "    ", "  ")
    others = [
        f"{s.hash[:12]} ({s.n_points:,})" for s in history.signatures if s.hash != history.signature
    ]
    if others:
        yield from _wrapped(
            f"other signatures (points): {', '.join(others)}; show one: --signature HASH", "  ", ""
        )


_BARS = "▁▂▃▄▅▆▇█"
_GAPS = {State.INSUFFICIENT: "·", State.MISSED: "×"}
#: What stands where, beneath charts.
LEGEND = "· no value, × missed; each line has a scale of its own"

_HEIGHT = 9
_MOST = 66  # ticks beside the axis on 80 columns
_LEAST_PLAIN = 0.01  # smaller numbers keep two digits that count
#: What is left of a 0 after sums of binary fractions.
_ROUNDING = 1e-12


def number(value: float) -> str:
    """A number with three decimals, or two digits that count where those would all be 0."""
    return f"{value:.2g}" if _ROUNDING < abs(value) < _LEAST_PLAIN else f"{value:z.3f}"


def interval(low: float | None, high: float | None) -> str:
    """`[0.410, 0.512]`; empty where there is none."""
    return "" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def sparkline(marks: Iterable[SparklineTick]) -> str:
    """One character for each tick: a bar between the lowest and the highest value, or a gap."""
    marks = list(marks)
    values = [v for one in marks if (v := _drawn(one.value)) is not None]
    low, span = (min(values), max(values) - min(values)) if values else (0.0, 0.0)

    def bar(value: float) -> str:
        place = (value - low) / span if span else 0.5
        return _BARS[min(int(place * len(_BARS)), len(_BARS) - 1)]

    return "".join(
        _GAPS.get(one.state, "·") if (v := _drawn(one.value)) is None else bar(v) for one in marks
    )


def _drawn(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def plot(ticks: Sequence[GridTick], changed: Iterable[datetime], zone: ZoneInfo) -> list[str]:
    """The newest ticks as points with their intervals; beneath them gaps and changes.

    `changed` are the due times at which a change begins.
    """
    ticks = ticks[-_MOST:]
    drawn = [
        v
        for grid_tick in ticks
        for number_ in (grid_tick.value, grid_tick.low, grid_tick.high)
        if grid_tick.value is not None and (v := _drawn(number_)) is not None
    ]
    if not drawn:
        return ["no tick was measured: there is nothing to draw"]
    low, high = min(drawn), max(drawn)
    if low == high:
        pad = abs(low) / 10 or 0.1
        low, high = low - pad, high + pad
    columns = [_column(grid_tick, low, high) for grid_tick in ticks]
    lines = []
    for row in range(_HEIGHT):
        at = high - (high - low) * row / (_HEIGHT - 1)
        label = number(at) if row % 4 == 0 else ""
        lines.append(f"{label:>9} ┤{''.join(column[row] for column in columns)}".rstrip())
    starts = set(changed)
    below = "".join(
        "▲" if grid_tick.due_at in starts else _GAPS.get(grid_tick.state, " ")
        for grid_tick in ticks
    )
    lines.append(f"{'':>9}  {below}".rstrip())
    first, last = (f"{one.due_at.astimezone(zone):%Y-%m-%d}" for one in (ticks[0], ticks[-1]))
    dates = first if len(ticks) == 1 else f"{first}{last:>{max(len(ticks) - len(first), 12)}}"
    return [line for line in [*lines, f"{'':>9}  {dates}"] if line.strip()]


def _column(tick: GridTick, low: float, high: float) -> list[str]:
    """One tick from top to bottom."""
    cells = [" "] * _HEIGHT
    value = _drawn(tick.value)
    if value is None:
        return cells

    def row(at: float) -> int:
        return round((high - at) / (high - low) * (_HEIGHT - 1))

    lower, upper = _drawn(tick.low), _drawn(tick.high)
    if lower is not None and upper is not None:
        for index in range(row(upper), row(lower) + 1):
            cells[index] = "│"
    cells[row(value)] = "●"
    return cells
