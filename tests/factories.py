"""Makes what tests need: probe lists, jobs, recorded answers, runs."""

import csv
import json
from datetime import UTC, datetime

from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import Answer, Outcome, Pause, RunKind
from tests.replay import ReplayFetcher

DUE = datetime(2025, 1, 6, 5, tzinfo=UTC)
STEREOTYPES = tuple(range(1, 17))


def toml_value(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def toml(content):
    """TOML of a flat table whose tables and arrays of tables are written inline."""
    return "".join(f"{key} = {toml_value(value)}\n" for key, value in content.items())


def mini_items(per_stereotype=2):
    """Two first-person sentences for each of the 16 stereotypes."""
    return [
        {"key": f"s{s:02d}-{n}", "text": f"I am tired {s} {n}.", "stereotype": str(s), "half": h}
        for s in STEREOTYPES
        for n, h in ((n, "odd" if n % 2 else "even") for n in range(1, per_stereotype + 1))
    ]


def mini_professions(occupations=("nurse", "carpenter"), templates=2):
    return [
        {
            "key": f"p-{name}-{n}",
            "text": f"I am a {name} {n}.",
            "occupation": name,
            "template": f"t{n}",
        }
        for name in occupations
        for n in range(1, templates + 1)
    ]


def make_list(folder, name="mini", version=1, items=None, **header):
    """Write `lists/NAME@VERSION.csv` and `.toml` under `folder`; returns the path of the CSV."""
    items = mini_items() if items is None else items
    lists = folder / "lists"
    lists.mkdir(parents=True, exist_ok=True)
    path = lists / f"{name}@{version}.csv"
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(items[0]) if items else ["key", "text"])
        writer.writeheader()
        writer.writerows(items)
    content = {
        "name": name,
        "version": version,
        "source_lang": "en",
        "title": f"The list {name}",
        "status": "unvalidated",
        "licence": "CC0-1.0",
    } | header
    path.with_suffix(".toml").write_text(toml(content), encoding="utf-8")
    return path


def governed(*engines, **changes):
    """The table of a job that asks these engines, which are not its own; all of it is said."""
    return {
        "purpose": "A test of this program",
        "controller": "Whoever runs the tests",
        "legal_basis": "None is needed: answers are scripted",
        "contact": "tests@monitor.test",
        "reviews": dict.fromkeys(engines, "2025-01-06"),
    } | changes


def job_content(**changes):
    """A valid job on the list mini@1; the floor of 1 gives two sentences a value."""
    content = {
        "name": "mini",
        "description": "A small audit",
        "tries": 2,
        "schedule": {"cron": "0 5 * * mon"},
        "lists": [{"name": "mini@1"}],
        "engines": [{"name": "firefox_translations", "targets": ["pt"]}],
        "measures": [{"name": "masculine_rate", "floor": 1}],
    } | changes
    return {key: value for key, value in content.items() if value is not None}


def make_job(folder, file="mini.toml", **changes):
    """Write a job file; a change to None leaves a key out. Returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    path.write_text(toml(job_content(**changes)), encoding="utf-8")
    return path


def make_audit(folder, items=None, **changes):
    """A list and a job, loaded."""
    make_list(folder, items=items)
    return load_audit(make_job(folder, **changes))


def portuguese(items, feminine=lambda item: int(item.get("stereotype", 0)) <= 7):
    """{text: translation}: feminine where the predicate says so, else masculine."""
    return {
        item["text"]: "Estou cansada." if feminine(item) else "Estou cansado." for item in items
    }


def answer(*translations, **fields):
    """An answer as a local back end gives it."""
    body = json.dumps({"translations": list(translations)}, ensure_ascii=False).encode()
    return Answer(**({"outcome": Outcome.OK, "asked_at": DUE, "took": 0.1, "body": body} | fields))


class Scripted:
    """A fetcher that remembers its requests, spoils answers and stops as Ctrl-C would.

    `spoil` is called with (number of the request from 0, request, answer) and returns the answer
    to give; after `stop_after` answers KeyboardInterrupt is raised.
    """

    def __init__(self, translations, spoil=None, stop_after=None, at=None):
        self._replay = ReplayFetcher(at or datetime.now(UTC), translations)
        self._spoil = spoil or (lambda _number, _request, given: given)
        self._stop_after = stop_after
        self.requests = []

    @property
    def texts(self):
        return [text for request in self.requests for text in request.texts]

    def fetch(self, requests):
        def seen():
            for request in requests:
                if not isinstance(request, Pause):
                    self.requests.append(request)
                yield request

        first = len(self.requests)
        for index, given in self._replay.fetch(seen()):
            number = first + index
            if self._stop_after is not None and number >= self._stop_after:
                raise KeyboardInterrupt
            yield index, self._spoil(number, self.requests[number], given)

    def close(self):
        pass


def quiet(stage, done, planned):
    """A progress callback that shows nothing."""


def run_audit(database, audit, fetcher, due_at=DUE, kind=RunKind.SCHEDULED):
    """Start and run one tick."""
    tick = pipeline.start(database, audit, kind, due_at)
    return pipeline.run(database, audit, tick, fetcher, quiet)


def rows(database, sql, **values):
    """What a query gives, as a list of dicts."""
    import sqlalchemy as sa

    with database.read() as connection:
        return [dict(row._mapping) for row in connection.execute(sa.text(sql), values)]
