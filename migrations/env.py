"""Runs migrations on SQLite and PostgreSQL with our views taken down and put up again."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import context
from alembic.script import ScriptDirectory

from monitor import settings
from monitor.store import database as store
from monitor.store.collect import runs
from monitor.store.migrations import create_views, drop_views
from monitor.store.schema import metadata

config = context.config


def database() -> store.Database:
    """The database handed over by the caller, else the one of the environment."""
    given = config.attributes.get("database")
    if isinstance(given, store.Database):
        return given
    chosen = settings.load()
    return store.connect(chosen.url, Path(chosen.bodies))


def at_head() -> bool:
    current = context.get_context().get_current_revision()
    if current is None:
        return False
    return current == ScriptDirectory.from_config(config).get_current_head()


def migrate(connection: sa.Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
        compare_type=True,
    )
    with context.begin_transaction():
        drop_views(connection)
        context.run_migrations()
        if at_head():
            create_views(connection)
            runs.store_missing(connection, config.attributes.get("progress"))


def run() -> None:
    engine = database().writer
    if engine.dialect.name != "sqlite":
        with engine.begin() as connection:
            migrate(connection)
        return
    # Batch mode copies tables: with foreign keys on, dropping the old one deletes the children.
    # The pragma does nothing inside a transaction, so it stands outside on the raw connection.
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                migrate(connection)
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                if broken:
                    raise RuntimeError(f"migration would leave {len(broken)} dangling references")
        finally:
            driver.execute("PRAGMA foreign_keys = ON")


run()
