"""The command that makes a folder ready: the database and the starter jobs."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from monitor import resources, settings
from monitor.cli._console import err
from monitor.model import StoreProblem
from monitor.text.counted_nouns import several


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(init)


def init(
    folder: Annotated[Path, typer.Argument(help="Folder of the audit; made if missing.")] = Path(),
) -> None:
    """Make a folder ready: the database, and the starter jobs with their probe lists.

    Running it again brings nothing back to its start: files that are there stay as they are.
    """
    from monitor.store import migrate
    from monitor.store.database import connect
    from monitor.work import queue

    chosen = settings.load()
    if folder.exists() and not folder.is_dir():
        raise StoreProblem(f"{folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    copied = _copy_missing(resources.shipped("jobs"), folder / "jobs")
    url = chosen.database_url or settings.sqlite_url(folder / "monitor.db")
    opened = connect(url, folder / "bodies")
    try:
        current, head = migrate.revisions(opened)
        if current in (None, head):
            migrate.upgrade(opened)  # of a schema that is up to date, only the views are made anew
        migrate.check(opened)
        queue.ensure(opened)
    finally:
        opened.close()
    made = "database ready" if current is None else "database was ready"
    err.print(
        f"{made}: {opened.place} (schema {head}); {several(copied, 'starter file')} copied",
        markup=False,
        soft_wrap=True,
    )


def _copy_missing(source: Path, target: Path) -> int:
    copied = 0
    for path in sorted(source.rglob("*")):
        goal = target / path.relative_to(source)
        if path.is_file() and not goal.exists() and "__pycache__" not in path.parts:
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, goal)
            copied += 1
    return copied
