"""Texts of the archive as a corpus of one's own."""

from collections.abc import Iterator

from monitor.store import collected
from monitor.store.collected import Collected
from monitor.store.database import Database


def corpus_texts(database: Database, wanted: Collected) -> Iterator[tuple[str, str]]:
    """(key, text) of every text that fits, each once; the key is `ATTEMPT:RANK` of its answer."""
    with database.read() as connection:
        yield from collected.texts(connection, wanted)


__all__ = ["Collected", "corpus_texts"]
