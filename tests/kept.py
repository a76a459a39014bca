"""A run with evidence of every sort: pages with screenshots, HTTP answers, failures, look-ups."""

import random
import shutil
from datetime import UTC, datetime

import pytest

from monitor import parameters, pipeline
from monitor.fetch.http import HttpFetcher, Way
from monitor.jobs import load_audit
from monitor.labels.resolve import Resolution
from monitor.labels.shown_entities import shown_entity
from monitor.model import Answer, HttpRequest, LabelState, Outcome, Purpose, Reason, RunKind
from monitor.stages.collect.requests import describe_request
from monitor.stages.jobs.plan import shows_people
from monitor.store.collect import evidence, runs
from monitor.store.database import connect
from monitor.store.derive import people
from tests.conftest import copy_sqlite, made_once
from tests.factories import DUE, governed, make_job, make_list
from tests.saved import page
from tests.standins import serve
from tests.standins.wire import json_answer

QUESTIONS = ("list of chess players", "list of nurses", "list of judges")
PNG = b"\x89PNG\r\n\x1a\n" + random.Random(7).randbytes(9_000)  # noqa: S311 - does not compress
HEADERS = (
    ("Content-Type", "text/html; charset=UTF-8"),
    ("Content-Encoding", "gzip"),
    ("Content-Length", "77"),
)
OBSERVED = (("consent", "reject"), ("lang", "en"), ("viewport", "1366x900"))
URL = "https://www.google.com/search?q=list+of+chess+players&hl=en"
KEY = "s3cret-of-this-machine"
SECRET_OF_LOOKUP = "Q6581072-of-a-person"
LARGE = page() + b"<!--" + random.Random(3).randbytes(9_000).hex().encode() + b"-->"  # noqa: S311


def audit_of(folder):
    """Three questions to a browser engine and to an HTTP engine."""
    items = [
        {"key": text.replace(" ", "-"), "text": text, "occupation": f"o{n}"}
        for n, text in enumerate(QUESTIONS)
    ]
    make_list(folder, name="people", items=items, cue="people")
    engines = [
        {"name": "google_web", "regions": ["us-en"], "config": {"opt_in": True}},
        {"name": "brave", "regions": ["us-en"]},
    ]
    measures = [{"name": "c_ratio_bias", "references": ["parity"]}]
    job = make_job(
        folder,
        lists=[{"name": "people@1"}],
        engines=engines,
        measures=measures,
        governance=governed("google_web", "brave"),
    )
    return load_audit(job)


def google_answers():
    """A page, the same bytes once more, and a wall; each with a screenshot."""
    urls = [URL.replace("chess+players", one) for one in ("chess+players", "nurses", "judges")]
    more = {
        "status": 200, "headers": HEADERS, "observed": OBSERVED,
        "agent": (("browser", "chromium 156"),), "egress": "direct",
    }  # fmt: skip
    wall = {**more, "status": 429, "screenshot": b"no picture"}
    return [
        Answer(Outcome.OK, DUE, 1.5, body=LARGE, screenshot=PNG, url=urls[0], **more),
        Answer(
            Outcome.OK, DUE.replace(minute=1), 1.5, body=LARGE, screenshot=PNG, url=urls[1], **more
        ),
        Answer(
            Outcome.BLOCKED, DUE.replace(minute=2, microsecond=5), 1.5, reason=Reason.CAPTCHA,
            detail="HTTP 429: google_sorry", body=page(name="blocked"), url=urls[2], **wall,
        ),
    ]  # fmt: skip


def brave_answers(requests, monkeypatch):
    """Answers over HTTP of a service that repeats the key it was asked with; the last is none."""
    monkeypatch.setenv("BRAVE_API_KEY", KEY)

    def parrot(request, wire):
        wire.send(json_answer(200, {"asked": dict(request.headers), "at": request.target}))

    with serve(parrot) as running:
        moved = [
            HttpRequest(
                "GET",
                one.url.replace("https://api.search.brave.com", running.url),
                one.headers,
                query_secrets=(("token", "BRAVE_API_KEY"),),
            )
            for one in requests
        ]
        given = [answer for _, answer in HttpFetcher(Way(contact="a@lab.test")).fetch(moved[:2])]
    failed = Answer(Outcome.FAILED, DUE, 0.1, reason=Reason.UNREACHABLE, detail="no connection")
    return list(zip(moved, [*given, failed], strict=True))


def kept_run(database, folder, monkeypatch):
    """(audit, run) with six exchanges, one of them to be tried again, and one person looked up."""
    audit = audit_of(folder)
    run = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    recorder = evidence.Recorder(database, run.id, audit.job.tries)
    for use, engine in audit.engines:
        with database.begin() as connection:
            engine_id = runs.ensure_engine(connection, engine, use)
            asked = sorted(
                evidence.find_open_attempts(connection, run.id, engine_id),
                key=lambda one: QUESTIONS.index(one.probe.text),
            )
            config = parameters.fill_defaults(engine.parameters, use.config)
            requests = [engine.request([one.probe], config) for one in asked]
            pairs = list(zip(requests, google_answers(), strict=True))
            if engine.name == "brave":
                pairs = brave_answers(requests, monkeypatch)
            some = [
                evidence.SettledAnswer((attempt,), describe_request(request), answer)
                for attempt, (request, answer) in zip(asked, pairs, strict=True)
            ]
            recorder.record(connection, some)
    pipeline.read_answers(database, audit, run)
    _label(database, audit, run)
    return audit, run


def _label(database, audit, run):
    """One of two people has a recorded group."""
    now = datetime(2025, 1, 7, tzinfo=UTC)
    with database.begin() as connection:
        found = [
            (number, whom)
            for number, item, _ in people.read_items(connection, run.id, shows_people(audit))
            if (whom := shown_entity(item))
        ]
        people.store_entities(connection, [(number, whom.entity) for number, whom in found])
        whom = next(one for _, one in found if one.name == "Judit Example")
        resolution = Resolution(
            whom.entity, LabelState.LABELLED, "women", qid="Q4711", genders=("Q6581072",)
        )
        answer = Answer(Outcome.OK, DUE, 0.1, status=200, body=SECRET_OF_LOOKUP.encode())
        request = {"method": "GET", "url": f"https://wikidata.test/{SECRET_OF_LOOKUP}"}
        lookup = evidence.store_lookup(connection, database, run.id, Purpose.LABEL, request, answer)
        people.store_resolutions(connection, [(whom, resolution)], now, lookup)
        people.publish_labels(connection, [whom.entity], now)


@pytest.fixture(scope="session")
def kept_folder(sqlite_template, tmp_path_factory):
    """The folder of an archive with such a run on SQLite; nobody may write into it."""

    def make(folder):
        copy_sqlite(sqlite_template, folder / "monitor.db")
        _keep(f"sqlite:///{folder / 'monitor.db'}", folder)

    return made_once(tmp_path_factory, "kept", make)


@pytest.fixture(scope="session")
def kept_postgres(postgres_server, postgres_template, tmp_path_factory):
    """Name of a PostgreSQL database with such a run, which tests are given copies of."""
    name = postgres_server.create(postgres_template)
    _keep(postgres_server.url(name), tmp_path_factory.mktemp("kept"))
    return name


def _keep(url, folder):
    database = connect(url, folder / "bodies")
    try:
        with pytest.MonkeyPatch.context() as patch:
            kept_run(database, folder, patch)
    finally:
        database.close()


@pytest.fixture
def kept_database(request, dialect, tmp_path):
    """An open copy of the archive of this test's own."""
    if dialect == "sqlite":
        folder = request.getfixturevalue("kept_folder")
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
        database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
        yield database
        database.close()
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create(request.getfixturevalue("kept_postgres"))
    database = connect(server.url(name), tmp_path / "bodies")
    yield database
    database.close()
    server.drop(name)
