"""Changes of a measure that has no rules of its own for them."""

import numpy as np
import pytest

from monitor.change import Test
from monitor.measures._matched_units import ComparedByReduce
from monitor.measures._shared import Col, probe_statistics, share_by_group
from monitor.model import (
    Context,
    Direction,
    GenderClass,
    Meaning,
    Quantity,
    QuantityUnit,
    Symmetry,
    Unit,
)
from monitor.stats.paired import sign_flip

SIGNED = Direction.SIGNED
MEANING = Meaning(label="share", unit=QuantityUnit.SHARE, up="more", down="less")
M, F = GenderClass.MASCULINE, GenderClass.FEMININE


class Share(ComparedByReduce):
    """Share of masculine answers, as a new measure would write it."""

    quantities = tuple(
        Quantity(name, name, SIGNED, Symmetry.COMPLEMENT, 0.5, 0.0, 1.0, meaning=MEANING)
        for name in ("share", "other")
    )

    def unit(self, unit):
        return probe_statistics(unit.classes)

    def reduce(self, stats, groups, weights):
        return share_by_group(stats[:, Col.MASCULINE], stats[:, Col.MARKED], groups, weights)


def units(classes, **tags):
    return [Unit(f"u{at:02}", dict(tags), (one,)) for at, one in enumerate(classes)]


def compared(before, after):
    return Share().paired(before, after, Context(1))


def test_the_first_quantity_is_compared_on_the_probes_of_both_sides():
    before = units([M] * 6 + [F] * 6 + [None])
    after = units([M] * 9 + [F] * 3)[:11]
    share, other = compared(before, after)
    assert (share.name, share.scope, share.n) == ("share", "all", 11)
    assert (share.only_before, share.only_after, share.changed) == (1, 0, 3)
    assert (share.before, share.after) == pytest.approx((6 / 11, 9 / 11))
    assert share.delta == pytest.approx(3 / 11)
    flip = sign_flip(np.array([0.0] * 6 + [1.0] * 3 + [0.0] * 2) / 11)
    assert (share.p, share.test) == (pytest.approx(flip.p), Test.SIGN_FLIP)
    assert (share.low, share.high) == pytest.approx((flip.low, flip.high))
    assert other.delta is None
    assert other.reason == "no change of its own: see share"


def test_probes_of_a_cluster_move_together():
    """Three flips in one cluster are one event."""
    plain = compared(units([F] * 12), units([M] * 3 + [F] * 9))[0]
    tagged = [
        [Unit(one.key, {"cluster": f"c{at // 3}"}, one.classes) for at, one in enumerate(side)]
        for side in (units([F] * 12), units([M] * 3 + [F] * 9))
    ]
    together = compared(*tagged)[0]
    assert (plain.p, together.p) == (pytest.approx(0.25), 1.0)
    assert dict(together.facts)["p_probes"] == pytest.approx(plain.p)


def test_what_has_no_value_has_a_reason():
    assert compared([], [])[0].reason == "no probe has statistics on both sides"
    unmarked = units([GenderClass.NONE] * 3)
    assert compared(unmarked, unmarked)[0].reason == "share has no value on a side"
