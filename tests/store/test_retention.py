"""Contents whose days are over go; what anybody still needs, and all that follows, stays."""

import hashlib
import os
from datetime import timedelta
from itertools import chain

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.model import Answer, BodyRemoved, Outcome, Purpose
from monitor.pipeline import maintenance
from monitor.pipeline.maintenance import collect_garbage
from monitor.store.collect import bodies, evidence
from monitor.store.collect.bodies import RemovalReason
from monitor.store.collect.runs import mark_stage
from monitor.store.derive import readings, texts
from monitor.store.jobs import declarations
from monitor.store.maintenance import retention
from monitor.store.publish import verification
from monitor.store.schema import (
    attempts,
    bundle_files,
    exchanges,
    jobs,
    people_lookups,
    runs,
    stages_done,
    tasks,
)
from monitor.store.schema import bodies as table
from tests import kept
from tests.cases import check_each
from tests.factories import Scripted, make_audit, mini_items, portuguese, quiet, rows, run_audit
from tests.kept import kept_database, kept_folder, kept_postgres  # noqa: F401 - fixtures

ALL = {"answer": 730, "screenshot": 90, "lookup": 180, "document": 365}
LATER = kept.DUE + timedelta(days=1000)


@pytest.fixture
def audited(kept_database):  # noqa: F811
    """Six exchanges of one day: two of them with one page, one without any answer."""
    database = kept_database
    with database.begin() as connection:  # what came over HTTP came now
        late = sa.update(exchanges).where(exchanges.c.asked_at > LATER - timedelta(days=900))
        connection.execute(late.values(asked_at=kept.DUE))
        connection.execute(sa.update(runs).values(state="partial"))
    return database


def keep_for(database, days, **where):
    """Say in the content of jobs how long they keep what."""
    with database.begin() as connection:
        for row in connection.execute(sa.select(jobs).filter_by(**where)).all():
            content = {**row.content, "governance": {"retention": days}}
            change = sa.update(jobs).where(jobs.c.id == row.id)
            connection.execute(change.values(content=content))


def sweep(database, days_later=1000, dry_run=False):
    return collect_garbage(database, kept.DUE + timedelta(days=days_later), dry_run)


def went(swept):
    return {(line.job, line.kind): line.n for line in swept.lines if line.n}


def row_of(database, content):
    with database.read() as connection:
        sha256 = hashlib.sha256(content).hexdigest()
        return connection.execute(sa.select(table).where(table.c.sha256 == sha256)).one()


def get(database, body_id):
    with database.read() as connection:
        return bodies.read_body(connection, database, body_id)


def living(database):
    return {row["id"] for row in rows(database, "SELECT id FROM bodies WHERE removed_at IS NULL")}


def files(database):
    return sorted(path for path in database.bodies.rglob("*") if path.is_file())


def test_without_days_everything_is_kept_for_ever(audited):
    before = living(audited), files(audited)
    swept = sweep(audited, 100_000)
    assert (swept.policies, swept.n, swept.lines) == (0, 0, ())
    assert (living(audited), files(audited)) == before


def test_a_class_goes_on_the_day_that_its_time_is_over(audited):
    keep_for(audited, ALL)
    assert sweep(audited, 89).n == 0
    swept = sweep(audited, 91)
    assert went(swept) == {("mini", "screenshot"): 2}
    line = next(one for one in swept.lines if one.kind == "screenshot")
    assert (line.days, line.oldest) == (90, None)
    assert line.size == swept.size > 9_000
    answer = next(one for one in swept.lines if one.kind == "answer")
    assert (answer.days, answer.n, answer.oldest) == (730, 0, kept.DUE)
    gone = row_of(audited, kept.PNG)
    assert (gone.content, gone.size) == (None, len(kept.PNG))
    assert gone.removed_because == "retention"
    with pytest.raises(BodyRemoved, match=rf"{gone.sha256} was removed on 2025-04-07 \(retention"):
        get(audited, gone.id)
    assert not bodies.find_body_file(audited, gone.sha256).exists()
    assert get(audited, row_of(audited, kept.LARGE).id) == kept.LARGE


def test_a_dry_run_changes_nothing_and_counts_the_same(audited):
    keep_for(audited, ALL)
    before = living(audited), files(audited)
    said = sweep(audited, dry_run=True)
    assert (living(audited), files(audited)) == before
    done = sweep(audited)
    assert went(said) == went(done) == {
        ("mini", "answer"): 4, ("mini", "screenshot"): 2, ("mini", "lookup"): 1,
    }  # fmt: skip
    assert (said.size, [one.oldest for one in said.lines]) == (
        done.size, [one.oldest for one in done.lines],
    )  # fmt: skip


def test_twice_is_as_once(audited):
    keep_for(audited, ALL)
    assert sweep(audited).n == 7
    before = rows(audited, "SELECT * FROM bodies ORDER BY id"), files(audited)
    again = sweep(audited, 1001)
    assert (again.n, again.size, again.orphans) == (0, 0, 0)
    assert (rows(audited, "SELECT * FROM bodies ORDER BY id"), files(audited)) == before


def test_in_small_portions_the_same_goes(audited, monkeypatch):
    keep_for(audited, ALL)
    monkeypatch.setattr(retention, "PORTION", 2)
    monkeypatch.setattr(maintenance, "_AT_ONCE", 1)
    seen = []
    swept = collect_garbage(audited, LATER, False, seen.append)
    assert swept.n == 7
    assert seen == sorted(seen)


def test_a_shared_body_stays_while_one_reference_is_in_time(audited):
    """Exchanges 1 and 2 have the same page."""
    keep_for(audited, {"answer": 30})
    page = row_of(audited, kept.LARGE)
    later = kept.DUE + timedelta(days=20)
    with audited.begin() as connection:
        newer = sa.update(exchanges).where(exchanges.c.id == 2)
        connection.execute(newer.values(asked_at=later))
    swept = sweep(audited, 40)
    assert page.id in living(audited)
    assert went(swept) == {("mini", "answer"): 3}
    assert next(one for one in swept.lines if one.kind == "answer").oldest == kept.DUE
    assert went(sweep(audited, 51)) == {("mini", "answer"): 1}
    assert page.id not in living(audited)


def test_a_body_that_another_job_keeps_stays(audited):
    keep_for(audited, ALL)
    page = row_of(audited, kept.LARGE)
    with audited.begin() as connection:
        other = dict(connection.execute(sa.select(jobs)).mappings().first())
        job = {**other, "id": 99, "name": "other", "content": {"name": "other"}}
        connection.execute(sa.insert(jobs).values(job))
        run = dict(connection.execute(sa.select(runs)).mappings().first())
        connection.execute(sa.insert(runs).values({**run, "id": 99, "job_id": 99, "job": "other"}))
        mark_stage(connection, 99, "parse", "google_web@1")
        one = dict(connection.execute(sa.select(exchanges)).mappings().first())
        connection.execute(sa.insert(exchanges).values({**one, "id": 99, "run_id": 99}))
    sweep(audited)
    assert page.id in living(audited)
    assert row_of(audited, kept.PNG).id in living(audited)
    keep_for(audited, {"answer": 1}, name="other")
    sweep(audited)
    assert page.id not in living(audited)
    assert row_of(audited, kept.PNG).id in living(audited)


@pytest.mark.parametrize("what", ["running", "interrupted", "open task", "not read"])
def test_what_a_run_still_has_to_be_read_from_is_kept(audited, what):
    """However short the days are: a run may ask for longer than that, and is read after it."""
    keep_for(audited, ALL)
    task = {
        "run_id": 1, "stage": "derive", "lane": "", "state": "open", "tries": 0, "reason": "",
        "changed_at": kept.DUE,
    }  # fmt: skip
    change = {
        "open task": sa.insert(tasks).values(task),
        "not read": sa.delete(stages_done).where(stages_done.c.stage == "parse"),
    }.get(what, sa.update(runs).values(state=what))
    before = living(audited)
    with audited.begin() as connection:
        connection.execute(change)
    assert sweep(audited).n == len(rows(audited, "SELECT id FROM people.people_lookups"))
    assert living(audited) == before
    with audited.begin() as connection:  # now it is done with all of it
        connection.execute(sa.update(tasks).values(state="done"))
        connection.execute(sa.update(runs).values(state="done"))
        mark_stage(connection, 1, "parse", "google_web@1")
    assert sweep(audited).n > 0
    assert row_of(audited, kept.LARGE).id not in living(audited)


def test_what_is_to_be_done_again_after_we_looked_stays(audited):
    days = {"mini": {"screenshot": 90}}
    now = kept.DUE + timedelta(days=91)
    with audited.read() as connection:
        found = retention.find_expired(connection, audited, days, now, 0)
    assert len(found.doomed) == 2
    with audited.begin() as connection:
        connection.execute(sa.update(runs).values(state="running"))
        assert retention.remove_expired(connection, audited, days, now, found.doomed) == ([], [])


def test_one_content_in_two_classes_goes_by_the_longer(audited):
    keep_for(audited, {"answer": 30, "screenshot": 60})
    with audited.begin() as connection:
        shot = row_of(audited, kept.PNG).id
        first = sa.update(exchanges).where(exchanges.c.id == 3)
        connection.execute(first.values(body_id=shot))
    sweep(audited, 40)
    assert row_of(audited, kept.PNG).id in living(audited)
    assert ("mini", "screenshot") in went(sweep(audited, 61))
    assert row_of(audited, kept.PNG).id not in living(audited)


def test_files_of_jobs_never_go(audited):
    keep_for(audited, {**ALL, "job": 1})
    sweep(audited, 100_000)
    with audited.read() as connection:
        kept_files = connection.execute(sa.select(bundle_files.c.bundle_id)).scalars().all()
        with declarations.unpack_bundle(connection, audited, kept_files[0]) as folder:
            assert len([path for path in folder.rglob("*") if path.is_file()]) == len(kept_files)


def test_pages_behind_results_and_look_ups_go_by_their_own_classes(audited):
    page = Answer(Outcome.OK, kept.DUE, 0.1, status=200, body=b"<p>page</p>" * 900)
    request = {"method": "GET", "url": "https://lists.test/1"}
    with audited.begin() as connection:
        lookup = evidence.store_lookup(connection, audited, 1, Purpose.LANDING, request, page)
        some = [
            texts.StoredDocument("https://lists.test/1", "words", lookup_id=lookup),
            texts.StoredDocument("https://lists.test/2", "others"),
        ]
        texts.store_documents(connection, audited, "landing:1", some, kept.DUE)
        texts.store_documents(
            connection,
            audited,
            "trec:toy",
            [texts.StoredDocument("d1", "of a collection")],
            kept.DUE,
        )
        begun = sa.update(runs).values(created_at=kept.DUE)
        connection.execute(begun)
    keep_for(audited, ALL)
    assert went(sweep(audited, 181))["mini", "lookup"] == 2
    with audited.read() as connection:
        found = texts.read_stored_texts(connection, audited, "landing:1", ["https://lists.test/1"])
    assert found == {"https://lists.test/1": "words"}
    assert went(sweep(audited, 366)) == {("mini", "document"): 2}
    with audited.read() as connection:
        wanted = ["https://lists.test/1", "https://lists.test/2"]
        # missing, which is not without words
        assert texts.read_stored_texts(connection, audited, "landing:1", wanted) == dict.fromkeys(
            wanted
        )
        found = texts.read_stored_texts(connection, audited, "trec:toy", ["d1"])
    assert found == {"d1": "of a collection"}


def test_a_look_up_about_a_person_leaves_its_digest(audited):
    keep_for(audited, {"lookup": 5})
    [before] = rows(audited, "SELECT * FROM people.people_lookups")
    assert went(sweep(audited, 6)) == {("mini", "lookup"): 1}
    [after] = rows(audited, "SELECT * FROM people.people_lookups")
    assert bytes(after["body"]) == b"removed on 2025-01-12 (retention)"
    assert {**after, "body": before["body"]} == before
    assert rows(audited, "SELECT count(*) AS n FROM labels") == [{"n": 1}]


def test_removed_contents_are_no_damage(audited):
    keep_for(audited, ALL)
    with audited.read() as connection:
        before = verification.verify_contents(connection, audited)
        assert (before.broken, before.removed) == (0, 0)
    sweep(audited)
    with audited.read() as connection:
        after = verification.verify_contents(connection, audited)
        assert (after.broken, after.removed) == (0, 7)
        assert after.checked == before.checked - 7
        assert verification.verify_contents(connection, audited, 1).removed == 7
    with audited.begin() as connection:  # nothing at all is damage, though
        connection.execute(sa.update(people_lookups).values(body=b""))
    with audited.read() as connection:
        assert verification.verify_contents(connection, audited).broken == 1


# --- whose days count -----------------------------------------------------------------------------


def test_the_content_that_a_job_was_last_used_with_counts(audited):
    keep_for(audited, {"answer": 1})
    with audited.begin() as connection:
        old = dict(connection.execute(sa.select(jobs)).mappings().one())
        newer = {**old, "id": 77, "content_hash": "new", "content": {"name": "mini"}}
        newer["first_seen_at"] = old["first_seen_at"] + timedelta(days=3)
        connection.execute(sa.insert(jobs).values(newer))
        assert retention.read_policies(connection) == {}
        run = dict(connection.execute(sa.select(runs)).mappings().one())
        later = newer["first_seen_at"] + timedelta(days=1)
        again = {**run, "id": 77, "created_at": later, "due_at": later}
        connection.execute(sa.insert(runs).values(again))
        assert retention.read_policies(connection) == {"mini": {"answer": 1}}


@check_each(
    "governance", [None, {}, {"retention": None}, {"retention": {"answer": 0, "lookup": "90"}}]
)
def test_what_is_no_number_of_days_keeps_for_ever(governance):
    assert retention._parse_days({"governance": governance}) == {}


# --- crashes, files and those who come back -------------------------------------------------------


def test_a_crash_before_the_files_go_leaves_orphans_that_the_next_sweep_finds(audited, monkeypatch):
    keep_for(audited, ALL)
    before = files(audited)

    def die(database, digests):
        raise KeyboardInterrupt

    monkeypatch.setattr(maintenance, "delete_files", die)
    with pytest.raises(KeyboardInterrupt):
        sweep(audited, 91)
    monkeypatch.undo()
    with pytest.raises(BodyRemoved):
        get(audited, row_of(audited, kept.PNG).id)
    assert files(audited) == before
    old = (kept.DUE + timedelta(days=1)).timestamp()
    for path in before:
        os.utime(path, (old, old))
    said = sweep(audited, 91, dry_run=True)
    assert files(audited) == before
    done = sweep(audited, 91)
    lost = 1 if audited.keeps_files else 0
    assert (said.orphans, done.orphans) == (lost, lost)
    assert len(files(audited)) == len(before) - lost
    assert get(audited, row_of(audited, kept.LARGE).id) == kept.LARGE


def test_young_files_and_those_of_others_stay(sqlite_database):
    folder = sqlite_database.bodies / "ab"
    folder.mkdir(parents=True)
    old, young, piece, other = (
        folder / name for name in ("a" * 64 + ".zst", "b" * 64 + ".zst", "tmpx1_y", "notes.txt")
    )
    for path in (old, young, piece, other):
        path.write_bytes(b"12345")
        os.utime(path, (kept.DUE.timestamp(), kept.DUE.timestamp()))
    recent = (kept.DUE + timedelta(minutes=30)).timestamp()
    os.utime(young, (recent, recent))
    swept = collect_garbage(sqlite_database, kept.DUE + timedelta(minutes=70), False)
    assert (swept.orphans, swept.orphans_size) == (2, 10)
    assert files(sqlite_database) == [young, other]


@pytest.mark.parametrize("content", [kept.PNG, b"no picture"])
def test_the_same_bytes_come_again_and_are_kept_again(audited, content):
    keep_for(audited, ALL)
    sweep(audited, 91)
    number = row_of(audited, content).id
    with audited.begin() as connection:
        again = bodies.store_body(connection, audited, content, "screenshot", LATER)
    assert again == number
    assert get(audited, number) == content
    row = row_of(audited, content)
    assert (row.removed_at, row.removed_because, row.stored_at) == (None, "", LATER)


@pytest.mark.parametrize("content", [kept.PNG, b"no picture"])
def test_what_was_erased_does_not_come_back(audited, content):
    number = row_of(audited, content).id
    with audited.begin() as connection:
        digests = bodies.remove_bodies(connection, audited, [number], RemovalReason.ERASED, LATER)
    maintenance.delete_files(audited, digests)
    with audited.begin() as connection:
        assert bodies.store_body(connection, audited, content, "screenshot", LATER) == number
    with pytest.raises(BodyRemoved, match="erased"):
        get(audited, number)
    assert not bodies.find_body_file(audited, row_of(audited, content).sha256).exists()


def test_the_file_of_a_body_that_came_back_in_between_stays(audited):
    number = row_of(audited, kept.PNG).id
    with audited.begin() as connection:
        digests = bodies.remove_bodies(
            connection, audited, [number], RemovalReason.RETENTION, LATER
        )
    with audited.begin() as connection:
        bodies.store_body(connection, audited, kept.PNG, "screenshot", LATER)
    maintenance.delete_files(audited, digests)
    assert get(audited, number) == kept.PNG


def test_what_is_named_again_after_we_looked_stays(audited):
    days = {"mini": {"screenshot": 90}}
    now = kept.DUE + timedelta(days=91)
    with audited.read() as connection:
        found = retention.find_expired(connection, audited, days, now, 0)
    with audited.begin() as connection:
        one = dict(connection.execute(sa.select(exchanges)).mappings().first())
        connection.execute(sa.insert(exchanges).values({**one, "id": 99, "asked_at": now}))
    with audited.begin() as connection:
        going, _ = retention.remove_expired(connection, audited, days, now, found.doomed)
    assert [one.sha256 for one in going] == [row_of(audited, b"no picture").sha256]


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_what_an_open_transaction_is_about_to_name_is_left_alone(audited):
    days = {"mini": {"screenshot": 90}}
    now = kept.DUE + timedelta(days=91)
    with audited.read() as connection:
        found = retention.find_expired(connection, audited, days, now, 0)
    with audited.begin() as writer:
        bodies.store_body(writer, audited, kept.PNG, "screenshot", now)
        with audited.begin() as connection:
            going, _ = retention.remove_expired(connection, audited, days, now, found.doomed)
    assert [one.sha256 for one in going] == [row_of(audited, b"no picture").sha256]


# --- what follows from answers --------------------------------------------------------------------


def test_values_stay_when_the_answers_are_gone(database, tmp_path):
    audit = make_audit(tmp_path)
    run = run_audit(database, audit, Scripted(portuguese(mini_items()))).run
    before = rows(database, "SELECT * FROM points ORDER BY id")
    assert any(row["state"] == "measured" for row in before)
    keep_for(database, ALL)
    with database.begin() as connection:
        connection.execute(sa.update(exchanges).values(asked_at=kept.DUE))
    assert sweep(database).n > 0
    assert pipeline.derive_run(database, audit, run, quiet) == 0
    assert rows(database, "SELECT * FROM points ORDER BY id") == before


def test_an_answer_that_is_gone_is_not_read_anew(audited):
    keep_for(audited, ALL)
    newer = 1_000_000  # no parser has read anything as this version
    with audited.read() as connection:
        engine = connection.execute(sa.select(attempts.c.engine_id).limit(1)).scalar_one()
        before = [*chain.from_iterable(readings.find_unread_ids(connection, 1, engine, newer))]
    n = rows(audited, "SELECT count(*) AS n FROM readings")
    assert len(before) == 3
    sweep(audited)
    with audited.read() as connection:
        assert readings.find_unread_ids(connection, 1, engine, newer) == []
    assert rows(audited, "SELECT count(*) AS n FROM readings") == n
