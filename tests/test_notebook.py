"""The notebook of docs/notebook: clean as a file, run as it stands, and right about the report."""

import ast
import json
import os
import random
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import nbformat
import pandas as pd
import pytest
import sqlalchemy as sa

from monitor import docs
from monitor.pipeline import reports
from monitor.stages.publish import release
from monitor.stages.reports.weekly import report
from monitor.stats.series import QuietTick, noise_floor
from monitor.store import schema
from monitor.store.database import connect
from monitor.store.publish.release import ReleaseSelection
from tests.cases import check_each
from tests.conftest import copy_sqlite
from tests.demo import demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.report import weeks as made

NOTEBOOK = docs.ROOT / "docs" / "notebook" / "weekly_report.ipynb"
FIRST, CHANGED, LAST = "2025-01-06", "2025-01-27", "2025-02-03"
#: Another archive: of a year, with changes that were decided.
YEAR = "2026-11-23"
#: What is compared in every week with a run of each kind.
ALWAYS = {"series", "noise floor", "ledger", "unnoticed", "charts", "professions", "mean bias",
          "stereotypes", "f_s, from the answers", "engines", "gaps", "load",
          "versions"}  # fmt: skip


def content():
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))


def code():
    """{id of a cell: its code}, in order."""
    cells = [one for one in content()["cells"] if one["cell_type"] == "code"]
    return {one["id"]: "".join(one["source"]) for one in cells}


# --- the file -------------------------------------------------------------------------------------


def test_the_file_is_clean():
    found = content()
    nbformat.validate(found)
    ids = [one["id"] for one in found["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9-]+", one) for one in ids)
    for cell in found["cells"]:
        assert cell["metadata"] == {}, cell["id"]
        assert cell.get("outputs", []) == [], cell["id"]
        assert cell.get("execution_count") is None, cell["id"]
    assert set(found["metadata"]) == {"kernelspec", "language_info"}
    assert set(found["metadata"]["language_info"]) == {"name"}
    spelt = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert NOTEBOOK.read_text(encoding="utf-8") == spelt


def test_every_figure_has_a_text_before_it_and_a_check_behind_it():
    cells = [(one["id"], one["cell_type"]) for one in content()["cells"]]
    texts = {name.removesuffix("-text") for name, kind in cells if kind == "markdown"}
    checks = [name for name in code() if name.endswith("-check")]
    assert len(texts) > 15
    assert len(checks) > 12
    for name in checks:
        assert "same(" in code()[name], name


def test_nothing_of_the_report_makes_the_numbers():
    """Of this program the notebook uses what opens an archive, and nothing else."""
    names = set()
    for text in code().values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                names |= {one.name for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module)
    assert {name for name in names if name.startswith("monitor")} == {"monitor"}
    used = set(re.findall(r"\bmonitor\.(\w+)\(", "\n".join(code().values())))
    assert used == {"open"}


# --- its numbers ----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def archive(demo_folder, tmp_path_factory):  # noqa: F811
    """The archive with its weekly reports and a release: nobody may write into it."""
    url = f"sqlite:///{demo_folder / 'monitor.db'}"
    folder = tmp_path_factory.mktemp("notebook")
    database = connect(url, demo_folder / "bodies")
    try:
        for day in (FIRST, CHANGED):
            until = datetime.fromisoformat(f"{day}T23:59:59").replace(tzinfo=UTC)
            reports.make_report(database, [], until, ZoneInfo("UTC"), folder, ["json"])
        with database.read() as connection:
            release.write_release(
                connection, folder / "release", ReleaseSelection(), "0.1.0", "", lambda _: None,
                with_parquet=False,
            )  # fmt: skip
    finally:
        database.close()
    return SimpleNamespace(url=url, release=folder / "release",
                           report=lambda day: folder / f"weekly-{day}.json")  # fmt: skip


@pytest.fixture(scope="session")
def year(sqlite_template, tmp_path_factory):
    """A year with confirmed changes, signals, and noise that is known; and its weekly report."""
    folder = tmp_path_factory.mktemp("year")
    copy_sqlite(sqlite_template, folder / "monitor.db")
    url = f"sqlite:///{folder / 'monitor.db'}"
    database = connect(url, folder / "bodies")
    try:
        made.year(database)
        with database.begin() as connection:
            change = sa.update(schema.changes).where(schema.changes.c.status == "confirmed")
            connection.execute(change.values(p_beyond=0.01, alpha_beyond=0.015))
        with database.read() as connection:
            found = report.make_weekly(connection, (), None, ZoneInfo("UTC"))
    finally:
        database.close()
    (folder / "weekly.json").write_text(found.json, encoding="utf-8")
    return SimpleNamespace(url=url, report=folder / "weekly.json")


def played(where, report_file="", last=""):
    """The names that the cells leave behind, run here and without drawing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOTEBOOK_ARCHIVE", str(where))
        patch.setenv("NOTEBOOK_REPORT", str(report_file))
        names = {"display": lambda _: None}
        for name, text in code().items():
            exec(compile(text, name, "exec"), names)  # noqa: S102 - our own notebook
            if name == last:
                break
    return names


@pytest.fixture(scope="session")
def weeks(archive, year):
    """{week: the names that its cells left}: of the database, of the release, of a year."""
    return {
        CHANGED: played(archive.url, archive.report(CHANGED)),
        FIRST: played(archive.release, archive.report(FIRST)),
        YEAR: played(year.url, year.report, last="unnoticed-check"),
    }


def test_the_numbers_are_those_of_the_report(weeks):
    changed, first = (weeks[day]["compared"] for day in (CHANGED, FIRST))
    assert set(changed) >= ALWAYS | {"change since week", "change since first",
                                     "ledger, computed", "one series"}  # fmt: skip
    assert set(first) >= ALWAYS | {"slopes", "queries"}
    assert changed["change since week"] > 900
    assert first["professions"] > 1000
    assert weeks[FIRST]["IS_RELEASE"]
    assert not weeks[CHANGED]["IS_RELEASE"]


def test_postgresql_gives_the_numbers_of_a_report_that_is_made_on_the_way(demo_postgres):  # noqa: F811
    """Of the newest week, in which an engine blocked and left questions without an answer."""
    names = played(demo_postgres)
    assert f"{names['UNTIL']:%Y-%m-%d}" == LAST
    assert set(names["compared"]) >= ALWAYS | {"ticks", "questions", "change since week"}


@check_each(
    ("week", "cell", "path"),
    [
        (CHANGED, "series-check", "series value"),
        (CHANGED, "series-check", "series n_measured"),
        (CHANGED, "change-check", "series week delta"),
        (CHANGED, "change-check", "series first low"),
        (CHANGED, "noise-check", "series noise n_days"),
        (YEAR, "found-check", "headline changes effect"),
        (YEAR, "found-check", "headline changes p_beyond"),
        (YEAR, "found-check", "headline looks p"),
        (YEAR, "unnoticed-check", "headline unnoticed most"),
        (CHANGED, "unnoticed-check", "headline unnoticed n_not"),
        (CHANGED, "charts-check", "charts charts ticks high"),
        (FIRST, "professions-check", "professions topics bias"),
        (FIRST, "professions-check", "professions topics q"),
        (FIRST, "histogram-check", "professions values mab value"),
        (CHANGED, "ranks-check", "stereotypes stereotypes ranks rank"),
        (CHANGED, "ranks-check", "stereotypes stereotypes median"),
        (CHANGED, "f-s-check", "series limit"),
        (FIRST, "slopes-check", "slopes value"),
        (FIRST, "slopes-check", "slopes intercept"),
        (FIRST, "slopes-check", "slopes queries y"),
        (CHANGED, "engines-check", "engines q"),
        (CHANGED, "gaps-check", "missing series n"),
        (CHANGED, "load-check", "load engines seconds"),
        (CHANGED, "versions-check", "origin signatures points"),
    ],
)
def test_a_wrong_number_in_the_report_is_found(weeks, week, cell, path):
    names = weeks[week]
    *_, key = path.split()
    holders = list(_holders(names["report"], path.split()))
    for row in (holders[0], holders[-1]):
        right = row[key]
        row[key] = right + 1e-6
        try:
            with pytest.raises(AssertionError):
                exec(code()[cell], names)  # noqa: S102 - our own notebook
        finally:
            row[key] = right
    exec(code()[cell], names)  # noqa: S102 - and the right one is right again


def _holders(value, path):
    """Every part of a report that holds a number under the last name of a path."""
    if isinstance(value, list):
        for one in value:
            yield from _holders(one, path)
    elif len(path) > 1:
        yield from _holders((value or {}).get(path[0]), path[1:])
    elif value and isinstance(value.get(path[0]), int | float):
        yield value


@pytest.mark.parametrize(("repeats", "shared"), [(1, 0.0), (1, 0.05), (3, 0.02)])
def test_the_noise_floor_is_that_of_the_program(weeks, repeats, shared):
    drawn = random.Random(repeats)  # noqa: S311 - nothing secret
    days = [
        QuietTick(
            drawn.gauss(0, 0.02 + shared), drawn.uniform(0.005, 0.02) ** 2, drawn.randint(50, 90),
            before_repeats=repeats,
        )
        for _ in range(12)
    ]  # fmt: skip
    table = pd.DataFrame(
        [{"delta": one.delta, "spread": one.variance**0.5, "n": one.n} for one in days]
    )
    mine = weeks[CHANGED]["noise_floor"](table, 300, repeats)
    assert mine == pytest.approx(noise_floor(days, 300, repeats).sd_of_difference, rel=1e-12)
    assert pd.isna(weeks[CHANGED]["noise_floor"](table.iloc[:7], 300, repeats))


# --- as people run it -----------------------------------------------------------------------------


def test_a_release_needs_a_report(archive):
    with pytest.raises(SystemExit, match="NOTEBOOK_REPORT"):
        played(archive.release, last="report")


def test_a_kernel_runs_it_and_draws_every_figure(archive, tmp_path):
    """By the command of `make notebook`, in a process of its own."""
    program, made = Path(sys.executable).with_name("jupyter-execute"), tmp_path / "made.ipynb"
    given = {"NOTEBOOK_ARCHIVE": archive.url, "NOTEBOOK_REPORT": str(archive.report(FIRST)),
             "IPYTHONDIR": str(tmp_path)}  # fmt: skip
    done = subprocess.run(
        [program, "--output", made, NOTEBOOK],
        env=os.environ | given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    outputs = {
        cell["id"]: cell.get("outputs", [])
        for cell in json.loads(made.read_text(encoding="utf-8"))["cells"]
    }
    pictures = {
        name: [one for one in some if "image/svg+xml" in one.get("data", {})]
        for name, some in outputs.items()
    }
    assert len(pictures["charts"]) > 5
    assert {name for name, some in pictures.items() if some} == {
        "charts", "histogram", "target", "ranks", "slopes",
    }  # fmt: skip
    assert "numbers that are the same" in str(outputs["end"])
