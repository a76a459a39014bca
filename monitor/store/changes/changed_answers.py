"""Find the questions whose answers differ between two runs, with both answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from monitor.model import DONATED, Kind, Outcome
from monitor.store.derive.signals import AskedItem, read_asked_items
from monitor.store.schema import (
    agreements,
    attempts,
    bodies,
    engines,
    exchanges,
    items,
    lists,
    lm_scores,
    probes,
    readings,
    run_lists,
)
from monitor.store.selectables import newest_reading

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
    probe: str
    before: tuple[AnswerSide, ...]
    after: tuple[AnswerSide, ...]


@dataclass(frozen=True, slots=True)
class DifferingQuestion:
    """A question with other answers, not told yet: {attempt: what was said} of both runs."""

    key: str
    runs: tuple[int, int]
    before: Mapping[int, _Said]
    after: Mapping[int, _Said]


def find_differing(
    connection: sa.Connection, series: Mapping[str, Any], before_run: int, after_run: int
) -> list[DifferingQuestion]:
    """Return the questions of a series with other usable answers in two runs, by key.

    `series` has engine_id, list, source_lang, target, scope and engine_kind. A question without a
    usable answer on one side is left out. `add_words` adds the words of as many as are shown. Of
    donated pages there are none to show: each is of one donor.
    """
    surface = sa.select(engines.c.surface).where(engines.c.id == series["engine_id"])
    if connection.execute(surface).scalar_one_or_none() == DONATED:
        return []
    questions = _read_questions(connection, series, (before_run, after_run))
    before, after = (
        _read_answers(connection, series, run, questions.get(run, ()))
        for run in (before_run, after_run)
    )
    return [
        DifferingQuestion(key, (before_run, after_run), before[key], after[key])
        for key in sorted({*before} & {*after})
        if _answers_differ([*before[key].values()], [*after[key].values()])
    ]


def add_words(
    connection: sa.Connection, questions: Sequence[DifferingQuestion]
) -> list[ChangedAnswer]:
    """Return these questions with their words and those of their answers."""
    words = _read_words(
        connection,
        [
            attempt_id
            for question in questions
            for side in (question.before, question.after)
            for attempt_id in side
        ],
    )

    def sides(run_id: int, parts_of: Mapping[int, _Said]) -> tuple[AnswerSide, ...]:
        return tuple(
            AnswerSide(
                run_id,
                attempt_id,
                parts_of[attempt_id],
                words[attempt_id].text,
                words[attempt_id].sha256,
            )
            for attempt_id in parts_of
        )

    return [
        ChangedAnswer(
            question.key, words[next(iter(question.after))].probe,
            sides(question.runs[0], question.before), sides(question.runs[1], question.after),
        )
        for question in questions
    ]  # fmt: skip


def _answers_differ(before: list[_Said], after: list[_Said]) -> bool:
    """Return whether the answers of all repeats differ, in any order."""
    return before != after and sorted(map(repr, before)) != sorted(map(repr, after))


def _read_questions(
    connection: sa.Connection, series: Mapping[str, Any], run_ids: Sequence[int]
) -> dict[int, list[AskedItem]]:
    """Return {run: the questions of a series}, read once for a common list."""
    query = (
        sa.select(run_lists.c.run_id, lists.c.id)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .where(run_lists.c.run_id.in_(run_ids), lists.c.name == series["list"])
    )
    listed = {run_id: list_id for run_id, list_id in connection.execute(query)}  # noqa: C416
    pair = series["source_lang"], series["target"]
    questions = {
        list_id: [
            item
            for item in read_asked_items(connection, list_id, pair)
            if in_scope(item.tags, series["scope"])
        ]
        for list_id in sorted(set(listed.values()))
    }
    return {run_id: questions[list_id] for run_id, list_id in listed.items()}


def _read_answers(
    connection: sa.Connection,
    series: Mapping[str, Any],
    run_id: int,
    questions: Sequence[AskedItem],
) -> dict[str, dict[int, _Said]]:
    """Return {key of the question: {attempt: summary}} of usable answers, by repeat."""
    kind, template = series["engine_kind"], find_template(series["scope"])
    read = _read_parts(connection, series, run_id, [question.probe for question in questions])
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
    connection: sa.Connection, series: Mapping[str, Any], run_id: int, probe_ids: Sequence[int]
) -> dict[int, dict[int, list[_Part]]]:
    """Return {probe: {attempt: what the newest parser found in its answer, in its order}}.

    Which parser is the newest is seen here and not asked: to ask for each answer takes a database
    twice as long as to read what older ones found, and there are seldom any.
    """
    # written out: a part of a list can have more probes than a statement may have parameters
    probe_parameter = sa.bindparam(
        None, sorted(probe_ids), sa.Integer, expanding=True, literal_execute=True
    )
    query = (
        _PARTS.get(series["engine_kind"], _ENTRIES)
        .where(
            attempts.c.run_id == run_id, attempts.c.engine_id == series["engine_id"],
            attempts.c.final, attempts.c.probe_id.in_(probe_parameter),
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
    attempt_parameter = sa.bindparam(
        None, sorted(attempt_ids), sa.Integer, expanding=True, literal_execute=True
    )
    query = (
        sa.select(attempts.c.id, probes.c.text, sa.func.coalesce(bodies.c.sha256, ""))
        .join(probes, probes.c.id == attempts.c.probe_id)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(attempts.c.id.in_(attempt_parameter))
    )
    read = (
        sa.select(attempts.c.id, items.c.text, items.c.title)
        .select_from(attempts)
        .join(readings, newest_reading())
        .join(items, items.c.reading_id == readings.c.id)
        .where(attempts.c.id.in_(attempt_parameter))
        .order_by(attempts.c.id, items.c.rank, items.c.id)
    )
    texts: dict[int, list[str]] = {}
    for attempt, text, title in connection.execute(read):
        texts.setdefault(attempt, []).append(text or title or "")
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
