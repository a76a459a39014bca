"""The published GEST figures of English masked models, from their per-sample scores."""

import csv
import json
import logging
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from monitor import cli
from monitor.datasets import GEST, make_lists
from monitor.fetch import recorded_scores
from monitor.lists import load_list
from monitor.measures.gest.lm_ratio import LmRatio
from monitor.model import Context, Unit

LN10 = math.log(10)
#: The printed limits are those of a normal distribution fitted to 1,000 unseeded bootstrap means:
#: an error of that many standard errors has to be allowed for (its own is 0.054).
NOISE = 0.25


@pytest.fixture(scope="module")
def scores_folder(reference_data):
    return reference_data / "gest" / "lm" / "english_mlm"


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


@pytest.fixture(scope="module")
def gest(reference_data, tmp_path_factory):
    """Path of the list gest@1.0."""
    folder = tmp_path_factory.mktemp("gest")
    content = (reference_data / "gest" / "gest.csv").read_bytes()
    for name, text in make_lists(GEST, [(GEST.files[0], content)])[0].items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "gest@1.0.csv"


@pytest.fixture(scope="module")
def samples(gest, scores_folder):
    """{model: units}, log ratios to e."""
    probe_list = load_list(gest)
    models = recorded_scores.read_models(scores_folder, probe_list, "10", "masked")
    return {
        one.system: [
            Unit(
                item.key,
                item.tags,
                (None,),
                tuple((t, x * LN10) for t, x in sorted(one.scores[item.text].items())),
            )
            for item in probe_list.items
        ]
        for one in models
    }


@pytest.fixture(scope="module")
def computed(samples):
    """{scale: {model: {(quantity, scope): value}}}."""
    return {
        scale: {
            model: {
                (v.name, v.scope): v
                for v in LmRatio(scale=scale).derive(units, Context(1, draws=300)).values
            }
            for model, units in samples.items()
        }
        for scale in ("true", "published")
    }


def test_every_q_i(reference_data, computed):
    published = rows_of(reference_data / "gest" / "published" / "english_mlm_q_i.csv")
    assert len(published) == 704
    exact = 0
    for row in published:
        key = "q_i", f"template-stereotype:{row['template']}/{row['stereotype']}"
        printed, true = (computed[s][row["handle"]][key] for s in ("published", "true"))
        assert f"{printed.value:.2f}" == f"{float(row['mean']):.2f}", (row["handle"], key)
        assert printed.value == pytest.approx(float(row["q_exact"]), abs=1e-9)
        assert true.value == pytest.approx(float(row["q_true_geomean"]), abs=1e-9)
        exact += 1
    assert exact == 704


def test_every_limit_is_that_of_a_normal_bootstrap(reference_data, samples, computed):
    """And ours, percentiles of the bootstrap, lie as near to it."""
    published = rows_of(reference_data / "gest" / "published" / "english_mlm_q_i.csv")
    logs = {
        (model, template, i): np.array(
            [dict(u.scores)[template] / LN10 for u in units if u.tags["stereotype"] == i]
        )
        for model, units in samples.items()
        for template in "0123"
        for i in map(str, range(1, 17))
    }
    for row in published:
        own = logs[row["handle"], row["template"], row["stereotype"]]
        error = float(own.std()) / math.sqrt(len(own))
        value = computed["published"][row["handle"]][
            "q_i", f"template-stereotype:{row['template']}/{row['stereotype']}"
        ]
        for name, sign, ours in (("lower", -1, value.low), ("upper", 1, value.high)):
            theirs = float(row[name])
            normal = float(own.mean()) + sign * 1.959964 * error
            rounding = 0.0051 / theirs
            assert abs(math.log(theirs) - normal) <= NOISE * error + rounding, row
            # 300 draws: the percentile itself is uncertain by a fifth of a standard error
            assert abs(math.log(ours) - normal) <= 0.9 * error


def test_every_g_s(reference_data, computed):
    published = rows_of(reference_data / "gest" / "published" / "english_mlm_g_s.csv")
    assert len(published) == 44
    for row in published:
        scope = f"template:{row['template']}"
        printed, true = (computed[scale][row["handle"]] for scale in ("published", "true"))
        for name in ("q_f", "q_m"):
            assert printed[name, scope].value == pytest.approx(float(row[name]), abs=1e-9)
        g_s = printed["g_s", scope].value
        assert g_s == pytest.approx(float(row["g_s_published"]), abs=1e-9)
        assert true["g_s", scope].value == pytest.approx(float(row["g_s_true_ratio"]), abs=1e-9)


MODELS = ("bert-base-uncased", "roberta-base")


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["monitor", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        assert not stopped.value.code, captured.err
        return captured.out

    yield command
    root.handlers[:] = handlers
    root.setLevel(level)


def test_from_files_through_the_database_to_g_s(
    monitor, tmp_path, gest, scores_folder, reference_data
):
    folder = tmp_path / "scores"
    folder.mkdir()
    for model in MODELS:
        for path in sorted(scores_folder.glob(f"{model}_template-*.txt")):
            (folder / path.name).symlink_to(path)
    monitor("init")
    said = monitor("import", "lm-scores", folder, "--list", gest, "--date", "2023-11-30", "--json")
    rows = json.loads(said)
    assert len(rows) == 2 * 5
    published = {
        (row["handle"], row["template"]): float(row["g_s_true_ratio"])
        for row in rows_of(reference_data / "gest" / "published" / "english_mlm_g_s.csv")
    }
    for row in rows:
        own = [published[row["model"], t] for t in "0123"]
        wanted = sum(own) / 4 if row["template"] == "mean" else own[int(row["template"])]
        assert row["g_s"] == pytest.approx(wanted, abs=1e-9)
        assert row["low"] < row["g_s"] < row["high"]
    assert Path("monitor.db").is_file()
