"""Papers of a release, beside its tables: what it is, in words and in the terms of standards.

Frictionless Data Package, Croissant, RO-Crate, CITATION.cff, README, licences, and views.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from monitor.stages.document.notation import visible
from monitor.store.jobs.declarations import Invented
from monitor.store.migrations import read_view_files
from monitor.store.publish.data_dictionary import ViewColumn
from monitor.store.publish.release import ReleasedList, ReleaseSelection, Resource
from monitor.store.rows import group_rows

TITLE = "Gender bias in search engines, machine translation and language models"


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """One file of a release: its path in the folder, bytes, SHA-256 and rows."""

    path: str
    size: int
    sha256: str
    rows: int


#: Types of a Frictionless Table Schema that the dictionary calls otherwise, or are text in files.
_SCHEMA = {"text": "string", "json": "string"}
FORMATS = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
#: Every table of a release with its files.
Tables: TypeAlias = Sequence[tuple[Resource, Sequence[WrittenTable]]]

#: What begins an element or a link in Markdown.
_MARKUP = re.compile(r"[\\`*\[\]<>&]")
SPDX = "https://spdx.org/licenses/{}.html"
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
    grows: bool = False  # Parquet alone, by job and month

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
        "title": TITLE,
        "description": say_description(about),
        "version": about.version,
        "licenses": [{"name": about.licence, "path": SPDX.format(about.licence)}],
        "sources": _list_sources(about),
        "resources": [
            entry for table in tables for entry in _map_table(*table, grows=about.grows)
        ],
        "gbmonitor": {
            "database_schema": about.schema,
            "newest_due_at": about.until,
            "jobs": list(about.wanted.jobs),
            "answers": "full" if about.wanted.full else "redacted",
            "invented": about.invented.share,
        },
    }  # fmt: skip
    return _say_json(content, about)


def say_description(about: ReleaseFacts) -> str:
    """Return what a release is, with a warning where its answers are invented."""
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


def _map_table(
    resource: Resource, files: Sequence[WrittenTable], *, grows: bool
) -> Iterator[dict[str, Any]]:
    """Yield a resource for each file, or one for all: `latest.json` has their digests."""
    if grows:
        if files:
            paths = {"name": resource.name, "path": [file.path for file in files]}
            yield _map_resource(resource, "parquet", paths)
        return
    for file in files:
        kind = _find_kind(file)
        entries = {
            "name": resource.name if kind == "csv" else f"{resource.name}-{kind}",
            "path": file.path, "bytes": file.size, "hash": f"sha256:{file.sha256}",
        }  # fmt: skip
        if kind == "csv":
            entries["rows"] = file.rows
        yield _map_resource(resource, kind, entries)


def _find_kind(file: WrittenTable) -> str:
    """`csv` or `parquet`."""
    return file.path.rsplit(".", 1)[1]


def _map_resource(resource: Resource, kind: str, of_files: dict[str, Any]) -> dict[str, Any]:
    entries: dict[str, Any] = {
        "profile": "tabular-data-resource" if kind == "csv" else "data-resource",
        "title": resource.title.rstrip("."),
        "format": kind,
        "mediatype": FORMATS[kind],
        **of_files,
    }
    if kind == "csv":
        entries |= {
            "encoding": "utf-8",
            "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"',
                        "doubleQuote": True, "header": True},
        }  # fmt: skip
    else:  # else `frictionless validate` reads it as a table, and NULL as NaN
        entries["type"] = "file"
    entries["schema"] = {
        "fields": [_map_field(column) for column in resource.columns],
        "missingValues": [""],
    }
    if not resource.nullable_key:
        entries["schema"]["primaryKey"] = list(resource.key)
    return entries


def _map_field(column: ViewColumn) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name, "type": _SCHEMA.get(column.type, column.type),
        "description": column.meaning,
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
        f"| `{resource.name}` | {count_rows(files):,} | {resource.title} |\n"
        for resource, files in tables
    )
    jobs = ", ".join(about.wanted.jobs) or "all"
    return f"""# {TITLE}

Data of gbmonitor {about.version} (database schema {about.schema}).
Jobs: {jobs}. Newest due tick: {about.until or "none"}.

{say_description(about)}

| table | rows | what |
| --- | --- | --- |
{lines}
{_say_files(about, tables)} `datapackage.json` describes
every column: meaning, type, unit. `croissant.json` and `ro-crate-metadata.json` say the same to
programs that know these standards. `sha256sum -c SHA256SUMS` checks the files.

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


def _say_files(about: ReleaseFacts, tables: Tables) -> str:
    if about.grows:
        return (
            "Each table is many files `data/NAME/job=JOB/month=YYYY-MM/*.parquet`; `latest.json` "
            "names those\nthat make up this release. `duckdb.sql` and `clickhouse.sql` have a "
            "view for each table, `series` and `noise`\n(`duckdb -init duckdb.sql`)."
        )
    parquet = " and `data/NAME.parquet`" if tables and len(tables[0][1]) > 1 else ""
    return f"Each table is `data/NAME.csv` (UTF-8, commas){parquet}."


def count_rows(files: Sequence[WrittenTable]) -> int:
    """Return the rows of a table, which may be in files of two kinds."""
    by_kind = group_rows(files, _find_kind)
    return max((sum(file.rows for file in kind) for kind in by_kind.values()), default=0)


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
(<{SPDX.format(about.licence)}>).

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
    return (
        "cff-version: 1.2.0\n"
        f'message: "{f"{warning} {message}".strip()}"\n'
        f'title: "{TITLE}: {"invented " if warning else ""}data until {day or "now"}"\n'
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


# --- other standards ----------------------------------------------------------------------------

#: The context of Croissant 1.0, <https://docs.mlcommons.org/croissant/docs/croissant-spec.html>.
_CONTEXT = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "extract": "cr:extract", "field": "cr:field",
    "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty", "fileSet": "cr:fileSet",
    "format": "cr:format", "includes": "cr:includes", "key": "cr:key", "md5": "cr:md5",
    "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "sc": "https://schema.org/", "separator": "cr:separator",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "rai": "http://mlcommons.org/croissant/RAI/", "samplingRate": "cr:samplingRate",
    "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
_CROISSANT_FORMATS = {"csv": "text/csv", "parquet": "application/x-parquet"}
_CROISSANT = {"text": "sc:Text", "json": "sc:Text", "integer": "sc:Integer", "number": "sc:Float",
              "boolean": "sc:Boolean", "datetime": "sc:DateTime"}  # fmt: skip
#: Views over tables of a release that grows, as the database has them.
_VIEWS = ("series", "noise")


def write_croissant(about: ReleaseFacts, tables: Tables) -> str:
    """Return `croissant.json`: Croissant 1.0 of the Parquet files, or else of the CSV files."""
    files: list[dict[str, Any]] = []
    records = []
    for resource, written in tables:
        if not written:
            continue
        last = written[-1]
        name = f"{resource.name}-files" if about.grows else last.path
        kind = _CROISSANT_FORMATS[_find_kind(last)]
        file = {"@id": name, "name": name, "encodingFormat": kind}
        if about.grows:
            pattern = f"data/{resource.name}/**/*.parquet"
            files.append({"@type": "cr:FileSet", **file, "includes": pattern})
        else:
            file |= {"contentUrl": last.path, "contentSize": f"{last.size} B"}
            files.append({"@type": "cr:FileObject", **file, "sha256": last.sha256})
        source = {"fileSet" if about.grows else "fileObject": {"@id": name}}
        records.append({
            "@type": "cr:RecordSet", "@id": resource.name, "name": resource.name,
            "description": resource.title,
            "field": [
                _map_croissant_field(resource.name, column, source) for column in resource.columns
            ],
        })  # fmt: skip
    return _say_json({
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about.name,
        "description": say_description(about),
        "license": SPDX.format(about.licence),
        "version": about.version,
        "citeAs": "see CITATION.cff",
        "datePublished": about.until[:10] or "1970-01-01",
        "creator": {"@type": "sc:Organization", "name": "the publisher of this release"},
        "distribution": files,
        "recordSet": records,
    }, about)  # fmt: skip


def _map_croissant_field(table: str, column: ViewColumn, source: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field", "@id": f"{table}/{column.name}", "name": column.name,
        "description": column.meaning, "dataType": _CROISSANT[column.type],
        "source": {**source, "extract": {"column": column.name}},
    }  # fmt: skip


def write_ro_crate(about: ReleaseFacts, tables: Tables) -> str:
    """Return `ro-crate-metadata.json`: RO-Crate 1.1, with an entry for each file."""
    files = [
        {
            "@id": file.path, "@type": "File", "name": f"{resource.name}: {file.path}",
            "description": resource.title, "contentSize": str(file.size), "sha256": file.sha256,
            "encodingFormat": FORMATS[_find_kind(file)],
        }
        for resource, written in tables
        for file in written
    ]  # fmt: skip
    licence = SPDX.format(about.licence)
    root = {
        "@id": "./", "@type": "Dataset", "name": TITLE, "description": say_description(about),
        "datePublished": about.until[:10] or "1970-01-01", "license": {"@id": licence},
        "author": {"@id": "#publisher"}, "publisher": {"@id": "#publisher"},
        "version": about.version, "hasPart": [{"@id": file["@id"]} for file in files],
    }  # fmt: skip
    described = {
        "@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": {"@id": "./"},
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
    }  # fmt: skip
    terms = {"@id": licence, "@type": "CreativeWork", "name": about.licence,
             "description": "of the numbers; LICENSE.md has those of the questions"}  # fmt: skip
    publisher = {
        "@id": "#publisher", "@type": "Organization", "name": "the publisher of this release",
    }  # fmt: skip
    return _say_json({
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [described, root, terms, publisher, *files],
    }, about)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The words of a database for tables in files that `latest.json` names.

    Other files may lie beside them while a release is written. `types` are those of a table without
    files.
    """

    types: dict[str, str]
    files: str
    first: str = ""


#: By the file with the views.
_DIALECTS = {
    "duckdb.sql": _Dialect(
        {"text": "VARCHAR", "json": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE",
         "boolean": "BOOLEAN", "datetime": "TIMESTAMPTZ"},
        "read_parquet(getvariable('release_files')['{}'])",
        """SET TimeZone = 'UTC';
SET VARIABLE release_files = (
    SELECT map_from_entries(list((name, paths))) FROM (
        SELECT split_part(path, '/', 2) AS name, list(path) AS paths FROM (
            SELECT unnest(regexp_extract_all(content::JSON ->> 'parts', '"path": ?"([^"]+)"', 1))
                AS path
            FROM read_text('latest.json')
        )
        GROUP BY name
    )
);
""",
    ),
    "clickhouse.sql": _Dialect(
        {"text": "Nullable(String)", "json": "Nullable(String)", "integer": "Nullable(Int64)",
         "number": "Nullable(Float64)", "boolean": "Nullable(Bool)",
         "datetime": "Nullable(DateTime64(6, 'UTC'))"},
        "file('data/{}/**/*.parquet', Parquet) WHERE _file IN (\n"
        "SELECT arrayJoin(extractAll(JSONExtractRaw(raw_blob, 'parts'), '([^/\"]+[.]parquet)\"'))\n"
        "FROM file('data/../latest.json', RawBLOB))",
    ),
}  # fmt: skip


def _write_views(dialect: _Dialect, tables: Tables) -> str:
    """Return views of a release that grows, with the names of those of the archive."""
    queries = {}
    for resource, files in tables:
        names = ", ".join(
            column.name if files else f"CAST(NULL AS {dialect.types[column.type]}) AS {column.name}"
            for column in resource.columns
        )
        end = f"FROM {dialect.files.format(resource.name)}" if files else "WHERE 1 = 0"
        queries[resource.name] = f"SELECT {names} {end}"
    for name in _VIEWS:
        query = read_view_files()[name]
        queries[name] = query[query.index("\nSELECT") + 1 :].strip().rstrip(";")
    return dialect.first + "".join(
        f"CREATE OR REPLACE VIEW {name} AS\n{query};\n" for name, query in queries.items()
    )


def _say_json(content: Any, about: ReleaseFacts) -> str:  # noqa: ANN401 - JSON
    """Return JSON; of a release that grows on one line, which is written much faster."""
    return json.dumps(content, ensure_ascii=False, indent=None if about.grows else 1) + "\n"


def list_papers(about: ReleaseFacts, tables: Tables) -> dict[str, str]:
    """Return {name: text} of the files beside the tables."""
    papers = {
        "datapackage.json": write_descriptor(about, tables),
        "croissant.json": write_croissant(about, tables),
        "ro-crate-metadata.json": write_ro_crate(about, tables),
        "README.md": write_readme(about, tables),
        "LICENSE.md": write_licences(about),
        "CITATION.cff": write_citation(about),
    }
    if about.grows:
        papers |= {name: _write_views(dialect, tables) for name, dialect in _DIALECTS.items()}
    return papers
