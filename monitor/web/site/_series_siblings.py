"""Series that belong beside one: of the same system, and the same quantity of other systems."""

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from monitor.stages.engine_titles import KnownEngines
from monitor.stages.weekly import names
from monitor.store.database import Connection
from monitor.store.series import ALL, Filters, Series
from monitor.web.site._series import described, find
from monitor.web.site._visitor import Visitor

_MOST = 60


class Sibling(BaseModel):
    """Another series, by what tells it apart."""

    number: int
    title: str
    detail: str


class InParts(BaseModel):
    """A quantity that is measured of so many parts of the questions."""

    quantity: str
    n: int


class Siblings(BaseModel):
    """Other series to go on with."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    quantities: Sequence[Sibling]
    """Of the same system and measure: other quantities and references of this part, or of all."""
    in_parts: Sequence[InParts]
    """Of the same system and measure, over parts of the questions."""
    parts: Sequence[Sibling]
    """The same quantity over other parts of the questions."""
    systems: Sequence[Sibling]
    """The same quantity of other systems."""
    n_parts: int
    n_systems: int


def siblings(connection: Connection, who: Visitor, one: Series, engines: KnownEngines) -> Siblings:
    """What stands beside a series; of many, the first are named."""
    alike = _found(connection, who, one, engine=one.engine, target=one.target,
                   source_lang=one.source_lang)  # fmt: skip
    alike = [other for other in alike if (other.engine, other.surface) == (one.engine, one.surface)]
    parts = [
        other
        for other in alike
        if (other.quantity, other.reference) == (one.quantity, one.reference)
    ]
    systems = [
        other
        for other in _found(connection, who, one, quantity=one.quantity, reference=one.reference)
        if _system(other) != _system(one)
    ]
    firsts = names.primaries(one.measure, engines[one.engine].kind)
    is_part = {other.id for other in parts}
    quantities = [
        other for other in alike if other.scope in (one.scope, ALL) and other.id not in is_part
    ]
    in_parts = Counter(
        other.quantity for other in alike if other.scope != ALL and other.reference == one.reference
    )
    quantities.sort(
        key=lambda other: (other.scope != one.scope, other.quantity not in firsts, other.id)
    )
    return Siblings(
        quantities=[_named(other, engines) for other in quantities[:_MOST]],
        in_parts=[InParts(quantity=name, n=n) for name, n in in_parts.items()],
        parts=[_part(other) for other in sorted(parts, key=_order)[:_MOST]],
        systems=[
            Sibling(number=other.id, title=names.system(described(other, engines)),
                    detail="" if other.surface == one.surface else other.surface)
            for other in systems[:_MOST]
        ],
        n_parts=len(parts), n_systems=len(systems),
    )  # fmt: skip


def _found(connection: Connection, who: Visitor, one: Series, **own: str) -> list[Series]:
    """Others of the same list and measure: of a system all parts, of other systems this part."""
    scope = None if "engine" in own else one.scope
    filters = Filters(list=one.list, measure=one.measure, scope=scope, **own)
    return [
        other
        for other in find(connection, who, filters)
        if other.id != one.id and other.measure == one.measure
    ]


def _system(one: Series) -> tuple[str, str, str, str]:
    return one.engine, one.surface, one.source_lang, one.target


def _named(one: Series, engines: KnownEngines) -> Sibling:
    row = described(one, engines)
    known = names.about(one.measure, one.quantity, row["kind"])
    return Sibling(number=one.id, title=names.title(row), detail=known.title)


def _part(one: Series) -> Sibling:
    title = "all questions" if one.scope == ALL else one.scope
    return Sibling(number=one.id, title=title, detail=one.scope_title)


def _order(one: Series) -> tuple[bool, int, str]:
    """`stereotype:2` before `stereotype:10`."""
    return one.scope != ALL, len(one.scope), one.scope
