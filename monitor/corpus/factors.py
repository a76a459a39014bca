"""A vector of each word and another of it as context: what SVD, skip-gram and GloVe make of counts.

First order is rebuilt from both, e_{w:c} = v_w . u_c or sigmoid(v_w . u_c); high order takes the
vectors of words alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, InvalidInput


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """Vectors of words and of contexts, both (words, dimensions). No pair is unknown to them."""

    words: Sequence[str]
    left: NDArray[np.floating]
    right: NDArray[np.floating]
    sigmoid: bool = False
    unseen: float | None = field(default=None, init=False)
    contexts: Sequence[str] | None = field(default=None, init=False)
    ids: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.left.shape != self.right.shape or len(self.left) != len(self.words):
            raise InvalidInput(
                f"{len(self.words):,} words, word vectors {self.left.shape}, context vectors "
                f"{self.right.shape}: each word needs one of each, of the same length"
            )
        object.__setattr__(self, "ids", {word: i for i, word in enumerate(self.words)})

    def known(self, words: Iterable[str]) -> list[str]:
        return [word for word in dict.fromkeys(words) if word in self.ids]

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        products: Floats = self._rows(self.left, words) @ self._rows(self.right, contexts).T
        # 1 / (1 + exp(-x)) without overflow
        return (1.0 + np.tanh(products / 2.0)) / 2.0 if self.sigmoid else products

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats | None:  # noqa: ARG002
        return None

    def vectors(self, words: Sequence[str]) -> Floats:
        return self._rows(self.left, words)

    def _rows(self, rows: NDArray[np.floating], words: Sequence[str]) -> Floats:
        return np.asarray(rows[[self.ids[word] for word in words]], np.float64)
