"""Names of engines, languages, quantities, series and flags, as people read them."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from monitor import plugin_summaries, registry
from monitor.model import (
    Direction,
    Flag,
    InvalidInput,
    Kind,
    Meaning,
    Measure,
    Quantity,
    QuantityUnit,
    Symmetry,
    primary,
)
from monitor.names import SNIPPET, base_name, find_registered_name, parse_name
from monitor.parameters import label_engine
from monitor.plugin_summaries import MeasureSummary
from monitor.regions import say_region
from monitor.stages.document.notation import join_names, shorten, spelt
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
    parts = choice.removesuffix(")").split(",")
    for index, part in enumerate(parts):
        if part.startswith("base_url="):  # the host of an address tells it from others
            parts[index] = urlsplit(part.removeprefix("base_url=")).netloc or part
    return f"{this_title} ({', '.join(parts)})"


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
def title_measure(measure: str, kind: str) -> str:
    """Return `GEST masculine rate (floor 3)`; the name alone where it is not known any more."""
    summary = summarize_measure(measure, kind)
    return measure if summary is None else f"{summary.title}{bracket_parameters(measure)}"


@cache
def say_parameters(measure: str) -> str:
    """Return `first 10, floor 3` of a canonical name; empty without parameters of its own."""
    named = parse_name(measure)
    parts = ["titles and snippets"] if named.family == SNIPPET else []
    parts += [f"first {named.cutoff}"] if named.cutoff else []
    parts += [
        f"{name.replace('_', ' ')} {spelt(value)}"
        for name, value in named.parameters.items()
        if name != "cutoff"
    ]
    return ", ".join(parts)


def bracket_parameters(measure: str) -> str:
    """Return ` (first 10, floor 3)`; empty without parameters of its own."""
    parameters = say_parameters(measure)
    return f" ({parameters})" if parameters else ""


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


# --- series ---------------------------------------------------------------------------------------

_PARTS = {
    "measure": "measure",
    "measure_version": "version of the measure",
    "parameters": "parameters of the measure",
    "parser": "parser",
    "parser_version": "version of the parser",
    "language": "language",
    "language_version": "version of the language rules",
    "nouns": "whether nouns for persons count",
    "cue": "where the gender is read from",
    "list": "probe list",
    "reference": "target",
    "reference_version": "version of the target's source",
    "text": "texts that are read",
    "lexicons": "lexicon",
    "extractors": "extractor of page texts",
    "block": "block of the page",
    "labels": "version of the labels",
    "mapping": "version of the mapping of genders",
}
_LONGEST_PART = 60
_CODE = re.compile(r"[a-z][a-z0-9_]*")
#: Scopes of one site among those that are cited.
SITE = "tag:domain="


#: A quantity that this installation no longer knows.
_UNKNOWN = Quantity(
    "", "", Direction.SIGNED, Symmetry.EVEN, None, float("-inf"), float("inf"),
    meaning=Meaning(label="", unit=QuantityUnit.SCORE, up="rose", down="fell"),
)  # fmt: skip


@cache
def find_measure(measure: str, kind: str) -> Measure | None:
    """Return the measure of a canonical name; None where this installation has it no more."""
    try:
        return registry.measure(find_registered_name(base_name(measure)), Kind(kind))
    except InvalidInput:
        return None


@cache
def find_quantity(measure: str, quantity: str, kind: str, scope: str = "all") -> Quantity:
    """Return a quantity of a measure by its canonical name, with its meaning in words.

    A measure of a site names it: that of the scope, where the scope is one. A quantity that is not
    known any more keeps its name and has no title.
    """
    this_measure = find_measure(measure, kind)
    declared = this_measure.quantities if this_measure else ()
    this_quantity = next((q for q in declared if q.name == quantity), None)
    if this_measure is None or this_quantity is None:
        unknown = replace(_UNKNOWN.meaning, label=quantity)
        return replace(_UNKNOWN, name=quantity, meaning=unknown)
    parameters = {**this_measure.parameters, **parse_name(measure).parameters}
    group = parameters.get("group") or "women"
    site = scope.removeprefix(SITE) if scope.startswith(SITE) else parameters.get("domain", "")
    meaning = this_quantity.meaning.fill(group=str(group), site=str(site))
    return replace(this_quantity, meaning=meaning)


def say_scope(scope: str, title: str = "") -> str:
    """Return the part of the questions in words: its title, `occupation: nurse`, or a site."""
    return title or scope.removeprefix(SITE).removeprefix("tag:").replace("=", ": ")


@cache
def name_primaries(measure: str, kind: str) -> tuple[str, ...]:
    """The quantities of a measure whose changes are tested first."""
    this_measure = summarize_measure(measure, kind)
    return this_measure.primaries if this_measure else ()


@cache
def find_main_quantity(measure: str, kind: str) -> Quantity:
    """Return the quantity of a measure that is said first among those that are tested."""
    primaries = [find_quantity(measure, name, kind) for name in name_primaries(measure, kind)]
    unranked = len(primaries) + 1
    return min(
        primaries,
        key=lambda quantity: quantity.meaning.rank or unranked,
        default=find_quantity(measure, base_name(measure), kind),
    )


@cache
def say_meaning(measure: str, kind: str) -> str:
    """Return what a measure says, in a sentence or two; empty where it is not known any more."""
    this_measure = find_measure(measure, kind)
    return this_measure.validity.means if this_measure else ""


def name_family(measure: str) -> str:
    """The name that a measure is registered under."""
    return find_registered_name(base_name(measure))


def rank_series(series: Row, content: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the place of a series in its job: measure, list, reference, language, quantity."""
    uses = content.get("measures") or ()
    family = find_registered_name(base_name(series["measure"]))
    position = next((n for n, use in enumerate(uses) if use.get("name") == family), len(uses))
    references = list(uses[position].get("references") or ()) if position < len(uses) else []
    lists = [str(use.get("name", "")).split("@", 1)[0] for use in content.get("lists") or ()]
    first = name_primaries(series["measure"], series["kind"])

    def find_place(some: Sequence[str], one: str) -> int:
        return some.index(one) if one in some else len(some)

    return (
        position, parse_name(series["measure"]).cutoff or 0, series["measure"],
        find_place(lists, series["list"]), find_place(references, series["reference"]),
        series["source_lang"], find_place(first, series["quantity"]), series["quantity"],
    )  # fmt: skip


def write_title(series: Row) -> str:
    """`f_s`, `mab against US labour force, 2019`: the quantity of a series."""
    reference = series["reference"]
    against = f" against {short_reference(reference)}" if reference else ""
    return f"{series['quantity']}{against}"


def write_label(series: Row) -> str:
    """Return `stereotype gap (f_s)`, and against which reference."""
    meaning = find_quantity(series["measure"], series["quantity"], series["kind"]).meaning
    reference = series["reference"]
    against = f", against {short_reference(reference)}" if reference else ""
    return f"{meaning.label}{against} ({series['quantity']})"


def name_system(series: Row) -> str:
    """Return `DeepL, English to Czech`."""
    pair = pair_words(series["source_lang"], series["target"], series["kind"])
    return f"{_say_engine(series)}, {pair}"


def subject_columns(series: Row) -> dict[str, str]:
    """Return what every row of a table about one series says that it is about."""
    meaning = find_quantity(series["measure"], series["quantity"], series["kind"]).meaning
    stored = {name: str(series[name]) for name in ("source_lang", "target", "quantity")}
    return {"system": _say_engine(series), **stored, "label": meaning.label}


def _say_engine(series: Row) -> str:
    """Return the title that a job gives the engine of a series, else one made from its label."""
    return str(series.get("engine_title") or engine_title(series["engine"]))


def say_differences(before: Row, after: Row) -> list[str]:
    """Return which parts of two signatures differ: `probe list gest@1 → gest@2`."""
    every = [*_PARTS, *sorted((before.keys() | after.keys()) - _PARTS.keys())]
    keys = [key for key in every if before.get(key) != after.get(key)]
    return [
        f"{_PARTS.get(key, key)} "
        + " → ".join(shorten(spelt(side.get(key)), _LONGEST_PART) for side in (before, after))
        for key in keys
    ]


def spell_quantities(reason: str, measure: str, kind: str) -> str:
    """Return a reason with the labels of the quantities of a measure in place of their codes."""
    this_measure = find_measure(measure, kind)
    labels = {q.name: q.meaning.label for q in this_measure.quantities} if this_measure else {}
    return _CODE.sub(lambda match: labels.get(match[0], match[0]), reason)
