"""The proof: everything that is kept of one answer, as it was asked, came back, and was read.

What was captured is text here, whatever it was; pictures are sent as pictures and nothing else.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from fastapi import Depends
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from monitor.model import BodyRemoved, StoreBusy, StoreGone, StoreProblem, StoreSlow
from monitor.roles import Permission
from monitor.stages import _report_text as text
from monitor.stages._report_text import Piece
from monitor.store.collect import bodies
from monitor.store.database import Connection
from monitor.store.publish import evidence_bundle
from monitor.store.reports import run_answers
from monitor.store.reports.run_answers import HeardPart
from monitor.web.site._download import SHUT, file
from monitor.web.site._errors import ANSWERS, Missing
from monitor.web.site._inputs import Number
from monitor.web.site._routes import API, page, pages
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("evidence")

#: Other answers that are shown, and characters of a body.
_OTHERS = 12
_SHOWN = 200_000
#: With more of them, brackets within brackets could become a hundred times as long as they came.
_BRACKETS = 10_000
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


class Content(BaseModel):
    """Something that was kept: its digest, and whether what is there now still has it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    sha256: str
    size: int
    matches: bool | None
    """Whether the digest was computed again just now and is the same; null where it was removed."""
    remark: str
    """When and why it was removed, or what is wrong with it; empty where all is well."""


class ListItem(BaseModel):
    """The entry of a probe list that asks this."""

    list: str
    key: str
    tags: dict[str, Any]


class Read(BaseModel):
    """How a part of the answer was read for grammatical gender, by one version of our rules."""

    rank: int
    text: str
    cue: str
    gender: str
    rule: str
    witnesses: Sequence[dict[str, Any]]
    rules: str
    pieces: Sequence[Piece] = Field(exclude=True)


class Shown(BaseModel):
    """One entry of an answer, in its block and at its rank; `label` is what is recorded of whom."""

    block: str
    rank: int
    title: str
    text: str
    url: str
    entity: str
    is_erased: bool
    label: str
    group: str
    source: str


class OtherAnswer(BaseModel):
    """The same system asked the same at another time: the first entry of what came, as it was read.

    `is_same` is whether the raw answer has the same bytes.
    """

    attempt: int
    run: int
    due_at: datetime
    outcome: str
    text: str
    gender: str
    is_same: bool


class Evidence(BaseModel):
    """One answer with all that is kept of it. Without `exchange` it was not asked yet."""

    model_config = ConfigDict(use_attribute_docstrings=True)

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
    list_items: Sequence[ListItem]
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
    body: Content | None
    screenshot: Content | None
    parser: str
    read_as: str
    """What the reading came to, with its reason."""
    items: Sequence[Shown]
    heard: Sequence[Read]
    others: Sequence[OtherAnswer]
    is_partial: bool
    """Whether parts are left out because they show captured pages or people."""
    raw: str | None = Field(exclude=True)


@page(router, "/evidence/{number}", "evidence.html", Permission.NUMBERS)
def evidence(number: Number, site: TheSite, who: Who) -> Evidence:
    """Everything that is kept of one answer."""
    with site.database.read() as connection:
        known = _seen(connection, who, number)
        row = evidence_bundle.read_evidence(connection, site.database, number)
        assert row is not None  # noqa: S101 - it was there in the same transaction
        found = _evidence(connection, site, row)
        found.heard = [_heard(one) for one in run_answers.read_heard_parts(connection, number)]
        digest = found.body.sha256 if found.body else ""
        found.others = [
            OtherAnswer(attempt=one.attempt, run=one.run, due_at=one.due_at,
                        outcome=one.outcome, text=one.text, gender=one.gender,
                        is_same=bool(digest) and one.sha256 == digest)
            for one in run_answers.read_other_answers(connection, number, known, _OTHERS)
            if who.hidden.shows_run(one.run)
        ]  # fmt: skip
    return found if who.may(Permission.CAPTURED) else _for_everybody(found, known)


def _seen(connection: Connection, who: Visitor, number: int) -> run_answers.AnswerSubject:
    """Whose answer it is. Raises Missing where there is none, or it is under embargo."""
    found = run_answers.find_subject(connection, number)
    if (
        found is not None
        and who.hidden.shows_run(found.run_id)
        and who.hidden.shows_answers(found.engine_id, found.target)
    ):
        return found
    raise Missing(f"there is no answer {number}")


def _evidence(connection: Connection, site: Site, row: dict[str, Any]) -> Evidence:
    exchange = row["exchange"] or {}
    reading = row["reading"] or {
        "parser": "",
        "outcome": "",
        "reason": "",
        "detail": "",
        "items": [],
    }
    body, raw = _body(connection, site, exchange.get("body"))
    screenshot, _ = _content(connection, site, exchange.get("screenshot"))
    return Evidence(
        attempt=row["attempt"], run=row["run"], job=row["job"], due_at=row["due_at"],
        question=row["question"], source_lang=row["source_lang"],
        target=row["region"] or row["target_lang"], probe=row["probe"], engine=row["engine"],
        surface=row["surface"], repeat=row["repeat"], n=row["try"], is_final=row["final"],
        list_items=[ListItem.model_validate(one) for one in row["list_items"]],
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
        items=[_shown(one) for one in reading["items"]],
        heard=[], others=[], is_partial=False, raw=raw,
    )  # fmt: skip


def _content(
    connection: Connection, site: Site, known: dict[str, Any] | None
) -> tuple[Content | None, bytes]:
    """A content with its digest computed anew, and its bytes."""
    if known is None:
        return None, b""
    kept = {"sha256": known["sha256"], "size": known["size"]}
    try:
        content = bodies.read_body(connection, site.database, known["id"])
    except BodyRemoved:
        return Content(**kept, matches=None, remark=known.get("removed", "removed")), b""
    except (StoreBusy, StoreGone, StoreSlow):
        raise  # that the database cannot be read now says nothing of an answer
    except StoreProblem as problem:
        return Content(**kept, matches=False, remark=str(problem)), b""
    return Content(**kept, matches=True, remark=""), content


def _body(
    connection: Connection, site: Site, known: dict[str, Any] | None
) -> tuple[Content | None, str | None]:
    found, content = _content(connection, site, known)
    if not content:
        return found, None
    written = content[:_SHOWN].decode(errors="replace")
    if len(content) <= _SHOWN and content.count(b"[") + content.count(b"{") <= _BRACKETS:
        with suppress(ValueError, RecursionError):
            written = json.dumps(json.loads(written), ensure_ascii=False, indent=2)
    return found, written


def _shown(one: dict[str, Any]) -> Shown:
    label = one["label"] or {"state": "", "group": "", "source": "", "as_of": None}
    on = f", {label['as_of']:%Y-%m-%d}" if label["as_of"] else ""
    return Shown(
        block=one["block"], rank=one["rank"], title=one["title"], text=one["text"], url=one["url"],
        entity=one["entity"], is_erased=one["erased"], label=label["state"], group=label["group"],
        source=f"{label['source']}{on}",
    )  # fmt: skip


def _heard(one: HeardPart) -> Read:
    return Read(
        rank=one.rank, text=one.text, cue=one.cue, gender=one.gender, rule=one.rule,
        witnesses=one.witnesses, rules=f"{one.language}@{one.version}",
        pieces=text.pieces(one.text, one.witnesses),
    )  # fmt: skip


def _for_everybody(found: Evidence, known: run_answers.AnswerSubject) -> Evidence:
    """Without what was captured of others: pages, pictures, people, and headers of services."""
    less: dict[str, Any] = {
        "raw": None, "headers": [], "request": {}, "observed": {}, "identity": {}, "url": "",
        "egress": "", "detail": "", "read_as": found.read_as.partition(": ")[0],
        "body": _unremarked(found.body), "screenshot": _unremarked(found.screenshot),
        "is_partial": True,
    }  # fmt: skip
    if known.is_search:
        less["items"] = []
        less["others"] = [one.model_copy(update={"text": ""}) for one in found.others]
    return found.model_copy(update=less)


def _unremarked(content: Content | None) -> Content | None:
    """Without the words of a fault, which can name folders of this machine."""
    if content is None or content.matches is not False:
        return content
    return content.model_copy(update={"remark": "it cannot be read, or is not what it was"})


# --- what was captured ----------------------------------------------------------------------------


@router.get("/evidence/{number}/screenshot", include_in_schema=False,
            dependencies=[Depends(needs(Permission.CAPTURED))])  # fmt: skip
def screenshot(number: Number, site: TheSite, who: Who) -> Response:
    """The picture of the page, if it is one."""
    content = _kept(site, who, number, "screenshot")
    kind = {_PNG: "image/png", _JPEG: "image/jpeg"}
    for mark, content_type in kind.items():
        if content.startswith(mark):
            return Response(content, media_type=content_type,
                            headers={"Content-Security-Policy": SHUT})  # fmt: skip
    return file(content, f"attempt-{number}.screenshot.txt", "application/octet-stream")


@router.get(API + "/evidence/{number}/body", responses=ANSWERS, response_class=Response,
            dependencies=[Depends(needs(Permission.RAW))])  # fmt: skip
def body(number: Number, site: TheSite, who: Who) -> Response:
    """The raw answer, byte by byte, as a file that no program opens by itself."""
    content = _kept(site, who, number, "body")
    return file(content, f"attempt-{number}.body.txt", "application/octet-stream")


def _kept(site: Site, who: Visitor, number: int, name: str) -> bytes:
    """Bytes that were kept of an answer. Raises Missing where there are none any more."""
    with site.database.read() as connection:
        _seen(connection, who, number)
        row = evidence_bundle.read_evidence(connection, site.database, number)
        known = (row or {}).get("exchange") or {}
        if not known.get(name):
            raise Missing(f"answer {number} has no {name}")
        try:
            return bodies.read_body(connection, site.database, known[name]["id"])
        except BodyRemoved as removed:
            raise Missing(str(removed)) from removed
