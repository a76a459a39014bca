"""Claim cards: one published number with all that a hostile reader may ask for, and its proof.

The content is that of `monitor series claim`; files of a card are made as that command makes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, Literal, cast

from fastapi.responses import JSONResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from monitor.model import InvalidInput, Kind
from monitor.roles import Permission
from monitor.stages.changes.claim_support import Support
from monitor.stages.changes.claims import (
    Again,
    ChangeClaim,
    Claim,
    ClaimSeries,
    Declared,
    Flip,
    Noise,
    Value,
)
from monitor.stages.document.html import html_blocks, html_section
from monitor.stages.reports import claim_content, names
from monitor.stages.reports.claim_cards import SHOWN, write_card, write_claim, write_words
from monitor.store.changes import findings
from monitor.store.changes.findings import NumberSubject
from monitor.store.database import Connection
from monitor.store.reports.claim_facts import ClaimRun
from monitor.web.site.errors import Missing
from monitor.web.site.records import Described
from monitor.web.site.rendering import make_file
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import Number, PageNumber, make_router, serve_file, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Redaction, Visitor, Who

router = make_router("claims")

#: Of these an example is chosen for the card of an event.
_LOOKED_THROUGH = 60

_cache = ResponseCache(most=32)

Form = Literal["html", "txt", "json"]


class Tested(BaseModel):
    """A change as it was tested, and what became of it.

    `bounds` are the least and most that it could be, whatever the missing answers are, null where
    nothing bounds it; `missing_suspect` says whether it may be due to them, null where that was not
    computed. `missing` says both in words.
    """

    model_config = ConfigDict(from_attributes=True)

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

    model_config = ConfigDict(from_attributes=True)

    state: str
    reason: str
    bounds: tuple[float | None, float | None]
    flags: Sequence[str]


class ClaimCard(Described):
    """One number with all that it rests on: of a change or of a point, the other one is null."""

    kind: Literal["change", "point"]
    number: int
    series: ClaimSeries
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
    noise: Noise
    declared: Declared
    runs: Sequence[ClaimRun]
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
    first_screen: Markup = Field(exclude=True)
    """What is claimed, and what supports it."""
    sections: Mapping[str, Markup] = Field(exclude=True)
    page: int
    n_pages: int
    n_flips: int
    is_partial: bool
    """Whether words or answers are left out, which are not public."""


@serve_page(router, "/changes/{number}", "claim.html", Permission.NUMBERS)
def change(number: Number, site: TheSite, who: Who, page: PageNumber = 1) -> ClaimCard:
    """The claim card of a change, with the answers of both sides."""
    return _shown(site, who, "change", number, page)


@serve_page(router, "/points/{number}", "claim.html", Permission.NUMBERS)
def point(number: Number, site: TheSite, who: Who) -> ClaimCard:
    """The claim card of a point."""
    return _shown(site, who, "point", number, 1)


@serve_file(router, "/changes/{number}/card/{form}")
def change_file(number: Number, form: Form, site: TheSite, who: Who) -> Response:
    """The card of a change as a file."""
    return _file(site, who, "change", number, form)


@serve_file(router, "/points/{number}/card/{form}")
def point_file(number: Number, form: Form, site: TheSite, who: Who) -> Response:
    """The card of a point as a file."""
    return _file(site, who, "point", number, form)


def _file(site: Site, who: Visitor, kind: str, number: int, form: str) -> Response:
    with site.database.read() as connection:
        claim, _ = _read_claim(connection, site, who, kind, number, slice(None))
        claim = claim_content.add_chart(connection, claim, site.zone)
    made = write_card(claim, site.zone, site.public_url)
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
    claim, is_partial = _read_claim(connection, site, who, kind, number, some)
    is_change = isinstance(claim, ChangeClaim)
    flips, n_flips = (claim.flips, claim.n_flips) if isinstance(claim, ChangeClaim) else ((), 0)
    words = write_words(claim, site.zone, site.public_url)
    claim = claim_content.add_chart(connection, claim, site.zone)
    card = write_claim(claim, site.zone, site.public_url, "")
    own_fields = {field.name for field in fields(claim)} - {"flips", "n_flips"}
    return ClaimCard(
        **{name: getattr(claim, name) for name in ClaimCard.model_fields.keys() & own_fields},
        flips=flips,
        n_flips=n_flips,
        system=names.name_system(asdict(claim.series) | {"kind": claim.series.engine_kind}),
        change=Tested.model_validate(claim) if is_change else None,
        point=None if is_change else Measured.model_validate(claim),
        headline=words.headline,
        lead=words.lead,
        quote=words.quote,
        cite=words.citation,
        supports=words.checks,
        kicker=card.kicker,
        first_screen=html_blocks(card.page_one),
        sections={section.key: html_section(section) for section in card.sections},
        audit=claim.instrument_audit.said if claim.instrument_audit else [],
        page=page,
        n_pages=max(1, -(-n_flips // SHOWN)),
        is_partial=is_partial,
    )


def read_public_claim(
    connection: Connection, site: Site, who: Visitor, number: int
) -> tuple[ChangeClaim, bool]:
    """Return the claim of a change as a visitor may see it, and whether parts are missing.

    It has the first questions with other answers. Raises Missing.
    """
    claim, is_partial = _read_claim(connection, site, who, "change", number, slice(_LOOKED_THROUGH))
    return cast("ChangeClaim", claim), is_partial


def _read_claim(
    connection: Connection, site: Site, who: Visitor, kind: str, number: int, some: slice
) -> tuple[Claim, bool]:
    """(what a card says to a visitor, whether that is not all). Raises Missing.

    `some` are the questions with other answers that are shown.
    """
    about = findings.find_subject(connection, kind, number)
    if about is None or not who.hidden.shows(about.series_id):
        raise Missing(f"there is no {kind} {number}")
    try:
        claim = (
            claim_content.read_change_claim(connection, number, site.zone, some)
            if kind == "change"
            else claim_content.read_point_claim(connection, number, site.zone)
        )
    except InvalidInput as gone:
        raise Missing(str(gone)) from gone
    public = _redact(connection, who, about, claim)
    return public, public != claim


def _redact(connection: Connection, who: Visitor, about: NumberSubject, claim: Claim) -> Claim:
    """Return a claim without what would tell of captured people, or of numbers under embargo."""
    unsaid = Redaction(connection, who)
    claim = replace(
        claim,
        instrument_audit=unsaid.audit(claim.instrument_audit),
        declared=unsaid.declared(claim.declared),
    )
    if not isinstance(claim, ChangeClaim):
        return claim
    of_others = f"{claim.series.quantity} of {claim.series.engine}, {claim.pair}, changed."
    sentence = unsaid.sentence(claim.claim, about.engine_id, about.target) or of_others
    claim = replace(claim, claim=sentence, because=unsaid.because(claim.because))
    if unsaid.hides(about.engine_id, about.target):
        return replace(claim, n_flips=0, flips=[], components=[])
    if claim.series.engine_kind == Kind.SEARCH and not who.may(Permission.CAPTURED):
        return replace(claim, flips=[_hide_answers(flip) for flip in claim.flips])
    return claim


def _hide_answers(flip: Flip) -> Flip:
    """Return a question with its answers as they are kept, without what they show."""
    before, after = (
        [replace(answer, text="", said=[], witnesses=[]) for answer in side]
        for side in (flip.before, flip.after)
    )
    return replace(flip, before=before, after=after)
