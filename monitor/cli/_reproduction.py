"""The command that writes all that the numbers of an archive are computed from, and them."""

from typing import Annotated

import typer

from monitor.cli._console import counter, emit_json, err
from monitor.cli._exporting import AsJson, Folder, Jobs, Until, end_of, say_written
from monitor.cli._open import database
from monitor.model import InvalidInput


def export_reproduction(
    folder: Folder,
    job: Jobs = None,
    until: Until = None,
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
    as_json: AsJson = False,
) -> None:
    """Write a reproducibility package: lock, jobs, lists, versions, seeds, inputs, and numbers.

    `monitor reproduce FOLDER` recomputes every number of it, on any machine, and says which differ.
    Nothing restricted is in it, and nothing about single people without --with-people. The same
    database gives the same bytes.
    """
    from monitor.pipeline.packing import pack
    from monitor.stages import release
    from monitor.store.publish.reproduction import RunSelection

    if full is None:
        raise InvalidInput("say --full (with raw answers) or --redacted (without texts)")
    release.check(folder, with_parquet=False)
    wanted = RunSelection(tuple(job or ()), end_of(until), full, with_people)
    with database() as opened, counter("rows") as progress:
        written = pack(opened, folder, wanted, progress)
    made, behind = written.packed, written.behind
    unfinished = {str(one.id): f"{one.job}: {one.state}" for one in made.unfinished}
    if as_json:
        emit_json({
            "folder": str(folder), "runs": made.runs, "rows": made.rows, "files": made.files,
            "sha256": made.sha256, "behind": {str(run): why for run, why in behind.items()},
            "unfinished": unfinished,
        })  # fmt: skip
        return
    say_written(f"{made.rows:,} rows of {made.runs:,} runs", folder, made.sha256)
    if unfinished:
        said = ", ".join(f"{number} of {what}" for number, what in unfinished.items())
        _warn(f"not in it, because they have not ended: runs {said}")
    if behind:
        _warn(
            f"{len(behind):,} runs lack present versions or newer inputs, so that their numbers "
            "will differ: run `monitor redo` first, and write the package again"
        )


def _warn(text: str) -> None:
    err.print(text, style="yellow", markup=False, soft_wrap=True)
