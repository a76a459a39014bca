"""Metadata of a SQLite file for Datasette: meanings of views and columns, queries, hidden tables.

In go the data dictionary, the name of the file and the lists that were asked, out comes Datasette's
metadata and its settings.
"""

from collections.abc import Sequence
from typing import Any

from monitor.stages.document.notation import capitalize_first, visible
from monitor.store.access.reader_role import KEPT_BACK, READABLE
from monitor.store.jobs.declarations import Invented
from monitor.store.publish import data_dictionary
from monitor.store.publish.data_dictionary import View, ViewColumn
from monitor.store.publish.release import ReleasedList

#: Rows of one page, of one answer, and how long a query may take, in milliseconds.
SETTINGS: dict[str, str | int] = {
    "default_page_size": 50,
    "max_returned_rows": 5_000,
    "sql_time_limit_ms": 2_000,
    "facet_time_limit_ms": 500,
    "suggest_facets": "off",
    "allow_download": "off",
    "num_sql_threads": 2,
    "max_csv_mb": 100,
}
#: Tables of the database itself, of migrations, and of those who hand out work.
_OTHERS = ("alembic_version", "our_views", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4")
#: Views whose rows may name a person.
_WITH_PEOPLE = ("answers", "shown")
_DESCRIPTION = (
    "Time series of gender bias in search engines, machine translation and language models, with "
    "uncertainty, gaps and coverage. Begin with the queries below; the views are described column "
    "by column. A value that could not be measured is empty, never 0."
)


def make_metadata(
    database: str, *, public: bool, lists: Sequence[ReleasedList], invented: Invented
) -> dict[str, Any]:
    """Datasette's metadata for a file of this name (without its ending).

    What is kept back from readers of PostgreSQL cannot be looked at here either. Where others can
    reach the pages, `public`, only views without single people and the worked questions are
    answered: SQL of one's own would read every table of the file.
    """
    views = {name: _described(view) for name, view in data_dictionary.read_views().items()}
    facts = {name: {"hidden": True} for name in (*sorted(READABLE), *_OTHERS)}
    closed = {name: {"hidden": True, "allow": False} for name in sorted(KEPT_BACK)}
    if public:
        facts = {name: fact | {"allow": False} for name, fact in facts.items()}
        closed |= {name: {"hidden": True, "allow": False} for name in _WITH_PEOPLE}
    return {
        "title": "Gender bias in search engines, machine translation and language models",
        "description": f"{invented.sentence(names_jobs=True)} {_DESCRIPTION}".strip(),
        "source": "made up" if invented.share == "all" else _say_source(lists),
        "license": "numbers: whoever publishes them says; questions: as their lists came",
        "allow_sql": not public,
        "databases": {
            database: {
                "allow_sql": not public,
                "tables": {**views, **facts, **closed},
                "queries": {
                    question.name: {
                        "title": question.question,
                        "description": question.answer,
                        "sql": question.sql,
                    }
                    for question in data_dictionary.read_questions()
                },
            }
        },
    }  # fmt: skip


def _say_source(lists: Sequence[ReleasedList]) -> str:
    """Return where the data come from, with the licence of each list of questions."""
    # nothing in what a person wrote acts without being seen
    words = [f"{released.label} ({released.licence})".split() for released in lists]
    requested = ", ".join(visible(" ".join(label)) for label in words)
    return f"collected by gbmonitor with the questions of {requested}" if requested else "gbmonitor"


def _described(view: View) -> dict[str, Any]:
    units = {column.name: _meaning(column) for column in view.columns}
    about = f"{capitalize_first(view.meaning)} One row per {view.grain} {view.notes}"
    return {"title": view.name, "description": about.strip(), "columns": units}


def _meaning(column: ViewColumn) -> str:
    unit = f" ({column.unit})" if column.unit else ""
    null = ", or empty" if column.null else ""
    return f"{column.meaning}{unit} [{column.type}{null}]"
