"""Parity: one half for every topic, a yardstick that is offered beside measured shares."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from monitor.model import Origin, Share
from monitor.references._reference import BaseReference


@dataclass(frozen=True, slots=True)
class Parity(BaseReference):
    """1/2 whatever the topic: no claim about a labour market, hence without country or date."""

    name: ClassVar[str] = "parity"
    title: ClassVar[str] = "parity (1/2)"
    origin: ClassVar[Origin] = Origin.TABLE

    def shares(self, topics: Iterable[str]) -> dict[str, Share]:
        return {
            topic: Share(topic, 0.5, source=self.name, country="", as_of="") for topic in topics
        }


REFERENCE = Parity()
