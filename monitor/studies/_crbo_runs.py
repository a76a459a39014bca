"""Ranks a collection as it is and with parts of the gendered words exchanged: texts in, lists out.

Each version of the collection is indexed in a folder that is gone afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from monitor import __version__
from monitor.model import InvalidInput
from monitor.rankers.corpus import Entry
from monitor.studies._rankings_given import json_object
from monitor.studies.found import Tell
from monitor.text.swap import EVERY_PART, Part, swap, swappable

#: What is exchanged, by what it is called: each part apart, then all.
VERSIONS: Mapping[str, frozenset[Part]] = {
    **{str(part): frozenset({part}) for part in Part},
    "all three": EVERY_PART,
}
PLAIN = "as it is"

#: {query: documents, the best first}
Lists = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the collection: the lists of each ranker, and how much was exchanged."""

    lists: Mapping[str, Lists]  # by ranker
    words: int
    changed: int  # documents in which any word was exchanged
    documents: int


def entries(source: Path) -> Iterator[Entry]:
    """The documents of a collection; a .json file maps ids to texts. Raises InvalidInput."""
    from monitor.rankers import corpus

    if source.suffix.lower() != ".json":
        yield from corpus.read(source)
        return
    needed = "texts by id are needed"
    held = json_object(source, needed)
    for key, text in held.items():
        if not isinstance(text, str):
            raise InvalidInput(f"{source}: document {key!r} is {text!r:.40}; {needed}")
    if not held:
        raise InvalidInput(f"{source}: holds no document")
    for key, text in held.items():
        yield Entry(key, "", text, str(source))


def queries(source: Path) -> dict[str, str]:
    """The words of each query; a .json file holds them by id under "queries"."""
    from monitor import trec

    if source.suffix.lower() != ".json":
        return trec.read_topics(source)
    held = json_object(source, 'an object with "queries" is needed').get("queries")
    if not isinstance(held, dict) or not held:
        raise InvalidInput(f'{source}: "queries" is missing or empty; it holds words by id')
    for key, words in held.items():
        if not isinstance(words, str) or not words.strip():
            raise InvalidInput(f"{source}: query {key!r} is {words!r:.40}; give its words")
    return held


def rankers(names: Sequence[str]) -> dict[str, Any]:
    """Rankers that need no vectors, by name. Raises InvalidInput."""
    from monitor.rankers import choose

    for name in names:
        if name not in choose.NUMBERS:
            raise InvalidInput(
                f"--ranker {name!r}: known without vectors: {', '.join(choose.NUMBERS)}"
            )
    return {name: choose.ranker(name, {}, None) for name in names}


def versions(
    source: Path,
    asked: Mapping[str, str],
    by: Mapping[str, Any],
    depth: int,
    tell: Tell,
    *,
    doubtful: bool,
) -> Iterator[tuple[str, Version]]:
    """The collection as it is, then with each part exchanged; it is read anew for each."""
    tell(f"ranking the collection {PLAIN}")
    yield PLAIN, _version(entries(source), _Exchange(frozenset(), doubtful), asked, by, depth)
    for name, parts in VERSIONS.items():
        tell(f"ranking the collection with {name} exchanged")
        exchange = _Exchange(parts, doubtful)
        yield name, _version(entries(source), exchange, asked, by, depth)


@dataclass(slots=True)
class _Exchange:
    """Exchanges some parts in documents, and counts."""

    parts: frozenset[Part]
    doubtful: bool
    words: int = 0
    changed: int = 0
    documents: int = 0

    def of(self, documents: Iterator[Entry]) -> Iterator[Entry]:
        """Each document with its words exchanged."""
        exchange = partial(swap, doubtful=self.doubtful, parts=self.parts)
        count = partial(swappable, doubtful=self.doubtful, parts=self.parts)
        for one in documents:
            words = count(one.title) + count(one.text)
            self.documents += 1
            self.words += words
            self.changed += words > 0
            yield replace(one, title=exchange(one.title), text=exchange(one.text))


def _version(
    documents: Iterator[Entry],
    exchange: _Exchange,
    asked: Mapping[str, str],
    by: Mapping[str, Any],
    depth: int,
) -> Version:
    lists = _ranked(exchange.of(documents), asked, by, depth)
    return Version(lists, exchange.words, exchange.changed, exchange.documents)


def _ranked(
    documents: Iterator[Entry], asked: Mapping[str, str], by: Mapping[str, Any], depth: int
) -> dict[str, Lists]:
    from monitor.rankers.build import build
    from monitor.rankers.index import Index
    from monitor.rankers.ranking import Ranked

    with TemporaryDirectory(prefix="monitor-crbo-") as temporary:
        folder = Path(temporary) / "index"
        build(documents, folder, lambda _done: None, version=__version__)
        index = Index(folder)
        found: dict[str, Lists] = {}
        for name, ranker in by.items():
            of_queries = {
                query: ranker.rank(index, index.query(words), depth)
                for query, words in asked.items()
            }
            found[name] = {
                query: [index.key(int(at)) for at in one.documents]
                if isinstance(one, Ranked)
                else []
                for query, one in of_queries.items()
            }
        return found
