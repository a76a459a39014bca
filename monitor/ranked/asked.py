"""All that a measure of ranked lists may look at, whether it comes from a database or a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from monitor.model import Document, Unit, WordScores
from monitor.ranked.lists import Lists, lists_of
from monitor.ranked.texts import Texts


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Ranked lists of one system, with what is known about queries and documents.

    `planned` are the keys of all queries, also of those without any answer. `queries` maps them to
    the words that were asked. `judgements` maps queries to grades by document, None without a
    judged collection. `swapped` are the lists over gender-swapped documents. `beside` are the lists
    of other systems over the same texts, by their labels. `addresses` has the documents whose key
    is not their own address, because the same address held other words elsewhere.
    """

    planned: tuple[str, ...]
    lists: Lists
    texts: Texts
    queries: Mapping[str, str] = field(default_factory=dict)
    judgements: Mapping[str, Mapping[str, int]] | None = None
    swapped: Lists | None = None
    beside: Mapping[str, Lists] = field(default_factory=dict)
    lexicons: tuple[WordScores, ...] = ()
    label: str = ""  # what the system is called
    addresses: Mapping[str, str] = field(default_factory=dict)


def asked_of(
    units: Sequence[Unit],
    beside: Mapping[str, Sequence[Unit]],
    lexicons: tuple[WordScores, ...] = (),
    label: str = "",
) -> Asked:
    """The lists of units, in the order of their keys, so that theirs does not matter.

    The same address can hold other words in another list, so documents are told apart by both.
    """
    ordered = sorted(units, key=lambda unit: unit.key)
    texts: dict[str, str | None] = {}
    addresses: dict[str, str] = {}
    judged = {unit.key: unit.judgements for unit in ordered if unit.judgements is not None}
    swapped = [unit for unit in ordered if any(one is not None for one in unit.swapped)]
    lists = lists_of(_ranked(ordered, texts, addresses))
    for document in (document for unit in ordered for document in unit.relevant):
        texts.setdefault(document.key, document.text)
    return Asked(
        planned=tuple(unit.key for unit in ordered),
        lists=lists,
        texts=Texts(texts),
        queries={unit.key: query_words(unit) for unit in ordered},
        judgements=judged or None,
        swapped=lists_of(_swapped(swapped)) if swapped else None,
        beside={
            label: lists_of(_ranked(sorted(others, key=lambda unit: unit.key), texts, addresses))
            for label, others in sorted(beside.items())
        },
        lexicons=lexicons,
        label=label,
        addresses=addresses,
    )


def query_words(unit: Unit) -> str:
    """What a query is about: of a pattern ("list of {plural}") the words put into it.

    A word that every query shares would halve the spread of their genderedness.
    """
    pattern = unit.tags.get("pattern", "")
    words = [value for tag, value in unit.tags.items() if f"{{{tag}}}" in pattern]
    return " ".join(words) or unit.query


def _ranked(
    units: Sequence[Unit], texts: dict[str, str | None], addresses: dict[str, str]
) -> Iterator[tuple[str, list[str]]]:
    for unit in units:
        for documents in unit.documents:
            if documents is not None:
                yield unit.key, [_kept(one, texts, addresses) for one in once(documents)]


def _swapped(units: Sequence[Unit]) -> Iterator[tuple[str, list[str]]]:
    """One list for every answered repeat, so that both sides pair; empty where it is missing."""
    for unit in units:
        for documents, swapped in zip(unit.documents, unit.swapped, strict=False):
            if documents is not None:
                yield unit.key, [document.key for document in once(swapped or ())]


def once(documents: Sequence[Document]) -> list[Document]:
    """Documents at their first rank: a page may show one address twice."""
    found: dict[str, Document] = {}
    for document in documents:
        found.setdefault(document.key, document)
    return list(found.values())


def _kept(document: Document, texts: dict[str, str | None], addresses: dict[str, str]) -> str:
    """The key under which a document's text is kept: its own, or one with a number behind it."""
    key, n = document.key, 1
    while key in texts and texts[key] != document.text:
        n += 1
        key = f"{document.key} #{n}"
    texts[key] = document.text
    if n > 1:
        addresses[key] = document.key
    return key
