"""How far raters agree, as both commands that compute it print it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from monitor.stats.intervals import Limits


def known_to(value: float | None, limits: "Limits | None") -> str:
    """`0.812 [0.701, 0.884]`; undefined where chance alone explains all, or nobody rated the same.

    Without limits it rests on too few items that say anything.
    """
    if value is None:
        return "undefined"
    return f"{value:.3f}" + (f" [{limits.low:.3f}, {limits.high:.3f}]" if limits else "")
