"""Looks into a text: the genderedness under each word, and the words that decide its gender.

Nothing is asked and nothing is kept: a lexicon and the rules of a language say it all. Beside it
stand the queries of the newest run, as they were measured.
"""

import logging
import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from monitor import registry
from monitor.lexicons import installed
from monitor.lexicons.lexicon import Lexicon, load
from monitor.model import Cue, InvalidInput, State, primary
from monitor.ranked.genderedness import query_genderedness, usable_scores
from monitor.roles import Permission
from monitor.stages import _report_words
from monitor.stages._report_text import Piece
from monitor.stages.weekly import names
from monitor.store.database import Connection
from monitor.store.reports import topic_values
from monitor.text.stopwords import STOP
from monitor.text.tokens import is_word, tokens
from monitor.web.site._errors import Busy
from monitor.web.site._inputs import PageNumber
from monitor.web.site._kept import Kept
from monitor.web.site._one import turn
from monitor.web.site._routes import page, pages
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who

log = logging.getLogger(__name__)
router = pages("query")

LONGEST = 2_000
#: Texts that are looked into at the same time, and seconds that others wait for their turn.
_AT_ONCE, _PATIENCE, _AGAIN = 2, 3.0, 3
#: Lexicons of one's own that are held in memory.
_LEXICONS = 2
_SIZE = 50

_turns = BoundedSemaphore(_AT_ONCE)
_loading = Lock()
_kept = Kept(most=64)

Name = Annotated[str, Query(max_length=200)]


class Word(BaseModel):
    """A word of the text. `score` is null unless `state` is `counts`; below 0 is towards men."""

    text: str
    state: Literal["counts", "stop word", "not in the lexicon", "no word"]
    score: float | None

    @property
    def width(self) -> int:
        """Length of its bar, from 0 to 48."""
        return round(48 * abs(self.score or 0.0))


class Scored(BaseModel):
    """A text by a lexicon. `genderedness` is the mean over `n` words, null where none counts."""

    lexicon: str
    digest: str
    genderedness: float | None
    n: int
    words: Sequence[Word]


class Decided(BaseModel):
    """A word that decided."""

    text: str
    start: int
    end: int
    gender: str
    rule: str


class Heard(BaseModel):
    """What the rules of a language find in a text."""

    language: str
    rules: str
    cue: Cue
    cls: str
    rule: str
    witnesses: Sequence[Decided]
    pieces: Sequence[Piece] = Field(exclude=True)


class Asked(BaseModel):
    """A query of a run: its own genderedness `x`, and `value`, that of the list it was given."""

    key: str
    text: str
    state: State
    reason: str
    x: float | None
    value: float | None


class Recent(BaseModel):
    """Queries of the newest run of a system; those most towards women first."""

    series: int
    run: int
    job: str
    due_at: datetime
    system: str
    engine: str
    target: str
    list: str
    measure: str
    lexicon: str
    queries: Sequence[Asked]
    has_more: bool


class QueryPage(BaseModel):
    """A text as lexicon and rules see it, and recent queries."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    text: str
    lexicons: Sequence[str]
    lexicon: str
    languages: Sequence[tuple[str, str]]
    """(code, name)."""
    language: str
    """Whose rules read the text; empty for none."""
    cue: str
    scored: Scored | None
    """Null without a text, and for one in another language than the lexicon."""
    heard: Heard | None
    """Null without a text or a language."""
    page: int
    recent: Recent | None
    """Null where no run that may be seen measures the genderedness of queries."""


@page(router, "/query", "query.html", Permission.NUMBERS)
def query(
    site: TheSite, who: Who, text: Annotated[str, Query(max_length=LONGEST)] = "",
    lexicon: Name = "", language: Annotated[str, Query(max_length=20)] = "",
    cue: Cue | Literal[""] = "", page: PageNumber = 1,
) -> QueryPage:  # fmt: skip
    """The genderedness under each word of a text, and the words that decide its gender."""
    languages = registry.discover("languages")
    if language and language not in languages:
        raise InvalidInput(f"language {language!r}: known are {', '.join(languages)}")
    books = _books(site, who)
    chosen = lexicon or books[0]
    if chosen not in books:
        raise InvalidInput(f"lexicon {chosen!r} is not installed; there are {', '.join(books)}")
    scored = heard = None
    if text.strip():
        with _turn():
            book = _book(chosen, site)
            scored = _scored(text, book) if language in ("", primary(book.language)) else None
            heard = _heard(text, language, cue) if language else None
    with site.database.read() as connection:
        recent = _kept.get(connection, who, page, lambda: _recent(connection, who, page))
    return QueryPage(
        text=text, lexicons=books, lexicon=chosen,
        languages=[(code, one.name) for code, one in languages.items()], language=language,
        cue=cue, scored=scored, heard=heard, page=page, recent=recent,
    )  # fmt: skip


def _turn() -> AbstractContextManager[None]:
    """So few at a time that those who only read pages notice nothing. Raises Busy."""
    words = "too many texts are looked into; try again in some seconds"
    return turn(_turns, _PATIENCE, Busy(words, _AGAIN))


# --- by a lexicon ---------------------------------------------------------------------------------


def _books(site: Site, who: Visitor) -> list[str]:
    """Lexicons that a visitor may use: those of one's own can be under embargo, or private."""
    return installed.installed(site.home if who.may(Permission.EMBARGOED) else None)


def _book(name: str, site: Site) -> Lexicon:
    """A lexicon, read once. The program's own stay in memory, of the others the last used."""
    if name in installed.built_in():
        return installed.find(name, None)
    path = installed.lexicon_path(name, site.home)
    try:
        known = path.stat()
        with _loading:
            return _own(str(path), known.st_mtime_ns, known.st_size)
    except (OSError, InvalidInput) as error:  # both name a path of this machine
        log.warning("lexicon %s cannot be read: %s", name, error)
        raise InvalidInput(
            f"lexicon {name!r} cannot be read now; the log of monitor serve says why"
        ) from error


@lru_cache(maxsize=_LEXICONS)
def _own(path: str, _changed: int, _size: int) -> Lexicon:
    return load(Path(path))


def _scored(text: str, book: Lexicon) -> Scored:
    """As GSR reads queries; without a mean where its stop words are those of another language."""
    found = tokens(text)
    scores = [float(score) for score in usable_scores(found, book)] if found else []
    mean = float(query_genderedness([text], book)[0])
    is_english = primary(book.language) == "en"
    return Scored(
        lexicon=book.name, digest=book.digest,
        genderedness=None if math.isnan(mean) or not is_english else mean,
        n=sum(math.isfinite(score) for score in scores),
        words=[_word(word, score) for word, score in zip(found, scores, strict=True)],
    )  # fmt: skip


def _word(text: str, score: float) -> Word:
    if math.isfinite(score):
        return Word(text=text, state="counts", score=score)
    if not is_word(text):
        return Word(text=text, state="no word", score=None)
    return Word(text=text, state="stop word" if text in STOP else "not in the lexicon", score=None)


# --- by the rules of a language -------------------------------------------------------------------


def _heard(text: str, code: str, cue: Cue | Literal[""]) -> Heard:
    """What a language finds; agreement, or the only cue that it has, where none is named."""
    one = registry.known_language(code)
    chosen = cue or (Cue.AGREEMENT if Cue.AGREEMENT in one.cues else min(one.cues))
    if chosen not in one.cues:
        known = ", ".join(sorted(one.cues))
        raise InvalidInput(f"{one.name} is not read for {chosen!r}; known: {known}")
    signal = one.signal(text, Cue(chosen))
    return Heard(
        language=one.name, rules=f"{code}@{one.version}", cue=Cue(chosen), cls=signal.cls,
        rule=signal.rule, witnesses=[Decided(**asdict(word)) for word in signal.witnesses],
        pieces=_pieces(text, sorted((w.start, w.end, w.gender) for w in signal.witnesses)),
    )  # fmt: skip


def _pieces(text: str, marked: Sequence[tuple[int, int, str]]) -> list[Piece]:
    """The whole text cut at its witnesses."""
    found, at = [], 0
    for start, end, gender in marked:
        if at <= start < end <= len(text):
            found += [Piece(text[at:start]), Piece(text[start:end], gender)]
            at = end
    return [piece for piece in (*found, Piece(text[at:])) if piece.text]


# --- of the archive -------------------------------------------------------------------------------


def _recent(connection: Connection, who: Visitor, page: int) -> Recent | None:
    """Queries of the newest point over queries that the visitor may see."""
    one = next(iter(topic_values.find_newest(connection, who.hidden, ["gsr"])), None)
    if one is None:
        return None
    found = topic_values.read_query_values(connection, one, page, _SIZE)
    row = {
        "engine": one.engine, "source_lang": one.source_lang, "target": one.target,
        "kind": one.kind,
    }  # fmt: skip
    return Recent(
        series=one.series, run=one.run, job=one.job, due_at=one.due_at, system=names.system(row),
        engine=one.engine, target=one.target, list=one.list, measure=one.measure,
        lexicon=_report_words.named(one.measure).lexicon or installed.built_in()[0],
        queries=[Asked(**row._asdict()) for row in found[:_SIZE]], has_more=len(found) > _SIZE,
    )  # fmt: skip
