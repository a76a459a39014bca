"""Genderedness of each word of a text, and the words that decide its grammatical gender.

The text is neither sent to a system nor stored.
"""

import logging
import math
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from monitor import registry
from monitor.lexicons import installed
from monitor.lexicons.lexicon import Lexicon, load_lexicon
from monitor.model import Cue, InvalidInput, Witness, primary
from monitor.ranked.genderedness import query_genderedness, usable_scores
from monitor.roles import Permission
from monitor.stages.document.notation import Piece, pieces
from monitor.text.tokens import STOP, is_word, tokens
from monitor.web.site.errors import Busy
from monitor.web.site.records import Described
from monitor.web.site.response_cache import hold_turn
from monitor.web.site.routes import make_router, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Visitor, Who

log = logging.getLogger(__name__)
router = make_router("query")

LONGEST = 2_000
#: Texts that are looked into at the same time, and seconds that others wait for their turn.
_AT_ONCE, _PATIENCE, _AGAIN = 2, 3.0, 3
#: Lexicons of one's own that are held in memory.
_LEXICONS = 2

_turns = BoundedSemaphore(_AT_ONCE)
_loading = Lock()

Name = Annotated[str, Query(max_length=200)]


class ScoredWord(BaseModel):
    """A word of the text. `score` is null unless `state` is `counts`; below 0: men."""

    text: str
    state: Literal["counts", "stop word", "not in the lexicon", "no word"]
    score: float | None

    @property
    def width(self) -> int:
        """Return the length of its bar, from 0 to 48."""
        return round(48 * abs(self.score or 0.0))


class ScoredText(BaseModel):
    """A text with its mean genderedness over `n` words; null if none counts."""

    lexicon: str
    digest: str
    genderedness: float | None
    n: int
    words: Sequence[ScoredWord]


class ReadGender(BaseModel):
    """Grammatical gender of a text by the rules of a language."""

    language: str
    rules: str
    cue: Cue
    cls: str
    rule: str
    witnesses: Sequence[Witness]
    pieces: Sequence[Piece] = Field(exclude=True)


class QueryPage(Described):
    """A text scored by a lexicon and read by rules."""

    text: str
    lexicons: Sequence[str]
    lexicon: str
    languages: Sequence[tuple[str, str]]
    """(code, name)."""
    language: str
    """Whose rules read the text; empty for none."""
    cue: str
    scored: ScoredText | None
    """Null without a text, and for one in another language than the lexicon."""
    heard: ReadGender | None
    """Null without a text or a language."""


@serve_page(router, "/query", "query.html", Permission.NUMBERS)
def query(
    site: TheSite, who: Who, text: Annotated[str, Query(max_length=LONGEST)] = "",
    lexicon: Name = "", language: Annotated[str, Query(max_length=20)] = "",
    cue: Cue | Literal[""] = "",
) -> QueryPage:  # fmt: skip
    """Return genderedness of each word of a text, and the words that decide its gender."""
    languages = registry.discover("languages")
    if language and language not in languages:
        raise InvalidInput(f"language {language!r}: known are {', '.join(languages)}")
    books = _list_lexicons(site, who)
    lexicon_name = lexicon or books[0]
    if lexicon_name not in books:
        raise InvalidInput(
            f"lexicon {lexicon_name!r} is not installed; there are {', '.join(books)}"
        )
    scored = heard = None
    if text.strip():
        words = "too many texts are looked into; try again in some seconds"
        with hold_turn(_turns, _PATIENCE, Busy(words, _AGAIN)):
            book = _find_lexicon(lexicon_name, site)
            scored = _score_text(text, book) if language in ("", primary(book.language)) else None
            heard = _read_gender(text, language, cue) if language else None
    return QueryPage(
        text=text, lexicons=books, lexicon=lexicon_name,
        languages=[(code, rules.name) for code, rules in languages.items()], language=language,
        cue=cue, scored=scored, heard=heard,
    )  # fmt: skip


# --- by a lexicon ---------------------------------------------------------------------------------


def _list_lexicons(site: Site, who: Visitor) -> list[str]:
    """Return the lexicons that a visitor may use; installed ones need a permission."""
    return installed.installed_lexicons(site.home if who.may(Permission.EMBARGOED) else None)


def _find_lexicon(name: str, site: Site) -> Lexicon:
    """Return a lexicon; built-in ones and the last used stay in memory."""
    if name in installed.built_in():
        return installed.find(name, None)
    path = installed.lexicon_path(name, site.home)
    try:
        status = path.stat()
        with _loading:
            return _load_lexicon(str(path), status.st_mtime_ns, status.st_size)
    except (OSError, InvalidInput) as error:  # both name a path of this machine
        log.warning("lexicon %s cannot be read: %s", name, error)
        raise InvalidInput(
            f"lexicon {name!r} cannot be read now; the log of monitor serve says why"
        ) from error


@lru_cache(maxsize=_LEXICONS)
def _load_lexicon(path: str, _changed: int, _size: int) -> Lexicon:
    return load_lexicon(Path(path))


def _score_text(text: str, book: Lexicon) -> ScoredText:
    """Return a text scored as GSR scores queries; the mean exists for English only."""
    words = tokens(text)
    scores = [float(score) for score in usable_scores(words, book)] if words else []
    mean = float(query_genderedness([text], book)[0])
    is_english = primary(book.language) == "en"
    return ScoredText(
        lexicon=book.name, digest=book.digest,
        genderedness=None if math.isnan(mean) or not is_english else mean,
        n=sum(math.isfinite(score) for score in scores),
        words=[_score_word(word, score) for word, score in zip(words, scores, strict=True)],
    )  # fmt: skip


def _score_word(text: str, score: float) -> ScoredWord:
    if math.isfinite(score):
        return ScoredWord(text=text, state="counts", score=score)
    if not is_word(text):
        return ScoredWord(text=text, state="no word", score=None)
    return ScoredWord(
        text=text, state="stop word" if text in STOP else "not in the lexicon", score=None
    )


# --- by the rules of a language -------------------------------------------------------------------


def _read_gender(text: str, code: str, cue: Cue | Literal[""]) -> ReadGender:
    """Return the gender of a text; the default cue is agreement, or the only one there is."""
    rules = registry.known_language(code)
    chosen_cue = cue or (Cue.AGREEMENT if Cue.AGREEMENT in rules.cues else min(rules.cues))
    if chosen_cue not in rules.cues:
        cues = ", ".join(sorted(rules.cues))
        raise InvalidInput(f"{rules.name} is not read for {chosen_cue!r}; known: {cues}")
    signal = rules.signal(text, Cue(chosen_cue))
    return ReadGender(
        language=rules.name, rules=f"{code}@{rules.version}", cue=Cue(chosen_cue), cls=signal.cls,
        rule=signal.rule, witnesses=signal.witnesses,
        pieces=pieces(text, list(map(asdict, signal.witnesses)), LONGEST),
    )  # fmt: skip
