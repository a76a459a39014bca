"""The evidence page: everything stored of one answer: request, response and reading.

Captured content is shown as text; pictures are sent as pictures and nothing else.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from fastapi import Depends
from fastapi.responses import Response
from pydantic import BaseModel, Field

from monitor.model import Block, BodyRemoved, StoreBusy, StoreGone, StoreProblem, StoreSlow
from monitor.roles import Permission
from monitor.stages.document import notation
from monitor.stages.document.notation import Piece
from monitor.store.collect import bodies
from monitor.store.database import Connection
from monitor.store.publish import run_exchanges
from monitor.store.reports import run_answers
from monitor.web.site.errors import ANSWERS, Missing
from monitor.web.site.records import Described, copy_record
from monitor.web.site.rendering import SHUT, make_file
from monitor.web.site.routes import API, Number, make_router, serve_file, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who, require_permission

router = make_router("evidence")

#: Other answers that are shown, and characters of a body.
_MOST_OTHERS = 12
_MOST_CHARACTERS = 200_000
#: With more of them, brackets within brackets could become a hundred times as long as they came.
_MOST_BRACKETS = 10_000
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


class StoredContent(Described):
    """A stored body or picture, with its recorded digest and the result of checking it."""

    sha256: str
    size: int
    matches: bool | None
    """Whether the digest was computed again just now and is the same; null where it was removed."""
    remark: str
    """When and why it was removed, or what is wrong with it; empty where all is well."""


class AskedListItem(BaseModel):
    """Entry of a probe list with this question."""

    list: str
    key: str
    tags: dict[str, Any]


class ReadPart(BaseModel):
    """Grammatical gender of a part of the answer, as read by one version of the rules."""

    rank: int
    text: str
    cue: str
    gender: str
    rule: str
    witnesses: Sequence[dict[str, Any]]
    rules: str
    pieces: Sequence[Piece] = Field(exclude=True)


class CitedPage(BaseModel):
    """Page that an AI overview cites."""

    title: str
    url: str
    domain: str


class ShownEntry(BaseModel):
    """Entry of an answer, by block and rank; `label` is that of the person shown.

    An AI overview has its state and the pages that it cites, in their order.
    """

    block: str
    rank: int
    title: str
    text: str
    url: str
    entity: str
    is_erased: bool
    overview: str
    sources: Sequence[CitedPage]
    label: str
    group: str
    source: str

    @property
    def block_title(self) -> str:
        """Return what the block is called."""
        return _BLOCK_TITLES.get(self.block, self.block.replace("_", " "))

    @property
    def is_uncertain(self) -> bool:
        """Return whether a text names this, and it may be no person."""
        return self.block in (Block.PEOPLE, Block.OVERVIEW_PEOPLE) and not self.title


#: Blocks whose names are no words.
_BLOCK_TITLES: Mapping[str, str] = {
    Block.AI_OVERVIEW: "AI overview",
    Block.ORGANIC: "web result",
    Block.PEOPLE: "person named",
    Block.OVERVIEW_PEOPLE: "person named in the overview",
}


class OtherAnswer(BaseModel):
    """Another answer of the same system to the same question: its first entry, as read.

    `is_same` is whether the raw answer has the same bytes.
    """

    attempt: int
    run: int
    due_at: datetime
    outcome: str
    text: str
    gender: str
    is_same: bool


class Evidence(Described):
    """One answer with everything stored of it. `exchange` is absent before it was asked."""

    attempt: int
    run: int
    job: str
    due_at: datetime
    question: str
    source_lang: str
    target: str
    probe: str
    engine: str
    surface: str
    repeat: int
    n: int
    """Which try it was; a question that failed is asked again."""
    is_final: bool
    """Whether this is the try that counts."""
    list_items: Sequence[AskedListItem]
    asked_at: datetime | None
    took: float | None
    """Seconds."""
    outcome: str
    reason: str
    detail: str
    status: int | None
    egress: str
    identity: dict[str, Any]
    """What the system said that it is."""
    observed: dict[str, Any]
    request: dict[str, Any]
    url: str
    headers: Sequence[tuple[str, str]]
    body: StoredContent | None
    screenshot: StoredContent | None
    parser: str
    read_as: str
    """What the reading came to, with its reason."""
    items: Sequence[ShownEntry]
    heard: Sequence[ReadPart]
    others: Sequence[OtherAnswer]
    is_partial: bool
    """Whether parts are left out because they show captured pages or people."""
    raw: str | None = Field(exclude=True)


@serve_page(router, "/evidence/{number}", "evidence.html", Permission.NUMBERS, is_live=True)
def evidence(number: Number, site: TheSite, who: Who) -> Evidence:
    """Return everything stored of one answer."""
    with site.database.read() as connection:
        about = require_answer(connection, who, number)
        row = run_exchanges.read_evidence(connection, site.database, number)
        assert row is not None  # noqa: S101 - it was there in the same transaction
        content = _make_evidence(connection, site, row)
        content.heard = [
            copy_record(
                ReadPart,
                part,
                rules=f"{part.language}@{part.version}",
                pieces=notation.pieces(part.text, part.witnesses),
            )
            for part in run_answers.read_heard_parts(connection, number)
        ]
        digest = content.body.sha256 if content.body else ""
        content.others = [
            copy_record(OtherAnswer, stored, is_same=bool(digest) and stored.sha256 == digest)
            for stored in run_answers.read_other_answers(connection, number, about, _MOST_OTHERS)
            if who.hidden.shows_run(stored.run)
        ]
    return content if who.may(Permission.CAPTURED) else _make_public(content, about)


def require_answer(connection: Connection, who: Visitor, number: int) -> run_answers.AnswerSubject:
    """Return run and system of an answer. Raise Missing if absent or under embargo."""
    about = run_answers.find_subject(connection, number)
    if (
        about is not None
        and who.hidden.shows_run(about.run_id)
        and who.hidden.shows_answers(about.engine_id, about.target)
    ):
        return about
    raise Missing(f"there is no answer {number}")


def _make_evidence(connection: Connection, site: Site, row: dict[str, Any]) -> Evidence:
    exchange = row["exchange"] or {}
    reading = row["reading"] or dict.fromkeys(("parser", "outcome", "reason", "detail"), "")
    body, raw = _read_body(connection, site, exchange.get("body"))
    screenshot, _ = _read_content(connection, site, exchange.get("screenshot"))
    return Evidence(
        attempt=row["attempt"], run=row["run"], job=row["job"], due_at=row["due_at"],
        question=row["question"], source_lang=row["source_lang"],
        target=row["region"] or row["target_lang"], probe=row["probe"], engine=row["engine"],
        surface=row["surface"], repeat=row["repeat"], n=row["try"], is_final=row["final"],
        list_items=[AskedListItem.model_validate(entry) for entry in row["list_items"]],
        asked_at=exchange.get("asked_at"), took=exchange.get("took"),
        outcome=exchange.get("outcome", "not asked"), reason=exchange.get("reason", ""),
        detail=exchange.get("detail", ""), status=exchange.get("status"),
        egress=exchange.get("egress", ""), identity=exchange.get("agent") or {},
        observed=exchange.get("observed") or {}, request=exchange.get("request") or {},
        url=exchange.get("url", ""), headers=exchange.get("headers") or [], body=body,
        screenshot=screenshot, parser=reading["parser"],
        read_as=": ".join(
            part for part in (reading["outcome"], reading["reason"], reading["detail"]) if part
        ),
        items=[_make_entry(entry) for entry in reading.get("items", ())],
        heard=[], others=[], is_partial=False, raw=raw,
    )  # fmt: skip


def _read_content(
    connection: Connection, site: Site, reference: dict[str, Any] | None
) -> tuple[StoredContent | None, bytes]:
    """Return a content with its digest computed again, and its bytes."""
    if reference is None:
        return None, b""
    stored = {"sha256": reference["sha256"], "size": reference["size"]}
    try:
        content = bodies.read_body(connection, site.database, reference["id"])
    except BodyRemoved:
        return StoredContent(
            **stored, matches=None, remark=reference.get("removed", "removed")
        ), b""
    except (StoreBusy, StoreGone, StoreSlow):
        raise  # that the database cannot be read now says nothing of an answer
    except StoreProblem as problem:
        return StoredContent(**stored, matches=False, remark=str(problem)), b""
    return StoredContent(**stored, matches=True, remark=""), content


def _read_body(
    connection: Connection, site: Site, reference: dict[str, Any] | None
) -> tuple[StoredContent | None, str | None]:
    stored, content = _read_content(connection, site, reference)
    if not content:
        return stored, None
    written = content[:_MOST_CHARACTERS].decode(errors="replace")
    if (
        len(content) <= _MOST_CHARACTERS
        and content.count(b"[") + content.count(b"{") <= _MOST_BRACKETS
    ):
        with suppress(ValueError, RecursionError):
            written = json.dumps(json.loads(written), ensure_ascii=False, indent=2)
    return stored, written


def _make_entry(item: dict[str, Any]) -> ShownEntry:
    label = item["label"] or {"state": "", "group": "", "source": "", "as_of": None}
    on = f", {label['as_of']:%Y-%m-%d}" if label["as_of"] else ""
    copied = ("block", "rank", "title", "text", "url", "entity", "overview")
    return ShownEntry(
        **{name: item[name] for name in copied},
        is_erased=item["erased"],
        sources=[
            CitedPage(title=title, url=url, domain=domain) for title, url, domain in item["sources"]
        ],
        label=label["state"],
        group=label["group"],
        source=f"{label['source']}{on}",
    )


def _make_public(evidence: Evidence, about: run_answers.AnswerSubject) -> Evidence:
    """Return the evidence without captured pages, people, and headers of services."""
    less: dict[str, Any] = {
        "raw": None, "headers": [], "request": {}, "observed": {}, "identity": {}, "url": "",
        "egress": "", "detail": "", "read_as": evidence.read_as.partition(": ")[0],
        "body": _drop_remark(evidence.body), "screenshot": _drop_remark(evidence.screenshot),
        "is_partial": True,
    }  # fmt: skip
    if about.is_search:
        less["items"] = []
        less["others"] = [answer.model_copy(update={"text": ""}) for answer in evidence.others]
    return evidence.model_copy(update=less)


def _drop_remark(content: StoredContent | None) -> StoredContent | None:
    """Return the content without a message that can name local folders."""
    if content is None or content.matches is not False:
        return content
    return content.model_copy(update={"remark": "it cannot be read, or is not what it was"})


# --- what was captured ----------------------------------------------------------------------------


@serve_file(router, "/evidence/{number}/screenshot", Permission.CAPTURED)
def screenshot(number: Number, site: TheSite, who: Who) -> Response:
    """Return the screenshot of the page."""
    content = _read_bytes(site, who, number, "screenshot")
    kind = {_PNG: "image/png", _JPEG: "image/jpeg"}
    for mark, content_type in kind.items():
        if content.startswith(mark):
            return Response(content, media_type=content_type,
                            headers={"Content-Security-Policy": SHUT})  # fmt: skip
    return make_file(content, f"attempt-{number}.screenshot.txt", "application/octet-stream")


@router.get(API + "/evidence/{number}/body", responses=ANSWERS, response_class=Response,
            dependencies=[Depends(require_permission(Permission.RAW))])  # fmt: skip
def body(number: Number, site: TheSite, who: Who) -> Response:
    """Return the raw answer as a file that no program opens by itself."""
    content = _read_bytes(site, who, number, "body")
    return make_file(content, f"attempt-{number}.body.txt", "application/octet-stream")


def _read_bytes(site: Site, who: Visitor, number: int, name: str) -> bytes:
    """Return stored bytes of an answer. Raise Missing if there are none."""
    with site.database.read() as connection:
        require_answer(connection, who, number)
        row = run_exchanges.read_evidence(connection, site.database, number)
        exchange = (row or {}).get("exchange") or {}
        if not exchange.get(name):
            raise Missing(f"answer {number} has no {name}")
        try:
            return bodies.read_body(connection, site.database, exchange[name]["id"])
        except BodyRemoved as removed:
            raise Missing(str(removed)) from removed
