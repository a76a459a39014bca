"""What the commands that write folders for everybody have in common: options, and last words."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from monitor.cli._console import err
from monitor.cli._files import in_existing_folder

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
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]

_DAY = timedelta(days=1, microseconds=-1)


def end_of(until: datetime | None) -> datetime | None:
    """The last moment of a day, UTC."""
    return until.replace(tzinfo=UTC) + _DAY if until else None


def say_written(what: str, folder: Path, sha256: str) -> None:
    """Say what was written, and the digest that can be published."""
    err.print(
        f"{what}: {folder}; SHA-256 of its SHA256SUMS: {sha256}", markup=False, soft_wrap=True
    )
