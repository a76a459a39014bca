"""The command that takes away all that is kept of a person or an address: erase."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from monitor import settings
from monitor.cli._console import counter, emit_json, err, out
from monitor.cli._open import database
from monitor.model import InvalidInput
from monitor.pipeline.erasing import Erased, Request, preview
from monitor.pipeline.erasing import erase as erase_all
from monitor.text.counted_nouns import several

_WORDS = {
    "items": "results of pages, their texts and addresses",
    "bodies": "answers, pages and screenshots",
    "documents": "texts behind results",
    "lookups": "look-ups",
    "people": "labels, resolutions and ratings",
}


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(erase)


def erase(
    what: Annotated[
        str,
        typer.Argument(
            metavar="PERSON|URL",
            help="An entity (kg:/m/0abc), an item of Wikidata (Q42), a name as it was shown, or an "
            "address; https://example.com/people/* means all that begin so.",
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Take away all that is kept of a person or an address, for ever.

    A tombstone with a keyed hash stays, so that whoever was erased is not looked up again; digests
    of everything else stay valid, and points that were published stay. Reports, exports and
    backups that were made before are files of your own: delete them yourself.
    """
    key = settings.load().address_key.get_secret_value()
    if key and len(key) < _SHORTEST_KEY:
        raise InvalidInput(
            f"MONITOR_ADDRESS_KEY has {several(len(key), 'character')}: "
            f"with fewer than {_SHORTEST_KEY}, "
            "hashed names and addresses can be found by trying; choose a long random text"
        )
    request = Request(what, reason, key, profession)
    with database() as opened:
        if dry_run or not yes:
            with counter("rows") as progress:
                found = preview(opened, request, progress)
            if not as_json or not dry_run:
                _show(found, "would go")
            if not dry_run and not typer.confirm("Erase this for ever?", err=True):
                raise InvalidInput("nothing was erased")
        if not dry_run:
            with counter("rows") as progress:
                found = erase_all(
                    opened, request, datetime.now(UTC), compact=vacuum, progress=progress
                )
    if as_json:
        counts = {name: getattr(found, name) for name in Erased.__slots__}
        emit_json({"dry_run": dry_run, **counts})
    elif not dry_run:
        _show(found, "went")
        _tell(found)


#: Characters of a key that nobody finds by trying.
_SHORTEST_KEY = 16


def _show(found: Erased, verb: str) -> None:
    console = err if verb == "would go" else out
    for name, words in _WORDS.items():
        console.print(f"{found.counts[name]:>9,} {words} {verb}", soft_wrap=True)


def _tell(found: Erased) -> None:
    """What follows for runs, and where the subject stands nevertheless."""
    if not any(found.counts.values()):
        err.print(
            "nothing was known of it, as it is spelled here; only the tombstone was written",
            style="yellow",
        )
    if found.runs:
        runs = ", ".join(str(run) for run in found.runs)
        out.print(
            f"Runs that lose inputs: {runs}. Points that were published stay; compute them anew "
            "with `monitor redo`, whose values then say how much is missing.",
            markup=False,
            soft_wrap=True,
        )
    for place, n in found.remains.items():
        err.print(
            f"{place}: {several(n, 'row still holds', 'rows still hold')} the name or address, "
            "out of lists or jobs of "
            "your own",
            markup=False,
            soft_wrap=True,
        )
