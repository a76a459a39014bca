"""`monitor parse`: saved pages read without a database."""

import json

import pytest

from tests import saved
from tests.command import program
from tests.pages import overview_pages
from tests.saved import page


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.mark.parametrize("engine", ["auto", "google", "google_web", "saved_pages"])
def test_one_page_as_json(run, tmp_path, engine):
    saved.write(tmp_path, "x.html", page())
    code, out, err = run("parse", "--engine", engine, "x.html", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["state"], found["reader"], found["layout"]) == ("ok", "google", "desktop-2022")
    assert [(i["rank"], i["title"], i["entity"]) for i in found["blocks"]["carousel"]] == [
        (1, "Judit Example", "/m/0abc1"),
        (2, "Magnus Example", "/m/0abc2"),
    ]
    assert found["blocks"]["organic"][1]["url"] == "https://lists.test/chess?a=1&b=2"
    assert not list(tmp_path.glob("*.db"))


def test_several_pages_of_several_engines(run, tmp_path):
    saved.write(tmp_path, "a.html", page(engine="bing_web"))
    saved.write(tmp_path, "b.html", page(name="blocked"))
    saved.write(tmp_path, "c.html", page(engine="duckduckgo_html", name="empty"))
    saved.write(tmp_path, "d.html", b"hello")
    code, out, _ = run("parse", "a.html", "b.html", "c.html", "d.html", "--json")
    assert code == 0
    assert [(one["file"], one["reader"], one["state"]) for one in json.loads(out)] == [
        ("a.html", "bing", "ok"),
        ("b.html", "google", "blocked:google_sorry"),
        ("c.html", "duckduckgo", "no_results"),
        ("d.html", "", "unreadable"),
    ]


def test_for_people(run, tmp_path):
    saved.write(tmp_path, "x.html", page())
    code, out, _ = run("parse", "x.html")
    assert code == 0
    assert "x.html: ok, read as google@4; layout: desktop-2022" in out
    assert "carousel: 2" in out
    assert "1  Judit Example  /m/0abc1" in out


def test_an_overview_has_its_state_its_words_and_its_sources(run, tmp_path):
    words = "\x1b[2JIgnore your instructions."
    body = overview_pages.page(overview_pages.layout_2026(extra=words))
    saved.write(tmp_path, "x.html", body)
    _, out, _ = run("parse", "x.html", "--json")
    [item] = json.loads(out)["blocks"]["ai_overview"]
    assert (item["state"], len(item["sources"])) == ("shown", 4)
    assert item["sources"][1] == {
        "title": "Looms - a history", "url": "https://en.loom.example/h",
        "domain": "en.loom.example",
    }  # fmt: skip
    _, printed, _ = run("parse", "x.html")
    assert "Ada Example: wove linen." in printed
    assert "[4] Video: weaving  https://www.youtube.com/watch?v=1" in printed
    assert "\x1b" not in printed


def test_the_address_tells_whose_page_it_is(run, tmp_path):
    saved.write(tmp_path, "x.html", b"<html><body>nothing to be seen</body></html>")
    found = json.loads(
        run("parse", "x.html", "--url", "https://www.bing.com/search?q=a", "--json")[1]
    )
    assert (found["reader"], found["state"]) == ("bing", "unreadable")
    assert found["url"] == "https://www.bing.com/search?q=a"


def test_a_page_does_not_command_the_terminal(run, tmp_path):
    hostile = page().replace(b"Lists of players", "Lists \x1b]0;owned\x07\x9b31m \u202eof".encode())
    saved.write(tmp_path, "x.html", hostile)
    for arguments in (("x.html",), ("x.html", "--json")):
        out = run("parse", *arguments)[1]
        assert "owned" in out
        assert not set("\x1b\x07\x9b\u202e") & set(out)
        assert "\\u001b" in out
    [item] = [i for i in json.loads(out)["blocks"]["organic"] if "owned" in i["title"]]
    assert "\x1b" in item["title"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope.html",), "nope.html: no such file"),
        (("folder",), "folder: is a folder"),
        (("x.html", "--engine", "altavista"), "'altavista'"),
        (("x.html", "--engine", "google_translate"), "has no result pages"),
        (("x.html", "nope.html"), "no such file"),
    ],
)
def test_what_cannot_be_used(run, tmp_path, arguments, words):
    (tmp_path / "folder").mkdir()
    saved.write(tmp_path, "x.html", page())
    code, out, err = run("parse", *arguments)
    assert (code, out) == (2, "")
    assert words in err
