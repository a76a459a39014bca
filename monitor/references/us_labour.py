"""Shares of women by occupation in the United States, from the table `us_labour` of the package.

Each known occupation has the share of its first source in `PRECEDENCE`, with that source and its
own year. `monitor/data/sources.toml` cites the sources.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from monitor.data import read_table
from monitor.model import Origin, Share
from monitor.references._reference import BaseReference

#: By how well the year is known: the 2018 of the last one is a year of publication.
PRECEDENCE = ("cps2019_fabris_a7", "census2015_garg", "cps_winobias")


@dataclass(frozen=True, slots=True)
class UsLabour(BaseReference):
    """Figures of the Current Population Survey 2019, and older ones where it has none."""

    name: ClassVar[str] = "us_labour"
    title: ClassVar[str] = "US labour force, 2019 (2015 or older where 2019 has no figure)"
    as_of: ClassVar[str] = "2019"
    origin: ClassVar[Origin] = Origin.TABLE

    def shares(self, topics: Iterable[str]) -> dict[str, Share]:
        shares_by_topic = _load_shares()
        return {topic: shares_by_topic[topic] for topic in topics if topic in shares_by_topic}


@cache
def _load_shares() -> Mapping[str, Share]:
    return prefer_sources(read_table("us_labour"))


def prefer_sources(rows: Iterable[Mapping[str, str]]) -> dict[str, Share]:
    """Women's share of each occupation from its first source.

    Rows have the columns occupation, group, share, n, source, country, as_of, word.
    """
    women = [row for row in rows if row["group"] == "women"]
    share_by_topic: dict[str, Share] = {}
    for row in sorted(women, key=lambda row: PRECEDENCE.index(row["source"])):
        topic, n = row["occupation"], int(row["n"]) if row["n"] else None
        share = float(row["share"]), row["source"], row["country"], row["as_of"], n, row["word"]
        share_by_topic.setdefault(topic, Share(topic, *share))
    return share_by_topic


REFERENCE = UsLabour()
