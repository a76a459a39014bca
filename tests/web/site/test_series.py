"""The pages of series: numbers as the store has them, gaps as gaps, and what is under embargo."""

import csv
import io
from collections import Counter
from datetime import timedelta

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.change import Contrast
from monitor.cli.changes import series_views as _series_rows
from monitor.model import QuantityUnit, State
from monitor.roles import Role
from monitor.stages.changes.statements import missing_words
from monitor.store.access import embargoes
from monitor.store.changes import changed_answers, series
from monitor.store.changes.series import ALL, Filters
from monitor.store.jobs import declarations
from monitor.store.schema import changes, engines, erasures, items, points, readings, runs, scopes
from monitor.text.quantity_values import say_interval, say_value
from monitor.web.site.pages import series as series_page
from monitor.web.site.pages import series_answers, series_list
from monitor.web.site.site_state import EntryRule
from tests.factories import DUE
from tests.web.site.routes import ON_BOTH

TWO = "libretranslate(base_url=http://two.test)"
ONE = "libretranslate(base_url=http://one.test)"
FIRST, SECOND, NOISE, THIRD, LAST = 1, 4, 5, 7, 10  # runs of the translation audit
UNIT = QuantityUnit.DIFFERENCE
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


@pytest.fixture(autouse=True)
def nothing_is_kept_of_other_archives():
    nothing_is_kept()


def nothing_is_kept():
    """Archives of other tests look alike, and what is only changed leaves no trace."""
    for cache in (
        series_page._cache, series_list._cache, series_page._picture_cache,
        series_answers._cache, series_answers._answer_cache, series_answers._flip_cache,
    ):  # fmt: skip
        cache.entries.clear()


@pytest.fixture
def viewer(archive, make_client):
    return make_client(archive, Role.VIEWER)


def find(archive, **about):
    with archive.read() as connection:
        return series.find_single(connection, Filters(**about))


def stereotype_rate(archive):
    return find(archive, engine=TWO, quantity="f_s")


def read(client, path):
    found = client.get(f"/api/v1{path}")
    assert found.status_code == 200, found.text
    return found.json()


def page(client, path):
    found = client.get(path)
    assert found.status_code == 200, found.text
    return HTMLParser(found.text)


def links(tree):
    return {node.attributes["href"] for node in tree.css("main a[href]")}


# --- the list -------------------------------------------------------------------------------------


@ON_BOTH
def test_the_list_has_what_the_store_has(archive, viewer):
    with archive.read() as connection:
        known = series.find_series(connection, Filters(scope=ALL))
        summaries = series.read_summaries(connection, known)
        counted = series.count_changes(connection, [one.id for one in known])
    seen = {}
    first = read(viewer, "/series")
    assert first["n_pages"] == -(-len(known) // 50)
    for number in range(1, first["n_pages"] + 1):
        for one in read(viewer, f"/series?page={number}")["series"]:
            seen[one["about"]["number"]] = one
    assert seen.keys() == {one.id for one in known}
    for number, one in seen.items():
        own = summaries[number]
        newest = one["newest"]
        assert newest["value"] == own.last_value
        assert (newest["low"], newest["high"]) == (own.last_low, own.last_high)
        assert (newest["state"], newest["reason"]) == (own.last_state, own.last_reason)
        assert (newest["n_measured"], newest["n_ticks"]) == (own.n_measured, own.n_ticks)
        assert (one["n_changes"], one["n_noise"]) == counted[number]
    assert sum(one["n_changes"] for one in seen.values()) > 0
    assert sum(one["n_noise"] for one in seen.values()) > 0


@ON_BOTH
def test_the_list_is_filtered(archive, viewer):
    one = stereotype_rate(archive)
    found = read(viewer, f"/series?engine={TWO}&target=cs&quantity=f_s&job=mt-weekly&list=feelings")
    assert [each["about"]["number"] for each in found["series"]] == [one.id]
    parts = read(viewer, f"/series?engine={TWO}&quantity=p_i&scope=")
    assert parts["n_series"] == 16
    assert read(viewer, f"/series?engine={TWO}&quantity=p_i")["n_series"] == 0
    single = read(viewer, f"/series?engine={TWO}&quantity=p_i&scope=stereotype:3")
    assert [each["about"]["scope"] for each in single["series"]] == ["stereotype:3"]
    tree = page(viewer, f"/series?engine={TWO}&quantity=f_s")
    assert f"/series/{one.id}" in links(tree)
    chosen = [node.attributes["value"] for node in tree.css("select option[selected]")]
    assert chosen == [TWO, "f_s"]


def test_a_page_of_the_list_keeps_the_filter(viewer):
    tree = page(viewer, "/series?job=people&page=2")
    turning = {node.attributes["rel"]: node.attributes["href"] for node in tree.css(".turning a")}
    assert "job=people" in turning["prev"]
    assert "page=1" in turning["prev"]
    assert page(viewer, "/series?page=999").css_first(".turning") is not None


# --- one series -----------------------------------------------------------------------------------


@ON_BOTH
def test_a_series_is_its_grid_with_every_gap(archive, viewer):
    one = stereotype_rate(archive)
    with archive.read() as connection:
        grid = series.read_grid(connection, one.id)
    found = read(viewer, f"/series/{one.id}")
    assert found["ticks"] == read(viewer, f"/series/{one.id}/points")["ticks"][::-1]
    assert len(grid) == len(found["ticks"]) == 5
    for tick_, there in zip(grid[::-1], found["ticks"], strict=True):
        for name in ("state", "reason", "value", "low", "high", "bound_low", "bound_high",
                     "planned", "answered", "used", "unidentified", "signature"):  # fmt: skip
            assert there[name] == getattr(tick_, name), name
        assert (there["run"], there["point"]) == (tick_.run_id, tick_.point_id)
    [missed] = [one for one in found["ticks"] if one["state"] == "missed"]
    assert missed["value"] is missed["low"] is missed["planned"] is None
    assert "not begun within 5 minutes" in missed["reason"]
    assert (found["n_ticks"], found["n_measured"]) == (5, 4)


def test_the_page_leads_on_from_every_number(archive, viewer):
    one = stereotype_rate(archive)
    found = read(viewer, f"/series/{one.id}")
    tree = page(viewer, f"/series/{one.id}")
    there = links(tree)
    for each in found["ticks"]:
        if each["value"] is not None:
            assert {f"/points/{each['point']}", f"/series/{one.id}/ticks/{each['run']}"} <= there
    assert {f"/series/{one.id}.csv", f"/series/{one.id}.png", "/methods/masculine_rate"} <= there
    [change] = found["findings"]
    assert f"/changes/{change['number']}" in there
    text = tree.css_first("main").text()
    assert "not asked" in text
    assert "not begun within 5 minutes" in text
    assert "NaN" not in text
    assert "How often the masculine form was chosen" in text
    assert len(tree.css("h1")) == 1
    assert not tree.css("[style]")


def first_screen(tree):
    """The words above the events."""
    return " ".join(
        " ".join(node.text() for node in tree.css("main h1, main > p, main figure")).split()
    )


def test_the_title_is_a_question_with_its_answer(archive, viewer):
    one = stereotype_rate(archive)
    newest, *_ = read(viewer, f"/series/{one.id}")["ticks"]
    tree = page(viewer, f"/series/{one.id}")
    title = " ".join(tree.css_first("h1").text().split())
    value, interval = (
        " ".join(said.split())
        for said in (say_value(UNIT, newest["value"]),
                     say_interval(UNIT, newest["low"], newest["high"]))
    )  # fmt: skip
    assert title == (
        "How stereotypical is LibreTranslate (two.test), English to Czech? "
        f"Stereotype gap: {value} (95 % interval {interval}) on 3 February 2025"
    )
    said = first_screen(tree)
    assert "Last confirmed change" in said or "No confirmed change in 4 runs since" in said
    assert "f_s" not in said
    assert one.signature[:12] not in said
    headings = " ".join(node.text() for node in tree.css("h1, h2, h3, th, caption, button, label"))
    assert "tick" not in said + headings
    chart = tree.css_first("#interactive").attributes
    assert chart["data-title"] == "Stereotype gap, points"
    assert (chart["data-factor"], chart["data-neutral-words"]) == ("100", "no difference")
    assert "27\\u00a0Jan" in chart["data-events"]
    share = find(archive, engine=TWO, quantity="marked_share", target="cs")
    title = page(viewer, f"/series/{share.id}").css_first("h1").text()
    assert title.startswith("How common are answers that show a gender with LibreTranslate")
    assert title.count("show a gender") == 1


def test_a_newest_run_without_a_value_says_why_and_shows_no_older_one(archive, viewer, make_client):
    one = find(archive, engine=ONE, quantity="f_s", target="cs")
    newest, *_ = read(viewer, f"/series/{one.id}")["ticks"]
    assert newest["value"] is None
    tree = page(viewer, f"/series/{one.id}")
    title = " ".join(tree.css_first("h1").text().split())
    assert title.endswith("Stereotype gap: not measured on 3 February 2025: it refused our "
                          "questions")  # fmt: skip
    assert "no value" in " ".join(node.text() for node in tree.css("svg.full text"))
    with archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": ONE, "target": "cs", "quantity": "mb"}, reason="not yet",
            by="ada", until=DUE + timedelta(days=999), now=DUE,
        )  # fmt: skip
    nothing_is_kept()
    public = page(make_client(archive, entry=EntryRule.PUBLIC), f"/series/{one.id}")
    assert "refused" not in public.css_first("h1").text()
    assert "too few of its answers can be used" in public.css_first("h1").text()


def test_events_of_one_day_stand_together_in_the_chart(archive, viewer):
    one = stereotype_rate(archive)
    with archive.begin() as connection:
        first = connection.execute(
            sa.select(changes).where(changes.c.series_id == one.id, changes.c.is_current)
        ).mappings().first()  # fmt: skip
        connection.execute(sa.insert(changes).values(
            {name: value for name, value in first.items() if name != "id"}
            | {"kind": "shift", "status": "retrospective"}))  # fmt: skip
    nothing_is_kept()
    tree = page(viewer, f"/series/{one.id}")
    [words] = [node.text() for node in tree.css("svg.full text") if "in retrospect" in node.text()]
    assert words.replace("\u00a0", " ") == "27 Jan: unconfirmed, in retrospect"


def test_siblings_are_others_of_the_system_and_the_same_elsewhere(archive, viewer):
    one = stereotype_rate(archive)
    found = read(viewer, f"/series/{one.id}")["siblings"]
    assert {each["title"] for each in found["quantities"]} >= {"f_m", "marked_share", "p_f"}
    assert len(found["systems"]) == 2
    assert {each["quantity"]: each["n"] for each in found["in_parts"]} == {
        "p_i": 16, "feminine_rank": 16, "marked_share": 18, "masculine_share": 2
    }  # fmt: skip
    assert "16 parts" in page(viewer, f"/series/{one.id}").text()
    own = find(archive, engine=TWO, quantity="p_i", scope="stereotype:3")
    parts = read(viewer, f"/series/{own.id}")["siblings"]["parts"]
    assert [each["title"] for each in parts][:3] == ["stereotype:1", "stereotype:2", "stereotype:4"]
    assert len(parts) == 15
    others = read(viewer, f"/series/{own.id}")["siblings"]["quantities"]
    assert {"feminine_rank", "f_s"} <= {each["title"] for each in others}


def test_other_runs_stand_beside_the_grid(archive, viewer):
    one = stereotype_rate(archive)
    assert read(viewer, f"/series/{one.id}")["off_grid"] == []
    with archive.begin() as connection:
        connection.execute(sa.update(runs).where(runs.c.id == FIRST).values(kind="manual"))
    nothing_is_kept()
    found = read(viewer, f"/series/{one.id}")
    [by_hand] = found["off_grid"]
    assert (by_hand["run"], by_hand["kind"]) == (FIRST, "manual")
    assert by_hand["value"] is not None
    assert FIRST not in {each["run"] for each in found["ticks"]}
    there = links(page(viewer, f"/series/{one.id}"))
    assert {f"/series/{one.id}/ticks/{FIRST}", f"/points/{by_hand['point']}"} <= there


def test_a_signature_can_be_named(archive, viewer):
    one = stereotype_rate(archive)
    found = read(viewer, f"/series/{one.id}?signature={one.signature[:8]}")
    assert found["is_shown"]
    assert found["signature"] == one.signature
    assert found["signatures"][0]["parts"]["measure"] == "masculine_rate"
    assert viewer.get(f"/series/{one.id}?signature=0000000").status_code == 400
    assert viewer.get(f"/series/{one.id}?signature='x").status_code == 422


# --- two ticks ------------------------------------------------------------------------------------


@ON_BOTH
def test_two_ticks_are_compared_as_they_are_stored(archive, viewer):
    one = stereotype_rate(archive)
    with archive.read() as connection:
        compared = series.read_comparisons(connection, [one.id])
    for stored in compared:
        found = read(
            viewer, f"/series/{one.id}?from={stored.before_run_id}&to={stored.after_run_id}"
        )["pair"]
        difference = found["difference"]
        for name in ("delta", "low", "high", "p", "n", "changed", "before", "after"):
            assert difference[name] == getattr(stored, name), name
        for name in ("bound_low", "bound_high"):
            assert difference[name] == stored.facts[name]
        assert difference["missing"] == missing_words(stored.facts)
    assert {stored.contrast for stored in compared} == {Contrast.STEP, Contrast.FIRST}


def test_what_missing_answers_could_make_stands_beside_the_difference(archive, viewer, monkeypatch):
    monkeypatch.setattr(series_answers, "missing_words", lambda _: "Bounds: -0.1 to +0.2.")
    one = stereotype_rate(archive)
    words = page(viewer, f"/series/{one.id}?from={SECOND}&to={THIRD}").text()
    assert "missing answers" in words
    assert "Bounds: -0.1 to +0.2." in words


def test_the_questions_with_other_answers_lead_to_both_sides(archive, viewer):
    one = stereotype_rate(archive)
    with archive.read() as connection:
        of = changed_answers.find_scope(connection, one.id)
        assert (of.list, of.source_lang, of.target, of.scope) == (one.list, "en", "cs", ALL)
        stored = changed_answers.add_words(
            connection, changed_answers.find_differing(connection, of, SECOND, THIRD)
        )
    found = read(viewer, f"/series/{one.id}?from={SECOND}&to={THIRD}")["pair"]
    assert found["n_flips"] == found["difference"]["changed"] == len(stored) == 25
    there = links(page(viewer, f"/series/{one.id}?from={SECOND}&to={THIRD}"))
    for flip in stored:
        for side in (*flip.before, *flip.after):
            assert f"/evidence/{side.attempt_id}" in there
    assert {flip["before"][0]["said"] for flip in found["flips"]} == {"masculine"}
    assert {flip["after"][0]["said"] for flip in found["flips"]} == {"feminine"}


def test_both_levels_have_their_intervals(archive, viewer):
    one = stereotype_rate(archive)
    with archive.read() as connection:
        ticks = {at.run_id: at for at in series.read_grid(connection, one.id)}
    found = read(viewer, f"/series/{one.id}?from={SECOND}&to={THIRD}")["pair"]
    words = page(viewer, f"/series/{one.id}?from={SECOND}&to={THIRD}").text()
    for side, run in (("before", SECOND), ("after", THIRD)):
        at = ticks[run]
        assert [found[f"{side}_{of}"] for of in ("value", "low", "high")] == [
            at.value, at.low, at.high,
        ]  # fmt: skip
        said = f"{say_value(UNIT, at.value)} {say_interval(UNIT, at.low, at.high)}"
        assert " ".join(said.split()) in " ".join(words.split())


def test_ticks_that_were_not_compared_are_not_tested_now(archive, viewer):
    one = stereotype_rate(archive)
    found = read(viewer, f"/series/{one.id}?from={LAST}&to={SECOND}")["pair"]
    assert (found["before"], found["after"]) == (SECOND, LAST)  # the earlier one first
    assert found["difference"] is None
    assert [(each["before"], each["after"]) for each in found["steps"]] == [
        (SECOND, THIRD),
        (THIRD, LAST),
    ]
    tree = page(viewer, f"/series/{one.id}?from={SECOND}&to={LAST}")
    assert "These two runs were not compared" in tree.text()
    assert f"/series/{one.id}?from={SECOND}&to={THIRD}#pair" in links(tree)


def test_what_is_asked_wrongly_is_said(archive, viewer):
    one = stereotype_rate(archive)
    for asked, status in {
        "from=7&to=7": 400, "from=5&to=7": 404, "from=99999&to=7": 404, "from=x&to=7": 422,
        "from=0&to=7": 422, "from=9223372036854775808&to=7": 422, "from=7": 200, "page=0": 422,
        "page=10001": 422, "flips=-1": 422, "page=9999": 200, "from=9223372036854775807&to=7": 404,
    }.items():  # fmt: skip
        assert viewer.get(f"/series/{one.id}?{asked}").status_code == status, asked


def test_no_bad_address_is_a_fault(viewer):
    for path, status in {
        "/series/0": 422, "/series/x": 422, "/series/9223372036854775808": 422,
        "/series/9223372036854775807": 404, "/series?page=x": 422, "/series?engine=%00": 400,
        "/series?scope=" + "x" * 301: 422, "/series/0.png": 422, "/series/9999.csv": 404,
        "/series/9999.png": 404, "/series/9999/ticks/1": 404, "/series/1/ticks/0": 422,
        "/series/1/ticks/9999": 404, "/series/1/ticks/1?use=x": 422,
        "/series/1/ticks/1?cls=x": 422,
    }.items():  # fmt: skip
        assert viewer.get(path).status_code == status, path


# --- the answers of a tick ------------------------------------------------------------------------


@ON_BOTH
def test_the_answers_are_those_that_points_count(archive, viewer):
    for quantity, uses in (("f_s", {"marked"}), ("marked_share", {"marked", "read"})):
        for engine in (ONE, TWO):
            one = find(archive, engine=engine, quantity=quantity, target="cs")
            for run in (FIRST, LAST):
                found = read(viewer, f"/series/{one.id}/ticks/{run}")
                assert found["is_alike"]
                assert sum(found["uses"].values()) == found["point"]["planned"]
                used = sum(n for use, n in found["uses"].items() if use in uses)
                assert used == found["point"]["used"]


def test_answers_of_a_noise_run_have_no_value(archive, viewer):
    one = stereotype_rate(archive)
    found = read(viewer, f"/series/{one.id}/ticks/{NOISE}")
    assert found["point"] is None
    assert found["uses"] == {"marked": found["n"] - 1, "read": 1}  # one answer is hostile
    assert "Nothing was computed" in page(viewer, f"/series/{one.id}/ticks/{NOISE}").text()


def test_every_answer_is_on_some_page_once(archive, viewer):
    one = stereotype_rate(archive)
    first = read(viewer, f"/series/{one.id}/ticks/{THIRD}")
    assert (first["n"], first["n_pages"]) == (128, 3)
    every = [
        answer["attempt"]
        for number in range(1, 4)
        for answer in read(viewer, f"/series/{one.id}/ticks/{THIRD}?page={number}")["answers"]
    ]
    assert len(set(every)) == 128
    there = links(page(viewer, f"/series/{one.id}/ticks/{THIRD}"))
    assert {f"/evidence/{number}" for number in every[:50]} <= there


def test_answers_are_filtered_by_use_and_class(archive, viewer):
    one = find(archive, engine=ONE, quantity="f_s", target="cs")
    path = f"/series/{one.id}/ticks/{LAST}"
    whole = read(viewer, path)
    lost = read(viewer, f"{path}?use=missing&cls=")
    assert lost["n"] == whole["uses"]["missing"] > 50
    assert {answer["outcome"] for answer in lost["answers"]} <= {"blocked", "not asked"}
    assert all(not answer["parts"] for answer in lost["answers"])
    women = read(viewer, f"/series/{one.id}/ticks/{FIRST}?use=marked&cls=feminine")
    assert women["n"] == women["classes"]["feminine"]
    assert {answer["cls"] for answer in women["answers"]} == {"feminine"}
    assert {answer["parts"][0]["cls"] for answer in women["answers"]} == {"feminine"}
    tree = page(viewer, f"/series/{one.id}/ticks/{FIRST}?use=marked&cls=feminine")
    assert tree.css_first("mark.feminine").text() == "unavená"


def test_what_was_erased_says_so(archive, viewer):
    one = stereotype_rate(archive)
    [answer, *_] = read(viewer, f"/series/{one.id}/ticks/{FIRST}")["answers"]
    with archive.begin() as connection:
        number = connection.execute(
            sa.insert(erasures)
            .values(kind="person", subject_hash="x", reason="asked", counts={}, erased_at=DUE)
            .returning(erasures.c.id)
        ).scalar_one()
        own = sa.select(readings.c.id).where(readings.c.attempt_id == answer["attempt"])
        connection.execute(
            sa.update(items).where(items.c.reading_id.in_(own)).values(text="", erasure_id=number)
        )
    nothing_is_kept()
    [again, *_] = read(viewer, f"/series/{one.id}/ticks/{FIRST}")["answers"]
    assert again["parts"][0]["is_erased"]
    assert page(viewer, f"/series/{one.id}/ticks/{FIRST}").css_first("td i").text() == "erased"


def test_a_part_has_its_own_answers(archive, viewer):
    one = find(archive, engine=TWO, quantity="p_i", scope="stereotype:3")
    found = read(viewer, f"/series/{one.id}/ticks/{FIRST}")
    assert {answer["key"].split("-")[0] for answer in found["answers"]} == {"s03"}
    assert found["n"] == found["point"]["planned"] == 8


def test_scores_are_of_the_template_of_the_part(archive, viewer):
    with archive.read() as connection:
        one = series.find_series(
            connection, Filters(scope="template-stereotype:2/7", quantity="q_i")
        )[0]
        [at] = series.read_grid(connection, one.id)
    found = read(viewer, f"/series/{one.id}/ticks/{at.run_id}")
    assert Counter(answer["use"] for answer in found["answers"]) == {"read": at.planned}
    assert {part["template"] for answer in found["answers"] for part in answer["parts"]} == {"2"}
    assert all(answer["key"].startswith("s07") for answer in found["answers"])


def test_results_of_searches_are_for_users_only(archive, make_client, viewer):
    one = find(archive, job="people", quantity="mab", measure="c_ratio_bias(block=organic,"
               "topics_floor=5)@3", reference="parity")  # fmt: skip
    with archive.read() as connection:
        [at] = series.read_grid(connection, one.id)
    path = f"/series/{one.id}/ticks/{at.run_id}"
    assert any(answer["parts"] for answer in read(viewer, path)["answers"])
    public = make_client(archive, entry=EntryRule.PUBLIC)
    found = read(public, path)
    assert found["is_partial"]
    assert all(not answer["parts"] for answer in found["answers"])
    assert "users of this archive only" in public.get(path).text


def test_a_run_without_the_series_has_no_answers(archive, viewer):
    one = stereotype_rate(archive)
    with archive.read() as connection:
        other = series.find_single(
            connection, Filters(job="gsr-toy", quantity="gsr", engine=_toy())
        )
        [at] = series.read_grid(connection, other.id)
    assert viewer.get(f"/series/{one.id}/ticks/{at.run_id}").status_code == 404


def _toy():
    return "local:bm25(depth=50,index=gsr-toy1-cs)"


# --- files ----------------------------------------------------------------------------------------


def test_the_csv_is_that_of_the_command(archive, viewer, capsys):
    one = stereotype_rate(archive)
    with archive.read() as connection:
        grid = series.read_grid(connection, one.id)
        made_up = declarations.read_invented(connection)
    subject = {"system": "LibreTranslate (two.test)", "source_lang": "en", "target": "cs",
               "quantity": "f_s", "label": "stereotype gap"}  # fmt: skip
    rows = (_series_rows.record(tick_) | subject for tick_ in grid)
    _series_rows.write_csv(rows, [*_series_rows.TICK_COLUMNS, *subject], made_up)
    found = viewer.get(f"/series/{one.id}.csv")
    assert found.headers["content-disposition"] == f'attachment; filename="series-{one.id}.csv"'
    wanted = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert list(csv.reader(io.StringIO(found.text))) == wanted
    assert len(wanted) == 6


def test_the_picture_is_one_and_nothing_else(archive, viewer, monkeypatch):
    one = stereotype_rate(archive)
    found = viewer.get(f"/series/{one.id}.png")
    assert found.content.startswith(b"\x89PNG\r\n\x1a\n")
    assert found.headers["content-type"] == "image/png"
    assert found.headers["content-disposition"] == f'attachment; filename="series-{one.id}.png"'
    assert "sandbox" in found.headers["content-security-policy"]
    drawn = []
    monkeypatch.setattr(series_page, "_paint_picture", lambda svg: drawn.append(svg) or b"")
    nothing_is_kept()
    viewer.get(f"/series/{one.id}.png")
    for words in ("Stereotype gap: LibreTranslate (two.test), English to Czech", "CC-BY-4.0",
                  f"localhost/series/{one.id}", "until 3\u00a0February\u00a02025"):  # fmt: skip
        assert words in drawn[0], words
    with archive.read() as connection:
        empty = series.find_series(connection, Filters(quantity="relative_gsr"))[0]
    assert viewer.get(f"/series/{empty.id}.png").status_code == 404
    assert "has a value" in page(viewer, f"/series/{empty.id}").text()


# --- who sees it ----------------------------------------------------------------------------------


@pytest.fixture
def hidden(archive, clock):
    """A series under embargo, with all of its quantity."""
    one = stereotype_rate(archive)
    with archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": TWO, "target": "cs", "quantity": "f_s"}, reason="not yet",
            by="ada", until=clock() + timedelta(days=9), now=clock() - timedelta(hours=1),
        )  # fmt: skip
    return one


@ON_BOTH
def test_the_public_does_not_see_what_is_under_embargo(archive, hidden, make_client):
    public = make_client(archive, entry=EntryRule.PUBLIC)
    user = make_client(archive, Role.VIEWER)
    number = hidden.id
    for path in (f"/series/{number}", f"/series/{number}.csv", f"/series/{number}.png",
                 f"/series/{number}?from={SECOND}&to={THIRD}", f"/series/{number}/ticks/{THIRD}",
                 f"/api/v1/series/{number}", f"/api/v1/series/{number}/points",
                 f"/api/v1/series/{number}/ticks/{THIRD}"):  # fmt: skip
        assert user.get(path).status_code == 200, path
        assert public.get(path).status_code == 404, path
    assert read(user, f"/series?engine={TWO}&quantity=f_s")["n_series"] == 1
    assert read(public, f"/series?engine={TWO}&quantity=f_s")["n_series"] == 0
    with archive.read() as connection:
        others = series.find_series(connection, Filters(quantity="f_s", scope=ALL))
    other = next(one for one in others if one.engine == ONE)
    assert len(read(user, f"/series/{other.id}")["siblings"]["systems"]) == 2
    assert len(read(public, f"/series/{other.id}")["siblings"]["systems"]) == 1


def test_answers_of_an_embargo_are_not_told_by_a_sibling(archive, hidden, make_client):
    public = make_client(archive, entry=EntryRule.PUBLIC)
    alike = find(archive, engine=TWO, quantity="f_m")  # quantities of a measure tell of each other
    assert public.get(f"/series/{alike.id}").status_code == 404
    sibling = find(archive, engine=TWO, target="cs", quantity="mb", reference="parity")
    assert public.get(f"/series/{sibling.id}/ticks/{THIRD}").status_code == 404
    found = read(public, f"/series/{sibling.id}?from={SECOND}&to={THIRD}")
    assert not found["has_answers"]
    assert found["pair"]["n_flips"] is None
    assert found["pair"]["difference"]["delta"] is not None  # of a series that is public
    tree = page(public, f"/series/{sibling.id}?from={SECOND}&to={THIRD}")
    assert not [each for each in links(tree) if "/ticks/" in each or "/evidence/" in each]


def test_labellers_see_no_series(archive, make_client):
    client = make_client(archive, Role.LABELLER)
    one = stereotype_rate(archive)
    for path in ("/series", f"/series/{one.id}", f"/series/{one.id}.csv", f"/series/{one.id}.png",
                 f"/series/{one.id}/ticks/1", f"/api/v1/series/{one.id}/points"):  # fmt: skip
        assert client.get(path).status_code == 403


def test_what_others_named_stays_text(archive, make_client):
    one = find(archive, engine=TWO, quantity="p_i", scope="stereotype:3")
    with archive.begin() as connection:
        connection.execute(sa.update(engines).where(engines.c.name == TWO).values(name=HOSTILE))
        connection.execute(sa.update(scopes).values(title=HOSTILE))
        connection.execute(
            sa.update(points).where(points.c.state == State.INSUFFICIENT).values(reason=HOSTILE)
        )
    client = make_client(archive, Role.VIEWER)
    for path in (
        "/series?scope=",
        f"/series/{one.id}?from={SECOND}&to={THIRD}",
        f"/series/{one.id}/ticks/{THIRD}",
    ):
        found = client.get(path)
        assert found.status_code == 200
        assert "alert(1)" in found.text
        tree = HTMLParser(found.text)
        assert all(node.attributes.get("src", "").startswith("/static/") for node in
                   tree.css("script"))  # fmt: skip
        assert not tree.css("img, [onerror], [style]")
    assert client.get(f"/series/{one.id}.png").content.startswith(b"\x89PNG")
    assert client.get(f"/series/{one.id}.csv").status_code == 200


def test_an_empty_archive_has_no_series(database, make_client):
    client = make_client(database, entry=EntryRule.LOCAL)
    assert read(client, "/series")["n_series"] == 0
    assert "None fits" in page(client, "/series").text()
    assert client.get("/series/1").status_code == 404
    assert client.get("/series/1.csv").status_code == 404
