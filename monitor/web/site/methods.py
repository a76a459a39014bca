"""How numbers are computed: every measure with its validity card, languages, references, lexicons.

In goes what is registered in this installation, and which versions the archive's signatures have.
"""

import inspect
import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict

from monitor import registry
from monitor.lexicons import installed
from monitor.model import Json, Kind, Measure, Quantity, Reference
from monitor.names import base_name
from monitor.roles import Permission
from monitor.stages.decisions import LEAST_RUNS
from monitor.stages.weekly import names
from monitor.store.database import Connection
from monitor.store.derive import signatures
from monitor.web.site._errors import Missing
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("methods")

_kept = Kept()

_SWAPPED = {
    "odd": "turns its sign",
    "even": "stays",
    "reciprocal": "becomes one over it",
    "complement": "becomes one less it",
    "reflect": "is mirrored within its range",
}

Name = Annotated[str, Path(max_length=100, pattern=r"^[A-Za-z0-9_]+$")]


class MeasureRow(BaseModel):
    """A measure in the list. `page` is its name in addresses; `used` versions of the archive."""

    page: str
    name: str
    kind: Kind
    summary: str
    quantities: Sequence[str]
    version: int
    used: Sequence[int]


class LanguageRow(BaseModel):
    """A language whose grammatical gender can be read, and from what."""

    code: str
    name: str
    cues: Sequence[str]
    counts_nouns: bool
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
    """How everything is computed. Nothing is decided before a series has `least_runs` runs."""

    measures: Sequence[MeasureRow]
    languages: Sequence[LanguageRow]
    references: Sequence[ReferenceRow]
    lexicons: Sequence[LexiconRow]
    least_runs: int


@page(router, "/methods", "methods.html", Permission.NUMBERS)
def methods(site: TheSite, who: Who) -> MethodList:
    """Measures, languages, references and lexicons, with the versions that the archive used."""
    with site.database.read() as connection:
        used = _used(connection, who)
    measures = registry.discover("measures")
    return MethodList(
        measures=[_row(name, one, used) for name, one in measures.items()],
        languages=[
            LanguageRow(code=one.code, name=one.name, cues=sorted(one.cues),
                        counts_nouns=one.nouns, version=one.version,
                        used=used["language"].get(one.code, []))
            for one in registry.discover("languages").values()
        ],
        references=[_reference(one, used) for one in registry.discover("references").values()],
        lexicons=[_lexicon(name) for name in installed.built_in()],
        least_runs=LEAST_RUNS,
    )  # fmt: skip


Used = Mapping[str, Mapping[str, Sequence[int]]]


def _used(connection: Connection, who: Visitor) -> Used:
    """{part: {name: versions}}: measures by the names of their pages, references by their bases."""

    def read() -> Used:
        parts = signatures.list_parts(connection, who.hidden)
        measured = [one | {"measure": _page_of(one)} for one in parts]
        against = [one | {"reference": base_name(str(one.get("reference") or ""))} for one in parts]
        return {
            "measure": signatures.list_versions(measured, "measure"),
            "language": signatures.list_versions(parts, "language"),
            "reference": signatures.list_versions(against, "reference"),
        }

    return _kept.get(connection, who, "versions", read)


def _page_of(parts: Mapping[str, Json]) -> str:
    """The page of the measure that a signature is of; the ones for searches keep what they read."""
    name = names.family(str(parts.get("measure") or "")).lower()
    for_search = f"{name}_{Kind.SEARCH}"
    has_twin = for_search in registry.discover("measures")
    return for_search if has_twin and "block" in parts else name


def _row(path: str, one: Measure, used: Used) -> MeasureRow:
    return MeasureRow(
        page=path, name=one.name, kind=one.kind, summary=_summary(one),
        quantities=[known.name for known in one.quantities], version=one.version,
        used=used["measure"].get(path, []),
    )  # fmt: skip


def _summary(one: Measure) -> str:
    """The first line of what its file says of itself."""
    module = inspect.getmodule(type(one))
    return (inspect.getdoc(module) or "").partition("\n")[0] if module else ""


def _reference(one: Reference, used: Used) -> ReferenceRow:
    return ReferenceRow(
        name=one.name, title=one.title, origin=one.origin, as_of=one.as_of, version=one.version,
        used=used["reference"].get(one.name, []),
    )  # fmt: skip


@cache
def _lexicon(name: str) -> LexiconRow:
    """A built-in lexicon by what it is; only that is kept."""
    book = installed.find(name, None)
    return LexiconRow(
        name=book.name, language=book.language, words=len(book), digest=book.digest,
        low=book.low, high=book.high,
    )  # fmt: skip


# --- one measure ----------------------------------------------------------------------------------


class Said(BaseModel):
    """A part of a description; `is_code` where it names something as jobs and tables write it."""

    text: str
    is_code: bool


class QuantityRow(BaseModel):
    """A number that the measure yields. Ends of its range and `neutral` are null where none is."""

    model_config = ConfigDict(use_attribute_docstrings=True)

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


class Card(BaseModel):
    """The validity card: what stands beside a published number."""

    means: str
    does_not_mean: str
    assumes: str
    harm: str


class ParameterRow(BaseModel):
    """A parameter with its default, as JSON."""

    name: str
    default: str


class MethodPage(BaseModel):
    """One measure: its formulas, its source, what its values mean and what they do not."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    page: str
    name: str
    kind: Kind
    summary: str
    description: Sequence[Sequence[Said]]
    """Paragraphs."""
    citation: str
    version: int
    used: Sequence[int]
    """Versions that the archive's numbers were made with."""
    card: Card
    quantities: Sequence[QuantityRow]
    parameters: Sequence[ParameterRow]
    cues: Sequence[str]
    tag: str
    resampling: str
    needs_reference: bool
    twin: str
    """The page of the measure of the same name for the other kind of systems, or empty."""


@page(router, "/methods/{measure}", "method.html", Permission.NUMBERS)
def method(measure: Name, site: TheSite, who: Who) -> MethodPage:
    """One measure with its formulas, its quantities and its validity card."""
    path = measure.lower()
    one: Measure | None = registry.discover("measures").get(path)
    if one is None:
        raise Missing(f"there is no measure {measure}")
    with site.database.read() as connection:
        used = _used(connection, who)
    row = _row(path, one, used)
    card = one.validity
    return MethodPage(
        page=path, name=one.name, kind=one.kind, summary=row.summary,
        description=[_said(part) for part in _paragraphs(one)], citation=one.citation,
        version=one.version, used=row.used,
        card=Card(means=card.means, does_not_mean=card.does_not_mean, assumes=card.assumes,
                  harm=card.harm),
        quantities=[_quantity(known, one.primaries) for known in one.quantities],
        parameters=[
            ParameterRow(name=name, default=json.dumps(value, ensure_ascii=False))
            for name, value in one.parameters.items()
        ],
        cues=sorted(one.cues), tag=one.tag, resampling=one.resampling,
        needs_reference=one.needs_reference, twin=_twin(path, one),
    )  # fmt: skip


def _twin(path: str, one: Measure) -> str:
    others = registry.discover("measures").items()
    return next((name for name, other in others if other.name == one.name and name != path), "")


def _paragraphs(one: Measure) -> list[str]:
    """What the measure's class says of itself: formulas, ranges, parameters."""
    return [" ".join(part.split()) for part in (inspect.getdoc(type(one)) or "").split("\n\n")]


def _said(paragraph: str) -> list[Said]:
    pieces = re.split(r"`([^`]+)`", paragraph)
    return [Said(text=text, is_code=at % 2 == 1) for at, text in enumerate(pieces) if text]


def _quantity(one: Quantity, primaries: Sequence[str]) -> QuantityRow:
    return QuantityRow(
        name=one.name, title=one.title, low=_finite(one.low), high=_finite(one.high),
        neutral=one.neutral, is_signed=one.direction == "signed", swapped=_SWAPPED[one.symmetry],
        mirror=one.mirror, is_primary=one.name in primaries,
    )  # fmt: skip


def _finite(end: float) -> float | None:
    return end if math.isfinite(end) else None
