"""Gender-swapped documents are added to a corpus, to see how far a measure follows its texts.

A corpus is extended by twins of half or all of its documents, in which `text/swap.py` has exchanged
women and men; two sets of biases give the change between them. This is the sensitivity experiment
of Rekabsaz et al. 2021 (Figure 4, Table 3), by counterfactual data augmentation.

What `half` is. In the notebook that the authors published, the vocabularies of the corpora
"swapped#0.5" and "swapped#1.0" are 9 % and 17 % larger than the original's at one minimum count. So
twins were added, and none took the place of its original: here each document gets its twin with
probability 1/2, drawn with a seed, or every document does.

After full augmentation every word that names no gender stands near the words for women as often as
near those for men, because the corpus is its own mirror. The first-order bias of such words is then
0, but for concept words that the swap does not exchange one for one: `inexact` names them.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.corpus.encoding import EncodingRules, Tokens
from monitor.text.swap import swap_text
from monitor.text.tokens import tokens

#: What can be asked for: the share of documents that get their twin.
SHARES: Mapping[str, float] = {"half": 0.5, "full": 1.0}
#: What is written behind the key of a document, for its twin.
TWIN = "#swapped"
#: What may stand around a word so that the swap decides otherwise: nothing, a noun, a verb, a name.
_AROUND = (("", ""), ("", " house"), ("we saw ", "."))
_BEFORE_NAME = " Baker"


@dataclass(slots=True)
class Once:
    """Documents (key, text) without those whose tokens an earlier one has, which are counted.

    Twins are made of these, and kept even where they are no other than their original: a document
    without a word to swap counts as often as one with.
    """

    documents: Iterable[tuple[str, str]]
    split: Callable[[str], Sequence[str]]
    repeats: int = 0

    def __iter__(self) -> Iterator[tuple[str, str]]:
        seen: set[bytes] = set()
        for key, text in self.documents:
            text_digest = hashlib.blake2b(
                " ".join(self.split(text)).encode(), digest_size=16
            ).digest()
            if text_digest in seen:
                self.repeats += 1
                continue
            seen.add(text_digest)
            yield key, text


def augment_documents(
    documents: Iterable[tuple[str, str]], share: float, seed: int = 0
) -> Iterator[tuple[str, str]]:
    """Each (key, text), and behind it its twin with probability `share`."""
    draw = random.Random(seed)  # noqa: S311 - which half is no secret
    for key, text in documents:
        yield key, text
        if draw.random() < share:
            yield f"{key}{TWIN}", swap_text(text)


@dataclass(slots=True)
class Twinned:
    """Documents with the twins of a share of them, and the rules under which they are encoded."""

    documents: Iterable[tuple[str, str]]
    rules: EncodingRules
    once: Once | None

    @classmethod
    def of(
        cls, documents: Iterable[tuple[str, str]], rules: EncodingRules, share: float, seed: int = 0
    ) -> "Twinned":
        """Repeats go before the twins come: a twin that is no other than its original counts."""
        once: Once | None = None
        if rules.unique:
            split = tokens if rules.tokens is Tokens.TEXT else str.split
            documents = once = Once(documents, split)
        return cls(augment_documents(documents, share, seed), replace(rules, unique=False), once)


def inexact(women: Sequence[str], men: Sequence[str]) -> tuple[str, ...]:
    """Those of the concept words that the swap does not exchange one for one with the other side.

    `her` becomes `him` or `his`, `lad` becomes `lass`, which is no concept word: such words may
    leave a bias after full augmentation.
    """
    swapped_words = {word for pair in exchanged_pairs(women, men) for word in pair}
    return tuple(word for word in (*women, *men) if word not in swapped_words)


def exchanged_pairs(women: Sequence[str], men: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs (women's word, men's word) that the swap turns into each other wherever they stand."""
    ones, men_words = frozenset(women), frozenset(men)
    return tuple(
        (woman, man)
        for woman in women
        if (man := _partner_word(woman, men_words)) is not None
        and _partner_word(man, ones) == woman
    )


def _partner_word(word: str, others: frozenset[str]) -> str | None:
    """The one concept word of the other side that a word becomes wherever it stands."""
    partners = {_swap_in_context(word, before, after) for before, after in _AROUND}
    partners.add(_swap_in_context(word.capitalize(), "", _BEFORE_NAME).lower())
    return partners.pop() if len(partners) == 1 and partners <= others else None


def _swap_in_context(word: str, before: str, after: str) -> str:
    return swap_text(f"{before}{word}{after}").removeprefix(before).removesuffix(after)


@dataclass(frozen=True, slots=True)
class BiasChange:
    """Differences of the biases of words from one corpus to another, as in Table 3.

    `absolute` is the mean of |after - before| and `spread` its standard deviation (population), as
    in the authors' code; `relative` is the mean of |(after - before) / before| over the words whose
    bias was not 0, None where there is none.
    """

    words: tuple[str, ...]
    absolute: float
    spread: float
    relative: float | None
    largest: tuple[tuple[str, float, float], ...]


_LARGEST = 10


def change_of_biases(before: Mapping[str, float], after: Mapping[str, float]) -> BiasChange | None:
    """The change over the words that have a bias in both; None where no word has."""
    words = tuple(word for word in before if word in after)
    if not words:
        return None
    first = np.array([before[word] for word in words])
    second = np.array([after[word] for word in words])
    moved = np.abs(second - first)
    is_nonzero = first != 0
    order = np.argsort(-moved, kind="stable")[:_LARGEST]
    return BiasChange(
        words,
        float(moved.mean()),
        float(moved.std()),
        float((moved[is_nonzero] / np.abs(first[is_nonzero])).mean()) if is_nonzero.any() else None,
        tuple((words[index], float(first[index]), float(second[index])) for index in order),
    )
