"""The command line: `monitor --help` teaches, every error is one sentence and an exit code."""

import logging
import os
import sys
from importlib import import_module

import typer

from monitor import __version__, settings
from monitor.cli._console import configure_logging, err
from monitor.model import MonitorError, StoreProblem

EXIT_CODES = """\
Exit codes: 0 done; 1 a fault of this program; 2 a job, list or argument that cannot be used;
3 a library or model that is not installed; 4 a database or folder that cannot be used;
5 the run ended with questions unanswered; 130 stopped by Ctrl-C (nothing collected is lost)."""

app = typer.Typer(
    name="monitor",
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
        "`monitor report`."
    ),
)

for _module in (
    "work",
    "daemon",
    "jobs",
    "worker",
    "report",
    "series",
    "preregister",
    "serve",
    "gender",
    "lists",
    "models",
    "lexicon",
    "index",
    "importing",
    "label",
    "audit",
    "look",
    "evidence",
    "parse",
    "engines",
    "study",
    "notify",
    "gc",
    "redo",
    "reproduce",
    "erase",
    "db",
    "datasette",
):
    import_module(f"monitor.cli.{_module}").register(app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"monitor {__version__}")
        raise typer.Exit


@app.callback()
def _configure(
    _version_wanted: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    configure_logging(settings.load())


def main() -> None:
    """Entry point of the command `monitor`."""
    try:
        app()
    except MonitorError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        # whoever read our output has seen enough; what is left in the buffer goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}", StoreProblem.exit_code)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except Exception as error:  # said in one line; the traceback is for the log
        logging.getLogger(__name__).exception("unexpected")
        _fail(f"unexpected {type(error).__name__}: {error}; please report it", 1)


def _fail(sentence: str, code: int) -> None:
    err.print(f"monitor: {sentence}", style="bold red", markup=False, soft_wrap=True)
    sys.exit(code)
