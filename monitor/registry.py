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

from monitor.model import (
    Engine,
    InvalidInput,
    Kind,
    Language,
    Measure,
    Origin,
    Page,
    Reference,
    primary,
)

_CONSTANTS = {
    "engines": "ENGINE",
    "languages": "LANGUAGE",
    "measures": "MEASURE",
    "pages": "PAGE",
    "references": "REFERENCE",
}
#: A word as `\b` bounds it.
_WORD = re.compile(r"\w+")


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
        own_name = plugin.code if folder == "languages" else plugin.name.lower()
        allowed = {own_name} if folder != "measures" else {own_name, f"{own_name}_{plugin.kind}"}
        if info.name not in allowed:
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


def measure(name: str, kind: Kind | None = None) -> Measure:
    """The measure registered as `name`, with default parameters.

    Names are the papers' own (NFaiRR), files and job files may write them in lower case.
    One that is computed for two kinds of engines has a file for each: `c_ratio_bias` and, for
    `kind` SEARCH, `c_ratio_bias_search`.
    """
    own = discover("measures").get(f"{name.lower()}_{kind}") if kind else None
    return cast("Measure", own or _named("measures", "measure", name.lower()))


def page(name: str) -> Page:
    """The reader of result pages registered as `name`."""
    return cast("Page", _named("pages", "reader of pages", name))


def reference(name: str) -> Reference:
    """The reference source registered as `name`; a file's name stands after a colon.

    Raises InvalidInput where a file is named for a source that has none, or the other way round.
    """
    base, colon, file = name.partition(":")
    found = cast("Reference", _named("references", "reference", base))
    if (found.origin is Origin.FILE) != bool(colon):
        raise InvalidInput(
            f"reference {name!r}: write {base}:NAME for the file references/NAME.csv"
            if not colon
            else f"reference {name!r}: {base} has no files; leave out {colon}{file}"
        )
    return found


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

    That is the private helpers of its folder, and the modules of shared packages that it names,
    with the tables of words that these read; who looks readers of pages up here depends on all of
    them.
    """
    root = Path(importlib.import_module(f"monitor.{folder}").__path__[0])
    found = [root / f"{name}.py"]
    for path in found:  # it grows meanwhile
        if path.suffix == ".py":
            used = _used(root, path.read_text(encoding="utf-8"))
            found += [one for one in used if one not in found]
    return sorted(found)


@cache
def _used(root: Path, text: str) -> list[Path]:
    """What a module of this text uses. Kept: the plug-ins of a folder share most of theirs."""
    words = set(_WORD.findall(text))  # that most modules are not named is seen at once
    looks_up = not words.isdisjoint(("page", "discover"))
    return [
        path for path, pattern in _patterns(root).items()
        if (path.name.partition(".")[0] in words or (looks_up and path.parent.name == "pages"))
        and re.search(pattern, text)
    ]  # fmt: skip


@cache
def _patterns(root: Path) -> dict[Path, str]:
    """{file that may decide results of a plug-in in this folder: how it would be named}."""
    patterns = {path: rf"\b{path.stem}\b" for path in root.glob("_[a-z]*.py")}
    for shared in ("stats", "pages", "text", "ranked", "corpus"):
        modules = (root.parent / shared).glob("[a-z]*.py")
        patterns |= {path: _named_in(shared, path.stem) for path in modules}
    for shared in ("pages", "ranked", "text"):  # helpers of a module that is named itself
        for path in (root.parent / shared).glob("_[a-z]*.py"):
            patterns[path] = rf"\b{path.stem}\b"
    for path in (root.parent / "data").glob("[a-z]*"):  # word lists that are not plug-ins' own
        if path.stem.startswith(("english_", "gender_", "group_", "first_order_")):
            patterns[path] = rf"[\"']{path.stem}\b"
    return patterns


def _named_in(package: str, module: str) -> str:
    """A pattern of the ways in which a module of a shared package is named."""
    by_name = rf"\bmonitor\.{package}(\.{module}\b| import [^\n]*\b{module}\b)"
    return rf"{by_name}|\bregistry\.page\(|discover\(.pages.\)" if package == "pages" else by_name


@cache
def fingerprint(folder: str, name: str) -> str:
    """SHA-256 over the sources of a plug-in.

    Compared in the tests with a kept list: changed content with an unchanged version fails.
    """
    body = b"".join(p.name.encode() + b"\0" + p.read_bytes() for p in sources(folder, name))
    return hashlib.sha256(body).hexdigest()
