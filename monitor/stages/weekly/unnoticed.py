"""How much could have gone unnoticed, and of which series nothing is known: rows in, words out."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.change import Role
from monitor.model import State
from monitor.stages._report_text import number
from monitor.stages.weekly import first, names
from monitor.stages.weekly.document import Block, Items, Words
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.job_week import ENDED
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Why a change since last week is not known, in the order in which it is said.
_WHY = {
    "first": "with a first value",
    "no_tick": "whose job had no tick in this week",
    "no_value": "without a value at the newest tick",
    "no_earlier": "without a comparison to an earlier tick",
    "no_change": "whose change could not be computed",
    "no_interval": "whose change has no interval",
}


def content(week: Week, rows: Sequence[Row], changed: set[tuple[str, int]]) -> list[Row]:
    """Per primary quantity the furthest end of any interval of the change since last week.

    Of a job with rarer ticks it is that since the tick before.

    A true change of up to that size would not contradict what was seen. Series that are found to
    have changed are left out: theirs was noticed. So are those that have ended.
    """
    ticked = {job.name for job in week.jobs if job.in_week}
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        is_left_out = (row["job"], row["series_id"]) in changed or row["state"] == ENDED
        if row["role"] != Role.PRIMARY or is_left_out:
            continue
        entry = found.setdefault(
            (row["measure"], row["title"]),
            {"measure": row["measure"], "title": row["title"], "n_compared": 0, "n_not": 0,
             "not": dict.fromkeys(_WHY, 0), "most": None, "system": ""},
        )  # fmt: skip
        why = _why(row, has_tick=row["job"] in ticked)
        if why:
            entry["n_not"] += 1
            entry["not"][why] += 1
            continue
        entry["n_compared"] += 1
        most = max(abs(row["week"]["low"]), abs(row["week"]["high"]))
        if entry["most"] is None or most > entry["most"]:
            entry |= {"most": most, "system": row["system"]}
    return list(found.values())


def _why(row: Row, *, has_tick: bool) -> str:
    """Why the change of a series since last week is not known; empty where it is."""
    week = row["week"]
    if not has_tick:
        return "no_tick"
    if row["state"] != State.MEASURED:
        return "no_value"
    if first.is_first(row):
        return "first"
    if week is None:
        return "no_earlier"
    if week["delta"] is None:
        return "no_change"
    return "no_interval" if week["low"] is None else ""


# --- printed --------------------------------------------------------------------------------------


def printed(unnoticed: Sequence[Row], earlier: str, *, beside: bool) -> list[Block]:
    """How much could have gone unnoticed, quantity by quantity, and of what it is not known."""
    known = [row for row in unnoticed if row["most"] is not None]
    others = "in the other series " if beside else ""
    blocks: list[Block] = []
    if known:
        said = [
            f"{row['title']}{_of(row['measure'])}: up to {number(row['most'])} ({row['system']}, "
            f"the widest of {several(row['n_compared'], 'series', 'series')})"
            for row in known
        ]
        blocks += [
            Words(
                f"What could have gone unnoticed {others}since {earlier}, by the 95 % intervals "
                "of primary series; a change of this size would not contradict what was seen:"
            ),
            Items(said),
        ]
    lacking = silence(unnoticed, earlier)
    return [*blocks, Words(lacking, "small")] if lacking else blocks


def silence(unnoticed: Sequence[Row], earlier: str) -> str:
    """Of how many series no change since an earlier tick is known, and why; empty where of none."""
    counts: Mapping[str, int] = {
        why: sum(row["not"][why] for row in unnoticed) for why in _WHY if why != "first"
    }
    parts = [f"{n:,} {_WHY[why]}" for why, n in counts.items() if n]
    if not parts:
        return ""
    which = several(sum(counts.values()), "primary series", "primary series")
    return f"Whether {which} changed since {earlier} is not known: {', '.join(parts)}."


def _of(measure: str) -> str:
    chosen = names.chosen(measure)
    return f" of {chosen}" if chosen else ""
