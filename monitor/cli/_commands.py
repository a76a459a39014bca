"""Which module holds which command, so that one is imported only when it is called.

In goes the name of a command, out comes the command; the list of all, as `monitor --help` prints
it, needs no module.
"""

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from monitor.cli._examples import beneath


class Known(NamedTuple):
    """A command, the module of this package that registers it, and what `monitor --help` says."""

    name: str
    module: str
    summary: str  # at most 65 characters, so that it is whole in a window of 80


#: In the order of a study: make ready, ask, look, claim, keep, administer.
COMMANDS = (
    Known("init", "work", "Make a folder ready: database, starter jobs, probe lists."),
    Known("check", "work", "Validate job files and all that they name."),
    Known("plan", "work", "Say what a job asks, costs and can find; asks nobody."),
    Known("preregister", "preregister", "Declare what a job will test, before its first tick."),
    Known("run", "work", "Run a job once, now: ask, keep the answers, compute."),
    Known("daemon", "daemon", "Run the jobs of a folder when they are due."),
    Known("worker", "worker", "Ask and compute for the daemon, beside other workers."),
    Known("status", "work", "Who is at work, what is due, and what is wrong."),
    Known("jobs", "jobs", "The jobs that the daemon watches: list, pause, resume."),
    Known("notify", "notify", "What people are told, by mail or chat."),
    Known("report", "report", "Write the report of a run, or of a week."),
    Known("series", "series", "The time series: list, show, what has changed."),
    Known("serve", "serve", "Serve pages from every number to its proof, and an API."),
    Known("users", "users", "Users of the web pages: roles, passwords, tokens."),
    Known("embargo", "embargo", "What public pages do not show yet."),
    Known("datasette", "datasette", "Look at the SQLite file in a browser, read only."),
    Known("evidence", "evidence", "The raw answers: show one, export a run's, verify."),
    Known("audit", "audit", "How often our reading of gender is right."),
    Known("label", "label", "Who people in results are: sheets, and what they say."),
    Known("export", "importing", "Write what other tools and other people read."),
    Known("reproduce", "reproduce", "Recompute every number of a reproducibility package."),
    Known("import", "importing", "Bring in what was computed elsewhere."),
    Known("redo", "redo", "Derive kept runs anew, by present versions; asks nobody."),
    Known("gender", "gender", "Read the speaker's gender in every text of a file."),
    Known("explain", "look", "Which words of a sentence decide its gender, and why."),
    Known("parse", "parse", "Read saved result pages, block by block."),
    Known("lists", "lists", "Probe lists: show, fetch, rate, make of pairs."),
    Known("lexicon", "lexicon", "How far words lie towards women or men."),
    Known("corpus", "corpus", "Bias of words in bodies of texts of your own."),
    Known("index", "index", "Build an index of documents for the rankers."),
    Known("models", "models", "Models that run in this machine."),
    Known("engines", "engines", "The systems that can be asked: list, probe, pause."),
    Known("study", "study", "Accuracy on published figures and labelled texts."),
    Known("gc", "gc", "Take away answers that are past their time."),
    Known("erase", "erase", "Take away what is kept of a person, for good."),
    Known("db", "db", "The database: upgrade, back up, restore, verify."),
)
#: Where a context notes that only help is asked for.
HELP = "monitor.help"
_MODULES = {one.name: one.module for one in COMMANDS}


class Commands(TyperGroup):
    """The group of all commands; a command's module is imported when the command is wanted."""

    @property
    def commands(self) -> dict[str, Any]:
        """All of them, each imported."""
        return {one.name: _loaded(one.name) for one in COMMANDS}

    @commands.setter
    def commands(self, _none: object) -> None:
        """What the base class would hold stands in COMMANDS."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - of typer's own click
        return list(_MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - as above
        return _loaded(cmd_name) if cmd_name in _MODULES else None

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Note whether help of a command is asked for, which needs no setting."""
        ctx.meta[HELP] = bool(set(ctx.help_option_names) & set(ctx.args))
        return super().invoke(ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - as above
        """Write the list of `monitor --help`."""
        with formatter.section("Commands"):
            formatter.write_dl([(one.name, one.summary) for one in COMMANDS])


@cache
def _loaded(name: str) -> Any:  # noqa: ANN401 - of typer's own click
    """The command, out of its module."""
    app = typer.Typer(rich_markup_mode=None)
    import_module(f"monitor.cli.{_MODULES[name]}").register(app)
    found = typer.main.get_group(app).commands[name]
    _teach(found, name)
    return found


def _teach(command: Any, name: str) -> None:  # noqa: ANN401 - as above
    """Put an example, what is written and the exit codes beneath the help."""
    command.epilog = beneath(name) or command.epilog
    for inner, below in getattr(command, "commands", {}).items():
        _teach(below, f"{name} {inner}")
