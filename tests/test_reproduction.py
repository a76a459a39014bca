"""Every number of a package is made anew and equal; nothing is in it that must not leave."""

import json
import shutil
from datetime import timedelta

import pytest

from monitor import pipeline, resources
from monitor.model import RunKind
from monitor.stages.publish import reproduction
from monitor.store.database import connect
from monitor.store.publish.reproduction import RunSelection
from tests.command import program
from tests.demo import demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows
from tests.report.people import SHOWN, name_of
from tests.reproduction import change, everything, lines, manifest
from tests.stories import quiet_folder, quiet_story  # noqa: F401 - fixtures

WEEK = timedelta(weeks=1)
KINDS = {"readings", "signals", "points", "comparisons", "looks", "changes", "reports"}


def packed(database, folder, home, **wanted):
    """Write a package of an open database."""
    source = {"commit": "", "source": ""}
    about = reproduction.PackageFacts(RunSelection(**wanted), "0.1.0", "x", home, {}, source)
    with database.read() as connection:
        return reproduction.write_package(connection, database, folder, about, lambda _: None)


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def reproduced(monitor, folder, *options):
    """(exit code, what came out as JSON)."""
    code, said, why = monitor("reproduce", folder, "--processes", "1", "--json", *options)
    assert said, why
    return code, json.loads(said)


# --- an archive with something of everything ------------------------------------------------------


@pytest.fixture(scope="module")
def known(demo_folder, tmp_path_factory):  # noqa: F811
    """Packages of the archive of the demo, each made once: {name: folder}."""
    place, made = tmp_path_factory.mktemp("packages"), {}
    shutil.copytree(demo_folder, place / "home")
    database = connect(f"sqlite:///{place / 'home' / 'monitor.db'}", place / "home" / "bodies")

    def of(*, full, people=False):
        name = f"{'full' if full else 'redacted'}{'-people' * people}"
        if name not in made:
            made[name] = place / name
            packed(database, made[name], place / "home", full=full, people=people)
        return made[name]

    yield of
    database.close()


@pytest.mark.parametrize("full", [True, False], ids=["full-people", "redacted"])
def test_every_number_of_everything_is_made_anew_and_equal(known, monitor, full):
    """Full and with people nothing is left; redacted it says what cannot be, and why."""
    folder = known(full=full, people=full)
    code, found = reproduced(monitor, folder, "--strict")
    assert (found["equal"], found["differences"], found["left_out"]) == (True, [], [])
    assert (code, found["not_recomputed"] == 0) == ((0, True) if full else (1, False))
    closed = sum(one["closed"] for one in found["numbers"].values())
    assert 0 <= closed == found["not_recomputed"] < found["n"]
    kinds = KINDS if full else KINDS - {"readings", "signals"}
    assert set(found["numbers"]) == kinds
    why = {one["why"] for one in found["not_held"]}
    if full:
        assert why == set()
        # too few ticks for changes: test_changes_are_decided_again_from_a_package has them
        assert all(one["equal"] for kind, one in found["numbers"].items() if kind != "changes")
    else:
        assert any("made of words of results" in one for one in why)
        assert any("made of the recorded groups of people" in one for one in why)
        assert all(one["what"] == "closed" for one in found["not_held"])
    published = lines(folder, "published/points")
    counted = sum(len(row["values"]) for row in published)
    tally = found["numbers"]["points"]
    assert tally["equal"] + tally["closed"] == counted
    assert tally["equal"] > counted / 2


def test_nobody_is_named_in_a_package_that_is_not_said_to_name_people(known):
    names = [name_of(one, n) for one, signs in SHOWN.items() for n in range(len(signs))]
    for full in (True, False):
        content = everything(known(full=full)).decode()
        assert not [name for name in names if name in content]
        assert "enwiki" not in content
        assert lines(known(full=full), "inputs/labels") == []
    numbered = everything(known(full=False, people=True)).decode()
    assert not [name for name in names if name in numbered]
    assert "person:" in numbered
    assert any(name in everything(known(full=True, people=True)).decode() for name in names)


def test_a_redacted_package_has_no_text_of_an_answer(known):
    folder = known(full=False)
    shown = [item for row in lines(folder, "inputs/readings") for item in row["items"]]
    assert shown
    assert {item[name] for item in shown for name in ("text", "title", "url", "entity")} == {""}
    assert {str(signal["witnesses"]) for item in shown for signal in item["signals"]} == {"[]"}
    assert not any("text" in row or "base64" in row for row in lines(folder, "inputs/bodies"))
    assert {str(row["request"]) for row in lines(folder, "inputs/exchanges")} == {"{}"}


def test_nothing_says_how_the_installation_works(known, demo_folder):  # noqa: F811
    content = everything(known(full=True)).decode()
    assert str(demo_folder) not in content
    assert {row["owner"] for row in lines(known(full=True), "inputs/runs")} == {""}


def test_postgresql_gives_the_same_bytes_and_so_does_the_second_time(
    known, demo_postgres, demo_folder, tmp_path  # noqa: F811
):  # fmt: skip
    first = known(full=True)
    database = connect(demo_postgres, demo_folder / "bodies")
    try:
        packed(database, tmp_path / "again", demo_folder, full=True)
        packed(database, tmp_path / "third", demo_folder, full=True)
    finally:
        database.close()
    sums = [(f / "SHA256SUMS").read_text() for f in (first, tmp_path / "again", tmp_path / "third")]
    assert sums[0] == sums[1] == sums[2]


def test_the_package_has_the_lock_the_versions_and_the_seeds(known):
    folder = known(full=False)
    lock = (folder / "requirements.lock").read_bytes()
    assert lock == (resources.find_folder("requirements") / "run.lock").read_bytes()
    assert b"--hash=sha256:" in lock
    said = json.loads((folder / "manifest.json").read_text())
    assert all(len(one["source"]) == 64 for one in said["measures"].values())
    assert {parts["list"] for parts in said["signatures"].values()} >= {"feelings@1", "gsr-toy@1"}
    assert {row["seed"] != "" for row in lines(folder, "inputs/runs")} >= {True}
    assert all(len(row["fingerprint"]) == 64 for row in lines(folder, "inputs/versions"))


@pytest.mark.parametrize("full", [True, False])
def test_changes_are_decided_again_from_a_package(quiet_story, tmp_path, monitor, full):  # noqa: F811
    database = quiet_story.ticks(3, "odd").database
    published = rows(database, "SELECT status FROM changes WHERE is_current AND p > 0")
    assert "confirmed" in {row["status"] for row in published}
    packed(database, tmp_path / "package", tmp_path, full=full)
    code, found = reproduced(monitor, tmp_path / "package")
    assert (code, found["differences"], found["left_out"]) == (0, [], [])
    assert found["numbers"]["changes"]["equal"] >= len(published) > 0


# --- a small one, changed -------------------------------------------------------------------------


def small(database, folder):
    """Two ticks of a translation audit; at the second some answers have changed."""
    items = mini_items(4)
    audit = make_audit(folder, items)
    for n, women in enumerate((7, 5)):
        said = portuguese(items, lambda item, women=women: int(item["stereotype"]) <= women)
        at = DUE + n * WEEK
        tick = pipeline.start(database, audit, RunKind.SCHEDULED, at)
        pipeline.run(database, audit, tick, Scripted(said, at=at), quiet)


@pytest.fixture(scope="module")
def originals(sqlite_template, tmp_path_factory):
    """{full: a package of the small archive}; to be copied, not changed."""
    from tests.conftest import copy_sqlite

    place = tmp_path_factory.mktemp("small")
    copy_sqlite(sqlite_template, place / "monitor.db")
    database = connect(f"sqlite:///{place / 'monitor.db'}", place / "bodies")
    try:
        small(database, place / "job")
        for full in (True, False):
            packed(database, place / str(full), place, full=full)
    finally:
        database.close()
    return {full: place / str(full) for full in (True, False)}


@pytest.fixture
def package(originals, tmp_path):
    """A function that gives a copy that may be changed."""

    def of(*, full=True):
        shutil.copytree(originals[full], tmp_path / "package")
        return tmp_path / "package"

    return of


def test_the_small_one_is_equal_before_anything_is_changed(package, monitor):
    code, found = reproduced(monitor, package())
    assert (code, found["differences"]) == (0, [])
    assert found["runs"] == 2
    assert found["readings_taken_over"] == 0
    assert found["numbers"]["comparisons"]["equal"] > 0


def _differing(found, kind):
    return [one for one in found["differences"] if one["kind"] == kind]


def test_one_published_number_that_was_changed_is_found_and_named(package, monitor):
    folder = package(full=False)

    def edit(rows):
        [row] = [r for r in rows if "f_m, all" in r["of"] and r["at"].startswith("2025-01-13")]
        row["values"]["value"] += 1e-9
        row["values"]["used"] += 1

    change(folder, "published/points", edit)
    code, found = reproduced(monitor, folder)
    assert (code, found["equal"]) == (1, False)
    used, value = sorted(found["differences"], key=lambda one: one["name"])
    assert (used["name"], value["name"]) == ("used", "value")
    assert "f_m, all" in value["of"]
    assert value["at"].startswith("2025-01-13")
    assert value["published"] - value["recomputed"] == pytest.approx(1e-9, rel=1e-3)
    assert used["published"] == used["recomputed"] + 1
    code, said, _ = monitor("reproduce", folder)
    assert code == 1
    assert "f_m, all" in said
    assert "published" in said
    assert "recomputed" in said


def test_every_difference_is_named_and_what_is_not_printed_is_counted(package, monitor):
    folder = package(full=False)

    def edit(rows):
        for row in rows:
            row["values"]["planned"] += 1

    change(folder, "published/points", edit)
    change(folder, "published/looks", lambda _rows: [])
    n = len(lines(folder, "published/points"))
    code, found = reproduced(monitor, folder)
    assert (code, found["differences_only_counted"]) == (1, {})
    assert [one["name"] for one in _differing(found, "points")] == ["planned"] * n
    assert sum(one["n"] for one in found["differences"]) == sum(
        one["different"] for one in found["numbers"].values()
    )
    code, said, _ = monitor("reproduce", folder)
    assert f"points: {n - 10:,} more values differ; --json names them all" in said
    assert "looks: ledger of mini, 2025-01-13" in said  # the first kind does not hide the others
    assert "recomputed, and not published (7 values)" in said


def test_one_answer_that_was_changed_is_found(package, monitor):
    """A forger who makes the digests fit as well is found by what follows from the answer."""
    import hashlib

    folder = package()

    def edit(rows):
        row = next(r for r in rows if "cansada" in r["text"])
        row["text"] = row["text"].replace("cansada", "cansado")
        row["sha256"] = hashlib.sha256(row["text"].encode()).hexdigest()
        row["size"] = len(row["text"].encode())
        return [r for r in rows if r is row or r["sha256"] != row["sha256"]]

    change(folder, "inputs/bodies", edit)
    code, found = reproduced(monitor, folder)
    assert code == 1
    assert _differing(found, "readings")
    assert _differing(found, "signals")
    assert _differing(found, "points")


def test_an_answer_that_is_not_that_of_its_digest_is_a_damaged_package(package, monitor):
    folder = package()

    def edit(rows):
        rows[0]["text"] += " "

    change(folder, "inputs/bodies", edit)
    code, _, why = monitor("reproduce", folder)
    assert code == 2
    assert "its bytes are not those of its digest" in why


def test_one_reading_that_was_changed_is_found(package, monitor):
    folder = package(full=False)

    def edit(rows):
        signal = next(
            signal
            for row in rows
            for item in row["items"]
            for signal in item["signals"]
            if signal["class"] == "feminine"
        )
        signal["class"] = "masculine"

    change(folder, "inputs/readings", edit)
    code, found = reproduced(monitor, folder)
    assert code == 1
    assert {one["name"] for one in _differing(found, "points")} >= {"value"}


def test_readings_cannot_be_given_for_answers_that_are_there(package, monitor):
    folder = package()

    def edit(rows):
        for row in rows:
            row["given"] = True

    change(folder, "inputs/readings", edit)
    code, _, why = monitor("reproduce", folder)
    assert code == 2
    assert "are given of answers that are in the package" in why


def test_a_number_that_was_taken_out_or_put_in_is_found(package, monitor):
    folder = package(full=False)
    change(folder, "published/points", lambda rows: rows[1:])

    def one_more(rows):
        rows.append({**rows[-1], "key": [*rows[-1]["key"][:3], "0" * 64]})

    change(folder, "published/comparisons", one_more)
    code, found = reproduced(monitor, folder)
    assert code == 1
    assert [one["name"] for one in _differing(found, "points")] == ["recomputed, and not published"]
    [more] = _differing(found, "comparisons")
    assert more["name"] == "published, and not recomputed"


def test_a_finding_and_a_level_that_were_changed_are_found(package, monitor):
    folder = package(full=False)

    def edit(rows):
        rows[0]["values"]["alpha"] = 0.5

    change(folder, "published/looks", edit)
    code, found = reproduced(monitor, folder)
    assert code == 1
    assert [one["name"] for one in found["differences"]] == ["alpha"]


def test_numbers_of_versions_that_are_not_here_are_missing_not_equal(package, monitor):
    folder = package(full=False)
    old, new = [], "f" * 64

    def other(content):
        old.append(next(iter(content["signatures"])))
        parts = content["signatures"].pop(old[0])
        content["signatures"][new] = parts | {"measure_version": 99}
        for signed in content["signed"].values():
            for kind, some in signed.items():
                signed[kind] = [new if one == old[0] else one for one in some]

    manifest(folder, other)

    def edit(rows):
        for row in rows:
            if row["signature"] == old[0]:
                row["signature"] = new
                row["key"] = [new if one == old[0] else one for one in row["key"]]

    for kind in ("points", "comparisons"):
        change(folder, f"published/{kind}", edit)
    code, found = reproduced(monitor, folder)
    assert code == 1
    assert found["numbers"]["points"]["missing"] > 0
    assert any("other versions" in one["why"] for one in found["not_held"])


def test_a_job_file_that_cannot_be_read_leaves_its_runs_out(package, monitor):
    from tests.reproduction import sum_up

    folder = package(full=False)
    [path] = folder.glob("jobs/*/job.toml")
    path.write_text("name = ", "utf-8")
    manifest(folder, lambda content: content["files"].update(
        {path.relative_to(folder).as_posix(): [len("name = "), len("name = "), 0]}
    ))  # fmt: skip
    sum_up(folder)
    code, found = reproduced(monitor, folder)
    assert code == 1
    assert len(found["left_out"]) == 2
    assert found["numbers"]["points"]["equal"] == 0


# --- the commands ---------------------------------------------------------------------------------


@pytest.fixture
def archive(sqlite_database, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_DATABASE_URL", str(sqlite_database.writer.url))
    small(sqlite_database, tmp_path / "job")
    return sqlite_database


def test_the_command_writes_a_package_of_a_part_that_reproduces(archive, monitor, tmp_path):
    code, said, why = monitor(
        "export", "reproduction", "p", "--redacted", "--job", "mini", "--until", "2025-01-06",
        "--json",
    )  # fmt: skip
    assert code == 0, why
    made = json.loads(said)
    assert (made["runs"], made["behind"]) == (1, {})
    code, found = reproduced(monitor, "p", "--keep", "kept")
    assert (code, found["differences"]) == (0, [])
    assert found["numbers"]["points"]["equal"] > 0
    assert (tmp_path / "kept" / "monitor.db").is_file()


def test_what_cannot_be_meant_is_refused(archive, monitor, tmp_path):
    code, _, why = monitor("export", "reproduction", "p")
    assert (code, "say --full" in why) == (2, True)
    code, _, why = monitor("export", "reproduction", "p", "--full", "--job", "nobody")
    assert (code, "no run of it here" in why) == (2, True)
    code, _, why = monitor("export", "reproduction", "p", "--full", "--until", "1999-01-01")
    assert (code, "has ended" in why) == (2, True)
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "mine").touch()
    code, _, why = monitor("export", "reproduction", "q", "--full")
    assert (code, "not empty" in why) == (2, True)
    code, _, why = monitor("reproduce", "q")
    assert (code, "no package has such a file" in why) == (2, True)
    code, _, why = monitor("reproduce", "nowhere")
    assert (code, "cannot be read" in why) == (2, True)
    assert not (tmp_path / "p").exists()


def test_runs_that_lack_newer_inputs_are_named_beforehand(archive, monitor, tmp_path):
    import sqlalchemy as sa

    from monitor.store.schema import stages_done

    with archive.begin() as connection:
        connection.execute(sa.delete(stages_done).where(stages_done.c.stage == "measure"))
    code, said, _ = monitor("export", "reproduction", "p", "--redacted", "--json")
    assert code == 0
    assert set(json.loads(said)["behind"]) == {"1", "2"}


def test_the_environment_is_as_it_was_afterwards(archive, monitor, monkeypatch, package):
    import os

    before = dict(os.environ)
    code, _ = reproduced(monitor, package(full=False))
    assert code == 0
    assert dict(os.environ) == before
