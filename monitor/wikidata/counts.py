"""Counts people by occupation and recorded gender: occupations in, numbers of people out.

An occupation is given as its item and the items of its subclasses. Each person is counted once: the
few with several values of the best rank are asked for by name and judged by `genders.recorded`, as
a person in a list is. People whose record is a contradiction, or says nothing, have no group.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.model import Answer, Ask, Outcome, Services
from monitor.wikidata import requests
from monitor.wikidata.entities import UNKNOWN, recorded_group
from monitor.wikidata.facts import split_batches
from monitor.wikidata.requests import HUMAN, PREFIXES, NotReadable

#: Occupations in one query; their number of people decides how long it takes.
_OCCUPATIONS = 5
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
    for batch in split_batches(sorted(within), _OCCUPATIONS):
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
