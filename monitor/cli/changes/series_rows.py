"""Series as JSON and as CSV, with times in UTC and no number where there is none."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from monitor.stages.document import data
from monitor.stages.reports.names import KnownEngines
from monitor.stages.reports.series_text import subject_columns
from monitor.store.changes.series import GridTick, Series, as_row
from monitor.store.changes.series_summaries import SeriesSummary, SparklineTick
from monitor.store.jobs.declarations import Invented

if TYPE_CHECKING:
    from monitor.cli.changes.series_show import Shown


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


def shown_as_json(shown: "Shown") -> dict[str, Any]:
    """All that is known of a series."""
    own = {signature.hash: signature.parts for signature in shown.signatures}
    return {
        "series": record(shown.series),
        "signature": {"hash": shown.signature, "parts": plain(own.get(shown.signature))},
        "other_signatures": [h for h in own if h != shown.signature],
        "ticks": [record(tick) for tick in shown.ticks],
        "not_asked": plain(shown.not_asked),
        "comparisons": [record(comparison) for comparison in shown.comparisons],
        "changes": [record(change) for change in shown.changes],
        "switches": [record(switch) for switch in shown.switches],
        "stands_still": record(shown.standing) if shown.standing else None,
    }


def listed(
    series: Sequence[Series],
    engines: KnownEngines,
    summaries: Mapping[int, SeriesSummary],
    newest: Mapping[int, Sequence[SparklineTick]],
) -> list[dict[str, Any]]:
    """Each series with how much of it was measured, its newest tick, and the newest few of them."""
    found = []
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
        found.append(plain(row | rest | {"newest": marks}))
    return found


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
