"""Commands about audits of the instrument: draw a sample, take in what people read, show it."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor.cli._console import busy, emit_json, err
from monitor.cli._files import in_existing_folder, new_file, refuse_existing
from monitor.cli._names import known_job
from monitor.cli._open import database
from monitor.cli._visible import visible
from monitor.model import InvalidInput

if TYPE_CHECKING:
    from monitor.pipeline.auditing import Drawn, Imported
    from monitor.store.database import Database

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
_MOST_SEED = 64
_app = typer.Typer(
    help="How often our reading of gender is right: samples for people to read, and what they say.",
    no_args_is_help=True,
)


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(_app, name="audit")


@_app.command()
def draw(
    job: Annotated[str, typer.Argument(help="Name of a job with runs in the database.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Sheet to write; audit-JOB-NUMBER.csv if left out.",
            callback=in_existing_folder,
        ),
    ] = None,
    run: Annotated[int | None, typer.Option(help="Run to draw from; else the newest.")] = None,
    per_class: Annotated[
        int, typer.Option(min=1, max=10_000, help="Texts of each language and called class.")
    ] = 20,
    by_system: Annotated[
        bool,
        typer.Option(
            "--by-system", help="So many of each engine and list as well: corrects their rates."
        ),
    ] = False,
    seed: Annotated[
        str, typer.Option(help="What the draw depends on; follows from the run if left out.")
    ] = "",
) -> None:
    """Draw translations at random for people to read, so many of each called class.

    The sheet hides engine, question and what our rules found. What was drawn is written down before
    anybody reads it; the same command gives the same sheet again. docs/audits.md says how to go on.
    """
    from monitor.pipeline import auditing

    if len(seed) > _MOST_SEED or not (seed.isprintable() or not seed):
        raise InvalidInput(f"--seed: up to {_MOST_SEED} printable characters")
    if output is not None:
        refuse_existing(output, force=False)
    now = datetime.now(UTC)
    with database() as opened, busy("reading the answers to draw from"):
        with opened.read() as connection:
            known_job(connection, job)
        _settle(opened, now)
        found = auditing.draw(
            opened, job, now, run=run, per_class=per_class, by_system=by_system, seed=seed
        )
    _write(output or Path(f"audit-{job}-{found.audit_id}.csv"), found)


def _write(path: Path, found: "Drawn") -> None:
    from monitor.labels.sheets import RowWriter
    from monitor.stages import audit_sheet

    if path.exists():
        raise InvalidInput(
            f"{path}: is there already; sheets are never written over: name another with --output"
        )
    rows = audit_sheet.rows(found.entries)
    guide = path.with_name(f"{path.name}.guide.txt")
    with new_file(path, force=False) as file:
        RowWriter(file).rows([audit_sheet.COLUMNS, *rows])
    with new_file(guide, force=True) as file:
        file.write(audit_sheet.GUIDE)
    verb = "drawn" if found.is_new else "was drawn before; this is its sheet again"
    _say(f"audit {found.audit_id} of run {found.run.id} {verb} (seed {found.seed})")
    for pool in found.pools:
        counts = ", ".join(
            f"{cls} {len(pool.drawn[cls])} of {n:,}" for cls, n in pool.frame.items()
        )
        system = f", {pool.system}" if pool.system else ""
        left = f"; {pool.left_out:,} answers cannot be drawn" if pool.left_out else ""
        _say(f"  {pool.target} ({pool.cue}){system}: {counts}{left}")
    if len(rows) < len(found.entries):
        _say(f"  {len(found.entries) - len(rows):,} texts were erased meanwhile and are left out")
    _say(f"{len(rows):,} texts to read: {path}; how: {guide}")


@_app.command("import")
def import_sheet(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET.csv", help="Filled sheet.")],
    by: Annotated[str, typer.Option(help="Who read: initials or a code name, no full name.")],
) -> None:
    """Take in a filled sheet. Every row is checked before any is kept.

    Nothing is written over: the newest label of each person counts, and a text on which people
    differ is not right. Where calls are less often right than in the audit before, the alarm
    instrument_suspect is raised.
    """
    from monitor.cli._label_sheets import rows_of
    from monitor.pipeline import auditing
    from monitor.stages import audit_sheet

    audit_sheet.checked_rater(by)
    rows = [(f"{sheet}:{line}", row) for line, row in rows_of(sheet, audit_sheet.NEEDED)]
    if not rows:
        raise InvalidInput(f"{sheet}: no row of a sheet in this file")
    hashed = hashlib.sha256(sheet.read_bytes()).hexdigest()
    with database() as opened:
        _settle(opened, datetime.now(UTC))
        found = auditing.import_sheet(opened, rows, by, hashed, datetime.now(UTC))
    _print_import(found, by)


def _print_import(found: "Imported", by: str) -> None:
    _say(
        f"audit {found.audit_id}, {by}: {found.new:,} new labels, {found.changed:,} changed, "
        f"{found.same:,} as before; {found.empty:,} rows without a label"
    )
    if found.kept:
        _say(f"  {found.kept:,} of these were labelled by {by} before: those labels stand")
    if found.left:
        _say(f"  {found.left:,} drawn texts are not on this sheet: they stay as they are")
    for about in found.raised:
        _say(f"alarm instrument_suspect: {about}: calls are less often right than before")
    for about in found.over:
        _say(f"alarm instrument_suspect is over: {about}")
    _say_findings(found.findings)
    if found.moved:
        _say("points are flagged by what is in doubt now: by monitor redo, or the daemon by itself")
    _say("see: monitor audit show")


def _settle(opened: "Database", now: datetime) -> None:
    """Finish what an import has left that was ended in the middle, or could not be decided."""
    from monitor.pipeline.settling import AT_ONCE, settle

    _say_findings(settle(opened, now, AT_ONCE))


def _say_findings(written: int | None) -> None:
    if written is None:
        _say("findings wait to be decided anew: by the daemon, or the next monitor audit command")
    elif written:
        _say(f"{written:,} findings were decided anew: their causes are others")


@_app.command()
def show(
    job: Annotated[str, typer.Argument(help="Name of a job; all if left out.")] = "",
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also audits that a newer one has followed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show how often calls are right: tables of called against true classes, rates, falls.

    Corrected rates stand beside the raw ones and never in their place.
    """
    from monitor.cli import _audit_show
    from monitor.pipeline import auditing

    with database() as opened:
        with opened.read() as connection:
            known_job(connection, job)
        _settle(opened, datetime.now(UTC))
        found = auditing.known(opened, [job] if job else None)
    if job and not found:
        raise InvalidInput(f"no audit of job {job!r}; `monitor audit draw {job}` draws one")
    shown = found if everything else _audit_show.newest(found)
    if as_json:
        emit_json([_audit_show.plain(one) for one in shown])
        return
    if not shown:
        _say("No audit yet: monitor audit draw JOB")
    for one in shown:
        _audit_show.show(one)
    if any(one.group.read for one in shown):
        _audit_show.limits()


def _say(line: str) -> None:
    err.print(visible(line), markup=False, soft_wrap=True)
