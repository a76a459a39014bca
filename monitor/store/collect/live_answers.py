"""The last answers that engines gave over the network, in this archive."""

from datetime import UTC, datetime

import sqlalchemy as sa

from monitor.live_record import NETWORK_SURFACES, SeenLive, find_newest
from monitor.model import Outcome, Purpose
from monitor.store.schema import attempts, engines, exchanges, readings, versions


def find_live_answers(
    connection: sa.Connection, until: datetime | None = None
) -> dict[str, SeenLive]:
    """Return {engine: the day of its last answer, and how many its run has}, without plug-ins.

    An index finds the newest answer of each engine, and another the answers of its run, so that the
    size of the archive does not matter. `until` leaves out what was asked later.
    """
    networked = sa.select(engines.c.id, engines.c.name).where(
        engines.c.surface.in_(NETWORK_SURFACES)
    )
    newest = []
    for engine_id, label in connection.execute(networked.order_by(engines.c.id)).all():
        is_answer = (
            (exchanges.c.engine_id == engine_id)
            & (exchanges.c.outcome == Outcome.OK)
            & (exchanges.c.purpose == Purpose.PROBE)
        )
        query = sa.select(
            exchanges.c.id, exchanges.c.run_id, exchanges.c.asked_at, exchanges.c.url
        ).where(is_answer)
        if until is not None:
            query = query.where(exchanges.c.asked_at <= until)
        answer = connection.execute(query.order_by(exchanges.c.asked_at.desc()).limit(1)).first()
        if answer is None:
            continue
        of_run = sa.select(sa.func.count()).where(is_answer, exchanges.c.run_id == answer.run_id)
        seen = SeenLive(
            answer.asked_at.astimezone(UTC).date().isoformat(),
            connection.execute(of_run).scalar_one(),
            _find_version(connection, answer.id),
        )
        newest.append((label, answer.url, seen))
    return find_newest(newest)


def _find_version(connection: sa.Connection, exchange_id: int) -> str:
    """Return the version of the parser that read an answer last; empty where none did."""
    query = (
        sa.select(versions.c.version)
        .join(readings, readings.c.parser_id == versions.c.id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .where(attempts.c.exchange_id == exchange_id)
        .order_by(readings.c.id.desc())
        .limit(1)
    )
    version = connection.execute(query).scalar()
    return "" if version is None else str(version)
