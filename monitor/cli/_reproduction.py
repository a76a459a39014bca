"""The command that writes all that the numbers of an archive are computed from, and them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from monitor import __version__, pipeline, settings
from monitor.cli._console import counter, emit_json, err
from monitor.cli._open import database
from monitor.model import InvalidInput
from monitor.store.database import Database

_DAY = timedelta(days=1, microseconds=-1)


def export_reproduction(
    folder: Annotated[Path, typer.Argument(help="Folder to write, new or empty.")],
    job: Annotated[
        list[str] | None, typer.Option(help="Only this job; may be given again. All if left out.")
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Last day whose due ticks are in it."),
    ] = None,
    full: Annotated[
        bool | None,
        typer.Option(
            "--full/--redacted",
            help="With raw answers, or with what was read and heard in them, without texts.",
        ),
    ] = None,
    with_people: Annotated[
        bool,
        typer.Option(
            "--with-people",
            help="Also whom results show, and their recorded groups: personal data. Redacted they "
            "have numbers for names.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Write a reproducibility package: lock, jobs, lists, versions, seeds, inputs, and numbers.

    `monitor reproduce FOLDER` recomputes every number of it, on any machine, and says which differ.
    Nothing restricted is in it, and nothing about single people without --with-people. The same
    database gives the same bytes.
    """
    from monitor.stages import release, reproduction
    from monitor.store import migrate
    from monitor.store.reproduction import Wanted

    if full is None:
        raise InvalidInput("say --full (with raw answers) or --redacted (without texts)")
    release.check(folder, with_parquet=False)
    end = until.replace(tzinfo=UTC) + _DAY if until else None
    wanted = Wanted(tuple(job or ()), end, full, with_people)
    with database() as opened:
        behind = _behind(opened, wanted)
        about = reproduction.About(
            wanted, __version__, migrate.revisions(opened)[1], settings.load().home, behind
        )
        with opened.read() as connection, counter("rows") as progress:
            made = reproduction.package(connection, opened, folder, about, progress)
    if as_json:
        emit_json({
            "folder": str(folder), "runs": made.runs, "rows": made.rows, "files": made.files,
            "sha256": made.sha256, "behind": {str(run): why for run, why in behind.items()},
        })  # fmt: skip
        return
    err.print(
        f"{made.rows:,} rows of {made.runs:,} runs: {folder}; SHA-256 of its SHA256SUMS: "
        f"{made.sha256}",
        markup=False,
        soft_wrap=True,
    )
    if behind:
        err.print(
            f"{len(behind):,} runs lack present versions or newer inputs, so that their numbers "
            "will differ: run `monitor redo` first, and write the package again",
            style="yellow",
            soft_wrap=True,
        )


def _behind(opened: Database, wanted: object) -> dict[int, str]:
    """Runs whose numbers are not what would be computed now, and why."""
    from monitor.store import release_facts, runs
    from monitor.store.reproduction import Wanted, run_ids

    assert isinstance(wanted, Wanted)  # noqa: S101 - imported only where the command runs
    with opened.read() as connection:
        release_facts.check_jobs(connection, wanted.jobs)
        ours = set(run_ids(connection, wanted))
        kept = [run for run in runs.kept(connection) if run.id in ours]
    todo, left_out = pipeline.to_redo(opened, kept)
    behind = {one.run.id: "; ".join(one.why) for one in todo}
    return behind | {one.run.id: one.reason for one in left_out}
