"""An index of a collection: its words with the documents that hold them, mapped into memory.

A folder of arrays and one JSON file. Documents are numbered in the order of their ids and words in
the order of their code points, so the order in which documents were read changes nothing.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from monitor.input_files import load_json
from monitor.model import Ints, InvalidInput, MissingPart, StoreProblem
from monitor.rankers.choice import is_name
from monitor.text.tokens import tokens
from monitor.whole_files import PRIVATE, write_whole

#: Files smaller than this are read: a map of an empty one cannot be made, and of a small one
#: gains nothing.
_MAPPED_FROM = 2**16

Bytes = NDArray[np.uint8]


def load_array(path: Path) -> NDArray[Any]:
    """The array of a file. Raises StoreProblem."""
    try:
        mapped = path.stat().st_size >= _MAPPED_FROM
        array = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise StoreProblem(f"{path}: no array that can be read: {error}") from error
    return np.asarray(array)  # the map stays underneath; plain arrays are quicker to slice


def load_bytes(path: Path) -> Bytes:
    """The bytes of a file. Raises StoreProblem."""
    try:
        if path.stat().st_size >= _MAPPED_FROM:
            return np.asarray(np.memmap(path, np.uint8, "r"))
        return np.fromfile(path, np.uint8)
    except OSError as error:
        raise StoreProblem(f"{path}: cannot be read: {error}") from error


def join_words(words: Iterable[str]) -> tuple[Bytes, Ints]:
    """(the bytes of all words, where each begins and the last one ends)."""
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), ends


@dataclass(frozen=True, slots=True)
class IndexWords:
    """Different words in the order of their code points; a word's number is its place."""

    content: Bytes
    bounds: Ints

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def is_whole(self) -> bool:
        """Return whether content and bounds belong together."""
        return len(self.content) == int(self.bounds[-1])

    def _bytes(self, number: int) -> bytes:
        return self.content[self.bounds[number] : self.bounds[number + 1]].tobytes()

    def word(self, number: int) -> str:
        """The word with a number."""
        return self._bytes(number).decode()

    def number(self, word: str) -> int:
        """The number of a word, -1 for an unknown one."""
        encoded = word.encode("utf-8", "replace")
        place = bisect_left(range(len(self)), encoded, key=self._bytes)
        return place if place < len(self) and self._bytes(place) == encoded else -1

    def all(self) -> list[str]:
        """Every word."""
        content, bounds = self.content.tobytes(), self.bounds.tolist()
        return [content[start:end].decode() for start, end in pairwise(bounds)]


#: Pairs of document and word that are worked on at a time.
_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class PostingBlock:
    """Documents from `first` to before `last`, and their pairs from `start` to before `end`."""

    first: int
    last: int
    start: int
    end: int


def split_blocks(bounds: Ints, most: int = _BLOCK) -> Iterator[PostingBlock]:
    """Runs of whole documents with at most so many pairs each; a long document is one by itself."""
    first, documents = 0, len(bounds) - 1
    while first < documents:
        fitting = int(np.searchsorted(bounds, bounds[first] + most, side="right")) - 1
        last = min(documents, max(first + 1, fitting))
        yield PostingBlock(first, last, int(bounds[first]), int(bounds[last]))
        first = last


#: Goes up when an index of before cannot be read any more, or would rank otherwise.
FORMAT = 1
META = "index.json"
#: The same documents with the genders swapped, beside the others.
SWAPPED = "swapped"
#: What rankers compute once and keep.
_DERIVED = "derived"

Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Meta:
    """The content of the JSON file. `digest` is of ids, titles, texts and how they were cut."""

    format: int
    version: str  # of the package that built it
    digest: str
    documents: int
    empty: int  # without any word that is indexed
    tokens: int
    vocabulary: int
    stop_words: tuple[str, ...] = field(default_factory=tuple)

    def write(self, folder: Path) -> None:
        """Write the file."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2)
        (folder / META).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Meta":
        """Read the file. Raises StoreProblem for an index that is damaged or too old."""
        try:
            content = load_json((folder / META).read_text(encoding="utf-8"))
            meta = cls(**content | {"stop_words": tuple(content["stop_words"])})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreProblem(f"{folder}: no index, or a damaged one: {error!r}") from error
        if meta.format != FORMAT:
            raise StoreProblem(
                f"{folder}: an index of format {meta.format}, this program reads {FORMAT}; build "
                "it anew with: monitor index --force"
            )
        return meta


class Index:
    """A built index, open for reading. Arrays are not to be written to."""

    def __init__(self, folder: Path) -> None:
        """Open what `build` wrote. Raises StoreProblem."""
        self.folder = folder
        self.meta = Meta.read(folder)
        #: Tokens of each document.
        self.lengths: Counts = self._load_array("lengths")
        #: Where the postings of each word begin.
        self.bounds: Ints = self._load_array("posting_bounds")
        self.posting_documents: Counts = self._load_array("posting_documents")
        self.posting_counts: Counts = self._load_array("posting_counts")
        #: How often each word stands in the collection.
        self.frequencies: Ints = self._load_array("frequencies")
        self.words = IndexWords(load_bytes(folder / "words.bin"), self._load_array("word_bounds"))
        self._keys = IndexWords(load_bytes(folder / "keys.bin"), self._load_array("key_bounds"))
        self._texts = load_bytes(folder / "texts.bin")
        self._spans: Ints = self._load_array("spans")
        self._check()

    def _load_array(self, name: str) -> NDArray[Any]:
        return load_array(self.folder / f"{name}.npy")

    def _check(self) -> None:
        """A file that was cut short must not become scores."""
        whole = (
            len(self.lengths) == len(self._keys) == len(self._spans) == self.meta.documents
            and len(self.bounds) == len(self.words) + 1 == self.meta.vocabulary + 1
            and len(self.frequencies) == len(self.words)
            and self.words.is_whole
            and self._keys.is_whole
            and len(self.posting_documents) == len(self.posting_counts) == self.bounds[-1]
            and len(self._texts) == (self._spans.max() if len(self._spans) else 0)
        )
        if not whole:
            raise self._damage_message()

    def _damage_message(self) -> StoreProblem:
        return StoreProblem(f"{self.folder}: its files do not belong together; build it anew")

    @property
    def documents(self) -> int:
        """Number of documents, empty ones included."""
        return self.meta.documents

    @property
    def average_length(self) -> float:
        """Tokens a document, empty ones included."""
        return self.meta.tokens / self.meta.documents

    @cached_property
    def counterfactual(self) -> "Index | None":
        """The index of the same documents with the genders swapped, if it was built."""
        inside = self.folder / SWAPPED
        return Index(inside) if inside.is_dir() else None

    @cached_property
    def _stop_words(self) -> frozenset[str]:
        return frozenset(self.meta.stop_words)

    def query(self, text: str) -> list[str]:
        """The tokens of a question, cut as those of the documents."""
        return [token for token in tokens(text) if token not in self._stop_words]

    def postings(self, word: int) -> tuple[Counts, Counts]:
        """(documents that hold a word, how often each does)."""
        span = slice(int(self.bounds[word]), int(self.bounds[word + 1]))
        return self.posting_documents[span], self.posting_counts[span]

    def holders(self, word: int) -> int:
        """Return how many documents hold a word."""
        return int(self.bounds[word + 1] - self.bounds[word])

    def key(self, document: int) -> str:
        """The id of a document."""
        return self._keys.word(document)

    def title_and_text(self, document: int) -> tuple[str, str]:
        """(title, text) of a document as they were read."""
        start, middle, end = self._spans[document].tolist()
        title, text = self._texts[start:middle], self._texts[middle:end]
        return title.tobytes().decode(), text.tobytes().decode()

    def forward(self) -> tuple[Ints, Ints, Counts, Counts]:
        """The words of each document, in the order in which documents were read.

        (number of each document, where the words of each begin, words, how often each stands).
        Raises StoreProblem.
        """
        numbers, bounds, words, counts = map(
            self._load_array,
            ("forward_documents", "forward_bounds", "forward_words", "forward_counts"),
        )
        if not (
            len(bounds) == len(numbers) + 1 == self.documents + 1
            and len(words) == len(counts) == bounds[-1]
        ):
            raise self._damage_message()
        return numbers, bounds, words, counts

    def derived(self, name: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Return what is computed once from this index, and read from its folder ever after."""
        path = self.folder / _DERIVED / f"{name}.npy"
        if not path.exists():
            content = compute()
            with write_whole(path, PRIVATE) as file:
                np.save(file, content, allow_pickle=False)
        return load_array(path)


def folder_of(name: str, home: Path) -> Path:
    """Return the folder of the index called `name`. Raises InvalidInput for an invalid name."""
    if not is_name(name):
        raise InvalidInput(
            f"{name!r} is no name of an index: letters, digits, dots, hyphens and underscores"
        )
    return home / "indexes" / name


def find_index(name: str, home: Path) -> Index:
    """The index called `name`. Raises MissingPart naming the command that builds it."""
    folder = folder_of(name, home)
    if not (folder / META).is_file():
        raise MissingPart(f"no index {folder}; build it with: monitor index SOURCE --name {name}")
    return Index(folder)


def installed_indexes(home: Path) -> list[tuple[str, Meta]]:
    """Name and facts of every index, by name."""
    folders = sorted(path.parent for path in (home / "indexes").glob(f"*/{META}"))
    return [(folder.name, Meta.read(folder)) for folder in folders if is_name(folder.name)]
