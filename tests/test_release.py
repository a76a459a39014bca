"""A release: the same bytes each time, described, checked, and without what is restricted."""

import csv
import hashlib
import json
import re
import subprocess
import tracemalloc
from datetime import UTC, datetime, timedelta

import jsonschema
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa

from monitor.model import InvalidInput, MissingPart
from monitor.stages.publish import release, release_papers
from monitor.stages.publish.release_papers import ReleaseFacts, write_licences
from monitor.store.jobs.declarations import Invented
from monitor.store.publish import data_dictionary
from monitor.store.publish import release as store
from monitor.store.publish.release import ReleasedList, ReleaseSelection
from monitor.store.schema import erasures, items, looks
from monitor.text.cells import plain
from tests.command import program
from tests.demo import HOSTILE, demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import rows

PAPERS = {"datapackage.json", "README.md", "LICENSE.md", "CITATION.cff"}


def made(database, folder, *, with_parquet=True, **wanted):
    with database.read() as connection:
        return release.write_release(
            connection, folder, ReleaseSelection(**wanted), "0.1.0", "0006", lambda _: None,
            with_parquet=with_parquet,
        )  # fmt: skip


def read(folder, name):
    """A table of CSV as dicts of text."""
    with (folder / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def package(folder):
    return json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))


def everything(folder):
    """All bytes of a release but Parquet, which another test holds against CSV."""
    found = [p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.suffix != ".parquet"]
    return b"\n".join(found)


@pytest.fixture(scope="module")
def known_releases(tmp_path_factory):
    """Releases of the archive that tests only read: {(dialect, full): folder}."""
    return tmp_path_factory.mktemp("releases"), {}


@pytest.fixture
def released(demo, dialect, known_releases):  # noqa: F811
    """The folder of a release of the whole archive, redacted or full; made once."""
    place, known = known_releases

    def folder(*, full=False):
        if (dialect, full) not in known:
            known[dialect, full] = place / f"{dialect}-{full}"
            made(demo, known[dialect, full], full=full)
        return known[dialect, full]

    return folder


# --- whole, checked, the same ---------------------------------------------------------------------


def test_a_release_passes_its_own_checksums_and_names_every_file(demo, tmp_path):  # noqa: F811
    folder = tmp_path / "out" / "release"
    result = made(demo, folder)
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    assert {line.split("  ")[1] for line in sums} == files - {"SHA256SUMS"}
    assert files >= PAPERS
    assert result.files == len(files)
    assert result.sha256 == hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
    assert [path.name for path in folder.parent.iterdir()] == ["release"]


def test_the_same_archive_gives_the_same_bytes_and_so_does_the_other_database(
    demo, demo_folder, demo_postgres, tmp_path  # noqa: F811
):  # fmt: skip
    from monitor.store.database import connect

    first, second = tmp_path / "1", tmp_path / "2"
    made(demo, first, full=True, jobs=("mt-weekly",))
    made(demo, second, full=True, jobs=("mt-weekly",))
    for path in first.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (second / path.relative_to(first)).read_bytes(), path
    other = demo_postgres if demo.keeps_files else f"sqlite:///{demo_folder / 'monitor.db'}"
    opened = connect(other, tmp_path)
    try:
        made(opened, tmp_path / "3", full=True, jobs=("mt-weekly",))
    finally:
        opened.close()
    mine, theirs = ((f / "SHA256SUMS").read_text() for f in (first, tmp_path / "3"))
    assert mine == theirs


def test_csv_parquet_and_the_view_say_the_same(demo, released):  # noqa: F811
    folder = released()
    for resource in store.list_resources(full=False):
        lines = read(folder, resource.name)
        table = pq.read_table(folder / "data" / f"{resource.name}.parquet").to_pylist()
        assert len(lines) == len(table)
        for line, row in zip(lines, table, strict=True):
            for column in resource.columns:
                assert _same(line[column.name], row[column.name], column.type), column
        if resource.name not in ("series", "answers"):
            [counted] = rows(demo, f"SELECT COUNT(*) AS n FROM {resource.name}")
            assert counted["n"] == len(lines), resource.name


def _same(cell, value, kind):
    if value is None:
        return cell == ""
    if kind == "datetime":
        return datetime.fromisoformat(cell) == value
    if kind == "boolean":
        return cell == str(value).lower()
    if kind in ("integer", "number"):
        return float(cell) == value
    return plain(cell) == value


def test_nothing_is_measured_that_was_not(demo, released):  # noqa: F811
    folder = released()
    lines = read(folder, "series_points")
    assert {line["state"] for line in lines} == {"measured", "insufficient", "missed"}
    for line in lines:
        assert (line["state"] == "measured") == (line["value"] != "")
        assert line["state"] == "measured" or line["reason"]


# --- described ------------------------------------------------------------------------------------


def test_the_descriptor_is_a_frictionless_data_package(demo, released):  # noqa: F811
    """Against the rules of the Data Package and Table Schema specifications, version 1."""
    folder = released()
    found = package(folder)
    jsonschema.validate(found, SCHEMA)
    names = [one["name"] for one in found["resources"]]
    assert len(set(names)) == len(names)
    for one in found["resources"]:
        content = (folder / one["path"]).read_bytes()
        assert one["bytes"] == len(content)
        assert one["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        fields = [field["name"] for field in one["schema"]["fields"]]
        assert set(one["schema"].get("primaryKey", [])) <= set(fields)
        if one["format"] == "csv":
            lines = read(folder, one["name"])
            assert one["rows"] == len(lines)
            if lines:
                assert list(lines[0]) == fields
            _fits(lines, one["schema"])
        else:
            assert pq.read_schema(folder / one["path"]).names == fields
            # frictionless reads NULL in Parquet as NaN, and counts no bytes of it
            assert one["type"] == "file"
            assert "rows" not in one
    assert found["gbmonitor"]["answers"] == "redacted"
    assert any("CC-BY-4.0" in one["title"] for one in found["sources"])


def _fits(lines, schema):
    """Every cell is of its type, what is required is there, and the key is one."""
    patterns = {
        "integer": r"-?\d+", "number": r"-?(\d+(\.\d+)?(e[+-]?\d+)?|inf)|nan", "string": r"(?s).*",
        "boolean": "true|false",
        "datetime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z",
    }  # fmt: skip
    for field in schema["fields"]:
        assert field["description"]
        for line in lines:
            cell = line[field["name"]]
            if cell == "":
                assert not field.get("constraints", {}).get("required"), field
            else:
                assert re.fullmatch(patterns[field["type"]], cell), (field, cell)
    if key := schema.get("primaryKey"):
        values = [tuple(line[name] for name in key) for line in lines]
        assert len(set(values)) == len(values), key


TEXT = {"type": "string", "minLength": 1}
SCHEMA = {
    "type": "object",
    "required": ["name", "resources", "licenses", "sources", "version", "profile"],
    "properties": {
        "name": {"type": "string", "pattern": "^[-a-z0-9._/]+$"},
        "profile": {"const": "data-package"},
        "licenses": {
            "type": "array", "minItems": 1,
            "items": {"type": "object", "required": ["name"],
                      "properties": {"name": {"type": "string", "pattern": "^[-a-zA-Z0-9._]+$"}}},
        },
        "sources": {"type": "array", "items": {"type": "object", "required": ["title"]}},
        "resources": {
            "type": "array", "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name", "path", "schema", "bytes", "hash", "format", "mediatype"],
                "properties": {
                    "name": {"type": "string", "pattern": "^[-a-z0-9._/]+$"},
                    "path": {"type": "string", "pattern": "^(?!/)(?!.*\\.\\./)[^\\\\]+$"},
                    "hash": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
                    "bytes": {"type": "integer", "minimum": 1},
                    "schema": {
                        "type": "object", "required": ["fields"],
                        "properties": {
                            "fields": {
                                "type": "array", "minItems": 1,
                                "items": {
                                    "type": "object", "required": ["name", "type", "description"],
                                    "properties": {
                                        "name": TEXT, "description": TEXT,
                                        "type": {"enum": ["string", "integer", "number",
                                                          "boolean", "datetime"]},
                                    },
                                },
                            },
                            "missingValues": {"type": "array", "items": {"type": "string"}},
                        },
                    },
                },
            },
        },
    },
}  # fmt: skip


def test_every_column_of_a_release_is_in_the_dictionary():
    for full in (False, True):
        for resource in store.list_resources(full=full):
            for column in resource.columns:
                assert column.type in data_dictionary.TYPES
                assert column.meaning
            assert set(resource.key) <= {one.name for one in resource.columns}


# --- restricted -----------------------------------------------------------------------------------


@pytest.mark.parametrize("full", [False, True])
def test_no_person_is_in_a_release(demo, released, full):  # noqa: F811
    """Neither by name nor by key, whatever is asked for; how many were shown is."""
    folder = released(full=full)
    content = everything(folder)
    shown = rows(demo, "SELECT DISTINCT title, entity FROM shown")
    assert len(shown) > 50
    for row in shown[::4]:
        assert row["title"].encode() not in content
        assert row["entity"].encode() not in content
        assert hashlib.sha256(row["title"].encode()).hexdigest().encode() not in content
    answers = read(folder, "answers")
    assert {line["withheld"] for line in answers} == {"", "person"}
    topics = read(folder, "topics_current")
    assert any(line["shown"] not in ("", "0") for line in topics)


def test_a_redacted_release_has_digests_in_the_place_of_what_engines_wrote(demo, released):  # noqa: F811
    folder = released()
    content = everything(folder)
    assert "Jsem unavená.".encode() not in content
    answers = read(folder, "answers")
    assert not {"text", "title", "url", "witnesses"} & set(answers[0])
    known = {hashlib.sha256(one.encode()).hexdigest(): one for one in ("Jsem unavená.", HOSTILE)}
    found = {known.get(line["text_sha256"]) for line in answers}
    assert {"Jsem unavená.", HOSTILE} <= found


def test_hostile_text_stays_data_and_no_cell_is_a_formula(demo, released):  # noqa: F811
    folder = released(full=True)
    answers = read(folder, "answers")
    assert HOSTILE in {plain(line["text"]) for line in answers}
    for resource in store.list_resources(full=True):
        text = [one.name for one in resource.columns if one.type in ("text", "json")]
        for line in read(folder, resource.name):
            assert not any(line[name].startswith(("=", "+", "-", "@", "\t", "\r")) for name in text)
    table = pq.read_table(folder / "data" / "answers.parquet", columns=["text"])
    assert HOSTILE in table["text"].to_pylist()


def test_a_licence_of_a_list_adds_no_line_and_no_element():
    words = "MIT\n\n# all@1: CC0-1.0 <script>alert(1)</script> [x](javascript:x)\u202e"
    lists = [ReleasedList("x@1", "", words, "en"), ReleasedList("y@1", "", "CC-BY-4.0", "en")]
    about = ReleaseFacts(ReleaseSelection(), "1", "1", "CC-BY-4.0", None, lists, [], Invented())
    text = write_licences(about)
    assert [line for line in text.split("\n") if "@1" in line] == [
        r"- x@1: MIT # all@1: CC0-1.0 \<script\>alert(1)\</script\> \[x\](javascript:x)\[U+202E\]",
        "- y@1: CC-BY-4.0",
    ]


def test_what_was_erased_stays_erased(demo, tmp_path):  # noqa: F811
    gone = "The words that somebody wants gone"
    digest = hashlib.sha256(gone.encode()).hexdigest()

    def answers(connection, folder):
        wanted = ReleaseSelection(("mini",))
        release.write_release(
            connection, folder, wanted, "0", "0", lambda _: None, with_parquet=False
        )
        return read(folder, "answers")

    with demo.writer.connect() as connection:  # nothing of this is kept
        [number] = connection.execute(
            sa.insert(erasures)
            .values(
                id=1, kind="url", subject_hash="h", reason="r", counts={},
                erased_at=datetime.now(UTC),
            )
            .returning(erasures.c.id)
        ).scalars()  # fmt: skip
        own = sa.text("SELECT MIN(item_id) FROM answers WHERE job = 'mini'")
        [item] = connection.execute(own).scalars()
        this = items.c.id == item
        connection.execute(sa.update(items).where(this).values(text=gone))
        assert digest in {line["text_sha256"] for line in answers(connection, tmp_path / "1")}
        empty = {"text": "", "title": "", "url": "", "entity": "", "erasure_id": number}
        connection.execute(sa.update(items).where(this).values(**empty))
        after = answers(connection, tmp_path / "2")
        connection.rollback()
    [line] = [one for one in after if one["item_id"] == str(item)]
    assert (line["text_sha256"], line["title_sha256"]) == ("", "")


# --- a part ---------------------------------------------------------------------------------------


def test_a_release_of_one_job_until_a_day_holds_nothing_else(demo, tmp_path):  # noqa: F811
    until = datetime(2025, 1, 27, 23, 59, tzinfo=UTC)
    made(demo, tmp_path / "r", jobs=("mt-weekly",), until=until)
    for resource in store.list_resources(full=False):
        for line in read(tmp_path / "r", resource.name):
            assert line.get("job", "mt-weekly") == "mt-weekly"
            if resource.time:
                assert datetime.fromisoformat(line[resource.time]) <= until
    runs = {line["run_id"] for line in read(tmp_path / "r", "answers")}
    assert runs == set("123456789")
    series = {line["series_id"]: line for line in read(tmp_path / "r", "series")}
    grid = read(tmp_path / "r", "series_points")
    assert {line["series_id"] for line in grid} == set(series)
    for number, line in series.items():
        own = [one for one in grid if one["series_id"] == number]
        assert int(line["n_ticks"]) == len(own)
        assert int(line["n_measured"]) == sum(one["state"] == "measured" for one in own)
        assert line["last_due_at"] == max(one["due_at"] for one in own)
    used = {line["signature"] for line in read(tmp_path / "r", "points_current")}
    assert {line["signature"] for line in read(tmp_path / "r", "instruments")} == used
    assert package(tmp_path / "r")["gbmonitor"]["newest_due_at"] == "2025-01-27T05:00:00Z"


def test_a_job_that_never_ran_is_refused_and_nothing_is_left(demo, tmp_path):  # noqa: F811
    with pytest.raises(InvalidInput, match="--job nope: no run of it here; known: gsr-toy, mini"):
        made(demo, tmp_path / "out" / "r", jobs=("nope",))
    assert not (tmp_path / "out").exists()


def test_a_release_that_fails_leaves_nothing(demo, tmp_path, monkeypatch):  # noqa: F811
    def torn(*_):
        raise OSError("disk full")

    monkeypatch.setattr("monitor.stages.publish.release.write_checksums", torn)
    with pytest.raises(OSError, match="disk full"):
        made(demo, tmp_path / "out" / "r", jobs=("mini",))
    assert list((tmp_path / "out").iterdir()) == []


def test_an_empty_archive_gives_empty_tables(database, tmp_path):
    result = made(database, tmp_path / "r")
    assert result.rows == 0
    for resource in store.list_resources(full=False):
        assert read(tmp_path / "r", resource.name) == []
        table = pq.read_table(tmp_path / "r" / "data" / f"{resource.name}.parquet")
        assert (table.num_rows, table.column_names) == (0, [c.name for c in resource.columns])


def test_memory_does_not_grow_with_the_rows(database, tmp_path, monkeypatch):
    """10,000 rows of 1 kB go through in portions of 250, of which one is held at a time."""
    monkeypatch.setattr(store, "PORTION", 250)
    at = datetime(2000, 1, 1, tzinfo=UTC)
    content = [
        {
            "job": "j", "due_at": at + timedelta(hours=n), "number": n, "families": 1,
            "hypotheses": 1, "p": n / 10_000, "alpha": 0.01, "selected": 0,
            "rule": f"{n} " + 1_000 * "x", "inputs_digest": "d", "computed_at": at,
        }
        for n in range(10_000)
    ]  # fmt: skip
    with database.begin() as connection:
        connection.execute(sa.insert(looks), content)
    del content
    ledger = next(one for one in store.list_resources(full=False) if one.name == "ledger")
    with database.read() as connection:
        portions = store.read_rows(connection, ledger, ReleaseSelection())
        tracemalloc.start()
        try:
            files = release.write_table(
                tmp_path, "ledger", ledger.columns, portions, with_parquet=True
            )
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert {one.rows for one in files} == {10_000}
    assert files[0].size > 10e6
    assert peak < 5e6


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def monitor(demo, tmp_path, monkeypatch, capsys):  # noqa: F811
    monkeypatch.setenv("MONITOR_DATABASE_URL", str(demo.writer.url))
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def test_the_command_writes_a_release(monitor, tmp_path):
    code, said, _ = monitor(
        "export", "release", "r", "--job", "mt-weekly", "--until", "2025-01-20", "--json",
        "--licence", "CC0-1.0",
    )  # fmt: skip
    assert code == 0
    found = json.loads(said)
    assert found["rows"] == sum(
        one["rows"] for one in package(tmp_path / "r")["resources"] if one["format"] == "csv"
    )
    assert package(tmp_path / "r")["licenses"][0]["name"] == "CC0-1.0"
    days = {line["due_at"][:10] for line in read(tmp_path / "r", "points_current")}
    assert days == {"2025-01-06", "2025-01-20"}


def test_nothing_is_written_over(monitor, tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "mine").touch()
    code, _, why = monitor("export", "release", "r")
    assert (code, "r: is there already and not empty" in why) == (2, True)
    code, _, why = monitor("export", "release", "s", "--licence", "a b")
    assert (code, "write an SPDX name" in why) == (2, True)
    assert not (tmp_path / "s").exists()


def test_without_the_library_it_says_what_to_do_and_csv_alone_works(monitor, tmp_path, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr("monitor.stages.publish.release.import_module", absent)
    code, _, why = monitor("export", "release", "r", "--job", "mini")
    assert code == MissingPart.exit_code
    assert "pip install 'gbmonitor[parquet]'" in why
    code, _, _ = monitor("export", "release", "r", "--job", "mini", "--csv-only")
    assert code == 0
    assert {p.suffix for p in (tmp_path / "r" / "data").iterdir()} == {".csv"}


def test_a_citation_says_that_data_are_invented():
    made_up, real = (
        release_papers.write_citation(
            ReleaseFacts(
                ReleaseSelection(),
                "1",
                "1",
                "CC-BY-4.0",
                datetime(2026, 1, 5, tzinfo=UTC),
                [],
                [],
                invented,
            )
        )
        for invented in (Invented(("a",), is_all=True), Invented())
    )
    assert 'message: "Invented data: All answers here are made up.' in made_up
    assert "language models: invented data until 2026-01-05" in made_up
    assert "language models: data until 2026-01-05" in real
    assert "nvented" not in real
