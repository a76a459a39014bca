"""Several requests at the same time: a stream of them in, answers in the order of arrival out."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

from monitor.model import Answer, Pause, Request

R = TypeVar("R")


def answers(
    runner: asyncio.Runner,
    requests: Iterable[Request | Pause],
    wanted: type[R],
    answer: Callable[[R], Coroutine[Any, Any, Answer]],
) -> Iterator[tuple[int, Answer]]:
    """Yield (index, answer). `answer` answers one request and never raises.

    What comes in during a pause is handed over at once. When nobody listens any more, what is in
    flight is given up. Raises TypeError for a request of another kind than `wanted`.
    """
    waiting = iter(requests)
    flying: dict[asyncio.Task[Answer], int] = {}
    index = 0
    try:
        while (found := next(waiting, None)) is not None:
            if isinstance(found, Pause):
                for task in runner.run(_first(flying, found.seconds)):
                    yield flying.pop(task), task.result()
            elif isinstance(found, wanted):
                flying[runner.get_loop().create_task(answer(found))] = index
                index += 1
            else:
                raise TypeError(f"not a request of this kind, {wanted.__name__}: {found!r}")
        while flying:
            for task in runner.run(_first(flying, None)):
                yield flying.pop(task), task.result()
    finally:
        runner.run(_given_up(flying))


async def _first(
    flying: dict[asyncio.Task[Answer], int], seconds: float | None
) -> list[asyncio.Task[Answer]]:
    """The tasks that are done, once one is or the time has passed; in the order they left."""
    if not flying:
        await asyncio.sleep(seconds or 0.0)
        return []
    done, _ = await asyncio.wait(flying, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return sorted(done, key=lambda task: flying[task])


async def _given_up(flying: Iterable[asyncio.Task[Answer]]) -> None:
    tasks = list(flying)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
