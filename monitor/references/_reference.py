"""Base of sources of reference shares."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from monitor.model import Share


@dataclass(frozen=True, slots=True)
class BaseReference:
    """A source that knows nothing before it is asked in its own way.

    One that counts women only overrides `shares`: who is not one of them is counted among men.
    """

    version: ClassVar[int] = 1
    as_of: ClassVar[str] = ""

    def shares(self, topics: Iterable[str]) -> dict[str, Share]:  # noqa: ARG002 - of subclasses
        return {}

    def targets(self, topics: Iterable[str]) -> dict[str, tuple[Share, ...]]:
        return {
            topic: (share, replace(share, value=1 - share.value, group="men"))
            for topic, share in self.shares(topics).items()
        }
