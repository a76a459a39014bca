"""Find plug-ins: dropping a file into a plug-in folder is its registration.

A plug-in is imported when it is looked up, all of a folder only by `discover`. A module without
its constant is an error, so that a forgotten line cannot make a plug-in vanish silently.
"""

import hashlib
import importlib
import pkgutil
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any, cast

from monitor.model import (
    Cue,
    Engine,
    EntityLanguage,
    GenderReader,
    InvalidInput,
    Kind,
    Language,
    Measure,
    Origin,
    Page,
    Reference,
    primary,
)
from monitor.text.near_names import hint

_CONSTANTS = {
    "engines": "ENGINE",
    "entities": "ENTITY_READER",
    "languages": "LANGUAGE",
    "measures": "MEASURE",
    "pages": "PAGE",
    "references": "REFERENCE",
}
_SINGULARS = {
    "engines": "engine",
    "measures": "measure",
    "pages": "reader of pages",
    "references": "reference",
}
#: How names of tables in `data/` begin that plug-ins read.
_WORD_LISTS = (
    "chat_words",
    "language_codes",
    "page_words",
    "english_",
    "entity_",
    "gender_",
    "group_",
    "first_order_",
    "function_",
    "person_nouns_",
    "person_words_",
)
#: Engines of earlier versions, {name: (title, reason and remedy)}. Archives keep their answers.
RETIRED = {
    "google_cse": (
        "Google Programmable Search",
        "no longer offered: Google ends this API on 2027-01-01; use serpapi or dataforseo",
    )
}
#: A word as `\b` bounds it.
_WORD = re.compile(r"\w+")


@cache
def _find_modules(folder: str) -> dict[str, str]:
    """{name of a plug-in: its module} of `monitor.<folder>` and its subfolders, by name."""
    package = importlib.import_module(f"monitor.{folder}")
    module_infos = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    modules = {
        module_info.name.rpartition(".")[2]: module_info.name
        for module_info in module_infos
        if not module_info.ispkg
    }
    return {name: modules[name] for name in sorted(modules) if not name.startswith("_")}


def list_names(folder: str) -> tuple[str, ...]:
    """Return the names of the plug-ins of `monitor.<folder>`, in order; imports none of them."""
    return tuple(_find_modules(folder))


@cache
def _import_known(folder: str) -> dict[str, Any]:  # noqa: ARG001 - it is kept by folder
    """The plug-ins of a folder that were imported so far."""
    return {}


def plugin(folder: str, name: str) -> Any:  # noqa: ANN401 - cast by the callers
    """Return one plug-in, imported when it is first looked up.

    Raises TypeError when its module lacks the constant or names itself differently from its file.
    """
    imported = _import_known(folder)
    if name not in imported:
        imported[name] = _import_plugin(folder, name)
    return imported[name]


def _import_plugin(folder: str, name: str) -> Any:  # noqa: ANN401 - as above
    constant = _CONSTANTS[folder]
    module = _find_modules(folder)[name]
    file = f"{module.replace('.', '/')}.py"
    plugin_found = getattr(importlib.import_module(module), constant, None)
    if plugin_found is None:
        raise TypeError(f"{file} defines no {constant}")
    own_name = (
        plugin_found.code if folder in {"languages", "entities"} else plugin_found.name.lower()
    )
    allowed = {own_name} if folder != "measures" else {own_name, f"{own_name}_{plugin_found.kind}"}
    if name not in allowed:
        raise TypeError(f"{file} registers itself as {own_name!r}")
    return plugin_found


def discover(folder: str) -> dict[str, Any]:
    """Import every public module of `monitor.<folder>`: {name: plug-in}. Raises TypeError."""
    imported = _import_known(folder)
    if tuple(imported) != list_names(folder):
        plugins = {name: plugin(folder, name) for name in list_names(folder)}
        imported.clear()
        imported.update(plugins)  # in the order of names
    return imported


def check_name(folder: str, name: str) -> None:
    """Raise InvalidInput with the remedy where no plug-in has this name; imports none."""
    if folder == "engines" and name in RETIRED:
        raise InvalidInput(f"engine {name!r} is {RETIRED[name][1]}")
    if name not in list_names(folder):
        singular = _SINGULARS[folder]
        raise InvalidInput(f"unknown {singular} {name!r}; {hint(name, list_names(folder))}")


def _find_named(folder: str, name: str) -> Any:  # noqa: ANN401 - cast by the callers
    check_name(folder, name)
    return plugin(folder, name)


def engine(name: str) -> Engine:
    """The engine registered as `name`; raises InvalidInput with the remedy for any other."""
    return cast("Engine", _find_named("engines", name))


def measure(name: str, kind: Kind | None = None) -> Measure:
    """The measure registered as `name`, with default parameters.

    Names are the papers' own (NFaiRR), files and job files may write them in lower case.
    One that is computed for two kinds of engines has a file for each: `c_ratio_bias` and, for
    `kind` SEARCH, `c_ratio_bias_search`.
    """
    return cast("Measure", _find_named("measures", qualify_measure(name, kind)))


def qualify_measure(name: str, kind: Kind | None = None) -> str:
    """Return the name of the file that has a measure for engines of a kind."""
    qualified_name = f"{name.lower()}_{kind}"
    return qualified_name if qualified_name in list_names("measures") else name.lower()


def entity_reader(code: str) -> EntityLanguage:
    """Return the reader of a named person's gender in translations into the language `code`.

    Raises InvalidInput listing the languages that can be read.
    """
    if code not in list_names("entities"):
        readable = ", ".join(list_names("entities"))
        raise InvalidInput(
            f"language {code!r}: the gender of a named person is not read in it; "
            f"languages that are read: {readable}"
        )
    return cast("EntityLanguage", plugin("entities", code))


def page(name: str) -> Page:
    """The reader of result pages registered as `name`."""
    return cast("Page", _find_named("pages", name))


def reference(name: str) -> Reference:
    """The reference source registered as `name`; a file's name stands after a colon.

    Raises InvalidInput where a file is named for a source that has none, or the other way round.
    """
    base, colon, file = name.partition(":")
    plugin_found = cast("Reference", _find_named("references", base))
    if (plugin_found.origin is Origin.FILE) != bool(colon):
        raise InvalidInput(
            f"reference {name!r}: write {base}:NAME for the file references/NAME.csv"
            if not colon
            else f"reference {name!r}: {base} has no files; leave out {colon}{file}"
        )
    return plugin_found


def language(tag: str) -> Language | None:
    """The language for a BCP 47 tag by its primary subtag (`pt-BR` -> `pt`), None if unknown."""
    code = primary(tag)
    return cast("Language", plugin("languages", code)) if code in list_names("languages") else None


@cache
def known_language(tag: str, *, nouns: bool | None = None) -> Language:
    """Like `language`, but raises InvalidInput naming the known ones.

    `nouns` says whether generic nouns for persons count; None is the language's own choice.
    """
    language_found = language(tag)
    if language_found is None:
        titles = {
            code: language_plugin.name for code, language_plugin in discover("languages").items()
        }
        raise InvalidInput(
            f"target {tag!r}: its gender cannot be read; {hint(tag, titles, titles)}"
        )
    return (
        language_found
        if nouns in (None, language_found.nouns)
        else language_found.counting(nouns=bool(nouns))
    )


def gender_reader(tag: str, cues: Collection[Cue], *, nouns: bool | None = None) -> GenderReader:
    """Return what reads answers in a language by the cues of a list. Raises InvalidInput."""
    return entity_reader(primary(tag)) if Cue.ENTITY in cues else known_language(tag, nouns=nouns)


def folder_of(language: GenderReader) -> str:
    """Return the folder of plug-ins that a reader of genders is one of."""
    return "entities" if Cue.ENTITY in language.cues else "languages"


def find_sources(folder: str, name: str) -> list[Path]:
    """A plug-in's own file and what of ours decides its results, directly or not.

    That is the private helpers of its folder and subfolders, and the modules of shared packages
    that it names, with the tables of words that these read; of an entity reader its nouns as well.
    Who looks readers of pages up here depends on all of them.
    """
    root = Path(importlib.import_module(f"monitor.{folder}").__path__[0])
    paths = [next(root.rglob(f"{name}.py"))]
    if folder == "entities":  # its table is found by the language's code
        paths.append(root.parent / "data" / f"entity_nouns_{name}.txt")
    for path in paths:  # it grows meanwhile
        if path.suffix == ".py":
            used = _find_used(root, path.read_text(encoding="utf-8"))
            paths += [path_used for path_used in used if path_used not in paths]
    return sorted(paths)


@cache
def _find_used(root: Path, text: str) -> list[Path]:
    """Return the files that a module of this text uses. Cached, because plug-ins share most."""
    words = set(_WORD.findall(text))  # that most modules are not named is seen at once
    looks_up = not words.isdisjoint(("page", "discover"))
    return [
        path for path, pattern in _make_patterns(root).items()
        if (path.name.partition(".")[0] in words or (looks_up and path.parent.name == "pages"))
        and re.search(pattern, text)
    ]  # fmt: skip


@cache
def _make_patterns(root: Path) -> dict[Path, str]:
    """{file that may decide results of a plug-in in this folder: how it would be named}."""
    patterns = {path: rf"\b{path.stem}\b" for path in root.rglob("_[a-z]*.py")}
    for shared in ("stats", "pages", "text", "ranked", "corpus"):
        modules = (root.parent / shared).glob("[a-z]*.py")
        patterns |= {path: _named_in(shared, path.stem) for path in modules}
    for shared in ("pages", "ranked", "text"):  # helpers of a module that is named itself
        for path in (root.parent / shared).glob("_[a-z]*.py"):
            patterns[path] = rf"\b{path.stem}\b"
    for path in (root.parent / "data").glob("[a-z]*"):  # word lists that are not plug-ins' own
        if path.stem.startswith(_WORD_LISTS):
            patterns[path] = rf"[\"']{path.stem}\b"
    return patterns


def _named_in(package: str, module: str) -> str:
    """A pattern of the ways in which a module of a shared package is named."""
    by_name = rf"\bmonitor\.{package}(\.{module}\b| import [^\n]*\b{module}\b)"
    return rf"{by_name}|\bregistry\.page\(|discover\(.pages.\)" if package == "pages" else by_name


@cache
def compute_fingerprint(folder: str, name: str) -> str:
    """SHA-256 over the sources of a plug-in.

    Compared in the tests with a kept list: changed content with an unchanged version fails.
    """
    body = b"".join(p.name.encode() + b"\0" + p.read_bytes() for p in find_sources(folder, name))
    return hashlib.sha256(body).hexdigest()
