"""Commands about the database itself: upgrade, back up, restore, readers."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from monitor import settings
from monitor.cli.console import err, note, read_secret
from monitor.cli.database import database, open_unchecked
from monitor.cli.files import in_existing_folder
from monitor.cli.progress import counter, progress_bar
from monitor.fetch import pg_tools
from monitor.model import InvalidInput, StoreProblem
from monitor.store import migrations
from monitor.store.access import reader_role
from monitor.store.database import Database, connect
from monitor.store.maintenance import backup as backups
from monitor.store.maintenance.backup import BackupManifest
from monitor.store.publish import verification
from monitor.text.counted_nouns import several

db_commands = typer.Typer()
Folder = Annotated[
    Path, typer.Argument(help="Folder of backups (the newest is taken), or one backup in it.")
]


@db_commands.command()
def upgrade() -> None:
    """Bring the database to this version's schema; back it up and stop daemon and workers first."""
    from monitor.work import queue

    with open_unchecked() as opened:
        before, head = migrations.require_database(opened)
        migrations.check_unused(opened)
        with progress_bar() as progress:
            migrations.upgrade(opened, progress=partial(progress, "count"))
        queue.ensure_queue(opened)
        reader_role.revoke_tables(opened)
    err.print(f"schema {before} -> {head}")


@db_commands.command()
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
    now = datetime.now(UTC)
    with open_unchecked() as database, backups.create_backup(folder, now) as made:
        manifest = _copied(database, made, folder, now)
        backups.write_manifest(made, manifest)
    newest = backups.list_backups(folder)[-1]
    size = sum(size for size, _ in manifest.files.values())
    note(
        f"{newest}: schema {manifest.schema}, "
        f"{several(manifest.counts.get('exchanges', 0), 'exchange')}, "
        f"{(size + manifest.body_bytes) / 1e6:,.1f} MB"
    )
    if keep:
        removed, unused = backups.prune_backups(folder, keep)
        err.print(
            f"{several(removed, 'older backup')} and "
            f"{several(unused, 'answer of none', 'answers of none')} removed"
        )
    if manifest.unusable:
        named = ", ".join(manifest.unusable[:_SHOWN])
        raise StoreProblem(
            "the backup is made, but "
            f"{several(len(manifest.unusable), 'answer was', 'answers were')} missing or damaged "
            f"before it: {named}; `monitor evidence verify` says whose they are"
        )


@db_commands.command()
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
    """Put a backup where no database is yet; other files of a folder stay as they are.

    The digest of every file is compared before anything is written, and that of every answer
    afterwards, as `monitor evidence verify` does. A password belongs into MONITOR_DATABASE_URL,
    PGPASSWORD or ~/.pgpass, never on the command line.
    """
    backup = backups.find_backup(folder)
    manifest = backups.read_manifest(backup)
    configured = settings.load()
    url, bodies = _target(manifest, into, configured)
    if manifest.kind == "sqlite":
        backups.restore_sqlite(backup, backups.find_database_file(url), bodies, counter)
    with closing(connect(url, bodies)) as database:
        if manifest.kind != "sqlite":
            _load_dump(backup, database)
        _compare_with_manifest(database, backup, manifest)


@db_commands.command("check")
def check_backup(folder: Folder) -> None:
    """Compare every file of a backup with its digest; exit code 4 where one is another."""
    backup = backups.find_backup(folder)
    with counter("answers checked") as progress:
        manifest = backups.check_backup(backup, progress)
    note(
        f"{backup}: {manifest.kind}, schema {manifest.schema}, made by monitor "
        f"{manifest.version} at {manifest.made_at}; {several(len(manifest.files), 'file')} and "
        f"{several(manifest.bodies, 'large answer')} are as they were written"
    )


@db_commands.command()
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
    password = read_secret("--password-env", password_env)
    with database() as opened:
        if show_sql:
            for statement in reader_role.list_statements(opened, name, timeout):
                typer.echo(f"{statement};")
            return
        is_new = reader_role.grant_role(opened, name, timeout, password)
    err.print(f"{name}: {'made' if is_new else 'brought up to date'}", markup=False)
    if is_new and not password:
        err.print(rf"it has no password yet: psql -c '\password {name}'", markup=False)


_SHOWN = 3


def _copied(database: Database, made: Path, folder: Path, now: datetime) -> BackupManifest:
    if database.keeps_files:
        manifest, kept = backups.copy_sqlite(database, made, folder, now, counter)
        err.print(
            f"{kept.copied:,} of "
            f"{several(len(kept.digests), 'large answer was', 'large answers were')} new"
        )
        return manifest
    at = backups.find_server(database)
    goal = backups.create_private_file(made / backups.DUMP)
    with backups.export_snapshot(database, now) as (name, manifest):
        pg_tools.dump_schemas(
            at.conninfo,
            at.password,
            name,
            goal,
            schemas=backups.SCHEMAS,
            without_rows=backups.WITHOUT_ROWS,
        )
    return replace(manifest, files={goal.name: backups.measure_file(goal)})


def _target(manifest: BackupManifest, into: str, configured: settings.Settings) -> tuple[str, Path]:
    """(database URL, folder of large answers) of where a backup goes."""
    if not into:
        url, bodies = configured.url, configured.bodies
    elif "://" in into:
        url, bodies = into, configured.bodies
        backups.refuse_password(url)
    else:
        url, bodies = settings.sqlite_url(Path(into) / backups.MAIN), Path(into) / backups.BODIES
    if not url.startswith(manifest.kind):
        on_server = manifest.kind == "postgresql"
        wanted = "a URL, postgresql://USER@HOST/NAME" if on_server else "a folder"
        raise InvalidInput(f"this is a backup of {manifest.kind}: --into has to be {wanted}")
    return url, bodies


def _load_dump(backup: Path, database: Database) -> None:
    backups.require_empty(database)
    with counter("files checked") as progress:
        backups.check_backup(backup, progress)
    at = backups.find_server(database)
    with TemporaryDirectory() as folder:
        pg_tools.restore_dump(
            at.conninfo, at.password, backup / backups.DUMP, Path(folder) / "listing"
        )


_MATCH = "stored answers match their digests"


def _compare_with_manifest(database: Database, backup: Path, manifest: BackupManifest) -> None:
    """What was restored against the manifest, and every answer against its digest."""
    if not backups.has_current_schema(database, manifest.schema):
        note(
            f"restored {backup} to {database.place}; it is of another version (schema "
            f"{manifest.schema}): run `monitor db upgrade`, then `monitor evidence verify`"
        )
        return
    backups.require_counts(database, manifest.counts)
    migrations.check_schema(database)
    with database.read() as connection, counter("answers verified") as progress:
        verify_contents = verification.verify_contents(connection, database, None, progress)
    unusable = set(manifest.unusable)
    new = [damage for damage in verify_contents.damages if damage.expected not in unusable]
    if new:
        raise StoreProblem(f"restored to {database.place}, but the {new[0]}")
    before = f"; {len(unusable):,} were missing or damaged before the backup" if unusable else ""
    note(
        f"restored {backup} to {database.place}: "
        f"{several(verify_contents.checked, 'stored answer matches its digest', _MATCH)}{before}"
    )
