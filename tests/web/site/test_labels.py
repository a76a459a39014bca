"""Labelling on the pages: blind, whoever one other rated first, kept as sheets are kept."""

import json

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.labels import sheets
from monitor.roles import Role
from monitor.store.derive import people
from monitor.store.schema import item_entities, labels, people_entities, people_ratings
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH


@pytest.fixture
def rater(archive, make_client):
    """Makes somebody who labels and was warned."""

    def make(name):
        client = make_client(archive, Role.LABELLER, name=name)
        answer = client.post("/labels/begin", data={"mark": client.mark})
        assert (answer.status_code, answer.headers["location"]) == (303, "/labels")
        return client

    return make


@pytest.fixture
def three(rater):
    """Raters whose processes know nothing of each other."""
    return [rater(name) for name in ("ada", "bo", "cy")]


def shown(client, address="/labels"):
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return HTMLParser(answer.text)


def key_of(page):
    found = page.css_first("input[name=key]")
    return found.attributes["value"] if found else ""


def say(client, key, said, **more):
    answer = client.post("/labels", data={"mark": client.mark, "key": key, "said": said, **more})
    assert answer.status_code == 303, answer.text
    return shown(client, answer.headers["location"])


def number(page, word):
    """The number before a word in the line that says how far one is."""
    line = next(one.text() for one in page.css("#labelling p.quiet"))
    return int(line.split(word)[0].split()[-1].replace(",", ""))


def ratings(archive):
    with archive.read() as connection:
        return people.read_ratings(connection)


def entity_of(archive, key):
    with archive.read() as connection:
        return next(e for e in people.read_shown_entities(connection) if sheets.blind_key(e) == key)


# --- what is shown --------------------------------------------------------------------------------


def test_the_first_page_of_a_session_warns(archive, make_client):
    client = make_client(archive, Role.LABELLER, name="ada")
    page = shown(client)
    assert "Before you begin" in page.text()
    assert not key_of(page)
    client.post("/labels/begin", data={"mark": client.mark})
    assert key_of(shown(client))
    other = make_client(archive, Role.LABELLER, name="bo")
    other.cookies.set("monitor-labels", client.cookies["monitor-labels"])
    assert "Before you begin" in shown(other).text()


@ON_BOTH
def test_a_person_is_shown_as_on_a_sheet_and_blind(archive, rater):
    client = rater("ada")
    page = shown(client)
    key = key_of(page)
    entity = entity_of(archive, key)
    with archive.read() as connection:
        whom, item = people.read_shown_entities(connection)[entity]
        asked = people.read_professions(connection, [entity])[entity]
        names = connection.execute(sa.text("SELECT name FROM engines")).scalars().all()
    row = sheets.make_sheet([sheets.Case(whom, "; ".join(asked), item)], "ada", 0)[0]
    main = page.css_first("main")
    assert page.css_first("#person").text() == whom.name
    assert asked[0] in main.text()
    links = [one.attributes["href"] for one in main.css("a[target=_blank]")]
    assert links == ([f"/labels/page?key={key}"] if row[3] else [])
    assert "wikidata" not in main.html.lower()
    if row[3]:
        answer = client.get(links[0])
        assert (answer.status_code, answer.headers["location"]) == (303, row[3])
    for one in main.css("a[target=_blank]"):
        assert {"noopener", "noreferrer"} <= set(one.attributes["rel"].split())
    families = {name.partition("(")[0] for name in names} - {"wikipedia"}  # links lead there
    assert len(families) > 2
    assert not [name for name in families if name in main.html]
    assert entity not in main.html
    assert 'href="/series' not in page.html


def test_hostile_words_are_text_and_words_of_gender_are_hidden(archive, rater):
    client = rater("ada")
    entity = entity_of(archive, key_of(shown(client)))
    hostile = "<script>alert(1)</script> actress \u202e"
    with archive.begin() as connection:
        known = people.read_resolutions(connection, [entity])[entity]
        row = {
            "entity": entity, "name": "<b>x</b>\u202e", "occupations": [], "annotation": hostile,
            "link": "javascript:alert(1)", "state": "unresolved", "grouping": "", "reason": "",
            "method": "", "item": "", "genders": [], "candidates": [], "mapping_version": 1,
            "resolved_at": known.at,
        }  # fmt: skip
        connection.execute(sa.insert(people_entities), [row])
    page = client.get(f"/labels/page?key={sheets.blind_key(entity)}")
    assert not page.headers.get("location", "").startswith("javascript:")
    main = shown(client).css_first("main")
    assert "<script>alert" not in main.html
    assert "javascript:" not in main.html
    assert "actress" not in main.html
    assert "[...]" in main.text()
    assert "<b>x</b>" in main.css_first("#person").text()
    assert "\u202e" not in main.html


def test_no_link_tells_how_a_person_was_found(archive, rater):
    client = rater("ada")
    page, forms, seen = shown(client, "/labels?ask=all"), set(), 0
    while (key := key_of(page)) and seen < 8:
        seen += 1
        for one in page.css("main a[target=_blank]"):
            forms.add(one.attributes["href"].replace(key, "KEY") + one.text())
        answer = client.get(f"/labels/page?key={key}")
        assert answer.status_code == (303 if page.css("main a[target=_blank]") else 404)
        page = say(client, key, "unknown", ask="all")
    assert seen > 3
    assert len(forms) == 1
    assert client.get("/labels/page?key=0").status_code == 404


def test_the_order_is_stable_and_another_for_each(three):
    first = [key_of(shown(client)) for client in three]
    assert first == [key_of(shown(client)) for client in three]
    assert len(set(first)) > 1


# --- what is kept ---------------------------------------------------------------------------------


@ON_BOTH
def test_what_is_said_is_kept_and_published(archive, rater, clock):
    client = rater("ada")
    page = shown(client)
    key, waiting = key_of(page), number(page, "wait for you")
    entity = entity_of(archive, key)
    page = say(client, key, "women", comment=" an  official page\r\nsays so ")
    assert key_of(page) != key
    assert number(page, "wait for you") == waiting - 1
    assert number(page, "of 50 today") == 1
    assert "woman" in page.css_first(".last").text()
    (kept,) = ratings(archive)[entity]
    assert (kept.by, kept.group, kept.at) == ("ada", "women", clock())
    assert kept.comment == "an  official page\nsays so"
    with archive.read() as connection:
        here = sa.select(labels).where(labels.c.entity == entity, labels.c.is_current)
        row = connection.execute(here).one()
    assert (row.state, row.grouping, row.source) == ("labelled", "women", "people")


def test_going_back_says_it_again_and_both_are_kept(archive, rater):
    client = rater("ada")
    first = key_of(shown(client))
    second = key_of(say(client, first, "women"))
    page = say(client, second, "men")
    back = page.css_first(".last a").attributes["href"]
    page = shown(client, back)
    assert key_of(page) == second
    assert "You said before: men" in page.text()
    earlier = page.css_first(".last a").attributes["href"]
    assert key_of(shown(client, earlier)) == first
    say(client, second, "unknown")
    (kept,) = ratings(archive)[entity_of(archive, second)]
    assert kept.group == "unknown"
    with archive.read() as connection:
        query = sa.select(sa.func.count()).select_from(people_ratings)
        assert connection.execute(query).scalar() == 3
    other = rater("bo")
    assert other.get(f"/labels?back={second}").status_code == 404


def test_whom_is_skipped_comes_after_all_others(archive, rater):
    client = rater("ada")
    page = shown(client)
    key, waiting = key_of(page), number(page, "wait for you")
    page = say(client, key, "skip")
    assert number(page, "wait for you") == waiting
    seen = []
    for _ in range(waiting - 1):
        seen.append(key_of(page))
        page = say(client, seen[-1], "unknown")
    assert key not in seen
    assert key_of(page) == key
    page = say(client, key, "unknown")
    assert "Nobody waits for you" in page.text()
    assert len(ratings(archive)) == waiting


def test_whom_one_other_rated_comes_first_and_whom_two_rated_no_more(three):
    ada, bo, cy = three
    done = []
    page = shown(ada)
    for _ in range(3):
        done.append(key_of(page))
        page = say(ada, done[-1], "women")
    page = shown(bo)
    offered = []
    for _ in range(3):
        offered.append(key_of(page))
        page = say(bo, offered[-1], "women")
    assert sorted(offered) == sorted(done)
    assert key_of(page) not in done
    assert key_of(shown(cy)) not in done


def test_raters_who_differ_may_each_say_it_again(archive, three):
    ada, bo, cy = three
    key = key_of(shown(ada))
    entity = entity_of(archive, key)
    say(ada, key, "women")
    say(bo, key, "men")
    assert key_of(shown(ada, "/labels?ask=conflict")) == key
    assert key_of(shown(bo, "/labels?ask=conflict")) != key
    assert "men" not in shown(ada, "/labels?ask=conflict").css_first("#labelling .pairs").text()
    say(ada, key, "men", ask="conflict")
    assert key_of(shown(cy, "/labels?ask=conflict")) != key
    with archive.read() as connection:
        assert people.settle_labels(connection, [entity])[entity].group == "men"


def test_whoever_was_erased_is_offered_and_rated_no_more(archive, rater):
    client = rater("ada")
    key = key_of(shown(client))
    entity = entity_of(archive, key)
    with archive.begin() as connection:
        for table in (people_entities, item_entities):
            connection.execute(sa.delete(table).where(table.c.entity == entity))
    assert key_of(shown(client)) not in ("", key)
    form = {"mark": client.mark, "key": key, "said": "women"}
    assert client.post("/labels", data=form).status_code == 404
    assert not ratings(archive)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"said": "nurse"}, 400), ({"said": ""}, 422), ({}, 422), ({"said": "x" * 99}, 422),
        ({"said": "men", "comment": "x" * 2_001}, 400), ({"said": "men", "key": "0" * 16}, 404),
        ({"said": "men", "comment": "\x00"}, 400), ({"said": "men", "ask": "x"}, 422),
    ],
)  # fmt: skip
def test_bad_forms_are_refused(archive, rater, form, status):
    client = rater("ada")
    data = {"mark": client.mark, "key": key_of(shown(client)), **form}
    assert client.post("/labels", data=data).status_code == status
    assert not ratings(archive)


def test_a_name_that_is_no_raters_is_refused(archive, make_client):
    client = make_client(archive, Role.LABELLER, name="ada@example.org")
    answer = client.get("/labels")
    assert answer.status_code == 403
    assert "initials or a code name" in answer.text


def test_an_archive_without_people_says_so(database, make_client):
    client = make_client(database, Role.LABELLER, name="ada")
    client.post("/labels/begin", data={"mark": client.mark})
    assert "Nobody waits for you" in shown(client).text()
    page = HTMLParser(make_client(database, Role.VIEWER).get("/labels/agreement").text)
    assert "so far 0 rated" in page.text()


# --- agreement ------------------------------------------------------------------------------------


@pytest.fixture
def rated(archive, three):
    """Four people by two raters, who differ on one."""
    ada, bo, _ = three
    page = shown(ada)
    for one, other in (("women",) * 2, ("men",) * 2, ("women", "unknown"), ("men",) * 2):
        key = key_of(page)
        page = say(ada, key, one)
        say(bo, key, other)


@ON_BOTH
def test_agreement_is_that_of_the_command(archive, rated, make_client):
    client = make_client(archive, Role.VIEWER)
    with archive.read() as connection:
        known = sheets.compare_raters(
            people.read_first_ratings(connection), people.read_ratings(connection)
        )
    found = client.get("/api/v1/labels/agreement").json()
    assert found["alpha"] == known["alpha"]
    assert found["pairs"] == json.loads(json.dumps(known["pairs"]))
    low, high = known["pairs"][0]["agreement_limits"]
    assert found["n_twice"] == 4
    assert (found["n_differing"], len(known["disagreements"])) == (1, 1)
    assert found["differing"][0]["said"] == {"ada": "women", "bo": "unknown"}
    assert found["differing"][0]["name"]
    page = HTMLParser(client.get("/labels/agreement").text)
    assert f"{known['alpha']:.3f}" in page.text()
    assert f"{known['pairs'][0]['kappa']:.3f}" in page.text()
    assert f"[{low:.3f}, {high:.3f}]" in page.text()
    rows = client.get("/labels/agreement.csv").text.splitlines()
    names = "agreement,agreement_low,agreement_high,kappa,kappa_low,kappa_high"
    assert rows[0] == f"first,second,n,{names}"
    assert rows[1] == f"ada,bo,4,0.75,{low},{high},0.6,,"  # four people are too few for kappa
    rows = client.get("/labels/disagreements.csv").text.splitlines()
    assert [row.split(",")[1:] for row in rows[1:]] == [["ada", "women"], ["bo", "unknown"]]


def test_what_is_said_again_makes_no_agreement(archive, rated, three, make_client):
    client = make_client(archive, Role.VIEWER)
    first = client.get("/api/v1/labels/agreement").json()
    bo, key = three[1], first["differing"][0]["key"]
    say(bo, key, "women", ask="conflict")
    found = client.get("/api/v1/labels/agreement").json()
    assert (found["alpha"], found["pairs"]) == (first["alpha"], first["pairs"])
    assert (found["n_differing"], found["n_changed"], found["alpha_newest"]) == (0, 1, 1.0)
    assert "1 rating is another" in client.get("/labels/agreement").text


def test_agreement_is_for_coordinators(archive, rated, three, make_client):
    both = make_client(archive, [Role.LABELLER, Role.VIEWER], name="both")
    public = make_client(archive, entry=EntryRule.PUBLIC)
    for path in ("agreement", "agreement.csv", "disagreements.csv"):
        assert both.get(f"/labels/{path}").status_code == 403
        assert three[0].get(f"/labels/{path}").status_code == 403
        assert public.get(f"/labels/{path}").status_code == 303
