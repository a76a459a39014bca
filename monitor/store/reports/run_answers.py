"""Answers as pages list them: searches by words, lists of a run, one answer in its context."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import GenderClass, Outcome
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.rows import group_rows
from monitor.store.schema import (
    agreements,
    attempts,
    bodies,
    engines,
    exchanges,
    items,
    list_items,
    list_probes,
    lists,
    probes,
    readings,
    run_lists,
    runs,
    versions,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    NOT_ASKED,
    TARGET,
    attempt_range,
    is_any_of,
    is_newest_reading,
    newest_reading,
    outcome_of,
    reason_of,
)


class AnsweredQuestion(NamedTuple):
    """A question, the system that was asked, and the number of the newest answer."""

    text: str
    source_lang: str
    target: str
    engine: str
    attempt: int


def find_questions(
    connection: sa.Connection, hidden: EmbargoFilter, words: Sequence[str], limit: int
) -> list[AnsweredQuestion]:
    """Return questions that contain all of these words, in order of their text; case is ignored."""
    has_words = [probes.c.text.icontains(word, autoescape=True) for word in words]
    newest = sa.func.max(attempts.c.id).label("attempt")
    query = (
        sa.select(probes.c.text, probes.c.source_lang, TARGET, engines.c.name, newest)
        .join(attempts, attempts.c.probe_id == probes.c.id)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .where(
            attempts.c.final,
            hidden.runs_shown(attempts.c.run_id),
            hidden.answers_shown(attempts.c.engine_id, TARGET),
            *has_words,
        )
        .group_by(probes.c.id, probes.c.text, probes.c.source_lang, TARGET, engines.c.name)
        .order_by(probes.c.text, engines.c.name, TARGET)
        .limit(limit)
    )
    return [AnsweredQuestion(*row) for row in connection.execute(query)]


#: What is asked for where a reason would stand, for what has none.
NO_REASON = "none"


def _select_first_item() -> sa.ScalarSelect[Any]:
    """Return the query of the first entry of a reading."""
    return (
        sa.select(sa.func.min(items.c.id))
        .where(items.c.reading_id == readings.c.id)
        .correlate(readings)
        .scalar_subquery()
    )


def _select_gender() -> sa.ScalarSelect[Any]:
    return (
        sa.select(agreements.c["class"])
        .where(agreements.c.item_id == items.c.id)
        .order_by(agreements.c.language_id.desc(), agreements.c.id)
        .limit(1)
        .correlate(items)
        .scalar_subquery()
    )


#: Outcome (by its newest reading, or as it came), its reason, text of the first entry, and the
#: class that the newest rules gave it.
COLUMNS = (
    outcome_of(),
    reason_of(),
    sa.func.coalesce(items.c.text, ""),
    sa.func.coalesce(_select_gender(), ""),
)


def join_columns(query: sa.Select[Any]) -> sa.Select[Any]:
    """Return a query of attempts with what `COLUMNS` needs."""
    return (
        query.outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(readings, newest_reading())
        .outerjoin(
            items, (items.c.reading_id == readings.c.id) & (items.c.id == _select_first_item())
        )
    )


Narrowed = Callable[[sa.Select[Any]], sa.Select[Any]]


def narrow_outcomes(outcome: str, reason: str, numbers: tuple[int, int]) -> Sequence[Narrowed]:
    """Return functions that narrow a query of attempts to an outcome; together they find all.

    By the newest reading, or as it came where nothing has read it. One of them for each, since
    databases find neither by an index where both are asked for at once. Empty: however it ended.
    The attempts have no numbers but from the first to the last of `numbers`.
    """
    if not outcome and not reason:
        return (lambda query: query,)
    if outcome == NOT_ASKED:
        return (_is_open,) if reason in ("", NO_REASON) else ()
    later = readings.alias("later")
    is_read = sa.exists().where(later.c.attempt_id == attempts.c.id)
    # written out, for the database to see how many there can be
    first, last = (sa.literal(number, literal_execute=True) for number in numbers)
    near = readings.c.attempt_id.between(first, last)

    def as_read(query: sa.Select[Any]) -> sa.Select[Any]:
        query = query.join(readings, readings.c.attempt_id == attempts.c.id)
        return query.where(*_has_outcome(readings, outcome, reason), near, is_newest_reading())

    def as_came(query: sa.Select[Any]) -> sa.Select[Any]:
        query = query.join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        # an exchange is of the run of its attempts, whose exchanges an index finds
        of_run = exchanges.c.run_id == attempts.c.run_id
        return query.where(*_has_outcome(exchanges, outcome, reason), of_run, ~is_read)

    return (as_read, as_came) if outcome or reason != NO_REASON else (as_read, as_came, _is_open)


def _is_open(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.where(attempts.c.exchange_id.is_(None))


def _has_outcome(table: sa.Table, outcome: str, reason: str) -> Iterator[sa.ColumnElement[bool]]:
    if outcome:
        yield table.c.outcome == outcome
    if reason:
        yield table.c.reason == ("" if reason == NO_REASON else reason)


#: What can have become of a question.
OUTCOMES = (*(outcome.value for outcome in Outcome), NOT_ASKED)
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
class RunAnswerFilter:
    """Filter for the answers of a run; empty fields match anything.

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
        """Return the outcomes that match; an empty one matches any."""
        counted = COUNTED.get(self.counted, ("",))
        if not self.outcome:
            return counted
        return (self.outcome,) if counted == ("",) or self.outcome in counted else ()


@dataclass(frozen=True, slots=True)
class ListedAnswer:
    """One attempt at a question; `text` is its first entry, `gender` its reading."""

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


def list_answers(
    connection: sa.Connection,
    run_id: int,
    criteria: RunAnswerFilter,
    hidden: EmbargoFilter,
    *,
    after: int,
    size: int,
) -> list[ListedAnswer]:
    """Return attempts of a run after one, in the order they were planned, one more than a page."""
    matching = sa.select(attempts.c.id).where(*_filter_attempts(run_id, criteria, hidden))
    query = join_columns(
        sa.select(
            attempts.c.id, _has_key(run_id, criteria), probes.c.text, probes.c.source_lang,
            TARGET.label("target"), engines.c.name, *COLUMNS,
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
    )  # fmt: skip
    numbers = _find_first(connection, run_id, matching, criteria, after, size + 1)
    query = query.where(attempts.c.id.in_(numbers)).order_by(attempts.c.id)
    return [ListedAnswer(*row) for row in connection.execute(query)]


def _filter_attempts(
    run_id: int, criteria: RunAnswerFilter, hidden: EmbargoFilter
) -> Iterator[sa.ColumnElement[bool]]:
    """Return the conditions on attempts that a filter sets, without those on outcomes."""
    yield attempts.c.run_id == run_id
    if criteria.engine:
        engine_ids = sa.select(engines.c.id).where(engines.c.name == criteria.engine)
        yield attempts.c.engine_id.in_(engine_ids)
    if criteria.key or criteria.list:
        yield attempts.c.probe_id.in_(sa.select(_select_probes_by_key(run_id, criteria).c.probe_id))
    if criteria.target or criteria.source_lang or hidden.evidence:
        is_about_target = sa.exists().where(
            probes.c.id == attempts.c.probe_id,
            TARGET.in_((criteria.target,)) if criteria.target else sa.true(),
            probes.c.source_lang == criteria.source_lang if criteria.source_lang else sa.true(),
            hidden.answers_shown(attempts.c.engine_id, TARGET),
        )
        yield is_about_target.correlate(attempts)
    if criteria.counted:
        yield IS_LAST_TRY
        yield from _make_class_conditions(run_id, criteria)


def _make_class_conditions(
    run_id: int, criteria: RunAnswerFilter
) -> Iterator[sa.ColumnElement[bool]]:
    """Yield conditions on classes by the newest readings and rules, as `coverage` counts."""
    has_class = _select_classes(run_id, criteria)
    marked = has_class.where(agreements.c["class"].in_(_MARKED))
    if criteria.counted == _USED:
        usable = sa.func.min(agreements.c["class"]).in_(_USABLE)
        alike = sa.func.count(agreements.c["class"].distinct()) == 1
        yield marked.group_by(readings.c.attempt_id).having(usable & alike).exists()
    if criteria.counted == _UNIDENTIFIED:
        unknown = agreements.c["class"] == GenderClass.UNIDENTIFIED
        yield has_class.where(items.c.rank == 1, unknown).exists()
        yield ~marked.exists()


def _select_classes(run_id: int, criteria: RunAnswerFilter) -> sa.Select[Any]:
    """Return a query of the classes in an answer, by the newest reading and rules."""
    newer = agreements.alias("newer")
    cues = _select_items(run_id, criteria).with_only_columns(list_items.c.cue)
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


def _find_first(
    connection: sa.Connection,
    run_id: int,
    matching: sa.Select[Any],
    criteria: RunAnswerFilter,
    after: int,
    most: int,
) -> list[int]:
    """Return the numbers of the first matching attempts after one with a wanted outcome.

    Numbers alone: to read how each attempt of a run ended, until enough are found, takes a second
    where few ended so.
    """
    attempt_ids: list[int] = []
    ends = attempt_range(connection, run_id)
    near = max(ends["first"], after), ends["last"]
    narrowings = [
        narrowing
        for outcome in criteria.outcomes
        for narrowing in narrow_outcomes(outcome, criteria.reason, near)
    ]
    for ended in narrowings:
        query = ended(matching.where(attempts.c.id > after))
        if len(attempt_ids) == most:
            query = query.where(attempts.c.id < attempt_ids[-1])
        more = connection.execute(query.order_by(attempts.c.id).limit(most)).scalars()
        attempt_ids = sorted([*attempt_ids, *more])[:most]
    return attempt_ids


def _select_items(run_id: int, criteria: RunAnswerFilter) -> sa.Select[Any]:
    """Return the query of list items that ask the probe of an attempt."""
    return (
        _select_probes(run_id, criteria.list)
        .where(list_probes.c.probe_id == attempts.c.probe_id)
        .correlate(attempts)
    )


def _has_key(run_id: int, criteria: RunAnswerFilter) -> sa.ScalarSelect[Any]:
    first = _select_items(run_id, criteria).with_only_columns(sa.func.min(list_items.c.key))
    return sa.func.coalesce(first.scalar_subquery(), "").label("key")  # type: ignore[return-value]


def _select_probes_by_key(run_id: int, criteria: RunAnswerFilter) -> sa.CTE:
    """Return the query of probes of list items with the filter's key, as a CTE."""
    query = _select_probes(run_id, criteria.list)
    if criteria.key:
        begins = sa.func.substr(list_items.c.key, 1, len(criteria.key)) == criteria.key
        query = query.where(begins)
    return query.cte("asked").prefix_with("MATERIALIZED")


def _select_probes(run_id: int, name: str) -> sa.Select[Any]:
    """Return the query of probes of a list, or of all lists, that a run asked."""
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


#: Runs of the job that are looked through for other answers.
_RUNS = 60
#: Of these, so many at once.
_AT_ONCE = 15


class HeardPart(NamedTuple):
    """The grammatical gender of one part of an answer, by the newest rules first."""

    rank: int
    text: str
    cue: str
    gender: str  # class of the text
    rule: str
    witnesses: Sequence[dict[str, Any]]
    language: str
    version: str


class AlternativeAnswer(NamedTuple):
    """Another answer of the same system to the same question."""

    attempt: int
    run: int
    due_at: datetime
    outcome: str
    reason: str
    text: str
    gender: str
    sha256: str


class AnswerSubject(NamedTuple):
    """The engine, target and run of an answer, which decide who may see it."""

    run_id: int
    engine_id: int
    target: str
    probe_id: int
    is_search: bool


def find_subject(connection: sa.Connection, attempt_id: int) -> AnswerSubject | None:
    """Return whose answer it is, and to what; None where there is no such attempt."""
    query = (
        sa.select(
            attempts.c.run_id, attempts.c.engine_id, TARGET, attempts.c.probe_id,
            probes.c.region != "",
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(attempts.c.id == attempt_id)
    )  # fmt: skip
    row = connection.execute(query).one_or_none()
    return None if row is None else AnswerSubject._make(row)


def read_heard_parts(connection: sa.Connection, attempt_id: int) -> list[HeardPart]:
    """Return how the newest reading of an answer was read for gender, part by part."""
    return read_heard_parts_of(connection, [attempt_id]).get(attempt_id, [])


def read_heard_parts_of(
    connection: sa.Connection, attempt_ids: Sequence[int]
) -> dict[int, list[HeardPart]]:
    """Return {attempt: how the newest reading of its answer was read for gender, part by part}."""
    query = (
        sa.select(
            attempts.c.id, items.c.rank, items.c.text, agreements.c.cue, agreements.c["class"],
            agreements.c.rule, agreements.c.witnesses, versions.c.name, versions.c.version,
        )
        .select_from(attempts)
        .join(readings, newest_reading())
        .join(items, items.c.reading_id == readings.c.id)
        .join(agreements, agreements.c.item_id == items.c.id)
        .join(versions, versions.c.id == agreements.c.language_id)
        .where(is_any_of(attempts.c.id, attempt_ids))
        .order_by(items.c.rank, items.c.id, agreements.c.cue, agreements.c.language_id.desc())
    )  # fmt: skip
    by_attempt = group_rows(connection.execute(query), itemgetter(0))
    return {
        attempt: [HeardPart._make(row[1:]) for row in rows] for attempt, rows in by_attempt.items()
    }


def read_other_answers(
    connection: sa.Connection, attempt_id: int, subject: AnswerSubject, limit: int
) -> list[AlternativeAnswer]:
    """Return final answers of the same system to the question in the job's newest runs."""
    columns = (attempts.c.id, attempts.c.run_id, runs.c.due_at, *COLUMNS)
    sha256 = sa.func.coalesce(bodies.c.sha256, "")
    query = (
        join_columns(sa.select(*columns, sha256).join(runs, runs.c.id == attempts.c.run_id))
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(attempts.c.id.in_(_find_other_answers(connection, attempt_id, subject, limit)))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc(), attempts.c.id.desc())
    )
    return [AlternativeAnswer._make(row) for row in connection.execute(query)]


def _find_other_answers(
    connection: sa.Connection, attempt_id: int, subject: AnswerSubject, limit: int
) -> list[int]:
    """Return which attempts these are, the newest first.

    Looked up in some runs at a time, by the key of attempts: what a run holds of a question lies
    elsewhere on the disk for each run, and a few runs have as many as are shown.
    """
    same_question = (
        sa.select(attempts.c.id)
        .join(runs, runs.c.id == attempts.c.run_id)
        .where(
            attempts.c.engine_id == subject.engine_id,
            attempts.c.probe_id == subject.probe_id,
            attempts.c.final,
            attempts.c.id != attempt_id,
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc(), attempts.c.id.desc())
    )
    todo, attempt_ids = _find_newest_runs(connection, subject.run_id), list[int]()
    while todo and len(attempt_ids) < limit:
        run_part, todo = todo[:_AT_ONCE], todo[_AT_ONCE:]
        attempt_ids += connection.execute(
            same_question.where(attempts.c.run_id.in_(run_part))
        ).scalars()
    return attempt_ids[:limit]


def _find_newest_runs(connection: sa.Connection, run_id: int) -> list[int]:
    """Return the newest runs of the job of a run, by due time."""
    job = sa.select(runs.c.job).where(runs.c.id == run_id).scalar_subquery()
    query = sa.select(runs.c.id, runs.c.due_at).where(runs.c.job == job)
    run_rows = connection.execute(query.order_by(runs.c.id.desc()).limit(_RUNS)).all()
    return [row.id for row in sorted(run_rows, key=lambda row: (row.due_at, row.id), reverse=True)]
