"""What stands beside the tables of a release: descriptor, README, licences, citation, checksums.

In go the tables with their files and what is known of their origin, out come texts that are the
same for the same release.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from monitor.stages._release_tables import Written
from monitor.stages._report_text import visible
from monitor.store.dictionary import Column
from monitor.store.invented import Invented
from monitor.store.release import ListFacts, Resource, Wanted

#: Types of a Frictionless Table Schema by those of the dictionary; JSON is text in both files.
_SCHEMA = {"text": "string", "json": "string", "integer": "integer", "number": "number",
           "boolean": "boolean", "datetime": "datetime"}  # fmt: skip
_FORMATS = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
#: Every table of a release with its files.
Tables: TypeAlias = Sequence[tuple[Resource, Sequence[Written]]]

#: What begins an element or a link in Markdown.
_MARKUP = re.compile(r"[\\`*\[\]<>&]")
_SPDX = "https://spdx.org/licenses/{}.html"
_WHAT_STAYS = (
    "No look-up about a person, no recorded group of a person, and no title, text or address of a "
    "result that shows one is in this release (answers.withheld = person). Erased texts are not "
    "in it. Numbers over occupations count people, and name none."
)


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a release beside its tables."""

    wanted: Wanted
    version: str  # of the program
    schema: str  # of the database
    licence: str  # SPDX name of that of the numbers
    newest: datetime | None
    lists: Sequence[ListFacts]
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


def descriptor(about: About, tables: Tables) -> str:
    """`datapackage.json`: a Frictionless Data Package."""
    content = {
        "profile": "data-package",
        "name": about.name,
        "title": "Gender bias in search engines, machine translation and language models",
        "description": _description(about),
        "version": about.version,
        "licenses": [{"name": about.licence, "path": _SPDX.format(about.licence)}],
        "sources": _sources(about),
        "resources": [
            _resource(resource, one) for resource, files in tables for one in files
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


def _description(about: About) -> str:
    written = (
        "What engines wrote is in the table answers."
        if about.wanted.full
        else "What engines wrote is left out of the table answers; its SHA-256 stands there."
    )
    warning = about.invented.sentence(names_jobs=True)
    said = f"Time series with uncertainty, gaps and coverage. {written} {_WHAT_STAYS}"
    return f"{warning} {said}" if warning else said


def _sources(about: About) -> list[dict[str, str]]:
    found = [
        {"title": f"Questions {one.label}: {one.title} (licence: {one.licence})"}
        for one in about.lists
    ]
    for reference, source, country, as_of in about.references:
        where = ", ".join(part for part in (country, as_of) if part)
        said = f"{source} ({where})" if where else source
        found.append({"title": f"Reference shares {reference}: {said or 'defined, not measured'}"})
    return found


def _resource(resource: Resource, file: Written) -> dict[str, Any]:
    kind = file.path.rsplit(".", 1)[1]
    found: dict[str, Any] = {
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
        found |= {
            "rows": file.rows,
            "encoding": "utf-8",
            "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"',
                        "doubleQuote": True, "header": True},
        }  # fmt: skip
    else:
        found["type"] = "file"  # else `frictionless validate` reads it as a table, and NULL as NaN
    found["schema"] = {
        "fields": [_field(one) for one in resource.columns],
        "missingValues": [""],
    }
    if not resource.nullable_key:
        found["schema"]["primaryKey"] = list(resource.key)
    return found


def _field(column: Column) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": column.name, "type": _SCHEMA[column.type], "description": column.meaning,
    }  # fmt: skip
    if column.type == "json":
        found["description"] += " (JSON)"
    if column.unit:
        found["unit"] = column.unit
    # an empty text is an empty cell, and CSV cannot tell that from NULL
    if not column.null and column.type not in ("text", "json"):
        found["constraints"] = {"required": True}
    return found


def readme(about: About, tables: Tables) -> str:
    """`README.md`."""
    lines = "".join(
        f"| `{resource.name}` | {files[0].rows:,} | {resource.title} |\n"
        for resource, files in tables
    )
    jobs = ", ".join(about.wanted.jobs) or "all"
    return f"""# Gender bias in search engines, machine translation and language models

Data of gbmonitor {about.version} (database schema {about.schema}).
Jobs: {jobs}. Newest due tick: {about.until or "none"}.

{_description(about)}

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


def licences(about: About) -> str:
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


def as_lists_came(about: About) -> str:
    """The licences of lists, a line of Markdown each: whoever wrote a list adds no other line."""
    lines = (f"- {one.label}: {_in_line(one.licence)}\n" for one in about.lists)
    return "".join(lines) or "- none\n"


def _in_line(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", visible(" ".join(text.split())))


def citation(about: About) -> str:
    """`CITATION.cff` of the data."""
    day = about.until[:10]
    return (
        "cff-version: 1.2.0\n"
        'message: "If you use these data, please cite them, the program, and the papers of the '
        'measures."\n'
        'title: "Gender bias in search engines, machine translation and language models: '
        f'data until {day or "now"}"\n'
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


def checksums(files: Sequence[tuple[str, str]]) -> str:
    """`SHA256SUMS` of (path, digest), as `sha256sum -c` reads it."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(files))
