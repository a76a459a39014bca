"""One series for people: its chart, its ticks, what changed, and what it was computed with."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from monitor.change import Contrast
from monitor.cli._console import out
from monitor.cli._series_chart import interval, number, plot
from monitor.cli._visible import visible
from monitor.model import State
from monitor.stages.change_wording import missing_words
from monitor.store.changes.series import (
    Comparison,
    GridTick,
    Series,
    SeriesChange,
    Signature,
    Switch,
)
from monitor.store.derive.stale_series import StaleSeries
from monitor.text.counted_nouns import several

_WIDTH = 80
_INDENT = " " * 20
_HEADER = "  due               value  95% interval      bounds            used of planned"


@dataclass(frozen=True, slots=True)
class Shown:
    """All that is known of one series, under one signature."""

    series: Series
    ticks: Sequence[GridTick]
    not_asked: Sequence[datetime]
    comparisons: Sequence[Comparison]
    changes: Sequence[SeriesChange]
    switches: Sequence[Switch]
    signatures: Sequence[Signature]
    signature: str  # hash
    standing: StaleSeries | None = None  # why its chart stands still, where it does


def print_series(shown: Shown, zone: ZoneInfo) -> None:
    """Print it; whatever was captured or named by others is shown by its codes."""
    for line in _lines(shown, zone):
        out.print(line, markup=False, soft_wrap=True)


def _lines(shown: Shown, zone: ZoneInfo) -> Iterator[str]:
    series = shown.series
    title = f" ({visible(series.scope_title)})" if series.scope_title else ""
    yield from _wrapped(f"series {series.id}: {visible(series)}{title}", "")
    yield f"key {series.key[:12]}"
    if not shown.ticks:
        yield from _wrapped(
            "no due tick: only scheduled runs are on the grid (monitor daemon); what a manual run "
            "measured is in its report (monitor report --run N)",
            "",
        )
        return
    yield ""
    yield from plot(shown.ticks, [one.changed_at for one in shown.changes], zone)
    yield ""
    yield _HEADER
    steps = {one.after_run_id: one for one in shown.comparisons if one.contrast is Contrast.STEP}
    marks = _marks(shown, zone)
    for tick in shown.ticks:
        yield from _tick(tick, zone, marks.get(tick.due_at, []), steps.get(tick.run_id or 0))
    yield ""
    yield from _wrapped(_counted(shown, zone), "")
    yield from _still(shown)
    yield from _other_switches(shown, zone)
    yield from _signature(shown)


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
    said = f"change {since}: {one.delta:+.3f} {interval(one.low, one.high)}{p}; {answers}"
    missing = missing_words(one.facts)
    return f"{said}. {missing}" if missing else said


def _p(value: float) -> str:
    least = 0.001
    return "< 0.001" if value < least else f"{value:.3f}"


def _marks(shown: Shown, zone: ZoneInfo) -> Mapping[datetime, list[str]]:
    """What is said beneath the tick that it belongs to: changes."""
    found: dict[datetime, list[str]] = {}
    for one in shown.changes:
        known = (
            f", known {_time(one.detected_at, zone)}" if one.detected_at > one.changed_at else ""
        )
        effect = "" if one.effect is None else f" {one.effect:+.3f} {interval(one.low, one.high)}"
        said = f": {one.sentence}" if one.sentence else ""
        text = f"{one.kind}{effect}, {one.status}, cause: {one.cause}{known}{said}"
        found.setdefault(one.changed_at, []).append(text)
    for switch in shown.switches:
        later = [tick.due_at for tick in shown.ticks if tick.due_at >= switch.switched_at]
        if later:
            found.setdefault(later[0], []).append(_switch(switch, zone))
    return found


def _switch(one: Switch, zone: ZoneInfo) -> str:
    before = f"from {one.before[:12]} " if one.before else ""
    return (
        f"signature {before}to {one.after[:12]} on {_time(one.switched_at, zone)}: the chart "
        "has values of the newer one only, no step of the chart comes from it"
    )


def _other_switches(shown: Shown, zone: ZoneInfo) -> Iterator[str]:
    """Switches that no tick stands after."""
    last = shown.ticks[-1].due_at
    for one in shown.switches:
        if one.switched_at > last:
            yield from _wrapped(_switch(one, zone), "  ", "")


def _counted(shown: Shown, zone: ZoneInfo) -> str:
    counts = {state: sum(tick.state is state for tick in shown.ticks) for state in State}
    text = f"{several(len(shown.ticks), 'due tick')}: " + ", ".join(
        f"{n:,} {state}" for state, n in counts.items()
    )
    last = shown.ticks[-1].due_at
    between = [due for due in shown.not_asked if due < last]
    if between:
        text += f"; {several(len(between), 'more tick')} of the job in between did not ask it"
    if any(due > last for due in shown.not_asked):
        text += f"; not asked since {_time(last, zone)}"
    return text


def _still(shown: Shown) -> Iterator[str]:
    """That newer ticks are not on the chart, why, and what is to be done about it."""
    if shown.standing is not None:
        from monitor.stages import supervise

        said = supervise.stood_still([shown.standing])
        text = f"this chart has {said}; remedy: {supervise.remedy([shown.standing])}"
        yield from _wrapped(visible(text), "  ", "")


def _signature(shown: Shown) -> Iterator[str]:
    for one in shown.signatures:
        if one.hash == shown.signature:
            yield f"signature {one.hash[:12]}:"
            for name, value in sorted(one.parts.items()):
                yield from _wrapped(visible(f"{name}: {value}"), "    ", "  ")
    others = [
        f"{s.hash[:12]} ({s.n_points:,})" for s in shown.signatures if s.hash != shown.signature
    ]
    if others:
        yield from _wrapped(
            f"other signatures (points): {', '.join(others)}; show one: --signature HASH", "  ", ""
        )
