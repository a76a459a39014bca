"""Questions beside the engines: one at a time, as fast as the service allows, each answer kept."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.faults import Then, consequence, judged
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Fetcher, HttpRequest, Json, Outcome, Reason, Trouble
from monitor.stages.collect import described, without_keys

#: A wait is cut into pieces of this length, so that a person's wish to stop is heard.
_HEARD_WITHIN = 0.2
_TRIES = 4

#: Keeps a request, described, and its answer.
Keep = Callable[[Mapping[str, Json], Answer], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """Where something is looked up. `ask` is what pure parts are given (`monitor.model.Ask`)."""

    fetcher: Fetcher
    lane: Lane
    trouble: Callable[[Answer], Trouble | None]
    keep: Keep
    stop: Callable[[], bool]

    def ask(self, request: HttpRequest) -> Answer:
        """The answer, its outcome judged; asked again while that is of use.

        Once the lane has stopped, or a person wants to stop, nothing more is asked. Raises
        KeyboardInterrupt in the latter case.
        """
        answer = None
        for _ in range(_TRIES):
            while not self.lane.stopped and (wait := self.lane.wait()) > 0:
                self._leave()
                time.sleep(min(wait, _HEARD_WITHIN))
            self._leave()
            if self.lane.stopped:
                break
            answer = self._once(request)
            if consequence(answer) is not Then.BACK_OFF:
                break
        return answer or _unasked(self.lane.stopped)

    def _leave(self) -> None:
        if self.stop():
            raise KeyboardInterrupt

    def _once(self, request: HttpRequest) -> Answer:
        self.lane.left()
        [(_, raw)] = self.fetcher.fetch([request])
        found = self.trouble(raw) if raw.outcome is Outcome.OK else None
        answer = without_keys(request, judged(raw, found))
        self.lane.came(answer, "", found.until if found else None)
        self.keep(described(request), answer)
        return answer


def _unasked(why: str) -> Answer:
    return Answer(Outcome.FAILED, datetime.now(UTC), 0.0, Reason.NONE, f"not asked: {why}")
