"""The data dictionary: meanings of the columns of the views, and worked questions.

Its files are `columns.toml` and `questions.toml` beside the views. The documentation, Datasette,
the reader role and releases are made from it.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from monitor.store.migrations import read_view_files

#: Types of columns, as the dictionary names them.
TYPES = ("text", "integer", "number", "boolean", "datetime", "json")


@dataclass(frozen=True, slots=True)
class ViewColumn:
    """One column of a view; `unit` is empty where there is none."""

    name: str
    type: str
    meaning: str
    unit: str = ""
    null: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """One view with its columns in their order; `notes` is the rest of its comment."""

    name: str
    meaning: str
    grain: str
    notes: str
    columns: tuple[ViewColumn, ...]

    def column(self, name: str) -> ViewColumn:
        """One column by its name."""
        return next(column for column in self.columns if column.name == name)


@dataclass(frozen=True, slots=True)
class WorkedQuestion:
    """A question in plain words, the SQL that answers it on both databases, and what comes out."""

    name: str
    question: str
    answer: str
    sql: str


def _read_table(name: str) -> dict[str, Any]:
    text = (files("monitor.store") / "views" / name).read_text("utf-8")
    return tomllib.loads(text)


@cache
def read_views() -> dict[str, View]:
    """Return {name: view} in file order. Raises ValueError for a missing meaning."""
    table = _read_table("columns.toml")
    return {name: _make_view(name, sql, table) for name, sql in read_view_files().items()}


def _make_view(name: str, sql: str, table: dict[str, Any]) -> View:
    lines = takewhile(lambda line: line.startswith("--"), sql.splitlines())
    comment = " ".join(line.removeprefix("--").strip() for line in lines)
    parts = re.match(r"\w+: (.*?) Grain: (.*?\.)(?: (.*?))? ?Columns: (.*)\.\s*$", comment)
    if not parts:
        raise ValueError(f"view {name}: its comment needs `name: meaning. Grain: ... Columns: ...`")
    names = [column.strip() for column in parts[4].split(",")]
    own, shared = table["views"].get(name, {}), table["columns"]
    lacking = [column for column in names if column not in own and column not in shared]
    if unfit := lacking or [column for column in own if column not in names]:
        raise ValueError(f"columns.toml: view {name}: {unfit} fit no column")
    columns = tuple(ViewColumn(column, **(own.get(column) or shared[column])) for column in names)
    return View(name, parts[1], parts[2].removeprefix("one row per "), parts[3] or "", columns)


@cache
def read_questions() -> tuple[WorkedQuestion, ...]:
    """Return the worked questions, in the order of the documentation."""
    questions = _read_table("questions.toml")["questions"]
    return tuple(WorkedQuestion(**each | {"sql": each["sql"].strip()}) for each in questions)
