"""Claim cards: one published number with all that a hostile reader may ask for, and its proof.

The content is that of `monitor series claim`; files of a card are made as that command makes them.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from fastapi import Depends
from fastapi.responses import JSONResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.model import InvalidInput, Kind
from monitor.roles import Permission
from monitor.stages.changes.claim_support import Support
from monitor.stages.document.html import html_blocks, html_section
from monitor.stages.reports import claim_content, series_text
from monitor.stages.reports.claim_cards import SHOWN, Row, write_card, write_claim, write_words
from monitor.store.changes import findings
from monitor.store.changes.findings import NumberSubject
from monitor.store.database import Connection
from monitor.web.site.errors import Missing
from monitor.web.site.rendering import make_file
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import Number, PageNumber, make_router, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Redaction, Visitor, Who, require_permission

router = make_router("claims")

#: Of these an example is chosen for the card of an event.
_LOOKED_THROUGH = 60

_cache = ResponseCache(most=32)

Form = Literal["html", "txt", "json"]
_OF: dict[str, Callable[[Connection, int], NumberSubject | None]] = {
    "change": findings.find_change_subject,
    "point": findings.find_point_subject,
}


class Value(BaseModel):
    """A value with its 95 % interval; null where there is none."""

    value: float | None
    low: float | None
    high: float | None


class Answer(BaseModel):
    """One answer: where it is kept, and its text, empty for those who may not see it."""

    attempt: int
    text: str
    sha256: str


class Flip(BaseModel):
    """A question with other answers, before and after."""

    key: str
    probe: str
    before: Sequence[Answer]
    after: Sequence[Answer]


class RunOf(BaseModel):
    """A run that a number rests on. `evidence_sha256` stands for all of its raw answers."""

    model_config = ConfigDict(extra="ignore")

    id: int
    job: str
    due_at: datetime
    state: str
    code_version: str
    list: str
    countries: Sequence[str]
    n_answers: int
    evidence_sha256: str


class Again(BaseModel):
    """What was found when it was asked again, and what that was held against."""

    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    before_run_id: int
    after_run_id: int
    due_at: datetime


class Tested(BaseModel):
    """A change as it was tested, and what became of it.

    `bounds` are the least and most that it could be, whatever the missing answers are, null where
    nothing bounds it; `missing_suspect` says whether it may be due to them, null where that was not
    computed. `missing` says both in words.
    """

    model_config = ConfigDict(extra="ignore")

    before: float | None
    after: float | None
    bounds: tuple[float | None, float | None]
    missing_suspect: bool | None
    missing: str
    changed: int | None
    test: str | None
    p: float | None
    q: float | None
    alpha: float | None
    order_said: str
    p_beyond: float | None
    alpha_beyond: float | None
    holds_beyond: bool
    beyond_said: str
    size_said: str
    status: str
    status_said: str
    cause: str
    because: str
    again: Again | None


class Measured(BaseModel):
    """A point as it was computed. `bounds` hold whatever the missing answers are."""

    model_config = ConfigDict(extra="ignore")

    state: str
    reason: str
    bounds: tuple[float | None, float | None]
    flags: Sequence[str]


class ClaimCard(BaseModel):
    """One number with all that it rests on: of a change or of a point, the other one is null."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    kind: Literal["change", "point"]
    number: int
    series: dict[str, Any]
    system: str
    title: str
    pair: str
    claim: str
    is_current: bool
    """False where it was computed anew since."""
    replaced_said: str = ""
    """Why it is no longer in force; empty where it is."""
    effect: Value
    n: int | None
    left_out: dict[str, int | None]
    change: Tested | None
    point: Measured | None
    noise: dict[str, Any]
    declared: dict[str, Any]
    runs: Sequence[RunOf]
    signature: str
    parts: dict[str, Any]
    validity: dict[str, str]
    citation: str
    audit: Sequence[str]
    """How rightly the answers behind it were read, as audits of the instrument found."""
    headline: str
    """What the system does now, in plain words, after what limits it: unconfirmed, not in force."""
    lead: str
    """Both values with what they are of, in percent or points."""
    quote: str
    """A sentence that can be printed."""
    cite: str
    """Where the number comes from: runs, digests of their answers, and the address of this page."""
    supports: Sequence[Support]
    flips: Sequence[Flip]
    kicker: str = Field(exclude=True)
    summary: str = Field(exclude=True)
    sections: Mapping[str, str] = Field(exclude=True)
    page: int
    n_pages: int
    n_flips: int
    is_partial: bool
    """Whether words or answers are left out, which are not public."""

    @property
    def first_screen(self) -> Markup:
        """What is claimed, and what supports it."""
        return Markup(self.summary)  # noqa: S704 - written by the renderer of documents

    @property
    def section_markup(self) -> Mapping[str, Markup]:
        """Sections by their keys."""
        return {key: Markup(text) for key, text in self.sections.items()}  # noqa: S704 - as above


@serve_page(router, "/changes/{number}", "claim.html", Permission.NUMBERS)
def change(number: Number, site: TheSite, who: Who, page: PageNumber = 1) -> ClaimCard:
    """The claim card of a change, with the answers of both sides."""
    return _shown(site, who, "change", number, page)


@serve_page(router, "/points/{number}", "claim.html", Permission.NUMBERS)
def point(number: Number, site: TheSite, who: Who) -> ClaimCard:
    """The claim card of a point."""
    return _shown(site, who, "point", number, 1)


@router.get("/changes/{number}/card/{form}", include_in_schema=False,
            dependencies=[Depends(require_permission(Permission.NUMBERS))])  # fmt: skip
def change_file(number: Number, form: Form, site: TheSite, who: Who) -> Response:
    """The card of a change as a file."""
    return _file(site, who, "change", number, form)


@router.get("/points/{number}/card/{form}", include_in_schema=False,
            dependencies=[Depends(require_permission(Permission.NUMBERS))])  # fmt: skip
def point_file(number: Number, form: Form, site: TheSite, who: Who) -> Response:
    """The card of a point as a file."""
    return _file(site, who, "point", number, form)


def _file(site: Site, who: Visitor, kind: str, number: int, form: str) -> Response:
    with site.database.read() as connection:
        content, _ = _content(connection, site, who, kind, number, slice(None))
        content = claim_content.add_chart(connection, content, site.zone)
    made = write_card(content, site.zone, site.public_url)
    name = f"claim-{kind}-{number}.{form}"
    if form == "html":
        return make_file(made.html.encode(), name, "text/html; charset=utf-8")
    if form == "txt":
        return make_file(made.text.encode(), name, "text/plain; charset=utf-8")
    return make_file(bytes(JSONResponse(made.numbers).body), name, "application/json")


def _shown(site: Site, who: Visitor, kind: str, number: int, page: int) -> ClaimCard:
    with site.database.read() as connection:
        about = kind, number, page, who.may(Permission.CAPTURED)
        return _cache.get(
            connection, who, about, lambda: _read(connection, site, who, kind, number, page)
        )


def _read(
    connection: Connection, site: Site, who: Visitor, kind: str, number: int, page: int
) -> ClaimCard:
    some = slice((page - 1) * SHOWN, page * SHOWN)
    content, is_partial = _content(connection, site, who, kind, number, some)
    about, n_flips = content["series"], content.get("n_flips", 0)
    words = write_words(content, site.zone, site.public_url)
    content = claim_content.add_chart(connection, content, site.zone)
    card = write_claim(content, site.zone, site.public_url, "")
    return ClaimCard(
        **{name: content[name] for name in ClaimCard.model_fields.keys() & content.keys()}
        | {"n_flips": n_flips, "flips": content.get("flips", [])},
        system=series_text.name_system(about | {"kind": about["engine_kind"]}),
        change=Tested.model_validate(content) if kind == "change" else None,
        point=Measured.model_validate(content) if kind == "point" else None,
        headline=words.headline,
        lead=words.lead,
        quote=words.quote,
        cite=words.citation,
        supports=words.checks,
        kicker=card.kicker,
        summary=html_blocks(card.page_one),
        sections={section.key: html_section(section) for section in card.sections},
        audit=(content["instrument_audit"] or {}).get("said", []),
        page=page,
        n_pages=max(1, -(-n_flips // SHOWN)),
        is_partial=is_partial,
    )


def public_content(
    connection: Connection, site: Site, who: Visitor, number: int
) -> tuple[Row, bool]:
    """Return the content of a change's card as a visitor may see it, and whether parts are missing.

    It has the first questions with other answers. Raises Missing.
    """
    return _content(connection, site, who, "change", number, slice(_LOOKED_THROUGH))


def _content(
    connection: Connection, site: Site, who: Visitor, kind: str, number: int, some: slice
) -> tuple[Row, bool]:
    """(what a card says to a visitor, whether that is not all). Raises Missing.

    `some` are the questions with other answers that are shown.
    """
    about = _OF[kind](connection, number)
    if about is None or not who.hidden.shows(about.series_id):
        raise Missing(f"there is no {kind} {number}")
    try:
        if kind == "change":
            content = claim_content.change_content(connection, number, site.zone, some)
        else:
            content = claim_content.point_content(connection, number, site.zone)
    except InvalidInput as gone:
        raise Missing(str(gone)) from gone
    return _public(connection, who, about, content)


def _public(
    connection: Connection, who: Visitor, about: NumberSubject, content: Row
) -> tuple[Row, bool]:
    """A card without what would tell of captured people, or of numbers under embargo."""
    unsaid = Redaction(connection, who)
    less: Row = {
        "instrument_audit": unsaid.audit(content["instrument_audit"]),
        "declared": unsaid.declared(content["declared"]),
    }
    if content["kind"] == "change":
        sentence = unsaid.sentence(content["claim"], about.engine_id, about.target)
        less |= {"claim": sentence or _without_others(content)}
        less |= {"because": unsaid.because(content["because"])}
        if unsaid.hides(about.engine_id, about.target):
            less |= {"n_flips": 0, "flips": [], "components": []}
        elif content["series"]["engine_kind"] == Kind.SEARCH and not who.may(Permission.CAPTURED):
            less |= {"flips": [_unnamed(one) for one in content["flips"]]}
    is_partial = any(content[name] != value for name, value in less.items())
    return content | less, is_partial


def _without_others(content: Row) -> str:
    """A change in a sentence that names nothing but itself."""
    series = content["series"]
    return f"{series['quantity']} of {series['engine']}, {content['pair']}, changed."


def _unnamed(flip: Row) -> Row:
    """A question with its answers as they are kept, without what they show."""
    return flip | {
        side: [one | {"text": "", "said": [], "witnesses": []} for one in flip[side]]
        for side in ("before", "after")
    }
