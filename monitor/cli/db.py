"""Commands about the database itself."""

from pathlib import Path
from typing import Annotated

import typer

from monitor import settings
from monitor.cli._console import err

_app = typer.Typer(
    help="The database: upgrade it, back it up, put a backup back.", no_args_is_help=True
)
Folder = Annotated[
    Path, typer.Argument(help="Folder of backups (the newest is taken), or one backup in it.")
]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(_app, name="db")


@_app.callback()
def _group() -> None:
    """The database: upgrade it, back it up, put a backup back."""


@_app.command()
def upgrade() -> None:
    """Bring the database to this version's schema; back it up first."""
    from monitor.store import migrate
    from monitor.store.database import connect
    from monitor.work import queue

    chosen = settings.load()
    opened = connect(chosen.url, chosen.bodies)
    try:
        before, head = migrate.revisions(opened)
        migrate.upgrade(opened)
        queue.ensure(opened)
    finally:
        opened.close()
    err.print(f"schema {before or 'empty'} -> {head}")


@_app.command()
def backup(
    folder: Annotated[
        Path, typer.Argument(help="Folder of backups, used for nothing else; made if missing.")
    ],
    keep: Annotated[
        int,
        typer.Option("--keep", min=0, help="Then remove all but so many of the newest; 0: none."),
    ] = 0,
) -> None:
    """Copy the database into a folder, while a daemon and workers go on writing.

    SQLite: both files as they were at one instant, and the large answers that they name; answers
    that an earlier backup in this folder has are not copied again. PostgreSQL: through pg_dump,
    which has to be installed in the server's version or newer. A manifest holds the digest of every
    file. Job files, lexicons and models are not in it.

    What is known of people is in it, so only its owner can read it.
    """
    from monitor.cli import _backups

    _backups.make(folder, keep)


@_app.command()
def restore(
    folder: Folder,
    into: Annotated[
        str,
        typer.Option(
            "--into",
            metavar="PLACE",
            help="A folder, for a backup of SQLite; postgresql://USER@HOST/NAME for one of "
            "PostgreSQL. Left out: the database of the environment.",
        ),
    ] = "",
) -> None:
    """Put a backup where nothing is yet; refuses a place that is not empty.

    The digest of every file is compared before anything is written, and that of every answer
    afterwards, as `monitor evidence verify` does. A password belongs into MONITOR_DATABASE_URL,
    PGPASSWORD or ~/.pgpass, never on the command line.
    """
    from monitor.cli import _backups

    _backups.put_back(folder, into)


@_app.command()
def check(folder: Folder) -> None:
    """Compare every file of a backup with its digest; exit code 4 where one is another."""
    from monitor.cli import _backups

    _backups.check(folder)
