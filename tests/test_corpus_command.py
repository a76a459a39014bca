"""The commands about corpora, as a shell runs them."""

import csv
import gzip
import json
import re

import pytest

from monitor.cli import console as terminal
from monitor.stages.reports.corpus_page import CITATION
from tests.cases import check_each
from tests.command import program
from tests.factories import DUE
from tests.test_corpus_run import HER, hits, jobs, tick  # noqa: F401 - jobs is a fixture

#: Of words that stand near her and him in documents: how often near each.
NEAR = {"nurse": (30, 10), "plumber": (6, 34), "teacher": (20, 20), "dentist": (12, 18)}
RARE = "welder"
CONCEPTS = "list,group,word,partner\nconcept,women,she,\nconcept,men,he,\npair,women,she,he\n"
SCRIPT = "<script>alert(1)</script>"


def documents():
    """Different documents, each with one word, one pronoun and words that all have."""
    for word, counts in NEAR.items():
        for pronoun, n in zip(("she", "he"), counts, strict=True):
            yield from (f"{pronoun} is a {word} in town t{word}{pronoun}{i}" for i in range(n))
    yield f"nobody saw the {RARE} there today"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `monitor corpus` in `tmp_path`; gives (exit code, standard output, standard error)."""
    (tmp_path / "texts.txt").write_text("\n".join(documents()), encoding="utf-8")
    (tmp_path / "concepts.csv").write_text(CONCEPTS, encoding="utf-8")
    words = "\n".join([*NEAR, RARE, "astronaut"])
    (tmp_path / "words.txt").write_text(words, encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "200")
    for console in (terminal.out, terminal.err):
        monkeypatch.setattr(console, "_width", 200)
    with program(tmp_path, monkeypatch, capsys) as command:
        yield lambda *arguments: command("corpus", *arguments)


BUILD = ("build", "small", "texts.txt", "--min-count", "1")
OWN = ("--words", "words.txt", "--concepts", "concepts.csv")
QUICK = (*OWN, "--draws", "200")


@pytest.fixture
def built(run):
    """The same with the corpus `small`."""
    code, _, err = run(*BUILD)
    assert code == 0, err
    return run


def measured(run, *arguments):
    code, out, err = run("bias", *arguments, "--json")
    assert code == 0, err
    found = json.loads(out)
    return found, {row["word"]: row for row in found["words"]}


def test_a_corpus_is_built_and_listed(run, tmp_path):
    (tmp_path / "texts.txt").write_text("she is a nurse\nshe is a nurse\n\nhe is not", "utf-8")
    code, out, err = run("build", "small", "texts.txt", "--min-count", "2")
    assert code == 0, err
    assert out.splitlines()[:4] == [
        "small: 2 documents of 7 tokens",
        "left out: 1 repeat, 1 text without a word",
        "vocabulary: 1 of 6 words, 2 tokens are such words",
        "occupations of the shipped list: 0 of 531",
    ]
    assert "words for men that are missing: boy, boys" in out
    assert "written: corpora/small" in out
    assert "next: monitor corpus bias small" in err
    code, out, _ = run("list")
    assert ["small", "2", "2", "1"] in [line.split() for line in out.splitlines()]
    _, out, _ = run("list", "--json")
    assert json.loads(out)[0]["read"]["repeats"] == 1


def test_no_corpus(run):
    assert "no corpus in corpora; make one with" in run("list")[2]


def test_bias_has_a_sign_support_and_an_interval(built):
    found, words = measured(built, "small", *QUICK)
    nurse, plumber, teacher = (words[word] for word in ("nurse", "plumber", "teacher"))
    assert nurse["bias"] > nurse["low"] > 0 > plumber["high"] > plumber["bias"]
    assert teacher["low"] < 0 < teacher["high"]
    assert nurse["bias"] == nurse["women"] - nurse["men"]
    assert (nurse["occurs"], nurse["state"]) == (40, "measured")
    assert nurse["expected_women"] > 5
    assert [row["word"] for row in found["words"]][:1] == ["nurse"]
    assert found["interval"] == "bootstrap over 151 documents, 200 resamples"
    assert measured(built, "small", *QUICK)[0] == found


def test_words_without_support_have_a_reason_and_no_number(built, tmp_path):
    _, words = measured(built, "small", *QUICK)
    assert (words[RARE]["bias"], words[RARE]["low"], words[RARE]["women"]) == (None, None, None)
    assert words[RARE]["expected_women"] < 5
    assert "pairs" in words[RARE]["reason"]
    assert "is not in the vocabulary" in words["astronaut"]["reason"]
    code, out, _ = built("bias", "small", *QUICK, "--most", "1")
    assert code == 0
    assert "2 of 4 words, 1 of each end; all: --most 0" in out
    assert re.search(rf"no value for 1 word: never near .* fewer than 5 .*: {RARE} \d\.\d/", out)
    assert "no value for 1 word: the word is not in the vocabulary" in out
    assert built("bias", "small", *QUICK, "--csv", "bias.csv")[0] == 0
    with (tmp_path / "bias.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["word"]: row for row in csv.DictReader(file)}
    assert (rows[RARE]["bias"], rows[RARE]["state"]) == ("", "insufficient")
    assert float(rows["nurse"]["bias"]) == words["nurse"]["bias"]
    assert "is there already" in built("bias", "small", *QUICK, "--csv", "bias.csv")[2]


def test_a_word_that_few_resamples_have_gets_no_interval(built):
    found, words = measured(built, "small", *QUICK, "--floor", "0")
    assert words[RARE]["bias"] == 0  # asked for: a pair that never occurs is taken as unrelated
    assert words[RARE]["low"] is None
    assert "1 word has none, because too many resamples lack the word" in found["interval"]


@check_each(
    ("arguments", "interval"),
    [
        (("--measure", "centroid"), "no interval: centroid on ppmi would have to be made anew"),
        (("--measure", "directional"), "no interval: directional"),
        (("--measure", "average_high", "--representation", "pmi"), "no interval: average_high"),
        (("--representation", "pmi", "--cds", "0.75"), "bootstrap over 151 documents"),
        (("--representation", "ppmi-svd", "--dimensions", "5"), "no interval: first_order on ppmi"),
        (("--draws", "0"), "no interval: no resamples were asked for"),
    ],
)
def test_every_representation_says_how_sure_it_is(built, arguments, interval):
    found, words = measured(built, "small", *QUICK, *arguments)
    assert words["nurse"]["state"] == words["plumber"]["state"] == "measured"
    if "--measure" not in arguments:  # the other words of these texts say nothing
        assert words["nurse"]["bias"] > words["plumber"]["bias"]
    assert found["interval"].startswith(interval)


def test_a_bias_is_the_sum_of_what_is_explained(built):
    _, words = measured(built, "small", *QUICK)
    code, out, _ = built("bias", "small", *QUICK, "--explain", "nurse", "--json")
    parts = json.loads(out)
    assert code == 0
    assert {one["word"] for one in parts["parts"]} == {"she"}
    assert parts["total"] == words["nurse"]["bias"]
    _, out, _ = built("bias", "small", *OWN, "--explain", "nurse", "--measure", "centroid")
    assert re.search(r"nurse: bias [+-]0\.\d{4}, the sum of", out)
    assert "town" in out
    code, _, err = built("bias", "small", *QUICK, "--explain", RARE)
    assert (code, f"--explain {RARE}: it has no value" in err) == (2, True)


def test_biases_are_held_against_shares(built, tmp_path):
    shares = "word,share\nnurse,0.9\nplumber,0.03\nteacher,0.6\ndentist,0.4\npilot,0.1\n"
    (tmp_path / "shares.csv").write_text(shares, encoding="utf-8")
    found, words = measured(built, "small", *QUICK, "--labour", "shares.csv")
    assert words["nurse"]["share"] == 0.9
    assert {one["name"]: (one["n"], one["n_total"]) for one in found["correlations"]} == {
        "spearman": (4, 5),
        "pearson": (4, 5),
    }
    assert all(one["value"] > 0.9 for one in found["correlations"])
    _, out, _ = built("bias", "small", *QUICK, "--labour", "shares.csv")
    assert "4 of 5 occupations of shares.csv have a value" in out


def test_the_page_needs_no_other_file_and_runs_nothing(run, tmp_path):
    texts = [text.replace("dentist", SCRIPT) for text in documents()]
    (tmp_path / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    (tmp_path / "shares.csv").write_text(
        f"word,share\nnurse,0.9\nplumber,0.03\nteacher,0.6\n{SCRIPT},0.4\n<b>gone,0.5\n", "utf-8"
    )
    assert run(*BUILD, "--tokens", "blanks")[0] == 0
    plot = ("plot", "small", "--concepts", "concepts.csv", "--labour", "shares.csv")
    code, _, err = run(*plot, "--draws", "100")
    assert code == 0, err
    page = (tmp_path / "out" / "corpus-small.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;gone" in page
    assert not re.search(r"<script|<b>|https?://|<link|src=", page)
    assert "The shaded band is the unbiased area" in page
    assert "bootstrap over 151 documents" in page
    assert CITATION.replace("'", "&#39;") in page
    assert "4 of 5 occupations of shares.csv have a value" in page
    code, _, err = run(*plot)
    assert (code, "is there already; --force writes over it" in err) == (2, True)


def test_a_page_without_sides_or_shares_says_so(built, tmp_path):
    code, _, err = built("plot", "small", *OWN, "--measure", "directional", "--output", "page.html")
    assert code == 0, err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<svg" not in page
    assert "Not drawn: this measure has no two sides" in page
    assert "Not compared: no shares were given" in page


def test_full_augmentation_leaves_no_bias_of_words_that_are_exchanged_one_for_one(built):
    for which in ("half", "full"):
        assert built(*BUILD[:1], which, *BUILD[2:], "--swapped", which)[0] == 0
    code, out, err = built("compare", "small", "half", "full", *OWN, "--json")
    assert code == 0, err
    found = json.loads(out)
    before, half, full = (max(map(abs, one["biases"].values())) for one in found["corpora"])
    assert full == pytest.approx(0, abs=1e-12)
    assert before > half > 0.01
    assert [len(one["words"]) for one in found["changes"]] == [4, 4]
    assert found["inexact"] == []
    _, out, _ = built("compare", "small", "full", *OWN)
    assert re.search(r"most from small to full: .*plumber -0\.\d{3} to [+-]0\.000", out)


def test_a_document_without_gender_gets_its_twin_as_well(run, tmp_path):
    texts = ["he saw it", "the door is open", "the door is open"]
    (tmp_path / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    _, out, err = run("build", "twins", "texts.txt", "--min-count", "1", "--swapped", "full")
    assert "twins: 4 documents of 14 tokens" in out, err
    assert "left out: 1 repeat," in out


def test_texts_of_an_archive(run, sqlite_database, jobs, tmp_path):  # noqa: F811
    jobs.app.results = hits(0)
    tick(sqlite_database, jobs, jobs.weekly, DUE)
    day = f"{DUE:%Y-%m-%d}"
    archive = ("build", "own", "--from-archive", "--job", "weekly", "--min-count", "1")
    code, out, err = run(*archive, "--from", day, "--to", day, "--engine", "marginalia")
    assert code == 0, err
    assert out.startswith("own: 3 documents of ")
    keys = (tmp_path / "corpora" / "own" / "keys.txt").read_text(encoding="utf-8").split()
    assert all(re.fullmatch(r"\d+:\d+", key) for key in keys)
    words = (tmp_path / "corpora" / "own" / "vocabulary.tsv").read_text(encoding="utf-8")
    assert set(HER.lower().rstrip(".").replace(",", "").split()) < set(words.split())
    for option, value in (("--from", "2999-01-31"), ("--to", "1999-01-31"), ("--engine", "x")):
        code, _, err = run(*archive, option, value)
        assert code == 2
        assert "no text in the block organic of what was asked for (--job weekly, " in err
        assert f"{option} {value}" in err or option != "--engine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "Small", "texts.txt"), "corpus 'Small': a name has lower-case letters"),
        (("build", "../small", "texts.txt"), "a name has lower-case letters"),
        (("build", "small"), "no file: name some, as in: monitor corpus build"),
        (("build", "small", "none.txt"), "none.txt: no such file"),
        (("build", "small", "texts.txt", "--from-archive"), "name files or --from-archive"),
        (("build", "small", "texts.txt", "--job", "x"), "--job x: says which texts of the archive"),
        (("build", "small", "texts.txt", "--min-count", "999"), "no word occurs 999 times"),
        (("build", "small", "texts.txt", "--documents", "files"), "has one document only"),
        (
            ("bias", "none"),
            "corpus 'none': there is none in corpora, and no such folder (make one with: ",
        ),
        (("bias", "none", "--words", "no.txt"), "no.txt: no such file"),
        (("bias", "none", "--labour", "x"), "--labour x: winobias, census are known"),
        (("bias", "none", "--labour", "words.txt"), "words.txt: no column 'word'; it has nurse"),
        (("bias", "none", "--words", "bad.txt"), "bad.txt: line 1: 'Two words' is not one word"),
        (("bias", "none", "--words", "void.txt"), "void.txt: holds no word"),
        (("bias", "none", "--labour", "bad.csv"), "bad.csv: line 3: 'cook' has the share '80'"),
        (("bias", "none", "--labour", "two.csv"), "two.csv: line 3: 'cook' has two shares"),
        (("bias", "none", "--concepts", "concepts.csv"), "the file has no occupations"),
        (("bias", "none", "--representation", "glove"), "glove and --vectors FILE go together"),
        (
            ("bias", "none", "--representation", "init-glove", "--measure", "centroid"),
            "init-glove has associations and no vectors",
        ),
    ],
)
def test_what_cannot_be_done_is_said(run, tmp_path, arguments, words):
    (tmp_path / "bad.txt").write_text("Two words\n", encoding="utf-8")
    (tmp_path / "void.txt").write_text("\n", encoding="utf-8")
    (tmp_path / "bad.csv").write_text("word,share\nnurse,0.9\ncook,80\n", encoding="utf-8")
    (tmp_path / "two.csv").write_text("word,share\ncook,0.9\ncook,0.8\n", encoding="utf-8")
    code, _, err = run(*arguments)
    assert code == 2
    assert words in err
    assert not list(tmp_path.glob("corpora/*"))


def test_a_corpus_is_written_over_only_by_force(built):
    code, _, err = built(*BUILD)
    assert (code, "corpora/small: is there already" in err) == (2, True)
    assert built(*BUILD, "--force")[0] == 0


def test_real_text_gives_the_values_of_the_oracle(run, tmp_path, reference_data):
    oracles = reference_data / "oracles"
    oracle = json.loads((oracles / "g1_counts_pmi.json").read_text(encoding="utf-8"))
    articles = json.loads(gzip.decompress((oracles / "enwiki106.json.gz").read_bytes()))
    (tmp_path / "wiki.txt").write_text("\n".join(articles), encoding="utf-8")
    build = ("build", "wiki", "wiki.txt", "--tokens", "blanks", "--min-count", "3")
    assert run(*build, "--keep-repeats")[0] == 0
    found, words = measured(run, "wiki", "--floor", "0", "--draws", "0", "--labour", "census")
    known = oracle["average_first"]["PPMI_cds1.0"]
    assert len(known["per_word"]) > 100
    for word, one in known["per_word"].items():
        assert words[word]["bias"] == pytest.approx(one["bias"], abs=1e-9)
    assert set(found["missing"]) == {
        word.replace("fiancee", "fiancée") for word in oracle["missing_gender_words"]
    }
