"""Quantities of c-ratio bias that translations and ranked lists have in common (Lipani 2021)."""

from monitor.model import Direction, Meaning, Quantity, QuantityUnit, Symmetry

_SIGNED, _UNSIGNED = Direction.SIGNED, Direction.UNSIGNED
_ODD, _EVEN = Symmetry.ODD, Symmetry.EVEN


def baseline(label: str) -> Meaning:
    """Return what a distance that is no system's own means."""
    return Meaning(
        label=label, unit=QuantityUnit.DIFFERENCE,
        up="is asked about occupations with a larger baseline",
        down="is asked about occupations with a smaller baseline",
    )  # fmt: skip


def correlation(label: str) -> Meaning:
    """Return what a correlation with the reference means."""
    return Meaning(
        label=label, unit=QuantityUnit.CORRELATION,
        up="follows the shares at work more closely",
        down="follows the shares at work less closely",
    )  # fmt: skip


def _shift(label: str, rank: int = 0) -> Meaning:
    explained = "Share of {group} for an occupation minus their share in it at work; mean of all."
    return Meaning(
        label=label, explained=explained if rank else "", unit=QuantityUnit.DIFFERENCE, rank=rank,
        up="shows {group} more often", down="shows {group} less often",
    )  # fmt: skip


def _distance(label: str, rank: int = 0) -> Meaning:
    return Meaning(
        label=label, unit=QuantityUnit.DIFFERENCE, rank=rank,
        up="moved away from the shares at work", down="moved towards the shares at work",
    )  # fmt: skip


def _spread(label: str) -> Meaning:
    return Meaning(
        label=label, unit=QuantityUnit.DIFFERENCE,
        up="treats occupations more unlike", down="treats occupations more alike",
    )  # fmt: skip


MEAN = Quantity(
    "mb", "mean bias over occupations", _SIGNED, _ODD, 0.0, -1.0, 1.0,
    meaning=_shift("share of {group} minus their share at work", 1),
)  # fmt: skip
LOWEST = Quantity(
    "min_beta", "lowest bias", _SIGNED, _ODD, None, -1.0, 1.0, mirror="max_beta",
    meaning=_shift("share of {group} minus their share at work: lowest of an occupation"),
)  # fmt: skip
HIGHEST = Quantity(
    "max_beta", "highest bias", _SIGNED, _ODD, None, -1.0, 1.0, mirror="min_beta",
    meaning=_shift("share of {group} minus their share at work: highest of an occupation"),
)  # fmt: skip
# Spread and distance have no neutral value: without bias they are not 0 but what chance makes of
# them, for which baselines stand beside. An excess is 0 on average without bias, and below where
# answers keep to the reference more closely than chance would.
SPREAD = Quantity(
    "sb", "standard deviation of the bias", _UNSIGNED, _EVEN, None, 0.0, 2.0,
    meaning=_spread("spread over occupations"),
)  # fmt: skip
EXCESS_SPREAD = Quantity(
    "excess_sb", "standard deviation of the bias beyond chance",
    _UNSIGNED, _EVEN, None, -2.0, 2.0, meaning=_spread("spread over occupations beyond chance"),
)  # fmt: skip
DISTANCE = Quantity(
    "mab", "mean absolute bias", _UNSIGNED, _EVEN, None, 0.0, 1.0,
    meaning=_distance("distance from the shares at work"),
)  # fmt: skip
EXCESS_DISTANCE = Quantity(
    "excess_mab", "mean absolute bias beyond chance", _UNSIGNED, _EVEN, None, -1.0, 1.0,
    meaning=_distance("distance from the shares at work beyond chance", 2),
)  # fmt: skip
CHANCE_DISTANCE = Quantity(
    "mab_null", "mean absolute bias that chance alone makes", _UNSIGNED, _EVEN, None, 0.0, 1.0,
    meaning=baseline("distance that chance alone makes"),
)  # fmt: skip
