"""The first page: what changed, how systems stand, and what was not measured, from stored rows."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.change import Status
from monitor.model import QuantityUnit, State
from monitor.roles import Role
from monitor.stages.document.html import html_blocks
from monitor.stages.reports import run_systems, side_by_side
from monitor.store.access import embargoes
from monitor.store.changes import findings as store
from monitor.store.jobs import declarations
from monitor.store.reports import run_report
from monitor.store.schema import changes, points, series_keys
from monitor.text.quantity_values import say_value
from monitor.web.site.pages import overview as page
from monitor.web.site.site_state import EntryRule
from tests.demo import WEEKS

ENGINE = "libretranslate(base_url=http://two.test)"


@pytest.fixture(autouse=True)
def nothing_kept():
    """What a test writes by hand is not seen by those who keep what they have read."""
    page._cache.entries.clear()


@pytest.fixture
def client(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.ANALYST)


def read(client, path="/api/v1/overview"):
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def html(client, path="/"):
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return HTMLParser(answer.text)


def confirm(archive, **more):
    """One finding over the whole list of translations becomes a confirmed one; its number."""
    with archive.begin() as connection:
        number = next(
            finding.change_id
            for finding in store.list_changes(connection)
            if finding.engine == ENGINE and finding.scope == "all" and finding.quantity == "f_s"
        )
        values = {"status": Status.CONFIRMED, "kind": "step", "effect": 0.25, "low": 0.1,
                  "high": 0.4, "before": 0.1, "after": 0.35, "detected_at": WEEKS[-1]}  # fmt: skip
        connection.execute(sa.update(changes).where(changes.c.id == number).values(**values | more))
    return number


def test_every_event_stands_once_and_every_finding_in_one(client, sqlite_archive):
    confirm(sqlite_archive)
    content = read(client)
    with sqlite_archive.read() as connection:
        listed = store.list_changes(connection)
    shown = [*content["cards"], *content["changes"], *content["signals"]]
    numbers = [moved["number"] for event in shown for moved in event["moved"]]
    assert len(numbers) == len(set(numbers))
    assert set(numbers) <= {finding.change_id for finding in listed}
    if content["n_changes"] == len(shown):
        assert len(numbers) == len(listed)


def test_a_confirmed_event_of_late_has_a_card_with_its_numbers(client, sqlite_archive):
    number = confirm(sqlite_archive)
    content = read(client)
    assert content["headline"] == (
        "LibreTranslate (two.test) changed since 27\N{NO-BREAK SPACE}Jan "
        "(confirmed 3\N{NO-BREAK SPACE}Feb)"
    )
    [card] = [card for card in content["cards"] if card["number"] == number]
    last = card["figures"][-1]
    with sqlite_archive.read() as connection:
        ends = connection.execute(sa.text(
            "SELECT p.value FROM changes c JOIN series_points p ON p.series_id = c.series_id "
            "AND p.run_id IN (c.before_run_id, c.after_run_id) WHERE c.id = :n ORDER BY p.due_at"
        ), {"n": number}).scalars().all()  # fmt: skip
    # those of the two runs, as in the chart, and not the sizes of all runs
    assert [last["before"], last["after"]] == [say_value(QuantityUnit.DIFFERENCE, v) for v in ends]
    assert card["effect_said"].startswith("+25\u00a0points (95\u00a0% interval +10 to +40")
    assert card["supports"][0]["question"] == "Repeated?"
    document = html(client)
    article = document.css_first(f"article[aria-labelledby='event-{number}']")
    assert article.css_first("svg")
    assert article.css_first(f"a[href='/changes/{number}']")
    assert "f_s" not in article.text()


def test_a_newest_value_is_printed_alike_in_table_chart_and_tile(client, sqlite_archive):
    number = confirm(sqlite_archive)
    content = read(client)
    [card] = [card for card in content["cards"] if card["number"] == number]
    tiles = [tile for group in content["tiles"] for tile in group["tiles"]]
    alike = [tile["said"] for tile in tiles if tile["system"] == card["system"]]
    *parts, gap = [figure["newest"] for figure in card["figures"]]
    assert gap in alike
    drawn = html(client).css_first(f"article[aria-labelledby='event-{number}'] svg").text()
    assert parts
    assert all(part in drawn for part in parts)


def says_none(content):
    """What is undecided and what is not measured comes before that nothing is confirmed."""
    undecided, missing, none = content["headline"].split("; ")
    lead = "Unknown: whether LibreTranslate (one.test) changed."
    assert (lead in content["lead"]) is not bool(content["cards"])
    return (
        undecided.startswith("LibreTranslate (two.test) may have changed since 27")
        and missing.startswith("LibreTranslate (one.test) refused our questions on 3")
        and none == "no value could be tested"
    )


@pytest.mark.parametrize(
    ("more", "n_cards"),
    [
        ({}, 1), ({"status": Status.CANDIDATE}, 0), ({"status": Status.REFUTED}, 0),
        ({"detected_at": WEEKS[-1] - timedelta(weeks=5)}, 0), ({"is_current": False}, 0),
    ],
)  # fmt: skip
def test_only_what_is_confirmed_and_recent_is_a_headline(client, sqlite_archive, more, n_cards):
    with sqlite_archive.begin() as connection:
        connection.execute(sa.update(changes).values(status=Status.CANDIDATE))
    number = confirm(sqlite_archive, **more)
    content = read(client)
    assert len(content["cards"]) == n_cards
    if not n_cards:
        assert says_none(content)
        assert number not in [card["number"] for card in content["cards"]]


def test_a_change_of_our_own_is_no_change_of_a_system(client, sqlite_archive):
    with sqlite_archive.begin() as connection:
        connection.execute(sa.update(changes).values(status=Status.CANDIDATE))
    confirm(sqlite_archive, cause="language")
    content = read(client)
    assert says_none(content)
    assert "our rules that find gender in texts changed" in content["cards"][0]["headline"]


def test_tiles_have_the_newest_values_of_the_archive(client, sqlite_archive):
    content = read(client)
    tiles = [tile for group in content["tiles"] for tile in group["tiles"]]
    assert tiles
    query = sa.text(
        "SELECT state, value, low, high FROM series_points WHERE series_id = :series "
        "ORDER BY due_at DESC LIMIT 1"
    )
    with sqlite_archive.read() as connection:
        for tile in tiles:
            row = connection.execute(query, {"series": tile["series"]}).one()
            assert (tile["state"], tile["value"], tile["low"], tile["high"]) == tuple(row)
            assert (tile["said"] == "no value") == (tile["value"] is None)
    fresh = content["freshness"]
    audited = [tile for tile in tiles if not tile["is_control"]]
    assert fresh["n_systems"] == len(audited) < len(tiles)
    assert fresh["n_measured"] == sum(tile["state"] == State.MEASURED for tile in audited)


def test_no_change_is_said_with_the_values_that_could_not_be_tested(client):
    tiles = [tile for group in read(client)["tiles"] for tile in group["tiles"]]
    assert {tile["is_tested"] for tile in tiles} == {False}  # of so few runs nothing can be told
    [one, *_] = tiles
    shown = [
        page.SystemTile(**one | {"is_tested": tested, "picture": Markup()})
        for tested in (True, False)
    ]
    control = shown[1].model_copy(update={"is_control": True})
    said = page._say_untested(shown)
    assert said == "1 of the 2 values below could not be tested"
    assert page._say_untested([shown[0], control]) == ""
    assert (
        page._say_none(shown) == "no change found in the 1 value that could be tested; 1 could not"
    )
    assert page._say_none(shown[:1]) == "no change found elsewhere in the last four weeks"
    headline = page._say_headline([], WEEKS[-1], [], shown, ZoneInfo("UTC"))
    assert headline == f"No system was found to have changed in the last four weeks ({said})"


def test_what_was_not_measured_is_named_with_its_reason(client):
    content = read(client)
    tiles = [tile for group in content["tiles"] for tile in group["tiles"]]
    without = {f"{tile['system']}, {tile['asked_in']}" for tile in tiles if tile["value"] is None}
    named = {system for missing in content["missing"] for system in missing["systems"]}
    assert named == without
    assert all(missing["reason"] for missing in content["missing"])


def test_an_embargo_leaves_no_trace_on_the_first_page(sqlite_archive, make_client, clock):
    confirm(sqlite_archive)
    with sqlite_archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": ENGINE}, reason="r", by="b", until=None, now=clock()
        )
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    for path in ("/", "/api/v1/overview"):
        assert "two.test" not in public.get(path).text
    assert read(public)["alarms"] is None


def test_codes_stand_in_the_fold_alone(client, sqlite_archive):
    confirm(sqlite_archive)
    document = html(client)
    for fold in document.css("main details"):
        fold.decompose()
    words = document.css_first("main").text()
    assert not [code for code in ("f_s", "f_m", "s_or", "excess_mab") if code in words]


def add_languages(archive, targets):
    """Copy the Czech values of the masculine rate of every translator to other languages."""
    own = (series_keys.c.measure.startswith("masculine_rate"), series_keys.c.target == "cs",
           series_keys.c.scope == "all")  # fmt: skip
    with archive.begin() as connection:
        series = connection.execute(sa.select(series_keys).where(*own)).mappings().all()
        for place, target in enumerate(targets):
            for row in series:
                columns = {key: row[key] for key in row if key != "id"}
                columns |= {"target": target, "key": f"{target}-{row['id']}"}
                copy = connection.execute(sa.insert(series_keys).values(columns))
                [number] = copy.inserted_primary_key
                stored = connection.execute(
                    sa.select(points).where(points.c.series_id == row["id"])
                )
                for point in stored.mappings():
                    values = {key: point[key] for key in point if key != "id"}
                    values |= {"series_id": number}
                    if point["value"] is not None:
                        values["value"] = min(1.0, point["value"] + 0.02 * place)
                    connection.execute(sa.insert(points).values(values))


def test_many_languages_stand_side_by_side_as_in_the_report(client, sqlite_archive):
    assert read(client)["languages"] == []
    add_languages(sqlite_archive, ["ru", "uk", "fr"])
    page._cache.entries.clear()
    [listed] = read(client)["languages"]
    shown = html(client)
    [section] = [
        section
        for section in shown.css("section")
        if "side by side" in section.text(deep=True)[:40]
    ]
    tables = section.css("table")
    captions = [table.css_first("caption").text() for table in tables]
    assert [caption.partition(" (")[2][:3] for caption in captions] == ["f_m", "f_s"]
    names = [cell.text(strip=True) for cell in tables[0].css("tbody th")]
    assert {"Russian", "Ukrainian", "French", "Czech"} <= set(names)
    assert section.css_first("p a").attributes["href"] == f"/runs/{listed['run']}"
    assert shown.css("[class*=shade-]")
    with sqlite_archive.read() as connection:
        [content] = [
            content
            for content in declarations.read_job_contents(connection)
            if content["name"] == listed["job"]
        ]
        rows = run_report.read_points(connection, listed["run"], "all")
        cues = run_report.read_cues(connection, listed["run"])
    of_report = side_by_side.write_languages_section(run_systems.sort_systems(rows, content, cues))
    assert str(html_blocks(of_report.blocks)) in client.get("/").text
    other = next(job for job in read(client)["jobs"] if job != listed["job"])
    assert read(client, f"/api/v1/overview?job={other}")["languages"] == []


def test_an_embargo_leaves_no_system_in_the_table_of_languages(sqlite_archive, make_client, clock):
    add_languages(sqlite_archive, ["ru", "uk", "fr"])
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    assert len(read(public)["languages"]) == 1
    with sqlite_archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": ENGINE}, reason="r", by="b", until=None, now=clock()
        )
    page._cache.entries.clear()
    assert len(read(public)["languages"]) == 1
    [section] = [
        section
        for section in html(public).css("section")
        if "side by side" in section.text(deep=True)[:40]
    ]
    assert "two.test" not in section.html
    with sqlite_archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"measure": "masculine_rate"}, reason="r", by="b", until=None, now=clock()
        )
    page._cache.entries.clear()
    assert read(public)["languages"] == []


def test_changes_of_systems_come_before_those_of_our_own(client, sqlite_archive):
    number = confirm(sqlite_archive, changed_at=WEEKS[-2])
    with sqlite_archive.begin() as connection:
        other = next(
            finding.change_id
            for finding in store.list_changes(connection)
            if finding.change_id != number
        )
        values = {"status": Status.CONFIRMED, "cause": "language", "detected_at": WEEKS[-1],
                  "changed_at": WEEKS[-1]}  # fmt: skip
        connection.execute(sa.update(changes).where(changes.c.id == other).values(values))
    assert [card["number"] for card in read(client)["cards"]][:2] == [number, other]
