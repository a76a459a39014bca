"""Commands that run for years: the daemon, and workers beside it."""

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import registry, settings
from monitor.cli.console import err, note, stop_signal
from monitor.cli.database import awaited_database
from monitor.model import InvalidInput

if TYPE_CHECKING:
    from monitor.store.database import Database

#: Seconds for which hands wait for a server that is away, with the answers that they hold.
_PATIENCE = 100.0


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
    from monitor.web.health import make_companions
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
                manager=ServiceManager.from_environment(os.environ),
                companions=lambda idle: make_companions(shop, idle),
                say=note,
            )
            running = Daemon(means, opened)
            with handle_signals(running):
                code = running.run()
        finally:
            lock.release()
    raise typer.Exit(code)


def _check_queue(opened: "Database") -> None:
    """Raise StoreProblem unless PostgreSQL has the tables of jobs, in this version."""
    if not opened.keeps_files:
        from monitor.work import queue

        queue.check_queue(opened)


_STOPPED_AT_ONCE = 130


def worker(
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=32, help="Tasks that are performed at once.")
    ] = 4,
    engines: Annotated[
        str,
        typer.Option(
            "--engines",
            metavar="A,B",
            help="Ask these engines only, as where only this machine has the key, the model or "
            "the exit. Jobs with synchronised engines are left to workers without this option.",
        ),
    ] = "",
    burst: Annotated[
        bool, typer.Option("--burst", help="End when nothing is left that can be done now.")
    ] = False,
) -> None:
    """Ask engines and compute points for the daemon, beside other workers on PostgreSQL.

    The daemon plans runs; every worker on whatever machine takes tasks of them: asking one engine,
    or computing what follows from the answers of one run. An engine is asked by one worker at a
    time, so that its pace holds for all. Start as many as you need:

    MONITOR_DATABASE_URL=postgresql://... monitor worker

    Ctrl-C or SIGTERM stores what is in flight and ends; a second one ends at once. A worker that
    dies loses nothing: another takes up its task after MONITOR_LEASE_SECONDS. A server that is
    away, at the start too, is waited for. On SQLite there are no workers: `monitor daemon` does the
    work itself.
    """
    names = tuple(dict.fromkeys(name.strip() for name in engines.split(",") if name.strip()))
    for name in names:
        registry.engine(name)
    if not settings.load_all().database_url.startswith("postgresql"):
        raise InvalidInput(
            "workers need PostgreSQL: set MONITOR_DATABASE_URL; on SQLite `monitor daemon` does "
            "the work itself"
        )
    from monitor.web.health import make_companions
    from monitor.work import queue
    from monitor.work.perform import WorkerContext
    from monitor.work.worker import LoopPulse, WorkerOptions, run_worker

    with (
        awaited_database(queue.check_queue) as opened,
        stop_signal() as stop,
        ExitStack() as beside,
    ):
        patient = replace(opened, patience=_PATIENCE)
        shop = WorkerContext(patient, settings.load(), lambda _stage, _done, _planned: None, stop)
        pulse = LoopPulse()
        for companion in make_companions(replace(shop, database=opened), pulse.idle_seconds):
            companion.start()
            beside.callback(companion.stop)
        try:
            run_worker(shop, WorkerOptions(at_once=at_once, engines=names, burst=burst), pulse)
        except KeyboardInterrupt:
            err.print("stopped at once; what was in flight is asked again")
            os._exit(_STOPPED_AT_ONCE)  # threads cannot be ended otherwise
