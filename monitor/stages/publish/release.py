"""Write what of an archive may be given to everybody, as a folder that can be checked and cited.

The folder has tables as CSV and Parquet, their descriptor, README, licences, citation and
checksums. It appears whole or not at all, and the same database gives the same bytes. Text stays
what it was, hostile or not: in CSV no cell is run as a formula, because an apostrophe goes before
it, which `text.cells` takes away again.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, Protocol, Self

from monitor import input_files
from monitor.model import InvalidInput, MissingPart
from monitor.stages.publish.release_papers import (
    ReleaseFacts,
    WrittenTable,
    list_papers,
    write_checksums,
)
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.publish import release as facts
from monitor.store.publish.data_dictionary import ViewColumn
from monitor.store.publish.release import ReleaseSelection, Row
from monitor.text.cells import RowWriter, make_inert

#: Rows of a group in Parquet; of a table as wide as `answers` they take about 30 MB of memory.
_GROUP = 100_000
#: Bytes of a dictionary: the keys of all questions of a run to thirty systems fit.
_DICTIONARY = 2**21
#: Types of Parquet by those of the dictionary.
_PARQUET = {"text": "string", "json": "string", "integer": "int64", "number": "float64",
            "boolean": "bool_"}  # fmt: skip


class Writable(Protocol):
    """A file that is written from its beginning to its end."""

    def write(self, block: bytes) -> int:
        """Append bytes."""


def load_parquet() -> ModuleType:
    """The library. Raises MissingPart with the remedy."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise MissingPart(
            "pyarrow is not installed; install it: pip install 'gbmonitor[parquet]'; or leave "
            "Parquet out: --csv-only"
        ) from None


def write_table(
    folder: Path,
    name: str,
    columns: Sequence[ViewColumn],
    portions: Iterable[Sequence[Row]],
    *,
    with_parquet: bool,
) -> list[WrittenTable]:
    """Write `data/NAME.csv` and `data/NAME.parquet`; one portion of rows is in memory at a time."""
    (folder / "data").mkdir(exist_ok=True)
    paths = [folder / "data" / f"{name}.csv"]
    n = 0
    with ExitStack() as stack:
        file = stack.enter_context(paths[0].open("w", encoding="utf-8", newline=""))
        table = RowWriter(file)
        table.rows([[column.name for column in columns]])
        columnar = None
        if with_parquet:
            paths.append(folder / "data" / f"{name}.parquet")
            columnar = stack.enter_context(ParquetTable(paths[-1], columns))
        for rows in portions:
            n += len(rows)
            table.rows([_say_cell(item) for item in row] for row in rows)
            if columnar:
                columnar.add(rows)
    return [
        WrittenTable(path.relative_to(folder).as_posix(), *hash_file(path), n) for path in paths
    ]


def _say_cell(value: Any) -> str:  # noqa: ANN401 - any value of a row
    """A value as CSV holds it; NULL is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, str):
        return make_inert(value)
    return repr(value)


def open_parquet(place: Path | Writable, columns: Sequence[ViewColumn]) -> Any:  # noqa: ANN401
    """Open a Parquet file for writing, with the types of a release (a writer of pyarrow).

    Numbers that count up, as ids and times do, are stored as differences, texts in dictionaries,
    digests of texts as they are.
    """
    pa, parquet = load_parquet(), import_module("pyarrow.parquet")
    types = {
        name: pa.timestamp("us", tz="UTC") if kind == "datetime" else getattr(pa, _PARQUET[kind])()
        for name, kind in ((column.name, column.type) for column in columns)
    }
    counting = [column.name for column in columns if column.type in ("integer", "datetime")]
    return parquet.ParquetWriter(
        place,
        pa.schema(types),
        compression="zstd",
        use_dictionary=[n for n in types if n not in counting and not n.endswith("_sha256")],
        dictionary_pagesize_limit=_DICTIONARY,
        column_encoding=dict.fromkeys(counting, "DELTA_BINARY_PACKED"),
    )


class ParquetTable:
    """A Parquet file that grows by row groups; `place` is a path, or a file that is written to."""

    def __init__(self, place: Path | Writable, columns: Sequence[ViewColumn]) -> None:
        self._pa = load_parquet()
        self._writer = open_parquet(place, columns)
        self._schema = self._writer.schema
        self._portions: list[Any] = []
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._write_group()
        self._writer.close()

    def add(self, rows: Sequence[Row]) -> None:
        """Add a portion of rows. Portions are written together: large groups take less room."""
        if not rows:
            return
        self._portions.append(_make_table(rows, self._schema))
        self._rows += len(rows)
        if self._rows >= _GROUP:
            self._write_group()

    def _write_group(self) -> None:
        if self._portions:
            table = self._pa.concat_tables(self._portions)
            self._writer.write_table(table, row_group_size=self._rows)
        self._portions, self._rows = [], 0


def _make_table(rows: Sequence[Row], schema: Any) -> Any:  # noqa: ANN401 - of pyarrow
    pa = load_parquet()
    pairs = zip(zip(*rows, strict=True), schema, strict=True)
    arrays = [pa.array(values, type=field.type) for values, field in pairs]
    return pa.Table.from_arrays(arrays, schema=schema)


def replace_rows(
    content: bytes,
    place: Writable,
    columns: Sequence[ViewColumn],
    key: Sequence[str],
    rows: Mapping[Row, Row],
) -> None:
    """Copy a Parquet file with other rows in the places of those with the same keys.

    Pages, dictionaries and statistics are made anew: nothing of the old rows is in them. Raises
    ValueError where the file lacks a key, or has other columns.
    """
    pa, parquet = load_parquet(), import_module("pyarrow.parquet")
    source, missing = parquet.ParquetFile(pa.BufferReader(content)), len(rows)
    with open_parquet(place, columns) as writer:
        for group in range(source.num_row_groups):
            table = source.read_row_group(group).cast(writer.schema)
            keys = zip(*(table[name].to_pylist() for name in key), strict=True)
            matching = [(n, rows[values]) for n, values in enumerate(keys) if values in rows]
            if matching:
                order, count = list(range(table.num_rows)), table.num_rows
                for place_of_new, (n, _) in enumerate(matching, count):
                    order[n] = place_of_new
                new = _make_table([row for _, row in matching], writer.schema)
                table = pa.concat_tables([table, new]).take(order)
                missing -= len(matching)
            writer.write_table(table, row_group_size=table.num_rows)
        if missing:
            raise ValueError(f"{missing} keys are not in the file")


def hash_file(path: Path) -> tuple[int, str]:
    """Return the bytes of a file and their SHA-256."""
    return path.stat().st_size, input_files.hash_file(path)


Progress = Callable[[int], None]

#: Of the numbers, where nobody says otherwise.
LICENCE = "CC-BY-4.0"
_SPDX_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,63}")


@dataclass(frozen=True, slots=True)
class Released:
    """Result of writing: tables, rows, files, and the SHA-256 of the checksums of all."""

    tables: int
    rows: int
    files: int
    sha256: str


def check_folder(folder: Path, *, with_parquet: bool) -> None:
    """Raise InvalidInput for a folder that is not empty, MissingPart without the library."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder}: is there already and not empty; name a new folder")
    if with_parquet:
        load_parquet()


def read_facts(
    connection: Connection, wanted: ReleaseSelection, version: str, schema: str, licence: str
) -> ReleaseFacts:
    """Return the facts of a release. Raises InvalidInput for a job that never ran, or a licence."""
    if not _SPDX_FORM.fullmatch(licence):
        raise InvalidInput(f"--licence {licence!r}: write an SPDX name, such as {LICENCE}")
    facts.check_jobs(connection, wanted.jobs)
    return ReleaseFacts(
        wanted, version, schema, licence, facts.find_newest_due(connection, wanted),
        facts.read_lists(connection, wanted), facts.read_references(connection, wanted),
        declarations.read_invented(connection, wanted.jobs),
    )  # fmt: skip


def write_release(
    connection: Connection,
    folder: Path,
    wanted: ReleaseSelection,
    version: str,
    schema: str,
    progress: Progress,
    *,
    licence: str = LICENCE,
    with_parquet: bool = True,
) -> Released:
    """Write a release; `progress` is told how many rows are written. Raises as `check`."""
    check_folder(folder, with_parquet=with_parquet)
    about = read_facts(connection, wanted, version, schema, licence)
    with publish_folder(folder) as path:
        tables, done = [], 0

        def count(portions: Iterator[list[Row]]) -> Iterator[list[Row]]:
            nonlocal done
            for rows in portions:
                done += len(rows)
                progress(done)
                yield rows

        for resource in facts.list_resources(full=wanted.full):
            portions = count(facts.read_rows(connection, resource, wanted))
            files = write_table(
                path, resource.name, resource.columns, portions, with_parquet=with_parquet
            )
            tables.append((resource, files))
        stored = [(file.path, file.sha256) for _, files in tables for file in files]
        for name, text in list_papers(about, tables).items():
            (path / name).write_text(text, encoding="utf-8", newline="")
            stored.append((name, hash_file(path / name)[1]))
        sums = path / "SHA256SUMS"
        sums.write_text(write_checksums(stored), encoding="utf-8", newline="")
        return Released(len(tables), done, len(stored) + 1, hash_file(sums)[1])


@contextmanager
def publish_folder(folder: Path) -> Iterator[Path]:
    """A folder to be filled, which takes the place of `folder` when the block ends well."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        yield part
        part.chmod(0o755)
        if folder.exists():
            folder.rmdir()  # empty, or this fails and nothing was changed
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
