"""What is in a package, and what is said of the rest: unfinished, erased, imported."""

import csv
import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
import time_machine

from monitor import pipeline, settings
from monitor.model import RunKind
from monitor.pipeline.collect.run_starts import turn_of_run
from monitor.pipeline.publish import write_package
from monitor.pipeline.schedule.leases import Turns
from monitor.stages.publish.reproduction_comparison import ERASED
from monitor.store import schema
from monitor.store.publish.reproduction import RunSelection
from tests.command import program
from tests.engines.test_recorded import ALL_MASCULINE, ITEMS, collection, recorded_job
from tests.factories import DUE, Scripted, make_audit, make_list, mini_items, portuguese, quiet
from tests.report import people
from tests.reproduction import change, everything, lines, manifest
from tests.test_import_scores import write
from tests.test_landing_run import job as landing
from tests.test_trec_command import DATE, FIRST, FLOOR, NAME, TOPICS, write_docs, write_run

WEEK = timedelta(weeks=1)
KEY = "0123456789abcdef"


@pytest.fixture
def monitor(database_url, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_DATABASE_URL", database_url)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.setenv("MONITOR_ADDRESS_KEY", KEY)
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def reproduced(monitor, folder, *options):
    code, said, why = monitor("reproduce", folder, "--processes", "1", "--json", *options)
    assert said, why
    return code, json.loads(said)


def package(monitor, folder, *options):
    code, said, why = monitor("export", "reproduction", folder, *options, "--json")
    assert code == 0, why
    return json.loads(said)


def tick(database, audit, n, stop_after=None):
    """One tick, asked to its end, or stopped by a person after so many answers."""
    items = mini_items(4)
    said = portuguese(items, lambda item: int(item["stereotype"]) <= 7 - n)
    at = DUE + n * WEEK
    run = pipeline.start(database, audit, RunKind.SCHEDULED, at)
    pipeline.run(database, audit, run, Scripted(said, stop_after=stop_after, at=at), quiet)


# --- runs that have not ended ---------------------------------------------------------------------


def test_a_run_that_is_being_asked_is_in_no_number_of_a_package(database, monitor, tmp_path):
    audit = make_audit(tmp_path / "job", mini_items(4))
    tick(database, audit, 0)
    tick(database, audit, 1)
    with pytest.raises(pipeline.Interrupted):
        tick(database, audit, 2, stop_after=2)
    with database.begin() as connection:
        running = schema.runs.c.id == 3
        connection.execute(sa.update(schema.runs).where(running).values(state="running"))
        at = DUE + 2 * WEEK
        connection.execute(sa.insert(schema.ticks).values(
            job="mini", due_at=at, start_at=at, state="running", reason="", noted_at=at, run_id=3,
        ))  # fmt: skip
        asked = connection.execute(
            sa.select(sa.func.count()).select_from(schema.exchanges).where(
                schema.exchanges.c.run_id == 3
            )
        ).scalar_one()  # fmt: skip
    assert asked > 0
    for kind in ("--full", "--redacted"):
        folder = tmp_path / kind.strip("-")
        made = package(monitor, folder, kind)
        assert made["runs"] == 2
        assert made["unfinished"] == {"3": "mini: running"}
        assert {row["id"] for row in lines(folder, "inputs/runs")} == {1, 2}
        assert {row["run_id"] for row in lines(folder, "inputs/exchanges")} == {1, 2}
        said = json.loads((folder / "manifest.json").read_text())["unfinished"]
        assert said == {"3": f"mini, scheduled, due {(DUE + 2 * WEEK).isoformat()}: running"}
        assert "Runs that had not ended: 3 (mini, scheduled" in (folder / "README.md").read_text()
        code, found = reproduced(monitor, folder)
        assert (found["differences"], found["not_held"], code) == ([], [], 0)
        assert found["unfinished"] == said
        assert found["numbers"]["reports"]["equal"] > 0


def test_a_report_of_a_week_with_an_unfinished_run_is_left_out_by_name(database, monitor, tmp_path):
    audit = make_audit(tmp_path / "job", mini_items(4), noise={"share": 0.5})
    tick(database, audit, 0)
    pipeline.start_noise(database, audit, DUE)
    package(monitor, tmp_path / "p", "--redacted")
    code, found = reproduced(monitor, tmp_path / "p")
    assert (found["differences"], code) == ([], 0)
    [left] = found["not_held"]
    assert (left["kind"], left["what"]) == ("reports", "closed")
    assert "run 2 of its week had not ended (running)" in left["why"]


def test_a_run_that_ended_and_is_worked_on_waits_for_the_next_package(database, monitor, tmp_path):
    """Between its last answer and its findings a run is done, and lacks numbers."""
    audit = make_audit(tmp_path / "job", mini_items(4))
    tick(database, audit, 0)
    tick(database, audit, 1)
    with Turns(database) as turns:
        turn = turns.take(turn_of_run(2))
        found = write_package(database, tmp_path / "p", RunSelection(full=True), lambda _: None)
        turns.give_back(turn)
    assert (found.runs, [one.id for one in found.unfinished]) == (1, [2])
    code, found = reproduced(monitor, tmp_path / "p")
    assert (found["differences"], code) == ([], 0)
    assert "worked on while the package was written" in found["unfinished"]["2"]


# --- what was erased ------------------------------------------------------------------------------


@pytest.fixture
def shown(database, monitor, tmp_path):
    """A tick of a search that shows people."""
    with people.search(tmp_path / "people", name="people") as search:
        search(database)
    settings.load.cache_clear()
    with database.read() as connection:
        entities = connection.execute(sa.select(schema.item_entities.c.entity)).scalars()
        return min(entities)


@pytest.mark.parametrize("kind", ["--full", "--redacted"])
def test_what_rests_on_somebody_erased_is_not_different(shown, monitor, tmp_path, kind):
    code, _, why = monitor("erase", shown, "--reason", "request 1", "--yes")
    assert code == 0, why
    made = package(monitor, "p", kind, "--with-people")
    assert set(made["behind"]) == {"1"}
    assert shown not in everything(tmp_path / "p").decode()
    code, found = reproduced(monitor, "p")
    assert (found["differences"], code) == ([], 0)
    left = {(one["kind"], one["why"]): one["n"] for one in found["not_held"]}
    assert left["points", ERASED] > 0
    tally = found["numbers"]["points"]
    assert tally["equal"] > tally["closed"] > 0
    monitor("redo")
    made = package(monitor, "again", kind, "--with-people")
    assert made["behind"] == {}
    code, found = reproduced(monitor, "again")
    assert (found["differences"], code) == ([], 0)
    assert all("erased" not in one["why"] for one in found["not_held"])


def test_only_jobs_of_which_something_was_erased_are_excused(database, monitor, tmp_path):
    audit = make_audit(tmp_path / "job", mini_items(4))
    tick(database, audit, 0)
    package(monitor, "p", "--redacted")

    def edit(rows):
        rows[0]["values"]["planned"] += 1

    change(tmp_path / "p", "published/points", edit)
    at = (DUE - WEEK).isoformat()
    manifest(tmp_path / "p", lambda content: content.update(erased={"another": at}))
    code, found = reproduced(monitor, "p")
    assert (code, len(found["differences"])) == (1, 1)
    assert found["differences"][0]["name"] == "planned"


# --- people ---------------------------------------------------------------------------------------


def rated(monitor, tmp_path, rater, say):
    """A labeller fills the sheet of everybody: `say` is called with name and place on it."""
    sheet = tmp_path / f"{rater}.csv"
    code, _, why = monitor("label", "export", sheet, "--rater", rater, "--state", "all")
    assert code == 0, why
    with sheet.open(encoding="utf-8", newline="") as file:
        some = list(csv.DictReader(file))
    for row in some:
        row["group"] = say(row["name"])
        row["comment"] = "her own page says so" if row["group"] == "women" else ""
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, some[0])
        writer.writeheader()
        writer.writerows(some)
    code, _, why = monitor("label", "import", sheet, "--rater", rater)
    assert code == 0, why


def test_two_labellers_who_disagree_leave_the_numbers_equal(database, monitor, tmp_path):
    """They say something of everybody, differ on one in five, and agree against the record."""
    with people.search(tmp_path / "people", name="people") as search:
        search(database)
        settings.load.cache_clear()
        sign = {people.name_of(of, n): {"f": "women", "m": "men"}.get(one, "other")
                for of, signs in people.SHOWN.items() for n, one in enumerate(signs)}  # fmt: skip
        every = sorted(sign)
        turned, disputed = set(every[::7]), set(every[::5])
        other = {"women": "men", "men": "women", "other": "women"}
        rated(monitor, tmp_path, "maria", lambda one: other[sign[one]] if one in turned
              else sign[one])  # fmt: skip
        rated(monitor, tmp_path, "joao", lambda one: other[sign[one]] if (one in turned)
              != (one in disputed) else sign[one])  # fmt: skip
        assert monitor("redo")[0] == 0
        search(database, DUE + WEEK)
        settings.load.cache_clear()
    with database.read() as connection:
        known = schema.labels.c
        states = dict(map(tuple, connection.execute(
            sa.select(known.state, sa.func.count()).where(known.is_current).group_by(known.state)
        )))  # fmt: skip
    assert states["conflict"] >= len(disputed) / 2
    assert states["labelled"] > states["conflict"]
    names = [*every, "maria", "joao", "her own page"]
    for kind in ("--full", "--redacted"):
        folder = tmp_path / kind.strip("-")
        assert package(monitor, folder, kind, "--with-people")["behind"] == {}
        content = everything(folder).decode()
        assert not [name for name in names[kind == "--full" and len(every) :] if name in content]
        without = tmp_path / f"{folder.name}-without"
        package(monitor, without, kind)
        content = everything(without).decode()
        assert not [name for name in names if name in content]
    code, found = reproduced(monitor, "redacted")
    assert (found["differences"], code) == ([], 0)
    assert {one["why"] for one in found["not_held"]} <= {"look-ups are in no package"}
    assert found["numbers"]["points"]["closed"] == 0
    code, found = reproduced(monitor, "full-without")
    assert (found["differences"], code) == ([], 0)
    assert found["numbers"]["points"]["closed"] > 0


# --- what was brought in --------------------------------------------------------------------------


def test_imported_scores_are_said_to_have_no_job_files(monitor, tmp_path):
    items = mini_items(10)
    listed = make_list(tmp_path / "jobs", items=items)
    write(tmp_path / "scores", items=items)
    code, _, why = monitor(
        "import", "lm-scores", "scores", "--list", listed, "--date", "2023-11-30"
    )
    assert code == 0, why
    for kind in ("--full", "--redacted"):
        folder = tmp_path / kind.strip("-")
        package(monitor, folder, kind)
        code, found = reproduced(monitor, folder)
        assert (found["differences"], code) == ([], 0)
        assert found["numbers"]["points"]["closed"] > 0
        assert {one["why"] for one in found["not_held"] if one["kind"] == "points"} == {
            "run 1 was imported, or of before job files were kept: the package has none"
        }


def test_recorded_translations_are_read_anew(monitor, tmp_path):
    make_list(tmp_path / "jobs")
    recorded_job(tmp_path / "jobs")
    collection(tmp_path / "jobs", {"2023-06-01": ALL_MASCULINE, "2023-05-01": portuguese(ITEMS)})
    code, _, why = monitor("run", "jobs/mini.toml")
    assert code == 0, why
    for kind in ("--full", "--redacted"):
        folder = tmp_path / kind.strip("-")
        package(monitor, folder, kind)
        code, found = reproduced(monitor, folder)
        assert (found["differences"], found["not_held"], code) == ([], [], 0)
        assert found["runs"] == 2


def test_a_collection_with_its_rankings_is_said_to_have_no_job_files(monitor, tmp_path):
    write_docs(tmp_path)
    topics = [f"{key}\t{text}\n" for key, text in TOPICS.items()]
    (tmp_path / "topics.tsv").write_text("".join(topics), encoding="utf-8")
    write_run(tmp_path / "first.run", FIRST, "first")
    code, _, why = monitor("import", "trec-run", "first.run", *NAME, *DATE, *FLOOR)
    assert code == 0, why
    package(monitor, "p", "--full")
    assert "nurse, and her mother" not in everything(tmp_path / "p").decode()
    code, found = reproduced(monitor, "p")
    assert (found["differences"], code) == ([], 0)
    assert found["numbers"]["points"]["closed"] > 0
    assert found["numbers"]["points"]["missing"] == 0


def test_pages_behind_results_are_read_from_the_package(database, monitor, tmp_path):
    with landing(tmp_path / "job") as made:
        made.tick(database)
    package(monitor, "full", "--full")
    code, found = reproduced(monitor, "full")
    assert (found["differences"], code) == ([], 0)
    assert [(one["why"], one["n"]) for one in found["not_held"]] == [
        ("look-ups are in no package", 1)
    ]
    package(monitor, "redacted", "--redacted")
    code, found = reproduced(monitor, "redacted")
    assert (found["differences"], code) == ([], 0)
    assert all("words of results" in one["why"] or "cannot recompute" in one["why"]
               for one in found["not_held"])  # fmt: skip


# --- the clock of an installation -----------------------------------------------------------------


def test_reports_that_were_made_week_by_week_are_equal(database, monitor, tmp_path):
    """Charts went over, and engines rested, in weeks that are over when somebody recomputes."""
    audit = make_audit(tmp_path / "job", mini_items(4))
    for n in range(3):
        with time_machine.travel(DUE + n * WEEK + timedelta(minutes=2)):
            tick(database, audit, n)
    made = package(monitor, "p", "--redacted")
    assert made["behind"] == {}
    code, found = reproduced(monitor, "p")
    assert (found["differences"], found["not_held"], code) == ([], [], 0)
    with database.begin() as connection:
        of = schema.points.c
        query = sa.select(of.series_id, of.signature_id).join(
            schema.series_keys, schema.series_keys.c.id == of.series_id
        )
        over = connection.execute(query.where(schema.series_keys.c.scope == "all")).all()
        at = DUE + WEEK + timedelta(days=2)
        connection.execute(sa.insert(schema.switches), [
            {"series_id": series, "from_id": one, "to_id": one, "switched_at": at}
            for series, one in dict(map(tuple, over)).items()
        ])  # fmt: skip
    package(monitor, "again", "--redacted")
    code, found = reproduced(monitor, "again")
    assert (found["differences"], code) == ([], 0)
    [left] = found["not_held"]
    assert (left["kind"], left["what"]) == ("reports", "closed")
    assert "its charts went over" in left["why"]
    assert left["n"] >= 3  # the headline, the origin, and every chart
