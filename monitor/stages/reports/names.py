"""Names of engines, languages, quantities and flags, as reports and the terminal write them."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from monitor import plugin_summaries, registry
from monitor.model import Flag, InvalidInput, Kind, primary
from monitor.names import base_name, find_registered_name
from monitor.parameters import label_engine
from monitor.plugin_summaries import MeasureSummary
from monitor.region_names import say_region
from monitor.stages.document.notation import join_names
from monitor.store.database import Connection
from monitor.store.jobs import declarations

# --- engines --------------------------------------------------------------------------------------


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
    name = str(use.get("name", ""))
    try:
        return label_engine(plugin_summaries.engine(name), use.get("config") or {})
    except InvalidInput:  # of another version of this program
        return name


def engine_title(label: str) -> str:
    """Return the product of a label, with what tells it from others of the product.

    `DeepL (formality=more)` of `deepl(formality=more)`, `LibreTranslate (invented-b)` of
    `libretranslate(base_url=http://invented-b)`; the label where this installation does not know
    the engine. The title of a retired engine says so.
    """
    base = base_name(label)
    try:
        title = plugin_summaries.engine(base).title
    except InvalidInput:
        if base not in registry.RETIRED:
            return label
        title = f"{registry.RETIRED[base][0]} (no longer offered)"
    system, bracket, choice = label.removeprefix(base).partition("(")
    this_title = f"{title}: {system[1:]}" if system else title
    if not bracket:
        return this_title
    parts = ", ".join(map(_short_part, choice.removesuffix(")").split(",")))
    return f"{this_title} ({parts})"


def _short_part(part: str) -> str:
    """Return the host of an address, else the part as it is."""
    name, _, value = part.partition("=")
    return urlsplit(value).netloc or part if name == "base_url" else part


# --- languages, quantities, flags -----------------------------------------------------------------

Row = dict[str, Any]

#: What a flag tells a reader. `no_control` is said once for a system, not beside each value.
_FLAGS = {
    Flag.EXPLORATORY: "exploratory",
    Flag.SATURATED: "not interpretable (saturated)",
    Flag.INSTRUMENT_SUSPECT: "the instrument itself is in doubt",
    Flag.ANSWERS_CHANGED: "the answers have another shape than in the runs before",
}
NO_CONTROL = (
    "no control: no local engine whose model stood still was asked in this language beside it, so "
    "a change from run to run may also come from this program"
)


def language_name(tag: str) -> str:
    """`Portuguese`, or the tag alone where no rules of the language are known."""
    return plugin_summaries.language_name(tag) or tag


def kind_of(label: str) -> Kind:
    """Return the kind of the engine of a label; a translator where it is not known any more."""
    try:
        return plugin_summaries.engine(base_name(label)).kind
    except InvalidInput:
        return Kind.MT


def target_words(target: str, kind: str) -> str:
    """Return `Czech`, or `United States, English` of a search engine."""
    return say_region(target) if kind == Kind.SEARCH else language_words(target)


def pair_words(source: str, target: str, kind: str = Kind.MT) -> str:
    """Return `English to Czech`, `Czech`, or `United States, English` of a search engine."""
    return say_pairs([(source, target)], kind)


def say_pairs(asked: Iterable[tuple[str, str]], kind: str = Kind.MT) -> str:
    """Return `English to Czech and Portuguese; Turkish to English` of (source language, target).

    `United States, English; Ireland, English` of search engines.
    """
    if kind == Kind.SEARCH:
        return "; ".join(dict.fromkeys(_say_position(source, region) for source, region in asked))
    pairs: dict[str, dict[str, None]] = {}
    for source, target in asked:
        pairs.setdefault(source, {})[target] = None
    return "; ".join(
        language_words(source)
        if list(targets) == [source]
        else f"{language_words(source)} to {join_names(map(language_words, targets))}"
        for source, targets in pairs.items()
    )


def _say_position(source: str, region: str) -> str:
    position = say_region(region)
    if region.endswith(f"-{source}"):
        return position
    return f"{position}, questions in {language_name(source)}"


def language_words(tag: str) -> str:
    """Return `Portuguese`, `Portuguese (pt-BR)`, or the tag where no language has it."""
    name = plugin_summaries.language_name(tag)
    return name if name and tag == primary(tag) else f"{name} ({tag})" if name else tag


def summarize_measure(measure: str, kind: str) -> MeasureSummary | None:
    """Return the measure of a canonical name; None when this installation no longer knows it."""
    try:
        return plugin_summaries.measure(find_registered_name(base_name(measure)), Kind(kind))
    except InvalidInput:
        return None


@cache
def list_quantities(measure: str, kind: str) -> tuple[str, ...]:
    """Return the quantities of a measure, those that are tested first before the others."""
    this_measure = summarize_measure(measure, kind)
    return this_measure.list_tested_first() if this_measure else ()


def quantity_titles(measure: str) -> Mapping[str, str]:
    """{quantity: title} of a measure; empty when this installation no longer knows it."""
    try:
        return plugin_summaries.measure(base_name(measure)).quantities
    except InvalidInput:
        return {}


def reference_title(name: str) -> str:
    """A reference's title with country and year, or its name."""
    try:
        return registry.reference(name).title
    except InvalidInput:
        return name


def short_reference(name: str) -> str:
    """Return `US labour force, 2019`: a reference's title without what stands in brackets."""
    return reference_title(name).partition(" (")[0]


def dated_reference(name: str, as_of: str) -> str:
    """`people recorded in Wikidata, 2026-11-16`: a reference with the date of what was used."""
    base, _, file = name.partition(":")
    title = f"{file}.{base}" if file else reference_title(name)
    date = as_of.partition("+")[0]
    return title if not date or date in title else f"{title}, {date}"


@cache
def read_sources() -> dict[str, Row]:
    """Return where the shipped reference shares come from: the table `sources.toml`, by name."""
    text = files("monitor.data").joinpath("sources.toml").read_text("utf-8")
    rows: dict[str, Row] = tomllib.loads(text)["sources"]
    return rows


def share_title(row: Row) -> str:
    """`US labour force, 2019`: a reference share with its own year, which differs between rows."""
    title = reference_title(row["reference"])
    if not row["as_of"]:
        return title
    meaning = read_sources().get(row["source"], {}).get("year_meaning", "").partition(":")[0]
    remark = f" ({meaning})" if meaning == "year of publication" else ""
    return f"{title.partition(',')[0]}, {row['as_of']}{remark}"


def say_flags(found: Iterable[str]) -> str:
    """The flags of one value in words, the lack of a control apart."""
    return ", ".join(_FLAGS.get(Flag(item), item) for item in found if item != Flag.NO_CONTROL)


def control_labels(content: Mapping[str, Any]) -> set[str]:
    """The labels of the engines that a stored job marks as controls."""
    return {engine_label(use) for use in content.get("engines", ()) if use.get("control")}
