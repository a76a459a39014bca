"""Pages are cut before their depth costs time; those that people made are left as they are."""

import re
import time
from pathlib import Path

import pytest

from monitor import registry
from monitor.fetch.page_formats.page import read_marks
from monitor.pages._html import DEEPEST, cut_depth, read_document
from tests.cases import check_each
from tests.patience import HANGS


@check_each(
    "source",
    [
        "",
        "<p>" * 20_000,
        "<img src=x><br>" * 20_000,
        "<svg><path d='a'/><path d='b'/></svg>" * 5000,
        "<div><b>x</b></div>" * 20_000,
        "</div>" * 20_000 + "<div>x</div>",
        "<div>" * DEEPEST,
        "1 < 2 " * 20_000,
        "<a" * 20_000,
        "<img " * 20_000,
    ],
)
def test_ordinary_pages_stay_whole(source):
    assert cut_depth(source) == source


@check_each(
    "source",
    [
        "<div>" * 300_000,
        "<div>" * 100_000 + "</div>" * 100_000,
        "</i>" * 100_000 + "<ul class=a>" * 100_000,
        "".join(f"<font size={n}>" for n in range(100_000)),
        "<i " * 200_000,
        "<img>" * 10 + "<DIV\n>" * 100_000,
        "".join(f"<p><b id={n}>x" for n in range(50_000)),
        "".join(f"<a class=c{n}>" for n in range(400)) + "<p>x" * 200_000,
    ],
)
def test_a_deep_page_is_cut_and_read_in_time(source):
    kept = cut_depth(source)
    assert len(kept) < len(source)
    assert source.startswith(kept)
    before = time.process_time()
    read_document(source.encode())
    assert time.process_time() - before < HANGS


#: Elements within each other, and beside each other, as no page of people has them.
SHAPES = {
    "nested": b"<div>" * 200_000,
    "unclosed formats": b"".join(b"<p><b id=%d>x" % n for n in range(20_000)),
    "nested links": b"<div><a href='https://x.example/'><h3>t" * 20_000,
    "wide": b"<div><a href='https://x.example/'><h3>t</h3></a></div>" * 5_000,
}
READERS = {name: page.parse for name, page in registry.discover("pages").items()}
READERS |= {
    "sniff": lambda body, url: [p.sniff(body, url) for p in registry.discover("pages").values()],
    "saved page": read_marks,
}


@pytest.mark.parametrize("reader", READERS)
def test_no_shape_of_a_page_stops_a_reader(reader):
    for shape in SHAPES.values():
        before = time.process_time()
        READERS[reader](shape, "")
        assert time.process_time() - before < HANGS


def test_trees_are_built_of_pages_that_were_cut_only():
    folder = Path(registry.__file__).parent
    built = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if re.search(r"LexborHTMLParser\((?!\"<p></p>\")", path.read_text("utf-8"))
    }
    assert built == {"pages/_html.py"}
