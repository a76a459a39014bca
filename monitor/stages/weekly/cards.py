"""Cards of page one: what changed in one system, and what that rests on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from monitor.model import Kind
from monitor.stages import claim
from monitor.stages.change_events import (
    OUR_CAUSES,
    ChangeEvent,
    EventChange,
    describe_events,
    say_asked_in,
)
from monitor.stages.claim_support import count_supports
from monitor.stages.document.records import (
    Badge,
    Card,
    Cell,
    Column,
    Group,
    Link,
    Sample,
    SampleAnswer,
    Table,
)
from monitor.stages.engine_titles import KnownEngine
from monitor.stages.event_details import EventDetails, Example, read_details
from monitor.stages.time_chart import draw_time_chart
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import Week
from monitor.store.changes.findings import ListedChange
from monitor.store.database import Connection
from monitor.text.dates import say_day, say_short_day
from monitor.text.quantity_values import say_change, say_change_interval

Row = dict[str, Any]

#: Changed answers that are looked through for a short example.
_LOOKED_THROUGH = slice(200)
#: Checks of an event that is not the first: whether it was repeated, and its cause.
_CHECKS = 2
_CHART_SIZE = (470, 250)


class DetailedEvent(NamedTuple):
    """An event with what its card shows."""

    event: ChangeEvent
    details: EventDetails


def events(week: Week, findings: Sequence[Row]) -> list[ChangeEvent]:
    """Return the events that these findings tell of, the newest first, those of our own last."""
    listed = [
        ListedChange(
            row["id"], **{name: row[name] for name in ListedChange.__slots__ if name != "change_id"}
        )
        for row in findings
    ]
    values = {row["id"]: (row["before"], row["after"]) for row in findings}
    engines = {
        row["engine"]: KnownEngine(Kind(row["engine_kind"]), week.engine_title(row["engine"]))
        for row in findings
    }
    described = describe_events(listed, values, engines)
    return sorted(described, key=lambda event: event.cause in OUR_CAUSES)


def content(event: ChangeEvent) -> Row:
    """Return an event for programs."""
    return {
        "job": event.job, "engine": event.engine, "system": event.system,
        "asked_in": event.asked_in, "headline": event.headline, "status": event.status,
        "cause": event.cause, "changed_at": event.changed_at, "detected_at": event.detected_at,
        "changes": [{"change_id": change.number} for change in event.changes],
    }  # fmt: skip


def detailed(connection: Connection, week: Week, event: ChangeEvent) -> DetailedEvent:
    """Return an event with what is stored of it until the end of the week.

    Results of search engines show people, and are not quoted.
    """
    card = claim.change_content(connection, event.number, week.zone, _LOOKED_THROUGH, week.until)
    is_quoted = event.kind is not Kind.SEARCH
    return DetailedEvent(
        event, read_details(connection, event, card, quotes=is_quoted, until=week.until)
    )


def card(
    week: Week,
    shown: DetailedEvent,
    address: str,
    name: str,
    *,
    is_first: bool,
    is_only: bool,
) -> Card:
    """Return the card of an event. `address` is that of our pages; `name` makes ids unique.

    Only the first has room for an example and for all checks. The headline of the only one is the
    title of the report.
    """
    event, details = shown
    leading = event.leading
    shown_in = say_asked_in([(leading.source_lang, leading.target)], event.kind)
    return Card(
        title=_where(event, week) if is_only else event.headline,
        under="" if is_only else _where(event, week),
        figures=_figures(event, details, week),
        chart_title=shown_in if shown_in != event.asked_in else "",
        svg=draw_time_chart(details.chart(event, week.zone), name, _CHART_SIZE),
        notes=[
            f"{say_asked_in([(change.source_lang, change.target)], event.kind)}: "
            f"{_say_size(change) or change.said}"
            for change in event.other_languages
        ],
        sample=_sample(details, details.example) if details.example and is_first else None,
        badges=[
            Badge(check.badge, check.holds)
            for check in details.supports[: None if is_first else _CHECKS]
        ],
        links=_links(event, count_supports(list(details.supports)), address),
    )


def _where(event: ChangeEvent, week: Week) -> str:
    """Return `English to Czech, since 23 March 2026 (confirmed 30 Mar)`."""
    confirmed = f" (confirmed {say_short_day(event.detected_at, week.zone)})"
    beside = "" if event.changed_at == event.detected_at else confirmed
    return f"{event.asked_in}, since {say_day(event.changed_at, week.zone)}{beside}"


def _figures(event: ChangeEvent, details: EventDetails, week: Week) -> Table:
    """Return the numbers of the chart before and after, and what they make together."""
    columns = [
        Column("", width=2.0),
        Column("before", is_number=True),
        Column(f"since {say_short_day(event.changed_at, week.zone)}", is_number=True),
    ]
    rows = [
        [Cell(figure.label), _value(figure.before), _value(figure.after)]
        for figure in details.figures
    ]
    if rows:  # the last one is the leading quantity
        rows[-1][-1] = replace(rows[-1][-1], under=_say_size(event.leading))
    caption = f"{details.axis[:1].upper()}{details.axis[1:]} …" if details.axis else ""
    return Table(caption if len(rows) > 1 else "", columns, [Group("", rows)])


def _say_size(change: EventChange) -> str:
    """Return `mean change +57 points (+37 to +77 points)`; empty where no interval is stored."""
    interval = say_change_interval(change.unit, change.low, change.high)
    if change.effect is None or not interval:
        return ""
    return f"mean change {say_change(change.unit, change.effect)} ({interval})"


def _value(text: str) -> Cell:
    return Cell(text) if text else Cell("not measured", is_missing=True)


def _sample(details: EventDetails, example: Example) -> Sample:
    n_changed, n_compared = details.n_changed, details.n_questions
    counted = f"{n_changed:,} of {n_compared:,} answers changed. One of them:"
    return Sample(
        title=counted if n_changed and n_compared else "One of the answers that changed:",
        question=example.question,
        language=example.target,
        answers=[
            SampleAnswer(label, answer.pieces, f"{answer.gender} form")
            for label, answer in (("before", example.before), ("now", example.after))
        ],
    )


def _links(event: ChangeEvent, checks: str, address: str) -> list[Link]:
    """Return where the event and its method are shown: pages, else the command and the appendix."""
    if not address:
        return [Link(f"{checks}: monitor series claim {event.number}"), Link("Method", "#methods")]
    return [
        Link(f"{checks} support this", f"{address}/changes/{event.number}"),
        Link("Method", f"{address}/methods/{names.family(event.leading.measure)}"),
    ]
