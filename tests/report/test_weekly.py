"""The weekly report: what it says of changes, of nothing, of gaps; the same in all three forms."""

import hashlib
import json
import re
from datetime import datetime, timedelta
from html.parser import HTMLParser
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor import registry
from monitor.model import InvalidInput, MissingPart
from monitor.stages.changes import detectable_effects
from monitor.stages.document import html, pdf
from monitor.stages.document.records import Fold, Table
from monitor.stages.reports import claim_content
from monitor.stages.reports.names import engine_title
from monitor.stages.reports.weekly import report, week
from monitor.store import schema
from monitor.store.changes import comparisons
from monitor.store.database import connect
from monitor.store.journal import events
from tests.conftest import copy_sqlite
from tests.report import weeks as made
from tests.report.weeks import FIRST, OVERALL, WEEK, Weeks, insert

UTC = ZoneInfo("UTC")
ATTACK = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'{{7*7}} #read("/etc/passwd") $x$'


def weekly(database, *jobs, until=None, zone=UTC):
    with database.read() as connection:
        return report.make_weekly(connection, jobs, until, zone)


def words(document):
    """All texts of a document as one."""

    def texts(one):
        if isinstance(one, str):
            yield one
        elif isinstance(one, list | tuple):
            for each in one:
                yield from texts(each)
        elif hasattr(type(one), "__slots__"):
            for name in type(one).__slots__:
                if name not in ("svg", "block", "tone", "key"):
                    yield from texts(getattr(one, name))

    return "\n".join(texts(document))


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def section(found, key):
    [one] = [one for one in found.document.sections if one.key == key]
    return words(one)


def series(found, **about):
    """The rows of the table that are about this."""
    return [row for row in found.numbers["series"] if all(row[k] == v for k, v in about.items())]


@pytest.fixture(scope="module")
def year(sqlite_template, tmp_path_factory):
    """A year of two jobs, and its report."""
    folder = tmp_path_factory.mktemp("year")
    copy_sqlite(sqlite_template, folder / "monitor.db")
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    made.year(database)
    yield database, weekly(database)
    database.close()


class Page(HTMLParser):
    """What of a page could fetch or run, and its visible text."""

    def __init__(self):
        super().__init__()
        self.elements, self.fetching, self.text, self.ids = set(), [], [], []

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            is_own = value and value.startswith(("#", "url(#"))
            if name in ("src", "srcset", "href", "action", "data") and not is_own:
                self.fetching.append((tag, name, value))
            if name.startswith("on"):
                self.fetching.append((tag, name, value))

    def handle_data(self, data):
        self.text.append(data)


def read(page):
    found = Page()
    found.feed(page)
    return found


# --- a year ---------------------------------------------------------------------------------------


def test_headlines_have_effect_interval_status_cause_and_whether_they_were_declared(year):
    said = section(year[1], "headline")
    assert "Confirmed: enough runs agree. Masculine forms rose" in said
    assert "+0.055 [+0.031, +0.079], from 0.181 to 0.236" in said
    assert "Asked again on 2026-11-23: +0.049 [+0.037, +0.061] over 2,350 questions." in said
    assert "Confirmatory: a main series that was registered before the first run." in said
    assert "Cause: the engine, not an update of our own software. The control series stood" in said
    assert "Nothing changed" not in said


def test_unconfirmed_signals_are_folded_and_no_headline(year):
    [headline] = [one for one in year[1].document.sections if one.key == "headline"]
    [fold] = [one for one in headline.blocks if isinstance(one, Fold)]
    assert fold.summary == "2 unconfirmed signals (no findings)"
    folded = words(fold)
    shown = words([one for one in headline.blocks if one is not fold])
    candidate = "Unconfirmed signal: more runs will decide. Masculine forms became rarer"
    retrospective = "Unconfirmed signal, found in retrospect. The level of marked_share"
    for said in (candidate, "Cause: not determined", retrospective):
        assert said in folded
        assert said not in shown
    assert "Confirmed: enough runs agree." in shown
    assert "Confirmed:" not in folded
    first_page = words(year[1].document.page_one)
    assert "Appendix: 2 new unconfirmed signals (Google Cloud Translation)" in first_page
    assert "Masculine forms became rarer" not in first_page


def test_what_could_have_gone_unnoticed_leaves_out_what_was_noticed(year):
    database, report_of_year = year
    found = {row["title"]: row for row in report_of_year.numbers["headline"]["unnoticed"]}
    primary = [
        row for row in series(report_of_year, quantity="f_s")
        if row["role"] == "primary" and row["job"] == "mt-weekly"
    ]  # fmt: skip
    n = sum(
        row["role"] == "primary" and row["job"] == "mt-weekly"
        for row in report_of_year.numbers["series"]
    )
    least = {}
    for row in primary:
        if row["state"] != "measured":
            continue
        with database.read() as connection:
            asked = comparisons.list_asked_runs(connection, "mt-weekly")
            values = comparisons.find_first_differences(
                connection, [row["series_id"]], {one.id for one in asked}
            )[row["series_id"]]
        deltas = [values[one.id].delta for one in asked if one.id in values]
        assert len(deltas) > 30
        least[row["engine"], row["target"]] = detectable_effects.of_runs(deltas, n, 0.05)
    assert len(least) == 4
    changed = least.pop(("deepl", "cs"))
    assert found["f_s"]["most"] == pytest.approx(max(least.values()))
    assert changed != found["f_s"]["most"]
    assert found["f_s"]["n_compared"] == 3
    assert found["f_s"]["n_not"] == 2
    said = section(report_of_year, "headline")
    assert f"stereotype gap (f_s): {max(least.values()):.3f} (" in said
    assert (
        "In the other series, a change of this size would be found with "
        "80\N{NO-BREAK SPACE}% probability" in said
    )


def test_the_table_has_every_series_over_all_questions_once(year):
    database, found = year
    with database.read() as connection:
        wanted = sa.select(schema.series_keys.c.id).where(schema.series_keys.c.scope == "all")
        ids = sorted(connection.execute(wanted).scalars())
    assert sorted(row["series_id"] for row in found.numbers["series"]) == ids
    [row] = series(found, engine="deepl", target="cs", quantity="f_s")
    assert row["role"] == "primary"
    assert row["n_measured"] == 50
    assert row["n_due"] == 53
    assert row["week"]["delta"] == 0.055
    assert row["first"]["low"] == pytest.approx(0.043)
    assert row["noise"]["n_days"] == 10
    assert 0 < row["noise"]["sd"] < 0.01
    [witness] = series(found, engine="firefox_translations", quantity="f_s")
    assert witness["role"] == "witness"
    assert {row["role"] for row in series(found, quantity="p_m", target="uk")} == {"secondary"}


def test_a_value_that_is_not_there_is_said_and_is_no_number(year):
    for row in series(year[1], target="pl", list="gest"):
        assert row["state"] == "insufficient"
        assert row["value"] is None
        assert row["low"] is None
        assert row["reason"] == "12 of 16 stereotypes have a value, floor 14"
    said = section(year[1], "series")
    assert "not measured\n12 of 16 stereotypes have a value, floor 14" in said
    assert "nan" not in year[1].json.lower().replace("governance", "").replace("finance", "")


def test_charts_have_gaps_where_ticks_were_missed_and_one_signature_alone(year):
    charts = {
        (row["quantity"], chart["system"]): chart
        for row in year[1].numbers["charts"]
        for chart in row["charts"]
    }
    chart = charts["f_s", "DeepL, English to Czech"]
    states = [tick["state"] for tick in chart["ticks"]]
    assert len(states) == 53
    assert [n for n, s in enumerate(states) if s == "missed"] == [9, 10, 30]
    assert all((t["value"] is None) == (t["state"] != "measured") for t in chart["ticks"])
    assert [one["status"] for one in chart["changes"]] == ["confirmed"]
    switched = charts["f_s", "DeepL, English to Polish"]
    assert [one["differences"] for one in switched["switches"]] == [
        ["version of the language rules 4 → 5"]
    ]
    old = [tick["state"] for tick in switched["ticks"][:20]]
    assert set(old) == {"insufficient", "missed"}  # kept answers only under the older signature
    late = charts["f_s", "Google Cloud Translation, English to Ukrainian"]
    assert late["ticks"][0]["due_at"] == FIRST + 20 * WEEK


def count_points(path):
    """Return how many points each line of a path has; after the first they are steps."""
    lines = []
    for line in path.split("M")[1:]:
        steps = re.findall(r"([lhv])([^lhv]*)", line)
        numbers = [(command, re.findall(r"-?(?:\d*\.\d+|\d+)", text)) for command, text in steps]
        lines.append(1 + sum(len(of) // (2 if command == "l" else 1) for command, of in numbers))
    return lines


def test_lines_are_broken_at_gaps_and_never_drawn_through_them(year):
    [group] = [
        block
        for one in year[1].document.sections
        if one.key == "charts"
        for block in one.blocks
        if getattr(block, "caption", "").startswith("Stereotype gap (f_s), points.")
    ]
    [panel] = [one for one in group.panels if one.title == "DeepL, English to Czech"]
    lines = re.findall(r'd="(M[^"]*)" fill="none" stroke="var\(--first\)"', str(panel.svg))
    assert [count for line in lines for count in count_points(line)] == [9, 19, 22]
    assert plain(panel.note) == "newest +19 points (3 missed)"
    assert "<title" in panel.svg
    assert "50 of 53 runs since" in panel.svg
    assert group.caption.startswith("Stereotype gap (f_s), points. Job ")
    assert len(re.findall(r'd="M[^"]*" fill="var\(--second\)"', str(panel.svg))) == 1  # confirmed


def test_professions_are_called_biased_only_after_correction(year):
    [tested] = [row for row in year[1].numbers["professions"] if row["n_tested"]]
    assert tested["n_tested"] == 19  # one has no value
    q = {row["topic"]: row["q"] for row in tested["topics"]}
    assert tested["beyond"]
    assert all(q[name] <= 0.05 for name in tested["beyond"])
    assert all(value > 0.05 for name, value in q.items()
               if value is not None and name not in tested["beyond"])  # fmt: skip
    said = section(year[1], "professions")
    assert f"{len(tested['beyond'])} of 19 professions tested" in said
    assert "6 systems and references have no p values" in said
    assert "plumber" not in said  # INSUFFICIENT


def test_stereotypes_are_ordered_by_their_median_feminine_rank(year):
    [group] = year[1].numbers["stereotypes"]
    medians = [row["median"] for row in group["stereotypes"]]
    assert medians == sorted(medians)
    assert len(medians) == 16
    for row in group["stereotypes"]:
        ranks = sorted(one["rank"] for one in row["ranks"])
        assert len(ranks) == 4
        assert row["median"] == (ranks[1] + ranks[2]) / 2


def test_the_scatter_of_ranked_lists_has_both_lines(year):
    [slope] = year[1].numbers["slopes"]
    assert len(slope["queries"]) == 40
    assert slope["relevant_slope"] == 0.18
    assert "of documents judged relevant (dashed line) +0.180" in section(year[1], "slopes")
    assert "picture" not in slope


def test_engines_stand_side_by_side_with_their_adjusted_p(year):
    rows = year[1].numbers["engines"]
    assert {(row["engine"], row["other"]) for row in rows} == {("deepl", "google_translate")}
    adjusted = {row["target"]: row["q"] for row in rows}
    assert adjusted == {"cs": pytest.approx(0.0008), "uk": pytest.approx(0.02)}
    assert {row["delta"] for row in rows} == {0.031}
    assert "+0.031\n[+0.019,\N{NO-BREAK SPACE}+0.043]" in section(year[1], "engines")


def test_what_is_missing_is_counted_with_its_reasons(year):
    found = year[1].numbers["missing"]
    lost = {(r["engine"], r["outcome"]): (r["questions"], r["planned"]) for r in found["questions"]}
    assert lost == {
        ("deepl", "throttled"): (3, 43),
        ("google_translate", "unreadable"): (2, 45),
        ("google_translate", "not asked"): (5, 45),
    }
    assert found["off_grid"] == {"confirm": 1, "noise": 1}
    [tick] = found["ticks"]
    assert tick["state"] == "partial"
    said = section(year[1], "missing")
    assert "9 of 40 answers (22 %) are walls" in said


def test_our_load_is_that_of_the_week(year):
    [deepl, google] = year[1].numbers["load"]["engines"]
    assert (deepl["requests"], deepl["questions"], deepl["bytes"]) == (43, 43, 43 * 1700)
    assert deepl["seconds"] == pytest.approx(43 * 0.4)
    assert deepl["daily_budget"] == 5000
    assert (google["requests"], google["questions"], google["daily_budget"]) == (40, 40, None)
    assert "429 <script>" in section(year[1], "load")


def test_versions_and_governance_are_those_of_the_database(year):
    said = section(year[1], "versions")
    assert "version of the language rules 4 → 5. 12 series of DeepL, English to Polish" in said
    assert "Purpose, controller and legal basis of this run are not known." in section(
        year[1], "governance"
    )
    assert "declared on 2025-11-17 05:00 UTC, before its first run" in section(
        year[1], "governance"
    )
    assert year[1].document.digest in section(year[1], "cite")


def test_twice_the_same_bytes(year):
    database, first = year
    again = weekly(database)
    assert again.json == first.json
    assert html.html(again.document) == html.html(first.document)
    assert pdf.pdf(again.document, again.until) == pdf.pdf(first.document, first.until)


def test_the_page_fetches_nothing_runs_nothing_and_shows_what_is_captured(year):
    page = html.html(year[1].document)
    found = read(page)
    assert not found.fetching
    assert not found.elements & {"script", "img", "iframe", "object", "link", "form"}
    assert "default-src 'none'" in page
    assert "429 <script>alert(1)</script>" in "".join(found.text)
    assert len(found.ids) == len(set(found.ids))


def test_every_printed_text_is_in_the_page(year):
    text = re.sub(r"\s+", " ", "".join(read(html.html(year[1].document)).text))
    for one in year[1].document.sections:
        for said in words(one.blocks).split("\n"):
            assert re.sub(r"\s+", " ", said).strip() in text


def test_the_digest_is_that_of_the_file(year):
    assert hashlib.sha256(year[1].json.encode()).hexdigest() == year[1].document.digest


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_both_databases_give_the_same_numbers(year, database):
    made.year(database)
    assert weekly(database).json == year[1].json


# --- what may be there or not ---------------------------------------------------------------------


def test_nothing_at_all_is_an_error_that_says_what_to_do(sqlite_database):
    with pytest.raises(InvalidInput, match="no due tick in this database"):
        weekly(sqlite_database)


def test_a_job_that_is_not_there_is_named(sqlite_database):
    made.small(sqlite_database)
    with pytest.raises(InvalidInput, match="no tick or run of job 'other'"):
        weekly(sqlite_database, "other")
    with pytest.raises(InvalidInput, match="up to 2020-01-01"):
        weekly(sqlite_database, "mt-weekly", until=FIRST.replace(year=2020, month=1, day=1))


def test_ticks_without_any_point(sqlite_database):
    Weeks(sqlite_database, n_ticks=2).ticks()
    found = weekly(sqlite_database)
    assert "There is no series over all questions" in section(found, "series")
    assert found.document.title == "Nothing could be tested this week"
    assert "Job mt-weekly: nothing that could be tested." in words(found.document.page_one)
    assert "No test of this week’s runs is stored." in section(found, "headline")
    assert pdf.pdf(found.document, found.until).startswith(b"%PDF")


def test_one_point(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=1)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        key = weeks.key(connection, "deepl", "cs", "f_s")
        weeks.point(connection, key, 0, weeks.signature(connection), 0.2)
        weeks.look(connection, 0, p=None, alpha=None, hypotheses=0, families=0)
    found = weekly(sqlite_database)
    assert "first measured run" in section(found, "series")
    assert found.document.title == (
        "Nothing could be tested this week: DeepL: first value, nothing to compare it with"
    )
    assert read(html.html(found.document)).elements >= {"svg", "table"}


def test_all_ticks_missed_says_so_and_shows_no_older_value(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=3)
    weeks.ticks(missed=(1, 2))
    with sqlite_database.begin() as connection:
        key = weeks.key(connection, "deepl", "cs", "f_s")
        weeks.point(connection, key, 0, weeks.signature(connection), 0.2345)
    found = weekly(sqlite_database)
    [row] = found.numbers["series"]
    assert row["state"] == "missed"
    assert row["value"] is None
    assert "no run at this tick (missed)" in row["reason"]
    assert row["n_measured"] == 1
    assert row["n_due"] == 3
    assert "not begun within 5 minutes" in section(found, "missing")
    assert "0.234" not in words(found.document)
    assert "0.235" not in words(found.document)


def test_of_a_job_that_never_began_nothing_is_said_of_its_engines(sqlite_database):
    Weeks(sqlite_database, n_ticks=2).ticks(missed=(0, 1))
    found = weekly(sqlite_database)
    assert "not known" in section(found, "governance")
    assert "its own" not in section(found, "governance")
    assert found.document.title == "Nothing could be tested this week"


def test_a_job_without_a_tick_in_the_week_prints_no_value(sqlite_database):
    weeks = made.small(sqlite_database)
    found = weekly(sqlite_database, until=weeks.last + 3 * WEEK)
    assert {row["value"] for row in found.numbers["series"]} == {None}
    assert "no run was due in this week; last measured 2025-12-22" in section(found, "series")
    assert "No run was due in this week for mt-weekly" in section(found, "missing")
    assert "Nobody was asked anything in this week." in section(found, "load")


def test_constant_series(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=18)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        key = weeks.key(connection, "deepl", "cs", "f_s")
        for place in range(18):
            weeks.point(connection, key, place, signature, 0.0, half=0.0)
        now, before = weeks.run_of[17, "scheduled"], weeks.run_of[16, "scheduled"]
        weeks.compare(connection, key, "week", before, now, signature, 0.0, half=0.0, changed=0)
        weeks.level(connection, key, signature, sd=0)
        for _ in range(8):
            weeks.compare(connection, key, "days", now, now, signature, 0.0)
        weeks.look(connection, 17, p=1.0)
    found = weekly(sqlite_database)
    [row] = found.numbers["series"]
    assert row["value"] == 0
    assert row["noise"]["sd"] == 0
    assert plain(found.document.title) == "No change found this week in 1 of 1 system"
    assert "stereotype gap (f_s): 0.000 (DeepL" in section(found, "headline")
    assert html.html(found.document)


def test_an_engine_that_appeared_and_one_that_went(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=4)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        gone = weeks.key(connection, "deepl", "cs", "f_s")
        come = weeks.key(connection, "google_translate", "cs", "f_s")
        weeks.walk(connection, gone, 0.2, range(3), signature)
        weeks.walk(connection, come, 0.3, [3], signature)
    found = weekly(sqlite_database)
    [old] = series(found, engine="deepl")
    assert old["value"] is None
    assert (old["state"], old["is_asked"]) == ("ended", False)
    assert old["reason"] == "not asked since 2025-12-08; last measured 2025-12-08"
    [new] = series(found, engine="google_translate")
    assert new["is_new"]
    assert new["n_due"] == 1
    said = section(found, "missing")
    assert "1 series began in this week: Google Cloud Translation" in said
    assert "1 series ended: DeepL, English to Czech (not asked since 2025-12-08)." in said
    assert found.numbers["missing"]["series"] == []
    assert "without a value" not in said
    table = section(found, "series")
    assert "new, first run 2025-12-15" in table
    assert "DeepL" not in table
    assert "1 series has ended and no row here" in table
    [unnoticed] = found.numbers["headline"]["unnoticed"]
    assert (unnoticed["n_compared"], unnoticed["n_not"]) == (0, 1)  # of the one that came
    assert "not asked since 2025-12-08" in section(found, "charts")


def test_a_measure_that_was_taken_out_has_ended_though_its_system_is_asked(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=4)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        for measure, places in (("masculine_rate(floor=1)", (0, 1)), ("masculine_rate", (2, 3))):
            for name in ("f_s", "f_m", "marked_share"):
                key = weeks.key(connection, "deepl", "cs", name, measure=measure)
                weeks.walk(connection, key, 0.2, places, signature)
    found = weekly(sqlite_database)
    assert {row["role"] for row in series(found, measure="masculine_rate")} == {"primary"}
    assert {row["state"] for row in series(found, measure="masculine_rate(floor=1)")} == {"ended"}
    said = section(found, "missing")
    assert (
        "3 series ended: DeepL, English to Czech, masculine_rate(floor=1) on gest (not asked"
        in said
    )
    assert {row["measure"] for row in found.numbers["headline"]["unnoticed"]} == {"masculine_rate"}


def test_what_a_run_that_failed_did_not_reach_has_not_ended(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=3)
    with sqlite_database.begin() as connection:
        for place in (0, 1):
            weeks.run(connection, place)
        signature = weeks.signature(connection)
        key = weeks.key(connection, "deepl", "cs", "f_s")
        weeks.walk(connection, key, 0.2, (0, 1), signature)
        failed = insert(
            connection, schema.runs, job_id=weeks.job_id, job=weeks.name, due_at=weeks.at(2),
            kind="scheduled", code_version="0.7.0", packages={}, created_at=weeks.at(2),
            state="interrupted", finished_at=None,
        )  # fmt: skip
        insert(connection, schema.ticks, job=weeks.name, due_at=weeks.at(2), start_at=weeks.at(2),
               state="failed", reason="no network", run_id=failed, noted_at=weeks.at(2),
               ended_at=weeks.at(2))  # fmt: skip
    [row] = weekly(sqlite_database).numbers["series"]
    assert (row["state"], row["ended_at"]) == ("missed", None)
    assert row["reason"] == "not asked in this run; last measured 2025-12-01"


def test_another_version_of_a_list_is_said_wherever_it_matters(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=3)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        versions = {}
        for version in ("1.0", "1.1"):
            versions[version] = insert(
                connection, schema.lists, name="gest", version=version, content_hash=version,
                source_lang="en", title="GEST", status="unvalidated", licence="CC0-1.0",
                description="", published_at=FIRST,
            )  # fmt: skip
        for place, version in enumerate(("1.0", "1.1", "1.1")):
            run = weeks.run_of[place, "scheduled"]
            connection.execute(
                sa.insert(schema.run_lists).values(run_id=run, list_id=versions[version])
            )
        old, new = (weeks.signature(connection, list=f"gest@{one}") for one in versions)
        key = weeks.key(connection, "deepl", "cs", "f_s")
        weeks.walk(connection, key, 0.2, [0], old)
        weeks.walk(connection, key, 0.2, [1, 2], new)
        runs = [weeks.run_of[place, "scheduled"] for place in range(3)]
        weeks.compare(connection, key, "step", runs[0], runs[1], new, 0.02, n=92)
        weeks.compare(connection, key, "step", runs[1], runs[2], new, 0.01)
        weeks.compare(connection, key, "first", runs[0], runs[2], new, 0.02, n=92)
        insert(connection, schema.switches, series_id=key, from_id=old, to_id=new,
               switched_at=weeks.at(1))  # fmt: skip
        weeks.decide(connection)
    found = weekly(sqlite_database)
    table = section(found, "series")
    assert "92 questions that both gest@1.0 and gest@1.1 ask, 2025-11-24" in table
    assert "2,350 questions, 2025-12-01" in table
    [row] = found.numbers["series"]
    assert row["first"]["lists"] == ["gest@1.0", "gest@1.1"]
    assert row["week"]["lists"] == []
    assert "What changed with us" not in section(found, "headline")
    assert "No scheduled run of the week is missing, and every series" in section(found, "missing")
    week_of_it = weekly(sqlite_database, until=weeks.at(1))
    said = section(week_of_it, "headline")
    assert "What changed with us" in said
    assert "2025-12-01 05:00 UTC: probe list gest@1.0 → gest@1.1. 1 series of DeepL" in said
    assert "Their charts begin anew there" in said
    assert "our software or questions changed" in words(week_of_it.document.page_one)
    assert "No series went over" not in section(week_of_it, "versions")
    headline = week_of_it.numbers["headline"]
    assert headline["first"] == []  # what both versions ask was compared
    [unnoticed] = headline["unnoticed"]
    assert unnoticed["not"]["first"] == unnoticed["not"]["no_earlier"] == 0
    assert unnoticed["not"]["few_runs"] == 1


def test_charts_that_stand_still_are_said_by_each_job_that_shares_them(sqlite_database):
    first = Weeks(sqlite_database, n_ticks=3)
    first.ticks()
    other = Weeks(sqlite_database, name="later", n_ticks=3)
    with sqlite_database.begin() as connection:
        run = other.run(connection, 2, due_at=other.at(2) + timedelta(hours=2))
        old = first.signature(connection)
        new = first.signature(connection, language_version=5)
        key = first.key(connection, "deepl", "cs", "f_s")
        first.walk(connection, key, 0.2, range(3), old)
        other.point(connection, key, 2, new, 0.4, due_at=first.at(2) + timedelta(hours=2))
        shown = sa.update(schema.series_keys).values(signature_id=old)
        connection.execute(shown)
    assert run
    for job in ("mt-weekly", "later"):
        with sqlite_database.read() as connection:
            found = report.make_weekly(connection, [job], None, UTC)
        [row] = found.numbers["missing"]["charts_behind"]
        assert (row["job"], row["series"]) == (job, 1)
        assert "3 older runs lack" in row["sentence"]


def test_reasons_of_parts_alone_are_folded_away_by_system(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=2)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        whole = weeks.key(connection, "deepl", "cs", "f_s")
        weeks.point(connection, whole, 1, signature, None, reason="no part has a value")
        for n in range(1, 17):
            part = weeks.key(connection, "deepl", "cs", "p_i", scope=f"stereotype:{n}")
            weeks.point(
                connection,
                part,
                1,
                signature,
                None,
                reason=f"stereotype {n}: 0 usable answers of {n} planned, floor 10",
            )
    found = weekly(sqlite_database)
    [missing] = [one for one in found.document.sections if one.key == "missing"]
    [shown] = [one for one in missing.blocks if isinstance(one, Table)
               and one.caption.startswith("Series without a value")]  # fmt: skip
    [group] = shown.groups
    assert group.heading == "DeepL, English to Czech, job mt-weekly"
    assert len(group.rows) == 1
    [fold] = [one for one in missing.blocks if isinstance(one, Fold)]
    assert "16 series over parts of the questions alone without a value" in words(fold)
    assert "stereotype 16: 0 usable" in words(fold)
    assert found.numbers["missing"]["parts"] == [
        {"job": "mt-weekly", "measure": "masculine_rate", "why": "fewer than 10 usable answers",
         "n": 16, "n_systems": 1},
    ]  # fmt: skip
    told = [one for one in words(missing).splitlines() if "fewer than 10 usable answers" in one]
    assert len(told) == 1
    assert len(found.numbers["missing"]["series"]) == 17


def test_engines_are_held_against_each_other_in_one_direction(year):
    [row, *_] = [one for one in year[1].numbers["engines"] if one["delta"] is not None]
    assert row["delta"] == pytest.approx(row["after"] - row["before"])
    said = section(year[1], "engines")
    assert "difference (second - first)" in said
    first, second = (engine_title(row[name]) for name in ("other", "engine"))
    assert f"{first}, {second}" in said
    assert f"{second}, {first}" not in said


@pytest.mark.parametrize(
    ("part", "before", "after", "said"),
    [
        ("list", "gest@1.0", "gest@1.1", "probe list gest@1.0 → gest@1.1"),
        ("reference", "us_labour@2019", "us_labour@2024", "target us_labour@2019 → us_labour@2024"),
        ("parser_version", 3, 4, "version of the parser 3 → 4"),
    ],
)
def test_a_switch_says_what_is_another(sqlite_database, part, before, after, said):
    weeks = Weeks(sqlite_database, n_ticks=3)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        old = weeks.signature(connection, **{part: before})
        new = weeks.signature(connection, **{part: after})
        key = weeks.key(connection, "deepl", "cs", "f_s")
        weeks.walk(connection, key, 0.2, range(2), old)
        weeks.walk(connection, key, 0.2, [2], new)
        insert(connection, schema.switches, series_id=key, from_id=old, to_id=new,
               switched_at=weeks.last)  # fmt: skip
    found = weekly(sqlite_database)
    assert said in section(found, "versions")
    assert said in section(found, "charts")
    [chart] = found.numbers["charts"][0]["charts"]
    assert [tick["state"] for tick in chart["ticks"]] == ["insufficient"] * 2 + ["measured"]


def test_a_value_under_another_signature_alone_is_none(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        other = weeks.signature(connection, parser_version=9)
        connection.execute(sa.update(schema.series_keys).values(signature_id=other))
    found = weekly(sqlite_database)
    assert {row["state"] for row in found.numbers["series"]} == {"insufficient"}
    assert all(
        "only; what lacks is computed by" in row["reason"] for row in found.numbers["series"]
    )


@pytest.mark.parametrize(
    ("status", "words_of_status", "verdict"),
    [
        ("refuted", "Not reproduced: a later run did not show it.", "No change found this week"),
        ("unconfirmed", "Unconfirmed: it was not asked again.", "No change found this week"),
        (
            "candidate",
            "Unconfirmed signal: more runs will decide.",
            "DeepL may have changed: more runs have to decide. No confirmed change this week",
        ),
    ],
)
def test_what_is_not_confirmed_is_no_headline_but_is_said(
    sqlite_database, status, words_of_status, verdict
):
    """Page one counts signals and says no more of them."""
    weeks = made.measured(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (16, 17)]
    with sqlite_database.begin() as connection:
        weeks.change(connection, weeks.series["deepl", "cs", "f_s", "all"], *runs, status=status)
        weeks.look(connection, 17)
    found = weekly(sqlite_database)
    assert plain(found.document.title) == f"{verdict} in 2 of 2 systems"
    assert "Appendix: 1 new unconfirmed signal (DeepL)." in words(found.document.page_one)
    [headline] = [one for one in found.document.sections if one.key == "headline"]
    [fold] = [one for one in headline.blocks if isinstance(one, Fold)]
    assert fold.summary == "1 unconfirmed signal (no findings)"
    assert words_of_status in words(fold)
    assert words_of_status not in words(found.document.page_one)


def test_a_system_with_too_few_runs_does_not_count_as_unchanged(sqlite_database):
    weeks = made.measured(sqlite_database)
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17)
        few = sa.select(schema.comparisons.c.id).where(
            schema.comparisons.c.series_id == weeks.series["deepl", "cs", "f_s", "all"],
            schema.comparisons.c.contrast == "first",
        ).limit(12)  # fmt: skip
        gone = list(connection.execute(few).scalars())
        connection.execute(sa.delete(schema.comparisons).where(schema.comparisons.c.id.in_(gone)))
    found = weekly(sqlite_database)
    assert plain(found.document.title).endswith(
        "; 1 could not be tested: DeepL: too few runs so far"
    )
    assert [row["check"] for row in found.numbers["systems"]] == ["unchanged", "not checked"]
    assert "too few runs so far (1)" in section(found, "headline")


def test_before_a_change_can_be_decided_it_is_not_said_that_nothing_changed(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        weeks.look(connection, 4)
    assert weekly(sqlite_database).document.title == (
        "Nothing could be tested this week: no earlier run to compare with"
    )


def test_both_claims_of_a_confirmed_change_stand_in_the_headline(sqlite_database):
    weeks = made.measured(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (16, 17)]
    facts = {"runs_before": 15.0, "runs_since": 5.0, "chance": 1 / 15504, "up": 1.0,
             "exceptions": 0.0, "by_ticks": 0.0, "size_runs": 5.0,
             "size_from_later": 0.0}  # fmt: skip
    with sqlite_database.begin() as connection:
        key = weeks.series["deepl", "cs", "f_s", "all"]
        number = weeks.change(
            connection, key, *runs, facts=facts, p=2 / 15504, p_beyond=0.2, alpha_beyond=0.015
        )
        card = claim_content.card_of_change(connection, number, UTC)
    found = weekly(sqlite_database)
    said = section(found, "headline")
    order = (
        "All 5 runs since lie above the 15 runs before. If nothing had changed, 1 in 15,504 orders "
        "of these runs would look like that; this is not the chance that the finding is wrong."
    )
    beyond = (
        "Not shown beyond this list: p 0.200, level 0.015, clustered by what sentences are about."
    )
    size = (
        "Size: from the 5 runs that decided, until the next scheduled run; it may be slightly too "
        "large."
    )
    for words_of_claim in (order, beyond, size):
        assert words_of_claim in said
        assert words_of_claim.removeprefix("Size: ") in card.text
    [change] = found.numbers["headline"]["changes"]
    assert (change["p_beyond"], change["alpha_beyond"]) == (0.2, 0.015)
    assert (card.numbers["order_said"], card.numbers["beyond_said"]) == (order, beyond)
    assert card.numbers["holds_beyond"] is False
    with sqlite_database.begin() as connection:
        connection.execute(sa.update(schema.changes).values(p_beyond=0.004))
        card = claim_content.card_of_change(connection, number, UTC)
    assert card.numbers["holds_beyond"] is True
    assert "Also holds beyond this list: p 0.004, level 0.015" in card.text
    assert "Also holds beyond this list" in section(weekly(sqlite_database), "headline")


def test_a_change_of_an_earlier_week_is_shown_when_it_was_asked_again_in_this_one(sqlite_database):
    weeks = made.small(sqlite_database)
    key = weeks.series["deepl", "cs", "f_s", "all"]
    runs = [weeks.run_of[n, "scheduled"] for n in (2, 3)]
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        at = weeks.at(3) + timedelta(days=1)
        again = weeks.compare(connection, key, "confirm", *runs, signature, 0.05, due_at=at)
        weeks.change(connection, key, *runs, changed_at=weeks.at(3), detected_at=weeks.at(3),
                     confirm_id=again)  # fmt: skip
    assert len(weekly(sqlite_database).numbers["headline"]["changes"]) == 1
    two_later = weekly(sqlite_database, until=weeks.last + WEEK)
    assert two_later.numbers["headline"]["changes"] == []


def test_a_change_that_may_be_due_to_missing_answers_says_so(sqlite_database):
    weeks = made.small(sqlite_database)
    key = weeks.series["deepl", "cs", "f_s", "all"]
    runs = [weeks.run_of[n, "scheduled"] for n in (3, 4)]
    facts = {"bound_low": -0.01, "bound_high": 0.2, "missing_suspect": 1.0, "became_missing": 300}
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        tested = weeks.compare(connection, key, "step", *runs, signature, 0.055, facts=facts)
        weeks.change(connection, key, *runs, comparison_id=tested)
    found = weekly(sqlite_database)
    assert found.numbers["headline"]["changes"][0]["tested"]["facts"] == facts
    said = section(found, "headline")
    assert "Bounds: -0.010 to +0.200" in said
    assert "may be due to missing answers: 300 usable before are missing after" in said


@pytest.mark.parametrize(("stop_rule", "is_confirmatory"), [(4, False), (5, True), ("May", True)])
def test_what_comes_after_the_declared_end_is_exploratory(
    sqlite_database, stop_rule, is_confirmatory
):
    weeks = made.small(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (3, 4)]
    with sqlite_database.begin() as connection:
        weeks.declare(connection, stop_rule=stop_rule)
        number = weeks.change(connection, weeks.series["deepl", "cs", "f_s", "all"], *runs)
        card = claim_content.card_of_change(connection, number, ZoneInfo("UTC"))
    found = weekly(sqlite_database)
    assert found.numbers["headline"]["changes"][0]["is_confirmatory"] is is_confirmatory
    assert card.numbers["declared"]["confirmatory"] is is_confirmatory
    last = "after the period that was registered"
    assert (last in section(found, "headline")) is not is_confirmatory
    assert (last in card.text) is not is_confirmatory


def test_what_was_declared_late_is_exploratory(sqlite_database):
    weeks = made.small(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (3, 4)]
    with sqlite_database.begin() as connection:
        weeks.declare(connection, at=FIRST + WEEK)
        weeks.change(connection, weeks.series["deepl", "cs", "f_s", "all"], *runs)
    found = weekly(sqlite_database)
    assert found.numbers["headline"]["changes"][0]["is_confirmatory"] is False
    assert "Exploratory: registered after the first run." in section(found, "headline")
    assert "after its first run" in section(found, "governance")


def test_a_tick_that_goes_on_is_said_and_not_printed(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        insert(
            connection, schema.runs, job_id=weeks.job_id, job=weeks.name, due_at=weeks.at(5),
            kind="scheduled", code_version="1", packages={}, created_at=weeks.at(5),
            state="running", finished_at=None,
        )  # fmt: skip
    found = weekly(sqlite_database, until=weeks.at(5))
    assert "running, not finished" in section(found, "missing")
    assert "no scheduled run of the week has ended" in section(found, "series")
    kicker = plain(weekly(sqlite_database).document.kicker)
    assert kicker == "Weekly report, 16 Dec to 22 December 2025: mt-weekly"


def test_runs_off_the_grid_are_in_no_series(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        run = weeks.run(connection, 4, "manual", due_at=weeks.last + timedelta(hours=1))
        key = weeks.series["deepl", "cs", "f_s", "all"]
        weeks.point(connection, key, 4, weeks.signature(connection), 0.999, run_id=run)
    found = weekly(sqlite_database, until=weeks.last + timedelta(hours=2))
    assert found.numbers["missing"]["off_grid"] == {"manual": 1}
    assert "0.999" not in words(found.document)


def test_weeks_follow_each_other_without_a_gap_also_where_clocks_were_changed():
    zone = ZoneInfo("Europe/Vienna")
    before = datetime(2026, 3, 23, 9, tzinfo=zone)
    until = datetime(2026, 3, 30, 9, tzinfo=zone)
    assert until.astimezone(UTC) - before.astimezone(UTC) < WEEK
    assert week.begin_week(until.astimezone(UTC), zone) == before


def test_corrections_of_the_clock_are_said_in_their_week(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        for at, kind, subject, detail in (
            (weeks.last, "clock_jumped", "", "-86400 s"),
            (weeks.last, "ticks_taken_back", "", "1 due tick of times still to come"),
            (weeks.last, "reports_taken_back", "other", "1 report"),
            (weeks.last - WEEK, "clock_jumped", "", "+60 s"),
        ):
            events.add_event(connection, kind, subject, detail, now=at)
    found = weekly(sqlite_database)
    assert [row["detail"] for row in found.numbers["missing"]["clock"]] == [
        "-86400 s", "1 due tick of times still to come",
    ]  # fmt: skip
    said = section(found, "missing")
    assert "2025-12-22: the clock was set, or the machine slept: -86400 s" in said
    assert "runs were taken back: 1 due tick of times still to come" in said
    assert "The clock was set" not in section(
        weekly(sqlite_database, until=weeks.last - 2 * WEEK), "missing"
    )


def test_two_due_reports_in_a_row_leave_no_tick_out(sqlite_database):
    """Ticks after the hour of the report are in the next one."""
    weeks = made.small(sqlite_database)
    due = [weeks.at(n) - timedelta(hours=1) for n in (3, 4)]
    with sqlite_database.begin() as connection:
        runs = [weeks.run_of[n, "scheduled"] for n in (2, 3)]
        weeks.change(
            connection, weeks.series["deepl", "cs", "f_s", "all"], *runs, changed_at=weeks.at(3),
            detected_at=weeks.at(3),
        )  # fmt: skip
    seen = [weekly(sqlite_database, until=at).numbers["headline"]["changes"] for at in due]
    assert [len(some) for some in seen] == [0, 1]


def test_the_day_of_the_newest_tick_is_in_its_week(sqlite_database):
    """An engine that blocked during the tick rests since a moment after the tick was due."""
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        insert(
            connection, schema.suspensions, lane="deepl", exit="direct", reason="blocked",
            detail="", times=1, since=weeks.last + timedelta(minutes=9),
            until=weeks.last + timedelta(hours=9),
        )  # fmt: skip
    assert [row["lane"] for row in weekly(sqlite_database).numbers["load"]["suspensions"]] == [
        "deepl"
    ]


def test_times_in_the_json_are_in_utc_in_every_zone(sqlite_database):
    made.small(sqlite_database)
    found = json.loads(weekly(sqlite_database, zone=ZoneInfo("Asia/Tokyo")).json)
    assert (found["after"], found["until"]) == (
        "2025-12-15T14:59:59.999999+00:00", "2025-12-22T14:59:59.999999+00:00",
    )  # fmt: skip


def test_primary_is_what_was_declared_of_the_targets_that_were(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        other = weeks.key(connection, "deepl", "sk", "p_m")
        weeks.walk(connection, other, 0.5, range(5), weeks.signature(connection))
        declared = {"primaries": ["p_m"], "targets": ["cs"]}
        insert(
            connection, schema.preregistrations, job=weeks.name, content={"declared": declared},
            hash="h", registered_at=FIRST - WEEK,
        )  # fmt: skip
    found = weekly(sqlite_database)
    primary = [row for row in found.numbers["series"] if row["role"] == "primary"]
    assert {(row["quantity"], row["target"]) for row in primary} == {("p_m", "cs")}
    assert len(primary) == 2  # of both engines


def test_numbers_and_names_that_attack(sqlite_database):
    weeks = made.small(sqlite_database)
    with sqlite_database.begin() as connection:
        for sql in (
            "UPDATE engines SET name = :attack WHERE name = 'deepl'",
            "UPDATE series_keys SET list = :attack, target = :attack",
            "UPDATE points SET state = 'insufficient', value = NULL, reason = :attack WHERE id = 5",
            "UPDATE signatures SET parts = json_object(:attack, :attack)",
        ):
            connection.execute(sa.text(sql), {"attack": ATTACK + "\u202e\x07"})
        insert(
            connection, schema.alarms, kind="blocked", subject=ATTACK, detail="= 1+1" + ATTACK,
            since=weeks.last, seen_at=weeks.last, resolved_at=None,
        )  # fmt: skip
    found = weekly(sqlite_database)
    page = html.html(found.document)
    seen = read(page)
    assert not seen.fetching
    assert not seen.elements & {"script", "img"}
    assert "\u202e" not in page
    assert "[U+202E]" in page
    assert ATTACK in "".join(seen.text)
    assert "49" not in ATTACK
    assert json.loads(found.json)["missing"]["alarms"][0]["subject"] == ATTACK
    assert pdf.pdf(found.document, found.until).startswith(b"%PDF")


def test_many_systems_are_folded_and_it_is_said(sqlite_database):
    weeks = Weeks(sqlite_database, n_ticks=2)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        for n in range(130):
            key = weeks.key(connection, "deepl", f"x{n:03}", "f_s")
            for place in range(2):
                weeks.point(connection, key, place, signature, n / 200)
    found = weekly(sqlite_database)
    said = section(found, "charts")
    assert "96 further charts of stereotype gap (f_s)" in said
    assert "10 further series are not drawn; the table of all series has their values." in said
    assert len(found.numbers["series"]) == 130
    assert html.html(found.document).count("<svg") == 120 + 12
    assert "12 of 130 pairs of system and language; all: appendix" in words(found.document.page_one)


def test_a_pdf_without_its_library_says_how_to_get_it(sqlite_database, monkeypatch):
    made.small(sqlite_database)
    found = weekly(sqlite_database)
    monkeypatch.setitem(__import__("sys").modules, "typst", None)
    with pytest.raises(MissingPart, match=r"pip install 'gbmonitor\[pdf\]'"):
        pdf.pdf(found.document, found.until)


def test_the_number_of_queries_does_not_grow_with_the_series(sqlite_database):
    for n in (2, 40):
        weeks = Weeks(sqlite_database, f"job-{n}", n_ticks=2)
        weeks.ticks()
        with sqlite_database.begin() as connection:
            signature = weeks.signature(connection)
            for place in range(n):
                key = weeks.key(connection, "deepl", f"t{place}", "f_s")
                weeks.walk(connection, key, 0.2, range(2), signature)
    queries = []
    sa.event.listen(
        sqlite_database.reader, "before_cursor_execute", lambda *given: queries.append(given[2])
    )
    weekly(sqlite_database, "job-2")
    few = len(queries)
    weekly(sqlite_database, "job-40")
    assert len(queries) == 2 * few


def test_the_first_four_of_a_family_are_primary_in_the_order_of_the_job(sqlite_database):
    measures = [
        {"name": "masculine_rate"},
        {"name": "c_ratio_bias", "references": ["us_labour", "parity"]},
    ]
    weeks = Weeks(sqlite_database, n_ticks=1, measures=measures)
    weeks.ticks()
    of_ratio = registry.measure("c_ratio_bias").primaries
    assert len(of_ratio) > 1
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        for reference in ("parity", "us_labour"):
            about = {"measure": "c_ratio_bias", "reference": reference, "list": "mini"}
            for name in of_ratio:
                key = weeks.key(connection, "deepl", "cs", name, **about)
                weeks.walk(connection, key, 0.2, [0], signature)
        for name in OVERALL:
            key = weeks.key(connection, "deepl", "cs", name, list="mini")
            weeks.walk(connection, key, 0.2, [0], signature)
    found = weekly(sqlite_database).numbers["series"]
    primary = {(row["quantity"], row["reference"]) for row in found if row["role"] == "primary"}
    assert primary == {("f_s", ""), ("f_m", ""), ("marked_share", ""), (of_ratio[0], "us_labour")}
