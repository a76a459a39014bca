"""Build an index: documents are read one after the other, and a folder of arrays is written.

Memory grows with the vocabulary and with the number of documents, and not with their texts: words
go to disk in blocks and are sorted into postings at the end.

Small collections beside the jobs (`NAME.jsonl` in jobs/collections of MONITOR_HOME, or among those
that ship) are indexed when they are first asked. An index is stored under the digest of the file
and the program's version, so that a changed collection is never answered out of an old index.
"""

import hashlib
import tempfile
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from monitor import resources
from monitor.model import Ints, InvalidInput, MissingPart, canonical_json
from monitor.rankers import index
from monitor.rankers.choice import is_name
from monitor.rankers.corpus import CorpusEntry, read_entries
from monitor.rankers.index import FORMAT, META, SWAPPED, Index, Meta, find_index, split_blocks
from monitor.text.swap import swap_text
from monitor.text.tokens import tokens

#: Tokens that are held before they are counted.
_BLOCK = 2**20
#: What names and numbers of documents and words have to fit in.
_MOST = 2**31 - 1

#: Of a pair in 64 bits, the word and where the document stands.
_LOW = 0xFFFFFFFF
_SHIFT = 32

Swap = Callable[[str], str]
#: Called with the number of documents so far.
Progress = Callable[[int], None]


def build_index(
    entries: Iterable[CorpusEntry],
    folder: Path,
    progress: Progress,
    *,
    version: str,
    stop_words: Iterable[str] = (),
    swap: Swap | None = None,
) -> Meta:
    """Index documents into an empty folder, with `swap` a second time with the genders swapped.

    `version` is that of the program, for the record.
    Raises InvalidInput for what is wrong with a document.
    """
    stopped = frozenset(stop_words)
    with ExitStack() as stack:
        plain = stack.enter_context(_Writer(folder, stopped))
        swapped = stack.enter_context(_Writer(folder / SWAPPED, stopped)) if swap else None
        for done, entry in enumerate(entries, start=1):
            plain.add(entry.key, entry.title, entry.text)
            if swap and swapped:
                swapped.add(entry.key, swap(entry.title), swap(entry.text))
            progress(done)
        if swapped:
            swapped.finish(version)
        return plain.finish(version)


class _Postings:
    """Counts the words of documents as they come in, and sorts the counts at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._raw = [folder / ".words.raw", folder / ".counts.raw"]
        self._files = [path.open("wb") for path in self._raw]
        self._distinct: list[Ints] = []  # different words of each document

    def add(self, words: NDArray[np.int32], lengths: Ints) -> None:
        """Count the words of some documents, whose tokens follow each other in `words`."""
        documents = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        pairs, counts = np.unique((documents << _SHIFT) | words, return_counts=True)
        self._distinct.append(np.bincount(pairs >> _SHIFT, minlength=len(lengths)))
        (pairs & _LOW).astype(np.int32).tofile(self._files[0])
        counts.astype(np.int32).tofile(self._files[1])

    def close(self) -> None:
        """Leave nothing open and nothing half done."""
        for file in self._files:
            file.close()
        for path in self._raw:
            path.unlink(missing_ok=True)

    def finish(self, words: NDArray[np.int32], documents: NDArray[np.int32]) -> None:
        """Write the arrays; `words` and `documents` give the final number of each."""
        for file in self._files:
            file.close()
        bounds = np.concatenate([[0], np.cumsum(np.concatenate(self._distinct))]).astype(np.int64)
        np.save(self._folder / "forward_bounds.npy", bounds)
        np.save(self._folder / "forward_documents.npy", documents)
        raw = [  # an empty file cannot be mapped
            np.asarray(np.memmap(path, np.int32, "r"))
            if path.stat().st_size
            else np.zeros(0, np.int32)
            for path in self._raw
        ]
        holders = np.zeros(len(words), np.int64)
        frequencies = np.zeros(len(words), np.int64)
        for block in split_blocks(bounds):
            block_words = words[raw[0][block.start : block.end]]
            holders += np.bincount(block_words, minlength=len(words))
            counts = raw[1][block.start : block.end]
            frequencies += np.bincount(block_words, counts, len(words)).astype(np.int64)
        np.save(self._folder / "frequencies.npy", frequencies)
        starts = np.concatenate([[0], np.cumsum(holders)]).astype(np.int64)
        np.save(self._folder / "posting_bounds.npy", starts)
        self._sort(raw, bounds, words, documents, starts[:-1].copy())

    def _sort(
        self,
        raw: list[NDArray[Any]],
        bounds: Ints,
        words: NDArray[np.int32],
        documents: NDArray[np.int32],
        following: Ints,
    ) -> None:
        """Write pairs by document and by word. `following`: where each word's next posting goes."""
        size = int(bounds[-1])
        names = ("forward_words", "forward_counts", "posting_documents", "posting_counts")
        paths = [self._folder / f"{name}.npy" for name in names]
        if size == 0:
            for path in paths:
                np.save(path, np.zeros(0, np.int32))
            return
        by_document, counts_by_document, by_word, counts_by_word = (
            open_memmap(path, "w+", np.int32, (size,)) for path in paths
        )
        for block in split_blocks(bounds):
            span = slice(block.start, block.end)
            within = np.repeat(
                np.arange(block.last - block.first, dtype=np.int64),
                np.diff(bounds[block.first : block.last + 1]),
            )
            new_words = words[raw[0][span]]
            order = np.argsort((within << _SHIFT) | new_words)
            new_words, counts = new_words[order], raw[1][span][order]
            by_document[span], counts_by_document[span] = new_words, counts
            order = np.argsort(new_words, kind="stable")
            new_words = new_words[order]
            starts = np.flatnonzero(np.diff(new_words, prepend=-1))
            run = np.diff(np.append(starts, len(new_words)))
            places = np.repeat(following[new_words[starts]] - starts, run) + np.arange(
                len(new_words)
            )
            by_word[places] = documents[block.first + within[order]]
            counts_by_word[places] = counts[order]
            following[new_words[starts]] += run
        for written in (by_document, counts_by_document, by_word, counts_by_word):
            written.flush()


class _Writer:
    """Takes documents and writes one index."""

    def __init__(self, folder: Path, stop_words: frozenset[str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._stop_words = folder, stop_words
        self._texts = (folder / "texts.bin").open("wb")
        self._postings = _Postings(folder)
        self._keys: list[str] = []
        self._digests: list[bytes] = []
        self._spans = array("q", [0])  # title and text of each document, one after the other
        self._lengths = array("q")
        self._pending = array("i")
        self._counted = 0  # documents whose words are counted
        #: Numbers of words in the order in which they are met.
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._texts.close()
        self._postings.close()

    def add(self, key: str, title: str, text: str) -> None:
        """Add a document."""
        if len(self._keys) == _MOST:
            raise InvalidInput(f"more than {_MOST:,} documents; divide the collection")
        document_tokens = tokens(f"{title}\n{text}") if title else tokens(text)
        if self._stop_words:
            document_tokens = [token for token in document_tokens if token not in self._stop_words]
        parts = [key.encode(), title.encode(), text.encode()]
        self._texts.writelines(parts[1:])
        middle = self._spans[-1] + len(parts[1])
        self._spans.extend((middle, middle + len(parts[2])))
        sizes = b"%d %d %d\n" % tuple(map(len, parts))
        self._digests.append(hashlib.sha256(b"".join([sizes, *parts])).digest())
        self._keys.append(key)
        self._lengths.append(len(document_tokens))
        self._pending.extend(map(self._numbers.__getitem__, document_tokens))
        if len(self._pending) >= _BLOCK:
            self._count_words()

    def _count_words(self) -> None:
        lengths = np.array(self._lengths[self._counted :], dtype=np.int64)
        self._postings.add(np.array(self._pending, dtype=np.int32), lengths)
        self._counted = len(self._lengths)
        self._pending = array("i")

    def finish(self, version: str) -> Meta:
        """Sort everything and write it; the folder is an index when this returns."""
        if not self._keys or len(set(self._keys)) < len(self._keys):
            raise InvalidInput("a collection has at least one document, and each id once")
        self._count_words()
        self._texts.close()
        order = sorted(range(len(self._keys)), key=self._keys.__getitem__)
        lengths = np.array(self._lengths, dtype=np.int32)
        words = sorted(self._numbers)
        self._save_words("words", "word_bounds", words)
        self._save_words("keys", "key_bounds", [self._keys[position] for position in order])
        self._save_array("lengths", lengths[order])
        ends = np.array(self._spans, dtype=np.int64)
        spans = np.stack([ends[:-1:2], ends[1::2], ends[2::2]], axis=1)  # of title and text
        self._save_array("spans", spans[order])
        # Words and documents are numbered by their order, and postings written both ways.
        number_of, documents = np.empty(len(words), np.int32), np.empty(len(order), np.int32)
        number_of[[self._numbers[word] for word in words]] = np.arange(len(words), dtype=np.int32)
        documents[order] = np.arange(len(order), dtype=np.int32)
        self._postings.finish(number_of, documents)
        # Of the documents in the order of their ids, and of how they were cut.
        digest = hashlib.sha256(canonical_json([FORMAT, sorted(self._stop_words)]).encode())
        for position in order:
            digest.update(self._digests[position])
        meta = Meta(
            format=FORMAT,
            version=version,
            digest=digest.hexdigest(),
            documents=len(order),
            empty=int((lengths == 0).sum()),
            tokens=int(lengths.sum(dtype=np.int64)),
            vocabulary=len(words),
            stop_words=tuple(sorted(self._stop_words)),
        )
        meta.write(self._folder)
        return meta

    def _save_array(self, name: str, content: NDArray[Any]) -> None:
        np.save(self._folder / f"{name}.npy", content, allow_pickle=False)

    def _save_words(self, name: str, bounds: str, words: list[str]) -> None:
        content, ends = index.join_words(words)
        content.tofile(self._folder / f"{name}.bin")
        self._save_array(bounds, ends)


#: A larger one is to be indexed by a person, who sees how far it has come.
_LARGEST = 20 * 2**20


def find(name: str, home: Path, version: str) -> Index:
    """The index called `name`, else that of the small collection of this name.

    `version` is that of the program. Raises MissingPart naming the remedy.
    """
    try:
        return find_index(name, home)
    except MissingPart:
        file = _collection_file(name, home)
        if file is None:
            raise
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    goal = home / "indexes" / ".collections" / f"{name}-{digest}-{version}-{FORMAT}"
    if not (goal / META).is_file():
        _build_index(file, goal, version)
    return Index(goal)


def _collection_file(name: str, home: Path) -> Path | None:
    places = (home / "jobs", resources.find_folder("jobs"))
    files = [folder / "collections" / f"{name}.jsonl" for folder in places if is_name(name)]
    return next((f for f in files if f.is_file() and f.stat().st_size <= _LARGEST), None)


def _build_index(file: Path, goal: Path, version: str) -> None:
    """Build it beside its place and move it there; whoever else built it first is as good."""
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".new-") as temporary:
        folder = Path(temporary) / "index"
        build_index(read_entries(file), folder, lambda _: None, version=version, swap=swap_text)
        try:
            folder.rename(goal)
        except OSError:
            if not (goal / META).is_file():
                raise
