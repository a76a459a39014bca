"""The command `monitor daemon`: what runs for years."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from monitor import settings
from monitor.cli._console import err
from monitor.cli._open import awaited_database
from monitor.store.database import Database

#: Seconds for which hands wait for a server that is away, with the answers that they hold.
_PATIENCE = 100.0


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(daemon)


def daemon(
    jobs: Annotated[
        Path, typer.Option("--jobs", help="Folder of job files; it is watched for changes.")
    ] = Path("jobs"),
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=64, help="Tasks performed at the same time.")
    ] = 8,
) -> None:
    """Run the jobs of a folder when they are due, until it is stopped.

    A tick is a time at which the cron expression of a job says that it is due. Every tick becomes a
    row: done, partial (questions were left unanswered), missed, overlapped (the run before was
    still being asked) or failed, with the reason; `monitor status` shows them.

    Ticks that came due while no daemon ran are owed. What becomes of them is the job's `catch_up`:
    latest begins the newest, none begins nothing, all (recordings only) begins each; the rest is
    written down as missed. A run that was cut off is gone on with, and nothing that has an answer
    is asked again.

    Job files may be added, changed and removed at any time. A file that cannot be used changes
    nothing: its job goes on as it was, and `monitor status` says why.

    The first SIGTERM or Ctrl-C finishes what is in flight, the second ends at once (exit code 130;
    no answer that was stored is lost). SIGHUP looks at the job files now. Under systemd,
    Type=notify and WatchdogSec= are understood. Only one daemon works in a folder (exit code 4);
    on PostgreSQL only one leads, and others stand by. A PostgreSQL server that is away, at the
    start too, is waited for.
    """
    from monitor.daemon.service import (
        Daemon,
        DaemonContext,
        HomeLock,
        handle_signals,
        make_executor,
    )
    from monitor.fetch.service_manager import ServiceManager
    from monitor.model import InvalidInput
    from monitor.web.companions import make_companions
    from monitor.work.perform import WorkerContext

    chosen = settings.load_all()
    if not jobs.is_dir():
        raise InvalidInput(f"{jobs}: no such folder; name that of the job files with --jobs")
    with awaited_database(_check_queue) as opened:
        lock = HomeLock(chosen.home)
        try:
            patient = replace(opened, patience=_PATIENCE)
            shop = WorkerContext(
                patient, chosen, lambda _stage, _done, _planned: None, lambda: False
            )
            means = DaemonContext(
                shop=shop,
                folder=jobs,
                hands=lambda given: make_executor(given, at_once),
                manager=ServiceManager.of(os.environ),
                companions=lambda idle: make_companions(shop, idle),
                say=_say,
            )
            running = Daemon(means, opened)
            with handle_signals(running):
                code = running.run()
        finally:
            lock.release()
    raise typer.Exit(code)


def _check_queue(opened: Database) -> None:
    """Raise StoreProblem unless PostgreSQL has the tables of jobs, in this version."""
    if not opened.keeps_files:
        from monitor.work import queue

        queue.check_queue(opened)


def _say(line: str) -> None:
    err.print(line, markup=False, soft_wrap=True)
