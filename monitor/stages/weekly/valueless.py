"""Series without a value at the newest tick: their states in, counts by reason and words out.

Series over all questions are told system by system. Those over parts of the questions are as many
as there are stereotypes and tags, so that they are told in one line a measure and kind of reason.
"""

import re
from collections.abc import Sequence
from typing import Any

from monitor.model import State
from monitor.stages.document.records import Block, Cell, Column, Fold, Group, Items, Table
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.job_week import ENDED
from monitor.stages.weekly.wording import brief
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Reasons that are listed at once; the JSON of the report has all.
_MOST = 30
#: `stereotype 3: 4 usable answers of 40 planned, floor 10`, and what of it is said of many parts.
_FEW = re.compile(
    r"(?:.*: )?[\d,.]+ (?P<what>[^\d:]+?) of [\d,.]+ planned(?P<rest> can be compared)?, "
    r"floor (?P<floor>[\d,.]+)",
    re.DOTALL,
)
#: `p_i is insufficient for stereotype 1, 2 (stereotype 1: 3 usable answers of 8 planned, floor 4)`.
_NEEDED = re.compile(r"\S+ is insufficient for .*", re.DOTALL)


def content(week: Week) -> Row:
    """Counts by system and reason (`series`), and of parts by measure and kind of reason (`parts`).

    Those over all questions as they stand on the grid, those of single stereotypes or tags by their
    points.
    """
    parts = [
        row | {"job": job.name} for job in week.jobs for row in job.points if row["scope"] != "all"
    ]
    return {"series": _by_reason(week.series, parts), "parts": _by_kind(_lacking(parts))}


def _lacking(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["state"] not in (State.MEASURED, ENDED)]


def _by_reason(series: Sequence[Row], parts: Sequence[Row]) -> list[Row]:
    found: dict[tuple[str, str, str, str], Row] = {}
    for rows, is_over_all in ((series, True), (parts, False)):
        for row in _lacking(rows):
            key = row["job"], names.system(row), row["state"], row["reason"]
            about = dict(zip(("job", "system", "state", "reason"), key, strict=True))
            entry = found.setdefault(key, about | {"n": 0, "n_over_all": 0})
            entry["n"] += 1
            entry["n_over_all"] += is_over_all
    return sorted(
        found.values(), key=lambda row: (-row["n"], row["job"], row["system"], row["reason"])
    )


def _by_kind(parts: Sequence[Row]) -> list[Row]:
    rows: dict[tuple[str, str, str], Row] = {}
    systems: dict[tuple[str, str, str], set[str]] = {}
    for row in parts:
        key = row["job"], row["measure"], kind_of(row["reason"])
        about = dict(zip(("job", "measure", "why"), key, strict=True))
        rows.setdefault(key, about | {"n": 0})["n"] += 1
        systems.setdefault(key, set()).add(names.system(row))
    some = [row | {"n_systems": len(systems[key])} for key, row in rows.items()]
    return sorted(some, key=lambda row: (-row["n"], row["job"], row["measure"], row["why"]))


def kind_of(reason: str) -> str:
    """A reason without the part that it is about and the numbers of that part alone.

    `fewer than 10 usable answers`; what is of no such kind stays as it is.
    """
    if _NEEDED.fullmatch(reason):
        return "too few answers in another part that they rest on"
    few = _FEW.fullmatch(reason)
    if few is None:
        return reason or "no reason is stored"
    rest = " that can be compared" if few["rest"] else ""
    return f"fewer than {few['floor']} {few['what']}{rest}"


# --- printed --------------------------------------------------------------------------------------


def printed(found: Row) -> list[Block]:
    """Series over all questions system by system; parts in a line each, with a list folded away.

    Series of jobs without a tick in the week are told of by their jobs.
    """
    without = set(found["without_tick"])
    first = [row for row in found["series"] if row["n_over_all"] and row["job"] not in without]
    caption = "Series without a value in the newest run, by reason"
    blocks: list[Block] = [_by_system(caption, first[:_MOST])] if first else []
    if first[_MOST:]:
        summary = f"{len(first) - _MOST:,} further reasons"
        blocks.append(Fold(summary, [_by_system(caption, first[_MOST:])]))
    return [*blocks, *_parts(found)]


def _parts(found: Row) -> list[Block]:
    kinds = found["parts"]
    if not kinds:
        return []
    blocks: list[Block] = [Items([_said(row) for row in kinds[:_MOST]])]
    if kinds[_MOST:]:
        summary = f"{len(kinds) - _MOST:,} further reasons of parts of the questions"
        blocks.append(Fold(summary, [Items([_said(row) for row in kinds[_MOST:]])]))
    n = several(sum(row["n"] for row in kinds), "series", "series")
    summary = f"{n} over parts of the questions alone without a value, by system and reason"
    rows = [row for row in found["series"] if row["n"] > row["n_over_all"]]
    return [*blocks, Fold(summary, [_by_system(summary, rows)])]


def _said(row: Row) -> str:
    """`412 series over parts ..., masculine_rate of job mt: fewer than 10 usable answers (...)`."""
    n = several(row["n"], "series", "series")
    systems = several(row["n_systems"], "system")
    return (
        f"{n} over parts of the questions alone, {row['measure']} of job {row['job']}: "
        f"{row['why']} ({systems})."
    )


def _by_system(caption: str, rows: Sequence[Row]) -> Table:
    columns = (Column("state"), Column("why", width=3.5), Column("over all", is_number=True),
               Column("over parts", is_number=True))  # fmt: skip
    grouped: dict[tuple[str, str], list[list[Cell]]] = {}
    for row in rows:
        cells = [
            Cell(row["state"]), Cell(brief(row["reason"]) or "no reason is stored"),
            Cell(f"{row['n_over_all']:,}"), Cell(f"{row['n'] - row['n_over_all']:,}"),
        ]  # fmt: skip
        grouped.setdefault((row["system"], row["job"]), []).append(cells)
    groups = [Group(f"{system}, job {job}", group) for (system, job), group in grouped.items()]
    return Table(caption, columns, groups)
