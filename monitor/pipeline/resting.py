"""Lanes and their suspensions over restarts: recalled when a run begins, kept as they come."""

import logging
from datetime import UTC, datetime, timedelta

from monitor.faults import Suspension
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Outcome
from monitor.store import pauses, suspensions
from monitor.store.database import Connection, Database

log = logging.getLogger(__name__)


#: How often it is looked whether an engine that a person paused may be asked again.
_PAUSED = timedelta(minutes=1)


def recall(database: Database, exit_name: str, lane: Lane) -> Lane:
    """The lane, stopped where it was suspended and the time has not come, or a person paused it."""
    with database.read() as connection:
        known = suspensions.get(connection, lane.name, exit_name)
        paused = _paused(connection, lane.name)
    now = datetime.now(UTC)
    if known:
        lane.remember(known, now)
    if paused:
        lane.stopped, lane.until = paused, now + _PAUSED
    return lane


def _paused(connection: Connection, lane: str) -> str:
    """Why a person put a lane, or its engine at whatever address, to rest; or ""."""
    for one in pauses.all_of(connection):
        if one.kind == "engine" and one.name in (lane, lane.partition("@")[0]):
            return str(one)
    return ""


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
