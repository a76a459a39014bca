"""What people look at of ranked lists by their words: values of single queries, as plain rows."""

import sqlalchemy as sa

from monitor.store import overview
from monitor.store.overview import Row


def queries(connection: sa.Connection, run_id: int) -> dict[int, list[Row]]:
    """{point id: what it is made of, query by query, in the order of their keys}."""
    sql = """
        SELECT point_id, key, state, reason, value, bound_low, bound_high, x, influence,
            documents, used, missing, empty
        FROM queries_current WHERE run_id = :run ORDER BY point_id, key
    """
    found: dict[int, list[Row]] = {}
    for row in overview.rows(connection, sql, run=run_id):
        found.setdefault(row["point_id"], []).append(row)
    return found


def questions(connection: sa.Connection, run_id: int) -> dict[tuple[str, str], str]:
    """{(list name, item key): what is asked} of the lists of one run."""
    sql = """
        SELECT l.name, i.key, i.text FROM run_lists r JOIN lists l ON l.id = r.list_id
        JOIN list_items i ON i.list_id = l.id WHERE r.run_id = :run
    """
    return {
        (row["name"], row["key"]): row["text"] for row in overview.rows(connection, sql, run=run_id)
    }


def lists(connection: sa.Connection, run_id: int) -> list[Row]:
    """Names and versions of the lists of one run."""
    sql = """
        SELECT l.name, l.version FROM run_lists r JOIN lists l ON l.id = r.list_id
        WHERE r.run_id = :run ORDER BY l.name
    """
    return overview.rows(connection, sql, run=run_id)
