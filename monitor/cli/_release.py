"""The command that writes what of an archive may be given to everybody."""

from typing import Annotated

import typer

from monitor import __version__
from monitor.cli._console import counter, emit_json
from monitor.cli._exporting import AsJson, Folder, Jobs, Until, end_of, say_written
from monitor.cli._open import database


def export_release(
    folder: Folder,
    job: Jobs = None,
    until: Until = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full/--redacted",
            help="With what engines wrote (texts, titles, addresses), or with its SHA-256 alone.",
        ),
    ] = False,
    licence: Annotated[
        str, typer.Option(help="SPDX name of the licence that you give the numbers.")
    ] = "CC-BY-4.0",
    csv_only: Annotated[bool, typer.Option("--csv-only", help="Leave Parquet out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write series, points, comparisons, changes, coverage and answers as CSV and Parquet.

    With a descriptor (Frictionless Data Package), README, licences, citation and SHA256SUMS. The
    same database gives the same bytes. Nothing about single people is in it: no look-up, no label,
    no title, text or address of a result that shows one.
    """
    from monitor.stages import release as stage
    from monitor.store import migrations
    from monitor.store.publish.release import ReleaseSelection

    stage.check(folder, with_parquet=not csv_only)
    wanted = ReleaseSelection(tuple(job or ()), end_of(until), full)
    with database() as opened:
        schema = migrations.read_revisions(opened)[1]
        with opened.read() as connection, counter("rows") as progress:
            made = stage.release(
                connection, folder, wanted, __version__, schema, progress,
                licence=licence, with_parquet=not csv_only,
            )  # fmt: skip
    if as_json:
        emit_json({
            "folder": str(folder), "tables": made.tables, "rows": made.rows, "files": made.files,
            "sha256": made.sha256,
        })  # fmt: skip
        return
    say_written(f"{made.rows:,} rows in {made.tables} tables", folder, made.sha256)
