"""From recorded answers of several dates to comparisons, the ledger, and findings with a cause."""

import csv
import random
from datetime import UTC, date, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline, resources
from monitor.change import Contrast
from monitor.fetch.recorded import Library, RecordedFetcher
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.store.changes import comparisons, findings
from monitor.store.collect import runs
from monitor.store.schema import changes as changes_table
from monitor.store.schema import comparisons as comparisons_table
from tests.engines.test_recorded import recorded_job, row, use, write
from tests.factories import make_list

DATES = [(date(2024, 1, 1) + timedelta(weeks=week)).isoformat() for week in range(24)]
TURNED = DATES[18]  # where one of the two systems becomes another
#: Date with which a change at TURNED is decided: five runs agree.
DECIDED = DATES[22]
#: The first date, that of the change, that of its decision, and the last one.
CONCLUDED_AGAIN = (DATES[0], TURNED, DECIDED, DATES[-1])


def questions():
    """Fourteen sentences of each stereotype."""
    path = resources.find_folder("jobs") / "lists" / "stereotypes@1.csv"
    with path.open(encoding="utf-8") as rows:
        found = list(csv.DictReader(rows))
    kept = []
    for number in range(1, 17):
        kept += [one for one in found if one["stereotype"] == str(number)][::3]
    return kept


def translation(item, system, date):
    """Feminine for most women's stereotypes; one system relaxes its masculine default at a date."""
    draw = random.Random(f"{item['key']}{system}").random()  # noqa: S311 - no secret
    share = 0.3 if int(item["stereotype"]) <= 7 else 0.05
    if system == "turning" and date >= TURNED:
        share += 0.4 if int(item["stereotype"]) <= 7 else 0.0
    return "Estou cansada." if draw < share else "Estou cansado."


@pytest.fixture
def folder(tmp_path):
    items = questions()
    make_list(tmp_path, items=items)
    table = [
        row(item["text"], translation(item, system, date), date, system=system)
        for date in DATES
        for system in ("steady", "turning")
        for item in items
    ]
    write(tmp_path / "translations.csv", table)
    recorded_job(tmp_path, [use("steady"), use("turning")])
    return tmp_path


def run_all(database, folder, dates):
    audit = load_audit(folder / "mini.toml")
    for day in dates:
        due_at = datetime.fromisoformat(day).replace(tzinfo=UTC)
        run = pipeline.start(database, audit, RunKind.SCHEDULED, due_at)
        fetcher = RecordedFetcher(Library(folder), due_at)
        pipeline.run(database, audit, run, fetcher, lambda *_: None)
    return audit


def found(database, what=changes_table.c.is_current):
    with database.read() as connection:
        return list(connection.execute(sa.select(changes_table).where(what)))


def a_change_is_found_at_its_tick_and_at_no_other(database):
    rows = found(database)
    assert {row.changed_at.date().isoformat() for row in rows} == {TURNED}
    rows = [row for row in rows if row.kind == "step"]
    assert {row.detected_at.date().isoformat() for row in rows} == {DECIDED}
    assert {row.family for row in rows} == {"recorded:turning | recorded | pt"}
    by_role = {role: [row for row in rows if row.role == role] for role in ("primary", "secondary")}
    assert by_role["primary"]
    assert by_role["secondary"]
    assert {row.status for row in by_role["primary"]} == {"confirmed"}
    assert {row.status for row in by_role["secondary"]} == {"unconfirmed"}  # nobody can ask again
    for one in rows:
        assert one.q <= one.alpha == 0.05
        assert one.cause == "open"
        assert "No pinned control" in one.because
        assert one.low <= one.effect <= one.high
        assert one.after == pytest.approx(one.before + one.effect)


def the_sentence_says_more_stereotypical_only_with_the_odds(database):
    with database.read() as connection:
        rows = comparisons.find_run_comparisons(connection, 19, Contrast.STEP)
    names = {one.id: one.quantity for one in rows if one.scope == "all"}
    said = {names[row.comparison_id]: row.sentence for row in found(database)
            if row.comparison_id in names}  # fmt: skip
    assert "rose" in said["f_s"]
    assert "Feminine forms rose from" in said["f_s"]
    assert "It became more stereotypical: s_or changed the same way." in said["f_s"]
    assert "fell" in said["f_m"]
    assert "stereotypical" not in said["f_m"].split(".", 1)[1].replace("stereotypes", "")


def the_ledger_has_a_level_for_every_tick_that_could_be_tested(database):
    with database.read() as connection:
        ledger = findings.read_ledger(connection, "mini")
    assert [one.due_at.date().isoformat() for one in ledger] == DATES
    assert [one.number for one in ledger] == list(range(24))
    assert ledger[0].p is None
    assert ledger[0].alpha is None
    assert [one.selected for one in ledger] == [0] * 22 + [1, 0]
    assert all(one.families == 2 for one in ledger[1:])
    assert {one.alpha for one in ledger[1:]} == {0.05}


def engines_are_compared_with_each_other_on_the_same_questions(database):
    with database.read() as connection:
        query = sa.select(comparisons_table).where(comparisons_table.c.contrast == "engines")
        rows = list(connection.execute(query))
    assert {row.after_run_id for row in rows} == set(range(1, 25))
    assert all(row.other_id and row.other_id != row.series_id for row in rows)
    assert all(row.before_run_id == row.after_run_id for row in rows)


def test_from_recorded_answers_to_findings(database, folder):
    """One run of all dates, looked at from all sides, because it takes its time."""
    audit = run_all(database, folder, DATES)
    a_change_is_found_at_its_tick_and_at_no_other(database)
    the_sentence_says_more_stereotypical_only_with_the_odds(database)
    the_ledger_has_a_level_for_every_tick_that_could_be_tested(database)
    engines_are_compared_with_each_other_on_the_same_questions(database)
    what_is_concluded_again_is_not_written_twice(database, audit)


def what_is_concluded_again_is_not_written_twice(database, audit):
    with database.read() as connection:
        n = connection.execute(sa.select(sa.func.count()).select_from(comparisons_table)).scalar()
    before = found(database, sa.true())
    with database.read() as connection:
        kept = runs.list_ended(connection, "mini")
    for day in CONCLUDED_AGAIN:
        pipeline.conclude(database, audit, kept[DATES.index(day)], lambda *_: None)
    assert found(database, sa.true()) == before
    with database.read() as connection:
        count = sa.select(sa.func.count()).select_from(comparisons_table)
        assert connection.execute(count).scalar() == n


def test_an_answer_that_is_not_there_is_no_flip(database, folder):
    lines = (folder / "translations.csv").read_text(encoding="utf-8").splitlines()
    kept = [one for one in lines if not ("steady" in one and "2024-01-15" in one)]
    (folder / "translations.csv").write_text("\n".join(kept) + "\n", encoding="utf-8")
    run_all(database, folder, DATES[:5])
    assert not found(database)
    with database.read() as connection:
        steps = comparisons.find_run_comparisons(connection, 4, Contrast.STEP)
    steady = [one for one in steps if one.engine == "recorded:steady" and one.scope == "all"]
    assert steady
    assert {one.before_run for one in steady} == {2}  # past the tick without answers
    assert {one.changed for one in steady} == {0}
