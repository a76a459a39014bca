"""The file of regions, and names of regions for people.

Search engines are asked from a region, which `regions.toml` describes: that of a job's folder, or
the shipped one; `monitor.jobs` reads it. A region that is named like `us-en` is called by its
country and language; country names are those of the IANA time zone database.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from monitor import plugin_summaries, resources

#: A name that says the country and the language of a region.
_CODES = re.compile(r"([a-z]{2})-([a-z]{2,3})")


def regions_file(folder: Path) -> Path:
    """Return the file of regions: that of the job's folder, else the shipped one."""
    own_file = folder / "regions.toml"
    return own_file if own_file.exists() else resources.find_folder("jobs") / "regions.toml"


def say_region(name: str) -> str:
    """Return `United States, English` of `us-en`, and `region lab` of a name without a country."""
    codes = _CODES.fullmatch(name)
    country = _load_countries().get(codes[1].upper()) if codes else None
    language = plugin_summaries.language_name(codes[2], ["languages"]) if codes else None
    return f"{country}, {language}" if country and language else f"region {name}"


@cache
def _load_countries() -> dict[str, str]:
    """Return {ISO 3166 code: English name}."""
    table = files("tzdata.zoneinfo").joinpath("iso3166.tab").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return dict(rows) | {"GB": "United Kingdom"}  # the table says "Britain (UK)"
