"""From a visit to an answer: the outcome, and all that was seen."""

from dataclasses import replace
from datetime import datetime
from time import monotonic

import httpx

from monitor.fetch import _browser_faults as faults
from monitor.fetch._browser_visit import Visit
from monitor.fetch._browser_watch import MOST_NAVIGATIONS, Document
from monitor.fetch.received import Got, Started, complete
from monitor.model import Answer, Outcome, Reason, storable

_PAGES = ("text/html", "application/xhtml+xml")
#: What the answer is judged by instead of its kind: its engine knows the status.
_FIRST_ERROR = 400
_NO_CONTENT = (204, 205)
_WEB = ("http:", "https:")
#: A page that sends its reader on and on, as a loop of redirections does.
_CIRCLE = "navigations"


def answer(visit: Visit, at: datetime) -> Answer:
    """The answer that a visit has led to; how long it took is for the caller to say."""
    document = visit.document if visit.dom.html else visit.watch.document
    whole = _received(document, visit.dom.html, at)
    found = replace(
        whole,
        url=storable(visit.dom.url),
        screenshot=visit.screenshot,
        agent=visit.opened.agent,
        observed=_observed(visit),
    )
    if found.outcome is not Outcome.OK:
        return found
    outcome, reason, detail = _verdict(visit, document)
    return replace(found, outcome=outcome, reason=reason, detail=detail)


def _received(document: Document, body: bytes, at: datetime) -> Answer:
    """As `received` makes it of any other answer: private headers dropped, stale ones told."""
    started = Started(at, monotonic())
    if document.status is None:
        return Answer(Outcome.OK, at, 0.0, body=body)
    headers = [
        (name.encode("utf-8", "replace"), text.encode("utf-8", "replace"))
        for name, text in document.headers
    ]
    request = httpx.Request("GET", "http://localhost")  # the address is the document's own
    response = httpx.Response(document.status, headers=headers, request=request)
    return complete(started, Got(body, response))


def _verdict(visit: Visit, document: Document) -> tuple[Outcome, Reason, str]:
    for judge in (_cut, _unopened, _unfinished, _unfit):
        found = judge(visit, document)
        if found is not None:
            return found
    return Outcome.OK, Reason.NONE, ""


def _cut(visit: Visit, _document: Document) -> tuple[Outcome, Reason, str] | None:
    """It is longer than a document may be, as it came or as its scripts have made it."""
    if visit.watch.over == "document" or visit.dom.cut:
        detail = f"cut at {visit.way.most_bytes:,} bytes"
        return Outcome.UNREADABLE, Reason.OVERSIZE, detail
    return None


def _unopened(visit: Visit, document: Document) -> tuple[Outcome, Reason, str] | None:
    """The browser showed nothing."""
    kind = document.kind or "unknown"
    if visit.download:
        return Outcome.UNREADABLE, Reason.MALFORMED, f"a download ({kind}) in the place of a page"
    if document.status in _NO_CONTENT:
        return Outcome.OK, Reason.NONE, ""
    name = faults.named(visit.refused)
    if name:
        return *faults.consequence(name), name
    if visit.watch.unreachable:
        name = document.failure or "ERR_FAILED"
        return *faults.consequence(name), name
    return None


def _unfinished(visit: Visit, document: Document) -> tuple[Outcome, Reason, str] | None:
    """The document is not all of it."""
    watch, way = visit.watch, visit.way
    if watch.over == _CIRCLE:
        detail = f"it went on to another page more than {MOST_NAVIGATIONS} times"
        return Outcome.FAILED, Reason.REFUSED, detail
    if visit.late and not watch.shown:
        return Outcome.TIMEOUT, Reason.NONE, f"no page within {way.seconds:g} s"
    if document.failure and not watch.over:
        return *faults.consequence(document.failure), document.failure
    if visit.late or visit.stuck:
        what = "its scripts left no time to read it" if visit.stuck else "not whole"
        return Outcome.TIMEOUT, Reason.NONE, f"{what} within {way.seconds:g} s"
    if not visit.dom.html:
        return Outcome.FAILED, Reason.TRUNCATED, "it went on to other pages while it was read"
    return None


def _unfit(visit: Visit, document: Document) -> tuple[Outcome, Reason, str] | None:
    """What is shown is no page of the web."""
    if not visit.dom.url.startswith(_WEB):
        detail = f"it went on to {visit.dom.url[:80]!r}"
        return Outcome.UNREADABLE, Reason.MALFORMED, detail
    if visit.dom.kind not in _PAGES and (document.status or 0) < _FIRST_ERROR:
        detail = f"{visit.dom.kind[:80]!r} in the place of a page"
        return Outcome.UNREADABLE, Reason.MALFORMED, detail
    return None


def _observed(visit: Visit) -> tuple[tuple[str, str], ...]:
    watch, region = visit.watch, visit.request.region
    facts = {
        "bytes": str(watch.bytes),
        "consent": ", ".join(visit.consents) or "none",
        "dialogs": str(watch.dialogs),
        "downloads": str(watch.downloads),
        "lang": storable(visit.dom.lang),
        "loaded": "yes" if watch.loaded else "no",
        "navigations": str(watch.navigations),
        "popups": str(watch.popups),
        "redirects": str(watch.redirects),
        "requests": str(watch.requests),
        "screenshot": "yes" if visit.screenshot else "no",
        "stopped": watch.over or ("scripts" if visit.stuck else "no"),
        "viewport": f"{region.width}x{region.height}",
    }
    return tuple(sorted(facts.items()))
