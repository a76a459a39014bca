"""What every reader of result pages promises, whatever it is given."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor import registry
from monitor.model import Outcome, Reason
from tests.cases import check_each

PAGES = registry.discover("pages")
SMALL = sorted(Path(__file__).parent.glob("*/*.html"))
_MARKUP = st.sampled_from(
    [
        b"<div id='b_results'><li class='b_algo'><h2><a href='https://[",
        b"<div id=results><div class='snippet' data-type=web><a href=\"//x\">",
        b"<div class=title>t</div></a>",
        b"<a class=result-link href='/l/?uddg=%ff'>t</a>",
        b"<ul class=results-standard><li><h2><a class=title href='http://a:b'>t</a></h2></li>",
        b"<div id=rso><div class=g><a href='/url?q=%zz'><h3>t</h3></a></div></div>",
        b"<ul class='mw-search-results'><li><a href='https://x.example:99999'>t</a>",
        b"<meta charset=unicode_escape>\xff\\ud800",
        b"\x00",
        b"\xff\xfe\x00\xd8",
        b"</div></li></ul>",
    ]
)
_BODIES = st.one_of(
    st.binary(max_size=400), st.lists(st.one_of(_MARKUP, st.binary(max_size=9))).map(b"".join)
)
_URLS = st.one_of(st.just(""), st.text(max_size=40), st.just("https://[broken/search?q="))


@pytest.fixture(params=PAGES)
def page(request):
    return PAGES[request.param]


def _promises(page, body, url=""):
    reading = page.parse(body, url)
    assert reading.outcome in (
        Outcome.OK,
        Outcome.EMPTY,
        Outcome.BLOCKED,
        Outcome.UNREADABLE,
    )
    assert bool(reading.items) or reading.outcome is not Outcome.OK
    assert reading.detail
    ranks = {}
    for item in reading.items:
        ranks.setdefault(item.block, []).append(item.rank)
        assert item.url == "" or item.url.startswith(("http://", "https://"))
    for block, found in ranks.items():
        assert found == list(range(1, len(found) + 1)), block
    assert page.parse(body, url) == reading
    assert 0 <= page.sniff(body, url) <= 1


@check_each("name", PAGES)
@given(body=_BODIES, url=_URLS)
def test_no_bytes_break_a_reader(name, body, url):
    _promises(PAGES[name], body, url)


@check_each("path", SMALL)
def test_every_reader_keeps_its_promises_on_every_small_page(path):
    for page in PAGES.values():
        _promises(page, path.read_bytes())


@check_each("body", [b"", b" \n\t"])
def test_nothing_is_no_page(page, body):
    reading = page.parse(body)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert page.sniff(body) == 0


def test_names_and_versions(page):
    assert page.title
    assert page.version >= 1
    assert registry.page(page.name) is page


def test_titles_are_told_apart():
    assert max(Counter(page.title for page in PAGES.values()).values()) == 1


@check_each("name", sorted({path.parent.name for path in SMALL} & set(PAGES)))
def test_no_other_reader_takes_a_page_for_its_own(name):
    for path in SMALL:
        if path.parent.name != name:
            continue
        sure = {other: reader.sniff(path.read_bytes()) for other, reader in PAGES.items()}
        assert all(sure[name] > found for other, found in sure.items() if other != name) or (
            not any(sure.values())
        ), (path.name, sure)
