"""The list of series for people: system by system, with small charts and the newest value."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from rich import box
from rich.table import Table
from rich.text import Text

from monitor.cli._console import err, out
from monitor.cli._series_chart import LEGEND, interval, number, sparkline
from monitor.cli._visible import visible
from monitor.store.series import Mark, Series, Summary

_COLUMNS = ("no.", "quantity", "ticks", "newest 20 ticks", "newest")
#: With all other columns at their widest, 80 characters.
_LONGEST_NAME = 22


def print_list(
    series: Sequence[Series],
    summaries: Mapping[int, Summary],
    newest: Mapping[int, Sequence[Mark]],
    zone: ZoneInfo,
) -> None:
    """Print one table for each system."""
    for heading, some in groupby(series, key=_system):
        out.print()
        for line in textwrap.wrap(visible(heading), 80, break_long_words=False):
            out.print(Text(line, style="bold"), soft_wrap=True)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
        for name in _COLUMNS:
            table.add_column(
                name,
                justify="right" if name in ("no.", "ticks") else "left",
                no_wrap=name not in ("quantity", "newest"),
                max_width=_LONGEST_NAME if name == "quantity" else None,
                overflow="fold",
            )
        for one in some:
            summary = summaries.get(one.id)
            table.add_row(*_cells(one, summary, newest.get(one.id, ()), zone))
        out.print(table)
    err.print(LEGEND, style="dim", soft_wrap=True)


def _system(one: Series) -> str:
    against = f" against {one.reference}" if one.reference else ""
    return (
        f"{one.engine} ({one.surface}), {one.source_lang} to {one.target}: {one.list}, "
        f"{one.measure}{against}, job {one.job}"
    )


def _cells(
    one: Series, summary: Summary | None, marks: Sequence[Mark], zone: ZoneInfo
) -> Iterator[Text]:
    name = one.quantity if one.scope == "all" else f"{one.quantity} {one.scope}"
    yield Text(str(one.id))
    yield Text(visible(name))
    yield Text(f"{summary.n_ticks:,}" if summary else "0")
    yield Text(sparkline(marks))
    yield Text(_newest(summary, zone))


def _newest(summary: Summary | None, zone: ZoneInfo) -> str:
    if summary is None:
        return "no due tick"
    if summary.last_value is None:
        said = str(summary.last_state)
    else:
        said = f"{number(summary.last_value)} {interval(summary.last_low, summary.last_high)}"
    if not summary.is_asked:
        said = f"{said.rstrip()}; not asked since {_date(summary.last_due_at, zone)}"
    return said.rstrip()


def _date(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"


def left_out(count: int, *, is_empty: bool) -> str:
    """What is said of series that a list leaves out."""
    if not count:
        return ""
    shown = "none over all questions; " if is_empty else ""
    return f"{shown}{count:,} series over parts of the questions are left out; --scopes lists them"
