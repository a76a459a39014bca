"""An archive with something of everything, made by runs of the pipeline, on both databases.

Four Mondays of a translation audit into Czech (one more was missed): two services and a control;
in the end one service has other habits and one blocks. Ticks are asked again, so often that the
change of habits is a signal. Beside it pronouns, search engines that show people, the toy rankings,
and language models. It is made once on SQLite; PostgreSQL gets the same rows.
"""

import json
from datetime import timedelta
from functools import cache

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import Answer, HttpRequest, Outcome, Pause, RunKind
from monitor.pipeline.collect.run_starts import pairs_of
from monitor.store.database import connect
from monitor.store.reports import run_list as reports
from monitor.store.schema import PEOPLE, metadata, ticks
from tests import conftest
from tests.conftest import copy_sqlite
from tests.example.invented import is_feminine
from tests.factories import DUE, governed, make_job, make_list, mini_professions, quiet
from tests.replay import ReplayFetcher
from tests.report import people
from tests.report.services import run_models
from tests.test_toy_run import JOB as TOY

WEEK = timedelta(weeks=1)
WEEKS = tuple(DUE + n * WEEK for n in range(5))
MISSED = WEEKS[1]
TURNED = WEEKS[3]
PROFESSIONS = ("nurse", "carpenter", "lawyer", "teacher", "driver", "librarian")
PER_STEREOTYPE = 8
PRONOUNS = {"nurse": "She", "carpenter": "He", "lawyer": "He", "teacher": "They"}
#: What a person at the other end could have written into an answer.
HOSTILE = '=HYPERLINK("http://x.test";"y")\r\n<b>"quoted", \u202eback</b>'


def stereotypes():
    return [
        {"key": f"s{s:02d}-{n}", "text": f"I am tired {s} {n}.", "stereotype": str(s),
         "half": "odd" if n % 2 else "even"}
        for s in range(1, 17)
        for n in range(PER_STEREOTYPE)
    ]  # fmt: skip


STEREOTYPES = stereotypes()
JOBS = mini_professions(PROFESSIONS, templates=4)
SPOKEN = [
    {"key": f"{name}-{n}", "text": f"O bir {name} {n}.", "source_lang": "tr", "occupation": name}
    for name in PRONOUNS
    for n in range(3)
]


def czech(item, system, due_at):
    """A translation: feminine for some; service `two` relaxes its masculine default at a date."""
    women = int(item.get("stereotype", 0)) in range(1, 8) or item.get("occupation") == "nurse"
    share = 0.35 if women else 0.06
    turned = 0.45 if system == "two" and due_at >= TURNED and women else 0.0
    return "Jsem unavená." if is_feminine(item, system, share, turned) else "Jsem unavený."


class Services:
    """A fetcher: the control by replay, two translation services by what their host is."""

    def __init__(self, due_at):
        self._due_at = due_at
        self._control = ReplayFetcher(due_at, self._said("control"))
        self._of_host = {host: self._said(host) for host in ("one", "two")}
        self._asked = dict.fromkeys(self._of_host, 0)

    def _said(self, system):
        said = {i["text"]: czech(i, system, self._due_at) for i in (*STEREOTYPES, *JOBS)}
        pronoun = {i["text"]: f"{PRONOUNS[i['occupation']]} is one." for i in SPOKEN}
        return said | pronoun | {"I am tired 16 7.": HOSTILE}

    def fetch(self, requests):
        waited = (request for request in requests if not isinstance(request, Pause))
        for index, request in enumerate(waited):
            if isinstance(request, HttpRequest):
                yield index, self._service(request)
            else:
                [(_, answer)] = self._control.fetch([request])
                yield index, answer

    def _service(self, request):
        host = "one" if "one.test" in request.url else "two"
        self._asked[host] += 1
        answer = Answer(
            Outcome.OK, self._due_at + timedelta(seconds=self._asked[host]), 0.25, status=200,
            url=request.url, egress="direct",
        )  # fmt: skip
        if host == "one" and self._due_at == WEEKS[-1] and self._asked[host] > 30:
            return Answer(Outcome.BLOCKED, answer.asked_at, 0.1, status=403, url=request.url)
        text = json.loads(request.body)["q"]
        body = json.dumps({"translatedText": self._of_host[host][text]}).encode()
        return Answer(
            Outcome.OK, answer.asked_at, 0.25, status=200, url=request.url, egress="direct",
            body=body,
        )  # fmt: skip

    def close(self):
        """Nothing is held open."""


def _libre(host, sources, targets):
    return {
        "name": "libretranslate", "sources": sources, "targets": targets, "pace": 100_000.0,
        "config": {"base_url": f"http://{host}.test"},
    }  # fmt: skip


def _audit(folder):
    make_list(folder, "feelings", items=STEREOTYPES, licence="CC-BY-4.0")
    make_list(folder, "jobs", items=JOBS)
    make_list(folder, "spoken", items=SPOKEN, cue="pronoun")
    ratio = {"references": ["us_labour", "parity"], "min_templates": 2, "floor": 2}
    return load_audit(
        make_job(
            folder,
            name="mt-weekly",
            tries=1,
            lists=[{"name": f"{name}@1"} for name in ("feelings", "jobs", "spoken")],
            engines=[
                {
                    "name": "firefox_translations", "sources": ["en"], "targets": ["cs"],
                    "control": True,
                },
                _libre("one", ["en"], ["cs"]),
                _libre("two", ["en"], ["cs"]),
                _libre("two", ["tr"], ["en"]),
            ],
            measures=[{"name": "masculine_rate", "floor": 4}, {"name": "c_ratio_bias", **ratio,
                                                   "topics_floor": 3}],
            noise={"share": 1},
            governance=governed("libretranslate"),
        )
    )  # fmt: skip


def _run(database, audit, run):
    pipeline.run(database, audit, run, Services(run.due_at), quiet)


def _ask_again(database, audit, due_at):
    """The noise run of a tick, and a confirming run of service `two`: enough runs for a signal."""
    turned = {pair for pair in pairs_of(audit) if "two" in pair[0] and pair[1] == "cs"}
    asked = None if due_at == WEEKS[2] else turned
    _run(database, audit, pipeline.start_noise(database, audit, due_at, asked))
    _run(database, audit, pipeline.start_confirm(database, audit, due_at, turned).run)


def _translations(database, folder):
    audit = _audit(folder)
    for due_at in WEEKS:
        if due_at == MISSED:
            continue
        _run(database, audit, pipeline.start(database, audit, RunKind.SCHEDULED, due_at))
        if due_at != WEEKS[-1]:
            _ask_again(database, audit, due_at)
    with database.begin() as connection:
        reports.note_due_reports(connection, "mt-weekly", [WEEKS[-1]], "out")
        connection.execute(
            sa.insert(ticks).values(
                job="mt-weekly", due_at=MISSED, start_at=MISSED, state="missed",
                reason="not begun within 5 minutes of its time", noted_at=MISSED, ended_at=MISSED,
            )
        )  # fmt: skip


def _rankings(database, folder):
    audit = load_audit(TOY)
    outside = Outside(folder / "models", 1, Way(contact=""))
    try:
        run = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
        pipeline.run(database, audit, run, outside, quiet)
    finally:
        outside.close()


def build(template, folder):
    """Make the archive in `folder`; returns the URL of its SQLite file."""
    copy_sqlite(template, folder / "monitor.db")
    url = f"sqlite:///{folder / 'monitor.db'}"
    database = connect(url, folder / "bodies")
    try:
        _translations(database, folder / "mt")
        with people.search(folder / "people", name="people") as tick:
            tick(database)
        _rankings(database, folder)
        run_models(database, folder / "lm")
    finally:
        database.close()
    return url


def made_once(template, factory):
    """The folder of the archive of this session of tests; nobody may write into it."""

    def make(folder):
        for name in ("mt", "people", "lm"):
            (folder / name).mkdir()
        build(template, folder)

    return conftest.made_once(factory, "demo", make)


@cache
def on_postgres(folder, server, template):
    """Name of a database with the same rows but those about people: made once, to be copied."""
    name = server.create(template)
    source = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    target = connect(server.url(name), folder / "bodies")
    try:
        copied(source, target)
    finally:
        source.close()
        target.close()
    return name


def copied(source, target):
    """Copy every row of a database into another that has none."""
    for table in metadata.sorted_tables:
        with source.read() as reading:
            found = [dict(row) for row in reading.execute(sa.select(table)).mappings()]
        if found and table.schema != PEOPLE:
            with target.begin() as writing:
                writing.execute(sa.insert(table), found)
    with target.begin() as writing:
        numbered(writing)
        writing.exec_driver_sql("ANALYZE")  # as autovacuum would have done meanwhile


def numbered(writing):
    """New rows get numbers after those of rows that came with theirs."""
    for table in metadata.sorted_tables:
        if "id" in table.c:
            writing.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table.fullname}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.fullname}), false)"
            )


@pytest.fixture(scope="session")
def demo_folder(sqlite_template, tmp_path_factory):
    """The folder of the archive; nobody may write into it."""
    return made_once(sqlite_template, tmp_path_factory)


@pytest.fixture(scope="session")
def demo_postgres(demo_folder, postgres_server, postgres_template):
    """URL of a PostgreSQL database with the same rows; nobody may write into it."""
    name = on_postgres(demo_folder, postgres_server, postgres_template)
    return postgres_server.url(postgres_server.create(name))


@pytest.fixture
def demo(request, dialect, demo_folder, tmp_path):
    """An open copy of the archive on SQLite, the archive itself on PostgreSQL."""
    if dialect == "sqlite":
        copy_sqlite(demo_folder / "monitor.db", tmp_path / "monitor.db")
        url = f"sqlite:///{tmp_path / 'monitor.db'}"
    else:
        url = request.getfixturevalue("demo_postgres")
    database = connect(url, demo_folder / "bodies")
    yield database
    database.close()
