"""The commands in groups, and the module of each, which is imported only when it is called."""

import re
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import CompletionItem, TyperGroup  # type: ignore[attr-defined]

from monitor.cli._examples import beneath
from monitor.text.near_names import hint

#: A full stop ends a sentence where a capital letter follows.
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z`])")


class Known(NamedTuple):
    """A command, the module of this package that registers it, and what `monitor --help` says."""

    name: str
    module: str
    summary: str  # at most 65 characters, so that it is whole in a window of 80


#: Headings of `monitor --help` with their commands, in the order in which one needs them.
GROUPS = {
    "Getting started": (
        Known("init", "init", "Make a folder ready, or write a job of your own: --for."),
        Known("check", "work", "Validate job files and all that they name."),
        Known("plan", "work", "Say what a job asks, costs and can find; asks nobody."),
        Known("run", "work", "Run a job once, now: ask, keep the answers, compute."),
        Known("status", "work", "Who is at work, what is due, and what is wrong."),
        Known("report", "report", "Write the report of a run, or of a week."),
    ),
    "Asking": (
        Known("engines", "engines", "The systems that can be asked: list, show, test, pause."),
        Known("languages", "catalogue", "Languages whose grammatical gender can be read."),
        Known("lists", "lists", "Probe lists: list, show, fetch, rate, make of pairs."),
        Known("models", "models", "Models that run in this machine."),
        Known("preregister", "preregister", "Declare what a job will test, before its first tick."),
    ),
    "Results": (
        Known("runs", "runs", "Runs: list them, show what one found."),
        Known("series", "series", "The time series: list, show, what has changed."),
        Known("measures", "catalogue", "Measures and their quantities: what each value means."),
        Known("references", "catalogue", "Sources of reference shares, such as labour statistics."),
        Known("export", "importing", "Write what other tools and other people read."),
        Known("import", "importing", "Bring in what was computed elsewhere."),
    ),
    "Evidence": (
        Known("evidence", "evidence", "The raw answers: show one, export a run's, verify."),
        Known("reproduce", "reproduce", "Recompute every number of a reproducibility package."),
        Known("redo", "redo", "Derive kept runs anew, by present versions; asks nobody."),
    ),
    "Validation": (
        Known("audit", "audit", "How often our reading of gender is right."),
        Known("label", "label", "Who people in results are: sheets, and what they say."),
    ),
    "Running a service": (
        Known("daemon", "daemon", "Run the jobs of a folder when they are due."),
        Known("worker", "worker", "Ask and compute for the daemon, beside other workers."),
        Known("jobs", "jobs", "The jobs that the daemon watches: list, show, pause."),
        Known("alarms", "alarms", "What an operator has to look at, and what to do."),
        Known("notify", "notify", "What people are told, by mail or chat."),
        Known("serve", "serve", "Serve pages from every number to its proof, and an API."),
        Known("users", "users", "Users of the web pages: roles, passwords, tokens."),
        Known("embargo", "embargo", "What public pages do not show yet."),
        Known("datasette", "datasette", "Look at the SQLite file in a browser, read only."),
    ),
    "Texts and words of your own": (
        Known("gender", "gender", "Read the speaker's gender in every text of a file."),
        Known("explain", "look", "Which words of a sentence decide its gender, and why."),
        Known("parse", "parse", "Read saved result pages, block by block."),
        Known("lexicon", "lexicon", "How far words lie towards women or men."),
        Known("corpus", "corpus", "Bias of words in bodies of texts of your own."),
        Known("index", "index", "Build an index of documents for the rankers."),
        Known("study", "study", "Accuracy on published figures and labelled texts."),
    ),
    "Maintenance": (
        Known("db", "db", "The database: upgrade, back up, restore, verify."),
        Known("gc", "gc", "Take away answers that are past their time."),
        Known("erase", "erase", "Take away what is kept of a person, for good."),
        Known("completion", "completion", "Complete commands by the Tab key: bash, zsh, fish."),
    ),
}
COMMANDS = tuple(one for group in GROUPS.values() for one in group)
#: Where a context notes that only help is asked for.
HELP = "monitor.help"
_MODULES = {one.name: one.module for one in COMMANDS}
_WIDTH = max(map(len, _MODULES))


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

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """Find a command by its name; for an unknown one, near names are in the message."""
        is_unknown = args[0] not in _MODULES and not args[0].startswith("-")
        if is_unknown and not ctx.resilient_parsing:
            ctx.fail(f"no command {args[0]!r}; {hint(args[0], _MODULES)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:  # noqa: ANN401 - as above
        """Complete commands without importing them, and options."""
        named = [one for one in COMMANDS if one.name.startswith(incomplete)]
        own = [CompletionItem(one.name, help=one.summary) for one in named]
        return own + super(TyperGroup, self).shell_complete(ctx, incomplete)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Note whether help of a command is asked for, which needs no setting."""
        ctx.meta[HELP] = bool(set(ctx.help_option_names) & set(ctx.args))
        return super().invoke(ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - as above
        """Write the list of `monitor --help`."""
        for heading, known in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(one.name.ljust(_WIDTH), one.summary) for one in known])


@cache
def _loaded(name: str) -> Any:  # noqa: ANN401 - of typer's own click
    """The command, out of its module."""
    app = typer.Typer(rich_markup_mode=None)
    import_module(f"monitor.cli.{_MODULES[name]}").register(app)
    found = typer.main.get_group(app).commands[name]
    _teach(found, name)
    return found


def _teach(command: Any, name: str) -> None:  # noqa: ANN401 - as above
    """Put an example, what is written and the exit codes beneath the help.

    The first sentence stands whole in the list of a group, where typer would cut it off.
    """
    command.epilog = beneath(name) or command.epilog
    for inner, below in getattr(command, "commands", {}).items():
        below.short_help = _first_sentence(below.help or "")
        _teach(below, f"{name} {inner}")


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return _SENTENCE_END.split(paragraph, maxsplit=1)[0].rstrip(".")
