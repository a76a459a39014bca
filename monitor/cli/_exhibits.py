"""Evidence for people: on the terminal, and as files that no double click brings to life."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from monitor.cli._console import out
from monitor.cli._visible import visible
from monitor.input_files import load_json
from monitor.model import InvalidInput
from monitor.store.collect import bodies
from monitor.store.database import Connection, Database

Row = Mapping[str, Any]

_PNG = b"\x89PNG\r\n\x1a\n"
_LONGEST = 160
_README = """\
Evidence saved by `monitor evidence show`. Captured pages and answers are hostile until proven
otherwise: pages end in .html.txt, so that no program runs them; open them in a text editor.

SHA-256 of every file, to be compared with the database and with `sha256sum -c SHA256SUMS`:

"""


# --- on the terminal ------------------------------------------------------------------------------


def print_exhibit(one: Row) -> None:
    """One try at a question: what was asked, what came back, what was read in it."""
    for line in _lines(one):
        out.print(visible(line), markup=False, soft_wrap=True)
    out.print()


def _lines(one: Row) -> Iterator[str]:
    where = one["region"] or one["target_lang"] or "-"
    yield f"{one['question']!r} ({one['source_lang']}), {one['engine']}, {where}"
    yield f"  run {one['run']} of {one['job']}, due {_time(one['due_at'])}; probe {one['probe']}"
    for item in one["list_items"]:
        yield f"  list item {item['key']} of {item['list']}"
    last = ", the last" if one["final"] else ""
    yield f"  attempt {one['attempt']}: repeat {one['repeat']}, try {one['try']}{last}"
    exchange = one["exchange"]
    if exchange is None:
        yield "  not asked yet"
        return
    yield from _exchange(exchange)
    yield from _reading(one["reading"])


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else "-"


def _exchange(exchange: Row) -> Iterator[str]:
    said = ", ".join(part for part in (exchange["reason"], exchange["detail"]) if part)
    status = f", HTTP {exchange['status']}" if exchange["status"] is not None else ""
    yield (
        f"  exchange {exchange['id']}: {exchange['outcome']}{': ' + said if said else ''}{status}"
    )
    yield f"  asked {_time(exchange['asked_at'])}, took {exchange['took']:.1f} s"
    yield f"  address {exchange['url'] or exchange['request'].get('url') or '-'}"
    if exchange["egress"]:
        yield f"  left by the exit {exchange['egress']}"
    for title, pairs in (("agent", exchange["agent"]), ("observed", exchange["observed"])):
        if pairs:
            yield f"  {title}: {', '.join(f'{k}={v}' for k, v in sorted(pairs.items()))}"
    for name, text in exchange["headers"]:
        yield f"  header {name}: {text}"
    for title in ("body", "screenshot"):
        content = exchange[title]
        if content:
            yield f"  {title}: {content['size']:,} bytes, sha256 {content['sha256']}"
            yield f"    {_where(content)}"


def _where(content: Row) -> str:
    """Where a content is, or when and why it was taken away."""
    return f"in {content['place']}" if "place" in content else content["removed"]


def _reading(reading: Row | None) -> Iterator[str]:
    if reading is None:
        yield "  not read"
        return
    said = ", ".join(part for part in (reading["reason"], reading["detail"]) if part)
    yield f"  read by {reading['parser']}: {reading['outcome']}{': ' + said if said else ''}"
    block = None
    for item in reading["items"]:
        if item["block"] != block:
            block = item["block"]
            yield f"  {block}"
        shown = "(erased)" if item["erased"] else (item["title"] or item["text"])[:_LONGEST]
        rest = [item["entity"], item["url"], _label(item["label"])]
        yield "  ".join([f"  {item['rank']:>4}", shown, *(part for part in rest if part)])


def _label(label: Row | None) -> str:
    """What is recorded of whom an item shows; nothing is guessed."""
    if label is None:
        return ""
    if not label["group"]:
        return f"[{label['state']}: no recorded group]"
    on = f"{label['as_of']:%Y-%m-%d}" if label["as_of"] else "an unknown day"
    return f"[recorded as {label['group']} in {label['source']} on {on}]"


# --- as files -------------------------------------------------------------------------------------


def save_exhibits(
    connection: Connection, database: Database, found: Sequence[Row], folder: Path
) -> list[str]:
    """Write pages, screenshots, answers and what is known of them; returns the names.

    What was taken away is not among them; what is known of the answer says when and why. Raises
    InvalidInput for a folder that has anything in it, StoreProblem for damaged evidence.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder}: is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digests: dict[str, str] = {}
    for one in found:
        for name, content in _files(connection, database, one):
            (folder / name).write_bytes(content)
            digests[name] = hashlib.sha256(content).hexdigest()
    sums = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    (folder / "README.txt").write_text(_README + sums, encoding="utf-8")
    return [*digests, "SHA256SUMS", "README.txt"]


def _files(connection: Connection, database: Database, one: Row) -> Iterator[tuple[str, bytes]]:
    base = f"attempt-{one['attempt']}"
    exchange = one["exchange"] or {}
    if body := _there(exchange.get("body")):
        content = bodies.read_body(connection, database, body["id"])
        yield f"{base}{_suffix(content)}", content
    if shot := _there(exchange.get("screenshot")):
        content = bodies.read_body(connection, database, shot["id"])
        # a picture that is none is not called one
        yield f"{base}.{'png' if content.startswith(_PNG) else 'screenshot.txt'}", content
    about = json.dumps(one, ensure_ascii=False, indent=2, default=str)
    yield f"{base}.about.json", about.encode("utf-8", "replace")


def _there(content: Row | None) -> Row | None:
    return content if content and "place" in content else None


def _suffix(content: bytes) -> str:
    """JSON is called so; all else is a text, and a page of the web one that says what it is."""
    try:
        load_json(content)
    except ValueError:
        return ".html.txt" if b"<" in content[:4096] else ".txt"
    return ".json"
