"""A series to take away: its ticks as CSV, its chart as a picture."""

from dataclasses import fields
from datetime import UTC, datetime
from threading import Lock

from fastapi import Depends
from fastapi.responses import Response

from monitor.roles import Permission
from monitor.stages._report_text import visible
from monitor.stages.engine_titles import known_engines
from monitor.store.database import Connection
from monitor.store.series import Tick
from monitor.web.site import _chart_series, _download, _series_read
from monitor.web.site._about import about
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import Number, Signature
from monitor.web.site._kept import Kept
from monitor.web.site._one import alone
from monitor.web.site._routes import pages
from monitor.web.site._series import seen
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
        ticks = _series_read.read(connection, seen(connection, who, number), signature).ticks
    names = [one.name for one in fields(Tick)]
    rows = ([_cell(getattr(tick, name)) for name in names] for tick in ticks)
    return _download.csv(site, [names, *rows], f"series-{number}")


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    return visible(value) if isinstance(value, str) else value


@router.get("/series/{number}.png", include_in_schema=False, dependencies=_numbers)
def series_png(number: Number, site: TheSite, who: Who, signature: Signature = "") -> Response:
    """The chart as a picture, in the colours of daylight, with what it is about above it."""
    with site.database.read() as connection:
        painted = _kept.get(
            connection, who, (number, signature),
            lambda: _painted(_svg(connection, site, who, (number, signature))),
        )  # fmt: skip
    return _download.file(painted, f"series-{number}.png", "image/png")


def _svg(connection: Connection, site: Site, who: Visitor, asked: tuple[int, str]) -> str:
    """The chart by itself. Raises Missing where there is no value to draw."""
    known = _series_read.read(connection, seen(connection, who, asked[0]), asked[1])
    it = about(known.series, known_engines(connection))
    under = (
        f"{'INVENTED DATA; ' if site.is_invented().jobs else ''}"
        f"{it.quantity_title or it.quantity}; list {it.list}, {it.measure}; series {it.number}, "
        f"signature {known.signature[:12]}; 95 % intervals"
    )
    drawn = _chart_series.picture(known.drawn(it, site.zone), under)
    if not drawn:
        raise Missing(f"series {asked[0]} has no value to draw")
    return drawn


def _painted(svg: str) -> bytes:
    import vl_convert  # noqa: PLC0415 - slow to load, and only pictures need it

    with alone(_painting, "picture"):
        return bytes(vl_convert.svg_to_png(svg, scale=_SHARPNESS))
