"""The numbers of weekly reports, each under the place where it stands in the JSON.

In go an open transaction and a job, out come the values of its reports as of the ticks at which one
was made, and as of its newest tick. Row numbers are left out: they are those of one database.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor.model import InvalidInput
from monitor.store.database import Connection
from monitor.store.publish.reproduction_numbers import Numbers, Value

_ZONE = ZoneInfo("UTC")
_CLOCK = "it depends on when the daemon of an installation looked, and at what"
_APART = "look-ups are in no package"
_DECIDED = "it depends on when an installation decided its ticks"
_SWITCHED = "it depends on when an installation computed, and its charts went over"
#: What a report lists of an installation: folders and hosts are in it, so that only how many there
#: were is in a package; and why that number may be another. Numbers of lists are left out of names.
INSTALLATION = {
    "missing.alarms": _CLOCK,
    "missing.clock": _CLOCK,
    "load.suspensions": _CLOCK,
    "load.lookups": _APART,
    "missing.charts_behind": _SWITCHED,
    "missing.undecided": _DECIDED,
    "headline.ours": _SWITCHED,
    "origin.switches": _SWITCHED,
    "charts.charts.switches": _SWITCHED,
}
_NUMBER = re.compile(r"\[\d+\]")


def installation(name: str) -> str:
    """Why a value of a report may be another in every installation; or ""."""
    return INSTALLATION.get(_NUMBER.sub("", name), "")


def reports_of_job(
    connection: Connection, job: str, times: Iterable[datetime]
) -> Iterator[Numbers]:
    """The values of the weekly reports of a job; none where there is nothing to report."""
    from monitor.stages.weekly.report import weekly  # noqa: PLC0415 - only where one is computed

    for at in times:
        try:
            found = weekly(connection, [job], at, _ZONE)
        except InvalidInput:
            continue
        when = at.isoformat()
        values = dict(_flat(json.loads(found.json), ""))
        yield Numbers("reports", (job, when), f"weekly report of {job}", when, job, "", values)


def _flat(value: Any, place: str) -> Iterator[tuple[str, Value]]:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, dict):
        for name, part in value.items():
            inner = f"{place}.{name}" if place else str(name)
            if installation(inner):
                yield inner, len(part)
            elif name != "id" and not name.endswith("_id"):
                yield from _flat(part, inner)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _flat(part, f"{place}[{number}]")
    elif isinstance(value, bool):
        yield place, str(value).lower()
    else:
        yield place, value
