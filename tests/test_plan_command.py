"""`monitor plan`: what a tick costs, and how small a change it finds."""

import json

import pytest

from tests.command import program
from tests.factories import make_job, make_list, mini_items, mini_professions


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def job(tmp_path):
    make_list(tmp_path / "jobs", items=mini_items(40))
    return make_job(tmp_path / "jobs", engines=[
        {"name": "firefox_translations", "targets": ["pt", "es"]},
    ])  # fmt: skip


def test_it_says_how_small_a_change_can_be_found(monitor, job, tmp_path):
    code, said, warned = monitor("plan", job)
    assert (code, warned) == (0, "")
    text = " ".join(said.split())
    assert "found with a probability of 80 % / 90 %" in text
    assert "mini, firefox_translations: English to Portuguese and Spanish" in text
    assert "f_s 640 2.0% assumed 0.030 / 0.034 0.057 / 0.069" in text
    assert "after a level of 12 ticks" in text
    assert "Found when 7 runs in a row lie beyond all runs before, with 6 primary series" in text
    assert "this job has a false finding with a probability of at most 5%, however long" in text
    assert "flips: not measured yet; 2 % of answers are assumed to differ" in text
    assert "A year of this job has 52 ticks: 66,560 questions, 0 more by noise runs." in text
    assert "Only ticks count as whole runs without [noise]: a change is found 7 ticks after" in text
    assert "Without [confirm] nothing is asked again when a change is suspected." in text
    assert all(len(line) <= 80 for line in said.splitlines() if "/" in line and "0." in line)
    assert not (tmp_path / "monitor.db").exists()


def test_scripts_get_the_same_beside_each_estimate(monitor, job):
    code, said, _ = monitor("plan", job, "--json")
    assert code == 0
    [pt, es] = json.loads(said)
    assert (pt["target"], es["target"], pt["questions"]) == ("pt", "es", 640)
    assert [one["quantity"] for one in pt["changes"]] == ["f_s", "f_m", "marked_share"]
    [f_s, *_] = pt["changes"]
    assert (f_s["probes"], f_s["flips"], f_s["flips_from"]) == (640, 0.02, "assumed")
    assert [(one["claim"], one["power"]) for one in f_s["smallest"]] == [
        (claim, power) for claim in ("list", "beyond") for power in (0.8, 0.9)
    ]
    assert [round(one["effect"], 3) for one in f_s["smallest"]] == [0.03, 0.034, 0.057, 0.069]


def test_noise_runs_of_all_questions_find_smaller_changes_sooner_at_a_price(monitor, tmp_path):
    make_list(tmp_path / "jobs", items=mini_items(40))
    texts = {}
    for share in (0.1, 1):
        path = make_job(tmp_path / "jobs", noise={"share": share}, confirm={})
        texts[share] = " ".join(monitor("plan", path)[1].split())
        assert "Without [confirm]" not in texts[share]
    assert "with [noise] share = 0.1: a change is found 6 ticks after it" in texts[0.1]
    assert "52 ticks: 33,280 questions, 3,328 more by noise runs, and on average" in texts[0.1]
    assert "Only ticks count" not in texts[1]
    assert "Found when 4 runs in a row" in texts[1]
    assert "33,280 more by noise runs, and on average about 467 by confirming" in texts[1]


def test_quantities_without_a_formula_are_named_with_the_reason(monitor, tmp_path):
    make_list(tmp_path / "jobs")
    make_list(tmp_path / "jobs", "work", items=mini_professions(tuple("abcdefghijklmnopqrst")))
    path = make_job(
        tmp_path / "jobs",
        lists=[{"name": "mini@1"}, {"name": "work@1"}],
        measures=[
            {"name": "masculine_rate", "floor": 3},
            {"name": "c_ratio_bias", "references": ["parity"]},
        ],
        families={"primaries": ["f_s", "mab", "mb"]},
    )
    code, said, _ = monitor("plan", path)
    assert code == 0
    text = " ".join(said.split())
    assert "No smallest change is said of f_s of masculine_rate(floor=3): too few questions" in text
    assert "said of mab of c_ratio_bias: its test has no distribution that is known" in text
    assert "mb parity 40 2.0% assumed" in text


def test_a_database_that_cannot_be_used_is_said_and_the_plan_is_made(monitor, job, tmp_path):
    (tmp_path / "monitor.db").write_bytes(b"no database at all, but long enough to be read as one")
    code, said, warned = monitor("plan", job)
    assert code == 0
    assert "2.0% assumed" in said
    assert "what the database knows of noise is left out" in warned


def test_a_job_with_nothing_to_test_says_so(monitor, tmp_path):
    make_list(tmp_path / "jobs")
    path = make_job(tmp_path / "jobs", engines=[
        {"name": "firefox_translations", "targets": ["pt"], "control": True},
    ])  # fmt: skip
    code, said, _ = monitor("plan", path)
    assert (code, "Nothing of this job is tested for changes" in said) == (0, True)
