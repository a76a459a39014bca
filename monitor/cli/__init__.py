"""The command line: `monitor --help` teaches, every error is one sentence and an exit code."""

import gc
import logging
import os
import sys

import typer

from monitor import __version__
from monitor.cli import exits
from monitor.cli.commands import HELP, Commands, take_plain_values

EXIT_CODES = """\
Exit codes: 0 done; 1 a fault of this program; 2 a job, list or argument that cannot be used, or
names what is not there (a run, a series, a file); 3 a library or model that is not installed;
4 a database or folder that cannot be used; 5 somebody has to act: questions unanswered, an address
that takes nothing, an alarm, no daemon; 130 stopped by Ctrl-C (nothing collected is lost);
141 whoever read the output stopped reading, as `| head` does."""

take_plain_values()
app = typer.Typer(
    name="monitor",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES.replace("\n", " "),
    help=(
        "Ask search engines and translators the same questions week after week, keep the "
        "evidence, and measure gender bias as time series.\n\n"
        "First steps: `monitor init audit`, `cd audit`, `monitor run jobs/demo.toml`, "
        "`monitor report`. `monitor COMMAND --help` says what a command writes, with an example."
    ),
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"monitor {__version__}")
        raise typer.Exit


@app.callback()
def _configure(
    context: typer.Context,
    _version_wanted: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    from monitor import settings
    from monitor.cli.console import configure_logging

    if not context.meta[HELP]:
        configure_logging(settings.load())


#: Objects made before Python looks for unused ones. Importing makes many and leaves few unused: at
#: the default of 700 a command takes 40 ms longer to start.
_BEFORE_COLLECTION = 50_000


def main() -> None:
    """Entry point of the command `monitor`."""
    gc.set_threshold(_BEFORE_COLLECTION)
    if "_MONITOR_COMPLETE" in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    try:
        app(prog_name="monitor")
    except SystemExit as stop:
        _leave(stop)
    except KeyboardInterrupt:
        exits.fail("stopped", 130)
    except Exception as error:  # noqa: BLE001 - said in one line; the traceback is for the log
        _say(error)


def _leave(stop: SystemExit) -> None:
    """End as the command did; a pipe that nobody reads any more is no fault of it."""
    if stop.code != exits.UNREAD and isinstance(stop.__context__, BrokenPipeError):
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None and exits.is_unread(stream):
                exits.silence(stream)
                sys.exit(exits.UNREAD)
        _say(stop.__context__)
    exits.flush()
    raise stop


def _say(error: Exception) -> None:
    from monitor.input_files import FaultyFile
    from monitor.model import MonitorError, StoreProblem

    if isinstance(error, FaultyFile):
        exits.fail(error.lines, error.exit_code)
    if isinstance(error, MonitorError):
        exits.fail(str(error), error.exit_code)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        exits.fail(f"{place}{error.strerror or error}", StoreProblem.exit_code)
    logging.getLogger(__name__).error("unexpected", exc_info=error)
    exits.fail(f"unexpected {type(error).__name__}: {error}; please report it", 1)
