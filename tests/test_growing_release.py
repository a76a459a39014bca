"""A release that grows: each file written once, whole after a kill, and read by other databases."""

import hashlib
import json
import random
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import chdb.session
import duckdb
import mlcroissant
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
from moto.server import ThreadedMotoServer

from monitor import settings
from monitor.store.collect.runs import mark_stage
from monitor.store.publish import data_dictionary, release_parts
from monitor.store.publish import release as store
from monitor.store.publish.release import ReleaseSelection
from monitor.store.schema import points, runs
from tests.command import program
from tests.demo import HOSTILE, demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import rows

#: Tables that a release does not have: nothing about single people leaves an archive in one.
WITHHELD = {"people-labelled"}


@pytest.fixture
def monitor(demo, tmp_path, monkeypatch, capsys):  # noqa: F811
    with program(tmp_path, monkeypatch, capsys) as run:
        yield run


def release(monitor, place="r", *options):
    code, out, err = monitor("export", "release", place, "--incremental", "--json", *options)
    assert code == 0, err
    return json.loads(out)


def listed(folder):
    """`latest.json` of a folder."""
    return json.loads((Path(folder) / "latest.json").read_text("utf-8"))


def named(folder):
    """{path: file} of what `latest.json` names."""
    parts = listed(folder)["parts"].values()
    return {file["path"]: file for part in parts for file in part["files"].values()}


def check_whole(folder):
    """All that is named is there with its digest, and nothing beside it is read with it."""
    for path, file in named(folder).items():
        content = (Path(folder) / path).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["size"], file["sha256"])


def read_all(folder):
    """{table: rows} of all Parquet files below a folder, in no order."""
    tables = {}
    for path in sorted(Path(folder, "data").rglob("*.parquet")):
        name = path.relative_to(folder).parts[1].removesuffix(".parquet")
        tables.setdefault(name, []).extend(map(repr, pq.ParquetFile(path).read().to_pylist()))
    return {name: sorted(held) for name, held in tables.items()}


def test_it_holds_the_rows_of_a_whole_release_and_is_not_written_twice(monitor, tmp_path):
    first = release(monitor)
    assert monitor("export", "release", "whole")[0] == 0
    whole = {name: held for name, held in read_all("whole").items() if held and name != "series"}
    assert read_all("r") == whole
    check_whole("r")
    written = {path: (tmp_path / "r" / path).stat().st_mtime_ns for path in named("r")}
    again = release(monitor)
    assert (again["rows"], again["files"], again["sha256"]) == (0, 0, first["sha256"])
    assert {path: (tmp_path / "r" / path).stat().st_mtime_ns for path in named("r")} == written
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=tmp_path / "r", check=True)
    other = release(monitor, "other")
    assert other["sha256"] == first["sha256"]  # the same database gives the same bytes


def test_a_new_run_adds_its_files_and_leaves_the_others(demo, monitor):  # noqa: F811
    [last] = rows(demo, "SELECT MAX(id) AS id FROM runs WHERE job = 'mt-weekly'")
    at = rows(demo, "SELECT finished_at FROM runs WHERE id = :id", id=last["id"])[0]["finished_at"]
    with demo.begin() as connection:
        of_run = sa.update(runs).where(runs.c.id == last["id"])
        connection.execute(of_run.values(finished_at=None))
    release(monitor)
    before = named("r")
    with demo.begin() as connection:
        connection.execute(
            of_run.values(finished_at=datetime.fromisoformat(str(at)).replace(tzinfo=UTC))
        )
    grown = release(monitor)
    new = set(named("r")) - set(before)
    assert grown["files"] == len(new)
    assert {path for path in new if "/run-" in path} == {
        path for path in named("r") if f"/run-{last['id']:06}-" in path
    }
    # of its month only what has rows of all its runs is written anew
    assert {path.split("/")[1] for path in new if "/run-" not in path} <= {
        "series_points", "changes_current", "ledger", "due_ticks",
    }  # fmt: skip
    assert read_all("r") == read_all_of(monitor)


def read_all_of(monitor):
    """What a release that is begun now holds."""
    release(monitor, "fresh")
    return read_all("fresh")


def test_rows_that_are_computed_anew_take_the_place_of_the_old(demo, monitor):  # noqa: F811
    release(monitor)
    before = named("r")
    [one] = rows(demo, "SELECT MIN(run_id) AS run FROM points WHERE state = 'measured'")
    with demo.begin() as connection:
        changed = sa.update(points).where(
            points.c.run_id == one["run"], points.c.state == "measured"
        )
        connection.execute(changed.values(planned=points.c.planned + 1))
        mark_stage(connection, one["run"], "measure", "a later version")
    grown = release(monitor)
    assert grown["replaced"] > 0
    assert grown["erased"] == 0
    gone = set(before) - set(named("r"))
    assert gone
    assert not any(Path("r", path).exists() for path in gone)
    assert read_all("r") == read_all_of(monitor)


def test_what_is_erased_leaves_a_tombstone_and_no_text(demo, monitor, monkeypatch):  # noqa: F811
    monkeypatch.setenv("MONITOR_ADDRESS_KEY", "a long random text")
    settings.load.cache_clear()
    options = ("r", "--full", "--job", "mt-weekly")
    release(monitor, *options)
    before = named("r")
    assert "=HYPERLINK" in json.dumps(read_all("r"))
    assert monitor("erase", HOSTILE, "--reason", "request 17", "--yes", "--no-vacuum")[0] == 0
    grown = release(monitor, *options)
    assert "=HYPERLINK" not in json.dumps(read_all("r"))
    tombstones = listed("r")["tombstones"]
    assert grown["erased"] == len(tombstones) > 0
    assert {one["path"] for one in tombstones} <= set(before) - set(named("r"))
    assert {one["erased_on"] for one in tombstones} == {datetime.now(UTC).date().isoformat()}
    assert "request 17" not in Path("r/latest.json").read_text("utf-8")
    assert release(monitor, *options)["files"] == 0
    assert listed("r")["tombstones"] == tombstones


# --- kills, faults, and what other people do ------------------------------------------------------

KILLS = 3


def test_a_kill_leaves_a_whole_release_and_the_next_run_ends_it(demo_folder, monitor, tmp_path):  # noqa: F811
    expected = release(monitor, "undisturbed")["sha256"]
    command = [sys.executable, "-m", "monitor.cli", "export", "release", "r", "--incremental"]
    draw = random.Random(31)  # noqa: S311 - no secret
    began = time.monotonic()
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    takes = time.monotonic() - began
    for _ in range(KILLS):
        for path in sorted(Path("r").rglob("*"), reverse=True):
            if path.is_file() and draw.random() < 0.5:  # begins with a part of the files
                path.unlink() if path.name != "latest.json" else None
        child = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(draw.random() * takes)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert listed("r")["format"] == 1
        assert release(monitor)["sha256"] == expected
        check_whole("r")
        assert set(map(str, Path("r/data").rglob("*.*"))) == {f"r/{path}" for path in named("r")}


def spoil(content, **changed):
    return json.dumps(json.loads(content) | changed)


BAD = {
    "not JSON": (lambda text: text[:100], 2, "latest.json: is not the list of a release"),
    "a later format": (lambda text: spoil(text, format=99), 2, "by a newer version (format 99"),
    "a later schema": (lambda text: spoil(text, database_schema="9999"), 2, "upgrade this program"),
    "other jobs": (lambda text: spoil(text, jobs=["x"]), 2, '--job asks for []'),
    "parts of no kind": (lambda text: spoil(text, parts=[1]), 2, "its parts cannot be read"),
    "a path outside": (
        lambda text: text.replace('"data/answers/', '"data/../../answers/'),
        2,
        "is no file of a release",
    ),
}  # fmt: skip


def test_a_list_that_cannot_be_used_is_named_and_nothing_changes(monitor):
    release(monitor)
    good = Path("r/latest.json").read_text("utf-8")
    for name, (change, code, words) in BAD.items():
        Path("r/latest.json").write_text(change(good), "utf-8")
        there = {path: path.stat().st_mtime_ns for path in Path("r").rglob("*")}
        ended, _, why = monitor("export", "release", "r", "--incremental")
        assert (name, ended, words in why) == (name, code, True), why
        assert {path: path.stat().st_mtime_ns for path in Path("r").rglob("*")} == there, name


def test_files_that_are_gone_or_changed_are_written_again(monitor):
    expected = release(monitor)["sha256"]
    paths = sorted(named("r"))
    Path("r", paths[0]).unlink()
    Path("r", paths[1]).write_bytes(Path("r", paths[1]).read_bytes()[:-50])
    Path("r", paths[2]).write_bytes(Path("r", paths[3]).read_bytes() + b" ")
    code, _, said = monitor("export", "release", "r", "--incremental")
    assert code == 0
    for path in paths[:3]:
        assert f"r/{path}: was missing or cut off; written again" in said
    assert hashlib.sha256(Path("r/latest.json").read_bytes()).hexdigest() == expected
    check_whole("r")


def test_places_that_cannot_be_used(monitor, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    (tmp_path / "file").touch()
    for place, code, words in (
        ("mine", 2, "mine: holds files and no latest.json"),
        ("file", 4, "file: cannot be used as a folder"),
        ("nowhere/r", 2, "there is no folder nowhere"),
        ("gs://bucket/r", 2, "name a folder, or a bucket: s3://BUCKET/FOLDER"),
        ("s3://", 2, "name a bucket"),
    ):
        ended, _, why = monitor("export", "release", place, "--incremental")
        assert (place, ended, words in why) == (place, code, True), why
    code, _, why = monitor("export", "release", "r", "--incremental", "--csv-only")
    assert (code, "leave out --csv-only" in why) == (2, True)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_two_releases_at_once_are_one_after_the_other(monitor, tmp_path):
    from monitor.fetch.release_places import open_place

    release(monitor)
    with open_place(str(tmp_path / "r"), {}):
        code, _, why = monitor("export", "release", "r", "--incremental")
    assert (code, "another release is being written there" in why) == (4, True)
    assert release(monitor)["files"] == 0


@pytest.fixture
def bucket(monkeypatch):
    """An S3 server on loopback with the bucket `releases`."""
    import boto3

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in (
        ("AWS_ENDPOINT_URL", f"http://{host}:{port}"), ("AWS_ACCESS_KEY_ID", "k"),
        ("AWS_SECRET_ACCESS_KEY", "s"), ("AWS_DEFAULT_REGION", "us-east-1"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    client = boto3.client("s3")
    client.create_bucket(Bucket="releases")
    yield client
    server.stop()


def test_a_bucket_holds_the_same_files(monitor, bucket):
    folder = release(monitor, "r", "--job", "mini")
    there = release(monitor, "s3://releases/2026", "--job", "mini")
    assert there["sha256"] == folder["sha256"]
    pages = bucket.get_paginator("list_objects_v2").paginate(Bucket="releases")
    held = {entry["Key"]: entry["Size"] for page in pages for entry in page["Contents"]}
    held = {key: size for key, size in held.items() if not key.endswith("/")}  # marks of folders
    files = {path for path in Path("r").rglob("*") if path.is_file()}
    assert held == {f"2026/{path.relative_to('r')}": path.stat().st_size for path in files}
    assert release(monitor, "s3://releases/2026", "--job", "mini")["files"] == 0


# --- read by others -------------------------------------------------------------------------------


def plain(value):
    """A value that is the same in every database."""
    if isinstance(value, Decimal):
        value = int(value) if value == int(value) else float(value)
    if isinstance(value, datetime):
        value = value if value.tzinfo else value.replace(tzinfo=UTC)
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, bool):
        return int(value)
    return pytest.approx(value, rel=1e-9, abs=1e-12) if isinstance(value, float) else value


def test_worked_questions_have_the_same_answers_in_duckdb(demo, monitor, tmp_path):  # noqa: F811
    release(monitor, "r", "--full")
    reader = duckdb.connect()
    reader.execute(f"SET file_search_path = '{tmp_path / 'r'}'")
    reader.execute(Path("r/duckdb.sql").read_text("utf-8"))
    for question in data_dictionary.read_questions():
        if question.name in WITHHELD:
            continue
        with demo.read() as connection:
            answer = connection.exec_driver_sql(question.sql).all()
        there = reader.execute(question.sql).fetchall()
        assert [tuple(map(plain, row)) for row in there] == [
            tuple(map(plain, row)) for row in answer
        ], question.name


def in_clickhouse(sql):
    """The same question in ClickHouse, as docs/sql.md says."""
    sql = re.sub(r"(\S+) ->> ('\w+')", r"JSONExtractString(\1, \2)", sql)
    return sql.replace("CAST(flags AS TEXT) AS flags", "flags").replace(
        "CAST(flags AS TEXT)", "flags"
    )


def test_worked_questions_have_the_same_answers_in_clickhouse(demo, monitor, tmp_path):  # noqa: F811
    release(monitor, "r", "--full")
    with chdb.session.Session() as reader:
        views = (
            Path("r/clickhouse.sql").read_text("utf-8").replace("'data/", f"'{tmp_path}/r/data/")
        )
        reader.query("CREATE DATABASE release")
        reader.query("USE release")
        for view in filter(str.strip, views.split(";\n")):
            reader.query(view)
        for question in data_dictionary.read_questions():
            if question.name in WITHHELD:
                continue
            with demo.read() as connection:
                answer = connection.exec_driver_sql(question.sql).all()
            query = f"{in_clickhouse(question.sql)} SETTINGS join_use_nulls = 1"
            there = reader.query(query, "Arrow").bytes()
            table = pa.ipc.open_file(there).read_all() if there else pa.table({})
            found = [tuple(map(plain, row.values())) for row in table.to_pylist()]
            assert found == [tuple(map(plain, row)) for row in answer], question.name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of mlcroissant's own parts
def test_the_croissant_description_is_valid_and_reads_rows(monitor):
    release(monitor, "r", "--job", "mini")
    described = mlcroissant.Dataset("r/croissant.json")
    assert not described.metadata.issues.errors
    whole = monitor("export", "release", "whole", "--job", "mini")
    assert whole[0] == 0
    described = mlcroissant.Dataset("whole/croissant.json")
    assert not described.metadata.issues.errors
    records = list(described.records("ledger"))
    assert len(records) == pq.ParquetFile("whole/data/ledger.parquet").metadata.num_rows


def test_the_crate_names_every_file(monitor):
    release(monitor, "r", "--job", "mini")
    graph = {
        one["@id"]: one
        for one in json.loads(Path("r/ro-crate-metadata.json").read_text())["@graph"]
    }
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    parts = {one["@id"] for one in graph["./"]["hasPart"]}
    assert parts == set(named("r"))
    for path, file in named("r").items():
        assert graph[path]["sha256"] == file["sha256"]


# --- parts ----------------------------------------------------------------------------------------


def test_every_row_is_in_one_part(demo):  # noqa: F811
    resources = release_parts.list_resources(full=True)
    selection = ReleaseSelection(full=True)
    with demo.read() as connection:
        parts = release_parts.list_parts(connection, selection, "1")
        assert len({part.name for part in parts}) == len(parts)
        for name, resource in resources.items():
            of_parts = [
                row
                for part in parts
                if name in part.tables
                for portion in release_parts.read_part(connection, resource, part, selection)
                for row in portion
            ]
            whole = [row for p in store.read_rows(connection, resource, selection) for row in p]
            assert sorted(map(repr, of_parts)) == sorted(map(repr, whole)), name


def test_a_missed_tick_changes_with_the_run_before_it(demo):  # noqa: F811
    """Its series are those of that run, so that its month has the token of it."""
    selection = ReleaseSelection(("mt-weekly",))
    with demo.read() as connection:
        before = {p.name: p.token for p in release_parts.list_parts(connection, selection, "1")}
    [first] = rows(demo, "SELECT MIN(id) AS id FROM runs WHERE job = 'mt-weekly'")
    with demo.begin() as connection:
        mark_stage(connection, first["id"], "measure", "a later version")
    with demo.read() as connection:
        after = {p.name: p.token for p in release_parts.list_parts(connection, selection, "1")}
    changed = {name for name, token in after.items() if before[name] != token}
    month = min(name for name in after if re.fullmatch(r"mt-weekly/\d{4}-\d\d/", name))
    assert changed >= {month, f"{month}{first['id']}"}
    assert all(name.startswith("mt-weekly/2025-0") for name in changed)


def test_months_end_where_the_next_begins():
    for month, after in (("2025-12", "2026-01"), ("2026-02", "2026-03")):
        first, end = release_parts._find_month(month)
        assert (
            (end - timedelta(microseconds=1)).strftime("%Y-%m") == first.strftime("%Y-%m") == month
        )
        assert end.strftime("%Y-%m") == after
