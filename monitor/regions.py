"""Regions: from where, in which language and on which screen search engines are asked.

They stand in the `regions.toml` of a job's folder, or in the shipped one.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from monitor import resources
from monitor.input_files import parse_toml
from monitor.model import InvalidInput, Region
from monitor.region_names import regions_file, say_code, say_region
from monitor.text.near_names import hint

_NAME = re.compile(r"[a-z][a-z0-9-]*")


class _RegionTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    country: str = Field(pattern=r"^[A-Z]{2}$")
    language: str = Field(pattern=r"^[a-z]{2,3}$")
    locale: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    timezone: Annotated[str, AfterValidator(resources.check_time_zone)]
    accept_language: str = Field(pattern=r"^[A-Za-z0-9*;=., -]{2,100}$")
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    width: int = Field(1366, ge=320, le=4096)
    height: int = Field(900, ge=320, le=4096)
    place: str = Field("", max_length=200)


def find_regions(folder: Path, wanted: Iterable[str]) -> dict[str, Region]:
    """The regions of these names. Raises InvalidInput, naming the file, the name and the key."""
    path = regions_file(folder)
    try:
        regions_parsed = parse_toml(path.read_bytes(), str(path))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read as regions: {error}") from error
    regions_by_name = {}
    for name in sorted(wanted):
        if name not in regions_parsed or not _NAME.fullmatch(name):
            raise InvalidInput(
                f"region {name!r} is not in {path}; {hint(name, sorted(regions_parsed))}"
            )
        try:
            regions_by_name[name] = Region(
                name=name, **_RegionTable.model_validate(regions_parsed[name]).model_dump()
            )
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            raise InvalidInput(f"{path}: [{name}] {key}: {first['msg']}") from error
        country, language = regions_by_name[name].country, regions_by_name[name].language
        if _is_named_otherwise(name, country, language):
            raise InvalidInput(
                f"{path}: [{name}] declares country {country} and language {language}, but reports "
                f"call it {say_region(name)!r} by its name; choose another name"
            )
    return regions_by_name


def _is_named_otherwise(name: str, country: str, language: str) -> bool:
    """Return whether a region is called by another country or language than it declares."""
    is_named = say_region(name) != say_code(name)
    return is_named and name != f"{country.lower()}-{language}"
