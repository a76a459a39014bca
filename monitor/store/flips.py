"""Which answers were others: the evidence on both sides of a change, question by question."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import sqlalchemy as sa

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


def flips(
    connection: sa.Connection, series: Mapping[str, Any], before_run: int, after_run: int
) -> list[Flipped]:
    """The questions of a series whose usable answers differ between two runs, in order of keys.

    `series` has engine, surface, list, source_lang, target, scope and engine_kind. A question
    without a usable answer on one side is none of them: nothing is known of it.
    """
    before, after = (_answers(connection, series, run) for run in (before_run, after_run))
    return [
        Flipped(key, now[0], tuple(then[1]), tuple(now[1]))
        for key, then, now in (
            (key, before[key], after[key]) for key in sorted({*before} & {*after})
        )
        if sorted(repr(one.said) for one in then[1]) != sorted(repr(one.said) for one in now[1])
    ]


def _answers(
    connection: sa.Connection, series: Mapping[str, Any], run_id: int
) -> dict[str, tuple[str, list[Side]]]:
    """{key of the question: (its words, usable answers by repeat)}."""
    query = sa.text(
        "SELECT item_key, tags, probe, repeat, attempt_id, item_rank, text, title, url, block, "
        "class AS found, log_ratio, template, body_sha256 FROM answers "
        "WHERE run_id = :run AND engine = :engine AND surface = :surface AND target = :target "
        "AND source_lang = :source AND final AND outcome = 'ok' AND list LIKE :list "
        "ORDER BY item_key, repeat, attempt_id, item_rank"
    )
    named = {
        "run": run_id,
        "engine": series["engine"],
        "surface": series["surface"],
        "target": series["target"],
        "source": series["source_lang"],
        "list": f"{series['list']}@%",
    }
    template = template_of(series["scope"])
    read: dict[str, dict[int, list[sa.Row[Any]]]] = {}
    for row in connection.execute(query, named):
        known = json.loads(row.tags) if isinstance(row.tags, str) else row.tags  # SQLite: text
        if in_scope(known, series["scope"]) and row.template in (None, template or row.template):
            read.setdefault(row.item_key, {}).setdefault(row.attempt_id, []).append(row)
    return {
        key: (
            next(iter(attempts.values()))[0].probe,
            [
                Side(
                    run_id, attempt, _said(rows, series["engine_kind"]), _text(rows),
                    rows[0].body_sha256 or "",
                )
                for attempt, rows in attempts.items()
            ],
        )
        for key, attempts in read.items()
    }  # fmt: skip


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


def _said(rows: list[sa.Row[Any]], kind: str) -> _Said:
    """What decides: classes of a translation, results in their order, scores by template."""
    if kind == "mt":
        return tuple(row.found for row in rows)
    if kind == "lm":
        return tuple((row.template, row.log_ratio) for row in rows)
    return tuple((row.block, row.url or row.title) for row in rows)


def _text(rows: list[sa.Row[Any]]) -> str:
    return " | ".join(row.text or row.title or "" for row in rows)
