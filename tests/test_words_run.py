"""A job that measures the words of results, from questions to points, over loopback services."""

from contextlib import ExitStack, contextmanager
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Cause
from monitor.fetch import Outside, lanes
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.lexicons import installed
from monitor.lexicons.lexicon import Lexicon
from monitor.measures import parse
from monitor.model import InvalidInput, RunState
from monitor.stages.changes.attribution import list_differences
from monitor.store.collect import runs
from monitor.store.derive import texts
from monitor.store.schema import signatures
from tests.command import program
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.standins import faults, serve
from tests.standins.marginalia import Marginalia
from tests.standins.results import Hit
from tests.standins.searxng import SearXNG

WEEK = timedelta(days=7)
#: trait: (pattern, whether it names no gender itself)
TRAITS = {
    "nurse": ("{trait} people", "yes"),
    "engineer": ("list of {trait} s", "yes"),
    "gentle": ("{trait} people", "yes"),
    "aggressive": ("how to be {trait}", "yes"),
    "lovely": ("{trait} people", "yes"),
    "mother": ("{trait} people", "no"),
}
FAIR = [trait for trait, (_, neutral) in TRAITS.items() if neutral == "yes"]
HER = "She said that her mother and sister danced."
HIS = "He said that his brother is a king."
PLAIN = "The river runs through the town in spring."
LISTS = {
    "nurse": [HER, PLAIN, HER, HIS],
    "engineer": [HIS, HIS, PLAIN, HER],
    "gentle": [HER, HER, PLAIN, PLAIN],
    "aggressive": [HIS, PLAIN, HIS, PLAIN],
    "lovely": [PLAIN, HER, HIS, HER],
    "mother": [HER, HER, HER, HIS],
}
CUTS = [1, 2, 4]
MEASURES = [
    {"name": "GSR", "floor": 3},
    {"name": "NFaiRR", "cutoff": CUTS},
    {"name": "TExFAIR", "cutoff": CUTS},
    {"name": "ARB", "cutoff": 4},
    {"name": "direct_gap", "floor": 3, "baseline": "none"},
]
GSR = "GSR-snippet(floor=3,lexicon=glove-6b-50d)"


def asked(trait):
    return TRAITS[trait][0].replace("{trait}", trait)


def items():
    return [
        {"key": f"q-{t}", "text": asked(t), "trait": t, "pattern": p, "gender_neutral": neutral}
        for t, (p, neutral) in TRAITS.items()
    ]


def hits(trait, lists=LISTS):
    return [
        Hit(f"Page {n}", f"https://x.test/{trait}/{n}", text) for n, text in enumerate(lists[trait])
    ]


def results(lists=LISTS):
    return {asked(trait): hits(trait, lists) for trait in lists}


def library(lists=LISTS):
    """(run, texts, words of queries) of what the stand-ins show, for the library."""
    run = {f"q-{trait}": [hit.url for hit in hits(trait, lists)] for trait in lists}
    found = {h.url: f"{h.title}\n{h.text}" for trait in lists for h in hits(trait, lists)}
    return run, found, {f"q-{trait}": trait for trait in lists}


def fair(run):
    return {f"q-{trait}": run[f"q-{trait}"] for trait in FAIR if f"q-{trait}" in run}


class Uses:
    """Which engines a job asks: {name: stand-in}."""

    def __init__(self, stack, folder, apps, **changes):
        running = {name: stack.enter_context(serve(app)) for name, app in apps.items()}
        uses = [
            {"name": name, "regions": ["us-en"], "pace": 500, "config": {"base_url": one.url}}
            for name, one in running.items()
        ]
        make_list(folder, items=items(), cue="terms")
        content = {"engines": uses, "measures": MEASURES, "tries": 1} | changes
        self.path = make_job(folder, **content)
        self.audit, self.folder, self.running = load_audit(self.path), folder, running

    def tick(self, database, due_at=DUE, run=None):
        outside = Outside(self.folder, 1, Way(contact="audit@lab.test", seconds=5))
        begun = run or pipeline.start(database, self.audit, "scheduled", due_at)
        try:
            return pipeline.run(database, self.audit, begun, outside, quiet)
        finally:
            outside.close()


@contextmanager
def job(folder, apps=None, **changes):
    with ExitStack() as stack:
        yield Uses(stack, folder, apps or {"marginalia": Marginalia(results=results())}, **changes)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Lexicons of one's own are looked for in the folder of the test."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def no_long_waits(monkeypatch):
    monkeypatch.setattr(lanes, "FIRST_WAIT", 0.001)


def points(database, where="1 = 1", **values):
    return rows(database, f"SELECT * FROM points_current WHERE {where} ORDER BY measure", **values)


def value(database, measure, quantity, engine="marginalia", scope="all", due_at=DUE):
    [row] = [
        row
        for row in points(database, "quantity = :q AND scope = :s", q=quantity, s=scope)
        if row["engine"].startswith(engine)
        and row["measure"] == measure
        and str(row["due_at"])[:10] == f"{due_at:%Y-%m-%d}"
    ]
    return row


def of_queries(database, point):
    sql = "SELECT * FROM queries_current WHERE point_id = :p"
    return {row["key"]: row for row in rows(database, sql, p=point["point_id"])}


def test_values_are_those_of_the_library_on_titles_and_snippets(database, tmp_path):
    with job(tmp_path) as uses:
        summary = uses.tick(database)
    assert summary.state is RunState.DONE
    run, found, words = library()
    expected = {(GSR, "gsr"): parse("GSR(floor=3)").score(run, found, queries=words)}
    for at in CUTS:
        name = f"NFaiRR@{at}"
        expected[name, "nfairr"] = parse(name).score(fair(run), found)
        name = f"TExFAIR@{at}"
        expected[name, "texfair"] = parse(name).score(fair(run), found)
    expected["ARB@4", "arb"] = parse("ARB@4").score(fair(run), found)
    for (measure, quantity), score in expected.items():
        point = value(database, measure, quantity)
        assert score.value is not None
        assert point["value"] == pytest.approx(score.value, abs=1e-12), measure
        assert (point["planned"], point["used"]) == (score.planned, score.used)
        kept = {key: row["value"] for key, row in of_queries(database, point).items()}
        assert kept == pytest.approx(score.per_query, abs=1e-12)
    gap = parse("direct_gap(floor=3,baseline=none)").score(run, found, queries=words)
    name = "direct_gap(baseline=none,floor=3,lexicon=glove-6b-50d)"
    assert value(database, name, "log_gap")["value"] == pytest.approx(gap.value, abs=1e-12)


def test_a_query_is_about_the_word_that_was_put_into_its_pattern(database, tmp_path):
    with job(tmp_path) as uses:
        uses.tick(database)
    lexicon = installed.find("glove-6b-50d", None)
    queries = of_queries(database, value(database, GSR, "gsr"))
    assert {key: row["x"] for key, row in queries.items()} == pytest.approx(
        {f"q-{trait}": lexicon.score(trait) for trait in TRAITS}, abs=1e-12
    )
    assert lexicon.score("people") not in (None, 0.0)  # a word of the pattern would be seen


def test_queries_about_women_or_men_are_left_out_of_fairness_and_counted(database, tmp_path):
    with job(tmp_path) as uses:
        uses.tick(database)
    point = value(database, "NFaiRR@4", "nfairr")
    assert (point["planned"], point["used"]) == (5, 5)
    facts = rows(
        database,
        "SELECT key, value FROM point_facts WHERE point_id = :p",
        p=point["point_id"],
    )
    assert {row["key"]: row["value"] for row in facts}["queries_gendered"] == 1
    assert "q-mother" not in of_queries(database, point)
    assert value(database, GSR, "gsr")["planned"] == 6
    assert value(database, GSR, "gsr", scope="tag:gender_neutral=yes")["planned"] == 5


def test_two_engines_and_two_ticks(database, tmp_path):
    turned = {trait: some[::-1] for trait, some in LISTS.items()}
    apps = {
        "marginalia": Marginalia(results=results()),
        "searxng": SearXNG(results=results(turned)),
    }
    measures = [*MEASURES[:2], {"name": "direct_gap", "floor": 3}]
    with job(tmp_path, apps, measures=measures) as uses:
        uses.tick(database)
        n = len(points(database))
        apps["marginalia"].results = results(turned)
        uses.tick(database, DUE + WEEK)
    assert n > 0
    (run, found, words), (run2, found2, _) = library(), library(turned)
    plain = parse("GSR(floor=3)")
    now, then = (plain.score(r, t, queries=words) for r, t in ((run2, found2), (run, found)))
    for engine, first in (("marginalia", then), ("searxng", now)):
        point = value(database, GSR, "gsr", engine)
        assert point["value"] == pytest.approx(first.value, abs=1e-12)
        assert value(database, GSR, "gsr_change", engine)["reason"] == "no earlier tick"
    change = value(database, GSR, "gsr_change", due_at=DUE + WEEK)
    assert change["value"] == pytest.approx(now.value - then.value, abs=1e-12)
    still = value(database, GSR, "gsr_change", "searxng", due_at=DUE + WEEK)
    assert still["value"] == pytest.approx(0.0, abs=1e-12)
    gap = "direct_gap(floor=3,lexicon=glove-6b-50d)"
    both = [value(database, gap, "share_women_over", one) for one in ("marginalia", "searxng")]
    assert [one["state"] for one in both] == ["measured"] * 2
    assert [one["value"] for one in both] == [0.0, 0.0]  # the same pages in another order


def test_nothing_new_is_written_where_nothing_changed(database, tmp_path):
    with job(tmp_path) as uses:
        uses.tick(database)
        before = rows(database, "SELECT COUNT(*) AS n FROM points")
        with database.read() as connection:
            [run] = runs.list_newest(connection, 1)
        assert pipeline.compute_points(database, uses.audit, run) == 0
    assert rows(database, "SELECT COUNT(*) AS n FROM points") == before


# --- no value from absence ----------------------------------------------------------------------


def test_an_empty_list_is_counted_and_has_no_value(database, tmp_path):
    found = results() | {asked("gentle"): []}
    with job(tmp_path, {"marginalia": Marginalia(results=found)}) as uses:
        summary = uses.tick(database)
    assert summary.state is RunState.DONE
    run, known, words = library({t: some for t, some in LISTS.items() if t != "gentle"})
    for measure, quantity, planned, score in (
        ("NFaiRR@4", "nfairr", 5, parse("NFaiRR@4").score(fair(run), known)),
        (GSR, "gsr", 6, parse("GSR(floor=3)").score(run, known, queries=words)),
    ):
        point = value(database, measure, quantity)
        assert (point["planned"], point["answered"]) == (planned, planned)
        assert point["used"] == planned - 1
        assert point["value"] == pytest.approx(score.value, abs=1e-12)
        row = of_queries(database, point)["q-gentle"]
        assert (row["state"], row["value"], row["documents"]) == ("insufficient", None, 0)
        assert row["reason"]


@pytest.mark.parametrize(
    ("fault", "answered"),
    [
        (faults.html_block(), 0),  # whoever is blocked asks nothing more
        (faults.status(500, {"message": "no"}), 5),
        (faults.status(400, {"message": "no"}), 5),
    ],
    ids=["blocked", "failed", "refused"],
)
def test_a_page_that_did_not_come_is_no_empty_list(database, tmp_path, fault, answered):
    with job(tmp_path, {"marginalia": Marginalia(results=results(), script=[fault])}) as uses:
        assert uses.tick(database).state is RunState.PARTIAL
    run, known, words = library()
    point = value(database, GSR, "gsr")
    assert (point["planned"], point["answered"]) == (6, answered)
    queries = of_queries(database, point)
    lost = {key for key, row in queries.items() if row["value"] is None}
    assert len(lost) == 6 - answered
    assert {queries[key]["reason"] for key in lost} == {"no usable answer"}
    rest = {key: some for key, some in run.items() if key not in lost}
    if not rest:
        assert (point["state"], point["value"]) == ("insufficient", None)
        return
    score = parse("GSR(floor=3)").score(rest, known, queries=words)
    assert point["value"] == pytest.approx(score.value, abs=1e-12)


def test_an_engine_that_is_down_has_no_value_at_all(database, tmp_path):
    down = faults.status(500, {"message": "down"})
    apps = {"marginalia": Marginalia(always=down), "searxng": SearXNG(results=results())}
    with job(tmp_path, apps) as uses:
        summary = uses.tick(database)
    assert summary.state is RunState.PARTIAL
    mine = points(database, "engine LIKE 'marginalia%'")
    assert mine
    for point in mine:
        assert (point["state"], point["value"]) == ("insufficient", None), point
        assert point["answered"] == 0
        assert (point["low"], point["bound_low"]) == (None, None)
    assert value(database, GSR, "gsr", "searxng")["state"] == "measured"


def test_engines_behind_a_server_that_met_a_captcha_found_nothing_that_counts(database, tmp_path):
    blocked = SearXNG(results=results(), failing={"brave": "CAPTCHA", "mojeek": "CAPTCHA"})
    with job(tmp_path, {"searxng": blocked}) as uses:
        uses.tick(database)
    for point in points(database):
        assert (point["state"], point["value"], point["answered"]) == ("insufficient", None, 0)


def test_a_result_without_a_title_is_none_and_the_others_count(database, tmp_path):
    bare = [Hit("", "https://x.test/nurse/0"), *hits("nurse")[1:]]
    apps = {"searxng": SearXNG(results=results() | {asked("nurse"): bare})}
    with job(tmp_path, apps) as uses:
        uses.tick(database)
    point = value(database, "NFaiRR@4", "nfairr", "searxng")
    row = of_queries(database, point)["q-nurse"]
    assert (row["documents"], row["used"], row["missing"], row["empty"]) == (3, 3, 0, 0)
    run, known, _ = library()
    score = parse("NFaiRR@4").score({"q-nurse": run["q-nurse"][1:]}, known)
    assert row["value"] == pytest.approx(score.value, abs=1e-12)


# --- lexicons -----------------------------------------------------------------------------------


def put_lexicon(home, name="mine", language="en", change=lambda score: -score):
    built_in = installed.find("glove-6b-50d", None)
    words = ["she", "her", "he", "his", "mother", "sister", "brother", "king", "river", "town"]
    words += [*TRAITS, "people", "spring", "danced"]
    scores = {word: change(built_in.score(word)) for word in words}
    path = installed.lexicon_path(name, home)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(Lexicon.of(name, scores, language).pack())
    return scores


BOTH = [*MEASURES[:1], {"name": "lexicon_agreement", "floor": 3}]


def test_every_lexicon_has_a_series_and_their_agreement_is_one(database, tmp_path, home):
    scores = put_lexicon(home, change=lambda score: score / 2 if score > 0 else score)
    with job(tmp_path, measures=BOTH) as uses:
        uses.tick(database)
    run, found, words = library()
    plain = parse("GSR(floor=3)")
    for name, given in (("glove-6b-50d", None), ("mine", scores)):
        point = value(database, f"GSR-snippet(floor=3,lexicon={name})", "gsr")
        score = plain.score(run, found, queries=words, lexicon=given)
        assert point["value"] == pytest.approx(score.value, abs=1e-12)
    agreement = parse("lexicon_agreement(floor=3)").score(
        run, found, queries=words, lexicon=["glove-6b-50d", installed.find("mine", home)]
    )
    [point] = points(database, "quantity = 'agreement_queries'")
    assert "glove-6b-50d" in point["measure"]
    assert "mine" in point["measure"]
    assert point["value"] == pytest.approx(agreement.value, abs=1e-12)
    assert 0 < point["value"] < 1


def test_another_lexicon_is_no_change_of_an_engine(database, tmp_path, home):
    put_lexicon(home)
    with job(tmp_path, measures=MEASURES[:1]) as uses:
        uses.tick(database)
        put_lexicon(home, change=lambda score: score / 2 if score > 0 else score)
        uses.tick(database, DUE + WEEK)
    steps = [
        row
        for row in rows(database, "SELECT * FROM comparisons_current WHERE contrast = 'step'")
        if "lexicon=mine" in row["measure"] and row["delta"] is not None
    ]
    assert "gsr" in {row["quantity"] for row in steps}
    assert {(row["changed"], row["delta"]) for row in steps} == {(0, 0.0)}
    assert rows(database, "SELECT change_id FROM changes_current") == []
    measure = "GSR-snippet(floor=3,lexicon=mine)"
    old, new = (value(database, measure, "gsr", due_at=DUE + n * WEEK) for n in (0, 1))
    assert old["value"] != pytest.approx(new["value"], abs=1e-3)  # the lexicon does matter
    with database.read() as connection:
        known = {
            one.hash: one.parts
            for one in connection.execute(sa.select(signatures.c.hash, signatures.c.parts))
        }
    [(cause, part, _, _)] = list_differences(known[old["signature"]], known[new["signature"]])
    assert (cause, part) == (Cause.LEXICON, "lexicons")


def test_with_one_lexicon_there_is_nothing_to_agree_with(database, tmp_path):
    with job(tmp_path, measures=BOTH) as uses:
        uses.tick(database)
    assert value(database, GSR, "gsr")["state"] == "measured"
    assert points(database, "quantity LIKE 'agreement%'") == []


def test_a_lexicon_of_another_language_has_no_series(database, tmp_path, home):
    put_lexicon(home, "slovak", "sk")
    with job(tmp_path, measures=BOTH) as uses:
        uses.tick(database)
    assert {point["measure"] for point in points(database)} == {GSR}


@pytest.mark.parametrize(
    ("lexicon", "words"),
    [
        ("nowhere", "lexicon 'nowhere' is not installed; installed: glove-6b-50d"),
        ("slovak", "lexicon 'slovak' is of language 'sk'"),
        ("broken", "is no lexicon of this program"),
        ("", "is no lexicon of this program"),
    ],
)
def test_a_lexicon_that_cannot_be_used_is_said_before_anybody_is_asked(
    sqlite_database, tmp_path, home, monkeypatch, capsys, lexicon, words
):
    put_lexicon(home, "slovak", "sk")
    if lexicon in ("broken", ""):
        (home / "lexicons" / "broken.lexicon").write_bytes(b"no")
    measures = [{"name": "GSR", "floor": 3, **({"lexicon": lexicon} if lexicon else {})}]
    monkeypatch.setenv("MONITOR_CONTACT", "audit@lab.test")
    with job(tmp_path, measures=measures) as uses:
        with pytest.raises(InvalidInput, match="lexicon"):
            uses.tick(sqlite_database)
        with program(tmp_path, monkeypatch, capsys) as command:
            for name in ("check", "run"):
                code, _, err = command(name, uses.path)
                assert code == 2
                assert words in err
        assert uses.running["marginalia"].requests == []
    assert rows(sqlite_database, "SELECT * FROM runs") == []


def test_a_resumed_run_needs_its_lexicon_as_well(sqlite_database, tmp_path, home):
    put_lexicon(home)
    down = faults.status(500, {"message": "down"})
    measures = [{"name": "GSR", "floor": 3, "lexicon": "mine"}]
    with job(tmp_path, {"marginalia": Marginalia(always=down)}, measures=measures) as uses:
        assert uses.tick(sqlite_database).state is RunState.PARTIAL
        installed.lexicon_path("mine", home).unlink()
        with pytest.raises(InvalidInput, match="lexicon 'mine' is not installed"):
            pipeline.resume(sqlite_database, uses.audit)


def test_words_are_those_of_the_answer_and_nothing_is_kept_twice(sqlite_database, tmp_path):
    with job(tmp_path) as uses:
        uses.tick(sqlite_database)
    assert rows(sqlite_database, "SELECT * FROM documents") == []
    with sqlite_database.read() as connection:
        assert texts.read_stored_keys(connection, "landing:1") == set()
