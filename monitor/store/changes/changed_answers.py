"""The answers behind one point, and the questions whose answers differ between two runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from monitor.model import DONATED, GenderClass, Kind, Outcome, Reason, RunKind
from monitor.store.derive.signals import AskedItem, combine_classes, read_asked_items
from monitor.store.jobs.declarations import find_list_versions
from monitor.store.rows import group_pairs
from monitor.store.schema import (
    agreements,
    attempts,
    bodies,
    engines,
    exchanges,
    items,
    lm_scores,
    points,
    probes,
    query_values,
    readings,
    runs,
    series_keys,
    signatures,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    is_any_of,
    newest_reading,
    newest_rules,
    outcome_of,
    reason_of,
)

#: What an answer is taken for in a comparison: its classes, what it shows, or its scores.
_Said: TypeAlias = tuple[object, ...]
#: One row of what was read: of translations (item, cue, class), of models (template, log ratio),
#: of lists (block, URL, title).
_Part: TypeAlias = Sequence[Any]


def _select_parts(
    *columns: sa.ColumnElement[Any],
    found_in: sa.Table | None = None,
    order: Sequence[sa.ColumnElement[Any]] = (),
) -> sa.Select[Any]:
    """Return a query of answers with their parser, outcome and the parts read in them."""
    query = (
        sa.select(
            attempts.c.probe_id, attempts.c.id, readings.c.parser_id, readings.c.outcome, *columns
        )
        .select_from(attempts)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .outerjoin(items, items.c.reading_id == readings.c.id)
    )
    if found_in is not None:
        query = query.outerjoin(found_in, found_in.c.item_id == items.c.id)
    return query.order_by(
        attempts.c.repeat, attempts.c.id, readings.c.parser_id, items.c.rank, items.c.id, *order
    )


_ENTRIES = _select_parts(items.c.block, items.c.url, items.c.title)
_PARTS = {
    Kind.MT: _select_parts(
        items.c.id, agreements.c.cue, agreements.c["class"],
        found_in=agreements, order=[agreements.c.language_id],  # newer rules come later
    ),
    Kind.LM: _select_parts(lm_scores.c.template, lm_scores.c.log_ratio, found_in=lm_scores),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerSide:
    """One answer: what it was taken for, and where it is kept (`monitor evidence show`)."""

    run_id: int
    attempt_id: int
    said: _Said
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A question with other answers: those of each repeat before, and after."""

    key: str
    tags: Mapping[str, str]
    probe: str
    before: tuple[AnswerSide, ...]
    after: tuple[AnswerSide, ...]


@dataclass(frozen=True, slots=True)
class DifferingQuestion:
    """A question with other answers, not told yet: {attempt: what was said} of both runs."""

    key: str
    tags: Mapping[str, str]
    runs: tuple[int, int]
    before: Mapping[int, _Said]
    after: Mapping[int, _Said]


class AnswerScope(NamedTuple):
    """Properties of a series that decide which answers are behind it, and who may see them."""

    engine_id: int
    kind: Kind
    list: str
    source_lang: str
    target: str
    scope: str


def find_differing(
    connection: sa.Connection, of: AnswerScope, before_run: int, after_run: int
) -> list[DifferingQuestion]:
    """Return the questions of a series with other usable answers in two runs, by key.

    A question without a usable answer on one side is left out. `add_words` adds the words of as
    many as are shown. Of donated pages there are none to show: each is of one donor.
    """
    surface = sa.select(engines.c.surface).where(engines.c.id == of.engine_id)
    if connection.execute(surface).scalar_one_or_none() == DONATED:
        return []
    questions = _read_questions(connection, of, (before_run, after_run))
    before, after = (
        _read_usable(connection, of, run, questions.get(run, ())) for run in (before_run, after_run)
    )
    tags = {question.key: question.tags for question in questions.get(after_run, ())}
    return [
        DifferingQuestion(key, tags[key], (before_run, after_run), before[key], after[key])
        for key in sorted({*before} & {*after})
        if _answers_differ([*before[key].values()], [*after[key].values()])
    ]


def add_words(
    connection: sa.Connection, questions: Sequence[DifferingQuestion]
) -> list[ChangedAnswer]:
    """Return these questions with their words and those of their answers."""
    attempt_ids = [
        attempt for question in questions for attempt in (*question.before, *question.after)
    ]
    words = _read_words(connection, attempt_ids)
    changed = []
    for question in questions:
        before, after = (
            tuple(
                AnswerSide(run_id, attempt, said, words[attempt].text, words[attempt].sha256)
                for attempt, said in side.items()
            )
            for run_id, side in zip(question.runs, (question.before, question.after), strict=True)
        )
        probe = words[next(iter(question.after))].probe
        changed.append(ChangedAnswer(question.key, question.tags, probe, before, after))
    return changed


def _answers_differ(before: list[_Said], after: list[_Said]) -> bool:
    """Return whether the answers of all repeats differ, in any order."""
    return before != after and sorted(map(repr, before)) != sorted(map(repr, after))


def _read_questions(
    connection: sa.Connection, of: AnswerScope, run_ids: Sequence[int]
) -> dict[int, list[AskedItem]]:
    """Return {run: the questions of a series}, read once for a common list."""
    listed = find_list_versions(connection, run_ids, of.list)
    pair = of.source_lang, of.target
    questions = {
        list_id: [
            item
            for item in read_asked_items(connection, list_id, pair)
            if in_scope(item.tags, of.scope)
        ]
        for list_id in sorted(set(listed.values()))
    }
    return {run_id: questions[list_id] for run_id, list_id in listed.items()}


def _read_usable(
    connection: sa.Connection,
    of: AnswerScope,
    run_id: int,
    questions: Sequence[AskedItem],
) -> dict[str, dict[int, _Said]]:
    """Return {key of the question: {attempt: summary}} of usable answers, by repeat."""
    kind, template = of.kind, find_template(of.scope)
    read = _read_parts(connection, of, run_id, [question.probe for question in questions])
    answers = {
        question.key: {
            attempt: summarize_parts
            for attempt, parts in read.get(question.probe, {}).items()
            if (summarize_parts := _summarize_parts(parts, kind, question.cue, template))
        }
        for question in questions
    }
    return {key: summary for key, summary in answers.items() if summary}


def _read_parts(
    connection: sa.Connection, of: AnswerScope, run_id: int, probe_ids: Sequence[int]
) -> dict[int, dict[int, list[_Part]]]:
    """Return {probe: {attempt: what the newest parser found in its answer, in its order}}.

    Which parser is the newest is seen here and not asked: to ask for each answer takes a database
    twice as long as to read what older ones found, and there are seldom any.
    """
    query = (
        _PARTS.get(of.kind, _ENTRIES)
        .where(
            attempts.c.run_id == run_id, attempts.c.engine_id == of.engine_id,
            attempts.c.final, is_any_of(attempts.c.probe_id, probe_ids),
        )
    )  # fmt: skip
    parts_of: dict[int, dict[int, list[_Part]]] = {}
    newest: dict[int, int] = {}
    for probe, attempt, parser, outcome, *part in connection.execute(query).all():
        by_attempt = parts_of.setdefault(probe, {})
        if newest.get(attempt) != parser:  # they come in their order: what older ones found goes
            newest[attempt] = parser
            by_attempt.pop(attempt, None)
        if outcome == Outcome.OK:
            by_attempt.setdefault(attempt, []).append(part)
    return parts_of


class _ChangedWords(NamedTuple):
    """Words of an answer that is another one."""

    probe: str
    sha256: str
    text: str


def _read_words(connection: sa.Connection, attempt_ids: Sequence[int]) -> dict[int, _ChangedWords]:
    """Return the question, digest and text of each of these attempts."""
    is_wanted = is_any_of(attempts.c.id, attempt_ids)
    query = (
        sa.select(attempts.c.id, probes.c.text, sa.func.coalesce(bodies.c.sha256, ""))
        .join(probes, probes.c.id == attempts.c.probe_id)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(is_wanted)
    )
    read = (
        sa.select(attempts.c.id, items.c.text, items.c.title)
        .select_from(attempts)
        .join(readings, newest_reading())
        .join(items, items.c.reading_id == readings.c.id)
        .where(is_wanted)
        .order_by(attempts.c.id, items.c.rank, items.c.id)
    )
    texts = group_pairs(
        (attempt, text or title or "") for attempt, text, title in connection.execute(read)
    )
    return {
        attempt: _ChangedWords(probe, sha256, " | ".join(texts.get(attempt, ())))
        for attempt, probe, sha256 in connection.execute(query)
    }


def in_scope(tags: Mapping[str, Any], scope: str) -> bool:
    """Return whether a question with these tags belongs to a part of a series.

    Parts that no tag decides, as those by the genderedness of queries, have all questions.
    """
    kind, _, key = scope.partition(":")
    if kind == "template-stereotype":
        return str(tags.get("stereotype")) == key.partition("/")[2]
    if kind in ("all", "template", "bin"):
        return True
    name, _, value = key.partition("=") if kind == "tag" else (kind, "", key)
    return str(tags.get(name)) == value


def find_template(scope: str) -> str:
    """Return the template of a scope, `0` of `template-stereotype:0/7`; empty without one."""
    kind, _, key = scope.partition(":")
    return key.partition("/")[0] if kind in ("template", "template-stereotype") else ""


def _summarize_parts(parts: Sequence[_Part], kind: str, cue: str, template: str) -> _Said:
    """Return classes of a translation, results in order, or scores by template."""
    if kind == Kind.MT:
        # an entry is heard by each cue of the list; it says nothing by a cue that it has not.
        # newer rules come later
        classes: dict[object, object] = {item: None for item, _, _ in parts}
        classes |= {item: class_found for item, by, class_found in parts if by == cue}
        return tuple(classes.values())
    if kind == Kind.LM:
        return tuple(
            (template_name, ratio)
            for template_name, ratio in parts
            if template_name in (None, template or template_name)
        )
    return tuple((block, url or title) for block, url, title in parts)


# --- answers at a tick ----------------------------------------------------------------------------


class AnswerUse(StrEnum):
    """The use of an answer in a value, as far as it is the same for every quantity."""

    MARKED = "marked"  # read as masculine or feminine
    READ = "read"  # read, but neither: other classes; of other systems than translators any answer
    UNIDENTIFIED = "unidentified"  # there is an answer, and no class could be found
    MISSING = "missing"  # no usable answer


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


def read_answers(
    connection: sa.Connection, of: AnswerScope, run_id: int, items: Sequence[AskedItem]
) -> list[TickAnswer]:
    """Return every planned question and repeat in list order, by the newest versions.

    `items` are the questions of the list. A part by something else than tags has those of the
    whole.
    """
    in_series = [asked_item for asked_item in items if in_scope(asked_item.tags, of.scope)]
    those = (
        attempts.c.run_id == run_id,
        attempts.c.engine_id == of.engine_id,
        is_any_of(attempts.c.probe_id, [asked_item.probe for asked_item in in_series]),
        IS_LAST_TRY,
    )
    if of.kind is Kind.MT:
        readings_of = _read_translated(connection, those)
    elif of.kind is Kind.LM:
        readings_of = _read_scored(connection, those, find_template(of.scope))
    else:
        readings_of = _read_result_lists(connection, those)
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
#: Conditions for the attempts at the questions that count or wait.
_Those = tuple[sa.ColumnElement[bool], ...]


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
    scored = (
        attempts.outerjoin(readings, newest_reading() & (readings.c.outcome == Outcome.OK))
        .outerjoin(items, items.c.reading_id == readings.c.id)
        .outerjoin(lm_scores, (lm_scores.c.item_id == items.c.id) & is_wanted)
    )
    return _read_counts(connection, those, scored, lm_scores.c.id)


def _read_result_lists(connection: sa.Connection, those: _Those) -> _Found:
    """Return whether search engines gave a readable page; an empty one is an answer."""
    usable = sa.and_(
        readings.c.outcome.in_((Outcome.OK, Outcome.EMPTY)),
        readings.c.reason != Reason.SUSPECT_EMPTY,
    )
    read = attempts.outerjoin(readings, newest_reading() & usable)
    return _read_counts(connection, those, read, readings.c.id)


def _read_counts(
    connection: sa.Connection, those: _Those, source: sa.FromClause, counted: sa.Column[int]
) -> _Found:
    """Return whether there is any of what is counted for each attempt."""
    keys = (attempts.c.probe_id, attempts.c.repeat, attempts.c.id)
    query = sa.select(*keys, sa.func.count(counted)).select_from(source)
    query = query.where(*those).group_by(*keys)
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
    parts = _read_item_parts(connection, [row[4] for row in rows if row[4] is not None], of)
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
_MOST_PARTS = 5


def _read_item_parts(
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
        .where(items.c.reading_id.in_(sorted(reading_ids)), items.c.rank <= _MOST_PARTS)
        .order_by(items.c.reading_id, items.c.block, items.c.rank)
    )  # fmt: skip
    wanted = (None, template) if template else None
    return group_pairs(
        (row["reading_id"], dict(row))
        for row in connection.execute(query).mappings()
        if wanted is None or row["template"] in wanted
    )


def read_question_values(
    connection: sa.Connection, point_id: int, keys: Sequence[str]
) -> dict[str, tuple[str, str, float | None]]:
    """Return {key: (state, reason, value)} of questions, where a point keeps a value for each."""
    query = sa.select(
        query_values.c.key, query_values.c.state, query_values.c.reason, query_values.c.value
    ).where(query_values.c.point_id == point_id, query_values.c.key.in_(sorted(set(keys))))
    return {row[0]: (row[1], row[2], row[3]) for row in connection.execute(query)}
