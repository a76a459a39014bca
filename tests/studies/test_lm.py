"""The study `lm` on two models whose scores are plain to see."""

import math

import pytest

from monitor.fetch import recorded_scores
from monitor.model import InvalidInput
from monitor.studies import _lm_results as tables
from monitor.studies import catalogue, pages
from monitor.studies import lm as reading
from monitor.studies.catalogue import Verdict
from monitor.studies.lm import STUDY, compute_model
from tests.studies.small_gest import write

PER = 10
SENTENCES = [(f"I am {s} {n}.", s) for s in range(1, 17) for n in range(PER)]
LIST = """name = "small"
version = "1"
source_lang = "en"
title = "Small"
status = "validated"
licence = "CC0-1.0"
"""


def log10(model, template, stereotype):
    """The score of every sentence: models differ in level, templates in slope."""
    return {"one": 0.1, "two": -0.2}[model] + (template + 1) * 0.01 * stereotype


def made(tmp_path):
    keyed = [(f"k{n}", *row) for n, row in enumerate(SENTENCES)]
    write(tmp_path / "small@1.csv", ("key", "text", "stereotype"), keyed)
    (tmp_path / "small@1.toml").write_text(LIST, encoding="utf-8")
    levels, rates = [], []
    for model in ("one", "two"):
        for template in range(4):
            lines = [f"{log10(model, template, s)}\n" for _, s in SENTENCES]
            path = tmp_path / "scores" / f"{model}_template-{template}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(lines), encoding="utf-8")
            logs = {s: log10(model, template, s) for s in range(1, 17)}
            for s, log in logs.items():
                exact = math.exp(log)
                levels.append((model, template, s, f"{exact:.2f}", exact))
            q_f = math.exp(sum(logs[s] for s in range(1, 8)) / 7)
            q_m = math.exp(sum(logs[s] for s in range(8, 17)) / 9)
            rates.append((model, template, q_f, q_m, q_m / q_f))
    header = ("handle", "template", "stereotype", "mean", "q_exact")
    write(tmp_path / "p" / "small_q_i.csv", header, levels)
    header = ("handle", "template", "q_f", "q_m", "g_s_published")
    write(tmp_path / "p" / "small_g_s.csv", header, rates)
    return tmp_path


@pytest.fixture
def data(tmp_path):
    return made(tmp_path)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    return run(made(tmp_path_factory.mktemp("lm")))


def run(data, **options):
    given = {
        "scores": data / "scores", "list": data / "small@1.csv", "published": data / "p",
    }  # fmt: skip
    return catalogue.run_study(STUDY, given | options, len)


def test_every_cell_is_the_published_one_on_either_scale(done):
    assert len(done.found.checks) == 2 * 4 * (2 + 3 + 16)
    assert {check.verdict for check in done.found.checks} == {Verdict.EQUAL}
    rates = next(table for table in done.found.tables if table.name == "g_s")
    row = dict(zip(rates.columns, rates.rows[0], strict=True))
    assert row["g_s"] == pytest.approx(10 ** (0.01 * 8), abs=1e-12)  # means 12 and 4
    assert row["g_s as the paper counts"] == pytest.approx(math.exp(0.01 * 8), abs=1e-12)
    assert done.found.notes[0].startswith("2 of 2 models lean towards the stereotypes")
    assert "rho 1.00, lowest 1.00, highest 1.00" in done.found.notes[1]


def test_another_number_than_the_published_one_differs(data):
    path = data / "scores" / "one_template-2.txt"
    path.write_text(path.read_text("utf-8").replace("0.13\n", "0.14\n"), encoding="utf-8")
    probe_list = reading.read_probe_list(data / "small@1.csv")
    files = recorded_scores.read_models(data / "scores", probe_list, "10", "masked")
    published = reading.read_published(reading.published_tables(data / "p"))
    found = tables.make_checks([compute_model(one, probe_list) for one in files], published)
    differing = [check.what for check in found if check.verdict is Verdict.DIFFERS]
    assert differing == [
        "one, template 2: furthest of 16 q_i, all digits",
        "one, template 2: furthest of 16 true q_i ** 0.4343",
        "one, template 2: q_f",
        "one, template 2: g_s",
        "one, template 2: q_1",
    ]


def test_what_was_not_published_is_said_and_the_rest_compared(data):
    """Generative models: files 0 and 1 are the templates 2 and 3, of which tables may lack some."""
    for path in (data / "scores").glob("*.txt"):
        if path.stem[-1] in "01":
            path.rename(path.with_name(path.name.replace("one", "new")))
        else:
            path.unlink()
    found = run(data, models="generative").found
    compared = [check for check in found.checks if check.verdict is not Verdict.NOT_COMPARED]
    assert {check.what[:3] for check in compared} == {"two"}
    lacking = [(c.what, c.note) for c in found.checks if c.verdict is Verdict.NOT_COMPARED]
    note = "nothing was published of this model; the tables have one, two"
    assert lacking == [(f"new, template {t}: q_i and g_s", note) for t in "23"]


def test_tables_with_the_numbers_of_files_are_said_to_have_nothing(data):
    for path in (data / "scores").glob("*.txt"):
        if path.stem[-1] in "23" or path.name.startswith("two"):
            path.unlink()
    for name in ("small_q_i.csv", "small_g_s.csv"):
        path = data / "p" / name
        rows = path.read_text("utf-8").splitlines()
        rows = [row for row in rows if not row.startswith(("one,2", "one,3"))]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = run(data, models="generative").found
    assert {check.verdict for check in found.checks} == {Verdict.NOT_COMPARED}
    note = "template 0, 1; the files 0 and 1 of generative models are the templates 2 and 3, and"
    assert all(note in check.note for check in found.checks)
    assert found.notes[0].startswith("Nothing was compared with what was published")


def test_a_template_that_was_not_published_is_said(data):
    for name in ("small_q_i.csv", "small_g_s.csv"):
        path = data / "p" / name
        rows = path.read_text("utf-8").splitlines()
        rows = [row for row in rows if not row.startswith(("one,0", "one,1"))]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = run(data).found
    lacking = [(c.what, c.note) for c in found.checks if c.verdict is Verdict.NOT_COMPARED]
    note = "published of this model: template 2, 3"
    assert lacking == [(f"one, template {t}: q_i and g_s", note) for t in "01"]
    assert len(found.checks) == 6 * (2 + 3 + 16) + 2


def test_a_stereotype_with_too_few_samples_has_no_number_and_no_rank(data):
    short = [row for row in SENTENCES if row != ("I am 3 0.", 3)]
    keyed = [(f"k{n}", *row) for n, row in enumerate(short)]
    write(data / "small@1.csv", ("key", "text", "stereotype"), keyed)
    for path in (data / "scores").iterdir():
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:20] + lines[21:]), encoding="utf-8")
    done = run(data)
    lacking = {c.what: c.note for c in done.found.checks if c.verdict is Verdict.NOT_COMPARED}
    assert "one, template 0: q_3" in lacking
    assert "stereotype 3" in lacking["one, template 0: g_s"]
    assert "one, template 0: q_m" not in lacking
    assert {row[-1] for table in done.found.tables[1:] for row in table.rows} == {None}
    assert "NaN" not in pages.render_html(done)


def test_figures_stand_beside_the_published_where_there_are_any(data, done):
    figures = {figure.name: figure for figure in done.found.figures}
    assert list(figures) == [
        "rates", "ranks", "levels-0", "levels-1", "levels-2", "levels-3", "alike-models",
        "alike-templates",
    ]  # fmt: skip
    assert [name for name, one in figures.items() if not one.published] == list(figures)[-2:]
    alone = run(data, published=None).found
    assert (alone.checks, {figure.published for figure in alone.figures}) == ([], {None})


def test_winobias_is_correlated_with_g_s_where_it_is_given(data, done):
    assert any("WinoBias" in limit.what for limit in done.found.limits)
    header = ("model_name", "logprob_male_professions", "logprob_female_professions")
    path = write(data / "w.csv", header, [("org/one", 0.5, 0.2), ("org/one", 0.4, 0.3)])
    done = run(data, winobias=path)
    assert not any("WinoBias" in limit.what for limit in done.found.limits)
    [row] = next(table for table in done.found.tables if table.name == "winobias").rows
    assert row[:2] == ("one", pytest.approx(0.2))
    assert "no Pearson correlation over 1 model" in done.found.notes[-2]
    write(path, header, [("other", 0.5, 0.2)])
    with pytest.raises(InvalidInput, match="has other, and none of the models that were scored"):
        run(data, winobias=path)
    write(path, header, [("one", "much", 0.2)])
    with pytest.raises(InvalidInput, match="logprob_male_professions of one is 'much'"):
        run(data, winobias=path)


def test_what_cannot_be_used_is_named(data):
    with pytest.raises(InvalidInput, match="log '3': must be one of 10, e, 2"):
        run(data, log="3")
    with pytest.raises(InvalidInput, match="models 'causal': must be one of masked, generative"):
        run(data, models="causal")
    with pytest.raises(InvalidInput, match=r"no KIND_q_i\.csv and no KIND_g_s\.csv"):
        run(data, published=data / "scores")
    (data / "small@1.toml").unlink()
    with pytest.raises(InvalidInput, match="not a known edition of gest"):
        run(data)
    with pytest.raises(InvalidInput, match=r"nothing\.csv: cannot be read: No such file"):
        run(data, list=data / "nothing.csv")


def test_validation_needs_the_reference_data(tmp_path):
    assert STUDY.validation(tmp_path) is None
