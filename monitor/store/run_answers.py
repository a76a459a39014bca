"""Answers of a run as pages list them: a page at a time, found by keys and never counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import GenderClass, Outcome
from monitor.store import first_read
from monitor.store.hidden import Hidden
from monitor.store.schema import (
    agreements,
    attempts,
    engines,
    items,
    list_items,
    list_probes,
    lists,
    probes,
    readings,
    run_lists,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    NOT_ASKED,
    TARGET,
    attempt_range,
    is_newest_reading,
)

#: What can have become of a question.
OUTCOMES = (*(one.value for one in Outcome), NOT_ASKED)
_ALL, _USED, _UNIDENTIFIED = "planned", "used", "unidentified"
#: What the view `coverage` counts: how the last try at a question ended, empty for however.
COUNTED = {
    _ALL: ("",),
    "answered": (Outcome.OK.value,),
    _USED: ("",),
    _UNIDENTIFIED: ("",),
    "empty": (Outcome.EMPTY.value,),
    "unreadable": (Outcome.UNREADABLE.value,),
    "blocked": (Outcome.BLOCKED.value,),
    "unanswered": (
        Outcome.THROTTLED.value, Outcome.TIMEOUT.value, Outcome.FAILED.value, NOT_ASKED,
    ),
}  # fmt: skip
#: A list as the view names it.
_LIST = lists.c.name + "@" + sa.cast(lists.c.version, sa.String)
_USABLE = (GenderClass.MASCULINE, GenderClass.FEMININE)
_MARKED = (*_USABLE, GenderClass.BOTH, GenderClass.INCLUSIVE, GenderClass.MIXED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which answers of a run; empty fits anything.

    `list` is `NAME@VERSION`, `counted` a column of the view `coverage`, `key` the beginning of a
    list item's key.
    """

    engine: str = ""
    target: str = ""
    source_lang: str = ""
    list: str = ""
    outcome: str = ""
    reason: str = ""
    counted: str = ""
    key: str = ""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """How those that are wanted ended; one that is empty stands for however."""
        counted = COUNTED.get(self.counted, ("",))
        if not self.outcome:
            return counted
        return (self.outcome,) if counted == ("",) or self.outcome in counted else ()


class Answer(NamedTuple):
    """One attempt at a question, with the first entry of what was read and how it was heard."""

    attempt: int
    key: str
    question: str
    source_lang: str
    target: str
    engine: str
    outcome: str
    reason: str
    text: str
    gender: str


def answers(
    connection: sa.Connection,
    run_id: int,
    wanted: Wanted,
    hidden: Hidden,
    *,
    after: int,
    size: int,
) -> list[Answer]:
    """Attempts of a run after one, in the order they were planned, one more than a page."""
    chosen = sa.select(attempts.c.id).where(*_wanted(run_id, wanted, hidden))
    query = first_read.joined(
        sa.select(
            attempts.c.id, _key(run_id, wanted), probes.c.text, probes.c.source_lang,
            TARGET.label("target"), engines.c.name, *first_read.COLUMNS,
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
    )  # fmt: skip
    numbers = _first(connection, run_id, chosen, wanted, after, size + 1)
    query = query.where(attempts.c.id.in_(numbers)).order_by(attempts.c.id)
    return [Answer._make(row) for row in connection.execute(query)]


def _wanted(run_id: int, wanted: Wanted, hidden: Hidden) -> Iterator[sa.ColumnElement[bool]]:
    """What is asked of an attempt, but for how it ended."""
    yield attempts.c.run_id == run_id
    if wanted.engine:
        named = sa.select(engines.c.id).where(engines.c.name == wanted.engine)
        yield attempts.c.engine_id.in_(named)
    if wanted.key or wanted.list:
        yield attempts.c.probe_id.in_(sa.select(_probes_of(run_id, wanted).c.probe_id))
    if wanted.target or wanted.source_lang or hidden.evidence:
        asked = sa.exists().where(
            probes.c.id == attempts.c.probe_id,
            TARGET.in_((wanted.target,)) if wanted.target else sa.true(),
            probes.c.source_lang == wanted.source_lang if wanted.source_lang else sa.true(),
            hidden.answers_shown(attempts.c.engine_id, TARGET),
        )
        yield asked.correlate(attempts)
    if wanted.counted:
        yield IS_LAST_TRY
        yield from _heard(run_id, wanted)


def _heard(run_id: int, wanted: Wanted) -> Iterator[sa.ColumnElement[bool]]:
    """What the newest readings by the newest rules have to say, as the view `coverage` counts."""
    heard = _classes(run_id, wanted)
    marked = heard.where(agreements.c["class"].in_(_MARKED))
    if wanted.counted == _USED:
        usable = sa.func.min(agreements.c["class"]).in_(_USABLE)
        alike = sa.func.count(agreements.c["class"].distinct()) == 1
        yield marked.group_by(readings.c.attempt_id).having(usable & alike).exists()
    if wanted.counted == _UNIDENTIFIED:
        unknown = agreements.c["class"] == GenderClass.UNIDENTIFIED
        yield heard.where(items.c.rank == 1, unknown).exists()
        yield ~marked.exists()


def _classes(run_id: int, wanted: Wanted) -> sa.Select[Any]:
    """Classes of what an attempt offers."""
    newer = agreements.alias("newer")
    cues = _items_of(run_id, wanted).with_only_columns(list_items.c.cue)
    return (
        sa.select(readings.c.attempt_id)
        .join(items, items.c.reading_id == readings.c.id)
        .join(agreements, agreements.c.item_id == items.c.id)
        .where(
            readings.c.attempt_id == attempts.c.id,
            is_newest_reading(),
            agreements.c.cue.in_(cues),
            ~sa.exists().where(
                newer.c.item_id == agreements.c.item_id,
                newer.c.cue == agreements.c.cue,
                newer.c.language_id > agreements.c.language_id,
            ),
        )
        .correlate(attempts)
    )


def _first(
    connection: sa.Connection,
    run_id: int,
    chosen: sa.Select[Any],
    wanted: Wanted,
    after: int,
    most: int,
) -> list[int]:
    """The first of the chosen attempts after one that ended as is wanted.

    Numbers alone: to read how each attempt of a run ended, until enough are found, takes a second
    where few ended so.
    """
    found: list[int] = []
    ends = attempt_range(connection, run_id)
    near = max(ends["first"], after), ends["last"]
    ways = [way for one in wanted.outcomes for way in first_read.ended(one, wanted.reason, near)]
    for ended in ways:
        query = ended(chosen.where(attempts.c.id > after))
        if len(found) == most:
            query = query.where(attempts.c.id < found[-1])
        more = connection.execute(query.order_by(attempts.c.id).limit(most)).scalars()
        found = sorted([*found, *more])[:most]
    return found


def _items_of(run_id: int, wanted: Wanted) -> sa.Select[Any]:
    """Items of the wanted list, or of any, that ask the probe of an attempt in a run."""
    return (
        _asked(run_id, wanted.list)
        .where(list_probes.c.probe_id == attempts.c.probe_id)
        .correlate(attempts)
    )


def _key(run_id: int, wanted: Wanted) -> sa.ScalarSelect[Any]:
    first = _items_of(run_id, wanted).with_only_columns(sa.func.min(list_items.c.key))
    return sa.func.coalesce(first.scalar_subquery(), "").label("key")  # type: ignore[return-value]


def _probes_of(run_id: int, wanted: Wanted) -> sa.CTE:
    """What list items ask in a run whose keys begin so; found once, not for each attempt."""
    query = _asked(run_id, wanted.list)
    if wanted.key:
        begins = sa.func.substr(list_items.c.key, 1, len(wanted.key)) == wanted.key
        query = query.where(begins)
    return query.cte("asked").prefix_with("MATERIALIZED")


def _asked(run_id: int, name: str) -> sa.Select[Any]:
    """Probes of the items of a list, or of all, that a run asks."""
    query = (
        sa.select(list_probes.c.probe_id)
        .select_from(list_probes)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .join(run_lists, run_lists.c.list_id == list_items.c.list_id)
        .where(run_lists.c.run_id == run_id)
    )
    if not name:
        return query
    return query.join(lists, lists.c.id == list_items.c.list_id).where(_LIST.in_((name,)))
