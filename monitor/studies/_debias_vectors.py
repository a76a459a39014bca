"""The vectors of the words that a collection has: as they are, debiased, strongly debiased."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from monitor.lexicons.debias import Change
    from monitor.lexicons.source import Block, VectorSource
    from monitor.lexicons.store import Vectors
    from monitor.model import Floats


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file of vectors of which only some words are taken; the pairs must be among them."""

    source: "VectorSource"
    words: frozenset[str]

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def format(self) -> str:
        return self.source.format

    @property
    def dimensions(self) -> int:
        return self.source.dimensions

    @property
    def declared(self) -> int | None:
        return self.source.declared

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each file."""
        return self.source.hashes()

    def blocks(self) -> "Iterator[Block]":
        """The rows of the words that are taken."""
        from monitor.lexicons.source import Block

        for block in self.source.blocks():
            places = [at for at, word in enumerate(block.words) if word in self.words]
            if places:
                yield Block([block.words[at] for at in places], block.rows[places])


@dataclass(frozen=True, slots=True)
class Changed:
    """The same words under every change, and the direction that was taken out of them."""

    vectors: "Mapping[Change, Vectors]"
    direction: "Floats"

    def left(self, change: "Change") -> float:
        """The furthest that any vector still lies along the direction."""
        import numpy as np

        rows = self.vectors[change].matrix.astype(np.float64)
        return float(np.abs(rows @ self.direction).max())


def changed(source: "VectorSource", words: Iterable[str], folder: Path) -> "Changed":
    """The vectors of these words under every change, written into a folder.

    The direction is that of the whole file: it rests on the words of the pairs alone. Raises
    InvalidInput for vectors without the pairs.
    """
    import numpy as np

    from monitor.lexicons.build import Order, written
    from monitor.lexicons.debias import Change, gender_specific
    from monitor.lexicons.direction import PAIRS
    from monitor.lexicons.store import load_vectors

    pairs = {word for pair in PAIRS for word in pair}
    taken = frozenset({*words, *pairs, *gender_specific(PAIRS)})
    paths = {change: folder / f"{change}.vectors" for change in Change}
    order = Order("study", changes=tuple(paths))
    with written(Wanted(source, taken), order, paths, lambda *_: None) as lexicon:
        listed = lexicon.meta["direction"]
    direction = np.array(listed, np.float64)
    return Changed({change: load_vectors(path) for change, path in paths.items()}, direction)
