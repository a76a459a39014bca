"""Series on the terminal: tables by system with small charts, one with its ticks, and rows."""

import math
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from itertools import chain, groupby
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from rich import box
from rich.table import Table
from rich.text import Text

from monitor.cli.console import broken, err, out, say, visible
from monitor.model import State, as_row
from monitor.stages.changes import statements
from monitor.stages.changes.statements import missing_words
from monitor.stages.document import data
from monitor.stages.reports.names import (
    KnownEngine,
    KnownEngines,
    list_quantities,
    pair_words,
    subject_columns,
    title_measure,
)
from monitor.store.changes.series import (
    ALL,
    Comparison,
    GridTick,
    Series,
    SeriesHistory,
    SeriesSummary,
    SparklineTick,
    Switch,
)
from monitor.store.jobs.declarations import Invented
from monitor.text.counted_nouns import several

_COLUMNS = ("no.", "quantity", "ticks", "newest 20 ticks", "newest")
_LEAST = 80  # characters that every window has
_BETWEEN = 4  # between the columns
#: Where a window is narrow, values keep so much room and names give way.
_LEAST_NEWEST = 24
_LEAST_NAME = 16


class _Row(NamedTuple):
    no: str
    name: str
    ticks: str
    chart: str
    newest: str


def print_list(
    series: Sequence[Series],
    engines: KnownEngines,
    summaries: Mapping[int, SeriesSummary],
    newest: Mapping[int, Sequence[SparklineTick]],
    zone: ZoneInfo,
    *,
    every: bool = True,
) -> int:
    """Print one table for each system; returns how many series it leaves out.

    Without `every`, parts of the questions that never had a value are one line for each quantity.
    """
    tables: list[tuple[Series, list[_Row]]] = []
    n_folded = 0
    for _, group in groupby(series, key=system):
        system_series = list(group)
        listed, n_left_out = (
            (system_series, Counter[str]()) if every else folded(system_series, summaries)
        )
        rows = [
            _row(
                listed_series,
                summaries.get(listed_series.id),
                newest.get(listed_series.id, ()),
                zone,
            )
            for listed_series in listed
        ]
        rows += [
            _Row("", visible(quantity), "", "", f"{several(n, 'part')} without a value")
            for quantity, n in n_left_out.items()
        ]
        tables.append((system_series[0], rows))
        n_folded += n_left_out.total()
    widths = _widths([row for _, rows in tables for row in rows], max(out.width, _LEAST))
    for first, rows in tables:
        _print_table(_system(first, engines[first.engine]), rows, widths)
    err.print(LEGEND, style="dim", soft_wrap=True)
    return n_folded


def _row(
    one: Series, summary: SeriesSummary | None, marks: Sequence[SparklineTick], zone: ZoneInfo
) -> _Row:
    name = one.quantity if one.scope == ALL else f"{one.quantity} {one.scope}"
    ticks = f"{summary.n_ticks:,}" if summary else "0"
    return _Row(str(one.id), visible(name), ticks, sparkline(marks), _newest(summary, zone))


def _widths(rows: Sequence[_Row], room: int) -> tuple[int, ...]:
    """Characters of each column, the same in all tables; names and the newest give way."""
    longest = [
        max([len(title), *(len(row[index]) for row in rows)])
        for index, title in enumerate(_COLUMNS)
    ]
    no, name, ticks, chart, newest = longest
    remaining_ticks = room - no - ticks - chart - _BETWEEN
    words = [len(word) for row in rows for word in row.newest.split()]
    least = max([*words, min(newest, _LEAST_NEWEST)])
    name = max(min(name, remaining_ticks - least), _LEAST_NAME)
    return (
        no,
        name,
        ticks,
        chart,
        max(min(newest, remaining_ticks - name), *words, len(_COLUMNS[-1])),
    )


def _print_table(title: str, rows: Sequence[_Row], widths: Sequence[int]) -> None:
    out.print()
    wide = max(out.width, _LEAST)
    heading = textwrap.wrap(visible(title), wide, break_long_words=False, break_on_hyphens=False)
    for line in heading:
        out.print(Text(line, style="bold"), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    for name, width in zip(_COLUMNS, widths, strict=True):
        justify = "right" if name in ("no.", "ticks") else "left"
        table.add_column(name, justify=justify, width=width, no_wrap=name == "newest 20 ticks")  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*(Text(cell) for cell in row._replace(name=broken(row.name, widths[1]))))
    out.print(table)


def _system(one: Series, engine: KnownEngine) -> str:
    against = f" against {one.reference}" if one.reference else ""
    pair = pair_words(one.source_lang, one.target, engine.kind)
    measure = title_measure(one.measure, engine.kind)
    return f"{engine.title} ({one.surface}), {pair}: {one.list}, {measure}{against}, job {one.job}"


def _newest(summary: SeriesSummary | None, zone: ZoneInfo) -> str:
    if summary is None:
        return "no due tick"
    if summary.last_value is None:
        cell = str(summary.last_state)
    else:
        cell = f"{number(summary.last_value)} {interval(summary.last_low, summary.last_high)}"
    if not summary.is_asked:
        cell = f"{cell.rstrip()}; not asked since {_time(summary.last_due_at, zone)[:10]}"
    return cell.rstrip()


def left_out(count: int, *, is_empty: bool, n_folded: int = 0) -> str:
    """Return a sentence about the series that a list leaves out."""
    if n_folded:
        return f"{several(n_folded, 'series', 'series')} never had a value; --all lists each"
    if not count:
        return ""
    intro = "none over all questions; " if is_empty else ""
    verb = "is" if count == 1 else "are"
    return (
        f"{intro}{several(count, 'series', 'series')} over parts of the questions {verb} left out; "
        "--scopes lists them"
    )


_DIGITS = re.compile(r"(\d+)")


def system(one: Series) -> tuple[str, ...]:
    """Return the fields that the series of one table have in common."""
    return (
        one.job, one.list, one.engine, one.surface, one.source_lang, one.target, one.measure,
        one.reference,
    )  # fmt: skip


def ordered(series: Sequence[Series], engines: KnownEngines) -> list[Series]:
    """Series of one system after the other, as they came; in each the primaries first."""

    def place(one: Series) -> tuple[Any, ...]:
        quantities = list_quantities(one.measure, engines[one.engine].kind)
        position = quantities.index(one.quantity) if one.quantity in quantities else len(quantities)
        return one.scope != ALL, position, one.quantity, _natural(one.scope)

    return [one for _, group in groupby(series, key=system) for one in sorted(group, key=place)]


def _natural(scope: str) -> list[tuple[int, str]]:
    """`stereotype:2` before `stereotype:10`."""
    return [(int(word), "") if word.isdecimal() else (0, word) for word in _DIGITS.split(scope)]


def folded(
    series: Sequence[Series], summaries: Mapping[int, SeriesSummary]
) -> tuple[list[Series], Counter[str]]:
    """(series of a system to be shown, how many parts never had a value, by quantity)."""
    unfolded: list[Series] = []
    n_folded: Counter[str] = Counter()
    for each_series in series:
        summary = summaries.get(each_series.id)
        if each_series.scope != ALL and summary is not None and not summary.n_measured:
            n_folded[each_series.quantity] += 1
        else:
            unfolded.append(each_series)
    return unfolded, n_folded


# --- rows -----------------------------------------------------------------------------------------

#: What a summary lacks where its series was never asked on schedule.
_NEVER = {field.name: None for field in fields(SeriesSummary)} | {"n_ticks": 0, "n_measured": 0}


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a record holds
    """A value as JSON holds it: times as ISO 8601 in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def record(one: Any) -> dict[str, Any]:  # noqa: ANN401 - any record
    """A record as JSON holds it."""
    record: dict[str, Any] = plain(as_row(one))
    return record


def describe_history(history: SeriesHistory) -> dict[str, Any]:
    """All that is known of a series."""
    parts_by_hash = {signature.hash: signature.parts for signature in history.signatures}
    return {
        "series": record(history.series),
        "signature": {
            "hash": history.signature,
            "parts": plain(parts_by_hash.get(history.signature)),
        },
        "other_signatures": [h for h in parts_by_hash if h != history.signature],
        "ticks": [record(tick) for tick in history.ticks],
        "not_asked": plain(history.not_asked),
        "comparisons": [record(comparison) for comparison in history.comparisons],
        "changes": [record(change) for change in history.changes],
        "switches": [record(switch) for switch in history.switches],
        "stands_still": record(history.stale[0]) if history.stale else None,
    }


def list_rows(
    series: Sequence[Series],
    engines: KnownEngines,
    summaries: Mapping[int, SeriesSummary],
    newest: Mapping[int, Sequence[SparklineTick]],
) -> list[dict[str, Any]]:
    """Each series with how much of it was measured, its newest tick, and the newest few of them."""
    listed = []
    for one in series:
        summary = summaries.get(one.id)
        numbers = as_row(summary) if summary else _NEVER
        row = {"series_id": one.id, "key": one.key} | as_row(one) | {"job_begun": one.job}
        if summary:
            row["job"] = summary.job
        engine = engines[one.engine]
        row |= subject_columns(row | {"kind": engine.kind, "engine_title": engine.title})
        rest = {name: value for name, value in numbers.items() if name not in row}
        marks = [[mark.due_at, mark.state, mark.value] for mark in newest.get(one.id, ())]
        del row["id"]
        listed.append(plain(row | rest | {"newest": marks}))
    return listed


def write_csv(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str], invented: Invented
) -> None:
    """Write rows to standard output, as `data.write_csv` does.

    A last column says that data are invented, where they are.
    """
    cells = ([row[name] for name in columns] for row in rows)
    data.write_csv(sys.stdout, invented.marked(chain([columns], cells)))


TICK_COLUMNS = [field.name for field in fields(GridTick)]


LIST_COLUMNS = [
    "series_id", "job", "list", "engine", "surface", "source_lang", "target", "measure",
    "quantity", "reference", "scope", "scope_title", "signature", "n_ticks", "n_measured",
    "first_due_at", "last_due_at", "is_asked", "last_state", "last_reason", "last_value",
    "last_low", "last_high", "system", "label",
]  # fmt: skip


# --- one series -----------------------------------------------------------------------------------

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
    """Return {due time of a tick: lines about changes}."""
    marks: dict[datetime, list[str]] = {}
    for change in history.changes:
        known_words = (
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
        text = f"{change.kind}{effect}, {change.status}, {cause}{known_words}{statement}"
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
    other_hashes = [
        f"{s.hash[:12]} ({s.n_points:,})" for s in history.signatures if s.hash != history.signature
    ]
    if other_hashes:
        yield from _wrapped(
            f"other signatures (points): {', '.join(other_hashes)}; show one: --signature HASH",
            "  ",
            "",
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
    values = [v for mark in marks if (v := _drawn(mark.value)) is not None]
    low, span = (min(values), max(values) - min(values)) if values else (0.0, 0.0)

    def bar(value: float) -> str:
        share_of_span = (value - low) / span if span else 0.5
        return _BARS[min(int(share_of_span * len(_BARS)), len(_BARS) - 1)]

    return "".join(
        _GAPS.get(mark.state, "·") if (v := _drawn(mark.value)) is None else bar(v)
        for mark in marks
    )


def _drawn(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def plot(ticks: Sequence[GridTick], changed: Iterable[datetime], zone: ZoneInfo) -> list[str]:
    """The newest ticks as points with their intervals; beneath them gaps and changes.

    `changed` are the due times at which a change begins.
    """
    ticks = ticks[-_MOST:]
    drawn_values = [
        v
        for grid_tick in ticks
        for number_ in (grid_tick.value, grid_tick.low, grid_tick.high)
        if grid_tick.value is not None and (v := _drawn(number_)) is not None
    ]
    if not drawn_values:
        return ["no tick was measured: there is nothing to draw"]
    low, high = min(drawn_values), max(drawn_values)
    if low == high:
        pad = abs(low) / 10 or 0.1
        low, high = low - pad, high + pad
    columns = [_column(grid_tick, low, high) for grid_tick in ticks]
    lines = []
    for row in range(_HEIGHT):
        height = high - (high - low) * row / (_HEIGHT - 1)
        label = number(height) if row % 4 == 0 else ""
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
