"""Finds plug-ins: dropping a file into a plug-in folder is its registration.

In goes the name of a plug-in folder, out comes {registered name: instance}. A module without its
constant is an error, so that a forgotten line cannot make a plug-in vanish silently.
"""

import hashlib
import importlib
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import Any, cast

from monitor.model import Engine, InvalidInput, Language, Measure, Reference, primary

_CONSTANTS = {
    "engines": "ENGINE",
    "languages": "LANGUAGE",
    "measures": "MEASURE",
    "references": "REFERENCE",
}


@cache
def discover(folder: str) -> dict[str, Any]:
    """Import every public module of `monitor.<folder>` and collect its constant by module name.

    Raises TypeError when a module lacks the constant or names itself differently from its file.
    """
    constant = _CONSTANTS[folder]
    package = importlib.import_module(f"monitor.{folder}")
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"monitor.{folder}.{info.name}")
        plugin = getattr(module, constant, None)
        if plugin is None:
            raise TypeError(f"monitor/{folder}/{info.name}.py defines no {constant}")
        own_name = plugin.code if folder == "languages" else plugin.name
        if own_name != info.name:
            raise TypeError(f"monitor/{folder}/{info.name}.py registers itself as {own_name!r}")
        found[info.name] = plugin
    return dict(sorted(found.items()))


def _named(folder: str, singular: str, name: str) -> Any:  # noqa: ANN401 - cast by the callers
    plugins = discover(folder)
    if name not in plugins:
        raise InvalidInput(f"unknown {singular} {name!r}; known: {', '.join(plugins)}")
    return plugins[name]


def engine(name: str) -> Engine:
    """The engine registered as `name`; raises InvalidInput listing the known ones."""
    return cast("Engine", _named("engines", "engine", name))


def measure(name: str) -> Measure:
    """The measure registered as `name`, with default parameters."""
    return cast("Measure", _named("measures", "measure", name))


def reference(name: str) -> Reference:
    """The reference source registered as `name`."""
    return cast("Reference", _named("references", "reference", name))


def language(tag: str) -> Language | None:
    """The language for a BCP 47 tag by its primary subtag (`pt-BR` -> `pt`), None if unknown."""
    return cast("Language | None", discover("languages").get(primary(tag)))


@cache
def known_language(tag: str, *, nouns: bool | None = None) -> Language:
    """Like `language`, but raises InvalidInput naming the known ones.

    `nouns` says whether generic nouns for persons count; None is the language's own choice.
    """
    found = language(tag)
    if found is None:
        known = ", ".join(discover("languages"))
        raise InvalidInput(f"target {tag!r}: its gender cannot be read; known: {known}")
    return found if nouns in (None, found.nouns) else found.counting(nouns=bool(nouns))


def sources(folder: str, name: str) -> list[Path]:
    """A plug-in's own file and what of ours decides its results, directly or not.

    That is the private helpers of its folder and the modules of `monitor.stats` that it names.
    """
    root = Path(importlib.import_module(f"monitor.{folder}").__path__[0])
    helpers = {path: rf"\b{path.stem}\b" for path in root.glob("_[a-z]*.py")}
    stats = (root.parent / "stats").glob("[a-z]*.py")
    helpers |= {path: rf"\bmonitor\.stats\.{path.stem}\b" for path in stats}
    wanted, found = [root / f"{name}.py"], [root / f"{name}.py"]
    while wanted:
        text = wanted.pop().read_text(encoding="utf-8")
        used = [p for p, word in helpers.items() if p not in found and re.search(word, text)]
        found += used
        wanted += used
    return sorted(found)


@cache
def fingerprint(folder: str, name: str) -> str:
    """SHA-256 over the sources of a plug-in.

    Compared in the tests with a kept list: changed content with an unchanged version fails.
    """
    body = b"".join(p.name.encode() + b"\0" + p.read_bytes() for p in sources(folder, name))
    return hashlib.sha256(body).hexdigest()
