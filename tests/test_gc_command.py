"""`monitor gc`, and what other commands say of contents that were taken away."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.pipeline import maintenance
from monitor.pipeline.maintenance import collect_garbage
from monitor.store.schema import jobs, runs
from tests import kept
from tests.command import program
from tests.factories import rows

ALL = {"answer": 20, "screenshot": 10, "lookup": 10, "document": 10}


@pytest.fixture
def audited(sqlite_database, tmp_path, monkeypatch):
    kept.kept_run(sqlite_database, tmp_path, monkeypatch)
    with sqlite_database.begin() as connection:
        row = connection.execute(sa.select(jobs)).one()
        content = {**row.content, "governance": {"retention": ALL}}
        connection.execute(sa.update(jobs).values(content=content))
        connection.execute(sa.update(runs).values(state="partial"))
    return sqlite_database


@pytest.fixture
def monitor(sqlite_database, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as run:
        yield run


def test_without_days_it_says_how_to_set_them(monitor):
    code, out, _ = monitor("gc")
    assert code == 0
    assert "kept for ever" in out
    assert "retention = { answer = 730" in out


def test_a_table_of_what_would_go_and_what_went(monitor, audited):
    code, out, _ = monitor("gc", "--dry-run")
    assert code == 0
    assert "would go" in out
    lines = {tuple(line.split()[:4]) for line in out.splitlines()}
    # both answers over HTTP came today
    assert {("mini", "answer", "20", "2"), ("mini", "screenshot", "10", "2")} <= lines
    assert f"{datetime.now(UTC):%Y-%m-%d}" in out
    assert rows(audited, "SELECT id FROM bodies WHERE removed_at IS NOT NULL") == []
    said = json.loads(monitor("gc", "--dry-run", "--json")[1])
    done = json.loads(monitor("gc", "--json")[1])
    assert said | {"dry_run": False, "free_bytes": 0} == done | {"free_bytes": 0}
    assert (done["removed"], done["jobs_with_retention"]) == (5, 1)
    code, out, _ = monitor("gc")
    assert code == 0
    assert "would go" not in out
    assert json.loads(monitor("gc", "--json")[1])["removed"] == 0


def test_orphans_are_named(monitor, audited, monkeypatch):
    lost = audited.bodies / "ab" / f"{'ab' * 32}.zst"
    lost.parent.mkdir(parents=True, exist_ok=True)
    lost.write_bytes(b"x" * 1000)
    assert "files of no answer" not in monitor("gc")[1]

    def tomorrow(database, now, *rest):
        return collect_garbage(database, now + timedelta(days=1), *rest)

    monkeypatch.setattr(maintenance, "collect_garbage", tomorrow)
    assert "1 file of no answer went" in monitor("gc")[1]
    assert not lost.exists()


def test_vacuum_gives_room_back(monitor, audited, tmp_path):
    with audited.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE filling (x BLOB)")
        connection.exec_driver_sql("INSERT INTO filling VALUES (zeroblob(3000000))")
    with audited.begin() as connection:
        connection.exec_driver_sql("DROP TABLE filling")
    assert "monitor gc --vacuum" in monitor("gc")[1]
    code, out, _ = monitor("gc", "--vacuum")
    assert code == 0
    assert "--vacuum" not in out
    assert json.loads(monitor("gc", "--json")[1])["free_bytes"] == 0
    audited.close()
    assert (tmp_path / "monitor.db").stat().st_size < 2_000_000


# --- commands that read answers -------------------------------------------------------------------


def test_evidence_says_what_was_removed_and_when(monitor, audited, tmp_path):
    monitor("gc")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    gone = f"removed on {today} (retention)"
    code, out, _ = monitor("evidence", "show", "1", "list-of-chess-players")
    assert code == 0
    assert out.count(gone) == 2
    assert "Judit Example" in out  # what was read stays
    code, out, _ = monitor("evidence", "show", "1")
    shown = json.loads(out)
    assert shown["body"] is None
    assert shown["body_removed"].endswith(gone[len("removed ") :])
    folder = tmp_path / "saved"
    code, _, err = monitor("evidence", "show", "1", "list-of-chess-players", "--save", folder)
    assert code == 0, err
    assert sorted(path.suffixes[0] for path in folder.glob("attempt-1.*")) == [".about"]
    about = json.loads((folder / "attempt-1.about.json").read_text())
    assert about["exchange"]["screenshot"]["removed"] == gone
    assert "place" not in about["exchange"]["screenshot"]


def test_removed_contents_are_no_fault_of_the_evidence(monitor, audited):
    before = json.loads(monitor("evidence", "verify", "--json")[1])
    monitor("gc")
    code, out, _ = monitor("evidence", "verify")
    assert code == 0
    assert out == f"{before['checked'] - 5} stored answers match their digests; 5 were removed\n"
    after = json.loads(monitor("evidence", "verify", "1", "--json")[1])
    assert (after["removed"], after["broken"], after["damages"]) == (5, 0, [])


def test_an_export_leaves_out_what_was_removed_and_names_it(monitor, audited, tmp_path):
    from warcio.archiveiterator import ArchiveIterator

    monitor("gc")
    code, _, err = monitor("evidence", "export", "1", "--output", "run.warc")
    assert code == 0
    assert "removed contents left out" in err
    with (tmp_path / "run.warc").open("rb") as file:
        found = [
            (record.rec_type, record.content_stream().read()) for record in ArchiveIterator(file)
        ]
    assert b"left-out: 6 contents that were removed" in found[0][1]
    metadata = [json.loads(body) for kind, body in found if kind == "metadata"]
    assert len(metadata) == 6
    named = [one for one in metadata if "body_removed" in one]
    assert len(named) == 3
    assert all(one["body_sha256"] and one["screenshot_removed"] for one in named)
    contents = [body for kind, body in found if kind in ("response", "resource", "revisit")]
    assert len(contents) == 2
