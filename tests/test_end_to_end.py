"""The demo as a person runs it: the real engine, processes, Ctrl-C, resume, report.

Two folders: in one the run is stopped in the middle and resumed, in the other it is run in one
go. The engine is deterministic, so both must come to the same values.
"""

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

MONITOR = Path(sys.executable).with_name("monitor")
QUESTIONS = 1_984
# Without low and high: a manual run is due when it is begun, and the due time is in the seed.
POINTS = """
    SELECT list, engine, target, measure, quantity, reference, scope, state, reason, value,
        bound_low, bound_high, flags, planned, answered, used, unidentified, signature
    FROM points_current WHERE run_id = ?
    ORDER BY list, engine, target, measure, quantity, reference, scope
"""


def monitor(folder, *arguments):
    return subprocess.run(
        [MONITOR, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


def query(folder, sql, *values):
    with closing(sqlite3.connect(folder / "monitor.db")) as connection:
        return connection.execute(sql, values).fetchall()


def wait_for_answers(folder, process, wanted):
    """Wait until so many exchanges are stored; fails when the run ends before."""
    while True:
        [(stored,)] = query(folder, "SELECT COUNT(*) FROM exchanges")
        if stored >= wanted:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """(folder, what the stopped run said, what was stored when it had ended)."""
    folder = tmp_path_factory.mktemp("stopped")
    assert monitor(folder, "init").returncode == 0
    process = subprocess.Popen(
        [MONITOR, "run", "jobs/demo.toml"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for_answers(folder, process, 5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    stored = query(folder, "SELECT id, exchange_id, position FROM attempts ORDER BY id")
    return folder, process.returncode, err, stored


@pytest.fixture(scope="module")
def resumed(stopped):
    """(folder, result) of the stopped run after `--resume`."""
    folder = stopped[0]
    return folder, monitor(folder, "run", "jobs/demo.toml", "--resume")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """(folder, result) of the demo run in one go."""
    folder = tmp_path_factory.mktemp("whole")
    assert monitor(folder, "init").returncode == 0
    return folder, monitor(folder, "run", "jobs/demo.toml")


def test_ctrl_c_ends_with_130_and_says_how_to_go_on(stopped):
    _, code, err, _ = stopped
    assert code == 130
    assert "monitor: stopped: " in err
    assert "monitor run jobs/demo.toml --resume" in err
    assert "Traceback" not in err


def test_ctrl_c_keeps_what_was_collected(stopped):
    _, _, err, stored = stopped
    answered = [row for row in stored if row[1] is not None]
    assert len(stored) == QUESTIONS
    assert 5 * 16 <= len(answered) < QUESTIONS
    assert f"{len(answered):,} of 1,984 answers are kept" in err


def test_resuming_completes_the_run_without_asking_twice(stopped, resumed):
    folder, result = resumed
    assert result.returncode == 0, result.stderr
    assert query(folder, "SELECT state FROM runs") == [("done",)]
    after = query(folder, "SELECT id, exchange_id, position FROM attempts ORDER BY id")
    assert len(after) == QUESTIONS
    kept = {row for row in stopped[3] if row[1] is not None}
    assert kept <= set(after)
    assert query(folder, "SELECT COUNT(*) FROM attempts WHERE exchange_id IS NULL") == [(0,)]
    twice = """
        SELECT engine_id, probe_id, repeat FROM attempts GROUP BY engine_id, probe_id, repeat
        HAVING COUNT(*) > 1
    """
    assert query(folder, twice) == []
    assert query(folder, "SELECT COUNT(*) FROM readings") == [(QUESTIONS,)]
    assert query(folder, "SELECT COUNT(*) FROM agreements") == [(QUESTIONS,)]


def test_the_stopped_and_the_whole_run_come_to_the_same_values(resumed, whole):
    """In any order of the processes, signatures included."""
    first, second = query(resumed[0], POINTS, 1), query(whole[0], POINTS, 1)
    assert len(first) > 200
    assert first == second


def test_the_demo_answers_every_question(whole):
    folder, result = whole
    assert result.returncode == 0, result.stderr
    rows = query(
        folder, "SELECT list, planned, answered, unanswered FROM coverage ORDER BY planned"
    )
    assert rows == [
        ("named-professions@1", 224, 224, 0),
        ("stereotypes@1", 640, 640, 0),
        ("professions@1", 1_120, 1_120, 0),
    ]


def test_the_demo_has_sixteen_masculine_rates(whole):
    rates = query(
        whole[0],
        """
        SELECT stereotype, value, low, high, masculine, feminine, used, planned, state
        FROM masculine_rates ORDER BY stereotype
        """,
    )
    assert [row[0] for row in rates] == list(range(1, 17))
    for _, value, low, high, masculine, feminine, used, planned, state in rates:
        assert state == "measured"
        assert 0 <= low <= value <= high <= 1
        assert planned == 40
        assert masculine + feminine == used >= 10
        assert value == pytest.approx(masculine / used)


def test_every_value_has_a_witness_in_the_answers(whole):
    """f_m is the mean of the rates, and each rate can be counted again from the answers."""
    counted = query(
        whole[0],
        """
        SELECT CAST(json_extract(tags, '$.stereotype') AS INTEGER) AS stereotype,
            AVG(class = 'masculine')
        FROM answers WHERE class IN ('masculine', 'feminine') AND list = 'stereotypes@1'
        GROUP BY 1 ORDER BY 1
        """,
    )
    rates = query(whole[0], "SELECT stereotype, value FROM masculine_rates ORDER BY stereotype")
    assert rates == [(s, pytest.approx(share)) for s, share in counted]
    found = dict(query(whole[0], "SELECT quantity, value FROM points_current WHERE scope = 'all'"))
    women, men = [v for _, v in rates[:7]], [v for _, v in rates[7:]]
    p_f, p_m = sum(women) / 7, sum(men) / 9
    assert found["f_m"] == pytest.approx((p_f + p_m) / 2)
    assert found["f_s"] == pytest.approx(p_m - p_f)


def test_the_demo_compares_professions_with_the_reference(whole):
    rows = query(
        whole[0],
        """
        SELECT reference, COUNT(*), SUM(state = 'measured'), MIN(bias), MAX(bias)
        FROM topics_current GROUP BY reference ORDER BY reference
        """,
    )
    assert [row[0] for row in rows] == ["parity", "us_labour"]
    for _, topics, measured, lowest, highest in rows:
        assert topics == 112
        assert 10 < measured <= topics
        assert -1 <= lowest < highest <= 1


def test_what_answered_is_recorded(whole):
    [(identity,)] = query(whole[0], "SELECT identity FROM agents")
    facts = json.loads(identity)
    assert facts["model"] == "en-pt"
    assert len(facts["sha256:model"]) == 64


def test_the_terminal_shows_the_rates(whole):
    said = " ".join(whole[1].stdout.split())
    assert "Masculine and feminine forms in machine translation" in said
    assert re.search(r"\d+ of 640 sentences with a stereotype came back", said)
    assert re.search(r"\d+ of 112 occupations have enough marked answers", said)


def test_the_report_of_the_demo_is_written(whole):
    result = monitor(whole[0], "report", "--output", "out/report.html")
    assert result.returncode == 0, result.stderr
    html = (whole[0] / "out" / "report.html").read_text(encoding="utf-8")
    assert "<svg" in html
    assert "firefox_translations" in html or "Firefox Translations" in html
    for outside in ('src="http', "src='http", "<link ", "@import"):
        assert outside not in html


def test_the_evidence_of_the_demo_can_be_verified(whole):
    result = monitor(whole[0], "evidence", "verify")
    assert result.returncode == 0, result.stderr
    assert "stored answers match their digests" in result.stdout
