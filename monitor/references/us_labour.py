"""Shares of women by occupation in the United States, from the table `us_labour` of the package.

Each known occupation has the share of its first source in `PRECEDENCE`, with that source and its
own year. `monitor/data/sources.toml` cites the sources.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from monitor.data import read_table
from monitor.model import InvalidInput, Origin, Share
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
    """Women's share of each occupation from its first source. Raises InvalidInput, naming the row.

    Rows have the columns occupation, group, share, n, source, country, as_of, word.
    """
    women = [row for row in rows if row["group"] == "women"]
    share_by_topic: dict[str, Share] = {}
    for row in sorted(women, key=_source_place):
        share_by_topic.setdefault(row["occupation"], _read_share(row))
    return share_by_topic


def _source_place(row: Mapping[str, str]) -> int:
    if row["source"] not in PRECEDENCE:
        raise InvalidInput(
            f"us_labour: {row['occupation']}: unknown source {row['source']!r}; "
            f"known: {', '.join(PRECEDENCE)}"
        )
    return PRECEDENCE.index(row["source"])


def _read_share(row: Mapping[str, str]) -> Share:
    try:
        value = float(row["share"])
        n = int(row["n"]) if row["n"] else None
    except ValueError as error:
        raise InvalidInput(f"us_labour: {row['occupation']}: {error}") from error
    if not 0 <= value <= 1:
        raise InvalidInput(f"us_labour: {row['occupation']}: share {value} is not within 0 and 1")
    return Share(
        row["occupation"], value, row["source"], row["country"], row["as_of"], n, row["word"]
    )


REFERENCE = UsLabour()
