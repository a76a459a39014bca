"""Texts that a run without questions has read, with marked words, of systems that may be seen."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache

from pydantic import BaseModel, Field

from monitor.corpus.concepts import default_concepts
from monitor.model import GenderClass
from monitor.names import parse_name
from monitor.roles import Permission
from monitor.stages.document.notation import Piece, pieces
from monitor.store.database import Connection, Database
from monitor.store.derive import corpora
from monitor.web.site.records import copy_record
from monitor.web.site.visitors import Visitor

#: As `monitor.text.tokens` finds them, with their places.
_TOKEN = re.compile(r"[^\W_]+")
#: How the word itself is marked.
_WORD = "word"


def mark_words(text: str, word: str) -> list[Piece]:
    """Return a text in pieces, cut at a word and at words for women and men."""
    if not word:
        return pieces(text, ())
    classes = {**_read_concepts(), word: _WORD}
    words = (
        (match.start(), match.end(), classes.get(match[0].lower()))
        for match in _TOKEN.finditer(text)
    )
    return pieces(text, [
        {"start": start, "end": end, "gender": gender} for start, end, gender in words if gender
    ])  # fmt: skip


@cache
def _read_concepts() -> Mapping[str, str]:
    listed = default_concepts()
    return dict.fromkeys(listed.women, GenderClass.FEMININE) | dict.fromkeys(
        listed.men, GenderClass.MASCULINE
    )


SNIPPET = "snippet"


class ReadText(BaseModel):
    """The texts of one system in a period, each once for each question.

    `repeats` are texts that stood there again, `missing` results without a text. `runs` were read.
    """

    corpus: int
    engine: str
    source_lang: str
    target: str
    text: str
    period: str
    begins_at: datetime
    ends_at: datetime
    runs: Sequence[int]
    answers: int
    documents: int
    repeats: int
    missing: int
    reason: str


class TextRow(BaseModel):
    """A text at its first occurrence: an answer to a question, and the rank in it.

    `text` is null where there is none any more, and for those who may not see captured pages. Of
    pages behind results it is their address.
    """

    attempt: int
    rank: int
    repeats: int
    question: str
    text: str | None
    pieces: Sequence[Piece] = Field(exclude=True)


def read_texts(connection: Connection, who: Visitor, number: int) -> list[ReadText]:
    """Return the corpora of a run that the visitor may see."""
    return [
        copy_record(
            ReadText,
            listed.corpus,
            corpus=listed.corpus.id,
            engine=listed.engine,
            target=listed.corpus.region,
            period=str(listed.corpus.query["period"]),
            runs=[run for run in listed.runs if who.hidden.shows_run(run)],
        )
        for listed in corpora.list_corpora(connection, number)
        if who.hidden.shows_answers(listed.corpus.engine_id, listed.corpus.region)
    ]


def find_texts(
    connection: Connection,
    who: Visitor,
    run: int,
    engine_id: int,
    pair: tuple[str, str],
    measure: str,
) -> ReadText | None:
    """Return the corpus that a value is computed from; None if the run asked questions."""
    text = parse_name(measure).text or SNIPPET
    corpus = corpora.find_corpus(connection, run, engine_id, pair, text)
    if corpus is None:
        return None
    texts = read_texts(connection, who, run)
    return next((read_text for read_text in texts if read_text.corpus == corpus.id), None)


def list_texts(
    connection: Connection,
    database: Database,
    who: Visitor,
    of: ReadText,
    part: tuple[int, int],
    word: str = "",
) -> tuple[list[TextRow], int]:
    """Return the texts from one place to another, counted from 1, and the number of all of them.

    With a word only those that hold it are texts.
    """
    if word:
        fitting = list(corpora.read_documents(connection, database, of.corpus, {}, word=word))
        documents, n = fitting[part[0] - 1 : part[1]], len(fitting)
    else:
        documents = list(corpora.read_documents(connection, database, of.corpus, {}, part))
        n = of.documents
    questions = corpora.read_questions(connection, [placed.probe for placed in documents])
    rows = []
    for placed in documents:
        text = placed.document.text if of.text == SNIPPET else placed.document.key
        visible_text = text if who.may(Permission.CAPTURED) else None
        rows.append(copy_record(
            TextRow, placed, question=questions[placed.probe], text=visible_text,
            pieces=mark_words(visible_text or "", word),
        ))  # fmt: skip
    return rows, n
