"""Which answers were others: the evidence on both sides of a change, question by question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from monitor.model import Outcome
from monitor.store.schema import (
    agreements,
    attempts,
    bodies,
    exchanges,
    items,
    lists,
    lm_scores,
    probes,
    readings,
    run_lists,
)
from monitor.store.signals import Asked, asked_items

_newer, _later = readings.alias(), agreements.alias()
_newest = (
    sa.select(sa.func.max(_newer.c.parser_id))
    .where(_newer.c.attempt_id == attempts.c.id)
    .scalar_subquery()
)
#: Joins attempts with their newest reading.
NEWEST_READING = (readings.c.attempt_id == attempts.c.id) & (readings.c.parser_id == _newest)
#: The newest version of the rules that heard an item by a cue.
_newest_rules = (
    sa.select(sa.func.max(_later.c.language_id))
    .where(_later.c.item_id == items.c.id, _later.c.cue == agreements.c.cue)
    .scalar_subquery()
)

#: What an answer is taken for in a comparison: its classes, what it shows, or its scores.
_Said: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One answer: what it was taken for, and where it is kept (`monitor evidence show`)."""

    run_id: int
    attempt_id: int
    said: _Said
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Flipped:
    """A question with other answers: those of each repeat before, and after."""

    key: str
    probe: str
    before: tuple[Side, ...]
    after: tuple[Side, ...]


class _Part(NamedTuple):
    """What was found in one entry of an answer by one cue, or of one template."""

    item: int | None
    block: str | None
    url: str | None
    title: str | None
    cue: str | None
    found: str | None
    template: str | None
    log_ratio: float | None


def flips(
    connection: sa.Connection, series: Mapping[str, Any], before_run: int, after_run: int
) -> list[Flipped]:
    """The questions of a series whose usable answers differ between two runs, in order of keys.

    `series` has engine_id, list, source_lang, target, scope and engine_kind. A question without a
    usable answer on one side is none of them: nothing is known of it.
    """
    asked = _asked(connection, series, (before_run, after_run))
    before, after = (
        _answers(connection, series, run, asked.get(run, ())) for run in (before_run, after_run)
    )
    others = [
        key
        for key in sorted({*before} & {*after})
        if _differ([*before[key].values()], [*after[key].values()])
    ]
    told = _told(connection, [at for side in (before, after) for key in others for at in side[key]])

    def sides(run_id: int, said: Mapping[int, _Said]) -> tuple[Side, ...]:
        return tuple(Side(run_id, at, said[at], told[at].text, told[at].sha256) for at in said)

    return [
        Flipped(
            key, told[next(iter(after[key]))].probe,
            sides(before_run, before[key]), sides(after_run, after[key]),
        )
        for key in others
    ]  # fmt: skip


def _differ(before: list[_Said], after: list[_Said]) -> bool:
    """Whether the answers of all repeats differ, in whichever order they came."""
    return before != after and sorted(map(repr, before)) != sorted(map(repr, after))


def _asked(
    connection: sa.Connection, series: Mapping[str, Any], run_ids: Sequence[int]
) -> dict[int, list[Asked]]:
    """{run: the questions of a series}; read once where both runs ask the same list."""
    query = (
        sa.select(run_lists.c.run_id, lists.c.id)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .where(run_lists.c.run_id.in_(run_ids), lists.c.name == series["list"])
    )
    listed = {run_id: list_id for run_id, list_id in connection.execute(query)}  # noqa: C416
    pair = series["source_lang"], series["target"]
    questions = {
        list_id: [
            one
            for one in asked_items(connection, list_id, pair)
            if in_scope(one.tags, series["scope"])
        ]
        for list_id in sorted(set(listed.values()))
    }
    return {run_id: questions[list_id] for run_id, list_id in listed.items()}


def _answers(
    connection: sa.Connection, series: Mapping[str, Any], run_id: int, asked: Sequence[Asked]
) -> dict[str, dict[int, _Said]]:
    """{key of the question: {attempt: what was said}} of usable answers, by repeat."""
    read = _read(connection, series, run_id, [one.probe for one in asked])
    return {
        one.key: {
            attempt: _said(rows, one.cue, series["engine_kind"])
            for attempt, rows in read[one.probe].items()
        }
        for one in asked
        if one.probe in read
    }


def _read(
    connection: sa.Connection, series: Mapping[str, Any], run_id: int, asked: Sequence[int]
) -> dict[int, dict[int, list[_Part]]]:
    """{probe: {attempt: what the newest versions found in its answer, in its order}}."""
    # written out: a part of a list can have more probes than a statement may have parameters
    some = sa.bindparam(None, sorted(asked), sa.Integer, expanding=True, literal_execute=True)
    query = (
        sa.select(
            attempts.c.probe_id, attempts.c.id, items.c.id.label("item"), items.c.block,
            items.c.url, items.c.title, agreements.c.cue, agreements.c["class"].label("found"),
            lm_scores.c.template, lm_scores.c.log_ratio,
        )
        .select_from(attempts)
        .join(readings, NEWEST_READING & (readings.c.outcome == Outcome.OK))
        .outerjoin(items, items.c.reading_id == readings.c.id)
        .outerjoin(
            agreements,
            (agreements.c.item_id == items.c.id) & (agreements.c.language_id == _newest_rules),
        )
        .outerjoin(lm_scores, lm_scores.c.item_id == items.c.id)
        .where(
            attempts.c.run_id == run_id, attempts.c.engine_id == series["engine_id"],
            attempts.c.final, attempts.c.probe_id.in_(some),
        )
        .order_by(attempts.c.repeat, attempts.c.id, items.c.rank, items.c.id)
    )  # fmt: skip
    template = template_of(series["scope"])
    found: dict[int, dict[int, list[_Part]]] = {}
    for probe, attempt, *rest in connection.execute(query).all():
        part = _Part(*rest)
        if part.template in (None, template or part.template):
            found.setdefault(probe, {}).setdefault(attempt, []).append(part)
    return found


class _Told(NamedTuple):
    """Words of an answer that is another one."""

    probe: str
    sha256: str
    text: str


def _told(connection: sa.Connection, wanted: Sequence[int]) -> dict[int, _Told]:
    """The question of each of these attempts, and what came: digest and text."""
    some = sa.bindparam(None, sorted(wanted), sa.Integer, expanding=True, literal_execute=True)
    asked = (
        sa.select(attempts.c.id, probes.c.text, sa.func.coalesce(bodies.c.sha256, ""))
        .join(probes, probes.c.id == attempts.c.probe_id)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(attempts.c.id.in_(some))
    )
    read = (
        sa.select(attempts.c.id, items.c.text, items.c.title)
        .select_from(attempts)
        .join(readings, NEWEST_READING)
        .join(items, items.c.reading_id == readings.c.id)
        .where(attempts.c.id.in_(some))
        .order_by(attempts.c.id, items.c.rank, items.c.id)
    )
    texts: dict[int, list[str]] = {}
    for attempt, text, title in connection.execute(read):
        texts.setdefault(attempt, []).append(text or title or "")
    return {
        attempt: _Told(probe, sha256, " | ".join(texts.get(attempt, ())))
        for attempt, probe, sha256 in connection.execute(asked)
    }


def in_scope(tags: Mapping[str, Any], scope: str) -> bool:
    """Whether a question with these tags belongs to a part of a series.

    Parts that no tag decides, as those by the genderedness of queries, have all questions.
    """
    kind, _, key = scope.partition(":")
    if kind == "template-stereotype":
        return str(tags.get("stereotype")) == key.partition("/")[2]
    if kind in ("all", "template", "bin"):
        return True
    name, _, value = key.partition("=") if kind == "tag" else (kind, "", key)
    return str(tags.get(name)) == value


def template_of(scope: str) -> str:
    """`0` of `template:0` and `template-stereotype:0/7`; empty where a part has no template."""
    kind, _, key = scope.partition(":")
    return key.partition("/")[0] if kind in ("template", "template-stereotype") else ""


def _said(parts: Sequence[_Part], cue: str, kind: str) -> _Said:
    """What decides: classes of a translation, results in their order, scores by template."""
    if kind == "mt":
        # an entry is heard by each cue of the list; it says nothing by a cue that it has not
        heard: dict[int | None, str | None] = {one.item: None for one in parts}
        heard |= {one.item: one.found for one in parts if one.cue == cue}
        return tuple(heard.values())
    if kind == "lm":
        return tuple((one.template, one.log_ratio) for one in parts)
    return tuple((one.block, one.url or one.title) for one in parts)
