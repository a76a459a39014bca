"""Data that are made up say so wherever one looks: in every page, answer, file and picture."""

import csv
import io

import pytest
import sqlalchemy as sa

from monitor.roles import Role
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import Invented
from monitor.store.schema import jobs
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import known

SAID = "made up. They say nothing about any real system."


def declare(database, *names):
    """Let these jobs, or all, declare that their answers are invented."""
    with database.begin() as connection:
        for number, name, content in connection.execute(
            sa.select(jobs.c.id, jobs.c.name, jobs.c.content)
        ).all():
            if not names or name in names:
                content = {**content, "invented": True}  # noqa: PLW2901 - of this row
                connection.execute(
                    sa.update(jobs).where(jobs.c.id == number).values(content=content)
                )


@pytest.fixture
def made_up(sqlite_archive):
    declare(sqlite_archive)
    return sqlite_archive


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
def test_what_jobs_declare_is_known(archive):
    with archive.read() as connection:
        assert declarations.read_invented(connection) == Invented((), is_all=False)
    declare(archive, "mt-weekly")
    with archive.read() as connection:
        found = declarations.read_invented(connection)
    assert (found.jobs, found.share) == (("mt-weekly",), "some")
    declare(archive)
    with archive.read() as connection:
        assert declarations.read_invented(connection).share == "all"


def routes_of(client):
    """The pages and files of a site with what they answer, by their paths."""
    for route in known(client.app):
        is_ours = route.path not in {"/static", "/site.css", "/healthz", "/readyz", "/metrics"}
        if route.method == "GET" and is_ours and "openapi" not in route.path:
            answer = client.get(route.sample)
            if answer.status_code < 300:
                yield route.path, answer


@pytest.mark.parametrize("role", [tuple(Role), (Role.LABELLER,), None])
def test_every_page_answer_and_file_says_that_data_are_invented(made_up, make_client, role):
    client = make_client(made_up, role, name="ada", entry=EntryRule.PUBLIC)
    seen = set()
    for path, answer in routes_of(client):
        kind = answer.headers["content-type"].partition(";")[0]
        seen.add(kind)
        if path.startswith("/api/v1/") and kind == "application/json":
            assert answer.json()["invented"] == "all", path
        elif kind == "text/html":
            assert SAID in answer.text, path
        elif kind == "text/csv":
            head, *rows = csv.reader(io.StringIO(answer.text.removeprefix("\ufeff")))
            assert head[-1] == "invented", path
            assert {row[-1] for row in rows} <= {"all"}, path
    assert "text/html" in seen
    if role == tuple(Role):
        assert {"application/json", "text/csv"} <= seen
    page = client.get("/no-such-page")
    assert (page.status_code, SAID in page.text) == (404, True)


def test_the_picture_of_a_series_says_it(made_up, make_client, monkeypatch):
    from monitor.web.site.pages import series as series_page

    painted = []
    monkeypatch.setattr(series_page, "_paint_picture", lambda svg: painted.append(svg) or b"png")
    assert make_client(made_up, Role.VIEWER).get("/series/1.png").status_code == 200
    assert "INVENTED DATA" in painted[0]


def test_a_claim_card_says_it_in_each_form(made_up, make_client):
    client = make_client(made_up, Role.VIEWER)
    for form in ("html", "txt", "json"):
        card = client.get(f"/points/1/card/{form}")
        assert (card.status_code, SAID in card.text) == (200, True), form


def test_real_data_are_not_called_invented(sqlite_archive, make_client):
    client = make_client(sqlite_archive, tuple(Role), name="all")
    for path, answer in routes_of(client):
        if answer.headers["content-type"].startswith("text/"):
            assert SAID not in answer.text, path
            assert "invented" not in answer.text.partition("\n")[0], path
    assert client.get("/api/v1/overview").json()["invented"] == ""


def test_jobs_are_named_where_some_are_invented_and_one_may_know_of_them(
    sqlite_archive, make_client
):
    declare(sqlite_archive, "mt-weekly")
    assert "(jobs: mt-weekly)" in make_client(sqlite_archive, Role.VIEWER).get("/").text
    for client in (
        make_client(sqlite_archive, Role.LABELLER),
        make_client(sqlite_archive, entry=EntryRule.PUBLIC),
    ):
        page = client.get("/", follow_redirects=True).text
        assert "Some answers here are made up" in page
        assert "jobs: mt-weekly" not in page
