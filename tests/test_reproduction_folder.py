"""Folders that somebody made to do harm are refused before anything in them is used."""

import gzip
import json
import os
from pathlib import Path

import pytest

from monitor.model import InvalidInput
from monitor.stages.publish import package_files
from monitor.stages.publish.package_files import INPUTS, PUBLISHED, is_safe, open_package
from monitor.stages.publish.reproduction_comparison import ComparisonResult
from monitor.stages.publish.reproduction_comparison import (
    is_same as is_same_of_reproduction_comparison,
)
from monitor.store.publish import reproduction as inputs
from tests.cases import check_each
from tests.reproduction import manifest, put, sum_up

QUIET = {
    "format": 2, "program": "0.1.0", "schema": "0006", "full": False, "people": False, "jobs": [],
    "chosen_jobs": [], "until": None, "runs": 0, "withheld_lists": [], "behind": {},
    "commit": "", "source": "", "unfinished": {}, "erased": {}, "worked_on": {}, "doubts": [],
    "reports_left_out": {},
    "signatures": {}, "measures": {}, "signed": {}, "decided": {}, "report_times": {},
    "seeds": {}, "lexicons": [], "files": {},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A package without a row."""
    place = tmp_path / "package"
    made = [
        package_files.write_file(place, f"{kind}/{name}{package_files.SUFFIX}", [[]])
        for kind, names in (("inputs", INPUTS), ("published", PUBLISHED))
        for name in names
    ]
    content = QUIET | {"files": {one.path: [one.size, one.unpacked, one.rows] for one in made}}
    (place / "manifest.json").write_text(json.dumps(content), "utf-8")
    sum_up(place)
    return place


def refused(folder):
    with pytest.raises(InvalidInput) as why:
        open_package(folder, lambda _: None)
    return str(why.value)


@pytest.fixture
def unread(monkeypatch):
    """Fails the test where a file is opened."""

    def never(*_arguments, **_options):
        raise AssertionError("a file was opened")

    def guard():
        monkeypatch.setattr(Path, "open", never)
        monkeypatch.setattr(Path, "read_text", never)
        monkeypatch.setattr(Path, "read_bytes", never)

    return guard


def test_a_package_that_is_whole_is_opened(folder):
    told = []
    found = open_package(folder, told.append)
    assert found.manifest.program == "0.1.0"
    assert list(found.rows("inputs/runs")) == []
    assert told[-1] == len(INPUTS) + len(PUBLISHED) + 1


@pytest.mark.parametrize(
    "name", ["evil.sh", "inputs/passwd.jsonl.gz", "jobs/1/.hidden", "jobs/x/job.toml", ".git",
             "lexicons/../x.lexicon"],
)  # fmt: skip
def test_a_file_that_no_package_has_is_refused_unopened(folder, unread, name):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    unread()
    assert "no package has such a file" in refused(folder)


def test_links_and_pipes_are_refused_unopened(folder, unread, tmp_path):
    (tmp_path / "secret").write_text("x")
    (folder / "README.md").symlink_to(tmp_path / "secret")
    unread()
    assert "'README.md': no package has such a file" in refused(folder)
    (folder / "README.md").unlink()
    (folder / "jobs").symlink_to(tmp_path)
    assert "'jobs': no package has such a file" in refused(folder)
    (folder / "jobs").unlink()
    os.mkfifo(folder / "LICENSE.md")
    assert "no package has such a file" in refused(folder)


def test_a_file_that_is_larger_than_any_is_refused_unopened(folder, unread):
    with (folder / "README.md").open("wb") as file:
        file.truncate(2**40)  # takes no room on the disk
    unread()
    assert "more, or larger, files than a package has" in refused(folder)


def test_folders_in_folders_in_folders_are_refused(folder, unread):
    (folder / "jobs" / "1" / "a" / "b" / "c" / "d").mkdir(parents=True)
    unread()
    assert "no package has such a file" in refused(folder)


@pytest.mark.parametrize(
    "line", ["0" * 64 + "  ../../etc/passwd", "0" * 64 + "  /etc/passwd", "0" * 63 + "  README.md",
             "nonsense", "0" * 64 + "  SHA256SUMS"],
)  # fmt: skip
def test_sums_that_lead_out_of_the_folder_are_refused(folder, line):
    with (folder / "SHA256SUMS").open("a") as file:
        file.write(line + "\n")
    assert "is no line of it" in refused(folder)


def test_names_twice_missing_names_and_wrong_sums_are_refused(folder):
    sums = folder / "SHA256SUMS"
    good = sums.read_text()
    sums.write_text(good + good.splitlines()[0] + "\n")
    assert "is no line of it" in refused(folder)
    sums.write_text("".join(good.splitlines(keepends=True)[1:]))
    assert "is not in both SHA256SUMS and folder" in refused(folder)
    sums.write_text(good.replace(good[:8], "00000000"))
    assert "is not what SHA256SUMS says" in refused(folder)
    sums.unlink()
    assert "has no SHA256SUMS" in refused(folder)


def test_a_manifest_that_is_none_is_refused(folder):
    path = folder / "manifest.json"
    for text in ("", "[]", "[" * 100_000, '{"format": 2}', '{"format": 2}', "\xff"):
        path.write_text(text, "latin-1")
        sum_up(folder)
        assert "manifest.json: " in refused(folder)


def test_a_manifest_that_lies_about_files_is_refused(folder):
    name = f"inputs/runs{package_files.SUFFIX}"
    manifest(folder, lambda content: content["files"].pop(name))
    assert "is missing in the package" in refused(folder)
    manifest(folder, lambda content: content["files"].update({name: [1, 0, 0]}))
    assert "another size" in refused(folder)
    manifest(folder, lambda content: content["files"].update({name: [-1, 0, 0]}))
    assert "manifest.json: files" in refused(folder)


def test_more_than_the_manifest_says_is_never_unpacked(folder):
    """A file that unpacks to very much more than it is: reading ends where the manifest does."""
    path = folder / f"inputs/runs{package_files.SUFFIX}"
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        for _ in range(20_000):
            file.write(b'{"a": "' + b"x" * 1_000 + b'"}\n')
    name = path.relative_to(folder).as_posix()
    manifest(folder, lambda c: c["files"].update({name: [path.stat().st_size, 2_100, 2]}))
    found = open_package(folder, lambda _: None)
    with pytest.raises(InvalidInput, match="holds more than the manifest says"):
        list(found.rows("inputs/runs"))
    manifest(folder, lambda c: c["files"].update({name: [path.stat().st_size, 10**9, 10**6]}))
    found = open_package(folder, lambda _: None)
    with pytest.raises(InvalidInput, match="holds less than the manifest says"):
        list(found.rows("inputs/runs"))


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"{}", "cut off"), (b"[1]\n", "is no row"), (b'{"a": NaN}\n', "is no JSON"),
     (b"\xff\n", "is no JSON"), (b"[" * 100_000 + b"\n", "is no JSON")],
)  # fmt: skip
def test_lines_that_are_no_rows_are_refused(folder, content, why):
    path = folder / f"inputs/runs{package_files.SUFFIX}"
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(content)
    name = path.relative_to(folder).as_posix()
    manifest(folder, lambda c: c["files"].update({name: [path.stat().st_size, len(content), 1]}))
    found = open_package(folder, lambda _: None)
    with pytest.raises(InvalidInput, match=why):
        list(found.rows("inputs/runs"))


def test_a_text_that_no_database_can_hold_is_refused(sqlite_database):
    row = {
        "id": 1, "name": "\ud800", "content_hash": "x", "content": {},
        "first_seen_at": "2026-01-01T00:00:00+00:00",
    }  # fmt: skip
    with (
        sqlite_database.begin() as connection,
        pytest.raises(InvalidInput, match="jobs: rows that do not fit together"),
    ):
        inputs.load_rows(connection, "jobs", [row])


def test_what_is_not_packed_is_refused(folder):
    path = folder / f"inputs/runs{package_files.SUFFIX}"
    path.write_bytes(b"not packed at all")
    name = path.relative_to(folder).as_posix()
    manifest(folder, lambda c: c["files"].update({name: [path.stat().st_size, 1, 1]}))
    found = open_package(folder, lambda _: None)
    with pytest.raises(InvalidInput, match="cannot be unpacked"):
        list(found.rows("inputs/runs"))


def test_job_files_are_taken_from_the_package_alone(folder):
    put(folder, "inputs/bundle_files", [{"bundle_id": 1, "path": "../../../etc/passwd"}])
    found = open_package(folder, lambda _: None)
    with pytest.raises(InvalidInput, match="is not in the package"):
        found.content("jobs/1/../../../etc/passwd")
    assert not is_safe("jobs/1/../../x")
    assert not is_safe("jobs/1/a\nb")
    assert is_safe("jobs/1/lists/gest@1.0.csv")


def test_the_most_files_are_counted(folder, monkeypatch):
    monkeypatch.setattr(package_files, "_MOST_FILES", 3)
    assert "more, or larger, files" in refused(folder)
    monkeypatch.setattr(package_files, "_MOST_FILES", 300)
    monkeypatch.setattr(package_files, "_MOST_BYTES", 300)
    assert "is larger than a package is" in refused(folder)


# --- what is the same -----------------------------------------------------------------------------


@check_each(
    ("one", "other", "is_same"),
    [(1, 1, True), (1, 2, False), (0.1 + 0.2, 0.3, True), (0.3, 0.3 + 1e-9, False),
     (0.0, 0.0, True), (0.0, 1e-300, True), (0.0, 2e-15, False),
     (-2.3356240051800037e-05, -2.3356240051758403e-05, True), (None, None, True), (None, 0, False),
     (None, 0.0, False),
     ("", None, False), ("a", "a", True), ("1.0", 1.0, False), (10**15, 10**15 + 1, False),
     (1, 1.0, True), (-0.5, 0.5, False)],
)  # fmt: skip
def test_counts_are_exact_and_other_numbers_nearly(one, other, is_same):
    assert is_same_of_reproduction_comparison(one, other) is is_same
    assert is_same_of_reproduction_comparison(other, one) is is_same


def test_a_name_that_one_side_lacks_differs():
    result = ComparisonResult()
    result.hold("points", "x", "y", {"a": 1, "b": 2}, {"a": 1, "c": 3})
    assert [(one.name, one.published, one.recomputed) for one in result.differences] == [
        ("b", 2, None), ("c", None, 3),
    ]  # fmt: skip
    assert (result.of("points").equal, result.of("points").different) == (1, 2)
    assert not result.is_equal


def test_differences_beyond_the_most_are_counted_by_kind(monkeypatch):
    monkeypatch.setattr("monitor.stages.publish.reproduction_comparison.MOST_NAMED", 1_000)
    result = ComparisonResult()
    for n in range(1_500):
        result.hold("points", "x", "y", {"a": n}, {"a": n + 1})
    result.absent("looks", "x", "y", "published, and not recomputed", 7)
    assert result.of("points").different == 1_500
    assert len(result.differences) == 1_000
    assert result.unnamed == {"points": 500, "looks": 7}
