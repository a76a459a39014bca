"""What every representation of a corpus can be asked: associations of words, or their vectors."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from monitor.model import Floats


class Words(Protocol):
    """Something that knows some words."""

    @property
    def words(self) -> Sequence[str]:
        """All words it knows."""
        ...

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of the words that it knows, each once, in the order given."""
        ...


class Associations(Words, Protocol):
    """First order: how strongly a word is tied to a context word, e_{w:c} of the paper."""

    @property
    def unseen(self) -> float | None:
        """What a pair counts as that never occurred though it was to be expected; None: nothing."""
        ...

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        """(words, contexts), all of them known; NaN for a pair that never occurred."""
        ...

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats | None:
        """(words,) pairs of each word with all the contexts if they were independent.

        n_w * (sum of n_c over the contexts) / n, with n_w all neighbours of a word and n all pairs.
        None where the representation counts nothing.
        """
        ...


class Vectors(Words, Protocol):
    """High order: words by vectors, which are alike where their contexts are."""

    @property
    def contexts(self) -> Sequence[str] | None:
        """The context word of each dimension; None where dimensions mean nothing by themselves."""
        ...

    def vectors(self, words: Sequence[str]) -> Floats:
        """(words, dimensions), all of them known."""
        ...
