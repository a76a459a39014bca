"""Series with their first value: what is there, and how small a change can be found later.

The smallest change is that which is found with a probability of 80 % after a level of 12 ticks, as
`monitor plan` has it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from monitor.change import Contrast, Role
from monitor.jobs import ListUse, MeasureUse
from monitor.model import Kind, Measure, MonitorError, State
from monitor.names import format_name
from monitor.stages.changes import detectable_effects
from monitor.stages.changes.decisions import ALPHA
from monitor.stages.changes.detectable_effects import ASSUMED_FLIPS, POWERS, EffectRule
from monitor.stages.document.notation import number
from monitor.stages.document.records import Block, Cell, Column, Fold, Group, Table, Words
from monitor.stages.jobs import plan
from monitor.stages.reports import names
from monitor.stages.reports.cells import write_cell, write_quiet
from monitor.stages.reports.weekly.week import JobWeek, ReportedWeek
from monitor.store.changes.comparisons import AnswerFlips, SeriesName, count_flips
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Rows that are shown at once.
_UNFOLDED = 60
_POWER = POWERS[0]
_NOT_KNOWN = "the measure of then is not known to this version"
_TOO_FEW = "none is found: too many runs would be needed"
_HOW = {Contrast.DAYS: "a day apart", Contrast.MINUTES: "at once"}


def is_first(row: Row) -> bool:
    """Return whether a primary series has its first value, at the newest tick, and no change to it.

    Of another version of a list the chart begins anew, but what both versions ask is compared.
    """
    is_there = row["role"] == Role.PRIMARY and row["state"] == State.MEASURED
    earlier = (row["week"], row["first"])
    is_compared = any(entry is not None and entry["delta"] is not None for entry in earlier)
    return bool(is_there and row["n_measured"] == 1 and not is_compared)


def describe_first_values(
    connection: Connection, week: ReportedWeek, rows: Sequence[Row]
) -> list[Row]:
    """One row per primary series that `is_first` at the newest tick of its job."""
    all_rows: list[Row] = []
    for job in week.jobs:
        own_rows = [row for row in rows if row["job"] == job.name and is_first(row)]
        own_rows.sort(key=lambda row: names.rank_series(row, job.content))
        if own_rows:
            all_rows += _of_job(connection, week, job, own_rows, _tested_first(job, rows))
    return all_rows


def _tested_first(job: JobWeek, rows: Sequence[Row]) -> int:
    """Return how many series of a job are tested first, now."""
    own_rows = (row for row in rows if row["job"] == job.name and row["ended_at"] is None)
    return sum(row["role"] == Role.PRIMARY for row in own_rows)


def _of_job(
    connection: Connection, week: ReportedWeek, job: JobWeek, rows: Sequence[Row], n: int
) -> Iterator[Row]:
    share = (job.content.get("noise") or {}).get("share")
    how = detectable_effects.make_deciding(n, 2 if share == 1 else 1, alpha_of(job))
    flips = _pooled(count_flips(connection, job.name, week.until))
    rules = _FirstRules(connection, job)
    columns = ("series_id", "job", "list", "source_lang", "measure", "quantity", "reference",
            "kind", "system", "title", "label", "due_at", "value", "low", "high", "used", "planned",
            "point_id")  # fmt: skip
    for row in rows:
        seen = flips.get(_make_quantity(row))
        rule = rules.of(row)
        flipping = seen.changed / seen.n if seen else ASSUMED_FLIPS
        effects = {
            change.effect for change in detectable_effects.compute_changes(rule, flipping, how)
            if (change.claim, change.power) == ("list", _POWER)
        }  # fmt: skip
        least = next(iter(effects), None)
        reason = rule.reason or ("" if least is not None else _TOO_FEW)
        yield {name: row[name] for name in columns} | {
            "smallest": {
                "effect": least, "reason": reason, "power": _POWER,
                "ticks_before": how.ticks_before, "runs_needed": how.since,
                "series_tested": n, "questions": rule.probes, "flips": flipping,
                "flips_from": str(seen.contrast) if seen else "assumed",
                "flips_n": seen.n if seen else 0,
            }
        }  # fmt: skip


def alpha_of(job: JobWeek) -> float:
    """Return the level of all tests of a job together: the declared one, else 0.05."""
    return float(job.declaration.declared.get("alpha", ALPHA))


def _make_quantity(row: Row) -> tuple[str, ...]:
    return row["list"], row["source_lang"], row["measure"], row["quantity"], row["reference"]


def _pooled(
    flips: Mapping[SeriesName, AnswerFlips],
) -> dict[tuple[str, ...], AnswerFlips]:
    """{quantity: its flips over all systems}, of a day apart where any system has these."""
    answer_flips: dict[tuple[str, ...], AnswerFlips] = {}
    for name, flip in flips.items():
        key = name.list, name.source_lang, name.measure, name.quantity, name.reference
        before = answer_flips.get(key)
        if before is None or (before.contrast, flip.contrast) == (Contrast.MINUTES, Contrast.DAYS):
            answer_flips[key] = flip
        elif before.contrast == flip.contrast:
            answer_flips[key] = AnswerFlips(
                flip.contrast, before.changed + flip.changed, before.n + flip.n
            )
    return answer_flips


class _FirstRules:
    """Rules for changes of the series of one job, by the questions of its newest tick."""

    def __init__(self, connection: Connection, job: JobWeek) -> None:
        requested = (
            {} if job.run_id is None else declarations.read_run_items(connection, job.run_id)
        )
        uses = {use.name.split("@", 1)[0]: use for use in _read(job, "lists", ListUse)}
        self._items = {
            name: plan.draw_sample(items, uses[name])
            for name, items in requested.items()
            if name in uses
        }
        self._measures = {
            format_name(measure): measure
            for use in _read(job, "measures", MeasureUse)
            for measure in _configured(use)
        }
        self.of_quantity = cache(self._of_quantity)

    def of(self, row: Row) -> EffectRule:
        """The rule of a series; without one the reason says why."""
        if row["kind"] != Kind.MT:  # rules are about forms in translations
            return EffectRule(row["planned"] or 0, reason=detectable_effects.NO_FORMULA)
        return self.of_quantity(row["list"], row["source_lang"], row["measure"], row["quantity"])

    def _of_quantity(
        self, list_name: str, source_lang: str, measure: str, quantity: str
    ) -> EffectRule:
        measures = self._measures.get(measure)
        if measures is None:
            return EffectRule(0, reason=_NOT_KNOWN)
        items = [item for item in self._items.get(list_name, ()) if item.source_lang == source_lang]
        return detectable_effects.rule_of(measures, quantity, items)


def _read(job: JobWeek, table: str, model: type[Any]) -> Iterator[Any]:
    """The entries of a table of the job's content; without those of another version."""
    for use in job.content.get(table) or ():
        try:
            yield model.model_validate(use)
        except (ValidationError, MonitorError):
            continue


def _configured(use: MeasureUse) -> list[Measure]:
    try:
        return use.configure_for(Kind.MT)
    except MonitorError:
        return []


# --- printed --------------------------------------------------------------------------------------


def write_first_values(found: Sequence[Row]) -> list[Block]:
    """The first values in a table, with what it takes to find a change at the next tick."""
    if not found:
        return []
    columns = (
        Column("series", width=2.6),
        Column("first value [95 % interval]", is_number=True, width=1.4),
        Column("questions used", is_number=True),
        Column("smallest change that can be found", is_number=True, width=1.8),
    )  # fmt: skip
    grouped: dict[tuple[str, str, str], list[list[Cell]]] = {}
    for row in found:
        grouped.setdefault((row["job"], row["system"], row["list"]), []).append(_write_cells(row))
    groups = [
        Group(f"{system}, list {list_name}, job {job}", group)
        for (job, system, list_name), group in grouped.items()
    ]
    caption = "First values of main series, and how small a change could be found next time"
    table = Table(caption, columns, groups)
    if len(found) > _UNFOLDED:
        summary = f"First values of {several(len(found), 'main series', 'main series')}"
        return [Fold(summary, [table], is_printed=True), *_how(found)]
    return [table, *_how(found)]


def _write_cells(row: Row) -> list[Cell]:
    sign = names.find_quantity(row["measure"], row["quantity"], row["kind"]).is_signed
    parameters = names.say_parameters(row["measure"])
    used = f"{row['used']:,} of {row['planned']:,}" if row["planned"] is not None else "none"
    least = row["smallest"]
    effect = least["effect"]
    this_cell = write_quiet(least["reason"]) if effect is None else Cell(f"±{number(effect)}")
    return [Cell(row["label"], parameters), write_cell(row, sign), Cell(used), this_cell]


def _how(found: Sequence[Row]) -> list[Block]:
    """Return what the smallest changes rest on."""
    stored = [row["smallest"] for row in found if row["smallest"]["effect"] is not None]
    if not stored:
        text = "How small a change could be found is not known before there are answers of two runs"
        return [Words(f"{text}; “monitor plan” has the reasons.", "small")]
    flips = list(dict.fromkeys(_say_flips(item) for item in stored))
    ticks = stored[0]["ticks_before"]
    return [
        Words(
            f"Found with a probability of {_POWER:.0%}".replace("%", " %")
            + f" after a level of {ticks} runs, if every question can be used, and if "
            f"{'; or '.join(flips)} give another answer although nothing changed. “monitor plan” "
            "says how many runs decide.",
            "small",
        )
    ]


def _say_flips(one: Row) -> str:
    share = f"{100 * one['flips']:.1f} %".replace(".0 %", " %")
    if one["flips_from"] == "assumed":
        return f"{share} (assumed: not measured yet)"
    return f"{share} (seen {_HOW[one['flips_from']]} on {several(one['flips_n'], 'question')})"
