"""The same work on many portions, in threads: numpy lets others run while it sorts and adds."""

from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import TypeVar

Portion = TypeVar("Portion")
Result = TypeVar("Result")


def side_by_side(
    work: Callable[[Portion], Result], portions: Sequence[Portion], threads: int
) -> list[Result]:
    """The results in the order of the portions. Raises the first thing that was raised."""
    if threads == 1:
        return [work(portion) for portion in portions]
    waiting = iter(enumerate(portions))
    lock = Lock()
    results: dict[int, Result] = {}
    raised: list[BaseException] = []

    def keep_working() -> None:
        while not raised:
            with lock:
                place, portion = next(waiting, (-1, None))
            if portion is None:
                return
            try:
                results[place] = work(portion)
            except BaseException as error:  # noqa: BLE001 - the caller raises it
                raised.append(error)

    helpers = [Thread(target=keep_working) for _ in range(threads)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    if raised:
        raise raised[0]
    return [results[place] for place in range(len(portions))]
