"""Look up what is recorded of items, and the occupations within occupations.

The query service is asked first, because it answers with nothing but what is needed; the API,
whose answers hold everything about a person, only for items that the query service does not give.
Subclasses are fetched before people, because a query that follows subclasses is slow.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from monitor.model import Answer, Ask, Fault, Reason, Services
from monitor.wikidata import requests
from monitor.wikidata.entities import (
    BIRTH,
    CLASS,
    DEATH,
    GENDER,
    OCCUPATION,
    UNKNOWN,
    Facts,
    chosen_label,
    read_entities,
    year_of,
)
from monitor.wikidata.requests import PREFIXES, NotReadable

#: Items in a query: their labels and aliases in all languages are what its answer is long by.
_ITEMS = 25
#: Items in a request to the API: an answer about a famous person has some 500 kB.
_ENTITIES = 10
_DIRECT = "http://www.wikidata.org/prop/direct/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
_TOO_MUCH = frozenset({Reason.REFUSED, Reason.OVERSIZE})


def split_batches(wanted: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The same in portions of at most `size`."""
    for start in range(0, len(wanted), size):
        yield wanted[start : start + size]


def is_too_much(answer: Answer) -> bool:
    """Return whether half may be answered where the whole was not."""
    if answer.reason in _TOO_MUCH:
        return True
    trouble = requests.answer_trouble(answer)
    return trouble is not None and trouble.fault is Fault.BAD_REQUEST


def facts_query(items: Sequence[str]) -> str:
    """The query for everything that `Facts` holds. `wdt:` are the values of the best rank."""
    return (
        f"{PREFIXES}SELECT ?item ?property ?value (LANG(?value) AS ?language) WHERE {{\n"
        f"  VALUES ?item {{ {requests.item_iris(items)} }}\n"
        f"  VALUES ?property {{ wdt:{CLASS} wdt:{GENDER} wdt:{OCCUPATION} "
        f"wdt:{BIRTH} wdt:{DEATH} rdfs:label skos:altLabel }}\n"
        "  ?item ?property ?value .\n}"
    )


def read_facts(answer: Answer) -> dict[str, Facts]:
    """{item: facts} of an answer to `facts_query`. Raises NotReadable."""
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    years: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in requests.read_rows(answer):
        item = requests.item_id(row.get("item", ""))
        property_name, value = row.get("property", ""), row.get("value")
        if not item or value is None:
            raise NotReadable("a row without its item or value")
        if property_name in (_LABEL, _ALIAS):
            values[item]["name"].append(value)
            if property_name == _LABEL:
                labels[item][row.get("language", "")] = value
        elif (code := property_name.removeprefix(_DIRECT)) in (BIRTH, DEATH):
            if (year := year_of(value)) is not None:
                years[item, code].add(year)
        else:
            values[item][code].append(_plain_id(value))
    return {
        item: Facts(
            item=item,
            classes=tuple(dict.fromkeys(values_of_item[CLASS])),
            genders=tuple(dict.fromkeys(values_of_item[GENDER])),
            occupations=tuple(dict.fromkeys(values_of_item[OCCUPATION])),
            names=frozenset(values_of_item["name"]),
            label=chosen_label(labels[item]),
            born=frozenset(years[item, BIRTH]),
            died=frozenset(years[item, DEATH]),
        )
        for item, values_of_item in values.items()
    }


def _plain_id(value: str) -> str:
    """The id of an item, or that nobody knows it."""
    if requests.is_unknown(value):
        return UNKNOWN
    item = requests.item_id(value)
    if not item:
        raise NotReadable(f"{value[:80]!r} is no item")
    return item


def look_up(items: Sequence[str], ask: Ask, services: Services) -> dict[str, Facts | None]:
    """{item: facts, or None where there is no such item}; absent are those nobody answered for."""
    facts_by_item: dict[str, Facts | None] = {}
    for batch in split_batches(list(dict.fromkeys(items)), _ITEMS):
        answer = ask(requests.sparql_request(services.wikidata_sparql, facts_query(batch)))
        try:
            facts_read = read_facts(answer)
        except NotReadable:
            facts_read = {}
        facts_by_item |= {item: facts_read[item] for item in batch if item in facts_read}
    missing = [item for item in dict.fromkeys(items) if item not in facts_by_item]
    for batch in split_batches(missing, _ENTITIES):
        facts_by_item |= _from_api(batch, ask, services)
    return facts_by_item


def _from_api(items: Sequence[str], ask: Ask, services: Services) -> dict[str, Facts | None]:
    answer = ask(requests.entities_request(services.wikidata_api, items))
    try:
        facts_read = read_entities(answer)
    except NotReadable:
        if len(items) == 1 or not is_too_much(answer):
            return {}
        middle = len(items) // 2
        return _from_api(items[:middle], ask, services) | _from_api(items[middle:], ask, services)
    return {item: facts_read[item] for item in items if item in facts_read}


_OCCUPATIONS = 10


def subclasses_query(occupations: Iterable[str]) -> str:
    """The query for an occupation's own item and those of all its subclasses."""
    return (
        f"{PREFIXES}SELECT ?occupation ?within WHERE {{\n"
        f"  VALUES ?occupation {{ {requests.item_iris(occupations)} }}\n"
        "  ?within wdt:P279* ?occupation .\n}"
    )


def find_subclasses(
    occupations: Iterable[str], ask: Ask, services: Services
) -> dict[str, frozenset[str]]:
    """{occupation: itself and its subclasses}; absent are those that nobody answered for."""
    items_by_class: dict[str, set[str]] = defaultdict(set)
    items = sorted({item for item in occupations if requests.is_item(item)})
    for batch in split_batches(items, _OCCUPATIONS):
        answer = ask(requests.sparql_request(services.wikidata_sparql, subclasses_query(batch)))
        try:
            rows = requests.read_rows(answer)
        except NotReadable:
            continue
        for item in batch:
            items_by_class[item].add(item)
        for row in rows:
            of = requests.item_id(row.get("occupation", ""))
            within = requests.item_id(row.get("within", ""))
            if of in batch and within:
                items_by_class[of].add(within)
    return {item: frozenset(within) for item, within in items_by_class.items()}
