"""Cards of page one: what changed in one system, and what that rests on."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from monitor.model import Kind, QuantityUnit
from monitor.stages import claim
from monitor.stages.change_events import (
    ChangeEvent,
    EventChange,
    describe_event,
    group_findings,
    say_asked_in,
)
from monitor.stages.claim_support import count_supports
from monitor.stages.engine_titles import KnownEngine
from monitor.stages.event_details import EventDetails, Example, read_details
from monitor.stages.time_chart import Line, Marker, TimeChart, draw_time_chart
from monitor.stages.weekly.document import (
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
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.systems import PERCENT
from monitor.store.changes import Listed
from monitor.store.database import Connection
from monitor.text.dates import say_day, say_short_day
from monitor.text.quantity_values import axis_unit, say_value

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
    """Return the events that these findings tell of, the newest first."""
    listed = [
        Listed(row["id"], **{name: row[name] for name in Listed.__slots__ if name != "change_id"})
        for row in findings
    ]
    values = {row["id"]: (row["before"], row["after"]) for row in findings}
    engines = {
        row["engine"]: KnownEngine(Kind(row["engine_kind"]), week.engine_title(row["engine"]))
        for row in findings
    }
    return [describe_event(group, values, engines) for group in group_findings(listed)]


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


def card(week: Week, shown: DetailedEvent, address: str, name: str, *, is_first: bool) -> Card:
    """Return the card of an event. `address` is that of our pages; `name` makes ids unique.

    Only the first has room for an example and for all checks.
    """
    event, details = shown
    shared, names = _shared_words([course.label for course in details.courses])
    unit = axis_unit(details.quantity.meaning.unit)
    title = ", ".join(filter(None, (shared[:1].upper() + shared[1:], unit)))
    chart = TimeChart(
        title, details.quantity,
        [Line(own, course.ticks) for own, course in zip(names, details.courses, strict=True)],
        week.zone,
        [Marker(event.changed_at, f"{say_short_day(event.changed_at, week.zone)}: changed", True)],
        axis_title=title,
    )  # fmt: skip
    return Card(
        title=event.headline,
        under=_where(event, week),
        figures=_figures(event, details, week, shared, names),
        chart_title=_pair(event),
        svg=draw_time_chart(chart, name, _CHART_SIZE),
        notes=_notes(event),
        sample=_sample(details, details.example) if details.example and is_first else None,
        badges=[
            Badge(check.badge, check.holds)
            for check in details.supports[: None if is_first else _CHECKS]
        ],
        link=_link(event.number, count_supports(list(details.supports)), address),
    )


def _shared_words(labels: Sequence[str]) -> tuple[str, list[str]]:
    """Return the words that labels begin with, and the rest of each; one label is all shared."""
    if len(labels) == 1:
        return labels[0], [""]
    words = [label.split() for label in labels]
    n_shared = next(
        (n for n, together in enumerate(zip(*words, strict=False)) if len(set(together)) > 1), 0
    )
    shared = " ".join(words[0][:n_shared])
    return f"{shared} …" if shared else "", [" ".join(own[n_shared:]) for own in words]


def _where(event: ChangeEvent, week: Week) -> str:
    """Return `English to Czech, since 23 March 2026 (confirmed 30 March 2026)`."""
    since, confirmed = (say_day(at, week.zone) for at in (event.changed_at, event.detected_at))
    beside = "" if since == confirmed else f" (confirmed {confirmed})"
    return f"{event.asked_in}, since {since}{beside}"


def _pair(event: ChangeEvent) -> str:
    leading = event.leading
    return say_asked_in([(leading.source_lang, leading.target)], event.kind)


def _figures(
    event: ChangeEvent, details: EventDetails, week: Week, shared: str, names: Sequence[str]
) -> Table:
    """Return the numbers of the chart at both runs, and how far they lie apart."""
    rows = [
        [Cell(own or figure.label), _value(figure.before), _value(figure.after)]
        for own, figure in zip(names, details.figures, strict=False)
    ]
    if len(rows) > 1:
        rows += [
            [Cell(f"{change.label} (difference)"), *(_value(text) for text in _ends(change))]
            for change in _in_points(event)[:1]
            if _asked(change) == _asked(event.leading)
        ]
    columns = [Column("", width=2.0)] + [
        Column(say_day(at, week.zone), is_number=True)
        for at in (details.before_at, details.after_at)
    ]
    return Table(
        shared[:1].upper() + shared[1:] if len(rows) > 1 else "", columns, [Group("", rows)]
    )


def _value(text: str) -> Cell:
    return Cell(text) if text else Cell("not measured", is_missing=True)


def _asked(change: EventChange) -> tuple[str, str]:
    return change.source_lang, change.target


def _in_points(event: ChangeEvent) -> list[EventChange]:
    """Return what an event changed in percent or points, differences first."""
    alike = [
        change for change in event.changes
        if change.scope == event.leading.scope and change.unit in PERCENT
    ]  # fmt: skip
    return sorted(alike, key=lambda change: change.unit is not QuantityUnit.DIFFERENCE)


def _ends(change: EventChange) -> list[str]:
    return [
        "" if value is None else say_value(change.unit, value)
        for value in (change.before, change.after)
    ]


def _notes(event: ChangeEvent) -> list[str]:
    """Return what changed in other languages, a sentence each."""
    elsewhere: dict[tuple[str, str], EventChange] = {}
    for change in _in_points(event):
        if _asked(change) != _asked(event.leading):
            elsewhere.setdefault(_asked(change), change)
    return [
        f"{say_asked_in([asked], event.kind)}: {change.label} "
        + (" to ".join(_ends(change)) if all(_ends(change)) else change.said_effect)
        for asked, change in elsewhere.items()
    ]


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


def _link(number: int, checks: str, address: str) -> Link:
    """Return where the event is shown: its page, else the command."""
    text = f"What supports this ({checks} passed)"
    if address:
        return Link(text, f"{address}/changes/{number}")
    return Link(f"{text}: monitor series claim {number}")
