"""Page one of the weekly report: what happened, to whom, since when, how certain, what is open."""

import json
import re
from dataclasses import asdict, replace
from datetime import timedelta
from html.parser import HTMLParser
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor.change import Cause
from monitor.model import QuantityUnit
from monitor.stages.changes.claim_support import AnswerPair, EventExample
from monitor.stages.document import html, pdf
from monitor.stages.document.notation import Piece
from monitor.stages.document.records import Card, Counts, Items, Tiles, Words
from monitor.stages.reports.weekly import page_one, report
from monitor.stages.reports.weekly import week as gather
from monitor.store import schema
from monitor.store.database import connect
from tests.conftest import copy_sqlite
from tests.report import weeks as made
from tests.report.weeks import WEEK

UTC = ZoneInfo("UTC")
ATTACK = "<script>alert(1)</script>\u202e{{7*7}} #read('/etc/passwd')"
#: Words on page one, at most.
MOST = 400


def weekly(database, *, until=None, address=""):
    with database.read() as connection:
        return report.make_weekly(connection, (), until, UTC, address)


def blocks(found, kind):
    return [block for block in found.document.page_one if isinstance(block, kind)]


def tiles(found):
    return [tile for block in blocks(found, Tiles) for tile in block.tiles]


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


class FirstPage(HTMLParser):
    """The words of a page above its appendix, those of charts once; its headings and links."""

    def __init__(self, page):
        super().__init__()
        self.words, self.links, self.h1, self.open = [], [], [], []
        self.feed(page.partition("<nav")[0])

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        self.open.append(f"{tag} {names.get('class', '')}".strip())
        if tag == "a":
            self.links.append(names["href"])

    def handle_endtag(self, tag):
        while self.open and self.open.pop().split()[0] != tag:
            pass

    def handle_data(self, data):
        if not {"style", "title", "desc", "svg phone"} & set(self.open):
            self.words += data.split()
        if "h1" in self.open:
            self.h1.append(data.strip())


def first_page(found):
    return FirstPage(html.html(found.document))


@pytest.fixture(scope="module")
def busy(sqlite_template, tmp_path_factory):
    """A year in whose last week DeepL changed."""
    folder = tmp_path_factory.mktemp("busy")
    copy_sqlite(sqlite_template, folder / "monitor.db")
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    made.year(database)
    yield database, weekly(database)
    database.close()


# --- a week with a change -------------------------------------------------------------------------


def test_the_finding_is_the_headline_and_its_card_has_both_numbers_and_one_chart(busy):
    found = busy[1]
    assert found.document.title == "DeepL has a wider stereotype gap"
    assert [text for text in first_page(found).h1 if text] == [found.document.title]
    [card] = blocks(found, Card)
    assert plain(card.title) == "English to Czech, since 23 November 2026"
    rows = [[cell.text for cell in row] for row in card.figures.groups[0].rows]
    assert [name for name, *_ in rows] == ["about women", "about men", "stereotype gap"]
    # as both runs measured it, and the chart shows it; the size over all runs stands elsewhere
    assert [plain(text) for text in rows[-1][1:]] == ["+13.4 points", "+18.8 points"]
    assert all(
        re.fullmatch(r"\d+(\.\d)? %", plain(cell)) for _, *cells in rows[:2] for cell in cells
    )
    assert "23 Nov: changed" in plain(card.svg)
    assert "asked again: same result" in {badge.text for badge in card.badges}
    assert {badge.holds for badge in card.badges} >= {True, False}


def triangles(found, color):
    """Triangles of a colour in the tiles."""
    mark = rf'd="M[\d.]+,1h8l-4,8Z"[^>]*var\(--{color}\)'
    return [one for tile in tiles(found) for one in re.findall(mark, str(tile.svg))]


def test_counts_are_those_of_the_tiles_and_add_up(busy):
    found = busy[1]
    [counts] = blocks(found, Counts)
    numbers = [int(count.number) for count in counts.counts]
    assert sum(numbers) == len(tiles(found)) == len(found.numbers["systems"])
    assert numbers[0] == sum(tile.is_changed for tile in tiles(found)) == 1
    assert len(triangles(found, "second")) == 1
    assert "Triangle: confirmed this week." in blocks(found, Tiles)[0].caption
    notes = [tile.note.partition(": ")[0] for tile in tiles(found)]
    assert numbers[2] == notes.count("not tested") + notes.count("not measured") > 0
    assert counts.counts[0].note == "DeepL"
    assert plain(counts.counts[1].note).startswith("a change of ")
    assert "Firefox" not in str(tiles(found))  # the control is none of the systems


def test_page_one_has_few_words_and_no_codes(busy):
    words = first_page(busy[1]).words
    assert len(words) <= MOST
    said = " ".join(words)
    assert not re.search(r"\b(f_s|f_m|s_or|p_f|p_m|mab|mb|tick|signature|put down to)\b", said)
    assert "primary series" not in said


def test_a_card_leads_to_its_claim_or_says_the_command(busy):
    database, found = busy
    [card] = blocks(found, Card)
    checks, method = card.links
    assert (checks.url, method.url) == ("", "#methods")
    number = found.numbers["headline"]["changes"][0]["change_id"]
    assert checks.text.endswith(f": monitor series claim {number}")
    assert first_page(found).links == ["#methods"]
    public = weekly(database, address="https://monitor.example.org")
    assert first_page(public).links == [
        f"https://monitor.example.org/changes/{number}",
        "https://monitor.example.org/methods/masculine_rate",
    ]
    assert public.json == found.json


def test_programs_read_the_same_events_and_systems(busy):
    found = busy[1]
    [event] = found.numbers["events"]
    assert (event["headline"], event["asked_in"]) == (found.document.title, "English to Czech")
    assert [change["change_id"] for change in event["changes"]] == [
        row["change_id"] for row in found.numbers["headline"]["changes"]
        if row["status"] == "confirmed"
    ]  # fmt: skip
    checks = [row["check"] for row in found.numbers["systems"]]
    assert checks == sorted(checks, key=["changed", "unchanged", "not checked"].index)


def test_nothing_after_the_week_is_on_page_one(sqlite_database):
    weeks = made.measured(sqlite_database)
    series = weeks.series["deepl", "cs", "f_s", "all"]
    runs = [weeks.run_of[n, "scheduled"] for n in (15, 16)]
    with sqlite_database.begin() as connection:
        later = weeks.compare(
            connection, series, "confirm", *runs, weeks.signature(connection), 0.06,
            due_at=weeks.last + timedelta(hours=5),
        )  # fmt: skip
        weeks.change(connection, series, *runs, changed_at=weeks.at(16), detected_at=weeks.at(16),
                     confirm_id=later)  # fmt: skip
        weeks.look(connection, 16)
    before = weekly(sqlite_database, until=weeks.at(16) + timedelta(hours=1))
    [card] = blocks(before, Card)
    assert "asked again: same result" not in {badge.text for badge in card.badges}
    assert "23 Mar" not in plain(card.svg)  # the due time of the run that follows
    with sqlite_database.begin() as connection:
        late = connection.execute(
            sa.update(schema.points).where(schema.points.c.due_at > weeks.at(16)).values(value=0.9)
        )
    assert late.rowcount
    again = weekly(sqlite_database, until=weeks.at(16) + timedelta(hours=1))
    assert html.html(again.document) == html.html(before.document)


def test_two_systems_that_changed_are_both_on_page_one(busy, sqlite_template, tmp_path):
    copy_sqlite(sqlite_template, tmp_path / "monitor.db")
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
    weeks = made.year(database)
    runs = [weeks.run_of[n, "scheduled"] for n in (51, 52)]
    with database.begin() as connection:
        weeks.change(connection, weeks.series["google_translate", "uk", "f_s", "all"], *runs)
    found = weekly(database)
    database.close()
    assert found.document.title.startswith("DeepL and Google Cloud Translation changed")
    first, second = blocks(found, Card)
    assert first.title != second.title
    assert len(first.badges) > len(second.badges) >= 2
    unsupported = {badge.text for badge in first.badges if badge.holds is not True}
    assert unsupported
    assert unsupported <= {badge.text for badge in second.badges}
    assert first.svg
    assert second.svg
    assert len(first_page(found).words) <= MOST
    assert len(tiles(found)) == 4 < len(found.numbers["systems"])


def test_many_events_are_named_and_page_one_stays_short(sqlite_template, tmp_path):
    copy_sqlite(sqlite_template, tmp_path / "monitor.db")
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
    weeks = made.year(database)
    with database.begin() as connection:
        for place in range(44, 51):
            runs = [weeks.run_of[n, "scheduled"] for n in (place - 1, place)]
            weeks.change(connection, weeks.series["google_translate", "uk", "f_s", "all"], *runs,
                         changed_at=weeks.at(place))  # fmt: skip
    found = weekly(database)
    database.close()
    assert len(found.numbers["events"]) == 8
    assert len(blocks(found, Card)) == 2
    others = blocks(found, Items)[0].items
    assert others[0].startswith("Google Cloud Translation has a wider stereotype gap: English to")
    assert others[-1] == "3 more events in the appendix"
    assert len(first_page(found).words) <= MOST


def test_a_change_of_our_own_is_no_change_of_a_system(busy):
    database, found = busy
    with database.read() as connection:
        week = gather.gather_week(connection, (), None, UTC)
    [event] = page_one.read_events(week, [change for change in week.changes if change.is_confirmed])
    ours = replace(event, cause=Cause.LANGUAGE, headline="DeepL: its numbers moved, but …")
    rows = found.numbers["systems"]

    def verdict(*events):
        return page_one.say_verdict(events, rows, UTC, has_candidates=False)

    assert verdict(ours, event) == event.headline
    assert verdict(ours) == f"{ours.headline}; whether the system changed cannot be said"
    assert plain(verdict(ours, replace(ours, system="Other"))) == (
        "The numbers of DeepL and Other moved since 23 Nov, but our software changed; whether the "
        "system changed cannot be said"
    )


def test_a_system_whose_numbers_moved_by_us_is_not_counted_as_changed(sqlite_database):
    weeks = made.measured(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (16, 17)]
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17)
        weeks.change(connection, weeks.series["deepl", "cs", "f_s", "all"], *runs, cause="parser")
    found = weekly(sqlite_database)
    untold = "whether the system changed cannot be said"
    moved = "DeepL: its numbers moved, but our reader of pages changed"
    assert found.document.title == f"{moved}; {untold}"
    checks = {row["system"]: (row["check"], row["reason"]) for row in found.numbers["systems"]}
    assert checks["DeepL"] == ("moved when our side changed", "our reader of pages changed")
    counts = {count.title: count for count in blocks(found, Counts)[0].counts}
    assert "changed" not in counts  # "0 changed" would say what nobody knows
    assert counts["moved when our side changed"].number == "1"
    assert counts["moved when our side changed"].note == f"{untold}: our reader of pages changed"
    [tile] = [tile for tile in tiles(found) if tile.title == "DeepL"]
    assert plain(tile.note) == "moved since 23 Mar (our reader of pages changed)"
    [block, *_] = blocks(found, Tiles)
    assert "Hollow triangle: moved when our side changed." in block.caption
    assert "Triangle: confirmed change." not in block.caption


def test_what_is_quoted_stays_text_and_shows_the_words_that_decided(busy):
    database, found = busy
    with database.read() as connection:
        week = gather.gather_week(connection, (), None, UTC)
        [event] = page_one.read_events(
            week, [change for change in week.changes if change.is_confirmed]
        )
        shown = page_one.read_detailed(connection, week, event)
    before = AnswerPair(1, "masculine", [Piece("Já "), Piece(f"byl{ATTACK}", "masculine")])
    now = AnswerPair(2, "feminine", [Piece("Já "), Piece("byla", "feminine")])
    example = EventExample(f"I was {ATTACK}", "en", "cs", before, now)
    details = replace(shown.details, example=example, n_changed=20, n_questions=102)
    card = page_one.write_event_card(
        week, page_one.DetailedEvent(event, details), "", "e0", is_first=True, is_only=True
    )
    document = replace(found.document, page_one=[card])
    page = html.html(document)
    assert re.search(r"20 of 102 answers differ between \d+ Nov and \d+ Nov:", plain(page))
    assert '<mark class="feminine">byla</mark>' in page
    assert "(masculine form)" in page
    paper = json.dumps(pdf._plain(asdict(document)), ensure_ascii=False)
    for shown_text in (page, paper):
        assert "\u202e" not in shown_text
        assert "alert(1)" in shown_text
    assert "<script" not in page
    assert pdf.pdf(document, found.until).startswith(b"%PDF")


def test_paper_takes_the_wide_picture_of_a_chart(busy):
    [card] = blocks(busy[1], Card)
    assert str(card.svg).count("<svg") == 2
    picture = pdf.on_paper(card.svg)
    assert picture.count("<svg") == 1
    assert picture.startswith("<svg")
    assert picture.endswith("</svg>")
    assert "var(--" not in picture


# --- a quiet week ---------------------------------------------------------------------------------


def test_a_quiet_week_says_what_could_have_been_missed_and_what_was_not_checked(sqlite_database):
    weeks = made.measured(sqlite_database)
    weeks.content = {}
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17)
        own = schema.points.c.series_id.in_([
            number for (engine, *_), number in weeks.series.items() if engine == "deepl"
        ])  # fmt: skip
        newest = schema.points.c.due_at == weeks.last
        connection.execute(
            sa.update(schema.points)
            .where(own, newest)
            .values(state="insufficient", value=None, low=None, high=None, reason="floor 14")
        )
        engine = weeks.engine(connection, "deepl")
        weeks.ask(connection, weeks.run_of[17, "scheduled"], engine,
                  {("throttled", "rate"): 1, ("not asked", ""): 5, ("ok", ""): 2})  # fmt: skip
    found = weekly(sqlite_database)
    assert plain(found.document.title) == (
        "DeepL limited how often we may ask on 23 Mar; no change found this week in 1 of 2 "
        "systems; 1 could not be tested"
    )
    assert plain(blocks(found, Words)[0].text) == (
        "Unknown: whether DeepL changed. A change of 1.6 points would be found with 80 % "
        "probability, smaller ones would often be missed."
    )
    assert not blocks(found, Card)
    lost = tiles(found)[-1]
    assert (lost.value, plain(lost.note)) == (
        "no value", "not measured: it limited how often we may ask on 23 Mar"
    )  # fmt: skip
    assert not blocks(found, Items)  # its tile says why


def test_each_quantity_has_its_own_scale_and_its_name_on_its_tiles(busy):
    database, found = busy
    first, second = found.numbers["systems"][:2]
    other = second | {"quantity": "f_m"}
    with database.read() as connection:
        week = gather.gather_week(connection, (), None, UTC)
        alone, mixed = (
            page_one.make_tiles(
                week, rows, found.numbers["charts"], "no change found", [], is_quiet=False
            )
            for rows in ([first], [first, other])
        )
    assert mixed.tiles[0].svg == alone.tiles[0].svg
    assert [tile.under.partition(": ")[2] for tile in mixed.tiles] == [
        "stereotype gap", "masculine forms"
    ]  # fmt: skip
    assert mixed.caption.startswith("Each quantity has its own scale.")
    assert alone.caption.startswith("Stereotype gap.")
    assert ": " not in alone.tiles[0].under


def test_values_without_a_test_are_counted_below_the_verdict(busy):
    found = busy[1]
    main = next(row for row in found.numbers["series"] if row["quantity"] == "f_s")
    rows = [main | {"role": "secondary"}, main | {"role": "secondary", "quantity": "p_f"},
            main | {"role": "primary"}, main | {"role": "witness"},
            main | {"role": "secondary", "ended_at": found.until}]  # fmt: skip
    assert page_one.count_untested(rows) == 1
    systems = [row | {"check": "unchanged", "reason": "", "smallest": 0.05, "undecided": None}
               for row in found.numbers["systems"][:2]]  # fmt: skip
    assert page_one.say_verdict([], systems, UTC, has_candidates=False) == (
        "No change found this week in 2 of 2 pairs of system and language"
    )
    assert plain(page_one.say_limits(systems, 3)) == (
        "A change of 5 points would be found with 80 % probability, smaller ones would often be "
        "missed. 3 values of other measures have no test."
    )
    assert not page_one.say_limits([], 3)


def test_a_system_that_changed_before_is_unchanged_since(sqlite_database):
    weeks = made.measured(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (3, 4)]
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17)
        weeks.change(connection, weeks.series["deepl", "cs", "f_s", "all"], *runs,
                     changed_at=weeks.at(4), detected_at=weeks.at(5))  # fmt: skip
    found = weekly(sqlite_database)
    notes = {tile.title: plain(tile.note) for tile in tiles(found)}
    assert notes["DeepL"] == "changed 22 Dec; no change found since"
    # a change that the week does not count is not drawn like one that it counts
    assert (len(triangles(found, "second")), len(triangles(found, "quiet"))) == (0, 1)
    caption = blocks(found, Tiles)[0].caption
    assert "Grey triangle: confirmed earlier." in caption
    assert "this week" not in caption
    assert notes["Google Cloud Translation"] == "no change found"


def test_days_of_earlier_changes_are_told_in_their_order(busy):
    database, found = busy
    with database.read() as connection:
        week = gather.gather_week(connection, (), None, UTC)
    row = found.numbers["systems"][-1] | {"check": page_one.SystemCheck.UNCHANGED}
    days = [week.after - timedelta(days=back) for back in (2, 14)]  # 14 Nov, 2 Nov
    rows = [row | {"last_change": day, "undecided": None} for day in days]
    told = plain(page_one.say_earlier(week, rows))
    assert told.endswith("(2 Nov and 14 Nov).")
    days[1] = week.after - timedelta(weeks=7)
    rows[1]["last_change"] = days[1]
    assert plain(page_one.say_earlier(week, rows)).endswith("(14 Nov).")


def test_a_possible_change_that_waits_for_more_runs_is_on_its_tile(sqlite_database):
    weeks = made.measured(sqlite_database)
    sides = [[weeks.run_of[n, "scheduled"] for n in pair] for pair in ((3, 4), (15, 16))]
    with sqlite_database.begin() as connection:
        weeks.look(connection, 17)
        series = weeks.series["deepl", "cs", "f_s", "all"]
        weeks.change(connection, series, *sides[0], changed_at=weeks.at(4),
                     detected_at=weeks.at(5))  # fmt: skip
        weeks.change(connection, series, *sides[1], status="candidate",
                     changed_at=weeks.at(16), detected_at=weeks.at(17))  # fmt: skip
    notes = {tile.title: plain(tile.note) for tile in tiles(weekly(sqlite_database))}
    assert notes["DeepL"].startswith("changed 22 Dec; no confirmed change since; a possible ")
    assert notes["DeepL"].endswith(" is not decided yet")
    assert "possible" not in notes["Google Cloud Translation"]


def test_reasons_are_counted_where_there_are_several():
    rows = [
        {"system": name, "reason": reason, "check": page_one.SystemCheck.NOT_CHECKED}
        for name, reason in (("A", "gave no answer"), ("A", "gave no answer"),
                             ("B", "too few runs so far"))
    ]  # fmt: skip
    assert page_one.say_verdict([], rows, UTC, has_candidates=False) == (
        "Nothing could be tested this week: A gave no answer (2), too few runs so far (1)"
    )
    assert page_one.say_verdict([], rows[2:], UTC, has_candidates=False).endswith(
        "week: B: too few runs so far"
    )
    assert page_one.say_verdict([], rows[:2], UTC, has_candidates=False).endswith(
        "week: A gave no answer"
    )


def test_sizes_in_points_and_in_other_units_are_told_apart():
    row = {"measure": "masculine_rate", "kind": "mt", "quantity": "f_s", "smallest": 0.2,
           "check": page_one.SystemCheck.UNCHANGED, "reason": ""}  # fmt: skip
    other = row | {"quantity": "s_or", "smallest": 0.3}
    assert page_one.find_quantity(other).meaning.unit is QuantityUnit.LOG_ODDS
    assert plain(page_one.say_limits([row, row | {"smallest": 0.1}, other], 0)) == (
        "A change of 10 to 20 points or 0.300 (stereotyping (log odds)) (by system and "
        "language) would be found with 80 % probability, smaller ones would often be missed."
    )
    assert page_one.say_limits([row | {"smallest": None}], 0) == ""


def test_invented_data_are_said_above_all(sqlite_database):
    weeks = made.small(sqlite_database, invented=True)
    found = weekly(sqlite_database)
    assert found.document.banner.startswith("Invented data")
    page = html.html(found.document)
    assert page.index('class="banner"') < page.index("<h1>")
    assert weeks.last - weeks.at(0) == 4 * WEEK


def test_an_older_report_without_page_one_is_not_another_report(busy):
    now = busy[1].json.encode()
    older = {key: part for key, part in json.loads(now).items() if key not in report._ADDED}
    assert report.list_differences(json.dumps(older).encode(), now) == []
    changed = json.loads(now)
    changed["systems"][0]["value"] = 0.5
    assert report.list_differences(now, json.dumps(changed).encode()) == ["Page one: systems"]


def test_signals_are_a_count_on_page_one(busy):
    [line] = [block for block in blocks(busy[1], Words) if "signal" in block.text]
    assert line.text.startswith("Appendix: 2 new unconfirmed signals (Google Cloud Translation)")
