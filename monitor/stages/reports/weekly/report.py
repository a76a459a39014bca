"""Compose the weekly report: JSON, HTML and PDF, and differences between two of them.

No clock is read: every time is one of the database or the date that was asked for, so that the same
database gives the same bytes.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor import __version__
from monitor.model import canonical_json
from monitor.stages.document import records as doc
from monitor.stages.document.notation import format_minute, join_names
from monitor.stages.reports.coverage import Refusals
from monitor.stages.reports.weekly import (
    annexes,
    changes,
    missing_values,
    newest_values,
    page_one,
    series,
)
from monitor.stages.reports.weekly.week import ReportedWeek, gather_week
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import NOT_REAL
from monitor.store.reports import weekly_report as stored
from monitor.text.counted_nouns import several

# --- differences ----------------------------------------------------------------------------------

#: The parts of the JSON by the headings under which people find them.
_PARTS = {
    "events": "Page one: changes",
    "systems": "Page one: systems",
    "headline": "What changed",
    "series": "All series",
    "charts": "Primary series over time",
    "professions": "Professions",
    "stereotypes": "Stereotypes by feminine rank",
    "slopes": "Gender stereotype reinforcement of ranked lists",
    "engines": "Engines side by side",
    "instrument": "How accurate is the detection?",
    "missing": "What could not be measured",
    "load": "Load that we caused",
    "origin": "Versions, Governance",
}
#: Parts that the first versions of the JSON did not have.
_ADDED = frozenset({"events", "systems"})
#: What may differ although every number is the same: the version of this program, and what earlier
#: versions did not write of a change.
_APART = frozenset({"generator", "schema", "code_version", "due_times"})


def list_differences(before: bytes, after: bytes) -> list[str]:
    """The sections that differ, in the order of the report; empty where only our version does.

    Numbers of rows in the database are no content, and neither is what an earlier version of this
    program did not write. Raises ValueError for what is no such file.
    """
    old, new = _content(json.loads(before)), _content(json.loads(after))
    if not (isinstance(old, dict) and isinstance(new, dict)):
        raise ValueError("no weekly report")  # noqa: TRY004 - of a file, not of a type
    new = {key: part for key, part in new.items() if key in old or key not in _ADDED}
    keys = [*(key for key in _PARTS if key in old or key in new)]
    keys += sorted((old.keys() | new.keys()) - set(_PARTS))
    return [_PARTS.get(key, key) for key in keys if old.get(key) != new.get(key)]


def _content(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, Mapping):
        return {
            name: _content(part)
            for name, part in value.items()
            if name not in _APART and name != "id" and not name.endswith("_id")
        }
    return [_content(item) for item in value] if isinstance(value, list) else value


# --- report ---------------------------------------------------------------------------------------

Row = dict[str, Any]

#: Version of the JSON: goes up when a key is renamed or means something else.
SCHEMA = 3
_GENERATOR = f"Made with monitor {__version__}"
#: So many jobs are described under the title.
_DESCRIBED = 12
#: Control characters, marks that turn the direction of text, and what no encoding takes.
_HIDDEN = re.compile(
    "[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Weekly:
    """The report: its numbers, the same as a file, and what is printed of them."""

    numbers: Mapping[str, Any] = field(repr=False)
    json: str = field(repr=False)
    document: doc.Document = field(repr=False)
    until: datetime


def make_weekly(
    connection: Connection,
    jobs: Sequence[str],
    until: datetime | None,
    zone: ZoneInfo,
    address: str = "",
) -> Weekly:
    """The report of some jobs, or of all, for the seven days that end with `until`.

    Without a date it is the week of the newest due tick. `address` is that of our pages, which
    what is printed leads to. Raises InvalidInput.
    """
    week = gather_week(connection, jobs, until, zone)
    rows = series.describe_table(week)
    endings = stored.count_outcomes(connection, week.run_ids)
    effects = changes.smallest_effects(connection, week, rows)
    confirmed = changes.select_confirmed(week)
    events = page_one.read_events(week, confirmed)
    content: Row = {
        "events": [page_one.describe_events_of_week(event) for event in events],
        "systems": page_one.describe_systems(week, rows, confirmed, effects, Refusals(connection)),
        "headline": changes.describe_changes(connection, week, rows, effects),
        "series": rows,
        "charts": series.describe_charts(connection, week, rows),
        "professions": newest_values.describe_professions(connection, week),
        "stereotypes": newest_values.describe_stereotypes(connection, week),
        "slopes": newest_values.describe_slopes(connection, week),
        "engines": newest_values.describe_comparisons(week, rows),
        "instrument": annexes.describe_instrument(connection, week),
        "missing": missing_values.describe_gaps(connection, week, rows, endings),
        "load": annexes.describe_load(connection, week, endings),
        "origin": annexes.describe_origin(connection, week),
    }
    slopes = [{k: v for k, v in row.items() if k != "picture"} for row in content["slopes"]]
    numbers = replace_nonfinite(_heading(week) | content | {"slopes": slopes})
    plain = write_json(numbers)
    digest = hashlib.sha256(plain.encode()).hexdigest()
    details = [
        page_one.read_detailed(connection, week, event) for event in events[: page_one.CARDS]
    ]
    title = page_one.say_verdict(
        events, content["systems"], zone,
        has_candidates=page_one.has_candidates(content["headline"]),
    )  # fmt: skip
    banner = declarations.read_invented(connection, [job.name for job in week.jobs]).sentence(
        names_jobs=True
    )
    document = doc.Document(
        title=title,
        kicker=page_one.write_kicker(week),
        banner=banner,
        page_one=page_one.write_blocks(week, content, events, details, address),
        sections=_write_appendix(week, content, digest),
        generator=_GENERATOR,
        closing=doc.prose(
            "{generator}. SHA-256 of the JSON of this report: `{digest}`",
            generator=_GENERATOR,
            digest=digest,
        ),
        contents="Appendix",
        digest=digest,
    )
    return Weekly(numbers, plain, document, week.until)


def _heading(week: ReportedWeek) -> Row:
    made_up = [bool(job.content.get("invented")) for job in week.jobs]
    marked = {"invented": "all" if all(made_up) else "some"} if any(made_up) else {}
    return {
        **marked,
        "schema": SCHEMA,
        "report": "weekly",
        "generator": f"monitor {__version__}",
        "jobs": [job.name for job in week.jobs],
        "until": week.until,
        "after": week.after,
        "time_zone": week.zone.key,
        "n_series_of_other_scopes": week.n_other_scopes,
    }


def replace_nonfinite(value: Any) -> Any:  # noqa: ANN401 - whatever the numbers are made of
    """The same with None for what is no finite number: JSON has none."""
    if isinstance(value, Mapping):
        return {key: replace_nonfinite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [replace_nonfinite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write_json(numbers: Mapping[str, Any]) -> str:
    """The JSON file: sorted keys, times as ISO 8601 in UTC, and never a NaN.

    Characters that act without being seen stand as their codes, which mean the same in JSON.
    """
    plain = json.dumps(
        numbers, default=_plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False
    )
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", plain) + "\n"


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    raise TypeError(
        f"{type(value).__name__} has no place in the report: {canonical_json(str(value))}"
    )


def _write_appendix(week: ReportedWeek, content: Row, digest: str) -> list[doc.Section]:
    """Return everything that the numbers rest on."""
    sections: list[doc.Section | None] = [
        changes.write_changes_section(week, content["headline"]),
        series.write_table_section(week, content["series"]),
        series.write_charts_section(week, content["charts"]),
        newest_values.write_professions_section(week, content["professions"]),
        newest_values.write_stereotypes_section(week, content["stereotypes"]),
        newest_values.write_slopes_section(week, content["slopes"]),
        newest_values.write_comparisons_section(week, content["engines"]),
        annexes.write_instrument_section(week, content["instrument"]),
        missing_values.write_gaps_section(week, content["missing"]),
        annexes.write_load_section(week, content["load"]),
        doc.Section("jobs", "What was asked", [doc.Words(_say_lead(week)), *_described(week)]),
        *annexes.write_origin_sections(week, content["origin"], digest, _GENERATOR),
    ]
    return [section for section in sections if section is not None]


def _say_lead(week: ReportedWeek) -> str:
    jobs = join_names([job.name for job in week.jobs])
    newest = [job.newest.due_at for job in week.jobs if job.newest]
    ticks = f"; newest scheduled run {format_minute(max(newest), week.zone)}" if newest else ""
    what = "Jobs" if len(week.jobs) > 1 else "Job"
    return f"{what} {jobs}{ticks}. Times are in {week.zone.key}."


def _say_about(content: Mapping[str, Any]) -> str:
    """Return what a job says of itself, and that its answers are invented where they are."""
    made_up = f"All its answers are invented. {NOT_REAL}" if content.get("invented") else ""
    return f"{made_up} {content.get('description') or ''}".strip()


def _described(week: ReportedWeek) -> list[doc.Block]:
    """Return what jobs say of themselves: a number means nothing without what was asked."""
    sentences = [f"{job.name}: {text}" for job in week.jobs if (text := _say_about(job.content))]
    more = len(sentences) - _DESCRIBED
    if more > 0:
        sentences[_DESCRIBED:] = [
            f"Descriptions of {several(more, 'more job')} are in the job files."
        ]
    return [doc.Items(sentences)] if sentences else []
