"""The numbers of weekly reports, each under the place where it stands in the JSON.

In go an open transaction and a job, out come the values of its reports as of the ticks at which one
was made, and as of its newest tick. Row numbers are left out: they are those of one database.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor.model import InvalidInput
from monitor.store.database import Connection
from monitor.store.reproduction_numbers import Numbers, Value

_ZONE = ZoneInfo("UTC")
#: What a report says of an installation and of its people, who are in no package: alarms name
#: folders, audits are what people read.
_LEFT_OUT = ("instrument", "missing.alarms", "missing.charts_behind", "missing.suspect")


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
            if name != "id" and not name.endswith("_id") and inner not in _LEFT_OUT:
                yield from _flat(part, inner)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _flat(part, f"{place}[{number}]")
    elif isinstance(value, bool):
        yield place, str(value).lower()
    else:
        yield place, value
