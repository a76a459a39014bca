"""A series to take away: its ticks as CSV, its chart as a picture."""

from dataclasses import fields
from datetime import UTC, datetime
from threading import Lock

from fastapi import Depends, Request
from fastapi.responses import Response

from monitor.roles import Permission
from monitor.stages._report_text import visible
from monitor.stages.engine_titles import known_engines
from monitor.stages.release import LICENCE
from monitor.stages.time_chart import draw_saved_chart
from monitor.stages.weekly.names import subject_columns
from monitor.store.changes.series import GridTick, as_row
from monitor.store.database import Connection
from monitor.text.dates import say_day
from monitor.web.site import _download, _series_history
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import Number, Signature
from monitor.web.site._kept import Kept
from monitor.web.site._one import alone
from monitor.web.site._routes import pages
from monitor.web.site._series import about, described, seen
from monitor.web.site._site import Site, TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("series")

#: Pixels of the picture per unit of the drawing.
_SHARPNESS = 2.0

_kept = Kept(most=64)
_painting = Lock()

_numbers = [Depends(needs(Permission.NUMBERS))]


@router.get("/series/{number}.csv", include_in_schema=False, dependencies=_numbers)
def series_csv(number: Number, site: TheSite, who: Who, signature: Signature = "") -> Response:
    """Every due tick, the oldest first, with the columns of `monitor series show --csv`."""
    with site.database.read() as connection:
        history = _series_history.read(connection, seen(connection, who, number), signature)
        subject = subject_columns(described(history.series, known_engines(connection)))
    columns = [*(one.name for one in fields(GridTick)), *subject]
    rows = ([_cell(cell) for cell in (as_row(tick) | subject).values()] for tick in history.ticks)
    return _download.csv(site, [columns, *rows], f"series-{number}")


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    return visible(value) if isinstance(value, str) else value


@router.get("/series/{number}.png", include_in_schema=False, dependencies=_numbers)
def series_png(
    request: Request, number: Number, site: TheSite, who: Who, signature: Signature = ""
) -> Response:
    """The chart as a picture, in the colours of daylight, with title, source and licence."""
    address = str(request.url_for("one_series_page", number=number))
    with site.database.read() as connection:
        painted = _kept.get(
            connection, who, (number, signature, address),
            lambda: _painted(_svg(connection, site, who, (number, signature), address)),
        )  # fmt: skip
    return _download.file(painted, f"series-{number}.png", "image/png")


def _svg(
    connection: Connection, site: Site, who: Visitor, asked: tuple[int, str], address: str
) -> str:
    """The chart by itself. Raises Missing where there is no value to draw."""
    history = _series_history.read(connection, seen(connection, who, asked[0]), asked[1])
    it = about(history.series, known_engines(connection))
    invented = "INVENTED DATA. " if site.is_invented().jobs else ""
    newest = say_day(history.ticks[-1].due_at, site.zone) if history.ticks else ""
    source = f"{it.quantity} of list {it.list}, {it.measure}, method {history.signature[:12]}"
    notes = [
        f"{invented}Values with 95 % intervals until {newest}. Source: {source}.",
        f"{address}  Data: {LICENCE}",
    ]
    svg = draw_saved_chart(history.chart(it, site.zone), notes)
    if not svg:
        raise Missing(f"series {asked[0]} has no value to draw")
    return svg


def _painted(svg: str) -> bytes:
    import vl_convert  # noqa: PLC0415 - slow to load, and only pictures need it

    with alone(_painting, "picture"):
        return bytes(vl_convert.svg_to_png(svg, scale=_SHARPNESS))
