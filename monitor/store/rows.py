"""Column types of both databases, and statements that every group of tables needs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from sys import intern
from typing import Any, TypeVar, get_origin, get_type_hints

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from monitor.model import make_storable

_T = TypeVar("_T")
_K = TypeVar("_K")
_CHUNK = 5_000


def lock_table(connection: sa.Connection, table: sa.Table) -> None:
    """Let no other transaction write to a table until this one ends.

    SQLite has one writer in any case. Readers go on.
    """
    if connection.dialect.name != "sqlite":
        name = connection.dialect.identifier_preparer.format_table(table)
        connection.execute(sa.text(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE"))


def group_rows(rows: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """Return {key: its rows}, keys and rows in the order in which they come."""
    return group_pairs((key(row), row) for row in rows)


def group_pairs(pairs: Iterable[tuple[_K, _T]]) -> dict[_K, list[_T]]:
    """Return {key: its values} of (key, value), both in the order in which they come."""
    groups: dict[_K, list[_T]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def split_values(values: Sequence[_T], size: int = 0) -> Iterator[Sequence[_T]]:
    """Yield parts of at most `size` values, for statements whose parameters are limited."""
    size = size or _CHUNK
    for start in range(0, len(values), size):
        yield values[start : start + size]


def read_in_parts(
    connection: sa.Connection, query: sa.Select[Any], column: sa.ColumnElement[Any],
    values: Iterable[Any],
) -> Iterator[Any]:  # fmt: skip
    """Yield the rows of a query in which a column has one of some values, part by part."""
    for part in split_values(list(values)):
        yield from connection.execute(query.where(column.in_(part))).all()


def change_in_parts(
    connection: sa.Connection, change: sa.Update | sa.Delete, column: sa.ColumnElement[Any],
    values: Iterable[Any],
) -> None:  # fmt: skip
    """Update or delete the rows in which a column has one of some values, part by part."""
    for part in split_values(list(values)):
        connection.execute(change.where(column.in_(part)))


def read_records(connection: sa.Connection, query: sa.Select[Any], kind: type[_T]) -> list[_T]:
    """Return the rows of a query as records of a kind, whose fields are columns."""
    return [make_record(row, kind) for row in connection.execute(query)]


def find_record(connection: sa.Connection, query: sa.Select[Any], kind: type[_T]) -> _T | None:
    """Return the only row of a query as a record; None where there is no row."""
    row = connection.execute(query).one_or_none()
    return None if row is None else make_record(row, kind)


def make_record(row: sa.Row[Any], kind: type[_T]) -> _T:
    """Return a row as a data class or a named tuple.

    Values of closed vocabularies become what they are, arrays of JSON tuples, none an empty one.
    """
    values = row._mapping  # noqa: SLF001 - the public name of it
    readers = _list_readers(kind)  # type: ignore[arg-type]  # classes are hashable
    return kind(**{name: read(values[name]) for name, read in readers.items()})


@cache
def _list_readers(kind: type) -> dict[str, Callable[[Any], Any]]:
    """Return {field of a record: what makes its value of that of the column}."""
    return {name: _find_reader(hint) for name, hint in get_type_hints(kind).items()}


def _find_reader(hint: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - a type, or what stands for one
    if get_origin(hint) is tuple:
        return lambda values: tuple(values or ())
    return hint if isinstance(hint, type) and issubclass(hint, Enum) else _keep


def _keep(value: Any) -> Any:  # noqa: ANN401 - of any column
    return value


def make_row(table: sa.Table, record: object, **more: object) -> dict[str, Any]:
    """Return the attributes of a record that are columns of a table, as databases take them.

    `more` are further columns, and values that take the place of attributes.
    """
    writers = _list_writers(table, type(record))  # type: ignore[arg-type]  # classes are hashable
    row = {name: write(getattr(record, name)) for name, write in writers if name not in more}
    return row | more


@cache
def _list_writers(table: sa.Table, kind: type) -> list[tuple[str, Callable[[Any], Any]]]:
    """Return (column, what makes its value of an attribute) of the columns that a class has."""
    # interned: names of columns are of a kind that is slow as a key and as an attribute
    return [(intern(str(c.name)), _find_writer(c.type)) for c in table.c if hasattr(kind, c.name)]


def _find_writer(kind: sa.types.TypeEngine[Any]) -> Callable[[Any], Any]:
    if isinstance(kind, sa.Text):
        return _plain_text
    if isinstance(kind, sa.Float):
        return plain_number
    return _plain_count if isinstance(kind, sa.Integer) else _keep


def _plain_text(value: Any) -> Any:  # noqa: ANN401 - a text, one of a closed vocabulary, or None
    return make_storable(value) if type(value) is str else value


def _plain_count(value: int | None) -> int | None:
    return None if value is None else int(value)


def read_plain_rows(connection: sa.Connection, query: sa.Select[Any]) -> list[dict[str, Any]]:
    """Return the rows of a query as {column: value}."""
    return [dict(row) for row in connection.execute(query).mappings()]


def insert_rows(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows, where there are any."""
    if rows:
        connection.execute(sa.insert(table), rows)


def insert_ignore(connection: sa.Connection, table: sa.Table, rows: Sequence[Any]) -> None:
    """Insert what is not there yet; a row that breaks a unique key is left as it stands."""
    if not rows:
        return
    connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def _insert(connection: sa.Connection, table: sa.Table) -> Any:  # noqa: ANN401 - of either dialect
    """Return an insertion in the dialect of the database, the only one that is imported."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite  # noqa: PLC0415

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    return postgresql.insert(table)


def insert_new(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> int | None:
    """Return id of a new row; None when one with the same unique key is there already."""
    statement = _insert(connection, table).on_conflict_do_nothing().returning(table.c.id)
    row_id = connection.execute(statement, dict(row)).scalar()
    return None if row_id is None else int(row_id)


def get_or_insert(
    connection: sa.Connection, table: sa.Table, key: Mapping[str, Any], rest: Mapping[str, Any]
) -> int:
    """Return id of the row with these key columns; inserted with `rest` if there is none."""
    query = _id_where(table, tuple(key))
    row_id = connection.execute(query, dict(key)).scalar()
    if row_id is None:
        insert_ignore(connection, table, [{**key, **rest}])
        row_id = connection.execute(query, dict(key)).scalar_one()
    return int(row_id)


@cache
def _id_where(table: sa.Table, names: tuple[str, ...]) -> sa.Select[Any]:
    """Return the query for the id of the row with values of these columns, none of them NULL."""
    return sa.select(table.c.id).where(*(table.c[name] == sa.bindparam(name) for name in names))


@cache
def _ids_of_keys(table: sa.Table) -> sa.Select[Any]:
    """Return the query for keys and ids of the rows with the keys `wanted`."""
    return sa.select(table.c.key, table.c.id).where(
        table.c.key.in_(sa.bindparam("wanted", expanding=True))
    )


def ids_by_key(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]
) -> dict[str, int]:
    """Insert rows that are not there and return {key: id} of all of them, by the column `key`."""
    # always in one order: two that insert the same at once would wait for each other (PostgreSQL)
    ordered = {str(row["key"]): row for row in sorted(rows, key=lambda row: str(row["key"]))}
    ids = find_ids(connection, table, ordered)
    missing = [key for key in ordered if key not in ids]
    if missing:
        insert_ignore(connection, table, [ordered[key] for key in missing])
        ids |= find_ids(connection, table, missing)
    return ids


def find_ids(connection: sa.Connection, table: sa.Table, keys: Iterable[str]) -> dict[str, int]:
    """Return {key: id} of the rows that are there, by the column `key`."""
    query = _ids_of_keys(table)
    ids: dict[str, int] = {}
    for key_part in split_values(list(keys)):
        rows = connection.execute(query, {"wanted": key_part})
        ids |= {key: int(number) for key, number in rows}
    return ids


def insert_returning(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """Insert rows and return their ids in the order of the rows."""
    if not rows:
        return []
    statement = sa.insert(table).returning(table.c.id, sort_by_parameter_order=True)
    return [int(number) for number in connection.execute(statement, list(rows)).scalars()]


def insert_plain(
    connection: sa.Connection,
    table: sa.Table,
    columns: Sequence[str],
    content: Sequence[tuple[str | int | float | None, ...]],
) -> None:
    """Insert very many rows of plain values as the driver takes them, by far the quickest way.

    No type of a column converts anything: JSON has to be text, an enum its value, and there is no
    time among them.
    """
    if not content:
        return
    dialect = connection.dialect
    preparer = dialect.identifier_preparer
    quoted = ", ".join(preparer.format_column(table.c[name]) for name in columns)
    into = f"{preparer.format_table(table)} ({quoted})"
    if dialect.name == "sqlite":
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {into} VALUES ({marks})"  # noqa: S608 - names of our own tables
        connection.exec_driver_sql(statement, list(content))
        return
    kinds = [table.c[name].type.compile(dialect=dialect) for name in columns]
    arrays = ", ".join(f"CAST(%s AS {kind}[])" for kind in kinds)
    statement = f"INSERT INTO {into} SELECT * FROM unnest({arrays})"  # noqa: S608 - see above
    connection.exec_driver_sql(statement, tuple(map(list, zip(*content, strict=True))))


def plain_number(value: float | None) -> float | None:
    """Return a number of a measure as drivers take it, numpy's as Python's; None stays None."""
    return None if value is None else float(value)


# --- column types ---------------------------------------------------------------------------------

#: Integer keys: 64 bits on PostgreSQL; on SQLite only INTEGER becomes the row id.
Key = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, stored as UTC. SQLite would give it back naive, so both ends convert."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive times: they mean different instants on different machines."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive time {value!r}; pass an aware one")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(
        self,
        value: Any,  # noqa: ANN401
        dialect: Dialect,  # noqa: ARG002
    ) -> datetime | None:
        """Give back an aware UTC time."""
        if value is None:
            return None
        stored: datetime = value
        return stored.replace(tzinfo=UTC) if stored.tzinfo is None else stored.astimezone(UTC)
