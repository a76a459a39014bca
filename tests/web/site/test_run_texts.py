"""A run that asked nothing as pages: its texts, and from each the way to the answer."""

from monitor.roles import Role
from tests.test_corpus_run import FEBRUARY, jobs, three_weeks, tick

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
