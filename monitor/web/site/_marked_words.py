"""A word in a text, and the words for women and men beside it: text in, pieces to be marked out."""

import re
from collections.abc import Mapping
from functools import cache

from monitor.corpus.concepts import default_concepts
from monitor.model import GenderClass
from monitor.stages._report_text import Piece, pieces

#: As `monitor.text.tokens` finds them, with their places.
_TOKEN = re.compile(r"[^\W_]+")
#: How the word itself is marked.
_WORD = "word"


def marked(text: str, word: str) -> list[Piece]:
    """The text cut at every occurrence of a word and of words for women and men; whole without."""
    if not word:
        return pieces(text, ())
    classes = {**_concepts(), word: _WORD}
    found = ((one.start(), one.end(), classes.get(one[0].lower())) for one in _TOKEN.finditer(text))
    return pieces(text, [
        {"start": start, "end": end, "gender": gender} for start, end, gender in found if gender
    ])  # fmt: skip


@cache
def _concepts() -> Mapping[str, str]:
    """{word: whom it means}."""
    listed = default_concepts()
    return dict.fromkeys(listed.women, GenderClass.FEMININE) | dict.fromkeys(
        listed.men, GenderClass.MASCULINE
    )
