"""The command that makes a folder ready: the database, the starter jobs, a job of one's own."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from monitor import resources, settings
from monitor.cli.console import note, say
from monitor.cli.names import engines as engine_names
from monitor.cli.names import languages as language_codes
from monitor.model import InvalidInput, StoreProblem
from monitor.text.counted_nouns import several


def init(
    folder: Annotated[Path, typer.Argument(help="Folder of the audit; made if missing.")] = Path(),
    engines: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="ENGINES",
            help="Also write a job for these translators, such as deepl,google_translate.",
            autocompletion=engine_names,
        ),
    ] = "",
    languages: Annotated[
        str,
        typer.Option(
            metavar="CODES",
            help="--for: the languages to translate into, such as cs,pl.",
            autocompletion=language_codes,
        ),
    ] = "",
    name: Annotated[str, typer.Option(help="--for: the name of the job; else gest-CODES.")] = "",
) -> None:
    """Make a folder ready: the database, and the starter jobs with their probe lists.

    Running it again brings nothing back to its start: files that are there stay as they are.

    With --for it also writes a job of your own: the sentences of GEST, asked every Monday and once
    more a day later, with a control that runs in this machine. It says which keys to set.
    """
    wanted = [word.strip() for word in engines.split(",") if word.strip()]
    targets = [word.strip() for word in languages.split(",") if word.strip()]
    if bool(wanted) != bool(targets) or (name and not wanted):
        raise InvalidInput("--for and --languages go together: --for deepl --languages cs,pl")
    if not wanted:
        _make_ready(folder)
        return
    from monitor.cli.jobs.new_job import path_of

    path = path_of(folder / "jobs", wanted, targets, name)  # refused before anything is made
    _make_ready(folder)
    _write_job(path, wanted, targets)
    moved = "" if folder.resolve() == Path.cwd() else f"cd {folder}; "
    say(f"next: {moved}monitor plan jobs/{path.name}")


def _write_job(path: Path, engines: list[str], languages: list[str]) -> None:
    """Write a job, and say what it still needs, and which keys."""
    from monitor import registry
    from monitor.cli.collect.run import print_readiness
    from monitor.cli.jobs.engines import wanted
    from monitor.cli.jobs.new_job import FREE_ADDRESS, write_job
    from monitor.jobs import load_audit

    write_job(path, engines, languages)
    audit = load_audit(path)
    print_readiness(path, audit)
    for engine in (registry.engine(engine) for engine in engines):
        say(f"{engine.name} needs {wanted(engine)}")
    if any(use.config.get("base_url") == FREE_ADDRESS for use in audit.job.engines):
        words = f"deepl: the key is of a free account (:fx), so the job names {FREE_ADDRESS}"
        say(words)


def _make_ready(folder: Path) -> None:
    """Make the database, and copy the starter jobs and their lists."""
    from monitor.store import migrations
    from monitor.store.database import connect
    from monitor.work import queue

    chosen = settings.load()
    if folder.exists() and not folder.is_dir():
        raise StoreProblem(f"{folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    copied = _copy_missing(resources.find_folder("jobs"), folder / "jobs")
    url = chosen.database_url or settings.sqlite_url(folder / "monitor.db")
    opened = connect(url, folder / "bodies")
    try:
        current, head = migrations.read_revisions(opened)
        if current in (None, head):
            migrations.upgrade(
                opened
            )  # of a schema that is up to date, only the views are made anew
        migrations.check_schema(opened)
        queue.ensure_queue(opened)
    finally:
        opened.close()
    made = "database ready" if current is None else "database was ready"
    note(f"{made}: {opened.place} (schema {head}); {several(copied, 'starter file')} copied")


def _copy_missing(source: Path, target: Path) -> int:
    copied = 0
    for path in sorted(source.rglob("*")):
        goal = target / path.relative_to(source)
        if path.is_file() and not goal.exists() and "__pycache__" not in path.parts:
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, goal)
            copied += 1
    return copied
