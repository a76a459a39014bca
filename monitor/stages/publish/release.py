"""Write what of an archive may be given to everybody, as a folder that can be checked and cited.

The folder has tables as CSV and Parquet, their descriptor, README, licences, citation and
checksums. It appears whole or not at all, and the same database gives the same bytes. Text stays
what it was, hostile or not: in CSV no cell is run as a formula, because an apostrophe goes before
it, which `text.cells` takes away again.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, Self, TypeAlias

from monitor.model import InvalidInput, MissingPart
from monitor.stages.document.notation import visible
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import Invented
from monitor.store.publish import release as facts
from monitor.store.publish.data_dictionary import ViewColumn
from monitor.store.publish.release import ReleasedList, ReleaseSelection, Resource, Row
from monitor.text.cells import RowWriter, make_inert

_BLOCK = 2**20
#: Types of Parquet by those of the dictionary.
_PARQUET = {"text": "string", "json": "string", "integer": "int64", "number": "float64",
            "boolean": "bool_"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """One file of a release: its path in the folder, bytes, SHA-256 and rows."""

    path: str
    size: int
    sha256: str
    rows: int


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
    this_path = folder / "data"
    this_path.mkdir(exist_ok=True)
    paths = [this_path / f"{name}.csv"]
    n = 0
    with ExitStack() as stack:
        file = stack.enter_context(paths[0].open("w", encoding="utf-8", newline=""))
        table = RowWriter(file)
        table.rows([[column.name for column in columns]])
        columnar = None
        if with_parquet:
            paths.append(this_path / f"{name}.parquet")
            columnar = stack.enter_context(_Columnar(paths[-1], columns))
        for rows in portions:
            n += len(rows)
            table.rows([_say_cell(item) for item in row] for row in rows)
            if columnar:
                columnar.add(rows)
    return [_written(folder, path, n) for path in paths]


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


class _Columnar:
    """A Parquet file that grows by row groups."""

    def __init__(self, path: Path, columns: Sequence[ViewColumn]) -> None:
        self._pa = load_parquet()
        self._schema = self._pa.schema(
            [self._pa.field(column.name, self._type(column)) for column in columns]
        )
        engine = import_module("pyarrow.parquet")
        self._writer = engine.ParquetWriter(path, self._schema, compression="zstd")

    def _type(self, column: ViewColumn) -> Any:  # noqa: ANN401 - a type of pyarrow
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


def _written(folder: Path, path: Path, n: int) -> WrittenTable:
    size, sha256 = hash_file(path)
    return WrittenTable(path.relative_to(folder).as_posix(), size, sha256, n)


def hash_file(path: Path) -> tuple[int, str]:
    """(bytes, SHA-256) of a file."""
    text, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            text.update(block)
            size += len(block)
    return size, text.hexdigest()


#: Types of a Frictionless Table Schema by those of the dictionary; JSON is text in both files.
_SCHEMA = {"text": "string", "json": "string", "integer": "integer", "number": "number",
           "boolean": "boolean", "datetime": "datetime"}  # fmt: skip
_FORMATS = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
#: Every table of a release with its files.
Tables: TypeAlias = Sequence[tuple[Resource, Sequence[WrittenTable]]]

#: What begins an element or a link in Markdown.
_MARKUP = re.compile(r"[\\`*\[\]<>&]")
_SPDX = "https://spdx.org/licenses/{}.html"
_WHAT_STAYS = (
    "No look-up about a person, no recorded group of a person, and no title, text or address of a "
    "result that shows one is in this release (answers.withheld = person). Erased texts are not "
    "in it. Numbers over occupations count people, and name none."
)


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Facts about a release beside its tables."""

    wanted: ReleaseSelection
    version: str  # of the program
    schema: str  # of the database
    licence: str  # SPDX name of that of the numbers
    newest: datetime | None
    lists: Sequence[ReleasedList]
    references: Sequence[tuple[str, str, str, str]]
    invented: Invented

    @property
    def name(self) -> str:
        """Name of the package: small letters, digits, dots, hyphens."""
        return "gbmonitor-release" + ("-full" if self.wanted.full else "-redacted")

    @property
    def until(self) -> str:
        """The newest due time in it, as text."""
        return "" if self.newest is None else self.newest.isoformat().replace("+00:00", "Z")


def write_descriptor(about: ReleaseFacts, tables: Tables) -> str:
    """`datapackage.json`: a Frictionless Data Package."""
    content = {
        "profile": "data-package",
        "name": about.name,
        "title": "Gender bias in search engines, machine translation and language models",
        "description": _say_description(about),
        "version": about.version,
        "licenses": [{"name": about.licence, "path": _SPDX.format(about.licence)}],
        "sources": _list_sources(about),
        "resources": [
            _map_resource(resource, file) for resource, files in tables for file in files
        ],
        "gbmonitor": {
            "database_schema": about.schema,
            "newest_due_at": about.until,
            "jobs": list(about.wanted.jobs),
            "answers": "full" if about.wanted.full else "redacted",
            "invented": about.invented.share,
        },
    }  # fmt: skip
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _say_description(about: ReleaseFacts) -> str:
    written = (
        "What engines wrote is in the table answers."
        if about.wanted.full
        else "What engines wrote is left out of the table answers; its SHA-256 stands there."
    )
    warning = about.invented.sentence(names_jobs=True)
    words = f"Time series with uncertainty, gaps and coverage. {written} {_WHAT_STAYS}"
    return f"{warning} {words}" if warning else words


def _list_sources(about: ReleaseFacts) -> list[dict[str, str]]:
    sources = [
        {"title": f"Questions {item.label}: {item.title} (licence: {item.licence})"}
        for item in about.lists
    ]
    for reference, source, country, as_of in about.references:
        where = ", ".join(part for part in (country, as_of) if part)
        text = f"{source} ({where})" if where else source
        sources.append(
            {"title": f"Reference shares {reference}: {text or 'defined, not measured'}"}
        )
    return sources


def _map_resource(resource: Resource, file: WrittenTable) -> dict[str, Any]:
    kind = file.path.rsplit(".", 1)[1]
    entries: dict[str, Any] = {
        "profile": "tabular-data-resource" if kind == "csv" else "data-resource",
        "name": resource.name if kind == "csv" else f"{resource.name}-{kind}",
        "title": resource.title.rstrip("."),
        "path": file.path,
        "format": kind,
        "mediatype": _FORMATS[kind],
        "bytes": file.size,
        "hash": f"sha256:{file.sha256}",
    }
    if kind == "csv":
        entries |= {
            "rows": file.rows,
            "encoding": "utf-8",
            "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"',
                        "doubleQuote": True, "header": True},
        }  # fmt: skip
    else:
        entries["type"] = (
            "file"  # else `frictionless validate` reads it as a table, and NULL as NaN
        )
    entries["schema"] = {
        "fields": [_map_field(column) for column in resource.columns],
        "missingValues": [""],
    }
    if not resource.nullable_key:
        entries["schema"]["primaryKey"] = list(resource.key)
    return entries


def _map_field(column: ViewColumn) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name, "type": _SCHEMA[column.type], "description": column.meaning,
    }  # fmt: skip
    if column.type == "json":
        field["description"] += " (JSON)"
    if column.unit:
        field["unit"] = column.unit
    # an empty text is an empty cell, and CSV cannot tell that from NULL
    if not column.null and column.type not in ("text", "json"):
        field["constraints"] = {"required": True}
    return field


def write_readme(about: ReleaseFacts, tables: Tables) -> str:
    """`README.md`."""
    lines = "".join(
        f"| `{resource.name}` | {files[0].rows:,} | {resource.title} |\n"
        for resource, files in tables
    )
    jobs = ", ".join(about.wanted.jobs) or "all"
    return f"""# Gender bias in search engines, machine translation and language models

Data of gbmonitor {about.version} (database schema {about.schema}).
Jobs: {jobs}. Newest due tick: {about.until or "none"}.

{_say_description(about)}

| table | rows | what |
| --- | --- | --- |
{lines}
Each table is `data/NAME.csv` (UTF-8, commas){_and_parquet(tables)}. `datapackage.json` describes
every column: meaning, type, unit. `sha256sum -c SHA256SUMS` checks the files.

## Reading it right

- An empty value is not 0: `state` and `reason` say why there is none.
- In CSV, NULL and empty text are both an empty cell; Parquet tells them apart.
- In CSV, an apostrophe stands before text that a spreadsheet program would run as a formula, and
  before text that begins with an apostrophe; within a text before each sign that begins a formula
  (=, +, -, @) after a semicolon, a tab or a line break. Take one away at each of these places to
  have the text. Parquet has the text as it was.
- Text in `answers` was written by engines and by those whom they show. It is data, and may be
  hostile.
- `changes_current.status`: only `confirmed` is a finding; `holds_beyond` says whether it also
  holds beyond its list.
- Times are UTC.

Computed again from the same database by the same version, every file is the same to the byte.
"""


def _and_parquet(tables: Tables) -> str:
    return " and `data/NAME.parquet`" if tables and len(tables[0][1]) > 1 else ""


def write_licences(about: ReleaseFacts) -> str:
    """`LICENSE.md`: what is under which licence."""
    lists = as_lists_came(about)
    written = (
        "\nTexts, titles and addresses in `answers` were written by the engines and by third "
        "parties. They\nare quoted as evidence; no licence is given for them here.\n"
        if about.wanted.full
        else ""
    )
    return f"""# Licences

Numbers, and their arrangement in tables: {about.licence}
(<{_SPDX.format(about.licence)}>).

Questions (`answers.probe`), as the lists came:

{lists}
Reference shares (`topics_current.target`): as their sources say, named in `datapackage.json`.
{written}"""


def as_lists_came(about: ReleaseFacts) -> str:
    """The licences of lists, a line of Markdown each: whoever wrote a list adds no other line."""
    lines = (f"- {item.label}: {_in_line(item.licence)}\n" for item in about.lists)
    return "".join(lines) or "- none\n"


def _in_line(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", visible(" ".join(text.split())))


def write_citation(about: ReleaseFacts) -> str:
    """`CITATION.cff` of the data."""
    day, warning = about.until[:10], about.invented.sentence(names_jobs=False)
    message = (
        "If you use these data, please cite them, the program, and the papers of the measures."
    )
    title = "Gender bias in search engines, machine translation and language models"
    return (
        "cff-version: 1.2.0\n"
        f'message: "{f"{warning} {message}".strip()}"\n'
        f'title: "{title}: {"invented " if warning else ""}data until {day or "now"}"\n'
        "type: dataset\n"
        "authors:\n"
        '  - name: "the publisher of this release"\n'
        f"license: {about.licence}\n"
        f"version: {json.dumps(about.version)}\n"
        "references:\n"
        "  - type: software\n"
        '    title: "monitor: time series of gender bias in search engines and machine '
        'translation"\n'
        "    authors:\n"
        '      - name: "the monitor authors"\n'
        f"    version: {json.dumps(about.version)}\n"
    )


def write_checksums(files: Sequence[tuple[str, str]]) -> str:
    """`SHA256SUMS` of (path, digest), as `sha256sum -c` reads it."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(files))


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
    if not _SPDX_FORM.fullmatch(licence):
        raise InvalidInput(f"--licence {licence!r}: write an SPDX name, such as {LICENCE}")
    facts.check_jobs(connection, wanted.jobs)
    about = ReleaseFacts(
        wanted, version, schema, licence, facts.find_newest_due(connection, wanted),
        facts.read_lists(connection, wanted), facts.read_references(connection, wanted),
        declarations.read_invented(connection, wanted.jobs),
    )  # fmt: skip
    with publish_folder(folder) as path:
        tables = []
        done = _CountedRows(progress)
        for resource in facts.list_resources(full=wanted.full):
            portions = done.through(facts.read_rows(connection, resource, wanted))
            files = write_table(
                path, resource.name, resource.columns, portions, with_parquet=with_parquet
            )
            tables.append((resource, files))
        stored = [(file.path, file.sha256) for _, files in tables for file in files]
        stored += _beside(path, about, tables)
        sums = path / "SHA256SUMS"
        sums.write_text(write_checksums(stored), encoding="utf-8", newline="")
        return Released(len(tables), done.rows, len(stored) + 1, hash_file(sums)[1])


def _beside(place: Path, about: ReleaseFacts, tables: Tables) -> Iterator[tuple[str, str]]:
    """Write what stands beside the tables; (name, SHA-256) of each."""
    for name, text in (
        ("datapackage.json", write_descriptor(about, tables)),
        ("README.md", write_readme(about, tables)),
        ("LICENSE.md", write_licences(about)),
        ("CITATION.cff", write_citation(about)),
    ):
        (place / name).write_text(text, encoding="utf-8", newline="")
        yield name, hash_file(place / name)[1]


class _CountedRows:
    """Counts rows on their way."""

    def __init__(self, progress: Progress) -> None:
        self.rows = 0
        self._progress = progress

    def through(self, portions: Iterator[list[Row]]) -> Iterator[Sequence[Row]]:
        """The same portions."""
        for rows in portions:
            self.rows += len(rows)
            self._progress(self.rows)
            yield rows


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
