"""Lines of the log, in which addresses that were asked for and words of services stand."""

import json
import logging

import pytest

from monitor.cli import console as _console

HOSTILE = "/methods/x\nWARNING forged\x1b[2J\x9b31m\u202eback é"


@pytest.fixture
def record():
    """Of a fault whose words are hostile, too."""
    error = ValueError(HOSTILE)
    return logging.LogRecord(
        "web", logging.WARNING, "", 1, "%s is away", (HOSTILE,), (ValueError, error, None)
    )


def test_what_others_wrote_begins_no_line_and_moves_no_cursor(record):
    first, *trace = _console._Lines("%(levelname)s %(name)s %(message)s").format(record).split("\n")
    codes = "/methods/x\\u000aWARNING forged\\u001b[2J\\u009b31m\\u202eback é"
    assert first == f"WARNING web {codes} is away"
    assert trace == ["  ValueError: /methods/x", f"  {codes.partition('u000a')[2]}"]


def test_json_has_it_as_it_was_by_its_codes(record):
    text = _console._JsonLines().format(record)
    assert not {"\n", "\x1b", "\x9b", "\u202e"} & set(text)
    assert json.loads(text)["event"] == f"{HOSTILE} is away"
