"""The Atom feed of confirmed events (RFC 4287): what changed, for feed readers and newsrooms."""

from collections.abc import Iterable
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from fastapi import Depends, Request
from fastapi.responses import Response

from monitor.change import Status
from monitor.roles import Permission
from monitor.stages._report_text import visible
from monitor.stages.change_events import ChangeEvent
from monitor.stages.engine_titles import known_engines
from monitor.web.site._routes import pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Who, needs
from monitor.web.site.changes import read_events

router = pages("changes")

PATH = "/changes.atom"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_MOST = 50


@router.get(PATH, include_in_schema=False, dependencies=[Depends(needs(Permission.NUMBERS))])
def feed(request: Request, site: TheSite, who: Who) -> Response:
    """Confirmed events, the newest first; each has the permanent address of its claim."""
    with site.database.read() as connection:
        events = read_events(connection, who, known_engines(connection))
    confirmed = [event for event in events if event.status is Status.CONFIRMED][:_MOST]
    address = str(request.base_url).rstrip("/")
    invented = site.is_invented().sentence(names_jobs=False)
    content = _atom(address, confirmed, site.now(), invented)
    return Response(content, media_type="application/atom+xml; charset=utf-8")


def _atom(address: str, events: Iterable[ChangeEvent], now: datetime, invented: str) -> bytes:
    """Return the feed; `invented` stands in every entry where data are made up."""
    root = ET.Element("feed", {"xmlns": _NAMESPACE})
    entries = list(events)
    _add(root, "title", "monitor: confirmed changes")
    _add(root, "id", f"{address}{PATH}")
    _add(root, "updated", _moment(max((one.detected_at for one in entries), default=now)))
    _add(_add(root, "author"), "name", "monitor")
    _add(root, "link", rel="self", href=f"{address}{PATH}")
    _add(root, "link", rel="alternate", href=f"{address}/changes")
    for event in entries:
        entry = _add(root, "entry")
        place = f"{address}/changes/{event.number}"
        said = (event.leading.said, event.leading.said_effect, f"Cause: {event.cause}", invented)
        _add(entry, "title", f"{event.headline} ({event.asked_in})")
        _add(entry, "id", place)
        _add(entry, "link", rel="alternate", href=place)
        _add(entry, "published", _moment(event.detected_at))
        _add(entry, "updated", _moment(event.detected_at))
        _add(entry, "summary", ". ".join(filter(None, said)))
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _add(parent: ET.Element, name: str, words: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, name, attributes)
    element.text = visible(words) or None
    return element


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
