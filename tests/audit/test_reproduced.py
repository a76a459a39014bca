"""Audits of the instrument are in reproducibility packages: flags and causes are equal."""

import csv
import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.model import RunKind
from monitor.pipeline.collect.run_starts import pairs_of
from monitor.stages.publish.reproduction_comparison import AUDITED
from monitor.store.database import connect
from monitor.store.schema import (
    agreements,
    changes,
    instrument_audit_labels,
    points,
    stages_done,
    versions,
)
from tests.command import program
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet
from tests.reproduction import change, everything, lines

WEEK = timedelta(weeks=1)
NAMES = ("maria", "joao")


def ticks(database, folder):
    """Three ticks, each asked again twice; at the last one far more are feminine."""
    items = mini_items(6)
    audit = make_audit(folder, items, noise={"share": 1}, confirm={})
    for n, women in enumerate((7, 7, 13)):
        said = portuguese(items, lambda item, women=women: int(item["stereotype"]) <= women)
        at = DUE + n * WEEK
        tick = pipeline.start(database, audit, RunKind.SCHEDULED, at)
        pipeline.run(database, audit, tick, Scripted(said, at=at), quiet)
        for again in (
            pipeline.start_noise(database, audit, at),
            pipeline.start_confirm(database, audit, at, pairs_of(audit)).run,
        ):
            pipeline.run(database, audit, again, Scripted(said, at=at), quiet)


def read(path, wrong, differs):
    """Fill a sheet: so many of each class wrong, and so many otherwise than the first reader."""
    with path.open(encoding="utf-8", newline="") as file:
        some = list(csv.DictReader(file))
    errs, other = {}, {}
    for row in some:
        said = "feminine" if "cansada" in row["text"] else "masculine"
        errs[said], other[said] = errs.get(said, 0) + 1, other.get(said, 0) + 1
        row["class"] = (
            "none" if errs[said] <= wrong else "mixed" if other[said] <= differs else said
        )
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, some[0])
        writer.writeheader()
        writer.writerows(some)
    return path


@pytest.fixture
def monitor(database_url, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_DATABASE_URL", database_url)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def audited(database_url, monitor, tmp_path):
    """An archive in which two people found that the rules fell at the last tick."""
    opened = connect(database_url, tmp_path / "bodies")
    ticks(opened, tmp_path / "job")
    for run, wrong in ((1, 0), (7, 12)):  # the first tick and the last one
        for name, differs in zip(NAMES, (0, 3), strict=True):
            sheet = tmp_path / f"{run}-{name}.csv"
            code, _, why = monitor("audit", "draw", "mini", "--run", run, "-o", sheet)
            assert code == 0, why
            code, _, why = monitor("audit", "import", read(sheet, wrong, differs), "--by", name)
            assert code == 0, why
    code, _, why = monitor("redo")
    assert code == 0, why
    yield opened
    opened.close()


def reproduced(monitor, folder, *options):
    code, said, why = monitor("reproduce", folder, "--processes", "1", "--json", *options)
    assert said, why
    return code, json.loads(said)


@pytest.mark.parametrize(
    ("dialect", "kind"),
    [("sqlite", "--full"), ("sqlite", "--redacted"), ("postgresql", "--full")],
    indirect=["dialect"],
)
def test_flags_causes_and_corrected_rates_are_made_anew(audited, monitor, kind, tmp_path):
    with audited.read() as connection:
        flags = connection.execute(sa.select(points.c.flags).where(points.c.is_newest)).scalars()
        assert any("instrument_suspect" in one for one in flags)
        causes = connection.execute(sa.select(changes.c.cause).where(changes.c.is_current))
        assert "instrument" in set(causes.scalars())
    code, said, why = monitor("export", "reproduction", "p", kind, "--json")
    assert (code, json.loads(said)["behind"]) == (0, {}), why
    code, found = reproduced(monitor, "p", "--keep", "kept")
    assert (found["differences"], found["not_held"], code) == ([], [], 0)
    published = lines(tmp_path / "p", "published/reports")
    said = {name: value for row in published for name, value in row["values"].items()}
    assert any(name.startswith("instrument.audits[0].masculine_share") for name in said)
    assert any(name.startswith("missing.suspect[") for name in said)
    assert any("in doubt" in str(value) or value == "true" for name, value in said.items()
               if "is_suspect" in name)  # fmt: skip
    kept = connect(f"sqlite:///{tmp_path / 'kept' / 'monitor.db'}", tmp_path / "kept" / "bodies")
    with audited.read() as before, kept.read() as after:
        query = sa.select(instrument_audit_labels).order_by(instrument_audit_labels.c.id)
        old, new = (
            [(row["item_id"], row["class"]) for row in connection.execute(query).mappings()]
            for connection in (before, after)
        )
    kept.close()
    assert old == new


def test_who_read_has_a_number_and_nobody_a_name(audited, monitor, tmp_path):
    for kind in ("--full", "--redacted"):
        folder = tmp_path / kind.strip("-")
        assert monitor("export", "reproduction", folder, kind)[0] == 0
        content = everything(folder).decode()
        assert not [name for name in NAMES if name in content]
        labels = lines(folder, "inputs/instrument_audit_labels")
        assert {row["rater"] for row in labels} == {"reader-1", "reader-2"}
        assert {row["sheet"] for row in labels} == {""}
    assert "cansada" not in everything(tmp_path / "redacted").decode()


def test_calls_of_rules_that_are_not_here_any_more_are_taken_over_as_they_were(
    audited, monitor, tmp_path
):
    """The language was updated after the audits: what people read is nothing to hear again."""
    with audited.begin() as connection:
        old = versions.c.kind == "languages"
        connection.execute(sa.update(versions).where(old).values(version=0, fingerprint="0"))
        connection.execute(sa.delete(stages_done).where(stages_done.c.stage != "parse"))
    assert monitor("redo")[0] == 0
    assert monitor("export", "reproduction", "p", "--full")[0] == 0
    code, found = reproduced(monitor, "p", "--keep", "kept")
    assert (found["differences"], code) == ([], 0)
    assert found["not_held"] == []
    kept = connect(f"sqlite:///{tmp_path / 'kept' / 'monitor.db'}", tmp_path / "kept" / "bodies")
    with kept.read() as connection:
        query = sa.select(agreements.c.language_id, sa.func.count()).group_by("language_id")
        heard = sorted(n for _, n in connection.execute(query))
    kept.close()
    drawn = len(lines(tmp_path / "p", "inputs/instrument_audit_items"))
    assert heard[0] == drawn < heard[1]


def test_a_label_that_was_changed_is_found(audited, monitor, tmp_path):
    assert monitor("export", "reproduction", "p", "--redacted")[0] == 0

    def edit(some):
        for row in some:
            row["class"] = "feminine" if row["class"] == "none" else row["class"]

    change(tmp_path / "p", "inputs/instrument_audit_labels", edit)
    code, found = reproduced(monitor, "p")
    assert code == 1
    assert {one["name"] for one in found["differences"] if one["kind"] == "points"} <= {"flags"}
    assert any(one["kind"] == "reports" for one in found["differences"])


def test_audits_of_another_job_excuse_what_they_say_and_nothing_else(audited, monitor, tmp_path):
    """A job in the same language: its flags follow from an audit that is not in its package."""
    items = mini_items(6)
    audit = make_audit(tmp_path / "other", items, name="other")
    said = portuguese(items, lambda item: int(item["stereotype"]) <= 7)
    at = DUE + 3 * WEEK
    tick = pipeline.start(audited, audit, RunKind.SCHEDULED, at)
    pipeline.run(audited, audit, tick, Scripted(said, at=at), quiet)
    code, _, why = monitor("export", "reproduction", "p", "--redacted", "--job", "other")
    assert code == 0, why
    code, found = reproduced(monitor, "p")
    assert (found["differences"], code) == ([], 0)
    left = {(one["kind"], one["why"]): one["n"] for one in found["not_held"]}
    of_points = [n for (kind, why), n in left.items() if kind == "points" and why == AUDITED]
    assert len(of_points) == 1
    assert of_points[0] == len(lines(tmp_path / "p", "published/points"))  # one flag each

    def edit(some):
        some[0]["values"]["planned"] += 1

    change(tmp_path / "p", "published/points", edit)
    code, found = reproduced(monitor, "p")
    assert (code, [one["name"] for one in found["differences"]]) == (1, ["planned"])
