"""Why a run has no values though there are answers: each says so in a sentence, or nothing."""

from collections.abc import Sequence

from monitor.jobs import Audit
from monitor.model import Engine, Kind, Region
from monitor.pipeline.leaving import elsewhere
from monitor.store import corpora, lookups, readings, runs, shown, standing
from monitor.store.database import Connection
from monitor.store.runs import Run

#: Where of more people, or answers, than this share nobody could say anything, because a service
#: was gone or contents were removed, the values would be those of what happened to be left.
_UNKNOWN_MOST = 0.02


def from_elsewhere(connection: Connection, run: Run, engine: Engine, region: Region | None) -> str:
    """Why pages have no value: asked for from another country than was declared; or ""."""
    if engine.kind is not Kind.SEARCH or region is None or engine.surface != "ui":
        return ""
    return elsewhere(lookups.countries(connection, run.id), region.country, region.name)


def taken_away(
    connection: Connection, run: Run, engine: Engine, engine_id: int, target: str
) -> str:
    """Why answers have no value: this version of the parser came when they were gone; or ""."""
    return taken_away_of(
        connection, corpora.runs_read(connection, run.id), engine, engine_id, target
    )


def taken_away_of(
    connection: Connection, run_ids: Sequence[int], engine: Engine, engine_id: int, target: str
) -> str:
    """The same of the answers of several runs."""
    parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
    gone = sum(
        readings.taken_away(connection, one, engine_id, parser_id, target) for one in run_ids
    )
    if not gone:
        return ""
    planned = sum(readings.planned(connection, one, engine_id, target) for one in run_ids)
    if gone <= _UNKNOWN_MOST * planned:  # missing answers, which the bounds allow for
        return ""
    return (
        f"{gone:,} of {planned:,} answers were removed before version {engine.version} of the "
        f"parser {engine.name} could read them"
    )


def lost_to(connection: Connection, audit: Audit, run: Run) -> str:
    """Why values of a run would go from its charts were it derived anew; or "".

    Its parsers and engines have to be known to the database. A run that has no value to lose loses
    none.
    """
    reasons = (
        taken_away(connection, run, engine, runs.engine_id(connection, engine, use), target)
        for use, engine in audit.engines
        for target in use.wanted
    )
    reason = next((one for one in reasons if one), "")
    return reason if reason and standing.has_values(connection, run) else ""


def people_unknown(connection: Connection, run: Run, engine: Engine) -> str:
    """Why nothing can be said of who was shown: people not looked up yet; or ""."""
    if engine.kind is not Kind.SEARCH:
        return ""
    missing, everybody = shown.unknown(connection, run.id)
    if missing > _UNKNOWN_MOST * everybody:
        return f"{missing:,} of {everybody:,} people could not be looked up yet"
    return ""
