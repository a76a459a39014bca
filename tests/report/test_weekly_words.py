"""The words of the weekly report: first values, tests of the week, reasons, and how lines break."""

import json
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor.stages.changes import detectable_effects
from monitor.stages.changes.decisions import ALPHA
from monitor.stages.document import html, pdf
from monitor.stages.document.notation import number
from monitor.stages.document.records import Fold, Table, Words
from monitor.stages.reports.cells import shorten_reason
from monitor.stages.reports.weekly import changes, missing_values, report
from monitor.store import schema
from tests.cases import check_each
from tests.demo import WEEKS, demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.report import weeks as made
from tests.test_jobs_tables import DECLARED

UTC = ZoneInfo("UTC")
JOB = "mt-weekly"
DAY = timedelta(days=1)


#: The demo's noise runs ask all questions.
RUNS_A_TICK = 2


def weekly(database, *jobs, until=None):
    with database.read() as connection:
        return report.make_weekly(connection, jobs, until, UTC)


@pytest.fixture
def weeks(sqlite_database):
    """Five ticks of two engines."""
    return made.small(sqlite_database)


def test_what_jobs_say_of_themselves_stands_in_the_appendix(weeks, sqlite_database):
    """Also that all answers are invented, where they are."""
    with sqlite_database.begin() as connection:
        own = sa.select(schema.jobs.c.id, schema.jobs.c.content)
        for number, content in connection.execute(own).all():
            said = {**content, "description": "ALL ANSWERS INVENTED: <b>two</b> services"}
            change = sa.update(schema.jobs).where(schema.jobs.c.id == number)
            connection.execute(change.values(content=said))
    found = weekly(sqlite_database)
    [section] = [one for one in found.document.sections if one.key == "jobs"]
    assert section.blocks[1].items[0].endswith(": ALL ANSWERS INVENTED: <b>two</b> services")
    page = html.html(found.document)
    assert "ALL ANSWERS INVENTED: &lt;b&gt;two" in page


# --- first values ---------------------------------------------------------------------------------


def test_the_first_report_says_what_is_there_and_what_can_be_found_next_time(demo):  # noqa: F811
    found = weekly(demo, JOB, until=WEEKS[0] + DAY)
    rows = found.numbers["headline"]["first"]
    primary = [row for row in found.numbers["series"] if row["role"] == "primary"]
    assert len(rows) == sum(row["state"] == "measured" for row in primary) > 6
    reason = "first value, nothing to compare it with"
    assert found.document.title.startswith("Nothing could be tested this week")
    assert reason in found.document.title
    [row] = [
        row for row in rows
        if row["system"].startswith("LibreTranslate (two") and row["title"] == "f_m"
    ]  # fmt: skip
    [again] = [one for one in found.numbers["series"] if one["series_id"] == row["series_id"]]
    for name in ("value", "low", "high", "used", "planned", "point_id"):
        assert row[name] == again[name] is not None


def test_the_smallest_change_is_that_which_so_many_runs_decide(demo):  # noqa: F811
    """Of a share of all 128 probes that never flip by themselves one has to change."""
    found = weekly(demo, JOB, until=WEEKS[0] + DAY)
    rows = found.numbers["headline"]["first"]
    n = sum(row["role"] == "primary" for row in found.numbers["series"])
    for row in (row for row in rows if row["title"] == "marked_share"):
        least = row["smallest"]
        how = detectable_effects.make_deciding(n, RUNS_A_TICK, ALPHA)
        assert (least["series_tested"], least["runs_needed"]) == (n, how.since)
        assert (least["ticks_before"], least["power"]) == (12, 0.8)
        # of the services one was asked again, and answered the same
        assert (least["flips"], least["flips_from"], least["flips_n"]) == (0.0, "days", 128)
        expected = 1 / 128
        assert least["effect"] == pytest.approx(expected)
        [headline] = [one for one in found.document.sections if one.key == "headline"]
        [table] = [one for one in headline.blocks if isinstance(one, Table)]
        cells = [cells for group in table.groups for cells in group.rows]
        assert f"±{number(expected)}" in {cells[-1].text for cells in cells}
    without = [row for row in rows if row["smallest"]["effect"] is None]
    assert without
    assert all(row["smallest"]["reason"] for row in without)


def test_an_alpha_that_nobody_declared_counts_not(sqlite_database):
    weeks = made.small(sqlite_database, preregistration=DECLARED | {"alpha": 0.0001})
    with sqlite_database.begin() as connection:
        key = weeks.key(connection, "new", "cs", "f_s")
        weeks.point(connection, key, 4, weeks.signature(connection), 0.2)
    [row] = weekly(sqlite_database).numbers["headline"]["first"]
    least = row["smallest"]
    counted, declared = (
        detectable_effects.make_deciding(least["series_tested"], 1, alpha).since
        for alpha in (ALPHA, 0.0001)
    )
    assert least["runs_needed"] == counted < declared


def test_flips_that_nobody_has_seen_are_assumed(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        key = weeks.key(connection, "new", "cs", "f_s")
        weeks.point(connection, key, 4, weeks.signature(connection), 0.2)
    [row] = weekly(sqlite_database).numbers["headline"]["first"]
    seen = row["smallest"]
    assert (seen["flips_from"], seen["flips_n"], seen["flips"]) == ("assumed", 0, 0.02)


def test_flips_that_were_seen_take_the_place_of_those_assumed(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        run = weeks.run_of[4, "scheduled"]
        key = weeks.key(connection, "new", "cs", "f_s")
        weeks.point(connection, key, 4, signature, 0.2)
        old = weeks.series["deepl", "cs", "f_s", "all"]
        for at, n_changed in ((weeks.last, 94), (weeks.last + 7 * DAY, 900)):
            weeks.compare(connection, old, "minutes", run, run, signature, 0.0, due_at=at,
                          changed=n_changed)  # fmt: skip
    [row] = weekly(sqlite_database).numbers["headline"]["first"]
    seen = row["smallest"]
    assert (seen["flips_from"], seen["flips_n"], seen["flips"]) == ("minutes", 2350, 94 / 2350)


def test_a_series_without_a_value_is_no_first_one():
    row = {"role": "primary", "state": "measured", "n_measured": 1, "week": None, "first": None}
    assert changes.is_first(row)
    assert changes.is_first(row | {"week": {"delta": None}})
    compared = {"delta": 0.0}  # on the questions of both versions of a list
    for other in (
        {"role": "witness"}, {"state": "insufficient"}, {"n_measured": 2},
        {"week": compared}, {"first": compared},
    ):  # fmt: skip
        assert not changes.is_first(row | other)


# --- what was tested ------------------------------------------------------------------------------


def test_one_test_is_a_table_as_several_are_and_nothing_of_it_is_bold(sqlite_database):
    weeks = made.measured(sqlite_database)
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17)
    [headline] = [one for one in weekly(sqlite_database).document.sections if one.key == "headline"]
    assert not [one for one in headline.blocks if isinstance(one, Words) and one.tone == "strong"]
    [table] = [one for one in headline.blocks if isinstance(one, Table)]
    [[row]] = [group.rows for group in table.groups]
    assert [cell.text for cell in row[1:4]] == ["2026-03-23", "18", "6"]


def test_several_tests_are_a_table_and_ticks_of_one_day_have_their_times(sqlite_database, weeks):
    with sqlite_database.begin() as connection:
        weeks.look(connection, 4)
        weeks.look(connection, 4, due_at=weeks.last - timedelta(hours=6), number=5)
        weeks.look(connection, 4, due_at=weeks.last - 2 * DAY, number=6, p=None, alpha=None)
    found = weekly(sqlite_database)
    [headline] = [one for one in found.document.sections if one.key == "headline"]
    [table] = [one for one in headline.blocks if isinstance(one, Table)]
    [group] = table.groups
    ticks = [row[1].text for row in group.rows]
    assert ticks == ["2025-12-20", "2025-12-21", "2025-12-22"]
    assert group.rows[0][4].is_missing
    assert group.rows[0][4].text == "none"
    same_day = [
        {"job": "a", "due_at": weeks.last + timedelta(hours=n), "hypotheses": 3, "families": 1,
         "p": 0.5, "alpha": 0.01, "selected": 0}
        for n in (0, 6)
    ]  # fmt: skip
    [shown] = changes.write_tests(_week(sqlite_database), same_day, [])
    assert [row[1].text for row in shown.groups[0].rows] == [
        "2025-12-22 05:00 UTC", "2025-12-22 11:00 UTC",
    ]  # fmt: skip


def _week(database):
    from monitor.stages.reports.weekly.week import gather_week

    with database.read() as connection:
        return gather_week(connection, (), None, UTC)


# --- reasons --------------------------------------------------------------------------------------


@check_each(
    ("reason", "kind"),
    [
        ("stereotype 3: 4 usable answers of 40 planned, floor 10", "fewer than 10 usable answers"),
        ("a: b=c: 9 read answers of 9 planned, floor 20", "fewer than 20 read answers"),
        ("9 queries of 9 planned can be compared, floor 10",
         "fewer than 10 queries that can be compared"),
        ("0 usable occupations of 6 planned, floor 3", "fewer than 3 usable occupations"),
        ("p_i is insufficient for stereotype 1 (stereotype 1: 1 usable answers of 8)",
         "too few answers in another part that they rest on"),
        ("no earlier tick", "no earlier tick"),
        ("", "no reason is stored"),
    ],
)  # fmt: skip
def test_a_reason_of_many_parts_is_said_once(reason, kind):
    assert missing_values.kind_of(reason) == kind


@check_each(
    ("reason", "said"),
    [
        ("stereotype 1, 2, 3, 4, 8, 9 (tag 1: 2)", "stereotype 1-4, 8-9 (tag 1: 2)"),
        ("stereotype 1, 2", "stereotype 1, 2"),
        ("of 1,000, 2,000, 3,000", "of 1,000, 2,000, 3,000"),
        ("9" * 5000 + ", 1, 2", "9" * 5000 + ", 1, 2"),
    ],
)  # fmt: skip
def test_numbers_of_parts_are_said_in_the_fewest_words(reason, said):
    assert shorten_reason(reason) == said


def test_series_of_a_job_without_a_tick_are_counted_in_one_sentence(sqlite_database, weeks):
    other = made.Weeks(sqlite_database, "other-weekly", n_ticks=2)
    other.ticks()
    with sqlite_database.begin() as connection:
        key = other.key(connection, "mojeek", "cs", "f_s")
        other.point(connection, key, 1, other.signature(connection), 0.2)
    found = weekly(sqlite_database)
    [missing] = [one for one in found.document.sections if one.key == "missing"]
    said = "No run was due in this week for other-weekly: 1 series has no value in this report."
    assert missing.blocks[0].text == said
    assert not [one for one in missing.blocks if isinstance(one, Table)
                and any("Mojeek" in group.heading for group in one.groups)]  # fmt: skip
    [table] = [one for one in found.document.sections if one.key == "series"]
    folds = [one for one in table.blocks if isinstance(one, Fold)]
    assert [one.is_printed for one in folds if "other-weekly" in one.summary] == [False]


# --- lines ----------------------------------------------------------------------------------------


@check_each(
    ("text", "kept"),
    [
        ("since 2025-01-27.", ["2025-01-27"]),
        ("at 2025-01-27 05:00 UTC, then", ["2025-01-27 05:00 UTC"]),
        ("at 2025-01-27 06:00:01 CET", ["2025-01-27 06:00:01 CET"]),
        ("is −0.632 [−0.992, −0.218] over", ["−0.632 [−0.992, −0.218]"]),
        ("95.0\u00a0% [92.6\u00a0%, 96.4\u00a0%]", ["95.0\u00a0% [92.6\u00a0%, 96.4\u00a0%]"]),
        ("[a, b] 2025-1-2 12025-01-27", []),
    ],
)
def test_no_line_ends_inside_a_date_or_an_interval(text, kept):
    shown = str(html.write_page(text))
    assert re.findall(r'<span class="whole">(.*?)</span>', shown) == kept
    assert re.sub(r"</?span[^>]*>", "", shown) == text


def test_markup_in_a_date_stays_text():
    shown = html.write_page('2025-01-27<script>x</script>"[1, 2]" \u202e')
    assert shown == (
        '<span class="whole">2025-01-27</span>&lt;script&gt;x&lt;/script&gt;&#34;'
        '<span class="whole">[1, 2]</span>&#34; [U+202E]'
    )


# --- hostile --------------------------------------------------------------------------------------

HOSTILE = (
    "\x1b[31mred\x1b]8;;http://x.test\x07a\n<script>alert(1)</script>\u202e{{7*7}} #read('/x')"
)


def test_nothing_captured_acts_in_any_form(sqlite_database, weeks):
    with sqlite_database.begin() as connection:
        weeks.look(connection, 4)
        key = weeks.key(connection, f"deepl{HOSTILE}", "cs", f"f_s{HOSTILE}")
        weeks.point(connection, key, 4, weeks.signature(connection), None, reason=HOSTILE)
        made.insert(
            connection, schema.alarms, kind="blocked", subject=HOSTILE, detail=HOSTILE,
            since=weeks.last - DAY, seen_at=weeks.last, resolved_at=None,
        )  # fmt: skip
    found = weekly(sqlite_database)
    page = html.html(found.document)
    paper = json.dumps(pdf._plain(pdf.asdict(found.document)), ensure_ascii=False)
    for shown in (page, paper, found.json):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "alert(1)" in shown
    assert "<script" not in page
    assert json.loads(found.json) == json.loads(
        json.dumps(found.numbers, default=report._plain, ensure_ascii=True)
    )
    assert pdf.pdf(found.document, found.until).startswith(b"%PDF")


# --- made anew ------------------------------------------------------------------------------------


def test_differences_are_named_by_section_and_our_version_is_none(sqlite_database, weeks):
    before = weekly(sqlite_database).json.encode()
    assert report.list_differences(before, before) == []
    other = json.loads(before) | {"generator": "monitor 9", "schema": 9}
    other["series"][0]["point_id"] = 77
    assert report.list_differences(before, json.dumps(other).encode()) == []
    other["series"][0]["value"] = 0.5
    other["until"] = "another"
    del other["load"]
    found = report.list_differences(before, json.dumps(other).encode())
    assert found == ["All series", "Load that we caused", "until"]
    with pytest.raises(ValueError, match="no weekly report"):
        report.list_differences(b"[]", before)
    titles = {one.title for one in weekly(sqlite_database).document.sections}
    assert {
        "What changed",
        "All series",
        "Load that we caused",
        "What could not be measured",
    } <= titles


def test_a_report_says_that_a_job_declares_its_answers_invented():
    from monitor.stages.reports.weekly import report

    said = report._say_about({"description": "Two services", "invented": True})
    assert said == (
        "All its answers are invented. They say nothing about any real system. Two services"
    )
    assert report._say_about({"description": "Two services"}) == "Two services"
    assert report._say_about({}) == ""
