"""An index of a collection: its words with the documents that hold them, mapped into memory.

A folder of arrays and one JSON file. Documents are numbered in the order of their ids and words in
the order of their code points, so the order in which documents were read changes nothing.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from monitor.input_files import load_json
from monitor.model import Ints, InvalidInput, MissingPart, StoreProblem
from monitor.rankers import _arrays
from monitor.rankers._arrays import Words
from monitor.text.tokens import tokens

#: Goes up when an index of before cannot be read any more, or would rank otherwise.
FORMAT = 1
META = "index.json"
#: The same documents with the genders swapped, beside the others.
SWAPPED = "swapped"
#: What rankers compute once and keep.
_DERIVED = "derived"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

Counts = NDArray[np.int32]


def is_name(text: str) -> bool:
    """Whether an index, or vectors, can be called so."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Meta:
    """What stands in the JSON file. `digest` is of ids, titles, texts and how they were cut."""

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
            found = cls(**content | {"stop_words": tuple(content["stop_words"])})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreProblem(f"{folder}: no index, or a damaged one: {error!r}") from error
        if found.format != FORMAT:
            raise StoreProblem(
                f"{folder}: an index of format {found.format}, this program reads {FORMAT}; build "
                "it anew with: monitor index --force"
            )
        return found


class Index:
    """A built index, open for reading. Arrays are not to be written to."""

    def __init__(self, folder: Path) -> None:
        """Open what `build` wrote. Raises StoreProblem."""
        self.folder = folder
        self.meta = Meta.read(folder)
        #: Tokens of each document.
        self.lengths: Counts = self._array("lengths")
        #: Where the postings of each word begin.
        self.bounds: Ints = self._array("posting_bounds")
        self.posting_documents: Counts = self._array("posting_documents")
        self.posting_counts: Counts = self._array("posting_counts")
        #: How often each word stands in the collection.
        self.frequencies: Ints = self._array("frequencies")
        self.words = Words(_arrays.load_bytes(folder / "words.bin"), self._array("word_bounds"))
        self._keys = Words(_arrays.load_bytes(folder / "keys.bin"), self._array("key_bounds"))
        self._texts = _arrays.load_bytes(folder / "texts.bin")
        self._spans: Ints = self._array("spans")
        self._check()

    def _array(self, name: str) -> NDArray[Any]:
        return _arrays.load(self.folder / f"{name}.npy")

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
            raise self._damaged()

    def _damaged(self) -> StoreProblem:
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
        """How many documents hold a word."""
        return int(self.bounds[word + 1] - self.bounds[word])

    def key(self, document: int) -> str:
        """The id of a document."""
        return self._keys.word(document)

    def title_and_text(self, document: int) -> tuple[str, str]:
        """(title, text) of a document as they were read."""
        start, middle, end = self._spans[document].tolist()
        return self._texts[start:middle].tobytes().decode(), self._texts[
            middle:end
        ].tobytes().decode()

    def forward(self) -> tuple[Ints, Ints, Counts, Counts]:
        """The words of each document, in the order in which documents were read.

        (number of each document, where the words of each begin, words, how often each stands).
        Raises StoreProblem.
        """
        numbers, bounds, words, counts = map(
            self._array, ("forward_documents", "forward_bounds", "forward_words", "forward_counts")
        )
        if not (
            len(bounds) == len(numbers) + 1 == self.documents + 1
            and len(words) == len(counts) == bounds[-1]
        ):
            raise self._damaged()
        return numbers, bounds, words, counts

    def derived(self, name: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """What is computed once from this index, and read from its folder ever after."""
        path = self.folder / _DERIVED / f"{name}.npy"
        if not path.exists():
            _arrays.keep(path, compute())
        return _arrays.load(path)


def folder_of(name: str, home: Path) -> Path:
    """Where the index called `name` lies. Raises InvalidInput for what is no name."""
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


def installed(home: Path) -> list[tuple[str, Meta]]:
    """Name and facts of every index, by name."""
    found = sorted(path.parent for path in (home / "indexes").glob(f"*/{META}"))
    return [(folder.name, Meta.read(folder)) for folder in found if is_name(folder.name)]
