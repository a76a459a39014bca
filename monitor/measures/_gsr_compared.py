"""A slope beside another one: what a ratio or a difference of slopes comes to."""

from dataclasses import dataclass

from monitor.stats.intervals import Limits


@dataclass(frozen=True, slots=True)
class Compared:
    """A ratio or difference over the queries that both sides share, or why there is none."""

    value: float | None
    interval: Limits | None
    bounds: Limits | None
    used: int
    reason: str
    facts: tuple[tuple[str, float], ...]
