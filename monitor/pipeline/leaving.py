"""From where the requests of a run really left: asked before and after pages are."""

import hashlib
import hmac
import ipaddress
import json
import logging
import re
from collections.abc import Set as AbstractSet

from monitor.jobs import Audit
from monitor.model import Answer, Fetcher, HttpRequest, Kind, Outcome
from monitor.pipeline.around import Around
from monitor.store import lookups
from monitor.store.database import Database
from monitor.store.runs import Run

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
    seen = lookups.Exit(
        around.exit, around.egress_lookup, outcome, fault, country, hashed, answer.asked_at
    )
    with database.begin() as connection:
        lookups.keep_exit(connection, run.id, seen)
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
    others = [country for country in countries if country != declared]
    if not others:
        return ""
    return f"requests left from {', '.join(others)}; the region {region} is declared in {declared}"
