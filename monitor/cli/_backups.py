"""Making a backup and putting one back, on either database."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from monitor import settings
from monitor.cli._console import counter, err
from monitor.fetch import pg_tools
from monitor.model import InvalidInput, StoreProblem
from monitor.store import migrations
from monitor.store.database import Database, connect
from monitor.store.maintenance import backup as copies
from monitor.store.maintenance import backup_folder as files
from monitor.store.maintenance.backup_folder import BackupManifest
from monitor.store.publish import verification
from monitor.text.counted_nouns import several

_SHOWN = 3


def make(folder: Path, keep: int) -> None:
    """Make a backup of the environment's database in a folder; then keep only the newest."""
    chosen = settings.load()
    now = datetime.now(UTC)
    database = connect(chosen.url, chosen.bodies)
    try:
        with files.create_backup(folder, now) as made:
            manifest = _copied(database, made, folder, now)
            files.write_manifest(made, manifest)
    finally:
        database.close()
    newest = files.list_backups(folder)[-1]
    size = sum(size for size, _ in manifest.files.values())
    err.print(
        f"{newest}: schema {manifest.schema}, "
        f"{several(manifest.counts.get('exchanges', 0), 'exchange')}, "
        f"{(size + manifest.body_bytes) / 1e6:,.1f} MB",
        markup=False,
        soft_wrap=True,
    )
    if keep:
        backups, unused = files.prune_backups(folder, keep)
        err.print(
            f"{several(backups, 'older backup')} and "
            f"{several(unused, 'answer of none', 'answers of none')} removed"
        )
    if manifest.unusable:
        named = ", ".join(manifest.unusable[:_SHOWN])
        raise StoreProblem(
            "the backup is made, but "
            f"{several(len(manifest.unusable), 'answer was', 'answers were')} missing or damaged "
            f"before it: {named}; `monitor evidence verify` says whose they are"
        )


def _copied(database: Database, made: Path, folder: Path, now: datetime) -> BackupManifest:
    if database.keeps_files:
        manifest, kept = copies.copy_sqlite(database, made, folder, now, counter)
        err.print(
            f"{kept.copied:,} of "
            f"{several(len(kept.digests), 'large answer was', 'large answers were')} new"
        )
        return manifest
    at = copies.find_server(database)
    goal = files.create_private_file(made / copies.DUMP)
    with copies.export_snapshot(database, now) as (name, manifest):
        pg_tools.dump(
            at.conninfo,
            at.password,
            name,
            goal,
            schemas=copies.SCHEMAS,
            without_rows=copies.WITHOUT_ROWS,
        )
    return replace(manifest, files={goal.name: files.measure_file(goal)})


def put_back(folder: Path, into: str) -> None:
    """Restore a backup where nothing is yet, and verify every digest."""
    backup = files.find_backup(folder)
    manifest = files.read_manifest(backup)
    chosen = settings.load()
    url, bodies = _target(manifest, into, chosen)
    if manifest.kind == "sqlite":
        copies.restore_sqlite(backup, copies.find_database_file(url), bodies, counter)
    database = connect(url, bodies)
    try:
        if manifest.kind != "sqlite":
            _load(backup, database)
        _compare(database, backup, manifest)
    finally:
        database.close()


def _target(manifest: BackupManifest, into: str, chosen: settings.Settings) -> tuple[str, Path]:
    """(database URL, folder of large answers) of where a backup goes."""
    if not into:
        url, bodies = chosen.url, chosen.bodies
    elif "://" in into:
        url, bodies = into, chosen.bodies
        copies.refuse_password(url)
    else:
        url, bodies = settings.sqlite_url(Path(into) / copies.MAIN), Path(into) / files.BODIES
    if not url.startswith(manifest.kind):
        on_server = manifest.kind == "postgresql"
        wanted = "a URL, postgresql://USER@HOST/NAME" if on_server else "a folder"
        raise InvalidInput(f"this is a backup of {manifest.kind}: --into has to be {wanted}")
    return url, bodies


def _load(backup: Path, database: Database) -> None:
    copies.require_empty(database)
    with counter("files checked") as progress:
        files.check_backup(backup, progress)
    at = copies.find_server(database)
    with TemporaryDirectory() as folder:
        pg_tools.restore(at.conninfo, at.password, backup / copies.DUMP, Path(folder) / "listing")


_MATCH = "stored answers match their digests"


def _compare(database: Database, backup: Path, manifest: BackupManifest) -> None:
    """What was restored against the manifest, and every answer against its digest."""
    if not copies.has_current_schema(database, manifest.schema):
        err.print(
            f"restored {backup} to {database.place}; it is of another version (schema "
            f"{manifest.schema}): run `monitor db upgrade`, then `monitor evidence verify`",
            markup=False,
            soft_wrap=True,
        )
        return
    copies.require_counts(database, manifest.counts)
    migrations.check_schema(database)
    with database.read() as connection, counter("answers verified") as progress:
        found = verification.verify_contents(connection, database, None, progress)
    known = set(manifest.unusable)
    new = [damage for damage in found.damages if damage.expected not in known]
    if new:
        raise StoreProblem(f"restored to {database.place}, but the {new[0]}")
    before = f"; {len(known):,} were missing or damaged before the backup" if known else ""
    err.print(
        f"restored {backup} to {database.place}: "
        f"{several(found.checked, 'stored answer matches its digest', _MATCH)}{before}",
        markup=False,
        soft_wrap=True,
    )


def check(folder: Path) -> None:
    """Compare every file of a backup with its digest."""
    backup = files.find_backup(folder)
    with counter("answers checked") as progress:
        manifest = files.check_backup(backup, progress)
    err.print(
        f"{backup}: {manifest.kind}, schema {manifest.schema}, made by monitor "
        f"{manifest.version} at {manifest.made_at}; {several(len(manifest.files), 'file')} and "
        f"{several(manifest.bodies, 'large answer')} are as they were written",
        markup=False,
        soft_wrap=True,
    )
