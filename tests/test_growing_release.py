"""A release that grows: each file written once, whole after a kill, and read by other databases."""

import hashlib
import json
import re
import resource
import subprocess
import sys
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
from monitor.store.publish import data_dictionary
from monitor.store.publish import release as store
from monitor.store.publish.release import ReleaseSelection
from monitor.store.schema import points, runs
from tests.command import program
from tests.demo import HOSTILE, demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import rows
from tests.faults.release_kills import Scene, kill_often

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


@pytest.fixture
def erase(monitor, monkeypatch):
    """Release with texts, erase what is hostile, release again: files before and after."""

    def run(spoil=lambda _: None):
        monkeypatch.setenv("MONITOR_ADDRESS_KEY", "a long random text")
        settings.load.cache_clear()
        release(monitor, "r", "--full")
        before = named("r")
        spoil(before)
        assert monitor("erase", HOSTILE, "--reason", "17", "--yes", "--no-vacuum")[0] == 0
        release(monitor, "r", "--full")
        return before, named("r")

    return run


def read_fresh(monitor):
    release(monitor, "fresh", "--full")
    return read_all("fresh")


def list_dictionaries(path):
    """Texts of the dictionaries and statistics of a Parquet file, used by its rows or not."""
    file = pq.ParquetFile(path)
    names = [field.name for field in file.schema_arrow if field.type == pa.string()]
    table = pq.ParquetFile(path, read_dictionary=names).read(names)
    texts = [chunk.dictionary.to_pylist() for column in table.columns for chunk in column.chunks]
    groups = [file.metadata.row_group(n) for n in range(file.num_row_groups)]
    columns = [group.column(n) for group in groups for n in range(group.num_columns)]
    return repr([texts, [c.statistics and (c.statistics.min, c.statistics.max) for c in columns]])


def test_an_erasure_replaces_the_answers_of_its_runs_alone(erase, monitor):
    def holds(paths):
        return any("=HYPERLINK" in list_dictionaries(Path("r", path)) for path in paths)

    held = []
    before, after = erase(lambda paths: held.append(holds(paths)))
    gone, new = set(before) - set(after), set(after) - set(before)
    assert gone
    assert all(path.startswith("data/answers/") for path in gone | new)
    assert {stone["path"] for stone in listed("r")["tombstones"]} == gone
    check_whole("r")
    assert read_all("r") == read_fresh(monitor)
    assert held == [True]
    assert not holds(after)


def test_what_cannot_be_copied_in_an_erasure_is_written_from_the_archive(erase, monitor):
    """Files that are damaged, and files that lack a row which was erased."""

    def spoil(before):
        for n, path in enumerate(path for path in before if path.startswith("data/answers/")):
            if n % 2:
                Path("r", path).unlink()
            else:
                Path("r", path).write_bytes(Path("r", path).read_bytes()[::-1])

    before, after = erase(spoil)
    assert set(before) != set(after)
    check_whole("r")
    assert read_all("r") == read_fresh(monitor)


def test_a_run_that_was_measured_anew_and_erased_is_written_whole(erase, monitor, demo):  # noqa: F811
    def spoil(_before):
        with demo.begin() as connection:
            for row in rows(demo, "SELECT id FROM runs"):
                mark_stage(connection, row["id"], "measure", "a later version")
            connection.execute(sa.update(points).values(planned=points.c.planned + 1))

    erase(spoil)
    assert read_all("r") == read_fresh(monitor)


# --- kills, faults, and what other people do ------------------------------------------------------

#: Of each kind; `python -m tests.faults.release_kills` kills a hundred times.
KILLS = 2


def test_a_kill_leaves_a_whole_release_and_the_next_run_ends_it(demo_folder, tmp_path):  # noqa: F811
    assert kill_often(Scene(tmp_path).prepare(demo_folder), KILLS, "31") == []


def spoil(content, **changed):
    return json.dumps(json.loads(content) | changed)


BAD = {
    "not JSON": (lambda text: text[:100], 2, "latest.json: is not the list of a release"),
    "a later format": (lambda text: spoil(text, format=99), 2, "by a newer version (format 99"),
    "a later schema": (lambda text: spoil(text, database_schema="9999"), 2, "upgrade this program"),
    "other jobs": (lambda text: spoil(text, jobs=["x"]), 2, '--job asks for []'),
    "rows that are not there": (
        lambda text: re.sub(r'"rows": \d+', '"rows": 7', text, count=1),
        2,
        "was changed since it was written",
    ),
    "a digest of another file": (
        lambda text: re.sub(r'"sha256": "\w+"', f'"sha256": "{"0" * 64}"', text, count=1),
        2,
        "bring back a copy of it, or release to a new folder",
    ),
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


def test_a_file_that_somebody_edited_is_named_and_written_again(monitor):
    expected = release(monitor)["sha256"]
    path = next(path for path in named("r") if path.startswith("data/answers/"))
    content = bytearray(Path("r", path).read_bytes())
    content[len(content) // 2] ^= 1
    Path("r", path).write_bytes(content)
    code, _, said = monitor("export", "release", "r", "--incremental")
    assert code == 0
    assert f"r/{path}: was changed by somebody else; written again" in said
    assert hashlib.sha256(Path("r/latest.json").read_bytes()).hexdigest() == expected
    check_whole("r")


def test_a_full_disk_is_named_and_changes_nothing(demo, monitor, tmp_path):  # noqa: F811
    """A limit on the size of files stands for a disk: both refuse to write."""
    release(monitor, "r", "--job", "mini")
    there = {path: path.read_bytes() for path in Path("r").rglob("*") if path.is_file()}
    asked = hashlib.sha256((tmp_path / "monitor.db").read_bytes()).hexdigest()
    command = [sys.executable, "-m", "monitor.cli", "export", "release", "--incremental"]
    for folder, options in (("r", ["--job", "mini", "--licence", "CC0-1.0"]), ("new", [])):
        refused = subprocess.run(  # the -shm of SQLite has 32,768 bytes
            [*command, folder, *options], cwd=tmp_path, check=False, capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)),
        )  # fmt: skip
        said = " ".join(refused.stderr.split())
        assert refused.returncode == 4, said
        assert f"{folder}/" in said
        assert "run the command again when this is mended" in said
    left = {path: path.read_bytes() for path in there}
    assert left == there
    assert hashlib.sha256((tmp_path / "monitor.db").read_bytes()).hexdigest() == asked
    release(monitor, "new")
    assert read_all("new") == read_all_of(monitor)


def test_an_address_that_refuses_is_named(monitor, monkeypatch):
    for name, value in (
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9"), ("AWS_ACCESS_KEY_ID", "k"),
        ("AWS_SECRET_ACCESS_KEY", "s"), ("AWS_DEFAULT_REGION", "us-east-1"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    code, _, why = monitor("export", "release", "s3://releases/2026", "--incremental")
    assert code == 4
    assert "s3://releases/2026: " in why
    assert "run the command again when this is mended" in why


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
    reader = open_duckdb(tmp_path / "r")
    for question in data_dictionary.read_questions():
        if question.name in WITHHELD:
            continue
        with demo.read() as connection:
            answer = connection.exec_driver_sql(question.sql).all()
        there = reader.execute(question.sql).fetchall()
        assert [tuple(map(plain, row)) for row in there] == [
            tuple(map(plain, row)) for row in answer
        ], question.name


def open_duckdb(folder):
    reader = duckdb.connect()
    reader.execute(f"SET file_search_path = '{folder.resolve()}'")
    reader.execute((folder / "duckdb.sql").read_text("utf-8"))
    return reader


def test_files_that_no_release_names_are_not_read(monitor):
    """Such as those of a run of the command that goes on, or died."""
    release(monitor)
    count = "SELECT COUNT(*) FROM answers"
    held = open_duckdb(Path("r")).sql(count).fetchall()
    for path in [path for path in named("r") if path.startswith("data/answers/")]:
        beside = Path("r", path).with_name("run-999999-abc.parquet")
        beside.write_bytes(Path("r", path).read_bytes())
    assert open_duckdb(Path("r")).sql(count).fetchall() == held
    view = next(
        view
        for view in Path("r/clickhouse.sql").read_text("utf-8").split(";\n")
        if "VIEW answers AS" in view
    ).replace("'data/", f"'{Path('r').resolve()}/data/")
    with chdb.session.Session() as reader:
        reader.query("CREATE DATABASE release")
        reader.query("USE release")
        reader.query(view)
        assert [int(str(reader.query(count)))] == list(held[0])


TEN_LINES = re.compile(
    r"### (.+) from its answers\n.*?```sql\n(.+?)```.*?```python\n(.+?)```", re.DOTALL
)


def test_a_stranger_recomputes_a_number_in_ten_lines(monitor, monkeypatch):
    release(monitor)
    text = (Path(__file__).parent.parent / "docs/release.md").read_text("utf-8")
    [(quantity, *snippets)] = TEN_LINES.findall(text)
    assert all(len(re.findall(r"(?m)^.+$", snippet)) <= 10 for snippet in snippets)
    monkeypatch.chdir("r")
    reader = open_duckdb(Path())
    printed = reader.execute(
        "SELECT run_id, engine, target, list, value FROM series_points WHERE quantity = ? "
        "AND list = 'feelings' AND scope = 'all' AND state = 'measured'", [quantity],
    ).fetchall()  # fmt: skip
    assert len(printed) > 5
    for run, engine, target, name, value in printed:
        of_number = {
            "run_id = 123": f"run_id = {run}", "run-000123-": f"run-{run:06}-", "deepl": engine,
            "'cs'": f"'{target}'", '"cs"': f'"{target}"', "gest@": f"{name}@",
        }  # fmt: skip
        sql, python = snippets
        for words, own in of_number.items():
            sql, python = sql.replace(words, own), python.replace(words, own)
        assert reader.sql(sql).fetchall() == [(pytest.approx(value, abs=1e-12),)]
        names = {}
        exec(python, names)  # noqa: S102 - what docs/release.md says
        assert names[quantity] == pytest.approx(value, abs=1e-12)


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
    resources = store.list_growing_resources(full=True)
    selection = ReleaseSelection(full=True)
    with demo.read() as connection:
        parts = store.list_parts(connection, selection, "1")
        assert len({part.name for part in parts}) == len(parts)
        for name, resource in resources.items():
            of_parts = [
                row
                for part in parts
                if name in part.tables
                for portion in store.read_part(connection, resource, part, selection)
                for row in portion
            ]
            whole = [row for p in store.read_rows(connection, resource, selection) for row in p]
            assert sorted(map(repr, of_parts)) == sorted(map(repr, whole)), name


def test_a_missed_tick_changes_with_the_run_before_it(demo):  # noqa: F811
    """Its series are those of that run, so that its month has the token of it."""
    selection = ReleaseSelection(("mt-weekly",))
    with demo.read() as connection:
        before = {p.name: p.token for p in store.list_parts(connection, selection, "1")}
    [first] = rows(demo, "SELECT MIN(id) AS id FROM runs WHERE job = 'mt-weekly'")
    with demo.begin() as connection:
        mark_stage(connection, first["id"], "measure", "a later version")
    with demo.read() as connection:
        after = {p.name: p.token for p in store.list_parts(connection, selection, "1")}
    changed = {name for name, token in after.items() if before[name] != token}
    month = min(name for name in after if re.fullmatch(r"mt-weekly/\d{4}-\d\d/", name))
    assert changed >= {month, f"{month}{first['id']}"}
    assert all(name.startswith("mt-weekly/2025-0") for name in changed)


def test_months_end_where_the_next_begins():
    for month, after in (("2025-12", "2026-01"), ("2026-02", "2026-03")):
        first, end = store._find_month(month)
        assert (
            (end - timedelta(microseconds=1)).strftime("%Y-%m") == first.strftime("%Y-%m") == month
        )
        assert end.strftime("%Y-%m") == after
