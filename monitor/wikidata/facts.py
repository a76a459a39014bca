"""Look up what is recorded of items, and count people by occupation and recorded gender.

The query service is asked first, because it answers with nothing but what is needed; the API,
whose answers hold everything about a person, only for items that the query service does not give.
Subclasses are fetched before people, because a query that follows subclasses is slow.

An occupation is given as its item and the items of its subclasses. Each person is counted once: the
few with several values of the best rank are asked for by name and judged by `recorded_group`, as a
person in a list is. People whose record is a contradiction, or says nothing, have no group.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.model import Answer, Ask, Fault, Outcome, Reason, Services
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
    recorded_group,
    year_of,
)
from monitor.wikidata.requests import HUMAN, PREFIXES, NotReadable

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


# --- people by occupation -------------------------------------------------------------------------

#: Occupations in one query; their number of people decides how long it takes.
_COUNTED = 5
_UNASKABLE = frozenset({Outcome.BLOCKED, Outcome.THROTTLED})

#: {occupation: its item and those of its subclasses}.
Within = Mapping[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class PeopleCount:
    """People of an occupation: by group, with any recorded gender, and in all.

    `gendered` and `total` are counted apart by the service, so that one can be held against the
    other.
    """

    groups: Mapping[str, int]
    gendered: int
    total: int


def by_gender_query(within: Within) -> str:
    """Return the query for people by recorded gender. A person with two counts twice."""
    return _make_query("?occupation ?gender", within, " ; wdt:P21 ?gender", counted=True)


def total_query(within: Within) -> str:
    """Return the query for all people, with a recorded gender or without."""
    return _make_query("?occupation", within, "", counted=True)


def several_query(within: Within) -> str:
    """Return the query for people with more than one recorded gender."""
    genders = " ; wdt:P21 ?gender , ?another"
    return _make_query("?occupation ?person ?gender", within, genders, counted=False)


def _make_query(asked: str, within: Within, genders: str, *, counted: bool) -> str:
    pairs = " ".join(
        f"(wd:{occupation} {item})"
        for occupation, items in within.items()
        for item in requests.item_iris(sorted({occupation, *items})).split()
    )
    selection = f"{asked} (COUNT(DISTINCT ?person) AS ?people)" if counted else f"DISTINCT {asked}"
    alike = "" if counted else "  FILTER(?gender != ?another)\n"
    grouped = f" GROUP BY {asked}" if counted else ""
    return (
        f"{PREFIXES}SELECT {selection} WHERE {{\n"
        f"  VALUES (?occupation ?within) {{ {pairs} }}\n"
        f"  ?person wdt:P106 ?within ; wdt:P31 wd:{HUMAN}{genders} .\n"
        f"{alike}}}{grouped}"
    )


def count_people(within: Within, ask: Ask, services: Services) -> dict[str, PeopleCount]:
    """{occupation: people}; absent are those that nobody answered for.

    What takes the service too long is asked in halves; a single occupation that does has no answer.
    """
    people_by_item: dict[str, PeopleCount] = {}
    for batch in split_batches(sorted(within), _COUNTED):
        people_by_item |= _ask_counts(
            {occupation: within[occupation] for occupation in batch}, ask, services
        )
    return people_by_item


def _ask_counts(within: Within, ask: Ask, services: Services) -> dict[str, PeopleCount]:
    answers: list[Answer] = []
    try:
        for query in (by_gender_query, total_query, several_query):
            request = requests.sparql_request(services.wikidata_sparql, query(within))
            answers.append(ask(replace(request, restricted=query is several_query)))
            requests.read_rows(answers[-1])
        return read_counts(answers, within)
    except NotReadable:
        if len(within) == 1 or not _may_be_too_much(answers[-1]):
            return {}
    items = list(within)
    middle = len(items) // 2
    return {
        occupation: people
        for half in (items[:middle], items[middle:])
        for occupation, people in _ask_counts({i: within[i] for i in half}, ask, services).items()
    }


def _may_be_too_much(answer: Answer) -> bool:
    """Return whether half may be answered."""
    if answer.outcome in _UNASKABLE:
        return False
    return answer.outcome is Outcome.TIMEOUT or answer.status is not None


def read_counts(answers: Sequence[Answer], asked: Iterable[str]) -> dict[str, PeopleCount]:
    """The answers to the three queries, in their order, as people. Raises NotReadable."""
    by_gender, total, several = answers
    occupations = frozenset(asked)
    genders: dict[str, Counter[str]] = defaultdict(Counter)
    for occupation, row in _read_rows(by_gender, occupations):
        genders[occupation][_read_gender(row)] += _read_number(row)
    totals = {occupation: _read_number(row) for occupation, row in _read_rows(total, occupations)}
    people: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for occupation, row in _read_rows(several, occupations):
        people[occupation][row.get("person", "")].add(_read_gender(row))
    return {
        occupation: _count_once(genders[occupation], list(people[occupation].values()), number)
        for occupation in occupations
        if (number := totals.get(occupation, 0)) or genders[occupation]
    }


def _count_once(genders: Counter[str], several: Sequence[set[str]], total: int) -> PeopleCount:
    """Everybody once: who has several values leaves the count of each, and joins one group."""
    once = Counter(genders)
    for values in several:
        once.subtract(values)
    groups: Counter[str] = Counter()
    for gender, number in once.items():
        groups[recorded_group([gender]).group] += max(0, number)
    groups.update(recorded_group(values).group for values in several)
    gendered = groups.total()
    return PeopleCount({group: n for group, n in groups.items() if group and n}, gendered, total)


def _read_rows(
    answer: Answer, occupations: frozenset[str]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    for row in requests.read_rows(answer):
        occupation = requests.item_id(row.get("occupation", ""))
        # without any match some services answer with one row that says nothing
        if not occupation and set(row) <= {"people"} and row.get("people", "0") == "0":
            continue
        if occupation not in occupations:
            raise NotReadable(f"a row about {occupation or 'no occupation'}, which was not asked")
        yield occupation, row


def _read_gender(row: Mapping[str, str]) -> str:
    value = row.get("gender", "")
    gender = requests.item_id(value)
    if not gender and not requests.is_unknown(value):
        raise NotReadable(f"{value[:80]!r} is no recorded gender")
    return gender or UNKNOWN


def _read_number(row: Mapping[str, str]) -> int:
    text = row.get("people", "")
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(2**31)):
        raise NotReadable(f"{text[:80]!r} is no number of people")
    return int(text)
