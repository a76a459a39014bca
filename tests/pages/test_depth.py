"""Pages are cut before their depth costs time; those that people made are left as they are."""

import time

import pytest

from monitor.pages._depth import DEEPEST, shallow
from monitor.pages._html import document
from tests.patience import HANGS


@pytest.mark.parametrize(
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
    assert shallow(source) == source


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 300_000,
        "<div>" * 100_000 + "</div>" * 100_000,
        "</i>" * 100_000 + "<ul class=a>" * 100_000,
        "".join(f"<font size={n}>" for n in range(100_000)),
        "<i " * 200_000,
        "<img>" * 10 + "<DIV\n>" * 100_000,
    ],
)
def test_a_deep_page_is_cut_and_read_in_time(source):
    kept = shallow(source)
    assert len(kept) < len(source)
    assert source.startswith(kept)
    before = time.process_time()
    document(source.encode())
    assert time.process_time() - before < HANGS
