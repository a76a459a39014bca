"""Sites that overviews cite, against values by hand."""

import pytest

from monitor.measures.overviews.cited_domains import CitedDomains
from monitor.model import Context, Overview, OverviewState, Source, Unit


def unit(key, *hosts, state=OverviewState.SHOWN):
    cited = tuple(Source("", f"https://{host}/", host) for host in hosts)
    return Unit(key, {}, (), overviews=(Overview(state, cited),))


def derive(units):
    result = CitedDomains(floor=1, domain="wiki.example", top=2).derive(units, Context(3, {}, 200))
    return {(value.name, value.scope): value.value for value in result.values}


def test_hosts_below_a_site_are_of_it_and_others_that_end_alike_are_not():
    values = derive([
        unit("a", "wiki.example", "b.example"),
        unit("b", "en.wiki.example", "wiki.example", "b.example", "b.example"),
        unit("c", "notwiki.example"),
    ])  # fmt: skip
    assert values["cited_share", "all"] == pytest.approx((1 / 2 + 2 / 4 + 0) / 3)
    of_b = values["cited_share", "tag:domain=b.example"]
    assert of_b == pytest.approx((1 / 2 + 2 / 4 + 0) / 3)
    squares = (1 / 2, (1 + 1 + 4) / 16, 1)
    assert values["cited_concentration", "all"] == pytest.approx(sum(squares) / 3)


def test_what_cites_nothing_and_what_is_not_there_has_no_part():
    values = derive([
        unit("a", "wiki.example"),
        unit("b"),
        unit("c", state=None),
        unit("d", "b.example", state=OverviewState.DECLINED),
    ])  # fmt: skip
    assert values["cited_share", "all"] == 1
