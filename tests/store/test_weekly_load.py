"""What a week did not bring: how its questions ended."""

from monitor.model import Outcome, Reason
from monitor.store.reports import weekly_report
from tests.looked_after import ask, new_run


def ended(database, *run_ids):
    with database.read() as connection:
        found = weekly_report.count_outcomes(connection, run_ids)
    return [(row["name"], row["outcome"], row["reason"], row["questions"]) for row in found]


def test_questions_end_as_the_newest_parser_reads_them(database):
    first, second = new_run(database, "one"), new_run(database, "two")
    unreadable = (Outcome.UNREADABLE, Reason.MALFORMED)
    for run in (first, second, first):  # questions of several runs stand between each other
        ask(database, run, "a", Outcome.OK, n=2)
        ask(database, run, "a", Outcome.OK, read=[unreadable])
        ask(database, run, "a", Outcome.OK, read=[unreadable, (Outcome.EMPTY, Reason.NONE)])
        ask(database, run, "a", Outcome.TIMEOUT, final=False)
        ask(database, run, "b", None, kind="search")
    once = [
        ("a", "empty", "", 1), ("a", "ok", "", 2), ("a", "unreadable", "malformed", 1),
        ("b", "not asked", "", 1),
    ]  # fmt: skip
    assert ended(database, second) == once
    assert ended(database, first, second) == [(*one[:3], 3 * one[3]) for one in once]


def test_runs_that_asked_nothing_have_no_endings(database):
    assert ended(database) == []
    assert ended(database, new_run(database, "one"), 999) == []
