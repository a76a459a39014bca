"""The texts that a run read which asked nothing: each leads to the answer that it stood in."""

from collections.abc import Sequence

from pydantic import BaseModel

from monitor.roles import Permission
from monitor.web.site import _run_rows
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import Number, PageNumber
from monitor.web.site._routes import page, pages
from monitor.web.site._run_rows import RunRow
from monitor.web.site._run_texts import ReadText, TextRow, read_texts, text_rows
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Who

router = pages("runs")

_SIZE = 50


class TextList(BaseModel):
    """The texts of one corpus of a run, one page of them."""

    run: RunRow
    corpus: ReadText
    is_partial: bool
    texts: Sequence[TextRow]
    page: int
    has_more: bool


@page(router, "/runs/{number}/texts/{corpus}", "texts.html", Permission.NUMBERS)
def texts(
    number: Number, corpus: Number, site: TheSite, who: Who, page: PageNumber = 1
) -> TextList:
    """The texts that a run has read of one system."""
    with site.database.read() as connection:
        row = _run_rows.row(connection, who, _run_rows.found(connection, who, number))
        known = {one.corpus: one for one in read_texts(connection, who, number)}
        if corpus not in known:
            raise Missing(f"run {number} has read no texts {corpus} that can be shown here")
        part = (page - 1) * _SIZE + 1, page * _SIZE
        found = text_rows(connection, site.database, who, known[corpus], part)
    return TextList(
        run=row, corpus=known[corpus], is_partial=not who.may(Permission.CAPTURED), texts=found,
        page=page, has_more=part[1] < known[corpus].documents,
    )  # fmt: skip
