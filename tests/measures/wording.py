"""Makes ranked lists by their words for the contract of measures."""

import random
from dataclasses import replace

import numpy as np

from monitor.data import read_table
from monitor.model import Document, GenderClass, Unit
from tests.measures import corpora

M, F = GenderClass.MASCULINE, GenderClass.FEMININE
#: What a document says that stands for a class. A text without any word is empty, "" is as well.
TEXT = {
    M: "He and his brother, a man of the north, said nothing more.",
    F: "She and her sister, a woman of the north, said nothing more.",
    GenderClass.BOTH: "She and he, a woman and a man of the north.",
    GenderClass.INCLUSIVE: "People of the north.",
    GenderClass.MIXED: "...",
    GenderClass.NONE: "",
}
SWAPPED = {TEXT[M]: TEXT[F], TEXT[F]: TEXT[M]}
#: The words that queries are about, with their genderedness.
WORDS = [row["occupation"] for row in read_table("us_labour") if row["occupation"].isalpha()]
QUERIES = {word: (n - 23) / 60 for n, word in enumerate(sorted(set(WORDS))[:48])}
SCORES = {"she": 0.3, "her": 0.3, "woman": 0.3, "sister": 0.3, "north": 0.0, "people": 0.0}
SCORES |= {"he": -0.3, "his": -0.3, "man": -0.3, "brother": -0.3, **QUERIES}


class Lexicon:
    """Word scores that are odd under swapping women and men."""

    language, low, high = "en", -0.9, 0.9

    def __init__(self, name="small", scores=SCORES):
        self.name, self.digest, self._scores = name, f"digest of {name}", scores

    def scores(self, words):
        return np.array([self._scores.get(word, np.nan) for word in words], np.float64)


LEXICONS = (
    Lexicon(),
    Lexicon("other", {word: float(np.cbrt(score)) for word, score in SCORES.items()}),
)


def worded(classes_of):
    """48 queries with lists of twelve documents; `swapped` has the same documents otherwise."""
    return [_unit(number, word, classes_of) for number, word in enumerate(QUERIES)]


def _unit(number, word, classes_of):
    ranks = [classes_of(number, rank) for rank in range(12)]
    lists = tuple(_list(number, repeat) for repeat in zip(*ranks, strict=True))
    return Unit(
        f"q{number:02}",
        {"gender_neutral": "yes"},
        (None,) * len(lists),
        documents=lists,
        swapped=tuple(one and _turned(number, one) for one in lists),
        query=f"the {word}",
        judgements={f"{number}-{rank}": rank % 3 for rank in range(0, 12, 2)},
    )


def _list(number, classes):
    if classes[0] is None:
        return None
    if classes[0] is GenderClass.UNIDENTIFIED:
        return ()
    return tuple(Document(f"{number}-{rank}", TEXT.get(cls)) for rank, cls in enumerate(classes))


def _turned(number, documents):
    """Another order, unless every document speaks of women and men alike."""
    if {document.text for document in documents} == {TEXT[GenderClass.BOTH]}:
        return documents
    mixed = list(documents)
    random.Random(number // 2).shuffle(mixed) if number % 2 else None  # noqa: S311 - no secret
    return tuple(mixed)


def swapped(unit):
    """The unit with women and men in each other's place in every document."""
    return replace(unit, documents=_texts(unit.documents), swapped=_texts(unit.swapped))


def _texts(lists):
    return tuple(
        one and tuple(replace(d, text=d.text and _other(d.text)) for d in one) for one in lists
    )


def _other(text):
    """Of texts as `worded` makes them, or as those of corpora are made."""
    return SWAPPED.get(text, text) if text in TEXT.values() else corpora.swapped(text)
