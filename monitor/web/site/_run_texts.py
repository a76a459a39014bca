"""What a run that asks nothing has read: its corpora, of systems whose answers may be seen."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel

from monitor.store import corpora
from monitor.store.database import Connection
from monitor.web.site._visitor import Visitor


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
        for one in corpora.listed(connection, number)
        if who.hidden.shows_answers(one.corpus.engine_id, one.corpus.region)
    ]  # fmt: skip
