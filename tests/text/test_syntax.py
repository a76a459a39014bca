"""Threads may parse at once, as workers do that begin their tasks together."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from monitor import model
from monitor.text.syntax import parse_literal, parse_source


@pytest.fixture
def switching():
    """Threads change places also while the parser works: whenever garbage is collected."""

    def wait(_phase, _info):
        time.sleep(0.0002)

    before = gc.get_threshold()
    gc.callbacks.append(wait)
    gc.set_threshold(200, 2, 2)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(wait)


@pytest.mark.usefixtures("switching")
def test_threads_that_parse_at_once_get_their_trees():
    content = Path(model.__file__).read_bytes()
    literal = str([[number] * 5 for number in range(400)])

    def parse(at):
        return len(parse_source(content).body) if at % 2 else len(parse_literal(literal))

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(parse, range(24)))) == 2
