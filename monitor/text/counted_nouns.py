"""Counts with their nouns: a number in, `1 series` or `2,000 runs` out."""


def several(n: int, one: str, many: str = "") -> str:
    """`1 run`, `2,000 runs`: a count with its noun; `many` where that is not `one` and an s."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
