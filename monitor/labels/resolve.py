"""Resolve entities to recorded genders, from what Wikidata records of them, as it is answered.

Ids and articles lead to an item by themselves. A name leads to one only where exactly one human
of this name has the occupation, and no other years of life than a text gives; everything else is
unresolved, with the reason. What a service
did not answer for is left out, so that it is asked again another time. The words of a page never
label anybody; where they contradict the record, people have to look.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from monitor.labels.shown_entities import (
    ShownEntity,
    Years,
    article_of,
    may_be,
    read_years,
    strict_name,
)
from monitor.model import Ask, LabelState, Services
from monitor.wikidata import requests
from monitor.wikidata.entities import (
    MEN,
    UNKNOWN,
    WOMEN,
    Facts,
    read_search,
    read_sitelinks,
    recorded_group,
)
from monitor.wikidata.facts import find_subclasses, is_too_much, look_up, split_batches
from monitor.wikidata.requests import HUMAN, MOST_IDS, PREFIXES, NotReadable

#: Goes up whenever a word is added or taken away.
VERSION = 1

#: Words of professions that are said of one gender only. Left out: words that are used of all
#: (actor, chairman, fisherman), titles (duchess, king), which are roles and brands as well, and
#: words of kinship, which speak of somebody else.
WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            WOMEN: "actress actresses anchorwoman assemblywoman ballerina businesswoman "
            "camerawoman chairwoman comedienne congresswoman entrepreneuse horsewoman "
            "newspaperwoman noblewoman policewoman saleswoman seamstress songstress "
            "spokeswoman sportswoman stateswoman stuntwoman waitress weatherwoman",
            MEN: "assemblyman ballerino businessman congressman nobleman policeman "
            "salesman stuntman waiter weatherman",
        },
    }
)
_BY_WORD = {
    word: group
    for table in WORDS.values()
    for group, words in table.items()
    for word in words.split()
}
_WORD = re.compile(r"[^\W\d_]+")


def is_word(word: str) -> bool:
    """Return whether a word of a subtitle names a gender."""
    return word.casefold() in _BY_WORD


def read_annotation(text: str) -> tuple[str, str]:
    """(word, group) that a subtitle names; empty where it names none, or several."""
    gender_words = [word for word in _WORD.findall(text.casefold()) if word in _BY_WORD]
    groups = {_BY_WORD[word] for word in gender_words}
    return (gender_words[0], groups.pop()) if len(groups) == 1 else ("", "")


def find_doubt(shown: ShownEntity, item: str, group: str, names: frozenset[str]) -> str:
    """Return why a page contradicts what Wikidata records; empty where it does not.

    Both sides stand in the reason. A name is compared only where the id came with it: a name
    that was searched for is the item's anyway, and that of an article is the article's.
    """
    word, stated_group = read_annotation(shown.annotation)
    if stated_group and group and stated_group != group:
        return f"the page says {word!r} ({stated_group}), Wikidata records {item} as {group}"
    by_id = shown.kind in ("kg", "wd")
    if by_id and shown.name and names and not may_be(shown.name, names):
        return f"the page shows {shown.name!r}, which is no name of {item} in Wikidata"
    return ""


#: Who is made up: fictional human, fictional character.
_FICTIONAL = frozenset({"Q15632617", "Q95074"})
_MOST_CLASSES = 5


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of a look-up of an entity. `genders` and `candidates` are items as they stand."""

    entity: str
    state: LabelState
    group: str = ""
    reason: str = ""
    qid: str = ""
    genders: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    method: str = ""  # P646, P2671, item, article, redirect, name
    label: str = ""


def make_unresolved(
    shown: ShownEntity, reason: str, method: str, candidates: tuple[str, ...] = ()
) -> Resolution:
    """Nobody can say who it is, or what is recorded."""
    return Resolution(
        shown.entity, LabelState.UNRESOLVED, "", reason, method=method, candidates=candidates
    )


def is_human(facts: Facts) -> bool:
    """Return whether an item is recorded as a human, and not as a fictional one."""
    return HUMAN in facts.classes and not _FICTIONAL & set(facts.classes)


def judge_entity(shown: ShownEntity, facts: Facts, method: str) -> Resolution:
    """The resolution of an entity whose item is known."""
    resolution = Resolution(
        shown.entity,
        LabelState.UNRESOLVED,
        qid=facts.item,
        genders=facts.genders,
        candidates=(facts.item,),
        method=method,
        label=facts.label,
    )
    if not is_human(facts):
        return _no_human(resolution, facts)
    recorded_ = recorded_group(facts.genders)
    if recorded_.disagree:
        reason = f"Wikidata records {' and '.join(facts.genders)} at once"
        return replace(resolution, state=LabelState.CONFLICT, reason=reason)
    if doubt_found := find_doubt(shown, facts.item, recorded_.group, facts.names):
        return replace(resolution, state=LabelState.CONFLICT, reason=doubt_found)
    if not recorded_.group:
        doubt_found = "a gender that says nothing" if facts.genders else "no gender"
        return replace(resolution, reason=f"Wikidata records {doubt_found}")
    return replace(resolution, state=LabelState.LABELLED, group=recorded_.group)


def _no_human(found: Resolution, facts: Facts) -> Resolution:
    classes = [class_id for class_id in facts.classes if class_id != UNKNOWN]
    if HUMAN in classes:
        reason = "Wikidata records a human and somebody made up at once"
        return replace(found, state=LabelState.CONFLICT, reason=reason)
    if not classes:
        return replace(found, reason="Wikidata does not record what it is")
    class_list = ", ".join(classes[:_MOST_CLASSES])
    return replace(
        found, state=LabelState.NOT_HUMAN, reason=f"Wikidata records {class_list}, no human"
    )


#: Wikis whose name in Wikidata is not made of their language code.
_SITES = {
    "be-tarask": "be_x_oldwiki",
    "nb": "nowiki",
    "yue": "zh_yuewiki",
    "lzh": "zh_classicalwiki",
}
_PROPERTIES = {"/m/": "P646", "/g/": "P2671"}


def resolve_entities(
    wanted: Sequence[ShownEntity],
    ask: Ask,
    services: Services,
    within: Mapping[str, frozenset[str]] | None = None,
) -> Iterator[Resolution]:
    """Yield a resolution of each entity that the services answered for; each once.

    `within` are the subclasses of occupations where they are known; otherwise they are asked for.
    """
    by_kind: dict[str, dict[str, ShownEntity]] = defaultdict(dict)
    for entity_shown in wanted:
        by_kind[entity_shown.kind].setdefault(entity_shown.entity, entity_shown)
    for batch in _make_batches(by_kind["kg"]):
        yield from _by_graph_id(batch, ask, services)
    for batch in _make_batches(by_kind["wd"]):
        items = {entity_shown.entity: entity_shown.entity[3:] for entity_shown in batch}
        yield from _by_items(batch, items, "item", ask, services)
    by_site: dict[str, dict[str, ShownEntity]] = defaultdict(dict)
    for entity_shown in by_kind["wiki"].values():
        if article := article_of(entity_shown.entity):
            by_site[article[0]][entity_shown.entity] = entity_shown
    for language, articles in sorted(by_site.items()):
        for batch in _make_batches(articles):
            yield from _by_articles(batch, language, ask, services)
    yield from _by_names(list(by_kind["name"].values()), ask, services, within)


def _make_batches(entities: Mapping[str, ShownEntity]) -> Iterator[list[ShownEntity]]:
    for keys in split_batches(list(entities), MOST_IDS):
        yield [entities[key] for key in keys]


# --- ids ------------------------------------------------------------------------------------------


def graph_ids_query(ids: Sequence[str]) -> str:
    """The query for the items that have these ids of Google's knowledge graph."""
    pairs = " ".join(
        f"(wdt:{_PROPERTIES[graph_id[:3]]} {requests.sparql_literal(graph_id)})" for graph_id in ids
    )
    return (
        f"{PREFIXES}SELECT ?id ?item WHERE {{\n"
        f"  VALUES (?property ?id) {{ {pairs} }}\n"
        "  ?item ?property ?id .\n}"
    )


def _by_graph_id(
    batch: Sequence[ShownEntity], ask: Ask, services: Services
) -> Iterator[Resolution]:
    ids = [entity_shown.entity[3:] for entity_shown in batch]
    answer = ask(requests.sparql_request(services.wikidata_sparql, graph_ids_query(ids)))
    items_by_graph_id: dict[str, dict[str, None]] = defaultdict(dict)
    try:
        for row in requests.read_rows(answer):
            if item := requests.item_id(row.get("item", "")):
                items_by_graph_id[row.get("id", "")][item] = None
    except NotReadable:
        return
    items = {}
    for entity_shown in batch:
        known_items = tuple(items_by_graph_id[entity_shown.entity[3:]])
        method = _PROPERTIES[entity_shown.entity[3:6]]
        if len(known_items) == 1:
            items[entity_shown.entity] = known_items[0]
        elif known_items:
            yield make_unresolved(
                entity_shown, f"{len(known_items)} items have this id", method, known_items
            )
        else:
            yield make_unresolved(entity_shown, "no item has this id", method)
    for method in _PROPERTIES.values():
        same_method = [
            s for s in batch if s.entity in items and _PROPERTIES[s.entity[3:6]] == method
        ]
        yield from _by_items(same_method, items, method, ask, services)


def _by_items(
    batch: Sequence[ShownEntity],
    items: Mapping[str, str],
    method: str,
    ask: Ask,
    services: Services,
) -> Iterator[Resolution]:
    facts = look_up([items[entity_shown.entity] for entity_shown in batch], ask, services)
    for entity_shown in batch:
        item = items[entity_shown.entity]
        if item not in facts:
            continue
        facts_of_item = facts[item]
        if facts_of_item is None:
            yield make_unresolved(
                entity_shown, f"{item} is no item, or was deleted", method, (item,)
            )
        else:
            yield judge_entity(entity_shown, facts_of_item, method)


# --- articles -------------------------------------------------------------------------------------


def site_of(language: str) -> str:
    """The name in Wikidata of the Wikipedia in a language: enwiki of en."""
    return _SITES.get(language, f"{language.replace('-', '_')}wiki")


def _by_articles(
    batch: Sequence[ShownEntity], language: str, ask: Ask, services: Services
) -> Iterator[Resolution]:
    titles = {
        entity_shown.entity: (article_of(entity_shown.entity) or ("", ""))[1]
        for entity_shown in batch
    }
    answered = _items_of(list(titles.values()), site_of(language), ask, services)
    item_by_entity = {entity: answered.get(title, "") for entity, title in titles.items()}
    direct = [entity_shown for entity_shown in batch if item_by_entity[entity_shown.entity]]
    yield from _by_items(direct, item_by_entity, "article", ask, services)
    for entity_shown in batch:
        title = titles[entity_shown.entity]
        if title in answered and not answered[title]:
            yield from _by_redirect(entity_shown, title, language, ask, services)


def _items_of(titles: Sequence[str], site: str, ask: Ask, services: Services) -> dict[str, str]:
    """{title: item, or nothing where none has it}; absent are those nobody answered for.

    A title may spoil those that it is asked with, so they are asked in halves then.
    """
    answer = ask(requests.sitelinks_request(services.wikidata_api, site, titles))
    try:
        sitelinks = read_sitelinks(answer, site)
    except NotReadable:
        if len(titles) == 1 or not is_too_much(answer):
            return {}
        middle = len(titles) // 2
        halves = (titles[:middle], titles[middle:])
        return {k: v for half in halves for k, v in _items_of(half, site, ask, services).items()}
    return {title: sitelinks.get(title, "") for title in titles}


def _by_redirect(
    shown: ShownEntity, title: str, language: str, ask: Ask, services: Services
) -> Iterator[Resolution]:
    """An article without an item of its own: it may have been moved, or lead to another.

    One that leads elsewhere is accepted only where the item bears the name of the title.
    """
    answer = ask(requests.sitelinks_request(services.wikidata_api, site_of(language), [title]))
    try:
        sitelinks = read_sitelinks(answer, site_of(language))
    except NotReadable:
        return
    if not sitelinks:
        yield make_unresolved(shown, "no item has this article", "article")
        return
    target, item = next(iter(sitelinks.items()))
    facts = look_up([item], ask, services).get(item)
    if facts is None:
        return
    strict_names = {strict_name(name) for name in facts.names}
    if target == title or strict_names & {strict_name(shown.name), strict_name(title)}:
        yield judge_entity(shown, facts, "article" if target == title else "redirect")
    else:
        reason = f"the article leads to {target!r}, which has another name"
        yield make_unresolved(shown, reason, "redirect", (item,))


# --- names ----------------------------------------------------------------------------------------


def _by_names(
    wanted: Sequence[ShownEntity],
    ask: Ask,
    services: Services,
    within: Mapping[str, frozenset[str]] | None,
) -> Iterator[Resolution]:
    checked = []
    for entity_shown in wanted:
        if not requests.search_words(entity_shown.name):
            yield make_unresolved(entity_shown, "no name that can be searched for", "name")
        elif not entity_shown.occupations:
            yield make_unresolved(entity_shown, "no occupation to check by", "name")
        else:
            checked.append(entity_shown)
    subclasses_known = dict(within or {})
    occupations = {item for entity_shown in checked for item in entity_shown.occupations}
    subclasses_known |= find_subclasses(occupations - set(subclasses_known), ask, services)
    for entity_shown in checked:
        if subclasses_known.keys() >= set(entity_shown.occupations):
            classes = map(subclasses_known.__getitem__, entity_shown.occupations)
            yield from _by_name(entity_shown, frozenset().union(*classes), ask, services)


def _by_name(
    shown: ShownEntity, allowed: frozenset[str], ask: Ask, services: Services
) -> Iterator[Resolution]:
    answer = ask(requests.people_search(services.wikidata_api, shown.name, *sorted(allowed)))
    try:
        item_found = read_search(answer)
    except NotReadable:
        return
    if not item_found.is_whole:
        reason = f"{item_found.total} people may have this name, more than can be told apart"
        yield make_unresolved(shown, reason, "name", item_found.items)
        return
    facts = look_up(item_found.items, ask, services)
    if any(item not in facts for item in item_found.items):
        return
    namesakes = {f.item: f for f in facts.values() if f and _is_match(f, shown.name, allowed)}
    years = read_years(shown.annotation)
    fitting = {item: f for item, f in namesakes.items() if _fits_years(f, years)}
    candidates = tuple(sorted(fitting))
    if len(fitting) == 1:
        yield judge_entity(shown, fitting[candidates[0]], "name")
    elif fitting:
        reason = f"{len(fitting)} people have this name and occupation"
        yield make_unresolved(shown, reason, "name", candidates)
    elif namesakes:
        reason = "who is recorded with this name and occupation lived at another time"
        yield make_unresolved(shown, reason, "name", tuple(sorted(namesakes)))
    else:
        yield make_unresolved(shown, "nobody recorded has this name and occupation", "name")


#: Years by which a text and a record may differ, and before when dates are guesses by decades.
_SLACK, _EARLY_SLACK, _EARLY = 1, 30, 1500


def _fits_years(facts: Facts, years: Years) -> bool:
    """Return whether no recorded year of life contradicts what a text says."""
    for year, recorded in zip(years, (facts.born, facts.died), strict=True):
        slack = _EARLY_SLACK if year is not None and year < _EARLY else _SLACK
        if year is not None and recorded and min(abs(year - r) for r in recorded) > slack:
            return False
    return True


def _is_match(facts: Facts, name: str, allowed: frozenset[str]) -> bool:
    has_name = strict_name(name) in {strict_name(name_recorded) for name_recorded in facts.names}
    return has_name and is_human(facts) and not allowed.isdisjoint(facts.occupations)
