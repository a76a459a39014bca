"""The lanes that a person can pause are the same on both databases."""

from datetime import UTC, datetime

import pytest

from monitor import pipeline
from monitor.jobs import load_job
from monitor.model import InvalidInput, RunKind
from monitor.store.schedule import ticks
from tests.factories import make_audit


def test_the_lanes_of_what_was_asked(database, tmp_path):
    audit = make_audit(
        tmp_path,
        engines=[
            {
                "name": "libretranslate",
                "targets": ["pt"],
                "config": {"base_url": "http://127.0.0.1:9"},
            },
            {"name": "firefox_translations", "targets": ["pt"]},
        ],
    )
    pipeline.start(database, audit, RunKind.MANUAL, datetime.now(UTC))
    with database.read() as connection:
        assert ticks.list_lanes(connection) == [
            "firefox_translations",
            "libretranslate@127.0.0.1:9",
        ]


def test_a_job_file_that_would_be_read_for_ever_is_refused(tmp_path):
    endless = tmp_path / "endless.toml"
    endless.symlink_to("/dev/zero")
    with pytest.raises(InvalidInput, match="no regular file"):
        load_job(endless)
    import os

    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(InvalidInput, match="no regular file"):
        load_job(tmp_path / "pipe.toml")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * 4_000_001)
    with pytest.raises(InvalidInput, match=r"4,000,001 bytes, more than"):
        load_job(large)
