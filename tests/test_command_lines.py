"""Progress in lines, names in narrow columns, counts with their nouns."""

import io
from threading import enumerate as enumerate_threads
from time import monotonic, sleep

import pytest
from rich.console import Console

from monitor.cli import console as console_module
from monitor.cli import progress
from monitor.cli.console import broken
from monitor.cli.progress import State, duration, lines
from monitor.text.counted_nouns import several
from tests.cases import check_each
from tests.patience import HANGS


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@check_each(
    ("seconds", "said"),
    [
        (0, "0 s"), (48.4, "48 s"), (99, "99 s"), (100, "2 min"), (3_540, "59 min"),
        (11_100, "3 h 05 min"),
    ],
)  # fmt: skip
def test_a_time_that_is_left(seconds, said):
    assert duration(seconds) == said


def test_a_line_says_count_total_rate_and_time_left():
    clock = Clock()
    state = State("asking", "questions", 100, 1_800, clock=clock)
    clock.now, state.done = 20.0, 340
    # 240 of them in 20 s: those of before were no work of now
    assert state.line() == "asking: 340 of 1,800 questions, 12/s, about 2 min left"
    clock.now, state.done = 40.0, 100
    assert state.line() == "asking: 100 of 1,800 questions, 40 s so far"
    state.done, state.planned = 140, None
    assert state.line() == "asking: 140 questions, 1.0/s, 40 s so far"


def test_a_line_of_what_cannot_be_counted():
    clock = Clock()
    state = State("reading the series", clock=clock)
    clock.now = 15.0
    assert state.line() == "reading the series: 15 s so far"


@pytest.mark.parametrize("done", [11, 10])
def test_a_total_that_was_too_small_gives_no_time_left(done):
    clock = Clock()
    state = State("done", "rows", planned=10, clock=clock)
    clock.now, state.done = 5.0, done
    assert ("left" in state.line()) == (done == 10)
    clock.now = 0.0
    assert "so far" in state.line()  # no time has passed: no rate


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "BETWEEN", 0.001)


def wait_until(condition):
    """Lines come from a thread."""
    end = monotonic() + HANGS
    while not condition():
        assert monotonic() < end, "no line came"
        sleep(0.001)


def test_lines_are_told_while_nothing_is_counted_and_stop_at_the_end(quick):
    told = []
    with lines(told.append, State("drawing")):
        wait_until(lambda: len(told) >= 3)
    assert all(line.startswith("drawing: ") for line in told)
    assert "progress" not in {thread.name for thread in enumerate_threads()}


def test_lines_stop_where_the_work_fails(quick):
    told = []

    def work():
        with lines(told.append, State("drawing")):
            wait_until(lambda: told)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        work()
    assert "progress" not in {thread.name for thread in enumerate_threads()}


@pytest.fixture
def log(monkeypatch):
    """What a command writes to standard error in a cron job."""
    file = io.StringIO()
    for module in (console_module, progress):
        monkeypatch.setattr(module, "err", Console(file=file, width=200))
    return file


def of(log):
    return log.getvalue().splitlines()


def test_every_stage_begins_with_a_line_and_goes_on_with_more(log, quick):
    with progress.progress_bar() as told:
        told("collect", 100, 1_800)
        told("collect", 340, 1_800)
        wait_until(lambda: any("340 of 1,800 questions" in line for line in of(log)))
        told("parse", 0, 1_800)
        told("collect", 0, 20)  # the next recorded date of the same job
    begun = [line for line in of(log) if line.endswith("...")]
    assert begun == ["asking 1,700 questions ...", "reading the answers ..."]


def test_what_is_counted_is_told(log, quick):
    with progress.counter("rows", 2_000) as count:
        count(1_500)
        wait_until(lambda: any("1,500 of 2,000 rows" in line for line in of(log)))
    with progress.busy("sending"):
        wait_until(lambda: any(line.startswith("sending: ") for line in of(log)))


def test_what_is_over_at_once_says_nothing(log):
    with progress.counter("rows") as count:
        count(5)
    with progress.busy("sending"):
        pass
    assert of(log) == []


@check_each(
    ("name", "lines"),
    [
        ("short", ["short"]),
        ("masculine_share tag:half", ["masculine_share", "tag:half"]),
        (
            "azure(gender=female,profanity=marked)",
            ["azure(gender=", "female,", "profanity=", "marked)"],
        ),
        ("x" * 40, ["x" * 16, "x" * 16, "x" * 8]),
        ("a-" + "x" * 17, ["a-", "x" * 16, "x"]),
        ("", [""]),
    ],
)  # fmt: skip
def test_names_are_broken_at_their_signs(name, lines):
    assert broken(name, 16).split("\n") == lines
    assert broken(name, 16).replace("\n", "").replace(" ", "") == name.replace(" ", "")


def test_a_table_keeps_words_whole_on_a_narrow_terminal(monkeypatch):
    console = Console(file=io.StringIO(), width=80)
    monkeypatch.setattr(console_module, "out", console)
    job = "translations-of-occupations-into-six-languages"
    columns = ("job", "run", "kind", "due", "state", "answered", "planned")
    row = [job, "1234", "scheduled", "2025-01-06 05:00", "partial", "346,000", "468,000"]
    console.print(console_module.table("Newest runs", columns, [row]))
    shown = console.file.getvalue()
    assert all(len(line.rstrip()) <= 80 for line in shown.splitlines())
    for word in (*row[1:], "translations-", "of-", "occupations-", "into-six-", "languages"):
        assert word in shown


def test_counts_have_their_nouns():
    assert [several(n, "run") for n in (0, 1, 2_000)] == ["0 runs", "1 run", "2,000 runs"]
    assert several(1, "series", "series") == "1 series"
    assert several(2, "query", "queries") == "2 queries"
