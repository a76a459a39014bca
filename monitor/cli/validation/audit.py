"""Commands about how often our reading of gender is right."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monitor.cli.console import AsJson, emit_json, note, out, say, table, visible
from monitor.cli.database import database
from monitor.cli.files import in_existing_folder, new_file, refuse_existing
from monitor.cli.names import known_job
from monitor.cli.progress import busy
from monitor.data import read_text
from monitor.model import GenderClass, InvalidInput
from monitor.roles import check_rater
from monitor.stages import validation
from monitor.stages.validation import AuditVerdict
from monitor.text.cells import RowWriter

if TYPE_CHECKING:
    from monitor.pipeline.validation import Drawn, Imported
    from monitor.store.database import Database

_MOST_SEED = 64
audit_commands = typer.Typer()


@audit_commands.command()
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
    from monitor.pipeline import validation as auditing

    if len(seed) > _MOST_SEED or not (seed.isprintable() or not seed):
        raise InvalidInput(f"--seed: up to {_MOST_SEED} printable characters")
    if output is not None:
        refuse_existing(output, force=False)
    now = datetime.now(UTC)
    with database() as opened, busy("reading the answers to draw from"):
        with opened.read() as connection:
            known_job(connection, job)
        _settle(opened, now)
        drawn_sheet = auditing.draw_audit(
            opened, job, now, run=run, per_class=per_class, by_system=by_system, seed=seed
        )
    _write(output or Path(f"audit-{job}-{drawn_sheet.audit_id}.csv"), drawn_sheet)


def _write(path: Path, found: "Drawn") -> None:
    if path.exists():
        raise InvalidInput(
            f"{path}: is there already; sheets are never written over: name another with --output"
        )
    rows = validation.make_rows(found.entries)
    guide = path.with_name(f"{path.name}.guide.txt")
    with new_file(path, force=False) as file:
        RowWriter(file).rows([validation.COLUMNS, *rows])
    with new_file(guide, force=True) as file:
        file.write(read_text("audit_guide"))
    verb = "drawn" if found.is_new else "was drawn before; this is its sheet again"
    _note(f"audit {found.audit_id} of run {found.run.id} {verb} (seed {found.seed})")
    for pool in found.pools:
        counts = ", ".join(
            f"{cls} {len(pool.drawn[cls])} of {n:,}" for cls, n in pool.frame.items()
        )
        system = f", {pool.system}" if pool.system else ""
        left = f"; {pool.left_out:,} answers cannot be drawn" if pool.left_out else ""
        _note(f"  {pool.target} ({pool.cue}){system}: {counts}{left}")
    if len(rows) < len(found.entries):
        _note(f"  {len(found.entries) - len(rows):,} texts were erased meanwhile and are left out")
    _note(f"{len(rows):,} texts to read: {path}; how: {guide}")


@audit_commands.command("import")
def import_sheet(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET.csv", help="Filled sheet.")],
    by: Annotated[str, typer.Option(help="Who read: initials or a code name, no full name.")],
) -> None:
    """Take in a filled sheet. Every row is checked before any is kept.

    Nothing is written over: the newest label of each person counts, and a text on which people
    differ is not right. Where calls are less often right than in the audit before, the alarm
    instrument_suspect is raised.
    """
    from monitor.cli.validation.label import rows_of
    from monitor.pipeline import validation as auditing

    check_rater(by, "--by")
    rows = [(f"{sheet}:{line}", row) for line, row in rows_of(sheet, validation.NEEDED)]
    if not rows:
        raise InvalidInput(f"{sheet}: no row of a sheet in this file")
    hashed = hashlib.sha256(sheet.read_bytes()).hexdigest()
    with database() as opened:
        _settle(opened, datetime.now(UTC))
        imported = auditing.import_sheet(opened, rows, by, hashed, datetime.now(UTC))
    _print_import(imported, by)


def _print_import(found: "Imported", by: str) -> None:
    _note(
        f"audit {found.audit_id}, {by}: {found.new:,} new labels, {found.changed:,} changed, "
        f"{found.same:,} as before; {found.empty:,} rows without a label"
    )
    if found.kept:
        _note(f"  {found.kept:,} of these were labelled by {by} before: those labels stand")
    if found.left:
        _note(f"  {found.left:,} drawn texts are not on this sheet: they stay as they are")
    for about in found.raised:
        _note(f"alarm instrument_suspect: {about}: calls are less often right than before")
    for about in found.over:
        _note(f"alarm instrument_suspect is over: {about}")
    _say_findings(found.findings)
    if found.moved:
        _note(
            "points are flagged by what is in doubt now: by monitor redo, or the daemon by itself"
        )
    _note("see: monitor audit show")


def _settle(opened: "Database", now: datetime) -> None:
    """Finish what an import has left that was ended in the middle, or could not be decided."""
    from monitor.pipeline.changes.conclusion import AT_ONCE, settle_doubts

    _say_findings(settle_doubts(opened, now, AT_ONCE))


def _say_findings(written: int | None) -> None:
    if written is None:
        _note("findings wait to be decided anew: by the daemon, or the next monitor audit command")
    elif written:
        _note(f"{written:,} findings were decided anew: their causes are others")


@audit_commands.command()
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
    from monitor.pipeline import validation as auditing

    with database() as opened:
        with opened.read() as connection:
            known_job(connection, job)
        _settle(opened, datetime.now(UTC))
        verdicts = auditing.list_verdicts(opened, [job] if job else None)
    if job and not verdicts:
        raise InvalidInput(f"no audit of job {job!r}; `monitor audit draw {job}` draws one")
    shown = verdicts if everything else newest_verdicts(verdicts)
    if as_json:
        emit_json([verdict_row(one) for one in shown])
        return
    if not shown:
        _note("No audit yet: monitor audit draw JOB")
    for one in shown:
        print_verdict(one)
    if any(one.group.read for one in shown):
        _say(validation.HOLDS)
        _say(validation.NOT_CORRECTED)


def _note(line: str) -> None:
    note(visible(line))


_SHORT = {
    GenderClass.MASCULINE: "masc",
    GenderClass.FEMININE: "fem",
    GenderClass.BOTH: "both",
    GenderClass.INCLUSIVE: "incl",
    GenderClass.MIXED: "mixed",
    GenderClass.NONE: "none",
    GenderClass.UNIDENTIFIED: "unident",
}


def newest_verdicts(found: Sequence[AuditVerdict]) -> list[AuditVerdict]:
    """Of what was drawn alike the newest that was read, and those after it that wait for people."""
    grouped_verdicts: dict[str, list[AuditVerdict]] = {}
    for verdict in found:
        about = validation.write_subject(verdict.group)
        grouped_verdicts[about] = (
            [verdict] if verdict.group.read else [*grouped_verdicts.get(about, []), verdict]
        )
    return [one for grouped_verdict in grouped_verdicts.values() for one in grouped_verdict]


def verdict_row(verdict: AuditVerdict) -> dict[str, Any]:
    """A row for scripts, with how many texts each person read."""
    raters = {name: len(said) for name, said in sorted(verdict.group.labels.items())}
    return validation.describe_group(verdict) | {"raters": raters}


def print_verdict(verdict: AuditVerdict) -> None:
    """One language and cue of an audit: its table, rates, and whether it fell."""
    row = verdict_row(verdict)
    _say(f"{validation.write_subject(verdict.group)}: audit {row['audit_id']}, run {row['run_id']} "
         f"({row['due_at']:%Y-%m-%d}), seed {row['seed']}, rules of {row['language']} version "
         f"{row['language_version']}")  # fmt: skip
    _say(f"  drawn from {row['answers']:,} answers of "
         f"{validation.spelt_systems(row['systems'])}")  # fmt: skip
    if row["left_out"]:
        _say(f"  {row['left_out']:,} more answers could not be drawn: several texts in one, or "
             "erased")  # fmt: skip
    if not row["n_raters"]:
        _say(f"  {row['drawn']:,} texts drawn, nobody has read any yet")
        out.print()
        return
    _print_classes(row)
    people = ", ".join(f"{name} {n:,}" for name, n in row["raters"].items())
    agree = "" if row["agreement"] is None else f"; they agree on {row['agreement']:.1%}"
    _say(f"  read by {people}{agree}; {row['disputed']:,} disputed (not right, and in parts "
         f"among the truths), {row['unread']:,} not read")  # fmt: skip
    _say(f"  calls that are right, by how often each class was called: "
         f"{validation.write_estimate(row['right_share'])}")  # fmt: skip
    for name, what in (("marked_share", "marked among read"),
                       ("masculine_share", "masculine among marked")):  # fmt: skip
        raw = row[name]["raw"]
        _say(f"  {what}, all of these answers: raw {'none' if raw is None else f'{raw:.3f}'}, "
             f"corrected {validation.write_estimate(row[name])}")  # fmt: skip
    _say(f"  {_against_before(row)}")
    out.print()


def _print_classes(row: dict[str, Any]) -> None:
    """Called classes in rows, what people read in columns."""
    truths = [c for c in GenderClass if any(c.value in one["truths"] for one in row["classes"])]
    columns = ("called", "answers", "read", *(_SHORT[c] for c in truths), "right", "95 %")
    cells = [
        [
            one["called"], f"{one['answers']:,}", f"{one['read']} of {one['drawn']}",
            *(f"{one['truths'].get(c.value, 0):g}" for c in truths),
            "none" if one["share"] is None else f"{one['share']:.3f}",
            "none" if one["share"] is None else f"{one['low']:.2f} to {one['high']:.2f}",
        ]
        for one in row["classes"]
    ]  # fmt: skip
    out.print(table("", columns, cells, "read: of those drawn; columns: what people read in them"))


def _against_before(row: dict[str, Any]) -> str:
    before = row["before"]
    doubt = " The instrument is in doubt." if row["is_suspect"] else ""
    if row["p"] is None or before is None:
        return f"Not compared with an audit before: {row['reason']}.{doubt}"
    return (
        f"Before, in run {before['run_id']} ({before['due_at']:%Y-%m-%d}): {before['right']} of "
        f"{before['read']} right; now {row['right']} of {row['read']}; p of a fall = "
        f"{row['p']:.2g}.{doubt}"
    )


def _say(line: str) -> None:
    say(visible(line))
