"""Titles of engines: as job files give them, else made from the engine's label."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from pydantic import ValidationError

from monitor import registry
from monitor.jobs import EngineUse
from monitor.model import InvalidInput, Kind, MonitorError
from monitor.names import base_name
from monitor.store.database import Connection
from monitor.store.jobs import declarations


@dataclass(frozen=True, slots=True)
class KnownEngine:
    """An engine that was asked: what sort of system it is, and what people call it."""

    kind: Kind
    title: str


#: Engines by their labels.
KnownEngines: TypeAlias = Mapping[str, KnownEngine]


def known_engines(
    connection: Connection, contents: Iterable[Mapping[str, Any]] | None = None
) -> dict[str, KnownEngine]:
    """Return every engine that was asked, by its label.

    `contents` are those of jobs (`engines_known.job_contents`); they are read where not given.
    """
    if contents is None:
        contents = declarations.read_job_contents(connection)
    declared = declared_titles(contents)
    return {
        label: KnownEngine(kind, declared.get(label) or engine_title(label))
        for label, kind in declarations.read_engine_kinds(connection).items()
    }


def declared_titles(contents: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return {label: title} of the engines that jobs give a title; a later job counts."""
    titles: dict[str, str] = {}
    for content in contents:
        for use in content.get("engines") or ():
            if title := str(use.get("title") or ""):
                titles[engine_label(use)] = title
    return titles


def titles_in(content: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what names the engines of one job, as it was stored, by their labels."""
    declared = declared_titles([content])
    return lambda label: declared.get(label) or engine_title(label)


def engine_label(use: Mapping[str, Any]) -> str:
    """Return the label of an engine in a stored job; its name where the engine is not known."""
    try:
        parsed = EngineUse.model_validate(use)
        return parsed.label(registry.engine(parsed.name))
    except (ValidationError, MonitorError):  # of another version of this program
        return str(use.get("name", ""))


def engine_title(label: str) -> str:
    """Return the product of a label, with what tells it from others of the product.

    `DeepL (formality=more)` of `deepl(formality=more)`, `LibreTranslate (invented-b)` of
    `libretranslate(base_url=http://invented-b)`; the label where this installation does not know
    the engine. The title of a retired engine says so.
    """
    base = base_name(label)
    try:
        title = registry.engine(base).title
    except InvalidInput:
        if base not in registry.RETIRED:
            return label
        title = f"{registry.RETIRED[base][0]} (no longer offered)"
    system, bracket, chosen = label.removeprefix(base).partition("(")
    named = f"{title}: {system[1:]}" if system else title
    if not bracket:
        return named
    parts = ", ".join(map(_short_part, chosen.removesuffix(")").split(",")))
    return f"{named} ({parts})"


def _short_part(part: str) -> str:
    """Return the host of an address, else the part as it is."""
    name, _, value = part.partition("=")
    return urlsplit(value).netloc or part if name == "base_url" else part
