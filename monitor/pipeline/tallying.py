"""Counts what is derived anew, for whoever watches, and stops where that is wanted."""

from monitor.pipeline.steps import Progress, Stop


class Tally:
    """Counts answers, each once for every step, and stops where that is wanted."""

    def __init__(self, progress: Progress, planned: int, stop: Stop, give_way: Stop) -> None:
        self._progress, self._planned = progress, planned
        self._stop, self._give_way = stop, give_way
        self._done = self._left = 0
        progress("redo", 0, planned)

    def begin(self, answers: int) -> None:
        """A step begins that has so many answers to do, some of them perhaps done before."""
        self._left = answers

    def add(self, some: int) -> None:
        """So many more are done. Raises KeyboardInterrupt."""
        some = min(some, self._left)
        self._left -= some
        self._done += some
        self._progress("redo", self._done, self._planned)
        self.check()
        if self._give_way():
            raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt where it is to stop."""
        if self._stop():
            raise KeyboardInterrupt

    def end(self) -> None:
        """The step has seen all."""
        self.add(self._left)
