"""Several requests at the same time: a stream of them in, answers in the order of arrival out."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

from monitor.model import Answer, Pause, Request

R = TypeVar("R")


def yield_answers(
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
        while (next_request := next(waiting, None)) is not None:
            if isinstance(next_request, Pause):
                for task in runner.run(_first_done(flying, next_request.seconds)):
                    yield flying.pop(task), task.result()
            elif isinstance(next_request, wanted):
                flying[runner.get_loop().create_task(answer(next_request))] = index
                index += 1
            else:
                raise TypeError(f"not a request of this kind, {wanted.__name__}: {next_request!r}")
        while flying:
            for task in runner.run(_first_done(flying, None)):
                yield flying.pop(task), task.result()
    finally:
        runner.run(_cancel_requests(flying))


async def _first_done(
    flying: dict[asyncio.Task[Answer], int], seconds: float | None
) -> list[asyncio.Task[Answer]]:
    """The tasks that are done, once one is or the time has passed; in the order they left."""
    if not flying:
        await asyncio.sleep(seconds or 0.0)
        return []
    done, _ = await asyncio.wait(flying, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return sorted(done, key=lambda task: flying[task])


async def _cancel_requests(flying: Iterable[asyncio.Task[Answer]]) -> None:
    tasks = list(flying)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
