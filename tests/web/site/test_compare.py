"""Engine against engine as a page: paired differences as the command has them."""

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.stages.changes import comparisons as stage
from monitor.stages.document.draw import Scale
from monitor.stages.reports.cells import shorten_reason
from monitor.store.access import embargoes
from monitor.store.changes import comparisons as engine_comparisons
from monitor.store.schema import comparisons
from monitor.web.site.pages import compare as page
from monitor.web.site.records import draw_estimate
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH

ENGINE = "libretranslate(base_url=http://two.test)"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def nothing_kept():
    page._cache.entries.clear()


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.VIEWER)


def api(client, **parameters):
    answer = client.get("/api/v1/compare", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def everything(client, **parameters):
    """All pairs of all pages, by the number of the comparison."""
    first = api(client, **parameters)
    found = {}
    for n in range(1, first["n_pages"] + 1):
        for group in api(client, page=n, **parameters)["groups"]:
            for one in group["pairs"]:
                assert one["comparison"] not in found
                found[one["comparison"]] = one | {"quantity": group["quantity"]}
    assert len(found) == first["n_pairs"]
    return found


def held(archive, job="mt-weekly"):
    with archive.read() as connection:
        [run] = engine_comparisons.find_runs(connection, job, 1)
        found = engine_comparisons.find_comparisons(connection, run.id)
        return run.id, stage.adjust_together(found)


@ON_BOTH
def test_the_newest_tick_has_the_numbers_of_the_command(client, archive):
    number, known = held(archive)
    assert api(client, job="mt-weekly")["tick"]["run"] == number
    found = everything(client, job="mt-weekly")
    assert len(found) == len(known) > 50
    for one in known:
        r, shown = one.comparison, found[one.comparison.comparison_id]
        for name in ("first", "second", "delta", "low", "high", "p", "n", "changed",
                     "value_first", "value_second", "quantity"):  # fmt: skip
            assert shown[name] == getattr(r, name), name
        assert (shown["q"], shown["differ"]) == (one.q, one.differ)
        assert shown["reason"] == shorten_reason(r.reason)
    first = api(client, job="mt-weekly")
    assert first["n_tests"] == sum(one.q is not None for one in known)
    assert first["n_differ"] == sum(one.differ for one in known) > 0
    assert sum(one["n"] for one in first["missing"]) == sum(
        one.comparison.delta is None for one in known
    )


def test_what_is_shown_does_not_change_the_correction(client, archive):
    everywhere = everything(client, job="mt-weekly")
    some = everything(client, job="mt-weekly", quantity="f_s")
    assert some
    assert {one["quantity"] for one in some.values()} == {"f_s"}
    for number, one in some.items():
        assert one["q"] == everywhere[number]["q"]
    assert everything(client, job="mt-weekly", quantity="none") == {}


def test_an_older_tick_can_be_chosen(client, archive):
    ticks = api(client, job="mt-weekly")["ticks"]
    assert len(ticks) > 1
    older = ticks[-1]["run"]
    assert api(client, run=older)["tick"]["run"] == older
    tree = HTMLParser(client.get(f"/compare?run={older}").text)
    assert tree.css_first(f'option[value="{older}"][selected]')


def test_the_page_leads_to_the_answers_behind_both_values(client, archive):
    number, known = held(archive)
    tree = HTMLParser(client.get("/compare?job=mt-weekly&quantity=f_s").text)
    [one] = [one for one in known if one.differ and one.comparison.quantity == "f_s"]
    for series in (one.comparison.series_id, one.comparison.other_id):
        assert tree.css_first(f'a[href="/series/{series}/ticks/{number}"]')
    assert tree.css_first("svg.estimate .dot:not(.open)")
    assert not tree.css("[style]")


def test_an_embargo_hides_pairs_and_how_many_they_are(archive, make_client, clock):
    _, known = held(archive)
    with archive.begin() as connection:
        about = {"engine": ENGINE}
        embargoes.add_embargo(connection, about, reason="r", by="b", until=None, now=clock())
    public = make_client(archive, entry=EntryRule.PUBLIC)
    found = everything(public, job="mt-weekly")
    rest = [one for one in known if ENGINE not in (one.comparison.first, one.comparison.second)]
    assert set(found) == {one.comparison.comparison_id for one in rest}
    assert found
    q = stage.adjust_p_values({one.comparison.comparison_id: one.comparison.p for one in rest})
    for number, one in found.items():
        assert one["q"] == q.get(number)
    assert api(public, job="mt-weekly")["n_tests"] == len(q)
    assert "two.test" not in public.get("/compare?job=mt-weekly").text


def test_reasons_stay_words(client, archive):
    with archive.begin() as connection:
        where = comparisons.c.delta.is_(None)
        connection.execute(sa.update(comparisons).where(where).values(reason=HOSTILE))
    text = client.get("/compare?job=mt-weekly").text
    assert HOSTILE not in text
    assert "&lt;script&gt;" in text


def test_without_a_comparison_that_is_said(client, archive):
    with archive.begin() as connection:
        connection.execute(sa.update(comparisons).values(is_current=False))
    assert "no scheduled run yet" in client.get("/compare").text
    assert "No two engines" in client.get("/compare?run=1").text
    assert api(client)["tick"] is None


@pytest.mark.parametrize(
    ("query", "status"),
    [("run=0", 422), ("run=x", 422), ("run=999999", 404), ("run=9223372036854775808", 422),
     ("page=0", 422), ("list=" + "x" * 400, 422), ("page=9999", 200)],
    ids=str,
)  # fmt: skip
def test_bad_parameters_are_refused(sqlite_archive, make_client, query, status):
    client = make_client(sqlite_archive, Role.VIEWER)
    assert client.get(f"/compare?{query}").status_code == status
    assert client.get(f"/api/v1/compare?{query}").status_code == status


# --- drawing --------------------------------------------------------------------------------------


#: As the page of comparisons has it.
SCALE = Scale(-1.0, 1.0, 5.0, 155.0)


def test_a_difference_stands_at_its_place():
    svg = str(draw_estimate(0.5, 0.25, 0.75, SCALE, 0.0))
    assert 'd="M98.8,9H136.2"' in svg
    assert 'class="dot"' in svg
    alone = str(draw_estimate(-1.0, None, None, SCALE, 0.0, is_open=True))
    assert "bar" not in alone
    assert 'class="dot open"' in alone
    assert draw_estimate(None, None, None, SCALE, 0.0) == ""


def test_the_scale_holds_everything():
    assert page.find_scale_end([0.1, None, -0.4]) == 0.4
    assert page.find_scale_end([None, 0.0]) > 0
