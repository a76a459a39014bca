"""Folders of saved pages: which page answers which question, when, and what is refused."""

import hashlib
import zlib
from contextlib import closing
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.fetch.page_formats import file_form, read_pages
from monitor.fetch.page_formats.page import (
    MOST_PAGE,
    date_of_name,
    is_later_page,
    question_of,
    read_marks,
)
from monitor.fetch.recorded import Library
from monitor.fetch.saved_pages import PastFetcher, SavedFetcher, Shelves
from monitor.model import HttpRequest, InvalidInput, Outcome, RecordedRequest, SavedRequest
from tests import saved
from tests.cases import check_each
from tests.saved import AT, QUESTION, address, page

DAY = datetime(2023, 7, 27, tzinfo=UTC)


@pytest.fixture
def shelves(tmp_path):
    """Shelves of a job in `tmp_path`; the folder is `pages`."""
    with closing(Shelves(tmp_path)) as found:
        yield found


def put(tmp_path, name, content):
    return saved.write(tmp_path / "pages", name, content)


def on(shelves, text=QUESTION, at=DAY, region="us-en"):
    fetcher = SavedFetcher(shelves, at)
    [(index, answer)] = fetcher.fetch([SavedRequest("pages", text, region)])
    assert index == 0
    return answer


def refused(shelves, *words, system=""):
    with pytest.raises(InvalidInput) as raised:
        shelves.open_folder("pages", system)
    for word in words:
        assert word in str(raised.value)
    return str(raised.value)


# --- what a page says of itself -------------------------------------------------------------------


@check_each(
    ("url", "question"),
    [
        ("https://www.google.com/search?q=list+of+nurses&hl=en", "list of nurses"),
        ("https://www.google.com/search?hl=en&q=a%20b&q=c", "a b"),
        ("https://www.bing.com/search?q=&form=x", ""),
        ("https://en.wikipedia.org/w/index.php?search=nurses&ns0=1", "nurses"),
        ("https://search.yahoo.test/search?p=nurses", "nurses"),
        ("https://g.test/sorry/index?continue=https://g.test/s%3Fq%3Da%2Bb&q=EgQtoken", "a b"),
        ("https://consent.google.com/m?continue=https://www.google.com/search?q%3Dx", "x"),
        ("https://accounts.test/page?continue=https://www.google.com/search?q%3Dx", ""),
        ("https://consent.google.com/m", ""),
        ("https://www.google.com/", ""),
        ("https://[broken", ""),
    ],
)
def test_the_question_in_an_address(url, question):
    assert question_of(url) == question


@check_each(
    ("body", "url", "question"),
    [
        (b"<!DOCTYPE html>\n<!-- saved from url=(0024)https://x.test/s?q=a+nurse -->",
         "https://x.test/s?q=a+nurse", "a nurse"),
        (
            b'<link rel="canonical" href="https://x.test/s?q=b">',
            "https://x.test/s?q=b",
            "b",
        ),
        (b'<base href="https://x.test/s?q=c">', "https://x.test/s?q=c", "c"),
        (b"<input name=q value=' d '>", "", "d"),
        (b"<textarea name=q>e</textarea>", "", "e"),
        (b"<input type=hidden name=q value=no><input name=query value=f>", "", "f"),
        (b"<!-- saved from url=(0014)about:internet --><input name=q value=g>", "", "g"),
        (b'<link rel="canonical" href="https://x.test/"><input name=q value=h>',
         "https://x.test/", "h"),
    ],
)  # fmt: skip
def test_a_page_says_where_it_is_from(body, url, question):
    found = read_marks(body)
    if url:
        assert found.url == url
    if question:
        assert found.question == question


def test_a_page_of_single_file_says_when_it_was_saved():
    body = (
        b"<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: "
        b"https://www.google.com/search?q=nurse \n saved date: Thu Jul 27 2023 09:26:04 GMT+0530 "
        b"(India Standard Time)\n-->"
    )
    found = read_marks(body)
    assert (found.question, found.url) == ("nurse", "https://www.google.com/search?q=nurse")
    assert found.captured_at == AT


@check_each(
    ("name", "at"),
    [
        ("2023-07-27_nurses.html", DAY),
        ("nurses 2023-07-27T0356.html", AT.replace(second=0)),
        ("nurses_2023-07-27_03-56-04.html", AT),
        ("nurses-12023-07-27.html", None),
        ("2023-13-27.html", None),
        ("nurses.html", None),
    ],
)
def test_the_date_in_a_name(name, at):
    assert date_of_name(name) == at


def test_later_pages_are_told():
    assert is_later_page("https://g.test/search?q=a&start=10")
    assert is_later_page("https://b.test/search?q=a&first=11")
    assert not is_later_page("https://b.test/search?q=a&first=1")
    assert not is_later_page("https://g.test/search?q=a&start=0")


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=40))
def test_anything_may_be_asked_for_its_marks(body, url):
    found = read_marks(body, url)
    assert isinstance(found.question, str)
    question_of(url)


# --- files ----------------------------------------------------------------------------------------


def assert_answer(answer, body=None, url=None):
    assert answer.outcome is Outcome.OK
    assert answer.body == (page() if body is None else body)
    if url is not None:
        assert answer.url == url


def test_a_page_by_itself(shelves, tmp_path):
    path = put(tmp_path, "2023-07-27 nurses.html", page())
    answer = on(shelves)
    assert_answer(answer)
    assert answer.asked_at == DAY
    assert answer.status is None
    assert dict(answer.agent) == {
        "file": "2023-07-27 nurses.html",
        "form": "html",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    assert dict(answer.observed) == {"query": QUESTION, "region": "not said"}


def test_capitals_and_blanks_of_a_question_do_not_matter(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", page())
    assert on(shelves, "List of  Chess players").body == page()
    assert on(shelves, "list of chess player").body == b""


def test_a_question_without_a_page_has_an_answer_without_a_body(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", page())
    for answer in (on(shelves, "list of nurses"), on(shelves, at=DAY.replace(day=28))):
        assert (answer.outcome, answer.body, answer.agent) == (Outcome.OK, b"", ())
        assert "no page of it was saved on 2023-07-2" in answer.detail


@pytest.mark.parametrize("packed", [True, False])
def test_a_warc(shelves, tmp_path, packed):
    content = page()
    records = [
        ("https://www.google.com/logo.png", b"PNG", {"headers": [("Content-Type", "image/png")]}),
        (address(), b"moved", {"status": "302 Found"}),
        (address(), content, {"headers": [("Content-Type", "text/html"), ("Set-Cookie", "a=b")]}),
        ("https://www.google.com/frame", b"<html>no question</html>", {}),
    ]
    name = "pages.warc.gz" if packed else "pages.warc"
    put(tmp_path, name, saved.warc(records, packed=packed))
    answer = on(shelves)
    assert_answer(answer, content, address())
    assert (answer.status, answer.asked_at) == (200, AT)
    assert answer.headers == (("content-type", "text/html"),)
    assert dict(answer.agent)["file"] == f"{name}:4"


@pytest.mark.parametrize(
    ("headers", "content"),
    [
        ([("Content-Encoding", "gzip")], saved.gzipped(page())),
        ([("Content-Encoding", "deflate")], zlib.compress(page())),
        ([("Content-Encoding", "gzip")], page()),  # whoever kept it had unpacked it
        (
            [("Transfer-Encoding", "chunked")],
            b"5\r\n" + page()[:5] + b"\r\n%x;a=b\r\n" % len(page()[5:]) + page()[5:]
            + b"\r\n0\r\n\r\n",
        ),
        ([("Transfer-Encoding", "chunked")], page()),
    ],
)  # fmt: skip
def test_packed_and_chunked_answers(shelves, tmp_path, headers, content):
    html = ("Content-Type", "text/html")
    put(tmp_path, "p.warc.gz", saved.warc([(address(), content, {"headers": [html, *headers]})]))
    assert_answer(on(shelves))


def test_a_page_that_a_browser_showed_is_a_resource(shelves, tmp_path):
    put(tmp_path, "p.warc.gz", saved.warc([(address(), page(), {"kind": "resource"})]))
    answer = on(shelves)
    assert_answer(answer, page(), address())
    assert answer.status is None


@pytest.mark.parametrize("coded", [True, False])
def test_a_har(shelves, tmp_path, coded):
    entries = [
        saved.har_entry("https://www.google.com/x.js", b"x", mimeType="text/javascript"),
        saved.har_entry(address(), page(), coded=coded),
        saved.har_entry(address("nurses"), b"", status=0),
    ]
    put(tmp_path, "session.har", saved.har(entries))
    answer = on(shelves)
    assert_answer(answer, page(), address())
    assert (answer.status, answer.asked_at) == (200, AT)
    assert dict(answer.agent)["file"] == "session.har:2"
    assert "personal" not in repr(answer)


def test_mhtml(shelves, tmp_path):
    put(tmp_path, "nurses.mhtml", saved.mhtml(page(), address()))
    answer = on(shelves)
    assert_answer(answer, page(), address())
    assert answer.asked_at == AT


def test_a_wall_in_an_archive_belongs_to_its_question(shelves, tmp_path):
    wall = page(name="blocked")
    url = f"https://www.google.com/sorry/index?continue={address().replace('&', '%26')}&q=token"
    put(tmp_path, "p.warc.gz", saved.warc([(url, wall, {"status": "429 Too Many Requests"})]))
    answer = on(shelves)
    assert_answer(answer, wall, url)
    assert answer.status == 429


# --- the index ------------------------------------------------------------------------------------


def test_an_index_says_what_is_what(shelves, tmp_path):
    put(tmp_path, "one.html", page("something else"))
    put(tmp_path, "sub/two.warc.gz", saved.warc([(address("x"), page("x"), {})] * 2))
    put(tmp_path, "ignored.html", b"not listed, and of no date")
    rows = [
        {"file": "one.html", "query": QUESTION, "captured_at": "2023-07-27", "region": "us-en"},
        {"file": "sub/two.warc.gz:3", "query": "nurses", "engine": "google_web"},
    ]
    saved.index(tmp_path / "pages", rows)
    assert on(shelves).body == page("something else")
    assert on(shelves, region="de-de").body == b""
    second = on(shelves, "nurses", region="de-de")
    assert (second.body, second.asked_at) == (page("x"), AT)
    assert dict(second.agent)["file"] == "sub/two.warc.gz:3"


ROW = {"file": "one.html", "query": QUESTION, "captured_at": "2023-07-27"}


@check_each(
    ("rows", "words"),
    [
        ([], ["names no page"]),
        ([ROW | {"file": ""}], [":2", "file is empty"]),
        ([ROW | {"query": " "}], [":2", "query is empty"]),
        ([ROW | {"captured_at": "yesterday"}], [":2", "'yesterday'", "2023-05-31"]),
        ([ROW | {"captured_at": ""}], [":2", "when one.html was saved is not known"]),
        ([ROW | {"file": "two.html"}], [":2", "no file"]),
        ([ROW | {"file": "one.txt"}], [":2", "pages are .html, .mhtml"]),
        ([ROW | {"file": "one.html:3"}], [":2", "leave out :3"]),
        ([ROW | {"file": "many.har"}], [":2", "many.har:1"]),
        ([ROW | {"file": "many.har:7"}], [":2", "no page as record 7"]),
        ([ROW | {"file": "../outside.html"}], ["leaves the folder"]),
        ([ROW | {"engine": "altavista"}], [":2", "'altavista'", "google"]),
        ([ROW | {"engine": "google_translate"}], [":2", "'google_translate'"]),
        ([ROW, ROW], [":3", "stands in", "keep one"]),
    ],
)
def test_an_index_that_cannot_be_used_is_named(shelves, tmp_path, rows, words):
    put(tmp_path, "one.html", page())
    put(tmp_path, "many.har", saved.har([saved.har_entry(address(), page())]))
    saved.write(tmp_path, "outside.html", page())
    saved.index(tmp_path / "pages", rows)
    refused(shelves, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("file\na.html\n", "no column 'query'"),
        ("", "no column 'file'"),
        ("file,query\na.html\n", "has 1 columns"),
        ('file,query\n"a', "not a CSV file"),
    ],
)
def test_an_index_without_its_columns(shelves, tmp_path, text, words):
    put(tmp_path, "index.csv", text.encode())
    refused(shelves, "index.csv", words)


# --- what is refused ------------------------------------------------------------------------------


def test_a_page_without_a_date_is_refused_with_the_remedy(shelves, tmp_path):
    put(tmp_path, "nurses.html", page())
    refused(shelves, "nurses.html", "when it was saved is not known", "index.csv", "2026-11-21")


def test_a_page_without_a_question_is_refused_with_the_remedy(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", b"<html><title>nurses</title></html>")
    refused(shelves, "which question it answers is not known", "index.csv")


def test_two_pages_of_a_question_and_day_are_refused(shelves, tmp_path):
    put(tmp_path, "2023-07-27 a.html", page())
    put(tmp_path, "2023-07-27 b.html", page() + b" ")
    refused(shelves, "a.html", "b.html", QUESTION, "index.csv")


def test_the_same_page_twice_is_one(shelves, tmp_path):
    put(tmp_path, "2023-07-27 a.html", page())
    put(tmp_path, "2023-07-27 b.html", page())
    assert_answer(on(shelves))


def test_pages_of_several_engines(shelves, tmp_path):
    put(tmp_path, "2023-07-27 google.html", page())
    put(tmp_path, "2023-07-27 bing.html", page(engine="bing_web"))
    refused(shelves, "google.html", "bing.html", "`system`")
    shelf = shelves.open_folder("pages", "bing")
    assert [str(one) for one in shelf.pages.values()] == ["2023-07-27 bing.html"]
    assert shelves.left_out == [
        f"{tmp_path}/pages/2023-07-27 google.html: left out, a page of google"
    ]
    refused(shelves, "is used for bing and for google", system="google")


def test_no_page_of_the_system(shelves, tmp_path):
    put(tmp_path, "2023-07-27 google.html", page())
    refused(shelves, "no saved pages of bing", system="bing")


def test_a_wall_is_of_every_system(shelves, tmp_path):
    wall = b"<html><form id=captcha-form></form><input name=q value=nurses></html>"
    put(tmp_path, "2023-07-27 wall.html", wall)
    shelves.open_folder("pages", "bing")
    assert on(shelves, "nurses").body == wall


def test_later_pages_of_results_are_left_out_and_said(shelves, tmp_path):
    later = (address() + "&start=10", page() + b" ", {})
    put(tmp_path, "p.warc.gz", saved.warc([(address(), page(), {}), later]))
    assert_answer(on(shelves))
    assert shelves.left_out == [f"{tmp_path}/pages/p.warc.gz:3: left out, a later page of results"]


@pytest.mark.parametrize("folder", ["nowhere", "../elsewhere", "/etc"])
def test_a_folder_that_is_not_there_or_not_beside_the_job(shelves, folder):
    with pytest.raises(InvalidInput, match=r"no such folder|leaves the folder"):
        shelves.open_folder(folder)


def test_a_link_out_of_the_folder_is_refused(shelves, tmp_path):
    outside = saved.write(tmp_path, "2023-07-27.html", page())
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "2023-07-27.html").symlink_to(outside)
    refused(shelves, "leaves the folder")


def test_an_empty_folder(shelves, tmp_path):
    put(tmp_path, "notes.txt", b"x")
    refused(shelves, "no saved pages")


GOOD = saved.warc([(address(), page(), {})])
PLAIN = saved.warc([(address(), page(), {})], packed=False)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.warc.gz", GOOD[:-40], "p.warc.gz:2: broken WARC record"),
        ("p.warc.gz", GOOD[:-200] + b"\0" * 100 + GOOD[-100:], "p.warc.gz:2: broken WARC record"),
        ("p.warc", PLAIN[:-40], "p.warc:2: broken WARC record: the file ends 36 bytes too early"),
        ("p.warc", b"hello\r\n\r\n", "p.warc:1: broken WARC record: it does not begin"),
        ("p.warc", b"WARC/1.0\r\nA: b", "p.warc:1: broken WARC record: its fields have no end"),
        ("p.warc", b"WARC/1.0\r\nA: b\r\n\r\n", "Content-Length is ''"),
        ("p.warc", b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "Content-Length is '-5'"),
        ("p.warc", b"", "no WARC record"),
        ("p.warc.gz", b"\x1f\x8b\x08\x00broken", "p.warc.gz:1: broken WARC record"),
        ("p.har", b"{", "not a HAR file"),
        ("p.har", b'{"log": {}}', "not a HAR file"),
        ("p.har", b'{"log": {"entries": 1}}', "no list of entries"),
        ("p.har", b'{"log": {"entries": [{}]}}', "p.har:1: not an entry"),
        ("p.har", b"[" * 100_000, "not a HAR file"),
        ("2023-01-01.html", b" \n", "is empty"),
        ("p.mhtml", b"hello", "save the page as HTML instead"),
        ("p.mhtml", saved.mhtml(b""), "save the page as HTML instead"),
    ],
)
def test_a_broken_file_is_named_with_its_record(shelves, tmp_path, name, content, words):
    put(tmp_path, name, content)
    refused(shelves, str(tmp_path), words)


@pytest.mark.parametrize(
    ("headers", "content", "words"),
    [
        ([("Content-Encoding", "gzip")], saved.gzipped(bytes(MOST_PAGE + 1)), "unpacks to more"),
        ([("Content-Encoding", "gzip")], saved.gzipped(page())[:-20], "ends too early"),
        ([("Content-Encoding", "gzip")], b"\x1f\x8b\x08\x00 broken", "cannot be unpacked"),
        ([("Content-Encoding", "br")], b"\x0b\x02\x80", "packed by 'br'"),
        ([("Transfer-Encoding", "chunked")], b"5\r\nhello\r\n99\r\nx", "chunks end too early"),
        ([], b"<" * (MOST_PAGE + 2**20 + 1), "a page of more than"),
    ],
)
def test_a_page_that_cannot_be_unpacked_within_limits(shelves, tmp_path, headers, content, words):
    records = [(address(), content, {"headers": [("Content-Type", "text/html"), *headers]})]
    put(tmp_path, "p.warc.gz", saved.warc(records))
    refused(shelves, "p.warc.gz:2: broken WARC record", words)


def test_too_large_a_page(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", b"<" * (MOST_PAGE + 1))
    refused(shelves, "is longer than")
    put(tmp_path, "p.har", saved.har([saved.har_entry(address(), b"<" * (2 * MOST_PAGE + 1))]))
    (tmp_path / "pages" / "2023-07-27.html").unlink()
    refused(shelves, "p.har:1", "characters")


@settings(max_examples=120, deadline=None)
@given(
    name=st.sampled_from(["a.html", "a.mhtml", "a.warc", "a.warc.gz", "a.har"]),
    content=st.binary(max_size=200),
    start=st.sampled_from([b"", GOOD[:60], PLAIN[:200], b'{"log": {"entries": [', b"\x1f\x8b\x08"]),
)
def test_any_bytes_are_pages_or_refused(tmp_path_factory, name, content, start):
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(start + content)
    try:
        found = list(read_pages(path, name))
    except InvalidInput as error:
        assert str(error).startswith(name)  # noqa: PT017 - either is right
    else:
        assert all(one.page.body for one in found)


def test_forms():
    assert [file_form(n) for n in ("A.HTML", "a.warc.gz", "a.gz", "a.mht")] == [
        "html", "warc", "", "mhtml",
    ]  # fmt: skip


# --- ticks ----------------------------------------------------------------------------------------


def test_dates_are_the_days_on_which_pages_were_saved(shelves, tmp_path):
    records = [
        (address(), page(), {"date": "2023-07-27T23:59:59Z"}),
        (address("nurses"), page("nurses"), {"date": "2023-07-27T03:00:00.123456Z"}),
        (address(), page(), {"date": "2023-08-01T00:00:00Z"}),
    ]
    put(tmp_path, "p.warc.gz", saved.warc(records))
    assert shelves.list_dates([("pages", "", ["us-en"])]) == [DAY, DAY.replace(month=8, day=1)]


def test_a_page_of_no_region_does_not_answer_for_two(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", page())
    with pytest.raises(InvalidInput, match=r"regions us-en, de-de .* column region"):
        shelves.list_dates([("pages", "", ["us-en", "de-de"])])


def test_each_request_goes_to_what_holds_its_answer(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", page())
    saved.write(tmp_path, "t.csv", b"source,target,system,translation,date\na,pt,s,b,2023-07-27\n")
    fetcher = PastFetcher(Library(tmp_path), shelves, DAY)
    [(_, one)] = fetcher.fetch([SavedRequest("pages", QUESTION, "us-en")])
    [(_, two)] = fetcher.fetch([RecordedRequest("t.csv", "s", "pt", ("a",))])
    assert one.body == page()
    assert b'"b"' in two.body
    assert list(fetcher.fetch([])) == []
    with pytest.raises(TypeError, match="nothing here answers"):
        list(fetcher.fetch([HttpRequest("GET", "https://x.test/")]))
    asked = PastFetcher(Library(tmp_path), shelves, DAY, SavedFetcher(shelves, DAY))
    with pytest.raises(TypeError, match="not a request for a saved page"):
        list(asked.fetch([HttpRequest("GET", "https://x.test/")]))


# --- what is rare ---------------------------------------------------------------------------------


def test_dates_that_are_none(shelves, tmp_path):
    wrong = b"<!-- Page saved with SingleFile url: https://x.test/?q=a saved date: %s -->"
    assert read_marks(wrong % b"Xxx Jul 99 2023 09:26:04 GMT+0530").captured_at is None
    assert read_marks(b"<base href='https://[x/?q=a'>").url == ""
    put(tmp_path, "p.mhtml", saved.mhtml(page(), address(), date="yesterday"))
    refused(shelves, "p.mhtml", "when it was saved is not known")


def test_a_date_in_an_mhtml_without_a_zone(shelves, tmp_path):
    put(tmp_path, "p.mhtml", saved.mhtml(page(), address(), date="Thu, 27 Jul 2023 03:56:04"))
    assert on(shelves).asked_at == AT


def test_a_wall_before_a_wall():
    inner = "https://g.test/sorry?continue=https%3A%2F%2Fg.test%2Fs%3Fq%3Da"
    assert question_of(f"https://consent.test/?continue={inner.replace('%', '%25')}") == "a"


def test_records_that_hold_no_page(shelves, tmp_path):
    """A record of DNS, an empty page, a revisit of what is not there, and then a page."""
    dns = (
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: text/dns\r\nContent-Length: 3\r\n\r\n"
        b"abc\r\n\r\n"
        b"WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Payload-Digest: sha1:X\r\nContent-Length: 0\r\n"
        b"\r\n\r\n\r\n"
    )
    rest = saved.warc([(address(), b" ", {}), (address(), page(), {})], packed=False)
    put(tmp_path, "p.warc", dns + rest)
    assert dict(on(shelves).agent)["file"] == "p.warc:5"


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (b"A: b\r\n" * 300, "its fields have no end"),
        (
            (
                b"WARC-Type: response\r\nContent-Type: application/http\r\n"
                b"Content-Length: 5\r\n\r\nhello"
            ),
            "no HTTP response",
        ),
    ],
)
def test_records_that_are_not_what_they_say(shelves, tmp_path, block, words):
    put(tmp_path, "p.warc", b"WARC/1.1\r\n" + block)
    refused(shelves, f"p.warc:1: broken WARC record: {words}")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InvalidInput, match=r"a\.html: cannot be read"):
        list(read_pages(tmp_path / "nowhere.html", "a.html"))


def test_an_archive_without_a_page_of_results_is_left_out_and_said(shelves, tmp_path):
    put(tmp_path, "2023-07-27.html", page())
    put(tmp_path, "p.warc", saved.warc([("https://x.test/", b"<p>x</p>", {})], packed=False))
    shelf = shelves.open_folder("pages")
    assert shelves.left_out == [f"{tmp_path}/pages/p.warc: left out, no page of results in it"]
    assert shelves.open_folder("pages") is shelf


def test_pages_of_other_systems_in_an_index_are_passed_over(shelves, tmp_path):
    put(tmp_path, "a.html", page())
    put(tmp_path, "b.html", page(engine="bing_web"))
    rows = [ROW | {"file": "a.html", "engine": "google"}, ROW | {"file": "b.html"}]
    saved.index(tmp_path / "pages", rows)
    with (tmp_path / "pages" / "index.csv").open("a") as file:
        file.write("\n")
    assert [str(one) for one in shelves.open_folder("pages", "bing").pages.values()] == ["b.html"]


def test_headers_of_an_answer_have_an_end(shelves, tmp_path):
    wide = [("X-Wide", "x" * 10_000), ("X-More", "y" * 10_000), ("Content-Type", "text/html")]
    put(tmp_path, "p.warc.gz", saved.warc([(address(), page(), {"headers": wide})]))
    assert [name for name, _ in on(shelves).headers] == ["x-wide"]


def test_pieces_that_a_page_fetches_later_are_no_pages(shelves, tmp_path):
    """Fragments and frames carry the question as well."""
    piece = address() + "&async=arc_id:1"
    fetched, framed = (saved.har_entry(address(), b"<p>piece</p>") for _ in range(2))
    fetched["request"]["headers"] = [{"name": "Sec-Fetch-Dest", "value": "empty"}]
    framed["_resourceType"] = "xhr"
    whole = saved.har_entry(address(), page())
    whole["request"]["headers"] = [{"name": "sec-fetch-dest", "value": "document"}]
    entries = [fetched, saved.har_entry(piece, b"<p>piece</p>"), framed, whole]
    put(tmp_path, "p.har", saved.har(entries))
    assert dict(on(shelves).agent)["file"] == "p.har:4"
    assert shelves.left_out == []
