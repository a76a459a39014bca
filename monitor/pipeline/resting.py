"""Lanes and their suspensions over restarts: recalled when a run begins, kept as they come."""

import logging
from datetime import UTC, datetime

from monitor.faults import Suspension
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Outcome
from monitor.store import suspensions
from monitor.store.database import Connection, Database

log = logging.getLogger(__name__)


def recall(database: Database, exit_name: str, lane: Lane) -> Lane:
    """The lane, stopped where it was suspended and the time has not come."""
    with database.read() as connection:
        known = suspensions.get(connection, lane.name, exit_name)
    if known:
        lane.remember(known, datetime.now(UTC))
    return lane


def remember(
    connection: Connection,
    exit_name: str,
    lane: Lane,
    answer: Answer,
    suspension: Suspension | None,
) -> None:
    """Keep a suspension where a restart finds it; forget it once the service has answered."""
    if suspension:
        log.warning("suspended lane=%s %s", lane.name, suspension)
        suspensions.put(connection, lane.name, exit_name, suspension, datetime.now(UTC))
    elif lane.remembered and not lane.suspension and answer.outcome is Outcome.OK:
        suspensions.remove(connection, lane.name, exit_name)
        lane.remembered = False
