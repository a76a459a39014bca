"""The toy job from questions to points: Figures 4, 5 and 6 of Fabris et al. (2020)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import RunKind, RunState
from monitor.stats.correlation import pearson
from tests.factories import DUE, quiet, rows

JOB = Path(__file__).parent.parent / "jobs" / "gsr-toy.toml"
NAME = "GSR(discount=none,floor=3,lexicon=glove-6b-50d)"


@pytest.fixture
def toy_run(sqlite_database, tmp_path):
    audit = load_audit(JOB)
    tick = pipeline.start(sqlite_database, audit, RunKind.MANUAL, DUE)
    outside = Outside(tmp_path / "models", 1, Way(contact=""))
    try:
        summary = pipeline.run(sqlite_database, audit, tick, outside, quiet)
    finally:
        outside.close()
    assert summary.state is RunState.DONE
    return sqlite_database


def slopes(database):
    found = rows(
        database,
        "SELECT engine, value FROM points_current"
        " WHERE measure = :m AND quantity = 'gsr' AND scope = 'all'",
        m=NAME,
    )
    return {row["engine"].rsplit("gsr-", 1)[1].rstrip(")"): row["value"] for row in found}


def by_query(database, measure, quantity, system):
    found = rows(
        database,
        "SELECT key, value FROM queries_current WHERE measure LIKE :m AND quantity = :q"
        " AND engine LIKE :e ORDER BY key",
        m=f"{measure}(%",
        q=quantity,
        e=f"%gsr-{system})",
    )
    return {row["key"]: row["value"] for row in found}


def test_the_stereotypical_system_rises_its_opposite_falls_and_the_neutral_one_is_flat(toy_run):
    found = slopes(toy_run)
    for toy in ("toy1", "toy2"):
        assert found[f"{toy}-s"] > 0.2
        assert found[f"{toy}-cs"] == pytest.approx(-found[f"{toy}-s"], abs=1e-12)
        assert abs(found[f"{toy}-n"]) < 1e-12


def test_the_slopes_are_those_of_the_reference(toy_run, reference_data):
    oracle = json.loads((reference_data / "oracles" / "a3_toy.json").read_text())
    names = {"stereo": "s", "neutral": "n", "antistereo": "cs"}
    for toy, systems in oracle["toys"].items():
        for system, content in systems.items():
            expected = content["fit"]["mean"]["slope"]
            assert slopes(toy_run)[f"{toy}-{names[system]}"] == pytest.approx(expected, abs=1e-9)


def test_genderedness_of_lists_goes_with_statistical_parity(toy_run):
    """Figure 6: where documents name women and men, both say the same of every list."""
    genderedness = by_query(toy_run, "GSR", "gsr", "toy1-s")
    parity = by_query(toy_run, "direct_gap", "log_gap", "toy1-s")
    assert len(genderedness) == len(parity) == 20
    r = pearson([genderedness[key] for key in parity], list(parity.values()))
    assert r == pytest.approx(1.0, abs=0.05)


def test_the_toy_collections_are_as_their_script_writes_them():
    script = JOB.parent.parent / "docs" / "gsr_toy.py"
    done = subprocess.run([sys.executable, str(script), "--check"], check=False)
    assert done.returncode == 0
