"""The one command that recomputes every number of a reproducibility package."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import __version__, pipeline, resources
from monitor.cli._console import counter, emit_json, err, out, progress_bar, stop_signal, table
from monitor.cli._files import in_existing_folder
from monitor.cli._visible import visible
from monitor.model import InvalidInput

if TYPE_CHECKING:
    from monitor.pipeline.reproducing import Reproduced
    from monitor.stages.reproduction_compare import Result
    from monitor.stages.reproduction_folder import Package

#: So many differences of each kind of numbers are printed.
_TOLD = 10
#: So many runs that lacked something when the package was written.
_RUNS_TOLD = 40


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(reproduce)


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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
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
    from monitor.pipeline.reproducing import reproduce as recompute
    from monitor.stages import reproduction_folder

    with counter("files checked") as checked:
        package = reproduction_folder.opened(folder, checked)
    try:
        with _place(keep, package) as place, stop_signal() as stop, progress_bar() as progress:
            found = recompute(package, place, progress, stop, processes)
    except KeyboardInterrupt:
        raise pipeline.Interrupted("stopped; nothing was changed") from None
    if as_json:
        emit_json(_as_json(package, found))
    else:
        _print(package, found)
    on_trust = found.result.n_closed or found.rebuilt.given
    if not found.result.is_equal or (strict and on_trust):
        raise typer.Exit(1)


@contextmanager
def _place(keep: Path | None, package: "Package") -> Iterator[Path]:
    """Where the archive is made: a folder that goes away again, or one that stays."""
    if keep is not None:
        if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise InvalidInput(f"{keep}: is there already and not empty; name a new folder")
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
        err.print(
            f"made by version {visible(manifest.program)}, recomputed by {__version__}",
            style="yellow", markup=False, soft_wrap=True,
        )  # fmt: skip
    elif manifest.source != resources.source_digest():
        at = f", commit {visible(manifest.commit)}" if manifest.commit else ""
        err.print(
            f"made by another source of version {__version__} than is installed here{at}: "
            f"SHA-256 of its files {visible(manifest.source)}",
            style="yellow", markup=False, soft_wrap=True,
        )  # fmt: skip
    columns = ("numbers", "equal", "different", "missing", "not recomputable")
    rows = [
        [kind, *(f"{n:,}" for n in (one.equal, one.different, one.missing, one.closed))]
        for kind, one in result.tallies.items()
    ]
    out.print(table("", columns, rows))
    for (kind, what, why), n in sorted(result.reasons.items()):
        said = "not recomputable" if what == "closed" else "missing"
        _say(f"{kind}: {n:,} {said}: {why}")
    for kind, one in result.tallies.items():
        if one.different:
            _say_differences(kind, one.different, result)
    for run_id, why in list(manifest.behind.items())[:_RUNS_TOLD]:
        _say(f"run {run_id} lacked this when the package was written: {why}")
    for run_id, what in list(manifest.unfinished.items())[:_RUNS_TOLD]:
        _say(f"run {run_id} is not in the package: {what}")
    _say_trust(result.n_closed, result.n, found.rebuilt.given)


def _say_trust(closed: int, n: int, given: int) -> None:
    """What rests on the word of the package alone, where it cannot be overlooked: at the end."""
    said = []
    if closed:
        said.append(f"{closed:,} of {n:,} numbers were not recomputed")
    if given:
        said.append(f"{given:,} readings and signals were taken over as they were read")
    if said:
        err.print(
            f"{'; '.join(said)}: that this has to be so is what the package says, and nothing here "
            "proves it (--strict ends with exit code 1)",
            style="yellow", markup=False, soft_wrap=True,
        )  # fmt: skip


def _say_differences(kind: str, total: int, result: "Result") -> None:
    """The first of a kind, and how many are not printed, or not known by name at all."""
    some = [one for one in result.differences if one.kind == kind]
    for one in some[:_TOLD]:
        where = f"{kind}: {one.of}, {one.at}: " if one.at else f"{kind}: {one.of}: "
        values = f": published {one.published!r}, recomputed {one.recomputed!r}"
        nothing = one.published is None and one.recomputed is None
        _say(f"{where}{one.name}{f' ({one.n:,} values)' if nothing else values}")
    left = total - sum(one.n for one in some[:_TOLD])
    if left:
        unnamed = result.unnamed[kind]
        lost = f", but for {unnamed:,} that are only counted" if unnamed else ""
        _say(f"{kind}: {left:,} more values differ; --json names them all{lost}")


def _say(text: str) -> None:
    out.print(visible(text), markup=False, soft_wrap=True)


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
        "numbers": {kind: asdict(one) for kind, one in result.tallies.items()},
        "not_held": [
            {"kind": kind, "what": what, "why": why, "n": n}
            for (kind, what, why), n in sorted(result.reasons.items())
        ],
        "differences": [asdict(one) for one in result.differences],
        "differences_only_counted": dict(result.unnamed),
        "behind": manifest.behind,
        "unfinished": manifest.unfinished,
    }
