"""Only what draws gets out of a chart."""

import pytest

from monitor.stages.document.draw import inline
from tests.cases import check_each

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50">'


def test_ids_are_renamed_in_their_order():
    one = f'{OPEN}<clipPath id="clip7"><rect/></clipPath><g clip-path="url(#clip7)"/></svg>'
    two = one.replace("clip7", "clip9")
    assert inline(one, "a", "t", "d") == inline(two, "a", "t", "d")
    assert 'clip-path="url(#a-0)"' in inline(one, "a", "t", "d")


def test_what_does_not_draw_is_left_out():
    found = inline(f'{OPEN}<path d="M0,0" onclick="alert(1)" aria-label="x"/></svg>', "a", "t", "d")
    assert "alert" not in found
    assert 'd="M0,0"' in found


@check_each(
    "inside",
    [
        "<script>alert(1)</script>",
        "<foreignObject/>",
        '<image href="http://example.org/x.png"/>',
        "<style>@import 'x'</style>",
        '<rect fill="url(http://example.org/x)"/>',
        '<rect fill="url( //example.org/x)"/>',
        '<path d="javascript:alert(1)"/>',
        '<use href="/other.svg#part"/>',
        '<use href="data:image/svg+xml,x#part"/>',
    ],
)
def test_what_a_chart_does_not_need_is_refused(inside):
    with pytest.raises(ValueError, match="chart a"):
        inline(f"{OPEN}{inside}</svg>", "a", "t", "d")


def test_it_scales_and_is_described():
    found = inline(f"{OPEN}</svg>", "a", "A <title>", "What & why")
    assert 'width="' not in found
    assert 'aria-labelledby="a-t a-d"' in found
    assert "A &lt;title&gt;" in found
    assert "What &amp; why" in found
