"""Commands about the raw answers: show one question's, export a run's, verify digests."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monitor.cli.console import AsJson, emit_json, note, out, say, visible
from monitor.cli.database import database
from monitor.cli.files import in_existing_folder, new_binary_file, refuse_existing
from monitor.cli.progress import counter
from monitor.input_files import load_json
from monitor.model import InvalidInput, StoreProblem
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.store.database import Connection, Database

Row = Mapping[str, Any]

_PNG = b"\x89PNG\r\n\x1a\n"
_LONGEST = 160
#: Characters of an answer beside another.
_MOST_SHOWN = 600
_README = """\
Evidence saved by `monitor evidence show`. Captured pages and answers are hostile until proven
otherwise: pages end in .html.txt, so that no program runs them; open them in a text editor.

SHA-256 of every file, to be compared with the database and with `sha256sum -c SHA256SUMS`:

"""


# --- on the terminal ------------------------------------------------------------------------------


def print_exhibit(one: Row) -> None:
    """One try at a question: what was asked, what came back, what was read in it."""
    for line in _lines(one):
        say(visible(line))
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
    for part in one["read"]:
        yield f"  gender ({part['cue']}, {part['language']}@{part['version']}): {_say_part(part)}"


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else "-"


def _exchange(exchange: Row) -> Iterator[str]:
    words = ", ".join(part for part in (exchange["reason"], exchange["detail"]) if part)
    status = f", HTTP {exchange['status']}" if exchange["status"] is not None else ""
    yield (
        f"  exchange {exchange['id']}: {exchange['outcome']}{': ' + words if words else ''}{status}"
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
    words = ", ".join(part for part in (reading["reason"], reading["detail"]) if part)
    yield f"  read by {reading['parser']}: {reading['outcome']}{': ' + words if words else ''}"
    block = None
    for item in reading["items"]:
        if item["block"] != block:
            block = item["block"]
            yield f"  {block}"
        title = "" if item["overview"] and item["text"] else item["title"]  # that of its frame
        text = title or " ".join(item["text"].split())
        shown = "(erased)" if item["erased"] else text[:_LONGEST]
        state = item["overview"] and f"[state: {item['overview']}]"
        rest = [state, item["entity"], item["url"], _label(item["label"])]
        yield "  ".join([f"  {item['rank']:>4}", shown, *(part for part in rest if part)])
        for place, (title, url, _) in enumerate(item["sources"], 1):
            yield "  ".join([f"        source {place}", *filter(None, (title[:_LONGEST], url))])


def _say_part(part: Row) -> str:
    """Return `Je suis l'infirmière: feminine by infirmière (role_noun)` for a part of an answer."""
    words = ", ".join(str(witness["text"]) for witness in part["witnesses"])
    reason = f"{words} ({part['rule']})" if words else part["rule"]
    return f"{part['text'][:_LONGEST]}: {part['gender']} by {reason}"


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
    connection: "Connection", database: "Database", found: Sequence[Row], folder: Path
) -> list[str]:
    """Write pages, screenshots, answers and what is known of them; returns the names.

    What was taken away is not among them; what is known of the answer says when and why. Raises
    InvalidInput for a folder that has anything in it, StoreProblem for damaged evidence.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder}: is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digests: dict[str, str] = {}
    for row in found:
        for name, content in _files(connection, database, row):
            (folder / name).write_bytes(content)
            digests[name] = hashlib.sha256(content).hexdigest()
    sums = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    (folder / "README.txt").write_text(_README + sums, encoding="utf-8")
    return [*digests, "SHA256SUMS", "README.txt"]


def _files(connection: "Connection", database: "Database", one: Row) -> Iterator[tuple[str, bytes]]:
    from monitor.store.collect import bodies

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


evidence_commands = typer.Typer()
_MATCH = "stored answers match their digests"


def _read_attempt(connection: "Connection", opened: "Database", number: int) -> dict[str, Any]:
    from monitor.store.reports import run_report

    raw = run_report.read_evidence(connection, opened, number)
    if raw is None:
        raise InvalidInput(
            f"no attempt {number} in this database; `monitor evidence show RUN PROBE` shows those "
            "of a question with their numbers"
        )
    return raw | {"read": _list_parts(connection, number)}


def _list_parts(connection: "Connection", number: int) -> list[dict[str, Any]]:
    from monitor.store.reports import run_answers

    return [part._asdict() for part in run_answers.read_heard_parts(connection, number)]


def _print_beside(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Print what differs between two answers: their endings, the parts of each, how they begin."""
    from monitor.stages.collect.answer_shapes import find_shape

    sides = (first, second)
    shapes = [find_shape((side["body"] or "").encode(), ()) for side in sides]
    say(f"attempts {first['attempt_id']} | {second['attempt_id']}")
    for name in ("probe", "engine", "asked_at", "outcome", "reason", "status"):
        if first[name] != second[name]:
            say(f"{name}: {visible(first[name])} | {visible(second[name])}")
    for side in sides:
        for part in side["read"]:
            say(f"read in {side['attempt_id']}: {visible(_say_part(part))}")
    for part in sorted(shapes[0] ^ shapes[1]):
        there = ["there" if part in shape else "not there" for shape in shapes]
        say(f"part {visible(part)}: {' | '.join(there)}")
    for side in sides if first["exchange_id"] != second["exchange_id"] else ():
        body = side.get("body_removed") or side["body"] or "no content"
        say(f"answer {side['attempt_id']}: {visible(body[:_MOST_SHOWN])}")


@evidence_commands.command()
def show(
    number: Annotated[
        int, typer.Argument(help="attempt_id as in the view answers; with PROBE, the run.")
    ],
    probe: Annotated[
        str | None,
        typer.Argument(
            help="A question of the run: list item key, text, or first letters of a probe key.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Folder to write page, screenshot and answer into.", callback=in_existing_folder
        ),
    ] = None,
    beside: Annotated[
        int | None,
        typer.Option(help="Another attempt: what differs between both answers, side by side."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the evidence: the question, who was asked when, what came back, and what was read.

    `show 12` prints attempt 12 as JSON, the raw answer with it. `show 12 list-of-philosophers`
    shows that question of run 12: every engine, region and try, the blocks of the page with the
    recorded group of whom they show, and where page and screenshot are.
    """
    from monitor.store.publish import run_exchanges

    if beside is not None and (probe is not None or as_json):
        raise InvalidInput("--beside takes one attempt, and neither PROBE nor --json")
    with database() as opened, opened.read() as connection:
        if probe is None:
            raw = _read_attempt(connection, opened, number)
            other = None if beside is None else _read_attempt(connection, opened, beside)
            attempts = [number] if save else []
        else:
            chosen_probes = run_exchanges.find_probes(connection, number, probe)
            attempts = run_exchanges.find_attempts(connection, number, chosen_probes)
        exhibits = [
            one | {"read": _list_parts(connection, each)}
            for each in attempts
            if (one := run_exchanges.read_evidence(connection, opened, each))
        ]
        saved = save_exhibits(connection, opened, exhibits, save) if save else []
    if probe is None and other is not None:
        _print_beside(raw, other)
    elif probe is None:
        emit_json(raw)
    elif as_json:
        emit_json(exhibits)
    else:
        for one in exhibits:
            print_exhibit(one)
    if saved:
        note(f"{several(len(saved), 'file')} in {save}")


@evidence_commands.command()
def export(
    run: Annotated[int, typer.Argument(help="Run id; see `monitor status`.")],
    output: Annotated[
        Path | None,
        typer.Option(
            help="File to write, .warc.gz or .warc; out/run-RUN.warc.gz if left out.",
            callback=in_existing_folder,
        ),
    ] = None,
    probe: Annotated[
        str | None, typer.Option(help="Only this question: item key, text or probe key.")
    ] = None,
) -> None:
    """Write the evidence of a run as a WARC/1.1 file, for archives and for other programs.

    Requests and answers, pages and screenshots; keys by their names, and nothing about people. The
    same run gives the same bytes. `monitor run` reads it back with the engine saved_pages.
    """
    from monitor.stages.publish import warc
    from monitor.store.collect import bodies
    from monitor.store.publish import run_exchanges

    goal = output or Path("out") / f"run-{run}.warc.gz"
    if not goal.name.endswith((".warc", ".warc.gz")):
        raise InvalidInput(f"{goal}: name a file that ends in .warc.gz or .warc")
    _refuse(goal)
    with database() as opened, opened.read() as connection:
        chosen = None if probe is None else run_exchanges.find_probes(connection, run, probe)
        facts = run_exchanges.read_run(connection, run, chosen)
        with new_binary_file(goal) as file, counter("exchanges") as progress:
            written = warc.write_archive(
                file,
                facts,
                run_exchanges.read_exchanges(connection, run, chosen),
                lambda body_id: bodies.read_body(connection, opened, body_id),
                packed=goal.name.endswith(".gz"),
                progress=progress,
            )
    gone = f", {several(facts.removed, 'removed content')} left out" if facts.removed else ""
    note(f"{several(written, 'exchange')} of run {run}: {goal}{gone}")


def _refuse(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise InvalidInput(f"{path}: is there already; name another file, or move it away")
    refuse_existing(path, force=False)


@evidence_commands.command()
def verify(
    run: Annotated[int | None, typer.Argument(help="Only this run; all if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the digest of every stored answer and screenshot; names all that do not match.

    Look-ups about people are among them. What was removed after its time, or erased, is counted
    apart. Exit code 4 where anything is missing, cut or changed.
    """
    from monitor.store.publish import run_exchanges, verification

    with database() as opened, opened.read() as connection, counter("answers") as progress:
        if run is not None:
            run_exchanges.require_run(connection, run)
        result = verification.verify_contents(connection, opened, run, progress)
    if as_json:
        names = ("checked", "broken", "removed", "damages")
        emit_json({name: getattr(result, name) for name in names})
    else:
        for damage in result.damages:
            say(visible(damage))
    if result.damages:
        first = visible(result.damages[0])
        raise StoreProblem(
            f"{result.broken:,} of {several(result.checked, 'stored answer')} are not what they "
            "were; the "
            f"first is the {first}"
        )
    if not as_json:
        gone = f"; {result.removed:,} were removed" if result.removed else ""
        out.print(f"{several(result.checked, 'stored answer matches its digest', _MATCH)}{gone}")
