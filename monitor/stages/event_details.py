"""What an event rests on, for its card: the numbers that matter, their course, one pair of answers.

Everything comes from stored values and answers; nothing is computed anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from monitor.model import GenderClass, Quantity
from monitor.stages._report_text import Piece, pieces
from monitor.stages.change_events import ChangeEvent, EventChange
from monitor.stages.claim_support import Support, support
from monitor.stages.weekly import names
from monitor.store import around, series
from monitor.store.database import Connection
from monitor.store.series import ALL, Filters, Series, Tick
from monitor.text.quantity_values import say_value

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
class Course:
    """A quantity over time, for a chart."""

    label: str
    ticks: Sequence[Tick]


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
    """What a card shows of an event. `quantity` is that of the chart."""

    before_at: datetime
    after_at: datetime
    figures: Sequence[Figure]
    quantity: Quantity
    courses: Sequence[Course]
    supports: Sequence[Support]
    n_changed: int | None
    n_questions: int | None
    example: Example | None


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
    courses = [
        Course(about.meaning.label, series.grid(connection, part.id, until=until))
        for part, about in drawn
    ]
    figures = [
        _figure(about, course.ticks, before["id"], after["id"])
        for (_, about), course in zip(drawn, courses, strict=True)
    ]
    if quantity.meaning.parts or not figures:
        figures.append(_leading_figure(leading, quantity))
    return EventDetails(
        before_at=before["due_at"], after_at=after["due_at"], figures=figures,
        quantity=drawn[0][1] if drawn else quantity, courses=courses, supports=support(content),
        n_changed=content["changed"], n_questions=content["n"],
        example=_example(connection, content) if quotes else None,
    )  # fmt: skip


def _parts(
    connection: Connection, event: ChangeEvent, quantity: Quantity, reference: str
) -> list[Series]:
    """Return the series that the chart of an event shows: those of its parts, else its own."""
    leading = event.leading
    filters = Filters(
        engine=event.engine, source_lang=leading.source_lang, target=leading.target,
        list=leading.list, measure=leading.measure, reference=reference, scope=ALL,
    )  # fmt: skip
    wanted = quantity.meaning.parts if leading.scope == ALL else ()
    by_part = [series.find(connection, replace(filters, quantity=part)) for part in wanted]
    parts = [several[0] for several in by_part if several]
    own = series.by_id(connection, leading.series)
    return parts if len(parts) == len(wanted) and parts else [own] if own else []


def _figure(quantity: Quantity, ticks: Sequence[Tick], before: int, after: int) -> Figure:
    values = {tick.run_id: tick.value for tick in ticks}
    return Figure(
        quantity.meaning.label,
        *(_say(quantity, values.get(run_id)) for run_id in (before, after)),
    )


def _leading_figure(leading: EventChange, quantity: Quantity) -> Figure:
    ends = (_say(quantity, value) for value in (leading.before, leading.after))
    return Figure(quantity.meaning.label, *ends)


def _say(quantity: Quantity, value: float | None) -> str:
    return "" if value is None else say_value(quantity.meaning.unit, value)


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
    heard = [part for part in around.heard(connection, side["attempt"]) if part.witnesses]
    witnesses = heard[0].witnesses if heard and heard[0].text == side["text"] else ()
    return Answer(side["attempt"], side["said"][0], pieces(side["text"], witnesses))
