"""Commands about the database itself."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from monitor import settings
from monitor.cli._console import err, progress_bar
from monitor.cli._files import in_existing_folder
from monitor.cli._open import database
from monitor.model import InvalidInput

_app = typer.Typer(
    help="The database: upgrade it, back it up, put a backup back, let others read it.",
    no_args_is_help=True,
)
Folder = Annotated[
    Path, typer.Argument(help="Folder of backups (the newest is taken), or one backup in it.")
]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(_app, name="db")


@_app.callback()
def _group() -> None:
    """The database: upgrade it, back it up, put a backup back, let others read it."""


@_app.command()
def upgrade() -> None:
    """Bring the database to this version's schema; back it up first."""
    from monitor.store import migrations
    from monitor.store.access import reader_role
    from monitor.store.database import connect
    from monitor.work import queue

    chosen = settings.load()
    opened = connect(chosen.url, chosen.bodies)
    try:
        before, head = migrations.read_revisions(opened)
        with progress_bar() as progress:
            migrations.upgrade(opened, progress=partial(progress, "count"))
        queue.ensure(opened)
        reader_role.revoke_tables(opened)
    finally:
        opened.close()
    err.print(f"schema {before or 'empty'} -> {head}")


@_app.command()
def backup(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Folder of backups, used for nothing else; made if missing.",
            callback=in_existing_folder,
        ),
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


@_app.command()
def reader(
    name: Annotated[str, typer.Argument(help="Name of the role, such as analyst.")],
    show_sql: Annotated[
        bool, typer.Option("--sql", help="Print the statements and change nothing.")
    ] = False,
    timeout: Annotated[
        int, typer.Option(min=1, max=3_600, help="Seconds that a statement of the role may take.")
    ] = 60,
    password_env: Annotated[
        str,
        typer.Option(
            metavar="VARIABLE",
            help="Environment variable with its password; left out, none is set.",
        ),
    ] = "",
) -> None:
    """Make a role of PostgreSQL that can read the views and tables of facts, and nothing else.

    It can neither write nor read look-ups and ratings of people, raw answers, or how this
    installation works. Names as search engines showed them, with the recorded group, it can read.
    The same command brings a role back to that. The password reaches the server as a SCRAM
    verifier and is never printed. On SQLite it says what to do instead.
    """
    from monitor.store.access import reader_role

    password = _secret(password_env)
    with database() as opened:
        if show_sql:
            for statement in reader_role.list_statements(opened, name, timeout):
                typer.echo(f"{statement};")
            return
        is_new = reader_role.grant_role(opened, name, timeout, password)
    err.print(f"{name}: {'made' if is_new else 'brought up to date'}", markup=False)
    if is_new and not password:
        err.print(rf"it has no password yet: psql -c '\password {name}'", markup=False)


def _secret(variable: str) -> str:
    """The password that an environment variable holds; empty without a variable."""
    if not variable:
        return ""
    found = os.environ.get(variable, "")
    if not found:
        raise InvalidInput(f"--password-env {variable}: this variable is not set, or is empty")
    return found
