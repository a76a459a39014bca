"""Bring a database to this version's schema, and refuse one that is older or newer."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from textwrap import indent
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError, ProgrammingError

from monitor import resources
from monitor.model import SchemaChanged, StoreProblem, digest
from monitor.store.collect.runs import Progress
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schema import PEOPLE, metadata, people_entities, processes

#: The table in which Alembic keeps the revision, as it makes it.
_versions = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)

#: A process that is at work was heard of within this time: three signs of life of a daemon.
_AT_WORK = timedelta(seconds=30)


def list_revisions() -> list[str]:
    """Return the revisions that this version has, the oldest first.

    Every command asks for them, and Alembic, which knows them too, takes long to import.
    """
    folder = resources.find_folder("migrations") / "versions"
    return sorted(path.name.partition("_")[0] for path in folder.glob("[0-9]*_*.py"))


def read_revisions(database: Database) -> tuple[str | None, str]:
    """Return (revision of the database, revision of this version); the first is None when empty."""
    with database.read() as connection:
        return _read_revision(connection), list_revisions()[-1]


def require_database(database: Database) -> tuple[str, str]:
    """Return (revision of the database, revision of this version).

    Raises StoreProblem where there is no database, and makes none.
    """
    # Opening a SQLite file that is not there would make an empty one.
    current, head = read_revisions(database) if database.is_there else (None, "")
    if current is None:
        raise StoreProblem(
            f"{database.place}: no monitor database here yet; make one with `monitor init`"
        )
    return current, head


def _read_revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(_versions.name):
        return None
    return connection.execute(sa.select(_versions.c.version_num)).scalar_one_or_none()


def is_readable(connection: sa.Connection) -> bool:
    """Read something, whatever schema is there; False where there is no table of ours."""
    return sa.inspect(connection).has_table("runs")


def check_schema(database: Database) -> None:
    """Raise StoreProblem unless the database has exactly this version's schema."""
    current, head = require_database(database)
    if current == head:
        with database.read() as connection:
            fresh = has_current_views(connection)
            people = sa.inspect(connection).has_table(people_entities.name, PEOPLE)
        if not people:  # a copy of a database may leave them out
            tables = [table for table in metadata.sorted_tables if table.schema == PEOPLE]
            with database.begin() as connection:
                metadata.create_all(connection, tables=tables)
        if fresh:
            return
        words = "its views are of another version; run `monitor db upgrade`"
        raise StoreProblem(f"{database.place}: {words}")
    if current in list_revisions():
        raise StoreProblem(
            f"{database.place}: made by an older version (schema {current}, this one has {head}); "
            "back it up, then run `monitor db upgrade`"
        )
    _refuse_newer(database, current, head)


def _refuse_newer(database: Database, current: str | None, head: str) -> None:
    if current is not None and current not in list_revisions():
        raise StoreProblem(
            f"{database.place}: made by a newer version (schema {current} is unknown here, newest "
            f"is {head}); install that version or newer"
        )


class RevisionWatch:
    """The schema that a process began with."""

    def __init__(self) -> None:
        self._revision: str | None = None

    def check(self, connection: sa.Connection) -> None:
        """Raise SchemaChanged where the schema is another than at the first look."""
        current = connection.execute(sa.select(_versions.c.version_num)).scalar_one()
        self._revision = self._revision or current
        if current != self._revision:
            raise SchemaChanged(
                f"the database was upgraded (schema {self._revision} -> {current}) while this "
                "process was at work; start it again in the version that is installed now"
            )


def check_unused(database: Database) -> None:
    """Raise StoreProblem where an upgrade would change tables under a daemon or worker."""
    current, head = read_revisions(database)
    if current in (None, head):
        return
    with database.read() as connection:
        if not sa.inspect(connection).has_table(processes.name):
            return
        at_work = events.list_alive(connection, datetime.now(UTC), _AT_WORK)
    if at_work:
        names = ", ".join(f"{process.role} {process.name}" for process in at_work)
        raise StoreProblem(
            f"{database.place}: at work are: {names}; stop them, then upgrade: one that was killed "
            f"on another machine counts for {_AT_WORK.seconds} s"
        )


def upgrade(database: Database, revision: str = "head", progress: Progress | None = None) -> None:
    """Run the migrations up to `revision`; leaves the database as it was if one fails.

    An empty one is made as the last of them would leave it. `progress` is told of runs, which an
    older version has not counted.
    """
    current, head = read_revisions(database)
    with _explain_failure(database, revision):
        if current is None and revision == "head":
            _create_schema(database, head)
        else:
            _run_migration(database, "upgrade", revision, progress)


def downgrade(database: Database, revision: str) -> None:
    """Run the migrations down to `revision` (`base` is the empty database)."""
    with _explain_failure(database, revision):
        _run_migration(database, "downgrade", revision)


@contextmanager
def _explain_failure(database: Database, revision: str) -> Iterator[None]:
    try:
        yield
    except (OperationalError, ProgrammingError) as error:
        raise _make_failure(database, revision, error.orig or error) from error


def _make_failure(database: Database, revision: str, error: BaseException) -> StoreProblem:
    why = str(error).splitlines()[0]
    return StoreProblem(f"{database.place}: cannot migrate to {revision}, and is as it was: {why}")


def _create_schema(database: Database, head: str) -> None:
    with database.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.schema.CreateSchema(PEOPLE, if_not_exists=True))
        metadata.create_all(connection, checkfirst=False)
        _versions.create(connection, checkfirst=True)  # it is there after a way down to nothing
        connection.execute(sa.insert(_versions).values(version_num=head))
        create_views(connection)


def _run_migration(
    database: Database,
    verb: Literal["upgrade", "downgrade"],
    revision: str,
    progress: Progress | None = None,
) -> None:
    from alembic import command  # noqa: PLC0415 - slow to load, and most commands migrate nothing
    from alembic.config import Config  # noqa: PLC0415 - see above
    from alembic.util import CommandError  # noqa: PLC0415 - see above

    _refuse_newer(database, *read_revisions(database))
    config = Config()
    config.set_main_option("script_location", str(resources.find_folder("migrations")))
    config.attributes |= {"database": database, "progress": progress}
    try:
        getattr(command, verb)(config, revision)
    except CommandError as error:
        raise _make_failure(database, revision, error) from error


def read_view_files() -> dict[str, str]:
    """Return {name: SQL of its SELECT} of our views in the order of creation."""
    folder = files("monitor.store") / "views"
    shared = tomllib.loads((folder / "shared.toml").read_text("utf-8"))
    names = [entry.name for entry in folder.iterdir() if entry.name.endswith(".sql")]
    names.sort(key=lambda name: (int(name.split("_", 1)[0]), name))
    return {
        name.split("_", 1)[1][:-4]: _insert_parts((folder / name).read_text("utf-8"), shared)
        for name in names
    }


def _insert_parts(sql: str, parts: Mapping[str, str]) -> str:
    """Return SQL with the lines of a part in the place of each line `{name}`, indented as it is."""
    return re.sub(
        r"^( *)\{(\w+)\}$", lambda m: indent(parts[m[2]].strip(), m[1]), sql, flags=re.MULTILINE
    )


def _digest_views() -> str:
    return digest(read_view_files())


def has_current_views(connection: sa.Connection) -> bool:
    """Return whether the database's views are those of this version."""
    if not sa.inspect(connection).has_table("our_views"):
        return False
    stored_digest = connection.execute(sa.text("SELECT digest FROM our_views")).scalar_one()
    return bool(stored_digest == _digest_views())


def drop_views(connection: sa.Connection) -> None:
    """Drop our views, so that tables can change under them; also those of an older version."""
    names = list(read_view_files())
    if sa.inspect(connection).has_table("our_views"):
        stored_names = connection.execute(sa.text("SELECT names FROM our_views")).scalar_one()
        names += [name for name in str(stored_names).split() if name not in names]
    for name in ["our_views", *reversed(names)]:
        connection.execute(sa.text(f"DROP VIEW IF EXISTS {name}"))


def create_views(connection: sa.Connection) -> None:
    """Create our views anew from their files, and `our_views`, which says what they are."""
    views = read_view_files()
    for name, select in views.items():
        connection.exec_driver_sql(f"CREATE VIEW {name} AS\n{select}")
    content = f"SELECT '{_digest_views()}' AS digest, '{' '.join(views)}' AS names"
    connection.exec_driver_sql(f"CREATE VIEW our_views AS {content}")
