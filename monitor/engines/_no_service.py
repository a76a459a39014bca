"""What engines share that no service stands behind: nothing to go wrong with, nobody to name."""

from collections.abc import Mapping

from monitor.model import Answer, Json, Trouble


class NoService:
    """The fetcher says who answered and how it ended; an answer has nothing to add."""

    __slots__ = ()

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:  # noqa: ARG002
        """No service, no trouble of this sort."""
        return None

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """The fetcher says what answered."""
        return ()
