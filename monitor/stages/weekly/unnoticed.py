"""Which changes could have been missed, and of which series nothing is known."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.change import Role
from monitor.model import State
from monitor.stages._report_text import number
from monitor.stages.document.records import Block, Items, Words
from monitor.stages.weekly import first, names
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.job_week import ENDED
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Why a change since last week is not known, in the order in which it is said.
_WHY = {
    "first": "with a first value",
    "no_tick": "whose job had no run in this week",
    "no_value": "without a value in the newest run",
    "no_earlier": "without a comparison to an earlier run",
    "no_change": "whose change could not be computed",
    "few_runs": "with too few runs to decide",
}


def content(
    week: Week,
    rows: Sequence[Row],
    changed: set[tuple[str, int]],
    effects: Mapping[int, float | None],
) -> list[Row]:
    """Return by primary quantity the largest change that could have been missed.

    `effects` are by series the smallest change that is found with a probability of 80 %; None where
    a series has too few runs. Series that changed are left out, and so are those that have ended.
    """
    ticked = {job.name for job in week.jobs if job.in_week}
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        is_left_out = (row["job"], row["series_id"]) in changed or row["state"] == ENDED
        if row["role"] != Role.PRIMARY or is_left_out:
            continue
        entry = found.setdefault(
            (row["measure"], row["title"]),
            {"measure": row["measure"], "title": row["title"], "label": row["label"],
             "n_compared": 0, "n_not": 0, "not": dict.fromkeys(_WHY, 0), "most": None,
             "system": ""},
        )  # fmt: skip
        most = effects.get(row["series_id"])
        why = why_unknown(row, has_tick=row["job"] in ticked) or (
            "" if most is not None else "few_runs"
        )
        if why or most is None:
            entry["n_not"] += 1
            entry["not"][why] += 1
            continue
        entry["n_compared"] += 1
        if entry["most"] is None or most > entry["most"]:
            entry |= {"most": most, "system": row["system"]}
    return list(found.values())


def why_unknown(row: Row, *, has_tick: bool) -> str:
    """Return why the change of a series since last week is not known, or nothing where it is."""
    week = row["week"]
    if not has_tick:
        return "no_tick"
    if row["state"] != State.MEASURED:
        return "no_value"
    if first.is_first(row):
        return "first"
    if week is None:
        return "no_earlier"
    return "no_change" if week["delta"] is None else ""


# --- printed --------------------------------------------------------------------------------------


def printed(unnoticed: Sequence[Row], earlier: str, *, beside: bool) -> list[Block]:
    """The largest changes that could have been missed, and of what they are not known."""
    known = [row for row in unnoticed if row["most"] is not None]
    others = "in the other series " if beside else ""
    blocks: list[Block] = []
    if known:
        said = [
            f"{row['label']}{_of(row['measure'])}: {number(row['most'])} ({row['system']}, "
            f"the largest of {several(row['n_compared'], 'series', 'series')})"
            for row in known
        ]
        blocks += [
            Words(
                f"Changes smaller than these could have been missed {others}".rstrip()
                + ". Larger ones are found with a probability of 80 %:"
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
    which = several(sum(counts.values()), "main series", "main series")
    return f"Whether {which} changed since {earlier} is not known: {', '.join(parts)}."


def _of(measure: str) -> str:
    chosen = names.chosen(measure)
    return f" of {chosen}" if chosen else ""
