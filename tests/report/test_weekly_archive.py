"""The weekly report, claim cards and lists of series over an archive that was really collected."""

import json
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor.stages.reports import claim_content
from monitor.stages.reports.weekly import report
from monitor.store import schema
from monitor.store.changes import comparisons, series
from monitor.store.changes.series import Filters
from tests.demo import WEEKS, demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import rows

UTC = ZoneInfo("UTC")
JOB = "mt-weekly"
TWO = "libretranslate(base_url=http://two.test)"


def weekly(database):
    with database.read() as connection:
        return json.loads(report.make_weekly(connection, [JOB], None, UTC).json)


def of(found, **about):
    [row] = [row for row in found["series"] if all(row[k] == v for k, v in about.items())]
    return row


def rates(database, run_id, engine):
    """{(half, key): whether it is masculine} of the marked answers, by their classes alone."""
    sql = """SELECT item_key, tags, class FROM answers WHERE run_id = :run AND engine = :engine
        AND list LIKE 'feelings@%' AND class IN ('masculine', 'feminine')"""
    found = {}
    for row in rows(database, sql, run=run_id, engine=engine):
        tags = json.loads(row["tags"]) if isinstance(row["tags"], str) else row["tags"]
        found[int(tags["stereotype"]), row["item_key"]] = row["class"] == "masculine"
    return found


def f_s(found):
    """By hand: mean rate of stereotypes 8 to 16 less that of 1 to 7."""
    rate = {}
    for number in range(1, 17):
        some = [is_masculine for (of, _), is_masculine in found.items() if of == number]
        rate[number] = sum(some) / len(some)
    return sum(rate[n] for n in range(8, 17)) / 9 - sum(rate[n] for n in range(1, 8)) / 7


def test_changes_since_last_week_and_since_the_first_are_those_of_the_answers(demo):  # noqa: F811
    """Also where last week's tick is the tick before, which is compared once."""
    with demo.read() as connection:
        runs = {
            one.due_at: one.id
            for one in connection.execute(
                sa.select(schema.runs).where(schema.runs.c.kind == "scheduled")
            )
            if one.job == JOB
        }
    row = of(weekly(demo), engine=TWO, quantity="f_s")
    last, before, first = (rates(demo, runs[at], TWO) for at in (WEEKS[-1], WEEKS[-2], WEEKS[0]))
    assert row["value"] == pytest.approx(f_s(last))
    for name, earlier, at in (("week", before, WEEKS[-2]), ("first", first, WEEKS[0])):
        both = last.keys() & earlier.keys()
        assert row[name]["before_due_at"] == at.isoformat()
        assert row[name]["n"] == len(both)
        assert row[name]["changed"] == sum(last[one] != earlier[one] for one in both)
        assert row[name]["delta"] == pytest.approx(
            f_s({one: last[one] for one in both}) - f_s({one: earlier[one] for one in both})
        )
    assert row["week"]["changed"] == 0
    assert row["first"]["changed"] > 0


def test_every_series_with_a_week_before_has_a_change_since_it(demo):  # noqa: F811
    found = weekly(demo)
    assert found["series"]
    assert all(row["week"] and row["first"] for row in found["series"])
    unnoticed = found["headline"]["unnoticed"]
    assert sum(row["not"]["few_runs"] for row in unnoticed) > 3  # of 16 that a decision needs
    assert {(row["most"], row["n_compared"]) for row in unnoticed} == {(None, 0)}


@pytest.mark.parametrize("dialect", ["sqlite"])  # the archive on PostgreSQL is that of all tests
def test_a_job_has_its_series_also_where_another_began_them(demo):  # noqa: F811
    """As after a run by hand of a trial, or under another name of the job."""
    with demo.read() as connection:
        flips = comparisons.count_flips(connection, JOB)
        listed = series.find_series(connection, Filters(job=JOB))
    before = weekly(demo)
    with demo.begin() as connection:
        keys = schema.series_keys
        connection.execute(sa.update(keys).where(keys.c.job == JOB).values(job="trial"))
    assert weekly(demo) == before
    with demo.read() as connection:
        assert comparisons.count_flips(connection, JOB) == flips != {}
        again = series.find_series(connection, Filters(job=JOB))
    assert {one.id for one in again} == {one.id for one in listed}
    assert {row["job"] for row in rows(demo, "SELECT job FROM masculine_rates")} == {JOB}


def test_a_claim_card_tells_the_answers_of_both_sides_apart(demo):  # noqa: F811
    """Both sides say the same few words, to different questions."""
    [change] = rows(
        demo, "SELECT change_id FROM changes_current WHERE quantity = 'f_s' AND engine = :engine",
        engine=TWO,
    )  # fmt: skip
    with demo.read() as connection:
        card = claim_content.card_of_change(connection, change["change_id"], UTC).numbers
    before, after = card["runs"]
    assert before["evidence_sha256"] != after["evidence_sha256"]
    assert before["n_answers"] == after["n_answers"] == 128  # of this list, and of no other
    assert len(card["flips"]) == card["changed"]
