"""`monitor evidence verify`: every content that is missing, cut or changed is found and named."""

import hashlib
import json

import pytest
import sqlalchemy as sa
import zstandard

from monitor.store.collect import bodies
from monitor.store.publish import verification
from monitor.store.schema import bodies as table
from monitor.store.schema import bundle_files, people_lookups
from tests import kept
from tests.command import program
from tests.kept import kept_database, kept_folder, kept_postgres  # noqa: F401 - fixtures


@pytest.fixture
def audited(kept_database):  # noqa: F811
    return kept_database


@pytest.fixture
def monitor(audited, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def file_of(database, content):
    return bodies.find_body_file(database, sha256(content))


def check(database, run=None):
    with database.read() as connection:
        return verification.verify_contents(connection, database, run)


def row_of(database, content):
    with database.read() as connection:
        return connection.execute(sa.select(table).where(table.c.sha256 == sha256(content))).one()


def change_row(database, content, packed):
    with database.begin() as connection:
        this = table.c.sha256 == sha256(content)
        connection.execute(sa.update(table).where(this).values(content=packed))


def n_files(database):
    with database.read() as connection:
        query = sa.select(sa.func.count(sa.distinct(bundle_files.c.body_id)))
        return connection.execute(query).scalar_one()


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
def test_all_is_well(kept_database):  # noqa: F811
    """Two pages, two pictures, two answers over HTTP, and a look-up about a person.

    The files of the job belong to no single run.
    """
    assert check(kept_database, 1) == verification.VerificationResult(7, 0, ())
    whole = verification.VerificationResult(7 + n_files(kept_database), 0, ())
    assert check(kept_database) == whole


def test_all_is_well_for_people(monitor):
    code, out, err = monitor("evidence", "verify", "1")
    assert (code, out, err) == (0, "7 stored answers match their digests\n", "")
    assert monitor("evidence", "verify")[0] == 0
    assert json.loads(monitor("evidence", "verify", "1", "--json")[1]) == {
        "checked": 7, "broken": 0, "removed": 0, "damages": [],
    }  # fmt: skip
    code, _, err = monitor("evidence", "verify", "9")
    assert code == 2
    assert "no run 9" in err


def flip(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (lambda _: None, "no file"),
        (lambda packed: packed[:-100], "cannot be unpacked"),
        (lambda packed: packed[:10], "cut off"),
        (lambda _: b"", "cut off"),
        (lambda packed: flip(packed, 0), "cannot be unpacked"),
        (lambda packed: packed[:4] + bytes([packed[4] ^ 0x10]) + packed[5:], "head was changed"),
        (lambda _: zstandard.compress(kept.LARGE[::-1]), sha256(kept.LARGE[::-1])),
        (lambda _: zstandard.compress(kept.LARGE + b"x"), "more than its"),
        (lambda _: zstandard.compress(kept.LARGE[:-1]), "digest does not match"),
        (lambda packed: packed + b"x", "stand after its end"),
        (lambda packed: packed + b"x" * 10_000, "stand after its end"),
        (lambda _: zstandard.compress(bytes(10**8)), "more than its"),
    ],
)
def test_a_file_that_is_not_what_it_was(monitor, audited, spoil, found):
    """Both exchanges that the page belongs to are named, with question and engine."""
    path = file_of(audited, kept.LARGE)
    changed = spoil(path.read_bytes())
    path.unlink() if changed is None else path.write_bytes(changed)
    code, out, err = monitor("evidence", "verify", "1")
    assert code == 4
    assert err.startswith("monitor: 1 of 7 stored answers are not what they were; the first is")
    first, second = out.splitlines()
    expected = f"expected sha256 {sha256(kept.LARGE)}, found "
    assert first.startswith(
        "answer of exchange 1 (attempt 1) of run 1, google_web: 'list of chess players': "
        + expected
    )
    assert second.startswith(
        "answer of exchange 2 (attempt 3) of run 1, google_web: 'list of nurses': " + expected
    )
    assert found in first


@pytest.mark.parametrize("place", [0, 1, 40, 500, -1])
def test_every_changed_byte_is_found(audited, place):
    path = file_of(audited, kept.PNG)
    packed = path.read_bytes()
    path.write_bytes(flip(packed, place % len(packed)))
    result = check(audited)
    assert [(one.what, one.place) for one in result.damages] == [
        ("screenshot", "exchange 1"),
        ("screenshot", "exchange 2"),
    ]
    path.write_bytes(packed)
    assert check(audited).damages == ()


def test_all_damages_are_named_not_only_the_first(monitor, audited):
    file_of(audited, kept.LARGE).unlink()
    file_of(audited, kept.PNG).write_bytes(b"x")
    change_row(audited, kept.page(name="blocked"), zstandard.compress(b"other"))
    with audited.begin() as connection:
        changed = zstandard.compress(b"something else")
        connection.execute(sa.update(people_lookups).values(body=changed))
    code, out, err = monitor("evidence", "verify", "1")
    assert code == 4
    assert "4 of 7 stored answers" in err
    assert len(out.splitlines()) == 6
    assert "answer of exchange 3 (attempt 2) of run 1, google_web: 'list of judges'" in out
    assert "answer of look-up 1 about people of run 1: expected sha256" in out
    assert kept.SECRET_OF_LOOKUP not in out + err
    found = json.loads(monitor("evidence", "verify", "1", "--json")[1])
    assert (found["checked"], found["broken"], len(found["damages"])) == (7, 4, 6)
    assert found["damages"][0]["attempts"] == [1]


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
def test_damage_on_both_databases(kept_database):  # noqa: F811
    database = kept_database
    wall = kept.page(name="blocked")
    change_row(database, wall, zstandard.compress(wall[::-1]))
    for run in (None, 1):
        [damage] = check(database, run).damages
        assert (damage.what, damage.place, damage.run) == ("answer", "exchange 3", 1)
        assert (damage.expected, damage.engine) == (sha256(wall), "google_web")
        assert sha256(wall[::-1]) in damage.found


def test_a_row_that_is_gone(audited):
    row = row_of(audited, kept.page(name="blocked"))
    with audited.writer.connect() as connection:
        connection.execute(sa.text("COMMIT"))
        connection.execute(sa.text("PRAGMA foreign_keys = OFF"))
        connection.execute(sa.text("DELETE FROM bodies WHERE id = :id"), {"id": row.id})
        connection.execute(sa.text("BEGIN"))
    [damage] = check(audited).damages
    assert (damage.place, damage.expected, damage.found) == (
        "exchange 3", "", f"no row {row.id} in bodies",
    )  # fmt: skip


def test_a_body_that_nobody_names_is_checked_too(audited):
    with audited.begin() as connection:
        bodies.store_body(connection, audited, b"nobody's", "answer", kept.DUE)
    change_row(audited, b"nobody's", zstandard.compress(b"somebody's"))
    [damage] = check(audited).damages
    assert "no exchange names" in damage.place
    assert check(audited, 1).damages == ()


def test_files_of_jobs_are_checked_too(audited):
    with audited.read() as connection:
        query = sa.select(table).join(bundle_files, bundle_files.c.body_id == table.c.id)
        row = connection.execute(query.where(bundle_files.c.path.endswith(".toml"))).first()
    with audited.begin() as connection:
        changed = sa.update(table).where(table.c.id == row.id)
        connection.execute(changed.values(content=zstandard.compress(b"name = 'other'")))
    [damage] = check(audited).damages
    assert "of the job in bundle 1: expected sha256" in str(damage)
    assert damage.what == "file"
    assert check(audited, 1).damages == ()


def test_reference_lookups_are_checked(audited):
    from monitor.model import Answer, Outcome, Purpose
    from monitor.store.collect import evidence

    given = Answer(Outcome.OK, kept.DUE, 0.1, body=b"shares")
    with audited.begin() as connection:
        evidence.store_lookup(connection, audited, 1, Purpose.REFERENCE, {"method": "GET"}, given)
    change_row(audited, b"shares", zstandard.compress(b"others"))
    [damage] = check(audited, 1).damages
    assert str(damage).startswith("answer of look-up 1 (reference) of run 1: expected sha256")


def test_another_run_is_not_looked_at(audited, tmp_path):
    from datetime import timedelta

    from monitor import pipeline
    from monitor.model import RunKind

    tick = pipeline.start(
        audited, kept.audit_of(tmp_path), RunKind.SCHEDULED, kept.DUE + timedelta(days=7)
    )
    file_of(audited, kept.LARGE).unlink()
    assert check(audited, tick.id) == verification.VerificationResult(0, 0, ())
    assert check(audited, 1).broken == 1


def test_a_file_that_cannot_be_read_is_named(audited):
    path = file_of(audited, kept.PNG)
    path.unlink()
    path.mkdir()
    assert "cannot be read" in check(audited).damages[0].found
