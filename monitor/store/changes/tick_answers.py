"""The answers behind one point: questions of a series in one run, and how each was read.

Rows are small, one a question and repeat; the words of a few of them are read apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import GenderClass, Kind, Outcome, Reason, RunKind
from monitor.store.changes.changed_answers import find_template, in_scope
from monitor.store.derive.signals import AskedItem, combine_classes
from monitor.store.schema import (
    agreements,
    attempts,
    engines,
    exchanges,
    items,
    lists,
    lm_scores,
    points,
    probes,
    query_values,
    readings,
    run_lists,
    runs,
    series_keys,
    signatures,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    newest_reading,
    newest_rules,
    outcome_of,
    reason_of,
)


class AnswerUse(StrEnum):
    """The use of an answer in a value, as far as it is the same for every quantity."""

    MARKED = "marked"  # read as masculine or feminine
    READ = "read"  # read, but neither: other classes; of other systems than translators any answer
    UNIDENTIFIED = "unidentified"  # there is an answer, and no class could be found
    MISSING = "missing"  # no usable answer


class AnswerScope(NamedTuple):
    """Properties of a series that decide which answers are behind it, and who may see them."""

    engine_id: int
    kind: Kind
    list: str
    source_lang: str
    target: str
    scope: str


class TickAnswer(NamedTuple):
    """One question, one repeat: where the answer is, what it was taken for."""

    attempt: int
    key: str
    cue: str  # where the gender in it is read from
    repeat: int
    use: AnswerUse
    cls: str  # empty where there is no class


class SeriesRun(NamedTuple):
    """A series in one run: which run, and the point that is current there by its columns."""

    kind: RunKind
    job: str
    due_at: datetime
    point: Mapping[str, Any] | None


def find_scope(connection: sa.Connection, series_id: int) -> AnswerScope:
    """Return what a series is about, by its number, which has to be one."""
    columns = (series_keys.c[name] for name in ("list", "source_lang", "target", "scope"))
    query = (
        sa.select(engines.c.id, engines.c.kind, *columns)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(series_keys.c.id == series_id)
    )
    row = connection.execute(query).one()
    return AnswerScope(row[0], Kind(row[1]), *row[2:])


_OF_POINT = ("id", "state", "reason", "value", "low", "high", "bound_low", "bound_high", "flags",
             "planned", "answered", "used", "unidentified", "computed_at")  # fmt: skip


def find_series_run(connection: sa.Connection, series_id: int, run_id: int) -> SeriesRun | None:
    """Return a series in a run of any kind; None where there is no such run."""
    row = connection.execute(
        sa.select(runs.c.kind, runs.c.job, runs.c.due_at).where(runs.c.id == run_id)
    ).first()
    if row is None:
        return None
    columns = (points.c[name] for name in _OF_POINT)
    query = (
        sa.select(*columns, signatures.c.hash.label("signature"))
        .join(signatures, signatures.c.id == points.c.signature_id)
        .where(points.c.series_id == series_id, points.c.run_id == run_id, points.c.is_current)
        .order_by(points.c.id.desc())
        .limit(1)
    )
    point = connection.execute(query).mappings().first()
    return SeriesRun(RunKind(row[0]), row[1], row[2], dict(point) if point else None)


# --- all of them ----------------------------------------------------------------------------------


def find_list(connection: sa.Connection, of: AnswerScope, run_id: int) -> int | None:
    """Return the version of a series' list that a run asks; None where it asks none."""
    query = (
        sa.select(lists.c.id)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id, lists.c.name == of.list)
    )
    return connection.execute(query).scalar()


def read_answers(
    connection: sa.Connection, of: AnswerScope, run_id: int, items: Sequence[AskedItem]
) -> list[TickAnswer]:
    """Return every planned question and repeat in list order, by the newest versions.

    `every` are the questions of the list. A part by something else than tags has those of the
    whole.
    """
    in_series = [asked_item for asked_item in items if in_scope(asked_item.tags, of.scope)]
    scored = partial(_read_scored, template=find_template(of.scope))
    readers: dict[Kind, _Read] = {
        Kind.MT: _read_translated,
        Kind.LM: scored,
        Kind.SEARCH: _read_result_lists,
    }
    readings_of = readers[of.kind](
        connection, _select_attempts(of, run_id, [asked_item.probe for asked_item in in_series])
    )
    return [
        TickAnswer(
            attempt, item.key, item.cue, repeat, *by_cue.get(item.cue, by_cue.get("", _LOST))
        )
        for item in in_series
        for (repeat, attempt), by_cue in sorted(readings_of.get(item.probe, {}).items())
    ]


_LOST = (AnswerUse.MISSING, "")

#: {probe: {(repeat, attempt): {cue, or nothing where it does not matter: what it was taken for}}}.
_Found = dict[int, dict[tuple[int, int], dict[str, tuple[AnswerUse, str]]]]
_Those = tuple[sa.ColumnElement[bool], ...]
_Read = Callable[[sa.Connection, _Those], _Found]


def _select_attempts(of: AnswerScope, run_id: int, probe_ids: Sequence[int]) -> _Those:
    """Return a query of the attempts at some probes that count or wait."""
    # written out: a part of a list can have more probes than a statement may have parameters
    probe_parameter = sa.bindparam(
        None, sorted(probe_ids), sa.Integer, expanding=True, literal_execute=True
    )
    return (
        attempts.c.run_id == run_id,
        attempts.c.engine_id == of.engine_id,
        attempts.c.probe_id.in_(probe_parameter),
        IS_LAST_TRY,
    )


def _read_translated(connection: sa.Connection, those: _Those) -> _Found:
    query = (
        sa.select(
            attempts.c.probe_id, attempts.c.repeat, attempts.c.id, readings.c.outcome,
            agreements.c.cue, agreements.c["class"], agreements.c.language_id, items.c.rank,
        )
        .select_from(attempts)
        .outerjoin(readings, newest_reading())
        .outerjoin(items, (items.c.reading_id == readings.c.id) & (items.c.block == "translation"))
        .outerjoin(agreements, agreements.c.item_id == items.c.id)
        .where(*those)
    )  # fmt: skip
    offered: dict[tuple[int, int, int], dict[str, dict[int, dict[int, GenderClass]]]] = {}
    for probe, repeat, attempt, outcome, cue, cls, version, rank in connection.execute(query).all():
        by_cue = offered.setdefault((probe, repeat, attempt), {})
        if cue is not None and outcome == Outcome.OK:
            by_cue.setdefault(cue, {}).setdefault(version, {})[rank] = _CLASSES[cls]
    readings_of: _Found = {}
    for (probe, repeat, attempt), by_cue in offered.items():
        classes = readings_of.setdefault(probe, {}).setdefault((repeat, attempt), {})
        for cue, versions in by_cue.items():
            newest = versions[max(versions)]
            taken = combine_classes([newest[rank] for rank in sorted(newest)])
            classes[cue] = _find_use(taken), taken or ""
    return readings_of


_CLASSES = {cls.value: cls for cls in GenderClass}


def _find_use(cls: GenderClass | None) -> AnswerUse:
    if cls is None:
        return AnswerUse.MISSING
    if cls in (GenderClass.MASCULINE, GenderClass.FEMININE):
        return AnswerUse.MARKED
    return AnswerUse.UNIDENTIFIED if cls is GenderClass.UNIDENTIFIED else AnswerUse.READ


def _read_scored(connection: sa.Connection, those: _Those, template: str) -> _Found:
    """Return whether models gave a score, of the template of the part where it has one."""
    is_wanted = lm_scores.c.template == template if template else sa.true()
    query = (
        sa.select(
            attempts.c.probe_id, attempts.c.repeat, attempts.c.id, sa.func.count(lm_scores.c.id)
        )
        .select_from(attempts)
        .outerjoin(readings, newest_reading() & (readings.c.outcome == Outcome.OK))
        .outerjoin(items, items.c.reading_id == readings.c.id)
        .outerjoin(lm_scores, (lm_scores.c.item_id == items.c.id) & is_wanted)
        .where(*those)
        .group_by(attempts.c.probe_id, attempts.c.repeat, attempts.c.id)
    )
    return _read_counts(connection, query)


def _read_result_lists(connection: sa.Connection, those: _Those) -> _Found:
    """Return whether search engines gave a readable page; an empty one is an answer."""
    usable = sa.and_(
        readings.c.outcome.in_((Outcome.OK, Outcome.EMPTY)),
        readings.c.reason != Reason.SUSPECT_EMPTY,
    )
    query = (
        sa.select(
            attempts.c.probe_id, attempts.c.repeat, attempts.c.id, sa.func.count(readings.c.id)
        )
        .select_from(attempts)
        .outerjoin(readings, newest_reading() & usable)
        .where(*those)
        .group_by(attempts.c.probe_id, attempts.c.repeat, attempts.c.id)
    )
    return _read_counts(connection, query)


def _read_counts(connection: sa.Connection, query: sa.Select[Any]) -> _Found:
    readings_of: _Found = {}
    for probe, repeat, attempt, n in connection.execute(query).all():
        readings_of.setdefault(probe, {})[repeat, attempt] = {
            "": (AnswerUse.READ, "") if n else _LOST
        }
    return readings_of


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """The question and answer in words. `reason` tells why an answer is not usable."""

    question: str
    outcome: str
    reason: str
    parts: tuple[Mapping[str, Any], ...]  # text, title, block, rank, cls, rule, witnesses, score


def read_words(
    connection: sa.Connection, of: AnswerScope, answers: Sequence[TickAnswer]
) -> dict[int, AnswerWords]:
    """Return {attempt: its words}, of answers to the questions of a series."""
    if not answers:
        return {}
    attempt_ids = sorted({answer.attempt for answer in answers})
    query = (
        sa.select(
            attempts.c.id, probes.c.text,
            outcome_of(), reason_of(), readings.c.id,
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(readings, newest_reading())
        .where(attempts.c.id.in_(attempt_ids))
    )  # fmt: skip
    rows = connection.execute(query).all()
    cues = {answer.attempt: answer.cue for answer in answers}
    parts = _read_parts(connection, [row[4] for row in rows if row[4] is not None], of)
    return {
        attempt: AnswerWords(
            question, outcome, reason,
            tuple(
                part for part in parts.get(reading, ())
                if part["cue"] in (None, cues[attempt])
            ),
        )
        for attempt, question, outcome, reason, reading in rows
    }  # fmt: skip


#: Entries of one answer that are shown beside its question; its evidence has all.
_PARTS = 5


def _read_parts(
    connection: sa.Connection, reading_ids: Sequence[int], of: AnswerScope
) -> dict[int, list[dict[str, Any]]]:
    """Return {reading: its first entries}, by the newest version of the rules."""
    template = find_template(of.scope)
    query = (
        sa.select(
            items.c.reading_id, items.c.rank, items.c.block, items.c.text, items.c.title,
            agreements.c.cue, agreements.c["class"].label("cls"), agreements.c.rule,
            agreements.c.witnesses, lm_scores.c.template, lm_scores.c.log_ratio,
            items.c.erasure_id.is_not(None).label("is_erased"),
        )
        .select_from(items)
        .outerjoin(agreements, newest_rules())
        .outerjoin(lm_scores, lm_scores.c.item_id == items.c.id)
        .where(items.c.reading_id.in_(sorted(reading_ids)), items.c.rank <= _PARTS)
        .order_by(items.c.reading_id, items.c.block, items.c.rank)
    )  # fmt: skip
    by_reading: dict[int, list[dict[str, Any]]] = {}
    for row in connection.execute(query).mappings():
        if template and row["template"] not in (None, template):
            continue
        by_reading.setdefault(row["reading_id"], []).append(dict(row))
    return by_reading


def read_question_values(
    connection: sa.Connection, point_id: int, keys: Sequence[str]
) -> dict[str, tuple[str, str, float | None]]:
    """Return {key: (state, reason, value)} of questions, where a point keeps a value for each."""
    query = sa.select(
        query_values.c.key, query_values.c.state, query_values.c.reason, query_values.c.value
    ).where(query_values.c.point_id == point_id, query_values.c.key.in_(sorted(set(keys))))
    return {row[0]: (row[1], row[2], row[3]) for row in connection.execute(query)}
