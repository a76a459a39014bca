"""A run that asked nothing as pages: its texts, and from each the way to the answer."""

from zoneinfo import ZoneInfo

from monitor.roles import Role
from monitor.stages.reports.run_report import make_report
from monitor.store.schema import point_facts
from monitor.web.site.site_state import EntryRule
from tests.test_corpus_run import FEBRUARY, HIS, jobs, three_weeks, tick

__all__ = ["jobs"]


def test_every_text_leads_to_the_answer_that_it_stood_in(sqlite_database, jobs, make_client):
    three_weeks(sqlite_database, jobs)
    number = tick(sqlite_database, jobs, jobs.monthly, FEBRUARY).run.id
    client = make_client(sqlite_database, Role.ANALYST)
    run = client.get(f"/api/v1/runs/{number}").json()
    [read] = run["texts"]
    assert (read["documents"], read["repeats"], read["runs"]) == (5, 4, [1, 2, 3])
    page = client.get(f"/runs/{number}").text
    assert "Every answer" not in page
    assert f"/runs/{number}/texts/{read['corpus']}" in page
    found = client.get(f"/api/v1/runs/{number}/texts/{read['corpus']}").json()
    assert len(found["texts"]) == 5
    for one in found["texts"]:
        evidence = client.get(f"/evidence/{one['attempt']}")
        assert one["text"].partition("\n")[2] in evidence.text
    assert "engineer people" in client.get(f"/runs/{number}/texts/{read['corpus']}").text
    assert client.get(f"/runs/{number}/texts/99").status_code == 404
    series = run["values"][0]["series"]
    assert f"/runs/{number}#texts" in client.get(f"/series/{series}/ticks/{number}").text
    card = client.get(f"/api/v1/points/{run['values'][0]['point']}").text
    assert "6 raw answers" in card or '"n_answers":6' in card.replace(" ", "")


def test_words_have_a_bias_and_no_share(sqlite_database, jobs, make_client):
    three_weeks(sqlite_database, jobs)
    number = tick(sqlite_database, jobs, jobs.monthly, FEBRUARY).run.id
    client = make_client(sqlite_database, Role.VIEWER)
    found = client.get("/api/v1/professions").json()
    assert (found["of_corpus"], found["read"]["documents"]) == (True, 5)
    rows = {one["topic"]: one for one in found["rows"]}
    assert rows["engineer"]["bias"] < 0 < rows["teacher"]["bias"]
    assert {one["model"] for one in found["rows"]} == {None}
    assert rows["nurse"]["women"] > 0 < rows["nurse"]["men"]
    assert [one["quantity"] for one in found["totals"]] == [
        "first_order_mean", "first_order_pearson", "first_order_spearman",
    ]  # fmt: skip
    page = client.get("/professions").text
    assert "pairs with women" in page
    assert "share in the answers" not in page
    assert "/methods/first_order" in page
    for by in ("women", "men", "bias"):
        told = client.get("/api/v1/professions", params={"sort": by}).json()["rows"]
        known = [one[by] for one in told if one[by] is not None]
        assert known == sorted(known, reverse=True)
    report = client.get(f"/runs/{number}/report").text
    assert "Occupations: " in report
    assert "Bias of words for occupations against the share of women" in report


def test_a_word_leads_to_the_texts_that_hold_it(sqlite_database, jobs, make_client):
    three_weeks(sqlite_database, jobs)
    number = tick(sqlite_database, jobs, jobs.monthly, FEBRUARY).run.id
    client = make_client(sqlite_database, Role.VIEWER)
    corpus = client.get("/api/v1/professions").json()["read"]["corpus"]
    here = f"/runs/{number}/texts/{corpus}"
    assert f'href="{here}?word=carpenter"' in client.get("/professions").text
    found = client.get(f"/api/v1{here}", params={"word": "carpenter"}).json()
    assert [one["text"] for one in found["texts"]] == [f"Page\n{HIS}"]
    assert (found["n"], found["corpus"]["documents"], found["has_more"]) == (1, 5, False)
    shown = client.get(here, params={"word": "carpenter"}).text
    for marked in (
        '<mark class="word">carpenter</mark>', '<mark class="masculine">brother</mark>',
        f'href="/evidence/{found["texts"][0]["attempt"]}"', "1 of 5 texts hold the word",
    ):  # fmt: skip
        assert marked in shown
    counted = client.get(f"/api/v1{here}", params={"word": "nurse"}).json()
    assert counted["n"] == 5  # in lower case or not, as a whole word
    assert client.get(f"/api/v1{here}", params={"word": " Nurse"}).json()["n"] == 5
    for word in ("nurs", "a b", "%", "<b>"):
        assert client.get(f"/api/v1{here}", params={"word": word}).json()["texts"] == []


def test_which_texts_hold_a_word_is_for_users(sqlite_database, jobs, make_client):
    """Somebody could ask for names."""
    three_weeks(sqlite_database, jobs)
    number = tick(sqlite_database, jobs, jobs.monthly, FEBRUARY).run.id
    client = make_client(sqlite_database, entry=EntryRule.PUBLIC)
    corpus = client.get("/api/v1/professions").json()["read"]["corpus"]
    assert client.get(f"/runs/{number}/texts/{corpus}").status_code == 200
    refused = client.get(f"/runs/{number}/texts/{corpus}", params={"word": "nurse"})
    assert refused.status_code == 403
    assert "?word=" not in client.get("/professions").text


def test_both_sides_of_words_are_drawn_with_the_unbiased_area(sqlite_database, jobs, make_client):
    three_weeks(sqlite_database, jobs)
    number = tick(sqlite_database, jobs, jobs.monthly, FEBRUARY).run.id
    client = make_client(sqlite_database, Role.VIEWER)
    for path in ("/professions", f"/runs/{number}/report"):
        page = client.get(path).text
        assert "Association of words for occupations with words for women and for men" in page
        assert "The shaded band is the unbiased area: differences below 0." in page
    with sqlite_database.begin() as connection:
        connection.execute(point_facts.delete().where(point_facts.c.key.like("unbiased%")))
    with sqlite_database.read() as connection:
        told = make_report(connection, number, ZoneInfo("UTC")).html
    assert "Both sides of the words are not drawn" in told
