"""What people look at of search engines: pages, blocks and recorded groups, as plain rows."""

import sqlalchemy as sa

from monitor.model import Kind
from monitor.store import overview
from monitor.store.overview import Row
from monitor.store.schema import attempts, engines


def asks_search(connection: sa.Connection, run_id: int) -> bool:
    """Whether a run asks a search engine at all."""
    query = (
        sa.select(engines.c.id)
        .join(attempts, attempts.c.engine_id == engines.c.id)
        .where(attempts.c.run_id == run_id, engines.c.kind == Kind.SEARCH)
        .limit(1)
    )
    return connection.execute(query).first() is not None


_OF_SEARCH = "(SELECT name FROM engines WHERE kind = 'search')"


def _rows(connection: sa.Connection, run_id: int, sql: str) -> list[Row]:
    if not asks_search(connection, run_id):
        return []
    return overview.rows(connection, sql, run=run_id)


def pages(connection: sa.Connection, run_id: int) -> list[Row]:
    """What became of the questions to search engines: by list, region, outcome and reason."""
    sql = f"""
        SELECT list, engine, source_lang, target, outcome, reason,
            COUNT(DISTINCT attempt_id) AS questions
        FROM answers
        WHERE run_id = :run AND (final OR exchange_id IS NULL) AND engine IN {_OF_SEARCH}
        GROUP BY list, engine, source_lang, target, outcome, reason
        ORDER BY list, engine, source_lang, target, outcome, reason
    """  # noqa: S608  only constants of this module are put in
    return _rows(connection, run_id, sql)


def blocks(connection: sa.Connection, run_id: int) -> list[Row]:
    """On how many result pages each block stood, and with how many items."""
    sql = f"""
        SELECT list, engine, source_lang, target, block,
            COUNT(DISTINCT attempt_id) AS questions, COUNT(*) AS items
        FROM answers
        WHERE run_id = :run AND final AND item_id IS NOT NULL AND engine IN {_OF_SEARCH}
        GROUP BY list, engine, source_lang, target, block
        ORDER BY list, engine, source_lang, target, block
    """  # noqa: S608  only constants of this module are put in
    return _rows(connection, run_id, sql)


def people(connection: sa.Connection, run_id: int) -> list[Row]:
    """Entities shown anywhere in a block, each once, by what is recorded of them, and when it was.

    The state is that of the newest label, which may be newer than the points of the run.
    """
    sql = """
        SELECT list, engine, region AS target, block, state, source,
            COUNT(DISTINCT entity) AS people, MIN(as_of) AS first_as_of, MAX(as_of) AS last_as_of
        FROM shown WHERE run_id = :run
        GROUP BY list, engine, region, block, state, source
        ORDER BY list, engine, region, block, state, source
    """
    return _rows(connection, run_id, sql)


def names(
    connection: sa.Connection, attempt_id: int, block: str, most: int
) -> list[tuple[str, str]]:
    """(name as it was shown, state and group) of the first items of a block, in their order.

    The second is for counting only: what is recorded of one person is restricted.
    """
    sql = """
        SELECT COALESCE(NULLIF(v.title, ''), v.text) AS title,
            CASE WHEN b.state = 'labelled' THEN b.grouping
                 ELSE COALESCE(b.state, 'unresolved') END AS known
        FROM answers v LEFT JOIN item_entities ie ON ie.item_id = v.item_id
        LEFT JOIN labels b ON b.entity = ie.entity AND b.is_current = TRUE
        WHERE v.attempt_id = :attempt AND v.block = :block
        ORDER BY v.item_rank LIMIT :most
    """
    found = overview.rows(connection, sql, attempt=attempt_id, block=block, most=most)
    return [(row["title"], row["known"]) for row in found]
