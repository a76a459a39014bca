"""Which questions belong to a part of a series, and which of them have other answers."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor.model import Kind, Outcome, RunKind
from monitor.store import rows
from monitor.store.changes.changed_answers import (
    AnswerScope,
    add_words,
    find_differing,
    find_template,
    in_scope,
)
from monitor.store.schema import (
    agreements,
    attempts,
    engines,
    items,
    lm_scores,
    probes,
    readings,
    versions,
)
from tests.cases import check_each
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, run_audit

TAGS = {"stereotype": "7", "half": "odd"}


@check_each(
    ("scope", "is_in"),
    [
        ("all", True), ("stereotype:7", True), ("stereotype:17", False), ("stereotype:1", False),
        ("tag:half=odd", True), ("tag:half=even", False), ("tag:other=odd", False),
        ("template:0", True), ("template-stereotype:0/7", True), ("template-stereotype:7/0", False),
        ("bin:feminine", True),
    ],
)  # fmt: skip
def test_a_part_has_the_questions_of_its_tag(scope, is_in):
    assert in_scope(TAGS, scope) is is_in


def test_parts_of_models_have_a_template():
    assert find_template("template-stereotype:3/7") == find_template("template:3") == "3"
    assert find_template("stereotype:3") == find_template("all") == ""


# --- what newer versions found ------------------------------------------------------------------

#: Of these two questions the answers differ between the runs.
OTHER = ("s01-1", "s09-2")


@pytest.fixture
def two_runs(database, tmp_path):
    """(series, runs) of a list that was asked twice; the answers to OTHER differ."""
    audit = make_audit(tmp_path)
    first = portuguese(mini_items())
    second = portuguese(
        mini_items(), lambda item: (int(item["stereotype"]) <= 7) is not (item["key"] in OTHER)
    )
    found = tuple(
        run_audit(database, audit, Scripted(answers), due_at, RunKind.SCHEDULED).run.id
        for answers, due_at in ((first, DUE), (second, DUE + timedelta(weeks=1)))
    )
    with database.read() as connection:
        engine_id = connection.execute(sa.select(engines.c.id)).scalar_one()
    return AnswerScope(engine_id, Kind.MT, "mini", "en", "pt", "all"), found


def keys(database, two_runs, **changes):
    series, (before, after) = two_runs
    with database.read() as connection:
        return [
            one.key for one in find_differing(connection, series._replace(**changes), before, after)
        ]


def answered(connection, key, run_id):
    """(attempt, reading, item) of a question: of `s09-2` that which is "I am tired 9 2."."""
    stereotype, n = key[1:].split("-")
    query = (
        sa.select(attempts.c.id, readings.c.id.label("reading"), items.c.id.label("item"))
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .join(items, items.c.reading_id == readings.c.id)
        .where(probes.c.text == f"I am tired {int(stereotype)} {n}.", attempts.c.run_id == run_id)
        .order_by(items.c.id)
        .limit(1)
    )
    return connection.execute(query).one()


def newer(connection, kind):
    """A version that is newer than all others."""
    key = {"kind": kind, "name": "newer", "version": 9, "fingerprint": "newer"}
    return rows.get_or_insert(connection, versions, key, {})


def read_anew(connection, attempt_id, outcome, cls=None):
    """What a parser that is newer than all others found."""
    row = {"attempt_id": attempt_id, "parser_id": newer(connection, "engines"),
           "outcome": outcome, "reason": "", "detail": ""}  # fmt: skip
    reading = connection.execute(sa.insert(readings).values(row)).inserted_primary_key[0]
    if cls is None:
        return
    hear(connection, shown(connection, reading, 1, cls), cls)


def shown(connection, reading_id, rank, text):
    """An entry of an answer."""
    row = {"reading_id": reading_id, "block": "translation", "rank": rank, "text": text, "url": "",
           "title": "", "entity": ""}  # fmt: skip
    return connection.execute(sa.insert(items).values(row)).inserted_primary_key[0]


def hear(connection, item_id, cls, language_id=None):
    known = connection.execute(sa.select(sa.func.max(agreements.c.language_id))).scalar()
    row = {"item_id": item_id, "language_id": language_id or known, "cue": "agreement",
           "class": cls, "masculine": 0, "feminine": 0, "rule": "", "witnesses": []}  # fmt: skip
    connection.execute(sa.insert(agreements).values(row))


def test_questions_with_other_answers_are_found_and_told(database, two_runs):
    assert keys(database, two_runs) == list(OTHER)
    assert keys(database, two_runs, scope="stereotype:9") == [OTHER[1]]
    assert keys(database, two_runs, scope="stereotype:8") == []
    series, (before, after) = two_runs
    with database.read() as connection:
        found = find_differing(connection, series, before, after)
        [last] = add_words(connection, found[1:])
    assert (last.key, last.probe) == (OTHER[1], "I am tired 9 2.")
    assert [(one.run_id, one.said, one.text) for one in (*last.before, *last.after)] == [
        (before, ("masculine",), "Estou cansado."), (after, ("feminine",), "Estou cansada."),
    ]  # fmt: skip


def test_what_a_newer_parser_found_counts_alone(database, two_runs):
    _, (before, after) = two_runs
    with database.begin() as connection:
        at = answered(connection, OTHER[0], after).id
        read_anew(connection, at, Outcome.OK, "feminine")  # as it was before
        read_anew(connection, answered(connection, "s03-1", before).id, Outcome.OK, "masculine")
    assert keys(database, two_runs) == ["s03-1", OTHER[1]]


def test_what_a_newer_parser_cannot_read_is_no_answer(database, two_runs):
    with database.begin() as connection:
        at = answered(connection, OTHER[0], two_runs[1][0]).id
        read_anew(connection, at, Outcome.UNREADABLE)
    assert keys(database, two_runs) == [OTHER[1]]


def test_what_newer_rules_heard_counts_alone(database, two_runs):
    with database.begin() as connection:
        rules, after = newer(connection, "languages"), two_runs[1][1]
        hear(connection, answered(connection, OTHER[0], after).item, "feminine", rules)
        hear(connection, answered(connection, "s12-1", after).item, "both", rules)
    assert keys(database, two_runs) == [OTHER[1], "s12-1"]


def test_of_models_the_scores_of_a_template_decide(database, two_runs):
    _, both = two_runs
    scores = {"s02-1": ((0.5, 0.2), (0.5, 0.3)), "s04-2": ((0.5, 0.1), (0.6, 0.1))}
    with database.begin() as connection:
        for key, by_run in scores.items():
            for run_id, by_template in zip(both, by_run, strict=True):
                at = answered(connection, key, run_id)
                for template, ratio in enumerate(by_template):
                    item = shown(connection, at.reading, 2 + template, "")
                    row = {"item_id": item, "template": str(template), "log_ratio": ratio}
                    connection.execute(sa.insert(lm_scores).values(row))
    of = {"kind": Kind.LM}
    assert keys(database, two_runs, **of) == ["s02-1", "s04-2"]
    assert keys(database, two_runs, **of, scope="template:0") == ["s04-2"]
    assert keys(database, two_runs, **of, scope="template-stereotype:1/2") == ["s02-1"]
    assert keys(database, two_runs, **of, scope="template:7") == []


def test_of_lists_the_entries_in_their_order_decide(database, two_runs):
    with database.begin() as connection:
        item = answered(connection, "s05-1", two_runs[1][1]).item
        connection.execute(sa.update(items).where(items.c.id == item).values(url="https://x.test"))
    assert keys(database, two_runs, kind=Kind.SEARCH) == ["s05-1"]
