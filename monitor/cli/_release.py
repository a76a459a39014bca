"""The command that writes what of an archive may be given to everybody."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from monitor import __version__
from monitor.cli._console import counter, emit_json, err
from monitor.cli._open import database

_DAY = timedelta(days=1, microseconds=-1)


def export_release(
    folder: Annotated[Path, typer.Argument(help="Folder to write, new or empty.")],
    job: Annotated[
        list[str] | None, typer.Option(help="Only this job; may be given again. All if left out.")
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Last day whose due ticks are in it."),
    ] = None,
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Write series, points, comparisons, changes, coverage and answers as CSV and Parquet.

    With a descriptor (Frictionless Data Package), README, licences, citation and SHA256SUMS. The
    same database gives the same bytes. Nothing about single people is in it: no look-up, no label,
    no title, text or address of a result that shows one.
    """
    from monitor.stages import release as stage
    from monitor.store import migrate
    from monitor.store.release import Wanted

    stage.check(folder, with_parquet=not csv_only)
    end = until.replace(tzinfo=UTC) + _DAY if until else None
    wanted = Wanted(tuple(job or ()), end, full)
    with database() as opened:
        schema = migrate.revisions(opened)[1]
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
    err.print(
        f"{made.rows:,} rows in {made.tables} tables: {folder}; SHA-256 of its SHA256SUMS: "
        f"{made.sha256}",
        markup=False,
        soft_wrap=True,
    )
