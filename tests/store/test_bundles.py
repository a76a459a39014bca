"""The files of a job where there is no room for them, or no folder."""

import errno
import os
import tempfile
from pathlib import Path

import pytest

from monitor.model import StoreFull, StoreProblem
from monitor.store.jobs import declarations
from tests.factories import make_audit


@pytest.fixture
def bundle(database, tmp_path):
    with database.begin() as connection:
        files = {"job.toml": b"a job", "lists/words.jsonl": b"a list"}
        return declarations.store_bundle(connection, database, make_audit(tmp_path), files)


def unpacked(database, bundle_id):
    with (
        database.read() as connection,
        declarations.unpack_bundle(connection, database, bundle_id) as folder,
    ):
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }


def test_files_are_as_they_were_kept(database, bundle):
    expected = {"job.toml": b"a job", "lists/words.jsonl": b"a list"}
    assert unpacked(database, bundle) == expected


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("what", ["folder", "file"])
def test_no_room_is_waited_for(database, bundle, monkeypatch, number, what):
    refuse(monkeypatch, what, number)
    with pytest.raises(StoreFull, match=f"{tempfile.gettempdir()}: no room"):
        unpacked(database, bundle)


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_folder_that_cannot_be_written_is_named_with_the_remedy(
    database, bundle, monkeypatch, what
):
    refuse(monkeypatch, what, errno.EACCES)
    with pytest.raises(StoreProblem, match="TMPDIR") as caught:
        unpacked(database, bundle)
    assert not isinstance(caught.value, StoreFull)
    assert str(caught.value).startswith(tempfile.gettempdir())


def test_no_temporary_folder_at_all_is_said(database, bundle, monkeypatch):
    def none():
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    refuse(monkeypatch, "folder", errno.ENOENT)
    with pytest.raises(StoreProblem, match=r"^temporary folder: .*TMPDIR"):
        unpacked(database, bundle)


def test_a_fault_of_who_uses_the_files_stays_what_it_is(database, bundle):
    with (
        database.read() as connection,
        pytest.raises(OSError, match="of another"),
        declarations.unpack_bundle(connection, database, bundle),
    ):
        raise OSError(errno.ENOSPC, "of another")


def refuse(monkeypatch, what, number):
    def fail(*_args, **_more):
        raise OSError(number, os.strerror(number))

    if what == "folder":
        monkeypatch.setattr(declarations.tempfile, "TemporaryDirectory", fail)
    else:
        monkeypatch.setattr(Path, "write_bytes", fail)
