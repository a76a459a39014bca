"""The texts that a run read which asked nothing: each leads to the answer that it stood in."""

from collections.abc import Sequence

from pydantic import BaseModel

from monitor.roles import Permission
from monitor.web.site import _run_rows
from monitor.web.site._errors import Forbidden, Missing, Refused
from monitor.web.site._inputs import Number, PageNumber, Text
from monitor.web.site._routes import page, pages
from monitor.web.site._run_rows import RunRow
from monitor.web.site._run_texts import (
    SNIPPET,
    ReadText,
    TextRow,
    holding,
    read_texts,
    text_rows,
)
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("runs")

_SIZE = 50


class TextList(BaseModel):
    """The texts of one corpus of a run, one page of them.

    With a `word` those of its texts that hold it; `n` are all that fit, on whichever page.
    """

    run: RunRow
    corpus: ReadText
    is_partial: bool
    word: str
    texts: Sequence[TextRow]
    n: int
    page: int
    has_more: bool


@page(router, "/runs/{number}/texts/{corpus}", "texts.html", Permission.NUMBERS)
def texts(
    number: Number, corpus: Number, site: TheSite, who: Who, word: Text = "", page: PageNumber = 1
) -> TextList:
    """The texts that a run has read of one system, or those that hold a word."""
    word = word.strip().lower()
    with site.database.read() as connection:
        row = _run_rows.row(connection, who, _run_rows.found(connection, who, number))
        known = {one.corpus: one for one in read_texts(connection, who, number)}
        if corpus not in known:
            raise Missing(f"run {number} has read no texts {corpus} that can be shown here")
        of, part = known[corpus], ((page - 1) * _SIZE + 1, page * _SIZE)
        if word:
            _refuse(who, of)
            found, n = holding(connection, site.database, who, of, word, part)
        else:
            found, n = text_rows(connection, site.database, who, of, part), of.documents
    return TextList(
        run=row, corpus=of, is_partial=not who.may(Permission.CAPTURED), word=word, texts=found,
        n=n, page=page, has_more=part[1] < n,
    )  # fmt: skip


def _refuse(who: Visitor, of: ReadText) -> None:
    """Raise where no texts can be told by a word; which hold one is captured content itself."""
    if not who.may(Permission.CAPTURED):
        raise Forbidden("which texts hold a word is shown to users of this archive only")
    if of.text != SNIPPET:
        raise Refused("pages behind results cannot be looked through for a word here")
