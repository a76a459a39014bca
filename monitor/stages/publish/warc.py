"""Writes the exchanges of a run as WARC/1.1, which archives of the web keep and read.

In go a run's facts and its exchanges, out come records: `request` and `response` of what went over
HTTP, `resource` for the page that a browser showed and for every other answer, screenshots, and
`metadata` that says of each exchange who was asked what, and how it ended. A body that was there
before is a `revisit`; one that was taken away is left out, and the metadata name it. Record ids and
dates follow from the evidence, so that the same run gives the same bytes.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from io import BytesIO
from typing import Any, BinaryIO
from urllib.parse import quote, urlsplit
from uuid import UUID

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from monitor import __version__
from monitor.model import canonical_json, digest
from monitor.stages.reports import run_annexes
from monitor.store.publish.run_exchanges import ArchivedContent, ArchivedExchange, ArchivedRun

VERSION = "WARC/1.1"
_CONFORMS = "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
#: Bodies are kept unpacked and whole, so these would not be true of them any more.
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]+")
_NAME = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]")
#: Characters that an address may have; any other is written as its code.
_OF_ADDRESSES = ":/?#[]@!$&'()*+,;=%~"
_REQUEST, _RESPONSE = "application/http; msgtype=request", "application/http; msgtype=response"


#: Gives the bytes of a stored content.
BodyOf = Callable[[int], bytes]


def _say_date(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def _say_address(url: str) -> str:
    return quote(url, safe=_OF_ADDRESSES)


def _say_line(text: object) -> str:
    """A text as the value of a header: on one line."""
    return _CONTROL.sub(" ", str(text)).strip()


@dataclass
class WarcArchive:
    """Writes records one after the other; remembers digests only."""

    out: BinaryIO
    packed: bool
    body_of: BodyOf
    run: ArchivedRun
    _seen: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._writer = WARCWriter(self.out, gzip=self.packed, warc_version=VERSION)
        self._base = digest([self.run.job, self.run.job_hash, _say_date(self.run.due_at)])

    # --- the run ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Write the record that says what follows."""
        fields = {
            "software": f"gbmonitor/{__version__}",
            "format": "WARC File Format 1.1",
            "conformsTo": _CONFORMS,
            "description": "Evidence of a run of monitor: what was asked, and what came back. "
            "Bodies are as they were kept: unpacked, keys by their names.",
            "run": self.run.id,
            "job": self.run.job,
            "job-sha256": self.run.job_hash,
            "run-kind": self.run.kind,
            "due-at": _say_date(self.run.due_at),
            "collected-by": f"gbmonitor/{self.run.code_version}",
            "exchanges": self.run.exchanges,
            **run_annexes.list_fields(self.run.content),
        }
        if self.run.removed:
            fields["left-out"] = f"{self.run.removed} contents that were removed"
        text = "".join(f"{name}: {_say_line(value)}\r\n" for name, value in fields.items()).encode()
        headers = self._headers("warcinfo", "", _say_date(self.run.created_at), text)
        self._write("", "warcinfo", text, headers, "application/warc-fields")

    # --- an exchange ------------------------------------------------------------------------------

    def add(self, exchange: ArchivedExchange) -> None:
        """Write all records of one exchange."""
        position = _say_date(exchange.asked_at)
        facts = _map_facts(exchange)
        mark = digest(facts)
        main = self._id("main", mark)
        address = _say_address(exchange.url or str(exchange.request.get("url", "")))
        address = address or f"urn:monitor:run:{self.run.id}:exchange:{exchange.id}"
        if "method" in exchange.request:
            self._request(exchange.request, position, mark, main)
        is_http = "method" in exchange.request and exchange.status is not None
        is_removed = exchange.body is not None and exchange.body.removed  # the metadata name it
        if not is_removed and (is_http or exchange.body is not None):
            kind = "response" if is_http else "resource"
            self._content(exchange.body, kind, address, position, main, exchange)
        if exchange.screenshot is not None and not exchange.screenshot.removed:
            shot = self._id("screenshot", mark)
            self._content(exchange.screenshot, "resource", f"urn:view:{address}", position, shot)
        text = canonical_json(facts).encode()
        headers = self._headers("metadata", self._id("metadata", mark), position, text)
        headers["WARC-Concurrent-To"] = main
        self._write(address, "metadata", text, headers, "application/json")

    def _request(self, request: Mapping[str, Any], at: str, mark: str, main: str) -> None:
        """A request as it was kept: its keys stand in it by their names."""
        parts = urlsplit(_say_address(str(request["url"])))
        target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        body = str(request.get("body", "")).encode()
        lines = [("Host", parts.netloc.rpartition("@")[2])]
        lines += [(str(name), _say_line(text)) for name, text in request.get("headers", ())]
        lines += [
            ("X-Monitor-Left-Out", _say_line(f"{where}: {key} = {name}"))
            for where in ("query_secrets", "body_secrets")
            for key, name in sorted(request.get(where, {}).items())
        ]
        if body:
            lines.append(("Content-Length", str(len(body))))
        http = StatusAndHeaders(
            f"{_say_line(request['method'])} {target} HTTP/1.1", lines, is_http_request=True
        )
        headers = self._headers("request", self._id("request", mark), at, body)
        headers["WARC-Concurrent-To"] = main
        self._write(_say_address(str(request["url"])), "request", body, headers, _REQUEST, http)

    def _content(
        self,
        content: ArchivedContent | None,
        kind: str,
        address: str,
        at: str,
        record_id: str,
        exchange: ArchivedExchange | None = None,  # None for a screenshot
    ) -> None:
        """A body under its address, or where it stands if it was written before."""
        body = b"" if content is None else self.body_of(content.id)
        http = _make_response(exchange, len(body)) if exchange and kind == "response" else None
        mime = _RESPONSE if http else _kind_of(exchange)
        headers = self._headers(kind, record_id, at, body)
        before = self._seen.get(content.sha256) if content else None
        if before is None:
            if content is not None:
                self._seen[content.sha256] = record_id, address, at
            self._write(address, kind, body, headers, mime, http)
            return
        headers |= {"WARC-Refers-To": before[0]}
        payload = headers.pop("WARC-Payload-Digest")
        record = self._writer.create_revisit_record(
            address, payload, before[1], before[2], http_headers=http, warc_headers_dict=headers
        )
        record.content_type = mime
        self._writer.write_record(record)

    # --- records ----------------------------------------------------------------------------------

    def _id(self, role: str, mark: str) -> str:
        number = bytes.fromhex(digest([self._base, role, mark]))[:16]
        return f"<urn:uuid:{UUID(bytes=number, version=5)}>"

    def _headers(self, kind: str, record_id: str, at: str, body: bytes) -> dict[str, str]:
        sha256 = digest_of(body)
        return {
            "WARC-Type": kind,
            "WARC-Record-ID": record_id or self._id(kind, sha256),
            "WARC-Date": at,
            "WARC-Payload-Digest": f"sha256:{base64.b32encode(bytes.fromhex(sha256)).decode()}",
        }

    def _write(
        self,
        address: str,
        kind: str,
        body: bytes,
        headers: Mapping[str, str],
        mime: str,
        http: StatusAndHeaders | None = None,
    ) -> None:
        record: ArcWarcRecord = self._writer.create_warc_record(
            address,
            kind,
            payload=BytesIO(body),
            length=len(body),
            warc_content_type=mime,
            warc_headers_dict=dict(headers),
            http_headers=http,
        )
        self._writer.write_record(record)


def digest_of(body: bytes) -> str:
    """SHA-256 of bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(body).hexdigest()


def _map_facts(exchange: ArchivedExchange) -> dict[str, Any]:
    """All that is known of an exchange but its contents, which stand in by their digests."""
    result = asdict(exchange)
    for name in ("body", "screenshot"):
        content = result.pop(name)
        result[f"{name}_sha256"] = content["sha256"] if content else None
        if content and content["removed"]:
            result[f"{name}_removed"] = content["removed"]
    return result | {"asked_at": _say_date(exchange.asked_at)}


def _make_response(exchange: ArchivedExchange, length: int) -> StatusAndHeaders:
    """Status and headers; those of the way over the wire under another name."""
    lines = []
    for name, text in exchange.headers:
        stored = _NAME.sub("-", str(name))
        moved = stored.lower() in _OF_THE_WIRE
        lines.append((f"X-Orig-{stored}" if moved else stored, _say_line(text)))
    lines.append(("Content-Length", str(length)))
    return StatusAndHeaders(f"{exchange.status} ", lines, protocol="HTTP/1.1")


def _kind_of(exchange: ArchivedExchange | None) -> str:
    """The content type of what did not come over HTTP as it stands."""
    if exchange is None:
        return "image/png"
    if "folder" in exchange.request:
        return "text/html"  # as the page says itself
    return "text/html; charset=utf-8" if "consent" in exchange.request else "application/json"


def write_archive(
    out: BinaryIO,
    run: ArchivedRun,
    exchanges: Iterable[ArchivedExchange],
    body_of: BodyOf,
    *,
    packed: bool,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Write a run; returns the number of exchanges. Holds one body at a time."""
    archive = WarcArchive(out, packed, body_of, run)
    archive.begin()
    done = 0
    for done, exchange in enumerate(exchanges, 1):
        archive.add(exchange)
        progress(done)
    return done
