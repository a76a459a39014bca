"""What the public sees under an embargo is what it would see of an archive without the secret."""

from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser

from monitor.roles import PUBLIC, Role
from monitor.stages.changes.attribution import AUDIT_FELL
from monitor.stages.changes.claims import Declared, InstrumentAudit
from monitor.stages.reports.claim_content import NOT_AUDITED
from monitor.store.access import embargoes
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.schema import (
    attempts,
    engines,
    jobs,
    metadata,
    points,
    probes,
    runs,
    series_keys,
    signatures,
)
from monitor.web.site.site_state import Access, EntryRule, Site
from monitor.web.site.visitors import Redaction, Visitor
from tests.conftest import copy_sqlite
from tests.demo import WEEKS
from tests.web.site.conftest import HOSTS, Clock, _opened, client_of
from tests.web.site.crawl import Crawl

SECRET = "libretranslate(base_url=http://two.test)"
#: An engine that nothing fits: the pages of both archives say that something may not be public.
NOBODY = "nobody_at_all"
_OF_A_KIND = 4
#: Nothing of an archive stands in them.
SIGNS = {"/healthz"}
UTC = ZoneInfo("UTC")


@pytest.fixture(scope="module")
def make_public(archive_folder, tmp_path_factory):
    """Makes a public site of a copy of the archive, after something was done to it."""
    opened = []

    def make(*embargoed, change=None):
        home = tmp_path_factory.mktemp("embargo")
        copy_sqlite(archive_folder / "monitor.db", home / "monitor.db")
        database = _opened(f"sqlite:///{home / 'monitor.db'}", archive_folder)
        opened.append(database)
        archive = next(database)
        with archive.begin() as connection:
            if change:
                change(connection)
            for about in embargoed:
                embargoes.add_embargo(
                    connection, about, reason="r", by="b", until=None, now=WEEKS[0]
                )
        return client_of(Site(archive, UTC, Access(EntryRule.PUBLIC, HOSTS), Clock(), home))

    yield make
    for one in opened:
        next(one, None)


def crawled(client):
    """{address: (status, bytes)} of whatever the public finds by following links."""

    def visit(address):
        answer = client.get(address)
        links = []
        if answer.headers.get("content-type", "").startswith("text/html"):
            tree = LexborHTMLParser(answer.text)
            found = (node.attributes.get("href") or "" for node in tree.css("a[href]"))
            links = [one for one in found if one.startswith("/")]
            links += [f"/api/v1{one}" for one in links if "." not in one.partition("?")[0]]
        return answer, links

    crawl = Crawl(client.app, visit, _OF_A_KIND)
    return crawl, {
        address: (answer.status_code, answer.content)
        for address, answer in crawl.answers.items()
        if address not in SIGNS
    }


def without(connection, engine):
    """Take away every row of an engine, as if it had never been asked."""
    number = connection.execute(sa.select(engines.c.id).where(engines.c.name == engine)).scalar()
    asked, of_engine = sa.select(attempts.c.run_id), attempts.c.engine_id == number
    alone = asked.where(of_engine).except_(asked.where(~of_engine))
    gone = {engines: {number}, runs: set(connection.execute(alone).scalars())}
    for table in metadata.sorted_tables:
        keys = [
            (column, key.column.table)
            for column in table.c
            for key in column.foreign_keys
            if gone.get(key.column.table)
        ]
        doomed = [column.in_(sorted(gone[parent])) for column, parent in keys]
        if "id" in table.c and doomed:
            found = connection.execute(sa.select(table.c.id).where(sa.or_(*doomed))).scalars()
            gone.setdefault(table, set()).update(found)
    for table in reversed(metadata.sorted_tables):
        doomed = [
            column.in_(sorted(gone[key.column.table]))
            for column in table.c
            for key in column.foreign_keys
            if gone.get(key.column.table)
        ]
        if gone.get(table) and "id" in table.c:
            doomed.append(table.c.id.in_(sorted(gone[table])))
        if doomed:
            connection.execute(sa.delete(table).where(sa.or_(*doomed)))
    if "run_coverage" in metadata.tables:  # it names engines by their labels
        counted = metadata.tables["run_coverage"]
        connection.execute(sa.delete(counted).where(counted.c.engine == engine))
    made = sa.select(points.c.signature_id).union(
        sa.select(series_keys.c.signature_id).where(series_keys.c.signature_id.is_not(None))
    )
    connection.execute(sa.delete(signatures).where(signatures.c.id.not_in(made)))
    assert connection.execute(sa.select(sa.func.count()).select_from(engines)).scalar() > 0


def test_pages_are_those_of_an_archive_that_never_had_the_engine(make_public):
    crawl, seen = crawled(make_public({"engine": SECRET}))
    _, never = crawled(make_public({"engine": NOBODY}, change=lambda c: without(c, SECRET)))
    assert seen.keys() == never.keys()
    assert [address for address, found in seen.items() if found != never[address]] == []
    assert {"/series/{number}", "/changes", "/runs/{number}", "/compare", "/stereotypes"} <= (
        crawl.visited()
    )
    open_to_all = make_public({"engine": NOBODY})
    assert open_to_all.get("/").content != seen["/"][1]  # so there is something to hide


def test_neither_name_nor_number_is_anywhere(make_public):
    """Of a whole job, and of a measure of which one quantity was named."""
    words = ("wikipedia", "mini@1", "=people", ">people<", '"people"', "f_s<",
             "masculine_rate(")  # fmt: skip
    _, seen = crawled(make_public({"job": "people"}, {"quantity": "f_m"}))
    for address, (_, content) in seen.items():
        if "/methods" in address or "openapi" in address:
            continue  # what the program has, whatever was asked
        for word in words:
            assert word.encode() not in content, (word, address)


# --- before anything is measured ------------------------------------------------------------------


@pytest.fixture
def planned(sqlite_archive):
    """(run, attempt) of a run of another job that asks another engine, just begun."""
    with sqlite_archive.begin() as connection:
        [job] = connection.execute(sa.select(jobs).where(jobs.c.name == "mt-weekly")).mappings()
        [run] = connection.execute(sa.select(runs).where(runs.c.id == 1)).mappings()
        [engine] = connection.execute(sa.select(engines).where(engines.c.id == 1)).mappings()
        own = {name: value for name, value in job.items() if name != "id"}
        number = add(connection, jobs, own | {"name": "secret-job", "content_hash": "x"})
        asked = {name: value for name, value in run.items() if name != "id"}
        asked |= {"job": "secret-job", "job_id": number, "state": "running", "finished_at": None}
        other = {name: value for name, value in engine.items() if name != "id"}
        other = add(connection, engines, other | {"name": "secret_mt(model=x)"})
        number = add(connection, runs, asked)
        probe = connection.execute(
            sa.select(probes.c.id).where(probes.c.target_lang == "cs").limit(1)
        ).scalar_one()
        content = {"run_id": number, "engine_id": other, "probe_id": probe, "repeat": 1, "n": 1}
        return number, add(connection, attempts, content)


def add(connection, table, content):
    return connection.execute(sa.insert(table).values(content).returning(table.c.id)).scalar_one()


@pytest.mark.parametrize(
    "about",
    [{"engine": "secret_mt"}, {"job": "secret-job"}, {"quantity": "f_m", "engine": "secret_mt"},
     {"measure": "Masculine_Rate@10", "job": "secret-job"}],
    ids=str,
)  # fmt: skip
def test_it_is_hidden_before_any_series(sqlite_archive, make_client, planned, about):
    run, attempt = planned
    paths = (f"/runs/{run}", f"/runs/{run}/answers", f"/evidence/{attempt}", f"/compare?run={run}")
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    assert [public.get(path).status_code for path in paths] == [200] * 4
    with sqlite_archive.begin() as connection:
        embargoes.add_embargo(connection, about, reason="r", by="b", until=None, now=WEEKS[0])
    assert [public.get(path).status_code for path in paths] == [404] * 4
    assert "secret" not in public.get("/runs").text
    assert "secret" in make_client(sqlite_archive, Role.VIEWER).get("/runs").text
    assert public.get(f"/runs/{run}/report").text == public.get("/runs/99999/report").text.replace(
        "99999", str(run)
    )


def test_how_far_a_run_is_counts_what_is_shown(sqlite_archive, make_client, planned):
    run, _ = planned
    with sqlite_archive.begin() as connection:
        probe = sa.select(sa.func.max(probes.c.id)).scalar_subquery()
        content = {"run_id": run, "engine_id": 1, "probe_id": probe, "repeat": 1, "n": 1}
        add(connection, attempts, content)
        about = {"engine": "secret_mt"}
        embargoes.add_embargo(connection, about, reason="r", by="b", until=None, now=WEEKS[0])
    for role, n in ((None, 1), (Role.VIEWER, 2)):
        client = make_client(sqlite_archive, role, entry=EntryRule.PUBLIC)
        assert client.get(f"/api/v1/runs/{run}").json()["run"]["planned"] == n
    found = make_client(sqlite_archive, entry=EntryRule.PUBLIC).get(f"/api/v1/runs/{run}/answers")
    assert found.json()["engines"] == ["firefox_translations"]


# --- what is said beside numbers ------------------------------------------------------------------


@pytest.mark.parametrize(("evidence", "is_told"), [(frozenset(), True), ({(3, "")}, False)])
def test_audits_and_declarations_are_of_others_too(sqlite_archive, evidence, is_told):
    who = Visitor("", (), PUBLIC, EmbargoFilter(evidence=frozenset(evidence)))
    audited = InstrumentAudit(["9 of 9"], audit={"right": 9})
    declared = Declared(False, None, "s", "", [{"run": 1}], ["engine secret"])
    with sqlite_archive.read() as connection:
        unsaid = Redaction(connection, who)
    assert unsaid.audit(audited) == (audited if is_told else None)
    of_others = InstrumentAudit(["audit 2 is of engine secret"])
    assert unsaid.audit(of_others) == (of_others if is_told else None)
    assert unsaid.audit(InstrumentAudit([NOT_AUDITED])) is not None
    assert bool(unsaid.declared(declared).departures_said) is is_told
    assert bool(unsaid.because(f"{AUDIT_FELL}: x.")) is is_told
