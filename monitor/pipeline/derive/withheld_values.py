"""Reasons why values of a run are withheld: each function returns a sentence, or "".

Pages were asked from elsewhere than the job says; answers were removed before the present version
of their parser read them; people that pages show were not looked up yet.
"""

from collections.abc import Sequence

from monitor.jobs import Audit
from monitor.model import Engine, Kind, Region
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection
from monitor.store.derive import corpora, people, readings, signatures

#: Where of more people, or answers, than this share nobody could say anything, because a service
#: was gone or contents were removed, the values would be those of what happened to be left.
_UNKNOWN_MOST = 0.02


def say_elsewhere(connection: Connection, run: Run, engine: Engine, region: Region | None) -> str:
    """Return why pages have no value: asked for from another country than was declared; or ""."""
    if engine.kind is not Kind.SEARCH or region is None or engine.surface != "ui":
        return ""
    countries = evidence.list_countries(connection, run.id)
    left_from = ", ".join(country for country in countries if country != region.country)
    if not left_from:
        return ""
    return (
        f"requests left from {left_from}; the region {region.name} is declared in {region.country}"
    )


def say_removed(
    connection: Connection, run: Run, engine: Engine, engine_id: int, target: str
) -> str:
    """Return why answers have no value: this version of the parser came when they were gone.

    Or "".
    """
    return say_removed_of_runs(
        connection, corpora.find_runs_read(connection, run.id), engine, engine_id, target
    )


def say_removed_of_runs(
    connection: Connection, run_ids: Sequence[int], engine: Engine, engine_id: int, target: str
) -> str:
    """The same of the answers of several runs."""
    parser_id = runs.ensure_plugin(connection, "engines", engine.name, engine.version)
    gone = sum(
        readings.count_removed(connection, run_id, engine_id, parser_id, target)
        for run_id in run_ids
    )
    if not gone:
        return ""
    planned = sum(
        readings.count_planned(connection, run_id, engine_id, target) for run_id in run_ids
    )
    if gone <= _UNKNOWN_MOST * planned:  # missing answers, which the bounds allow for
        return ""
    return (
        f"{gone:,} of {planned:,} answers were removed before version {engine.version} of the "
        f"parser {engine.name} could read them"
    )


def say_lost(connection: Connection, audit: Audit, run: Run) -> str:
    """Return why values of a run would go from its charts were it derived anew; or "".

    Its parsers and engines have to be known to the database. A run that has no value to lose loses
    none.
    """
    reasons = (
        say_removed(connection, run, engine, runs.ensure_engine(connection, engine, use), target)
        for use, engine in audit.engines
        for target in use.wanted
    )
    reason = next((reason for reason in reasons if reason), "")
    return reason if reason and signatures.has_values(connection, run) else ""


def say_unknown_people(connection: Connection, run: Run, engine: Engine) -> str:
    """Return why nothing can be said of who was shown: people not looked up yet; or ""."""
    if engine.kind is not Kind.SEARCH:
        return ""
    missing, everybody = people.find_unknown(connection, run.id)
    if missing > _UNKNOWN_MOST * everybody:
        return f"{missing:,} of {everybody:,} people could not be looked up yet"
    return ""
