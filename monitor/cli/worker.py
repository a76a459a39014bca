"""The command of a machine that works beside others: `monitor worker`."""

import os
from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated

import typer

from monitor import registry, settings
from monitor.cli._console import err, stop_signal
from monitor.cli._open import awaited_database
from monitor.model import InvalidInput

#: Seconds for which a database that has gone is waited for, before what was being done is put off.
_PATIENCE = 100.0
_STOPPED_AT_ONCE = 130


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(worker)


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
    from monitor.web.companions import make_companions
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
        for one in make_companions(replace(shop, database=opened), pulse.idle_seconds):
            one.start()
            beside.callback(one.stop)
        try:
            run_worker(shop, WorkerOptions(at_once=at_once, engines=names, burst=burst), pulse)
        except KeyboardInterrupt:
            err.print("stopped at once; what was in flight is asked again")
            os._exit(_STOPPED_AT_ONCE)  # threads cannot be ended otherwise
