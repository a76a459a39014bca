"""A lexicon of texts: their words get vectors by PPMI and SVD, where no other vectors are at hand.

Another space of words in which the same can be asked. Of few texts it is a poor one, and what it
still says as the large ones do is no accident of theirs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from monitor.studies import _corpus_given as given_texts
from monitor.studies.found import Option, Tell

if TYPE_CHECKING:
    from monitor.corpus.encoded import EncodedCorpus
    from monitor.lexicons.lexicon import Lexicon
    from monitor.lexicons.source import Block, Rows

NAME = "learned"
_WINDOW = 5
_OF_TEXTS = {one.name: one for one in given_texts.OPTIONS}
OPTIONS = (
    _OF_TEXTS["texts"],
    _OF_TEXTS["min-count"],
    _OF_TEXTS["tokens"],
    Option("dimensions", "--texts: of the vectors that are learned. SVD takes minutes from 100 on.",
           int, default=50),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """The vectors of a corpus, as a source that lexicons are made of."""

    corpus: "EncodedCorpus"
    words: list[str]
    rows: "Rows"
    name: str = NAME
    format: str = "ppmi-svd"
    declared: int | None = None

    @property
    def dimensions(self) -> int:
        return int(self.rows.shape[1])

    def hashes(self) -> dict[str, str]:
        """What the corpus is known by."""
        return {"corpus": self.corpus.digest}

    def blocks(self) -> "Iterator[Block]":
        """All words at once."""
        from monitor.lexicons.source import Block

        yield Block(self.words, self.rows)


def learned(given: Mapping[str, Any], tell: Tell) -> "tuple[Lexicon, dict[str, str]]":
    """The lexicon, and what it was made of. Raises InvalidInput, also for texts without pairs."""
    import numpy as np

    from monitor.corpus.encoding import encode
    from monitor.corpus.pmi import Pmi
    from monitor.corpus.reduced import reduced
    from monitor.lexicons.build import Order, build
    from monitor.stages.corpus_bias import counted

    texts = given_texts.Texts.of(given)
    tell("learning vectors of the texts")
    corpus = encode(texts.documents(), texts.rules)
    found = reduced(Pmi(counted(corpus, _WINDOW)), given["dimensions"], seed=given["seed"])
    source = Learned(corpus, list(found.words), found.left.astype(np.float32))
    ran = {
        "texts": texts.said,
        "vectors of the texts": f"{given_texts.facts(corpus)}; PPMI, window {_WINDOW}, SVD in "
        f"{source.dimensions} dimensions",
    }
    return build(source, Order(NAME), {}, lambda *_: None), ran
