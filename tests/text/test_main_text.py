"""Texts of web pages: charsets, pages without one, and what is never raised."""

import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.fetch.http import Way
from monitor.fetch.landing import IsolatedExtractor, LandingFetcher
from monitor.model import Answer, MissingPart, Outcome
from monitor.text import main_text
from monitor.text.main_text import extract_text
from tests.cases import check_each

URL = "https://a.test/"
SENTENCES = [
    f"She is a nürse who works in hospital {n}, and she has done so for many years."
    for n in range(5)
]


def document(*paragraphs, head=""):
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return (
        f"<!doctype html><html><head><title>A title</title>{head}</head><body>"
        f"<nav><a href='/'>Home</a> <a href='/about'>About us</a></nav>"
        f"<article><h1>About nurses</h1>{body}</article>"
        "<footer>Copyright, imprint, cookies</footer></body></html>"
    )


# --- plain texts --------------------------------------------------------------------------------


@check_each(
    ("body", "content_type", "text"),
    [
        (b" She is.\n", "text/plain", "She is."),
        ("nürse".encode(), "text/plain", "nürse"),
        ("nürse".encode("cp1252"), "text/plain; charset=ISO-8859-1", "nürse"),
        ("“she”".encode("cp1252"), "Text/Plain; Charset=latin-1", "“she”"),
        ("nürse".encode("utf-16"), "text/plain", "nürse"),
        ("nürse".encode("utf-8-sig"), "text/plain; charset=latin-1", "nürse"),
        ("она".encode("koi8-r"), 'text/plain; charset="KOI8-R"', "она"),
        (b"a\x00b", "text/plain", "a\ufffdb"),
        ("nürse".encode("cp1252"), "text/plain", None),
        ("nürse".encode("cp1252"), "text/plain; charset=rot13", None),
        (b"zip", "text/plain; charset=zlib", "zip"),
        (b"", "text/plain", None),
        (b" \n\xef\xbb\xbf", "text/plain", "\ufeff"),
    ],
)
def test_plain_texts(body, content_type, text):
    found = extract_text(body, URL, content_type)
    assert found.text == text
    assert found.extractor == "plain text 1"
    assert bool(found.detail) is (text is None)


def test_a_text_that_is_too_long_is_none(monkeypatch):
    monkeypatch.setattr(main_text, "MOST_BYTES", 10)
    assert extract_text(b"x" * 11, URL, "text/plain").text is None


# --- without the library ------------------------------------------------------------------------


@pytest.fixture
def no_library(monkeypatch):
    main_text._load_library.cache_clear()
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    yield
    main_text._load_library.cache_clear()


def test_the_missing_library_is_named(no_library):
    for ask in (
        main_text.check_library,
        lambda: extract_text(b"<p>", URL, "text/html"),
        lambda: IsolatedExtractor(1.0),
    ):
        with pytest.raises(MissingPart, match=r"pip install 'gbmonitor\[landing\]'"):
            ask()
    with pytest.raises(MissingPart, match="trafilatura"):
        LandingFetcher(Way())


# --- with it ------------------------------------------------------------------------------------


@pytest.fixture
def library():
    return pytest.importorskip("trafilatura", exc_type=ImportError)


@pytest.mark.parametrize(
    ("charset", "content_type", "head"),
    [
        ("utf-8", "text/html; charset=utf-8", ""),
        ("utf-8", "text/html", ""),
        ("cp1252", "text/html; charset=iso-8859-1", ""),
        ("cp1252", "text/html", "<meta charset='windows-1252'>"),
        ("utf-8", "text/html; charset=nonsense", "<meta charset='utf-8'>"),
    ],
)
def test_the_text_and_not_what_surrounds_it(library, charset, content_type, head):
    body = document(*SENTENCES, head=head).encode(charset)
    found = extract_text(body, URL, content_type)
    assert found.extractor == f"trafilatura {library.__version__}"
    assert found == extract_text(body, URL, content_type)
    assert found.text.split("\n") == ["About nurses", *SENTENCES]


@pytest.mark.parametrize("body", [b"<html><body></body></html>", b"<", b"\x00\xff" * 50, b"{}"])
def test_a_page_without_a_text(library, body):
    found = extract_text(body, URL, "text/html")
    assert found.text is None
    assert found.detail


def test_a_page_that_is_too_large(library, monkeypatch):
    monkeypatch.setattr(main_text, "MOST_BYTES", 100)
    found = extract_text(document(*SENTENCES).encode(), URL, "text/html")
    assert (found.text, found.detail) == (None, "more than 100 bytes")


def test_whatever_the_library_raises(library, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RecursionError("deep\ndown")

    monkeypatch.setattr(library, "extract", fail)
    found = extract_text(b"<p>", URL, "text/html")
    assert (found.text, found.detail) == (None, "RecursionError: deep down")


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=300) | st.text("<>/apdivhtml =\"'&;!-\x00é", max_size=200).map(str.encode)
)
def test_any_bytes_have_a_text_or_none(body):
    pytest.importorskip("trafilatura", exc_type=ImportError)
    for content_type in ("text/html", "text/html; charset=utf-16", "text/plain"):
        found = extract_text(body, "https://[", content_type)
        assert found.text is None or found.text.strip()
        assert (found.text is None) == bool(found.detail)


def test_in_a_process_of_its_own(library):
    apart = IsolatedExtractor(60.0)
    try:
        found = apart(document(*SENTENCES).encode(), URL, "text/html; charset=utf-8")
        assert found.text.split("\n") == ["About nurses", *SENTENCES]
        assert apart(b"<html></html>", URL, "text/html").text is None
    finally:
        apart.close()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(Outcome.TIMEOUT, None, 0.0), "not found within 1.5 s"),
        (Answer(Outcome.FAILED, None, 0.0, detail="Traceback\nMemoryError: x"), "MemoryError: x"),
    ],
)
def test_a_page_that_the_process_does_not_survive(library, monkeypatch, answer, words):
    monkeypatch.setattr(
        "monitor.fetch.local.LocalFetcher.fetch", lambda *_: iter([(0, replace(answer))])
    )
    found = IsolatedExtractor(1.5)(b"<p>", URL, "text/html")
    assert found.text is None
    assert words in found.detail
