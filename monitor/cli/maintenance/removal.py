"""Commands that take away what is kept: gc for what is past its time, erase for a person."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import settings
from monitor.cli.console import AsJson, emit_json, err, note, out, say, table
from monitor.cli.database import database
from monitor.cli.progress import counter
from monitor.model import InvalidInput, as_row
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.pipeline.maintenance import Erased, Swept

_MB = 1e6
_HOW = (
    "Everything is kept for ever: no job says how long. Days by class stand in a job file:\n"
    "  [governance]\n"
    "  retention = { answer = 730, screenshot = 90, lookup = 180, document = 365 }"
)


def gc(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would go; nothing is changed.")
    ] = False,
    vacuum: Annotated[
        bool,
        typer.Option(
            "--vacuum", help="Then write the database anew, smaller; takes time and room."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take away answers, screenshots, look-ups and documents whose days are over.

    How long each class is kept stands in the job file, under [governance]; without it everything is
    kept for ever. Points, readings, digests and sizes stay. Files of no answer go as well.
    """
    from monitor.pipeline.maintenance import collect_garbage
    from monitor.store.maintenance import retention

    with database() as opened:
        with counter("contents") as progress:
            swept = collect_garbage(opened, datetime.now(UTC), dry_run, progress)
        if vacuum and not dry_run:
            retention.compact_database(opened)
    if as_json:
        emit_json(_as_json(swept, vacuumed=vacuum and not dry_run))
        return
    _print_swept(swept)
    if not dry_run:
        _advise_vacuum(swept, vacuumed=vacuum)


def _as_json(swept: "Swept", *, vacuumed: bool) -> dict[str, object]:
    return {
        "dry_run": swept.dry_run,
        "jobs_with_retention": swept.policies,
        "removed": swept.n,
        "bytes": swept.size,
        "classes": swept.lines,
        "orphan_files": swept.orphans,
        "orphan_bytes": swept.orphans_size,
        "free_bytes": 0 if vacuumed else swept.free,
    }


def _print_swept(swept: "Swept") -> None:
    verb = "would go" if swept.dry_run else "went"
    if swept.policies:
        rows = [
            (
                line.job or "(no job)",
                line.kind,
                f"{line.days:,}" if line.days else "for ever",
                f"{line.n:,}",
                f"{line.size / _MB:,.1f}",
                f"{line.oldest:%Y-%m-%d}" if line.oldest else "-",
            )
            for line in swept.lines
        ]
        columns = ("job", "class", "days", verb, "MB", "oldest kept")
        out.print(table("", columns, rows))
    else:
        say(_HOW)
    if swept.orphans:
        size = f"{swept.orphans_size / _MB:,.1f} MB"
        out.print(
            f"{several(swept.orphans, 'file of no answer', 'files of no answer')} {verb} ({size})",
            soft_wrap=True,
        )


def _advise_vacuum(swept: "Swept", *, vacuumed: bool) -> None:
    """What is free inside the files of a SQLite database."""
    if vacuumed or not swept.n or not swept.free:
        return
    say(
        f"{swept.free / _MB:,.1f} MB are free inside the database for new answers; "
        "`monitor gc --vacuum` gives them back to the disk"
    )


_WORDS = {
    "items": "results of pages, their texts and addresses",
    "bodies": "answers, pages and screenshots",
    "documents": "texts behind results",
    "lookups": "look-ups",
    "people": "labels, resolutions and ratings",
    "donated": "donated pages",
}


def erase(
    what: Annotated[
        str,
        typer.Argument(
            metavar="PERSON|URL|DONOR",
            help="An entity (kg:/m/0abc), an item of Wikidata (Q42), a name as it was shown, an "
            "address (https://example.com/people/* means all that begin so), or a donor "
            "(donor:17).",
        ),
    ],
    reason: Annotated[
        str, typer.Option(help="Why, for example the number of the request; it is kept.")
    ],
    profession: Annotated[
        str, typer.Option(help="With a name: only whom answers about this profession show.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would go; nothing is changed.")
    ] = False,
    vacuum: Annotated[
        bool,
        typer.Option(
            "--vacuum/--no-vacuum",
            help="Write the database anew, so that its free pages hold nothing of it.",
        ),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Take away all that is kept of a person, an address or a donor, for ever.

    A tombstone with a keyed hash stays, so that whoever was erased is not looked up again; digests
    of everything else stay valid, and points that were published stay. Reports, exports and
    backups that were made before are files of your own: delete them yourself.
    """
    key = settings.load().address_key.get_secret_value()
    from monitor.store.maintenance.erasure_subjects import SHORTEST_KEY

    if key and len(key) < SHORTEST_KEY:
        raise InvalidInput(
            f"MONITOR_ADDRESS_KEY has {several(len(key), 'character')}: "
            f"with fewer than {SHORTEST_KEY}, "
            "hashed names and addresses can be found by trying; choose a long random text"
        )
    from monitor.pipeline.maintenance import Request, preview_erasure
    from monitor.pipeline.maintenance import erase_subject as erase_all

    request = Request(what, reason, key, profession)
    with database() as opened:
        if dry_run or not yes:
            with counter("rows") as progress:
                erased = preview_erasure(opened, request, progress)
            if not as_json or not dry_run:
                _print_erased(erased, "would go")
            if not dry_run and not typer.confirm("Erase this for ever?", err=True):
                raise InvalidInput("nothing was erased")
        if not dry_run:
            with counter("rows") as progress:
                erased = erase_all(
                    opened, request, datetime.now(UTC), compact=vacuum, progress=progress
                )
    if as_json:
        emit_json({"dry_run": dry_run} | as_row(erased))
    elif not dry_run:
        _print_erased(erased, "went")
        _print_consequences(erased)


def _print_erased(found: "Erased", verb: str) -> None:
    console = err if verb == "would go" else out
    for name, words in _WORDS.items():
        console.print(f"{found.counts[name]:>9,} {words} {verb}", soft_wrap=True)


def _print_consequences(found: "Erased") -> None:
    """What follows for runs, and where the subject stands nevertheless."""
    if not any(found.counts.values()):
        err.print(
            "nothing was known of it, as it is spelled here; only the tombstone was written",
            style="yellow",
        )
    if found.runs:
        runs = ", ".join(str(run) for run in found.runs)
        say(
            f"Runs that lose inputs: {runs}. Points that were published stay; compute them anew "
            "with `monitor redo`, whose values then say how much is missing."
        )
    for place, n in found.remains.items():
        note(
            f"{place}: {several(n, 'row still holds', 'rows still hold')} the name or address, "
            "out of lists or jobs of "
            "your own"
        )
