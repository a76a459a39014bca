"""The reserve of every disk that a SQLite database is on."""

import shutil
from typing import NamedTuple

import pytest

from monitor.model import StoreFull
from monitor.pipeline.collect.run_lanes import check_room
from monitor.store.database import connect


class Usage(NamedTuple):
    """As `shutil.disk_usage` says it."""

    total: int
    used: int
    free: int


@pytest.fixture
def apart(tmp_path, monkeypatch):
    """A database on one disk, its answers on another; {folder: bytes that are free}."""
    (tmp_path / "data").mkdir()
    (tmp_path / "home").mkdir()
    free = {"data": 2**40, "home": 2**40}
    looked_at = shutil.disk_usage

    def usage(path):
        looked_at(path)  # it is there
        part = path.relative_to(tmp_path).parts[0]
        return Usage(2**41, 0, free[part])

    monkeypatch.setattr(shutil, "disk_usage", usage)
    url = f"sqlite:///{tmp_path / 'data' / 'monitor.db'}"
    return connect(url, tmp_path / "home" / "monitor" / "bodies"), free


def test_with_room_on_both_nothing_is_said(apart):
    check_room(apart[0])


@pytest.mark.parametrize("name", ["data", "home"])
def test_each_disk_is_looked_at(apart, name):
    database, free = apart
    free[name] = 1_000_000
    with pytest.raises(StoreFull, match=rf"/{name}: 1 MB are free.*MONITOR_DISK_RESERVE"):
        check_room(database)


def test_a_link_to_another_disk_is_followed(tmp_path, monkeypatch):
    (tmp_path / "far").mkdir()
    (tmp_path / "bodies").symlink_to(tmp_path / "far")
    seen = []
    monkeypatch.setattr(
        shutil, "disk_usage", lambda path: seen.append(path.resolve().name) or Usage(1, 0, 2**40)
    )
    check_room(connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies"))
    assert seen == [tmp_path.name, "far"]


def test_a_database_in_memory_has_no_file(tmp_path):
    check_room(connect("sqlite://", tmp_path / "bodies"))
