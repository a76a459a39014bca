"""Check what people donate: which result pages a file holds, and what is personal in them.

Nothing is stored here. What leaves is a page without personal data, with a list of what was taken
out of it. Texts of a page are data: nothing that they say is carried out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from monitor.engines.files.donated_pages import ENGINE
from monitor.fetch.page_formats import file_form, read_pages
from monitor.fetch.page_formats.page import (
    QUESTION_NAMES,
    NumberedPage,
    date_of_name,
    is_later_page,
    is_page_piece,
    read_marks,
)
from monitor.fetch.saved_pages import fold_question
from monitor.jobs import Audit, load_audit
from monitor.model import DEVICES, Answer, InvalidInput, Outcome, Probe
from monitor.pages._page_owner import SURE, find_owner
from monitor.text.counted_nouns import several
from monitor.text.redaction import PersonalData, Redactor, find_values

_LONGEST_NAME = 200
_LONGEST_CONSENT = 20_000
#: Pages without scripts that are in memory until they are stored.
_MOST_PAGES, _MOST_BYTES = 2_000, 2**28
#: Parts of a page that no reader reads, and that hold what a browser knows of its user.
_UNREAD = re.compile(rb"<script\b[^>]*>.*?(?:</script\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_PICTURE = re.compile(rb"data:image/[\w.+-]+(?:;[\w=-]+)*,[^\"'\s)<>]+")
_PLAIN_PARAMETERS = frozenset({*QUESTION_NAMES, "hl", "gl", "tbm", "start", "kl", "cc", "setlang"})
_ADDRESS, _NEAR = re.compile(r"[\w.+-]+@[\w.-]+"), 120
_UNREAD_PART, _PICTURE_PART = "script", "embedded picture"


@dataclass(frozen=True, slots=True)
class DonorDetails:
    """A donor's statement. `name` is never stored; `consent` is the text that was agreed to."""

    name: str
    region: str
    device: str
    signed_in: bool
    consent: str

    def check(self, regions: Sequence[str]) -> None:
        """Raise InvalidInput for what cannot be kept with a donation."""
        if not 0 < len(self.name.strip()) <= _LONGEST_NAME:
            raise InvalidInput(f"donor: a name or number of 1 to {_LONGEST_NAME} characters")
        if self.region not in regions:
            raise InvalidInput(f"region: {self.region!r}; known: {', '.join(regions)}")
        if self.device not in DEVICES:
            raise InvalidInput(f"device: {self.device!r}; known: {', '.join(DEVICES)}")
        if not 0 < len(self.consent.strip()) <= _LONGEST_CONSENT:
            raise InvalidInput("consent: the text that the donor agreed to is missing or too long")


@dataclass(frozen=True, slots=True)
class AcceptedPages:
    """The questions, systems and regions of jobs on donated pages."""

    systems: frozenset[str]
    regions: tuple[str, ...]
    questions: Mapping[str, str]  # {folded: as asked}
    jobs: tuple[str, ...]

    @classmethod
    def of_jobs(cls, audits: Sequence[Audit]) -> "AcceptedPages":
        """Return what these jobs accept. Raises InvalidInput where none is about donated pages."""
        donated = [audit for audit in audits if audit.job.is_donated]
        if not donated:
            raise InvalidInput(
                "no job file takes donated pages: make one with the engine donated_pages "
                "(docs/donate.md)"
            )
        uses = [use for audit in donated for use in audit.job.engines]
        items = [item for audit in donated for one in audit.lists for item in one.items]
        return cls(
            frozenset(str(use.config["system"]) for use in uses),
            tuple(dict.fromkeys(region for use in uses for region in use.regions)),
            {fold_question(item.text): item.text for item in items},
            tuple(audit.job.name for audit in donated),
        )


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page that can be kept. `place` is where it stands in the file, `items` what was read."""

    place: str
    system: str
    url: str
    question: str
    captured_at: datetime
    body: bytes
    removed: Mapping[str, int] = field(default_factory=dict)
    outcome: str = ""
    items: int = 0


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The result of a check: pages that can be kept, and a sentence for each that cannot."""

    name: str
    form: str
    pages: Sequence[CheckedPage]
    left_out: Sequence[str]

    @property
    def removed(self) -> dict[str, int]:
        """Return {class of personal data: how often it was removed from all pages}."""
        total: Counter[str] = Counter()
        for page in self.pages:
            total.update(page.removed)
        return dict(sorted(total.items()))

    def summarize(self) -> str:
        """Return what was read and done in one sentence."""
        read = several(len(self.pages), "page of results", "pages of results")
        removed = sum(self.removed.values())
        return (
            f"{self.name}: {read} can be kept, {len(self.left_out):,} left out; "
            f"{removed:,} pieces of personal data were removed. Texts of pages were read as data, "
            "and nothing in them was carried out."
        )


def find_donation_jobs(folder: Path) -> list[Audit]:
    """Return the jobs on donated pages in a folder. Raises InvalidInput for one with a fault.

    Other files of the folder are not read.
    """
    mark = ENGINE.name.encode()
    return [load_audit(path) for path in sorted(folder.glob("*.toml")) if mark in path.read_bytes()]


# --- checking -------------------------------------------------------------------------------------


def check_file(path: Path, name: str, accepted: AcceptedPages) -> CheckedFile:
    """Read a file or folder, and remove personal data from the pages that can be kept.

    Raises InvalidInput for what cannot be read to its end, and for pages of several accounts.
    """
    left_out: list[str] = []
    redactor = Redactor()
    accounts: dict[str, str] = {}
    places: list[CheckedPage] = []
    size = 0
    for page in _read_results(path, name, accepted, left_out):
        redactor.learn(page.body)
        if account := _find_account(page.body):
            accounts.setdefault(account, page.place)
        places.append(_strip_unread(page))
        size += len(places[-1].body)
        if len(places) > _MOST_PAGES or size > _MOST_BYTES:
            raise InvalidInput(
                f"{name}: more than {_MOST_PAGES:,} pages of results, or {_MOST_BYTES:,} bytes of "
                "them; give fewer in one file"
            )
    if len(accounts) > 1:
        raise InvalidInput(
            f"{name}: {' and '.join(list(accounts.values())[:2])} are pages of different accounts; "
            "a donor gives only their own pages, so nothing of the file was kept"
        )
    return CheckedFile(
        name,
        "folder" if path.is_dir() else file_form(path.name),
        [_clean_page(page, redactor) for page in places],
        left_out,
    )


def _read_results(
    path: Path, name: str, accepted: AcceptedPages, left_out: list[str]
) -> Iterator[CheckedPage]:
    """Yield the result pages for accepted questions; say of others why they are left out."""
    if not path.is_dir() and not file_form(path.name):
        raise InvalidInput(
            f"{name}: not a file of saved pages: give .html, .mhtml, .har, .warc, .wacz or .zip"
        )
    for numbered in read_pages(path, name):
        record = f":{numbered.record}" if numbered.record else ""
        place = f"{name}{record}" + (f" ({numbered.member})" if numbered.member else "")
        page = _find_page(numbered, place, path, accepted)
        if isinstance(page, str):
            left_out.append(f"{place}: left out, {page}")
        else:
            yield page


def _find_page(
    numbered: NumberedPage, place: str, path: Path, accepted: AcceptedPages
) -> CheckedPage | str:
    """Return a page, or why it is left out. The question of a page that is left out is not said."""
    page = numbered.page
    marks = read_marks(page.body, page.url)
    owner = find_owner(page.body, marks.url)
    if owner.sure < SURE:
        return "not a page of results of a known search engine"
    if owner.name not in accepted.systems:
        return f"a page of {owner.name}, which no job takes"
    if not marks.question or is_page_piece(marks.url):
        return "which question it answers is not known"
    if is_later_page(marks.url):
        return "a later page of results"
    question = accepted.questions.get(fold_question(marks.question))
    if question is None:
        return "it answers another question than those of the job"
    name_in_file = numbered.member.rpartition("/")[2] or path.name
    captured_at = page.captured_at or marks.captured_at or date_of_name(name_in_file)
    if captured_at is None:
        return "when it was saved is not known; put the date into its name, 2026-11-21_page.html"
    return CheckedPage(place, owner.name, marks.url, question, captured_at, page.body)


def _find_account(body: bytes) -> str:
    """Return the e-mail address in the account menu of a page, folded; empty where signed out."""
    text = body.decode("utf-8", "replace")
    for value in find_values(text):
        if value.kind is PersonalData.ACCOUNT and value.rule == "label of an account":
            match = _ADDRESS.search(text, value.start, value.end + _NEAR)
            if match:
                return match[0].casefold()
    return ""


def _strip_unread(page: CheckedPage) -> CheckedPage:
    body, scripts = _UNREAD.subn(b"", page.body)
    body, pictures = _PICTURE.subn(b"data:,", body)
    return replace(page, body=body, removed={_UNREAD_PART: scripts, _PICTURE_PART: pictures})


def _clean_page(page: CheckedPage, redactor: Redactor) -> CheckedPage:
    before = {(one.kind, one.rule, one.place): one.count for one in redactor.removals}
    body = redactor.redact_body(page.body, page.place)
    removed: Counter[str] = Counter(page.removed)
    for one in redactor.removals:
        removed[str(one.kind)] += one.count - before.get((one.kind, one.rule, one.place), 0)
    url = _clean_address(page.url)
    answer = Answer(Outcome.OK, page.captured_at, 0.0, url=url, body=body)
    [reading] = ENGINE.parse(answer, [Probe(page.question, "")])
    counts = {name: n for name, n in sorted(removed.items()) if n}
    outcome, items = str(reading.outcome), len(reading.items)
    return replace(page, url=url, body=body, removed=counts, outcome=outcome, items=items)


def _clean_address(url: str) -> str:
    """Return an address with the question and language alone: the rest tells of the visit."""
    parts = urlsplit(url)
    pairs = [pair for pair in parse_qsl(parts.query) if pair[0] in _PLAIN_PARAMETERS]
    return parts._replace(netloc=parts.hostname or "", query=urlencode(pairs), fragment="").geturl()
