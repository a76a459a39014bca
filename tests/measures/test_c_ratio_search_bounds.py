"""Bounds against the engine's own full list hold whatever the missing labels turn out to be."""

from itertools import product

from monitor import registry
from monitor.model import Context, Kind, LabelState, Shown, Unit
from tests.cases import check_each

CUTOFF = 4
REFERENCE = registry.reference("result_list")
GROUPS = ("women", "men", "other")


def unit(signs, known=None):
    """One list: f, m, and ? for nobody knows; `known` says what the latter turn out to be."""
    found, turned_out = [], iter(known or ())
    for place, sign in enumerate(signs):
        group = {"f": "women", "m": "men"}.get(sign) or next(turned_out, "")
        state = LabelState.LABELLED if group else LabelState.UNRESOLVED
        found.append(Shown(f"kg:/m/0{place}", state, group))
    return Unit("q", {"occupation": "judge"}, (None,), lists=(tuple(found),))


def topic(one, **parameters):
    measure = registry.measure("c_ratio_bias", Kind.SEARCH).configure(
        {"cutoff": CUTOFF, "floor": 0.0} | parameters
    )
    targets = REFERENCE.observed([one], "occupation")
    [found] = measure.derive([one], Context(seed=1, targets=targets, draws=20)).topics
    return found


@check_each("target", ["rounded", "exact"])
@check_each("signs", ["fm?mmm?f", "f?mm?m", "?fmm", "fmmmff??", "ffmm"])
def test_every_completion_of_a_list_lies_within_its_bounds(signs, target):
    found = topic(unit(signs), target=target)
    for known in product(GROUPS, repeat=signs.count("?")):
        bias = topic(unit(signs, known), target=target).bias
        if bias is not None:
            assert found.bound_low - 1e-12 <= bias <= found.bound_high + 1e-12, known
