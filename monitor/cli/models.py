"""Commands about local models: fetch them, list them."""

from typing import Annotated, Literal

import typer

from monitor import settings
from monitor.cli._console import err, out

_app = typer.Typer(help="Models that run in this machine.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(_app, name="models")


@_app.command()
def fetch(
    source: Annotated[Literal["firefox"], typer.Argument(help="Whose models.")],  # noqa: ARG001
    pair: Annotated[str, typer.Argument(help="Languages, for example en-cs.")],
) -> None:
    """Download a translation model from Mozilla's registry and check it by its hash.

    English to Portuguese needs no download: it comes with gbmonitor[local].
    """
    from rich.progress import (
        DownloadColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TransferSpeedColumn,
    )

    from monitor.fetch.downloads import fetch_firefox

    chosen = settings.load()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("asking the registry", total=None)

        def progress(name: str, size: int) -> None:
            bar.update(task, description=name, completed=size)

        folder = fetch_firefox(pair, chosen.models, chosen.firefox_registry, progress)
    err.print(f"fetched {pair} into {folder}", markup=False)


@_app.command("list")
def list_models() -> None:
    """List the models that were fetched, with their size."""
    folder = settings.load().models / "firefox"
    found = sorted(path for path in folder.glob("*-*") if path.is_dir())
    for path in found:
        size = sum(file.stat().st_size for file in path.iterdir())
        out.print(f"firefox {path.name}  {size / 1e6:.1f} MB", markup=False)
    out.print("firefox en-pt  inside gbmonitor[local]", markup=False)
