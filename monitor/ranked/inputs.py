"""All that a measure of ranked lists may read, from a database or a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from monitor.clusters import cluster_name, cluster_numbers, query_words
from monitor.model import Document, Ints, Unit, WordScores
from monitor.ranked.lists import Lists, lists_of
from monitor.ranked.texts import DocumentTexts


@dataclass(frozen=True, slots=True, eq=False)
class RankedInput:
    """Ranked lists of one system, with what is known about queries and documents.

    `planned` are the keys of all queries, also of those without any answer. `queries` maps them to
    the words that were asked. `judgements` maps queries to grades by document, None without a
    judged collection. `swapped` are the lists over gender-swapped documents. `beside` are the lists
    of other systems over the same texts, by their labels. `addresses` has the documents whose key
    is not their own address, because the same address held other words elsewhere.
    """

    planned: tuple[str, ...]
    lists: Lists
    texts: DocumentTexts
    queries: Mapping[str, str] = field(default_factory=dict)
    judgements: Mapping[str, Mapping[str, int]] | None = None
    swapped: Lists | None = None
    beside: Mapping[str, Lists] = field(default_factory=dict)
    lexicons: tuple[WordScores, ...] = ()
    label: str = ""  # what the system is called
    addresses: Mapping[str, str] = field(default_factory=dict)
    #: What each query is about; without an entry, its words.
    about: Mapping[str, str] = field(default_factory=dict)

    def clusters(self) -> Ints:
        """(Q,) number of the cluster of each planned query."""
        names = (self.about.get(key) or self.queries.get(key, "") for key in self.planned)
        return cluster_numbers(list(names))


def asked_of(
    units: Sequence[Unit],
    beside: Mapping[str, Sequence[Unit]],
    lexicons: tuple[WordScores, ...] = (),
    label: str = "",
    *,
    texts: dict[str, str | None] | None = None,
    addresses: dict[str, str] | None = None,
) -> RankedInput:
    """The lists of units, in the order of their keys, so that theirs does not matter.

    The same address can hold other words in another list, so documents are told apart by both.
    `texts` and `addresses` of other lists that are known already are joined by those of these.
    """
    texts = {} if texts is None else texts
    addresses = {} if addresses is None else addresses
    ordered = sorted(units, key=lambda unit: unit.key)
    judged = {unit.key: unit.judgements for unit in ordered if unit.judgements is not None}
    swapped = [
        unit for unit in ordered if any(swapped_list is not None for swapped_list in unit.swapped)
    ]
    lists = lists_of(_lists_of_units(ordered, texts, addresses))
    for document in (document for unit in ordered for document in unit.relevant):
        texts.setdefault(document.key, document.text)
    return RankedInput(
        planned=tuple(unit.key for unit in ordered),
        lists=lists,
        texts=DocumentTexts(texts),
        queries={unit.key: query_words(unit) for unit in ordered},
        judgements=judged or None,
        swapped=lists_of(_swapped_lists(swapped)) if swapped else None,
        beside={
            label: lists_of(
                _lists_of_units(sorted(other_units, key=lambda unit: unit.key), texts, addresses)
            )
            for label, other_units in sorted(beside.items())
        },
        lexicons=lexicons,
        label=label,
        addresses=addresses,
        about={unit.key: cluster_name(unit) for unit in ordered},
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairedInput:
    """Two sets of answers to the same questions, with the same planned queries and words of these.

    `texts` are those of both: what is counted of them is known to both sides.
    """

    before: RankedInput
    after: RankedInput
    texts: DocumentTexts


def asked_twice(
    before: Sequence[Unit],
    after: Sequence[Unit],
    beside: Mapping[str, Sequence[Unit]],
    lexicons: tuple[WordScores, ...] = (),
) -> PairedInput:
    """The lists of two sets of units; a document that stands in both is one, to be read once.

    `beside` are the lists of the other systems, for both sides the same.
    """
    texts: dict[str, str | None] = {}
    addresses: dict[str, str] = {}
    now = asked_of(after, beside, lexicons, texts=texts, addresses=addresses)
    then = asked_of(before, beside, lexicons, texts=texts, addresses=addresses)
    shared_texts = DocumentTexts(texts)
    planned = tuple(sorted({*now.planned, *then.planned}))
    queries, about = {**then.queries, **now.queries}, {**then.about, **now.about}
    sides = (
        replace(
            side,
            planned=planned,
            queries=queries,
            about=about,
            texts=shared_texts.only(_all_documents(side, units)),
        )
        for side, units in ((then, before), (now, after))
    )
    return PairedInput(next(sides), next(sides), shared_texts)


def _all_documents(given: RankedInput, units: Sequence[Unit]) -> Iterator[str]:
    """Every document that has a part in these lists or in what they are compared with."""
    for lists in (given.lists, *given.beside.values()):
        yield from lists.documents
    yield from chain.from_iterable((document.key for document in unit.relevant) for unit in units)


def pin_units(before: Sequence[Unit], after: Sequence[Unit]) -> list[Unit]:
    """The units of before with tags, words and judgements as they are in after.

    A newer judgement of a document, or a word of the question that is tagged otherwise now, is no
    change of the system that was asked.
    """
    now = {unit.key: unit for unit in after}
    return [
        replace(
            unit,
            tags=now[unit.key].tags,
            query=now[unit.key].query,
            judgements=now[unit.key].judgements,
            relevant=now[unit.key].relevant,
        )
        if unit.key in now
        else unit
        for unit in before
    ]


def _lists_of_units(
    units: Sequence[Unit], texts: dict[str, str | None], addresses: dict[str, str]
) -> Iterator[tuple[str, list[str]]]:
    for unit in units:
        for documents in unit.documents:
            if documents is not None:
                keys = [_text_key(one, texts, addresses) for one in first_occurrences(documents)]
                yield unit.key, keys


def _swapped_lists(units: Sequence[Unit]) -> Iterator[tuple[str, list[str]]]:
    """One list for every answered repeat, so that both sides pair; empty where it is missing."""
    for unit in units:
        for documents, swapped in zip(unit.documents, unit.swapped, strict=False):
            if documents is not None:
                yield unit.key, [document.key for document in first_occurrences(swapped or ())]


def first_occurrences(documents: Sequence[Document]) -> list[Document]:
    """Documents at their first rank: a page may show one address twice."""
    documents_by_key: dict[str, Document] = {}
    for document in documents:
        documents_by_key.setdefault(document.key, document)
    return list(documents_by_key.values())


def _text_key(document: Document, texts: dict[str, str | None], addresses: dict[str, str]) -> str:
    """The key under which a document's text is kept: its own, or one with a number behind it."""
    key, n = document.key, 1
    while key in texts and texts[key] != document.text:
        n += 1
        key = f"{document.key} #{n}"
    texts[key] = document.text
    if n > 1:
        addresses[key] = document.key
    return key
