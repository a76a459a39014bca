"""Reports: those of a week that are stored, as files, and that of a run, made when it is asked for.

A report has numbers of everything: where pages are public it is hidden while an embargo stands.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path as FilePath
from typing import Literal

from fastapi import Depends
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from monitor.roles import Permission
from monitor.stages.weekly.gather import beginning
from monitor.store.changes.findings import ChangeFilter
from monitor.store.changes.findings import count_changes as n_of
from monitor.store.changes.series import ALL
from monitor.store.database import Connection
from monitor.store.reports import due_reports, run_list
from monitor.store.reports.due_reports import StoredReport
from monitor.web.site import _report_files
from monitor.web.site._download import file
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import Number, PageNumber, Text
from monitor.web.site._routes import page, pages
from monitor.web.site._run_reports import RunReports
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("reports")

_ON_A_PAGE = 12
#: What a report's own policy allows: its style sheet and charts inside, nothing from elsewhere.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox"
)
_TYPES = {"pdf": "application/pdf", "json": "application/json"}

_of_runs = RunReports()

Form = Literal["html", "pdf", "json"]


class Weekly(BaseModel):
    """A due report: made, or why not. `forms` are the files that are there.

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


class ReportList(BaseModel):
    """Weekly reports, the newest first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    is_withheld: bool
    """Whether they are not public now, because an embargo stands."""
    jobs: Sequence[str]
    job: str
    reports: Sequence[Weekly]
    page: int
    has_more: bool


@page(router, "/reports", "reports.html", Permission.NUMBERS)
def weekly_reports(
    site: TheSite, who: Who, job: Text = "",
    page: PageNumber = 1,
) -> ReportList:  # fmt: skip
    """Weekly reports that were due by the schedules of jobs."""
    if is_withheld(who):
        return ReportList(
            is_withheld=True, jobs=[], job="", reports=[], page=1, has_more=False
        )  # fmt: skip
    with site.database.read() as connection:
        found = due_reports.list_newest(connection, job, page=page, size=_ON_A_PAGE)
        some = [_weekly(site, connection, who, one) for one in found[:_ON_A_PAGE]]
        jobs = due_reports.list_jobs(connection)
    return ReportList(is_withheld=False, jobs=jobs, job=job, page=page,
                      reports=some, has_more=len(found) > _ON_A_PAGE)  # fmt: skip


def is_withheld(who: Visitor) -> bool:
    """Whether a visitor sees no report, because something in it may not be public yet."""
    return who.hidden.is_any


def _weekly(site: Site, connection: Connection, who: Visitor, one: StoredReport) -> Weekly:
    after = beginning(one.due_at, site.zone)
    changes = ChangeFilter(job=one.job, scope=ALL, after=after, until=one.due_at)
    there = _files(site, connection, one)
    now_is = _report_files.digest(there["json"]) if "json" in there else None
    return Weekly(
        number=one.id, job=one.job, after=after, due_at=one.due_at,
        n_changes=n_of(connection, who.hidden, changes),
        state=one.state, reason=one.reason,
        made_at=one.made_at, digest=one.digest, forms=list(there),
        is_as_recorded=None if now_is is None else now_is == one.digest,
    )  # fmt: skip


def _files(site: Site, connection: Connection, one: StoredReport) -> dict[str, FilePath]:
    if one.state != due_reports.MADE:
        return {}
    tables = due_reports.read_report_tables(connection, one.job)
    return _report_files.files(one, tables, site.home, site.zone)


@router.get("/reports/{number}/{form}", include_in_schema=False,
            dependencies=[Depends(needs(Permission.NUMBERS))])  # fmt: skip
def weekly_report(number: Number, form: Form, site: TheSite, who: Who) -> Response:
    """A weekly report as it is stored: HTML to be read, where nothing of it can run; else a file.

    Raises Missing where it is not there, or not public.
    """
    found = None
    if not is_withheld(who):
        with site.database.read() as connection:
            one = due_reports.find_report(connection, number)
            found = _files(site, connection, one).get(form) if one else None
    if found is None:
        raise Missing(f"there is no report {number} as {form} here")
    try:
        content = found.read_bytes()
    except OSError as error:
        raise Missing(f"{found.name} cannot be read: {error.strerror}") from error
    return _html(content) if form == "html" else file(content, found.name, _TYPES[form])


def _html(content: bytes) -> Response:
    headers = {"Content-Security-Policy": POLICY}
    return Response(content, media_type="text/html; charset=utf-8", headers=headers)


# --- of a run -------------------------------------------------------------------------------------


@router.get("/runs/{number}/report", include_in_schema=False,
            dependencies=[Depends(needs(Permission.NUMBERS))])  # fmt: skip
def run_report(number: Number, site: TheSite, who: Who) -> Response:
    """The report of a run. Raises Missing where there is no run, or its report is not public."""
    with site.database.read() as connection:
        if run_list.find_run(connection, who.hidden, number) is None:
            raise Missing(f"there is no run {number}")
        if is_withheld(who) or (
            not who.may(Permission.CAPTURED) and due_reports.shows_people(connection, number)
        ):
            raise Missing(f"the report of run {number} is not public")
        return _html(_of_runs.page(connection, number, site.zone))
