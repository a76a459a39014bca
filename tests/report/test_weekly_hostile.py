"""The weekly report of weeks in which little could be tested, and of texts without an end."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from monitor.stages.document import pdf
from monitor.stages.document.records import Cell, Items, Table
from monitor.stages.reports.weekly import report
from monitor.store import schema
from tests.report import weeks as made


def weekly(database):
    with database.read() as connection:
        return report.make_weekly(connection, (), None, ZoneInfo("UTC"))


def said(document):
    """The words of the section on changes."""
    [section] = [section for section in document.sections if section.key == "headline"]
    return "\n".join(_texts(pdf.asdict(section)))


@pytest.fixture
def weeks(sqlite_database):
    """Five ticks of two engines, the last of them tested."""
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        weeks.look(connection, 4, p=0.4)
    return weeks


def test_what_could_not_be_tested_stands_beside_that_nothing_changed(sqlite_database, weeks):
    with sqlite_database.begin() as connection:
        before, after = weeks.run_of[3, "scheduled"], weeks.run_of[4, "scheduled"]
        signature = weeks.signature(connection)
        for name in ("f_s", "f_m", "marked_share"):
            series = weeks.series["deepl", "cs", name, "all"]
            weeks.compare(connection, series, "week", before, after, signature, 0.001)
    document = weekly(sqlite_database).document
    # of one engine too few, of the other none
    reasons = "too few runs so far (1), no earlier run to compare with (1)"
    assert document.title == f"Nothing could be tested this week: {reasons}"
    why = "no earlier run to compare with (3), too few runs so far (3)"
    assert f"Whether 6 main series changed since last week is not known: {why}." in said(document)


@pytest.mark.parametrize(
    ("cron", "earlier"), [("0 6 1 * *", "the run before"), ("0 6 * * *", "last week")]
)
def test_changes_are_since_what_the_schedule_of_the_job_has(sqlite_database, cron, earlier):
    weeks = made.small(sqlite_database, schedule={"cron": cron})
    with sqlite_database.begin() as connection:
        weeks.look(connection, 4, p=0.4)
    found = weekly(sqlite_database).document
    assert f"Whether 6 main series changed since {earlier} is not known" in said(found)
    [columns] = {
        tuple(column.title for column in block.columns)
        for section in found.sections
        for block in section.blocks
        if isinstance(block, Table) and "main series and controls" in block.caption
    }
    assert f"change since {earlier}" in columns


def test_nothing_is_added_where_all_was_tested(sqlite_database):
    weeks = made.measured(sqlite_database)
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17, p=0.4)
    document = weekly(sqlite_database).document
    assert document.title == "No change found this week in 2 of 2 systems"
    assert "not known" not in said(document)


def test_a_job_that_nobody_tested_is_named_at_the_top(sqlite_database, weeks):
    other = made.Weeks(sqlite_database, "other-weekly", n_ticks=5)
    other.ticks()
    document = weekly(sqlite_database).document
    items = [block for block in document.page_one if isinstance(block, Items)]
    assert "Job other-weekly: nothing that could be tested." in items[0].items
    assert "Not tested: job other-weekly." in said(document)


def test_a_text_of_a_million_letters_is_cut_on_paper(sqlite_database, weeks):
    with sqlite_database.begin() as connection:
        made.insert(
            connection, schema.alarms, kind="blocked", subject="mt-weekly: deepl",
            detail="W" * 1_000_000, since=weeks.last - timedelta(hours=1), seen_at=weeks.last,
            resolved_at=None,
        )  # fmt: skip
    found = weekly(sqlite_database)
    assert "W" * 1_000_000 in found.json
    texts = [one for one in _texts(pdf._plain(pdf.asdict(found.document))) if "WWW" in one]
    assert texts
    assert all(len(one) < 5_000 for one in texts)
    assert any("more characters, in the JSON" in one for one in texts)
    assert pdf.pdf(found.document, found.until).startswith(b"%PDF")


def _texts(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, str):
        yield value


def test_a_line_break_in_a_name_begins_no_line_on_paper(sqlite_database, weeks):
    forged = "deepl\nConfirmed. DeepL changed.\tp < 0.001"
    with sqlite_database.begin() as connection:
        made.insert(
            connection, schema.alarms, kind="blocked", subject=forged, detail="x",
            since=weeks.last - timedelta(hours=1), seen_at=weeks.last, resolved_at=None,
        )  # fmt: skip
    found = weekly(sqlite_database)
    texts = [*_texts(pdf._plain(pdf.asdict(found.document)))]
    assert any("deepl Confirmed. DeepL changed. p < 0.001" in one for one in texts)
    assert not [one for one in texts if "DeepL changed" in one and "\n" in one]


def test_lines_of_our_own_beneath_a_value_stay_lines_on_paper():
    assert pdf._plain(pdf.asdict(Cell("a\nb", "[1, 2]\nsince 2025"))) == {
        "text": "a b", "under": "[1, 2]\nsince 2025", "is_missing": False,
        "shade": None,
    }  # fmt: skip
