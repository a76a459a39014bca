"""Pages that people donate: upload a file, look at what was read and removed, keep it, erase.

A checked file waits in memory, without personal data, until it is kept or some minutes have passed.
The file as it was sent is deleted as soon as it was checked.
"""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from time import monotonic
from typing import Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import UploadFile

from monitor import settings
from monitor.data import read_text
from monitor.model import DEVICES, InvalidInput
from monitor.pipeline import maintenance
from monitor.pipeline.collect.donations import add_donation, describe_late
from monitor.roles import Permission
from monitor.stages.collect.donations import (
    AcceptedPages,
    CheckedFile,
    DonorDetails,
    check_file,
    find_donation_jobs,
)
from monitor.store.collect import donations
from monitor.store.collect.donations import DonorSummary
from monitor.text.counted_nouns import several
from monitor.web.site.rendering import render_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who, require_form_mark, require_permission

_ALLOWED = [Depends(require_permission(Permission.DONATE))]
router = APIRouter(include_in_schema=False, dependencies=_ALLOWED)
#: Seconds that a checked file waits, and how many may.
_WAITING_SECONDS = 1_800.0
_MOST_WAITING = 4
_MOST_FIELDS = 4
_LONGEST = 200
_WITH_MARK = [Depends(require_form_mark)]
Text = Annotated[str, Form(max_length=_LONGEST)]


@dataclass(frozen=True, slots=True)
class WaitingFile:
    """A checked file, who sent it, and since when it waits."""

    user: str
    checked: CheckedFile
    since: float


@dataclass(slots=True)
class WaitingFiles:
    """Checked files of this process; the oldest is forgotten where there are too many."""

    files: dict[str, WaitingFile] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, user: str, checked: CheckedFile) -> str:
        """Keep a file; returns the ticket that it is taken by."""
        ticket = token_urlsafe(16)
        with self._lock:
            self._forget_old()
            while len(self.files) >= _MOST_WAITING:
                del self.files[next(iter(self.files))]
            self.files[ticket] = WaitingFile(user, checked, monotonic())
        return ticket

    def find(self, ticket: str, user: str) -> CheckedFile | None:
        """Return a file of a user; None where it waits no more."""
        with self._lock:
            self._forget_old()
            waiting = self.files.get(ticket)
            return waiting.checked if waiting and waiting.user == user else None

    def drop(self, ticket: str) -> None:
        """Forget a file."""
        with self._lock:
            self.files.pop(ticket, None)

    def _forget_old(self) -> None:
        oldest = monotonic() - _WAITING_SECONDS
        for ticket in [key for key, one in self.files.items() if one.since < oldest]:
            del self.files[ticket]


@dataclass(frozen=True, slots=True)
class Donate:
    """Content of the page. `checked` is a file that waits, with its ticket."""

    regions: Sequence[str] = ()
    questions: int = 0
    donors: Sequence[DonorSummary] = ()
    checked: CheckedFile | None = None
    ticket: str = ""
    wrong: str = ""
    done: str = ""
    consent: str = ""
    devices: Sequence[str] = DEVICES


@router.get("/donate")
def donate(request: Request, site: TheSite, who: Who) -> Response:
    """Return the page with the form for a file, and the donors."""
    return _render(request, site, who)


@router.post("/donate/check")
async def check_upload(request: Request, site: TheSite, who: Who) -> Response:
    """Check a file; its form is read here, after it is known who sends it."""
    async with request.form(max_files=1, max_fields=_MOST_FIELDS) as form:
        require_form_mark(who, str(form.get("mark") or ""), request.headers.get("x-mark", ""))
        upload = form.get("file")
        if not isinstance(upload, UploadFile) or not upload.filename:
            return _render(request, site, who, Donate(wrong="choose a file"))
        try:
            checked = await run_sync(_check_upload, site, upload)
        except InvalidInput as error:
            return _render(request, site, who, Donate(wrong=str(error)))
    ticket = _waiting(request).add(who.name, checked) if checked.pages else ""
    return _render(request, site, who, Donate(checked=checked, ticket=ticket))


def _check_upload(site: Site, upload: UploadFile) -> CheckedFile:
    """Check a file that was sent, and delete it. Raises InvalidInput."""
    name = Path((upload.filename or "").replace("\\", "/")).name
    accepted = _read_accepted(site)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"donated{''.join(Path(name).suffixes[-2:])[:_LONGEST]}"
        with path.open("wb") as file:
            shutil.copyfileobj(upload.file, file)
        return check_file(path, name, accepted)


@router.post("/donate/add", dependencies=_WITH_MARK)
def keep(
    request: Request,
    site: TheSite,
    who: Who,
    ticket: Text,
    donor: Text,
    region: Text,
    device: Text,
    signed_in: Annotated[Literal["yes", "no"], Form()],
    agreed: Text = "",
) -> Response:
    """Keep a checked file of a donor who has agreed."""
    checked = _waiting(request).find(ticket, who.name)
    if checked is None:
        return _render(request, site, who, Donate(wrong="this file waits no more: send it again"))
    try:
        consent = read_text("donation_consent") if agreed else ""
        details = DonorDetails(donor, region, device, signed_in == "yes", consent)
        accepted = _read_accepted(site)
        details.check(accepted.regions)
        pseudonym, number = add_donation(site.database, checked, details, _read_key(), site.now())
    except InvalidInput as error:
        waiting = Donate(checked=checked, ticket=ticket, wrong=str(error))
        return _render(request, site, who, waiting)
    _waiting(request).drop(ticket)
    late = describe_late(site.database, checked, accepted.jobs)
    done = f"Kept {several(number, 'new page')} of donor {pseudonym}. {late}".rstrip()
    return _render(request, site, who, Donate(done=done))


@router.post("/donate/discard", dependencies=_WITH_MARK)
def discard(request: Request, ticket: Text) -> Response:
    """Forget a checked file."""
    _waiting(request).drop(ticket)
    return RedirectResponse("/donate", HTTPStatus.SEE_OTHER)


@router.post("/donate/erase", dependencies=_WITH_MARK)
def erase(request: Request, site: TheSite, who: Who, donor: Text, reason: Text) -> Response:
    """Erase all pages of a donor, as `monitor erase donor:NAME` does."""
    wanted = maintenance.Request(f"donor:{donor}", reason, _read_key())
    try:
        erased = maintenance.erase_subject(site.database, wanted, site.now(), compact=False)
    except InvalidInput as error:
        return _render(request, site, who, Donate(wrong=str(error)))
    runs = f"; runs that lose inputs: {', '.join(map(str, erased.runs))}" if erased.runs else ""
    done = f"Erased {several(erased.counts['donated'], 'page')}{runs}."
    return _render(request, site, who, Donate(done=done))


def _waiting(request: Request) -> WaitingFiles:
    waiting: WaitingFiles = request.app.state.donated_files
    return waiting


def _read_accepted(site: Site) -> AcceptedPages:
    return AcceptedPages.of_jobs(find_donation_jobs(site.home / "jobs"))


def _read_key() -> str:
    return settings.load().address_key.get_secret_value()


def _render(request: Request, site: Site, who: Visitor, content: Donate = Donate()) -> Response:
    try:
        accepted = _read_accepted(site)
        content = replace(content, regions=accepted.regions, questions=len(accepted.questions))
    except InvalidInput as error:
        content = replace(content, wrong=content.wrong or str(error))
    with site.database.read() as connection:
        donors = list(donations.list_donors(connection))
    content = replace(content, donors=donors, consent=read_text("donation_consent"))
    is_refused = content.wrong and request.method == "POST"
    status = HTTPStatus.BAD_REQUEST if is_refused else HTTPStatus.OK
    return render_page(request, who, "donate.html", content, status)
