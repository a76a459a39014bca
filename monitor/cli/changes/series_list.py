"""The list of series: tables by system with small charts, and rows for JSON and CSV."""

import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from itertools import chain, groupby
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from rich import box
from rich.table import Table
from rich.text import Text

from monitor.cli.changes.series_show import LEGEND, interval, number, sparkline
from monitor.cli.console import broken, err, out, visible
from monitor.model import as_row
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
    GridTick,
    Series,
    SeriesHistory,
    SeriesSummary,
    SparklineTick,
)
from monitor.store.jobs.declarations import Invented
from monitor.text.counted_nouns import several

_COLUMNS = ("no.", "quantity", "ticks", "newest 20 ticks", "newest")
_LEAST = 80  # characters that every window has
_GAPS = 4  # between the columns
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
        own = list(group)
        shown, left = (own, Counter[str]()) if every else folded(own, summaries)
        rows = [_row(one, summaries.get(one.id), newest.get(one.id, ()), zone) for one in shown]
        rows += [
            _Row("", visible(quantity), "", "", f"{several(n, 'part')} without a value")
            for quantity, n in left.items()
        ]
        tables.append((own[0], rows))
        n_folded += left.total()
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
    remaining_ticks = room - no - ticks - chart - _GAPS
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
        cell = f"{cell.rstrip()}; not asked since {_date(summary.last_due_at, zone)}"
    return cell.rstrip()


def _date(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"


def left_out(count: int, *, is_empty: bool, n_folded: int = 0) -> str:
    """What is said of series that a list leaves out."""
    if n_folded:
        return f"{several(n_folded, 'series', 'series')} never had a value; --all lists each"
    if not count:
        return ""
    shown = "none over all questions; " if is_empty else ""
    verb = "is" if count == 1 else "are"
    return (
        f"{shown}{several(count, 'series', 'series')} over parts of the questions {verb} left out; "
        "--scopes lists them"
    )


_DIGITS = re.compile(r"(\d+)")


def system(one: Series) -> tuple[str, ...]:
    """What the series of one table have in common."""
    return (
        one.job, one.list, one.engine, one.surface, one.source_lang, one.target, one.measure,
        one.reference,
    )  # fmt: skip


def ordered(series: Sequence[Series], engines: KnownEngines) -> list[Series]:
    """Series of one system after the other, as they came; in each the primaries first."""

    def place(one: Series) -> tuple[Any, ...]:
        quantities = list_quantities(one.measure, engines[one.engine].kind)
        at = quantities.index(one.quantity) if one.quantity in quantities else len(quantities)
        return one.scope != ALL, at, one.quantity, _natural(one.scope)

    return [one for _, group in groupby(series, key=system) for one in sorted(group, key=place)]


def _natural(scope: str) -> list[tuple[int, str]]:
    """`stereotype:2` before `stereotype:10`."""
    return [(int(word), "") if word.isdecimal() else (0, word) for word in _DIGITS.split(scope)]


def folded(
    series: Sequence[Series], summaries: Mapping[int, SeriesSummary]
) -> tuple[list[Series], Counter[str]]:
    """(series of a system to be shown, how many parts never had a value, by quantity)."""
    shown: list[Series] = []
    left: Counter[str] = Counter()
    for one in series:
        summary = summaries.get(one.id)
        if one.scope != ALL and summary is not None and not summary.n_measured:
            left[one.quantity] += 1
        else:
            shown.append(one)
    return shown, left


# --- rows -----------------------------------------------------------------------------------------

#: What a summary lacks where its series was never asked on schedule.
_NEVER = {field.name: None for field in fields(SeriesSummary)} | {"n_ticks": 0, "n_measured": 0}


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a record holds
    """A value as JSON holds it: times as ISO 8601 in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def record(one: Any) -> dict[str, Any]:  # noqa: ANN401 - any record
    """A record as JSON holds it."""
    record: dict[str, Any] = plain(as_row(one))
    return record


def describe_history(history: SeriesHistory) -> dict[str, Any]:
    """All that is known of a series."""
    own = {signature.hash: signature.parts for signature in history.signatures}
    return {
        "series": record(history.series),
        "signature": {"hash": history.signature, "parts": plain(own.get(history.signature))},
        "other_signatures": [h for h in own if h != history.signature],
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
