"""The words of a corpus that count, most frequent first, and how often each of them occurs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from monitor.model import Ints


@dataclass(frozen=True, slots=True)
class Vocabulary:
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
