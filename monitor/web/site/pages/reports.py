"""Reports: stored weekly reports as files, and run reports, rendered on request.

The files of weekly reports are read from the disk of this process. Where pages are public, reports
are hidden while an embargo is in force, because they hold numbers of all systems.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from math import inf
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from zoneinfo import ZoneInfo

from fastapi.responses import Response
from pydantic import BaseModel

from monitor.input_files import hash_file
from monitor.roles import Permission
from monitor.stages.reports import run_report as stage
from monitor.stages.reports.weekly.week import begin_week
from monitor.store.changes.findings import FindingFilter
from monitor.store.changes.findings import count_changes as n_of
from monitor.store.changes.series import ALL
from monitor.store.collect import run_progress
from monitor.store.database import Connection
from monitor.store.reports import run_list
from monitor.store.reports.run_list import StoredReport
from monitor.store.reports.run_report import asks_search
from monitor.web.site.errors import Missing
from monitor.web.site.records import Described
from monitor.web.site.rendering import make_file
from monitor.web.site.response_cache import ResponseCache, hold_lock
from monitor.web.site.routes import Number, PageNumber, Text, make_router, serve_file, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who

FORMS = ("html", "pdf", "json")
#: Reports of runs, each until something of its run was computed, labelled or erased.
_run_reports = ResponseCache(most=8, longest=inf)
_rendering_lock = Lock()
router = make_router("reports")
_ON_A_PAGE = 12
#: What a report's own policy allows: its style sheet and charts inside, nothing from elsewhere.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox"
)
_TYPES = {"pdf": "application/pdf", "json": "application/json"}
ReportForm = Literal["html", "pdf", "json"]


def find_files(
    stored: StoredReport, tables: Sequence[Mapping[str, Any]], home: Path, zone: ZoneInfo
) -> dict[str, Path]:
    """Return {format: file} of a report; the files with the recorded JSON come first.

    `tables` are what versions of its job say of reports.
    """
    root = home.resolve()
    candidates = [
        {
            form: path
            for form in FORMS
            if (path := _find_inside(root, stored.folder, f"{name}.{form}"))
        }
        for name in dict.fromkeys(_list_names(stored, tables, zone))
    ]
    candidates = [files_there for files_there in candidates if files_there]
    recorded = [
        files_there
        for files_there in candidates
        if "json" in files_there and compute_digest(files_there["json"]) == stored.digest
    ]
    return next(iter([*recorded, *candidates]), {})


def _list_names(
    stored: StoredReport, tables: Sequence[Mapping[str, Any]], zone: ZoneInfo
) -> Iterator[str]:
    """Yield possible names of the files: by day, or by day and job."""
    for table in tables:
        day = _name_day(stored.due_at, ZoneInfo(table.get("timezone", "UTC")))
        yield day if table.get("covers") == "all" else f"{day}-{stored.job}"
    day = _name_day(stored.due_at, zone)
    yield from (f"{day}-{stored.job}", day)


def _name_day(moment: datetime, zone: ZoneInfo) -> str:
    return f"weekly-{moment.astimezone(zone):%Y-%m-%d}"


def _find_inside(home: Path, folder: str, name: str) -> Path | None:
    """Return an existing file inside its folder below the root, else None."""
    try:
        path = (home / folder / name).resolve()
        is_ours = path.is_relative_to(home) and path.name == name and path.is_file()
    except (OSError, ValueError):
        return None
    return path if is_ours else None


def compute_digest(path: Path) -> str:
    """Return the SHA-256 of a file; empty if it cannot be read."""
    try:
        status = path.stat()
        return _hash_file(path, (status.st_mtime_ns, status.st_size, status.st_ino))
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _hash_file(path: Path, _version: tuple[int, ...]) -> str:
    return hash_file(path)


class WeeklyReport(BaseModel):
    """A due report with its state. `forms` are the existing files.

    Its week begins after `after`; `n_changes` are those found in it over all questions. `digest` is
    that of the JSON when it was made; `is_as_recorded` whether the file has it still, null where
    there is no such file.
    """

    number: int
    job: str
    after: datetime
    due_at: datetime
    n_changes: int
    state: str
    reason: str
    made_at: datetime | None
    digest: str
    forms: Sequence[str]
    is_as_recorded: bool | None


class ReportList(Described):
    """Weekly reports, the newest first."""

    is_withheld: bool
    """Whether they are not public now, because an embargo stands."""
    jobs: Sequence[str]
    job: str
    reports: Sequence[WeeklyReport]
    page: int
    has_more: bool


@serve_page(router, "/reports", "reports.html", Permission.NUMBERS)
def weekly_reports(
    site: TheSite, who: Who, job: Text = "",
    page: PageNumber = 1,
) -> ReportList:  # fmt: skip
    """Return weekly reports, the newest first."""
    if who.hidden.is_any:
        return ReportList(
            is_withheld=True, jobs=[], job="", reports=[], page=1, has_more=False
        )  # fmt: skip
    with site.database.read() as connection:
        stored = run_list.list_newest(connection, job, page=page, size=_ON_A_PAGE)
        described = [
            _describe_report(site, connection, who, report) for report in stored[:_ON_A_PAGE]
        ]
        jobs = run_list.list_reported_jobs(connection)
    return ReportList(is_withheld=False, jobs=jobs, job=job, page=page,
                      reports=described, has_more=len(stored) > _ON_A_PAGE)  # fmt: skip


def _describe_report(
    site: Site, connection: Connection, who: Visitor, stored: StoredReport
) -> WeeklyReport:
    after = begin_week(stored.due_at, site.zone)
    changes = FindingFilter(job=stored.job, scope=ALL, after=after, until=stored.due_at)
    files_there = _find_stored_files(site, connection, stored)
    now_is = compute_digest(files_there["json"]) if "json" in files_there else None
    return WeeklyReport(
        number=stored.id, job=stored.job, after=after, due_at=stored.due_at,
        n_changes=n_of(connection, who.hidden, changes),
        state=stored.state, reason=stored.reason,
        made_at=stored.made_at, digest=stored.digest, forms=list(files_there),
        is_as_recorded=None if now_is is None else now_is == stored.digest,
    )  # fmt: skip


def _find_stored_files(site: Site, connection: Connection, stored: StoredReport) -> dict[str, Path]:
    if stored.state != run_list.MADE:
        return {}
    tables = run_list.read_report_tables(connection, stored.job)
    return find_files(stored, tables, site.home, site.zone)


@serve_file(router, "/reports/{number}/{form}")
def weekly_report(number: Number, form: ReportForm, site: TheSite, who: Who) -> Response:
    """Return a stored weekly report: HTML in a sandbox, other formats as a file.

    Raises Missing where it is not there, or not public.
    """
    path = None
    if not who.hidden.is_any:
        with site.database.read() as connection:
            stored = run_list.find_report(connection, number)
            path = _find_stored_files(site, connection, stored).get(form) if stored else None
    if path is None:
        raise Missing(f"there is no report {number} as {form} here")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Missing(f"{path.name} cannot be read: {error.strerror}") from error
    return _make_html(content) if form == "html" else make_file(content, path.name, _TYPES[form])


def _make_html(content: bytes) -> Response:
    headers = {"Content-Security-Policy": POLICY}
    return Response(content, media_type="text/html; charset=utf-8", headers=headers)


# --- of a run -------------------------------------------------------------------------------------


@serve_file(router, "/runs/{number}/report")
def run_report(number: Number, site: TheSite, who: Who) -> Response:
    """Return the report of a run. Raise Missing if there is none, or it is not public."""
    with site.database.read() as connection:
        if run_list.find_run(connection, who.hidden, number) is None:
            raise Missing(f"there is no run {number}")
        if who.hidden.is_any or (
            not who.may(Permission.CAPTURED) and asks_search(connection, number)
        ):
            raise Missing(f"the report of run {number} is not public")
        return _make_html(render_run_report(connection, who, number, site.zone))


def render_run_report(connection: Connection, who: Visitor, number: int, zone: ZoneInfo) -> bytes:
    """Return the report of a run as HTML. Raise Busy while another is rendered."""

    def render() -> bytes:
        with hold_lock(_rendering_lock, "report"):
            return stage.make_report(connection, number, zone).html.encode()

    token = run_progress.read_change_token(connection, number)
    return _run_reports.get(connection, who, (number, zone), render, token)
