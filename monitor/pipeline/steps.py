"""What the steps of a run share: how they tell their progress, and how they are asked to stop."""

from collections.abc import Callable

#: Called with (stage, questions done, questions in all).
Progress = Callable[[str, int, int], None]

#: Asked between requests: True means that a person wants to stop.
Stop = Callable[[], bool]


def never() -> bool:
    """Nobody wants to stop."""
    return False
