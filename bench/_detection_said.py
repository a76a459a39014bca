"""Lines of the bench of change detection: what, ours, beside it, and whether a bar was met."""

from monitor.stats.intervals import wilson


def row(what: str, ours: str, beside: str = "", bar: str = "", met: object = None) -> None:
    said = "" if met is None else "met" if met else "MISSED"
    print(f"{what:<62}{ours:>26}  {beside:<44}{bar:<16}{said}".rstrip(), flush=True)


def share(hits: int, n: int) -> str:
    """`1.5 % [0.5, 4.3]`."""
    limits = wilson(float(hits), float(n))
    return f"{hits / n:.1%} [{float(limits.low):.1%}, {float(limits.high):.1%}]"
