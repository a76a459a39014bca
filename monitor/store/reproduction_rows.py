"""Rows of tables as JSON holds them, and back into the types of their columns.

In go rows that anybody may have written, out come those that the tables can have; what cannot be
one is refused by name.
"""

import base64
import binascii
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.store.types import UtcDateTime

Row: TypeAlias = dict[str, Any]


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    """A value as JSON holds it."""
    return value.isoformat() if isinstance(value, datetime) else value


def insert(connection: sa.Connection, table: sa.Table, some: Sequence[Row]) -> None:
    """Insert rows as they came out of JSON. Raises InvalidInput for what is no row of the table."""
    content = [typed(table, row) for row in some]
    if not content:
        return
    try:
        connection.execute(sa.insert(table), content)
    except (sa.exc.IntegrityError, sa.exc.StatementError, OverflowError, UnicodeError) as error:
        words = str(getattr(error, "orig", error)).splitlines()[0]
        raise InvalidInput(f"{table.name}: rows that do not fit together: {words}") from error


def typed(table: sa.Table, row: Row) -> Row:
    """A row with the types of its columns, all of them and no others. Raises InvalidInput."""
    if set(row) != set(table.c.keys()):
        raise InvalidInput(
            f"{table.name}: a row with other columns than this version has; install the version "
            "that manifest.json names"
        )
    return {column.name: _typed(column, row[column.name]) for column in table.c}


def _typed(column: sa.Column[Any], value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    kind = column.type
    if value is None:
        if not column.nullable:
            raise _unfit(column)
        return None
    if isinstance(kind, sa.JSON):
        return value
    if isinstance(kind, UtcDateTime):
        return moment(value, str(column))
    wanted: tuple[type, ...] = (str,)
    if isinstance(kind, sa.Boolean):
        wanted = (bool,)
    elif isinstance(kind, sa.Integer):
        wanted = (int,)
    elif isinstance(kind, sa.Float):
        wanted = (int, float)
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise _unfit(column)
    if isinstance(value, float) and not math.isfinite(value):
        raise _unfit(column)
    return value


def _unfit(column: sa.Column[Any]) -> InvalidInput:
    return InvalidInput(f"{column}: a value that this column cannot have")


def moment(value: object, where: str) -> datetime:
    """A time with its zone. Raises InvalidInput."""
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidInput(f"{where}: {str(value)[:40]!r} is no time with a zone")
    return found


# --- bytes ----------------------------------------------------------------------------------------


def packed(content: bytes) -> Row:
    """Bytes as JSON holds them: a text where they are one, base64 where they are not."""
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def unpacked(row: Mapping[str, Any]) -> bytes:
    """The bytes again. Raises InvalidInput."""
    try:
        if "text" in row:
            return str(row["text"]).encode("utf-8")
        return base64.b64decode(row["base64"], validate=True)
    except (KeyError, TypeError, UnicodeEncodeError, binascii.Error) as error:
        raise InvalidInput("an answer that is neither text nor base64") from error
