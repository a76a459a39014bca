"""Says whether the migrations give the schema that `monitor/store/schema.py` describes.

Run by `make check`: upgrades a temporary SQLite database from empty and compares. Exits with 1
and lists the differences when a migration is missing.
"""

import sys
import tempfile
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.schema import PEOPLE, metadata


def _ours(name, kind, _parents):
    return kind != "schema" or name in (None, PEOPLE)


#: How a database is compared with the metadata: both schemas, types and defaults.
COMPARED = {
    "compare_type": True,
    "compare_server_default": True,
    "include_schemas": True,
    "include_name": _ours,
}


def differences(folder):
    """What would have to be migrated still, as alembic's list of operations."""
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    try:
        migrations.upgrade(database)
        with database.read() as connection:
            context = MigrationContext.configure(connection, opts=COMPARED)
            return compare_metadata(context, metadata)
    finally:
        database.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = differences(Path(folder))
    for difference in found:
        sys.stderr.write(f"not migrated: {difference}\n")
    if found:
        sys.stderr.write("schema.py and migrations/ differ: write a migration\n")
        return 1
    sys.stdout.write("migrations give the schema\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
