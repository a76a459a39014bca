"""Which software of ours counts for an engine, and the cause of a change that came with it."""

import ast
import json
from datetime import timedelta

import pytest

from monitor import pipeline, registry
from monitor.change import Cause, Contrast
from monitor.jobs import load_audit
from monitor.model import KEPT_SURFACES, Answer, HttpRequest, Outcome, Pause, RunKind
from monitor.pipeline.changes.tested_series import Witnesses, declared_by
from monitor.pipeline.collect import provenance
from monitor.pipeline.collect.run_starts import pairs_of
from monitor.store.changes import comparisons
from monitor.store.collect import runs
from monitor.store.collect.runs import Provenance
from tests.cases import check_each
from tests.factories import DUE, governed, make_audit, make_job, make_list, mini_items, quiet
from tests.replay import ReplayFetcher
from tests.test_asked_otherwise_run import drawn

WEEK = timedelta(weeks=1)
OLD, NEW = "0.27.2", "0.28.1"
ITEMS = mini_items(10)
DEEPL, FIREFOX = registry.engine("deepl"), registry.engine("firefox_translations")
CODE = "code that asks deepl"


# --- what counts ----------------------------------------------------------------------------------


def made_by(code="1.0", **packages):
    return Provenance(code, {name.replace("_", " "): value for name, value in packages.items()})


@check_each(
    ("before", "after", "said"),
    [
        (made_by(httpx=OLD), made_by(httpx=NEW), [f"httpx {OLD} -> {NEW}"]),
        (made_by(python="3.11.9"), made_by(python="3.12.1"), ["python 3.11.9 -> 3.12.1"]),
        (made_by(matplotlib="1"), made_by(matplotlib="2"), []),
        (made_by(sqlalchemy="1", numpy="1"), made_by(sqlalchemy="2", numpy="2"), []),
        (made_by(botocore="1"), made_by(botocore="2"), []),  # signs requests of another service
        (made_by(), made_by(httpx=NEW), []),  # nobody knows which one it was
        (made_by("1.0"), made_by("1.1"), ["monitor 1.0 -> 1.1"]),
        (
            made_by(code_that_asks_deepl="aa"), made_by(code_that_asks_deepl="bb"),
            [f"{CODE} aa -> bb"],
        ),
        (
            made_by("1.0", code_that_asks_deepl="aa"), made_by("1.1", code_that_asks_deepl="bb"),
            [f"{CODE} aa -> bb (monitor 1.0 -> 1.1)"],
        ),
        # a new version in which nothing changed that asks this engine
        (made_by("1.0", code_that_asks_deepl="aa"), made_by("1.1", code_that_asks_deepl="aa"), []),
        (
            made_by(code_that_asks_chat="aa"), made_by(code_that_asks_chat="bb"), [],
        ),
        (made_by(), made_by(code_that_asks_deepl="aa"), [f"{CODE} not recorded -> aa"]),
        (made_by("1.0"), made_by("1.1", code_that_asks_deepl="aa"), ["monitor 1.0 -> 1.1"]),
        (made_by(httpx=OLD), made_by(httpx=f"{OLD}, {NEW}"), [f"httpx {OLD} -> {OLD}, {NEW}"]),
    ],
)  # fmt: skip
def test_what_counts_for_a_service(before, after, said):
    assert provenance.list_differences(DEEPL, before, after) == said


def test_what_counts_for_others():
    signed = made_by(botocore="1"), made_by(botocore="2")
    assert provenance.list_differences(registry.engine("amazon_translate"), *signed) == [
        "botocore 1 -> 2"
    ]
    local = made_by(httpx=OLD, numpy="1"), made_by(httpx=NEW, numpy="2")
    assert provenance.list_differences(FIREFOX, *local) == ["numpy 1 -> 2"]
    assert (
        provenance.list_differences(registry.engine("recorded"), made_by("1"), made_by("2")) == []
    )


def test_a_model_that_runs_here_and_a_browser_are_ours_and_what_a_service_says_is_not():
    assert provenance.is_ours(FIREFOX, "library_version")
    assert provenance.is_ours(registry.engine("google_web"), "browser")
    assert not provenance.is_ours(DEEPL, "model_reported")
    before = [{"library_version": "1", "model": "en-cs"}]
    after = [{"library_version": "2", "model": "en-cs"}]
    assert provenance.differences_of_identity(before, before) == []
    assert provenance.differences_of_identity(before, after) == ["library_version 1 -> 2"]
    assert provenance.differences_of_identity([], after) == []


def test_every_engine_that_asks_has_its_code(tmp_path):
    audit = make_audit(tmp_path)
    version, packages = provenance.read_provenance(audit)
    assert version
    names = {name for name in packages if name.startswith("code that asks ")}
    assert names == {f"code that asks {engine.name}" for _, engine in audit.engines}
    assert {"python", "httpx", "numpy", "sqlalchemy"} <= packages.keys()
    every = registry.discover("engines").values()
    asked = [one for one in every if one.surface not in KEPT_SURFACES]
    assert {one.surface for one in asked} == provenance._CARRIERS.keys()
    codes = {provenance._say_code(one.name, one.surface) for one in asked}
    assert len(codes) == len(asked)


def test_comments_and_docstrings_are_no_other_code(tmp_path):
    def content(text):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text)
        return provenance._content(path)

    code = 'def f(x):\n    """Double."""\n    return 2 * x\n'
    assert content(code) == content("# twice\ndef f(x):\n    return 2 * x\n")
    assert content(code) != content(code.replace("2", "3"))
    assert content('X = "a"\n') != content('X = "b"\n')
    ast.parse(code)


def test_a_package_that_is_not_installed_is_not_named(monkeypatch):
    monkeypatch.setattr(provenance, "_BESIDE", ("no-such-package",))
    found = provenance.list_packages.__wrapped__()
    assert "no-such-package" not in found
    assert "python" in found


# --- runs -----------------------------------------------------------------------------------------


class Systems:
    """A control that never changes, and a service that answers as it is told."""

    def __init__(self, at, share):
        self._at, self._share, self._n = at, share, 0
        self._control = ReplayFetcher(at, self._said("control", 0.3))

    @staticmethod
    def _said(system, share):
        return {
            one["text"]: "Jsem unavená." if drawn(one["key"], system) < share else "Jsem unavený."
            for one in ITEMS
        }

    def fetch(self, requests):
        waited = (request for request in requests if not isinstance(request, Pause))
        for index, request in enumerate(waited):
            if isinstance(request, HttpRequest):
                said = self._said("service", self._share)[json.loads(request.body)["q"]]
                body = json.dumps({"translatedText": said}).encode()
                self._n += 1
                at = self._at + timedelta(seconds=self._n)
                yield index, Answer(Outcome.OK, at, 0.1, status=200, url=request.url, body=body)
            else:
                [(_, answer)] = self._control.fetch([request])
                yield index, answer

    def close(self):
        """Nothing is held open."""


class Story:
    """Weekly ticks, each with the version of httpx that asks and the share of feminine answers."""

    def __init__(self, database, folder, monkeypatch):
        make_list(folder, items=ITEMS)
        service = {
            "name": "libretranslate", "targets": ["cs"], "pace": 100_000.0,
            "config": {"base_url": "http://service.test"},
        }  # fmt: skip
        control = {"name": "firefox_translations", "targets": ["cs"], "control": True}
        self.audit = load_audit(
            make_job(
                folder, engines=[control, service], noise={"share": 1.0}, confirm={},
                governance=governed("libretranslate"),
            )
        )  # fmt: skip
        self.database, self._patch = database, monkeypatch

    def asked(self, run, share):
        pipeline.run(self.database, self.audit, run, Systems(run.due_at, share), quiet)

    def use(self, httpx):
        known = provenance.list_packages() | {"httpx": httpx}
        self._patch.setattr(provenance, "list_packages", lambda: known)

    def tick(self, week, share, httpx):
        self.use(httpx)
        due_at = DUE + week * WEEK
        run = pipeline.start(self.database, self.audit, RunKind.SCHEDULED, due_at)
        self.asked(run, share)
        return run

    def again(self, week, share, httpx):
        self.use(httpx)
        run = pipeline.start_noise(self.database, self.audit, DUE + week * WEEK)
        self.asked(run, share)

    def confirm(self, week, share, httpx):
        self.use(httpx)
        at = DUE + week * WEEK
        begun = pipeline.start_confirm(self.database, self.audit, at, pairs_of(self.audit))
        self.asked(begun.run, share)

    def found(self):
        """(cause, why) of what f_m of the service did at the newest tick, decided or not."""
        with self.database.read() as connection:
            declared = declared_by(connection, self.audit)
            run = [
                one for one in runs.list_ended(connection, "mini") if one.kind is RunKind.SCHEDULED
            ][-1]
            tests = comparisons.find_run_comparisons(connection, run.id, Contrast.STEP)
            [test] = [
                one for one in tests
                if (one.quantity, one.scope) == ("f_m", "all") and "service" in one.engine
            ]  # fmt: skip
            assert abs(test.delta) > 0.4
            return Witnesses(connection, declared, run.id, tests).attribute(test)


@pytest.fixture
def story(database, tmp_path, monkeypatch):
    return Story(database, tmp_path, monkeypatch)


def test_a_change_with_the_same_software_is_attributed_to_the_engine(story):
    story.tick(0, 0.3, OLD)
    story.tick(1, 0.9, OLD)
    cause, why = story.found()
    assert cause == Cause.ENGINE
    assert "software" not in why


def test_a_change_that_came_with_another_package_has_no_cause(story):
    story.tick(0, 0.3, OLD)
    story.tick(1, 0.9, NEW)
    cause, why = story.found()
    assert cause == Cause.OPEN
    assert f"Our software changed too: httpx {OLD} -> {NEW}." in why
    assert "were not asked side by side" in why


@pytest.mark.both_databases
def test_it_is_the_engine_where_the_new_software_had_asked_the_tick_before_as_well(story):
    story.tick(0, 0.3, OLD)
    story.again(0, 0.3, NEW)
    story.tick(1, 0.9, NEW)
    cause, why = story.found()
    assert cause == Cause.ENGINE
    assert f"httpx {OLD} -> {NEW}" in why
    assert "Asked in the same week, the old and the new software differ by 0.000" in why


def test_it_is_not_where_the_change_was_there_with_the_new_software_alone(story):
    story.tick(0, 0.3, OLD)
    story.again(0, 0.9, NEW)
    story.tick(1, 0.9, NEW)
    cause, why = story.found()
    assert cause == Cause.OPEN
    assert "which does not tell what the change comes from" in why


def test_it_is_the_engine_where_the_old_software_shows_the_change_as_well(story):
    story.tick(0, 0.3, OLD)
    story.tick(1, 0.3, OLD)
    story.tick(2, 0.9, NEW)
    assert story.found()[0] == Cause.OPEN
    story.confirm(2, 0.9, OLD)
    cause, why = story.found()
    assert cause == Cause.ENGINE
    assert "there again between two runs of the same software" in why


def test_asked_again_with_the_new_software_nothing_is_known(story):
    story.tick(0, 0.3, OLD)
    story.tick(1, 0.3, OLD)
    story.tick(2, 0.9, NEW)
    story.confirm(2, 0.9, NEW)
    assert story.found()[0] == Cause.OPEN


@pytest.mark.both_databases
def test_a_run_that_two_versions_asked_names_both(story):
    story.tick(0, 0.3, OLD)
    story.use(OLD)
    run = pipeline.start(story.database, story.audit, RunKind.SCHEDULED, DUE + WEEK)
    story.use(NEW)
    story.asked(run, 0.9)
    with story.database.read() as connection:
        assert runs.read_provenance(connection, run.id).packages["httpx"] == f"{OLD}, {NEW}"
    cause, why = story.found()
    assert cause == Cause.OPEN
    assert f"httpx {OLD} -> {OLD}, {NEW}" in why


def test_controls_are_held_against_their_own_noise(story):
    story.tick(0, 0.3, OLD)
    story.again(0, 0.3, OLD)
    run = story.tick(1, 0.9, OLD)
    with story.database.read() as connection:
        steps = comparisons.find_run_comparisons(connection, run.id, Contrast.STEP)
    [control] = [
        one for one in steps
        if (one.engine, one.quantity, one.scope) == ("firefox_translations", "f_m", "all")
    ]  # fmt: skip
    said = f"0 of {control.n} answers of the control firefox_translations changed"
    assert f"{said}; between two askings of the same week none did" in story.found()[1]
