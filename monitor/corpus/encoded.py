"""A corpus as numbers: its vocabulary, the ids of its words in order, and its counts of pairs."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints, InvalidInput, Json


@dataclass(frozen=True, slots=True)
class CorpusVocabulary:
    """Words by falling number of occurrences; of equally many the first in the alphabet first.

    `counts` has shape (words,), occurrences in the whole corpus. The id of a word is its position.
    """

    words: tuple[str, ...]
    counts: Ints
    ids: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", {word: i for i, word in enumerate(self.words)})

    def __len__(self) -> int:
        return len(self.words)

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of the words that are in it, each once, in the order given."""
        return [word for word in dict.fromkeys(words) if word in self.ids]

    def missing(self, words: Iterable[str]) -> list[str]:
        """Those of the words that are not in it, each once, in the order given."""
        return [word for word in dict.fromkeys(words) if word not in self.ids]


if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Cooccurrences:
    """Counts of words within `window` tokens of each other, in the same document.

    `matrix` has shape (words, words), symmetric, in the order of the vocabulary: every pair of
    places counts once for each of its two words, so that a word beside itself counts twice. Its
    sum is `total`, and `row_totals`, shape (words,), are the sums of its rows.
    """

    vocabulary: CorpusVocabulary
    matrix: "csr_array"
    row_totals: Floats
    total: float
    window: int
    documents: int
    tokens: int


TokenIds: TypeAlias = NDArray[np.int32]


class Tokens(StrEnum):
    """The definition of a token."""

    TEXT = "text"  # runs of letters and digits in lower case, as everywhere in this program
    BLANKS = "blanks"  # what stands between blanks, as it is: for texts that are tokenised already


@dataclass(frozen=True, slots=True)
class EncodingRules:
    """Rules by which texts become a corpus. Raises InvalidInput for an impossible rule."""

    tokens: Tokens = Tokens.TEXT
    min_count: int = 1  # of occurrences; rarer words are left out
    most: int | None = None  # words; only the most frequent ones are kept
    unique: bool = True  # a document with the same tokens as an earlier one is left out
    subsample: float | None = None  # t: words of a larger share of all tokens are thinned out
    seed: int = 0  # of the thinning

    def __post_init__(self) -> None:
        if self.min_count < 1:
            raise InvalidInput(f"minimum count {self.min_count}: it must be 1 or more")
        if self.most is not None and self.most < 1:
            raise InvalidInput(f"largest vocabulary {self.most}: it must be 1 or more words")
        if self.subsample is not None and not 0 < self.subsample < 1:
            raise InvalidInput(
                f"subsampling threshold {self.subsample}: it is a share of all tokens, between 0 "
                "and 1; 0.00001 is usual"
            )

    def described(self) -> dict[str, Json]:
        """The rules by their names."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """The input from which a corpus was made."""

    texts: int
    empty: int  # texts without any token: no documents
    repeats: int  # documents left out, because an earlier one has the same tokens
    tokens: int  # of the documents that were kept, rare words among them
    words: int  # different ones, rare words among them


class NumberedText(Protocol):
    """Tokens in which pairs are counted: document d is `tokens[offsets[d]:offsets[d + 1]]`."""

    @property
    def vocabulary(self) -> CorpusVocabulary:
        """The words, whose places are the numbers."""
        ...

    @property
    def tokens(self) -> NDArray[np.integer]:
        """(tokens,) numbers of words."""
        ...

    @property
    def offsets(self) -> Ints:
        """(documents + 1,) where each begins."""
        ...

    @property
    def documents(self) -> int:
        """Return the number of documents."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class EncodedCorpus:
    """The tokens of D documents that are words of the vocabulary, in their order.

    Document d is `tokens[offsets[d]:offsets[d + 1]]`; one whose words are all rare is empty, and
    still a document. Counts of the vocabulary are those before subsampling.
    """

    vocabulary: CorpusVocabulary
    tokens: TokenIds  # (tokens,), in memory or mapped from a file
    offsets: Ints  # (documents + 1,)
    rules: EncodingRules
    read: ReadRecord
    digests: Mapping[str, str]  # SHA-256 of each of the files that it is kept in
    digest: str  # of words, tokens and documents; the same wherever it is kept
    keys: bytes = field(repr=False)  # those of the documents, in UTF-8, a line each

    @property
    def documents(self) -> int:
        """Return the number of documents."""
        return len(self.offsets) - 1

    def document_keys(self) -> list[str]:
        """(documents,) what leads back to each document."""
        return self.keys.decode("utf-8").split("\n")[:-1]
