"""Answers of the API of Wikidata about items: facts, item ids, hits, recorded genders.

Every function raises NotReadable for an answer that is none; nothing that is missing becomes an
empty result. The table from recorded genders to groups is versioned: a point names the version that
its labels were made with. Nothing but what is recorded is used; without a record there is no group.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from monitor.model import Answer, Json, make_storable
from monitor.wikidata.requests import (
    MOST_HITS,
    NotReadable,
    api_content,
    check_mapping,
    is_item,
)

#: Stands for a value of which only is recorded that there is one.
UNKNOWN = "somevalue"
CLASS, GENDER, OCCUPATION = "P31", "P21", "P106"
BIRTH, DEATH = "P569", "P570"
#: Precision of a date that names a year (Wikibase: 9 year, 10 month, 11 day).
_YEAR = 9
_TIME = re.compile(r"([+-]?)(\d{4,})-")
#: Whose label a person is shown by; `mul` is the label for all languages.
_LABEL_LANGUAGES = ("en", "mul")


@dataclass(frozen=True, slots=True)
class Facts:
    """Records of one item in Wikidata, of each property the values of the best rank.

    `item` is the id that the item has now; of merged items it is another than was asked for.
    """

    item: str
    classes: tuple[str, ...]
    genders: tuple[str, ...]
    occupations: tuple[str, ...]
    names: frozenset[str]  # labels and aliases of all languages
    label: str
    born: frozenset[int] = frozenset()  # years, BC negative; several where sources differ
    died: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Hits:
    """Results of a search: the number in all, and the first of them."""

    total: int
    items: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Return whether every hit is among `items`."""
        return self.total <= min(len(self.items), MOST_HITS)


def read_entities(answer: Answer) -> dict[str, Facts | None]:
    """{id that was asked for: facts, or None where there is no such item}.

    An item that was merged into another stands under the id that was asked for.
    """
    entities = {}
    for item_asked, part in _read_object(api_content(answer), "entities").items():
        entity = check_mapping(part)
        merged = entity.get("redirects")
        source = merged.get("from") if isinstance(merged, Mapping) else None
        entities[source if isinstance(source, str) else item_asked] = _read_facts(entity)
    return entities


def read_sitelinks(answer: Answer, site: str) -> dict[str, str]:
    """{title as the site writes it: item} of the articles that have an item."""
    titles = _read_object(api_content(answer), "entities")
    items_by_title = {}
    for entity in map(check_mapping, titles.values()):
        if "missing" in entity:
            continue
        title = check_mapping(_read_object(entity, "sitelinks").get(site)).get("title")
        if not isinstance(title, str):
            raise NotReadable(f"an item without its article in {site}")
        items_by_title[title] = _read_id(entity)
    return items_by_title


def read_search(answer: Answer) -> Hits:
    """Return the results of `people_search`."""
    content = api_content(answer)
    warned = content.get("warnings")
    if isinstance(warned, Mapping) and "search" in warned:
        # a search that ran out of time answers with what it has until then
        raise NotReadable(f"a search with a warning: {str(warned['search'])[:200]}")
    query = _read_object(content, "query")
    total, hits = _read_object(query, "searchinfo").get("totalhits"), query.get("search")
    if not isinstance(hits, list) or not isinstance(total, int) or total < len(hits):
        raise NotReadable("a search without its hits or their number")
    titles = [check_mapping(hit).get("title") for hit in hits]
    if not all(isinstance(title, str) and is_item(title) for title in titles):
        raise NotReadable("a hit that is no item")
    return Hits(total, tuple(map(str, titles)))


def best_values(entity: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """The items that the statements of the best rank name, each once.

    The best rank is preferred where a statement has it, else normal; deprecated ones never count.
    A value that nobody knows is `UNKNOWN`; a statement that there is none says nothing.
    """
    statements = _read_object(entity, "claims").get(name, [])
    if not isinstance(statements, list):
        raise NotReadable(f"{name} is no list of statements")
    ranked: dict[str, list[str]] = {"preferred": [], "normal": [], "deprecated": []}
    for statement in map(check_mapping, statements):
        rank = statement.get("rank")
        if rank not in ranked:
            raise NotReadable(f"a statement of rank {rank!r}")
        ranked[str(rank)].append(_read_snak(_read_object(statement, "mainsnak")))
    best = ranked["preferred"] or ranked["normal"]
    return tuple(dict.fromkeys(value for value in best if value))


def _read_snak(snak: Mapping[str, Json]) -> str:
    kind = snak.get("snaktype")
    if kind == "novalue":
        return ""
    if kind == "somevalue":
        return UNKNOWN
    item = _read_object(_read_object(snak, "datavalue"), "value").get("id")
    if not isinstance(item, str) or not is_item(item):
        raise NotReadable("a statement whose value is no item")
    return item


def _read_facts(entity: Mapping[str, Json]) -> Facts | None:
    if "missing" in entity:
        return None
    labels = _read_texts(entity, "labels")
    aliases = _read_texts(entity, "aliases")
    return Facts(
        item=_read_id(entity),
        classes=best_values(entity, CLASS),
        genders=best_values(entity, GENDER),
        occupations=best_values(entity, OCCUPATION),
        names=frozenset(name for _, name in labels + aliases),
        label=chosen_label(dict(labels)),
        born=_read_years(entity, BIRTH),
        died=_read_years(entity, DEATH),
    )


def year_of(time: str) -> int | None:
    """Return the year of a time as Wikidata writes it: +1815-12-10T00:00:00Z; None of no time."""
    match = _TIME.match(time)
    return int(f"{match[1]}{match[2]}") if match else None


def _read_years(entity: Mapping[str, Json], name: str) -> frozenset[int]:
    """Return the years of all statements that are not deprecated; those that are no year count not.

    Dates only tell namesakes apart, so one that cannot be read says nothing.
    """
    years = set()
    statements = _read_object(entity, "claims").get(name, [])
    for statement in statements if isinstance(statements, list) else []:
        if not isinstance(statement, Mapping) or statement.get("rank") == "deprecated":
            continue
        snak = statement.get("mainsnak")
        value = snak.get("datavalue") if isinstance(snak, Mapping) else None
        time = value.get("value") if isinstance(value, Mapping) else None
        if isinstance(time, Mapping) and time.get("precision", _YEAR) >= _YEAR:
            years.add(year_of(str(time.get("time"))))
    return frozenset(year for year in years if year is not None)


def chosen_label(labels: Mapping[str, str]) -> str:
    """The label that a person is shown by, out of {language: label}."""
    first = min(labels, default="")
    return next(
        (labels[code] for code in _LABEL_LANGUAGES if code in labels), labels.get(first, "")
    )


def _read_texts(entity: Mapping[str, Json], part: str) -> list[tuple[str, str]]:
    """(language, text) of labels, of which a language has one, or of aliases, of which many."""
    texts_read = []
    for code, content in _read_object(entity, part).items():
        for text in content if isinstance(content, list) else [content]:
            value = check_mapping(text).get("value")
            if not isinstance(value, str):
                raise NotReadable(f"{part} without text")
            texts_read.append((code, make_storable(value)))
    return texts_read


def _read_id(entity: Mapping[str, Json]) -> str:
    identifier = entity.get("id")
    if not isinstance(identifier, str) or not is_item(identifier):
        raise NotReadable(f"an item without an id: {str(identifier)[:80]!r}")
    return identifier


def _read_object(within: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    """The object of that name; PHP writes one without content as an empty list."""
    mapping = within.get(name)
    return {} if mapping == [] else check_mapping(mapping, name)


#: Goes up whenever a value changes its group or the rule for several values changes.
VERSION = 1

WOMEN, MEN, OTHER = "women", "men", "other"

#: Every value that is not in here is OTHER: non-binary (Q48270), intersex (Q1097630) and so on.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "Q6581097": MEN,  # male
        "Q2449503": MEN,  # trans man
        "Q15145778": MEN,  # cisgender male
        "Q6581072": WOMEN,  # female
        "Q1052281": WOMEN,  # trans woman
        "Q15145779": WOMEN,  # cisgender female
    }
)
#: Sexes of animals and plants, which a person is given by mistake only: they say nothing.
UNFIT = frozenset({"Q44148", "Q43445"})


@dataclass(frozen=True, slots=True)
class RecordedFacts:
    """The meaning of several values. `group` is empty where none is recorded or they disagree."""

    group: str
    disagree: bool = False


def recorded_group(values: Iterable[str]) -> RecordedFacts:
    """The group of a person with these values of the best rank.

    Values of one group are that group. Women and men at once are a disagreement that people have
    to settle: such records are mostly an unfinished edit, or a former gender without its rank,
    and to call them OTHER would misstate somebody who is recorded as a woman or a man. One of the
    two beside a value of neither is OTHER: the record says more than woman or man.
    """
    groups = {GROUPS.get(value, OTHER) for value in values if value not in UNFIT | {UNKNOWN}}
    if {WOMEN, MEN} <= groups:
        return RecordedFacts("", disagree=True)
    if len(groups) > 1:
        return RecordedFacts(OTHER)
    return RecordedFacts(next(iter(groups), ""))
