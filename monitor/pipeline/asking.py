"""Asks what is open, and stores what comes back: the lanes of a run side by side."""

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from monitor.fetch.lanes import Lane
from monitor.jobs import Audit, EngineUse
from monitor.model import (
    Engine,
    Fetcher,
)
from monitor.pipeline.resting import recall, remember
from monitor.pipeline.steps import Progress, Stop, never
from monitor.stages import collect
from monitor.stages.side_by_side import Mark, SideBySide
from monitor.store import evidence, runs
from monitor.store.database import Database
from monitor.store.runs import Run

log = logging.getLogger(__name__)


def _within_budget(database: Database, use: EngineUse) -> int | None:
    """Requests that may still be sent to an engine today (UTC), over all jobs; None = no limit."""
    if use.daily_budget is None:
        return None
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with database.read() as connection:
        return max(0, use.daily_budget - evidence.asked_since(connection, use.name, midnight))


def ask(
    database: Database,
    audit: Audit,
    run: Run,
    fetcher: Fetcher,
    progress: Progress,
    stop: Stop = never,
    exit_name: str = "direct",
) -> list[str]:
    """Ask every question without an answer; engines are asked at the same time.

    Each service has one lane, so that two uses of it take turns. Answers that came in while the
    last ones were stored are stored together, in one transaction. Returns what stopped before
    everything was asked, and why. Raises KeyboardInterrupt once `stop` says so and what was in
    flight is stored.
    """
    with database.read() as connection:
        planned, done = evidence.progress(connection, run.id)
    progress("collect", done, planned)
    shared = by_lane(audit)
    lanes = {name: _lane(database, exit_name, name, uses) for name, uses in shared.items()}
    streams = [
        _rounds(database, run, fetcher, lanes[name], uses, stop) for name, uses in shared.items()
    ]
    recorder = evidence.Recorder(database, run.id, audit.job.tries)
    with SideBySide(streams) as answers:
        for some in answers:
            with database.begin() as connection:
                recorder.record(connection, [collected.settled for _, collected in some])
                for lane, collected in some:
                    answer, new = collected.settled.answer, collected.suspension
                    remember(connection, exit_name, lane, answer, new)
            done += sum(len(collected.settled.asked) for _, collected in some)
            progress("collect", min(done, planned), planned)
    if stop():
        raise KeyboardInterrupt
    stopped = [
        f"{lane.name}: {why}"
        for lane in lanes.values()
        for why in dict.fromkeys((*lane.unasked, lane.stopped))
        if why
    ]
    for sentence in stopped:
        log.warning("stopped %s", sentence)
    return stopped


def suspended(database: Database, audit: Audit, exit_name: str) -> list[str]:
    """What keeps every service of a job from being asked now; empty if any can be."""
    lanes = [_lane(database, exit_name, name, uses) for name, uses in by_lane(audit).items()]
    reasons = [f"{lane.name}: {lane.stopped}" for lane in lanes if lane.stopped]
    return reasons if len(reasons) == len(lanes) else []


def by_lane(audit: Audit) -> dict[str, list[tuple[EngineUse, Engine]]]:
    """The uses of engines that share a lane: one service, or one server of one's own."""
    found: dict[str, list[tuple[EngineUse, Engine]]] = {}
    for use, engine in audit.engines:
        found.setdefault(use.lane, []).append((use, engine))
    return found


def _lane(
    database: Database, exit_name: str, name: str, uses: Sequence[tuple[EngineUse, Engine]]
) -> Lane:
    """The lane of a service, stopped where it was suspended and the time has not come."""
    paces = [pace for use, engine in uses if (pace := use.speed(engine)) is not None]
    lane = Lane(
        name,
        pace=min(paces, default=None),
        in_flight=min(use.in_flight or engine.in_flight for use, engine in uses),
        polite=any(engine.surface not in ("local", "recorded") for _, engine in uses),
    )
    return recall(database, exit_name, lane)


def _rounds(
    database: Database,
    run: Run,
    fetcher: Fetcher,
    lane: Lane,
    uses: Sequence[tuple[EngineUse, Engine]],
    stop: Stop,
) -> Iterator[tuple[Lane, collect.Collected] | Mark]:
    """Ask what is open at the engines of a lane, again and again until nothing is."""
    for use, engine in uses:
        with database.begin() as connection:
            engine_id = runs.engine_id(connection, engine, use)
        lane.closed = {}  # another configuration may be offered for what this one is not
        while attempts := _open_attempts(database, run, engine_id):
            if stop() or lane.stopped:
                return
            most = _within_budget(database, use)
            if most == 0:
                spent = f"the daily budget of {use.daily_budget} requests is spent"
                lane.unasked.append(spent)
                break
            answered = 0
            for collected in collect.collect(engine, use, attempts, fetcher, lane, most, stop):
                answered += 1
                yield lane, collected
            stored = Mark()
            yield stored
            if not stored.wait():
                return
            if not answered:
                break
        lane.unasked += [
            f"{target} is not asked further: {why}" for target, why in sorted(lane.closed.items())
        ]


def _open_attempts(database: Database, run: Run, engine_id: int) -> list[evidence.Attempt]:
    with database.read() as connection:
        return evidence.open_attempts(connection, run.id, engine_id)
