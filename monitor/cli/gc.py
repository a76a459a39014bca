"""The command that takes away what is kept no longer: gc."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from monitor.cli._console import counter, emit_json, out, table
from monitor.cli._open import database
from monitor.pipeline.sweeping import Line, Swept, collect_garbage
from monitor.text.counted_nouns import several

_MB = 1e6
_HOW = (
    "Everything is kept for ever: no job says how long. Days by class stand in a job file:\n"
    "  [governance]\n"
    "  retention = { answer = 730, screenshot = 90, lookup = 180, document = 365 }"
)


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(gc)


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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Take away answers, screenshots, look-ups and documents whose days are over.

    How long each class is kept stands in the job file, under [governance]; without it everything is
    kept for ever. Points, readings, digests and sizes stay. Files of no answer go as well.
    """
    from monitor.store.maintenance import cleanup

    with database() as opened:
        with counter("contents") as progress:
            swept = collect_garbage(opened, datetime.now(UTC), dry_run, progress)
        if vacuum and not dry_run:
            cleanup.compact_database(opened)
    if as_json:
        emit_json(_as_json(swept, vacuumed=vacuum and not dry_run))
        return
    _show(swept)
    if not dry_run:
        _advise(swept, vacuumed=vacuum)


def _as_json(swept: Swept, *, vacuumed: bool) -> dict[str, object]:
    lines = [{name: getattr(line, name) for name in Line.__slots__} for line in swept.lines]
    return {
        "dry_run": swept.dry_run,
        "jobs_with_retention": swept.policies,
        "removed": swept.n,
        "bytes": swept.size,
        "classes": lines,
        "orphan_files": swept.orphans,
        "orphan_bytes": swept.orphans_size,
        "free_bytes": 0 if vacuumed else swept.free,
    }


def _show(swept: Swept) -> None:
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
        out.print(_HOW, markup=False, soft_wrap=True)
    if swept.orphans:
        size = f"{swept.orphans_size / _MB:,.1f} MB"
        out.print(
            f"{several(swept.orphans, 'file of no answer', 'files of no answer')} {verb} ({size})",
            soft_wrap=True,
        )


def _advise(swept: Swept, *, vacuumed: bool) -> None:
    """What is free inside the files of a SQLite database."""
    if vacuumed or not swept.n or not swept.free:
        return
    out.print(
        f"{swept.free / _MB:,.1f} MB are free inside the database for new answers; "
        "`monitor gc --vacuum` gives them back to the disk",
        markup=False,
        soft_wrap=True,
    )
