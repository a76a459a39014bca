"""The files of weekly reports: in goes a stored report, out comes where its files are.

They are read where this process runs; a daemon on another machine may have put them there.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from monitor.store.reports.due_reports import StoredReport

FORMS = ("html", "pdf", "json")
_CHUNK = 1024 * 1024


def files(
    stored: StoredReport, tables: Sequence[Mapping[str, Any]], home: Path, zone: ZoneInfo
) -> dict[str, Path]:
    """{form: file} of a report, of what is there; those beside the JSON that was recorded first.

    `tables` are what versions of its job say of reports.
    """
    own = home.resolve()
    some = [
        {form: path for form in FORMS if (path := _inside(own, stored.folder, f"{name}.{form}"))}
        for name in dict.fromkeys(_names(stored, tables, zone))
    ]
    some = [one for one in some if one]
    recorded = [one for one in some if "json" in one and digest(one["json"]) == stored.digest]
    return next(iter([*recorded, *some]), {})


def _names(
    stored: StoredReport, tables: Sequence[Mapping[str, Any]], zone: ZoneInfo
) -> Iterator[str]:
    """What the files may be called, as versions of the job say: by day, and by job if of one."""
    for table in tables:
        day = _day(stored.due_at, ZoneInfo(table.get("timezone", "UTC")))
        yield day if table.get("covers") == "all" else f"{day}-{stored.job}"
    day = _day(stored.due_at, zone)
    yield from (f"{day}-{stored.job}", day)


def _day(at: datetime, zone: ZoneInfo) -> str:
    return f"weekly-{at.astimezone(zone):%Y-%m-%d}"


def _inside(home: Path, folder: str, name: str) -> Path | None:
    """A file that is there, and really in its folder below our own."""
    try:
        path = (home / folder / name).resolve()
        is_ours = path.is_relative_to(home) and path.name == name and path.is_file()
    except (OSError, ValueError):
        return None
    return path if is_ours else None


def digest(path: Path) -> str:
    """SHA-256 of a file as it is now; empty where it cannot be read."""
    try:
        known = path.stat()
        return _digest(path, (known.st_mtime_ns, known.st_size, known.st_ino))
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _digest(path: Path, _version: tuple[int, ...]) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_CHUNK):
            found.update(part)
    return found.hexdigest()
