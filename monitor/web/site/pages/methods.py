"""Methods: every measure with its validity card, languages, references and lexicons.

The page lists what is registered in this installation, with the versions used in the archive.
"""

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated

from fastapi import Path
from pydantic import BaseModel

from monitor import registry
from monitor.lexicons import installed
from monitor.model import Cue, Json, Kind, Measure
from monitor.names import base_name
from monitor.roles import Permission
from monitor.stages.changes.decisions import LEAST_RUNS
from monitor.stages.reports import names
from monitor.store.database import Connection
from monitor.store.derive import signatures
from monitor.web.site.errors import Missing
from monitor.web.site.pages.series_list import finite_or_none
from monitor.web.site.records import Described, copy_record
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import make_router, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("methods")

_cache = ResponseCache()

_SWAPPED = {
    "odd": "turns its sign",
    "even": "stays",
    "reciprocal": "becomes one over it",
    "complement": "becomes one less it",
    "reflect": "is mirrored within its range",
}

MeasureName = Annotated[str, Path(max_length=100, pattern=r"^[A-Za-z0-9_]+$")]
UsedVersions = Mapping[str, Mapping[str, Sequence[int]]]


class MeasureRow(BaseModel):
    """A measure in the list. `page` is its name in addresses; `used` are archived versions."""

    page: str
    name: str
    title: str
    kind: Kind
    summary: str
    quantities: Sequence[str]
    version: int
    used: Sequence[int]


class LanguageRow(BaseModel):
    """A language whose grammatical gender can be read, with its cues."""

    code: str
    name: str
    cues: Sequence[str]
    counts_nouns: bool
    version: int
    used: Sequence[int]


class NamedPersonsRow(BaseModel):
    """A language in which the gender of a person named in the source is read.

    `decides` says what the language's words can tell.
    """

    code: str
    name: str
    decides: str
    version: int
    used: Sequence[int]


class ReferenceRow(BaseModel):
    """A source of reference shares; `as_of` is empty where each use has its own date."""

    name: str
    title: str
    origin: str
    as_of: str
    version: int
    used: Sequence[int]


class LexiconRow(BaseModel):
    """A lexicon that comes with the program."""

    name: str
    language: str
    words: int
    digest: str
    low: float
    high: float


class MethodList(BaseModel):
    """All methods. No change is decided before a series has `least_runs` runs."""

    measures: Sequence[MeasureRow]
    languages: Sequence[LanguageRow]
    named_persons: Sequence[NamedPersonsRow]
    references: Sequence[ReferenceRow]
    lexicons: Sequence[LexiconRow]
    least_runs: int


@serve_page(router, "/methods", "methods.html", Permission.NUMBERS)
def methods(site: TheSite, who: Who) -> MethodList:
    """Return measures, languages, references and lexicons, with the versions used."""
    with site.database.read() as connection:
        used = _read_used_versions(connection, who)
    measures = registry.discover("measures")
    return MethodList(
        measures=[_make_measure_row(name, entry, used) for name, entry in measures.items()],
        languages=[
            copy_record(
                LanguageRow, entry, cues=sorted(entry.cues), counts_nouns=entry.nouns,
                used=used["language"].get(entry.code, []),
            )
            for entry in registry.discover("languages").values()
        ],
        named_persons=[
            copy_record(NamedPersonsRow, entry, used=used["named_persons"].get(entry.code, []))
            for entry in registry.discover("entities").values()
        ],
        references=[
            copy_record(ReferenceRow, entry, used=used["reference"].get(entry.name, []))
            for entry in registry.discover("references").values()
        ],
        lexicons=[_make_lexicon_row(name) for name in installed.built_in()],
        least_runs=LEAST_RUNS,
    )  # fmt: skip


def _read_used_versions(connection: Connection, who: Visitor) -> UsedVersions:
    """Return {part: {name: versions}} of the signatures in the archive."""

    def read() -> UsedVersions:
        parts = signatures.list_parts(connection, who.hidden)
        measured = [signature | {"measure": _find_page(signature)} for signature in parts]
        against = [
            signature | {"reference": base_name(str(signature.get("reference") or ""))}
            for signature in parts
        ]
        of_persons = [signature for signature in parts if signature.get("cue") == Cue.ENTITY]
        of_speakers = [signature for signature in parts if signature.get("cue") != Cue.ENTITY]
        return {
            "measure": signatures.list_versions(measured, "measure"),
            "language": signatures.list_versions(of_speakers, "language"),
            "named_persons": signatures.list_versions(of_persons, "language"),
            "reference": signatures.list_versions(against, "reference"),
        }

    return _cache.get(connection, who, "versions", read)


def _find_page(parts: Mapping[str, Json]) -> str:
    name = names.name_family(str(parts.get("measure") or "")).lower()
    for_search = f"{name}_{Kind.SEARCH}"
    has_twin = for_search in registry.discover("measures")
    return for_search if has_twin and "block" in parts else name


def _make_measure_row(path: str, measure: Measure, used: UsedVersions) -> MeasureRow:
    names = [quantity.name for quantity in measure.quantities]
    # the first line of the docstring of its module
    summary = (inspect.getdoc(inspect.getmodule(type(measure))) or "").partition("\n")[0]
    used_here = used["measure"].get(path, [])
    return copy_record(
        MeasureRow, measure, page=path, summary=summary, quantities=names, used=used_here
    )


@cache
def _make_lexicon_row(name: str) -> LexiconRow:
    book = installed.find(name, None)
    return copy_record(LexiconRow, book, words=len(book))


# --- one measure ----------------------------------------------------------------------------------


class TextPart(BaseModel):
    """Part of a description; `is_code` if it is an identifier."""

    text: str
    is_code: bool


class QuantityRow(Described):
    """A number that the measure yields. Ends of its range and `neutral` are null where none is."""

    name: str
    title: str
    low: float | None
    high: float | None
    neutral: float | None
    is_signed: bool
    swapped: str
    """What it does when women and men change places."""
    mirror: str
    """The quantity that it changes places with then; empty for itself."""
    is_primary: bool
    """Whether its changes are tested first."""


class ValidityCard(BaseModel):
    """The validity card: what stands beside a published number."""

    means: str
    does_not_mean: str
    assumes: str
    harm: str


class ParameterRow(BaseModel):
    """A parameter with its default, as JSON."""

    name: str
    default: str


class MethodPage(Described):
    """One measure: formulas, source, meaning and limits."""

    page: str
    name: str
    title: str
    kind: Kind
    summary: str
    description: Sequence[Sequence[TextPart]]
    """Paragraphs."""
    citation: str
    version: int
    used: Sequence[int]
    """Versions that the archive's numbers were made with."""
    card: ValidityCard
    quantities: Sequence[QuantityRow]
    parameters: Sequence[ParameterRow]
    cues: Sequence[str]
    tag: str
    resampling: str
    needs_reference: bool
    twin: str
    """The page of the measure of the same name for the other kind of systems, or empty."""


@serve_page(router, "/methods/{measure}", "method.html", Permission.NUMBERS)
def method(measure: MeasureName, site: TheSite, who: Who) -> MethodPage:
    """Return one measure with its formulas, quantities and validity card."""
    path = measure.lower()
    plugin: Measure | None = registry.discover("measures").get(path)
    if plugin is None:
        raise Missing(f"there is no measure {measure}")
    with site.database.read() as connection:
        used = _read_used_versions(connection, who)
    row = _make_measure_row(path, plugin, used)
    twins = [
        name
        for name, candidate in registry.discover("measures").items()
        if candidate.name == plugin.name and name != path
    ]
    paragraphs = (inspect.getdoc(type(plugin)) or "").split("\n\n")
    return copy_record(
        MethodPage, plugin, page=path, summary=row.summary, used=row.used,
        description=[_split_code(" ".join(part.split())) for part in paragraphs],
        card=copy_record(ValidityCard, plugin.validity),
        quantities=[
            copy_record(
                QuantityRow,
                quantity,
                low=finite_or_none(quantity.low),
                high=finite_or_none(quantity.high),
                is_signed=quantity.direction == "signed",
                swapped=_SWAPPED[quantity.symmetry],
                is_primary=quantity.name in plugin.primaries,
            )
            for quantity in plugin.quantities
        ],
        parameters=[
            ParameterRow(name=name, default=json.dumps(value, ensure_ascii=False))
            for name, value in plugin.parameters.items()
        ],
        cues=sorted(plugin.cues), twin=next(iter(twins), ""),
    )  # fmt: skip


def _split_code(paragraph: str) -> list[TextPart]:
    pieces = re.split(r"`([^`]+)`", paragraph)
    return [
        TextPart(text=text, is_code=index % 2 == 1) for index, text in enumerate(pieces) if text
    ]
