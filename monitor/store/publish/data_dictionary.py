"""The data dictionary: meanings of the columns of the views, and worked questions.

Its files are `columns.toml` and `questions.toml` beside the views. The documentation, Datasette,
the reader role and releases are made from it.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from monitor.store.migrations import view_files

#: Types of columns, as the dictionary names them.
TYPES = ("text", "integer", "number", "boolean", "datetime", "json")


@dataclass(frozen=True, slots=True)
class Column:
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
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column:
        """One column by its name."""
        return next(one for one in self.columns if one.name == name)


@dataclass(frozen=True, slots=True)
class Question:
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
    """Return {name: view}, in the order of their files.

    Raises ValueError for what has no meaning.
    """
    table = _read_table("columns.toml")
    return {name: _make_view(name, sql, table) for name, sql in view_files().items()}


def _make_view(name: str, sql: str, table: dict[str, Any]) -> View:
    comment = " ".join(_read_comment(sql))
    found = re.match(r"\w+: (.*?) Grain: (.*?\.)(?: (.*?))? ?Columns: (.*)\.\s*$", comment)
    if not found:
        raise ValueError(f"view {name}: its comment needs `name: meaning. Grain: ... Columns: ...`")
    names = [one.strip() for one in found[4].split(",")]
    own = table["views"].get(name, {})
    lacking = [one for one in names if one not in own and one not in table["columns"]]
    if lacking or (unknown := [one for one in own if one not in names]):
        raise ValueError(f"columns.toml: view {name}: {lacking or unknown} fit no column")
    columns = tuple(Column(one, **(own.get(one) or table["columns"][one])) for one in names)
    return View(name, found[1], found[2].removeprefix("one row per "), found[3] or "", columns)


def _read_comment(sql: str) -> list[str]:
    """Return the lines of the comment that a view begins with."""
    lines = []
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return lines


@cache
def read_questions() -> tuple[Question, ...]:
    """Return the worked questions, in the order of the documentation."""
    return tuple(
        Question(one["name"], one["question"], one["answer"], one["sql"].strip())
        for one in _read_table("questions.toml")["questions"]
    )
