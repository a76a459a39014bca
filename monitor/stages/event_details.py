"""What an event rests on, for its card: the numbers that matter, their course, one pair of answers.

Everything comes from stored values and answers; nothing is computed anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import ChangeKind, Status
from monitor.model import GenderClass, Quantity
from monitor.stages._report_text import Piece, pieces
from monitor.stages.change_events import ChangeEvent
from monitor.stages.claim_support import SOFTWARE_QUESTION, Support, support
from monitor.stages.time_chart import Line, Marker, TimeChart
from monitor.stages.weekly import names
from monitor.store.changes import series
from monitor.store.changes.series import ALL, Filters, GridTick, Series
from monitor.store.database import Connection
from monitor.store.reports import run_answers
from monitor.text.dates import say_short_day
from monitor.text.quantity_values import axis_unit, say_value

#: Characters of a question that fits on a card.
_SHORT = 120
_CLEAR = (GenderClass.FEMININE, GenderClass.MASCULINE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity at both runs of an event, in words; empty where it was not measured."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with the words that decided how it was read; `gender` is what it was read as."""

    attempt: int
    gender: str
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Example:
    """One question that is answered differently since the event."""

    question: str
    source_lang: str
    target: str
    before: Answer
    after: Answer


@dataclass(frozen=True, slots=True)
class EventDetails:
    """What a card shows of an event. `quantity` is that of the chart.

    `axis` are the words that the labels of all courses and their figures share; empty for one. The
    labels of courses are without these.
    `explained` says what the leading quantity compares.
    """

    figures: Sequence[Figure]
    quantity: Quantity
    axis: str
    explained: str
    courses: Sequence[Line]
    supports: Sequence[Support]
    n_changed: int | None
    n_questions: int | None
    example: Example | None

    @property
    def axis_title(self) -> str:
        """`Masculine forms in sentences about …, %`; empty for the label of the quantity."""
        unit = axis_unit(self.quantity.meaning.unit)
        shared = f"{self.axis[:1].upper()}{self.axis[1:]} …" if self.axis else ""
        return f"{shared}, {unit}" if shared and unit else shared

    def chart(self, event: ChangeEvent, zone: ZoneInfo) -> TimeChart:
        """Return the chart of exactly the numbers of the card, with the event in it."""
        words = f"{say_short_day(event.changed_at, zone)}: changed"
        is_confirmed = event.status is Status.CONFIRMED
        return TimeChart(
            event.headline, self.quantity, self.courses, zone,
            [Marker(event.changed_at, words, is_confirmed)], axis_title=self.axis_title,
        )  # fmt: skip


def read_details(
    connection: Connection,
    event: ChangeEvent,
    content: Mapping[str, Any],
    *,
    quotes: bool,
    until: datetime | None = None,
) -> EventDetails:
    """Read what an event rests on; `content` is that of the claim card of its leading finding.

    Answers are quoted only where `quotes` is set. Runs that were due after `until` are left out.
    """
    before, after = content["runs"]
    leading = event.leading
    quantity = names.about(leading.measure, leading.quantity, event.kind)
    drawn = [
        (part, names.about(leading.measure, part.quantity, event.kind))
        for part in _parts(connection, event, quantity, content["series"]["reference"])
    ]
    axis, labels = _split_labels([about.meaning.label for _, about in drawn])
    courses = [
        Line(label, series.read_grid(connection, part.id, until=until))
        for label, (part, _) in zip(labels, drawn, strict=True)
    ]
    runs = before["id"], after["id"]
    figures = [
        figure
        for (part, about), course in zip(drawn, courses, strict=True)
        if part.id != leading.series
        and (figure := _figure(event, about, course.label, course.ticks, runs))
    ]
    is_drawn = [part.id for part, _ in drawn] == [leading.series]
    own_ticks = (
        courses[0].ticks if is_drawn else series.read_grid(connection, leading.series, until=until)
    )
    if figure := _figure(event, quantity, quantity.meaning.label, own_ticks, runs):
        figures.append(figure)
    return EventDetails(
        figures=figures,
        quantity=drawn[0][1] if drawn else quantity, axis=axis,
        explained=quantity.meaning.explained, courses=courses,
        supports=[_of_event(check, event) for check in support(content)],
        n_changed=content["changed"], n_questions=content["n"],
        example=_example(connection, content) if quotes else None,
    )  # fmt: skip


def _of_event(check: Support, event: ChangeEvent) -> Support:
    """Return a check of the leading finding, as far as it holds for all languages of the event."""
    if check.question != SOFTWARE_QUESTION or len(event.causes) == 1:
        return check
    return replace(check, holds=None, answer="in part", badge=event.cause_said)


def _parts(
    connection: Connection, event: ChangeEvent, quantity: Quantity, reference: str
) -> list[Series]:
    """Return the series that the chart of an event shows: those of its parts, else its own."""
    leading = event.leading
    filters = Filters(
        engine=event.engine, source_lang=leading.source_lang, target=leading.target,
        list=leading.list, measure=leading.measure, reference=reference, scope=ALL,
    )  # fmt: skip
    wanted_parts = quantity.meaning.parts if leading.scope == ALL else ()
    by_part = [
        series.find_series(connection, replace(filters, quantity=part)) for part in wanted_parts
    ]
    parts = [several[0] for several in by_part if several]
    own = series.get_series(connection, leading.series)
    return parts if len(parts) == len(wanted_parts) and parts else [own] if own else []


def _split_labels(labels: Sequence[str]) -> tuple[str, list[str]]:
    """Return the words that all labels begin with, and what is left of each."""
    words = [label.split() for label in labels]
    if len(words) < 2:  # noqa: PLR2004 - one label shares nothing
        return "", list(labels)
    n_shared = 0
    while (
        all(len(word) > n_shared + 1 for word in words)
        and len({word[n_shared] for word in words}) == 1
    ):
        n_shared += 1
    return " ".join(words[0][:n_shared]), [" ".join(word[n_shared:]) for word in words]


def _figure(
    event: ChangeEvent,
    quantity: Quantity,
    label: str,
    ticks: Sequence[GridTick],
    runs: tuple[int, int],
) -> Figure | None:
    """Return a quantity before and after an event; None where nothing is stored of it.

    Of a step as the two runs on its sides measured it, so that the figures of a card add up and
    are those of its chart; of a drift, or where one run has no value, as its own finding has it.
    """
    leading = event.leading
    if leading.kind is ChangeKind.STEP:
        values = {tick.run_id: tick.value for tick in ticks}
        before, after = (values.get(run_id) for run_id in runs)
        if before is not None and after is not None:
            return _said(quantity, label, before, after)
    about = leading.scope, leading.source_lang, leading.target
    for change in event.changes:
        is_same = (change.scope, change.source_lang, change.target) == about
        if is_same and change.quantity == quantity.name:
            return _said(quantity, label, change.before, change.after)
    return None


def _said(quantity: Quantity, label: str, before: float | None, after: float | None) -> Figure:
    ends = ("" if end is None else say_value(quantity.meaning.unit, end) for end in (before, after))
    return Figure(label, *ends)


def _example(connection: Connection, content: Mapping[str, Any]) -> Example | None:
    """Return a short question whose answer went from one gender to the other, if there is one."""
    rows = content["series"]
    for flip in sorted(content["flips"], key=lambda flip: len(flip["probe"])):
        sides = flip["before"], flip["after"]
        if any(len(answers) != 1 for answers in sides) or len(flip["probe"]) > _SHORT:
            continue
        genders = [side[0]["said"][:1] for side in sides]
        if any(not gender or gender[0] not in _CLEAR for gender in genders):
            continue
        before, after = (_answer(connection, side[0]) for side in sides)
        return Example(flip["probe"], rows["source_lang"], rows["target"], before, after)
    return None


def _answer(connection: Connection, side: Mapping[str, Any]) -> Answer:
    heard_parts = [
        part for part in run_answers.read_heard_parts(connection, side["attempt"]) if part.witnesses
    ]
    witnesses = (
        heard_parts[0].witnesses if heard_parts and heard_parts[0].text == side["text"] else ()
    )
    return Answer(side["attempt"], side["said"][0], pieces(side["text"], witnesses))
