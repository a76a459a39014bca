"""The systems of a week, each system and language once: changed, unchanged, or not checked.

These are what page one counts and what its tiles show. Control systems are not among them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from monitor.change import Role, Status
from monitor.model import Kind, Quantity, QuantityUnit, State
from monitor.stages import system_tiles
from monitor.stages.change_events import OUR_CAUSES, say_asked_in
from monitor.stages.refusals import is_deed, say_refusal
from monitor.stages.time_chart import say_gap
from monitor.stages.weekly import names, unnoticed
from monitor.stages.weekly.gather import Week
from monitor.text.quantity_values import say_size

Row = dict[str, Any]
#: Job, engine, and both languages; of a search engine its region.
SystemKey = tuple[str, int, str, str]

#: Units that are drawn on one scale: percent, and points of them.
PERCENT = frozenset({QuantityUnit.SHARE, QuantityUnit.DIFFERENCE})
_NO_RANK = 99
_LONGEST_NAME = 48
_WHY = {
    "no_tick": "not asked this week",
    "first": "first value, nothing to compare it with",
    "no_earlier": "no earlier run to compare with",
    "no_change": "answers that cannot be compared",
    "few_runs": "too few runs so far",
}
_FEW_SINCE = "too few runs since its last change"
_NOT_COMPARED = "not compared yet"


class Check(StrEnum):
    """What the week says of a system."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    NOT_CHECKED = "not checked"


def key(row: Mapping[str, Any]) -> SystemKey:
    """Return the system and language that a series or a change is about."""
    return row["job"], row["engine_id"], row["source_lang"], row["target"]


def content(
    week: Week,
    rows: Sequence[Row],
    confirmed: Sequence[Row],
    effects: Mapping[int, float | None],
    endings: Sequence[Row],
) -> list[Row]:
    """Return one row per system and language; `confirmed` are the confirmed changes of the week.

    A system whose numbers moved by a change on our own side is not checked. `effects` are the
    smallest changes that are found, by series. `endings` say what became of the week's questions.
    """
    by_system: dict[SystemKey, list[Row]] = {}
    for row in sorted(rows, key=lambda row: names.place(row, week.job(row["job"]).content)):
        if row["role"] == Role.PRIMARY and row["ended_at"] is None:
            by_system.setdefault(key(row), []).append(row)
    changed = {key(change): OUR_CAUSES.get(change["cause"], "") for change in confirmed}
    changed |= {key(change): "" for change in confirmed if change["cause"] not in OUR_CAUSES}
    by_engine: dict[int, list[Row]] = {}
    for row in endings:
        by_engine.setdefault(row["id"], []).append(row)
    refusals = {engine: say_refusal(group) for engine, group in by_engine.items()}
    counted = [
        _system(week, group, changed.get(system), effects, refusals)
        for system, group in by_system.items()
    ]
    order = list(Check)
    return sorted(
        counted, key=lambda row: (order.index(row["check"]), row["system"], row["asked_in"])
    )


def _system(
    week: Week,
    rows: Sequence[Row],
    our_cause: str | None,
    effects: Mapping[int, float | None],
    refusals: Mapping[int, str],
) -> Row:
    """Return a system; `our_cause` is what changed on our side, None where nothing changed."""
    row = min(rows, key=_prominence)
    is_changed = our_cause == ""
    reason = _reason(week, row, effects, refusals) if our_cause is None else our_cause
    check = Check.CHANGED if is_changed else Check.NOT_CHECKED if reason else Check.UNCHANGED
    kept = ("job", "engine", "series_id", "measure", "quantity", "kind", "state", "due_at",
            "value", "low", "high")  # fmt: skip
    return {name: row[name] for name in kept} | {
        "system": week.engine_title(row["engine"]),
        "asked_in": say_asked_in([(row["source_lang"], row["target"])], Kind(row["kind"])),
        "check": check,
        "reason": reason,
        "last_change": _last_change(week, row),
        "undecided": _undecided(week, row),
        "smallest": _smallest(week, row, rows, effects) if check is Check.UNCHANGED else None,
    }


def quantity(row: Mapping[str, Any]) -> Quantity:
    """Return the quantity that stands for a system."""
    return names.about(row["measure"], row["quantity"], row["kind"])


def _prominence(row: Row) -> tuple[object, ...]:
    """Order quantities: what is said in percent first, then by their rank in headlines."""
    meaning = quantity(row).meaning
    return meaning.unit not in PERCENT, meaning.rank or _NO_RANK


def _reason(
    week: Week, row: Row, effects: Mapping[int, float | None], refusals: Mapping[int, str]
) -> str:
    """Return why it is not known whether a system changed; empty where it is."""
    why = unnoticed.why_unknown(row, has_tick=bool(week.job(row["job"]).in_week))
    if why == "no_value":
        gap = say_gap(State(row["state"]), row["reason"])
        return refusals.get(row["engine_id"]) or gap
    if why:
        return _WHY[why]
    tests = [look for look in week.looks if look["job"] == row["job"]]
    if not tests:
        return _NOT_COMPARED
    is_tested = any(look["p"] is not None for look in tests)
    if is_tested and effects.get(row["series_id"]) is not None:
        return ""
    return _FEW_SINCE if _last_change(week, row) else _WHY["few_runs"]


def _last_change(week: Week, row: Row) -> datetime | None:
    """Return since when a system is as it is, as far as a confirmed change says so."""
    confirmed = (
        change["changed_at"] for change in week.changes
        if key(change) == key(row)
        and change["status"] == Status.CONFIRMED
        and change["cause"] not in OUR_CAUSES
    )  # fmt: skip
    return max(confirmed, default=None)


def _undecided(week: Week, row: Row) -> datetime | None:
    """Return since when a system may have changed, where more runs have to decide that."""
    last = _last_change(week, row)
    candidates = (
        change["changed_at"] for change in week.changes
        if key(change) == key(row) and change["status"] == Status.CANDIDATE
        and (last is None or change["changed_at"] > last)
    )  # fmt: skip
    return max(candidates, default=None)


def _smallest(
    week: Week, shown: Row, rows: Sequence[Row], effects: Mapping[int, float | None]
) -> float | None:
    """Return the largest change of a system that could have been missed, in the unit of its tile.

    Of all its tested quantities in percent or points; else of the one that is shown.
    """
    is_percent = quantity(shown).meaning.unit in PERCENT
    alike = [
        row for row in rows
        if (quantity(row).meaning.unit in PERCENT if is_percent else row is shown)
        and not unnoticed.why_unknown(row, has_tick=bool(week.job(row["job"]).in_week))
    ]  # fmt: skip
    sizes = [size for row in alike if (size := effects.get(row["series_id"])) is not None]
    return max(sizes, default=None)


def say_reason(row: Row) -> str:
    """Return `Search B refused our questions`, or `Search B: too few answers`."""
    return f"{say_system(row)}{' ' if is_deed(row['reason']) else ': '}{row['reason']}"


def say_system(row: Row) -> str:
    """Return what a system is called, in a line."""
    name = str(row["system"])
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def say_missed(rows: Sequence[Row]) -> str:
    """Return `changes smaller than 20 points could have been missed`; empty where none is known."""
    largest: dict[str, tuple[QuantityUnit, float]] = {}
    for row in rows:
        meaning = quantity(row).meaning
        label = "" if meaning.unit in PERCENT else f" ({meaning.label})"
        if row["smallest"] is not None:
            _, before = largest.get(label, (meaning.unit, 0.0))
            largest[label] = meaning.unit, max(before, row["smallest"])
    sizes = [f"{say_size(unit, size)}{label}" for label, (unit, size) in sorted(largest.items())]
    return system_tiles.say_missed(" or ".join(sizes)) if sizes else ""
