"""The list of changes and their claim cards: the store's numbers, and nothing for whom not."""

import json
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.change import Cause, Status
from monitor.roles import Role
from monitor.stages.changes import statements
from monitor.stages.reports import claim_content
from monitor.store.access import embargoes
from monitor.store.changes import findings as store
from monitor.store.schema import changes, points, series_keys
from monitor.web.site.pages import changes as page
from monitor.web.site.pages import claim_cards, overview
from monitor.web.site.site_state import EntryRule
from tests.web.site.conftest import client_of
from tests.web.site.routes import ON_BOTH

ENGINE = "libretranslate(base_url=http://two.test)"
HOSTILE = "<img src=x onerror=alert(1)>\u202e'\"><script>alert(2)</script>"


@pytest.fixture(autouse=True)
def nothing_kept():
    """What a test writes by hand is not seen by those who keep what they have read."""
    page._cache.entries.clear()
    claim_cards._cache.entries.clear()


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.ANALYST)


def api(client, path, **parameters):
    answer = client.get(f"/api/v1{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def html(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return HTMLParser(answer.text)


def known(archive):
    with archive.read() as connection:
        found = store.list_changes(connection)
    assert found
    return found


def hide(archive, clock, **about):
    with archive.begin() as connection:
        embargoes.add_embargo(connection, about, reason="r", by="b", until=None, now=clock())


# --- the list -------------------------------------------------------------------------------------


@ON_BOTH
def test_every_finding_in_force_is_there_with_its_numbers(client, archive):
    found = api(client, "/changes", scope="")
    shown = {one["number"]: one for entry in found["entries"] for one in entry["moved"]}
    rows = known(archive)
    assert sorted(shown) == sorted(one.change_id for one in rows)
    for one in rows:
        names = ("effect", "low", "high", "status", "sentence", "quantity", "scope")
        assert [shown[one.change_id][name] for name in names] == [
            getattr(one, name) for name in names
        ]
    # what moved in one engine since one day stands together
    assert len(found["entries"]) == len({(one.changed_at, one.engine) for one in rows})
    assert found["n_entries"] == len(found["entries"])
    assert all(not one["is_confirmatory"] for one in shown.values())  # nothing was declared
    assert {one["exploratory_because"] for one in shown.values()} == {
        "not registered before the data"
    }


@ON_BOTH
def test_filters_find_what_fits(client, archive):
    first = known(archive)[0]
    for name in ("job", "status", "cause", "engine", "target", "measure"):
        own = api(client, "/changes", **{name: getattr(first, name)})
        assert own["n_findings"] > 0, name
    for name, other in (
        ("job", "none"), ("engine", "none"), ("measure", "none"), ("target", "xx"),
        ("status", "refuted"), ("cause", "lexicon"), ("at", "2020-01-01T00:00:00Z"),
    ):  # fmt: skip
        assert api(client, "/changes", **{name: other})["entries"] == [], name
    tick, second = first.detected_at.isoformat(), timedelta(seconds=1)
    before = (first.detected_at - second).isoformat()
    for times in ({"at": tick}, {"after": before, "until": tick}):
        assert api(client, "/changes", **times)["n_findings"] == len(known(archive))
    for times in ({"after": tick}, {"until": before}):
        assert api(client, "/changes", **times)["n_findings"] == 0


def test_the_page_leads_to_series_and_cards(client, archive):
    tree = html(client, "/changes")
    first = known(archive)[0]
    assert tree.css_first(f'a[href="/series/{first.series_id}"]')
    assert tree.css_first(f'a[href="/changes/{first.change_id}"]')
    assert "the engine" in tree.css_first("main").text()


def test_many_findings_are_turned_without_loss(client, archive, monkeypatch):
    rows = known(archive)
    with archive.begin() as connection:  # the same four at earlier ticks
        current = sa.select(changes).where(changes.c.is_current)
        of = dict(connection.execute(current).mappings().first())
        of.pop("id")
        times = connection.execute(sa.select(points.c.id)).all()[:7]
        for n, _ in enumerate(times, 1):
            day = of["detected_at"].replace(year=2000 + n)
            moments = {"detected_at": day, "changed_at": day}
            connection.execute(sa.insert(changes).values(**of | moments))
    monkeypatch.setattr(page, "_ON_A_PAGE", 3)
    first = api(client, "/changes")
    seen = []
    for n in range(1, first["n_pages"] + 1):
        seen += [
            one["number"]
            for entry in api(client, "/changes", page=n)["entries"]
            for one in entry["moved"]
        ]
    assert first["n_pages"] == 3
    assert len(seen) == len(set(seen)) == len(rows) + len(times)


def test_an_archive_without_findings_says_what_is_known(client, archive):
    with archive.begin() as connection:
        connection.execute(sa.update(changes).values(is_current=False))
    assert "No change found." in client.get("/changes").text
    with archive.begin() as connection:
        connection.execute(sa.text("DELETE FROM looks"))
    page._cache.entries.clear()
    assert "is not known: no test of a run is stored" in client.get("/changes").text


def test_all_words_of_status_and_cause_can_be_asked_for(client):
    for status in Status:
        assert client.get("/changes", params={"status": status}).status_code == 200
    for cause in Cause:
        assert client.get("/changes", params={"cause": cause}).status_code == 200


def test_an_event_that_went_back_leads_to_the_later_one_wherever_it_stands(client, archive):
    first = next(
        one
        for one in known(archive)
        if (one.quantity, one.scope, one.kind) == ("f_s", "all", "step")
    )
    day = timedelta(days=1)
    later = {"changed_at": first.changed_at + day, "detected_at": first.detected_at + day,
             "effect": -0.2}  # fmt: skip
    with archive.begin() as connection:
        confirmed = {"status": Status.CONFIRMED, "effect": 0.2}
        connection.execute(sa.update(changes).values(status=Status.CANDIDATE))
        own = changes.c.id == first.change_id
        connection.execute(sa.update(changes).where(own).values(confirmed))
        row = dict(connection.execute(sa.select(changes).where(own)).mappings().one())
        number = max(connection.execute(sa.select(changes.c.id)).scalars()) + 1
        connection.execute(sa.insert(changes).values(row | later | {"id": number}))
    at = quote(first.detected_at.isoformat())
    for path in (
        "/changes",
        f"/changes?at={at}&job={first.job}",
        "/",
        f"/changes/{first.change_id}",
    ):
        overview._cache.entries.clear()
        page._cache.entries.clear()
        main = html(client, path).css_first("main")
        assert "had a wider stereotype gap" in main.text(), path
        assert [a for a in main.css(f'a[href="/changes/{number}"]') if a.text().strip()], path
    [entry] = [
        entry for entry in api(client, "/changes")["entries"] if entry["number"] == first.change_id
    ]
    assert [one["number"] for one in entry["later"]] == [number]


def test_a_cause_is_said_in_words_and_never_by_its_code(client, archive):
    first = known(archive)[0]
    with archive.begin() as connection:
        connection.execute(sa.update(changes).values(cause=Cause.LEXICON, status=Status.CONFIRMED))
    said = statements.CAUSE[Cause.LEXICON]
    options = html(client, "/changes").css("select[name=cause] option[value]")
    words = {option.attributes["value"]: option.text() for option in options}
    assert words == {"": "all", **{cause.value: statements.CAUSE[cause] for cause in Cause}}
    for path in (f"/series/{first.series_id}", f"/changes/{first.change_id}"):
        text = " ".join(html(client, path).css_first("main").text().split())
        assert said in text
        assert "Cause: lexicon" not in text
    assert "Came from our side" in client.get("/changes.atom").text


def test_words_of_others_stay_words(client, archive):
    with archive.begin() as connection:
        connection.execute(sa.update(changes).values(sentence=HOSTILE, because=HOSTILE))
        connection.execute(sa.update(series_keys).values(target="<b>"))
    number = known(archive)[0].change_id
    for path in ("/changes", f"/changes/{number}"):
        text = client.get(path).text
        assert "<img" not in text
        assert "alert(2)</script>" not in text
        assert "[U+202E]" in text
        assert "<b>&" not in text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/changes?page=0", 422), ("/changes?status=gone", 422), ("/changes?at=x", 422),
        ("/changes?job=%00", 400), ("/changes/0", 422), ("/changes/999999", 404),
        ("/changes/9999999999999999999999", 422), ("/points/999999", 404),
        ("/changes?at=0001-01-01T00:00:00", 400), ("/changes/1?page=0", 422),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(sqlite_archive, make_client, path, status):
    client = make_client(sqlite_archive, Role.VIEWER)
    allowed = (status, 422) if status == 400 else (status,)
    assert client.get(path).status_code in allowed
    assert client.get(f"/api/v1{path}").status_code in allowed


# --- claim cards ----------------------------------------------------------------------------------


def test_the_card_of_a_change_has_what_the_command_prints(client, archive):
    for one in known(archive):
        with archive.read() as connection:
            made = claim_content.card_of_change(connection, one.change_id, client.site.zone)
        found = api(client, f"/changes/{one.change_id}")
        numbers = json.loads(json.dumps(made.numbers))
        for name in (
            "effect", "claim", "n", "left_out", "noise", "declared", "signature", "headline",
            "lead", "quote", "cite", "supports",
        ):  # fmt: skip
            assert found[name] == numbers[name], name
        for name in (
            "p", "q", "alpha", "order_said", "p_beyond", "alpha_beyond", "holds_beyond",
            "beyond_said", "size_said", "because", "status_said", "test", "changed",
        ):  # fmt: skip
            assert found["change"][name] == numbers[name], name
        assert found["n_flips"] == len(numbers["flips"])
        assert client.get(f"/changes/{one.change_id}/card/txt").text == made.text
        assert client.get(f"/changes/{one.change_id}/card/html").text == made.html
        assert client.get(f"/changes/{one.change_id}/card/json").json() == numbers


def test_a_card_cites_its_public_address_where_there_is_one(archive, make_client):
    path = f"/changes/{known(archive)[0].change_id}"
    plain = make_client(archive, entry=EntryRule.PUBLIC)
    assert "https://" not in api(plain, path)["cite"]
    at = client_of(replace(plain.site, public_url="https://monitor.example.org"))
    claim_cards._cache.entries.clear()
    cited = f"https://monitor.example.org{path}"
    assert api(at, path)["cite"].endswith(f" {cited}")
    for form in ("html", "txt", "json"):
        assert cited in at.get(f"{path}/card/{form}").text


def test_the_card_leads_to_both_sides(client, archive):
    number = known(archive)[0].change_id
    tree = html(client, f"/changes/{number}")
    proofs = [a.attributes["href"] for a in tree.css('.examples a[href^="/evidence/"]')]
    assert len(proofs) >= 2
    for path in (proofs[0], proofs[1]):
        assert client.get(path).status_code == 200
    runs = [a.attributes["href"] for a in tree.css('dd a[href^="/runs/"]')]
    assert len(runs) == 4  # of both ticks, and of both sides of asking again
    both = api(client, f"/changes/{number}")
    later = api(client, f"/changes/{number}", page=both["n_pages"])
    assert len(both["flips"]) + (both["n_pages"] > 1) * len(later["flips"]) == both["n_flips"]


def test_the_card_of_a_point_says_why_there_is_no_value(client, archive):
    with archive.read() as connection:
        rows = connection.execute(sa.select(points.c.id, points.c.state, points.c.value)).all()
    for state in ("measured", "insufficient"):
        number, _, value = next(row for row in rows if row.state == state)
        found = api(client, f"/points/{number}")
        assert found["effect"]["value"] == value
        assert found["point"]["state"] == state
        text = html(client, f"/points/{number}").css_first("main").text()
        if value is None:
            assert found["point"]["reason"] in text
        with archive.read() as connection:
            made = claim_content.card_of_point(connection, number, client.site.zone)
        assert client.get(f"/points/{number}/card/txt").text == made.text


# --- embargoes ------------------------------------------------------------------------------------


def test_nothing_of_a_system_under_embargo_is_public(archive, make_client, clock):
    number = known(archive)[0].change_id
    hide(archive, clock, engine=ENGINE)
    public = make_client(archive, entry=EntryRule.PUBLIC)
    assert api(public, "/changes", scope="")["entries"] == []
    assert ENGINE not in public.get("/changes").text
    for path in (f"/changes/{number}", f"/changes/{number}/card/json"):
        assert public.get(path).status_code == 404
    viewer = make_client(archive, Role.VIEWER, entry=EntryRule.PUBLIC)
    assert viewer.get(f"/changes/{number}").status_code == 200


def test_a_quantity_under_embargo_hides_all_of_its_measure(archive, make_client, clock):
    rows = {one.quantity: one for one in known(archive) if "masculine_rate" in one.measure}
    assert "f_m" in rows["f_s"].sentence  # it tells of the other one
    hide(archive, clock, engine=ENGINE, quantity="f_m")
    public = make_client(archive, entry=EntryRule.PUBLIC)
    for one in rows.values():
        assert public.get(f"/changes/{one.change_id}").status_code == 404
    found = api(public, "/changes", scope="")
    shown = [one["measure"] for entry in found["entries"] for one in entry["moved"]]
    assert not [measure for measure in shown if "masculine_rate" in measure]
    assert found["n_findings"] == len(shown)


def test_other_findings_do_not_tell_of_a_measure_under_embargo(archive, make_client, clock):
    rows = {one.quantity: one for one in known(archive)}
    hide(archive, clock, engine=ENGINE, measure="c_ratio_bias")
    public = make_client(archive, entry=EntryRule.PUBLIC)
    shown = [m for e in api(public, "/changes")["entries"] for m in e["moved"]]
    assert "f_s" in {one["quantity"] for one in shown}
    assert {one["sentence"] for one in shown} == {""}
    card = api(public, f"/changes/{rows['f_s'].change_id}")
    assert card["is_partial"]
    assert card["n_flips"] == 0
    assert "In the two runs" not in card["lead"] + card["quote"]
    assert "stereotypical" not in card["headline"] + card["lead"]
    assert card["effect"]["value"] == rows["f_s"].effect
    for form in ("html", "txt", "json"):
        text = public.get(f"/changes/{rows['f_s'].change_id}/card/{form}").text
        assert "Jsem" not in text


def test_what_controls_did_is_not_told_where_they_are_under_embargo(archive, make_client, clock):
    number = known(archive)[0].change_id
    public = make_client(archive, entry=EntryRule.PUBLIC)
    assert "firefox_translations" in api(public, f"/changes/{number}")["change"]["because"]
    hide(archive, clock, engine="firefox_translations")
    card = api(public, f"/changes/{number}")
    assert card["change"]["because"] == ""
    assert "firefox_translations" not in json.dumps(card["supports"])
    assert "stood still" not in public.get("/changes").text
