"""`monitor lists fetch professions`: pages of a stand-in for the query service become a list."""

import logging
import sys
import tomllib
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor import __version__, cli, settings
from monitor.fetch import lanes, occupations
from monitor.fetch.http import HttpFetcher
from monitor.fetch.lanes import Lane
from monitor.jobs import find_list
from monitor.lists import load_list
from monitor.model import Answer, Outcome, Reason
from monitor.wikidata.occupations import (
    Occupation,
    Source,
    as_list,
    known_nouns,
    page_query,
    read_occupations,
)
from tests.cases import check_each
from tests.standins import faults, serve
from tests.standins.sparql_occupations import ENTITY, SparqlOccupations

ITEMS = [
    ("Q4964182", "philosopher", 160, ("thinker", "philosophers")),
    ("Q484876", "chief executive officer", 90, ("CEO", "chief executive")),
    ("Q160131", "baker", 80, ()),
    ("Q191808", "nun", 70, ()),
    ("Q45199", "sailor", 60, ("seafarer",)),
    ("Q476246", "sailor", 20, ()),
    ("Q158852", "conductor", 55, ()),
    ("Q3068305", "salonnière", 12, ()),
    ("Q8", "Baker", 6, ()),
    ("Q9", "bakers' guild", 5, ()),
    ("Q1", "nobody", 4, ()),
]
NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SOURCE = Source("https://query.example/sparql", NOW, 5)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Retries without the waits that a real service is given."""
    monkeypatch.setattr(lanes, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(occupations, "_PACE", None)


@pytest.fixture
def ask():
    """Asks a stand-in, three items a page; gives what came and what was asked."""

    def asking(service, size=3, **options):
        with serve(service) as running:
            found = occupations.fetch_occupations(
                HttpFetcher(), f"{running.url}/sparql", size=size, lane=Lane(), **options
            )
            return found, running.requests

    return asking


# --- asking ---------------------------------------------------------------------------------------


def test_every_page_is_asked_once_and_in_order(ask):
    service = SparqlOccupations(ITEMS)
    told = []
    found, requests = ask(service, progress=told.append)
    assert (found.pages, found.fault, len(requests)) == (4, "", 4)
    assert {one.item for one in found.occupations} == {item[0] for item in ITEMS[:-1]}
    assert told == [3, 6, 9, 10]
    assert service.queries == [page_query(page, 5, 3) for page in range(4)]
    (philosopher,) = [one for one in found.occupations if one.item == "Q4964182"]
    assert philosopher == Occupation("Q4964182", "philosopher", 160, ("philosophers", "thinker"))


def test_a_full_last_page_is_followed_by_an_empty_one(ask):
    found, requests = ask(SparqlOccupations(ITEMS[:6]))
    assert (len(found.occupations), found.fault, len(requests)) == (6, "", 3)


def test_the_floor_is_asked_for(ask):
    found, _ = ask(SparqlOccupations(ITEMS), floor=70)
    assert {one.sitelinks for one in found.occupations} == {160, 90, 80, 70}


@pytest.mark.parametrize(
    "fault",
    [
        SparqlOccupations.timed_out(),
        SparqlOccupations.too_many(0),
        faults.status(503, {}),
        faults.status(200, {"head": {"vars": []}}),
        faults.malformed(),
        faults.truncated(),
        faults.reset(),
        faults.empty(),
    ],
    ids=[
        "timed out",
        "too many",
        "unavailable",
        "no rows",
        "malformed",
        "truncated",
        "reset",
        "empty",
    ],
)
def test_a_page_that_fails_is_asked_again(ask, fault):
    found, requests = ask(SparqlOccupations(ITEMS, script=[None, fault, fault]))
    assert (len(found.occupations), found.fault, len(requests)) == (10, "", 6)


def test_a_wait_that_is_asked_for_is_kept(ask):
    service = SparqlOccupations(ITEMS[:2], script=[SparqlOccupations.too_many(1)])
    with serve(service) as running:
        started = datetime.now(UTC)
        found = occupations.fetch_occupations(HttpFetcher(), f"{running.url}/sparql", lane=Lane())
        took = (datetime.now(UTC) - started).total_seconds()
    assert (len(found.occupations), len(running.requests)) == (2, 2)
    assert took >= 1


def test_what_came_before_the_service_went_away_is_kept(ask):
    service = SparqlOccupations(ITEMS, script=[None, None], always=SparqlOccupations.timed_out())
    found, requests = ask(service)
    assert (found.pages, len(found.occupations)) == (2, 6)
    assert "HTTP 500" in found.fault
    assert len(requests) == 2 + lanes.PATIENCE


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (faults.status(400, {"exception": "no such function"}), "HTTP 400"),
        (faults.status(403, {"message": "name yourself"}), "HTTP 403"),
        (faults.redirect("https://elsewhere.example/"), "HTTP 302"),
        (SparqlOccupations.too_many(86_400), "suspended"),
        (faults.html_block(), "suspended"),
    ],
)
def test_a_refusal_ends_it_at_once(ask, fault, words):
    found, requests = ask(SparqlOccupations(ITEMS, script=[None], always=fault))
    assert words in found.fault
    assert (len(found.occupations), len(requests)) == (3, 2)


def test_a_service_that_ignores_the_offset_comes_to_an_end(ask):
    class Deaf(SparqlOccupations):
        def page(self, found, limit, _offset):
            return found[:limit]

    found, requests = ask(Deaf(ITEMS))
    assert found.fault == "a page repeats the one before it"
    assert (len(found.occupations), len(requests)) == (3, 2)


def test_pages_without_end_come_to_one(ask, monkeypatch):
    monkeypatch.setattr(occupations, "_MOST_PAGES", 2)
    found, _ = ask(SparqlOccupations(ITEMS))
    assert (found.pages, found.fault) == (2, "no end after 2 pages")


def test_an_answer_that_is_too_large_is_not_asked_for_again():
    class Cut:
        def fetch(self, requests):
            requests = iter(requests)
            next(requests)
            yield 0, Answer(Outcome.UNREADABLE, NOW, 0.1, Reason.OVERSIZE, "cut at 10 bytes")
            assert next(requests, None) is None

    found = occupations.fetch_occupations(Cut(), "https://query.example/sparql")
    assert found.fault == "cut at 10 bytes"


def test_ctrl_c_keeps_what_came():
    def press(_found):
        raise KeyboardInterrupt

    with serve(SparqlOccupations(ITEMS)) as running:
        found = occupations.fetch_occupations(
            HttpFetcher(), f"{running.url}/sparql", size=3, lane=Lane(), progress=press
        )
    assert (len(found.occupations), found.fault) == (3, "stopped by Ctrl-C")


def test_the_usual_lane_is_polite(monkeypatch):
    monkeypatch.undo()
    assert occupations._PACE <= 1
    assert Lane(pace=occupations._PACE).in_flight == 1


# --- reading --------------------------------------------------------------------------------------


def test_the_query_is_portable():
    query = page_query(3, 7, 500)
    assert "LIMIT 500 OFFSET 1500" in query
    assert "?sitelinks >= 7" in query
    for prefix in ("wd", "wdt", "rdfs", "skos", "wikibase"):
        assert f"PREFIX {prefix}: <http" in query
    assert query.count("ORDER BY ?item") == 2
    for word in ("SERVICE", "hint:", "INCLUDE", "bd:", "mwapi"):
        assert word not in query


@check_each(
    "row",
    [
        {},
        {"item": f"{ENTITY}Q1", "label": "poet"},
        {"item": f"{ENTITY}Q1", "sitelinks": "9"},
        {"item": f"{ENTITY}Q1", "label": " \n", "sitelinks": "9"},
        {"item": f"{ENTITY}Q1", "label": "...", "sitelinks": "9"},
        {"item": f"{ENTITY}Q1", "label": "poet", "sitelinks": "many"},
        {"item": f"{ENTITY}Q1", "label": "poet", "sitelinks": "²"},
        {"item": f"{ENTITY}Q1", "label": "p" * 81, "sitelinks": "9"},
        {"item": f"{ENTITY}P31", "label": "poet", "sitelinks": "9"},
        {"item": "_:b0", "label": "poet", "sitelinks": "9"},
        {"item": f"{ENTITY}Q1", "label": "_:b1", "sitelinks": "9"},
    ],
)
def test_a_row_that_says_too_little_is_left_out(row):
    whole = {"item": f"{ENTITY}Q2", "label": " a\tpoet ", "sitelinks": "0", "aliases": "|bard||"}
    assert read_occupations([row, whole]) == [Occupation("Q2", "a poet", 0, ("bard",))]


TEXTS = st.text() | st.sampled_from([f"{ENTITY}Q{n}" for n in range(1, 9)] + ["7", "poet", "Poet"])


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["item", "label", "sitelinks", "aliases"]), TEXTS),
        max_size=20,
    )
)
def test_whatever_comes_becomes_a_list_or_nothing(tmp_path_factory, rows):
    found = read_occupations(rows)
    if not found:
        return
    folder = tmp_path_factory.mktemp("lists")
    for name, text in as_list(found, SOURCE, 1, {}).items():
        (folder / name).write_bytes(text.encode())
    probe_list = load_list(folder / "professions-wikidata@1.csv")
    assert 0 < len(probe_list.items) <= len(found)


# --- the list -------------------------------------------------------------------------------------

NOUNS = known_nouns(
    [{"noun": "baker", "occupation": "baker"}, {"noun": "CEO", "occupation": "ceo"}],
    [
        {"source_word": "chief executive officer", "occupation": "ceo"},
        {"source_word": "conductor", "occupation": "train_conductor"},
    ],
)


def written(tmp_path, found=None, **source):
    given = found or [Occupation(*item) for item in ITEMS[:-1]]
    place = Source(SOURCE.endpoint, NOW, 5, **source)
    for name, text in as_list(given, place, 1, NOUNS).items():
        (tmp_path / name).write_bytes(text.encode())
    return load_list(tmp_path / "professions-wikidata@1.csv")


def test_the_list_can_be_asked(tmp_path):
    found = written(tmp_path)
    by_item = {item.tags["wikidata"]: item for item in found.items}
    assert [cue.value for cue in found.cues] == ["people"]
    assert (found.status, found.licence) == ("unvalidated", "CC0-1.0")
    assert by_item["Q4964182"].text == "list of philosophers"
    assert by_item["Q4964182"].key == "list-of-philosophers"
    assert by_item["Q4964182"].tags["aliases"] == "thinker; philosophers"
    assert by_item["Q4964182"].tags["sitelinks"] == "160"
    assert by_item["Q191808"].tags["gendered"] == "women"
    assert by_item["Q3068305"].tags["doubt"] == "foreign"
    assert by_item["Q3068305"].key == "list-of-salonnieres"
    texts = [item.text.casefold() for item in found.items]
    assert all(first < second for first, second in pairwise(texts))


def test_occupations_of_the_tables_keep_their_keys(tmp_path):
    by_item = {item.tags["wikidata"]: item.tags["occupation"] for item in written(tmp_path).items}
    assert by_item["Q160131"] == "baker"
    assert by_item["Q484876"] == "ceo"
    assert by_item["Q158852"] == "conductor"  # of music: no figure of the railways applies
    assert len(set(by_item.values())) == len(by_item)


def test_of_several_items_with_one_label_the_best_known_is_asked(tmp_path):
    by_item = {item.tags["wikidata"]: item for item in written(tmp_path).items}
    assert by_item["Q45199"].tags["same_label"] == "Q476246"
    assert by_item["Q160131"].tags["same_label"] == "Q8"  # a search knows no capitals
    assert not {"Q476246", "Q8"} & set(by_item)


def test_names_that_differ_in_signs_stay_apart(tmp_path):
    given = [Occupation("Q1", "make-up artist", 9), Occupation("Q2", "make up artist", 8)]
    items = written(tmp_path, given).items
    assert [item.key for item in items] == ["list-of-make-up-artists", "list-of-make-up-artists-q1"]
    assert len({item.tags["occupation"] for item in items}) == 2


def test_the_description_says_where_when_and_how(tmp_path):
    found = written(tmp_path)
    content = tomllib.loads((tmp_path / "professions-wikidata@1.toml").read_text())
    assert content["endpoint"] == SOURCE.endpoint
    assert content["as_of"] == "2026-11-21T09:30:00+00:00"
    assert content["least_sitelinks"] == 5
    assert "?item wdt:P31 ?class" in content["query"]
    assert "10 items with 8 different plurals" in found.description
    assert "2026-11-21" in found.title
    assert set(content["tags"]) <= set(found.items[0].tags)
    assert "ncomplete" not in found.title


def test_a_list_that_is_not_all_says_so(tmp_path):
    found = written(tmp_path, fault='HTTP 500: "java\x7f"')
    assert found.title.startswith("incomplete: ")
    assert found.description.startswith("INCOMPLETE: the rest could not be fetched (HTTP 500: ")


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `monitor lists fetch`; gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MONITOR_CONTACT", "audit@ourhouse.eu")
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def command(*arguments):
        settings.load.cache_clear()
        monkeypatch.setattr(sys, "argv", ["monitor", "lists", "fetch", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, " ".join(captured.err.split())

    yield command
    settings.load.cache_clear()
    root.handlers[:] = handlers
    root.setLevel(level)


def lists(folder):
    return sorted(path.name for path in (folder / "jobs" / "lists").glob("*"))


FIRST = ["professions-wikidata@1.csv", "professions-wikidata@1.toml"]


def test_the_occupations_become_a_list_that_a_job_finds(run, tmp_path):
    with serve(SparqlOccupations(ITEMS)) as running:
        code, out, err = run("professions", "--endpoint", f"{running.url}/sparql")
    assert (code, lists(tmp_path)) == (0, FIRST)
    assert "professions-wikidata@1: 8 occupations" in err
    assert "1 with a doubtful plural" in err
    assert "CC0" in out
    agent = running.requests[0].headers["user-agent"]
    assert agent.startswith(f"monitor/{__version__} (+audit@ourhouse.eu)")
    found = load_list(find_list("professions-wikidata@1", tmp_path / "jobs"))
    keys = {item.tags["occupation"] for item in found.items}
    assert {"baker", "ceo", "conductor"} <= keys


def test_the_setting_says_whom_to_ask_and_each_time_is_a_version(run, tmp_path, monkeypatch):
    with serve(SparqlOccupations(ITEMS)) as running:
        monkeypatch.setenv("MONITOR_WIKIDATA_SPARQL", f"{running.url}/sparql")
        assert run("professions")[0] == 0
        assert run("professions", "--least-sitelinks", "70")[0] == 0
    assert lists(tmp_path) == sorted([*FIRST, *(name.replace("@1", "@2") for name in FIRST)])
    second = load_list(tmp_path / "jobs" / "lists" / "professions-wikidata@2.csv")
    assert (second.version, len(second.items)) == ("2", 4)
    assert "at least 70 articles" in second.description


def test_a_service_that_goes_away_leaves_a_list_that_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setattr(
        occupations, "fetch_occupations", partial(occupations.fetch_occupations, size=3)
    )
    service = SparqlOccupations(ITEMS, script=[None], always=SparqlOccupations.timed_out())
    with serve(service) as running:
        code, _, err = run("professions", "--endpoint", f"{running.url}/sparql")
    assert (code, lists(tmp_path)) == (4, FIRST)
    assert "professions-wikidata@1 is incomplete, and says so: suspended until" in err
    found = load_list(tmp_path / "jobs" / "lists" / FIRST[0])
    assert len(found.items) == 3
    assert found.title.startswith("incomplete: 3 occupations")


@pytest.mark.parametrize(
    "service",
    [
        SparqlOccupations([]),
        SparqlOccupations(ITEMS, always=SparqlOccupations.timed_out()),
        SparqlOccupations(ITEMS, always=faults.status(404, {})),
    ],
)
def test_nothing_at_all_is_no_list(run, tmp_path, service):
    with serve(service) as running:
        code, _, err = run("professions", "--endpoint", f"{running.url}/sparql")
    assert (code, lists(tmp_path)) == (4, [])
    assert "no occupations came" in err
    assert "Traceback" not in err


def test_nobody_is_asked_without_a_contact(run, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_CONTACT", "")
    with serve(SparqlOccupations(ITEMS)) as running:
        code, _, err = run("professions", "--endpoint", f"{running.url}/sparql")
    assert (code, lists(tmp_path), running.requests) == (2, [], [])
    assert "MONITOR_CONTACT" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["professions", "--file", "mine.csv"], "--from and --server are for data sets"),
        (["gest", "--endpoint", "http://127.0.0.1:9"], "are for professions"),
        (["gest", "--least-sitelinks", "9"], "are for professions"),
    ],
)
def test_an_option_of_the_other_probes_is_refused(run, tmp_path, words, said):
    code, _, err = run(*words)
    assert (code, lists(tmp_path)) == (2, [])
    assert said in err
