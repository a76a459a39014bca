"""Where the requests of a run left from, and values that are withheld.

Our address is looked up before and after pages are asked. Values are withheld where pages were
asked from elsewhere than the job says, or where answers were taken away before they were read.
"""

import hashlib
import hmac
import ipaddress
import json
import logging
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from monitor.jobs import Audit
from monitor.model import Answer, Engine, Fetcher, HttpRequest, Kind, Outcome, Region
from monitor.pipeline.steps import Around
from monitor.store.collect import lookups, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import corpora, readings, shown_entities, stale_series

log = logging.getLogger(__name__)

_COUNTRY = re.compile(r"[A-Z]{2}")
#: What services call the code of the country.
_COUNTRY_KEYS = ("country_code", "countryCode", "country_iso", "country")
_ADDRESS_KEYS = ("ip", "query", "address")
_FIRST_FAULT = 300
_DIGITS = 32


def note_exit(
    database: Database,
    audit: Audit,
    run: Run,
    fetcher: Fetcher,
    around: Around,
    lanes: AbstractSet[str] | None = None,
) -> list[str]:
    """Ask the look-up service, and keep country and hash; says what went wrong.

    Nothing is asked where no service is named, or no page is opened in these lanes.
    """
    pages = any(
        engine.kind is Kind.SEARCH and engine.surface == "ui"
        for use, engine in audit.engines
        if lanes is None or use.lane in lanes
    )
    if not around.egress_lookup or not pages:
        return []
    request = HttpRequest("GET", around.egress_lookup, (("Accept", "application/json"),))
    [(_, answer)] = fetcher.fetch([request])
    country, address, fault = _read(answer)
    hashed = ""
    if address:
        keyed = hmac.new(around.address_key.encode(), address.encode(), hashlib.sha256)
        hashed = keyed.hexdigest()[:_DIGITS]
    outcome = Outcome.UNREADABLE if fault and answer.outcome is Outcome.OK else answer.outcome
    seen = lookups.ExitAddress(
        around.exit, around.egress_lookup, outcome, fault, country, hashed, answer.asked_at
    )
    with database.begin() as connection:
        lookups.store_exit(connection, run.id, seen)
    return [f"from where requests leave is not known: {fault}"] if fault else []


def _read(answer: Answer) -> tuple[str, str, str]:
    """(country, address, what is wrong) of an answer; the address is kept nowhere."""
    if answer.outcome is not Outcome.OK:
        return "", "", answer.detail or str(answer.outcome)
    if (answer.status or 0) >= _FIRST_FAULT:
        return "", "", f"HTTP {answer.status}"
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        return "", "", "the answer is no JSON"
    if not isinstance(found, dict):
        return "", "", "the answer is no JSON object"
    country = next((str(found[key]).upper() for key in _COUNTRY_KEYS if found.get(key)), "")
    if not _COUNTRY.fullmatch(country):
        return "", "", "the answer names no country by its two letters"
    return country, _address(found), ""


def _address(found: dict[str, object]) -> str:
    written = next((str(found[key]) for key in _ADDRESS_KEYS if found.get(key)), "")
    try:
        return str(ipaddress.ip_address(written))
    except ValueError:
        return ""


def elsewhere(countries: tuple[str, ...], declared: str, region: str) -> str:
    """Why the points of a region cannot be what they say; empty where nothing contradicts it."""
    other_countries = [country for country in countries if country != declared]
    if not other_countries:
        return ""
    left_from = ", ".join(other_countries)
    return f"requests left from {left_from}; the region {region} is declared in {declared}"


#: Where of more people, or answers, than this share nobody could say anything, because a service
#: was gone or contents were removed, the values would be those of what happened to be left.
_UNKNOWN_MOST = 0.02


def from_elsewhere(connection: Connection, run: Run, engine: Engine, region: Region | None) -> str:
    """Why pages have no value: asked for from another country than was declared; or ""."""
    if engine.kind is not Kind.SEARCH or region is None or engine.surface != "ui":
        return ""
    return elsewhere(lookups.list_countries(connection, run.id), region.country, region.name)


def taken_away(
    connection: Connection, run: Run, engine: Engine, engine_id: int, target: str
) -> str:
    """Why answers have no value: this version of the parser came when they were gone; or ""."""
    return taken_away_of(
        connection, corpora.find_runs_read(connection, run.id), engine, engine_id, target
    )


def taken_away_of(
    connection: Connection, run_ids: Sequence[int], engine: Engine, engine_id: int, target: str
) -> str:
    """The same of the answers of several runs."""
    parser_id = runs.ensure_plugin(connection, "engines", engine.name, engine.version)
    gone = sum(
        readings.count_removed(connection, one, engine_id, parser_id, target) for one in run_ids
    )
    if not gone:
        return ""
    planned = sum(readings.count_planned(connection, one, engine_id, target) for one in run_ids)
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
        taken_away(connection, run, engine, runs.ensure_engine(connection, engine, use), target)
        for use, engine in audit.engines
        for target in use.wanted
    )
    reason = next((reason for reason in reasons if reason), "")
    return reason if reason and stale_series.has_values(connection, run) else ""


def people_unknown(connection: Connection, run: Run, engine: Engine) -> str:
    """Why nothing can be said of who was shown: people not looked up yet; or ""."""
    if engine.kind is not Kind.SEARCH:
        return ""
    missing, everybody = shown_entities.find_unknown(connection, run.id)
    if missing > _UNKNOWN_MOST * everybody:
        return f"{missing:,} of {everybody:,} people could not be looked up yet"
    return ""
