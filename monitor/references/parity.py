"""Parity: one half for every topic, a yardstick that is offered beside measured shares."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from monitor.model import Origin, Share
from monitor.references._women import with_men


@dataclass(frozen=True, slots=True)
class Parity:
    """1/2 whatever the topic: no claim about a labour market, hence without country or date."""

    name: ClassVar[str] = "parity"
    title: ClassVar[str] = "parity (1/2)"
    version: ClassVar[int] = 1
    as_of: ClassVar[str] = ""
    origin: ClassVar[Origin] = Origin.TABLE

    def shares(self, topics: Iterable[str]) -> dict[str, Share]:
        return {
            topic: Share(topic, 0.5, source=self.name, country="", as_of="") for topic in topics
        }

    def targets(self, topics: Iterable[str]) -> dict[str, tuple[Share, ...]]:
        return with_men(self.shares(topics))


REFERENCE = Parity()
