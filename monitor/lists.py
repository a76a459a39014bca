"""Probe lists: a TOML file that describes and a CSV file that holds the items.

In goes the path of `NAME@VERSION.csv`, out comes a `ProbeList`. A list never changes once it has
been asked: its content hash is kept in the database, and a changed list is the next version.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from monitor.input_files import open_table, parse_toml, say_first_fault
from monitor.model import Cue, InvalidInput, digest

_FIXED_COLUMNS = ("key", "text")
_BCP47 = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

#: 1, 2, ... for the lists of this project, 1.0, 1.1, ... where a data set counts so.
VERSION = r"[1-9][0-9]*(\.[0-9]+)?"


@dataclass(frozen=True, slots=True)
class ListItem:
    """One question of a list, before it is joined to a target language or region.

    `cue` says where the gender in its translation is read from.
    """

    key: str
    text: str
    tags: Mapping[str, str]
    source_lang: str
    cue: Cue = Cue.AGREEMENT


@dataclass(frozen=True, slots=True)
class ProbeList:
    """A named, versioned list. `status` stays "unvalidated" until people have rated it blind.

    `source_lang` is empty where the items are in several languages.
    """

    name: str
    version: str
    source_lang: str
    title: str
    status: str
    licence: str
    description: str
    items: tuple[ListItem, ...]

    @property
    def label(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.version}"

    @property
    def next_label(self) -> str:
        """Return the label of a changed list: `name@2` after `name@1`, `name@1.1` after 1.0."""
        *before, last = self.version.split(".")
        return f"{self.name}@{'.'.join([*before, str(int(last) + 1)])}"

    @property
    def content_hash(self) -> str:
        """SHA-256 of what is asked: source language, keys, texts and tags in their order."""
        items = [self._hash_fields(item) for item in self.items]
        return digest([self.name, self.version, self.source_lang, items])

    def _hash_fields(self, item: ListItem) -> list[object]:
        """Return what is hashed of an item, without what every item shares."""
        own_columns: dict[str, str] = {}
        if item.source_lang != self.source_lang:
            own_columns["source_lang"] = item.source_lang
        if item.cue is not Cue.AGREEMENT:
            own_columns["cue"] = item.cue
        return [item.key, item.text, dict(item.tags), *([own_columns] if own_columns else [])]

    @property
    def source_langs(self) -> tuple[str, ...]:
        """The languages of the items, in the order in which they first stand."""
        return tuple(dict.fromkeys(item.source_lang for item in self.items))

    @property
    def cues(self) -> tuple[Cue, ...]:
        """Return the cues of the items in the order in which they first stand."""
        return tuple(dict.fromkeys(item.cue for item in self.items))


def _as_text(value: Any) -> Any:  # noqa: ANN401 - whatever stands in the TOML file
    """A whole version may stand as a number; 1.10 as a number would be 1.1."""
    if isinstance(value, float):
        raise ValueError("put a version with a point in quotation marks")  # noqa: TRY004 - pydantic's
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _ListHeader(BaseModel):
    """The TOML half of a list. `repeated_texts` says that a sentence may stand in two items.

    `source_lang` and `cue` hold for items that have no column of that name.
    """

    model_config = ConfigDict(extra="allow")

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    version: Annotated[str, BeforeValidator(_as_text), Field(pattern=f"^{VERSION}$")]
    source_lang: str = ""
    cue: Cue = Cue.AGREEMENT
    title: str
    description: str = ""
    status: Literal["unvalidated", "validated"]
    licence: str
    repeated_texts: bool = False


def _read_header(path: Path) -> _ListHeader:
    toml = path.with_suffix(".toml")
    try:
        return _ListHeader.model_validate(parse_toml(toml.read_bytes(), str(toml)))
    except FileNotFoundError:
        raise InvalidInput(f"{toml}: missing; it must describe {path.name}") from None
    except ValidationError as error:
        raise InvalidInput(f"{toml}: {say_first_fault(error)}") from error


def _read_item(row: dict[str, str], place: str, header: _ListHeader) -> ListItem:
    key, text = row.pop("key").strip(), row.pop("text").strip()
    if not key or not text:
        raise InvalidInput(f"{place}: key and text must not be empty")
    source = row.pop("source_lang", header.source_lang).strip()
    if not _BCP47.fullmatch(source):
        raise InvalidInput(
            f"{place}: source_lang {source!r} is no language tag such as en or pt-BR; name it in "
            "the TOML file, or in a column of that name"
        )
    cue = row.pop("cue", header.cue).strip()
    if cue not in tuple(Cue):
        raise InvalidInput(f"{place}: cue {cue!r}: must be one of {', '.join(Cue)}")
    if cue == Cue.ENTITY:
        _check_entity(row, text, place)
    return ListItem(key, text, row, source, Cue(cue))


def _check_entity(tags: dict[str, str], text: str, place: str) -> None:
    """Raise InvalidInput unless the tags name a person of the text (cue entity)."""
    entity = tags.get("entity", "").strip()
    if not entity or entity.lower() not in text.lower():
        raise InvalidInput(
            f"{place}: tag 'entity' is {entity!r}; with the cue entity it must be words of the text"
        )
    index = tags.get("index", "")
    if index and not (index.isascii() and index.isdigit() and int(index) < len(text.split())):
        raise InvalidInput(
            f"{place}: tag 'index' is {index!r}; it must be the place of a word of the text, "
            f"0 to {len(text.split()) - 1}, or empty"
        )


def read_items(path: Path, header: _ListHeader) -> tuple[ListItem, ...]:
    """Items of a CSV with the columns key, text and one per tag; errors name file and line."""
    with open_table(path, _FIXED_COLUMNS) as table:
        items = tuple(_read_item(row, location, header) for location, row in table.records())
    if not items:
        raise InvalidInput(f"{path}: the list is empty; a list needs at least one item")
    _refuse_doubles(path, "key", [item.key for item in items])
    return items


def _refuse_doubles(path: Path, field: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise InvalidInput(f"{path}: {field} {value!r} stands twice")
        seen.add(value)


def load_list(path: Path) -> ProbeList:
    """Read `NAME@VERSION.csv` and the TOML file beside it. Raises InvalidInput.

    A text that stands in two items is refused unless the description says that it is meant: it is
    then one probe, asked once, whose answer counts in both items.
    """
    if not path.exists():
        raise InvalidInput(f"{path}: no such probe list")
    header = _read_header(path)
    items = read_items(path, header)
    if not header.repeated_texts:
        for language in {item.source_lang for item in items}:
            texts = [item.text for item in items if item.source_lang == language]
            _refuse_doubles(path, "text", texts)
    probe_list = ProbeList(
        header.name,
        header.version,
        header.source_lang,
        header.title,
        header.status,
        header.licence,
        header.description.strip(),
        items,
    )
    if probe_list.label != path.stem:
        raise InvalidInput(f"{path}: its TOML file says {probe_list.label}; the name must agree")
    return probe_list
