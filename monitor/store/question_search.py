"""Questions by words in them, with the newest answer of each system that may be seen."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from monitor.store.hidden import Hidden
from monitor.store.schema import attempts, engines, probes
from monitor.store.selectables import TARGET


class AnsweredQuestion(NamedTuple):
    """A question, whom it was put to, and the number of the newest answer."""

    text: str
    source_lang: str
    target: str
    engine: str
    attempt: int


def find_questions(
    connection: sa.Connection, hidden: Hidden, words: Sequence[str], limit: int
) -> list[AnsweredQuestion]:
    """Return questions that contain all of these words, in order of their text; case is ignored."""
    has_words = [probes.c.text.icontains(word, autoescape=True) for word in words]
    newest = sa.func.max(attempts.c.id).label("attempt")
    query = (
        sa.select(probes.c.text, probes.c.source_lang, TARGET, engines.c.name, newest)
        .join(attempts, attempts.c.probe_id == probes.c.id)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .where(
            attempts.c.final,
            hidden.runs_shown(attempts.c.run_id),
            hidden.answers_shown(attempts.c.engine_id, TARGET),
            *has_words,
        )
        .group_by(probes.c.id, probes.c.text, probes.c.source_lang, TARGET, engines.c.name)
        .order_by(probes.c.text, engines.c.name, TARGET)
        .limit(limit)
    )
    return [AnsweredQuestion(*row) for row in connection.execute(query)]
