"""Saved pages for tests: small invented pages of engines, and the files that hold them."""

import base64
import csv
import gzip
import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.factories import make_job, make_list

QUESTION = "list of chess players"
AT = datetime(2023, 7, 27, 3, 56, 4, tzinfo=UTC)
_RECORDINGS = Path(__file__).parent / "engines" / "recordings"


def page(question=QUESTION, engine="google_web", name="ok"):
    """A page of results with two organic results, of Google with two tiles."""
    kept = json.loads((_RECORDINGS / engine / f"{name}.json").read_text("utf-8"))
    return kept["body"].replace(QUESTION, question).encode()


def address(question=QUESTION, host="www.google.com"):
    return f"https://{host}/search?q={question.replace(' ', '+')}&hl=en"


def write(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def index(folder, rows, columns=("file", "query", "captured_at", "engine", "region")):
    """Write an index.csv; rows are dicts."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "index.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, restval="")
        table.writeheader()
        table.writerows(rows)


def warc(records, packed=True):
    """A WARC of (address, content, {status, headers, date, kind}) with a warcinfo before them."""
    out = BytesIO()
    writer = WARCWriter(out, gzip=packed, warc_version="WARC/1.1")
    writer.write_record(writer.create_warcinfo_record("x.warc.gz", {"software": "test"}))
    for url, content, extra in records:
        more = {
            "status": "200 OK",
            "headers": [("Content-Type", "text/html; charset=UTF-8")],
            "date": "2023-07-27T03:56:04Z",
            "kind": "response",
        } | extra
        http = StatusAndHeaders(more["status"], more["headers"], protocol="HTTP/1.1")
        record = writer.create_warc_record(
            url,
            more["kind"],
            payload=BytesIO(content),
            length=len(content),
            warc_content_type="" if more["kind"] == "response" else "text/html",
            warc_headers_dict={"WARC-Date": more["date"]},
            http_headers=http if more["kind"] == "response" else None,
        )
        writer.write_record(record)
    return out.getvalue()


def har_entry(url, content, at="2023-07-27T03:56:04.000Z", status=200, coded=False, **content_more):
    text = base64.b64encode(content).decode() if coded else content.decode()
    coding = {"encoding": "base64"} if coded else {}
    return {
        "startedDateTime": at,
        "request": {"method": "GET", "url": url},
        "response": {
            "status": status,
            "headers": [
                {"name": "Content-Type", "value": "text/html"},
                {"name": "Set-Cookie", "value": "NID=personal"},
            ],
            "content": {"mimeType": "text/html; charset=UTF-8", "text": text}
            | coding
            | content_more,
        },
    }


def har(entries):
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


def mhtml(content, url=None, date="Thu, 27 Jul 2023 03:56:04 -0000"):
    coded = base64.encodebytes(content).decode()
    where = f"Snapshot-Content-Location: {url}\r\n" if url else ""
    return (
        f"From: <Saved by Blink>\r\n{where}Date: {date}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n--b\r\n'
        f"Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n{coded}\r\n--b\r\n"
        "Content-Type: image/png\r\n\r\nx\r\n--b--\r\n"
    ).encode()


def gzipped(content):
    return gzip.compress(content, mtime=0)


def saved_job(place, questions=(QUESTION,), **config):
    """A job on saved pages in `pages`, and its list; returns the job's path."""
    items = [
        {"key": question.replace(" ", "-"), "text": question, "occupation": f"o{n}"}
        for n, question in enumerate(questions)
    ]
    make_list(place, items=items, cue="people")
    return make_job(
        place,
        schedule={"cron": "0 5 * * mon", "catch_up": "all"},
        engines=[
            {
                "name": "saved_pages",
                "regions": ["us-en"],
                "config": {"folder": "pages", **config},
            }
        ],
        measures=[{"name": "c_ratio_bias", "references": ["parity"]}],
    )
