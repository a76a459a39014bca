"""Fetches the occupations of Wikidata and writes them as the next version of their probe list."""

import re
from pathlib import Path

from monitor import resources
from monitor.cli._console import counter, err, out
from monitor.cli._files import new_file
from monitor.data import read_table
from monitor.lists import load_list
from monitor.model import StoreProblem
from monitor.text.counted_nouns import several
from monitor.wikidata.occupations import LIST_NAME, Source, as_list, known_nouns, page_query
from monitor.wikidata.requests import sparql
from monitor.work.outside import open_fetcher

_VERSION = re.compile(rf"{LIST_NAME}@([0-9]+)\.(?:csv|toml)")


def fetch_list(endpoint: str, floor: int, folder: Path) -> None:
    """Write the list of today into the folder.

    Raises StoreProblem where the service failed; what came until then has been written by then.
    """
    from monitor.fetch import occupations

    example = sparql(endpoint, page_query(0, floor))
    with open_fetcher([example], "") as fetcher, counter("occupations") as progress:
        found = occupations.fetch(fetcher, endpoint, floor, progress=progress)
    if not found.occupations or found.asked_at is None:
        raise StoreProblem(f"{endpoint}: no occupations came: {found.fault or 'no answer'}")
    source = Source(endpoint, found.asked_at, floor, found.fault)
    nouns = known_nouns(read_table("occupations"), read_table("occupation_synonyms"))
    version = _next_version(folder)
    for name, text in as_list(found.occupations, source, version, nouns).items():
        with new_file(folder / name, force=False) as file:
            file.write(text)
    written = load_list(folder / f"{LIST_NAME}@{version}.csv")
    doubtful = sum(1 for item in written.items if item.tags["doubt"])
    err.print(
        f"{written.label}: {several(len(written.items), 'occupation')} in {folder}; "
        f"{doubtful:,} with a doubtful plural (tag doubt)",
        markup=False,
        soft_wrap=True,
    )
    if found.fault:
        raise StoreProblem(f"{written.label} is incomplete, and says so: {found.fault}")
    out.print(f"licence: {written.licence} (Wikidata)", markup=False, soft_wrap=True)


def _next_version(folder: Path) -> int:
    """The version after the last one, here or among the shipped lists."""
    paths = [*folder.glob("*"), *(resources.shipped("jobs") / "lists").glob("*")]
    found = (_VERSION.fullmatch(path.name) for path in paths)
    return max((int(match[1]) for match in found if match), default=0) + 1
