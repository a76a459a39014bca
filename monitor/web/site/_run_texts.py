"""What a run that asks nothing has read: its corpora, of systems whose answers may be seen.

Of each corpus the texts, where somebody wants to see them.
"""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field

from monitor.roles import Permission
from monitor.stages import _report_words as words
from monitor.stages._report_text import Piece
from monitor.store.database import Connection, Database
from monitor.store.derive import corpora
from monitor.store.derive.corpora import CorpusText
from monitor.web.site._marked_words import marked
from monitor.web.site._visitor import Visitor

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
    """A text by where it stood first: an answer to a question, and the rank in it.

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
    """The corpora of a run."""
    return [
        ReadText(
            corpus=one.corpus.id, engine=one.engine,
            source_lang=one.corpus.source_lang, target=one.corpus.region,
            text=one.corpus.text, period=str(one.corpus.query["period"]),
            begins_at=one.corpus.begins_at, ends_at=one.corpus.ends_at,
            runs=[run for run in one.runs if who.hidden.shows_run(run)],
            answers=one.corpus.answers, documents=one.corpus.documents,
            repeats=one.corpus.repeats, missing=one.corpus.missing, reason=one.corpus.reason,
        )
        for one in corpora.list_corpora(connection, number)
        if who.hidden.shows_answers(one.corpus.engine_id, one.corpus.region)
    ]  # fmt: skip


def behind(
    connection: Connection,
    who: Visitor,
    run: int,
    engine_id: int,
    pair: tuple[str, str],
    measure: str,
) -> ReadText | None:
    """The corpus that a value of a measure is made of; None where the run asked by itself."""
    text = words.named(measure).text or SNIPPET
    one = corpora.find_corpus(connection, run, engine_id, pair, text)
    if one is None:
        return None
    return next(
        (known for known in read_texts(connection, who, run) if known.corpus == one.id), None
    )


def text_rows(
    connection: Connection, database: Database, who: Visitor, of: ReadText, part: tuple[int, int]
) -> list[TextRow]:
    """Texts of a corpus from one place to another, from 1."""
    found = list(corpora.read_documents(connection, database, of.corpus, {}, part))
    return _rows(connection, who, of, found, "")


def holding(
    connection: Connection,
    database: Database,
    who: Visitor,
    of: ReadText,
    word: str,
    part: tuple[int, int],
) -> tuple[list[TextRow], int]:
    """Titles and snippets with a word from one place to another, from 1, and how many there are."""
    found = list(corpora.read_documents(connection, database, of.corpus, {}, word=word))
    some = found[part[0] - 1 : part[1]]
    return _rows(connection, who, of, some, word), len(found)


def _rows(
    connection: Connection, who: Visitor, of: ReadText, found: Sequence[CorpusText], word: str
) -> list[TextRow]:
    asked = corpora.read_questions(connection, [one.probe for one in found])
    rows = []
    for one in found:
        text = one.document.text if of.text == SNIPPET else one.document.key
        shown = text if who.may(Permission.CAPTURED) else None
        rows.append(
            TextRow(
                attempt=one.attempt, rank=one.rank, repeats=one.repeats,
                question=asked[one.probe], text=shown, pieces=marked(shown or "", word),
            )
        )  # fmt: skip
    return rows
