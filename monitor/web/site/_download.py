"""Files that pages offer: CSV in which no cell is a formula, answers in which nothing runs."""

import io
import re
from collections.abc import Iterable, Sequence

from fastapi.responses import Response

from monitor.labels.sheets import RowWriter
from monitor.text.cells import inert
from monitor.web.site._site import Site

#: Whatever it is, it is shown by no program in our name: no script, no frame, no other type.
SHUT = "default-src 'none'; sandbox; frame-ancestors 'none'"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


def csv(site: Site, rows: Iterable[Sequence[object]], name: str) -> Response:
    """A table as a file, its first row the names of the columns; absent values are empty cells.

    Where data of the archive are invented a last column says so in every row.
    """
    text = io.StringIO(newline="")
    marked = site.is_invented().marked(rows)
    RowWriter(text).rows([_cell(cell) for cell in row] for row in marked)
    return file(text.getvalue().encode(), f"{name}.csv", "text/csv; charset=utf-8")


def _cell(value: object) -> str:
    """A number is left as it is: a minus sign before one makes no formula."""
    if value is None:
        return ""
    return inert(value) if isinstance(value, str) else str(value)


def file(content: bytes, name: str, content_type: str) -> Response:
    """A file to save; browsers do not open it."""
    return Response(
        content,
        media_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{_NOT_IN_NAMES.sub("-", name)}"',
            "Content-Security-Policy": SHUT,
        },
    )
