"""Writes one table of a release as CSV and as Parquet, portion by portion, with digests.

In go columns of the data dictionary and portions of rows, out come two files and what their
digests are. Text stays what it was, hostile or not: in CSV no cell is run as a formula, because an
apostrophe goes before it, which `text.cells` takes away again.
"""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from monitor.labels.sheets import RowWriter
from monitor.model import MissingPart
from monitor.store.dictionary import Column
from monitor.text.cells import inert

Row = tuple[Any, ...]

_BLOCK = 2**20
#: Types of Parquet by those of the dictionary.
_PARQUET = {"text": "string", "json": "string", "integer": "int64", "number": "float64",
            "boolean": "bool_"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """One file of a release: its path in the folder, bytes, SHA-256 and rows."""

    path: str
    size: int
    sha256: str
    rows: int


def parquet() -> ModuleType:
    """The library. Raises MissingPart with the remedy."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise MissingPart(
            "pyarrow is not installed; install it: pip install 'gbmonitor[parquet]'; or leave "
            "Parquet out: --csv-only"
        ) from None


def write(
    folder: Path,
    name: str,
    columns: Sequence[Column],
    portions: Iterable[Sequence[Row]],
    *,
    with_parquet: bool,
) -> list[Written]:
    """Write `data/NAME.csv` and `data/NAME.parquet`; one portion of rows is in memory at a time."""
    place = folder / "data"
    place.mkdir(exist_ok=True)
    paths = [place / f"{name}.csv"]
    n = 0
    with ExitStack() as stack:
        file = stack.enter_context(paths[0].open("w", encoding="utf-8", newline=""))
        table = RowWriter(file)
        table.rows([[one.name for one in columns]])
        columnar = None
        if with_parquet:
            paths.append(place / f"{name}.parquet")
            columnar = stack.enter_context(_Columnar(paths[-1], columns))
        for some in portions:
            n += len(some)
            table.rows([_cell(one) for one in row] for row in some)
            if columnar:
                columnar.add(some)
    return [_written(folder, path, n) for path in paths]


def _cell(value: Any) -> str:  # noqa: ANN401 - any value of a row
    """A value as CSV holds it; NULL is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, str):
        return inert(value)
    return repr(value)


class _Columnar:
    """A Parquet file that grows by row groups."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._pa = parquet()
        self._schema = self._pa.schema(
            [self._pa.field(one.name, self._type(one)) for one in columns]
        )
        engine = import_module("pyarrow.parquet")
        self._writer = engine.ParquetWriter(path, self._schema, compression="zstd")

    def _type(self, column: Column) -> Any:  # noqa: ANN401 - a type of pyarrow
        if column.type == "datetime":
            return self._pa.timestamp("us", tz="UTC")
        return getattr(self._pa, _PARQUET[column.type])()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._writer.close()

    def add(self, some: Sequence[Row]) -> None:
        """Write a portion as a row group."""
        if not some:
            return
        arrays = [
            self._pa.array(values, type=field.type)
            for values, field in zip(zip(*some, strict=True), self._schema, strict=True)
        ]
        self._writer.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema))


def _written(folder: Path, path: Path, n: int) -> Written:
    size, sha256 = digest(path)
    return Written(path.relative_to(folder).as_posix(), size, sha256, n)


def digest(path: Path) -> tuple[int, str]:
    """(bytes, SHA-256) of a file."""
    found, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
            size += len(block)
    return size, found.hexdigest()
