"""Looking into texts: scores of the lexicon, words that decide, queries of the newest run."""

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor import registry
from monitor.lexicons import installed, lexicon
from monitor.lexicons.lexicon import Lexicon
from monitor.model import Cue
from monitor.ranked.genderedness import query_genderedness
from monitor.roles import Role
from monitor.web.site.pages import query
from monitor.web.site.site_state import EntryRule

TEXT = "The nurse is a strong carpenter, xyzzyq 3"


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.VIEWER)


@pytest.fixture
def viewer(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.VIEWER)


def api(client, **parameters):
    answer = client.get("/api/v1/query", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_word_has_its_score_or_says_why_not(viewer):
    book = installed.find(installed.built_in()[0], None)
    found = api(viewer, text=TEXT)["scored"]
    states = {one["text"]: one["state"] for one in found["words"]}
    assert states == {
        "the": "stop word", "nurse": "counts", "is": "stop word", "a": "no word",
        "strong": "counts", "carpenter": "counts", "xyzzyq": "not in the lexicon", "3": "no word",
    }  # fmt: skip
    for one in found["words"]:
        assert one["score"] == (book.score(one["text"]) if one["state"] == "counts" else None)
    assert found["genderedness"] == float(query_genderedness([TEXT], book)[0])
    assert (found["n"], found["digest"]) == (3, book.digest)
    page = HTMLParser(viewer.get("/query", params={"text": TEXT}).text)
    assert [one.text() for one in page.css("ol.words bdi")] == [
        one["text"] for one in found["words"]
    ]


@pytest.mark.parametrize("text", ["the of and", "3 4", "...", "xyzzyq"])
def test_a_text_without_a_word_that_counts_has_no_value(viewer, text):
    assert api(viewer, text=text)["scored"]["genderedness"] is None
    assert "has no value" in viewer.get("/query", params={"text": text}).text


def test_words_that_decide_are_marked(viewer):
    text = "Estou cansada."
    everything = api(viewer, text=text, language="pt")
    assert everything["scored"] is None
    found = everything["heard"]
    signal = registry.known_language("pt").signal(text, Cue.AGREEMENT)
    assert found["cls"] == signal.cls == "feminine"
    assert [(one["start"], one["text"]) for one in found["witnesses"]] == [
        (one.start, one.text) for one in signal.witnesses
    ]
    page = HTMLParser(viewer.get("/query", params={"text": text, "language": "pt"}).text)
    assert [one.text() for one in page.css("mark.feminine")] == [w.text for w in signal.witnesses]
    english = api(viewer, text="She is a nurse.", language="en")["heard"]
    assert (english["cue"], english["cls"]) == ("pronoun", "feminine")


def test_a_long_text_is_shown_whole(viewer):
    text = ("Estou cansada. " * 200)[: query.LONGEST]
    page = HTMLParser(viewer.get("/query", params={"text": text, "language": "pt"}).text)
    assert page.css_first("section p bdi").text() == text
    assert page.css_first("textarea").text() == text


def test_hostile_text_stays_text(viewer):
    text = '</textarea><script>alert(1)</script>"><img src=x onerror=alert(1)> estou cansada'
    body = viewer.get("/query", params={"text": text, "language": "pt"}).text
    assert "<script>alert" not in body
    assert "<img" not in body
    assert HTMLParser(body).css_first("textarea").text() == text


def test_a_lexicon_of_ones_own_is_read_once(sqlite_archive, make_site, tmp_path):
    site = make_site(sqlite_archive)
    object.__setattr__(site, "home", tmp_path)
    path = installed.lexicon_path("own", tmp_path)
    path.parent.mkdir()
    path.write_bytes(Lexicon.of("own", {"nurse": 0.25, "smith": -0.5}).pack())
    book = query._find_lexicon("own", site)
    assert book.score("smith") == -0.5
    assert query._find_lexicon("own", site) is book


def test_so_many_texts_at_once_and_no_more(viewer, monkeypatch):
    monkeypatch.setattr(query, "_PATIENCE", 0.01)
    with query._turns, query._turns:
        answer = viewer.get("/query", params={"text": "nurse"})
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert viewer.get("/query").status_code == 200
    assert viewer.get("/query", params={"text": "nurse"}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"text": "a" * (query.LONGEST + 1)}, 422), ({"text": "x", "language": "xx"}, 400),
        ({"text": "x", "lexicon": "../x"}, 400), ({"text": "x", "lexicon": "gone"}, 400),
        ({"text": "x", "language": "en", "cue": "quoted"}, 400), ({"cue": "other"}, 422),
        ({"text": "\0"}, 400),
    ],
)  # fmt: skip
def test_whatever_is_asked_has_an_answer(viewer, asked, status):
    for path in ("/query", "/api/v1/query"):
        assert viewer.get(path, params=asked).status_code == status


def test_an_empty_archive_still_looks_into_texts(sqlite_database, make_client):
    found = api(make_client(sqlite_database, Role.VIEWER), text="nurse")
    assert found["scored"]["genderedness"] > 0


def test_the_public_uses_what_comes_with_the_program(sqlite_archive, make_client, tmp_path):
    """The auditor's own words may be under embargo; and where they lie is nobody's business."""
    folder = tmp_path / installed.FOLDER
    folder.mkdir()
    (folder / f"secret{lexicon.SUFFIX}").write_bytes(b"broken")
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC, home=tmp_path)
    viewer = make_client(sqlite_archive, Role.VIEWER, home=tmp_path)
    assert api(public)["lexicons"] == installed.built_in()
    assert "secret" in api(viewer)["lexicons"]
    for client, words in ((public, "is not installed"), (viewer, "cannot be read now")):
        answer = client.get("/api/v1/query", params={"text": "nurse", "lexicon": "secret"})
        assert answer.status_code == 400
        assert words in answer.json()["detail"]
        assert str(tmp_path) not in answer.text
