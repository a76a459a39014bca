"""The occupations within occupations: items in, for each the items of its subclasses out.

Fetched before people are looked up, because a query that follows subclasses is slow.
"""

from collections import defaultdict
from collections.abc import Iterable

from monitor.model import Ask, Services
from monitor.wikidata import requests
from monitor.wikidata.facts import batches
from monitor.wikidata.requests import PREFIXES, NotReadable

_OCCUPATIONS = 10


def subclasses_query(occupations: Iterable[str]) -> str:
    """The query for an occupation's own item and those of all its subclasses."""
    return (
        f"{PREFIXES}SELECT ?occupation ?within WHERE {{\n"
        f"  VALUES ?occupation {{ {requests.iris(occupations)} }}\n"
        "  ?within wdt:P279* ?occupation .\n}"
    )


def subclasses(
    occupations: Iterable[str], ask: Ask, services: Services
) -> dict[str, frozenset[str]]:
    """{occupation: itself and its subclasses}; absent are those that nobody answered for."""
    found: dict[str, set[str]] = defaultdict(set)
    wanted = sorted({item for item in occupations if requests.is_item(item)})
    for batch in batches(wanted, _OCCUPATIONS):
        answer = ask(requests.sparql(services.wikidata_sparql, subclasses_query(batch)))
        try:
            rows = requests.rows(answer)
        except NotReadable:
            continue
        for item in batch:
            found[item].add(item)
        for row in rows:
            of = requests.item_id(row.get("occupation", ""))
            within = requests.item_id(row.get("within", ""))
            if of in batch and within:
                found[of].add(within)
    return {item: frozenset(within) for item, within in found.items()}
