"""Runs and their answers as pages and for programs: the same numbers as the archive's views."""

from urllib.parse import parse_qsl, urlsplit

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.store.access import embargoes
from monitor.store.reports import run_report
from monitor.store.reports.run_answers import OUTCOMES
from monitor.store.schema import agreements, attempts, readings, run_coverage, versions
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.ANALYST)


def api(client, path, **parameters):
    answer = client.get(f"/api/v1{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def first_run(client, job="mt-weekly"):
    return api(client, "/runs", job=job)["runs"][-1]["number"]


@ON_BOTH
def test_the_list_has_every_run_once(client, archive):
    found = api(client, "/runs")["runs"]
    with archive.read() as connection:
        known = run_report.read_rows(
            connection, "SELECT id, state FROM runs ORDER BY due_at DESC, id DESC"
        )
    assert [(one["number"], one["state"]) for one in found] == [
        (row["id"], row["state"]) for row in known
    ]


@ON_BOTH
def test_a_run_has_the_coverage_and_values_of_the_views(client, archive):
    number = first_run(client)
    found = api(client, f"/runs/{number}")
    with archive.read() as connection:
        covered = run_report.read_coverage(connection, number)
        values = {row["point_id"]: row for row in run_report.read_values(connection, number)}
    assert [(one["engine"], one["planned"], one["used"]) for one in found["coverage"]] == [
        (row["engine"], row["planned"], row["used"]) for row in covered
    ]
    assert {one["point"] for one in found["values"]} == set(values)
    for one in found["values"]:
        row = values[one["point"]]
        assert (one["value"], one["low"], one["high"]) == (row["value"], row["low"], row["high"])
        assert (one["value"] is None) == (one["state"] != "measured")


@ON_BOTH
def test_answers_are_paged_without_loss(client, archive):
    number = first_run(client)
    seen = [one["attempt"] for one in paged(client, number)]
    with archive.read() as connection:
        sql = "SELECT id FROM attempts WHERE run_id = :run ORDER BY id"
        known = [row["id"] for row in run_report.read_rows(connection, sql, run=number)]
    assert seen == known
    assert len(known) > 50


@ON_BOTH
def test_answers_are_those_of_the_view(client, archive):
    number = first_run(client)
    found = api(client, f"/runs/{number}/answers", key="s09", outcome="ok")["answers"]
    with archive.read() as connection:
        sql = "SELECT attempt_id, text, class, item_key FROM answers WHERE run_id = :run"
        known = {
            row["attempt_id"]: row for row in run_report.read_rows(connection, sql, run=number)
        }
    assert found
    for one in found:
        row = known[one["attempt"]]
        assert (one["text"], one["gender"], one["key"]) == (
            row["text"], row["class"], row["item_key"],
        )  # fmt: skip
        assert one["key"].startswith("s09")
        assert one["outcome"] == "ok"


@ON_BOTH
def test_filters_find_all_that_fits_and_nothing_else(client, archive):
    """Also what a newer parser has read otherwise, what nothing has read, and what is not asked."""
    number = first_run(client)
    with archive.begin() as connection:
        some = connection.execute(
            sa.select(attempts.c.id).where(attempts.c.run_id == number).order_by(attempts.c.id)
        ).scalars().all()  # fmt: skip
        newer = {"kind": "engines", "name": "x", "version": 1, "fingerprint": "x"}
        made = connection.execute(sa.insert(versions).values(newer).returning(versions.c.id))
        new = made.scalar_one()
        told = {"parser_id": new, "reason": "", "detail": ""}
        connection.execute(sa.insert(readings), [
            told | {"attempt_id": some[0], "outcome": "blocked"},
            told | {"attempt_id": some[-1], "outcome": "unreadable"},
        ])  # fmt: skip
        last = connection.execute(sa.select(attempts).where(attempts.c.id == some[-2]))
        own = dict(last.mappings().one()) | {"id": some[-1] + 100_000, "n": 7}
        waits = own | {"exchange_id": None, "position": None, "final": False}
        unread = own | {"id": own["id"] + 1, "n": 8}
        connection.execute(sa.insert(attempts), [waits, unread])
    every = list(paged(client, number))
    assert {"ok", "blocked", "unreadable", "not asked"} <= {one["outcome"] for one in every}
    for about in (
        *({"outcome": outcome} for outcome in OUTCOMES), {"key": "s1"}, {"key": "none"},
        {"target": "none"}, {"engine": every[0]["engine"]}, {"engine": "none"},
        {"outcome": "ok", "key": "s09", "engine": every[0]["engine"], "target": every[0]["target"]},
        {"outcome": "blocked", "target": every[0]["target"]},
    ):  # fmt: skip
        fitting = [one for one in every if fits(one, about)]
        assert list(paged(client, number, **about)) == fitting, about


@ON_BOTH
@pytest.mark.parametrize("job", ["mt-weekly", "people"])
def test_every_count_leads_to_exactly_its_answers(client, archive, job):
    with archive.begin() as connection:
        every = sa.select(agreements.c.id).order_by(agreements.c.id.desc()).limit(3)
        connection.execute(
            sa.update(agreements)
            .where(agreements.c.id.in_(connection.execute(every).scalars().all()))
            .values({"class": "unidentified"})
        )
        connection.execute(sa.delete(run_coverage))
    number = api(client, "/runs", job=job, kind="scheduled")["runs"][0]["number"]
    page = HTMLParser(client.get(f"/runs/{number}").text)
    counts = {
        link.attributes["href"]: int(link.text(deep=False).replace(",", ""))
        for link in page.css(f'td.n a[href^="/runs/{number}/answers?"]')
    }
    with archive.read() as connection:
        known = run_report.read_coverage(connection, number)
        ended = run_report.read_endings(connection, number)
    assert sum(counts.values()) >= sum(row["planned"] + row["answered"] for row in known)
    assert len([one for one in counts if "reason=" in one]) == len(
        [row for row in ended if row["questions"] and row["outcome"] not in ("ok", "empty")]
    )
    for address, n in counts.items():
        found = list(paged(client, number, **dict(parse_qsl(urlsplit(address).query))))
        assert len(found) == n, address
    if job == "mt-weekly":
        assert {"used", "unidentified", "blocked"} <= {
            dict(parse_qsl(urlsplit(one).query))["counted"] for one in counts
        }


def paged(client, number, **about):
    after = 0
    while after is not None:
        found = api(client, f"/runs/{number}/answers", after=after, **about)
        yield from found["answers"]
        after = found["next"]


def fits(one, about):
    rest = {name: value for name, value in about.items() if name != "key"}
    same = all(one[name] == value for name, value in rest.items())
    return same and one["key"].startswith(about.get("key", ""))


def test_pages_lead_from_a_run_to_an_answer(client):
    number = first_run(client)
    listed = HTMLParser(client.get("/runs?job=mt-weekly").text)
    assert listed.css_first(f'a[href="/runs/{number}"]')
    run = HTMLParser(client.get(f"/runs/{number}").text)
    assert run.css_first(f'a[href="/runs/{number}/answers"]')
    answers = HTMLParser(client.get(f"/runs/{number}/answers").text)
    proof = answers.css_first('a[href^="/evidence/"]').attributes["href"]
    assert client.get(proof).status_code == 200


@ON_BOTH
def test_an_embargo_hides_answers_and_numbers_from_the_public(archive, make_client, clock):
    known = make_client(archive, Role.VIEWER)
    number = first_run(known)
    engine = "libretranslate(base_url=http://two.test)"
    before = api(known, f"/runs/{number}")
    assert engine in {one["engine"] for one in before["values"]}
    with archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": engine}, reason="r", by="b", until=None, now=clock()
        )
    public = make_client(archive, entry=EntryRule.PUBLIC)
    found = api(public, f"/runs/{number}")
    assert engine not in {one["engine"] for one in (*found["values"], *found["coverage"])}
    assert found["values"]
    assert found["job_content"] is None
    answers = api(public, f"/runs/{number}/answers", engine=engine)["answers"]
    assert answers == []
    still = api(known, f"/runs/{number}")
    assert len(still["values"]) == len(before["values"])


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/runs/999999", 404), ("/runs/0", 422), ("/runs/x", 422),
        ("/runs/9999999999999999999999", 422), ("/runs?state=gone", 422), ("/runs?page=0", 422),
        ("/runs?job=%00", 400), ("/runs/1/answers?after=-1", 422), ("/runs/1/answers?key=%00", 400),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(client, path, status):
    assert client.get(path).status_code == status
    assert client.get(f"/api/v1{path}").status_code == status
