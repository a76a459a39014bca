"""Commands about what is given to others: releases, packages, and computing these again."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from monitor import __version__, pipeline, resources
from monitor.cli.console import AsJson, emit_json, note, out, say, stop_signal, table, visible, warn
from monitor.cli.database import database
from monitor.cli.files import in_existing_folder
from monitor.cli.progress import counter, progress_bar
from monitor.model import InvalidInput

if TYPE_CHECKING:
    from monitor.pipeline.publish import Reproduced
    from monitor.stages.publish.package_files import Package
    from monitor.stages.publish.reproduction_comparison import ComparisonResult
    from monitor.store.publish.release import ReleaseSelection

Folder: TypeAlias = Annotated[
    Path, typer.Argument(help="Folder to write, new or empty.", callback=in_existing_folder)
]
Jobs: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Only this job; may be given again. All if left out.")
]
Until: TypeAlias = Annotated[
    datetime | None,
    typer.Option(formats=["%Y-%m-%d"], help="Last day whose due ticks are in it."),
]

_DAY = timedelta(days=1, microseconds=-1)


def end_of(until: datetime | None) -> datetime | None:
    """The last moment of a day, UTC."""
    return until.replace(tzinfo=UTC) + _DAY if until else None


def say_written(what: str, folder: Path, sha256: str) -> None:
    """Say what was written, and the digest that can be published."""
    note(f"{what}: {folder}; SHA-256 of its SHA256SUMS: {sha256}")


def export_release(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER",
            help="Folder to write, new or empty. With --incremental also that of the release "
            "before, or s3://BUCKET/FOLDER.",
        ),
    ],
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
    incremental: Annotated[
        bool,
        typer.Option(
            "--incremental",
            help="Add what the release there lacks: Parquet by table, job and month, latest.json.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write series, points, comparisons, changes, coverage and answers as CSV and Parquet.

    With a descriptor (Frictionless Data Package), README, licences, citation and SHA256SUMS. The
    same database gives the same bytes. Nothing about single people is in it: no look-up, no label,
    no title, text or address of a result that shows one.
    """
    from monitor.stages.publish import release as stage
    from monitor.store import migrations
    from monitor.store.publish.release import ReleaseSelection

    if incremental:
        if csv_only or until:
            raise InvalidInput(
                "--incremental writes Parquet up to the newest run: leave out "
                + ("--csv-only" if csv_only else "--until")
            )
        _grow_release(folder, ReleaseSelection(tuple(job or ()), None, full), licence, as_json)
        return
    folder = str(in_existing_folder(Path(folder)))
    stage.check_folder(Path(folder), with_parquet=not csv_only)
    wanted = ReleaseSelection(tuple(job or ()), end_of(until), full)
    with database() as opened:
        schema = migrations.read_revisions(opened)[1]
        with opened.read() as connection, counter("rows") as progress:
            release = stage.write_release(
                connection, Path(folder), wanted, __version__, schema, progress,
                licence=licence, with_parquet=not csv_only,
            )  # fmt: skip
    if as_json:
        emit_json({
            "folder": folder, "tables": release.tables, "rows": release.rows,
            "files": release.files, "sha256": release.sha256,
        })  # fmt: skip
        return
    say_written(f"{release.rows:,} rows in {release.tables} tables", Path(folder), release.sha256)


def _grow_release(place: str, wanted: "ReleaseSelection", licence: str, as_json: bool) -> None:
    """Write what a release that grows lacks, and say what was written."""
    from monitor.fetch.release_places import open_place
    from monitor.stages.publish import release as stage
    from monitor.stages.publish.growing_release import write_increment
    from monitor.store import migrations

    if "://" not in place:
        in_existing_folder(Path(place))
    with database() as opened, open_place(place, os.environ) as opened_place:
        schema = migrations.read_revisions(opened)[1]
        with opened.read() as connection, counter("rows") as progress:
            about = stage.read_facts(connection, wanted, __version__, schema, licence)
            written = write_increment(
                connection, opened_place, replace(about, grows=True), progress
            )
    for path in written.repaired:
        warn(f"{place}/{path}: was missing or cut off; written again")
    for path in written.changed:
        warn(f"{place}/{path}: was changed by somebody else; written again")
    if as_json:
        emit_json({"folder": place, **asdict(written)})
        return
    changed = f", in place of {written.replaced:,} old ones" if written.replaced else ""
    erased = f" ({written.erased:,} because of erasures)" if written.erased else ""
    note(
        f"{written.rows:,} new rows in {written.files:,} new files{changed}{erased}; the release "
        f"has {written.total_rows:,} rows in {written.total_files:,} files: {place}; "
        f"SHA-256 of its latest.json: {written.sha256}"
    )


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
    from monitor.pipeline.publish import write_package
    from monitor.stages.publish import release as stage
    from monitor.store.publish.reproduction import RunSelection

    if full is None:
        raise InvalidInput("say --full (with raw answers) or --redacted (without texts)")
    stage.check_folder(folder, with_parquet=False)
    wanted = RunSelection(tuple(job or ()), end_of(until), full, with_people)
    with database() as opened, counter("rows") as progress:
        made = write_package(opened, folder, wanted, progress)
    unfinished = {str(one.id): f"{one.job}: {one.state}" for one in made.unfinished}
    if as_json:
        emit_json({
            "folder": str(folder), "runs": made.runs, "rows": made.rows, "files": made.files,
            "sha256": made.sha256, "behind": {str(run): why for run, why in made.behind.items()},
            "unfinished": unfinished,
        })  # fmt: skip
        return
    say_written(f"{made.rows:,} rows of {made.runs:,} runs", folder, made.sha256)
    if unfinished:
        words = ", ".join(f"{number} of {what}" for number, what in unfinished.items())
        warn(f"not in it, because they have not ended: runs {words}")
    if made.behind:
        warn(
            f"{len(made.behind):,} runs lack present versions or newer inputs, so that their "
            "numbers will differ: run `monitor redo` first, and write the package again"
        )


#: So many differences of each kind of numbers are printed.
_TOLD = 10
#: So many runs that lacked something when the package was written.
_RUNS_TOLD = 40


def reproduce(
    folder: Annotated[Path, typer.Argument(help="Folder of `monitor export reproduction`.")],
    processes: Annotated[
        int, typer.Option(min=0, help="Number of worker processes (0 = automatic).")
    ] = 0,
    keep: Annotated[
        Path | None,
        typer.Option(
            help="Keep the archive that is made in this folder, new or empty.",
            callback=in_existing_folder,
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="What is not recomputed, but taken on trust, is an error."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Recompute every number of a reproducibility package and compare it with what was published.

    Everything is checked first; then an archive is made anew from the package alone, by the steps
    of `monitor redo`. Counts and texts have to be the same, other numbers to 1e-12 of their size,
    or to 1e-15. Needs no network and no database, and changes nothing in the folder.

    Why a number cannot be recomputed is said by the package itself. Who does not trust its maker
    asks with --strict that there be no such number.

    Exit code 0 where all that can be recomputed is equal, 1 where a number differs or is missing,
    or with --strict is taken on trust, 2 where the folder is damaged or no package.
    """
    from monitor.pipeline.publish import reproduce_package as recompute
    from monitor.stages.publish import package_files

    with counter("files checked") as checked:
        package = package_files.open_package(folder, checked)
    try:
        with _place(keep, package) as place, stop_signal() as stop, progress_bar() as progress:
            recomputed = recompute(package, place, progress, stop, processes)
    except KeyboardInterrupt:
        raise pipeline.Interrupted("stopped; nothing was changed") from None
    if as_json:
        emit_json(_as_json(package, recomputed))
    else:
        _print(package, recomputed)
    on_trust = recomputed.result.n_closed or recomputed.rebuilt.given
    if not recomputed.result.is_equal or (strict and on_trust):
        raise typer.Exit(1)


@contextmanager
def _place(keep: Path | None, package: "Package") -> Iterator[Path]:
    """Where the archive is made: a folder that goes away again, or one that stays."""
    from monitor.stages.publish.release import check_folder

    if keep is not None:
        check_folder(keep, with_parquet=False)
        keep.mkdir(parents=True, exist_ok=True)
        _check_room(keep, package)
        yield keep
        return
    with tempfile.TemporaryDirectory(
        prefix="monitor-reproduce-", ignore_cleanup_errors=True
    ) as name:
        _check_room(Path(name), package)
        yield Path(name)


def _check_room(place: Path, package: "Package") -> None:
    free = shutil.disk_usage(place).free
    if package.unpacked > free:
        raise InvalidInput(
            f"{place}: the package needs {package.unpacked:,} bytes and {free:,} are free; set "
            "TMPDIR to a folder with more room, or use --keep"
        )


# --- what came out --------------------------------------------------------------------------------


def _print(package: "Package", found: "Reproduced") -> None:
    manifest, result = package.manifest, found.result
    if manifest.program != __version__:
        warn(f"made by version {visible(manifest.program)}, recomputed by {__version__}")
    elif manifest.source != resources.source_digest():
        at = f", commit {visible(manifest.commit)}" if manifest.commit else ""
        warn(f"made by another source of version {__version__} than is installed here{at}: "
            f"SHA-256 of its files {visible(manifest.source)}")  # fmt: skip
    columns = ("numbers", "equal", "different", "missing", "not recomputable")
    rows = [
        [kind, *(f"{n:,}" for n in (tally.equal, tally.different, tally.missing, tally.closed))]
        for kind, tally in result.tallies.items()
    ]
    out.print(table("", columns, rows))
    for (kind, what, why), n in sorted(result.reasons.items()):
        word = "not recomputable" if what == "closed" else "missing"
        _say(f"{kind}: {n:,} {word}: {why}")
    for kind, tally in result.tallies.items():
        if tally.different:
            _say_differences(kind, tally.different, result)
    for run_id, why in list(manifest.behind.items())[:_RUNS_TOLD]:
        _say(f"run {run_id} lacked this when the package was written: {why}")
    for run_id, what in list(manifest.unfinished.items())[:_RUNS_TOLD]:
        _say(f"run {run_id} is not in the package: {what}")
    _say_trust(result.n_closed, result.n, found.rebuilt.given)


def _say_trust(closed: int, n: int, given: int) -> None:
    """What rests on the word of the package alone, where it cannot be overlooked: at the end."""
    gaps = []
    if closed:
        gaps.append(f"{closed:,} of {n:,} numbers were not recomputed")
    if given:
        gaps.append(f"{given:,} readings and signals were taken over as they were read")
    if gaps:
        warn(
            f"{'; '.join(gaps)}: that this has to be so is what the package says, and nothing here "
            "proves it (--strict ends with exit code 1)"
        )


def _say_differences(kind: str, total: int, result: "ComparisonResult") -> None:
    """The first of a kind, and how many are not printed, or not known by name at all."""
    differences = [difference for difference in result.differences if difference.kind == kind]
    for one in differences[:_TOLD]:
        where = f"{kind}: {one.of}, {one.at}: " if one.at else f"{kind}: {one.of}: "
        values = f": published {one.published!r}, recomputed {one.recomputed!r}"
        nothing = one.published is None and one.recomputed is None
        _say(f"{where}{one.name}{f' ({one.n:,} values)' if nothing else values}")
    left = total - sum(difference.n for difference in differences[:_TOLD])
    if left:
        unnamed = result.unnamed[kind]
        lost = f", but for {unnamed:,} that are only counted" if unnamed else ""
        _say(f"{kind}: {left:,} more values differ; --json names them all{lost}")


def _say(text: str) -> None:
    say(visible(text))


def _as_json(package: "Package", found: "Reproduced") -> dict[str, object]:
    result, manifest = found.result, package.manifest
    return {
        "equal": result.is_equal,
        "n": result.n,
        "not_recomputed": result.n_closed,
        "made_by": manifest.program,
        "recomputed_by": __version__,
        "same_source": manifest.source == resources.source_digest(),
        "full": manifest.full,
        "people": manifest.people,
        "runs": found.rebuilt.runs,
        "readings_taken_over": found.rebuilt.given,
        "left_out": [{"run": one.run.id, "reason": one.reason} for one in found.rebuilt.left_out],
        "numbers": {kind: asdict(tally) for kind, tally in result.tallies.items()},
        "not_held": [
            {"kind": kind, "what": what, "why": why, "n": n}
            for (kind, what, why), n in sorted(result.reasons.items())
        ],
        "differences": [asdict(difference) for difference in result.differences],
        "differences_only_counted": dict(result.unnamed),
        "behind": manifest.behind,
        "unfinished": manifest.unfinished,
    }
